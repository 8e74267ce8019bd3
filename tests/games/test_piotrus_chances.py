"""The exact chances of two seats that shuffle always and draw blindly, by recursion and by play.

A seat holds Piotruś and the twins of the other seat's m cards; the other is to draw.
"""

from fractions import Fraction
from functools import cache
from math import sqrt

import numpy as np
import pytest
from fans import held

import karty
from karty.envs.engine import make_batch
from karty.envs.games.piotrus import DRAWS, OFFER, SHUFFLE_FAN
from karty.envs.snapshot import pack

pytestmark = pytest.mark.rules

GAME = karty.GAMES["piotrus"]
BOOK = {
    1: Fraction(2, 3),
    2: Fraction(3, 4),
    3: Fraction(3, 5),
    4: Fraction(2, 3),
    5: Fraction(4, 7),
    6: Fraction(5, 8),
}


@cache
def loses(m):
    """The chance that the holder of Piotruś, with m twins beside it, loses to a seat with m cards that is to draw."""
    if m == 0:
        return Fraction(1)
    blind = Fraction(1, m + 1)  # of the m + 1 cards one is Piotruś: then the seats have changed roles
    # Else a pair goes, and the holder draws one of the m - 1 cards left, whose twin it has: another pair goes.
    pair = loses(max(m - 2, 0))
    # x = blind (1 - x) + (1 - blind) pair
    return (blind + (1 - blind) * pair) / (1 + blind)


@pytest.mark.plain
def test_recursion():
    assert {m: loses(m) for m in BOOK} == BOOK


def draws(state, to_draw):
    """Every draw as (its chance, state after it), of two fans and who is to draw."""
    giver = 1 - to_draw
    for card in state[giver]:
        after = [frozenset(), frozenset()]
        after[giver] = state[giver] - {card}
        after[to_draw] = state[to_draw] ^ {card}  # a card that is there already is the twin: both go
        yield Fraction(1, len(state[giver])), tuple(after)


@pytest.mark.plain
@pytest.mark.parametrize("m", BOOK)
def test_every_game_followed(m):
    """All games of the fans themselves, to where less than a millionth is still undecided: the same chances."""
    cards = frozenset(range(m))  # a card and its twin have one number
    games = {((cards, cards | {"P"}), 0): Fraction(1)}  # seat 1 holds Piotruś, seat 0 is to draw
    lost = Fraction(0)
    while sum(games.values()) > Fraction(1, 10**6):
        later = {}
        for (state, to_draw), weight in games.items():
            for chance, after in draws(state, to_draw):
                if all(after):
                    key = (after, 1 - to_draw)
                    later[key] = later.get(key, 0) + weight * chance
                elif after[1]:
                    lost += weight * chance
        games = later
    assert 0 <= BOOK[m] - lost <= Fraction(1, 10**6)


POSITIONS = {  # m even with a pack of an odd number of pairs and one card, m odd with the pictures
    1: ("picture", "1a", "1b P"),
    2: ("short", "9S TS", "9C TC JS"),
    3: ("picture", "1a 2a 3a", "1b 2b 3b P"),
    4: ("short", "9S TS QS KS", "9C TC QC KC JS"),
    5: ("picture", "1a 2a 3a 4a 5a", "1b 2b 3b 4b 5b P"),
    6: ("short", "9S TS QS KS AS 9D", "9C TC QC KC AC 9H JS"),
}


def blind(mask, chance):
    """Shuffles whenever it may, and draws from any place, int64 [n] from int8 [n, A]."""
    place = (mask[:, :DRAWS] * chance.random((len(mask), DRAWS))).argmax(1)
    return np.where(mask[:, SHUFFLE_FAN] > 0, SHUFFLE_FAN, place)


@pytest.mark.parametrize("m", POSITIONS)
def test_on_the_engine(m, games=2000):
    deck, other, holder = POSITIONS[m]
    at = held(other, holder, deck=deck)
    deal = {"dealer": 1, **at.dealt()}
    states = []
    for seed in range(games):
        at.reset(seed, deal=deal)
        at.settle()
        states.append(at._states.copy())
    batch = make_batch(GAME, games, deck=deck, players=2, autoreset="off")
    batch.reset(0)
    batch.set_state(pack(GAME, np.concatenate(states)))
    assert (batch.mask[:, OFFER] == 1).all() and (batch.seat == 1).all()
    chance, reward = np.random.default_rng(m), np.zeros((games, 2))
    while not batch.finished.all():
        playing = ~batch.finished
        batch.step(blind(batch.mask, chance))
        over = playing & batch.finished
        reward[over] = batch.reward[over]
    lost = (reward[:, 1] < 0).mean()
    expected = float(BOOK[m])
    assert abs(lost - expected) < 4 * sqrt(expected * (1 - expected) / games)
