"""Positions of a game apart from any table: every deal, what a position asks, and what follows each action.

For whoever goes through a whole game, and so for small ones: games in which nothing is drawn after the deal.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from . import compiled
from .cards import NO_CARD
from .game import ASKED, NOBODY, RUNNING, Game, Options
from .layout import records
from .table import blank_states, draw_frames

States = npt.NDArray[Any]
"""Positions [m], as records of the game's state."""

_NOT_PLAYED_BY = ("first", "episode", "seed", "chance", "choices", "stacked", "pack")
"""Fields of every state that say where the cards came from: once they are dealt, play goes by where they lie."""


class Asked(NamedTuple):
    """What positions [m] ask: ``seat`` int8 [m], and its ``observation`` int8 [m, F] and ``mask`` int8 [m, A]."""

    seat: npt.NDArray[np.int8]
    observation: npt.NDArray[np.int8]
    mask: npt.NDArray[np.int8]


class Positions:
    """The positions of one deal of a game, under one set of rules."""

    def __init__(self, game: Game, rules: Options) -> None:
        self.game, self.rules, self.shape = game, rules, game.shape(rules)
        self._code = compiled.code_of(game, self.shape, "branch", seated=False)
        self._blanks = blank_states(game, [rules], single_deal=True)
        self._frames = draw_frames(self._code, self._blanks, self.shape)
        names = [field.name for field in game.state]
        self._width = game.state.size
        ends = np.cumsum([field.size for field in game.state])
        self._counts = np.concatenate(
            [
                np.arange(end - game.state[name].size, end)
                for name, end in zip(names, ends, strict=True)
                if name not in _NOT_PLAYED_BY
            ]
        )

    def deals(self) -> States:
        """Every deal [K], each as likely, as it lies before the first decision; cards of a pile in one order only."""
        found = []
        first = records(self._blanks.copy())
        self._code.table_open(first, self._blanks, 0, 0)
        for dealer in range(self.shape.seats) if int(first["dealer"][0]) != NOBODY else (NOBODY,):
            sizes = [size for _, _, size in self.game.piles(self.rules, dealer)]
            pack = [card for card in range(self.shape.deck.size) if self.shape.deck.full >> card & 1]
            for order in _dealt(pack, sizes):
                state = records(first.copy())
                state["pack"][0] = NO_CARD
                state["pack"][0, : len(order)] = order
                state["dealer"] = dealer
                state["stacked"] = 1
                while self._code.table_advance(state) != ASKED:
                    pass
                found.append(state)
        return records(np.concatenate(found))

    def ask(self, states: States) -> Asked:
        """What each of the positions, none of them over, asks."""
        seat, observation, mask, _ = self._survey(states)
        return Asked(seat, observation, mask)

    def after(self, states: States, parents: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> States:
        """The positions [k] that follow when actions int64 [k] are played at ``states[parents]``.

        ValueError if chance decides something after the deal.
        """
        children = records(np.empty(len(parents), self.game.state.dtype))
        self._code.branch(states, parents, actions, children)
        if (children["chance"] != states["chance"][parents]).any():
            raise ValueError(f"{self.game.name}: lots are drawn after the deal, so its tree cannot be made")
        return children

    def returns(self, states: States) -> npt.NDArray[np.float64]:
        """What each seat is paid, [m, P], where a position is over; 0 elsewhere."""
        reward: npt.NDArray[np.float64] = self._survey(states)[3]
        return reward

    @staticmethod
    def over(states: States) -> npt.NDArray[np.bool_]:
        """Which of the positions are over, [m]."""
        return np.asarray(states["over"] != RUNNING)

    def content(self, states: States) -> npt.NDArray[np.int64]:
        """All that play goes by, as numbers [m, W]: positions with equal rows are the same."""
        rows = states.view(np.ndarray).view(np.int64).reshape(len(states), self._width)
        return np.ascontiguousarray(rows[:, self._counts])

    def _survey(self, states: States) -> tuple[Any, ...]:
        m, shape = len(states), self.shape
        seat, rows = np.zeros(m, np.int8), np.zeros((m, shape.features), np.int8)
        mask = np.zeros((m, shape.size), np.int8)
        reward, points = np.zeros((m, shape.seats)), np.zeros((m, shape.seats))
        seen = records(rows.view(shape.observation.dtype).reshape(m))
        legal = records(mask.view(np.dtype([("legal", np.int8, (shape.size,))])).reshape(m))
        self._code.survey(states, self._frames, seen, legal, seat, reward, points)
        return seat, rows, mask, reward


def _dealt(pack: list[int], sizes: list[int]) -> Iterator[list[int]]:
    """Every way to deal the pack into piles of these sizes, as the pack that deals so."""
    if not sizes:
        yield []
        return
    for pile in combinations(pack, sizes[0]):
        for rest in _dealt([card for card in pack if card not in pile], sizes[1:]):
            yield [*pile, *rest]
