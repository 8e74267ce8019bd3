"""A player of Tysiąc by rules of thumb: it counts its hand, remembers what the duties gave away, and weighs each card.

What it knows   the observation and nothing else; it keeps nothing between two decisions and draws no lots
Auction         ten more than the last bid, as long as the estimate of its hand, less some caution, covers it
Giving          the cards without which the hand is worth most; half a marriage only if it keeps the lead anyway
Leading         a queen that nobody can beat, then sure tricks, then the best marriage; a king to drive out the ace
Cards           the one with the best balance: who will win the trick with what in it, less its worth in later tricks
The end         bids harder where only declarer's points count, and for the win; bombs a hundred that it will not make
"""

from math import comb
from typing import NamedTuple

import numpy as np

from karty.agents.rules.tempers import table
from karty.envs.cards import NO_CARD, both, count, each, gather, has, highest, lowest, minus, only, plus
from karty.envs.engine import register_player
from karty.envs.games.tysiac_tables import (
    ABOVE,
    AUCTION,
    BID,
    BOMB,
    CARDS,
    CLAIM,
    CONCEDE,
    CONTRACT,
    CONTRACTING,
    DECK,
    GAME_POINTS,
    GIVE,
    GIVING,
    KING,
    LEVELS,
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
    THRESHOLD,
)
from karty.envs.kernel import rule
from karty.envs.tricks import NO_TRUMP


class Temper(NamedTuple):
    """What sets one player of this kind apart from another: points, and shares in per cent.

    The values of a hand began as those that worked in a prototype (ace 18, ten 16, king 12, guarded ten 6, each card
    beyond the third of a suit 8, marriages in full); all were then tuned in self-play: ``benchmarks/tune_rules.py``.
    """

    ace: int = 17  # a hand promises so much for an ace,
    ten: int = 16  # a ten with its ace,
    king: int = 6  # a king with both,
    guarded: int = 4  # a ten without its ace but with another card,
    length: int = 4  # the fourth card of a suit, twice as much more for the fifth, three times for the sixth,
    beside: int = 5  # each card beside a marriage,
    helped: int = 6  # and its ace and ten once more;
    second: int = 75  # per cent of a marriage that is not the hand's best
    caution: int = -18  # bids stay so far below the promise,
    hunger: int = 60  # nearer by so much where only declarer's points count for me,
    alarm: int = 30  # or where another bidder may be about to win;
    safety: int = 28  # the contract stays so far below it,
    spurt: int = 45  # nearer by so much if it wins the match
    bomb: int = 20  # so far above what ten cards promise a bid is not played but bombed,
    concede: int = 65  # or conceded
    half: int = 15  # per cent of a marriage that giving half of it costs a hand without sure tricks,
    gift: int = -30  # per cent of the points of a card given: low cards are worth keeping,
    void: int = 1  # a suit with no card left
    later: int = 115  # per cent that a card which nothing beats is still worth in the hand,
    next: int = 6  # less so much if a higher one is there too;
    guard: int = 75  # per cent of the points of a card below a single other, while it has a guard;
    keep: int = 100  # the last guard, per cent of the points it guards;
    pair: int = 25  # king and queen, per cent of the marriage
    bring: int = 2  # each card still to come brings so much to a trick,
    lead: int = 6  # the lead so much to its winner
    force: int = 180  # leads: per cent of what a card is worth that becomes the best of its suit,
    crowd: int = 1  # less for each card of the suit still out,
    under: int = 40  # less if it is led from under the best card,
    risk: int = 12  # less if the best card may be trumped
    strong: int = 60  # of two marriages, one with so many points less goes first if a card less can beat its queen
    fellow: int = 50  # per cent that the other defender's points count


RULE = Temper()
TIMID = RULE._replace(caution=RULE.caution + 20, safety=RULE.safety + 20)
BOLD = RULE._replace(caution=RULE.caution - 20, safety=RULE.safety - 15)


TEMPERS = table(RULE, TIMID, BOLD)

NOBODY = -1
ME, LEFT, RIGHT = range(3)
NEVER = 10**6
NEAR = 800  # a bidder with so many points may win with this deal
SURE_TRICKS = 5  # with so many it hardly matters which marriages the others hold
RIVAL = -50  # per cent that a fellow's points count once the contract is decided: half of what he gains on me
ACE, TEN = KING + 2, KING + 1
BELOW = np.array([sum(1 << low for low in range(CARDS) if int(ABOVE[low]) >> card & 1) for card in range(CARDS)])
MATE = np.array([{"Q": card + 1, "K": card - 1}.get(name[0], NO_CARD) for card, name in enumerate(DECK.names)])
MOST_HELD = 12
EVERY, HELD = range(CARDS + 1), range(MOST_HELD + 1)
ODDS = np.array([[[100 * comb(max(cards - wanted, 0), held) // max(comb(cards, held), 1) for held in HELD]
                  for wanted in EVERY] for cards in EVERY], np.int8)  # fmt: skip


# What a hand promises


@rule
def suit_worth(hand, suit, t):
    """Points that the cards of one suit promise, its marriage included."""
    cards = both(hand, OF_SUIT[suit])
    if cards == 0:
        return t.void
    length = count(cards)
    worth = 0
    if has(cards, ACE[suit]):
        worth += t.ace
        if has(cards, TEN[suit]):
            worth += t.ten
            if has(cards, KING[suit]):
                worth += t.king
    elif has(cards, TEN[suit]) and length > 1:
        worth += t.guarded
    if length > 3:
        worth += t.length * (length - 3) * (length - 2) // 2
    if both(cards, PAIR[suit]) == PAIR[suit]:
        worth += MARRIAGE[suit] + t.beside * (length - 2)
        worth += t.helped * (has(cards, ACE[suit]) + has(cards, TEN[suit]))
    return worth


@rule
def promise(hand, t):
    """Points that a hand promises to declarer; of several marriages only the best is sure to be melded."""
    worth = marriages = best = 0
    for suit in range(SUITS):
        worth += suit_worth(hand, suit, t)
        if both(hand, PAIR[suit]) == PAIR[suit]:
            marriages += MARRIAGE[suit]
            best = MARRIAGE[suit]
    return worth - (marriages - best) * (100 - t.second) // 100


# The auction and the contract


@rule
def number(tens, ones, seat):
    """A seat's points or score, which the observation holds in two columns."""
    return 10 * int(tens[seat]) + int(ones[seat])


@rule
def column(flags):
    """The number of the column that is set, or NOBODY."""
    for i in range(flags.shape[0]):
        if flags[i]:
            return i
    return NOBODY


@rule
def reserve(o, hand, t):
    """How far below the hand's promise to bid."""
    if number(o.score_tens, o.score_ones, ME) >= THRESHOLD[column(o.threshold)]:
        if o.finish_with_marriage and pairs(hand) == 0:
            return NEVER
        return t.caution - t.hunger
    if not o.single_deal:
        for seat in (LEFT, RIGHT):
            if not o.passed[seat] and number(o.score_tens, o.score_ones, seat) >= NEAR:
                return t.caution - t.alarm
    return t.caution


@rule
def bid(o, mask, t):
    """A new deal if it may be asked for; the next higher bid if the hand promises it, else pass."""
    if mask[REDEAL]:
        return REDEAL
    if mask[BID]:
        return BID
    hand = gather(o.hand, 1)
    worth = promise(hand, t) - reserve(o, hand, t)
    for level in range(LEVELS):
        if mask[BID + level]:
            return BID + level if worth >= OPENING + STEP * level else PASS
    return PASS


@rule
def contract(o, mask, t):
    """The highest contract that the hand promises with safety, else the lowest; never more than wins the match."""
    worth = promise(gather(o.hand, 1), t) - t.safety
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


# Giving


@rule
def give_up(o, mask, hand, t):
    """Bomb or concession if the hand, still ten cards, promises too much less than the bid; else NOBODY."""
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
def cost(card, hand, seen, tricks, t):
    """What giving the card costs: what the hand promises less, and the marriage that its receiver may complete."""
    suit = SUIT_OF[card]
    points = suit_worth(hand, suit, t) - suit_worth(minus(hand, only(card)), suit, t) + POINTS[card] * t.gift // 100
    if MATE[card] != NO_CARD and not has(seen, MATE[card]):
        points += MARRIAGE[suit] * t.half * max(0, SURE_TRICKS - tricks) // (100 * SURE_TRICKS)
    return points


@rule
def give(o, mask, t):
    """The cheapest card; of the first two, if two of one suit are cheapest together, the lower of these."""
    hand, gave = gather(o.hand, 1), gather(o.gave, 1)
    if mask[BOMB] or mask[CONCEDE]:
        action = give_up(o, mask, hand, t)
        if action != NOBODY:
            return action
    seen, tricks = plus(hand, gave), sure_tricks(hand)
    card_chosen = pair_chosen = NO_CARD
    least = second = pair_least = NEVER  # the cheapest card, the cheapest of another suit, the cheapest two of one suit
    for suit in range(SUITS):
        cards = both(hand, OF_SUIT[suit])
        cheapest = NEVER
        for card in each(cards):
            points = cost(card, hand, seen, tricks, t)
            if points < cheapest:
                cheapest = points
                if points < least:
                    card_chosen = card
            for other in each(both(cards, ABOVE[card])):
                together = points + cost(other, minus(hand, only(card)), seen, tricks, t)
                if together < pair_least:
                    pair_least, pair_chosen = together, card
        second = min(second, max(least, cheapest))
        least = min(least, cheapest)
    if gave == 0 and pair_least < least + second:
        return GIVE + pair_chosen
    return GIVE + card_chosen


# What the seat to play knows


class Other(NamedTuple):
    """What is known of another hand: the cards it may hold, those of them it surely holds, and how many it has."""

    may: int
    sure: int
    held: int


class View(NamedTuple):
    """My hand, the cards that nobody has shown yet, the other hands, and the trick so far."""

    hand: int
    out: int
    left: Other
    right: Other
    trump: int
    trick: int
    points: int  # in the trick
    led: int
    best: int
    holder: int  # who laid the best card


@rule
def takes(card, best, trump):
    """Does the card beat the best one on the table?"""
    return best == NO_CARD or has(ABOVE[best], card) or (SUIT_OF[card] == trump and SUIT_OF[best] != trump)


@rule
def look(o):
    """Read the observation."""
    hand, trick = gather(o.hand, 1), gather(o.trick, 1)
    out = minus(gather(o.order, 0), hand)
    left_sure, right_sure = gather(o.holding[0], 1), gather(o.holding[1], 1)
    left = Other(minus(minus(out, gather(o.holding[0], -1)), right_sure), left_sure, int(o.held[LEFT]))
    right = Other(minus(minus(out, gather(o.holding[1], -1)), left_sure), right_sure, int(o.held[RIGHT]))
    trump = column(o.trump)
    points, led, best, holder = 0, NO_TRUMP, NO_CARD, NOBODY
    if trick != 0:
        seat = column(o.leader)
        for _ in range(count(trick)):
            card = lowest(both(trick, gather(o.played[seat], 1)))
            points += POINTS[card]
            if best == NO_CARD:
                led = SUIT_OF[card]
            if takes(card, best, trump):
                best, holder = card, seat
            seat = seat + 1 if seat < RIGHT else ME
    return View(hand, out, left, right, trump, trick, points, led, best, holder)


@rule
def none_of(cards, wanted, held):
    """Per cent: how likely so many cards held, of these, are none of the wanted ones."""
    return int(ODDS[cards, wanted, min(max(held, 0), MOST_HELD)])


@rule
def beaten(card, led, trump, other):
    """Per cent: how likely a seat yet to play has to beat the card."""
    cards, places = count(minus(other.may, other.sure)), other.held - count(other.sure)
    follows = both(other.may, OF_SUIT[led])
    likely = 0
    if SUIT_OF[card] == led:
        higher = both(follows, ABOVE[card])
        if both(higher, other.sure) != 0:
            return 100
        likely = 100 - none_of(cards, count(higher), places)
        if trump in (NO_TRUMP, led):
            return likely
        higher = both(other.may, OF_SUIT[trump])
    else:
        higher = both(other.may, ABOVE[card])
    if higher == 0 or both(follows, other.sure) != 0:
        return likely
    void = none_of(cards, count(follows), places)
    if both(higher, other.sure) != 0:
        return likely + void
    return likely + void * (100 - none_of(cards - count(follows), count(higher), places)) // 100


@rule
def sure_lead(card, v):
    """Does the card, led, surely take the trick?"""
    led = SUIT_OF[card]
    if v.trump == NO_TRUMP or v.trump == led:
        return both(v.out, ABOVE[card]) == 0
    return beaten(card, led, v.trump, v.left) == 0 and beaten(card, led, v.trump, v.right) == 0


@rule
def still_to_win(v):
    """The points that the others may still take at most: all cards, and marriages that they may hold."""
    points = v.points
    for card in each(plus(v.hand, v.out)):
        points += POINTS[card]
    for suit in range(SUITS):
        if both(v.out, PAIR[suit]) == PAIR[suit]:
            points += MARRIAGE[suit]
    return points


@rule
def sides(o, v, t):
    """Per cent that a point in the left and in the right neighbour's tricks counts for me."""
    declarer = column(o.declarer)
    if declarer == ME:
        return -100, -100
    fellow, foe = t.fellow, -100
    wanted = STEP * int(o.contract) - number(o.points_tens, o.points_ones, declarer)
    if wanted <= 0 or wanted > still_to_win(v):
        fellow, foe = RIVAL, 0  # the contract is made or lost whatever declarer takes
    if declarer == LEFT:
        return foe, fellow
    return fellow, foe


# What a card is worth


@rule
def pairs(hand):
    """The kings and queens of the marriages in the hand."""
    found = 0
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            found = plus(found, PAIR[suit])
    return found


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
    elif above == 1 and both(cards, BELOW[card]) != 0:
        worth = POINTS[card] * t.guard
    if has(marriages, card):
        worth += MARRIAGE[suit] * t.pair
    top = highest(cards)
    if v.trick != 0 and top != card and count(cards) == 2 and count(both(v.out, ABOVE[top])) == 1:
        worth += POINTS[top] * t.keep
    return worth


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
def balance(card, v, left_side, right_side, marriages, t):
    """What playing the card brings, in hundredths of a point."""
    mine = takes(card, v.best, v.trump)
    best = card if mine else v.best
    led = SUIT_OF[card] if v.trick == 0 else v.led
    to_come = RIGHT - count(v.trick)
    left = right = 0  # per cent: how likely each of them takes the trick from its holder
    if to_come > 0:
        left = beaten(best, led, v.trump, v.left)
    if to_come > 1:
        right = beaten(best, led, v.trump, v.right)
    stays = (100 - left) * (100 - right) // 100
    right = right * (200 - left) // 200  # if both can, either may have the higher card
    left = 100 - stays - right
    side = 100 if mine else left_side if v.holder == LEFT else right_side
    pile = v.points + POINTS[card] + t.bring * to_come
    gain = (stays * side + left * left_side + right * right_side) // 100 * pile
    if mine:
        gain += stays * t.lead
    if v.trick == 0:
        gain += lead_bonus(card, v, stays, t)
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


# A decision


@rule
def play(o, mask, t):
    """The card, or the meld, with the best balance."""
    v = look(o)
    marriages = pairs(v.hand)
    if v.trick == 0 and marriages != 0:
        action = lead_marriage(v, marriages, mask, t)
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
    if o.phase[PLAYING]:
        return CLAIM if mask[CLAIM] else play(o, mask, t)
    if o.phase[AUCTION]:
        return bid(o, mask, t)
    if o.phase[GIVING]:
        return give(o, mask, t)
    if o.phase[CONTRACTING]:
        return contract(o, mask, t)
    return column(mask)


@rule
def choose(o, mask, chance):
    """The rule-based player."""
    return decide(o, mask, TEMPERS[0])


@rule
def choose_timid(o, mask, chance):
    """The same, but it bids less."""
    return decide(o, mask, TEMPERS[1])


@rule
def choose_bold(o, mask, chance):
    """The same, but it bids more."""
    return decide(o, mask, TEMPERS[2])


register_player("tysiac", "rule", choose)
register_player("tysiac", "rule-timid", choose_timid)
register_player("tysiac", "rule-bold", choose_bold)
