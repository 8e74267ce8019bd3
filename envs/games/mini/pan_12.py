"""Pan for two with twelve cards: shed your cards onto a pile that only rises; the last seat with cards loses.

Source   pan_12.md beside this file; its clauses are cited as §
Scope    all of it: there are no options, and an episode is always one deal
Rulings  those marked *(decided)* in the book
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...cards import EMPTY, Deck, both, cards_at, count, has, minus, only, plus, spread
from ...chance import shuffle_pack
from ...game import (
    ASKED,
    DEAL,
    END,
    NOBODY,
    RUNNING,
    SCORE,
    TERMINATED,
    Game,
    Options,
    Shape,
    clockwise,
    next_seat,
)
from ...kernel import rule
from ...layout import KNOWN, cards, choice, code, flag, number, observation, seat, state

# §1 The cards, the seats
DECK = Deck(ranks="9QA", suits="SCDH")  # §1.1 weakest first
ALL_CARDS = DECK.full
CARDS, RANKS, SEATS = DECK.size, len(DECK.ranks), 2
RANK_OF, OF_RANK = DECK.rank_of, DECK.of_rank
HAND = CARDS // SEATS  # §1.2

# §2 What may be laid, and how it lies on the pile
NINE_OF_HEARTS = DECK.id("9H")
NINES, OTHER_NINES = DECK.set("9S 9C 9D 9H"), DECK.set("9S 9C 9D")
UPWARDS = np.array([[DECK.id(rank + suit) for suit in "HDCS"] for rank in DECK.ranks])  # §2.2
TAKEN = 3  # §2.5
TURNS = 16  # §3.3


@dataclass(frozen=True)
class Rules(Options):
    """There is nothing to choose."""

    GAME: ClassVar[str] = "pan_12"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    @property
    def seats(self) -> int:
        """§1.2 Seats at the table."""
        return SEATS


# §4 The actions
ACTIONS = (
    *(f"play {rank}" for rank in DECK.ranks),
    *(f"play four {rank}" for rank in DECK.ranks),
    "play three 9",
    "draw",
)
PLAY, FOUR = ACTIONS.index("play 9"), ACTIONS.index("play four 9")
THREE_NINES, DRAW = ACTIONS.index("play three 9"), ACTIONS.index("draw")

# What is due; all but the first happens by itself
PHASES = ("play", "over", "deal", "score")
PLAYING, OVER, DEALING, SCORING = range(4)
DECIDED = {
    "play": "Lay one card, or four of a rank, no lower than the top of the pile; or draw the three cards on top."
}

STATE = state(
    DECK,
    SEATS,
    phase=choice("what is due", PHASES),
    hands=cards("hands", sets=SEATS, place=True),
    pile=cards("the pile", place=True),
    turns=number("decisions made in this deal", 0, TURNS),
    loser=seat("seat that loses the deal"),
)  # fmt: skip


def piles(rules, dealer):
    """§1.2 How the pack is dealt: all of it into the hands."""
    return (("hands", 0, HAND), ("hands", 1, HAND))


# §1 Beginning and dealing


@rule
def begin(s):
    """§1.2 Nobody deals; a deal is due."""
    s.dealer = NOBODY
    s.scores[:] = s.start
    clear_deal(s)
    s.phase = DEALING
    s.turn = NOBODY


@rule
def clear_deal(s):
    """Nothing is held or laid."""
    s.hands[:] = EMPTY
    s.pile = EMPTY
    s.turns = 0
    s.loser = NOBODY


@rule
def deal(s):
    """§1.2 Six cards each; §1.3 whoever holds 9H begins."""
    shuffle_pack(s, ALL_CARDS)
    clear_deal(s)
    for seat in range(SEATS):
        s.hands[seat] = cards_at(s.pack, HAND * seat, HAND)
        if has(s.hands[seat], NINE_OF_HEARTS):
            s.turn = seat
    s.phase = PLAYING


# §2 Turns


@rule
def top_rank(s):
    """§2.1 The rank of the top of a pile that is not empty: no card lies under a lower one."""
    rank = RANKS - 1
    while both(s.pile, OF_RANK[rank]) == EMPTY:
        rank -= 1
    return rank


@rule
def legal(s, mask):
    """§2.3 The first turn; §2.4 one or four cards not lower than the top, or three nines; §2.5 a draw."""
    hand = s.hands[s.turn]
    lowest_rank = 0 if s.pile == EMPTY else top_rank(s)
    for rank in range(lowest_rank, 1 if s.pile == EMPTY else RANKS):
        mine = both(hand, OF_RANK[rank])
        if mine != EMPTY:
            mask[PLAY + rank] = 1
        if mine == OF_RANK[rank]:
            mask[FOUR + rank] = 1
    if count(s.pile) > 1:
        mask[DRAW] = 1
    elif s.pile != EMPTY and both(hand, OTHER_NINES) == OTHER_NINES:
        mask[THREE_NINES] = 1


@rule
def play(s, action):
    """One turn: cards go on the pile or come off it; then §3 the deal is over, or §2.6 the other seat is asked."""
    if action == DRAW:
        draw(s)
    else:
        lay(s, action)
    s.turns += 1
    other = next_seat(s, s.turn)
    if s.hands[s.turn] == EMPTY:
        if not lays_all(s, s.hands[other]):
            s.loser = other
        s.phase = SCORING
        s.turn = NOBODY
    elif s.turns == TURNS:  # §3.3
        s.phase = SCORING
        s.turn = NOBODY
    else:
        s.turn = other


@rule
def lay(s, action):
    """§2.2 Of several cards of a rank the undermost; §2.4 or all that the hand holds of it."""
    hand = s.hands[s.turn]
    laid = EMPTY
    if action >= FOUR:
        laid = both(hand, OF_RANK[0 if action == THREE_NINES else action - FOUR])
    else:
        for card in UPWARDS[action - PLAY]:
            if laid == EMPTY and has(hand, card):
                laid = only(card)
    s.hands[s.turn] = minus(hand, laid)
    s.pile = plus(s.pile, laid)


@rule
def drawn(s):
    """§2.5 The cards that a draw takes: the top three of the pile, or all but 9H."""
    taken = EMPTY
    for rank in range(RANKS - 1, -1, -1):
        for i in range(UPWARDS.shape[1] - 1, -1, -1):
            card = UPWARDS[rank, i]
            if card != NINE_OF_HEARTS and has(s.pile, card) and count(taken) < TAKEN:
                taken = plus(taken, only(card))
    return taken


@rule
def draw(s):
    """§2.5 They go from the pile into the hand."""
    taken = drawn(s)
    s.pile = minus(s.pile, taken)
    s.hands[s.turn] = plus(s.hands[s.turn], taken)


# §3 The end


@rule
def lays_all(s, hand):
    """§3.2 Can the hand be laid in one turn?"""
    top = top_rank(s)
    for rank in range(top, RANKS):
        if hand == OF_RANK[rank] or (count(hand) == 1 and both(hand, OF_RANK[rank]) == hand):
            return True
    return False


@rule
def score(s):
    """§3.1 The loser gets a letter; the episode is over."""
    s.change[:] = 0
    if s.loser != NOBODY:
        s.change[s.loser] = 1
        s.scores[s.loser] += 1
    s.deal += 1
    s.phase = OVER


@rule
def returns(s, reward, points):
    """§3.4 The loser -1, the other seat 1; 0 for both if there is none."""
    for seat in range(SEATS):
        points[seat] = s.start[seat] - s.scores[seat]
        if s.loser != NOBODY:
            reward[seat] = -1.0 if seat == s.loser else 1.0


# What happens by itself


@rule
def advance(s):
    """One event: the deal, its score, or the end of the episode; none while a seat is asked."""
    if s.phase == DEALING:
        deal(s)
        return DEAL
    if s.phase == SCORING:
        score(s)
        return SCORE
    if s.phase == OVER and s.over == RUNNING:
        s.over = TERMINATED
        return END
    return ASKED


# §5 What a seat sees

FROM_ME = ("me", "other")
OBSERVATION = observation(
    DECK,
    SEATS,
    turn=seat("seat that is asked"),
    hand=cards("my hand"),
    held=number("cards in each hand", 0, CARDS - 1, rows=FROM_ME),
    known=cards("the other hand", FROM_ME[1:]),
    pile=code("the pile, bottom first", CARDS, DECK),
    top=flag("rank on top of the pile", rows=DECK.ranks),
    drawn=cards("cards that a draw would take"),
    mine=number("cards of each rank that I hold", 0, 4, rows=DECK.ranks),
    others=number("cards of each rank that the other seat holds", 0, 4, rows=DECK.ranks),
    turns=number("decisions made in this deal", 0, TURNS),
    turns_left=number("decisions left in this deal", 0, TURNS),
)  # fmt: skip
HIDDEN = observation(DECK, SEATS, hands=cards("cards in the other hand", FROM_ME[1:]))
SHAPE = Shape(OBSERVATION, HIDDEN, ACTIONS, SEATS, DECK)


@rule
def frame(s, o):
    """There are no options to be seen."""


@rule
def observe(s, me, o):
    """§5 What seat ``me`` sees: all cards."""
    other = next_seat(s, me)
    if s.turn != NOBODY:
        o.turn[clockwise(s, me, s.turn)] = 1
    spread(s.hands[me], o.hand)
    spread(s.hands[other], o.known[0])
    o.held[0] = count(s.hands[me])
    o.held[1] = count(s.hands[other])
    height = 0
    for rank in range(RANKS):
        o.mine[rank] = count(both(s.hands[me], OF_RANK[rank]))
        o.others[rank] = count(both(s.hands[other], OF_RANK[rank]))
        for card in UPWARDS[rank]:
            if has(s.pile, card):
                o.pile[height] = card + KNOWN
                height += 1
    if height > 0:
        o.top[top_rank(s)] = 1
        spread(drawn(s), o.drawn)
    o.turns = s.turns
    o.turns_left = TURNS - s.turns


@rule
def hide(s, me, h):
    """The cards of the other hand; §5 it sees these too."""
    spread(s.hands[next_seat(s, me)], h.hands[0])


@rule
def determinize(s, me, chance):
    """§5 There is no card that a seat does not know."""


def shapes(rules):
    """There is one table."""
    return SHAPE


def starts(rules, single_deal):
    """§3.4 Both begin without a letter."""
    return


def given_starts(rules):
    """§3.4 Letters say nothing: any number may be given, and is passed over."""
    return range(2**20)


def flaw(s):
    """§1.3, §3 Who is asked holds cards, and the first turn is that of 9H."""
    if (s.phase == PLAYING) != (s.turn != NOBODY):
        return "a seat is asked as long as the deal is played"
    if s.turn == NOBODY:
        return ""
    if s.hands[s.turn] == EMPTY or s.hands[1 - s.turn] == EMPTY or s.turns == TURNS:
        return "both seats hold cards as long as the deal is played"
    if not has(s.pile if s.turns else s.hands[s.turn], NINE_OF_HEARTS):
        return "9H is laid first, and stays on the pile"
    return ""


GAME = Game(
    name="pan_12",
    title="Pan with twelve cards",
    version=0,
    rules=Rules,
    state=STATE,
    shapes=shapes,
    piles=piles,
    starts=starts,
    begin=begin,
    advance=advance,
    legal=legal,
    play=play,
    frame=frame,
    observe=observe,
    hide=hide,
    determinize=determinize,
    returns=returns,
    given_starts=given_starts,
    gain=-1,
    outcome="losses",
    measure="losses",
    flaw=flaw,
    phases=DECIDED,
    picture={
        "pile": "pile",
        "known": "known",
        "ranked": True,
        "facts": {"turns_left": "decisions left {}"},
        "ranks": ("play four", "play three", "play"),
    },
)
