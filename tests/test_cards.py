"""Sets of cards in one integer, against Python's sets."""

import random

import numpy as np
import pytest

from karty.envs import cards
from karty.envs.cards import Deck

pytestmark = [pytest.mark.rules, pytest.mark.plain]

DECK = Deck(ranks="9JQKTA", suits="SCDH")
PACK = Deck(ranks="23456789TJQKA", suits="SCDH")


def as_int(elements):
    return sum(1 << card for card in elements)


def samples(count=60, size=52):
    """Pairs of random sets, the empty and the full one among them."""
    chance = random.Random(1)
    full = set(range(size))
    yield set(), set()
    yield full, set()
    yield full, full
    for _ in range(count):
        yield (
            set(chance.sample(range(size), chance.randint(0, size))),
            set(chance.sample(range(size), chance.randint(0, size))),
        )


def test_operations_on_sets():
    for a, b in samples():
        x, y = as_int(a), as_int(b)
        assert cards.plus(x, y) == as_int(a | b)
        assert cards.minus(x, y) == as_int(a - b)
        assert cards.both(x, y) == as_int(a & b)
        assert cards.count(x) == len(a)
        if a:
            assert cards.lowest(x) == min(a)
            assert cards.highest(x) == max(a)
        assert list(cards.each(x)) == sorted(a)
        assert [cards.has(x, card) for card in range(52)] == [card in a for card in range(52)]
    assert [cards.only(card) for card in (0, 23, 51)] == [1, 2**23, 2**51]


@pytest.mark.parametrize("size", [6, 8, 24, 31, 32, 52])
def test_spread_and_gather_write_and_read_columns(size):
    for a, _ in samples(20, size):
        row = np.full(size, 7, np.int8)
        cards.spread(as_int(a), row)
        assert row.tolist() == [int(card in a) for card in range(size)]
        assert cards.gather(row, 1) == as_int(a)
        assert cards.gather(row, 0) == as_int(set(range(size)) - a)


@pytest.mark.parametrize("size", [3, 8, 24, 61, 125])
def test_marked_counts_and_finds_the_columns_that_are_1(size):
    for a, _ in samples(30, size):
        row = np.zeros(size, np.int8)
        row[sorted(a)] = 1
        assert cards.marked(row) == len(a)
        assert [cards.marked_at(row, skip) for skip in np.arange(len(a))] == sorted(a)


def test_contrast_writes_sure_and_never():
    row = np.full(24, 7, np.int8)
    cards.contrast(as_int({0, 5}), as_int({1, 23}), row)
    assert row.tolist() == [1, -1, 0, 0, 0, 1, *[0] * 17, -1]


def test_a_deck_numbers_its_cards_by_suit_and_strength():
    assert DECK.names[:7] == ("9S", "JS", "QS", "KS", "TS", "AS", "9C")
    assert (DECK.size, DECK.full) == (24, 2**24 - 1)
    assert [DECK.id(card) for card in ("9S", "AS", "9H", "AH")] == [0, 5, 18, 23]
    assert DECK.set("9S AH") == 1 + 2**23
    assert DECK.cards(DECK.set("AH 9S TD")) == ["9S", "TD", "AH"]
    assert (PACK.size, PACK.id("AH"), PACK.names[13]) == (52, 51, "2C")


@pytest.mark.parametrize("deck", [DECK, PACK], ids=["24", "52"])
def test_suits_ranks_and_higher_cards(deck):
    for card, name in enumerate(deck.names):
        rank, suit = name
        assert (deck.ranks[deck.rank_of[card]], deck.suits[deck.suit_of[card]]) == (rank, suit)
        higher = [r + suit for r in deck.ranks[deck.ranks.index(rank) + 1 :]]
        assert deck.cards(deck.above[card]) == higher
    assert [deck.cards(cards)[0] for cards in deck.of_suit] == [deck.ranks[0] + suit for suit in deck.suits]
    assert deck.cards(deck.of_rank[0]) == [deck.ranks[0] + suit for suit in deck.suits]


def test_no_card_of_the_deck_is_an_error_that_shows_one():
    with pytest.raises(ValueError, match=r"'2S' is no card of this deck; .*9 J Q K T A.*S C D H.*like 9S"):
        DECK.id("2S")
