"""Critics that see all cards: for training only, where nobody is harmed by what they know.

An observer's critic has to guess where the cards lie, and the luck of the deal is noise to it. These are shown the
observation and what the seat asked cannot see. The player itself never is, so they are thrown away once it has learned.
"""

from __future__ import annotations

from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from karty.agents.network import LegalLinear, SparseLinear, columns_of, scale_of
from karty.envs.layout import Layout

_SMALL = 0.01
"""The gain of the last layers: a new critic expects next to nothing, and so do the first advantages made with it."""


class _AllCards(nn.Module):
    """What both critics share: a sparse first layer over both rows, then dense hidden ones with ReLU."""

    def __init__(
        self,
        layouts: tuple[Layout, Layout],
        *,
        width: int,
        depth: int,
        active: NDArray[np.bool_] | None,
        generator: torch.Generator | None,
    ) -> None:
        """``layouts``: of the observation and of what is hidden; the rest as in ``CentralCritic``."""
        super().__init__()
        self.layouts = layouts
        seen, hidden = layouts
        sure = np.ones(seen.size, bool) if active is None else active
        columns = np.concatenate([columns_of(seen, sure), np.ones(hidden.expanded, bool)])
        self.first = SparseLinear(np.concatenate([scale_of(layout) for layout in layouts]), columns, width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        with torch.no_grad():
            for layer in (self.first, *self.hidden):
                nn.init.orthogonal_(cast(Tensor, layer.weight), 2**0.5, generator=generator)
                nn.init.zeros_(cast(Tensor, layer.bias))
            self.first.weight.mul_(self.first.active[:, None])

    def forward(self, observation: Tensor, hidden: Tensor) -> Tensor:
        """``observation``: `[m, F]` int8; ``hidden``: `[m, H]` int8. Returns `[m, width]` float32."""
        parts = []
        for name, rows, layout in zip(("observation", "hidden"), (observation, hidden), self.layouts, strict=True):
            if rows.shape[1] != layout.size:  # compiled code would read past the end
                raise ValueError(f"{name}: rows of {rows.shape[1]} columns; its layout has {layout.size}")
            whole = layout.expanded == layout.size
            parts.append(rows if whole else torch.from_numpy(layout.expand(rows.numpy())))
        x: Tensor = self.first(torch.cat(parts, 1)).relu_()
        for layer in self.hidden:
            x = layer(x).relu_()
        return x


class CentralCritic(nn.Module):
    """What the seat asked may expect, all cards seen."""

    def __init__(
        self,
        observation_layout: Layout,
        hidden_layout: Layout,
        *,
        width: int,
        depth: int,
        active: NDArray[np.bool_] | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        """Make one with orthogonal weights, the last layer near zero.

        ``width``, ``depth``: size and number of the hidden layers; ``active``: `[F]` bool, observation columns that can
        vary (None: all).
        """
        super().__init__()
        self.trunk = _AllCards(
            (observation_layout, hidden_layout), width=width, depth=depth, active=active, generator=generator
        )
        self.last = nn.Linear(width, 1)
        nn.init.orthogonal_(self.last.weight, _SMALL, generator=generator)
        nn.init.zeros_(self.last.bias)

    def forward(self, observation: Tensor, hidden: Tensor) -> Tensor:
        """The expected reward of the seat asked.

        ``observation``: `[m, F]` int8; ``hidden``: `[m, H]` int8, what that seat cannot see. Returns `[m]` float32, in
        units of reward. ValueError for rows of another length than their layouts'.
        """
        value: Tensor = self.last(self.trunk(observation, hidden)).squeeze(-1)
        return value


class ActionCritic(nn.Module):
    """What every seat may expect after each legal action, all cards seen (VRPO, arXiv 2605.19235)."""

    def __init__(
        self,
        observation_layout: Layout,
        hidden_layout: Layout,
        actions: int,
        seats: int,
        *,
        width: int,
        depth: int,
        active: NDArray[np.bool_] | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        """Make one with orthogonal weights, the last layer near zero.

        ``actions``: A; ``seats``: P; ``width``, ``depth``: size and number of the hidden layers; ``active``: `[F]`
        bool, observation columns that can vary (None: all).
        """
        super().__init__()
        self.actions, self.seats = actions, seats
        self.trunk = _AllCards(
            (observation_layout, hidden_layout), width=width, depth=depth, active=active, generator=generator
        )
        # What a row's actions have in common is a part of its own: every row teaches it, whatever was played there.
        self.common = nn.Linear(width, seats)
        # One layer for all seats: an action that is legal has an output for each of them, one block after another.
        self.last = LegalLinear(width, seats * actions)
        for layer in (self.common, self.last):
            nn.init.orthogonal_(layer.weight, _SMALL, generator=generator)
        nn.init.zeros_(self.common.bias)

    def forward(self, observation: Tensor, hidden: Tensor, mask: Tensor) -> Tensor:
        """The expected reward of every seat after each action.

        ``observation``: `[m, F]` int8; ``hidden``: `[m, H]` int8, what the seat asked cannot see; ``mask``: `[m, A]`
        int8, 1 for the actions to judge. Returns `[m, P, A]` float32, in units of reward, seats clockwise from the seat
        asked, exactly 0 where the mask is 0. ValueError for rows of another length than those.
        """
        if mask.shape[1] != self.actions:
            raise ValueError(f"mask: rows of {mask.shape[1]} columns; there are {self.actions} actions")
        x = self.trunk(observation, hidden)
        own = self.last(x, mask.repeat(1, self.seats)).view(-1, self.seats, self.actions)
        # Chosen, not multiplied by the mask: what the layer holds of other actions is too far from 0 for any sum.
        return torch.where(mask.bool()[:, None], own + self.common(x)[:, :, None], 0.0)
