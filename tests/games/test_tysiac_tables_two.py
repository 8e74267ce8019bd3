"""Tysiąc for two with two talons (`2p_pairs`, `2p_triples`) and without a talon (`2p_twelve`), by clause."""

import pytest
from positions import act, cards, hand, legal, moved, scores, sees
from tysiac_deals import contracts, dealt, played, plays, points

from karty.envs.game import RUNNING, TERMINATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

# Ten for each of two, and two talons of two: AD TC and JS KH.
PAIRS = ("AS TS 9S AC QC JC 9H QH AH 9D", "KS QS KC 9C JD QD KD TD JH TH")
TALONS = ["AD TC", "JS KH"]


def pairs(**options):
    return dealt("2p_pairs", *PAIRS, talon=TALONS, **options)


# ------------------------------------------------------------------------------------------------------ 2 two talons


@pytest.mark.parametrize(("taken", "talon"), [(1, "TC AD"), (2, "JS KH")])
def test_tysiac_2_2_declarer_chooses_one_of_two_talons_blind(taken, talon):
    at = act(pairs(), "bid 100, bid 110, pass")
    assert (at.seat, legal(at)) == (1, ["take 1", "take 2"])
    assert [sees(at, seat)["talon"] for seat in range(2)] == [[], []]
    assert [sees(at, seat)["phase"] for seat in range(2)] == ["take", "take"]
    assert (sees(at)["lying"], sees(at)["laid_aside"]) == (4, 0)
    act(at, f"take {taken}")
    assert sees(at)["talon"] == cards(talon)
    assert set(hand(at, 1)) == set(cards(PAIRS[1])) | set(cards(talon))
    assert (sees(at)["lying"], sees(at)["laid_aside"]) == (0, 2)  # the other talon stays closed
    assert [sees(at, seat)["held"] for seat in range(2)] == [[10, 12, 0, 0], [12, 10, 0, 0]]


@pytest.mark.parametrize(("name", "away"), [("2p_pairs", 2), ("2p_triples", 3)])
def test_tysiac_2_1_as_many_cards_are_laid_away_as_were_taken(name, away):
    at = act(dealt(name), "bid 100, pass, take 2")
    for laid in range(away):
        assert sees(at)["phase"] == "give"
        assert sees(at)["laid_aside"] == away + laid
        act(at, legal(at)[0])
    assert (sees(at)["phase"], sees(at)["laid_aside"]) == ("contract", 2 * away)
    assert [len(hand(at, seat)) for seat in range(2)] == [12 - away, 12 - away]


def test_tysiac_case_19_the_four_cards_aside_are_21_points_to_the_last_trick():
    # Aside lie AD TC 9S 9H: 11 + 10. Before the last trick seat 0 has 52 and 100, seat 1 40 and 80 (the golden deal).
    at = played("two_talons_cards_aside", moves=26)
    assert points(at) == [152, 120]
    act(at, "play QH, play KC")  # 7, and the 21
    assert moved(at) == [180, 120]


def test_tysiac_case_19_or_to_nobody():
    at = played("two_talons_cards_aside", last_trick_takes_aside=False)
    assert moved(at) == [-180, 120]  # 159 is not 180


def test_tysiac_2_1_the_other_seat_takes_the_cards_aside_with_the_last_trick():
    # As in the golden deal up to seat 0's AH JH, KH TH; then seat 1 keeps its diamonds for the end:
    # KC AC 15 (0), QH KS 7 (0), AS QS 14 (0), TS 9C 10 (0), 9D JD 2 (1), TD JS 12 (1), KD QC 7 (1), QD JC 5 (1) and 21.
    at = played("two_talons_cards_aside", moves=12)  # AH JH 13 (0), KH TH 14 (1), hearts 100
    act(at, "play KC, play AC, play QH, play KS, play AS, play QS, play TS, play 9C")
    act(at, "play 9D, play JD, play TD, play JS, play KD, play QC, play QD, play JC")
    # Seat 0: 13 + 15 + 7 + 14 + 10 = 59 and 100. Seat 1: 14 + 2 + 12 + 7 + 5 + 21 = 61.
    assert moved(at) == [-180, 60]


def test_tysiac_2_1_three_cards_and_the_other_three_lie_aside():
    # The second of the golden deals: 9C QS JC and JS 9H QH lie aside, 10 points; seat 0 has the last trick and 50.
    deal = dict(talon=["JS 9H QH", "9C TD KH"], bid_cap="hand", rounding="exact")
    hands = ("AS KS 9S TC QC JD 9D AH JH", "TS QS AC KC JC AD KD QD TH")
    tricks = """play AD, play 9D, meld KD, play JD, play AC, play QC, play KC, play TC, play AH, play KH,
        play JH, play TH, play TD, play 9S, play QD, play KS, play TS, play AS"""
    for takes, change in ((True, [60, 140]), (False, [50, 140])):
        at = dealt("2p_triples", *hands, **deal, last_trick_takes_aside=takes)
        act(at, f"bid 100, bid 130, pass, take 2, give 9C, give QS, give JC, contract 140, {tricks}")
        assert moved(at) == change


# ------------------------------------------------------------------------------------------------- 3 and 4 what is said


def test_tysiac_3_3_a_marriage_that_lies_in_a_talon_does_not_count_yet():
    at = act(pairs(), "bid 100, bid 110")
    assert legal(at) == ["pass", "bid 120"]  # QH is in the hand, KH in the second talon


@pytest.mark.parametrize(
    ("show", "at_100", "at_110"), [("above_100", False, True), ("always", True, True), ("never", False, False)]
)
def test_tysiac_4_1_only_the_talon_chosen_is_shown_and_only_after_the_choice(show, at_100, at_110):
    for auction, shown in (("bid 100, pass", at_100), ("bid 100, bid 110, bid 120, pass", at_110)):
        at = act(pairs(show_talon=show), auction)
        assert sees(at, 1)["talon"] == []
        act(at, "take 2")
        assert sees(at, 0)["talon"] == ["JS", "KH"]
        assert sees(at, 1)["talon"] == (["JS", "KH"] if shown else [])


def test_tysiac_4_2_he_lays_cards_away_that_he_alone_knows():
    at = act(pairs(), "bid 100, bid 110, bid 120, pass, take 2")
    assert legal(at) == [f"give {card}" for card in hand(at, 0)]
    before = at.observe(1)[at.shape.observation["talon"].slice].copy()
    act(at, "give 9S, give 9H")
    assert (sees(at, 0)["gave"], sees(at, 1)["gave"], sees(at, 1)["got"]) == (["9S", "9H"], [], [])
    assert sees(at, 1)["laid_aside"] == 4
    assert (before == at.observe(1)[at.shape.observation["talon"].slice]).all()
    # JS and KH were shown, but he may have laid them away.
    assert sees(at, 1)["holding"] == [{}, {}, {}]
    assert sees(at, 0)["holding"] == [{}, {}, {}]
    assert set(hand(at, 0)) == set(cards("AS TS JS AC QC JC QH KH AH 9D"))


def test_tysiac_4_3_the_contract_goes_by_the_hand_after_laying_away():
    at = act(pairs(), "bid 100, bid 110, bid 120, pass, take 2, give 9S, give 9H")
    assert legal(at) == contracts(120, 220)  # hearts 100
    at = act(pairs(), "bid 100, bid 110, bid 120, pass, take 2, give 9S, give QH")
    assert legal(at) == contracts(120, 120)  # laid away: no marriage
    at = act(pairs(), "bid 100, bid 200, pass, take 1, give KD, give 9C")
    assert legal(at) == contracts(200, 200)  # spades alone would make 160; his bid is higher
    at = act(pairs(bid_cap="free"), "bid 100, pass, take 1, give 9S, give 9H")
    assert legal(at) == contracts(100, 360)


def test_tysiac_4_4_bomb_and_concession_come_after_the_choice_of_a_talon():
    at = act(pairs(bomb="any", concede=True), "bid 100, pass")
    assert legal(at) == ["take 1", "take 2"]
    act(at, "take 1")
    assert legal(at)[-2:] == ["bomb", "concede"]
    assert len(legal(at)) == 12 + 2
    act(at, "give 9S")
    assert len(legal(at)) == 11
    at = act(pairs(bomb="to_120", concede=True), "bid 100, bid 130, pass, take 1")
    assert len(legal(at)) == 12  # above 120 neither


# ------------------------------------------------------------------------------------------------------- 4.5 the claim

STRONG = ("AS TS KS QS JS 9S AH AD AC TC", "9C JC QC KC 9D JD QD JH QH KH")
STRONG_TALONS = ["9H TH", "KD TD"]


def strong(away, contract, **options):
    at = dealt("2p_pairs", *STRONG, talon=STRONG_TALONS, claim=True, **options)
    return act(at, f"bid 100, pass, take 1, give {away[0]}, give {away[1]}, contract {contract}")


def test_tysiac_4_5_a_claim_takes_the_cards_aside_too():
    # Seat 0 keeps all the spades, AC TC, AD and AH: it takes every trick, and melds spades for 40.
    assert moved(act(strong(["9H", "TH"], 160), "claim")) == [160, 0]  # 120 + 40
    assert moved(act(strong(["9H", "TH"], 160, last_trick_takes_aside=False), "claim")) == [-160, 0]
    # Aside lie 9H TH and KD TD, 24 points: 96 + 40 = 136.
    assert moved(act(strong(["9H", "TH"], 130, last_trick_takes_aside=False), "claim")) == [130, 0]
    assert moved(act(strong(["9H", "TH"], 140, last_trick_takes_aside=False), "claim")) == [-140, 0]


def test_tysiac_4_5_cards_laid_away_count_as_not_held():
    assert legal(strong(["9H", "TH"], 100))[-1] == "claim"
    assert legal(strong(["9H", "JS"], 100))[-1] == "claim"  # JS alone is missing under A T K Q
    assert "claim" not in legal(strong(["9H", "AS"], 100))  # nothing stands above AS


def test_tysiac_4_5_a_claim_that_makes_all_marriages_without_a_talon():
    spades_and_clubs = "9S JS QS KS TS AS 9C JC QC KC TC AC"
    at = act(dealt("2p_twelve", spades_and_clubs, claim=True), "bid 100, pass, contract 220")
    assert legal(at)[-1] == "claim"
    assert moved(act(at, "claim")) == [220, 0]  # 120 + 40 + 60


def test_tysiac_6_3_no_trick_in_a_claimed_deal_costs_100_above_the_threshold():
    at = strong(["9H", "TH"], 160, no_trick_penalty=100, start=[0, 800])
    assert moved(act(at, "claim")) == [160, -100]
    at = strong(["9H", "TH"], 160, no_trick_penalty=100, start=[0, 790])
    assert moved(act(at, "claim")) == [160, 0]


# ------------------------------------------------------------------------------------------------------------- 5 play


def test_tysiac_5_1_declarer_leads_wherever_he_sits():
    at = act(pairs(), "bid 100, bid 110, pass, take 1, give 9C, give TC, contract 110")
    assert (at.seat, sees(at)["leader"]) == (1, 0)
    act(at, "play KS, play AS")
    assert at.seat == 0


def test_tysiac_case_8_void_and_no_trump_any_card():
    at = act(pairs(), "bid 100, bid 110, pass, take 1, give KS, give QS, contract 110")
    act(at, "play 9C, play AC, play AS")  # seat 1 has no spade, and there is no trump
    assert (at.seat, legal(at)) == (1, plays("KC TC JD QD KD TD AD JH TH"))


def test_tysiac_5_2_two_must_follow_and_beat():
    at = played("two_talons_cards_aside", moves=8)
    act(at, "play QC")
    assert (at.seat, legal(at)) == (1, plays("KC"))  # 9C would follow, but KC beats
    at = played("two_talons_cards_aside", moves=8)
    act(at, "play AC")
    assert legal(at) == plays("9C KC")  # neither beats


# ---------------------------------------------------------------------------------------------------------- 6 scoring


@pytest.mark.parametrize(
    ("rounding", "change"), [("half_down", [170, 200]), ("half_up", [170, 200]), ("exact", [168, 200])]
)
def test_tysiac_6_2_the_other_seat_scores_its_points(rounding, change):
    assert moved(played("twelve_each_blind_contract", rounding=rounding)) == change  # 48 + 40 + 80, and 232 for 200


def test_tysiac_6_3_the_other_seat_is_held_above_the_threshold():
    assert moved(played("two_talons_cards_aside", start=[0, 800])) == [180, 0]
    assert moved(played("two_talons_cards_aside", start=[0, 790])) == [180, 120]


@pytest.mark.parametrize(("at_1000", "score"), [("cap", 990), ("nothing", 880), ("wins", 1000)])
def test_tysiac_6_4_the_other_seat_at_1000(at_1000, score):
    at = played("two_talons_cards_aside", start=[0, 880], threshold=None, outsider_at_1000=at_1000)
    assert scores(at) == [180, score]
    assert at.over == (TERMINATED if at_1000 == "wins" else RUNNING)


# The dealer declares in the second, so that the other seat is the one on his left.
@pytest.mark.parametrize(
    ("deal", "start"), [("two_talons_cards_aside", [820, 880]), ("open_talon_and_stock", [780, 860])]
)
@pytest.mark.parametrize("turned", [0, 1])
def test_tysiac_6_4_declarer_wins_a_tie_of_two(deal, start, turned):
    start = start[::-1] if turned else start
    at = played(deal, turned=turned, start=start, threshold=None, outsider_at_1000="wins")
    assert scores(at) == [1000, 1000]
    assert at.returns()[0].tolist() == ([-1.0, 1.0] if turned else [1.0, -1.0])


# ----------------------------------------------------------------------------------------------------- 2p_twelve alone


def test_tysiac_4_3_twelve_each_say_the_contract_at_once():
    hands = ("AS KS QS 9S AC JC KD QD 9D TH JH 9H", "TS JS TC KC QC 9C AD TD JD AH KH QH")
    at = act(dealt("2p_twelve", *hands), "bid 100, pass")
    assert (at.seat, sees(at)["phase"], legal(at)) == (0, "contract", contracts(100, 240))  # 40 + 80
    at = act(dealt("2p_twelve", *hands), "bid 100, bid 200, pass")
    assert (at.seat, legal(at)) == (1, contracts(200, 280))  # 60 + 100
    act(at, "contract 250")
    assert (at.seat, sees(at)["phase"], sees(at)["contract"]) == (1, "play", 25)
    assert [len(hand(at, seat)) for seat in range(2)] == [12, 12]
    assert sees(at)["laid_aside"] == 0


def test_tysiac_case_25_twelve_each_and_four_marriages_go_to_360():
    four = "QS KS QC KC QD KD QH KH 9S 9C 9D 9H"
    for cap in ("hand", "marriage", "free"):
        at = act(dealt("2p_twelve", four, bid_cap=cap), "bid 100, pass")
        assert legal(at) == contracts(100, 360)  # 120 + 280 would be 400


def test_tysiac_4_4_twelve_each_drop_out_beside_the_contract():
    at = act(dealt("2p_twelve", bomb="any", concede=True), "bid 100, pass")
    assert legal(at)[-2:] == ["bomb", "concede"]
    assert act(at, "bomb").number == 1
    assert moved(at) == [0, 50]


def test_tysiac_9_1_half_the_bid_rounded_up_to_ten():
    hands = ("AS KS QS 9S AC JC KD QD 9D TH JH 9H", "TS JS TC KC QC 9C AD TD JD AH KH QH")
    at = act(dealt("2p_twelve", *hands, bomb="any", concede=True), "bid 100, bid 210, pass")
    assert legal(at)[-1] == "bomb"  # no concession above 120
    assert moved(act(at, "bomb")) == [110, 0]


# ------------------------------------------------------------------------------------------------ 12 what a seat sees


def test_tysiac_12_what_two_see_of_each_other():
    # After 9C AC in the golden deal: diamonds are trump, and seat 0 is known to hold none since TD JC.
    at = played("two_talons_cards_aside", moves=22)
    seen = sees(at, 1)
    assert (seen["trump"], seen["tricks"], seen["held"]) == ("D", [5, 2, 0, 0], [3, 3, 0, 0])
    assert seen["played"][1] == ["JS", "JC", "QC", "AC", "9D", "KH", "AH"]
    diamonds = {f"{rank}D": -1 for rank in "9JQKTA"}
    assert seen["holding"][0] == {"QH": 1} | diamonds  # QH: he melded with the king
    assert seen["melded"] == [[0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]]
    # Seat 1 followed JH below AH, and TH over KH; 9C under no card: nothing is shown. KD lies, QD followed.
    assert sees(at, 0)["holding"][0] == {}


def test_tysiac_12_hidden_from_a_seat_are_the_talons_and_what_lies_aside():
    at = act(pairs(), "bid 100, bid 110, bid 120, pass")
    for me in range(2):
        hidden = at.shape.hidden.decode(at.hidden(me))
        assert [set(held) for held in hidden["hands"]] == [set(cards(PAIRS[1 - me])), set(), set()]
        assert (set(hidden["lying"]), hidden["aside"]) == (set(cards("AD TC JS KH")), [])
    act(at, "take 2, give 9S, give 9H")
    hidden = at.shape.hidden.decode(at.hidden(1))
    assert set(hidden["hands"][0]) == set(cards("AS TS JS AC QC JC QH KH AH 9D"))
    assert (hidden["lying"], set(hidden["aside"])) == ([], set(cards("9S 9H AD TC")))
    assert set(at.shape.hidden.decode(at.hidden(0))["aside"]) == {"AD", "TC"}  # not what it laid away itself
