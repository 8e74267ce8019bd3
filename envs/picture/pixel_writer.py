"""A picture as pixels, by matplotlib."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .faces import face
from .shapes import Box, Card, Outline, Shape, Words, extent, moved, upon


def as_pixels(shapes: Sequence[Shape]) -> npt.NDArray[np.uint8]:
    """A scene as an image, uint8 [height, width, 3]."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError('pictures as pixels need matplotlib: pip install "karty[render]"') from None
    width, height = extent(shapes)
    figure = Figure(figsize=(width / 100, height / 100), dpi=100)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1), xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    for depth, part in enumerate(printed_shapes(shapes)):
        axes.add_artist(artist(part)).set_zorder(depth)  # matplotlib would draw all words above all paths
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.array(canvas.buffer_rgba(), dtype=np.uint8)[..., :3].copy()  # type: ignore[no-untyped-call]


def printed_shapes(shapes: Sequence[Shape]) -> Iterator[Shape]:
    """The shapes with each card replaced by the shapes of its face."""
    for shape in shapes:
        if isinstance(shape, Card):
            yield from (moved(part, shape.x, shape.y, shape.width / 100) for part in face(shape.name))
            yield from upon(shape)
        else:
            yield shape


def artist(shape: Shape) -> Any:
    """One shape as a matplotlib artist in pixels."""
    from matplotlib.patches import FancyBboxPatch, PathPatch
    from matplotlib.text import Text

    point = 0.72  # a pixel in points at 100 dots an inch
    if isinstance(shape, Box):
        return FancyBboxPatch(
            (shape.x, shape.y),
            shape.width,
            shape.height,
            boxstyle=f"round,pad=0,rounding_size={shape.radius}" if shape.radius else "square,pad=0",
            facecolor=shape.fill,
            edgecolor=shape.stroke,
            linewidth=shape.line * point if shape.stroke != "none" else 0,
            alpha=shape.opacity,
        )
    if isinstance(shape, Outline):
        return PathPatch(
            outline(shape.path, shape.x, shape.y, -shape.size if shape.turned else shape.size),
            facecolor=shape.fill,
            edgecolor=shape.stroke,
            linewidth=shape.line * shape.size * point if shape.stroke != "none" else 0,
        )
    assert isinstance(shape, Words)
    return Text(
        shape.x,
        shape.y,
        shape.text,
        fontsize=shape.size * point,
        color=shape.fill,
        ha={"start": "left", "middle": "center", "end": "right"}[shape.anchor],
        va="baseline",
        weight="bold" if shape.bold else "normal",
        family="serif" if shape.serif else "sans-serif",
        rotation=180 if shape.turned else 0,
        rotation_mode="anchor",
    )


def outline(path: str, x: float, y: float, size: float) -> Any:
    """The path of an outline as a matplotlib path."""
    from matplotlib.path import Path

    points: list[tuple[float, float]] = []
    codes: list[Any] = []
    words = path.split()
    start = 0
    while start < len(words):
        command = words[start]
        count = {"M": 1, "L": 1, "C": 3, "Z": 0}[command]
        numbers = [float(word) for word in words[start + 1 : start + 1 + 2 * count]]
        points += [(x + size * numbers[i], y + size * numbers[i + 1]) for i in range(0, 2 * count, 2)]
        codes += {"M": [Path.MOVETO], "L": [Path.LINETO], "C": [Path.CURVE4] * 3, "Z": []}[command]
        if command == "Z":
            points.append((x, y))
            codes.append(Path.CLOSEPOLY)
        start += 1 + 2 * count
    return Path(points, codes)
