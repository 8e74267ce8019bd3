"""Kuhn poker behind the part of the engine's interface that training uses.

Kuhn (1950): three cards, one each, an ante of 1; the first seat checks or bets 1, the second answers.
"""

from types import SimpleNamespace

import numpy as np

from karty.envs.cards import Deck
from karty.envs.layout import cards, number, observation

LAYOUT = observation(Deck("JQK", "S"), 2, hand=cards("hand"), bets=number("history, a column a state", 0, 1, (4,)))
STATES = ("", "c", "b", "cb")  # checks and bets so far
PASS, BET = 0, 1


def pay(cards_of, history):
    """What the first seat wins."""
    higher = 1 if cards_of[0] > cards_of[1] else -1
    return {"cc": higher, "bb": 2 * higher, "cbb": 2 * higher, "bc": 1, "cbc": -1}[history]


def row(card, history):
    seen = np.zeros(LAYOUT.size, np.int8)
    seen[card] = 1
    seen[3 + STATES.index(history)] = 1
    return seen


ROWS = np.stack([[row(card, history) for history in STATES] for card in range(3)])
NEXT = np.array([[STATES.index(h + m) if h + m in STATES else -1 for m in "cb"] for h in STATES])
PAY = np.array(
    [[[0 if h + m in STATES else pay(held, h + m) for held in ((0, 1), (1, 0))] for m in "cb"] for h in STATES]
)


class KuhnTables:
    """n tables of Kuhn poker behind the part of the engine's interface that training uses."""

    def __init__(self, n, seed):
        self.n, self.rng = n, np.random.default_rng(seed)
        self.shape = SimpleNamespace(observation=LAYOUT, actions=("pass", "bet"), features=LAYOUT.size, size=2)
        self.seats = 2
        self.parts = (SimpleNamespace(batch=self, rows=slice(0, n)),)
        self.sides = np.tile(np.arange(2, dtype=np.int8), (n, 1))
        self.held, self.history = self.deal(), np.zeros(n, np.int64)
        self.arrays = {
            "observation": np.zeros((n, LAYOUT.size), np.int8),
            "mask": np.ones((n, 2), np.int8),
            "seat": np.zeros(n, np.int8),
            "reward": np.zeros((n, 2), np.float32),
            "terminated": np.zeros(n, bool),
            "truncated": np.zeros(n, bool),
            "final_observation": np.zeros((n, 2, LAYOUT.size), np.int8),
        }
        self.show(self.arrays)

    def deal(self):
        return np.argsort(self.rng.random((self.n, 3)))[:, :2]

    def show(self, out):
        seat = np.isin(self.history, (1, 2)).astype(int)  # after a check or a bet the second seat is asked
        out["seat"][:] = seat
        out["observation"][:] = ROWS[self.held[np.arange(self.n), seat], self.history]
        out["mask"][:] = 1

    def step(self, actions, out):
        lower = (self.held[:, 0] > self.held[:, 1]).astype(int)
        won = PAY[self.history, actions, lower]
        after = NEXT[self.history, actions]
        over = out["terminated"][:] = after < 0
        out["reward"][:] = np.where(over, (won, -won), 0).T
        self.held = np.where(over[:, None], self.deal(), self.held)
        self.history = np.where(over, 0, after)
        self.show(out)
        self.arrays = out
