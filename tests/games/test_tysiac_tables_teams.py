"""Tysiąc for four in teams (`4p_teams`): seats 0 and 2 against 1 and 3, by clause.

By default seat 3 deals and seat 0 opens. The golden deal is counted in test_tysiac_tables_golden.py: seat 1 declares.
"""

import json

import pytest
from positions import act, hand, legal, moved, scores, sees
from tysiac_deals import bids, contracts, dealt, played, plays, points

from karty.envs.engine import Table, play_episodes
from karty.envs.game import RUNNING, TERMINATED
from karty.envs.games.tysiac_tables import Rules
from karty.envs.record import RecordError, record_episode, replay

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GOLDEN = "teams_contract_failed"

# Seat 0 takes TH 9S 9D 9H, gives the nines away, melds hearts and loses the last two tricks.
CASE_22 = ("KH QH AH JS 9C", "JH TS QC JD KD", "QD QS KS TC AD", "AS AC JC KC TD")
MADE_80 = """meld KH, play JH, play QS, play 9H, play AH, play 9S, play KS, play JC, play TH, play JD, play TC, play KC,
    play QH, play KD, play AD, play TD, play JS, play TS, play 9D, play AS, play AC, play 9C, play QC, play QD"""


def case_22(contract=180, auction="bid 100, pass, pass, pass", **options):
    at = dealt("4p_teams", *CASE_22, talon="TH 9S 9D 9H", **options)
    return act(at, f"{auction}, give 9S, give 9D, give 9H, contract {contract}, {MADE_80}")


# Seat 0 takes AC and the black nines and 9D, gives them away, and has nothing but aces and tens.
ACES = ("AS TS AH TH AD", "QS QC JC JD 9H", "KS JS KC QD QH", "TC KD TD KH JH")


def aces(contract=100, **options):
    at = dealt("4p_teams", *ACES, talon="AC 9S 9C 9D", **options)
    return act(at, f"bid 100, pass, pass, pass, give 9C, give 9S, give 9D, contract {contract}")


def all_tricks(at, king_of_spades="play", king_of_diamonds="play"):
    """AS QS KS 9D, TS 9C 9S JH, AD JD QD KD, AC QC KC TC, AH 9H QH KH, TH JC JS TD."""
    act(at, f"play AS, play QS, {king_of_spades} KS, play 9D, play TS, play 9C, play 9S, play JH")
    act(at, f"play AD, play JD, play QD, {king_of_diamonds} KD, play AC, play QC, play KC, play TC")
    return act(at, "play AH, play 9H, play QH, play KH, play TH, play JC, play JS, play TD")


# ------------------------------------------------------------------------------------------------------- 2, 3 auction


def test_tysiac_2_five_each_four_in_the_talon_and_six_after_giving():
    at = act(dealt("4p_teams"), "bid 100, pass, pass, pass")
    assert (sees(at)["held"], sees(at)["lying"]) == ([9, 5, 5, 5], 0)
    act(at, ", ".join(legal(at)[:3]))
    assert sees(at)["held"] == [6, 6, 6, 6]


def test_tysiac_3_4_partners_may_outbid_each_other():
    at = dealt("4p_teams", bid_cap="free", bid_step="ten")
    order = [at.seat]
    for name in ("bid 100", "pass", "bid 110", "pass", "bid 120", "bid 130"):
        act(at, name)
        order.append(at.seat)
    assert order == [0, 1, 2, 3, 0, 2, 0]  # seats 0 and 2 alone are left, and go on
    assert legal(at) == ["pass", "bid 140"]
    act(at, "pass")
    assert (at.seat, sees(at)["declarer"], sees(at)["phase"]) == (2, 0, "give")
    assert sees(at)["bid"] == [13, 0, 12, 0]


def test_tysiac_3_3_the_cap_of_a_hand_of_five_and_the_400():
    at = act(dealt("4p_teams", "9S JS QS TS AS", "KH QH KD QD 9C"), "bid 100")
    assert legal(at) == ["pass", *bids(110, 300)]  # 120 + 100 + 80
    at = act(dealt("4p_teams", "9S JS QS TS AS", "KS QH KD QC 9C", bid_cap="marriage"), "bid 100")
    assert legal(at) == ["pass", *bids(110, 120)]
    at = act(dealt("4p_teams", "9S JS QS TS AS", "KH QH KS QC 9C", bid_cap="marriage"), "bid 100")
    assert legal(at) == ["pass", *bids(110, 400)]
    at = act(dealt("4p_teams", bid_cap="free"), "bid 100, bid 390")
    assert legal(at) == ["pass", "bid 400"]
    assert legal(act(at, "bid 400")) == ["pass"]


@pytest.mark.parametrize(("cap", "highest"), [("hand", 360), ("marriage", 400), ("free", 400)])
def test_tysiac_case_25_contracts_of_teams_go_to_400(cap, highest):
    # Six cards hold three marriages at most: 120 + 60 + 80 + 100.
    hands = ("KH QH KD QD KC", "9S JS 9C JC 9D", "JD 9H JH QS KS", "TS AS TC AC TD")
    at = dealt("4p_teams", *hands, talon="QC AD TH AH", bid_cap=cap)
    act(at, "bid 100, pass, pass, pass, give AD, give TH, give AH")
    assert legal(at) == contracts(100, highest)


# ----------------------------------------------------------------------------------------------------------- 4 giving


@pytest.mark.parametrize("declarer", range(4))
def test_tysiac_4_2_one_card_to_each_of_the_three_clockwise_the_partner_too(declarer):
    at = act(dealt("4p_teams", dealer=(declarer - 1) % 4), "bid 100, pass, pass, pass")
    gifts = [action.split()[1] for action in legal(at)[:3]]
    for card in gifts:
        assert f"give {card}" in legal(at)
        act(at, f"give {card}")
    seats = [(declarer + step) % 4 for step in (1, 2, 3)]
    for seat, card in zip(seats, gifts, strict=True):
        assert card in hand(at, seat)
        assert (sees(at, seat)["got"], sees(at, seat)["gave"]) == ([card], [])
        assert sees(at, seat)["holding"] == [{}, {}, {}]
    assert sees(at, declarer)["gave"] == sorted(gifts, key=at.shape.deck.names.index)
    assert sees(at, declarer)["holding"] == [{card: 1} for card in gifts]
    assert (at.seat, sees(at)["phase"]) == (declarer, "contract")


@pytest.mark.parametrize(("show", "at_100", "at_110"), [("above_100", 0, 4), ("always", 4, 4), ("never", 0, 0)])
def test_tysiac_4_1_whom_the_talon_is_shown_to(show, at_100, at_110):
    at = act(dealt("4p_teams", show_talon=show), "bid 100, pass, pass, pass")
    assert [len(sees(at, seat)["talon"]) for seat in range(4)] == [4, at_100, at_100, at_100]
    at = act(dealt("4p_teams", show_talon=show), "bid 100, bid 110, pass, pass, pass")
    assert [len(sees(at, seat)["talon"]) for seat in range(4)] == [at_110, 4, at_110, at_110]


def test_tysiac_4_3_the_contract_goes_by_the_hand_after_giving():
    at = act(dealt("4p_teams", *CASE_22, talon="TH 9S 9D 9H"), "bid 100, pass, pass, pass, give 9S, give 9D, give QH")
    assert legal(at) == contracts(100, 120)  # hearts went to two hands
    at = act(dealt("4p_teams", *CASE_22, talon="TH 9S 9D 9H"), "bid 100, pass, pass, pass, give 9S, give 9D, give JS")
    assert legal(at) == contracts(100, 220)


def test_tysiac_4_5_a_claim_is_not_offered_to_teams():
    assert legal(aces(claim=True)) == plays("TS AS AC AD TH AH")


# ------------------------------------------------------------------------------------------------------------- 5 play


def test_tysiac_5_6_a_partner_of_declarer_melds_the_king_on_the_queen_of_an_opponent():
    at = act(aces(), "play AS, play QS")
    assert (at.seat, legal(at)) == (2, [*plays("9S JS KS"), "meld KS"])
    act(at, "meld KS")
    assert points(at) == [0, 0, 40, 0]
    act(at, "play 9D")
    assert (at.seat, sees(at)["trump"]) == (0, "S")


def test_tysiac_5_6_an_opponent_may_do_so_and_the_trump_turns_on_the_declarer():
    at = played(GOLDEN, moves=20)  # 9H JH QH are laid; diamonds are trump
    assert (at.seat, legal(at)) == (0, [*plays("KH TH AH"), "meld KH"])
    act(at, "meld KH")
    assert (at.seat, sees(at)["trump"], points(at)) == (0, "H", [9 + 100, 23 + 80, 0, 0])


def test_tysiac_case_8_void_and_no_trump_any_card():
    at = act(aces(), "play AS, play QS, play KS")
    assert (at.seat, legal(at)) == (3, plays("TC 9D KD TD JH KH"))


# ---------------------------------------------------------------------------------------------------- 6.1, 6.2 and 6.5


def test_tysiac_case_22_partners_add_their_cards_and_marriages():
    # To seats 1 and 3: JS TS 9D AS, 23, and AC 9C QC QD, 17: 40. To 0 and 2: 120 - 40 = 80, and hearts.
    assert moved(case_22()) == [180, 40, 180, 40]
    assert moved(case_22(contract=190)) == [-190, 40, -190, 40]


def test_tysiac_6_5_a_marriage_of_the_partner_counts_for_the_contract():
    assert moved(all_tricks(aces(contract=120))) == [120, 0, 120, 0]
    # Declarer said 120; with the partner's spades the team has 160.
    at = all_tricks(aces(contract=120), king_of_spades="meld")
    assert moved(at) == [120, 0, 120, 0]
    # Seat 3 melds KD on QD; its TD, a trump now, takes the last trick from TH: 24 and 80. The team has 96.
    at = all_tricks(aces(contract=120), king_of_diamonds="meld")
    assert moved(at) == [-120, 100, -120, 100]
    # Both: spades first, 96 + 40 = 136.
    at = all_tricks(aces(contract=120), "meld", "meld")
    assert moved(at) == [120, 100, 120, 100]


@pytest.mark.parametrize(("rounding", "gained"), [("half_down", 200), ("half_up", 200), ("exact", 197)])
def test_tysiac_6_2_the_sum_of_both_partners_is_rounded_once(rounding, gained):
    # Seat 0 has 62 and 100, seat 2 35: 197. Rounded one by one they would have 160 and 30 (or 40).
    assert moved(played(GOLDEN, rounding=rounding)) == [gained, -150, gained, -150]


def test_tysiac_6_5_both_seats_of_a_team_show_its_score():
    at = played(GOLDEN, start=[-30, 70, -30, 70])
    assert scores(at) == [170, -80, 170, -80]
    for seat in range(4):
        seen = sees(at, seat)
        mine, theirs = ([17, 0], [-8, 0]) if seat % 2 == 0 else ([-8, 0], [17, 0])
        shown = list(zip(seen["score_tens"], seen["score_ones"], strict=True))
        assert shown == [tuple(mine), tuple(theirs)] * 2


def test_tysiac_6_5_partners_start_from_one_score():
    at = Table("tysiac", table="4p_teams")
    words = r"^start=\[10, 20, 30, 20\] is not allowed; allowed: the same score for partners$"
    with pytest.raises(ValueError, match=words):
        at.reset(1, start=[10, 20, 30, 20])
    at.reset(1, start=[10, 20, 10, 20])
    with pytest.raises(ValueError, match=r"^tysiac: partners start from the same score$"):
        play_episodes("tysiac", ["random"] * 4, [1], table="4p_teams", start=[[0, 0, 10, 0]])
    both = [Rules(table="4p_six"), Rules(table="4p_teams")]
    with pytest.raises(ValueError, match=r"^tysiac: partners start from the same score$"):
        play_episodes("tysiac", ["random"] * 4, [1, 2], rules=both, start=[[0, 0, 0, 0], [0, 0, 10, 0]])
    play_episodes("tysiac", ["random"] * 4, [1, 2], rules=both, start=[[0, 0, 10, 0], [0, 0, 0, 0]])
    drawn = Table("tysiac", table="4p_teams", episode="deal", start_scores="random")
    starts = []
    for seed in range(20):
        drawn.reset(seed)
        starts.append(drawn.start)
    assert all(its[:2] == its[2:] for its in starts)
    assert len({tuple(its) for its in starts}) > 15 and any(its[0] != its[1] for its in starts)
    lines = record_episode(drawn, ["random"] * 4, 3)
    first = json.loads(lines[0])
    first["start"][2] += 10 if first["start"][2] < 990 else -10
    with pytest.raises(RecordError, match=r"^line 1: start=.* the same score for partners$"):
        replay([json.dumps(first), *lines[1:]])


# --------------------------------------------------------------------------------------------- 6.3, 6.4 and 6.6 by team


def test_tysiac_6_3_the_other_team_is_held_and_declarer_s_partner_is_no_outsider():
    assert moved(case_22(start=[0, 800, 0, 800])) == [180, 0, 180, 0]
    assert moved(case_22(start=[0, 790, 0, 790])) == [180, 40, 180, 40]
    assert moved(case_22(start=[800, 0, 800, 0])) == [180, 40, 180, 40]
    assert moved(case_22(contract=190, start=[800, 0, 800, 0])) == [-190, 40, -190, 40]


def test_tysiac_6_3_a_team_without_a_trick_loses_100_once():
    options = {"no_trick_penalty": 100, "start": [0, 800, 0, 800]}
    at = all_tricks(aces(**options))
    assert (moved(at), scores(at)) == ([100, -100, 100, -100], [100, 700, 100, 700])
    assert moved(all_tricks(aces(no_trick_penalty=100, start=[0, 790, 0, 790]))) == [100, 0, 100, 0]
    # A trick of either partner is enough: seat 3 takes the last. The team of the declarer has 96 then.
    at = all_tricks(aces(**options), king_of_diamonds="meld")
    assert moved(at) == [-100, 0, -100, 0]
    # Declarer's partner has no trick either, but is no outsider.
    at = all_tricks(aces(no_trick_penalty=100, start=[800, 0, 800, 0]))
    assert moved(at) == [100, 0, 100, 0]


def test_tysiac_6_3_finish_with_marriage_a_marriage_of_either_partner_is_enough():
    options = {"finish_with_marriage": True, "start": [800, 0, 800, 0]}
    assert moved(all_tricks(aces(**options))) == [0, 0, 0, 0]
    assert moved(all_tricks(aces(**options), king_of_spades="meld")) == [100, 0, 100, 0]
    assert moved(case_22(**options)) == [180, 40, 180, 40]


@pytest.mark.parametrize(("at_1000", "score"), [("cap", 990), ("nothing", 810), ("wins", 1010)])
def test_tysiac_6_4_the_other_team_at_1000(at_1000, score):
    at = played(GOLDEN, start=[810, 0, 810, 0], threshold=None, outsider_at_1000=at_1000)
    assert scores(at) == [score, -150, score, -150]
    assert at.over == (TERMINATED if at_1000 == "wins" else RUNNING)
    if at_1000 == "wins":
        assert at.returns()[0].tolist() == [1.0, -1.0, 1.0, -1.0]


def test_tysiac_6_6_both_seats_of_the_winning_team_get_1():
    at = case_22(start=[820, 0, 820, 0])
    assert (scores(at), at.over) == ([1000, 40, 1000, 40], TERMINATED)
    assert at.returns()[0].tolist() == [1.0, -1.0, 1.0, -1.0]


def test_tysiac_6_4_a_tie_of_the_teams_is_declarer_s():
    options = {"threshold": None, "outsider_at_1000": "wins"}
    for dealer, auction in ((3, "bid 100, pass, pass, pass"), (0, "bid 100, pass, pass, bid 110, pass")):
        # In the second the seat on the dealer's left belongs to the other team.
        at = case_22(dealer=dealer, auction=auction, start=[820, 960, 820, 960], **options)
        assert scores(at) == [1000, 1000, 1000, 1000]
        assert at.returns()[0].tolist() == [1.0, -1.0, 1.0, -1.0]
    at = case_22(start=[820, 970, 820, 970], **options)
    assert at.returns()[0].tolist() == [-1.0, 1.0, -1.0, 1.0]  # 1000 against 1010


# -------------------------------------------------------------------------------------------------------- 9 by team


def test_tysiac_case_27_a_bomb_at_100_gives_the_other_team_60_once():
    at = act(dealt("4p_teams", bomb="at_100"), "bid 100, pass, pass, pass, bomb")
    assert (moved(at), scores(at)) == ([0, 60, 0, 60], [0, 60, 0, 60])


def test_tysiac_6_5_half_the_bid_and_a_concession_come_once_too():
    at = act(dealt("4p_teams", bomb="any", bid_cap="free"), "bid 100, bid 210, pass, pass, pass, bomb")
    assert moved(at) == [110, 0, 110, 0]
    at = act(dealt("4p_teams", concede=True), "bid 100, bid 120, pass, pass, pass, concede")
    assert moved(at) == [40, -120, 40, -120]


def test_tysiac_6_5_bombs_are_counted_for_the_seat_that_threw_them():
    at = dealt("4p_teams", bomb="at_100", bombs=1)
    for deal in range(4):  # seats 0, 1, 2, 3 open and throw theirs
        act(at, "bid 100, pass, pass, pass")
        assert at.seat == deal
        thrown = [int(seat < deal) for seat in range(4)]
        assert sees(at, 0)["thrown"] == thrown
        assert sees(at, 0)["bombs_left"] == [1 - its for its in thrown]
        assert legal(at)[-1] == "bomb"  # though the partner has thrown his
        act(at, "bomb")
    assert scores(at) == [120, 120, 120, 120]
    act(at, "bid 100, pass, pass, pass")
    assert (at.seat, len(legal(at))) == (0, 9)


def test_tysiac_9_2_a_held_team_gets_nothing_and_6_4_caps_it():
    at = act(dealt("4p_teams", bomb="at_100", start=[0, 800, 0, 800]), "bid 100, pass, pass, pass, bomb")
    assert moved(at) == [0, 0, 0, 0]
    at = dealt("4p_teams", bomb="at_100", start=[0, 950, 0, 950], threshold=None)
    assert moved(act(at, "bid 100, pass, pass, pass, bomb")) == [0, 40, 0, 40]


# ------------------------------------------------------------------------------------------------ 12 what a seat sees


def test_tysiac_12_partners_see_no_more_of_each_other_than_opponents_do():
    at = act(dealt("4p_teams", *CASE_22, talon="TH 9S 9D 9H"), "bid 100, pass, pass, pass, give 9S, give 9D, give 9H")
    other = dealt(
        "4p_teams", "KH QH AH JS KC", "JH TS QC JD KD", "QD QS KS TC AD", "AS AC JC 9C TD", talon="TH 9S 9D 9H"
    )
    act(other, "bid 100, pass, pass, pass, give 9S, give 9D, give 9H")
    # Seats 0 and 3 hold 9C and KC the other way round: seats 1 and 2 see no difference.
    for seat in (1, 2):
        assert (at.observe(seat) == other.observe(seat)).all()
    for seat in (0, 3):
        assert (at.observe(seat) != other.observe(seat)).any()
