"""Tricks: following suit, beating, winning; shared by the trick-taking games.

``above`` int64[cards] and ``of_suit`` int64[suits] are the deck's sets; a trump of NO_TRUMP is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .cards import EMPTY, NO_CARD, Deck, both, count, has, minus, only, plus, spread
from .game import NOBODY, clockwise
from .kernel import rule
from .layout import Field, cards, number
from .layout import seat as one_seat

NO_TRUMP = -1
NO_SUIT = -1
"""No card has been led."""


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


# Playing tricks, for games whose state has ``hands`` and the fields of ``trick_fields``


def trick_fields(deck: Deck, seats: int, tricks: int) -> dict[str, Field]:
    """A state's fields for tricks: so many seats at most, so many tricks in a deal at most."""
    return {
        "played": cards("cards played", sets=seats, place=True),
        "order": number("number of the trick, from 1, in which each card was played", 0, tricks, (deck.size,)),
        "leader": one_seat("seat that leads, or led, the trick"),
        "led": number("suit led", NO_SUIT, len(deck.suits) - 1),
        "laid": number("cards in the current trick", 0, seats),
        "trick": cards("cards in the current trick"),
        "trick_number": number("the trick's number, from 1", 1, tricks + 1),
        "best": number("best card of the trick", NO_CARD, deck.size - 1),
        "best_seat": one_seat("seat that laid it"),
        "tricks": number("tricks taken", 0, tricks, (seats,)),
        "cannot": cards("cards that a seat has shown not to hold", sets=seats),
    }


@rule
def clear_play(s):
    """No trick has been played."""
    s.played[:] = EMPTY
    s.order[:] = 0
    s.tricks[:] = 0
    s.cannot[:] = EMPTY
    s.leader = NOBODY
    s.trick_number = 1
    clear_trick(s)


@rule
def clear_trick(s):
    """No card lies in the trick."""
    s.laid = 0
    s.trick = EMPTY
    s.led = NO_SUIT
    s.best = NO_CARD
    s.best_seat = NOBODY


@rule
def lay_card(s, card, suit_of, better):
    """A card of the seat asked goes from its hand into the trick; it is the best if it is led, or among the better."""
    if s.laid == 0:
        s.led = suit_of[card]
        s.leader = s.turn
    if s.laid == 0 or has(better, card):
        s.best = card
        s.best_seat = s.turn
    s.hands[s.turn] = minus(s.hands[s.turn], only(card))
    s.played[s.turn] = plus(s.played[s.turn], only(card))
    s.trick = plus(s.trick, only(card))
    s.order[card] = s.trick_number
    s.laid += 1


@rule
def take_trick(s):
    """The seat with the best card takes the trick and is to lead the next; answers that seat."""
    winner = s.best_seat
    s.tricks[winner] += 1
    s.trick_number += 1
    clear_trick(s)
    s.leader = winner
    s.turn = winner
    return winner


@rule
def show_void(s, card, suit_of, of_suit):
    """A seat that does not follow shows that it holds none of the suit led."""
    if s.laid > 0 and suit_of[card] != s.led:
        s.cannot[s.turn] = plus(s.cannot[s.turn], of_suit[s.led])


def flaw_of_tricks(s: Any, suit_of: Any) -> str:
    """What the fields of ``trick_fields`` say against each other, or ""."""
    played, best = sum(int(cards) for cards in s.played), int(s.best)
    if int(s.trick) & ~played or int(s.laid) != int(s.trick).bit_count():
        return "the cards of the trick have been played"
    none = (best == NO_CARD, s.best_seat == NOBODY, s.led == NO_SUIT)
    if any(none) != all(none) or none[0] != (s.laid == 0):
        return "a trick has a best card as soon as one is led"
    if s.laid and (not int(s.trick) >> best & 1 or not int(s.played[s.best_seat]) >> best & 1):
        return "the best card of the trick was laid by its seat"
    if s.laid and not any(int(s.trick) >> card & 1 for card, suit in enumerate(suit_of) if suit == s.led):
        return "the suit led lies in the trick"
    if s.laid and s.leader == NOBODY:
        return "somebody leads a trick"
    return ""


@rule
def observe_tricks(s, me, o):
    """What all see of the tricks: leader, current trick, cards held, cards played and when, tricks taken."""
    if s.leader != NOBODY:
        o.leader[clockwise(s, me, s.leader)] = 1
    begun = s.laid > 0 or s.trick_number > 1
    if begun:
        spread(s.trick, o.trick)
        for card in range(o.order.shape[0]):
            o.order[card] = s.order[card]
    for seat in range(s.seats):
        i = clockwise(s, me, seat)
        o.held[i] = count(s.hands[seat])
        o.tricks[i] = s.tricks[seat]
        if begun:
            spread(s.played[seat], o.played[i])


Laid = list[tuple[int, str]]
"""The cards of a trick from the lead on, each after its seat."""


def last_lead(
    deck: Deck,
    now: Mapping[str, Any],
    first: int,
    trump: str = "",
    trumps: Callable[[Laid, str], tuple[str, str]] = lambda laid, trump: (trump, trump),
) -> int:
    """The seat clockwise that led the last complete trick, from a decoded observation; NOBODY before there is one.

    An observation tells who leads now, not who led then, so the tricks are played again. first: who led the first one;
    trumps: the trump in a trick and after it, by its cards and the trump before it; trump: that before the first.
    """
    numbers = dict(zip(deck.names, now["order"], strict=True))
    over = max((n for card, n in numbers.items() if card not in now["trick"]), default=0)
    leader = first if over else NOBODY
    for number_now in range(1, over):
        cards = {i: card for i, row in enumerate(now["played"]) for card in row if numbers[card] == number_now}
        laid = [(i, cards[i]) for i in sorted(cards, key=lambda i: (i - leader) % len(now["played"]))]
        trump_now, trump = trumps(laid, trump)
        leader = taker(deck, laid, trump_now)
    return leader


def taker(deck: Deck, laid: Laid, trump: str) -> int:
    """The seat that takes a trick: highest trump, else highest of the suit led."""

    def strength(one: tuple[int, str]) -> tuple[bool, bool, int]:
        card = one[1]
        return card[-1] == trump, card[-1] == laid[0][1][-1], int(deck.rank_of[deck.names.index(card)])

    return max(laid, key=strength)[0]
