"""Advantages for games in which seats take turns: each seat's decisions form a trajectory of their own.

Between two decisions of a seat others move, and rewards may arrive meanwhile. So the successor of a decision is the
same seat's next decision at that table, never the next row of the stream, and what a seat is paid in between belongs
to its last one.

With a critic of actions that sees all cards the decisions of all seats can be followed instead, in the order in which
they fell: what others drew by chance is then taken out of the account.
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
    target, counted = own_turn_returns(seat, value, value, reward, ended, gae_lambda=gae_lambda)
    advantage: NDArray[np.float32] = np.where(counted, target - value, np.float32(0))
    return advantage, counted


def q_boost_advantages(
    seat: NDArray[np.integer[Any]],
    action_value: NDArray[np.float32],
    state_value: NDArray[np.float32],
    reward: NDArray[np.float32],
    ended: NDArray[np.bool_],
    *,
    gae_lambda: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    """Advantages by Expected SARSA(λ) along all decisions of a table, "Q-boosting" (VRPO, arXiv 2605.19235).

    What follows decision t is worth G_t = V_{t+1} + λ (G_{t+1} − Q_{t+1}) to each seat, and the reward where t ended
    the episode: the gap between what was drawn at t + 1 and what is drawn there on average never enters, as far as the
    critic knows it. The advantage is G_t − V_t for the seat that decided.

    ``seat``: `[T, n]` whole numbers, who decided at step t of table i; ``action_value``: `[T, n, P]` float32, Q_t, what
    each seat may expect after the action that was taken; ``state_value``: `[T, n, P]` float32, V_t, the mean of that
    over the actions as the player draws them; ``reward``: `[T, n, P]` float32, what every seat was paid for the episode
    that this decision ended, ignored elsewhere; ``ended``: `[T, n]` bool, this decision ended the episode. All in units
    of reward, column p is seat p: see ``seats.by_seat``. Where a cap cut an episode short, the caller adds to
    ``reward`` what each seat could still expect. ``gae_lambda``: λ, 0 … 1; larger trusts the critic less.

    Returns ``advantage`` `[T, n]` float32; ``target`` `[T, n, P]` float32, G_t, what the critic is to learn of the
    action taken; ``counted`` `[T, n]` bool: False for a table's last step if the episode goes on after it. It has no
    successor yet: both are 0 there, and its V_t stands in for what follows the step before.
    """
    steps, tables = seat.shape
    counted = np.ones((steps, tables), bool)
    counted[-1] = ended[-1]
    target = np.empty_like(reward)
    target[-1] = np.where(ended[-1][:, None], reward[-1], 0)
    surprise = np.where(ended[-1][:, None], target[-1] - action_value[-1], 0)
    for t in reversed(range(steps - 1)):
        target[t] = np.where(ended[t][:, None], reward[t], state_value[t + 1] + gae_lambda * surprise)
        surprise = target[t] - action_value[t]
    gained = np.take_along_axis(target - state_value, seat[..., None].astype(np.int64), -1)[..., 0]
    advantage: NDArray[np.float32] = np.where(counted, gained, np.float32(0))
    return advantage, target, counted


def own_turn_returns(
    seat: NDArray[np.integer[Any]],
    action_value: NDArray[np.float32],
    state_value: NDArray[np.float32],
    reward: NDArray[np.float32],
    ended: NDArray[np.bool_],
    *,
    gae_lambda: float,
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Expected SARSA(λ) along each seat's own turns, without discount: what a critic of actions should learn.

    The return of a decision is the pay until the same seat's next one, the value of the state there, and λ times what
    that decision's own return was better than expected of the action taken. ``action_value``: `[T, n]` float32, what
    the seat that decides may expect of its action; ``state_value``: `[T, n]` float32, the mean of that over the policy;
    ``seat``, ``reward``, ``ended`` as for ``own_turn_advantages``.

    Returns ``target`` `[T, n]` float32 in units of reward, the state's value where not ``counted``, and ``counted``
    `[T, n]` bool: False for a seat's last decision in an episode that the buffer does not see the end of.
    """
    steps, tables = seat.shape
    seats = reward.shape[2]
    first = np.arange(tables) * seats
    # What the future holds for each seat, [n * P]: a successor at all, its value, its surprise, and pay not yet
    # credited.
    follows = np.zeros(tables * seats, bool)
    next_value, surprise, pay = np.zeros((3, tables * seats), np.float32)
    target = np.empty((steps, tables), np.float32)
    counted = np.empty((steps, tables), bool)
    for t in reversed(range(steps)):
        over = np.flatnonzero(ended[t])
        if len(over):
            follows.reshape(tables, seats)[over] = True
            next_value.reshape(tables, seats)[over] = 0
            surprise.reshape(tables, seats)[over] = 0
            pay.reshape(tables, seats)[over] = reward[t, over]
        who = first + seat[t]
        counted[t] = follows[who]
        target[t] = np.where(counted[t], pay[who] + next_value[who] + gae_lambda * surprise[who], state_value[t])
        follows[who] = True
        next_value[who] = state_value[t]
        surprise[who] = np.where(counted[t], target[t] - action_value[t], 0)
        pay[who] = 0
    return target, counted


def normalise(advantage: NDArray[np.float32], phase: NDArray[np.int64] | None = None) -> NDArray[np.float32]:
    """Advantages of mean 0 and standard deviation 1, over the whole batch or within each phase of the game.

    Phases are not alike: a bid may win or lose a deal, and most cards a few points, so over the whole batch bids would
    make up all of the gradient, or none. ``advantage``: `[m]` float32; ``phase``: `[m]` int64, any number for each
    phase, or None. Returns `[m]` float32; 0 throughout a phase of one row, or whose rows are all the same.
    """
    if phase is None:
        result: NDArray[np.float32] = (advantage - advantage.mean()) / (advantage.std() + np.float32(1e-8))
        return result
    result = np.zeros_like(advantage)
    for one in np.unique(phase):
        rows = phase == one
        part = advantage[rows]
        if part.min() < part.max():
            result[rows] = normalise(part)
    return result


def normalise_each(
    advantage: NDArray[np.float32],
    policy: NDArray[np.float32],
    beyond: NDArray[np.float32],
    phase: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Advantages of many actions and of the one taken, together of deviation 1, over the batch or within each phase.

    ``advantage``, ``policy``: `[m, A]` float32, advantages and probabilities of actions; ``beyond``: `[m]` float32,
    what the action taken was worth more than its judgement: the noisy part, which counts in the deviation too, lest it
    be blown up where the policy is all but decided; ``phase``: as for ``normalise``. Returns `[m, A]` and `[m]`
    float32, 0 throughout a phase without differences.
    """
    square = (policy * advantage * advantage).sum(-1) + beyond * beyond
    scale = np.ones(len(square), np.float32)
    for rows in [slice(None)] if phase is None else [phase == one for one in np.unique(phase)]:
        deviation = np.sqrt(square[rows].mean()) if len(square) else 0
        scale[rows] = 1 / deviation if deviation > 0 else 0
    return advantage * scale[:, None], beyond * scale
