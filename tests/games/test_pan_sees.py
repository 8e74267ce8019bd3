"""What a seat of Pan sees (section 7), field by field, against an account kept from the story of the deal alone.

The account knows the hands as dealt and what was done since, in names; it derives who is asked and what is legal too.
"""

import random
from collections import Counter

import pytest
from positions import legal

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, END, RUNNING, SCORE

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["pan"]
RANKS = "9TJQKA"
CARDS = [rank + suit for suit in "SCDH" for rank in RANKS]


def in_order(held):
    return [card for card in CARDS if card in held]


def four_of(rank):
    return {rank + suit for suit in "SCDH"}


class Account:
    """The match as somebody with a good memory and open eyes would keep it, all hands open."""

    def __init__(self, at):
        self.rules, self.seats, self.single = at.rules, at.seats, at.episode == "deal"
        self.letters, self.deals = [0] * at.seats, 0

    def dealt(self, hands):
        self.hands = [set(its) for its in hands]
        self.pile, self.turns, self.over = [], 0, None
        self.known = [{"9H"} & its for its in self.hands]
        self.seat = next(seat for seat in range(self.seats) if "9H" in self.hands[seat])

    def legal(self):
        """The names of all that the seat asked may do (2.2 to 2.5)."""
        hand = self.hands[self.seat]
        if not self.pile:
            return ["play 9H"] + ["play four 9"] * (four_of("9") <= hand)
        high = RANKS[RANKS.index(self.pile[-1][0]) :]
        may = [f"play {card}" for card in in_order(hand) if card[0] in high]
        may += [f"play four {rank}" for rank in RANKS if rank in high and four_of(rank) <= hand]
        may += ["play three 9"] * (self.pile == ["9H"] and {"9S", "9C", "9D"} <= hand)
        return may + ["draw"] * (len(self.pile) > 1)

    def acted(self, action):
        """A turn (2.5 to 2.7), and who follows (2.6, 4.1)."""
        words, hand, known = action.split(), self.hands[self.seat], self.known[self.seat]
        if action == "draw":
            for _ in range(min(3, len(self.pile) - 1)):
                card = self.pile.pop()
                hand.add(card)
                known.add(card)
        else:
            laid = [words[1]] if len(words) == 2 else [words[2] + suit for suit in "HDCS" if words[2] + suit in hand]
            self.pile += laid
            hand.difference_update(laid)
            known.difference_update(laid)
        self.turns += 1
        left = [seat for seat in range(self.seats) if self.hands[seat]]
        if len(left) == 1:
            last = self.hands[left[0]]
            aces = all(card[0] == "A" for card in last) and len(last) in (1, 4)
            self.over = "undecided" if aces else left[0]
        elif self.turns == self.rules.max_turns:
            self.over = "abandoned"
        else:
            self.seat = self.follower(self.rules.spades_back and self.pile[-1][1] == "S")

    def follower(self, back):
        step = -1 if back else 1
        seat = (self.seat + step) % self.seats
        while not self.hands[seat]:
            seat = (seat + step) % self.seats
        return seat

    def closed(self):
        """The deal is over: a letter, or none."""
        if isinstance(self.over, int):
            self.letters[self.over] += 1
        self.deals += 1

    def finished(self):
        """Whether the episode is over with this deal (3.4 to 3.6)."""
        return self.single or max(self.letters) == self.rules.letters or self.deals == self.rules.max_deals

    def seen_by(self, me):
        """What the seat sees now, as `decode` gives it."""
        seats = [(me + step) % self.seats for step in range(self.seats)]
        asked = self.over is None
        turns, left = (min(number, 1279) for number in (self.turns, self.rules.max_turns - self.turns))
        hidden = set().union(*(self.hands[seat] - self.known[seat] for seat in seats[1:]))
        return {
            "players": str(self.seats),
            "spades_back": int(self.rules.spades_back),
            "single_deal": int(self.single),
            "turn": seats.index(self.seat) if asked else -1,
            "hand": in_order(self.hands[me]),
            "held": [len(self.hands[seat]) for seat in seats],
            "pile": self.pile + ["empty"] * (24 - len(self.pile)),
            "top": self.pile[-1:],
            "drawn": in_order(self.pile[1:][-3:]),
            "uncovered": (self.pile[:1] + self.pile[1:-3])[-1:],
            "known": [in_order(self.known[seat]) for seat in seats],
            "unseen": in_order(hidden),
            "letters": [self.letters[seat] for seat in seats],
            "letters_left": [self.rules.letters - self.letters[seat] for seat in seats],
            "clockwise": seats.index(self.follower(False)) if asked else -1,
            "counter": seats.index(self.follower(True)) if asked else -1,
            "turns_tens": turns // 10,
            "turns_ones": turns % 10,
            "turns_left_tens": left // 10,
            "turns_left_ones": left % 10,
            "deals_played": min(self.deals, 100),
            "deals_left": min(self.rules.max_deals - self.deals, 100),
        }


def compare(account, at, covered):
    for me in range(account.seats):
        seen, wanted = at.shape.observation.decode(at.observe(me)), account.seen_by(me)
        assert seen.keys() == wanted.keys()
        different = {name: (seen[name], wanted[name]) for name in seen if seen[name] != wanted[name]}
        assert different == {}, f"seat {me}: seen, wanted: {different}"
        hidden = at.shape.hidden.decode(at.hidden(me))
        others = [(me + step) % account.seats for step in range(1, account.seats)]
        assert hidden == {"hands": [in_order(account.hands[seat]) for seat in others]}
        covered["asked" if me == account.seat else "waiting"] += 1
        covered["out"] += not account.hands[me]
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
            account.dealt(at.dealt()["hands"])
        elif event == SCORE:
            assert isinstance(account.over, int) or account.over == "undecided"
            assert at.scored()[1] == account.letters
            covered["undecided" if account.over == "undecided" else "letter"] += 1
        elif event == END:
            assert account.finished()
            compare(account, at, covered)
        elif event == ASKED:
            assert at.seat == account.seat
            assert legal(at) == account.legal()
            if lot.random() < share:
                compare(account, at, covered)
            names = legal(at)
            many = [name for name in names if name.startswith(("play four", "play three"))]
            action = lot.choice(many or names)
            if names[-1] == "draw" and len(names) > 1:
                action = "draw" if lot.random() < wild else lot.choice(many or names[:-1])
            covered[" ".join(action.split()[:2]) if many and action in many else action.split()[0]] += 1
            at.play(at.game.action_id(at.rules, action))
            account.acted(action)
            if account.over is not None:
                covered["abandoned"] += account.over == "abandoned"
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
    assert {"asked", "waiting", "known", "out", "letter", "abandoned", "play four", "draw"} <= set(covered)
    assert covered["nothing unseen"] > 0


def test_a_long_deal_shows_its_turns_up_to_1279():
    """Who has fewer than half of the cards draws, so nobody ever gets rid of his."""
    at, lot = Table(GAME, players=2, max_turns=3000), random.Random(3)
    at.reset(3)
    at.settle()
    account = Account(at)
    account.dealt(at.dealt()["hands"])
    while account.turns < 1300:
        names = legal(at)
        draws = "draw" in names and len(account.hands[account.seat]) < 12
        action = "draw" if draws else lot.choice(names)
        at.play(at.game.action_id(at.rules, action))
        at.settle()
        account.acted(action)
        if account.turns in (1, 999, 1270, 1279, 1280, 1300):
            compare(account, at, Counter())
