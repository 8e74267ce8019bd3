"""Plackett–Luce ratings: one strength an agent, by maximum likelihood over all results, with bootstrap intervals.

Whoever finishes first of those at the table is agent i with probability s_i / (the sum of the strengths at the
table), and so on among the rest. A result may hold an agent several times (three seats, two of them held by the same
agent).

Ties: those who tied finished in some order, and that order is not known. So a result with ties is as likely as all
orders that agree with it together: where a match knows only a winner, the fit is that of "who wins"; where it knows
only a loser, of "who loses"; a result in which all tied says nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

Ranking = tuple[tuple[int, ...], ...]
"""Agents' numbers, best first, in groups of those that tied: ((0,), (1, 1)) is agent 0 before two seats of agent 1."""

ELO = 400 / np.log(10)
"""Points on the familiar scale per unit of log-strength: 400 points are odds of ten to one."""


@dataclass(frozen=True)
class Rating:
    """An agent's strength in points of the 400-points scale, the mean of all agents being 0, with its 95 % interval."""

    agent: str
    mean: float
    low: float
    high: float


class Results:
    """Counted results of agents 0 … N − 1, ready to be fitted again and again with other counts."""

    def __init__(self, rankings: Sequence[Ranking], agents: int) -> None:
        """rankings: K different results, all of the same number of seats."""
        seats = {sum(map(len, ranking)) for ranking in rankings}
        if len(seats) != 1:
            raise ValueError("rankings: every result must have the same number of seats")
        telling = [(k, ranking) for k, ranking in enumerate(rankings) if len(ranking) > 1]
        rows = [(k, order) for k, ranking in telling for order in _orders(ranking)]
        self.agents = agents
        self.owner = np.array([k for k, _ in rows], dtype=np.int64)
        self.orders = np.array([order for _, order in rows], dtype=np.int64).reshape(len(rows), *seats)
        self._seated = np.eye(agents)[self.orders]

    def fit(
        self, counts: NDArray[np.float64], *, prior: float = 1e-3, start: NDArray[np.float64] | None = None
    ) -> NDArray[np.float64]:
        """Log-strengths [N] of mean 0 that make the results most likely.

        counts: [K] float64, how often each result came. prior: the weight of a normal prior around 0, which only
        keeps the strength of an agent that never lost finite. start: [N] log-strengths to begin with.
        """
        theta = np.zeros(self.agents) if start is None else start.copy()
        if not len(self.orders):
            return theta
        seated, stages = self._seated, self.orders.shape[1] - 1
        # At stage j the seats from place j on are still to be ranked.
        waiting = np.arange(stages)[:, None] <= np.arange(stages + 1)
        for _ in range(500):
            value = theta[self.orders]
            left = np.where(waiting, np.exp(value)[:, None, :], 0)
            total = left.sum(axis=2)
            likelihood = np.exp((value[:, :-1] - np.log(total)).sum(axis=1))
            # How often each order of a tied result is to be thought to have happened (the E step of EM).
            weight = likelihood * (counts / _sums(self.owner, likelihood, len(counts)))[self.owner]
            chance = (left / total[:, :, None]) @ seated
            gradient = weight @ (seated[:, :-1] - chance).sum(axis=1) - prior * theta
            curvature = np.einsum("r,rjn,rjm->nm", weight, chance, chance)
            curvature -= np.diag(weight @ chance.sum(axis=1)) + prior * np.eye(self.agents)
            # Newton's step, kept short where the likelihood is flat. Adding the same to all strengths changes nothing;
            # the 1 gives this direction, in which there is no gradient, a curvature.
            step = np.clip(np.linalg.solve(1 - curvature, gradient), -1, 1)
            theta = theta + step - step.mean()
            if np.abs(step).max() < 1e-9:
                break
        return theta

    def bootstrap(
        self, counts: NDArray[np.float64], *, resamples: int = 400, seed: int = 0
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The log-strengths of all deals, [N], and of resampled deals, [resamples, N].

        counts: [deals, K] float64, how often each result came in each deal. The deal is drawn anew as a whole, with
        all its rotations and pairs, since these share their luck.
        """
        rng = np.random.default_rng(seed)
        best = self.fit(counts.sum(axis=0))
        drawn = rng.multinomial(len(counts), np.full(len(counts), 1 / len(counts)), size=resamples)
        return best, np.array([self.fit(sample @ counts, start=best) for sample in drawn])


def rate(names: Sequence[str], rankings: Sequence[Ranking], counts: NDArray[np.float64], seed: int = 0) -> list[Rating]:
    """Ratings of the named agents, best first.

    counts: [deals, K] float64, how often each of the K rankings came in a deal.
    """
    best, drawn = Results(rankings, len(names)).bootstrap(counts, seed=seed)
    low, high = np.percentile(drawn, (2.5, 97.5), axis=0)
    low, high = np.minimum(low, best), np.maximum(high, best)  # where all draws agree they may round to its other side
    rows = [Rating(name, *(float(ELO * x[i]) + 0.0 for x in (best, low, high))) for i, name in enumerate(names)]
    return sorted(rows, key=lambda row: -row.mean)


def ranking(agents: Iterable[int], scores: Iterable[float]) -> Ranking:
    """A result from the agents' numbers and their scores, higher is better."""
    groups: dict[float, list[int]] = {}
    for agent, score in zip(agents, scores, strict=True):
        groups.setdefault(score, []).append(agent)
    return tuple(tuple(sorted(groups[score])) for score in sorted(groups, reverse=True))


def _orders(ranking: Ranking) -> set[tuple[int, ...]]:
    """All different orders without ties that agree with a result."""
    return {sum(parts, ()) for parts in product(*(set(permutations(group)) for group in ranking))}


def _sums(owner: NDArray[np.int64], values: NDArray[np.float64], size: int) -> NDArray[np.float64]:
    """The sum of the values of each owner, [size], 1 for one that has none."""
    summed = np.bincount(owner, values, minlength=size)
    return np.where(np.bincount(owner, minlength=size) > 0, summed, 1.0)
