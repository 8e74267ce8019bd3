"""The page that lists the games."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import karty
from karty.envs.game import Game

from . import facts
from .game_page import seats
from .markdown import code, table


def pages() -> Iterator[tuple[str, str]]:
    """The list of games and mini games."""
    names = "\n".join([*karty.GAMES, *karty.MINIS])
    yield (
        "generated/games/index",
        "# Games\n\nEach game at its default table. *Legal* actions in a decision and the decisions of a deal are "
        f"means over random play.\n\n{_list(karty.GAMES.values())}\n"
        "## Mini games\n\nCut down until their whole tree can be gone through: here it is known exactly "
        f"[how exploitable an agent is](../../exploitability.md).\n\n{_list(karty.MINIS.values())}\n"
        f"```{{toctree}}\n:hidden:\n\n{names}\n```\n",
    )


def _list(games: Iterable[Game]) -> str:
    rows = []
    for game in games:
        shape, found = game.shape(), facts.stored().get(game.name, {}).get("players", {}).get("random")
        rows.append(
            {
                "game": f"[{game.title}]({game.name}.md)",
                "name": code(game.name),
                "seats": seats(game),
                "actions": shape.size,
                "features": shape.features,
                "legal": f"{found['legal actions']['mean']:.1f}" if found else "",
                "decisions a deal": f"{found['decisions a deal']['mean']:.0f}" if found else "",
            }
        )
    return table(list(rows[0]), rows, right=list(rows[0])[2:])
