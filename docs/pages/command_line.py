"""The page of the command line: what the README says of it, then the help of every command as the parser prints it."""

from __future__ import annotations

import contextlib
import io
import os
import re
from collections.abc import Iterator
from unittest import mock

from karty.training.cli import main

from .markdown import block
from .places import README_SECTIONS
from .repository import readme_section

_WIDTH = "100"
_FRAME = re.compile(r"^[╭╰]─+[╯╮]?$")
_TITLE = re.compile(r"^╭─ (.*?) ─*╮$")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def pages() -> Iterator[tuple[str, str]]:
    """The one page."""
    document = README_SECTIONS["The command line"]
    parts = [readme_section("The command line", document)]
    for name in commands():
        parts.append(f"## karty {name}\n\n{block(unframed(help_of(name)))}")
    yield document, "\n".join(parts)


def commands() -> list[str]:
    """The names of the commands, in the order of the README."""
    named = re.findall(r"^karty (\w+)", readme_section("The command line", "index"), flags=re.MULTILINE)
    usage = re.search(r"\{([a-z_,\s]+)\}", _said("--help"))
    known = "".join(usage[1].split()).split(",") if usage else []
    return sorted(known, key=lambda name: named.index(name) if name in named else len(named))


def help_of(command: str) -> str:
    """What `karty COMMAND --help` prints, without colours."""
    return _said(command, "--help")


def _said(*words: str) -> str:
    told = io.StringIO()
    environment = {"COLUMNS": _WIDTH, "NO_COLOR": "1", "TERM": "dumb"}
    with mock.patch.dict(os.environ, environment), contextlib.redirect_stdout(told):
        code = main(list(words))
    if code != 0:
        raise RuntimeError(f"karty {' '.join(words)} ended with {code}")
    return _ESCAPE.sub("", told.getvalue())


def unframed(text: str) -> str:
    """A help without the lines around its groups of options."""
    lines = []
    for line in text.splitlines():
        line = line.rstrip()
        if title := _TITLE.match(line):
            lines += ["", title[1]]
        elif line.startswith("│"):
            lines.append(f"  {line.strip('│').strip()}" if not line[2:3].isspace() else line.strip("│").rstrip())
        elif not _FRAME.match(line):
            lines.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
