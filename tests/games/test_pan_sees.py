"""What a seat of Pan sees (section 7), field by field, against the referee's own account of the same games."""

import random
from collections import Counter

import pytest
from positions import legal
from referee.pan import Deal, drawn, in_order
from referee.pan_knowledge import Knowledge

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, END, RUNNING, SCORE

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["pan"]


class Account:
    """A match as the referee keeps it: the running deal, the letters, how many deals are over."""

    def __init__(self, at):
        self.rules, self.seats, self.single = at.rules.to_dict(), at.seats, at.episode == "deal"
        self.letters, self.deals = [0] * at.seats, 0

    def dealt(self, at):
        self.deal = Deal(self.rules, [list(hand) for hand in at.dealt()["hands"]])

    def closed(self):
        """The deal is over: a letter, or none."""
        if self.deal.end != "abandoned":
            self.letters = [had + gained for had, gained in zip(self.letters, self.deal.changes(), strict=True)]
        self.deals += 1

    def finished(self):
        """Whether the episode is over with this deal (3.4 to 3.6)."""
        return self.single or self.rules["letters"] in self.letters or self.deals == self.rules["max_deals"]

    def seen_by(self, me):
        """What the seat sees now, as `decode` gives it."""
        seats = [(me + step) % self.seats for step in range(self.seats)]
        known, pile = Knowledge.of(self.deal, me), self.deal.pile
        turns, left = (min(number, 1279) for number in (known.turns, self.rules["max_turns"] - known.turns))
        turn, clockwise, counter = (
            -1 if seat is None else seats.index(seat) for seat in (known.turn, known.clockwise, known.counter)
        )
        return {
            "players": str(self.seats),
            "spades_back": int(self.rules["spades_back"]),
            "single_deal": int(self.single),
            "turn": turn,
            "hand": in_order(known.hand),
            "held": [known.counts[seat] for seat in seats],
            "pile": list(known.pile) + ["empty"] * (24 - len(known.pile)),
            "top": pile[-1:],
            "drawn": in_order(drawn(pile)),
            "uncovered": pile[: len(pile) - len(drawn(pile))][-1:],
            "known": [in_order(known.known[seat]) for seat in seats],
            "unseen": in_order(known.unseen),
            "letters": [self.letters[seat] for seat in seats],
            "letters_left": [self.rules["letters"] - self.letters[seat] for seat in seats],
            "clockwise": clockwise,
            "counter": counter,
            "turns_tens": turns // 10,
            "turns_ones": turns % 10,
            "turns_left_tens": left // 10,
            "turns_left_ones": left % 10,
            "deals_played": min(self.deals, 100),
            "deals_left": min(self.rules["max_deals"] - self.deals, 100),
        }


def compare(account, at, covered):
    for me in range(account.seats):
        seen, wanted = at.shape.observation.decode(at.observe(me)), account.seen_by(me)
        assert seen.keys() == wanted.keys()
        different = {name: (seen[name], wanted[name]) for name in seen if seen[name] != wanted[name]}
        assert different == {}, f"seat {me}: seen, wanted: {different}"
        hidden = at.shape.hidden.decode(at.hidden(me))
        others = [(me + step) % account.seats for step in range(1, account.seats)]
        assert hidden == {"hands": [in_order(account.deal.hands[seat]) for seat in others]}
        covered["asked" if me == account.deal.seat else "waiting"] += 1
        covered["out"] += not account.deal.hands[me]
        covered["nothing unseen"] += not seen["unseen"]
        covered["known"] += any(seen["known"][1:])


def follow(at, lot, covered, deals, share=0.5):
    """Play until the episode is over or some deals are; a share of the decisions is compared for every seat."""
    account = Account(at)
    wild = lot.choice([0.05, 0.5])  # how often a draw is chosen where one may
    while at.over == RUNNING and account.deals < deals:
        event = at.advance()
        if event == DEAL:
            if account.deals or account.letters != [0] * at.seats:
                assert not account.finished()
            assert at.number == account.deals
            account.dealt(at)
        elif event == SCORE:
            assert account.deal.end in ("lost", "undecided")
            assert at.scored()[1] == account.letters
            covered[account.deal.end] += 1
        elif event == END:
            assert account.finished()
            compare(account, at, covered)
        elif event == ASKED:
            assert at.seat == account.deal.seat
            assert legal(at) == account.deal.legal()
            if lot.random() < share:
                compare(account, at, covered)
            names = legal(at)
            many = [name for name in names if name.startswith(("play four", "play three"))]
            action = lot.choice(many or names)
            if names[-1] == "draw" and len(names) > 1:
                action = "draw" if lot.random() < wild else lot.choice(many or names[:-1])
            covered[" ".join(action.split()[:2]) if many and action in many else action.split()[0]] += 1
            at.play(at.game.action_id(at.rules, action))
            account.deal.act(action)
            if account.deal.end is not None:
                covered["abandoned"] += account.deal.end == "abandoned"
                account.closed()


def test_every_field_of_random_deals_and_matches():
    lot, covered = random.Random(7), Counter()
    for number in range(24):
        at = Table(
            GAME,
            players=2 + number % 3,
            spades_back=lot.random() < 0.5,
            letters=lot.choice([1, 2, 3, 9]),
            max_turns=lot.choice([1, 30, 100, 2000]),
            max_deals=lot.choice([1, 3, 100, 1000]),
            episode="match" if number % 4 else "deal",
        )
        at.reset(number)
        follow(at, lot, covered, deals=2, share=0.15)
    assert {"asked", "waiting", "known", "out", "lost", "abandoned", "play four", "draw"} <= set(covered)
    assert covered["nothing unseen"] > 0


def test_a_long_deal_shows_its_turns_up_to_1279():
    """Who has fewer than half of the cards draws, so nobody ever gets rid of his."""
    at, lot = Table(GAME, players=2, max_turns=3000), random.Random(3)
    at.reset(3)
    at.settle()
    account = Account(at)
    account.dealt(at)
    while len(account.deal.turns) < 1300:
        names = legal(at)
        draws = "draw" in names and len(account.deal.hands[at.seat]) < 12
        action = "draw" if draws else lot.choice(names)
        at.play(at.game.action_id(at.rules, action))
        at.settle()
        account.deal.act(action)
        if len(account.deal.turns) in (1, 999, 1270, 1279, 1280, 1300):
            compare(account, at, Counter())
