"""The engine: what holds for every game, rules, number of tables, threads and kind of episode."""

import copy
import pickle
import random

import numpy as np
import pytest
from randomly import (
    NAMES,
    Dice,
    Highest,
    Lowest,
    alike,
    copies,
    few_layouts,
    lively,
    over,
    same,
    settled,
    short,
    some_actions,
    some_rules,
)

import karty
from karty.envs.engine import IllegalAction, Table, play_episodes, players, register_player
from karty.envs.game import ASKED, DEAL, FORFEITED, NOBODY, RUNNING, SCORE, SHUFFLE, TERMINATED, TRUNCATED

pytestmark = pytest.mark.rules


# -------------------------------------------------------------------------------------------------- one table


def where_cards_lie(game, state):
    """Every set of the state that says where cards lie, as integers."""
    places = []
    for field in game.state:
        if field.place and field.kind == "cards":
            places += [int(cards) for cards in np.atleast_1d(state[field.name])]
        elif field.place:
            places += [1 << int(card) for card in np.ravel(state[field.name]) if card >= 0]
    return places


@pytest.mark.plain
@pytest.mark.parametrize("episode", ["match", "deal"])
def test_every_card_lies_in_one_place_and_who_is_asked_has_a_choice(any_game, episode):
    lot = random.Random(3)
    for seed in range(12):
        table = Table(any_game, some_rules(any_game, lot), episode=episode)
        table.reset(seed)
        assert table.seat == NOBODY
        asked = deals = 0
        while table.over == RUNNING:
            event = table.advance()
            deals += event == DEAL
            if event == ASKED:
                assert 0 <= table.seat < table.seats
                legal = table.legal()
                assert legal == sorted(set(legal)) and legal
                assert table.mask().tolist() == [int(action in legal) for action in range(table.shape.size)]
                table.play(lot.choice(legal))
                asked += 1
            else:
                assert table.seat == NOBODY or event in (DEAL, SHUFFLE)
            if deals:
                places = where_cards_lie(any_game, table.state)
                assert sum(places) == table.shape.deck.full, "a card is missing or doubled"
                assert sum(place.bit_count() for place in places) == table.shape.deck.full.bit_count()
        assert asked > 0
        assert (table.seat, table.legal(), table.mask().sum(), table.advance()) == (NOBODY, [], 0, ASKED)
        reward, points = table.returns()
        assert reward.sum() == pytest.approx(0, abs=1e-9)
        assert table.over in (TERMINATED, TRUNCATED)
        assert table.over == TERMINATED or not reward.any()
        gained = [score - start for score, start in zip(table.scored()[1], table.start, strict=True)]
        assert points.tolist() == [any_game.gain * score for score in gained], "more is always better"


def test_an_illegal_action_moves_nothing_and_names_what_is_legal(game):
    table = Table(game)
    table.reset(4)
    table.settle()
    before = table.get_state()
    size = table.shape.size
    illegal = next(action for action in range(size) if action not in table.legal())
    for action in (-1, size, 10**6, illegal, table.legal()[0] - size):
        with pytest.raises(
            IllegalAction, match=rf"^seat {table.seat}: action {action} .*; legal: .*\({table.legal()[0]}\)"
        ):
            table.play(action)
        assert table.get_state() == before
    table.forfeit()
    loser = int(table.state.forfeit)
    assert (table.over, table.seat) == (FORFEITED, NOBODY)
    rest = 1 / (table.seats - 1)
    assert table.returns()[0].tolist() == [-1 if seat == loser else rest for seat in range(table.seats)]
    with pytest.raises(IllegalAction, match="nobody is asked"):
        table.play(0)


def test_a_table_s_bad_arguments_are_named(game):
    with pytest.raises(ValueError, match="there is no game 'bridge'; games: tysiac"):
        Table("bridge")
    with pytest.raises(ValueError, match="episode='hand' is not allowed; allowed: match, deal"):
        Table(game, episode="hand")
    with pytest.raises(TypeError, match="give either rules= or options by name, not both"):
        Table(game, game.rules(), **{next(iter(game.rules().to_dict())): 1})
    with pytest.raises(TypeError, match="rules= takes a Rules of this game or a dict, not int"):
        Table(game, 3)
    table = Table(game)
    with pytest.raises(ValueError, match="the first reset of a table needs a seed"):
        table.reset()
    for seed in (-1, 2**63, 1.0, True, "1"):
        with pytest.raises(ValueError, match=r"^seed=.* is not allowed; allowed: a whole number from 0 to 2\*\*63 - 1"):
            table.reset(seed)
    for start in ([0], [0.5] * table.seats, "000", [True] * table.seats, [2**40] * table.seats):
        with pytest.raises(ValueError, match=rf"^start=.* is not allowed; allowed: {table.seats} whole numbers"):
            table.reset(1, start=start)
    table.reset(1)
    table.settle()
    with pytest.raises(ValueError, match="there is no built-in player 'nobody'; players: random"):
        table.choose("nobody")


def spoiled(deal, how):
    """A deal with one slip."""
    deal = {**deal, "hands": [list(hand) for hand in deal["hands"]]}
    first, second = deal["hands"][0], deal["hands"][1]
    if how == "doubled":
        first[0] = second[0]
    elif how == "moved":
        first.append(second.pop())
    elif how == "unknown":
        first[0] = "1X"
    elif how == "short":
        first.pop()
    elif how == "hands":
        deal["hands"].pop()
    elif how == "pile":
        deal["kitty"] = []
    elif how == "text":
        deal["hands"][0] = " ".join(first)
    elif how == "dealer":
        deal["dealer"] = 7
    return deal


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ("doubled", "the deal holds (..) twice, the second time in hands"),
        ("moved", r"the deal's hands\[0\] must have \d+ cards, not \d+"),
        ("unknown", "'1X' is no card of this deck"),
        ("short", r"the deal's hands\[0\] must have \d+ cards, not \d+"),
        ("hands", r"the deal's hands must be \d lists of cards"),
        ("pile", "the deal has no pile 'kitty'; piles: hands"),
        ("text", r"the deal's hands\[0\] must be a list of cards"),
        ("dealer", "the deal's dealer (7 is no seat; seats: 0 … |is 7, but pan has none)"),
    ],
)
def test_a_given_deal_with_a_slip_is_refused_and_the_table_stays(game, how, words):
    table = Table(game)
    table.reset(1)
    table.settle()
    deal = table.dealt()
    before = table.get_state()
    with pytest.raises(ValueError, match=words):
        table.reset(2, deal=spoiled(deal, how))
    assert table.get_state() == before
    with pytest.raises(ValueError, match=r"^deal=3 is not allowed"):
        table.reset(2, deal=3)


def test_a_given_deal_is_dealt_whatever_the_seed(game):
    table = Table(game)
    table.reset(1)
    table.settle()
    deal, dealer = table.dealt(), table.dealer
    other = Table(game)
    other.reset(99, deal=deal | {"dealer": dealer})
    other.settle()
    assert (other.dealt(), other.dealer, other.seat) == (deal, dealer, table.seat)
    assert other.observe(other.seat).tolist() == table.observe(table.seat).tolist()


# ------------------------------------------------------------------------------------------ batch and table


@pytest.mark.parametrize("episode", ["match", "deal"])
def test_a_batch_is_so_many_single_tables(any_game, episode):
    # Matches of the default layout, deals of another one, if the game has several.
    rules = alike(any_game, 8, like=few_layouts(any_game, 2)[-1 if episode == "deal" else 0])
    batch = karty.make_batch(any_game, 8, rules=rules, episode=episode, seed=100)
    tables = [Table(any_game, its, episode=episode) for its in rules]
    for i, table in enumerate(tables):
        table.reset(100 + i)
        table.settle()
    chance, ended, decided = np.random.default_rng(1), 0, 0
    unseen = np.empty((batch.n, batch.shape.hidden.size), np.int8)
    batch.reset()
    for _ in range(150):
        for i, table in enumerate(tables):
            assert batch.seat[i] == table.seat
            assert (batch.observation[i] == table.observe(table.seat)).all()
            assert (batch.mask[i] == table.mask()).all()
            assert (batch.hidden(unseen)[i] == table.hidden(table.seat)).all()
        actions = lively(batch, chance)
        batch.step(actions)
        decided += settled(batch.arrays).sum()
        for i, table in enumerate(tables):
            table.play(int(actions[i]))
            table.settle()
            assert bool(batch.terminated[i]) == (table.over == TERMINATED)
            assert bool(batch.truncated[i]) == (table.over == TRUNCATED)
            reward, points = table.returns()
            absent = batch.seats - table.seats  # seats of larger tables of the batch
            assert batch.reward[i].tolist() == [*reward.astype(np.float32).tolist(), *[0] * absent]
            assert batch.points[i].tolist() == [*points.tolist(), *[0] * absent]
            if table.over != RUNNING:
                seen = [table.observe(seat).tolist() for seat in range(table.seats)]
                assert batch.final_observation[i, : table.seats].tolist() == seen
                assert not batch.final_observation[i, table.seats :].any()
                ended += 1
                table.reset()
                table.settle()
    assert ended > 8
    assert decided > 0 or episode == "match"


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_play_ahead_tells_how_each_deal_ends_after_each_action_if_one_player_goes_on_in_all_seats(episode):
    batch = karty.make_batch("tysiac", 12, episode=episode, seed=11, bomb="any", redeal_points=18)
    batch.reset()
    out = np.full((batch.n, batch.shape.size, 3), 7, np.float32)
    seen = 0
    for turn in range(60):
        batch.step(batch.choose("random"))
        if turn % 12:
            continue
        before = batch.get_state()
        wanted = np.arange(batch.shape.size) % 3 != turn % 3 + np.zeros((batch.n, 1))
        assert batch.play_ahead("rule", wanted, out) is out
        assert batch.get_state() == before
        for i in range(batch.n):
            for action in np.flatnonzero(batch.mask[i] & wanted[i]):
                table = batch.table(i)
                deals = table.number
                table.play(int(action))
                while table.number == deals:
                    if table.seat >= 0:
                        table.play(table.choose("rule"))
                    else:
                        table.advance()
                assert out[i, action].tolist() == table.scored()[0]
                seen += 1
        assert (out[(batch.mask == 0) | ~wanted] == 7).all()
        out[:] = 7
    assert seen > 100


def test_play_ahead_refuses_who_is_no_built_in_player_and_arrays_that_do_not_fit():
    batch = karty.make_batch("tysiac", 4)
    out, wanted = np.empty((4, batch.shape.size, 3), np.float32), np.ones((4, batch.shape.size), bool)
    with pytest.raises(ValueError, match="reset the batch"):
        batch.play_ahead("rule", wanted, out)
    batch.reset()
    with pytest.raises(ValueError, match="no built-in player 'me'; players: random"):
        batch.play_ahead("me", wanted, out)
    with pytest.raises(ValueError, match="wanted must be a C-contiguous bool"):
        batch.play_ahead("rule", wanted[:, 1:], out)
    with pytest.raises(ValueError, match="out must be a C-contiguous float32"):
        batch.play_ahead("rule", wanted, out.astype(np.float64))


@pytest.mark.parametrize("episode", ["match", "deal"])
def test_rewards_come_at_the_end_and_sum_to_zero(any_game, episode):
    like = any_game.rules(**short(any_game))
    batch = karty.make_batch(any_game, 64, rules=alike(any_game, 32, seed=1, like=like) + [like] * 32, episode=episode)
    batch.reset()
    chance, ended, decided = np.random.default_rng(2), 0, 0
    for _ in range(300):
        batch.step(lively(batch, chance))
        runs = ~over(batch.arrays)
        assert abs(batch.reward.sum(1)).max() < 1e-6
        assert not batch.reward[runs].any() and not batch.points[runs].any()
        assert not batch.reward[batch.truncated].any()
        ended += (~runs).sum()
        decided += settled(batch.arrays).sum()
    assert ended > 32
    assert decided > 8 or not (short(any_game) or episode == "deal")  # a match that is not shortened takes longer


def play(batch, steps, player="random"):
    """Everything that happens in so many steps of a built-in player."""
    story = [copies(batch.reset())]
    for _ in range(steps):
        story.append(copies(batch.step(batch.choose(player))))
    return story


@pytest.mark.parametrize("roles", [{}, {"learner": "rotate", "opponents": "rule", "skip_forced": True}])
def test_threads_change_nothing(game, roles):
    # A thread is used for 512 tables on.
    one, two, eight = (
        play(karty.make_batch(game, 4200, episode="deal", threads=threads, **roles, **short(game)), 41, "rule")
        for threads in (1, 2, 8)
    )
    for alone, pair, many in zip(one, two, eight, strict=True):
        assert same(alone, pair) == same(alone, many) == []
    assert sum(settled(its).sum() for its in one) > 40


def test_the_place_in_the_batch_changes_nothing(game):
    seeds = np.array([5, 2**62 + 1, 9, 7, 2**63 - 1, 0])
    order = np.array([3, 0, 5, 1, 4, 2])
    stories = []
    for its in (seeds, seeds[order]):
        batch = karty.make_batch(game, 6, episode="deal")
        story = [copies(batch.reset(its))]
        story += [copies(batch.step(batch.choose("random"))) for _ in range(120)]
        stories.append(story)
    for straight, mixed in zip(*stories, strict=True):
        assert same({name: array[order] for name, array in straight.items()}, mixed) == []


def test_a_reset_without_a_seed_goes_to_the_next_episode(game):
    batch = karty.make_batch(game, 3, seed=7, episode="deal")
    batch.reset()
    first = [batch.table(i).seed for i in range(3)]
    assert first == [7, 8, 9]
    batch.reset()
    second = [batch.table(i).seed for i in range(3)]
    table = Table(game, episode="deal")
    for i in range(3):
        table.reset(7 + i)
        table.reset()
        assert table.seed == second[i]
    batch.reset(7)
    assert [batch.table(i).seed for i in range(3)] == first
    batch.reset(np.array([1, 1, 5]))
    assert [batch.table(i).seed for i in range(3)] == [1, 1, 5]
    assert (batch.observation[0] == batch.observation[1]).all()


def test_autoreset_goes_to_the_same_next_episodes(game):
    """In the same step, in the next, or by a reset of these tables: the same decisions and rewards in order."""
    stories = []
    for mode in ("same", "next", "off"):
        batch = karty.make_batch(game, 4, episode="deal", autoreset=mode, seed=11, **short(game))
        batch.reset()
        story = [[] for _ in range(4)]
        for _ in range(420):
            waiting = batch.finished
            if mode == "off" and waiting.any():
                batch.reset(tables=waiting)
                waiting = batch.finished
            for i in np.flatnonzero(~waiting):
                story[i].append(batch.observation[i].tobytes() + batch.mask[i].tobytes())
            batch.step(np.where(waiting, -1, batch.choose("rule")))
            for i in np.flatnonzero(over(batch.arrays)):
                story[i].append(
                    (batch.reward[i].tolist(), batch.points[i].tolist(), batch.final_observation[i].tobytes())
                )
        stories.append([its[:300] for its in story])  # in the other modes some steps go by between two episodes
    assert stories[0] == stories[1] == stories[2]
    ends = [[entry for entry in its if isinstance(entry, tuple)] for its in stories[0]]
    assert all(ends)
    assert any(any(reward) for its in ends for reward, _, _ in its)


@pytest.mark.parametrize("mode", ["next", "off"])
def test_a_finished_table_shows_its_end_until_it_is_reset(game, mode):
    batch = karty.make_batch(game, 3, episode="deal", autoreset=mode, seed=2, **short(game))
    batch.reset()
    while not settled(batch.arrays).any():
        batch.step(batch.choose("rule"))
    ended = int(np.flatnonzero(settled(batch.arrays))[0])
    assert batch.finished[ended]
    assert batch.mask[ended].all()
    assert (batch.observation[ended] == batch.final_observation[ended, batch.seat[ended]]).all()
    final, reward = batch.final_observation[ended].copy(), batch.reward[ended].copy()
    actions = batch.choose("random")
    actions[ended] = 10**6  # ignored
    batch.step(actions)
    if mode == "next":
        assert not over(batch.arrays)[ended] and not batch.finished[ended] and not batch.reward[ended].any()
        assert batch.table(ended).episode == "deal"
    else:
        assert batch.finished[ended] and over(batch.arrays)[ended]
        assert (batch.final_observation[ended] == final).all() and (batch.reward[ended] == reward).all()
        while not batch.finished.all():
            batch.step(batch.choose("random"))
        with pytest.raises(ValueError, match="every table is finished; reset the batch"):
            batch.step(np.zeros(3, np.int64))


def test_some_tables_may_be_reset_by_themselves(game):
    batch = karty.make_batch(game, 4, seed=3)
    before = copies(batch.reset())
    batch.step(batch.choose("random"))
    moved = copies(batch.arrays)
    after = copies(batch.reset(np.array([3, 4, 5, 6]), tables=np.array([True, False, True, False])))
    for name in ("observation", "mask", "seat"):
        assert (after[name][[0, 2]] == before[name][[0, 2]]).all()
        assert (after[name][[1, 3]] == moved[name][[1, 3]]).all()


# ---------------------------------------------------------------------------------------- who plays which seat


def by_hand(game, seed, seats, episode="deal", **options):
    """Play one episode; seats[s] is a name or an agent. What each seat was shown before each choice, and the end."""
    table = Table(game, episode=episode, **options)
    table.reset(seed)
    table.settle()
    shown = [[] for _ in seats]
    while table.over == RUNNING:
        seat, player = table.seat, seats[table.seat]
        observation, mask = table.observe(seat), table.mask()
        shown[seat].append((observation.tobytes(), mask.tobytes()))
        named = isinstance(player, str)
        table.play(table.choose(player) if named else int(player.act(observation[None], mask[None], None)[0]))
        table.settle()
    return shown, table.returns(), table.over == TRUNCATED


@pytest.mark.parametrize("learner", [0, 1, "rotate"])
def test_opponents_sit_clockwise_from_the_learner(game, learner):
    seats = game.rules().seats
    others = [Highest(), "rule", Lowest(), "random"][: seats - 1]
    batch = karty.make_batch(game, 3, episode="deal", learner=learner, opponents=others, seed=20, **short(game))
    batch.reset()
    shown = [[] for _ in range(3)]
    ends = [None] * 3
    place = [(20 + i) % seats if learner == "rotate" else learner for i in range(3)]
    while None in ends:
        for i in range(3):
            if ends[i] is None:
                assert batch.seat[i] == place[i]
                shown[i].append((batch.observation[i].tobytes(), batch.mask[i].tobytes()))
        batch.step(batch.mask.argmax(1))
        for i in np.flatnonzero(over(batch.arrays)):
            if ends[i] is None:
                ends[i] = batch.reward[i].tolist()
                if learner == "rotate":
                    assert batch.seat[i] == (place[i] + 1) % seats
    for i in range(3):
        players_of = {place[i]: Lowest()} | {(place[i] + 1 + k) % seats: other for k, other in enumerate(others)}
        seen, (reward, _), _ = by_hand(game, 20 + i, [players_of[seat] for seat in range(seats)], **short(game))
        assert shown[i] == seen[place[i]]
        assert ends[i] == reward.astype(np.float32).tolist()
    assert any(map(any, ends))


@pytest.mark.parametrize("name", ["random", "rule"])
def test_a_built_in_opponent_plays_as_at_a_single_table(game, name):
    assert name in players(game.name)
    seats = game.rules().seats
    batch = karty.make_batch(game, 2, episode="deal", learner=0, opponents=name, seed=31)
    batch.reset()
    shown = []
    while not over(batch.arrays)[0]:
        shown.append((batch.observation[0].tobytes(), batch.mask[0].tobytes()))
        batch.step(batch.mask.argmax(1))
    seen, (reward, _), _ = by_hand(game, 31, [Lowest(), *[name] * (seats - 1)])
    assert shown == seen[0]
    assert batch.reward[0].tolist() == reward.astype(np.float32).tolist()


def test_skip_forced_plays_single_legal_actions_inside_the_call(game):
    plain = karty.make_batch(game, 1, episode="deal", seed=4)
    skipping = karty.make_batch(game, 1, episode="deal", seed=4, skip_forced=True)
    stories = []
    for batch in (plain, skipping):
        batch.reset()
        story = []
        while not over(batch.arrays)[0]:
            if batch.mask[0].sum() > 1:
                story.append((batch.observation[0].tobytes(), batch.mask[0].tobytes(), int(batch.seat[0])))
            else:
                assert batch is plain
            batch.step(batch.mask.argmax(1))
        stories.append((story, batch.points[0].tolist()))
    assert stories[0] == stories[1]


def test_agents_in_python_draw_on_a_generator_that_a_seed_makes_anew(game):
    batch = karty.make_batch(game, 5, episode="deal", learner=0, opponents=Dice())
    stories = []
    for _ in range(2):
        story = [copies(batch.reset(seed=8))]
        story += [copies(batch.step(batch.mask.argmax(1))) for _ in range(25)]
        stories.append(story)
    assert all(same(left, right) == [] for left, right in zip(*stories, strict=True))


class Wrong:
    name = "wrong"

    def __init__(self, answer):
        self.answer = answer

    def act(self, observation, mask, rng):
        return self.answer(len(mask))


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (lambda m: np.zeros(m + 1, np.int64), r"player wrong: act\(\) must give \d+ whole numbers, not int64"),
        (lambda m: np.zeros(m), r"player wrong: act\(\) must give \d+ whole numbers, not float64"),
        (lambda m: np.full(m, -1), r"player wrong: table \d+, seat \d+: action -1 .* is not legal; legal: "),
    ],
)
def test_a_wrong_answer_of_an_agent_names_the_agent(game, answer, words):
    batch = karty.make_batch(game, 3, learner=0, opponents=Wrong(answer), episode="deal")
    with pytest.raises(ValueError, match=words):
        batch.reset()
        for _ in range(100):
            batch.step(batch.mask.argmax(1))


def test_play_episodes_seats_each_player_where_it_stands(game):
    seats = game.rules().seats
    line = [Lowest(), "random", Highest(), "rule", "random"][:seats]
    seeds = np.array([3, 2**62, 17])
    result = play_episodes(game, line, seeds, episode="deal")
    for k, seed in enumerate(seeds):
        shown, (reward, points), truncated = by_hand(game, int(seed), line)
        assert result["reward"][k] == pytest.approx(reward, abs=1e-6)
        assert result["points"][k].tolist() == points.tolist()
        assert result["decisions"][k] == sum(len(its) for its in shown)
        assert result["truncated"][k] == truncated
    turned = play_episodes(game, [*line[1:], line[0]], seeds, episode="deal")
    assert any(turned[name].tolist() != result[name].tolist() for name in ("points", "decisions"))
    with pytest.raises(ValueError, match=rf"{seats + 1} players for {seats} seats"):
        play_episodes(game, ["random"] * (seats + 1), seeds)
    with pytest.raises(ValueError):
        play_episodes(game, ["nobody"] * seats, seeds)


def test_play_out_plays_the_same_random_episodes(game):
    seats = game.rules().seats
    batch = karty.make_batch(game, 4, episode="deal", seed=50)
    batch.reset()
    decisions = play_episodes(game, ["random"] * seats, np.arange(50, 54), episode="deal")["decisions"]
    assert batch.play_out(1) == decisions.sum()


def test_a_player_s_name_is_taken_once(game):
    for name in ("random", "rule"):
        with pytest.raises(ValueError, match=f"there is a built-in player '{name}' already"):
            register_player(game.name, name, lambda o, mask, chance: 0)


# ---------------------------------------------------------------------------------------------- illegal actions


def wrong_actions(batch, table):
    """Legal actions but at one table, where it is illegal."""
    actions = batch.mask.argmax(1)
    actions[table] = int(np.flatnonzero(batch.mask[table] == 0)[0])
    return actions


def test_illegal_raise_moves_no_table(game):
    batch = karty.make_batch(game, 5, seed=1)
    batch.reset()
    for _ in range(3):
        batch.step(batch.choose("random"))
    state, arrays = batch.get_state(), copies(batch.arrays)
    # The last would be a legal one counted from the end.
    for wrong in (None, -1, batch.shape.size, 2**40, int(batch.mask[3].argmax()) - batch.shape.size):
        actions = wrong_actions(batch, 3)
        if wrong is not None:
            actions[3] = wrong
        legal = np.flatnonzero(batch.mask[3])[0]
        with pytest.raises(IllegalAction, match=rf"^table 3, seat {batch.seat[3]}: action {actions[3]} .*\({legal}\)"):
            batch.step(actions)
        assert batch.get_state() == state
    for name in NAMES:
        assert np.array_equal(batch.arrays[name], arrays[name])


def test_legality_is_asked_of_the_state_not_of_the_mask_buffer(game):
    batch = karty.make_batch(game, 2, seed=1)
    batch.reset()
    illegal = int(np.flatnonzero(batch.mask[1] == 0)[0])
    actions = batch.choose("random")
    actions[1] = illegal
    batch.mask[:] = 1  # as a caller's array might be
    with pytest.raises(IllegalAction):
        batch.step(actions)


def test_illegal_lose_costs_the_mover_the_episode(game):
    batch = karty.make_batch(game, 4, seed=1, illegal="lose")
    twin = karty.make_batch(game, 4, seed=1, illegal="lose")
    batch.reset()
    twin.reset()
    seat = int(batch.seat[2])
    actions = batch.choose("random")
    spoiled = actions.copy()
    spoiled[2] = 10**6
    batch.step(spoiled)
    twin.step(actions)
    assert batch.terminated.tolist() == [False, False, True, False]
    rest = np.float32(1 / (batch.seats - 1))
    assert batch.reward[2].tolist() == [-1 if s == seat else rest for s in range(batch.seats)]
    assert (batch.observation[[0, 1, 3]] == twin.observation[[0, 1, 3]]).all()
    table = Table(game)
    table.reset(3)
    table.reset()  # the next episode of table 2
    table.settle()
    assert (batch.observation[2] == table.observe(table.seat)).all()


# ----------------------------------------------------------------------------------------------------- buffers


def buffers(batch):
    """Arrays for out=, filled with what must not stay."""
    return {name: np.full_like(array, 1) for name, array in batch.arrays.items()}


def test_out_buffers_get_what_the_own_arrays_would_get(game):
    plain, filling = (karty.make_batch(game, 6, episode="deal", seed=6) for _ in range(2))
    out = buffers(filling)
    assert same(plain.reset(), filling.reset(out=out)) == []
    assert filling.arrays["observation"] is out["observation"]
    for _ in range(60):
        actions = plain.choose("random")
        assert (filling.choose("random") == actions).all()
        out = buffers(filling)
        plain.step(actions)
        assert filling.step(actions, out=out)["mask"] is out["mask"]
        assert same(plain.arrays, out) == []


def test_out_may_name_some_arrays_and_a_row_of_a_training_buffer(game):
    batch = karty.make_batch(game, 3, seed=6)
    memory = np.zeros((4, 3, batch.shape.features), np.int8)
    batch.reset(out={"observation": memory[0]})
    for step in range(1, 4):
        batch.step(batch.choose("random"), out={"observation": memory[step]})
    assert (memory[3] == batch.observation).all()
    assert not np.shares_memory(batch.mask, memory)
    assert memory.any((1, 2)).all()


def test_wrong_buffers_are_refused_and_nothing_moves(game):
    batch = karty.make_batch(game, 3, seed=6)
    good = buffers(batch)
    batch.reset(out=good)
    state = batch.get_state()
    actions = batch.mask.argmax(1)
    rows = np.zeros((3, 2 * batch.shape.features), np.int8)
    for out, words in [
        ({"rewards": np.zeros((3, batch.seats))}, "out= has no array 'rewards'; arrays: observation, mask"),
        ({"reward": np.zeros((3, batch.seats))}, r"out\['reward'\] must be a C-contiguous float32 .*not float64"),
        ({"mask": np.zeros((2, batch.shape.size), np.int8)}, r"out\['mask'\] must be a C-contiguous int8 \[3, "),
        ({"observation": rows[:, ::2]}, r"out\['observation'\] must be a C-contiguous"),
        ({"seat": [0, 0, 0]}, r"out\['seat'\] must be .*, not list"),
    ]:
        with pytest.raises(ValueError, match=words):
            batch.step(actions, out=out)
        assert batch.get_state() == state
        assert batch.arrays["observation"] is good["observation"], "the arrays of the last call stay"


# ------------------------------------------------------------------------------------------- rules by table


def test_each_table_may_have_its_own_rules(game):
    rules = alike(game, 5, seed=4)
    batch = karty.make_batch(game, 5, rules=[*rules[:4], rules[4].to_dict()])
    batch.reset()
    assert [batch.table(i).rules for i in range(5)] == rules
    with pytest.raises(ValueError, match="rules= lists 5 rules for 4 tables"):
        karty.make_batch(game, 4, rules=rules)
    with pytest.raises(TypeError, match="give either rules= or options by name"):
        karty.make_batch(game, 5, rules=rules, **{next(iter(rules[0].to_dict())): 1})


def test_rules_may_be_drawn_anew_for_each_episode(game):
    rules = list(dict.fromkeys(alike(game, 3, seed=4)))
    batch = karty.make_batch(game, 40, rules=rules, draw_rules=True)
    batch.reset()
    first = [batch.table(i).rules for i in range(40)]
    batch.reset()
    second = [batch.table(i).rules for i in range(40)]
    assert set(first) == set(second) == set(rules)
    assert first != second
    batch.reset(0)
    assert [batch.table(i).rules for i in range(40)] == first


MIXED = ("2p_stock", "3p", "4p_resting", "4p_teams")


def mixed(n, **options):
    """Tables of Tysiąc for two, three and four, drawn anew for each episode."""
    rules = [karty.GAMES["tysiac"].rules.make(table=name) for name in MIXED]
    return karty.make_batch("tysiac", n, rules=rules, draw_rules=True, episode="deal", skip_forced=True, **options)


def test_the_sides_of_each_table_are_told_and_seats_that_it_does_not_have():
    batch = mixed(20)
    batch.reset()
    told = {"2p_stock": [0, 1, -1, -1], "3p": [0, 1, 2, -1], "4p_resting": [0, 1, 2, 3], "4p_teams": [0, 1, 0, 1]}
    names = [batch.table(i).rules.table for i in range(20)]
    assert set(names) == set(told)
    assert batch.sides.tolist() == [told[name] for name in names]


def test_opponents_of_tables_of_different_sizes_are_one_for_all():
    words = "^opponents= lists players, but these tables have 2 to 4 seats: give one for all$"
    with pytest.raises(ValueError, match=words):
        mixed(4, learner=0, opponents=["random"] * 3)
    mixed(4, learner=1, opponents="random")


def test_of_seats_that_a_smaller_table_does_not_have_nothing_is_left_of_a_larger_one_before():
    batch = mixed(12, seed=2)
    batch.reset()
    chance, ends = np.random.default_rng(0), 0
    outcome = np.full((12, batch.shape.size, 4), 7, np.float32)
    for _ in range(60):
        actions, sides = some_actions(batch.mask, chance), batch.sides
        wanted = np.arange(batch.shape.size) == actions[:, None]
        batch.play_ahead("random", wanted, outcome)
        assert not outcome[wanted][sides < 0].any()
        batch.step(actions)
        ended = np.flatnonzero(batch.terminated)
        for i in ended:
            absent = sides[i] < 0
            assert batch.reward[i].any() or not batch.points[i].any()
            assert not batch.reward[i, absent].any() and not batch.points[i, absent].any()
            assert not batch.final_observation[i, absent].any()
            ends += absent.any()
    assert ends > 10


# --------------------------------------------------------------------------------------------------- passed over


class Bomber:
    """Bids 120 if it may, drops out at once as declarer, else passes."""

    name = "bomber"

    def __init__(self, game):
        names = game.action_names(game.rules())
        self.liked = [names.index(name) for name in ("bomb", "bid 120", "pass")]

    def act(self, observation, mask, rng):
        liked = mask[:, self.liked].argmax(1)
        return np.where(mask[:, self.liked].any(1), np.array(self.liked)[liked], mask.argmax(1))


@pytest.mark.parametrize("mode", ["same", "next"])
def test_an_episode_that_does_not_ask_the_learner_is_passed_over_and_counted(mode):
    """The learner opens without a choice, is outbid, has nothing above 120 to bid, and declarer drops out."""
    game = karty.GAMES["tysiac"]
    batch = karty.make_batch(
        game, 2, episode="deal", learner=0, opponents=Bomber(game), skip_forced=True, bomb="any", seed=3, autoreset=mode
    )
    batch.reset()
    reported = np.zeros(2, np.int64)
    for _ in range(60):
        assert (batch.mask.sum(1) > 1).all()
        batch.step(np.full(2, game.action_id(None, "pass")) if batch.mask[:, 56].all() else batch.mask.argmax(1))
        reported += batch.terminated
    episodes = [int(batch.table(i).state.episode) for i in range(2)]  # how many came before the running or finished one
    waiting = batch.finished.astype(int)
    assert (batch.passed_over + reported == episodes + waiting).all()
    assert (batch.passed_over > 0).all()
    # Each time the bomber's 120 gave 60 to both others: (60 - 30) / 100 for the learner and the third, -0.6 for him.
    assert batch.passed_return[:, 0] == pytest.approx(0.3 * batch.passed_over)
    assert batch.passed_return.sum(1) == pytest.approx([0, 0])


# ------------------------------------------------------------------------------------------------ clone


def test_a_clone_goes_on_alike_and_by_itself(game):
    batch = karty.make_batch(game, 4, episode="deal", seed=12)
    batch.reset()
    for _ in range(10):
        batch.step(batch.choose("random"))
    twin = batch.clone()
    before = copies(twin.arrays)
    story = [copies(batch.step(batch.choose("random"))) for _ in range(60)]
    assert same(twin.arrays, before) == []
    assert all(same(twin.step(twin.choose("random")), its) == [] for its in story)
    table = Table(game)
    table.reset(5)
    table.settle()
    other = table.clone()
    table.play(table.legal()[0])
    table.settle()
    assert other.observe(other.seat).tolist() != table.observe(table.seat).tolist()
    other.play(other.legal()[0])
    other.settle()
    assert other.get_state() == table.get_state()


def test_a_clone_s_agents_draw_as_the_original_s_would(game):
    batch = karty.make_batch(game, 4, episode="deal", learner=0, opponents=Dice(), seed=12)
    batch.reset()
    batch.step(batch.mask.argmax(1))
    twin = batch.clone()
    story = [copies(batch.step(batch.mask.argmax(1))) for _ in range(20)]
    assert all(same(twin.step(twin.mask.argmax(1)), its) == [] for its in story)


# ----------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"n": 0}, "n=0 is not allowed; allowed: a whole number of tables from 1 on"),
        ({"n": 2.0}, "n=2.0 is not allowed"),
        ({"n": True}, "n=True is not allowed"),
        ({"threads": 0}, "threads=0 is not allowed; allowed: a whole number from 1 on"),
        ({"autoreset": "never"}, "autoreset='never' is not allowed; allowed: same, next, off"),
        ({"illegal": "skip"}, "illegal='skip' is not allowed; allowed: raise, lose"),
        ({"episode": "round"}, "episode='round' is not allowed; allowed: match, deal"),
        ({"learner": 9}, "learner=9 is not allowed; allowed: None, 'rotate', or a seat from 0 to"),
        ({"learner": -1}, "learner=-1 is not allowed"),
        ({"learner": "turn"}, "learner='turn' is not allowed"),
        ({"learner": 0, "opponents": ["random"] * 9}, "opponents= lists 9 players for"),
        ({"learner": 0, "opponents": "nobody"}, "nobody"),
        ({"seed": -1}, "seed=-1 is not allowed; allowed: a whole number from 0"),
        ({"seed": 2**63}, "seed=9223372036854775808 is not allowed"),
        ({"no_such_option": 1}, "there is no option 'no_such_option'; options: "),
        ({"preset": "none"}, "there is no preset 'none'"),
    ],
)
def test_a_batch_s_bad_arguments_are_named(game, arguments, words):
    with pytest.raises(ValueError, match=words):
        karty.make_batch(game, **({"n": 2} | arguments))


def test_an_opponent_must_be_able_to_act(game):
    with pytest.raises(TypeError, match=r"is no player: neither a name nor an object with act\(\)"):
        karty.make_batch(game, 2, learner=0, opponents=3)


def test_calls_with_bad_arrays_are_named(game):
    batch = karty.make_batch(game, 3)
    with pytest.raises(ValueError, match="reset the batch before its first step"):
        batch.step(np.zeros(3, np.int64))
    with pytest.raises(ValueError, match="the first reset of a batch is of all its tables"):
        batch.reset(tables=np.array([True, False, False]))
    batch.reset()
    for actions in (np.zeros(2, np.int64), np.zeros(3), np.zeros((3, 1), np.int64)):
        with pytest.raises(ValueError, match="actions must be 3 whole numbers, not "):
            batch.step(actions)
    for seed in ([1, 2], [-1, 0, 0], [0.5, 1, 1], np.array([2**63, 0, 0], np.uint64)):
        with pytest.raises(ValueError, match="seed= must be one whole number or 3, from 0 to"):
            batch.reset(np.asarray(seed))
    with pytest.raises(ValueError, match=r"^seed=9223372036854775809 is not allowed"):
        batch.reset(2**63 - 1)  # the third table's would be too large
    with pytest.raises(ValueError, match=r"tables must be a C-contiguous bool \[3\], not "):
        batch.reset(tables=np.array([1, 0, 1]))
    with pytest.raises(ValueError, match="there is no built-in player 'nobody'; players: random, rule"):
        batch.choose("nobody")
    with pytest.raises(AttributeError, match="no attribute 'rewards'"):
        _ = batch.rewards
    batch.step(batch.choose("random").astype(np.int32))  # any whole numbers do


def test_events_of_a_single_table_come_one_at_a_time():
    """A deal, then decisions, then its score, the next deal …, at last the end: each by a call of its own."""
    table = Table("tysiac", bomb="at_100", max_deals=2)
    table.reset(1)
    events = []
    while table.over == RUNNING:
        event = table.advance()
        if event == ASKED:
            names = [table.shape.actions[action] for action in table.legal()]
            choice = next(name for name in ("bomb", "pass", "bid 100") if name in names)
            table.play(table.game.action_id(table.rules, choice))
        else:
            events.append(event)
    assert [event for event in events if event in (DEAL, SCORE)] == [DEAL, SCORE, DEAL, SCORE]
    assert len(events) == 5
    assert table.over == TRUNCATED


@pytest.mark.parametrize("twin_of", [copy.copy, copy.deepcopy, lambda batch: pickle.loads(pickle.dumps(batch))])
def test_a_copied_or_pickled_batch_goes_on_the_same_and_by_itself(game, twin_of):
    batch = karty.make_batch(game, 5, learner="rotate", opponents="random", episode="deal", threads=2)
    batch.reset(3)
    twin = twin_of(batch)
    before = batch.get_state()
    for _ in range(40):
        twin.step(twin.choose("random"))
    assert batch.get_state() == before
    for _ in range(40):
        batch.step(batch.choose("random"))
    assert batch.get_state() == twin.get_state()
    assert all((batch.arrays[name] == twin.arrays[name]).all() for name in batch.arrays)


def test_a_read_only_buffer_is_refused(game):
    batch = karty.make_batch(game, 2)
    buffer = np.zeros(2, np.int8)
    buffer.flags.writeable = False
    with pytest.raises(ValueError, match=r"out\['seat'\] is read-only"):
        batch.reset(out={"seat": buffer})


@pytest.mark.parametrize("seat", [-1, 5, 10**6, 1.0, "0"])
def test_a_seat_that_is_none_cannot_be_looked_at(game, seat):
    table = Table(game)
    table.reset(1)
    table.settle()
    for look in (table.observe, table.hidden, lambda s: table.determinize(s, 1)):
        with pytest.raises(ValueError, match="there is no seat"):
            look(seat)
