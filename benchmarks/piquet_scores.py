"""What the rule-based player of Piquet scores against itself, beside ten thousand hands played by people.

    python benchmarks/piquet_scores.py                       20,000 deals under the preset classic
    python benchmarks/piquet_scores.py --player rule-bold --deals 5000

Cavendish recorded ten thousand hands: elder scored 28 or more in 51.3 % of them, younger 14 or more in 50.0 %. Printed
are medians of elder and younger a deal, bonus included, means, and shares of deals with pique or repique and with all
twelve tricks; intervals of 95 %, the deal being the unit (of medians from the order of the results).
"""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from karty.envs.engine import make_batch
from karty.envs.game import EVALUATION_SEEDS
from karty.envs.layout import records

BOTH = ("elder", "younger")


def play(
    player: str, deals: int, seed: int, **options: Any
) -> tuple[npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any]]:
    """Points, bonus, tricks of elder and younger in each deal, [deals, 2] each."""
    batch = make_batch("piquet", deals, seed=seed, episode="deal", autoreset="off", **options)
    arrays = batch.reset()
    over = np.zeros(deals, bool)
    while not over.all():
        arrays = batch.step(batch.choose(player))
        over |= arrays["terminated"]
    seen = records(arrays["final_observation"].view(batch.shape.observation.dtype).reshape(deals, 2))
    rows = np.arange(deals)[:, None]
    # Once a deal is over the deal has passed on: the dealer that is seen is the last elder.
    order = np.where(seen["dealer"][:, 0, :1] == 1, [0, 1], [1, 0])
    bonus, tricks = seen["got_bonus"][:, 0], seen["tricks"][:, 0]
    return arrays["points"][rows, order], bonus[rows, order], tricks[rows, order]


def median(values: npt.NDArray[Any]) -> str:
    """The median with its interval."""
    n, values = len(values), np.sort(values)
    reach = 1.96 * n**0.5 / 2
    low, high = values[int(np.floor(n / 2 - reach))], values[int(np.ceil(n / 2 + reach))]
    return f"{np.median(values):.1f} ({low:.0f} … {high:.0f})"


def mean(values: npt.NDArray[Any], unit: float = 1.0) -> str:
    """The mean with its interval."""
    return f"{unit * values.mean():.2f} ± {unit * 1.96 * values.std() / len(values) ** 0.5:.2f}"


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=EVALUATION_SEEDS)
    parser.add_argument("--preset", default="classic")
    parser.add_argument("--player", default="rule")
    given = parser.parse_args()
    points, bonus, tricks = play(given.player, given.deals, given.seed, preset=given.preset)
    for i, name in enumerate(BOTH):
        print(f"{name:8} median {median(points[:, i])}   mean {mean(points[:, i])}")
        print(f"         pique or repique {mean(bonus[:, i], 100)} %   all tricks {mean(tricks[:, i] == 12, 100)} %")


if __name__ == "__main__":
    main()
