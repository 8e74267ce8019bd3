# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Self-play and its traps
#
# A network that plays all seats of Tysiąc against itself, and starts from nothing, stops bidding. This notebook shows
# how that happens, why a score in single deals hides it, and which measurements reveal it.
#
# In Tysiąc the player who bids most gets the three cards of the talon and must then take as many points as he has
# bid. If nobody bids, the seat that opens the auction plays for the smallest contract, 100. A contract that was bid
# for beyond that is called *voluntary* below.

# %%
import dataclasses
import json
import os
import tempfile
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from rich.console import Console

import karty
from karty.training.config import usual_config
from karty.training.ppo import train
from karty.training.probe import probe

SMALL = os.environ.get("KARTY_NOTEBOOK") == "small"  # the size at which the project's checks run this notebook
DECISIONS = 60_000 if SMALL else 1_000_000
TABLES = 64 if SMALL else 512
DEALS, MATCHES = (100, 10) if SMALL else (2000, 200)

BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#777777"
plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
print("size:", "small, to try the code: the figures mean little" if SMALL else "full")

# %% [markdown]
# ## Two runs that differ in how they begin
#
# Both runs are ordinary PPO with generalised advantage estimation. One network starts from random weights, the other
# imitates the rule-based player for the first quarter of its decisions. Everything else is the same.


# %%
def run_from(init, folder):
    """Train, and return the agent's file with the lines of the log."""
    usual = usual_config("tysiac")
    config = dataclasses.replace(
        usual,
        decisions=DECISIONS,
        evaluate=0,
        out=Path(folder) / init.replace(":", "-"),
        ppo=dataclasses.replace(usual.ppo, advantage="gae", gae_lambda=0.95, tables=TABLES),
        imitation=dataclasses.replace(usual.imitation, init=init, imitated=DECISIONS // 4),
    )
    result = train(config, console=Console(quiet=True))
    log = (result.run / "log.jsonl").read_text(encoding="utf-8").splitlines()
    return result.agent, [json.loads(line) for line in log]


folder = tempfile.mkdtemp()
scratch, scratch_log = run_from("none", folder)
imitated, imitated_log = run_from("imitate:rule", folder)
print(f"{scratch_log[-1]['decisions']:,} and {imitated_log[-1]['decisions']:,} decisions, seed 0")

# %% [markdown]
# ## The auction dies
#
# The log of a run tells in how many deals a contract was bid for freely, and how undecided the network was in each
# phase (its entropy, in nats). Each point is one update; the tables counted are those where the network holds all
# seats.

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
for log, colour, label in ((scratch_log, ORANGE, "from scratch"), (imitated_log, BLUE, "imitation first")):
    at = [line["decisions"] / 1e6 for line in log]
    left.plot(at, [100 * line["contracts"].get("voluntary", np.nan) for line in log], ".-", color=colour, label=label)
    learned = [line for line in log if "auction" in line.get("phases", {})]
    at = [line["decisions"] / 1e6 for line in learned]
    right.semilogy(at, [line["phases"]["auction"]["entropy"] for line in learned], ".-", color=colour, label=label)
for axes in (left, right):
    axes.axvspan(0, DECISIONS / 4e6, color=BLUE, alpha=0.08)
    axes.set_xlabel("decisions, millions")
    axes.grid(alpha=0.3)
left.set_ylabel("deals with a voluntary contract, %")
left.set_ylim(0, 100)
right.set_ylabel("entropy of the auction, nats")
right.legend()
left.set_title("Shaded: the second network still imitates", fontsize=10, loc="left")
plt.show()

# %% [markdown]
# Why? At first no network can play cards, so nearly every contract fails, and whoever bids loses by it. Passing is
# the right answer to bad play of the cards. By the time the play has become better, the probability of a bid is so
# small that none is ever tried, and the network cannot find out that bids could be made good by now. Exploration in
# the size of an entropy bonus does not bring it back.
#
# Imitation avoids this: bids are in use, and are made good often enough, from the start.

# %% [markdown]
# ## What a single score says
#
# Each agent holds one seat against two rule-based players, in all rotations of the same deals.

# %%
agents = {"from scratch": scratch, "imitation first": imitated}
for name, agent in agents.items():
    found = karty.evaluate("tysiac", [agent, "rule"], deals=DEALS)
    print(f"{name:16} {found.points.mean:+7.2f} ± {found.points.half:.2f} points a deal, {found.deals:,} deals")

# %% [markdown]
# A score is one number for the auction and the play of the cards together. It does not tell which of the two is bad,
# and an agent may look passable without ever bidding. So look at each phase by itself.

# %% [markdown]
# ## The swap probe
#
# `probe` lets the rule-based player decide for the agent in one phase, and leaves the rest to the agent. What the
# agent would gain by that is what its own habits in that phase cost. A bar above zero is a weakness.

# %%
probes = {name: probe("tysiac", agent, deals=DEALS, matches=MATCHES) for name, agent in agents.items()}
for name, probed in probes.items():
    bid = probed.find("contracts", "", "voluntary")
    mean, low, high = (100 * getattr(bid.estimate, part) for part in ("mean", "low", "high"))
    print(f"{name:16} bids for a contract in {mean:.1f} % of {bid.count:,} hands ({low:.1f} … {high:.1f})")

# %%
PHASES = ("auction", "give", "contract", "play")


def draw_swaps(axes, counted, unit, factor):
    """Bars for what each agent would gain by the swap in each phase, in deals or in matches."""
    for shift, colour, (name, probed) in zip((-0.2, 0.2), (ORANGE, BLUE), probes.items(), strict=True):
        rows = [line for line in probed.findings if (line.probe, line.counted) == ("swap", counted)]
        place = [PHASES.index(row.case) + shift for row in rows]
        mean, half = ([factor * getattr(row.estimate, part) for row in rows] for part in ("mean", "half"))
        axes.bar(place, mean, 0.38, yerr=half, color=colour, label=name, error_kw={"ecolor": GREY, "capsize": 3})
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(range(len(PHASES)), PHASES)
    axes.set_ylabel(f"gained by the swap, {unit}")
    axes.set_title(f"{rows[0].count:,} {counted} in all rotations, 95 % intervals", fontsize=10, loc="left")


figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 3.4), layout="constrained")
draw_swaps(left, "deals", "points a deal", 1)
draw_swaps(right, "matches", "% of matches", 100)
left.legend()
plt.show()

# %% [markdown]
# Compare the two bars of the auction for the network from scratch. In deals a livelier auction gains it nothing,
# since it plays the cards too badly for contracts. In matches the same swap wins more of them: a network that never
# bids declares only where it must.

# %% [markdown]
# ## Deals and matches are different games
#
# How much is bidding worth? Take training out of the question: this player is the rule-based one, but it passes
# whenever it may.

# %%
RULE = karty.load_agent("tysiac", "rule")
GAME = karty.GAMES["tysiac"]
PASS = GAME.action_id(GAME.rules(), "pass")


class NeverBids:
    """Plays like `rule`, but passes whenever that is legal."""

    name = "never bids"

    def act(self, observation, mask, rng):
        return np.where(mask[:, PASS] == 1, PASS, RULE.act(observation, mask, rng))


in_deals = karty.evaluate("tysiac", [NeverBids(), "rule"], deals=2 * DEALS)
in_matches = karty.evaluate("tysiac", [NeverBids(), "rule"], episode="match", deals=2 * MATCHES)
print(f"{in_deals.points.mean:+.2f} ± {in_deals.points.half:.2f} points a deal ({in_deals.deals:,} deals)")
won = in_matches.outcome
mean, half, par = 100 * won.mean, 100 * won.half, 100 * in_matches.par
print(f"{mean:.1f} ± {half:.1f} % of matches won, par {par:.1f} ({in_matches.deals:,})")

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9.5, 1.9), layout="constrained")
points = in_deals.points
left.errorbar(points.mean, 0, xerr=points.half, fmt="o", color=ORANGE, capsize=4)
left.axvline(0, color=GREY, linestyle="--")
left.set_xlabel("points a deal more than two rule-based players")
right.errorbar(100 * won.mean, 0, xerr=100 * won.half, fmt="o", color=ORANGE, capsize=4)
right.axvline(100 * in_matches.par, color=GREY, linestyle="--")
right.set_xlabel("% of matches won")
right.set_xlim(0, 50)
for axes in (left, right):
    axes.set_yticks([0], ["never bids"])
    axes.set_ylim(-0.6, 0.6)
figure.suptitle("Dashed: an equal player. 95 % intervals, all rotations", fontsize=10)
plt.show()

# %% [markdown]
# In deals, never bidding looks like a small fault: a deal is worth about 100 points to its declarer, and the others'
# failures are worth something to whoever stays out. In matches it is a large one, because a match is a race to 1000,
# and above 800 only a declarer still scores.
#
# So report both. An agent that is meant for matches can be trained for them too (`karty train tysiac --match 0.5`),
# and `docs/training.md` tells what that was worth in longer runs.

# %% [markdown]
# ## Try it
#
# - Raise the entropy bonus of the auction in the run from scratch: `entropy_phases=("auction=3",)` in its `ppo`. Does
#   the auction live longer? Does it live?
# - Begin from the scratch network's own mistake: let `NeverBids` bid only when it opens. How much of the loss comes
#   back?
# - Let decisions be judged by playing ahead, `advantage="ahead"`, and start from nothing again.
