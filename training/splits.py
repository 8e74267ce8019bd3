"""The published deal lists: which seeds an evaluation plays, and in which order.

There are two splits, DEV for choosing among agents and TEST for reporting, and every evaluation seed has a list of
2**28 deals in each. The k-th deal of a list, k from 0, has the seed

    2**62 + 2**61 (in TEST) + evaluation seed * 2**28 + k

Training draws its seeds below 2**62, so no list holds a deal that anything was trained on. The lists never change:
docs/evaluation.md tells how a seed becomes cards.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from karty.envs.game import EVALUATION_SEEDS

Split = Literal["test", "dev"]

DEV_SEEDS = EVALUATION_SEEDS
TEST_SEEDS = DEV_SEEDS + (1 << 61)
MOST_DEALS = 1 << 28
"""Deals that one evaluation seed can give: the next seed's deals begin after them."""
LARGEST_SEED = (1 << 33) - 1


def evaluation_seeds(deals: int, seed: int = 0, split: str = "test") -> NDArray[np.int64]:
    """The first seeds of a list, [deals] int64; those of two evaluation seeds or splits never meet."""
    if split not in ("dev", "test"):
        raise ValueError(f"split must be dev or test, not {split!r}")
    if not whole(deals) or not 2 <= deals <= MOST_DEALS:
        raise ValueError(f"deals must be a whole number from 2 (an interval needs two) to {MOST_DEALS}, not {deals!r}")
    if not whole(seed) or not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed of an evaluation must be a whole number from 0 to {LARGEST_SEED}, not {seed!r}")
    first = (TEST_SEEDS if split == "test" else DEV_SEEDS) + int(seed) * MOST_DEALS
    return first + np.arange(deals, dtype=np.int64)


def whole(value: Any) -> bool:
    """Is it a whole number (and not a bool)?"""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
