"""Focal scores: one agent against each member of a pool of opponents, and the mean over the pool.

The agent holds one seat (in teams: one team), copies of one member of the pool all others, in all rotations of the
same deals. The focal score is the mean over the members (as in Melting Pot, Leibo et al. 2021); since every member is
met on the same deals, its interval is that of the mean of one deal over the pool.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from karty.agents.agent import Agent, as_agent
from karty.agents.opponents import WORD, load_pool
from karty.envs.game import Game, make_rules
from karty.envs.games import find_game
from karty.training.estimates import Estimate
from karty.training.evaluate import (
    Episode,
    Evaluation,
    Progress,
    Values,
    check_episode,
    compared_by,
    part_of,
    play_rotations,
    seat_agents,
    seeds_to_play,
    sides,
    summarise,
)
from karty.training.normalised import normalised
from karty.training.splits import Split
from karty.training.stopping import play_until


@dataclass(frozen=True)
class FocalScore:
    """What an agent did against a pool: an evaluation for each member, and the mean over them all.

    ``mean`` is an Evaluation like the others, its opponents the names of the members.
    """

    members: tuple[Evaluation, ...]
    mean: Evaluation

    def to_dicts(self) -> list[dict[str, Any]]:
        """The lines of every member, then those of the mean, whose `opponents` are `pool:` and the members' names."""
        lines = [line for member in self.members for line in member.to_dicts()]
        opponents = [f"{WORD}:{name}" for name in self.mean.opponents]
        return lines + [{**line, "opponents": opponents} for line in self.mean.to_dicts()]


def focal_score(
    game: str | Game,
    agent: str | os.PathLike[str] | Agent,
    *,
    pool: Sequence[str | os.PathLike[str] | Agent] | None = None,
    deals: int | None = None,
    rules: Any = None,
    episode: Episode = "deal",
    seed: int = 0,
    split: Split = "test",
    until: float | None = None,
    normalise: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> FocalScore:
    """Measure an agent against every member of a pool.

    agent: a name, a path or an object with `act`. pool: the opponents; if left out the game's own (`POOL` of
    `karty.agents.opponents`). until: about the mean over the pool. normalise: `random` and `rule` meet the pool
    too. The other arguments, and the errors, are those of `evaluate`.
    """
    game = find_game(game)
    rules = make_rules(game, rules)
    check_episode(episode)
    seeds = seeds_to_play(deals, seed, split, until)
    others = load_pool(game, rules) if pool is None else [as_agent(game, each, rules) for each in pool]
    if not others:
        raise ValueError("a pool needs one opponent or more, not none")
    focal = [as_agent(game, each, rules) for each in ((agent, "random", "rule") if normalise else (agent,))]
    metric = compared_by(game.measure, game.outcome, episode)
    found = [[Values(game, sides(rules)) for _ in others] for _ in focal]

    def play(start: int, stop: int, expected: int) -> float:
        before, pairs = start * len(focal) * len(others), len(focal) * len(others)
        for one, row in zip(focal, found, strict=True):
            for other, values in zip(others, row, strict=True):
                report = part_of(progress, before, expected * pairs, rules.seats)
                lineup, part = seat_agents(game, rules, [one, other]), seeds[start:stop]
                values.add(
                    play_rotations(game, lineup, part, rules=rules, episode=episode, threads=threads, progress=report)
                )
                before += stop - start
        return Values.mean(found[0]).width(metric)

    reached = play_until(play, len(seeds), until)
    how: dict[str, Any] = {"episode": episode, "seed": seed, "split": split}
    columns = list(zip(*found, strict=True))
    members = tuple(
        dataclasses.replace(
            summarise(game, rules, seat_agents(game, rules, [focal[0], other]), column[0], **how),
            normalised=_scaled(column, metric),
        )
        for other, column in zip(others, columns, strict=True)
    )
    means = [Values.mean(row) for row in found]
    mean = dataclasses.replace(
        summarise(game, rules, [focal[0], *others], means[0], **how),
        until=until,
        reached=reached,
        normalised=_scaled(means, metric),
    )
    return FocalScore(members, mean)


def _scaled(values: Sequence[Values], metric: str) -> Estimate | None:
    """The normalised score from the values of the agent, `random` and `rule`; None from those of the agent alone."""
    return normalised(*(each.of(metric) for each in values)) if len(values) == 3 else None
