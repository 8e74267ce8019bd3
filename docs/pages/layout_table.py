"""The fields of an observation, or of the hidden cards, as a table."""

from __future__ import annotations

from collections.abc import Callable

from karty.envs.layout import Field, Layout

from .markdown import code, table


def layout_table(layout: Layout, cite: Callable[[str], str]) -> str:
    """One row a field: its columns, kind, shape, bounds and caption; `cite` turns the clauses of a caption to links."""
    rows = [
        {
            "field": code(field.name),
            "columns": columns(field),
            "kind": field.kind,
            "shape": "×".join(map(str, field.shape)) or "1",
            "bounds": f"{layout.low[field.start]} … {layout.high[field.start]} {field.unit}".rstrip(),
            "caption": cite(field.caption) + values(field),
        }
        for field in layout
    ]
    return table(["field", "columns", "kind", "shape", "bounds", "caption"], rows, right=["columns", "shape"])


def columns(field: Field) -> str:
    """The columns that a field takes: `7` or `7–30`."""
    return str(field.start) + (f"–{field.start + field.size - 1}" if field.size > 1 else "")


def values(field: Field) -> str:
    """The names of a choice's columns."""
    return f": {', '.join(map(code, field.values))}" if field.kind == "choice" else ""
