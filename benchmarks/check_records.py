"""Plays Tysiąc under random options, writes the records and has the independent referee check every line of them.

    python benchmarks/check_records.py --episodes 10000 --seed 1

Options, kinds of episode and players are drawn anew for every ten episodes. Prints what was covered; the exit code is 1
if the referee finds a fault, and then the file with the faulty record is kept and named.
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
from karty.envs.record import record_episode

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from referee import tysiac

TOGETHER = 10  # episodes under the same options, in one file


@dataclass
class Tally:
    """What a run has checked, and the faults it found."""

    episodes: int = 0
    deals: int = 0
    moves: int = 0
    options: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def drawn_options(chance: random.Random) -> dict[str, Any]:
    """Options of the three-handed table, each value as likely as another."""
    chosen = {name: chance.choice(values) for name, values in tysiac.OPTIONS.items()}
    return chosen | {"table": "3p", "max_deals": 100}


def drawn_episode(chance: random.Random, names: tuple[str, ...]) -> tuple[str, int, list[str]]:
    """A kind of episode, a limit of deals and who plays.

    Most episodes are single deals, where random scores at the start reach the clauses around 800 and 1000. Matches are
    short, or long among players that can win one.
    """
    kind = chance.choices(["deal", "short", "long"], [6, 3, 1])[0]
    seats = [chance.choice(names) for _ in range(3)]
    if kind == "deal":
        return "deal", chance.choice([1, 100]), seats
    if kind == "short":
        return "match", chance.randint(1, 8), seats
    able = [name for name in names if name != "random"] or list(names)
    return "match", 100, [chance.choice(able) for _ in range(3)]


def check_episodes(episodes: int, seed: int, folder: Path) -> Tally:
    """Record so many episodes into `folder` and check them; files without a fault are removed again."""
    chance = random.Random(seed)
    game = karty.GAMES["tysiac"]
    tally = Tally()
    while tally.episodes < episodes:
        rules = drawn_options(chance)
        kind, rules["max_deals"], seats = drawn_episode(chance, players("tysiac"))
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
    tally.happened += report.actions + Counter({f"deal ended by {end}": n for end, n in report.ends.items()})
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="karty-records-"))
    start = time.perf_counter()
    tally = check_episodes(chosen.episodes, chosen.seed, folder)
    print(f"{tally.episodes} episodes under {tally.options} sets of options in {time.perf_counter() - start:.0f} s")
    print(f"{tally.deals} deals, {tally.moves} moves checked, {len(tally.faults)} faults")
    print(", ".join(f"{what} {number}" for what, number in sorted(tally.happened.items())))
    for problem in tally.faults:
        print(problem)
    if tally.faults:
        return 1
    folder.rmdir()
    return 0


if __name__ == "__main__":
    sys.exit(main())
