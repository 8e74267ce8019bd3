"""Writes the generated pages of the site: `write_pages(folder)`, which conf.py calls before every build.

Every page is a string made by a function that needs no Sphinx, so that a test can look at it; `all_pages` has them by
document name. Nothing of it is kept in the repository.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from . import agent_cards, api, command_line, game_page, games_page, notebooks, repository
from .places import GENERATED

__all__ = ["GENERATED", "all_pages", "write_pages"]


def all_pages() -> dict[str, str]:
    """The text of every generated page by its document name, `generated/games/tysiac` and so on."""
    found: dict[str, str] = {}
    for name, text in _made():
        if name in found:
            raise ValueError(f"two pages are called {name}")
        found[name] = text
    return found


def _made() -> Iterator[tuple[str, str]]:
    yield from games_page.pages()
    yield from game_page.pages()
    yield from agent_cards.pages()
    yield from command_line.pages()
    yield from api.pages()
    yield from repository.pages()
    yield from notebooks.pages()


def write_pages(docs: Path) -> None:
    """Write all pages, the pictures of the games and the notebooks below `docs`/generated, which is emptied first."""
    shutil.rmtree(docs / GENERATED, ignore_errors=True)
    for name, text in all_pages().items():
        path = docs / (name if name.endswith(".ipynb") else f"{name}.md")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for name, drawn in game_page.pictures():
        (docs / f"{name}.svg").write_text(drawn, encoding="utf-8")
