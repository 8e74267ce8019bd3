"""Proximal policy optimisation for a table of seats, from top to bottom.

One network plays every seat. The tables are played for some steps; each seat's decisions are judged along its own
turns; the network moves towards what turned out better than expected, a little at a time; and so on. Before that it
may imitate a player, which spares it the time in which no bid can ever be made good and bidding dies out. After it may
come matches, in which each deal pays what it changes in the chance to win.
"""

from __future__ import annotations

import dataclasses
import math
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console

from karty.agents import checkpoint
from karty.agents.agent import Agent, load_agent
from karty.agents.checkpoint import About
from karty.agents.network import Network, NetworkAgent, all_finite, gain_of_bf16
from karty.envs import engine
from karty.envs.game import EVALUATION_SEEDS, Game, Options
from karty.envs.games import GAMES, find_game
from karty.training import run
from karty.training.config import TrainConfig, option_columns, training_rules, usual_rules
from karty.training.contracts import Contracts
from karty.training.dmc import MonteCarloLearner, exploring
from karty.training.equity import Equity, change_rewards, check_matches, deal_rewards, fit, simulate
from karty.training.estimates import Estimate
from karty.training.evaluate import DONE, Episode, Evaluation, evaluate
from karty.training.habits import Habits
from karty.training.judge import Outcome, make_judge
from karty.training.learner import Decisions, Learner, falling, load_checked
from karty.training.log import RunLog, clock
from karty.training.phases import Phases
from karty.training.pool import Pool
from karty.training.processes import Alone, make_crew
from karty.training.rollout import Rollout, collect
from karty.training.run import AGENT, STAGES, Progress, Stage
from karty.training.selfplay import Tables, make_tables, teacher_of

_CLOSING = 4
"""The measurement at the end takes so many times the deals of those on the way."""
_DEALS_A_MATCH = 10
"""A measurement takes so many times fewer matches than deals."""
_WORTHWHILE = 1.2
"""How many times faster bf16 must be to be taken: it is less exact."""


@dataclass(frozen=True)
class Result:
    """What came of a run.

    ``measured`` and, if its last stage was matches, ``in_matches``: against the run's given opponents, in self-play the
    rule-based player; None if interrupted before or not to be measured. ``seconds`` is the time it took, ``busy`` the
    part of it in which it played and learned.
    """

    run: Path
    agent: Path
    decisions: int
    seconds: float
    busy: float
    measured: Evaluation | None
    in_matches: Evaluation | None
    interrupted: bool

    @property
    def score(self) -> Estimate | None:
        """What the agent was measured to do, by what agents of its game are compared by (`Evaluation.score`)."""
        return None if self.measured is None else self.measured.score

    @property
    def matches(self) -> Estimate | None:
        """The share of matches that it won, or lost where that is what the game counts."""
        return None if self.in_matches is None else self.in_matches.outcome

    @property
    def decisions_per_s(self) -> float:
        """Training decisions a second of playing and learning, measurements and checkpoints not included."""
        return self.decisions / self.busy if self.busy else 0.0


def train(config: TrainConfig, *, console: Console | None = None) -> Result:
    """Train an agent, or go on with a run; everything is left in its folder. ValueError for what cannot be done."""
    torch.set_num_threads(1)
    console = console or Console()
    config, saved = run.complete(config)
    with make_crew(config) as crew:
        trainer = Trainer(_settled(config, console), crew)
        log_size = 0 if saved is None else trainer.restore(saved)
        folder = run.make_folder(trainer.config, resumed=saved is not None)
        console.print(f"run: {folder}", highlight=False, soft_wrap=True)
        crew.begin(trainer.config, saved)
        trainer.agree()
        interrupted = _go_on(trainer, folder, log_size, console)
    progress = trainer.progress
    checkpoint.write_agent(folder / AGENT, trainer.learner.average.state_dict(), trainer.about(folder.name))
    result = Result(
        folder, folder / AGENT, progress.decisions, progress.seconds, progress.busy, None, None, interrupted
    )
    if config.evaluate and not interrupted:
        try:
            measured = trainer.measure(folder.name, _CLOSING * config.deals, "test")
            result = dataclasses.replace(result, measured=measured)
            if trainer.equity is not None:
                matches = trainer.measure(folder.name, _CLOSING * _matches(config), "test", "match")
                result = dataclasses.replace(result, in_matches=matches)
        except KeyboardInterrupt:  # all is learned and saved; resumed, the run is measured once more
            result = dataclasses.replace(result, interrupted=True)
    _report(result, trainer, console)
    return result


def _matches(config: TrainConfig) -> int:
    """How many matches a measurement takes: they are some twenty deals long."""
    return max(2, config.deals // _DEALS_A_MATCH)


def _settled(config: TrainConfig, console: Console) -> TrainConfig:
    """The configuration with the precision that is the faster one here, if that was left open."""
    if config.network.precision != "auto":
        return config
    gain = gain_of_bf16(config.network.width, min(config.ppo.minibatch, 1024))
    precision: Literal["fp32", "bf16"] = "bf16" if gain >= _WORTHWHILE else "fp32"
    line = f"precision: {precision} (a dense layer of this width takes {1 / gain:.2f} times as long in bf16)"
    console.print(line, highlight=False, soft_wrap=True)
    return dataclasses.replace(config, network=dataclasses.replace(config.network, precision=precision))


def _go_on(trainer: Trainer, folder: Path, log_size: int, console: Console) -> bool:
    """Update until the run is over, log and save; whether it was interrupted."""
    config, progress = trainer.config, trainer.progress
    log = RunLog(folder, console, kept=log_size, decisions=progress.decisions)
    if trainer.fraction >= 1:
        made = f"{progress.decisions:,} decisions in {clock(progress.seconds)}"
        log.say(f"this run is finished ({made}); more --decisions or --minutes would go on with it")
    with log, _stop_signals() as stopped:
        last = time.monotonic()
        while not stopped.is_set() and trainer.fraction < 1:
            reached = progress.decisions
            if trainer.stage != progress.stage and progress.updates:
                trainer.save(folder, log.size)  # a stage that cannot begin costs nothing
            told = trainer.update()
            busy = time.monotonic() - last
            if told is not None:
                progress.busy += busy
                told["decisions_per_s"] = (progress.decisions - reached) / max(busy, 1e-9)
                if _passed(reached, progress.decisions, config.evaluate):
                    measured = trainer.measure(folder.name, config.deals, "dev")
                    progress.score = measured.score.mean
                    told["score"] = {**dataclasses.asdict(measured.score), "truncated": measured.truncated}
                    if told["stage"] == "matches":
                        matches = trainer.measure(folder.name, _matches(config), "dev", "match")
                        told["matches"] = matches.outcome.mean
            now = time.monotonic()
            progress.seconds, last = progress.seconds + now - last, now
            if told is None:
                continue
            log.write(progress.decisions, {**told, "seconds": progress.seconds})
            if _passed(reached, progress.decisions, config.checkpoint):
                trainer.save(folder, log.size)
            left = progress.seconds / trainer.fraction * (1 - trainer.fraction)
            log.show(told["stage"], trainer.fraction, left, _in_words(told, progress, trainer.game.measure))
        interrupted = stopped.is_set()
        if progress.updates:
            trainer.save(folder, log.size)
    return interrupted


class Trainer:
    """A run in the making: the tables, the network that plays at them and learns, and how far it has come.

    Of several processes each has one, with a share of the tables and with cards and draws of its own; the weights are
    the same in all of them. Decisions are counted over all, what is told of them is about those of process 0.
    """

    def __init__(self, config: TrainConfig, crew: Alone | None = None) -> None:
        """``config``: complete; ``crew``: the processes that share the run. ValueError for what cannot be done."""
        self.config, self.crew = config, crew or Alone()
        self.game: Game = find_game(config.game)
        self.progress = Progress()
        self.teacher = teacher_of(self.game, config.imitation.init)
        self.generator = torch.Generator().manual_seed(config.seed)
        self._budget = math.inf if config.decisions is None else config.decisions
        self._limit = math.inf if config.minutes is None else 60 * config.minutes
        self.rules = training_rules(self.game, config.rules, np.random.default_rng([config.seed, 1]))
        shape = max((self.game.shape(its) for its in self.rules), key=lambda shape: shape.seats)
        if config.matches.match:
            _check_match(self.game, self.rules)
        active = option_columns(self.game, self.rules)
        network = Network(
            shape.observation,
            len(shape.actions),
            width=config.network.width,
            depth=config.network.depth,
            active=active,
            generator=self.generator,
        )
        if config.imitation.init.startswith("agent:"):
            begin_as(network, self.game, config.imitation.init, usual_rules(self.game, config.rules))
        network.bf16 = config.network.precision == "bf16"
        judge = make_judge(self.game, shape, config, active, self.generator)
        if self.crew.rank:
            chance = np.random.SeedSequence([config.seed, self.crew.rank])
            self.generator.manual_seed(int(chance.generate_state(1, np.uint64)[0]))
        self.phases = Phases(shape.observation)
        learns = MonteCarloLearner if config.learner == "dmc" else Learner
        self.learner = learns(network, judge, config.ppo, self.phases, self.crew)
        self.pool: Pool | None = None
        if config.company.past_tables:
            greedy = config.learner == "dmc"
            self.pool = Pool(network, self.game.name, self.game.version, config.company.past_selves, greedy=greedy)
        self.equity: Equity | None = None
        self.habits = Habits(shape.actions)
        same = all(its.seats == shape.seats for its in self.rules)
        self.contracts = Contracts.of(shape.observation, shape.seats) if same else None
        self._take(self._make_tables())

    def _make_tables(self, episode: Literal["match"] | None = None) -> Tables:
        """This process's share of the tables; ``episode``: another one than the run's."""
        past = None if self.pool is None else self.pool.agent
        return make_tables(
            self.game, self.config, self.rules, episode, past=past, rank=self.crew.rank, size=self.crew.size
        )

    def _take(self, tables: Tables) -> None:
        """Sit down at new tables."""
        tables.reset()
        self.tables = tables
        # Where what is paid is the reward of the episode, a deal, that is what playing ahead is to tell.
        whole = self.config.ppo.reward == "relative" and tables.episode == "deal"
        self.rollout = Rollout(tables, self.config.ppo.steps, whole=whole, **self.learner.judge.keeps)

    @property
    def fraction(self) -> float:
        """How much of the run is over, 0 … 1 or a little more."""
        return max(self.progress.decisions / self._budget, self.progress.seconds / self._limit)

    @property
    def stage(self) -> Stage:
        """What comes next; a run that is given more to do when it is resumed does not go back to an earlier stage."""
        imitation = self.config.imitation
        stage: Stage = "matches" if self.fraction >= 1 - self.config.matches.match else "deals"
        if self.teacher is not None and self.progress.decisions < imitation.imitated and self.fraction < 0.5:
            stage = "imitating"
        return max(stage, self.progress.stage, key=STAGES.index)

    def agree(self) -> None:
        """Begin with the same weights in all processes."""
        learner = self.learner
        weights = [tensor for part in learner.modules.values() for tensor in part.state_dict().values()]
        self.crew.agree(weights, sum(weight.numel() for weight in learner.named.values()))

    def update(self) -> dict[str, Any] | None:
        """Play, judge and learn once: what there is to tell, or None if no decision's consequences were seen."""
        order: dict[str, Any] = {"stage": self.stage, "fraction": self.fraction, "keep": False, "past": None}
        if self.pool is not None and order["stage"] != "imitating":
            order["keep"] = self.pool.is_due(self.progress.decisions, self.config.company.past_every)
            order["past"] = self.pool.draw(self.tables.generator, one_more=order["keep"])
        self.crew.order("update", **order)
        return self._update(**order)

    def follow(self, order: dict[str, Any]) -> None:
        """Do as process 0 says."""
        if order.pop("what") == "update":
            self._update(**order)
        else:
            self._chance()

    def _update(self, stage: Stage, fraction: float, keep: bool, past: int | None) -> dict[str, Any] | None:
        """Play, judge and learn once.

        ``keep``: the network as it is joins the earlier selves; ``past``: which of them sits down, None for itself.
        """
        config, progress, learner = self.config, self.progress, self.learner
        progress.stage = stage
        news: dict[str, Any] = {}
        if self.pool is not None:
            if keep:
                self.pool.keep(learner.network, progress.decisions)
            self.pool.seat(past, learner.network)
        if stage == "matches" and self.equity is None:
            news["equity"] = self._begin_matches()
        rollout = self.rollout
        policy_of = None
        if config.learner == "dmc":
            news["explore"] = falling(config.dmc.explore, config.dmc.explore_end, min(fraction, 1))
            policy_of = partial(exploring, explore=news["explore"])
        teacher = self.teacher if stage == "imitating" else None
        collect(self.tables, learner.network, rollout, self.generator, teacher, policy_of)
        if self.pool is not None:
            met, won = self.pool.results(self.tables, rollout.arrays["seat"][:-1], rollout.reward, rollout.ended)
            self.pool.note(sum(self.crew.each(met)), sum(self.crew.each(won)))
        pay, over = self._pay()
        trust = None if stage == "imitating" else config.ppo.gae_lambda
        judged = learner.judge.judge(rollout, learner.network, Outcome(pay, over, trust, self._worth))
        counted = self.crew.each(int(judged.counted.sum()))
        if min(counted) == 0:
            return None
        data = Decisions.of(rollout, judged, self.phases, by_phase=config.ppo.normalise == "phase")
        if stage == "imitating":
            told = learner.imitate(data, config.imitation, self.generator, counted)
        else:
            told = learner.improve(data, fraction, self.generator, counted)
        if not all(all_finite(module.state_dict()) for module in learner.modules.values()):
            raise ValueError(
                "training diverged: weights grew without end; try a lower --learning-rate or --imitation-rate"
            )
        progress.decisions += sum(counted)
        progress.updates += 1
        progress.steps = learner.steps
        return {**told, **news, "stage": stage, **({} if self.crew.rank else self._behaviour())}

    def _behaviour(self) -> dict[str, Any]:
        """What was done at the tables where the network holds all seats, or at all if there are none."""
        rollout, arrays = self.rollout, self.rollout.arrays
        at = self.tables.rows("self")
        at = at if at.any() else np.ones_like(at)
        mask, ended = arrays["mask"][:-1, at], rollout.ended[:, at]
        told: dict[str, Any] = {"kinds": self.habits.count(rollout.action[:, at], mask, ended)}
        if self.contracts is not None:
            seen = (arrays["observation"][:, at], arrays["seat"][:, at], arrays["points"][:, at], ended)
            told["contracts"] = self.contracts.count(*seen).numbers()
        if ended.any():
            told["truncated"] = float(arrays["truncated"][1:, at][ended].mean())
        return told

    def _pay(self) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """What every seat was paid after each decision `[T, n, P]`, and whether its deal or episode ended `[T, n]`."""
        rollout, arrays = self.rollout, self.rollout.arrays
        if self.equity is not None:
            layout, truncated = self.tables.shape.observation, arrays["truncated"][1:]
            pay, over = deal_rewards(self.equity, layout, arrays, rollout.ended, rollout.reward, truncated)
            return pay * self.equity.worth_of(self.game.unit), over
        if self.config.ppo.reward == "own":
            cut = arrays["truncated"][1:, :, None]  # what the critic still expected there stands in the reward
            own = arrays["points"][1:] / self.game.unit + np.where(cut, rollout.reward, 0)
            return own.astype(np.float32), rollout.ended
        return rollout.reward, rollout.ended

    def _worth(
        self,
        observation: NDArray[np.int8],
        seat: NDArray[np.int8],
        sides: NDArray[np.int8],
        change: NDArray[np.float32],
    ) -> NDArray[np.float32]:
        """What would be paid in this stage to each seat for what playing ahead brought: see ``judge.Worth``."""
        if self.rollout.whole:
            return change
        if self.equity is not None:
            layout = self.tables.shape.observation
            return change_rewards(self.equity, layout, observation, seat, change) * self.equity.worth_of(self.game.unit)
        own: NDArray[np.float32] = change / np.float32(self.game.unit)
        if self.config.ppo.reward == "relative":
            against = (sides[:, None, :] >= 0) & (sides[:, None, :] != sides[:, :, None])
            others = (against * own[:, None, :]).sum(-1) / np.maximum(against.sum(-1), 1)
            own = np.where(sides >= 0, own - others, 0).astype(np.float32)
        return own

    def _begin_matches(self) -> dict[str, float]:
        """Learn from which scores matches are won, and sit down to play them.

        How many deals of simulated matches it was learned from, and its loss on others in nats.
        """
        config, game = self.config, self.game
        player = NetworkAgent(self.learner.average, name="now", game=game.name, version=game.version, greedy=False)
        self.equity = self._new_equity()
        matches, seed = config.matches.equity_matches, int(self.tables.generator.integers(EVALUATION_SEEDS // 2))
        told = {}
        if self.crew.rank == 0:
            scores, winner = simulate(game, player.act, matches, seed=seed, rules=self.rules)
            try:
                loss = fit(self.equity, scores, winner, generator=self.generator)
                self.equity.worth_of(game.unit)
            except ValueError as error:
                raise ValueError(f"--match: {error}") from error
            told = {"deals": float(len(scores)), "loss": loss}
        self.crew.share(self.equity.state_dict().values())
        self._take(self._make_tables("match"))
        return told

    def _new_equity(self) -> Equity:
        """An equity that has learned nothing; ValueError for a game without a score to reach."""
        game, starts = self.game, [self.game.starts(its, False) for its in self.rules]
        if game.won_at is None:
            raise ValueError(f"--match: {game.name} has no matches won by a score")
        return Equity(
            self.tables.seats,
            game.won_at,
            start=max(0 if its is None else its[-1] for its in starts),
            in_turn=game.in_turn,
            generator=torch.Generator().manual_seed(self.config.seed),
        )

    def about(self, name: str) -> About:
        """What the run's agent is."""
        return run.about(name, self.tables, self.config, self.progress.decisions)

    def measure(
        self, name: str, deals: int, split: Literal["dev", "test"], episode: Episode | None = None
    ) -> Evaluation:
        """How the average network does, choosing as the agent will, against the run's opponents, in self-play ``rule``.

        ``deals``: how many, or matches if ``episode`` (the run's own if None) says so.
        """
        game, config = self.game, self.config
        greedy = config.network.choice == "likeliest"
        agent = NetworkAgent(self.learner.average, name=name, game=game.name, version=game.version, greedy=greedy)
        rules = usual_rules(game, config.rules)
        agents: list[str | Agent] = [agent, *_yardstick(game, config.opponents, rules)]
        return evaluate(game, agents, deals=deals, rules=rules, episode=episode or config.episode, split=split)

    def save(self, folder: Path, log_size: int) -> None:
        """Write a checkpoint; ``log_size``: bytes of the log that belong to it."""
        learned = self.learner.tensors()
        if self.pool is not None and self.pool.selves:
            learned["past"] = self.pool.tensors()
        if self.equity is not None:
            learned["equity"] = self.equity.state_dict()
        past = [] if self.pool is None else self.pool.told()
        told = self.about(folder.name)
        self.crew.order("save")
        run.save(folder, told, learned, self._chance(), self.progress, log_size, past)

    def _chance(self) -> list[bytes]:
        """What each process draws on, in process 0."""
        return self.crew.gather(run.take_chance(self.tables, self.generator))

    def restore(self, saved: Path) -> int:
        """Go on from a checkpoint: how many bytes of the log belong to it. CheckpointError if it does not fit."""
        learned, told = run.read(saved)
        try:
            if ("equity" in learned) != (told.stage == "matches"):
                raise ValueError(
                    f"its stage is {told.stage}, but it has {'an' if 'equity' in learned else 'no'} equity"
                )
            if "equity" in learned:
                self.equity = self._new_equity()
                load_checked(self.equity, learned.pop("equity"), "equity")
                self._take(self._make_tables("match"))
            if told.past:
                if self.pool is None:
                    raise ValueError("it has earlier selves, which this run does not keep")
                self.pool.restore(learned.pop("past"), told.past)
            chance = [learned.pop(f"{run.CHANCE}{rank}") for rank in range(self.crew.size)]
            run.put_back(chance[self.crew.rank], self.tables, self.generator)
        except (KeyError, RuntimeError, TypeError, ValueError, OverflowError) as error:
            raise run.foreign(saved, error) from error
        self.learner.restore(saved, learned, told.steps)
        for spec in dataclasses.fields(Progress):
            setattr(self.progress, spec.name, getattr(told, spec.name))
        return told.log_size


def network_of(game: Game, init: str, rules: Options) -> Network:
    """The network that `--init agent:A` names; ValueError if A is none."""
    agent = load_agent(game, init.partition(":")[2], rules)
    if not isinstance(agent, NetworkAgent):
        raise ValueError(f"--init {init}: {agent.name} is no network")
    return agent.network


def begin_as(network: Network, game: Game, init: str, rules: Options) -> None:
    """Take over an agent's weights, as `--init agent:A` says; ValueError if it is no network or has another size.

    A column that was never looked at when it was trained gets weight 0.
    """
    its = network_of(game, init, rules)
    if (its.width, its.depth) != (network.width, network.depth):
        raise ValueError(f"--init {init}: its network has --width {its.width} --depth {its.depth}; give the same")
    active = network.first.active | its.first.active
    network.load_state_dict({**its.state_dict(), "first.active": active})


def _check_match(game: Game, rules: list[Options]) -> None:
    """ValueError, one line, for a game without matches, or without a score at which they are won."""
    try:
        if game.won_at is None:
            games = ", ".join(its.name for its in GAMES.values() if its.won_at is not None)
            raise ValueError(f"{game.name} has no matches won by a score: there is no score to reach, as in {games}")
        check_matches(game, rules)
    except ValueError as error:
        raise ValueError(f"--match: {error}") from error


def _yardstick(game: Game, opponents: Sequence[str], rules: Options) -> list[str]:
    """The players against whom an agent is measured: the given ones, clockwise from it, else one for the others."""
    if opponents == ("self",):
        return ["rule" if "rule" in engine.players(game.name) else "random"]
    return list(opponents) * (rules.seats - 1) if len(opponents) == 1 else list(opponents)


def _passed(before: int, now: int, every: int) -> bool:
    """Was a multiple of ``every`` reached between the two?"""
    return every > 0 and now // every > before // every


def _in_words(told: dict[str, Any], progress: Progress, measure: str) -> str:
    """The progress in a few words; ``measure``: of the game."""
    undecided = f"entropy {told['entropy']:.2f}" if "entropy" in told else f"explore {told['explore']:.0%}"
    words = [f"{told['decisions_per_s']:,.0f}/s", undecided]
    contracts = told.get("contracts", {})
    if "voluntary" in contracts:
        words.append(f"bid in {contracts['voluntary']:.0%}")
    else:
        words += [
            f"{kind} in {its['episodes']:.0%}"
            for kind, its in told["kinds"].items()
            if 0 < its.get("episodes", 0) < 0.95
        ]
    if "contract" in contracts:
        words.append(f"contract {contracts['contract']:.0f}")
    if told.get("truncated"):
        words.append(f"cut off {told['truncated']:.0%}")
    if progress.score is not None:
        points = measure == "points"
        words.append(f"score {progress.score:+.1f}" if points else f"{DONE[measure]} {100 * progress.score:.1f} %")
    if "matches" in told:
        words.append(f"matches {told['matches']:.0%}")
    return " · ".join(words)


def _report(result: Result, trainer: Trainer, console: Console) -> None:
    """The lines with which a run ends."""
    config, game, tables = trainer.config, trainer.game, trainer.tables
    speed = f"{result.decisions_per_s:,.0f} a second"
    lines = [f"{result.decisions:,} decisions in {clock(result.seconds)} ({speed})"]
    if result.interrupted:
        lines.append(f"stopped; go on with: karty train {game.name} --resume {result.run}")
    if result.measured is not None:
        lines.append(_found(result.measured, game.measure))
        if result.in_matches is not None:
            lines.append(_found(result.in_matches, game.outcome))
        if len(set(tables.rules)) > 1:
            lines.append(f"measured under {_named(usual_rules(game, config.rules))}")
    lines.append(f"agent: {result.agent}")
    for line in lines:
        console.print(line, highlight=False, markup=False, soft_wrap=True)


def _found(measured: Evaluation, metric: str) -> str:
    """What was measured, in one line."""
    units = "deals" if measured.episode == "deal" else "matches"
    found, made = measured[metric], f"95 %, {measured.deals:,} {units} in all rotations"
    if metric == "points":
        told = f"{found.mean:+.2f} ± {found.half:.2f} points a {measured.episode} ({made})"
    else:
        share = f"{100 * found.mean:.1f} ± {100 * found.half:.1f} % of {units} {DONE[metric]}"
        told = f"{share} (par {100 * measured.par:.1f}; {made})"
    if measured.truncated:
        told += f", {100 * measured.truncated:.2f} % of them cut off"
    return f"against {', '.join(dict.fromkeys(measured.opponents))}: {told}"


def _named(rules: Options) -> str:
    """Rules by what they change of the defaults."""
    usual = type(rules)().to_dict()
    changes = [f"{name}={value}" for name, value in rules.to_dict().items() if value != usual[name]]
    return " ".join(changes) or "the default rules"


@contextmanager
def _stop_signals() -> Iterator[threading.Event]:
    """Ctrl-C and SIGTERM set the event: the update under way is finished and saved. A second Ctrl-C stops at once."""
    stopped = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return

    def stop(*_: object) -> None:
        if stopped.is_set():
            raise KeyboardInterrupt
        stopped.set()

    before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stopped
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
