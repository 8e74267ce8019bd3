"""Pictures of an ordered pile, of ordered fans and of the picture deck, at tables made up for them."""

import re
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest
from made_up import FANS, FULL, HEAP, PACK, PICTURES, fan_layout, heap_layout, table_of, written

from karty.envs import picture
from karty.envs.picture.faces import face
from karty.envs.picture.motifs import CAT, MOTIFS
from karty.envs.picture.names import called
from karty.envs.picture.places import MAT_H, PLATE_H
from karty.envs.picture.shapes import ASKED, PALE, RATIO, Box, Card, Outline, Words, extent, upon

SVG = "{http://www.w3.org/2000/svg}"
PILE = [
    "9H",
    "9S",
    "9C",
    "9D",
    "TS",
    "TC",
    "TD",
    "TH",
    "JS",
    "JC",
    "JD",
    "JH",
    "QS",
    "QC",
    "QD",
    "QH",
    "KS",
    "KC",
    "KD",
    "KH",
    "AS",
    "AC",
    "AD",
    "AH",
]
SIGNS = str.maketrans({"S": "♠", "C": "♣", "D": "♦", "H": "♥"})


def heap(cards, *, hand="TS AH 9S 9D 9C", actions=(), spades_back=0, known=("AH", "KD", ""), letters=(1, 0, 4)):
    """Three seats around a pile, as seat 0 sees them; nothing else may be looked at."""
    layout = heap_layout(3)
    row = written(
        layout, spades_back=spades_back, turn=0, follows=1, back=2, hand=hand, held=[5, 3, 0], pile=" ".join(cards),
        known=known, letters=letters,
    )  # fmt: skip
    return table_of(HEAP, layout, [row, None, None], PACK, actions, asked=0 if actions else -1)


def fans(shown, *, deck=FULL, own=None, laid="", actions=(), **values):
    """Seats with fans as seat 0 sees them; with `own` the fans as their owners see them too, else they are secret."""
    layout = fan_layout(len(shown), deck)
    rows = [None] * len(shown)
    for me in range(len(shown) if own else 1):
        seen = shown if not own else [own[me], *["░"] * (len(shown) - 1)]
        asked = {"turn": 0} if actions and me == 0 else {}
        rows[me] = written(layout, fans=seen, laid=laid, **({"phase": "draw"} | asked | values))
    return table_of(FANS, layout, rows, deck, actions, asked=0 if actions else -1)


def cards_in(shapes):
    """The cards of a scene."""
    return [shape for shape in shapes if isinstance(shape, Card)]


def area(card):
    """Left, top, right and bottom of a card."""
    return card.x, card.y, card.x + card.width, card.y + card.width * RATIO


def apart(one, other):
    """Whether two rectangles do not overlap."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def stripped(text):
    """The lines of a text without their margins."""
    return [line.strip() for line in text.splitlines()]


# ----------------------------------------------------------------------------------------------- the pile


def test_a_pile_is_shown_from_the_bottom_to_its_top_which_is_marked():
    table = heap(["9H", "9D", "TC", "QS"])
    assert picture.view(HEAP, table, 0).pile == ["9H", "9D", "TC", "QS"]
    middle = cards_in(picture.scene(HEAP, table, 0))[-4:]
    assert [(card.name, card.framed) for card in middle] == [("9H", False), ("9D", False), ("TC", False), ("QS", True)]
    assert {shape.stroke for shape in upon(middle[-1])} == {ASKED}
    lines = stripped(picture.text(HEAP, table, 0))
    assert [line.split() for line in lines if "9♥" in line] == [["9♥", "9♦", "T♣", "[Q♠]"]]
    assert any("pile of 4 · top Q♠" in line for line in lines)


@pytest.mark.parametrize("count", [1, 2, 8, 9, 16, 17, 23, 24])
def test_every_card_of_a_pile_shows_its_corner_and_the_top_lies_free(count):
    shapes = picture.scene(HEAP, heap(PILE[:count]), 0)
    pile = cards_in(shapes)[-count:]
    mat = next(shape for shape in shapes if isinstance(shape, Box) and shape.height == MAT_H)
    assert [card.name for card in pile] == PILE[:count]
    for i, card in enumerate(pile):
        left, top, right, bottom = area(card)
        assert mat.x < left < right < mat.x + mat.width
        assert mat.y < top < bottom < mat.y + mat.height
        # rank and suit stand in the corner, 25 by 45 of a card's 100 by 144
        corner = (left, top, left + 0.25 * card.width, top + 0.45 * card.width)
        assert all(apart(corner, area(other)) for other in pile[i + 1 :])
    others = [area(card) for card in cards_in(shapes)[:-count]]
    assert all(apart(area(card), other) for card in pile for other in others)


def test_an_empty_pile_is_no_pile():
    table = heap([])
    assert picture.view(HEAP, table, 0).pile == []
    assert "pile of" not in picture.text(HEAP, table, 0)


def test_letters_stand_at_the_seats_in_the_games_own_words():
    """Pan 3.2: P, A, N; with more letters to lose than these three the fourth and on are a number."""
    assert [seat.score for seat in picture.view(HEAP, heap(["9H"]), 0).seats] == ["P", "", "4"]
    assert [seat.score for seat in picture.view(HEAP, heap(["9H"], letters=(3, 2, 0)), 0).seats] == ["P A N", "P A", ""]


def test_known_cards_of_a_seat_stand_before_its_backs_and_the_own_ones_are_told():
    seen = picture.view(HEAP, heap(["9H"]), 0)
    assert [seat.cards for seat in seen.seats[1:]] == [["KD", None, None], []]
    assert seen.mine == ["they know you hold A♥"]
    assert picture.view(HEAP, heap(["9H"], known=("", "", "")), 0).mine == []


def test_long_words_beside_the_mat_go_on_in_the_next_line():
    shapes = picture.scene(HEAP, heap(["9H"], hand=" ".join(PILE[1:]), known=(" ".join(PILE[1:]), "", "")), 0)
    mat = next(shape for shape in shapes if isinstance(shape, Box) and shape.height == MAT_H)
    beside = [shape for shape in shapes if isinstance(shape, Words) and shape.x == 40]
    assert " ".join(shape.text for shape in beside[1:]) == "they know you hold " + " ".join(
        card.translate(SIGNS) for card in sorted(PILE[1:], key=PACK.names.index)
    )
    assert all(shape.x + 0.6 * shape.size * len(shape.text) < mat.x for shape in beside)
    assert max(shape.y for shape in beside) < mat.y + mat.height


def test_words_may_depend_on_another_field():
    words = [seat.words for seat in picture.view(HEAP, heap(["9H"]), 0).seats]
    assert words == [[], ["moves next"], []]
    words = [seat.words for seat in picture.view(HEAP, heap(["9H"], spades_back=1), 0).seats]
    assert words == [[], ["moves next"], ["next after a spade"]]


def test_actions_that_name_a_rank_mark_the_cards_of_the_hand():
    def marked(*actions):
        return picture.view(HEAP, heap(["9H"], actions=actions), 0).playable

    assert marked("play TS") == {"TS"}
    assert marked("play three 9") == {"9S", "9D", "9C"}  # 9H lies on the table
    assert marked("play four A", "play TS") == {"AH", "TS"}
    assert marked("draw") == set()


# ----------------------------------------------------------------------------------------------- the fans


def test_the_own_fan_keeps_its_order_and_its_places_have_numbers():
    table = fans(["7D KS 2C 7S", "░ ░"])
    assert picture.view(FANS, table, 0).seats[0].cards == ["7D", "KS", "2C", "7S"]
    own = cards_in(picture.scene(FANS, table, 0))[-4:]
    assert [(card.name, card.label.text, card.down) for card in own] == [
        ("7D", "0", False), ("KS", "1", False), ("2C", "2", False), ("7S", "3", False),
    ]  # fmt: skip
    for card in own:
        assert card.label.y > area(card)[3]
        assert area(card)[0] <= card.label.x < area(card)[0] + 10


def test_of_another_fan_the_known_places_are_marked_and_the_rest_are_backs():
    table = fans(["7D", "░ KS ░ QH"])
    other = picture.view(FANS, table, 0).seats[1]
    assert other.cards == [None, "KS", None, "QH"]
    assert other.down == {1, 3}
    drawn = cards_in(picture.scene(FANS, table, 0))[:4]
    assert [(card.name, card.down) for card in drawn] == [(None, False), ("KS", True), (None, False), ("QH", True)]
    assert len(upon(drawn[1])) == 3  # veil, border and number
    tree = ElementTree.fromstring(picture.svg(FANS, table, 0))
    uses = {use.get("id"): use.get("class") for use in tree.iter(f"{SVG}use") if use.get("id")}
    assert uses == {"card-KS": "card down", "card-QH": "card down", "card-7D": "card"}
    assert "░░ (K♠) ░░ (Q♥)" in " ".join(picture.text(FANS, table, 0).split())


def test_in_text_each_number_stands_below_its_card():
    full = FULL.cards(FULL.full)
    table = fans([" ".join(full[:26]), "░ " * 11 + full[30], " ".join(["░"] * 13)])
    lines = picture.text(FANS, table, 0).splitlines()
    checked = 0
    for above, below in pairwise(lines):
        if below.split()[:2] == ["0", "1"]:
            starts = [i for i, sign in enumerate(above) if sign != " " and above[:i][-1:] in (" ", "")]
            numbers = [i for i, sign in enumerate(below) if sign != " " and below[:i][-1:] in (" ", "")]
            assert starts == numbers
            checked += len(starts)
    assert checked == 26 + 12 + 13
    # two fans side by side stand apart
    assert any(re.search("░░ ░░ [(]...   ░░", line) for line in lines)


def test_spectators_see_all_fans_open_and_no_memory():
    table = fans(["7D", "KS QH"], own=["7D", "KS QH"], loose=["2C"], knowers=[[1, *[0] * 26]])
    seen = picture.view(FANS, table)
    assert [seat.cards for seat in seen.seats] == [["7D"], ["KS", "QH"]]
    assert [seat.down for seat in seen.seats] == [frozenset()] * 2
    assert [seat.words for seat in seen.seats] == [[], []]
    assert not any(card.down for card in cards_in(picture.scene(FANS, table)))


def test_loose_cards_and_what_others_know_are_told_at_their_seats():
    knowers = np.zeros((2, 27), int)
    knowers[0, [0, 3]] = 1
    table = fans(["7D 8D 9D TD", "░", "░ ░"], loose=["", "KS 2H"], knowers=knowers, dealer=2)
    words = [seat.words for seat in picture.view(FANS, table, 0).seats]
    assert words == [[], ["knows your place 0 3"], ["dealer", "has K♠ 2♥ somewhere"]]


def test_the_fan_to_draw_from_has_bright_numbers():
    table = fans(["7D 8D", "░ ░", "░ KS ░"], actions=["draw 0", "draw 1", "draw 2", "shuffle"], giver=2, drawer=0)
    seen = picture.view(FANS, table, 0)
    assert [seat.drawable for seat in seen.seats] == [frozenset(), frozenset(), {0, 1, 2}]
    colours = {card.label.text + str(i): card.label.fill for i, card in enumerate(cards_in(picture.arranged(seen)))}
    assert colours == {"00": PALE, "11": PALE, "02": ASKED, "13": ASKED, "24": ASKED, "05": PALE, "16": PALE}
    assert {card.y for card in cards_in(picture.arranged(seen))[2:5]} == {106}  # all may be drawn: none is lifted
    assert [seat.words for seat in seen.seats] == [["draws"], [], ["gives"]]


def test_places_that_may_be_drawn_are_lifted_if_others_may_not():
    table = fans(["7D 8D", "░ ░ ░"], actions=["draw 1"], giver=1, drawer=0)
    shapes = cards_in(picture.scene(FANS, table, 0))[:3]
    assert [card.y - shapes[0].y for card in shapes] == [0, -10, 0]


def test_pairs_to_be_laid_are_marked_in_the_own_fan():
    table = fans(["7D KS 7H 8D", "░"], actions=["lay 7D 7H"], phase="lay")
    assert picture.view(FANS, table, 0).playable == {"7D", "7H"}
    own = cards_in(picture.scene(FANS, table, 0))[-4:]
    assert [own[1].y - card.y for card in own] == [10, 0, 10, 0]


def test_cards_laid_off_lie_in_pairs_of_one_rank_and_colour():
    table = fans(["2S", "░"], laid="7H 7D 7S KC 7C KS JH JD")
    assert picture.view(FANS, table, 0).pairs == ["7S", "7C", "7D", "7H", "JD", "JH", "KS", "KC"]
    pictures = fans(["P", "░"], deck=PICTURES, laid="12b 3a 3b 12a")
    assert picture.view(FANS, pictures, 0).pairs == ["3a", "3b", "12a", "12b"]


@pytest.mark.parametrize("pairs", [1, 2, 3, 5, 12, 24, 25])
def test_pairs_lie_apart_on_the_mat(pairs):
    names = [name for name in FULL.names if name not in ("JC", "JS")]
    in_pairs = sorted(names, key=lambda name: (FULL.ranks.index(name[0]), name[1] in "DH"))[: 2 * pairs]
    shapes = picture.scene(FANS, fans(["JS", "░"], laid=" ".join(in_pairs)), 0)
    mat = next(shape for shape in shapes if isinstance(shape, Box) and shape.height == MAT_H)
    laid = cards_in(shapes)[2:]
    assert [card.name for card in laid] == in_pairs
    for i, card in enumerate(laid):
        left, top, right, bottom = area(card)
        assert mat.x < left < right < mat.x + mat.width
        assert mat.y + 20 < top < bottom < mat.y + mat.height
        assert card.width >= 27
        assert all(apart(area(card), area(other)) for j, other in enumerate(laid) if j // 2 != i // 2)


def test_a_place_is_shown_once_a_seat_has_it():
    """Piotruś 3.5: 1st is the first to finish; who still holds cards has no place and shows none."""
    seen = picture.view(FANS, fans(["7D", "", "░", "", ""], place=[0, 1, 0, 2, 4]), 0)
    assert [seat.score for seat in seen.seats] == ["", "1st", "", "2nd", "4"]


@pytest.mark.parametrize("seats", range(2, 9))
def test_tables_of_two_to_eight_seats_have_room_for_fans(seats):
    shown = ["12a 3b P", *["░ 7a ░"] * (seats - 1)]
    words = {"loose": ["12b"] * (seats - 1), "knowers": np.ones((seats - 1, 27), int), "dealer": 1, "giver": 1}
    shapes = picture.scene(FANS, fans(shown, deck=PICTURES, **words), 0)
    width, height = extent(shapes)
    cards, plates = cards_in(shapes), [s for s in shapes if isinstance(s, Box) and s.height == PLATE_H]
    assert (len(cards), len(plates)) == (3 * seats, seats)
    hands = [cards[3 * i : 3 * i + 3] for i in range(seats)]
    for i, hand in enumerate(hands):
        for card in hand:
            assert 20 < card.x < card.x + card.width < width - 20
            assert card.label.y < height - 16
            assert all(apart(area(card), area(other)) for others in hands[:i] for other in others)
    for plate in plates:
        inside = [
            shape for shape in shapes if isinstance(shape, Words) and plate.x < shape.x < plate.x + plate.width
            and plate.y < shape.y < plate.y + PLATE_H and shape.anchor == "start"
        ]  # fmt: skip
        assert all(shape.x + 0.6 * shape.size * len(shape.text) < plate.x + plate.width for shape in inside)


def test_the_longest_fan_shows_every_rank_and_suit():
    """Between a draw and its lay a fan may hold 27 cards."""
    names = [name for name in FULL.names if name != "JC"][:27]
    own = cards_in(picture.scene(FANS, fans([" ".join(names), "░"]), 0))[-27:]
    assert [card.name for card in own] == names
    steps = np.diff([card.x for card in own])
    assert steps.min() >= 0.25 * own[0].width
    assert all(0.7 * card.label.size * len(card.label.text) <= steps.min() for card in own)


# ------------------------------------------------------------------------------------------ the picture deck


def test_the_picture_deck_has_twelve_different_motifs_and_twins_look_alike():
    faces = [face(f"{number}a") for number in range(1, 13)]
    assert len(set(faces)) == 12
    assert len({tuple(shape.path for shape in one if isinstance(shape, Outline)) for one in faces}) == 12
    for number, one in enumerate(faces, start=1):
        assert face(f"{number}b") == one
        assert [shape.text for shape in one if isinstance(shape, Words)] == [str(number)] * 2
    assert [shape.text for shape in face("P") if isinstance(shape, Words)] == ["P"] * 2


def test_motifs_are_drawn_with_few_commands_and_stay_in_their_square():
    for motif in (*MOTIFS, CAT):
        for path, _, _, _ in motif:
            words = path.split()
            assert words[0] == "M"
            numbers = [float(word) for word in words if word not in "MLCZ"]
            assert len(numbers) % 2 == 0
            assert max(map(abs, numbers)) <= 56  # the outermost may be points that only pull a curve


def test_picture_cards_have_their_names_in_words_and_symbols():
    assert called("4a") == "4a, a twin of the house"
    assert called("12b") == "12b, a twin of the umbrella"
    assert called("P") == "the odd one out, a black cat"
    assert called("13a") == "13a"
    assert called("TC") == "10 of clubs"
    text = picture.text(FANS, fans(["12a P 3b", "░"], deck=PICTURES), 0)
    assert "12a P 3b" in " ".join(text.split())


def test_all_faces_of_the_picture_deck_are_drawn_as_pixels_and_svg():
    pytest.importorskip("matplotlib")
    names = [*(f"{number}a" for number in range(1, 13)), "P"]
    shapes = [Box(0, 0, 13 * 60, 90, "#ffffff"), *(Card(60 * i + 2, 2, 56, name) for i, name in enumerate(names))]
    image = picture.as_pixels(shapes).astype(int)
    pieces = [image[:, 60 * i : 60 * i + 60] for i in range(13)]
    for i, one in enumerate(pieces):
        assert one.std() > 20
        assert all(abs(one - other).mean() > 5 for other in pieces[:i])
    tree = ElementTree.fromstring(picture.as_svg(shapes))
    assert {symbol.get("id") for symbol in tree.iter(f"{SVG}symbol")} == {f"face-{name}" for name in names}
