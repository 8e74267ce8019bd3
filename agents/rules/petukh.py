"""A player of Petukh: what it can reckon it reckons from the cards still out, the rest it looks up in tables.

What it knows   the observation and nothing else; it keeps nothing between two decisions and draws no lots
Hands           how many tricks a hand takes, and how likely none, is the sum of what its suits and the company add
Prikup          taken if the best card with four unknown ones and the lead is worth more than the hand, and in matches
                also for the next deal
Folding         if no trick is likelier than the tricks are worth; the exchange: what a card drawn is worth more than
Cards           each is weighed: how likely it takes the trick, what the cards kept may still take, led by me or by
                another, and what it costs to have no trick at the end; a trick spoils the others' chances as well
The end         my last point, and another's, are worth more than a trick; who has won a match stops

The tables are made by ``benchmarks/petukh_tables.py`` from many kons of this player against itself, four rounds after
one another, the first with tables set by hand. Those of later tricks are of the first round: with those of the fourth
it wrote off a hundredth of a point a kon less. The numbers below were found in self-play at four seats: one was changed
by a step up or down, on 25,000 kons (2,500 to 4,000 matches) in all four rotations, until no step gained more than its
error; most steps cost little. What the timid and the bold one add is a guess of a card player.
"""

from math import comb
from typing import NamedTuple

import numpy as np

from karty.agents.rules import petukh_tables as tables
from karty.agents.rules.tempers import table
from karty.envs.cards import EMPTY, NO_CARD, both, column, count, each, gather, has, highest, lowest, minus, only, plus
from karty.envs.engine import register_tempers
from karty.envs.games.petukh import (
    ABOVE,
    BLACK_BOYS,
    BOYS_2,
    BOYS_4,
    BOYS_POINTS,
    CARDS,
    DISCARD,
    DONE,
    EXCHANGING,
    FINISHING,
    FOLD,
    FOLDING,
    FOLDS_RUNNING,
    GO_ON,
    HAND,
    KEEP,
    KEEPING,
    LAYING_AWAY,
    NEAR,
    NO_TRICK,
    OF_SUIT,
    PASS,
    PLAY,
    PLAYING,
    RED_BOYS,
    SAYING,
    SCORE_FOR_TWO,
    SHOW,
    SILENT,
    STAY,
    STOP,
    SUIT_OF,
    SUITS,
    TAKE,
    TAKE_TRUMP,
    TAKING,
    TRICKS,
    has_boys,
)
from karty.envs.kernel import rule
from karty.envs.layout import KNOWN


class Temper(NamedTuple):
    """What sets one player of this kind apart from another, in hundredths of a point."""

    none: int = 450  # no trick costs so much more than a trick brings,
    boys: int = 150  # and each point said for boys so much more; for another's boys a third of it counts
    spoil: int = 50  # that another has no trick is worth so much
    lead: int = 10  # and the lead
    high: int = 100  # a card costs a hundredth of this more for each rank
    goal: int = 800  # the trick with which I write everything off,
    stop: int = 600  # or another would
    stay: int = 0  # a hand must promise so much more than folding,
    prikup: int = 0  # the prikup so much more than the hand,
    deal: int = 150  # less so much in a match, since who takes it deals the next kon
    say: int = 0  # boys so much more than silence


RULE = Temper()
TIMID = RULE._replace(stay=RULE.stay + 60, prikup=RULE.prikup + 60, say=RULE.say + 200)
BOLD = RULE._replace(stay=RULE.stay - 60, prikup=RULE.prikup - 60, say=RULE.say - 200)
TEMPERS = table(RULE, TIMID, BOLD)

NOBODY = -1
ME = 0
NEVER = -1e9
POINT = 100
RANKS = CARDS // SUITS
RANK_OF = np.array([card % RANKS for card in range(CARDS)])
EVERY, WANTED, HELD = range(CARDS + 1), range(RANKS + 1), range(HAND + 2)


def none_of(cards, wanted, held):
    """How likely so many cards held, of these, are none of the wanted ones."""
    if wanted == 0:
        return 1.0
    return comb(max(cards - wanted, 0), held) / comb(cards, held) if held <= cards else 0.0


NONE_OF = np.array([[[none_of(cards, wanted, held) for held in HELD] for wanted in WANTED] for cards in EVERY])
LATER, NO_LATER = np.array(tables.LATER) / 100, np.array(tables.NO_LATER) / 100
BUCKETS = LATER.shape[-1] - 1


# What the seat asked sees


@rule
def points_left(o, seat):
    """What a seat has still to write off."""
    return 10 * int(o.score_tens[seat]) + int(o.score_ones[seat])


class View(NamedTuple):
    """My hand, the cards that may be in the others' hands, the trick, and the seats that play after me."""

    hand: int
    out: int
    trump: int
    trick: int
    led: int
    best: int
    holder: int  # who laid the best card
    after: int  # the seats clockwise from me before this one are still to play to the trick


@rule
def look(o):
    """Read the observation during play."""
    hand, trick = gather(o.hand, 1), gather(o.trick, 1)
    out = minus(gather(o.order, 0), plus(hand, gather(o.aside, 1)))
    if o.stock and not o.took_trump:
        out = minus(out, only(int(o.turned[0]) - KNOWN))
    trump, seats = column(o.trump), o.held.shape[0]
    if trick == EMPTY:
        return View(hand, out, trump, trick, NOBODY, NO_CARD, NOBODY, seats)
    leader, led = column(o.leader), NOBODY
    for card in each(trick):
        if o.played[leader, card]:
            led = SUIT_OF[card]
    ruffs = both(trick, OF_SUIT[trump])
    best = highest(ruffs) if ruffs != EMPTY else highest(both(trick, OF_SUIT[led]))
    holder = leader
    while not o.played[holder, best]:
        holder += 1
    return View(hand, out, trump, trick, led, best, holder, leader)


# What a card is worth


@rule
def beaten(card, led, v, held, void, short):
    """How likely a seat with so many cards beats the card; is it known to have none of the led suit, or no trump?"""
    trumps, cards = both(v.out, OF_SUIT[v.trump]), count(v.out)
    if led == v.trump:
        return 0.0 if short else 1.0 - NONE_OF[cards, count(both(trumps, ABOVE[card])), held]
    follows = both(v.out, OF_SUIT[led])
    ruff = 0.0
    if short:
        cards -= count(trumps)
    else:
        above = trumps if SUIT_OF[card] == led else both(trumps, ABOVE[card])
        ruff = 1.0 - NONE_OF[cards - count(follows), count(above), held]
    if void:
        return ruff
    ruff *= NONE_OF[cards, count(follows), held]
    if SUIT_OF[card] != led:
        return ruff
    return ruff + 1.0 - NONE_OF[cards, count(both(follows, ABOVE[card])), held]


@rule
def stands(o, card, led, v, after, held):
    """How likely the card is not beaten by the seats clockwise from me before ``after``."""
    chance = 1.0
    anyone = 1.0 - beaten(card, led, v, held, False, False)
    for seat in range(1, after):
        if not o.folded[seat]:
            void, short = o.holding[seat, led * RANKS] == -1, o.holding[seat, v.trump * RANKS] == -1
            chance *= 1.0 - beaten(card, led, v, held, void, short) if void or short else anyone
    return chance


@rule
def takes(card, v):
    """Does the card beat the best one on the table?"""
    return v.best == NO_CARD or has(ABOVE[v.best], card) or (SUIT_OF[card] == v.trump and SUIT_OF[v.best] != v.trump)


@rule
def spoiled(o, seat, rest, deal, t):
    """What it costs me if this seat takes the trick: it may have been its first, or its last point."""
    cost = 0.0
    if o.tricks[seat] == 0:
        cost = NO_LATER[rest] * (t.spoil + BOYS_POINTS[o.boys[seat]] * t.boys / 3)
    if not deal and points_left(o, seat) - int(o.tricks[seat]) == 1:
        cost += t.stop
    return cost


@rule
def chances(o, v, rest):
    """How likely each card of my hand would take a trick if it were led later, in fifteenths: four bits each."""
    found, place, everybody = 0, 0, o.held.shape[0]
    for card in each(v.hand):
        chance = stands(o, card, SUIT_OF[card], v, everybody, rest)
        found |= int(chance * BUCKETS + 0.5) << place
        place += 4
    return found


@rule
def promise(v, played, buckets, rest, lead, none, left, t):
    """What the cards kept promise, by whether the lead is mine: tricks, less what none costs, and my last points."""
    tricks, no_trick, one = 0.0, 1.0, 0.0
    for card in each(v.hand):
        if card != played:
            chance = LATER[int(SUIT_OF[card] == v.trump), lead, rest, buckets & 15]
            tricks += chance
            one = one * (1.0 - chance) + no_trick * chance
            no_trick *= 1.0 - chance
        buckets >>= 4
    worth = POINT * tricks - none * no_trick
    if left == 1:
        worth += t.goal * (1.0 - no_trick)
    elif left == 2:
        worth += t.goal * (1.0 - no_trick - one)
    return worth


@rule
def play(o, mask, t):
    """The card that is worth most, in hundredths of a point: won or lost now, and what the others then promise."""
    v = look(o)
    legal = right_cards(v)
    if count(legal) == 1:
        return PLAY + lowest(legal)
    rest, deal = count(v.hand) - 1, bool(o.single_deal)
    none = 0.0
    if o.tricks[ME] == 0:
        none = t.none + BOYS_POINTS[o.boys[ME]] * t.boys
    left = NOBODY if deal else points_left(o, ME) - int(o.tricks[ME])
    cost_come, come = 0.0, 0  # what it costs me, on the average, if a seat yet to play takes the trick
    for seat in range(1, v.after):
        if not o.folded[seat]:
            cost_come += spoiled(o, seat, rest, deal, t)
            come += 1
    if come > 0:
        cost_come /= come
    cost_hold = stays = 0.0  # or if I lose to the best card on the table
    if v.best != NO_CARD:
        stays = stands(o, v.best, v.led, v, v.after, rest + 1)
        cost_hold = stays * spoiled(o, v.holder, rest, deal, t) + (1.0 - stays) * cost_come
    buckets = chances(o, v, rest) if rest > 0 else 0
    chosen, most, lost = NO_CARD, NEVER, NOBODY
    for card in each(legal):
        led, beats = SUIT_OF[card] if v.trick == EMPTY else v.led, takes(card, v)
        if not beats:
            if SUIT_OF[card] == lost:
                continue  # a lower card of the suit loses as well
            lost = SUIT_OF[card]
        worth = promise(v, card, buckets, rest, 0, none, left, t)
        if beats:
            wins = stands(o, card, led, v, v.after, rest + 1)
            won = POINT + t.lead * (rest > 0) + promise(v, card, buckets, rest, 1, 0.0, left - 1, t)
            if left == 1:
                won += t.goal
            worth = wins * won + (1.0 - wins) * (worth - cost_come)
        else:
            worth -= cost_hold
        worth -= RANK_OF[card] * t.high * 0.01
        if worth > most:
            chosen, most = card, worth
    return PLAY + chosen


@rule
def right_cards(v):
    """The cards that follow suit, else trumps, else all: a wrong one is never laid."""
    if v.trick == EMPTY:
        return v.hand
    cards = both(v.hand, OF_SUIT[v.led])
    if cards == EMPTY:
        cards = both(v.hand, OF_SUIT[v.trump])
    return cards if cards != EMPTY else v.hand


# What a hand is worth before play

TRUMPS, SIDE = tables.expand(tables.TRUMPS, tables.SIDE)
NONE_BY = np.array([1 / (1 + np.exp(-level / 100)) for level in range(-1000, 1001)])
SETTING, PLACE, STAYING = (np.array(its) for its in (tables.SETTING, tables.PLACE, tables.STAYING))
KEEPING_WORTH, DRAW_WORTH = np.array(tables.KEEP), np.array(tables.DRAW)
TAKING_WORTH, HOPE, OFFER = np.array(tables.TAKE), np.array(tables.HOPE), np.array(tables.OFFER)
TAKEN, NONE = range(2)
SUIT_CARDS = (1 << RANKS) - 1


@rule
def suit_bits(hand, suit):
    """The cards of a suit as nine bits."""
    return hand >> RANKS * suit & SUIT_CARDS


@rule
def added(hand, trump, which):
    """The sum of what the suits of a hand add: tricks, or to the likelihood of none."""
    mine = suit_bits(hand, trump)
    worth = TRUMPS[which, mine]
    trumps = min(count(mine), 3)
    for suit in range(SUITS):
        if suit != trump:
            worth += SIDE[which, trumps, suit_bits(hand, suit)]
    return worth


class Table(NamedTuple):
    """Who plays, and what is trump."""

    seats: int
    stock: int
    inside: int  # seats that have not folded, I among them,
    asked: int  # and do not count here, since they still may
    place: int  # seats that play before me to the first trick
    trump: int
    boys: bool  # may I say boys, if I have any?


@rule
def table_of(o):
    """Read the observation before play."""
    seats, dealer = o.held.shape[0], column(o.dealer)
    leader = column(o.taker)
    if leader == NOBODY:
        leader = dealer
    last = dealer + 1 if o.stock else dealer  # seats are asked from the dealer's left on, without or with the dealer
    inside = asked = 0
    for seat in range(seats):
        later = bool(o.phase[TAKING]) or (seat < last and (bool(o.phase[FOLDING]) or bool(o.phase[EXCHANGING])))
        sure = seat == ME or (seat in (dealer, leader) and not o.stock)
        if not o.folded[seat]:
            if later and not sure and may_fold(o, seat):
                asked += 1
            else:
                inside += 1
    if o.stock:
        leader = dealer
        for _ in range(seats):
            leader = leader + 1 if leader + 1 < seats else ME
            if not o.folded[leader]:
                break
    place = 0
    for seat in range(leader, seats if leader != ME else ME):
        place += not o.folded[seat]
    boys = points_left(o, ME) >= SCORE_FOR_TWO
    return Table(seats, int(o.stock), inside, asked, place, column(o.trump), boys)


@rule
def may_fold(o, seat):
    """May the seat fold if it is asked?"""
    near = 0
    for other in range(o.held.shape[0]):
        near += points_left(o, other) <= NEAR
    return near == 0 and o.folds[seat] < FOLDS_RUNNING[o.held.shape[0]]


@rule
def no_trick(hand, k):
    """How likely the hand takes none."""
    level = added(hand, k.trump, NONE) + SETTING[NONE, k.stock, k.inside, k.asked] + PLACE[NONE, k.place]
    return NONE_BY[min(max(level, -1000), 1000) + 1000]


@rule
def worth_of(hand, k):
    """What playing the hand is worth more than folding it, in hundredths of a point."""
    tricks = added(hand, k.trump, TAKEN) + SETTING[TAKEN, k.stock, k.inside, k.asked] + PLACE[TAKEN, k.place]
    none = no_trick(hand, k)
    worth = tricks * k.seats / (k.seats - 1) - POINT * NO_TRICK * none + STAYING[k.seats, k.inside, k.asked]
    if k.boys and has_boys(hand):
        worth += max(saying(none), 0.0)
    return worth


@rule
def saying(none):
    """What boys are worth if the hand takes no trick with this likelihood; two or four does not matter for the sign."""
    return POINT * BOYS_POINTS[2] * (1.0 - 2.0 * none)


@rule
def best_kept(hand, trump):
    """The card to keep for the prikup."""
    chosen, most = NO_CARD, NEVER
    for card in each(hand):
        worth = KEEPING_WORTH[int(SUIT_OF[card] == trump), RANK_OF[card]]
        if worth > most:
            chosen, most = card, worth
    return chosen


@rule
def take(o, t):
    """Take the prikup if it promises more than the hand."""
    k, hand = table_of(o), gather(o.hand, 1)
    worth = worth_of(hand, k)
    if may_fold(o, ME):
        worth = max(worth, 0.0)
    kept = best_kept(hand, k.trump)
    taken = KEEPING_WORTH[int(SUIT_OF[kept] == k.trump), RANK_OF[kept]] + TAKING_WORTH[k.seats]
    if not o.single_deal:
        taken += t.deal
    return TAKE if taken > worth + t.prikup else PASS


@rule
def stay(o, t):
    """Stay if the hand promises more than folding."""
    return STAY if worth_of(gather(o.hand, 1), table_of(o)) > t.stay else FOLD


@rule
def lay_away(o):
    """The dealer's card without which his hand is worth most."""
    k, hand = table_of(o), gather(o.hand, 1)
    chosen, most = NO_CARD, NEVER
    for card in each(hand):
        worth = worth_of(minus(hand, only(card)), k)
        if worth > most:
            chosen, most = card, worth
    return DISCARD + chosen


@rule
def exchange(o, mask, t):
    """Fold, or lay away what a card drawn is worth more than; the dealer takes the trump."""
    if mask[FOLD] and hoped(gather(o.hand, 1), table_of(o)) <= t.stay:
        return FOLD
    for card in each(plan(o)):
        if mask[DISCARD + card]:
            return DISCARD + card
    return TAKE_TRUMP if mask[TAKE_TRUMP] else DONE


@rule
def hoped(hand, k):
    """What the hand is worth more than folding before it is exchanged."""
    worth = OFFER[k.seats, k.inside, k.asked]
    for card in each(hand):
        worth += HOPE[int(SUIT_OF[card] == k.trump), RANK_OF[card]]
    return worth


@rule
def plan(o):
    """The cards to lay away, those that are away already among them: worth less than a card drawn, boys never."""
    trump, room = column(o.trump), int(o.stock_left) + int(o.dealer[ME])
    hand = plus(gather(o.hand, 1), gather(o.aside, 1))
    if points_left(o, ME) >= SCORE_FOR_TWO:
        for pair in (RED_BOYS, BLACK_BOYS):
            if both(hand, pair) == pair:
                hand = minus(hand, pair)
    found = EMPTY
    while room > 0:
        chosen, least = NO_CARD, 0.0
        for card in each(minus(hand, found)):
            worth = DRAW_WORTH[int(SUIT_OF[card] == trump), RANK_OF[card]]
            if worth < least:
                chosen, least = card, worth
        if chosen == NO_CARD:
            break
        found = plus(found, only(chosen))
        room -= 1
    return found


@rule
def say(o, mask, t):
    """Boys, if a trick is likelier than none."""
    if saying(no_trick(gather(o.hand, 1), table_of(o))) <= t.say:
        return SILENT
    return BOYS_4 if mask[BOYS_4] else BOYS_2


@rule
def finish(o):
    """Stop, unless it is a kon by itself and the others will lose more than they take."""
    if not o.single_deal:
        return STOP
    rest, gain, playing = TRICKS - total(o.tricks), 0.0, 0
    for seat in range(1, o.held.shape[0]):
        if not o.folded[seat]:
            playing += 1
            said = BOYS_POINTS[o.boys[seat]]
            none = NO_LATER[rest] if o.tricks[seat] == 0 else 0.0
            gain += none * (NO_TRICK + said) - (1.0 - none) * said
    return GO_ON if gain > rest * playing / (playing + 1) else STOP


@rule
def total(row):
    """The sum of the numbers of a row."""
    found = 0
    for i in range(row.shape[0]):
        found += int(row[i])
    return found


# A decision


@rule
def decide(o, mask, t):
    """One decision of a player of this temper."""
    if o.phase[PLAYING]:
        return play(o, mask, t)
    if o.phase[TAKING]:
        return take(o, t)
    if o.phase[FOLDING]:
        return stay(o, t)
    if o.phase[KEEPING]:
        return KEEP + best_kept(gather(o.hand, 1), column(o.trump))
    if o.phase[LAYING_AWAY]:
        return lay_away(o)
    if o.phase[EXCHANGING]:
        return exchange(o, mask, t)
    if o.phase[SAYING]:
        return say(o, mask, t)
    if o.phase[FINISHING]:
        return finish(o)
    return SHOW


@rule
def choose(o, mask, chance, temper):
    """The rule-based player; the timid one folds more, takes less and says less, the bold one the other way round."""
    return decide(o, mask, TEMPERS[temper])


register_tempers("petukh", ("rule", "rule-timid", "rule-bold"), choose)
