"""A frozen, simple player of Tysiąc without inference, and what agents gain on it: a yardstick that never moves.

    python benchmarks/simple_rule.py                                 the shipped rule-based player
    python benchmarks/simple_rule.py --agents rule runs/first --deals 10000 --matches 2000

Importing this file makes the player known as ``simple``. It knows its hand and the cards already played; what the
duties showed about the other hands it does not use, nor does it reckon odds or look at the scores.

Auction   ten more than the last bid while the estimate of its hand covers it; nothing is hoped for from the talon
Contract  the bid; more only as far as the estimate less 60 covers it
Giving    never half a marriage, an ace or a guarded ten; low cards of short suits first
Leading   top cards that trumps hardly reach, then the best marriage, then low from the longest suit
Third     takes with the most points, or plays its lowest card
Second    wins only with a sure winner, or plays its lowest card
Feeding   a defender gives a ten or an ace, if it would hardly take a trick of its own, and only to a trick that the
          other defender surely wins

Printed is a table: each agent in one seat against two ``simple`` and against two ``rule``, its points a deal (the
mean of the others' taken off) and the per cent of matches that it wins, with 95 % intervals; the same deals for all,
in all rotations. Agents are names, network files, run folders or ``module:Class``.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

import argparse
import sys
from collections.abc import Sequence

from karty.agents.agent import Agent, load_agent
from karty.envs.cards import NO_CARD, both, count, each, gather, has, highest, lowest, minus, only, plus
from karty.envs.engine import register_player
from karty.envs.games.tysiac_tables import (
    ABOVE,
    AUCTION,
    BID,
    CARDS,
    CLAIM,
    CONTRACT,
    CONTRACTING,
    DECK,
    GIVE,
    GIVING,
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
    REDEAL,
    STEP,
    SUIT_OF,
    SUITS,
)
from karty.envs.kernel import rule
from karty.training.evaluate import Episode, Estimate, evaluate

ACES, TENS = DECK.set("AS AC AD AH"), DECK.set("TS TC TD TH")
ACE_VALUE, TEN_VALUE, KING_VALUE = 18, 16, 12  # a ten with its ace, a king with both
GUARDED_TEN, SINGLE_TEN = 6, 2  # tens without their ace
LENGTH_VALUE = 8  # each card beyond the third of a suit
ACE_BESIDE = 4  # each ace of a hand with a marriage
SAFETY = 60  # what a raised contract leaves of the estimate
BOTH_TWO = 4  # with so many cards of a suit out, both others may hold two of it
ME, LEFT, RIGHT = range(3)
NOBODY = -1


# What a hand promises


@rule
def suit_value(cards, suit):
    """Points that the cards of one suit promise without their marriage."""
    ace, king = highest(OF_SUIT[suit]), highest(PAIR[suit])
    length, ten = count(cards), both(cards, TENS) != 0
    value = LENGTH_VALUE * max(0, length - 3)
    if has(cards, ace):
        value += ACE_VALUE
        if ten:
            value += TEN_VALUE
            if has(cards, king):
                value += KING_VALUE
    elif ten:
        value += GUARDED_TEN if length > 1 else SINGLE_TEN
    return value


@rule
def pairs(hand):
    """The kings and queens of the marriages in the hand."""
    found = 0
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            found = plus(found, PAIR[suit])
    return found


@rule
def estimate(hand):
    """Points that a hand promises to declarer."""
    points = 0
    for suit in range(SUITS):
        points += suit_value(both(hand, OF_SUIT[suit]), suit)
        if both(hand, PAIR[suit]) == PAIR[suit]:
            points += MARRIAGE[suit]
    if pairs(hand) != 0:
        points += ACE_BESIDE * count(both(hand, ACES))
    return points


# The auction, the contract, the gifts


@rule
def bid(o, mask):
    """A new deal if it may be asked for; the next higher bid if the estimate covers it, else pass."""
    if mask[REDEAL]:
        return REDEAL
    if not mask[PASS]:  # the forced hundred
        return BID
    points = estimate(gather(o.hand, 1))
    for level in range(LEVELS):
        if mask[BID + level]:
            return BID + level if points >= OPENING + STEP * level else PASS
    return PASS


@rule
def contract(o, mask):
    """The lowest contract, which is the bid, or the highest that the estimate covers with safety."""
    points = estimate(gather(o.hand, 1)) - SAFETY
    chosen = NOBODY
    for level in range(LEVELS):
        if mask[CONTRACT + level] and (chosen == NOBODY or points >= OPENING + STEP * level):
            chosen = CONTRACT + level
    return chosen


@rule
def keeping(card, hand, seen):
    """How much a card is to be kept when two must be given: the lowest is given first."""
    suit = SUIT_OF[card]
    length = count(both(hand, OF_SUIT[suit]))
    value = POINTS[card] + 2 * length
    if has(PAIR[suit], card):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            value += 400
        elif both(seen, PAIR[suit]) != PAIR[suit]:
            value += 100 + MARRIAGE[suit]
    elif has(ACES, card):
        value += 300
    elif has(TENS, card) and length > 1:
        value += 100
    return value


@rule
def give(o):
    """The card that is least to be kept."""
    hand = gather(o.hand, 1)
    seen = plus(hand, gather(o.gave, 1))
    chosen, least = NO_CARD, 0
    for card in each(hand):
        value = keeping(card, hand, seen)
        if chosen == NO_CARD or value < least:
            chosen, least = card, value
    return GIVE + chosen


# The play


@rule
def column(flags):
    """The number of the column that is set, or NOBODY."""
    for i in range(flags.shape[0]):
        if flags[i]:
            return i
    return NOBODY


@rule
def takes(card, best, trump):
    """Does the card beat the best one on the table?"""
    return best == NO_CARD or has(ABOVE[best], card) or (SUIT_OF[card] == trump and SUIT_OF[best] != trump)


@rule
def best_laid(o, trump):
    """The best card of the trick, or NO_CARD, and whether it is the other defender's while I defend too."""
    trick, declarer = gather(o.trick, 1), column(o.declarer)
    best, fellow = NO_CARD, False
    for seat in (LEFT, RIGHT):  # whoever is on my left laid before the seat on my right, if at all
        for card in each(both(trick, gather(o.played[seat], 1))):
            if takes(card, best, trump):
                best, fellow = card, declarer not in (ME, seat)
    return best, fellow


@rule
def top(card, out):
    """Is no higher card of the suit left outside my hand?"""
    return both(out, ABOVE[card]) == 0


@rule
def may_be_trumped(suit, out, trump):
    """Are there trumps out while one of the others may be short of the suit?"""
    if trump in (NOBODY, suit) or both(out, OF_SUIT[trump]) == 0:
        return False
    return count(both(out, OF_SUIT[suit])) < BOTH_TWO


@rule
def high(cards):
    """The card with the most points."""
    chosen = lowest(cards)
    for card in each(cards):
        if POINTS[card] > POINTS[chosen]:
            chosen = card
    return chosen


@rule
def low(legal, hand):
    """The legal card with the fewest points; half a marriage only if there is nothing else."""
    choice = minus(legal, pairs(hand))
    if choice == 0:
        choice = legal
    chosen = lowest(choice)
    for card in each(choice):
        if POINTS[card] < POINTS[chosen]:
            chosen = card
    return chosen


@rule
def spare(legal, out, trump):
    """The legal tens and aces that are not sure of a trick themselves."""
    cards = both(legal, plus(ACES, TENS))
    for card in each(cards):
        if top(card, out) and not may_be_trumped(SUIT_OF[card], out, trump):
            cards = minus(cards, only(card))
    return cards


@rule
def lead(hand, out, trump):
    """The top card with the most points that is not likely trumped, else the best marriage, else low from length."""
    marriages, cash, longest = pairs(hand), 0, 0
    for suit in range(SUITS):
        cards = both(hand, OF_SUIT[suit])
        if count(cards) > count(longest):
            longest = cards
        if cards != 0 and top(highest(cards), out) and not may_be_trumped(suit, out, trump):
            cash = plus(cash, only(highest(cards)))
    cash = minus(cash, marriages)
    if cash != 0:
        return PLAY + high(cash)
    for suit in range(SUITS - 1, -1, -1):
        if both(marriages, OF_SUIT[suit]) != 0:
            return MELD + 2 * suit
    return PLAY + lowest(longest)


@rule
def follow(o, hand, legal, out, trump):
    """Take the trick or feed it, if that is sure; else the lowest card. By the duties all legal cards take, or none."""
    best, fellow = best_laid(o, trump)
    most, last = high(legal), count(gather(o.trick, 1)) == RIGHT
    if takes(most, best, trump):
        return PLAY + (most if last or top(most, out) else low(legal, hand))
    feed = spare(legal, out, trump)
    if fellow and (last or top(best, out)) and feed != 0:
        return PLAY + high(feed)
    return PLAY + low(legal, hand)


@rule
def play(o, mask):
    """A card or a meld, from my hand and from the cards not yet played outside it."""
    hand, trump = gather(o.hand, 1), column(o.trump)
    out = minus(gather(o.order, 0), hand)
    if gather(o.trick, 1) == 0:
        return lead(hand, out, trump)
    return follow(o, hand, gather(mask[PLAY : PLAY + CARDS], 1), out, trump)


@rule
def choose(o, mask, chance):
    """The simple player."""
    if o.phase[PLAYING]:
        return CLAIM if mask[CLAIM] else play(o, mask)
    if o.phase[AUCTION]:
        return bid(o, mask)
    if o.phase[GIVING]:
        return give(o)
    if o.phase[CONTRACTING]:
        return contract(o, mask)
    return column(mask)


register_player("tysiac", "simple", choose)


# The table


def measure(agent: Agent, opponent: str, deals: int, matches: int) -> tuple[Estimate, Estimate]:
    """Points a deal and share of matches won of one seat against two opponents."""
    played: list[tuple[int, Episode]] = [(deals, "deal"), (matches, "match")]
    deal, match = (evaluate("tysiac", [agent, opponent], deals=count, episode=episode) for count, episode in played)
    if match.truncated > 0.01:
        print(f"{agent.name} over two {opponent}: {match.truncated:.1%} of the matches cut short", file=sys.stderr)
    return deal.points, match["wins"]


def main(words: Sequence[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agents", nargs="+", default=["rule"], metavar="A")
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--matches", type=int, default=2_000)
    options = parser.parse_args(words)
    opponents = ("simple", "rule")
    width = max(map(len, ("agent", *options.agents)))
    titles = (f"over two {name}: points a deal" for name in opponents)
    try:
        agents = {name: load_agent("tysiac", name) for name in options.agents}
        if torch := sys.modules.get("torch"):  # a network: its own threads would only get in each other's way
            torch.set_num_threads(1)
        print(f"{'agent':{width}}" + "".join(f"   {title:>31}  % of matches" for title in titles), flush=True)
        for name, agent in agents.items():
            line = f"{name:{width}}"
            for opponent in opponents:
                points, wins = measure(agent, opponent, options.deals, options.matches)
                line += f"   {points.mean:+24.2f} ± {points.half:4.2f}  {100 * wins.mean:5.1f} ± {100 * wins.half:4.1f}"
            print(line, flush=True)
    except ValueError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
