"""Tysiąc with eight cards by its rule book, envs/games/mini/tysiac_8.md: a position a clause, and the worked cases.

A name holds its clause (`test_tysiac_8_2_3_…`) or the number of its worked case (`test_tysiac_8_case_4_…`).
"""

import pytest
from positions import act, hand, legal, moved, sees, table

import karty
from karty.envs.engine import Table
from karty.envs.game import DEAL, TERMINATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.MINIS["tysiac_8"]


def dealt(mine, other, talon, actions="bid 40"):
    """A deal with these hands of seats 0 and 1 and this talon, after these actions."""
    return act(table(GAME, [mine, other], piles={"talon": talon}), actions)


def ready(mine, other, away, actions=""):
    """Seat 0 is declarer at 40 and leads from this hand; these two cards are laid away."""
    gives = ", ".join(f"give {card}" for card in away.split())
    return act(dealt(mine, other, away, f"bid 40, pass, {gives}"), actions)


def returns(at):
    return at.returns()[0].round(9).tolist()


# ------------------------------------------------------------------------------------------------------------ 1 set-up


def test_tysiac_8_1_1_cards_and_their_points():
    names, points = GAME.shape().deck.names, []
    assert set(names) == {rank + suit for rank in "QKTA" for suit in "SH"}
    for card in names:
        rest = [other for other in names if other != card]
        lead = next(other for other in rest if other[1] != card[1])  # no trump: the leader takes whatever is laid
        rest.remove(lead)
        follower = [card, *[other for other in rest if other[1] == card[1]][:2]]
        mine = [lead, *[other for other in rest if other not in follower][:2]]
        away = [other for other in names if other not in (*mine, *follower)]
        at = ready(" ".join(mine), " ".join(follower), " ".join(away), f"play {lead}")
        before = {"A": 11, "T": 10, "K": 4, "Q": 3}[lead[0]]
        act(at, f"play {card}")
        points.append(sees(at, 0)["points_tens"][0] * 10 + sees(at, 0)["points_ones"][0] - before)
    assert points == [3, 4, 10, 11, 3, 4, 10, 11]
    assert sum(points) == 56


def test_tysiac_8_1_2_marriages():
    for suit, worth in (("S", 20), ("H", 40)):
        other = "H" if suit == "S" else "S"
        at = ready(f"Q{suit} K{suit} A{other}", f"T{suit} A{suit} T{other}", f"Q{other} K{other}", f"meld Q{suit}")
        assert sees(at, 0)["points_tens"] == [worth // 10, 0]


def test_tysiac_8_1_3_three_cards_each_and_a_talon_of_two():
    at = Table(GAME)
    at.reset(5)
    assert at.advance() == DEAL
    assert [len(its) for its in at.dealt()["hands"]] == [3, 3]
    assert len(at.dealt()["talon"]) == 2


def test_tysiac_8_1_4_seat_0_opens_and_nobody_deals():
    for seed in range(5):
        at = Table(GAME)
        at.reset(seed)
        at.settle()
        assert (at.seat, at.dealer) == (0, None)


# ----------------------------------------------------------------------------------------------------------- 2 auction


def test_tysiac_8_2_1_the_opening_is_forced():
    assert legal(dealt("QS KS TS", "AS QH KH", "TH AH", "")) == ["bid 40"]


def test_tysiac_8_2_2_raises_by_level_and_a_seat_that_cannot_go_higher_is_asked():
    at = dealt("QS KS TS", "AS QH KH", "TH AH")
    assert legal(at) == ["pass", "bid 60", "bid 80"]
    assert legal(act(at, "bid 60")) == ["pass", "bid 80"]
    assert legal(act(at, "bid 80")) == ["pass"]


@pytest.mark.parametrize(
    ("actions", "declarer", "bid"),
    [("bid 40, pass", 0, 4), ("bid 40, bid 60, pass", 1, 6), ("bid 40, bid 80, pass", 1, 8),
     ("bid 40, bid 60, bid 80, pass", 0, 8)],
)  # fmt: skip
def test_tysiac_8_2_3_the_seat_that_has_not_passed_is_declarer(actions, declarer, bid):
    at = dealt("QS KS TS", "AS QH KH", "TH AH", actions)
    seen = sees(at, declarer)
    assert (at.seat, seen["declarer"], seen["bid"][0], seen["passed"]) == (declarer, 0, bid, [0, 1])


# ------------------------------------------------------------------------------------------- 3 talon and laying away


@pytest.mark.parametrize(("actions", "shown"), [("bid 40, pass", []), ("bid 40, bid 60, bid 80, pass", ["TH", "AH"])])
def test_tysiac_8_3_1_declarer_takes_the_talon_which_is_shown_above_40(actions, shown):
    at = dealt("QS KS TS", "AS QH KH", "TH AH", actions)
    assert hand(at, 0) == ["QS", "KS", "TS", "TH", "AH"]
    assert sees(at, 0)["talon"] == ["TH", "AH"]
    assert sees(at, 1)["talon"] == shown


def test_tysiac_8_3_2_two_cards_are_laid_away_in_ascending_order_and_declarer_alone_knows_them():
    at = dealt("QS KS TS", "AS QH KH", "TH AH", "bid 40, pass")
    assert legal(at) == ["give QS", "give KS", "give TS", "give TH"]
    assert legal(act(at, "give KS")) == ["give TS", "give TH", "give AH"]
    act(at, "give TH")
    assert hand(at, 0) == ["QS", "TS", "AH"]
    assert (sees(at, 0)["gave"], sees(at, 1)["gave"], sees(at, 1)["laid_aside"]) == (["KS", "TH"], [], 2)


# -------------------------------------------------------------------------------------------------------------- 4 play


def test_tysiac_8_4_1_declarer_leads_then_who_took_the_trick():
    at = ready("QS KH AH", "KS TS AS", "QH TH")
    assert at.seat == 0
    assert act(at, "play QS, play AS").seat == 1
    assert act(at, "play KS, play KH").seat == 1
    act(at, "play TS, play AH")
    assert at.over == TERMINATED


def test_tysiac_8_4_2_follow_beat_and_trump():
    at = ready("KS TS QH", "QS AS KH", "TH AH", "play KS")
    assert legal(at) == ["play AS"]
    at = ready("TS QH KH", "QS KS AH", "AS TH", "play TS")
    assert legal(at) == ["play QS", "play KS"]
    at = ready("QS KS TH", "TS AS QH", "KH AH", "meld QS, play TS, play AS, play KS")
    assert (legal(at), at.seat) == (["play QH"], 1)


def test_tysiac_8_4_3_a_marriage_is_led_scores_and_sets_the_trump():
    at = ready("QH KH TS", "AH TH AS", "QS KS")
    assert legal(at) == ["play TS", "play QH", "play KH", "meld QH", "meld KH"]
    plain = act(at.clone(), "play KH")
    assert (sees(plain, 0)["trump"], sees(plain, 0)["points_tens"]) == ("", [0, 0])
    act(at, "meld KH")
    assert (sees(at, 0)["trump"], sees(at, 0)["points_tens"], sees(at, 0)["melded"]) == ("H", [4, 0], [[0, 1], [0, 0]])
    assert sees(at, 1)["holding"] == [{"QH": 1}]
    act(at, "play AH, play AS, play TS, play TH, play QH")
    assert moved(at) == [40, 56]  # no trick, but the marriage alone makes 40


def test_tysiac_8_4_4_the_last_trick_takes_what_was_laid_away():
    at = ready("QS KS AH", "TS AS KH", "QH TH", "play QS, play TS, play AS, play KS, play KH, play AH")
    # 0 takes the last trick: 4 + 11 and the 13 laid away; 1 has 3 + 10 + 11 + 4
    assert moved(at) == [-40, 28]


# ------------------------------------------------------------------------------------------------------------- 5 score


def test_tysiac_8_5_1_the_contract_is_won_or_lost_exactly():
    at = ready("QS KS AS", "TS QH KH", "TH AH", "meld QS, play TS")  # 20 without a trick so far
    assert moved(act(at, "play QH, play AS, play KS, play KH")) == [40, 13]  # 20 + 14 + 8 + 21 = 63
    at = ready("QS KH AH", "KS TS AS", "QH TH", "play QS, play AS, play TS, play KH, play KS, play AH")
    assert moved(at) == [-40, 56]


def test_tysiac_8_5_2_the_other_seat_scores_what_it_has():
    at = ready("KS TS AS", "QS QH KH", "TH AH", "play AS, play QS, play TS, play QH, play KS, play KH")
    assert moved(at) == [40, 0]
    at = ready("QS TS AS", "KS QH KH", "TH AH", "play QS, play KS, meld QH, play TS, play KH, play AS")
    assert moved(at) == [-40, 96]  # all the card points and a marriage


def test_tysiac_8_5_3_rewards_are_differences_in_hundreds_and_sum_to_zero():
    at = ready("QS TS AS", "KS QH KH", "TH AH", "play QS, play KS, meld QH, play TS, play KH, play AS")
    assert returns(at) == [-1.36, 1.36]
    assert at.returns()[1].tolist() == [-40, 96]


# ----------------------------------------------------------------------------------------- 6 actions, 7 what is seen


def test_tysiac_8_6_actions():
    names = GAME.action_names()
    assert len(names) == 24
    ids = {"play QS": 0, "meld QS": 8, "give QS": 12, "pass": 20, "bid 40": 21, "bid 80": 23}
    assert {name: names.index(name) for name in ids} == ids


def test_tysiac_8_7_cards_shown_not_to_be_held():
    at = ready("TS QH KH", "QS KS AH", "AS TH", "play TS, play QS")
    assert sees(at, 0)["holding"] == [{"AS": -1}]
    at = ready("QS KS TH", "QH KH AH", "TS AS", "meld KS, play QH")
    assert sees(at, 0)["holding"] == [dict.fromkeys(["QS", "KS", "TS", "AS"], -1)]


def test_tysiac_8_7_what_a_seat_cannot_see_it_does_not_see():
    """The same deal but for cards that seat 1 has not seen: it sees the same, to the end."""
    twins = [
        dealt("QS KS AH", "TS AS KH", "QH TH", "bid 40, pass, give QH, give TH"),
        dealt("QS QH AH", "TS AS KH", "KS TH", "bid 40, pass, give QH, give TH"),
    ]
    for action in ("play QS", "play TS", "play AS"):
        assert (twins[0].observe(1) == twins[1].observe(1)).all()
        for at in twins:
            act(at, action)


# -------------------------------------------------------------------------------------------------------- worked cases


def test_tysiac_8_case_1_opening():
    at = dealt("QS KS TS", "AS QH KH", "TH AH", "")
    assert legal(at) == ["bid 40"]
    assert legal(act(at, "bid 40")) == ["pass", "bid 60", "bid 80"]


def test_tysiac_8_case_2_to_the_end_of_the_auction():
    at = dealt("QS KS TS", "AS QH KH", "TH AH", "bid 40, bid 60, bid 80")
    assert (at.seat, legal(at)) == (1, ["pass"])
    assert (act(at, "pass").seat, sees(at, 1)["talon"]) == (0, ["TH", "AH"])


def test_tysiac_8_case_3_a_bare_opening_shows_nothing():
    assert sees(dealt("QS KS TS", "AS QH KH", "TH AH", "bid 40, pass"), 1)["talon"] == []


def test_tysiac_8_case_4_what_may_be_given():
    at = dealt("QS KS AS", "TS KH AH", "QH TH", "bid 40, pass")
    assert legal(at) == ["give QS", "give KS", "give AS", "give QH"]
    assert legal(act(at, "give KS")) == ["give AS", "give QH", "give TH"]


def test_tysiac_8_case_5_a_ten_led():
    assert legal(ready("TS QH KH", "QS AS TH", "KS AH", "play TS")) == ["play AS"]
    assert legal(ready("TS QH KH", "QS KS TH", "AS AH", "play TS")) == ["play QS", "play KS"]


def test_tysiac_8_case_6_without_the_suit():
    at = ready("TS QH KH", "QS AS TH", "KS AH", "meld QH, play TH")  # hearts are trump
    assert legal(act(at, "play QS")) == ["play TS"]
    at = act(dealt("QH KH TS", "AH TH QS", "KS AS"), "pass, give KS, give AS, meld KH, play AH, play QS, play TS")
    assert (at.seat, legal(at)) == (0, ["play QH"])
    assert act(ready("TS QH KH", "TH AH QS", "KS AS", "play TS, play QS, play QH"), "play AH").seat == 1
    at = ready("QS KS TS", "QH TH AH", "AS KH", "play QS")
    assert legal(at) == ["play QH", "play TH", "play AH"]
    assert act(at, "play AH").seat == 0


def test_tysiac_8_case_7_trump_in_the_very_trick():
    at = ready("QS KS TH", "AS KH AH", "TS QH", "meld QS")
    assert (sees(at, 0)["points_tens"][0], legal(at)) == (2, ["play AS"])


def test_tysiac_8_case_8_made_to_the_point_and_missed_by_four():
    at = dealt("QS TS AS", "QH KH KS", "TH AH", "bid 40, bid 60, pass, give TH, give AH")
    act(at, "meld QH, play QS, play KH, play TS")  # 40 and 3 + 3 + 4 + 10
    assert moved(act(at, "play KS, play AS")) == [36, 60]
    at = dealt("TS TH KH", "QS QH AS", "AH KS", "bid 40, bid 60, pass, give AS, give AH")
    act(at, "meld QS, play TS, play KH, play QH")  # 20, and nothing more yet
    assert moved(act(at, "play TH, play KS")) == [20, -60]  # 10 + 4 and the 22 laid away


def test_tysiac_8_case_9_rewards():
    at = dealt("KH AS AH", "TS QH TH", "QS KS", "bid 40, pass, give AS, give AH")
    act(at, "play KS, play TS, play QH, play KH, play QS, play TH")  # 14 to seat 1, the others to seat 0
    assert (moved(at), returns(at)) == ([40, 14], [0.26, -0.26])


def test_tysiac_8_case_10_twenty_one_points_aside():
    at = ready("QS KS QH", "TS AS KH", "TH AH", "play QH, play KH, play AS, play KS, play TS, play QS")
    assert moved(at) == [-40, 56]
