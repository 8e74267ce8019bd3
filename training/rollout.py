"""Playing: what the network sees, does and earns is written straight into the buffers that it learns from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from karty.agents.network import Network
from karty.training.losses import chosen
from karty.training.selfplay import Tables

_ONE_FOR_ALL = "final_observation"
"""The only array of the engine that is not kept for every step: it would be larger than all others together."""


class Rollout:
    """Buffers of T steps at n tables.

    ``arrays``: the engine's arrays with an axis of T + 1 steps before them: `observation` [T + 1, n, F] int8, `mask`
    [T + 1, n, A] int8, `seat` [T + 1, n] int8, and so on; row t is what the decision of step t was made from, row t +
    1 what came of it. ``action`` [T, n] int64; ``log_probability`` [T, n] float32, of that action; ``value`` [T, n]
    float32, the network's own critic's, in units of reward; ``sides`` [T, n, P] int8, the side of each seat: in teams
    the team's number, else the seat itself, and -1 for seats that the table did not have. For critics that are told
    more: ``hidden`` [T, n, H] int8, the cards that the seat asked could not see, else H = 0; ``policy`` [T, n, A]
    float32, the probabilities of all actions; ``tried`` [T, n, A] bool: the actions after which the deal was played to
    its end by the player ``guide`` in all seats, the likely ones and the one taken; ``ahead`` [K, P] float32, what that
    brought every seat, for each of them in the order of step, table and id: points, or if ``whole`` the reward of the
    episode, which was then played to its end. An episode that a cap cuts off on that way pays 0: no critic is asked
    what would have come of it. Without a guide these have A = 0 and K = 0.
    """

    def __init__(
        self,
        tables: Tables,
        steps: int,
        *,
        hidden: bool = False,
        guide: str | None = None,
        likely: float = 0.0,
        whole: bool = False,
    ) -> None:
        """Room for ``steps`` decisions at each table.

        ``hidden``, ``guide``, ``whole``: what is to be kept for the critic; ``likely``: actions above this probability
        are tried.
        """
        n = tables.n
        self.steps, self.tables = steps, n
        kinds = {
            name: (array.shape[1:], array.dtype)
            for name, array in tables.parts[0].batch.arrays.items()
            if name != _ONE_FOR_ALL
        }
        self.arrays: dict[str, NDArray[Any]] = {
            name: np.zeros((steps + 1, n, *shape), dtype) for name, (shape, dtype) in kinds.items()
        }
        self.final_observation = np.zeros((n, tables.seats, tables.shape.features), np.int8)
        self.seen = [{name: array[t] for name, array in self.arrays.items()} for t in range(steps + 1)]
        self.rows = [
            [
                {
                    **{name: array[part.rows] for name, array in seen.items()},
                    _ONE_FOR_ALL: self.final_observation[part.rows],
                }
                for part in tables.parts
            ]
            for seen in self.seen
        ]
        self.hidden = np.zeros((steps, n, tables.shape.hidden.size if hidden else 0), np.int8)
        self.guide, self.likely, self.whole = guide, likely, whole
        self.ahead = np.zeros((0, tables.seats), np.float32)
        self.policy = np.zeros((steps, n, tables.shape.size if guide else 0), np.float32)
        self.tried = np.zeros((steps, n, tables.shape.size if guide else 0), np.bool_)
        self.outcome = np.zeros((n, self.tried.shape[2], tables.seats), np.float32)
        self.action = np.zeros((steps, n), np.int64)
        self.sides = np.zeros((steps, n, tables.seats), np.int8)
        self.log_probability, self.value = np.zeros((2, steps, n), np.float32)

    @property
    def reward(self) -> NDArray[np.float32]:
        """What each step's decision led to, [T, n, P] float32: pay of every seat where the episode ended."""
        return self.arrays["reward"][1:]

    @property
    def seated(self) -> NDArray[np.int64]:
        """How many seats the table of each decision had, [T, n] int64."""
        seats: NDArray[np.int64] = (self.sides >= 0).sum(-1)
        return seats

    @property
    def ended(self) -> NDArray[np.bool_]:
        """Whether each step's decision ended the episode, [T, n] bool."""
        over: NDArray[np.bool_] = self.arrays["terminated"][1:] | self.arrays["truncated"][1:]
        return over

    def begin(self, tables: Tables) -> None:
        """Take up where the tables stand."""
        for part, row in zip(tables.parts, self.rows[0], strict=True):
            for name, array in part.batch.arrays.items():
                row[name][...] = array


def collect(
    tables: Tables,
    network: Network,
    rollout: Rollout,
    generator: torch.Generator,
    teacher: str | None = None,
    policy_of: Callable[[Tensor, Tensor], Tensor] | None = None,
) -> None:
    """Play T steps at every table, with actions drawn from the network or those of a built-in player (``teacher``).

    ``policy_of``: makes the probabilities `[m, A]` of the network's numbers `[m, A]` and the mask `[m, A]`; None: the
    numbers are logits.
    """
    rollout.begin(tables)
    ahead = []
    for t in range(rollout.steps):
        seen = rollout.seen[t]
        with torch.no_grad():
            mask = torch.from_numpy(seen["mask"])
            logits, value = network(torch.from_numpy(seen["observation"]), mask)
            policy = logits.softmax(-1) if policy_of is None else policy_of(logits, mask)
            rollout.action[t] = draw(policy, generator)
            for part in tables.parts:
                rollout.sides[t, part.rows] = part.batch.sides
                if rollout.hidden.shape[2]:
                    part.batch.hidden(rollout.hidden[t, part.rows])
                if teacher is not None:
                    rollout.action[t, part.rows] = part.batch.choose(teacher)
            if rollout.guide is not None:
                rollout.policy[t] = policy
                tried = rollout.tried[t]
                tried[:] = False if teacher is not None else rollout.policy[t] > rollout.likely
                tried[np.arange(rollout.tables), rollout.action[t]] = True
                for part in tables.parts:
                    rows = tried[part.rows], rollout.outcome[part.rows]
                    part.batch.play_ahead(rollout.guide, *rows, whole=rollout.whole)
                ahead.append(rollout.outcome[tried])
            rollout.log_probability[t] = chosen(logits, torch.from_numpy(rollout.action[t])) - logits.logsumexp(-1)
            rollout.value[t] = value
        for part, row in zip(tables.parts, rollout.rows[t + 1], strict=True):
            part.batch.step(rollout.action[t, part.rows], out=row)
        after = rollout.seen[t + 1]
        if after["truncated"].any():
            credit_cut_episodes(network, after, rollout.final_observation, rollout.sides[t])
    if ahead:
        rollout.ahead = np.concatenate(ahead)


def draw(policy: Tensor, generator: torch.Generator) -> Tensor:
    """An action of each row. ``policy``: `[m, A]` float32, probabilities, 0 where illegal. Returns `[m]` int64.

    The first action at which the running sum of the probabilities is above a number below its total: an action that
    adds nothing to the sum can never be that one.
    """
    running = policy.cumsum(-1)
    mark = torch.rand((len(policy), 1), generator=generator) * running[:, -1:]
    return (running <= mark).sum(-1)


def credit_cut_episodes(
    network: Network, after: dict[str, NDArray[Any]], final_observation: NDArray[np.int8], sides: NDArray[np.int8]
) -> None:
    """Where a cap cut an episode short, pay every seat what the critic still expected for it.

    ``after``: the engine's arrays after a step; ``reward`` [n, P] is written where ``truncated``;
    ``final_observation``: [n, P, F] int8, each seat's last; ``sides``: [n, P] int8, as in a rollout.
    """
    cut = np.flatnonzero(after["truncated"])
    seats = after["reward"].shape[1]
    last_seen = final_observation[cut].reshape(len(cut) * seats, -1)
    with torch.no_grad():
        value = network.value(torch.from_numpy(last_seen))
    after["reward"][cut] += np.where(sides[cut] >= 0, value.numpy().reshape(len(cut), seats), 0)
