"""States as bytes: they come back the same and go on the same, and nothing else is taken for one."""

import hashlib
import json
import random
import re

import numpy as np
import pytest
from randomly import copies, endless_rules, same, some_rules

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, RUNNING
from karty.envs.snapshot import StateError

pytestmark = pytest.mark.rules


def wander(table, lot, steps):
    """Some random decisions, perhaps to the end of the episode."""
    for _ in range(steps):
        while table.seat < 0 and table.advance() != ASKED:
            pass
        if table.over != RUNNING:
            return
        table.play(lot.choice(table.legal()))


def parts(data):
    """The first line, the header and the body of a state."""
    first, header, body = data.split(b"\n", 2)
    return first, json.loads(header), body


def forged(data, body=None, **header):
    """The same bytes with another body or header, under a digest that fits."""
    first, head, old = parts(data)
    body = old if body is None else body
    head |= {"sha256": hashlib.sha256(body).hexdigest()} | header
    return b"\n".join((first, json.dumps(head).encode(), body))


@pytest.mark.plain
def test_a_table_goes_on_as_if_it_had_not_been_away(game):
    lot = random.Random(1)
    for seed, rules in zip(range(25), endless_rules(game, lot, 2), strict=False):
        table = Table(game, rules)
        table.reset(seed)
        wander(table, lot, lot.randrange(60))
        data = table.get_state()
        other = Table(game, rules)
        other.set_state(data)
        assert other.get_state() == data
        for _ in range(40):
            assert (other.seat, other.over, other.seed) == (table.seat, table.over, table.seed)
            if table.over != RUNNING:
                break
            if table.seat < 0:
                assert other.advance() == table.advance()
                continue
            seat = table.seat
            assert (other.observe(seat) == table.observe(seat)).all() and (other.mask() == table.mask()).all()
            action = table.choose("random")
            assert other.choose("random") == action
            table.play(action)
            other.play(action)
        table.reset()
        other.reset()
        assert other.get_state() == table.get_state()


@pytest.mark.parametrize(
    "roles", [{}, {"learner": "rotate", "opponents": "rule"}, {"autoreset": "next"}, {"autoreset": "off"}]
)
def test_a_batch_goes_on_as_if_it_had_not_been_away(game, roles):
    first, second = (karty.make_batch(game, 6, episode="deal", **roles) for _ in range(2))
    first.reset(40)
    second.reset(0)
    for _ in range(10):  # no game has all deals over by then
        first.step(first.choose("random"))
    before = copies(first.arrays)
    second.set_state(first.get_state())
    assert second.get_state() == first.get_state()
    assert same(before, second.arrays, ("observation", "mask", "seat")) == []
    for _ in range(60):
        if first.finished.all():
            break
        actions = first.choose("random")
        assert (second.choose("random") == actions).all()
        assert same(copies(first.step(actions)), second.step(actions)) == []


@pytest.mark.plain
def test_a_batch_of_several_rules_takes_back_each_table_s_own():
    rules = [{"table": name} for name in ("3p", "4p_six", "2p_stock")]
    first, other = (karty.make_batch("tysiac", 3, rules=given) for given in (rules, rules[::-1]))
    first.reset(1)
    karty.make_batch("tysiac", 3, rules=rules).set_state(first.get_state())
    with pytest.raises(StateError, match=r"^the state's table is 3p, this table's is 2p_stock$"):
        other.set_state(first.get_state())
    drawn = karty.make_batch("tysiac", 3, rules=rules[::-1], draw_rules=True)
    drawn.set_state(first.get_state())  # whichever of the list a table has drawn
    assert [drawn.table(i).rules.table for i in range(3)] == ["3p", "4p_six", "2p_stock"]


@pytest.mark.plain
def test_what_a_match_makes_of_the_lowest_scores_to_start_from_is_a_state(game):
    """An episode that may be asked for can be saved and taken back when its scores have fallen further."""
    table, lot = Table(game), random.Random(3)
    lowest = table.game.given_starts(table.rules)[0]
    table.reset(3, start=[lowest] * table.seats)
    while table.over == RUNNING and table.number < 3:
        if table.advance() == ASKED:
            table.play(lot.choice(table.legal()))
    table.clone().set_state(table.get_state())


def test_a_state_has_game_version_format_layout_and_digest(game):
    table = Table(game)
    table.reset(1)
    first, header, body = parts(table.get_state())
    assert first == b"karty state"
    assert header == {
        "game": game.name,
        "version": game.version,
        "format": 1,
        "layout": game.state.digest,
        "tables": 1,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    assert len(body) == game.state.dtype.itemsize


@pytest.fixture
def table(game):
    made = Table(game)
    made.reset(1)
    made.settle()
    return made


def refuse(table, data, words):
    """The bytes are refused with these words, which come back whole, and the table stays as it was."""
    before = table.get_state()
    with pytest.raises(StateError, match=words) as raised:
        table.set_state(data)
    assert isinstance(raised.value, ValueError) and "\n" not in str(raised.value)
    assert table.get_state() == before
    return str(raised.value)


@pytest.mark.plain
def test_foreign_bytes_are_refused(table):
    data = table.get_state()
    for other in (
        b"",
        b"\n",
        b"karty state",
        b"karty state\n",
        b"\x80\x04}",
        b"x" * 5000,
        "karty state\n{}\n",
        None,
        7,
    ):
        refuse(table, other, "^(these bytes are no karty state|the header of this karty state is damaged)$")
    for header in (b"{}", b"[]", b"7", b"null", b'{"game": ', b"\xff\xfe", b'"game"'):
        refuse(table, b"karty state\n" + header + b"\n" + parts(data)[2], "^the header of this karty state is damaged$")


@pytest.mark.plain
def test_states_of_another_game_version_format_layout_or_number_are_refused(table):
    data = table.get_state()
    refuse(table, forged(data, game="bridge"), "^this state is of game 'bridge', not ")
    refuse(table, forged(data, version=99), "^this state is of version 99, not ")
    refuse(table, forged(data, format=2), "^this state is of format 2, not 1")
    refuse(table, forged(data, layout="0" * 16), "^this state is of layout '0000000000000000', not ")
    refuse(table, forged(data, tables=2), "^this state is of tables 2, not 1")
    pair = karty.make_batch(table.game, 2)
    pair.reset()
    refuse(table, pair.get_state(), "^this state is of tables 2, not 1")
    with pytest.raises(StateError, match="this state is of tables 1, not 2"):
        pair.set_state(data)


@pytest.mark.plain
def test_truncated_or_longer_bytes_are_refused(table):
    data = table.get_state()
    for end in [*range(0, len(data), 97), len(data) - 1]:
        refuse(
            table,
            data[:end],
            "^(these bytes are no|the header of this|this) karty state( is (truncated or )?damaged)?$",
        )
    refuse(table, data + b"\0", "^this karty state is truncated or damaged$")
    body = parts(data)[2]
    refuse(table, forged(data, body=body[:-8]), "^this karty state is truncated or damaged$")
    refuse(table, forged(data, body=body * 2), "^this karty state is truncated or damaged$")


@pytest.mark.plain
def test_a_state_of_other_rules_is_refused(game):
    lot = random.Random(2)
    table, other = Table(game), None
    while other is None or other.rules == table.rules:
        other = Table(game, some_rules(game, lot))
    other.reset(1)
    table.reset(1)
    message = refuse(table, other.get_state(), r"^the state's \w+ is \w+, this table's is \w+$")
    name, found, wanted = re.match(r"the state's (\w+) is (\w+), this table's is (\w+)$", message).groups()
    assert (str(getattr(other.rules, name)), str(getattr(table.rules, name))) == (found, wanted)
    deal = Table(game, episode="deal")
    deal.reset(1)
    refuse(table, deal.get_state(), "^the state's single_deal is 1, this table's is 0$")


def test_an_altered_byte_is_noticed(table):
    """Each byte in turn, anywhere: the header, the digest, the state."""
    data, lot = table.get_state(), random.Random(3)
    for place in range(len(data)):
        other = data[:place] + bytes([data[place] ^ 1 << lot.randrange(8)]) + data[place + 1 :]
        refuse(table, other, "karty state|this state is of ")


def number_at(body, place, value):
    """The body with another int64 in the word that holds this byte."""
    start = place // 8 * 8
    return body[:start] + int(value).to_bytes(8, "little", signed=True) + body[start + 8 :]


def test_an_altered_state_under_a_digest_that_fits_is_refused_or_harmless(game):
    """Ranges and cards are checked before any rule sees the state, so that whatever is let in can be looked at."""
    lot, let_in = random.Random(4), 0
    for seed, rules in zip(range(300), endless_rules(game, lot, 3), strict=False):
        table = Table(game, rules, episode="deal")
        table.reset(seed)
        wander(table, lot, lot.randrange(30))
        data = table.get_state()
        body = parts(data)[2]
        place = lot.randrange(len(body))
        value = lot.choice([-1, 0, 1, 2, 3, 7, lot.randrange(400), -2, 2**31 + 1, 2**40, 2**62, -(2**63)])
        flipped = body[:place] + bytes([body[place] ^ 1 << lot.randrange(8)]) + body[place + 1 :]
        for other in (flipped, number_at(body, place, value)):
            again = Table(game, rules, episode="deal")
            try:
                again.set_state(forged(data, body=other))
            except StateError:
                continue
            let_in += 1
            again.mask()
            layout = again.shape.observation
            for seat in range(again.seats):
                seen = again.observe(seat)
                again.hidden(seat)
                assert (seen >= layout.low).all() and (seen <= layout.high).all()
    assert 0 < let_in < 300


def altered(table, name, value, place=0):
    """The table's state with another number in a field."""
    data = table.get_state()
    field = table.game.state[name]
    return forged(data, body=number_at(parts(data)[2], 8 * (field.start + place), value))


@pytest.mark.plain
def test_numbers_out_of_their_range_are_named(table):
    for name, value in (("turn", table.seats), ("turn", -2), ("over", 4), ("dealer", 99), ("seats", 1), ("deal", -1)):
        if name == "seats":
            refuse(table, altered(table, name, value), "^the state's seats")
        else:
            refuse(table, altered(table, name, value), rf"^the state's {name} \(.*\) is {value}, not from ")


@pytest.mark.plain
def test_a_missing_or_doubled_card_is_named():
    table = Table("tysiac")
    table.reset(1)
    table.settle()
    state, deck = table.state, table.shape.deck
    mine, his = int(state.hands[0]), int(state.hands[1])
    lost = deck.cards(mine)[0]
    refuse(table, altered(table, "hands", mine & (mine - 1)), f"^the state lacks {lost}$")
    doubled = deck.cards(his)[-1]
    refuse(table, altered(table, "hands", mine | his), "^the state holds .. twice$")
    refuse(table, altered(table, "hands", mine | deck.set(doubled)), f"^the state holds {doubled} twice$")
    refuse(table, altered(table, "pack", int(state.pack[1])), "^the state's pack does not hold every card once$")


@pytest.mark.plain
def test_piotrus_a_fan_unlike_its_hand_is_named():
    table = Table("piotrus")
    table.reset(1)
    table.settle()
    state, held = table.state, int(table.state.held[0])
    for card in (int(state.fans[1, 0]), int(state.fans[0, 1])):  # another seat's, or one of its own twice
        refuse(table, altered(table, "fans", card), r"^the state's fans .* does not hold the cards of hands$")
    refuse(table, altered(table, "fans", -1), f"^the state's fans .* does not hold held={held} cards$")
    for count in (held - 1, held + 1):
        refuse(table, altered(table, "held", count), f"^the state's fans .* does not hold held={count} cards$")


@pytest.mark.plain
def test_pan_a_pile_of_another_height_is_named():
    table = Table("pan")
    table.reset(1)
    wander(table, random.Random(1), 8)
    height = int(table.state.height)
    for count in (height - 1, height + 1, 24):
        refuse(table, altered(table, "height", count), f"^the state's pile .* does not hold height={count} cards$")


@pytest.mark.plain
def test_a_state_in_which_nobody_is_asked_and_nothing_is_due_is_refused(table):
    refuse(table, altered(table, "turn", -1), "turn")


def test_streams_may_hold_any_bits(table):
    data = table.get_state()
    field = table.game.state["chance"]
    body = parts(data)[2]
    body = body[: 8 * field.start] + b"\xff" * 8 + body[8 * field.start + 8 :]
    table.set_state(forged(data, body=body))
    assert int(np.asarray(table.state.chance)[0]) == 2**64 - 1
