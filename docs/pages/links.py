"""Links that work on GitHub are turned into links that work on the site.

In the repository a link leads from file to file. On the site the text may stand in another folder, and some files are
a page while others are not: then the words stay, without a link. A link to what is not there is an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from .places import GENERATED, README_SECTIONS, TOP, page_of, to

_LINK = re.compile(r"(?P<image>!?)\[(?P<words>(?:[^\[\]]|\[[^\[\]]*\])*)\]\((?P<target>[^()\s]+)\)")
_FENCE = re.compile(r"^(?:`{3,}|~{3,}).*?^(?:`{3,}|~{3,})[ ]*$", flags=re.MULTILINE | re.DOTALL)
_CODE = re.compile(r"`+[^`\n]+`+")


class BrokenLinkError(ValueError):
    """A link of a file leads to what is not in the repository."""


def turned(text: str, source: str, document: str) -> str:
    """The text of the repository's file `source` as it may stand in the document."""
    return outside_code(text, lambda part: _LINK.sub(lambda found: _turned_link(found, source, document), part))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """The text with a change made in everything but code blocks and code in lines."""
    for code in (_FENCE, _CODE):
        if code.search(text):
            parts, end = [], 0
            for found in code.finditer(text):
                parts += [outside_code(text[end : found.start()], change), found[0]]
                end = found.end()
            return "".join([*parts, outside_code(text[end:], change)])
    return change(text)


def _turned_link(found: re.Match[str], source: str, document: str) -> str:
    words, target = found["words"], found["target"]
    if re.match(r"[a-z][a-z0-9+.-]*:", target) or target.startswith("#"):
        return found[0]
    path, _, place = target.partition("#")
    path = os.path.normpath(PurePosixPath(source).parent / path).replace(os.sep, "/")
    made = path.startswith(f"docs/{GENERATED}/")  # which is there only once the site is built
    if not made and not (TOP / path).exists():
        raise BrokenLinkError(f"{source}: the link to {target} leads nowhere")
    if found["image"] or (path.startswith("docs/") and not path.endswith(".md")):
        return f"{found['image']}[{words}]({_file_below_docs(path, source, document)})"
    page = _page_of_section(place) if path == "README.md" and place else page_of(path)
    if page is None:
        return words
    return f"[{words}]({to(page, document)}{'#' + place if place and path.startswith('docs/') else ''})"


def _file_below_docs(path: str, source: str, document: str) -> str:
    if not path.startswith("docs/"):
        raise BrokenLinkError(f"{source}: {path} is shown, so it has to lie in docs/")
    return to(str(Path(path).relative_to("docs")), document)


def _page_of_section(place: str) -> str:
    for section, page in README_SECTIONS.items():
        if section.lower().replace(" ", "-") == place:
            return page
    raise BrokenLinkError(f"README.md has no section #{place}")
