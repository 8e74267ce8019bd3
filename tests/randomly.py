"""Random rules and random play for property tests of every game."""

import random
from dataclasses import fields

import numpy as np

NAMES = ("observation", "mask", "seat", "reward", "points", "terminated", "truncated", "final_observation")


def some_rules(game, lot):
    """Rules that the game can play: each value of an option as likely, limits so low that some episodes reach them."""
    while True:
        options = {}
        for spec in fields(game.rules):
            values = spec.metadata["values"]
            if values is None:
                most = 3 if lot.random() < 0.2 else max(spec.default // 10, 3)
                none = spec.metadata["none"] and lot.random() < 0.2
                options[spec.name] = None if none else spec.metadata["minimum"] + lot.randrange(most)
            else:
                options[spec.name] = lot.choice(values)
        try:
            return game.rules(**options)
        except ValueError:  # a table that is not played yet, or values that do not go together
            continue


def few_layouts(game, count):
    """So many layouts of observations at most, each by rules that have it: the default, ``short``, then the smallest.

    Each compiles loops of its own, so tests share these instead of taking what comes.
    """
    first = {game.shape(rules).observation.digest: rules for rules in (game.rules(**short(game)), game.rules())}
    lot, found = random.Random(0), dict(reversed(first.items()))
    for _ in range(1000):
        rules = some_rules(game, lot)
        found.setdefault(game.shape(rules).observation.digest, rules)
    others = sorted(list(found.values())[len(first) :], key=lambda rules: game.shape(rules).observation.size)
    return [*list(found.values())[: len(first)], *others][:count]


def endless_rules(game, lot, layouts):
    """Random rules without end, of so many layouts of observations at most."""
    known = {game.shape(rules).observation.digest for rules in few_layouts(game, layouts)}
    while True:
        rules = some_rules(game, lot)
        if game.shape(rules).observation.digest in known:
            yield rules


def alike(game, count, seed=0, like=None):
    """So many random rules of tables with the observations and actions of these rules, by default the game's own."""
    lot, shape, found = random.Random(seed), game.shape(like), []
    while len(found) < count:
        rules = some_rules(game, lot)
        if game.shape(rules).digest == shape.digest:
            found.append(rules)
    return found


# Pan played at random never ends; among rule-based players the cap cuts off one deal in four. Piotruś with the short
# pack ends by itself after 5 to 27 draws.
SHORT = {"pan": {"letters": 1, "max_turns": 250}, "piotrus": {"deck": "short", "shuffle": "never", "max_turns": 22}}


def short(game):
    """Options under which most episodes end soon and by the deal, not by a cap, if ``lively`` players play."""
    return SHORT.get(game.name, {})


def lively(batch, chance):
    """Actions under which deals of every game come to an end, int64 [n]: most of them the rule-based player's."""
    return np.where(chance.random(batch.n) < 0.1, some_actions(batch.mask, chance), batch.choose("rule"))


def settled(arrays):
    """Where an episode has ended by the rules and somebody has won or lost it, bool [n]."""
    return arrays["terminated"] & arrays["reward"].any(1)


def over(arrays):
    """Where an episode has ended, bool [n]."""
    return arrays["terminated"] | arrays["truncated"]


def some_actions(masks, chance):
    """One legal action a row, int64 [n]: each as likely. ``masks`` int8 [n, A]."""
    return (masks * chance.random(masks.shape)).argmax(1)


class Lowest:
    """A player in Python: always the legal action with the lowest id."""

    name = "lowest"

    def act(self, observation, mask, rng):
        return mask.argmax(1)


class Highest:
    """A player in Python: always the legal action with the highest id."""

    name = "highest"

    def act(self, observation, mask, rng):
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(1)


class Dice:
    """A player in Python that draws on the generator it is given."""

    name = "dice"

    def act(self, observation, mask, rng):
        return some_actions(mask, rng)


def copies(arrays):
    """The arrays as they are now."""
    return {name: np.array(array) for name, array in arrays.items()}


def same(left, right, names=NAMES):
    """The names of the arrays that differ; of final observations only rows where an episode has ended count."""
    ended = over(left)
    return [
        name
        for name in names
        if not np.array_equal(
            *((its[name][ended] if name == "final_observation" else its[name]) for its in (left, right))
        )
    ]
