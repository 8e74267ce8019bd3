"""Playing until an interval is narrow enough, by a rule that is fixed before the first deal.

The deals are those of the published list in its order. After 1,024 of them, and again whenever they have grown by a
quarter (rounded up to 1,024 more), the half-width is looked at; the first look at which it is no wider than wanted ends
the play, and so does the last deal allowed. Only the width decides, never the mean. Widths that are looked at again and
again still tend to be a little lucky: the fewest deals and the few looks keep this small, and
`python benchmarks/stopping.py` measures what is left.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

FEWEST = 1024
"""Deals before the first look, so that a small sample that happens to vary little ends nothing."""
GROWTH = 1.25
MOST = 100_000
"""Deals at most if nothing else is said."""


def looks(most: int) -> Iterator[int]:
    """The numbers of deals after which the half-width is looked at, the last of them ``most``."""
    now = FEWEST
    while now < most:
        yield now
        # Whole parts of 1,024 are what an evaluation plays at once: stopping changes nothing in what was played.
        now = FEWEST * math.ceil(GROWTH * now / FEWEST)
    yield most


def check_until(until: Any) -> None:
    """ValueError unless it is None or a half-width: a number above 0."""
    if until is None or (isinstance(until, int | float) and not isinstance(until, bool) and 0 < until < math.inf):
        return
    raise ValueError(f"until must be a half-width above 0, not {until!r}")


def play_until(play: Callable[[int, int, int], float], most: int, until: float | None) -> bool | None:
    """Play deals of a list until an interval's half-width is at most ``until``.

    play: called with the first deal to play, the one after the last, and about how many there will be in all; it gives
    the half-width of everything played so far. Returns whether the goal was reached; None if there was none: then all
    ``most`` are played in one part.
    """
    if until is None:
        play(0, most, most)
        return None
    done, expected = 0, most
    for stop in looks(most):
        half = play(done, stop, max(expected, stop))
        done = stop
        if half <= until:
            return True
        expected = math.ceil(min(most, done * (half / until) ** 2))
    return False
