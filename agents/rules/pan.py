"""A player of Pan by rules of thumb: it weighs what its hand and the pile would be after each turn that it may take.

What it knows   the observation and nothing else; it keeps nothing between two decisions and draws no lots
Low cards       cost most: nines and tens can seldom be laid, so they go first and are not buried
Four of a rank  are collected, and laid when nothing low would be buried under them
Drawing         is dear, but brings the pile down to the low cards, and cards that make up four of a rank
The next seat   is made to draw if that can be: what it drew is known, of its other cards odds are reckoned
The end         aces cost less than nothing, so that one is kept for last: it can always be laid
Cycles          as a deal grows long, what to lay is decided more and more by whim, and the whim by the turn's number
                and the cards, so that equal observations have equal answers; no number above 1279 is shown, and who
                is in a cycle by then stays in it until the cap

Its numbers were found in self-play at tables of two, three and four: first by an evolution strategy (many players drawn
around the present one, the best of them averaged) against itself, its earlier selves and two simpler players, then by
steps of one number that had to gain more than two standard errors and were taken by half; the whim was set by hand and
only stepped. That search was made once, with a program that is not kept here. What the timid and the bold one add to a
draw's price is a guess of a card player.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from karty.agents.rules.tempers import table
from karty.envs.cards import EMPTY, both, column, count, gather, lowest, minus, only, plus
from karty.envs.engine import register_tempers
from karty.envs.games.pan import (
    CARDS,
    DRAW,
    FOUR,
    NINE_OF_HEARTS,
    NOT_BELOW,
    OF_RANK,
    OF_SUIT,
    OTHER_NINES,
    PLAY,
    RANK_OF,
    RANKS,
    SPADES,
    SUIT_OF,
    TAKEN,
    THREE_NINES,
)
from karty.envs.kernel import rule
from karty.envs.layout import KNOWN


class Temper(NamedTuple):
    """What sets one player of this kind apart from another; the unit is arbitrary, only what costs more counts."""

    nine: int = 277  # a card in the hand costs so much, by its rank,
    ten: int = 457
    jack: int = 77
    queen: int = 25
    king: int = 39
    ace: int = -10
    pair: int = -29  # two, three or four of a rank together so much more,
    three: int = -22
    four: int = -168
    under: int = -24  # a card below the new top so much more,
    bury: int = 24  # and more for each card laid on top of it, less for each taken off
    draw: int = 132  # the turn that a draw costs
    lock: int = 95  # that the next seat surely cannot lay is worth so much,
    block: int = 95  # or so much if it has one card,
    finish: int = 1637  # and that it may lay this one costs so much if nobody else is left
    calm: int = 100  # decisions before the player becomes whimsical,
    whim: int = 125  # and per cent of the decisions since then by which its whim may move a card


RULE = Temper()
TIMID = RULE._replace(draw=RULE.draw + 60)
BOLD = RULE._replace(draw=RULE.draw - 30)


TEMPERS = table(RULE, TIMID, BOLD)

NOBODY = -1
NEVER, SURELY = -(10**9), 10**9
LONGEST_WHIM = 200  # decisions until whim stops growing
AT_LEAST = np.array([sum(int(OF_RANK[r]) for r in range(rank, RANKS)) for rank in range(RANKS)])
ALL_SPADES = int(OF_SUIT[SPADES])
EVERY = range(CARDS + 1)
# Per cent: how likely so many cards held, of these, are none of the wanted ones.
NONE_OF = np.array([[[100 * comb(max(cards - wanted, 0), held) // max(comb(cards, held), 1) for held in EVERY]
                     for wanted in EVERY] for cards in EVERY], np.int8)  # fmt: skip


# What the seat to play sees


class Follower(NamedTuple):
    """A seat that may follow: the cards it is known to hold, how many it holds besides, and in all."""

    known: int
    others: int
    held: int


@rule
def follower(o, seat):
    """The seat of this number, clockwise from me."""
    known, held = gather(o.known[seat], 1), int(o.held[seat])
    return Follower(known, held - count(known), held)


class View(NamedTuple):
    """My hand, the cards that nobody knows where, the pile's height, who may follow, and whether only two play on."""

    hand: int
    unseen: int
    height: int
    left: Follower
    right: Follower
    two: bool


@rule
def look(o):
    """Read the observation."""
    height, playing = CARDS, 0
    for seat in range(o.held.shape[0]):
        height -= int(o.held[seat])
        if o.held[seat] > 0:
            playing += 1
    left = follower(o, column(o.clockwise))
    right = follower(o, column(o.counter)) if o.spades_back else left
    return View(gather(o.hand, 1), gather(o.unseen, 1), height, left, right, playing == 2)


@rule
def card_at(o, place):
    """The card at this place of the pile."""
    return int(o.pile[place]) - KNOWN


# What a turn is worth


@rule
def cost(rank, n, t):
    """What it costs to hold so many cards of the rank."""
    burden = (t.nine, t.ten, t.jack, t.queen, t.king, t.ace)
    together = (0, 0, t.pair, t.three, t.four)
    return n * burden[rank] + together[n]


@rule
def pressure(rank, seat, v, t):
    """What it is worth that this seat follows on a top of this rank."""
    stops = 0
    if both(seat.known, AT_LEAST[rank]) == EMPTY:
        stops = int(NONE_OF[count(v.unseen), count(both(v.unseen, AT_LEAST[rank])), seat.others])
    if seat.held > 1:
        return stops * t.lock // 100
    return (stops * t.block - (100 - stops) * (t.finish if v.two else 0)) // 100


@rule
def lay(rank, n, held, below, seat, v, t):
    """What laying n of the cards of this rank is worth, below which so many of the hand lie."""
    if count(v.hand) == n:
        return SURELY
    value = cost(rank, held, t) - cost(rank, held - n, t) - (t.under + n * t.bury) * below
    return value + pressure(rank, seat, v, t)


@rule
def take(o, v, t):
    """What a draw is worth."""
    value, hand = -t.draw, v.hand
    first = max(v.height - TAKEN, 1)
    for place in range(first, v.height):
        card = card_at(o, place)
        rank = RANK_OF[card]
        n = count(both(hand, OF_RANK[rank]))
        value += cost(rank, n, t) - cost(rank, n + 1, t) + t.bury * count(minus(v.hand, NOT_BELOW[card]))
        hand = plus(hand, only(card))
    top = card_at(o, first - 1)
    value -= t.under * count(minus(v.hand, NOT_BELOW[top]))
    return value + pressure(RANK_OF[top], v.right if SUIT_OF[top] == SPADES else v.left, v, t)


# A decision


@rule
def stir(number):
    """Another number from 0 to 2**31 - 2 (Park and Miller 1988): a lot that depends only on what is seen."""
    return number * 48271 % 2147483647


@rule
def decide(o, mask, t):
    """The turn that is worth most."""
    v = look(o)
    if v.height == 0:
        return FOUR if mask[FOUR] else PLAY + NINE_OF_HEARTS
    turn = 10 * int(o.turns_tens) + int(o.turns_ones)
    whim = min(max(turn - t.calm, 0), LONGEST_WHIM) * t.whim // 100
    lot = stir(stir(7919 * turn + v.hand + v.unseen))
    lowest_rank = RANK_OF[card_at(o, v.height - 1)]
    below = count(minus(v.hand, AT_LEAST[lowest_rank]))
    chosen, most = NOBODY, NEVER
    if v.height > 1:
        chosen, most = DRAW, take(o, v, t)
    for rank in range(lowest_rank, RANKS):
        mine = both(v.hand, OF_RANK[rank])
        held = count(mine)
        if held == 4:
            value = lay(rank, 4, 4, below, v.right, v, t)
            if value > most:
                chosen, most = FOUR + rank, value
        if v.height == 1 and mine == OTHER_NINES:
            value = lay(rank, 3, 3, below, v.right, v, t)
            if value > most:
                chosen, most = THREE_NINES, value
        spades = both(mine, ALL_SPADES) if o.spades_back else EMPTY  # else one card of the rank is like another
        for cards in (minus(mine, spades), spades):
            if cards != EMPTY:
                card = lowest(cards)
                value = lay(rank, 1, held, below, v.right if SUIT_OF[card] == SPADES else v.left, v, t)
                if whim > 0:
                    lot = stir(lot)
                    value += whim * (lot % 100) // 100
                if value > most:
                    chosen, most = PLAY + card, value
        below += held
    return chosen


@rule
def choose(o, mask, chance, temper):
    """The rule-based player; the timid one draws less, the bold one more."""
    return decide(o, mask, TEMPERS[temper])


register_tempers("pan", ("rule", "rule-timid", "rule-bold"), choose)
