"""Game records: the full, open story of an episode as JSON Lines, written, read and replayed.

A record begins with a `match` line, then come `deal`, `move`, `shuffle` and `score` lines as the episode
went, and an `end` line closes it; one file may hold many. `replay` plays the deals and actions of a record
through the engine and derives everything else anew, so that a record which breaks its format or the rules of
its game is refused with the number of the first faulty line.
"""

import errno
import json
import os
import secrets
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np
import numpy.typing as npt

from . import compiled
from .chance import agent_generator
from .game import ASKED, DEAL, END, MAX_SEED, NOBODY, SCORE, SHUFFLE, TERMINATED, Game, make_rules
from .games import PLAYED
from .table import EPISODES, Table

FORMAT = 1
LINE_OF = {ASKED: "move", DEAL: "deal", SCORE: "score", END: "end", SHUFFLE: "shuffle"}
"""The kind of line that tells what `advance` returned."""
RETURN_TOLERANCE = 1e-6

MOVES_AT_ONCE = 256

Line = dict[str, Any]
Masks = npt.NDArray[np.int8]
Source = str | os.PathLike[str] | Iterable[str | bytes]


class RecordError(ValueError):
    """A record that breaks its format or the rules of its game; `line` counts from 1 in its file."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(f"line {line}: {what}")
        self.line = line


# ---------------------------------------------------------------------------------------------- writing


def record_episode(table: Table, players: Sequence[Any], seed: int) -> list[str]:
    """Play the episode of `seed` at `table` and return its record, one JSON text a line, without line ends.

    players: one per seat, the name of a built-in player or an agent with `name` and `act`. An agent gets batches of one
    row and a generator of its own, made from the episode's seed and its seat.
    """
    names, built_in = seated(table, players)
    generators = [agent_generator(seed, seat) for seat in range(table.seats)]
    quoted = [json.dumps(name) for name in table.shape.actions]
    table.reset(seed)
    lines = [
        compact(
            {
                "type": "match",
                "format": FORMAT,
                "game": table.game.name,
                "version": table.game.version,
                "seed": seed,
                "episode": table.episode,
                "start": table.start,
                "rules": table.rules.to_dict(),
                "players": names,
            }
        )
    ]
    while True:
        event = table.advance()
        if event != ASKED:
            lines.append(compact(happened(table, event)))
            if event == END:
                return lines
        elif built_in[table.seat] is None:
            seat, mask = table.seat, table.mask()
            action = int(players[seat].act(table.observe(seat)[None], mask[None].copy(), generators[seat])[0])
            table.play(action)
            lines += moves([seat], [action], mask[None], [bool(table.state.revoked)], quoted)
        else:
            lines += moves(*table.trace(built_in), quoted)


def seated(table: Table, players: Sequence[Any]) -> tuple[list[str], list[str | None]]:
    """The name of the player in each seat, and that of the built-in player that it is, or None."""
    if len(players) != table.seats:
        raise ValueError(f"players: {len(players)} given, {table.game.name} has {table.seats} seats here")
    known = compiled.players(table.game.name)
    for player in players:
        if isinstance(player, str) and player not in known:
            raise ValueError(f"{table.game.name}: there is no built-in player {player!r}; players: {', '.join(known)}")
    names = [player if isinstance(player, str) else str(player.name) for player in players]
    built_in = [player if isinstance(player, str) else getattr(player, "kernel_name", None) for player in players]
    return names, built_in


def moves(
    seats: Sequence[int], actions: Sequence[int], masks: Masks, revoked: Sequence[bool], quoted: Sequence[str]
) -> Iterator[str]:
    """The lines of m decisions: who was asked, what it chose, from which masks int8 [m, A], and was it taken back.

    quoted: the names [A].
    """
    for seat, action, legal, back in zip(seats, actions, offered(masks, quoted), revoked, strict=True):
        revoke = ',"revoke":true' if back else ""
        yield f'{{"type":"move","seat":{seat},"legal":[{",".join(legal)}],"action":{quoted[action]}{revoke}}}'


def offered(masks: Masks, names: Sequence[str]) -> list[list[str]]:
    """For each of the masks int8 [m, A] the names of the actions that it offers."""
    legal: list[list[str]] = [[] for _ in masks]
    for row, action in zip(*(found.tolist() for found in np.nonzero(masks)), strict=True):
        legal[row].append(names[action])
    return legal


def happened(table: Table, event: int) -> Line:
    """The record line of an event that has just happened at `table`."""
    if event == DEAL:
        return {"type": "deal", "number": table.number, "dealer": table.dealer, **table.dealt()}
    if event == SCORE:
        points, totals = table.scored()
        return {"type": "score", "deal": table.number - 1, "points": points, "totals": totals}
    if event == SHUFFLE:
        seat, fan = table.shuffled()
        return {"type": "shuffle", "seat": seat, "fan": fan}
    # adding 0 makes 0 out of -0, which the format does not have
    returns = [float(value) + 0.0 for value in table.returns()[0]]
    return {"type": "end", "terminated": table.over == TERMINATED, "returns": returns}


def compact(line: Line) -> str:
    """A line as JSON without spaces, its keys in their order."""
    return json.dumps(line, separators=(",", ":"))


def write_records(
    path: str | os.PathLike[str],
    game: Game,
    *,
    players: Sequence[Any],
    episodes: int = 1,
    seed: int = 0,
    rules: Any = None,
    episode: str = "match",
    progress: Callable[[int], object] | None = None,
    **options: Any,
) -> int:
    """Play `episodes` episodes with the seeds `seed`, `seed` + 1, … and write their records to `path`.

    players: as in `record_episode` (an option of the game that is called so goes into `rules`). progress: called after
    each episode with the number of those done.
    Returns the number of lines written. The file appears whole or, after an error, not at all.
    """
    if episodes < 1:
        raise ValueError(f"episodes: {episodes} is too few, at least 1 is needed")
    if not 0 <= seed <= MAX_SEED - episodes + 1:
        raise ValueError(f"seed: {seed} with {episodes} episodes leaves the range 0 … 2^63 - 1")
    table = Table(game, rules, episode=episode, **options)
    written = 0
    with replacing(path) as file:
        for number in range(episodes):
            lines = record_episode(table, players, seed + number)
            file.write("\n".join(lines) + "\n")
            written += len(lines)
            if progress is not None:
                progress(number + 1)
    return written


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[TextIO]:
    """A text file that takes the place of `path` when the block ends, and is thrown away when it fails."""
    if os.path.exists(path) and not os.path.isfile(path):
        # A pipe or a terminal. Asked before links are followed: /dev/stdout leads to a pipe by a name that is no path.
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    target = Path(path).resolve()  # through a link: the file it points to is replaced, not the link
    if not target.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(target.parent))
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        with open(temporary, "x", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())  # a rename must not reach the disk before the text does
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


# ---------------------------------------------------------------------------------------------- reading

KEYS: dict[str, dict[str, str]] = {
    "match": {
        "format": "whole number",
        "game": "text",
        "version": "whole number",
        "seed": "whole number",
        "episode": "text",
        "start": "list of whole numbers",
        "rules": "object of plain values",
        "players": "list of names",
    },
    "deal": {"number": "whole number", "dealer": "seat or null", "hands": "list of card lists"},
    "move": {"seat": "whole number", "legal": "list of texts", "action": "text"},
    "shuffle": {"seat": "whole number", "fan": "list of texts"},
    "score": {"deal": "whole number", "points": "list of whole numbers", "totals": "list of whole numbers"},
    "end": {"terminated": "true or false", "returns": "list of numbers"},
}

KINDS: dict[str, Callable[[Any], bool]] = {
    # bool is a subclass of int, so types are compared exactly
    "whole number": lambda value: type(value) is int,
    "text": lambda value: type(value) is str,
    "object of plain values": lambda value: (
        type(value) is dict and all(type(v) in (str, int, float, bool, type(None)) for v in value.values())
    ),
    "true or false": lambda value: type(value) is bool,
    "seat or null": lambda value: value is None or type(value) is int,
    "list of whole numbers": lambda value: type(value) is list and all(type(v) is int for v in value),
    "list of numbers": lambda value: type(value) is list and all(type(v) in (int, float) for v in value),
    "list of names": lambda value: type(value) is list and all(type(v) is str and v for v in value),
    "list of texts": lambda value: type(value) is list and all(type(v) is str for v in value),
    "list of card lists": lambda value: type(value) is list and all(KINDS["list of texts"](v) for v in value),
    "card, list of cards or list of card lists": lambda value: (
        type(value) is str or KINDS["list of texts"](value) or KINDS["list of card lists"](value)
    ),
}


def read_records(source: Source) -> Iterator[list[Line]]:
    """Each record of a file (or of an iterable of lines) as its list of lines, checked for format, not for rules."""
    episode: list[Line] = []
    number = 0
    for number, line in read_lines(source):
        if (line["type"] == "match") != (not episode):
            raise RecordError(number, misplaced(line["type"], "match" if not episode else "any other"))
        episode.append(line)
        if line["type"] == "end":
            yield episode
            episode = []
    if episode or number == 0:
        raise RecordError(number + 1, cut_short(number))


def read_lines(source: Source) -> Iterator[tuple[int, Line]]:
    """The lines of a record file with their numbers, each a JSON object with the keys and types of its kind."""
    if isinstance(source, str | os.PathLike):
        with open(source, "rb") as file:  # bytes: only a line feed ends a line, and a bad byte has a line number
            yield from read_lines(file)
        return
    for number, text in enumerate(source, start=1):
        yield number, parse(number, text)


def parse(number: int, text: str | bytes) -> Line:
    """One line of a record file, checked for its keys and their types."""
    try:
        line = DECODER.decode(text if isinstance(text, str) else text.decode())
    except RecursionError:
        raise RecordError(number, "not JSON: nested too deeply") from None
    except UnicodeDecodeError:
        raise RecordError(number, "not UTF-8 text") from None
    except ValueError as error:
        raise RecordError(number, "empty line" if not text.strip() else f"not JSON: {ascii_only(error)}") from None
    if type(line) is not dict or type(line.get("type")) is not str:
        raise RecordError(number, 'a line is a JSON object with a "type"')
    kind = line["type"]
    if kind not in KEYS:
        raise RecordError(number, f"type: {brief(kind)} is unknown, it must be one of {', '.join(KEYS)}")
    keys = KEYS[kind]
    for key, wanted in keys.items():
        if key not in line:
            raise RecordError(number, f"{key} is missing in the {kind} line")
        if not KINDS[wanted](line[key]):
            raise RecordError(number, f"{key}: {brief(line[key])} is no {wanted}")
    if len(line) > len(keys) + 1:
        for key in line.keys() - keys.keys() - {"type"}:
            # a deal names the other piles of its game; which ones belong there the engine tells
            if (kind, key) == ("move", "revoke"):
                if line[key] is not True:
                    raise RecordError(number, f"revoke: {brief(line[key])} given, it is true or not there")
                continue
            if kind != "deal":
                raise RecordError(number, f"{brief(key)} does not belong in {article(kind)} {kind} line")
            if not KINDS["card, list of cards or list of card lists"](line[key]):
                raise RecordError(number, f"{ascii_only(key)}: {brief(line[key])} is no pile of cards")
    return line


def without_doubles(pairs: list[tuple[str, Any]]) -> Line:
    """A JSON object; a key that stands in it twice is an error, for json would silently keep the last."""
    line = dict(pairs)
    if len(line) != len(pairs):
        doubled = next(key for i, (key, _) in enumerate(pairs) if key in dict(pairs[:i]))
        raise ValueError(f"key {brief(doubled)} stands twice")
    return line


def no_number(name: str) -> float:
    """Refuses NaN and the infinities, which json would take though JSON has none."""
    raise ValueError(f"{name} is no JSON number")


DECODER = json.JSONDecoder(object_pairs_hook=without_doubles, parse_constant=no_number)


def brief(value: Any) -> str:
    """A value for a message: JSON in ASCII (a file may hold characters that no terminal prints), cut if long."""
    try:
        text = json.dumps(value)
    except RecursionError:
        return "a deeply nested value"
    return text if len(text) <= 200 else f"{text[:200]} …"


def ascii_only(value: Any) -> str:
    """A text for a message, with escapes for what is not ASCII."""
    return str(value).encode("ascii", "backslashreplace").decode()


def misplaced(found: str, due: str) -> str:
    """The message for a line that is not of the kind that is due."""
    return f"found {article(found)} {found} line where {article(due)} {due} line is due"


def article(kind: str) -> str:
    """The word before a kind of line."""
    return "an" if kind == "end" else "a"


def cut_short(lines: int) -> str:
    """The message for a file that ends inside a record."""
    return "the file ends before the record does (no end line)" if lines else "the file holds no record"


# --------------------------------------------------------------------------------------------- replaying


@dataclass
class Summary:
    """What a replayed file holds: counts of its correct records and their parts."""

    episodes: int = 0
    deals: int = 0
    moves: int = 0
    lines: int = 0
    games: tuple[str, ...] = ()

    def __str__(self) -> str:
        counts = (f"{self.episodes} episode", f"{self.deals} deal", f"{self.moves} move")
        listed = ", ".join(count if count.startswith("1 ") else count + "s" for count in counts)
        return f"{', '.join(self.games)}: {listed}, all correct"


def replay(source: Source, *, show: Callable[[str], object] | None = None, encoding: str | None = "utf-8") -> Summary:
    """Play the records of a file (or of an iterable of lines) again and check every line of them.

    Deals, actions and shuffles are taken from the record; seats, legal actions, redeals, scores, totals,
    returns and the end are derived by the engine and compared. The first difference raises RecordError.
    show: called with a text for each line: what happened, and a picture of the open table after it; encoding: that of
    the stream it goes to, so that one without suit signs gets letters.
    """
    summary = Summary()
    lines = read_lines(source)
    before: list[Table] = []  # the table as it was when the line's move was chosen

    def shows(table: Table, line: Line) -> None:
        if show is not None:
            show(shown(table, line, encoding, before[-1] if before else table))
            before[:] = [table.clone()]

    for number, line in lines:
        if line["type"] != "match":
            raise RecordError(number, misplaced(line["type"], "match"))
        summary.lines = number
        table = opened(number, line)
        shows(table, line)
        replay_episode(table, lines, summary, MOVES_AT_ONCE if show is None else 1, shows)
        summary.episodes += 1
        summary.games = tuple(sorted({*summary.games, table.game.name}))
    if summary.lines == 0:
        raise RecordError(1, cut_short(0))
    return summary


def opened(number: int, line: Line) -> Table:
    """A table that stands before the first deal of the record that begins with this match line."""
    if line["format"] != FORMAT:
        raise RecordError(number, f"format: {brief(line['format'])} is not known, only {FORMAT}")
    if line["game"] not in PLAYED:
        raise RecordError(number, f"game: {brief(line['game'])} is unknown, it must be one of {', '.join(PLAYED)}")
    game = PLAYED[line["game"]]
    if line["version"] != game.version:
        raise RecordError(
            number, f"version: {brief(line['version'])} of {game.name} cannot be read, only {game.version}"
        )
    if not 0 <= line["seed"] <= MAX_SEED:
        raise RecordError(number, f"seed: {brief(line['seed'])} is outside 0 … 2^63 - 1")
    if line["episode"] not in EPISODES:
        raise RecordError(number, f"episode: {brief(line['episode'])} must be one of {', '.join(EPISODES)}")
    try:
        rules = make_rules(game, rules=line["rules"])
        table = Table(game, rules, episode=line["episode"])
    except (ValueError, TypeError) as error:
        raise RecordError(number, f"rules: {ascii_only(error)}") from None
    full = rules.to_dict()
    if missing := full.keys() - line["rules"].keys():
        raise RecordError(number, f"rules: {min(missing)} is missing, a record holds every option")
    for option, value in line["rules"].items():
        if option not in full or type(full[option]) is not type(value) or full[option] != value:
            raise RecordError(number, f"rules: {ascii_only(option)} cannot be {brief(value)}")
    for key in ("start", "players"):
        if len(line[key]) != rules.seats:
            raise RecordError(number, f"{key}: {len(line[key])} given, the table has {rules.seats} seats")
    for score in line["start"]:
        allowed = table.starts or (0,)  # drawn by lot, or the same for all
        if score not in allowed:
            known = ", ".join(str(value) for value in (allowed if len(allowed) < 5 else (allowed[0], "…", allowed[-1])))
            raise RecordError(number, f"start: {brief(score)} cannot be under these rules; allowed: {known}")
    try:
        table.reset(line["seed"], start=line["start"])
    except ValueError as error:  # partners with different scores
        raise RecordError(number, ascii_only(error)) from None
    return table


def replay_episode(
    table: Table,
    lines: Iterator[tuple[int, Line]],
    summary: Summary,
    at_once: int,
    shows: Callable[[Table, Line], None],
) -> None:
    """Check the lines after a match line up to the end line of the record."""
    ids = {name: action for action, name in enumerate(table.shape.actions)}
    for group in grouped(lines, at_once):
        number, line = group[-1]
        if line["type"] == "move":
            replay_moves(table, group, ids)
            summary.moves += len(group)
            event = ASKED
        else:
            event = advanced(table, number, line)
            if LINE_OF[event] != line["type"]:
                raise RecordError(number, misplaced(line["type"], LINE_OF[event]))
            check_event(number, line, happened(table, event))
            summary.deals += event == DEAL
        summary.lines = number
        shows(table, line)
        if event == END:
            return
    raise RecordError(summary.lines + 1, cut_short(summary.lines))


def grouped(lines: Iterator[tuple[int, Line]], most: int) -> Iterator[list[tuple[int, Line]]]:
    """Up to `most` move lines that follow one another, else single lines; ends after an end line."""
    group: list[tuple[int, Line]] = []
    while True:
        try:
            number, line = next(lines)
        except StopIteration:
            if group:
                yield group
            return
        except RecordError:
            if group:
                yield group  # an earlier line may be wrong too, and the first is to be named
            raise
        if line["type"] == "move" and len(group) < most:
            group.append((number, line))
            continue
        if group:
            yield group
        group = [(number, line)]
        if line["type"] != "move":
            yield group
            group = []


def advanced(table: Table, number: int, line: Line) -> int:
    """The next event at the table; a deal or shuffle happens as the line gives it."""
    if line["type"] not in ("deal", "shuffle"):
        return table.advance()
    given = {key: value for key, value in line.items() if key not in ("type", "number")}
    try:
        return table.advance(given)
    except (ValueError, TypeError, OverflowError) as error:
        due = LINE_OF[table.clone().advance()]
        raise RecordError(number, misplaced(line["type"], due) if due != line["type"] else ascii_only(error)) from None


def replay_moves(table: Table, group: Sequence[tuple[int, Line]], ids: Mapping[str, int]) -> None:
    """Play the actions of these move lines, and check the seat asked and the legal actions of each."""
    played, seats, masks, revoked = table.follow([ids.get(line["action"], -1) for _, line in group])
    legal = offered(masks, table.shape.actions)
    for k, (number, line) in enumerate(group):
        if seats[k] == NOBODY:
            raise RecordError(number, misplaced("move", LINE_OF[table.advance()]))
        if line["seat"] != seats[k]:
            raise RecordError(number, f"seat: {brief(line['seat'])} moves here, the rules ask seat {seats[k]}")
        if line["legal"] != legal[k]:
            raise RecordError(number, f"legal: {brief(line['legal'])} given, the rules allow {brief(legal[k])}")
        if k == played:
            unknown = "" if line["action"] in ids else f" ({table.game.name} has no such action)"
            raise RecordError(number, f"action: {brief(line['action'])} is not legal here{unknown}")
        if ("revoke" in line) != revoked[k]:
            raise RecordError(number, f"revoke: the rules {'take' if revoked[k] else 'do not take'} this action back")


def check_event(number: int, line: Line, derived: Line) -> None:
    """A deal, shuffle, score or end line against what the engine derived."""
    for key, value in derived.items():
        equal = close(line[key], value) if key == "returns" else line.get(key) == value
        if not equal:
            raise RecordError(number, f"{key}: {brief(line.get(key))} given, the rules make it {brief(value)}")
    if extra := line.keys() - derived.keys():
        raise RecordError(number, f"{brief(min(extra))} does not belong in this {line['type']} line")


def close(given: Sequence[float], derived: Sequence[float]) -> bool:
    """Are the returns equal but for rounding? Compared, not subtracted: a file may hold numbers that no float can."""
    bounds = [(value - RETURN_TOLERANCE, value + RETURN_TOLERANCE) for value in derived]
    return len(given) == len(derived) and all(low <= g <= high for g, (low, high) in zip(given, bounds, strict=True))


def shown(table: Table, line: Line, encoding: str | None, before: Table) -> str:
    """What a record line says, in words, and below it the open table as text; before: the table without the line."""
    from .picture import drawable, signed, text  # only showing needs pictures

    words = drawable(signed(told(line, before)), encoding)
    return f"{words}\n{text(table.game, table, encoding=encoding)}\n"


def told(line: Line, before: Table) -> str:
    """A record line in words."""
    kind = line["type"]
    if kind == "match":
        return f"{line['game']} {line['episode']} with seed {line['seed']}: {by_seat(line['players'])}"
    if kind == "deal":
        return f"deal {line['number'] + 1}" + ("" if line["dealer"] is None else f", seat {line['dealer']} deals")
    if kind == "move":
        back = ", which is a revoke and taken back" if "revoke" in line else ""
        others = len(line["legal"]) - 1
        choice = "the only choice" if others == 0 else f"one of {others + 1} choices"
        return f"seat {line['seat']}: {called(line['action'], before)}{back}   ({choice})"
    if kind == "shuffle":
        return f"seat {line['seat']} shuffles its fan"
    if kind == "score":
        changes = [f"{point:+d} = {total}" for point, total in zip(line["points"], line["totals"], strict=True)]
        return f"deal {line['deal'] + 1} scored: {by_seat(changes)}"
    returns = by_seat([f"{value:+.3g}" for value in line["returns"]])
    return f"{'ended' if line['terminated'] else 'cut off'}, returns: {returns}"


def by_seat(words: Sequence[str]) -> str:
    """Words for each seat, after its number."""
    return ", ".join(f"seat {seat} {its}" for seat, its in enumerate(words))


def called(action: str, table: Table) -> str:
    """What people call an action of the seat that is asked at this table."""
    from .picture import readable

    seen = readable(table.shape.observation, table.observe(0))
    return table.game.called(seen, action).format(*(f"seat {seat}" for seat in range(table.seats)))
