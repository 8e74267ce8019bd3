"""What a picture is made of: boxes, outlines, words and cards, and the colours of the table."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from .names import symbol

BACK = None

Face = str | None
"""A card by its name, or BACK."""

BETWEEN = " · "
"""What stands between the phrases on a plate."""

RATIO = 1.44  # a card's height by its width

WOOD, RIM, FELT, LINE = "#4a2c17", "#6b4226", "#1d6b45", "#2f855a"
MAT, EMBLEM, PLATE, PLATE_LINE, ASKED = "#1b6341", "#24764d", "#12492f", "#2f855a", "#f2c14e"
CREAM, PALE, ROSE = "#fbf5e6", "#b9d8c6", "#ff9d92"
PAPER, EDGE, SHADOW, INK, RED = "#fffdf7", "#8a8577", "#000000", "#1c1c22", "#c3202f"
COURT, COURT_LINE, GOLD = "#f7ebcf", "#c9a04f", "#e0b04a"
BACKS, BACK_LINE = "#24478f", "#e9edf7"
VEIL = 0.3  # how much of the colour of the backs lies upon a known card that lies face down


@dataclass(frozen=True)
class Box:
    """A rectangle with round corners; sizes in pixels."""

    x: float
    y: float
    width: float
    height: float
    fill: str
    radius: float = 0
    stroke: str = "none"
    line: float = 1
    opacity: float = 1


@dataclass(frozen=True)
class Outline:
    """A filled path (M, L, C, Z, a space between all parts), moved to (x, y), sized and perhaps turned upside down."""

    path: str
    x: float
    y: float
    size: float
    fill: str
    turned: bool = False
    stroke: str = "none"
    line: float = 1


@dataclass(frozen=True)
class Words:
    """A line of text; (x, y) is its baseline's start, middle or end.

    room: how wide it may become in a text, whose letters are wider; what is longer goes on below. 0: as wide as it is.
    """

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    bold: bool = False
    serif: bool = False
    turned: bool = False
    room: float = 0


@dataclass(frozen=True)
class Card:
    """A card, face or back (name BACK), its upper left corner at (x, y).

    down: it lies face down, and whoever looks knows it all the same. framed: the one to look at. label: words below
    it, which a text shows in the line below the card.
    """

    x: float
    y: float
    width: float
    name: Face
    down: bool = False
    framed: bool = False
    label: Words | None = None


Shape = Box | Outline | Words | Card


def extent(shapes: Sequence[Shape]) -> tuple[int, int]:
    """The width and height that hold all boxes of a scene."""
    boxes = [shape for shape in shapes if isinstance(shape, Box)]
    return math.ceil(max(b.x + b.width for b in boxes)), math.ceil(max(b.y + b.height for b in boxes))


def written(card: Card) -> str:
    """A card in a line of text: ░░ a back, (Q♥) known although it lies face down, [Q♥] the one to look at."""
    if card.name is None:
        return "░░"
    name = symbol(card.name)
    return f"({name})" if card.down else f"[{name}]" if card.framed else name


def upon(card: Card) -> list[Shape]:
    """What is drawn with a card's face: a veil in the colour of the backs if it lies face down, a frame, its label."""
    height, shapes = card.width * RATIO, list[Shape]()
    if card.down:
        shapes.append(Box(card.x, card.y, card.width, height, BACKS, card.width / 11, opacity=VEIL))
        edge = card.width / 24
        inner = (card.x + edge / 2, card.y + edge / 2, card.width - edge, height - edge)
        shapes.append(Box(*inner, "none", card.width / 11, BACKS, edge))
    if card.framed:
        around = (card.x - 2, card.y - 2, card.width + 4, height + 4)
        shapes.append(Box(*around, "none", card.width / 11 + 2, ASKED, 4))
    if card.label:
        shapes.append(card.label)
    return shapes


def moved(shape: Shape, x: float, y: float, scale: float) -> Shape:
    """A part of a card's face at the card's place on the table."""
    x, y = x + shape.x * scale, y + shape.y * scale
    if isinstance(shape, Box):
        sizes = (shape.width * scale, shape.height * scale, shape.radius * scale, shape.line * scale)
        return replace(shape, x=x, y=y, width=sizes[0], height=sizes[1], radius=sizes[2], line=sizes[3])
    if isinstance(shape, Card):
        return replace(shape, x=x, y=y, width=shape.width * scale)
    return replace(shape, x=x, y=y, size=shape.size * scale)  # an outline's line is in units of its size


def joined(phrases: Sequence[str], between: str, width: int) -> list[str]:
    """Phrases in as few lines as they need: a line ends between two of them as long as each fits."""
    lines: list[str] = []
    for phrase in phrases:
        if lines and len(lines[-1] + between + phrase) <= width:
            lines[-1] += between + phrase
        else:
            lines.append(phrase)
    return lines
