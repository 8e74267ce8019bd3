"""Does any change of one threshold make the rule-based player of Tysiąc stronger? The grid of its tuning.

    python benchmarks/tune_rules.py                          every threshold one step up and down, on the tuning deals
    python benchmarks/tune_rules.py --check                  the same on deals that the tuning never saw
    python benchmarks/tune_rules.py --only caution safety --steps 1 2 3 --deals 20000

Each neighbour plays one seat against two of the shipped player, on the same deals in all three rotations; printed is
what it gains a deal (points, mean of the others' taken off) with its 95 % interval, the deal being the unit. Thresholds
that only matter under other options, or in matches, are tried there; of matches the gain is in per cent won.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

import karty  # noqa: F401  registers the shipped player
from karty.agents.rules import tysiac
from karty.envs.engine import play_episodes, register_player
from karty.envs.kernel import rule

STEP = {
    "ace": 2, "ten": 2, "king": 2, "guarded": 2, "length": 1, "beside": 2, "helped": 2, "second": 15, "caution": 6,
    "hunger": 15, "alarm": 15, "safety": 4, "spurt": 15, "bomb": 8, "concede": 10, "half": 4, "gift": 10, "void": 1,
    "later": 10, "next": 3, "guard": 25, "keep": 30, "pair": 8, "bring": 1, "lead": 3, "force": 40, "crowd": 1,
    "under": 20, "risk": 6, "strong": 20, "fellow": 25,
}  # fmt: skip
WHERE: dict[str, dict[str, Any]] = {
    "hunger": {"start_scores": "random"},
    "alarm": {"episode": "match"},
    "spurt": {"episode": "match"},
    "bomb": {"bomb": "at_100", "bombs": 0},
    "concede": {"concede": True},
}
TUNING, CHECK = 2**41, 2**42  # the first deal's seed


def player(temper: tysiac.Temper) -> Callable[..., Any]:
    """A kernel of this temper."""
    table = tysiac.table(temper)
    decide = tysiac.decide

    @rule
    def choose(o, mask, chance):  # type: ignore[no-untyped-def]
        return decide(o, mask, table[0])

    return choose


def gain(name: str, first: int, deals: int, episode: str = "deal", **options: Any) -> tuple[float, float]:
    """What the player gains on two shipped ones, and half the width of its interval."""
    seeds = np.arange(first, first + deals)
    total = np.zeros(deals)
    for seat in range(3):
        seats = ["rule"] * 3
        seats[seat] = name
        total += play_episodes("tysiac", seats, seeds, episode=episode, **options)["reward"][:, seat] / 3
    # A match won is 1 and lost -1/2: 100 per cent are 3/2.
    total *= 100 if episode == "deal" else 100 / 1.5
    return float(total.mean()), float(1.96 * total.std() / deals**0.5)


def main() -> None:
    """Try the neighbours."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--matches", type=int, default=5_000)
    parser.add_argument("--only", nargs="+", choices=list(STEP), default=list(STEP), metavar="THRESHOLD")
    parser.add_argument("--steps", nargs="+", type=int, default=[1])
    parser.add_argument("--check", action="store_true", help="on the deals of the check instead of the tuning's")
    options = parser.parse_args()
    tried = []
    for field in options.only:
        for step in sorted({sign * step for step in options.steps for sign in (-1, 1)}):
            value = getattr(tysiac.RULE, field) + step * STEP[field]
            name = f"trial-{field}-{value}".replace("--", "-minus-")
            register_player("tysiac", name, player(tysiac.RULE._replace(**{field: value})))
            tried.append((field, value, name))
    best = 0.0
    for field, value, name in tried:
        where = WHERE.get(field, {})
        match = where.get("episode") == "match"
        count = options.matches if match else options.deals
        mean, half = gain(name, CHECK if options.check else TUNING, count, **where)
        unit = "% of matches" if match else "points a deal"
        print(f"{field:8} {getattr(tysiac.RULE, field):4} -> {value:4}   {mean:+6.2f} ± {half:.2f} {unit}", flush=True)
        best = best if match else max(best, mean)
    print(f"the best change of one threshold gains {best:+.2f} points a deal")


if __name__ == "__main__":
    main()
