"""An arena: every ordered pair of agents, one in one seat and the other in the rest.

Of what was played it tells the payoff of every pair, ratings over all results, how much of the payoffs is cyclic, so
that no rating can tell it, and how long each agent takes for a decision.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from karty.agents.agent import Agent, as_agent
from karty.agents.opponents import WORD, pool_names
from karty.envs.game import Game, make_rules
from karty.envs.games import find_game
from karty.training.cycles import CyclicShare, cyclic_share
from karty.training.evaluate import (
    Episode,
    Evaluation,
    Played,
    Progress,
    Values,
    check_episode,
    compared_by,
    part_of,
    play_rotations,
    seat_agents,
    sides,
    summarise,
)
from karty.training.move_time import MoveTime, time_a_move, timed
from karty.training.ratings import Ranking, Rating, ranking, rate
from karty.training.splits import Split, evaluation_seeds

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Arena:
    """What an arena found.

    ``agents``: their names, in the order given; ``pairs``: an evaluation for each ordered pair, by (one seat, the
    rest); ``ratings``: best first; ``cyclic``: the share of the payoffs that no rating explains; ``times``: CPU time a
    decision of each agent.
    """

    agents: tuple[str, ...]
    pairs: dict[tuple[str, str], Evaluation]
    ratings: tuple[Rating, ...]
    cyclic: CyclicShare
    times: tuple[MoveTime, ...]

    @property
    def setting(self) -> Evaluation:
        """One of the pairs, for what is the same in all: game, rules, episode, deals, seed, split, measure, par."""
        return next(iter(self.pairs.values()))

    def time(self, agent: str) -> MoveTime:
        """How long the agent of this name takes for a decision."""
        return self.times[self.agents.index(agent)]

    def to_dicts(self) -> list[dict[str, Any]]:
        """The lines of `evaluate` for every ordered pair, then those of `rating`, `ms` and `cyclic_share`.

        `rating` and `ms`, CPU milliseconds a decision, have a line for each agent; `ms` has no interval, so low and
        high are null. `cyclic_share` has one line, its agent null, its opponents all agents.
        """
        lines = [line for pair in self.pairs.values() for line in pair.to_dicts()]
        first = self.setting.to_dict("points") | {"until": None, "reached": None, "normalised": None}

        def line(agent: str | None, found: dict[str, Any]) -> dict[str, Any]:
            others = [name for name in self.agents if name != agent]
            return {**first, "agent": agent, "opponents": others, **found}

        lines += [
            line(row.agent, {"metric": "rating", "mean": row.mean, "low": row.low, "high": row.high})
            for row in self.ratings
        ]
        lines += [line(row.agent, {"metric": "ms", "mean": row.ms, "low": None, "high": None}) for row in self.times]
        share = self.cyclic
        lines.append(line(None, {"metric": "cyclic_share", "mean": share.mean, "low": share.low, "high": share.high}))
        return lines

    def write(self, folder: str | os.PathLike[str]) -> None:
        """Write `arena.json`, `payoffs.csv`, `ratings.csv` and `payoffs.svg` into a folder that is new or empty.

        ValueError if the folder holds something, ImportError without matplotlib.
        """
        from karty.training.arena_files import write

        write(self, folder)

    def picture(self) -> Figure:
        """The payoffs as a heat map with their intervals, a matplotlib Figure; ImportError without matplotlib."""
        from karty.training.heatmap import heatmap

        return heatmap(self)


def arena(
    game: str | Any,
    agents: Sequence[str | os.PathLike[str] | Agent],
    *,
    deals: int = 1000,
    rules: Any = None,
    episode: Episode = "deal",
    seed: int = 0,
    split: Split = "test",
    threads: int = 1,
    progress: Progress | None = None,
) -> Arena:
    """Let every agent hold one seat against every other agent in the rest (in teams: one team), on the same deals.

    agents: two or more names, paths or objects with `act`; `pool` stands for all members of the game's pool that are
    not named besides. The other arguments, and the errors, are those of `evaluate`. Agents that have the same name are
    told apart as `name`, `name (2)` and so on. Ratings rank the seats of each episode by reward.
    """
    game = find_game(game)
    rules = make_rules(game, rules)
    seeds = evaluation_seeds(deals, seed, split)
    check_episode(episode)
    agents = with_pool(game, agents)
    if len(agents) < 2:
        raise ValueError(f"an arena needs two agents or more, not {len(agents)}")
    if twice := sorted({str(agent) for agent in agents if list(agents).count(agent) > 1}):
        raise ValueError(f"an arena needs different agents; named twice: {', '.join(twice)}")
    players = [timed(as_agent(game, agent, rules)) for agent in agents]
    names = _names(players)
    pairs: dict[tuple[str, str], Evaluation] = {}
    results = _Results(deals)
    payoffs = np.zeros((deals, len(players), len(players)))
    metric = compared_by(game.measure, game.outcome, episode)
    couples = [(a, b) for a in range(len(players)) for b in range(len(players)) if a != b]
    for done, (a, b) in enumerate(couples):
        seated = seat_agents(game, rules, [players[a], players[b]])
        report = part_of(progress, done * deals, len(couples) * deals, rules.seats)
        played = play_rotations(game, seated, seeds, rules=rules, episode=episode, threads=threads, progress=report)
        values = Values(game, sides(rules))
        values.add(played)
        found = summarise(game, rules, seated, values, episode=episode, seed=seed, split=split)
        who = [a if agent is players[a] else b for agent in seated]
        pairs[names[a], names[b]] = replace(found, agent=names[a], opponents=tuple(names[k] for k in who[1:]))
        results.add(who, played, sides(rules))
        payoffs[:, a, b] = values.of(metric) * (-1 if metric == "losses" else 1)
    return Arena(
        agents=tuple(names),
        pairs=pairs,
        ratings=tuple(rate(names, results.rankings, results.counts(), seed)),
        cyclic=cyclic_share(names, payoffs, seed),
        times=tuple(
            time_a_move(game, player, seeds, rules=rules, episode=episode, name=name)
            for player, name in zip(players, names, strict=True)
        ),
    )


def with_pool(game: Game, agents: Sequence[Any]) -> list[Any]:
    """The agents with the members of the pool in place of the word `pool`, but for those that are named besides."""
    found: list[Any] = []
    for agent in agents:
        if isinstance(agent, str) and agent == WORD:
            found += [name for name in pool_names(game) if name not in [each for each in agents if each is not agent]]
        else:
            found.append(agent)
    return found


class _Results:
    """How often each result came in each deal."""

    def __init__(self, deals: int) -> None:
        self.deals = deals
        self._columns: dict[Ranking, NDArray[np.float64]] = {}

    def add(self, who: Sequence[int], played: Played, side: NDArray[np.int64]) -> None:
        """Count the results of one pair. who: [P] the number of the agent in each place of `played`; side: [P]."""
        # A team finishes as one: its first seat stands for it.
        first = [int(np.flatnonzero(side == s)[0]) for s in np.unique(side)]
        reward = np.round(played.reward[:, :, first], 5)  # they come as float32
        # How many stand below each seat: the same for all rewards that rank the seats alike.
        below = (reward[:, :, None, :] < reward[:, :, :, None]).sum(axis=-1)
        for standing in below:
            different, which = np.unique(standing, axis=0, return_inverse=True)
            kinds = [ranking([who[k] for k in first], row) for row in different.tolist()]
            for kind, deals in zip(kinds, _where(which, len(different)), strict=True):
                self._columns.setdefault(kind, np.zeros(self.deals))[deals] += 1

    @property
    def rankings(self) -> list[Ranking]:
        """The K different results."""
        return list(self._columns)

    def counts(self) -> NDArray[np.float64]:
        """How often each came in each deal, [deals, K] float64."""
        return np.stack(list(self._columns.values()), axis=1)


def _where(which: NDArray[np.int64], kinds: int) -> Iterator[NDArray[np.int64]]:
    """The deals of each kind of result."""
    for kind in range(kinds):
        yield np.flatnonzero(which.reshape(-1) == kind)


def _names(players: Sequence[Agent]) -> list[str]:
    """The agents' names, told apart where two are the same."""
    names: list[str] = []
    for player in players:
        others = (f"{player.name} ({count})" for count in itertools.count(2))
        names.append(next(name for name in itertools.chain([player.name], others) if name not in names))
    return names
