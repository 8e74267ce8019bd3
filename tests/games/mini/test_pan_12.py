"""Pan with twelve cards by its rule book, envs/games/mini/pan_12.md: a position a clause, and the worked cases.

A name holds its clause (`test_pan_12_2_3_…`) or the number of its worked case (`test_pan_12_case_4_…`).
"""

import pytest
from positions import act, hand, legal, moved, sees, table

import karty
from karty.envs.engine import Table
from karty.envs.game import DEAL, RUNNING, TERMINATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.MINIS["pan_12"]
DECK = GAME.shape().deck


def dealt(mine, actions=""):
    """Seat 0 has these six cards, seat 1 the others; then these actions are played."""
    other = " ".join(card for card in DECK.names if card not in mine.split())
    return act(table(GAME, [mine, other]), actions)


def at_pile(mine, other, pile, turn=0, turns=1):
    """A position with these hands, this pile, seat ``turn`` to play, after so many decisions."""
    at = Table(GAME, episode="deal")
    at.reset(1)
    at.settle()
    state = at._states
    state["hands"][0] = [DECK.set(mine), DECK.set(other)]
    state["pile"], state["turn"], state["turns"] = DECK.set(pile), turn, turns
    assert sum(DECK.set(its) for its in (mine, other, pile)) == DECK.full
    return at


def pile(at):
    return [card for card in sees(at, 0)["pile"] if card != "empty"]


# ------------------------------------------------------------------------------------------------------------ 1 set-up


def test_pan_12_1_1_three_ranks_in_four_suits():
    assert sorted(DECK.names) == sorted(rank + suit for rank in "9QA" for suit in "SCDH")
    at = at_pile("9S QS AS", "9C 9D QC QD AC AD AH", "9H QH")
    assert legal(at) == ["play Q", "play A", "draw"]
    act(at, "play A")
    assert legal(at) == ["play A", "draw"]


def test_pan_12_1_2_six_cards_each():
    at = Table(GAME)
    at.reset(3)
    assert at.advance() == DEAL
    assert [len(its) for its in at.dealt()["hands"]] == [6, 6]
    assert at.dealer is None


@pytest.mark.parametrize("mine", ["9H QS QC AS AC AD", "9S 9C 9D QS QC QD"])
def test_pan_12_1_3_9h_begins(mine):
    at = dealt(mine)
    assert at.seat == (0 if "9H" in mine else 1)


# ------------------------------------------------------------------------------------------------------------- 2 turns


def test_pan_12_2_1_the_top_is_the_highest_rank():
    at = at_pile("9S QS AS", "9C 9D QC AC AD AH", "9H QD QH")
    assert sees(at)["top"] == [0, 1, 0]
    assert legal(at) == ["play Q", "play A", "draw"]


def test_pan_12_2_2_suits_in_their_order_and_the_undermost_is_laid():
    at = at_pile("QS QD AS", "9S 9C 9D AC AD AH", "9H QC QH")
    act(at, "play Q")
    assert pile(at) == ["9H", "QH", "QD", "QC"]
    assert hand(at, 0) == ["QS", "AS"]


def test_pan_12_2_3_the_first_turn_lays_9h():
    assert legal(dealt("9H 9S 9C QS QC AS")) == ["play 9"]
    assert pile(dealt("9H 9S 9C QS QC AS", "play 9")) == ["9H"]
    assert legal(dealt("9H 9S 9C 9D QC AS")) == ["play 9", "play four 9"]


def test_pan_12_2_4_one_or_four_not_lower_or_three_nines():
    at = at_pile("9S QS QC QD QH AS", "AC AD AH", "9H 9C 9D")
    assert legal(at) == ["play 9", "play Q", "play A", "play four Q", "draw"]
    assert pile(act(at.clone(), "play four Q")) == ["9H", "9D", "9C", "QH", "QD", "QC", "QS"]
    at = at_pile("9S 9C 9D QS", "QC QD QH AS AC AD AH", "9H")
    assert legal(at) == ["play 9", "play Q", "play three 9"]
    assert pile(act(at, "play three 9")) == ["9H", "9D", "9C", "9S"]


def test_pan_12_2_5_a_draw_takes_three_but_never_9h():
    at = at_pile("9S AS", "9C QS AC AD AH", "9H 9D QC QD QH")
    act(at, "draw")
    assert (hand(at, 0), pile(at)) == (["9S", "AS", "QC", "QD", "QH"], ["9H", "9D"])


def test_pan_12_2_6_then_the_other_seat_is_asked():
    assert dealt("9H QS QC AS AC AD", "play 9").seat == 1
    assert dealt("9H QS QC AS AC AD", "play 9, play Q").seat == 0


# --------------------------------------------------------------------------------------------------------------- 3 end


def test_pan_12_3_1_the_seat_with_cards_loses():
    at = act(at_pile("QS", "9S 9C 9D AS AC AD AH", "9H QC QD QH"), "play Q")
    assert (at.over, moved(at), at.returns()[0].tolist()) == (TERMINATED, [0, 1], [1, -1])


@pytest.mark.parametrize(
    ("last", "left", "lost"),
    [("AS", "AC", False), ("QS", "AS AC AD AH", False), ("AS", "AC AD", True), ("AS", "9S", True), ("AS", "QC", True)],
)
def test_pan_12_3_2_undecided_if_the_other_seat_could_lay_all(last, left, lost):
    down = [card for card in DECK.names if card not in (last, *left.split())]
    at = act(at_pile(last, left, " ".join(down)), f"play {last[0]}")
    assert at.over == TERMINATED
    assert at.returns()[0].tolist() == ([1, -1] if lost else [0, 0])


def test_pan_12_3_3_over_after_sixteen_decisions():
    at = dealt("9H QS QC AS AC AD", "play 9")
    while at.over == RUNNING:  # two cards are laid, and drawn again, by turns
        single = [action for action in legal(at) if len(action) == len("play 9")]
        act(at, {1: single[0], 2: single[-1], 3: "draw"}[len(pile(at))])
    assert int(at.state.turns) == 16
    assert (at.over, at.returns()[0].tolist(), moved(at)) == (TERMINATED, [0, 0], [0, 0])


def test_pan_12_3_4_points_are_deals_lost_with_a_minus():
    at = act(at_pile("9S 9C 9D AS AC AD AH", "QS", "9H QC QD QH", turn=1), "play Q")
    assert at.returns()[0].tolist() == [-1, 1]
    assert at.returns()[1].tolist() == [-1, 0]


# ----------------------------------------------------------------------------------------- 4 actions, 5 what is seen


def test_pan_12_4_actions():
    assert GAME.action_names() == (
        "play 9", "play Q", "play A", "play four 9", "play four Q", "play four A", "play three 9", "draw"
    )  # fmt: skip


def test_pan_12_5_all_cards_are_seen():
    at = dealt("9H QS QC AS AC AD", "play 9, play Q, play A, draw")
    for me in (0, 1):
        seen = sees(at, me)
        assert (seen["hand"], seen["known"]) == (hand(at, me), [hand(at, 1 - me)])
        assert (seen["turns"], seen["turns_left"]) == (4, 12)
        assert seen["held"] == [len(hand(at, me)), len(hand(at, 1 - me))]


# -------------------------------------------------------------------------------------------------------- worked cases


def test_pan_12_case_1_the_start():
    assert legal(dealt("9H 9S 9C QS QC AS")) == ["play 9"]
    assert pile(dealt("9H 9S 9C 9D QC AS", "play four 9")) == ["9H", "9D", "9C", "9S"]


def test_pan_12_case_2_three_nines_on_9h():
    assert legal(dealt("9H QS QC AS AC AD", "play 9")) == ["play 9", "play Q", "play A", "play three 9"]


def test_pan_12_case_3_not_lower_than_the_top():
    at = at_pile("9S QC AS", "9C 9D QS QH AC AD AH", "9H QD")
    assert legal(at) == ["play Q", "play A", "draw"]
    assert hand(act(at, "draw"), 0) == ["9S", "AS", "QC", "QD"]


def test_pan_12_case_4_a_draw_of_three():
    at = act(at_pile("9S AS", "9C 9D QS QD AC AH", "9H QH QC AD"), "draw")
    assert hand(at, 0) == ["9S", "AS", "QC", "AD", "QH"]


def test_pan_12_case_5_a_queen_between_queens():
    at = act(at_pile("QD QS AS", "9S 9C 9D AC AD AH", "9H QH QC"), "play Q")
    assert pile(at) == ["9H", "QH", "QD", "QC"]


@pytest.mark.parametrize(("left", "reward"), [("AC", 0), ("QC", 1), ("AC AD", 1)])
def test_pan_12_case_6_after_a_last_ace(left, reward):
    down = [card for card in DECK.names if card not in ("AH", *left.split())]
    at = act(at_pile("AH", left, " ".join(down)), "play A")
    assert at.returns()[0].tolist() == [reward, -reward]


def test_pan_12_case_7_four_aces_left():
    at = act(at_pile("QS", "AS AC AD AH", "9S 9C 9D 9H QC QD QH"), "play Q")
    assert at.returns()[0].tolist() == [0, 0]


def test_pan_12_case_8_the_sixteenth_decision():
    at = act(at_pile("9S AS", "9C 9D QS QD AC AH", "9H QH QC AD", turns=15), "draw")
    assert (at.over, at.returns()[0].tolist()) == (TERMINATED, [0, 0])
