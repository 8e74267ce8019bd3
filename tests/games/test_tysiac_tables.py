"""Tysiąc's eight other tables: what holds at all of them. Each kind of table has a file of its own beside this one.

A name holds its clause of the rule book, or the number of its worked case; numbers are counted by hand.
"""

import numpy as np
import pytest
from positions import act, hand, legal, moved, scores, sees
from tysiac_deals import AUCTION, PACK, TABLES, bids, dealt, play_out, played, plays

from karty.envs.engine import Table
from karty.envs.game import RUNNING, TERMINATED, TRUNCATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

NO_AUCTION = ("2p_stock", "4p_six")


def all_pass(name):
    """The auction in which the opener alone bids."""
    playing = TABLES[name][0] - (name == "4p_resting")
    return "bid 100" + ", pass" * (playing - 1)


def drops(name, how, **options):
    """The first deal, which seat 0 opens, dropped by it at the bare 100."""
    chosen = ", take 1" if name in ("2p_pairs", "2p_triples") else ""
    return act(dealt(name, **options), f"{all_pass(name)}{chosen}, {how}")


# ---------------------------------------------------------------------------------------------------- 1 and 2 the deal


@pytest.mark.parametrize("first", [True, False], ids=["seat 0 deals", "the last deals"])
@pytest.mark.parametrize("name", TABLES)
def test_tysiac_2_cards_of_each_table(name, first):
    seats, size, talons, in_stock = TABLES[name]
    dealer = 0 if first else seats - 1
    at = dealt(name, dealer=dealer)
    sizes = [0 if name == "4p_resting" and seat == dealer else size for seat in range(seats)]
    assert at.seats == seats
    assert [len(hand(at, seat)) for seat in range(seats)] == sizes
    seen = sees(at, 0)
    assert seen["held"] == sizes + [0] * (4 - seats)
    assert (seen["lying"], seen["stock"], seen["laid_aside"]) == (sum(talons), in_stock, 0)
    assert (seen["table"], seen["phase"]) == (name, "auction" if name in AUCTION else "play")


@pytest.mark.parametrize("name", TABLES)
def test_tysiac_2_a_record_lists_every_pile(name):
    seats, size, talons, in_stock = TABLES[name]
    dealers = set()
    for seed in range(40):
        at = Table("tysiac", table=name)
        at.reset(seed)
        at.settle()
        piles = at.dealt()
        wanted = [size] * seats
        if name == "4p_resting":
            wanted[at.dealer] = 0
        assert [len(its) for its in piles["hands"]] == wanted
        talon = piles.get("talon", [])
        parts = talon if len(talons) == 2 else [talon] if talon else []
        assert tuple(len(part) for part in parts) == talons
        assert len(piles.get("stock", [])) == in_stock
        assert ("talon" in piles, "stock" in piles) == (bool(talons), bool(in_stock))
        lying = [card for part in (*piles["hands"], *parts, piles.get("stock", [])) for card in part]
        assert sorted(lying) == sorted(PACK)
        dealers.add(at.dealer)
    assert dealers == set(range(seats))  # 1.3 by lot; 40 draws miss one of four with a chance of 4 x 0.75^40 = 0.00004


@pytest.mark.parametrize("name", TABLES)
def test_tysiac_1_3_the_deal_passes_clockwise(name):
    seats = TABLES[name][0]
    at = dealt(name, dealer=seats - 1)
    for deal in range(seats + 1):
        assert (at.number, at.dealer) == (deal, (deal - 1) % seats)
        assert at.seat == deal % seats
        play_out(at)


@pytest.mark.parametrize("how", ["bomb", "concede"])
@pytest.mark.parametrize("name", AUCTION)
def test_tysiac_1_3_a_bombed_or_conceded_deal_passes_it_too(name, how):
    at = drops(name, how, bomb="at_100", concede=True)
    assert (at.number, at.dealer, at.seat) == (1, 0, 1)


# -------------------------------------------------------------------------------------------------------- 3 the auction


@pytest.mark.parametrize("name", AUCTION)
def test_tysiac_3_1_left_of_the_dealer_must_open_with_100(name):
    seats = TABLES[name][0]
    for dealer in range(seats):
        at = dealt(name, dealer=dealer)
        assert at.seat == (dealer + 1) % seats
        assert legal(at) == ["bid 100"]
        assert sees(at)["opener"] == 0


@pytest.mark.parametrize("name", AUCTION)
def test_tysiac_3_1_the_opener_declares_at_100_if_all_others_pass(name):
    at = act(dealt(name), all_pass(name))
    assert at.seat == 0
    seen = sees(at)
    assert (seen["declarer"], seen["bid"][0]) == (0, 10)
    phases = {"2p_pairs": "take", "2p_triples": "take", "2p_twelve": "contract"}
    assert seen["phase"] == phases.get(name, "give")


@pytest.mark.parametrize("name", ["2p_pairs", "2p_triples", "2p_twelve", "2p_stock_auction"])
def test_tysiac_3_1_two_raise_in_turn_until_one_passes(name):
    at = act(dealt(name, bid_cap="free", bid_step="ten"), "bid 100, bid 110, bid 120, bid 130")
    assert (at.seat, legal(at)) == (0, ["pass", "bid 140"])
    act(at, "pass")
    assert (at.seat, sees(at)["declarer"], sees(at)["bid"][:2]) == (1, 0, [13, 12])


@pytest.mark.parametrize("name", AUCTION)
def test_tysiac_3_3_free_bids_go_to_360_and_in_teams_to_400(name):
    at = act(dealt(name, bid_cap="free"), "bid 100")
    assert legal(at) == ["pass", *bids(110, 400 if name == "4p_teams" else 360)]


@pytest.mark.parametrize("name", NO_AUCTION)
def test_tysiac_5_1_without_an_auction_the_seat_left_of_the_dealer_leads(name):
    seats, size, _, _ = TABLES[name]
    for dealer in range(seats):
        at = dealt(name, dealer=dealer)
        assert at.seat == (dealer + 1) % seats
        seen = sees(at)
        assert [action for action in legal(at) if action.startswith("play")] == plays(" ".join(seen["hand"]))
        assert len(seen["hand"]) == size
        assert (seen["phase"], seen["declarer"], seen["contract"], seen["leader"]) == ("play", -1, 0, 0)
        assert seen["bid"] == [0, 0, 0, 0]


# ------------------------------------------------------------------------------------------------------- 6.6 the reward

# What the golden deals bring (counted in test_tysiac_tables_golden.py), and what a deal pays: my change less the mean
# of the others', in teams less the other team's.
PAID = {
    "two_talons_cards_aside": ([180, 120], [0.6, -0.6]),
    "three_aside_for_nobody": ([0, -250], [2.5, -2.5]),
    "twelve_each_blind_contract": ([170, 200], [-0.3, 0.3]),
    "stock_drawn_to_the_end": ([80, 160], [-0.8, 0.8]),
    "open_talon_and_stock": ([220, 140], [0.8, -0.8]),
    "resting_dealer_scores_the_talon": ([20, 150, 210, 20], [-3.2 / 3, 2 / 3, 4.4 / 3, -3.2 / 3]),
    "king_on_queen": ([30, 100, 50, 0], [-0.2, 2.2 / 3, 0.2 / 3, -0.6]),
    "teams_contract_failed": ([200, -150, 200, -150], [3.5, -3.5, 3.5, -3.5]),
}


@pytest.mark.parametrize("turned", [0, 1, 3])
@pytest.mark.parametrize("name", PAID)
def test_tysiac_6_6_a_deal_pays_the_change_against_the_others(name, turned):
    change, paid = PAID[name]
    seats = len(change)
    at = played(name, turned=turned, episode="deal")
    assert at.over == TERMINATED
    reward, points_won = at.returns()
    for seat in range(seats):
        assert points_won[(seat + turned) % seats] == change[seat]
        assert reward[(seat + turned) % seats] == pytest.approx(paid[seat])


# Scores before, with which this deal wins the match, and the winner.
WON = {
    "two_talons_cards_aside": ([820, 0], 0),
    "twelve_each_blind_contract": ([0, 800], 1),
    "stock_drawn_to_the_end": ([0, 840], 1),
    "open_talon_and_stock": ([780, 0], 0),
    "resting_dealer_scores_the_talon": ([0, 0, 790, 0], 2),
    "king_on_queen": ([0, 900, 0, 0], 1),
}


@pytest.mark.parametrize("turned", [0, 1])
@pytest.mark.parametrize("name", WON)
def test_tysiac_6_6_a_match_pays_the_winner_1(name, turned):
    start, winner = WON[name]
    seats = len(start)
    turned_start = [start[(seat - turned) % seats] for seat in range(seats)]
    at = played(name, turned=turned, start=turned_start)
    assert at.over == TERMINATED
    winner = (winner + turned) % seats
    assert scores(at)[winner] == 1000
    wanted = [1.0 if seat == winner else -1 / (seats - 1) for seat in range(seats)]
    assert at.returns()[0] == pytest.approx(wanted)


@pytest.mark.parametrize("name", ["stock_drawn_to_the_end", "king_on_queen", "teams_contract_failed"])
def test_tysiac_6_7_a_match_is_truncated_after_max_deals(name):
    at = played(name, max_deals=1)
    assert at.over == TRUNCATED
    assert not at.returns()[0].any()
    assert played(name, max_deals=2).over == RUNNING


@pytest.mark.parametrize("name", ["2p_stock", "4p_resting", "4p_six", "4p_teams"])
def test_tysiac_6_6_start_scores(name):
    def starts(**options):
        at = Table("tysiac", table=name, **options)
        return np.array([at.reset(seed) or at.start for seed in range(200)])

    assert not starts(episode="deal").any()
    assert not starts(episode="match", start_scores="random").any()
    drawn = starts(episode="deal", start_scores="random")
    assert (drawn % 10 == 0).all()
    assert drawn.min() >= -300
    assert drawn.max() <= 990
    if name == "4p_teams":  # one draw a team
        assert (drawn[:, 0] == drawn[:, 2]).all()
        assert (drawn[:, 1] == drawn[:, 3]).all()
    apart = 2 if name == "4p_teams" else TABLES[name][0]
    for seat in range(apart):
        # 200 draws of mean 345 and deviation 375: the mean lies within 4 x 375 / sqrt(200) = 106.
        assert abs(drawn[:, seat].mean() - 345) < 106
        for other in range(seat):
            assert (drawn[:, seat] != drawn[:, other]).mean() > 0.9


# ----------------------------------------------------------------------------------------------------------- 8 redeal

ASKS = {
    ("2p_pairs", "9S 9C 9D JS JC JD JH QS QC QD"): {18},  # 8 + 9 = 17
    ("2p_pairs", "9S 9C 9D JS JC JD JH QS QC KD"): set(),  # 18
    ("2p_pairs", "9S 9C 9D 9H AS AC AD AH TS TC"): {10, 18},  # 64, but four nines
    ("2p_triples", "9S 9C 9D JS JC JD JH QS KC"): {18},  # 8 + 3 + 4 = 15
    ("2p_triples", "9S 9C 9D 9H JC JD JH QS KS"): set(),  # four nines and a marriage
    ("2p_twelve", "9S 9C 9D 9H JS JC JD JH QS QC QD QH"): {10, 18},  # 20, but four nines
    ("2p_twelve", "9S 9C 9D TH JS JC JD JH QS QC QD QH"): set(),  # 30
    ("2p_stock_auction", "9H 9C 9S JD JS QH JH"): {10, 18},  # 9
    ("2p_stock_auction", "9H 9C 9S JD JS JC KH"): {18},  # 10
    ("4p_resting", "9H 9C 9S JD JS QH JH"): {10, 18},
    ("4p_teams", "9S 9C JD JC QS"): {10, 18},  # 7
    ("4p_teams", "9S 9C JS JC TD"): {18},  # 14
    ("4p_teams", "9S 9C JS QC KC"): set(),  # 9, and a marriage
    ("2p_stock", "9S 9C 9D 9H JS JC"): set(),  # no auction
    ("4p_six", "9S 9C 9D 9H JS JC"): set(),
}


@pytest.mark.parametrize(("name", "held"), ASKS)
def test_tysiac_8_who_may_ask_for_a_redeal(name, held):
    for limit in (0, 10, 18):
        at = dealt(name, held, redeal_points=limit)
        assert ("redeal" in legal(at)) is (limit in ASKS[name, held])


@pytest.mark.parametrize("name", AUCTION)
def test_tysiac_8_a_redeal_keeps_dealer_and_number(name):
    poor = next(held for table, held in ASKS if table == name and 18 in ASKS[table, held])
    at = act(dealt(name, poor, redeal_points=18, max_deals=1), "redeal")
    assert (at.number, at.dealer, at.seat, at.over) == (0, TABLES[name][0] - 1, 0, RUNNING)
    assert sees(at)["redeals"] == 1
    assert legal(at)[0] == "bid 100"
    assert sum(sees(at)["held"]) == TABLES[name][1] * (TABLES[name][0] - (name == "4p_resting"))


# ----------------------------------------------------------------------------------------------------- 9 dropping out

# 9.1: each other seat 60, or half the bid; 9.3: 40, of two seats 60; 9.2: a resting dealer is one of them; 6.5: a team
# is a seat, and each of its seats shows what the team got.
BOMBED = {name: [0, 60] for name in AUCTION} | {"4p_resting": [0, 60, 60, 60], "4p_teams": [0, 60, 0, 60]}
HALVED = {name: [0, 50] for name in AUCTION} | {"4p_resting": [0, 50, 50, 50], "4p_teams": [0, 50, 0, 50]}
CONCEDED = {name: [-100, 60] for name in AUCTION} | {"4p_resting": [-100, 40, 40, 40], "4p_teams": [-100, 40, -100, 40]}


@pytest.mark.parametrize("name", AUCTION)
def test_tysiac_9_1_a_bomb(name):
    assert moved(drops(name, "bomb", bomb="at_100")) == BOMBED[name]
    assert moved(drops(name, "bomb", bomb="to_120")) == BOMBED[name]
    assert moved(drops(name, "bomb", bomb="any")) == HALVED[name]


@pytest.mark.parametrize("name", AUCTION)
def test_tysiac_9_3_a_concession(name):
    assert moved(drops(name, "concede", concede=True)) == CONCEDED[name]


@pytest.mark.parametrize("name", AUCTION)
def test_tysiac_4_4_dropping_out_is_offered_in_one_decision_only(name):
    at = dealt(name, bomb="any", concede=True)
    offered = []
    while sees(at)["phase"] != "play":
        drop = [action for action in ("bomb", "concede") if action in legal(at)]
        assert drop in ([], ["bomb", "concede"])
        offered.append((sees(at)["phase"], bool(drop)))
        act(at, legal(at)[0] if sees(at)["phase"] != "auction" or sees(at)["bid"][0] else all_pass(name))
    assert "bomb" not in legal(at)
    lays = {"2p_pairs": 2, "2p_triples": 3, "2p_twelve": 0, "2p_stock_auction": 2, "4p_resting": 2, "4p_teams": 3}[name]
    steps = ["auction"] + ["take"] * (name in ("2p_pairs", "2p_triples")) + ["give"] * lays + ["contract"]
    assert [phase for phase, _ in offered] == steps
    only = steps.index("give" if lays else "contract")
    assert [place for place, (_, drop) in enumerate(offered) if drop] == [only]
