"""What a seat of Petukh sees (section 12), field by field, against the referee's own account of the same games."""

import importlib.util
import random
from collections import Counter
from pathlib import Path

import pytest
from positions import legal, sees
from referee.petukh import CARDS, Deal, in_order, khlust, suit
from referee.petukh_knowledge import Knowledge
from referee.petukh_play import Manner, at_the_start, chosen, dealt, drawn

from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, END, RUNNING, SCORE

pytestmark = pytest.mark.rules

SHOWN = 100  # counters stop there
LEAKS = Path(__file__).resolve().parent.parent.parent / "benchmarks" / "leaks.py"


class Account:
    """An episode as the referee keeps it: the running kon, scores, folds, how many kons were scored."""

    def __init__(self, at):
        self.rules, self.seats, self.single = at.rules.to_dict(), at.seats, at.episode == "deal"
        self.totals, self.folds, self.count = list(at.start), [0] * at.seats, 0
        self.deal = None

    def next_dealer(self, lot):
        return lot.randrange(self.seats) if self.deal is None else self.deal.next_dealer

    def dealt(self, at):
        piles = at.dealt()
        [lying] = piles.get("trump_card", [None])
        hands = [list(hand) for hand in piles["hands"]]
        prikup, stock = list(piles.get("prikup", [])), list(piles["stock"])
        self.deal = Deal(self.rules, at.dealer, hands, prikup, lying, stock, list(self.totals), list(self.folds))

    def scored(self):
        self.totals = [had + change for had, change in zip(self.totals, self.deal.changes(), strict=True)]
        self.folds = self.deal.folds_after()
        self.count += 1

    def finished(self):
        """Whether the episode is over with this kon."""
        return self.single or self.deal.winner is not None or self.count == self.rules["max_deals"]

    def around(self, me, values):
        """Values by seat, clockwise from me."""
        return [values[(me + step) % self.seats] for step in range(self.seats)]

    def seen_by(self, me):
        """What the seat sees now, as `decode` gives it; `holding` apart."""
        deal, rules = self.deal, self.rules
        known = Knowledge.of(deal, me)
        over = deal.end is not None

        def exchanging(its):
            return deal.phase == "exchange" and its == deal.seat != me

        def seat(its):
            return -1 if its is None else (its - me) % self.seats

        scores = self.totals
        if not over:
            scores = [score + 5 * revokes for score, revokes in zip(self.totals, known.revokes, strict=True)]
        first = deal.winner if over else known.first
        alone = deal.end == "alone"  # 4.4
        tricks = [5 * (its == deal.leader) for its in range(self.seats)] if alone else known.tricks
        drawn_by = list(known.exchanged)
        if 4 in known.laid_away and not known.draw:
            drawn_by[known.taker] = 4  # the prikup
        order = {its.card: its.trick for its in known.laid if not its.revoke}
        return {
            "start": rules["start"],
            "stock": int(rules["stock"] == "draw"),
            "khlust": rules["khlust"],
            "finish": rules["finish"],
            "revoke": int(rules["revoke"] == "penalty"),
            "start_scores": int(rules["start_scores"] == "random"),
            "single_deal": int(self.single),
            "phase": known.phase,
            "turn": seat(known.turn),
            "dealer": seat(deal.next_dealer if over else known.dealer),  # of the next kon, if there were one
            "taker": seat(known.taker),
            "leader": seat(known.lead if known.laid or known.phase in ("boys", "play") else None),
            "trump": known.trump,
            "turned": [known.turned],
            "hand": in_order(known.hand),
            "aside": in_order(known.aside),
            "played": [in_order(its) for its in self.around(me, known.played)],
            "order": [order.get(card, 0) for card in CARDS],
            "trick": in_order(known.trick),
            # How many cards a seat exchanges is seen when it draws.
            "held": self.around(me, [5 if exchanging(its) else known.counts[its] for its in range(self.seats)]),
            "tricks": self.around(me, tricks),
            "folded": [int(its in known.folded) for its in self.around(me, range(self.seats))],
            "exchanged": self.around(me, [its or 0 for its in drawn_by]),
            "stock_left": known.stock if known.draw else 0 if 4 in known.laid_away else 4,
            "took_trump": int(known.took_trump),
            "boys": self.around(me, known.boys),
            "folds": self.around(me, self.folds),
            "score_tens": [score // 10 for score in self.around(me, scores)],
            "score_ones": [score % 10 for score in self.around(me, scores)],
            "deals_played": min(self.count, SHOWN),
            "deals_left": min(rules["max_deals"] - self.count, SHOWN),
            "winner": seat(first) + 1,
        }


def compare(account, at, covered):
    """Every field that every seat sees, and what it cannot see."""
    deal = account.deal
    for me in range(at.seats):
        seen, wanted = sees(at, me), account.seen_by(me)
        holding = seen.pop("holding")
        assert seen.keys() == wanted.keys()
        different = {name: (seen[name], wanted[name]) for name in seen if seen[name] != wanted[name]}
        assert different == {}, f"{deal.phase}, seat {deal.seat}; seat {me}: seen, wanted: {different}"
        known = Knowledge.of(deal, me)
        shown = list(known.known)
        if deal.end in ("khlust", "khlust wins"):
            suit_held = khlust(deal.hands[deal.holder])
            shown[deal.holder] |= {card for card in deal.hands[deal.holder] if suit(card) == suit_held}
        gone = frozenset().union(*known.played)
        for row, sure, never in zip(holding, account.around(me, shown), account.around(me, known.lacks), strict=True):
            assert {card for card, value in row.items() if value == 1} == sure
            assert {card for card, value in row.items() if value == -1} - gone == never
            covered["surely held"] += bool(sure)
            covered["surely not held"] += bool(never)
        hidden = at.shape.hidden.decode(at.hidden(me))
        others = [(me + step) % at.seats for step in range(1, at.seats)]
        prikup = [] if 4 in known.laid_away and not known.draw else deal.prikup
        assert hidden == {
            "hands": [in_order(deal.hands[seat]) for seat in others],
            "prikup": in_order(prikup),
            "stock": in_order(deal.stock),
            "aside": [in_order(deal.aside[seat]) for seat in others],
        }
        covered[known.phase, "asked" if me == deal.seat else "waiting"] += 1
        covered["risen"] += any(known.revokes)
        covered["hidden question"] += known.phase != deal.phase


def follow(at, lot, covered, look, share=0.2, kons=6):
    """Play as the referee's players do until the episode is over or some kons are scored.

    `look` is called at a share of the decisions, at all rare ones, and at the end.
    """
    account = Account(at)
    while at.over == RUNNING and account.count < kons:
        given = stacked(lot, account) if account.deal is None or account.deal.end else None
        event = at.advance(given)
        if event == DEAL:
            account.dealt(at)
            assert [set(hand) for hand in account.deal.hands] == [set(hand) for hand in given["hands"]]
            manner = Manner.of_some(lot)
        elif event == SCORE:
            account.scored()
            assert at.scored()[1] == account.totals
            covered[account.deal.end] += 1
        elif event == END:
            assert account.finished()
            look(account, at, covered)
        elif event == ASKED:
            deal = account.deal
            assert (at.seat, legal(at)) == (deal.seat, deal.legal())
            rare = deal.phase in ("khlust", "boys", "finish") or any(said.revoke for said in deal.story[-1:])
            if rare or lot.random() < share:
                look(account, at, covered)
            action = chosen(lot, deal, deal.legal(), manner)
            at.play(at.game.action_id(at.rules, action))
            deal.act(action)


def stacked(lot, account):
    """A kon from the referee's pack, as a record has it, in place of the one that comes now."""
    deal = dealt(lot, account.rules, account.next_dealer(lot), account.totals, account.folds)
    piles = {"prikup": deal.prikup} if deal.trump_card is None else {"trump_card": [deal.trump_card]}
    return {"dealer": deal.dealer, "hands": deal.dealt, "stock": deal.stock} | piles


def games(count, seed):
    """Tables of every number of seats and both variants, ready to begin; some begin at given scores."""
    lot = random.Random(seed)
    for number in range(count):
        rules, episode = drawn(lot)
        rules["players"], rules["stock"] = 2 + number % 4, ("prikup", "draw")[number // 4 % 2]
        rules["max_deals"] = lot.choice([1, 2, 5, 1000])
        at = Table("petukh", rules, episode=episode)
        start = at_the_start(lot, rules | {"start_scores": "random"}, "deal")
        at.reset(number, start=start if number % 3 else None)
        yield at, lot


PHASES = ("khlust", "take", "keep", "fold", "exchange", "discard", "boys", "play", "finish")


@pytest.mark.plain
def test_every_field_of_random_kons_and_matches():
    covered = Counter()
    for at, lot in games(64, seed=3):
        follow(at, lot, covered, compare)
    for phase in PHASES:
        # Nobody else sees that somebody is asked about a khlust or boys.
        assert covered[phase, "asked"] > 0
        assert (covered[phase, "waiting"] > 0) == (phase not in ("khlust", "boys"))
    assert {"played", "stopped", "alone", "khlust", "khlust wins"} <= set(covered)
    assert min(covered[what] for what in ("hidden question", "surely held", "surely not held", "risen")) > 10


def test_imagined_cards_agree_with_what_each_seat_knows():
    """Where a khlust, boys and revokes are common, which `benchmarks/leaks.py` meets too seldom."""
    spec = importlib.util.spec_from_file_location("leaks", LEAKS)
    leaks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(leaks)
    covered = Counter()

    def look(account, at, covered):
        if at.over != RUNNING:
            return
        beside = leaks.PetukhAccount(at)
        beside.deal = account.deal
        for me in range(at.seats):
            assert leaks.faults(at, beside, me, lot.randrange(2**62)) == []
            covered[account.deal.phase, "asked" if me == account.deal.seat else "waiting"] += 1

    for at, lot in games(48, seed=5):
        follow(at, lot, covered, look, share=0.1)
    assert all(covered[phase, how] > 0 for phase in PHASES for how in ("asked", "waiting"))


@pytest.mark.plain
def test_counters_stop_at_their_end():
    at = Table("petukh", max_deals=1000)
    at.reset(1, start=[1, 9, 1279, 1290])
    at.settle()
    seen = sees(at, 0)
    assert (seen["score_tens"], seen["score_ones"]) == ([0, 0, 127, 127], [1, 9, 9, 9])
    assert (seen["deals_played"], seen["deals_left"]) == (0, 100)
