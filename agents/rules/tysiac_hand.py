"""Tysiąc by rules of thumb: what a hand promises to declarer."""

import numpy as np

from karty.envs.cards import NO_CARD, both, count, has, plus
from karty.envs.games.tysiac_tables import (
    DECK,
    KING,
    MARRIAGE,
    OF_SUIT,
    PAIR,
    SUITS,
    TABLES,
)
from karty.envs.kernel import rule

NOBODY = -1
NEVER = 10**6
ME, PARTNER = 0, 2
ACE, TEN = KING + 2, KING + 1
MATE = np.array([{"Q": card + 1, "K": card - 1}.get(name[0], NO_CARD) for card, name in enumerate(DECK.names)])
SEATS_AT = np.array([at.seats for at in TABLES.values()])


@rule
def number(tens, ones, seat):
    """A seat's points or score, which the observation holds in two columns."""
    return 10 * int(tens[seat]) + int(ones[seat])


# What a hand promises


@rule
def pairs(hand):
    """The kings and queens of the marriages in the hand."""
    found = 0
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            found = plus(found, PAIR[suit])
    return found


@rule
def suit_worth(hand, suit, t):
    """Points that the cards of one suit promise, its marriage included."""
    cards = both(hand, OF_SUIT[suit])
    if cards == 0:
        return t.void
    length = count(cards)
    worth = 0
    if has(cards, ACE[suit]):
        worth += t.ace
        if has(cards, TEN[suit]):
            worth += t.ten
            if has(cards, KING[suit]):
                worth += t.king
    elif has(cards, TEN[suit]) and length > 1:
        worth += t.guarded
    if length > 3:
        worth += t.length * (length - 3) * (length - 2) // 2
    if both(cards, PAIR[suit]) == PAIR[suit]:
        worth += MARRIAGE[suit] + t.beside * (length - 2)
        worth += t.helped * (has(cards, ACE[suit]) + has(cards, TEN[suit]))
    elif both(cards, PAIR[suit]) != 0:
        worth += MARRIAGE[suit] * t.chance // 100
    return worth


@rule
def promise(hand, t):
    """Points that a hand promises to declarer; of several marriages only the best is sure to be melded."""
    worth = marriages = best = 0
    for suit in range(SUITS):
        worth += suit_worth(hand, suit, t)
        if both(hand, PAIR[suit]) == PAIR[suit]:
            marriages += MARRIAGE[suit]
            best = MARRIAGE[suit]
    return worth - (marriages - best) * (100 - t.second) // 100
