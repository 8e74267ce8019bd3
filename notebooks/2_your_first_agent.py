# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Your first agent in five minutes
#
# Train a network that plays Tysiąc, look at how it learned, measure it against the rule-based player, and watch it
# play a deal.

# %%
import dataclasses
import json
import os
import re
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import torch
from IPython.display import SVG
from rich.console import Console

import karty
from karty.envs import picture
from karty.envs.record import record_episode, told
from karty.envs.table import Table
from karty.training.config import usual_config
from karty.training.ppo import train

SMALL = os.environ.get("KARTY_NOTEBOOK") == "small"  # the size at which the project's checks run this notebook
DECISIONS = 60_000 if SMALL else 2_000_000
TABLES = 64 if SMALL else 512
DEALS = 100 if SMALL else 4000

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#777777"
plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
print("size:", "small, to try the code: the figures mean little" if SMALL else "full")

# %% [markdown]
# ## Train
#
# `usual_config` holds what `karty train tysiac` does by default: the network first imitates the rule-based player,
# then plays all seats against itself, and every likely action is judged by playing the deal ahead. On one core of a
# current machine this run is meant to take less than five minutes; for a longer one raise `DECISIONS`.

# %%
usual = usual_config("tysiac")
config = dataclasses.replace(
    usual,
    decisions=DECISIONS,
    evaluate=DECISIONS // 10,  # decisions between two measurements against `rule`
    deals=DEALS // 4,
    out=Path(tempfile.mkdtemp()) / "first",
    ppo=dataclasses.replace(usual.ppo, tables=TABLES),
    imitation=dataclasses.replace(usual.imitation, imitated=DECISIONS // 4),
)
result = train(config, console=Console(quiet=True))  # without `console` it shows its progress
kept = sorted(path.name for path in result.run.iterdir() if not path.name.startswith("events"))
print(f"{result.decisions:,} decisions; in the run's folder: {', '.join(kept)} and TensorBoard's events")

# %% [markdown]
# ## How it learned
#
# The run's `log.jsonl` has a line for each update. While it goes on, the run measures itself on development deals,
# which are neither those it learns from nor those of the final measurement.

# %%
log = [json.loads(line) for line in (result.run / "log.jsonl").read_text(encoding="utf-8").splitlines()]
measured = [line for line in log if "score" in line]
imitated = max((line["decisions"] for line in log if line["stage"] == "imitating"), default=0) / 1e6

figure, (left, middle, right) = plt.subplots(1, 3, figsize=(11, 3.2), layout="constrained")
at = [line["decisions"] / 1e6 for line in measured]
mean = np.array([line["score"]["mean"] for line in measured])
low, high = (np.array([line["score"][end] for line in measured]) for end in ("low", "high"))
left.errorbar(at, mean, yerr=[mean - low, high - mean], fmt="o-", color=BLUE, capsize=3, markersize=4)
left.axhline(0, color=GREY, linestyle="--", linewidth=0.8)
left.set_ylabel("points a deal more than\ntwo rule-based players")
left.set_title(f"{config.deals:,} deals each, 95 % intervals", fontsize=9, loc="left")

at = [line["decisions"] / 1e6 for line in log]
middle.plot(at, [100 * line["contracts"].get("voluntary", np.nan) for line in log], color=GREEN)
middle.set_ylabel("deals with a contract\nbid for freely, %")
middle.set_ylim(0, 100)

learned = [line for line in log if "phases" in line]
for phase, colour in (("auction", ORANGE), ("give", GREEN), ("play", BLUE)):
    known = [line for line in learned if phase in line["phases"]]
    entropy = [line["phases"][phase]["entropy"] for line in known]
    right.plot([line["decisions"] / 1e6 for line in known], entropy, color=colour, label=phase)
right.set_ylabel("entropy of a decision, nats")
right.set_ylim(bottom=0)
right.legend()
for axes in (left, middle, right):
    axes.axvspan(0, imitated, color=BLUE, alpha=0.08)
    axes.set_xlabel("decisions, millions (shaded: imitation)")
plt.show()

# %% [markdown]
# The score tells whether it got better, the other two whether it still tries things. If the share of freely bid
# contracts falls to nothing, the auction has died out; the notebook on self-play shows how that looks.

# %% [markdown]
# ## How good is it?
#
# One seat against two rule-based players, on test deals, each played in all three rotations of the seats, so that
# luck of the cards largely cancels.

# %%
agent = karty.load_agent("tysiac", result.agent)
found = karty.evaluate("tysiac", [agent, "rule"], deals=DEALS)
won = found.outcome
print(f"{found.points.mean:+.2f} ± {found.points.half:.2f} points a deal more than the others, {found.deals:,} deals")
print(f"gained most in {100 * won.mean:.1f} ± {100 * won.half:.1f} % of deals, par {100 * found.par:.1f}")

# %% [markdown]
# Others in its place, against the same two rule-based players and on the same deals:

# %%
others = {"first": found}
for name in ("rule-bold", "rule-timid", "rule", "ppo"):
    others[name] = karty.evaluate("tysiac", [name, "rule"], deals=DEALS)
figure, axes = plt.subplots(figsize=(7.5, 2.6), layout="constrained")
for place, (name, its) in enumerate(others.items()):
    colour = ORANGE if name == "first" else BLUE
    axes.errorbar(its.points.mean, place, xerr=its.points.half, fmt="o", color=colour, capsize=4)
axes.set_yticks(range(len(others)), ["your first agent", *list(others)[1:]])
axes.axvline(0, color=GREY, linestyle="--", linewidth=0.8)
axes.set_xlabel("points a deal more than two rule-based players")
axes.set_title(f"{DEALS:,} deals in all rotations, 95 % intervals", fontsize=10, loc="left")
plt.show()

# %% [markdown]
# `ppo` comes with the package and was trained for longer; `rule` in its own company gets exactly 0.

# %% [markdown]
# ## Watch it
#
# Your agent in seat 0, rule-based players in the others. The first deal from seed 1 on for whose contract your agent
# bids:

# %%
table = Table("tysiac", episode="deal")
for seed in range(1, 200):
    lines = [json.loads(line) for line in record_episode(table, [agent, "rule", "rule"], seed)]
    bids = [line for line in lines if line["type"] == "move" and line["action"].startswith("bid ")]
    if bids[-1]["seat"] == 0 and len(bids) > 1:
        break


def in_signs(text):
    """The text of a record line with suits as symbols."""
    return re.sub(r"\b[9TJQKA][SCDH]\b", lambda card: picture.symbol(card[0]), text)


laid = 0
print(f"seed {seed}")
table.reset(seed=seed)
table.settle()
for line in lines[2:]:
    words = in_signs(told(line, table)).partition("   ")[0]
    laid += " play " in words or " meld " in words
    print(words, end=", " if laid % 3 else "\n")
    if line["type"] == "move":
        table.play(table.game.action_id(table.rules, line["action"]))
        table.settle()

# %% [markdown]
# ## What does it think?
#
# The network gives each legal action a probability. Here is what it would do with the hand that you see.

# %%
table.reset(seed=seed)
table.settle()
asked = [line for line in lines if line["type"] == "move"]
for line in asked:
    if line["seat"] == 0 and len(line["legal"]) > 1:
        break
    table.play(table.game.action_id(table.rules, line["action"]))
    table.settle()
SVG(picture.svg(table.game, table, 0, ["first", "rule", "rule"]))

# %%
observation, mask = torch.from_numpy(table.observe(0)[None]), torch.from_numpy(table.mask()[None])
with torch.no_grad():
    logits, _ = agent.network(observation, mask)
legal = table.legal()
probability = torch.softmax(logits[0, legal], dim=0).numpy()
likely = np.argsort(-probability)[:8]
figure, axes = plt.subplots(figsize=(7.5, 2.4), layout="constrained")
axes.bar([in_signs(table.shape.actions[legal[k]]) for k in likely], probability[likely], color=BLUE)
axes.set_ylabel("probability")
axes.set_ylim(0, 1)
axes.set_title("Seat 0 is asked: the likeliest of its legal actions", fontsize=10, loc="left")
plt.show()

# %% [markdown]
# ## Try it
#
# - Give it longer: with `DECISIONS = 8_000_000` it should come near `ppo`.
# - Change one switch of `config.ppo` or `config.network`, run again with two seeds each, and compare the intervals.
# - Train for another game: `usual_config("petukh")`. In Pan and Piotruś the measure is the share of deals lost.
# - The same from a terminal: `karty train tysiac --decisions 2000000`, then `karty evaluate` and `karty play` with
#   the run's folder.
