"""Paired evaluation: the same deals in every rotation of the seats, the deal as the unit, mean ± 95 %.

Luck of the cards is most of a card game. So every deal (or match) is played P times, each agent holding every seat
once, and what is averaged is the deal: the mean over its rotations. Two equal agents then get exactly 0.

The deals are those of the published lists (`splits`), none of which is ever trained on: DEV for choosing, TEST, the
default, for reporting.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from karty.agents.agent import Agent, CompiledPlayer, as_agent
from karty.agents.opponents import WORD
from karty.envs import engine
from karty.envs.chance import agent_generator
from karty.envs.game import Game, make_rules
from karty.envs.games import find_game
from karty.training.estimates import Estimate, estimate
from karty.training.normalised import normalised
from karty.training.splits import Split, evaluation_seeds, whole
from karty.training.stopping import MOST, check_until, play_until

Episode = Literal["deal", "match"]
Progress = Callable[[int, int], None]
"""Called with the tables played so far and to be played."""

_CLOSE = 1e-5
"""Rewards that differ by less are equal: they come as float32."""
_MOST_THREADS = 1024
_CHUNK = 1024  # deals a thread at once
DEALS = 4000
"""Deals of an evaluation that is told neither how many nor until when."""
DONE = {"wins": "won", "losses": "lost"}
"""What a share is said to be of: deals won, deals lost."""


@dataclass(frozen=True)
class Evaluation:
    """How an agent did against others: what was played, and an estimate for each metric.

    `deals` counts deals (or matches), not rotations; `truncated` is the share of the episodes that a cap ended;
    `measure` names the metric by which agents of this game are compared, `par` is the share of wins or losses of each
    of equal agents if all episodes are decided. `seed` and `split` name the list of deals. `until` is the half-width
    that was to be reached, `reached` whether it was; None if there was no such goal. `normalised`, where it was asked
    for, is the score on a scale from random play (0) to `rule` (1), None where that is no scale.
    """

    game: str
    rules: dict[str, Any]
    agent: str
    opponents: tuple[str, ...]
    episode: str
    deals: int
    seed: int
    estimates: tuple[Estimate, ...]
    truncated: float
    measure: str
    par: float
    split: str = "test"
    until: float | None = None
    reached: bool | None = None
    normalised: Estimate | None = None

    def __getitem__(self, metric: str) -> Estimate:
        """The estimate of a metric: `points`, and `wins` or `losses`."""
        for found in self.estimates:
            if found.metric == metric:
                return found
        raise KeyError(f"{metric!r}; there are {', '.join(found.metric for found in self.estimates)}")

    @property
    def points(self) -> Estimate:
        """Score change less the mean of the others', a deal or match, in the game's units."""
        return self["points"]

    @property
    def score(self) -> Estimate:
        """What agents are compared by, and `until` and `normalised` are about.

        In deals `points`, of which more, or `losses`, of which less is better; in matches the share won or lost.
        """
        return self[compared_by(self.measure, self.outcome.metric, self.episode)]

    @property
    def outcome(self) -> Estimate:
        """The share of `wins`, or of `losses` where that is what the game counts."""
        return self.estimates[1]

    def to_dict(self, metric: str = "points") -> dict[str, Any]:
        """One metric as JSON knows it.

        game, rules, agent, opponents, metric, mean, low, high, deals, truncated, episode, split, seed, until, reached,
        normalised: the last three for the metric that agents are compared by, null for others and where not asked for.
        """
        estimate, goal = self[metric], metric == self.score.metric
        scaled = self.normalised if goal else None
        return {
            "game": self.game,
            "rules": self.rules,
            "agent": self.agent,
            "opponents": list(self.opponents),
            "metric": metric,
            "mean": estimate.mean,
            "low": estimate.low,
            "high": estimate.high,
            "deals": self.deals,
            "truncated": self.truncated,
            "episode": self.episode,
            "split": self.split,
            "seed": self.seed,
            "until": self.until if goal else None,
            "reached": self.reached if goal else None,
            "normalised": None if scaled is None else {"mean": scaled.mean, "low": scaled.low, "high": scaled.high},
        }

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary a metric."""
        return [self.to_dict(estimate.metric) for estimate in self.estimates]


@dataclass(frozen=True)
class Played:
    """All rotations of some deals, by agent (not by seat): axes rotations, deals, agents.

    `reward` and `points` are float64 [P, deals, P], `truncated` bool [P, deals].
    """

    reward: NDArray[np.float64]
    points: NDArray[np.float64]
    truncated: NDArray[np.bool_]


def evaluate(
    game: str | Game,
    agents: Sequence[str | os.PathLike[str] | Agent],
    *,
    deals: int | None = None,
    rules: Any = None,
    episode: Episode = "deal",
    seed: int = 0,
    split: Split = "test",
    until: float | None = None,
    normalise: bool = False,
    threads: int = 1,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure the first agent against the others.

    agents: names, paths or objects with `act`; one a seat, or two (the second fills the other seats; in teams one a
    team). deals: how many deals, or matches with `episode="match"`, each played in all rotations; 4,000 if left out.
    seed: another seed gives other deals; split: `dev` for choosing among agents, `test` for reporting. until: play
    only until the half-width of the `goal` is at most this, in points or as a share (0.005: half a percentage point),
    by the rule of `stopping`; `deals` is then the most that are played, 100,000 if left out. normalise: play `random`
    and `rule` in the first agent's place too. progress: called with tables played and to play. Raises ValueError for
    what does not fit, AgentError for an agent that cannot be found or answers what is no answer.
    """
    game = find_game(game)
    rules = make_rules(game, rules)
    check_episode(episode)
    seeds = seeds_to_play(deals, seed, split, until)
    if any(isinstance(agent, str) and agent == WORD for agent in agents):
        raise ValueError(f"{WORD} is no agent: karty.focal_score(game, agent) measures one against the pool")
    players = [as_agent(game, agent, rules) for agent in agents]
    names = ("random", "rule") if normalise else ()
    scale = [seat_agents(game, rules, [as_agent(game, name, rules), *players[1:]]) for name in names]
    lineups = [seat_agents(game, rules, players), *scale]
    metric = compared_by(game.measure, game.outcome, episode)
    found = [Values(game, sides(rules)) for _ in lineups]

    def play(start: int, stop: int, expected: int) -> float:
        for k, (lineup, values) in enumerate(zip(lineups, found, strict=True)):
            before = start * len(lineups) + k * (stop - start)
            report = part_of(progress, before, expected * len(lineups), rules.seats)
            part = seeds[start:stop]
            values.add(
                play_rotations(game, lineup, part, rules=rules, episode=episode, threads=threads, progress=report)
            )
        return found[0].width(metric)

    reached = play_until(play, len(seeds), until)
    return dataclasses.replace(
        summarise(game, rules, lineups[0], found[0], episode=episode, seed=seed, split=split),
        until=until,
        reached=reached,
        normalised=normalised(*(values.of(metric) for values in found)) if normalise else None,
    )


def seeds_to_play(deals: int | None, seed: int, split: str, until: float | None) -> NDArray[np.int64]:
    """The seeds of at most so many deals; how many there are, if that is not said, depends on ``until``."""
    check_until(until)
    return evaluation_seeds((DEALS if until is None else MOST) if deals is None else deals, seed, split)


def compared_by(measure: str, outcome: str, episode: str) -> str:
    """The metric that counts: in deals the game's measure, in matches the share won (or lost)."""
    return measure if episode == "deal" else outcome


def part_of(progress: Progress | None, before: int, whole: int, seats: int) -> Progress | None:
    """Progress of one part, at tables of so many seats; before: deals before it, whole: deals in all."""
    if progress is None:
        return None
    show = progress
    return lambda played, tables: show(before * seats + played, whole * seats)


def check_episode(episode: str) -> None:
    """ValueError unless the episode is a deal or a match."""
    if episode not in ("deal", "match"):
        raise ValueError(f"episode must be deal or match, not {episode!r}")


def sides(rules: Any) -> NDArray[np.int64]:
    """The side of each seat, [P] int64: in teams the team's number, else the seat itself."""
    return np.asarray(rules.teams, dtype=np.int64)


def seat_agents(game: Game, rules: Any, agents: Sequence[Agent]) -> list[Agent]:
    """P agents for the P seats, from one a seat or two (the second fills the other seats; in teams one a team)."""
    side = sides(rules)
    seats, teams = len(side), len(set(side.tolist()))
    if len(agents) == seats:
        return list(agents)
    if len(agents) == 2 == teams:
        return [agents[s] for s in side]
    if len(agents) == 2:
        return [agents[0]] + [agents[1]] * (seats - 1)
    fill = "one a team" if teams < seats else "the second fills the other seats"
    enough = f"{seats} agents or 2 ({fill})" if seats > 2 else "2 agents"
    raise ValueError(f"{game.name} has {seats} seats: give {enough}, not {len(agents)}")


def play_rotations(
    game: Game,
    agents: Sequence[Agent],
    seeds: NDArray[np.int64],
    *,
    rules: Any,
    episode: Episode,
    threads: int = 1,
    progress: Progress | None = None,
) -> Played:
    """Play every deal in all P rotations: in rotation r agent k holds seat (k + r) mod P.

    agents: P of them; seeds: [deals] int64, which also seed the generator of agents that draw lots.
    """
    seats, deals = len(agents), len(seeds)
    reward, points = np.empty((2, seats, deals, seats))
    truncated = np.empty((seats, deals), dtype=bool)
    table = [agent.kernel_name if isinstance(agent, CompiledPlayer) else agent for agent in agents]
    if not whole(threads) or not 1 <= threads <= _MOST_THREADS:
        raise ValueError(f"threads must be a whole number from 1 to {_MOST_THREADS}, not {threads!r}")
    for start in range(0, deals, _CHUNK):  # whatever the threads: the generator goes with the chunk
        part = slice(start, min(start + _CHUNK, deals))
        seen: dict[tuple[str | int, ...], dict[str, NDArray[Any]]] = {}
        for r in range(seats):
            players = [table[(seat - r) % seats] for seat in range(seats)]
            same = tuple(player if isinstance(player, str) else id(player) for player in players)
            # The same agents in the same seats on the same deals: there is nothing new to play.
            if same not in seen:
                seen[same] = engine.play_episodes(
                    game,
                    players,
                    seeds[part],
                    rules=rules,
                    episode=episode,
                    threads=threads,
                    rng=agent_generator(int(seeds[start]), r),
                )
            result = seen[same]
            seat_of = (np.arange(seats) + r) % seats
            reward[r, part] = np.asarray(result["reward"])[:, seat_of]
            points[r, part] = np.asarray(result["points"])[:, seat_of]
            truncated[r, part] = result["truncated"]
            if progress is not None:
                progress(start * seats + (r + 1) * (part.stop - start), deals * seats)
    return Played(reward, points, truncated)


class Values:
    """What became of an agent in each deal, the mean over its rotations, added part by part."""

    def __init__(self, game: Game, side: NDArray[np.int64]) -> None:
        """side: [P] int64, the side of each seat."""
        self._game, self._side = game, side
        self._parts: list[tuple[NDArray[np.float64], NDArray[np.float64], float]] = []

    def add(self, played: Played) -> None:
        """Add deals that were played in all rotations."""
        points = relative(played.points, self._side).mean(axis=0)
        shares = outcome_shares(played.reward, self._side, lost=self._game.outcome == "losses").mean(axis=0)
        self._parts.append((points, shares, float(played.truncated.sum(axis=1).mean())))

    def of(self, metric: str) -> NDArray[np.float64]:
        """One value a deal, [deals] float64: points more than the others, or a share of wins or losses."""
        return np.concatenate([part[0 if metric == "points" else 1] for part in self._parts])

    def estimate(self, metric: str) -> Estimate:
        """The mean of a metric with its interval."""
        if metric == "points":
            return estimate(metric, self.of(metric))
        return estimate(metric, self.of(metric), 0.0, 1.0)

    def width(self, metric: str) -> float:
        """The half-width that ends an evaluation when it is small enough, of the interval before it is cut to 0 … 1.

        Of shares it is never less than 3 / deals: so much may be lost where no loss was seen yet (the rule of three).
        """
        values = self.of(metric)
        half = estimate(metric, values).half
        return half if metric == "points" else max(half, 3 / len(values))

    @classmethod
    def mean(cls, several: Sequence[Values]) -> Values:
        """The mean of several, deal by deal: what became of an agent against different others on the same deals."""
        first = several[0]
        found = cls(first._game, first._side)
        points, shares = (np.mean([each.of(metric) for each in several], axis=0) for metric in ("points", "share"))
        found._parts = [(points, shares, len(points) * float(np.mean([each.truncated for each in several])))]
        return found

    @property
    def truncated(self) -> float:
        """The share of episodes that a cap ended."""
        return sum(part[2] for part in self._parts) / sum(len(part[0]) for part in self._parts)


def summarise(
    game: Game, rules: Any, agents: Sequence[Agent], values: Values, *, episode: str, seed: int, split: str
) -> Evaluation:
    """The first agent's estimates from its value in each deal."""
    return Evaluation(
        game=game.name,
        rules=rules.to_dict(),
        agent=agents[0].name,
        opponents=tuple(agent.name for agent in agents[1:]),
        episode=episode,
        deals=len(values.of("points")),
        seed=seed,
        estimates=(values.estimate("points"), values.estimate(game.outcome)),
        truncated=values.truncated,
        measure=game.measure,
        par=1 / len(np.unique(sides(rules))),
        split=split,
    )


def relative(points: NDArray[np.float64], side: NDArray[np.int64]) -> NDArray[np.float64]:
    """The first agent's points less the mean of those on other sides. points: [..., P]; side: [P]; returns [...]."""
    result: NDArray[np.float64] = points[..., 0] - points[..., side != side[0]].mean(axis=-1)
    return result


def outcome_shares(reward: NDArray[np.float64], side: NDArray[np.int64], *, lost: bool = False) -> NDArray[np.float64]:
    """The first agent's share of each win (or loss): 1, 0, or 1/k where k sides share it.

    reward: [..., P]; returns [...].

    A win is the highest reward if it is above 0, a loss the lowest if it is below; an undecided episode has neither.
    """
    gain = -reward if lost else reward
    best = gain.max(axis=-1, keepdims=True)
    has = (gain > best - _CLOSE) & (best > _CLOSE)
    by_side = np.stack([has[..., side == s].any(axis=-1) for s in np.unique(side)], axis=-1)
    shared = np.maximum(by_side.sum(axis=-1), 1)
    result: NDArray[np.float64] = has[..., 0] / shared
    return result
