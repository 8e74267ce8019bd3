"""Records: what is written replays clean, what is wrong is refused with its line, and nothing else can happen."""

import json
import os
import random
from dataclasses import fields

import numpy as np
import pytest
from randomly import alike, endless_rules
from tysiac_deals import RECORDS

import karty
from karty.envs.record import RecordError, read_records, record_episode, replay, write_records
from karty.envs.table import Table

TYSIAC = karty.GAMES["tysiac"]
KEYS = {  # rules book, "Records": the keys of each line in their order
    "match": ["type", "format", "game", "version", "seed", "episode", "start", "rules", "players"],
    "move": ["type", "seat", "legal", "action"],
    "score": ["type", "deal", "points", "totals"],
    "end": ["type", "terminated", "returns"],
}


class Last:
    """Takes the last legal action."""

    name = "last"

    def act(self, observation, mask, rng):
        return mask.shape[1] - 1 - np.argmax(mask[:, ::-1], axis=1)


class Dice:
    """Takes any legal action by the generator it is given."""

    name = "dice"

    def act(self, observation, mask, rng):
        return np.array([rng.choice(np.flatnonzero(row)) for row in mask])


def recorded(game, *, seed=0, episode="deal", players=None, **options):
    """The lines of one episode as dictionaries."""
    table = Table(game, episode=episode, **options)
    return [json.loads(line) for line in record_episode(table, players or ["random"] * table.seats, seed)]


def refusal(lines):
    """The error that replay raises for these dictionaries or texts."""
    with pytest.raises(RecordError) as raised:
        replay([line if isinstance(line, str | bytes) else json.dumps(line) for line in lines])
    return raised.value


def place(lines, kind, nth=0):
    """Where the nth line of a kind stands, from 0."""
    return [i for i, line in enumerate(lines) if line["type"] == kind][nth]


# ------------------------------------------------------------------------------------------------ writing


@pytest.mark.rules
@pytest.mark.parametrize("episode", ["deal", "match"])
def test_what_is_written_replays_clean(any_game, episode, tmp_path):
    lot = random.Random(1)
    for seed, rules in zip(range(0, 90 if episode == "deal" else 12, 3), endless_rules(any_game, lot, 2), strict=False):
        path = tmp_path / f"{seed}.jsonl"
        players = [lot.choice(["random", Dice(), Last()]) for _ in range(rules.seats)]
        lines = write_records(path, any_game, players=players, episodes=3, seed=seed, rules=rules, episode=episode)
        summary = replay(path)
        assert summary.episodes == 3
        assert summary.lines == lines == len(path.read_text().splitlines())


@pytest.mark.plain
def test_one_deal_replays_clean(game):
    lines = recorded(game)
    assert replay(map(json.dumps, lines)).moves == sum(line["type"] == "move" for line in lines)


def test_keys_and_numbers_are_written_as_the_book_says():
    table = Table(TYSIAC, episode="deal", start_scores="random")
    texts = record_episode(table, ["random", Dice(), "random"], 5)
    for text in texts:
        line = json.loads(text)
        keys = list(line)
        wanted = KEYS.get(line["type"], ["type", "number", "dealer", "hands", "talon"])
        assert keys == wanted
        assert text == json.dumps(line, separators=(",", ":"))
    match, end = json.loads(texts[0]), json.loads(texts[-1])
    assert match["format"] == 1
    assert match["seed"] == 5
    assert match["players"] == ["random", "dice", "random"]
    assert list(match["rules"]) == [field.name for field in fields(TYSIAC.rules)]
    assert all(isinstance(value, float) for value in end["returns"])
    assert sum(end["returns"]) == pytest.approx(0)


def test_no_return_is_minus_zero():
    lines = record_episode(Table(TYSIAC, max_deals=1), ["random"] * 3, 0)
    assert lines[-1] == '{"type":"end","terminated":false,"returns":[0.0,0.0,0.0]}'


def test_episodes_take_the_seeds_that_follow(tmp_path):
    write_records(tmp_path / "three", TYSIAC, players=["random"] * 3, episodes=3, seed=40, episode="deal")
    write_records(tmp_path / "last", TYSIAC, players=["random"] * 3, seed=42, episode="deal")
    records = list(read_records(tmp_path / "three"))
    assert [record[0]["seed"] for record in records] == [40, 41, 42]
    assert records[2] == next(read_records(tmp_path / "last"))


def test_an_agent_is_reproducible_and_each_seat_has_its_own_chance():
    first, second = (recorded(TYSIAC, seed=9, players=[Dice(), Dice(), Dice()]) for _ in range(2))
    assert first == second
    assert first != recorded(TYSIAC, seed=10, players=[Dice(), Dice(), Dice()])


def test_a_failure_leaves_the_old_file_and_no_other(tmp_path):
    class Broken(Last):
        def act(self, observation, mask, rng):
            raise RuntimeError("no idea")

    path = tmp_path / "records.jsonl"
    path.write_text("old\n")
    with pytest.raises(RuntimeError, match="no idea"):
        write_records(path, TYSIAC, players=["random", "random", Broken()], episodes=5, episode="deal")
    assert path.read_text() == "old\n"
    assert os.listdir(tmp_path) == ["records.jsonl"]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to("target")
    write_records(tmp_path / "link", TYSIAC, players=["random"] * 3, episode="deal")
    assert (tmp_path / "link").is_symlink()
    assert replay(tmp_path / "target").episodes == 1
    (tmp_path / "plain").touch()
    assert (tmp_path / "target").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"episodes": 0}, "episodes: 0 is too few"),
        ({"seed": -1}, "seed: -1"),
        ({"seed": 2**63 - 1, "episodes": 2}, "leaves the range"),
        ({"players": ["random"] * 2}, "players: 2 given, tysiac has 3 seats"),
        ({"players": ["random", "random", "nobody"]}, "nobody"),
    ],
)
def test_a_wrong_wish_is_named(wrong, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        write_records(tmp_path / "r", TYSIAC, **{"players": ["random"] * 3, "episode": "deal", **wrong})
    assert os.listdir(tmp_path) == []


# ------------------------------------------------------------------------------------------------- faults


def changed(kind, nth=0, **values):
    """A fault: the nth line of a kind with other values (… removes the key)."""

    def fault(lines):
        i = place(lines, kind, nth)
        lines[i].update(values)
        for key in [key for key, value in values.items() if value is ...]:
            del lines[i][key]
        return i + 1

    return fault


def moved_card(lines):
    """Seat 0's first card is dealt to seat 1 instead."""
    hands = lines[1]["hands"]
    hands[1].append(hands[0].pop(0))
    return 2


def doubled_card(lines):
    """A card of seat 0 lies in the talon too."""
    lines[1]["talon"][0] = lines[1]["hands"][0][0]
    return 2


def unknown_card(lines):
    """A card that the pack does not have."""
    lines[1]["hands"][2][3] = "2S"
    return 2


def unknown_option(lines):
    """An option that the game does not have."""
    lines[0]["rules"]["colour"] = "green"
    return 1


def missing_option(lines):
    """An option is left out."""
    del lines[0]["rules"]["bombs"]
    return 1


def wrong_option(value, name="bid_step"):
    """An option with a value that it cannot have."""

    def fault(lines):
        lines[0]["rules"][name] = value
        return 1

    return fault


def another_legal(lines):
    """One more action is offered."""
    i = place(lines, "move", 5)
    lines[i]["legal"].append("claim")
    return i + 1


def disordered_legal(lines):
    """The legal actions stand in another order."""
    i = next(i for i, line in enumerate(lines) if line["type"] == "move" and len(line["legal"]) > 1)
    lines[i]["legal"].reverse()
    return i + 1


def without(kind, nth=0):
    """A fault: a line is missing, and the one that follows stands in its place."""

    def fault(lines):
        i = place(lines, kind, nth)
        del lines[i]
        return i + 1

    return fault


def twice(kind, nth=0):
    """A fault: a line stands twice."""

    def fault(lines):
        i = place(lines, kind, nth)
        lines.insert(i, lines[i])
        return i + 2

    return fault


def replaced(kind, text):
    """A fault: a line is replaced by this text."""

    def fault(lines):
        i = place(lines, kind)
        lines[i] = text
        return i + 1

    return fault


FAULTS = {
    "format 2": (changed("match", format=2), "format: 2"),
    "another game": (changed("match", game="whist"), 'game: "whist" is unknown'),
    "another version": (changed("match", version=99), "version: 99"),
    "a version in words": (changed("match", version="0"), 'version: "0" is no whole number'),
    "a version with a point": (changed("match", version=0.0), "version: 0.0 is no whole number"),
    "a true seed": (changed("match", seed=True), "seed: true is no whole number"),
    "a negative seed": (changed("match", seed=-5), "seed: -5"),
    "a seed of 64 bits": (changed("match", seed=2**63), "seed: 9223372036854775808"),
    "another episode": (changed("match", episode="session"), 'episode: "session"'),
    "a start for two": (changed("match", start=[0, 0]), "start: 2 given, the table has 3 seats"),
    "a start that cannot be": (changed("match", start=[0, 10, 0]), "start: 10 cannot be"),
    "two players": (changed("match", players=["a", "b"]), "players: 2 given"),
    "players by number": (changed("match", players=[1, 2, 3]), "players: [1, 2, 3] is no list of names"),
    "a player without a name": (changed("match", players=["a", "", "c"]), "is no list of names"),
    "rules as a list": (changed("match", rules=[]), "rules: [] is no object"),
    "nested rules": (wrong_option({"a": 1}), "rules"),
    "an unknown option": (unknown_option, "colour"),
    "a missing option": (missing_option, "bombs is missing"),
    "a value that the option has not": (wrong_option("eleven"), "bid_step"),
    "a number for a flag": (wrong_option(1, "claim"), "claim"),
    "a flag for a number": (wrong_option(True, "max_deals"), "max_deals"),
    "a missing key": (changed("match", start=...), "start is missing"),
    "an extra key": (changed("match", date="today"), '"date" does not belong'),
    "a missing hand": (changed("deal", hands=[[], []]), "hands"),
    "no talon": (changed("deal", talon=...), "talon"),
    "an extra pile": (changed("deal", stock=["AS"]), "stock"),
    "a talon that is a number": (changed("deal", talon=3), "talon: 3 is no pile"),
    "a talon in two": (changed("deal", talon=[["AS"], ["KS", "QS"]]), "no card"),
    "a card in the wrong hand": (moved_card, "hands[0] must have 7 cards"),
    "a card twice": (doubled_card, "twice"),
    "an unknown card": (unknown_card, "2S"),
    "a dealer beyond the table": (changed("deal", dealer=3), "dealer"),
    "no dealer": (changed("deal", dealer=None), "dealer"),
    "the wrong number": (changed("deal", number=1), "number: 1 given, the rules make it 0"),
    "the wrong seat": (lambda lines: changed("move", 3, seat=(lines[5]["seat"] + 1) % 3)(lines), "seat"),
    "a true seat": (changed("move", 2, seat=True), "seat: true is no whole number"),
    "an illegal action": (changed("move", 4, action="play 9S"), 'action: "play 9S" is not legal here'),
    "no action at all": (changed("move", 4, action="dance"), "has no such action"),
    "one more legal action": (another_legal, "legal"),
    "legal actions in another order": (disordered_legal, "legal"),
    "nothing legal": (changed("move", 1, legal=[]), "legal: [] given"),
    "an extra key in a move": (changed("move", 1, shown=True), '"shown" does not belong'),
    "a revoke that is none": (changed("move", 1, revoke=True), "revoke: the rules do not take this action back"),
    "a revoke that is false": (changed("move", 1, revoke=False), "revoke: false given, it is true or not there"),
    "wrong points": (changed("score", points=[1, 2, 3]), "points: [1, 2, 3] given, the rules make it"),
    "wrong totals": (changed("score", totals=[0, 0, 0]), "totals"),
    "the score of another deal": (changed("score", deal=1), "deal: 1 given, the rules make it 0"),
    "points as decimals": (changed("score", points=[1.5, 0, 0]), "points"),
    "wrong returns": (changed("end", returns=[1.0, 2.0, -3.0]), "returns"),
    "returns for two": (changed("end", returns=[0.0, 0.0]), "returns"),
    "not terminated": (changed("end", terminated=False), "terminated: false given, the rules make it true"),
    "terminated by 1": (changed("end", terminated=1), "terminated: 1 is no true or false"),
    "an unknown type": (changed("score", type="points"), 'type: "points" is unknown'),
    "a shuffle in a game without": (replaced("move", '{"type":"shuffle","seat":0,"fan":[]}'), "found a shuffle line"),
    "a missing deal": (without("deal"), "found a move line where a deal line is due"),
    "a missing move": (without("move", 6), ""),
    "a missing score": (without("score"), "found an end line where a score line is due"),
    "two match lines": (twice("match"), "found a match line where a deal line is due"),
    "two deals": (twice("deal"), "found a deal line where a move line is due"),
    "two scores": (twice("score"), "found a score line where an end line is due"),
    "two ends": (twice("end"), "found an end line where a match line is due"),
    "not JSON": (replaced("move", '{"type":"move",'), "not JSON"),
    "an empty line": (replaced("move", ""), "empty line"),
    "a list": (replaced("move", "[1,2]"), 'JSON object with a "type"'),
    "a type that is a list": (replaced("move", '{"type":[]}'), 'JSON object with a "type"'),
    "a key twice": (replaced("end", '{"type":"end","type":"end"}'), 'key "type" stands twice'),
    "no number": (replaced("end", '{"type":"end","terminated":true,"returns":[NaN,0,0]}'), "NaN is no JSON number"),
    "an endless number": (replaced("end", '{"type":"end","terminated":true,"returns":[1e999,0,0]}'), "returns"),
    "a huge number": (replaced("end", f'{{"type":"end","terminated":true,"returns":[1{"0" * 400},0,0]}}'), "returns"),
    "a number beyond reading": (replaced("score", f'{{"type":"score","deal":{"1" * 5000}}}'), "not JSON"),
    "a deep nest": (replaced("move", "[" * 100_000), "not JSON"),
    "not UTF-8": (replaced("move", b'{"type":"move","seat":0,"legal":["\xff"]}'), "not UTF-8"),
    "half a sign": (changed("move", 1, action="\ud800"), "has no such action"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_refused_at_its_line(fault):
    lines = recorded(TYSIAC, seed=3)
    make, words = FAULTS[fault]
    line = make(lines)
    error = refusal(lines)
    assert error.line == line
    assert str(error).startswith(f"line {line}: ")
    assert words in str(error)
    assert str(error).isprintable()
    assert "\n" not in str(error)


def test_the_record_behind_the_faults_is_right():
    assert replay(map(json.dumps, recorded(TYSIAC, seed=3))).episodes == 1


def test_lines_count_through_the_whole_file():
    first, second = recorded(TYSIAC, seed=3), recorded(TYSIAC, seed=4)
    changed("score", totals=[5, 5, 5])(second)
    assert refusal(first + second).line == len(first) + place(second, "score") + 1


def test_of_two_faults_the_first_is_named():
    lines = recorded(TYSIAC, seed=3)
    i = place(lines, "move", 4)
    lines[i]["legal"] = []
    lines[i + 1] = "broken"
    assert refusal(lines).line == i + 1


def test_a_record_cut_short_is_refused_at_the_line_that_is_missing(tmp_path):
    texts = [json.dumps(line) for line in recorded(TYSIAC, seed=3)]
    for kept in range(len(texts)):
        error = refusal(texts[:kept])
        assert error.line == kept + 1
        assert ("no end line" if kept else "holds no record") in str(error)
    path = tmp_path / "cut.jsonl"
    path.write_text("\n".join(texts)[:-4])
    with pytest.raises(RecordError, match=f"line {len(texts)}: not JSON"):
        replay(path)
    path.write_text("")
    with pytest.raises(RecordError, match="line 1: the file holds no record"):
        replay(path)


def test_a_deal_of_a_match_must_be_dealt_by_the_seat_whose_turn_it_is():
    lines = recorded(TYSIAC, seed=1, episode="match", max_deals=2)
    i = place(lines, "deal", 1)
    lines[i]["dealer"] = (lines[i]["dealer"] + 1) % 3
    assert refusal(lines).line == i + 1


def test_tysiac_8_a_redeal_is_a_deal_line_with_the_same_number_and_dealer():
    for seed in range(200):
        lines = recorded(TYSIAC, seed=seed, players=[Last()] * 3, redeal_points=18)
        if any(line.get("action") == "redeal" for line in lines):
            break
    i = next(i for i, line in enumerate(lines) if line.get("action") == "redeal")
    first, again = lines[1], lines[i + 1]
    assert again["type"] == "deal"
    assert (again["number"], again["dealer"]) == (first["number"], first["dealer"]) == (0, first["dealer"])
    assert again["hands"] != first["hands"]
    assert replay(map(json.dumps, lines)).deals == sum(line["type"] == "deal" for line in lines)
    lines[i + 1]["dealer"] = (first["dealer"] + 1) % 3
    assert refusal(lines).line == i + 2
    lines[i + 1]["dealer"] = first["dealer"]
    lines[i + 1]["number"] = 1
    assert refusal(lines).line == i + 2


def test_deals_are_taken_from_the_record_not_from_the_seed():
    lines = recorded(TYSIAC, seed=3)
    lines[0]["seed"] = 4
    assert replay(map(json.dumps, lines)).episodes == 1


def test_other_spaces_and_another_order_of_keys_are_the_same_record():
    lines = [json.dumps(dict(reversed(line.items())), indent=None) + " \r\n" for line in recorded(TYSIAC, seed=3)]
    assert replay(lines).episodes == 1
    assert replay([line.encode() for line in lines]).episodes == 1


def test_reading_gives_the_lines_of_each_record(tmp_path):
    path = tmp_path / "two.jsonl"
    write_records(path, TYSIAC, players=["random"] * 3, episodes=2, seed=3, episode="deal")
    assert list(read_records(path)) == [recorded(TYSIAC, seed=3), recorded(TYSIAC, seed=4)]
    texts = path.read_text().splitlines()
    with pytest.raises(RecordError, match=f"line {len(texts)}: the file ends before"):
        list(read_records(texts[:-1]))
    with pytest.raises(RecordError, match="line 1: found a deal line where a match line is due"):
        list(read_records(texts[1:]))


# --------------------------------------------------------------------------------------------------- fuzz

JUNK = [
    None, True, False, 0, -1, 1, 2, 3, 24, 120, 1e300, -0.0, 10**40, 0.5, "", "AS", "ZZ", "play AS", "draw", "draw 0",
    "shuffle", "move", "deal", {"type": "shuffle", "seat": 0, "fan": []},
    "\x00", "♥", [], {}, [[]], [None], ["AS"], [["AS"]], [0, 0, 0], {"type": "end"}, {"a": {"b": []}},
]  # fmt: skip


def leaves(value, path=()):
    """The paths to everything inside a JSON value."""
    yield path
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from leaves(part, (*path, key))


def put(value, path, new):
    """The value with the part at the path replaced."""
    if not path:
        return new
    value[path[0]] = put(value[path[0]], path[1:], new)
    return value


def mutated(texts, lot):
    """A record with one to three things gone wrong."""
    texts = list(texts)
    for _ in range(lot.randint(1, 3)):
        i = lot.randrange(len(texts))
        how = lot.randrange(8)
        if how == 0:
            del texts[i]
        elif how == 1:
            texts.insert(lot.randrange(len(texts)), texts[i])
        elif how == 2:
            j = lot.randrange(len(texts))
            texts[i], texts[j] = texts[j], texts[i]
        elif how == 3:
            data = bytearray(texts[i])
            for _ in range(lot.randint(1, 3)):
                data[lot.randrange(len(data))] = lot.randrange(256)
            texts[i] = bytes(data) or b"-"
        elif how == 4:
            texts[i] = texts[i][: lot.randrange(len(texts[i]))] or b"{"
        else:
            try:
                line = json.loads(texts[i])
                where = lot.choice(list(leaves(line)))
                texts[i] = json.dumps(put(line, where, lot.choice(JUNK))).encode() or b"-"
            except (ValueError, RecursionError):
                continue
        if not texts:
            return [b"{}"]
    return texts


@pytest.mark.parametrize("batch", range(2))
def test_no_garbage_makes_replay_fail_otherwise(game, batch, tmp_path):
    lot = random.Random(batch)
    lay = {"discard": "manual"} if game.name == "piotrus" and batch else {}
    rules = game.rules(**alike(game, 1, seed=batch)[0].to_dict() | lay)
    path = tmp_path / "right.jsonl"
    players = ["random"] * rules.seats
    write_records(path, game, players=players, episodes=2, seed=batch, rules=rules, episode="deal")
    right = path.read_bytes().splitlines()
    refused = 0
    for _ in range(60):
        wrong = mutated(right, lot)
        path.write_bytes(b"\n".join(wrong))
        try:
            replay(path)
        except RecordError as error:
            refused += 1
            assert 1 <= error.line <= len(path.read_bytes().split(b"\n")) + 1
            assert str(error).isprintable()
    assert refused > 50


# --------------------------------------------------------------------------------------------------- show


def test_show_tells_every_line_and_draws_the_open_table():
    lines = recorded(TYSIAC, seed=3)
    texts = []
    replay(map(json.dumps, lines), show=texts.append)
    assert len(texts) == len(lines)
    first_move = next(line for line in lines if line["type"] == "move")
    assert texts[2].startswith(f"seat {first_move['seat']}: {first_move['action']}")
    for card in TYSIAC.shape().deck.names:  # after the deal every card lies open somewhere
        assert card[0] + "♠♣♦♥"["SCDH".index(card[1])] in texts[1]
    assert "scored" in texts[-2]


def shown_of(name):
    """The texts that are shown of a golden record of Tysiąc."""
    texts = []
    replay(RECORDS / f"{name}.jsonl", show=texts.append)
    return texts


def test_what_is_shown_names_seats_and_choices_and_has_the_signs_of_suits():
    texts = shown_of("teams_contract_failed")
    said = [text.splitlines()[0] for text in texts]
    assert all(f"seat {seat} " in said[0] for seat in range(4))
    assert said[1:4] == [
        "deal 1, seat 2 deals",
        "seat 3: bid 100   (the only choice)",
        "seat 0: pass   (one of 3 choices)",
    ]
    assert "seat 1: give 9♠ to seat 2" in " ".join(said)
    assert "seat 1: play A♦" in " ".join(said)
    score = next(words for words in said if "scored" in words)
    assert score.startswith("deal 1 scored: seat 0 +")
    assert "seat 1 -150 = -150" in score
    assert "returns: seat 0 +" in said[-1]


def test_a_card_that_is_laid_away_is_shown_so():
    said = [text.splitlines()[0] for text in shown_of("two_talons_cards_aside")]
    assert any(words.startswith("seat 0: lay away 9♠   (") for words in said)
    assert not any("give" in words for words in said)


def test_after_the_last_deal_its_own_table_is_shown():
    """Seat 1 deals and rests in the golden deal; the next dealer would be seat 2."""
    texts = shown_of("resting_dealer_scores_the_talon")
    scored = next(text for text in texts if "scored" in text)
    assert "Tysiąc · deal 1 · over" in scored
    assert "dealer · rests" in scored
    assert scored.count("dealer") == 1


def test_show_on_a_console_without_suit_signs():
    texts = []
    replay(map(json.dumps, recorded(TYSIAC, seed=3)), show=texts.append, encoding="ascii")
    assert "".join(texts).isascii()
