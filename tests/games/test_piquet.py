"""Piquet by its rule book, envs/games/piquet.md: a position a clause, and the worked cases of its section 10.

A name holds its clause (`test_piquet_2_3_…`) or the number of its worked case (`test_piquet_case_4_…`). Seat 1 deals
where nothing else is said, so seat 0 is elder. Numbers are counted by hand: A 11, K Q J T 10 each, 9 8 7 their face.
"""

from dataclasses import fields
from pathlib import Path

import pytest
from positions import act, cards, hand, legal, moved, scores, sees, table

import karty
from karty.envs.engine import Table
from karty.envs.game import RUNNING, TERMINATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["piquet"]
DECK = GAME.shape().deck.names
BOOK = (Path(__file__).resolve().parents[2] / "envs" / "games" / "piquet.md").read_text(encoding="utf-8")
NO_CARTE, NO_BONUS = {"carte_blanche": "none"}, {"bonus": "none"}


def dealt(elder, younger, talon="", *, dealer=1, **options):
    """A first deal with these cards; what is missing of a pile comes from the cards left, in the order of their ids."""
    left = [card for card in DECK if card not in cards(f"{elder} {younger} {talon}")]
    piles = []
    for pile, size in ((elder, 12), (younger, 12), (talon, 8)):
        missing = size - len(cards(pile))
        piles.append(cards(pile) + left[:missing])
        left = left[missing:]
    hands = [" ".join(pile) for pile in piles[:2]]
    lying = {"talon_elder": " ".join(piles[2][:5]), "talon_younger": " ".join(piles[2][5:])}
    return table("piquet", hands if dealer == 1 else hands[::-1], dealer=dealer, piles=lying, **options)


def phase(at, seat=None):
    """What is being decided, as a seat (by default the one asked) sees it."""
    return sees(at, seat)["phase"]


def quiet(at, until="play"):
    """Nobody exchanges or says anything until that phase."""
    while phase(at) != until:
        act(at, "done" if phase(at) == "exchange" else "pass")
    return at


def points(at):
    """The points of both seats in the running deal."""
    seen = sees(at, 0)
    return [10 * tens + ones for tens, ones in zip(seen["points_tens"], seen["points_ones"], strict=True)]


def tricks(text):
    """The actions of tricks written as `AS 7S, KS 8S`: the card led, then the other."""
    return ", ".join(f"play {card}" for card in cards(text.replace(",", " ")))


# --------------------------------------------------------------------------------------------- deals used several times

# Nobody has a carte blanche, a sequence or a set. Longest suits: elder S A K T 8 (4, total 39); younger three of each
# suit, the totals S 26, C 29, D 26, H 29. The talon holds JS TC QD TD JH TH 9H 7H.
PLAIN = ("AS KS TS 8S QC JC 9C 7C AD JD 8D KH", "QS 9S 7S AC KC 8C KD 9D 7D AH QH 8H")

# Elder takes all tricks. Only the play counts if nobody says anything.
SWEEP = ("AS KS QS JS TS 9S 8S 7S AC KC QC JC", "AD KD QD JD TD 9D 8D 7D TC 9C 8C 7C")
SWEPT = tricks(
    "AS 7D, KS 8D, QS 9D, JS TD, TS JD, 9S QD, 8S KD, 7S AD, AC 7C, KC 8C, QC 9C, JC TC"
)  # fmt: skip

# Six tricks each. Elder leads seven times and takes six: 13. Younger takes AH, leads and takes AD KD QD JD, and the
# last trick: 1 + 8 + 4 = 13.
HALF = ("AS KS QS JS TS 9S 7H 8H 9H TH JH QH", "AH AD KD QD JD TD 7C 8C 9C TC JC QC")
HALVED = tricks("AS 7C, KS 8C, QS 9C, JS TC, TS JC, 9S QC, 7H AH, AD 8H, KD 9H, QD TH, JD JH, TD QH")

# Seven tricks for elder, who leads eight times: 15, and 10. Younger: AH 1, AD KD QD 6, the last trick 4.
SEVEN = ("AS KS QS JS TS 9S 8S 7H 8H 9H TH JH", "AH AD KD QD JD 7C 8C 9C TC JC QC KC")
WON_BY_SEVEN = tricks("AS 7C, KS 8C, QS 9C, JS TC, TS JC, 9S QC, 8S KC, 7H AH, AD 8H, KD 9H, QD TH, JD JH")

# Elder's point is 5 (51), his sequence 5, his set four aces. Younger holds TH 8H 7H of hearts, a white ten, and no
# sequence or set beside 9S 8S 7S.
REPIQUE = ("AS KS QS JS TS AC AD AH 7C 8D 9H 7D", "TH 8H 7H 9S 8S 7S QC KC TC KD QD 9D")

# Elder draws from 7S 8S 9S TS JS, then come QS KS AS.
LAID = ("7C 8C 9C TC JC QC KC AC 7D 8D 9D TD", "JD QD KD AD 7H 8H 9H TH JH QH KH AH")
TALON = "7S 8S 9S TS JS QS KS AS"


# ------------------------------------------------------------------------------------------------------------ 1 set-up


@pytest.mark.parametrize(("lower", "higher"), [*zip("789TJQK", "89TJQKA", strict=True)])
def test_piquet_1_1_order_within_a_suit(lower, higher):
    spades = " ".join(f"{rank}S" for rank in "789TJQKA" if rank != higher)
    at = quiet(dealt(f"{spades} 7C 9C JC 7D 9D", f"{higher}S 8C TC QC 8D TD QD 7H 9H JH KH KD"))
    assert at.seat == 0
    assert act(at, f"play {lower}S, play {higher}S").seat == 1


def test_piquet_1_1_two_seats_and_32_cards():
    assert GAME.rules().seats == 2
    assert (DECK[:8], len(DECK)) == (("7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS"), 32)


@pytest.mark.parametrize("dealer", [0, 1])
def test_piquet_1_2_twelve_cards_each_and_two_talons_elder_begins(dealer):
    at = dealt(*PLAIN, dealer=dealer)
    assert {pile: len(its) for pile, its in at.dealt().items()} == {"hands": 2, "talon_elder": 5, "talon_younger": 3}
    elder = 1 - dealer
    assert set(hand(at, elder)) == set(cards(PLAIN[0]))
    assert set(hand(at, dealer)) == set(cards(PLAIN[1]))
    assert at.seat == elder
    with pytest.raises(ValueError, match="talon_elder must have 5 cards"):
        table("piquet", at_hands(at), dealer=dealer, piles={"talon_elder": "JS", "talon_younger": "TC QD TD"})


def at_hands(at):
    """The hands dealt, as texts."""
    return [" ".join(its) for its in at.dealt()["hands"]]


def test_piquet_1_3_the_deal_alternates_and_the_first_dealer_is_drawn():
    at = act(quiet(dealt(*HALF, dealer=0)), HALVED)
    assert (at.number, at.dealer) == (1, 1)
    assert at.seat == 0  # elder now
    first = set()
    for seed in range(40):
        at = Table("piquet")
        at.reset(seed)
        first.add(at.dealer)
    assert first == {0, 1}


# ---------------------------------------------------------------------------------------------------------- 2 exchange


def test_piquet_2_1_elder_says_and_exchanges_then_younger():
    at = dealt("TH 9H 8H 7H AS KS QS JS AD KD QD JD", "TC 9C 8C 7C 9S 8S 7S 9D 8D 7D AH KH")
    asked = []
    for action in ("pass", "done", "carte blanche C", "discard 7S, done"):
        asked.append((at.seat, phase(at)))
        act(at, action)
    assert asked == [(0, "carte"), (0, "exchange"), (1, "carte"), (1, "exchange")]
    assert (at.seat, phase(at)) == (1, "suit")


def test_piquet_2_1_younger_announces_from_the_twelve_cards_dealt_to_him():
    """TC is a white ten as dealt; a jack that he draws later changes nothing, and he is not asked again."""
    at = dealt("AS KS QS JS AD KD QD JD AH KH QH JH", "TC 9C 8C 7C 9S 8S 7S 9D 8D 7D 9H 8H", "AC KC QC JC TS TD TH 7H")
    act(at, "done, carte blanche C, discard 7S, done")
    assert "AC" in hand(at, 1)
    assert sees(at, 0)["announced"] == [[0, 0, 0, 0], [0, 1, 0, 0]]


def test_piquet_2_2_elder_draws_from_the_top_of_his_talon_and_sees_what_he_left():
    at = act(dealt(*LAID, TALON, **NO_CARTE), "discard 7C, discard AC, done")
    assert hand(at, 0)[:2] == ["7S", "8S"]
    assert len(hand(at, 0)) == 12
    assert sees(at, 0)["talon"] == ["9S", "TS", "JS"]
    assert sees(at, 1)["talon"] == []


def test_piquet_2_2_elder_s_turn_ends_after_the_fifth():
    at = act(dealt(*LAID, TALON, **NO_CARTE), "discard 7C, discard 8C, discard 9C, discard TC, discard JC")
    assert (at.seat, phase(at)) == (1, "exchange")
    assert hand(at, 0)[:5] == cards("7S 8S 9S TS JS")
    assert sees(at, 0)["talon"] == []


def test_piquet_2_3_younger_gets_elder_s_leftovers_first():
    at = act(dealt(*LAID, TALON, **NO_CARTE), "discard 7C, discard 8C, done, discard JD, discard QD, done")
    assert [card for card in hand(at, 1) if card in cards(TALON)] == ["9S", "TS"]
    assert sees(at, 1)["talon"] == ["JS", "QS", "KS", "AS"]  # what remains
    assert sees(at, 0)["talon"] == ["9S", "TS", "JS"]  # what elder left; QS KS AS he does not see
    assert sees(at, 0)["known"] == [[], ["9S", "TS"]]  # he saw them drawn
    assert sees(at, 1)["known"] == [["9S", "TS"], []]


@pytest.mark.parametrize("elders", range(6))
def test_piquet_2_3_younger_may_lay_away_three_and_what_elder_left(elders):
    at = dealt(*LAID, TALON, **NO_CARTE)
    act(at, ", ".join(f"discard {card}" for card in cards(LAID[0])[:elders]))
    if elders < 5:
        act(at, "done")
    for card in cards(LAID[1])[: 8 - elders]:
        assert (at.seat, phase(at)) == (1, "exchange")
        act(at, f"discard {card}")
    assert phase(at) == "suit"
    assert [card for card in hand(at, 1) if card in cards(TALON)] == cards(TALON)[elders:]
    assert sees(at, 1)["lying"] == 0


@pytest.mark.parametrize(("fewest", "done_first"), [(0, True), (1, False)])
def test_piquet_2_4_the_fewest_cards_that_a_seat_lays_away(fewest, done_first):
    at = dealt(*LAID, TALON, min_exchange=fewest, **NO_CARTE)
    assert ("done" in legal(at)) == done_first
    assert "done" in legal(act(at, "discard 9D"))
    act(at, "done")
    assert ("done" in legal(at)) == done_first
    assert "done" in legal(act(at, "discard JD"))


def test_piquet_2_5_cards_are_named_in_ascending_order_and_new_ones_come_after_done():
    at = dealt(*LAID, TALON, **NO_CARTE)
    assert legal(at) == [f"discard {card}" for card in cards(LAID[0])] + ["done"]
    act(at, "discard QC")
    assert legal(at) == [f"discard {card}" for card in cards("KC AC 7D 8D 9D TD")] + ["done"]
    assert hand(at, 0) == cards("7C 8C 9C TC JC KC AC 7D 8D 9D TD")


def test_piquet_2_5_done_is_still_asked_when_no_higher_card_is_left():
    at = act(dealt(*LAID, TALON, **NO_CARTE), "discard TD")
    assert (at.seat, legal(at)) == (0, ["done"])


# ----------------------------------------------------------------------------------------------------- 3 carte blanche


def test_piquet_3_1_white_tens_are_said_in_ascending_order_and_score_ten_each():
    at = dealt("TS 7S TH 9H 7H KC QC TC TD 8D AC AH", "")
    assert legal(at) == ["pass", "carte blanche S", "carte blanche D", "carte blanche H"]
    act(at, "carte blanche D")
    assert legal(at) == ["pass", "carte blanche H"]
    assert points(at) == [10, 0]
    act(at, "carte blanche H")
    assert (at.seat, phase(at)) == (0, "exchange")  # no higher suit is left, so nothing is asked
    assert points(at) == [20, 0]


def test_piquet_3_1_pass_ends_it_and_the_last_one_is_not_asked_again():
    at = act(dealt("TS 7S TH 9H 7H KC QC TC 8D AC AH 9C", ""), "carte blanche S, pass")
    assert phase(at) == "exchange"
    assert points(at) == [10, 0]
    assert sees(at, 1)["announced"] == [[0, 0, 0, 0], [1, 0, 0, 0]]


@pytest.mark.parametrize("rank", "KQJ")
def test_piquet_3_1_a_ten_with_a_court_card_of_its_suit_is_not_white(rank):
    at = dealt(f"TS {rank}S AS 9S AC 9C 8C AD 9D 8D AH 9H", "")
    assert phase(at) == "exchange"


def test_piquet_3_2_a_hand_without_courts_is_shown_and_scores_ten():
    plain = "AS TS 9S 8S AC TC 9C AD TD 9D AH 7H"
    at = dealt(plain, "", carte_blanche="no_court")
    assert legal(at) == ["pass", "carte blanche"]
    act(at, "carte blanche")
    assert points(at) == [10, 0]
    assert phase(at) == "exchange"
    assert set(sees(at, 1)["shown"]) == set(cards(plain))
    assert sees(at, 0)["shown"] == []
    act(at, "discard 8S, done")
    assert set(sees(at, 1)["shown"]) == set(cards(plain))  # as dealt
    assert phase(dealt(plain.replace("7H", "JH"), "", carte_blanche="no_court")) == "exchange"


def test_piquet_3_3_without_carte_blanche_nobody_is_asked():
    at = dealt("AS TS 9S 8S AC TC 9C AD TD 9D AH 7H", "", **NO_CARTE)
    assert phase(at) == "exchange"
    assert phase(dealt(*PLAIN)) == "exchange"  # nothing to announce


# ------------------------------------------------------------------------------------------------------ 4 declarations


@pytest.mark.parametrize(("first", "order"), [("younger", [1, 0]), ("elder", [0, 1])])
def test_piquet_4_1_both_speak_about_the_suit_and_only_those_who_have_something_about_the_rest(first, order):
    at = act(dealt(*PLAIN, first_declarer=first), "done, done")
    asked = []
    while phase(at) != "play":
        asked.append((phase(at), at.seat))
        assert legal(at) == ["declare", "pass"]
        act(at, "pass")
    assert asked == [("suit", order[0]), ("suit", order[1])]
    assert at.seat == 0


def test_piquet_4_1_three_rounds_suit_sequence_set():
    """Elder holds a sequence and four aces, younger a sequence: 9S 8S 7S."""
    at = act(dealt(*REPIQUE, **NO_CARTE), "done, done")
    asked = []
    while phase(at) != "play":
        asked.append((phase(at), at.seat))
        act(at, "pass")
    assert asked == [("suit", 1), ("suit", 0), ("sequence", 1), ("sequence", 0), ("set", 0)]
    assert points(at) == [0, 0]


def test_piquet_4_2_the_longer_suit_wins_and_scores_its_cards():
    at = act(dealt(*PLAIN), "done, done, declare, declare")
    assert points(at) == [4, 0]
    seen = sees(at, 1)
    assert seen["declared"][0] == [3, 4]
    assert seen["tie"][0] == [0, 0]  # lengths differ
    assert seen["won"][0] == [0, 1]


def test_piquet_4_2_own_best_suit_by_length_then_total_then_suit():
    """Of younger's suits of three C and H have 29, S and D 26: hearts are put forward."""
    at = act(dealt(*PLAIN), "done, done, declare, pass")
    assert points(at) == [0, 3]
    assert set(sees(at, 0)["known"][1]) == {"AH", "QH", "8H"}


def test_piquet_4_2_equal_totals_score_for_nobody():
    at = dealt("AS QS JS TS 9S 7C 8C 7D 8D 7H KC KD", "AH QH JH TH 9H 9C TC 9D TD 8S KS JC", **NO_CARTE)
    act(at, "done, done, declare, declare")
    seen = sees(at, 0)
    assert (seen["declared"][0], seen["tie"][0], seen["won"][0]) == ([5, 5], [50, 50], [0, 0])
    assert points(at) == [0, 0]
    assert seen["known"] == [[], []]


RUN_OF = {n: " ".join(f"{rank}S" for rank in "789TJQKA"[:n]) for n in range(3, 9)}
OTHERS = "7C 9C JC KC 8D TD QD AD 8H"  # no sequence, no set


@pytest.mark.parametrize(("length", "score"), [(3, 3), (4, 4), (5, 15), (6, 16), (7, 17), (8, 18)])
def test_piquet_4_3_points_of_a_sequence(length, score):
    mine = " ".join([RUN_OF[length], *cards(OTHERS)[: 12 - length]])
    at = quiet(dealt(mine, "", **NO_BONUS, **NO_CARTE), until="sequence")
    while at.seat == 1:
        act(at, "pass")
    assert points(act(at, "declare")) == [score, 0]
    assert sees(at, 1)["declared"][1] == [0, length]
    assert set(sees(at, 1)["known"][1]) == set(cards(RUN_OF[length]))


def test_piquet_4_3_two_cards_in_a_row_are_no_sequence():
    mine, its = "AS KS JS TS 8S 7S AC KC JC TC 8C 7C", "AD KD JD TD 8D 7D AH KH JH TH 8H 7H"
    at = act(dealt(mine, its, **NO_CARTE), "done, done, pass, pass")
    assert phase(at) == "play"


def test_piquet_4_3_equal_length_and_top_score_for_nobody_and_the_tops_are_told():
    mine = "QS KS AS 7S 9S 7C 9C JC 7D 9D JD 8H"
    its = "QH KH AH 7H 9H 8C TC QC 8D TD QD 8S"
    at = act(quiet(dealt(mine, its, **NO_CARTE), until="sequence"), "declare, declare")
    seen = sees(at, 0)
    assert (seen["declared"][1], seen["tie"][1], seen["won"][1]) == ([3, 3], [8, 8], [0, 0])
    assert points(at) == [0, 0]


def test_piquet_4_3_of_own_equal_ones_the_higher_suit():
    mine = "7S 8S 9S 7H 8H 9H JS KS JC KC JD KD"
    at = quiet(dealt(mine, "TS TC TD TH AS AC AD AH QS QC QD 7C", all_combinations=False, **NO_CARTE), "sequence")
    act(at, "declare")
    assert set(sees(at, 1)["known"][1]) == {"7H", "8H", "9H"}


@pytest.mark.parametrize("trio", [13, 3])
def test_piquet_4_4_points_of_sets(trio):
    at = quiet(dealt("QS QC QD 7S 9C JD 7H KH 9S TS 8D TC", *["AS KS JS 8C AC KC 9D KD 8H TD AD 7C"],
                     trio_value=trio, **NO_CARTE), until="set")  # fmt: skip
    act(at, "pass, declare" if at.seat == 1 else "declare")
    assert points(at) == [trio, 0]
    at = quiet(dealt("QS QC QD QH 9C JD 7H KH 9S TS 8D TC", "", trio_value=trio, **NO_CARTE), until="set")
    act(at, "pass, declare" if at.seat == 1 else "declare")
    assert points(at) == [14, 0]


def test_piquet_4_4_four_beat_three_and_a_higher_rank_beats_a_lower_one():
    fours = ("9S 9C 9D 9H KS 7C JD QH 7H 8D TC 8S", "AS AC AD KC QD JH TH 8H 7S QS 7D JC")
    at = act(quiet(dealt(*fours, **NO_CARTE), until="set"), "declare, declare")
    assert sees(at, 0)["won"][2] == [1, 0]
    threes = ("9S 9C 9D KS 7C JD QH 7H 8D TC 8S TS", "TD AC AD AH KC QD JH 8H 7S QS 7D JC")
    at = act(quiet(dealt(*threes, **NO_CARTE), until="set"), "declare, declare")
    seen = sees(at, 0)
    assert (seen["declared"][2], seen["tie"][2], seen["won"][2]) == ([3, 3], [3, 8], [0, 1])  # nines 3, aces 8


def test_piquet_4_4_lower_sets_do_not_count_with_ten_up():
    hands = ("9S 9C 9D 9H KS 7C JD QH 7H 8D TC 8S", "AS AC KD KC QD JH TH 8H 7S QS 7D JC")
    at = act(dealt(*hands, set_ranks="ten_up", **NO_CARTE), "done, done")
    assert quiet(at).seat == 0
    at = dealt(*hands, set_ranks="ten_up", **NO_CARTE)
    asked = set()
    while phase(at) != "play":
        asked.add(phase(at))
        act(at, "done" if phase(at) == "exchange" else "pass")
    assert "set" not in asked


@pytest.mark.parametrize(("everything", "score"), [(True, 15 + 3 + 4), (False, 15)])
def test_piquet_4_5_the_winner_scores_his_other_sequences_too(everything, score):
    """TS to AS, 7C 8C 9C and JH to … : 5, 3 and 4 in a row; overlapping choices do not count, 7S and 8S neither."""
    mine = "TS JS QS KS AS 7C 8C 9C 7H 8H 9H TH"
    at = quiet(dealt(mine, "9S 7S AC QC JC 7D 9D JD KD AH QH KH", all_combinations=everything, **NO_BONUS, **NO_CARTE),
               until="sequence")  # fmt: skip
    act(at, "pass, declare" if at.seat == 1 else "declare")
    assert points(at) == [score, 0]
    assert len(sees(at, 1)["known"][1]) == (12 if everything else 5)


@pytest.mark.parametrize(("everything", "score"), [(True, 14 + 13), (False, 14)])
def test_piquet_4_5_the_winner_scores_his_other_sets_too(everything, score):
    at = quiet(dealt(*FOURS, all_combinations=everything, **NO_CARTE), until="set")
    act(at, "declare, declare")
    assert points(at) == [score, 0]
    assert len(sees(at, 1)["known"][1]) == (7 if everything else 4)


def test_piquet_4_5_the_only_one_that_declares_wins():
    """Elder's five spades would beat younger's hearts, but he keeps silent."""
    at = act(dealt(*PLAIN), "done, done, declare, pass")
    assert points(at) == [0, 3]


def test_piquet_4_6_the_number_is_told_at_once_and_the_rest_after_both_have_spoken():
    at = act(dealt("AS KS QS JS TS 7C 8C 9C 7D 8D 9D 7H", "AH QH TH 9H 8H AC KC QC JC AD KD QD", **NO_CARTE),
             "done, done, declare")  # fmt: skip
    seen = sees(at, 0)
    assert (seen["declared"][0], seen["tie"][0], seen["won"][0]) == ([0, 5], [0, 0], [0, 0])
    assert seen["known"] == [[], []]
    seen = sees(act(at, "declare"), 1)
    assert (seen["declared"][0], seen["tie"][0], seen["won"][0]) == ([5, 5], [48, 51], [0, 1])
    assert [set(its) for its in seen["known"]] == [set(), set(cards("AS KS QS JS TS"))]  # the loser's stay hidden


def test_piquet_4_6_known_cards_are_known_until_they_are_played():
    at = act(dealt(*PLAIN), "done, done, declare, declare, play AS")
    assert set(sees(at, 1)["known"][1]) == {"KS", "TS", "8S"}
    assert set(sees(at, 0)["known"][0]) == {"KS", "TS", "8S"}


# -------------------------------------------------------------------------------------------------------------- 5 play


def test_piquet_5_1_elder_leads_the_other_follows_suit_and_the_winner_leads():
    at = quiet(dealt(*PLAIN))
    assert (at.seat, len(legal(at))) == (0, 12)
    act(at, "play 8S")
    assert legal(at) == ["play 7S", "play 9S", "play QS"]  # no duty to win
    act(at, "play 9S")
    assert at.seat == 1
    act(at, "play AH, play KH, play QH")
    assert len(legal(at)) == 10  # elder has no heart left
    act(at, "play AS")  # and there are no trumps
    assert at.seat == 1
    assert sees(at, 1)["void"] == [[0, 0, 0, 0], [0, 0, 0, 1]]


@pytest.mark.parametrize(
    ("by", "led_and_won", "lost", "last"), [("always", [2, 0], [1, 1], 4), ("classic", [1, 0], [1, 1], 2)]
)
def test_piquet_5_2_leads_and_tricks(by, led_and_won, lost, last):
    at = quiet(dealt(*PLAIN, lead_scores=by))
    assert points(act(at, "play AS")) == [1, 0]
    assert points(act(at, "play 7S")) == led_and_won
    assert points(act(quiet(dealt(*PLAIN, lead_scores=by)), "play 8S, play 9S")) == lost
    at = act(quiet(dealt(*HALF, lead_scores=by, **NO_CARTE)), HALVED.rsplit(", ", 2)[0])
    before = points(at)
    act(at, "play TD, play QH")
    # younger's last trick, led by himself
    assert moved(at)[1] - before[1] == last
    assert moved(at)[0] == before[0]


def test_piquet_5_2_classic_the_last_trick_for_who_did_not_lead_it():
    """Elder wins six, younger the seventh with AH and leads on; at last younger leads 7C and elder's KC takes it: 2."""
    hands = ("AS KS QS JS TS 9S 7H 8H 9H TH JH KC", "AH AD KD QD JD 7C 8C 9C TC JC QC TD")
    at = quiet(dealt(*hands, lead_scores="classic", **NO_CARTE))
    act(at, tricks("AS 8C, KS 9C, QS TC, JS JC, TS QC, 9S TD, 7H AH, AD 8H, KD 9H, QD TH, JD JH"))
    before = points(at)
    assert before == [7, 1 + 4]  # seven leads; AH took elder's lead, four leads
    act(at, "play 7C, play KC")
    assert moved(at) == [7 + 2 + 10, 5 + 1]


def test_piquet_5_3_seven_tricks_score_ten():
    at = act(quiet(dealt(*SEVEN, **NO_CARTE)), WON_BY_SEVEN)
    assert moved(at) == [25, 11]


@pytest.mark.parametrize(("literally", "score"), [(False, 40), (True, 50)])
def test_piquet_5_4_all_twelve(literally, score):
    at = act(quiet(dealt(*SWEEP, capot_with_cards=literally, **NO_BONUS)), SWEPT)
    assert moved(at) == [26 + score, 0]


# ------------------------------------------------------------------------------------------------------------- 6 bonus


def test_piquet_6_1_thirty_against_none_brings_thirty_once():
    """Eight for elder's spades, then two a trick."""
    at = act(dealt(*SWEEP), "done, pass, done, pass, declare")  # younger does not say his white ten
    quiet(at)
    assert points(at) == [8, 0]
    plays = SWEPT.split(", ")
    act(at, ", ".join(plays[:21]))  # ten tricks and a lead: 8 + 21
    assert points(at) == [29, 0]
    act(at, plays[21])
    assert points(at) == [30 + 30, 0]  # with the eleventh trick
    assert sees(at, 1)["got_bonus"] == [0, 1]
    act(at, ", ".join(plays[22:]))
    assert moved(at) == [60 + 4 + 40, 0]


def test_piquet_6_1_points_of_the_other_prevent_it():
    at = act(dealt(*SWEEP), "done, carte blanche C, done, pass, declare")
    act(quiet(at), SWEPT)
    assert moved(at) == [8 + 26 + 40, 10]


def test_piquet_6_1_the_play_bonuses_neither_bring_nor_prevent_it():
    """26 points in the play and 40 for all twelve: the 40 come at the end and bring no thirty."""
    assert moved(act(quiet(dealt(*SWEEP)), SWEPT)) == [66, 0]


def test_piquet_6_1_three_white_tens_of_elder_come_before_anything_of_younger():
    at = dealt("TS 7S TC 7C TD 7D AS AC AD AH KH QH", "TH 9H 8H 7H 9S 8S 9C 8C 9D 8D JS JC")
    act(at, "carte blanche S, carte blanche C, carte blanche D")
    assert points(at) == [60, 0]
    act(at, "done, carte blanche H")
    assert points(at) == [60, 10]


def test_piquet_6_1_no_bonus_at_all():
    at = act(dealt(*REPIQUE, **NO_CARTE, **NO_BONUS), "done, done, pass, declare, pass, declare, declare")
    assert points(at) == [34, 0]


def test_piquet_6_2_classic_sixty_before_the_first_lead_and_thirty_after():
    at = act(dealt(*REPIQUE, bonus="classic", **NO_CARTE), "done, done, pass, declare, pass, declare, declare")
    assert points(at) == [34 + 60, 0]
    # 15 for the sequence and 14 for the aces are 29; the lead's own point makes 30, after the first lead
    at = act(dealt(*REPIQUE, bonus="classic", **NO_CARTE), "done, done, pass, pass, pass, declare, declare")
    assert points(at) == [29, 0]
    assert points(act(at, "play AS")) == [30 + 30, 0]


# ------------------------------------------------------------------------------------------------------------- 7 match


def over_with(at, change):
    """The match is over, and the last deal changed the scores by this."""
    return at.over == TERMINATED and moved(at) == change


def test_piquet_7_1_the_match_ends_in_the_moment_in_which_a_total_passes_the_target():
    carte = act(dealt("TS 7S 9H 8C AC KC KD QD AD 7D AH QH", "", start=[91, 0]), "carte blanche S")
    assert over_with(carte, [10, 0])
    suit = act(dealt(*PLAIN, start=[97, 0]), "done, done, pass, declare")
    assert over_with(suit, [4, 0])
    lead = act(quiet(dealt(*PLAIN, start=[100, 0])), "play 8S")  # no reply
    assert over_with(lead, [1, 0])
    trick = act(quiet(dealt(*PLAIN, start=[99, 0])), "play AS")
    assert trick.over == RUNNING
    assert over_with(act(trick, "play 7S"), [2, 0])
    assert trick.returns()[0].tolist() == [1, -1]


def test_piquet_7_1_the_bonus_counts_with_its_event():
    at = act(dealt(*REPIQUE, start=[60, 0], **NO_CARTE), "done, done, pass, declare, pass, declare")
    assert at.over == RUNNING  # 80
    assert over_with(act(at, "declare"), [64, 0])


@pytest.mark.parametrize(("start", "change"), [(77, 24), (75, 26), (74, 66)], ids=["lead", "trick", "all twelve"])
def test_piquet_7_1_in_the_last_trick_after_lead_trick_and_the_bonus_for_tricks(start, change):
    """22 after eleven tricks; the last lead makes 24, the trick 26, all twelve 66."""
    at = act(quiet(dealt(*SWEEP, start=[start, 0], **NO_BONUS)), ", ".join(SWEPT.split(", ")[:22]))
    assert at.over == RUNNING
    act(at, "play JC")
    assert (at.over == TERMINATED) == (start == 77)
    if start != 77:
        act(at, "play TC")
    assert over_with(at, [change, 0])


def test_piquet_7_1_exactly_the_target_is_not_past_it():
    at = act(quiet(dealt(*HALF, start=[87, 87], **NO_CARTE)), HALVED)
    assert (at.over, scores(at)) == (RUNNING, [100, 100])


def test_piquet_7_1_after_the_deal_the_higher_total_wins():
    at = act(quiet(dealt(*SEVEN, start=[99, 100], stop="after_deal", **NO_CARTE)), WON_BY_SEVEN)
    assert over_with(at, [25, 11])
    assert at.returns()[0].tolist() == [1, -1]
    at = act(quiet(dealt(*HALF, start=[95, 95], stop="after_deal", **NO_CARTE)), HALVED)
    assert at.over == TERMINATED
    assert at.returns()[0].tolist() == [0, 0]


def test_piquet_7_1_without_a_target_all_deals_are_played():
    at = act(quiet(dealt(*HALF, start=[500, 0], target=None, deals=2, **NO_CARTE)), HALVED)
    assert (at.over, at.number) == (RUNNING, 1)


def test_piquet_7_2_after_the_last_deal_the_higher_total_wins():
    at = act(quiet(dealt(*SEVEN, deals=1, **NO_CARTE)), WON_BY_SEVEN)
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TERMINATED, [25, 11], [1, -1])
    at = act(quiet(dealt(*SEVEN, deals=1, start=[0, 20], **NO_CARTE)), WON_BY_SEVEN)
    assert at.returns()[0].tolist() == [-1, 1]
    at = act(quiet(dealt(*HALF, deals=1, **NO_CARTE)), HALVED)
    assert (at.over, at.returns()[0].tolist()) == (TERMINATED, [0, 0])
    assert GAME.rules().deals == 8


@pytest.mark.parametrize(
    ("options", "start", "margin"),
    [
        ({}, [10, 20], 56),  # 76 : 20
        ({"settlement": "hundred"}, [10, 20], 156),
        ({"settlement": "hundred"}, [74, 20], 120),  # 140 has passed the target
        ({"settlement": "hundred", "target": None}, [74, 20], 220),
        ({"settlement": "rubicon"}, [10, 20], 196),  # 7.5: the loser has not reached 100
        ({"settlement": "rubicon", "target": None}, [100, 100], 166),
        ({"settlement": "rubicon", "target": None}, [100, 99], 365),
    ],
)
def test_piquet_7_3_the_margin(options, start, margin):
    at = act(quiet(dealt(*SWEEP, start=start, deals=1, **NO_BONUS, **options)), SWEPT)
    assert at.over == TERMINATED
    assert at.state.margin == margin


def test_piquet_7_3_a_draw_has_no_margin_and_a_match_may_pay_by_it():
    at = act(quiet(dealt(*HALF, deals=1, settlement="hundred", reward="margin", **NO_CARTE)), HALVED)
    assert (at.state.margin, at.returns()[0].tolist()) == (0, [0, 0])
    at = act(quiet(dealt(*SWEEP, deals=1, settlement="hundred", reward="margin", **NO_BONUS)), SWEPT)
    assert at.returns()[0].tolist() == [1.66, -1.66]


def test_piquet_7_3_the_margin_is_told_in_the_infos():
    env = karty.make_aec("piquet", deals=1)
    env.reset(seed=3)
    while env.agents and not any(env.terminations.values()):
        assert env.infos[env.agent_selection]["margin"] == 0
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    totals = scores(env.unwrapped.table)
    assert env.infos[env.agents[0]]["margin"] == abs(totals[0] - totals[1]) > 0


def test_piquet_7_4_a_deal_pays_the_difference_over_fifty_and_is_always_played_out():
    nothing = {"deals": 1, "target": 1, "stop": "at_once", "settlement": "hundred", "reward": "margin"}
    at = act(quiet(dealt(*SWEEP, episode="deal", **NO_BONUS, **nothing)), SWEPT)
    assert (at.over, moved(at)) == (TERMINATED, [66, 0])
    assert at.returns()[0].tolist() == [1.32, -1.32]
    assert at.returns()[1].tolist() == [66, 0]
    assert at.state.margin == 0
    at = act(quiet(dealt(*SWEEP, **NO_BONUS, deals=1)), SWEPT)
    assert at.returns()[0].tolist() == [1, -1]


def test_piquet_7_1_a_match_may_start_from_any_total_that_has_not_passed_the_target():
    for start in ([101, 0], [-1, 0]):
        with pytest.raises(ValueError, match="scores from 0 to 100"):
            dealt(*PLAIN, start=start)
    assert dealt(*PLAIN, start=[1000, 0], target=None).start == [1000, 0]


def test_piquet_7_5_the_classic_preset():
    assert GAME.rules.make("classic").to_dict() == {
        "deals": 6,
        "target": None,
        "stop": "at_once",
        "settlement": "rubicon",
        "reward": "win",
        "min_exchange": 1,
        "carte_blanche": "no_court",
        "first_declarer": "elder",
        "trio_value": 3,
        "set_ranks": "ten_up",
        "all_combinations": True,
        "lead_scores": "classic",
        "capot_with_cards": False,
        "bonus": "classic",
    }
    assert GAME.rules.make("classic", deals=2, bonus="none").bonus == "none"
    table_of_the_book = [line.split("|")[1:5] for line in BOOK.splitlines() if line.startswith("| `")]
    for names, _, default, _ in table_of_the_book:
        for name, value in zip(names.split(","), default.split(","), strict=True):
            assert str(getattr(GAME.rules(), name.strip(" `"))) == value.strip()
    assert sum(len(row[0].split(",")) for row in table_of_the_book) == len(fields(GAME.rules))


@pytest.mark.parametrize(
    ("option", "words"),
    [({"target": 0}, "target=0"), ({"deals": None}, "deals=None"), ({"trio_value": 14}, "allowed: 13, 3")],
)
def test_piquet_7_5_other_values_are_refused(option, words):
    with pytest.raises(ValueError, match=words):
        GAME.rules(**option)


# ----------------------------------------------------------------------------------------------------------- 8 actions


def test_piquet_8_the_actions_and_their_ids():
    names = GAME.action_names()
    assert len(names) == 72
    assert names[:32] == tuple(f"play {card}" for card in DECK)
    assert names[32:64] == tuple(f"discard {card}" for card in DECK)
    assert names[64:] == (
        "done", "declare", "pass",
        "carte blanche S", "carte blanche C", "carte blanche D", "carte blanche H", "carte blanche",
    )  # fmt: skip
    assert GAME.action_names(GAME.rules.make("classic")) == names


# ------------------------------------------------------------------------------------------------- 9 what a seat sees


def test_piquet_9_the_other_s_cards_laid_away_count_once_his_turn_is_over():
    at = act(dealt(*LAID, TALON, **NO_CARTE), "discard 7C, discard 8C")
    assert sees(at, 1)["laid_away"] == [0, 0]
    assert sees(at, 1)["held"] == [12, 12]
    assert (sees(at, 0)["laid_away"], sees(at, 0)["held"]) == ([2, 0], [10, 12])
    assert sees(act(at, "done"), 1)["laid_away"] == [0, 2]
    assert sees(at, 0)["discards"] == ["7C", "8C"]


# ---------------------------------------------------------------------------------------------------- 10 worked cases


def test_piquet_case_1_an_exchange():
    at = act(dealt(*LAID, TALON, **NO_CARTE), "discard 7C, discard 8C, discard 9C, done")
    assert hand(at, 0)[:3] == ["7S", "8S", "9S"]
    assert sees(at, 0)["talon"] == ["TS", "JS"]
    act(at, "discard JD, discard QD, discard KD, discard AD")
    assert at.seat == 1
    act(at, "discard 7H")
    assert phase(at) == "suit"
    assert hand(at, 1)[:5] == cards("TS JS QS KS AS")


def test_piquet_case_2_suits_of_five():
    hands = ("AS KS QS JS TS 7C 8C 9C 7D 8D 9D 7H", "AH QH TH 9H 8H AC KC QC JC AD KD QD")
    at = act(dealt(*hands, **NO_CARTE), "done, done, declare, declare")
    assert points(at) == [5, 0]
    assert sees(at, 0)["tie"][0] == [51, 48]
    hands = ("AS KS QS JS TS 7C 8C 9C 7D 8D 9D 7H", "AH KH QH JH TH 9S AC KC QC AD KD QD")
    at = act(dealt(*hands, **NO_CARTE), "done, done, declare, declare")
    assert points(at) == [0, 0]


def test_piquet_case_3_sequences():
    hands = ("QS KS AS 7S 9S 7C 9C JC 7D 9D JD 7H", "TH JH QH 8H AH 8C TC QC 8D TD QD 8S")
    at = act(quiet(dealt(*hands, **NO_CARTE), until="sequence"), "declare, declare")
    assert points(at) == [3, 0]
    assert sees(at, 0)["tie"][1] == [8, 6]  # ace, queen
    hands = ("QS KS AS 8D TD QD 8H TH QH JC KC 8S", "7C 8C 9C TC 9S JS 7D 9D JD 7H 9H JH")
    at = act(quiet(dealt(*hands, **NO_CARTE), until="sequence"), "declare, declare")
    assert points(at) == [0, 4]


FOURS = ("9S 9C 9D 9H JS JC JD 7S 7C KH 8H QC", "AS AC AD QS KC TD TH 7H QH KD 8C 8D")


def test_piquet_case_4_sets():
    at = act(quiet(dealt(*FOURS, **NO_CARTE), until="set"), "declare, declare")
    assert points(at) == [14 + 13, 0]
    assert set(sees(at, 1)["known"][1]) == set(cards("9S 9C 9D 9H JS JC JD"))
    at = act(quiet(dealt(*FOURS, all_combinations=False, **NO_CARTE), until="set"), "declare, declare")
    assert points(at) == [14, 0]
    at = act(quiet(dealt(*FOURS, set_ranks="ten_up", **NO_CARTE), until="set"), "declare, declare")
    assert points(at) == [0, 13]  # three aces beat three jacks


def test_piquet_case_5_repique():
    at = act(dealt(*REPIQUE, **NO_CARTE), "done, done, pass, declare")
    assert points(at) == [5, 0]
    assert points(act(at, "pass, declare")) == [20, 0]
    act(at, "declare")
    assert phase(at) == "play"
    assert points(at) == [64, 0]


def test_piquet_case_6_a_carte_blanche_saves_the_thirty():
    at = act(dealt(*REPIQUE), "done, carte blanche H, done, pass, declare, pass, declare, declare")
    assert phase(at) == "play"
    assert points(at) == [34, 10]


def test_piquet_case_7_tricks():
    assert points(act(quiet(dealt(*PLAIN)), "play AS, play 7S")) == [2, 0]
    assert points(act(quiet(dealt(*PLAIN)), "play 8S, play 9S")) == [1, 1]
    at = act(quiet(dealt(*HALF, **NO_CARTE)), HALVED.rsplit(", ", 2)[0])
    assert points(at) == [13, 9]
    assert moved(act(at, "play TD, play QH")) == [13, 9 + 4]


def test_piquet_case_8_all_twelve_tricks():
    for options, score in (({}, 66), ({"capot_with_cards": True}, 76), ({"lead_scores": "classic"}, 53)):
        at = act(quiet(dealt(*SWEEP, **NO_BONUS, **options)), SWEPT)
        assert moved(at) == [score, 0]


def test_piquet_case_9_white_tens():
    assert "carte blanche S" in legal(dealt("TS 9S AS AC KC 9C AD KD 9D AH KH 9H", ""))
    assert phase(dealt("TS 9S JS AC KC 9C AD KD 9D AH KH 9H", "")) == "exchange"
    at = dealt("TS 7S TH 9H 7H KC QC TC AC AD KD 7D", "")
    assert legal(at) == ["pass", "carte blanche S", "carte blanche H"]
    assert points(act(at, "carte blanche S, carte blanche H")) == [20, 0]


def test_piquet_case_10_six_tricks_each():
    assert moved(act(quiet(dealt(*HALF, **NO_CARTE)), HALVED)) == [13, 13]


# Elder's suit is AS KS QS JS TS, his sequence five; younger's five hearts are his only long suit.
AT_92 = ("AS KS QS JS TS 7C 9C JC 8D TD QD 8H", "AH KH JH TH 9H 8C TC QC 7D 9D JD KD")


def test_piquet_case_11_who_passes_the_target_first_has_won():
    at = act(dealt(*AT_92, start=[92, 95], **NO_CARTE), "done, done, declare, pass")
    assert (at.over, points(at)) == (RUNNING, [0, 5])  # 95 + 5 is 100
    act(at, "pass, declare")  # younger has a sequence too, JH TH 9H
    assert over_with(at, [15, 5])
    assert scores(at) == [107, 100]
    assert at.returns()[0].tolist() == [1, -1]
    at = act(dealt(*AT_92, start=[92, 95], stop="after_deal", **NO_CARTE), "done, done, declare, pass, pass, declare")
    assert at.over == RUNNING
    assert quiet(at).seat == 0


def test_piquet_case_12_ninety_to_sixty():
    at = act(quiet(dealt(*SWEEP, start=[24, 60], deals=1, settlement="hundred", **NO_BONUS)), SWEPT)
    assert scores(at) == [90, 60]
    assert at.state.margin == 130
