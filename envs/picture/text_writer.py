"""A picture as lines of text."""

from collections.abc import Sequence

from .names import SYMBOLS
from .shapes import BETWEEN, RATIO, Card, Shape, Words, joined, written

COLUMN, ROW = 12, 20  # pixels to a character
APART = 5  # what begins so many characters apart in the picture is no longer one row of cards
ASCII = str.maketrans(
    {**{sign: suit for suit, sign in SYMBOLS.items()}, "░": "#", "▶": ">", "·": "-", "ą": "a", "ś": "s"}
)
ANSI_RED, ANSI_PLAIN = "\x1b[91m", "\x1b[0m"


def as_text(shapes: Sequence[Shape], *, encoding: str | None = "utf-8", colour: bool = False) -> str:
    """Words and cards of a scene on a grid of characters."""
    rows: dict[tuple[int, int], list[tuple[float, str]]] = {}  # by row, and line of what goes on below it
    for shape in shapes:
        if isinstance(shape, Card):
            row, name = round((shape.y + shape.width * RATIO / 2) / ROW), written(shape)
            rows.setdefault((row, 0), []).append((shape.x / COLUMN, name))
            if shape.label:
                # as wide as the card, so that both lines keep in step
                rows.setdefault((row + 1, 0), []).append((shape.x / COLUMN, shape.label.text.ljust(len(name))))
        elif isinstance(shape, Words) and shape.text:
            shift = {"start": 0.0, "middle": len(shape.text) / 2, "end": float(len(shape.text))}[shape.anchor]
            row, column = round(shape.y / ROW), shape.x / COLUMN - shift
            below = 0
            for part in lines_of(shape):
                while shape.room and any(at == column for at, _ in rows.get((row, below), [])):
                    below += 1
                rows.setdefault((row, below), []).append((column, part))
    for row in range(min(rows, default=(0, 0))[0], max(rows, default=(0, 0))[0] + 1):
        rows.setdefault((row, 0), [])
    lines: list[str] = []
    for _, pieces in sorted(rows.items()):
        line, before = "", -float(APART)
        for column, piece in sorted(pieces, key=lambda one: one[0]):
            # what would overlap moves to the right
            gap = 1 if column - before < APART else 3
            line = line.ljust(max(round(column), len(line) + gap if line else 0)) + piece
            before = column
        line = line.rstrip()
        if line or (lines and lines[-1]):
            lines.append(line)
    whole = "\n".join(lines)
    return coloured(drawable(whole, encoding)) if colour else drawable(whole, encoding)


def lines_of(words: Words) -> list[str]:
    """Words in as many lines as their room asks for."""
    return joined(words.text.split(BETWEEN), BETWEEN, int(words.room / COLUMN)) if words.room else [words.text]


def drawable(whole: str, encoding: str | None) -> str:
    """The text itself if the encoding has all its signs, else the same in ASCII."""
    try:
        whole.encode(encoding or "ascii")
        return whole
    except (UnicodeEncodeError, LookupError):
        return whole.translate(ASCII).encode("ascii", "replace").decode()


def coloured(whole: str) -> str:
    """The text with its red cards red: a red sign and the rank before it."""
    out: list[str] = []
    for i, sign in enumerate(whole):
        following = whole[i + 1] if i + 1 < len(whole) else " "
        red = sign in "♦♥" or (following in "♦♥" and not sign.isspace())
        out.append(f"{ANSI_RED}{sign}{ANSI_PLAIN}" if red else sign)
    return "".join(out)
