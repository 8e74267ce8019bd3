"""Named fields: one description of a state or an observation, from which everything else about it follows.

A state is a record of int64 fields in which a set of cards is one integer. An observation is a record of int8
columns, one per card, seat or choice, and is handed out viewed as one flat row. Both are declared as
``name=kind(caption, …)``.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from .cards import Deck
from .kernel import PLAIN

EMPTY, UNKNOWN, KNOWN = 0, 1, 2
"""What a column of kind ``code`` says: no card, an unknown card, or card + KNOWN."""

LARGEST_SHOWN = 1279
"""The largest number that two columns, tens and ones, can show: int8 ends at 127."""
SHOWN = 100
"""Counts that may grow without end, as that of deals, are shown up to this."""
TENS, ONES = np.divmod(np.arange(LARGEST_SHOWN + 1), 10)
"""The two columns of each number from 0 to LARGEST_SHOWN: kernels look them up rather than divide."""


@dataclass(frozen=True)
class Field:
    """A named part of a layout.

    ``kind`` is cards, pile, seat, choice, number or code; ``shape`` what the field holds, () for a single number;
    ``low`` and ``high`` bound each of its numbers; ``values`` names the columns of the last axis (cards, seats,
    choices); ``place`` says of a state's set or pile of cards that the cards lie there (not: are known, or were
    there); ``counted`` and ``also`` name the fields that tell of a pile how many cards it has, and which;
    ``start`` is its first column.
    """

    kind: str
    caption: str
    shape: tuple[int, ...] = ()
    low: int = 0
    high: int = 1
    unit: str = ""
    values: tuple[str, ...] = ()
    place: bool = False
    counted: str = ""
    also: str = ""
    name: str = ""
    start: int = 0

    @property
    def size(self) -> int:
        """How many columns (observation) or numbers (state) the field takes."""
        return math.prod(self.shape)

    @property
    def slice(self) -> slice:
        """Where the field lies in the flat row."""
        return slice(self.start, self.start + self.size)


def cards(caption: str, rows: Sequence[str] = (), *, low: int = 0, place: bool = False, sets: int = 0) -> Field:
    """Cards. In an observation one 0/1 column a card and row (low = -1: -1 for surely not).

    In a state one set, or ``sets``.
    """
    return Field(
        "cards", caption, (len(rows),) if rows else (sets,) if sets else (), low, values=tuple(rows), place=place
    )


def pile(caption: str, size: int, *, rows: int = 0, place: bool = False, counted: str = "", also: str = "") -> Field:
    """A state's cards in order, or ``rows`` such piles: card numbers, -1 where there is none.

    ``counted`` names the field that says how many there are, ``also`` the field that holds the same cards as sets.
    """
    shape = (rows, size) if rows else (size,)
    return Field("pile", caption, shape, -1, 127, place=place, counted=counted, also=also)


def seat(caption: str, seats: int = 0) -> Field:
    """One seat (a state: or several), -1 for none; observed as one 0/1 column a seat, clockwise from the observer."""
    return Field("seat", caption, (seats,) if seats else ())


def choice(caption: str, values: Sequence[Any]) -> Field:
    """One of the values, kept as its index; in an observation one 0/1 column a value."""
    return Field("choice", caption, (), 0, len(values) - 1, values=tuple(str(value) for value in values))


def number(
    caption: str, low: int, high: int, shape: tuple[int, ...] = (), *, unit: str = "", rows: Sequence[str] = ()
) -> Field:
    """Whole numbers from low to high."""
    return Field("number", caption, shape or ((len(rows),) if rows else ()), low, high, unit, tuple(rows))


def flag(caption: str, shape: tuple[int, ...] = (), *, rows: Sequence[str] = ()) -> Field:
    """0 or 1."""
    return number(caption, 0, 1, shape, rows=rows)


def code(caption: str, places: int, deck: Deck, *, rows: Sequence[str] = ()) -> Field:
    """An observation's places that each hold no card (0), an unknown one (1), or card + 2; or a row of them a seat.

    A pile, a fan, an order of play.
    """
    shape = (len(rows), places) if rows else (places,)
    return Field("code", caption, shape, 0, deck.size - 1 + KNOWN, values=("empty", "unknown", *deck.names))


def records(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Structured arrays as the kernels take them.

    With attributes in plain Python, bare for compiled code, where that is quicker.
    """
    return array.view(np.recarray) if PLAIN else array.view(np.ndarray)


class Layout:
    """Named fields in a row: their dtype, columns, bounds and captions.

    ``dtype`` is the record (of an observation with the field ``row``: all columns once more); ``low``, ``high`` [F]
    are the declared bounds of the columns, ``bound`` float32 [F] the larger of their absolute values, by which the
    float faces divide.
    """

    def __init__(self, fields: Sequence[Field], base: npt.DTypeLike) -> None:
        """Lay the fields out one after another, each number of type ``base``."""
        placed, start = [], 0
        for field in fields:
            placed.append(dataclasses.replace(field, start=start))
            start += field.size
        self.fields = tuple(placed)
        self.size = start
        self._by_name = {field.name: field for field in placed}
        self.dtype = _record(placed, lambda field: base)
        self.low = np.concatenate([np.full(field.size, field.low) for field in placed])
        self.high = np.concatenate([np.full(field.size, field.high) for field in placed])
        self.bound: npt.NDArray[np.float32] = np.maximum(abs(self.low), abs(self.high)).astype(np.float32)

    def __getitem__(self, name: str) -> Field:
        """The field of this name; KeyError if there is none."""
        return self._by_name[name]

    def __iter__(self) -> Iterator[Field]:
        """Go through the fields in their order."""
        return iter(self.fields)

    @cached_property
    def digest(self) -> str:
        """A name for exactly this layout: weights trained on another one do not fit."""
        text = ";".join(f"{f.name} {f.kind} {f.shape} {f.low} {f.high} {f.unit} {f.values}" for f in self.fields)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @cached_property
    def box(self) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
        """The lowest and highest values of ``normalise``, float32 [F] each."""
        return self.normalise(self.low), self.normalise(self.high)

    def normalise(self, row: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Divide rows [..., F] by the declared bounds: float32 [..., F] between -1 and 1."""
        scaled = row.astype(np.float32)
        scaled /= self.bound
        return scaled

    @cached_property
    def expanded(self) -> int:
        """E, the number of columns after ``expand``."""
        return sum(f.size * (len(f.values) if f.kind == "code" else 1) for f in self.fields)

    def expand(self, row: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Turn codes into one-hots: int8 [..., F] to int8 [..., E].

        The other columns stay as they are, in the same order.
        """
        if self.expanded == self.size:
            return row
        parts = []
        for field in self.fields:
            part = row[..., field.slice]
            if field.kind == "code":
                part = (part[..., None] == np.arange(len(field.values))).astype(np.int8).reshape(*row.shape[:-1], -1)
            parts.append(part)
        return np.concatenate(parts, axis=-1)

    def decode(self, row: npt.NDArray[Any]) -> dict[str, Any]:
        """A flat row [F] as {field: value}: names of cards and choices, seats as numbers, else the numbers themselves.

        Cards become the list of names whose column is not 0 (in a field with -1: a dict of name to value), one list a
        row where the field has rows; a seat -1 and a choice "" if no column is set.
        """
        decoded: dict[str, Any] = {}
        for field in self.fields:
            part = np.asarray(row)[field.slice].reshape(field.shape)
            if field.kind in ("cards", "code"):
                decoded[field.name] = _decode_cards(field, part)
            elif field.kind == "seat":
                decoded[field.name] = int(part.argmax()) if part.any() else -1
            elif field.kind == "choice":
                decoded[field.name] = field.values[int(part.argmax())] if part.any() else ""
            else:
                decoded[field.name] = part.tolist()
        return decoded


def _record(fields: Sequence[Field], kind: Callable[[Field], npt.DTypeLike]) -> np.dtype[np.void]:
    """The record of these fields; ``row`` is all of its int8 columns once more, so that a loop can clear them."""
    size = sum(field.size for field in fields)
    width = np.dtype(kind(fields[0])).itemsize
    names, formats = [field.name for field in fields], [(kind(field), field.shape) for field in fields]
    offsets = [field.start * width for field in fields]
    if width == 1:
        names, formats, offsets = [*names, "row"], [*formats, (np.int8, (size,))], [*offsets, 0]
    return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": size * width})


def _decode_cards(field: Field, part: npt.NDArray[Any]) -> Any:
    if part.ndim > 1:
        return [_decode_cards(field, row) for row in part]
    if field.kind == "code":
        return [field.values[int(value)] for value in part]
    if field.low < 0:
        return {field.values[i]: int(value) for i, value in enumerate(part) if value}
    return [field.values[i] for i, value in enumerate(part) if value]


def state(deck: Deck, seats: int, /, **fields: Field) -> Layout:
    """The layout of a game's state.

    The fields that every game has (HEADER), then its own, all int64 but the streams.
    """
    header = _header(deck, seats)
    if twice := header.keys() & fields.keys():
        raise TypeError(f"the state's fields {sorted(twice)} are named twice: every state has them")
    named = []
    for name, field in {**header, **fields}.items():
        if field.kind == "cards":
            field = dataclasses.replace(field, low=0, high=deck.full)
        elif field.kind == "pile":
            field = dataclasses.replace(field, high=deck.size - 1)
        elif field.kind == "seat":
            field = dataclasses.replace(field, low=-1, high=seats - 1)
        named.append(dataclasses.replace(field, name=name))
    layout = Layout(named, np.int64)
    streams = {"chance", "choices"}
    layout.dtype = _record(layout.fields, lambda field: np.uint64 if field.name in streams else np.int64)
    return layout


def _header(deck: Deck, seats: int) -> dict[str, Field]:
    """What the engine, records and pictures find in every game's state."""
    anything, large = 2**63 - 1, 2**31
    return {
        "first": number("the table's first seed", 0, anything),
        "episode": number("how many episodes came before at this table", 0, large),
        "seed": number("the episode's seed", 0, anything),
        "chance": number("stream of the deal", 0, anything, (1,)),
        "choices": number("stream of the built-in players' choices", 0, anything, (1,)),
        "seats": number("seats at this table", 2, seats),
        "single_deal": flag("the episode is one deal, not a match"),
        "turn": seat("seat that is asked"),
        "over": number("0 running, 1 terminated, 2 truncated, 3 ended by an illegal action", 0, 3),
        "forfeit": seat("seat whose illegal action ended the episode"),
        "revoked": flag("the last action broke a rule of play, and was taken back"),
        "stacked": flag("the cards lie ready: the next deal, or shuffle of a fan, leaves their order"),
        "pack": pile("the pack in the order dealt, -1 beyond its cards", deck.size),
        "margin": number("by how much the match was won, where a game reckons it", 0, 2**33),
        "dealer": seat("dealer, if the game has one"),
        "deal": number("deals over in this episode", 0, large),
        "attempt": number("redeals of this deal so far", 0, large),
        "start": number("scores before the first deal", -large, large, (seats,)),
        "scores": number("scores", -large, large, (seats,)),
        "change": number("what the last scored deal changed in each score", -large, large, (seats,)),
    }


def observation(deck: Deck, seats: int, /, **fields: Field) -> Layout:
    """The layout of what a seat sees: int8 columns, seats counted clockwise from the observer."""
    named = []
    for name, field in fields.items():
        if field.kind == "cards":
            field = dataclasses.replace(field, shape=(*field.shape, deck.size), values=deck.names, high=1)
        elif field.kind == "seat":
            field = dataclasses.replace(field, shape=(seats,), values=tuple(str(i) for i in range(seats)))
        elif field.kind == "choice":
            field = dataclasses.replace(field, shape=(len(field.values),), high=1)
        if not (field.low >= -128 and field.high <= 127):
            raise ValueError(f"the observation's field {name} leaves int8: {field.low} … {field.high}")
        named.append(dataclasses.replace(field, name=name))
    return Layout(named, np.int8)
