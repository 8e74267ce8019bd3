"""Dealing anew at the eight other tables of Tysiac: every placement that the referee finds possible is as likely.

Then positions by hand, counted.
"""

import importlib.util
import itertools
import random
from collections import Counter
from pathlib import Path

import pytest
from chisquare import bound, chi_square, looks_uniform
from positions import act, hand, moved
from referee.tysiac import CARDS, TABLES
from referee.tysiac_knowledge import Knowledge, consistent
from tysiac_deals import dealt

import karty
from karty.envs.engine import Table
from karty.envs.game import RUNNING

pytestmark = pytest.mark.rules

GAME = karty.GAMES["tysiac"]
LEAKS = Path(__file__).resolve().parent.parent / "benchmarks" / "leaks.py"
MOST = 60  # placements of one position
# With twelve cards each and no talon nothing is hidden; `3p` has the test of its own in test_determinize.py.
HIDING = [name for name in TABLES if name not in ("3p", "2p_twelve")]


@pytest.fixture(scope="module")
def leaks():
    spec = importlib.util.spec_from_file_location("leaks", LEAKS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def placed(at):
    """Where every card is now: hands, cards laid away, the talon not chosen, the stock in its order."""
    state, deck = at.state, at.shape.deck
    away = frozenset(deck.cards(state.away))
    stock = tuple(deck.names[card] for card in state.stock[: state.stocked])[::-1]
    hands = tuple(frozenset(deck.cards(state.hands[seat])) for seat in range(at.seats))
    return (*hands, away, frozenset(deck.cards(state.aside)) - away, stock)


def gifts_of(knowledge, hands):
    """Every way in which declarer may have given the cards, as {receiver: card}."""
    choices = []
    for seat in knowledge.given:
        if knowledge.declarer == knowledge.me:
            its = [knowledge.gave[seat]]
        else:
            its = [knowledge.got] if seat == knowledge.me else [*hands[seat], *knowledge.played[seat]]
        choices.append([(seat, card) for card in its])
    return [dict(chosen) for chosen in itertools.product(*choices)]


def dealt_out(cards, sizes):
    """Every way to deal these cards into piles of these sizes, as lists of sets."""
    if not sizes:
        yield []
        return
    for pile in itertools.combinations(sorted(cards), sizes[0]):
        for rest in dealt_out(set(cards) - set(pile), sizes[1:]):
            yield [frozenset(pile), *rest]


def placements(knowledge):
    """Every placement of all cards that agrees with what the seat knows, as `placed` writes it."""
    seen = knowledge.hand.union(knowledge.away or (), *knowledge.played)
    others = [seat for seat in range(len(knowledge.counts)) if seat != knowledge.me]
    away = 0 if knowledge.away is not None else knowledge.laid_away
    sizes = [*(knowledge.counts[seat] for seat in others), away, knowledge.closed, knowledge.stock]
    found = set()
    for piles in dealt_out(set(CARDS) - seen, sizes):
        *theirs, laid_away, closed, stock = piles
        laid_away = laid_away if knowledge.away is None else knowledge.away
        hands = [knowledge.hand] * len(knowledge.counts)
        for seat, its in zip(others, theirs, strict=True):
            hands[seat] = its
        ways = gifts_of(knowledge, hands)
        if any(consistent(knowledge, hands, [], gifts, laid_away, closed, stock) for gifts in ways):
            found |= {(*hands, laid_away, closed, order) for order in itertools.permutations(stock)}
    return found


def count(knowledge):
    """How many ways there are to deal what the seat has not seen, without a look at what it knows."""
    others = [number for seat, number in enumerate(knowledge.counts) if seat != knowledge.me]
    piles = [*others, 0 if knowledge.away is not None else knowledge.laid_away, knowledge.closed]
    left, ways = sum(piles) + knowledge.stock, 1
    for size in piles:
        for card in range(size):
            ways = ways * (left - card) // (card + 1)
        left -= size
    for card in range(knowledge.stock):
        ways *= card + 1
    return ways


@pytest.mark.parametrize("table", HIDING)
def test_tysiac_every_placement_of_a_small_endgame_is_as_likely(table, leaks):
    """Random play down to a few unknown cards; then what is possible is enumerated and compared with 40 draws each."""
    lot, seen = random.Random(table), 0
    for number in itertools.count():
        rules = GAME.rules(table=table, bid_cap="free", show_talon=lot.choice(("always", "never")))
        at = Table(GAME, rules, episode="deal")
        at.reset(number)
        at.settle()
        account = leaks.ACCOUNTS["tysiac"](at)
        account.dealt()
        few = lot.choice((30, 100, 1000))
        me = lot.randrange(at.seats)
        while at.over == RUNNING and (account.deal.phase != "play" or count(Knowledge.of(account.deal, me)) > few):
            action = lot.choice(at.legal())
            account.acted(action)
            at.play(action)
            at.settle()
        if at.over != RUNNING:
            continue
        possible = placements(Knowledge.of(account.deal, me))
        assert placed(at) in possible
        if not 3 <= len(possible) <= MOST:
            continue
        drawn = Counter()
        for seed in range(40 * len(possible)):
            imagined = at.clone()
            imagined.determinize(me, seed)
            drawn[placed(imagined)] += 1
        assert set(drawn) <= possible
        assert looks_uniform(drawn, len(possible))
        seen += 1
        if seen == 2:
            return


# ------------------------------------------------------------------------------------------------- by hand, counted

DECK = GAME.shape().deck.names
PAIRS = ("AS TS KS QS AH TH AD TD AC TC", "KH QH JH 9H KD QD JD 9D KC QC")
TALONS = ["JS 9S", "JC 9C"]


@pytest.mark.plain
def test_what_declarer_laid_away_of_a_talon_that_was_shown_comes_as_often_as_there_are_ways():
    """14 cards: 10 in his hand, 2 laid away, 2 in the other talon, where JC and 9C of the shown one cannot lie.

    Laid away are none of these in C(12,2) C(10,2) = 2970 ways, one in 2 C(12,1) C(11,2) = 1320, both in C(12,2) = 66.
    """
    at = act(dealt("2p_pairs", *PAIRS, talon=TALONS), "bid 100, bid 110, pass, take 2, give 9C, give JD")
    counts, draws = Counter(), 800
    for seed in range(draws):
        its = at.clone()
        its.determinize(0, seed)
        mine, _, away, other, _ = placed(its)
        assert not {"JC", "9C"} & other
        assert mine == frozenset(PAIRS[0].split())
        counts[len({"JC", "9C"} & away)] += 1
    ways = (2970, 1320, 66)
    assert chi_square([counts[k] for k in range(3)], [draws * way / 4356 for way in ways]) < bound(2)


@pytest.mark.plain
def test_two_closed_talons_are_dealt_anew_each_by_itself():
    at = dealt("2p_pairs", *PAIRS, talon=TALONS)
    first = Counter()
    for seed in range(600):
        its = at.clone()
        its.determinize(0, seed)
        talons = its.dealt()["talon"]
        assert [len(cards) for cards in talons] == [2, 2]
        first.update(talons[0])
    assert set(first) == set(DECK) - set(PAIRS[0].split())
    assert looks_uniform(first, 14)


@pytest.mark.plain
def test_a_seat_keeps_what_it_drew_itself_and_a_melded_pair_was_held_when_it_was_melded():
    """Seat 1 lays AH in the first trick and melds diamonds in the second: only its draw after that is free of both."""
    hands = ("AS TS KS JS 9S 9H", "QD KH QH JH TH AH")
    at = dealt("2p_stock", *hands, stock="KD AC TC TD KC AD QC QS JC JD 9C 9D")
    act(at, "play 9H, play AH, meld QD, play 9S")
    firsts, thirds = set(), set()
    for seed in range(300):
        its = at.clone()
        its.determinize(0, seed)
        dealt_so = its.dealt()
        stock = dealt_so["stock"]
        assert dealt_so["hands"][0] == sorted(hands[0].split(), key=DECK.index)
        assert (stock[1], stock[3]) == ("AC", "TD")
        firsts.add(stock[0])
        thirds.add(stock[2])
        assert sorted([*dealt_so["hands"][0], *dealt_so["hands"][1], *stock]) == sorted(DECK)
    assert "AH" not in firsts and {"QD", "KD"} < firsts
    assert not {"AH", "QD", "KD"} & thirds and len(thirds) > 10


def test_tysiac_2_3_what_the_dealer_got_for_a_talon_that_nobody_saw_is_remembered_when_a_claimed_deal_is_dealt_anew():
    """80 points are KD, QD and no ace: declarer, who holds neither now, gave one to each of the two others."""
    hands = ("AC TC KC QC JC 9C AD", "", "AH TH KH QH JH 9H AS", "KS QS JS 9S TD JD 9D")
    at = dealt("4p_resting", *hands, talon="KD QD TS", dealer=1, claim=True, episode="deal")
    act(at, "bid 100, pass, pass, give KD, give QD, contract 100, claim")
    assert at.over != RUNNING and list(moved(at)) == [0, 80, 100, 0]
    for seed in (0, 1):  # one placement in thousands agrees
        its = at.clone()
        its.determinize(1, seed)
        assert {"KD", "QD"} < set(its.dealt()["talon"])
        assert sorted("KD" in hand(its, seat) for seat in (0, 3)) == [False, True]
        assert all(("KD" in hand(its, seat)) != ("QD" in hand(its, seat)) for seat in (0, 3))
