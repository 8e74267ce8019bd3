"""Petukh, refereed from its rule book: `check` re-derives a whole record file from its rules, deals and actions.

Cards are texts, rank then suit (`TH`); hands, tricks and piles are lists of them, seats are numbers. A kon is written
down as its course: it asks one seat after the other and goes on with the answer. Numbers in comments are clauses of the
rule book.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import episodes
from .episodes import Position, Report, count, end_line, hands_of, match_line, move_line, score_line
from .lines import Lines, RecordFault

__all__ = [
    "ACTIONS",
    "CARDS",
    "DEFAULTS",
    "OPTIONS",
    "Deal",
    "Position",
    "RecordFault",
    "Report",
    "Said",
    "boys",
    "check",
    "check_lines",
    "deal_returns",
    "in_order",
    "khlust",
    "legal_plays",
    "match_returns",
    "options",
    "played_result",
    "suit",
    "trick_winner",
    "walk",
]

# ---------------------------------------------------------------------------------------------------- 1 cards

SUITS = "SCDH"
RANKS = "6789TJQKA"  # 1.1, weakest first
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
PAIRS = (("JD", "JH"), ("JS", "JC"))  # 5.2: red boys, black boys


def suit(card: str) -> str:
    """The suit of a card."""
    return card[1]


def strength(card: str) -> int:
    """How high a card stands in its suit (1.1)."""
    return RANKS.index(card[0])


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards by suit, weakest first: the order of their ids."""
    return sorted(cards, key=CARDS.index)


# -------------------------------------------------------------------------------------------------- 10 options

# `max_deals` takes any whole number from 1 on and is not in this list. The first value is the default.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "players": (4, 2, 3, 5),
    "start": (15, 20, 25, 30),
    "stock": ("prikup", "draw"),
    "khlust": ("kon", "game", "any_kon", "any_game"),
    "finish": ("choose", "stop", "play"),
    "revoke": ("masked", "penalty"),
    "start_scores": ("equal", "random"),
}
DEFAULTS: dict[str, Any] = {name: values[0] for name, values in OPTIONS.items()} | {"max_deals": 200}


def options(**chosen: Any) -> dict[str, Any]:
    """Every option of section 10: the default, or what was chosen."""
    rules = DEFAULTS | chosen
    problem = option_problem(rules)
    if problem:
        raise ValueError(problem)
    return rules


def option_problem(rules: dict[str, Any]) -> str | None:
    """What is wrong with a set of options, or None."""
    for name in rules:
        if name not in DEFAULTS:
            return f"there is no option {name!r}"
    for name in DEFAULTS:
        if name not in rules:
            return f"the option {name!r} is missing"
    for name, values in OPTIONS.items():
        # 15.0 is not 15 here: a record spells each value as section 10 does.
        if not any(type(rules[name]) is type(value) and rules[name] == value for value in values):
            return f"the option {name!r} has no value {rules[name]!r}"
    if type(rules["max_deals"]) is not int or rules["max_deals"] < 1:
        return f"the option 'max_deals' has no value {rules['max_deals']!r}"
    return None


# ------------------------------------------------------------------------------------------------- 11 actions

ACTIONS = [f"{verb} {card}" for verb in ("play", "keep", "discard") for card in CARDS] + [
    *("take", "pass", "stay", "fold", "boys 2", "boys 4", "silent"),
    *("stop", "go on", "show", "hide", "done", "take trump"),
]

# ------------------------------------------------------------------------------------- 2 khlust, 4 folding, 5 boys


def khlust(hand: Sequence[str]) -> str | None:
    """The suit of which a hand holds five cards or more (2.1), or None."""
    return next((s for s in SUITS if sum(suit(card) == s for card in hand) >= 5), None)


def folds_allowed(seats: int) -> int:
    """In how many kons running a seat may fold (4.2)."""
    return {2: 0, 3: 1, 4: 1, 5: 2}[seats]


def boys(hand: Sequence[str], score: int) -> list[str]:
    """What a hand may say before the first lead (5.2), `silent` apart; empty: its seat is not asked."""
    pairs = sum(all(jack in hand for jack in pair) for pair in PAIRS)
    said = []
    if pairs >= 1 and score >= 6:
        said.append("boys 2")
    if pairs == 2 and score >= 11:
        said.append("boys 4")
    return said


# ----------------------------------------------------------------------------------------------------- 6 play


def legal_plays(hand: Sequence[str], trick: Sequence[str], trump: str) -> list[str]:
    """The cards that may be laid on a trick, in the order of their ids (6.1); any card where none lies yet."""
    hand = in_order(hand)
    if not trick:
        return hand
    of_suit = [card for card in hand if suit(card) == suit(trick[0])]
    trumps = [card for card in hand if suit(card) == trump]
    return of_suit or trumps or hand


def trick_winner(trick: Sequence[str], trump: str) -> int:
    """Which card of a trick takes it: 0 is the one led (6.2)."""
    trumps = [card for card in trick if suit(card) == trump]
    best = max(trumps or [card for card in trick if suit(card) == suit(trick[0])], key=strength)
    return list(trick).index(best)


# -------------------------------------------------------------------------------------------------- 7 scoring


def played_result(score: int, tricks: int, said: int, revokes: int) -> int:
    """By how much a score changes in a kon played to its end (7.1, 7.2, 9.2), `said` boys being 0, 2 or 4."""
    risen = score + 5 * revokes  # 9.2: at once, before anything is written off
    if tricks == 0:
        return risen + {0: 5, 2: 10, 4: 15}[said] - score
    return max(0, risen - tricks - {0: 0, 2: 5, 4: 10}[said]) - score  # 1.2


def match_returns(seats: int, won: int | None) -> list[float]:
    """What each seat gets at the end of a match (7.6); of one that was cut short nothing (7.7)."""
    if won is None:
        return [0.0] * seats
    return [1.0 if seat == won else -1.0 / (seats - 1) for seat in range(seats)]


def deal_returns(points: Sequence[int]) -> list[float]:
    """What each seat gets after a single kon that has changed the scores by `points` (7.6)."""
    written_off = [-change for change in points]
    others = len(points) - 1
    return [(mine - (sum(written_off) - mine) / others) / 5 + 0.0 for mine in written_off]


# --------------------------------------------------------------------------------------------------- one kon


@dataclass(frozen=True)
class Said:
    """One decision: which seat was asked in which phase, and what it chose; `revoke`: a card that was put back."""

    phase: str
    seat: int
    action: str
    revoke: bool = False


Course = Generator[None, str, None]
"""Part of a kon: stops whenever a seat is to decide and is sent the action."""


@dataclass
class Deal:
    """A kon as it goes on, open: who is asked what, which cards lie where, and what it comes to in the end.

    `hands` are those dealt: in the prikup game the dealer's has six cards, the turned-up one last.
    """

    rules: dict[str, Any]
    dealer: int
    hands: list[list[str]]
    prikup: list[str]  # empty in the draw variant
    trump_card: str | None  # what lies in the middle, in the draw variant
    stock: list[str]
    scores: list[int]  # before the kon
    folds: list[int]  # by seat: scored kons running, up to this one, in which it folded

    phase: str = ""
    seat: int = -1
    offered: list[str] = field(default_factory=list)
    story: list[Said] = field(default_factory=list)
    taker: int | None = None
    folded: list[int] = field(default_factory=list)
    aside: list[list[str]] = field(default_factory=list)  # cards laid away, by seat
    exchanged: list[int | None] = field(default_factory=list)  # cards changed, by seat; None: not, or not yet
    took_trump: bool = False
    leader: int | None = None  # who leads to the first trick
    boys: list[int] = field(default_factory=list)
    trick: list[str] = field(default_factory=list)
    lead: int | None = None  # who has led to this trick
    tricks: list[int] = field(default_factory=list)
    revokes: list[int] = field(default_factory=list)
    right: list[str] = field(default_factory=list)  # the cards of 6.1, if a card is to be played
    first: int | None = None  # the first seat whose tricks have reached what it had left (7.4)
    holder: int | None = None  # of the khlust that has ended the kon
    end: str | None = None  # "played", "stopped", "alone", "khlust", "khlust wins", "void"

    def __post_init__(self) -> None:
        self.seats = len(self.hands)
        self.dealt = [list(hand) for hand in self.hands]
        self.turned = self.trump_card or self.hands[self.dealer][-1]  # 1.3, 8.1
        self.trump = suit(self.turned)
        self.aside = [[] for _ in self.hands]
        self.exchanged = [None] * self.seats
        self.boys, self.tricks, self.revokes = ([0] * self.seats for _ in range(3))
        self._course = self._kon()
        self._go_on(None)

    # ------------------------------------------------------------------------------------------- who is asked what

    def clockwise(self, first: int) -> list[int]:
        """All seats clockwise, this one first."""
        return [(first + step) % self.seats for step in range(self.seats)]

    def playing(self) -> list[int]:
        """The seats that have not folded, clockwise from the dealer's left."""
        return [seat for seat in self.clockwise(self.dealer + 1) if seat not in self.folded]

    def legal(self) -> list[str]:
        """The names of all actions that the seat to move may take, in the order of their ids."""
        return list(self.offered)

    def wrong(self, action: str) -> bool:
        """Whether this action would be a revoke (9.2)."""
        return self.phase == "play" and action.removeprefix("play ") not in self.right

    def act(self, action: str) -> None:
        """Carry out a legal action of the seat to move."""
        assert action in self.offered
        self.story.append(Said(self.phase, self.seat, action, self.wrong(action)))
        self._go_on(action)

    def _go_on(self, action: str | None) -> None:
        try:
            self._course.send(action)  # type: ignore[arg-type] # None starts it
        except StopIteration:
            self.phase, self.seat, self.offered = "over", -1, []

    def _ask(self, phase: str, seat: int, actions: Iterable[str]) -> Generator[None, str, str]:
        self.phase, self.seat, self.offered = phase, seat, sorted(actions, key=ACTIONS.index)
        return (yield)

    # --------------------------------------------------------------------------------------------------- the course

    def _kon(self) -> Course:
        yield from self._look_for_khlust(self.clockwise(self.dealer + 1))  # 2.1
        if self.end is None:
            yield from self._exchange() if self.rules["stock"] == "draw" else self._prikup()
        if self.end is None:
            yield from self._say_boys()
            yield from self._play()

    def _look_for_khlust(self, seats: Sequence[int]) -> Course:
        found = [(seat, held) for seat in seats if (held := khlust(self.hands[seat])) is not None]
        found.sort(key=lambda its: its[1] != self.trump)  # 2.1: a trump khlust before any other
        kind = self.rules["khlust"]
        for seat, held in found:
            if held != self.trump and not kind.startswith("any"):
                self.end = "void"  # 2.2, 2.3
                return
            if kind == "game":  # 2.3
                answer = yield from self._ask("khlust", seat, ["show", "hide"])
                if answer == "hide":
                    continue
            self.holder = seat
            self.end = "khlust wins" if kind.endswith("game") else "khlust"
            return

    def _prikup(self) -> Course:
        others = self.clockwise(self.dealer + 1)[:-1]
        for seat in others:  # 3.1
            if self.scores[seat] <= 3:  # 3.2
                continue
            if (yield from self._ask("take", seat, ["take", "pass"])) == "take":
                self.taker = seat
                hand = self.hands[seat]
                kept = (yield from self._ask("keep", seat, [f"keep {card}" for card in hand])).removeprefix("keep ")
                self.aside[seat] = [card for card in hand if card != kept]
                self.hands[seat] = [kept, *self.prikup]
                yield from self._look_for_khlust([seat])  # 2.1
                if self.end is not None:
                    return
                break
        for seat in others:  # 4.1
            if seat == self.taker or not self.may_fold(seat):
                continue
            if (yield from self._ask("fold", seat, ["stay", "fold"])) == "fold":
                self.folded.append(seat)
        self.leader = self.dealer if self.taker is None else self.taker  # 3.3
        if self.playing() == [self.dealer]:  # 4.4
            self.end = "alone"
            return
        hand = self.hands[self.dealer]
        action = yield from self._ask("discard", self.dealer, [f"discard {card}" for card in hand])  # 5.1
        card = action.removeprefix("discard ")
        hand.remove(card)
        self.aside[self.dealer] = [card]

    def may_fold(self, seat: int) -> bool:
        """Whether a seat may fold by 4.2 and 4.3."""
        return self.folds[seat] < folds_allowed(self.seats) and min(self.scores) > 3

    def _exchange(self) -> Course:
        for seat in self.clockwise(self.dealer + 1):  # 8.2
            if self.playing() == [self.dealer]:  # 8.4
                break
            yield from self._exchange_of(seat)
            if self.end is not None:
                return
        self.leader = self.playing()[0]  # 8.4
        if len(self.playing()) == 1:
            self.end = "alone"

    def _exchange_of(self, seat: int) -> Course:
        hand, away = self.hands[seat], self.aside[seat]
        most = len(self.stock) + (seat == self.dealer)  # 8.3: the turned-up card too
        while True:
            actions = []
            if len(away) < most:
                actions += [f"discard {card}" for card in hand if not away or in_order([away[-1], card])[1] == card]
            if not away and self.may_fold(seat):
                actions.append("fold")
            if len(away) <= len(self.stock):
                actions.append("done")
            if seat == self.dealer and away:
                actions.append("take trump")
            action = yield from self._ask("exchange", seat, actions)
            if action == "fold":
                self.folded.append(seat)
                return
            if action in ("done", "take trump"):
                break
            card = action.removeprefix("discard ")
            hand.remove(card)
            away.append(card)
        self.exchanged[seat] = len(away)
        if action == "take trump":
            self.took_trump = True
            hand.append(self.turned)
        while len(hand) < 5:
            hand.append(self.stock.pop(0))
        if away:  # 2.1: only who has drawn a card
            yield from self._look_for_khlust([seat])

    def _say_boys(self) -> Course:
        assert self.leader is not None
        for seat in self.clockwise(self.leader):  # 5.2
            said = boys(self.hands[seat], self.scores[seat])
            if seat in self.folded or not said:
                continue
            action = yield from self._ask("boys", seat, [*said, "silent"])
            if action != "silent":
                self.boys[seat] = int(action.removeprefix("boys "))

    def _play(self) -> Course:
        self.lead = self.leader
        for _ in range(5):  # 6.1
            assert self.lead is not None
            seats = [seat for seat in self.clockwise(self.lead) if seat not in self.folded]
            self.trick = []
            for seat in seats:
                yield from self._lay(seat)
            self.lead = seats[trick_winner(self.trick, self.trump)]  # 6.2
            self.tricks[self.lead] += 1
            if self.first is None and self.tricks[self.lead] >= self.left(self.lead):  # 7.4
                self.first = self.lead
                self.trick = []
                stops = self.rules["finish"] == "stop"
                if self.rules["finish"] == "choose":
                    stops = (yield from self._ask("finish", self.lead, ["stop", "go on"])) == "stop"
                if stops:
                    self.end = "stopped"
                    return
        self.trick = []
        self.end = "played"

    def _lay(self, seat: int) -> Course:
        hand = self.hands[seat]
        self.right = legal_plays(hand, self.trick, self.trump)
        offered = hand if self.rules["revoke"] == "penalty" else self.right  # 9.1, 9.2
        card = (yield from self._ask("play", seat, [f"play {card}" for card in offered])).removeprefix("play ")
        if card not in self.right:
            self.revokes[seat] += 1
            again = yield from self._ask("play", seat, [f"play {card}" for card in self.right])
            card = again.removeprefix("play ")
        hand.remove(card)
        self.trick.append(card)

    def left(self, seat: int) -> int:
        """What a seat still has to write off, its tricks not counted (7.4, 9.2)."""
        return self.scores[seat] + 5 * self.revokes[seat]

    # ------------------------------------------------------------------------------------------------- what it comes to

    def changes(self) -> list[int]:
        """The changes of the scores, once the kon is over by anything but a void khlust."""
        return [self._change(seat, score) for seat, score in enumerate(self.scores)]

    def _change(self, seat: int, score: int) -> int:
        if seat in self.folded:
            return 0  # 4.1, 8.5
        if self.end == "khlust":  # 2.2
            return -min(5, score) if seat == self.holder else 5
        if self.end == "khlust wins":  # 2.5
            return -score if seat == self.holder else 0
        if self.end == "alone":  # 4.4
            return -min(5, score)
        if self.end == "stopped":  # 7.4
            return 5 * self.revokes[seat] - self.tricks[seat]
        return played_result(score, self.tricks[seat], self.boys[seat], self.revokes[seat])

    @property
    def winner(self) -> int | None:
        """Who has won the match with this kon, or None (7.5)."""
        if self.end == "void":
            return None
        if self.first is not None:
            return self.first
        totals = [score + change for score, change in zip(self.scores, self.changes(), strict=True)]
        written_off = [seat for seat in range(self.seats) if totals[seat] == 0]
        if len(written_off) < 2:
            return written_off[0] if written_off else None
        assert self.leader is not None
        order = self.clockwise(self.leader)
        return min(written_off, key=lambda seat: (-self.tricks[seat], order.index(seat)))

    @property
    def won_by(self) -> str:
        """What has won the match: khlust, tricks or boys."""
        if self.end in ("khlust", "khlust wins"):
            return "khlust"
        return "tricks" if self.end == "alone" or self.first is not None else "boys"

    @property
    def next_dealer(self) -> int:
        """Who deals the next kon (1.4, 8.4)."""
        if self.end in ("void", "khlust", "khlust wins"):
            return self.dealer
        assert self.leader is not None
        return self.leader  # 3.3, 8.4: whoever leads, deals

    def folds_after(self) -> list[int]:
        """In how many scored kons running each seat has folded, this one included (4.2)."""
        return [before + 1 if seat in self.folded else 0 for seat, before in enumerate(self.folds)]


# ------------------------------------------------------------------------------------------------ whole records


def check(path: str | Path) -> Report:
    """Check a record file; raises RecordFault at the first thing that is wrong."""
    return count(Lines.of(path), _episode, _kind)


def check_lines(lines: Iterable[str]) -> Report:
    """Check the lines of a record file; raises RecordFault at the first thing that is wrong."""
    return count(Lines(lines), _episode, _kind)


def walk(lines: Iterable[str]) -> Iterator[Position]:
    """Check the lines of a record file and stop before every move on the way."""
    return episodes.walk(Lines(lines), _episode, Report())


def _kind(action: str) -> str:
    """The action without its card."""
    verb = action.partition(" ")[0]
    return verb if verb in ("play", "keep", "discard") else action


def _episode(lines: Lines, report: Report) -> Iterator[Position]:
    rules, episode, totals = _match(lines)
    folds = [0] * len(totals)
    number = 0
    dealer: int | None = None  # the first one is drawn by lot (1.4)
    while True:
        deal = _deal(lines, rules, number, dealer, totals, folds)
        report.deals += 1
        while deal.end is None:
            position = move_line(lines, deal, deal.wrong)
            yield position
            deal.act(position.action)
        report.ends[deal.end] += 1
        report.ends.update(["revoke"] * sum(deal.revokes))
        dealer = deal.next_dealer
        if deal.end == "void":
            continue  # 2.2: the same number
        changes = deal.changes()
        totals = [total + change for total, change in zip(totals, changes, strict=True)]
        score_line(lines, number, changes, totals)
        folds = deal.folds_after()
        number += 1
        if episode == "deal":  # 7.6
            end_line(lines, True, deal_returns(changes))
            return
        if deal.winner is not None or number == rules["max_deals"]:  # 7.3, 7.7
            end_line(lines, deal.winner is not None, match_returns(len(totals), deal.winner))
            report.ends["cut short" if deal.winner is None else f"won by {deal.won_by}"] += 1
            return


def _match(lines: Lines) -> tuple[dict[str, Any], str, list[int]]:
    rules, episode, start = match_line(lines, "petukh", option_problem, lambda rules: int(rules["players"]))
    if episode == "deal" and rules["start_scores"] == "random":  # 7.6
        if any(not 1 <= score <= rules["start"] for score in start):
            raise lines.fault(f"random start scores are from 1 to {rules['start']}, not {start}")
    elif any(score != rules["start"] for score in start):
        raise lines.fault(f"the scores start at {rules['start']}, not at {start}")
    return rules, episode, start


def _deal(
    lines: Lines, rules: dict[str, Any], number: int, dealer: int | None, totals: list[int], folds: list[int]
) -> Deal:
    seats, draw = rules["players"], rules["stock"] == "draw"
    line = lines.take("deal", ["number", "dealer", "hands", "trump_card" if draw else "prikup", "stock"])
    if lines.whole(line, "number") != number:
        raise lines.fault(f"this deal has the number {number}, not {line['number']}")
    if lines.whole(line, "dealer") >= seats:
        raise lines.fault(f"there is no seat {line['dealer']}")
    if dealer is not None and line["dealer"] != dealer:
        raise lines.fault(f"the dealer is seat {dealer}, not {line['dealer']}")
    sizes = [5 if draw or seat != line["dealer"] else 6 for seat in range(seats)]  # 1.3, 8.1
    pile = lines.texts("trump_card", line["trump_card"], 1) if draw else lines.texts("prikup", line["prikup"], 4)
    stock = lines.texts("stock", line["stock"], len(CARDS) - sum(sizes) - len(pile))
    hands = hands_of(lines, line, sizes, CARDS, [*pile, *stock])
    prikup, trump_card = ([], pile[0]) if draw else (list(pile), None)
    return Deal(rules, line["dealer"], hands, prikup, trump_card, list(stock), list(totals), list(folds))
