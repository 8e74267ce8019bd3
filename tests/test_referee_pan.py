"""The referee of Pan: the worked cases of the rule book, golden games, and faults it must find."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from referee import pan, pan_play
from referee.pan import Deal, RecordFault, could_lay_all, drawn, laid, legal_actions, next_seat, options, returns
from referee.pan_knowledge import Knowledge, consistent, objections

RECORDS = Path(__file__).parent / "records" / "pan"
GOLDEN = sorted(RECORDS.glob("*.jsonl"))

Lines = list[dict[str, Any]]


def golden(name: str) -> Lines:
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text().splitlines()]


def check(lines: Lines) -> pan.Report:
    return pan.check_lines([json.dumps(line) for line in lines])


def cards(text: str) -> list[str]:
    return text.split()


def position(hands: list[str], pile: str = "9H", seat: int = 0, **chosen: Any) -> Deal:
    """A deal in its middle; hands and pile are spelled with blanks between the cards."""
    return Deal(options(players=len(hands), **chosen), [cards(hand) for hand in hands], cards(pile), seat)


def act(deal: Deal, *actions: str) -> Deal:
    for action in actions:
        assert action in deal.legal(), (deal.seat, action, deal.legal())
        deal.act(action)
    return deal


def plays(text: str, *others: str) -> list[str]:
    return [f"play {card}" for card in text.split()] + list(others)


# ------------------------------------------------------------------------------------------------ worked cases (8)


def test_pan_8_1_the_four_nines_open():
    deal = Deal(options(), [cards("TS"), cards("9S KC 9C 9D 9H"), cards("TC")])
    assert deal.seat == 1
    assert deal.legal() == ["play 9H", "play four 9"]
    act(deal, "play four 9")
    assert deal.pile == ["9H", "9D", "9C", "9S"]
    assert deal.hands[1] == ["KC"]


def test_pan_8_2_three_nines_on_the_nine_of_hearts():
    deal = position(["9D 9C 9S AS", "TD", "TH"])
    assert deal.legal() == ["play 9S", "play AS", "play 9C", "play 9D", "play three 9"]
    act(deal, "play three 9")
    assert deal.pile == ["9H", "9D", "9C", "9S"]  # 2.7
    assert deal.hands[0] == ["AS"]


def test_pan_8_3_two_nines_are_not_laid_together():
    deal = position(["9C 9S", "TD", "TH"], "9H 9D")
    assert deal.legal() == ["play 9S", "play 9C", "draw"]
    act(deal, "draw")
    assert (deal.pile, sorted(deal.hands[0])) == (["9H"], ["9C", "9D", "9S"])


@pytest.mark.parametrize(
    ("pile", "taken"),
    [
        ("9H 9D", "9D"),
        ("9H TD JC", "TD JC"),
        ("9H TD JC QS", "TD JC QS"),
        ("9H TD JC QS QD KD AD", "QD KD AD"),
    ],
)
def test_pan_8_4_what_a_draw_takes(pile, taken):
    assert drawn(cards(pile)) == cards(taken)
    deal = act(position(["9S", "TS", "JS"], pile), "draw")
    assert deal.pile == cards(pile.removesuffix(taken))
    assert sorted(deal.hands[0]) == sorted(["9S", *cards(taken)])


def test_pan_8_5_not_lower_than_the_top():
    hand = cards("9S TC JD QH KS KC KD KH AS")
    assert legal_actions(hand, cards("9H QS")) == plays("KS AS KC KD QH KH", "play four K", "draw")


def test_pan_8_6_four_tens_on_a_king():
    assert legal_actions(cards("TS TC TD TH AC"), cards("9H KD")) == ["play AC", "draw"]
    assert "play four T" in legal_actions(cards("TS TC TD TH AC"), cards("9H TD"))  # for the rule's sake


LOW = "9H 9S 9C 9D TS TC TD TH JS JC JD JH QS QC QD QH"


@pytest.mark.parametrize(
    ("mine", "his", "pile", "end", "letters"),
    [
        ("AD", "AC", f"{LOW} KS KC KD KH AS AH", "undecided", [0, 0]),
        ("AD", "AC AH", f"{LOW} KS KC KD KH AS", "lost", [0, 1]),
        ("AD", "QC", f"{LOW.replace(' QC', '')} KS KC KD KH AS AC AH", "lost", [0, 1]),
        ("KD", "AS AC AD AH", f"{LOW} KS KC KH", "undecided", [0, 0]),
        ("AD", "KS", f"{LOW} KC KD KH AS AC AH", "lost", [0, 1]),  # 8.8
        ("AD", "KS KC KD KH", f"{LOW} AS AC AH", "lost", [0, 1]),
        ("AH", "AS AC AD", f"{LOW} KS KC KD KH", "lost", [0, 1]),
    ],
)
def test_pan_8_7_and_8_the_last_one(mine, his, pile, end, letters):
    deal = act(position([mine, his], pile), f"play {mine}")
    assert (deal.end, deal.changes()) == (end, letters)
    assert deal.loser == (1 if end == "lost" else None)


def test_pan_8_9_a_seat_that_is_out_is_passed_over():
    deal = act(position(["TD", "JD JC", "QD", "KD"], seat=2), "play QD", "play KD", "draw")
    # Seat 3 went out too; seat 0 drew KD and QD; then it is seat 1's turn, and then seat 0's again.
    assert (deal.seat, deal.pile) == (1, ["9H"])
    assert act(deal, "play JD").seat == 0
    deal = act(position(["TD", "JD JC", "", "KD"], seat=1), "play JD")
    assert deal.seat == 3


@pytest.mark.parametrize(
    ("pile", "action", "follows"),
    [
        ("9H", "play TS", 0),
        ("9H", "play TD", 2),
        ("9H QS KD KC AD", "draw", 0),  # the new top is QS
        ("9H QC KS AS AD", "draw", 2),  # the new top is QC; the spades drawn do not matter
    ],
)
def test_pan_8_10_spades_send_the_turn_back(pile, action, follows):
    hands = ["JH JD", "TS TD", "QH QD"]
    assert act(position(hands, pile, 1, spades_back=True), action).seat == follows
    assert act(position(hands, pile, 1), action).seat == 2


def test_pan_8_11_the_last_card_is_a_spade():
    deal = act(position(["TD KD", "AS", "TH KH"], seat=1, spades_back=True), "play AS")
    assert (deal.end, deal.seat) == (None, 0)


def test_pan_8_12_the_third_letter():
    # Three deals, all lost by seat 0, which holds on to three jacks and the aces; seats 1 and 2 go up by fours.
    hands = [cards("JS JC JD JH AS AC AD AH"), cards("9S 9C 9D 9H QS QC QD QH"), cards("TS TC TD TH KS KC KD KH")]
    moves = [
        (1, plays("9H", "play four 9"), "play four 9"),
        (2, plays("TS KS TC KC TD KD TH KH", "play four T", "play four K", "draw"), "play four T"),
        (0, plays("JS AS JC AC JD AD JH AH", "play four J", "play four A", "draw"), "play JC"),
        (1, plays("QS QC QD QH", "play four Q", "draw"), "play four Q"),
        (2, plays("KS KC KD KH", "play four K", "draw"), "play four K"),
    ]
    first = golden("four_and_draws_lost")[0]
    lines: Lines = [first | {"episode": "match", "start": [0] * 3, "players": ["a", "b", "c"], "rules": options()}]
    for number in range(3):
        lines.append({"type": "deal", "number": number, "dealer": None, "hands": hands})
        lines += [{"type": "move", "seat": seat, "legal": legal, "action": action} for seat, legal, action in moves]
        lines.append({"type": "score", "deal": number, "points": [1, 0, 0], "totals": [number + 1, 0, 0]})
    lines.append({"type": "end", "terminated": True, "returns": [-1.0, 0.5, 0.5]})
    assert check(lines).ends == {"lost": 3, "match lost": 1}
    # Two letters are not the end, and after the third no deal follows.
    assert fault([*lines[:15], lines[-1]]).line == 16
    assert fault([*lines[:-1], lines[1] | {"number": 3}]).line == len(lines)


# --------------------------------------------------------------------------------------------------- other clauses


def test_pan_1_2_who_holds_9h_begins():
    hands = [cards("TS 9S"), cards("TC 9C"), cards("9H 9D")]
    assert Deal(options(), hands).seat == 2


def test_pan_2_2_nothing_else_is_legal_at_first():
    assert legal_actions(cards("9H 9S 9C AS AC AD AH"), []) == ["play 9H"]


def test_pan_2_4_three_nines_only_on_the_bare_nine():
    hand = cards("9S 9C 9D")
    assert legal_actions(hand, ["9H"])[-1] == "play three 9"
    assert legal_actions(hand, cards("9H KD")) == ["draw"]
    assert legal_actions(cards("9S 9C KD"), ["9H"]) == ["play 9S", "play 9C", "play KD"]
    # Once the pile has been drawn down to 9H it is legal again.
    deal = act(position(["TD KH", "9S 9C 9D TH", "QD QH"]), "play TD", "draw", "play QD", "draw")
    assert (deal.seat, deal.pile) == (1, ["9H"])
    assert deal.legal() == plays("9S 9C 9D TD TH", "play three 9")


def test_pan_2_5_drawing_is_allowed_to_who_could_lay():
    assert legal_actions(["AS"], cards("9H TD")) == ["play AS", "draw"]
    assert legal_actions(["AS"], ["9H"]) == ["play AS"]


def test_pan_2_7_hearts_diamonds_clubs_spades():
    assert laid("play four Q") == ["QH", "QD", "QC", "QS"]
    assert laid("play three 9") == ["9D", "9C", "9S"]
    assert laid("play QD") == ["QD"]
    assert laid("draw") == []


def test_pan_3_3_undecided_is_one_ace_or_four():
    """With all other cards on a pile that never falls, nothing else can be laid in one turn."""
    chance = random.Random(3)
    rising = sorted(pan.CARDS, key=lambda card: (pan.RANKS.index(card[0]), card != "9H"))
    drawable = [card for card in pan.CARDS if card != "9H"]
    hands = [[card] for card in drawable]
    hands += [[rank + suit for suit in "SCDH" if rank + suit != "9H"] for rank in pan.RANKS]
    hands += [chance.sample(drawable, chance.randint(2, 23)) for _ in range(500)]
    seen = Counter()
    for hand in hands:
        pile = [card for card in rising if card not in hand]
        aces = all(card[0] == "A" for card in hand) and len(hand) in (1, 4)
        seen[aces] += 1
        # Three nines under an empty pile would mean that all other cards are in this very hand.
        assert could_lay_all(hand, pile) == aces, (hand, pile)
    assert seen[True] == 5


@pytest.mark.parametrize(("seats", "loser", "right"), [(2, 1, [1, -1]), (3, 0, [-1, 0.5, 0.5]), (3, None, [0, 0, 0])])
def test_pan_3_5_returns(seats, loser, right):
    assert returns(seats, loser) == right


def test_pan_3_5_returns_of_four():
    assert returns(4, 2) == pytest.approx([1 / 3, 1 / 3, -1, 1 / 3])


def test_pan_3_6_the_last_allowed_turn_may_end_the_deal():
    hands, pile = ["AD", "KS"], f"{LOW} KC KD KH AS AC AH"
    assert act(position(hands, pile, max_turns=1), "play AD").end == "lost"
    assert act(position(hands, pile, max_turns=1), "draw").end == "abandoned"
    assert act(position(hands, pile, max_turns=2), "draw").end is None


@pytest.mark.parametrize("action", ["play four T", "play three 9"])
def test_pan_4_1_a_spade_among_several(action):
    deal = position(["9S 9C 9D TS TC TD TH KD", "QD JD", "QH JH"], spades_back=True)
    assert act(deal, action).seat == 2
    assert act(position(["9S 9C 9D TS TC TD TH KD", "QD JD", "QH JH"]), action).seat == 1


def test_pan_4_1_the_opening_four_go_back():
    hands = [cards("9S 9C 9D 9H KD"), cards("QD JD"), cards("QH JH")]
    assert act(Deal(options(spades_back=True), hands), "play four 9").seat == 2


def test_pan_4_1_back_over_a_seat_that_is_out():
    assert next_seat([["TD"], ["JD"], [], ["KD"]], 3, back=True) == 1
    assert next_seat([["TD"], ["JD"], [], ["KD"]], 0, back=True) == 3
    assert next_seat([["TD"], [], [], ["KD"]], 0, back=False) == 3


def test_pan_4_2_two_left():
    for action in ("play TS", "play TD"):
        assert act(position(["TS TD", "QD"], spades_back=True), action).seat == 1


def test_pan_4_3_the_direction_does_not_last():
    deal = act(position(["KD KC", "TS AS", "QH QD"], seat=1, spades_back=True), "play TS")
    assert deal.seat == 0
    assert act(deal, "play KD").seat == 1


def test_pan_5_defaults():
    assert options() == {"players": 3, "spades_back": False, "letters": 3, "max_turns": 2000, "max_deals": 100}
    assert sorted(pan.OPTIONS["letters"]) == list(range(1, 10))
    assert sorted(pan.OPTIONS["players"]) == [2, 3, 4]


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 5},
        {"players": 1},
        {"letters": 0},
        {"letters": 10},
        {"letters": True},
        {"spades_back": 1},
        {"max_turns": 0},
        {"max_turns": True},
        {"max_deals": 0.5},
        {"bombs": 1},
    ],
)
def test_pan_5_options_refused(wrong):
    with pytest.raises(ValueError, match=repr(next(iter(wrong)))):
        options(**wrong)


def test_pan_6_action_ids():
    assert len(pan.ACTIONS) == 32
    named = {0: "play 9S", 5: "play AS", 6: "play 9C", 12: "play 9D", 18: "play 9H", 23: "play AH"}
    named |= {24: "play four 9", 25: "play four T", 29: "play four A", 30: "play three 9", 31: "draw"}
    assert {number: pan.ACTIONS[number] for number in named} == named


# --------------------------------------------------------------------------------------------------- golden games


@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_are_right(path):
    assert pan.check(path).episodes == 1


def test_golden_four_and_draws_lost():
    report = check(golden("four_and_draws_lost"))
    assert (report.deals, report.moves, report.ends) == (1, 18, {"lost": 1})
    assert report.actions == {"play": 13, "play four": 1, "play three": 1, "draw": 3}


def test_golden_spades_back_match():
    report = check(golden("spades_back_match"))
    assert (report.deals, report.moves) == (4, 5 + 16 + 16 + 5)
    assert report.ends == {"undecided": 1, "lost": 2, "abandoned": 1, "match lost": 1}


def test_golden_undecided_one_ace():
    assert check(golden("undecided_one_ace")).ends == {"undecided": 1}


def test_golden_abandoned_deal():
    assert check(golden("abandoned_deal")).ends == {"abandoned": 1}


def test_pan_3_5_letters_and_max_deals_do_not_matter_in_a_single_deal():
    for change in ({"letters": 1}, {"letters": 9}, {"max_deals": 1}, {"max_turns": 18}):
        lines = golden("four_and_draws_lost")
        lines[0]["rules"].update(change)
        assert check(lines).ends == {"lost": 1}


def test_pan_3_4_a_match_may_be_lost_in_its_last_allowed_deal():
    lines = golden("spades_back_match")
    assert lines[0]["rules"]["max_deals"] == 4
    lines[0]["rules"].update(max_deals=5)
    assert check(lines).ends["match lost"] == 1


def test_pan_3_6_a_match_cut_short_after_an_abandoned_deal():
    lines = golden("spades_back_match")[:43]
    lines[0]["rules"].update(max_deals=3)
    lines.append({"type": "end", "terminated": False, "returns": [0.0, 0.0, 0.0]})
    assert check(lines).ends == {"undecided": 1, "lost": 1, "abandoned": 1, "match cut short": 1}


def test_cards_of_a_hand_in_any_order():
    lines = golden("four_and_draws_lost")
    for hand in lines[1]["hands"]:
        hand.reverse()
    assert check(lines).moves == 18


def test_two_episodes_in_one_file():
    assert check(golden("four_and_draws_lost") + golden("spades_back_match")).episodes == 2
    with pytest.raises(RecordFault) as raised:
        check(golden("four_and_draws_lost") + golden("spades_back_match")[:-1])
    assert raised.value.line == 22 + 51


# ----------------------------------------------------------------------------------------------------------- slips


def fault(lines: Lines) -> RecordFault:
    with pytest.raises(RecordFault) as raised:
        check(lines)
    return raised.value


# In four_and_draws_lost.jsonl the deal is line 2, the moves lines 3 to 20, the score 21, the end 22.
SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    # the match line
    "format": (1, lambda r: r[0].update(format=2)),
    "game": (1, lambda r: r[0].update(game="tysiac")),
    "version as a text": (1, lambda r: r[0].update(version="0")),
    "negative seed": (1, lambda r: r[0].update(seed=-1)),
    "episode": (1, lambda r: r[0].update(episode="game")),
    "letters at the start": (1, lambda r: r[0].update(start=[0, 1, 0, 0])),
    "start of three seats": (1, lambda r: r[0].update(start=[0, 0, 0])),
    "three names": (1, lambda r: r[0].update(players=["a", "b", "c"])),
    "a nameless player": (1, lambda r: r[0].update(players=["a", "b", "c", ""])),
    "match key missing": (1, lambda r: r[0].pop("seed")),
    "match extra key": (1, lambda r: r[0].update(created="today")),
    "option missing": (1, lambda r: r[0]["rules"].pop("letters")),
    "option unknown": (1, lambda r: r[0]["rules"].update(preset="pan")),
    "option value": (1, lambda r: r[0]["rules"].update(letters=10)),
    "option as a bool": (1, lambda r: r[0]["rules"].update(letters=True)),
    "option as a number": (1, lambda r: r[0]["rules"].update(spades_back=0)),
    "another number of seats": (1, lambda r: r[0]["rules"].update(players=3)),
    "no turns": (1, lambda r: r[0]["rules"].update(max_turns=0)),
    # the deal line
    "a doubled card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "9S")),
    "a foreign card": (2, lambda r: r[1]["hands"][0].__setitem__(0, "8S")),
    "a card turned round": (2, lambda r: r[1]["hands"][0].__setitem__(0, "ST")),
    "a card too many": (2, lambda r: r[1]["hands"][0].append(r[1]["hands"][1].pop())),
    "three hands": (2, lambda r: r[1]["hands"].pop()),
    "a pile in the deal": (2, lambda r: r[1].update(pile=[])),
    "a dealer": (2, lambda r: r[1].update(dealer=0)),
    "a dealer -1": (2, lambda r: r[1].update(dealer=-1)),
    "dealer left out": (2, lambda r: r[1].pop("dealer")),
    "deal number": (2, lambda r: r[1].update(number=1)),
    "hands passed on": (3, lambda r: r[1]["hands"].insert(0, r[1]["hands"].pop())),
    "two cards exchanged": (
        4,
        lambda r: (r[1]["hands"][0].__setitem__(4, "QD"), r[1]["hands"][3].__setitem__(3, "QC")),
    ),
    # the first turns
    "another begins": (3, lambda r: r[2].update(seat=3)),
    "another card begins": (3, lambda r: r[2].update(legal=["play JS"], action="play JS")),
    "any card offered at first": (3, lambda r: r[2]["legal"].insert(0, "play JS")),
    "draw offered at first": (3, lambda r: r[2]["legal"].append("draw")),
    "draw offered on the bare nine": (4, lambda r: r[3]["legal"].append("draw")),
    "three nines not offered": (4, lambda r: r[3]["legal"].remove("play three 9")),
    "three nines called four": (4, lambda r: r[3].update(action="play four 9")),
    # Nobody notices until seat 3 should be out and is not.
    "one nine instead of three": (19, lambda r: r[3].update(action="play 9S")),
    "three nines of a seat without": (5, lambda r: r[4]["legal"].append("play three 9")),
    "four not offered": (5, lambda r: r[4]["legal"].remove("play four T")),
    # later turns
    "draw not offered": (9, lambda r: r[8]["legal"].remove("draw")),
    "a lower card": (14, lambda r: r[13].update(action="play QC")),
    "a lower card offered": (14, lambda r: r[13]["legal"].insert(1, "play QC")),
    "an equal card not offered": (14, lambda r: r[13]["legal"].remove("play KH")),
    "a drawn card laid by another": (11, lambda r: r[10].update(action="play JS")),
    "a drawn card not offered": (19, lambda r: r[18]["legal"].remove("play AD")),
    "a draw left out": (10, lambda r: r.pop(9)),
    "a card kept instead of a draw": (11, lambda r: r[9].update(action="play QH")),  # JC no longer fits
    "counter-clockwise": (7, lambda r: r[6].update(seat=0)),
    "spades back by the options": (5, lambda r: r[0]["rules"].update(spades_back=True)),
    "asked after it has gone out": (17, lambda r: r[16].update(seat=0)),
    "legal in another order": (5, lambda r: r[4]["legal"].reverse()),
    "legal doubled": (5, lambda r: r[4]["legal"].insert(0, r[4]["legal"][0])),
    "legal as ids": (5, lambda r: r[4].update(legal=[1, 2])),
    "action as an id": (5, lambda r: r[4].update(action=25)),
    "move extra key": (8, lambda r: r[7].update(revoke=True)),
    "move key missing": (8, lambda r: r[7].pop("legal")),
    "the last laid after all": (21, lambda r: r.insert(20, r[18] | {"action": "play AC"})),
    "abandoned before its last turn": (20, lambda r: r[0]["rules"].update(max_turns=17)),
    # score
    "called undecided": (21, lambda r: r[20].update(points=[0] * 4, totals=[0] * 4)),
    "letter of another": (21, lambda r: r[20].update(points=[0, 0, 1, 0], totals=[0, 0, 1, 0])),
    "minus points": (21, lambda r: r[20].update(points=[0, -1, 0, 0], totals=[0, -1, 0, 0])),
    "totals": (21, lambda r: r[20].update(totals=[0, 2, 0, 0])),
    "points as bools": (21, lambda r: r[20].update(points=[False, True, False, False])),
    "score of another deal": (21, lambda r: r[20].update(deal=1)),
    "score extra key": (21, lambda r: r[20].update(loser=1)),
    "score left out": (21, lambda r: r.pop(20)),
    "scored twice": (22, lambda r: r.insert(21, {**r[20]})),
    # end
    "truncated": (22, lambda r: r[21].update(terminated=False)),
    "terminated as a number": (22, lambda r: r[21].update(terminated=1)),
    "returns not exact": (22, lambda r: r[21].update(returns=[0.333, -1.0, 0.333, 0.333])),
    "returns of three seats": (22, lambda r: r[21].update(returns=[0.5, -1.0, 0.5])),
    "returns nothing": (22, lambda r: r[21].update(returns=[0.0] * 4)),
    "end left out": (22, lambda r: r.pop(21)),
    "another deal in a single one": (22, lambda r: r.insert(21, r[1] | {"number": 1})),
    "something after the end": (23, lambda r: r.append(r[21])),
    "type unknown": (8, lambda r: r[7].update(type="note")),
}


def test_a_record_is_right_before_it_is_altered():
    assert [line["type"] for line in golden("four_and_draws_lost")] == [
        *("match", "deal"),
        *["move"] * 18,
        *("score", "end"),
    ]


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_found_in_its_line(slip):
    line, change = SLIPS[slip]
    lines = golden("four_and_draws_lost")
    change(lines)
    assert fault(lines).line == line


# In spades_back_match.jsonl the deals are lines 2, 9, 27 and 44, the scores 8, 26 and 50, the end 51.
MATCH_SLIPS: dict[str, tuple[int, Callable[[Lines], Any]]] = {
    "spades go on": (4, lambda r: r[0]["rules"].update(spades_back=False)),
    "four go on": (5, lambda r: r[4].update(seat=1)),
    "undecided taken for lost": (8, lambda r: r[7].update(points=[0, 0, 1], totals=[0, 0, 1])),
    "undecided without a score": (8, lambda r: r.pop(7)),
    "undecided not numbered": (9, lambda r: r[8].update(number=0)),
    "nine of hearts alone by another": (10, lambda r: r[9].update(seat=1)),
    "three nines go on": (12, lambda r: r[11].update(seat=2)),
    "a spade goes on": (14, lambda r: r[13].update(seat=2)),
    "a spade uncovered goes on": (16, lambda r: r[15].update(seat=2)),
    "a seat out with a spade, then on": (21, lambda r: r[20].update(seat=1)),
    "four lower ones": (24, lambda r: r[23]["legal"].insert(1, "play four T")),
    "four tens left called undecided": (26, lambda r: r[25].update(points=[0, 0, 0], totals=[0, 0, 0])),
    "fewer turns allowed": (25, lambda r: r[0]["rules"].update(max_turns=15)),
    "more turns allowed": (44, lambda r: r[0]["rules"].update(max_turns=17)),
    "fewer letters": (27, lambda r: r[0]["rules"].update(letters=1)),
    "more letters": (51, lambda r: r[0]["rules"].update(letters=3)),
    "fewer deals allowed": (44, lambda r: r[0]["rules"].update(max_deals=3)),
    "draw offered on the nine again": (31, lambda r: r[30]["legal"].append("draw")),
    "three nines on the nine again": (40, lambda r: r[39]["legal"].remove("play three 9")),
    "a bare nine sends nobody back": (34, lambda r: r[33].update(seat=2)),
    "the reversal lasts": (36, lambda r: r[35].update(seat=2)),
    "a spade drawn sends the turn back": (37, lambda r: r[36].update(seat=0)),
    "abandoned with a score": (
        44,
        lambda r: r.insert(43, {"type": "score", "deal": 2, "points": [0] * 3, "totals": [0, 1, 0]}),
    ),
    "abandoned with the same number": (44, lambda r: r[43].update(number=2)),
    "abandoned and the end": (44, lambda r: r.__delitem__(slice(43, 50))),
    "letters not carried on": (50, lambda r: r[49].update(totals=[0, 1, 0])),
    "points as totals": (50, lambda r: r[49].update(points=[0, 2, 0])),
    "lost called cut short": (51, lambda r: r[50].update(terminated=False)),
    "returns the wrong way round": (51, lambda r: r[50].update(returns=[-0.5, 1.0, -0.5])),
    "a deal for a match": (9, lambda r: r[0].update(episode="deal")),
}


@pytest.mark.parametrize("slip", MATCH_SLIPS)
def test_a_slip_in_a_match_is_found_in_its_line(slip):
    line, change = MATCH_SLIPS[slip]
    lines = golden("spades_back_match")
    change(lines)
    assert fault(lines).line == line


def test_an_abandoned_deal_has_no_score_and_is_a_truncation():
    for line, change in (
        (8, lambda r: r.insert(7, {"type": "score", "deal": 0, "points": [0, 0], "totals": [0, 0]})),
        (8, lambda r: r[7].update(terminated=True)),
        (8, lambda r: r[0]["rules"].update(max_turns=6)),
        (7, lambda r: r[0]["rules"].update(max_turns=4)),
        (8, lambda r: r[0].update(episode="match")),
    ):
        lines = golden("abandoned_deal")
        change(lines)
        assert fault(lines).line == line


# ------------------------------------------------------------------------------------------ the referee's own records


def test_random_records_are_right_and_show_everything():
    """Of 400 episodes every line is right; the rare things are common, the pile never falls, no card is lost."""
    chance = random.Random(11)
    ends, actions, seats, found = Counter(), Counter(), Counter(), Counter()
    for _ in range(400):
        rules, episode = pan_play.drawn(chance)
        lines = pan_play.record(chance, rules, episode)
        report = pan.check_lines(lines)
        ends += report.ends
        actions += report.actions
        seats[rules["players"], rules["spades_back"], episode] += 1
        for place in pan.walk(lines):
            deal = place.deal
            ranks = [pan.RANKS.index(card[0]) for card in deal.pile]
            assert ranks == sorted(ranks)
            assert deal.pile[:1] in ([], ["9H"])
            assert sorted(sum(deal.hands, deal.pile)) == sorted(pan.CARDS)
            assert deal.hands[place.seat]
            if deal.turns and deal.turns[-1].back and sum(map(bool, deal.hands)) > 2:
                found["went back"] += 1
            if place.legal == ["draw"]:
                found["must draw"] += 1
        try:
            pan.check_lines(pan_play.slipped(chance, lines))
        except RecordFault:
            found["slips"] += 1
    assert len(seats) == 12
    assert min(actions[name] for name in ("play", "play four", "play three", "draw")) > 50
    assert min(ends[name] for name in ("lost", "undecided", "abandoned", "match lost", "match cut short")) > 25
    assert min(found[name] for name in ("went back", "must draw", "slips")) > 250


# ---------------------------------------------------------------------------------------------- what a seat knows (7)


def knowledge_at(name: str, line: int, seat: int) -> tuple[Knowledge, list[list[str]]]:
    """What a seat knows before the move of a line, and the true hands."""
    for place in pan.walk(json.dumps(entry) for entry in golden(name)):
        if place.line == line:
            return Knowledge.of(place.deal, seat), [list(hand) for hand in place.deal.hands]
    raise AssertionError(f"{name} has no move in line {line}")


def swap(hands: list[list[str]], one: str, other: str) -> list[list[str]]:
    """The hands with two cards exchanged."""
    exchange = {one: other, other: one}
    return [[exchange.get(card, card) for card in hand] for hand in hands]


def test_pan_7_before_the_first_turn_9h_is_known():
    for seat in range(4):
        known, hands = knowledge_at("four_and_draws_lost", 3, seat)
        assert known.known == (set(), set(), {"9H"}, set())
        assert (known.counts, known.pile, known.turns) == ((6, 6, 6, 6), (), 0)
        assert known.hand == set(hands[seat])
        assert len(known.unseen) == (18 if seat == 2 else 17)
        assert (known.turn, known.clockwise, known.counter) == (2, 3, 1)
    known, hands = knowledge_at("four_and_draws_lost", 3, 0)
    assert not consistent(known, swap(hands, "9H", "9D"))
    assert consistent(known, swap(hands, "JS", "9D"))
    assert not consistent(known, swap(hands, "TS", "9D"))  # its own
    known, _ = knowledge_at("four_and_draws_lost", 4, 0)
    assert known.known == (set(),) * 4


def test_pan_7_cards_drawn_and_not_laid_again():
    # Line 11: seat 1 has drawn JS QD QC; line 20: also AD KS KH (17) and AS KC KD (19).
    known, hands = knowledge_at("four_and_draws_lost", 11, 3)
    assert known.known == (set(), set(cards("JS QD QC")), set(), set())
    assert known.pile == tuple(cards("9H 9D 9C 9S TH TD TC TS JD"))
    assert known.counts == (1, 8, 4, 2)
    assert known.hand == {"KD", "AD"}
    assert known.unseen == set(cards("KC JC QS KS AS JH QH KH AC AH"))
    assert consistent(known, swap(hands, "KC", "AC"))
    assert consistent(known, swap(hands, "JC", "JH"))
    assert not consistent(known, swap(hands, "QD", "QS"))
    assert not consistent(known, swap(hands, "KD", "KH"))
    assert not consistent(known, hands, cards("9H 9D 9C 9S TH TD TC JD TS"))
    assert not consistent(known, [hands[0], hands[1][1:], [*hands[2], hands[1][0]], hands[3]])
    assert not consistent(known, swap(hands, "TS", "AC"))
    for seat, unseen in ((1, "QS"), (2, "JH QH AC AH"), (0, "QS JH QH AC AH")):
        known, hands = knowledge_at("four_and_draws_lost", 20, seat)
        assert known.known[1] == set(cards("JS QD QC AD KS KH AS KC KD"))
        assert known.counts == (0, 13, 1, 0)
        assert known.unseen == set(cards(unseen))
        assert (known.turn, known.clockwise, known.counter, known.turns) == (2, 1, 1, 17)


def test_pan_7_a_drawn_card_laid_again_is_known_no_more():
    # Seat 1 of deal 1 draws KC AS AH in line 15, lays KC in 18, AS in 22.
    for line, held in ((16, "KC AS AH"), (18, "KC AS AH"), (19, "AS AH"), (23, "AH"), (25, "")):
        known, _ = knowledge_at("spades_back_match", line, 2)
        assert known.known[1] == set(cards(held))
    known, _ = knowledge_at("spades_back_match", 28, 2)
    assert known.known == (set(), set(), {"9H"})  # a new deal
    known, _ = knowledge_at("spades_back_match", 16, 2)
    assert (known.turn, known.clockwise, known.counter) == (0, 1, 2)


def test_pan_7_at_the_end_of_a_deal():
    deal = None
    for place in pan.walk(json.dumps(entry) for entry in golden("four_and_draws_lost")):
        deal = place.deal
    assert deal.end == "lost"
    known = Knowledge.of(deal, 0)
    assert (known.turn, known.clockwise, known.counter) == (None, None, None)
    assert known.counts == (0, 13, 0, 0)
    assert consistent(known, deal.hands)


def test_pan_7_known_is_what_has_lain_on_the_pile():
    """In random games: known of a hand is just what has been laid once, and all else of the others is unseen."""
    chance = random.Random(7)
    looked = Counter()
    for _ in range(60):
        rules, episode = pan_play.drawn(chance)
        rules["max_turns"] = min(rules["max_turns"], 80)
        ever: set[str] = set()
        for place in pan.walk(pan_play.record(chance, rules, episode)):
            deal = place.deal
            ever = ever | set(deal.pile) if deal.turns else {"9H"}
            me = chance.randrange(rules["players"])
            known = Knowledge.of(deal, me)
            assert objections(known, deal.hands, deal.pile) == []
            assert known.pile == tuple(deal.pile)
            assert [set(cards) for cards in known.known] == [set(hand) & ever for hand in deal.hands]
            others = [card for seat, hand in enumerate(deal.hands) if seat != me for card in hand]
            assert known.unseen == set(others) - ever
            if len(others) < 2 or not deal.hands[me]:
                continue
            # Two cards of two hands change places: nothing against it just where this seat knows of neither.
            one, other = chance.sample([card for hand in deal.hands for card in hand], 2)
            apart = not any({one, other} <= set(hand) for hand in deal.hands)
            free = {one, other} <= known.unseen or not apart
            assert consistent(known, swap(deal.hands, one, other)) == free
            looked[apart, free] += 1
    assert min(looked[True, True], looked[True, False], looked[False, True]) > 100
