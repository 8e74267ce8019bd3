"""The game in the terminal, played by scripts: what is typed, what is shown, and that nothing hidden is."""

import io
import random

import numpy as np
import pytest
from made_up import FANS, FULL, HEAP, PACK, PICTURES, fan_layout, heap_layout, table_of, written
from rich.console import Console

import karty
from karty.envs import picture
from karty.envs.game import ASKED
from karty.envs.table import Table
from karty.training import play as terminal
from karty.training.play import first_number, followed, matching, overheard, plain, play, puzzled, spelled

TYSIAC, PAN, PIOTRUS = (karty.GAMES[name] for name in ("tysiac", "pan", "piotrus"))
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
            table.play(action)
            for seat in range(table.seats):
                if seat == mover:
                    continue
                after = table.observe(seat)
                turn = table.shape.observation["turn"].slice
                openly = bool(before[seat][turn][(mover - seat) % table.seats])
                heard = overheard(table, before[seat], after, name, openly=openly)
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
    gifts = [line.split(": ")[1] for line in text.splitlines() if ": give" in line]
    assert "give a card" in gifts


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
    assert "2  holds 1: Q♥" in left
    assert "has 2♣ somewhere" in left
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
