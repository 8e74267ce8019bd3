"""Counterfactual regret minimisation in the whole tree of a small game: towards an equilibrium, with nothing sampled.

Discounted CFR (Brown and Sandholm, Solving Imperfect-Information Games via Discounted Regret Minimization, AAAI 2019):
regrets and the average policy of earlier iterations count less and less. The seats take turns. Where the tree is one in
which a seat remembers all that it did, the average policy comes to an equilibrium. Where several ways lead to one
position (see ``GameTree.shared``) that is no theorem; NashConv tells how near it is either way.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from karty.training.exact import Policy, reach, uniform, values
from karty.training.gametree import GameTree


class DiscountedCFR:
    """The regrets and the average policy of both seats, iteration by iteration.

    After iteration t positive regrets are multiplied by tᵅ / (tᵅ + 1), negative ones by tᵝ / (tᵝ + 1), and what the
    average policy has gathered by (t / (t + 1))ᵞ. ``alpha=inf, beta=-inf, gamma=1`` is CFR+.
    """

    def __init__(self, tree: GameTree, alpha: float = 1.5, beta: float = 0.0, gamma: float = 2.0) -> None:
        self.tree, self.alpha, self.beta, self.gamma = tree, alpha, beta, gamma
        self.iterations = 0
        self.regret = np.zeros(len(tree.action))
        self.gathered = np.zeros(len(tree.action))
        self.policy = uniform(tree)
        self._seats = tree.set_seat[tree.set_of]
        _, self._head = np.unique(tree.information_set, return_index=True)

    @property
    def average(self) -> Policy:
        """The average policy, [S]: what comes to an equilibrium; uniform where a seat never went."""
        return _shares(self.tree, self.gathered)

    def iterate(self) -> None:
        """One iteration: first seat 0, then seat 1 learns from the policy of both as it is."""
        tree, t = self.tree, self.iterations + 1
        for seat in (0, 1):
            own = reach(tree, self.policy, (seat,), chance=False)
            weight = reach(tree, self.policy, (1 - seat,), chance=True)
            if seat == 1:
                weight = -weight  # what seat 0 is paid seat 1 pays
            value = values(tree, self.policy)
            better = weight[tree.parent] * (value[tree.child] - value[tree.parent])
            mine = self._seats == seat
            regret = np.bincount(tree.choice, better, len(tree.action))
            self.regret[mine] += regret[mine]
            self.gathered[mine] += (own[self._head][tree.set_of] * self.policy)[mine]
            positive = self.regret > 0
            kept = np.where(positive, _kept(t, self.alpha), _kept(t, self.beta))
            self.regret[mine] *= kept[mine]
            self.gathered[mine] *= (t / (t + 1)) ** self.gamma
            self.policy = np.where(mine, _shares(tree, np.maximum(self.regret, 0)), self.policy)
        self.iterations = t

    def run(self, iterations: int) -> Iterator[int]:
        """So many iterations; gives the number of each after it."""
        for _ in range(iterations):
            self.iterate()
            yield self.iterations


def _kept(t: int, power: float) -> float:
    """What is kept of a regret after iteration t: t to this power over itself plus 1."""
    return float(power > 0) if np.isinf(power) else float(t**power / (t**power + 1))


def _shares(tree: GameTree, weight: Policy) -> Policy:
    """Weights [S], none below 0, as shares within each information set; uniform where all are 0."""
    total = np.add.reduceat(weight, tree.first_choice)[tree.set_of]
    return np.where(total > 0, weight / np.where(total > 0, total, 1), uniform(tree))
