"""Tysiąc by rules of thumb, two-handed and all cards known: each card is tried, and the rest played out in thought.

Without a talon the other hand is known from the deal on, else once the stock is empty or few cards are out. In thought
both play simply: a leader melds his best marriage, else leads the dearest card that surely wins, else his cheapest;
the other takes as cheaply as he can, else gives his cheapest card.
"""

from karty.agents.rules.tysiac_hand import ME, NEVER, number
from karty.agents.rules.tysiac_view import takes
from karty.envs.cards import NO_CARD, both, column, count, each, highest, minus, only
from karty.envs.games.tysiac_tables import (
    ABOVE,
    KING,
    MARRIAGE,
    MELD,
    OF_SUIT,
    PAIR,
    PLAY,
    POINTS,
    QUEEN,
    STEP,
    SUIT_OF,
    SUITS,
)
from karty.envs.kernel import rule
from karty.envs.tricks import NO_TRUMP, beat, follow, stronger


@rule
def cheapest(cards):
    """The card with the fewest points."""
    chosen, least = NO_CARD, NEVER
    for card in each(cards):
        if POINTS[card] < least:
            chosen, least = card, POINTS[card]
    return chosen


@rule
def supposed(may, sure, held):
    """The cards of a hand of so many, as it is supposed: of those that it may hold not the cheapest."""
    spare = minus(may, sure)
    while count(may) > held:
        card = cheapest(spare)
        may, spare = minus(may, only(card)), minus(spare, only(card))
    return may


@rule
def best_pair(hand):
    """The suit of the best marriage in the hand, or NO_TRUMP."""
    suit = SUITS - 1
    while suit >= 0 and both(hand, PAIR[suit]) != PAIR[suit]:
        suit -= 1
    return suit if suit >= 0 else NO_TRUMP


@rule
def simple_lead(hand, other, trump):
    """The dearest card that surely wins, else the cheapest."""
    chosen, most = NO_CARD, -1
    trumps = both(other, OF_SUIT[trump]) if trump != NO_TRUMP else 0
    for suit in range(SUITS):
        cards = both(hand, OF_SUIT[suit])
        if cards == 0:
            continue
        against = both(other, OF_SUIT[suit])
        if against == 0 and trumps != 0 and suit != trump:
            continue
        top = highest(cards)
        if both(against, ABOVE[top]) == 0 and POINTS[top] > most:
            chosen, most = top, POINTS[top]
    return chosen if chosen != NO_CARD else cheapest(hand)


@rule
def simple_answer(hand, led, trump):
    """The cheapest card that the duties allow."""
    better = stronger(ABOVE, OF_SUIT, SUIT_OF, led, trump)
    return cheapest(beat(follow(hand, OF_SUIT[SUIT_OF[led]]), better))


@rule
def played_out(mine, his, trump, leads, aside):
    """My points and his from here on, if both play simply; ``leads``: do I lead? The last trick takes what lies aside.

    Both hands have as many cards.
    """
    my_points = his_points = 0
    while mine != 0:
        leader, other = (mine, his) if leads else (his, mine)
        pair = best_pair(leader)
        if pair != NO_TRUMP:
            trump, card = pair, QUEEN[pair]
            if leads:
                my_points += MARRIAGE[pair]
            else:
                his_points += MARRIAGE[pair]
        else:
            card = simple_lead(leader, other, trump)
        answer = simple_answer(other, card, trump)
        points = POINTS[card] + POINTS[answer]
        leader, other = minus(leader, only(card)), minus(other, only(answer))
        mine, his = (leader, other) if leads else (other, leader)
        if takes(answer, card, trump):
            leads = not leads
        if leads:
            my_points += points
        else:
            his_points += points
    return (my_points + aside, his_points) if leads else (my_points, his_points + aside)


@rule
def settled(o, mine, his):
    """What a deal that ends with these points is worth to me."""
    declarer = column(o.declarer)
    contract = STEP * int(o.contract)
    if declarer == ME:
        return mine - his + (contract if mine >= contract else 0)
    if declarer == 1:
        return mine - his - (contract if his >= contract else 0)
    return mine - his


@rule
def tried(o, v, card, his, melds):
    """What the deal is worth if I lay this card now, melding or not, and both go on simply."""
    mine, trump = minus(v.hand, only(card)), v.trump
    my_points = number(o.points_tens, o.points_ones, ME)
    his_points = number(o.points_tens, o.points_ones, 1)
    suit = SUIT_OF[card]
    if v.trick == 0:
        if melds:
            my_points += MARRIAGE[suit]
            trump = suit
        answer = simple_answer(his, card, trump)
        his = minus(his, only(answer))
        leads = not takes(answer, card, trump)
        points = POINTS[card] + POINTS[answer]
    else:
        leads = takes(card, v.best, trump)
        points = POINTS[card] + v.points
    if leads:
        my_points += points
    else:
        his_points += points
    if mine == 0:
        if leads:
            my_points += v.aside
        else:
            his_points += v.aside
        return settled(o, my_points, his_points)
    more, his_more = played_out(mine, his, trump, leads, v.aside)
    return settled(o, my_points + more, his_points + his_more)


@rule
def play_known(o, mask, v):
    """The card, or the meld, after which the deal ends best."""
    chosen, most = -1, -NEVER
    his = supposed(v.first.may, v.first.sure, v.first.held)
    for card in each(v.hand):
        if mask[PLAY + card]:
            suit = SUIT_OF[card]
            melds, action = False, PLAY + card
            if card == QUEEN[suit] and mask[MELD + 2 * suit]:
                melds, action = True, MELD + 2 * suit
            if card == KING[suit] and mask[MELD + 2 * suit + 1]:
                melds, action = True, MELD + 2 * suit + 1
            worth = tried(o, v, card, his, melds)
            if worth > most:
                chosen, most = action, worth
    return chosen
