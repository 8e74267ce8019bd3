"""Paired evaluation and the arena: hand figures, the same deals in all rotations, seeds that never meet training's."""

import dataclasses
import json
from itertools import pairwise

import numpy as np
import pytest

import karty
from karty.training import evaluate as module
from karty.training.arena import arena
from karty.training.estimates import estimate
from karty.training.evaluate import (
    evaluate,
    outcome_shares,
    relative,
    seat_agents,
)
from karty.training.splits import LARGEST_SEED, MOST_DEALS, evaluation_seeds

ALONE = np.arange(3)
KEYS = [
    *("game", "rules", "agent", "opponents", "metric", "mean", "low", "high", "deals", "truncated", "episode"),
    *("split", "seed", "until", "reached", "normalised"),
]


class Lowest:
    """Always the legal action with the lowest id."""

    name = "lowest"

    def act(self, observation, mask, rng):
        return mask.argmax(axis=1)


class Highest:
    """Always the legal action with the highest id."""

    name = "highest"

    def act(self, observation, mask, rng):
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


class Sampling:
    """Draws a legal action with the generator that is handed in."""

    name = "sampling"

    def act(self, observation, mask, rng):
        return (rng.random(mask.shape) * mask).argmax(axis=1)


@pytest.fixture
def luck_and_skill(monkeypatch):
    """In place of the engine: a seat's points are the luck of the deal in that seat and the skill of who holds it."""
    calls = []

    def play_episodes(game, players, seeds, *, rules, episode, threads=1, rng=None, start=None):
        calls.append((list(players), seeds.copy()))
        luck = np.stack([np.random.default_rng(int(seed)).normal(0, 100, 3) for seed in seeds])
        skill = [{"rule": 0.0, "random": -7.0, "lowest": 5.0}[getattr(player, "name", player)] for player in players]
        points = np.round(luck) + skill
        reward = points - points.mean(axis=1, keepdims=True)
        return {
            "reward": reward,
            "points": points,
            "truncated": np.zeros(len(seeds), bool),
            "decisions": np.ones(len(seeds), np.int64),
        }

    monkeypatch.setattr(module.engine, "play_episodes", play_episodes)
    return calls


@pytest.fixture
def losing(monkeypatch):
    """A game compared by losses, and an engine without luck: of those at a table the least skilful lose."""
    skill = {"rule": 0.0, "random": -7.0, "lowest": 5.0}

    def play_episodes(game, players, seeds, **options):
        points = np.tile([skill[getattr(player, "name", player)] for player in players], (len(seeds), 1))
        reward = points - points.mean(axis=1, keepdims=True)
        played = np.full(len(seeds), 9)
        return {"reward": reward, "points": points, "truncated": seeds % 4 == 0, "decisions": played}

    monkeypatch.setattr(module.engine, "play_episodes", play_episodes)
    return dataclasses.replace(karty.GAMES["tysiac"], outcome="losses", measure="losses")


def test_interval_against_hand_figures():
    # mean 2.5, variance (2.25 + 0.25 + 0.25 + 2.25) / 3 = 5/3, half width 1.96 * sqrt(5/3 / 4) = 1.2652
    found = estimate("points", np.array([1.0, 2, 3, 4]))
    assert found.mean == 2.5
    assert found.low == pytest.approx(2.5 - 1.26515, abs=1e-4)
    assert found.high == pytest.approx(2.5 + 1.26515, abs=1e-4)
    assert found.half == pytest.approx(1.26515, abs=1e-4)


def test_interval_of_a_share_stays_between_0_and_1():
    found = estimate("wins", np.array([0.0, 0, 0, 1]), 0.0, 1.0)
    assert (found.mean, found.low) == (0.25, 0)
    # cut at 0, so the side that is left is told: sd 0.5, 1.96 * 0.5 / 2 = 0.49
    assert found.half == pytest.approx(0.48999, abs=1e-4) == found.high - found.mean


@pytest.mark.parametrize(("value", "low", "high"), [(0.0, 0.0, 0.003), (1.0, 0.997, 1.0)])
def test_a_share_of_which_nothing_was_seen_may_still_be_3_in_all_deals(value, low, high):
    found = estimate("wins", np.full(1000, value), 0.0, 1.0)
    assert (found.mean, found.low, found.high) == pytest.approx((value, low, high))
    assert found.half == pytest.approx(0.003)


def test_what_is_always_the_same_between_the_ends_is_known():
    assert estimate("wins", np.full(1000, 0.5), 0.0, 1.0).half == 0
    assert estimate("points", np.zeros(1000)).half == 0


def test_points_are_less_the_mean_of_the_others():
    assert relative(np.array([120.0, -20, 40]), ALONE) == 110
    # partners sit opposite: seat 2 has the same score and is no "other"
    assert relative(np.array([180.0, 40, 180, 40]), np.array([0, 1, 0, 1])) == 140


def test_wins_and_losses_are_shared_by_those_that_tie():
    reward = np.array([[1.0, -0.5, -0.5], [-0.5, 1, -0.5], [0.5, 0.5, -1], [0, 0, 0]])
    assert outcome_shares(reward, ALONE).tolist() == [1, 0, 0.5, 0]
    assert outcome_shares(reward, ALONE, lost=True).tolist() == [0, 0.5, 0, 0]
    teams = np.array([[1.0, -1, 1, -1], [-1, 1, -1, 1]])
    assert outcome_shares(teams, np.array([0, 1, 0, 1])).tolist() == [1, 0]


def test_agents_are_compared_by_the_measure_of_the_game(losing):
    found = evaluate(losing, ["random", "rule"], deals=8)
    assert found.measure == "losses"
    assert found.score == found.outcome == found["losses"]
    assert (found.score.mean, found.par, found.points.mean) == (1, 1 / 3, -7)
    assert found.truncated == 0.25
    assert evaluate(losing, [Lowest(), "rule"], deals=8).score.mean == 0
    assert evaluate(losing, ["random", "random", "rule"], deals=8).score.mean == 0.5
    assert evaluate(losing, ["rule", "rule"], deals=8).score.mean == 0  # nobody was worse than the others
    keys = [list(line) for line in found.to_dicts()]
    assert keys == [KEYS, KEYS]
    by_points = evaluate("tysiac", ["random", "rule"], deals=8)
    assert by_points.score == by_points.points
    assert by_points.outcome == by_points["wins"]


def test_the_same_deals_are_played_in_all_rotations(luck_and_skill):
    evaluate("tysiac", ["random", "rule"], deals=5, seed=4)
    assert [players.index("random") for players, _ in luck_and_skill] == [0, 1, 2]
    assert all(sorted(players) == ["random", "rule", "rule"] for players, _ in luck_and_skill)
    for _, seeds in luck_and_skill:
        assert seeds.tolist() == evaluation_seeds(5, 4).tolist()


def test_rotations_take_all_luck_of_the_cards_out(luck_and_skill):
    found = evaluate("tysiac", [Lowest(), "rule"], deals=50)
    # 5 points of skill against 0, whatever the cards: not near 5 but 5 in every single deal
    assert found.points.mean == pytest.approx(5, abs=1e-9)
    assert found.points.half == pytest.approx(0, abs=1e-9)
    assert found.deals == 50


def test_one_agent_a_seat_is_measured_against_the_mean_of_the_others(luck_and_skill):
    found = evaluate("tysiac", [Lowest(), "random", "rule"], deals=20)
    # 5 - (-7 + 0) / 2
    assert found.points.mean == pytest.approx(8.5)
    assert found.opponents == ("random", "rule")


def test_many_deals_are_played_in_parts_that_fit_together(luck_and_skill):
    found = evaluate("tysiac", [Lowest(), "rule"], deals=2500)
    assert found.points.mean == pytest.approx(5, abs=1e-9)
    seen = np.concatenate([seeds for players, seeds in luck_and_skill if players[0] != "rule"])
    assert seen.tolist() == evaluation_seeds(2500).tolist()


def test_equal_agents_get_exactly_nothing():
    for agents in (["rule", "rule"], [Lowest(), Lowest()]):
        found = evaluate("tysiac", agents, deals=30)
        assert (found.points.mean, found.points.low, found.points.high) == (0, 0, 0)
        assert found["wins"].mean == pytest.approx(1 / 3)


def test_in_every_game_the_rule_based_player_does_no_worse_than_random_ones(game):
    """At the smallest table: several random players of Pan among themselves come to no end."""
    two = game.rules.make(players=2) if "players" in vars(game.rules()) else game.rules()
    rule, random = (evaluate(game, [one, "random"], deals=200, rules=two) for one in ("rule", "random"))
    assert rule.score.metric == game.measure
    assert rule.truncated < 0.01
    assert rule.points.high > 0 == random.points.mean
    if game.measure == "losses":
        assert rule.score.low < rule.par
        # one of the two loses each deal, so that the share is not small because nobody does
        against = evaluate(game, ["random", "rule"], deals=200, rules=two)
        assert rule.score.mean + against.score.mean == pytest.approx(1, abs=0.02)


def test_rule_is_better_than_random():
    found = evaluate("tysiac", ["rule", "random"], deals=200)
    assert found.points.low > 50
    assert found["wins"].mean > 0.5
    assert found.agent == "rule"
    assert found.opponents == ("random", "random")


def test_the_second_of_two_agents_fills_the_other_seats():
    found = evaluate("tysiac", ["rule", "random", "random"], deals=100)
    again = evaluate("tysiac", ["rule", "random"], deals=100)
    assert found.points == again.points


def test_matches_have_one_winner():
    found = evaluate("tysiac", ["rule", "rule"], deals=5, episode="match")
    assert found["wins"].mean == pytest.approx(1 / 3)
    assert found.episode == "match"


def test_seeds_make_an_evaluation_reproducible():
    same = [evaluate("tysiac", [Sampling(), "rule"], deals=40, seed=seed) for seed in (1, 1, 2)]
    assert same[0] == same[1]
    assert same[0].points.mean != same[2].points.mean


def test_threads_change_nothing():
    one, two = (evaluate("tysiac", ["rule", "random"], deals=64, threads=threads) for threads in (1, 2))
    assert one == two


def test_threads_change_nothing_for_agents_that_draw_lots_over_many_deals():
    one, two = (karty.evaluate("tysiac_8", [Sampling(), "rule"], deals=2100, threads=threads) for threads in (1, 2))
    assert one == two


def test_evaluation_seeds_never_meet_training_seeds_or_each_other():
    ranges = []
    for split in ("dev", "test"):
        for seed in (0, 1, LARGEST_SEED):
            seeds = evaluation_seeds(100, seed, split)
            assert seeds.dtype == np.int64
            # training seeds are below 2**62
            assert seeds.min() >= 2**62
            ranges.append((int(seeds[0]), int(seeds[0]) + MOST_DEALS))
    ranges.sort()
    assert all(end <= start for (_, end), (start, _) in pairwise(ranges))
    assert ranges[-1][1] <= 2**63


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"deals": 1}, "deals must be a whole number from 2"),
        ({"deals": 2.5}, "deals must be"),
        ({"seed": -1}, "seed of an evaluation must be"),
        ({"seed": 2**40}, "seed of an evaluation must be"),
        ({"episode": "hand"}, "episode must be deal or match, not 'hand'"),
        ({"split": "train"}, "split must be dev or test"),
        ({"agents": ["rule"]}, "3 seats: give 3 agents or 2"),
        ({"agents": ["rule"] * 4}, "3 seats: give 3 agents or 2"),
        ({"rules": {"bid_step": "tenn"}}, "bid_step"),
    ],
)
def test_wrong_arguments_are_named(options, said):
    options = {"agents": ["rule", "random"], **options}
    with pytest.raises(ValueError, match=said):
        karty.evaluate("tysiac", options.pop("agents"), **options)


def test_two_agents_take_a_team_each():
    class Teams:
        seats = 4
        teams = (0, 1, 0, 1)

    a, b = Lowest(), Highest()
    assert seat_agents(karty.GAMES["tysiac"], Teams(), [a, b]) == [a, b, a, b]
    with pytest.raises(ValueError, match="one a team"):
        seat_agents(karty.GAMES["tysiac"], Teams(), [a, b, a])


def test_an_illegal_answer_is_named():
    class Cheat(Lowest):
        name = "cheat"

        def act(self, observation, mask, rng):
            return np.zeros(len(mask), np.int64) + mask.shape[1] - 1

    with pytest.raises(ValueError, match=r"agent cheat: action 124 .*not legal"):
        evaluate("tysiac", [Cheat(), "rule"], deals=4)


def test_json_lines_have_the_keys():
    found = karty.evaluate("tysiac", ["rule", "random"], deals=4)
    lines = json.loads(json.dumps(found.to_dicts()))
    assert [list(line) for line in lines] == [KEYS, KEYS]
    assert [line["metric"] for line in lines] == ["points", "wins"]
    assert lines[0]["opponents"] == ["random", "random"]
    assert lines[0]["rules"] == karty.GAMES["tysiac"].rules().to_dict()


def test_arena_plays_every_ordered_pair_and_rates():
    found = arena("tysiac", ["random", "rule", Highest()], deals=60)
    assert found.agents == ("random", "rule", "highest")
    assert list(found.pairs) == [(a, b) for a in found.agents for b in found.agents if a != b]
    assert found.pairs["rule", "random"].points == evaluate("tysiac", ["rule", "random"], deals=60).points
    assert found.ratings[0].agent == "rule"
    assert sum(row.mean for row in found.ratings) == pytest.approx(0, abs=1e-6)
    assert all(row.low < row.mean < row.high for row in found.ratings)
    lines = json.loads(json.dumps(found.to_dicts()))
    assert all(list(line) == KEYS for line in lines)
    assert [line["metric"] for line in lines] == ["points", "wins"] * 6 + ["rating"] * 3 + ["ms"] * 3 + ["cyclic_share"]
    assert lines[12]["opponents"] == ["random", "highest"]


def test_arena_ratings_of_a_known_game(luck_and_skill):
    # Here luck is large and the same for all: lowest (+5) ranks before rule (0), rule before random (-7).
    found = arena("tysiac", [Lowest(), "rule", "random"], deals=400)
    assert [row.agent for row in found.ratings] == ["lowest", "rule", "random"]
    assert found.pairs["rule", "random"].points.mean == pytest.approx(7)


def test_an_arena_of_a_game_of_losses_has_shares_and_the_one_that_loses_least_rates_best(losing):
    found = arena(losing, ["random", Lowest(), "rule"], deals=8)
    assert [row.agent for row in found.ratings] == ["lowest", "rule", "random"]
    score = {pair: result.score for pair, result in found.pairs.items()}
    assert {each.metric for each in score.values()} == {"losses"}
    assert [score["random", "rule"].mean, score["rule", "random"].mean, score["rule", "lowest"].mean] == [1, 0, 1]


def test_arena_tells_agents_of_one_name_apart():
    found = arena("tysiac", [Lowest(), Lowest()], deals=4)
    assert found.agents == ("lowest", "lowest (2)")
    assert found.pairs["lowest", "lowest (2)"].opponents == ("lowest (2)", "lowest (2)")


@pytest.mark.parametrize(
    ("agents", "said"), [(["rule"], "two agents or more"), (["rule", "rule"], "named twice: rule")]
)
def test_arena_needs_different_agents(agents, said):
    with pytest.raises(ValueError, match=said):
        arena("tysiac", agents, deals=4)
