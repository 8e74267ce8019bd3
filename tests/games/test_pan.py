"""Pan by its rule book, envs/games/pan.md: a position a clause, and the worked cases of its section 8.

A name holds its clause (`test_pan_2_3_…`) or the number of its worked case (`test_pan_case_4_…`).
"""

import json
from dataclasses import fields
from pathlib import Path

import pytest
from heap import DECK, RISING, left_over, position
from positions import act, cards, hand, legal, moved, scores, sees

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, END, RUNNING, SCORE, TERMINATED, TRUNCATED
from karty.envs.record import record_episode, replay

pytestmark = [pytest.mark.rules, pytest.mark.plain]

GAME = karty.GAMES["pan"]
BOOK = (Path(__file__).resolve().parents[2] / "envs" / "games" / "pan.md").read_text(encoding="utf-8")


def plays(text):
    """The actions `play …` for these cards, in the order of their ids."""
    return [f"play {card}" for card in DECK if card in cards(text)]


def dealt(*hands, players=3, **options):
    """A first deal with these hands from seat 0 on; who has none gets what is left, lowest ranks first."""
    left = [card for card in RISING if card not in " ".join(hands).split()]
    hands = list(hands)
    while len(hands) < players:
        hands.append(" ".join(left[: 24 // players]))
        left = left[24 // players :]
    at = Table("pan", players=players, **options)
    at.reset(1, deal={"dealer": None, "hands": [cards(its) for its in hands]})
    at.settle()
    return at


def pile(at):
    """The names of the cards on the pile, bottom first."""
    return [card for card in sees(at, 0)["pile"] if card != "empty"]


# ------------------------------------------------------------------------------------------------------------ 1 set-up


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pan_1_1_seats_and_cards(players):
    at = dealt(players=players)
    assert (at.seats, at.rules.seats) == (players, players)
    assert sorted(card for seat in range(players) for card in hand(at, seat)) == sorted(DECK)


@pytest.mark.parametrize(("lower", "higher"), [("9", "T"), ("T", "J"), ("J", "Q"), ("Q", "K"), ("K", "A")])
def test_pan_1_1_order_of_the_ranks_and_no_order_of_the_suits(lower, higher):
    for suit in "SCDH":
        for other in "SCDH":
            if lower + suit != "9H":
                held = f"{lower}{suit} {higher}{other}"
                on_higher = next(f"{higher}{its}" for its in "SCDH" if its != other)
                rest = [card for card in RISING if card not in (*cards(held), on_higher)]
                at = position(held, " ".join(rest[1:]), pile=f"9H {on_higher}")
                assert legal(at) == [f"play {higher}{other}", "draw"]


@pytest.mark.parametrize(("players", "each"), [(2, 12), (3, 8), (4, 6)])
def test_pan_1_2_all_cards_are_dealt_equally_and_nobody_deals(players, each):
    at = Table("pan", players=players)
    at.reset(5)
    assert at.advance() == DEAL
    assert [len(its) for its in at.dealt()["hands"]] == [each] * players
    assert [sorted(hand(at, seat)) for seat in range(players)] == [sorted(its) for its in at.dealt()["hands"]]
    assert at.dealer is None


@pytest.mark.parametrize("seat", [0, 1, 2, 3])
def test_pan_1_2_whoever_holds_the_nine_of_hearts_begins(seat):
    rest = cards(left_over("9H"))
    hands = [rest[6 * i : 6 * i + 6] for i in range(3)] + [rest[18:]]
    hands = [*hands[:seat], ["9H", *hands[3]], *hands[seat:3]]
    assert dealt(*map(" ".join, hands), players=4).seat == seat


# ------------------------------------------------------------------------------------------------------------- 2 turns


def test_pan_2_1_the_pile_is_ordered_and_seen_by_all():
    at = dealt("9H TS KS AS QD JC 9C KC", "9D TC TD TH JS JD JH QS")
    act(at, "play 9H, play 9D, play 9S, play 9C, play JS, play QC, play QD, draw")
    order = ["9H", "9D", "9S", "9C"]
    assert [sees(at, seat)["pile"] for seat in range(3)] == [order + ["empty"] * 20] * 3
    assert set(hand(at, 1)) == {*cards("TC TD TH JD JH QS"), "JS", "QC", "QD"}


def test_pan_2_2_the_first_turn_lays_the_nine_of_hearts_and_nothing_else():
    assert legal(dealt("9H 9D 9C TS KS KC AS AD")) == ["play 9H"]
    assert legal(dealt("9H TS TC TD TH KC AS AD")) == ["play 9H"]


def test_pan_case_1_the_starter_may_lay_all_four_nines():
    at = dealt("9H 9D 9C 9S KS KC AS AD")
    assert legal(at) == ["play 9H", "play four 9"]
    act(at, "play four 9")
    assert pile(at) == ["9H", "9D", "9C", "9S"]
    assert (at.seat, hand(at, 0)) == (1, ["KS", "AS", "KC", "AD"])


def test_pan_case_2_three_nines_on_the_nine_of_hearts_alone():
    at = act(dealt("9H TS TC TD KS KC KD KH", "9D 9C 9S AS JS JC JD JH"), "play 9H")
    assert legal(at) == [*plays("9D 9C 9S AS JS JC JD JH"), "play four J", "play three 9"]
    at = position("9D 9C 9S AS", left_over("9H 9D 9C 9S AS"), pile="9H")
    assert legal(at) == ["play 9S", "play AS", "play 9C", "play 9D", "play three 9"]
    assert pile(act(at, "play three 9")) == ["9H", "9D", "9C", "9S"]


def test_pan_case_3_two_nines_singly_and_a_draw_of_one_card():
    at = position("9C 9S", left_over("9H 9D 9C 9S"), pile="9H 9D")
    assert legal(at) == ["play 9S", "play 9C", "draw"]
    act(at, "draw")
    assert (pile(at), hand(at, 0)) == (["9H"], ["9S", "9C", "9D"])


def test_pan_2_3_one_card_or_four_of_a_rank_not_lower_than_the_top():
    held = "JS JC JD QS KS KC KD KH AS"
    at = position(held, left_over(held + " 9H TH QH"), pile="9H TH QH")
    assert legal(at) == [*plays("QS KS KC KD KH AS"), "play four K", "draw"]  # not two or three kings or jacks
    act(at, "play QS")
    assert pile(at) == ["9H", "TH", "QH", "QS"]
    assert hand(at, 0) == ["JS", "KS", "AS", "JC", "KC", "JD", "KD", "KH"]


def test_pan_2_4_three_nines_only_while_the_pile_is_the_nine_of_hearts():
    held = "9D 9C 9S TS"
    for laid in ("9H", "9H AH", "9H TC"):
        at = position(held, left_over(held + " " + laid), pile=laid)
        assert ("play three 9" in legal(at)) == (laid == "9H")
    drawn = act(position("KS", held, left_over(held + " 9H KS QS"), pile="9H QS"), "draw")
    assert "play three 9" in legal(drawn)  # the pile is only 9H again


@pytest.mark.parametrize(
    ("laid", "taken"),
    [("9H TD JC", "TD JC"), ("9H TD JC QS", "TD JC QS"), ("9H TD JC QS KS KC AD", "KS KC AD")],
)
def test_pan_case_4_the_top_three_or_all_but_the_nine_of_hearts(laid, taken):
    at = position("9S", left_over(laid + " 9S"), pile=laid)
    act(at, "draw")
    assert sorted(hand(at, 0)) == sorted(["9S", *cards(taken)])
    assert pile(at) == [card for card in cards(laid) if card not in cards(taken)]


def test_pan_2_5_no_draw_from_the_nine_of_hearts_alone_and_a_draw_though_one_could_lay():
    held = "9S TS AS"
    assert legal(position(held, left_over(held + " 9H"), pile="9H")) == plays(held)
    at = position("AS AC", left_over("AS AC 9H 9S"), pile="9H 9S")
    assert legal(at) == [*plays("AS AC"), "draw"]


def test_pan_case_5_on_a_queen():
    held = "9S TS JS QS KS KC KD KH AS"
    at = position(held, left_over(held + " 9H QH"), pile="9H QH")
    assert legal(at) == [*plays("QS KS KC KD KH AS"), "play four K", "draw"]


def test_pan_case_6_four_tens_are_lower_than_a_king():
    held = "TS TC TD TH AS"
    assert legal(position(held, left_over(held + " 9H KH"), pile="9H KH")) == ["play AS", "draw"]
    assert "play four T" in legal(position(held, left_over(held + " 9H 9S"), pile="9H 9S"))


def test_pan_2_6_the_turn_passes_clockwise_after_laying_and_after_drawing():
    at = act(dealt("9H TS KS AS QD JC 9C TC"), "play 9H")
    assert at.seat == 1
    act(at, legal(at)[0])
    assert at.seat == 2
    act(at, "draw")
    assert at.seat == 0


@pytest.mark.parametrize("rank", "9TJQKA")
def test_pan_2_7_four_of_a_rank_lie_with_hearts_undermost_and_spades_on_top(rank):
    held = " ".join(rank + suit for suit in "SCDH")
    more = " KS KC AS AD" if rank in "9TJQ" else " TS TC JS JD"
    rest = left_over(held + more + " 9H 9S")
    at = dealt(held + more) if rank == "9" else position(held + more, rest, pile="9H 9S")
    act(at, f"play four {rank}")
    assert pile(at)[-4:] == [rank + suit for suit in "HDCS"]


# ------------------------------------------------------------------------------------------ 3 going out, letters, match


def test_pan_3_1_a_player_without_cards_is_out_and_the_others_play_on():
    at = act(position("AS", "KC QS", "KD QC", turn=0), "play AS")
    assert (at.seat, at.over, hand(at, 0)) == (1, RUNNING, [])
    act(at, "draw")
    assert at.seat == 2
    act(at, "draw")
    assert at.seat == 1


def test_pan_3_2_the_last_with_cards_gets_a_letter():
    at = act(position("AS", "KS", "KC AC", turn=0), "play AS, draw")
    assert at.seat == 2
    at = act(position("", "AS", "KC AC", turn=1), "play AS")
    assert (moved(at), scores(at), at.number) == ([0, 0, 1], [0, 0, 1], 1)


@pytest.mark.parametrize(
    ("last", "held", "letter"),
    [("AD", "AC", 0), ("AD", "AC AH", 1), ("AD", "QC", 1), ("KD", "AS AC AD AH", 0), ("AD", "AC AH AS", 1)],
)
def test_pan_case_7_undecided_or_not(last, held, letter):
    at = act(position(last, held), f"play {last}")
    assert moved(at) == [0, letter]


def test_pan_case_8_a_king_cannot_be_laid_on_an_ace():
    at = act(position("AD", "KS", episode="deal"), "play AD")
    assert (moved(at), at.returns()[0].tolist()) == ([0, 1], [1.0, -1.0])


@pytest.mark.parametrize("ace", ["AS", "AC", "AD", "AH"])
def test_pan_3_3_any_single_ace_is_undecided_with_more_seats_too(ace):
    others = [card for card in ("AS", "AC", "AD", "AH") if card != ace]
    at = act(position(others[0], "", ace, "", episode="deal"), f"play {others[0]}")
    assert (at.over, moved(at)) == (TERMINATED, [0, 0, 0, 0])
    assert at.returns()[0].tolist() == [0.0] * 4


def test_pan_3_3_four_of_a_lower_rank_on_an_ace_are_no_way_out():
    at = act(position("AD", "KS KC KD KH"), "play AD")
    assert moved(at) == [0, 1]


def loses_again(had, **options):
    """Seat 0 is about to get a letter, seats 1 and 2 go out."""
    at = position("QS QC", "AS", "", turn=1, **options)
    at._states["scores"][0, :3] = had
    return act(at, "play AS")


def test_pan_case_12_the_third_letter_loses_the_match():
    at = loses_again([2, 0, 0])
    assert (at.over, scores(at)) == (TERMINATED, [3, 0, 0])
    reward, points = at.returns()
    assert reward.tolist() == [-1.0, 0.5, 0.5]
    assert points.tolist() == [-3.0, 0.0, 0.0]  # fewer letters are better


@pytest.mark.parametrize(
    ("letters", "had", "over"), [(1, 0, True), (2, 0, False), (2, 1, True), (9, 7, False), (9, 8, True)]
)
def test_pan_3_4_a_match_goes_on_until_somebody_has_all_letters(letters, had, over):
    at = loses_again([had, 0, 0], letters=letters)
    assert at.over == (TERMINATED if over else RUNNING)
    assert scores(at) == [had + 1, 0, 0]
    assert at.number == 1
    if not over:
        assert sum(len(hand(at, seat)) for seat in range(3)) == 24  # dealt again


def test_pan_3_4_others_letters_do_not_end_the_match_and_undecided_deals_count_for_nothing():
    at = loses_again([1, 2, 2])
    assert (at.over, scores(at)) == (RUNNING, [2, 2, 2])
    at = act(position("AD", "AC"), "play AD")
    assert (at.over, scores(at), at.number) == (RUNNING, [0, 0], 1)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_pan_3_5_a_deal_pays_its_loser_and_the_others(players):
    hands = ["QS QC", *[""] * (players - 2), "AS"]
    at = act(position(*hands, turn=players - 1, episode="deal", letters=9, max_deals=1), "play AS")
    assert at.over == TERMINATED
    assert at.returns()[0].tolist() == [-1.0, *[1 / (players - 1)] * (players - 1)]
    assert at.returns()[1].tolist() == [-1.0] + [0.0] * (players - 1)


def test_pan_3_5_an_undecided_deal_is_terminated_and_pays_nothing():
    at = position("AD", "AC", episode="deal")
    at.play(at.game.action_id(at.rules, "play AD"))
    assert [at.advance(), at.advance(), at.advance()] == [SCORE, END, ASKED]
    assert (at.over, at.returns()[0].tolist(), moved(at)) == (TERMINATED, [0.0, 0.0], [0, 0])


OPENING = "9H 9D TS TC KS KC KD AS"


def test_pan_3_6_after_max_turns_a_deal_is_abandoned_and_a_single_one_truncated():
    at = act(dealt(OPENING, max_turns=2, episode="deal"), "play 9H")
    assert (at.over, sees(at)["turns_left_ones"]) == (RUNNING, 1)
    at.play(at.legal()[0])
    assert [at.advance(), at.advance()] == [END, ASKED]  # no score
    assert (at.over, at.returns()[0].tolist(), at.returns()[1].tolist()) == (TRUNCATED, [0.0] * 3, [0.0] * 3)


def test_pan_3_6_a_match_goes_on_after_an_abandoned_deal_with_the_next_number():
    at = act(dealt(OPENING, max_turns=1, max_deals=3), "")
    at.play(at.legal()[0])
    assert at.number == 1
    assert at.advance() == DEAL  # no score
    assert (at.number, scores(at), sees(at, 0)["turns_ones"]) == (1, [0, 0, 0], 0)
    at.play(at.legal()[0])
    assert (at.advance(), at.number) == (DEAL, 2)
    at.play(at.legal()[0])
    assert (at.advance(), at.over) == (END, TRUNCATED)
    assert at.returns()[0].tolist() == [0.0] * 3


def test_pan_3_6_the_last_turn_allowed_may_still_end_the_deal():
    at = act(position("AD", "QC", episode="deal", max_turns=1), "play AD")
    assert (at.over, moved(at)) == (TERMINATED, [0, 1])


def test_pan_3_6_a_match_is_truncated_after_max_deals_unless_it_is_lost_in_the_last():
    at = loses_again([1, 0, 0], max_deals=1)
    assert (at.over, scores(at), at.returns()[0].tolist()) == (TRUNCATED, [2, 0, 0], [0.0] * 3)
    assert loses_again([2, 0, 0], max_deals=1).over == TERMINATED
    at = act(position("AD", "AC", max_deals=1), "play AD")  # undecided
    assert at.over == TRUNCATED


def test_pan_3_6_records_number_every_deal_and_score_those_that_were_scored():
    lines = record_episode(Table("pan", players=2, max_turns=300, max_deals=9, letters=9), ["random"] * 2, 3)
    read = [line for line in map(json.loads, lines) if line["type"] in ("deal", "score")]
    assert [line["number"] for line in read if line["type"] == "deal"] == list(range(9))
    number, scored = 0, []
    for line in read:
        if line["type"] == "deal":
            number = line["number"]
        else:
            assert line["deal"] == number
            scored.append(number)
    assert 0 < len(scored) < 9
    assert replay(lines).deals == 9


# ----------------------------------------------------------------------------------------------------- 4 spades go back


def test_pan_case_9_a_seat_that_is_out_is_passed_over():
    at = act(position("KS QS", "KC QC", "", "KD QD", turn=1), "draw")
    assert at.seat == 3


HELD = ("KC QC", "KD QD TS", "KS JS")


@pytest.mark.parametrize(
    ("laid", "action", "follows"),
    [
        ("9H 9S", "play TS", 0),
        ("9H 9S", "play KD", 2),
        ("9H QS AS AC AD", "draw", 0),
        ("9H 9C AS AC AD", "draw", 2),
        ("9H QH TC AS AC", "draw", 2),  # AS, taken, does not count
        ("9H AS AC", "draw", 2),
    ],
)
def test_pan_case_10_a_spade_sends_the_turn_back(laid, action, follows):
    rest = [card for card in RISING if card not in " ".join((*HELD, laid)).split()]
    at = position(f"{HELD[0]} {' '.join(rest)}", HELD[1], HELD[2], pile=laid, turn=1, spades_back=True)
    assert act(at, action).seat == follows
    without = position(f"{HELD[0]} {' '.join(rest)}", HELD[1], HELD[2], pile=laid, turn=1)
    assert act(without, action).seat == 2


def test_pan_case_11_the_last_card_of_a_seat_sends_the_turn_back_too():
    at = act(position("KS QS", "AS", "KC QC", turn=1, spades_back=True), "play AS")
    assert (at.seat, hand(at, 1)) == (0, [])


def test_pan_4_1_four_and_three_of_a_rank_hold_a_spade():
    at = act(dealt("9H 9D 9C 9S KS KC AS AD", spades_back=True), "play four 9")
    assert at.seat == 2
    at = position("KS", "9D 9C 9S AS", left_over("9H 9D 9C 9S AS KS"), pile="9H", turn=1, spades_back=True)
    assert act(at, "play three 9").seat == 0
    four = "JS JC JD JH AS"
    at = position("KS", four, left_over(f"9H KS {four}"), pile="9H", turn=1, spades_back=True)
    assert act(at, "play four J").seat == 0


def test_pan_4_1_seats_that_are_out_are_passed_over_backwards():
    for uncovered, follows in (("AS", 0), ("AC", 3)):  # seat 1, on the right of seat 2, is out
        laid = f"9H {uncovered} KD KH AH"
        at = position("QD", "", "QC", left_over(f"{laid} QD QC"), pile=laid, turn=2, spades_back=True)
        act(at, "draw")
        assert (pile(at), at.seat) == (["9H", uncovered], follows)
    for card, follows in (("AS", 0), ("AC", 3)):
        held = "AS AC"
        at = position("KC", "", held, left_over(f"9H 9D KC {held}"), pile="9H 9D", turn=2, spades_back=True)
        assert act(at, f"play {card}").seat == follows


@pytest.mark.parametrize("card", ["AS", "AC"])
def test_pan_4_2_with_two_left_both_directions_lead_to_the_other(card):
    held = "AS AC KD"
    at = position("QC QD", "", held, "", turn=2, spades_back=True)
    assert act(at, f"play {card}").seat == 0


def test_pan_4_3_the_direction_lasts_for_one_turn():
    at = position("TC QD", "TS KD", left_over("9H 9S TC QD TS KD"), pile="9H 9S", turn=1, spades_back=True)
    act(at, "play TS")
    assert at.seat == 0
    act(at, "play TC")
    assert at.seat == 1  # clockwise again


# -------------------------------------------------------------------------------------------- 5 options, 6 actions


def test_pan_5_the_options_are_those_of_the_book():
    text = BOOK[BOOK.index("\n## 5 ") :].split("\n## ")[1]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:3] == "| `"]
    book = {}
    for names, values, defaults in rows:
        for name, default in zip(names.replace("`", "").split(", "), defaults.split(", "), strict=True):
            book[name] = (values, default)
    found = {}
    for spec in fields(GAME.rules):
        values = spec.metadata["values"]
        if values is None:
            text = f"≥ {spec.metadata['minimum']}"
        elif values == (False, True):
            text = "bool"
        else:
            text = ", ".join(map(str, values)) if len(values) < 5 else f"{values[0]}–{values[-1]}"
        found[spec.name] = (text, str(spec.default))
    assert found == book
    assert found["players"] == ("2, 3, 4", "3")
    assert found["letters"] == ("1–9", "3")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": 5}, "players=5.*2, 3, 4"),
        ({"players": "3"}, "players='3'"),
        ({"spades_back": 1}, "spades_back=1"),
        ({"letters": 0}, "letters=0.*1, 2, 3"),
        ({"letters": 10}, "letters=10"),
        ({"max_turns": 0}, "max_turns=0.*from 1"),
        ({"max_deals": 1.0}, "max_deals=1.0"),
        ({"spade_back": True}, "'spade_back'.*spades_back"),
        ({"preset": "house"}, "'house'"),
    ],
)
def test_pan_5_a_wrong_option_is_named(options, words):
    with pytest.raises(ValueError, match=words):
        Table("pan", **options)


def test_pan_6_action_ids():
    names = GAME.action_names()
    assert len(names) == 32
    assert list(names[:24]) == [f"play {card}" for card in DECK]
    assert (names[0], names[5], names[6], names[23]) == ("play 9S", "play AS", "play 9C", "play AH")
    assert list(names[24:30]) == [f"play four {rank}" for rank in "9TJQKA"]
    assert list(names[30:]) == ["play three 9", "draw"]
    assert {GAME.action_names(GAME.rules(players=players)) for players in (2, 3, 4)} == {names}


# ------------------------------------------------------------------------------------------------- 7 what a seat sees


def test_pan_7_the_start_shows_who_holds_the_nine_of_hearts_and_nothing_else():
    at = dealt("TD TH JS JC JD JH QS QC", OPENING)
    assert at.seat == 1
    seen = sees(at, 0)
    assert (seen["hand"], seen["held"], seen["turn"]) == (hand(at, 0), [8, 8, 8], 1)
    assert seen["known"] == [[], ["9H"], []]
    assert set(seen["unseen"]) == set(DECK) - set(hand(at, 0)) - {"9H"}
    assert set(sees(at, 1)["known"][0]) == {"9H"}
    assert (seen["clockwise"], seen["counter"]) == (2, 0)


def test_pan_7_cards_drawn_are_known_until_they_are_laid():
    at = dealt("9H TS KS AS QD JC 9C KC", "9D TC TD TH JS JD JH QS")
    act(at, "play 9H, play 9D, play 9S, play 9C, play JS, play QC, play QD, draw")
    assert sees(at, 0)["known"] == [[], ["JS", "QC", "QD"], []]
    assert sees(at, 1)["known"] == [["JS", "QC", "QD"], [], []]
    assert {"JS", "QC", "QD"} & set(sees(at, 2)["unseen"]) == set()
    act(at, "draw, play TS, play QC")  # seat 2 takes 9D 9S 9C; seat 1 lays one of the three that it drew
    assert sees(at, 0)["known"] == [[], ["JS", "QD"], ["9S", "9C", "9D"]]
    assert sees(at, 0)["held"] == [4, 8, 9]
    act(at, "play QH, draw")  # seat 0 takes its own TS, QC and QH
    assert sees(at, 1)["known"] == [["JS", "QD"], ["9S", "9C", "9D"], ["TS", "QC", "QH"]]
    assert "QC" not in sees(at, 2)["unseen"]


def test_pan_7_letters_turns_and_deals():
    at = loses_again([1, 0, 0], letters=4, max_deals=7, max_turns=1500)
    seen = sees(at, 1)
    assert (seen["letters"], seen["letters_left"]) == ([0, 0, 2], [4, 4, 2])
    assert (seen["deals_played"], seen["deals_left"]) == (1, 6)
    assert (seen["turns_tens"], seen["turns_ones"]) == (0, 0)
    assert (seen["turns_left_tens"], seen["turns_left_ones"]) == (127, 9)  # 1500, of which 1279 are shown
    assert (seen["players"], seen["spades_back"], seen["single_deal"]) == ("3", 0, 0)


def test_pan_7_when_the_deal_is_over_nobody_follows():
    at = act(position("AD", "QC", episode="deal"), "play AD")
    seen = sees(at, 0)
    assert (seen["turn"], seen["clockwise"], seen["counter"]) == (-1, -1, -1)
