# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Bring your own agent or library
#
# Three ways to bring a player of your own to the table: five lines of Python, a training loop in plain PyTorch on the
# batch engine, and MaskablePPO of sb3-contrib on the Gymnasium environment. At the end they all meet in an arena.

# %%
import importlib.util
import os

import gymnasium
import matplotlib.pyplot as plt
import numpy as np
import torch
from torch import nn

import karty

SMALL = os.environ.get("KARTY_NOTEBOOK") == "small"  # the size at which the project's checks run this notebook
UPDATES = 10 if SMALL else 200
STEPS = 1024 if SMALL else 30_000  # of MaskablePPO
DEALS = 50 if SMALL else 1000

BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#777777"
plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
print("size:", "small, to try the code: the figures mean little" if SMALL else "full")

# %% [markdown]
# ## An agent in five lines
#
# An agent is anything with a method `act`. It gets many rows at once: observations, masks with a 1 for every legal
# action, and a generator that is its only source of chance. It returns one legal action a row.


# %%
class Lowest:
    """Takes the first legal action of the list: of each suit the lowest card, and it never folds."""

    def act(self, observation, mask, rng):
        return mask.argmax(axis=1)


found = karty.evaluate("petukh", [Lowest(), "random"], deals=DEALS)
print(
    f"{found.points.mean:+.2f} ± {found.points.half:.2f} points a kon more than three random players ({found.deals:,})"
)

# %% [markdown]
# The game is Petukh (Rooster) from here on: short deals, called kons, of up to five tricks, in which a player may
# also fold. A name is enough to take part in an arena, and so is an object like this one.

# %% [markdown]
# ## A loop in plain PyTorch
#
# REINFORCE with a baseline, one network in all seats. Two things matter that have nothing to do with the network:
#
# - **The mask.** Illegal actions get the logit −∞ both when an action is drawn and when it is learned from. If only
#   the draw is masked, the gradient pushes probability around among actions that cannot be chosen.
# - **Own turns.** Rewards come when a kon ends, a different one for every seat. A decision is paid with the reward of
#   the seat that made it, and not of the seat that happens to move last.

# %%
torch.manual_seed(0)
torch.set_num_threads(1)
TABLES, HORIZON = (32, 32) if SMALL else (128, 64)
batch = karty.make_batch("petukh", TABLES, episode="deal", skip_forced=True, seed=1)
layout, actions = batch.shape.observation, batch.shape.size
scale = torch.from_numpy(layout.bound)
policy = nn.Sequential(nn.Linear(layout.size, 128), nn.ReLU(), nn.Linear(128, actions))
baseline = nn.Sequential(nn.Linear(layout.size, 128), nn.ReLU(), nn.Linear(128, 1))
optimiser = torch.optim.Adam([*policy.parameters(), *baseline.parameters()], lr=1e-3)


def distribution(observation, mask):
    """What the policy does: a distribution over the legal actions of each row."""
    logits = policy(observation.float() / scale)
    return torch.distributions.Categorical(logits=logits.masked_fill(mask == 0, -torch.inf))


# %%
def play(arrays):
    """Play some steps at every table: rows [T, n] of what was seen and done, rewards [T, n, P] and ends [T, n]."""
    rows = {name: [] for name in ("observation", "mask", "seat", "action", "reward", "ended")}
    for _ in range(HORIZON):
        observation, mask = torch.from_numpy(arrays["observation"].copy()), torch.from_numpy(arrays["mask"].copy())
        with torch.no_grad():
            action = distribution(observation, mask).sample()
        seat = arrays["seat"].astype(np.int64)
        arrays = batch.step(action.numpy())  # it writes into the same arrays: everything above is a copy
        ended = arrays["terminated"] | arrays["truncated"]
        seen = (observation, mask, seat, action, arrays["reward"].copy(), ended)
        for name, value in zip(rows, seen, strict=True):
            rows[name].append(torch.as_tensor(value))
    return arrays, {name: torch.stack(values) for name, values in rows.items()}


def own_returns(rows):
    """What each decision brought the seat that made it [T, n], and whether the end was seen in these rows."""
    outcome, known = torch.zeros_like(rows["reward"][0]), torch.zeros(TABLES, dtype=torch.bool)
    returns, seen = [], []
    for t in reversed(range(HORIZON)):
        ended = rows["ended"][t]
        outcome, known = torch.where(ended[:, None], rows["reward"][t], outcome), known | ended
        returns.append(outcome.gather(1, rows["seat"][t][:, None])[:, 0])
        seen.append(known)
    return torch.stack(returns[::-1]), torch.stack(seen[::-1])


# %%
class Learned:
    """The policy as an agent."""

    name = "REINFORCE"

    def act(self, observation, mask, rng):
        with torch.no_grad():
            found = distribution(torch.from_numpy(observation), torch.from_numpy(mask))
        return found.logits.argmax(dim=1).numpy()


arrays, curve, decisions = batch.reset(), [], 0
for update in range(UPDATES + 1):
    if update % max(1, UPDATES // 8) == 0:
        score = karty.evaluate("petukh", [Learned(), "rule"], deals=DEALS, split="dev").points
        curve.append((decisions, score.mean, score.half))
    arrays, rows = play(arrays)
    returns, seen = own_returns(rows)
    observation, mask, action, paid = (x[seen] for x in (rows["observation"], rows["mask"], rows["action"], returns))
    chosen = distribution(observation, mask)
    value = baseline(observation.float() / scale)[:, 0]
    gain = paid - value.detach()
    entropy = chosen.entropy().mean()
    loss = -(chosen.log_prob(action) * gain).mean() + 0.5 * (value - paid).square().mean() - 0.01 * entropy
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
    optimiser.step()
    decisions += len(paid)
print(f"{decisions:,} decisions of all seats, entropy of the last update {entropy.item():.2f} nats")

# %%
at, mean, half = np.array(curve).T
figure, axes = plt.subplots(figsize=(7.5, 3), layout="constrained")
axes.errorbar(at / 1e3, mean, yerr=half, fmt="o-", color=BLUE, capsize=3, markersize=4)
axes.axhline(0, color=GREY, linestyle="--", linewidth=0.8)
axes.set_xlabel("decisions, thousands")
axes.set_ylabel("points a kon more than\nthree rule-based players")
axes.set_title(f"{DEALS:,} development deals in all rotations, 95 % intervals", fontsize=10, loc="left")
plt.show()

# %% [markdown]
# A short loop learns to play, and does not beat the rule-based player. `karty train petukh` starts by imitation and
# judges actions by playing ahead.

# %% [markdown]
# ## MaskablePPO of sb3-contrib
#
# The Gymnasium environment goes from one decision of the learner to its next one; the opponents play inside `step`,
# so that the reward includes what they did. It has the method `action_masks` that MaskablePPO looks for.

# %%
HAS_SB3 = importlib.util.find_spec("sb3_contrib") is not None
if HAS_SB3:
    from sb3_contrib import MaskablePPO

    env = gymnasium.make("karty/Petukh-v0", opponents="rule", seat="rotate", episode="deal", skip_forced=True)
    model = MaskablePPO("MlpPolicy", env, n_steps=512, batch_size=256, ent_coef=0.01, gamma=1.0, seed=0, device="cpu")
    model.learn(STEPS)
    print(f"{model.num_timesteps:,} decisions of the learner")
else:
    print("sb3-contrib is not installed: pip install sb3-contrib; the rest of the notebook goes on without it")

# %% [markdown]
# Its agent in the arena: the observations of the Gymnasium environment are scaled, so scale them here too, and hand
# over the mask. To forget `action_masks=` in `predict` is the classic mistake.


# %%
class FromSB3:
    """MaskablePPO's model as an agent."""

    name = "MaskablePPO"

    def act(self, observation, mask, rng):
        return model.predict(layout.normalise(observation), action_masks=mask, deterministic=True)[0]


mine = [Lowest(), Learned()] + ([FromSB3()] if HAS_SB3 else [])
for agent in mine:
    score = karty.evaluate("petukh", [agent, "rule"], deals=DEALS).points
    name = getattr(agent, "name", type(agent).__name__)
    print(f"{name:12} {score.mean:+.2f} ± {score.half:.2f} points a kon more than three rule-based players")

# %% [markdown]
# ## All of them in an arena

# %%
arena = karty.arena("petukh", ["random", "rule", *mine], deals=DEALS)
arena.picture()

# %% [markdown]
# Compare the rows of the two learners. Against rule-based players they are close, but MaskablePPO, which met nobody
# else, does not even hold its own against random play: it has found an answer to good opponents and no way to play. A
# row of an arena says more than one score, and opponents that an agent never met say most.

# %% [markdown]
# ## Try it
#
# - Give the loop the wrong seat: pay every decision with `rows["reward"][..., 0]` and see what it learns.
# - Let rule-based players hold the other seats: `make_batch(..., learner="rotate", opponents="rule")`. The seat in
#   the arrays is then always the learner's, and the loop need not be changed.
# - Write a better `Lowest`: fold when the hand holds no trump. `karty games petukh` lists the fields of the
#   observation.
# - Another library needs a class with `act` and nothing else.
