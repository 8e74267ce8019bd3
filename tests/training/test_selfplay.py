"""Who sits where at the training tables."""

import dataclasses

import numpy as np
import pytest

from karty.envs.game import EVALUATION_SEEDS
from karty.envs.games import find_game
from karty.training.config import CompanyConfig, PPOConfig, TrainConfig
from karty.training.selfplay import make_tables

GAME = find_game("tysiac")
CONFIG = TrainConfig(game="tysiac", ppo=PPOConfig(tables=20), company=CompanyConfig(rule_tables=0.25, past_tables=0.1))


class Past:
    """An agent that remembers whom it was asked for."""

    name = "past"

    def __init__(self):
        self.asked = 0

    def act(self, observation, mask, rng):
        self.asked += len(mask)
        return mask.argmax(1)


def test_each_company_has_its_share_of_the_tables_side_by_side():
    tables = make_tables(GAME, CONFIG, past=Past())
    assert [(part.company, part.rows, part.batch.n) for part in tables.parts] == [
        ("self", slice(0, 13), 13),
        ("rule", slice(13, 18), 5),
        ("past", slice(18, 20), 2),
    ]
    assert np.flatnonzero(tables.rows("rule")).tolist() == [13, 14, 15, 16, 17]
    assert not tables.rows("fixed").any()


def test_without_an_earlier_self_nobody_sits_in_its_place():
    assert [part.company for part in make_tables(GAME, CONFIG).parts] == ["self", "rule"]


def test_the_network_holds_every_seat_at_its_own_tables_and_one_that_moves_on_elsewhere():
    past = Past()
    tables = make_tables(GAME, CONFIG, past=past)
    tables.reset()
    seats = {"self": set(), "rule": set(), "past": set()}
    for _ in range(60):
        for part in tables.parts:
            seats[part.company] |= {(i, int(part.batch.seat[i])) for i in range(part.batch.n)}
            part.batch.step(part.batch.choose("random"))
    assert {seat for i, seat in seats["self"] if i == 0} == {0, 1, 2}
    assert {seat for _, seat in seats["rule"]} == {0, 1, 2}
    assert past.asked > 0
    one = make_tables(GAME, dataclasses.replace(CONFIG, company=CompanyConfig(rule_tables=1.0)))
    one.reset()
    batch = one.parts[0].batch
    before = batch.seat.copy()
    while not (batch.terminated | batch.truncated).any():
        assert (batch.seat == before).all()
        batch.step(batch.choose("random"))


def test_opponents_of_ones_own_take_all_tables():
    config = dataclasses.replace(CONFIG, opponents=("random", "rule"))
    assert [part.company for part in make_tables(GAME, config, past=Past()).parts] == ["fixed"]


def test_no_two_parts_stages_or_processes_play_the_same_cards_and_none_those_of_evaluations():
    firsts = []
    for episode in ("deal", "match"):
        for rank in (0, 1):
            tables = make_tables(GAME, CONFIG, episode, past=Past(), rank=rank)
            tables.reset()
            firsts += [int(part.batch.table(0).seed) for part in tables.parts]
    assert len(set(firsts)) == 12
    assert max(firsts) < EVALUATION_SEEDS


def test_states_are_taken_back_by_part_and_others_are_refused():
    one, two = make_tables(GAME, CONFIG, past=Past()), make_tables(GAME, CONFIG, past=Past(), rank=1)
    one.reset()
    two.reset()
    states = one.get_state()
    two.set_state(states)
    assert two.get_state() == states
    with pytest.raises(ValueError, match="2 states for 3 groups of tables"):
        two.set_state(states[:2])
    with pytest.raises(ValueError):
        two.set_state(states[::-1])
