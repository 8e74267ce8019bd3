"""Players of Piotruś: one that remembers and hides, in three tempers, and one that draws as people do.

What they know   the observation and nothing else; they keep nothing between two decisions
Hiding           a fan is shuffled before it is drawn from: shuffling costs nothing, and doing it always tells nothing
Drawing          a place known to hold the twin of a card of one's own; never a known Piotruś; else where chance falls,
                 but not the newest card of a fan that was not shuffled: as a rule the giver drew it and could not lay
                 it off, so it is Piotruś more often than another (in the first turn, and with draw_from=left, it may
                 still be from the deal and is then like any other)
Biased           from the place that catches the hand, mostly the third of four, never mind what stands there; its own
                 fan stays as it is
"""

from typing import NamedTuple

import numpy as np

from karty.agents.rules.tempers import table
from karty.envs.chance import draw, uniform
from karty.envs.engine import register_player, register_tempers
from karty.envs.games.piotrus import DRAW, LAY, LONGEST, OFFER, SHUFFLE_FAN
from karty.envs.kernel import rule
from karty.envs.layout import UNKNOWN


class Temper(NamedTuple):
    """What sets one player of this kind apart from another."""

    hides: int = 1  # 1: shuffles whenever it may; 0: only if somebody knows what stands where in its fan
    newest: int = 1  # 1: leaves the newest card of an unshuffled fan alone, if there is another unknown one
    harmless: int = 0  # with at most so many unknown places it takes a known card instead, if it is not Piotruś


RULE = Temper()
TIMID = RULE._replace(harmless=3)
BOLD = RULE._replace(hides=0, newest=0)
TEMPERS = table(RULE, TIMID, BOLD)

NOWHERE = -1


@rule
def somebody_knows(o):
    """Does another seat know what stands at a place of my fan?"""
    known = 0
    for i in range(o.knowers.shape[0]):
        for place in range(o.knowers.shape[1]):
            known += o.knowers[i, place]
    return known > 0


@rule
def places(mask):
    """How many places may be drawn from: they come first among the actions."""
    n = 0
    while n < OFFER and mask[DRAW + n]:
        n += 1
    return n


@rule
def row_of_giver(o):
    """The giver's row among the fans."""
    row = 0
    while not o.giver[row]:
        row += 1
    return row


@rule
def pick_place(o, mask, chance, t):
    """Where to draw."""
    n, fan = places(mask), o.fans[row_of_giver(o)]
    unknown = harmless = 0
    for place in range(n):
        if o.offered[place] > 0:
            return DRAW + place  # the twin of a card of mine
        unknown += fan[place] == UNKNOWN
        harmless += fan[place] != UNKNOWN and o.offered[place] == 0
    if harmless > 0 and unknown <= t.harmless:
        return DRAW + nth(o, fan, n, draw(chance, harmless), False)
    if unknown == 0:
        return DRAW  # nothing but Piotruś is left
    if t.newest and unknown > 1 and not o.giver_shuffled and fan[n - 1] == UNKNOWN:
        unknown -= 1
    return DRAW + nth(o, fan, n, draw(chance, unknown), True)


@rule
def nth(o, fan, n, skip, unknown):
    """The place of the unknown (or known and harmless) card with so many others of that kind before it."""
    for place in range(n):
        if (fan[place] == UNKNOWN) == unknown and o.offered[place] == 0:
            if skip == 0:
                return place
            skip -= 1
    return NOWHERE


@rule
def first_pair(mask):
    """The first pair that may be laid off."""
    action = LAY
    while not mask[action]:
        action += 1
    return action


@rule
def decide(o, mask, chance, t):
    """One decision of a player of this temper."""
    if mask[OFFER]:
        return SHUFFLE_FAN if t.hides or somebody_knows(o) else OFFER
    if mask[DRAW]:
        return pick_place(o, mask, chance, t)
    return first_pair(mask)


# The hand that reaches for a card

QUARTERS = (0.02, 0.22, 0.66, 0.10)
"""How often people take the first, second, third and fourth of four cards in a row.

Kuhn and others, in their experiments on the "position force" of conjurers, laid out four cards in a row: 66 % of the
right-handed took the third and nobody the first. The shares of the other three places are a guess.
"""


def reach(n):
    """How often each of n places in a row is taken, [n]: the quarters of the row as for four."""
    sums = np.concatenate([[0.0], np.cumsum(QUARTERS)])
    return np.diff(np.interp(np.linspace(0, len(QUARTERS), n + 1), np.arange(len(QUARTERS) + 1), sums))


REACH = np.zeros((LONGEST + 1, LONGEST))
for _n in range(1, LONGEST + 1):
    REACH[_n, :_n] = reach(_n)


@rule
def choose_biased(o, mask, chance):
    """A player that draws by habit and never shuffles."""
    if mask[OFFER]:
        return OFFER
    if not mask[DRAW]:
        return first_pair(mask)
    n, point = places(mask), uniform(chance)
    for place in range(n):
        point -= REACH[n, place]
        if point < 0.0:
            return DRAW + place
    return DRAW + n - 1


@rule
def choose(o, mask, chance, temper):
    """The rule-based player.

    Of few unknown cards the timid one would rather take a known one; the bold one shuffles only if somebody knows its
    fan, and shuns no card.
    """
    return decide(o, mask, chance, TEMPERS[temper])


register_tempers("piotrus", ("rule", "rule-timid", "rule-bold"), choose)
register_player("piotrus", "biased", choose_biased)
