"""An arena: every ordered pair of agents, one in one seat and the other in the rest, and ratings over all results."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karty.agents.agent import Agent, as_agent
from karty.envs.game import make_rules
from karty.envs.games import find_game
from karty.training.evaluate import (
    Episode,
    Evaluation,
    Played,
    Progress,
    check_episode,
    evaluation_seeds,
    play_rotations,
    seat_agents,
    sides,
    summarise,
)
from karty.training.ratings import Ranking, Rating, ranking, rate


@dataclass(frozen=True)
class Arena:
    """What an arena found: the agents' names, an evaluation for each ordered pair, and the ratings, best first."""

    agents: tuple[str, ...]
    pairs: dict[tuple[str, str], Evaluation]
    ratings: tuple[Rating, ...]

    def to_dicts(self) -> list[dict[str, Any]]:
        """The lines of `evaluate` for every ordered pair, then one line of the metric `rating` for each agent."""
        lines = [line for pair in self.pairs.values() for line in pair.to_dicts()]
        first = next(iter(self.pairs.values())).to_dict()
        for row in self.ratings:
            others = [name for name in self.agents if name != row.agent]
            found = {"metric": "rating", "mean": row.mean, "low": row.low, "high": row.high}
            lines.append({**first, "agent": row.agent, "opponents": others, **found})
        return lines


def arena(
    game: str | Any,
    agents: Sequence[str | os.PathLike[str] | Agent],
    *,
    deals: int = 1000,
    rules: Any = None,
    episode: Episode = "deal",
    seed: int = 0,
    threads: int = 1,
    progress: Progress | None = None,
) -> Arena:
    """Let every agent hold one seat against every other agent in the rest (in teams: one team), on the same deals.

    agents: two or more names, paths or objects with `act`. The other arguments are those of `evaluate`. Agents that
    have the same name are told apart as `name`, `name (2)` and so on. Ratings rank the seats of each episode by
    reward.
    """
    game = find_game(game)
    rules = make_rules(game, rules)
    seeds = evaluation_seeds(deals, seed)
    check_episode(episode)
    if len(agents) < 2:
        raise ValueError(f"an arena needs two agents or more, not {len(agents)}")
    if twice := sorted({str(agent) for agent in agents if list(agents).count(agent) > 1}):
        raise ValueError(f"an arena needs different agents; named twice: {', '.join(twice)}")
    players = [as_agent(game, agent, rules) for agent in agents]
    names = _names(players)
    pairs: dict[tuple[str, str], Evaluation] = {}
    results = _Results(deals)
    couples = [(a, b) for a in range(len(players)) for b in range(len(players)) if a != b]
    for done, (a, b) in enumerate(couples):
        seated = seat_agents(game, rules, [players[a], players[b]])
        report = None if progress is None else _share(progress, done, len(couples))
        played = play_rotations(game, seated, seeds, rules=rules, episode=episode, threads=threads, progress=report)
        found = summarise(game, rules, seated, played, episode=episode, seed=seed)
        who = [a if agent is players[a] else b for agent in seated]
        opponents = tuple(names[k] for k in who[1:])
        pairs[names[a], names[b]] = _renamed(found, names[a], opponents)
        results.add(who, played, sides(rules))
    return Arena(tuple(names), pairs, tuple(rate(names, results.rankings, results.counts(), seed)))


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
        count = sum(name == player.name or name.startswith(f"{player.name} (") for name in names)
        names.append(f"{player.name} ({count + 1})" if count else player.name)
    return names


def _renamed(found: Evaluation, agent: str, opponents: tuple[str, ...]) -> Evaluation:
    """The evaluation under the names of the arena."""
    return replace(found, agent=agent, opponents=opponents)


def _share(progress: Progress, done: int, couples: int) -> Progress:
    """Progress of one pair as part of the whole."""
    return lambda played, tables: progress(done * tables + played, couples * tables)
