"""Where the files of the repository are on the site: one table, by which links between them are turned."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

TOP = Path(__file__).resolve().parents[2]
GENERATED = "generated"

README_SECTIONS = {
    "Install and train": "generated/install",
    "PettingZoo": "pettingzoo",
    "Batches": "batches",
    "Gymnasium": "gymnasium",
    "Notebooks": "generated/notebooks/index",
    "Players": "generated/agents/index",
    "The command line": "generated/command_line",
    "Speed": "generated/speed",
    "Citing": "generated/citing",
}
"""The page of each section of the README."""
_PAGES = {
    "README.md": "index",
    "CONTRIBUTING.md": "generated/contributing",
    "CHANGELOG.md": "generated/changelog",
    "envs/games": "generated/games/index",
    "envs/games/mini": "generated/games/index",
    "envs/games/records.md": "generated/records",
    "agents/weights": "generated/agents/index",
    "agents/opponents.py": "generated/api/agents",
}


def page_of(path: str) -> str | None:
    """The document of a file or folder of the repository; None if the site has none."""
    if path in _PAGES:
        return _PAGES[path]
    parts = PurePosixPath(path)
    if parts.parts[:2] == ("envs", "games") and parts.suffix == ".md":
        return game_document(parts.stem)
    if parts.parts[:2] == ("agents", "weights") and parts.suffix == ".md":
        return card_document(parts.parts[2], parts.stem)
    if parts.parts[:1] == ("docs",) and parts.suffix == ".md":
        return str(parts.relative_to("docs").with_suffix(""))
    if parts.parts[:1] == ("notebooks",) and parts.suffix == ".ipynb":
        return f"generated/notebooks/{parts.name}"
    return None


def game_document(name: str) -> str:
    """The page of a game."""
    return f"generated/games/{name}"


def card_document(game: str, stem: str) -> str:
    """The page of a network's card."""
    return f"generated/agents/{game}-{stem}"


def to(target: str, document: str) -> str:
    """The link from a document to another one (or to a file below docs/, if it has a suffix)."""
    path = os.path.relpath(target, os.path.dirname(document) or ".").replace(os.sep, "/")
    return path if PurePosixPath(target).suffix else f"{path}.md"
