"""Normalised scores: 0 is random play, 1 the rule-based player, in the same company on the same deals.

Points of Tysiąc and shares lost in Pan cannot be averaged; how far an agent has come from random play to the
rule-based player, and beyond, can.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from karty.training.estimates import NORMAL_95, Estimate

_SURE = 5
"""Standard errors that must lie between random play and rule: nearer than that, the interval below does not hold."""


def normalised(agent: NDArray[np.float64], random: NDArray[np.float64], rule: NDArray[np.float64]) -> Estimate | None:
    """The agent's score on the scale from random play (0) to rule (1), with a 95 % interval; it may be outside them.

    agent, random, rule: [deals] float64, one value a deal (points, or shares won or lost) of each in the same seats,
    against the same others, on the same deals. More or less may be better: the scale turns with it. The interval is
    that of a ratio by the delta method, the deal as its unit, so that what the three share of a deal's luck does not
    count. None where rule is not clearly different from random play: there is no scale then.
    """
    gain, scale = agent - random, rule - random
    deals = len(scale)
    whole = float(scale.mean())
    if abs(whole) <= _SURE * float(scale.std(ddof=1)) / deals**0.5:
        return None
    mean = float(gain.mean()) / whole
    error = float(((gain - mean * scale) / whole).std(ddof=1)) / deals**0.5
    return Estimate("normalised", mean + 0.0, mean - NORMAL_95 * error, mean + NORMAL_95 * error)


def average(scores: Sequence[Estimate]) -> Estimate:
    """The mean of the normalised scores of several games, whose deals have nothing in common, with its interval."""
    if not scores:
        raise ValueError("an average needs one score or more, not none")
    mean = float(np.mean([score.mean for score in scores]))
    half = float(np.sqrt(np.sum([score.half**2 for score in scores]))) / len(scores)
    return Estimate("normalised", mean, mean - half, mean + half)
