"""A player of Piquet by rules of thumb: it weighs what it keeps and counts the other hand.

What it knows   the observation and nothing else; it keeps nothing between two decisions and draws no lots
Exchange        all cards that it may lay away; a hand is worth the sum of its suits (length, runs, honours, guards) and
                its sets, as elder and as younger, and the best hand is kept
Declarations    all, but nothing that cannot be good any more: then its number need not be told
The other hand  cards not seen, without voids, what a number declared rules out, and the fourth of a rank of which three
                were shown
Play            each suit promises tricks to who leads and to who waits, by the cards in it that both may hold; it plays
                the card after which the suits promise most

How its numbers were found stands beside them; ``benchmarks/piquet_exchange.py`` finds them anew.
"""

from typing import NamedTuple

import numpy as np

from karty.envs.cards import (
    EMPTY,
    NO_CARD,
    after,
    both,
    count,
    each,
    gather,
    lowest,
    minus,
    only,
    plus,
    ranks_of,
)
from karty.envs.engine import register_tempers
from karty.envs.games.piquet import (
    CARTE_OF,
    COUNTING,
    DECK,
    DECLARE,
    DISCARD,
    DONE,
    ELDERS,
    EXCHANGING,
    FOUR,
    NUMBER,
    OF_RANK,
    OF_SUIT,
    PASS,
    PLAY,
    PLAYING,
    RANK_SETS,
    RANKS,
    RUN_WORTH,
    SEQUENCE,
    SEQUENCE_KIND,
    SET_KIND,
    SUIT,
    SUIT_KIND,
    SUIT_OF,
    SUITS,
    THREE,
    TRIOS,
    YOUNGERS,
)
from karty.envs.kernel import rule
from karty.envs.layout import records

ME, OTHER = range(2)
NEVER = 30_000
RANK_OF = DECK.rank_of


class Temper(NamedTuple):
    """What sets one player of this kind apart from another."""

    keeps: int = 0  # hands are weighed 0: as the seat asks, 1: always as elder's, who attacks, 2: as younger's
    capture: int = 192  # to win the other's lead is worth so many 256ths of a trick more,
    full: int = 1000  # a card worth so many tenths of a point is not laid away


RULE = Temper()
TIMID = RULE._replace(keeps=2)
BOLD = RULE._replace(keeps=1)


# What a suit kept is worth, by the set of its ranks [256]

LENGTHS = np.array([len(held) for held in RANK_SETS])
HELD = np.arange(1 << RANKS)[:, None] >> np.arange(RANKS) & 1
_ACE, _KING, _QUEEN = (HELD[:, DECK.ranks.index(rank)] for rank in "AKQ")
_FROM_TOP = np.cumprod(HELD[:, ::-1], 1).sum(1)
_IN_FIVE = np.array([max(sum(first <= rank < first + 5 for rank in held) for first in range(4)) for held in RANK_SETS])
_RUN = NUMBER[RUN_WORTH]
KEPT = {
    **{f"a {rank}": HELD[:, i] for i, rank in enumerate(DECK.ranks)},
    **{f"{n} cards": n <= LENGTHS for n in range(2, 8)},
    **{f"the {n} highest": n <= _FROM_TOP for n in range(2, 5)},
    "guarded king": (_KING > _ACE) & (LENGTHS > 1),
    "guarded queen": (_QUEEN > _KING) & (_QUEEN > _ACE) & (LENGTHS > 2),
    **{f"a run of {n}": n <= _RUN for n in range(3, 7)},
    "four of five": _IN_FIVE >= 4,
    "void": LENGTHS == 0,
}

SETS = ("two", "three", "three, by rank", "four")
KEPT_WORTH = {
    0: {
        "a 7": (-69, -35),
        "a 8": (-49, -30),
        "a 9": (-32, -25),
        "a T": (-18, -18),
        "a J": (-3, -12),
        "a Q": (15, -4),
        "a K": (45, 37),
        "a A": (111, 87),
        "2 cards": (-85, -53),
        "3 cards": (-24, -37),
        "4 cards": (39, 3),
        "5 cards": (75, 46),
        "6 cards": (65, 51),
        "7 cards": (18, 32),
        "the 2 highest": (8, -9),
        "the 3 highest": (43, 5),
        "the 4 highest": (33, -11),
        "guarded king": (17, 32),
        "guarded queen": (11, 20),
        "a run of 3": (23, 34),
        "a run of 4": (49, 38),
        "a run of 5": (87, 104),
        "a run of 6": (0, 47),
        "four of five": (23, 22),
        "void": (88, 42),
    },
    1: {
        "a 7": (-56, -22),
        "a 8": (-34, -20),
        "a 9": (-20, -18),
        "a T": (-5, -13),
        "a J": (3, -11),
        "a Q": (12, -5),
        "a K": (30, 29),
        "a A": (70, 60),
        "2 cards": (-63, -42),
        "3 cards": (-21, -32),
        "4 cards": (20, -12),
        "5 cards": (59, 20),
        "6 cards": (53, 41),
        "7 cards": (23, 38),
        "the 2 highest": (0, -15),
        "the 3 highest": (27, 9),
        "the 4 highest": (25, 6),
        "guarded king": (10, 24),
        "guarded queen": (12, 16),
        "a run of 3": (19, 19),
        "a run of 4": (34, 30),
        "a run of 5": (99, 122),
        "a run of 6": (22, 48),
        "four of five": (31, 22),
        "void": (71, 34),
    },
}
SET_WORTH = {
    13: {
        "two": (44, 22),
        "three": (153, 95),
        "three, by rank": (-1, 5),
        "four": (286, 254),
    },
    3: {
        "two": (11, 4),
        "three": (19, 5),
        "three, by rank": (13, 11),
        "four": (191, 152),
    },
}

"""What a feature of a suit kept adds to a hand, and two, three and four of a rank that counts, as elder and as younger.

In tenths of a point; of suits by what leads score (always, classic), of sets by what three of a rank score. Found by
regression: in 300,000 deals of self-play one seat laid away by the numbers found so far, each disturbed by up to ten
points, twice in the same deal, and the difference of the results was explained by the difference of what was kept.
"""


def suit_worths(weights):
    """What each suit kept is worth to elder and younger, int [2, 256], in tenths of a point."""
    worth = sum(np.outer(weights[name], held) for name, held in KEPT.items())
    return np.round(worth - worth[:, :1])


def set_worths(weights, counting):
    """What so many cards of a rank are worth beside the suits, int [2, ranks, 5]."""
    worth = np.zeros((2, RANKS, FOUR + 1))
    for rank in range(RANKS):
        if counting >> rank & 1:
            for n, names in ((2, "two"), (THREE, "three"), (FOUR, "four")):
                worth[:, rank, n:] += np.array(weights[names])[:, None]
            worth[:, rank, THREE:] += np.array(weights["three, by rank"])[:, None] * rank
    return np.round(worth)


# A suit between two hands, by the pair of sets of ranks that I hold and that the other may hold [6561]

PLACE = np.array([sum(3**rank for rank in held) for held in RANK_SETS])
"""A pair's number is PLACE[mine] + 2 * PLACE[its]."""
PAIRS = 3**RANKS
_DIGITS = np.arange(PAIRS)[:, None] // 3 ** np.arange(RANKS) % 3
MINE, ITS = (((whose == _DIGITS) << np.arange(RANKS)).sum(1) for whose in (1, 2))
TURNED = PLACE[ITS] + 2 * PLACE[MINE]
_LOW = np.array([held & -held for held in range(1 << RANKS)])
_TOP = np.array([1 << held.bit_length() >> 1 for held in range(1 << RANKS)])


def lead_out(mine, its):
    """Tricks if a suit is led from the top until it is gone: won before one is lost, won, lost; int [pairs] each."""
    cash, wins, losses = (np.zeros_like(mine) for _ in range(3))
    for _ in range(RANKS):
        led = _TOP[mine]
        better = its & ~(2 * led - 1)
        lost = (led > 0) & (better > 0)
        won = (led > 0) & ~lost
        wins += won
        losses += lost
        cash += won & (losses == 0)
        its = its & ~np.where(led > 0, np.where(lost, _LOW[better], _LOW[its]), 0)
        mine = mine & ~led
    return cash, wins, losses


CASH, _WINS, _LOSSES = lead_out(MINE, ITS)
_LESS = PLACE[MINE & ~_LOW[MINE]] + 2 * PLACE[ITS]
_ABOVE_MINE = LENGTHS[ITS & ~(2 * _TOP[MINE] - 1)]
BETWEEN = {
    "sure": CASH,
    "won": _WINS,
    "lost": _LOSSES,
    "its cards": LENGTHS[ITS],
    "its sure": CASH[TURNED],
    "its lost": _LOSSES[TURNED],
    "sure with a card less": CASH[_LESS],
    "longer by": np.maximum(LENGTHS[MINE] - LENGTHS[ITS], 0),
    "all sure": (LENGTHS[MINE] == CASH) & (MINE > 0),
    "second best": _ABOVE_MINE == 1,
    "guarded": (_ABOVE_MINE == 1) & (LENGTHS[MINE] > 1),
}
LEADING, WAITING = range(2)
TRICK = 256  # what a trick is in the tables
PROMISE = {
    "sure": (0.38, 0.09),
    "lost": (0.02, 0.19),
    "won": (0.03, 0.15),
    "its cards": (0.18, 0.23),
    "its sure": (-0.28, -0.51),
    "its lost": (0.26, 0.10),
    "sure with a card less": (0.30, 0.17),
    "longer by": (0.28, 0.02),
    "all sure": (0.18, 0.02),
    "second best": (0.11, 0.39),
    "guarded": (-0.11, -0.35),
}
"""Tricks that a feature of a suit adds to what it promises to who leads and to who waits for the other's lead.

Found in self-play, under the default rules and the classic ones alike: first by regression of the tricks to come, then
by an evolution strategy (pairs of players on either side of the present one play each other), which gained half a
point a deal. The promise of a trick won at once is TRICK, and ``capture`` more if the other led it.
"""


def promises(weights):
    """The tricks that a suit promises to who leads and to who waits, int [2, pairs], in 256ths."""
    return np.round(TRICK * sum(np.outer(weights[name], holds) for name, holds in BETWEEN.items()))


# All of it as compiled code takes it


def books(tempers, kept=KEPT_WORTH, sets=SET_WORTH, promise=PROMISE):
    """One record a temper: its numbers, and the tables."""
    fields = [(name, np.int64) for name in Temper._fields]
    fields += [("suits", np.int16, (2, 2, 1 << RANKS)), ("sets", np.int16, (2, 2, 2, RANKS, FOUR + 1))]
    fields += [("promise", np.int16, (2, PAIRS))]
    found = np.zeros(len(tempers), fields)
    for i, temper in enumerate(tempers):
        for name, value in temper._asdict().items():
            found[name][i] = value
    found["suits"] = np.stack([suit_worths(kept[scores]) for scores in kept])
    found["sets"] = np.stack([[set_worths(sets[trio], counting) for counting in COUNTING] for trio in TRIOS])
    found["promise"] = promises(promise)
    return records(found)


BOOKS = books((RULE, TIMID, BOLD))


# The exchange


@rule
def part(keep, card, suits, sets):
    """What the card adds to the worth of this hand."""
    ranks, rank = ranks_of(keep, SUIT_OF[card], RANKS), RANK_OF[card]
    n = count(both(keep, OF_RANK[rank]))
    return suits[ranks] - suits[minus(ranks, only(rank))] + sets[rank, n] - sets[rank, n - 1]


@rule
def least_of(keep, free, suits, sets, full):
    """The card of these that adds least, NO_CARD if each adds as much as a card may that is not laid away."""
    chosen, least = NO_CARD, full
    while free != EMPTY:
        card = lowest(free)
        free = minus(free, only(card))
        worth = part(keep, card, suits, sets)
        if worth < least:
            chosen, least = card, worth
    return chosen


@rule
def lay_away(hand, laid, free, most, suits, sets, full):
    """The cards to lay away: those that are laid, and of the free ones so many as make up ``most``."""
    away = laid
    while count(away) < most:
        card = least_of(minus(hand, away), minus(free, away), suits, sets, full)
        if card == NO_CARD:
            break
        away = plus(away, only(card))
    # One by one it misses what two cards are only worth together, so they change places as long as that gains.
    changed = True
    while changed:
        changed = False
        kept = minus(both(hand, free), away)
        while kept != EMPTY:
            card = lowest(kept)
            kept = minus(kept, only(card))
            with_it = minus(hand, away)
            without = minus(with_it, only(card))
            better, worth = NO_CARD, part(with_it, card, suits, sets)
            others = minus(away, laid)
            while others != EMPTY:
                other = lowest(others)
                others = minus(others, only(other))
                its = part(plus(without, only(other)), other, suits, sets)
                if its > worth:
                    better, worth = other, its
            if better != NO_CARD:
                away = plus(minus(away, only(better)), only(card))
                changed = True
    return away


@rule
def exchange(o, mask, b):
    """The lowest card of the plan that is not named yet; the plan is made anew from the twelve cards every time."""
    laid = gather(o.discards, 1)
    hand = plus(gather(o.hand, 1), laid)
    younger = int(o.dealer[ME])
    most = ELDERS + YOUNGERS - int(o.laid_away[OTHER]) if younger else ELDERS
    role = younger
    if b.keeps > 0:
        role = int(b.keeps) - 1
    suits, sets = b.suits[int(o.lead_scores), role], b.sets[int(o.trio_value), int(o.set_ranks), role]
    away = lay_away(hand, EMPTY, hand, most, suits, sets, b.full)
    missing = minus(away, laid)
    if laid != EMPTY and (minus(laid, away) != EMPTY or after(missing, laid) != missing):
        # somebody else began this exchange
        away = lay_away(hand, laid, after(hand, laid), most, suits, sets, b.full)
        missing = minus(away, laid)
    if missing != EMPTY:
        return DISCARD + lowest(missing)
    return DONE if mask[DONE] else first(mask, DISCARD)


@rule
def first(mask, action):
    """The first legal action from this one on."""
    while not mask[action]:
        action += 1
    return action


# Declarations


@rule
def longest_suit(hand):
    """How many cards the longest suit has."""
    most = 0
    for suit in range(SUITS):
        most = max(most, count(both(hand, OF_SUIT[suit])))
    return most


@rule
def longest_run(hand):
    """How many cards the longest sequence has."""
    most = 0
    for suit in range(SUITS):
        most = max(most, NUMBER[RUN_WORTH[ranks_of(hand, suit, RANKS)]])
    return most


@rule
def has_four(hand, counting):
    """Does the hand hold four of a rank that counts?"""
    fours = counting
    for suit in range(SUITS):
        fours = both(fours, ranks_of(hand, suit, RANKS))
    return fours != EMPTY


@rule
def declare(o):
    """Say the number, unless the other has said a higher one: it could not win, and need not be told."""
    hand = gather(o.hand, 1)
    if o.phase[SUIT]:
        mine, its = longest_suit(hand), int(o.declared[SUIT_KIND, OTHER])
    elif o.phase[SEQUENCE]:
        mine, its = longest_run(hand), int(o.declared[SEQUENCE_KIND, OTHER])
    else:
        mine, its = THREE, int(o.declared[SET_KIND, OTHER])
        if its > THREE and has_four(hand, COUNTING[int(o.set_ranks)]):
            mine = FOUR
    return PASS if its > mine else DECLARE


# What the seat to play knows


class View(NamedTuple):
    """My hand, and the cards that the other may hold."""

    hand: int
    out: int


@rule
def look(o):
    """Read the observation."""
    hand, known = gather(o.hand, 1), gather(o.known[OTHER], 1)
    if count(known) == int(o.held[OTHER]):
        return View(hand, known)
    out = minus(gather(o.order, 0), plus(hand, plus(gather(o.discards, 1), gather(o.talon, 1))))
    longest, trio = int(o.declared[SUIT_KIND, OTHER]), o.declared[SET_KIND, OTHER] == THREE
    shown = plus(known, gather(o.played[OTHER], 1)) if longest > 0 or trio else EMPTY
    for suit in range(SUITS):
        its = OF_SUIT[suit]
        if o.void[OTHER, suit] or (longest > 0 and count(both(shown, its)) == longest):
            out = minus(out, minus(its, known))  # it has no more of a suit than its longest had
    if trio:
        for rank in each(COUNTING[int(o.set_ranks)]):
            its = OF_RANK[rank]
            if count(both(shown, its)) == THREE:
                out = minus(out, its)  # it would have declared four
    return View(hand, out)


@rule
def pair(v, suit):
    """The number of the pair of sets of ranks that I hold and that the other may hold in this suit."""
    return PLACE[ranks_of(v.hand, suit, RANKS)] + 2 * PLACE[ranks_of(v.out, suit, RANKS)]


# The cards


@rule
def lead(v, b):
    """The card after which, and after the other's likely reply, the suits promise most."""
    leading, waiting = b.promise[LEADING], b.promise[WAITING]
    led = waited = 0
    for suit in range(SUITS):
        i = pair(v, suit)
        led += leading[i]
        waited += waiting[i]
    chosen, most = NO_CARD, -NEVER
    for suit in range(SUITS):
        i = pair(v, suit)
        mine, its = ranks_of(v.hand, suit, RANKS), ranks_of(v.out, suit, RANKS)
        for rank in each(mine):
            left, better = PLACE[minus(mine, only(rank))], its >> rank << rank
            if better != EMPTY:
                value = waited - waiting[i] + waiting[left + 2 * PLACE[minus(its, better & -better)]]
            else:
                value = TRICK + led - leading[i] + leading[left + 2 * PLACE[its & its - 1]]
            if value >= most:
                chosen, most = RANKS * suit + rank, value
    return chosen


@rule
def follow_suit(v, card, b):
    """Of the cards of the suit led the one after which the suits promise most."""
    suit = SUIT_OF[card]
    led = waited = 0
    for other in range(SUITS):
        if other != suit:
            i = pair(v, other)
            led += b.promise[LEADING, i]
            waited += b.promise[WAITING, i]
    mine, its = ranks_of(v.hand, suit, RANKS), 2 * PLACE[ranks_of(v.out, suit, RANKS)]
    chosen, most = NO_CARD, -NEVER
    for rank in each(mine):
        i = PLACE[minus(mine, only(rank))] + its
        value = waited + b.promise[WAITING, i]
        if rank > RANK_OF[card]:
            value = TRICK + b.capture + led + b.promise[LEADING, i]
        if value > most:
            chosen, most = RANKS * suit + rank, value
    return chosen


@rule
def throw(v, b):
    """The lowest card of the suit that promises least less without it."""
    chosen, most = NO_CARD, -NEVER
    for suit in range(SUITS):
        mine, its = ranks_of(v.hand, suit, RANKS), 2 * PLACE[ranks_of(v.out, suit, RANKS)]
        if mine != EMPTY:
            value = b.promise[WAITING, PLACE[mine & mine - 1] + its] - b.promise[WAITING, PLACE[mine] + its]
            if value > most:
                chosen, most = RANKS * suit + lowest(mine), value
    return chosen


# A decision


@rule
def play(o, b):
    """A card to lead, or to reply with."""
    v, trick = look(o), gather(o.trick, 1)
    if trick == EMPTY:
        return lead(v, b)
    card = lowest(trick)
    return throw(v, b) if both(v.hand, OF_SUIT[SUIT_OF[card]]) == EMPTY else follow_suit(v, card, b)


@rule
def decide(o, mask, b):
    """One decision of a player of this temper."""
    if o.phase[PLAYING]:
        return PLAY + play(o, b)
    if o.phase[EXCHANGING]:
        return exchange(o, mask, b)
    if mask[DECLARE]:
        return declare(o)
    return first(mask, CARTE_OF)  # a carte blanche is always said


@rule
def choose(o, mask, chance, temper):
    """The rule-based player; the timid one keeps guards as elder too, the bold one attacks as younger too."""
    return decide(o, mask, BOOKS[temper])


register_tempers("piquet", ("rule", "rule-timid", "rule-bold"), choose)
