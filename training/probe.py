"""Probing an agent's habits: what they cost it, how it bids and how it melds.

Strength in deals hides a dead auction: whoever never bids loses little in single deals and much in matches. The swap
shows it. A built-in player decides for the agent in one phase, all else stays as it is: what that changes for the
agent is what its own habits in the phase cost. A game without phases is one phase, and the swap is of the whole player.
Beside it stand figures of what the agent does among the same players.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karty.agents.agent import Agent, as_agent
from karty.envs.chance import agent_generator
from karty.envs.engine import make_batch
from karty.envs.game import Game, make_rules
from karty.envs.games import find_game
from karty.envs.layout import Layout
from karty.training.contracts import Contracts, Deals
from karty.training.estimates import NORMAL_95, Estimate, estimate
from karty.training.evaluate import (
    Episode,
    Played,
    Progress,
    outcome_shares,
    play_rotations,
    relative,
    seat_agents,
    sides,
)
from karty.training.habits import Habits
from karty.training.phases import Phases
from karty.training.splits import Split, evaluation_seeds

OTHER = "rule"
"""Who decides for the agent in a swap, and holds the seats of its opponents."""

_CHUNK = 1024  # deals at once
_DEALS_A_MATCH = 24  # about, among rule-based players: what a match weighs in the progress bar


@dataclass(frozen=True)
class Finding:
    """One line of a probe: an estimate and what it is about.

    ``probe``: `swap`, `choices`, `contracts` or `marriages`; ``case``: the phase, the kind of action, the kind of
    contract or its level, or empty; ``count`` of what is ``counted``: deals or matches (each in all rotations), hands
    (the agent's in every deal and rotation), decisions, contracts, marriages, melds. The interval of a swap has the
    deal or match as its unit; the others are made as if all that is counted were independent.
    """

    probe: str
    case: str
    estimate: Estimate
    count: int
    counted: str


@dataclass(frozen=True)
class Probe:
    """All findings about an agent; ``truncated``: the share of its episodes that a cap ended, matches where played."""

    game: str
    rules: dict[str, Any]
    agent: str
    opponents: tuple[str, ...]
    deals: int
    matches: int
    findings: tuple[Finding, ...]
    truncated: float
    seed: int = 0
    split: str = "test"

    def find(self, probe: str, case: str, metric: str) -> Finding:
        """The finding of this probe, case and metric; KeyError if there is none."""
        for line in self.findings:
            if (line.probe, line.case, line.estimate.metric) == (probe, case, metric):
                return line
        raise KeyError((probe, case, metric))

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dictionary a finding, as JSON knows it."""
        return [
            {
                "game": self.game,
                "rules": self.rules,
                "agent": self.agent,
                "opponents": list(self.opponents),
                "probe": line.probe,
                "case": line.case,
                "metric": line.estimate.metric,
                "mean": line.estimate.mean,
                "low": line.estimate.low,
                "high": line.estimate.high,
                "count": line.count,
                "counted": line.counted,
                "split": self.split,
                "seed": self.seed,
            }
            for line in self.findings
        ]


def probe(
    game: str | Game,
    agent: str | os.PathLike[str] | Agent,
    *,
    deals: int = 4000,
    matches: int = 1000,
    rules: Any = None,
    seed: int = 0,
    split: Split = "test",
    threads: int = 1,
    progress: Progress | None = None,
) -> Probe:
    """Probe an agent that sits among built-in players.

    deals, matches: how many, each in all rotations of the seats; 0 matches: none. The other arguments are those of
    `evaluate`. A game whose observation does not tell the phase has one, `play`.

    A swap's metrics are changes, with the other player's decisions in that phase less without them: in deals of the
    game's measure, `points` (score change less the mean of the others') or the share of `losses`, and in matches of the
    share of `wins` (or `losses`). More points and wins are better, fewer losses.
    """
    game = find_game(game)
    rules = make_rules(game, rules)
    shape = game.shape(rules)
    phase = Phases(shape.observation)
    seeds, match_seeds = evaluation_seeds(deals, seed, split), _match_seeds(matches, seed, split)
    player, other = as_agent(game, agent, rules), as_agent(game, OTHER, rules)
    seated = seat_agents(game, rules, [player, other])

    weight = {"deal": deals, "match": _DEALS_A_MATCH * matches}
    bar = _Bar(progress, deals + sum(weight.values()) * (1 + len(phase.names)))
    seen = _Seen(shape.observation, phase, shape.actions, len(seated))
    report = bar.part(deals)
    for r in range(len(seated)):
        for start in range(0, deals, _CHUNK):
            part = seeds[start : start + _CHUNK]
            seen.add(watch(game, seated, part, seat=r, rules=rules))
            if report is not None:
                report(r * deals + start + len(part), deals * len(seated))

    phases = [name for name in phase.names if name in seen.phases]
    bar.whole = deals + sum(weight.values()) * (1 + len(phases))

    def play(decider: Agent, episode: Episode) -> Played:
        """All rotations, with this one in the agent's place."""
        return play_rotations(
            game,
            [decider if agent is player else agent for agent in seated],
            seeds if episode == "deal" else match_seeds,
            rules=rules,
            episode=episode,
            threads=threads,
            progress=bar.part(weight[episode]),
        )

    findings: list[Finding] = []
    truncated = 0.0
    episodes: tuple[tuple[Episode, str], ...] = (("deal", "deals"), ("match", "matches"))
    for episode, counted in episodes[: 2 if matches else 1]:
        own = play(player, episode)
        truncated = max(truncated, float(own.truncated.mean()))
        before = _success(game, own, sides(rules), episode)
        for name in phases:
            played = play(Swapped(player, other, phase, name), episode)
            gain = (_success(game, played, sides(rules), episode) - before).mean(axis=0)
            metric = game.measure if episode == "deal" else game.outcome
            findings.append(Finding("swap", name, estimate(metric, gain), len(gain), counted))
    return Probe(
        game=game.name,
        rules=rules.to_dict(),
        agent=player.name,
        opponents=tuple(agent.name for agent in seated[1:]),
        deals=deals,
        matches=matches,
        findings=(*findings, *seen.choices(), *seen.contracts(), *seen.marriages()),
        truncated=truncated,
        seed=seed,
        split=split,
    )


def _success(game: Game, played: Played, side: NDArray[np.int64], episode: Episode) -> NDArray[np.float64]:
    """How the first agent did, [P, deals]: in a deal by the game's measure, in a match its share of the win or loss."""
    if episode == "deal" and game.measure == "points":
        return relative(played.points, side)
    return outcome_shares(played.reward, side, lost=game.outcome == "losses")


class Swapped:
    """An agent for which another one decides in one phase."""

    def __init__(self, agent: Agent, other: Agent, phases: Phases, phase: str) -> None:
        """``phases``: of the game; ``phase``: one of their names."""
        self.agent, self.other = agent, other
        self.name = f"{agent.name} ({phase}: {other.name})"
        self._phases, self._number = phases, phases.names.index(phase)

    def act(self, observation: NDArray[np.int8], mask: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """One action a row. observation: [m, F] int8, mask: [m, A] int8; returns [m] int64."""
        other = self._phases.of(observation) == self._number
        action = np.empty(len(mask), np.int64)
        for decider, rows in ((self.agent, ~other), (self.other, other)):
            if rows.any():
                action[rows] = decider.act(observation[rows], mask[rows], rng)
        return action


@dataclass(frozen=True)
class Stream:
    """An agent's decisions with two legal actions or more, in n deals with the same seat.

    Row t is what decision t was made from, row t + 1 what came of it, as in a rollout: ``observation`` [T + 1, n, F]
    int8, ``seat`` [T + 1, n] int8, ``points`` [T + 1, n, P] float64, ``mask`` [T, n, A] int8, ``action`` [T, n] int64.
    ``asked`` [T, n] bool: there was a decision; ``ended`` [T, n] bool: it was the deal's last.
    """

    observation: NDArray[np.int8]
    seat: NDArray[np.int8]
    points: NDArray[np.float64]
    mask: NDArray[np.int8]
    action: NDArray[np.int64]
    asked: NDArray[np.bool_]
    ended: NDArray[np.bool_]


def watch(game: Game, seated: Sequence[Agent], seeds: NDArray[np.int64], *, seat: int, rules: Any) -> Stream:
    """The decisions of the first of P agents in a seat, the others clockwise from it; seeds: [n] int64, of the deals.

    A deal in which it never has a choice is passed over: the table's next one stands for it.
    """
    agent, *others = seated
    batch = make_batch(
        game,
        len(seeds),
        rules=rules,
        episode="deal",
        learner=seat,
        opponents=others,
        autoreset="off",
        skip_forced=True,
    )
    rng = agent_generator(int(seeds[0]), seat)
    batch.reset(seeds, rng=rng)
    rows = [{name: batch.arrays[name].copy() for name in ("observation", "seat", "points", "mask")}]
    actions, asked = [], [~batch.finished]
    while asked[-1].any():
        tables = np.flatnonzero(asked[-1])
        action = np.zeros(len(seeds), np.int64)
        action[tables] = agent.act(rows[-1]["observation"][tables], rows[-1]["mask"][tables], rng)
        batch.step(action)
        actions.append(action)
        rows.append({name: batch.arrays[name].copy() for name in rows[0]})
        asked.append(~batch.finished)
    playing = np.stack(asked)
    return Stream(
        observation=np.stack([row["observation"] for row in rows]),
        seat=np.stack([row["seat"] for row in rows]),
        points=np.stack([row["points"] for row in rows]),
        mask=np.stack([row["mask"] for row in rows[:-1]]),
        action=np.stack(actions),
        asked=playing[:-1],
        ended=playing[:-1] & ~playing[1:],
    )


@dataclass(frozen=True)
class Choices:
    """What an agent chose in k decisions between kinds of action, in n hands.

    ``kind`` [k] int64: the kind chosen; ``open`` [k, kinds] bool: which could be chosen; ``hands`` [n, kinds] bool:
    which were chosen in each hand.
    """

    kind: NDArray[np.int64]
    open: NDArray[np.bool_]
    hands: NDArray[np.bool_]


def count_choices(stream: Stream, habits: Habits) -> Choices:
    """The decisions of a stream in which actions of two kinds or more were legal; hands are all its deals."""
    kinds = len(habits.kinds)
    kind, asked = habits.kind_of[stream.action], stream.asked[..., None]
    legal = np.stack([stream.mask[..., habits.kind_of == k].any(-1) for k in range(kinds)], -1) & asked
    chosen = (kind[..., None] == np.arange(kinds)) & asked
    some = legal.sum(-1) > 1
    return Choices(kind[some], legal[some], chosen.any(0))


@dataclass(frozen=True)
class Melds:
    """The k marriages that an agent could have melded.

    ``first`` [k] bool: it was, at the first chance; ``melded`` [k] bool: by the end of the deal; ``queen`` [k] bool:
    with the queen; ``trick`` [k] int64: in which trick, from 1; read the last two where ``melded``.
    """

    first: NDArray[np.bool_]
    melded: NDArray[np.bool_]
    queen: NDArray[np.bool_]
    trick: NDArray[np.int64]


def count_melds(stream: Stream, layout: Layout, actions: Sequence[str]) -> Melds | None:
    """The marriages in a stream, by the actions `meld CARD`, or None where there are no such actions or no tricks.

    ``layout``: of the observation, with the field `tricks`; ``actions``: the names of the A actions. A marriage (of a
    suit, the last letter of the card) can be melded where one of its actions is legal. Of two at once only one can be
    melded at the first chance; a claim is no meld.
    """
    cards = [name.split()[1] if name.startswith("meld ") else "" for name in actions]
    if not any(cards) or "tricks" not in {field.name for field in layout}:
        return None
    queens = np.array([card.startswith("Q") for card in cards])
    trick = stream.observation[:-1, :, layout["tricks"].slice].sum(-1, dtype=np.int64) + 1
    parts = []
    for suit in dict.fromkeys(card[-1] for card in cards if card):
        its = np.array([card[-1:] == suit for card in cards])
        may = stream.mask[:, :, its].any(axis=-1) & stream.asked
        held = np.flatnonzero(may.any(axis=0))
        does = its[stream.action[:, held]] & stream.asked[:, held]
        first, when = may[:, held].argmax(axis=0), does.argmax(axis=0)
        rows = np.arange(len(held))
        parts.append((does[first, rows], does.any(axis=0), queens[stream.action[when, held]], trick[when, held]))
    return Melds(*(np.concatenate(column) for column in zip(*parts, strict=True)))


class _Seen:
    """What was seen of an agent, stream by stream."""

    def __init__(self, layout: Layout, phases: Phases, actions: Sequence[str], seats: int) -> None:
        self.phases: set[str] = set()
        self._layout, self._phases, self._actions = layout, phases, actions
        self._contracts = Contracts.of(layout, seats)
        self._habits = Habits(actions)
        self._choices: list[Choices] = []
        self._deals: list[Deals] = []
        self._melds: list[Melds] = []

    def add(self, stream: Stream) -> None:
        """Look at a stream."""
        decided = np.unique(self._phases.of(stream.observation[:-1])[stream.asked])
        self.phases.update(self._phases.names[number] for number in decided)
        self._choices.append(count_choices(stream, self._habits))
        if self._contracts is not None:
            self._deals.append(self._contracts.count(stream.observation, stream.seat, stream.points, stream.ended))
        melds = count_melds(stream, self._layout, self._actions)
        if melds is not None:
            self._melds.append(melds)

    def choices(self) -> list[Finding]:
        """How often it chooses each kind of action, where it could also choose another kind, and in how many hands."""
        parts = [(c.kind, c.open, c.hands) for c in self._choices]
        kind, legal, hands = (np.concatenate(column) for column in zip(*parts, strict=True))
        found = []
        for k, name in enumerate(self._habits.kinds):
            if count := int(legal[:, k].sum()):
                found.append(Finding("choices", name, share("taken", kind[legal[:, k]] == k), count, "decisions"))
                found.append(Finding("choices", name, share("hands", hands[:, k]), len(hands), "hands"))
        return found

    def contracts(self) -> list[Finding]:
        """How often it declares and bids for it, and what becomes of its contracts."""
        if not self._deals:
            return []
        parts = [(d.declarer == d.seat, d.voluntary, d.contract, d.made, d.played) for d in self._deals]
        mine, voluntary, contract, made, played = (np.concatenate(column) for column in zip(*parts, strict=True))
        voluntary &= mine
        played &= mine
        found = [
            Finding("contracts", "", share("declares", mine), len(mine), "hands"),
            Finding("contracts", "", share("voluntary", voluntary), len(mine), "hands"),
        ]
        if (count := int(voluntary.sum())) > 1:
            level = estimate("contract", contract[voluntary].astype(np.float64))
            found.append(Finding("contracts", "voluntary", level, count, "contracts"))
        cases = {"voluntary": voluntary, "forced": played & ~voluntary}
        cases.update({str(level): played & (contract == level) for level in np.unique(contract[played])})
        for case, which in cases.items():
            if count := int(which.sum()):
                found.append(Finding("contracts", case, share("made", made[which]), count, "contracts"))
        return found

    def marriages(self) -> list[Finding]:
        """Whether, when and how it melds the marriages that it can meld."""
        if not self._melds:
            return []
        parts = [(m.first, m.melded, m.queen, m.trick) for m in self._melds]
        first, melded, queen, trick = (np.concatenate(column) for column in zip(*parts, strict=True))
        count, melds = len(first), int(melded.sum())
        found = []
        if count:
            found.append(Finding("marriages", "", share("first_chance", first), count, "marriages"))
            found.append(Finding("marriages", "", share("melded", melded), count, "marriages"))
        if melds:
            found.append(Finding("marriages", "", share("with_queen", queen[melded]), melds, "melds"))
        if melds > 1:
            found.append(Finding("marriages", "", estimate("trick", trick[melded].astype(np.float64)), melds, "melds"))
        return found


def share(metric: str, hits: NDArray[np.bool_]) -> Estimate:
    """The share of hits, [m] bool with m > 0, with Wilson's 95 % interval: it holds near 0 and 1 and for small m too.

    The interval is that of m independent cases. Hands of one deal in its rotations, and two marriages of one hand, are
    counted as if they were; it may be somewhat too narrow or too wide for them.

    Source: E. B. Wilson, Journal of the American Statistical Association 22 (1927).
    """
    m, p = len(hits), float(hits.mean())
    z = NORMAL_95**2 / m
    centre, half = (p + z / 2) / (1 + z), (z * p * (1 - p) + z * z / 4) ** 0.5 / (1 + z)
    return Estimate(metric, p, min(max(centre - half, 0.0), p), max(min(centre + half, 1.0), p))


def _match_seeds(matches: int, seed: int, split: str) -> NDArray[np.int64]:
    """The seeds of so many matches, [matches] int64; ValueError if there cannot be so many."""
    if matches == 0:
        return np.zeros(0, np.int64)
    try:
        return evaluation_seeds(matches, seed, split)
    except ValueError as error:
        raise ValueError(str(error).replace("deals must be", "matches must be 0 or")) from None


class _Bar:
    """One progress bar for parts of different weight; ``whole``: the weight of all."""

    def __init__(self, progress: Progress | None, whole: int) -> None:
        self.whole = whole
        self._progress, self._before = progress, 0

    def part(self, weight: int) -> Progress | None:
        """What the next part, of this weight, is to call with its tables played and to be played."""
        before, self._before = self._before, self._before + weight
        if self._progress is None:
            return None
        show = self._progress
        return lambda played, tables: show(before + weight * played // tables, self.whole)
