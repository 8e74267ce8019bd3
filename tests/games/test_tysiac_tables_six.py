"""Tysiąc for four with six cards each (`4p_six`): no auction, everyone for himself, king on queen. By clause.

By default seat 3 deals and seat 0 leads.
"""

import pytest
from positions import act, legal, moved, scores, sees
from tysiac_deals import dealt, played, plays, points

from karty.envs.game import RUNNING, TERMINATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GOLDEN = "king_on_queen"

# Seat 0 leads QC. Seat 1 must beat it with KC. Seats 2 and 3 have no club; seat 2 has QH, seat 3 KH.
TWO_KINGS = ("QC AC TC 9S JS QS", "KC JC 9C KS TS AS", "QH JH 9H 9D JD QD", "KH TH AH KD TD AD")

# Seat 0 makes diamonds trump and leads QC then; seat 2 has no club, but a diamond.
OLD_TRUMP = ("KD QD AD TD QC 9S", "KC 9C 9H JH QH KH", "9D JD JS QS TH AH", "AC JC TC KS TS AS")


def melds(at):
    return [action for action in legal(at) if action.startswith("meld")]


# ----------------------------------------------------------------------------------------------------- king on queen


def test_tysiac_case_21_a_king_on_the_queen_may_be_melded_and_the_duties_hold():
    at = dealt("4p_six", "QC AC TC JC 9S JS", "KC 9C 9D 9H JD JH", "QS KS TS AS QD KD", "TD AD QH KH TH AH")
    act(at, "play QC")
    assert (at.seat, legal(at)) == (1, ["play KC", "meld KC"])  # must beat: not 9C
    assert points(act(at, "play KC")) == [0, 0, 0, 0]


def test_tysiac_5_6_the_marriage_scores_at_once_for_who_laid_the_king():
    at = act(dealt("4p_six", *TWO_KINGS), "play QC, meld KC")
    assert points(at) == [0, 60, 0, 0]
    assert sees(at, 1)["melded"] == [[0, 1, 0, 0], [0] * 4, [0] * 4, [0] * 4]
    assert sees(at, 1)["trump"] == ""  # 12: not trump yet


def test_tysiac_case_26_the_rest_of_the_trick_goes_by_the_old_trump():
    at = act(dealt("4p_six", *OLD_TRUMP), "meld KD, play 9H, play JD, play KS, play QC")
    assert (at.seat, legal(at)) == (1, ["play KC", "meld KC"])
    act(at, "meld KC")
    assert sees(at)["trump"] == "D"
    assert (at.seat, legal(at)) == (2, plays("9D"))  # no club: a diamond
    act(at, "play 9D")
    assert (at.seat, legal(at)) == (3, plays("JC TC AC"))  # trumped: any club, not one above KC
    act(at, "play JC")
    assert at.seat == 2  # 9D took KC
    assert points(at) == [80 + 4 + 0 + 2 + 4, 60, 3 + 4 + 0 + 2, 0]


def test_tysiac_case_26_its_suit_is_trump_in_the_next_trick():
    at = act(dealt("4p_six", *OLD_TRUMP), "meld KD, play 9H, play JD, play KS")
    act(at, "play QC, meld KC, play 9D, play JC")
    assert sees(at)["trump"] == "C"
    act(at, "play JS, play TS, play 9S")
    assert (at.seat, legal(at)) == (1, plays("9C"))  # no spade: a club
    act(at, "play 9C")
    assert at.seat == 1


def test_tysiac_case_26_without_an_old_trump_there_is_none_in_the_rest_of_the_trick():
    at = played(GOLDEN, moves=2)  # QC, and KC melded
    assert (at.seat, legal(at)) == (2, plays("AC"))  # must beat the king
    act(at, "play AC, play TC")
    assert (at.seat, sees(at)["trump"]) == (2, "C")


def test_tysiac_5_6_the_queen_need_not_have_been_led():
    at = act(dealt("4p_six", *TWO_KINGS), "play QC, play KC, play QH")
    assert (at.seat, legal(at)) == (3, [*plays("KD TD AD KH TH AH"), "meld KH"])
    act(at, "meld KH")
    assert (at.seat, sees(at)["trump"]) == (1, "H")  # KC took the trick, hearts are trump now
    assert points(at) == [0, 3 + 4 + 3 + 4, 0, 100]


def test_tysiac_5_6_of_two_marriages_in_one_trick_the_last_sets_the_trump():
    at = act(dealt("4p_six", *TWO_KINGS), "play QC, meld KC, play QH, meld KH")
    assert (at.seat, sees(at)["trump"]) == (1, "H")
    assert points(at) == [0, 60 + 14, 0, 100]
    act(at, "play JC")
    assert (at.seat, legal(at)) == (2, plays("9H JH"))  # no club: hearts


def test_tysiac_5_6_only_the_next_seat_may_meld_the_king():
    # Seat 2 has the king of clubs, but seat 1's ace lies between.
    at = dealt("4p_six", "QC 9C 9S JS 9D JD", "AC QS KS QD KD QH", "KC JC TS AS TD AD", "TC 9H JH KH TH AH")
    act(at, "play QC, play AC")
    assert (at.seat, legal(at)) == (2, plays("JC KC"))


def test_tysiac_5_6_the_king_must_be_a_legal_card():
    # Seat 1 throws QS on the diamond; seat 2 has KS, but must follow and beat.
    at = dealt("4p_six", "9D JD TD AD 9S JS", "QS TS AS 9C JC QC", "KS KD QD KC TC AC", "9H JH QH KH TH AH")
    act(at, "play 9D, play QS")
    assert (at.seat, legal(at)) == (2, plays("QD KD"))


def test_tysiac_5_6_the_king_is_legal_below_an_ace_and_forced_above_the_queen():
    others = ("QC QS KS QD KD QH", "KC JC TS AS TD AD", "TC 9H JH KH TH AH")
    at = act(dealt("4p_six", "AC 9C 9S JS 9D JD", *others), "play AC, play QC")
    assert (at.seat, legal(at)) == (2, [*plays("JC KC"), "meld KC"])  # neither beats AC
    at = act(dealt("4p_six", "AC 9C 9S JS 9D JD", *others), "play 9C, play QC")
    assert (at.seat, legal(at)) == (2, ["play KC", "meld KC"])


def test_tysiac_5_6_a_queen_of_the_last_trick_is_gone():
    # Seat 3 throws QD; seat 0 takes the trick, and has KD for the next.
    at = dealt("4p_six", "AS TS KS KD 9C JC", "9S JS 9D JD AC 9H", "QS JH QH KH TH AH", "QD TD AD QC KC TC")
    act(at, "play AS, play 9S, play QS, play QD")
    assert (at.seat, melds(at)) == (0, [])


def test_tysiac_5_6_meld_with_is_about_leads_only():
    at = act(dealt("4p_six", *TWO_KINGS, meld_with="queen"), "play QC")
    assert legal(at) == ["play KC", "meld KC"]
    at = dealt("4p_six", *OLD_TRUMP, meld_with="queen")
    assert melds(at) == ["meld QD"]


LAST_TRICK = ("AS TS AH TH AD QC", "KC 9S 9H 9D JS JH", "QS KS QH KH JD QD", "AC TC JC 9C KD TD")
FIVE_TRICKS = """play AS, play 9S, play QS, play KD, play TS, play JS, play KS, play TD,
    play AH, play 9H, play QH, play 9C, play TH, play JH, play KH, play JC,
    play AD, play 9D, play JD, play TC, play QC"""


def test_tysiac_5_6_in_the_last_trick_too():
    # Seat 0 takes 18 + 26 + 14 + 18 + 23 = 99, seat 3 the last, QC KC QD AC: 21. Seat 1 has no trick, but 60 (5.5).
    at = act(dealt("4p_six", *LAST_TRICK), FIVE_TRICKS)
    assert (at.seat, legal(at)) == (1, ["play KC", "meld KC"])
    assert moved(act(at, "meld KC, play QD, play AC")) == [100, 60, 0, 20]
    at = act(dealt("4p_six", *LAST_TRICK), FIVE_TRICKS)
    assert moved(act(at, "play KC, play QD, play AC")) == [100, 0, 0, 20]


def test_tysiac_5_6_a_later_marriage_replaces_the_trump():
    # Clubs by king on queen, then seat 2, who took the trick with its diamond, leads from its own marriage.
    hands = ("KD QD AD TD QC 9S", "KC 9C 9H JH AS TS", "9D JD QS KS TH AH", "AC JC TC JS QH KH")
    at = act(dealt("4p_six", *hands), "meld KD, play 9H, play JD, play JS, play QC, meld KC, play 9D, play JC")
    assert (at.seat, sees(at)["trump"], melds(at)) == (2, "C", ["meld QS", "meld KS"])
    act(at, "meld KS")
    assert (sees(at)["trump"], points(at)[2]) == ("S", 9 + 40)
    # No spade is left to seat 3, 9S to seat 0; seat 1 must beat, now with a trump.
    act(at, "play QH, play 9S")
    assert (at.seat, legal(at)) == (1, plays("TS AS"))


# --------------------------------------------------------------------------------------------------------- 5 and 6


@pytest.mark.parametrize("dealer", range(4))
def test_tysiac_5_1_left_of_the_dealer_leads_and_then_the_winner(dealer):
    first, second = (dealer + 1) % 4, (dealer + 2) % 4
    hands = {first: "9S JS 9C JC 9D JD", second: "AS TS KS QS QC KC"}
    others = iter(["TC AC QD KD TD AD", "9H JH QH KH TH AH"])
    at = dealt("4p_six", *(hands.get(seat) or next(others) for seat in range(4)), dealer=dealer)
    assert at.seat == first
    act(at, "play 9S, play AS")
    act(at, legal(at)[0])
    act(at, legal(at)[0])
    assert at.seat == second


def test_tysiac_case_8_void_and_no_trump_any_card():
    at = act(dealt("4p_six", *TWO_KINGS), "play QC, play KC")
    assert (at.seat, legal(at)) == (2, plays("9D JD QD 9H JH QH"))


def test_tysiac_5_4_only_who_leads_melds_a_marriage_of_his_own_hand():
    at = act(dealt("4p_six", *OLD_TRUMP), "play AD")
    assert (at.seat, melds(at)) == (1, [])  # KH QH in hand, and no diamond
    at = dealt("4p_six", *OLD_TRUMP)
    assert melds(at) == ["meld QD", "meld KD"]


@pytest.mark.parametrize(
    ("rounding", "change"),
    [("half_down", [30, 100, 50, 0]), ("half_up", [30, 100, 50, 0]), ("exact", [28, 101, 51, 0])],
)
def test_tysiac_6_2_every_seat_scores_its_rounded_points(rounding, change):
    assert moved(played(GOLDEN, rounding=rounding)) == change


def test_tysiac_6_4_everybody_may_finish_and_6_3_does_not_apply():
    for options in ({}, {"outsider_at_1000": "nothing"}, {"no_trick_penalty": 100}, {"finish_with_marriage": True}):
        at = played(GOLDEN, start=[800, 890, 950, 900], **options)
        assert scores(at) == [830, 990, 1000, 900]  # seat 3 took no trick
        assert at.over == TERMINATED
        assert at.returns()[0] == pytest.approx([-1 / 3, -1 / 3, 1, -1 / 3])
    assert played(GOLDEN, start=[960, 890, 940, 990]).over == RUNNING


@pytest.mark.parametrize(
    ("start", "winner"),
    [
        ([970, 910, 950, 0], 1),  # 1000, 1010, 1000
        ([970, 900, 950, 0], 0),  # all 1000: left of the dealer 3
        ([0, 900, 950, 0], 1),
    ],
)
@pytest.mark.parametrize("turned", range(4))
def test_tysiac_6_4_the_highest_wins_else_clockwise_from_the_dealer_s_left(start, winner, turned):
    at = played(GOLDEN, turned=turned, start=[start[(seat - turned) % 4] for seat in range(4)])
    assert at.over == TERMINATED
    assert at.returns()[0][(winner + turned) % 4] == 1.0


def test_tysiac_4_5_nothing_is_claimed_dropped_or_dealt_again():
    hands = ("AS TS AH TH AD AC", "9S JS QS 9C JC QC")
    at = dealt("4p_six", *hands, claim=True, bomb="any", concede=True, redeal_points=18)
    assert legal(at) == plays("TS AS AC AD TH AH")


# ------------------------------------------------------------------------------------------------ 12 what a seat sees


def test_tysiac_12_a_king_on_a_queen_shows_no_second_card():
    at = act(dealt("4p_six", *TWO_KINGS), "play QC, meld KC")
    for seat in (0, 2, 3):
        row = (1 - seat) % 4 - 1
        assert 1 not in sees(at, seat)["holding"][row].values()
    # Seat 1 beat QC: nothing is shown. After QH and KH: seats 2 and 3 have no club.
    act(at, "play QH, play KH")
    clubs = {f"{rank}C": -1 for rank in "9JQKTA"}
    assert sees(at, 1)["holding"] == [clubs, clubs, {}]


def test_tysiac_12_what_the_old_trump_shows():
    at = act(dealt("4p_six", *OLD_TRUMP), "meld KD, play 9H, play JD, play KS, play QC, meld KC, play 9D, play JC")
    diamonds = {f"{rank}D": -1 for rank in "9JQKTA"}
    clubs = {f"{rank}C": -1 for rank in "9JQKTA"}
    # To the first trick: seats 1 and 3 have no diamond, seat 2 could not beat KD. To the second: seat 2 has no club,
    # seat 3's JC shows nothing, as the trick was trumped; seat 1 beat QC.
    seen = sees(at, 0)
    assert seen["holding"][0] == diamonds
    assert seen["holding"][1] == clubs | {"TD": -1, "AD": -1}
    assert seen["holding"][2] == diamonds
    assert sees(at, 1)["holding"][2] == {"QD": 1}  # seat 0 melded with the king
