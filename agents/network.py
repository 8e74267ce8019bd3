"""The masked actor-critic network, and the agent that plays with one.

One network sees one seat's observation and answers what it would do there and how the episode will end for that seat;
seats are counted from the observer, so the same network holds every seat. Actor and critic share all layers but the
last.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from karty.agents import checkpoint, sparse
from karty.agents.agent import OF_SEATS, WEIGHTS, surely
from karty.agents.checkpoint import CheckpointError
from karty.agents.sparse import NEVER
from karty.envs import kernel
from karty.envs.game import Game, make_rules
from karty.envs.layout import Layout

_ROWS = 4096
"""Rows that an agent computes at once; more would leave the processor's cache."""


def mask_out(logits: Tensor, mask: Tensor) -> Tensor:
    """Logits with every illegal action's set to NEVER.

    ``logits``: `[m, A]` float32; ``mask``: `[m, A]` int8 or bool, 0 where illegal. Returns `[m, A]` float32.
    """
    return torch.where(mask.bool(), logits, float(NEVER))


class _AddUp(torch.autograd.Function):
    """The compiled first layer and its gradient, for torch."""

    @staticmethod
    def forward(
        context: Any,
        observation: Tensor,
        weight: Tensor,
        bias: Tensor,
        scale: NDArray[np.float32],
        active: NDArray[np.int8],
    ) -> Tensor:
        rows = observation.numpy()
        found, count = sparse.find(rows, active)
        out = torch.empty((len(rows), weight.shape[1]))
        sparse.add_up(rows, found, count, scale, weight.detach().numpy(), bias.detach().numpy(), out.numpy())
        context.saved = (rows, found, count, scale, len(weight))
        return out

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        rows, found, count, scale, size = context.saved
        gradient = gradients[0].contiguous()
        slope = torch.empty((size, gradient.shape[1]))
        sparse.spread(rows, found, count, scale, gradient.numpy(), slope.numpy())
        return None, slope, gradient.sum(0), None, None


class SparseLinear(nn.Module):
    """A linear layer over int8 observation columns, quick where most of them are zero.

    ``weight`` is `[E, H]`, a row an input column; each column is divided by its declared bound. Columns that are not
    ``active`` are never looked at and keep weight 0.
    """

    scale: Tensor
    active: Tensor

    def __init__(self, scale: NDArray[np.float32], active: NDArray[np.bool_], width: int) -> None:
        """``scale``: `[E]` float32, 1 / bound; ``active``: `[E]` bool, columns that can tell anything; ``width``: H."""
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(len(scale), width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.register_buffer("scale", torch.from_numpy(scale.copy()), persistent=False)
        self.register_buffer("active", torch.from_numpy(active.astype(np.int8)))

    def forward(self, observation: Tensor) -> Tensor:
        """``observation``: `[m, E]` int8, contiguous. Returns `[m, H]` float32."""
        if kernel.PLAIN:
            return (observation * self.active) * self.scale @ self.weight + self.bias
        out: Tensor = _AddUp.apply(  # type: ignore[no-untyped-call]
            observation, self.weight, self.bias, self.scale.numpy(), self.active.numpy()
        )
        return out


class _Score(torch.autograd.Function):
    """The compiled last layer and its gradients, for torch."""

    @staticmethod
    def forward(context: Any, x: Tensor, mask: Tensor, weight: Tensor, bias: Tensor) -> Tensor:
        context.save_for_backward(x, mask, weight)
        out = torch.empty(mask.shape)
        sparse.score(x.detach().numpy(), mask.numpy(), weight.detach().numpy(), bias.detach().numpy(), out.numpy())
        return out

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        x, mask, weight = context.saved_tensors
        to_x, to_weight, to_bias = torch.empty_like(x), torch.empty_like(weight), torch.empty(len(weight))
        gradient = gradients[0].contiguous().numpy()
        sparse.unscore(
            x.numpy(), mask.numpy(), gradient, weight.detach().numpy(), to_x.numpy(), to_weight.numpy(), to_bias.numpy()
        )
        return to_x, None, to_weight, to_bias


class LegalLinear(nn.Module):
    """A linear layer to one logit an action that forms only those of legal actions; ``weight`` is `[A, H]`."""

    def __init__(self, width: int, actions: int) -> None:
        """``width``: H; ``actions``: A."""
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(actions, width))
        self.bias = nn.Parameter(torch.zeros(actions))

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """``x``: `[m, H]` float32; ``mask``: `[m, A]` int8. Returns `[m, A]` float32, NEVER where not legal."""
        if kernel.PLAIN:
            return mask_out(nn.functional.linear(x, self.weight, self.bias), mask)
        out: Tensor = _Score.apply(x.contiguous(), mask.contiguous(), self.weight, self.bias)  # type: ignore[no-untyped-call]
        return out


class Network(nn.Module):
    """Actor and critic: a sparse first layer, dense hidden ones with ReLU, and one last layer each.

    Set ``bf16`` to have the dense layers multiply bfloat16 numbers; weights and all other layers stay float32.
    """

    def __init__(
        self,
        layout: Layout,
        actions: int,
        *,
        width: int,
        depth: int,
        active: NDArray[np.bool_] | None = None,
        generator: torch.Generator | None = None,
    ) -> None:
        """Make a network with orthogonal weights, the actor's last layer near zero so that it starts almost uniform.

        ``layout``: of the observation; ``actions``: A; ``width``, ``depth``: size and number of the hidden layers;
        ``active``: `[F]` bool, observation columns that can vary (None: all).
        """
        super().__init__()
        self.layout = layout
        self.actions = actions
        self.width, self.depth = width, depth
        self.bf16 = False
        every = np.ones(layout.size, bool) if active is None else active
        self.first = SparseLinear(scale_of(layout), columns_of(layout, every), width)
        self.hidden = nn.ModuleList(nn.Linear(width, width) for _ in range(depth - 1))
        self.actor = LegalLinear(width, actions)
        self.critic = nn.Linear(width, 1)
        with torch.no_grad():
            for layer in (self.first, *self.hidden):
                nn.init.orthogonal_(cast(Tensor, layer.weight), 2**0.5, generator=generator)
                nn.init.zeros_(cast(Tensor, layer.bias))
            self.first.weight.mul_(self.first.active[:, None])
            nn.init.orthogonal_(self.actor.weight, 0.01, generator=generator)
            nn.init.orthogonal_(self.critic.weight, 1.0, generator=generator)
            nn.init.zeros_(self.critic.bias)

    def forward(self, observation: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and value of each row.

        ``observation``: `[m, F]` int8 as the engine writes it; ``mask``: `[m, A]` int8, 1 where legal. Returns
        ``logits`` `[m, A]` float32, NEVER where not legal, and ``value`` `[m]` float32, the observer's expected reward
        at the end.
        """
        x = self.features(observation)
        return self.actor(x, mask), self.critic(x).squeeze(-1)

    def value(self, observation: Tensor) -> Tensor:
        """The value alone, also where nobody is asked. ``observation``: `[m, F]` int8. Returns `[m]` float32."""
        value: Tensor = self.critic(self.features(observation)).squeeze(-1)
        return value

    def features(self, observation: Tensor) -> Tensor:
        """What actor and critic share, the last hidden layer, `[m, H]` float32. ``observation``: `[m, F]` int8."""
        if self.layout.expanded != self.layout.size:
            observation = torch.from_numpy(self.layout.expand(observation.numpy()))
        x: Tensor = self.first(observation.contiguous()).relu_()
        for layer in self.hidden:
            with torch.autocast("cpu", torch.bfloat16, enabled=self.bf16):
                x = layer(x)
            x = x.float().relu_()
        return x


def gain_of_bf16(width: int, rows: int) -> float:
    """How many times faster than in float32 a dense layer learns from so many rows in bfloat16, on this machine."""
    layer, x = nn.Linear(width, width), torch.zeros(rows, width, requires_grad=True)
    best = {True: math.inf, False: math.inf}
    for bf16 in [True, False] * 3:
        began = time.perf_counter()
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            out = layer(x)
        out.float().sum().backward()
        best[bf16] = min(best[bf16], time.perf_counter() - began)
    return best[False] / best[True]


def scale_of(layout: Layout) -> NDArray[np.float32]:
    """1 / bound of every expanded column, [E] float32: 1 for the one-hots of codes."""
    parts = [
        np.ones(f.size * len(f.values), np.float32) if f.kind == "code" else 1 / layout.bound[f.slice]
        for f in layout.fields
    ]
    return np.concatenate(parts).astype(np.float32)


def columns_of(layout: Layout, active: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which expanded columns are active, [E] bool, from the observation's columns, [F] bool."""
    parts = [np.repeat(active[f.slice], len(f.values) if f.kind == "code" else 1) for f in layout.fields]
    return np.concatenate(parts)


class NetworkAgent:
    """An agent that plays what its network holds most likely (or, not ``greedy``, draws from its probabilities)."""

    def __init__(self, network: Network, *, name: str, game: str, version: int, greedy: bool = True) -> None:
        """``name`` is what tables and records show; ``game`` and ``version`` tell what the network was trained on."""
        self.network = network.eval()
        self.name = name
        self.game = game
        self.version = version
        self.greedy = greedy

    def act(self, observation: NDArray[np.int8], mask: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """One legal action a row.

        ``observation``: `[m, F]` int8; ``mask``: `[m, A]` int8, 1 where legal; ``rng``: drawn from only if not greedy.
        Returns `[m]` int64.
        """
        actions = np.empty(len(observation), np.int64)
        for part, logits in self._logits(observation, mask):
            scores = logits.numpy()
            if not self.greedy:  # the largest of logit + Gumbel noise is a draw from the softmax
                scores = scores + rng.gumbel(size=scores.shape)
            actions[part] = scores.argmax(1)
        return actions

    def probabilities(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.float64]:
        """How likely each action is, `[m, A]` float64: all on the likeliest, or (not ``greedy``) what is drawn from.

        ``observation``: `[m, F]` int8; ``mask``: `[m, A]` int8, 1 where legal.
        """
        if self.greedy:
            return surely(self.act(observation, mask, np.random.default_rng()), mask.shape[1])
        found = np.empty(mask.shape)
        for part, logits in self._logits(observation, mask):
            found[part] = logits.double().softmax(1).numpy()
        return found

    def _logits(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Iterator[tuple[slice, Tensor]]:
        """What the network says of the rows, some at a time: which ones, and their logits `[k, A]` float32."""
        for start in range(0, len(observation), _ROWS):
            part = slice(start, start + _ROWS)
            rows, legal = np.array(observation[part], np.int8), np.array(mask[part], np.int8)
            with torch.no_grad():
                logits, _ = self.network(torch.from_numpy(rows), torch.from_numpy(legal))
            yield part, logits


def load_network(
    game: Game, path: str | os.PathLike[str], rules: Any = None, *, greedy: bool | None = None, name: str | None = None
) -> NetworkAgent:
    """The agent of a file or of a run folder (its latest checkpoint).

    ``rules``: those it is to play; ``greedy``: as for `NetworkAgent`, None for what the file says; ``name``: another
    one than the file's. Raises CheckpointError, one line, for a file that is no agent, cut short, or of another game,
    version or layout; says on stderr if it was trained under other rules.
    """
    rules = make_rules(game, rules)
    shape = game.shape(rules)
    file = checkpoint.agent_file(Path(path))
    tensors, about = checkpoint.read_agent(file)
    checkpoint.must_fit(file, about, game.name, game.version, shape.digest)
    size = (about.depth - 1, torch.Size([about.width]))
    hidden = sum(name.startswith("hidden.") for name in tensors) // 2
    # Asked before a network of the size that the header tells is made: a damaged size could ask for any memory.
    fits = about.depth >= 1 and "first.bias" in tensors and size == (hidden, tensors["first.bias"].shape)
    network = Network(shape.observation, len(shape.actions), width=about.width, depth=about.depth) if fits else None
    if network is None or not same_kind(tensors, network.state_dict()):
        raise CheckpointError(f"{file}: its weights do not fit the network that it describes")
    if not all_finite(tensors):
        raise CheckpointError(f"{file}: its weights are not all finite numbers")
    network.load_state_dict(tensors)
    trained_on: Sequence[Mapping[str, Any]] = about.rules
    if trained_on and rules.to_dict() not in trained_on:
        told = _difference(rules.to_dict(), trained_on)
        better = [other for other in _packed_for(game, rules.to_dict(), shape.digest) if other != about.name]
        also = f"; for these there is {' or '.join(better)}" if better else ""
        print(f"karty: agent {name or about.name} was trained under other rules ({told}){also}", file=sys.stderr)
    greedy = about.greedy if greedy is None else greedy
    return NetworkAgent(network, name=name or about.name, game=game.name, version=game.version, greedy=greedy)


def _packed_for(game: Game, rules: Mapping[str, Any], digest: str) -> Iterator[str]:
    """The names of the networks of the package that were trained under these rules, or under all that there are."""
    for path in sorted((WEIGHTS / game.name).glob("*.safetensors")):
        about = checkpoint.read_about(path)
        if about.shape == digest and (not about.rules or rules in about.rules):
            yield OF_SEATS.sub("", path.stem)


def same_kind(some: Mapping[str, Tensor], others: Mapping[str, Tensor]) -> bool:
    """Whether tensors have the same names, and by name the same shapes and types."""
    kinds = [{name: (tensor.shape, tensor.dtype) for name, tensor in each.items()} for each in (some, others)]
    return kinds[0] == kinds[1]


def all_finite(tensors: Mapping[str, Tensor]) -> bool:
    """Whether the tensors hold neither NaN nor infinity."""
    return all(bool(tensor.isfinite().all()) for tensor in tensors.values())


def _difference(rules: Mapping[str, Any], trained_on: Sequence[Mapping[str, Any]]) -> str:
    """The options in which these rules differ from the nearest ones of the training."""

    def changed(other: Mapping[str, Any]) -> list[str]:
        return [key for key, value in rules.items() if json.dumps(other.get(key)) != json.dumps(value)]

    nearest = min(trained_on, key=lambda other: len(changed(other)))
    return ", ".join(f"{key}={nearest.get(key)}, here {rules[key]}" for key in changed(nearest))
