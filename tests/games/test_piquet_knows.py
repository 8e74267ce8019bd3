"""What a seat of Piquet sees (section 9), field by field, against the referee's own account of the same games."""

import random
from collections import Counter

import pytest
from positions import legal, sees
from referee.piquet import CARDS, OPTIONS, SUITS, Deal, in_order, margin
from referee.piquet_knowledge import Knowledge
from referee.piquet_play import Manner, chosen, dealt, drawn

from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, END, RUNNING, SCORE

pytestmark = [pytest.mark.rules, pytest.mark.plain]

MOST = 1279  # what tens and ones can show
SHOWN = 100  # counters of deals stop there
PASSING = 1  # a total has passed the target once it is more


class Account:
    """A match as the referee keeps it: the running deal, the totals before it, how many deals are over."""

    def __init__(self, at):
        self.rules, self.single = at.rules.to_dict(), at.episode == "deal"
        self.totals, self.count, self.closed = list(at.start), 0, False

    def dealt(self, at):
        piles = at.dealt()
        hands = [list(hand) for hand in piles["hands"]]
        talons = (list(piles["talon_elder"]), list(piles["talon_younger"]))
        self.deal = Deal(self.rules, at.dealer, hands, *talons, list(self.totals), self.single)
        self.closed = False

    def scored(self):
        self.totals = [total + points for total, points in zip(self.totals, self.deal.points, strict=True)]
        self.count += 1
        self.closed = True

    def seen_by(self, me):
        """What the seat sees now, as `decode` gives it."""
        deal, rules, known = self.deal, self.rules, Knowledge.of(self.deal, me)
        seats = (me, 1 - me)
        asked = {seat: index for index, seat in enumerate(seats)}
        left = [0, 0]
        if rules["target"] is not None:
            running = (0, 0) if self.closed else known.points
            left = [max(0, rules["target"] + PASSING - self.totals[seat] - running[seat]) for seat in seats]
        points = [0 if self.closed else known.points[seat] for seat in seats]  # else they are in the totals
        totals = [self.totals[seat] for seat in seats]
        options = {
            name: rules[name] if len(values) > 2 else int(rules[name] == values[1]) for name, values in OPTIONS.items()
        }
        tie = [[ties[seat] + (kind > 0 and ties != (0, 0)) for seat in seats] for kind, ties in enumerate(known.ties)]
        leader = deal.leader
        if leader is None and all(known.exchanged):
            leader = deal.elder
        tricks = {play.card: play.trick for play in deal.plays}
        return options | {
            "all_combinations": int(rules["all_combinations"]),
            "single_deal": int(self.single),
            "phase": known.phase,
            "turn": asked.get(known.turn, -1),
            "dealer": asked[1 - deal.dealer if self.closed else deal.dealer],  # of the next deal
            "hand": in_order(known.hand),
            "discards": in_order(known.discards),
            "laid_away": [known.away[seat] for seat in seats],
            "talon": in_order(known.talon),
            "lying": 8 - sum(away for away, over in zip(known.away, known.exchanged, strict=True) if over),
            "announced": [[int(f"carte blanche {suit}" in known.said[seat]) for suit in SUITS] for seat in seats],
            "shown": in_order(known.shown),
            "blank": [int("carte blanche" in known.said[seat]) for seat in seats],
            "known": [in_order(known.known[seat]) for seat in seats],
            "void": [[int(suit in known.void[seat]) for suit in SUITS] for seat in seats],
            "declared": [[numbers[seat] for seat in seats] for numbers in known.declared],
            "tie": tie,
            "won": [[int(winner == seat) for seat in seats] for winner in known.won],
            "leader": asked.get(leader, -1),
            "trick": [] if deal.lying is None else [deal.lying],
            "order": [tricks.get(card, 0) for card in CARDS],
            "held": [known.held[seat] for seat in seats],
            "played": [in_order(play.card for play in deal.plays if play.seat == seat) for seat in seats],
            "tricks": [deal.tricks[seat] for seat in seats],
            "points_tens": [its // 10 for its in points],
            "points_ones": [its % 10 for its in points],
            "got_bonus": [int(known.bonus[seat] > 0) for seat in seats],
            "score_tens": [min(its, MOST) // 10 for its in totals],
            "score_ones": [min(its, MOST) % 10 for its in totals],
            "left_tens": [min(its, MOST) // 10 for its in left],
            "left_ones": [min(its, MOST) % 10 for its in left],
            "has_target": int(rules["target"] is not None),
            "deals_played": min(self.count, SHOWN),
            "deals_left": min(rules["deals"] - self.count, SHOWN),
        }

    def hidden_from(self, me):
        """What the seat cannot see."""
        deal, other = self.deal, 1 - me
        drew = [card for cards in deal.drew for card in cards or ()]
        lying = [card for card in deal.talon_elder + deal.talon_younger if card not in drew]
        seen = Knowledge.of(deal, me).talon
        return {
            "hands": [in_order(deal.hands[other])],
            "discards": in_order(deal.laid_away[other]),
            "lying": in_order(card for card in lying if card not in seen),
        }


def compare(account, at, covered):
    deal = account.deal
    for me in range(2):
        seen, wanted = sees(at, me), account.seen_by(me)
        assert seen.keys() == wanted.keys()
        different = {name: (seen[name], wanted[name]) for name in seen if seen[name] != wanted[name]}
        assert different == {}, f"{deal.phase}, seat {me}: seen, wanted: {different}"
        assert at.shape.hidden.decode(at.hidden(me)) == account.hidden_from(me)
        asked = "asked" if me == deal.seat else "waiting"
        covered[deal.phase, asked] += 1
        covered["asked aside"] += deal.phase != seen["phase"]
        covered["white ten"] += any(map(any, seen["announced"]))
        covered["shown"] += bool(seen["shown"])
        covered["known"] += bool(seen["known"][1])
        covered["void"] += any(map(any, seen["void"]))
        covered["tie"] += any(map(any, seen["tie"]))


def silent(at, me):
    """The table once the other has kept silent wherever it is asked aside, or None if this seat is asked before."""
    at = at.clone()
    while sees(at)["phase"] in ("carte", "sequence", "set"):
        if at.seat == me:
            return None
        at.play(at.game.action_id(at.rules, "pass"))
        if at.advance() != ASKED:
            return None  # the deal is over: what this seat has declared brought it over the target
    return at


def overlooked(at, me, covered):
    """4.6, 3: a seat that is asked and says nothing looks to the other like one that is not asked."""
    later = silent(at, me)
    if later is not None and at.seat != me:
        assert (later.observe(me) == at.observe(me)).all()
        covered["overlooked", sees(at)["phase"]] += 1


def follow(at, lot, covered, deals, share=0.5):
    """Play as the referee's players do; a share of the decisions is compared for both seats."""
    account = Account(at)
    while at.over == RUNNING and account.count < deals:
        event = at.advance()
        if event == DEAL:
            account.dealt(at)
            manners = [Manner.of_some(lot) for _ in range(2)]
        elif event == SCORE:
            assert account.deal.end is not None
            account.scored()
            assert at.scored()[1] == account.totals
            covered[account.deal.end] += 1
        elif event == END:
            compare(account, at, covered)
            told = at.state[at.game.infos["margin"]]  # 7.3
            assert told == (0 if account.single else margin(account.rules, account.totals))
            covered["margin"] += told > 0
        elif event == ASKED:
            assert at.seat == account.deal.seat
            assert legal(at) == account.deal.legal()
            if lot.random() < share or account.deal.phase in ("carte", "sequence", "set"):
                compare(account, at, covered)
                overlooked(at, 1 - at.seat, covered)
            action = chosen(lot, account.deal, account.deal.legal(), manners[at.seat])
            at.play(at.game.action_id(at.rules, action))
            account.deal.act(action)


WANTED = {
    *(
        (phase, asked)
        for phase in ("carte", "exchange", "suit", "sequence", "set", "play")
        for asked in ("asked", "waiting")
    ),
    *(("overlooked", phase) for phase in ("carte", "sequence", "set")),
    *("asked aside", "white ten", "shown", "known", "void", "tie", "played", "margin"),
}


def test_every_field_of_random_deals_and_matches():
    lot, covered = random.Random(7), Counter()
    for number in range(80):
        rules, episode = drawn(lot)
        at = Table("piquet", rules, episode=episode)
        dealer = lot.randrange(2)
        deal = dealt(lot, rules, dealer, [0, 0], episode == "deal")
        piles = {"talon_elder": deal.talon_elder, "talon_younger": deal.talon_younger}
        start = None
        if episode == "match" and lot.random() < 0.5:
            start = [lot.randrange((rules["target"] or 2000) + 1) for _ in range(2)]
        at.reset(number, start=start, deal={"dealer": dealer, "hands": deal.dealt, **piles})
        follow(at, lot, covered, deals=3, share=0.3)
    assert {what for what in WANTED if not covered[what]} == set()


def test_counters_stop_at_the_end_of_their_columns():
    covered = Counter()
    for deals, target, start in ((99, 1279, [0, 5]), (150, 5000, [1500, 4999]), (1000, None, [1279, 1280])):
        at = Table("piquet", deals=deals, target=target)
        at.reset(deals, start=start)
        follow(at, random.Random(deals), covered, deals=1)
    assert covered["play", "waiting"] > 0


@pytest.mark.parametrize(
    ("settlement", "target", "wanted", "right"),
    [
        ("hundred", 500, (500, 400), 200),  # 500 is not more than 500
        ("hundred", 500, (501, 400), 101),
        ("hundred", None, (501, 400), 201),
        ("rubicon", None, (300, 100), 300),
        ("rubicon", None, (300, 99), 499),
        ("none", 500, (501, 400), 101),
        ("hundred", 500, (400, 400), 0),
    ],
)
def test_piquet_7_3_margins_at_the_limits(settlement, target, wanted, right):
    """A deal played twice: once to see its points, then from scores that make these totals of them."""
    start, rules = [0, 0], {"deals": 1, "settlement": settlement, "stop": "after_deal", "reward": "margin"}
    for again in (False, True):
        at = Table("piquet", target=target if again else None, **rules)
        at.reset(5, start=start)
        at.settle()
        while at.over == RUNNING:
            at.play(at.legal()[0])
            at.settle()
        if not again:
            start = [total - points for total, points in zip(wanted, at.scored()[1], strict=True)]
            assert min(start) >= 0
    assert tuple(at.scored()[1]) == wanted
    assert at.state[at.game.infos["margin"]] == right
