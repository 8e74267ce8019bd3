"""The rule-based player of Tysiąc gains at every table, by the default rules and by others."""

import random

import numpy as np
import pytest
from randomly import some_rules

import karty
from karty.envs.engine import play_episodes
from karty.envs.games.tysiac import PASS, TABLES

GAME = karty.GAMES["tysiac"]
RULES = GAME.rules()


class Extreme:
    """Plays the highest or the lowest legal card, opens if it must, and else passes."""

    def __init__(self, name, sign):
        self.name = name
        self.rank = np.full(GAME.shape(RULES).size, 1)
        for action, text in enumerate(GAME.action_names(RULES)):
            word, _, what = text.partition(" ")
            if word in ("play", "give", "meld"):
                self.rank[action] = 100 + sign * "9JQKTA".index(what[0])
            if word in ("bid", "contract"):
                self.rank[action] = 50 - int(what) // 10
        self.rank[PASS] = 60

    def act(self, observation, mask, rng):
        return np.where(mask > 0, self.rank, -1).argmax(1)


OPPONENTS = {"random": "random", "highest": Extreme("highest", 1), "lowest": Extreme("lowest", -1)}
# Points a deal that the lower end of the interval must leave behind.
LEAST = {
    "3p": (100, 30, 30),
    "2p_pairs": (100, 30, 30),
    "2p_triples": (100, 30, 30),
    "2p_twelve": (100, 30, 30),
    "2p_stock": (60, 20, 20),
    "2p_stock_auction": (100, 30, 30),
    "4p_resting": (60, 20, 20),
    "4p_six": (20, 5, 5),
    "4p_teams": (100, 30, 30),
}


def random_options(table, count):
    """So many random rules of this table."""
    lot, found = random.Random(6), []
    while len(found) < count:
        rules = some_rules(GAME, lot)
        if rules.table == table:
            found.append(rules)
    return found


def gain(table, opponent, deals, rules=None):
    """Points a deal of the rule-based player over others of one kind: the lower end of the 95 % interval.

    The points are those of its side above the mean of the others; it holds each seat in turn, in teams both of a side.
    """
    seats, teams = TABLES[table].seats, TABLES[table].teams
    seeds, total = np.arange(deals) + 2**40, np.zeros(deals)
    sides = range(2 if teams else seats)
    options = {"table": table} if rules is None else {"rules": rules}
    for side in sides:
        players = ["rule" if seat in (side, side + 2 * teams) else opponent for seat in range(seats)]
        total += 100 * play_episodes("tysiac", players, seeds, **options)["reward"][:, side] / len(sides)
    return total.mean() - 1.96 * total.std() / deals**0.5


@pytest.mark.parametrize("table", TABLES)
def test_far_above_random_play_and_the_highest_and_the_lowest_card(table):
    for opponent, least in zip(OPPONENTS.values(), LEAST[table], strict=True):
        assert gain(table, opponent, 400) > least


@pytest.mark.parametrize("table", TABLES)
def test_by_other_rules_too(table):
    rules = random_options(table, 400)
    for opponent in OPPONENTS.values():
        assert gain(table, opponent, 400, rules) > 0
