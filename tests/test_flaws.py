"""States whose fields are each in their range but cannot be together are refused, with what is wrong with them."""

import random

import pytest

from karty.envs.engine import Table
from karty.envs.game import ASKED, RUNNING
from karty.envs.snapshot import StateError

pytestmark = [pytest.mark.rules, pytest.mark.plain]


def at_draw(**options):
    """A table of Piotruś with three seats at which a seat is asked to draw, and another has finished."""
    for seed in range(100):
        table, lot = Table("piotrus", deck="short", **options), random.Random(seed)
        table.reset(seed)
        while table.over == RUNNING:
            if table.advance() == ASKED:
                if max(table.state.place) == 1 and "draw 0" in [table.shape.actions[a] for a in table.legal()]:
                    return table
                table.play(lot.choice(table.legal()))
    raise AssertionError("no game came so far")


def refused(table, words, **fields):
    """The state with other numbers in these fields, put into a table of its own, is refused with these words."""
    forged = table.clone()
    for name, value in fields.items():
        forged._states[name] = value
    with pytest.raises(StateError, match=words):
        table.clone().set_state(forged.get_state())


def test_piotrus_3_3_giver_and_drawer_hold_cards_and_are_two():
    table = at_draw()
    out = table.state.place.tolist().index(1)
    words = "^the state cannot be: giver and drawer are two seats that hold cards$"
    refused(table, words, giver=out)
    refused(table, words, drawer=out)
    refused(table, words, drawer=int(table.state.giver))
    refused(table, words, giver=-1)


def test_piotrus_2_5_who_has_no_cards_has_a_place():
    table = at_draw()
    words = "^the state cannot be: seats without cards have a place"
    refused(table, words, place=0)
    refused(table, words, place=[[1, 2, 2, 0, 0, 0, 0, 0]])
    refused(table, "^the state cannot be: there are as many places as seats$", place=[[7, 0, 0, 0, 0, 0, 0, 0]])


def test_piotrus_2_3_only_a_card_just_drawn_waits_for_its_pair():
    table = at_draw(shuffle="never")
    card = int(table.state.fans[table.state.drawer, 0])
    refused(table, "^the state cannot be: a card whose pair is to be laid off stands last", drawn=card)


def test_pan_who_is_asked_holds_cards_and_known_cards_lie_where_they_are_known():
    table = Table("pan")
    table.reset(1)
    table.settle()
    hands = table.state.hands.tolist()
    other = (table.seat + 1) % 3
    known = [0, 0, 0, 0]
    known[other] = hands[table.seat]
    refused(table, "^the state cannot be: cards known to be in a hand lie there$", known=[known])
    asked = table.seat
    hands[other], hands[asked] = hands[other] | hands[asked], 0
    words = "^the state cannot be: the seat that is asked holds cards$"
    refused(table, words, hands=[hands], known=0)


def test_true_states_are_taken(game):
    lot = random.Random(5)
    for seed in range(10):
        table = Table(game, episode="deal")
        table.reset(seed)
        while table.over == RUNNING:
            table.clone().set_state(table.get_state())
            if table.advance() == ASKED:
                table.play(lot.choice(table.legal()))
            if lot.random() < 0.02:
                break
        table.clone().set_state(table.get_state())
