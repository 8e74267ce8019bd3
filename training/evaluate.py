"""Paired evaluation: the same deals in every rotation of the seats, the deal as the unit, mean ± 95 %.

Luck of the cards is most of a card game. So every deal (or match) is played P times, each agent holding every seat
once, and what is averaged is the deal: the mean over its rotations. Two equal agents then get exactly 0.

The seeds of an evaluation are not those of any training: training seeds lie below 2**62, evaluation seeds at and
above. The lower half of these is for choosing (`DEV_SEEDS`), the upper half for reporting (`TEST_SEEDS`, the
default).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from karty.agents.agent import Agent, CompiledPlayer, as_agent
from karty.envs import engine
from karty.envs.chance import agent_generator
from karty.envs.game import EVALUATION_SEEDS, Game, make_rules
from karty.envs.games import find_game

DEV_SEEDS = EVALUATION_SEEDS
TEST_SEEDS = DEV_SEEDS + (1 << 61)
MOST_DEALS = 1 << 28
"""Deals that one evaluation seed can give: the next seed's deals begin after them."""
LARGEST_SEED = (1 << 33) - 1

Episode = Literal["deal", "match"]
Progress = Callable[[int, int], None]
"""Called with the tables played so far and to be played."""

_CLOSE = 1e-5
"""Rewards that differ by less are equal: they come as float32."""
_MOST_THREADS = 1024
_CHUNK = 1024  # deals a thread at once
NORMAL_95 = 1.959964
DONE = {"wins": "won", "losses": "lost"}
"""What a share is said to be of: deals won, deals lost."""


@dataclass(frozen=True)
class Estimate:
    """A mean with its 95 % interval. `points` is in the game's units; `wins` and `losses` are shares, 0 … 1."""

    metric: str
    mean: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2


@dataclass(frozen=True)
class Evaluation:
    """How an agent did against others: what was played, and an estimate for each metric.

    `deals` counts deals (or matches), not rotations; `truncated` is the share of the episodes that a cap ended;
    `measure` names the metric by which agents of this game are compared, `par` is the share of wins or losses of each
    of equal agents if all episodes are decided.
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

    def __getitem__(self, metric: str) -> Estimate:
        """The estimate of a metric: `points`, and `wins` or `losses`."""
        for estimate in self.estimates:
            if estimate.metric == metric:
                return estimate
        raise KeyError(f"{metric!r}; there are {', '.join(estimate.metric for estimate in self.estimates)}")

    @property
    def points(self) -> Estimate:
        """Score change less the mean of the others', a deal or match, in the game's units."""
        return self["points"]

    @property
    def score(self) -> Estimate:
        """What agents of this game are compared by: `points`, of which more, or `losses`, of which less is better."""
        return self[self.measure]

    @property
    def outcome(self) -> Estimate:
        """The share of `wins`, or of `losses` where that is what the game counts."""
        return self.estimates[1]

    def to_dict(self, metric: str = "points") -> dict[str, Any]:
        """One metric as JSON knows it: game, rules, agent, opponents, metric, mean, low, high, deals, episode."""
        estimate = self[metric]
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
            "episode": self.episode,
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
    deals: int = 4000,
    rules: Any = None,
    episode: Episode = "deal",
    seed: int = 0,
    split: Literal["test", "dev"] = "test",
    threads: int = 1,
    progress: Progress | None = None,
) -> Evaluation:
    """Measure the first agent against the others.

    agents: names, paths or objects with `act`; one a seat, or two (the second fills the other seats; in teams one a
    team). deals: how many deals, or matches with `episode="match"`, each played in all rotations. seed: another seed
    gives other deals; split: `dev` for choosing among agents, `test` for reporting. progress: called with tables
    played and to play.
    """
    game = find_game(game)
    rules = make_rules(game, rules)
    seeds = evaluation_seeds(deals, seed, split)
    check_episode(episode)
    seated = seat_agents(game, rules, [as_agent(game, agent, rules) for agent in agents])
    played = play_rotations(game, seated, seeds, rules=rules, episode=episode, threads=threads, progress=progress)
    return summarise(game, rules, seated, played, episode=episode, seed=seed)


def evaluation_seeds(deals: int, seed: int = 0, split: str = "test") -> NDArray[np.int64]:
    """The seeds of an evaluation's deals, [deals] int64; those of two evaluation seeds or splits never meet."""
    if split not in ("dev", "test"):
        raise ValueError(f"split must be dev or test, not {split!r}")
    if not _whole(deals) or not 2 <= deals <= MOST_DEALS:
        raise ValueError(f"deals must be a whole number from 2 (an interval needs two) to {MOST_DEALS}, not {deals!r}")
    if not _whole(seed) or not 0 <= seed <= LARGEST_SEED:
        raise ValueError(f"seed of an evaluation must be a whole number from 0 to {LARGEST_SEED}, not {seed!r}")
    first = (TEST_SEEDS if split == "test" else DEV_SEEDS) + int(seed) * MOST_DEALS
    return first + np.arange(deals, dtype=np.int64)


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
    if not _whole(threads) or not 1 <= threads <= _MOST_THREADS:
        raise ValueError(f"threads must be a whole number from 1 to {_MOST_THREADS}, not {threads!r}")
    chunk = _CHUNK * threads
    for start in range(0, deals, chunk):
        part = slice(start, min(start + chunk, deals))
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


def summarise(
    game: Game, rules: Any, agents: Sequence[Agent], played: Played, *, episode: str, seed: int
) -> Evaluation:
    """The first agent's estimates from what was played."""
    side = sides(rules)
    points = estimate("points", relative(played.points, side).mean(axis=0))
    metric = game.outcome
    shares = outcome_shares(played.reward, side, lost=metric == "losses").mean(axis=0)
    return Evaluation(
        game=game.name,
        rules=rules.to_dict(),
        agent=agents[0].name,
        opponents=tuple(agent.name for agent in agents[1:]),
        episode=episode,
        deals=played.points.shape[1],
        seed=seed,
        estimates=(points, estimate(metric, shares, 0.0, 1.0)),
        truncated=float(played.truncated.mean()),
        measure=game.measure,
        par=1 / len(np.unique(side)),
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


def estimate(metric: str, values: NDArray[np.float64], least: float = -np.inf, most: float = np.inf) -> Estimate:
    """Mean and normal 95 % interval of one value a deal, [deals] float64; the interval is cut to [least, most]."""
    mean = float(values.mean()) + 0.0
    half = NORMAL_95 * float(values.std(ddof=1)) / len(values) ** 0.5
    return Estimate(metric, mean, max(mean - half, least), min(mean + half, most))


def _whole(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
