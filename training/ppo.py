"""Proximal policy optimisation for a table of seats, from top to bottom.

One network plays every seat. The tables are played for some steps; each seat's decisions are judged along its own turns; the
network moves towards what turned out better than expected, a little at a time; and so on. Before that it may imitate a
player, which spares it the time in which no bid can ever be made good and bidding dies out.
"""

from __future__ import annotations

import copy
import dataclasses
import datetime
import json
import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from torch import Tensor

from karty.agents import checkpoint
from karty.agents.network import Network, NetworkAgent, mask_out
from karty.envs import engine
from karty.envs.engine import Batch
from karty.envs.game import Game
from karty.envs.games import find_game
from karty.training import losses
from karty.training.advantage import normalise, own_turn_advantages
from karty.training.config import DEFAULT_DECISIONS, ImitationConfig, PPOConfig, TrainConfig, option_columns
from karty.training.evaluate import Estimate, evaluate
from karty.training.habits import Habits
from karty.training.log import RunLog, clock
from karty.training.rollout import Rollout, collect
from karty.training.selfplay import make_tables

CONFIG, AGENT = "config.json", "agent.safetensors"
_REPORTED = 4
"""The closing measurement takes so many times the deals of those on the way."""


@dataclass(frozen=True)
class Result:
    """What came of a run: ``score`` is against the rule-based player, None if the run was interrupted or measures nothing."""

    run: Path
    agent: Path
    decisions: int
    seconds: float
    score: Estimate | None
    interrupted: bool

    @property
    def decisions_per_s(self) -> float:
        """Training decisions a second, everything included."""
        return self.decisions / self.seconds


@dataclass
class Progress:
    """How far a run has come; kept in its checkpoints."""

    decisions: int = 0
    updates: int = 0
    seconds: float = 0.0
    score: float | None = None


def train(config: TrainConfig, *, console: Console | None = None) -> Result:
    """Train an agent, or go on with a run, and leave everything in the run's folder. ValueError for what cannot be done."""
    torch.set_num_threads(1)
    console = console or Console()
    config, run, saved = _open(config)
    game = find_game(config.game)

    tables = make_tables(game, config)
    generator = torch.Generator().manual_seed(config.seed)
    network = Network(
        tables.shape.observation,
        len(tables.shape.actions),
        width=config.network.width,
        depth=config.network.depth,
        active=option_columns(game, tables.rules),
        generator=generator,
    )
    learner = Learner(network, config.ppo)
    progress = Progress()
    if saved is None:
        tables.reset()
        log_size = 0
    else:
        log_size = _restore(saved, learner, generator, tables, progress)

    budget = math.inf if config.decisions is None else config.decisions
    limit = math.inf if config.minutes is None else 60 * config.minutes
    teacher = config.imitation.init.partition(":")[2] or None
    imitated = min(config.imitation.imitated, budget / 2) if teacher else 0
    habits = Habits(tables.shape.actions)
    rollout = Rollout(tables, config.ppo.steps)
    log = RunLog(run, console, kept=log_size, decisions=progress.decisions)
    console.print(f"run: {run}", highlight=False, soft_wrap=True)

    with log, _stop_signals() as stopped:
        last = time.monotonic()
        while not stopped.is_set() and progress.decisions < budget and progress.seconds < limit:
            fraction = max(progress.decisions / budget, progress.seconds / limit)
            imitating = progress.decisions < imitated
            reached = progress.decisions

            collect(tables, network, rollout, generator, teacher if imitating else None)
            trace = 1.0 if imitating else config.ppo.trace
            advantage, counted = own_turn_advantages(
                rollout.arrays["seat"][:-1], rollout.value, rollout.reward, rollout.ended, trace=trace
            )
            data = Decisions.of(rollout, advantage, counted, habits)
            if imitating:
                told = learner.imitate(data, config.imitation, generator)
            else:
                told = learner.improve(data, fraction, generator)

            progress.decisions += len(data.action)
            progress.updates += 1
            now = time.monotonic()
            told["decisions_per_s"] = len(data.action) / (now - last)
            progress.seconds, last = progress.seconds + now - last, now
            told["seconds"] = progress.seconds
            told["phase"] = "imitation" if imitating else "play"
            told["kinds"] = habits.count(rollout.action, rollout.arrays["mask"][:-1], rollout.ended)
            for kind, entropy in data.entropies(habits).items():
                told["kinds"].setdefault(kind, {})["entropy"] = entropy
            if _passed(reached, progress.decisions, config.evaluate):
                score = _measure(game, learner, run.name, tables, config, config.deals, "dev")
                progress.score = score.mean
                told["score"] = {"mean": score.mean, "low": score.low, "high": score.high}
            log.write(progress.decisions, told)
            if _passed(reached, progress.decisions, config.checkpoint):
                _save(run, config, game, tables, learner, generator, progress, log)
            fraction = max(progress.decisions / budget, progress.seconds / limit)
            left = progress.seconds / fraction * (1 - fraction)
            log.show("imitating" if imitating else "playing", fraction, left, _in_words(told, progress))
        interrupted = stopped.is_set()
        _save(run, config, game, tables, learner, generator, progress, log)
    about = _about(run.name, game, tables, config, progress)
    checkpoint.write_agent(run / AGENT, learner.average.state_dict(), about)
    result = Result(run, run / AGENT, progress.decisions, progress.seconds, None, interrupted)
    if not interrupted and config.evaluate:
        score = _measure(game, learner, run.name, tables, config, _REPORTED * config.deals, "test")
        result = dataclasses.replace(result, score=score)
    _report(result, game, config, console)
    return result


@dataclass(frozen=True)
class Decisions:
    """The decisions to learn from, m rows, drawn from a rollout.

    ``observation`` `[m, F]` int8, ``mask`` `[m, A]` int8, ``action`` `[m]` int64, ``old`` `[m]` float32 (its log probability
    then), ``value`` and ``target`` `[m]` float32 in units of reward, ``advantage`` `[m]` float32, normalised, ``kind`` `[m]`
    int64, the action's; ``undecided`` `[kinds, 2]` float64 collects each kind's entropy and count.
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
        rows = np.flatnonzero(counted)

        def of_rows(array: NDArray[Any]) -> Tensor:
            flat = array[: rollout.steps].reshape(rollout.steps * rollout.tables, *array.shape[2:])
            return torch.from_numpy(flat).index_select(0, torch.from_numpy(rows))

        action, value, gain = of_rows(rollout.action), of_rows(rollout.value), of_rows(advantage)
        return cls(
            observation=of_rows(rollout.arrays["observation"]),
            mask=of_rows(rollout.arrays["mask"]),
            action=action,
            old=of_rows(rollout.log_probability),
            value=value,
            target=value + gain,
            advantage=torch.from_numpy(normalise(gain.numpy())),
            spread=float(gain.std()),
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
            kind: float(total / count)
            for kind, (total, count) in zip(habits.kinds, self.undecided.tolist(), strict=True)
            if count
        }


class Learner:
    """The network that is trained, its optimiser, and the running average of its weights, which is what plays in the end."""

    def __init__(self, network: Network, config: PPOConfig) -> None:
        """``config`` says how fast it learns."""
        self.network, self.config = network, config
        self.average = copy.deepcopy(network).requires_grad_(False)
        self.weights = list(network.parameters())
        self.optimiser = torch.optim.Adam(self.weights, lr=config.rate, eps=1e-5, fused=True)
        self.steps = 0

    def imitate(self, data: Decisions, how: ImitationConfig, generator: torch.Generator) -> dict[str, Any]:
        """Learn to do what was done, and what it was worth; means over the last epoch."""
        for _ in range(how.imitation_epochs):
            sums = Sums()
            for rows in data.shuffled(self.config.minibatch, generator):
                mask, action = data.mask.index_select(0, rows), data.action[rows]
                logits, value = self.network(data.observation.index_select(0, rows))
                logits = mask_out(logits, mask)
                log_probability = logits.log_softmax(-1)
                policy = losses.imitation_loss(log_probability, mask, action, how.smoothing)
                critic = losses.value_loss(value, data.target[rows])
                self._step(policy + self.config.critic * critic, how.imitation_rate)
                with torch.no_grad():
                    entropy = losses.entropy(logits, log_probability)
                    agreed = (logits.argmax(-1) == action).float().mean()
                data.note_entropy(rows, entropy)
                sums.add(policy_loss=policy, value_loss=critic, entropy=entropy.mean(), agreement=agreed)
        return {**sums.means(), "explained_variance": losses.explained_variance(data.value, data.target)}

    def improve(self, data: Decisions, fraction: float, generator: torch.Generator) -> dict[str, Any]:
        """One update of PPO; ``fraction``: how much of the run is over, 0 … 1. Means over the last epoch."""
        config = self.config
        rate = config.rate + fraction * (config.rate_end - config.rate)
        bonus = config.entropy * (config.entropy_end / config.entropy) ** fraction
        for _ in range(config.epochs):
            sums = Sums()
            for rows in data.shuffled(config.minibatch, generator):
                logits, value = self.network(data.observation.index_select(0, rows))
                logits = mask_out(logits, data.mask.index_select(0, rows))
                log_probability = logits.log_softmax(-1)
                policy, clipped, divergence = losses.policy_loss(
                    losses.chosen(log_probability, data.action[rows]), data.old[rows], data.advantage[rows], config.clip
                )
                critic = losses.value_loss(value, data.target[rows])
                entropy = losses.entropy(logits, log_probability)
                self._step(policy + config.critic * critic - bonus * entropy.mean(), rate)
                data.note_entropy(rows, entropy)
                sums.add(policy_loss=policy, value_loss=critic, entropy=entropy.mean(), clipped=clipped, kl=divergence)
        told = {**sums.means(), "explained_variance": losses.explained_variance(data.value, data.target)}
        return {**told, "advantage_sd": data.spread, "rate": rate, "entropy_weight": bonus}

    def _step(self, loss: Tensor, rate: float) -> None:
        """One gradient step, and the average follows."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.weights, self.config.gradient)
        self.optimiser.step()
        self.steps += 1
        # At first the average is over the few steps that there were, so that it never holds on to the random start.
        stays = min(self.config.average, (1 + self.steps) / (10 + self.steps))
        with torch.no_grad():
            for average, weight in zip(self.average.parameters(), self.weights, strict=True):
                average.lerp_(weight, 1 - stays)

    def tensors(self) -> dict[str, dict[str, Tensor]]:
        """All that it has learned, by file and name."""
        moments = {
            f"{name}.{key}": value
            for (name, weight) in self.network.named_parameters()
            for key, value in self.optimiser.state[weight].items()
        }
        return {"weights": self.network.state_dict(), "average": self.average.state_dict(), "moments": moments}

    def restore(self, tensors: dict[str, dict[str, Tensor]], steps: int) -> None:
        """Take back what ``tensors`` gave after so many gradient steps; KeyError or RuntimeError if it does not fit."""
        self.network.load_state_dict(tensors["weights"])
        self.average.load_state_dict(tensors["average"])
        for name, weight in self.network.named_parameters():
            state = {key: tensors["moments"][f"{name}.{key}"] for key in ("step", "exp_avg", "exp_avg_sq")}
            self.optimiser.state[weight] = state
        self.steps = steps


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


def _open(config: TrainConfig) -> tuple[TrainConfig, Path, Path | None]:
    """The complete configuration, the run's folder, and the checkpoint to go on from."""
    if config.resume is not None:
        run = config.resume
        latest = checkpoint.latest(run)
        try:
            told = json.loads((run / CONFIG).read_text())
        except (OSError, ValueError) as error:
            raise ValueError(f"{run / CONFIG}: no readable configuration of a run") from error
        saved = TrainConfig.from_dict(told)
        if saved.game != config.game:
            raise ValueError(f"{run} is a run of {saved.game}, not of {config.game}")
        if config.decisions is not None or config.minutes is not None:
            saved = dataclasses.replace(saved, decisions=config.decisions, minutes=config.minutes)
        saved.check()
        _write_json(run / CONFIG, saved.to_dict())
        return saved, run, latest
    config.check()
    game = find_game(config.game)
    if config.decisions is None and config.minutes is None:
        config = dataclasses.replace(config, decisions=DEFAULT_DECISIONS)
    teacher = config.imitation.init.partition(":")[2]
    if teacher and teacher not in engine.players(game.name):
        raise ValueError(f"--init imitate:{teacher}: {game.name} has no such built-in player: {_names(game)}")
    make_tables(game, dataclasses.replace(config, ppo=dataclasses.replace(config.ppo, tables=1)))  # finds slips in time
    run = config.out or _new_folder(game.name)
    if run.exists() and (not run.is_dir() or any(run.iterdir())):
        raise ValueError(f"--out: {run} exists and is not empty; choose another folder, or --resume {run}")
    run.mkdir(parents=True, exist_ok=True)
    config = dataclasses.replace(config, out=run)
    _write_json(run / CONFIG, config.to_dict())
    return config, run, None


def _names(game: Game) -> str:
    return ", ".join(engine.players(game.name))


def _new_folder(name: str) -> Path:
    """runs/NAME-DATE-NUMBER, the first number that is free."""
    day = datetime.date.today().isoformat()
    number = 1
    while (folder := Path("runs") / f"{name}-{day}-{number}").exists():
        number += 1
    return folder


def _write_json(path: Path, told: dict[str, Any]) -> None:
    checkpoint.write_bytes(path, (json.dumps(told, indent=2) + "\n").encode())


def _save(
    run: Path,
    config: TrainConfig,
    game: Game,
    tables: Batch,
    learner: Learner,
    generator: torch.Generator,
    progress: Progress,
    log: RunLog,
) -> None:
    """Write a checkpoint: everything that the rest of the run depends on."""
    if progress.updates == 0:
        return
    tensors = learner.tensors()
    tensors["tables"] = {"state": torch.frombuffer(bytearray(tables.get_state()), dtype=torch.uint8)}
    tensors["chance"] = {"generator": generator.get_state()}
    state = {**dataclasses.asdict(progress), "steps": learner.steps, "log_size": log.size}
    about = _about(run.name, game, tables, config, progress)
    checkpoint.write_checkpoint(run, progress.decisions, tensors, about, state)


def _restore(saved: Path, learner: Learner, generator: torch.Generator, tables: Batch, progress: Progress) -> int:
    """Take everything back from a checkpoint; how many bytes of the log belong to it."""
    tensors, state = checkpoint.read_checkpoint(saved)
    try:
        learner.restore(tensors, int(state["steps"]))
        generator.set_state(tensors["chance"]["generator"])
        for spec in dataclasses.fields(Progress):
            setattr(progress, spec.name, state[spec.name])
        size = int(state["log_size"])
        told = tensors["tables"]["state"].numpy().tobytes()
        tables.set_state(told)
    except (KeyError, RuntimeError, TypeError, ValueError) as error:
        reason = " ".join(str(error).split())
        raise checkpoint.CheckpointError(f"{saved}: not a checkpoint of this run ({reason})") from error
    return size


def _about(name: str, game: Game, tables: Batch, config: TrainConfig, progress: Progress) -> checkpoint.About:
    """What the run's agent is."""
    rules = list({json.dumps(rules.to_dict()): rules.to_dict() for rules in tables.rules}.values())
    return checkpoint.About(
        name=name,
        game=game.name,
        version=game.version,
        layout=tables.shape.observation.digest,
        actions=len(tables.shape.actions),
        rules=rules if len(rules) <= checkpoint.MOST_RULES else [],
        decisions=progress.decisions,
        width=config.network.width,
        depth=config.network.depth,
    )


def _opponent(game: Game) -> str:
    """The player that agents are measured against."""
    return "rule" if "rule" in engine.players(game.name) else "random"


def _measure(
    game: Game, learner: Learner, name: str, tables: Batch, config: TrainConfig, deals: int, split: str
) -> Estimate:
    """How the average network does against the rule-based player, greedily, in points."""
    agent = NetworkAgent(learner.average, name=name, game=game.name, version=game.version)
    agents = [agent, _opponent(game)]
    return evaluate(
        game,
        agents,
        deals=deals,
        rules=tables.rules[0],
        episode=config.episode,
        seed=0,
        split=split,  # type: ignore[arg-type]
    ).points


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
    return " · ".join(words[:6])


def _report(result: Result, game: Game, config: TrainConfig, console: Console) -> None:
    """The lines with which a run ends."""
    speed = f"{result.decisions_per_s:,.0f} a second"
    lines = [f"{result.decisions:,} decisions in {clock(result.seconds)} ({speed})"]
    if result.interrupted:
        lines.append(f"stopped; go on with: karty train {game.name} --resume {result.run}")
    if result.score is not None:
        score, unit = result.score, config.episode
        deals = _REPORTED * config.deals
        lines.append(
            f"against {_opponent(game)}: {score.mean:+.2f} ± {score.half:.2f} points a {unit} (95 %, {deals:,} {unit}s)"
        )
    lines.append(f"agent: {result.agent}")
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def _stop_signals() -> Iterator[threading.Event]:
    """Ctrl-C and SIGTERM set the event, so that the update under way is finished and saved; a second Ctrl-C stops at once."""
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
