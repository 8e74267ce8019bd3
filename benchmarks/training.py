"""How many training decisions a second, everything included: playing, three epochs of learning, counting.

    python benchmarks/training.py [GAME] [--updates N] [--processes N] [--width W] [--tables N] [--steps T] …

Prints one JSON object. `decisions_per_s` is by the clock. Since machines are shared, `decisions_per_cpu_s`, by the
processor time of one process, is the figure to quote of one process; `us` splits the time into its parts, in
microseconds of processor time a decision of this process. One thread a process.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import torch
import tyro

from karty.training import ppo
from karty.training.config import CompanyConfig, ImitationConfig, NetworkConfig, PPOConfig, TrainConfig
from karty.training.processes import make_crew


@dataclass(frozen=True)
class Measure:
    """What to measure."""

    game: tyro.conf.Positional[str] = "tysiac"
    """Name of the game."""
    updates: int = 8
    """Updates measured; the first is not, since it compiles and touches memory."""
    processes: int = 1
    """Processes that share the tables."""
    network: NetworkConfig = field(default_factory=NetworkConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)
    company: CompanyConfig = field(default_factory=CompanyConfig)


class Parts:
    """Processor seconds by part of an update."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def timed(self, owner: Any, name: str, part: str) -> None:
        """Count what this function takes; where one calls another, both count."""
        do: Callable[..., Any] = getattr(owner, name)
        self.seconds[part] = 0.0

        def measured(*args: Any, **options: Any) -> Any:
            began = time.process_time()
            try:
                return do(*args, **options)
            finally:
                self.seconds[part] += time.process_time() - began

        setattr(owner, name, measured)


def main(measure: Measure) -> None:
    if measure.updates < 1:
        raise SystemExit(f"--updates must be at least 1, not {measure.updates}")
    torch.set_num_threads(1)
    config = TrainConfig(
        game=measure.game,
        decisions=10**12,
        processes=measure.processes,
        network=measure.network,
        ppo=measure.ppo,
        company=measure.company,
        imitation=ImitationConfig(init="none"),
    )
    config.check()
    with make_crew(config) as crew:
        trainer = ppo.Trainer(config, crew)
        crew.begin(config, None)
        trainer.agree()
        parts = Parts()
        parts.timed(ppo, "collect", "play")
        parts.timed(trainer.learner.judge, "judge", "judge")
        parts.timed(ppo.Decisions, "of", "gather")
        parts.timed(trainer.learner, "improve", "learn")
        parts.timed(crew, "average", "of which agreeing")
        parts.timed(trainer, "_behaviour", "count")
        trainer.update()
        parts.seconds = dict.fromkeys(parts.seconds, 0.0)
        first, best = trainer.progress.decisions, float("inf")
        wall, spent = time.perf_counter(), time.process_time()
        for _ in range(measure.updates):
            reached, began = trainer.progress.decisions, time.process_time()
            trainer.update()
            best = min(best, (time.process_time() - began) / (trainer.progress.decisions - reached))
        wall, spent = time.perf_counter() - wall, time.process_time() - spent
        decisions = trainer.progress.decisions - first
    own = decisions / measure.processes
    told = {
        "game": measure.game,
        "processes": measure.processes,
        **dataclasses.asdict(measure.network),
        "minibatch": measure.ppo.minibatch,
        "epochs": measure.ppo.epochs,
        "decisions": decisions,
        "decisions_per_cpu_s": round(own / spent),
        "best_per_cpu_s": round(1 / (best * measure.processes)),
        "decisions_per_s": round(decisions / wall),
        "us": {part: round(1e6 * seconds / own, 2) for part, seconds in parts.seconds.items()},
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(tyro.cli(Measure, config=(tyro.conf.OmitArgPrefixes,)))
