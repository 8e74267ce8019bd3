"""Means with 95 % intervals, over one value a deal."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

NORMAL_95 = 1.959964


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval. `points` is in the game's units; `wins` and `losses` are shares, 0 … 1."""

    metric: str
    mean: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval; of one that is cut on a side, the longer half."""
        return max(self.mean - self.low, self.high - self.mean)


def estimate(metric: str, values: NDArray[np.float64], least: float = -np.inf, most: float = np.inf) -> Estimate:
    """Mean and normal 95 % interval of one value a deal, [deals] float64; the interval is cut to [least, most].

    Where all values lie at one end of these, 3 / deals of the range may lie elsewhere (the rule of three).
    """
    mean = float(values.mean()) + 0.0
    half = NORMAL_95 * float(values.std(ddof=1)) / len(values) ** 0.5
    if mean in (least, most):
        half = min(3 / len(values), 1.0) * (most - least)
    return Estimate(metric, mean, max(mean - half, least), min(mean + half, most))
