"""Layouts: named columns, their bounds, and the way back from a row to words."""

import numpy as np
import pytest

import karty
from karty.envs.cards import Deck
from karty.envs.layout import cards, choice, code, flag, number, observation, seat

pytestmark = [pytest.mark.rules, pytest.mark.plain]

DECK = Deck(ranks="9A", suits="SH")

# 2 + 3 + 4 + 8 + 1 + 2 + 3 = 23 columns
LAYOUT = observation(
    DECK,
    3,
    phase=choice("what is decided", ("bid", "play")),
    turn=seat("seat asked"),
    hand=cards("my hand"),
    holding=cards("known to hold or not to hold", ("left", "right"), low=-1),
    ready=flag("is ready"),
    score=number("score", -100, 120, unit="points", rows=("me", "left")),
    pile=code("the pile from below", 3, DECK),
)


def row(**values):
    record = np.zeros(1, LAYOUT.dtype)
    for name, value in values.items():
        record[name][0] = value
    return record.view(np.int8)


def test_fields_lie_one_after_another():
    assert LAYOUT.size == 23
    assert [(field.name, field.start, field.size) for field in LAYOUT] == [
        ("phase", 0, 2),
        ("turn", 2, 3),
        ("hand", 5, 4),
        ("holding", 9, 8),
        ("ready", 17, 1),
        ("score", 18, 2),
        ("pile", 20, 3),
    ]
    assert LAYOUT["hand"].slice == slice(5, 9)
    with pytest.raises(KeyError):
        LAYOUT["hands"]


def test_the_record_and_the_flat_row_are_the_same_bytes():
    flat = row(turn=[0, 1, 0], hand=[1, 0, 0, 1], score=[-100, 120], pile=[0, 1, 5])
    assert flat.tolist() == [0, 0, 0, 1, 0, 1, 0, 0, 1, *[0] * 9, -100, 120, 0, 1, 5]


def test_decode_gives_words():
    flat = row(
        phase=[0, 1],
        turn=[0, 0, 1],
        hand=[0, 1, 1, 0],
        holding=[[0, -1, 0, 1], [0, 0, 0, 0]],
        ready=1,
        score=[-7, 3],
        pile=[3, 1, 0],
    )
    assert LAYOUT.decode(flat) == {
        "phase": "play",
        "turn": 2,
        "hand": ["AS", "9H"],
        "holding": [{"AS": -1, "AH": 1}, {}],
        "ready": 1,
        "score": [-7, 3],
        "pile": ["AS", "unknown", "empty"],
    }
    assert LAYOUT.decode(row())["turn"] == -1
    assert LAYOUT.decode(row())["phase"] == ""


def test_normalise_divides_by_the_larger_bound():
    flat = row(score=[-100, 60], holding=[[-1, 0, 0, 0], [1, 0, 0, 0]], pile=[5, 1, 0])
    scaled = LAYOUT.normalise(flat)
    assert scaled.dtype == np.float32
    assert scaled[LAYOUT["score"].slice].tolist() == [np.float32(-100 / 120), 0.5]
    assert scaled[LAYOUT["holding"].slice].tolist() == [-1, 0, 0, 0, 1, 0, 0, 0]
    assert scaled[LAYOUT["pile"].slice].tolist() == [1, np.float32(0.2), 0]
    low, high = LAYOUT.box
    assert low[LAYOUT["score"].slice].tolist() == [np.float32(-100 / 120)] * 2
    assert high[LAYOUT["score"].slice].tolist() == [1, 1]
    rows = np.stack([flat, row()])
    assert (LAYOUT.normalise(rows)[0] == scaled).all()


def test_expand_turns_codes_into_one_hots():
    flat = row(ready=1, pile=[3, 1, 0])
    wide = LAYOUT.expand(flat)
    assert LAYOUT.expanded == wide.size == 20 + 3 * 6
    assert wide[:20].tolist() == flat[:20].tolist()
    assert wide[20:].reshape(3, 6).argmax(1).tolist() == [3, 1, 0]
    assert wide[20:].sum() == 3
    assert (LAYOUT.expand(np.stack([flat, flat]))[1] == wide).all()


def test_a_field_that_leaves_int8_is_refused():
    with pytest.raises(ValueError, match="score leaves int8: 0 … 200"):
        observation(DECK, 3, score=number("score", 0, 200))


def test_another_layout_has_another_digest():
    same = observation(DECK, 3, hand=cards("my hand"), ready=flag("is ready"))
    assert same.digest == observation(DECK, 3, hand=cards("the hand"), ready=flag("ready?")).digest
    for other in (
        observation(DECK, 3, ready=flag("is ready"), hand=cards("my hand")),
        observation(DECK, 3, hand=cards("my hand"), there=flag("is ready")),
        observation(DECK, 3, hand=cards("my hand", low=-1), ready=flag("is ready")),
        observation(Deck(ranks="9KA", suits="SH"), 3, hand=cards("my hand"), ready=flag("is ready")),
    ):
        assert other.digest != same.digest


def test_the_game_s_layouts_hold_together(any_game):
    shape = any_game.shape()
    for layout in (shape.observation, shape.hidden):
        assert [field.start for field in layout] == np.cumsum([0, *[field.size for field in layout]])[:-1].tolist()
        assert layout.dtype.itemsize == layout.size
        assert all(field.caption and field.name for field in layout)
        low, high = layout.box
        assert (low >= -1).all() and (high <= 1).all() and (low <= high).all()
    assert shape.features == shape.observation.size <= 512
    assert shape.size == len(set(shape.actions))


def test_every_observation_of_random_play_lies_within_the_bounds(any_game):
    """And normalised within the box, at every seat's final observation too."""
    layout = any_game.shape().observation
    batch = karty.make_batch(any_game, 16, episode="match", seed=3)
    batch.reset()
    for _ in range(200):
        for rows in (batch.observation, batch.final_observation[batch.terminated].reshape(-1, layout.size)):
            assert (rows >= layout.low).all() and (rows <= layout.high).all()
            scaled = layout.normalise(rows)
            assert (scaled >= layout.box[0]).all() and (scaled <= layout.box[1]).all()
        batch.step(batch.choose("random"))
