"""Tricks: following suit, beating, winning; shared by the trick-taking games.

``above`` int64[cards] and ``of_suit`` int64[suits] are the deck's sets; a trump of NO_TRUMP is none.
"""

from __future__ import annotations

from .cards import both, plus
from .kernel import rule

NO_TRUMP = -1


@rule
def stronger(above, of_suit, suit_of, best, trump):
    """The cards that beat the best card on the table: higher ones of its suit, and any trump over a plain card."""
    cards = above[best]
    if trump != NO_TRUMP and suit_of[best] != trump:
        cards = plus(cards, of_suit[trump])
    return cards


@rule
def follow(hand, suit):
    """The cards of the led suit, or all if there is none."""
    following = both(hand, suit)
    if following != 0:
        return following
    return hand


@rule
def beat(cards, better):
    """Of the cards that may be laid those that beat, or all if none does."""
    beating = both(cards, better)
    if beating != 0:
        return beating
    return cards
