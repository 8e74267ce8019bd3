"""Playing until an interval is narrow enough: when it is looked at, and that the intervals still hold."""

import dataclasses
import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from karty.envs.games import GAMES
from karty.training import evaluate as module
from karty.training.estimates import estimate
from karty.training.evaluate import evaluate
from karty.training.stopping import looks, play_until

FILE = Path(__file__).resolve().parents[1] / "benchmarks" / "stopping.py"


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("stopping_benchmark", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["stopping_benchmark"] = module  # where its dataclass looks
    spec.loader.exec_module(module)
    return module


def test_the_looks_come_after_1024_deals_and_whenever_they_have_grown_by_a_quarter():
    # 1.25 · 1 = 1.25 → 2, then 3, 4, 5 · 1.25 = 6.25 → 7, 8.75 → 9, 11.25 → 12
    assert list(looks(12_000)) == [1024, 2048, 3072, 4096, 5120, 7168, 9216, 12000]
    assert list(looks(1024)) == [1024]
    assert list(looks(1025)) == [1024, 1025]
    assert list(looks(300)) == [300]


def played_until(halves, most, until):
    """What is played when the half-widths found are these: the parts, and whether the goal was reached."""
    parts = []

    def play(start, stop, expected):
        parts.append((start, stop))
        assert expected >= stop
        return halves[len(parts) - 1]

    return parts, play_until(play, most, until)


def test_the_first_width_that_is_narrow_enough_ends_the_play():
    parts, reached = played_until([3.0, 1.0, 0.5], 10_000, 1.0)
    assert parts == [(0, 1024), (1024, 2048)]
    assert reached is True


def test_the_most_deals_end_it_too_and_say_so():
    parts, reached = played_until([3.0, 2.5, 2.0], 2500, 1.0)
    assert parts == [(0, 1024), (1024, 2048), (2048, 2500)]
    assert reached is False
    assert played_until([3.0], 100, 1.0) == ([(0, 100)], False)


def test_without_a_goal_all_deals_are_played_at_once():
    assert played_until([9.0], 4000, None) == ([(0, 4000)], None)


@pytest.mark.parametrize("kind", ["points", "points with a long tail", "lost 33 %", "lost 3 %"])
def test_the_interval_holds_as_often_as_it_should_although_it_was_looked_at(benchmark, kind):
    """Of 1,500 evaluations of a known mean about 95 % hold it, of rare losses 94 %; a standard error is 0.6 %."""
    held, deals = benchmark.coverage(benchmark.KINDS[kind], repetitions=1500, seed=1)
    assert held == pytest.approx(0.95, abs=0.02)
    assert deals > 2000  # looked at more than once


@pytest.fixture
def noisy(monkeypatch):
    """In place of the engine: what seat 0 gains is normal with mean 5 and deviation 60, whoever sits there."""
    calls = []

    def play_episodes(game, players, seeds, **options):
        calls.append(len(seeds))
        gain = np.array([np.random.default_rng(int(seed)).normal(5, 60) for seed in seeds])
        points = np.stack([gain, -gain / 2, -gain / 2], axis=1) * (1 if players[0] == "random" else 0)
        return {"reward": points, "points": points, "truncated": np.zeros(len(seeds), bool)}

    monkeypatch.setattr(module.engine, "play_episodes", play_episodes)
    return calls


def test_an_evaluation_stops_at_the_width_and_is_that_of_as_many_deals(noisy):
    # One of three rotations gains 1.5 times the normal: the mean of the three has the deviation 60 / 2, and 1.96 · 30 /
    # sqrt(n) is 1.299 for 2,048 deals and 1.061 for 3,072.
    found = evaluate("tysiac", ["random", "rule"], until=1.1)
    assert (found.deals, found.reached, found.until) == (3072, True, 1.1)
    assert found.points.half <= 1.1
    assert found.points == evaluate("tysiac", ["random", "rule"], deals=3072).points
    line = found.to_dict("points")
    assert (line["until"], line["reached"], line["deals"]) == (1.1, True, 3072)
    assert found.to_dict("wins")["until"] is None


def test_an_evaluation_that_cannot_reach_it_says_so(noisy):
    found = evaluate("tysiac", ["random", "rule"], until=0.1, deals=2000)
    assert (found.deals, found.reached) == (2000, False)
    assert evaluate("tysiac", ["random", "rule"], deals=50).reached is None


def test_where_nothing_was_lost_yet_more_deals_are_played(monkeypatch):
    """A share of exactly 0 has no width at all, yet says little about 1 in 1,000: 3 / 0.001 are 3,000 deals."""

    def play_episodes(game, players, seeds, **options):
        zero = np.zeros((len(seeds), 3))
        return {"reward": zero, "points": zero, "truncated": np.zeros(len(seeds), bool)}

    monkeypatch.setattr(module.engine, "play_episodes", play_episodes)
    game = dataclasses.replace(GAMES["tysiac"], outcome="losses", measure="losses")
    found = evaluate(game, ["random", "rule"], until=0.001)
    assert (found.deals, found.reached, found.score.mean) == (3072, True, 0)
    assert evaluate(game, ["random", "rule"], until=0.001, deals=2900).reached is False
    assert evaluate("tysiac", ["random", "rule"], until=0.001).deals == 1024  # points that never differ are known


def test_progress_never_goes_beyond_its_end(noisy):
    told = []
    evaluate("tysiac", ["random", "rule"], until=1.1, progress=lambda done, whole: told.append((done, whole)))
    assert all(done <= whole for done, whole in told)
    assert told[-1] == (3 * 3072, 3 * 3072)


@pytest.mark.parametrize("until", [0, -1, float("nan"), float("inf"), "1", True])
def test_a_width_that_cannot_be_reached_is_refused(until):
    with pytest.raises(ValueError, match="until must be a half-width above 0, not"):
        evaluate("tysiac", ["random", "rule"], until=until)


def test_widths_of_matches_are_of_the_share_won():
    found = evaluate("tysiac", ["rule", "random"], deals=8, episode="match", until=0.5)
    assert found.score == found.outcome
    assert found.to_dict("wins")["reached"] is True
    assert estimate("x", np.array([1.0, 2.0])).half > 0
