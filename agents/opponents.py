"""The fixed opponents of each game: the pool that a focal score is measured against.

Every member is built in and stays as it is, so that scores against the pool can be compared. An agent that is added
changes them: a result that is quoted names the members, as the JSON lines do.
"""

from __future__ import annotations

from typing import Any

from karty.agents.agent import Agent, AgentError, load_agent
from karty.envs.game import Game

POOL: dict[str, tuple[str, ...]] = {
    "tysiac": ("random", "rule", "rule-timid", "rule-bold", "ppo-short", "ppo", "ppo-match", "selfplay"),
    "piquet": ("random", "rule", "rule-timid", "rule-bold", "ppo-short", "ppo", "selfplay"),
    "petukh": ("random", "rule", "rule-timid", "rule-bold", "ppo-short", "ppo", "selfplay"),
    "pan": ("random", "rule", "rule-timid", "rule-bold", "ppo-short", "ppo", "selfplay"),
    "piotrus": ("random", "rule", "rule-timid", "rule-bold", "biased", "ppo-short", "ppo", "selfplay"),
}
"""The members by game: names that `load_agent` knows."""

WORD = "pool"
"""What stands for all of them on the command line."""


def pool_names(game: Game) -> tuple[str, ...]:
    """The members of a game's pool; AgentError if it has none."""
    if game.name not in POOL:
        raise AgentError(f"{game.name} has no pool of opponents; games that have one: {', '.join(POOL)}")
    return POOL[game.name]


def load_pool(game: Game, rules: Any) -> list[Agent]:
    """The members of a game's pool; AgentError if one of them does not play by these rules."""
    members = []
    for name in pool_names(game):
        try:
            members.append(load_agent(game, name, rules))
        except ValueError as error:
            raise AgentError(
                f"pool: {name} does not play {game.name} by these rules, so name the opponents instead ({error})"
            ) from error
    return members
