"""How much of a payoff matrix no rating can tell: agents that beat each other in a circle.

The payoffs are made antisymmetric, M[a, b] = (S[a, b] − S[b, a]) / 2 with S what a gains in one seat against b in the
rest. By the Hodge decomposition (Jiang, Lim, Yao and Ye 2011; for games Balduzzi et al. 2018) M is the sum of a part
that ratings explain, r[a] − r[b] with r the mean of M's rows, and a cyclic part that is orthogonal to it. The cyclic
share is the cyclic part's share of M's squared norm: 0 where a rating tells all, 1 in rock, paper, scissors.

Chance alone makes every measured matrix look a little cyclic. What chance adds to a squared norm on average is the sum
of the variances of its entries, which the deals tell; it is taken off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

_RESAMPLES = 400


@dataclass(frozen=True)
class Cycle:
    """Three agents in a circle: each is measured against the next one, the last against the first.

    ``gains``: M of the three, in the unit of the payoffs, more is better; ``mean``: their sum, which is 0 if a rating
    tells all, with a 95 % interval that holds for all triples at once (Bonferroni), since the largest was chosen.
    """

    agents: tuple[str, str, str]
    gains: tuple[float, float, float]
    mean: float
    low: float
    high: float

    @property
    def is_circle(self) -> bool:
        """Does each beat the next, as in rock, paper, scissors? A sum may be large without that."""
        return min(self.gains) > 0


@dataclass(frozen=True)
class CyclicShare:
    """The share of the squared norm of the payoffs that no rating explains, 0 … 1, with its 95 % interval.

    All three are None if there is nothing to share: the agents gain the same, as far as chance lets one see.
    ``largest`` is the triple with the largest sum around; None for two agents, between whom there are no cycles.
    """

    mean: float | None
    low: float | None
    high: float | None
    largest: Cycle | None

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it: mean, low, high and `largest_cycle` with agents, gains, mean, low, high."""
        cycle = self.largest
        return {
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "largest_cycle": None
            if cycle is None
            else {
                "agents": list(cycle.agents),
                "gains": list(cycle.gains),
                "mean": cycle.mean,
                "low": cycle.low,
                "high": cycle.high,
            },
        }


def antisymmetric(payoffs: NDArray[np.float64]) -> NDArray[np.float64]:
    """M from S, both [..., N, N]; the diagonal of S does not matter."""
    result: NDArray[np.float64] = (payoffs - payoffs.swapaxes(-1, -2)) / 2
    return result


def cyclic_part(matrix: NDArray[np.float64]) -> NDArray[np.float64]:
    """What is left of antisymmetric matrices [..., N, N] when the part that ratings explain is taken off."""
    rating = matrix.mean(axis=-1)
    result: NDArray[np.float64] = matrix - (rating[..., :, None] - rating[..., None, :])
    return result


def cyclic_share(names: Sequence[str], payoffs: NDArray[np.float64], seed: int = 0) -> CyclicShare:
    """The cyclic share and the largest cycle of N agents.

    payoffs: [deals, N, N] float64, what agent a gained in each deal in one seat against b in the rest, more is better.
    The interval is from resampled deals, each drawn with all its pairs.
    """
    deals, agents = payoffs.shape[:2]
    each = antisymmetric(payoffs)
    parts = [each.reshape(deals, -1), cyclic_part(each).reshape(deals, -1)]
    # What chance adds to the squared norm of a mean of so many deals.
    added = np.array([float((part.var(axis=0, ddof=1) / deals).sum()) for part in parts])
    rng = np.random.default_rng(seed)
    chances = np.full(deals, 1 / deals)
    drawn = []
    for _ in range(_RESAMPLES):
        weight = rng.multinomial(deals, chances) / deals
        drawn.append(_share(np.array([_square(weight @ part) for part in parts]) - 2 * added))  # once more by drawing
    share = _share(np.array([_square(part.mean(axis=0)) for part in parts]) - added)
    cycle = largest_cycle(names, each) if agents > 2 else None
    if share is None:
        return CyclicShare(None, None, None, cycle)
    known = [value for value in drawn if value is not None]
    # Where the payoffs may be nothing but chance, the share may be anything.
    low, high = np.percentile(known, (2.5, 97.5)) if len(known) > 0.975 * _RESAMPLES else (0.0, 1.0)
    return CyclicShare(share, min(float(low), share), max(float(high), share), cycle)


def largest_cycle(names: Sequence[str], each: NDArray[np.float64]) -> Cycle:
    """The triple whose payoffs add up to most around; each: [deals, N, N] float64, antisymmetric, N > 2."""
    triples = list(combinations(range(len(names)), 3))
    around = np.stack([each[:, a, b] + each[:, b, c] + each[:, c, a] for a, b, c in triples], axis=1)
    best = int(np.abs(around.mean(axis=0)).argmax())
    a, b, c = triples[best]
    sums = around[:, best]
    if sums.mean() < 0:
        b, c, sums = c, b, -sums
    mean = each.mean(axis=0)
    half = NormalDist().inv_cdf(1 - 0.025 / len(triples)) * float(sums.std(ddof=1)) / len(sums) ** 0.5
    total = float(sums.mean())
    gains = (float(mean[a, b]), float(mean[b, c]), float(mean[c, a]))
    return Cycle((names[a], names[b], names[c]), gains, total, total - half, total + half)


def _square(vector: NDArray[np.float64]) -> float:
    return float(vector @ vector)


def _share(squares: NDArray[np.float64]) -> float | None:
    """The cyclic part's share, from the squared norms of the whole and of it; None if there is no whole."""
    whole, cyclic = float(squares[0]), max(float(squares[1]), 0.0)
    if cyclic <= 1e-12 * abs(whole):  # what rounding leaves
        cyclic = 0.0
    return min(cyclic / whole, 1.0) if whole > 0 else None
