"""How long an agent takes for a decision, in CPU milliseconds.

An agent that Python asks is timed where it is asked, during the play that it is rated by: the CPU time of the process
within `act`, over the rows that it was given. A compiled player decides inside the engine, a fraction of a microsecond
at a time, where no clock could be read without slowing it down. So its play is left alone; afterwards it plays a few of
the same deals in all seats, and what is told is the time of this whole play over its decisions: an upper bound, with
dealing, rules and observations in it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karty.agents.agent import Agent, CompiledPlayer
from karty.envs import engine
from karty.envs.game import Game

_DEALS = 256
"""Deals that a compiled player is timed by: many of them are played in the time in which an agent thinks once."""


@dataclass(frozen=True)
class MoveTime:
    """``ms``: CPU milliseconds a decision, over so many ``decisions``; ``compiled``: the whole play, an upper bound."""

    agent: str
    ms: float
    decisions: int
    compiled: bool


class TimedAgent:
    """An agent that is timed whenever it is asked."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.name = agent, agent.name
        self._first: tuple[float, int] | None = None
        self._seconds, self._rows = 0.0, 0

    def act(self, observation: NDArray[np.int8], mask: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """The agent's own answer. observation: [m, F] int8, mask: [m, A] int8; returns [m] int64."""
        start = time.process_time()
        action = self.agent.act(observation, mask, rng)
        taken = time.process_time() - start
        if self._first is None:
            self._first = taken, len(mask)  # in its first call much is made ready that is not made again
        else:
            self._seconds += taken
            self._rows += len(mask)
        return action

    def time(self, agent: str) -> MoveTime:
        """Its time a decision, under this name; the first call counts only if it was the only one."""
        seconds, rows = (self._seconds, self._rows) if self._rows else self._first or (0.0, 0)
        return MoveTime(agent, 1000 * seconds / max(rows, 1), rows, compiled=False)


def timed(agent: Agent) -> Agent:
    """The agent, timed whenever Python asks it; a compiled player as it is."""
    return agent if isinstance(agent, CompiledPlayer) else TimedAgent(agent)


def time_a_move(game: Game, agent: Agent, seeds: NDArray[np.int64], *, rules: Any, episode: str, name: str) -> MoveTime:
    """The time of an agent that `timed` gave and that has played the deals of these seeds, [deals] int64."""
    if isinstance(agent, TimedAgent):
        return agent.time(name)
    assert isinstance(agent, CompiledPlayer)
    few = seeds[:_DEALS] if episode == "deal" else seeds[: _DEALS // 16]
    start = time.process_time()
    played = engine.play_episodes(game, [agent.kernel_name] * rules.seats, few, rules=rules, episode=episode)
    taken, decisions = time.process_time() - start, int(played["decisions"].sum())
    return MoveTime(name, 1000 * taken / max(decisions, 1), decisions, compiled=True)
