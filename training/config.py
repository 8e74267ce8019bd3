"""What a training run is told: every field is an option of `karty train`, its sentence the option's help."""

from __future__ import annotations

import dataclasses
import itertools
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from tyro.conf import Positional, arg

from karty.agents.fields import read_fields
from karty.envs.game import EVALUATION_SEEDS, Game, Options

Words = tuple[str, ...]
NO_DEFAULT = arg(help_behavior_hint="")
"""An option whose help says itself what happens if it is left out."""


def _if_any(default: str) -> str:
    """What help says of a default that may be empty."""
    return f"(default: {default})" if default else ""


@dataclass(frozen=True)
class NetworkConfig:
    """The size of the network."""

    width: int = 192
    """Units of each hidden layer: wider plays better after long training and takes more time a decision; 96 … 512."""
    depth: int = 2
    """Hidden layers; 2 or 3."""
    precision: Literal["fp32", "bf16", "auto"] = "fp32"
    """Numbers of the dense layers in training: bf16 is faster only on processors that know it, `auto` tries it out."""
    choice: Literal["likeliest", "drawn"] = "likeliest"
    """How the finished agent chooses, in measurements too: the likeliest action, or one drawn by the probabilities as
    in training: a little weaker in a single decision, but it breaks endless cycles and keeps mixed strategies."""


@dataclass(frozen=True)
class PPOConfig:
    """How the network learns from what was played."""

    tables: int = 512
    """Tables played at once: more make each call cheaper and each update staler; 256 … 4096."""
    steps: int = 128
    """Decisions at each table between two updates: more lose fewer unfinished episodes; 32 … 256."""
    minibatch: int = 2048
    """Decisions a gradient step: fewer make more steps of the same data and keep bidding alive; 1024 … 4096."""
    epochs: int = 3
    """Times each decision is learned from: more learn faster from less play, too many overshoot; 2 … 6."""
    learning_rate: float = 1e-3
    """Adam's learning rate at the start: larger learns faster and less surely; 2.5e-4 … 2e-3."""
    learning_rate_end: float = 1e-5
    """Adam's learning rate at the end; it falls linearly over the run."""
    clip_range: float = 0.2
    """How far the probability of an action may move in one update and still be rewarded; 0.05 … 0.3."""
    gae_lambda: float = 0.8
    """λ of the advantages: larger trusts the outcomes more and the critic less; 0.9 … 1 for critics that see little."""
    entropy: float = 0.02
    """Weight of the policy's entropy at the start: larger explores more; 0.005 … 0.05 where rewards are about 1."""
    entropy_end: float = 0.002
    """Weight of the policy's entropy at the end; it falls geometrically over the run."""
    value_coefficient: float = 0.5
    """Weight of the value loss beside the policy's: larger shapes the shared layers more by outcomes; 0.25 … 1."""
    max_grad_norm: float = 0.5
    """Longest gradient of a step, in its norm; longer ones are cut to it; 0.5 … 2."""
    ema_decay: float = 0.999
    """Decay, a gradient step, of the moving average of the weights, which plays in the end; 0.99 … 0.9999."""
    reward: Literal["relative", "own"] = "relative"
    """What a deal pays: the game's reward (as in points less the others' mean), or the seat's own points, which leaves
    the others theirs. The stage of matches is paid by equity either way."""
    advantage: Literal["ahead", "gae", "qboost"] = "ahead"
    """How decisions are judged. `ahead`: every likely action, by a critic that is told how the deal would go on after
    it among rule-based players; `gae`: the action taken, along the seat's own turns; `qboost`: the same through all
    seats' decisions, by a critic of actions that sees all cards. The agent itself never sees more than its seat.
    Left out with --opponents that are not all `rule`: `gae`, if the game has no other default."""
    residual: float = 1.0
    """With `ahead`: weight of what likely actions turned out to be worth beyond their judgement. At 1 the gradient is
    exact; less is less noisy, but what rule-based players do not show is then hardly learned; 0 … 1."""
    critic: Literal["private", "full"] = "private"
    """What the critic of `gae` sees: what the seat sees, or all cards."""
    normalise: Literal["phase", "batch"] = "phase"
    """Advantages are brought to deviation 1 within each phase of the game, or over the whole batch (of a process)."""
    entropy_phases: Annotated[Words, arg(metavar="PHASE=FACTOR …", help_behavior_hint=_if_any)] = ()
    """Phases in which the policy's entropy weighs more or less than elsewhere, as in `auction=3`."""
    magnet: float = 0.0
    """Weight of the divergence from the moving average of the policy: larger keeps it steadier; 0.02 … 0.2."""


@dataclass(frozen=True)
class MonteCarloConfig:
    """What `--learner dmc` does besides."""

    explore: float = 0.1
    """Chance to take any legal action instead of the best, at the start; 0.02 … 0.3."""
    explore_end: float = 0.01
    """The same at the end; it falls geometrically over the run."""


@dataclass(frozen=True)
class CompanyConfig:
    """Who sits with the network where it trains against itself."""

    rule_tables: float = 0.25
    """Share of the tables where rule-based players hold all seats but one: the network meets sane bids there, and
    learns to beat them; 0 … 0.5."""
    past_tables: float = 0.0
    """Share of the tables where an earlier self of the network holds all seats but one; 0.1 … 0.3."""
    past_selves: int = 8
    """How many earlier selves are kept; those that the network beats least often sit down most often; 4 … 16."""
    past_every: int = 500_000
    """Decisions between two that are kept."""


@dataclass(frozen=True)
class MatchConfig:
    """The last stage of a run, in which whole matches are played and each deal pays what it changes in them."""

    match: float = 0.0
    """Share of the run, at its end, that is played in matches, where a score wins them (Tysiąc, Petukh): 0 for agents
    of single deals; 0.3 … 0.7."""
    equity_matches: int = 2000
    """Matches played at its beginning, to learn from which scores they are won; 1,000 … 10,000."""


@dataclass(frozen=True)
class ImitationConfig:
    """How the network starts."""

    init: str = "imitate:rule"
    """Start by imitating this player (`imitate:NAME`), as this agent's network (`agent:A`: a name, file or run folder;
    --width and --depth must be its own), or from nothing (`none`)."""
    imitated: int = 900_000
    """Decisions of that player to learn from, but never more than half of the run; 300,000 … 2,000,000."""
    imitation_epochs: int = 4
    """Times each of them is learned from; 1 … 6."""
    imitation_rate: float = 3e-3
    """Adam's learning rate while imitating: what is right is known, so it can be larger than later; 1e-3 … 5e-3."""
    smoothing: float = 0.05
    """Share of the teacher's choice spread over all legal actions: larger leaves more to explore; 0.05 … 0.3."""


@dataclass(frozen=True)
class TrainConfig:
    """One training run."""

    game: Annotated[Positional[str], arg(metavar="GAME", help="Name of the game.")]
    out: Annotated[Path | None, NO_DEFAULT] = None
    """Folder of the run; left out: runs/GAME-DATE-NUMBER. A folder that holds something is never written into."""
    decisions: Annotated[int | None, NO_DEFAULT] = None
    """Training decisions (of a seat with two legal actions or more); left out, and no --minutes: 5,000,000. Played are
    whole updates of --tables × --steps."""
    minutes: Annotated[float | None, NO_DEFAULT] = None
    """Train for so long instead; with --decisions, until the first of the two is reached."""
    learner: Literal["ppo", "dmc"] = "ppo"
    """How it learns: `ppo`, proximal policy optimisation; `dmc`, Deep Monte-Carlo, which learns what each action brings
    in the end and takes the best."""
    opponents: Annotated[Words, arg(metavar="self|A B …")] = ("self",)
    """`self`: the network plays all seats; or agents for the others, one for all or one each, clockwise. It is then
    measured against them too."""
    episode: Literal["deal", "match"] = "deal"
    """What the reward is for: a deal, or the match."""
    rules: Annotated[Words, arg(metavar="KEY=VALUE …", help_behavior_hint=_if_any)] = ()
    """Options of the game; with several values (`bid_step=any,ten`, `table=all`), or with `all` for every option that
    is not named, each episode draws its own. Left out: the defaults, but for Tysiąc half of the deals start at random
    scores, so that the network learns what a score means."""
    resume: Annotated[Path | None, NO_DEFAULT] = None
    """Run folder to continue with its own options; only --decisions and --minutes may be given beside it."""
    seed: int = 0
    """Other seeds give other cards and other weights."""
    processes: int = 1
    """Processes that share the tables and the learning, one processor core each."""
    evaluate: int = 1_000_000
    """Decisions between two measurements (and 0: none): against the given opponents, else the rule-based player."""
    deals: int = 2000
    """Deals of a measurement, each in all rotations: more give a narrower interval; 1000 … 10000.
    The closing one takes four times as many."""
    checkpoint: int = 500_000
    """Decisions between two checkpoints: what a crash can cost at most."""
    network: NetworkConfig = field(default_factory=NetworkConfig)
    imitation: ImitationConfig = field(default_factory=ImitationConfig)
    ppo: PPOConfig = field(default_factory=PPOConfig)
    dmc: MonteCarloConfig = field(default_factory=MonteCarloConfig)
    company: CompanyConfig = field(default_factory=CompanyConfig)
    matches: MatchConfig = field(default_factory=MatchConfig)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON knows it."""
        told: dict[str, Any] = json.loads(json.dumps(dataclasses.asdict(self), default=str))
        return told

    @classmethod
    def from_dict(cls, told: dict[str, Any]) -> TrainConfig:
        """The configuration from what ``to_dict`` gave; ValueError, one line, if it is none."""
        try:
            return dataclasses.replace(read_fields(cls, told), resume=None)
        except ValueError as error:
            raise ValueError(f"this is not the configuration of a training run: {error}") from error

    def check(self) -> None:
        """ValueError, one line, for a number that makes no sense; it names the option and what is allowed."""
        for part in self.parts():
            for spec in dataclasses.fields(part):
                value = getattr(part, spec.name)
                if spec.name in _RANGES and value is not None:
                    _check_range(spec.name, value, kind_of(spec) == "int", *_RANGES[spec.name])
        if type(self.seed) is not int or not 0 <= self.seed < EVALUATION_SEEDS:
            raise ValueError(f"--seed must be a whole number from 0 to 2**62 - 1, not {self.seed}")
        start, _, name = self.imitation.init.partition(":")
        if self.imitation.init != "none" and not (start in ("imitate", "agent") and name):
            raise ValueError(f"--init must be none, imitate:NAME or agent:A, not {self.imitation.init!r}")
        if self.processes > self.ppo.tables:
            raise ValueError(f"--processes: {self.ppo.tables} tables are too few for {self.processes} processes")
        if not self.opponents or ("self" in self.opponents and len(self.opponents) > 1):
            raise ValueError("--opponents must be self, or agents for the other seats")
        self._check_together()

    def _check_together(self) -> None:
        """ValueError, one line, for options that do not go together: none is silently ignored."""
        ppo, company, matches = self.ppo, self.company, self.matches
        against_itself = self.opponents == ("self",)
        if company.rule_tables + company.past_tables > 1:
            raise ValueError("--rule-tables and --past-tables are shares of the tables: together at most 1")
        for name, wanted in (("past_tables", company.past_tables), ("match", matches.match)):
            if wanted and not against_itself:
                raise ValueError(f"{flag(name)} goes with --opponents self")
        for name, wanted in (("match", matches.match), ("reward own", ppo.reward == "own")):
            if wanted and self.episode == "match":
                raise ValueError(f"{flag(name)} goes with --episode deal")
        if ppo.critic == "full" and ppo.advantage != "gae":
            raise ValueError("--critic full goes with --advantage gae")
        self._check_learner()
        usual = (PPOConfig.residual, usual_config(self.game, self.opponents, self.learner).ppo.residual)
        if ppo.residual not in usual and ppo.advantage != "ahead":
            raise ValueError("--residual goes with --advantage ahead")
        named = [word.partition("=") for word in ppo.entropy_phases]
        for phase, equals, factor in named:
            if not (phase and equals and _is_number(factor)):
                raise ValueError(f"--entropy-phases takes words like auction=3, not {phase + equals + factor!r}")
        if len({phase for phase, _, _ in named}) < len(named):
            raise ValueError("--entropy-phases names a phase twice")

    def _check_learner(self) -> None:
        """ValueError, one line, for options of the other learner."""
        usual = usual_config(self.game, self.opponents, self.learner)
        foreign = _OF_PPO if self.learner == "dmc" else ("explore", "explore_end")
        for part, default in zip(self.parts(), usual.parts(), strict=True):
            for name in foreign:
                if hasattr(part, name) and getattr(part, name) != getattr(default, name):
                    raise ValueError(f"{flag(name)} goes with --learner {'ppo' if self.learner == 'dmc' else 'dmc'}")

    def parts(self) -> list[Any]:
        """The configuration and those inside it."""
        inside = [getattr(self, spec.name) for spec in dataclasses.fields(self)]
        return [self, *(part for part in inside if dataclasses.is_dataclass(part))]

    def changed(self, usual: TrainConfig | None = None) -> list[str]:
        """The options that are not at their defaults, as the command line writes them; the game is none of them.

        ``usual``: what the defaults are; left out: those of ``usual_config``.
        """
        usual = usual or usual_config(self.game, self.opponents, self.learner)
        return [
            flag(spec.name)
            for part, default in zip(self.parts(), usual.parts(), strict=True)
            for spec in dataclasses.fields(part)
            if not dataclasses.is_dataclass(value := getattr(part, spec.name)) and value != getattr(default, spec.name)
        ]


def flag(name: str) -> str:
    """A field as the command line writes it."""
    return f"--{name.replace('_', '-')}"


_OF_PPO = (
    "choice", "clip_range", "gae_lambda", "entropy", "entropy_end", "advantage", "residual", "critic", "normalise",
    "entropy_phases", "magnet", "init", "imitated", "imitation_epochs", "imitation_rate", "smoothing", "match",
    "equity_matches",
)  # fmt: skip
"""Options that mean nothing to Deep Monte-Carlo."""


def kind_of(spec: dataclasses.Field[Any]) -> str:
    """What a field holds, the first word of its type: `int`, `float`, `str` and so on."""
    return str(spec.type).removeprefix("Annotated[").replace("[", " ").split()[0].rstrip(",")


_ABOVE = True
"""The lower end of a range is not itself allowed."""
_RANGES: dict[str, tuple[float, float] | tuple[float, float, bool]] = {
    "decisions": (1, 10**15),
    "minutes": (0, 10**7, _ABOVE),
    "processes": (1, 256),
    "evaluate": (0, 10**15),
    "deals": (2, 10**7),
    "checkpoint": (1, 10**15),
    "width": (1, 8192),
    "depth": (1, 16),
    "imitated": (0, 10**15),
    "imitation_epochs": (1, 1000),
    "imitation_rate": (0, 1, _ABOVE),
    "smoothing": (0, 0.99),
    "tables": (1, 10**6),
    "steps": (2, 10**5),
    "minibatch": (2, 10**9),
    "epochs": (1, 1000),
    "learning_rate": (0, 1, _ABOVE),
    "learning_rate_end": (0, 1, _ABOVE),
    "clip_range": (0, 10, _ABOVE),
    "gae_lambda": (0, 1),
    "entropy": (1e-9, 10),
    "entropy_end": (1e-9, 10),
    "value_coefficient": (0, 1000),
    "max_grad_norm": (0, 10**6, _ABOVE),
    "ema_decay": (0, 1),
    "magnet": (0, 1000),
    "residual": (0, 1),
    "rule_tables": (0, 1),
    "past_tables": (0, 1),
    "past_selves": (1, 1000),
    "past_every": (1, 10**15),
    "explore": (1e-9, 1),
    "explore_end": (1e-9, 1),
    "match": (0, 0.95),
    "equity_matches": (10, 10**6),
}
"""What each number may be: from the first to the second. Wide enough for every experiment, too narrow for a slip."""


def _check_range(name: str, value: Any, whole: bool, low: float, high: float, above: bool = False) -> None:
    """ValueError for a number outside its range, or none at all."""
    number = type(value) is int or (type(value) is float and not whole)
    if not number or not (low < value or (low == value and not above)) or not value <= high:
        kind = "a whole number " if whole else ""
        allowed = f"above {low} and at most {high}" if above else f"from {low} to {high}"
        raise ValueError(f"{flag(name)} must be {kind}{allowed}, not {value}")


def _is_number(text: str) -> bool:
    """Is it a number from 0 to 1000?"""
    try:
        return 0 <= float(text) <= 1000
    except ValueError:
        return False


def _mini(game: str, entropy: float, entropy_end: float) -> TrainConfig:
    """The defaults of a mini game, which is learned for its equilibrium.

    Lots are drawn, as good play is mixed; entropy counts for much for long and then for next to nothing, which leaves
    only what is worth mixing; `rule` is neither imitated nor met at the tables, for beating it is no aim. Observations
    are short, and so the network is narrow.
    """
    return TrainConfig(
        game=game,
        network=NetworkConfig(width=128, choice="drawn"),
        ppo=PPOConfig(advantage="gae", gae_lambda=0.95, entropy=entropy, entropy_end=entropy_end),
        imitation=ImitationConfig(init="none"),
        company=CompanyConfig(rule_tables=0.0),
    )


USUAL: dict[str, TrainConfig] = {
    # Deals of a hundred turns and more: playing ahead costs more than it tells, and outcomes come late.
    # Two players who always choose alike may draw and lay the same cards until the cap.
    "pan": TrainConfig(
        game="pan", network=NetworkConfig(choice="drawn"), ppo=PPOConfig(advantage="gae", gae_lambda=0.95)
    ),
    # Whoever begins by shuffling always, as `rule` does, never finds out what else a fan is good for.
    # Its fans have thousands of columns, of which few ever matter: a narrow network does.
    "piotrus": TrainConfig(
        game="piotrus",
        network=NetworkConfig(width=96),
        ppo=PPOConfig(advantage="gae", gae_lambda=0.95),
        imitation=ImitationConfig(init="none"),
    ),
    "tysiac_8": _mini("tysiac_8", entropy=0.1, entropy_end=0.001),
    # Nothing is hidden: good play need not be mixed, so entropy may end lower.
    "pan_12": _mini("pan_12", entropy=0.05, entropy_end=0.0005),
}
"""What a run of a game is told where the command line tells it nothing, for games that want something else than the
fields' own defaults. --out, --resume, --opponents, --decisions and --minutes stay as they are."""
USUAL_RULES: dict[str, Words] = {"tysiac": ("start_scores=zero,random",)}
"""What is played in a run that is told no rules, where that is not simply the game's defaults."""
MANY = 1024
"""How many rules the word `all` draws."""
DEFAULT_DECISIONS = 5_000_000
"""The budget of a run that is given none: about seven minutes on one core."""


def defaults_of_games() -> list[str]:
    """The games that have defaults of their own, each as one line of the options that a run of it is told."""
    general, lines = TrainConfig(game=""), []
    for game in sorted({*USUAL, *USUAL_RULES}):
        usual = USUAL.get(game, general)
        words = [
            f"{flag(spec.name)} {getattr(part, spec.name)}"
            for part, default in zip(usual.parts(), general.parts(), strict=True)
            for spec in dataclasses.fields(part)
            if spec.name != "game"
            and not dataclasses.is_dataclass(value := getattr(part, spec.name))
            and value != getattr(default, spec.name)
        ]
        if game in USUAL_RULES:
            words.append(f"--rules {' '.join(USUAL_RULES[game])}")
        lines.append(f"{game}: {' '.join(words)}")
    return lines


def usual_config(game: str, opponents: Words = ("self",), learner: Literal["ppo", "dmc"] = "ppo") -> TrainConfig:
    """The defaults of a run of this game against these opponents; the result names no opponents itself.

    Deep Monte-Carlo begins from nothing, for values are not to be had by imitation, and takes the best action. Its
    buffers hold longer stretches of fewer tables, for only episodes that end in them count.

    Against given players nothing stays that goes with self-play alone, and unless they are all `rule` it is
    `--advantage gae`: the look-ahead plays `rule` in all seats, whoever sits there.
    """
    usual = USUAL.get(game) or TrainConfig(game=game)
    if learner == "dmc":
        usual = dataclasses.replace(
            usual,
            learner="dmc",
            network=dataclasses.replace(usual.network, choice="likeliest"),
            imitation=ImitationConfig(init="none"),
            ppo=PPOConfig(advantage="gae", tables=256, steps=256, epochs=2),
            matches=MatchConfig(),
        )
    if opponents == ("self",):
        return usual
    return dataclasses.replace(
        usual,
        ppo=usual.ppo if set(opponents) == {"rule"} else dataclasses.replace(usual.ppo, advantage="gae"),
        company=dataclasses.replace(usual.company, past_tables=0.0),
        matches=dataclasses.replace(usual.matches, match=0.0),
    )


def read_rules(game: Game, words: Sequence[str]) -> list[Options]:
    """The rules that `key=value` words describe: one, or with comma lists each combination.

    Values are written as in the rule book's option table, `true` and `false`, `none`; `key=all` is each value that the
    option lists, unless `all` is one of them; `preset=NAME` sets defaults.
    ValueError names what is wrong and what is allowed.
    """
    fixed, several = _parse(game, words)
    made = [
        game.rules.make(**fixed, **dict(zip(several, values, strict=True)))
        for values in itertools.product(*several.values())
    ]
    return list(dict.fromkeys(made))


def training_rules(game: Game, words: Sequence[str], rng: np.random.Generator) -> list[Options]:
    """The rules that a run's episodes draw from: one, each combination of comma lists, or with the word `all` many.

    Without any words they are those of USUAL_RULES.

    `all` lets every option that is not named take each of its values. There are far too many combinations, so MANY are
    drawn. Options without a list of values keep theirs, and so does what would change the size of the observation.
    """
    words = words or USUAL_RULES.get(game.name, ())
    if "all" not in words:
        return read_rules(game, words)
    fixed, several = _parse(game, [word for word in words if word != "all"])
    shape = game.shape(game.rules.make(**fixed))
    for spec in dataclasses.fields(game.rules):
        values = spec.metadata["values"]
        if values is not None and spec.name not in fixed and spec.name not in several:
            several[spec.name] = [value for value in values if _fits(game, {**fixed, spec.name: value}, shape)]
    drawn = []
    for _ in range(MANY):
        picks = {name: values[int(rng.integers(len(values)))] for name, values in several.items()}
        drawn.append(game.rules.make(**fixed, **picks))
    return list(dict.fromkeys(drawn))


def rule_words(rules: Options) -> Words:
    """Rules as the words after `--rules`, every option."""
    return tuple(f"{name}={word_of(value)}" for name, value in rules.to_dict().items())


def word_of(value: Any) -> str:
    """An option's value as the command line writes it."""
    return str(value).lower() if isinstance(value, bool | None) else str(value)


def usual_rules(game: Game, words: Sequence[str]) -> Options:
    """The rules to measure an agent by: of several values the first, and the defaults of what `all` leaves open."""
    fixed, several = _parse(game, [word for word in words if word != "all"])
    return game.rules.make(**fixed, **{name: values[0] for name, values in several.items()})


def option_columns(game: Game, rules: Sequence[Options]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Which observation columns can vary under these rules, bool [F]: not those of options that never change."""
    layout = game.shape(rules[0]).observation
    names = {spec.name for spec in dataclasses.fields(game.rules)}
    told = [one.to_dict() for one in rules]
    active = np.ones(layout.size, bool)
    for part in layout:
        if part.name in names and len({json.dumps(one[part.name]) for one in told}) == 1:
            active[part.slice] = False
    return active


def _parse(game: Game, words: Sequence[str]) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Options with one value, and those with several, from words."""
    specs = {spec.name: spec for spec in dataclasses.fields(game.rules)}
    fixed: dict[str, Any] = {}
    several: dict[str, list[Any]] = {}
    for word in words:
        name, equals, text = word.partition("=")
        if not equals or not name or not text:
            raise ValueError(f"--rules takes words like key=value, not {word!r}; options: {', '.join(specs)}, preset")
        if name in fixed or name in several:
            raise ValueError(f"--rules names {name} twice")
        if name != "preset" and name not in specs:
            raise ValueError(f"{game.name}: there is no option {name!r}; options: {', '.join(specs)}")
        if name == "preset":
            fixed[name] = text
            continue
        listed = specs[name].metadata["values"]
        if text == "all" and listed is not None and "all" not in listed:
            values = list(listed)
        else:
            values = [_value(game, specs[name], part) for part in text.split(",")]
        if len(values) == 1:
            fixed[name] = values[0]
        else:
            several[name] = values
    return fixed, several


def _value(game: Game, spec: Any, text: str) -> Any:
    """The value that a word stands for, as the option knows it."""
    values = spec.metadata["values"]
    if values is None:
        if spec.metadata["none"] and text == "none":
            return None
        try:
            return int(text)
        except ValueError:
            allowed = f"a whole number from {spec.metadata['minimum']}" + (", or none" if spec.metadata["none"] else "")
            raise ValueError(f"{game.name}: option {spec.name}={text!r} is not allowed; allowed: {allowed}") from None
    for value in values:
        if text in (str(value), word_of(value)):
            return value
    allowed = ", ".join(map(word_of, values))
    raise ValueError(f"{game.name}: option {spec.name}={text!r} is not allowed; allowed: {allowed}")


def _fits(game: Game, options: dict[str, Any], shape: Any) -> bool:
    """Can a table with these options sit in one batch with tables of this shape?"""
    try:
        other = game.shape(game.rules.make(**options))
    except ValueError:
        return False
    return (other.observation.digest, other.actions) == (shape.observation.digest, shape.actions)
