"""Everything that is seen of a table, at its place in the picture."""

from collections.abc import Iterator, Sequence
from math import ceil
from textwrap import wrap

from .faces import SUIT_PATHS
from .names import symbol
from .seen import SeatView, View
from .shapes import (
    ASKED,
    BETWEEN,
    CREAM,
    EMBLEM,
    FELT,
    LINE,
    MAT,
    PALE,
    PLATE,
    PLATE_LINE,
    RATIO,
    RIM,
    WOOD,
    Box,
    Card,
    Face,
    Outline,
    Shape,
    Words,
)

HEIGHT, WIDTH = 640, 960
EDGE_X, SEAT_Y, OWN_Y, PLATE_H = 40, 36, 442, 52
SEAT_W, NARROW_W, GAP = 320, 206, 28  # a seat above, with up to four of them, with more, and what is between
MAT_Y, MAT_H, MAT_W, WIDE_MAT_W = 198, 234, 340, 412
STACK_W, LOW_STACK_W = 236, 210  # what a pile or the last trick takes at most; a third one lies beside the own plate
LETTER, BOLD = 0.6, 0.7  # a letter's mean width by the size of its type, rather too wide than too narrow
SMALL_TYPE = 10.5  # words that would have to be smaller stand in two lines
TRICK_W, HAND_W, SIDE_W, SMALL_W = 72, 72, 58, 52
FACT_H = 20  # from fact to fact
NUMBERS_H = 18  # room for the numbers below a fan
PILE_W, PILE_ROW, PILE_STEP = 72, 8, 46  # the cards of a pile: their width, how many in a row, from row to row
SECOND = 0.36  # how far the second card of a pair lies to the right, by a card's width


def arranged(seen: View) -> list[Shape]:
    """Everything of a view at its place: the looking seat below, the others clockwise above from left to right."""
    others = seen.seats[1:]
    seat_width = SEAT_W if len(others) <= 4 else NARROW_W
    width = max(WIDTH, 2 * EDGE_X + len(others) * (seat_width + GAP) - GAP)
    low = NUMBERS_H if any(seat.fan for seat in seen.seats) else 0
    height = HEIGHT + 2 * low
    mat = WIDE_MAT_W if seen.pile or seen.pairs else MAT_W
    aside = (width - mat) / 2 - EDGE_X - 12  # the room beside the mat
    shapes: list[Shape] = [
        Box(0, 0, width, height, WOOD, 22),
        Box(8, 8, width - 16, height - 16, RIM, 18),
        Box(16, 16, width - 32, height - 32, FELT, 14, LINE, 2),
        Box((width - mat) / 2, MAT_Y + low, mat, MAT_H, MAT, 40, LINE, 1.5),
    ]
    room = (width - 2 * EDGE_X + GAP) / max(len(others), 1)
    for i, other in enumerate(others):
        if len(others) == 1:
            shapes += at_seat(other, width / 2 - 260, SEAT_Y, 520, SIDE_W, seen.playable)
        else:
            shapes += at_seat(other, EDGE_X + i * room, SEAT_Y, room - GAP, SIDE_W, seen.playable)
    shapes += at_seat(seen.seats[0], width / 2 - 290, OWN_Y + low, 580, HAND_W, seen.playable)
    shapes += in_the_middle(seen, width, low)
    shapes += heaped(seen.pile, width / 2, MAT_Y + low)
    shapes += laid_off(seen.pairs, width / 2, MAT_Y + low)
    shapes += beside(seen, width, low, aside)
    return shapes


def at_seat(seat: SeatView, x: float, y: float, width: float, card_width: float, playable: set[str]) -> Iterator[Shape]:
    """A seat's plate with its name, score and words, and its cards below."""
    yield Box(x, y, width, PLATE_H, PLATE, 10, ASKED if seat.asked else PLATE_LINE, 3 if seat.asked else 1.5)
    yield Words(x + 16, y + 22, ("▶ " if seat.asked else "") + seat.name, 17, ASKED if seat.asked else CREAM, bold=True)
    yield Words(x + width - 16, y + 22, seat.score, 19, CREAM, "end", bold=True)
    yield from words_on(seat.words, x + 16, y + 42, width - 32)
    step = min(card_width * 0.8, (width - card_width) / max(len(seat.cards) - 1, 1))
    left = x + (width - card_width - step * (len(seat.cards) - 1)) / 2
    chosen = chosen_places(seat, playable)
    top, size = y + PLATE_H + 18, min(13, (step - 3) / (BOLD * len(str(len(seat.cards)))))
    for i, card in enumerate(seat.cards):
        at = left + i * step
        number = number_below(i, at + 3, top + card_width * RATIO + 14, size, i in seat.drawable) if seat.fan else None
        yield Card(at, top - (10 if i in chosen else 0), card_width, card, down=i in seat.down, label=number)


def words_on(words: Sequence[str], x: float, y: float, width: float) -> Iterator[Words]:
    """What is to be said of a seat, in a line that fits, or in two if its type would be too small."""

    def fitting(line: str) -> float:
        return min(14, width / (LETTER * max(len(line), 1)))

    room = width + 32  # a plate's, to its edges
    whole = BETWEEN.join(words)
    if fitting(whole) >= SMALL_TYPE or len(words) == 1:
        yield Words(x, y, whole, fitting(whole), PALE, room=room)
        return
    cuts = [(BETWEEN.join(words[:i]), BETWEEN.join(words[i:])) for i in range(1, len(words))]
    upper, lower = min(cuts, key=lambda cut: max(map(len, cut)))
    size = min(fitting(upper), fitting(lower), SMALL_TYPE)
    yield Words(x, y - 6, upper, size, PALE, room=room)
    yield Words(x, y + 5.5, lower, size, PALE, room=room)


def chosen_places(seat: SeatView, playable: set[str]) -> set[int]:
    """The places of the cards that may be played or drawn, if not all of the seat's may."""
    chosen = set(seat.drawable)
    if seat.asked:
        chosen |= {i for i, card in enumerate(seat.cards) if card in playable}
    return chosen if len(chosen) < len(seat.cards) else set()


def number_below(place: int, x: float, y: float, size: float, drawable: bool) -> Words:
    """The number of a place in a fan, below its card's left edge."""
    return Words(x, y, str(place), size, ASKED if drawable else PALE, bold=drawable)


def in_the_middle(seen: View, width: float, low: float) -> Iterator[Shape]:
    """The current trick, each card on the side of the seat that laid it."""
    middle, others = (width - TRICK_W) / 2, len(seen.seats) - 1
    places = {seen.seats[0].seat: (middle, 322.0 + low)}
    for i, other in enumerate(seen.seats[1:]):
        places[other.seat] = (middle + (i - (others - 1) / 2) * (TRICK_W + 28), 212.0 + low)
    if seen.emblem in SUIT_PATHS:
        yield Outline(SUIT_PATHS[seen.emblem], width / 2, 315 + low, 1.5, EMBLEM)
    for seat, card in seen.trick:
        yield Card(*places[seat], TRICK_W, card)


def heaped(pile: Sequence[Face], middle: float, y: float) -> Iterator[Shape]:
    """An ordered pile, bottom first, row upon row like writing, its last card in a frame: the top."""
    if not pile:
        return
    top = f" · top {symbol(pile[-1])}" if pile[-1] else ""
    yield Words(middle - WIDE_MAT_W / 2 + 22, y + 20, f"pile of {len(pile)}{top}", 13, PALE)
    rows = ceil(len(pile) / PILE_ROW)
    step = (WIDE_MAT_W - 44 - PILE_W) / (PILE_ROW - 1)
    left = middle - (min(len(pile), PILE_ROW) - 1) * step / 2 - PILE_W / 2
    above = y + 27 + (MAT_H - 32 - PILE_W * RATIO - (rows - 1) * PILE_STEP) / 2
    for i, card in enumerate(pile):
        row, column = divmod(i, PILE_ROW)
        yield Card(left + column * step, above + row * PILE_STEP, PILE_W, card, framed=i == len(pile) - 1)


def laid_off(cards: Sequence[str], middle: float, y: float) -> Iterator[Shape]:
    """Cards laid off two by two, in rows that leave them as large as they can be."""
    if not cards:
        return
    pairs = [cards[i : i + 2] for i in range(0, len(cards), 2)]
    yield Words(middle - WIDE_MAT_W / 2 + 22, y + 20, f"laid off · pairs {len(pairs)}", 13, PALE)
    across, down = WIDE_MAT_W - 36, MAT_H - 38

    def card_width(columns: int) -> float:
        rows = ceil(len(pairs) / columns)
        return min(SIDE_W, (across / columns - 12) / (1 + SECOND), (down / rows - 8) / RATIO)

    columns = max(range(1, len(pairs) + 1), key=card_width)
    width, rows = card_width(columns), ceil(len(pairs) / columns)
    cell, line = width * (1 + SECOND) + 12, width * RATIO + 8
    above = y + 28 + (down - rows * line + 8) / 2
    for i, pair in enumerate(pairs):
        row, column = divmod(i, columns)
        inside = min(columns, len(pairs) - row * columns)
        left = middle - (inside * cell - 12) / 2 + column * cell
        for j, card in enumerate(pair):
            yield Card(left + j * SECOND * width, above + row * line, width, card)


def beside(seen: View, width: float, low: float, aside: float) -> Iterator[Shape]:
    """Left the title and the facts, in lines that end before the mat; right the last trick and the piles."""
    y = 236.0 + low
    yield Words(EDGE_X, y, seen.title, 17, CREAM, bold=True)
    for fact in [*seen.facts, *seen.mine]:
        for line in wrap(fact, int(aside / (LETTER * 15))):
            y += FACT_H
            yield Words(EDGE_X, y, line, 15, PALE)
    y = 236.0 + low
    stacks: list[tuple[str, list[Face]]] = []
    if seen.last:
        names = {seat.seat: seat.name for seat in seen.seats}
        whose = "" if seen.taker is None else f" to {names[seen.taker]}"
        stacks.append((f"last trick{whose}", [card for _, card in seen.last]))
    stacks += seen.piles.items()
    # Beside the own plate there is less room: so the most cards come first, else the last trick with its long caption.
    for caption, cards in sorted(stacks, key=lambda stack: -len(stack[1]) if len(stack[1]) > PILE_ROW else 0):
        room = STACK_W if y + 10 + SMALL_W * RATIO < OWN_Y + low else LOW_STACK_W
        step = min(SMALL_W + 6, (room - SMALL_W) / max(len(cards) - 1, 1))
        left = width - EDGE_X - SMALL_W - step * (len(cards) - 1)
        yield Words(width - EDGE_X, y, caption, 15, PALE, "end")
        for i, card in enumerate(cards):
            yield Card(left + i * step, y + 10, SMALL_W, card)
        y += 112
