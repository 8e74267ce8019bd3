"""Sets each game and its independent referee against each other, both ways, under random options.

    python benchmarks/check_records.py --episodes 10000 --seed 1
    python benchmarks/check_records.py --game pan

The game plays so many episodes, and the referee checks every line of their records. The referee plays as many, many of
them from stacked deals, and `karty replay` must find them right, and, with one thing in them altered, find the same
first faulty line as the referee. Options, kinds of episode and players are drawn anew for every ten episodes. Prints
what was covered; the exit code is 1 if the two disagree anywhere, and then the records in question are kept and named.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import karty
from karty.envs.engine import Table, players
from karty.envs.game import make_rules
from karty.envs.record import RecordError, record_episode, replay

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from referee import (
    pan,
    pan_play,
    petukh,
    petukh_play,
    piotrus,
    piotrus_play,
    piquet,
    piquet_play,
    tysiac,
    tysiac_play,
)
from referee.episodes import Report
from referee.lines import RecordFault

REFEREES = {
    "tysiac": (tysiac, tysiac_play),
    "pan": (pan, pan_play),
    "piotrus": (piotrus, piotrus_play),
    "piquet": (piquet, piquet_play),
    "petukh": (petukh, petukh_play),
}
"""By game: who checks records, and who plays and spoils them."""
TOGETHER = 10  # episodes under the same options, in one file


@dataclass
class Tally:
    """What a run has checked, and the faults it found."""

    options: int = 0
    episodes: int = 0  # the game's own, checked by the referee
    deals: int = 0
    moves: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    replayed: int = 0  # the referee's, replayed by the game
    replayed_moves: int = 0
    replayed_happened: Counter[str] = field(default_factory=Counter)
    slips: int = 0  # of those, altered ones that the referee refuses
    faults: list[str] = field(default_factory=list)


def drawn_seats(chance: random.Random, names: tuple[str, ...], count: int) -> list[str]:
    """Who plays: anybody, or only players that mean to win, so that long matches have an end."""
    able = [name for name in names if name != "random"] or list(names)
    return [chance.choice(chance.choice((names, able))) for _ in range(count)]


def check_episodes(name: str, episodes: int, seed: int, folder: Path, longest: int = 100, layouts: int = 100) -> Tally:
    """Check so many episodes of a game each way in files in `folder`; files without a fault are removed again.

    `longest` is how many deals a match may take, `layouts` how many kinds of observations are compiled at the most.
    """
    chance, game, tally = random.Random(seed), karty.GAMES[name], Tally()
    referee, play = REFEREES[name]
    known: set[str] = set()
    while tally.episodes < episodes:
        rules, kind = play.drawn(chance)
        if "max_deals" in rules:
            rules["max_deals"] = min(rules["max_deals"], longest)
        layout = game.shape(make_rules(game, rules)).observation.digest
        if layout not in known and len(known) == layouts:
            continue
        known.add(layout)
        table = Table(game, rules, episode=kind)
        seats = drawn_seats(chance, players(name), table.seats)
        number = min(TOGETHER, episodes - tally.episodes)
        first = chance.randrange(2**62)
        path = folder / f"{name}-{tally.options}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for episode in range(number):
                file.writelines(line + "\n" for line in record_episode(table, seats, first + episode))
        tally.options += 1
        tally.episodes += number
        problem = wrong_file(path, rules, kind, seats, first) or referee_fault(referee, path, tally)
        if problem is None:
            path.unlink()
        else:
            tally.faults.append(problem)
        for episode in range(number):
            lines = play.record(chance, rules, kind)
            for what, record in (("right", lines), ("slipped", play.slipped(chance, lines))):
                problem = disagreement(referee, record, tally)
                if problem is not None:
                    path = folder / f"{name}-{tally.options}-{episode}-{what}.jsonl"
                    path.write_text("".join(line + "\n" for line in record), encoding="utf-8")
                    tally.faults.append(f"{path}: {problem}")
    return tally


def wrong_file(path: Path, rules: dict[str, Any], kind: str, seats: list[str], first: int) -> str | None:
    """Whether the match lines tell what was asked for: a referee cannot know."""
    seed = first
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = json.loads(text)
        if line["type"] != "match":
            continue
        asked = {"rules": rules, "episode": kind, "players": seats, "seed": seed}
        told = {key: line[key] for key in asked}
        if told != asked:
            return f"{path}: line {number}: asked for {asked}, recorded {told}"
        seed += 1
    return None


def referee_fault(referee: ModuleType, path: Path, tally: Tally) -> str | None:
    """The referee's fault in a file, or None; adds what it saw to the tally."""
    try:
        report = referee.check(path)
    except RecordFault as fault:
        lines = path.read_text(encoding="utf-8").splitlines()
        shown = lines[fault.line - 1] if fault.line <= len(lines) else "(end of the file)"
        return f"{path}: {fault}\n    {shown}"
    tally.deals += report.deals
    tally.moves += report.moves
    tally.happened += happened(report)
    return None


def happened(report: Report) -> Counter[str]:
    """Actions and ends in one."""
    return report.actions + Counter({f"({end})": number for end, number in report.ends.items()})


def disagreement(referee: ModuleType, lines: list[str], tally: Tally) -> str | None:
    """Where referee and replay differ about a record, or None; adds what the referee saw to the tally."""
    wrong = refused = None
    try:
        report = referee.check_lines(lines)
    except RecordFault as fault:
        wrong = fault
        tally.slips += 1
    else:
        tally.replayed += 1
        tally.replayed_moves += report.moves
        tally.replayed_happened += happened(report)
    try:
        replay(lines)
    except RecordError as error:
        refused = error
    if (wrong and wrong.line) == (refused and refused.line):
        return None
    return f"the referee says: {wrong or 'right'}; replay says: {refused or 'right'}"


def tell(name: str, tally: Tally, seconds: float) -> None:
    """Print what was covered, and the faults."""
    print(f"{name}: {tally.episodes} episodes under {tally.options} sets of options in {seconds:.0f} s")
    print(f"the game's records: {tally.deals} deals, {tally.moves} moves checked by the referee")
    print("   " + ", ".join(f"{what} {number}" for what, number in sorted(tally.happened.items())))
    print(
        f"the referee's records: {tally.replayed} right ones, {tally.replayed_moves} moves, {tally.slips} with a slip"
    )
    print("   " + ", ".join(f"{what} {number}" for what, number in sorted(tally.replayed_happened.items())))
    print(f"{len(tally.faults)} faults")
    for problem in tally.faults:
        print(problem)


def main() -> int:
    """Check every game, or the one asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(karty.GAMES), action="append", help="this one only; may be repeated")
    parser.add_argument("--episodes", type=int, default=10_000, help="episodes of each game, each way")
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="karty-records-"))
    faults = 0
    for name in chosen.game or karty.GAMES:
        start = time.perf_counter()
        tally = check_episodes(name, chosen.episodes, chosen.seed, folder)
        tell(name, tally, time.perf_counter() - start)
        faults += len(tally.faults)
    if faults:
        return 1
    folder.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
