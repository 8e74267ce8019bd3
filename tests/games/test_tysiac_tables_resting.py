"""Tysiąc for four of whom the dealer rests (`4p_resting`), by clause. By default seat 3 deals and seat 0 opens."""

import pytest
from positions import act, hand, legal, moved, scores, sees
from tysiac_deals import contracts, dealt, play_out, played, plays, points

from karty.envs.game import RUNNING, TERMINATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GOLDEN = "resting_dealer_scores_the_talon"
CLAIM = ("AS TS KS QS AH TH AD", "9S JS 9C JC QC KC TC", "JD QD KD TD JH 9H 9D", "")


# ---------------------------------------------------------------------------------------------- 2.3 the resting dealer


@pytest.mark.parametrize("dealer", range(4))
def test_tysiac_2_3_the_dealer_holds_no_cards_and_is_never_asked(dealer):
    at = dealt(
        "4p_resting", *["9S JS QS KS TS AS 9C", "JC QC KC TC AC 9D JD", "QD KD TD AD 9H JH QH"][:dealer], dealer=dealer
    )
    asked = []
    while at.number == 0:
        assert hand(at, dealer) == []
        asked.append(at.seat)
        act(at, legal(at)[0])
    playing = [(dealer + step) % 4 for step in (1, 2, 3)]
    assert set(asked) == set(playing)
    assert asked[:3] == playing  # the auction goes round without him


def test_tysiac_2_3_each_of_the_others_gets_seven_and_plays_with_eight():
    at = act(dealt("4p_resting"), "bid 100, pass, pass")
    assert sees(at, 0)["held"] == [10, 7, 7, 0]
    act(at, ", ".join(legal(at)[:2]))
    assert sees(at, 0)["held"] == [8, 8, 8, 0]
    assert sees(at, 0)["passed"] == [0, 1, 1, 1]


# 50 for every ace, and the marriages that lie there whole.
TALONS = {
    "AS KH QH": 150,
    "AS AC AD": 150,
    "AC KC QC": 110,
    "9D QS KS": 40,
    "KD JD QD": 80,
    "KS QH TC": 0,
    "AH AD KH": 100,
}


@pytest.mark.parametrize("talon", TALONS)
def test_tysiac_case_20_the_talon_earns_the_dealer_50_an_ace_and_its_marriages(talon):
    assert moved(play_out(dealt("4p_resting", talon=talon)))[3] == TALONS[talon]
    assert moved(play_out(dealt("4p_resting", talon=talon, dealer=1, rounding="exact")))[1] == TALONS[talon]


def test_tysiac_2_3_the_talon_counts_as_dealt_wherever_its_cards_go():
    # Declarer melds hearts with the KH and QH of the talon, and takes AS with his own trick: the dealer has them too.
    assert moved(played(GOLDEN)) == [20, 150, 210, 20]


def test_tysiac_2_3_these_points_are_held_by_6_3():
    assert moved(played(GOLDEN, start=[0, 800, 0, 0])) == [20, 0, 210, 20]
    assert moved(played(GOLDEN, start=[0, 790, 0, 0])) == [20, 150, 210, 20]
    assert moved(played(GOLDEN, start=[0, 800, 0, 0], threshold=900)) == [20, 150, 210, 20]


@pytest.mark.parametrize(("at_1000", "score"), [("cap", 990), ("nothing", 860), ("wins", 1010)])
def test_tysiac_2_3_and_capped_by_6_4(at_1000, score):
    at = played(GOLDEN, start=[0, 860, 0, 0], threshold=None, outsider_at_1000=at_1000)
    assert scores(at) == [20, score, 210, 20]
    assert at.over == (TERMINATED if at_1000 == "wins" else RUNNING)
    if at_1000 == "wins":
        assert at.returns()[0] == pytest.approx([-1 / 3, 1, -1 / 3, -1 / 3])


def test_tysiac_6_4_a_tie_of_others_goes_clockwise_from_the_dealer_s_left_and_the_dealer_is_last():
    for start, winner in (([980, 850, 0, 980], 3), ([980, 850, 0, 0], 0)):  # seat 1 deals: 2, 3, 0, 1
        at = played(GOLDEN, start=start, threshold=None, outsider_at_1000="wins")
        assert max(scores(at)) == scores(at)[1] == scores(at)[winner] == 1000
        assert at.returns()[0][winner] == 1.0


def test_tysiac_2_3_no_trick_costs_a_playing_seat_but_not_the_dealer():
    at = dealt("4p_resting", *CLAIM, talon="AC KH QH", claim=True, no_trick_penalty=100, start=[0, 800, 790, 800])
    act(at, "bid 100, pass, pass, give QH, give KH, contract 160, claim")
    assert moved(at) == [160, -100, 0, 0]


def test_tysiac_4_5_the_dealer_scores_the_talon_of_a_claimed_deal():
    at = dealt("4p_resting", *CLAIM, talon="AC KH QH", claim=True)
    act(at, "bid 100, pass, pass, give QH, give KH, contract 160")
    assert legal(at)[-1] == "claim"
    assert moved(act(at, "claim")) == [160, 0, 0, 150]  # 120 + 40


# ---------------------------------------------------------------------------------------- 3 and 4 auction and giving


def test_tysiac_3_1_the_auction_goes_round_the_three_who_play():
    at = dealt("4p_resting", dealer=1, bid_cap="free")
    order = [at.seat]
    for name in ("bid 100", "bid 110", "pass", "bid 120", "bid 130"):
        act(at, name)
        order.append(at.seat)
    assert order == [2, 3, 0, 2, 3, 2]  # seat 0 has passed, seat 1 rests
    act(at, "pass")
    assert (at.seat, sees(at)["declarer"], sees(at)["phase"]) == (3, 0, "give")


def test_tysiac_4_2_the_gifts_go_to_the_two_others_clockwise():
    # Seat 1 deals, seat 3 declares: first seat 0, then seat 2.
    at = act(dealt("4p_resting", dealer=1), "bid 100, bid 110, pass, pass")
    first, second = (action.split()[1] for action in legal(at)[:2])
    act(at, f"give {first}")
    assert first in hand(at, 0)
    act(at, f"give {second}")
    assert second in hand(at, 2)
    assert hand(at, 1) == []
    assert sees(at, 3)["holding"] == [{first: 1}, {}, {second: 1}]
    assert (sees(at, 0)["got"], sees(at, 2)["got"], sees(at, 1)["got"]) == ([first], [second], [])
    assert legal(at)[0] == "contract 110"


@pytest.mark.parametrize(("show", "at_100", "at_110"), [("above_100", 0, 3), ("always", 3, 3), ("never", 0, 0)])
def test_tysiac_4_1_the_talon_is_shown_to_all_four_or_to_declarer_alone(show, at_100, at_110):
    at = act(dealt("4p_resting", show_talon=show), "bid 100, pass, pass")
    assert [len(sees(at, seat)["talon"]) for seat in range(4)] == [3, at_100, at_100, at_100]
    at = act(dealt("4p_resting", show_talon=show), "bid 100, bid 110, pass, pass")
    assert [len(sees(at, seat)["talon"]) for seat in range(4)] == [at_110, 3, at_110, at_110]


def test_tysiac_4_3_the_contract_goes_by_the_hand_after_giving():
    hands = ("AS KS QS 9S 9C JC JD", "AC TC KC AD TD KD TH", "QC QD 9D 9H JH QH KH", "")
    at = act(dealt("4p_resting", *hands), "bid 100, pass, pass, give 9S, give 9C")
    assert legal(at) == contracts(100, 160)
    at = act(dealt("4p_resting", *hands), "bid 100, pass, pass, give KS, give 9C")
    assert legal(at) == contracts(100, 120)


# ------------------------------------------------------------------------------------------------------ 5 play, 9 bomb


def test_tysiac_5_1_a_trick_has_three_cards_and_the_dealer_is_passed_over():
    at = played(GOLDEN, moves=8)  # seat 2 leads, seat 1 deals
    order = []
    for card in ("AS", "JS", "9D"):
        order.append(at.seat)
        act(at, f"play {card}")
    assert order == [2, 3, 0]
    assert (at.seat, sees(at)["tricks"]) == (2, [1, 0, 0, 0])


def test_tysiac_5_2_three_follow_and_beat():
    at = played(GOLDEN, moves=16)  # TD is led, seat 2 has trumped with QH: seat 3 may lay any diamond
    assert (at.seat, legal(at)) == (3, plays("JD QD AD"))
    at = played(GOLDEN, moves=13)  # KH, JH are laid: TH and AH beat, 9H does not
    assert (at.seat, legal(at)) == (0, plays("TH AH"))


def test_tysiac_case_8_void_and_no_trump_any_card():
    at = played(GOLDEN, moves=10)  # AS, JS are laid: seat 0 has no spade
    assert (at.seat, legal(at)) == (0, plays("JC QC 9D KD TD 9H TH AH"))


def test_tysiac_5_6_no_king_is_melded_on_a_queen_at_this_table():
    hands = ("QC JC 9C 9S 9D 9H JS", "KC TC AC JD QD KD TD", "JH QH KH TH AH QS KS", "")
    at = act(dealt("4p_resting", *hands), "bid 100, pass, pass, give JS, give TS, contract 100, play QC")
    assert legal(at) == plays("KC TC AC")


@pytest.mark.parametrize(("how", "change"), [("bomb", [0, 60, 60, 60]), ("concede", [-100, 40, 40, 40])])
def test_tysiac_9_2_the_dealer_gets_what_each_other_gets_and_nothing_for_the_talon(how, change):
    at = dealt("4p_resting", talon="AS KH QH", bomb="at_100", concede=True)
    assert moved(act(at, f"bid 100, pass, pass, {how}")) == change


def test_tysiac_9_2_a_held_dealer_gets_nothing_and_6_4_caps_him():
    at = dealt("4p_resting", bomb="at_100", start=[0, 800, 790, 800])
    assert moved(act(at, "bid 100, pass, pass, bomb")) == [0, 0, 60, 0]
    at = dealt("4p_resting", bomb="at_100", start=[0, 0, 0, 960], threshold=None)
    assert scores(act(at, "bid 100, pass, pass, bomb")) == [0, 60, 60, 990]


# ------------------------------------------------------------------------------------------------ 12 what a seat sees


def test_tysiac_12_a_resting_dealer_sees_what_an_opponent_without_cards_sees():
    at = played(GOLDEN, moves=17)  # after three tricks: AS JS 9D, KH JH TH, TD QH JD
    seen = sees(at, 1)
    assert (seen["hand"], seen["held"], seen["passed"][0]) == ([], [0, 5, 5, 5], 1)
    assert (seen["dealer"], seen["declarer"], seen["opener"], seen["turn"]) == (0, 1, 1, 1)
    assert (seen["talon"], seen["got"], seen["gave"]) == (["AS", "QH", "KH"], [], [])
    assert seen["played"] == [[], ["AS", "QH", "KH"], ["JS", "JD", "JH"], ["9D", "TD", "TH"]]
    assert (seen["tricks"], seen["trump"], seen["melded"][1]) == ([0, 2, 0, 1], "H", [0, 0, 0, 1])
    # Seat 3 could not beat AS; with JH it could not beat KH. Seat 0 has no spade. Seat 2 has no diamond.
    spades = {f"{rank}S": -1 for rank in "9JQKTA"}
    diamonds = {f"{rank}D": -1 for rank in "9JQKTA"}
    assert seen["holding"] == [diamonds, {"TH": -1, "AH": -1}, spades]


def test_tysiac_12_the_talon_s_worth_is_not_seen_before_it_is_scored():
    hands = ("TS KS QS AC TC 9C AH", "9S JS JC QC KC AD TD", "9D JD QD KD 9H JH TH", "")
    at = act(dealt("4p_resting", *hands, talon="AS KH QH"), "bid 100, pass, pass, give 9C, give TC, contract 100")
    assert sees(at, 1)["talon"] == []
    for seat in range(4):
        assert sees(at, seat)["points_tens"] == [0, 0, 0, 0]
    assert points(at) == [0, 0, 0, 0]
