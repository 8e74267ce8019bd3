"""Chance: one 64-bit stream per purpose, kept in the state, so that nothing random depends on place, batch or threads.

A stream is a uint64 array of length 1. It is SplitMix64 (Steele, Lea, Flood 2014): a counter with a golden-ratio
step, and a scrambler. Streams of different purposes start at scrambled mixtures of the episode's seed and what they
are for. Every operand is an explicit uint64, since plain Python and machine code widen other integers differently.
"""

from __future__ import annotations

import hashlib

import numpy as np

from .cards import EMPTY, NO_CARD, count, each, has, lowest, minus, only, plus
from .game import EVALUATION_SEEDS
from .kernel import rule

_STEP = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_1, _2, _11, _27, _30, _31, _32 = (np.uint64(n) for n in (1, 2, 11, 27, 30, 31, 32))
_UPPER = np.uint64(EVALUATION_SEEDS)
_UNIT = 2.0**-53

LOT, CHOICES, IMAGINED, VARIANT = -1, -2, -3, -4
"""Purposes of streams that are no deal.

First dealer and the like, built-in players' choices, ``determinize``, the rules.
"""


@rule
def scramble(x):
    """Spread every bit of a uint64 over all bits."""
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    return x ^ (x >> _31)


@rule
def mix(seed, number):
    """A uint64 that depends on every bit of both numbers."""
    return scramble(scramble(np.uint64(seed) + _STEP) + np.uint64(number) * _STEP)


@rule
def episode_seed(first, episode):
    """The 63-bit seed of a table's k-th later episode; episode 0 is the table's first seed itself.

    The upper half of the seeds is for evaluation, so later episodes stay in the half of the first seed.
    """
    if episode == 0:
        return np.int64(first)
    return np.int64((mix(first, episode) >> _2) | (np.uint64(first) & _UPPER))


@rule
def stream(seed, purpose, attempt):
    """Where the stream of an episode for one purpose (a deal's number or LOT, CHOICES …) begins, a uint64."""
    return mix(mix(seed, np.int64(purpose)) >> _1, attempt)


@rule
def choices_stream(seed):
    """Where the stream of the built-in players' choices begins.

    A player must not find the episode's seed, and with it the cards, by running the mixture backwards. So this is the
    upper halves of two streams' beginnings, of which neither can be run back.
    """
    upper = stream(seed, CHOICES, 0) >> _32 << _32
    return upper | stream(seed, CHOICES, 1) >> _32


def agent_generator(*numbers: int) -> np.random.Generator:
    """The generator of an agent that Python asks; it does not show the numbers (seeds) from which it is made."""
    return np.random.default_rng(int.from_bytes(hashlib.sha256(repr(numbers).encode()).digest(), "little"))


@rule
def lot(seed, purpose, n):
    """One number from 0 to n - 1 for a purpose of the episode."""
    return np.int64(((stream(seed, purpose, 0) >> _32) * np.uint64(n)) >> _32)


@rule
def draw(chance, n):
    """A number from 0 to n - 1, n below 2**31; its bias is below n / 2**32."""
    chance[0] = chance[0] + _STEP
    return np.int64(((scramble(chance[0]) >> _32) * np.uint64(n)) >> _32)


@rule
def uniform(chance):
    """A float from 0 up to, but not including, 1."""
    chance[0] = chance[0] + _STEP
    return np.float64(scramble(chance[0]) >> _11) * _UNIT


@rule
def shuffle(pile, chance):
    """Shuffle the pile in place (Fisher and Yates)."""
    for i in range(pile.shape[0] - 1, 0, -1):
        j = draw(chance, i + 1)
        pile[i], pile[j] = pile[j], pile[i]


@rule
def draw_dealer(s):
    """The first dealer of an episode, by lot; the stream of lots stays for what else is drawn before the first deal."""
    s.chance[0] = stream(s.seed, LOT, 0)
    s.dealer = draw(s.chance, s.seats)


@rule
def stack(s, top, cards):
    """Lay these cards into the pack from place ``top`` on, in the order of their numbers: the place after them."""
    for card in each(cards):
        s.pack[top] = card
        top += 1
    return top


@rule
def sort_pack(s, cards):
    """The pack is these cards in the order of their numbers."""
    s.pack[:] = NO_CARD
    stack(s, 0, cards)


@rule
def shuffle_pack(s, cards):
    """Lay the pack for the deal that is due: these cards, shuffled by the deal's own stream, or what lies ready."""
    if s.stacked:
        s.stacked = 0
        return
    s.chance[0] = stream(s.seed, s.deal, s.attempt)
    sort_pack(s, cards)
    shuffle(s.pack[: count(cards)], s.chance)


@rule
def pick(cards, chance):
    """One card of the set, each as likely."""
    skip = draw(chance, count(cards))
    chosen = -1
    for card in each(cards):
        if skip == 0:
            chosen = card
        skip -= 1
    return chosen


TRIES = 10**6
"""How often ``determinize`` tries: a placement that fits is found in a few, only a state that never was has none."""
NEVER_WAS = "no placement of the hidden cards agrees with what the seat knows: this state never was"
"""What is then said."""


@rule
def deal_out(cards, room, barred, places, chance):
    """Deal the cards into places, every allowed placement as likely; answers how many there are, as a float.

    ``room`` int64[k] says how many cards each place takes, ``barred`` int64[k] which cards may not lie there; the
    sets come back in ``places`` int64[k]. The room must add up to the number of cards.
    """
    return deal_apart(cards, _STRANGERS, room, barred, np.ones(room.shape[0], np.int64), places, chance)


_STRANGERS = np.arange(64)


@rule
def deal_apart(cards, kin, room, barred, mixed, places, chance):
    """Deal the cards into places, no two of a family into one place, every allowed placement as likely.

    As ``deal_out``; ``kin`` int64[cards of the deck] is the number of each card's family, four cards at most; ``mixed``
    int64[k] is 1 for a place where a family may lie together. If no placement is allowed, ``places`` stays as it is.
    The number of ways to go on depends only on the room that is left, so all ways are counted first, family by family
    from the last one back, and then one is drawn.
    """
    k = room.shape[0]
    step = np.empty(k, np.int64)
    total = 1
    for p in range(k):
        step[p] = total
        total *= room[p] + 1
    n = count(cards)
    pile = np.empty(n, np.int64)  # families side by side
    family = np.zeros(n + 1, np.int64)  # by how many cards are still to be dealt: the size of the family that is next
    dealt = 0
    rest = cards
    while rest != EMPTY:
        head = lowest(rest)
        size = 0
        for card in each(rest):
            if kin[card] == kin[head]:
                pile[dealt + size] = card
                rest = minus(rest, only(card))
                size += 1
        family[n - dealt] = size
        dealt += size
    ways = np.zeros(total)
    ways[0] = 1.0
    at = np.zeros(_LARGEST_FAMILY, np.int64)
    left = np.zeros(k, np.int64)
    filled = 0  # the sum of left
    for state in range(1, total):
        p = 0
        while left[p] == room[p]:
            filled -= left[p]
            left[p] = 0
            p += 1
        left[p] += 1
        filled += 1
        size = family[filled]
        at[:size] = 0
        going = size > 0
        while going:
            if _may_lie(pile, n - filled, size, at, left, barred, mixed):
                ways[state] += ways[_after(state, step, at, size)]
            going = _next_choice(at, size, k)
    found = ways[total - 1]
    if found == 0.0:
        return found
    state = total - 1
    left[:] = room
    places[:] = EMPTY
    dealt = 0
    while dealt < n:
        size = family[n - dealt]
        point = uniform(chance) * ways[state]
        chosen = np.zeros(_LARGEST_FAMILY, np.int64)
        at[:size] = 0
        going = True
        while going:
            if _may_lie(pile, dealt, size, at, left, barred, mixed) and ways[_after(state, step, at, size)] > 0.0:
                chosen[:size] = at[:size]
                point -= ways[_after(state, step, at, size)]
                going = point >= 0.0
            going = _next_choice(at, size, k) and going
        for i in range(size):
            places[chosen[i]] = plus(places[chosen[i]], only(pile[dealt + i]))
            left[chosen[i]] -= 1
        state = _after(state, step, chosen, size)
        dealt += size
    return found


_LARGEST_FAMILY = 4


@rule
def _next_choice(at, size, k):
    """The next way to lay ``size`` cards into k places, counted like an odometer; False after the last."""
    for i in range(size):
        at[i] += 1
        if at[i] < k:
            return True
        at[i] = 0
    return False


@rule
def _may_lie(pile, begin, size, at, left, barred, mixed):
    """May these cards of one family lie where ``at`` says?"""
    for i in range(size):
        room = left[at[i]]
        for j in range(i):
            if at[j] == at[i]:
                room = room - 1 if mixed[at[i]] else 0
        if room <= 0 or has(barred[at[i]], pile[begin + i]):
            return False
    return True


@rule
def _after(state, step, at, size):
    """The number of the state once ``size`` more cards lie where ``at`` says."""
    for i in range(size):
        state -= step[at[i]]
    return state
