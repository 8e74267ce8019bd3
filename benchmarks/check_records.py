"""Sets the game and the independent referee of Tysiąc against each other, both ways, under random options.

    python benchmarks/check_records.py --episodes 10000 --seed 1

The game plays so many episodes, and the referee checks every line of their records. The referee plays as many, half of
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
from typing import Any

import karty
from karty.envs.engine import Table, players
from karty.envs.record import RecordError, record_episode, replay

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from referee import play, tysiac

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


def drawn_options(chance: random.Random) -> dict[str, Any]:
    """Options of the three-handed table, each value as likely as another."""
    chosen = {name: chance.choice(values) for name, values in tysiac.OPTIONS.items()}
    return chosen | {"table": "3p", "max_deals": 100}


def drawn_episode(chance: random.Random, names: tuple[str, ...], longest: int) -> tuple[str, int, list[str]]:
    """A kind of episode, a limit of deals and who plays.

    Most episodes are single deals, where random scores at the start reach the clauses around 800 and 1000. Matches are
    short, or long among players that can win one.
    """
    kind = chance.choices(["deal", "short", "long"], [20, 9, 1])[0]
    seats = [chance.choice(names) for _ in range(3)]
    if kind == "deal":
        return "deal", chance.choice([1, 100]), seats
    if kind == "short":
        return "match", chance.randint(1, 6), seats
    able = [name for name in names if name != "random"] or list(names)
    return "match", longest, [chance.choice(able) for _ in range(3)]


def check_episodes(episodes: int, seed: int, folder: Path, longest: int = 100) -> Tally:
    """Check so many episodes each way in files in `folder`; files without a fault are removed again.

    `longest` is how many deals the longest matches may take.
    """
    chance = random.Random(seed)
    game = karty.GAMES["tysiac"]
    tally = Tally()
    while tally.episodes < episodes:
        rules = drawn_options(chance)
        kind, rules["max_deals"], seats = drawn_episode(chance, players("tysiac"), longest)
        table = Table(game, rules, episode=kind)
        number = min(TOGETHER, episodes - tally.episodes)
        first = chance.randrange(2**62)
        path = folder / f"{tally.options}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for episode in range(number):
                file.writelines(line + "\n" for line in record_episode(table, seats, first + episode))
        tally.options += 1
        tally.episodes += number
        problem = wrong_file(path, rules, kind, seats, first) or referee_fault(path, tally)
        if problem is None:
            path.unlink()
        else:
            tally.faults.append(problem)
        for episode in range(number):
            lines = play.record(chance, rules, kind)
            for record in (lines, play.slipped(chance, lines)):
                problem = disagreement(record, tally)
                if problem is not None:
                    path = folder / f"{tally.options}-{episode}.jsonl"
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


def referee_fault(path: Path, tally: Tally) -> str | None:
    """The referee's fault in a file, or None; adds what it saw to the tally."""
    try:
        report = tysiac.check(path)
    except tysiac.RecordFault as fault:
        lines = path.read_text(encoding="utf-8").splitlines()
        shown = lines[fault.line - 1] if fault.line <= len(lines) else "(end of the file)"
        return f"{path}: {fault}\n    {shown}"
    tally.deals += report.deals
    tally.moves += report.moves
    tally.happened += happened(report)
    return None


def happened(report: tysiac.Report) -> Counter[str]:
    return report.actions + Counter({f"({end})": number for end, number in report.ends.items()})


def disagreement(lines: list[str], tally: Tally) -> str | None:
    """Where referee and replay differ about a record, or None; adds what the referee saw to the tally."""
    wrong = refused = None
    try:
        report = tysiac.check_lines(lines)
    except tysiac.RecordFault as fault:
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="karty-records-"))
    start = time.perf_counter()
    tally = check_episodes(chosen.episodes, chosen.seed, folder)
    print(f"{tally.episodes} episodes under {tally.options} sets of options in {time.perf_counter() - start:.0f} s")
    print(f"the game's records: {tally.deals} deals, {tally.moves} moves checked by the referee")
    print("   " + ", ".join(f"{what} {number}" for what, number in sorted(tally.happened.items())))
    print(
        f"the referee's records: {tally.replayed} right ones, {tally.replayed_moves} moves, {tally.slips} with a slip"
    )
    print("   " + ", ".join(f"{what} {number}" for what, number in sorted(tally.replayed_happened.items())))
    print(f"{len(tally.faults)} faults")
    for problem in tally.faults:
        print(problem)
    if tally.faults:
        return 1
    folder.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
