"""Pages that are files of the repository, or sections of its README: each thing is written once, there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from .links import outside_code, turned
from .places import README_SECTIONS, TOP

_FILES = {
    "generated/contributing": "CONTRIBUTING.md",
    "generated/changelog": "CHANGELOG.md",
    "generated/records": "envs/games/records.md",
}


def pages() -> Iterator[tuple[str, str]]:
    """The files, and those sections of the README that no other page takes up."""
    for document, file in _FILES.items():
        yield document, turned((TOP / file).read_text(encoding="utf-8"), file, document)
    for section in ("Install and train", "Speed", "Citing"):
        yield README_SECTIONS[section], readme_section(section, README_SECTIONS[section])


@cache
def readme() -> dict[str, str]:
    """The README by its sections; what stands above the first of them is ``""``."""
    text = (TOP / "README.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## .*$", outside_code(text, lambda part: part), flags=re.MULTILINE)
    found, name, rest = {}, "", text
    for heading in headings:
        found[name], _, rest = rest.partition(f"{heading}\n")
        name = heading.removeprefix("## ")
    return {**found, name: rest}


def readme_section(section: str, document: str) -> str:
    """A section of the README as it may stand in a document, its heading that of a page."""
    return f"# {section}\n{turned(readme()[section], 'README.md', document).rstrip()}\n"
