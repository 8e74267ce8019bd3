"""Tysiąc by rules of thumb: what the seat to play knows of the other hands, and how likely they beat a card."""

from math import comb
from typing import NamedTuple

import numpy as np

from karty.agents.rules.tysiac_hand import ME, NOBODY, SEATS_AT, number
from karty.envs.cards import NO_CARD, both, column, count, each, gather, has, lowest, minus, only, plus
from karty.envs.games.tysiac_tables import (
    ABOVE,
    ALL_POINTS,
    CARDS,
    KING,
    KING_ON_QUEEN,
    MARRIAGE,
    OF_SUIT,
    PAIR,
    PLAYERS,
    POINTS,
    STEP,
    SUIT_OF,
    SUITS,
    TEAMS,
    card_points,
)
from karty.envs.kernel import rule
from karty.envs.tricks import NO_TRUMP

RIVAL = -50  # per cent that a fellow's points count once the contract is decided: half of what he gains on me
MEAN_POINTS = ALL_POINTS // CARDS
MOST_HELD = 12
EVERY, HELD = range(CARDS + 1), range(MOST_HELD + 1)
ODDS = np.array([[[100 * comb(max(cards - wanted, 0), held) // max(comb(cards, held), 1) for held in HELD]
                  for wanted in EVERY] for cards in EVERY], np.int8)  # fmt: skip


class Other(NamedTuple):
    """What is known of another hand: the cards it may hold, those of them it surely holds, and how many it has."""

    may: int
    sure: int
    held: int


class View(NamedTuple):
    """My hand, the cards that nobody has shown yet, the other hands, and the trick so far."""

    hand: int
    out: int
    first: Other  # the seat on my left
    second: Other
    third: Other
    table: int
    stock: int  # cards in it
    aside: int  # points aside that go to the last trick, as far as known
    trump: int
    trick: int
    points: int  # in the trick
    led: int
    best: int
    holder: int  # who laid the best card
    waiting: int  # seats clockwise from me that have not laid yet, resting dealers included
    to_come: int  # cards that they will lay


@rule
def takes(card, best, trump):
    """Does the card beat the best one on the table?"""
    return best == NO_CARD or has(ABOVE[best], card) or (SUIT_OF[card] == trump and SUIT_OF[best] != trump)


@rule
def look(o):
    """Read the observation."""
    table = column(o.table)
    seats = SEATS_AT[table]
    hand, trick = gather(o.hand, 1), gather(o.trick, 1)
    out = minus(gather(o.order, 0), hand)
    first_sure = second_sure = third_sure = 0
    if seats == 2:
        out = minus(out, gather(o.gave, 1))  # what I laid away
        first_may = minus(out, gather(o.holding[0], -1))
        first_sure = gather(o.holding[0], 1)
        if count(first_may) == o.held[1]:
            first_sure = first_may
        second_may = third_may = 0
    else:
        first_sure, second_sure = gather(o.holding[0], 1), gather(o.holding[1], 1)
        if seats == 4:
            third_sure = gather(o.holding[2], 1)
        first_may = minus(minus(out, gather(o.holding[0], -1)), plus(second_sure, third_sure))
        second_may = minus(minus(out, gather(o.holding[1], -1)), plus(first_sure, third_sure))
        third_may = 0
        if seats == 4:
            third_may = minus(minus(out, gather(o.holding[2], -1)), plus(first_sure, second_sure))
    first = Other(first_may, first_sure, int(o.held[1]))
    second = Other(second_may, second_sure, int(o.held[2]))
    third = Other(third_may, third_sure, int(o.held[3]))
    aside = 0
    if o.laid_aside > 0 and o.last_trick_takes_aside:
        gave = gather(o.gave, 1)
        aside = card_points(gave) + MEAN_POINTS * (int(o.laid_aside) - count(gave))
    trump = column(o.trump)
    points, led, best, holder, waiting = 0, NO_TRUMP, NO_CARD, NOBODY, seats - 1
    if trick != 0:
        leader = column(o.leader)
        waiting = leader - 1
        for seat in range(leader, seats):
            cards = both(trick, gather(o.played[seat], 1))
            if cards == 0:
                continue  # a dealer that rests
            card = lowest(cards)
            points += POINTS[card]
            if best == NO_CARD:
                led = SUIT_OF[card]
            if takes(card, best, trump):
                best, holder = card, seat
    to_come = PLAYERS[table] - 1 - count(trick)
    return View(
        hand, out, first, second, third, table, int(o.stock), aside,
        trump, trick, points, led, best, holder, waiting, to_come,
    )  # fmt: skip


@rule
def none_of(cards, wanted, held):
    """Per cent: how likely so many cards held, of these, are none of the wanted ones."""
    return int(ODDS[cards, wanted, min(max(held, 0), MOST_HELD)])


@rule
def holds_any(wanted, other):
    """Per cent: how likely another hand holds one of the wanted cards."""
    if both(wanted, other.sure) != 0:
        return 100
    cards, places = count(minus(other.may, other.sure)), other.held - count(other.sure)
    return 100 - none_of(cards, count(both(wanted, other.may)), places)


@rule
def beaten(card, led, trump, other):
    """Per cent: how likely a seat yet to play has to beat the card."""
    cards, places = count(minus(other.may, other.sure)), other.held - count(other.sure)
    follows = both(other.may, OF_SUIT[led])
    likely = 0
    if SUIT_OF[card] == led:
        higher = both(follows, ABOVE[card])
        if both(higher, other.sure) != 0:
            return 100
        likely = 100 - none_of(cards, count(higher), places)
        if trump in (NO_TRUMP, led):
            return likely
        higher = both(other.may, OF_SUIT[trump])
    else:
        higher = both(other.may, ABOVE[card])
    if higher == 0 or both(follows, other.sure) != 0:
        return likely
    void = none_of(cards, count(follows), places)
    if both(higher, other.sure) != 0:
        return likely + void
    return likely + void * (100 - none_of(cards - count(follows), count(higher), places)) // 100


@rule
def can_take(card, trump, other):
    """Per cent: how likely a seat that need not follow holds a card that beats this one."""
    better = ABOVE[card]
    if trump not in (NO_TRUMP, SUIT_OF[card]):
        better = plus(better, OF_SUIT[trump])
    return holds_any(better, other)


@rule
def seat_at(v, place):
    """What is known of the hand of the first, second or third seat on my left."""
    if place == 0:
        return v.first
    return v.second if place == 1 else v.third


@rule
def sure_lead(card, v):
    """Does the card, led, surely take the trick?"""
    led = SUIT_OF[card]
    if v.trump == NO_TRUMP or v.trump == led:
        return both(v.out, ABOVE[card]) == 0
    if v.stock > 0:
        return both(v.out, plus(ABOVE[card], OF_SUIT[v.trump])) == 0
    likely = 0
    for place in range(v.waiting):
        likely = max(likely, beaten(card, led, v.trump, seat_at(v, place)))
    return likely == 0


@rule
def still_to_win(v):
    """The points that the others may still take at most: all cards, and marriages that they may hold."""
    points = v.points
    for card in each(plus(v.hand, v.out)):
        points += POINTS[card]
    for suit in range(SUITS):
        if both(v.out, PAIR[suit]) == PAIR[suit]:
            points += MARRIAGE[suit]
    return points


@rule
def sides(o, v, t):
    """Per cent that a point in the tricks of the first, second and third seat on my left counts for me."""
    if TEAMS[v.table]:
        return -100, 100, -100
    if KING_ON_QUEEN[v.table]:
        return -33, -33, -33  # everyone for himself
    declarer = column(o.declarer)
    if declarer in (ME, NOBODY):
        return -100, -100, -100
    fellow, foe = t.fellow, -100
    wanted = STEP * int(o.contract) - number(o.points_tens, o.points_ones, declarer)
    if wanted <= 0 or wanted > still_to_win(v):
        fellow, foe = RIVAL, 0  # the contract is made or lost whatever declarer takes
    if declarer == 1:
        return foe, fellow, fellow
    if declarer == 2:
        return fellow, foe, fellow
    return fellow, fellow, foe


@rule
def may_meet_king(suit, v):
    """Per cent: how likely the next seat lays its king on my queen of this suit and melds."""
    if not KING_ON_QUEEN[v.table] or v.waiting == 0:
        return 0
    return holds_any(only(KING[suit]), v.first)
