"""Kuhn's and Leduc poker as games of the engine: what best responses gain there is known.

Kuhn (1950): three cards, one each, an ante of 1, one bet of 1. Leduc (Southey and others 2005): two of each of three
ranks, one each, an ante of 1; a round with raises of 2, then a card for the table and a round with raises of 4, at most
two raises a round; who pairs the card of the table wins, else the higher card, and equal ranks share.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from karty.envs.cards import EMPTY, Deck, cards_at, lowest, spread
from karty.envs.chance import shuffle_pack
from karty.envs.game import (
    ASKED,
    DEAL,
    END,
    NOBODY,
    RUNNING,
    TERMINATED,
    Game,
    Options,
    Shape,
    next_seat,
    option,
    state_options,
)
from karty.envs.kernel import rule
from karty.envs.layout import cards, choice, flag, number, observation, state

LEDUC_DECK, KUHN_DECK = Deck("JQK", "SH"), Deck("JQK", "S")  # a card has the same number in both
TABLES = ("kuhn", "leduc")
KUHN, LEDUC = range(2)
PACK = np.array([KUHN_DECK.full, LEDUC_DECK.full])
RAISE_BY, RAISES, ROUNDS, BOARD = np.array([[1, 0], [2, 4]]), np.array([1, 2]), np.array([1, 2]), np.array([0, 1])
ACTIONS = ("fold", "call", "raise")
FOLD, CALL, RAISE = range(3)
BETTING, OVER, DEALING = range(3)
LONGEST = 4  # actions in a round


@dataclass(frozen=True)
class Rules(Options):
    GAME: ClassVar[str] = "poker"

    table: str = option("kuhn", TABLES, "which poker")

    @property
    def seats(self):
        return 2


STATE = state(
    LEDUC_DECK,
    2,
    **state_options(Rules),
    phase=choice("what is due", ("bet", "over", "deal")),
    hands=cards("hands", sets=2, place=True),
    board=cards("card for the table", place=True),
    rest=cards("cards that are not dealt", place=True),
    stage=number("round", 0, 2),
    stake=number("in the pot", 0, 20, (2,)),
    raises=number("raises in this round", 0, 2),
    acted=number("actions in this round", 0, LONGEST),
    folded=flag("has folded", (2,)),
    history=number("actions, 1 call and 2 raise", 0, 2, (2, LONGEST)),
)
LAYOUT = observation(
    LEDUC_DECK,
    2,
    hand=cards("hand"),
    board=cards("card on the table"),
    stage=number("round", 0, 2),
    history=number("actions, 1 call and 2 raise", 0, 2, (2, LONGEST)),
)
HIDDEN = observation(LEDUC_DECK, 2, hands=cards("the other hand"))
SHAPES = [Shape(LAYOUT, HIDDEN, ACTIONS, 2, deck) for deck in (KUHN_DECK, LEDUC_DECK)]


@rule
def begin(s):
    s.dealer = NOBODY
    s.phase = DEALING
    s.turn = NOBODY


@rule
def deal(s):
    shuffle_pack(s, PACK[s.table])
    for seat in range(2):
        s.hands[seat] = cards_at(s.pack, seat, 1)
        s.stake[seat] = 1
    s.board = cards_at(s.pack, 2, BOARD[s.table])
    s.phase = BETTING
    s.turn = 0


@rule
def legal(s, mask):
    if s.stake[s.turn] < s.stake[next_seat(s, s.turn)]:
        mask[FOLD] = 1
    mask[CALL] = 1
    if s.raises < RAISES[s.table]:
        mask[RAISE] = 1


@rule
def play(s, action):
    other = next_seat(s, s.turn)
    if action == FOLD:
        s.folded[s.turn] = 1
        s.phase = OVER
        s.turn = NOBODY
        return
    s.history[s.stage, s.acted] = action
    s.acted += 1
    s.stake[s.turn] = s.stake[other]
    if action == RAISE:
        s.stake[s.turn] += RAISE_BY[s.table, s.stage]
        s.raises += 1
    if action == CALL and s.acted > 1:
        s.stage += 1
        s.raises = 0
        s.acted = 0
        s.turn = 0 if s.stage < ROUNDS[s.table] else NOBODY
        if s.turn == NOBODY:
            s.phase = OVER
    else:
        s.turn = other


@rule
def strength(s, seat):
    rank = lowest(s.hands[seat]) % 3
    if s.board != EMPTY and lowest(s.board) % 3 == rank:
        return 10
    return rank


@rule
def returns(s, reward, points):
    for seat in range(2):
        other = next_seat(s, seat)
        mine, its = strength(s, seat), strength(s, other)
        if s.folded[seat] or (not s.folded[other] and mine < its):
            points[seat] = -s.stake[seat]
        elif s.folded[other] or mine > its:
            points[seat] = s.stake[other]
        reward[seat] = points[seat]


@rule
def advance(s):
    if s.phase == DEALING:
        deal(s)
        return DEAL
    if s.phase == OVER and s.over == RUNNING:
        s.over = TERMINATED
        return END
    return ASKED


@rule
def frame(s, o):
    pass


@rule
def observe(s, me, o):
    spread(s.hands[me], o.hand)
    if s.stage > 0:
        spread(s.board, o.board)
    o.stage = s.stage
    for i in range(2):
        for k in range(LONGEST):
            o.history[i, k] = s.history[i, k]


@rule
def hide(s, me, h):
    spread(s.hands[next_seat(s, me)], h.hands[0])


@rule
def determinize(s, me, chance):
    pass


def piles(rules, dealer):
    deck, board = ((KUHN_DECK, 0), (LEDUC_DECK, 1))[TABLES.index(rules.table)]
    return (("hands", 0, 1), ("hands", 1, 1), ("board", None, board), ("rest", None, deck.size - 2 - board))


GAME = Game(
    name="poker",
    title="Poker",
    version=0,
    rules=Rules,
    state=STATE,
    shapes=lambda rules: SHAPES[TABLES.index(rules.table)],
    piles=piles,
    starts=lambda rules, single_deal: None,
    begin=begin,
    advance=advance,
    legal=legal,
    play=play,
    frame=frame,
    observe=observe,
    hide=hide,
    determinize=determinize,
    returns=returns,
    given_starts=lambda rules: range(1),
)
