"""Dealing anew at the eight other tables of Tysiac: every placement that the referee finds possible is as likely."""

import importlib.util
import itertools
import random
from collections import Counter
from pathlib import Path

import pytest
from chisquare import looks_uniform
from referee.tysiac import CARDS, TABLES
from referee.tysiac_knowledge import Knowledge, consistent

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
        for seat, hand in zip(others, theirs, strict=True):
            hands[seat] = hand
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
