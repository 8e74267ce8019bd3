"""Tysiąc by its rule book, envs/games/tysiac.md: a position a clause, and the worked cases of its section 13.

A name holds its clause (`test_tysiac_5_2_…`) or the number of its worked case (`test_tysiac_case_5_…`). Numbers are counted
by hand: A 11, T 10, K 4, Q 3, J 2; marriages S 40, C 60, D 80, H 100.
"""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from positions import act, hand, legal, moved, scores, sees, table

import karty
from karty.envs.engine import Table
from karty.envs.game import RUNNING, TERMINATED, TRUNCATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["tysiac"]
DECK = GAME.deck.names
BOOK = (Path(__file__).resolve().parents[2] / "envs" / "games" / "tysiac.md").read_text(encoding="utf-8")


def plays(text):
    """The actions `play …` for these cards."""
    return [f"play {card}" for card in text.split()]


def dealt(*hands, dealer=2, **options):
    """A first deal in which these are the hands of 7 from seat 0 on; who has none gets what is left, in order, and the talon."""
    left = [card for card in DECK if card not in " ".join(hands).split()]
    hands = list(hands)
    while len(hands) < 3:
        hands.append(" ".join(left[:7]))
        left = left[7:]
    return table("tysiac", hands, dealer=dealer, piles={"talon": " ".join(left)}, **options)


def led(*hands, declarer=0, contract=100, **options):
    """A deal in which these are the hands of 8 when declarer is to lead: he opened, got the contract and gave each last card."""
    eights = [text.split() for text in hands]
    left, right = (declarer + 1) % 3, (declarer + 2) % 3
    gifts = [eights[left][7], eights[right][7]]
    talon = " ".join([eights[declarer][7], *gifts])
    sevens = [" ".join(eight[:7]) for eight in eights]
    at = table("tysiac", sevens, dealer=right, piles={"talon": talon}, **options)
    return act(at, f"bid 100, pass, pass, give {gifts[0]}, give {gifts[1]}, contract {contract}")


def points(at):
    """What each seat has in the running deal, cards and marriages together."""
    seen = sees(at, 0)
    return [10 * tens + ones for tens, ones in zip(seen["points_tens"], seen["points_ones"], strict=True)][:3]


# ---------------------------------------------------------------------------------------------- deals used several times


def lost_by_two_diamonds(last, keep, **options):
    """Seat 0 has spades with their marriage, AH TH, two diamonds (``last``), and loses those to AD and TD of seat 1.

    Seat 2 keeps two cards for these tricks. So seat 1 gets 21 points, the two diamonds and what seat 2 kept; seat 2 takes no
    trick, seat 0 has the rest and 40.
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
TAKES_45 = """play TS, play 9S, play QS, play TC, play 9C, play KC, play JC, play AD, play QC, play KS, play AS, play QD,
    play 9H, play KH, play TH, play JD, play 9D, play KD, play AH, play JH, play AC, play QH, play TD, play JS"""
TAKES_60 = """play 9H, play AH, play JH, play 9S, play QS, play AS, play TS, play QD, play KS, play JC, play 9C, play KC,
    play TD, play 9D, play AD, play QH, play TH, play TC, play JD, play JS, play KD, play KH, play QC, play AC"""
MAKES_230 = """play AC, play 9C, play QC, play TC, play 9S, play KC, play AS, play AH, play KS, play 9D, play AD, play TD,
    meld QD, play JD, play 9H, meld KH, play TH, play JC, play JH, play JS, play QH, play KD, play QS, play TS"""
# Seat 1 takes in TAKES_45: 9D KD JD, AH JH AC, QH TD JS, that is 6 + 24 + 15 = 45; seats 0 and 2: 45 and 30.
# In TAKES_60: 9H AH JH, TD 9D AD, JD JS KD, KH QC AC, that is 13 + 21 + 8 + 18 = 60; seats 0 and 2: 31 and 29.
# In MAKES_230: 9D AD TD, QD JD 9H, KD QS TS … see the test.

POOR = "9H 9C 9S JD JS QH JH"  # 2 + 2 + 3 + 2 = 9 points


# ------------------------------------------------------------------------------------------------------------- 1 the cards


def test_tysiac_1_1_every_trick_counts_and_all_is_120():
    at = led(*STRONG_SEAT_1)
    act(at, TAKES_45.rsplit(",", 1)[0])
    assert points(at) == [45, 30, 30]  # the last trick, QH TD JS, is still to come: 3 + 10 + 2
    assert sum(points(at)) + 15 == 120


@pytest.mark.parametrize(
    ("lower", "higher"), [("9S", "JS"), ("JS", "QS"), ("QS", "KS"), ("KS", "TS"), ("TS", "AS")], ids="9<J J<Q Q<K K<T T<A".split()
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
    at = act(at, "bid 100, pass, pass, bomb", given={"hands": [POOR.split(), DECK_TOP[:7], DECK_TOP[7:14]], "talon": DECK_TOP[14:]})
    assert sees(at, 0)["bombs_left"][:3] == [0, 1, 1]
    act(at, "bid 100, pass, redeal")
    assert sees(at, 0)["bombs_left"][:3] == [0, 1, 1]
    assert sees(at, 0)["redeals"] == 1


DECK_TOP = [card for card in DECK if card not in POOR.split()]


# ------------------------------------------------------------------------------------------------------------ 2 the tables


def test_tysiac_case_1_seven_each_three_in_the_talon_and_eight_after_giving():
    at = dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH")
    assert [len(hand(at, seat)) for seat in range(3)] == [7, 7, 7]
    assert [len(pile) for pile in at.dealt()["hands"]] == [7, 7, 7]
    assert at.dealt()["talon"] == ["KH", "TH", "AH"]
    act(at, "bid 100, pass, pass")
    assert [len(hand(at, seat)) for seat in range(3)] == [10, 7, 7]
    act(at, "give KH, give TH")
    assert [len(hand(at, seat)) for seat in range(3)] == [8, 8, 8]


OTHERS = ("2p_pairs", "2p_triples", "2p_twelve", "2p_stock", "2p_stock_auction", "4p_resting", "4p_six", "4p_teams")


@pytest.mark.parametrize("name", OTHERS)
def test_tysiac_2_a_table_not_played_yet_is_refused(name):
    for make in (lambda: Table("tysiac", table=name), lambda: karty.make_batch("tysiac", 2, table=name)):
        with pytest.raises(ValueError, match=rf"^tysiac: table='{name}' cannot be played yet; played: 3p$"):
            make()


def test_tysiac_2_there_is_no_other_table():
    with pytest.raises(ValueError, match=r"^tysiac: option table='5p' is not allowed; allowed: 3p, 2p_pairs, .*, 4p_teams$"):
        Table("tysiac", table="5p")


# ----------------------------------------------------------------------------------------------------------- 3 the auction


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


@pytest.mark.parametrize("cards", CAPS)
def test_tysiac_case_2_highest_bid_with_these_cards(cards):
    left = " ".join([card for card in DECK if card not in cards.split()][:7])
    at = act(dealt(left, cards), "bid 100")
    assert legal(at)[-1] == f"bid {CAPS[cards]}"


@pytest.mark.parametrize("cards", CAPS)
def test_tysiac_3_3_cap_marriage_is_120_without_one_and_none_with_one(cards):
    left = " ".join([card for card in DECK if card not in cards.split()][:7])
    at = act(dealt(left, cards, bid_cap="marriage"), "bid 100")
    assert legal(at)[-1] == ("bid 120" if CAPS[cards] == 120 else "bid 360")


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
    at = act(dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH"), "bid 100, bid 110, pass, pass")
    assert (at.seat, sees(at)["bid"][0]) == (1, 11)
    assert [sees(at, seat)["talon"] for seat in range(3)] == [["KH", "TH", "AH"]] * 3


# ---------------------------------------------------------------------------------------------- 4 talon, giving, contract


@pytest.mark.parametrize(("show", "at_100", "at_110"), [("above_100", 0, 1), ("always", 1, 1), ("never", 0, 0)])
def test_tysiac_4_1_when_the_talon_is_shown(show, at_100, at_110):
    at = act(dealt(show_talon=show), "bid 100, pass, pass")
    assert [len(sees(at, seat)["talon"]) for seat in range(3)] == [3, 3 * at_100, 3 * at_100]
    at = act(dealt(show_talon=show), "bid 100, bid 110, pass, pass")
    assert [len(sees(at, seat)["talon"]) for seat in range(3)] == [3 * at_110, 3, 3 * at_110]


def test_tysiac_4_2_one_card_to_each_clockwise_and_only_two_know_it():
    at = dealt("9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH", dealer=0)
    act(at, "bid 100, pass, pass")  # seat 1 declares
    assert legal(at) == [f"give {card}" for card in DECK if card in "JC QC KC TC AC 9D JD KH TH AH".split()]
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
    at = act(led(*CLAIM, claim=True), "play AS, play JS, play 9S")
    assert at.seat == 0
    assert "claim" not in legal(at)


@pytest.mark.parametrize(
    ("cards", "offered"),
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
def test_tysiac_4_5_a_claim_must_hold_against_any_distribution(cards, offered):
    left = [card for card in DECK if card not in cards.split()]
    at = led(cards, " ".join(left[:8]), " ".join(left[8:]), claim=True)
    assert ("claim" in legal(at)) is offered


def test_tysiac_4_5_a_claim_shows_the_hand_and_leaves_the_others_nothing():
    at = act(led(*CLAIM, claim=True, episode="deal"), "claim")
    assert at.over == TERMINATED
    seen = sees(at, 1)
    assert {card for card, known in seen["holding"][1].items() if known == 1} == set(CLAIM[0].split())  # across, by two seats
    assert seen["melded"][2] == [1, 0, 0, 0]
    assert (seen["tricks"], points(at)) == ([0, 0, 8, 0], [160, 0, 0])


# ----------------------------------------------------------------------------------------------------------------- 5 play


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
    # Spades are melded; seat 2 has no clubs and the trumps 9S, JS: it must lay one of them.
    at = led("KS QS AS TS 9C 9D 9H JH", "AC TC KC QC JC AD TD KD", "9S JS QD JD QH KH TH AH")
    act(at, "meld KS, play AC, play 9S, play 9C, play JC")
    assert (at.seat, legal(at)) == (2, plays("JS"))
    at = led("KS QS AS 9H 9C 9D QD JH", "AC TC KC QC JC AD TD KD", "9S JS TS JD QH KH TH AH")
    act(at, "meld KS, play JC, play TS, play QH, play JH, play JC" if False else "meld KS, play JC, play TS, play JD, play 9D, play AD")
    act(at, "play AC")
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
    # Seat 1 wins the first trick with KS and melds clubs; that card is beaten, and so is everything else of his … but he has
    # taken that trick. So declarer melds first and takes nothing.
    at = led("KS QS 9C 9D 9H JC JD JH", "AS AC TC KC AD TD KD AH", "TS JS 9S QC QD KH QH TH")
    act(at, "meld KS, play AS, play 9S")
    act(at, "play AC, play QC, play 9C, play TC, play JS, play JC" if False else "play AC, play QC, play 9C")
    act(at, "play TC, play TS, play JC")  # seat 2 is out of clubs and must trump
    act(at, "play QH, play 9H, play AH" if False else "play QH, play 9H, play AH")
    assert points(at)[0] == 40
    assert sees(at, 0)["tricks"][0] == 0
