"""Advantages for games in which seats take turns: each seat's decisions form a trajectory of their own.

Between two decisions of a seat others move, and rewards may arrive meanwhile. So the successor of a decision is the
same seat's next decision at that table, never the next row of the stream, and what a seat is paid in between belongs
to its last one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def own_turn_advantages(
    seat: NDArray[np.integer[Any]],
    value: NDArray[np.float32],
    reward: NDArray[np.float32],
    ended: NDArray[np.bool_],
    *,
    gae_lambda: float,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Generalised advantage estimation (Schulman et al. 2016) along each seat's own turns, without discount.

    ``seat``: `[T, n]` whole numbers, who decided at step t of table i; ``value``: `[T, n]` float32, the critic's value
    of that decision for that seat, in units of reward; ``reward``: `[T, n, P]` float32, what every seat was paid for
    the episode that this decision ended, ignored elsewhere; ``ended``: `[T, n]` bool, this decision ended the episode.
    Where a cap cut an episode short, the caller adds to ``reward`` what each seat could still expect.
    ``gae_lambda``: λ, 0 … 1; larger trusts the critic less.

    Returns ``advantage`` `[T, n]` float32 and ``counted`` `[T, n]` bool: False for a seat's last decision in an
    episode that the buffer does not see the end of. It has no successor yet: its value stands in for what follows the
    ones before it.
    """
    steps, tables = seat.shape
    seats = reward.shape[2]
    first = np.arange(tables) * seats
    # What the future holds for each seat, [n * P]: a successor at all, its value, its advantage, and pay not yet
    # credited.
    follows = np.zeros(tables * seats, bool)
    next_value, next_advantage, pay = np.zeros((3, tables * seats), np.float32)
    advantage = np.empty((steps, tables), np.float32)
    counted = np.empty((steps, tables), bool)
    for t in reversed(range(steps)):
        over = np.flatnonzero(ended[t])
        if len(over):
            follows.reshape(tables, seats)[over] = True
            next_value.reshape(tables, seats)[over] = 0
            next_advantage.reshape(tables, seats)[over] = 0
            pay.reshape(tables, seats)[over] = reward[t, over]
        who = first + seat[t]
        gained = pay[who] + next_value[who] - value[t] + gae_lambda * next_advantage[who]
        counted[t] = follows[who]
        advantage[t] = np.where(counted[t], gained, 0)
        follows[who] = True
        next_value[who] = value[t]
        next_advantage[who] = advantage[t]
        pay[who] = 0
    return advantage, counted


def normalise(advantage: NDArray[np.float32]) -> NDArray[np.float32]:
    """Advantages of mean 0 and standard deviation 1 over the whole batch. ``advantage``: `[m]` float32, as returned."""
    result: NDArray[np.float32] = (advantage - advantage.mean()) / (advantage.std() + np.float32(1e-8))
    return result
