"""Pan, refereed from its rule book: `check` re-derives a whole record file from its rules, deals and actions.

Cards are texts, rank then suit (`TH`); hands are lists of them, and so is the pile, from the bottom up. Numbers in
comments are clauses of the rule book.
"""

from collections.abc import Iterable, Iterator, Sequence
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
    "Turn",
    "check",
    "check_lines",
    "could_lay_all",
    "drawn",
    "laid",
    "legal_actions",
    "next_seat",
    "options",
    "returns",
    "walk",
]

# ---------------------------------------------------------------------------------------------------- 1 cards

SUITS = "SCDH"
RANKS = "9TJQKA"  # 1.1, weakest first
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
LAID = "HDCS"  # 2.7: three or four of a rank go on the pile in this order


def strength(card: str) -> int:
    """How high the rank of a card stands (1.1)."""
    return RANKS.index(card[0])


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards by suit, weakest first: the order of their ids."""
    return sorted(cards, key=CARDS.index)


# --------------------------------------------------------------------------------------------------- 5 options

# `max_turns` and `max_deals` take any whole number from 1 on and are not in this list. The first value is the default.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "players": (3, 2, 4),
    "spades_back": (False, True),
    "letters": (3, 1, 2, 4, 5, 6, 7, 8, 9),
}
DEFAULTS: dict[str, Any] = {name: values[0] for name, values in OPTIONS.items()} | {
    "max_turns": 2000,
    "max_deals": 100,
}


def options(**chosen: Any) -> dict[str, Any]:
    """Every option of section 5: the default, or what was chosen."""
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
        # 1 is not True here: a record spells each value as section 5 does.
        if not any(type(rules[name]) is type(value) and rules[name] == value for value in values):
            return f"the option {name!r} has no value {rules[name]!r}"
    for name in ("max_turns", "max_deals"):
        if type(rules[name]) is not int or rules[name] < 1:
            return f"the option {name!r} has no value {rules[name]!r}"
    return None


# --------------------------------------------------------------------------------------------------- 6 actions

ACTIONS = [f"play {card}" for card in CARDS] + [f"play four {rank}" for rank in RANKS] + ["play three 9", "draw"]

# ----------------------------------------------------------------------------------------------------- 2 turns


def laid(action: str) -> list[str]:
    """The cards that an action puts on the pile, undermost first (2.7)."""
    if action == "draw":
        return []
    what = action.removeprefix("play ")
    if what.startswith("four "):
        return [what[-1] + suit for suit in LAID]
    if what == "three 9":  # 2.4: 9H lies there already
        return ["9" + suit for suit in LAID if suit != "H"]
    return [what]


def drawn(pile: Sequence[str]) -> list[str]:
    """The cards that a draw takes, undermost first: the top three, never the last one (2.5)."""
    return list(pile[len(pile) - min(3, len(pile) - 1) :])


def legal_actions(hand: Iterable[str], pile: Sequence[str]) -> list[str]:
    """The names of all actions of a seat with this hand whose turn it is, in the order of their ids."""
    hand = in_order(hand)
    if not pile:  # 2.2
        return ["play 9H", "play four 9"] if all("9" + suit in hand for suit in SUITS) else ["play 9H"]
    fits = [rank for rank in RANKS if RANKS.index(rank) >= strength(pile[-1])]  # 2.3
    actions = [f"play {card}" for card in hand if card[0] in fits]
    actions += [f"play four {rank}" for rank in fits if all(rank + suit in hand for suit in SUITS)]
    if len(pile) > 1:
        return [*actions, "draw"]  # 2.5
    if all("9" + suit in hand for suit in "DCS"):
        actions.append("play three 9")  # 2.4
    return actions


def could_lay_all(hand: Iterable[str], pile: Sequence[str]) -> bool:
    """Whether one legal turn lays all the cards of a hand (3.3)."""
    hand = sorted(hand)
    return any(sorted(laid(action)) == hand for action in legal_actions(hand, pile))


def next_seat(hands: Sequence[Sequence[str]], seat: int, back: bool) -> int:
    """The next seat that still has cards, clockwise (2.6), or counter-clockwise (4.1)."""
    step = -1 if back else 1
    seat = (seat + step) % len(hands)
    while not hands[seat]:
        seat = (seat + step) % len(hands)
    return seat


def returns(seats: int, loser: int | None) -> list[float]:
    """What each seat gets at the end of an episode that this seat has lost (3.5), or nobody (3.5, 3.6)."""
    if loser is None:
        return [0.0] * seats
    return [-1.0 if seat == loser else 1.0 / (seats - 1) for seat in range(seats)]


# ---------------------------------------------------------------------------------------------------- one deal


@dataclass(frozen=True)
class Turn:
    """One turn: who, which action, the cards it laid or drew, and whether the turn then went counter-clockwise."""

    seat: int
    action: str
    laid: tuple[str, ...]
    drawn: tuple[str, ...]
    back: bool


@dataclass
class Deal:
    """A deal as it goes on: what lies where, who is to move, what has happened.

    A deal begins with the holder of 9H (1.2); `pile` and `seat` are for a position out of the middle of one.
    """

    rules: dict[str, Any]
    hands: list[list[str]]
    pile: list[str] = field(default_factory=list)
    seat: int = -1
    turns: list[Turn] = field(default_factory=list)
    end: str | None = None  # "lost", "undecided", "abandoned"

    def __post_init__(self) -> None:
        self.dealt = [list(hand) for hand in self.hands]
        if self.seat < 0:
            self.seat = next(seat for seat, hand in enumerate(self.hands) if "9H" in hand)

    def legal(self) -> list[str]:
        """The names of all actions that the seat to move may take, in the order of their ids."""
        return legal_actions(self.hands[self.seat], self.pile)

    def act(self, action: str) -> None:
        """Carry out a legal action of the seat to move."""
        hand = self.hands[self.seat]
        put, taken = laid(action), drawn(self.pile) if action == "draw" else []
        for card in put:
            hand.remove(card)
            self.pile.append(card)
        for card in taken:
            self.pile.remove(card)
            hand.append(card)
        # 4.1: of a draw only the new top counts.
        spade = any(card[1] == "S" for card in put or self.pile[-1:])
        back = self.rules["spades_back"] and spade
        self.turns.append(Turn(self.seat, action, tuple(put), tuple(taken), back))
        self.seat = next_seat(self.hands, self.seat, back)
        if sum(bool(hand) for hand in self.hands) == 1:  # 3.2, 3.3
            self.end = "undecided" if could_lay_all(self.hands[self.seat], self.pile) else "lost"
        elif len(self.turns) == self.rules["max_turns"]:  # 3.6
            self.end = "abandoned"

    @property
    def loser(self) -> int | None:
        """The seat that has lost this deal, if one has."""
        return self.seat if self.end == "lost" else None

    def changes(self) -> list[int]:
        """The letters gained, once the deal is over (3.2, 3.3)."""
        return [int(seat == self.loser) for seat in range(len(self.hands))]


# ----------------------------------------------------------------------------------------------- whole records


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
    """play, play four, play three, or draw."""
    return action.rpartition(" ")[0] or action


def _episode(lines: Lines, report: Report) -> Iterator[Position]:
    rules, episode, letters = match_line(lines, "pan", option_problem, lambda rules: int(rules["players"]))
    if any(letters):
        raise lines.fault(f"a match starts without letters, not with {letters}")
    number = 0
    while True:
        deal = _deal(lines, rules, number)
        report.deals += 1
        while deal.end is None:
            position = move_line(lines, deal)
            yield position
            deal.act(position.action)
        report.ends[deal.end] += 1
        if deal.end != "abandoned":  # 3.6: an abandoned deal has no score line
            letters = [had + gained for had, gained in zip(letters, deal.changes(), strict=True)]
            score_line(lines, number, deal.changes(), letters)
        number += 1  # 3.6: undecided and abandoned deals are numbered too
        if episode == "deal":  # 3.5, 3.6
            end_line(lines, deal.end != "abandoned", returns(len(letters), deal.loser))
            return
        lost = letters.index(rules["letters"]) if rules["letters"] in letters else None  # 3.4
        if lost is not None or number == rules["max_deals"]:
            end_line(lines, lost is not None, returns(len(letters), lost))
            report.ends["match cut short" if lost is None else "match lost"] += 1
            return


def _deal(lines: Lines, rules: dict[str, Any], number: int) -> Deal:
    line = lines.take("deal", ["number", "dealer", "hands"])
    if lines.whole(line, "number") != number:
        raise lines.fault(f"this deal has the number {number}, not {line['number']}")
    if line["dealer"] is not None:  # 1.2
        raise lines.fault(f"there is no dealer, so it is null, not {line['dealer']!r}")
    seats = rules["players"]
    return Deal(rules, hands_of(lines, line, [len(CARDS) // seats] * seats, CARDS))
