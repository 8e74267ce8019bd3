"""Petukh by its rule book, envs/games/petukh.md: a position a clause, and the worked cases of its section 13.

A name holds its clause (`test_petukh_5_2_…`) or the number of its worked case (`test_petukh_case_5_…`). Unless it is
said otherwise four seats play, seat 3 deals, hearts are trump and everybody has 15 points.
"""

from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from positions import act, hand, legal, moved, scores, sees, table

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, RUNNING, TERMINATED, TRUNCATED
from karty.envs.record import happened

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["petukh"]
DECK = GAME.shape().deck.names
BY_RANK = [rank + suit for rank in "6789TJQKA" for suit in "SCDH"]  # in this order no five are of a suit
BOOK = (Path(__file__).resolve().parents[2] / "envs" / "games" / "petukh.md").read_text(encoding="utf-8")


def cards_of(hands=None, turned="6H", *, players=4, dealer=3, stock="prikup", prikup="", lying=""):
    """A deal with these hands by seat, prikup and stock, as in a record; what is left open is filled up by ranks.

    The dealer's sixth card is the one turned up.
    """
    hands = hands or {}
    given = " ".join([*hands.values(), turned, prikup, lying]).split()
    left = [card for card in BY_RANK if card not in given]

    def filled(text, size):
        its = text.split()
        return its + [left.pop(0) for _ in range(size - len(its))]

    dealt = [filled(hands.get(seat, ""), 5) for seat in range(players)]
    if stock == "draw":
        piles = {"trump_card": [turned], "stock": filled(lying, len(DECK) - 5 * players - 1)}
    else:
        dealt[dealer].append(turned)
        piles = {"prikup": filled(prikup, 4), "stock": left}
    return {"dealer": dealer, "hands": dealt, **piles}


def kon(hands=None, turned="6H", *, players=4, dealer=3, stock="prikup", prikup="", lying="", **options):
    """A table whose first deal is this one (see `cards_of`), at its first decision."""
    deal = cards_of(hands, turned, players=players, dealer=dealer, stock=stock, prikup=prikup, lying=lying)
    piles = {name: " ".join(pile) for name, pile in deal.items() if name not in ("dealer", "hands")}
    hands = [" ".join(its) for its in deal["hands"]]
    return table("petukh", hands, dealer=dealer, piles=piles, players=players, stock=stock, **options)


def plays(text):
    """The actions `play …` for these cards."""
    return [f"play {card}" for card in text.split()]


def discards(text):
    """The actions `discard …` for these cards."""
    return [f"discard {card}" for card in text.split()]


def then(at, actions, given):
    """Play these actions as `act` does; the next deal is the one given, those after it are as they come."""
    for name in filter(None, (name.strip() for name in actions.split(","))):
        assert name in legal(at)
        at.play(at.game.action_id(at.rules, name))
        while (event := at.advance(given)) != ASKED:
            if event == DEAL:
                given = None
    return at


def anyhow(at, given=None):
    """Play the running kon to its end, always by the first legal action; the next deal is the one given."""
    number = at.number
    while at.over == RUNNING and at.number == number:
        then(at, legal(at)[0], given)
    return at


PASSES = "pass, pass, pass"
STAYS = "stay, stay, stay"


# --------------------------------------------------------------------------------------------- kons used several times


def two(zero, one, turned, plays="", **options):
    """Two players; seat 1 deals, seat 0 passes, the turned-up card is laid away, then seat 1 leads."""
    at = kon({0: zero, 1: one}, turned, players=2, dealer=1, **options)
    if legal(at) == ["take", "pass"]:
        act(at, "pass")
    return act(at, f"discard {turned}, {plays}")


# Hearts are trump. Seat 1 takes AC AD AS; on KC seat 0 has to lay JH and goes on with JD: 2 tricks.
TWO_TRICKS = ("JD JH 8S 6C 6D", "AS AC AD KC 7S", "6H")
TO_TWO_TRICKS = "play AC, play 6C, play AD, play 6D, play AS, play 8S, play KC, play JH, play JD, play 7S"
# Spades are trump, and seat 0 has none: five tricks for seat 1.
NO_TRICK = ("JD JH 8D 6C 8C", "AS AC AD KC 7C", "6S")
TO_NO_TRICK = "play AC, play 6C, play KC, play 8C, play AD, play 8D, play AS, play JD, play 7C, play JH"
# Spades are trump; seat 0 has all jacks, and AH in the second kon.
JACKS_NO_TRICK = ("JS JC JD JH 6C", "AS AC AD AH KH", "6S")
TO_JACKS_NO_TRICK = "play AS, play JS, play AC, play JC, play AD, play JD, play AH, play JH, play KH, play 6C"
JACKS_ONE_TRICK = ("JS JC JD JH AH", "AS AC AD KH QH", "6S")
TO_JACKS_ONE_TRICK = "play AS, play JS, play AC, play JC, play AD, play JD, play KH, play AH, play JH, play QH"


def three_two_none(**options):
    """Seat 2 deals and leads, seat 3 folds; seat 0 has three tricks (QH, AH, KH), seat 1 two (AC, KC), seat 2 none."""
    hands = {0: "AH KH QH 6C 7C", 1: "AS KS AC KC 9C", 2: "7S 8S 8D 9D TD"}
    at = kon(hands, dealer=2, **options)
    act(at, f"{PASSES}, fold, stay, stay, discard 6H")
    act(at, "play 7S, play QH, play AS, play AH, play KS, play 8S, play KH, play 9C, play 8D")
    return act(at, "play 6C, play AC, play 9D, play KC, play TD, play 7C")


# ------------------------------------------------------------------------------------------------------------ 1 set-up


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_petukh_1_1_two_to_five_seats_and_36_cards(players):
    at = kon(players=players, dealer=0)
    assert at.seats == players
    assert len(DECK) == 36
    assert DECK[:9] == tuple(f"{rank}S" for rank in "6789TJQKA")
    with pytest.raises(ValueError, match=r"^petukh: option players=6 is not allowed; allowed: 2, 3, 4, 5$"):
        Table("petukh", players=6)


@pytest.mark.parametrize(("lower", "higher"), [(a + "C", b + "C") for a, b in zip("6789TJQK", "789TJQKA", strict=True)])
def test_petukh_1_1_order_within_a_suit(lower, higher):
    mine = " ".join([lower, "6S", "7S", "8S", "9S"])
    other = " ".join([higher, "6D", "7D", "8D", "9D"])
    at = act(kon({0: mine, 1: other}, "TH", players=2, dealer=1), f"pass, discard TH, play {higher}, play {lower}")
    assert sees(at, 1)["tricks"] == [1, 0]
    at = act(kon({0: mine, 1: other}, "TH", players=2, dealer=1), "pass, discard TH, play 9D, play 9S")
    act(at, f"play 8D, play {lower}")  # no diamond, no trump
    assert sees(at, 1)["tricks"] == [2, 0]


@pytest.mark.parametrize("start", [15, 20, 25, 30])
def test_petukh_1_2_everyone_starts_with_the_same_points(start):
    at = Table("petukh", start=start)
    at.reset(1)
    at.settle()
    assert (at.start, sees(at, 0)["start"]) == ([start] * 4, start)
    assert sees(at, 0)["score_tens"] == [start // 10] * 4
    assert sees(at, 0)["score_ones"] == [start % 10] * 4


def test_petukh_1_2_a_score_does_not_fall_below_0():
    at = two(*TWO_TRICKS, "boys 2", start=[6, 15], finish="play")
    act(at, TO_TWO_TRICKS)
    assert (moved(at), scores(at)) == ([-6, -3], [0, 12])  # 2 and 5 would be 7


def test_petukh_case_1_twenty_five_cards_are_dealt_and_eleven_are_out_of_play():
    at = kon()
    dealt = at.dealt()
    assert [len(its) for its in dealt["hands"]] == [5, 5, 5, 6]
    assert (len(dealt["prikup"]), len(dealt["stock"])) == (4, 11)
    assert "trump_card" not in dealt
    assert [len(hand(at, seat)) for seat in range(4)] == [5, 5, 5, 6]


def test_petukh_1_3_the_dealer_s_sixth_card_is_turned_up_and_trump():
    at = kon(turned="KD", dealer=1)
    assert at.dealt()["hands"][1][-1] == "KD"
    for seat in range(4):
        seen = sees(at, seat)
        assert (seen["trump"], seen["turned"]) == ("D", ["KD"])
        assert seen["holding"][(1 - seat) % 4] == {"KD": 1}
        assert seen["held"] == [6 if (seat + i) % 4 == 1 else 5 for i in range(4)]
        assert seen["stock_left"] == 4


def test_petukh_1_4_the_first_dealer_is_drawn_by_lot():
    found = set()
    for seed in range(60):
        at = Table("petukh")
        at.reset(seed)
        found.add(at.dealer)
    assert found == {0, 1, 2, 3}


def test_petukh_1_4_who_took_the_prikup_deals_next():
    at = act(kon(), "pass, take")
    anyhow(at)
    assert (at.dealer, at.number) == (1, 1)


def test_petukh_1_4_if_nobody_took_it_the_same_dealer_deals_again():
    at = anyhow(act(kon(), PASSES))
    assert (at.dealer, at.number) == (3, 1)


def test_petukh_1_4_after_a_khlust_the_same_dealer_deals_again_also_when_the_prikup_was_taken():
    hands = {0: "JH 6S 7C 8D 9S"}
    at = act(kon(hands, "6H", prikup="QH KH AH TH"), "take, keep JH")
    assert (at.dealer, at.number, moved(at)) == (3, 1, [-5, 5, 5, 5])
    at = kon(hands, "6D", prikup="QH KH AH TH")
    then(at, "take, keep JH", cards_of())
    assert (at.dealer, at.number, scores(at)) == (3, 0, [15] * 4)


def test_petukh_1_4_after_a_khlust_the_same_dealer_deals_again_in_the_draw_variant():
    at = kon({0: "JH QH KH AH 6S"}, "6H", stock="draw", lying="TH")
    act(at, "discard 6S, done")
    assert (at.dealer, at.number, moved(at)) == (3, 1, [-5, 5, 5, 5])


# ------------------------------------------------------------------------------------------------------------ 2 khlust


def test_petukh_2_1_the_dealer_s_khlust_is_five_among_his_six():
    at = kon({3: "7H 8H 9H TH AS"}, "6H")
    assert (at.number, moved(at)) == (1, [5, 5, 5, -5])
    at = kon({3: "7C 8C 9C TC AC"}, "6H", khlust="any_kon")
    assert (at.number, moved(at)) == (1, [5, 5, 5, -5])


def test_petukh_2_1_four_of_a_suit_are_none():
    at = kon({3: "7H 8H 9H AC AS"}, "6H")
    assert (at.number, legal(at)) == (0, ["take", "pass"])


def test_petukh_2_1_a_khlust_of_trumps_goes_before_any_other():
    hands = {0: "7S 8S 9S TS AS", 2: "7H 8H 9H TH AH"}
    for khlust in ("kon", "any_kon"):
        at = kon(hands, "6H", khlust=khlust)
        assert (at.number, moved(at)) == (1, [5, 5, -5, 5])


def test_petukh_2_1_of_several_the_first_from_the_dealer_s_left():
    hands = {0: "7S 8S 9S TS AS", 2: "7C 8C 9C TC AC"}
    assert moved(kon(hands, "6H", khlust="any_kon")) == [-5, 5, 5, 5]
    assert moved(kon(hands, "6H", khlust="any_kon", dealer=0)) == [5, 5, -5, 5]
    assert moved(kon(hands, "6H", khlust="any_kon", dealer=1)) == [5, 5, -5, 5]


def test_petukh_2_1_only_the_taker_s_new_hand_is_looked_at_after_the_prikup():
    hands = {1: "JC 6S 7C 8D 9S"}
    at = act(kon(hands, prikup="QC KC AC TC", khlust="any_kon"), "pass, take, keep JC")
    assert moved(at) == [5, -5, 5, 5]
    at = act(kon(hands, prikup="QC KC AC TC"), "pass, take, keep 6S")  # four clubs and a spade
    assert (at.number, legal(at)) == (0, ["stay", "fold"])


def test_petukh_2_1_drawing_is_looked_at_for_who_has_drawn():
    hands = {0: "JC 9C 8C 7C 6S", 1: "AC KC QC TC 7S"}
    at = act(kon(hands, stock="draw", lying="9D 6C"), "done, discard 7S, done")  # 9D comes: no khlust
    assert (at.number, at.seat) == (0, 2)
    at = act(kon(hands, stock="draw", lying="6C 9D", khlust="any_kon"), "done, discard 7S, done")
    assert moved(at) == [5, -5, 5, 5]


def test_petukh_2_1_a_hand_from_which_nothing_was_laid_away_is_not_looked_at_again():
    """The dealer hid his trumps (2.3) and keeps them all."""
    at = kon({3: "7H 8H 9H TH AH"}, "6H", stock="draw", khlust="game")
    act(at, "hide, done, done, done, done")
    assert (at.number, at.seat, sees(at)["phase"]) == (0, 0, "play")


def test_petukh_case_8_a_khlust_of_trumps():
    at = kon({1: "7H 8H 9H TH AH"}, "6H")
    assert (scores(at), at.dealer, at.number) == ([20, 10, 20, 20], 3, 1)


def test_petukh_case_9_another_khlust_is_dealt_anew_or_counts_as_well():
    at = kon({1: "7S 8S 9S TS AS"}, "6H")
    assert (scores(at), at.dealer, at.number, at.state.attempt) == ([15] * 4, 3, 0, 1)
    assert happened(at, 1)["number"] == 0
    at = kon({1: "7S 8S 9S TS AS"}, "6H", khlust="any_kon")
    assert (scores(at), at.dealer, at.number) == ([20, 10, 20, 20], 3, 1)


def test_petukh_2_2_a_khlust_of_trumps_that_writes_everything_off_wins_the_match():
    at = kon({1: "7H 8H 9H TH AH"}, "6H", start=[9, 5, 15, 15])
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [14, 0, 20, 20], [-1 / 3, 1, -1 / 3, -1 / 3])


TRUMPS = {1: "7H 8H 9H TH AH"}


def test_petukh_2_3_trumps_that_win_the_match_may_be_hidden():
    at = kon(TRUMPS, "6H", khlust="game")
    assert (at.seat, legal(at)) == (1, ["show", "hide"])
    act(at, "hide")
    assert (at.seat, legal(at)) == (0, ["take", "pass"])
    act(at, "pass, pass, pass, stay")
    assert (at.seat, at.number) == (1, 0)


def test_petukh_2_3_shown_trumps_win_the_match():
    at = act(kon(TRUMPS, "6H", khlust="game"), "show")
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [15, 0, 15, 15], [-1 / 3, 1, -1 / 3, -1 / 3])


def test_petukh_2_3_another_khlust_is_void_at_once_or_after_the_trumps_were_hidden():
    plain = {2: "7S 8S 9S TS AS"}
    at = kon(plain, "6H", khlust="game")
    assert (at.number, at.state.attempt) == (0, 1)
    at = kon(TRUMPS | plain, "6H", khlust="game")
    assert legal(at) == ["show", "hide"]
    act(at, "hide")
    assert (at.number, at.state.attempt, scores(at)) == (0, 1, [15] * 4)


def test_petukh_2_3_the_dealer_is_asked_once_about_his_six_cards():
    at = kon({3: "7H 8H 9H TH AS"}, "6H", khlust="game")
    act(at, f"hide, {PASSES}, {STAYS}, discard AS")
    assert (at.number, sees(at)["phase"], at.seat) == (0, "play", 3)


def test_petukh_2_3_who_took_the_prikup_is_asked_about_the_new_hand():
    at = act(kon({0: "JH 6S 7C 8D 9S"}, prikup="QH KH AH TH", khlust="game"), "take, keep JH")
    assert (at.seat, legal(at)) == (0, ["show", "hide"])
    act(at, "hide")
    assert (at.seat, legal(at)) == (1, ["stay", "fold"])


def test_petukh_2_3_other_trumps_are_asked_about_again():
    at = kon({3: "7H 8H 9H TH AH"}, "6H", stock="draw", khlust="game", lying="QH")
    act(at, "hide, done, done, done, discard 7H, done")
    assert (at.seat, legal(at)) == (3, ["show", "hide"])
    act(at, "hide")
    assert (at.seat, sees(at)["phase"]) == (0, "play")


def test_petukh_2_4_any_khlust_wins_the_match_and_nobody_is_asked():
    for turned in ("6H", "6S"):
        at = kon({1: "7S 8S 9S TS AS"}, turned, khlust="any_game")
        assert (at.over, scores(at)) == (TERMINATED, [15, 0, 15, 15])
        assert at.returns()[0].tolist() == [-1 / 3, 1, -1 / 3, -1 / 3]


def test_petukh_2_5_the_kon_that_a_khlust_wins_is_scored():
    at = kon({1: "7S 8S 9S TS AS"}, "6H", khlust="any_game", start=[7, 11, 15, 1])
    assert (moved(at), scores(at), at.number) == ([0, -11, 0, 0], [7, 0, 15, 1], 1)


# ------------------------------------------------------------------------------------------------------------ 3 prikup


def test_petukh_3_1_each_seat_but_the_dealer_may_take_until_one_does():
    at = kon(dealer=1)
    for seat in (2, 3, 0):
        assert (at.seat, legal(at)) == (seat, ["take", "pass"])
        taken = act(at.clone(), "take")
        assert (taken.seat, legal(taken)) == (seat, [f"keep {card}" for card in hand(taken, seat)])
        act(at, "pass")
    assert (at.seat, legal(at)) == (2, ["stay", "fold"])


def test_petukh_3_1_one_card_is_kept_and_four_come_from_the_prikup():
    at = act(kon({0: "AS 6S 7C 8D 9S"}, prikup="QH KH AH TC"), "take, keep AS")
    assert sorted(hand(at, 0)) == sorted(["AS", "QH", "KH", "AH", "TC"])
    assert sorted(sees(at, 0)["aside"]) == sorted(["6S", "7C", "8D", "9S"])
    assert sees(at, 1)["aside"] == []


def test_petukh_3_2_a_seat_with_three_points_is_not_asked():
    at = kon(start=[3, 4, 1, 3])
    assert (at.seat, legal(at)) == (1, ["take", "pass"])
    act(at, "pass")  # seats 0 and 2 are not asked, and nobody may fold
    assert (at.seat, legal(at)) == (3, discards("TS JS TC TD 6H TH"))


def test_petukh_3_3_the_taker_leads_deals_next_and_may_not_fold():
    at = act(kon(prikup="QS QC KC KD"), "pass, take, keep 7D")
    assert (at.seat, legal(at)) == (0, ["stay", "fold"])
    act(at, "stay")
    assert at.seat == 2
    act(at, "fold, discard 6H")
    assert (at.seat, sees(at)["phase"], sees(at)["leader"]) == (1, "play", 0)
    anyhow(at)
    assert at.dealer == 1


def test_petukh_3_3_without_a_taker_the_dealer_leads():
    at = act(kon(), f"{PASSES}, {STAYS}, discard 6H")
    assert (at.seat, sees(at)["phase"]) == (3, "play")


# ----------------------------------------------------------------------------------------------------------- 4 folding


def test_petukh_4_1_who_folds_sits_out_without_points():
    at = act(kon(), f"{PASSES}, stay, fold, stay")
    assert (at.seat, sees(at, 0)["folded"]) == (3, [0, 1, 0, 0])
    act(at, "discard 6H, play JS")
    assert at.seat == 0
    act(at, legal(at)[0])
    assert at.seat == 2
    assert moved(anyhow(at))[1] == 0


def test_petukh_case_6_with_three_points_no_prikup_and_nobody_folds():
    at = kon(start=[15, 3, 15, 15])
    assert at.seat == 0
    act(at, "pass")
    assert at.seat == 2
    act(at, "pass")
    assert (at.seat, sees(at)["phase"]) == (3, "discard")


def test_petukh_4_2_with_two_players_nobody_folds():
    at = act(kon(players=2, dealer=1), "pass")
    assert (at.seat, sees(at)["phase"]) == (1, "discard")


@pytest.mark.parametrize("players", [3, 4])
def test_petukh_case_7_with_three_or_four_not_twice_running(players):
    at = kon(players=players, dealer=0)
    act(at, "pass, " * (players - 1) + "stay, " * (players - 3) + "stay, fold")  # the last seat folds
    anyhow(at, given=cards_of(players=players, dealer=0))
    act(at, "pass, " * (players - 1) + "stay, " * (players - 3) + "stay")
    assert (at.number, sees(at)["phase"], at.seat) == (1, "discard", 0)
    assert sees(at, 0)["folds"] == [0] * (players - 1) + [1]
    anyhow(at, given=cards_of(players=players, dealer=0))
    act(at, "pass, " * (players - 1) + "stay, " * (players - 3) + "stay")
    assert (at.number, legal(at), at.seat) == (2, ["stay", "fold"], players - 1)


def test_petukh_case_7_with_five_twice_running_but_not_three_times():
    given = cards_of(players=5, dealer=0)
    at = kon(players=5, dealer=0, finish="play")
    for _ in range(2):
        act(at, "pass, pass, pass, pass, fold, fold, fold, fold", given=given)  # the dealer has 5 tricks (4.4)
    assert (at.number, scores(at), sees(at, 0)["folds"]) == (2, [5, 15, 15, 15, 15], [0, 2, 2, 2, 2])
    act(at, "pass, pass, pass, pass")
    assert (at.seat, sees(at)["phase"]) == (0, "discard")


VOID = cards_of({1: "7S 8S 9S TS AS"}, "6H")


def test_petukh_4_2_a_void_kon_and_a_fold_in_it_do_not_count():
    """In the draw variant seat 0 folds, then seat 1 gets a khlust that voids the kon."""
    hands = {1: "7C 8C 9C TC AS"}
    again = cards_of(stock="draw")
    at = then(kon(hands, stock="draw", lying="AC"), "fold, discard AS, done", again)
    assert (at.number, at.state.attempt, sees(at, 0)["folds"]) == (0, 1, [0, 0, 0, 0])
    assert (at.seat, legal(at)[-2:]) == (0, ["fold", "done"])


def test_petukh_4_2_a_void_kon_does_not_end_the_count():
    at = act(kon(), f"{PASSES}, fold, stay, stay, discard 6H")
    anyhow(at, given=VOID)  # and then a deal at random
    assert (at.number, at.state.attempt, sees(at, 0)["folds"]) == (1, 1, [1, 0, 0, 0])


def test_petukh_4_2_a_kon_that_a_khlust_ended_counts_as_one_without_a_fold():
    at = act(kon(), f"{PASSES}, fold, stay, stay, discard 6H")
    anyhow(at, given=cards_of(TRUMPS, "6H"))
    assert (at.number, sees(at, 0)["folds"]) == (2, [0, 0, 0, 0])


def test_petukh_4_2_a_fold_before_a_khlust_counts():
    at = act(kon({1: "7H 8H 9H TH AS"}, stock="draw", lying="AH"), "fold, discard AS, done")
    assert (at.number, moved(at), sees(at, 0)["folds"]) == (1, [0, -5, 5, 5], [1, 0, 0, 0])


@pytest.mark.parametrize("near", range(4))
def test_petukh_4_3_nobody_folds_while_anybody_has_three_points(near):
    start = [15] * 4
    start[near] = 3
    at = kon(start=start)
    while legal(at) == ["take", "pass"]:
        act(at, "pass")
    assert (at.seat, sees(at)["phase"]) == (3, "discard")
    start[near] = 4
    assert legal(act(kon(start=start), PASSES)) == ["stay", "fold"]
    start[near] = 3
    assert "fold" not in legal(kon(start=start, stock="draw"))


def test_petukh_case_15_who_is_left_alone_writes_five_off():
    at = act(kon(finish="play"), f"{PASSES}, fold, fold, fold")
    assert (moved(at), at.number, at.dealer) == ([0, 0, 0, -5], 1, 3)


def test_petukh_4_4_alone_nothing_more_is_asked():
    """The dealer has both red boys, and lays nothing away; with 5 points he has won."""
    at = act(kon({3: "JD JH 7S 8C AS"}, start=[15, 15, 15, 5]), f"{PASSES}, fold, fold, fold")
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [15, 15, 15, 0], [-1 / 3, -1 / 3, -1 / 3, 1])


def test_petukh_4_4_with_a_taker_dealer_and_taker_play():
    at = act(kon(), "take, keep 6S, fold, fold")
    assert (at.seat, sees(at)["phase"]) == (3, "discard")


# --------------------------------------------------------------------------------------------- 5 before the first lead


def test_petukh_5_1_the_dealer_lays_any_of_his_six_away_unseen():
    at = act(kon(), f"{PASSES}, {STAYS}")
    assert (at.seat, legal(at)) == (3, discards("TS JS TC TD 6H TH"))
    other = at.clone()
    act(at, "discard 6H")
    act(other, "discard TC")
    assert (sees(at, 3)["aside"], sees(other, 3)["aside"]) == (["6H"], ["TC"])
    for seat in range(3):
        assert (at.observe(seat) == other.observe(seat)).all()
        assert sees(at, seat)["holding"][3 - seat] == {}  # it may have gone


def test_petukh_case_5_boys_are_offered_by_the_points_left():
    at = two(*TWO_TRICKS, start=[5, 15])
    assert (at.seat, sees(at)["phase"]) == (1, "play")
    at = two(*TWO_TRICKS, start=[6, 15])
    assert (at.seat, legal(at)) == (0, ["boys 2", "silent"])
    at = two(*JACKS_NO_TRICK, start=[10, 15])
    assert legal(at) == ["boys 2", "silent"]
    at = two(*JACKS_NO_TRICK, start=[11, 15])
    assert legal(at) == ["boys 2", "boys 4", "silent"]


def test_petukh_5_2_one_red_and_one_black_jack_are_no_boys():
    at = two("JD JS 8S 6C 6D", "AS AC AD KC 7S", "6H")
    assert (at.seat, sees(at)["phase"]) == (1, "play")


def test_petukh_5_2_asked_from_the_leader_clockwise_and_only_who_plays():
    hands = {0: "JD JH 7S 8S 9C", 2: "JS JC 7C 8D 9D"}
    at = act(kon(hands), "pass, take, keep 7D, stay, stay, discard 6H")  # seat 1 leads
    assert (at.seat, legal(at)) == (2, ["boys 2", "silent"])
    act(at, "silent")
    assert (at.seat, legal(at)) == (0, ["boys 2", "silent"])
    act(at, "boys 2")
    assert (at.seat, sees(at)["phase"]) == (1, "play")
    assert sees(at)["boys"] == [0, 0, 0, 2]
    at = act(kon(hands), "pass, take, keep 7D, fold, stay, discard 6H, silent")
    assert (at.seat, sees(at)["phase"]) == (1, "play")


def test_petukh_5_2_the_dealer_s_boys_are_counted_after_his_discard():
    at = act(kon({3: "JD JH 7S 8C AS"}), f"{PASSES}, {STAYS}")
    kept = act(at.clone(), "discard 6H")
    assert (kept.seat, legal(kept)) == (3, ["boys 2", "silent"])
    act(at, "discard JD")
    assert (at.seat, sees(at)["phase"]) == (3, "play")


def test_petukh_case_10_the_colour_of_boys_is_not_told():
    """Seat 0 has JD JH JS; or JC JS JD, while what else differs lies out of play."""
    tables = []
    for jacks in ("JD JH JS", "JC JS JD"):
        at = act(kon({0: f"{jacks} 6S 7C"}), f"{PASSES}, {STAYS}, discard 6H")
        assert (at.seat, legal(at)) == (0, ["boys 2", "silent"])
        at.play(GAME.action_id(at.rules, "boys 2"))
        assert "boys 2" in at.shape.actions  # the name that a record has
        tables.append(at)
    assert hand(tables[0], 1) == hand(tables[1], 1)
    for seat in (1, 2):
        assert (tables[0].observe(seat) == tables[1].observe(seat)).all()
        assert sees(tables[0], seat)["boys"][-seat] == 2


# -------------------------------------------------------------------------------------------------------------- 6 play


@pytest.mark.parametrize(
    ("held", "may"),
    [
        ("7S AH 6H 8C 9C", "7S"),
        ("7S AS AH 8C 9C", "7S AS"),
        ("6H 7C 8C 9D TD", "6H"),
        ("6H KH 8C 9D TD", "6H KH"),
        ("7C 8C 9C TD JD", "7C 8C 9C TD JD"),
    ],
    ids=["follow", "follow, high or low", "trump", "trump, high or low", "anything"],
)
@pytest.mark.parametrize("trumped", [False, True], ids=["9S led", "AH lies there"])
def test_petukh_case_2_follow_trump_or_anything(held, may, trumped):
    if trumped and "AH" in held:
        held = held.replace("AH", "QH")
    other = "AH 6C KC TC QC" if trumped else "8S 6C KC TC QC"
    at = kon({3: "9S 6D 7D 8D KD", 0: other, 1: held}, "TH")
    act(at, f"{PASSES}, {STAYS}, discard TH, play 9S, play {other[:2]}")
    assert (at.seat, sorted(legal(at))) == (1, sorted(plays(may)))


def test_petukh_6_1_five_tricks_clockwise_over_who_plays():
    at = act(kon(), f"{PASSES}, stay, fold, stay, discard 6H")
    order = []
    while at.number == 0:
        order.append(at.seat)
        act(at, legal(at)[0])
    assert len(order) == 15
    for i in range(0, 15, 3):
        assert [(seat - order[i]) % 4 for seat in order[i : i + 3]] == {
            3: [0, 1, 3],
            0: [0, 2, 3],
            2: [0, 1, 2],
        }[order[i]]


def test_petukh_6_1_there_is_no_duty_to_play_higher():
    at = kon({3: "9S 6D 7D 8D KD", 0: "6S AS 7C 8C 9C"}, "TH")
    act(at, f"{PASSES}, {STAYS}, discard TH, play 9S")
    assert legal(at) == plays("6S AS")


def test_petukh_6_2_highest_trump_else_highest_of_the_suit_and_the_winner_leads():
    hands = {3: "9S QS 6D 7D 8D", 0: "TS 6S 7C 8C 9C", 1: "7S 8S KC QC AD", 2: "6C KD QD 7H TH"}
    at = act(kon(hands, "6H"), f"{PASSES}, {STAYS}, discard 6H, play 9S, play TS, play 7S, play 7H")
    assert (at.seat, sees(at)["tricks"]) == (2, [1, 0, 0, 0])
    act(at, "play QD, play 6D, play 7C, play AD")
    assert (at.seat, sees(at)["tricks"]) == (1, [1, 1, 0, 0])
    act(at, "play 8S, play TH, play QS, play 6S")  # the ten of trumps
    assert at.seat == 2
    act(at, "play 6C, play 7D, play 9C, play KC")
    assert at.seat == 1


# ----------------------------------------------------------------------------------------------------------- 7 scoring


def test_petukh_case_3_a_point_a_trick_and_five_for_none():
    at = three_two_none()
    assert (scores(at), moved(at)) == ([12, 13, 20, 15], [-3, -2, 5, 0])


def test_petukh_7_1_each_playing_seat():
    """Whatever its score: but a seat that folded, here with four points, nothing."""
    assert scores(three_two_none(start=[9, 8, 30, 4])) == [6, 6, 35, 4]


def test_petukh_case_4_boys():
    assert scores(act(two(*TWO_TRICKS, "boys 2"), TO_TWO_TRICKS)) == [8, 12]
    assert scores(act(two(*NO_TRICK, "boys 2", finish="play"), TO_NO_TRICK)) == [25, 10]
    assert scores(act(two(*JACKS_NO_TRICK, "boys 4", finish="play"), TO_JACKS_NO_TRICK)) == [30, 10]
    assert scores(act(two(*JACKS_ONE_TRICK, "boys 4"), TO_JACKS_ONE_TRICK)) == [4, 11]


def test_petukh_7_2_two_of_four_jacks_and_silence():
    assert scores(act(two(*JACKS_NO_TRICK, "boys 2", finish="play"), TO_JACKS_NO_TRICK)) == [25, 10]
    assert scores(act(two(*JACKS_ONE_TRICK, "boys 2"), TO_JACKS_ONE_TRICK)) == [9, 11]
    assert scores(act(two(*TWO_TRICKS, "silent"), TO_TWO_TRICKS)) == [13, 12]
    assert scores(act(two(*NO_TRICK, "silent", finish="play"), TO_NO_TRICK)) == [20, 10]


def test_petukh_case_12_three_points_and_no_trick():
    at = act(two(*NO_TRICK, start=[3, 15]), TO_NO_TRICK)
    assert scores(at) == [8, 10]


def test_petukh_7_3_the_first_with_nothing_left_wins_the_match():
    at = act(two(*TWO_TRICKS, "silent", start=[15, 3], finish="stop"), TO_TWO_TRICKS.split(", play KC")[0])
    assert (at.over, scores(at)) == (TERMINATED, [15, 0])
    assert at.returns()[0].tolist() == [-1, 1]


# Seat 1 takes AC and AD of the first three tricks, and has them in any case.
TO_TWO = "play AC, play 6C, play AD, play 6D"


def test_petukh_case_11_two_left_and_the_second_trick():
    at = two(*TWO_TRICKS, start=[15, 2])
    assert (at.seat, legal(at)) == (0, ["boys 2", "silent"])
    act(at, f"boys 2, {TO_TWO}")
    assert (at.seat, legal(at)) == (1, ["stop", "go on"])
    act(at, "stop")
    assert (at.over, at.returns()[0].tolist(), scores(at)) == (TERMINATED, [-1, 1], [15, 0])


@pytest.mark.parametrize("finish", ["choose", "stop"])
def test_petukh_7_4_who_stops_writes_tricks_off_and_no_penalty(finish):
    """As in `three_two_none`, but without seat 3, since nobody folds when seat 1 has two points left."""
    hands = {0: "AH KH QH 6C 7C", 1: "AS KS AC KC 9C", 2: "7S 8S 8D 9D TD"}
    at = act(kon(hands, players=3, dealer=2, start=[15, 2, 15], finish=finish), "pass, discard 6H")
    act(at, "play 7S, play QH, play AS, play AH, play KS, play 8S, play KH, play 9C, play 8D")
    act(at, "play 6C, play AC, play 9D, play KC, play TD, play 7C")
    if finish == "choose":
        assert (at.seat, legal(at)) == (1, ["stop", "go on"])
        assert scores(act(at.clone(), "go on")) == [12, 0, 20]
        act(at, "stop")
    assert (at.over, scores(at), moved(at)) == (TERMINATED, [12, 0, 15], [-3, -2, 0])
    assert at.returns()[0].tolist() == [-1 / 2, 1, -1 / 2]


def test_petukh_7_4_to_go_on_scores_for_all_and_still_wins():
    at = act(two(*TWO_TRICKS, f"silent, {TO_TWO}", start=[15, 2]), "go on")
    assert (at.over, at.seat) == (RUNNING, 1)
    assert [sees(at, seat)["winner"] for seat in range(2)] == [2, 1]
    act(at, "play AS, play 8S, play KC, play JH, play JD, play 7S")
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [13, 0], [-1, 1])


def test_petukh_7_4_asked_at_the_fifth_trick_too():
    at = act(two(*TWO_TRICKS, start=[2, 15]), TO_TWO_TRICKS)
    assert (at.seat, legal(at)) == (0, ["stop", "go on"])
    stopped, on = act(at.clone(), "stop"), act(at, "go on")
    assert scores(stopped) == scores(on) == [0, 12]
    assert stopped.over == on.over == TERMINATED


def test_petukh_7_4_asked_in_a_kon_by_itself_too():
    at = act(two(*TWO_TRICKS, f"silent, {TO_TWO}", start=[15, 2], episode="deal"), "stop")
    assert (at.over, scores(at)) == (TERMINATED, [15, 0])
    assert at.returns()[0].tolist() == [-0.4, 0.4]  # 0 - 2 in fives


def test_petukh_7_4_only_the_first_is_asked():
    at = act(two(*TWO_TRICKS, TO_TWO, start=[1, 2]), "go on, play AS, play 8S")
    act(at, "play KC, play JH")  # seat 0 has a trick too, and had one point
    assert (at.seat, sees(at)["phase"]) == (0, "play")
    act(at, "play JD, play 7S")
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [0, 0], [-1, 1])


def test_petukh_7_4_play_never_asks():
    at = act(two(*TWO_TRICKS, TO_TWO_TRICKS, start=[1, 2], finish="play"), "")
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [0, 0], [-1, 1])


def test_petukh_7_4_boys_do_not_count_before_the_end():
    """6 points, boys 2: the second trick leaves 4 by tricks; with the boys all is written off after the last."""
    at = act(two(*TWO_TRICKS, "boys 2", start=[6, 15]), TO_TWO_TRICKS)
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [0, 12], [1, -1])


def test_petukh_7_5_tricks_that_got_there_go_before_boys():
    """Seat 0 has its 7 points off by two tricks and boys; seat 1 had 3 points and three tricks."""
    at = act(two(*TWO_TRICKS, "boys 2", start=[7, 3], finish="play"), TO_TWO_TRICKS)
    assert (scores(at), at.returns()[0].tolist()) == ([0, 0], [-1, 1])


def test_petukh_7_5_of_two_by_boys_more_tricks_win_and_then_the_first_from_the_leader():
    # Hearts are trump. Seat 0 has the red boys, seat 1, who deals and leads, the black ones.
    zero, one = "JD JH 8S 6C 6D", "AC AD JS JC 7S"
    # AC AD to seat 1; JC is trumped with JH; JD, on which JS; 8S and 7S: three to seat 0, two to seat 1.
    plays = "play AC, play 6C, play AD, play 6D, play JC, play JH, play JD, play JS, play 8S, play 7S"
    at = act(two(zero, one, "6H", "boys 2, boys 2", start=[8, 7]), plays)
    assert (scores(at), at.returns()[0].tolist()) == ([0, 0], [1, -1])
    at = act(two(zero, one, "6H", "boys 2, boys 2", start=[9, 7]), plays)
    assert (scores(at), at.returns()[0].tolist()) == ([1, 0], [-1, 1])


@pytest.mark.parametrize("first", range(3))
def test_petukh_7_5_equal_tricks_by_boys_the_first_clockwise_from_the_leader(first):
    """Two tricks each for the seat with the red boys and the next one with the black ones, one for the leader."""
    red, black, leader = first, (first + 1) % 3, (first + 2) % 3
    hands = {red: "JD JH AC 6S 6D", black: "JS JC AS KS 7D", leader: "AD 7C 8S 9S 8C"}
    start = [20, 20, 20]
    start[red] = start[black] = 7
    at = kon(hands, "6H", players=3, dealer=leader, start=start)
    act(at, "pass, pass, stay, stay, discard 6H, boys 2, boys 2")
    act(at, "play AD, play 6D, play 7D, play 7C, play AC, play JC, play JH, play JS, play 8C")
    act(at, "play 6S, play AS, play 8S, play KS, play 9S, play JD")
    assert [scores(at)[seat] for seat in (red, black, leader)] == [0, 0, 19]
    assert at.returns()[0][red] == 1


def test_petukh_7_6_a_match_is_one_for_the_winner_and_the_others_share():
    at = act(kon(start=[15, 15, 15, 5]), f"{PASSES}, fold, fold, fold")
    reward, points = at.returns()
    assert reward.tolist() == [-1 / 3, -1 / 3, -1 / 3, 1]
    assert points.tolist() == [0, 0, 0, 5]


def test_petukh_7_6_a_kon_by_itself_pays_what_one_wrote_off_more_than_the_others():
    at = three_two_none(episode="deal")
    reward, points = at.returns()
    assert points.tolist() == [3, 2, -5, 0]
    assert reward.tolist() == pytest.approx([(3 + 1) / 5, (2 + 2 / 3) / 5, (-5 - 5 / 3) / 5, 0])
    assert at.over == TERMINATED


def test_petukh_7_6_scores_at_the_start_of_a_kon_by_itself():
    found = set()
    for seed in range(40):
        at = Table("petukh", episode="deal", start=20, start_scores="random")
        at.reset(seed)
        found |= set(at.start)
    assert found == set(range(1, 21))
    for options in ({"start": 20}, {"start": 20, "start_scores": "random"}):
        at = Table("petukh", episode="deal" if len(options) == 1 else "match", **options)
        at.reset(3)
        assert at.start == [20] * 4


def test_petukh_7_6_a_void_kon_is_dealt_again_in_an_episode_of_one():
    at = kon({1: "7S 8S 9S TS AS"}, "6H", episode="deal")
    assert (at.over, at.number, at.state.attempt) == (RUNNING, 0, 1)


def test_petukh_7_7_a_match_is_cut_short_after_max_deals():
    given = cards_of()
    at = then(kon(max_deals=2), f"{PASSES}, fold, fold, fold", VOID)
    assert (at.over, at.number, at.state.attempt) == (RUNNING, 1, 1)  # the void kon does not count
    anyhow(at, given=given)
    assert (at.over, at.returns()[0].tolist()) == (TRUNCATED, [0, 0, 0, 0])


def test_petukh_7_7_a_match_won_in_the_last_kon_is_not_cut_short():
    at = act(kon(max_deals=1, start=[15, 15, 15, 5]), f"{PASSES}, fold, fold, fold")
    assert at.over == TERMINATED


# ---------------------------------------------------------------------------------------------- 8 everybody exchanges


def test_petukh_8_1_five_each_and_one_turned_up_in_the_middle():
    at = kon(turned="KD", stock="draw")
    dealt = at.dealt()
    assert [len(its) for its in dealt["hands"]] == [5, 5, 5, 5]
    assert (dealt["trump_card"], len(dealt["stock"])) == (["KD"], 15)
    assert (sees(at)["trump"], sees(at)["turned"], sees(at)["stock_left"]) == ("D", ["KD"], 15)
    assert sees(at, 3)["holding"] == [{}, {}, {}, {}]


def test_petukh_8_2_cards_are_laid_away_in_order_and_drawn_from_the_stock():
    at = kon({0: "6S AS 7C 8D 9S"}, stock="draw", lying="AD KD QD")
    assert (at.seat, legal(at)) == (0, [*discards("6S 9S AS 7C 8D"), "fold", "done"])
    act(at, "discard 9S")
    assert legal(at) == [*discards("AS 7C 8D"), "done"]
    act(at, "discard 8D")
    assert legal(at) == ["done"]
    act(at, "done")
    assert sorted(hand(at, 0)) == sorted(["6S", "AS", "7C", "AD", "KD"])
    assert (at.seat, sees(at)["exchanged"], sees(at)["stock_left"]) == (1, [0, 0, 0, 2], 13)


def test_petukh_8_2_after_the_fifth_card_done_is_still_said():
    at = act(kon({0: "6S 7S 7C 8D 9D"}, stock="draw"), "discard 6S, discard 7S, discard 7C, discard 8D, discard 9D")
    assert (at.seat, legal(at)) == (0, ["done"])


def test_petukh_case_13_the_stock_of_five_players_is_soon_used_up():
    at = kon(players=5, dealer=4, stock="draw")
    assert (len(at.dealt()["stock"]), sum(len(its) for its in at.dealt()["hands"])) == (10, 25)
    for seat in (0, 1):
        assert at.seat == seat
        for card in hand(at, seat):
            act(at, f"discard {card}")
        act(at, "done")
    assert (at.seat, sees(at)["stock_left"], legal(at)) == (2, 0, ["fold", "done"])
    act(at, "done, done")
    assert (at.seat, "take trump" in legal(at)) == (4, False)  # not without a card laid away


def test_petukh_8_3_only_the_dealer_gets_the_turned_up_card_and_with_a_card_laid_away():
    at = kon({0: "6S 7S 7C 8D 9D", 3: "6C 8C 9C TD QS"}, "KH", stock="draw", lying="AS KS QD")
    act(at, "discard 6S")
    assert "take trump" not in legal(at)
    act(at, "done, done, done")
    assert (at.seat, legal(at)) == (3, [*discards("QS 6C 8C 9C TD"), "fold", "done"])
    act(at, "discard 6C, discard 8C")
    assert legal(at)[-2:] == ["done", "take trump"]
    act(at, "take trump")
    assert sorted(hand(at, 3)) == sorted(["KH", "KS", "9C", "TD", "QS"])
    for seat in range(4):
        assert sees(at, seat)["took_trump"] == 1
        assert sees(at, seat)["holding"][3 - seat] == {"KH": 1}


def test_petukh_8_3_the_dealer_may_lay_away_one_more_than_the_stock_holds():
    at = kon({4: "6C 8C 9C TD QS"}, "KH", players=5, dealer=4, stock="draw")
    for seat in (0, 1):
        for card in hand(at, seat):
            act(at, f"discard {card}")
        act(at, "done")
    act(at, "done, done, discard 6C")
    assert (at.seat, legal(at)) == (4, ["take trump"])
    act(at, "take trump")
    assert sorted(hand(at, 4)) == sorted(["KH", "8C", "9C", "TD", "QS"])


def test_petukh_8_4_left_of_the_dealer_leads_and_deals_next():
    at = act(kon(stock="draw"), "done, done, done, done")
    assert (at.seat, sees(at)["phase"]) == (0, "play")
    assert anyhow(at).dealer == 0


def test_petukh_8_4_if_it_folded_the_first_that_exchanged():
    at = act(kon(stock="draw"), "fold, fold, done, fold")  # the dealer too
    assert (at.number, moved(at), at.dealer) == (1, [0, 0, -5, 0], 2)
    at = act(kon(stock="draw"), "fold, done, done, done")
    assert at.seat == 1
    assert anyhow(at).dealer == 1


def test_petukh_8_4_left_alone_the_dealer_is_not_asked_and_deals_again():
    at = act(kon(stock="draw", finish="play"), "fold, fold, fold")
    assert (at.number, moved(at), at.dealer) == (1, [0, 0, 0, -5], 3)


def test_petukh_8_5_a_later_khlust_does_not_touch_who_has_folded():
    at = act(kon({2: "7H 8H 9H TH AS"}, stock="draw", lying="AH"), "done, fold, discard AS, done")
    assert (at.number, moved(at)) == (1, [5, 0, -5, 5])


def test_petukh_8_5_three_points_mean_nothing_for_the_exchange_and_boys_are_said():
    at = kon({0: "JD JH 7S 8C 9C"}, stock="draw", start=[6, 15, 15, 15])
    act(at, "done, done, done, done")
    assert (at.seat, legal(at)) == (0, ["boys 2", "silent"])
    at = kon(stock="draw", start=[3, 3, 3, 3])
    assert (at.seat, legal(at)[-1]) == (0, "done")


# ----------------------------------------------------------------------------------------------------------- 9 revokes


SPADE_LED = {3: "9S 6D 7D 8D KD", 0: "7S TH QH 6C 7C", 1: "8H 9H 8C 9C TC"}


def revoking(**options):
    """Seat 3 has led 9S; seat 0 has a spade and trumps, seat 1 trumps and clubs."""
    at = kon(SPADE_LED, "6H", revoke="penalty", **options)
    return act(at, f"{PASSES}, {STAYS}, discard 6H, play 9S")


def test_petukh_9_1_masked_only_right_cards_are_offered():
    at = act(kon(SPADE_LED, "6H"), f"{PASSES}, {STAYS}, discard 6H, play 9S")
    assert legal(at) == ["play 7S"]


def test_petukh_case_14_a_revoke_costs_five_points_at_once():
    at = revoking()
    assert legal(at) == plays("7S 6C 7C TH QH")
    act(at, "play TH")
    assert (at.seat, legal(at), sorted(hand(at, 0))) == (0, ["play 7S"], sorted(SPADE_LED[0].split()))
    assert [sees(at, 0)[name][0] for name in ("score_tens", "score_ones")] == [2, 0]
    assert at.state.revoked == 1
    act(at, "play 7S")
    assert (at.seat, at.state.revoked) == (1, 0)


def test_petukh_9_2_without_the_suit_a_trump_must_be_laid():
    at = act(revoking(), "play 7S")
    assert legal(at) == plays("8C 9C TC 8H 9H")
    act(at, "play 8C")
    assert (at.seat, legal(at)) == (1, plays("8H 9H"))


def test_petukh_9_2_the_card_is_known_until_it_is_played():
    at = act(revoking(), "play TH, play 7S")
    for seat in range(4):
        assert sees(at, seat)["holding"][-seat % 4] == {"TH": 1}
        assert sees(at, seat)["played"][-seat % 4] == ["7S"]


def test_petukh_9_2_the_points_stand_in_the_score_and_count_in_what_is_left():
    """Seat 1 has 3 points; with a revoke in the second trick its three tricks do not get there."""
    at = two(*TWO_TRICKS, "silent, play AC, play 6C, play AD", start=[15, 3], revoke="penalty")
    act(at, "play 6D, play AS, play JH")  # a heart on a spade: seat 0 has 8S
    assert (at.seat, legal(at)) == (0, ["play 8S"])
    act(at, "play 8S")
    assert (at.seat, legal(at)) == (1, ["stop", "go on"])
    stopped = act(at.clone(), "stop")
    assert (scores(stopped), moved(stopped)) == ([20, 0], [5, -3])
    act(at, "go on, play KC, play JD")  # a diamond on a club: JH is trump
    assert legal(at) == ["play JH"]
    act(at, "play JH, play JD, play 7S")
    assert (scores(at), moved(at)) == ([23, 0], [8, -3])


def test_petukh_7_5_a_later_revoke_does_not_take_the_win_away():
    """Seat 1 has won with the first trick; KC on a diamond costs it five points, of which three tricks leave two."""
    at = two("6C AD 8D 9D 7S", "AC KC QD JD TS", "6H", "play AC, play 6C", start=[15, 1], revoke="penalty")
    act(at, "go on, play JD, play AD, play 8D, play KC, play QD, play TS, play 7S, play KC, play 9D")
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [14, 2], [-1, 1])


# ----------------------------------------------------------------------------------------------------- 10, 11 and 12


def test_petukh_10_options_and_defaults_are_the_book_s():
    table_of_options = BOOK.split("## 10 ")[1].split("## 11 ")[0]
    rows = [line.strip("|").split("|") for line in table_of_options.splitlines() if line.startswith("| `")]
    book = {name.strip().strip("`"): (values.strip(), default.strip()) for name, values, default in rows}
    rules = GAME.rules()
    assert list(book) == [spec.name for spec in fields(rules)]
    for spec in fields(rules):
        values, default = book[spec.name]
        assert str(getattr(rules, spec.name)) == default
        if spec.metadata["values"] is None:
            assert values == f"≥ {spec.metadata['minimum']}"
        elif "–" in values:
            low, high = values.split("–")
            assert spec.metadata["values"] == tuple(range(int(low), int(high) + 1))
        else:
            assert values == ", ".join(str(value) for value in spec.metadata["values"])


def test_petukh_10_wrong_options_are_named():
    with pytest.raises(ValueError, match=r"^petukh: option start=16 is not allowed; allowed: 15, 20, 25, 30$"):
        Table("petukh", start=16)
    with pytest.raises(ValueError, match=r"^petukh: there is no option 'prikup'; options: players, start, stock, "):
        Table("petukh", prikup=True)


def test_petukh_11_actions():
    names = GAME.action_names()
    assert len(names) == 121
    assert [names[i] for i in (0, 35, 36, 71, 72, 107)] == [
        "play 6S",
        "play AH",
        "keep 6S",
        "keep AH",
        "discard 6S",
        "discard AH",
    ]
    assert names[108:] == (
        "take",
        "pass",
        "stay",
        "fold",
        "boys 2",
        "boys 4",
        "silent",
        "stop",
        "go on",
        "show",
        "hide",
        "done",
        "take trump",
    )
    for players in (2, 3, 4, 5):
        for stock in ("prikup", "draw"):
            assert GAME.action_names(GAME.rules(players=players, stock=stock)) == names


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_petukh_12_an_observation_is_small(players):
    assert GAME.shape(GAME.rules(players=players)).features <= (512 if players <= 4 else 640)


def test_petukh_12_who_failed_to_follow_or_to_trump_shows_it():
    at = act(kon(SPADE_LED, "6H"), f"{PASSES}, {STAYS}, discard 6H, play 9S, play 7S, play 8H")
    assert {card for card, it in sees(at, 3)["holding"][2].items() if it < 0} == {c for c in DECK if c[1] == "S"}
    hands = {3: "9S 6D 7D 8D KD", 0: "6C 7C 8C TD QD"}
    at = act(kon(hands, "6H"), f"{PASSES}, {STAYS}, discard 6H, play 9S, play 6C")
    never = {c for c in DECK if c[1] in "SH"}
    for seat in range(4):
        assert {card for card, it in sees(at, seat)["holding"][-seat].items() if it < 0} == never


def test_petukh_12_silent_and_not_asked_look_the_same():
    tables = []
    for jacks in ("JD JH", "JD JS"):  # the other jack lies out of play
        at = act(kon({0: f"{jacks} 6S 7C 8C"}), f"{PASSES}, {STAYS}, discard 6H")
        tables.append(at)
    asked, not_asked = tables
    assert (asked.seat, not_asked.seat) == (0, 3)
    for seat in (1, 2, 3):  # while it is being asked
        assert (asked.observe(seat) == not_asked.observe(seat)).all()
        assert (sees(asked, seat)["phase"], sees(asked, seat)["turn"]) == ("play", (3 - seat) % 4)
    assert (sees(asked, 0)["phase"], sees(asked, 0)["turn"]) == ("boys", 0)
    act(asked, "silent")
    for seat in (1, 2, 3):
        assert (asked.observe(seat) == not_asked.observe(seat)).all()


def test_petukh_12_hide_and_not_asked_look_the_same():
    """Seat 1 has five trumps, or four and a club; the fifth lies out of play."""
    asked = kon({1: "7H 8H 9H TH AH", 0: "6S 7S 7C 8C 9D", 2: "6C 8S 9S TD QD"}, khlust="game")
    not_asked = kon({1: "7H 8H 9H TH AC", 0: "6S 7S 7C 8C 9D", 2: "6C 8S 9S TD QD"}, khlust="game")
    assert (asked.seat, not_asked.seat) == (1, 0)
    for seat in (0, 2, 3):
        assert (asked.observe(seat) == not_asked.observe(seat)).all()
    assert sees(asked, 0)["phase"] == "take"
    act(asked, "hide")
    for seat in (0, 2, 3):
        assert (asked.observe(seat) == not_asked.observe(seat)).all()


def test_petukh_12_a_khlust_that_is_shown_is_seen():
    at = kon({1: "7H 8H 9H TH AH"}, "6H", episode="deal")
    assert at.over == TERMINATED
    assert sees(at, 0)["holding"][1] == dict.fromkeys(["7H", "8H", "9H", "TH", "AH"], 1)


def test_petukh_12_how_many_cards_a_seat_lays_away_is_seen_when_it_draws():
    at = act(kon({0: "6S AS 7C 8D 9S"}, stock="draw"), "discard 6S, discard 9S")
    assert (sees(at, 1)["held"], sees(at, 1)["exchanged"]) == ([5, 5, 5, 5], [0, 0, 0, 0])
    assert (sees(at, 0)["held"], sees(at, 0)["aside"]) == ([3, 5, 5, 5], ["6S", "9S"])
    act(at, "done")
    assert (sees(at, 1)["held"], sees(at, 1)["exchanged"]) == ([5, 5, 5, 5], [0, 0, 0, 2])


def test_petukh_12_kons_scored_and_left():
    at = act(kon(max_deals=5), f"{PASSES}, fold, fold, fold")
    assert (sees(at, 0)["deals_played"], sees(at, 0)["deals_left"]) == (1, 4)
    at = act(kon(), f"{PASSES}, fold, fold, fold")
    assert (sees(at, 0)["deals_played"], sees(at, 0)["deals_left"]) == (1, 100)


def test_petukh_12_every_field_is_within_its_bounds():
    layout = GAME.shape().observation
    batch = karty.make_batch("petukh", 64, seed=3, revoke="penalty")
    chance = np.random.default_rng(1)
    batch.reset()
    for _ in range(100):
        assert (batch.observation >= layout.low).all() and (batch.observation <= layout.high).all()
        batch.step((batch.mask * chance.random(batch.mask.shape)).argmax(1))
