"""Tables and code as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def table(columns: Sequence[str], rows: Sequence[Row], right: Sequence[str] = ()) -> str:
    """A table of these columns; those named in `right` are set to the right."""
    lines = [
        _line(columns),
        _line(["--:" if column in right else "---" for column in columns]),
        *(_line([cell(row.get(column, "")) for column in columns]) for row in rows),
    ]
    return "\n".join(lines) + "\n"


def _line(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def cell(value: Any) -> str:
    """A value as it may stand in a cell: in one line, no bar in it."""
    return " ".join(str(value).split()).replace("|", "\\|")


def code(text: Any) -> str:
    """Code in a line."""
    return f"`{text}`"


def block(text: str, language: str = "text") -> str:
    """A code block."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"
