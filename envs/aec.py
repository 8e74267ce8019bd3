"""A table as a PettingZoo environment: the seats are asked one at a time (agent environment cycle).

``raw_env`` is the environment itself, for fast loops: an illegal action is an error and nothing has moved. ``env``
puts PettingZoo's guards around it and ends the episode at an illegal action: the seat that made it loses 1, the
others share that.
"""

from __future__ import annotations

import operator
import secrets
from collections.abc import Callable
from copy import copy
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Box, Dict, Discrete, Space
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from .engine import IllegalAction, Table
from .game import EVALUATION_SEEDS, TRUNCATED, Game, Options, make_rules
from .games import find_game
from .single import RENDER_MODES, Floats, Masks, box, frame, one_of, seed_of

Observation = dict[str, npt.NDArray[Any]] | Floats


class TableEnv(AECEnv[str, Observation, int]):
    """One table, its seats the agents ``player_0`` …, all of them from the first deal to the end of the episode.

    The game's options follow by name (``table="3p"``, ``preset="classic"``), or as ``rules=``. ``episode`` is "match"
    or "deal". Observations are float32 [F], every field divided by its declared bound, and masks int8 [A], 1 for
    every action that may be played now, all 0 for seats that are not asked. With ``mask_in="observation"`` an
    observation is a dict of both, ``observation`` and ``action_mask``; with "info" it is the array, and
    ``infos[agent]["action_mask"]`` the mask. ``infos[agent]["points"]`` is the agent's change of score when the
    episode is over, else 0.0; the game's own ``infos`` stand beside it. ``illegal`` says what an illegal action does:
    "raise" IllegalAction, or "lose".

    ``reset(seed=s)`` starts the episode with that seed, ``reset()`` the next one. ``reset(options={"deal": {"dealer":
    …, "hands": […], …}, "start": [scores]})`` gives the first deal, as a record writes it, and the scores before it;
    other options are ignored. Copies, deep copies and pickles keep the running game. ``table`` is the engine's table,
    to look at or to clone.
    """

    game: ClassVar[Game]
    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        *,
        rules: Options | dict[str, Any] | None = None,
        episode: str = "match",
        mask_in: str = "observation",
        illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        one_of("mask_in", mask_in, ("observation", "info"))
        one_of("illegal", illegal, ("raise", "lose"))
        one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.rules = make_rules(self.game, rules, **options)
        self.episode, self.mask_in, self.illegal, self.render_mode = episode, mask_in, illegal, render_mode
        self._furnish()
        shape = self.game.shape(self.rules)
        self.possible_agents = [f"player_{seat}" for seat in range(shape.seats)]
        self.agents: list[str] = []
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self._observation_spaces = {agent: self._observation_space() for agent in self.possible_agents}
        self._action_spaces: dict[str, Space[Any]] = {agent: Discrete(shape.size) for agent in self.possible_agents}
        self.state_space = box(shape.observation, shape.hidden)
        self._begun = False

    def _furnish(self) -> None:
        """Set up what follows from the rules and needs no place in a copy."""
        self.table = Table(self.game, self.rules, episode=self.episode)
        shape = self.game.shape(self.rules)
        self._observed, self._hidden, self._actions = shape.observation, shape.hidden, shape.size

    def _observation_space(self) -> Space[Any]:
        rows = box(self._observed)
        if self.mask_in == "info":
            return rows
        # A list of pairs: a plain dict would have its keys sorted.
        return Dict([("observation", rows), ("action_mask", Box(0, 1, (self._actions,), np.int8))])

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of the agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The space of the agent's actions, ``Discrete(A)``."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the episode of this seed, or the next one (the first time: one of a seed that nobody knows)."""
        if seed is not None:
            seed = seed_of(seed)
        elif not self._begun:
            seed = secrets.randbelow(EVALUATION_SEEDS)
        deal, start = (options or {}).get("deal"), (options or {}).get("start")
        self.table.reset(seed, deal, start)
        self.table.settle()
        while self.table.over and deal is None and start is None:  # nobody was asked anything: pass the episode over
            self.table.reset()
            self.table.settle()
        self._begun = True
        self.agents = self.possible_agents[:]
        self.agent_selection = self.possible_agents[max(self.table.seat, 0)]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self._points = [0.0] * len(self.agents)
        self._after()

    def step(self, action: Any) -> None:
        """Play the action of ``agent_selection`` and all that follows from it; None takes an agent out that is done."""
        if not self.agents:
            raise ValueError("no episode is running: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            self._inform()
            return
        try:
            self.table.play(operator.index(action))
        except IllegalAction:
            if self.illegal == "raise":
                raise
            self.table.forfeit()
        else:
            self.table.settle()
        self._after()

    def _after(self) -> None:
        """Bring what PettingZoo keeps per agent up to date with the table.

        Rewards come only with an episode's last step, so until then those of the last step and the accumulated ones
        are the zeros that ``reset`` wrote.
        """
        table = self.table
        if table.over:
            reward, points = table.returns()
            self.rewards = dict(zip(self.agents, reward.tolist(), strict=True))
            self._accumulate_rewards()
            self._points = points.tolist()
            ends = self.truncations if table.over == TRUNCATED else self.terminations
            ends.update(dict.fromkeys(self.agents, True))
            self._deads_step_first()
        else:
            self.agent_selection = self.agents[table.seat]
        self._inform()
        if self.render_mode == "human":
            self.render()

    def _inform(self) -> None:
        """Write the infos anew: nobody's copy of the last ones changes."""
        told: dict[str, Any] = self.table.infos()
        self.infos = {agent: {"points": self._points[self._seats[agent]], **told} for agent in self.agents}
        if self.mask_in == "info":
            self.infos = {agent: {"action_mask": self.action_mask(agent), **info} for agent, info in self.infos.items()}

    def observe(self, agent: str) -> Observation:
        """What the agent sees now, at any time after ``reset``, also when it is done."""
        row = self._observed.normalise(self.table.observe(self._seat(agent)))
        if self.mask_in == "info":
            return row
        return {"observation": row, "action_mask": self.action_mask(agent)}

    def action_mask(self, agent: str) -> Masks:
        """1 for every action that the agent may play now, int8 [A]; all 0 if it is not asked.

        When the episode is over, the agent to be taken out is shown all 1, so that sampling from it stays finite.
        """
        if self._seat(agent) == self.table.seat:
            return self.table.mask()
        if self.table.over and self.agents and agent == self.agent_selection:
            return np.ones(self._actions, np.int8)
        return np.zeros(self._actions, np.int8)

    def _seat(self, agent: str) -> int:
        if not self._begun:
            raise ValueError("no episode is running: call reset() first")
        seat = self._seats.get(agent)
        if seat is None:
            raise ValueError(f"there is no agent {agent!r}; agents: {', '.join(self.possible_agents)}")
        return seat

    def state(self) -> Floats:
        """The whole table from the place of seat 0: its observation and the cards hidden from it, float32 [F + H]."""
        seen, hidden = self.table.observe(self._seat(self.possible_agents[0])), self.table.hidden(0)
        return np.concatenate([self._observed.normalise(seen), self._hidden.normalise(hidden)])

    def render(self) -> Any:
        """Show the table with all cards open: text, printed text or pixels, by ``render_mode``."""
        return frame(self.game, self.table, self.render_mode)

    def _clear_rewards(self) -> None:
        """Rewards stay floats; PettingZoo would write whole numbers."""
        self.rewards = dict.fromkeys(self.rewards, 0.0)

    def close(self) -> None:
        """Nothing is held that needs closing."""

    def __getstate__(self) -> dict[str, Any]:
        # The lists and dicts are copied so that a shallow copy, too, goes its own way.
        parts = {name: copy(part) if isinstance(part, (list, dict)) else part for name, part in self.__dict__.items()}
        for name in ("_observed", "_hidden", "_actions"):
            del parts[name]
        return {**parts, "table": self.table.get_state() if self._begun else None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._furnish()
        if self._begun:
            self.table.set_state(state["table"])

    def __reduce__(self) -> tuple[Any, ...]:
        # A class that raw_env made is found by its game: not every game has a module that holds it.
        made = type(self)
        return _blank, (self.game.name if _ENVS.get(self.game.name) is made else made,), self.__getstate__()


_ENVS: dict[str, type[TableEnv]] = {}


def raw_env(game: Game | str) -> type[TableEnv]:
    """The class of a game's environments, made once."""
    game = find_game(game)
    known = _ENVS.get(game.name)
    if known is not None and known.game is game:
        return known
    name = f"{game.name}_v{game.version}"
    parts = {"game": game, "metadata": {**TableEnv.metadata, "name": name}, "__doc__": TableEnv.__doc__}
    _ENVS[game.name] = made = type("raw_env", (TableEnv,), parts)
    return made


def _blank(of: str | type[TableEnv]) -> TableEnv:
    """An environment without content, for copies and pickles to fill."""
    made = (_ENVS.get(of) or raw_env(of)) if isinstance(of, str) else of
    return made.__new__(made)


def env(game: Game | str, **options: Any) -> AECEnv[str, Any, Any]:
    """A game's environment for any learner: an illegal action ends the episode, PettingZoo's guards watch the calls."""
    table = raw_env(game)(**{"illegal": "lose", **options})
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(table))


def door(game: Game | str, module: str) -> tuple[Callable[..., AECEnv[str, Any, Any]], type[TableEnv]]:
    """Make what a module in PettingZoo's form holds, for a game and the name of that module."""

    def guarded(**options: Any) -> AECEnv[str, Any, Any]:
        return env(game, **options)

    guarded.__name__ = guarded.__qualname__ = "env"
    guarded.__doc__ = env.__doc__
    table = raw_env(game)
    guarded.__module__ = table.__module__ = module  # where both are found, by pickle for one
    return guarded, table
