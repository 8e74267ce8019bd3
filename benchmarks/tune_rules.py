"""Does any change of one threshold make the rule-based player of Tysiąc stronger? The grid of its tuning.

    python benchmarks/tune_rules.py                                  every threshold one step up and down, at 3p
    python benchmarks/tune_rules.py --rules table=4p_teams           those that matter at another table
    python benchmarks/tune_rules.py --rules table=all --deals 20000  at all nine tables
    python benchmarks/tune_rules.py --check                          the same on deals that the tuning never saw
    python benchmarks/tune_rules.py --only caution safety --steps 1 2 3

Each neighbour plays one seat, in teams both of a side, against the shipped player in the others, on the same deals in
all rotations; printed is what it gains a deal (points, mean of the others' taken off) with its 95 % interval, the deal
being the unit. Thresholds that only matter under other options, or in matches, are tried there; of matches the gain is
in per cent won (one of two seats or sides: from -100 to 100). Further rules hold for all deals.

The neighbours are one compiled player whose temper lies in memory and is changed between two runs; machine code with
such an address must not be kept, so it is compiled at the start of every run.
"""

import argparse
import os
from typing import Any, cast

os.environ["KARTY_NO_CACHE"] = "1"  # read by karty when it is imported

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from karty.agents.rules.tysiac import decide
from karty.agents.rules.tysiac_hand import column
from karty.agents.rules.tysiac_temper import AT, TEMPERS
from karty.envs.engine import play_episodes, register_player
from karty.envs.games import GAMES
from karty.envs.games.tysiac_tables import TABLES, Rules
from karty.envs.kernel import rule
from karty.training.config import read_rules

STEP = {
    "ace": 2, "ten": 2, "king": 2, "guarded": 2, "length": 1, "beside": 2, "helped": 2, "second": 15, "chance": 10,
    "caution": 6, "hunger": 15, "alarm": 15, "partner": 10, "safety": 4, "spurt": 15, "bomb": 8, "concede": 10,
    "half": 4, "mate": 15, "gift": 10, "feed": 40, "void": 1, "later": 10, "next": 3, "guard": 25, "keep": 30,
    "pair": 8, "hope": 8, "trumps": 2, "last": 15, "bring": 1, "lead": 3, "meld": 10, "deny": 10,
    "willing": 10, "queen": 30,
    "force": 40, "crowd": 1, "under": 20, "risk": 6, "strong": 20, "near": 1, "guess": 2, "fellow": 25,
}  # fmt: skip
WHERE: dict[str, dict[str, Any]] = {
    "hunger": {"start_scores": "random"},
    "alarm": {"episode": "match"},
    "spurt": {"episode": "match"},
    "bomb": {"bomb": "at_100", "bombs": 0},
    "concede": {"concede": True},
}
AUCTION = tuple(name for name, at in TABLES.items() if at.auction)
TWO = tuple(name for name, at in TABLES.items() if at.seats == 2)
TALONS = ("2p_pairs", "2p_triples", "2p_stock_auction")
BID_FOR = (
    "ace", "ten", "king", "guarded", "length", "beside", "helped", "second", "void",
    "caution", "hunger", "alarm", "safety", "spurt", "bomb", "concede",
)  # fmt: skip
ONLY_AT = dict.fromkeys(BID_FOR, AUCTION) | {
    "chance": ("2p_stock_auction",),
    "partner": ("4p_teams",),
    "mate": ("4p_teams",),
    "feed": ("4p_teams",),
    "half": ("3p", "4p_resting", "4p_teams"),
    "gift": tuple(name for name in AUCTION if TABLES[name].talons),
    "hope": ("2p_stock", "2p_stock_auction", "4p_six", "4p_teams"),
    "trumps": ("2p_stock", "2p_stock_auction"),
    "willing": ("2p_stock", "2p_stock_auction"),
    "last": TALONS,
    "queen": ("4p_six", "4p_teams"),
    "deny": TWO,
    "near": TWO,
    "guess": TALONS,
    "fellow": ("3p", "4p_resting"),
}
"""Thresholds that mean nothing at the other tables."""
TUNING, CHECK = 2**41, 2**42  # the first deal's seed

TRIED = np.array(TEMPERS[0])
ADDRESS, KIND, NAMES = TRIED.ctypes.data, TRIED.dtype, tuple(TABLES)


@intrinsic
def _pointer(_context: Any, _address: Any) -> Any:
    """The memory at an address, for `carray`."""

    def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], cgutils.voidptr_t)

    return types.voidptr(types.uintp), code


carray, pointer = getattr(numba, "carray"), cast(Any, _pointer)  # noqa: B009 (numba's stubs do not declare it)


@rule
def tried(o, mask, chance):  # type: ignore[no-untyped-def]
    """The player whose tempers lie in TRIED."""
    tempers = carray(pointer(ADDRESS), (len(NAMES),), KIND)
    return decide(o, mask, tempers[column(o.table)])


def gain(rules: Rules, first: int, deals: int, episode: str = "deal") -> tuple[float, float]:
    """What the player that is tried gains on the shipped one, and half the width of its interval."""
    seeds, total = np.arange(first, first + deals), np.zeros(deals)
    sides = np.array(rules.teams)
    for side in set(rules.teams):
        seats = ["tried" if own == side else "rule" for own in rules.teams]
        played = play_episodes("tysiac", seats, seeds, rules=rules, episode=episode)
        total += played["reward"][:, sides == side].mean(1) / len(set(rules.teams))
    # A match won is 1, and lost -1 by one other side, -1/2 by each of two.
    total *= 100 if episode == "deal" else 100 * (len(set(rules.teams)) - 1) / len(set(rules.teams))
    return float(total.mean()), float(1.96 * total.std() / deals**0.5)


def neighbours(table: str, fields: list[str], steps: list[int]) -> list[tuple[str, int]]:
    """The thresholds that matter at a table, with other values."""
    found = []
    for field in fields:
        if table in ONLY_AT.get(field, NAMES):
            for step in sorted({sign * step for step in steps for sign in (-1, 1)}):
                found.append((field, getattr(AT[table], field) + step * STEP[field]))
    return found


def main() -> None:
    """Try the neighbours."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", nargs="+", default=["table=3p"], metavar="OPTION=VALUE")
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--matches", type=int, default=5_000)
    parser.add_argument("--only", nargs="+", choices=list(STEP), default=list(STEP), metavar="THRESHOLD")
    parser.add_argument("--steps", nargs="+", type=int, default=[1])
    parser.add_argument("--check", action="store_true", help="on the deals of the check instead of the tuning's")
    options = parser.parse_args()
    register_player("tysiac", "tried", tried)
    words = [word.replace("table=all", "table=" + ",".join(NAMES)) for word in options.rules]
    for rules in cast(list[Rules], read_rules(GAMES["tysiac"], words)):
        table, best = rules.table, 0.0
        place = NAMES.index(table)
        for field, value in neighbours(table, options.only, options.steps):
            TRIED[place] = tuple(AT[table]._replace(**{field: value}))
            where = dict(WHERE.get(field, {}))
            match = where.pop("episode", "deal") == "match"
            count = options.matches if match else options.deals
            played_by = Rules.make(**{**rules.to_dict(), **where})
            first = CHECK if options.check else TUNING
            mean, half = gain(played_by, first, count, "match" if match else "deal")
            unit = "% of matches" if match else "points a deal"
            before = getattr(AT[table], field)
            print(f"{table:16} {field:8} {before:4} -> {value:4}   {mean:+6.2f} ± {half:.2f} {unit}", flush=True)
            best = best if match else max(best, mean)
        print(f"{table}: the best change of one threshold gains {best:+.2f} points a deal", flush=True)


if __name__ == "__main__":
    main()
