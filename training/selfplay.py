"""Who sits at the training tables, and by which rules they play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from karty.agents.agent import as_agent
from karty.envs.engine import Batch, make_batch, players
from karty.envs.game import EVALUATION_SEEDS, Game, Options
from karty.training.config import TrainConfig, training_rules, usual_rules


def make_tables(game: Game, config: TrainConfig) -> Batch:
    """The tables of a run: the network in every seat, or in one that moves on by one seat each episode.

    Forced moves are played by the tables themselves, so every decision is one between two legal actions or more. Seeds
    lie below those of evaluations: no deal of an evaluation was ever trained on.
    """
    rng = np.random.default_rng([config.seed, 1])
    rules = training_rules(game, config.rules, rng)
    seats: dict[str, Any] = {}
    if config.opponents != ("self",):
        seats = {"learner": "rotate", "opponents": _opponents(game, config.opponents, usual_rules(game, config.rules))}
    return make_batch(
        game,
        config.ppo.tables,
        rules=rules if len(rules) > 1 else rules[0],
        draw_rules=len(rules) > 1,
        episode=config.episode,
        seed=int(rng.integers(EVALUATION_SEEDS - config.ppo.tables)),
        skip_forced=True,
        **seats,
    )


def _opponents(game: Game, names: Sequence[str], rules: Options) -> Any:
    """The players of the other seats: one for all of them, or one each, clockwise from the learner."""
    seated = [as_agent(game, name, rules) for name in names]
    return seated[0] if len(seated) == 1 else seated


def teacher_of(game: Game, init: str) -> str | None:
    """The built-in player to imitate at the start, from the option `init`; ValueError if there is none of that name."""
    teacher = init.partition(":")[2] or None
    names = players(game.name)
    if teacher is not None and teacher not in names:
        raise ValueError(
            f"--init imitate:{teacher}: {game.name} has no such built-in player; there are {', '.join(names)}"
        )
    return teacher
