"""Piotruś, refereed from its rule book: `check` re-derives a record file from its rules, deals, actions and shuffles.

Cards are texts, rank then suit (`TH`), or pictures (`7a`, `P`); a fan is a list of them, the oldest first. Numbers in
comments are clauses of the rule book. Every deal keeps its story, event by event: who knows what is told from that.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from . import episodes
from .episodes import Position, Report, count, end_line, hands_of, match_line, move_line, score_line
from .lines import Lines, RecordFault

__all__ = [
    "DEFAULTS",
    "OPTIONS",
    "SEATS",
    "Deal",
    "Dealt",
    "Drawn",
    "Laid",
    "Position",
    "RecordFault",
    "Report",
    "Shuffled",
    "actions",
    "check",
    "check_lines",
    "deck",
    "options",
    "paired",
    "pairs_of",
    "returns",
    "sizes",
    "walk",
]

# --------------------------------------------------------------------------------------------------- 5 options

SEATS = {"full": (2, 3, 4, 5), "short": (2, 3, 4, 5), "picture": (2, 3, 4, 5, 6, 7, 8)}  # 2.1

# `players` hangs on the deck and `max_turns` takes any whole number from 1 on: they are not in this list.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "deck": ("full", "short", "picture"),
    "odd_card": ("jack", "queen"),
    "pairing": ("colour", "rank"),
    "discard": ("auto", "manual"),
    "draw_from": ("right", "left"),
    "shuffle": ("anytime", "before_offer", "never"),
    "reward": ("loser", "place"),
}
DEFAULTS: dict[str, Any] = {"players": 3} | {name: values[0] for name, values in OPTIONS.items()} | {"max_turns": 2000}


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
        if rules[name] not in values:
            return f"the option {name!r} has no value {rules[name]!r}"
    if type(rules["players"]) is not int or rules["players"] not in SEATS[rules["deck"]]:
        return f"the option 'players' has no value {rules['players']!r} with the deck {rules['deck']}"
    if type(rules["max_turns"]) is not int or rules["max_turns"] < 1:
        return f"the option 'max_turns' has no value {rules['max_turns']!r}"
    return None


# ------------------------------------------------------------------------------------------------------ 1 deck

SUITS = "SCDH"
RANKS = {"full": "23456789TJQKA", "short": "9TJQKA"}  # 1.1, in the order of the ids


def all_cards(rules: dict[str, Any]) -> list[str]:
    """Every card that has an id, in the order of the ids; the one taken out is among them (1.1)."""
    if rules["deck"] == "picture":
        return [f"{number}{copy}" for number in range(1, 13) for copy in "ab"] + ["P"]
    return [rank + suit for suit in SUITS for rank in RANKS[rules["deck"]]]


def deck(rules: dict[str, Any]) -> list[str]:
    """The cards that are played with, in the order of their ids (1.1, 1.2)."""
    out = {"jack": "JC", "queen": "QC"}[rules["odd_card"]]
    return [card for card in all_cards(rules) if card != out]  # no picture is named so


def paired(rules: dict[str, Any], one: str, other: str) -> bool:
    """Whether two different cards are a pair (1.3)."""
    if one[:-1] != other[:-1]:
        return False  # ranks, or numbers of pictures; P has none
    if rules["deck"] == "picture" or rules["pairing"] == "rank":
        return True
    return (one[-1] in "DH") == (other[-1] in "DH")


def pairs_of(rules: dict[str, Any], cards: Iterable[str]) -> list[tuple[str, str]]:
    """Every pair among these cards, the lower id first, ordered by the lower, then the higher id."""
    low_first = sorted(cards, key=all_cards(rules).index)
    return [(one, other) for one, other in combinations(low_first, 2) if paired(rules, one, other)]


def leftmost_pair(rules: dict[str, Any], fan: Sequence[str]) -> tuple[int, int] | None:
    """The positions of the pair that stands leftmost in a fan, or None (2.4)."""
    for place, other in combinations(range(len(fan)), 2):
        if paired(rules, fan[place], fan[other]):
            return place, other
    return None


# --------------------------------------------------------------------------------------------------- 6 actions


def actions(rules: dict[str, Any]) -> list[str]:
    """The names of all actions under these options, in the order of their ids."""
    names = [f"draw {place}" for place in range(26)] + ["offer", "shuffle"]
    if rules["discard"] == "manual":
        names += [f"lay {one} {other}" for one, other in pairs_of(rules, deck(rules))]
    return names


# ------------------------------------------------------------------------------------------------ 2 deal, 3 turns


def sizes(rules: dict[str, Any], dealer: int) -> list[int]:
    """How many cards each seat is dealt (2.1)."""
    seats = rules["players"]
    dealt = [0] * seats
    for card in range(len(deck(rules))):
        dealt[(dealer + 1 + card) % seats] += 1
    return dealt


def returns(rules: dict[str, Any], places: Sequence[int]) -> list[float]:
    """What each seat gets at the end of a game with these places, 1 = first (4.2)."""
    seats = len(places)
    if rules["reward"] == "place":
        return [1 - 2 * (place - 1) / (seats - 1) for place in places]
    return [-1.0 if place == seats else 1 / (seats - 1) for place in places]


@dataclass(frozen=True)
class Dealt:
    """The cards were dealt: every seat's fan, and nothing is laid off yet."""

    hands: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Laid:
    """A seat has laid off a pair: the positions that the two cards left, and the cards, in the order of positions."""

    seat: int
    places: tuple[int, int]
    cards: tuple[str, str]


@dataclass(frozen=True)
class Drawn:
    """A card went from a position of one fan to the end of another; `pairs`: there it makes a pair, to be laid off."""

    giver: int
    drawer: int
    place: int
    card: str
    pairs: bool


@dataclass(frozen=True)
class Shuffled:
    """A seat has put its fan in a new order."""

    seat: int
    fan: tuple[str, ...]


Event = Dealt | Laid | Drawn | Shuffled


@dataclass
class Deal:
    """One deal at the table, open: whose move it is, what is legal, and what each action does."""

    rules: dict[str, Any]
    dealer: int
    fans: list[list[str]]

    phase: str = "lay"  # lay, offer, draw, over
    seat: int = -1  # who is to move
    giver: int | None = None
    drawer: int | None = None
    giver_shuffled: bool = False
    drawer_shuffled: bool = False
    laid: list[str] = field(default_factory=list)  # the cards laid off
    places: list[int] = field(default_factory=list)  # by seat, 1 = first, 0 = still in
    story: list[Event] = field(default_factory=list)
    end: str | None = None  # "lost": one seat keeps Piotruś; "redeal"

    def __post_init__(self) -> None:
        self.seats = self.rules["players"]
        self.places = [0] * self.seats
        self.story.append(Dealt(tuple(tuple(fan) for fan in self.fans)))
        if self.rules["discard"] == "auto":  # 2.3
            for seat in self.from_dealers_left():
                self._lay_all(seat)
        self._first_discarding()

    # ------------------------------------------------------------------------------------------ seats and fans

    def from_dealers_left(self) -> list[int]:
        """All seats, clockwise from the dealer's left; the dealer is the last."""
        return [(self.dealer + step) % self.seats for step in range(1, self.seats + 1)]

    def nearest(self, seat: int, step: int) -> int:
        """The nearest seat that holds cards, clockwise (`step` 1) or counter-clockwise (-1) from this one."""
        return next(
            other for other in ((seat + step * far) % self.seats for far in range(1, self.seats)) if self.fans[other]
        )

    def has_pair(self, seat: int) -> bool:
        """Whether a fan holds a pair."""
        return leftmost_pair(self.rules, self.fans[seat]) is not None

    def one_alone(self) -> bool:
        """Whether one seat alone holds cards (4.1)."""
        return sum(fan != [] for fan in self.fans) == 1

    # ----------------------------------------------------------------------------------------------- decisions

    def legal(self) -> list[str]:
        """The names of all actions that the seat to move may take, in the order of their ids."""
        fan = self.fans[self.seat]
        if self.phase == "lay":  # 2.3: nothing else while it holds a pair
            return [f"lay {one} {other}" for one, other in pairs_of(self.rules, fan)]
        if self.phase == "offer":
            return ["offer", "shuffle"]  # 3.3
        assert self.giver is not None
        names = [f"draw {place}" for place in range(len(self.fans[self.giver]))]  # 3.4
        if self.rules["shuffle"] == "anytime" and len(fan) > 1 and not self.drawer_shuffled:
            names.append("shuffle")  # 3.3
        return names

    def act(self, action: str, fan: Sequence[str] = ()) -> None:
        """Carry out a legal action of the seat to move; `fan` is the new order after `shuffle`."""
        verb, *arguments = action.split(" ")
        if verb == "lay":
            places = sorted(self.fans[self.seat].index(card) for card in arguments)
            self._lay(self.seat, places[0], places[1])
            self._go_on_laying()
        elif verb == "offer":
            self._drawer_is_asked()
        elif verb == "shuffle":
            self._shuffle(list(fan))
        else:
            self._draw(int(arguments[0]))

    def _shuffle(self, fan: list[str]) -> None:
        assert sorted(fan) == sorted(self.fans[self.seat])
        self.fans[self.seat] = fan
        self.story.append(Shuffled(self.seat, tuple(fan)))
        if self.phase == "offer":  # asked once
            self.giver_shuffled = True
            self._drawer_is_asked()
        else:
            self.drawer_shuffled = True  # from now on only asked to draw

    def _drawer_is_asked(self) -> None:
        assert self.drawer is not None
        self.phase, self.seat = "draw", self.drawer

    def _draw(self, place: int) -> None:
        assert self.giver is not None and self.drawer is not None
        card = self.fans[self.giver].pop(place)  # 3.4: the others close up
        self.fans[self.drawer].append(card)
        self.story.append(Drawn(self.giver, self.drawer, place, card, self.has_pair(self.drawer)))
        if not self.fans[self.giver]:  # 3.5: before the drawer, and in `manual` before he has laid
            self._finish(self.giver)
        if self.rules["discard"] == "auto":
            self._lay_all(self.drawer)
        elif self.has_pair(self.drawer):  # 2.3, 4.1: the game ends when all pairs are laid off
            self.phase, self.seat = "lay", self.drawer
            return
        self._turn_is_over()

    # ------------------------------------------------------------------------------------------------- laying

    def _lay(self, seat: int, first: int, second: int) -> None:
        fan = self.fans[seat]
        cards = (fan[first], fan[second])
        del fan[second], fan[first]
        self.laid += cards
        self.story.append(Laid(seat, (first, second), cards))

    def _lay_all(self, seat: int) -> None:
        while (pair := leftmost_pair(self.rules, self.fans[seat])) is not None:  # 2.4
            self._lay(seat, *pair)

    def _go_on_laying(self) -> None:
        if self.has_pair(self.seat):
            return
        if self.drawer is None:
            self._first_discarding()
        else:
            self._turn_is_over()

    def _first_discarding(self) -> None:
        for seat in self.from_dealers_left():
            if self.has_pair(seat):  # only in `manual`
                self.phase, self.seat = "lay", seat
                return
        for seat in self.from_dealers_left():  # 2.5: all pairs are laid, now the places
            if not self.fans[seat]:
                self._finish(seat)
        if self.one_alone():
            self.phase, self.end, self.places = "over", "redeal", [0] * self.seats
            return
        self._turn(next(seat for seat in self.from_dealers_left() if self.fans[seat]))  # 3.1

    # -------------------------------------------------------------------------------------------------- turns

    def _finish(self, seat: int) -> None:
        self.places[seat] = max(self.places) + 1  # 3.5: the next free place

    def _turn(self, drawer: int) -> None:
        self.drawer = drawer
        self.giver = self.nearest(drawer, -1 if self.rules["draw_from"] == "right" else 1)  # 3.2
        self.giver_shuffled = self.drawer_shuffled = False
        if self.rules["shuffle"] != "never" and len(self.fans[self.giver]) > 1:  # 3.3
            self.phase, self.seat = "offer", self.giver
        else:
            self._drawer_is_asked()

    def _turn_is_over(self) -> None:
        assert self.drawer is not None
        if not self.fans[self.drawer]:
            self._finish(self.drawer)  # 3.5
        if self.one_alone():  # 4.1
            self._finish(next(seat for seat in range(self.seats) if self.fans[seat]))
            self.phase, self.end = "over", "lost"
            return
        self._turn(self.nearest(self.drawer, 1))  # 3.6


# ------------------------------------------------------------------------------------------------ whole records


def check(path: str | Path) -> Report:
    """Check a record file; raises RecordFault at the first thing that is wrong."""
    return count(Lines.of(path), _episode, _verb)


def check_lines(lines: Iterable[str]) -> Report:
    """Check the lines of a record file; raises RecordFault at the first thing that is wrong."""
    return count(Lines(lines), _episode, _verb)


def walk(lines: Iterable[str]) -> Iterator[Position]:
    """Check the lines of a record file and stop before every move on the way."""
    return episodes.walk(Lines(lines), _episode, Report())


def _verb(action: str) -> str:
    return action.partition(" ")[0]


def _episode(lines: Lines, report: Report) -> Iterator[Position]:
    # 4.3: matches and deals are one deal
    rules, _, start = match_line(lines, "piotrus", option_problem, lambda rules: int(rules["players"]))
    if any(start):
        raise lines.fault(f"the scores start at 0, not at {start}")
    turns = 0
    dealer: int | None = None  # drawn by lot (2.1)
    while True:
        deal = _deal(lines, rules, dealer)
        dealer = deal.dealer
        report.deals += 1
        while deal.end is None:
            if turns == rules["max_turns"]:
                break
            position = move_line(lines, deal)
            yield position
            deal.act(position.action, _shuffle(lines, deal) if position.action == "shuffle" else ())
            turns += 1
        if deal.end == "lost":
            report.ends["lost"] += 1
            score_line(lines, 0, deal.places, deal.places)
            end_line(lines, True, returns(rules, deal.places))
            return
        if deal.end == "redeal":
            report.ends["redeal"] += 1
        if turns == rules["max_turns"]:  # 4.4: a redeal is not dealt any more
            report.ends["cut short"] += 1
            end_line(lines, False, [0.0] * deal.seats)
            return


def _deal(lines: Lines, rules: dict[str, Any], dealer: int | None) -> Deal:
    line = lines.take("deal", ["number", "dealer", "hands"])
    if lines.whole(line, "number") != 0:  # 2.5: a redeal too
        raise lines.fault(f"this deal has the number 0, not {line['number']}")
    if lines.whole(line, "dealer") >= rules["players"]:
        raise lines.fault(f"there is no seat {line['dealer']}")
    if dealer is not None and line["dealer"] != dealer:  # 2.5
        raise lines.fault(f"the dealer is seat {dealer}, not {line['dealer']}")
    return Deal(rules, line["dealer"], hands_of(lines, line, sizes(rules, line["dealer"]), deck(rules)))


def _shuffle(lines: Lines, deal: Deal) -> list[str]:
    line = lines.take("shuffle", ["seat", "fan"])
    if lines.whole(line, "seat") != deal.seat:
        raise lines.fault(f"seat {deal.seat} has shuffled, not seat {line['seat']}")
    held = deal.fans[deal.seat]
    fan = lines.texts("fan", line["fan"], len(held))
    if sorted(fan) != sorted(held):
        raise lines.fault(f"the fan holds {held}, not {fan}")
    return fan
