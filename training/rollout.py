"""Playing: what the network sees, does and earns is written straight into the buffers that it learns from."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from karty.agents.network import Network
from karty.envs.engine import Batch
from karty.training.losses import chosen

_ONE_FOR_ALL = "final_observation"
"""The only array of the engine that is not kept for every step: it would be larger than all others together."""


class Rollout:
    """Buffers of T steps at n tables.

    ``arrays``: the engine's arrays with an axis of T + 1 steps before them: `observation` [T + 1, n, F] int8, `mask`
    [T + 1, n, A] int8, `seat` [T + 1, n] int8, and so on; row t is what the decision of step t was made from, row t +
    1 what came of it. ``action`` [T, n] int64; ``log_probability`` [T, n] float32, of that action; ``value`` [T, n]
    float32, the critic's, in units of reward.
    """

    def __init__(self, batch: Batch, steps: int) -> None:
        """Room for ``steps`` decisions at each table of the batch."""
        self.steps, self.tables = steps, batch.n
        self.arrays: dict[str, NDArray[Any]] = {
            name: np.zeros((steps + 1, *array.shape), array.dtype)
            for name, array in batch.arrays.items()
            if name != _ONE_FOR_ALL
        }
        self.final_observation = np.zeros_like(batch.arrays[_ONE_FOR_ALL])
        self.rows = [
            {**{name: array[t] for name, array in self.arrays.items()}, _ONE_FOR_ALL: self.final_observation}
            for t in range(steps + 1)
        ]
        self.action = np.zeros((steps, batch.n), np.int64)
        self.log_probability, self.value = np.zeros((2, steps, batch.n), np.float32)

    @property
    def reward(self) -> NDArray[np.float32]:
        """What each step's decision led to, [T, n, P] float32: pay of every seat where the episode ended."""
        return self.arrays["reward"][1:]

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Whether each step's decision ended the episode, [T, n] bool."""
        over: NDArray[np.bool_] = self.arrays["terminated"][1:] | self.arrays["truncated"][1:]
        return over

    def begin(self, before: dict[str, NDArray[Any]]) -> None:
        """Take up where the tables stand: ``before`` holds the engine's arrays of the last call."""
        for name, array in self.arrays.items():
            array[0] = before[name]


def collect(
    batch: Batch, network: Network, rollout: Rollout, generator: torch.Generator, teacher: str | None = None
) -> None:
    """Play T steps at every table, with actions drawn from the network or those of a built-in player (``teacher``)."""
    rollout.begin(batch.arrays)
    for t in range(rollout.steps):
        seen = rollout.rows[t]
        with torch.no_grad():
            logits, value = network(torch.from_numpy(seen["observation"]), torch.from_numpy(seen["mask"]))
            action = draw(logits, generator) if teacher is None else torch.from_numpy(batch.choose(teacher))
            rollout.action[t] = action
            rollout.log_probability[t] = chosen(logits.log_softmax(-1), action)
            rollout.value[t] = value
        after = rollout.rows[t + 1]
        batch.step(rollout.action[t], out=after)
        if after["truncated"].any():
            credit_cut_episodes(network, after)


def draw(logits: Tensor, generator: torch.Generator) -> Tensor:
    """A legal action of each row, drawn from the softmax. ``logits``: `[m, A]` float32, masked. Returns `[m]` int64.

    The first action at which the running sum of the probabilities is above a number below its total: an action that
    adds nothing to the sum can never be that one.
    """
    running = logits.softmax(-1).cumsum(-1)
    mark = torch.rand((len(logits), 1), generator=generator) * running[:, -1:]
    return (running <= mark).sum(-1)


def credit_cut_episodes(network: Network, after: dict[str, NDArray[Any]]) -> None:
    """Where a cap cut an episode short, pay every seat what the critic still expected for it.

    ``after``: the engine's arrays after a step; ``reward`` [n, P] is written where ``truncated``.
    """
    cut = np.flatnonzero(after["truncated"])
    seats = after["reward"].shape[1]
    last_seen = after["final_observation"][cut].reshape(len(cut) * seats, -1)
    with torch.no_grad():
        value = network.value(torch.from_numpy(last_seen))
    after["reward"][cut] += value.numpy().reshape(len(cut), seats)
