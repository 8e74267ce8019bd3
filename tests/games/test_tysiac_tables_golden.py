"""Golden deals of Tysiąc's eight other tables, reckoned by hand from the rule book trick by trick.

A trick is written as it was laid, with its points and the seat that took it.
"""

import pytest
from tysiac_deals import golden

pytestmark = pytest.mark.plain


def ends(name):
    """What the deals of a record brought, and its last line."""
    lines = golden(name)
    return [line["points"] for line in lines if line["type"] == "score"], lines[-1]


def test_tysiac_2_1_golden_two_talons_cards_aside():
    """2p_pairs. Seat 0 declares at 120, takes the second talon KH JS blind, lays 9S and 9H away and says 180.

    AH JH 13 (0), KH TH 14 (1): hearts 100 to seat 0; KD 9D 4 (1): diamonds 80 to seat 1, trump from now on;
    TD JC 12 (1), QD JS 5 (1), JD QC 5 (1), 9C AC 11 (0), AS QS 14 (0), TS KS 14 (0), QH KC 7 (0).
    The last trick takes the four cards aside, AD TC 9S 9H: 21.
    Seat 0: 13 + 11 + 14 + 14 + 7 + 21 = 80, and 100: just the 180. Seat 1: 14 + 4 + 12 + 5 + 5 = 40, and 80.
    """
    points, end = ends("two_talons_cards_aside")
    assert points == [[180, 120]]
    assert end["returns"] == [0.6, -0.6]  # 180 - 120


def test_tysiac_2_1_golden_three_aside_for_nobody():
    """2p_triples, a match of two deals; what lies aside is nobody's, and points are exact.

    First deal: seat 1 keeps AS TS KS QS AH TH KH QH AC and claims. Aside lie 9S AD 9D and JC JD 9C: 15. It has
    120 - 15 = 105, and 40 + 100 for spades and hearts: 245, and 250 was said.
    Second deal: seat 1 declares at 130, takes 9C TD KH, lays 9C QS JC away and says 140.
    AD 9D 11 (1), KD JD 6 (1): diamonds 80; AC QC 14 (1), KC TC 14 (0), AH KH 15 (0), JH TH 12 (1), TD 9S 10 (1),
    QD KS 7 (1), TS AS 21 (0). Aside 9C QS JC and JS 9H QH: 10.
    Seat 1: 11 + 6 + 14 + 12 + 10 + 7 = 60, and 80: 140. Seat 0: 14 + 15 + 21 = 50. 60 + 50 + 10 = 120.
    """
    points, end = ends("three_aside_for_nobody")
    assert points == [[0, -250], [50, 140]]
    assert end == {"type": "end", "terminated": False, "returns": [0.0, 0.0]}  # 6.7


def test_tysiac_4_3_golden_twelve_each_blind_contract():
    """2p_twelve. Seat 1 bids 160, so that the contract is said at once: 200; a bomb would be allowed there.

    AH 9H 11 (1), KH TH 14 (0): hearts 100 to seat 1; AS JS 13 (0), QS TS 13 (1): spades 40 to seat 0; AD 9D 11 (1),
    KC AC 15 (0): clubs 60 to seat 1; KD TD 14 (1): diamonds 80 to seat 0, trump for the rest; TC JC 12 (1),
    QC QD 6 (0), JH QH 5 (1), JD 9S 2 (1), 9C KS 4 (1).
    Seat 1: 11 + 13 + 11 + 14 + 12 + 5 + 2 + 4 = 72, and 160: 232. Seat 0: 14 + 13 + 15 + 6 = 48, and 120: 168.
    """
    points, end = ends("twelve_each_blind_contract")
    assert points == [[170, 200]]
    assert end["returns"] == [-0.3, 0.3]


def test_tysiac_7_1_golden_stock_drawn_to_the_end():
    """2p_stock. Drawn cards, the winner's first: KS 9S, KD QC, TD AC, 9D AH, QH KH, TH JS.

    9C JH 2 (0), QS TS 13 (1): spades 40 to seat 0, whose king was drawn; KD 9H 4 (1): diamonds 80 to seat 1, whose king
    was drawn, trump for the rest; 9S JD 2 (0), trumped with a spade in hand; AC JC 13 (0), KS QD 7 (1). The stock is
    empty: AH QH 14 (1), TH 9D 10 (0), TC KC 14 (0), AS TD 21 (1), AD JS 13 (1), KH QC 7 (1).
    Seat 0: 2 + 2 + 13 + 10 + 14 = 41, and 40: 81. Seat 1: 13 + 4 + 7 + 14 + 21 + 13 + 7 = 79, and 80: 159.
    """
    points, end = ends("stock_drawn_to_the_end")
    assert points == [[80, 160]]
    assert end["returns"] == [-0.8, 0.8]


def test_tysiac_7_2_golden_open_talon_and_stock():
    """2p_stock_auction. Seat 0 declares at 120, takes the open QH KD, lays 9S and JS away and says 220.

    KD 9C 4 (0): diamonds 80 to seat 0; QH JD 5 (0): hearts 100 to seat 0; 9D JH 2 (1), trumped; KC TC 14 (0): clubs
    60 to seat 1, trump for the rest. The stock is empty: AD JC 13 (1), AS KS 15 (1), TH AH 21 (0), TD QC 13 (1),
    AC 9H 11 (1), TS QD 13 (1), QS KH 7 (1) and with it 9S JS: 2.
    Seat 0: 4 + 5 + 14 + 21 = 44, and 180: 224. Seat 1: 2 + 13 + 15 + 13 + 11 + 13 + 7 + 2 = 76, and 60: 136.
    """
    points, end = ends("open_talon_and_stock")
    assert points == [[220, 140]]
    assert end["returns"] == [0.8, -0.8]


def test_tysiac_2_3_golden_resting_dealer_scores_the_talon():
    """4p_resting. Seat 1 deals and rests; AS KH QH in the talon bring it 50 + 100. Seat 2 declares at 120, says 210.

    AS JS 9D 13 (2), KH JH TH 16 (0): hearts 100 to seat 2; TD QH JD 15 (2), AC KC QC 18 (2), QS TS 9H 13 (3):
    spades 40 to seat 2, trump for the rest; AD KD 9S 15 (2), 9C TC JC 12 (3), QD AH KS 18 (2).
    Seat 2: 13 + 15 + 18 + 15 + 18 = 79, and 140: 219. Seat 3: 25, and a five goes down. Seat 0: 16.
    """
    points, end = ends("resting_dealer_scores_the_talon")
    assert points == [[20, 150, 210, 20]]
    # 20 - 380/3, 150 - 250/3, 210 - 190/3, 20 - 380/3
    assert end["returns"] == pytest.approx([-3.2 / 3, 2 / 3, 4.4 / 3, -3.2 / 3])


def test_tysiac_5_6_golden_king_on_queen():
    """4p_six. Seat 1 melds KC on the queen that was led; there is no trump in this trick, and clubs are from the next.

    QC KC AC TC 28 (2): clubs 60 to seat 1; KD TD JD AD 27 (1), QS TS KS AS 28 (0), 9S JS JC QD 7 (2), trumped;
    AH QH 9H JH 16 (2), 9D KH TH 9C 14 (1), trumped.
    Seat 0: 28. Seat 1: 27 + 14 = 41, and 60: 101. Seat 2: 28 + 7 + 16 = 51. Seat 3: none.
    """
    points, end = ends("king_on_queen")
    assert points == [[30, 100, 50, 0]]
    # 30 - 150/3, 100 - 80/3, 50 - 130/3, 0 - 180/3
    assert end["returns"] == pytest.approx([-0.2, 2.2 / 3, 0.2 / 3, -0.6])


def test_tysiac_6_5_golden_teams_contract_failed():
    """4p_teams. Seat 1 outbids its partner and declares at 110, gives 9S, AC and JC away and says 150.

    AD JD 9D JC 15 (1), QD 9C JS QC 8 (1): diamonds 80 to seat 1; 9H JH QH KH 9 (0): hearts 100 to seat 0, trump from
    the next trick on; AH KD KS QS 22 (0), TS TC AS KC 35 (2), 9S AC TH TD 31 (0), trumped.
    Seats 1 and 3: 23, and 80: 103, too few. Seats 0 and 2: 9 + 22 + 31 = 62 and 35, and 100: 197, rounded once.
    """
    points, end = ends("teams_contract_failed")
    assert points == [[200, -150, 200, -150]]
    assert end["returns"] == [3.5, -3.5, 3.5, -3.5]  # 200 + 150
