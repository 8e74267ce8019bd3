"""How strong the built-in agents are: each against the fixed pool of its game, in deals and in matches.

    python benchmarks/strength.py play                       all games; hours where there are networks
    python benchmarks/strength.py play --games pan piotrus   these anew, the others stay as they are stored
    python benchmarks/strength.py play --deals 50 --matches 4 --out small.json      to see it work
    python benchmarks/strength.py table                      the README's table from what is stored
    python benchmarks/strength.py radar docs/strength.svg    the normalised scores of deals as a picture

`play` measures focal scores (docs/evaluation.md) on test deals of seed 1, until the half-widths of GOALS are reached or
--most deals are played, and stores a row for each game, episode and agent, with the `karty evaluate` command that gives
it again. With --deals and --matches it plays so many instead. Agents that do not exist in a game are left out.
"""

from __future__ import annotations

import argparse
import json
import shlex
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import karty
from karty.agents.agent import agent_names
from karty.agents.opponents import pool_names
from karty.envs.game import Game
from karty.envs.games import find_game
from karty.training.estimates import Estimate
from karty.training.evaluate import DONE, Episode
from karty.training.figure import save
from karty.training.focal import FocalScore
from karty.training.normalised import average
from karty.training.radar import radar
from karty.training.versions import versions

AGENTS = ("random", "rule", "ppo", "selfplay")
MEASURED = ("ppo", "selfplay")
"""Those that are put on the scale from random play to rule, whose own places on it are 0 and 1."""
GOALS = {"tysiac": 1.0, "piquet": 0.3, "petukh": 0.05}
"""Half-widths in points a deal."""
SHARE = 0.01
"""Half-width of shares won or lost."""
SEED = 1
MOST = {"deal": 100_000, "match": 20_000}

TOP = Path(__file__).resolve().parents[1]
STORED = TOP / "benchmarks" / "results" / "strength.json"
README = TOP / "README.md"
BEGIN, END = "<!-- made by: python benchmarks/strength.py table -->\n", "<!-- end of the table -->\n"

Row = dict[str, Any]


def episodes(game: Game) -> tuple[Episode, ...]:
    """What is played: deals, and matches where they are more than one deal."""
    return ("deal",) if game.name == "piotrus" else ("deal", "match")


def goal(game: Game, episode: Episode) -> float:
    """The half-width to be reached, in points or as a share."""
    return GOALS[game.name] if episode == "deal" and game.measure == "points" else SHARE


def command(game: Game, agent: str, episode: Episode, options: dict[str, Any], in_points: bool) -> str:
    """The words that measure it again."""
    words = ["karty", "evaluate", game.name, "--agents", agent, "pool", "--seed", str(SEED)]
    words += ["--episode", episode] if episode != "deal" else []
    words += ["--normalise"] if options["normalise"] else []
    words += ["--deals", str(options["deals"])]
    if options["until"] is not None:
        words += ["--until", f"{options['until'] * (1 if in_points else 100):g}"]
    return shlex.join(words)


def row_of(found: FocalScore, told: str, seconds: float) -> Row:
    """What is stored of a focal score."""
    mean = found.mean

    def numbers(estimate: Estimate | None) -> dict[str, float] | None:
        return None if estimate is None else {"mean": estimate.mean, "low": estimate.low, "high": estimate.high}

    return {
        "game": mean.game,
        "episode": mean.episode,
        "agent": mean.agent,
        "pool": list(mean.opponents),
        "split": mean.split,
        "seed": mean.seed,
        "deals": mean.deals,
        "until": mean.until,
        "reached": mean.reached,
        "truncated": mean.truncated,
        "goal": mean.score.metric,
        "par": mean.par,
        **{each.metric: numbers(each) for each in mean.estimates},
        "normalised": numbers(mean.normalised),
        "members": [
            {"opponent": each.opponents[-1], **{line.metric: numbers(line) for line in each.estimates}}
            for each in found.members
        ],
        "command": told,
        "cpu_seconds": round(seconds, 1),
        "versions": versions(),
    }


def measure(game: Game, agent: str, episode: Episode, count: int | None, most: int) -> Row:
    """The row of an agent; count: how many deals or matches, None for as many as the goal takes, at most ``most``."""
    options: dict[str, Any] = {
        "deals": most if count is None else count,
        "until": goal(game, episode) if count is None else None,
        "normalise": agent in MEASURED,
    }
    start = time.process_time()
    found = karty.focal_score(game, agent, episode=episode, seed=SEED, **options)
    in_points = found.mean.score.metric == "points"
    return row_of(found, command(game, agent, episode, options, in_points), time.process_time() - start)


def play(told: argparse.Namespace) -> None:
    """Measure, and store after every row, so that nothing is lost."""
    rows = read(told.out)
    for game in map(find_game, told.games):
        for episode in episodes(game):
            count = told.deals if episode == "deal" else told.matches
            if count == 0:
                continue
            for agent in told.agents:
                if agent not in agent_names(game):
                    continue
                row = measure(game, agent, episode, count, told.most or MOST[episode])
                key = (game.name, episode, agent)
                rows = [each for each in rows if (each["game"], each["episode"], each["agent"]) != key] + [row]
                told.out.parent.mkdir(parents=True, exist_ok=True)
                told.out.write_text(json.dumps(in_order(rows), indent=1) + "\n", encoding="utf-8")
                print(f"{row['command']}: {cell(row)}, {row['deals']} played, {row['cpu_seconds']} CPU s", flush=True)


def read(path: Path) -> list[Row]:
    """The rows that are stored; none if there is no file."""
    rows: list[Row] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    return rows


def in_order(rows: Sequence[Row]) -> list[Row]:
    """By game, episode and agent, as the package names them."""
    games = list(karty.GAMES)
    return sorted(rows, key=lambda row: (games.index(row["game"]), row["episode"], AGENTS.index(row["agent"])))


def cell(row: Row) -> str:
    """A row's score in the table, with its normalised score where it has one."""
    score, share = row[row["goal"]], row["goal"] != "points"
    half = Estimate(row["goal"], **score).half
    mean = score["mean"]
    text = f"{100 * mean:.1f} ± {100 * half:.1f} %" if share else f"{_sign(mean)} ± {half:.2f}"
    if row["normalised"] is not None:
        text += f" ({row['normalised']['mean']:.2f})"
    return text if row["truncated"] < SHARE else f"{text}, {100 * row['truncated']:.0f} % cut off"


def table(rows: Sequence[Row]) -> str:
    """The README's table, with what it needs to be read; empty without rows."""
    if not rows:
        return ""
    agents = [agent for agent in AGENTS if any(row["agent"] == agent for row in rows)]
    lines = [
        f"| one seat against each of the pool, mean | {' | '.join(f'`{agent}`' for agent in agents)} |",
        f"|---|{'---|' * len(agents)}",
    ]
    kinds = dict.fromkeys((row["game"], row["episode"]) for row in in_order(rows))
    for name, episode in kinds:
        mine = {row["agent"]: row for row in rows if (row["game"], row["episode"]) == (name, episode)}
        game, first = find_game(name), next(iter(mine.values()))
        one, many = ("deal", "deals") if episode == "deal" else ("match", "matches")
        what = f"points a {one}" if first["goal"] == "points" else f"{many} {DONE[game.outcome]}"
        cells = [cell(mine[agent]) if agent in mine else "" for agent in agents]
        lines.append(f"| {game.title}, {what} | {' | '.join(cells)} |")
    for number, (agent, found) in enumerate(scores(rows).items()):
        if number == 0:
            lines.append("")
        mean = average(list(found.values()))
        lines.append(
            f"Normalised score of `{agent}`, mean of {len(found)} games in deals: {mean.mean:.2f} ± {mean.half:.2f}.  "
        )
    pools = "; ".join(f"{find_game(name).title}: {', '.join(pool)}" for name, pool in pools_of(rows).items())
    least, most = (choose(row["deals"] for row in rows) for choose in (min, max))
    counts = f"{least:,}" if least == most else f"{least:,} to {most:,}"
    lines += [
        "",
        f"(Focal scores on the test list of seed {SEED}, {counts} deals or matches in all "
        f"rotations, 95 %; in brackets on the scale from random play, 0, to `rule`, 1. Pools: {pools}. Each figure's "
        "command is in [strength.json](benchmarks/results/strength.json).)",
    ]
    return "\n".join(lines) + "\n"


def pools_of(rows: Sequence[Row]) -> dict[str, list[str]]:
    """The pool of each game as it was when it was measured; ValueError if rows of a game had different ones."""
    pools: dict[str, list[str]] = {}
    for row in in_order(rows):
        if pools.setdefault(row["game"], row["pool"]) != row["pool"]:
            raise ValueError(f"the stored rows of {row['game']} are against different pools: play them anew")
    return pools


def scores(rows: Sequence[Row]) -> dict[str, dict[str, Estimate]]:
    """The normalised scores of deals by agent and title of the game."""
    found: dict[str, dict[str, Estimate]] = {}
    for row in in_order(rows):
        if row["episode"] == "deal" and row["normalised"] is not None:
            its = Estimate("normalised", **row["normalised"])
            found.setdefault(row["agent"], {})[find_game(row["game"]).title] = its
    return found


def with_table(text: str, made: str) -> str:
    """The text with the table between its two marker comments; ValueError if these are not there, each once."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise ValueError(f"README.md needs the lines {BEGIN.strip()} and {END.strip()}, in this order")
    before, rest = text.split(BEGIN)
    return before + BEGIN + made + END + rest.split(END)[1]


def _sign(value: float) -> str:
    """Points with a sign, as printed."""
    return f"{value:+.2f}".replace("-", "−")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    modes = parser.add_subparsers(dest="mode", required=True)
    playing = modes.add_parser("play", help="measure and store")
    playing.add_argument("--games", nargs="+", default=list(karty.GAMES), metavar="GAME")
    playing.add_argument("--agents", nargs="+", default=list(AGENTS), choices=AGENTS, metavar="A")
    playing.add_argument("--deals", type=int, help="so many, whatever the half-width; 0: none")
    playing.add_argument("--matches", type=int, help="so many, whatever the half-width; 0: none")
    playing.add_argument("--most", type=int, help="deals or matches of a row at most")
    playing.add_argument("--out", type=Path, default=STORED, help="the file of results")
    for mode, what in (("table", "write the README's table"), ("radar", "draw the normalised scores")):
        reading = modes.add_parser(mode, help=what)
        reading.add_argument("--stored", type=Path, default=STORED, help="the file of results")
        if mode == "radar":
            reading.add_argument("picture", type=Path, help="the file to draw, .svg or .png")
    told = parser.parse_args()
    try:
        if told.mode == "play":
            import torch

            torch.set_num_threads(1)
            for name in told.games:
                pool_names(find_game(name))
            play(told)
        elif told.mode == "table":
            made = with_table(README.read_text(encoding="utf-8"), table(read(told.stored)))
            README.write_text(made, encoding="utf-8")
        else:
            save(radar(scores(read(told.stored))), told.picture)
    except ValueError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")


if __name__ == "__main__":
    main()
