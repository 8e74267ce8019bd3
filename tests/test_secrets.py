"""What the cards were dealt from stays unknown to whoever plays: seeds, streams, generators."""

import numpy as np
import pytest

import karty
from karty.envs.chance import agent_generator
from karty.envs.engine import Table
from karty.envs.game import RUNNING
from karty.envs.layout import choice, observation, state
from karty.envs.record import record_episode
from karty.training.evaluate import evaluate

STEP = 0x9E3779B97F4A7C15
ALL = 2**64 - 1


def unscramble(x):
    """The inverse of SplitMix64's scrambler: xor-shifts undone from above, factors by their inverses."""
    for shift, factor in ((31, 0x94D049BB133111EB), (27, 0xBF58476D1CE4E5B9), (30, 1)):
        y = x
        for _ in range(3):
            y = x ^ (y >> shift)
        x = y * pow(factor, -1, 2**64) & ALL
    return x


def unmix(x, number):
    """The seed of ``chance.mix(seed, number)``."""
    return unscramble((unscramble(x) - number * STEP) & ALL) - STEP & ALL


def test_the_inverse_used_here_is_right():
    from karty.envs.chance import mix

    assert unmix(int(mix(np.int64(123456789), np.int64(5))), 5) == 123456789


def test_a_built_in_player_s_stream_does_not_give_the_seed_away(game):
    seed = 123456789012345678
    table = Table(game)
    table.reset(seed)
    first = unmix(int(table.state.choices[0]), 0)
    for lost_bit in (0, 1):
        for purpose in range(-5, 5):
            assert unmix((first << 1 | lost_bit) & ALL, purpose & ALL) != seed


class Curious:
    """An agent that looks at the generator it is given."""

    name = "curious"

    def __init__(self):
        self.seen = set()

    def act(self, observation, mask, rng):
        self.seen.add(str(rng.bit_generator.seed_seq.entropy))
        return mask.argmax(axis=1)


def test_no_agent_finds_the_episode_s_seed_in_its_generator(game):
    curious, seed = Curious(), 987654321
    seats = Table(game).seats
    record_episode(Table(game, episode="deal"), [curious] * seats, seed)
    batch = karty.make_batch(game, 2, learner=0, opponents=curious, episode="deal")
    batch.reset(seed)
    evaluate(game, [curious, "random"], deals=2)
    assert len(curious.seen) >= 3
    assert not any(str(known) in entropy for entropy in curious.seen for known in (seed, 2**62, 2**62 + 2**61))


def test_generators_of_different_seeds_differ_and_of_the_same_agree():
    draws = [agent_generator(*numbers).integers(2**60) for numbers in ((1, 0), (0, 1), (1, 0))]
    assert draws[0] == draws[2] != draws[1]


def test_determinize_draws_all_that_is_to_come_anew(game):
    table = Table(game)
    table.reset(1)
    table.settle()
    before = table.clone()
    table.determinize(table.seat, 77)
    for name in ("seed", "first", "chance", "choices"):
        assert table.state[name] != before.state[name]
    assert table.state.episode == 0
    later = [t.clone() for t in (table, before)]
    for t in later:
        t.reset()
        t.settle()
    assert later[0].dealt() != later[1].dealt()


def test_a_layout_with_other_values_has_another_digest(game):
    first, second = (
        observation(game.shape().deck, 2, rule=choice("rule", values))
        for values in (("yes", "no", "often"), ("no", "yes", "often"))
    )
    assert first.digest != second.digest
    kept = [state(game.shape().deck, 2, rule=choice("rule", values)) for values in (("yes", "no"), ("no", "yes"))]
    assert kept[0].digest != kept[1].digest


class Failing(Curious):
    def act(self, observation, mask, rng):
        raise RuntimeError("no idea")


def test_a_batch_whose_agent_failed_in_the_middle_of_a_step_must_be_reset(game):
    last = game.rules().seats - 1
    opponents = [*["random"] * (last - 1), Failing()]
    batch = karty.make_batch(game, 3, learner=last, opponents=opponents, episode="deal")
    with pytest.raises(RuntimeError, match="no idea"):
        for seed in range(50):
            batch.reset(seed)
            for _ in range(30):
                batch.step(batch.choose("random"))
    with pytest.raises(ValueError, match="reset the batch"):
        batch.step(np.zeros(3, np.int64))


def test_nothing_is_chosen_or_played_where_nobody_has_looked(game):
    batch = karty.make_batch(game, 3)
    with pytest.raises(ValueError, match="reset the batch"):
        batch.choose("random")
    batch.reset()
    batch.play_out(1)
    with pytest.raises(ValueError, match="reset the batch"):
        batch.step(np.zeros(3, np.int64))
    assert batch.reset(4)["mask"].any(axis=1).all()


def test_a_player_of_another_game_is_refused(game):
    class Foreign(Curious):
        game = "bridge"

    with pytest.raises(ValueError, match="plays bridge"):
        karty.make_batch(game, 2, learner=0, opponents=Foreign())


def test_a_start_that_would_end_the_game_is_refused(game):
    table = Table(game)
    allowed = game.given_starts(table.rules)
    over = [allowed[-1] + 1] + [allowed[0]] * (table.seats - 1)
    with pytest.raises(ValueError, match=rf"scores from {allowed[0]} to {allowed[-1]}$"):
        table.reset(1, start=over)
    table.reset(1, start=[allowed[-1]] * table.seats)
    table.settle()
    assert table.over == RUNNING


def test_tysiac_pan_and_piotrus_begin_below_what_ends_a_match():
    ends = {"tysiac": 1000, "pan": 3, "piotrus": 1}
    found = {name: karty.GAMES[name].given_starts(karty.GAMES[name].rules()).stop for name in ends}
    assert found == ends


def test_petukh_begins_above_what_ends_a_match():
    assert karty.GAMES["petukh"].given_starts(karty.GAMES["petukh"].rules())[0] == 1
