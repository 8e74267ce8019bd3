"""The command line: `karty COMMAND …`.

Each command is a function here: its parameters are the options, its docstring the help. Words are parsed by tyro;
what our own code finds wrong (a ValueError with one clear line) is said in one line on stderr with exit code 2, in
`main` alone.
"""

from __future__ import annotations

import _thread
import dataclasses
import io
import itertools
import json as json_module
import os
import secrets
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import tyro
from tyro.conf import Positional, arg

from karty.envs.game import EVALUATION_SEEDS
from karty.envs.table import check_seed
from karty.training.config import TrainConfig, defaults_of_games, usual_config, word_of

if TYPE_CHECKING:
    from rich.console import Console

    from karty.envs.game import Game
    from karty.training.cycles import CyclicShare
    from karty.training.estimates import Estimate
    from karty.training.evaluate import Evaluation

WRONG, SLIP, STOPPED, PIPE_CLOSED = 1, 2, 130, 141
"""Exit codes: a record is faulty; the user wrote something that cannot be done; Ctrl-C; nobody reads our output."""

_PROGRESS_LINE = (
    "The progress line tells how many decisions are made a second; the entropy of the policy (0: it always chooses "
    "alike); what is done, as in `pass in 45%`: in 45 % of the latest deals the network passed at least once, in "
    "whichever seat it was (kinds of action that occur in hardly any deal or in almost every one are left out; `bid "
    "in`: deals with a contract that was bid for freely); the share of deals cut off by a cap, if there are any; and "
    "`score`, or `lost`, the latest measurement: points a deal more than the others, or the share of deals lost."
)

app = tyro.extras.SubcommandApp()
_PARSING = (tyro.conf.FlagCreatePairsOff, tyro.conf.OmitArgPrefixes, tyro.conf.DisallowNone)

GameName = Annotated[Positional[str], arg(metavar="GAME", help="Name of the game.")]
Rules = Annotated[
    tuple[str, ...],
    arg(
        metavar="KEY=VALUE …",
        help="Options of the game (`karty games GAME` lists them), preset=NAME among them.",
        help_behavior_hint="",
    ),
]
Episode = Annotated[Literal["deal", "match"], arg(help="What is played: single deals, or whole matches.")]
_UNITS = {"deal": ("deal", "deals"), "match": ("match", "matches")}
Json = Annotated[bool, arg(help="Print JSON lines and nothing else.")]
Seed = Annotated[int, arg(help="Other seeds give other cards.")]
Split = Annotated[
    Literal["test", "dev"],
    arg(help="Which of the two published lists of deals: dev for choosing among agents, test for reporting."),
]
Threads = Annotated[int, arg(help="Threads of the engine; results do not depend on it.")]


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; argv: the words after `karty`, by default those of the process."""
    code = _run(list(sys.argv[1:] if argv is None else argv))
    if argv is None and code == STOPPED:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C while Python takes itself down changes nothing
    return code


def _run(words: list[str]) -> int:
    """Run a command; everything that went wrong becomes a line and an exit code."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # the process was started with it closed
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")  # a terminal that has no ą still gets its table
    try:
        with _no_ctrl_c_lost():
            code = _command(words)
        sys.stdout.flush()
        return int(code or 0)
    except SystemExit as end:
        # tyro has shown its help or its own message
        return end.code if isinstance(end.code, int) else SLIP
    except KeyboardInterrupt:
        return STOPPED
    except BrokenPipeError:
        # What is still in the buffer has nowhere to go; Python would complain about it at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except (ValueError, OSError, MemoryError, OverflowError) as error:
        if "KARTY_TRACEBACK" in os.environ:
            raise
        print(f"karty: {_one_line(error)}", file=sys.stderr)
        return SLIP


def _command(words: list[str]) -> int | None:
    """Run a command: its exit code, None for 0."""
    if words[:1] == ["train"]:
        return train(_train_config(words[1:]))
    if {"-h", "--help"} & {*words[1:]}:
        words = [words[0], "--help"]  # of what has been read already, as a game's name, the usage would say nothing
    title = "Card games for multi-agent reinforcement learning."
    code: int | None = app.cli(args=words, prog="karty", description=title, config=_PARSING)
    return code


@contextmanager
def _no_ctrl_c_lost() -> Iterator[None]:
    """Have a Ctrl-C come again that fell into a callback from C or a finalizer: Python swallows what is raised there.

    While a game is compiled there are many of them.
    """
    before = sys.unraisablehook

    def again(raised: Any) -> None:
        if issubclass(raised.exc_type, KeyboardInterrupt):
            threading.Timer(0.05, _thread.interrupt_main).start()
        else:
            before(raised)

    sys.unraisablehook = again
    try:
        yield
    finally:
        sys.unraisablehook = before


@app.command
def games(
    game: Annotated[
        Positional[str | None], arg(metavar="GAME", help="Show this game; left out: list all.", help_behavior_hint="")
    ] = None,
    rules: Rules = (),
    json: Json = False,
) -> None:
    """List the games; of one game its options, actions, phases and observation layout."""
    from karty.envs.games import GAMES, MINIS

    if game is None:
        if rules:
            raise ValueError("--rules goes with a game: karty games GAME --rules …")
        columns = ["game", "title", "version", "seats", "actions", "features"]
        lines, minis = ([_summary(each, each.rules()) for each in listed.values()] for listed in (GAMES, MINIS))
        if json:
            return _print_json([*lines, *minis])
        for line, each in zip([*lines, *minis], [*GAMES.values(), *MINIS.values()], strict=True):
            sizes = each.rules.sizes()
            line["seats"] = f"{sizes[0]}–{sizes[-1]}" if len(sizes) > 1 else str(sizes[0])
        _print_table(columns, lines)
        return _print_table(columns, minis, "mini games, small enough to be solved (karty exploit)")
    found, chosen = _game_and_rules(game, rules)
    description = _description(found, chosen)
    if json:
        return _print_json([description])
    _print_game(found, description)


@app.command
def evaluate(
    game: GameName,
    agents: Annotated[
        tuple[str, ...],
        arg(
            metavar="A B …",
            help="One per seat, or two: the second fills the others. `A pool`: A against each member of the game's "
            "pool of opponents, and the mean, its focal score.",
        ),
    ],
    deals: Annotated[
        int | None,
        arg(
            metavar="INT",
            help="Deals (or matches), each played in all rotations of the seats: 4,000 if left out; with --until the "
            "most, 100,000 if left out.",
            help_behavior_hint="",
        ),
    ] = None,
    until: Annotated[
        float | None,
        arg(
            metavar="HALF-WIDTH",
            help="Play until the 95 % interval is at most ± this: points a deal, or percentage points where the game "
            "counts losses (Pan, Piotruś) and of matches won or lost. Looked at after 1,024 deals and whenever they "
            "have grown by a quarter.",
            help_behavior_hint="",
        ),
    ] = None,
    normalise: Annotated[
        bool, arg(help="Also on the scale from random play (0) to rule (1), which play the same deals.")
    ] = False,
    rules: Rules = (),
    episode: Episode = "deal",
    seed: Seed = 0,
    split: Split = "test",
    threads: Threads = 1,
    json: Json = False,
) -> None:
    """Measure agent A against the others: the same deals in all rotations, mean ± 95 %."""
    found, chosen = _game_and_rules(game, rules)
    from karty.agents.opponents import WORD, pool_names
    from karty.training.evaluate import compared_by
    from karty.training.evaluate import evaluate as measure
    from karty.training.focal import focal_score
    from karty.training.stopping import check_until

    try:
        check_until(until)
    except ValueError as error:
        raise ValueError(f"--{error}") from None
    in_points = compared_by(found.measure, found.outcome, episode) == "points"
    options: dict[str, Any] = {
        "deals": deals,
        "until": until if until is None or in_points else until / 100,
        "normalise": normalise,
        "rules": chosen,
        "episode": episode,
        "seed": seed,
        "split": split,
        "threads": threads,
    }
    if WORD in agents:
        if len(agents) != 2 or agents[0] == WORD:
            raise ValueError(f"--agents: {WORD} stands for the opponents of one agent: --agents A {WORD}")
        _one_thread(found, [agents[0], *pool_names(found)])
        with _progress(json) as progress:
            score = focal_score(found, agents[0], progress=progress, **options)
        _warn_of_caps(max(each.truncated for each in score.members))
        if json:
            return _print_json(score.to_dicts())
        return _print_focal(found, score.members, score.mean)
    _one_thread(found, agents)
    with _progress(json) as progress:
        result = measure(found, agents, progress=progress, **options)
    _warn_of_caps(result.truncated)
    if json:
        return _print_json(result.to_dicts())
    _print_evaluation(found, chosen, result, normalise)


@app.command
def arena(
    game: GameName,
    agents: Annotated[
        tuple[str, ...],
        arg(metavar="A B C …", help="The agents, two or more; `pool` stands for all of the game's pool of opponents."),
    ],
    deals: Annotated[int, arg(help="Deals (or matches) for each ordered pair, in all rotations of the seats.")] = 1000,
    out: Annotated[
        str | None,
        arg(
            metavar="FOLDER",
            help="Write arena.json, payoffs.csv, ratings.csv and payoffs.svg into this new folder.",
            help_behavior_hint="",
        ),
    ] = None,
    rules: Rules = (),
    episode: Episode = "deal",
    seed: Seed = 0,
    split: Split = "test",
    threads: Threads = 1,
    json: Json = False,
) -> None:
    """Play every ordered pair of agents, A in one seat and B in the rest; payoffs and ratings with 95 % intervals."""
    found, chosen = _game_and_rules(game, rules)
    from karty.training.arena import arena as hold
    from karty.training.arena import with_pool
    from karty.training.evaluate import DONE

    names = with_pool(found, agents)
    if out is not None:
        _check_out(out)
    _one_thread(found, names)
    with _progress(json) as progress:
        result = hold(
            found,
            names,
            deals=deals,
            rules=chosen,
            episode=episode,
            seed=seed,
            split=split,
            threads=threads,
            progress=progress,
        )
    if out is not None:
        result.write(out)
        print(f"written: {os.path.join(out, '')}", file=sys.stderr)
    if json:
        return _print_json(result.to_dicts())
    unit, plural = _UNITS[episode]
    names = [row.agent for row in result.ratings]
    payoffs = []
    for a in names:
        row = {"against →": a}
        for b in names:
            row[b] = _payoff(result.pairs[a, b].score) if a != b else "·"
        payoffs.append(row)
    what, metric = f"points a {unit}", result.setting.score.metric
    if metric != "points":
        what = f"% of {plural} {DONE[metric]} (par {100 * result.setting.par:.1f})"
    _print_table(["against →", *names], payoffs, f"{what}: {_sides(chosen)}, {deals} {plural} a pair")
    ratings = []
    for rating in result.ratings:
        took = result.time(rating.agent)
        interval = f"{rating.low:+.0f} … {rating.high:+.0f}"
        ms = f"{'≤ ' * took.compiled}{took.ms:.3g}"
        ratings.append({"agent": rating.agent, "rating": f"{rating.mean:+.0f}", "95 %": interval, "ms": ms})
    _print_table(["agent", "rating", "95 %", "ms"], ratings, "Plackett–Luce ratings (400: odds of ten to one)")
    _say("ms: CPU milliseconds a decision; ≤: of a compiled player, dealing and rules included")
    _print_cycles(result.cyclic, metric, unit)


@app.command
def probe(
    game: GameName,
    agent: Annotated[str, arg(metavar="A", help="The agent: a name, a .safetensors file, a run folder, module:Class.")],
    deals: Annotated[int, arg(help="Deals, each played in all rotations of the seats.")] = 4000,
    matches: Annotated[int, arg(help="Matches for the swaps in matches, in all rotations; 0: none.")] = 1000,
    rules: Rules = (),
    seed: Seed = 0,
    split: Split = "test",
    threads: Threads = 1,
    json: Json = False,
) -> None:
    """Probe an agent's habits: what `rule` would do better in each phase; its choices, contracts, marriages."""
    found, chosen = _game_and_rules(game, rules)
    from karty.training.probe import probe as look

    _one_thread(found, [agent])
    with _progress(json) as progress:
        result = look(
            found,
            agent,
            deals=deals,
            matches=matches,
            rules=chosen,
            seed=seed,
            split=split,
            threads=threads,
            progress=progress,
        )
    _warn_of_caps(result.truncated)
    if json:
        return _print_json(result.to_dicts())
    played = f"{result.deals} deals" + (f" and {result.matches} matches" if result.matches else "")
    rows = []
    for line in result.findings:
        mean, low, high = (
            _found_number(line.probe, line.estimate.metric, value)
            for value in (line.estimate.mean, line.estimate.low, line.estimate.high)
        )
        rows.append(
            {
                "probe": line.probe,
                "case": line.case,
                "metric": line.estimate.metric,
                "mean": mean,
                "95 %": f"{low} … {high}",
                "of": f"{line.count} {line.counted}",
            }
        )
    others = _others(chosen, result.opponents, "among")
    title = f"{result.agent} {others}: {played} of {found.name}, each in all rotations"
    _print_table(["probe", "case", "metric", "mean", "95 %", "of"], rows, title)
    better = "fewer losses are better" if found.outcome == "losses" else "more is better"
    _say(f"swap: what changes for the agent when rule decides for it in that phase; {better}")
    _say("choices: taken, how often it chose such an action where it could also choose another kind;")
    _say("         hands, in how many of the hands that it played it chose one at least once")


@app.command
def exploit(
    game: GameName,
    agent: Annotated[str, arg(metavar="A", help="The agent: a name, a .safetensors file, a run folder, module:Class.")],
    decisions: Annotated[
        int | None,
        arg(
            metavar="INT",
            help="Training decisions of each responder. Left out: 3,000,000; in a mini game nobody is trained: there "
            "best responses are found exactly.",
            help_behavior_hint="",
        ),
    ] = None,
    inits: Annotated[
        tuple[str, ...],
        arg(
            metavar="INIT …",
            help="How responders begin, as `train --init`; left out: agent:A, imitate:rule, none.",
            help_behavior_hint="",
        ),
    ] = (),
    deals: Annotated[int, arg(help="Deals (or matches) of each measurement, in all rotations of the seats.")] = 4000,
    rules: Rules = (),
    episode: Episode = "deal",
    seed: Seed = 0,
    processes: Annotated[int, arg(help="Processes that share each run.")] = 1,
    out: Annotated[
        Path | None,
        arg(
            metavar="FOLDER",
            help="Folder to keep the runs in; runs that lie there are gone on with.",
            help_behavior_hint="",
        ),
    ] = None,
    json: Json = False,
) -> int:
    """Tell what can be gained against agent A: at least, by trained responders; in a mini game exactly."""
    found, chosen = _game_and_rules(game, rules)
    from karty.envs.games import MINIS

    if found.name in MINIS and decisions is None:
        told = {"inits": inits, "out": out, "processes": processes != 1, "deals": deals != 4000, "seed": seed}
        for name, value in (told | {"episode": episode != "deal"}).items():
            if value:
                raise ValueError(f"--{name} goes with --decisions in a mini game: without training nothing is drawn")
        return _exactly(found, agent, chosen, json)
    try:
        from karty.training.exploit import exploit as respond
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    result = respond(
        found,
        agent,
        decisions=3_000_000 if decisions is None else decisions,
        inits=inits,
        deals=deals,
        rules=chosen,
        episode=episode,
        seed=seed,
        processes=processes,
        out=out,
        console=_console(stderr=json),
    )
    if result is None:
        if out is not None:
            print(f"karty: stopped; the same command with --out {out} goes on", file=sys.stderr)
        return STOPPED
    if json:
        _print_json(result.to_dicts())
        return 0
    unit, plural = _UNITS[episode]
    rows = []
    for each in result.responders:
        gain = each.found.points
        rows.append({"responder begins": each.init, f"points a {unit}": f"{gain.mean:+.2f} ± {gain.half:.2f}"})
    _print_table(list(rows[0]), rows, f"Responders in one seat, {result.agent} in the others, {deals} dev {plural}")
    gain = result.gain
    much = f"{gain.mean:+.2f} ± {gain.half:.2f} points a {unit}"
    if gain.low > 0:
        _say(f"at least {much} can be gained against {result.agent} by one seat")
    else:
        _say(f"no responder gained clearly against {result.agent}: {much}")
    _say(f"(the best responder on {deals} test {plural} in all rotations, 95 %; a lower bound, not the exploitability)")
    return 0


@app.command
def record(
    game: GameName,
    out: Annotated[str, arg(metavar="FILE", help="The file to write.")],
    episodes: Annotated[int, arg(help="How many; their seeds are seed, seed + 1 and so on.")] = 1,
    players: Annotated[
        tuple[str, ...],
        arg(metavar="A B …", help="One per seat, or one for all; random if left out.", help_behavior_hint=""),
    ] = (),
    rules: Rules = (),
    episode: Episode = "match",
    seed: Seed = 0,
) -> None:
    """Write game records (JSON Lines) of episodes between any players."""
    found, chosen = _game_and_rules(game, rules)
    from karty.envs.record import write_records

    _check_folder(out)
    seated = _seated(found, chosen, players or ("random",))
    with _progress(False) as progress:
        lines = write_records(
            out,
            found,
            players=seated,
            episodes=episodes,
            seed=seed,
            rules=chosen,
            episode=episode,
            progress=None if progress is None else lambda done: progress(done, episodes),
        )
    number = "1 episode" if episodes == 1 else f"{episodes} episodes"
    print(f"{number} of {found.name}, {lines} lines: {out}", file=sys.stderr)


@app.command
def replay(
    file: Annotated[Positional[str], arg(metavar="FILE", help="A file of records.")],
    show: Annotated[bool, arg(help="Draw the open table after every line.")] = False,
) -> int:
    """Check a file of records line by line; exit code 1 and the first faulty line if it is wrong."""
    from karty.envs.record import RecordError
    from karty.envs.record import replay as check

    try:
        summary = check(file, show=print if show else None)
    except RecordError as error:
        sys.stdout.flush()
        print(f"{file}: {error}", file=sys.stderr)
        return WRONG
    print(f"{file}: {summary}")
    return 0


@app.command
def play(
    game: GameName,
    seat: Annotated[int, arg(help="Your seat, 0 is the first.")] = 0,
    agents: Annotated[
        tuple[str, ...], arg(metavar="A B …", help="One for each other seat, clockwise from you, or one for all.")
    ] = ("rule",),
    rules: Rules = (),
    episode: Episode = "match",
    seed: Annotated[int | None, arg(help="Left out: new cards every time.", help_behavior_hint="")] = None,
) -> int:
    """Play against agents in the terminal."""
    found, chosen = _game_and_rules(game, rules)
    if not 0 <= seat < chosen.seats:
        raise ValueError(f"--seat must be 0 … {chosen.seats - 1} at this table, not {seat}")
    others = chosen.seats - 1
    if len(agents) == 1:
        agents = agents * others
    if len(agents) != others:
        many = f"{others} agents, one for each other seat, or one for all" if others > 1 else "one agent"
        raise ValueError(f"--agents: give {many}, not {len(agents)}")
    opponents = [_load(found, name, chosen) for name in agents]
    seed = secrets.randbelow(EVALUATION_SEEDS) if seed is None else _checked_seed(seed)
    from karty.training.play import play as sit_down

    return sit_down(found, rules=chosen, episode=episode, seat=seat, opponents=opponents, seed=seed)


@app.command
def bench(
    games: Annotated[
        Positional[tuple[str, ...]],
        arg(metavar="GAME", help="Games to measure; all if left out.", help_behavior_hint=""),
    ] = (),
    seconds: Annotated[float, arg(help="Time for each mode, split into five runs of which the best counts.")] = 3.0,
    n: Annotated[int, arg(help="Tables at once.")] = 4096,
    threads: Threads = 1,
    rules: Rules = (),
    seed: Seed = 0,
    json: Json = False,
) -> None:
    """Measure the engine's speed: random play, the rule-based player, whole episodes, the PettingZoo view."""
    from karty.envs.games import GAMES

    chosen = [_game_and_rules(name, rules) for name in games or GAMES]
    from karty.training.bench import bench as measure

    rows = []
    for found, options in chosen:
        for speed in measure(found, rules=options, seconds=seconds, n=n, threads=threads, seed=seed):
            if json:
                _print_json([speed.to_dict()])
            row = speed.to_dict()
            for key in ("decisions_per_s", "decisions_per_cpu_s"):
                row[key] = f"{row[key]:,.0f}"
            rows.append(row)
    if not json:
        _print_table(["game", "mode", "n", "threads", "decisions_per_s", "decisions_per_cpu_s"], rows)


@app.command
def train(config: TrainConfig) -> int:
    """Train an agent with PPO, by self-play or against fixed players."""
    try:
        from karty.training.ppo import train as run
    except ModuleNotFoundError as error:
        raise _missing(error) from error
    return STOPPED if run(config).interrupted else 0


def _exactly(game: Game, agent: str, rules: Any, json: bool) -> int:
    """Tell how exploitable an agent is in a mini game."""
    from karty.training.exact import exploitability

    _one_thread(game, [agent])
    result = exploitability(game, agent, rules=rules)
    if json:
        _print_json(result.to_dicts())
        return 0
    _say(f"{result.agent} in both seats of {game.name}, in units of reward; exact")
    _say(f"  value         {result.value:+.5f} for seat 0")
    for seat, gain in enumerate(result.gains):
        _say(f"  gain          {gain:+.5f} for seat {seat} by its best response to the other seat")
    _say(f"  NashConv      {result.nash_conv:+.5f}, {result.share:.3%} of uniform play's {result.uniform:.5f}")
    return 0


def _train_config(words: list[str]) -> TrainConfig:
    """What `karty train` is told, by words that follow it; what they leave out is the game's usual, `--help` shows it.

    They are read twice: first for the game and the opponents alone.
    """
    told = [word for word in words if word not in ("-h", "--help")]
    usual: Any = tyro.MISSING_NONPROP
    with suppress(SystemExit):  # the second reading says what is wrong
        read = tyro.cli(TrainConfig, args=told, config=_PARSING, console_outputs=False)
        usual = dataclasses.replace(usual_config(read.game, read.opponents, read.learner), game=tyro.MISSING)
    words = words if told == words else ["--help"]
    config: TrainConfig = tyro.cli(
        TrainConfig, prog="karty train", description=_about_training(), args=words, default=usual, config=_PARSING
    )
    return config


def _about_training() -> str:
    """What `karty train --help` says first."""
    own = "\n".join(f"- {line}" for line in defaults_of_games())
    differ = f"Defaults that differ by the game (`karty train GAME --help` shows all of a game's):\n\n{own}"
    return f"{train.__doc__}\n\n{_PROGRESS_LINE}\n\n{differ}"


def _game_and_rules(name: str, words: Sequence[str]) -> tuple[Game, Any]:
    """The game of this name and one set of rules from `key=value` words."""
    from karty.envs.games import find_game
    from karty.training.config import read_rules

    game = find_game(name)
    rules = read_rules(game, words)
    if len(rules) != 1:
        raise ValueError("--rules: several values for an option are for `karty train` only")
    return game, rules[0]


def _load(game: Game, name: str, rules: Any) -> Any:
    from karty.agents.agent import load_agent

    _one_thread(game, [name])
    return load_agent(game, name, rules)


def _one_thread(game: Game, names: Sequence[str]) -> None:
    """If there are networks among the agents: let torch use one thread, more would only wait for each other."""
    from karty.agents.agent import agent_names
    from karty.envs.engine import players

    packed = set(agent_names(game)) - set(players(game.name))
    if any(name in packed or name.endswith(".safetensors") or os.path.isdir(name) for name in names):
        try:
            import torch
        except ModuleNotFoundError:
            return  # whoever loads the network says what is missing
        torch.set_num_threads(1)


def _sides(rules: Any) -> str:
    """Who plays against whom at a table."""
    return "one team against the other" if len({*rules.teams}) < rules.seats else "one seat against the rest"


def _others(rules: Any, others: Sequence[str], joining: str = "against") -> str:
    """The players in the other seats: everybody, or in teams the partners and the opponents, each name once."""
    sides = rules.teams
    if len({*sides}) == rules.seats:
        return f"{joining} {', '.join(others)}"
    sets = [[name for name, side in zip(others, sides[1:], strict=True) if (side == sides[0]) == own] for own in (1, 0)]
    partners, opponents = (" and ".join(dict.fromkeys(names)) for names in sets)
    return f"with {partners} against {opponents}, team against team"


def _seated(game: Game, rules: Any, names: Sequence[str]) -> list[Any]:
    """One player a seat; one name is for all."""
    names = tuple(names) * (rules.seats if len(names) == 1 else 1)
    if len(names) != rules.seats:
        many = f"{rules.seats} players, one a seat, or one for all"
        raise ValueError(f"--players: {game.name} has {rules.seats} seats here: give {many}, not {len(names)}")
    return [_load(game, name, rules) for name in names]


def _check_folder(out: str) -> None:
    """ValueError if no file can be made where this one is to be: before the work is done, not after it."""
    if os.path.isdir(out):
        raise ValueError(f"--out {out} is a folder; name a file")
    if os.path.exists(out) and not os.path.isfile(out):
        return  # a pipe or a terminal is written into, not replaced
    folder = os.path.dirname(out) or "."
    if not os.path.isdir(folder):
        raise ValueError(f"--out {out}: there is no folder {folder}")
    if not os.access(folder, os.W_OK):
        raise ValueError(f"--out {out}: the folder {folder} cannot be written to")


def _check_out(out: str) -> None:
    """ValueError if an arena's files cannot be written there: before it is played, not after it."""
    from karty.training.arena_files import check_out

    try:
        check_out(out)
    except ImportError as error:
        raise ValueError(str(error)) from error


def _warn_of_caps(truncated: float) -> None:
    """A line on stderr if caps ended more than a few of the episodes, of which this is the share."""
    if truncated > 0.01:
        print(f"karty: {truncated:.1%} of the episodes were ended by a cap", file=sys.stderr)


def _checked_seed(seed: int) -> int:
    try:
        return check_seed(seed)
    except ValueError:
        raise ValueError(f"--seed must be a whole number from 0 to 2**63 - 1, not {seed}") from None


def _missing(error: ModuleNotFoundError) -> Exception:
    """What to say when an extra is not installed; an import error of our own stays what it is."""
    package = (error.name or "").partition(".")[0]
    if package in ("torch", "safetensors", "tensorboard"):
        return ValueError(f"training needs {package}: pip install 'karty[train]'")
    return error


def _one_line(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        where = "" if error.filename is None else f"{os.fspath(error.filename)}: "
        return f"{where}{error.strerror}"
    return " ".join(str(error).split()) or type(error).__name__


def _summary(game: Game, rules: Any) -> dict[str, Any]:
    """A game in one line."""
    from karty.envs.games import MINIS

    shape = game.shape(rules)
    return {
        "game": game.name,
        "title": game.title,
        "version": game.version,
        "seats": shape.seats,
        "actions": shape.size,
        "features": shape.features,
        "mini": game.name in MINIS,
    }


def _description(game: Game, rules: Any) -> dict[str, Any]:
    """All that `karty games GAME` tells, as JSON knows it."""
    shape = game.shape(rules)
    return {
        **_summary(game, rules),
        "rules": rules.to_dict(),
        "options": [
            {
                "option": field.name,
                "values": None if field.metadata["values"] is None else list(field.metadata["values"]),
                "minimum": field.metadata.get("minimum"),
                "default": field.default,
                "chosen": getattr(rules, field.name),
                "idle": field.name in rules.idle,
                "caption": field.metadata["caption"],
                "told": dict(field.metadata.get("told", {})),
            }
            for field in dataclasses.fields(game.rules)
        ],
        "presets": {name: dict(options) for name, options in game.presets.items()},
        "action_names": list(shape.actions),
        "phases": dict(game.phases),
        "observation": [
            {
                "field": field.name,
                "kind": field.kind,
                "start": field.start,
                "stop": field.start + field.size,
                "shape": list(field.shape),
                "low": int(shape.observation.low[field.start]),
                "high": int(shape.observation.high[field.start]),
                "unit": field.unit,
                "values": list(field.values),
                "caption": field.caption,
            }
            for field in shape.observation.fields
        ],
    }


def _print_game(game: Game, description: dict[str, Any]) -> None:
    """`karty games GAME` for a person."""
    _say(
        f"{game.title} ({game.name}, version {game.version}): {description['seats']} seats,"
        f" {description['actions']} actions, {description['features']} features\n"
    )
    options = [
        {
            **row,
            "values": f"from {row['minimum']}" if row["values"] is None else ", ".join(map(word_of, row["values"])),
            "default": word_of(row["default"]),
            "here": "–" if row["idle"] else word_of(row["chosen"]),
        }
        for row in description["options"]
    ]
    if options:
        _print_table(["option", "values", "default", "here", "caption"], options, "options")
    else:
        _say("options: none")
    if any(row["idle"] for row in options):
        _say("–: has no effect here\n")
    for row in options:
        if row["told"]:
            wide = max(map(len, map(word_of, row["told"])))
            _say(f"{row['option']}")
            for value, words in row["told"].items():
                _say(f"  {word_of(value):<{wide}}  {words}")
            _say("")
    for name, values in description["presets"].items():
        _say(f"preset={name}: {' '.join(f'{key}={word_of(value)}' for key, value in values.items())}")
    _say("\nactions")
    for kind, line in _action_lines(description["action_names"]):
        _say(f"  {kind:<10}{line}")
    titles = game.picture.get("titles", {})
    _say("\nphases: what is decided in each")
    for phase, words in game.phases.items():
        _say(f"  {phase:<10}{titles[phase] + ': ' if phase in titles else ''}{words}")
    _say("")
    rows = [
        {
            **row,
            "caption": row["caption"] + (f": {', '.join(row['values'])}" if row["kind"] == "choice" else ""),
            "columns": f"{row['start']}" + (f"–{row['stop'] - 1}" if row["stop"] > row["start"] + 1 else ""),
            "shape": "×".join(map(str, row["shape"])) or "1",
            "range": f"{row['low']} … {row['high']} {row['unit']}".rstrip(),
        }
        for row in description["observation"]
    ]
    _print_table(["field", "columns", "kind", "shape", "range", "caption"], rows, "observation (int8)")


def _action_lines(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The ids of each kind of action with its arguments, in the order of the ids."""
    start = 0
    while start < len(names):
        verb = _verb(names[start])
        stop = start
        while stop < len(names) and _verb(names[stop]) == verb:
            stop += 1
        ids = f"{start}" if stop == start + 1 else f"{start}–{stop - 1}"
        arguments = " ".join(name[len(verb) :].strip() for name in names[start:stop]).strip()
        yield ids, f"{verb} {arguments}".rstrip()
        start = stop


def _verb(action: str) -> str:
    """The words of an action before its cards and numbers: `play four` of `play four 9`, `lay` of `lay 6S 6C`."""
    return " ".join(itertools.takewhile(lambda word: word.isalpha() and word.islower(), action.split()))


def _number(metric: str, value: float, *, sign: bool = True) -> str:
    """Points with a sign, shares as percentages, both with two digits."""
    if metric != "points":
        return f"{100 * value:.2f} %"
    return f"{value:+.2f}" if sign else f"{value:.2f}"


def _print_evaluation(game: Game, rules: Any, result: Evaluation, normalise: bool) -> None:
    """`karty evaluate` for a person."""
    from karty.training.evaluate import DONE

    many = _UNITS[result.episode][1]
    others = _others(rules, result.opponents)
    _say(f"{result.agent} {others}: {result.deals} {many} of {game.name}, each in all rotations")
    for line in sorted(result.estimates, key=lambda line: line.metric != result.score.metric):
        told = f"{_number(line.metric, line.mean)} ± {_number(line.metric, line.half, sign=False)}"
        par = "" if line.metric == "points" else f" (par {_number(line.metric, result.par)})"
        _say(f"  {DONE.get(line.metric, line.metric):<8}{told}{par}")
    if result.episode == "deal" and game.outcome == "wins":
        _say("  (won: the share of deals in which it gained most, of shared ones its part; par: that of equal agents)")
    if normalise:
        _say(f"  from random play (0) to rule (1): {_normalised(result)}")
    _say_whether_reached(result)


def _print_focal(game: Game, members: Sequence[Evaluation], mean: Evaluation) -> None:
    """`karty evaluate --agents A pool` for a person."""
    from karty.training.evaluate import DONE

    one, many = _UNITS[mean.episode]
    columns = [f"points a {one}", f"{many} {DONE[game.outcome]} %"]
    if mean.normalised is not None:
        columns.append("normalised")
    rows = []
    for who, each in [*((each.opponents[-1], each) for each in members), ("mean: focal score", mean)]:
        row = {"against": who, columns[0]: _payoff(each.points), columns[1]: _payoff(each.outcome)}
        rows.append(row | {"normalised": _normalised(each)})
    title = f"{mean.agent} against the pool of {game.name}: {mean.deals} {many} a member, each in all rotations"
    _print_table(["against", *columns], rows, title)
    _say_whether_reached(mean)


def _normalised(result: Evaluation) -> str:
    """The normalised score in words."""
    score = result.normalised
    return "·" if score is None else f"{score.mean:+.3f} ± {score.half:.3f}"


def _say_whether_reached(result: Evaluation) -> None:
    """Whether the half-width that was to be reached was, if there was one."""
    if result.until is None:
        return
    goal = result.score
    wanted, got = (_number(goal.metric, value, sign=False) for value in (result.until, goal.half))
    one, many = _UNITS[result.episode]
    unit = f"points a {one}" if goal.metric == "points" else f"of {many}"
    if result.reached:
        _say(f"  until ± {wanted} {unit}: reached, ± {got} after {result.deals} {many}")
    else:
        _say(f"  until ± {wanted} {unit}: NOT reached, ± {got} after {result.deals} {many}, the most allowed")


def _print_cycles(share: CyclicShare, metric: str, unit: str) -> None:
    """What no rating tells, for a person."""
    if share.mean is None:
        return _say("cyclic share: none can be told, the agents do not differ clearly")
    _say(
        f"cyclic share: {100 * share.mean:.2f} % ({100 * (share.low or 0):.2f} … {100 * (share.high or 0):.2f}) of the "
        "payoffs' squared norm is explained by no rating"
    )
    if (cycle := share.largest) is None:
        return
    around = (*cycle.agents, cycle.agents[0])
    factor, name = (1, f"points a {unit}") if metric == "points" else (100, "percentage points")
    steps = " ".join(f"{a} {factor * gain:+.2f}" for a, gain in zip(around, cycle.gains, strict=False))
    kind = "each beats the next" if cycle.is_circle else "not all beat the next"
    total = f"{factor * cycle.mean:+.2f} ± {factor * (cycle.high - cycle.low) / 2:.2f}"
    _say(f"largest 3-cycle ({kind}): {steps} ({around[0]}); sum {total} {name}, 0 without cycles")


def _payoff(score: Estimate) -> str:
    """A pair's score with its interval: points with a sign, shares in per cent."""
    if score.metric == "points":
        return f"{score.mean:+.2f} ± {score.half:.2f}"
    return f"{100 * score.mean:.1f} ± {100 * score.half:.1f}"


def _found_number(probe: str, metric: str, value: float) -> str:
    """A probe's number: gains with a sign, shares as percentages."""
    if metric in ("contract", "trick"):
        return f"{value:.2f}"
    if metric == "points":
        return f"{value:+.2f}"
    return f"{100 * value:+.2f} %" if probe == "swap" else f"{100 * value:.2f} %"


def _print_json(lines: Sequence[dict[str, Any]]) -> None:
    for line in lines:
        print(json_module.dumps(line), flush=True)


def _console(**options: Any) -> Console:
    from rich.console import Console

    console = Console(highlight=False, markup=False, **options)
    if not console.is_terminal:
        console.width = 160  # a file or a pipe is no screen: captions need not be folded to 80 columns there
    return console


def _say(text: str) -> None:
    _console().print(text, soft_wrap=True)


def _print_table(columns: Sequence[str], rows: Sequence[dict[str, Any]], title: str | None = None) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    if title:
        _say(title)
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        numeric = bool(rows) and all(_is_figure(row[column]) for row in rows)
        table.add_column(column, justify="right" if numeric else "left", no_wrap=numeric, overflow="fold")
    for row in rows:
        table.add_row(*(str(row[column]) for column in columns))
    _console().print(table)
    _say("")


def _is_figure(value: Any) -> bool:
    return isinstance(value, int | float) or value == "·" or str(value).lstrip("+-")[:1].isdigit()


@contextmanager
def _progress(quiet: bool) -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on stderr, if a person is looking at it: gives what to call with the parts done and in all."""
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("playing"), BarColumn(), TextColumn("{task.percentage:3.0f} %"), TimeRemainingColumn())
    with Progress(*columns, console=_console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


if __name__ == "__main__":
    sys.exit(main())
