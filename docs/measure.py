"""Measures what the pages of the games tell: returns, lengths, numbers of legal actions, speed.

    python docs/measure.py                     all games, a minute or two each on one core
    python docs/measure.py --games pan tysiac  these anew, the others stay as they are stored

Nothing in docs/measured.json is typed by hand. Beside the facts it holds what they were measured with, and the totals
of the first deals, which a test plays again: so it shows when the rules or a player have changed since.
"""

from __future__ import annotations

import argparse
import json
import platform
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import karty
from karty.envs.engine import players
from karty.envs.game import RUNNING, TRUNCATED, Game
from karty.envs.games import PLAYED, find_game
from karty.envs.table import Table
from karty.training.bench import bench
from karty.training.estimates import estimate
from karty.training.splits import evaluation_seeds
from karty.training.versions import versions

STORED = Path(__file__).with_name("measured.json")
PLAYERS = ("random", "rule")
DEALS, MATCHES, SECONDS = 4000, 200, 3.0
SEED = 2
"""Of the list of test deals; evaluations and cards quote those of 0 and 1."""
AGAIN = 50
"""So many deals from the beginning of the list are played again by the test."""

Facts = dict[str, Any]


@dataclass
class Episodes:
    """Episodes with the same player in all seats, m of them.

    `points`, `reward` float64 [m, P]: of the seats clockwise from the dealer, in a game without one from the seat asked
    first. `decisions`, `legal` int64 [m]: how many decisions, and their legal actions added up. `deals` int64 [m] were
    played, `cut` bool [m] tells whether a cap ended it. `most` is the largest number of legal actions of a decision,
    `forced` how many decisions had one.
    """

    points: NDArray[np.float64]
    reward: NDArray[np.float64]
    decisions: NDArray[np.int64]
    legal: NDArray[np.int64]
    deals: NDArray[np.int64]
    cut: NDArray[np.bool_]
    most: int = 0
    forced: int = 0


def play(game: Game, player: str, episode: str, seeds: Sequence[int] | NDArray[np.int64]) -> Episodes:
    """The episode of each seed under the default rules."""
    m, seats = len(seeds), game.rules().seats
    found = Episodes(
        np.zeros((m, seats)), np.zeros((m, seats)), *(np.zeros(m, np.int64) for _ in range(3)), np.zeros(m, np.bool_)
    )
    first, asked = np.zeros(m, np.int64), np.zeros(m, np.bool_)
    table = Table(game, episode=episode)
    for i, seed in enumerate(seeds):
        table.reset(int(seed))
        dealer = table.dealer
        table.settle()
        first[i] = max(table.seat, 0) if dealer is None else dealer
        asked[i] = table.over == RUNNING
        if not asked[i]:  # a batch would pass it over
            _ends(found, i, *table.returns(), table)
    if asked.any():
        _play_asked(game, player, episode, np.asarray(seeds), np.flatnonzero(asked), found)
    for i in range(m):
        found.points[i], found.reward[i] = np.roll(found.points[i], -first[i]), np.roll(found.reward[i], -first[i])
    return found


def _play_asked(
    game: Game, player: str, episode: str, seeds: NDArray[np.int64], which: NDArray[np.int64], found: Episodes
) -> None:
    """Play those episodes in which somebody is asked."""
    batch = karty.make_batch(game, len(which), episode=episode, autoreset="off")
    arrays = batch.reset(seeds[which])
    while not (over := batch.finished).all():
        counts = np.where(over, 0, arrays["mask"].sum(axis=1, dtype=np.int64))
        found.decisions[which] += ~over
        found.legal[which] += counts
        found.most = max(found.most, int(counts.max()))
        found.forced += int((counts == 1).sum())
        arrays = batch.step(batch.choose(player))
    for k, i in enumerate(which):
        _ends(found, i, arrays["reward"][k], arrays["points"][k], batch.table(k))


def _ends(found: Episodes, i: int, reward: Any, points: Any, table: Table) -> None:
    found.reward[i], found.points[i] = reward, points
    found.deals[i], found.cut[i] = table.number, table.over == TRUNCATED


def totals(found: Episodes, first: int) -> Facts:
    """What whoever plays the first of these deals again, by the same rules, must find."""
    return {
        "deals": len(found.decisions[:first]),
        "decisions": int(found.decisions[:first].sum()),
        "legal actions": int(found.legal[:first].sum()),
        "points": found.points[:first].sum(axis=0).tolist(),
    }


def _interval(values: NDArray[Any], digits: int = 4) -> Facts:
    """Mean and 95 % interval of one value an episode."""
    found = estimate("points", values.astype(np.float64))
    return {key: round(getattr(found, key), digits) for key in ("mean", "low", "high")}


def _length(counts: NDArray[np.int64]) -> Facts:
    return {**_interval(counts), "most": int(counts.max())}


def facts_of_player(game: Game, player: str, deals: int, matches: int) -> Facts:
    """What deals and matches are like when this player holds all seats."""
    of_deals = play(game, player, "deal", evaluation_seeds(deals, SEED))
    of_matches = play(game, player, "match", evaluation_seeds(matches, SEED))
    decisions = int(of_deals.decisions.sum())
    return {
        "points by seat": [_interval(seat) for seat in of_deals.points.T],
        "reward by seat": [_interval(seat) for seat in of_deals.reward.T],
        "decisions a deal": _length(of_deals.decisions),
        "decisions a match": _length(of_matches.decisions),
        "deals a match": _length(of_matches.deals),
        "deals cut off": float(of_deals.cut.mean()),
        "matches cut off": float(of_matches.cut.mean()),
        "legal actions": {"mean": round(int(of_deals.legal.sum()) / decisions, 3), "most": of_deals.most},
        "forced decisions": round(of_deals.forced / decisions, 4),
        "first deals": totals(of_deals, AGAIN),
    }


def facts(game: Game, deals: int = DEALS, matches: int = MATCHES, seconds: float = SECONDS) -> Facts:
    """All that the page of a game tells as measured."""
    table = Table(game)
    table.reset(0)
    return {
        "game": game.name,
        "version": game.version,
        "layout": game.shape().digest,
        "rules": game.rules().to_dict(),
        "seats counted from": "the seat asked first" if table.dealer is None else "the dealer",
        "deals": deals,
        "matches": matches,
        "seed": SEED,
        "players": {
            player: facts_of_player(game, player, deals, matches) for player in PLAYERS if player in players(game.name)
        },
        "speed": [
            {key: round(value) if isinstance(value, float) else value for key, value in asdict(found).items()}
            for found in bench(game, seconds=seconds)
        ],
        "seconds a mode": seconds,
        "command": shlex.join(["python", *sys.argv]),
        "versions": versions(),
        "machine": _processor(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{len(named)} × {named[0]}" if named else platform.machine()


def read(path: Path = STORED) -> dict[str, Facts]:
    """What is stored, by game; nothing if there is no file yet."""
    if not path.exists():
        return {}
    stored: dict[str, Facts] = json.loads(path.read_text(encoding="utf-8"))
    return stored


def main() -> None:
    """Measure the games that are named, all of them if none is."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", default=list(PLAYED), metavar="GAME")
    parser.add_argument("--deals", type=int, default=DEALS)
    parser.add_argument("--matches", type=int, default=MATCHES)
    parser.add_argument("--seconds", type=float, default=SECONDS, help="for each mode of `karty bench`")
    words = parser.parse_args()
    stored = read()
    for name in words.games:
        stored[name] = facts(find_game(name), words.deals, words.matches, words.seconds)
        known = {name: stored[name] for name in PLAYED if name in stored}
        STORED.write_text(json.dumps(known, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        print(f"{name}: {STORED}")


if __name__ == "__main__":
    main()
