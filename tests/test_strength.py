"""The strength table: the README's is what the stored results give."""

import importlib.util
import json
import shlex
from pathlib import Path

import pytest

import karty
from karty.agents import opponents

TOP = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def strength():
    spec = importlib.util.spec_from_file_location("strength", TOP / "benchmarks" / "strength.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_table_of_the_readme_is_that_of_the_stored_results(strength):
    text = (TOP / "README.md").read_text(encoding="utf-8")
    assert strength.with_table(text, strength.table(strength.read(strength.STORED))) == text


def test_the_stored_results_are_against_the_pools_of_today(strength):
    stored = strength.read(strength.STORED)
    assert {row["game"] for row in stored} == set(karty.GAMES)
    for row in stored:
        assert row["pool"] == list(opponents.POOL[row["game"]])
    for name in karty.GAMES:
        assert {row["agent"] for row in stored if row["game"] == name} == set(strength.AGENTS)


def row(game, episode, agent, goal, mean, normalised=None, pool=("random", "rule")):
    scale = None if normalised is None else {"mean": normalised, "low": normalised - 0.03, "high": normalised + 0.03}
    return {
        "game": game,
        "episode": episode,
        "agent": agent,
        "pool": list(pool),
        "deals": 2048,
        "truncated": 0.0,
        "goal": goal,
        goal: {"mean": mean, "low": mean - 0.011, "high": mean + 0.011},
        "normalised": scale,
    }


def test_a_table_by_hand(strength):
    rows = [
        row("pan", "deal", "ppo", "losses", 0.031, 1.5),
        row("tysiac", "match", "rule", "wins", 0.4),
        row("tysiac", "deal", "rule", "points", 20.5),
        row("tysiac", "deal", "ppo", "points", 26.25, 1.1),
        row("tysiac", "deal", "random", "points", -99.0),
    ]
    lines = strength.table(rows).splitlines()
    assert lines[:5] == [
        "| one seat against each of the pool, mean | `random` | `rule` | `ppo` |",
        "|---|---|---|---|",
        "| Tysiąc, points a deal | −99.00 ± 0.01 | +20.50 ± 0.01 | +26.25 ± 0.01 (1.10) |",
        "| Tysiąc, matches won |  | 40.0 ± 1.1 % |  |",
        "| Pan, deals lost |  |  | 3.1 ± 1.1 % (1.50) |",
    ]
    # halves 0.03 and 0.03: sqrt(2 · 0.0009) / 2
    assert lines[6].strip() == "Normalised score of `ppo`, mean of 2 games in deals: 1.30 ± 0.02."
    assert "test list of seed 1, 2,048 deals or matches" in lines[8]
    assert "Pools: Tysiąc: random, rule; Pan: random, rule." in lines[8]
    assert strength.table([]) == ""


def test_rows_against_different_pools_make_no_table(strength):
    rows = [row("pan", "deal", name, "losses", 0.1, pool=(name,)) for name in ("rule", "random")]
    with pytest.raises(ValueError, match="rows of pan are against different pools"):
        strength.table(rows)


def test_the_table_stands_between_its_markers(strength):
    text = f"above\n{strength.BEGIN}old\n{strength.END}below\n"
    assert strength.with_table(text, "new\n") == f"above\n{strength.BEGIN}new\n{strength.END}below\n"
    with pytest.raises(ValueError, match=r"README.md needs the lines <!-- made by"):
        strength.with_table("nothing", "new\n")


def test_what_is_played_is_stored_with_a_command_that_gives_it_again(strength, tmp_path, monkeypatch, capsys):
    from karty.training import cli

    monkeypatch.setitem(opponents.POOL, "tysiac", ("random", "rule-bold"))
    out = tmp_path / "results" / "x.json"
    words = ["strength.py", "play", "--games", "tysiac", "--agents", "rule", "--deals", "20", "--matches", "2"]
    monkeypatch.setattr("sys.argv", [*words, "--out", str(out)])
    strength.main()
    rows = json.loads(out.read_text())
    assert [(row["episode"], row["deals"]) for row in rows] == [("deal", 20), ("match", 2)]
    assert [row["goal"] for row in rows] == ["points", "wins"]
    assert rows[0]["versions"]["karty"] == karty.__version__
    capsys.readouterr()
    for stored in rows:
        assert cli.main([*shlex.split(stored["command"])[1:], "--json"]) == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        again = next(line for line in lines[-2:] if line["metric"] == stored["goal"])
        assert {key: again[key] for key in ("mean", "low", "high")} == stored[stored["goal"]]
    # played anew, a row takes the place of the old one
    monkeypatch.setattr("sys.argv", [*words[:6], "rule", "--deals", "30", "--matches", "0", "--out", str(out)])
    strength.main()
    assert [row["deals"] for row in json.loads(out.read_text())] == [30, 2]


def test_half_widths_are_as_wide_as_they_should_be(strength, game):
    for episode in strength.episodes(game):
        wanted = {"tysiac": 1, "piquet": 0.3, "petukh": 0.05}.get(game.name, 0.01) if episode == "deal" else 0.01
        assert strength.goal(game, episode) == wanted
