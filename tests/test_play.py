"""The game in the terminal, played by scripts: what is typed, what is shown, and that nothing hidden is."""

import io
import random
from contextlib import suppress

import numpy as np
import pytest
from made_up import FANS, FULL, HEAP, PACK, PICTURES, fan_layout, heap_layout, table_of, written
from positions import act
from positions import table as dealt_table
from rich.console import Console
from tysiac_deals import dealt, golden

import karty
from karty.envs import picture
from karty.envs.game import ASKED, NOBODY
from karty.envs.games import piquet
from karty.envs.table import Table
from karty.training import play as terminal
from karty.training.play import first_number, followed, matching, overheard, plain, play, puzzled, several, spelled

TYSIAC, PAN, PIOTRUS = (karty.GAMES[name] for name in ("tysiac", "pan", "piotrus"))
PIQUET, PETUKH = karty.GAMES["piquet"], karty.GAMES["petukh"]
MOVES = ["play QH", "play TS", "meld QH", "meld KH"]
SIGNS = str.maketrans({"S": "♠", "C": "♣", "D": "♦", "H": "♥"})


class Script:
    """Answers in order, then the end of the input; keeps the prompts."""

    def __init__(self, *answers, then=EOFError):
        self.answers, self.then, self.prompts = list(answers), then, []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        if not self.answers:
            raise self.then
        return self.answers.pop(0)


class Always:
    """Types what a function of the prompt says, for ever."""

    def __init__(self, answer):
        self.answer, self.prompts = answer, []

    def __call__(self, prompt):
        self.prompts.append(prompt)
        assert len(self.prompts) < 20_000
        return self.answer(prompt)


def quick(prompt):
    """The first move at once; Enter elsewhere."""
    return "1!" if prompt.startswith("your move") else ""


def terminal_of(width=100, encoding="utf-8"):
    """A console that writes into memory."""
    return Console(file=io.TextIOWrapper(io.BytesIO(), encoding=encoding), width=width, color_system=None)


def printed(console):
    """What was written on it."""
    console.file.flush()
    return console.file.buffer.getvalue().decode(console.encoding)


def played(script, *, game=TYSIAC, console=None, **settings):
    """The exit code of a scripted game, and what was printed."""
    console = console or terminal_of()
    code = play(
        game, console=console, input=script, **{"opponents": ["random"], "seed": 3, "episode": "deal", **settings}
    )
    return code, printed(console)


# ----------------------------------------------------------------------------------------- whole games


@pytest.mark.rules
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_deal_is_played_to_its_end(game, seat):
    seat = min(seat, game.rules().seats - 1)
    # Pan 3.6: a deal may go round for ever; then the next seed has one that ends
    rules = {name: 300 for name in game.rules().to_dict() if name == "max_turns"}
    for seed in range(3, 30):
        code, text = played(Always(quick), game=game, seat=seat, seed=seed, rules=rules, opponents=["rule"])
        assert code == 0
        if "Cut off" not in text:
            break
    assert "deal 1 scored" in text
    assert {"wins": "win", "losses": "lose"}[game.outcome] in text.splitlines()[-1].lower()


def test_a_match_waits_between_deals_and_ends():
    script = Always(quick)
    code, text = played(script, episode="match", rules={"max_deals": 3})
    assert code == 0
    assert [f"deal {n} scored" in text for n in (1, 2, 3, 4)] == [True, True, True, False]
    assert script.prompts.count("Enter for the next deal > ") == 2
    assert text.splitlines()[-1] == "Cut off by the limit: nobody wins."


def test_the_cards_are_those_of_the_seed_and_the_seat():
    table = Table(TYSIAC, episode="deal")
    table.reset(12)
    table.settle()
    hand = picture.fan(table.shape.deck, table.dealt()["hands"][1])
    _, text = played(Script(), seed=12, seat=1)
    shown = next(line for line in text.splitlines() if "your hand" in line)
    assert shown.split()[2:] == [card.translate(SIGNS) for card in hand]


def test_opponents_are_any_agents_clockwise_from_the_person():
    class Last:
        name = "last"

        def act(self, observation, mask, rng):
            return mask.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)

    _, text = played(Script("1!"), opponents=[Last(), "random"], seat=2)
    assert "left (last)" in text
    assert "right (random)" in text


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"seat": 3}, "seat: 3 is none of the seats 0 … 2"),
        ({"opponents": ["random"] * 3}, "opponents: 3 given"),
        ({"opponents": ["nobody"]}, "nobody"),
        ({"rules": {"table": "5p"}}, "5p"),
        ({"episode": "evening"}, "evening"),
        ({"seed": -1}, "seed"),
    ],
)
def test_a_wrong_wish_is_named(wrong, words):
    with pytest.raises(ValueError, match=words):
        played(Script(), **wrong)


# --------------------------------------------------------------------------------------------- leaving


@pytest.mark.parametrize(
    "script", [Script("q"), Script("Q"), Script("1", "quit"), Script(), Script(then=KeyboardInterrupt)]
)
def test_leaving_ends_cleanly(script):
    code, text = played(script)
    assert code == 0
    assert text.endswith("Good-bye.\n")


def test_q_leaves_between_deals_too():
    script = Always(lambda prompt: "q" if prompt.startswith("Enter") else quick(prompt))
    code, text = played(script, episode="match")
    assert code == 0
    assert "deal 1 scored" in text
    assert "deal 2" not in text


# ------------------------------------------------------------------------------------- choosing, undoing


def asked(*answers, seed=3):
    """The prompts of a deal whose first decisions are answered so, and what was printed."""
    script = Script(*answers)
    _, text = played(script, seed=seed)
    return script.prompts, text


@pytest.fixture
def own_moves(monkeypatch):
    """The names of the actions that seat 0 has played."""
    moves, real = [], Table.play

    def play_and_note(table, action):
        if table.seat == 0:
            moves.append(table.shape.actions[action])
        real(table, action)

    monkeypatch.setattr(Table, "play", play_and_note)
    return moves


def test_a_choice_is_said_back_and_enter_plays_it(own_moves):
    prompts, _ = asked("2")
    assert prompts == ["your move > ", "bid 110: Enter plays it, u takes it back > "]
    assert own_moves == []
    asked("2", "")
    assert own_moves == ["bid 110"]


def test_u_takes_a_choice_back_before_it_is_played(own_moves):
    prompts, _ = asked("2", "u", "pass", "")
    assert prompts[:4] == [
        "your move > ",
        "bid 110: Enter plays it, u takes it back > ",
        "your move > ",
        "pass: Enter plays it, u takes it back > ",
    ]
    assert own_moves == ["pass"]


def test_another_number_changes_the_choice(own_moves):
    prompts, _ = asked("2", "3", "1", "u")
    assert own_moves == []
    assert [prompt.split(":")[0] for prompt in prompts[1:4]] == ["bid 110", "bid 120", "pass"]


def test_u_without_a_choice_says_that_played_is_played():
    _, text = asked("u")
    assert "what has been played stays played" in text


def test_an_exclamation_mark_plays_at_once(own_moves):
    prompts, _ = asked("1!")
    assert prompts[0] == "your move > "
    assert own_moves == ["pass"]


def test_a_single_move_needs_only_enter():
    """The opener must bid 100 (3.1)."""
    for seat in range(3):
        script = Script()
        _, text = played(script, seat=seat)
        if "bid 100" not in text.split("your hand")[0]:
            break
    assert script.prompts == ["the only move, bid 100: Enter plays it > "]


@pytest.mark.parametrize(
    "answer", ["", "9", "0", "-1", "zzz", "play XX", "99999999999999999999", "1.5", "\x00", "♥", "[b]", "!"]
)
def test_wrong_input_gets_one_helpful_line(answer):
    before, after = asked(), asked(answer)
    assert len(after[0]) == 2
    extra = len(after[1].splitlines()) - len(before[1].splitlines())
    assert extra == 1
    assert "a number from 1 to 3" in after[1].lower()


def test_help_and_the_table_again():
    before, text = asked()[1], asked("?", "t")[1]
    assert "q quits" in text
    assert text.count("your hand") == 2 * before.count("your hand")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1", ["play QH"]), ("4", ["meld KH"]), ("5", []), ("0", []),
        ("play QH", ["play QH"]), ("PLAY qh", ["play QH"]), ("play Q♥", ["play QH"]), ("meld  kh", ["meld KH"]),
        ("TS", ["play TS"]), ("10s", ["play TS"]), ("10♠", ["play TS"]), ("KH", ["meld KH"]), ("K♥", ["meld KH"]),
        ("QH", ["play QH", "meld QH"]), ("play", ["play QH", "play TS"]), ("meld k", ["meld KH"]), ("bid 120", []),
    ],
)  # fmt: skip
def test_what_is_typed_means(typed, meant):
    assert [MOVES[i] for i in matching(typed, MOVES)] == meant


def test_a_bid_is_meant_by_its_height():
    bids = ["pass", "bid 110", "bid 120"]
    assert matching("120", bids) == [2]
    assert matching("2", bids) == [1]
    assert matching("p", bids) == [0]


def test_what_could_be_several_moves_is_told():
    assert puzzled("QH", MOVES, matching("QH", MOVES)) == "'QH' could be 1 play Q♥ or 3 meld Q♥."
    assert plain("Play 10♥") == ["play", "th"]
    assert spelled("meld KS") == "meld K♠"
    assert spelled("contract 120") == "contract 120"


# --------------------------------------------------------------------------------------- what is shown


def shown_to(table, seat):
    """The screen of the seat to move, as text."""
    console = terminal_of()
    console.print(terminal.screen(picture.view(table.game, table, seat), console.width))
    return printed(console)


@pytest.mark.rules
def test_the_screen_shows_only_what_the_seat_may_see(game):
    lot, differ = random.Random(2), 0
    for seed in range(30):
        table = Table(game)
        table.reset(seed)
        table.settle()
        for _ in range(lot.randrange(35)):
            if table.seat >= 0:
                table.play(table.choose("random"))
                table.settle()
        for seat in range(table.seats):
            other = table.clone()
            other.determinize(seat, lot.randrange(2**62))
            assert shown_to(table, seat) == shown_to(other, seat)
            differ += shown_to(table, (seat + 1) % table.seats) != shown_to(other, (seat + 1) % table.seats)
    assert differ > 30  # or the test would prove nothing


def test_of_the_others_moves_only_what_is_public_is_told(game):
    """What is told of each action names no card that is not visible in the observation after it."""
    told, secret = 0, 0
    for seed in range(25):
        table = Table(game, episode="deal")
        table.reset(seed)
        while not table.over:
            if table.advance() != ASKED or table.over:
                continue
            mover, action = table.seat, table.choose("random")
            name = table.shape.actions[action]
            before = [table.observe(seat) for seat in range(table.seats)]
            seen = [terminal.asked_openly(table, seat, before[seat], before[mover]) for seat in range(table.seats)]
            table.play(action)
            for seat in range(table.seats):
                if seat == mover:
                    continue
                after = table.observe(seat)
                turn = table.shape.observation["turn"].slice
                heard = overheard(table, before[seat], after, name, openly=seen[seat])
                told += heard == name
                card = name.split()[-1]
                if name.startswith("give"):
                    received = card in table.shape.observation.decode(after)["got"]
                    assert heard == (name if received else "give a card")
                    secret += not received
                elif heard != name:  # nothing that the seat can see, or not which card it was
                    changed = before[seat] != after
                    changed[turn] = changed[table.shape.observation["phase"].slice] = False
                    assert heard == name.replace(card, "a card") if heard else not changed.any()
                    secret += 1
                elif card in table.shape.deck.names:
                    assert card in str(table.shape.observation.decode(after))
    assert told > 300 * table.seats
    if "give" in game.action_kinds():
        assert secret > 20


def test_a_card_given_to_somebody_else_is_not_named():
    _, text = played(Always(quick), seed=3)
    gifts = [line.split(": ")[1].strip() for line in text.splitlines() if ": give" in line]
    assert {gift.rsplit(" ", 1)[0] for gift in gifts if not gift.endswith("you")} == {"give a card to"}


def test_moves_are_numbered_in_the_order_of_the_hand():
    _, text = played(Script("1!", "1!", "1!"))
    block = text.split("your hand")[-1].splitlines()
    hand = [card for card in block[0].split()]
    moves = " ".join(block[1:]).split("play ")[1:]
    cards = [move.split()[0] for move in moves]
    assert cards == [card for card in hand if card in cards]
    assert len(cards) > 2


def test_the_last_trick_the_score_and_the_dealer_are_on_the_screen():
    _, text = played(Always(quick))
    assert "last trick" in text
    assert "taken by" in text
    assert "dealer" in text
    assert "contract" in text


def test_a_console_without_suit_signs_gets_letters():
    code, text = played(Always(quick), console=terminal_of(encoding="ascii"))
    assert code == 0
    assert text.isascii()
    assert "Tysiac" in text
    assert "AS" in text


def test_prompts_on_a_console_without_suit_signs_have_letters_too():
    script = Always(lambda prompt: "1" if prompt.startswith("your move") else "")
    played(script, console=terminal_of(encoding="ascii"))
    assert any(prompt.startswith("play") for prompt in script.prompts)
    assert all(prompt.isascii() for prompt in script.prompts)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_every_width_will_do(width):
    code, text = played(Always(quick), console=terminal_of(width=width))
    assert code == 0
    assert max(map(len, text.splitlines())) <= width


# ------------------------------------------------------------------------------------------- piles and fans


def fan_view(*fans, laid="", asked=-1, actions=(), deck=FULL, **values):
    """What seat 0 sees of these fans."""
    layout = fan_layout(len(fans), deck)
    turn = {"turn": asked} if asked >= 0 else {}
    row = written(layout, fans=fans, laid=laid, phase="draw", **turn, **values)
    table = table_of(FANS, layout, [row, *[None] * (len(fans) - 1)], deck, actions, asked)
    return picture.view(FANS, table, 0, ["you", "left", "right"][: len(fans)])


def lines_of(seen, width=100):
    """The screen of a view, line by line."""
    console = terminal_of(width)
    console.print(terminal.screen(seen, width))
    return printed(console).splitlines()


def test_numbers_of_moves_are_the_places_where_there_is_a_choice_of_places():
    draws = ["draw 0", "draw 1", "draw 2", "shuffle"]
    assert first_number(draws) == 0
    assert first_number(["offer", "shuffle"]) == first_number(["bid 110", "pass"]) == 1
    assert [matching(typed, draws) for typed in ("0", "2", "3", "draw 1", "s")] == [[0], [2], [3], [1], [3]]
    assert puzzled("9", draws, []) == "'9' is no move here: a number from 0 to 3, a move's name, or ? for help."
    console = terminal_of()
    console.print(terminal.numbered(draws, 100))
    assert printed(console).split() == ["0", "draw", "0", "1", "draw", "1", "2", "draw", "2", "3", "shuffle"]


def test_the_fan_to_draw_from_and_the_own_one_are_shown_with_numbers_below_the_cards():
    values = {"actions": ["draw 0", "draw 1", "draw 2"], "asked": 0, "giver": 2, "drawer": 0}
    lines = lines_of(fan_view("7D TS", "░ QH", "░ KS ░", loose=["2C", ""], laid="3D 3H", **values))
    at = lines.index(" to draw from: right")
    assert [line.rstrip() for line in lines[at : at + 6]] == [
        " to draw from: right",
        "  ░░  (K♠)  ░░",
        "  0    1    2",
        " your fan",
        "  7♦   T♠",
        "  0    1",
    ]
    left = next(line for line in lines if "left" in line)
    assert left.split("left")[1].split(maxsplit=1)[0] == "2"
    assert "has 2♣ somewhere" in left
    assert " left holds  1: Q♥" in [line.rstrip() for line in lines]
    assert any("laid off  3♦3♥" in line for line in lines)
    assert not any("trick" in line or "pile" in line or "score" in line for line in lines)


def test_only_the_seat_to_draw_is_shown_from_where():
    assert not any("to draw from" in line for line in lines_of(fan_view("7D", "░ ░", giver=1, drawer=0)))


@pytest.mark.parametrize("width", [40, 60, 100])
def test_long_fans_go_on_in_the_next_lines(width):
    own = " ".join(FULL.cards(FULL.full)[:27])
    lines = lines_of(fan_view(own, "░ " * 26, actions=[f"draw {n}" for n in range(26)], asked=0, giver=1), width)
    assert max(map(len, lines)) <= width
    at = next(i for i, line in enumerate(lines) if line.startswith(" your fan"))
    rows = [line.split() for line in lines[at + 1 :]]
    assert [card.translate(SIGNS) for card in own.split()] == [card for row in rows[::2] for card in row]
    assert [number for row in rows[1::2] for number in row] == [str(n) for n in range(27)]


def test_cards_of_the_picture_deck_have_room():
    lines = lines_of(fan_view("12a P 3b", "░", deck=PICTURES))
    at = lines.index(" your fan") + 1
    starts = [[i for i, sign in enumerate(line) if sign != " " and line[i - 1] == " "] for line in lines[at : at + 2]]
    assert lines[at].split() == ["12a", "P", "3b"]
    assert starts[0] == starts[1]


def test_a_pile_is_shown_bottom_first_and_its_top_in_brackets():
    layout = heap_layout(3)
    row = written(layout, hand="AS", held=[1, 2, 0], pile="9H 9D TC QS", letters=[0, 2, 0])
    lines = lines_of(picture.view(HEAP, table_of(HEAP, layout, [row, None, None], PACK), 0))
    at = lines.index(" pile, top last")
    assert lines[at + 1].split() == ["9♥", "9♦", "T♣", "[Q♠]"]
    assert "letters" in lines[1]
    assert any("seat 1" in line and "P A" in line for line in lines)


def test_a_card_that_comes_onto_a_pile_is_named():
    layout = heap_layout(2)
    before = written(layout, pile="9H", hand="AS", held=[1, 2])
    after = written(layout, pile="9H QD", hand="AS", held=[1, 1])
    table = table_of(HEAP, layout, [after, None], PACK)
    assert overheard(table, before, after, "play QD") == "play QD"
    assert overheard(table, before, after, "play KD") == "play a card"


def test_a_hand_sorted_by_ranks_has_gaps_between_ranks():
    layout = heap_layout(2)
    row = written(layout, hand="9S QD 9H QS AC", held=[5, 2], pile="9D")
    lines = lines_of(picture.view(HEAP, table_of(HEAP, layout, [row, None], PACK), 0))
    hand = next(line for line in lines if "your hand" in line).split("your hand")[1]
    assert [group.split() for group in hand.split("    ")] == [["A♣"], ["Q♠", "Q♦"], ["9♠", "9♥"]]


def test_a_card_seen_as_it_changes_fans_is_news():
    mine = fan_view("7D KS", "░ ░", asked=0)
    assert list(followed(mine, fan_view("7D KS TC", "░"), "draw 1")) == ["TC drawn"]
    assert list(followed(mine, fan_view("KS", "░", laid="7D 7H"), "draw 0")) == ["7D 7H laid off"]
    theirs = fan_view("7D KS", "░ ░", asked=1)
    assert list(followed(theirs, fan_view("7D", "░ ░ KS"), "draw 1")) == ["your KS taken"]
    assert list(followed(theirs, fan_view("KS", "░", laid="7D 7H"), "draw 0")) == ["your 7D taken", "7D 7H laid off"]
    assert list(followed(theirs, fan_view("7D KS", "", laid="2D 2H"), "lay 2D 2H")) == []
    assert list(followed(theirs, fan_view("7D KS", "░ ░"), "shuffle")) == []


def test_a_whole_game_of_fans_tells_the_places_and_the_loser():
    """Piotruś 4.1: one seat alone holds cards and loses; the others have the places 1 and 2."""
    code, text = played(Always(quick), game=PIOTRUS)
    assert code == 0
    sheet = text[text.index("deal 1 scored") :].splitlines()
    assert sorted(line.split()[-1] for line in sheet[2:5]) == ["1st", "2nd", "3rd"]
    assert "this deal" not in sheet[1]
    last = next(line.removesuffix("3rd").strip() for line in map(str.rstrip, sheet[2:5]) if line.endswith("3rd"))
    assert sheet[-1] == ("You lose." if last == "you" else f"{last} loses.")
    assert "trick" not in text


def titles(text):
    """The lines that tell of deals: their beginnings, and why one was not scored."""
    return [line.strip("─ ") for line in text.splitlines() if line.strip("─ ").startswith("deal ")]


def test_a_deal_that_the_limit_cuts_off_is_told_before_the_next_one_begins():
    """Pan 3.6: after max_turns decisions nobody gets a letter, and the match goes on with the next deal."""
    code, text = played(Always(quick), game=PAN, episode="match", rules={"max_turns": 3, "max_deals": 3})
    assert code == 0
    assert titles(text) == [
        "deal 1",
        "deal 1 was cut off by the limit: nothing is scored",
        "deal 2",
        "deal 2 was cut off by the limit: nothing is scored",
        "deal 3",
    ]
    assert text.splitlines()[-1] == "Cut off by the limit: nobody loses."


def test_a_deal_that_ends_before_it_begins_is_told_to_be_dealt_again():
    """Piotruś 2.5: if laying off the pairs ends the deal, the same dealer deals again."""
    rules = {"players": 2, "deck": "short", "pairing": "rank"}
    for seed in range(200):
        table = Table(PIOTRUS, rules, episode="match")
        table.reset(seed)
        table.settle()
        if int(table.state.attempt) == 1:
            break
    code, text = played(Always(quick), game=PIOTRUS, rules=rules, seed=seed)
    assert code == 0
    assert titles(text)[:3] == ["deal 1", "deal 1 is dealt again", "deal 1"]


def test_where_a_match_has_several_deals_each_tells_what_it_changed_the_first_too():
    """Pan 3.4: a match ends with a loser's third letter, so never with the first deal."""
    two = {"game": PAN, "rules": {"players": 2}, "opponents": ["rule"]}
    code, text = played(Always(quick), episode="match", **two)
    assert code == 0
    sheets = text.split(" scored")[1:]
    assert len(sheets) > 2
    assert all("this deal" in sheet.splitlines()[1] for sheet in sheets)
    _, text = played(Always(quick), **two)
    assert "deal 1 scored" in text
    assert "this deal" not in text


# ------------------------------------------------------------------------------ what is said, won and decided


class Says:
    """An agent that plays these actions, separated by commas, and then the first legal one."""

    name = "script"

    def __init__(self, game, words):
        self.names = game.action_names()
        self.left = [word.strip() for word in words.split(",") if word.strip()]

    def act(self, observation, mask, rng):
        if not self.left:
            return mask.argmax(axis=1)
        action = self.names.index(self.left.pop(0))
        assert mask[0][action]
        return np.array([action])


def told(game, deal, mine, theirs, *, width=200, **rules):
    """The lines that tell what was done and said, in a deal in which seat 0 types and the others act by these words."""
    table, console = Table(game, episode="deal", **rules), terminal_of(width)
    table.reset(1, deal=deal)
    others = [Says(game, words) for words in theirs]
    session = terminal.Session(table, 0, others, console)
    session.ask = Script(*(answer for word in mine.split(",") for answer in (word.strip(), "")))
    with pytest.raises(EOFError):
        session.run()
    return [line.strip() for line in printed(console).splitlines() if line.startswith(("  opp", "  you:", "  left"))]


MINE = "AS KS QS JS 7C 8C 9C QD 9D QH 8H 7H"
ELDER = "AD KD JD TD 8D AC KC TC AH KH 7S 8S"
WITHOUT_SET = "AD KD JD TD 8D AC KC TC 9H JH 7S 8S"
WITH_SEQUENCE = "AD KD JD TD 8D AC KC QC 9H JH 7S 8S"


def piquet_deal(elder, mine=MINE):
    """Seat 0 deals; what is in no hand lies in the talons."""
    rest = [card for card in PIQUET.shape().deck.names if card not in f"{elder} {mine}".split()]
    piles = {"talon_elder": rest[:5], "talon_younger": rest[5:]}
    return {"dealer": 0, "hands": [mine.split(), elder.split()], **piles}


def test_declarations_tell_their_numbers_and_who_won_what_with_which_cards():
    """Piquet 4.1 to 4.6: 5 diamonds beat 4 spades; AKQJ 4 and 987 3; three aces and three kings, 13 each."""
    lines = told(PIQUET, piquet_deal(ELDER), "done, declare, declare, declare", ["done, declare, declare"])
    assert lines[:7] == [
        "opponent (script): done",
        "you: declare, a suit of 4",
        "opponent (script): declare, a suit of 5, suit round won with A♦ K♦ J♦ T♦ 8♦, 5 points",
        "you: declare, a sequence of 4, sequence round won with A♠ K♠ Q♠ J♠ and 9♣ 8♣ 7♣, 7 points",
        "you: declare, a set of 3",
        "opponent (script): declare, a set of 3, rank A, set round won with A♣ A♦ A♥ and K♣ K♦ K♥, 26 points",
        "you: rank Q",
    ]


def test_who_kept_silent_and_who_had_nothing_to_say_sound_alike():
    """Piquet 4.6: elder passes a set, or has none; elder passes a sequence before younger speaks, or has none."""
    words = "done, declare, declare, declare"
    silent = told(PIQUET, piquet_deal(ELDER), words, ["done, declare, pass, play AD"])
    assert silent == told(PIQUET, piquet_deal(WITHOUT_SET), words, ["done, declare, play AD"])
    assert silent[4] == "you: declare, a set of 3, set round won with Q♠ Q♦ Q♥, 13 points"
    silent, without = (
        told(PIQUET, piquet_deal(elder), words, [theirs], first_declarer="elder")
        for elder, theirs in ((WITH_SEQUENCE, "done, declare, pass"), (WITHOUT_SET, "done, declare"))
    )
    assert silent == without
    assert not any("pass" in line for line in silent)


def test_a_round_won_until_the_other_speaks_is_not_told():
    """Piquet 4.6: 4 spades in a row are beaten by 5 diamonds in a row, which elder is asked for aside."""
    elder = "AD KD QD JD TD 8D AC KC TC AH KH 7S"
    mine = "AS KS QS JS 7C 8C 9C 9D QH 8H 7H 8S"
    lines = told(PIQUET, piquet_deal(elder, mine), "done, declare, declare", ["done, declare, declare"])
    assert lines[3:5] == [
        "you: declare, a sequence of 4",
        "opponent (script): declare, a sequence of 5, sequence round won with A♦ K♦ Q♦ J♦ T♦, 15 points",
    ]


def test_equal_holdings_are_won_by_nobody():
    """Piquet 4.2, worked case 2: five cards with a total of 51 each."""
    elder, mine = "AD KD QD JD TD 7C 8C 9H 8H 7S 8S 9S", "AH KH QH JH TH 9C TC KC 7D 8D 9D TS"
    lines = told(PIQUET, piquet_deal(elder, mine), "done, declare", ["done, declare"], carte_blanche="none")
    assert lines[1:4] == [
        "you: declare, a suit of 5",
        "opponent (script): declare, a suit of 5, total 51",
        "you: total 51",
    ]
    table = dealt_table(PIQUET, [mine, elder], dealer=0, carte_blanche="none", piles=talons(elder, mine))
    act(table, "done, done, declare, declare")
    assert (NOBODY, "nobody wins the suit round: both are equal") in news_of(table, 0)


@pytest.mark.parametrize("game", [PIQUET, PETUKH])
def test_news_name_no_card_that_is_not_in_sight(game):
    named = 0
    for seed in range(8):
        table = Table(game, episode="deal", **({"khlust": "any_kon"} if game is PETUKH else {}))
        table.reset(seed)
        table.settle()
        while not table.over and table.seat >= 0:
            table.play(table.choose("random"))
            for seat in range(table.seats):
                seen = str(table.shape.observation.decode(table.observe(seat)))
                for _, words in news_of(table, seat):
                    cards = {word.strip(",") for word in words.split()} & {*table.shape.deck.names}
                    assert all(card in seen for card in cards)
                    named += len(cards)
            table.settle()
    assert named > 50 or game is PETUKH


def talons(elder, mine):
    deal = piquet_deal(elder, mine)
    return {name: " ".join(deal[name]) for name in ("talon_elder", "talon_younger")}


def news_of(table, seat):
    """All that a seat has been told in this deal and what still stands."""
    layout = table.shape.observation
    nothing = picture.readable(layout, np.zeros(layout.size, np.int8))
    return list(table.game.news(nothing, picture.readable(layout, table.observe(seat))))


def test_bonuses_are_told_by_their_names():
    """Piquet 6.1, 6.2, worked case 5: 5 + 15 + 14 = 34 before the first lead; without the set the fifth trick does."""
    elder, younger = "AS KS QS JS TS AC AD AH 7C 8C 9D 9H", "7S 8S 9S TC JC QC KC 7D 8D TD KD KH"
    said = {"dealer": 0, "carte_blanche": "none", "first_declarer": "elder", "piles": talons(elder, younger)}
    words = "done, done, declare, pass, declare, pass, declare, pass"
    for bonus, name in (("classic", "repique, 60 points more"), ("thirty", "the thirty bonus, 30 points more")):
        at = act(dealt_table(PIQUET, [younger, elder], bonus=bonus, **said), words)
        assert (1, name) in news_of(at, 0)
        assert (0, name) in news_of(at, 1)
    leads = ("AS, 7S", "KS, 8S", "QS, 9S", "JS, 7D", "TS, 8D")
    at = act(dealt_table(PIQUET, [younger, elder], bonus="classic", **said), "done, done, declare, pass, declare, pass")
    act(at, "pass, pass")
    for trick in leads:
        assert not any("pique" in told_words for _, told_words in news_of(at, 0))
        act(at, ", ".join(f"play {card}" for card in trick.split(", ")))
    assert (1, "pique, 30 points more") in news_of(at, 0)


@pytest.mark.parametrize(
    ("tricks", "said"),
    [
        ([12, 0], [(0, "all 12 tricks, capot, 40 points more")]),
        ([5, 7], [(1, "7 tricks, 10 points more for the play")]),
        ([6, 6], []),
        ([8, 3], []),
    ],
)
def test_what_most_tricks_bring_is_told_after_the_last(tricks, said):
    """Piquet 5.3, 5.4; 7.1: nothing is told if somebody has passed the target."""
    now = {"tricks": tricks, "has_target": 1, "stop": 0, "single_deal": 0, "left": [3, 90], "capot_with_cards": 0}
    before = {"tricks": [tricks[0] - 1, tricks[1]]}
    assert list(piquet.tricks_said(before, now)) == said
    assert list(piquet.tricks_said(now, now)) == []
    assert list(piquet.tricks_said(before, {**now, "left": [0, 90]})) == []
    assert list(piquet.tricks_said(before, {**now, "left": [0, 90], "single_deal": 1})) == said


def test_what_news_say_was_scored_is_what_was_scored():
    """Every round won, with every option of sets and combinations: its points are those of the winner's deal points."""
    rounds = 0
    for seed in range(60):
        rules = {"all_combinations": seed % 2 == 0, "trio_value": (13, 3)[seed % 3 == 0], "bonus": "none"}
        table = Table(PIQUET, episode="deal", set_ranks=("all", "ten_up")[seed % 5 == 0], **rules)
        table.reset(seed)
        table.settle()
        while table.seat >= 0 and not any(table.state.played):
            table.play(table.choose("rule"))
            table.settle()
        cartes = [sum(map(int, row)) for row in table.state.white]
        for me in (0, 1):
            layout = table.shape.observation
            points = [10 * cartes[me], 10 * cartes[1 - me]]
            for i, words in news_of(table, me):
                if " round won with " in words:
                    points[i] += int(words.split(", ")[-1].split()[0])
                    rounds += 1
            lead = [int(table.state.leader == (me + i) % 2 and any(table.state.played)) for i in (0, 1)]
            seen = picture.readable(layout, table.observe(me))["points"]
            assert seen == [points[i] + lead[i] for i in (0, 1)]
    assert rounds > 100


def test_a_declaration_to_choose_says_what_it_puts_forward():
    _, text = played(Script("J♣ 9♠ done", "", "declare"), game=PIQUET, seed=5, opponents=["rule"])
    assert "1 declare 4: K♦ Q♦ T♦ 8♦  2 pass" in text
    table = Table(PIQUET, episode="deal")
    table.reset(1, deal=piquet_deal(ELDER))
    table.settle()
    for words, meant in (("done, done", "4: AS KS QS JS"), ("declare, declare", "4: AS KS QS JS and 9C 8C 7C")):
        act(table, words)
        seen = picture.readable(table.shape.observation, table.observe(0))
        assert PIQUET.means(seen, "declare") == meant
        assert PIQUET.means(seen, "pass") == ""


KHLUST = ["AH KH 9H 7H 6H", "6S 7C 8D QC JS", "7S 8C 9D TH JC", "TS QS KC AD JD QD"]


@pytest.mark.parametrize(
    ("khlust", "turned", "what"),
    [
        ("kon", "QD", "the kon is void"),
        ("any_kon", "QD", "5 points written off, 5 more for everybody else"),
        ("kon", "8H", "5 points written off, 5 more for everybody else"),
        ("any_game", "QD", "which writes everything off"),
    ],
)
def test_a_khlust_that_is_shown_is_told_and_what_it_does(khlust, turned, what):
    """Petukh 2.1 to 2.4: seat 1 was dealt five hearts."""
    hands = [KHLUST[1], KHLUST[0], KHLUST[2], KHLUST[3].replace("QD", turned)]
    rest = [card for card in PETUKH.shape().deck.names if card not in " ".join(hands).split()]
    deal = {"dealer": 3, "hands": [hand.split() for hand in hands], "prikup": rest[:4], "stock": rest[4:]}
    table, console = Table(PETUKH, episode="deal", khlust=khlust), terminal_of(200)
    table.reset(1, deal=deal)
    session = terminal.Session(table, 0, [Says(PETUKH, "")] * 3, console)
    session.ask = Script()
    with suppress(EOFError):
        session.run()
    assert f"  left (script): khlust A♥ K♥ 9♥ 7♥ 6♥, {what}" in [
        line.rstrip() for line in printed(console).splitlines()
    ]


def test_what_is_left_to_write_off_is_called_so_and_many_unseen_cards_are_counted():
    _, text = played(Always(quick), game=PETUKH)
    heads = [line.split() for line in text.splitlines() if line.strip().startswith("seat ")]
    assert heads and all(head[:3] == ["seat", "left", "cards"] for head in heads)
    assert "score " not in text.replace("scored", "")
    assert "stock and cards out of play  11 cards" in text
    table = Table(PIQUET)
    table.reset(1)
    table.settle()
    assert " talon  8 cards" in lines_of(picture.view(PIQUET, table, 0))


def test_cards_known_of_another_have_lines_of_their_own():
    """Twelve cards known: one line at 80 columns, two at 60; what is said of the seats is not squeezed."""
    known = "AS KS QS JS TS AC KC AD KD AH KH QH"
    words = ["laid away 5", "tricks 1", "points 67", "bonus"]
    seats = [
        picture.SeatView(0, "you", "12", ["7S"] * 12, True, ["dealer", "laid away 3"]),
        picture.SeatView(1, "opponent (rule)", "100", known.split(), False, words),
    ]
    seen, held = picture.View("Piquet", seats, [], [], None, "", {}, [], [], set()), known.translate(SIGNS).split()
    for width, rows in ((80, 1), (60, 2)):
        lines = lines_of(seen, width)
        assert max(map(len, lines)) <= width
        assert width < 80 or any(", ".join(words) in line for line in lines)
        at = next(i for i, line in enumerate(lines) if line.startswith(" opponent holds  "))
        shown = [lines[at].split("holds")[1], *lines[at + 1 : at + rows]]
        assert [card for line in shown for card in line.split()] == held
        assert all(line.startswith(" " * len(" opponent holds  ")) for line in shown[1:])


def tysiac_told(name, seat, *typed, width=100, names=(), **options):
    """What a person at this seat types and is shown in the first deal of a golden record; the others play it."""
    rules, deal, *moves = golden(name)
    rules = rules["rules"] | options
    table = Table(TYSIAC, rules, episode="deal")
    table.reset(1, deal={key: value for key, value in deal.items() if key not in ("type", "number")})
    others = {}
    for other in range(table.seats):
        words = [line["action"] for line in moves if line["type"] == "move" and line["seat"] == other]
        others[other] = Says(TYSIAC, ", ".join(words))
    mine = [line["action"] for line in moves if line["type"] == "move" and line["seat"] == seat]
    console = terminal_of(width)
    around = [others[(seat + 1 + i) % table.seats] for i in range(table.seats - 1)]
    session = terminal.Session(table, seat, around, console)
    answers = [word for move in mine for word in (move, "")]
    session.ask = script = Script(*(typed or answers))
    with suppress(EOFError):
        session.run()
    return printed(console), script.prompts


def test_a_gift_is_told_with_its_receiver():
    """Tysiąc 4.2: seat 1 declares and gives 9S, AC, JC to seats 2, 3, 0."""
    text, prompts = tysiac_told("teams_contract_failed", 1)
    for card, receiver in (("9♠", "left"), ("A♣", "across"), ("J♣", "right")):
        assert f"Tysiąc · deal 1 · give to {receiver}" in text
        assert f" give {card} to {receiver}" in text
        assert f"give {card} to {receiver}: Enter plays it, u takes it back > " in prompts
    assert "you gave 9♠ to left, A♣ to across, J♣ to right" in text
    help_text, _ = tysiac_told("teams_contract_failed", 1, "bid 110", "", "?")
    assert "to each of the others who play, clockwise" in " ".join(help_text.split())
    assert "its name (give " in help_text
    text, _ = tysiac_told("teams_contract_failed", 3)
    gifts = [line.split(": ")[1].strip() for line in text.splitlines() if ": give" in line]
    assert gifts == ["give a card to right", "give A♣ to you", "give a card to left"]


def test_two_handed_a_card_is_laid_away_not_given():
    """Tysiąc 4.2; both ways to name the move are understood."""
    text, prompts = tysiac_told("two_talons_cards_aside", 0)
    assert "Tysiąc · deal 1 · lay away" in text
    assert "lay away 9♠: Enter plays it, u takes it back > " in prompts
    assert "give" not in text
    text, _ = tysiac_told("two_talons_cards_aside", 1)
    assert "opponent (script): lay away a card" in text
    assert "give" not in text
    assert "aside  " in text
    assert "of 120 card points lay aside: to " in text
    table = act(dealt("2p_pairs", "9S JS QS AS KC QC AC 9D KD TH"), "bid 100, bid 110, bid 120, pass, take 2")
    session = terminal.Session(table, table.seat, [Says(TYSIAC, "")], terminal_of())
    session.ask = script = Script("lay away 9s", "u", "give 9S", "u")
    with suppress(EOFError):
        session.run()
    assert [prompt for prompt in script.prompts if "9♠" in prompt] == [
        "lay away 9♠: Enter plays it, u takes it back > "
    ] * 2


def test_partners_are_told_with_both_sides_points_and_one_row_a_side():
    text, _ = tysiac_told("teams_contract_failed", 1)
    rows = [line.split() for line in text.splitlines() if "across (script)" in line]
    assert any("partner" in " ".join(row) for row in rows)
    assert "you and across 15 of 150, left and right 0" in text
    sheet = text[text.index("deal 1 scored") :].splitlines()
    assert [line.split("  ")[0].strip() for line in sheet[2:4]] == [
        "you and across (script)",
        "left (script) and right (script)",
    ]
    assert ("-150" in sheet[2], "-150" in sheet[3]) == (True, False)
    assert sheet[4].startswith("left (script) and right (script) win")


def test_a_resting_person_sees_the_table_and_is_told_what_the_talon_brings():
    """Tysiąc 2.3: seat 1 deals and rests; AS, QH and KH lie in the talon."""
    text, prompts = tysiac_told("resting_dealer_scores_the_talon", 1)
    assert prompts == []
    begin = text[text.index(" deal 1 ") : text.index("bid 100")]
    assert "you rest this deal" in begin
    assert "dealer, rests" in begin
    assert "passed" not in begin
    assert "is worth 150 to you" in text
    sheet = text[text.index("deal 1 scored") :].splitlines()
    assert sheet[2].split() == ["you", "+150", "150"]


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_score_table_begins_with_the_person(seat):
    _, text = played(Always(quick), seat=seat)
    assert text[text.index("deal 1 scored") :].splitlines()[2].split()[0] == "you"


@pytest.mark.parametrize("width", [50, 60, 80])
def test_lines_break_between_phrases(width):
    words = ["declarer", "tricks 3", "points 153", "melded ♠ ♥", "dealer"]
    seats = [picture.SeatView(s, f"across (rule-bold{s})", "100", [], False, words) for s in range(4)]
    facts = ["contract 120", "trump ♥", "you and across 0, left and right 64 of 110", "you gave 9♦ to left"]
    trick = [(s, card) for s, card in enumerate(["AS", "KS", "QS", "JS"])]
    seen = picture.View("Tysiąc", seats, trick, trick, 1, "H", {}, facts, [], set())
    lines = lines_of(seen, width)
    assert max(map(len, lines)) <= width
    for phrase in (*words, *facts):
        assert any(phrase in line for line in lines)
    text = "\n".join(lines)
    assert all(text.count(phrase) == 4 for phrase in words)


def test_how_many_cards_lie_unseen_in_a_pile_is_always_told_by_a_number():
    layout = fan_view("7D", "░")
    for count in (1, 3, 12):
        layout.piles = {"stock": [picture.BACK] * count}
        assert f" stock  {count} card{'s' if count > 1 else ''}" in [line.rstrip() for line in lines_of(layout)]


LAYING = ["discard 9S", "discard 8C", "discard JC", "discard QH", "done"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("1 3", [0, 2]), ("4 1", [0, 3]), ("QH 9S", [0, 3]), ("q♥, 9♠, j♣", [0, 2, 3]), ("discard QH 9S", [0, 3]),
        ("3 1 done", [0, 2, 4]), ("done 1", []), ("1 99", []), ("1 AS", []), ("9S 9S", [0]),
    ],
)  # fmt: skip
def test_cards_that_are_named_in_order_may_be_typed_in_any(typed, meant):
    assert several(typed, LAYING, "discard") == meant
    assert several(typed, LAYING, "") == []


@pytest.mark.parametrize(
    ("game", "rules", "typed"),
    [(PIQUET, {}, "J♣ 9♠ done"), (PIQUET, {}, "3 1 13"), (PETUKH, {"stock": "draw"}, "K♣ 8♣ done")],
)
def test_several_cards_are_laid_away_at_once_in_the_order_the_game_wants(game, rules, typed, own_moves):
    """Piquet 2.5, Petukh 8.2: in ascending card id."""
    script = Script(typed, "")
    _, text = played(script, game=game, rules=rules, seed=5, opponents=["rule"])
    first, second = ("9S", "JC") if game is PIQUET else ("8C", "KC")
    moves = f"discard {first}, discard {second}, done"
    assert own_moves == 2 * moves.split(", ")  # tried on a copy of the table first
    assert script.prompts[1] == f"{spelled(moves)}: Enter plays them, u takes them back > "
    assert "Lay away, lowest first: a card passed over stays; done ends it." in text
    numbered_moves = text.split("Several at once")[1].split("done")[0]
    shown = [move.split()[0] for move in numbered_moves.split("discard ")[1:]]
    deck = game.shape().deck
    assert shown == [name.translate(SIGNS) for name in deck.names if name.translate(SIGNS) in shown]


def test_more_cards_than_may_be_laid_away_are_refused_in_one_line():
    """Piquet 2.3: where elder took five, younger may take three."""
    _, text = played(Script("1 2 3 4"), game=PIQUET, seed=5, opponents=["rule"])
    assert "After discard 9♠, discard 8♣, discard J♣ you cannot discard Q♣." in text
    assert "you laid away" not in text


def test_help_explains_what_is_decided_and_its_examples_are_moves(game):
    """In every phase met in random games: the game's own sentence, and a number and a name that mean a legal move."""
    met = set()
    for seed in range(12):
        table = Table(game)
        table.reset(seed)
        table.settle()
        for _ in range(60):
            if table.seat < 0:
                break
            seen = picture.view(game, table, table.seat)
            names = [table.shape.actions[action] for action in table.legal()]
            lines = list(terminal.explained(game, seen, names, ""))
            sentence = game.phases[seen.phase or "play"]
            assert lines[0] == f"To decide now: {sentence}"
            number, rest = lines[1].removeprefix("Type a move's number (").split("), its name (")
            name, _, part = rest.split("; then")[0].partition("), or what tells it apart (")
            assert names[int(number) - first_number(names)] == name.rstrip(")")
            if part:
                assert [names[i] for i in matching(part.rstrip(")"), names)] == [name]
            met.add(seen.phase)
            table.play(table.choose("random"))
            table.settle()
    assert len(met) >= min(len(game.phases), 2)


def test_every_phase_that_asks_has_its_sentence(game):
    fields = [part for part in game.shape().observation if part.name == "phase"]
    phases = [value for part in fields for value in part.values if value != "over"] or ["play"]
    assert list(game.phases) == phases
    assert all(words.endswith(".") and len(words) < 240 for words in game.phases.values())


def test_help_at_the_table_speaks_of_the_phase_and_of_lists():
    _, text = played(Script("?"), game=PIQUET, seed=5, opponents=["rule"])
    helped = " ".join(text.split("your move")[0].split("Several at once")[2].split())
    assert helped.startswith(", in any order: 1 12 or 9♠ Q♥.")
    assert "named one by one, suit by suit" in " ".join(text.split())
    assert "q quits" in text


def test_the_phase_of_a_carte_blanche_is_called_so():
    elder = "TS 9S 7S TD AD KD JD 8D AC KC AH KH"
    at = dealt_table(PIQUET, [MINE, elder], dealer=0, piles=talons(elder, MINE))
    seen = picture.view(PIQUET, at, 1)
    assert seen.title == "Piquet · deal 1 · carte blanche"
    assert spelled("carte blanche S") == "carte blanche ♠"
    act(at, "carte blanche S")
    assert news_of(at, 0) == [(1, "a ten of S without king, queen or jack, 10 points")]


@pytest.mark.parametrize(
    ("words", "shown"),
    [("with QH KS, 5 points", "with Q♥ K♠, 5 points"), ("(TD)", "(T♦)"), ("a ten of S.", "a ten of ♠."), ("A", "A")],
)
def test_cards_have_their_signs_beside_commas_too(words, shown):
    assert spelled(words) == shown
