"""A table as a picture: one list of shapes, and from it text, SVG and pixels.

`view` reads what a seat sees, and nothing else, out of its observation; with `seat=None` all cards lie open. `scene`
gives each thing its place on the table, and the three writers draw the shapes. Which fields of a game's observation are
shown, and in which words, the game says in its `picture` (see `Look`).
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import numpy as np
import numpy.typing as npt

from .game import Game
from .layout import Layout
from .table import Table

# --------------------------------------------------------------------------------------- what a seat sees

SYMBOLS = {"S": "♠", "C": "♣", "D": "♦", "H": "♥"}
SUIT_NAMES = {"S": "spades", "C": "clubs", "D": "diamonds", "H": "hearts"}
RANK_NAMES = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
RED_SUITS = "DH"
FAN_ORDER = "SHCD"  # black and red by turns, so that neighbouring suits in a hand stand apart
BACK = None

Face = str | None
"""A card by its name, or BACK."""


@dataclass(frozen=True)
class Look:
    """Which fields of a game's observation a picture shows, and in which words.

    By name: `hand`, the seat's own cards; `held`, how many cards each seat holds; `known`, the cards known to be held
    by the others; `trick`, the cards of the current trick; `played`, those that each seat has played; `order`, the
    number of the trick in which each card was played; `turn`, `leader` and `phase`, who is asked, who leads, what is
    decided; `emblem`, the suit that the middle of the table shows.

    `piles` maps fields of cards on the table to the fields that count them. `seats` maps one-hot fields of seats, and
    fields with a number, flag or row of marks for each seat, to words that stand at the seats they hold for. `facts`
    maps other fields to words beside the middle, `mine` to words for the seat that looks only. In the words {} is the
    value; words with phases after them are for these phases only. Fields `x_tens` and `x_ones` are shown as one `x`.
    """

    hand: str = "hand"
    held: str = "held"
    known: str = "holding"
    trick: str = "trick"
    played: str = "played"
    order: str = "order"
    turn: str = "turn"
    phase: str = "phase"
    leader: str = "leader"
    emblem: str = "trump"
    piles: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    mine: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class SeatView:
    """One seat as it is seen: its number and name, score, cards, whether it is asked, and what is to be said of it."""

    seat: int
    name: str
    score: int
    cards: list[Face]
    asked: bool
    words: list[str]


@dataclass
class View:
    """A table as it is seen from one seat: the seats clockwise from it, the trick, the last trick, piles and facts."""

    title: str
    seats: list[SeatView]
    trick: list[tuple[int, str]]
    last: list[tuple[int, str]]
    taker: int | None
    emblem: str
    piles: dict[str, list[Face]]
    facts: list[str]
    mine: list[str]
    playable: set[str]


def view(game: Game, table: Table, seat: int | None = None, names: Sequence[str] | None = None) -> View:
    """What `seat` sees of the table, read from its observation; None: every card, as spectators of an open game see it.

    names: what the seats are called, "seat 0" … if left out.
    """
    look = Look(**game.picture)
    seats, me = table.rules.seats, seat or 0
    layout = game.shape(table.rules).observation
    seen = readable(layout, table.observe(me))
    order = [(me + i) % seats for i in range(seats)]
    leader = seen.get(look.leader, -1)
    trick, last = tricks(look, layout, seen, order)
    return View(
        title=f"{game.title} · deal {int(table.state.deal) + 1}"
        + (f" · {seen[look.phase]}" if seen.get(look.phase) else ""),
        seats=[
            SeatView(
                seat=s,
                name=names[s] if names else f"seat {s}",
                score=int(table.state.scores[s]),  # scores are public; the observation's may saturate
                cards=hand(game, table, look, seen, i, seat is None),
                asked=table.seat == s,
                words=list(said(look.seats, look, layout, seen, i)),
            )
            for i, s in enumerate(order)
        ],
        trick=trick,
        last=last,
        taker=order[leader] if last and leader >= 0 else None,
        emblem=str(seen.get(look.emblem, "")),
        piles=dict(piles(game, table, look, seen, seat is None)),
        facts=list(said(look.facts, look, layout, seen)),
        mine=[] if seat is None else list(said(look.mine, look, layout, seen)),
        playable=playable(game, table) if seat is None or table.seat == seat else set(),
    )


def readable(layout: Layout, row: npt.NDArray[np.int8]) -> dict[str, Any]:
    """An observation decoded, its numbers in ones, and `x_tens` and `x_ones` joined to `x`."""
    seen = layout.decode(row)
    for part in layout.fields:
        if part.unit == "tens":
            seen[part.name] = (10 * np.asarray(seen[part.name])).tolist()
    for name in [name for name in seen if name.endswith("_tens") and f"{name[:-5]}_ones" in seen]:
        ones = np.asarray(seen[f"{name[:-5]}_ones"])
        seen[name[:-5]] = (np.asarray(seen[name]) + ones).tolist()
    return seen


def hand(game: Game, table: Table, look: Look, seen: Mapping[str, Any], i: int, opened: bool) -> list[Face]:
    """The cards of the seat i places clockwise: faces if they are open or known, else backs."""
    if i == 0:
        return faces(game, seen[look.hand])
    if opened:
        layout = game.shape(table.rules).observation
        return faces(game, readable(layout, table.observe(i))[look.hand])
    known = seen[look.known][i - 1] if look.known in seen else {}
    shown = fan(game, [card for card, mark in known.items() if mark > 0])
    return [*shown, *[BACK] * (seen[look.held][i] - len(shown))]


def faces(game: Game, cards: Sequence[str]) -> list[Face]:
    """Cards of a decoded field: a set is sorted into a fan, an ordered pile keeps its order."""
    if all(card in game.shape().deck.names for card in cards):
        return list(fan(game, cards))
    return [BACK if card == "unknown" else card for card in cards if card != "empty"]


def fan(game: Game, cards: Sequence[str]) -> list[str]:
    """Cards as a person holds them: by suits, black and red by turns, the strongest first."""

    def place(card: str) -> tuple[int, int]:
        return FAN_ORDER.find(card[-1]), -game.shape().deck.names.index(card)

    return sorted(cards, key=place)


Trick = list[tuple[int, str]]
"""Seats and the cards they laid, in the order laid."""


def tricks(look: Look, layout: Layout, seen: Mapping[str, Any], order: Sequence[int]) -> tuple[Trick, Trick]:
    """The current trick and the last complete one, from the seat that leads now."""
    if look.trick not in seen or look.order not in seen:
        return [], []
    numbers = dict(zip(layout[look.order].values, seen[look.order], strict=True))
    current = set(seen[look.trick])
    latest = max((n for card, n in numbers.items() if card not in current), default=0)

    first = max(seen.get(look.leader, 0), 0)

    def laid(cards: set[str]) -> Trick:
        found = [(i, card) for i, row in enumerate(seen[look.played]) for card in row if card in cards]
        return [(order[i], card) for i, card in sorted(found, key=lambda one: (one[0] - first) % len(order))]

    return laid(current), laid({card for card, n in numbers.items() if n == latest > 0 and card not in current})


def piles(
    game: Game, table: Table, look: Look, seen: Mapping[str, Any], opened: bool
) -> Iterator[tuple[str, list[Face]]]:
    """The piles on the table that hold cards: faces of those that are seen, backs for the rest."""
    for name, counted in look.piles.items():
        count = seen[counted] if counted else len(faces(game, seen[name]))
        if opened and count:
            hidden = game.shape(table.rules).hidden.decode(table.hidden(0))
            shown = faces(game, hidden.get(counted) or seen[name])
        else:
            shown = faces(game, seen[name])
        if count:
            yield name, [*shown[:count], *[BACK] * (count - len(shown))]


def playable(game: Game, table: Table) -> set[str]:
    """The cards that the legal actions of the seat to move name."""
    if table.seat < 0:
        return set()
    names = game.action_names(table.rules)
    return {word for action in table.legal() for word in names[action].split()[1:] if word in game.shape().deck.names}


def said(
    words: Mapping[str, Any], look: Look, layout: Layout, seen: Mapping[str, Any], i: int | None = None
) -> Iterator[str]:
    """The words of a look for the fields that hold something; with i those of the seat i places clockwise."""
    for name, pattern in words.items():
        text, *phases = (pattern,) if isinstance(pattern, str) else pattern
        value = seen[name]
        if phases and seen.get(look.phase) not in phases:
            continue
        if i is not None:
            value = value[i] if isinstance(value, list) else value == i
        if np.any(value) and value != -1:
            yield text.format(spoken(value, layout, name))


def spoken(value: Any, layout: Layout, name: str) -> str:
    """A decoded value in words: cards and suits with symbols, a row of marks as the suits that are marked."""
    if isinstance(value, list) and all(isinstance(v, int) for v in value):
        value = [suit for suit, mark in zip(SYMBOLS, value, strict=False) if mark]
    if isinstance(value, list):
        return " ".join(symbol(str(v)) for v in value)
    kind = next((part for part in layout.fields if part.name == name), None)
    is_suit = kind is not None and kind.kind == "choice" and set(kind.values) <= set(SYMBOLS)
    return SYMBOLS[value] if is_suit and value else str(value)


def symbol(card: str) -> str:
    """A card's name with the sign of its suit: QH becomes Q♥."""
    return card[:-1] + SYMBOLS[card[-1]] if card[-1] in SYMBOLS else card


def called(card: str) -> str:
    """A card in words: QH is the queen of hearts."""
    rank, suit = card[:-1], card[-1]
    return f"{RANK_NAMES.get(rank, rank)} of {SUIT_NAMES[suit]}" if rank and suit in SUIT_NAMES else card


# ------------------------------------------------------------------------------------------------- shapes


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
    """A line of text; (x, y) is its baseline's start, middle or end."""

    x: float
    y: float
    text: str
    size: float
    fill: str
    anchor: str = "start"
    bold: bool = False
    serif: bool = False
    turned: bool = False


@dataclass(frozen=True)
class Card:
    """A card, face or back (name BACK), its upper left corner at (x, y)."""

    x: float
    y: float
    width: float
    name: Face


Shape = Box | Outline | Words | Card

WOOD, RIM, FELT, LINE = "#4a2c17", "#6b4226", "#1d6b45", "#2f855a"
MAT, EMBLEM, PLATE, PLATE_LINE, ASKED = "#1b6341", "#24764d", "#12492f", "#2f855a", "#f2c14e"
CREAM, PALE, ROSE = "#fbf5e6", "#b9d8c6", "#ff9d92"
PAPER, EDGE, SHADOW, INK, RED = "#fffdf7", "#8a8577", "#000000", "#1c1c22", "#c3202f"
COURT, COURT_LINE, GOLD = "#f7ebcf", "#c9a04f", "#e0b04a"
BACKS, BACK_LINE = "#24478f", "#e9edf7"

HEIGHT, WIDTH = 640, 960
EDGE_X, SEAT_Y, OWN_Y, PLATE_H = 40, 36, 442, 52
RATIO = 1.44  # a card's height by its width
LETTER = 0.6  # a letter's mean width by the size of its type, rather too wide than too narrow
TRICK_W, HAND_W, SIDE_W, SMALL_W = 72, 72, 58, 52


def scene(game: Game, table: Table, seat: int | None = None, names: Sequence[str] | None = None) -> list[Shape]:
    """The table as a list of shapes, as `seat` sees it or (None) with all cards open; names as for `view`."""
    return arranged(view(game, table, seat, names))


def arranged(seen: View) -> list[Shape]:
    """Everything of a view at its place: the looking seat below, the others clockwise above from left to right."""
    others = seen.seats[1:]
    width = max(WIDTH, 2 * EDGE_X + len(others) * 348 - 28)
    shapes: list[Shape] = [
        Box(0, 0, width, HEIGHT, WOOD, 22),
        Box(8, 8, width - 16, HEIGHT - 16, RIM, 18),
        Box(16, 16, width - 32, HEIGHT - 32, FELT, 14, LINE, 2),
        Box(width / 2 - 170, 198, 340, 234, MAT, 40, LINE, 1.5),
    ]
    room = (width - 2 * EDGE_X + 28) / max(len(others), 1)
    for i, other in enumerate(others):
        if len(others) == 1:
            shapes += at_seat(other, width / 2 - 260, SEAT_Y, 520, SIDE_W, seen.playable)
        else:
            shapes += at_seat(other, EDGE_X + i * room, SEAT_Y, room - 28, SIDE_W, seen.playable)
    shapes += at_seat(seen.seats[0], width / 2 - 290, OWN_Y, 580, HAND_W, seen.playable)
    shapes += in_the_middle(seen, width)
    shapes += beside(seen, width)
    return shapes


def at_seat(seat: SeatView, x: float, y: float, width: float, card_width: float, playable: set[str]) -> Iterator[Shape]:
    """A seat's plate with its name, score and words, and its cards below."""
    yield Box(x, y, width, PLATE_H, PLATE, 10, ASKED if seat.asked else PLATE_LINE, 3 if seat.asked else 1.5)
    yield Words(x + 16, y + 22, ("▶ " if seat.asked else "") + seat.name, 17, ASKED if seat.asked else CREAM, bold=True)
    yield Words(x + width - 16, y + 22, str(seat.score), 19, CREAM, "end", bold=True)
    words = " · ".join(seat.words)
    yield Words(x + 16, y + 42, words, min(14, (width - 32) / (LETTER * max(len(words), 1))), PALE)
    step = min(card_width * 0.8, (width - card_width) / max(len(seat.cards) - 1, 1))
    left = x + (width - card_width - step * (len(seat.cards) - 1)) / 2
    chosen = playable if seat.asked and not set(seat.cards) <= playable else set()
    for i, card in enumerate(seat.cards):
        lifted = 10 if card in chosen else 0
        yield Card(left + i * step, y + PLATE_H + 18 - lifted, card_width, card)


def in_the_middle(seen: View, width: float) -> Iterator[Shape]:
    """The current trick, each card on the side of the seat that laid it."""
    middle, others = (width - TRICK_W) / 2, len(seen.seats) - 1
    places = {seen.seats[0].seat: (middle, 322.0)}
    for i, other in enumerate(seen.seats[1:]):
        places[other.seat] = (middle + (i - (others - 1) / 2) * (TRICK_W + 28), 212.0)
    if seen.emblem in SUIT_PATHS:
        yield Outline(SUIT_PATHS[seen.emblem], width / 2, 315, 1.5, EMBLEM)
    for seat, card in seen.trick:
        yield Card(*places[seat], TRICK_W, card)


def beside(seen: View, width: float) -> Iterator[Shape]:
    """Left the title and the facts, right the last trick and the piles."""
    y = 236.0
    yield Words(EDGE_X, y, seen.title, 17, CREAM, bold=True)
    for fact in [*seen.facts, *seen.mine]:
        y += 24
        yield Words(EDGE_X, y, fact, 15, PALE)
    y = 236.0
    stacks: list[tuple[str, list[Face]]] = [*seen.piles.items()]
    if seen.last:
        names = {seat.seat: seat.name for seat in seen.seats}
        whose = "" if seen.taker is None else f" to {names[seen.taker]}"
        stacks.append((f"last trick{whose}", [card for _, card in seen.last]))
    for caption, cards in stacks:
        step = min(SMALL_W + 6, (236 - SMALL_W) / max(len(cards) - 1, 1))
        left = width - EDGE_X - SMALL_W - step * (len(cards) - 1)
        yield Words(width - EDGE_X, y, caption, 15, PALE, "end")
        for i, card in enumerate(cards):
            yield Card(left + i * step, y + 10, SMALL_W, card)
        y += 112


# -------------------------------------------------------------------------------------------- a card's face
# drawn on 100 × 144 units

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


def back() -> Iterator[Shape]:
    """The back of a card: a lattice of lozenges."""
    yield from blank()
    yield Box(7, 7, 86, TALL - 14, BACKS, 5, "none")
    for row in range(9):
        for column in range(5 + row % 2):
            x, y = 50 + (column - (4 + row % 2) / 2) * 15.5, 72 + (row - 4) * 14.2
            yield Outline(SUIT_PATHS["D"], x, y, 0.095, BACK_LINE)


# ---------------------------------------------------------------------------------------------------- text

COLUMN, ROW = 12, 20  # pixels to a character
ASCII = str.maketrans(
    {**{sign: suit for suit, sign in SYMBOLS.items()}, "░": "#", "▶": ">", "·": "-", "ą": "a", "ś": "s"}
)
ANSI_RED, ANSI_PLAIN = "\x1b[91m", "\x1b[0m"


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


def as_text(shapes: Sequence[Shape], *, encoding: str | None = "utf-8", colour: bool = False) -> str:
    """Words and cards of a scene on a grid of characters."""
    rows: dict[int, list[tuple[float, str]]] = {}
    for shape in shapes:
        if isinstance(shape, Card):
            row = round((shape.y + shape.width * RATIO / 2) / ROW)
            rows.setdefault(row, []).append((shape.x / COLUMN, "░░" if shape.name is BACK else symbol(shape.name)))
        elif isinstance(shape, Words) and shape.text:
            shift = {"start": 0.0, "middle": len(shape.text) / 2, "end": float(len(shape.text))}[shape.anchor]
            rows.setdefault(round(shape.y / ROW), []).append((shape.x / COLUMN - shift, shape.text))
    lines: list[str] = []
    for row in range(min(rows, default=0), max(rows, default=0) + 1):
        line = ""
        for column, piece in sorted(rows.get(row, [])):
            # what would overlap moves to the right
            line = line.ljust(max(round(column), len(line) + 1 if line else 0)) + piece
        if line or (lines and lines[-1]):
            lines.append(line)
    whole = "\n".join(lines)
    return coloured(drawable(whole, encoding)) if colour else drawable(whole, encoding)


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


# ----------------------------------------------------------------------------------------------------- SVG

SANS = "DejaVu Sans, Segoe UI, Helvetica, Arial, sans-serif"
SERIF = "Georgia, DejaVu Serif, Times New Roman, serif"


def svg(game: Game, table: Table, seat: int | None = None, names: Sequence[str] | None = None) -> str:
    """The table as an SVG document; arguments as for `view`."""
    return as_svg(scene(game, table, seat, names), f"{game.title}: a table")


def as_svg(shapes: Sequence[Shape], title: str = "a card table") -> str:
    """A scene as an SVG document; a card that is seen is <use class="card" id="card-QH">, a back <use class="back">."""
    width, height = extent(shapes)
    used = dict.fromkeys(shape.name for shape in shapes if isinstance(shape, Card))
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
            f' viewBox="0 0 {width} {height}" role="img">',
            f"<title>{escape(title)}</title>",
            "<defs>",
            *(f'<path id="suit-{suit}" d="{path}"/>' for suit, path in SUIT_PATHS.items()),
            *(as_symbol(name) for name in used),
            "</defs>",
            *(svg_element(shape) for shape in shapes),
            "</svg>\n",
        ]
    )


def as_symbol(name: Face) -> str:
    """The definition of a card's face or back."""
    drawn = "".join(svg_element(shape) for shape in face(name))
    return f'<symbol id="face-{escape(name or "back")}" viewBox="0 0 100 {TALL}" overflow="visible">{drawn}</symbol>'


def svg_element(shape: Shape) -> str:
    """One shape as an SVG element."""
    if isinstance(shape, Box):
        faded = "" if shape.opacity == 1 else f' opacity="{shape.opacity:g}"'
        border = "" if shape.stroke == "none" else f' stroke="{shape.stroke}" stroke-width="{shape.line:g}"'
        return (
            f'<rect x="{shape.x:g}" y="{shape.y:g}" width="{shape.width:g}" height="{shape.height:g}"'
            f' rx="{shape.radius:g}" fill="{shape.fill}"{border}{faded}/>'
        )
    if isinstance(shape, Outline):
        moved = f"translate({shape.x:g} {shape.y:g}) scale({-shape.size if shape.turned else shape.size:g})"
        suit = next((suit for suit, path in SUIT_PATHS.items() if path == shape.path), None)
        if suit:
            return f'<use href="#suit-{suit}" transform="{moved}" fill="{shape.fill}"/>'
        border = "" if shape.stroke == "none" else f' stroke="{shape.stroke}" stroke-width="{shape.line:g}"'
        return f'<path d="{shape.path}" transform="{moved}" fill="{shape.fill}"{border}/>'
    if isinstance(shape, Words):
        turn = f' transform="rotate(180 {shape.x:g} {shape.y:g})"' if shape.turned else ""
        weight = ' font-weight="bold"' if shape.bold else ""
        family = quoteattr(SERIF if shape.serif else SANS)
        words = re.sub("[♦♥]", lambda sign: f'<tspan fill="{ROSE}">{sign[0]}</tspan>', escape(shape.text))
        return (
            f'<text x="{shape.x:g}" y="{shape.y:g}" font-size="{shape.size:g}" font-family={family}{weight}'
            f' fill="{shape.fill}" text-anchor="{shape.anchor}"{turn}>{words}</text>'
        )
    width, height = shape.width, round(shape.width * RATIO, 2)
    place = f'x="{shape.x:g}" y="{shape.y:g}" width="{width:g}" height="{height:g}"'
    if shape.name is BACK:
        return f'<use class="back" href="#face-back" {place}/>'
    name = escape(shape.name)
    return f'<use class="card" id="card-{name}" href="#face-{name}" {place}><title>{called(name)}</title></use>'


def extent(shapes: Sequence[Shape]) -> tuple[int, int]:
    """The width and height that hold all boxes of a scene."""
    boxes = [shape for shape in shapes if isinstance(shape, Box)]
    return math.ceil(max(b.x + b.width for b in boxes)), math.ceil(max(b.y + b.height for b in boxes))


# -------------------------------------------------------------------------------------------------- pixels


def pixels(
    game: Game, table: Table, seat: int | None = None, names: Sequence[str] | None = None
) -> npt.NDArray[np.uint8]:
    """The table as an image, uint8 [height, width, 3]; needs matplotlib. Arguments as for `view`."""
    return as_pixels(scene(game, table, seat, names))


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
        else:
            yield shape


def moved(shape: Shape, x: float, y: float, scale: float) -> Shape:
    """A part of a card's face at the card's place on the table."""
    x, y = x + shape.x * scale, y + shape.y * scale
    if isinstance(shape, Box):
        sizes = (shape.width * scale, shape.height * scale, shape.radius * scale, shape.line * scale)
        return replace(shape, x=x, y=y, width=sizes[0], height=sizes[1], radius=sizes[2], line=sizes[3])
    if isinstance(shape, Card):
        return replace(shape, x=x, y=y, width=shape.width * scale)
    return replace(shape, x=x, y=y, size=shape.size * scale)  # an outline's line is in units of its size


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
