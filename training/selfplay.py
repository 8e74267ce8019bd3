"""Who sits at the training tables, and by which rules they play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from karty.agents.agent import as_agent
from karty.envs.chance import agent_generator
from karty.envs.engine import Batch, Player, make_batch, players
from karty.envs.game import EVALUATION_SEEDS, Game, Options, Shape
from karty.training.config import TrainConfig, usual_rules

Episode = Literal["deal", "match"]


@dataclass(frozen=True)
class Part:
    """Tables with the same company. ``rows``: where they stand in the buffers; ``company``: who holds the other seats.

    `self`: the network, as all seats; `rule`, `past` or `fixed`: built-in players, an earlier self of the network, or
    the run's opponents, while the network holds one seat, which moves on by one each episode.
    """

    batch: Batch
    rows: slice
    company: str


class Tables:
    """The tables of a run: one row of the buffers each, whoever sits there.

    Forced moves are played by the tables themselves, so every decision is one between two legal actions or more. Seeds
    lie below those of evaluations: no deal of an evaluation was ever trained on.
    """

    def __init__(self, parts: Sequence[Part], seed: int) -> None:
        """``seed``: of the generator that agents called by Python draw on."""
        self.parts = tuple(parts)
        first = parts[0].batch
        self.game: Game = first.game
        self.shape: Shape = first.shape
        self.seats: int = first.seats
        self.episode: str = first.episode
        self.rules: list[Options] = list(first.rules)
        self.n = parts[-1].rows.stop
        self.generator = agent_generator(seed)

    def reset(self) -> None:
        """Begin an episode at every table."""
        for part in self.parts:
            part.batch.reset(rng=self.generator)

    def rows(self, company: str) -> NDArray[np.bool_]:
        """At which tables this company sits, `[n]` bool."""
        found = np.zeros(self.n, bool)
        for part in self.parts:
            if part.company == company:
                found[part.rows] = True
        return found

    def get_state(self) -> list[bytes]:
        """The states of all tables, by part."""
        return [part.batch.get_state() for part in self.parts]

    def set_state(self, states: Sequence[bytes]) -> None:
        """Take back what ``get_state`` gave; ValueError if it does not fit."""
        if len(states) != len(self.parts):
            raise ValueError(f"{len(states)} states for {len(self.parts)} groups of tables")
        for part, state in zip(self.parts, states, strict=True):
            part.batch.reset(rng=self.generator)
            part.batch.set_state(state)


def make_tables(
    game: Game,
    config: TrainConfig,
    rules: Sequence[Options],
    episode: Episode | None = None,
    *,
    past: Player | None = None,
    rank: int = 0,
    size: int = 1,
) -> Tables:
    """The tables of a run, or of one of the processes that share it.

    ``rules``: those of which each episode draws one; ``episode``: another one than the run's; ``past``: who plays the
    earlier self; ``rank``: number of the process, which has cards of its own, of ``size``.
    """
    episode = episode or config.episode
    rng = np.random.default_rng([config.seed, 2, episode == "match", rank])
    n = config.ppo.tables
    opponents: dict[str, Any] = {"self": None, "rule": "rule", "past": past}
    if config.opponents != ("self",):
        opponents = {"fixed": _opponents(game, config.opponents, usual_rules(game, config.rules))}
        company = ["fixed"] * n
    else:
        ruled = round(n * config.company.rule_tables) if "rule" in players(game.name) else 0
        before = min(round(n * config.company.past_tables), n - ruled) if past is not None else 0
        company = ["self"] * (n - ruled - before) + ["rule"] * ruled + ["past"] * before
    mine = company[rank::size]
    parts, start = [], 0
    for name, seated_with in opponents.items():
        count = mine.count(name)
        if count == 0:
            continue
        seated: dict[str, Any] = {} if seated_with is None else {"learner": "rotate", "opponents": seated_with}
        batch = make_batch(
            game,
            count,
            rules=list(rules) if len(rules) > 1 else rules[0],
            draw_rules=len(rules) > 1,
            episode=episode,
            seed=int(rng.integers(EVALUATION_SEEDS - count)),
            skip_forced=True,
            **seated,
        )
        parts.append(Part(batch, slice(start, start + count), name))
        start += count
    return Tables(parts, int(rng.integers(EVALUATION_SEEDS)))


def _opponents(game: Game, names: Sequence[str], rules: Options) -> Any:
    """The players of the other seats: one for all of them, or one each, clockwise from the learner."""
    seated = [as_agent(game, name, rules) for name in names]
    return seated[0] if len(seated) == 1 else seated


def teacher_of(game: Game, init: str) -> str | None:
    """The built-in player to imitate at the start, if the option `init` says so; ValueError if there is none such."""
    start, _, name = init.partition(":")
    teacher = name if start == "imitate" else None
    names = players(game.name)
    if teacher is not None and teacher not in names:
        raise ValueError(
            f"--init imitate:{teacher}: {game.name} has no such built-in player; there are {', '.join(names)}"
        )
    return teacher
