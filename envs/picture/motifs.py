"""What the cards of a picture deck show: twelve small pictures and a black cat, each around (0, 0) within ±50.

A motif is a list of layers, the lowest first: path, filling, colour and width of its outline.
"""

from math import atan2, ceil, cos, hypot, pi, radians, sin, tan

from .shapes import INK

Layer = tuple[str, str, str, float]
Motif = tuple[Layer, ...]

LINE = 2.6  # the width of outlines
GOLD, LEMON, ORANGE, SCARLET, PINK = "#f5b82e", "#ffdf6b", "#ef8432", "#d8412f", "#f3a6ad"
LEAF, PINE, SKY, SEA, NAVY, LILAC = "#6fb04a", "#3d8b54", "#9fd3ee", "#3f86c6", "#2b3f78", "#8f6bb3"
CREAM, WHITE, BROWN, SAND, GREY, BLACK = "#fff3d6", "#ffffff", "#8a5a34", "#d9a066", "#aab4bd", "#26242c"


def line(*points: tuple[float, float], closed: bool = True) -> str:
    """Straight lines from point to point."""
    path = "M " + " L ".join(f"{x:g} {y:g}" for x, y in points)
    return f"{path} Z" if closed else path


def arc(x: float, y: float, across: float, down: float, start: float, end: float) -> str:
    """The curves of an arc of an ellipse around (x, y), from one angle to another in degrees, clockwise from the right.

    Only the curves: the path has to stand at the arc's beginning.
    """
    pieces = max(1, ceil(abs(end - start) / 90))
    step = radians(end - start) / pieces
    pull = 4 / 3 * tan(step / 4)
    parts = []
    for i in range(pieces):
        a = radians(start) + i * step
        b = a + step
        points = (
            (cos(a) - pull * sin(a), sin(a) + pull * cos(a)),
            (cos(b) + pull * sin(b), sin(b) - pull * cos(b)),
            (cos(b), sin(b)),
        )
        parts.append("C " + " ".join(f"{x + across * u:.4g} {y + down * v:.4g}" for u, v in points))
    return " ".join(parts)


def at(x: float, y: float, across: float, down: float, angle: float) -> str:
    """The point of an ellipse at an angle."""
    return f"{x + across * cos(radians(angle)):.4g} {y + down * sin(radians(angle)):.4g}"


def bow(x: float, y: float, across: float, down: float, start: float, end: float) -> str:
    """An open arc."""
    return f"M {at(x, y, across, down, start)} {arc(x, y, across, down, start, end)}"


def disc(x: float, y: float, across: float, down: float = 0) -> str:
    """A circle, or an ellipse if it has a height of its own."""
    return bow(x, y, across, down or across, 0, 360) + " Z"


def rays(x: float, y: float, outer: float, inner: float, points: int, turn: float = -90) -> str:
    """A star of so many points, one of them at the angle of the turn."""
    corners = []
    for i in range(2 * points):
        far, angle = (inner, outer)[i % 2 == 0], radians(turn + 180 * i / points)
        corners.append((round(x + far * cos(angle), 2), round(y + far * sin(angle), 2)))
    return line(*corners)


def crescent(x: float, y: float, radius: float, over: float, shift_x: float, shift_y: float) -> str:
    """A circle less another one of radius `over` that lies shifted upon it."""
    far = hypot(shift_x, shift_y)
    along = (far**2 + radius**2 - over**2) / (2 * far)
    towards = atan2(shift_y, shift_x) * 180 / pi
    outer = atan2((radius**2 - along**2) ** 0.5, along) * 180 / pi
    inner = atan2((radius**2 - along**2) ** 0.5, along - far) * 180 / pi
    rim = bow(x, y, radius, radius, towards + outer, towards + 360 - outer)
    return f"{rim} {arc(x + shift_x, y + shift_y, over, over, towards - inner + 360, towards + inner)} Z"


def inked(fill: str, *paths: str) -> tuple[Layer, ...]:
    """Filled and outlined."""
    return tuple((path, fill, INK, LINE) for path in paths)


def plain(fill: str, *paths: str) -> tuple[Layer, ...]:
    """Filled, without an outline."""
    return tuple((path, fill, "none", 1.0) for path in paths)


def drawn(*paths: str, colour: str = INK, width: float = LINE) -> tuple[Layer, ...]:
    """Lines only."""
    return tuple((path, "none", colour, width) for path in paths)


def smiling(x: float, y: float, size: float) -> tuple[Layer, ...]:
    """Two eyes, red cheeks and a smile."""
    eye, cheek = (0.2 * size, 0.28 * size), 0.38 * size
    return (
        *plain(PINK, *(disc(x + side * 1.15 * size, y + 0.45 * size, cheek) for side in (-1, 1))),
        *plain(INK, *(disc(x + side * 0.7 * size, y - 0.3 * size, *eye) for side in (-1, 1))),
        *drawn(bow(x, y + 0.1 * size, 0.6 * size, 0.55 * size, 20, 160), width=LINE * 0.9),
    )


SUN = (*inked(GOLD, rays(0, 0, 49, 33, 12)), *inked(LEMON, disc(0, 0, 29)), *smiling(0, -1, 13))
MOON = (
    *inked(LEMON, crescent(-4, 0, 44, 37, 21, -8)),
    *plain(INK, disc(-28, -2, 2.6, 3.4)),
    *drawn(bow(-24, 9, 7, 6, 40, 165)),
    *inked(WHITE, rays(22, -20, 11, 4.6, 5), rays(32, 14, 8, 3.4, 5), rays(8, 4, 6, 2.6, 5)),
)
STAR = (*inked(GOLD, rays(0, 4, 50, 23, 5)), *inked(LEMON, rays(0, 4, 36, 16.5, 5)), *smiling(0, 5, 9))
HOUSE = (
    *inked(BROWN, line((18, -44), (30, -44), (30, -14), (18, -14))),
    *inked(CREAM, line((-34, -8), (34, -8), (34, 44), (-34, 44))),
    *inked(SCARLET, line((0, -46), (48, -4), (-48, -4))),
    *inked(BROWN, "M -8 44 L -8 20 " + arc(0, 20, 8, 8, 180, 360) + " L 8 44 Z"),
    *plain(GOLD, disc(4, 30, 1.8)),
    *inked(SKY, line((-27, 6), (-14, 6), (-14, 20), (-27, 20)), line((14, 6), (27, 6), (27, 20), (14, 20))),
    *drawn("M -20.5 6 L -20.5 20", "M -27 13 L -14 13", "M 20.5 6 L 20.5 20", "M 14 13 L 27 13", width=1.6),
    *inked(LEMON, disc(0, -20, 7)),
)
TREE = (
    *inked(BROWN, line((-8, 26), (8, 26), (10, 49), (-10, 49))),
    *inked(PINE, "M 0 -18 L 38 32 C 20 38 -20 38 -38 32 Z"),
    *inked(PINE, "M 0 -36 L 30 10 C 16 16 -16 16 -30 10 Z"),
    *inked(LEAF, "M 0 -50 L 22 -14 C 12 -9 -12 -9 -22 -14 Z"),
    *inked(SCARLET, disc(-12, 24, 4), disc(12, 20, 4), disc(0, 2, 4)),
    *inked(GOLD, disc(-9, -20, 3.6), disc(20, 28, 3.6), disc(-20, 5, 3.6)),
)
FISH = (
    *inked(SCARLET, "M -22 0 C -34 -8 -42 -22 -50 -24 C -46 -8 -46 8 -50 24 C -42 22 -34 8 -22 0 Z"),
    *inked(
        SCARLET,
        "M -6 -22 C 2 -40 18 -40 26 -38 C 20 -30 20 -26 22 -18 Z",
        "M 0 22 C 4 34 14 36 20 34 C 16 28 16 26 18 18 Z",
    ),
    *inked(ORANGE, "M 48 0 C 36 -24 4 -34 -28 0 C 4 34 36 24 48 0 Z"),
    *plain(LEMON, "M 44 3 C 32 22 6 26 -18 5 C 6 16 28 14 44 3 Z"),
    *drawn(bow(10, 0, 10, 18, -70, 70), bow(-6, 0, 8, 13, -70, 70), width=2),
    *inked(WHITE, disc(30, -6, 7)),
    *plain(INK, disc(31.5, -5.5, 3.4)),
    *drawn(bow(42, 3, 7, 5, 60, 170), width=2),
)
BOAT = (
    *inked(BROWN, line((-2.5, -48), (2.5, -48), (2.5, 20), (-2.5, 20))),
    *inked(SCARLET, line((2.5, -48), (22, -41), (2.5, -34))),
    *inked(CREAM, "M 5 -28 C 26 -14 36 0 38 14 L 5 14 Z"),
    *inked(LEMON, "M -5 -36 C -26 -18 -34 -2 -36 14 L -5 14 Z"),
    *inked(SEA, "M -46 19 L 46 19 C 42 34 34 41 26 41 L -26 41 C -34 41 -42 34 -46 19 Z"),
    *plain(WHITE, disc(-18, 28, 3.4), disc(0, 28, 3.4), disc(18, 28, 3.4)),
    *inked(
        SKY,
        "M -50 40 C -42 32 -34 32 -26 40 C -18 32 -8 32 0 40 C 8 32 18 32 26 40 C 34 32 42 32 50 40 L 50 49 L -50 49 Z",
    ),
)
APPLE = (
    *drawn("M 1 -24 C 0 -36 4 -42 10 -48", colour=BROWN, width=5),
    *inked(LEAF, "M 4 -30 C 12 -48 30 -50 42 -42 C 38 -26 20 -20 4 -30 Z"),
    *inked(
        SCARLET,
        "M 0 -22 C 12 -32 44 -32 44 4 C 44 30 24 48 12 48 C 6 48 4 45 0 45 C -4 45 -6 48 -12 48 "
        "C -24 48 -44 30 -44 4 C -44 -32 -12 -32 0 -22 Z",
    ),
    *plain(PINK, "M -34 4 C -36 -10 -30 -18 -22 -19 C -30 -12 -30 -4 -29 6 C -30 11 -34 10 -34 4 Z"),
    *smiling(3, 12, 10),
)
KEY = (
    *inked(
        GOLD,
        line((-6, -8), (6, -8), (6, 48), (-6, 48)),
        line((6, 22), (22, 22), (22, 30), (6, 30)),
        line((6, 38), (26, 38), (26, 46), (6, 46)),
    ),
    *plain(GOLD, line((-4, 18), (8, 18), (8, 46.5), (-4, 46.5))),
    *inked(GOLD, disc(-13, -29, 17), disc(13, -29, 17), disc(0, -12, 17)),
    *plain(GOLD, disc(0, -23, 17)),
    *inked(CREAM, disc(-13, -30, 7), disc(13, -30, 7), disc(0, -11, 6)),
)
BELL = (
    *inked(
        SCARLET,
        "M 0 -36 C -12 -54 -34 -52 -32 -38 C -30 -26 -12 -28 0 -36 Z",
        "M 0 -36 C 12 -54 34 -52 32 -38 C 30 -26 12 -28 0 -36 Z",
    ),
    *inked(BROWN, disc(0, 40, 9)),
    *inked(
        GOLD,
        "M 0 -36 C 20 -36 26 -18 28 0 C 29 14 34 24 44 32 L -44 32 C -34 24 -29 14 -28 0 C -26 -18 -20 -36 0 -36 Z",
    ),
    *plain(LEMON, "M -16 -14 C -14 -26 -8 -30 -2 -31 C -8 -22 -12 -2 -18 20 C -22 14 -20 -2 -16 -14 Z"),
    *inked(ORANGE, line((-44, 30), (44, 30), (44, 38), (-44, 38))),
    *inked(SCARLET, disc(0, -37, 7)),
)
CUP = (
    *drawn(
        "M -14 -22 C -20 -30 -8 -36 -14 -46",
        "M 2 -22 C -4 -30 8 -36 2 -46",
        "M 18 -22 C 12 -30 24 -36 18 -46",
        colour=GREY,
        width=4,
    ),
    *inked(CREAM, disc(0, 42, 46, 7)),
    *drawn(bow(30, 8, 15, 13, -100, 100), width=9),
    *drawn(bow(30, 8, 15, 13, -100, 100), colour=SEA, width=4),
    *inked(SEA, "M -36 -14 L 36 -14 C 36 18 28 40 12 41 L -12 41 C -28 40 -36 18 -36 -14 Z"),
    *inked(BROWN, disc(0, -14, 36, 6)),
    *inked(SCARLET, "M 0 24 C -6 18 -15 13 -15 6 C -15 -2 -4 -2 0 5 C 4 -2 15 -2 15 6 C 15 13 6 18 0 24 Z"),
)
UMBRELLA = (
    *drawn("M 0 -46 L 0 34 C 0 50 20 50 20 36", width=7),
    *drawn("M 0 -46 L 0 34 C 0 50 20 50 20 36", colour=SAND, width=2.4),
    *inked(
        LILAC,
        "M -48 4 "
        + arc(0, 4, 48, 46, 180, 360)
        + " "
        + arc(32, 4, 16, 8, 0, -180)
        + " "
        + arc(0, 4, 16, 8, 0, -180)
        + " "
        + arc(-32, 4, 16, 8, 0, -180)
        + " Z",
    ),
    *inked(LEMON, "M 0 -42 C -12 -30 -16 -14 -16 4 " + arc(0, 4, 16, 8, 180, 360) + " C 16 -14 12 -30 0 -42 Z"),
    *inked(SCARLET, disc(0, -45, 3.6)),
)
MOTIFS = (SUN, MOON, STAR, HOUSE, TREE, FISH, BOAT, APPLE, KEY, BELL, CUP, UMBRELLA)
GROUNDS = (
    "#cfe8f7", "#a9b7e6", "#f6cfd8", "#d6ecc9", "#e3effa", "#bfe3ea",
    "#fde3c8", "#eaf3c4", "#dfd0ee", "#fbe9b7", "#f7d9cf", "#d4e6e4",
)  # fmt: skip
"""What is drawn, and the colour behind it, for the numbers of the deck from 1 on."""

CAT = (
    *inked(
        BLACK,
        "M -40 44 C -44 10 -38 -4 -36 -28 C -28 -26 -18 -20 -13 -14 L 13 -14 C 18 -20 28 -26 36 -28 "
        "C 38 -4 44 10 40 44 C 24 52 -24 52 -40 44 Z",
    ),
    *plain(
        PINK,
        "M -32 -18 C -26 -16 -22 -12 -19 -8 L -30 2 C -32 -6 -33 -12 -32 -18 Z",
        "M 32 -18 C 26 -16 22 -12 19 -8 L 30 2 C 32 -6 33 -12 32 -18 Z",
    ),
    *inked(BLACK, line((-20, -44), (20, -44), (17, -10), (-17, -10)), disc(0, -9, 30, 5)),
    *plain(SCARLET, line((-18, -19), (18, -19), (17, -12), (-17, -12))),
    *inked("#b7e04f", disc(-16, 12, 10, 9), disc(16, 12, 10, 9)),
    *plain(INK, disc(-15, 12, 3, 8), disc(15, 12, 3, 8)),
    *plain(WHITE, disc(-13.4, 8.6, 2), disc(16.6, 8.6, 2)),
    *plain(PINK, "M -5 24 L 5 24 C 5 28 2 30 0 31 C -2 30 -5 28 -5 24 Z"),
    *drawn("M 0 31 C 0 37 -6 39 -11 37", "M 0 31 C 0 37 6 39 11 37", colour=WHITE, width=2),
    *drawn("M -20 28 L -48 23", "M -20 32 L -48 33", "M 20 28 L 48 23", "M 20 32 L 48 33", colour=GREY, width=1.8),
)
CAT_GROUND = "#ffcf57"
