"""The agents that come with the package: a section of each game's page, and the networks' cards as pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import karty
from karty.agents.agent import OF_SEATS, WEIGHTS, agent_names
from karty.agents.opponents import POOL
from karty.envs.engine import players
from karty.envs.game import Game

from .links import turned
from .markdown import code, table
from .places import card_document, game_document, to
from .repository import readme_section

_MADE_BY = re.compile(r"^- made by (.*)$", flags=re.MULTILINE)
_BUILT_IN = {
    "random": "any legal action, each as likely",
    "rule": "plays as a careful person would",
    "rule-timid": "`rule` with more caution",
    "rule-bold": "`rule` with less caution",
    "biased": "draws from a fan as people do",
}


def pages() -> Iterator[tuple[str, str]]:
    """The list of all agents, and every card."""
    cards = [(game, card) for game in karty.GAMES.values() for card in cards_of(game)]
    rows = [
        {
            "card": f"[{code(card.stem)}]({game.name}-{card.stem}.md)",
            "game": f"[{game.title}]({to(game_document(game.name), 'generated/agents/index')})",
            "made by": _made_by(card),
        }
        for game, card in cards
    ]
    names = "\n".join(f"{game.name}-{card.stem}" for game, card in cards)
    about, listed = readme_section("Players", "generated/agents/index"), table(["card", "game", "made by"], rows)
    tree = f"```{{toctree}}\n:hidden:\n\n{names}\n```\n"
    yield "generated/agents/index", f"{about}\n## Cards\n\n{listed}\n{tree}"
    for game, card in cards:
        document = card_document(game.name, card.stem)
        yield document, turned(card.read_text(encoding="utf-8"), f"agents/weights/{game.name}/{card.name}", document)


def cards_of(game: Game) -> list[Path]:
    """The cards of a game's networks."""
    return sorted((WEIGHTS / game.name).glob("*.md"))


def section(game: Game) -> str:
    """The agents of a game."""
    built_in = players(game.name)
    document = game_document(game.name)
    rows = []
    for name in agent_names(game):
        if name in built_in:
            rows.append({"agent": code(name), "what it is": _BUILT_IN.get(name, "built in")})
        for card in cards_of(game):
            if OF_SEATS.sub("", card.stem) != name:
                continue
            link = to(card_document(game.name, card.stem), document)
            rows.append({"agent": f"[{code(card.stem)}]({link})", "what it is": f"a network, made by {_made_by(card)}"})
    pool = POOL.get(game.name)
    told = f"\nIts [pool of opponents](../../evaluation.md): {', '.join(map(code, pool))}.\n" if pool else ""
    return f"## Agents\n\n{table(['agent', 'what it is'], rows)}{told}"


def _made_by(card: Path) -> str:
    found = _MADE_BY.search(card.read_text(encoding="utf-8"))
    return found[1] if found else "see its card"
