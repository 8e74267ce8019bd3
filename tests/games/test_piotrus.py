"""Piotruś by its rule book, envs/games/piotrus.md: a position a clause, and the worked cases of its section 8.

A name holds its clause (`test_piotrus_3_2_…`) or the number of its worked case (`test_piotrus_case_5_…`). A fan is
written from its oldest card to its newest; unless a dealer is named the last seat deals, so that seat 0 draws first.
"""

import random
from collections import Counter
from dataclasses import fields
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from chisquare import looks_uniform
from fans import fans, held, shuffled, sure
from positions import act, cards, hand, legal, scores, sees, table
from randomly import Dice
from referee.piotrus import leftmost_pair, options, sizes

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, END, RUNNING, SCORE, SHUFFLE, TERMINATED, TRUNCATED
from karty.envs.record import record_episode, replay

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["piotrus"]
BOOK = (Path(__file__).resolve().parents[2] / "envs" / "games" / "piotrus.md").read_text(encoding="utf-8")
FULL = [f"{rank}{suit}" for suit in "SCDH" for rank in "23456789TJQKA"]
SHORT = [f"{rank}{suit}" for suit in "SCDH" for rank in "9TJQKA"]
PICTURES = cards("1a 1b 2a 2b 3a 3b 4a 4b 5a 5b 6a 6b 7a 7b 8a 8b 9a 9b 10a 10b 11a 11b 12a 12b P")
SEATS = [("full", 2), ("full", 3), ("full", 4), ("full", 5), ("short", 2), ("short", 3), ("short", 4), ("short", 5)]
SEATS += [("picture", players) for players in range(2, 9)]
NEVER = {"shuffle": "never"}


def opened(seed=1, **chosen):
    """A table of these options after its first deal."""
    at = Table("piotrus", **chosen)
    at.reset(seed)
    at.settle()
    return at


def played(seed=1, **chosen):
    """A table of these options after random play to the end of the episode."""
    at, lot = opened(seed, **chosen), random.Random(seed)
    while at.over == RUNNING:
        at.play(lot.choice(at.legal()))
        at.settle()
    return at


def places(at):
    """The place of each seat, 0 for those still in the game."""
    return at.state.place[: at.seats].tolist()


def turn(at):
    """Who is asked, who draws, and from whom."""
    return at.seat, int(at.state.drawer), int(at.state.giver)


def laid(at):
    """The cards laid off."""
    return set(at.shape.deck.cards(at.state.laid))


def lays(**chosen):
    """All pairs of the pack that these options play with, as the two cards."""
    return [name.split()[1:] for name in Table("piotrus", discard="manual", **chosen).shape.actions[28:]]


# ---------------------------------------------------------------------------------------------------------- 1 the packs


@pytest.mark.parametrize(
    ("deck", "names", "out", "size"),
    [("full", FULL, {"JC"}, 51), ("short", SHORT, {"JC"}, 23), ("picture", PICTURES, set(), 25)],
)
def test_piotrus_1_1_cards_and_their_ids(deck, names, out, size):
    at = opened(deck=deck)
    assert list(at.shape.deck.names) == names
    dealt = [card for its in at.dealt()["hands"] for card in its]
    assert len(dealt) == len(set(dealt)) == size
    assert set(names) - set(dealt) == out


def test_piotrus_case_3_the_short_pack():
    at = opened(deck="short")
    assert sum(len(its) for its in at.dealt()["hands"]) == 23
    assert {card[0] for its in at.dealt()["hands"] for card in its} == set("9TJQKA")
    pairs = lays(deck="short")
    assert len(pairs) == 11
    assert {card for its in at.dealt()["hands"] for card in its} - {card for two in pairs for card in two} == {"JS"}


@pytest.mark.parametrize("deck", ["full", "short"])
@pytest.mark.parametrize(("odd", "out", "piotrus"), [("jack", "JC", "JS"), ("queen", "QC", "QS")])
def test_piotrus_1_2_the_card_taken_out_and_piotrus(deck, odd, out, piotrus):
    at = opened(deck=deck, odd_card=odd)
    dealt = {card for its in at.dealt()["hands"] for card in its}
    assert set(at.shape.deck.names) - dealt == {out}
    with pytest.raises(ValueError, match=f"{out} was taken out"):
        at.shape.deck.id(out)
    paired = {card for its in lays(deck=deck, odd_card=odd) for card in its}
    assert dealt - paired == {piotrus}


def test_piotrus_1_2_no_card_of_the_picture_pack_is_taken_out():
    assert lays(deck="picture", odd_card="queen") == lays(deck="picture")
    left, right = (opened(5, deck="picture", odd_card=odd).dealt() for odd in ("jack", "queen"))
    assert left == right


@pytest.mark.parametrize("ranks", ["23456789TJQKA", "9TJQKA"], ids=["full", "short"])
def test_piotrus_1_3_a_pair_is_of_one_rank_and_colour_or_of_one_rank(ranks):
    deck = "full" if len(ranks) == 13 else "short"
    colour = [{f"{rank}{a}", f"{rank}{b}"} for rank in ranks for a, b in ("SC", "DH") if f"{rank}{b}" != "JC"]
    rank = [{f"{rank}{a}", f"{rank}{b}"} for rank in ranks for a, b in combinations("SCDH", 2)]
    rank = [two for two in rank if "JC" not in two]
    for pairing, pairs in (("colour", colour), ("rank", rank)):
        found = [set(two) for two in lays(deck=deck, pairing=pairing)]
        assert len(found) == len(pairs)
        assert all(two in found for two in pairs)


@pytest.mark.parametrize("pairing", ["colour", "rank"])
def test_piotrus_1_3_identical_pictures_pair(pairing):
    assert lays(deck="picture", pairing=pairing) == [[f"{number}a", f"{number}b"] for number in range(1, 13)]


@pytest.mark.parametrize(("odd", "rank"), [("jack", "J"), ("queen", "Q")])
def test_piotrus_1_3_by_rank_whichever_of_the_three_is_left_is_piotrus(odd, rank):
    left = Counter(
        fan
        for seed in range(40)
        for fan in fans(played(seed, deck="short", pairing="rank", odd_card=odd, shuffle="never"))
        if fan
    )
    assert set(left) == {f"{rank}S", f"{rank}D", f"{rank}H"}
    assert sum(left.values()) == 40


def test_piotrus_case_2_what_pairs():
    mine = "7H 7D 7S KS KC JH JD JS 2S 3S 4S 5S 6S 8S 9S TS QS"
    left = [card for card in FULL if card not in mine.split() and card != "JC"]
    at = table("piotrus", [mine, " ".join(left[:17]), " ".join(left[17:])], dealer=2, discard="manual")
    assert (at.seat, legal(at)) == (0, ["lay KS KC", "lay 7D 7H", "lay JD JH"])


# ----------------------------------------------------------------------------------------------------------- 2 the deal


@pytest.mark.parametrize("dealer", [0, 1])
def test_piotrus_case_1_two_seats_and_51_cards(dealer):
    for seed in range(30):
        at = opened(seed, players=2, pairing=("colour", "rank")[seed % 2])
        dealt = [len(its) for its in at.dealt()["hands"]]
        assert (dealt[at.dealer], dealt[1 - at.dealer]) == (25, 26)
        assert len(laid(at)) + sum(map(len, map(str.split, fans(at)))) == 51


def test_piotrus_2_1_the_dealer_is_drawn_by_lot():
    for deck, players in SEATS:
        found = Counter(opened(seed, deck=deck, players=players).dealer for seed in range(12 * players))
        assert looks_uniform(found, players)


@pytest.mark.parametrize(("deck", "players"), SEATS)
def test_piotrus_2_1_all_cards_one_at_a_time_from_the_dealer_s_left(deck, players):
    dealers = set()
    for seed in range(12):
        at = opened(seed, deck=deck, players=players)
        hands = [0] * players
        for card in range({"full": 51, "short": 23, "picture": 25}[deck]):
            hands[(at.dealer + 1 + card) % players] += 1
        assert [len(its) for its in at.dealt()["hands"]] == hands == sizes(at.rules.to_dict(), at.dealer)
        dealers.add(at.dealer)
    assert len(dealers) > 1


def test_piotrus_2_1_every_card_is_as_likely_in_every_place():
    first = Counter(opened(seed, deck="short").dealt()["hands"][1][0] for seed in range(345))
    assert looks_uniform(first, 23)


@pytest.mark.parametrize("deck", ["full", "short", "picture"])
def test_piotrus_2_1_seats_of_each_pack(deck):
    most = 8 if deck == "picture" else 5
    assert opened(deck=deck, players=most).seats == most
    for players in (1, most + 1):
        with pytest.raises(ValueError, match=f"^piotrus: option players={players} is not allowed.*allowed: "):
            Table("piotrus", deck=deck, players=players)


def test_piotrus_2_2_the_fan_stands_in_the_order_in_which_the_cards_came():
    for seed in range(20):
        at = opened(seed, pairing=("colour", "rank")[seed % 2], players=2 + seed % 4)
        rules = at.rules.to_dict()
        for seat, fan in enumerate(at.dealt()["hands"]):
            while (two := leftmost_pair(rules, fan)) is not None:
                del fan[two[1]], fan[two[0]]
            assert fans(at)[seat] == " ".join(fan)
            assert set(hand(at, seat)) == set(fan)


def test_piotrus_2_2_face_down_but_everyone_sees_how_many_there_are():
    at = held("9H 2S 3S", "4D 2C 3C JS 4S", "4H 4C 9D", **NEVER)
    assert [sees(at, me)["held"] for me in range(3)] == [[3, 5, 3], [5, 3, 3], [3, 3, 5]]
    assert sees(at, 1)["fans"][1:] == [sure("? ? ?", 27)] * 2
    act(at, "draw 0")
    assert fans(at)[0] == "9H 2S 3S 4H"
    assert sees(at, 1)["held"] == [5, 2, 4]


def test_piotrus_2_3_auto_lays_off_all_pairs_at_once_face_up():
    at = held("9H 2S 3S", "2C 3C JS", "9D", **NEVER)
    in_fans = {"9H", "2S", "3S", "2C", "3C", "JS", "9D"}
    for seat in range(3):
        assert set(sees(at, seat)["laid"]) == set(FULL) - {"JC"} - in_fans
    act(at, "draw 0")
    assert fans(at) == ["2S 3S", "2C 3C JS", ""]
    assert {"9H", "9D"} <= set(sees(at, 1)["laid"])


def test_piotrus_2_3_manual_seat_by_seat_from_the_dealer_s_left():
    hands = ["QC KC 9D 9H AC TD JD QD", "TH JH QH KD KH AD AH", "9S 9C TS TC QS KS AS JS"]
    at = table("piotrus", hands, dealer=1, discard="manual", deck="short")
    assert (at.seat, sees(at)["phase"], legal(at)) == (2, "lay", ["lay 9S 9C", "lay TS TC"])
    assert (at.seat, legal(act(at, "lay TS TC"))) == (2, ["lay 9S 9C"])
    act(at, "lay 9S 9C")
    assert (at.seat, legal(at)) == (0, ["lay 9D 9H"])
    act(at, "lay 9D 9H")
    assert (at.seat, legal(at)) == (1, ["lay KD KH", "lay AD AH"])
    act(at, "lay AD AH, lay KD KH")
    assert (turn(at), sees(at)["phase"]) == ((1, 2, 1), "offer")


def test_piotrus_2_3_manual_after_a_draw_the_drawer_lays_and_nothing_else():
    at = act(held("9H 2S 3S", "2C 3C JS", "9D", discard="manual", **NEVER), "draw 0")
    assert (at.seat, sees(at)["phase"], legal(at)) == (0, "lay", ["lay 9D 9H"])
    assert fans(at)[0] == "9H 2S 3S 9D"
    assert "9D" not in laid(at)
    act(at, "lay 9D 9H")
    assert (fans(at)[0], at.seat) == ("2S 3S", 1)
    assert {"9D", "9H"} <= laid(at)


def test_piotrus_2_3_manual_not_emptied_before_its_pair_is_laid():
    at = act(held("9H", "9D 5S 6S", "5C 6C JS", discard="manual", draw_from="left", **NEVER), "draw 0")
    assert (places(at), at.seat) == ([0, 0, 0], 0)
    assert places(act(at, "lay 9D 9H")) == [1, 0, 0]


THREE = "QH 3C QS QD 4S 4C 5S 5C 6S 6C 7S 7C"


def three_queens(discard):
    """The dealer, seat 3, holds three queens and a three besides whole pairs; pairs are of one rank."""
    left = [card for card in FULL if card not in THREE.split() and card != "QC"]
    hands = [*(" ".join(left[13 * i : 13 * i + 13]) for i in range(3)), THREE]
    return table("piotrus", hands, dealer=3, players=4, discard=discard, preset="old_maid", **NEVER)


def test_piotrus_case_4_three_queens_of_one_fan():
    at = three_queens("auto")
    assert fans(at)[3] == "3C QD"
    assert {"QH", "QS"} <= laid(at)
    assert "QD" not in laid(at)


@pytest.mark.parametrize(("pairing", "offered"), [("colour", [0, 0, -1]), ("rank", [0, 0, 0])])
def test_piotrus_case_4_by_rank_no_card_is_piotrus_until_the_end(pairing, offered):
    at = act(held("5D 7C", "JS 5H 7S", pairing=pairing, **NEVER), "draw 0")
    assert sees(at, 1)["fans"][1] == sure("? ? JS", 27)
    assert sees(at, 1)["offered"][:3] == offered


def test_piotrus_2_4_auto_lays_off_the_two_standing_leftmost():
    assert fans(three_queens("auto"))[3] == "3C QD"
    fan = "4S QD 3C QS 4C QH 5S 5C 6S 6C 7S 7C"
    left = [card for card in FULL if card not in fan.split() and card != "QC"]
    hands = [*(" ".join(left[13 * i : 13 * i + 13]) for i in range(3)), fan]
    at = table("piotrus", hands, dealer=3, players=4, preset="old_maid", **NEVER)
    assert fans(at)[3] == "3C QH"


def test_piotrus_2_4_manual_lets_the_owner_choose():
    at = three_queens("manual")
    while at.seat != 3:
        act(at, legal(at)[0])
    queens = ["lay QS QD", "lay QS QH", "lay QD QH"]
    assert [name for name in legal(at) if "Q" in name] == queens
    act(at, "lay QD QH")
    assert [name for name in legal(at) if "Q" in name] == []
    while sees(at)["phase"] == "lay":
        act(at, legal(at)[0])
    assert fans(at)[3] == "3C QS"


def test_piotrus_2_5_who_has_no_card_after_the_first_discarding_has_finished():
    at = held("", "9C TC JS", "9S TS", "", deck="short", dealer=1)
    assert places(at) == [2, 0, 0, 1]  # from the dealer's left: seats 2, 3, 0, 1
    assert turn(at) == (1, 2, 1)
    at = held("", "", "9S TS", "9C TC JS", deck="short")
    assert places(at) == [1, 2, 0, 0]


def test_piotrus_2_5_manual_the_pairs_are_laid_first_then_places_are_given():
    hands = ["9D 9H TD TH JD JH", "QS QC KS KC JS AD", "9S TS QD QH KD KH", "AS AC 9C TC AH"]
    at = table("piotrus", hands, dealer=3, players=4, deck="short", discard="manual")
    act(at, "lay 9D 9H, lay TD TH, lay JD JH")
    assert (fans(at)[0], places(at), at.seat) == ("", [0, 0, 0, 0], 1)
    act(at, "lay QS QC, lay KS KC, lay QD QH, lay KD KH")
    assert (places(at), at.seat) == ([0, 0, 0, 0], 3)
    assert places(act(at, "lay AS AC")) == [1, 0, 0, 0]
    assert turn(at) == (3, 1, 3)


ALL_PAIRED = ["9S 9C TS TC 9D 9H TD TH", "QS QC QD QH JD JH KD KH", "JS KS KC AS AC AD AH"]  # short, dealer 2


def redealt(**chosen):
    """A table whose first deal leaves one card, Piotruś, after all pairs."""
    at = Table("piotrus", deck="short", **chosen)
    at.reset(1, deal={"hands": [its.split() for its in ALL_PAIRED], "dealer": 2})
    return at


def test_piotrus_2_5_a_deal_that_ends_before_a_draw_is_dealt_again():
    at = redealt()
    assert at.advance() == DEAL
    assert (fans(at), places(at), at.over) == (["", "", "JS"], [0, 0, 0], RUNNING)
    again = {"hands": [its.split() for its in ALL_PAIRED]}
    with pytest.raises(ValueError, match="dealer is seat 0, but it is seat 2's turn"):
        at.advance(again | {"dealer": 0})
    assert at.advance(again | {"dealer": 2}) == DEAL  # and once more
    assert at.advance() == DEAL
    assert at.advance() == ASKED
    assert (at.dealer, at.number, at.seat) == (2, 0, at.state.giver)
    assert sum(at.state.held) > 1


def test_piotrus_2_5_manual_redeal():
    at = redealt(discard="manual")
    at.settle()
    act(at, "lay 9S 9C, lay TS TC, lay 9D 9H, lay TD TH, lay QS QC, lay JD JH, lay QD QH, lay KD KH, lay KS KC")
    act(at, "lay AS AC, lay AD AH", given={"hands": [its.split() for its in ALL_PAIRED], "dealer": 2})
    assert (at.seat, at.number, at.dealer, places(at)) == (0, 0, 2, [0, 0, 0])
    assert (fans(at)[0], laid(at)) == (ALL_PAIRED[0], set())
    assert sees(at)["turns_tens"] * 10 + sees(at)["turns_ones"] == 11


# ---------------------------------------------------------------------------------------------------------- 3 the turns


@pytest.mark.parametrize(("side", "giver"), [("right", 0), ("left", 2)])
def test_piotrus_case_5_who_starts_and_from_whom(side, giver):
    at = held("9H", "JS", "9D", dealer=0, draw_from=side)
    assert turn(at) == (1, 1, giver)


def test_piotrus_3_1_first_from_the_dealer_s_left_with_cards():
    assert turn(held("", "9S TS", "", "9C TC JS", deck="short", **NEVER)) == (1, 1, 3)
    assert turn(held("9S TS", "9C TC JS", "", "", dealer=1, deck="short", **NEVER)) == (0, 0, 1)


@pytest.mark.parametrize(
    ("side", "drawers"),
    [
        ("right", [0, 2, 3, 4, 0, 3, 4, 0, 3, 4]),  # the third draw empties seat 2, the last one seats 3 and 4
        ("left", [0, 2, 3, 4, 0, 2, 3, 4, 0, 2]),
    ],
)
def test_piotrus_3_1_the_turn_goes_clockwise_over_seats_with_cards(side, drawers):
    at = held("2S 3S 4S", "", "2C 4H", "4C 5H", "3C 4D 5D JS", draw_from=side, **NEVER)
    found = []
    for _ in drawers:
        found.append(int(at.state.drawer))
        act(at, "draw 0")
    assert found == drawers
    assert (at.over == RUNNING) == (side == "left")


def test_piotrus_3_2_the_nearest_seat_that_holds_cards():
    five = ("9S TS JS", "", "9C AH", "TC AD", "")
    assert turn(held(*five, **NEVER)) == (0, 0, 3)
    assert turn(held(*five, draw_from="left", **NEVER)) == (0, 0, 2)
    assert turn(act(held(*five, draw_from="left", **NEVER), "draw 1")) == (2, 2, 3)  # clockwise in both


def test_piotrus_case_9_seat_1_finishes_and_seat_2_draws_from_seat_0():
    at = act(held("5C 4S 6S", "5S", "4C 6C JS", dealer=0, **NEVER), "draw 0")
    assert places(at) == [0, 1, 0]
    assert turn(at) == (2, 2, 0)


OFFERED = ("9H TS", "9S TD", "TH JS 9D 9C TC")  # short pack: seat 0 draws from seat 2


def test_piotrus_3_3_anytime_giver_then_drawer_each_once():
    at = held(*OFFERED, deck="short")
    assert (turn(at), legal(at)) == ((2, 0, 2), ["offer", "shuffle"])
    act(at, "offer")
    draws = [f"draw {place}" for place in range(5)]
    assert (at.seat, legal(at)) == (0, [*draws, "shuffle"])
    act(at, "shuffle")
    assert (at.seat, legal(at)) == (0, draws)
    at = act(held(*OFFERED, deck="short"), "shuffle")
    assert (at.seat, legal(at)) == (0, [*draws, "shuffle"])


def test_piotrus_3_3_before_offer_only_the_giver():
    for choice in ("offer", "shuffle"):
        at = held(*OFFERED, deck="short", shuffle="before_offer")
        assert (at.seat, legal(at)) == (2, ["offer", "shuffle"])
        act(at, choice)
        assert (at.seat, legal(at)) == (0, [f"draw {place}" for place in range(5)])


def test_piotrus_3_3_never_nobody_is_asked():
    at = held(*OFFERED, deck="short", **NEVER)
    assert (turn(at), legal(at)) == ((0, 0, 2), [f"draw {place}" for place in range(5)])


def test_piotrus_3_3_one_card_is_not_shuffled():
    at = held("9H", "4D 5D JS", "9D 4H 5H")
    assert at.seat == 2
    assert legal(act(at, "offer")) == ["draw 0", "draw 1", "draw 2"]  # a drawer with one card
    at = held("9H 4D 5D", "4H 5H JS", "9D")
    assert (at.seat, legal(at)) == (0, ["draw 0", "shuffle"])  # a giver with one card
    at = held("9H", "JS", "9D")
    assert (at.seat, legal(at)) == (0, ["draw 0"])


def test_piotrus_3_3_everyone_sees_that_a_fan_was_shuffled_and_it_ends_with_the_turn():
    at = act(held(*OFFERED, deck="short"), "shuffle")
    assert [(sees(at, me)["giver_shuffled"], sees(at, me)["drawer_shuffled"]) for me in range(3)] == [(1, 0)] * 3
    act(at, "shuffle")
    assert [(sees(at, me)["giver_shuffled"], sees(at, me)["drawer_shuffled"]) for me in range(3)] == [(1, 1)] * 3
    act(at, "draw 1")
    assert turn(at) == (0, 1, 0)
    assert [(sees(at, me)["giver_shuffled"], sees(at, me)["drawer_shuffled"]) for me in range(3)] == [(0, 0)] * 3


@pytest.mark.parametrize(("first", "seat"), [("shuffle", 2), ("offer, shuffle", 0)], ids=["giver", "drawer"])
def test_piotrus_3_3_a_shuffle_makes_every_order_alike(first, seat):
    at = held("JS 9H 4S", "4C 4D 5D", "5H 4H 9D")
    deal, found = {"dealer": 2, **at.dealt()}, Counter()
    for seed in range(150):
        at.reset(seed, deal=deal)
        at.settle()
        act(at, first)
        found[fans(at)[seat]] += 1
    assert looks_uniform(found, 6)


def test_piotrus_case_6_a_card_in_the_middle():
    at = act(held("9H", "4D", "4H JS 9D", **NEVER), "draw 1")
    assert fans(at) == ["9H JS", "4D", "4H 9D"]


def test_piotrus_case_7_a_twin():
    at = act(held("9H KC", "KS AH", "9D JS AD", deck="short", **NEVER), "draw 0")
    assert fans(at) == ["KC", "KS AH", "JS AD"]
    assert {"9H", "9D"} <= laid(at)


@pytest.mark.parametrize("place", range(5))
def test_piotrus_3_4_any_place_of_the_fan_and_the_others_close_up(place):
    at = held("9H 2S 3S", "4D 5D 2C", "4H 3C 5H JS 9D", **NEVER)
    assert legal(at) == [f"draw {place}" for place in range(5)]
    act(at, f"draw {place}")
    giver = ["4H", "3C", "5H", "JS", "9D"]
    card = giver.pop(place)
    assert fans(at)[2] == " ".join(giver)
    drawers = {"3C": "9H 2S", "9D": "2S 3S"}.get(card, f"9H 2S 3S {card}")
    assert fans(at)[0] == drawers


BOTH = ("9H", "9D", "5S", "5C JS")  # full pack: seat 0 draws from its left neighbour's only card


def test_piotrus_case_8_one_draw_empties_both():
    at = act(held("9H", "JS", "9D"), "draw 0")
    assert (places(at), at.over) == ([2, 3, 1], TERMINATED)
    at = act(held(*BOTH, draw_from="left", **NEVER), "draw 0")
    assert (places(at), at.over) == ([2, 1, 0, 0], RUNNING)


def test_piotrus_3_5_who_has_no_card_takes_the_next_place():
    at = act(held(*BOTH, draw_from="left", **NEVER), "draw 0")
    assert turn(at) == (2, 2, 3)
    act(at, "draw 0")
    assert (places(at), at.over) == ([2, 1, 3, 4], TERMINATED)


def test_piotrus_3_5_manual_the_giver_at_the_draw_and_the_drawer_with_its_lay():
    at = act(held(*BOTH, draw_from="left", discard="manual", **NEVER), "draw 0")
    assert (places(at), at.seat) == ([0, 1, 0, 0], 0)
    assert places(act(at, "lay 9D 9H")) == [2, 1, 0, 0]


def test_piotrus_3_6_the_next_seat_clockwise_from_the_last_drawer():
    at = act(held("9H 4S 5S", "9D", "4C 6S JS", "5C 6C", draw_from="left", **NEVER), "draw 0")
    assert (places(at), turn(at)) == ([0, 1, 0, 0], (2, 2, 3))  # seat 1 has finished
    assert turn(act(at, "draw 0")) == (3, 3, 0)
    assert turn(act(at, "draw 0")) == (0, 0, 2)


# --------------------------------------------------------------------------------------------- 4 the end and the reward


@pytest.mark.parametrize(("deck", "players"), [its for its in SEATS if its[0] != "picture"])
def test_piotrus_case_12_the_loser_holds_one_card_and_it_is_js(deck, players):
    for seed in range(3):
        at = played(seed, deck=deck, players=players)
        assert at.over == TERMINATED
        assert [(seat, fan) for seat, fan in enumerate(fans(at)) if fan] == [(places(at).index(players), "JS")]


@pytest.mark.parametrize(("deck", "players"), SEATS)
def test_piotrus_4_1_all_pairs_laid_off_and_places_from_first_to_last(deck, players):
    for seed in range(2):
        odd = ("jack", "queen")[seed]
        at = played(seed, deck=deck, players=players, odd_card=odd, discard=("manual", "auto")[seed])
        last = {"picture": "P"}.get(deck, {"jack": "JS", "queen": "QS"}[odd])
        assert [fan for fan in fans(at) if fan] == [last]
        assert sorted(places(at)) == list(range(1, players + 1))
        assert at.scored() == (places(at), places(at))


def test_piotrus_4_1_manual_the_last_pair_is_laid_before_the_game_ends():
    at = act(held("9H", "JS", "9D", discard="manual"), "draw 0")
    assert (at.over, at.seat, legal(at), places(at)) == (RUNNING, 0, ["lay 9D 9H"], [0, 0, 1])
    act(at, "lay 9D 9H")
    assert (at.over, places(at)) == (TERMINATED, [2, 3, 1])
    at = act(held("9S TS", "9C TC JS", deck="short", discard="manual", **NEVER), "draw 0")
    assert legal(at) == ["lay 9S 9C"]


PAID = {
    ("loser", 2): [1, -1],
    ("loser", 3): [1 / 2, 1 / 2, -1],
    ("loser", 5): [1 / 4, 1 / 4, 1 / 4, 1 / 4, -1],
    ("place", 2): [1, -1],
    ("place", 3): [1, 0, -1],
    ("place", 4): [1, 1 / 3, -1 / 3, -1],
    ("place", 5): [1, 1 / 2, 0, -1 / 2, -1],
}


@pytest.mark.parametrize(("reward", "players"), PAID)
def test_piotrus_4_2_what_each_place_is_paid(reward, players):
    for seed in range(3):
        at = played(seed, deck="short", players=players, reward=reward)
        paid, points = at.returns()
        assert paid == pytest.approx([PAID[reward, players][place - 1] for place in places(at)])
        assert paid.sum() == pytest.approx(0)
        assert points.tolist() == [-place for place in places(at)]  # fewer is better


def test_piotrus_4_3_a_deal_is_the_whole_game():
    deal, match = (played(3, episode=episode) for episode in ("deal", "match"))
    assert (deal.number, deal.over) == (match.number, match.over) == (1, TERMINATED)
    assert (fans(deal), places(deal)) == (fans(match), places(match))
    assert deal.returns()[0].tolist() == match.returns()[0].tolist()
    for at in (deal, match):
        with pytest.raises(ValueError, match=r"^start="):
            at.reset(1, start=[0, 0, 1])


def test_piotrus_4_4_so_many_decisions_truncate_the_episode():
    for cap in (1, 2, 7):
        at, lot = opened(1, max_turns=cap), random.Random(1)
        for _ in range(cap):
            assert at.over == RUNNING
            at.play(lot.choice(at.legal()))
            at.settle()
        assert (at.over, at.number, places(at)) == (TRUNCATED, 0, [0, 0, 0])
        paid, points = at.returns()
        assert (paid.tolist(), points.tolist()) == ([0, 0, 0], [0, 0, 0])
        assert sees(at, 0)["turns_left"] == 0


def test_piotrus_4_4_unless_the_last_of_them_ended_the_game():
    at = act(held("9H", "JS", "9D", max_turns=1), "draw 0")
    assert (at.over, places(at)) == (TERMINATED, [2, 3, 1])
    after = 24  # pairs are laid by hand before the first draw
    at = act(held("9H", "JS", "9D", discard="manual", max_turns=after + 2), "draw 0, lay 9D 9H")
    assert (at.over, places(at)) == (TERMINATED, [2, 3, 1])
    at = act(held("9H", "JS", "9D", discard="manual", max_turns=after + 1), "draw 0")
    assert (at.over, places(at), scores(at)) == (TRUNCATED, [0, 0, 1], [0, 0, 0])


def test_piotrus_4_4_a_shuffle_that_belongs_to_the_last_decision_is_still_made():
    at = held(*OFFERED, deck="short", max_turns=1)
    at.play(at.game.action_id(at.rules, "shuffle"))
    assert at.advance({"seat": 2, "fan": cards("9C 9D TC TH JS")}) == SHUFFLE
    assert (fans(at)[2], at.seat) == ("9C 9D TC TH JS", -1)
    assert at.advance() == END
    assert (at.over, at.number) == (TRUNCATED, 0)
    assert sees(at, 1)["phase"] == "over"


@pytest.mark.parametrize(("cap", "event"), [(11, END), (12, DEAL)])
def test_piotrus_4_4_redeals_count_and_at_the_cap_none_is_dealt(cap, event):
    at = redealt(discard="manual", max_turns=cap)
    at.settle()
    for _ in range(10):  # the first ten of eleven pairs
        act(at, legal(at)[0])
    at.play(at.legal()[0])
    assert at.advance() == event
    if event == DEAL:
        act(at, legal(at)[0])
    assert (at.over, at.number, places(at)) == (TRUNCATED, 0, [0, 0, 0])


# -------------------------------------------------------------------------------------------------------- 5 the options


def test_piotrus_5_the_options_are_those_of_the_book():
    text = BOOK[BOOK.index("\n## 5 ") :].split("\n## ")[1]
    rows = [
        [cell.strip().strip("`") for cell in line.strip("|").split("|")] for line in text.splitlines() if "|" in line
    ]
    book = {name: (allowed, default) for name, allowed, default in rows[2:]}
    assert book.pop("players") == ("2–5 (2–8 picture)", "3")
    assert book.pop("max_turns") == ("≥ 1", "2000")
    found = {spec.name: (spec.metadata["values"], spec.default) for spec in fields(GAME.rules)}
    assert found.pop("players") == (tuple(range(2, 9)), 3)
    assert found.pop("max_turns") == (None, 2000)
    assert found == {name: (tuple(allowed.split(", ")), default) for name, (allowed, default) in book.items()}


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"deck": "tarot"}, "deck='tarot'.*full, short, picture"),
        ({"odd_card": "king"}, "odd_card='king'.*jack, queen"),
        ({"pairing": "suit"}, "pairing='suit'.*colour, rank"),
        ({"discard": True}, "discard=True.*auto, manual"),
        ({"draw_from": "across"}, "draw_from='across'.*right, left"),
        ({"shuffle": None}, "shuffle=None.*anytime, before_offer, never"),
        ({"reward": "first"}, "reward='first'.*loser, place"),
        ({"players": 6}, "players=6.*deck='full'.*2 to 5"),
        ({"players": 6, "deck": "short"}, "players=6.*deck='short'.*2 to 5"),
        ({"players": 9, "deck": "picture"}, "players=9"),
        ({"players": "3"}, "players='3'"),
        ({"max_turns": 0}, "max_turns=0.*from 1"),
        ({"redeal_points": 3}, "'redeal_points'.*players, deck"),
        ({"preset": "adults"}, "'adults'.*old_maid, kids"),
    ],
)
def test_piotrus_5_a_wrong_option_is_named(chosen, words):
    with pytest.raises(ValueError, match=f"^piotrus: .*{words}"):
        Table("piotrus", **chosen)


def test_piotrus_5_presets_set_defaults_and_no_more():
    defaults = options()
    assert Table("piotrus").rules.to_dict() == defaults
    assert Table("piotrus", preset="old_maid").rules.to_dict() == defaults | {"odd_card": "queen", "pairing": "rank"}
    assert Table("piotrus", preset="kids").rules.to_dict() == defaults | {"deck": "short"}
    mine = Table("piotrus", preset="old_maid", pairing="colour", players=4).rules.to_dict()
    assert mine == defaults | {"odd_card": "queen", "players": 4}


def test_piotrus_5_an_option_without_meaning_here_is_accepted():
    plain, other = (played(4, deck="picture", **its) for its in ({}, {"odd_card": "queen", "pairing": "rank"}))
    assert (fans(plain), places(plain)) == (fans(other), places(other))


# -------------------------------------------------------------------------------------------------------- 6 the actions

LAYS = {
    ("full", "colour"): (25, "lay 2S 2C", "lay AD AH"),
    ("full", "rank"): (75, "lay 2S 2C", "lay AD AH"),
    ("short", "colour"): (11, "lay 9S 9C", "lay AD AH"),
    ("short", "rank"): (33, "lay 9S 9C", "lay AD AH"),
    ("picture", "colour"): (12, "lay 1a 1b", "lay 12a 12b"),
    ("picture", "rank"): (12, "lay 1a 1b", "lay 12a 12b"),
}


@pytest.mark.parametrize(("deck", "pairing"), LAYS)
def test_piotrus_6_action_ids(deck, pairing):
    number, first, last = LAYS[deck, pairing]
    for odd in ("jack", "queen"):
        auto = Table("piotrus", deck=deck, pairing=pairing, odd_card=odd).shape.actions
        assert auto == (*(f"draw {place}" for place in range(26)), "offer", "shuffle")
        manual = Table("piotrus", deck=deck, pairing=pairing, odd_card=odd, discard="manual").shape.actions
        assert (manual[:28], len(manual)) == (auto, 28 + number)
        assert (manual[28], manual[-1]) == (first, last)


def test_piotrus_6_lays_by_the_lower_then_the_higher_card():
    for chosen in ({"pairing": "rank"}, {"pairing": "rank", "odd_card": "queen"}, {}, {"deck": "picture"}):
        at = Table("piotrus", **chosen)
        ids = [[at.shape.deck.id(card) for card in two] for two in lays(**chosen)]
        assert ids == sorted(ids)
        assert all(low < high for low, high in ids)
    assert lays(pairing="rank")[:4] == [["2S", "2C"], ["2S", "2D"], ["2S", "2H"], ["3S", "3C"]]


SPADES_DIAMONDS = [f"{rank}{suit}" for suit in "SD" for rank in "23456789TJQKA" if rank + suit != "JS"]
CLUBS_HEARTS = [card[0] + {"S": "C", "D": "H"}[card[1]] for card in SPADES_DIAMONDS]


def test_piotrus_6_the_longest_fans():
    at = held("JS " + " ".join(CLUBS_HEARTS), " ".join(SPADES_DIAMONDS), discard="manual", **NEVER)
    assert [len(fan.split()) for fan in fans(at)] == [26, 25]
    assert legal(at) == [f"draw {place}" for place in range(25)]
    act(at, "draw 24")
    assert len(fans(at)[0].split()) == 27
    assert sees(at, 0)["fans"][0] == fans(at)[0].split()
    assert sees(at, 1)["fans"][1] == [*["unknown"] * 26, SPADES_DIAMONDS[24]]
    assert legal(at) == ["lay AD AH"]
    act(at, "lay AD AH")
    assert legal(at) == [f"draw {place}" for place in range(25)]


# --------------------------------------------------------------------------------------------------- 7 what a seat sees


def test_piotrus_7_1_everything_on_the_table():
    at = held("9S TS", "9C TC JS", "", "", dealer=1, deck="short", max_turns=30)
    act(at, "shuffle")
    seen = sees(at, 1)
    assert (seen["phase"], seen["turn"], seen["dealer"], seen["giver"], seen["drawer"]) == ("draw", 3, 0, 0, 3)
    assert (seen["held"], seen["place"]) == ([3, 0, 0, 2], [0, 1, 2, 0])
    assert (seen["giver_shuffled"], seen["drawer_shuffled"]) == (1, 0)
    assert (seen["turns_tens"], seen["turns_ones"], seen["turns_left"]) == (0, 1, 29)
    assert seen["fans"] == [sure(fans(at)[1], 13), sure("", 13), sure("", 13), sure("? ?", 13)]
    assert set(seen["laid"]) == set(SHORT) - {"JC", "9S", "TS", "9C", "TC", "JS"}
    assert (seen["deck"], seen["players"], seen["shuffle"], seen["discard"]) == ("short", "4", "anytime", 0)


def test_piotrus_7_2_what_a_seat_remembers():
    at = act(held("9S TS", "KS AH", "KC 9C TC AD JS", deck="short"), "offer, draw 0, shuffle")
    assert sees(at, 2)["fans"][1] == sure("? ? ?", 13)  # (c)
    assert sees(at, 2)["loose"] == [["KC"], []]
    assert sees(at, 1)["loose"] == [[], []]


def test_piotrus_7_3_who_knows_my_fan():
    at = act(held("9S TS", "KS AH", "KC 9C TC AD JS", deck="short", **NEVER), "draw 0")
    knowers = np.array(sees(at, 0)["knowers"])
    assert np.argwhere(knowers).tolist() == [[1, 2]]  # two seats clockwise, seat 2, knows my last card
    assert not np.array(sees(at, 2)["knowers"]).any()


def test_piotrus_7_4_by_subtraction():
    """Laid, mine, known elsewhere: what is left is with the others, and there are as many unknown places for it."""
    for seed in range(6):
        at, lot = opened(seed, players=2 + seed % 4, discard=("auto", "manual")[seed % 2]), random.Random(seed)
        for _ in range(40):
            if at.over != RUNNING:
                break
            seen = sees(at)
            told = [card for fan in seen["fans"] for card in fan if card not in ("unknown", "empty")]
            unknown = sum(fan.count("unknown") for fan in seen["fans"])
            assert len(set(told) | set(seen["laid"])) == len(told) + len(seen["laid"]) == 51 - unknown
            at.play(lot.choice(at.legal()))
            at.settle()


def test_piotrus_case_10_piotrus_comes_back_at_the_end_of_the_fan():
    at = act(held("5D 7C", "JS 5H 7S"), "offer, draw 0, offer")
    assert turn(at) == (1, 1, 0)
    assert sees(at, 1)["fans"][1] == sure("? ? JS", 27)
    assert sees(at, 1)["offered"][:3] == [0, 0, -1]
    assert {"draw 0", "draw 1"} < set(legal(at))
    at = shuffled(act(held("5D 7C", "JS 5H 7S"), "offer, draw 0"), "5D JS 7C")
    assert turn(at) == (1, 1, 0)
    assert sees(at, 1)["fans"][1] == sure("? ? ?", 27)
    assert sees(at, 1)["loose"] == [["JS"]]
    assert not any(sees(at, 1)["offered"])


def test_piotrus_case_11_a_known_card_goes_to_a_third():
    # A is seat 2, B seat 0, C seat 1. B takes KC, C takes 2S, A takes KC's twin, B takes JS.
    at = held("2S 3S 4S", "KS 2H 5S", "KC 2C 3C 4C 2D 5C JS", **NEVER)
    act(at, "draw 0, draw 0, draw 0, draw 5")
    assert fans(at) == ["3S 4S KC JS", "2H 5S 2S", "2C 3C 4C 2D 5C KS"]
    assert sees(at, 2)["fans"][1] == sure("? ? KC JS", 27)
    act(at, "draw 2")
    assert sees(at, 2)["fans"][1] == sure("? ? JS", 27)
    assert sees(at, 2)["fans"][2] == sure("? ? ? KC", 27)


# --------------------------------------------------------------------------------------------------- records and events


def test_piotrus_3_3_a_record_s_shuffle_lies_as_it_is_written():
    at = held(*OFFERED, deck="short")
    at.play(at.game.action_id(at.rules, "shuffle"))
    for given, words in [
        ({"seat": 0, "fan": cards("9H TS")}, "seat 0 shuffles, but it is seat 2's fan"),
        ({"seat": 2, "fan": cards("TH JS 9D 9C")}, "but seat 2 holds TH, JS, 9D, 9C, TC"),
        ({"seat": 2, "fan": cards("TH JS 9D 9C 9C")}, "but seat 2 holds"),
        ({"seat": 2, "fan": cards("TH JS 9D 9C KC")}, "but seat 2 holds"),
        ({"seat": 2, "fan": cards("TH JS 9D 9C JC")}, "JC was taken out"),
    ]:
        with pytest.raises(ValueError, match=words):
            at.advance(given)
        assert fans(at)[2] == "TH JS 9D 9C TC"
    assert at.advance({"type": "shuffle", "seat": 2, "fan": cards("TC 9C 9D JS TH")}) == SHUFFLE
    assert at.shuffled() == (2, cards("TC 9C 9D JS TH"))
    assert (fans(at)[2], at.seat) == ("TC 9C 9D JS TH", 0)


@pytest.mark.parametrize("discard", ["auto", "manual"])
def test_piotrus_3_3_records_with_shuffles_replay(discard):
    at = Table("piotrus", deck="short", discard=discard)
    lines = [line for seed in range(4) for line in record_episode(at, [Dice()] * 3, seed)]
    assert sum('"type":"shuffle"' in line for line in lines) > 10
    summary = replay(lines)
    assert summary.episodes == 4
    found = next(i for i, line in enumerate(lines) if '"type":"shuffle"' in line)
    with pytest.raises(ValueError, match=f"^line {found + 1}: "):
        replay([*lines[:found], lines[found].replace('"seat":', '"seat":1'), *lines[found + 1 :]])


def test_piotrus_4_1_events_of_an_episode_in_their_order():
    at = held("9H", "JS", "9D")
    at.play(at.legal()[0])
    assert [at.advance(), at.advance(), at.advance()] == [SCORE, END, ASKED]
