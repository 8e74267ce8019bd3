"""States whose fields are each in their range but cannot be together are refused, with what is wrong with them."""

import random

import pytest
from randomly import some_rules

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


def at_phase(name, phase, **options):
    """A table of this game at which this is asked, reached by random play."""
    for seed in range(3000):
        table, lot = Table(name, episode="deal", **options), random.Random(seed)
        table.reset(seed)
        while table.over == RUNNING:
            if table.advance() == ASKED:
                if table.shape.observation["phase"].values[table.state.phase] == phase:
                    return table
                table.play(lot.choice(table.legal()))
    raise AssertionError("no game came so far")


PHASE_NUMBER = {
    "piquet": ("carte", "exchange", "suit", "sequence", "set", "play"),
    "tysiac": ("auction", "take", "give", "contract", "play"),
    "petukh": ("khlust", "take", "keep", "fold", "exchange", "discard", "boys", "play"),
}
WAITS = "it is a seat's turn as long as something is being decided"


@pytest.mark.parametrize(
    ("name", "phase", "options", "words", "fields"),
    [
        # What would be asked for ever, or never: who is asked aside, and what comes then.
        ("piquet", "sequence", {}, WAITS, {"shown_turn": -1}),
        ("piquet", "sequence", {}, "after the declarations elder leads", {"shown_phase": "exchange"}),
        ("piquet", "carte", {}, "only what is asked aside is hidden", {"shown_phase": "set"}),
        ("petukh", "boys", {}, "only what is asked aside is hidden", {"shown_phase": "boys"}),
        ("petukh", "take", {}, "only what is asked aside is hidden", {"shown_phase": "play"}),
        # Tricks without end, or without a winner.
        ("piquet", "play", {}, "each seat has laid one card to every trick", {"trick_number": 3}),
        ("petukh", "play", {}, "each seat that plays has laid one card to every trick", {"trick_number": 4}),
        ("piquet", "play", {}, "a trick has a best card as soon as one is led", {"best_seat": 0}),
        ("petukh", "play", {}, "a trick has a best card as soon as one is led", {"led": 2}),
        # Piquet: the exchange, a deal that is over.
        ("piquet", "exchange", {}, "declarations and play come after the exchange", {"phase": "set"}),
        ("piquet", "play", {}, "a deal that was closed by a total is scored", {"stopped": 1}),
        # Petukh: the turned-up card, who deals and leads, what is over, what the other variant asks.
        ("petukh", "take", {}, "the suit of the turned-up card is trump", {"turned": "other suit"}),
        ("petukh", "take", {}, "all know that the dealer holds the turned-up card", {"known": 0}),
        ("petukh", "exchange", {"stock": "draw"}, "who dealt is the dealer", {"dealer": "next"}),
        ("petukh", "play", {}, "who took the prikup leads, else the dealer", {"forehand": "next"}),
        ("petukh", "play", {}, "a kon that was stopped or ended by a khlust is scored", {"stopped": 1}),
        ("petukh", "take", {}, "somebody has won only once tricks are played", {"winner": 0}),
        ("petukh", "play", {}, "wrong cards are taken back only where they can be played", {"revoked": 1}),
        ("petukh", "take", {}, "this is asked in the other variant", {"phase": "exchange", "shown_phase": "exchange"}),
        ("petukh", "play", {}, "boys are said by two or four", {"boys": 3}),
        # Tysiąc: what its table does not have, who is asked, and how many cards lie where.
        ("tysiac", "auction", {}, "nobody rests at this table", {"resting": 1}),
        ("tysiac", "auction", {"table": "4p_resting"}, "the dealer rests, and is not asked", {"resting": -1}),
        ("tysiac", "auction", {"table": "4p_resting"}, "the dealer rests, and is not asked", {"players": 4}),
        ("tysiac", "auction", {"table": "2p_twelve"}, "somebody is declarer as soon as .*", {"declarer": 0}),
        ("tysiac", "take", {"table": "2p_pairs"}, "declarer takes a talon .*", {"chosen": 1}),
        ("tysiac", "give", {}, "declarer is asked before the first trick", {"declarer": "next"}),
        ("tysiac", "contract", {"table": "2p_twelve"}, "declarer takes a talon .*", {"chosen": 0}),
        ("tysiac", "play", {"table": "2p_stock"}, "this table has no auction", {"declarer": 0}),
        ("tysiac", "play", {"table": "2p_stock"}, "two cards of the stock are drawn .*", {"trick_number": 5}),
        ("tysiac", "play", {"table": "4p_six"}, "each seat that plays has laid one card .*", {"trick_number": 3}),
        ("tysiac", "play", {"table": "2p_pairs"}, "each seat has the cards .*", {"away": 0}),
        # Giving without end, or too little of it.
        ("tysiac", "contract", {}, "declarer who gives has a card to part with", {"phase": "give"}),
        ("tysiac", "contract", {"table": "2p_triples"}, "declarer who gives has .*", {"phase": "give"}),
        ("tysiac", "play", {"table": "2p_stock_auction"}, "declarer who gives has .*", {"phase": "give"}),
        ("tysiac", "give", {"table": "2p_pairs"}, "contract and play come after .*", {"phase": "contract"}),
        ("tysiac", "give", {"table": "4p_teams"}, "contract and play come after .*", {"phase": "contract"}),
    ],
)  # fmt: skip
def test_what_could_not_go_on_is_refused(name, phase, options, words, fields):
    table = at_phase(name, phase, **options)
    state, told = table.state, {}
    for field, value in fields.items():
        if field in ("phase", "shown_phase"):
            value = PHASE_NUMBER[name].index(value)
        elif value == "next":
            value = (int(state[field]) + 1) % table.seats
        elif value == "other suit":
            value = (int(state[field]) + 9) % 36
        told[field] = value
    refused(table, f"^the state cannot be: {words}$", **told)


def test_piquet_2_2_who_has_laid_away_all_it_may_has_drawn():
    table = at_phase("piquet", "exchange")
    elder = int(table.state.elder)
    hand = [card for card in range(32) if int(table.state.hands[elder]) >> card & 1]
    laid = sum(1 << card for card in hand[:5])
    hands, discards = table.state.hands.tolist(), [0, 0]
    hands[elder], discards[elder] = sum(1 << card for card in hand[5:]), laid
    refused(table, "no seat has laid away more than it may", hands=[hands], discards=[discards])


def test_true_states_are_taken(any_game):
    lot = random.Random(5)
    for seed in range(20):
        table = Table(any_game, some_rules(any_game, lot) if seed % 2 else None, episode="deal")
        table.reset(seed)
        while table.over == RUNNING:
            table.clone().set_state(table.get_state())
            if table.advance() == ASKED:
                table.play(lot.choice(table.legal()))
            if lot.random() < 0.02:
                break
        table.clone().set_state(table.get_state())
