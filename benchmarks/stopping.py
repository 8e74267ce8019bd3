"""How often the interval of `karty evaluate --until` holds the true value, although its width decides when to stop.

    python benchmarks/stopping.py [--repetitions 20000] [--seed 1]

Evaluations of known means are simulated, deal by deal, and stopped by the package's own rule. The kinds of deals are
like those measured in the games: points of Tysiąc, a deal's deviation 30 for a goal of 1; shares lost near a third and
near 3 %, where a sample that is lucky in the mean is lucky in its width too, for goals of 1 and 0.5 percentage points;
points with a long tail. Beside each stands the coverage of as many deals, on average, that were fixed beforehand.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from karty.training.estimates import estimate
from karty.training.stopping import MOST, play_until


@dataclass(frozen=True)
class Kind:
    """Values of deals with a known ``mean``, drawn by ``draw(rng, deals)``, and the half-width to be reached."""

    draw: Callable[[np.random.Generator, int], NDArray[np.float64]]
    mean: float
    until: float


def _shares(chance: float) -> Callable[[np.random.Generator, int], NDArray[np.float64]]:
    return lambda rng, deals: rng.binomial(3, chance, deals) / 3  # three rotations


KINDS = {
    "points": Kind(lambda rng, deals: rng.normal(6.0, 30.0, deals), 6.0, 1.0),
    "points with a long tail": Kind(lambda rng, deals: rng.exponential(30.0, deals) - 24.0, 6.0, 1.0),
    "lost 33 %": Kind(_shares(1 / 3), 1 / 3, 0.01),
    "lost 3 %": Kind(_shares(0.03), 0.03, 0.004),
}


def coverage(kind: Kind, repetitions: int, seed: int) -> tuple[float, float]:
    """The share of simulated evaluations whose interval holds the mean, and how many deals they took on average."""
    rng = np.random.default_rng(seed)
    held, deals = 0, 0
    for _ in range(repetitions):
        parts: list[NDArray[np.float64]] = []

        def play(start: int, stop: int, expected: int, parts: list[NDArray[np.float64]] = parts) -> float:
            parts.append(kind.draw(rng, stop - start))
            return estimate("value", np.concatenate(parts)).half

        play_until(play, MOST, kind.until)
        values = np.concatenate(parts)
        found = estimate("value", values)
        held += found.low <= kind.mean <= found.high
        deals += len(values)
    return held / repetitions, deals / repetitions


def fixed(kind: Kind, deals: int, repetitions: int, seed: int) -> float:
    """The same share when the number of deals is fixed beforehand."""
    rng = np.random.default_rng(seed)
    found = (estimate("value", kind.draw(rng, deals)) for _ in range(repetitions))
    return sum(each.low <= kind.mean <= each.high for each in found) / repetitions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args()
    error = 100 * (0.95 * 0.05 / told.repetitions) ** 0.5
    print(f"{told.repetitions:,} evaluations each; a coverage of 95 % is measured to ± {1.96 * error:.2f} %")
    print(f"{'kind of deals':<26}{'until':>8}{'deals':>9}{'coverage':>10}{'fixed':>9}")
    for name, kind in KINDS.items():
        held, deals = coverage(kind, told.repetitions, told.seed)
        beside = fixed(kind, round(deals), told.repetitions, told.seed + 1)
        print(f"{name:<26}{kind.until:>8}{deals:>9,.0f}{100 * held:>9.2f}%{100 * beside:>8.2f}%", flush=True)


if __name__ == "__main__":
    main()
