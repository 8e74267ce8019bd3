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
                most = 3 if lot.random() < 0.2 else spec.default // 10
                options[spec.name] = spec.metadata["minimum"] + lot.randrange(most)
            else:
                options[spec.name] = lot.choice(values)
        try:
            return game.rules(**options)
        except ValueError:  # a table that is not played yet, or values that do not go together
            continue


def endless_rules(game, lot, layouts):
    """Random rules without end, but of so many layouts of observations at most: each compiles loops of its own."""
    known = set()
    while True:
        rules = some_rules(game, lot)
        digest = game.shape(rules).observation.digest
        if digest in known or len(known) < layouts:
            known.add(digest)
            yield rules


def alike(game, count, seed=0, like=None):
    """So many random rules of tables with the observations and actions of these rules, by default the game's own."""
    lot, shape, found = random.Random(seed), game.shape(like), []
    while len(found) < count:
        rules = some_rules(game, lot)
        if game.shape(rules).digest == shape.digest:
            found.append(rules)
    return found


def short(game):
    """Options under which an episode of random play ends soon."""
    return {name: 40 for name in game.rules().to_dict() if name == "max_turns"}


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
