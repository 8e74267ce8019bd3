"""Piquet, refereed from its rule book: `check` re-derives a whole record file from its rules, deals and actions.

Cards are texts, rank then suit (`TH`); hands, talons and holdings are lists of them. Numbers in comments are clauses of
the rule book. A deal is told as one story from the first carte blanche to the last trick (`Deal._course`), which stops
wherever a seat has to choose.
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
    "ROUNDS",
    "Deal",
    "Event",
    "Holding",
    "Play",
    "Position",
    "RecordFault",
    "Report",
    "Round",
    "best",
    "can_announce",
    "check",
    "check_lines",
    "compared",
    "could_follow",
    "holdings",
    "margin",
    "options",
    "returns",
    "walk",
    "white_tens",
    "worth",
]

# ---------------------------------------------------------------------------------------------------- 1 cards

SUITS = "SCDH"
RANKS = "789TJQKA"  # 1.1, weakest first
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
VALUES = {"7": 7, "8": 8, "9": 9, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}  # 4.2


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards by suit, weakest first: the order of their ids."""
    return sorted(cards, key=CARDS.index)


def strength(card: str) -> int:
    """How high a card stands in its suit (1.1)."""
    return RANKS.index(card[0])


# -------------------------------------------------------------------------------------------------- 7b options

# `deals` takes any whole number from 1 on, `target` too, or None; they are not in this list. The first is the default.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "stop": ("at_once", "after_deal"),
    "settlement": ("none", "hundred", "rubicon"),
    "reward": ("win", "margin"),
    "min_exchange": (0, 1),
    "carte_blanche": ("white_ten", "no_court", "none"),
    "first_declarer": ("younger", "elder"),
    "trio_value": (13, 3),
    "set_ranks": ("all", "ten_up"),
    "all_combinations": (True, False),
    "lead_scores": ("always", "classic"),
    "capot_with_cards": (False, True),
    "bonus": ("thirty", "classic", "none"),
}
DEFAULTS: dict[str, Any] = {"deals": 8, "target": 100} | {name: values[0] for name, values in OPTIONS.items()}
CLASSIC: dict[str, Any] = {  # 7.5
    "deals": 6,
    "target": None,
    "settlement": "rubicon",
    "min_exchange": 1,
    "carte_blanche": "no_court",
    "first_declarer": "elder",
    "trio_value": 3,
    "set_ranks": "ten_up",
    "lead_scores": "classic",
    "bonus": "classic",
}


def options(**chosen: Any) -> dict[str, Any]:
    """Every option of section 7b: the default, or what was chosen."""
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
        # 1 is not True here: a record spells each value as section 7b does.
        if not any(type(rules[name]) is type(value) and rules[name] == value for value in values):
            return f"the option {name!r} has no value {rules[name]!r}"
    for name in ("deals", "target"):
        endless = name == "target" and rules[name] is None
        if not endless and (type(rules[name]) is not int or rules[name] < 1):
            return f"the option {name!r} has no value {rules[name]!r}"
    return None


# --------------------------------------------------------------------------------------------------- 8 actions

ACTIONS = (
    [f"play {card}" for card in CARDS]
    + [f"discard {card}" for card in CARDS]
    + ["done", "declare", "pass"]
    + [f"carte blanche {suit}" for suit in SUITS]
    + ["carte blanche"]
)

# --------------------------------------------------------------------------------------------- 3 carte blanche

COURT = "JQK"


def white_tens(dealt: Iterable[str]) -> list[str]:
    """The suits of which twelve cards hold the ten but no king, queen or jack (3.1)."""
    dealt = list(dealt)
    return [suit for suit in SUITS if "T" + suit in dealt and not any(rank + suit in dealt for rank in COURT)]


def no_court(dealt: Iterable[str]) -> bool:
    """Whether there is no king, queen or jack among these cards (3.2)."""
    return not any(card[0] in COURT for card in dealt)


def can_announce(rules: dict[str, Any], dealt: Iterable[str], said: Sequence[str]) -> list[str]:
    """The announcements that a seat may still make, in ascending order, after what it has `said` (3)."""
    if rules["carte_blanche"] == "white_ten":
        tens = [f"carte blanche {suit}" for suit in white_tens(dealt)]
        return [ten for ten in tens if not said or ACTIONS.index(ten) > ACTIONS.index(said[-1])]
    if rules["carte_blanche"] == "no_court" and no_court(dealt) and not said:
        return ["carte blanche"]
    return []


# ---------------------------------------------------------------------------------------------- 4 declarations

ROUNDS = ("suit", "sequence", "set")  # 4.1


@dataclass(frozen=True)
class Holding:
    """A suit, a sequence or a set: its cards, and what decides between two of them with as many cards."""

    cards: tuple[str, ...]
    tie: int  # total of a suit, place of a sequence's top card or a set's rank in the order of ranks


def holdings(rules: dict[str, Any], kind: str, hand: Iterable[str]) -> list[Holding]:
    """All that a hand could put forward in a round of this kind, its best first (4.2 to 4.4)."""
    hand = in_order(hand)
    found = []
    if kind == "suit":
        for suit in SUITS:
            cards = [card for card in hand if card[1] == suit]
            if cards:
                found.append(Holding(tuple(cards), sum(VALUES[card[0]] for card in cards)))
    elif kind == "sequence":
        for suit in SUITS:
            run: list[str] = []
            for rank in RANKS + " ":  # past the ace every run is over
                if rank + suit in hand:
                    run.append(rank + suit)
                    continue
                if len(run) >= 3:  # 4.5: only whole runs
                    found.append(Holding(tuple(run), strength(run[-1])))
                run = []
    else:
        for rank in RANKS if rules["set_ranks"] == "all" else "TJQKA":
            cards = [card for card in hand if card[0] == rank]
            if len(cards) >= 3:
                found.append(Holding(tuple(cards), RANKS.index(rank)))
    # Longest, then by what decides, then by the higher suit.
    return sorted(found, key=lambda its: (len(its.cards), its.tie, SUITS.index(its.cards[0][1])), reverse=True)


def best(rules: dict[str, Any], kind: str, hand: Iterable[str]) -> Holding | None:
    """What `declare` puts forward, or None if there is nothing."""
    return next(iter(holdings(rules, kind, hand)), None)


def compared(one: Holding, other: Holding) -> int:
    """1 if the first holding wins, -1 if the second does, 0 if they are equal (4.2 to 4.4)."""
    a, b = (len(one.cards), one.tie), (len(other.cards), other.tie)
    return (a > b) - (a < b)


def worth(rules: dict[str, Any], kind: str, holding: Holding) -> int:
    """What a winning holding scores (4.2 to 4.4)."""
    size = len(holding.cards)
    if kind == "suit":
        return size
    if kind == "sequence":
        return {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}[size]
    return {4: 14, 3: int(rules["trio_value"])}[size]


# ------------------------------------------------------------------------------------------------ 5 play, 7 match


def could_follow(hand: Iterable[str], led: str | None) -> list[str]:
    """The cards that may be laid: any on lead, else those of the suit led, if there are any (5.1)."""
    hand = in_order(hand)
    return [card for card in hand if led is not None and card[1] == led[1]] or hand


def passed(rules: dict[str, Any], total: int) -> bool:
    """Whether a total is more than the target (7.1)."""
    return rules["target"] is not None and total > rules["target"]


def margin(rules: dict[str, Any], totals: Sequence[int]) -> int:
    """The final margin of a match, the winner's (7.3, 7.5)."""
    high, low = max(totals), min(totals)
    if high == low:
        return 0
    if rules["settlement"] == "rubicon":
        return 100 + high - low if low >= 100 else 100 + high + low
    if rules["settlement"] == "hundred" and not passed(rules, high):
        return 100 + high - low
    return high - low


def returns(rules: dict[str, Any], episode: str, points: Sequence[int], totals: Sequence[int]) -> list[float]:
    """What each seat gets at the end of an episode (7.2 to 7.4): points of its last deal, totals after it."""
    if episode == "deal":
        return [(points[0] - points[1]) / 50 + 0.0, (points[1] - points[0]) / 50 + 0.0]
    if totals[0] == totals[1]:
        return [0.0, 0.0]
    value = margin(rules, totals) / 100 if rules["reward"] == "margin" else 1.0
    return [value, -value] if totals[0] > totals[1] else [-value, value]


# --------------------------------------------------------------------------------------------------- one deal


@dataclass(frozen=True)
class Event:
    """Points scored at one moment (6.1): a `carte blanche`, a round, a `lead`, a `trick`, or the `end` (5.3, 5.4)."""

    seat: int
    what: str
    points: int
    bonus: int


@dataclass(frozen=True)
class Play:
    """One card laid: by whom, on which card (None: a lead), in which trick; the first trick is 1."""

    seat: int
    card: str
    on: str | None
    trick: int


@dataclass
class Round:
    """One round of declarations: what each seat that said `declare` put forward, and how it ended."""

    kind: str
    first: int
    asked: list[int] = field(default_factory=list)
    declared: dict[int, Holding] = field(default_factory=dict)
    over: bool = False
    winner: int | None = None
    scored: list[Holding] = field(default_factory=list)  # the winner's, once it is over


class _Stopped(Exception):  # noqa: N818 - the end of a story, not an error
    """A total has passed the target (7.1)."""


@dataclass
class Deal:
    """One deal at the table, open: whose move it is, what is legal, and what each action does."""

    rules: dict[str, Any]
    dealer: int
    hands: list[list[str]]
    talon_elder: list[str]  # top first, as dealt
    talon_younger: list[str]
    scores: list[int] = field(default_factory=lambda: [0, 0])  # before this deal
    single: bool = False  # 7.4: a deal of its own

    said: list[list[str]] = field(default_factory=lambda: [[], []])  # announcements by seat (3)
    laid_away: list[list[str]] = field(default_factory=lambda: [[], []])
    drew: list[list[str] | None] = field(default_factory=lambda: [None, None])  # None: its exchange is not over
    left: list[list[str]] = field(default_factory=lambda: [[], []])  # what each saw lying after it had drawn
    rounds: list[Round] = field(default_factory=list)
    lying: str | None = None  # the card led, while it has no reply
    leader: int | None = None
    plays: list[Play] = field(default_factory=list)
    tricks: list[int] = field(default_factory=lambda: [0, 0])
    points: list[int] = field(default_factory=lambda: [0, 0])
    events: list[Event] = field(default_factory=list)
    actions: list[tuple[int, str]] = field(default_factory=list)  # seat and action, so far
    phase: str = "carte"  # exchange, suit, sequence, set, play, over
    seat: int = -1
    end: str | None = None  # "played", or "stopped in" what brought a total over the target

    def __post_init__(self) -> None:
        self.elder, self.younger = 1 - self.dealer, self.dealer
        self.dealt = [list(hand) for hand in self.hands]
        self._legal: list[str] = []
        self._story = self._course()
        next(self._story)

    def legal(self) -> list[str]:
        """The names of all actions that the seat to move may take, in the order of their ids."""
        return list(self._legal)

    def act(self, action: str) -> None:
        """Carry out a legal action of the seat to move."""
        self.actions.append((self.seat, action))
        try:
            self._story.send(action)
        except StopIteration:
            self.phase, self.seat, self._legal = "over", -1, []

    def retold(self) -> "Deal":
        """A deal of its own in which the same has happened."""
        hands = [list(hand) for hand in self.dealt]
        twin = Deal(self.rules, self.dealer, hands, self.talon_elder, self.talon_younger, self.scores, self.single)
        for _, action in self.actions:
            twin.act(action)
        return twin

    def bonus(self, seat: int) -> int:
        """The bonus that a seat has got in this deal."""
        return sum(event.bonus for event in self.events if event.seat == seat)

    # ------------------------------------------------------------------------------------------- the whole story

    def _course(self) -> Generator[None, str, None]:
        try:
            for seat in (self.elder, self.younger):  # 2.1
                yield from self._announcements(seat)
                yield from self._exchange(seat)
            for kind in ROUNDS:
                yield from self._declarations(kind)
            yield from self._play()
        except _Stopped:
            self.end = f"stopped in {self.events[-1].what}"
        else:
            self.end = "played"

    def _choice(self, phase: str, seat: int, legal: list[str]) -> Generator[None, str, str]:
        self.phase, self.seat, self._legal = phase, seat, sorted(legal, key=ACTIONS.index)
        action = yield
        return action

    def _score(self, seat: int, what: str, points: int) -> None:
        """One event, its bonus, and a look at the target (6.1, 7.1)."""
        self.points[seat] += points
        bonus = 0
        if what != "end" and self.rules["bonus"] != "none" and not any(event.bonus for event in self.events):
            for one in (0, 1):
                if self.points[one] >= 30 and self.points[1 - one] == 0:
                    assert one == seat
                    early = self.rules["bonus"] == "classic" and what not in ("lead", "trick")
                    bonus = 60 if early else 30  # 6.2
        self.points[seat] += bonus
        self.events.append(Event(seat, what, points, bonus))
        watched = not self.single and self.rules["stop"] == "at_once"
        if watched and passed(self.rules, self.scores[seat] + self.points[seat]):
            raise _Stopped

    # ------------------------------------------------------------------------------------------ carte blanche (3)

    def _announcements(self, seat: int) -> Generator[None, str, None]:
        while True:
            more = can_announce(self.rules, self.dealt[seat], self.said[seat])
            if not more:
                return  # 3.3: not asked
            action = yield from self._choice("carte", seat, ["pass", *more])
            if action == "pass":
                return
            self.said[seat].append(action)
            self._score(seat, "carte blanche", 10)

    # ------------------------------------------------------------------------------------------------ exchange (2)

    def _exchange(self, seat: int) -> Generator[None, str, None]:
        # 2.2: elder takes from his own talon alone; 2.3: younger from elder's leftovers first.
        lying = self.talon_elder if seat == self.elder else self.left[self.elder] + self.talon_younger
        away = self.laid_away[seat]
        while len(away) < len(lying):
            legal = [
                f"discard {card}"
                for card in self.hands[seat]
                if not away or CARDS.index(card) > CARDS.index(away[-1])  # 2.5
            ]
            if len(away) >= self.rules["min_exchange"]:  # 2.4
                legal.append("done")
            action = yield from self._choice("exchange", seat, legal)
            if action == "done":
                break
            card = action.removeprefix("discard ")
            self.hands[seat].remove(card)
            away.append(card)
        new, self.left[seat] = lying[: len(away)], lying[len(away) :]
        self.hands[seat] += new
        self.drew[seat] = new

    # -------------------------------------------------------------------------------------------- declarations (4)

    def _declarations(self, kind: str) -> Generator[None, str, None]:
        first = self.younger if self.rules["first_declarer"] == "younger" else self.elder
        its = Round(kind, first)
        self.rounds.append(its)
        for seat in (first, 1 - first):
            holding = best(self.rules, kind, self.hands[seat])
            if holding is None:
                continue  # 4.1: not asked
            its.asked.append(seat)
            action = yield from self._choice(kind, seat, ["declare", "pass"])
            if action == "declare":
                its.declared[seat] = holding
        its.over = True
        if len(its.declared) == 1:
            its.winner = next(iter(its.declared))  # 4.5
        elif its.declared:
            result = compared(its.declared[0], its.declared[1])
            its.winner = {1: 0, -1: 1, 0: None}[result]
        if its.winner is None:
            return
        its.scored = [its.declared[its.winner]]
        if kind != "suit" and self.rules["all_combinations"]:
            its.scored = holdings(self.rules, kind, self.hands[its.winner])
        self._score(its.winner, kind, sum(worth(self.rules, kind, holding) for holding in its.scored))

    # ---------------------------------------------------------------------------------------------------- play (5)

    def _play(self) -> Generator[None, str, None]:
        classic = self.rules["lead_scores"] == "classic"
        self.leader = self.elder
        for trick in range(1, 13):
            last = trick == 12
            led = yield from self._lay(self.leader, trick)
            self._score(self.leader, "lead", 2 if last and not classic else 1)  # 5.2
            reply = yield from self._lay(1 - self.leader, trick)
            self.lying = None
            beaten = reply[1] == led[1] and strength(reply) > strength(led)
            winner = 1 - self.leader if beaten else self.leader
            self.tricks[winner] += 1
            points = int(beaten) if classic else 1
            self.leader = winner
            self._score(winner, "trick", points + last)
        for seat in (0, 1):
            if self.tricks[seat] == 12:  # 5.4
                self._score(seat, "end", 50 if self.rules["capot_with_cards"] else 40)
            elif self.tricks[seat] >= 7:  # 5.3
                self._score(seat, "end", 10)

    def _lay(self, seat: int, trick: int) -> Generator[None, str, str]:
        cards = could_follow(self.hands[seat], self.lying)
        action = yield from self._choice("play", seat, [f"play {card}" for card in cards])
        card = action.removeprefix("play ")
        self.hands[seat].remove(card)
        self.plays.append(Play(seat, card, self.lying, trick))
        if self.lying is None:
            self.lying = card
        return card


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
    """play, discard, done, declare, pass, white ten, or carte blanche."""
    if action.startswith("carte blanche "):
        return "white ten"
    return action if action == "carte blanche" else action.partition(" ")[0]


def _episode(lines: Lines, report: Report) -> Iterator[Position]:
    rules, episode, totals = match_line(lines, "piquet", option_problem, lambda rules: 2)
    if any(totals):
        raise lines.fault(f"the scores start at 0, not at {totals}")
    number = 0
    dealer: int | None = None  # the first one is drawn by lot (1.3)
    while True:
        deal = _deal(lines, rules, number, dealer, totals, episode == "deal")
        report.deals += 1
        while deal.end is None:
            position = move_line(lines, deal)
            yield position
            deal.act(position.action)
        for what in _happened(deal):
            report.ends[what] += 1
        totals = [total + points for total, points in zip(totals, deal.points, strict=True)]
        score_line(lines, number, deal.points, totals)
        number += 1
        over = any(passed(rules, total) for total in totals)
        if episode == "deal" or over or number == rules["deals"]:
            end_line(lines, True, returns(rules, episode, deal.points, totals))  # 7.2: never a truncation
            if episode == "match":
                report.ends["match over the target" if over else "match of all deals"] += 1
                report.ends["match drawn"] += totals[0] == totals[1]
            return
        dealer = 1 - deal.dealer  # 1.3


def _happened(deal: Deal) -> Iterator[str]:
    """How a deal ended, and what was rare in it."""
    assert deal.end is not None
    yield deal.end
    if deal.end == "played":
        most = max(deal.tricks)
        yield {12: "all tricks", 6: "six tricks each"}.get(most, "most tricks")
    for event in deal.events:
        if event.bonus:
            yield f"bonus {event.bonus} in {event.what}"
    for its in deal.rounds:
        if its.over and len(its.declared) == 2 and its.winner is None:
            yield f"equal in {its.kind}"


def _deal(
    lines: Lines, rules: dict[str, Any], number: int, dealer: int | None, totals: list[int], single: bool
) -> Deal:
    line = lines.take("deal", ["number", "dealer", "hands", "talon_elder", "talon_younger"])
    if lines.whole(line, "number") != number:
        raise lines.fault(f"this deal has the number {number}, not {line['number']}")
    if lines.whole(line, "dealer") >= 2:
        raise lines.fault(f"there is no seat {line['dealer']}")
    if dealer is not None and line["dealer"] != dealer:
        raise lines.fault(f"the dealer is seat {dealer}, not {line['dealer']}")
    elder = lines.texts("talon_elder", line["talon_elder"], 5)  # 1.2
    younger = lines.texts("talon_younger", line["talon_younger"], 3)
    hands = hands_of(lines, line, [12, 12], CARDS, elder + younger)
    return Deal(rules, line["dealer"], hands, list(elder), list(younger), list(totals), single)
