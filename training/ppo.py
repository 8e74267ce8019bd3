"""Proximal policy optimisation for a table of seats, from top to bottom.

One network plays every seat. The tables are played for some steps; each seat's decisions are judged along its own
turns; the network moves towards what turned out better than expected, a little at a time; and so on. Before that it
may imitate a player, which spares it the time in which no bid can ever be made good and bidding dies out.
"""

from __future__ import annotations

import copy
import dataclasses
import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from torch import Tensor

from karty.agents import checkpoint
from karty.agents.agent import Agent
from karty.agents.network import Network, NetworkAgent, all_finite, same_kind
from karty.envs import engine
from karty.envs.engine import Batch
from karty.envs.game import Options
from karty.envs.games import find_game
from karty.training import losses, run
from karty.training.advantage import normalise, own_turn_advantages
from karty.training.config import ImitationConfig, PPOConfig, TrainConfig, option_columns, usual_rules
from karty.training.evaluate import Estimate, evaluate
from karty.training.habits import Habits
from karty.training.log import RunLog, clock
from karty.training.rollout import Rollout, collect
from karty.training.run import AGENT, Progress
from karty.training.selfplay import make_tables, teacher_of

_CLOSING = 4
"""The measurement at the end takes so many times the deals of those on the way."""


@dataclass(frozen=True)
class Result:
    """What came of a run: ``score`` is against the rule-based player, None if interrupted or not to be measured.

    ``seconds`` is the time it took, ``busy`` the part of it in which it played and learned.
    """

    run: Path
    agent: Path
    decisions: int
    seconds: float
    busy: float
    score: Estimate | None
    interrupted: bool

    @property
    def decisions_per_s(self) -> float:
        """Training decisions a second of playing and learning, measurements and checkpoints not included."""
        return self.decisions / self.busy if self.busy else 0.0


def train(config: TrainConfig, *, console: Console | None = None) -> Result:
    """Train an agent, or go on with a run; everything is left in its folder. ValueError for what cannot be done."""
    torch.set_num_threads(1)
    console = console or Console()
    config, saved = run.complete(config)
    game = find_game(config.game)
    teacher = teacher_of(game, config.imitation.init)
    tables = make_tables(game, config)
    shape = tables.shape
    generator = torch.Generator().manual_seed(config.seed)
    network = Network(
        shape.observation,
        len(shape.actions),
        width=config.network.width,
        depth=config.network.depth,
        active=option_columns(game, tables.rules),
        generator=generator,
    )
    learner = Learner(network, config.ppo)
    progress, log_size = Progress(), 0
    if saved is None:
        tables.reset()
    else:
        learned, progress, log_size = run.restore(saved, tables, generator)
        learner.restore(saved, learned, progress.steps)
    folder = run.make_folder(config, resumed=saved is not None)
    console.print(f"run: {folder}", highlight=False, soft_wrap=True)

    budget = math.inf if config.decisions is None else config.decisions
    limit = math.inf if config.minutes is None else 60 * config.minutes
    habits = Habits(shape.actions)
    rollout = Rollout(tables, config.ppo.steps)
    log = RunLog(folder, console, kept=log_size, decisions=progress.decisions)

    def save() -> None:
        progress.steps = learner.steps
        told = run.about(folder.name, tables, config, progress.decisions)
        run.save(folder, told, learner.tensors(), tables, generator, progress, log.size)

    if progress.decisions >= budget or progress.seconds >= limit:
        made = f"{progress.decisions:,} decisions in {clock(progress.seconds)}"
        log.say(f"this run is finished ({made}); more --decisions or --minutes would go on with it")
    with log, _stop_signals() as stopped:
        last = time.monotonic()
        while not stopped.is_set() and progress.decisions < budget and progress.seconds < limit:
            reached = progress.decisions
            fraction = max(progress.decisions / budget, progress.seconds / limit)
            imitating = teacher is not None and progress.decisions < config.imitation.imitated and fraction < 0.5

            collect(tables, network, rollout, generator, teacher if imitating else None)
            advantage, counted = own_turn_advantages(
                rollout.arrays["seat"][:-1],
                rollout.value,
                rollout.reward,
                rollout.ended,
                gae_lambda=1.0 if imitating else config.ppo.gae_lambda,
            )
            if not counted.any():  # so few steps that no decision's consequences were seen
                progress.seconds, last = progress.seconds + time.monotonic() - last, time.monotonic()
                continue
            data = Decisions.of(rollout, advantage, counted, habits)
            if imitating:
                told = learner.imitate(data, config.imitation, generator)
            else:
                told = learner.improve(data, fraction, generator)
            if not all_finite(network.state_dict()):
                raise ValueError(
                    "training diverged: weights grew without end; try a lower --learning-rate or --imitation-rate"
                )
            progress.decisions += len(data.action)
            progress.updates += 1
            busy = time.monotonic() - last
            progress.busy += busy

            told["phase"] = "imitation" if imitating else "play"
            told["kinds"] = habits.count(rollout.action, rollout.arrays["mask"][:-1], rollout.ended)
            for kind, entropy in data.entropies(habits).items():
                told["kinds"].setdefault(kind, {})["entropy"] = entropy
            if _passed(reached, progress.decisions, config.evaluate):
                score = measure(learner.average, folder.name, tables, config, config.deals, "dev")
                progress.score = score.mean
                told["score"] = {"mean": score.mean, "low": score.low, "high": score.high}
            now = time.monotonic()
            told["decisions_per_s"] = len(data.action) / max(busy, 1e-9)
            progress.seconds, last = progress.seconds + now - last, now
            told["seconds"] = progress.seconds
            log.write(progress.decisions, told)
            if _passed(reached, progress.decisions, config.checkpoint):
                save()
            fraction = max(progress.decisions / budget, progress.seconds / limit)
            left = progress.seconds / fraction * (1 - fraction)  # something was learned, so the fraction is above 0
            log.show("imitating" if imitating else "playing", fraction, left, _in_words(told, progress))
        interrupted = stopped.is_set()
        if progress.updates:
            save()

    checkpoint.write_agent(
        folder / AGENT, learner.average.state_dict(), run.about(folder.name, tables, config, progress.decisions)
    )
    result = Result(folder, folder / AGENT, progress.decisions, progress.seconds, progress.busy, None, interrupted)
    if config.evaluate and not interrupted:
        score = measure(learner.average, folder.name, tables, config, _CLOSING * config.deals, "test")
        result = dataclasses.replace(result, score=score)
    _report(result, tables, config, console)
    return result


class Learner:
    """The network in training, its optimiser, and the running average of its weights, which plays in the end."""

    def __init__(self, network: Network, config: PPOConfig) -> None:
        """``config`` says how fast it learns."""
        self.network, self.config = network, config
        self.average = copy.deepcopy(network).requires_grad_(False)
        self.weights = list(network.parameters())
        self.optimiser = torch.optim.Adam(self.weights, lr=config.learning_rate, eps=1e-5, fused=True)
        self.steps = 0

    def improve(self, data: Decisions, fraction: float, generator: torch.Generator) -> dict[str, Any]:
        """One update of PPO; ``fraction``: how much of the run is over, 0 … 1. Means over the last epoch."""
        config = self.config
        rate = config.learning_rate + fraction * (config.learning_rate_end - config.learning_rate)
        bonus = config.entropy * (config.entropy_end / config.entropy) ** fraction
        for _ in range(config.epochs):
            sums = Sums()
            for rows in data.shuffled(config.minibatch, generator):
                mask = data.mask.index_select(0, rows)
                logits, value = self.network(data.observation.index_select(0, rows), mask)
                log_probability = logits.log_softmax(-1)
                new = losses.chosen(log_probability, data.action[rows])
                policy, clipped, divergence = losses.policy_loss(
                    new, data.old[rows], data.advantage[rows], config.clip_range
                )
                critic = losses.value_loss(value, data.target[rows])
                entropy = losses.entropy(logits, log_probability)
                self._step(policy + config.value_coefficient * critic - bonus * entropy.mean(), rate)
                data.note_entropy(rows, entropy)
                sums.add(policy_loss=policy, value_loss=critic, entropy=entropy.mean(), clipped=clipped, kl=divergence)
        told = {**sums.means(), "explained_variance": losses.explained_variance(data.value, data.target)}
        return {**told, "advantage_sd": data.spread, "learning_rate": rate, "entropy_weight": bonus}

    def imitate(self, data: Decisions, how: ImitationConfig, generator: torch.Generator) -> dict[str, Any]:
        """Learn to do what was done, and what it was worth; means over the last epoch."""
        for _ in range(how.imitation_epochs):
            sums = Sums()
            for rows in data.shuffled(self.config.minibatch, generator):
                mask, action = data.mask.index_select(0, rows), data.action[rows]
                logits, value = self.network(data.observation.index_select(0, rows), mask)
                log_probability = logits.log_softmax(-1)
                policy = losses.imitation_loss(log_probability, mask, action, how.smoothing)
                critic = losses.value_loss(value, data.target[rows])
                self._step(policy + self.config.value_coefficient * critic, how.imitation_rate)
                with torch.no_grad():
                    entropy = losses.entropy(logits, log_probability)
                    agreed = (logits.argmax(-1) == action).float().mean()
                data.note_entropy(rows, entropy)
                sums.add(policy_loss=policy, value_loss=critic, entropy=entropy.mean(), agreement=agreed)
        return {**sums.means(), "explained_variance": losses.explained_variance(data.value, data.target)}

    def _step(self, loss: Tensor, rate: float) -> None:
        """One gradient step, and the average follows."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.weights, self.config.max_grad_norm)
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
            for name, weight in self.network.named_parameters()
            for key, value in self.optimiser.state[weight].items()
        }
        return {"weights": self.network.state_dict(), "average": self.average.state_dict(), "moments": moments}

    def restore(self, saved: Path, learned: dict[str, dict[str, Tensor]], steps: int) -> None:
        """Take back what ``tensors`` gave after so many gradient steps; CheckpointError if it does not fit."""
        try:
            moments = learned["moments"]
            for name, weight in self.network.named_parameters():
                its = {key: moments.pop(f"{name}.{key}") for key in ("step", "exp_avg", "exp_avg_sq")}
                if not same_kind(its, {"step": torch.tensor(0.0), "exp_avg": weight, "exp_avg_sq": weight}):
                    raise ValueError(f"the moments of {name} do not fit it")
                if not all_finite(its) or its["step"] < 0 or (its["exp_avg_sq"] < 0).any():
                    raise ValueError(f"the moments of {name} are impossible")
                self.optimiser.state[weight] = its
            for part, network in (("weights", self.network), ("average", self.average)):
                if not same_kind(learned[part], network.state_dict()) or not all_finite(learned[part]):
                    raise ValueError(f"its {part} do not fit the network, or are not finite")
                network.load_state_dict(learned[part])
        except (KeyError, RuntimeError, ValueError) as error:
            raise run.foreign(saved, error) from error
        self.steps = steps


@dataclass(frozen=True)
class Decisions:
    """The decisions to learn from, m rows, taken from a rollout.

    ``observation`` `[m, F]` int8, ``mask`` `[m, A]` int8, ``action`` `[m]` int64, ``old`` `[m]` float32 (its log
    probability then), ``value`` and ``target`` `[m]` float32 in units of reward, ``advantage`` `[m]` float32,
    normalised, ``spread`` its standard deviation before that, ``kind`` `[m]` int64, the action's; ``undecided``
    `[kinds, 2]` float64 collects each kind's entropy and count.
    """

    observation: Tensor
    mask: Tensor
    action: Tensor
    old: Tensor
    value: Tensor
    target: Tensor
    advantage: Tensor
    spread: float
    kind: Tensor
    undecided: Tensor

    @classmethod
    def of(
        cls, rollout: Rollout, advantage: NDArray[np.float32], counted: NDArray[np.bool_], habits: Habits
    ) -> Decisions:
        """Those decisions of a rollout whose consequences it has seen."""
        rows = torch.from_numpy(np.flatnonzero(counted))

        def of_rows(array: NDArray[Any]) -> Tensor:
            flat = array[: rollout.steps].reshape(rollout.steps * rollout.tables, *array.shape[2:])
            return torch.from_numpy(flat).index_select(0, rows)

        action, value, gain = of_rows(rollout.action), of_rows(rollout.value), of_rows(advantage)
        return cls(
            observation=of_rows(rollout.arrays["observation"]),
            mask=of_rows(rollout.arrays["mask"]),
            action=action,
            old=of_rows(rollout.log_probability),
            value=value,
            target=value + gain,
            advantage=torch.from_numpy(normalise(gain.numpy())),
            spread=float(gain.numpy().std()),
            kind=torch.from_numpy(habits.kind_of)[action],
            undecided=torch.zeros(len(habits.kinds), 2, dtype=torch.float64),
        )

    def shuffled(self, size: int, generator: torch.Generator) -> Iterator[Tensor]:
        """The numbers of all rows in random order, in even parts of about ``size``."""
        order = torch.randperm(len(self.action), generator=generator)
        yield from order.tensor_split(max(1, round(len(order) / size)))

    def note_entropy(self, rows: Tensor, entropy: Tensor) -> None:
        """Keep how undecided the network was, by kind of action. ``rows``: `[k]` int64; ``entropy``: `[k]`, nats."""
        pairs = torch.stack([entropy.detach().double(), torch.ones(len(rows), dtype=torch.float64)], -1)
        self.undecided.index_add_(0, self.kind[rows], pairs)

    def entropies(self, habits: Habits) -> dict[str, float]:
        """The mean entropy in nats by kind of the action chosen."""
        return {
            kind: total / count
            for kind, (total, count) in zip(habits.kinds, self.undecided.tolist(), strict=True)
            if count
        }


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


def measure(
    network: Network, name: str, tables: Batch, config: TrainConfig, deals: int, split: Literal["dev", "test"]
) -> Estimate:
    """How the network does against the rule-based player when it plays greedily, in points."""
    agent = NetworkAgent(network, name=name, game=tables.game.name, version=tables.game.version)
    agents: list[str | Agent] = [agent, _yardstick(tables)]
    rules = usual_rules(tables.game, config.rules)
    return evaluate(tables.game, agents, deals=deals, rules=rules, episode=config.episode, split=split).points


def _yardstick(tables: Batch) -> str:
    """The player against whom agents are measured."""
    return "rule" if "rule" in engine.players(tables.game.name) else "random"


def _passed(before: int, now: int, every: int) -> bool:
    """Was a multiple of ``every`` reached between the two?"""
    return every > 0 and now // every > before // every


def _in_words(told: dict[str, Any], progress: Progress) -> str:
    """The progress in a few words."""
    words = [f"{told['decisions_per_s']:,.0f}/s", f"entropy {told['entropy']:.2f}"]
    for kind, habit in told["kinds"].items():
        if 0 < habit.get("episodes", 0) < 0.95:
            words.append(f"{kind} in {habit['episodes']:.0%}")
    if progress.score is not None:
        words.append(f"score {progress.score:+.1f}")
    return " · ".join(words)


def _report(result: Result, tables: Batch, config: TrainConfig, console: Console) -> None:
    """The lines with which a run ends."""
    speed = f"{result.decisions_per_s:,.0f} a second"
    lines = [f"{result.decisions:,} decisions in {clock(result.seconds)} ({speed})"]
    if result.interrupted:
        lines.append(f"stopped; go on with: karty train {tables.game.name} --resume {result.run}")
    if result.score is not None:
        score, count = result.score, f"{_CLOSING * config.deals:,}"
        units = "deals" if config.episode == "deal" else "matches"
        points = f"{score.mean:+.2f} ± {score.half:.2f} points a {config.episode}"
        lines.append(f"against {_yardstick(tables)}: {points} (95 %, {count} {units} in all rotations)")
        if len(tables.rules) > 1 and len(set(tables.rules)) > 1:
            lines.append(f"measured under {_named(usual_rules(tables.game, config.rules))}")
    lines.append(f"agent: {result.agent}")
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _named(rules: Options) -> str:
    """Rules by what they change of the defaults."""
    usual = type(rules)().to_dict()
    changes = [f"{name}={value}" for name, value in rules.to_dict().items() if value != usual[name]]
    return " ".join(changes) or "the default rules"


@contextmanager
def _stop_signals() -> Iterator[threading.Event]:
    """Ctrl-C and SIGTERM set the event: the update under way is finished and saved. A second Ctrl-C stops at once."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(*_: object) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
