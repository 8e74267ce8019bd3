"""What pictures of results share: a matplotlib figure that needs no window, and files that are the same every time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#222222"
PALE = "#9a9a9a"


def need_matplotlib() -> None:
    """ImportError, one line, if there is no matplotlib."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ImportError('pictures of results need matplotlib: pip install "karty[render]"') from None


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of this size in inches."""
    need_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save(figure: Figure, path: Path) -> None:
    """Write a figure; the ending says how (.svg, .png, .pdf). The same figure gives the same SVG."""
    import matplotlib

    metadata = {"Date": None} if path.suffix == ".svg" else None
    with matplotlib.rc_context({"svg.hashsalt": "karty"}):
        figure.savefig(path, metadata=metadata, dpi=150)
