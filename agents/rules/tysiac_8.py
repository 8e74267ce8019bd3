"""A player of Tysiąc with eight cards by rules of thumb; it knows the observation and nothing else, and draws no lots.

Auction       no more than the hand is worth: its aces, tens beside their aces, and marriages
Laying away   the cards that are worth least to the hand
Play          melds as soon as it can, else leads its best card; takes with as many points as it can, loses as few
"""

from karty.envs.cards import EMPTY, both, column, each, gather, has, highest, minus, only
from karty.envs.engine import register_player
from karty.envs.games.mini.tysiac_8 import (
    ABOVE,
    BID,
    CARDS,
    DECK,
    GIVE,
    LEVELS,
    MARRIAGE,
    MELD,
    OF_SUIT,
    PAIR,
    PASS,
    PLAY,
    POINTS,
    SUIT_OF,
    SUITS,
)
from karty.envs.kernel import rule
from karty.envs.tricks import stronger

ACES, TENS = (int(DECK.of_rank[DECK.ranks.index(rank)]) for rank in "AT")
ALONE, TALON = 6, 10
"""What a ten is worth without its ace, and the talon to a hand that has not got it yet; both guessed."""


@rule
def worth(hand):
    """The points that a hand may be good for."""
    found = 0
    for card in each(hand):
        guarded = both(hand, both(ACES, OF_SUIT[SUIT_OF[card]])) != EMPTY
        if has(ACES, card) or (has(TENS, card) and guarded):
            found += POINTS[card]
        elif has(TENS, card):
            found += ALONE
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            found += MARRIAGE[suit]
    return found


@rule
def bid(mask, points):
    """The highest legal bid that the points reach; else a pass, or the opening."""
    chosen = PASS if mask[PASS] else BID
    for number in range(len(LEVELS)):
        if mask[BID + number] and LEVELS[number] <= points:
            chosen = BID + number
    return chosen


@rule
def give(mask, hand, gave):
    """The legal card without which the hand, and what may be laid away after it, is worth most."""
    chosen, most = -1, -1
    for card in range(CARDS):
        if not mask[GIVE + card]:
            continue
        left = minus(hand, only(card))
        value = worth(left) if gave != EMPTY else worth_without_one(left, card)
        if value > most:
            chosen, most = GIVE + card, value
    return chosen


@rule
def worth_without_one(hand, card):
    """What a hand is worth at most without one of its cards that come after this one."""
    most = 0
    for other in each(hand):
        if other > card:
            most = max(most, worth(minus(hand, only(other))))
    return most


@rule
def lead(mask, hand):
    """A marriage, queen first; else the card worth most."""
    for suit in range(SUITS - 1, -1, -1):
        if mask[MELD + 2 * suit]:
            return MELD + 2 * suit
    chosen = -1
    for card in each(hand):
        if chosen < 0 or POINTS[card] > POINTS[chosen]:
            chosen = card
    return PLAY + chosen


@rule
def follow(mask, beaten, trump):
    """The card worth most of those that take the trick, else the one worth least."""
    better = stronger(ABOVE, OF_SUIT, SUIT_OF, beaten, trump)
    chosen, most = -1, -1000
    for card in range(CARDS):
        if not mask[PLAY + card]:
            continue
        value = POINTS[card] if has(better, card) else -POINTS[card]
        if value > most:
            chosen, most = PLAY + card, value
    return chosen


@rule
def choose(o, mask, chance):
    """The rule-based player."""
    hand = gather(o.hand, 1)
    trick = gather(o.trick, 1)
    if o.phase[0]:
        return bid(mask, worth(hand) + TALON)
    if o.phase[1]:
        return give(mask, hand, gather(o.gave, 1))
    if trick == EMPTY:
        return lead(mask, hand)
    return follow(mask, highest(trick), column(o.trump))


register_player("tysiac_8", "rule", choose)
