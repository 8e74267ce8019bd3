"""Tysiąc: what a seat cannot see, dealt anew.

The clauses cited are those of tysiac.md.
"""

import numpy as np

from ..cards import EMPTY, NO_CARD, both, count, each, has, minus, only, plus
from ..chance import NEVER_WAS, TRIES, deal_out, pick, shuffle, stack
from ..game import NOBODY, next_seat
from ..kernel import rule
from .tysiac_score import outsider, talon_points
from .tysiac_sees import known_to
from .tysiac_tables import (
    ALL_POINTS,
    BOMBED,
    CARDS,
    CLAIMED,
    CONCEDED,
    DEALING,
    KING,
    MOST_STOCK,
    NO_TALON,
    OPEN_TALON,
    OVER,
    PAIR,
    QUEEN,
    SEATS,
    STOCK,
    SUIT_OF,
    TALON,
    TALONS,
    TWO_TALONS,
    card_points,
)

# Where cards may lie that a seat cannot see: the hands, the talons on the table; two-handed the stock, what declarer
# laid away, the talon that he did not choose
LIES, IN_STOCK, LAID_AWAY, LEFT_OVER = range(SEATS, SEATS + 4)
PLACES, TWO_PLACES = SEATS + 1, SEATS + 4


@rule
def determinize(s, me, chance):
    """Deal the cards that ``me`` cannot know anew, every placement that agrees with all it knows as likely.

    Known are its hand, cards played, melded pairs, gifts it made, what it laid away, §5.2's duties, an open talon, and
    that a talon card that was shown and has not been seen again is declarer's, or laid away by him, or his one gift to
    the seat that holds it. A resting dealer's points for a talon that was not shown count by how often they would come.
    """
    k = TWO_PLACES if s.seats == 2 else PLACES
    room = np.zeros(k, np.int64)
    barred = np.zeros(k, np.int64)
    places = np.zeros(k, np.int64)
    sure = np.zeros(SEATS, np.int64)
    seen_talon = s.talon[s.chosen] if s.shown else EMPTY
    unseen = EMPTY
    for seat in range(s.seats):
        if seat != me:
            sure[seat] = known_to(s, me, seat)
            room[seat] = count(s.hands[seat]) - count(sure[seat])
            barred[seat] = s.cannot[seat]
            unseen = plus(unseen, minus(s.hands[seat], sure[seat]))
            if seat != s.declarer and s.given[seat] == NO_CARD:
                barred[seat] = plus(barred[seat], seen_talon)
    if not OPEN_TALON[s.table]:
        room[LIES] = count(s.lying)
        unseen = plus(unseen, s.lying)
    if s.seats == 2:
        unseen = plus(unseen, reserve(s, me, seen_talon, room, barred))
    for _ in range(TRIES):
        if deal_out(unseen, room, barred, places, chance) == 0.0:
            break
        for seat in range(s.seats):
            if seat != me:
                s.hands[seat] = plus(places[seat], sure[seat])
        if not OPEN_TALON[s.table]:
            s.lying = places[LIES]
        if s.seats == 2:
            lay_reserve(s, me, places, chance)
        imagine_gifts(s, me, chance)
        if one_gift_each(s, me, seen_talon) and talon_agrees(s) and claim_agrees(s, me):
            restack(s, me, chance)
            return
    raise ValueError(NEVER_WAS)


@rule
def one_gift_each(s, me, seen_talon):
    """§4.2 Of the talon that was shown, has no seat more than the one card that declarer gave it?"""
    if me == s.declarer:
        return True
    for seat in range(s.seats):
        if seat not in (me, s.declarer) and count(both(plus(s.hands[seat], s.played[seat]), seen_talon)) > 1:
            return False
    return True


@rule
def claim_agrees(s, me):
    """§4.5 Two-handed, are the cards aside worth what a declarer who claimed sees that he did not get for them?"""
    if s.seats > 2 or s.ending != CLAIMED or me != s.declarer or s.last_trick_takes_aside:
        return True
    return s.taken[me] == ALL_POINTS - card_points(s.aside)


@rule
def reserve(s, me, seen_talon, room, barred):
    """Two-handed: the room in the stock and among the cards aside that ``me`` has not seen; answers the cards there."""
    unseen = minus(s.aside, s.away)
    for place in range(s.stocked):
        unseen = plus(unseen, only(s.stock[place]))
    room[IN_STOCK] = s.stocked
    room[LEFT_OVER] = count(s.aside) - count(s.away)
    barred[IN_STOCK] = seen_talon
    barred[LEFT_OVER] = seen_talon
    if me != s.declarer:
        room[LAID_AWAY] = count(s.away)
        unseen = plus(unseen, s.away)
    return unseen


@rule
def lay_reserve(s, me, places, chance):
    """Two-handed: stock and cards aside, as they were imagined; the stock in any order."""
    if me != s.declarer:
        s.away = places[LAID_AWAY]
    s.aside = plus(s.away, places[LEFT_OVER])
    if s.chosen != NO_TALON and TALONS[s.table] == TWO_TALONS:
        s.talon[1 - s.chosen] = places[LEFT_OVER]
    place = 0
    for card in each(places[IN_STOCK]):
        s.stock[place] = card
        place += 1
    shuffle(s.stock[:place], chance)


@rule
def imagine_gifts(s, me, chance):
    """Which cards declarer gave to the others, and which he found in the talon, if ``me`` did not see it."""
    if s.chosen == NO_TALON:
        rest = s.lying
        if TALONS[s.table] == TWO_TALONS and rest != EMPTY:
            s.talon[1] = some_of(rest, TALON[s.table], chance)
            rest = minus(rest, s.talon[1])
        s.talon[0] = rest
        return
    if me == s.declarer or s.declarer == NOBODY:
        return
    his = plus(plus(s.hands[s.declarer], s.played[s.declarer]), s.away)
    for seat in range(s.seats):
        if seat != me and seat != s.declarer and s.given[seat] != NO_CARD:
            held = plus(s.hands[seat], s.played[seat])
            from_talon = both(held, s.talon[s.chosen]) if s.shown else EMPTY
            s.given[seat] = pick(from_talon if from_talon != EMPTY else held, chance)
        if seat != s.declarer and s.given[seat] != NO_CARD:
            his = plus(his, only(s.given[seat]))
    if not s.shown:
        s.talon[s.chosen] = some_of(his, TALON[s.table], chance)


@rule
def some_of(cards, number, chance):
    """So many cards of the set, each as likely."""
    chosen = EMPTY
    for _ in range(number):
        chosen = plus(chosen, only(pick(minus(cards, chosen), chance)))
    return chosen


@rule
def talon_agrees(s):
    """§2.3 Once the deal is scored, does the talon make what the resting dealer got for it?"""
    if s.resting == NOBODY or s.chosen == NO_TALON or s.phase not in (OVER, DEALING):
        return True
    if s.ending in (BOMBED, CONCEDED):
        return True
    before = s.scores[s.resting] - s.change[s.resting]
    return outsider(s, before, talon_points(s.talon[0])) == s.change[s.resting]


@rule
def restack(s, me, chance):
    """The pack as it must have lain, for these hands, these talons and this stock."""
    drawn = draws(s, me, chance)
    from_stock = EMPTY
    for place in range(STOCK[s.table]):
        if drawn[place] != NO_CARD:
            from_stock = plus(from_stock, only(drawn[place]))
    top = 0
    for seat in range(s.seats):
        hand = minus(plus(s.hands[seat], s.played[seat]), from_stock)
        if s.given[seat] != NO_CARD:
            hand = minus(hand, only(s.given[seat]))
        if seat == s.declarer:
            for other in range(s.seats):
                if s.given[other] != NO_CARD:
                    hand = plus(hand, only(s.given[other]))
            hand = plus(hand, s.away)
            if s.chosen != NO_TALON:
                hand = minus(hand, s.talon[s.chosen])
        top = stack(s, top, hand)
    for talon in range(TALONS[s.table]):
        top = stack(s, top, s.talon[talon])
    for place in range(STOCK[s.table]):
        if place >= STOCK[s.table] - s.stocked:
            s.pack[top + place] = s.stock[STOCK[s.table] - 1 - place]
        elif drawn[place] != NO_CARD:
            s.pack[top + place] = drawn[place]


@rule
def draws(s, me, chance):
    """§7.1 The cards drawn from the stock so far in their order, NO_CARD beyond: int64 [12].

    ``me`` knows what it drew. Of the other seat's cards any may have been drawn last that it did not need before then:
    it had not laid it yet, nor melded a marriage with it. So they are imagined from the last one back.
    """
    drawn = np.full(MOST_STOCK, NO_CARD)
    if STOCK[s.table] == 0:
        return drawn
    other = next_seat(s, me)
    mine = plus(s.hands[me], s.played[me])
    could = plus(s.hands[other], s.played[other])
    if other == s.declarer:
        could = minus(could, s.talon[0])
    for place in range(min(2 * (s.trick_number - 1), STOCK[s.table]) - 1, -1, -1):
        card = s.pack[CARDS - STOCK[s.table] + place]
        if not has(mine, card):
            later = could
            for its in each(could):
                if 0 < needed(s, other, its) <= place // 2 + 1:
                    later = minus(later, only(its))
            if later == EMPTY:
                raise ValueError(NEVER_WAS)
            card = pick(later, chance)
            could = minus(could, only(card))
        drawn[place] = card
    return drawn


@rule
def needed(s, seat, card):
    """The trick for which the seat had to hold the card, or 0: that in which it was laid, or its marriage melded."""
    trick = s.order[card]
    suit = SUIT_OF[card]
    if has(PAIR[suit], card) and s.melded[seat, suit]:
        first, second = s.order[QUEEN[suit]], s.order[KING[suit]]
        trick = first if second == 0 or 0 < first < second else second
    return trick
