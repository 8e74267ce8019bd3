"""The referee of Piquet: the worked cases of the rule book, golden games, and faults it must find."""

import json
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from referee import piquet, piquet_play
from referee.piquet import (
    Deal,
    RecordFault,
    best,
    can_announce,
    compared,
    could_follow,
    holdings,
    margin,
    options,
    returns,
    white_tens,
    worth,
)
from referee.piquet_knowledge import Knowledge, objections

RECORDS = Path(__file__).parent / "records" / "piquet"
GOLDEN = sorted(RECORDS.glob("*.jsonl"))

Lines = list[dict[str, Any]]


def golden(name: str) -> Lines:
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()]


def check(lines: Lines) -> piquet.Report:
    return piquet.check_lines([json.dumps(line) for line in lines])


def cards(text: str) -> list[str]:
    return text.split()


def dealt(
    elder: str, younger: str = "", talon_elder: str = "", talon_younger: str = "", scores=(0, 0), single=False, **chosen
) -> Deal:
    """A deal by seat 1, so that seat 0 is elder; what is not spelled is filled up in the order of the pack."""
    placed = piquet_play.filled(Still(), tuple(map(cards, (elder, younger, talon_elder, talon_younger))))
    return Deal(options(**chosen), 1, list(placed[:2]), *placed[2:], list(scores), single)


class Still(random.Random):
    """Leaves an order as it is."""

    def shuffle(self, x: Any) -> None:
        x.reverse()


def act(deal: Deal, *actions: str) -> Deal:
    for action in actions:
        assert action in deal.legal(), (deal.seat, action, deal.legal())
        deal.act(action)
    return deal


def silent(deal: Deal) -> Deal:
    """Neither lays anything away or says anything."""
    while deal.phase != "play":
        act(deal, "done" if deal.phase == "exchange" else "pass")
    return deal


def play(deal: Deal, text: str) -> Deal:
    return act(deal, *(f"play {card}" for card in text.replace(",", " ").split()))


def suit_of(text: str) -> piquet.Holding:
    return best(options(), "suit", cards(text))


def sequence_of(text: str) -> piquet.Holding:
    return best(options(), "sequence", cards(text))


# ----------------------------------------------------------------------------------------------- worked cases (10)


def test_piquet_10_1_elder_lays_away_three():
    deal = dealt("7S 8S 9S TS JS QS KS AS 7C 8C 9C TC", "", "JC QC KC AC 7D", "8D 9D TD", carte_blanche="none")
    act(deal, "discard 7S", "discard 8S", "discard 9S", "done")
    assert deal.drew[0] == cards("JC QC KC")
    assert deal.left[0] == cards("AC 7D")
    assert deal.seat == 1
    act(deal, "discard JD", "discard QD", "discard KD", "discard AD", "discard 7H")  # the fifth ends it
    assert deal.drew[1] == cards("AC 7D 8D 9D TD")
    assert deal.left[1] == []
    assert deal.phase == "suit"


def test_piquet_10_2_suits_of_five():
    assert [suit_of(text).tie for text in ("AS KS QS JS TS", "AH QH TH 9H 8H")] == [51, 48]
    assert compared(suit_of("AS KS QS JS TS"), suit_of("AH QH TH 9H 8H")) == 1
    assert compared(suit_of("AH QH TH 9H 8H"), suit_of("AS KS QS JS TS")) == -1
    assert compared(suit_of("AS KS QS JS TS"), suit_of("AH KH QH JH TH")) == 0
    assert compared(suit_of("AS KS QS JS TS"), suit_of("7H 8H 9H TH JH QH")) == -1  # length first
    assert worth(options(), "suit", suit_of("AS KS QS JS TS")) == 5


def test_piquet_10_3_sequences():
    assert compared(sequence_of("QS KS AS"), sequence_of("TH JH QH")) == 1
    assert worth(options(), "sequence", sequence_of("QS KS AS")) == 3
    assert compared(sequence_of("7C 8C 9C TC"), sequence_of("QS KS AS")) == 1


def test_piquet_10_4_four_nines():
    hand = cards("9S 9C 9D 9H JS JC JD 7S")
    nines, aces = best(options(), "set", hand), best(options(), "set", cards("AS AC AD"))
    assert compared(nines, aces) == 1
    assert [worth(options(), "set", its) for its in holdings(options(), "set", hand)] == [14, 13]
    assert [its.cards[0] for its in holdings(options(set_ranks="ten_up"), "set", hand)] == ["JS"]
    assert compared(aces, best(options(), "set", cards("KS KC KD"))) == 1


FIVE = "AS KS QS JS TS AC AD AH 7C 9C 7D 9D"  # point 5, sequence 5, four aces
OTHER = "TC 8C KD QD JD TD 8D KH QH JH TH 8H"  # a white ten of clubs


def test_piquet_10_5_the_thirty_bonus():
    deal = act(dealt(FIVE, OTHER), "done", "pass", "done")
    act(deal, "pass", "declare")
    assert deal.points == [5, 0]
    act(deal, "pass", "declare")
    assert deal.points == [20, 0]
    act(deal, "pass", "declare")
    assert deal.points == [64, 0]
    assert (deal.phase, deal.seat) == ("play", 0)


def test_piquet_10_6_a_carte_blanche_of_younger_saves_him():
    deal = act(dealt(FIVE, OTHER), "done", "carte blanche C", "done")
    act(deal, "pass", "declare", "pass", "declare", "pass", "declare")
    assert deal.points == [34, 10]


def test_piquet_10_7_leads_and_tricks():
    deal = play(silent(dealt(FIVE, OTHER)), "AS TC")
    assert deal.points == [2, 0]
    play(deal, "9D KD")
    assert deal.points == [3, 1]
    last = [event.points for event in whole("white_ten_and_thirty").events[-3:]]
    assert last == [2, 2, 10]


def whole(name: str, number: int = 0, **chosen: Any) -> Deal:
    """A deal of a golden game, played to its end under other options."""
    lines = golden(name)
    rules = lines[0]["rules"] | chosen
    numbers = [i for i, line in enumerate(lines) if line["type"] == "deal"]
    line = lines[numbers[number]]
    deal = Deal(rules, line["dealer"], line["hands"], line["talon_elder"], line["talon_younger"], [0, 0], True)
    for move in lines[numbers[number] + 1 :]:
        if move["type"] != "move":
            break
        act(deal, move["action"])
    return deal


@pytest.mark.parametrize(
    ("chosen", "points"),
    [({}, 66), ({"capot_with_cards": True}, 76), ({"lead_scores": "classic"}, 53), ({"target": 1}, 66)],
)
def test_piquet_10_8_all_twelve(chosen, points):
    assert whole("all_tricks_and_stopped_in_the_last", **chosen).points == [points, 0]


@pytest.mark.parametrize(
    ("hand", "suits"),
    [
        ("TS 9S AS KC QC JC", "S"),
        ("TS 9S AS JS KC QC", ""),
        ("TS 7S TH 9H 7H KC QC TC", "SH"),
        ("9S 8S AS TD KD", ""),
    ],
)
def test_piquet_10_9_white_tens(hand, suits):
    assert white_tens(cards(hand)) == list(suits)
    assert can_announce(options(), cards(hand), []) == [f"carte blanche {suit}" for suit in suits]


def test_piquet_10_10_six_tricks_each():
    deal = dealt("AS KS QS JS TS 9S 7C 8C 9C 7D 8D 9D", "AC KC QC JC TC AD KD QD JD TD AH KH")
    play(silent(deal), "AS AH, KS KH, QS TC, JS JC, TS TD, 9S JD, 7C QC, AC 8C, KC 9C, AD 7D, KD 8D, QD 9D")
    assert (deal.end, deal.tricks) == ("played", [6, 6])
    assert deal.points == [7 + 6, 1 + (4 + 2) + (4 + 2)]  # leads and tricks, nothing else


@pytest.mark.parametrize(("stop", "end"), [("at_once", "stopped in sequence"), ("after_deal", None)])
def test_piquet_10_11_who_first_exceeds_100(stop, end):
    deal = act(dealt(FIVE, OTHER, scores=(92, 95), stop=stop), "done", "pass", "done")
    act(deal, "declare", "pass")
    assert (deal.points, deal.end) == ([0, 5], None)  # 92 and 100
    act(deal, "pass", "declare")
    assert (deal.points, deal.end) == ([15, 5], end)  # 107


def test_piquet_10_12_a_hundred_for_the_winner():
    assert margin(options(settlement="hundred"), [90, 60]) == 130


# --------------------------------------------------------------------------------------------------- other clauses


def test_piquet_2_1_each_announces_before_his_own_exchange():
    deal = dealt("TS 9S 8S 7S AS AC KC QC JC TC 9C 8C", "TH 9H 8H 7H AH AD KD QD JD TD 9D 8D")
    assert (deal.phase, deal.seat, deal.legal()) == ("carte", 0, ["pass", "carte blanche S"])
    act(deal, "pass", "discard TS", "done")
    # What elder laid away or younger will draw does not matter: the twelve dealt do.
    assert (deal.phase, deal.seat, deal.legal()) == ("carte", 1, ["pass", "carte blanche H"])


def test_piquet_2_3_younger_takes_elder_s_leftovers_first():
    deal = dealt("7S 8S 9S TS JS QS KS AS 7C 8C 9C TC", "", "JC QC KC AC 7D", "8D 9D TD", carte_blanche="none")
    act(deal, "discard AS", "done", "discard JD", "discard QD", "discard KD", "done")
    assert deal.drew == [["JC"], cards("QC KC AC")]
    assert deal.left == [cards("QC KC AC 7D"), cards("7D 8D 9D TD")]


def test_piquet_2_3_elder_lays_away_nothing_and_younger_eight():
    deal = dealt("7S 8S 9S TS JS QS KS AS 7C 8C 9C TC", "", "JC QC KC AC 7D", "8D 9D TD", carte_blanche="none")
    act(deal, "done", *(f"discard {card}" for card in cards("JD QD KD AD 7H 8H 9H TH")))
    assert deal.phase == "suit"
    assert sorted(deal.hands[1]) == sorted(cards("JH QH KH AH JC QC KC AC 7D 8D 9D TD"))


def test_piquet_2_4_at_least_one():
    free, bound = (dealt("AS KS QS 7S 8S", min_exchange=number, carte_blanche="none") for number in (0, 1))
    assert free.legal()[-1] == "done"
    assert "done" not in bound.legal()
    assert act(bound, "discard AS").legal()[-1] == "done"
    assert "done" not in act(bound, "done").legal()  # younger too


def test_piquet_2_5_in_ascending_order():
    deal = dealt("AH KH 7S 9S AC KC QC JC 8D 9D KD QD")
    act(deal, "discard KC")
    assert deal.legal() == [f"discard {card}" for card in cards("AC 8D 9D QD KD KH AH")] + ["done"]
    act(deal, "discard AH")
    assert deal.legal() == ["done"]  # no higher card is left


def test_piquet_3_1_each_suit_once_and_in_order():
    hand = "TS 9S TC 9C TD 9D 8S 8C 8D 7S 7C 7D"
    deal = dealt(hand)
    assert deal.legal() == ["pass", "carte blanche S", "carte blanche C", "carte blanche D"]
    act(deal, "carte blanche C")
    assert deal.legal() == ["pass", "carte blanche D"]
    act(deal, "carte blanche D")
    assert (deal.phase, deal.points) == ("exchange", [20, 0])
    assert act(dealt(hand), "carte blanche S", "pass").phase == "exchange"


def test_piquet_6_1_three_white_tens_bring_the_bonus_at_once():
    deal = dealt("TS 9S TC 9C TD 9D 8S 8C 8D 7S 7C 7D", "TH AH 9H 8H KS QS JS KC QC JC KD QD")
    act(deal, "carte blanche S", "carte blanche C")
    assert deal.points == [20, 0]
    act(deal, "carte blanche D")
    assert deal.points == [60, 0]
    act(deal, "done", "carte blanche H")
    assert deal.points == [60, 10]


@pytest.mark.parametrize(("bonus", "points"), [("thirty", 60), ("classic", 90), ("none", 30)])
def test_piquet_6_2_sixty_before_the_first_lead(bonus, points):
    deal = dealt("TS 9S TC 9C TD 9D 8S 8C 8D 7S 7C 7D", bonus=bonus)
    assert act(deal, "carte blanche S", "carte blanche C", "carte blanche D").points == [points, 0]


@pytest.mark.parametrize(("bonus", "points"), [("thirty", 60), ("classic", 60), ("none", 30)])
def test_piquet_6_2_thirty_from_the_first_lead_on(bonus, points):
    # Elder says his sequence (15) and his aces (14): 29 before he leads.
    deal = act(dealt(FIVE, OTHER, bonus=bonus), "done", "pass", "done")
    act(deal, "pass", "pass", "pass", "declare", "pass", "declare")
    assert deal.points == [29, 0]
    assert play(deal, "AS").points == [points, 0]


def test_piquet_6_1_once_a_deal_and_not_for_the_end():
    deal = whole("classic_match", 1)
    assert [(event.what, event.points, event.bonus) for event in deal.events if event.bonus] == [("set", 14, 60)]
    # 26 for leads and tricks and 40 at the end: no 30 before that.
    assert whole("all_tricks_and_stopped_in_the_last").bonus(0) == 0


def test_piquet_3_2_no_court_card():
    hand = "AS TS 9S 8S 7S AC TC 9C 8C 7C AD TD"
    classic = options(carte_blanche="no_court")
    assert can_announce(classic, cards(hand), []) == ["carte blanche"]
    assert can_announce(classic, cards(hand), ["carte blanche"]) == []
    assert can_announce(classic, cards(hand.replace("TD", "JD")), []) == []
    assert can_announce(options(carte_blanche="none"), cards(hand), []) == []
    deal = dealt(hand, carte_blanche="no_court")
    assert deal.legal() == ["pass", "carte blanche"]
    assert act(deal, "carte blanche").points == [10, 0]
    assert deal.phase == "exchange"


def test_piquet_4_1_who_has_none_is_not_asked():
    deal = dealt("AS KS QS 7S AC KC 7C AD 7D 9D 7H 9H", "JS JC QC JD QD KD JH QH 8S 8C TD TH")
    act(deal, "done", "done")
    assert (deal.phase, deal.seat) == ("suit", 1)
    act(deal, "pass", "pass")
    # Younger: TD JD QD KD, TH JH QH; elder: QS KS AS.
    assert (deal.phase, deal.seat) == ("sequence", 1)
    act(deal, "pass", "declare")
    assert deal.points == [3, 0]
    assert (deal.phase, deal.seat) == ("set", 1)
    act(deal, "pass", "pass")
    assert deal.phase == "play"
    poor = dealt("AS KS 9S 7S AC QC TC 8C KD JD 9D 7D", "QS JS TS AD QD TD 8D 7H AH KH JH 9H")
    act(poor, "done", "done", "pass", "pass")
    assert (poor.phase, poor.seat) == ("sequence", 1)
    assert act(poor, "pass").phase == "play"  # no sets at all


def test_piquet_4_1_elder_speaks_first_if_so_agreed():
    for first, seats in (("elder", [0, 1, 0, 1, 0, 1, 0]), ("younger", [1, 0, 1, 0, 1, 0, 0])):
        deal = act(dealt(FIVE, OTHER, first_declarer=first), "done", "pass", "done")
        asked = [deal.seat]
        while deal.phase != "play":
            asked.append(act(deal, "declare").seat)
        assert asked == seats


def test_piquet_4_2_a_player_s_own_best_suit():
    assert suit_of("AS KS QS 7C 8C 9C TC").cards == tuple(cards("7C 8C 9C TC"))
    assert suit_of("AS KS QS TC JC QC").cards == tuple(cards("QS KS AS"))  # 31 against 30
    assert suit_of("TS JS QS TC JC QC").cards == tuple(cards("TC JC QC"))  # the higher suit
    assert suit_of("7S 8S 9S").tie == 24


def test_piquet_4_3_whole_runs_only():
    hand = cards("7S 8S 9S TS QS KS AS 9C TC JC QD KD")
    found = holdings(options(), "sequence", hand)
    assert [its.cards for its in found] == [tuple(cards(run)) for run in ("7S 8S 9S TS", "QS KS AS", "9C TC JC")]
    assert sum(worth(options(), "sequence", its) for its in found) == 4 + 3 + 3
    assert sequence_of("QS KS AS QH KH AH").cards[0] == "QH"
    runs = [tuple(f"{rank}S" for rank in piquet.RANKS[:length]) for length in range(3, 9)]
    assert [worth(options(), "sequence", sequence_of(" ".join(run))) for run in runs] == [3, 4, 15, 16, 17, 18]
    assert best(options(), "sequence", cards("AS 7S 8S KD AD 7H")) is None  # nothing goes round the corner


def test_piquet_4_4_sets():
    for ranks, found in (("all", ["7S", "8S"]), ("ten_up", [])):
        hand = cards("7S 7C 7D 7H 8S 8C 8D 9S 9C")
        assert [its.cards[0] for its in holdings(options(set_ranks=ranks), "set", hand)] == found
    aces = best(options(), "set", cards("AS AC AD"))
    assert [worth(options(trio_value=value), "set", aces) for value in (13, 3)] == [13, 3]
    assert worth(options(trio_value=3), "set", best(options(), "set", cards("9S 9C 9D 9H"))) == 14


@pytest.mark.parametrize(("more", "points"), [(True, [64, 26]), (False, [64, 13])])
def test_piquet_4_5_all_combinations(more, points):
    deal = whole("white_ten_and_thirty", all_combinations=more)
    at = [event.what for event in deal.events].index("set")
    assert [sum(e.points + e.bonus for e in deal.events[: at + 1] if e.seat == seat) for seat in (0, 1)] == points


def test_piquet_4_5_a_silent_better_holding_does_not_win():
    deal = act(dealt(FIVE, OTHER), "done", "pass", "done")
    act(deal, "declare", "pass")
    assert deal.points == [0, 5]
    act(deal, "declare", "pass")
    assert deal.points == [0, 5 + 4 + 4]  # TD JD QD KD and TH JH QH KH


def test_piquet_5_1_follow_suit_without_a_duty_to_win():
    assert could_follow(cards("AH 7H KS"), "8H") == cards("7H AH")
    assert could_follow(cards("AS 7C"), "8H") == cards("AS 7C")
    assert could_follow(cards("AS 7C"), None) == cards("AS 7C")


def test_piquet_5_2_classic_points():
    deal = play(silent(dealt(FIVE, OTHER, lead_scores="classic")), "AS TC")
    assert deal.points == [1, 0]  # led and won
    assert play(deal, "9D KD").points == [2, 1]  # 1 for the lead, 1 for the trick that the other led
    last = whole("white_ten_and_thirty", lead_scores="classic").events[-3:]
    assert [(its.what, its.points) for its in last] == [("lead", 1), ("trick", 1), ("end", 10)]


def test_piquet_5_2_classic_the_last_trick_won_by_the_other():
    hands = ("AS KS QS JS TS 9S 7C 8C 9C 7D 8D 9D", "AC KC QC JC TC AD KD QD JD TD AH KH")
    play(deal := silent(dealt(*hands, lead_scores="classic")), "7C TC, AH 8C, KH 9C, AC 7D, KC 8D, QC 9D, JC 9S")
    play(deal, "AD TS, KD JS, QD QS, JD KS, TD AS")
    assert deal.points == [1, 1 + 11 + 1 + 40]


def test_piquet_5_3_seven_tricks_are_enough():
    hands = ("AS KS QS JS TS 9S 8S 8C 9C 7D 8D 9D", "AC KC QC JC TC AD KD QD JD TD AH KH")
    play(deal := silent(dealt(*hands)), "AS AH, KS KH, QS TC, JS JC, TS TD, 9S JD, 8S QD")
    play(deal, "8C KC, AC 9C, QC 7D, AD 8D, KD 9D")
    assert (deal.tricks, deal.points) == ([7, 5], [8 + 7 + 10, 4 + 1 + 5 + 1])


@pytest.mark.parametrize(
    ("target", "line", "end", "points"),
    [
        (9, 3, "carte blanche", [10, 0]),
        (10, 13, "suit", [17, 0]),
        (16, 13, "suit", [17, 0]),
        (17, 15, "sequence", [64, 0]),  # 34, and the bonus belongs to it
        (63, 15, "sequence", [64, 0]),
        (64, 18, "lead", [65, 26]),  # the lead has no reply
        (65, 19, "trick", [66, 26]),
        (79, 33, "trick", [80, 26]),
        (80, 34, "lead", [81, 26]),
        (81, 41, "end", [91, 35]),
        (90, 41, "end", [91, 35]),
    ],
)
def test_piquet_7_1_the_very_moment(target, line, end, points):
    lines = golden("white_ten_and_thirty")
    lines[0]["episode"] = "match"
    lines[0]["rules"]["target"] = target
    lines = lines[:line]
    lines.append({"type": "score", "deal": 0, "points": points, "totals": points})
    lines.append({"type": "end", "terminated": True, "returns": [1.0, -1.0]})
    assert check(lines).ends[f"stopped in {end}"] == 1
    lines[0]["rules"]["stop"] = "after_deal"
    if end != "end":
        assert fault(lines).line == line + 1


@pytest.mark.parametrize(("target", "line"), [(91, 43), (None, 43)])
def test_piquet_7_1_more_than_the_target(target, line):
    lines = golden("white_ten_and_thirty")
    lines[0]["episode"] = "match"
    lines[0]["rules"]["target"] = target
    assert fault(lines).line == line  # a second deal is due
    lines[0]["rules"]["deals"] = 1
    lines[-1]["returns"] = [1.0, -1.0]
    assert check(lines).ends["match of all deals"] == 1


def test_piquet_7_1_stopped_between_two_white_tens():
    deal = dealt("TS 9S TC 9C TD 9D 8S 8C 8D 7S 7C 7D", target=19)
    act(deal, "carte blanche S", "carte blanche C")
    assert (deal.end, deal.points) == ("stopped in carte blanche", [20, 0])


def test_piquet_7_1_after_the_deal_both_may_have_passed_and_be_equal():
    lines = golden("white_ten_and_thirty")
    assert returns(options(target=30), "match", [1, 2], [40, 40]) == [0, 0]
    assert returns(options(target=30), "match", [1, 2], [40, 41]) == [-1, 1]
    lines[0]["episode"] = "match"
    lines[0]["rules"].update(stop="after_deal", target=30, reward="margin")
    lines[-1]["returns"] = [0.56, -0.56]
    assert check(lines).ends["match over the target"] == 1


@pytest.mark.parametrize(
    ("settlement", "target", "totals", "right"),
    [
        ("none", 100, [90, 60], 30),
        ("hundred", 100, [90, 60], 130),
        ("hundred", 100, [60, 100], 140),  # 100 is not more than 100
        ("hundred", 100, [101, 60], 41),
        ("hundred", None, [250, 60], 290),
        ("hundred", 100, [60, 60], 0),
        ("rubicon", None, [150, 100], 150),
        ("rubicon", None, [150, 99], 349),
        ("rubicon", None, [90, 60], 250),
        ("rubicon", 50, [90, 60], 250),
        ("rubicon", None, [90, 90], 0),
    ],
)
def test_piquet_7_3_and_7_5_margins(settlement, target, totals, right):
    rules = options(settlement=settlement, target=target)
    assert margin(rules, totals) == margin(rules, totals[::-1]) == right
    assert returns(rules | {"reward": "margin"}, "match", [0, 0], totals)[0] == (
        pytest.approx(right / 100 * (1 if totals[0] > totals[1] else -1))
    )


def test_piquet_7_4_a_deal_of_its_own():
    assert returns(options(reward="margin", settlement="rubicon"), "deal", [91, 35], [91, 35]) == [1.12, -1.12]
    for change in (
        {"deals": 1},
        {"target": 1},
        {"stop": "after_deal"},
        {"reward": "margin"},
        {"settlement": "hundred"},
    ):
        lines = golden("white_ten_and_thirty")
        lines[0]["rules"].update(change)
        assert check(lines).ends["played"] == 1


def test_piquet_7b_defaults():
    assert options() == {
        "deals": 8,
        "target": 100,
        "stop": "at_once",
        "settlement": "none",
        "reward": "win",
        "min_exchange": 0,
        "carte_blanche": "white_ten",
        "first_declarer": "younger",
        "trio_value": 13,
        "set_ranks": "all",
        "all_combinations": True,
        "lead_scores": "always",
        "capot_with_cards": False,
        "bonus": "thirty",
    }


@pytest.mark.parametrize(
    "wrong",
    [
        {"deals": 0},
        {"deals": None},
        {"target": 0},
        {"target": True},
        {"target": 99.5},
        {"trio_value": 14},
        {"min_exchange": False},
        {"all_combinations": 1},
        {"bonus": None},
        {"preset": "classic"},
    ],
)
def test_piquet_7b_options_refused(wrong):
    with pytest.raises(ValueError, match=repr(next(iter(wrong)))):
        options(**wrong)


def test_piquet_8_action_ids():
    assert len(piquet.ACTIONS) == 72
    named = {0: "play 7S", 7: "play AS", 31: "play AH", 32: "discard 7S", 63: "discard AH", 64: "done", 65: "declare"}
    named |= {66: "pass", 67: "carte blanche S", 70: "carte blanche H", 71: "carte blanche"}
    assert {number: piquet.ACTIONS[number] for number in named} == named


# --------------------------------------------------------------------------------------------------- golden games


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_are_right(path):
    assert piquet.check(path).episodes == 1


def test_golden_white_ten_and_thirty():
    """Elder: 10 ten, 7 hearts, 17 sequence, 30; leads and tricks 8 + 8 + 1; 10. Younger: 13 + 13, 1, and 8."""
    report = check(golden("white_ten_and_thirty"))
    assert (report.deals, report.moves) == (1, 39)
    assert report.actions == {"white ten": 1, "discard": 6, "done": 2, "declare": 5, "pass": 1, "play": 24}
    events = [(its.seat, its.what, its.points + its.bonus) for its in whole("white_ten_and_thirty").events]
    assert events[:4] == [(0, "carte blanche", 10), (0, "suit", 7), (0, "sequence", 17 + 30), (1, "set", 26)]
    assert sum(points for seat, what, points in events if seat == 0 and what in ("lead", "trick")) == 17
    assert sum(points for seat, what, points in events if seat == 1 and what in ("lead", "trick")) == 1 + 2 + 2 + 4


def test_golden_classic_match():
    report = check(golden("classic_match"))
    assert (report.deals, report.moves) == (2, 40 + 38)
    assert report.ends["bonus 60 in set"] == report.ends["all tricks"] == 1
    first, second = whole("classic_match"), whole("classic_match", 1)
    told = [(its.seat, its.what, its.points) for its in first.events[:4]]
    assert told == [(1, "carte blanche", 10), (1, "suit", 5), (0, "sequence", 4 + 3 + 3), (1, "set", 14 + 3)]
    assert first.points == [10 + 8 + 2 + 1 + 10, 32 + 4 + 2]
    assert second.points == [0, 8 + 18 + 14 + 60 + 53]
    assert [its.ties for its in [Knowledge.of(first, 0)]] == [((0, 0), (6, 3), (7, 6)[::-1])]


def test_golden_all_tricks_and_stopped_in_the_last():
    report = check(golden("all_tricks_and_stopped_in_the_last"))
    assert report.ends["equal in suit"] == report.ends["equal in sequence"] == report.ends["all tricks"] == 1
    assert report.ends["stopped in trick"] == 1
    # Twelve tricks are played, but 5.3 comes too late for the seat with eight of them: 81 and not 91.
    assert golden("all_tricks_and_stopped_in_the_last")[-2]["points"] == [35, 81]


def test_two_episodes_in_one_file():
    both = golden("classic_match") + golden("white_ten_and_thirty")
    assert check(both).episodes == 2
    assert fault(both[:-1]).line == 84 + 43


# ----------------------------------------------------------------------------------------------------------- slips


def fault(lines: Lines) -> RecordFault:
    with pytest.raises(RecordFault) as raised:
        check(lines)
    return raised.value


# In white_ten_and_thirty.jsonl the deal is line 2, carte blanche 3, exchanges 4 to 11, declarations 12 to 17, the play
# 18 to 41, the score 42, the end 43.
SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    # the match line
    "format": (1, lambda r: r[0].update(format=2)),
    "game": (1, lambda r: r[0].update(game="pikieta")),
    "episode": (1, lambda r: r[0].update(episode="game")),
    "points at the start": (1, lambda r: r[0].update(start=[0, 10])),
    "start of three seats": (1, lambda r: r[0].update(start=[0, 0, 0])),
    "one name": (1, lambda r: r[0].update(players=["a"])),
    "match key missing": (1, lambda r: r[0].pop("seed")),
    "match extra key": (1, lambda r: r[0].update(created="today")),
    "option missing": (1, lambda r: r[0]["rules"].pop("bonus")),
    "option unknown": (1, lambda r: r[0]["rules"].update(preset="classic")),
    "option value": (1, lambda r: r[0]["rules"].update(trio_value=14)),
    "option as a bool": (1, lambda r: r[0]["rules"].update(min_exchange=True)),
    "option as a number": (1, lambda r: r[0]["rules"].update(all_combinations=1)),
    "no deals": (1, lambda r: r[0]["rules"].update(deals=0)),
    "endless deals": (1, lambda r: r[0]["rules"].update(deals=None)),
    "a target of 0": (1, lambda r: r[0]["rules"].update(target=0)),
    # the deal line
    "a doubled card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "9S")),
    "a doubled card in a talon": (2, lambda r: r[1]["talon_elder"].__setitem__(0, "9S")),
    "a foreign card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "6S")),
    "a card too many": (2, lambda r: r[1]["hands"][0].append(r[1]["talon_elder"].pop())),
    "three talons": (2, lambda r: r[1].update(talon=[])),
    "talons taken for each other": (
        2,
        lambda r: r[1].update(talon_elder=r[1]["talon_younger"], talon_younger=r[1]["talon_elder"]),
    ),
    "talon left out": (2, lambda r: r[1].pop("talon_younger")),
    "no dealer": (2, lambda r: r[1].update(dealer=None)),
    "a dealer 2": (2, lambda r: r[1].update(dealer=2)),
    "deal number": (2, lambda r: r[1].update(number=1)),
    "another dealer": (3, lambda r: r[1].update(dealer=0)),
    "hands exchanged": (3, lambda r: r[1]["hands"].reverse()),
    "elder's talon turned round": (18, lambda r: r[1]["talon_elder"].reverse()),
    "younger's talon turned round": (19, lambda r: r[1]["talon_younger"].reverse()),
    # carte blanche
    "ten not offered": (3, lambda r: r[2]["legal"].remove("carte blanche S")),
    "ten beside a king": (3, lambda r: r[2]["legal"].insert(2, "carte blanche H")),
    "ten by the options": (3, lambda r: r[0]["rules"].update(carte_blanche="no_court")),
    "ten kept silent": (42, lambda r: r[2].update(action="pass")),
    "ten not asked for": (3, lambda r: r.pop(2)),
    "asked again": (4, lambda r: r.insert(3, r[2] | {"legal": ["pass"], "action": "pass"})),
    # exchange
    "a card of the talon laid away": (4, lambda r: r[3].update(action="discard AH")),
    "a lower card offered": (5, lambda r: r[4]["legal"].insert(0, "discard 9S")),
    "done too early": (6, lambda r: r.pop(5)),
    "done left out": (7, lambda r: r.pop(6)),
    "done not offered": (5, lambda r: r[4]["legal"].remove("done")),
    "done not offered at first": (4, lambda r: r[3]["legal"].remove("done")),
    "at least one by the options": (4, lambda r: r[0]["rules"].update(min_exchange=1)),
    "younger is asked for a ten": (8, lambda r: r.insert(7, r[2] | {"seat": 1})),
    "a talon card offered": (8, lambda r: r[7]["legal"].insert(0, "discard 9C")),
    "another card laid away": (8, lambda r: r[6].update(action="discard 9H")),
    "nothing after the highest card": (11, lambda r: r.pop(10)),
    # declarations
    "elder speaks first": (12, lambda r: r[11].update(seat=0)),
    "elder speaks first by the options": (12, lambda r: r[0]["rules"].update(first_declarer="elder")),
    "a round left out": (16, lambda r: r.__delitem__(slice(13, 15))),
    "declare not offered": (14, lambda r: r[13]["legal"].remove("declare")),
    "no silence": (14, lambda r: r[13]["legal"].remove("pass")),
    "elder has no aces": (17, lambda r: r.pop(16)),
    "a set of two by the options": (42, lambda r: r[0]["rules"].update(trio_value=3)),
    "only the best": (42, lambda r: r[0]["rules"].update(all_combinations=False)),
    "no bonus": (42, lambda r: r[0]["rules"].update(bonus="none")),
    "sixty": (42, lambda r: r[0]["rules"].update(bonus="classic")),
    "a better set after all": (42, lambda r: r[16].update(action="declare")),  # three aces beat three queens
    # play
    "younger leads": (18, lambda r: r[17].update(seat=1)),
    "another suit offered": (33, lambda r: r[32]["legal"].insert(0, "play QC")),
    "a card of the suit not offered": (33, lambda r: r[32]["legal"].pop()),
    "another suit played": (33, lambda r: r[32].update(action="play QC")),
    "the leader leads again": (36, lambda r: r[35].update(seat=0)),
    "another card led": (19, lambda r: r[17].update(action="play AS")),
    "a card played again": (20, lambda r: r[19].update(action="play AH")),
    "a reply left out": (19, lambda r: r.pop(18)),
    "legal in another order": (20, lambda r: r[19]["legal"].reverse()),
    "legal as ids": (20, lambda r: r[19].update(legal=[1, 2])),
    "move extra key": (20, lambda r: r[19].update(revoke=True)),
    "move key missing": (20, lambda r: r[19].pop("legal")),
    # score
    "classic leads": (42, lambda r: r[0]["rules"].update(lead_scores="classic")),
    "no ten at the end": (42, lambda r: r[41].update(points=[81, 35], totals=[81, 35])),
    "totals": (42, lambda r: r[41].update(totals=[91, 36])),
    "points in the other order": (42, lambda r: r[41].update(points=[35, 91], totals=[35, 91])),
    "score of another deal": (42, lambda r: r[41].update(deal=1)),
    "score left out": (42, lambda r: r.pop(41)),
    # end
    "truncated": (43, lambda r: r[42].update(terminated=False)),
    "a win": (43, lambda r: r[42].update(returns=[1.0, -1.0])),
    "returns not exact": (43, lambda r: r[42].update(returns=[1.1, -1.1])),
    "returns of three seats": (43, lambda r: r[42].update(returns=[1.12, -1.12, 0.0])),
    "end left out": (43, lambda r: r.pop(42)),
    "a match goes on": (43, lambda r: r[0].update(episode="match")),
    "a match that is over": (14, lambda r: (r[0].update(episode="match"), r[0]["rules"].update(target=16))),
    "something after the end": (44, lambda r: r.append(r[42])),
    "type unknown": (20, lambda r: r[19].update(type="note")),
}


def test_a_record_is_right_before_it_is_altered():
    kinds = [line["type"] for line in golden("white_ten_and_thirty")]
    assert kinds == ["match", "deal", *["move"] * 39, "score", "end"]


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found_in_its_line(slip):
    line, change = SLIPS[slip]
    lines = golden("white_ten_and_thirty")
    change(lines)
    assert fault(lines).line == line


# In classic_match.jsonl the deals are lines 2 and 44, the scores 43 and 83, the end 84.
CLASSIC_SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    "elder lays away nothing": (3, lambda r: r[2]["legal"].append("done")),
    "nothing need be laid away": (3, lambda r: r[0]["rules"].update(min_exchange=0)),
    "carte blanche with court cards": (3, lambda r: r.insert(2, r[4] | {"seat": 0})),
    "carte blanche not asked for": (5, lambda r: r.pop(4)),
    "a white ten": (5, lambda r: r[0]["rules"].update(carte_blanche="white_ten")),
    "none by the options": (5, lambda r: r[0]["rules"].update(carte_blanche="none")),
    "carte blanche of a suit": (5, lambda r: r[4].update(legal=["pass", "carte blanche S"], action="carte blanche S")),
    "younger speaks first": (13, lambda r: r[0]["rules"].update(first_declarer="younger")),
    "sets of sevens count": (43, lambda r: r[0]["rules"].update(set_ranks="all")),
    "three tens count 13": (43, lambda r: r[0]["rules"].update(trio_value=13)),
    "carte blanche kept silent": (43, lambda r: r[4].update(action="pass")),
    "sequence kept silent": (43, lambda r: r[14].update(action="pass")),
    "leads count always": (43, lambda r: r[0]["rules"].update(lead_scores="always")),
    "a deal for a match": (44, lambda r: r[0].update(episode="deal")),
    "one deal only": (44, lambda r: r[0]["rules"].update(deals=1)),
    "the same dealer": (44, lambda r: r[43].update(dealer=1)),
    "the same number": (44, lambda r: r[43].update(number=0)),
    "done after the seventh card": (54, lambda r: r.insert(53, r[45] | {"seat": 0, "legal": ["discard QH", "done"]})),
    "an eighth card": (54, lambda r: r.insert(53, r[52] | {"action": "discard QH"})),
    "younger's kings are no set": (59, lambda r: r.insert(58, r[56])),
    "thirty before the first lead": (83, lambda r: r[0]["rules"].update(bonus="thirty")),
    "all tricks and cards": (83, lambda r: r[0]["rules"].update(capot_with_cards=True)),
    "totals not carried on": (83, lambda r: r[82].update(totals=[0, 153])),
    "a hundred": (84, lambda r: r[0]["rules"].update(settlement="hundred")),
    "no settlement": (84, lambda r: r[0]["rules"].update(settlement="none")),
    "a win": (84, lambda r: r[0]["rules"].update(reward="win")),
    "the winner alone": (84, lambda r: r[83].update(returns=[0.0, 3.22])),
    "three deals": (84, lambda r: r[0]["rules"].update(deals=3)),
}


@pytest.mark.parametrize("slip", CLASSIC_SLIPS)
def test_a_slip_in_a_classic_match_is_found_in_its_line(slip):
    line, change = CLASSIC_SLIPS[slip]
    lines = golden("classic_match")
    change(lines)
    assert fault(lines).line == line


# In all_tricks_and_stopped_in_the_last.jsonl the deals are lines 2 and 34, the scores 33 and 74, the end 75.
STOP_SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    "equal suits score": (33, lambda r: r[32].update(points=[72, 0], totals=[72, 0])),
    "ten for all tricks": (33, lambda r: r[32].update(points=[36, 0], totals=[36, 0])),
    "fifty for all tricks": (33, lambda r: r[0]["rules"].update(capot_with_cards=True)),
    "classic leads": (33, lambda r: r[0]["rules"].update(lead_scores="classic")),
    "stopped before": (33, lambda r: r[0]["rules"].update(target=25)),
    "stopped by the end": (34, lambda r: r[0]["rules"].update(target=65)),
    "after the deal": (74, lambda r: r[0]["rules"].update(stop="after_deal")),
    "a higher target": (74, lambda r: r[0]["rules"].update(target=101)),
    "stopped in the last lead": (73, lambda r: r[0]["rules"].update(target=98)),
    "ten for the play": (74, lambda r: r[73].update(points=[35, 91], totals=[101, 91])),
    "another deal": (75, lambda r: r.insert(74, r[1] | {"number": 2})),
    "a draw": (75, lambda r: r[74].update(returns=[0.0, 0.0])),
    "the margin": (75, lambda r: r[0]["rules"].update(reward="margin")),
}


@pytest.mark.parametrize("slip", STOP_SLIPS)
def test_a_slip_in_a_match_that_was_stopped_is_found_in_its_line(slip):
    line, change = STOP_SLIPS[slip]
    lines = golden("all_tricks_and_stopped_in_the_last")
    change(lines)
    assert fault(lines).line == line


@pytest.mark.parametrize(("settlement", "won"), [("none", 0.2), ("hundred", 0.2), ("rubicon", 2.82)])
def test_piquet_7_3_who_passed_the_target_gets_no_hundred(settlement, won):
    lines = golden("all_tricks_and_stopped_in_the_last")
    lines[0]["rules"].update(reward="margin", settlement=settlement)
    lines[-1]["returns"] = [won, -won]
    assert check(lines).episodes == 1


# ------------------------------------------------------------------------------------------ the referee's own records

RARE = [
    *(f"stopped in {what}" for what in ("carte blanche", "suit", "sequence", "set", "lead", "trick", "end")),
    *(f"bonus 30 in {what}" for what in ("set", "lead")),
    *(f"bonus 60 in {what}" for what in ("carte blanche", "set")),
    *("equal in suit", "equal in sequence", "all tricks", "six tricks each", "match of all deals", "match drawn"),
]


def test_random_records_are_right_and_show_everything():
    """Of 600 episodes every line is right; the rare things are common, points and cards are where they should be."""
    chance = random.Random(11)
    ends, actions, found = Counter(), Counter(), Counter()
    for _ in range(600):
        rules, episode = piquet_play.drawn(chance)
        lines = piquet_play.record(chance, rules, episode)
        report = piquet.check_lines(lines)
        ends += report.ends
        actions += report.actions
        for place in piquet.walk(lines):
            deal = place.deal
            assert deal.seat == place.seat
            known = [[*deal.hands[seat], *deal.laid_away[seat]] for seat in (0, 1)]
            had = sorted(sum(known, [play.card for play in deal.plays]))
            assert had == sorted(sum(deal.dealt, [card for drew in deal.drew for card in drew or ()]))
            if deal.phase == "carte":
                found[len(white_tens(deal.dealt[deal.seat]))] += not deal.said[deal.seat]
            if deal.phase == "suit" and deal.seat == deal.rounds[-1].first:
                found["elder none"] += not deal.laid_away[deal.elder]
                found["younger eight"] += len(deal.laid_away[deal.younger]) == 8
        scores = [json.loads(line) for line in lines if '"score"' in line]
        for score, before in zip(scores, [{"totals": [0, 0]}, *scores], strict=False):
            assert score["totals"] == [a + b for a, b in zip(before["totals"], score["points"], strict=True)]
        try:
            piquet.check_lines(piquet_play.slipped(chance, lines))
        except RecordFault:
            found["slips"] += 1
    assert {what: ends[what] for what in RARE if ends[what] < 1} == {}
    assert min(actions[name] for name in ("play", "discard", "done", "declare", "pass", "white ten")) > 100
    assert actions["carte blanche"] > 10
    assert min(found[what] for what in (1, 2, 3, "elder none", "younger eight")) > 5
    assert found["slips"] > 450


def test_every_event_is_the_book_s():
    """Points of each kind of event in random deals, by a second way to count them."""
    chance = random.Random(5)
    seen = Counter()
    for _ in range(300):
        rules, _ = piquet_play.drawn(chance)
        lines = piquet_play.record(chance, rules, "deal")
        deal = [place.deal for place in piquet.walk(lines)][-1]
        assert deal.end == "played"
        assert len(deal.plays) == 24
        of = {what: [e for e in deal.events if e.what == what] for what in ("lead", "trick", "end", "carte blanche")}
        always = rules["lead_scores"] == "always"
        assert sum(e.points for e in of["lead"]) == 12 + always
        own = sum(lead.seat == trick.seat for lead, trick in zip(of["lead"], of["trick"], strict=True))
        assert sum(e.points for e in of["trick"]) == (13 if always else 12 - own + 1)
        most = max(deal.tricks)
        capot = 50 if rules["capot_with_cards"] else 40
        assert [e.points for e in of["end"]] == ([capot] if most == 12 else [10] * (most > 6))
        assert all(e.points == 10 for e in of["carte blanche"])
        assert sum(e.points + e.bonus for e in deal.events) == sum(deal.points)
        bonus = [i for i, e in enumerate(deal.events) if e.bonus]
        assert len(bonus) <= (rules["bonus"] != "none")
        # The bonus is there just when one side has 30 before the other has any, by partial sums.
        sums, due = [0, 0], None
        for i, e in enumerate(deal.events):
            sums[e.seat] += e.points if e.what != "end" else 0
            if due is None and max(sums) >= 30 and min(sums) == 0:
                due = i
        assert bonus == ([due] if due is not None and rules["bonus"] != "none" else [])
        if bonus:
            early = not any(e.what == "lead" for e in deal.events[: bonus[0] + 1])
            assert deal.events[bonus[0]].bonus == (60 if early and rules["bonus"] == "classic" else 30)
            seen["bonus"] += 1
        seen["capot"] += most == 12
    assert seen["bonus"] > 20
    assert seen["capot"] > 10


# ---------------------------------------------------------------------------------------------- what a seat knows (9)


def placement(deal: Deal) -> dict[str, Any]:
    """Where all cards are in truth."""
    piles = {"hands": deal.hands, "laid_away": deal.laid_away, "dealt": deal.dealt}
    talons = {"talon_elder": deal.talon_elder, "talon_younger": deal.talon_younger}
    return json.loads(json.dumps(piles | talons))


def swap(places: Any, one: str, other: str) -> Any:
    """The placement with two cards exchanged, wherever they are spelled."""
    if isinstance(places, str):
        return {one: other, other: one}.get(places, places)
    if isinstance(places, list):
        return [swap(its, one, other) for its in places]
    return {name: swap(its, one, other) for name, its in places.items()}


def at_line(name: str, line: int, seat: int) -> tuple[Knowledge, dict[str, Any]]:
    """What a seat knows before the move of a line, and where the cards are."""
    for place in piquet.walk(json.dumps(entry) for entry in golden(name)):
        if place.line == line:
            return Knowledge.of(place.deal, seat), placement(place.deal)
    raise AssertionError(f"{name} has no move in line {line}")


def could_be(known: Knowledge, places: dict[str, Any]) -> bool:
    return objections(known, **places) == []


def test_piquet_9_a_question_about_carte_blanche_is_not_noticed():
    known, places = at_line("white_ten_and_thirty", 3, 1)
    assert (known.phase, known.turn, known.asked) == ("exchange", 0, ("carte", 0))
    assert at_line("white_ten_and_thirty", 3, 0)[0].phase == "carte"
    assert could_be(known, places)
    assert could_be(known, swap(places, "9S", "AH"))
    assert not could_be(known, swap(places, "TS", "AH"))  # seat 0 would not be asked
    assert not could_be(known, swap(places, "KS", "AH"))  # its own card
    assert at_line("white_ten_and_thirty", 4, 1)[0].said == (("carte blanche S",), ())


def test_piquet_9_a_white_ten_is_respected_as_dealt():
    # Before line 12 seat 0 has laid away three cards that seat 1 does not know, and has drawn three.
    known, places = at_line("white_ten_and_thirty", 12, 1)
    assert (known.away, known.held) == ((3, 3), (12, 12))
    assert known.talon == set(cards("8C 9D"))
    assert known.known == (set(), set(cards("KD QD")))  # seat 0 has seen what it left
    assert could_be(known, swap(places, "9S", "KH"))
    assert could_be(known, swap(places, "9S", "AH"))  # drawn instead of laid away
    assert not could_be(known, swap(places, "TS", "AH"))  # it was dealt
    away = json.loads(json.dumps(places))
    away["laid_away"][0][0], away["hands"][0][away["hands"][0].index("TS")] = "TS", "9S"
    assert could_be(known, away)  # but it may lie there
    assert not could_be(known, swap(places, "KD", "AH"))
    assert not could_be(known, swap(places, "8C", "AH"))


def test_piquet_9_elder_knows_what_younger_drew_of_his():
    known, places = at_line("white_ten_and_thirty", 12, 0)
    assert known.talon == set(cards("KD QD"))
    assert known.known[1] == set(cards("KD QD"))
    assert could_be(known, swap(places, "9C", "8C"))
    assert could_be(known, swap(places, "7S", "9C"))
    assert could_be(known, swap(places, "7S", "KS"))
    assert not could_be(known, swap(places, "KD", "8C"))
    assert not could_be(known, swap(places, "KD", "KS"))
    away = swap(places, "7S", "8C")
    assert could_be(known, away)
    away["laid_away"][1].append(away["hands"][1].pop())
    assert not could_be(known, away)
    known, _ = at_line("white_ten_and_thirty", 18, 0)
    assert known.known == (set(cards("8H 9H TH JH QH KH AH")), set(cards("KD QD QS QC JS JC JD")))
    assert known.declared == ((7, 5), (7, 5), (0, 3))
    assert known.ties == ((0, 0),) * 3
    assert known.won == (0, 0, 1)


def test_piquet_9_while_he_exchanges_nobody_sees_how_far_he_is():
    for line in (8, 9, 11):
        known, places = at_line("white_ten_and_thirty", line, 0)
        assert (known.away, known.held, known.phase, known.turn) == ((3, 0), (12, 12), "exchange", 1)
        assert known.known == (set(), set())
        assert could_be(known, places)
    assert at_line("white_ten_and_thirty", 9, 1)[0].away == (3, 1)


def test_piquet_4_6_an_open_declaration_is_imagined_with_its_number():
    # Line 13: seat 1 has declared five diamonds, seat 0 is asked; line 15: five in sequence; line 17: three queens.
    known, places = at_line("white_ten_and_thirty", 13, 0)
    assert known.declared[0] == (0, 5)
    assert not could_be(known, swap(places, "AD", "7S"))
    assert could_be(known, swap(places, "AD", "8C"))  # then it is five clubs
    known, places = at_line("white_ten_and_thirty", 15, 0)
    assert (known.declared[1], known.won[0]) == ((0, 5), 0)
    assert not could_be(known, swap(places, "TD", "7S"))
    known, places = at_line("white_ten_and_thirty", 17, 0)
    assert could_be(known, swap(places, "QC", "9D"))  # there are still three jacks
    assert could_be(known, swap(swap(places, "QC", "9D"), "QS", "8C"))
    assert not could_be(known, swap(swap(places, "QC", "9D"), "JC", "8C"))
    # Once it is over, the losing five diamonds prove nothing: two of them are known from the exchange.
    assert could_be(known, swap(places, "AD", "9D"))
    assert could_be(known, swap(places, "AD", "7S"))


def test_piquet_9_sequence_and_set_are_asked_aside():
    for line, seat, phase, turn in (
        (12, 0, "suit", 1),
        (13, 1, "suit", 0),
        (14, 0, "play", 0),
        (14, 1, "sequence", 1),
        (15, 1, "play", 0),
        (17, 0, "set", 0),
        (17, 1, "play", 0),
        (18, 1, "play", 0),
    ):
        known, places = at_line("white_ten_and_thirty", line, seat)
        assert (known.phase, known.turn) == (phase, turn)
        assert could_be(known, places)
    known, places = at_line("white_ten_and_thirty", 17, 1)
    assert not could_be(known, swap(swap(places, "AC", "9S"), "KC", "8D"))  # then seat 0 had no set and were not asked


def test_piquet_9_a_suit_not_followed():
    known, places = at_line("white_ten_and_thirty", 20, 0)
    assert known.void == (set(), {"H"})
    assert not could_be(known, swap(places, "KS", "7H"))
    assert could_be(known, swap(places, "KS", "8S"))
    assert could_be(known, swap(places, "KS", "8C"))


def test_piquet_9_a_hand_that_was_shown():
    known, places = at_line("classic_match", 13, 0)
    assert known.shown == set(cards("AS TS 9S 8S 7S AC 9C 8C 9D 8D 9H 7H"))
    assert known.known[1] == set(cards("7C AD TD 7D"))
    assert not could_be(known, swap(places, "AS", "8H"))
    assert could_be(known, swap(places, "AH", "8H"))  # drawn, or left
    away = json.loads(json.dumps(places))
    away["laid_away"][1][0], away["hands"][1][away["hands"][1].index("AC")] = "AC", "8C"
    assert could_be(known, away)
    known, _ = at_line("classic_match", 13, 1)
    assert (known.talon, known.known) == ({"8H"}, (set(), set(cards("7C AD TD 7D"))))


def transcript(lines: list[str], stop: int) -> tuple[Deal, list[tuple[int, str]]]:
    """The deal of the episode's decision with this number, and the actions of this deal before it."""
    actions: list[tuple[int, str]] = []
    deal = None
    for number, place in enumerate(piquet.walk(lines)):
        if place.deal is not deal:
            actions, deal = [], place.deal
        if number == stop:
            return place.deal, actions
        actions.append((place.seat, place.action))
    raise AssertionError


def retold(deal: Deal, actions: list[tuple[int, str]], me: int, world: dict[str, Any]) -> Deal | None:
    """The same story told with other cards, the other seat's discards theirs; None if it cannot be told."""
    other = Deal(
        deal.rules,
        deal.dealer,
        [list(hand) for hand in world["dealt"]],
        world["talon_elder"],
        world["talon_younger"],
        list(deal.scores),
        deal.single,
    )
    away = sorted(world["laid_away"][1 - me], key=piquet.CARDS.index)
    for seat, action in actions:
        if seat != me and action.startswith("discard"):
            action = f"discard {away.pop(0)}"
        if other.end is not None or other.seat != seat or action not in other.legal():
            return None
        other.act(action)
    return other


def unordered(places: dict[str, Any]) -> Any:
    """The placement with hands and discards as sets."""
    return [[set(pile) for pile in places[name]] for name in ("hands", "laid_away", "dealt")] + [
        places[name] for name in ("talon_elder", "talon_younger")
    ]


def test_piquet_9_what_could_be_told_the_same_way_is_not_refused():
    """A story that goes the same way with other cards, and looks the same to a seat, must be possible for it.

    And before the declarations nothing else is possible, but for a carte blanche that the other kept for himself.
    """
    chance = random.Random(9)
    looked = Counter()
    for _ in range(300):
        rules, _ = piquet_play.drawn(chance)
        lines = piquet_play.record(chance, rules, "deal")
        deal, actions = transcript(lines, chance.randrange(len(lines) - 4))
        me = chance.randrange(2)
        known, places = Knowledge.of(deal, me), placement(deal)
        assert objections(known, **places) == []
        for _ in range(20):
            world = places
            for _ in range(chance.choice([1, 1, 2, 3])):
                world = swap(world, *chance.sample(piquet.CARDS, 2))
            same = retold(deal, actions, me, world)
            told = same is not None and same.end is None
            told = told and replace(Knowledge.of(same, me), asked=None) == replace(known, asked=None)
            told = told and (same.phase, same.seat) == (deal.phase, deal.seat)
            told = told and unordered(placement(same)) == unordered(world)
            if told:
                assert objections(known, **world) == [], (known, world)
            elif deal.phase in ("carte", "exchange") and (1 - me, "pass") not in actions:
                could_have_said = can_announce(rules, world["dealt"][1 - me], deal.said[1 - me])
                assert objections(known, **world) or could_have_said, (known, world)
            looked[told, deal.phase in ("play", "set", "sequence")] += 1
    assert min(looked[told, late] for told in (False, True) for late in (False, True)) > 100
