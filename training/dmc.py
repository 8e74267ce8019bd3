"""Deep Monte-Carlo (Zha et al. 2021, DouZero): learn what each action brings in the end, and take the best.

The network's numbers for the actions are not preferences but values: the reward that a seat may expect after each, if
all go on as they do. They are learned from what episodes really brought, with neither a critic nor bootstrapping but
where a cap cuts an episode off; the players take the action of the highest value and, so that all are tried, now and
then any. It is the simplest learner there is, and something to compare PPO with. In DouZero each action is an input of
its own; here the actions of a game are few and fixed, so that one pass values them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from karty.training import losses
from karty.training.learner import Decisions, Learner, Sums


class MonteCarloLearner(Learner):
    """The network as a table of action values."""

    def improve(
        self, data: Decisions, fraction: float, generator: torch.Generator, counted: Sequence[int] = ()
    ) -> dict[str, Any]:
        """One update towards the returns of the actions taken; means over the last epoch. Arguments as for PPO."""
        config, network = self.config, self.network
        rate = self._rate(fraction)
        expected = data.target.new_zeros(len(data.target))
        for _ in range(config.epochs):
            sums = Sums()
            for rows in data.shuffled(self._parts(data, counted), generator):
                mask, target = data.mask.index_select(0, rows), data.target[rows]
                features = network.features(data.observation.index_select(0, rows))
                value = losses.chosen(network.actor(features, mask), data.action[rows])
                of_actions = losses.value_loss(value, target)
                # What a state is worth is asked where a cap cuts an episode off.
                of_states = losses.value_loss(network.critic(features).squeeze(-1), target)
                self._step(of_actions + config.value_coefficient * of_states, rate)
                expected[rows] = value.detach()
                sums.add(action_loss=of_actions, value_loss=of_states)
        told = {**sums.means(), "explained_variance": losses.explained_variance(expected, data.target)}
        return {**told, "learning_rate": rate}


def exploring(value: Tensor, mask: Tensor, explore: float) -> Tensor:
    """The probabilities with which actions are drawn: the best one, or with this chance any legal one.

    ``value``: `[m, A]` float32; ``mask``: `[m, A]` int8, 1 where legal. Returns `[m, A]` float32.
    """
    policy = explore * mask / mask.sum(-1, keepdim=True)
    policy.scatter_add_(1, value.argmax(-1, keepdim=True), policy.new_full((len(value), 1), 1 - explore))
    return policy
