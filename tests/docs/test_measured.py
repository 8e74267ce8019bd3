"""What the documentation tells as measured is of this version of the games."""

import json
import re
import sys

import measure
from pages import facts

import karty
from karty.training.splits import evaluation_seeds


def test_the_stored_measurements_are_of_this_version(game):
    stored = measure.read()[game.name]
    assert (stored["version"], stored["layout"], stored["rules"]) == (
        game.version,
        game.shape().digest,
        game.rules().to_dict(),
    ), f"measure again: python docs/measure.py --games {game.name}"
    assert {"python", "karty", "numpy", "numba"} <= set(stored["versions"])


def test_the_stored_measurements_come_again(game):
    """The first deals of the list, played anew: whoever changes rules or players measures again."""
    for player, found in measure.read()[game.name]["players"].items():
        first = found["first deals"]
        again = measure.play(game, player, "deal", evaluation_seeds(first["deals"], measure.SEED))
        assert measure.totals(again, first["deals"]) == first, f"python docs/measure.py --games {game.name}"


def test_measured_facts_by_hand(monkeypatch):
    number = {"mean": -1234.5, "low": -1236.5, "high": -1232.5}
    assert facts.plus_minus(number, 1) == "−1,234.5 ± 2.0"
    monkeypatch.setattr(facts, "stored", dict)
    assert "docs/measure.py --games pan" in facts.section(karty.GAMES["pan"])


def test_measuring_stores_what_a_page_needs(tmp_path, monkeypatch):
    monkeypatch.setattr(measure, "STORED", tmp_path / "measured.json")
    words = "--games pan_12 --deals 20 --matches 4 --seconds 0.01"
    monkeypatch.setattr(sys, "argv", ["measure.py", *words.split()])
    measure.main()
    stored = json.loads((tmp_path / "measured.json").read_text(encoding="utf-8"))
    monkeypatch.setattr(facts, "stored", lambda: stored)
    text = facts.section(karty.MINIS["pan_12"])
    assert "on 20 test deals and 4 matches" in text
    assert re.search(r"^\| `random` \| reward \| −?\d\.\d\d ± \d\.\d\d \|", text, flags=re.MULTILINE)
