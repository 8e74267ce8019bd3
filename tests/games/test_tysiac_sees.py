"""What a seat of Tysiąc sees (section 12), field by field, against the referee's own account of the same deals."""

import random
from collections import Counter

import pytest
from positions import legal
from referee.tysiac import CARDS, OPTIONS, TABLES, Deal, card_points, marriage_points
from referee.tysiac_knowledge import Knowledge

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, RUNNING, SCORE

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["tysiac"]
SUITS = "SCDH"
SHOWN = 100  # counters stop there


class Account:
    """A match as the referee keeps it: the running deal, scores, and what was thrown, conceded and dealt again."""

    def __init__(self, at):
        self.rules, self.single = at.rules.to_dict(), at.episode == "deal"
        self.totals, self.count, self.redeals = list(at.start), 0, 0
        self.seats = at.seats
        self.bombs, self.conceded = [0] * at.seats, [0] * at.seats

    def dealt(self, at):
        piles = at.dealt()
        hands = [list(hand) for hand in piles["hands"]]
        talon, stock = list(piles.get("talon", [])), list(piles.get("stock", []))
        self.deal = Deal(self.rules, at.dealer, hands, talon, list(self.totals), self.bombs, stock)

    def acted(self, action):
        seat = self.deal.seat
        self.deal.act(action)  # a bomb is counted there
        self.conceded[seat] += action == "concede"
        self.redeals += action == "redeal"

    def scored(self):
        self.totals = [total + change for total, change in zip(self.totals, self.deal.changes(), strict=True)]
        self.count += 1

    def around(self, me, values):
        """Values by seat, clockwise from me, and 0 for each absent one of four seats."""
        return [values[(me + step) % self.seats] for step in range(self.seats)] + [0] * (4 - self.seats)

    def seen_by(self, me):
        """What the seat sees now, as `decode` gives it."""
        deal, rules, seats = self.deal, self.rules, self.seats
        absent = 4 - seats
        known = Knowledge.of(deal, me)
        bids = [[bid for seat, bid in deal.bids if seat == its] for its in range(seats)]
        made = [card_points(deal.taken[seat]) + marriage_points(deal.melded[seat]) for seat in range(seats)]
        order = {play.card: play.trick for play in deal.plays}
        options = {
            name: str(rules[name]) if len(values) > 2 else int(rules[name] == max(values) if values[0] in (0, 1) else
                                                               rules[name] == values[1])
            for name, values in OPTIONS.items()
        }  # fmt: skip
        left = {0: 3}.get(rules["bombs"])
        out = [int(None in its or seat not in deal.round(0)) for seat, its in enumerate(bids)]  # who rests is out
        return options | {
            "single_deal": int(self.single),
            "phase": deal.phase,
            "turn": (deal.seat - me) % seats,
            "dealer": (deal.dealer - me) % seats,
            "opener": (deal.left(deal.dealer) - me) % seats,
            "declarer": -1 if deal.declarer is None else (deal.declarer - me) % seats,
            "leader": -1 if deal.phase != "play" else (deal.leader - me) % seats,
            "hand": [card for card in CARDS if card in deal.hands[me]],
            "held": self.around(me, [len(hand) for hand in deal.hands]),
            "lying": len(deal.lying),
            "stock": len(deal.stock),
            "laid_aside": len(deal.aside),
            "bids": [int(any(number in its for its in bids)) for number in range(100, 401, 10)],
            "bid": self.around(me, [max((bid or 0 for bid in its), default=0) // 10 for its in bids]),
            "passed": self.around(me, out),
            "contract": (deal.contract or 0) // 10,
            "talon": [card for card in CARDS if card in (known.talon or ())],
            "gave": [card for card in CARDS if card in {*known.gave.values(), *(known.away or ())}],
            "got": [known.got] if known.got else [],
            "played": [[card for card in CARDS if card in its] for its in self.around(me, known.played)[:seats]]
            + [[]] * absent,
            "order": [order.get(card, 0) for card in CARDS],
            "trick": [card for card in CARDS if card in deal.trick],
            "trump": deal.trump or "",
            "melded": [[int(suit in its) for suit in SUITS] for its in self.around(me, deal.melded)[:seats]]
            + [[0] * 4] * absent,
            "tricks": self.around(me, deal.tricks),
            "redeals": min(self.redeals, SHOWN),
            "thrown": self.around(me, self.bombs),
            "conceded": self.around(me, self.conceded),
            "bombs_left": self.around(
                me, [0 if rules["bomb"] == "none" else left or rules["bombs"] - its for its in self.bombs]
            ),
            "points_tens": self.around(me, [points // 10 for points in made]),
            "points_ones": self.around(me, [points % 10 for points in made]),
            "score_tens": self.around(me, [max(-128, min(127, total // 10)) for total in self.totals]),
            "score_ones": self.around(me, [total % 10 for total in self.totals]),
            "deals_played": min(self.count, SHOWN),
            "deals_left": min(rules["max_deals"] - self.count, SHOWN),
        }

    def holding(self, me):
        """By the others, clockwise: the cards surely held, and of the cards not seen those surely not held."""
        deal = self.deal
        known = Knowledge.of(deal, me)
        unseen = set(CARDS) - known.hand - frozenset().union(*known.played)
        found = []
        for seat in ((me + step) % self.seats for step in range(1, self.seats)):
            gift = {known.gave[seat]} & set(deal.hands[seat]) if seat in known.gave else set()
            found.append((set(known.halves[seat]) | gift, set(known.lacks[seat]) & unseen))
        return found


def compare(account, at, covered):
    for me in range(at.seats):
        seen = at.shape.observation.decode(at.observe(me))
        holding = seen.pop("holding")
        wanted = account.seen_by(me)
        assert seen.keys() == wanted.keys()
        different = {name: (seen[name], wanted[name]) for name in seen if seen[name] != wanted[name]}
        assert different == {}, f"seat {me}: seen, wanted: {different}"
        unseen = set(CARDS) - set(seen["hand"]) - {card for its in seen["played"] for card in its}
        for row, (sure, never) in zip(holding[: at.seats - 1], account.holding(me), strict=True):
            assert {card for card, value in row.items() if value == 1} == sure
            assert {card for card, value in row.items() if value == -1} & unseen == never
            covered["surely held"] += bool(sure)
            covered["surely not held"] += bool(never)
        assert holding[at.seats - 1 :] == [{}] * (4 - at.seats)
        covered[seen["phase"]] += 1
        covered["marriage"] += any(any(its) for its in seen["melded"])


def follow(at, lot, covered, deals=6):
    """Random play until the episode is over or some deals are scored; half of the decisions compared for every seat."""
    account = Account(at)
    while at.over == RUNNING and account.count < deals:
        event = at.advance()
        if event == DEAL:
            account.dealt(at)
        elif event == SCORE:
            account.scored()
            assert at.scored()[1] == account.totals
        elif event == ASKED:
            assert at.seat == account.deal.seat
            assert legal(at) == account.deal.legal()
            if lot.random() < 0.5:
                compare(account, at, covered)
            rare = [name for name in legal(at) if name.split()[0] in ("meld", "bomb", "concede", "redeal", "claim")]
            action = lot.choice(rare if rare and lot.random() < 0.3 else legal(at))
            at.play(at.game.action_id(at.rules, action))
            account.acted(action)


# What must have been seen at a table in some phase, beside the play.
SEEN = {name: {"auction", "give", "contract"} for name in TABLES} | {
    "2p_pairs": {"auction", "take", "give", "contract"},
    "2p_triples": {"auction", "take", "give", "contract"},
    "2p_twelve": {"auction", "contract"},
    "2p_stock": set(),
    "4p_six": set(),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_field_of_random_deals_and_matches(name):
    lot, covered = random.Random(7), Counter()
    for number in range(30 if name == "3p" else 9):
        options = {option: lot.choice(values) for option, values in OPTIONS.items()} | {"table": name}
        episode = "match" if number % 3 else "deal"
        at = Table(GAME, episode=episode, max_deals=lot.choice([1, 3, 100, 1000]), **options)
        start = [lot.randrange(-400, 1000) for _ in range(at.seats)]
        if TABLES[name].teams:
            start[2:] = start[:2]
        at.reset(number, start=start if number % 2 else None)
        follow(at, lot, covered, deals=3)
    wanted = {"play", "surely held", "surely not held", "marriage"} | SEEN[name]
    if name in ("2p_twelve", "2p_stock"):  # where duties hold, all that is not seen is in the other hand
        wanted.remove("surely not held")
    assert wanted <= set(+covered)


@pytest.mark.parametrize("score", [-1291, -1280, -1271, -1, 0, 9, 99, 995, 999])
def test_scores_below_the_columns_stop_at_their_end(score):
    at = Table(GAME)
    at.reset(1, start=[score, 0, 0])
    at.settle()
    seen = at.shape.observation.decode(at.observe(0))
    assert seen["score_ones"][0] == score % 10
    assert seen["score_tens"][0] == max(-128, min(127, score // 10))


def test_hidden_is_what_the_others_hold_and_the_talon_while_it_lies():
    at = Table(GAME)
    at.reset(5)
    at.settle()
    dealt = at.dealt()
    for me in range(3):
        hidden = at.shape.hidden.decode(at.hidden(me))
        assert [set(cards) for cards in hidden["hands"]] == [
            set(dealt["hands"][(me + 1) % 3]), set(dealt["hands"][(me + 2) % 3]), set()
        ]  # fmt: skip
        assert (set(hidden["lying"]), hidden["aside"]) == (set(dealt["talon"]), [])
