"""The referee of Piotruś: the worked cases of the rule book, golden games, faults it must find, and who knows what."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from referee import piotrus, piotrus_play
from referee.piotrus import Deal, RecordFault, actions, options, paired, returns, sizes
from referee.piotrus_knowledge import Knowledge, consistent, objections

RECORDS = Path(__file__).parent / "records" / "piotrus"
GOLDEN = sorted(RECORDS.glob("*.jsonl"))

Lines = list[dict[str, Any]]


def golden(name: str) -> Lines:
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()]


def check(lines: Lines) -> piotrus.Report:
    return piotrus.check_lines([json.dumps(line) for line in lines])


def fault(lines: Lines) -> RecordFault:
    with pytest.raises(RecordFault) as raised:
        check(lines)
    return raised.value


def cards(text: str) -> list[str]:
    return text.split()


def table(*fans: str, dealer: int | None = None, **chosen: Any) -> Deal:
    """A deal of these fans, by seat, before any discarding; the last seat deals, so that seat 0 is the first."""
    seats = len(fans)
    return Deal(options(players=seats, **chosen), seats - 1 if dealer is None else dealer, [cards(fan) for fan in fans])


def act(deal: Deal, *names: str) -> Deal:
    """Carry out these actions; after `shuffle:` stands the new order."""
    for name in names:
        action, _, fan = name.partition(": ")
        assert action in deal.legal(), (deal.seat, action, deal.legal())
        deal.act(action, cards(fan))
    return deal


def fans(deal: Deal) -> list[str]:
    return [" ".join(fan) for fan in deal.fans]


# ------------------------------------------------------------------------------------------------- worked cases (8)


def test_piotrus_8_1_two_seats_and_the_full_deck():
    assert sizes(options(players=2), dealer=0) == [25, 26]
    assert sizes(options(players=2), dealer=1) == [26, 25]
    chance = random.Random(1)
    for _ in range(50):
        rules = options(players=2, pairing=chance.choice(["colour", "rank"]), shuffle="never")
        deal = Deal(rules, 0, piotrus_play.dealt(chance, rules, 0))
        assert sum(len(fan) for fan in deal.fans) % 2 == 1


@pytest.mark.parametrize(
    ("one", "other", "pair"),
    [("7H", "7D", True), ("KS", "KC", True), ("7H", "7S", False), ("JH", "JD", True), ("7H", "8H", False)],
)
def test_piotrus_8_2_pairs_of_one_colour(one, other, pair):
    assert paired(options(), one, other) is pair
    assert paired(options(), other, one) is pair


def test_piotrus_8_2_piotrus_never_pairs():
    assert not any(paired(options(), "JS", card) for card in piotrus.deck(options()) if card != "JS")
    queens = options(odd_card="queen")
    assert not any(paired(queens, "QS", card) for card in piotrus.deck(queens) if card != "QS")
    assert paired(queens, "JS", "JC")


def test_piotrus_8_3_the_short_deck():
    deck = piotrus.deck(options(deck="short"))
    assert deck == cards("9S TS JS QS KS AS 9C TC QC KC AC 9D TD JD QD KD AD 9H TH JH QH KH AH")
    assert len(deck) == 23
    assert len(piotrus.pairs_of(options(), deck)) == 11


def test_piotrus_8_4_three_of_a_rank():
    deal = table("QH 3C QS QD", "5S 6S", "7S 8S", odd_card="queen", pairing="rank")
    assert fans(deal)[0] == "3C QD"
    assert deal.laid == ["QH", "QS"]


@pytest.mark.parametrize(("side", "giver"), [("right", 0), ("left", 2)])
def test_piotrus_8_5_who_starts_and_from_whom(side, giver):
    deal = table("2S 3S", "4S 5S", "6S 7S", dealer=0, draw_from=side, shuffle="never")
    assert (deal.seat, deal.drawer, deal.giver) == (1, 1, giver)


def test_piotrus_8_6_the_card_goes_to_the_end():
    deal = act(table("2S 3S", "5C", "4H JS 9D", shuffle="never"), "draw 1")
    assert fans(deal) == ["2S 3S JS", "5C", "4H 9D"]


def test_piotrus_8_7_a_twin_is_laid_off():
    deal = act(table("9H KC", "5C 2S", "4H JS 9D", shuffle="never"), "draw 2")
    assert fans(deal) == ["KC", "5C 2S", "4H JS"]
    assert deal.laid == ["9H", "9D"]


def test_piotrus_8_8_one_draw_empties_both():
    deal = act(table("9H", "5C 5D JS", "9D"), "draw 0")
    assert deal.places == [2, 3, 1]  # the giver first; the third keeps its cards
    assert deal.end == "lost"
    deal = act(table("9H", "5C", "5D JS", "9D"), "draw 0")
    assert (deal.places, deal.end) == ([2, 0, 0, 1], None)


def test_piotrus_8_9_a_finished_seat_is_passed_over():
    deal = act(table("4S 6S 5C", "5S", "7D JS", shuffle="never"), "draw 0", "draw 2")
    assert (deal.places, deal.seat, deal.giver) == ([0, 1, 0], 2, 0)


def test_piotrus_8_10_piotrus_seen_again_at_the_end():
    deal = act(table("2S 3S", "JS 5H", shuffle="anytime"), "offer", "draw 0", "offer")
    assert (deal.seat, deal.giver) == (1, 0)
    assert Knowledge.of(deal, 1).known[0] == [None, None, "JS"]
    deal = act(table("2S 3S", "JS 5H", shuffle="anytime"), "offer", "draw 0", "shuffle: JS 3S 2S")
    knowledge = Knowledge.of(deal, 1)
    assert (knowledge.known[0], knowledge.loose[0]) == ([None, None, None], {"JS"})


def test_piotrus_8_11_a_known_card_goes_to_a_third():
    # A is seat 2 and gives KC to B, seat 0, at whose position 2 it stands; C is seat 1.
    deal = act(table("2S 3S", "4H", "KC 5H", shuffle="never"), "draw 0")
    assert Knowledge.of(deal, 2).known == [[None, None, "KC"], [None], []]
    act(deal, "draw 2")
    assert Knowledge.of(deal, 2).known == [[None, None], [None, "KC"], []]


@pytest.mark.parametrize("episode", range(40))
def test_piotrus_8_12_the_loser_holds_one_card(episode):
    chance = random.Random(episode)
    rules = options(players=chance.randint(2, 5), deck=chance.choice(["full", "short"]))
    *_, last = piotrus.walk(piotrus_play.record(chance, rules, "deal"))
    deal = last.deal
    loser = deal.places.index(rules["players"])
    assert [fan for fan in deal.fans if fan] == [deal.fans[loser]] == [["JS"]]


# -------------------------------------------------------------------------------------------------- other clauses


def test_piotrus_1_1_cards_in_the_order_of_their_ids():
    full = piotrus.all_cards(options())
    assert (full[0], full[8], full[12], full[13], full[51]) == ("2S", "TS", "AS", "2C", "AH")
    assert len(piotrus.deck(options())) == 51
    assert set(full) - set(piotrus.deck(options())) == {"JC"}
    assert set(full) - set(piotrus.deck(options(odd_card="queen"))) == {"QC"}
    pictures = piotrus.deck(options(deck="picture"))
    assert (pictures[0], pictures[1], pictures[2], pictures[23], pictures[24]) == ("1a", "1b", "2a", "12b", "P")
    assert len(pictures) == 25


def test_piotrus_1_3_pictures_pair_with_the_identical_one_only():
    for chosen in ({}, {"pairing": "rank"}, {"odd_card": "queen"}):
        rules = options(deck="picture", **chosen)
        assert paired(rules, "1a", "1b")
        assert not paired(rules, "1a", "11a")
        assert not paired(rules, "1b", "2b")
        assert not any(paired(rules, "P", card) for card in piotrus.deck(rules)[:-1])


def test_piotrus_2_1_who_holds_one_card_more():
    assert sizes(options(), dealer=2) == [17, 17, 17]
    assert sizes(options(players=4), dealer=1) == [13, 12, 13, 13]  # the dealer has one less
    assert sizes(options(players=5), dealer=4) == [11, 10, 10, 10, 10]
    assert sizes(options(deck="short"), dealer=0) == [7, 8, 8]
    assert sizes(options(deck="short", players=5), dealer=1) == [4, 4, 5, 5, 5]
    assert sizes(options(deck="picture", players=8), dealer=3) == [3, 3, 3, 3, 4, 3, 3, 3]


def test_piotrus_2_3_manual_seat_by_seat_from_the_dealers_left():
    deal = table("2S 2C 9H", "5S 6S", "7S 7C 8S 8C JS", dealer=1, discard="manual", shuffle="never")
    assert (deal.seat, deal.legal()) == (2, ["lay 7S 7C", "lay 8S 8C"])
    act(deal, "lay 8S 8C")
    assert (deal.seat, deal.legal()) == (2, ["lay 7S 7C"])
    act(deal, "lay 7S 7C")
    assert (deal.seat, deal.legal()) == (0, ["lay 2S 2C"])
    act(deal, "lay 2S 2C")
    assert (deal.phase, fans(deal)) == ("draw", ["9H", "5S 6S", "JS"])
    assert (deal.seat, deal.giver) == (2, 1)


def test_piotrus_2_3_manual_the_drawer_lays():
    deal = act(table("9H KC", "5C 2S", "4H JS 9D", discard="manual", shuffle="never"), "draw 2")
    assert (deal.phase, deal.seat, deal.legal()) == ("lay", 0, ["lay 9D 9H"])  # the lower id first
    assert fans(deal)[0] == "9H KC 9D"
    act(deal, "lay 9D 9H")
    assert (fans(deal)[0], deal.seat, deal.phase) == ("KC", 1, "draw")


def test_piotrus_2_4_manual_lets_the_owner_choose():
    deal = table("QH 3C QS QD", "5S 6S", "7S 8S", odd_card="queen", pairing="rank", discard="manual")
    assert deal.legal() == ["lay QS QD", "lay QS QH", "lay QD QH"]
    assert fans(act(deal, "lay QD QH"))[0] == "3C QS"


def test_piotrus_2_5_places_in_order_from_the_dealers_left():
    deal = table("2S 2C", "5S JS", "7S 7C", "8D", dealer=1)
    assert deal.places == [2, 0, 1, 0]  # seat 2 is the dealer's left neighbour
    assert (deal.drawer, deal.giver) == (3, 1)  # 3.1: seats 2 and 0 hold nothing


def test_piotrus_2_5_manual_places_come_after_all_pairs():
    deal = table("2S 2C", "5S JS", "7S 7C", "8D 6H 6D", dealer=1, discard="manual")
    act(deal, "lay 7S 7C")
    assert deal.places == [0, 0, 0, 0]
    act(deal, "lay 6D 6H")
    assert (deal.seat, deal.places) == (0, [0, 0, 0, 0])
    act(deal, "lay 2S 2C")
    assert deal.places == [2, 0, 1, 0]


@pytest.mark.parametrize("discard", ["auto", "manual"])
def test_piotrus_2_5_one_seat_alone_before_a_draw_is_a_redeal(discard):
    deal = table("2S 2C", "5S JS 5C", "7S 7C", discard=discard)
    if discard == "manual":
        act(deal, "lay 2S 2C", "lay 5S 5C")
        assert deal.end is None
        act(deal, "lay 7S 7C")
    assert (deal.end, deal.places) == ("redeal", [0, 0, 0])


def test_piotrus_3_2_nearest_seat_that_holds_cards():
    # Seats 1 and 3 of five are empty from the start; seat 4 deals, seat 0 starts.
    empty = ("2S 3S", "4S 4C", "6S", "8H 8D", "9S JS")
    assert table(*empty).giver == 4
    assert table(*empty, draw_from="left").giver == 2
    deal = act(table(*empty, draw_from="left", shuffle="never"), "draw 0")  # 6S: seat 2 is empty too
    assert (deal.places, deal.drawer, deal.giver) == ([0, 1, 3, 2, 0], 4, 0)  # clockwise from 0: 4; its left: 0


@pytest.mark.parametrize(
    ("rule", "giver", "drawer"),
    [
        ("anytime", ["offer", "shuffle"], ["draw 0", "draw 1", "shuffle"]),
        ("before_offer", ["offer", "shuffle"], ["draw 0", "draw 1"]),
        ("never", None, ["draw 0", "draw 1"]),
    ],
)
def test_piotrus_3_3_who_may_shuffle(rule, giver, drawer):
    deal = table("2S 3S", "5S 6S", "7S JS", shuffle=rule)
    if giver:
        assert (deal.seat, deal.legal()) == (2, giver)
        act(deal, "offer")
    assert (deal.seat, deal.legal()) == (0, drawer)


def test_piotrus_3_3_both_shuffle_once():
    deal = act(table("2S 3S", "5S 6S", "7S JS"), "shuffle: JS 7S")
    assert (deal.seat, deal.legal()) == (0, ["draw 0", "draw 1", "shuffle"])  # the giver is asked once
    assert (deal.giver_shuffled, deal.drawer_shuffled) == (True, False)
    act(deal, "shuffle: 3S 2S")
    assert (deal.seat, deal.legal(), deal.drawer_shuffled) == (0, ["draw 0", "draw 1"], True)
    act(deal, "draw 0")
    assert fans(deal) == ["3S 2S JS", "5S 6S", "7S"]
    assert (deal.seat, deal.legal()) == (0, ["offer", "shuffle"])  # a new turn
    assert (deal.giver_shuffled, deal.drawer_shuffled) == (False, False)


def test_piotrus_3_3_one_card_is_not_shuffled():
    assert table("2S 3S", "5S 6S", "JS").legal() == ["draw 0", "shuffle"]  # a giver with one is not asked
    deal = act(table("2S", "5S 6S", "7S JS"), "offer")
    assert deal.legal() == ["draw 0", "draw 1"]  # a drawer with one is only asked to draw


def test_piotrus_3_5_manual_giver_at_the_draw_and_drawer_with_his_lay():
    deal = act(table("9H", "5C", "5D JS", "9D", discard="manual"), "draw 0")
    assert (deal.places, deal.phase, deal.seat) == ([0, 0, 0, 1], "lay", 0)
    act(deal, "lay 9D 9H")
    assert (deal.places, deal.drawer, deal.giver) == ([2, 0, 0, 1], 1, 2)


def test_piotrus_4_1_manual_one_seat_alone_lays_its_pair_before_the_game_ends():
    deal = act(table("9H JS", "9D", discard="manual"), "draw 0")
    assert (deal.end, deal.seat, deal.legal()) == (None, 0, ["lay 9D 9H"])
    act(deal, "lay 9D 9H")
    assert (deal.end, deal.places, deal.fans[0]) == ("lost", [2, 1], ["JS"])


@pytest.mark.parametrize(
    ("reward", "places", "wanted"),
    [
        ("loser", [1, 3, 2], [0.5, -1, 0.5]),
        ("place", [1, 3, 2], [1, -1, 0]),
        ("loser", [5, 1, 2, 4, 3], [-1, 0.25, 0.25, 0.25, 0.25]),
        ("place", [5, 1, 2, 4, 3], [-1, 1, 0.5, -0.5, 0]),
        ("loser", [2, 1], [-1, 1]),
        ("place", [2, 1], [-1, 1]),
    ],
)
def test_piotrus_4_2_rewards(reward, places, wanted):
    assert returns(options(players=len(places), deck="short", reward=reward), places) == pytest.approx(wanted)
    assert sum(wanted) == 0


def test_piotrus_5_options():
    assert options()["players"] == 3
    assert len(options()) == 9
    assert options(deck="picture", players=8)["players"] == 8
    for wrong in ({"players": 6}, {"players": 1}, {"deck": "picture", "players": 9}, {"max_turns": 0}, {"jokers": 1}):
        with pytest.raises(ValueError, match="|".join(wrong)):
            options(**wrong)


@pytest.mark.parametrize(
    ("chosen", "lays", "first", "last"),
    [
        ({}, 25, "lay 2S 2C", "lay AD AH"),
        ({"deck": "short"}, 11, "lay 9S 9C", "lay AD AH"),
        ({"pairing": "rank"}, 75, "lay 2S 2C", "lay AD AH"),
        ({"deck": "short", "pairing": "rank"}, 33, "lay 9S 9C", "lay AD AH"),
        ({"deck": "picture"}, 12, "lay 1a 1b", "lay 12a 12b"),
        ({"deck": "picture", "pairing": "rank"}, 12, "lay 1a 1b", "lay 12a 12b"),
    ],
)
def test_piotrus_6_actions(chosen, lays, first, last):
    names = actions(options(discard="manual", **chosen))
    assert (names[0], names[25], names[26], names[27]) == ("draw 0", "draw 25", "offer", "shuffle")
    assert len(names) == len(set(names)) == 28 + lays
    assert (names[28], names[-1]) == (first, last)
    assert actions(options(**chosen)) == names[:28]


def test_piotrus_6_lays_are_ordered_by_the_lower_card():
    names = actions(options(deck="short", pairing="rank", discard="manual"))
    # 9S pairs with three, then TS; jacks are three without JC.
    assert names[28:36] == [
        f"lay {pair}" for pair in ("9S 9C", "9S 9D", "9S 9H", "TS TC", "TS TD", "TS TH", "JS JD", "JS JH")
    ]


# ------------------------------------------------------------------------------------------------------ golden games


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_are_right(path):
    assert piotrus.check(path).episodes == 1


def walked(name: str, line: int) -> Deal:
    """The deal of a golden game before the move in this line."""
    for position in piotrus.walk((RECORDS / f"{name}.jsonl").read_text().splitlines()):
        if position.line == line:
            return position.deal
    raise AssertionError(f"{name} has no move in line {line}")


def test_golden_short_auto_shuffled():
    """Seat 0 deals and is the first out; seat 1 draws Piotruś back from seat 2 and keeps it.

    First discards: 0 KS KC, QD QH; 1 9S 9C; 2 TS TC, JD JH. Then 9H 9D, AS AC, KH KD (0 out), QS QC, TD TH, AD AH.
    """
    deal = walked("short_auto_shuffled", 3)
    assert fans(deal) == ["KH 9H AC", "TD QS KD AH JS 9D", "TH QC AS AD"]
    report = check(golden("short_auto_shuffled"))
    assert (report.moves, report.actions) == (16, {"draw": 8, "shuffle": 5, "offer": 3})
    assert golden("short_auto_shuffled")[-2:] == [
        {"type": "score", "deal": 0, "points": [1, 3, 2], "totals": [1, 3, 2]},
        {"type": "end", "terminated": True, "returns": [0.5, -1.0, 0.5]},
    ]


def test_golden_rank_manual_left():
    """Four seats; QC is out and QD QH are laid, so QS is Piotruś: seat 1 has held it from the start."""
    deal = walked("rank_manual_left", 9)
    assert fans(deal) == ["9C KS TH AC", "QS JS", "9H JC", "KH TD AH"]
    assert fans(walked("rank_manual_left", 18)) == ["9C KS AC JS", "QS JC", "9H AH", "KH TD TH"]
    report = check(golden("rank_manual_left"))
    assert report.actions == {"lay": 11, "draw": 11, "offer": 7, "shuffle": 3}
    lines = golden("rank_manual_left")
    assert lines[-2]["points"] == [3, 4, 2, 1]
    assert lines[-1]["returns"] == pytest.approx([-1 / 3, -1, 1 / 3, 1])
    # 4.2: by the loser alone.
    lines[0]["rules"]["reward"] = "loser"
    lines[-1]["returns"] = [0.333333333333, -1, 0.333333333333, 0.333333333333]
    assert check(lines).episodes == 1


def test_golden_picture_redeal_never_shuffled():
    """Everybody but seat 2 is empty after the first deal; in the second seat 0 is, and two draws end it."""
    lines = golden("picture_redeal_never_shuffled")
    assert [(line["number"], line["dealer"]) for line in lines if line["type"] == "deal"] == [(0, 1), (0, 1)]
    assert fans(walked("picture_redeal_never_shuffled", 4)) == ["", "1b 2b", "P 1a 2a"]
    assert check(lines).ends == {"redeal": 1, "lost": 1}


def test_two_episodes_in_one_file():
    assert check(golden("rank_manual_left") + golden("short_auto_shuffled")).episodes == 2


# -------------------------------------------------------------------------------------------------- 4.4 the turn cap


def cut(name: str, moves: int, lines: int) -> Lines:
    """A golden game cut short after so many moves, which are so many lines."""
    record = golden(name)
    record[0]["rules"]["max_turns"] = moves
    seats = record[0]["rules"]["players"]
    return [*record[:lines], {"type": "end", "terminated": False, "returns": [0.0] * seats}]


def test_piotrus_4_4_cut_short_without_a_score():
    lines = cut("short_auto_shuffled", 2, 4)
    assert check(lines).ends == {"cut short": 1}
    lines.insert(4, {"type": "score", "deal": 0, "points": [0, 0, 0], "totals": [0, 0, 0]})
    assert fault(lines).line == 5


def test_piotrus_4_4_the_shuffle_line_is_still_written():
    lines = cut("short_auto_shuffled", 3, 6)
    assert check(lines).moves == 3
    lines.pop(5)
    assert fault(lines).line == 6


def test_piotrus_4_4_unless_the_last_of_them_ended_the_game():
    lines = golden("short_auto_shuffled")
    lines[0]["rules"]["max_turns"] = 16
    assert check(lines).ends == {"lost": 1}
    lines[0]["rules"]["max_turns"] = 15
    assert fault(lines).line == 23


def test_piotrus_4_4_a_redeal_is_not_dealt_at_the_cap():
    lines = golden("picture_redeal_never_shuffled")
    lines[0]["rules"] |= {"discard": "manual", "max_turns": 12}
    first = [(2, "1 2 3 4"), (0, "5 6 7 8"), (1, "9 10 11 12")]
    moves = []
    for seat, numbers in first:
        left = [f"lay {number}a {number}b" for number in numbers.split()]
        while left:
            moves.append({"type": "move", "seat": seat, "legal": list(left), "action": left.pop(0)})
    end = {"type": "end", "terminated": False, "returns": [0.0, 0.0, 0.0]}
    assert check([*lines[:2], *moves, end]).ends == {"redeal": 1, "cut short": 1}
    assert fault([*lines[:2], *moves, lines[1], end]).line == 15
    # One more decision allowed: now it is dealt again, and the redeal's turns go on from twelve.
    lines[0]["rules"]["max_turns"] = 13
    assert fault([*lines[:2], *moves, end]).line == 15
    assert check([*lines[:2], *moves, lines[1], moves[0], end]).deals == 2


# ------------------------------------------------------------------------------------------------------------ faults

# In short_auto_shuffled.jsonl line 2 is the deal; shuffle lines are 6, 8, 13, 18, 21; the score is 24, the end 25.
SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    # the match line
    "format": (1, lambda r: r[0].update(format=2)),
    "game": (1, lambda r: r[0].update(game="tysiac")),
    "episode": (1, lambda r: r[0].update(episode="game")),
    "start scores": (1, lambda r: r[0].update(start=[1, 0, 0])),
    "start of two seats": (1, lambda r: r[0].update(start=[0, 0])),
    "two players": (1, lambda r: r[0].update(players=["a", "b"])),
    "a nameless player": (1, lambda r: r[0].update(players=["a", "b", ""])),
    "option missing": (1, lambda r: r[0]["rules"].pop("shuffle")),
    "preset kept": (1, lambda r: r[0]["rules"].update(preset="kids")),
    "option value": (1, lambda r: r[0]["rules"].update(deck="tiny")),
    "six seats": (1, lambda r: r[0]["rules"].update(players=6)),
    "seats as a float": (1, lambda r: r[0]["rules"].update(players=3.0)),
    "no turns": (1, lambda r: r[0]["rules"].update(max_turns=0)),
    # the deal line
    "the card taken out": (2, lambda r: r[1]["hands"][0].__setitem__(0, "JC")),
    "a card below the nine": (2, lambda r: r[1]["hands"][0].__setitem__(0, "8S")),
    "a doubled card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "9S")),
    "a hand too long": (2, lambda r: r[1]["hands"][0].append(r[1]["hands"][1].pop())),
    "another dealer": (2, lambda r: r[1].update(dealer=1)),  # the sizes are his
    "dealer None": (2, lambda r: r[1].update(dealer=None)),
    "deal number": (2, lambda r: r[1].update(number=1)),
    "a talon": (2, lambda r: r[1].update(talon=[])),
    "fans written after discarding": (2, lambda r: r[1].update(hands=[h[:4] for h in r[1]["hands"]])),
    "the other deck": (2, lambda r: r[0]["rules"].update(deck="full")),
    # moves
    "giver not asked": (3, lambda r: r.pop(2)),
    "drawer asked first": (3, lambda r: r[2].update(seat=1)),
    "draw from the other side": (3, lambda r: r[0]["rules"].update(draw_from="left")),
    "offer with never": (3, lambda r: r[0]["rules"].update(shuffle="never")),
    "drawer shuffles before_offer": (4, lambda r: r[0]["rules"].update(shuffle="before_offer")),
    "too many positions": (4, lambda r: r[3]["legal"].insert(3, "draw 3")),
    "a position that is none": (4, lambda r: r[3].update(action="draw 3")),
    "legal in another order": (4, lambda r: r[3]["legal"].reverse()),
    "another card drawn": (9, lambda r: r[8].update(action="draw 5")),
    "another kept": (13, lambda r: r[8].update(action="draw 4")),  # then KD is not among those that seat 1 shuffles
    "auto asked as manual": (3, lambda r: r[0]["rules"].update(discard="manual")),
    "drawer shuffles twice": (9, lambda r: r.insert(8, {**r[6]})),
    "giver asked again": (7, lambda r: r.insert(6, {**r[2], "seat": 1})),
    "giver with one card asked": (12, lambda r: r.insert(11, {**r[2]})),
    "finished seat draws": (17, lambda r: r[16].update(seat=0)),
    "drawer not asked to shuffle": (22, lambda r: r[21]["legal"].remove("shuffle")),
    # shuffle lines
    "shuffle line left out": (6, lambda r: r.pop(5)),
    "shuffle line of another": (6, lambda r: r[5].update(seat=2)),
    "shuffle line too short": (6, lambda r: r[5]["fan"].pop()),
    "shuffle line with a strange card": (6, lambda r: r[5]["fan"].__setitem__(0, "9S")),
    "shuffle line with a doubled card": (6, lambda r: r[5]["fan"].__setitem__(0, "TD")),
    "shuffle line with an extra key": (6, lambda r: r[5].update(legal=[])),
    "shuffle line not asked for": (4, lambda r: r.insert(3, {**r[5]})),
    "two shuffle lines": (7, lambda r: r.insert(6, {**r[5]})),
    # the score and the end
    "places swapped": (24, lambda r: r[23].update(points=[2, 3, 1])),
    "totals added up": (24, lambda r: r[23].update(totals=[2, 6, 4])),
    "score left out": (24, lambda r: r.pop(23)),
    "one draw more": (24, lambda r: r.insert(23, {**r[22]})),
    "returns by place": (25, lambda r: r[24].update(returns=[1.0, -1.0, 0.0])),
    "cut short": (25, lambda r: r[24].update(terminated=False)),
    "end left out": (25, lambda r: r.pop(24)),
    "a second deal": (25, lambda r: r.insert(24, {**r[1]})),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found_in_its_line(slip):
    line, change = SLIPS[slip]
    lines = golden("short_auto_shuffled")
    change(lines)
    assert fault(lines).line == line


def test_a_shuffle_may_be_the_old_order():
    lines = golden("short_auto_shuffled")
    lines[7]["fan"] = cards("TH QC AS AD")  # line 8; JS comes to the end as before
    lines[10]["action"] = "draw 2"  # AS stands elsewhere now
    lines[10 + 7]["fan"] = cards("JS TH AD")
    assert check(lines).episodes == 1


# In rank_manual_left.jsonl the first lays are lines 3 to 8, later ones 18, 22, 28, 34, 37; the score is 38.
MANUAL_SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    "by colour": (3, lambda r: r[0]["rules"].update(pairing="colour")),
    "automatic": (3, lambda r: r[0]["rules"].update(discard="auto")),
    "the higher first": (3, lambda r: r[2].update(action="lay 9D 9S")),
    "another pair of three": (10, lambda r: (r[2].update(action="lay 9S 9C"), r[9]["legal"].append("shuffle"))),
    "another pair of three, seen in its lay": (28, lambda r: r[2].update(action="lay 9S 9C")),
    "a pair not offered": (4, lambda r: r[3]["legal"].pop()),
    "pairs by rank of the wrong order": (4, lambda r: r[3]["legal"].sort()),
    "the dealer lays first": (3, lambda r: r.insert(2, r.pop(7))),
    "a lay left out": (5, lambda r: r.pop(4)),
    "drawn before the lay": (18, lambda r: r.pop(17)),
    "laid by the giver": (18, lambda r: r[17].update(seat=0)),
    "the last lay left out": (37, lambda r: r.pop(36)),
    "drawer before giver": (38, lambda r: r[37].update(points=[4, 3, 2, 1])),
}


@pytest.mark.parametrize("slip", MANUAL_SLIPS)
def test_a_slip_in_a_manual_game_is_found_in_its_line(slip):
    line, change = MANUAL_SLIPS[slip]
    lines = golden("rank_manual_left")
    change(lines)
    assert fault(lines).line == line


REDEAL_SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    "redeal left out": (3, lambda r: r.pop(2)),
    "redeal with the next number": (3, lambda r: r[2].update(number=1)),
    "redeal with the next dealer": (3, lambda r: r[2].update(dealer=2, hands=r[2]["hands"][2:] + r[2]["hands"][:2])),
    "redeal of a deal that goes on": (3, lambda r: r.pop(1) and r.insert(2, {**r[1]})),
    "redeal scored": (3, lambda r: r.insert(2, {**r[5]})),
    "places of the void deal": (6, lambda r: r[5].update(points=[2, 1, 3])),
}


@pytest.mark.parametrize("slip", REDEAL_SLIPS)
def test_a_slip_in_a_redeal_is_found_in_its_line(slip):
    line, change = REDEAL_SLIPS[slip]
    lines = golden("picture_redeal_never_shuffled")
    change(lines)
    assert fault(lines).line == line


# ------------------------------------------------------------------------------------- records made by the referee


def test_the_referees_own_records_are_right_and_cover_everything():
    chance = random.Random(3)
    told = piotrus.Report()
    seen = set()
    slips = 0
    for _ in range(300):
        rules, episode = piotrus_play.drawn(chance)
        seen |= set(rules.items())
        lines = piotrus_play.record(chance, rules, episode)
        report = piotrus.check_lines(lines)
        told.actions += report.actions
        told.ends += report.ends
        try:
            piotrus.check_lines(piotrus_play.slipped(chance, lines))
        except RecordFault:
            slips += 1
    assert set(told.actions) == {"draw", "offer", "shuffle", "lay"}
    assert all(told.ends[end] > 20 for end in ("lost", "redeal", "cut short"))
    assert slips > 200
    assert {(name, value) for name, values in piotrus.OPTIONS.items() for value in values} <= seen
    assert {("players", seats) for seats in range(2, 9)} <= seen


# --------------------------------------------------------------------------------------------- 7.2 what a seat knows


def known(deal: Deal, me: int, other: int) -> str:
    """What a seat knows of another's fan: a dot for an unknown position, then the loose cards in brackets."""
    knowledge = Knowledge.of(deal, me)
    loose = sorted(knowledge.loose[other])
    return " ".join([card or "." for card in knowledge.known[other]] + [f"({card})" for card in loose])


def test_piotrus_7_2_nothing_is_known_at_first():
    deal = table("2S 2C 3S", "4S 5S", "6S JS")
    assert [known(deal, 0, 1), known(deal, 0, 2), known(deal, 1, 0)] == [". .", ". .", "."]
    assert Knowledge.of(deal, 1).out == ["2S", "2C"]
    assert Knowledge.of(deal, 0).knowers == [set()]


def test_piotrus_7_2a_a_card_given_away_stands_at_the_end():
    deal = act(table("KS", "9H 2D", "JS 4H", shuffle="never"), "draw 0")
    assert known(deal, 2, 0) == ". JS"
    assert known(deal, 1, 0) == ". ."
    assert known(deal, 0, 2) == "."  # the drawer learns nothing of what is left


def test_piotrus_7_2b_positions_close_up_and_a_third_draws():
    deal = act(table("KS", "9H 2D", "JS 4H", shuffle="never"), "draw 0", "draw 0")  # 1 draws KS, JS moves up
    assert fans(deal) == ["JS", "9H 2D KS", "4H"]
    assert (known(deal, 2, 0), known(deal, 2, 1)) == ("JS", ". . .")
    act(deal, "draw 0", "draw 0")  # 2 draws 9H from 1, 0 draws 4H from 2
    assert fans(deal) == ["JS 4H", "2D KS", "9H"]
    assert (known(deal, 0, 1), known(deal, 1, 2), known(deal, 2, 0)) == (". KS", "9H", "JS 4H")
    act(deal, "draw 0")  # 1 draws JS, seen by 2 as a third
    assert fans(deal) == ["4H", "2D KS JS", "9H"]
    assert (known(deal, 2, 0), known(deal, 2, 1), known(deal, 0, 1)) == ("4H", ". . JS", ". KS JS")
    # 7.3: KS was held by 0, JS by 2 and 0; 4H by 2; 9H by 1.
    assert Knowledge.of(deal, 1).knowers == [set(), {0}, {0, 2}]
    assert Knowledge.of(deal, 0).knowers == [{2}]
    assert Knowledge.of(deal, 2).knowers == [{1}]


def test_piotrus_7_2c_a_shuffle_makes_known_cards_loose():
    deal = act(table("KS 3C", "9H 2D 5S", "JS 4H 6C"), "offer", "draw 0", "shuffle: JS KS 3C")
    assert known(deal, 2, 0) == ". . . (JS)"
    assert known(deal, 1, 0) == ". . ."
    assert Knowledge.of(deal, 0).knowers == [set(), set(), set()]  # 7.3
    # The drawer's own shuffle does the same to what was known of him.
    act(deal, "shuffle: 2D 5S 9H", "draw 0")
    assert known(deal, 0, 1) == ". . . JS"
    assert Knowledge.of(deal, 1).knowers == [set(), set(), set(), {0}]  # not 2, though it held JS before the shuffle


def loose_cards(**chosen: Any) -> Deal:
    """Seat 2 has given 5C and 4H to seat 0, which has shuffled: 4H 5C 3C 7D; seat 1 holds 2D 5S KS and is to draw."""
    deal = table("KS 3C 7D", "9H 2D 5S", "5C 4H 6C TS", **chosen)
    act(deal, "offer", "draw 0", "offer", "draw 0", "offer", "draw 0", "offer", "draw 0")
    assert fans(deal) == ["3C 7D 5C 4H", "2D 5S KS", "6C TS 9H"]
    act(deal, "shuffle: 4H 5C 3C 7D")
    assert known(deal, 2, 0) == ". . . . (4H) (5C)"
    return deal


def test_piotrus_7_2d_all_are_forgotten_when_a_third_keeps_an_unknown_card():
    for place in (0, 2):  # 4H, which was loose, or 3C: seat 2 cannot tell
        deal = act(loose_cards(), f"draw {place}")
        assert (known(deal, 2, 0), known(deal, 2, 1)) == (". . .", ". . . .")


def test_piotrus_7_2d_the_others_stay_when_the_card_is_laid_off():
    deal = act(loose_cards(), "draw 1")  # 5C to 5S
    assert deal.laid == ["5S", "5C"]
    assert (known(deal, 2, 0), known(deal, 2, 1)) == (". . . (4H)", ". .")
    assert known(deal, 0, 1) == ". KS"  # 0 gave KS; the positions before it closed up


def test_piotrus_7_2d_manual_it_is_decided_with_the_lay():
    deal = act(loose_cards(discard="manual"), "draw 1")
    assert (deal.phase, deal.seat) == ("lay", 1)
    assert (known(deal, 2, 0), known(deal, 2, 1)) == (". . . (4H) (5C)", ". . . .")
    assert known(deal, 0, 1) == ". . KS 5C"  # the giver knows his card at once
    act(deal, "lay 5S 5C")
    assert (known(deal, 2, 0), known(deal, 2, 1)) == (". . . (4H)", ". .")


def test_piotrus_7_2d_manual_a_card_kept_is_decided_at_once():
    deal = act(loose_cards(discard="manual"), "draw 0")
    assert (deal.phase, known(deal, 2, 0)) == ("offer", ". . .")


def test_piotrus_7_2d_a_loose_card_drawn_by_this_seat_is_forgotten_the_other_stays():
    # Two seats: 1 gives JS and 4H to 0, who shuffles; 1 draws JS back.
    deal = act(table("KS 3C", "JS 4H 6C"), "offer", "draw 0", "offer", "draw 0", "offer", "draw 0", "shuffle: JS 4H 3C")
    assert known(deal, 1, 0) == ". . . (4H) (JS)"
    act(deal, "draw 0")
    assert known(deal, 1, 0) == ". . (4H)"
    assert fans(deal) == ["4H 3C", "6C KS JS"]
    assert known(deal, 0, 1) == ". KS JS"


def test_piotrus_7_2d_a_loose_card_laid_off_by_its_holder_is_forgotten():
    # 2 has given 5C to 0, who shuffles as drawer and draws 5S from 2, which had it from 1.
    deal = table("KS 3C 8H", "9H 5S 6D", "5C 4S TS")
    act(deal, "offer", "draw 0", "offer", "draw 0", "offer", "draw 1")
    assert fans(deal) == ["3C 8H 5C", "9H 6D KS", "4S TS 5S"]
    act(deal, "offer", "shuffle: 5C 8H 3C")
    assert (known(deal, 2, 0), known(deal, 1, 2)) == (". . . (5C)", ". . 5S")
    act(deal, "draw 2")
    assert fans(deal) == ["8H 3C", "9H 6D KS", "4S TS"]
    assert (known(deal, 2, 0), known(deal, 1, 2)) == (". .", ". .")


def test_piotrus_7_2e_one_unknown_position_and_one_loose_card():
    for discard in ("auto", "manual"):
        deal = table("KS", "9H 2D 5S", "5C 4H 6C TS", discard=discard)
        act(deal, "offer", "draw 0", "offer", "draw 0", "offer", "draw 0", "offer", "draw 0")
        assert fans(deal) == ["5C 4H", "2D 5S KS", "6C TS 9H"]
        act(deal, "shuffle: 4H 5C")
        assert known(deal, 2, 0) == ". . (4H) (5C)"  # two places for two cards: nothing is inferred
        act(deal, "draw 1")
        if discard == "manual":
            assert known(deal, 2, 0) == ". (4H) (5C)"
            act(deal, "lay 5S 5C")
        assert known(deal, 2, 0) == "4H"
        # 7.3 tells of (a) and (b) only: 0 has shuffled since 2 held the card.
        assert Knowledge.of(deal, 0).knowers == [set()]


def test_piotrus_7_2e_manual_not_before_the_lay():
    # 4H came from 2 and is loose in seat 0's fan of two; 1 draws one of them and will lay it off.
    for place, drawn, lay, after in ((1, "3C", "lay 3S 3C", "4H"), (0, "4H", "lay 4D 4H", ".")):
        deal = act(table("3C", "9H 3S 4D", "4H 6C TS", discard="manual"), "offer", "draw 0", "shuffle: 4H 3C")
        assert known(deal, 2, 0) == ". . (4H)"
        act(deal, f"draw {place}")
        assert deal.fans[1][-1] == drawn
        assert (known(deal, 2, 0), known(deal, 2, 1)) == (". (4H)", ". . . .")
        act(deal, lay)
        assert (known(deal, 2, 0), known(deal, 2, 1)) == (after, ". .")


def test_piotrus_7_2e_when_this_seat_draws_the_other_card():
    deal = act(table("KS", "JS 4H 6C"), "offer", "draw 0")  # 0: KS JS
    act(deal, "shuffle: JS KS")
    assert known(deal, 1, 0) == ". . (JS)"
    act(deal, "draw 1")  # KS: only JS can be left
    assert known(deal, 1, 0) == "JS"
    assert Knowledge.of(deal, 0).knowers == [set()]


def test_piotrus_7_2_a_redeal_forgets_everything():
    knowledge = Knowledge(2)
    for event in loose_cards().story:
        knowledge.see(event)
    assert knowledge.loose[0]
    knowledge.see(table("2S 3S", "4S 5S", "6S 7S").story[0])
    assert (knowledge.known, knowledge.fan) == ([[None, None], [None, None], []], ["6S", "7S"])
    assert (knowledge.loose, knowledge.knowers, knowledge.out) == ([set(), set(), set()], [set(), set()], [])


class WithoutTheLastPlace(Knowledge):
    """Knows by 7.2 (a) to (d) alone."""

    def _one_place_left(self) -> None:
        pass


def test_piotrus_7_what_is_known_is_true_and_7_3_tells_who_knows_it():
    """In random games of all kinds; and 7.3's two descriptions of who knows a card are the same."""
    chance = random.Random(7)
    places = loose = by_elimination = undecided = 0
    for _ in range(60):
        rules, episode = piotrus_play.drawn(chance)
        seats = range(rules["players"])
        full: list[Knowledge] = []
        plain: list[Knowledge] = []
        deal = None
        for position in piotrus.walk(piotrus_play.record(chance, rules, episode)):
            if position.deal is not deal:
                deal, seen = position.deal, 0
                full = [Knowledge(me) for me in seats]
                plain = [WithoutTheLastPlace(me) for me in seats]
            for event in deal.story[seen:]:
                for knowledge in full + plain:
                    knowledge.see(event)
            seen = len(deal.story)
            for me in seats:
                assert objections(full[me], deal, deal.fans) == []
                assert full[me].fan == deal.fans[me]
                undecided += full[me].undecided is not None
                loose += sum(len(some) for some in full[me].loose)
                for other in set(seats) - {me}:
                    pairs = zip(full[me].known[other], deal.fans[other], strict=True)
                    assert all(card in (None, truth) for card, truth in pairs)
                    knows = [card is not None for card in plain[me].known[other]]
                    assert knows == [me in some for some in plain[other].knowers]
                    places += sum(knows)
                    by_elimination += len(full[me].known[other]) - full[me].known[other].count(None) - sum(knows)
    assert places > 3000 and loose > 400 and by_elimination > 20 and undecided > 50


# ------------------------------------------------------------------------------------------ whether it could be true


def others(deal: Deal, me: int, *placed: str) -> list[str]:
    """The objections of a seat to these fans, but for the deck, which small examples do not have."""
    wrong = objections(Knowledge.of(deal, me), deal, [cards(fan) for fan in placed])
    return [text for text in wrong if "deck" not in text]


def test_consistent_own_fan_deck_and_counts():
    deal = walked("short_auto_shuffled", 3)
    knowledge = Knowledge.of(deal, 0)
    assert consistent(knowledge, deal, deal.fans)
    own, first, second = deal.fans
    assert consistent(knowledge, deal, [own, second[:1] + first[1:], first[:1] + second[1:]])  # TD and TH exchanged
    assert not consistent(knowledge, deal, [own[::-1], first, second])
    assert consistent(knowledge, deal, [own, first[::-1], second])
    assert not consistent(knowledge, deal, [own, first[:-1], [*second, first[-1]]])
    assert not consistent(knowledge, deal, [own, ["9S", *first[1:]], second])  # laid off
    # QS and AD exchanged: seat 1 would hold AD AH.
    assert not consistent(knowledge, deal, [own, cards("TD AD KD AH JS 9D"), cards("TH QC AS QS")])


def test_consistent_known_places_and_loose_cards():
    deal = loose_cards()
    assert others(deal, 2, "4H 5C 3C 7D", "2D 5S KS", "6C TS 9H") == []
    assert others(deal, 2, "5C KS 4H 2D", "7D 5S 3C", "6C TS 9H") == []
    assert others(deal, 2, "4H 2D 3C 7D", "5C 8S KS", "6C TS 9H") != []  # 5C is with seat 0
    assert others(deal, 0, "4H 5C 3C 7D", "2D 5S KS", "9H TS 6C") == []
    assert others(deal, 0, "4H 5C 3C 7D", "2D KS 5S", "6C TS 9H") != []  # 0 gave KS away: at the end


def test_consistent_while_a_pair_is_not_laid_yet():
    deal = walked("rank_manual_left", 18)  # seat 3 has drawn TH from seat 0 and holds KH TD TH
    assert fans(deal) == ["9C KS AC JS", "QS JC", "9H AH", "KH TD TH"]
    for me in range(4):
        assert others(deal, me, *fans(deal)) == []
    seat_1 = [known(deal, 1, other) for other in (0, 2, 3)]
    assert seat_1 == [". . . JS", ". .", ". . ."]  # JS was given in the first turn
    assert others(deal, 1, "9C TH AC JS", "QS JC", "9H AH", "KH TD KS") == []  # a pair of kings
    assert others(deal, 1, "TD KS AC JS", "QS JC", "9H AH", "KH 9C TH") != []  # no pair
    assert others(deal, 1, "9C TD AC JS", "QS JC", "9H AH", "KH KS TH") != []  # it would have been laid before
    assert others(deal, 1, "AH KS AC JS", "QS JC", "9H 9C", "KH TD TH") != []  # others hold pairs
    assert others(deal, 1, "9C KS JS AC", "QS JC", "9H AH", "KH TD TH") != []  # JS stands last
    # The giver knows TH at the end.
    assert others(deal, 0, "9C KS AC JS", "QS JC", "TD AH", "KH 9H TH") != []


def test_consistent_a_loose_card_may_be_the_one_drawn():
    deal = table("KS", "9H 2D 5S", "5C 4H 6C TS", discard="manual")
    act(deal, "offer", "draw 0", "offer", "draw 0", "offer", "draw 0", "offer", "draw 0", "shuffle: 4H 5C", "draw 1")
    assert others(deal, 2, "4H", "2D 5S KS 5C", "6C TS 9H") == []
    assert others(deal, 2, "5C", "2D 4D KS 4H", "6C TS 9H") == []
    assert others(deal, 2, "3C", "2D 5S KS 5C", "6C TS 9H") != []  # of two only one was drawn
    assert others(deal, 2, "4H", "5C 5S KS 2D", "6C TS 9H") != []  # and it stands at the end


def test_consistent_while_the_first_pairs_are_laid():
    deal = walked("rank_manual_left", 7)  # seat 2 has laid one pair, has one more; seat 3 has not been asked
    assert deal.seat == 2
    placed = ["9C KS TH AC", "QS JS", "AS AD 9H JC", "JD JH KH TD AH"]
    assert fans(deal)[2] == "AS AD 9H JC"
    assert others(deal, 0, *placed) == []
    assert others(deal, 0, "9C KS TH AC", "QS JS", "AS AD AH JC", "JD JH KH TD 9H") == []
    assert others(deal, 0, "9C KS TH AC", "QS AD", "AS JS 9H JC", "JD JH KH TD AH") == []  # another pair: jacks
    assert others(deal, 0, "9C KS TH AC", "QS JS", "AS KH 9H JC", "JD JH AD TD AH") != []  # nothing to lay
    assert others(deal, 0, "9C KS TH AC", "JD JS", "AS AD 9H JC", "QS JH KH TD AH") != []  # seat 1 is through
    assert others(deal, 0, "9C KS TH AC", "QS JS", "AS AD 9H JC", "KH QS TD AH JD") == []  # 3 need hold no pair
