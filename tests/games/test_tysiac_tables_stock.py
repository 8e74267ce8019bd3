"""Tysiąc for two with a stock (`2p_stock`, `2p_stock_auction`), by clause.

The golden deal of `2p_stock`, played move by move here, is counted in test_tysiac_tables_golden.py: seat 0 leads.
"""

import pytest
from positions import act, cards, hand, legal, moved, scores, sees
from tysiac_deals import contracts, dealt, played, plays, points

from karty.envs.game import TERMINATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

STOCK = "stock_drawn_to_the_end"
OPEN = "open_talon_and_stock"


# ------------------------------------------------------------------------------------------------------- 7.1 the stock


def test_tysiac_case_28_the_winner_draws_the_first_card_the_other_the_second():
    # The stock is KS 9S KD QC TD AC 9D AH QH KH TH JS.
    at = played(STOCK, moves=1)
    assert (sees(at)["stock"], sees(at)["held"]) == (12, [6, 5, 0, 0])
    act(at, "play JH")  # seat 0's 9C takes it
    assert hand(at, 0) == cards("QS KS AS TC JD 9H")
    assert hand(at, 1) == cards("9S TS JC KC QD AD")
    assert (at.seat, sees(at)["stock"], sees(at)["held"]) == (0, 10, [6, 6, 0, 0])
    act(at, "meld QS, play TS")  # seat 1's ten takes it
    assert hand(at, 0) == cards("KS AS QC TC JD 9H")
    assert hand(at, 1) == cards("9S JC KC QD KD AD")
    assert (at.seat, sees(at)["stock"]) == (1, 8)


def test_tysiac_7_1_only_the_seat_that_draws_is_told_the_card():
    at = played(STOCK, moves=1)
    before = [sees(at, seat) for seat in (0, 1)]
    act(at, "play JH")  # KS to seat 0, 9S to seat 1: see above
    told = [list(at.game.news(before[seat], sees(at, seat))) for seat in (0, 1)]
    assert told == [[(0, "KS drawn")], [(0, "9S drawn")]]
    assert list(at.game.news(sees(at, 0), sees(at, 0))) == []


@pytest.mark.parametrize("winner", [0, 1])
def test_tysiac_case_28_with_the_other_seat_as_dealer(winner):
    hands = ("9S JS QS KS TC AS", "9C JC QC KC TS AC")
    at = dealt("2p_stock", *hands, dealer=0, stock="9D JD QD KD TD AD 9H JH QH KH TH AH")
    act(at, "play TS, play AS" if winner == 0 else "play TS, play TC")
    assert ("9D" in hand(at, winner), "JD" in hand(at, 1 - winner)) == (True, True)
    assert at.seat == winner


def test_tysiac_case_23_while_cards_lie_in_the_stock_any_card_may_be_laid():
    hands = ("AH 9S JS 9C JC 9D", "KH QH TH KS AS AC")
    at = act(dealt("2p_stock", *hands), "play AH")
    assert (at.seat, legal(at)) == (1, plays("KS AS AC QH KH TH"))
    act(at, "play AC")  # neither followed nor beaten: AH takes it
    assert (at.seat, points(at)) == (0, [22, 0])


def test_tysiac_case_23_with_the_stock_empty_5_2_holds():
    at = played(STOCK, moves=12)  # six tricks and twelve cards drawn
    assert (sees(at)["stock"], sees(at)["held"], sees(at)["trump"]) == (0, [6, 6, 0, 0], "D")
    assert hand(at, 0) == cards("JS AS QC TC 9D QH")
    act(at, "play AH")
    assert legal(at) == plays("QH")  # follow
    act(at, "play QH, play TH")
    assert legal(at) == plays("9D")  # no heart: trump
    act(at, "play 9D")
    assert (at.seat, points(at)) == (0, [2 + 2 + 13 + 40 + 10, 13 + 4 + 7 + 80 + 14])


def test_tysiac_7_1_the_duties_begin_with_the_first_trick_after_the_last_card():
    at = played(STOCK, moves=10)
    assert sees(at)["stock"] == 2
    act(at, "play KS")
    assert legal(at) == plays("KC QD TD AD KH AH")  # any, though the last two cards are drawn after this trick
    act(at, "play QD")
    assert (sees(at)["stock"], hand(at, 1)) == (0, cards("KC TD AD KH TH AH"))
    assert hand(at, 0) == cards("JS AS QC TC 9D QH")


def test_tysiac_7_1_the_trick_is_judged_by_5_3_all_the_same():
    at = played(STOCK, moves=7)  # seat 1 leads 9S, diamonds are trump
    assert legal(at) == plays("KS AS QC TC AC JD")
    act(at, "play JD")  # a trump, with spades in hand
    assert (at.seat, sees(at)["tricks"]) == (0, [2, 2, 0, 0])


def test_tysiac_7_1_a_marriage_may_be_drawn_and_is_melded_in_the_lead():
    at = played(STOCK, moves=0)
    assert [action for action in legal(at) if action.startswith("meld")] == []
    act(at, "play 9C, play JH")  # KS is drawn to QS
    assert [action for action in legal(at) if action.startswith("meld")] == ["meld QS", "meld KS"]
    act(at, "meld QS")
    assert (points(at), sees(at)["trump"]) == ([2 + 40, 0], "S")
    assert legal(at) == plays("9S TS JC KC QD AD")  # and no duty
    act(at, "play TS")
    assert [action for action in legal(at) if action.startswith("meld")] == ["meld QD", "meld KD"]  # KD was drawn


def test_tysiac_7_1_the_trump_stays_when_the_stock_is_empty():
    at = played(STOCK, moves=18)  # AS is led
    act(at, "play AS")
    assert legal(at) == plays("TD AD")  # no spade; diamonds are trump since the third trick


def test_tysiac_case_8_void_and_no_trump_any_card_when_the_stock_is_empty():
    # Seat 0 leads its spades into seat 1's hearts; both draw nothing but clubs and diamonds. No marriage is melded.
    hands = ("9S JS QS KS TS AS", "9H JH QH KH TH AH")
    at = dealt("2p_stock", *hands, stock="9C 9D JC JD QC QD KC KD TC TD AC AD")
    for spade, heart in zip(*(cards(held) for held in hands), strict=True):
        act(at, f"play {spade}, play {heart}")
    assert (at.seat, sees(at)["stock"], sees(at)["trump"]) == (0, 0, "")
    act(at, "play 9C")
    assert legal(at) == plays("9D JD QD KD TD AD")


# --------------------------------------------------------------------------------------------------- 6 without auction


@pytest.mark.parametrize(
    ("rounding", "change"), [("half_down", [80, 160]), ("half_up", [80, 160]), ("exact", [81, 159])]
)
def test_tysiac_7_3_both_seats_score_by_6_2(rounding, change):
    assert moved(played(STOCK, rounding=rounding)) == change


@pytest.mark.parametrize(
    ("rounding", "change"), [("half_down", [90, 140]), ("half_up", [100, 150]), ("exact", [95, 145])]
)
def test_tysiac_6_2_a_five_of_either_seat(rounding, change):
    # As in the golden deal up to the fourth trick, 4 points and 40 against 17 and 80. Then AC AH 22 (0), KS QD 7 (1),
    # KH QH 7 (1), TH 9D 10 (0), TC KC 14 (0), AS TD 21 (1), AD JS 13 (1), JC QC 5 (0).
    at = act(played(STOCK, moves=8, rounding=rounding), "play AC, play AH, play KS, play QD, play KH, play QH")
    act(at, "play TH, play 9D, play TC, play KC, play AS, play TD, play AD, play JS, play JC, play QC")
    assert moved(at) == change  # 4 + 22 + 10 + 14 + 5 + 40, 17 + 7 + 7 + 21 + 13 + 80


def test_tysiac_6_4_without_an_auction_everybody_may_finish_and_no_threshold_holds():
    for options in ({}, {"outsider_at_1000": "nothing"}, {"no_trick_penalty": 100, "finish_with_marriage": True}):
        at = played(STOCK, start=[900, 850], **options)
        assert scores(at) == [980, 1010]
        assert at.over == TERMINATED
        assert at.returns()[0].tolist() == [-1.0, 1.0]


@pytest.mark.parametrize(("start", "winner"), [([920, 850], 1), ([930, 840], 0), ([920, 840], 0)])
def test_tysiac_6_4_the_highest_wins_and_a_tie_goes_to_the_dealer_s_left(start, winner):
    at = played(STOCK, start=start)  # seat 1 dealt: +80, +160
    assert at.returns()[0][winner] == 1.0
    turned = played(STOCK, turned=1, start=start[::-1])
    assert turned.returns()[0][1 - winner] == 1.0


def test_tysiac_9_1_nothing_is_dropped_claimed_or_dealt_again_without_an_auction():
    hands = ("AS TS AH TH AC AD", "9S JS 9C JC 9D JD")
    at = dealt("2p_stock", *hands, claim=True, bomb="any", concede=True, redeal_points=18)
    assert legal(at) == plays("TS AS AC AD TH AH")
    act(at, "play AS")
    assert legal(at) == plays("9S JS 9C JC 9D JD")


# ------------------------------------------------------------------------------------------ 7.2 with an auction and two

HANDS = ("AH KH 9H TC JS QD 9S", "AS TS KC QC JD JH 9C")


def open_two(**options):
    return dealt(
        "2p_stock_auction", *HANDS, dealer=0, talon="QH KD", stock="AD QS 9D AC TH KS TD JC", **options
    )  # seat 1 opens


def test_tysiac_3_3_the_open_cards_are_not_in_a_hand_yet():
    at = act(open_two(), "bid 100")
    assert legal(at) == ["pass", "bid 110", "bid 120"]  # QH and KD would make two marriages
    act(at, "bid 110")
    assert legal(at)[-1] == "bid 180"  # clubs


@pytest.mark.parametrize("show", ["above_100", "always", "never"])
def test_tysiac_4_1_the_open_talon_is_always_seen_by_both(show):
    at = open_two(show_talon=show)
    assert [sees(at, seat)["talon"] for seat in range(2)] == [["KD", "QH"]] * 2
    assert (sees(at)["lying"], sees(at)["stock"]) == (2, 8)
    assert [at.shape.hidden.decode(at.hidden(seat))["lying"] for seat in range(2)] == [[], []]
    act(at, "bid 100, pass")
    assert [sees(at, seat)["talon"] for seat in range(2)] == [["KD", "QH"]] * 2
    assert (sees(at)["lying"], sees(at)["laid_aside"], sees(at)["held"]) == (0, 0, [9, 7, 0, 0])


def test_tysiac_7_2_declarer_takes_the_open_two_and_lays_two_away():
    at = act(open_two(), "bid 100, bid 120, pass")
    assert legal(at) == [f"give {card}" for card in cards("9S JS TC QD KD 9H QH KH AH")]
    act(at, "give 9S")
    assert sees(at, 0)["phase"] == "give"
    act(at, "give JS")
    assert legal(at) == contracts(120, 300)  # diamonds 80 and hearts 100
    assert (sees(at, 0)["gave"], sees(at, 1)["gave"]) == (["9S", "JS"], [])
    assert [sees(at, seat)["laid_aside"] for seat in range(2)] == [2, 2]
    assert sees(at, 1)["holding"] == [{}, {}, {}]  # the open cards may lie aside
    assert [len(hand(at, seat)) for seat in range(2)] == [7, 7]
    act(at, "contract 120")
    assert (at.seat, sees(at)["phase"], sees(at)["stock"]) == (0, "play", 8)


def test_tysiac_4_3_an_open_card_laid_away_makes_no_marriage():
    at = act(open_two(), "bid 100, bid 120, pass, give KD, give QH")
    assert legal(at) == contracts(120, 120)


def test_tysiac_7_2_eight_cards_are_drawn_in_four_tricks_and_then_5_2_holds():
    at = played(OPEN, moves=6)
    left = [8]
    for trick in ("meld KD, play 9C", "meld QH, play JD", "play 9D, play JH", "meld KC, play TC"):
        act(at, trick)
        left.append(sees(at)["stock"])
    assert left == [8, 6, 4, 2, 0]
    assert (at.seat, hand(at, 0), hand(at, 1)) == (
        0,
        cards("KS QD TD AD 9H KH AH"),
        cards("QS TS AS JC QC AC TH"),
    )
    act(at, "play AD")
    assert legal(at) == plays("JC QC AC")  # no diamond: a club, the trump since KC


def test_tysiac_7_2_the_cards_laid_away_go_with_the_last_trick_or_to_nobody():
    assert moved(played(OPEN, rounding="exact")) == [220, 136]
    assert moved(played(OPEN, rounding="exact", last_trick_takes_aside=False)) == [220, 134]  # JS is 2


def test_tysiac_6_3_with_an_auction_the_threshold_holds_in_a_stock_table():
    assert moved(played(OPEN, start=[0, 800])) == [220, 0]
    assert moved(played(OPEN, start=[0, 790])) == [220, 140]
    assert scores(played(OPEN, start=[0, 890], threshold=None)) == [220, 990]


def test_tysiac_4_5_a_claim_is_not_offered_in_a_stock_table():
    at = dealt("2p_stock_auction", "AS TS KS QS AH AC AD", talon="TH TC", claim=True)
    act(at, "bid 100, pass, give TH, give TC, contract 100")
    assert "claim" not in legal(at)


def test_tysiac_4_4_the_first_card_laid_away_is_the_decision_to_drop_out():
    at = act(open_two(bomb="at_100", concede=True), "bid 100, pass")
    assert legal(at)[-2:] == ["bomb", "concede"]
    act(at, "give JD")
    assert len(legal(at)) == 8
    at = act(open_two(bomb="at_100", concede=True), "bid 100, bid 120, pass, concede")
    assert moved(at) == [-120, 60]


# ------------------------------------------------------------------------------------------------ 12 what a seat sees


def test_tysiac_12_while_cards_lie_in_the_stock_a_trick_shows_nothing():
    at = played(STOCK, moves=4)
    # Seat 1 laid JH on 9C and TS on QS; seat 0 melded with the queen, so its KS is known.
    assert sees(at, 0)["holding"][0] == {}
    assert sees(at, 1)["holding"][0] == {"KS": 1}
    act(at, "meld KD, play 9H")
    assert sees(at, 0)["holding"][0] == {"QD": 1}
    act(at, "play 9S, play JD, play AC, play JC")
    assert sees(at, 1)["holding"][0] == {"KS": 1}
    act(at, "play KS, play QD")  # the last trick before the stock is empty
    assert [sees(at, seat)["holding"][0] for seat in range(2)] == [{}, {}]


def test_tysiac_12_when_the_stock_is_empty_duties_show_what_is_missing():
    at = played(STOCK, moves=16)  # AH QH, and TH 9D: seat 0 has no heart
    assert sees(at, 1)["holding"][0] == {f"{rank}H": -1 for rank in "9JQKTA"}
    assert sees(at, 0)["holding"][0] == {}
    act(at, "play TC, play KC")  # seat 1 could not beat TC
    assert sees(at, 0)["holding"][0] == {"AC": -1}


def test_tysiac_12_a_drawn_card_is_known_to_who_drew_it_alone():
    at = played(STOCK, moves=0)
    other = dealt("2p_stock", "AS QS 9C TC JD 9H", "TS KC JC QD AD JH", stock="KS KD 9S QC TD AC 9D AH QH KH TH JS")
    for table in (at, other):
        act(table, "play 9C, play JH")
    # Seat 1 drew 9S here and KD there; seat 0 sees no difference.
    assert (at.observe(0) == other.observe(0)).all()
    assert (at.observe(1) != other.observe(1)).any()
    assert sees(at, 0)["hand"] == cards("QS KS AS TC JD 9H")
