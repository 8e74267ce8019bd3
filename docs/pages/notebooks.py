"""The notebooks, with the outputs that are stored in them: the build runs none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .links import turned
from .places import README_SECTIONS, TOP, page_of, to
from .repository import readme_section

_INDEX = README_SECTIONS["Notebooks"]


def pages() -> Iterator[tuple[str, str]]:
    """Every notebook, its links turned, and what the README says of them."""
    names = []
    for file in sorted((TOP / "notebooks").glob("*.ipynb")):
        source = f"notebooks/{file.name}"
        document = page_of(source)
        assert document is not None
        yield document, json.dumps(_turned(json.loads(file.read_text(encoding="utf-8")), source, document))
        names.append(to(document, _INDEX))
    listed = "\n".join(names)
    yield _INDEX, f"{readme_section('Notebooks', _INDEX)}\n```{{toctree}}\n:hidden:\n\n{listed}\n```\n"


def _turned(notebook: Any, source: str, document: str) -> Any:
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = turned("".join(cell["source"]), source, document)
    return notebook
