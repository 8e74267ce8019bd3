"""Pictures: what they hold, that nothing leaks into a seat's picture, that nothing lies on top of anything else."""

import random
import runpy
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from fans import held, shuffled
from made_up import PACK
from positions import act
from positions import table as dealt_table
from tysiac_deals import played

import karty
from karty.envs import picture
from karty.envs.game import ASKED, DEAL, END, SCORE
from karty.envs.layout import flag, observation
from karty.envs.picture.faces import SUIT_PATHS, face
from karty.envs.picture.places import HEIGHT, PLATE_H, SIDE_W, WIDTH, at_seat
from karty.envs.picture.seen import Look, spoken
from karty.envs.picture.shapes import FELT, RATIO, RED, Box, Card, Words, extent
from karty.envs.picture.text_writer import ANSI_PLAIN, ANSI_RED
from karty.envs.table import Table

TYSIAC, PIOTRUS, PIQUET, PETUKH = (karty.GAMES[name] for name in ("tysiac", "piotrus", "piquet", "petukh"))
DOCS = Path(__file__).parent.parent / "docs"
SVG = "{http://www.w3.org/2000/svg}"


def position(game, seed, moves, **options):
    """A table after random moves."""
    table = Table(game, **options)
    table.reset(seed)
    table.settle()
    for _ in range(moves):
        if table.seat >= 0:
            table.play(table.choose("random"))
            table.settle()
    return table


def positions(game, seeds, moves=40):
    """Random positions of all phases."""
    lot = random.Random(7)
    return [position(game, seed, lot.randrange(moves)) for seed in range(seeds)]


def drawn(table, seat=None):
    """The faces in the SVG, in order, and the number of backs."""
    tree = ElementTree.fromstring(picture.svg(table.game, table, seat))
    uses = [use for use in tree.iter(f"{SVG}use") if use.get("class")]
    cards = [use.get("id").removeprefix("card-") for use in uses if use.get("class") != "back"]
    return cards, len(uses) - len(cards)


def readme_table():
    """The position of the picture in the README."""
    return runpy.run_path(str(DOCS / "table.py"))["table"]()


# -------------------------------------------------------------------------------------- what is seen


def leaks_and_differences(game, tables):
    """Seats whose picture changes if what they cannot know is dealt anew, and how often the open table does."""
    lot, leaks, differ = random.Random(3), 0, 0
    for table in tables:
        for seat in range(table.seats):
            other = table.clone()
            other.determinize(seat, lot.randrange(2**62))
            leaks += picture.scene(game, table, seat) != picture.scene(game, other, seat)
            differ += picture.scene(game, table) != picture.scene(game, other)
    return leaks, differ


@pytest.mark.rules
def test_a_seats_picture_shows_only_what_the_seat_may_see(game):
    """Dealing anew what a seat cannot know changes nothing in its picture."""
    leaks, differ = leaks_and_differences(game, positions(game, 30))
    assert leaks == 0
    assert differ > 20 * game.rules().seats  # of 30 a seat, or the test would prove nothing


@pytest.mark.rules
@pytest.mark.parametrize("name", TYSIAC.rules.__dataclass_fields__["table"].metadata["values"])
def test_every_table_of_tysiac_shows_each_card_once_and_keeps_its_secrets(name):
    """Hands, talons, stock and cards aside; those of a trick before the last are gone."""
    lot = random.Random(13)
    tables = [position(TYSIAC, seed, lot.randrange(45), table=name) for seed in range(8)]
    leaks, differ = leaks_and_differences(TYSIAC, tables)
    assert leaks == 0
    assert (differ > 0) == (name != "2p_twelve")  # there the other hand is what I do not hold
    for table in tables:
        played = sum(int(cards).bit_count() for cards in table.state.played)
        for seat in (None, *range(table.seats)):
            seen = picture.view(TYSIAC, table, seat)
            lie = [card for its in (*(s.cards for s in seen.seats), *seen.piles.values()) for card in its]
            faces = [card for card in lie if card]
            assert len(lie) == 24 - played
            assert len(set(faces)) == len(faces)
            assert seat is not None or len(faces) == len(lie)


def test_the_two_talons_of_tysiac_lie_apart_and_the_stock_is_counted():
    table = position(TYSIAC, 1, 0, table="2p_pairs")
    first, second = (set(cards) for cards in table.dealt()["talon"])
    open_piles = picture.view(TYSIAC, table).piles
    assert (set(open_piles["talon 1"]), set(open_piles["talon 2"])) == (first, second)
    back = picture.BACK
    assert picture.view(TYSIAC, table, 0).piles == {"talon 1": [back] * 2, "talon 2": [back] * 2}
    table = position(TYSIAC, 1, 0, table="2p_stock_auction")
    seen = picture.view(TYSIAC, table, 0)
    piles, mine = seen.piles, seen.mine
    assert mine == []  # an open talon lies on the table, and is told once
    assert (set(piles["talon"]), piles["the stock"]) == (set(table.dealt()["talon"]), [back] * 8)
    assert set(picture.view(TYSIAC, table).piles["the stock"]) == set(table.dealt()["stock"])


def test_a_resting_dealer_and_partners_are_named_in_pictures_of_tysiac():
    table = position(TYSIAC, 1, 0, table="4p_resting")
    words = {seat.seat: seat.words for seat in picture.view(TYSIAC, table, 0).seats}
    assert "rests" in words.pop(table.dealer)
    assert not any("rests" in its for its in words.values())
    assert not any("passed" in seat.words for seat in picture.view(TYSIAC, table, 0).seats)  # nobody has been asked
    table = position(TYSIAC, 1, 0, table="4p_teams")
    seen = picture.view(TYSIAC, table, 0, ["you", "left", "across", "right"])
    assert ["partner" in seat.words for seat in seen.seats] == [False, False, True, False]
    assert seen.facts == ["you and across against left and right"]
    seen = picture.view(TYSIAC, table)
    assert not any("partner" in seat.words for seat in seen.seats)
    assert seen.facts == ["seat 0 and seat 2 against seat 1 and seat 3"]
    assert picture.view(TYSIAC, position(TYSIAC, 1, 0), 0).facts == []


def events(table, seed, player="random"):
    """Plays an episode; yields what each event was, and each decision's seat and action before it is played."""
    table.reset(seed)
    while not table.over:
        if (event := table.advance()) != ASKED:
            yield event, -1, ""
        elif table.seat >= 0:
            action = table.choose(player)
            yield ASKED, table.seat, table.shape.actions[action]
            table.play(action)


EVERY_TABLE = [{"table": name} for name in TYSIAC.rules.__dataclass_fields__["table"].metadata["values"]]


def named(at):
    """A test's name: options as they are, of a game only its name, for a game's text differs from run to run."""
    return at if isinstance(at, str) else getattr(at, "name", str(at))


@pytest.mark.rules
@pytest.mark.parametrize("at", [*EVERY_TABLE, PIQUET, PETUKH, PIOTRUS], ids=named)
def test_a_deal_that_is_over_lies_on_the_table_with_its_number_and_its_dealer(at):
    """Until the next is dealt: also after the last one. Redeals keep both."""
    game, rules = (TYSIAC, {**at, "redeal_points": 18}) if isinstance(at, dict) else (at, {})
    limit = {"max_deals": 3} if "max_deals" in game.rules().to_dict() else {}
    table, after = Table(game, episode="match", **rules, **limit), 0
    for event, _, _ in events(table, 4):
        if event == DEAL:
            number, dealer, dealt = table.number + 1, table.dealer, table.dealt()
        assert table.latest == (number, dealer)
        if event not in (SCORE, END):
            continue
        after += 1
        assert table.dealt() == dealt
        for seat in (None, 0, table.seats - 1):
            seen = picture.view(game, table, seat)
            assert seen.title == f"{game.title} · deal {number} · over"
            assert [its.seat for its in seen.seats if "dealer" in its.words] == [dealer]
            resting = [dealer] if rules.get("table") == "4p_resting" else []
            assert [its.seat for its in seen.seats if "rests" in its.words] == resting
    assert after > 1


@pytest.mark.rules
@pytest.mark.parametrize("at", [*EVERY_TABLE, {}, {"stock": "draw", "players": 5}, PIQUET], ids=named)
def test_the_last_trick_is_shown_from_its_lead(at):
    """Who led is noted as the cards are laid; a picture has only the observation."""
    game, rules = (at, {}) if at is PIQUET else (TYSIAC if "table" in at else PETUKH, at)
    compared = 0
    for seed in range(6):
        table, trick = Table(game, episode="deal", **rules), []
        for event, seat, action in events(table, seed, ("random", "rule")[seed % 2]):
            if event != ASKED or action.split()[0] not in ("play", "meld"):
                continue
            if table.state.laid == 0:
                for me in (None, 0, 1):
                    assert picture.view(game, table, me).last == trick
                    compared += len(trick) > 0
                trick = []
            trick.append((seat, action.split()[1]))
    assert compared > 20


@pytest.mark.rules
@pytest.mark.parametrize(
    "rules",
    [
        {"deck": "picture", "players": 8},
        {"discard": "manual"},
        {"pairing": "rank", "odd_card": "queen", "players": 5, "discard": "manual"},
        {"deck": "short", "shuffle": "never", "draw_from": "left", "players": 4},
    ],
)
def test_fans_of_every_deck_and_way_to_lay_off_keep_their_secrets_and_their_places(rules):
    lot = random.Random(11)
    tables = [position(PIOTRUS, seed, lot.randrange(40), **rules) for seed in range(8)]
    leaks, differ = leaks_and_differences(PIOTRUS, tables)
    assert leaks == 0
    assert differ > 8
    for table in tables:
        cards, backs = drawn(table)
        assert (sorted(cards), backs) == (sorted(table.shape.deck.cards(table.shape.deck.full)), 0)
        for seat in range(table.seats):
            own = table.shape.observation.decode(table.observe(seat))["fans"][0]
            assert picture.view(PIOTRUS, table, seat).seats[0].cards == [card for card in own if card != "empty"]


def test_after_the_deal_all_cards_lie_open_to_spectators_and_one_hand_to_a_seat(game):
    table = position(game, 1, 0)
    deck = table.shape.deck
    cards, backs = drawn(table)
    assert sorted(cards) == sorted(deck.cards(deck.full))
    assert backs == 0
    seen = [drawn(table, seat) for seat in range(table.seats)]
    for cards, backs in seen:
        assert len(cards) + backs == len(deck.cards(deck.full))
    public = set.intersection(*(set(cards) for cards, _ in seen))  # what lies open, or what all know of a hand
    assert len(public) < len(deck.cards(deck.full)) / 2
    for (cards, _), hand in zip(seen, table.dealt()["hands"], strict=True):
        assert set(cards) - public == set(hand) - public


def test_every_visible_card_is_in_the_svg_once(game):
    for table in positions(game, 40):
        for seat in (None, *range(table.seats)):
            cards, _ = drawn(table, seat)
            assert len(cards) == len(set(cards))
            assert set(cards) <= set(table.shape.deck.cards(table.shape.deck.full))


def test_the_readmes_table_shows_these_cards_to_its_seat():
    """Its hand, the trick, the last trick, the other card of Zofia's marriage and the cards that it gave away."""
    table = readme_table()
    visible = "AS TH KH TC KC QD  KS TS  QH AH 9H  QS  9D JS"
    cards, backs = drawn(table, 0)
    assert sorted(cards) == sorted(visible.split())
    assert backs == 10 - 3
    seen = picture.view(TYSIAC, table, 0, ["you", "Zofia", "Jan"])
    assert seen.trick == [(1, "KS"), (2, "TS")]
    assert seen.last == [(0, "QH"), (1, "AH"), (2, "9H")]  # seat 0 led it
    assert seen.taker == 1
    assert seen.playable == {"AS"}
    assert seen.facts == ["contract 160", "trump ♠"]
    assert seen.mine == ["talon J♠ A♣ Q♦", "you gave 9♦ to Zofia, J♠ to Jan"]
    # 11 + 0 + 2 for the first trick and 100 for the hearts; 11 + 3 for the second and 40 for the spades
    assert [seat.words[-3:] for seat in seen.seats] == [
        ["tricks 1", "points 113", "melded ♥"],
        ["tricks 1", "points 54", "melded ♠"],
        ["dealer"],
    ]
    assert [(seat.name, seat.score, seat.asked) for seat in seen.seats] == [
        ("you", "310", True),
        ("Zofia", "260", False),
        ("Jan", "480", False),
    ]


def test_the_seats_stand_clockwise_from_the_one_that_looks():
    table = readme_table()
    assert [seat.seat for seat in picture.view(TYSIAC, table, 1).seats] == [1, 2, 0]
    assert [seat.seat for seat in picture.view(TYSIAC, table).seats] == [0, 1, 2]


def test_a_fan_goes_by_suits_of_changing_colour_and_the_strongest_first():
    assert picture.fan(TYSIAC.shape().deck, ["9S", "TD", "AH", "9C", "AS", "TH", "KH"]) == [
        "AS",
        "9S",
        "AH",
        "TH",
        "KH",
        "9C",
        "TD",
    ]


def test_a_fan_may_go_by_ranks_first():
    held = ["9S", "TD", "AH", "9C", "AS", "TH", "KH"]
    assert picture.fan(PACK, held, ranked=True) == ["AS", "AH", "KH", "TH", "TD", "9S", "9C"]


def test_what_the_scores_are_called_is_the_games_word():
    """Petukh's scores are what is left to write off, and are still those that the table keeps."""
    table = position(PETUKH, 1, 0)
    seen = picture.view(PETUKH, table, 0)
    assert (seen.score, seen.kept, seen.seats[0].score) == ("left", True, "15")
    seen = picture.view(TYSIAC, position(TYSIAC, 1, 0), 0)
    assert (seen.score, seen.kept, seen.phase) == ("score", True, "auction")
    seen = picture.view(PIOTRUS, position(PIOTRUS, 1, 0), 0)
    assert (seen.score, seen.kept) == ("place", False)


def test_a_phase_may_have_another_title_than_its_name():
    """Piquet's `carte` is the name in the observation, for which weights are made; people read carte blanche."""
    for seed in range(40):
        table = position(PIQUET, seed, 0)
        seen = picture.view(PIQUET, table, table.seat)
        assert seen.title.endswith({"carte": "carte blanche", "exchange": "exchange"}[seen.phase])
        if seen.phase == "carte":
            return
    raise AssertionError("no white ten in forty deals")


# -------------------------------------------------------------------------------------------- shapes


def boxes(shapes, kind):
    """Left, top, right and bottom of the shapes of a kind."""
    for shape in shapes:
        if isinstance(shape, kind):
            height = shape.width * RATIO if kind is Card else shape.height
            yield shape.x, shape.y, shape.x + shape.width, shape.y + height


def apart(one, other):
    """Whether two rectangles do not overlap."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_nothing_leaves_the_felt_and_only_cards_of_a_fan_overlap(game):
    for table in positions(game, 40):
        for seat in (None, 0):
            shapes = picture.scene(game, table, seat)
            width, height = extent(shapes)
            cards = list(boxes(shapes, Card))
            plates = [box for box in boxes(shapes, Box) if box[3] - box[1] == PLATE_H]
            assert len(plates) == table.seats
            for card in cards:
                assert card[0] >= 20
                assert card[2] <= width - 20
                assert card[1] >= 20
                assert card[3] <= height - 20
                assert all(apart(card, plate) for plate in plates)
            seen = picture.view(game, table, seat)
            heaped = {*seen.pile, *seen.pairs}
            names = [shape.name for shape in shapes if isinstance(shape, Card)]
            for i, card in enumerate(cards):
                for j, other in enumerate(cards[:i]):
                    # in a fan the cards stand level, but for those lifted; in a pile and a pair they lie on each other
                    level = abs(card[1] - other[1]) <= 10
                    assert apart(card, other) or level or {names[i], names[j]} <= heaped


def test_corners_of_the_cards_in_a_fan_stay_visible():
    """Twelve cards of Tysiąc's longest hand: at least a third of each is seen."""
    seat = picture.SeatView(0, "you", "0", list(PACK.names[:12]), False, [])
    places = [box[0] for box in boxes(at_seat(seat, 0, 0, 420, SIDE_W, set()), Card)]
    assert len(places) == 12
    assert min(np.diff(places)) >= SIDE_W / 3
    assert places[0] >= 0
    assert places[-1] + SIDE_W <= 420


@pytest.mark.parametrize("others", [1, 2, 3, 4])
def test_tables_of_two_to_five_seats_have_room(others):
    seats = [picture.SeatView(s, f"seat {s}", "0", ["9S", None, None], s == 0, ["dealer"]) for s in range(others + 1)]
    trick = [(s, card) for s, card in zip(range(others + 1), PACK.names[1:], strict=False)]
    shapes = picture.arranged(
        picture.View("a game", seats, trick, trick[:1], 0, "S", {"talon": [None]}, ["x"], [], set())
    )
    cards = list(boxes(shapes, Card))
    middle = cards[3 * (others + 1) : 4 * (others + 1)]
    assert all(apart(one, other) for i, one in enumerate(middle) for other in middle[:i])
    assert all(0 < box[0] < box[2] < extent(shapes)[0] for box in cards)


@pytest.mark.parametrize("name", ["9S", "TH", "JC", "QD", "KH", "AS", "2D", "7C", None])
def test_every_face_is_drawn(name):
    shapes = face(name)
    words = [shape.text for shape in shapes if isinstance(shape, Words)]
    if name is None:
        assert words == []
    else:
        assert words == [{"T": "10"}.get(name[0], name[0])] * 2
        red = {shape.fill for shape in shapes if isinstance(shape, Words)} == {RED}
        assert red == (name[-1] in "DH")
        signs = [shape for shape in shapes if getattr(shape, "path", "") == SUIT_PATHS[name[-1]]]
        # one sign in each corner beside those in the middle
        assert len(signs) == 2 + {"9": 9, "T": 10, "2": 2, "7": 7, "A": 1}.get(name[0], 2)


# ------------------------------------------------------------------------------------- whole pictures, drawn by hand

TYSIAC_TEXT = """
     Zofia                        260     Jan                           480
     tricks 1 · points 54 · melded ♠      dealer

           Q♠  9♦  ░░  ░░ ░░                     J♠  ░░ ░░  ░░  ░░

   Tysiąc · deal 1 · play                                 last trick to Zofia
   contract 160                  K♠      T♠
   trump ♠                                                     Q♥   A♥  9♥
   talon J♠ A♣ Q♦
   you gave 9♦ to Zofia, J♠ to
   Jan

                 ▶ you                                      310
                 declarer · tricks 1 · points 113 · melded ♥

                         A♠   T♥   K♥  T♣   K♣   Q♦
"""


def test_the_whole_picture_of_a_table_of_tysiac():
    """Zofia's 9♦ and Jan's J♠ were gifts, Zofia's Q♠ is the other half of her marriage."""
    assert shown(picture.text(TYSIAC, readme_table(), 0, ["you", "Zofia", "Jan"])) == TYSIAC_TEXT


PAN_TEXT = """
     Zofia                                Jan                           P A
     follows                              follows after a spade

   Q♦  J♠  9♠  ░░  ░░ ░░  ░░  ░░  ░░           ░░  ░░  ░░ ░░  ░░  ░░

                         pile of 3 · top Q♣
   Pan · deal 1
   decisions 7

                                 9♥  9♦  [Q♣]

                 ▶ you                                        P

                         A♠   K♠   K♣  J♣   T♠   9♣
"""


def test_the_whole_picture_of_a_table_of_pan():
    """Zofia drew Q♦ J♠ 9♠, so 9♦ came to the top again and the turn went on to Jan; 9♠ and J♠ had sent it back."""
    hands = ["9H TS KS AS QD JC 9C KC", "9D TC TD TH JS JD JH QS", "9S QC QH KD KH AD AC AH"]
    at = dealt_table("pan", hands, start=[1, 0, 2], spades_back=True)
    act(at, "play 9H, play 9D, play 9S, play JS, play QD, draw, play QC")
    assert shown(picture.text(at.game, at, 0, ["you", "Zofia", "Jan"])) == PAN_TEXT


PIOTRUS_GIVER = """
     Jan                                  Zofia
     draws                                dealer · knows your place 2 3

               ░░  ░░  (2♠)                        ░░  ░░ ░░  ░░
               0   1   2                           0   1  2   3

                         laid off · pairs 20
   Piotruś · deal 1 · offer
   decisions 8           2♦ 2♥ 3♦ 3♥ 4♦ 4♥ 5♠ 5♣ 5♦ 5♥ 6♠ 6♣ 6♦ 6♥

                         7♠ 7♣ 7♦ 7♥ 8♠ 8♣ 8♦ 8♥ 9♠ 9♣ 9♦ 9♥ T♠ T♣

                           T♦ T♥ J♦ J♥ Q♦ Q♥ K♦ K♥ A♠ A♣ A♦ A♥

                 ▶ you
                 gives

                              3♠   4♠  K♣   Q♣
                              0    1   2    3
"""

PIOTRUS_THIRD = """
     Jan                                  ▶ Ola
     gives · has Q♣ K♣ somewhere          draws

             ░░  ░░  ░░ ░░                           ░░ ░░  ░░
             0   1   2  3                            0  1   2

                         laid off · pairs 20
   Piotruś · deal 1 · draw
   the giver has shuffled   2♦ 2♥ 3♦ 3♥ 4♦ 4♥ 5♠ 5♣ 5♦ 5♥ 6♠ 6♣ 6♦ 6♥
   decisions 9

                         7♠ 7♣ 7♦ 7♥ 8♠ 8♣ 8♦ 8♥ 9♠ 9♣ 9♦ 9♥ T♠ T♣

                           T♦ T♥ J♦ J♥ Q♦ Q♥ K♦ K♥ A♠ A♣ A♦ A♥

                 you
                 dealer

                              2♣   3♣  4♣   J♠
                              0    1   2    3
"""


def test_the_whole_pictures_of_a_table_of_piotrus():
    """The giver has given 2♠ to its left and got K♣ and Q♣ from its right; then it shuffles."""
    at = held("2S 3S 4S", "KS QS 9D", "KC QC 2C 3C 4C JS 9H")
    act(at, "offer, draw 0, offer, draw 0, offer, draw 2, offer, draw 0")
    assert shown(picture.text(PIOTRUS, at, 0, ["you", "Jan", "Zofia"])) == PIOTRUS_GIVER
    shuffled(at, "KC 3S QC 4S")
    assert shown(picture.text(PIOTRUS, at, 2, ["Jan", "Ola", "you"])) == PIOTRUS_THIRD


def shown(text):
    """A text as it is written here: with a line break before and after."""
    return "\n" + text.strip("\n") + "\n"


# ------------------------------------------------------------------------------------- text, SVG, pixels


def test_text_shows_cards_names_scores_and_backs():
    table = readme_table()
    text = picture.text(TYSIAC, table, 0, ["you", "Zofia", "Jan"])
    for shown in (
        "Zofia",
        "260",
        "▶ you",
        "310",
        "K♠",
        "contract 160",
        "last trick to Zofia",
        "A♠   T♥   K♥  T♣   K♣   Q♦",
    ):
        assert shown in text
    assert text.count("░░") == 7
    assert max(map(len, text.splitlines())) <= 80
    assert not text.startswith("\n")


def test_words_fit_their_plates_and_a_terminal(game):
    for table in positions(game, 40):
        shapes = picture.scene(game, table)
        assert max(map(len, picture.as_text(shapes).splitlines())) <= 100
        for x, y, right, bottom in boxes(shapes, Box):
            for words in shapes:
                inside = isinstance(words, Words) and x < words.x < right and y < words.y < bottom
                if inside and bottom - y == PLATE_H and words.anchor == "start":
                    assert words.x + 0.6 * words.size * len(words.text) <= right - 15


def test_text_has_letters_where_a_stream_has_no_suit_signs():
    table = readme_table()
    for encoding in ("ascii", "latin-1", None, "no such encoding"):
        text = picture.text(TYSIAC, table, 0, encoding=encoding)
        assert "AS   TH   KH  TC   KC   QD" in text
        assert "Tysiac" in text
        assert text.isascii()
    assert "A♠" in picture.text(TYSIAC, table, 0, encoding="utf-16")


def test_text_in_colour_is_the_same_text():
    table = readme_table()
    text = picture.text(TYSIAC, table, 0, colour=True)
    assert "\x1b[91mT\x1b[0m\x1b[91m♥\x1b[0m" in text
    plain = text.replace(ANSI_RED, "").replace(ANSI_PLAIN, "")
    assert plain == picture.text(TYSIAC, table, 0)


def test_svg_is_well_formed_and_escapes_names():
    table = readme_table()
    tree = ElementTree.fromstring(picture.svg(TYSIAC, table, 0, ["<b>", "A & B", '"']))
    texts = ["".join(text.itertext()) for text in tree.iter(f"{SVG}text")]
    assert "▶ <b>" in texts
    assert "A & B" in texts
    ids = [element.get("id") for element in tree.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    used = {use.get("href")[1:] for use in tree.iter(f"{SVG}use")}
    assert used <= set(ids)


def test_pixels_are_an_image_of_the_whole_table():
    pytest.importorskip("matplotlib")
    table = readme_table()
    image = picture.pixels(TYSIAC, table, 0)
    assert image.shape == (HEIGHT, WIDTH, 3)
    assert image.dtype == np.uint8
    felt = [int(FELT[i : i + 2], 16) for i in (1, 3, 5)]
    assert image[500, 60].tolist() == felt
    assert image.std() > 20
    assert not np.array_equal(image, picture.pixels(TYSIAC, table))


def test_pixels_without_matplotlib_name_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.backends.backend_agg", None)
    with pytest.raises(ImportError, match=r"karty\[render\]"):
        picture.pixels(TYSIAC, readme_table())


def test_the_readmes_picture_is_up_to_date():
    """`python docs/table.py` draws it anew."""
    assert (DOCS / "table.svg").read_text(encoding="utf-8") == runpy.run_path(str(DOCS / "table.py"))["drawn"]()


def test_a_row_of_four_marks_is_of_suits_only_where_nothing_else_says_what_is_marked():
    who = flag("who has passed", rows=("me", "next", "second", "third"))
    layout = observation(PACK, 4, who=who, marked=flag("suits or places", (4, 4)))
    assert spoken([0, 1, 0, 1], Look(), layout, "who") == "next third"
    assert spoken([0, 1, 0, 1], Look(), layout, "marked") == "♣ ♥"
    assert spoken([0, 1, 0, 1], Look(fans="fans"), layout, "marked") == "1 3"


# ------------------------------------------------------------------------------------------ sides, cards aside, layout


def told(at, seat, names=None):
    """The facts beside the middle, as a seat sees them or (None) with all cards open."""
    seen = picture.view(TYSIAC, at, seat, names)
    return [*seen.facts, *seen.mine]


def test_both_sides_points_stand_against_the_contract():
    """Tysiąc 6.5: seat 1 declares at 150, and takes AD JD 9D JC with his first lead, 15 points."""
    at = played("teams_contract_failed", moves=13)
    assert "seat 0 and seat 2 0, seat 1 and seat 3 15 of 150" in told(at, None)
    assert "you and across 15 of 150, left and right 0" in told(at, 1, ["right", "you", "left", "across"])


# Tysiąc 2.1: seat 0 takes 2, JS KH, and lays 9S 9H away; AD TC stay. The taker of the last trick has 11 + 10 more.
ASIDE = "two_talons_cards_aside"


def test_the_cards_aside_are_shown_when_all_others_are_played_and_who_gets_them():
    at = played(ASIDE, episode="deal")
    taker = int(at.state.leader)
    for seat, piles in (
        (None, {"laid away": {"9S", "9H"}, "other talon": {"AD", "TC"}}),
        (0, {"laid away": {"9S", "9H"}, "other talon": {"AD", "TC"}}),
        (1, {"aside": {"9S", "9H", "AD", "TC"}}),
    ):
        assert {name: {*cards} for name, cards in picture.view(TYSIAC, at, seat).piles.items()} == piles
        assert f"21 of 120 card points lay aside: to seat {taker} with the last trick" in told(at, seat)
    nobody = played(ASIDE, episode="deal", last_trick_takes_aside=False)
    assert "21 of 120 card points lay aside: to nobody" in told(nobody, 1)
    before = played(ASIDE, moves=22)
    assert picture.view(TYSIAC, before, 1).piles == {"aside": [picture.BACK] * 4}
    before = picture.view(TYSIAC, before, 0).piles
    assert ({*before["laid away"]}, before["other talon"]) == ({"9S", "9H"}, [picture.BACK] * 2)


def test_what_the_talon_earns_a_resting_dealer_is_told_if_it_was_shown():
    """Tysiąc 2.3: seat 1 deals; AS, KH and QH are 50 + 100."""
    names = ["right", "you", "left", "across"]
    at = played("resting_dealer_scores_the_talon", episode="deal")
    assert "the talon A♠ Q♥ K♥ is worth 150 to you" in told(at, 1, names)
    assert "you rest this deal" in told(at, 1, names)
    hidden = played("resting_dealer_scores_the_talon", episode="deal", show_talon="never")
    assert "worth" not in " ".join(told(hidden, 1))


@pytest.mark.parametrize("at", EVERY_TABLE, ids=str)
def test_statuses_stay_in_their_columns(at):
    """In a text the words of two seats never meet: what a column has no room for goes on below."""
    for seed in range(2):
        table = Table(TYSIAC, episode="deal", **at)
        for event, _, _ in events(table, seed):
            if event != SCORE and table.state.trick_number < 4:
                continue
            seen = picture.view(TYSIAC, table)
            lines = picture.as_text(picture.arranged(seen)).splitlines()
            top = lines[1 : next(i for i, line in enumerate(lines) if "Tysiąc" in line)]
            words = sorted(words for seat in seen.seats[1:] for words in seat.words)
            found = [part.strip() for line in top for part in line.replace(" · ", "  ").split("  ") if part.strip()]
            assert sorted(part for part in found if not {*part} & {*"♠♣♦♥"} or "melded" in part) == words
