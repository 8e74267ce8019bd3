"""The referee of Tysiac at the eight other tables: worked cases, golden games, faults to find, what a seat knows."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest
from referee import tysiac, tysiac_play
from referee.tysiac import CARDS, TABLES, Deal, RecordFault, deal_result, options, returns, thrown_result, winner
from referee.tysiac_knowledge import Knowledge
from test_referee_tysiac import Lines, act, cards, check, fault, golden

TALONS = {name: table.talons for name, table in TABLES.items()}


def at_table(table: str, hands: list[str], talon: str = "", stock: str = "", dealer: int = -1, **chosen: Any) -> Deal:
    """A deal before its first word: seat 0 begins unless another deals; two talons are parted by a bar."""
    seats, zeros = TABLES[table].seats, [0] * TABLES[table].seats
    talons: list[Any] = [cards(its) for its in talon.split("|")]
    lying = talons if TALONS[table] == 2 else talons[0]
    return Deal(
        options(table=table, **chosen),
        dealer % seats,
        [cards(its) for its in hands],
        lying,
        zeros,
        list(zeros),
        cards(stock),
    )


def leading(table: str, hands: list[str], trump: str | None = None, stock: str = "", **chosen: Any) -> Deal:
    """Seat 0 is to lead to these hands, where there is an auction as declarer at 100."""
    deal = at_table(table, hands, stock=stock, **chosen)
    deal.trump, deal.leader, deal.seat = trump, 0, 0
    if TABLES[table].auction:
        deal.declarer, deal.chosen, deal.lying = 0, 0, []
        deal.bid = deal.contract = 100
        others = [seat for seat in deal.round(1) if seat != 0]
        deal.gifts = {seat: deal.hands[seat][0] for seat in others[: deal.table.gifts]}
        spare = [card for card in CARDS if not any(card in its for its in (*deal.hands, deal.stock))]
        deal.away = spare[: deal.table.away]
        deal.talons = [[], []]
    return deal


# ---------------------------------------------------------------------------------------------------------- the deal


@pytest.mark.parametrize(
    ("table", "seats", "hand", "talons", "stock"),
    [
        ("3p", 3, 7, [3], 0),
        ("2p_pairs", 2, 10, [2, 2], 0),
        ("2p_triples", 2, 9, [3, 3], 0),
        ("2p_twelve", 2, 12, [], 0),
        ("2p_stock", 2, 6, [], 12),
        ("2p_stock_auction", 2, 7, [2], 8),
        ("4p_resting", 4, 7, [3], 0),
        ("4p_six", 4, 6, [], 0),
        ("4p_teams", 4, 5, [4], 0),
    ],
)
def test_tysiac_2_what_is_dealt(table, seats, hand, talons, stock):
    deal = tysiac_play.dealt(random.Random(1), options(table=table), 0, [0] * seats, [0] * seats)
    line = tysiac_play.deal_line(deal, 0)
    resting = table == "4p_resting"
    assert [len(its) for its in line["hands"]] == [0 if resting and seat == 0 else hand for seat in range(seats)]
    piles = line.get("talon", [])
    assert ([len(its) for its in piles] if len(talons) == 2 else [len(piles)] if piles else []) == talons
    assert len(line.get("stock", [])) == stock
    assert ("talon" in line, "stock" in line) == (bool(talons), bool(stock))  # a pile that is not there is left out
    assert (seats - resting) * hand + sum(talons) + stock == 24


# ---------------------------------------------------------------------------------------- two-handed, with two talons

PAIRS = ["QH KH QD KD 9S 9C 9D AS AC AD", "QS KS JS TS JC 9H JD TC QC TD"]
PAIRS_TALONS = "TH KC | AH JH"


def test_tysiac_2_2_declarer_takes_one_talon_blind():
    deal = act(at_table("2p_pairs", PAIRS, PAIRS_TALONS), "bid 100", "pass")
    assert (deal.declarer, deal.phase, len(deal.lying)) == (0, "take", 4)
    assert deal.legal() == ["take 1", "take 2"]
    assert Knowledge.of(deal, 0).talon is None  # declarer too is blind
    act(deal, "take 2")
    assert {"AH", "JH"} <= set(deal.hands[0]) and len(deal.hands[0]) == 12
    assert (deal.closed, deal.lying) == (["TH", "KC"], [])
    act(deal, "give 9S", "give 9C")
    assert (deal.phase, deal.away, len(deal.hands[0]), len(deal.hands[1])) == ("contract", ["9S", "9C"], 10, 10)


def test_tysiac_2_triples_lays_three_away():
    hands = ["QH KH QD KD 9S 9C 9D AS AC", "QS KS JS TS JC 9H JD TC QC"]
    deal = act(at_table("2p_triples", hands, "TH KC AD | AH JH TD"), "bid 100", "pass", "take 1")
    act(deal, "give 9S", "give 9C")
    assert deal.phase == "give"
    act(deal, "give 9D")
    assert (deal.phase, deal.away, deal.closed) == ("contract", ["9S", "9C", "9D"], ["AH", "JH", "TD"])
    assert [len(hand) for hand in deal.hands] == [9, 9]


@pytest.mark.parametrize(
    ("show", "raised", "shown"),
    [("above_100", False, False), ("above_100", True, True), ("always", False, True), ("never", True, False)],
)
def test_tysiac_4_1_only_the_chosen_talon_is_shown_and_only_after_take(show, raised, shown):
    auction = ["bid 100", "bid 110", "bid 120", "pass"] if raised else ["bid 100", "pass"]
    deal = act(at_table("2p_pairs", PAIRS, PAIRS_TALONS, show_talon=show), *auction)
    assert Knowledge.of(deal, 1).talon is None
    act(deal, "take 1")
    assert Knowledge.of(deal, 0).talon == {"TH", "KC"}
    assert Knowledge.of(deal, 1).talon == ({"TH", "KC"} if shown else None)


def test_tysiac_4_4_bomb_and_concession_after_take_with_the_first_card_only():
    deal = act(at_table("2p_pairs", PAIRS, PAIRS_TALONS, bomb="at_100", concede=True), "bid 100", "pass")
    assert deal.legal() == ["take 1", "take 2"]
    act(deal, "take 1")
    assert deal.legal()[-2:] == ["bomb", "concede"]
    act(deal, "give 9S")
    assert not {"bomb", "concede"} & set(deal.legal())
    assert not {"bomb", "concede"} & set(act(deal, "give 9C").legal())


@pytest.mark.parametrize(("takes", "points"), [(True, 21), (False, 0)])
def test_tysiac_13_19_the_cards_aside_go_with_the_last_trick(takes, points):
    deal = leading("2p_pairs", ["AS JH", "KS QH"], last_trick_takes_aside=takes)
    deal.away, deal.talons = ["AD", "TC"], [[], ["9S", "9H"]]
    act(deal, "play AS", "play KS", "play JH", "play QH")  # 15 to seat 0, 5 to seat 1
    assert [tysiac.card_points(taken) for taken in deal.taken] == [15, 5 + points]


def test_tysiac_4_3_the_contract_goes_by_the_hand_after_laying_away():
    hands = ["QH KH QD KD 9S 9C 9D AS AC AD", "QS KS JS TS JC 9H JD TC QC TD"]
    deal = act(at_table("2p_pairs", hands, PAIRS_TALONS), "bid 100", "pass", "take 1", "give KD", "give QD")
    assert deal.legal()[-1] == "contract 220"  # diamonds lie aside
    # 13.25: with all marriages the hand's 400 is cut down to 360.
    hands = ["QH KH QD KD QS KS QC KC AS AC", "9S 9C 9D JS TS JC 9H JD TC TD"]
    deal = at_table("2p_pairs", hands, "TH AD | AH JH", bid_cap="hand")
    assert act(deal, "bid 100").seat == 1
    assert tysiac.bidding_limit(deal.rules, deal.hands[0]) == 360
    act(deal, "pass", "take 1", "give TH", "give AD")
    assert deal.legal()[-1] == "contract 360"


def test_tysiac_4_5_a_claim_takes_the_cards_aside_too():
    hand, other = "AC TC KC QC AH TH KH QH JH", "TD QS KS 9S AD TS KD JD AS"
    for takes, made in ((True, 280), (False, -280)):
        deal = leading("2p_triples", [hand, other], claim=True, last_trick_takes_aside=takes)
        deal.away, deal.talons = ["9C", "9H", "JC"], [[], ["QD", "9D", "JS"]]  # 2 + 3 + 2 points
        deal.contract = 280  # 120 and 160; without the 7 points aside 273
        act(deal, "claim")
        assert deal.changes() == [made, 0]


def test_tysiac_4_5_cards_aside_count_as_not_held():
    # KS and JS lie aside: AS TS are a run of two against four not held.
    deal = leading("2p_pairs", ["AS TS 9S AC TC AD AH TH KH QH", "QS 9C JC QC KC 9D JD 9H JH QD"], claim=True)
    deal.away, deal.talons = ["KS", "JS"], [[], ["TD", "KD"]]
    assert "claim" not in deal.legal()


@pytest.mark.parametrize(("scores", "change"), [([0, 0], [-120, 60]), ([0, 800], [-120, 0]), ([0, 790], [-120, 60])])
def test_tysiac_9_3_two_seats_a_concession_is_worth_60(scores, change):
    assert thrown_result(options(table="2p_triples", concede=True), scores, 0, 120, "concede") == change
    assert thrown_result(options(table="2p_twelve", bomb="any"), [0, 0], 1, 210, "bomb") == [110, 0]


def test_tysiac_8_redeal_two_handed_counts_the_whole_hand():
    hand = "9S 9C 9D 9H AS AC AD AH TS TC"
    deal = at_table("2p_pairs", [hand, "QS KS QC KC QD KD QH KH JS JC"], "TD TH | JD JH", redeal_points=10)
    assert deal.legal() == ["bid 100", "redeal"]  # four nines, no marriage


# --------------------------------------------------------------------------------------------------- twelve, no talon

TWELVE = ["TS QS TH 9C AC QH KC 9D KD TD QC JS", "KS QD TC AD AS 9S JC KH JH 9H AH JD"]


def test_tysiac_4_3_twelve_the_contract_at_once_after_the_auction():
    deal = act(at_table("2p_twelve", TWELVE, bomb="at_100", concede=True), "bid 100", "pass")
    assert (deal.phase, deal.seat) == ("contract", 0)
    # 120 and clubs: 180. 4.4: here bomb and concession stand beside the contract.
    assert deal.legal() == [*(f"contract {number}" for number in range(100, 181, 10)), "bomb", "concede"]
    act(deal, "contract 150")
    assert (deal.phase, deal.seat, deal.leader) == ("play", 0, 0)
    assert not {"bomb", "concede"} & set(deal.legal())


def test_tysiac_9_1_twelve_no_bomb_above_its_bid():
    deal = at_table("2p_twelve", TWELVE, bomb="at_100", concede=True)
    act(deal, "bid 100", "bid 120", "bid 130", "pass")
    assert not {"bomb", "concede"} & set(deal.legal())
    assert deal.legal()[0] == "contract 130"


# ------------------------------------------------------------------------------------------------------- stock tables

STOCK = ["AS 9S 9C JC 9D JD", "AH TH KS QS TC AC"]
TO_DRAW = "QC KC JS TS KD QD AD TD JH 9H QH KH"


def test_tysiac_5_1_without_auction_the_non_dealer_leads_at_once():
    deal = at_table("2p_stock", STOCK, stock=TO_DRAW, dealer=0, redeal_points=18, bomb="any", concede=True, claim=True)
    assert (deal.phase, deal.seat, deal.declarer) == ("play", 1, None)
    assert deal.legal()[-2:] == ["meld QS", "meld KS"]
    assert not {"claim", "bomb", "concede", "redeal"} & set(deal.legal())
    assert (deal.lying, deal.stock) == ([], cards(TO_DRAW))


def test_tysiac_13_23_no_duty_while_a_stock_lies():
    deal = act(leading("2p_stock", ["AH 9S", "9H TH AC"], stock="QC KC"), "play AH")
    assert deal.legal() == ["play AC", "play 9H", "play TH"]
    deal = act(leading("2p_stock", ["QH 9S", "9H TH AC"]), "play QH")
    assert deal.legal() == ["play TH"]


def test_tysiac_13_28_the_winner_draws_first():
    deal = act(leading("2p_stock", ["9C 9S", "TC TH"], stock="QC KD JS TS"), "play 9C", "play TC")
    assert (deal.hands, deal.stock, deal.seat) == ([["9S", "KD"], ["TH", "QC"]], ["JS", "TS"], 1)
    act(deal, "play TH", "play 9S")  # 5.3 throughout: 9S is no trump
    assert (deal.hands, deal.stock, deal.seat) == ([["KD", "TS"], ["QC", "JS"]], [], 1)
    # The stock is empty: seat 0 must beat.
    assert act(deal, "play JS").legal() == ["play TS"]


def test_tysiac_7_1_the_last_two_cards_are_drawn_after_a_free_trick():
    deal = act(leading("2p_stock", ["QH 9S", "KH AC"], stock="TH JH"), "play QH")
    assert deal.legal() == ["play AC", "play KH"]
    act(deal, "play AC")
    assert (deal.seat, deal.hands) == (0, [["9S", "TH"], ["KH", "JH"]])  # no trump: QH took AC


def test_tysiac_7_1_marriages_while_the_stock_lies():
    deal = leading("2p_stock", ["QH KH", "9S JC"], stock="AS TS")
    act(deal, "meld QH", "play 9S")
    assert (deal.trump, deal.melded[0], deal.seat) == ("H", ["H"], 0)
    assert Knowledge.of(deal, 1).halves[0] == {"KH"}
    act(deal, "play KH")
    assert deal.legal() == ["play TS", "play JC"]


def test_tysiac_13_1_stock_auction_two_open_cards_two_laid_away():
    hands = ["9C 9D 9S 9H TS TC AS", "QD JS AH JD TD AD AC"]
    deal = at_table("2p_stock_auction", hands, "KH QH", "KS JC QC TH QS KC KD JH", show_talon="never")
    for seat in (0, 1):
        assert Knowledge.of(deal, seat).talon == {"KH", "QH"}  # 4.1: seen by both, from the start
    act(deal, "bid 100")
    assert deal.legal() == ["pass", "bid 110", "bid 120"]
    # 3.3: the open cards are in no hand yet, though KH would lie beside QH.
    hands = ["QH 9D 9S 9H TS TC AS", "QD JS AH JD TD AD AC"]
    deal = act(at_table("2p_stock_auction", hands, "KH 9C", "KS JC QC TH QS KC KD JH"), "bid 100", "bid 110")
    assert deal.legal() == ["pass", "bid 120"]
    act(deal, "bid 120", "pass")
    assert (deal.phase, len(deal.hands[0])) == ("give", 9)
    act(deal, "give 9C", "give 9S")
    assert (deal.away, [len(hand) for hand in deal.hands], len(deal.stock)) == (["9C", "9S"], [7, 7], 8)
    assert deal.legal()[-1] == "contract 220"  # 4.3: now it is a marriage


def test_tysiac_7_2_stock_auction_is_played_as_the_stock_table():
    deal = leading("2p_stock_auction", ["AH 9S", "9H AC"], stock="QC KC", claim=True)
    assert "claim" not in deal.legal()  # 4.5, though 9S is all that is not on top
    act(deal, "play AH")
    assert deal.legal() == ["play AC", "play 9H"]
    act(deal, "play AC")
    assert deal.hands == [["9S", "QC"], ["9H", "KC"]]
    assert act(deal, "play QC").legal() == ["play KC"]


@pytest.mark.parametrize("table", ["2p_stock", "4p_six"])
def test_tysiac_7_3_without_an_auction_every_seat_scores_by_rounding(table):
    seats = TABLES[table].seats
    rules = options(table=table, no_trick_penalty=100, finish_with_marriage=True)
    zeros, none = [0] * (seats - 2), [""] * (seats - 2)
    result = deal_result(rules, [990, 800, *zeros], None, 0, [75, 45, *zeros], ["H", "", *none], [3, 3, *zeros])
    assert result == [170, 40, *zeros]  # no cap, no threshold
    assert deal_result(rules, [0, 800, *zeros], None, 0, [120, 0, *zeros], ["", "", *none], [6, 0, *zeros])[1] == 0


def test_tysiac_6_4_without_an_auction_equal_scores_go_clockwise_from_the_dealer_s_left():
    assert winner([1010, 1010, 20, 0], declarer=None, dealer=3) == 0
    assert winner([1010, 1010, 20, 0], declarer=None, dealer=0) == 1
    assert winner([1010, 1020, 20, 0], declarer=None, dealer=3) == 1
    assert winner([1010, 1010], declarer=None, dealer=0) == 1


# --------------------------------------------------------------------------------------------- the dealer rests

RESTING = ["QC TS AD JS TC KS KC", "9H 9S TD JD 9D JH JC", "QS KD AC QD TH AH 9C"]
RESTING_TALON = "AS KH QH"


def resting(dealer: int, **chosen: Any) -> Deal:
    """A deal at which the seats left of the dealer hold RESTING, clockwise."""
    hands = [""] * 4
    for step, hand in enumerate(RESTING, 1):
        hands[(dealer + step) % 4] = hand
    return at_table("4p_resting", hands, RESTING_TALON, dealer=dealer, **chosen)


def test_tysiac_2_3_the_dealer_is_never_asked():
    deal = resting(1)
    assert deal.seat == 2
    act(deal, "bid 100", "bid 110")
    assert deal.seat == 0
    act(deal, "pass")
    assert deal.seat == 2  # over seat 1
    act(deal, "pass")
    assert (deal.declarer, deal.seat, len(deal.hands[3])) == (3, 3, 10)
    # 4.2: the left neighbour of seat 3 is seat 0, then comes seat 2.
    act(deal, "give 9S", "give 9H")
    assert deal.gifts == {0: "9S", 2: "9H"}
    assert [len(hand) for hand in deal.hands] == [8, 0, 8, 8]
    act(deal, "contract 110", "play QH", "play TH", "play 9H")
    # 5.3: three cards are a trick; TH of seat 0 took it.
    assert (deal.seat, deal.tricks) == (0, [1, 0, 0, 0])


@pytest.mark.parametrize(
    ("talon", "points"),
    [("AS KH QH", 150), ("AS AC AD", 150), ("KS QS 9H", 40), ("KS QH AC", 50), ("TS JC 9H", 0), ("QC KC AC", 110)],
)
def test_tysiac_13_20_what_the_talon_earns(talon, points):
    assert tysiac.talon_points(cards(talon)) == points


def test_tysiac_2_3_the_talon_counts_as_dealt_and_like_an_outsider_s_points():
    rules = options(table="4p_resting", no_trick_penalty=100)
    melded, tricks = ["", "", "", ""], [0, 8, 0, 0]

    def gain(score: int, **chosen: Any) -> int:
        return deal_result(rules | chosen, [score, 0, 0, 0], 1, 100, [150, 120, 0, 0], melded, tricks, resting=0)[0]

    assert gain(0) == 150
    assert gain(790) == 150
    assert gain(800) == 0  # 6.3, but it cannot take a trick: no penalty
    assert gain(900, threshold=None) == 90  # 6.4
    assert gain(900, threshold=None, outsider_at_1000="nothing") == 0
    assert gain(900, threshold=None, outsider_at_1000="wins") == 150
    # A seat that plays and is held loses its 100.
    assert deal_result(rules, [0, 0, 850, 0], 1, 100, [150, 120, 0, 0], melded, tricks, resting=0)[2] == -100


def test_tysiac_2_3_the_dealer_scores_a_claimed_deal_too():
    hands = ["", "AS TS KS QS AC TC KC QC", "9S 9C 9D JD QD KD TD JS", "JC 9H JH QH KH TH AH AD"]
    deal = at_table("4p_resting", hands, dealer=0, claim=True)
    deal.declarer = deal.seat = deal.leader = 1
    deal.bid, deal.contract, deal.chosen = 100, 220, 0
    deal.gifts, deal.talon = {2: "9S", 3: "9H"}, cards("AC KC QC")  # 50 + 60, as dealt
    act(deal, "claim")
    assert deal.changes() == [110, 220, 0, 0]


def test_tysiac_9_2_the_resting_dealer_gets_his_share_of_a_bomb_and_nothing_for_the_talon():
    deal = act(resting(0, bomb="at_100", concede=True), "bid 100", "pass", "pass")
    assert act(deal, "bomb").changes() == [60, 0, 60, 60]
    deal = act(resting(0, bomb="at_100", concede=True), "bid 100", "pass", "pass")
    assert act(deal, "concede").changes() == [40, -100, 40, 40]
    deal.scores = [800, 0, 0, 0]
    assert deal.changes() == [0, -100, 40, 40]


def test_tysiac_8_the_resting_dealer_asks_for_no_redeal():
    deal = resting(3, redeal_points=18)
    for action in ("bid 100", "pass", "pass"):
        assert deal.seat != 3
        act(deal, action)


# --------------------------------------------------------------------------------------------------- king on queen


def test_tysiac_13_21_king_on_the_queen_just_laid():
    deal = act(leading("4p_six", ["QC 9S", "KC 9C", "JC 9D", "TC 9H"]), "play QC")
    assert deal.legal() == ["play KC", "meld KC"]
    act(deal, "meld KC")
    assert (deal.melded, deal.trump, deal.coming) == ([[], ["C"], [], []], None, "C")


def test_tysiac_5_6_said_or_not():
    deal = act(leading("4p_six", ["QC 9S", "KC 9C", "JC 9D", "TC 9H"]), "play QC", "play KC", "play JC", "play TC")
    assert (deal.melded, deal.trump) == ([[], [], [], []], None)


def test_tysiac_5_6_only_the_right_hand_neighbour_s_queen():
    deal = act(leading("4p_six", ["QC 9S", "AC 9D", "KC 9H", "TC JH"]), "play QC", "play AC")
    assert deal.legal() == ["play KC"]  # the queen lies, but not as the last card
    deal = act(leading("4p_six", ["9H QC", "QC 9D", "KC TD", "TC JD"]), "play 9H", "play QC")
    assert deal.legal() == ["play KC", "play TD", "meld KC"]  # the queen need not have been led
    deal = act(leading("4p_six", ["9H 9S", "QC 9D", "KC JH", "TC JD"]), "play 9H", "play QC")
    assert deal.legal() == ["play JH"]  # the king is no legal card
    deal = act(leading("4p_six", ["QC 9S", "KH 9C", "JC 9D", "TC 9H"]), "play QC")
    assert deal.legal() == ["play 9C"]  # another king


def test_tysiac_5_6_meld_with_is_about_leads_only():
    deal = leading("4p_six", ["QC QS KS", "KC 9C 9D", "JC 9H JD", "TC JH TD"], meld_with="queen")
    assert deal.legal()[3:] == ["meld QS"]
    assert "meld KC" in act(deal, "play QC").legal()


def test_tysiac_13_26_the_trump_changes_with_the_next_trick():
    # Hearts are trumps. In clubs led, seat 3 has none and must trump; its heart takes the trick from the new trump.
    deal = leading("4p_six", ["QC 9D", "KC JD", "9C QD", "9H KD"], trump="H")
    act(deal, "play QC", "meld KC")
    assert deal.trump == "H"
    act(deal, "play 9C")
    assert deal.legal() == ["play 9H"]
    act(deal, "play 9H")
    assert (deal.seat, deal.trump, deal.coming) == (3, "C", None)
    assert [play.trump for play in deal.plays] == ["H", "H", "H", "H"]


def test_tysiac_5_6_until_then_without_a_trump_if_there_is_none():
    # Clubs would beat diamonds in the next trick; in this one QD is led and KD takes it, whatever seat 2 lays.
    deal = leading("4p_six", ["QD 9S", "KD JS", "AC QS", "TC KS"])
    act(deal, "play QD", "meld KD")
    assert deal.legal() == ["play QS", "play AC"]
    act(deal, "play AC", "play TC")
    assert (deal.seat, deal.trump) == (1, "D")


def test_tysiac_5_6_of_several_in_one_trick_the_last_sets_the_trump():
    deal = leading("4p_six", ["QC 9S", "KC JS", "QD TS", "KD AS"])
    act(deal, "play QC", "meld KC", "play QD", "meld KD")
    assert (deal.melded, deal.trump) == ([[], ["C"], [], ["D"]], "D")
    # A marriage led sets it for this trick, the king on a queen for the next.
    deal = leading("4p_six", ["QC KC", "9D JS", "QD TS", "KD AS"])
    act(deal, "meld QC", "play 9D", "play QD")
    assert (deal.trump, deal.legal()) == ("C", ["play AS", "play KD", "meld KD"])
    act(deal, "meld KD")
    assert (deal.seat, deal.trump) == (0, "D")


def test_tysiac_5_6_counts_in_the_last_trick_too():
    deal = act(leading("4p_six", ["QH", "KH", "9S", "9C"]), "play QH", "meld KH", "play 9S", "play 9C")
    assert (deal.end, deal.changes()) == ("played", [0, 110, 0, 0])  # 7 points and 100


def test_tysiac_5_6_only_at_its_two_tables():
    hands = ["QC 9S", "KC 9C", "JC 9D"]
    assert act(leading("4p_resting", [*hands, ""], dealer=3), "play QC").legal() == ["play KC"]
    assert act(leading("2p_twelve", hands[:2]), "play QC").legal() == ["play KC"]
    assert act(leading("2p_stock", hands[:2]), "play QC").legal() == ["play KC"]


def test_tysiac_5_1_six_the_left_of_the_dealer_leads():
    deal = at_table("4p_six", ["", "", "", ""], dealer=2)
    assert (deal.seat, deal.phase) == (3, "play")


# ---------------------------------------------------------------------------------------------------------- teams

TEAMS = ["9H TD QS JD AS", "TC JC KC TH KS", "9S JS JH AH QD", "QH 9D KD TS QC"]
TEAMS_TALON = "AC 9C KH AD"


def test_tysiac_2_teams_declarer_gives_a_card_to_each_of_the_other_three():
    deal = act(at_table("4p_teams", TEAMS, TEAMS_TALON), "bid 100", "pass", "pass", "pass")
    act(deal, "give 9C", "give JD", "give 9H")
    assert deal.gifts == {1: "9C", 2: "JD", 3: "9H"}
    assert [len(hand) for hand in deal.hands] == [6, 6, 6, 6]


def test_tysiac_3_4_partners_may_outbid_each_other():
    deal = act(at_table("4p_teams", TEAMS, TEAMS_TALON), "bid 100", "pass", "bid 110", "pass")
    assert (deal.seat, deal.legal()) == (0, ["pass", "bid 120"])
    act(deal, "pass")
    assert (deal.declarer, deal.talon_shown) == (2, True)


def test_tysiac_13_25_teams_bid_and_say_up_to_400():
    deal = act(at_table("4p_teams", TEAMS, TEAMS_TALON, bid_cap="free", bomb="any"), "bid 100")
    assert deal.legal()[-1] == "bid 400"
    act(deal, "bid 390", "pass", "pass", "pass")
    assert "bomb" in deal.legal()
    act(deal, "give 9C", "give JC", "give KC")
    assert deal.legal() == ["contract 390", "contract 400"]


def test_tysiac_13_22_teams_add_their_points():
    rules = options(table="4p_teams")
    assert deal_result(rules, [0, 0], 0, 180, [80, 40], ["H", ""], [4, 2]) == [180, 40]
    # By the whole deal: the partner of declarer melded, 44 + 36 and 22 + 18 were taken; 40 is rounded once.
    deal = at_table("4p_teams", TEAMS, TEAMS_TALON)
    deal.declarer, deal.contract, deal.end = 2, 180, "played"
    deal.taken = [cards("AS AC AD AH"), cards("TS TC JS"), cards("KS KC KD QS QC QD TD KH 9S"), cards("QH TH JC JD JH")]
    deal.melded, deal.tricks = [["H"], [], [], []], [2, 1, 2, 1]
    assert [tysiac.card_points(its) for its in deal.taken] == [44, 22, 35, 19]
    assert deal.changes() == [-180, 40, -180, 40]  # 79 + 100
    deal.contract = 170
    assert deal.changes() == [170, 40, 170, 40]


def test_tysiac_6_5_the_sum_of_partners_is_rounded_once():
    deal = at_table("4p_teams", TEAMS, TEAMS_TALON)
    deal.declarer, deal.contract, deal.end = 0, 100, "played"
    deal.taken = [[], cards("TS KC"), [], cards("AS QC")]  # 14 and 14: by itself each would be 10
    deal.tricks = [4, 1, 0, 1]
    assert deal.changes()[1] == 30


def test_tysiac_13_27_a_team_gets_the_points_of_a_bomb_once():
    def thrown(action: str, **scores: Any) -> list[int]:
        deal = at_table("4p_teams", TEAMS, TEAMS_TALON, bomb="at_100", concede=True)
        deal.scores = scores.get("scores", [0, 0, 0, 0])
        return act(deal, "bid 100", "pass", "pass", "pass", action).changes()

    assert thrown("bomb") == [0, 60, 0, 60]
    assert thrown("concede") == [-100, 40, -100, 40]
    assert thrown("bomb", scores=[0, 800, 0, 800]) == [0, 0, 0, 0]


def test_tysiac_6_5_bombs_are_counted_for_the_seat():
    deal = at_table("4p_teams", TEAMS, TEAMS_TALON, bomb="at_100")
    deal.bombs = [0, 0, 1, 0]  # the partner's bomb is thrown
    act(deal, "bid 100", "pass", "pass", "pass", "bomb")
    assert deal.bombs == [1, 0, 1, 0]


def test_tysiac_6_5_a_team_stands_for_a_seat():
    rules = options(table="4p_teams", no_trick_penalty=100, finish_with_marriage=True)
    deal = Deal(rules, 3, [[], [], [], []], [], [820, 850, 820, 850], [0] * 4)
    deal.declarer, deal.contract, deal.end = 0, 100, "played"
    deal.taken = [cards("AS AC AD AH"), [], cards("TS TC TD TH KS KC KD KH"), []]
    deal.tricks = [2, 0, 4, 0]
    # Declarer's team at 820 has melded nothing; the other is held and took no trick: its penalty is taken once.
    assert deal.changes() == [0, -100, 0, -100]
    deal.melded[2] = ["S"]  # a marriage of the partner
    deal.tricks[3] = 1  # a trick of the partner
    assert deal.changes() == [100, 0, 100, 0]


def test_tysiac_6_4_a_team_wins_together():
    rules = options(table="4p_teams")
    won = winner([1000, 980, 1000, 980], declarer=2, dealer=3)
    assert won == 2
    assert returns(rules, "match", [100, 0, 100, 0], won) == [1.0, -1.0, 1.0, -1.0]
    # Both teams with as much: declarer's.
    assert winner([1000, 1000, 1000, 1000], declarer=1, dealer=3) == 1
    assert returns(rules, "match", [0] * 4, 1) == [-1.0, 1.0, -1.0, 1.0]


def test_tysiac_6_6_returns_at_every_number_of_seats():
    teams, six, two = options(table="4p_teams"), options(table="4p_six"), options(table="2p_stock")
    assert returns(teams, "deal", [180, 40, 180, 40], None) == pytest.approx([1.4, -1.4, 1.4, -1.4])
    assert returns(six, "deal", [80, 100, 0, 80], None) == pytest.approx([0.2, 140 / 300, -260 / 300, 0.2])
    assert returns(two, "deal", [20, 200], None) == pytest.approx([-1.8, 1.8])
    assert returns(six, "match", [0] * 4, 3) == pytest.approx([-1 / 3, -1 / 3, -1 / 3, 1.0])
    assert returns(two, "match", [0] * 2, 0) == [1.0, -1.0]


def test_tysiac_6_6_partners_start_with_one_score():
    lines = golden("teams_king_on_queen")
    lines[0]["rules"]["start_scores"] = "random"
    lines[0]["start"] = [300, 820, 300, 820]  # held, but declarer's team
    lines[-2]["totals"] = [340, 920, 340, 920]
    assert check(lines).episodes == 1
    lines[0]["start"] = [300, 820, 310, 820]
    assert fault(lines).line == 1


# ------------------------------------------------------------------------------------------------------ golden games


def test_golden_pairs_lost():
    """Seat 1 declares at a bare 100, takes the second talon, lays 9S 9C away, says 120 and takes three tricks.

    Its tricks: QC TC 13, AS KS 15, 9D KD 4: 32. Seat 0: TD AD 21, QH TS 13, 9H JS 2, TH QS 13, AC JH 13, AH JD 13,
    JC KH 6: 81, with the last of them 9S 9C KC QD aside 7, and hearts 100: 188.
    """
    lines = golden("pairs_lost")
    assert lines[-2]["points"] == [190, -120]
    lines[0]["rules"]["last_trick_takes_aside"] = False
    lines[-2] |= {"points": [180, -120], "totals": [180, -120]}  # 181
    lines[-1]["returns"] = [3.0, -3.0]
    assert check(lines).moves == 26


def test_golden_triples_claimed():
    """Seat 0 declares at 160, lays 9C 9H JC away and claims: 120, clubs 60, hearts 100 are just the 280 it says.

    If the cards aside go to nobody 9C 9H JC QD 9D JS are missing, 7 points.
    """
    lines = golden("triples_claimed")
    assert lines[-2]["points"] == [280, 0]
    lines[0]["rules"]["last_trick_takes_aside"] = False
    lines[-2] |= {"points": [-280, 0], "totals": [-280, 0]}
    lines[-1]["returns"] = [-2.8, 2.8]
    assert check(lines).actions["claim"] == 1


def test_golden_twelve_made_and_bombed():
    """Seat 0 says 120 and makes it to the point; then seat 1 throws a bomb at 100, worth 50.

    Seat 0: QD TD 13, KS TS 14, KH TH 14, JH QC 5, 9H AC 11, QS 9S 3: 60, and clubs 60. Seat 1: KD AD 15, KC TC 14,
    9C JC 2, JD 9D 2, QH AH 14, JS AS 13: 60.
    """
    lines = golden("twelve_made_and_bombed")
    assert [line["points"] for line in lines if line["type"] == "score"] == [[120, 60], [50, 0]]
    assert lines[-1]["terminated"] is False  # two deals are all


def test_golden_stock_two_marriages():
    """Spades and clubs melded while and after a stock lies.

    Seat 0: JD TC 12, KH QD 7, 9C JC 2: 21. Seat 1: TS AS 21, QS JH 5, TH KS 14, KC KD 8, TD 9D 10, AC 9H 11, AD QH 14,
    QC JS 5, 9S AH 11: 99, and 40 + 60.
    """
    assert golden("stock_two_marriages")[-2]["points"] == [20, 200]


def test_golden_stock_auction_made():
    """Seat 1 declares at 110, takes KH KC, lays JS JD away, says 120; it melds clubs and diamonds.

    Seat 0: QS AS 14. Seat 1: AH TS 21, KS JC 6, KC TH 14, TD 9D 10, KD 9C 4, 9H KH 4, AC TC 21, QC QH 6, QD 9S 3,
    AD JH 13, with it JS JD aside 4: 106, and 140.
    """
    lines = golden("stock_auction_made")
    assert lines[-2]["points"] == [10, 120]
    assert check(lines).actions == {"bid": 2, "pass": 1, "give": 2, "contract": 1, "play": 20, "meld": 2}


def test_golden_resting_dealer_scores():
    """Seat 0 deals and rests, its talon AC QS 9C is worth 50; seat 3 says 180 and makes 117.

    Seat 3: QC JC AC 16, TS 9S AS 21: 37, and diamonds. Seat 1: KD AD 9D 15, JH KC QH 9, QD 9C JD 5, TC 9H TH 20,
    KS TD QS 17, JS KH AH 17: 83, and clubs: 143. Seat 2 nothing.
    """
    score, end = golden("resting_dealer_scores")[-2:]
    assert score["points"] == [50, 140, 0, -180]
    # 50 + 40 / 3, 140 + 130 / 3, 0 - 10 / 3, -180 - 190 / 3
    assert end["returns"] == pytest.approx([19 / 30, 55 / 30, -1 / 30, -73 / 30])


def test_golden_six_king_on_queen():
    """Seat 3 melds diamonds, seat 1 clubs on the queen of seat 0.

    Seat 0: KD AD TD JD 27, JH AH TH AC 34, JC KH 9D TC 16: 77. Seat 1: QC KC QH 9C 10, TS 9S KS QS 17, JS AS 9H QD 16:
    43, and 60. Seat 3: 80.
    """
    assert golden("six_king_on_queen")[-2]["points"] == [80, 100, 0, 80]


def test_golden_six_two_kings_in_one_trick():
    """Seats 1 and 3 lay kings on queens in the first trick; the second of them, of diamonds, sets the trump.

    Seat 1: QC KC QD KD 14, AS QS KS JS 20: 34, and 60. Seat 3: 9C JD AD AC 24, TD 9S JC AH 23, 9D JH TS TH 22,
    KH 9H TC QH 17: 86, and 80.
    """
    assert golden("six_two_kings_in_one_trick")[-2]["points"] == [0, 90, 0, 170]


def test_golden_teams_king_on_queen():
    """Seat 1 declares at 100; its partner lays the king on the queen of diamonds.

    Seat 1: TC 9S 9C JC 12, AD QD KD TD 28. Seat 3: QS AC JS TS 26, 9D AS KH JH 17. Together 83 and 80. The others:
    KC KS QC JD 13, QH 9H TH AH 24: 37.
    """
    score, end = golden("teams_king_on_queen")[-2:]
    assert score["points"] == [40, 100, 40, 100]
    assert end["returns"] == [-0.6, 0.6, -0.6, 0.6]


# ------------------------------------------------------------------------------------------------------------ faults


def give_swapped(lines: Lines, first: int) -> None:
    """Two cards given one after the other change places; what is offered stays right."""
    one, other = lines[first], lines[first + 1]
    one["action"], other["action"] = other["action"], one["action"]
    other["legal"] = [action for action in one["legal"] if action != one["action"]]


# By golden game: the line in which the slip must be found, and the slip. Line 2 is the deal, the moves follow.
SLIPS: dict[str, dict[str, tuple[int, Callable[[Lines], Any]]]] = {
    "pairs_lost": {
        "one talon": (2, lambda r: r[1].update(talon=["KC", "QD", "9C", "TS"])),
        "three talons": (2, lambda r: r[1]["talon"].append([])),
        "talons of one and three": (2, lambda r: r[1].update(talon=[["KC"], ["QD", "9C", "TS"]])),
        "a talon that is a text": (2, lambda r: r[1].update(talon=["KC", "QD"])),
        "a talon that is a number": (2, lambda r: r[1].update(talon=[1, ["9C", "TS"]])),
        "a card in both talons": (2, lambda r: r[1].update(talon=[["KC", "QD"], ["KC", "TS"]])),
        "a stock": (2, lambda r: r[1].update(stock=[])),
        "no talon": (2, lambda r: r[1].pop("talon")),
        "talons swapped": (6, lambda r: r[1]["talon"].reverse()),
        "take left out": (5, lambda r: r.pop(4)),
        "the other talon taken": (6, lambda r: r[4].update(action="take 1")),
        "a third talon taken": (5, lambda r: r[4].update(action="take 3")),
        "take by the other": (5, lambda r: r[4].update(seat=0)),
        "a card laid away is led": (9, lambda r: r[8].update(action="play 9S")),
        "only one card laid away": (7, lambda r: r.pop(6)),
        "a card of the closed talon laid away": (6, lambda r: r[5].update(action="give KC")),
        "a card laid away is played": (12, lambda r: r[11].update(action="play 9S")),
        "the cards aside left out": (29, lambda r: r[28].update(points=[180, -120], totals=[180, -120])),
        "the cards aside to declarer": (29, lambda r: r[28].update(points=[180, -110], totals=[180, -110])),
    },
    "triples_claimed": {
        "two cards laid away": (12, lambda r: r.pop(11)),
        "contract above the hand": (13, lambda r: r[12]["legal"].append("contract 290")),
        "claim without the option": (14, lambda r: r[0]["rules"].update(claim=False)),
        "concession offered": (10, lambda r: r[9]["legal"].append("concede")),  # the bid is above 120
        "the cards aside to nobody": (15, lambda r: r[0]["rules"].update(last_trick_takes_aside=False)),
    },
    "twelve_made_and_bombed": {
        "a talon": (2, lambda r: r[1].update(talon=[])),
        "no contract": (5, lambda r: r.pop(4)),
        "bomb not offered beside the contract": (5, lambda r: r[4]["legal"].remove("bomb")),
        "bomb before the contract": (4, lambda r: r[3]["legal"].append("bomb")),
        "bomb worth 60": (35, lambda r: r[34].update(points=[60, 0], totals=[180, 60])),
    },
    "stock_two_marriages": {
        "stock of eleven": (2, lambda r: r[1]["stock"].pop()),
        "no stock": (2, lambda r: r[1].pop("stock")),
        "a talon": (2, lambda r: r[1].update(talon=[])),
        "first two cards of the stock swapped": (5, lambda r: r[1]["stock"].insert(0, r[1]["stock"].pop(1))),
        "the dealer leads": (3, lambda r: r[2].update(seat=1)),
        "duty while the stock lies": (8, lambda r: r[7].update(legal=["play AS"])),
        "no duty once it is empty": (18, lambda r: r[17]["legal"].append("play JS")),
        "an auction": (
            3,
            lambda r: r.insert(2, {"type": "move", "seat": 0, "legal": ["bid 100"], "action": "bid 100"}),
        ),
        "meld left out": (9, lambda r: r[8]["legal"].remove("meld QS")),
        "claim offered": (3, lambda r: (r[0]["rules"].update(claim=True), r[2]["legal"].append("claim"))),
        "not rounded": (27, lambda r: r[26].update(points=[21, 199], totals=[21, 199])),
    },
    "stock_auction_made": {
        "closed talons": (2, lambda r: r[1].update(talon=[["KH"], ["KC"]])),
        "stock of seven": (2, lambda r: r[1]["stock"].pop()),
        "bid with the open cards": (4, lambda r: r[3]["legal"].append("bid 160")),
        "take": (6, lambda r: r.insert(5, {"type": "move", "seat": 1, "legal": ["take 1"], "action": "take 1"})),
        "a third card laid away": (8, lambda r: r.insert(7, {**r[6]})),
        "duty while the stock lies": (10, lambda r: r[9].update(legal=["play 9H"])),
        "the loser draws first": (11, lambda r: r[1]["stock"].insert(0, r[1]["stock"].pop(1))),
        "the cards aside left out": (31, lambda r: r[30].update(points=[20, 120], totals=[20, 120])),
    },
    "resting_dealer_scores": {
        "a hand for the dealer": (2, lambda r: r[1]["hands"][0].append(r[1]["hands"][1].pop())),
        "three hands": (2, lambda r: r[1]["hands"].pop(0)),
        "another rests": (2, lambda r: r[1].update(dealer=1)),
        "three players": (1, lambda r: r[0]["players"].pop()),
        "the dealer is asked": (6, lambda r: r[5].update(seat=0)),
        "the dealer leads": (14, lambda r: r[13].update(seat=0)),
        "gifts counter-clockwise": (17, lambda r: give_swapped(r, 10)),
        "a trick of four": (17, lambda r: r.insert(16, {**r[15], "seat": 0})),
        "the talon unpaid": (38, lambda r: r[37].update(points=[0, 140, 0, -180], totals=[0, 140, 0, -180])),
        "the talon to declarer": (38, lambda r: r[37].update(points=[0, 140, 0, 180], totals=[0, 140, 0, 180])),
        "returns of three": (39, lambda r: r[38].update(returns=[0.0, 2.3, 0.2, -2.5])),
    },
    "six_king_on_queen": {
        "a talon": (2, lambda r: r[1].update(talon=[])),
        "the dealer leads": (3, lambda r: r[2].update(seat=2)),
        "king on queen not offered": (8, lambda r: r[7]["legal"].remove("meld KC")),
        "king on queen offered late": (9, lambda r: r[8]["legal"].append("meld KC")),
        "king laid without a word": (18, lambda r: r[7].update(action="play KC")),
        "trump at once": (10, lambda r: r[9].update(legal=["play 9C", "play QD"])),
        "the old trump on": (18, lambda r: r[17].update(legal=["play TC", "play AC", "play QS"])),
        "the marriage to the queen's seat": (27, lambda r: r[26].update(points=[140, 40, 0, 80])),
    },
    "six_two_kings_in_one_trick": {
        "diamonds trump at once": (7, lambda r: r[6].update(seat=3)),
        "trump of the first king": (12, lambda r: r[11].update(legal=["play JD", "play QH", "play TH", "play AH"])),
        "king on a queen that followed left out": (9, lambda r: r[8]["legal"].remove("meld KS")),
        "one marriage a trick": (27, lambda r: r[26].update(points=[0, 30, 0, 170], totals=[0, 30, 0, 170])),
    },
    "teams_king_on_queen": {
        "a talon of five": (2, lambda r: r[1]["talon"].append("9S")),
        "a talon of three": (2, lambda r: r[1]["talon"].pop()),
        "two gifts": (9, lambda r: r.pop(8)),
        "gifts swapped": (12, lambda r: give_swapped(r, 6)),
        "king on queen not offered": (17, lambda r: r[16]["legal"].remove("meld KD")),
        "each for himself": (35, lambda r: r[34].update(points=[10, -100, 20, 120], totals=[10, -100, 20, 120])),
        "the partner without a score": (35, lambda r: r[34].update(points=[40, 100, 0, 0], totals=[40, 100, 0, 0])),
        "partners twice": (35, lambda r: r[34].update(points=[80, 200, 80, 200], totals=[80, 200, 80, 200])),
        "returns of four seats": (36, lambda r: r[35].update(returns=[-0.4, 0.4, -0.4, 0.4])),
    },
}
NAMED = [(name, slip) for name, slips in SLIPS.items() for slip in slips]


@pytest.mark.parametrize(("name", "slip"), NAMED)
def test_a_slip_is_found_in_its_line(name, slip):
    line, change = SLIPS[name][slip]
    lines = golden(name)
    change(lines)
    assert fault(lines).line == line


def some_records(table: str, count: int) -> list[Lines]:
    """Records of the referee's own play at a table."""
    found: list[Lines] = []
    chance = random.Random(table)
    while len(found) < count:
        rules, episode = tysiac_play.drawn(chance)
        rules |= {"table": table, "max_deals": min(rules["max_deals"], 2)}
        found.append([json.loads(line) for line in tysiac_play.record(chance, rules, episode)])
    return found


@pytest.mark.parametrize("table", TABLES)
def test_whatever_is_altered_in_a_line_is_found_there(table):
    """In each line of some records: whose move, what is offered, what is done, each number."""
    chance = random.Random(1)
    for lines in some_records(table, 3):
        assert check(lines).episodes == 1
        for number, line in enumerate(lines, 1):
            for altered in alterations(line, chance):
                assert fault([*lines[: number - 1], altered, *lines[number:]]).line == number, altered


def alterations(line: dict[str, Any], chance: random.Random) -> list[dict[str, Any]]:
    """Versions of a line each of which is wrong by itself."""
    if line["type"] == "match":
        return [line | {"start": [score + 1 for score in line["start"]]}, line | {"players": line["players"] * 2}]
    if line["type"] == "deal":
        piles = [name for name in ("talon", "stock") if name in line]
        others = [name for name in ("talon", "stock") if name not in line]
        found = [line | {"hands": line["hands"][1:]}, line | {"hands": [["AS"] * len(its) for its in line["hands"]]}]
        found += [line | {name: []} for name in piles + others]
        return found + [{key: value for key, value in line.items() if key != name} for name in piles]
    if line["type"] == "move":
        wrong = chance.choice([action for action in tysiac.ACTIONS if action not in line["legal"]])
        offered = sorted([*line["legal"], wrong], key=tysiac.ACTIONS.index)
        left_out = chance.choice(line["legal"])
        return [
            line | {"seat": line["seat"] + 1},
            line | {"action": wrong},
            line | {"legal": offered},
            line | {"legal": [action for action in line["legal"] if action != left_out]},
        ]
    if line["type"] == "score":
        keys = [(key, seat) for key in ("points", "totals") for seat in range(len(line["points"]))]
        return [line | {key: [its + 10 * (at == seat) for at, its in enumerate(line[key])]} for key, seat in keys]
    values = line["returns"]
    return [
        line | {"returns": [its + 0.01 * (at == seat) for at, its in enumerate(values)]} for seat in range(len(values))
    ]


def test_no_table_is_refused_and_another_is():
    with pytest.raises(ValueError, match="'table' has no value '5p'"):
        options(table="5p")
    with pytest.raises(RecordFault):
        check([golden("six_king_on_queen")[0] | {"rules": options(table="4p_six") | {"table": "5p"}}])
