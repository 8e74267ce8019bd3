# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Tables and rules
#
# One deal of Tysiąc, looked at from all sides: dealt, drawn, played, written down and replayed. Then what a seat sees
# of it, which actions it may choose, and what stays hidden.

# %%
import dataclasses
import json
import os

import matplotlib.pyplot as plt
import numpy as np
from IPython.display import SVG, Markdown, display

import karty
from karty.envs import picture
from karty.envs.record import RecordError, record_episode, replay, told
from karty.envs.table import IllegalAction, Table

SMALL = os.environ.get("KARTY_NOTEBOOK") == "small"  # the size at which the project's checks run this notebook
IMAGINED = 200 if SMALL else 2000

plt.rcParams.update({"axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
print("games:", ", ".join(game.title for game in karty.GAMES.values()))

# %% [markdown]
# ## A deal
#
# A `Table` is one table, one decision at a time. The seed decides the cards and who deals. `settle` lets everything
# happen that comes before the next decision, here the deal.

# %%
game = karty.GAMES["tysiac"]
table = Table(game, episode="deal")
table.reset(seed=42)
table.settle()
print(f"{table.seats} seats, dealer: seat {table.dealer}, asked first: seat {table.seat}")

# %% [markdown]
# With all cards open, as an onlooker behind the table would see it. Each seat has seven cards, and three lie in the
# talon.


# %%
def drawn(table, seat=None):
    """The table as a picture, as a seat sees it or (None) with all cards open."""
    return SVG(picture.svg(table.game, table, seat))


drawn(table)

# %% [markdown]
# And as seat 1 sees it: its own cards, and the backs of the others.

# %%
drawn(table, seat=1)

# %% [markdown]
# ## Playing
#
# Actions have names. The card `QH` is the queen of hearts; for people it is written Q♥.

# %%
ACTIONS = table.shape.actions


def named(action):
    """An action with suits as symbols: "play QH" becomes "play Q♥"."""
    word, _, rest = ACTIONS[action].partition(" ")
    return f"{word} {picture.symbol(rest)}".strip() if word in ("play", "meld", "give") else ACTIONS[action]


print("seat", table.seat, "may:", ", ".join(named(action) for action in table.legal()))

# %% [markdown]
# Seat 0 opens and has to bid 100: it is its only legal action. Let the rule-based player decide for all seats until
# cards are played.

# %%
while table.shape.observation.decode(table.observe(table.seat))["phase"] != "play":
    seat, action = table.seat, table.choose("rule")
    print(f"seat {seat}: {named(action)}")
    table.play(action)
    table.settle()

# %% [markdown]
# Seat 1 won the auction, took the talon, gave each of the others a card, and named its contract. Three tricks later:

# %%
for _ in range(9):
    table.play(table.choose("rule"))
drawn(table, seat=1)

# %% [markdown]
# ## A record
#
# `record_episode` plays a whole episode and writes down everything, one JSON object a line. Records are open: they
# hold all cards, so that anybody can check them.

# %%
lines = record_episode(Table(game, episode="deal"), ["rule", "rule", "rule"], seed=42)
for line in (lines[1], lines[2], lines[-2], lines[-1]):
    print(line if len(line) < 120 else f"{line[:117]}…")

# %% [markdown]
# In words, with the tricks of the whole deal:

# %%
moves = [json.loads(line) for line in lines if '"type":"move"' in line]
laid = [(move["seat"], move["action"].split()) for move in moves if move["action"][:4] in ("play", "meld")]
cards = [(seat, picture.symbol(card) + ("*" if word == "meld" else "")) for seat, (word, card) in laid]
rows = ["| trick | led by | cards |", "|---|---|---|"]
for k in range(0, len(cards), 3):
    rows.append(f"| {k // 3 + 1} | seat {cards[k][0]} | {' '.join(card for _, card in cards[k : k + 3])} |")
display(Markdown("\n".join(rows)))
print(told(json.loads(lines[-2]), table), "   (* melded a marriage with it)")

# %% [markdown]
# `replay` plays a record again through the rules and checks every line of it: seats, legal actions, scores.

# %%
print(replay(lines))

# %% [markdown]
# A record that breaks the rules is refused, and the first faulty line is named. Here somebody claims a better score.

# %%
score = json.loads(lines[-2])
forged = [*lines[:-2], json.dumps({**score, "points": [300, *score["points"][1:]]}), lines[-1]]
try:
    replay(forged)
except RecordError as error:
    print("refused,", error)

# %% [markdown]
# ## Options and presets
#
# Tables differ, so every rule on which they do is an option, with the clause of the rule book that it belongs to.
# These are the first of Tysiąc; `karty games tysiac` lists all.


# %%
def listed(game, most):
    """The first options of a game as a table."""
    rows = [f"| {game.title} | values | default | meaning |", "|---|---|---|---|"]
    for option in dataclasses.fields(game.rules)[:most]:
        values = option.metadata["values"]
        allowed = "whole numbers" if values is None else ", ".join(map(str, values))
        rows.append(f"| `{option.name}` | {allowed} | {option.default} | {option.metadata['caption']} |")
    return Markdown("\n".join(rows))


listed(game, 7)

# %%
display(listed(karty.GAMES["pan"], 5), listed(karty.GAMES["piotrus"], 8))

# %% [markdown]
# A preset is a set of options under one name: what changes in Piquet when it is played by the classic rules?

# %%
piquet = karty.GAMES["piquet"]
usual, classic = piquet.rules().to_dict(), piquet.rules.make(preset="classic").to_dict()
for option in usual:
    if usual[option] != classic[option]:
        print(f"{option:15} {usual[option]!s:12} →  {classic[option]}")

# %% [markdown]
# An option changes what is legal. After an opening bid of 100, what may seat 1 bid?

# %%
for bid_step in ("any", "ten"):
    other = Table(game, episode="deal", bid_step=bid_step)
    other.reset(seed=42)
    other.settle()
    other.play(other.legal()[0])
    print(f"bid_step={bid_step}:", ", ".join(named(action) for action in other.legal()))

# %% [markdown]
# Other games, other tables: Piotruś, where one draws blind from a neighbour's fan. Seat 0 looks.

# %%
piotrus = Table("piotrus", preset="old_maid")
piotrus.reset(seed=7)
piotrus.settle()
drawn(piotrus, seat=0)

# %% [markdown]
# ## The observation
#
# What a seat sees is one row of small whole numbers, the same for a batch of thousands of tables and for this one.
# Its layout gives every field a name and a meaning, and `decode` reads a row back. Seats in it are counted clockwise
# from whoever looks: 0 is always the seat itself.

# %%
layout = table.shape.observation
row = table.observe(1)
seen = layout.decode(row)
options = {option.name for option in dataclasses.fields(game.rules)}


def in_words(value):
    """A decoded field, cards with the symbols of their suits."""
    if isinstance(value, str):
        return picture.symbol(value) if len(value) == 2 and value[1] in "SCDH" else value
    if isinstance(value, dict):
        return ", ".join(f"{in_words(key)}: {part}" for key, part in value.items()) or "–"
    return "[" + ", ".join(map(in_words, value)) + "]" if isinstance(value, list) else str(value)


rows = ["| field | what seat 1 sees | meaning |", "|---|---|---|"]
for field in layout:
    if field.name not in options and row[field.slice].any() and (field.kind != "number" or field.size <= 12):
        rows.append(f"| `{field.name}` | {in_words(seen[field.name])} | {field.caption} |")
print(f"{layout.size} columns, {row.dtype}")
display(Markdown("\n".join(rows)))

# %% [markdown]
# ## The mask
#
# Beside the observation comes a mask: 1 for every action that is legal now. Seat 1 leads to the next trick, so it may
# play any card that it holds. An illegal action is an error, and nothing has moved.

# %%
mask = table.mask()
print(f"{mask.size} actions, {mask.sum()} of them legal:", ", ".join(named(action) for action in np.flatnonzero(mask)))
try:
    table.play(int(np.flatnonzero(mask == 0)[0]))
except IllegalAction as error:
    print("refused,", str(error).partition(";")[0])

# %% [markdown]
# ## What is hidden
#
# Seat 1 does not see the others' cards, but knows something about them: the cards that it gave away, and what the
# others showed by not following suit. `determinize` keeps all that a seat knows and deals everything else anew. What
# comes out is a table that seat 1 could not tell from the real one.

# %%
imagined = table.clone()
imagined.determinize(1, seed=1)
print("the same for seat 1:", np.array_equal(table.observe(1), imagined.observe(1)))
drawn(imagined)

# %% [markdown]
# Many such tables show what seat 1 should believe. Where is each of the cards that it cannot see? The intervals are
# 95 % (Wilson's).

# %%
DECK = table.shape.deck.names
hands = layout["hand"].slice
counts = np.zeros(len(DECK), np.int64)
anywhere = np.zeros(len(DECK), np.int64)
for seed in range(IMAGINED):
    guess = table.clone()
    guess.determinize(1, seed=seed)
    left, right = guess.observe(2)[hands], guess.observe(0)[hands]
    counts += left
    anywhere += left + right
unseen = np.flatnonzero(anywhere)
p, z = counts[unseen] / IMAGINED, 1.96
centre = (p + z * z / (2 * IMAGINED)) / (1 + z * z / IMAGINED)
half = z * np.sqrt(p * (1 - p) / IMAGINED + (z / (2 * IMAGINED)) ** 2) / (1 + z * z / IMAGINED)

figure, axes = plt.subplots(figsize=(9, 3), layout="constrained")
place = np.arange(len(unseen))
axes.bar(place, p, color="#56b4e9")
axes.errorbar(
    place,
    p,
    yerr=[np.maximum(p - centre + half, 0), np.maximum(centre + half - p, 0)],
    fmt="none",
    color="#222222",
    capsize=2,
)
axes.set_xticks(place, [picture.symbol(DECK[card]) for card in unseen])
axes.set_ylabel("share held by seat 2")
axes.set_xlabel("cards in the hands of seats 0 and 2")
axes.set_title(f"{IMAGINED:,} tables as seat 1 may imagine them", fontsize=10, loc="left")
plt.show()

# %% [markdown]
# A bar at 0 or 1 is knowledge, everything between is chance. Note what `determinize` does not do: it takes all deals
# that fit as equally likely, and draws no conclusions from how the others bid. A player that plans on such tables has
# to add that itself.

# %% [markdown]
# ## Try it
#
# - Deal your own cards: `table.reset(seed=0, deal={"dealer": 2, "hands": [...], "talon": [...]})`, cards by name.
# - Draw the table for two with a stock: `Table(game, episode="deal", table="2p_stock")`.
# - Go on with the deal, trick by trick, and watch how the bars move to 0 and 1.
# - In a terminal, `karty play tysiac` puts you at the table.
