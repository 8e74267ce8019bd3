"""The rule-based players of Piotruś, and the one that reaches as people do: legal, blind, sensible in positions."""

import random
from collections import Counter

import numpy as np
import pytest
from chisquare import bound, chi_square, looks_uniform
from fans import fans, held
from positions import act, legal, table
from randomly import some_actions, some_rules

import karty
from karty.agents.rules.piotrus import REACH, reach
from karty.envs.engine import make_batch, play_episodes
from karty.envs.games.piotrus import SHUFFLE_FAN
from karty.envs.record import record_episode

pytestmark = pytest.mark.rules

GAME = karty.GAMES["piotrus"]
TEMPERS = ("rule", "rule-timid", "rule-bold")
NAMES = (*TEMPERS, "biased")
NEVER, SHORT = {"shuffle": "never"}, {"deck": "short"}


def chosen(at, name="rule"):
    """What the player does, by its name."""
    return at.shape.actions[at.choose(name)]


def choices(at, name, times=300):
    """How often the player does what in the same position; its stream of choices goes on."""
    return Counter(chosen(at, name) for _ in range(times))


@pytest.mark.parametrize("discard", ["auto", "manual"])
def test_always_legal_under_every_option(discard):
    lot, rules = random.Random(1), []
    while len(rules) < 96:  # of one layout and equal actions, as a batch needs them
        its = some_rules(GAME, lot).to_dict() | {"deck": "full", "players": 3, "discard": discard, "max_turns": 2000}
        rules.append(GAME.rules(**its | ({"pairing": "rank", "odd_card": "queen"} if discard == "manual" else {})))
    batch = make_batch("piotrus", 96, rules=rules, seed=3)
    batch.reset()
    for step in range(200):
        actions = batch.choose(NAMES[step % 4])
        assert batch.mask[np.arange(96), actions].all()
        batch.step(actions)


@pytest.mark.parametrize("name", NAMES)
def test_the_choice_does_not_depend_on_what_the_seat_cannot_see(name):
    at = held("9H", "JS", "9D")
    for seed in range(6):
        at.reset(seed)
        at.settle()
        while at.over == 0:
            imagined = at.clone()
            imagined.determinize(at.seat, seed=1000 + seed)
            imagined._states["choices"] = at._states["choices"]  # the same luck
            assert imagined.choose(name) == at.clone().choose(name)
            at.play(at.choose(name))
            at.settle()


# ---------------------------------------------------------------------------- in positions: A is seat 2, B seat 0, C 1


def case_11():
    """A gave KC to B and took its twin from C; C has drawn KC from B. A is to draw from C, whose last card is KC."""
    at = held("2S 3S 4S", "KS 2H 5S", "KC 2C 3C 4C 2D 5C JS", **NEVER)
    return act(at, "draw 0, draw 0, draw 0, draw 5, draw 2")


def case_10(**chosen_options):
    """Seat 1 gave Piotruś to seat 0 and is to draw from it: it stands at the end of three."""
    at = held("5D 7C", "JS 5H 7S", **(NEVER | chosen_options))
    return act(at, "draw 0" if at.rules.shuffle == "never" else "offer, draw 0")


@pytest.mark.plain
@pytest.mark.parametrize("name", TEMPERS)
def test_takes_a_known_twin(name):
    assert choices(case_11(), name) == {"draw 3": 300}


@pytest.mark.plain
@pytest.mark.parametrize("name", TEMPERS)
def test_never_takes_a_known_piotrus_and_else_what_chance_gives(name):
    found = choices(case_10(), name)
    assert set(found) == {"draw 0", "draw 1"}
    assert looks_uniform(found, 2)


@pytest.mark.plain
def test_by_rank_an_unpaired_jack_is_no_piotrus_yet():
    """The timid player likes a known card that is not Piotruś; by rank none is known to be."""
    assert choices(case_10(pairing="rank"), "rule-timid") == {"draw 2": 300}


def test_shuffles_always_or_only_when_somebody_knows_its_fan():
    at = case_10(shuffle="before_offer")
    assert at.seat == 0  # seat 1 knows where its Piotruś stands
    assert [choices(at, name) for name in TEMPERS] == [{"shuffle": 300}] * 3
    at = held("5D 7C", "JS 5H 7S")
    assert [choices(at, name) for name in TEMPERS] == [{"shuffle": 300}, {"shuffle": 300}, {"offer": 300}]


def test_the_newest_card_of_a_fan_that_was_not_shuffled_is_left_alone():
    at = act(held("9H 5S 6S", "9S 5D JS", "9D 9C 5H 5C 6C", shuffle="before_offer"), "offer")
    assert choices(at, "rule").keys() == choices(at, "rule-timid").keys() == {f"draw {place}" for place in range(4)}
    assert looks_uniform(choices(at, "rule"), 4)
    assert looks_uniform(choices(at, "rule-bold", 500), 5)
    at = act(held("9H 5S 6S", "9S 5D JS", "9D 9C 5H 5C 6C", shuffle="before_offer"), "shuffle")
    assert all(looks_uniform(choices(at, name, 500), 5) for name in TEMPERS)


@pytest.mark.plain
def test_the_timid_player_takes_a_known_card_rather_than_one_of_three_unknown():
    at = act(case_11(), "draw 0, draw 4, draw 0")  # A lays off 2H, B takes KS, C takes 3S
    assert fans(at) == ["4S JS KS", "5S 2S KC 3S", "2C 3C 4C 5C"]  # A knows of KC, no twin of its own, and no more
    assert choices(at, "rule-timid") == {"draw 2": 300}
    found = choices(at, "rule")
    assert set(found) == {"draw 0", "draw 1"} and looks_uniform(found, 2)
    found = choices(at, "rule-bold")
    assert set(found) == {"draw 0", "draw 1", "draw 3"} and looks_uniform(found, 3)


@pytest.mark.plain
@pytest.mark.parametrize("name", NAMES)
def test_lays_off_the_first_pair(name):
    hands = ["QC KC 9D 9H AC TD JD QD", "TH JH QH KD KH AD AH", "9S 9C TS TC QS KS AS JS"]
    at = table("piotrus", hands, dealer=1, discard="manual", deck="short")
    assert legal(at) == ["lay 9S 9C", "lay TS TC"]
    assert chosen(at, name) == "lay 9S 9C"


# --------------------------------------------------------------------------------------------- the hand that reaches


REACHES = {
    1: [1],
    2: [0.24, 0.76],
    3: [0.28 / 3, 0.58 + 0.02 / 3, 0.32],  # 0.02 + 0.22/3; 2/3 of 0.22 and 2/3 of 0.66; 0.66/3 + 0.10
    4: [0.02, 0.22, 0.66, 0.10],
    5: [0.016, 0.136, 0.352, 0.416, 0.08],
    8: [0.01, 0.01, 0.11, 0.11, 0.33, 0.33, 0.05, 0.05],
}


@pytest.mark.plain
@pytest.mark.parametrize("n", REACHES)
def test_reach_scales_the_four_quarters(n):
    assert reach(n) == pytest.approx(REACHES[n])


def test_reach_of_every_length_is_a_distribution():
    for n in range(1, 28):
        assert REACH[n].sum() == pytest.approx(1)
        assert (REACH[n, :n] > 0).all()
        assert not REACH[n, n:].any()


GIVERS = {  # seat 0 draws from three, four or five cards
    3: (("9H", "4D", "4H JS 9D"), {}),
    4: (("9S TS", "9C TC QS KS", "QC KC JS"), {"deck": "short", "draw_from": "left"}),
    5: (("9H 2S 3S", "4D 5D 2C", "4H 3C 5H JS 9D"), {}),
}


@pytest.mark.plain
@pytest.mark.parametrize("n", GIVERS)
def test_biased_draws_from_the_place_that_catches_the_hand(n):
    hands, options = GIVERS[n]
    at = held(*hands, **options, **NEVER)
    found = choices(at, "biased", 3000)
    assert len(legal(at)) == n
    counts = [found[f"draw {place}"] for place in range(n)]
    assert sum(counts) == 3000
    assert chi_square(counts, [3000 * share for share in REACHES[n]]) < bound(n - 1)


def test_biased_reaches_for_a_known_piotrus_as_for_any_card():
    found = choices(case_10(), "biased", 3000)
    counts = [found[f"draw {place}"] for place in range(3)]
    assert chi_square(counts, [3000 * share for share in REACHES[3]]) < bound(2)


def test_biased_never_shuffles():
    at = held("9H", "JS", "9D")
    lines = [line for seed in range(20) for line in record_episode(at, ["biased"] * 3, seed)]
    assert sum('"action":"offer"' in line for line in lines) > 100
    assert not any('"action":"shuffle"' in line for line in lines)
    assert chosen(case_10(shuffle="anytime"), "biased") == "offer"


# --------------------------------------------------------------------------------------------------------- at the table


class Blind:
    """Shuffles whenever it may, and draws from any place."""

    name = "blind"

    def act(self, observation, mask, rng):
        return np.where(mask[:, SHUFFLE_FAN] > 0, SHUFFLE_FAN, some_actions(mask, rng))


def share_lost(opponent, games=3000):
    """How often the rule-based player loses to two others, and the standard error of a share near a third."""
    seats = [["rule" if seat == mine else opponent for seat in range(3)] for mine in range(3)]
    seeds = np.arange(games // 3) + 2**40
    lost = [play_episodes("piotrus", its, seeds)["reward"][:, mine] < 0 for mine, its in enumerate(seats)]
    return np.mean(lost), np.sqrt(1 / 3 * 2 / 3 / games)


def test_nothing_can_be_won_from_those_who_shuffle():
    share, error = share_lost(Blind())
    assert abs(share - 1 / 3) < 4 * error


def test_something_can_be_won_from_those_who_do_not():
    share, error = share_lost("biased")
    assert share < 1 / 3 - 4 * error
