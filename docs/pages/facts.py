"""What was measured of a game (docs/measured.json, by docs/measure.py), as a section of its page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from karty.envs.game import Game
from karty.training.bench import MODES

from .markdown import code, table

STORED = Path(__file__).resolve().parents[1] / "measured.json"

_LENGTHS = ("decisions a deal", "deals a match", "decisions a match")
Facts = dict[str, Any]


@cache
def stored() -> dict[str, Facts]:
    """All that was measured, by game."""
    found: dict[str, Facts] = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    return found


def section(game: Game) -> str:
    """The section; one sentence for a game that has not been measured yet."""
    return "\n".join(_parts(game, stored().get(game.name)))


def _parts(game: Game, facts: Facts | None) -> Iterator[str]:
    yield "## Measured\n"
    if facts is None:
        yield f"Nothing yet: `python docs/measure.py --games {game.name}` measures it.\n"
        return
    yield (
        f"With the default options and the same player in every seat, on {facts['deals']:,} test deals and "
        f"{facts['matches']:,} matches of seed {facts['seed']}; mean ± 95 %.\n"
    )
    yield "### Returns by seat\n"
    yield from _returns(facts)
    yield "### Lengths and choices\n"
    yield from _lengths(facts)
    yield "### Speed\n"
    yield from _speed(facts)
    told = ", ".join(f"{package} {number}" for package, number in facts["versions"].items() if number)
    yield f"Measured by `{facts['command']}` on {facts['machine']} with {told}.\n"


def _returns(facts: Facts) -> Iterator[str]:
    seats = range(len(next(iter(facts["players"].values()))["reward by seat"]))
    origin = facts["seats counted from"]
    yield f"A deal's reward, and its points; seats are counted clockwise from {origin}, which is seat 0 here.\n"
    rows = []
    for player, found in facts["players"].items():
        for what in ("reward", "points"):
            values = found[f"{what} by seat"]
            rows.append({"all seats": code(player), "": what, **{f"seat {i}": plus_minus(values[i], 2) for i in seats}})
    columns = [f"seat {i}" for i in seats]
    yield table(["all seats", "", *columns], rows, right=columns)


def _lengths(facts: Facts) -> Iterator[str]:
    rows = []
    for player, found in facts["players"].items():
        actions = found["legal actions"]
        row = {"all seats": code(player), "legal actions": f"{actions['mean']:.2f}", "most": actions["most"]}
        row["forced"] = f"{100 * found['forced decisions']:.1f} %"
        several = found["deals a match"]["most"] > 1
        for key in _LENGTHS if several else _LENGTHS[:1]:
            row[key] = f"{plus_minus(found[key], 1)}, at most {found[key]['most']:,}"
        what = "matches" if several else "deals"
        row[f"{what} cut off"] = f"{100 * found[f'{what} cut off']:.1f} %"
        rows.append(row)
    yield table(list(rows[0]), rows, right=list(rows[0])[1:])
    yield (
        "`legal actions` is the mean number of them in a decision of a deal (the branching factor), `most` the largest "
        "seen; `forced` is the share of decisions with a single one. Caps cut off what goes on for too long.\n"
    )


def _speed(facts: Facts) -> Iterator[str]:
    rows = [
        {
            "mode": code(speed["mode"]),
            "what it does": MODES[speed["mode"]],
            "tables": f"{speed['n']:,}",
            "decisions a CPU second": f"{speed['decisions_per_cpu_s']:,}",
        }
        for speed in facts["speed"]
    ]
    yield table(list(rows[0]), rows, right=["tables", "decisions a CPU second"])
    yield f"The best of five runs (`karty bench`), {facts['seconds a mode']:g} s for each mode, on one core.\n"


def plus_minus(found: Facts, digits: int) -> str:
    """A mean with half the width of its interval, a true minus before negative numbers."""
    half = (found["high"] - found["low"]) / 2
    return f"{found['mean']:,.{digits}f} ± {half:,.{digits}f}".replace("-", "−")
