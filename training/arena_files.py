"""The files of an arena: everything as JSON, the payoffs and the ratings as tables, the payoffs as a picture."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from karty.envs.games import find_game
from karty.training.figure import need_matplotlib, save
from karty.training.out_folder import check_free
from karty.training.versions import versions

if TYPE_CHECKING:
    from karty.training.arena import Arena


def check_out(folder: str | os.PathLike[str]) -> None:
    """Before an arena is played: ValueError if this folder cannot take its files, ImportError without matplotlib."""
    check_free(Path(folder))
    need_matplotlib()


def told(arena: Arena) -> dict[str, Any]:
    """All that an arena found, as JSON knows it.

    Shares are 0 … 1. A pair has its metrics by name, each with mean, low and high; `ms` are CPU milliseconds a
    decision, `compiled` those of the whole play, an upper bound.
    """
    its = arena.setting
    return {
        "game": its.game,
        "version": find_game(its.game).version,
        "rules": its.rules,
        "episode": its.episode,
        "split": its.split,
        "seed": its.seed,
        "deals": its.deals,
        "measure": its.measure,
        "par": its.par,
        "agents": list(arena.agents),
        "pairs": [
            {
                "agent": a,
                "opponent": b,
                "opponents": list(pair.opponents),
                "truncated": pair.truncated,
                **{row.metric: {"mean": row.mean, "low": row.low, "high": row.high} for row in pair.estimates},
            }
            for (a, b), pair in arena.pairs.items()
        ],
        "ratings": [{"agent": row.agent, "mean": row.mean, "low": row.low, "high": row.high} for row in arena.ratings],
        "cyclic_share": arena.cyclic.to_dict(),
        "times": [
            {"agent": row.agent, "ms": row.ms, "decisions": row.decisions, "compiled": row.compiled}
            for row in arena.times
        ],
        "versions": versions(),
    }


def write(arena: Arena, folder: str | os.PathLike[str]) -> None:
    """Write the four files into a folder that is new or empty; errors as those of `check_out`."""
    check_out(folder)
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    (place / "arena.json").write_text(json.dumps(told(arena), indent=2) + "\n", encoding="utf-8")
    pairs = (
        (a, b, row.metric, row.mean, row.low, row.high)
        for (a, b), pair in arena.pairs.items()
        for row in pair.estimates
    )
    _write_csv(place / "payoffs.csv", ("agent", "opponent", "metric", "mean", "low", "high"), pairs)
    ratings = ((row.agent, row.mean, row.low, row.high, arena.time(row.agent).ms) for row in arena.ratings)
    _write_csv(place / "ratings.csv", ("agent", "rating", "low", "high", "ms"), ratings)
    save(arena.picture(), place / "payoffs.svg")


def _write_csv(path: Path, names: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(names)
        table.writerows(rows)
