"""Tables that no game has dealt: an observation spelled out for each seat, for pictures and the terminal."""

from types import SimpleNamespace

import numpy as np

from karty.envs.cards import Deck
from karty.envs.game import Shape
from karty.envs.layout import cards, choice, code, flag, number, observation, seat

PACK = Deck("9TJQKA", "SCDH")
FULL = Deck("23456789TJQKA", "SCDH", without="JC")
PICTURES = Deck((*(f"{n}{twin}" for n in range(1, 13) for twin in "ab"), "P"), ("",))
FROM_ME = ("me", "next", "second", "third", "fourth", "fifth", "sixth", "seventh")


def written(layout, **values):
    """A row of the layout: sets by names, places by names with ░ for an unknown card, numbers and seats as they are."""
    row = np.zeros(layout.size, np.int8)
    for name, value in values.items():
        field = layout[name]
        part = row[field.slice].reshape(field.shape)
        if field.kind in ("seat", "choice"):
            part[field.values.index(str(value))] = 1
        elif field.kind == "number":
            part[...] = value
        else:
            for line, words in [((), value)] if isinstance(value, str) else enumerate(value):
                for i, word in enumerate(words.split()):
                    if field.kind == "code":
                        part[line][i] = field.values.index("unknown" if word == "░" else word)
                    else:
                        part[line][field.values.index(word)] = 1
    return row


def table_of(game, layout, rows, deck, actions=(), asked=-1, scores=None):
    """A table at which each seat has the observation given; a seat with None must not be looked at."""
    seats = len(rows)
    return SimpleNamespace(
        game=game,
        seats=seats,
        seat=asked,
        shape=Shape(layout, layout, tuple(actions), seats, deck),
        state=SimpleNamespace(deal=0, scores=scores or [0] * seats),
        number=0,
        latest=(1, None),
        observe=lambda seat: rows[seat],
        hidden=lambda seat: np.zeros(layout.size, np.int8),
        legal=lambda: list(range(len(actions))),
    )


UNSAID = {"asks": lambda now: "", "shown": lambda seen: {}}
HEAP = SimpleNamespace(
    title="Heap",
    **UNSAID,
    picture={
        "pile": "pile",
        "known": "known",
        "ranked": True,
        "score": "letters",
        "marks": ("", "P", "P A", "P A N"),
        "seats": {"follows": "moves next", "back": ("next after a spade", "spades_back")},
        "mine": {"known": "they know you hold {}"},
        "ranks": ("play four", "play three"),
    },
)


def heap_layout(seats):
    """Observations of a game with an ordered pile."""
    who = FROM_ME[:seats]
    return observation(
        PACK,
        seats,
        spades_back=flag("spades turn the order"),
        turn=seat("seat that is asked"),
        follows=seat("who comes next"),
        back=seat("who comes next after a spade"),
        hand=cards("my hand"),
        held=number("cards held", 0, 24, rows=who),
        pile=code("the pile", 24, PACK),
        known=cards("known to hold", who),
        letters=number("letters", 0, 9, rows=who),
    )


FANS = SimpleNamespace(
    title="Fans",
    **UNSAID,
    picture={
        "fans": "fans",
        "pairs": "laid",
        "score": "place",
        "marks": ("", "1st", "2nd", "3rd"),
        "seats": {"dealer": "dealer", "giver": ("gives", "offer", "draw"), "drawer": ("draws", "offer", "draw")},
        "memory": {"loose": "has {} somewhere", "knowers": "knows your place {}"},
        "facts": {"giver_shuffled": "the giver has shuffled", "turns": "decisions {}"},
        "positions": {"draw": "giver"},
    },
)


def fan_layout(seats, deck):
    """Observations of a game with ordered fans."""
    who = FROM_ME[:seats]
    return observation(
        deck,
        seats,
        phase=choice("what is decided", ("offer", "draw", "lay", "over")),
        turn=seat("seat that is asked"),
        dealer=seat("dealer"),
        giver=seat("who gives"),
        drawer=seat("who draws"),
        giver_shuffled=flag("the giver has shuffled"),
        fans=code("fans", 27, deck, rows=who),
        loose=cards("known, place unknown", who[1:]),
        knowers=flag("knows my place", (seats - 1, 27)),
        laid=cards("laid off"),
        place=number("place", 0, 8, rows=who),
        turns_tens=number("decisions", 0, 100, unit="tens"),
        turns_ones=number("decisions beyond the tens", 0, 9),
    )
