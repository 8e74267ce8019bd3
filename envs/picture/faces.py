"""The faces and the back of cards, on 100 × 144 units."""

from collections.abc import Iterator
from functools import cache

from .motifs import CAT, CAT_GROUND, GROUNDS, MOTIFS, Motif
from .names import ODD_PICTURE, RED_SUITS, number_of
from .shapes import (
    BACK,
    BACK_LINE,
    BACKS,
    COURT,
    COURT_LINE,
    EDGE,
    GOLD,
    INK,
    PAPER,
    RED,
    SHADOW,
    Box,
    Face,
    Outline,
    Shape,
    Words,
)

SUIT_PATHS = {
    "H": "M 0 50 C -12 30 -50 10 -50 -18 C -50 -40 -36 -50 -24 -50 C -11 -50 -2 -40 0 -28 "
    "C 2 -40 11 -50 24 -50 C 36 -50 50 -40 50 -18 C 50 10 12 30 0 50 Z",
    "D": "M 0 -52 C 10 -32 26 -13 41 0 C 26 13 10 32 0 52 C -10 32 -26 13 -41 0 C -26 -13 -10 -32 0 -52 Z",
    "S": "M 0 -50 C 10 -28 48 -8 48 18 C 48 36 35 43 25 43 C 15 43 8 37 4 28 C 5 40 9 46 18 50 L -18 50 "
    "C -9 46 -5 40 -4 28 C -8 37 -15 43 -25 43 C -35 43 -48 36 -48 18 C -48 -8 -10 -28 0 -50 Z",
    "C": "M 0 -50 C 13 -50 23 -40 23 -28 C 23 -19 18 -12 11 -8 C 16 -11 21 -12 26 -12 C 40 -12 50 -2 50 10 "
    "C 50 23 40 33 27 33 C 16 33 8 27 4 19 C 5 36 9 45 18 50 L -18 50 C -9 45 -5 36 -4 19 C -8 27 -16 33 -27 33 "
    "C -40 33 -50 23 -50 10 C -50 -2 -40 -12 -26 -12 C -21 -12 -16 -11 -11 -8 C -18 -12 -23 -19 -23 -28 "
    "C -23 -40 -13 -50 0 -50 Z",
}
CROWNS = {
    # a cap with a turned-up brim, a coronet of three waves, a crown of five points
    "J": "M -44 28 L 44 28 L 44 12 L -44 12 Z M -36 8 C -36 -24 -16 -38 10 -34 C 28 -32 38 -20 36 8 Z "
    "M 22 -22 C 34 -44 54 -50 62 -48 C 56 -40 50 -26 34 -10 Z",
    "Q": "M -40 28 L 40 28 L 40 14 L -40 14 Z M -40 10 L -48 -24 C -34 -22 -26 -12 -22 -4 C -18 -20 -10 -32 0 -40 "
    "C 10 -32 18 -20 22 -4 C 26 -12 34 -22 48 -24 L 40 10 Z",
    "K": "M -44 28 L 44 28 L 44 14 L -44 14 Z M -44 10 L -56 -32 L -28 -10 L -20 -42 L 0 -14 L 20 -42 L 28 -10 "
    "L 56 -32 L 44 10 Z",
}
LEFT, MIDDLE, RIGHT = 34, 50, 66
PIPS = {
    "2": ((MIDDLE, 32), (MIDDLE, 112)),
    "3": ((MIDDLE, 32), (MIDDLE, 72), (MIDDLE, 112)),
    "4": ((LEFT, 32), (RIGHT, 32), (LEFT, 112), (RIGHT, 112)),
    "5": ((LEFT, 32), (RIGHT, 32), (MIDDLE, 72), (LEFT, 112), (RIGHT, 112)),
    "6": ((LEFT, 32), (RIGHT, 32), (LEFT, 72), (RIGHT, 72), (LEFT, 112), (RIGHT, 112)),
    "7": ((LEFT, 32), (RIGHT, 32), (MIDDLE, 52), (LEFT, 72), (RIGHT, 72), (LEFT, 112), (RIGHT, 112)),
    "8": ((LEFT, 32), (RIGHT, 32), (MIDDLE, 52), (LEFT, 72), (RIGHT, 72), (MIDDLE, 92), (LEFT, 112), (RIGHT, 112)),
    "9": (*((x, y) for y in (28, 57, 87, 116) for x in (LEFT, RIGHT)), (MIDDLE, 72)),
    "T": (*((x, y) for y in (28, 57, 87, 116) for x in (LEFT, RIGHT)), (MIDDLE, 42), (MIDDLE, 102)),
}
TALL = 144


@cache
def face(name: Face) -> tuple[Shape, ...]:
    """The shapes of a card on 100 × 144 units."""
    if name is BACK:
        return tuple(back())
    if number := number_of(name):
        return tuple(painted(str(number), MOTIFS[number - 1], GROUNDS[number - 1]))
    if name == ODD_PICTURE:
        return tuple(painted(name, CAT, CAT_GROUND))
    rank, suit = name[:-1], name[-1]
    if not rank or suit not in SUIT_PATHS:
        return (*blank(), Words(50, 84, name, 36, INK, "middle", bold=True, serif=True))
    return tuple(printed(rank, suit))


def blank() -> Iterator[Shape]:
    """The paper of a card and its shadow on what lies below."""
    yield Box(-2.5, 2, 100, TALL, SHADOW, 10, opacity=0.28)
    yield Box(0.75, 0.75, 98.5, TALL - 1.5, PAPER, 9, EDGE, 1.5)


def printed(rank: str, suit: str) -> Iterator[Shape]:
    """The face of a card with a rank and a suit."""
    colour = RED if suit in RED_SUITS else INK
    path, label = SUIT_PATHS[suit], "10" if rank == "T" else rank
    yield from blank()
    if rank in CROWNS:
        yield Box(25, 13, 50, TALL - 26, COURT, 5, COURT_LINE, 1.5)
        for turned, sign in ((False, -1), (True, 1)):
            yield Outline(CROWNS[rank], 50, 72 + sign * 39, 0.36, GOLD, turned, INK, 3)
            yield Outline(path, 50, 72 + sign * 14, 0.25, colour, turned)
    elif rank in PIPS:
        for x, y in PIPS[rank]:
            yield Outline(path, x, y, 0.17, colour, y > TALL / 2)
    else:
        yield Outline(path, 50, 72, 0.52, colour)
    for turned, x, y in ((False, 13, 25), (True, 87, TALL - 25)):
        yield Words(x, y, label, 23 if len(label) == 1 else 17, colour, "middle", bold=True, serif=True, turned=turned)
        yield Outline(path, x, 38 if not turned else TALL - 38, 0.15, colour, turned)


def painted(label: str, motif: Motif, ground: str) -> Iterator[Shape]:
    """The face of a picture card: what it shows, large, and its number in two corners."""
    yield from blank()
    yield Box(6, 6, 88, TALL - 12, ground, 6, INK, 1.2)
    for path, fill, stroke, line in motif:
        yield Outline(path, 50, 74, 0.78, fill, stroke=stroke, line=line)
    size, inset = (24, 19) if len(label) == 1 else (20, 23)
    for turned, x, y in ((False, inset, 29), (True, 100 - inset, TALL - 29)):
        yield Words(x, y, label, size, INK, "middle", bold=True, serif=True, turned=turned)


def back() -> Iterator[Shape]:
    """The back of a card: a lattice of lozenges."""
    yield from blank()
    yield Box(7, 7, 86, TALL - 14, BACKS, 5, "none")
    for row in range(9):
        for column in range(5 + row % 2):
            x, y = 50 + (column - (4 + row % 2) / 2) * 15.5, 72 + (row - 4) * 14.2
            yield Outline(SUIT_PATHS["D"], x, y, 0.095, BACK_LINE)
