"""How many training decisions a second, everything included: playing, three epochs of learning, counting, logging.

    python benchmarks/training.py [GAME] [--updates N] [--width W] [--tables N] [--steps T] …

Prints one JSON object. `decisions_per_cpu_s` is the figure to quote, since machines are shared; `us` splits a
decision's time into its parts, in CPU microseconds. One process, one thread.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field

import torch
import tyro

from karty.agents.network import Network
from karty.envs.games import find_game
from karty.training.advantage import own_turn_advantages
from karty.training.config import NetworkConfig, PPOConfig, TrainConfig, option_columns
from karty.training.habits import Habits
from karty.training.ppo import Decisions, Learner
from karty.training.rollout import Rollout, collect
from karty.training.selfplay import make_tables


@dataclass(frozen=True)
class Measure:
    """What to measure."""

    game: tyro.conf.Positional[str] = "tysiac"
    """Name of the game."""
    updates: int = 8
    """Updates measured; the first is not, since it compiles and touches memory."""
    network: NetworkConfig = field(default_factory=NetworkConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)


def main(measure: Measure) -> None:
    torch.set_num_threads(1)
    game = find_game(measure.game)
    tables = make_tables(game, TrainConfig(game=game.name, ppo=measure.ppo))
    tables.reset()
    generator = torch.Generator().manual_seed(0)
    network = Network(
        tables.shape.observation,
        len(tables.shape.actions),
        width=measure.network.width,
        depth=measure.network.depth,
        active=option_columns(game, tables.rules),
        generator=generator,
    )
    learner, habits, rollout = (
        Learner(network, measure.ppo),
        Habits(tables.shape.actions),
        Rollout(tables, measure.ppo.steps),
    )
    parts: dict[str, float] = {"play": 0.0, "advantage": 0.0, "gather": 0.0, "learn": 0.0, "habits": 0.0}
    decisions = 0
    best = float("inf")
    began = time.perf_counter()
    for update in range(measure.updates + 1):
        if update == 1:
            parts, decisions, began = dict.fromkeys(parts, 0.0), 0, time.perf_counter()
        marks = [time.process_time()]
        collect(tables, network, rollout, generator)
        marks.append(time.process_time())
        advantage, counted = own_turn_advantages(
            rollout.arrays["seat"][:-1], rollout.value, rollout.reward, rollout.ended, gae_lambda=measure.ppo.gae_lambda
        )
        marks.append(time.process_time())
        data = Decisions.of(rollout, advantage, counted, habits)
        marks.append(time.process_time())
        learner.improve(data, 0.5, generator)
        marks.append(time.process_time())
        habits.count(rollout.action, rollout.arrays["mask"][:-1], rollout.ended)
        marks.append(time.process_time())
        decisions += len(data.action)
        if update:
            best = min(best, (marks[-1] - marks[0]) / len(data.action))
        for part, start, end in zip(parts, marks[:-1], marks[1:], strict=True):
            parts[part] += end - start
    spent = sum(parts.values())
    told = {
        "game": game.name,
        "width": measure.network.width,
        "depth": measure.network.depth,
        "minibatch": measure.ppo.minibatch,
        "epochs": measure.ppo.epochs,
        "decisions": decisions,
        "decisions_per_cpu_s": round(decisions / spent),
        "best_per_cpu_s": round(1 / best),
        "decisions_per_s": round(decisions / (time.perf_counter() - began)),
        "us": {part: round(1e6 * seconds / decisions, 2) for part, seconds in parts.items()},
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(tyro.cli(Measure, config=(tyro.conf.OmitArgPrefixes,)))
