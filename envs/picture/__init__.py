"""A table as a picture: one list of shapes, and from it text, SVG and pixels.

``view`` reads what a seat sees, and nothing else, out of its observation; with ``seat=None`` all cards lie open.
``scene`` gives each thing its place on the table, and the three writers draw the shapes. Which fields of a game's
observation are shown, and in which words, the game says in its ``picture`` (see ``Look``).
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..game import Game
from ..table import Table
from .names import SYMBOLS, is_red, signed, symbol
from .pixel_writer import as_pixels
from .places import arranged
from .seen import Look, SeatView, View, fan, readable, short, view
from .shapes import BACK, Face, Shape, joined
from .svg_writer import as_svg
from .text_writer import as_text, drawable

__all__ = [
    "BACK",
    "SYMBOLS",
    "Face",
    "Look",
    "SeatView",
    "Shape",
    "View",
    "arranged",
    "as_pixels",
    "as_svg",
    "as_text",
    "drawable",
    "fan",
    "is_red",
    "joined",
    "pixels",
    "readable",
    "scene",
    "short",
    "signed",
    "svg",
    "symbol",
    "text",
    "view",
]


def scene(game: Game, table: Table, seat: int | None = None, names: Sequence[str] | None = None) -> list[Shape]:
    """The table as a list of shapes, as `seat` sees it or (None) with all cards open; names as for `view`."""
    return arranged(view(game, table, seat, names))


def text(
    game: Game,
    table: Table,
    seat: int | None = None,
    names: Sequence[str] | None = None,
    *,
    encoding: str | None = "utf-8",
    colour: bool = False,
) -> str:
    """The table as lines of text; arguments as for `view`.

    encoding: of the stream that will show it; one that has no suit signs gets letters. colour: red suits by ANSI codes.
    """
    return as_text(scene(game, table, seat, names), encoding=encoding, colour=colour)


def svg(game: Game, table: Table, seat: int | None = None, names: Sequence[str] | None = None) -> str:
    """The table as an SVG document; arguments as for `view`."""
    return as_svg(scene(game, table, seat, names), f"{game.title}: a table")


def pixels(
    game: Game, table: Table, seat: int | None = None, names: Sequence[str] | None = None
) -> npt.NDArray[np.uint8]:
    """The table as an image, uint8 [height, width, 3]; needs matplotlib. Arguments as for `view`."""
    return as_pixels(scene(game, table, seat, names))
