"""Earlier selves of the network, whom it meets again at some tables, those most often that it beats least often."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from karty.agents.fields import read_fields
from karty.agents.network import Network, NetworkAgent, all_finite, same_kind
from karty.training.selfplay import Tables

_COMPANY = "past"


@dataclass
class PastSelf:
    """An earlier self: after how many ``decisions``; of ``met`` episodes against it the network ``won`` so many."""

    decisions: int
    met: int = 0
    won: int = 0

    @property
    def weight(self) -> float:
        """How often it sits down: (1 − share won)² (prioritised fictitious self-play, Vinyals et al. 2019)."""
        return (1 - (self.won + 1) / (self.met + 2)) ** 2


class Pool:
    """The earlier selves, the oldest first; ``agent`` plays the one that is seated."""

    def __init__(self, network: Network, game: str, version: int, most: int, *, greedy: bool = False) -> None:
        """``network``: whose selves they are; ``most``: how many are kept; ``greedy``: they take the best action."""
        twin = copy.deepcopy(network).requires_grad_(False)
        self.agent = NetworkAgent(twin, name=_COMPANY, game=game, version=version, greedy=greedy)
        self.most = most
        self.selves: list[PastSelf] = []
        self._weights: list[dict[str, Tensor]] = []
        self._seated: PastSelf | None = None

    def is_due(self, decisions: int, every: int) -> bool:
        """Is the network, after so many decisions, to join them: at first, and then after ``every`` decisions?"""
        return not self.selves or decisions - self.selves[-1].decisions >= every

    def keep(self, network: Network, decisions: int) -> None:
        """Add the network as it is after so many decisions; the oldest leaves if there are too many."""
        self.selves.append(PastSelf(decisions))
        self._weights.append({name: tensor.detach().clone() for name, tensor in network.state_dict().items()})
        del self.selves[: -self.most], self._weights[: -self.most]

    def draw(self, rng: np.random.Generator, *, one_more: bool) -> int:
        """The number of the one that is to sit down; ``one_more``: the network is about to join them."""
        selves = [*self.selves, PastSelf(0)][-self.most :] if one_more else self.selves
        weight = np.array([each.weight for each in selves])
        return int(rng.choice(len(weight), p=weight / weight.sum()))

    def seat(self, number: int | None, network: Network) -> None:
        """Let an earlier self sit down, so that the agent plays as it did; None: the network as it is now."""
        self._seated = None if number is None else self.selves[number]
        self.agent.network.load_state_dict(network.state_dict() if number is None else self._weights[number])

    def results(
        self, tables: Tables, seat: NDArray[np.int8], reward: NDArray[np.float32], ended: NDArray[Any]
    ) -> tuple[int, int]:
        """How many episodes ended at the tables of earlier selves, and how many of them the network won.

        ``seat`` `[T, n]`: who decided; ``reward`` `[T, n, P]`: pay of all seats where ``ended`` `[T, n]` bool.
        """
        at = ended & tables.rows(_COMPANY)
        return int(at.sum()), int((reward[at, seat[at]] > 0).sum())

    def note(self, met: int, won: int) -> None:
        """Book the results to the one that sits; a match that began against another one counts for it too."""
        if self._seated is not None:
            self._seated.met += met
            self._seated.won += won

    def tensors(self) -> dict[str, Tensor]:
        """The weights of all by number and name."""
        return {f"{k}.{name}": x for k, weights in enumerate(self._weights) for name, x in weights.items()}

    def told(self) -> list[dict[str, Any]]:
        """What is known of them, as JSON knows it."""
        return [asdict(each) for each in self.selves]

    def restore(self, tensors: Mapping[str, Tensor], told: list[dict[str, Any]]) -> None:
        """Take back what ``tensors`` and ``told`` gave; ValueError if that does not fit the network."""
        self.selves = [read_fields(PastSelf, each, "past.") for each in told]
        mine = self.agent.network.state_dict()
        self._weights = [
            {name: tensors[f"{k}.{name}"] for name in mine if f"{k}.{name}" in tensors} for k in range(len(told))
        ]
        if len(tensors) != len(mine) * len(told) or not all(
            same_kind(weights, mine) and all_finite(weights) for weights in self._weights
        ):
            raise ValueError("the weights of its earlier selves do not fit the network, or are not finite")
        if any(each.met < each.won or min(each.met, each.won, each.decisions) < 0 for each in self.selves):
            raise ValueError("the counts of its earlier selves are impossible")
