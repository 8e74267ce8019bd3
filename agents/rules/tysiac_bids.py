"""Tysiąc by rules of thumb: bids and contract, and the cards that are given or laid away."""

from karty.agents.rules.tysiac_hand import MATE, ME, NEVER, NOBODY, PARTNER, number, pairs, promise, suit_worth
from karty.envs.cards import NO_CARD, both, column, count, each, gather, has, minus, only, plus
from karty.envs.games.tysiac_tables import (
    ABOVE,
    BID,
    BOMB,
    CONCEDE,
    CONTRACT,
    GAME_POINTS,
    GIVE,
    LEVELS,
    MARRIAGE,
    OF_SUIT,
    OPENING,
    PASS,
    POINTS,
    REDEAL,
    SEATS,
    STEP,
    SUIT_OF,
    SUITS,
    TEAMS,
    THRESHOLD,
)
from karty.envs.kernel import rule

NEAR = 800  # a bidder with so many points may win with this deal
SURE_TRICKS = 5  # with so many it hardly matters which marriages the others hold


# The auction and the contract


@rule
def reserve(o, hand, t):
    """How far below the hand's promise to bid."""
    if number(o.score_tens, o.score_ones, ME) >= THRESHOLD[column(o.threshold)]:
        if o.finish_with_marriage and pairs(hand) == 0:
            return NEVER
        return t.caution - t.hunger
    if not o.single_deal:
        for seat in range(1, SEATS):
            if not o.passed[seat] and number(o.score_tens, o.score_ones, seat) >= NEAR:
                return t.caution - t.alarm
    return t.caution


@rule
def over_partner(o, t):
    """How much more the hand must promise because the highest bid is my partner's."""
    if TEAMS[column(o.table)] and o.bid[PARTNER] > max(o.bid[1], o.bid[3]):
        return t.partner
    return 0


@rule
def bid(o, mask, t):
    """A new deal if it may be asked for; the next higher bid if the hand promises it, else pass."""
    if mask[REDEAL]:
        return REDEAL
    if mask[BID]:
        return BID
    hand = gather(o.hand, 1)
    worth = promise(hand, t) - reserve(o, hand, t) - over_partner(o, t)
    for level in range(LEVELS):
        if mask[BID + level]:
            return BID + level if worth >= OPENING + STEP * level else PASS
    return PASS


@rule
def contract(o, mask, t):
    """The highest contract that the hand promises with safety, else the lowest; never more than wins the match."""
    hand = gather(o.hand, 1)
    if mask[BOMB] or mask[CONCEDE]:
        action = give_up(o, mask, hand, t)
        if action != NOBODY:
            return action
    worth = promise(hand, t) - t.safety
    wins = NEVER if o.single_deal else GAME_POINTS - number(o.score_tens, o.score_ones, ME)
    chosen = NOBODY
    for level in range(LEVELS):
        points = OPENING + STEP * level
        if mask[CONTRACT + level]:
            if chosen == NOBODY or worth >= points or (points >= wins and worth + t.spurt >= points):
                chosen = CONTRACT + level
            if points >= wins:
                return chosen
    return chosen


# Giving and laying away


@rule
def give_up(o, mask, hand, t):
    """Bomb or concession if the hand promises too much less than the bid; else NOBODY."""
    missing = STEP * int(o.bid[ME]) - promise(hand, t)
    if mask[BOMB] and missing > t.bomb:
        return BOMB
    if mask[CONCEDE] and missing > t.concede:
        return CONCEDE
    return NOBODY


@rule
def sure_tricks(hand):
    """How many cards of the hand nothing outside it beats."""
    tricks = 0
    for card in each(hand):
        if both(ABOVE[card], hand) == ABOVE[card]:
            tricks += 1
    return tricks


@rule
def cost(card, hand, seen, tricks, to_partner, t):
    """What giving the card costs: what the hand promises less, and the marriage that its receiver may complete."""
    suit = SUIT_OF[card]
    points = suit_worth(hand, suit, t) - suit_worth(minus(hand, only(card)), suit, t)
    unseen = MATE[card] != NO_CARD and not has(seen, MATE[card])
    if to_partner:
        return points - POINTS[card] * t.feed // 100 - unseen * MARRIAGE[suit] * t.mate // 100
    points += POINTS[card] * t.gift // 100
    if unseen:
        points += MARRIAGE[suit] * t.half * max(0, SURE_TRICKS - tricks) // (100 * SURE_TRICKS)
    return points


@rule
def give(o, mask, t):
    """The cheapest card; of the first two, if two of one suit are cheapest together, the lower of these.

    In teams the left neighbour gets the first card, the partner the second.
    """
    hand, gave = gather(o.hand, 1), gather(o.gave, 1)
    if mask[BOMB] or mask[CONCEDE]:
        action = give_up(o, mask, hand, t)
        if action != NOBODY:
            return action
    teams = TEAMS[column(o.table)]
    to_partner = teams and count(gave) == 1
    seen, tricks = plus(hand, gave), sure_tricks(hand)
    card_chosen = pair_chosen = NO_CARD
    least = second = pair_least = NEVER  # the cheapest card, the cheapest of another suit, the cheapest two of one suit
    for suit in range(SUITS):
        cards = both(hand, OF_SUIT[suit])
        cheapest = NEVER
        for card in each(cards):
            points = cost(card, hand, seen, tricks, to_partner, t)
            if points < cheapest:
                cheapest = points
                if points < least:
                    card_chosen = card
            if gave != 0:
                continue
            for other in each(both(cards, ABOVE[card])):
                together = points + cost(other, minus(hand, only(card)), seen, tricks, False, t)
                if together < pair_least:
                    pair_least, pair_chosen = together, card
        second = min(second, max(least, cheapest))
        least = min(least, cheapest)
    if gave == 0 and not teams and pair_least < least + second:
        return GIVE + pair_chosen
    return GIVE + card_chosen
