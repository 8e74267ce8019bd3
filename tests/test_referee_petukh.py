"""The referee of Petukh: the worked cases of the rule book, golden games, and faults it must find."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from referee import petukh, petukh_play
from referee.petukh import (
    CARDS,
    Deal,
    RecordFault,
    boys,
    deal_returns,
    khlust,
    legal_plays,
    match_returns,
    options,
    played_result,
    trick_winner,
)
from referee.petukh_knowledge import Knowledge, consistent, objections

RECORDS = Path(__file__).parent / "records" / "petukh"
GOLDEN = sorted(RECORDS.glob("*.jsonl"))

Lines = list[dict[str, Any]]


def golden(name: str) -> Lines:
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()]


def check(lines: Lines) -> petukh.Report:
    return petukh.check_lines([json.dumps(line) for line in lines])


def fault(lines: Lines) -> RecordFault:
    with pytest.raises(RecordFault) as raised:
        check(lines)
    return raised.value


def cards(text: str) -> list[str]:
    return text.split()


def kon(
    hands: list[str],
    *,
    dealer: int = 0,
    scores: list[int] | None = None,
    folds: list[int] | None = None,
    lying: str = "",
    top: str = "",
    **chosen: Any,
) -> Deal:
    """A kon with these hands, in the prikup game the dealer's with the turned-up card last.

    `lying` is the prikup, or the trump card of the draw variant, `top` what lies on the stock. Cards that are not named
    fill the piles up, the weakest first.
    """
    rules = options(players=len(hands), **chosen)
    held, pile, stock = [cards(hand) for hand in hands], cards(lying), cards(top)
    rest = [card for card in sorted(CARDS, key=petukh.strength) if card not in sum(held, pile + stock)]
    draw = rules["stock"] == "draw"
    while not draw and len(pile) < 4:
        pile.append(rest.pop(0))
    return Deal(
        rules,
        dealer,
        held,
        [] if draw else pile,
        pile[0] if draw else None,
        stock + rest,
        scores or [rules["start"]] * len(hands),
        folds or [0] * len(hands),
    )


def act(deal: Deal, *actions: str) -> Deal:
    """Carry out these actions, several in one text separated by commas; `2: fold` also says whose turn it must be."""
    for action in (part.strip() for text in actions for part in text.split(",")):
        seat, colon, name = action.partition(": ")
        if colon:
            assert deal.seat == int(seat), (deal.phase, deal.seat, action)
        name = name if colon else action
        assert name in deal.legal(), (deal.seat, name, deal.legal())
        deal.act(name)
    return deal


def asked(deal: Deal) -> tuple[str, int, list[str]]:
    return deal.phase, deal.seat, deal.legal()


def totals(deal: Deal) -> list[int]:
    return [score + change for score, change in zip(deal.scores, deal.changes(), strict=True)]


# No khlust, no boys; hearts are trump and seat 0 deals.
FOUR = ["6S 9C TD KH 7H 8H", "7S TC KD AH 9S", "8S JC QD 6C AS", "TS QC AC 6D JH"]
THREE = FOUR[:3]
TWO = FOUR[:2]


# ----------------------------------------------------------------------------------------------- worked cases (13)


def test_petukh_13_1_twenty_five_cards_dealt():
    lines = [json.loads(line) for line in petukh_play.record(random.Random(1), options(), "match")]
    deal = lines[1]
    assert sorted(map(len, deal["hands"])) == [5, 5, 5, 6]
    assert (len(deal["prikup"]), len(deal["stock"])) == (4, 11)
    deal["prikup"].append(deal["stock"].pop())
    assert fault(lines).line == 2


@pytest.mark.parametrize(
    ("hand", "trick", "right"),
    [
        ("7S AH QC", "9S", "7S"),
        ("7S AS AH", "9S KS", "7S AS"),  # no duty to play higher
        ("6H QC QD", "9S", "6H"),
        ("6H QC QD", "9S AH", "6H"),
        ("6C QC QD", "9S AH", "6C QC QD"),
        ("6C QH QD", "9H", "QH"),
        ("QD 6C QH", "", "6C QD QH"),
    ],
)
def test_petukh_13_2_which_cards_are_right(hand, trick, right):
    assert legal_plays(cards(hand), cards(trick), "H") == cards(right)


def test_petukh_13_3_three_two_none_and_folded():
    hands = ["AH KH QH 6S 7C 7H", "8H 9H TH AS AD", "8C 8D 9D 9S TS", "JC QC KD QD JS"]
    deal = act(kon(hands), "1: pass, 2: pass, 3: pass, 1: stay, 2: stay, 3: fold, 0: discard 7H")
    act(deal, "0: play AH, 1: play 8H, 2: play 8C, 0: play KH, 1: play 9H, 2: play 8D")
    act(
        deal,
        "0: play QH, 1: play TH, 2: play 9D, 0: play 6S, 1: play AS, 2: play 9S, 1: play AD, 2: play TS, 0: play 7C",
    )
    assert (deal.tricks, totals(deal)) == ([3, 2, 0, 0], [12, 13, 20, 15])
    assert (deal.end, deal.winner, deal.next_dealer) == ("played", None, 0)


def test_petukh_13_4_boys_with_and_without_a_trick():
    assert 15 + played_result(15, 2, 2, 0) == 8
    assert 15 + played_result(15, 0, 2, 0) == 25
    assert 15 + played_result(15, 0, 4, 0) == 30
    assert 15 + played_result(15, 1, 4, 0) == 4


def test_petukh_13_5_how_many_points_boys_need():
    assert boys(cards("JD JH 6S"), 5) == []
    assert boys(cards("JD JH 6S"), 6) == ["boys 2"]
    four = cards("JS JC JD JH 6S")
    assert boys(four, 5) == []
    assert boys(four, 10) == ["boys 2"]
    assert boys(four, 11) == ["boys 2", "boys 4"]
    hands = ["6S 9C TD KH 7H 8H", "JS JC JD JH 9S"]
    for score, legal in ((10, ["boys 2", "silent"]), (11, ["boys 2", "boys 4", "silent"])):
        deal = act(kon(hands, scores=[15, score]), "1: pass, 0: discard 6S")
        assert asked(deal) == ("boys", 1, legal)
    assert act(kon(hands, scores=[15, 5]), "1: pass, 0: discard 6S").phase == "play"


def test_petukh_13_6_three_points():
    deal = kon(FOUR, scores=[15, 3, 15, 4])
    assert asked(deal) == ("take", 2, ["take", "pass"])
    act(deal, "2: pass, 3: pass")
    assert asked(deal)[:2] == ("discard", 0)
    assert act(kon(FOUR, scores=[3, 15, 15, 15]), "1: pass, 2: pass, 3: pass").phase == "discard"
    assert act(kon(FOUR, scores=[4, 15, 15, 15]), "1: pass, 2: pass, 3: pass").phase == "fold"
    assert kon(TWO, scores=[15, 3]).phase == "discard"


def test_petukh_13_7_not_twice_running_and_with_five_not_thrice():
    deal = act(kon(FOUR, folds=[0, 0, 1, 0]), "1: pass, 2: pass, 3: pass, 1: stay")
    assert asked(deal) == ("fold", 3, ["stay", "fold"])
    five = [*FOUR, "9D JD KC 8C 8D"]
    for folds, seat in ((1, 1), (2, 2)):
        deal = act(kon(five, folds=[0, folds, 0, 0, 0]), "pass, pass, pass, pass")
        assert asked(deal)[:2] == ("fold", seat)
    assert act(kon(TWO), "1: pass").phase == "discard"


KHLUST = ["6S 9C TD KH 7H 8H", "9H TH JH QH AH", *FOUR[2:]]  # seat 1 holds a trump one
KHLUST[3] = "TS QC AC 6D 7C"


def test_petukh_13_8_a_trump_khlust():
    deal = kon(KHLUST)
    assert (deal.end, deal.holder, deal.phase) == ("khlust", 1, "over")
    assert totals(deal) == [20, 10, 20, 20]
    assert deal.next_dealer == 0


PLAIN = ["6S 9C TD KH 7H 8H", "9S TS JS QS AS", "8S JC QD 6C AD", "TC QC AC 6D 7C"]


def test_petukh_13_9_a_plain_khlust():
    assert kon(PLAIN).end == "void"
    deal = kon(PLAIN, khlust="any_kon")
    assert (deal.end, totals(deal), deal.next_dealer) == ("khlust", [20, 10, 20, 20], 0)


def test_petukh_13_10_two_red_jacks_and_a_black_one():
    hands = ["6S 9C TD KH 7H 8H", "JS 6C JD JH 9S", "JC 7S 8S TC AD"]
    deal = act(kon(hands), "1: pass, 2: pass, 1: stay, 2: stay, 0: discard 6S")
    assert asked(deal) == ("boys", 1, ["boys 2", "silent"])
    act(deal, "boys 2")
    assert asked(deal)[:2] == ("play", 0)


def test_petukh_13_11_two_points_left():
    deal = act(kon(["AH KH 6S 9C TD 7H", "QH 8H 7S 8S 9S"], scores=[2, 15]), "1: pass, 0: discard 6S")
    act(deal, "0: play AH, 1: play 8H, 0: play KH, 1: play QH")
    assert asked(deal) == ("finish", 0, ["stop", "go on"])
    act(deal, "stop")
    assert (deal.end, deal.winner, totals(deal)) == ("stopped", 0, [0, 15])
    assert match_returns(4, 2) == pytest.approx([-1 / 3, -1 / 3, 1, -1 / 3])


def test_petukh_13_12_three_points_and_no_trick():
    assert 3 + played_result(3, 0, 0, 0) == 8


FIVE = [
    *("6S 9C TD KH AS", "7S TC KD 6H 9S", "8S JC QD 6C AH", "TS QC AC 6D 8H"),
    "9D JD KC 8C 7H",
]


def test_petukh_13_13_the_stock_runs_out():
    deal = kon(FIVE, lying="JH", stock="draw")
    assert len(deal.stock) == 10
    take_all = [", ".join(f"discard {card}" for card in petukh.in_order(deal.hands[seat])) for seat in (1, 2)]
    act(deal, take_all[0], "done", take_all[1], "done")
    assert (deal.stock, asked(deal)) == ([], ("exchange", 3, ["fold", "done"]))
    act(deal, "done")
    assert deal.hands[3] == cards(FIVE[3])


def test_petukh_13_14_a_revoke():
    hands = ["AS 9C TD KH 7D 8H", "6S TC KD AH 9S"]
    deal = act(kon(hands, revoke="penalty"), "1: pass, 0: discard 7D, 0: play AS")
    assert deal.legal() == ["play 6S", "play 9S", "play TC", "play KD", "play AH"]
    act(deal, "1: play AH")
    assert (asked(deal), deal.left(1)) == (("play", 1, ["play 6S", "play 9S"]), 20)
    assert sorted(deal.hands[1]) == sorted(cards(hands[1]))
    act(deal, "1: play 6S")
    assert asked(deal)[:2] == ("play", 0)


def test_petukh_13_15_everybody_but_the_dealer_folds():
    deal = act(kon(FOUR), "1: pass, 2: pass, 3: pass, 1: fold, 2: fold, 3: fold")
    assert (deal.end, deal.phase, deal.changes()) == ("alone", "over", [-5, 0, 0, 0])
    assert (deal.next_dealer, deal.folds_after()) == (0, [0, 1, 1, 1])


# --------------------------------------------------------------------------------------------------- other clauses


def test_petukh_1_2_points_never_fall_below_zero():
    assert played_result(6, 3, 2, 0) == -6
    assert played_result(4, 1, 4, 1) == -4
    deal = kon(KHLUST, scores=[15, 4, 15, 15])
    assert (deal.changes(), deal.winner, deal.won_by) == ([5, -4, 5, 5], 1, "khlust")


def test_petukh_2_1_five_among_the_dealers_six():
    assert khlust(cards("6S 7S 8S 9S TS AH")) == "S"
    assert khlust(cards("6S 7S 8S 9S TC")) is None
    deal = kon(["6H 9H TH KH 7S 8H", "7C TC KD AH 9S", "8S JC QD 6C AS"])
    assert (deal.end, totals(deal)) == ("khlust", [10, 20, 20])
    assert kon(["6D 9D TD KD JD 8H", "7S TC KS AH 9S", "8S JC QD 6C AS"]).end == "void"


def test_petukh_2_1_a_trump_khlust_goes_before_one_that_is_nearer():
    hands = [PLAIN[0], PLAIN[1], "9H TH JH QH AH", "TC QC AC 6D 7C"]
    for rule in ("kon", "any_kon"):
        assert kon(hands, khlust=rule).changes() == [5, 5, -5, 5]
    deal = kon(hands, khlust="any_game")
    assert (deal.end, deal.changes(), deal.winner) == ("khlust wins", [0, 0, -15, 0], 2)


def test_petukh_2_4_of_two_plain_ones_the_first_from_the_dealers_left():
    hands = ["6D 9D TD KD JD 8H", PLAIN[1], "6C 7C 8C 9C TC"]
    for dealer, first in ((0, 1), (1, 2), (2, 0)):
        held = [cards(hand)[:5] for hand in hands]
        held[dealer].append("8H")
        deal = kon([" ".join(hand) for hand in held], dealer=dealer, khlust="any_kon")
        assert deal.changes() == [-5 if seat == first else 5 for seat in range(3)]


def test_petukh_2_1_only_the_takers_new_hand_is_looked_at():
    hands = ["6S 9C TD KH 7H 8H", "7S TC KD AH 9S", "8S JC QD 6C AS"]
    deal = act(kon(hands, lying="9H TH JH QH"), "1: take, 1: keep AH")
    assert (deal.end, deal.holder, deal.changes(), deal.next_dealer) == ("khlust", 1, [5, -5, 5], 0)
    deal = act(kon(hands, lying="TS JS QS KS"), "1: take, 1: keep 9S")
    assert (deal.end, deal.next_dealer) == ("void", 0)
    deal = act(kon(hands, lying="TS JS QS KS"), "1: take, 1: keep AH")
    assert (deal.end, deal.phase, sorted(deal.hands[1])) == (None, "fold", sorted(cards("AH TS JS QS KS")))
    assert (deal.aside[1], deal.seat) == (cards("7S TC KD 9S"), 2)


def test_petukh_2_3_show_or_hide():
    deal = kon(KHLUST, khlust="game")
    assert asked(deal) == ("khlust", 1, ["show", "hide"])
    act(deal, "show")
    assert (deal.end, deal.changes(), deal.winner) == ("khlust wins", [0, -15, 0, 0], 1)
    deal = act(kon(KHLUST, khlust="game"), "hide, 1: pass, 2: pass, 3: pass, 1: stay, 2: fold, 3: fold, 0: discard 6S")
    assert asked(deal)[:2] == ("play", 0)


def test_petukh_2_3_after_hide_a_plain_khlust_voids_the_kon():
    hands = [PLAIN[0], PLAIN[1], "9H TH JH QH AH"]
    assert act(kon(hands, khlust="game"), "2: hide").end == "void"
    assert act(kon(hands, khlust="game"), "2: show").winner == 2


def test_petukh_2_3_the_dealer_is_asked_about_six_cards_once():
    hands = ["6H 9H TH KH 7S 8H", "7C TC KD AH 9S"]
    deal = act(kon(hands, khlust="game"), "0: hide, 1: pass, 0: discard 7S")
    assert deal.phase == "play"


def test_petukh_2_3_the_taker_is_asked_about_the_new_cards():
    hands = ["6S 9C TD KH 7H 8H", "7S TC KD AH 9S"]
    deal = act(kon(hands, lying="9H TH JH QH", khlust="game"), "1: take, 1: keep AH")
    assert asked(deal) == ("khlust", 1, ["show", "hide"])
    assert act(deal, "hide").phase == "discard"


def test_petukh_3_3_the_taker_leads_and_deals():
    deal = act(kon(FOUR), "1: pass, 2: take, 2: keep AS, 1: fold, 3: stay, 0: discard 6S")
    assert (deal.seat, deal.leader, deal.next_dealer) == (2, 2, 2)
    assert deal.playing() == [2, 3, 0]


def test_petukh_4_1_taker_and_dealer_may_be_left_alone():
    deal = act(kon(FOUR), "1: pass, 2: take, 2: keep AS, 1: fold, 3: fold")
    assert asked(deal)[:2] == ("discard", 0)


def test_petukh_4_2_folds_count_in_scored_kons_only():
    deal = act(kon(FOUR, folds=[0, 1, 0, 0]), "1: pass, 2: pass, 3: pass, 2: fold, 3: stay, 0: discard 6S")
    assert deal.folds_after() == [0, 0, 1, 0]
    assert kon(KHLUST, folds=[0, 0, 1, 1]).folds_after() == [0, 0, 0, 0]


def test_petukh_4_4_the_dealer_alone_with_few_points():
    deal = act(kon(THREE, scores=[4, 15, 15]), "1: pass, 2: pass, 1: fold, 2: fold")
    assert (deal.end, deal.changes(), deal.winner, deal.won_by) == ("alone", [-4, 0, 0], 0, "tricks")


def test_petukh_5_2_boys_are_counted_after_the_discard():
    hands = ["JD 9C TD KH 7H JH", "7S TC KD AH 9S"]
    assert act(kon(hands), "1: pass, 0: discard JH").phase == "play"
    assert act(kon(hands), "1: pass, 0: discard 9C").phase == "boys"


def test_petukh_5_2_boys_clockwise_from_the_leader():
    hands = ["JD 9C TD KH 7H JH", "7S TC KD AH 9S", "JS JC 6S 7D 8C"]
    deal = act(kon(hands), "1: take, 1: keep AH, 2: stay, 0: discard 9C")
    act(deal, "2: boys 2, 0: silent")
    assert deal.boys == [0, 0, 2]
    assert asked(deal)[:2] == ("play", 1)
    assert act(kon(hands), "1: pass, 2: pass, 1: stay, 2: fold, 0: discard 9C, 0: boys 2").phase == "play"


def test_petukh_6_2_who_takes_a_trick():
    assert trick_winner(cards("9S AC TS AD"), "H") == 2
    assert trick_winner(cards("9S AS 6H AD"), "H") == 2
    assert trick_winner(cards("9S 6H AS 7H"), "H") == 3


LAST = ["AH KH QH 6S AD 7H", "9H 8H 7S 8S KD"]  # seat 0 leads and takes every trick, if it lays 6S away


def test_petukh_7_4_also_with_the_fifth_trick():
    deal = act(kon(LAST, scores=[5, 4]), "1: pass, 0: discard 6S")
    act(deal, "play AH, play 8H, play KH, play 9H, play QH, play 7S, play 7H, play 8S, play AD")
    assert deal.phase == "play"
    act(deal, "1: play KD")
    assert asked(deal) == ("finish", 0, ["stop", "go on"])
    assert totals(act(deal, "go on")) == [0, 9]
    assert (deal.end, deal.winner) == ("played", 0)


def to_the_second_trick(**chosen: Any) -> Deal:
    return act(kon(LAST, **chosen), "1: pass, 0: discard 6S, play AH, play 8H, play KH, play 9H")


def test_petukh_7_4_what_the_options_do():
    deal = to_the_second_trick(scores=[2, 15], finish="stop")
    assert (deal.end, totals(deal), deal.winner) == ("stopped", [0, 15], 0)
    deal = to_the_second_trick(scores=[2, 15], finish="play")
    assert (deal.phase, deal.first) == ("play", 0)
    deal = act(to_the_second_trick(scores=[2, 15]), "go on")
    act(deal, "play QH, play 7S, play 7H, play 8S, play AD, play KD")
    assert (totals(deal), deal.winner) == ([0, 20], 0)


def test_petukh_7_4_only_the_first_is_asked():
    hands = ["AH KH 6S 7S 8D 7H", "9H 8H KS AS KD"]
    deal = act(kon(hands, scores=[2, 1]), "0: discard 8D")
    act(deal, "play AH, play 8H, play KH, play 9H, 0: go on, 0: play 6S, 1: play KS")
    assert asked(deal)[:2] == ("play", 1)
    act(deal, "1: play AS, 0: play 7S, 1: play KD, 0: play 7H")
    assert (totals(deal), deal.tricks, deal.winner) == ([0, 0], [3, 2], 0)


def test_petukh_7_4_what_stands_when_somebody_stops():
    """Tricks are written off, boys and missing tricks are not, a revoke's points stay (9.2)."""
    hands = ["AH AC 6S JD JH 7H", "8H QS AS TD TC", "9H 7S 8S KD KC"]
    deal = act(kon(hands, scores=[6, 1, 9], revoke="penalty"), "2: pass, 0: discard 6S, 0: boys 2")
    act(deal, "0: play AH, 1: play TC, 1: play 8H, 2: play 9H, 0: play AC, 1: play TC, 2: play KC")
    assert (deal.first, deal.left(1)) == (None, 6)
    act(
        deal,
        "0: play 7H, 1: play QS, 2: play 7S, 0: play JD, 1: play TD, 2: play KD, 2: play 8S, 0: play JH, 1: play AS",
    )
    assert (deal.tricks, totals(deal), deal.winner) == ([4, 0, 1], [0, 11, 8], 0)
    assert (deal.first, deal.won_by) == (None, "boys")
    deal = act(kon(hands, scores=[2, 1, 9], revoke="penalty"), "2: pass, 0: discard 6S")
    act(deal, "0: play AH, 1: play TC, 1: play 8H, 2: play 9H, 0: play AC, 1: play TC, 2: play KC, 0: stop")
    assert totals(deal) == [0, 6, 9]


def test_petukh_7_4_a_revoke_puts_the_question_off():
    hands = ["AH KH 6S QD 8D 7H", "9H 8H KS AS KD"]
    deal = act(kon(hands, scores=[9, 1], revoke="penalty"), "0: discard 8D")
    act(deal, "0: play QD, 1: play KS, 1: play KD")
    assert (deal.left(1), deal.tricks, asked(deal)[:2]) == (6, [0, 1], ("play", 1))


def test_petukh_7_5_the_winner_stays_although_a_revoke_lifts_him():
    hands = ["AH KH 6S QD 8D 7H", "9H TC KS AS KD"]
    deal = act(kon(hands, scores=[15, 1], revoke="penalty"), "0: discard 8D, 0: play QD, 1: play KD, 1: go on")
    act(
        deal,
        "1: play KS, 0: play 6S, 1: play AS, 0: play AH, 0: play KH, 1: play TC, 1: play 9H, 0: play 7H, 1: play TC",
    )
    assert (deal.tricks, totals(deal), deal.winner) == ([3, 2], [12, 4], 1)


def test_petukh_7_5_through_boys_the_one_with_more_tricks():
    assert winners([6, 6, 15], [1, 2, 2], [2, 2, 0]) == 1
    assert winners([6, 6, 15], [2, 2, 1], [2, 2, 0], leader=1) == 1
    assert winners([6, 6, 15], [2, 2, 1], [2, 2, 0], leader=2) == 0
    assert winners([6, 7, 15], [2, 1, 2], [2, 2, 0]) == 0
    assert winners([8, 8, 15], [2, 2, 1], [2, 2, 0]) is None


def winners(scores: list[int], tricks: list[int], said: list[int], leader: int = 0) -> int | None:
    """Who has won after these tricks and boys, when no seat's tricks got there."""
    deal = kon(THREE, scores=scores)
    deal.tricks, deal.boys, deal.leader, deal.end = tricks, said, leader, "played"
    return deal.winner


def test_petukh_7_6_returns():
    assert match_returns(3, None) == [0, 0, 0]
    assert match_returns(2, 1) == [-1, 1]
    # 3, 2 written off, +5, folded: (3 - (2 - 5 + 0) / 3) / 5 and so on.
    assert deal_returns([-3, -2, 5, 0]) == pytest.approx([0.8, 8 / 15, -4 / 3, 0])
    assert sum(deal_returns([-3, -2, 5, 0])) == pytest.approx(0)


# Hearts are trump, the stock begins with the weakest cards left: 6H 7C 7D 8C 8D 9D 9H.
DRAW = ["6S 9C TD KH 7H", "7S TC KD AH 9S", "8S JC QD 6C AS", "TS QC AC 6D JH"]


def drawing(hands: list[str] = DRAW, **chosen: Any) -> Deal:
    """A kon of the draw variant, 8H turned up."""
    return kon(hands, lying="8H", stock="draw", **chosen)


def test_petukh_8_2_laying_away_and_drawing():
    deal = drawing()
    assert asked(deal) == (
        *("exchange", 1),
        ["discard 7S", "discard 9S", "discard TC", "discard KD", "discard AH", "fold", "done"],
    )
    assert act(deal, "discard 9S").legal() == ["discard TC", "discard KD", "discard AH", "done"]
    assert act(deal, "discard AH").legal() == ["done"]
    act(deal, "done")
    assert (deal.hands[1], deal.aside[1], deal.exchanged[1]) == (cards("7S TC KD 6H 7C"), ["9S", "AH"], 2)
    assert asked(deal)[:2] == ("exchange", 2)


def test_petukh_8_2_done_also_after_the_fifth_card():
    deal = act(drawing(), "discard 7S, discard 9S, discard TC, discard KD, discard AH")
    assert deal.legal() == ["done"]
    assert act(deal, "done").hands[1] == cards("6H 7C 7D 8C 8D")


@pytest.mark.parametrize(
    ("chosen", "may"),
    [
        ({}, True),
        ({"scores": [15, 15, 15, 3]}, False),
        ({"folds": [0, 1, 0, 0]}, False),
        ({"folds": [1, 0, 1, 1]}, True),
        ({"hands": DRAW[:2]}, False),
    ],
)
def test_petukh_8_2_who_may_fold(chosen, may):
    assert ("fold" in drawing(**chosen).legal()) == may


def test_petukh_8_3_the_dealer_takes_the_trump():
    deal = act(drawing(), "1: done, 2: done, 3: done")
    assert deal.legal() == [*(f"discard {card}" for card in cards("6S 9C TD 7H KH")), "fold", "done"]
    assert act(deal, "0: discard 6S").legal()[-2:] == ["done", "take trump"]
    act(deal, "discard 9C, take trump")
    assert sorted(deal.hands[0]) == sorted(cards("TD 7H KH 8H 6H"))
    assert (deal.took_trump, deal.exchanged) == (True, [2, 0, 0, 0])


def test_petukh_8_3_the_dealer_may_lay_away_one_more_than_the_stock_holds():
    deal = kon(FIVE, lying="JH", stock="draw")
    act(deal, "discard 7S, discard 9S, discard TC, discard KD, discard 6H, done")
    act(deal, "discard 8S, discard 6C, discard JC, discard QD, done, 3: done, 4: done")
    assert (len(deal.stock), deal.seat) == (1, 0)
    assert act(deal, "discard 6S").legal() == [
        "discard AS",
        "discard 9C",
        "discard TD",
        "discard KH",
        "done",
        "take trump",
    ]
    assert act(deal, "discard AS").legal() == ["take trump"]
    assert act(deal, "take trump").stock == []
    # With an empty stock too, but `done` only as long as nothing lies away.
    deal = kon(FIVE, lying="JH", stock="draw")
    act(deal, "discard 7S, discard 9S, discard TC, discard KD, discard 6H, done")
    act(deal, "discard 8S, discard 6C, discard JC, discard QD, discard AH, done, 3: done, 4: done")
    assert deal.legal()[-2:] == ["fold", "done"]
    assert act(deal, "0: discard 6S").legal() == ["take trump"]


def test_petukh_8_4_who_leads_and_deals():
    deal = act(drawing(), "1: done, 2: fold, 3: done, 0: fold")
    assert (asked(deal)[:2], deal.playing(), deal.next_dealer) == (("play", 1), [1, 3], 1)
    deal = act(drawing(), "1: fold, 2: done, 3: done, 0: done")
    assert (asked(deal)[:2], deal.next_dealer) == (("play", 2), 2)


def test_petukh_8_4_five_tricks_for_the_last_one():
    deal = act(drawing(), "1: fold, 2: fold, 3: fold")
    assert (deal.end, deal.changes(), deal.next_dealer) == ("alone", [-5, 0, 0, 0], 0)
    deal = act(drawing(), "1: fold, 2: done, 3: fold, 0: fold")
    assert (deal.end, deal.changes(), deal.next_dealer) == ("alone", [0, 0, -5, 0], 2)
    assert deal.folds_after() == [1, 1, 0, 1]


NEARLY = ["6S 9C TD KH 7H", "7S TC KD 6H 9S", "9H TH JH QC AS", "TS JC AC 6D 8D"]


def test_petukh_8_5_a_khlust_after_an_exchange():
    deal = act(drawing(NEARLY, top="QH AH"), "1: fold, 2: discard AS, discard QC, done")
    assert (deal.end, deal.holder, deal.changes()) == ("khlust", 2, [5, 0, -5, 5])
    assert (deal.next_dealer, deal.folds_after()) == (0, [0, 1, 0, 0])
    deal = act(drawing(NEARLY, top="QH AH", khlust="any_game"), "1: fold, 2: discard AS, discard QC, done")
    assert (deal.changes(), deal.winner, deal.won_by) == ([0, 0, -15, 0], 2, "khlust")
    deal = act(drawing(NEARLY, top="6C 7C 8C"), "1: done, 2: done, 3: discard TS, discard 6D, discard 8D, done")
    assert (deal.end, deal.next_dealer) == ("void", 0)


def test_petukh_8_5_who_has_drawn_no_card_is_not_looked_at():
    hands = ["6S 9C TD KH 7H", "9H TH JH QH AH", "7S TC KD 6H 9S"]
    deal = act(drawing(hands, khlust="game"), "1: hide, 1: done")
    assert asked(deal)[:2] == ("exchange", 2)
    hands = ["6S 9C TD 6D 7C", "9H TH JH QH AH", "7S TC KD 6H 9S"]
    deal = act(drawing(hands, top="KH", khlust="game"), "1: hide, 1: discard 9H, 1: done")
    assert asked(deal) == ("khlust", 1, ["show", "hide"])


def test_petukh_10_options():
    assert options() == {
        "players": 4,
        "start": 15,
        "stock": "prikup",
        "khlust": "kon",
        "finish": "choose",
        "revoke": "masked",
        "start_scores": "equal",
        "max_deals": 200,
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 6},
        {"players": True},
        {"start": 16},
        {"start": 15.0},
        {"stock": "talon"},
        {"khlust": None},
        {"finish": "go on"},
        {"revoke": False},
        {"start_scores": "zero"},
        {"max_deals": 0},
        {"max_deals": True},
        {"boys": 2},
    ],
)
def test_petukh_10_options_refused(wrong):
    with pytest.raises(ValueError, match=repr(next(iter(wrong)))):
        options(**wrong)


def test_petukh_11_action_ids():
    assert len(petukh.ACTIONS) == 121
    named = {0: "play 6S", 8: "play AS", 35: "play AH", 36: "keep 6S", 72: "discard 6S", 107: "discard AH", 108: "take"}
    named |= {109: "pass", 110: "stay", 111: "fold", 112: "boys 2", 113: "boys 4", 114: "silent", 115: "stop"}
    named |= {116: "go on", 117: "show", 118: "hide", 119: "done", 120: "take trump"}
    assert {number: petukh.ACTIONS[number] for number in named} == named


# --------------------------------------------------------------------------------------------------- golden games

MATCH, KON = "prikup_match_won_by_boys", "draw_kon_hidden_khlust_stopped"


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_are_right(path):
    assert petukh.check(path).episodes == 1


def test_golden_prikup_match_won_by_boys():
    report = check(golden(MATCH))
    assert (report.deals, report.moves) == (5, 17 + 3 + 15 + 20)
    assert report.ends == {"void": 1, "played": 3, "khlust": 1, "revoke": 1, "won by boys": 1}
    assert report.actions == {
        **{"play": 36, "take": 2, "pass": 5, "keep": 2, "stay": 2, "fold": 2},
        **{"discard": 3, "boys 2": 2, "boys 4": 1},
    }


def test_golden_draw_kon_hidden_khlust_stopped():
    report = check(golden(KON))
    assert (report.deals, report.moves, report.ends) == (1, 35, {"stopped": 1})


def test_petukh_7_7_a_match_may_be_won_in_its_last_allowed_kon():
    lines = golden(MATCH)
    lines[0]["rules"].update(max_deals=4)  # the void one does not count
    assert check(lines).ends["won by boys"] == 1
    lines = golden(MATCH)[:43]
    lines[0]["rules"].update(max_deals=3)
    lines.append({"type": "end", "terminated": False, "returns": [0.0, 0.0, 0.0]})
    assert check(lines).ends["cut short"] == 1


def test_max_deals_and_finish_do_not_matter_where_nobody_wins():
    lines = golden(KON)
    lines[0]["rules"].update(max_deals=1)
    assert check(lines).moves == 35
    lines = golden(MATCH)
    lines[0]["rules"].update(finish="play", start_scores="random")
    assert check(lines).moves == 55


def test_cards_of_a_hand_in_any_order_but_the_turned_up_one():
    lines = golden(MATCH)
    for line in lines:
        for seat, hand in enumerate(line["hands"] if line["type"] == "deal" else []):
            last = 5 if seat == line["dealer"] else None
            hand[:last] = hand[:last][::-1]
    assert check(lines).moves == 55


def test_two_episodes_in_one_file():
    assert check(golden(MATCH) + golden(KON)).episodes == 2
    with pytest.raises(RecordFault) as raised:
        check(golden(MATCH) + golden(KON)[:-1])
    assert raised.value.line == 66 + 39


# ----------------------------------------------------------------------------------------------------------- slips


def move(seat: int, action: str, *others: str) -> dict[str, Any]:
    """A decision with these legal actions."""
    return {"type": "move", "seat": seat, "legal": [action, *others], "action": action}


# In prikup_match_won_by_boys.jsonl the deals are lines 2 (void), 3, 22, 27 and 44, the scores 21, 26, 43 and 65.
SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    # the match line
    "format": (1, lambda r: r[0].update(format=2)),
    "game": (1, lambda r: r[0].update(game="pan")),
    "negative seed": (1, lambda r: r[0].update(seed=-1)),
    "episode": (1, lambda r: r[0].update(episode="kon")),
    "a match at random scores": (1, lambda r: r[0].update(start=[15, 14, 15])),
    "start of two seats": (1, lambda r: r[0].update(start=[15, 15])),
    "start as decimals": (1, lambda r: r[0].update(start=[15.0, 15, 15])),
    "another start by the options": (1, lambda r: r[0]["rules"].update(start=20)),
    "two names": (1, lambda r: r[0].update(players=["a", "b"])),
    "match extra key": (1, lambda r: r[0].update(dealer=2)),
    "option missing": (1, lambda r: r[0]["rules"].pop("finish")),
    "option unknown": (1, lambda r: r[0]["rules"].update(preset="petukh")),
    "option value": (1, lambda r: r[0]["rules"].update(khlust="match")),
    "option as a list": (1, lambda r: r[0]["rules"].update(khlust=["kon"])),
    "another number of seats": (1, lambda r: r[0]["rules"].update(players=4)),
    "no kons": (1, lambda r: r[0]["rules"].update(max_deals=0)),
    # the deal lines
    "a doubled card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "6S")),
    "a foreign card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "5S")),
    "a card doubled in the prikup": (2, lambda r: r[1]["prikup"].__setitem__(0, "6S")),
    "a card doubled in the stock": (2, lambda r: r[1]["stock"].__setitem__(0, "6S")),
    "a short prikup": (2, lambda r: r[1]["prikup"].pop()),
    "a short stock": (2, lambda r: r[1]["stock"].pop()),
    "no stock": (2, lambda r: r[1].pop("stock")),
    "a trump card in the prikup game": (2, lambda r: r[1].update(trump_card=["KH"])),
    "a dealer of five cards": (2, lambda r: r[1]["hands"][2].pop()),
    "another deals six": (2, lambda r: r[1]["hands"].insert(0, r[1]["hands"].pop())),
    "no dealer": (2, lambda r: r[1].update(dealer=None)),
    "a dealer too high": (2, lambda r: r[1].update(dealer=3)),
    "deal number": (2, lambda r: r[1].update(number=1)),
    # khlust
    "no khlust": (3, lambda r: (r[1]["hands"][0].__setitem__(0, "6S"), r[1]["hands"][1].__setitem__(0, "6D"))),
    "a plain khlust scored": (3, lambda r: r.insert(2, r[20] | {"points": [-5, 5, 5], "totals": [10, 20, 20]})),
    "a plain khlust counted": (3, lambda r: r[0]["rules"].update(khlust="any_kon")),
    "a plain khlust wins": (3, lambda r: r[0]["rules"].update(khlust="any_game")),
    "a void kon numbered": (3, lambda r: r[2].update(number=1)),
    "a void kon passes the deal on": (3, lambda r: r[2].update(dealer=0)),
    "a trump khlust asked for": (26, lambda r: r[0]["rules"].update(khlust="game")),
    "another card kept": (26, lambda r: r[24].update(action="keep 6C")),
    "a khlust to nobody else's loss": (26, lambda r: r[25].update(points=[0, -5, 0], totals=[14, 10, 11])),
    "a khlust to the dealer's loss alone": (26, lambda r: r[25].update(points=[0, -5, 5], totals=[14, 10, 16])),
    "a khlust passes the deal on": (27, lambda r: r[26].update(dealer=1)),
    # prikup
    "another is asked first": (4, lambda r: r[3].update(seat=1)),
    "the dealer is asked too": (6, lambda r: r.insert(5, r[4] | {"seat": 2})),
    "taken all the same": (5, lambda r: r[3].update(action="take")),
    "passed all the same": (25, lambda r: r[23].update(action="pass")),
    "four cards to keep": (25, lambda r: r[24]["legal"].pop()),
    "a card of the prikup kept": (25, lambda r: r[24].update(action="keep TS")),
    # folding
    "no fold offered": (6, lambda r: r[5]["legal"].remove("fold")),
    "not asked to fold": (6, lambda r: r.pop(5)),
    "the folder stays": (13, lambda r: r[6].update(action="stay")),
    "the dealer asked to fold": (8, lambda r: r.insert(7, move(2, "stay", "fold"))),
    "the folder plays": (13, lambda r: r.insert(12, move(1, "play 6S"))),
    "the taker asked to fold": (30, lambda r: r.insert(29, move(0, "stay", "fold"))),
    "a fold counted although a khlust came between": (30, lambda r: r.pop(29)),
    "a fold twice running": (47, lambda r: r.insert(46, move(1, "stay", "fold"))),
    # before the first lead
    "a card not to be laid away": (8, lambda r: r[7]["legal"].pop()),
    "the turned-up card not to be laid away": (8, lambda r: r[7]["legal"].remove("discard 6H")),
    "a laid-away card played": (10, lambda r: r[9]["legal"].insert(3, "play QD")),
    "boys of one jack": (9, lambda r: r.insert(8, move(2, "boys 2", "silent"))),
    "boys four of two jacks": (9, lambda r: r[8]["legal"].insert(1, "boys 4")),
    "boys in colour": (9, lambda r: r[8].update(action="red boys")),
    "boys not asked": (9, lambda r: r.pop(8)),
    "silent after all": (21, lambda r: r[8].update(action="silent")),
    "boys four not offered": (32, lambda r: r[31]["legal"].remove("boys 4")),
    "boys two after all": (43, lambda r: r[31].update(action="boys 2")),
    # play
    "the dealer leads although the prikup was taken": (33, lambda r: r[32].update(seat=2)),
    "right cards only": (11, lambda r: r[10].update(legal=["play JH"], action="play JH")),
    "right cards only by the options": (11, lambda r: r[0]["rules"].update(revoke="masked")),
    "a revoke not told": (11, lambda r: r[10].pop("revoke")),
    "a revoke denied": (11, lambda r: r[10].update(revoke=False)),
    "a revoke as a number": (11, lambda r: r[10].update(revoke=1)),
    "a revoke where none is": (12, lambda r: r[11].update(revoke=True)),
    "a revoke of a lead": (10, lambda r: r[9].update(revoke=True)),
    "no revoke denied": (10, lambda r: r[9].update(revoke=False)),
    "no revoke when passing": (4, lambda r: r[3].update(revoke=True)),
    "wrong cards offered twice": (12, lambda r: r[11]["legal"].insert(0, "play KS")),
    "a wrong card gone": (14, lambda r: r[13]["legal"].remove("play 7C")),
    "a wrong card gone for good": (12, lambda r: r.pop(11)),
    "another leads": (15, lambda r: r[14].update(seat=0)),
    "the loser of a trick leads": (19, lambda r: r[18].update(seat=2)),
    "another trump": (17, lambda r: r[2]["hands"][2].__setitem__(slice(4, 6), ["6H", "QD"])),
    "a ten over a jack": (60, lambda r: r[59].update(seat=2)),
    "finish asked": (65, lambda r: r.insert(64, move(0, "stop", "go on"))),
    "legal in another order": (14, lambda r: r[13]["legal"].reverse()),
    "legal doubled": (12, lambda r: r[11]["legal"].append("play JH")),
    "move extra key": (15, lambda r: r[14].update(phase="play")),
    # scores
    "a revoke not scored": (21, lambda r: r[20].update(points=[-6, 0, -4], totals=[9, 15, 11])),
    "a folder fined": (21, lambda r: r[20].update(points=[-1, 5, -4], totals=[14, 20, 11])),
    "points the wrong way": (21, lambda r: r[20].update(points=[1, 0, 4])),
    "a score of the next kon": (21, lambda r: r[20].update(deal=1)),
    "scored once more": (22, lambda r: r.insert(21, dict(r[20]))),
    "the scores not carried on": (26, lambda r: r[25].update(totals=[20, 10, 20])),
    "boys two for four": (43, lambda r: r[42].update(points=[-7, 0, -3], totals=[12, 10, 13])),
    "below zero": (65, lambda r: r[64].update(points=[-10, 5, 5], totals=[-3, 15, 18])),
    "the score kept at one": (65, lambda r: r[64].update(points=[-6, 5, 5], totals=[1, 15, 18])),
    # between kons and the end
    "nobody took and the next one deals": (22, lambda r: r[21].update(dealer=0)),
    "the taker does not deal": (44, lambda r: r[43].update(dealer=2)),
    "a single kon": (22, lambda r: r[0].update(episode="deal")),
    "fewer kons allowed": (44, lambda r: r[0]["rules"].update(max_deals=3)),
    "truncated": (66, lambda r: r[65].update(terminated=False)),
    "another has won": (66, lambda r: r[65].update(returns=[-0.5, 1.0, -0.5])),
    "returns of a kon": (66, lambda r: r[65].update(returns=[2.4, -1.2, -1.2])),
    "another kon after the win": (66, lambda r: r.insert(65, r[43] | {"number": 4})),
    "end left out": (66, lambda r: r.pop(65)),
    "something after the end": (67, lambda r: r.append(dict(r[65]))),
}

# In draw_kon_hidden_khlust_stopped.jsonl lines 3 to 20 come before the first lead, 21 to 37 are the play.
DRAW_SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    "started at nothing": (1, lambda r: r[0]["start"].__setitem__(1, 0)),
    "started too high": (1, lambda r: r[0]["start"].__setitem__(2, 16)),
    "random scores by the options": (1, lambda r: r[0]["rules"].update(start_scores="equal")),
    "a match at random scores": (1, lambda r: r[0].update(episode="match")),
    "two trump cards": (2, lambda r: r[1]["trump_card"].append(r[1]["stock"].pop())),
    "no trump card": (2, lambda r: r[1].pop("trump_card")),
    "a trump card as a text": (2, lambda r: r[1].update(trump_card="7S")),
    "a prikup": (2, lambda r: r[1].update(prikup=[])),
    "six cards for the dealer": (2, lambda r: r[1]["hands"][0].append(r[1]["stock"].pop())),
    "the prikup game by the options": (2, lambda r: r[0]["rules"].update(stock="prikup")),
    "a khlust not asked for": (3, lambda r: r.pop(2)),
    "a khlust that ends the kon by the options": (3, lambda r: r[0]["rules"].update(khlust="kon")),
    "the khlust shown": (4, lambda r: r[2].update(action="show")),
    "only show": (3, lambda r: r[2]["legal"].remove("hide")),
    "asked about the same cards again": (5, lambda r: r.insert(4, dict(r[2]))),
    "a plain khlust beside the hidden one": (4, lambda r: r[1].update(with_five_clubs(r[1]["hands"]))),
    "no fold offered": (4, lambda r: r[3]["legal"].remove("fold")),
    "somebody has three points": (4, lambda r: r[0]["start"].__setitem__(4, 3)),
    "fold after the first card": (7, lambda r: r[6]["legal"].insert(4, "fold")),
    "a card out of order": (7, lambda r: r[5].update(action="discard 6D")),
    "a lower card offered": (8, lambda r: r[7]["legal"].insert(0, "discard 6D")),
    "the end of an exchange left out": (11, lambda r: r.pop(10)),
    "one card fewer": (10, lambda r: r.pop(9)),
    "trump taken by another": (17, lambda r: r[16]["legal"].append("take trump")),
    "the next seat left out": (12, lambda r: r.__delitem__(slice(11, 17))),
    "the dealer may not fold": (18, lambda r: r[17]["legal"].remove("fold")),
    "trump for nothing": (18, lambda r: r[17]["legal"].append("take trump")),
    "more cards than can be got back": (19, lambda r: r[18]["legal"].insert(0, "discard 7C")),
    "done with an empty stock": (19, lambda r: r[18]["legal"].insert(0, "done")),
    "boys of one jack": (20, lambda r: r.insert(19, move(1, "boys 2", "silent"))),
    "boys four of three jacks": (20, lambda r: r[19]["legal"].insert(1, "boys 4")),
    "too few points for boys": (20, lambda r: r[0]["start"].__setitem__(4, 5)),
    "the dealer leads": (21, lambda r: r[20].update(seat=0)),
    "a revoke": (21, lambda r: r[20].update(revoke=True)),
    "the folder is asked": (22, lambda r: r[21].update(seat=2)),
    "the stock in another order": (
        22,
        lambda r: (r[1]["stock"].__setitem__(0, "8S"), r[1]["stock"].__setitem__(5, "6S")),
    ),
    "wrong cards offered": (22, lambda r: r[21]["legal"].append("play 9C")),
    "the trump card not in the hand": (24, lambda r: r[23].update(legal=["play 7C"], action="play 7C")),
    "not asked to stop": (37, lambda r: r.pop(36)),
    "stopped by the options": (37, lambda r: r[0]["rules"].update(finish="stop")),
    "played on by the options": (37, lambda r: r[0]["rules"].update(finish="play")),
    "a point more left": (37, lambda r: r[0]["start"].__setitem__(1, 5)),
    "gone on": (38, lambda r: r[36].update(action="go on")),
    "fined after a stop": (38, lambda r: r[37].update(points=[5, -4, 0, 5, 10], totals=[17, 0, 15, 13, 16])),
    "boys counted after a stop": (38, lambda r: r[37].update(points=[0, -4, 0, 0, 10], totals=[12, 0, 15, 8, 16])),
    "five tricks after a stop": (38, lambda r: r[37].update(points=[0, -5, 0, 0, 0], totals=[12, -1, 15, 8, 6])),
    "returns of a match": (39, lambda r: r[38].update(returns=[-0.25, 1.0, -0.25, -0.25, -0.25])),
    "returns in points": (39, lambda r: r[38].update(returns=[-1.0, 4.0, -1.0, -1.0, -1.0])),
    "truncated": (39, lambda r: r[38].update(terminated=False)),
    "another kon": (39, lambda r: r.insert(38, r[1] | {"number": 1, "dealer": 1})),
}


def with_five_clubs(hands: list[list[str]]) -> dict[str, Any]:
    """The deal of the draw game with five clubs in the hand of seat 2; its other cards lie where they were."""
    five = [*hands[:2], cards("8C 9C TC JC AC"), hands[3], cards("9S QD KD 6H 7H")]
    return {"hands": five, "stock": cards("6S KC AD TD TH 8S 9D JD JH AH")}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found_in_its_line(slip):
    line, change = SLIPS[slip]
    lines = golden(MATCH)
    change(lines)
    assert fault(lines).line == line


@pytest.mark.parametrize("slip", DRAW_SLIPS)
def test_a_slip_in_the_draw_is_found_in_its_line(slip):
    line, change = DRAW_SLIPS[slip]
    lines = golden(KON)
    change(lines)
    assert fault(lines).line == line


# ------------------------------------------------------------------------------------------ the referee's own records


def test_random_records_are_right_and_show_everything():
    """Of 250 episodes every line is right; the rare things are common, no card is lost."""
    chance = random.Random(12)
    ends, actions, found = Counter(), Counter(), Counter()
    for _ in range(250):
        rules, episode = petukh_play.drawn(chance)
        lines = petukh_play.record(chance, rules, episode)
        report = petukh.check_lines(lines)
        ends += report.ends
        actions += report.actions
        found[rules["players"], rules["stock"]] += 1
        for place in petukh.walk(lines):
            deal = place.deal
            found["one card too many"] += place.legal == ["take trump"]
            found["four jacks"] += "boys 4" in place.legal
            found["khlust after an exchange"] += place.legal[0] == "show" and any(deal.aside)
            found["boys in two hands"] += sum(map(bool, deal.boys)) == 2
            if chance.random() < 0.8:
                continue
            laid = [said.action[5:] for said in deal.story if said.phase == "play" and not said.revoke]
            prikup = [] if any(deal.aside) and deal.taker is not None else deal.prikup
            lying = [deal.trump_card] if deal.trump_card and not deal.took_trump else []
            assert sorted(sum([*deal.hands, *deal.aside], [*deal.stock, *prikup, *laid, *lying])) == sorted(CARDS)
        try:
            petukh.check_lines(petukh_play.slipped(chance, lines))
        except RecordFault:
            found["slips"] += 1
    assert sum(isinstance(what, tuple) for what in found) == 8
    assert set(actions) == {petukh._kind(action) for action in petukh.ACTIONS}
    assert min(actions.values()) >= 5
    assert min(found.values()) >= 5
    assert set(ends) == {
        *("played", "stopped", "alone", "khlust", "khlust wins", "void", "revoke"),
        *("won by tricks", "won by boys", "won by khlust", "cut short"),
    }
    assert found["slips"] > 200


# --------------------------------------------------------------------------------------------- what a seat knows (12)


def at(name: str, line: int, seat: int) -> tuple[Knowledge, Deal]:
    """What a seat knows before the move of a line, and the kon itself."""
    for place in petukh.walk(json.dumps(entry) for entry in golden(name)):
        if place.line == line:
            return Knowledge.of(place.deal, seat), place.deal
    raise AssertionError(f"{name} has no move in line {line}")


def piles(deal: Deal) -> list[list[Any]]:
    """The true placement: hands, cards laid away, prikup, stock."""
    prikup = [] if deal.taker is not None and deal.aside[deal.taker] else deal.prikup
    return [deal.hands, deal.aside, prikup, deal.stock]


def could(known: Knowledge, deal: Deal, *swaps: str) -> bool:
    """Whether the placement could be true with the two cards of each swap exchanged."""
    exchange = {}
    for swap in swaps:
        one, other = swap.split()
        exchange |= {one: other, other: one}

    def moved(pile: list[Any]) -> list[Any]:
        return [moved(its) if isinstance(its, list) else exchange.get(its, its) for its in pile]

    return consistent(known, *(moved(pile) for pile in piles(deal)))


def test_petukh_12_the_turned_up_card():
    known, deal = at(MATCH, 4, 0)
    assert known.known == (set(), set(), {"6H"})
    assert not could(known, deal, "6H TC")
    known, deal = at(MATCH, 9, 0)
    assert known.known == (set(), set(), set())  # 5.1: it may have gone
    assert not could(known, deal, "6H TC")
    assert could(known, deal, "6H QD")  # QD is what went
    known, deal = at(KON, 21, 3)
    assert known.known[0] == {"7S"}  # 8.3
    known, deal = at(KON, 25, 3)
    assert known.known[0] == set()


def test_petukh_12_own_cards_laid_away():
    known, deal = at(MATCH, 11, 2)
    assert known.aside == {"QD"}
    assert not could(known, deal, "QD TC")
    known, deal = at(MATCH, 11, 1)
    assert known.aside == set()
    assert could(known, deal, "QD TC")
    known, deal = at(MATCH, 33, 0)
    assert known.aside == set(cards("6D 7D 8H 9H"))
    assert not could(known, deal, "6D QH")


def test_petukh_12_a_card_put_back_is_known():
    for seat in range(3):
        known, deal = at(MATCH, 12, seat)
        assert known.known[0] == {"7C"}
        assert known.revokes == (1, 0, 0)
    known, deal = at(MATCH, 12, 1)
    assert not could(known, deal, "7C TC")
    assert not could(known, deal, "JH TC")  # with no heart 7C would have been right; JH is the red boys' too
    assert could(known, deal, "AS TC")
    known, deal = at(MATCH, 14, 1)
    assert known.known[0] == {"7C"}
    known, deal = at(MATCH, 15, 1)
    assert known.known[0] == set()


def test_petukh_12_suits_that_a_seat_lacks():
    known, deal = at(MATCH, 16, 1)
    assert known.lacks[0] == set()
    known, deal = at(MATCH, 17, 1)
    # JD on KC: no club and no heart; AC, KC, 7C, AH, JH are played.
    assert known.lacks[0] == set(cards("6C 8C 9C TC JC QC 6H 7H 8H 9H TH QH KH"))
    assert not could(known, deal, "AS 7H")
    assert not could(known, deal, "AS TC")
    assert could(known, deal, "AS QS")
    known, deal = at(MATCH, 20, 1)
    assert known.lacks[2] == set()
    known, deal = at(KON, 27, 0)
    assert {"9S"} <= known.lacks[3] | known.lacks[4]


def test_petukh_12_boys_said_are_held():
    known, deal = at(MATCH, 10, 1)
    assert (known.boys, known.phase, known.turn) == ((2, 0, 0), "play", 2)
    assert not could(known, deal, "JD QC")
    assert could(known, deal, "JD JS", "JH JC")  # the colour is not told
    assert could(known, deal, "KS QC")
    known, deal = at(MATCH, 33, 1)
    assert known.boys == (4, 0, 0)
    assert not could(known, deal, "JD TH")


def test_petukh_12_who_is_asked_for_boys_is_hidden():
    assert (at(MATCH, 9, 0)[0].phase, at(MATCH, 9, 0)[0].turn) == ("boys", 0)
    for seat in (1, 2):
        known = at(MATCH, 9, seat)[0]
        assert (known.phase, known.turn, known.leader) == ("play", 2, 2)


def test_petukh_12_who_is_asked_about_a_khlust_is_hidden():
    assert (at(KON, 3, 1)[0].phase, at(KON, 3, 1)[0].turn) == ("khlust", 1)
    for seat in (0, 2, 3, 4):
        known = at(KON, 3, seat)[0]
        assert (known.phase, known.turn) == ("exchange", 1)
    deal = kon(KHLUST, khlust="game", scores=[15, 3, 15, 15])
    assert (Knowledge.of(deal, 0).phase, Knowledge.of(deal, 0).turn) == ("take", 2)
    deal = kon(KHLUST[:2], khlust="game", scores=[15, 3])
    assert (Knowledge.of(deal, 0).phase, Knowledge.of(deal, 0).turn) == ("discard", 0)
    hands = ["6S 9C TD KH 7H 8H", "7S TC KD AH 9S", "8S JC QD 6C AS"]
    deal = act(kon(hands, lying="9H TH JH QH", khlust="game"), "1: take, 1: keep AH")
    assert (Knowledge.of(deal, 0).phase, Knowledge.of(deal, 0).turn) == ("fold", 2)
    deal = act(kon(hands[:2], lying="9H TH JH QH", khlust="game"), "1: take, 1: keep AH")
    assert (Knowledge.of(deal, 0).phase, Knowledge.of(deal, 0).turn) == ("discard", 0)


def test_petukh_12_a_kon_that_went_on_had_no_khlust():
    deal = kon(FOUR)  # seat 2: 8S JC QD 6C AS; prikup 6H 7C 7D 8C
    known = Knowledge.of(deal, 0)
    assert not could(known, deal, "8S 7C", "QD 8C", "AS QC")
    assert could(known, deal, "8S 7C", "QD 8C")
    # Seat 2 has taken: 6H 7C 7D 8C beside one of its own.
    deal = act(deal, "1: pass, 2: take, 2: keep 6C")
    known = Knowledge.of(deal, 0)
    assert could(known, deal, "6H QC")  # three hearts and diamonds less: 6C QC 8C 7C 7D
    assert not could(known, deal, "6H QC", "7D TC")
    # Four clubs in what it laid away, whichever card it kept.
    assert could(known, deal, "8S 8D")


def test_petukh_2_3_a_hidden_trump_khlust_is_possible():
    for rule, possible in (("kon", False), ("any_kon", False), ("any_game", False), ("game", True)):
        deal = kon(FOUR, khlust=rule)
        known = Knowledge.of(deal, 0)
        assert could(known, deal, "8S 6H", "QD 9H", "AS TH", "JC QH", "6C JH") == possible
        assert not could(known, deal, "8S 6D", "AS TD", "JC 9D", "6C JD") or rule == ""


def test_petukh_8_3_a_khlust_before_or_after_an_exchange():
    deal = act(drawing(), "1: discard 7S, discard TC, done")  # now 9S KD AH 6H 7C
    known = Knowledge.of(deal, 2)
    assert (known.exchanged, known.stock) == ((None, 2, None, None), 13)
    assert could(known, deal, "9S 9H", "KD TH")  # AH 6H 9H TH and a club
    assert not could(known, deal, "9S 9H", "KD TH", "7C QH")
    # Clubs laid away and clubs held: some of these it has drawn.
    assert could(known, deal, "7S 7C", "9S 9C", "KD KC")


def test_petukh_8_3_the_trump_card_was_not_dealt():
    """Seven clubs pass by the dealer; of his four beside the trump he was dealt two, so five clubs at once."""
    hands = ["6C 8C TC KH 7H", "7S TD KD AH 9S", "8S JD QD 6D AS", "TS QS AD 6H JH"]
    deal = act(
        drawing(hands, top="7C 7D"),
        "1: done, 2: done, 3: done, 0: discard 6C, 0: discard 8C, 0: discard TC, 0: take trump",
    )
    assert sorted(deal.hands[0]) == sorted(cards("KH 7H 8H 7C 7D"))
    known = Knowledge.of(deal, 1)
    assert could(known, deal)
    assert could(known, deal, "7D JC", "7H QC")  # two clubs and KH: KH may have been dealt
    assert not could(known, deal, "7D JC", "7H QC", "KH KC")
    assert could(known, deal, "7D JC", "7H QC", "KH KC", "6C 8D")


def test_petukh_12_at_the_end():
    deal = kon(KHLUST)
    known = Knowledge.of(deal, 0)
    assert (known.phase, known.turn) == ("over", None)


def test_petukh_12_the_truth_is_never_objected_to():
    """In random games, for every seat; and a card that somebody is known to hold or to lack cannot change its place."""
    chance, looked = random.Random(4), Counter()
    for _ in range(100):
        rules, episode = petukh_play.drawn(chance)
        rules["max_deals"] = min(rules["max_deals"], 10)
        for place in petukh.walk(petukh_play.record(chance, rules, episode)):
            if chance.random() < 0.7:
                continue
            deal, me = place.deal, chance.randrange(rules["players"])
            known = Knowledge.of(deal, me)
            assert objections(known, *piles(deal)) == []
            assert (known.tricks, list(known.trick)) == (tuple(deal.tricks), deal.trick)
            assert (known.revokes, known.first, list(known.boys)) == (tuple(deal.revokes), deal.first, deal.boys)
            assert (known.stock, list(known.exchanged), known.taker) == (len(deal.stock), deal.exchanged, deal.taker)
            if deal.phase in ("discard", "boys", "play", "finish"):
                assert (known.leader, known.folded) == (deal.leader, set(deal.folded))
            hidden = [card for seat, hand in enumerate(deal.hands) if seat != me for card in hand] + deal.stock
            if len(hidden) < 2:
                continue
            one, other = chance.sample(hidden, 2)
            if any({one, other} <= set(hand) for hand in deal.hands):
                continue
            sure = any(
                leaving in hand and (leaving in known.known[seat] or coming in known.lacks[seat])
                for seat, hand in enumerate(deal.hands)
                for leaving, coming in ((one, other), (other, one))
            )
            free = could(known, deal, f"{one} {other}")
            assert not (sure and free)
            looked[free] += 1
            looked["sure"] += sure
    assert min(looked[True], looked[False], looked["sure"]) > 50
