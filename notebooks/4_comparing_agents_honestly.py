# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Comparing agents honestly
#
# Card games are noisy: a deal is worth a hundred points and more, a better player a few. This notebook measures how
# much rotation and pairing save, what choosing the best of many does to its score, when one may stop, and what an
# arena tells beyond a ranking.

# %%
import os

import matplotlib.pyplot as plt
import numpy as np

import karty
from karty.envs.engine import play_episodes
from karty.training.evaluate import play_rotations
from karty.training.radar import radar
from karty.training.splits import evaluation_seeds
from karty.training.stopping import looks

SMALL = os.environ.get("KARTY_NOTEBOOK") == "small"  # the size at which the project's checks run this notebook
DEALS = 500 if SMALL else 20_000
REPEATS = 100 if SMALL else 2000

BLUE, ORANGE, GREEN, GREY = "#0072b2", "#d55e00", "#009e73", "#777777"
plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
print("size:", "small, to try the code: the figures mean little" if SMALL else "full")

# %% [markdown]
# ## One question, three ways to measure
#
# By how many points a deal is `rule-bold` better or worse than `rule`, if the other two seats are held by `rule`? All
# deals are played once with `rule-bold` in each seat, and once more with `rule` in its place, so that the same games
# can be read in three ways.

# %%
game = karty.GAMES["tysiac"]
rules = game.rules()


def gains(name, seeds):
    """What the agent gained more than the mean of the others, by seat and deal: [3, deals] points."""
    agents = [karty.load_agent(game, name), *[karty.load_agent(game, "rule")] * 2]
    points = play_rotations(game, agents, seeds, rules=rules, episode="deal").points
    return points[:, :, 0] - points[:, :, 1:].mean(axis=2)


bold = gains("rule-bold", evaluation_seeds(DEALS))
rule = gains("rule", evaluation_seeds(DEALS))
elsewhere = gains("rule", evaluation_seeds(DEALS, seed=1))  # other deals

ways = {
    "one seat, different deals": bold[0] - elsewhere[0],
    "one seat, the same deals": bold[0] - rule[0],
    "all seats, the same deals": (bold - rule).mean(axis=0),
}
for way, values in ways.items():
    half = 1.96 * values.std(ddof=1) / DEALS**0.5
    print(f"{way:26} {values.mean():+.2f} ± {half:.2f} points a deal, {DEALS:,} deals")

# %% [markdown]
# All three answer the same question and none is biased; they differ in how sure they are. The third plays three games
# a deal where the others play one, so compare them by games: how many games does an interval of a given width take?

# %%
figure, axes = plt.subplots(figsize=(7.5, 3.4), layout="constrained")
for (way, values), colour, games in zip(ways.items(), (GREY, ORANGE, BLUE), (1, 1, 3), strict=True):
    sizes = np.unique(np.geomspace(100, DEALS, 25).astype(int))
    half = [1.96 * values[:size].std(ddof=1) / size**0.5 for size in sizes]
    axes.loglog(games * sizes, half, color=colour, label=way)
axes.set_xlabel("games of rule-bold (and as many of rule)")
axes.set_ylabel("half-width of the interval, points")
axes.grid(which="both", alpha=0.2)
axes.legend()
plt.show()

# %%
wide, narrow = ways["one seat, different deals"].var(ddof=1), 3 * ways["all seats, the same deals"].var(ddof=1)
print(
    f"for the same width, different deals take {wide / narrow:.1f} times as many games as all seats on the same deals"
)

# %% [markdown]
# Most of it is the pairing: what both agents share of a deal's luck cancels. Rotation costs nothing, game by game,
# and makes three observations of each deal; it also takes out the luck of the seat, to which we come below.
#
# Among `rule` players the rotated value of `rule` itself is exactly 0 in every deal, so `karty.evaluate` need not
# play it: its one number, points more than the others in all rotations, is already the paired comparison.
#
# A small evaluation in each of the ways, repeated: how often would it name the wrong agent? All have the same number
# of deals; the third plays each of them in three rotations.

# %%
size = 100
figure, panels = plt.subplots(1, 3, figsize=(11, 3), sharey=True, layout="constrained")
for axes, (way, values), colour in zip(panels, ways.items(), (GREY, ORANGE, BLUE), strict=True):
    parts = values[: len(values) // size * size].reshape(-1, size)
    mean, half = parts.mean(axis=1), 1.96 * parts.std(axis=1, ddof=1) / size**0.5
    shown = np.arange(min(30, len(mean)))
    axes.errorbar(shown, mean[shown], yerr=half[shown], fmt=".", color=colour, elinewidth=0.8)
    axes.axhline(0, color="black", linewidth=0.8)
    wrong = np.mean(np.sign(mean) != np.sign(bold.mean()))
    axes.set_title(f"{way}:\nwrong sign in {100 * wrong:.0f} % of {len(mean)}", fontsize=10)
    axes.set_xlabel(f"evaluations of {size} deals")
panels[0].set_ylabel("rule-bold less rule, points a deal")
plt.show()

# %% [markdown]
# ## The luck of the seat
#
# Why rotate? Because a place at the table is worth something. Three equal players, by where they sit from the
# dealer's left; the first of them opens the auction.

# %%
seeds = evaluation_seeds(DEALS)
batch = karty.make_batch("tysiac", DEALS, episode="deal", autoreset="off")
opener = batch.reset(seeds)["seat"].astype(int)
points = play_episodes("tysiac", ["rule"] * 3, seeds)["points"]
relative = points - (points.sum(axis=1, keepdims=True) - points) / 2
by_place = np.take_along_axis(relative, (opener[:, None] + np.arange(3)) % 3, axis=1)
half = 1.96 * by_place.std(axis=0, ddof=1) / DEALS**0.5

figure, axes = plt.subplots(figsize=(6, 2.8), layout="constrained")
axes.bar(range(3), by_place.mean(axis=0), yerr=half, color=BLUE, capsize=4)
axes.axhline(0, color="black", linewidth=0.8)
axes.set_xticks(range(3), ["opens the auction", "second", "dealer"])
axes.set_ylabel("points a deal more\nthan the others")
axes.set_title(f"rule in every seat, {DEALS:,} deals, 95 % intervals", fontsize=10, loc="left")
plt.show()

# %% [markdown]
# ## The best of many: DEV and TEST
#
# Twenty agents that are exactly equally good: each is `rule`, but in one decision of fifty it plays anything legal,
# each by lots of its own. Measure them on DEV, the list of deals for choosing, pick the best, and measure it again on
# TEST, the list for reporting.


# %%
class Absent:
    """`rule`, but absent-minded in one decision of fifty."""

    def __init__(self, number):
        self.name, self.lots = f"absent {number}", np.random.default_rng(number)
        self.rule, self.random = karty.load_agent(game, "rule"), karty.load_agent(game, "random")

    def act(self, observation, mask, rng):
        lost = self.lots.random(len(mask)) < 0.02
        return np.where(lost, self.random.act(observation, mask, self.lots), self.rule.act(observation, mask, rng))


few = 50 if SMALL else 300
candidates = [Absent(number) for number in range(20)]
dev = [karty.evaluate(game, [agent, "rule"], deals=few, split="dev").points for agent in candidates]
best = int(np.argmax([score.mean for score in dev]))
test = karty.evaluate(game, [candidates[best], "rule"], deals=20 * few, split="test").points
everyone = np.mean([score.mean for score in dev])

figure, axes = plt.subplots(figsize=(8, 3), layout="constrained")
for place, score in enumerate(dev):
    colour = ORANGE if place == best else BLUE
    axes.errorbar(place, score.mean, yerr=score.half, fmt="o", markersize=4, color=colour, capsize=2)
axes.errorbar(21, test.mean, yerr=test.half, fmt="s", color=ORANGE, capsize=3)
axes.axhline(everyone, color=GREY, linestyle="--", linewidth=0.8)
axes.set_xticks([best, 21], [f"the best\non DEV ({few} deals)", f"the same agent\non TEST ({20 * few:,})"])
axes.set_ylabel("points a deal more\nthan two rule")
axes.set_title("Twenty equally good agents; dashed: their mean on DEV", fontsize=10, loc="left")
print(f"DEV {dev[best].mean:+.2f} ± {dev[best].half:.2f}, TEST {test.mean:+.2f} ± {test.half:.2f}, all {everyone:+.2f}")

# %% [markdown]
# The best of twenty is above the mean because it was lucky: there is nothing else that it could be. Its interval on
# DEV is honest about one agent, but not about the best of twenty. So choose on DEV and report on TEST, and look at
# TEST once.

# %% [markdown]
# ## When to stop
#
# It is tempting to play on until the result is significant. Take two equal agents, so that the true difference is 0,
# look after every 200 deals, and stop as soon as the interval leaves 0 out. How often does that find a difference
# that is not there? The deals are drawn from those above, with their mean set to 0.

# %%
rng = np.random.default_rng(0)
noise = bold.mean(axis=0) - bold.mean()
most, every = 10_000, 200
stops = np.arange(every, most + 1, every)
alarms, first_look = np.zeros(len(stops)), np.zeros(len(stops))
for _ in range(REPEATS):
    sample = rng.choice(noise, most)
    total, square = np.cumsum(sample)[stops - 1], np.cumsum(sample**2)[stops - 1]
    mean = total / stops
    half = 1.96 * np.sqrt((square / stops - mean**2) / (stops - 1))
    out = np.abs(mean) > half
    alarms += np.logical_or.accumulate(out)
    first_look += out

figure, axes = plt.subplots(figsize=(7.5, 3), layout="constrained")
for found, colour, label in (
    (alarms, ORANGE, "stopped at the first significant look"),
    (first_look, BLUE, "one look, the number of deals fixed beforehand"),
):
    share = found / REPEATS
    half = 1.96 * np.sqrt(share * (1 - share) / REPEATS)
    axes.plot(stops, 100 * share, color=colour, label=label)
    axes.fill_between(stops, 100 * (share - half), 100 * (share + half), color=colour, alpha=0.2)
axes.axhline(5, color=GREY, linestyle="--", linewidth=0.8)
axes.set_xlabel("deals played at most")
axes.set_ylabel("differences found\nthat are not there, %")
axes.set_ylim(0)
axes.legend()
axes.set_title(f"{REPEATS:,} simulated evaluations, 95 % intervals; dashed: 5 %", fontsize=10, loc="left")
plt.show()

# %% [markdown]
# `until` stops by the width of the interval alone, never by the mean, and at looks that are fixed beforehand. So the
# interval keeps its promise.

# %%
goal = 3.0 if SMALL else 0.5
found = karty.evaluate(game, ["rule-bold", "rule"], until=goal, deals=None if not SMALL else 2000)
print("looks after", ", ".join(f"{n:,}" for n in list(looks(100_000))[:8]), "… deals")
print(
    f"wanted ± {goal}: {found.points.mean:+.2f} ± {found.points.half:.2f} after {found.deals:,} deals; {found.reached=}"
)

# %% [markdown]
# ## An arena
#
# Every agent holds one seat against every other one in the rest. White is an equal result, blue is good for the agent
# of the row.

# %%
arena = karty.arena(game, ["random", "rule", "rule-timid", "rule-bold", "ppo"], deals=100 if SMALL else 1000)
arena.picture()

# %%
figure, axes = plt.subplots(figsize=(7.5, 2.4), layout="constrained")
ranked = [row for row in arena.ratings if row.agent != "random"][::-1]
for place, row in enumerate(ranked):
    axes.errorbar(row.mean, place, xerr=[[row.mean - row.low], [row.high - row.mean]], fmt="o", color=BLUE, capsize=4)
axes.set_yticks(range(len(ranked)), [row.agent for row in ranked])
last = arena.ratings[-1]
axes.set_xlabel(f"rating, 400 points are odds of ten to one ({last.agent}, not drawn: {last.mean:.0f})")
axes.set_title(f"{arena.setting.deals:,} deals a pair in all rotations, 95 % intervals", fontsize=10, loc="left")
plt.show()

# %% [markdown]
# ## What a rating leaves out
#
# A rating can only say that A is better than B and B better than C. If C beats A all the same, no rating tells it.
# The cyclic share is the part of the payoffs that no rating explains, 0 where a rating tells all. Compare Tysiąc with
# Piotruś, where `ppo` has learned to win from `biased` and only from it.

# %%
piotrus = karty.arena("piotrus", ["rule", "biased", "ppo"], deals=100 if SMALL else 1000)
for name, its in (("Tysiąc", arena), ("Piotruś", piotrus)):
    share = its.cyclic
    if share.mean is not None:
        low, high = 100 * share.low, 100 * share.high
        print(f"{name:8} cyclic share {100 * share.mean:.1f} % ({low:.1f} … {high:.1f})")

# %%
piotrus.picture()

# %% [markdown]
# The share depends on who is there: one hopeless agent, such as random play in Tysiąc, makes all else look small
# beside it.

# %% [markdown]
# ## One scale for several games
#
# Points of Tysiąc and shares lost in Pan cannot be averaged. A normalised score can: 0 is random play, 1 is `rule`,
# in the same seats on the same deals. For the networks that come with the package, against `rule` in the other seats:

# %%
scores = {}
for name in ("tysiac", "piquet", "petukh", "pan"):
    title = karty.GAMES[name].title
    scores[title] = karty.evaluate(name, ["ppo", "rule"], deals=400 if SMALL else 2000, normalise=True).normalised
    print(f"{title:8} {scores[title].mean:.3f} ({scores[title].low:.3f} … {scores[title].high:.3f})")
radar({"ppo": scores, "rule": {title: type(score)("normalised", 1, 1, 1) for title, score in scores.items()}})

# %% [markdown]
# The scale has limits of its own. Between its two points lies as much as a game makes of the difference between
# random and careful play, and beyond 1 a step of the same length may be easy in one game and hard in another. Read it
# beside the scores themselves.

# %% [markdown]
# ## Try it
#
# - Make the difference smaller: compare `rule-timid` with `rule`. How many games does each way need to be sure of the
#   sign?
# - Let every candidate play 20 times as many deals on DEV. How much of the winner's luck is left?
# - Put an agent of your own into the arena (the next notebook shows how) and watch the cyclic share.
