"""The referee of Tysiąc: the worked cases of the rule book for three seats, golden games, and faults it must find."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from referee import tysiac
from referee.tysiac import Deal, RecordFault, deal_result, legal_plays, options, outsider_change
from referee.tysiac_knowledge import Knowledge, consistent, objections

RECORDS = Path(__file__).parent / "records" / "tysiac"
GOLDEN = sorted(RECORDS.glob("*.jsonl"))

Lines = list[dict[str, Any]]


def golden(name: str) -> Lines:
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()]


def check(lines: Lines) -> tysiac.Report:
    return tysiac.check_lines([json.dumps(line) for line in lines])


def cards(text: str) -> list[str]:
    return text.split()


def dealt(hands: list[str], talon: str, dealer: int = 2, scores: tuple[int, ...] = (0, 0, 0), **chosen: Any) -> Deal:
    """A deal before its auction; hands and talon are spelled with blanks between the cards."""
    return Deal(options(**chosen), dealer, [cards(hand) for hand in hands], cards(talon), list(scores), [0, 0, 0])


def playing(hands: list[str], trump: str | None = None, **chosen: Any) -> Deal:
    """A deal that seat 0 is to lead to as declarer at 100, with these hands."""
    deal = Deal(options(**chosen), 2, [cards(hand) for hand in hands], [], [0, 0, 0], [0, 0, 0])
    deal.declarer = deal.seat = deal.leader = 0
    deal.bid = deal.contract = 100
    deal.gifts = {1: deal.hands[1][0], 2: deal.hands[2][0]}
    deal.trump = trump
    return deal


def act(deal: Deal, *actions: str) -> Deal:
    for action in actions:
        assert action in deal.legal(), (deal.seat, action, deal.legal())
        deal.act(action)
    return deal


# 24 cards: seat 0 holds the marriages of hearts and diamonds, seat 1 that of spades, seat 2 none.
HANDS = ["QH KH QD KD 9S 9C 9D", "QS KS JS TS JC 9H JD", "AS AC TC QC TD AH TH"]
TALON = "KC AD JH"


# ------------------------------------------------------------------------------------------------ worked cases (13)


def test_tysiac_13_1_seven_each_and_three_then_eight_each():
    deal = dealt(HANDS, TALON)
    assert [len(hand) for hand in deal.hands] == [7, 7, 7]
    assert len(deal.lying) == 3
    act(deal, "bid 100", "pass", "pass")
    assert [len(hand) for hand in deal.hands] == [10, 7, 7]
    assert deal.lying == []
    act(deal, "give 9S", "give 9C")
    assert [len(hand) for hand in deal.hands] == [8, 8, 8]
    # 4.2: the first card went to the left neighbour.
    assert "9S" in deal.hands[1] and "9C" in deal.hands[2]


@pytest.mark.parametrize(
    ("hand", "limit"),
    [
        ("9S JS TS AS 9C JC TC", 120),
        ("KS QS 9C JC TC AC 9D", 160),
        ("KC QC 9S JS TS AS 9D", 180),
        ("KH QH KD QD 9S JS TS", 300),
        ("KH QH KD QD KC QC 9S", 360),
        ("KS 9S QC 9C KD 9D QH", 120),  # halves of four marriages
    ],
)
def test_tysiac_3_3_hand_cap(hand, limit):
    assert tysiac.bidding_limit(options(), cards(hand)) == limit


def test_tysiac_3_3_other_caps():
    with_one, without = cards("KS QS 9C JC TC AC 9D"), cards("9S JS TS AS 9C JC TC")
    assert tysiac.bidding_limit(options(bid_cap="marriage"), with_one) == 360
    assert tysiac.bidding_limit(options(bid_cap="marriage"), without) == 120
    assert tysiac.bidding_limit(options(bid_cap="free"), without) == 360


def test_tysiac_3_1_opener_must_say_100():
    deal = dealt(HANDS, TALON)
    assert deal.seat == 0  # left of the dealer 2
    assert deal.legal() == ["bid 100"]


@pytest.mark.parametrize(("show", "shown"), [("above_100", False), ("always", True), ("never", False)])
def test_tysiac_13_3_bare_100_hides_the_talon(show, shown):
    deal = act(dealt(HANDS, TALON, show_talon=show), "bid 100", "pass", "pass")
    assert (deal.declarer, deal.bid, deal.talon_shown) == (0, 100, shown)


@pytest.mark.parametrize(("show", "shown"), [("above_100", True), ("always", True), ("never", False)])
def test_tysiac_13_4_raised_bid_shows_the_talon(show, shown):
    deal = act(dealt(HANDS, TALON, show_talon=show), "bid 100", "bid 110", "pass", "pass")
    assert (deal.declarer, deal.bid, deal.talon_shown) == (1, 110, shown)


def test_tysiac_3_2_raise_by_any_or_by_ten():
    any_step = act(dealt(HANDS, TALON), "bid 100")
    assert any_step.legal() == ["pass", "bid 110", "bid 120", "bid 130", "bid 140", "bid 150", "bid 160"]
    by_ten = act(dealt(HANDS, TALON, bid_step="ten"), "bid 100")
    assert by_ten.legal() == ["pass", "bid 110"]
    at_its_limit = act(by_ten, "bid 110", "bid 120", "bid 130", "bid 140")
    assert (at_its_limit.seat, at_its_limit.legal()) == (2, ["pass"])  # no marriage: asked all the same (3.1)


def test_tysiac_3_1_who_has_passed_is_not_asked_again():
    deal = act(dealt(HANDS, TALON), "bid 100", "pass", "bid 110")
    assert deal.seat == 0
    assert act(deal, "bid 120").seat == 2


@pytest.mark.parametrize(
    ("hand", "legal"),
    [
        ("JH AH 9S", "JH AH"),  # trumped: any heart
        ("TD 9D 9S", "TD"),  # no heart: TD beats JD
        ("9D 9S AC", "9S AC 9D"),  # only a lower trump: any card
    ],
)
def test_tysiac_13_5_a_trumped_trick(hand, legal):
    assert legal_plays(cards(hand), ["QH", "JD"], "D") == cards(legal)


def test_tysiac_13_6_must_follow_even_if_it_cannot_beat():
    assert legal_plays(["TS", "JS", "AH"], ["9S", "AS"], None) == ["JS", "TS"]


def test_tysiac_13_7_must_beat():
    assert legal_plays(["QS", "TS", "9H"], ["JS", "9S"], None) == ["QS", "TS"]


def test_tysiac_13_8_no_trump_set_any_card():
    assert legal_plays(["AS", "9D", "9H"], ["9C"], None) == ["AS", "9D", "9H"]


def test_tysiac_5_2_duties_when_trumps_are_led():
    # The trick is not "trumped": it was led in trumps, so it is to be followed and beaten.
    assert legal_plays(["9H", "AH", "AS"], ["QH"], "H") == ["AH"]
    assert legal_plays(["9H", "JH", "AS"], ["QH"], "H") == ["9H", "JH"]
    assert legal_plays(["AS", "9C"], ["QH", "KH"], "H") == ["AS", "9C"]


def test_tysiac_5_2_any_trump_where_none_lies():
    assert legal_plays(["9H", "AH", "AS"], ["TD", "AD"], "H") == ["9H", "AH"]


def test_tysiac_13_9_meld_as_the_first_lead():
    deal = playing(["QH KH AS", "9H TH AC", "9S 9C 9D"])
    act(deal, "meld QH")
    assert (deal.trump, deal.melded[0]) == ("H", ["H"])
    assert deal.legal() == ["play TH"]  # with hearts it must beat the queen
    act(deal, "play TH")
    assert deal.legal() == ["play 9S", "play 9C", "play 9D"]  # without hearts anything
    act(deal, "play 9S")
    assert deal.seat == 1  # TH took the trick, the marriage counts all the same (5.5)


def test_tysiac_13_10_king_led_without_a_word():
    deal = playing(["QS KS AH", "9H TH AC", "9S 9C 9D"], trump="H")
    assert "meld QS" in deal.legal() and "play KS" in deal.legal()
    act(deal, "play KS")
    assert (deal.trump, deal.melded[0]) == ("H", [])
    act(deal, "play 9H", "play 9S")
    act(deal, "play TH", "play 9C", "play AH")
    assert (deal.seat, deal.legal()) == (0, ["play QS"])  # the king is gone


def test_tysiac_5_4_meld_with_queen_only():
    assert playing(["QS KS AH", "9H TH AC", "9S 9C 9D"], meld_with="queen").legal() == [
        "play QS",
        "play KS",
        "play AH",
        "meld QS",
    ]


def test_tysiac_5_4_only_who_leads_may_meld():
    deal = act(playing(["AS 9D", "QS KS", "9C 9H"]), "play AS")
    assert deal.legal() == ["play QS", "play KS"]


def test_tysiac_13_11_two_melds():
    deal = playing(["QS KS QH KH", "9S JS 9C JC", "9D JD TD AD"])
    act(deal, "meld QS", "play 9S", "play 9D")
    assert deal.trump == "S"
    act(deal, "meld KH")
    assert deal.trump == "H"
    assert deal.melded[0] == ["S", "H"]
    assert [(play.card, play.trick) for play in deal.plays] == [("QS", 1), ("9S", 1), ("9D", 1), ("KH", 2)]
    # No hearts, and spades are trumps no more: any card.
    assert deal.legal() == ["play JS", "play 9C", "play JC"]


@pytest.mark.parametrize(
    ("contract", "points", "change"),
    [(150, 147, -150), (150, 149, -150), (150, 150, 150), (120, 131, 120)],
)
def test_tysiac_13_12_contract_counts_unrounded(contract, points, change):
    # 40 of the points are a marriage: 147 = 107 + 40, 131 = 91 + 40.
    taken = [points - 40, 160 - points, 0]
    assert deal_result(options(), [0, 0, 0], 0, contract, taken, ["S", "", ""], [7, 1, 0])[0] == change


@pytest.mark.parametrize(
    ("how", "tens"), [("half_down", [20, 20, 30]), ("half_up", [20, 30, 30]), ("exact", [24, 25, 26])]
)
def test_tysiac_13_13_rounding(how, tens):
    assert [tysiac.rounded(points, how) for points in (24, 25, 26)] == tens


def test_tysiac_13_14_held_at_800():
    taken = [45, 75, 0]
    assert deal_result(options(), [810, 0, 0], 1, 100, taken, ["", "", ""], [3, 5, 0])[0] == 0
    # As declarer it loses 120 and stands at 690; then 45 points are 40 again.
    assert deal_result(options(), [810, 0, 0], 0, 120, taken, ["", "", ""], [3, 5, 0])[0] == -120
    assert deal_result(options(), [690, 0, 0], 1, 100, taken, ["", "", ""], [3, 5, 0])[0] == 40


def test_tysiac_6_3_other_thresholds():
    assert outsider_change(options(threshold=900), 890, 60) == 60
    assert outsider_change(options(threshold=900), 900, 60) == 0
    assert outsider_change(options(threshold=None), 900, 60) == 60


def test_tysiac_6_3_no_trick_penalty():
    rules = options(no_trick_penalty=100)
    scores = [810, 820, 790]
    assert deal_result(rules, scores, 0, 100, [120, 0, 0], ["", "", ""], [8, 0, 0]) == [100, -100, 0]
    # One trick of nines is a trick.
    assert deal_result(rules, scores, 0, 100, [120, 0, 0], ["", "", ""], [7, 1, 0]) == [100, 0, 0]
    # Declarer is not such a seat, and without the option nothing is lost.
    assert deal_result(rules, scores, 0, 100, [0, 100, 20], ["", "", ""], [0, 6, 2]) == [-100, 0, 20]
    assert deal_result(options(), scores, 0, 100, [120, 0, 0], ["", "", ""], [8, 0, 0]) == [100, 0, 0]


def test_tysiac_6_3_finish_with_marriage():
    rules = options(finish_with_marriage=True)
    assert deal_result(rules, [800, 0, 0], 0, 100, [110, 10, 0], ["", "", ""], [7, 1, 0]) == [0, 10, 0]
    assert deal_result(rules, [800, 0, 0], 0, 100, [110, 10, 0], ["S", "", ""], [7, 1, 0]) == [100, 10, 0]
    assert deal_result(rules, [800, 0, 0], 0, 120, [110, 10, 0], ["", "", ""], [7, 1, 0]) == [-120, 10, 0]
    assert deal_result(rules, [790, 0, 0], 0, 100, [110, 10, 0], ["", "", ""], [7, 1, 0]) == [100, 10, 0]


def test_tysiac_13_15_outsiders_near_1000():
    assert outsider_change(options(), 780, 60) == 60
    for outcome, score in (("cap", 990), ("nothing", 790), ("wins", 1020)):
        rules = options(threshold=None, outsider_at_1000=outcome)
        assert 790 + outsider_change(rules, 790, 230) == score
    # Exactly 1000 is 1000, and 999 is not.
    assert outsider_change(options(threshold=None), 900, 100) == 90
    assert outsider_change(options(threshold=None, rounding="exact"), 900, 99) == 99
    # With exact scores a seat may stand above 990, and keeps that.
    assert outsider_change(options(threshold=None, rounding="exact"), 995, 20) == 0


def test_tysiac_13_16_declarer_reaches_1000():
    totals = [900 + deal_result(options(), [900, 0, 0], 0, 100, [100, 20, 0], ["", "", ""], [7, 1, 0])[0], 20, 0]
    assert totals[0] == 1000
    assert tysiac.winner(totals, declarer=0, dealer=2) == 0
    assert tysiac.winner([999, 20, 0], declarer=0, dealer=2) is None


def test_tysiac_6_4_several_at_1000():
    assert tysiac.winner([1000, 1010, 20], declarer=0, dealer=2) == 1  # the highest
    assert tysiac.winner([1010, 1010, 20], declarer=1, dealer=2) == 1  # equal: declarer
    assert tysiac.winner([1010, 20, 1010], declarer=1, dealer=0) == 2  # then from the dealer's left: 1, 2, 0
    assert tysiac.winner([1010, 20, 1010], declarer=1, dealer=2) == 0


def test_tysiac_13_17_bomb_and_concession():
    zero = [0, 0, 0]
    assert tysiac.thrown_result(options(bomb="at_100"), zero, 0, 100, "bomb") == [0, 60, 60]
    assert tysiac.thrown_result(options(bomb="to_120"), zero, 0, 120, "bomb") == [0, 60, 60]
    assert tysiac.thrown_result(options(bomb="any"), zero, 0, 210, "bomb") == [0, 110, 110]
    assert tysiac.thrown_result(options(bomb="any"), zero, 0, 100, "bomb") == [0, 50, 50]
    assert tysiac.thrown_result(options(bomb="any"), zero, 0, 110, "bomb") == [0, 60, 60]
    assert tysiac.thrown_result(options(concede=True), zero, 0, 120, "concede") == [-120, 40, 40]
    # 9.2: they count like any outsider's.
    assert tysiac.thrown_result(options(bomb="at_100"), [0, 800, 790], 0, 100, "bomb") == [0, 0, 60]
    near = options(concede=True, threshold=None)
    assert tysiac.thrown_result(near, [0, 970, 0], 0, 100, "concede") == [-100, 20, 40]


@pytest.mark.parametrize(
    ("bomb", "offered"),
    [("none", []), ("at_100", [100]), ("to_120", [100, 110, 120]), ("any", [100, 110, 120, 130])],
)
def test_tysiac_9_1_where_the_bomb_is_offered(bomb, offered):
    def at(bid: int) -> Deal:
        auction = ["bid 100", "pass", "pass"] if bid == 100 else ["bid 100", f"bid {bid}", "pass", "pass"]
        return act(dealt(HANDS, TALON, bomb=bomb, concede=True), *auction)

    assert [bid for bid in (100, 110, 120, 130) if "bomb" in at(bid).legal()] == offered
    assert [bid for bid in (100, 110, 120, 130) if "concede" in at(bid).legal()] == [100, 110, 120]  # 9.3
    # 4.4: with the first card only.
    second = act(at(100), "give 9S")
    assert not {"bomb", "concede"} & set(second.legal())


def test_tysiac_9_1_bombs_are_counted():
    for bombs, offered in ((1, [True, False, False]), (2, [True, True, False]), (0, [True, True, True])):
        thrown = [0, 0, 0]
        for expected in offered:
            deal = dealt(HANDS, TALON, bomb="at_100", bombs=bombs)
            deal.bombs = thrown
            act(deal, "bid 100", "pass", "pass")
            assert ("bomb" in deal.legal()) is expected
            thrown[0] += 1


@pytest.mark.parametrize(
    ("hand", "limit", "may"),
    [
        ("9S 9C 9D 9H AS AC TD", 10, True),  # 32 points, four nines
        ("9S 9C 9D 9H AS KH QH", 10, False),  # a marriage
        ("9H 9C 9S JD JS QH JH", 10, True),  # 9 points
        ("9H 9C 9S JD JS QH TH", 10, False),  # 17
        ("9H 9C 9S JD JS QH TH", 18, True),
        ("9H 9C 9S JD JS JC KH", 10, False),  # exactly 10
        ("9H 9C 9S JD KS JC TH", 18, False),  # exactly 18
        ("9S 9C 9D 9H AS AC TD", 0, False),  # off
    ],
)
def test_tysiac_13_18_redeal(hand, limit, may):
    assert tysiac.may_ask_redeal(options(redeal_points=limit), cards(hand)) is may


def test_tysiac_8_redeal_is_asked_before_the_first_word():
    hands = ["9S 9C 9D 9H AS AC TD", "QS KS JS TS JC JD AD", "QH KH QD KD TC QC AH"]
    deal = dealt(hands, "KC JH TH", redeal_points=10)
    assert deal.legal() == ["bid 100", "redeal"]
    act(deal, "bid 100", "bid 110", "pass")
    assert (deal.seat, deal.legal()) == (0, ["pass", "bid 120"])  # it has bid: forgone
    # As the second to speak: after what it may bid.
    deal = act(dealt(hands, "KC JH TH", dealer=1, redeal_points=10), "bid 100")
    assert (deal.seat, deal.legal()) == (0, ["pass", "bid 110", "bid 120", "redeal"])
    assert act(deal, "redeal").end == "redeal"


@pytest.mark.parametrize(
    ("hand", "claim"),
    [
        ("AS TS KS QS AH TH AD AC", True),
        ("AS TS KS QS JS 9S AH AD", True),
        ("AS TS KS QS 9S AH AD AC", True),  # run 4, one card outside
        ("AS TS 9S AH TH AD TD AC", False),  # run 2, three outside, and 9S stands below them
        ("AS TS KS 9S AH AD AC TC", True),  # run 3, two outside
        ("AS TS 9S QS AH TH KH QH", True),  # run 2, two outside
        ("TS KS AH TH AD TD AC TC", False),
        ("AS TS KS QS JS 9S AH JH", False),  # run 1, four outside
    ],
)
def test_tysiac_4_5_claim(hand, claim):
    assert tysiac.claimable(cards(hand)) is claim


def test_tysiac_13_24_claim_scores_the_marriages():
    others = ["9S JS 9C JC QC KC TC 9H", "JH QH KH 9D JD QD KD TD"]
    deal = playing(["AS TS KS QS AH TH AD AC", *others], claim=True)
    assert deal.legal()[-1] == "claim"
    deal.contract = 160
    act(deal, "claim")
    assert deal.changes() == [160, 0, 0]
    deal = playing(["AS TS KS QS AH TH AD AC", *others], claim=True)
    deal.contract = 170
    act(deal, "claim")
    assert deal.changes() == [-170, 0, 0]
    # Only on the first lead, and only as an option.
    deal = act(playing(["AS TS KS QS AH TH AD AC", *others], claim=True), "play AS", "play 9S", "play 9D")
    assert (deal.seat, "claim" in deal.legal()) == (0, False)
    assert "claim" not in playing(["AS TS KS QS AH TH AD AC", *others]).legal()


def contracts(hand: str, bid: int, **chosen: Any) -> list[str]:
    deal = playing([hand, "9S", "9S"], **chosen)
    deal.bid, deal.contract = bid, None
    return deal.legal()


def test_tysiac_13_25_no_contract_above_360():
    assert contracts("KS QS KC QC KD QD KH QH", 300)[-1] == "contract 360"
    assert contracts("9S JS 9C JC 9D JD 9H JH", 100, bid_cap="free")[-1] == "contract 360"


def test_tysiac_4_3_contract_from_the_hand_as_it_is_now():
    assert contracts("KS QS 9C JC 9D JD 9H JH", 110) == [f"contract {n}" for n in (110, 120, 130, 140, 150, 160)]
    # The marriage was given away after a bid of 160.
    assert contracts("KS 9S 9C JC 9D JD 9H JH", 160) == ["contract 160"]
    assert contracts("KS 9S 9C JC 9D JD 9H JH", 340, bid_cap="marriage") == [
        "contract 340",
        "contract 350",
        "contract 360",
    ]


def test_tysiac_11_action_ids():
    ids = {name: number for number, name in enumerate(tysiac.ACTIONS)}
    assert len(ids) == 125
    expected = {
        "play 9S": 0,
        "meld QS": 24,
        "meld KS": 25,
        "give 9S": 32,
        "pass": 56,
        "bid 100": 57,
        "contract 100": 88,
        "take 1": 119,
        "bomb": 121,
        "concede": 122,
        "redeal": 123,
        "claim": 124,
    }
    assert {name: ids[name] for name in expected} == expected


def test_tysiac_6_6_returns():
    assert tysiac.returns(options(), "match", [0, 100, 0], 1) == [-0.5, 1.0, -0.5]
    assert tysiac.returns(options(), "deal", [120, -20, 40], None) == pytest.approx([1.1, -1.0, -0.1])


# ------------------------------------------------------------------------------------------------------ golden games


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_are_right(path):
    assert tysiac.check(path).episodes == 1


def test_golden_marriage_made():
    """Seat 0 declares at 120, says 180 and makes 189.

    Its tricks: AH JH 9S 13, 9D AD 9H 11, AC JD JC 15, AS KS JS 17, QH KD QS 10, TC TD QC 23: 89, and hearts 100.
    Seat 1: KH TH QD 17 -> 20. Seat 2: 9C TS KC 14 -> 10. 89 + 17 + 14 = 120.
    """
    score, end = golden("marriage_made")[-2:]
    assert score["points"] == [180, 20, 10]
    assert end["returns"] == [1.65, -0.75, -0.9]  # 180 - 15, 20 - 95, 10 - 100


def test_golden_trump_changed_lost_by_3():
    """Seat 1 declares at a bare 100, says 150, melds spades, then clubs, and makes 147.

    Its tricks: AH JH 9H 13, AS JS 9S 13, KD QD QS 10, KH KC QH 11: 47, and 40 + 60.
    Seat 2: KS TS 9C 14, AD TD 9D 21: 35 -> 30 (a five goes down). Seat 0: QC JD AC 16, TC JC TH 22: 38 -> 40.
    """
    lines = golden("trump_changed_lost_by_3")
    assert lines[-2]["points"] == [40, -150, 30]
    assert lines[-1]["returns"] == [1.0, -1.85, 0.85]  # 40 + 60, -150 - 35, 30 + 55
    lines[0]["rules"]["rounding"] = "half_up"
    lines[-2] |= {"points": [40, -150, 40], "totals": [40, -150, 40]}
    lines[-1]["returns"] = [0.95, -1.9, 0.95]  # 40 + 55, -150 - 40, 40 + 55
    assert check(lines).moves == 30
    lines[0]["rules"]["rounding"] = "exact"
    lines[-2] |= {"points": [38, -150, 35], "totals": [38, -150, 35]}
    lines[-1]["returns"] = [0.955, -1.865, 0.91]  # 38 + 57.5, -150 - 36.5, 35 + 56
    assert check(lines).moves == 30


def test_golden_redeal_bomb_concede_claim():
    """Three deals are all (`max_deals`): a redeal keeps number and dealer, the rest is thrown, conceded, claimed."""
    lines = golden("redeal_bomb_concede_claim")
    deals = [(line["number"], line["dealer"]) for line in lines if line["type"] == "deal"]
    assert deals == [(0, 1), (0, 1), (1, 2), (2, 0)]
    scores = [line["points"] for line in lines if line["type"] == "score"]
    # A bomb at 100; 120 conceded; 120 + 40 claimed and 160 said.
    assert scores == [[60, 60, 0], [-120, 40, 40], [0, 160, 0]]
    assert lines[-1] == {"type": "end", "terminated": False, "returns": [0.0, 0.0, 0.0]}  # 6.7


def test_golden_match_won():
    """Seat 0 claims 300 three times; held at 900 it gets nothing from a bomb; then it wins as declarer."""
    lines = golden("match_won")
    totals = [line["totals"] for line in lines if line["type"] == "score"]
    assert totals == [[300, 0, 0], [600, 0, 0], [900, 0, 0], [900, 0, 60], [1030, 0, 60]]
    assert lines[-1] == {"type": "end", "terminated": True, "returns": [1.0, -0.5, -0.5]}
    # 6.7: a match won in its last allowed deal is terminated; with one deal fewer it is cut short.
    lines[0]["rules"]["max_deals"] = 5
    assert check(lines).deals == 5
    lines[0]["rules"]["max_deals"] = 1
    first = next(i for i, line in enumerate(lines) if line["type"] == "score") + 1
    assert check([*lines[:first], {"type": "end", "terminated": False, "returns": [0.0, 0.0, 0.0]}]).deals == 1
    lines[0]["rules"]["max_deals"] = 4
    end = next(i for i, line in enumerate(lines) if line.get("deal") == 3) + 1
    lines = [*lines[:end], {"type": "end", "terminated": False, "returns": [0.0, 0.0, 0.0]}]
    assert check(lines).deals == 4


def test_tysiac_6_6_random_start_scores():
    lines = golden("marriage_made")
    lines[0]["rules"]["start_scores"] = "random"
    lines[0]["start"] = [820, 800, -300]
    # Declarer gains 180, seat 1 is held by 6.3, seat 2 gets its 10.
    lines[-2] |= {"points": [180, 0, 10], "totals": [1000, 800, -290]}
    lines[-1]["returns"] = [1.75, -0.95, -0.8]  # 180 - 5, 0 - 95, 10 - 90
    assert check(lines).episodes == 1
    for start in ([825, 800, -300], [820, 1000, -300], [820, 800, -310]):
        lines[0]["start"] = start
        assert fault(lines).line == 1


def test_tysiac_6_7_a_single_deal_is_never_cut_short():
    lines = golden("marriage_made")
    lines[0]["rules"]["max_deals"] = 1
    assert check(lines).episodes == 1


def test_two_episodes_in_one_file():
    first, second = golden("marriage_made"), golden("match_won")
    assert check(first + second).episodes == 2
    second[1]["number"] = 1  # counted from 0 in each episode
    assert fault(first + second).line == len(first) + 2


# ------------------------------------------------------------------------------------------------------------ faults


def fault(lines: Lines) -> RecordFault:
    with pytest.raises(RecordFault) as raised:
        check(lines)
    return raised.value


def test_a_record_is_right_before_it_is_altered():
    report = check(golden("marriage_made"))
    assert (report.episodes, report.deals, report.moves) == (1, 1, 32)
    assert report.actions == {"bid": 3, "pass": 2, "give": 2, "contract": 1, "play": 23, "meld": 1}


# In marriage_made.jsonl line 2 is the deal, 3-7 the auction, 8-10 giving and contract, 11-34 the tricks, 35 the score,
# 36 the end. Each change is one slip, and the line is where it must be found.
SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    # the match line
    "format": (1, lambda r: r[0].update(format=2)),
    "format as a float": (1, lambda r: r[0].update(format=1.0)),
    "game": (1, lambda r: r[0].update(game="piquet")),
    "version as a text": (1, lambda r: r[0].update(version="0")),
    "seed as a float": (1, lambda r: r[0].update(seed=1.5)),
    "negative seed": (1, lambda r: r[0].update(seed=-1)),
    "seed as a bool": (1, lambda r: r[0].update(seed=True)),
    "episode": (1, lambda r: r[0].update(episode="game")),
    "start scores": (1, lambda r: r[0].update(start=[10, 0, 0])),
    "start of two seats": (1, lambda r: r[0].update(start=[0, 0])),
    "two players": (1, lambda r: r[0].update(players=["a", "b"])),
    "a nameless player": (1, lambda r: r[0].update(players=["a", "b", ""])),
    "a player None": (1, lambda r: r[0].update(players=["a", "b", None])),
    "match key missing": (1, lambda r: r[0].pop("seed")),
    "match extra key": (1, lambda r: r[0].update(created="today")),
    "option missing": (1, lambda r: r[0]["rules"].pop("bombs")),
    "option unknown": (1, lambda r: r[0]["rules"].update(preset="classic")),
    "option value": (1, lambda r: r[0]["rules"].update(threshold=850)),
    "option as a number": (1, lambda r: r[0]["rules"].update(claim=0)),
    "option as a bool": (1, lambda r: r[0]["rules"].update(redeal_points=False)),
    "option max_deals": (1, lambda r: r[0]["rules"].update(max_deals=0)),
    "an unknown table": (1, lambda r: r[0]["rules"].update(table="5p")),
    "a table of four": (1, lambda r: r[0]["rules"].update(table="4p_six")),
    # the deal line
    "a doubled card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "9S")),
    "a foreign card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "8S")),
    "a card turned round": (2, lambda r: r[1]["hands"][0].__setitem__(0, "SA")),
    "a card too many": (2, lambda r: r[1]["hands"][0].append(r[1]["talon"].pop())),
    "a talon of two": (2, lambda r: r[1]["talon"].pop()),
    "two talons": (2, lambda r: r[1].update(talon=[["9S"], ["AC", "JD"]])),
    "two hands": (2, lambda r: r[1]["hands"].pop()),
    "hands swapped": (4, lambda r: r[1]["hands"].insert(0, r[1]["hands"].pop())),
    "deal number": (2, lambda r: r[1].update(number=1)),
    "dealer nobody": (2, lambda r: r[1].update(dealer=3)),
    "dealer None": (2, lambda r: r[1].update(dealer=None)),
    "dealer as a bool": (2, lambda r: r[1].update(dealer=True)),
    "dealer on the wrong side": (3, lambda r: r[1].update(dealer=0)),
    "deal extra key": (2, lambda r: r[1].update(stock=[])),
    "deal key missing": (2, lambda r: r[1].pop("talon")),
    # the auction
    "opener passes": (3, lambda r: r[2].update(legal=["pass", "bid 100"], action="pass")),
    "bid above the hand": (4, lambda r: r[3].update(action="bid 130")),
    "bid above the hand offered": (4, lambda r: r[3]["legal"].append("bid 130")),
    "pass missing": (4, lambda r: r[3]["legal"].remove("pass")),
    "lower bid": (6, lambda r: r[5].update(action="bid 110")),
    "a pass left out": (7, lambda r: r.pop(6)),
    "asked after it has passed": (8, lambda r: r.insert(7, {**r[4]})),
    # giving and contract
    "a card it does not hold": (8, lambda r: r[7].update(action="give KS")),
    "the same card twice": (9, lambda r: r[8].update(action="give JD")),
    "gifts swapped": (9, lambda r: (r[7].update(action="give 9S"), r[8].update(action="give JD"))),
    "given by another": (9, lambda r: r[8].update(seat=1)),
    "contract below the bid": (10, lambda r: r[9].update(action="contract 110")),
    "contract below the bid offered": (10, lambda r: r[9]["legal"].insert(0, "contract 110")),
    "contract above the hand": (10, lambda r: r[9]["legal"].append("contract 230")),
    "contract too high for the play": (35, lambda r: r[9].update(action="contract 190")),
    # play
    "another leads": (11, lambda r: r[10].update(seat=1)),
    "revoke": (18, lambda r: r[17].update(action="play KC")),
    "revoke offered": (18, lambda r: r[17]["legal"].insert(0, "play KC")),
    "trump duty forgotten": (19, lambda r: r[18]["legal"].insert(0, "play 9C")),
    "meld not offered": (14, lambda r: r[13]["legal"].remove("meld QH")),
    "meld offered in the middle": (12, lambda r: r[11]["legal"].append("meld KD")),
    "legal in another order": (14, lambda r: r[13]["legal"].reverse()),
    "legal doubled": (14, lambda r: r[13]["legal"].insert(0, r[13]["legal"][0])),
    "legal as ids": (14, lambda r: r[13].update(legal=[1, 2])),
    "action as an id": (14, lambda r: r[13].update(action=31)),
    "led without saying so": (19, lambda r: r[13].update(action="play KH")),  # hearts were no trumps then
    "wrong winner leads": (17, lambda r: r[16].update(seat=0)),
    "cards of a trick swapped": (15, lambda r: r.insert(14, r.pop(15))),
    "a played card again": (20, lambda r: r[19].update(action="play AH")),
    "move extra key": (20, lambda r: r[19].update(revoke=True)),
    "move key missing": (20, lambda r: r[19].pop("legal")),
    "trick left out": (32, lambda r: r.__delitem__(slice(31, 34))),
    "one card too many": (35, lambda r: r.insert(34, {**r[33]})),
    # score
    "marriage counted as 80": (35, lambda r: r[34].update(points=[-180, 20, 10], totals=[-180, 20, 10])),
    "points made instead of the contract": (35, lambda r: r[34].update(points=[189, 20, 10], totals=[189, 20, 10])),
    "not rounded": (35, lambda r: r[34].update(points=[180, 17, 14], totals=[180, 17, 14])),
    "totals": (35, lambda r: r[34].update(totals=[180, 20, 20])),
    "points as floats": (35, lambda r: r[34].update(points=[180.0, 20, 10])),
    "score of another deal": (35, lambda r: r[34].update(deal=1)),
    "score extra key": (35, lambda r: r[34].update(winner=0)),
    "score left out": (35, lambda r: r.pop(34)),
    "scored twice": (36, lambda r: r.insert(35, {**r[34]})),
    # end
    "truncated": (36, lambda r: r[35].update(terminated=False)),
    "terminated as a number": (36, lambda r: r[35].update(terminated=1)),
    "returns": (36, lambda r: r[35].update(returns=[1.65, -0.75, -0.90001])),
    "returns of a match": (36, lambda r: r[35].update(returns=[1.0, -0.5, -0.5])),
    "returns of two seats": (36, lambda r: r[35].update(returns=[1.65, -1.65])),
    "returns as texts": (36, lambda r: r[35].update(returns=["1.65", "-0.75", "-0.9"])),
    "returns not a number": (36, lambda r: r[35].update(returns=[float("nan"), -0.75, -0.9])),
    "end extra key": (36, lambda r: r[35].update(truncated=False)),
    "end left out": (36, lambda r: r.pop(35)),
    "another deal after the end of the episode": (36, lambda r: r.insert(35, {**r[1], "number": 1, "dealer": 0})),
    "something after the end": (37, lambda r: r.append(r[35])),
    "type unknown": (20, lambda r: r[19].update(type="note")),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found_in_its_line(slip):
    line, change = SLIPS[slip]
    lines = golden("marriage_made")
    change(lines)
    assert fault(lines).line == line


MATCH_SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    # In redeal_bomb_concede_claim.jsonl the deals are lines 2, 4, 10 and 18; the scores 9, 17, 28; the end 29.
    "redeal with the next dealer": (4, lambda r: r[3].update(dealer=2)),
    "redeal with the next number": (4, lambda r: r[3].update(number=1)),
    "redeal scored": (4, lambda r: r.insert(3, {"type": "score", "deal": 0, "points": [0] * 3, "totals": [0] * 3})),
    "redeal not offered": (3, lambda r: r[2].update(legal=["bid 100"], action="bid 100")),
    "redeal without the option": (3, lambda r: r[0]["rules"].update(redeal_points=0)),
    "bomb without the option": (8, lambda r: r[0]["rules"].update(bomb="none")),
    "bomb not offered": (8, lambda r: r[7]["legal"].remove("bomb")),
    "bomb subtracted": (9, lambda r: r[8].update(points=[60, 60, -100], totals=[60, 60, -100])),
    "the same dealer again": (10, lambda r: r[9].update(dealer=1)),
    "dealer counter-clockwise": (10, lambda r: r[9].update(dealer=0)),
    "a deal skipped": (10, lambda r: r[9].update(number=2)),
    "bomb offered at 120": (16, lambda r: r[15]["legal"].insert(10, "bomb")),
    "concession without the option": (8, lambda r: r[0]["rules"].update(concede=False)),
    "concession worth 60": (17, lambda r: r[16].update(points=[-120, 60, 60], totals=[-60, 120, 60])),
    "totals not carried on": (17, lambda r: r[16].update(totals=[-120, 40, 40])),
    "claim without the option": (27, lambda r: r[0]["rules"].update(claim=False)),
    "claim without its marriage": (28, lambda r: r[27].update(points=[0, -160, 0], totals=[-60, -60, 40])),
    "cut short called the end": (29, lambda r: r[28].update(terminated=True)),
    "returns in a match cut short": (29, lambda r: r[28].update(returns=[-0.5, 1.0, -0.5])),
    "more deals allowed": (29, lambda r: r[0]["rules"].update(max_deals=4)),
    "fewer deals allowed": (18, lambda r: r[0]["rules"].update(max_deals=2)),
    "random start in a match": (
        1,
        lambda r: r[0].update(start=[10, 20, 30], rules=r[0]["rules"] | {"start_scores": "random"}),
    ),
}


@pytest.mark.parametrize("slip", MATCH_SLIPS)
def test_a_slip_in_a_match_is_found_in_its_line(slip):
    line, change = MATCH_SLIPS[slip]
    lines = golden("redeal_bomb_concede_claim")
    change(lines)
    assert fault(lines).line == line


def test_a_held_seat_gets_nothing_from_a_bomb():
    lines = golden("match_won")
    line = next(i for i, line in enumerate(lines) if line.get("deal") == 3)
    lines[line] |= {"points": [60, 0, 60], "totals": [960, 0, 60]}
    assert fault(lines).line == line + 1


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('"returns":[0.0,0.0,0.0]', '"returns":[0.0,-0.0,0.0]'),
        ('"returns":[0.0,0.0,0.0]', '"returns":[0.0,0e0,0.0]'),
        ('"returns":[0.0,0.0,0.0]', '"returns":[0.0,0.0,0.0],"returns":[0.0,0.0,0.0]'),
        ('"returns":[0.0,0.0,0.0]', '"returns":[0.0,NaN,0.0]'),
        ('"returns":[0.0,0.0,0.0]', '"returns":[0.0,0.0,0.0'),
        ('"points":[0,160,0]', '"points":[-0,160,0]'),
        ('"points":[0,160,0]', '"points":[0,160,00]'),
    ],
)
def test_numbers_are_spelled_plainly(right, wrong):
    text = (RECORDS / "redeal_bomb_concede_claim.jsonl").read_text()
    assert right in text
    lines = text.replace(right, wrong).splitlines()
    with pytest.raises(RecordFault) as raised:
        tysiac.check_lines(lines)
    assert raised.value.line == (28 if "points" in right else 29)


@pytest.mark.parametrize(("lines", "line"), [([], 1), ([""], 1), (["[]"], 1), (["{}"], 1)])
def test_no_record_at_all(lines, line):
    with pytest.raises(RecordFault) as raised:
        tysiac.check_lines(lines)
    assert raised.value.line == line


def test_blank_line_inside_a_record():
    lines = (RECORDS / "marriage_made.jsonl").read_text().splitlines()
    with pytest.raises(RecordFault) as raised:
        tysiac.check_lines([*lines[:5], "", *lines[5:]])
    assert raised.value.line == 6


# --------------------------------------------------------------------------------------------- what a seat knows (12)


def knowledge_at(name: str, line: int, seat: int) -> tuple[Knowledge, list[list[str]], list[str], dict[int, str]]:
    """What a seat knows before the move of a line, and the true placement of the cards."""
    for position in tysiac.walk(json.dumps(entry) for entry in golden(name)):
        if position.line == line:
            deal = position.deal
            return Knowledge.of(deal, seat), [list(h) for h in deal.hands], list(deal.lying), dict(deal.gifts)
    raise AssertionError(f"{name} has no move in line {line}")


def swap(hands: list[list[str]], one: str, other: str) -> list[list[str]]:
    """The hands with two cards exchanged."""
    exchange = {one: other, other: one}
    return [[exchange.get(card, card) for card in hand] for hand in hands]


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_the_truth_is_consistent_with_what_every_seat_knows(path):
    moves = 0
    for position in tysiac.walk(path.read_text().splitlines()):
        deal = position.deal
        for seat in range(deal.seats):
            piles = (deal.lying, deal.gifts, deal.away, deal.closed, deal.stock)
            assert objections(Knowledge.of(deal, seat), deal.hands, *piles) == []
        moves += 1
    assert moves >= 12


def test_tysiac_12_own_hand_counts_and_the_talon_on_the_table():
    # Line 4: the auction, seat 0 has bid, the talon lies.
    known, hands, lying, gifts = knowledge_at("marriage_made", 4, seat=1)
    assert known.hand == set(cards("KS TS 9D KD TD JH TH"))
    assert (known.counts, known.lying, known.talon) == ((7, 7, 7), 3, None)
    assert consistent(known, hands, lying, gifts)
    assert not consistent(known, swap(hands, "KS", "AS"), lying, gifts)  # its own king
    # Two cards of others, a card of another and one of the talon: it knows neither.
    assert consistent(known, swap(hands, "AS", "JS"), lying, gifts)
    assert consistent(known, swap(hands, "JS", "9S"), ["JS" if card == "9S" else card for card in lying], gifts)
    # A card doubled, a card in the wrong place by number.
    assert not consistent(known, hands, ["9S", "9S", "JD"], gifts)
    assert not consistent(known, [hands[0] + lying, hands[1], hands[2]], [], gifts)


def test_tysiac_4_1_cards_of_a_shown_talon():
    # Line 11, the first lead. Shown: 9S AC JD. Seat 1 got JD; seat 2 got 9S, which seat 1 does not know.
    known, hands, lying, gifts = knowledge_at("marriage_made", 11, seat=1)
    assert known.talon == {"9S", "AC", "JD"}
    assert (known.got, known.gave, gifts) == ("JD", {}, {1: "JD", 2: "9S"})
    assert consistent(known, hands, lying, gifts)
    # Declarer may have kept 9S and given away anything else, AC too.
    assert consistent(known, swap(hands, "9S", "AC"), lying, {1: "JD", 2: "AC"})
    assert consistent(known, swap(hands, "9S", "QH"), lying, {1: "JD", 2: "QH"})
    # He cannot have given both: AC would be in the hand that seat 2 was dealt.
    assert not consistent(known, swap(hands, "AC", "QS"), lying, gifts)
    # What was given lies where it was given, and seat 1 knows its own card.
    assert not consistent(known, hands, lying, {1: "JD", 2: "AC"})
    assert not consistent(known, hands, lying, {1: "KS", 2: "9S"})
    assert not consistent(known, hands, lying, {1: "JD"})


def test_tysiac_4_1_a_hidden_talon_says_nothing():
    # Won with the bare 100: AS 9C JC were not shown. Line 9: nothing is played yet.
    known, hands, lying, gifts = knowledge_at("trump_changed_lost_by_3", 9, seat=2)
    assert (known.talon, known.got) == (None, "JD")
    assert consistent(known, hands, lying, gifts)
    assert consistent(known, swap(hands, "AS", "TC"), lying, gifts)
    assert consistent(known, swap(hands, "9C", "JC"), lying, {2: "JD", 0: "JC"})
    # Declarer has seen it, whatever the table was shown.
    declarer, *_ = knowledge_at("trump_changed_lost_by_3", 9, seat=1)
    assert declarer.talon == {"AS", "9C", "JC"}
    assert declarer.gave == {2: "JD", 0: "9C"}
    assert consistent(declarer, swap(hands, "9S", "JS"), lying, gifts)
    assert not consistent(declarer, swap(hands, "9C", "JS"), lying, {2: "JD", 0: "JS"})


def test_tysiac_12_a_seat_shown_void():
    # Line 14, after AH JH 9S: seat 2 has no heart.
    known, hands, lying, gifts = knowledge_at("marriage_made", 14, seat=0)
    assert known.lacks[2] == {"9H", "QH", "KH", "TH"}  # AH and JH are played
    assert known.lacks[1] == set()  # it followed, and could not beat the ace
    assert not consistent(known, swap(hands, "TH", "KC"), lying, gifts)
    assert consistent(known, swap(hands, "TS", "KC"), lying, gifts)


def test_tysiac_12_the_other_card_of_a_marriage():
    # Lines 15 to 26: seat 0 has melded with KH; QH is known until it is played in line 26.
    for line in (15, 17, 26):
        known, hands, lying, gifts = knowledge_at("marriage_made", line, seat=2)
        assert known.halves == ({"QH"}, set(), set())
        held = next(card for card in hands[1] if card != "TH")
        assert not consistent(known, swap(hands, "QH", held), lying, gifts)
    known, *_ = knowledge_at("marriage_made", 27, seat=2)
    assert known.halves == (set(), set(), set())
    # Laid with the king QS was shown, laid with the queen KC; QS is played by now.
    known, *_ = knowledge_at("trump_changed_lost_by_3", 25, seat=2)
    assert known.halves == (set(), {"KC"}, set())


def test_tysiac_12_not_beating_shows_what_a_seat_lacks():
    deal = act(playing(["JS QH 9D", "9S QS TD", "KS 9H AD"]), "play QH")
    act(deal, "play 9S", "play 9H")
    known = Knowledge.of(deal, 0)
    assert known.lacks[1] == {"JH", "KH", "TH", "AH"}  # no heart at all
    assert known.lacks[2] == {"JH", "KH", "TH", "AH"} - {"JH"}  # it followed below the queen
    assert known.lacks[0] == set()


def test_tysiac_12_a_trumped_trick_shows_less():
    # Spades are trumps. Diamonds led, the second trumps with JS: the third may lay any diamond.
    deal = act(playing(["TD 9H", "JS 9C", "9D AD"], trump="S"), "play TD", "play JS", "play 9D")
    known = Knowledge.of(deal, 0)
    assert known.lacks[1] == {"JD", "QD", "KD", "AD"}
    assert known.lacks[2] == set()
    # With a club instead it has no diamond and no spade above the jack; 9S it might hold.
    deal = act(playing(["TD 9H", "JS 9C", "JC 9S"], trump="S"), "play TD", "play JS", "play JC")
    assert Knowledge.of(deal, 0).lacks[2] == {"9D", "JD", "QD", "KD", "AD", "QS", "KS", "TS", "AS"}


def test_pairs_prove_as_much_as_whole_hands():
    """A card is illegal because of one other card, so two-card hands find all that a play proves."""
    chance = random.Random(1)
    for _ in range(3000):
        cards = chance.sample(tysiac.CARDS, chance.randint(2, 10))
        on, hand = cards[: chance.randint(1, 2)], cards[2:]
        trump = chance.choice([None, *"SCDH"])
        by_pairs = [card for card in hand if all(card in legal_plays([card, other], on, trump) for other in hand)]
        assert tysiac.in_order(by_pairs) == legal_plays(hand, on, trump)


def test_tysiac_4_5_a_claimed_hand_is_shown():
    others = ["9S JS 9C JC QC KC TC 9H", "JH QH KH 9D JD QD KD TD"]
    deal = act(playing(["AS TS KS QS AH TH AD AC", *others], claim=True), "claim")
    known = Knowledge.of(deal, 1)
    assert known.claimed == set(cards("AS TS KS QS AH TH AD AC"))
    assert consistent(known, deal.hands, [], deal.gifts)
    assert not consistent(known, swap(deal.hands, "AS", "JH"), [], deal.gifts)
