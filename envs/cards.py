"""Cards as numbers, sets of cards as one integer, and the words in which rules speak of them.

A card's number in a deck is suit * ranks + rank, weakest rank first. A set of cards is one int64 in which bit
``card`` is set; rules never touch the bits but say ``has``, ``plus``, ``minus``, ``both``, ``count``, ``lowest``,
``highest``, ``each``, ``after``, ``cards_at``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .kernel import eight, first_one, last_one, ones, place_in_eight, rule

EMPTY = 0
"""The set without cards."""
NO_CARD = -1
"""Where a card's number may stand and there is none."""


class Deck:
    """A pack of cards: what they are called, which suit and rank each has, which cards beat it in its suit.

    ``names`` are those of all numbers, ``size`` how many numbers there are, ``full`` the set of the cards in the pack.
    Arrays, all int64: ``suit_of`` and ``rank_of`` [cards]; ``of_suit`` [suits], ``of_rank`` [ranks] and ``above``
    [cards], sets.
    """

    def __init__(self, ranks: Sequence[str], suits: Sequence[str], *, without: str = "") -> None:
        """Take the ranks, weakest first, and the suits; ``without`` names a card taken out, which keeps its number."""
        self.ranks, self.suits = tuple(ranks), tuple(suits)
        self.names = tuple(rank + suit for suit in suits for rank in ranks)
        self.size = len(self.names)
        self.full = (1 << self.size) - 1
        if without:
            self.full -= 1 << self.id(without)
        cards = [card for card in range(self.size) if self.full >> card & 1]
        self.suit_of = np.arange(self.size) // len(ranks)
        self.rank_of = np.arange(self.size) % len(ranks)
        self.of_suit = np.array([sum(1 << c for c in cards if self.suit_of[c] == s) for s in range(len(suits))])
        self.of_rank = np.array([sum(1 << c for c in cards if self.rank_of[c] == r) for r in range(len(ranks))])
        self.above = np.array([int(self.of_suit[c // len(ranks)]) >> (c + 1) << (c + 1) for c in range(self.size)])

    def id(self, name: str) -> int:
        """The number of the card with this name; ValueError for no card of this deck."""
        if name in self.names and self.full >> (card := self.names.index(name)) & 1:
            return card
        if name in self.names:
            raise ValueError(f"{name} was taken out of this deck")
        if self.suits == ("",):
            raise ValueError(f"{name!r} is no card of this deck; cards: {' '.join(self.names)}")
        allowed = f"a rank of {' '.join(self.ranks)} and a suit of {' '.join(self.suits)}"
        raise ValueError(f"{name!r} is no card of this deck; a card is {allowed}, like {self.names[0]}")

    def set(self, names: str) -> int:
        """The set of the cards named, separated by spaces."""
        return sum(1 << self.id(name) for name in names.split())

    def cards(self, cards: int) -> list[str]:
        """The names of the cards of a set, in the order of their numbers."""
        return [name for card, name in enumerate(self.names) if int(cards) >> card & 1]


@rule
def only(card):
    """The set of this one card."""
    return 1 << card


@rule
def has(cards, card):
    """Is the card in the set?"""
    return cards >> card & 1 == 1


@rule
def plus(cards, others):
    """The cards of both sets together."""
    return cards | others


@rule
def minus(cards, others):
    """The cards of the first set that are not in the second."""
    return cards & ~others


@rule
def both(cards, others):
    """The cards that lie in both sets."""
    return cards & others


@rule
def count(cards):
    """How many cards are in the set."""
    return ones(cards)


@rule
def lowest(cards):
    """The card with the lowest number; the set must not be empty."""
    return first_one(cards)


@rule
def highest(cards):
    """The card with the highest number; the set must not be empty."""
    return last_one(cards)


@rule
def ranks_of(cards, suit, ranks):
    """The ranks that the set holds of one suit, as a set of ranks; a suit of the deck has so many."""
    return cards >> suit * ranks & ((1 << ranks) - 1)


@rule
def in_suit(held, suit, ranks):
    """The cards of one suit with these ranks, a set of ranks; a suit of the deck has so many."""
    return held << suit * ranks


@rule
def each(cards):
    """Go through the cards of the set, lowest first."""
    while cards != 0:
        yield lowest(cards)
        cards &= cards - 1


@rule
def after(cards, others):
    """The cards that come after all the others in the order of their numbers."""
    if others == 0:
        return cards
    last = highest(others) + 1
    return cards >> last << last


@rule
def cards_at(pile, top, number):
    """The set of so many cards of a pile, from place ``top`` on."""
    cards = 0
    for place in range(top, top + number):
        cards |= 1 << pile[place]
    return cards


# Eight 0/1 columns at a time: the eight bits of a byte as eight bytes.
_BYTES = np.array([sum(1 << 8 * i for i in range(8) if byte >> i & 1) for byte in range(256)])
_MINUS_BYTES = (255 * _BYTES.astype(np.uint64)).astype(np.int64)


@rule
def place_eight(columns, row, start):
    """Write eight columns, a byte each, into the int8 row from this one on."""
    for i in range(8):  # the compiler makes one store of these
        row[start + i] = ((columns >> 8 * i & 255) ^ 128) - 128  # 255 is -1


@rule
def spread(cards, row):
    """Write 1 into the int8 row's columns of the cards in the set, 0 into the others."""
    contrast(cards, EMPTY, row)


@rule
def contrast(sure, never, row):
    """Write 1 into the int8 row's columns of the cards surely there, -1 of those surely not, 0 into the others.

    A card that is both is surely not there.
    """
    size = row.shape[0]
    for start in range(0, size - 7, 8):
        place_eight(_BYTES[sure >> start & 255] | _MINUS_BYTES[never >> start & 255], row, start)
    if size & 7 and size >= 8:  # the last eight, some of them once more
        place_eight(_BYTES[sure >> size - 8 & 255] | _MINUS_BYTES[never >> size - 8 & 255], row, size - 8)
    if size < 8:
        for card in range(size):
            row[card] = -1 if never >> card & 1 else sure >> card & 1


@rule
def gather(row, value):
    """The set of the cards whose column in the row holds this value."""
    cards = 0
    for card in range(row.shape[0]):
        if row[card] == value:
            cards |= 1 << card
    return cards


@rule
def eighth(row, i):
    """The columns of a row from 8 i on, at most eight, as one number with a byte for each."""
    start, size = 8 * i, row.shape[0]
    if start + 8 <= size:
        return eight(row, start)
    if size >= 8:
        return eight(row, size - 8) >> 8 * (start + 8 - size)
    columns = 0
    for column in range(start, size):
        if row[column]:
            columns |= 1 << 8 * (column - start)
    return columns


@rule
def column(row):
    """The first column of the 0/1 row that is 1, or -1."""
    for i in range(row.shape[0]):
        if row[i]:
            return i
    return -1


@rule
def marked(row):
    """How many columns of the 0/1 row are 1."""
    found = 0
    for i in range(row.shape[0] + 7 >> 3):
        found += ones(eighth(row, i))
    return found


@rule
def marked_at(row, skip):
    """The column of the 0/1 row that is 1 after so many others; there must be one.

    Where it is cannot be foreseen, so no branch depends on it.
    """
    passed, place, before = 0, 0, 0
    for i in range(row.shape[0] + 7 >> 3):
        here = ones(eighth(row, i))
        passed += here
        further = passed <= skip
        place += further
        before += here * further
    return 8 * place + place_in_eight(eighth(row, place), skip - before)
