"""What the rule-based player of Tysiąc gains at each of the nine tables over players without judgement.

    python benchmarks/tysiac_gains.py                               every table, 10,000 deals, the default rules
    python benchmarks/tysiac_gains.py --options --deals 20000       rules drawn by lot, 1,024 sets of options a table
    python benchmarks/tysiac_gains.py --table 4p_teams

Printed are points a deal of its side above the mean of the others, with the interval of 95 %, the deal being the unit:
it holds each seat in turn, in teams both seats of a side. The others play at random, or lay their highest or their
lowest legal card, give likewise, open when they must, and else pass.
"""

import argparse
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

import karty
from karty.envs.engine import play_episodes
from karty.envs.game import EVALUATION_SEEDS, Options
from karty.envs.games.tysiac_tables import PASS, TABLES
from karty.training.config import training_rules

GAME = karty.GAMES["tysiac"]


class Extreme:
    """Plays the highest (``sign`` 1) or the lowest (-1) legal card, opens if it must, and else passes."""

    def __init__(self, name: str, sign: int) -> None:
        self.name = name
        actions = GAME.action_names(GAME.rules())
        self.rank = np.full(len(actions), 1)
        for action, text in enumerate(actions):
            word, _, what = text.partition(" ")
            if word in ("play", "give", "meld"):
                self.rank[action] = 100 + sign * "9JQKTA".index(what[0])
            if word in ("bid", "contract"):
                self.rank[action] = 50 - int(what) // 10
        self.rank[PASS] = 60

    def act(
        self, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], rng: np.random.Generator
    ) -> npt.NDArray[np.int64]:
        """The first of the actions that rank highest, int64 [m]."""
        return np.where(mask > 0, self.rank, -1).argmax(1)


OTHERS = {"random": "random", "highest": Extreme("highest", 1), "lowest": Extreme("lowest", -1)}


def gain(rules: Sequence[Options], other: str | Extreme, deals: int, *, seed: int = 0) -> tuple[float, float]:
    """Points a deal of ``rule`` over others of one kind: mean and half-width; the deals play one of the rules each."""
    seats, teams = rules[0].seats, rules[0].teams
    seeds, total = EVALUATION_SEEDS + seed + np.arange(deals), np.zeros(deals)
    its = [rules[k % len(rules)] for k in range(deals)]
    sides = sorted(set(teams))
    for side in sides:
        players = ["rule" if teams[seat] == side else other for seat in range(seats)]
        total += GAME.unit * play_episodes(GAME, players, seeds, rules=its)["reward"][:, side] / len(sides)
    return float(total.mean()), float(1.96 * total.std() / deals**0.5)


def main() -> None:
    """Print a line a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", choices=list(TABLES), action="append", help="this one only; may be repeated")
    parser.add_argument("--deals", type=int, default=10_000)
    parser.add_argument("--options", action="store_true", help="every other option by lot")
    parser.add_argument("--seed", type=int, default=0)
    told = parser.parse_args()
    for table in told.table or TABLES:
        words = [f"table={table}", *(["all"] if told.options else [])]
        rules = training_rules(GAME, words, np.random.default_rng(told.seed))
        found = []
        for name, other in OTHERS.items():
            mean, half = gain(rules, other, told.deals, seed=told.seed)
            found.append(f"{name} {mean:+.1f} ± {half:.1f}")
        print(f"{table:18}{'   '.join(found)}   ({told.deals:,} deals)", flush=True)


if __name__ == "__main__":
    main()
