"""A player of Tysiąc by rules of thumb: it counts its hand, remembers what the duties gave away, and weighs each card.

What it knows   the observation and nothing else; it keeps nothing between two decisions and draws no lots
Auction         bids ten more as long as its estimate of the hand, less some caution, covers it
Giving          gives the two cards without which the hand is worth most, and no half marriage without need
Leading         a queen that nobody can beat is melded at once; else the sure tricks come first, then the best marriage
Cards           of the legal cards it takes the one with the best balance: who will win the trick and what lies in it,
                less what the card would still have been worth in the hand
"""

from math import comb
from typing import NamedTuple

import numpy as np

from karty.envs.cards import both, count, each, gather, has, highest, lowest, minus, only, plus
from karty.envs.engine import register_player
from karty.envs.games.tysiac import (
    ABOVE,
    AUCTION,
    BID,
    CARDS,
    CLAIM,
    CONTRACT,
    DECK,
    GIVE,
    GIVING,
    KING,
    MARRIAGE,
    MELD,
    OF_SUIT,
    OPENING,
    PAIR,
    PASS,
    PLAY,
    PLAYING,
    POINTS,
    QUEEN,
    REDEAL,
    STEP,
    SUIT_OF,
    SUITS,
)
from karty.envs.kernel import rule


class Temper(NamedTuple):
    """The player's thresholds, in points or per cent. Those without a source were tuned by ``benchmarks/tune_rules.py``."""

    # What a hand promises: points of an ace, of the ten and king below it, of a ten with another card of its suit, of the
    # cards beyond the third of a suit, of ace or ten with a marriage and of each card beside one, per cent of a second one
    ace: int = 17
    ten: int = 16
    king: int = 6
    guarded: int = 4
    length: int = 4
    helped: int = 6
    beside: int = 5
    second: int = 40
    base: int = 4
    # What a bid and a contract leave below that promise
    caution: int = -10
    safety: int = 40
    # Giving: per cent of a marriage feared for its half, per cent of the points it costs, what an empty suit is worth
    half: int = 23
    gift: int = -30
    void: int = 1
    # What a card is worth in the hand, per cent of its points: one that nothing beats, one below a single card, another
    later: int = 100
    guard: int = 50
    weak: int = 20
    # … and in points or per cent more: any trump, the highest when no other is out, half a marriage, a guard
    trump: int = 0
    ruff: int = 4
    pair: int = 20
    entry: int = 5
    keep: int = 40
    # What a trick is worth beyond the cards seen: points each card to come is expected to bring, the lead, a ten set free
    fill: int = 4
    lead: int = 6
    force: int = 100
    # Per cent that points count in the other defender's tricks, and in declarer's against me
    fellow: int = 40
    foe: int = 100


RULE = Temper()
TIMID = RULE._replace(caution=10, safety=60)
BOLD = RULE._replace(caution=-30, safety=20)

NOBODY, NO_CARD, NO_TRUMP = -1, -1, -1
ME, LEFT, RIGHT = range(3)
LEVELS = CONTRACT - BID
ACE, TEN = KING + 2, KING + 1
BELOW = np.array([int(OF_SUIT[SUIT_OF[card]]) & ~int(ABOVE[card]) & ~(1 << card) for card in range(CARDS)])
MATE = np.array([{"Q": card + 1, "K": card - 1}.get(name[0], NO_CARD) for card, name in enumerate(DECK.names)])
MOST = CARDS + 1
NONE_OF = np.array(
    [
        [[100 * comb(max(cards - wanted, 0), held) // comb(cards, held) if held <= cards else 0 for held in range(13)]
         for wanted in range(MOST)]
        for cards in range(MOST)
    ],
    np.int8,
)  # fmt: skip
"""Per cent: so likely holds a hand of [held] cards, dealt from [cards], none of [wanted] certain ones."""


# What a hand promises


@rule
def suit_worth(cards, suit, t):
    """Points that the cards of one suit promise, its marriage included."""
    mine = both(cards, OF_SUIT[suit])
    if mine == 0:
        return t.void
    length = count(mine)
    worth = 0
    if has(mine, ACE[suit]):
        worth += t.ace
        if has(mine, TEN[suit]):
            worth += t.ten
            if has(mine, KING[suit]):
                worth += t.king
    elif has(mine, TEN[suit]) and length > 1:
        worth += t.guarded
    if length > 3:
        worth += t.length * (length - 3) * (length - 2) // 2
    if both(mine, PAIR[suit]) == PAIR[suit]:
        worth += MARRIAGE[suit] + t.beside * (length - 2)
        if has(mine, ACE[suit]):
            worth += t.helped
        if has(mine, TEN[suit]):
            worth += t.helped
    return worth


@rule
def promise(cards, t):
    """Points that a hand promises as declarer's; of several marriages only the best is sure to be melded."""
    worth = t.base
    marriages = best = 0
    for suit in range(SUITS):
        worth += suit_worth(cards, suit, t)
        if both(cards, PAIR[suit]) == PAIR[suit]:
            marriages += MARRIAGE[suit]
            best = MARRIAGE[suit]
    return worth - (marriages - best) * (100 - t.second) // 100


@rule
def bid(o, mask, t):
    """The next higher bid if the hand promises it."""
    if mask[REDEAL]:
        return REDEAL
    if mask[BID]:
        return BID
    worth = promise(gather(o.hand, 1), t) - t.caution
    for level in range(LEVELS):
        if mask[BID + level]:
            return BID + level if worth >= OPENING + STEP * level else PASS
    return PASS


@rule
def contract(o, mask, t):
    """The highest contract that the hand promises with safety, else the lowest allowed."""
    worth = promise(gather(o.hand, 1), t) - t.safety
    chosen = NOBODY
    for level in range(LEVELS):
        if mask[CONTRACT + level] and (chosen == NOBODY or worth >= OPENING + STEP * level):
            chosen = CONTRACT + level
    return chosen


# Giving


@rule
def charge(card, seen, tops, t):
    """What the receiver may make of the card: above all a marriage, the less likely the more tricks I can run first."""
    cost = POINTS[card] * t.gift // 100
    if MATE[card] != NO_CARD and not has(seen, MATE[card]):
        cost += MARRIAGE[SUIT_OF[card]] * t.half * max(0, 5 - tops) // 500
    return cost


@rule
def loss(cards, card, t):
    """What the hand promises less without the card."""
    suit = SUIT_OF[card]
    return suit_worth(cards, suit, t) - suit_worth(minus(cards, only(card)), suit, t)


@rule
def sure_tops(hand):
    """Cards that nothing outside the hand beats."""
    tops = 0
    for card in each(hand):
        if both(ABOVE[card], hand) == ABOVE[card]:
            tops += 1
    return tops


@rule
def give(o, mask, t):
    """Of the first gift the cheaper half of the cheapest two, then the cheapest card."""
    hand = gather(o.hand, 1)
    given = gather(o.gave, 1)
    seen = plus(hand, given)
    tops = sure_tops(hand)
    chosen, least = NO_CARD, 0
    for card in each(hand):
        cost = loss(hand, card, t) + charge(card, seen, tops, t)
        if given != 0:
            if chosen == NO_CARD or cost < least:
                chosen, least = card, cost
        else:
            rest = minus(hand, only(card))
            for other in each(rest):
                total = cost + loss(rest, other, t) + charge(other, seen, tops, t)
                if chosen == NO_CARD or total < least:
                    chosen, least = card, total
    return GIVE + chosen


# Who may hold what


class View(NamedTuple):
    """What the seat to play knows: sets of cards, how many each hand has, and the trick so far."""

    hand: int
    out: int  # unseen, so in the hands of the two others
    left: int  # what the left neighbour may hold
    left_sure: int  # of that, what he surely holds
    left_held: int
    right: int
    right_sure: int
    right_held: int
    trump: int
    trick: int
    led: int
    best: int
    holder: int


@rule
def only_one(flags):
    """The number of the column that is set, or NOBODY."""
    for i in range(flags.shape[0]):
        if flags[i]:
            return i
    return NOBODY


@rule
def takes(card, best, trump):
    """Does the card beat the best one on the table?"""
    return best == NO_CARD or has(ABOVE[best], card) or (SUIT_OF[card] == trump and SUIT_OF[best] != trump)


@rule
def look(o):
    """Read the observation."""
    hand = gather(o.hand, 1)
    trick = gather(o.trick, 1)
    out = minus(gather(o.order, 0), hand)
    left_sure, right_sure = gather(o.holding[0], 1), gather(o.holding[1], 1)
    left = minus(minus(out, gather(o.holding[0], -1)), right_sure)
    right = minus(minus(out, gather(o.holding[1], -1)), left_sure)
    trump = only_one(o.trump)
    best = holder = led = -1
    if trick != 0:
        seat = only_one(o.leader)
        for _ in range(count(trick)):
            card = lowest(both(trick, gather(o.played[seat], 1)))
            if best == NO_CARD:
                led = SUIT_OF[card]
            if takes(card, best, trump):
                best, holder = card, seat
            seat = seat + 1 if seat < RIGHT else ME
    return View(
        hand, out, left, left_sure, int(o.held[LEFT]), right, right_sure, int(o.held[RIGHT]), trump, trick, led, best, holder
    )  # fmt: skip


@rule
def beaten(card, led, trump, may, sure, held):
    """Per cent: how likely a seat yet to play beats the card, its duties and what it may hold considered."""
    cards, places = count(minus(may, sure)), held - count(sure)
    follows = both(may, OF_SUIT[led])
    must_follow = both(follows, sure) != 0
    likely = 0
    if SUIT_OF[card] == led:
        higher = both(follows, ABOVE[card])
        if both(higher, sure) != 0:
            return 100
        likely = 100 - NONE_OF[cards, count(higher), places]
        if trump == NO_TRUMP or trump == led:
            return likely
        higher = both(may, OF_SUIT[trump])
    else:
        higher = both(may, ABOVE[card])
    if must_follow or higher == 0:
        return likely
    void = int(NONE_OF[cards, count(follows), places])
    if both(higher, sure) != 0:
        return likely + void
    return likely + void * (100 - NONE_OF[cards - count(follows), count(higher), places]) // 100


# Playing a card


@rule
def price(card, v, marriages, t):
    """What the card is still worth in the hand, in hundredths of a point."""
    suit = SUIT_OF[card]
    mine = both(v.hand, OF_SUIT[suit])
    above = count(both(v.out, ABOVE[card]))
    points = POINTS[card]
    if above == 0:
        worth = (points + t.fill) * t.later + best_of(marriages) * t.entry
        if suit == v.trump and both(v.out, OF_SUIT[suit]) == 0:
            worth += 100 * t.ruff
    elif above == 1 and both(v.hand, BELOW[card]) != 0:
        worth = points * t.guard
    else:
        worth = points * t.weak
    if suit == v.trump:
        worth += 100 * t.trump
    if both(marriages, only(card)) != 0:
        worth += MARRIAGE[suit] * t.pair
    top = highest(mine)
    if top != card and count(mine) == 2 and count(both(v.out, ABOVE[top])) == 1:
        worth += POINTS[top] * t.keep
    return worth


@rule
def pairs(hand):
    """The kings and queens of the marriages in the hand."""
    found = 0
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            found = plus(found, PAIR[suit])
    return found


@rule
def best_of(marriages):
    """What the best of these marriages is worth."""
    return MARRIAGE[SUIT_OF[highest(marriages)]] if marriages != 0 else 0


@rule
def sure_lead(card, v):
    """Does the card, led, surely take the trick?"""
    led = SUIT_OF[card]
    if v.trump == NO_TRUMP or v.trump == led:
        return both(v.out, ABOVE[card]) == 0
    return (
        beaten(card, led, v.trump, v.left, v.left_sure, v.left_held) == 0
        and beaten(card, led, v.trump, v.right, v.right_sure, v.right_held) == 0
    )


@rule
def lead_marriage(v, marriages, mask):
    """What to lead with marriages in the hand; NOBODY if none may be melded."""
    for suit in range(SUITS):
        if mask[MELD + 2 * suit] and both(v.out, ABOVE[QUEEN[suit]]) == 0:
            return MELD + 2 * suit
    several = count(marriages) > 2
    for card in each(minus(v.hand, marriages)):
        if (not several or both(marriages, OF_SUIT[SUIT_OF[card]]) != 0) and sure_lead(card, v):
            return PLAY + card
    for suit in range(SUITS - 1, -1, -1):
        if mask[MELD + 2 * suit]:
            return MELD + 2 * suit
    return NOBODY


@rule
def sides(o, v, t):
    """Per cent that a point counts for me in the left and in the right neighbour's tricks."""
    declarer = only_one(o.declarer)
    if declarer == ME:
        return -t.foe, -t.foe
    fellow, foe = t.fellow, -t.foe
    wanted = STEP * int(o.contract) - points_of(o, declarer)
    if wanted <= 0 or wanted > still_to_win(v):
        fellow, foe = -50, 0  # the contract is decided: what declarer takes changes nothing, what the other takes hurts
    if declarer == LEFT:
        return foe, fellow
    return fellow, foe


@rule
def points_of(o, seat):
    """Points a seat has taken so far."""
    return STEP * int(o.points_tens[seat]) + int(o.points_ones[seat])


@rule
def still_to_win(v):
    """The points that anybody else may still take: cards, and marriages that may yet be melded."""
    points = 0
    for card in each(plus(plus(v.hand, v.out), v.trick)):
        points += POINTS[card]
    for suit in range(SUITS):
        if both(v.out, PAIR[suit]) == PAIR[suit]:
            points += MARRIAGE[suit]
    return points


@rule
def sets_free(card, v):
    """The highest card of the suit led if this lead drives out the only one above it, else NO_CARD."""
    top = highest(both(v.hand, OF_SUIT[SUIT_OF[card]]))
    above = both(v.out, ABOVE[top])
    if top != card and count(above) == 1 and both(v.out, ABOVE[card]) == above:
        return top
    return NO_CARD


@rule
def balance(card, v, left_side, right_side, marriages, t):
    """What playing the card brings, in hundredths of a point."""
    leading = v.trick == 0
    led = SUIT_OF[card] if leading else v.led
    mine = takes(card, v.best, v.trump)
    best = card if mine else v.best
    left = right = 0
    to_come = 2 - count(v.trick)
    if to_come > 0:
        left = beaten(best, led, v.trump, v.left, v.left_sure, v.left_held)
    if leading:
        right = beaten(best, led, v.trump, v.right, v.right_sure, v.right_held)
    stays = (100 - left) * (100 - right) // 100
    right = right * (200 - left) // 200
    left = 100 - stays - right
    holding = 100 if mine else left_side if v.holder == LEFT else right_side
    pile = POINTS[card] + t.fill * to_come
    for other in each(v.trick):
        pile += POINTS[other]
    gain = (stays * holding + left * left_side + right * right_side) // 100 * pile
    if mine:
        gain += stays * t.lead
    if leading:
        free = sets_free(card, v)
        if free != NO_CARD:
            gain += (POINTS[free] + t.fill) * t.force
    return gain - price(card, v, marriages, t)


@rule
def play(o, mask, t):
    """The card, or the meld, with the best balance."""
    v = look(o)
    marriages = pairs(v.hand)
    if v.trick == 0 and marriages != 0:
        action = lead_marriage(v, marriages, mask)
        if action != NOBODY:
            return action
    left_side, right_side = sides(o, v, t)
    chosen, most = NO_CARD, 0
    for card in each(v.hand):
        if mask[PLAY + card]:
            gain = balance(card, v, left_side, right_side, marriages, t)
            if chosen == NO_CARD or gain > most:
                chosen, most = card, gain
    return PLAY + chosen


@rule
def decide(o, mask, t):
    """One decision of a player of this temper."""
    if mask[CLAIM]:
        return CLAIM
    if o.phase[PLAYING]:
        return play(o, mask, t)
    if o.phase[AUCTION]:
        return bid(o, mask, t)
    if o.phase[GIVING]:
        return give(o, mask, t)
    return contract(o, mask, t)


@rule
def choose(o, mask, chance):
    """The rule-based player."""
    return decide(o, mask, RULE)


@rule
def choose_timid(o, mask, chance):
    """The same, but bids less."""
    return decide(o, mask, TIMID)


@rule
def choose_bold(o, mask, chance):
    """The same, but bids more."""
    return decide(o, mask, BOLD)


register_player("tysiac", "rule", choose)
register_player("tysiac", "rule-timid", choose_timid)
register_player("tysiac", "rule-bold", choose_bold)
