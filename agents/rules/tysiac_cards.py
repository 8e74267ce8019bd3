"""Tysiąc by rules of thumb: what a card is worth in a trick and in the hand, and which one to lay."""

import numpy as np

from karty.agents.rules.tysiac_hand import MATE, NEVER, NOBODY, pairs
from karty.agents.rules.tysiac_known import play_known
from karty.agents.rules.tysiac_view import beaten, can_take, look, may_meet_king, seat_at, sides, sure_lead, takes
from karty.envs.cards import NO_CARD, both, count, each, has, highest, minus
from karty.envs.games.tysiac_tables import (
    ABOVE,
    DECK,
    KING,
    KING_ON_QUEEN,
    MARRIAGE,
    MELD,
    OF_SUIT,
    PLAY,
    POINTS,
    QUEEN,
    SUIT_OF,
    SUITS,
)
from karty.envs.kernel import rule
from karty.envs.tricks import NO_TRUMP, follow

BELOW = np.array(
    [sum(1 << low for low in range(DECK.size) if int(ABOVE[low]) >> card & 1) for card in range(DECK.size)]
)


@rule
def price(card, v, marriages, t):
    """What the card is worth in the hand in later tricks, in hundredths of a point."""
    suit = SUIT_OF[card]
    cards = both(v.hand, OF_SUIT[suit])
    above = count(both(v.out, ABOVE[card]))
    worth = 0
    if above == 0:
        worth = (POINTS[card] + t.bring) * t.later
        if both(cards, ABOVE[card]) != 0:
            worth -= 100 * t.next
        if v.aside > 0 and (suit == v.trump or v.trump == NO_TRUMP or both(v.out, OF_SUIT[v.trump]) == 0):
            worth += v.aside * t.last
    elif above == 1 and both(cards, BELOW[card]) != 0:
        worth = POINTS[card] * t.guard
    if has(marriages, card):
        worth += MARRIAGE[suit] * t.pair
    elif MATE[card] != NO_CARD and may_come(card, v):
        worth += MARRIAGE[suit] * t.hope
    if v.stock > 0 and suit == v.trump:
        worth += 100 * t.trumps
    top = highest(cards)
    if v.trick != 0 and top != card and count(cards) == 2 and count(both(v.out, ABOVE[top])) == 1:
        worth += POINTS[top] * t.keep
    return worth


@rule
def may_come(card, v):
    """May the other half of this king's or queen's marriage still be drawn, or be laid before this king?"""
    if not has(v.out, MATE[card]):
        return False
    return v.stock > 0 or (KING_ON_QUEEN[v.table] and card == KING[SUIT_OF[card]])


@rule
def lead_bonus(card, v, stays, t):
    """What speaks for leading the card beside the trick, in hundredths of a point; it wins in ``stays`` per cent."""
    suit = SUIT_OF[card]
    bonus = -100 * t.crowd * count(both(v.out, OF_SUIT[suit]))
    top = highest(both(v.hand, OF_SUIT[suit]))
    above, above_top = both(v.out, ABOVE[card]), both(v.out, ABOVE[top])
    if above_top == 0:
        if above != 0:
            bonus -= 100 * t.under
        elif stays < 100:
            bonus -= 100 * t.risk
    elif top != card and above == above_top and count(above) == 1:
        bonus += (POINTS[top] + t.bring) * t.force
    return bonus


@rule
def answer(card, v):
    """The points that the other hand, known card by card, must lay at least if it cannot beat this one."""
    cards = follow(v.first.sure, OF_SUIT[SUIT_OF[card]])
    least = NEVER
    for other in each(cards):
        least = min(least, POINTS[other])
    return least


@rule
def falls(best, led, v, t):
    """Per cent: how likely each seat yet to play takes a trick with this best card, and how likely it stays."""
    first = second = third = 0
    if v.stock > 0:
        first = t.willing * can_take(best, v.trump, v.first) // 100 if v.waiting > 0 else 0
        return 100 - first, first, 0, 0
    for place in range(v.waiting):
        likely = beaten(best, led, v.trump, seat_at(v, place))
        if place == 0:
            first = likely
        elif place == 1:
            second = likely
        else:
            third = likely
    stays = (100 - first) * (100 - second) // 100
    second = second * (200 - first) // 200  # if both can, either may have the higher card
    if v.waiting > 2:
        second = second * (200 - third) // 200
        stays, third = stays * (100 - third) // 100, third * (100 + stays) // 200
    return stays, 100 - stays - second - third, second, third


@rule
def balance(card, v, side, marriages, ahead, t):
    """What playing the card brings, in hundredths of a point; ``ahead`` is the worth of the next lead."""
    mine = takes(card, v.best, v.trump)
    best = card if mine else v.best
    led = SUIT_OF[card] if v.trick == 0 else v.led
    stays, first, second, third = falls(best, led, v, t)
    held = 100
    if not mine:
        held = side[0] if v.holder == 1 else side[1] if v.holder == 2 else side[2]
    to_come = t.bring * v.to_come
    if v.trick == 0 and stays == 100 and v.first.held > 0 and v.first.sure == v.out:
        to_come = answer(card, v)
    pile = v.points + POINTS[card] + to_come
    gain = (stays * held + first * side[0] + second * side[1] + third * side[2]) // 100 * pile
    if mine:
        gain += stays * ahead
    if v.trick == 0:
        gain += lead_bonus(card, v, stays, t)
    suit = SUIT_OF[card]
    if card == QUEEN[suit]:
        gain -= MARRIAGE[suit] * t.queen * may_meet_king(suit, v) // 100
    return gain - price(card, v, marriages, t)


@rule
def lead_marriage(v, marriages, mask, t):
    """What to lead from a hand with marriages; NOBODY if none may be melded."""
    chosen, most = NOBODY, -NEVER
    for suit in range(SUITS):
        if mask[MELD + 2 * suit]:
            above = count(both(v.out, ABOVE[QUEEN[suit]]))
            if above == 0:
                return MELD + 2 * suit  # it costs nothing, and the lead remains
            if MARRIAGE[suit] - t.strong * above > most:
                chosen, most = MELD + 2 * suit, MARRIAGE[suit] - t.strong * above
    if chosen != NOBODY:
        several = count(marriages) > 2
        for card in each(minus(v.hand, marriages)):
            # With several marriages the side suits' aces have to bring the lead back.
            if sure_lead(card, v) and not (several and both(marriages, OF_SUIT[SUIT_OF[card]]) == 0):
                return PLAY + card
    return chosen


@rule
def best_of(marriages):
    """The value of the best marriage among these."""
    return MARRIAGE[SUIT_OF[highest(marriages)]] if marriages != 0 else 0


@rule
def play(o, mask, t):
    """The card, or the meld, with the best balance."""
    v = look(o)
    if count(v.hand) <= t.near and v.stock == 0 and count(v.first.may) - v.first.held <= t.guess:
        return play_known(o, mask, v)
    marriages = pairs(v.hand)
    if v.trick == 0 and marriages != 0:
        action = lead_marriage(v, marriages, mask, t)
        if action != NOBODY:
            return action
    side = sides(o, v, t)
    ahead = t.lead + best_of(marriages) * t.meld // 100
    if t.deny > 0:
        ahead += best_of(pairs(v.first.may)) * t.deny // 100
    chosen, most = NOBODY, 0
    for card in each(v.hand):
        if mask[PLAY + card]:
            gain = balance(card, v, side, marriages, ahead, t)
            action = PLAY + card
            suit = SUIT_OF[card]
            if card == KING[suit] and v.trick != 0 and mask[MELD + 2 * suit + 1]:
                gain += 100 * MARRIAGE[suit]
                action = MELD + 2 * suit + 1
            if chosen == NOBODY or gain > most:
                chosen, most = action, gain
    return chosen
