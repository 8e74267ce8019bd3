"""The notebooks, with the outputs that are stored in them: the build runs none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .links import turned
from .places import TOP, page_of, to

_INDEX = "generated/notebooks/index"


def pages() -> Iterator[tuple[str, str]]:
    """Every notebook, its links turned, and the list of them."""
    found = sorted((TOP / "notebooks").glob("*.ipynb"))
    names = []
    for file in found:
        source = f"notebooks/{file.name}"
        document = page_of(source)
        assert document is not None
        yield f"{document}.ipynb", json.dumps(_turned(json.loads(file.read_text(encoding="utf-8")), source, document))
        names.append(to(document, _INDEX).removesuffix(".md"))
    told = "Run them with the extra `notebook`." if names else "There are none yet."
    listed = "\n".join(names)
    tree = f"\n```{{toctree}}\n:maxdepth: 1\n\n{listed}\n```\n" if names else ""
    yield _INDEX, f"# Notebooks\n\n{told}\n{tree}"


def _turned(notebook: Any, source: str, document: str) -> Any:
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = turned("".join(cell["source"]), source, document)
    return notebook
