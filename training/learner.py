"""The network in training: what it learns from a batch of judged decisions, and how it is kept."""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from karty.agents.network import Network, all_finite, same_kind
from karty.training import losses, run
from karty.training.advantage import normalise, normalise_each
from karty.training.config import ImitationConfig, PPOConfig
from karty.training.judge import Judge, Judged
from karty.training.phases import Phases
from karty.training.processes import Alone
from karty.training.rollout import Rollout


class Learner:
    """The network in training, its optimiser, and the running average of its weights, which plays in the end."""

    def __init__(
        self, network: Network, judge: Judge, config: PPOConfig, phases: Phases, crew: Alone | None = None
    ) -> None:
        """``judge`` learns beside the network; ``config`` says how fast; ``phases`` name the entropy's factors.

        ``crew``: the processes that learn the same, each from rows of its own.
        """
        self.network, self.judge, self.config, self.crew = network, judge, config, crew or Alone()
        self.average = copy.deepcopy(network).requires_grad_(False)
        self.average.bf16 = False  # it is measured as it will be played
        self.modules: dict[str, nn.Module] = {"weights": network, "average": self.average, "judge": judge}
        self.weights, self.critic = list(network.parameters()), list(judge.parameters())
        self.named = {**dict(network.named_parameters()), **dict(judge.named_parameters(prefix="judge"))}
        self.optimiser = torch.optim.Adam(self.named.values(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.factors = entropy_factors(config.entropy_phases, phases)
        self.steps = 0

    def improve(
        self, data: Decisions, fraction: float, generator: torch.Generator, counted: Sequence[int] = ()
    ) -> dict[str, Any]:
        """One update of PPO; means over the last epoch.

        ``fraction``: how much of the run is over, 0 … 1; ``counted``: how many decisions each process learns from.
        """
        config, network = self.config, self.network
        rate, bonus = self._rate(fraction), falling(config.entropy, config.entropy_end, fraction)
        for _ in range(config.epochs):
            sums = Sums()
            for rows in data.shuffled(self._parts(data, counted), generator):
                seen, mask = data.observation.index_select(0, rows), data.mask.index_select(0, rows)
                features = network.features(seen)
                logits, value = network.actor(features, mask), network.critic(features).squeeze(-1)
                log_probability = logits.log_softmax(-1)
                policy, clipped, divergence = self._policy_loss(data, rows, logits, log_probability)
                critic = losses.value_loss(value, data.target[rows]) + self.judge.loss(data, rows, features)
                entropy = losses.entropy(logits, log_probability)
                loss = policy + config.value_coefficient * critic
                loss = loss - bonus * (self.factors[data.phase[rows]] * entropy).mean()
                if config.magnet:
                    with torch.no_grad():
                        pull, _ = self.average(seen, mask)
                    loss = loss + config.magnet * losses.divergence(logits, log_probability, pull.log_softmax(-1))
                self._step(loss, rate)
                data.note_entropy(rows, entropy)
                sums.add(policy_loss=policy, value_loss=critic, entropy=entropy.mean(), clipped=clipped, kl=divergence)
        told = {**sums.means(), "explained_variance": losses.explained_variance(data.expected, data.target)}
        return {**told, "phases": data.by_phase(), "learning_rate": rate, "entropy_weight": bonus}

    def _policy_loss(
        self, data: Decisions, rows: Tensor, logits: Tensor, log_probability: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """PPO's objective, for all actions where all were judged, else for those taken; clipped share, divergence."""
        clip_range = self.config.clip_range
        new = losses.chosen(log_probability, data.action[rows])
        loss, clipped, divergence = losses.policy_loss(new, data.old[rows], data.advantage[rows], clip_range)
        if data.each is not None and data.policy is not None:
            old, gain = data.policy.index_select(0, rows), data.each.index_select(0, rows)
            of_all, clipped, divergence = losses.all_actions_loss(logits, old, gain, clip_range)
            loss = of_all + loss
        return loss, clipped, divergence

    def imitate(
        self, data: Decisions, how: ImitationConfig, generator: torch.Generator, counted: Sequence[int] = ()
    ) -> dict[str, Any]:
        """Learn to do what was done, and what it was worth; means over the last epoch. Arguments as above."""
        network = self.network
        for _ in range(how.imitation_epochs):
            sums = Sums()
            for rows in data.shuffled(self._parts(data, counted), generator):
                mask, action = data.mask.index_select(0, rows), data.action[rows]
                features = network.features(data.observation.index_select(0, rows))
                logits, value = network.actor(features, mask), network.critic(features).squeeze(-1)
                log_probability = logits.log_softmax(-1)
                policy = losses.imitation_loss(log_probability, mask, action, how.smoothing)
                critic = losses.value_loss(value, data.target[rows]) + self.judge.loss(data, rows, features)
                self._step(policy + self.config.value_coefficient * critic, how.imitation_rate)
                with torch.no_grad():
                    entropy = losses.entropy(logits, log_probability)
                    agreed = (logits.argmax(-1) == action).float().mean()
                data.note_entropy(rows, entropy)
                sums.add(policy_loss=policy, value_loss=critic, entropy=entropy.mean(), agreement=agreed)
        told = {**sums.means(), "explained_variance": losses.explained_variance(data.expected, data.target)}
        return {**told, "phases": data.by_phase()}

    def _rate(self, fraction: float) -> float:
        """Adam's learning rate when so much of the run is over: it falls linearly."""
        start, end = self.config.learning_rate, self.config.learning_rate_end
        return start + fraction * (end - start)

    def _parts(self, data: Decisions, counted: Sequence[int]) -> int:
        """In how many gradient steps the decisions are learned from: as many in each process, and none without any."""
        counted = counted or [len(data.action)]
        return min(max(1, round(sum(counted) / self.config.minibatch)), *counted)

    def _step(self, loss: Tensor, rate: float) -> None:
        """One gradient step, and the average follows."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        self.crew.average(self.named.values())
        for weights in (self.weights, self.critic):
            torch.nn.utils.clip_grad_norm_(weights, self.config.max_grad_norm)
        self.optimiser.step()
        self.steps += 1
        # At first the average is over the few steps that there were, so that it never holds on to the random start.
        stays = min(self.config.ema_decay, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for average, weight in zip(self.average.parameters(), self.weights, strict=True):
                average.lerp_(weight, 1 - stays)

    def tensors(self) -> dict[str, dict[str, Tensor]]:
        """All that it has learned, by file and name."""
        moments = {
            f"{name}.{key}": value
            for name, weight in self.named.items()
            for key, value in self.optimiser.state[weight].items()
        }
        learned = {part: module.state_dict() for part, module in self.modules.items()}
        return {"moments": moments, **{part: tensors for part, tensors in learned.items() if tensors}}

    def restore(self, saved: Path, learned: dict[str, dict[str, Tensor]], steps: int) -> None:
        """Take back what ``tensors`` gave after so many gradient steps; CheckpointError if it does not fit."""
        try:
            moments = learned["moments"]
            for name, weight in self.named.items():
                its = {key: moments.pop(f"{name}.{key}") for key in ("step", "exp_avg", "exp_avg_sq")}
                if not same_kind(its, {"step": torch.tensor(0.0), "exp_avg": weight, "exp_avg_sq": weight}):
                    raise ValueError(f"the moments of {name} do not fit it")
                if not all_finite(its) or its["step"] < 0 or (its["exp_avg_sq"] < 0).any():
                    raise ValueError(f"the moments of {name} are impossible")
                self.optimiser.state[weight] = its
            for part, module in self.modules.items():
                if module.state_dict():
                    load_checked(module, learned[part], part)
        except (KeyError, RuntimeError, ValueError) as error:
            raise run.foreign(saved, error) from error
        self.steps = steps


def falling(start: float, end: float, fraction: float) -> float:
    """A number that falls geometrically from start to end, when so much of the run is over."""
    return start * math.pow(end / start, fraction)


def load_checked(module: nn.Module, tensors: dict[str, Tensor], what: str) -> None:
    """Load weights into a module; ValueError if they do not fit it or are not finite."""
    if not same_kind(tensors, module.state_dict()) or not all_finite(tensors):
        raise ValueError(f"its {what} do not fit the network, or are not finite")
    module.load_state_dict(tensors)


@dataclass(frozen=True)
class Decisions:
    """The decisions to learn from, m rows, taken from a rollout.

    ``observation`` `[m, F]` int8, ``told`` `[m, K]`: what the judge's critic is told besides (K = 0 for none), ``mask``
    `[m, A]` int8, ``action`` `[m]` int64, ``old`` `[m]` float32 (its log probability then), ``expected`` and ``target``
    `[m]` float32 in units of reward: what the critic that judged expected, and what the network's own is to learn;
    ``goal``: what the judge's own critic is to learn, ``advantage`` `[m]` float32, normalised;
    ``phase`` `[m]` int64 of ``phases``, ``spread`` the advantages' standard deviation in each before that;
    ``undecided`` `[phases, 2]` float64 collects each phase's entropy and count. Where every action was judged: ``each``
    `[m, A]` float32, their advantages, normalised, and ``policy`` `[m, A]` float32, their probabilities then.
    """

    observation: Tensor
    told: Tensor
    mask: Tensor
    action: Tensor
    old: Tensor
    expected: Tensor
    target: Tensor
    goal: Tensor
    advantage: Tensor
    phase: Tensor
    phases: Phases
    spread: list[float]
    undecided: Tensor
    each: Tensor | None = None
    policy: Tensor | None = None

    @classmethod
    def of(cls, rollout: Rollout, judged: Judged, phases: Phases, *, by_phase: bool) -> Decisions:
        """Those decisions of a rollout whose consequences it has seen."""
        rows = torch.from_numpy(np.flatnonzero(judged.counted))

        def of_rows(array: NDArray[Any]) -> Tensor:
            flat = array[: rollout.steps].reshape(rollout.steps * rollout.tables, *array.shape[2:])
            return torch.from_numpy(flat).index_select(0, rows)

        observation, gain = of_rows(rollout.arrays["observation"]), of_rows(judged.advantage).numpy()
        phase = phases.of(observation.numpy())
        each = policy = None
        if judged.each is not None and judged.policy is not None:
            policy = torch.from_numpy(judged.policy).index_select(0, rows)
            judged_each = torch.from_numpy(judged.each).index_select(0, rows).numpy()
            found = normalise_each(judged_each, policy.numpy(), gain, phase if by_phase else None)
            each, advantage = (torch.from_numpy(x) for x in found)
        else:
            advantage = torch.from_numpy(normalise(gain, phase if by_phase else None))
        return cls(
            observation=observation,
            told=of_rows(judged.told),
            mask=of_rows(rollout.arrays["mask"]),
            action=of_rows(rollout.action),
            old=of_rows(rollout.log_probability),
            expected=of_rows(judged.expected),
            target=of_rows(judged.target),
            goal=of_rows(judged.goal),
            advantage=advantage,
            phase=torch.from_numpy(phase),
            phases=phases,
            spread=[float(gain[phase == k].std()) if (phase == k).any() else 0.0 for k in range(len(phases.names))],
            undecided=torch.zeros(len(phases.names), 2, dtype=torch.float64),
            each=each,
            policy=policy,
        )

    def shuffled(self, parts: int, generator: torch.Generator) -> Iterator[Tensor]:
        """The numbers of all rows in random order, in so many even parts."""
        yield from torch.randperm(len(self.action), generator=generator).tensor_split(parts)

    def note_entropy(self, rows: Tensor, entropy: Tensor) -> None:
        """Keep how undecided the network was, by phase. ``rows``: `[k]` int64; ``entropy``: `[k]`, nats."""
        pairs = torch.stack([entropy.detach().double(), torch.ones(len(rows), dtype=torch.float64)], -1)
        self.undecided.index_add_(0, self.phase[rows], pairs)

    def by_phase(self) -> dict[str, dict[str, float]]:
        """By phase: the mean entropy in nats, and the standard deviation of the advantages in units of reward."""
        return {
            name: {"entropy": total / count, "advantage_sd": spread}
            for name, (total, count), spread in zip(
                self.phases.names, self.undecided.tolist(), self.spread, strict=True
            )
            if count
        }


def entropy_factors(words: Sequence[str], phases: Phases) -> Tensor:
    """How much the entropy weighs in each phase, `[phases]` float32; ValueError for a phase that there is not."""
    factors = torch.ones(len(phases.names))
    for word in words:
        name, _, factor = word.partition("=")
        if name not in phases.names:
            raise ValueError(f"--entropy-phases: there is no phase {name!r}; phases: {', '.join(phases.names)}")
        factors[phases.names.index(name)] = float(factor)
    return factors


class Sums:
    """Running sums of numbers by name."""

    def __init__(self) -> None:
        self._sums: dict[str, Tensor] = {}
        self._count = 0

    def add(self, **values: Tensor) -> None:
        """Add scalars, all names each time."""
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, torch.zeros(())) + value.detach()
        self._count += 1

    def means(self) -> dict[str, Any]:
        """The mean of each."""
        return {name: float(total) / self._count for name, total in self._sums.items()}
