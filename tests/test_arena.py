"""What an arena gives away: files, picture, time a decision, cycles, and a stranger among the agents."""

import csv
import dataclasses
import json
import re
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import karty
from karty.training import arena as module_of_arena
from karty.training import evaluate as module
from karty.training.arena_files import told
from karty.training.cycles import cyclic_share
from karty.training.move_time import TimedAgent
from karty.training.versions import versions


class Slow:
    """Plays the first legal action after half a millisecond of work a row."""

    name = "slow"

    def act(self, observation, mask, rng):
        end = time.process_time() + 0.0005 * len(mask)
        while time.process_time() < end:
            pass
        return mask.argmax(axis=1)


@pytest.fixture(scope="module")
def found():
    return karty.arena("tysiac", ["random", "rule", Slow()], deals=6, seed=2, split="dev")


def test_the_files_tell_what_was_found(found, tmp_path):
    found.write(tmp_path / "new" / "folder")
    place = tmp_path / "new" / "folder"
    assert sorted(path.name for path in place.iterdir()) == ["arena.json", "payoffs.csv", "payoffs.svg", "ratings.csv"]
    all_of_it = json.loads((place / "arena.json").read_text())
    assert all_of_it == json.loads(json.dumps(told(found)))
    assert all_of_it["agents"] == ["random", "rule", "slow"]
    same = {"game": "tysiac", "episode": "deal", "split": "dev", "seed": 2, "deals": 6, "measure": "points"}
    assert {key: all_of_it[key] for key in same} == same
    assert all_of_it["versions"]["karty"] == karty.__version__
    rows = list(csv.DictReader((place / "payoffs.csv").read_text().splitlines()))
    assert len(rows) == 3 * 2 * 2
    first = found.pairs["random", "rule"].points
    assert (rows[0]["agent"], rows[0]["opponent"], rows[0]["metric"]) == ("random", "rule", "points")
    assert [float(rows[0][key]) for key in ("mean", "low", "high")] == [first.mean, first.low, first.high]
    ratings = list(csv.DictReader((place / "ratings.csv").read_text().splitlines()))
    assert [row["agent"] for row in ratings] == [row.agent for row in found.ratings]
    assert float(ratings[0]["rating"]) == found.ratings[0].mean
    assert (place / "payoffs.svg").read_text().startswith("<?xml")


def test_a_folder_that_holds_something_is_left_alone(found, tmp_path):
    (tmp_path / "payoffs.csv").write_text("mine")
    with pytest.raises(ValueError, match="exists and is not empty; choose another folder"):
        found.write(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["payoffs.csv"]


def test_the_same_arena_has_the_same_picture(found, tmp_path):
    for name in ("a", "b"):
        found.write(tmp_path / name)
    assert (tmp_path / "a" / "payoffs.svg").read_bytes() == (tmp_path / "b" / "payoffs.svg").read_bytes()


def words(figure):
    return {text.get_text() for text in figure.axes[0].texts}


def test_the_picture_has_every_payoff_with_its_interval(found):
    figure = found.picture()
    said = words(figure)
    for pair in found.pairs.values():
        digits = 1 if abs(pair.points.mean) >= 100 else 2
        assert f"{pair.points.mean:+.{digits}f}".replace("-", "−") in said
        assert f"± {pair.points.half:.{digits}f}" in said
    names = [row.agent for row in found.ratings]
    assert [label.get_text() for label in figure.axes[0].get_yticklabels()] == names
    # white, the middle of the colours, is 0
    assert figure.axes[0].images[0].norm(0) == pytest.approx(0.5)


def test_the_picture_of_a_game_of_losses_is_in_per_cent_about_par(found):
    """The better row is blue: fewer losses."""
    pairs = {
        pair: dataclasses.replace(
            each,
            measure="losses",
            estimates=(each.points, dataclasses.replace(each.outcome, metric="losses", mean=0.1, low=0.05, high=0.15)),
        )
        for pair, each in found.pairs.items()
    }
    figure = dataclasses.replace(found, pairs=pairs).picture()
    assert {"10.0", "± 5.0"} <= words(figure)
    image = figure.axes[0].images[0]
    assert image.norm(100 / 3) == pytest.approx(0.5)
    red, _, blue, _ = image.cmap(image.norm(10.0))
    assert blue > red
    assert "par 33.3" in figure.axes[0].get_title(loc="left")


def test_an_agent_is_timed_where_it_is_asked(found):
    slow, rule = found.time("slow"), found.time("rule")
    assert 0.45 < slow.ms < 1.5
    assert not slow.compiled
    assert slow.decisions > 100
    assert rule.compiled
    assert 0 < rule.ms < 0.1
    assert rule.decisions > 6 * 20


def test_the_first_call_counts_only_if_it_is_the_only_one():
    class Warming(Slow):
        calls = 0

        def act(self, observation, mask, rng):
            self.calls += 1
            end = time.process_time() + (0.2 if self.calls == 1 else 0)
            while time.process_time() < end:
                pass
            return mask.argmax(axis=1)

    agent = TimedAgent(Warming())
    agent.act(None, np.ones((4, 2), np.int8), None)
    only = agent.time("x")
    assert (only.decisions, only.compiled) == (4, False)
    assert only.ms == pytest.approx(50, rel=0.2)
    agent.act(None, np.ones((3, 2), np.int8), None)
    assert agent.time("x").decisions == 3
    assert agent.time("x").ms < 10


def test_timing_changes_nothing(found):
    again = karty.arena("tysiac", ["random", "rule", Slow()], deals=6, seed=2, split="dev")
    assert again.pairs == found.pairs
    assert (
        found.pairs["slow", "rule"].points
        == karty.evaluate("tysiac", [Slow(), "rule"], deals=6, seed=2, split="dev").points
    )


def test_the_splits_have_other_deals():
    pairs = [karty.arena("tysiac", ["random", "rule"], deals=6, split=split).pairs for split in ("test", "dev")]
    assert pairs[0]["random", "rule"].points != pairs[1]["random", "rule"].points


@pytest.mark.parametrize(
    ("measure", "episode", "sign"),
    [("points", "deal", 1), ("losses", "deal", -1), ("points", "match", 1), ("losses", "match", -1)],
)
def test_cycles_are_those_of_the_payoffs_by_deal_and_fewer_losses_are_better(monkeypatch, measure, episode, sign):
    """Three agents that beat each other in a circle: each seat gains from the seats of the one that it beats."""
    beats = {"a": "b", "b": "c", "c": "a"}

    class Named:
        def __init__(self, name):
            self.name = name

        def act(self, observation, mask, rng):
            raise AssertionError("the engine is not the real one")

    def play_episodes(game, players, seeds, **options):
        names = [player.name for player in players]
        gain = [sum((beats[me] == you) - (beats[you] == me) for you in names) for me in names]
        points = np.tile(np.array(gain, float), (len(seeds), 1))
        return {"reward": points, "points": points, "truncated": np.zeros(len(seeds), bool)}

    monkeypatch.setattr(module.engine, "play_episodes", play_episodes)
    outcome = "losses" if measure == "losses" else "wins"
    game = dataclasses.replace(karty.GAMES["tysiac"], outcome=outcome, measure=measure)
    found = karty.arena(game, [Named(name) for name in "abc"], deals=4, episode=episode)
    assert found.setting.score.metric == (outcome if episode == "match" else measure)
    assert found.cyclic.mean == pytest.approx(1)
    assert found.cyclic.largest.agents == ("a", "b", "c")
    assert found.cyclic.largest.is_circle
    one = found.pairs["a", "b"].score.mean
    other = found.pairs["b", "a"].score.mean
    matrix = np.zeros((4, 3, 3))
    for x, y in ((0, 1), (1, 2), (2, 0)):
        matrix[:, x, y], matrix[:, y, x] = sign * one, sign * other
    assert found.cyclic == cyclic_share(list("abc"), matrix)


def test_names_are_told_apart_from_those_that_look_told_apart():
    names = [SimpleNamespace(name=name) for name in ("ppo (2)", "ppo", "ppo", "ppo")]
    assert module_of_arena._names(names) == ["ppo (2)", "ppo", "ppo (3)", "ppo (4)"]


def test_a_picture_of_matches_is_of_the_share_won():
    found = karty.arena("tysiac", ["random", "rule"], deals=2, episode="match")
    assert found.pairs["rule", "random"].score == found.pairs["rule", "random"].outcome
    axes = found.picture().axes[0]
    assert axes.get_title(loc="left") == "Tysiąc: % of matches won (par 33.3)"
    assert axes.images[0].get_cmap().name == "RdBu"


def test_a_stranger_enters_in_five_lines():
    class Stranger:
        def act(self, observation, mask, rng):
            return mask.argmax(axis=1)

    found = karty.arena("tysiac", ["rule", Stranger()], deals=4)
    assert found.agents == ("rule", "Stranger")


def test_the_example_of_the_documentation_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (Path(__file__).resolve().parents[1] / "docs" / "evaluation.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"^```python\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    exec(compile(example, "evaluation.md", "exec"), {"__name__": "__main__"})
    assert (tmp_path / "results" / "cautious" / "arena.json").is_file()


def test_json_lines_of_an_arena_end_with_ratings_times_and_the_cyclic_share(found):
    lines = json.loads(json.dumps(found.to_dicts()))
    assert [line["metric"] for line in lines] == ["points", "wins"] * 6 + ["rating"] * 3 + ["ms"] * 3 + ["cyclic_share"]
    assert len({tuple(line) for line in lines}) == 1
    assert {line["split"] for line in lines} == {"dev"}
    assert lines[-2]["agent"] == "slow"
    assert (lines[-2]["low"], lines[-1]["agent"], lines[-1]["opponents"]) == (None, None, ["random", "rule", "slow"])


def test_without_matplotlib_it_is_said_what_to_install(found, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ImportError, match=r'need matplotlib: pip install "karty\[render\]"'):
        found.write(tmp_path / "x")
    assert not (tmp_path / "x").exists()


def test_versions_of_what_is_not_installed_are_null(monkeypatch):
    assert set(versions()) == {"python", "karty", "numpy", "numba", "torch"}
    monkeypatch.setattr("karty.training.versions.PACKAGES", ("no-such-package",))
    assert versions()["no-such-package"] is None
