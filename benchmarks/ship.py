"""Take a training run's agent into the package, with a card that tells where it comes from and what it does.

    python benchmarks/ship.py RUN NAME [--deals 20000] [--matches 3000] [--rules KEY=VALUE …]

Writes agents/weights/GAME/NAME.safetensors and NAME.md beside it, once the results are there. They are on test deals
with seed 1, which no run's closing figure used: the run to ship may have been chosen by that one. Each is against one
player in all other seats, in all rotations: those that the run was trained against, `rule` and `random`. With
--matches 0 no matches are played, for games in which one deal is the whole game. --rules (`table=all`) measures under
each of these rules; without it under those that the run measured by. A NAME such as ppo-4p is the agent ppo for tables
of four.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import shlex
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import torch

import karty
from karty.agents import checkpoint
from karty.agents.agent import OF_SEATS, WEIGHTS
from karty.envs.game import Game, Options
from karty.envs.games import find_game
from karty.training.config import TrainConfig, flag, read_rules, rule_words, usual_rules
from karty.training.evaluate import DONE, Episode
from karty.training.log import clock
from karty.training.probe import probe
from karty.training.versions import versions

SEED = 1
"""Of the evaluation; the closing measurement of a run has 0."""


def packed(name: str) -> str:
    """The agent's name in the package: that of its file without the number of seats."""
    return OF_SEATS.sub("", name)


def command(config: TrainConfig) -> str:
    """The command that made the run."""
    changed = set(config.changed()) - {flag("out")}
    words = ["karty", "train", config.game]
    for part in config.parts():
        for name, value in vars(part).items():
            if flag(name) in changed:
                words += [flag(name), *(map(str, value) if isinstance(value, tuple) else [str(value)])]
    return shlex.join(words)


def told_rules(game: Game, rules: Options) -> str:
    """The options that are not at their defaults, as the command line takes them; or nothing."""
    usual = rule_words(game.rules())
    words = [word for word in rule_words(rules) if word not in usual]
    return shlex.join(words)


def card(run: Path, name: str, deals: int, matches: int, under: Sequence[str] = ()) -> str:
    """The card, in Markdown, of a run's agent under its name in the package; ``under``: rules to measure under."""
    agent = run / "agent.safetensors"
    config = TrainConfig.from_dict(json.loads((run / "config.json").read_text()))
    game = find_game(config.game)
    outcome = game.outcome
    measured = read_rules(game, under) if under else [usual_rules(game, config.rules)]
    par = " or ".join(f"{100 / sides:.1f}" for sides in sorted({len(set(its.teams)) for its in measured}, reverse=True))
    counted = f"the share {DONE[outcome]} (par {par} %)"
    episodes: list[tuple[Episode, int]] = [("deal", deals), ("match", matches)] if matches else [("deal", deals)]
    last = json.loads((run / "log.jsonl").read_text().splitlines()[-1])
    lines = [
        f"# {name}, an agent for {config.game}",
        "",
        f"- made by `{command(config)}`",
        f"- seed {config.seed}, {last['decisions']:,} decisions, {clock(last['seconds'])} in all",
        f"- measured and put here with {', '.join(f'{what} {which}' for what, which in versions().items())}; "
        "it may have been trained with others",
        "",
        f"## Results on test deals with seed {SEED}, which no run's closing figure used",
        "",
        f"Mean and 95 % interval; points a deal or match more than the mean of the others, and {counted}.",
        "",
        f"| rules | against | episode | points | {DONE[outcome]} | cut off | played |",
        "|---|---|---|---|---|---|---|",
    ]
    others = dict.fromkeys((*(name for name in config.opponents if name != "self"), "rule", "random"))
    for rules, other, (episode, count) in itertools.product(measured, others, episodes):
        result = karty.evaluate(game, [agent, other], deals=count, episode=episode, seed=SEED, rules=rules)
        points, share = result.points, result.outcome
        # A partner is the agent too.
        against = Counter(name for name in result.opponents if name != result.agent)
        lines.append(
            f"| {told_rules(game, rules) or 'the defaults'} "
            f"| {', '.join(f'{seats} × {who}' for who, seats in against.items())} "
            f"| {episode} | {points.mean:+.2f} ± {points.half:.2f} "
            f"| {100 * share.mean:.1f} ± {100 * share.half:.1f} % | {100 * result.truncated:.2f} % "
            f"| {count:,} in all rotations |"
        )
    found = probe(game, agent, deals=max(deals // 5, 2), matches=matches // 3, rules=measured[0], seed=SEED)
    options = f"--deals {found.deals} --matches {found.matches}"
    if words := told_rules(game, measured[0]):
        options += f" --rules {words}"
    options += f" --seed {SEED}"
    lines += ["", "## Habits", "", f"`karty probe {game.name} --agent {packed(name)} {options}`:", ""]
    lines += ["| probe | case | metric | mean |", "|---|---|---|---|"]
    for row in found.to_dicts():
        share = row["metric"] not in ("points", "contract", "trick")
        mean, half = row["mean"], (row["high"] - row["low"]) / 2
        value = f"{100 * mean:.1f} ± {100 * half:.1f} %" if share else f"{mean:.2f} ± {half:.2f}"
        count = f"{row['count']:,} {row['counted']}"
        lines.append(f"| {row['probe']} | {row['case']} | {row['metric']} | {value} ({count}) |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="folder of the training run")
    parser.add_argument("name", help="name of the agent in the package")
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--matches", type=int, default=3000)
    parser.add_argument("--rules", nargs="+", default=[], metavar="KEY=VALUE")
    told = parser.parse_args()
    torch.set_num_threads(1)
    tensors, about = checkpoint.read_agent(told.run / "agent.safetensors")
    text = card(told.run, told.name, told.deals, told.matches, told.rules)
    folder = WEIGHTS / about.game
    folder.mkdir(parents=True, exist_ok=True)
    about = dataclasses.replace(about, name=packed(told.name))
    checkpoint.write_agent(folder / f"{told.name}.safetensors", tensors, about)
    (folder / f"{told.name}.md").write_text(text)
    print(folder / f"{told.name}.md")


if __name__ == "__main__":
    main()
