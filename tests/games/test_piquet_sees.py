"""What a seat of Piquet sees (section 9) in positions set up by hand: who is asked aside looks like who is not."""

import numpy as np
import pytest
from positions import act, sees, table

import karty
from karty.envs import picture
from karty.training.play import overheard

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["piquet"]
FIVE = "JS TC QD TD JH"  # elder's talon
ELDER = "AS KS TS 8S QC JC 9C 7C AD JD 8D KH"
# Younger without a sequence, and with 7H 8H 9H; the other cards lie in his own talon, which elder never sees.
WITHOUT = ("QS 9S 7S AC KC 8C KD 9D 7D AH QH 8H", "TH 9H 7H")
WITH = ("QS 9H 7H AC KC 8C KD 9D 7D AH QH 8H", "TH 9S 7S")


def dealt(younger, *, elder=ELDER, five=FIVE, actions="", **options):
    """Seat 0 is elder; these actions have been chosen."""
    hand, three = younger
    at = table("piquet", [elder, hand], dealer=1, piles={"talon_elder": five, "talon_younger": three}, **options)
    return act(at, actions)


def alike(first, second, seat):
    """Does the seat see the same at both tables?"""
    return np.array_equal(first.observe(seat), second.observe(seat))


def test_a_first_speaker_without_a_sequence_looks_like_a_silent_one():
    silent, asked = (dealt(younger, actions="done, done, pass, pass") for younger in (WITHOUT, WITH))
    assert (silent.seat, asked.seat) == (0, 1)
    assert sees(asked)["phase"] == "sequence"
    assert (sees(asked, 0)["phase"], sees(asked, 0)["turn"]) == ("play", 0)
    assert alike(silent, asked, 0)
    act(asked, "pass")
    assert silent.seat == asked.seat == 0
    assert alike(silent, asked, 0)


@pytest.mark.parametrize("target", [100, 2])
def test_who_has_declared_sees_his_round_as_won_until_the_other_declares(target):
    """Elder's Q K A of spades: 3 points, and three known cards, whether younger has nothing or is silent."""
    elder = ELDER.replace("TS", "QS")
    tables = [
        dealt((hand.replace("QS", "TS"), three), elder=elder, actions="done, done, pass, pass, declare",
              first_declarer="elder", carte_blanche="none", stop="after_deal", target=target)
        for hand, three in (WITHOUT, WITH)
    ]  # fmt: skip
    for at in tables:
        seen = sees(at, 0)
        assert (seen["declared"][1], seen["won"][1], seen["points_ones"]) == ([3, 0], [1, 0], [3, 0])
        assert seen["known"] == [["QS", "KS", "AS"], []]
        assert seen["left_ones"][0] == {100: 8, 2: 0}[target]  # 101 − 3 = 98
    assert [at.seat for at in tables] == [0, 1]
    assert alike(*tables, 0)
    assert sees(tables[1], 1)["won"][1] == [0, 0]
    silent = tables[1].clone()
    assert alike(tables[0], act(silent, "pass"), 0)
    seen = sees(act(tables[1], "declare"), 0)
    assert (seen["declared"][1], seen["tie"][1], seen["won"][1]) == ([3, 3], [8, 3], [1, 0])  # ace, nine


def test_a_carte_blanche_not_said_looks_like_none():
    """Elder with TD and without JD, QD, KD; the jack lies in his talon."""
    none = dealt(WITHOUT)
    asked = dealt(WITHOUT, elder=ELDER.replace("JD", "TD"), five=FIVE.replace("TD", "JD"))
    assert (sees(none)["phase"], sees(asked)["phase"]) == ("exchange", "carte")
    assert alike(none, asked, 1)
    assert sees(asked, 1)["turn"] == 1  # the other: he is to exchange
    assert alike(none, act(asked, "pass"), 1)


def test_cards_laid_away_one_by_one_show_nothing_until_the_turn_is_over():
    at = dealt(WITHOUT)
    before = at.observe(1)
    act(at, "discard 8S, discard 7C")
    assert np.array_equal(at.observe(1), before)
    act(at, "done")
    seen = sees(at, 1)
    assert (seen["laid_away"], seen["lying"], seen["held"]) == ([0, 2], 6, [12, 12])


def test_pictures_and_news_do_not_tell_who_is_asked_aside():
    at = dealt(WITH, actions="done, done, pass, pass")
    assert at.seat == 1
    assert [seat.asked for seat in picture.view(GAME, at, 0).seats] == [True, False]
    assert [seat.asked for seat in picture.view(GAME, at, 1).seats] == [True, False]  # from younger, he comes first
    assert [seat.asked for seat in picture.view(GAME, at).seats] == [False, True]
    before = at.observe(0)
    act(at, "pass")
    assert overheard(at, before, at.observe(0), "pass", openly=False) == ""


def test_a_pass_aside_is_not_heard_even_if_the_one_who_listens_is_asked_next():
    """Both have a sequence: first younger is asked, then elder."""
    elder = ELDER.replace("TS", "QS")
    at = dealt((WITH[0].replace("QS", "TS"), WITH[1]), elder=elder, carte_blanche="none",
               actions="done, done, pass, pass")  # fmt: skip
    before = at.observe(0)
    act(at, "pass")
    assert (at.seat, sees(at)["phase"]) == (0, "sequence")
    assert overheard(at, before, at.observe(0), "pass", openly=False) == ""
    assert overheard(at, before, at.observe(0), "pass") == "pass"


def test_known_cards_stay_known_until_they_are_played_and_voids_are_shown():
    at = dealt(WITHOUT, actions="done, done, declare, pass")  # younger's hearts A Q 8 win
    assert sees(at, 0)["known"] == [[], ["8H", "QH", "AH"]]
    act(at, "play KH, play AH, play QH, play 8S")
    assert sees(at, 0)["known"] == [[], ["8H"]]
    assert sees(at, 1)["known"] == [["8H"], []]
    assert sees(at, 1)["void"] == [[0, 0, 0, 0], [0, 0, 0, 1]]
    assert sees(at, 0)["void"] == [[0, 0, 0, 1], [0, 0, 0, 0]]
