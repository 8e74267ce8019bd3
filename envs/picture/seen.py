"""What a seat sees of a table, and nothing else, read out of its observation; with `seat=None` all cards lie open."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from ..cards import Deck
from ..game import Game
from ..layout import Layout
from ..table import Table
from .names import SYMBOLS, is_red, signed, symbol
from .shapes import BACK, Face

FAN_ORDER = "SHCD"  # black and red by turns, so that neighbouring suits in a hand stand apart
SCORED = "score"
"""What the scores that the table keeps are called."""


@dataclass(frozen=True)
class Look:
    """Which fields of a game's observation a picture shows, and in which words.

    By name: `hand`, the seat's own cards; `held`, how many cards each seat holds; `known`, the cards known to be held
    by the others (or by each seat); `trick`, the cards of the current trick; `played`, those that each seat has played;
    `order`, the number of the trick in which each card was played; `leader`, `dealer` and `phase`, who leads, who
    dealt, what is decided; `emblem`, the suit that the middle of the table shows.

    `ranked`: hands are sorted by ranks and not by suits.

    `fans`, where hands keep their order: a row of places for each seat, in place of `hand`, `held` and `known`.
    `pile`: the places of an ordered pile in the middle, bottom first. `pairs`: cards laid off two by two; those of a
    rank may stand there mixed.

    `score` is what the number at each seat is called: the scores that the table keeps, or, by any other name, the field
    of that name; `called` is another word for it. `marks` are the words for the scores 0, 1, 2 …; beyond them stands
    the number.

    `piles` maps fields of cards on the table to the fields that count them; or, for a pile of which nobody sees a card,
    its name to the field of the hidden cards, or to the field that counts it; or the name of the hidden cards to the
    field of those that a seat sees and the field that counts all. Several piles of one name are shown apart. The last
    may be counted alone: if all cards lie open, those that lie nowhere else are there. `parts` maps a pile to a field
    of cards that one seat alone knows to lie there, to the field of that seat, to what those cards are called and to
    what the others are: who knows which is which sees two piles.

    `seats` maps one-hot fields of seats, and fields with a number, flag or row of marks for each seat, to words that
    stand at the seats they hold for; `memory` the same, for what only the seat that looks knows of the others. `facts`
    maps other fields to words beside the middle, `mine` to words for the seat that looks only (of a field with a row
    for each seat: its own). In the words {} is the value; words with phases, fields or "field=value" after them are
    said in one of these phases, or where one of these fields holds something, or this; a list of such words says each
    that may be said. Fields `x_tens` and `x_ones` are shown as one `x`. The fields of `Game.shown` are among them, and
    {1} in their values is the name of the seat clockwise.

    `positions` maps a kind of action whose number is a place in a fan to the field of the seat whose fan it is. `ranks`
    are the beginnings of actions whose last word is a rank, and which thus mean the cards of that rank.

    `series` maps a phase in which cards are named one by one, in the order of the actions' ids, to the kind of those
    actions and to words that ask for them. `titles` are other words for phases than their names.
    """

    hand: str = "hand"
    held: str = "held"
    known: str = "holding"
    trick: str = "trick"
    played: str = "played"
    order: str = "order"
    phase: str = "phase"
    leader: str = "leader"
    dealer: str = "dealer"
    emblem: str = "trump"
    ranked: bool = False
    fans: str = ""
    pile: str = ""
    pairs: str = ""
    score: str = SCORED
    called: str = ""
    marks: tuple[str, ...] = ()
    piles: Mapping[str, str] = field(default_factory=dict)
    seats: Mapping[str, Any] = field(default_factory=dict)
    memory: Mapping[str, Any] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    mine: Mapping[str, Any] = field(default_factory=dict)
    positions: Mapping[str, str] = field(default_factory=dict)
    ranks: tuple[str, ...] = ()
    series: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    parts: Mapping[str, tuple[str, str, str, str]] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)


@dataclass
class SeatView:
    """One seat as it is seen: its number and name, score, cards, whether it is asked, and what is to be said of it.

    fan: its cards stand in an order that matters, and their places have numbers from 0 on. down: the places of those
    that lie face down although their faces are known. drawable: the places that may be drawn from now.
    """

    seat: int
    name: str
    score: str
    cards: list[Face]
    asked: bool
    words: list[str]
    fan: bool = False
    down: frozenset[int] = frozenset()
    drawable: frozenset[int] = frozenset()


@dataclass
class View:
    """A table as it is seen from one seat: the seats clockwise from it, the trick, the last trick, piles and facts.

    score: what the numbers at the seats are called; kept: they are the scores that the table keeps. pile: the cards in
    the middle, bottom first. pairs: cards laid off. ranked: hands are sorted by ranks. phase: the name of what is
    being decided, "" where the game has no phases.
    """

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
    score: str = SCORED
    kept: bool = True
    pile: list[Face] = field(default_factory=list)
    pairs: list[str] = field(default_factory=list)
    ranked: bool = False
    phase: str = ""


def view(game: Game, table: Table, seat: int | None = None, names: Sequence[str] | None = None) -> View:
    """What `seat` sees of the table, read from its observation; None: every card, as spectators of an open game see it.

    names: what the seats are called, "seat 0" … if left out.
    """
    look = Look(**game.picture)
    seats, me = table.seats, seat or 0
    deck, layout = table.shape.deck, table.shape.observation
    order = [(me + i) % seats for i in range(seats)]
    number, dealer = table.latest
    every = [readable(layout, table.observe(s)) for s in (order if seat is None else [me])]
    for its, whose in zip(every, order, strict=False):
        if dealer is not None and look.dealer in its:
            its[look.dealer] = (dealer - whose) % seats
    seen = every[0]
    seen.update(game.shown(every))
    called = [short(names[s]) if names else f"seat {s}" for s in order]
    leader = seen.get(look.leader, -1)
    trick, last = tricks(game, look, layout, seen, order)
    hands = [hand(table, look, seen, i, seat is None) for i in range(seats)]
    asked = table.seat if seat is None or table.seat == seat else -1
    playable, drawable = marked(game, table, look, asked)
    remembered = {} if seat is None else look.memory
    phase = str(seen.get(look.phase, ""))
    # a deal that is over lies on the table until the next one is dealt
    asked_now = "over" if table.number == number else game.asks(seen) or look.titles.get(phase, phase)
    lying = dict(piles(table, look, seen, me, seat is None, elsewhere(look, seen, hands)))
    by_elimination(deck, lying, elsewhere(look, seen, hands))

    def spelled(words: Iterator[str]) -> list[str]:
        return [signed(text).format(*called) for text in words]

    return View(
        title=f"{game.title} · deal {number}" + (f" · {asked_now.format(*called)}" if asked_now else ""),
        seats=[
            SeatView(
                seat=s,
                name=names[s] if names else f"seat {s}",
                score=scored(look, table, seen, i, s),
                cards=hands[i],
                asked=table.seat == s if seat is None else seen["turn"] == i,  # it may be asked so that nobody notices
                words=[
                    *spelled(said(look.seats, look, layout, seen, i)),
                    *(spelled(said(remembered, look, layout, seen, i)) if i else ()),
                ],
                fan=look.fans != "",
                down=frozenset(known_places(hands[i]) if look.fans and i and seat is not None else ()),
                drawable=frozenset(n for name, n in drawable if seen[name] == i),
            )
            for i, s in enumerate(order)
        ],
        trick=trick,
        last=last,
        taker=order[leader] if last and leader >= 0 else None,
        emblem=str(seen.get(look.emblem, "")),
        piles=dict(parted(look, lying, every)),
        facts=spelled(said(look.facts, look, layout, seen)),
        mine=[] if seat is None else spelled(said(look.mine, look, layout, seen)),
        playable=playable.intersection(*(cards for s, cards in zip(order, hands, strict=True) if s == asked)),
        score=look.called or look.score,
        kept=look.score == SCORED,
        pile=faces(deck, layout, look.pile, seen[look.pile]) if look.pile else [],
        ranked=look.ranked,
        phase=phase,
        pairs=paired(deck, seen[look.pairs]) if look.pairs else [],
    )


def short(name: str) -> str:
    """A seat's name without what stands after it in brackets, as in a sentence."""
    return name.split(" (")[0]


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


def hand(table: Table, look: Look, seen: Mapping[str, Any], i: int, opened: bool) -> list[Face]:
    """The cards of the seat i places clockwise: faces if they are open or known, else backs."""
    deck, layout = table.shape.deck, table.shape.observation
    own = readable(layout, table.observe(i)) if opened else seen
    if look.fans:
        return faces(deck, layout, look.fans, own[look.fans][0] if opened else seen[look.fans][i])
    if opened or i == 0:
        return list(fan(deck, own[look.hand], ranked=look.ranked))
    known = row_of(layout, seen[look.known], i) if look.known in seen else ()
    sure = [card for card in known if not isinstance(known, dict) or known[card] > 0]
    return [*fan(deck, sure, ranked=look.ranked), *[BACK] * (seen[look.held][i] - len(sure))]


def faces(deck: Deck, layout: Layout, name: str, cards: Sequence[str]) -> list[Face]:
    """Cards of a decoded field: a set is sorted into a fan, places keep their order."""
    if layout[name].kind == "code":
        return [BACK if card == "unknown" else card for card in cards if card != "empty"]
    return list(fan(deck, cards))


def fan(deck: Deck, cards: Sequence[str], *, ranked: bool = False) -> list[str]:
    """Cards as a person holds them: by suits, black and red by turns, the strongest first; or by ranks first."""

    def place(card: str) -> tuple[int, int]:
        suit, rank = FAN_ORDER.find(card[-1]), -int(deck.rank_of[deck.names.index(card)])
        return (rank, suit) if ranked else (suit, rank)

    return sorted(cards, key=place)


def paired(deck: Deck, cards: Sequence[str]) -> list[str]:
    """Cards so that pairs stand together: by ranks, and in a rank by colours.

    What is seen is a set: where any two cards of a rank may be laid as a pair, which two lay together is not shown.
    """

    def place(card: str) -> tuple[int, bool, int]:
        number = deck.names.index(card)
        return int(deck.rank_of[number]), is_red(card), number

    return sorted(cards, key=place)


def known_places(cards: Sequence[Face]) -> Iterator[int]:
    """The places of the cards that are no backs."""
    return (place for place, card in enumerate(cards) if card is not BACK)


def scored(look: Look, table: Table, seen: Mapping[str, Any], i: int, seat: int) -> str:
    """What stands at a seat as its score: in words as far as the game has them."""
    # the table's scores are public, and those of an observation may saturate
    score = int(table.state.scores[seat]) if look.score == SCORED else int(seen[look.score][i])
    return look.marks[score] if 0 <= score < len(look.marks) else str(score)


Trick = list[tuple[int, str]]
"""Seats and the cards they laid, in the order laid."""


def tricks(
    game: Game, look: Look, layout: Layout, seen: Mapping[str, Any], order: Sequence[int]
) -> tuple[Trick, Trick]:
    """The current trick and the last complete one, each from the seat that led it."""
    if look.trick not in seen or look.order not in seen:
        return [], []
    numbers = dict(zip(layout[look.order].values, seen[look.order], strict=True))
    current = set(seen[look.trick])
    latest = max((n for card, n in numbers.items() if card not in current), default=0)

    def laid(cards: set[str], first: int) -> Trick:
        found = [(i, card) for i, row in enumerate(seen[look.played]) for card in row if card in cards]
        return [(order[i], card) for i, card in sorted(found, key=lambda one: (one[0] - first) % len(order))]

    last = {card for card, n in numbers.items() if n == latest > 0 and card not in current}
    return laid(current, seen.get(look.leader, 0)), laid(last, game.led(seen)) if last else []


def elsewhere(look: Look, seen: Mapping[str, Any], hands: Sequence[Sequence[Face]]) -> set[Face]:
    """The cards that are known to be in a hand, or have been played: those lie in no pile any more."""
    return {card for cards in (*hands, *seen.get(look.played, ())) for card in cards}


def piles(
    table: Table, look: Look, seen: Mapping[str, Any], me: int, opened: bool, gone: set[Face]
) -> Iterator[tuple[str, list[Face]]]:
    """The piles on the table that hold cards: faces of those that are seen and are not gone, backs for the rest."""
    deck, layout, hidden = table.shape.deck, table.shape.observation, table.shape.hidden
    lying, placed = hidden.decode(table.hidden(me)), set(gone)
    for name, fields in look.piles.items():
        field, counted = fields if isinstance(fields, tuple) else (name, fields)
        unseen = field not in seen
        shown: list[Face] = []
        if not unseen:
            shown = [card for card in faces(deck, layout, field, seen[field]) if card not in gone]
            count = seen[counted] if counted else len(shown)
        else:  # all know how many cards lie there, though nobody which
            count = len(lying[counted]) if counted in lying else seen[counted]
        if opened and count:
            whole = lying.get(counted, lying.get(name))
            if whole is None and unseen:
                whole = [card for card in deck.cards(deck.full) if card not in placed]
            if whole:
                whole = [*whole, *(card for card in shown if card and card not in whole)]
                shown = list(faces(deck, hidden, counted, whole)) if counted in lying else list(fan(deck, whole))
        placed.update(shown)
        if count:
            pile = [*shown[:count], *[BACK] * (count - len(shown))]
            yield from apart(table, name, pile, opened).items()


def by_elimination(deck: Deck, lying: dict[str, list[Face]], placed: set[Face]) -> None:
    """Put faces to a pile's backs where they alone are left: nobody holds a card that is not seen, nor does a pile."""
    backs = [(name, place) for name, pile in lying.items() for place, card in enumerate(pile) if card is BACK]
    unseen = [
        card for card in deck.cards(deck.full) if card not in placed and not any(card in p for p in lying.values())
    ]
    if BACK in placed or len({name for name, _ in backs}) != 1 or len(backs) != len(unseen):
        return
    for (name, place), card in zip(backs, fan(deck, unseen), strict=True):
        lying[name][place] = card


def parted(
    look: Look, lying: Mapping[str, list[Face]], every: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, list[Face]]]:
    """The piles, those in parts where it is seen which cards are which."""
    for name, pile in lying.items():
        if name not in look.parts:
            yield name, pile
            continue
        field, owner, its, others = look.parts[name]
        known = {card for seen in every if seen[owner] == 0 for card in seen[field]}
        knows = any(seen[owner] == 0 for seen in every)
        parts = [[card for card in pile if (card in known) == mine] for mine in (True, False)]
        yield from ((called, part) for called, part in zip((its, others), parts, strict=True) if part and knows)
        if not knows:
            yield name, pile


def apart(table: Table, name: str, pile: list[Face], opened: bool) -> dict[str, list[Face]]:
    """The piles of one name, as long as all their cards lie there: numbered from 1, as the actions do."""
    sizes = [size for its, _, size in table.game.piles(table.rules, table.dealer or 0) if its == name]
    if len(sizes) < 2 or sum(sizes) != len(pile):
        return {name: pile}
    if opened:
        dealt = table.dealt()[name]
        return {f"{name} {i}": list(fan(table.shape.deck, cards)) for i, cards in enumerate(dealt, 1)}
    return {f"{name} {i}": [BACK] * size for i, size in enumerate(sizes, 1)}


def marked(game: Game, table: Table, look: Look, asked: int) -> tuple[set[str], list[tuple[str, int]]]:
    """What the legal actions of the seat asked name: cards, and places in the fan of the seat that a field says."""
    cards: set[str] = set()
    places: list[tuple[str, int]] = []
    if asked < 0:
        return cards, places
    deck = table.shape.deck
    for action in table.legal():
        name = table.shape.actions[action]
        kind, *words = name.split()
        if kind in look.positions:
            places.append((look.positions[kind], int(words[0])))
        elif name.startswith(look.ranks):
            cards.update(card for card in deck.names if card[:-1] == words[-1])
        else:
            cards.update(word for word in words if word in deck.names)
    return cards, places


def row_of(layout: Layout, value: Sequence[Any], i: int) -> Any:
    """The part of the seat i places clockwise in a field with a row for each seat, or for each other seat."""
    seats = next(part.size for part in layout.fields if part.kind == "seat")  # the layout's, that may be more than play
    return value[i] if len(value) == seats else value[i - 1] if i else ()


def said(
    words: Mapping[str, Any], look: Look, layout: Layout, seen: Mapping[str, Any], i: int | None = None
) -> Iterator[str]:
    """The words of a look for the fields that hold something; with i those of the seat i places clockwise."""
    for name, patterns in words.items():
        for pattern in patterns if isinstance(patterns, list) else [patterns]:
            text, *when = (pattern,) if isinstance(pattern, str) else pattern
            value = seen[name]
            if when and not any(true_now(one, look, seen) for one in when):
                continue
            if i is not None:
                value = row_of(layout, value, i) if isinstance(value, list) else value == i
            elif isinstance(value, list) and value and isinstance(value[0], list):
                value = value[0]
            if holds(value):
                yield text.format(spoken(value, look, layout, name))


def true_now(condition: str, look: Look, seen: Mapping[str, Any]) -> bool:
    """Is this the phase, does this field hold something, or does it hold what stands after the equals sign?"""
    name, _, value = condition.partition("=")
    if value:
        return str(seen[name]) == value
    return bool(seen.get(look.phase) == name) or holds(seen.get(name))


def holds(value: Any) -> bool:
    """Does a decoded value say anything: is it not 0, no seat, no choice, no cards?"""
    if isinstance(value, (list, tuple)):
        return any(holds(part) for part in value)
    return bool(value) and value != -1


def spoken(value: Any, look: Look, layout: Layout, name: str) -> str:
    """A decoded value in words: cards and suits with signs, a row of marks as what is marked.

    That is what the field says of its columns; where it says nothing, places in a game of fans, else four suits.
    """
    kind = next((part for part in layout.fields if part.name == name), None)
    if isinstance(value, list) and all(isinstance(v, int) for v in value):
        marks: Sequence[Any] = range(len(value))
        if kind is not None and len(kind.values) == len(value):
            marks = kind.values
        elif not look.fans and len(value) == len(SYMBOLS):
            marks = tuple(SYMBOLS)
        value = [mark for mark, on in zip(marks, value, strict=True) if on]
    if isinstance(value, list):
        return " ".join(symbol(str(v)) for v in value)
    is_suit = kind is not None and kind.kind == "choice" and set(kind.values) <= set(SYMBOLS)
    return SYMBOLS[value] if is_suit and value else str(value)
