"""The page that lists the games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import karty
from karty.envs.game import Game

from . import facts
from .game_page import seats, span
from .markdown import code, table


def pages() -> Iterator[tuple[str, str]]:
    """The list of games, and of mini games if the package has them."""
    minis = getattr(karty, "MINIS", {}).values()
    text = (
        "# Games\n\nWhat the engine knows of each game at its default table. Actions that are legal and decisions are "
        "means over deals of random play.\n\n" + _list(karty.GAMES.values())
    )
    if minis:
        text += "\n## Mini games\n\nCut down until their whole tree can be gone through.\n\n" + _list(minis)
    names = "\n".join([*karty.GAMES, *(game.name for game in minis)])
    yield "generated/games/index", f"{text}\n```{{toctree}}\n:hidden:\n\n{names}\n```\n"


def _list(games: Iterable[Game]) -> str:
    rows = []
    for game in games:
        shape, found = game.shape(), facts.stored().get(game.name, {}).get("players", {}).get("random")
        rows.append(
            {
                "game": f"[{game.title}]({game.name}.md)",
                "name": code(game.name),
                "seats": span(seats(game)),
                "actions": shape.size,
                "features": shape.features,
                "legal": f"{found['legal actions']['mean']:.1f}" if found else "",
                "decisions a deal": f"{found['decisions a deal']['mean']:.0f}" if found else "",
            }
        )
    return table(list(rows[0]), rows, right=list(rows[0])[2:])
