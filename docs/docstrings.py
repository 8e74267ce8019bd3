"""The project's docstrings as reStructuredText: plain sentences, code in single or double backticks, code indented."""

from __future__ import annotations

import re
from typing import Any

_SINGLE = re.compile(r"(?<![`\w:])`([^`\n]+)`(?!`)")


def process(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Sphinx's event `autodoc-process-docstring`: change the lines in place."""
    lines[:] = as_restructured(lines)


def as_restructured(lines: list[str]) -> list[str]:
    """Single backticks become double ones, stars are stars, and an indented block after a paragraph is code."""
    found: list[str] = []
    for i, line in enumerate(lines):
        before = found[-1] if found else ""
        if line.startswith("    ") and not before.strip() and _paragraph(lines[:i]):
            found += ["::", ""]
        found.append(line if line.startswith("    ") else _escaped(_SINGLE.sub(r"``\1``", line)))
    return found


def _paragraph(above: list[str]) -> bool:
    """Does the text above end with a line that is neither indented nor the item of a list?"""
    text = [line for line in above if line.strip()]
    return bool(text) and not text[-1].startswith((" ", "- ", "* "))


def _escaped(line: str) -> str:
    """Outside code a star or a bar is no markup."""
    parts = re.split(r"(``[^`]*``)", line)
    return "".join(part if part.startswith("``") else re.sub(r"(?<!\\)([*|])", r"\\\1", part) for part in parts)
