"""How fast the engine is: decisions a second, a second of wall time and a second of CPU time."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from karty.envs import engine
from karty.envs.game import Game, make_rules
from karty.envs.games import find_game

RUNS = 5
"""Each mode is measured so many times; the best counts, since other work on the machine can only slow a run down."""

_PART = 256
"""Tables, or decisions at the one table of `aec`, of a round: no round may take much of the time of a run."""

MODES = {
    "step": "uniformly random legal play: choosing, stepping, observation and mask of every decision",
    "rule": "the same with the rule-based player choosing",
    "episodes": "whole episodes of random play inside the engine, no observations",
    "aec": "random play through the PettingZoo view, one table",
}


@dataclass(frozen=True)
class Speed:
    """The best run of one mode; `decisions_per_cpu_s` is the figure to quote from a shared machine."""

    game: str
    rules: dict[str, Any]
    mode: str
    n: int
    threads: int
    decisions_per_s: float
    decisions_per_cpu_s: float

    def to_dict(self) -> dict[str, Any]:
        """The fields as JSON knows them."""
        return asdict(self)


def bench(
    game: str | Game,
    *,
    rules: Any = None,
    modes: Sequence[str] = tuple(MODES),
    seconds: float = 3.0,
    n: int = 4096,
    threads: int = 1,
    seed: int = 0,
) -> Iterator[Speed]:
    """Measure the modes one after another, each for `seconds` of wall time in all, split into five runs.

    Matches are played, with auto-reset; n tables at once, in so many threads (`aec`: one table, one thread).
    """
    game = find_game(game)
    rules = make_rules(game, rules)
    if not 0 < seconds < float("inf"):
        raise ValueError(f"seconds must be a number above 0, not {seconds}")
    for name, value in (("n", n), ("threads", threads)):
        if value < 1:
            raise ValueError(f"{name} must be a whole number from 1 on, not {value}")
    if unknown := [mode for mode in modes if mode not in MODES]:
        raise ValueError(f"there is no mode {unknown[0]!r}; modes: {', '.join(MODES)}")
    for mode in modes:
        if mode == "rule" and "rule" not in engine.players(game.name):
            continue
        single = mode == "aec"
        rounds = _ROUNDS[mode](game, rules, 1 if single else n, 1 if single else threads, seed)
        wall, cpu = _best(rounds, seconds)
        yield Speed(game.name, rules.to_dict(), mode, 1 if single else n, 1 if single else threads, wall, cpu)


def _best(rounds: Iterator[int], seconds: float) -> tuple[float, float]:
    """The best run's decisions a wall second and a CPU second. rounds: yields the decisions of each round it plays."""
    next(rounds)  # the first round compiles, or loads, the machine code
    runs = []
    for _ in range(RUNS):
        wall, cpu, decisions = time.perf_counter(), time.process_time(), 0
        while time.perf_counter() - wall < seconds / RUNS:
            decisions += next(rounds)
        spent = time.process_time() - cpu
        runs.append((decisions / max(spent, 1e-9), decisions / (time.perf_counter() - wall)))
    best = max(runs)
    return best[1], best[0]


def _stepping(player: str) -> Callable[..., Iterator[int]]:
    def rounds(game: Game, rules: Any, n: int, threads: int, seed: int) -> Iterator[int]:
        batch = engine.make_batch(game, n, rules=rules, seed=seed, threads=threads)
        batch.reset()
        while True:
            batch.step(batch.choose(player))
            yield n

    return rounds


def _episodes(game: Game, rules: Any, n: int, threads: int, seed: int) -> Iterator[int]:
    """A round is an episode at a part of the tables: random play takes thousands of decisions to end some matches."""
    starts = range(0, n, _PART)
    parts = [
        engine.make_batch(game, min(_PART, n - start), rules=rules, seed=seed + start, threads=threads)
        for start in starts
    ]
    while True:
        for part in parts:
            yield part.play_out(1)


def _aec(game: Game, rules: Any, n: int, threads: int, seed: int) -> Iterator[int]:
    """The loop that PettingZoo's pages show, with the raw environment; a round is an episode, or part of a long one."""
    from karty.envs.aec import raw_env

    env = raw_env(game)(rules=rules)
    rng = random.Random(seed)
    while True:
        decisions = 0
        env.reset(seed=seed)
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(rng.choice(observation["action_mask"].nonzero()[0]))
                decisions += 1
                if decisions == _PART:
                    yield decisions
                    decisions = 0
        yield decisions
        seed += 1


_ROUNDS: dict[str, Callable[..., Iterator[int]]] = {
    "step": _stepping("random"),
    "rule": _stepping("rule"),
    "episodes": _episodes,
    "aec": _aec,
}
