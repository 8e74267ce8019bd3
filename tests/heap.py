"""Positions of Pan by what the seats hold and what lies on the pile."""

from karty.envs.engine import Table

DECK = [rank + suit for suit in "SCDH" for rank in "9TJQKA"]
RISING = ["9H", *(rank + suit for rank in "9TJQKA" for suit in "DCSH" if rank + suit != "9H")]


def position(*hands, pile=None, turn=0, known=(), **options):
    """Seats with these cards, seat ``turn`` to move; the pile, bottom first, or all other cards from 9H upwards.

    ``known`` by seat: the cards that all know it to hold, each a text.
    """
    laid = [card for card in RISING if card not in " ".join(hands).split()] if pile is None else pile.split()
    assert sorted([*" ".join(hands).split(), *laid]) == sorted(DECK)
    assert laid[0] == "9H"
    at = Table("pan", players=len(hands), **options)
    at.reset(1)
    at.settle()
    state = at._states
    state["hands"][0, : len(hands)] = [at.shape.deck.set(held) for held in hands]
    state["known"][0] = 0
    state["known"][0, : len(known)] = [at.shape.deck.set(its) for its in known]
    state["pile"][0, : len(laid)] = [DECK.index(card) for card in laid]
    state["height"], state["turn"] = len(laid), turn
    return at


def left_over(text):
    """The cards not named in the text, in one text."""
    return " ".join(card for card in RISING if card not in text.split())
