"""Tysiąc by its rule book, envs/games/tysiac.md: a position a clause, and the worked cases of its section 13.

A name holds its clause (`test_tysiac_5_2_…`) or the number of its worked case (`test_tysiac_case_5_…`). Numbers are
counted by hand: A 11, T 10, K 4, Q 3, J 2; marriages S 40, C 60, D 80, H 100.
"""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from positions import act, cards, hand, legal, moved, scores, sees, table

import karty
from karty.envs.engine import Table
from karty.envs.game import RUNNING, TERMINATED, TRUNCATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["tysiac"]
DECK = GAME.shape().deck.names
BOOK = (Path(__file__).resolve().parents[2] / "envs" / "games" / "tysiac.md").read_text(encoding="utf-8")


def plays(text):
    """The actions `play …` for these cards."""
    return [f"play {card}" for card in text.split()]


def dealt(*hands, dealer=2, **options):
    """A first deal with these hands of 7 from seat 0 on; who has none, and the talon, get what is left in order."""
    left = [card for card in DECK if card not in " ".join(hands).split()]
    hands = list(hands)
    while len(hands) < 3:
        hands.append(" ".join(left[:7]))
        left = left[7:]
    return table("tysiac", hands, dealer=dealer, piles={"talon": " ".join(left)}, **options)


def led(*hands, declarer=0, dealer=None, contract=100, **options):
    """A deal with these hands of 8 when declarer is to lead; he gave the last cards of the others' hands.

    He opened and the others passed, or with another dealer than the seat on his right he bid 110.
    """
    eights = [text.split() for text in hands]
    left, right = (declarer + 1) % 3, (declarer + 2) % 3
    gifts = [eights[left][7], eights[right][7]]
    talon = " ".join([eights[declarer][7], *gifts])
    sevens = [" ".join(eight[:7]) for eight in eights]
    dealer = right if dealer is None else dealer
    bids = {
        right: "bid 100, pass, pass",
        left: "bid 100, bid 110, pass, pass",
        declarer: "bid 100, pass, bid 110, pass",
    }
    at = table("tysiac", sevens, dealer=dealer, piles={"talon": talon}, **options)
    return act(at, f"{bids[dealer]}, give {gifts[0]}, give {gifts[1]}, contract {contract}")


def points(at):
    """What each seat has in the running deal, cards and marriages together."""
    seen = sees(at, 0)
    return [10 * tens + ones for tens, ones in zip(seen["points_tens"], seen["points_ones"], strict=True)][:3]


# --------------------------------------------------------------------------------------------- deals used several times


def lost_by_two_diamonds(last, keep, **options):
    """Seat 0 has spades with their marriage, AH TH, two diamonds (``last``), and loses those to AD and TD of seat 1.

    Seat 2 keeps two cards for these tricks. So seat 1 gets 21 points, the two diamonds and what seat 2 kept; seat 2
    takes no trick, seat 0 has the rest and 40.
    """
    x, y = last.split()
    d1, d2 = (card for card in ("KD", "QD", "JD", "9D") if card not in (x, y))
    at = led(f"AS TS KS QS AH TH {x} {y}", f"JS KH AD TD AC TC KC {d1}", f"9S QH JH 9H QC JC 9C {d2}", **options)
    a, b, c = (card for card in ("9H", "QC", "JC", "9C", d2) if card not in keep.split())
    act(at, "meld KS, play JS, play 9S, play AH, play KH, play QH, play TH, play AC, play JH")
    act(at, f"play AS, play TC, play {a}, play TS, play KC, play {b}, play QS, play {d1}, play {c}")
    first, second = keep.split()
    return act(at, f"play {x}, play AD, play {first}, play TD, play {second}, play {y}")


STRONG_SEAT_1 = ("AS TS AC TC JS JC 9H 9D", "AH KH QH AD KD QD 9S 9C", "KS QS KC QC TH JH TD JD")
TAKES_45 = """play TS, play 9S, play QS, play TC, play 9C, play KC, play JC, play AD,
    play QC, play KS, play AS, play QD, play 9H, play KH, play TH, play JD,
    play 9D, play KD, play AH, play JH, play AC, play QH, play TD, play JS"""
TAKES_60 = """play 9H, play AH, play JH, play 9S, play QS, play AS, play TS, play QD,
    play KS, play JC, play 9C, play KC, play TD, play 9D, play AD, play QH,
    play TH, play TC, play JD, play JS, play KD, play KH, play QC, play AC"""
MAKES_230 = """play AC, play 9C, play QC, play TC, play 9S, play KC, play AS, play AH,
    play KS, play 9D, play AD, play TD, meld QD, play JD, play 9H, meld KH,
    play TH, play JC, play JH, play JS, play QH, play KD, play QS, play TS"""
# Seat 1 takes in TAKES_45: 9D KD JD, AH JH AC, QH TD JS, that is 6 + 24 + 15 = 45; seats 0 and 2: 45 and 30.
# In TAKES_60: 9H AH JH, TD 9D AD, JD JS KD, KH QC AC, that is 13 + 21 + 8 + 18 = 60; seats 0 and 2: 31 and 29.
# In MAKES_230: 9D AD TD, QD JD 9H, KD QS TS … see the test.


def strong(actions, **options):
    """The deal in which seat 1 is strong, played to its end by these actions; seat 0 loses a contract of 120."""
    return act(led(*STRONG_SEAT_1, contract=120, **options), actions)


POOR = "9H 9C 9S JD JS QH JH"  # 2 + 2 + 3 + 2 = 9 points


# ---------------------------------------------------------------------------------------------------------- 1 the cards


def test_tysiac_1_1_every_trick_counts_and_all_is_120():
    at = led(*STRONG_SEAT_1)
    act(at, TAKES_45.rsplit(",", 1)[0])
    assert points(at) == [45, 30, 30]  # the last trick, QH TD JS, is still to come: 3 + 10 + 2
    assert sum(points(at)) + 15 == 120


@pytest.mark.parametrize(
    ("lower", "higher"),
    [("9S", "JS"), ("JS", "QS"), ("QS", "KS"), ("KS", "TS"), ("TS", "AS")],
    ids=["9<J", "J<Q", "Q<K", "K<T", "T<A"],
)
def test_tysiac_1_1_order_within_a_suit(lower, higher):
    others = [card for card in DECK if card not in (lower, higher) and card[1] != "S"]
    spades = [f"{rank}S" for rank in "9JQKTA" if f"{rank}S" not in (lower, higher)]
    mine = [lower, *spades, *others[:3]]
    at = led(" ".join(mine), " ".join([higher, *others[3:10]]), " ".join([*others[10:18]]))
    act(at, f"play {lower}, play {higher}")
    act(at, legal(at)[0])  # seat 2 has no spade
    assert at.seat == 1


@pytest.mark.parametrize(("suit", "value"), [("S", 40), ("C", 60), ("D", 80), ("H", 100)])
def test_tysiac_1_2_value_of_a_marriage(suit, value):
    at = led("KS QS KC QC KD QD KH QH", "AS TS JS 9S AC TC JC 9C", "AD TD JD 9D AH TH JH 9H")
    assert points(act(at, f"meld Q{suit}")) == [value, 0, 0]


def test_tysiac_1_3_the_deal_passes_clockwise_after_a_scored_deal():
    at = act(dealt(dealer=2, bomb="at_100"), "bid 100, pass, pass, bomb")
    assert (at.dealer, at.number, at.seat) == (0, 1, 1)  # a bombed deal was scored; seat 1 opens now
    at = act(dealt(dealer=0, concede=True), "bid 100, pass, pass, concede")
    assert (at.dealer, at.number, at.seat) == (1, 1, 2)
    at = lost_by_two_diamonds("JD 9D", "QD QC")
    assert (at.dealer, at.number, at.seat) == (0, 1, 1)


def test_tysiac_1_3_a_redeal_keeps_dealer_and_number_and_is_not_scored():
    at = act(dealt("AS TS KS AC TC KC AD", POOR, dealer=2, redeal_points=10, max_deals=1), "bid 100, redeal")
    assert (at.dealer, at.number, at.seat, at.over) == (2, 0, 0, RUNNING)
    assert scores(at) == [0, 0, 0]
    assert legal(at)[0] == "bid 100"
    assert [hand(at, seat) for seat in range(3)] != [[], [], []]
    assert hand(at, 1) != [card for card in DECK if card in POOR.split()]  # other cards


def test_tysiac_1_3_bombs_stay_over_a_redeal():
    at = dealt(POOR, dealer=2, redeal_points=10, bomb="at_100", bombs=1)
    at = act(
        at,
        "bid 100, pass, pass, bomb",
        given={"hands": [POOR.split(), DECK_TOP[:7], DECK_TOP[7:14]], "talon": DECK_TOP[14:]},
    )
    assert sees(at, 0)["bombs_left"][:3] == [0, 1, 1]
    act(at, "bid 100, pass, redeal")
    assert sees(at, 0)["bombs_left"][:3] == [0, 1, 1]
    assert sees(at, 0)["redeals"] == 1


DECK_TOP = [card for card in DECK if card not in POOR.split()]


# --------------------------------------------------------------------------------------------------------- 2 the tables


def test_tysiac_case_1_seven_each_three_in_the_talon_and_eight_after_giving():
    at = dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH")
    assert [len(hand(at, seat)) for seat in range(3)] == [7, 7, 7]
    assert [len(pile) for pile in at.dealt()["hands"]] == [7, 7, 7]
    assert at.dealt()["talon"] == ["KH", "TH", "AH"]
    act(at, "bid 100, pass, pass")
    assert [len(hand(at, seat)) for seat in range(3)] == [10, 7, 7]
    act(at, "give KH, give TH")
    assert [len(hand(at, seat)) for seat in range(3)] == [8, 8, 8]


def test_tysiac_2_there_is_no_other_table():
    with pytest.raises(
        ValueError, match=r"^tysiac: option table='5p' is not allowed; allowed: 3p, 2p_pairs, .*, 4p_teams$"
    ):
        Table("tysiac", table="5p")


# -------------------------------------------------------------------------------------------------------- 3 the auction


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_tysiac_3_1_left_of_the_dealer_must_open_with_100(dealer):
    at = dealt("9S 9C 9D 9H JS JC JD", dealer=dealer)
    assert at.seat == (dealer + 1) % 3
    assert legal(at) == ["bid 100"]


def test_tysiac_3_1_who_has_passed_is_out_and_the_others_go_on():
    at = act(dealt(bid_cap="free"), "bid 100, bid 110, pass")
    assert at.seat == 0
    act(at, "bid 120")
    assert at.seat == 1
    act(at, "bid 130, pass")
    assert (at.seat, sees(at)["declarer"], sees(at)["phase"]) == (1, 0, "give")


def test_tysiac_3_1_a_seat_that_can_only_pass_is_asked():
    at = act(dealt("9S 9C JS JC AS AC AD", "9D JD KD TD TS TC AH", "9H QH JH TH QS QC KS"), "bid 100, bid 120")
    assert (at.seat, legal(at)) == (2, ["pass", "bid 130", "bid 140", "bid 150", "bid 160"])
    at = act(dealt("9S 9C JS JC AS AC AD", "9D JD KD TD TS TC AH", "9H QH JH TH QS QC KC"), "bid 100, bid 120, pass")
    assert (at.seat, legal(at)) == (0, ["pass"])


def test_tysiac_3_2_any_higher_ten_or_exactly_ten_more():
    any_step = act(dealt(bid_cap="free"), "bid 100")
    assert legal(any_step) == ["pass", *(f"bid {bid}" for bid in range(110, 361, 10))]
    assert legal(act(any_step, "bid 200")) == ["pass", *(f"bid {bid}" for bid in range(210, 361, 10))]
    ten = act(dealt(bid_cap="free", bid_step="ten"), "bid 100")
    assert legal(ten) == ["pass", "bid 110"]
    assert legal(act(ten, "bid 110, bid 120")) == ["pass", "bid 130"]


CAPS = {
    "AS KS TS AC KC TC AD": 120,
    "KS QS 9S AC TC AD AH": 160,
    "KC QC 9S AC TC AD AH": 180,
    "KD QD KH QH 9S AS AC": 300,
    "KD QD KH QH KC QC 9S": 360,
}


@pytest.mark.parametrize("held", CAPS)
def test_tysiac_case_2_highest_bid_with_these_cards(held):
    left = " ".join([card for card in DECK if card not in held.split()][:7])
    at = act(dealt(left, held), "bid 100")
    assert legal(at)[-1] == f"bid {CAPS[held]}"


@pytest.mark.parametrize("held", CAPS)
def test_tysiac_3_3_cap_marriage_is_120_without_one_and_none_with_one(held):
    left = " ".join([card for card in DECK if card not in held.split()][:7])
    at = act(dealt(left, held, bid_cap="marriage"), "bid 100")
    assert legal(at)[-1] == ("bid 120" if CAPS[held] == 120 else "bid 360")


def test_tysiac_3_3_free_bids_go_to_360_and_no_further():
    at = act(dealt("AS KS TS AC KC TC AD", bid_cap="free"), "bid 100, bid 350, pass")
    assert legal(at) == ["pass", "bid 360"]
    act(at, "bid 360")
    assert legal(at) == ["pass"]


def test_tysiac_case_3_opener_alone_declares_at_100_and_the_talon_is_not_shown():
    at = act(dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH"), "bid 100, pass, pass")
    assert (at.seat, sees(at)["bid"][0]) == (0, 10)
    assert [sees(at, seat)["talon"] for seat in range(3)] == [["KH", "TH", "AH"], [], []]


def test_tysiac_case_4_second_declares_at_110_and_the_talon_is_shown():
    at = act(
        dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH"), "bid 100, bid 110, pass, pass"
    )
    assert (at.seat, sees(at)["bid"][0]) == (1, 11)
    assert [sees(at, seat)["talon"] for seat in range(3)] == [["KH", "TH", "AH"]] * 3


# -------------------------------------------------------------------------------------------- 4 talon, giving, contract


@pytest.mark.parametrize(("show", "at_100", "at_110"), [("above_100", 0, 1), ("always", 1, 1), ("never", 0, 0)])
def test_tysiac_4_1_when_the_talon_is_shown(show, at_100, at_110):
    at = act(dealt(show_talon=show), "bid 100, pass, pass")
    assert [len(sees(at, seat)["talon"]) for seat in range(3)] == [3, 3 * at_100, 3 * at_100]
    at = act(dealt(show_talon=show), "bid 100, bid 110, pass, pass")
    assert [len(sees(at, seat)["talon"]) for seat in range(3)] == [3 * at_110, 3, 3 * at_110]


def test_tysiac_4_2_one_card_to_each_clockwise_and_only_two_know_it():
    at = dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH", dealer=0)
    act(at, "bid 100, pass, pass")  # seat 1 declares
    assert legal(at) == [f"give {card}" for card in cards("JC QC KC TC AC 9D JD KH TH AH")]
    before = at.observe(0)[at.shape.observation["hand"].slice].copy()
    act(at, "give 9D")  # to seat 2
    assert "9D" in hand(at, 2)
    assert (before == at.observe(0)[at.shape.observation["hand"].slice]).all()
    act(at, "give JD")  # to seat 0
    assert "JD" in hand(at, 0)
    assert (sees(at, 1)["gave"], sees(at, 1)["got"]) == (["9D", "JD"], [])
    assert (sees(at, 2)["gave"], sees(at, 2)["got"]) == ([], ["9D"])
    assert (sees(at, 0)["gave"], sees(at, 0)["got"]) == ([], ["JD"])
    assert sees(at, 1)["holding"][:2] == [{"9D": 1}, {"JD": 1}]  # declarer knows where they are
    assert sees(at, 0)["holding"][:2] == [{}, {}]
    assert sees(at, 2)["holding"][:2] == [{}, {}]


def contracts(low, high):
    return [f"contract {contract}" for contract in range(low, high + 1, 10)]


def test_tysiac_4_3_contract_from_the_bid_to_the_cap_of_the_hand_as_it_is_now():
    hands = ("KH QH 9S 9C 9D JS JC", "AS TS KS QS JD QD KD", "AC TC KC QC AD TD JH")  # talon 9H TH AH
    at = act(dealt(*hands), "bid 100, pass, pass, give 9S, give 9C")
    assert legal(at) == contracts(100, 220)
    at = act(dealt(*hands), "bid 100, pass, pass, give 9S, give KH")
    assert legal(at) == contracts(100, 120)  # the marriage was given away
    at = act(dealt(*hands), "bid 100, bid 110, bid 160, pass, pass, give JH, give 9H")
    assert legal(at) == contracts(160, 180)
    at = act(dealt(*hands), "bid 100, bid 110, bid 160, pass, pass, give JH, give QC")
    assert legal(at) == contracts(160, 160)  # the cap is 120 now, his bid is higher


@pytest.mark.parametrize("cap", ["marriage", "free"])
def test_tysiac_4_3_with_another_cap_the_contract_has_no_limit_but_360(cap):
    at = act(dealt("AS KS TS AC KC TC AD", bid_cap=cap), "bid 100, pass, pass, give AS, give KS")
    assert legal(at) == contracts(100, 360)


def test_tysiac_4_3_a_talon_marriage_counts():
    at = dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH")  # talon KH TH AH
    act(at, "bid 100, pass, pass, give 9S, give 9C")
    assert legal(at) == contracts(100, 160)  # spades 40
    at = dealt("9S JS QS KS TS AS QH", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH 9C")
    act(at, "bid 100, pass, pass, give 9S, give JS")
    assert legal(at) == contracts(100, 260)  # spades 40, hearts 100


@pytest.mark.parametrize("cap", ["hand", "marriage", "free"])
def test_tysiac_case_25_contracts_above_360_are_never_offered(cap):
    # All four marriages would make 120 + 280 = 400.
    at = dealt("KS QS KC QC KD QD KH", "9S JS 9C JC 9D JD 9H", "AS TS AC TC AD TD AH", bid_cap=cap)
    act(at, "bid 100, pass, pass, give JH, give TH")
    assert legal(at) == contracts(100, 360)


@pytest.mark.parametrize("last", ["bomb", "concede"])
def test_tysiac_4_4_bomb_and_concession_stand_beside_the_first_give_only(last):
    at = act(dealt(bomb="any", concede=True), "bid 100, pass")
    assert last not in legal(at)
    act(at, "pass")
    assert legal(at)[-2:] == ["bomb", "concede"]
    assert len(legal(at)) == 10 + 2
    act(at, legal(at)[0])
    assert last not in legal(at)
    act(at, legal(at)[0])
    assert last not in legal(at)
    act(at, "contract 100")
    assert last not in legal(at)


CLAIM = ("AS TS KS QS AH TH AD AC", "JS KC QC JC KD QD KH QH", "9S 9C TC JD 9D TD JH 9H")


def test_tysiac_case_24_claim_scores_all_tricks_and_the_marriage():
    at = led(*CLAIM, contract=160, claim=True)
    assert legal(at)[-1] == "claim"
    act(at, "claim")
    assert moved(at) == [160, 0, 0]  # 120 + 40 is just enough
    at = led(*CLAIM, contract=170, claim=True, bid_cap="free")
    assert moved(act(at, "claim")) == [-170, 0, 0]


def test_tysiac_4_5_claim_only_with_the_option_and_only_as_the_first_lead():
    assert "claim" not in legal(led(*CLAIM))
    at = act(led(*CLAIM, claim=True), "play AD, play KD, play 9D")
    assert at.seat == 0
    assert "claim" not in legal(at)  # though AS TS KS QS AH TH AC would still take every trick


@pytest.mark.parametrize(
    ("held", "offered"),
    [
        ("AS TS KS QS AH TH AD AC", True),  # the worked case
        ("AS TS KS 9S AH TH AD AC", True),  # run of 3, as many as QS, JS outside and one more
        ("AS TS 9S AC TC KC AH TH", False),  # run of 2 against KS, QS, JS
        ("AS TS JS 9S AC TC AD AH", True),  # run of 2 against KS, QS
        ("AS KS QS JS 9S AC AD AH", True),  # run of 1 against TS alone
        ("TS KS QS JS 9S AC AD AH", False),  # no run against AS
        ("AS QS AC TC KC AH TH KH", False),  # run of 1 against T K J 9 of spades; no diamonds, that is no matter
        ("AS AC TC KC QC AH TH KH", True),  # the ace stands above all; no diamonds
        ("AS TS KS QS JS 9S AC KC", False),  # run of 1 against T Q J 9 of clubs
        ("AS TS KS QS JS 9S AC TC", True),
    ],
)
def test_tysiac_4_5_a_claim_must_hold_against_any_distribution(held, offered):
    left = [card for card in DECK if card not in held.split()]
    at = led(held, " ".join(left[:8]), " ".join(left[8:]), claim=True)
    assert ("claim" in legal(at)) is offered


def test_tysiac_4_5_a_claim_shows_the_hand_and_leaves_the_others_nothing():
    at = act(led(*CLAIM, claim=True, episode="deal"), "claim")
    assert at.over == TERMINATED
    seen = sees(at, 1)
    assert {card for card, known in seen["holding"][1].items() if known == 1} == set(
        CLAIM[0].split()
    )  # across, by two seats
    assert seen["melded"][2] == [1, 0, 0, 0]
    assert (seen["tricks"], points(at)) == ([0, 0, 8, 0], [160, 0, 0])


# --------------------------------------------------------------------------------------------------------------- 5 play


@pytest.mark.parametrize("declarer", [0, 1, 2])
def test_tysiac_5_1_declarer_leads_and_then_the_winner_of_the_trick(declarer):
    hands = ["9S JS QS KS TS 9C 9D 9H", "AS JC QC KC TC AC JD QD", "KD TD AD JH QH KH TH AH"]
    turned = [hands[(seat - declarer) % 3] for seat in range(3)]
    at = led(*turned, declarer=declarer)
    assert at.seat == declarer
    act(at, "play 9S, play AS")
    act(at, "play KD")
    assert at.seat == (declarer + 1) % 3
    act(at, "play JC, play TD, play 9C")
    assert at.seat == (declarer + 1) % 3


def test_tysiac_case_5_trumped_and_holding_the_suit_any_card_of_it():
    hands = ("QH KH TH 9H AS TD 9D AC", "KD QD JD KS QS JS QC JC", "JH AH AD 9S TS 9C TC KC")
    at = act(led(*hands, declarer=1), "meld QD, play AD, play 9D, play 9S, play AS, play JS, play QH, play JD")
    assert (at.seat, legal(at)) == (2, plays("JH AH"))


def test_tysiac_case_5_trumped_and_void_a_higher_trump_is_forced():
    hands = ("QH KH TH 9H JH AH AS AC", "KD QD JD KS QS JS QC JC", "TD 9D AD 9S TS 9C TC KC")
    at = act(led(*hands, declarer=1), "meld QD, play AD, play 9H, play 9S, play AS, play JS, play QH, play JD")
    assert (at.seat, legal(at)) == (2, plays("TD"))


def test_tysiac_case_5_trumped_and_void_without_a_higher_trump_any_card():
    hands = ("QH KH TH 9H JH AH AD AS", "KD QD JD KS QS JS QC JC", "9D TD AC 9S TS 9C TC KC")
    at = act(led(*hands, declarer=1), "meld QD, play TD, play AD, play QH, play JD")
    assert (at.seat, legal(at)) == (2, plays("9S TS 9C KC TC AC 9D"))


def test_tysiac_case_6_who_cannot_beat_must_still_follow():
    at = led("9S 9C 9D 9H JC JD JH QC", "AS KS QS AC AD AH TC TD", "TS JS KC KD QD KH QH TH")
    act(at, "play 9S, play AS")
    assert legal(at) == plays("JS TS")


def test_tysiac_case_7_must_beat_the_best_card():
    at = led("JS KS AS 9C 9D JC JD QC", "9S AC TC KC AD TD KD QD", "QS TS 9H JH QH KH TH AH")
    act(at, "play JS")
    assert legal(at) == plays("9S")  # nothing higher
    act(at, "play 9S")
    assert legal(at) == plays("QS TS")


def test_tysiac_case_8_void_and_no_trump_any_card():
    at = led("9C JS KS AS 9D JC JD QC", "9S AC TC KC AD TD KD QD", "QS TS 9H JH QH KH TH AH")
    act(at, "play 9C, play TC")
    assert legal(at) == plays("QS TS 9H JH QH KH TH AH")


def test_tysiac_5_2_void_and_a_trump_is_set_any_trump():
    at = led("KS QS AS 9H 9C 9D QD JH", "AC TC KC QC JC AD TD KD", "9S JS TS JD QH KH TH AH")
    act(at, "meld KS, play JC, play TS, play JD, play QD, play AD, play AC")
    assert (at.seat, legal(at)) == (2, plays("9S JS"))


def test_tysiac_5_2_trump_led_void_any_card():
    at = led("KS QS AS TS JS 9S 9H JH", "AC TC KC QC JC AD TD KD", "9C 9D QD JD QH KH TH AH")
    act(at, "meld QS")
    assert legal(at) == plays("JC QC KC TC AC KD TD AD")


def test_tysiac_case_9_hearts_are_trump_in_the_trick_of_their_marriage():
    at = led("QH KH 9S 9C 9D JS JC JD", "AS TS KS QS AC TC AD TD", "9H JH TH AH KC QC KD QD")
    act(at, "meld QH")
    assert (points(at), sees(at)["trump"]) == ([100, 0, 0], "H")
    assert legal(at) == plays("QS KS TS AS TC AC TD AD")  # no hearts, no trumps
    act(at, "play AS")
    assert legal(at) == plays("TH AH")  # must beat the queen
    act(at, "play TH")
    assert at.seat == 2  # 5.3: not the ace of spades


def test_tysiac_5_3_highest_trump_else_highest_of_the_led_suit():
    # Spades trump. Seat 1 trumps the club with 9S, seat 2 lays the ace of clubs: seat 1 takes it.
    at = led("KS QS AS TS 9C 9D 9H JH", "9S JS QD JD QH KH TH AH", "AC TC KC QC JC AD TD KD")
    act(at, "meld KS, play 9S, play AD, play 9C, play JS, play AC")
    assert at.seat == 1
    act(at, "play AH, play TD, play 9H, play QD, play KD, play 9D")
    assert at.seat == 2  # KD over QD


def test_tysiac_case_10_a_king_led_without_melding_scores_nothing_then_or_later():
    at = led("AS TS KS QS AC TC 9D 9H", "JS KC QC KD QD KH QH JH", "9S JC 9C AD TD JD AH TH")
    assert {"play KS", "meld KS", "play QS", "meld QS"} <= set(legal(at))
    act(at, "play KS")
    assert (points(at), sees(at)["trump"]) == ([0, 0, 0], "")
    act(at, "play JS, play 9S")
    assert (at.seat, points(at)) == (0, [6, 0, 0])
    assert [name for name in legal(at) if "S" in name] == plays("QS TS AS")


def test_tysiac_case_11_a_later_marriage_of_the_same_seat_scores_and_changes_the_trump():
    at = led("KS QS KH QH AS TS AH TH", "JS JH AC TC KC AD TD KD", "9S 9H QC JC 9C QD JD 9D")
    act(at, "meld KS")
    assert (points(at), sees(at)["trump"]) == ([40, 0, 0], "S")
    act(at, "play JS, play 9S, meld KH")
    assert (points(at), sees(at)["trump"]) == ([40 + 6 + 100, 0, 0], "H")
    assert sees(at, 0)["melded"][0] == [1, 0, 0, 1]


def test_tysiac_5_4_who_leads_with_king_and_queen_may_meld_with_either_or_with_the_queen():
    hands = ("KS QS KH QD AS TS AH TH", "JS JH AC TC KC AD TD KD", "9S 9H QC JC 9C QH JD 9D")
    melds = [name for name in legal(led(*hands)) if name.startswith("meld")]
    assert melds == ["meld QS", "meld KS"]
    melds = [name for name in legal(led(*hands, meld_with="queen")) if name.startswith("meld")]
    assert melds == ["meld QS"]


def test_tysiac_5_4_only_the_seat_that_leads_may_meld_and_not_declarer_alone():
    at = led("9S 9C 9D 9H JS JC JD JH", "AS KS QS TC KC AD TD KD", "TS AC QC QD KH QH TH AH")
    act(at, "play 9S")
    assert legal(at) == plays("QS KS AS")
    act(at, "play AS, play TS")
    assert [name for name in legal(at) if name.startswith("meld")] == ["meld QS", "meld KS"]
    assert points(act(at, "meld KS"))[1] == 11 + 10 + 40


def test_tysiac_5_5_a_marriage_counts_though_its_owner_takes_no_trick():
    at = led("KS QS 9C 9D 9H JC JD JH", "AS AC TC KC AD TD KD AH", "TS JS 9S QC QD KH QH TH")
    act(
        at, "meld KS, play AS, play 9S, play AC, play QC, play 9C, play TC, play TS, play JC, play QH, play 9H, play AH"
    )
    assert sees(at, 0)["tricks"][0] == 0
    assert points(at)[0] == 40


# ------------------------------------------------------------------------------------------------------------ 6 scoring


def test_tysiac_case_12_contract_150_with_147_made_is_lost():
    # Seat 1 takes the last trick, JD AD 9D: 13. So declarer has 107 and his spades 40.
    at = led("AS TS KS QS AH TH AC JD", "JS KH QH TC KC AD TD KD", "9S JH 9H QC JC 9C QD 9D", contract=150)
    act(
        at, "meld KS, play JS, play 9S, play AH, play KH, play JH, play TH, play QH, play 9H, play AC, play KC, play JC"
    )
    act(
        at, "play AS, play TC, play QC, play TS, play TD, play 9C, play QS, play KD, play QD, play JD, play AD, play 9D"
    )
    assert moved(at) == [-150, 10, 0]


def test_tysiac_case_12_contract_120_with_131_made_counts_120():
    # Seat 1 takes JD AD QD and TD QC 9D: 16 + 13 = 29. So declarer has 91 and his spades 40.
    assert moved(lost_by_two_diamonds("JD 9D", "QD QC", contract=120)) == [120, 30, 0]


@pytest.mark.parametrize(("contract", "change"), [(130, 130), (140, -140)])
def test_tysiac_6_1_declarer_is_counted_unrounded(contract, change):
    # Seat 1 takes JD AD JC and TD 9C 9D: 25. So declarer has 95 and his spades 40: 135.
    assert moved(lost_by_two_diamonds("JD 9D", "JC 9C", contract=contract, rounding="half_up"))[0] == change


@pytest.mark.parametrize(
    ("rounding", "change"), [("half_down", [230, 20]), ("half_up", [230, 20]), ("exact", [230, 16])]
)
def test_tysiac_6_2_others_score_cards_and_marriages(rounding, change):
    # Seat 1 has 50 in cards and 180 in marriages, seat 2 takes KH TH JC: 16.
    assert moved(strong(MAKES_230, rounding=rounding))[1:] == change


@pytest.mark.parametrize("made", [24, 25, 26])
def test_tysiac_case_13_rounding(made):
    last, keep = {24: ("QD 9D", "9H 9C"), 25: ("JD 9D", "JC 9C"), 26: ("QD 9D", "JC 9C")}[made]
    wanted = {
        "half_down": {24: 20, 25: 20, 26: 30},
        "half_up": {24: 20, 25: 30, 26: 30},
        "exact": {24: 24, 25: 25, 26: 26},
    }
    for rounding, points_of in wanted.items():
        assert moved(lost_by_two_diamonds(last, keep, rounding=rounding)) == [100, points_of[made], 0]


def test_tysiac_case_14_from_800_on_only_declarer_scores():
    at = strong(TAKES_45, start=[0, 810, 0])
    assert (moved(at), scores(at)) == ([-120, 0, 30], [-120, 810, 30])
    at = strong(TAKES_45, start=[0, 790, 0])
    assert scores(at) == [-120, 830, 30]  # 45 rounded down


def test_tysiac_case_14_below_800_again_he_scores_as_an_outsider_again():
    at = strong(TAKES_45, start=[810, 0, 0], bomb="at_100")
    assert scores(at) == [690, 40, 30]
    act(at, "bid 100, pass, pass, bomb")  # seat 1 declares and drops out: 60 for each other seat
    assert scores(at) == [750, 40, 90]


@pytest.mark.parametrize(
    ("threshold", "score", "gain"), [(800, 799, 40), (800, 800, 0), (900, 800, 40), (900, 900, 0), (None, 900, 40)]
)
def test_tysiac_6_3_the_threshold_counts_from_its_value_on(threshold, score, gain):
    at = strong(TAKES_45, start=[0, score, 0], threshold=threshold)
    assert scores(at)[1] == score + gain


@pytest.mark.parametrize(("start", "penalty", "change"), [(800, 100, -100), (790, 100, 0), (800, 0, 0)])
def test_tysiac_6_3_no_trick_above_the_threshold_costs_100(start, penalty, change):
    at = lost_by_two_diamonds("JD 9D", "JC 9C", start=[0, 800, start], no_trick_penalty=penalty)
    assert moved(at) == [100, 0, change]  # seat 1 is held too, but has two tricks


def test_tysiac_6_3_no_trick_penalty_after_a_claim_but_not_after_a_bomb_or_concession():
    at = led(*CLAIM, claim=True, no_trick_penalty=100, start=[0, 800, 790])
    assert moved(act(at, "claim")) == [100, -100, 0]
    for ending in ("bomb", "concede"):
        at = act(
            dealt(bomb="any", concede=True, no_trick_penalty=100, start=[0, 800, 0]), f"bid 100, pass, pass, {ending}"
        )
        assert moved(at)[1] == 0


@pytest.mark.parametrize(("score", "change"), [(810, 0), (790, 100)])
def test_tysiac_6_3_finish_with_marriage_needs_a_meld_above_the_threshold(score, change):
    hands = ("AS TS KS QS AH TH AD AC", "JS KC QC JC KD QD KH QH", "9S 9C TC JD 9D TD JH 9H")
    tail = """play AH, play KH, play JH, play TH, play QH, play 9H, play AD, play KD,
        play JD, play AC, play KC, play 9C, play AS, play JS, play 9S, play TS,
        play JC, play TC, {0} KS, play QC, play 9D, play QS, play QD, play TD"""
    options = {"finish_with_marriage": True, "start": [score, 0, 0], "max_deals": 5}
    assert moved(act(led(*hands, **options), tail.format("play"))) == [change, 0, 0]
    assert moved(act(led(*hands, **options), tail.format("meld"))) == [100, 0, 0]


def test_tysiac_6_3_finish_with_marriage_a_failed_contract_is_still_subtracted():
    at = strong(TAKES_45, start=[810, 0, 0], finish_with_marriage=True)
    assert moved(at) == [-120, 40, 30]


def test_tysiac_case_15_outsider_below_the_threshold_may_pass_it():
    at = strong(TAKES_60, start=[0, 780, 0])
    assert scores(at) == [-120, 840, 30]


@pytest.mark.parametrize(("at_1000", "score"), [("cap", 990), ("nothing", 790), ("wins", 1020)])
def test_tysiac_case_15_outsider_at_1000(at_1000, score):
    # 9D AD TD, QD JD 9H, JH JS QH, KD QS TS: 21 + 5 + 7 + 17 = 50; diamonds 80, hearts 100.
    at = strong(MAKES_230, start=[0, 790, 0], threshold=None, outsider_at_1000=at_1000)
    assert scores(at) == [-120, score, 20]
    assert at.over == (TERMINATED if at_1000 == "wins" else RUNNING)
    if at_1000 == "wins":
        assert at.returns()[0].tolist() == [-0.5, 1.0, -0.5]


def test_tysiac_6_4_the_cap_leaves_more_than_990_as_it_was():
    at = strong(TAKES_45, start=[0, 995, 0], threshold=None)
    assert scores(at)[1] == 995


def test_tysiac_case_16_declarer_reaches_1000_and_wins():
    at = lost_by_two_diamonds("JD 9D", "JC 9C", start=[900, 0, 0])
    assert (scores(at), at.over) == ([1000, 20, 0], TERMINATED)
    assert at.returns()[0].tolist() == [1.0, -0.5, -0.5]


@pytest.mark.parametrize(
    ("start", "winner"),
    [
        ([900, 980, 0], 0),  # 1000 and 1000: declarer
        ([900, 990, 0], 1),  # 1000 and 1010: the higher
    ],
)
def test_tysiac_6_4_the_highest_of_several_wins_else_declarer_else_clockwise(start, winner):
    at = lost_by_two_diamonds("JD 9D", "JC 9C", start=start, threshold=None, outsider_at_1000="wins")  # +100, +20, 0
    assert at.over == TERMINATED
    assert at.returns()[0][winner] == 1.0


@pytest.mark.parametrize("dealer", [0, 1, 2])
def test_tysiac_6_4_declarer_wins_a_tie_wherever_he_sits(dealer):
    options = {"threshold": None, "outsider_at_1000": "wins", "start": [890, 980, 0], "contract": 110}
    at = lost_by_two_diamonds("JD 9D", "JC 9C", dealer=dealer, **options)  # +110, +20, 0
    assert scores(at) == [1000, 1000, 0]
    assert at.returns()[0].tolist() == [1.0, -0.5, -0.5]


@pytest.mark.parametrize(("dealer", "winner"), [(0, 1), (1, 2), (2, 1)])
def test_tysiac_6_4_a_tie_of_others_goes_clockwise_from_the_dealer_s_left(dealer, winner):
    options = {"threshold": None, "outsider_at_1000": "wins", "start": [0, 960, 970]}
    at = strong(TAKES_45, dealer=dealer, **options)  # -120, +40, +30
    assert scores(at) == [-120, 1000, 1000]
    assert at.returns()[0][winner] == 1.0


def test_tysiac_6_4_all_scores_are_written_before_the_end_is_tested():
    at = strong(TAKES_45, start=[0, 960, 0], threshold=None, outsider_at_1000="wins")
    assert (scores(at), at.over) == ([-120, 1000, 30], TERMINATED)


def test_tysiac_6_6_a_deal_pays_my_change_less_the_mean_of_the_others():
    at = lost_by_two_diamonds("JD 9D", "QD QC", contract=120, episode="deal")  # +120, +30, 0
    assert at.over == TERMINATED
    reward, points_won = at.returns()
    assert points_won.tolist() == [120, 30, 0]
    assert reward == pytest.approx([1.05, -0.30, -0.75])  # 120 - 15, 30 - 60, 0 - 75


def test_tysiac_6_6_start_scores():
    def starts(**options):
        at = Table("tysiac", **options)
        return np.array([at.reset(seed) or at.start for seed in range(300)])

    assert not starts(episode="deal").any()
    assert not starts(episode="match", start_scores="random").any()
    drawn = starts(episode="deal", start_scores="random")
    assert (drawn % 10 == 0).all()
    assert (drawn.min(), drawn.max()) == (-300, 990)
    # 900 draws of 130 values with mean 345 and deviation 375: each seat's mean lies within 4 x 375 / sqrt(300) = 87.
    assert (abs(drawn.mean(0) - 345) < 87).all()
    assert np.unique(drawn).size > 120
    assert (drawn[:, 0] != drawn[:, 1]).mean() > 0.9


def test_tysiac_6_7_a_match_is_truncated_after_max_deals():
    at = strong(TAKES_45, max_deals=1)
    assert (scores(at), at.over) == ([-120, 40, 30], TRUNCATED)
    assert at.returns()[0].tolist() == [0, 0, 0]
    at = act(dealt(bomb="at_100", max_deals=2), "bid 100, pass, pass, bomb")
    assert at.over == RUNNING
    assert act(at, "bid 100, pass, pass, bomb").over == TRUNCATED


def test_tysiac_6_7_a_match_won_in_its_last_allowed_deal_is_terminated():
    at = lost_by_two_diamonds("JD 9D", "JC 9C", start=[900, 0, 0], max_deals=1)
    assert at.over == TERMINATED


# --------------------------------------------------------------------------------------------- 8 redeal, 9 dropping out


REDEAL = {
    "9S 9C 9D 9H AS AC TD": {10, 18},  # 32 points, but four nines
    "9S 9C 9D 9H AS KH QH": set(),  # four nines and a marriage
    "9H 9C 9S JD JS QH JH": {10, 18},  # 9
    "9H 9C 9S JD JS QH TH": {18},  # 17
    "9H 9C 9S JD JS JC KH": {18},  # exactly 10
    "9H 9C 9S JD JS TH KC": set(),  # exactly 18
    "9H 9C 9S JD JS QH KH": set(),  # 11, and a marriage
}


@pytest.mark.parametrize("held", REDEAL)
def test_tysiac_case_18_who_may_ask_for_a_redeal(held):
    for limit in (0, 10, 18):
        may = limit in REDEAL[held]
        opener = dealt(held, redeal_points=limit)
        assert legal(opener) == ["bid 100", *["redeal"] * may]
        left = " ".join([card for card in DECK if card not in held.split()][:7])
        second = act(dealt(left, held, redeal_points=limit), "bid 100")
        assert ("redeal" in legal(second)) is may


@pytest.mark.parametrize("call", ["bid 110", "pass"])
def test_tysiac_8_bidding_or_passing_forgoes_it(call):
    left = [card for card in DECK if card not in POOR.split()]
    at = act(dealt(" ".join(left[:7]), POOR, " ".join(left[7:14]), redeal_points=10), f"bid 100, {call}")
    act(at, "pass" if call == "pass" else "bid 120, pass")
    assert "redeal" not in legal(at)
    assert at.seat == (0 if call == "pass" else 1)


def test_tysiac_case_17_bomb_at_100():
    at = act(dealt(bomb="at_100"), "bid 100, pass, pass, bomb")
    assert moved(at) == [0, 60, 60]
    assert "bomb" not in legal(act(dealt(bomb="at_100"), "bid 100, bid 110, pass, pass"))


def test_tysiac_case_17_bomb_any_at_210():
    at = act(dealt(bomb="any", bid_cap="free"), "bid 100, bid 210, pass, pass, bomb")
    assert moved(at) == [110, 0, 110]
    at = act(dealt(bomb="any", bid_cap="free"), "bid 100, bid 200, pass, pass, bomb")
    assert moved(at) == [100, 0, 100]
    assert moved(act(dealt(bomb="any"), "bid 100, pass, pass, bomb")) == [0, 50, 50]


def test_tysiac_case_17_concede_at_120():
    at = act(dealt(concede=True), "bid 100, bid 110, bid 120, pass, pass, concede")
    assert moved(at) == [40, 40, -120]
    at = act(dealt(concede=True, bid_cap="free"), "bid 100, bid 130, pass, pass")
    assert "concede" not in legal(at)


def test_tysiac_9_1_to_120_and_none():
    at = act(dealt(bomb="to_120"), "bid 100, bid 120, pass, pass, bomb")
    assert moved(at) == [60, 0, 60]
    assert "bomb" not in legal(act(dealt(bomb="to_120", bid_cap="free"), "bid 100, bid 130, pass, pass"))
    assert "bomb" not in legal(act(dealt(), "bid 100, pass, pass"))


@pytest.mark.parametrize(("bombs", "thrown"), [(1, 1), (2, 2), (0, 4)])
def test_tysiac_9_1_bombs_of_a_seat_in_a_match(bombs, thrown):
    at = dealt(bomb="at_100", bombs=bombs)
    for number in range(4):
        act(at, "bid 100, pass, pass")
        assert at.seat == number % 3
        assert ("bomb" in legal(at)) is (number // 3 < thrown)  # seat 0 declares in deals 0 and 3
        left = max(bombs - number // 3, 0) if bombs else 3
        assert sees(at)["bombs_left"][0] == left
        act(at, "bomb" if "bomb" in legal(at) else "give " + legal(at)[0].split()[1])


def test_tysiac_9_2_a_seat_held_gets_nothing_and_the_cap_holds():
    at = act(dealt(bomb="at_100", start=[0, 800, 790]), "bid 100, pass, pass, bomb")
    assert scores(at) == [0, 800, 850]
    at = act(dealt(bomb="at_100", start=[0, 960, 0], threshold=None), "bid 100, pass, pass, bomb")
    assert scores(at) == [0, 990, 60]
    at = act(dealt(concede=True, start=[0, 970, 800], threshold=900), "bid 100, pass, pass, concede")
    assert scores(at) == [-100, 970, 840]


def test_tysiac_9_3_off_by_default():
    assert "concede" not in legal(act(dealt(), "bid 100, pass, pass"))


# ----------------------------------------------------------------------------------------------- 10 options, 11 actions


def book_table(section):
    """The rows of a section's table in the rule book, cells without their marks."""
    text = BOOK[BOOK.index(f"\n## {section} ") :].split("\n## ")[1]
    rows = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().strip("`") for cell in row.strip("|").split("|")] for row in rows][2:]


def test_tysiac_10_the_options_are_those_of_the_book():
    values = {
        "table": tuple(row[0].split("`")[0] for row in book_table(2)),
        "bomb": ("none", "at_100", "to_120", "any"),  # 9.1
        "bombs": (1, 2, 0),
    }
    read = {"None": None, "True": True, "False": False}

    def value(text):
        return read.get(text, int(text) if text.lstrip("-").isdigit() else text)

    book = {}
    for name, allowed, default in book_table(10):
        for option, its in zip(name.replace("`", "").split(", "), default.split(", "), strict=True):
            is_bool = allowed == "bool"
            book[option] = (
                value(its),
                values.get(option) or ((False, True) if is_bool else tuple(value(v) for v in allowed.split(", "))),
            )
        if name.startswith("concede"):  # one row for two switches
            book["concede"] = book["claim"] = (False, (False, True))
    allowed_deals = book.pop("max_deals")
    assert allowed_deals[0] == 100
    found = {spec.name: (spec.default, spec.metadata["values"]) for spec in fields(GAME.rules)}
    assert found.pop("max_deals") == (100, None)
    assert {name: (its, set(values)) for name, (its, values) in found.items()} == {
        name: (its, set(values)) for name, (its, values) in book.items()
    }


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bid_step": "five"}, "bid_step='five'.*any, ten"),
        ({"threshold": 850}, "threshold=850.*800, 900, None"),
        ({"threshold": "800"}, "threshold='800'"),
        ({"concede": 1}, "concede=1"),
        ({"bombs": True}, "bombs=True"),
        ({"max_deals": 0}, "max_deals=0.*from 1"),
        ({"max_deals": 2.0}, "max_deals=2.0"),
        ({"rouding": "exact"}, "'rouding'.*rounding"),
        ({"preset": "house"}, "'house'"),
    ],
)
def test_tysiac_10_a_wrong_option_is_named(options, words):
    with pytest.raises(ValueError, match=words):
        Table("tysiac", **options)


def test_tysiac_10_an_option_without_meaning_here_is_accepted():
    assert legal(dealt(last_trick_takes_aside=False)) == ["bid 100"]


def test_tysiac_11_action_ids():
    names = GAME.action_names(GAME.rules())
    known = {
        0: "play 9S",
        23: "play AH",
        24: "meld QS",
        25: "meld KS",
        26: "meld QC",
        31: "meld KH",
        32: "give 9S",
        55: "give AH",
    }
    known |= {56: "pass", 57: "bid 100", 58: "bid 110", 87: "bid 400", 88: "contract 100", 118: "contract 400"}
    known |= {119: "take 1", 120: "take 2", 121: "bomb", 122: "concede", 123: "redeal", 124: "claim"}
    assert len(names) == 125
    assert {action: names[action] for action in known} == known
    assert [names[card] for card in range(24)] == [f"play {rank}{suit}" for suit in "SCDH" for rank in "9JQKTA"]
    assert all(GAME.action_id(None, name) == action for action, name in enumerate(names))


# -------------------------------------------------------------------------------------------------- 12 what a seat sees


def test_tysiac_12_the_auction():
    at = act(dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", dealer=1, bid_cap="free"), "bid 100, bid 130, pass")
    assert at.seat == 2  # opened; seat 0 bid 130, seat 1 passed
    seen = sees(at)
    assert (seen["phase"], seen["turn"], seen["opener"], seen["dealer"], seen["declarer"]) == ("auction", 0, 0, 2, -1)
    assert (seen["bid"], seen["passed"]) == ([10, 13, 0, 0], [0, 0, 1, 0])
    assert [100 + 10 * level for level, bid in enumerate(seen["bids"]) if bid] == [100, 130]
    assert (seen["held"], seen["lying"], seen["talon"]) == ([7, 7, 7, 0], 3, [])
    assert seen["hand"] == hand(at, 2)
    assert sees(at, 0)["bid"] == [13, 0, 10, 0]
    assert sees(at, 0)["turn"] == 2


def test_tysiac_12_tricks_and_what_the_duties_have_shown():
    at = led("JS KS AS 9C 9D JC JD QC", "9S AC TC KC AD TD KD QD", "QS TS 9H JH QH KH TH AH", contract=110)
    act(at, "play JS, play 9S")
    seen = sees(at)
    assert (seen["contract"], seen["trick"], seen["leader"], seen["trump"]) == (11, ["9S", "JS"], 1, "")
    assert seen["played"] == [[], ["JS"], ["9S"], []]
    higher = {"QS": -1, "KS": -1, "TS": -1, "AS": -1}
    assert seen["holding"] == [{}, higher, {}]  # seat 1, by two seats clockwise, had nothing higher
    act(at, "play TS")
    act(at, "play 9H, play JC")
    seen = sees(at, 1)
    assert (seen["played"], seen["trick"]) == ([["9S"], ["TS", "9H"], ["JS", "JC"], []], ["JC", "9H"])
    assert (seen["tricks"], seen["points_tens"], seen["points_ones"]) == ([0, 1, 0, 0], [0, 1, 0, 0], [0, 2, 0, 0])
    hearts = {f"{rank}H": -1 for rank in "9JQKTA"}
    assert seen["holding"][:2] == [{}, hearts]
    assert [card for card, number in zip(DECK, seen["order"], strict=True) if number == 1] == ["9S", "JS", "TS"]
    assert [card for card, number in zip(DECK, seen["order"], strict=True) if number == 2] == ["JC", "9H"]


def test_tysiac_12_neither_following_nor_trumping_shows_both_suits_missing():
    at = led("KC QC 9C AS 9S 9D 9H JD", "AC TC KS QS JS TS AD KD", "JC QD TD JH QH KH TH AH")
    act(at, "meld KC, play AC, play JC, play KS")
    assert sees(at, 1)["holding"][0] == {}
    act(at, "play JH")
    assert sees(at, 1)["holding"][0] == {rank + suit: -1 for suit in "SC" for rank in "9JQKTA"}


def test_tysiac_12_trumping_shows_the_suit_missing():
    at = led("KS QS AS TS 9C 9D 9H JH", "9S JS QD JD QH KH TH AH", "AC TC KC QC JC AD TD KD")
    act(at, "meld KS, play 9S, play AD")
    spades = {f"{rank}S": -1 for rank in "9JQKTA"}
    assert sees(at, 1)["holding"][0] == spades
    assert sees(at, 2)["holding"][1] == {card: -1 for card in ("TS", "AS")}  # it could not beat the king
    act(at, "play 9C, play JS, play AC")
    clubs = {f"{rank}C": -1 for rank in "9JQKTA"}
    assert sees(at, 2)["holding"][1] == clubs | {"TS": -1, "AS": -1}


def test_tysiac_12_the_other_card_of_a_marriage_is_known_until_it_is_played():
    at = led("KS QS KH QH AS TS AH TH", "JS JH AC TC KC AD TD KD", "9S 9H QC JC 9C QD JD 9D")
    act(at, "meld KS")
    assert sees(at, 1)["holding"][1] == {"QS": 1}
    act(at, "play JS, play 9S, play QS")
    assert sees(at, 1)["holding"][1] == {}
    assert sees(at, 1)["melded"][2] == [1, 0, 0, 0]


def test_tysiac_12_scores_deals_bombs_redeals():
    at = strong(TAKES_45, start=[-130, 817, 0], bomb="any", bombs=2, concede=True, max_deals=7)
    seen = sees(at, 1)
    # -250, 817 and 30: tens and ones of -250 are -25 and 0.
    assert (seen["score_tens"], seen["score_ones"]) == ([81, 3, -25, 0], [7, 0, 0, 0])
    assert (seen["deals_played"], seen["deals_left"]) == (1, 6)
    act(at, "bid 100, pass, pass, bomb, bid 100, pass, pass, concede")  # seats 1 and 2 declare
    seen = sees(at, 0)
    assert (seen["thrown"], seen["bombs_left"], seen["conceded"]) == ([0, 1, 0, 0], [2, 1, 2, 0], [0, 0, 1, 0])
    assert (seen["deals_played"], seen["deals_left"], seen["dealer"]) == (3, 4, 2)
    assert (seen["bomb"], seen["bombs"], seen["concede"], seen["claim"], seen["threshold"]) == ("any", "2", 1, 0, "800")
