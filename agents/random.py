"""Uniformly random legal play, without a compiled kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def uniform(mask: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """One legal action a row, each with the same chance.

    mask: [m, A] int8, 1 where an action is legal, at least one in every row. Returns [m] int64 action ids.
    """
    upto = np.cumsum(mask != 0, axis=1)
    wanted = 1 + np.floor(rng.random(len(mask)) * upto[:, -1]).astype(np.int64)
    # The wanted-th legal action is the first place at which so many have been counted.
    return np.asarray((upto >= wanted[:, None]).argmax(axis=1), dtype=np.int64)


def uniform_probabilities(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.float64]:
    """The same chance for each legal action, [m, A] float64. observation: [m, F] int8, mask: [m, A] int8."""
    legal = mask != 0
    return np.asarray(legal / legal.sum(axis=1, keepdims=True), np.float64)
