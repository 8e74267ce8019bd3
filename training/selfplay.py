"""Who sits at the training tables, and by which rules they play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from karty.agents.agent import as_agent
from karty.envs.engine import Batch, make_batch
from karty.envs.game import Game, Options
from karty.training.config import TrainConfig, draw_rules

_TRAINING_SEEDS = 1 << 62
"""Training seeds lie below this, evaluation seeds above: no deal of an evaluation was ever trained on."""


def make_tables(game: Game, config: TrainConfig) -> Batch:
    """The tables of a run: the network in every seat, or in one that moves on by one seat each episode.

    Forced moves are played by the tables themselves, so every decision is one between two legal actions or more.
    """
    rng = np.random.default_rng([config.seed, 1])
    rules = draw_rules(game, config.rules, config.ppo.tables, rng)
    seats: dict[str, Any] = {}
    if config.opponents != ("self",):
        seats = {"learner": "rotate", "opponents": _opponents(game, config.opponents, rules)}
    return make_batch(
        game,
        config.ppo.tables,
        rules=rules,
        episode=config.episode,
        seed=int(rng.integers(_TRAINING_SEEDS - config.ppo.tables)),
        skip_forced=True,
        **seats,
    )


def _opponents(game: Game, names: Sequence[str], rules: Sequence[Options]) -> Any:
    """The players of the other seats: one for all of them, or one each, clockwise from the learner."""
    players = [as_agent(game, name, rules[0]) for name in names]
    return players[0] if len(players) == 1 else players
