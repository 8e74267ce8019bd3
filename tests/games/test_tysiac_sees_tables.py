"""What a seat sees, and what is dealt anew for it, at Tysiąc's tables for two and four (sections 2, 4, 5.6, 7, 12)."""

import json
import random
from collections import Counter

import pytest
from chisquare import bound, chi_square, looks_uniform
from positions import act, hand, legal, moved, sees, table

import karty
from karty.envs.engine import Table, play_episodes
from karty.envs.game import RUNNING
from karty.envs.record import RecordError, record_episode, replay

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["tysiac"]
DECK = GAME.shape().deck.names


def dealt(name, hands, talon=None, stock=None, dealer=1, **options):
    """A first deal at this table: hands, the talon (two: a list) and the stock as texts."""
    piles = {key: pile for key, pile in (("talon", talon), ("stock", stock)) if pile is not None}
    return table(GAME, hands, dealer=dealer, piles=piles, table=name, **options)


# ---------------------------------------------------------------------------------------------------- what a seat sees

PAIRS = ("AS TS KS QS AH TH AD TD AC TC", "KH QH JH 9H KD QD JD 9D KC QC")
TALONS = ["JS 9S", "JC 9C"]


def test_two_talons_stay_closed_and_the_chosen_one_is_shown_after_the_choice():
    at = dealt("2p_pairs", PAIRS, TALONS)
    act(at, "bid 100, bid 110, pass")
    assert (at.seat, legal(at)) == (1, ["take 1", "take 2"])
    for seat in (0, 1):
        seen = sees(at, seat)
        assert (seen["phase"], seen["lying"], seen["laid_aside"], seen["talon"]) == ("take", 4, 0, [])
    act(at, "take 2")
    for seat in (0, 1):
        seen = sees(at, seat)
        assert (seen["lying"], seen["laid_aside"], seen["talon"]) == (0, 2, ["9C", "JC"])
    assert sees(at, 0)["held"] == [10, 12, 0, 0]
    act(at, "give 9C, give JD")
    assert (sees(at, 1)["gave"], sees(at, 1)["laid_aside"]) == (["9C", "JD"], 4)
    assert (sees(at, 0)["gave"], sees(at, 0)["got"], sees(at, 0)["laid_aside"]) == ([], [], 4)


def test_the_opener_s_bare_hundred_leaves_the_chosen_talon_unseen():
    at = act(dealt("2p_pairs", PAIRS, TALONS), "bid 100, pass, take 1")
    assert sees(at, 0)["talon"] == ["9S", "JS"]  # declarer's own
    assert sees(at, 1)["talon"] == []


def test_hidden_are_the_others_cards_and_not_what_i_laid_away_myself():
    at = act(dealt("2p_pairs", PAIRS, TALONS), "bid 100, pass, take 1, give 9S, give JS")
    hidden = [at.shape.hidden.decode(at.hidden(seat)) for seat in (0, 1)]
    assert (hidden[0]["hands"][0], hidden[0]["aside"]) == (sorted(PAIRS[1].split(), key=DECK.index), ["9C", "JC"])
    assert hidden[1]["aside"] == ["9S", "JS", "9C", "JC"]


def test_an_open_talon_is_seen_from_the_deal_on_and_the_stock_is_only_counted():
    hands = ("AS TS KS QS AH TH AD", "KH QH JH 9H KD QD JD")
    at = dealt("2p_stock_auction", hands, "JS 9S", "TD AC TC 9D KC QC JC 9C", show_talon="never")
    for seat in (0, 1):
        seen = sees(at, seat)
        assert (seen["lying"], seen["talon"], seen["stock"]) == (2, ["9S", "JS"], 8)
        assert at.shape.hidden.decode(at.hidden(seat))["lying"] == []
    act(at, "bid 100, pass, give 9S, give JS, contract 100")
    assert (sees(at, 1)["talon"], sees(at, 1)["laid_aside"], sees(at, 1)["held"]) == (["9S", "JS"], 2, [7, 7, 0, 0])
    act(at, "play AS, play KH")  # no duty; seat 0 draws TD, seat 1 AC
    assert ("TD" in hand(at, 0), "AC" in hand(at, 1), sees(at, 0)["stock"]) == (True, True, 6)
    assert sees(at, 0)["holding"] == [{}, {}, {}]  # that the spade was not followed shows nothing


def test_duties_show_nothing_while_there_is_a_stock_and_all_afterwards():
    hands = ("AS TS KS QS JS 9S", "AH TH KH QH JH 9H")
    at = dealt("2p_stock", hands, stock="AC AD TC TD KC KD QC QD JC JD 9C 9D")
    leads = ["AS", "9H", "TS", "JH", "KS", "QH", "QS", "KH", "JS", "TH", "9S", "AH"]
    for card in leads[:-1]:
        act(at, f"play {card}")
        assert sees(at, 0)["holding"][0] == {}
    act(at, "play AH")
    assert sees(at, 0)["stock"] == 0
    act(at, "play AC, play AD")  # seat 0 drew the clubs, seat 1 the diamonds
    never = {card for card, value in sees(at, 0)["holding"][0].items() if value == -1}
    assert never == {card for card in DECK if card[1] == "C"}


SIX = ("QC AC JC 9S 9D 9H", "KC 9C AS AD AH TH", "KS QS TC TS JS JD", "KD QD TD KH QH JH")


def test_a_king_on_a_queen_is_seen_as_its_seat_s_marriage_and_trump_comes_with_the_next_trick():
    at = act(dealt("4p_six", SIX, dealer=3), "play QC, meld KC")
    for seat in range(4):
        seen = sees(at, seat)
        assert (seen["trump"], seen["melded"][(1 - seat) % 4]) == ("", [0, 1, 0, 0])
        assert all(value == -1 for its in seen["holding"] for value in its.values())  # no second card is known
    act(at, "play TC, play JH")
    assert {sees(at, seat)["trump"] for seat in range(4)} == {"C"}


def test_a_resting_dealer_sees_what_an_opponent_without_cards_would_see():
    hands = ("AS TS KS QS AH TH AD", "", "KH QH JH 9H KD QD JD", "AC TC KC QC JC 9C JS")
    at = dealt("4p_resting", hands, "9S TD 9D", dealer=1)
    assert (at.seat, at.dealt()["hands"][1]) == (2, [])
    seen = sees(at, 1)
    assert (seen["held"], seen["hand"], seen["passed"]) == ([0, 7, 7, 7], [], [1, 0, 0, 0])
    act(at, "bid 100, pass, bid 110, pass")
    assert (sees(at, 1)["talon"], sees(at, 1)["declarer"], sees(at, 1)["got"]) == (["9S", "9D", "TD"], 3, [])
    act(at, "give 9S, give 9D, contract 110, play AS, play 9S, play JS")
    assert (sees(at, 1)["tricks"], sees(at, 1)["played"][0]) == ([0, 0, 0, 1], [])
    assert sees(at, 1)["holding"] == [{}, {}, {}]  # they followed, and had nothing to beat the ace with


def test_each_partner_s_points_are_seen_and_one_score_a_team():
    at = Table(GAME, table="4p_teams", max_deals=2)
    lot = random.Random(4)
    at.reset(3)
    while at.number == 0 and at.over == RUNNING:
        at.settle() if at.seat < 0 else at.play(lot.choice(at.legal()))
    at.settle()
    for me in range(4):
        seen = sees(at, me)
        assert seen["score_tens"][0] == seen["score_tens"][2]
        assert seen["score_tens"][1] == seen["score_tens"][3]


def test_partners_start_from_one_score():
    at = Table(GAME, table="4p_teams")
    words = r"^start=\[10, 20, 30, 20\] is not allowed; allowed: the same score for partners$"
    with pytest.raises(ValueError, match=words):
        at.reset(1, start=[10, 20, 30, 20])
    at.reset(1, start=[10, 20, 10, 20])
    with pytest.raises(ValueError, match=r"^tysiac: partners start from the same score$"):
        play_episodes(GAME, ["random"] * 4, [1], table="4p_teams", start=[[0, 0, 10, 0]])
    both = [GAME.rules(table="4p_six"), GAME.rules(table="4p_teams")]
    with pytest.raises(ValueError, match=r"^tysiac: partners start from the same score$"):
        play_episodes(GAME, ["random"] * 4, [1, 2], rules=both, start=[[0, 0, 0, 0], [0, 0, 10, 0]])
    play_episodes(GAME, ["random"] * 4, [1, 2], rules=both, start=[[0, 0, 10, 0], [0, 0, 0, 0]])
    drawn = Table(GAME, table="4p_teams", episode="deal", start_scores="random")
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


# ------------------------------------------------------------------------------------- what is dealt anew: by counting


def imagined(at, me, seed):
    """Where the cards lie once they are dealt anew: hands, talons and stock in order, laid away, the other talon."""
    its, deck = at.clone(), at.shape.deck
    its.determinize(me, seed)
    return placed(its, deck)


def placed(its, deck):
    s = its.state
    stock = tuple(deck.names[card] for card in s.stock[: s.stocked])
    hands = tuple(frozenset(deck.cards(s.hands[seat])) for seat in range(its.seats))
    other = frozenset(deck.cards(int(s.aside) & ~int(s.away)))
    return hands, frozenset(deck.cards(s.lying)), stock, frozenset(deck.cards(s.away)), other


def test_what_declarer_laid_away_of_a_talon_that_was_shown_comes_as_often_as_there_are_ways():
    """14 cards: 10 in his hand, 2 laid away, 2 in the other talon, where JC and 9C of the shown one cannot lie.

    Laid away are none of these in C(12,2) C(10,2) = 2970 ways, one in 2 C(12,1) C(11,2) = 1320, both in C(12,2) = 66.
    """
    at = act(dealt("2p_pairs", PAIRS, TALONS), "bid 100, bid 110, pass, take 2, give 9C, give JD")
    counts, draws = Counter(), 800
    for seed in range(draws):
        hands, _, _, away, other = imagined(at, 0, seed)
        assert not {"JC", "9C"} & other
        assert hands[0] == frozenset(PAIRS[0].split())
        counts[len({"JC", "9C"} & away)] += 1
    ways = (2970, 1320, 66)
    assert chi_square([counts[k] for k in range(3)], [draws * way / 4356 for way in ways]) < bound(2)


def test_two_closed_talons_are_dealt_anew_each_by_itself():
    at = dealt("2p_pairs", PAIRS, TALONS)
    first = Counter()
    for seed in range(600):
        its = at.clone()
        its.determinize(0, seed)
        talons = its.dealt()["talon"]
        assert [len(cards) for cards in talons] == [2, 2]
        first.update(talons[0])
    assert set(first) == set(DECK) - set(PAIRS[0].split())
    assert looks_uniform(first, 14)


def test_a_seat_keeps_what_it_drew_itself_and_a_melded_pair_was_held_when_it_was_melded():
    """Seat 1 lays AH in the first trick and melds diamonds in the second: only its draw after that is free of both."""
    hands = ("AS TS KS JS 9S 9H", "QD KH QH JH TH AH")
    at = dealt("2p_stock", hands, stock="KD AC TC TD KC AD QC QS JC JD 9C 9D")
    act(at, "play 9H, play AH, meld QD, play 9S")
    firsts, thirds = set(), set()
    for seed in range(300):
        its = at.clone()
        its.determinize(0, seed)
        dealt_so = its.dealt()
        stock = dealt_so["stock"]
        assert dealt_so["hands"][0] == sorted(hands[0].split(), key=DECK.index)
        assert (stock[1], stock[3]) == ("AC", "TD")
        firsts.add(stock[0])
        thirds.add(stock[2])
        assert sorted([*dealt_so["hands"][0], *dealt_so["hands"][1], *stock]) == sorted(DECK)
    assert "AH" not in firsts and {"QD", "KD"} < firsts
    assert not {"AH", "QD", "KD"} & thirds and len(thirds) > 10


def test_tysiac_2_3_what_the_dealer_got_for_a_talon_that_nobody_saw_is_remembered_when_a_claimed_deal_is_dealt_anew():
    """80 points are KD, QD and no ace: declarer, who holds neither now, gave one to each of the two others."""
    hands = ("AC TC KC QC JC 9C AD", "", "AH TH KH QH JH 9H AS", "KS QS JS 9S TD JD 9D")
    at = dealt("4p_resting", hands, "KD QD TS", dealer=1, claim=True, episode="deal")
    act(at, "bid 100, pass, pass, give KD, give QD, contract 100, claim")
    assert at.over != RUNNING and list(moved(at)) == [0, 80, 100, 0]
    for seed in (0, 1):  # one placement in thousands agrees
        its = at.clone()
        its.determinize(1, seed)
        assert {"KD", "QD"} < set(its.dealt()["talon"])
        assert sorted("KD" in hand(its, seat) for seat in (0, 3)) == [False, True]
        assert all(("KD" in hand(its, seat)) != ("QD" in hand(its, seat)) for seat in (0, 3))
