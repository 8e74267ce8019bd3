"""States as bytes, and back: with game, version and digest; everything is checked before a kernel sees it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from .cards import Deck
from .game import ASKED, NOBODY, RUNNING, Game, kept_as
from .layout import records

_MAGIC = b"karty state\n"
_FORMAT = 1


class StateError(ValueError):
    """Bytes that are no state of this game."""


def pack(game: Game, states: npt.NDArray[Any]) -> bytes:
    """The states [n] of a game as bytes."""
    body = np.ascontiguousarray(states).tobytes()
    header = {
        "game": game.name,
        "version": game.version,
        "format": _FORMAT,
        "layout": game.state.digest,
        "tables": len(states),
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    return _MAGIC + json.dumps(header).encode() + b"\n" + body


def unpack(
    game: Game,
    data: bytes,
    tables: int,
    blanks: npt.NDArray[Any],
    decks: Sequence[Deck],
    code: Any,
    actions: int,
    kinds: npt.NDArray[np.int64] | None = None,
) -> tuple[npt.NDArray[Any], npt.NDArray[np.int64]]:
    """The states [n] from bytes; StateError if they are not n states of this game with possible contents.

    ``blanks`` holds the options and seats of the tables that may take the states, ``decks`` their packs; which of them
    each state has is the second answer, int64 [n]; ``kinds`` [n] says which it must have. ``code`` holds the game's
    compiled entry points, ``actions`` is A.
    """
    if not isinstance(data, bytes | bytearray) or not data.startswith(_MAGIC) or b"\n" not in data[len(_MAGIC) :]:
        raise StateError("these bytes are no karty state")
    head, body = bytes(data[len(_MAGIC) :]).split(b"\n", 1)
    try:
        header = json.loads(head)
        found = {key: header[key] for key in ("game", "version", "format", "layout", "tables")}
        digest = header["sha256"]
    except (ValueError, KeyError, TypeError):
        raise StateError("the header of this karty state is damaged") from None
    wanted = {
        "game": game.name,
        "version": game.version,
        "format": _FORMAT,
        "layout": game.state.digest,
        "tables": tables,
    }
    for key, value in wanted.items():
        if found[key] != value:
            raise StateError(f"this state is of {key} {found[key]!r}, not {value!r}")
    if len(body) != tables * game.state.dtype.itemsize or hashlib.sha256(body).hexdigest() != digest:
        raise StateError("this karty state is truncated or damaged")
    states = np.frombuffer(bytearray(body), game.state.dtype)
    kind = np.zeros(tables, np.int64)
    for i in range(tables):
        first, last = (0, len(blanks)) if kinds is None else (int(kinds[i]), int(kinds[i]) + 1)
        kind[i] = first + check(game, states[i : i + 1], blanks[first:last], decks[first:last])
        if not _goes_on(records(states[i : i + 1].copy()), np.zeros(actions, np.int8), code):
            raise StateError(f"the state's turn is {states['turn'][i]}, but then no action is legal and nothing is due")
    return states, kind


def _goes_on(state: npt.NDArray[Any], mask: npt.NDArray[np.int8], code: Any) -> bool:
    """Is the episode over, or is something due, or has the seat asked a legal action?"""
    if state["over"][0] != RUNNING:
        return True
    if state["turn"][0] == NOBODY:
        return bool(code.table_advance(state) != ASKED)
    code.table_legal(state, mask)
    return bool(mask.any())


def _other_option(game: Game, state: Any, blank: Any) -> str:
    """The first option (or seats, or kind of episode) in which a state differs from the table's, or nothing."""
    for name in (*game.rules().to_state(), "seats", "single_deal"):
        if state[name] != blank[name]:
            return name
    return ""


def _told(game: Game, name: str, number: int) -> str:
    """A number of the state as its option has it."""
    spec = next((spec for spec in dataclasses.fields(game.rules) if kept_as(spec) == name), None)
    values = None if spec is None else spec.metadata["values"]
    return str(values[number]) if values is not None and 0 <= number < len(values) else str(number)


def check(game: Game, states: npt.NDArray[Any], blanks: npt.NDArray[Any], decks: Sequence[Deck]) -> int:
    """Which of the tables the one state is of; StateError unless it can be.

    Fields must be in their ranges, options those of the table, every card of its pack in one place, piles as is said.
    """
    others = [_other_option(game, states[0], blank) for blank in blanks]
    if all(others):
        name = others[0]
        found, wanted = (_told(game, name, int(state[name])) for state in (states[0], blanks[0]))
        raise StateError(f"the state's {name} is {found}, this table's is {wanted}")
    kind = others.index("")
    seats = int(states["seats"][0])
    for field in game.state:
        value = states[field.name][0]
        high = seats - 1 if field.kind == "seat" else field.high
        if states.dtype[field.name].base == np.uint64:
            continue
        if np.any(value < field.low) or np.any(value > high):
            raise StateError(f"the state's {field.name} ({field.caption}) is {value}, not from {field.low} to {high}")
    _check_cards(game, states, decks[kind])
    _check_piles(game, states)
    if flaw := game.flaw(states.view(np.recarray)[0]):
        raise StateError(f"the state cannot be: {flaw}")
    return kind


def _check_piles(game: Game, states: npt.NDArray[Any]) -> None:
    """StateError unless each pile has as many cards as is said of it, without a gap, and those that are said."""
    for field in game.state:
        if not field.counted:
            continue
        rows = states[field.name][0].reshape(-1, field.shape[-1])
        counts = np.ravel(states[field.counted][0])
        for i, (row, count) in enumerate(zip(rows.tolist(), counts.tolist(), strict=True)):
            if any((card >= 0) != (place < count) for place, card in enumerate(row)):
                raise StateError(
                    f"the state's {field.name} ({field.caption}) does not hold {field.counted}={count} cards"
                )
            if field.also and sum(1 << card for card in row[:count]) != int(np.ravel(states[field.also][0])[i]):
                raise StateError(f"the state's {field.name} ({field.caption}) does not hold the cards of {field.also}")


def _check_cards(game: Game, states: npt.NDArray[Any], deck: Deck) -> None:
    """StateError unless every card of the pack lies in one place, or none anywhere."""
    seen = 0
    for field in game.state:
        if not field.place:
            continue
        for cards in np.ravel(states[field.name][0]).tolist():
            if field.kind == "pile":
                cards = 0 if cards < 0 else 1 << cards
            if stranger := cards & ~deck.full:
                raise StateError(f"the state holds card {stranger.bit_length() - 1}, which is not in this pack")
            if twice := deck.cards(seen & cards):
                raise StateError(f"the state holds {twice[0]} twice")
            seen |= cards
    if seen not in (0, deck.full):
        raise StateError(f"the state lacks {deck.cards(deck.full & ~seen)[0]}")
    pack = [card for card in states["pack"][0].tolist() if card >= 0]
    if seen and (sum(1 << card for card in set(pack)) != deck.full or len(set(pack)) < len(pack)):
        raise StateError("the state's pack does not hold every card once")
