"""The rule book of a game, with a place to link to at every clause."""

from __future__ import annotations

import re
from pathlib import Path

from karty.envs import games
from karty.envs.game import Game

from .links import turned
from .places import game_document

_FOLDERS = (Path(games.__file__).parent, Path(games.__file__).parent / "mini")
_CLAUSE = re.compile(r"^- (\d+\.\d+) ", flags=re.MULTILINE)
_SECTION = re.compile(r"^## (\w+) (.*)$", flags=re.MULTILINE)
CITED = re.compile(r"§(\d+\w?(?:\.\d+)?)")


def path(game: Game) -> Path:
    """The file of the book."""
    for folder in _FOLDERS:
        if (found := folder / f"{game.name}.md").is_file():
            return found
    raise FileNotFoundError(f"{game.name} has no rule book")


def source(game: Game) -> str:
    """The file of the book within the repository."""
    folder = "envs/games/mini" if path(game).parent.name == "mini" else "envs/games"
    return f"{folder}/{game.name}.md"


def text(game: Game) -> str:
    """The book as it is."""
    return path(game).read_text(encoding="utf-8")


def clauses(game: Game) -> set[str]:
    """The numbers of the sections and clauses that can be linked to."""
    book = text(game)
    return set(_CLAUSE.findall(book)) | {number for number, _ in _SECTION.findall(book)}


def place(game: Game, clause: str) -> str:
    """The name of the place of a clause, unique on the site."""
    return f"{game.name}-{clause.replace('.', '-')}".replace("_", "-")


def linked(game: Game, clause: str) -> str:
    """`§3.2` as a link to the clause, on the game's own page."""
    return f"[§{clause}](#{place(game, clause)})"


def about(game: Game, word: str) -> list[str]:
    """The clauses in which a word occurs, but for the explanation of words and the worked cases."""
    found = []
    for number, title, body in _sections(text(game)):
        if title.startswith(("Words", "Worked cases", "Options")):
            continue
        for match in re.finditer(r"^- (\d+\.\d+) (.*)$", body, flags=re.MULTILINE):
            if re.search(word, match[2], flags=re.IGNORECASE):
                found.append(match[1])
        if not _CLAUSE.search(body) and re.search(word, body, flags=re.IGNORECASE):
            found.append(number)
    return found


def _sections(book: str) -> list[tuple[str, str, str]]:
    parts = _SECTION.split(book)
    return list(zip(parts[1::3], parts[2::3], parts[3::3], strict=True))


def included(game: Game) -> str:
    """The whole book as a section of the game's page."""
    book = turned(text(game), source(game), game_document(game.name))
    title, _, rest = book.partition("\n")
    rest = re.sub(r"^(#+) ", r"#\1 ", rest, flags=re.MULTILINE)
    rest = re.sub(
        r"^### (\w+) (.*)$",
        lambda found: f"({place(game, found[1])})=\n### {found[1]} {found[2]}",
        rest,
        flags=re.MULTILINE,
    )
    rest = _CLAUSE.sub(lambda found: f"- [{found[1]}]{{#{place(game, found[1])}}} ", rest)
    return f"({place(game, 'book')})=\n## Rule book: {title.removeprefix('# ')}\n{rest.rstrip()}\n"
