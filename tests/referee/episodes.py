"""What the records of all games share: a match line, decisions, a score, an end; and how a file of them is checked.

A game's referee brings its options and its deals; nothing here knows any rules.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from .lines import Lines, RecordFault


class Deal(Protocol):
    """A deal of any game as it goes on."""

    seat: int

    def legal(self) -> list[str]:
        """The names of all actions that the seat to move may take, in the order of their ids."""
        ...


@dataclass(frozen=True)
class Position:
    """A decision in a record, found right: the deal before the action is carried out. Use it before the next one."""

    line: int
    deal: Any
    seat: int
    legal: list[str]
    action: str


@dataclass
class Report:
    """What was checked: episodes, deals (redeals too), moves, and how often each kind of thing happened."""

    episodes: int = 0
    deals: int = 0
    moves: int = 0
    actions: Counter[str] = field(default_factory=Counter)  # by kind
    ends: Counter[str] = field(default_factory=Counter)  # how the deals ended, and the matches


Episode = Callable[[Lines, Report], Iterator[Position]]
"""A game's referee: takes the lines of one episode and stops before every decision; raises RecordFault."""


def walk(lines: Lines, episode: Episode, report: Report) -> Iterator[Position]:
    """Check all lines and stop before every decision on the way."""
    if not lines.more():
        raise RecordFault(1, "the file holds no record")
    while lines.more():
        yield from episode(lines, report)
        report.episodes += 1


def count(lines: Lines, episode: Episode, kind: Callable[[str], str]) -> Report:
    """Check all lines; `kind` says under what an action is counted."""
    report = Report()
    for position in walk(lines, episode, report):
        report.moves += 1
        report.actions[kind(position.action)] += 1
    return report


def match_line(
    lines: Lines, game: str, problem: Callable[[dict[str, Any]], str | None], seats: Callable[[dict[str, Any]], int]
) -> tuple[dict[str, Any], str, list[int]]:
    """Options, kind of episode and scores at the start; `problem` finds what is wrong with options, `seats` counts."""
    line = lines.take("match", ["format", "game", "version", "seed", "episode", "start", "rules", "players"])
    if lines.whole(line, "format") != 1:
        raise lines.fault(f"the format must be 1, not {line['format']}")
    if line["game"] != game:
        raise lines.fault(f"this referee knows the game {game}, not {line['game']!r}")
    lines.whole(line, "version")
    lines.whole(line, "seed")
    episode = line["episode"]
    if episode not in ("match", "deal"):
        raise lines.fault(f"episode must be match or deal, not {episode!r}")
    rules = line["rules"]
    if type(rules) is not dict:
        raise lines.fault("rules must be an object of options")
    wrong = problem(rules)
    if wrong:
        raise lines.fault(wrong)
    if "" in lines.texts("players", line["players"], seats(rules)):
        raise lines.fault("a player has no name")
    return rules, episode, lines.wholes(line, "start", seats(rules))


def hands_of(
    lines: Lines, line: dict[str, Any], sizes: Sequence[int], pack: Sequence[str], others: Sequence[Any] = ()
) -> list[list[str]]:
    """The hands of a deal line, so many cards each; they and the `others` hold every card of the pack at most once."""
    hands = line["hands"]
    if type(hands) is not list or len(hands) != len(sizes):
        raise lines.fault(f"hands must be a list of {len(sizes)} hands")
    for seat, (hand, size) in enumerate(zip(hands, sizes, strict=True)):
        lines.texts(f"hand {seat}", hand, size)
    seen: set[str] = set()
    for card in [card for hand in hands for card in hand] + list(others):
        if card not in pack:
            raise lines.fault(f"there is no card {card!r}")
        if card in seen:
            raise lines.fault(f"the card {card} is dealt twice")
        seen.add(card)
    return [list(hand) for hand in hands]


def move_line(lines: Lines, deal: Deal, wrong: Callable[[str], bool] | None = None) -> Position:
    """The decision that is due in this deal; `wrong` tells which actions are put back and carry `"revoke":true`."""
    line = lines.take("move", ["seat", "legal", "action"], optional=[] if wrong is None else ["revoke"])
    if lines.whole(line, "seat") != deal.seat:
        raise lines.fault(f"seat {deal.seat} is to move, not seat {line['seat']}")
    legal = deal.legal()
    if lines.texts("legal", line["legal"]) != legal:
        raise lines.fault(f"the legal actions are {legal}, not {line['legal']}")
    action = line["action"]
    if action not in legal:
        raise lines.fault(f"the action {action!r} is not legal; legal are {legal}")
    if "revoke" in line and line["revoke"] is not True:
        raise lines.fault(f"revoke is true or left out, not {line['revoke']!r}")
    if wrong is not None and wrong(action) != ("revoke" in line):
        raise lines.fault(f"{action!r} is {'a' if wrong(action) else 'no'} revoke")
    return Position(lines.number, deal, deal.seat, legal, action)


def score_line(lines: Lines, number: int, points: Sequence[int], totals: Sequence[int]) -> None:
    """The score of the deal with this number."""
    line = lines.take("score", ["deal", "points", "totals"])
    if lines.whole(line, "deal") != number:
        raise lines.fault(f"this was deal {number}, not {line['deal']}")
    if lines.wholes(line, "points", len(points)) != list(points):
        raise lines.fault(f"the points of this deal are {points}, not {line['points']}")
    if lines.wholes(line, "totals", len(totals)) != list(totals):
        raise lines.fault(f"the scores are now {totals}, not {line['totals']}")


def end_line(lines: Lines, terminated: bool, values: Sequence[float]) -> None:
    """The end of the episode."""
    line = lines.take("end", ["terminated", "returns"])
    if line["terminated"] is not terminated:
        raise lines.fault(f"terminated must be {terminated}, not {line['terminated']!r}")
    given = line["returns"]
    if type(given) is not list or len(given) != len(values) or any(type(v) not in (int, float) for v in given):
        raise lines.fault(f"returns must be a list of {len(values)} numbers, not {given!r}")
    if any(abs(right - wrong) > 1e-6 for right, wrong in zip(values, given, strict=True)):
        raise lines.fault(f"the returns are {values}, not {given}")
