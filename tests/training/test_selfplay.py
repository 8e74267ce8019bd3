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


RULES = [GAME.rules(), GAME.rules.make(start_scores="random")]


class Past:
    """An agent that remembers whom it was asked for."""

    name = "past"

    def __init__(self):
        self.asked = 0

    def act(self, observation, mask, rng):
        self.asked += len(mask)
        return mask.argmax(1)


def test_each_company_has_its_share_of_the_tables_side_by_side():
    tables = make_tables(GAME, CONFIG, RULES, past=Past())
    assert [(part.company, part.rows, part.batch.n) for part in tables.parts] == [
        ("self", slice(0, 13), 13),
        ("rule", slice(13, 18), 5),
        ("past", slice(18, 20), 2),
    ]
    assert np.flatnonzero(tables.rows("rule")).tolist() == [13, 14, 15, 16, 17]
    assert not tables.rows("fixed").any()


def test_without_an_earlier_self_nobody_sits_in_its_place():
    assert [part.company for part in make_tables(GAME, CONFIG, RULES).parts] == ["self", "rule"]


def test_the_network_holds_every_seat_at_its_own_tables_and_one_that_moves_on_elsewhere():
    past = Past()
    tables = make_tables(GAME, CONFIG, RULES, past=past)
    tables.reset()
    seats = {"self": set(), "rule": set(), "past": set()}
    for _ in range(60):
        for part in tables.parts:
            seats[part.company] |= {(i, int(part.batch.seat[i])) for i in range(part.batch.n)}
            part.batch.step(part.batch.choose("random"))
    assert {seat for i, seat in seats["self"] if i == 0} == {0, 1, 2}
    assert {seat for _, seat in seats["rule"]} == {0, 1, 2}
    assert past.asked > 0
    one = make_tables(GAME, dataclasses.replace(CONFIG, company=CompanyConfig(rule_tables=1.0)), RULES)
    one.reset()
    batch = one.parts[0].batch
    before = batch.seat.copy()
    while not (batch.terminated | batch.truncated).any():
        assert (batch.seat == before).all()
        batch.step(batch.choose("random"))


def test_opponents_of_ones_own_take_all_tables():
    config = dataclasses.replace(CONFIG, opponents=("random", "rule"))
    assert [part.company for part in make_tables(GAME, config, RULES, past=Past()).parts] == ["fixed"]


def test_no_two_parts_stages_or_processes_play_the_same_cards_and_none_those_of_evaluations():
    firsts = []
    for episode in ("deal", "match"):
        for rank in (0, 1):
            tables = make_tables(GAME, CONFIG, RULES, episode, past=Past(), rank=rank, size=2)
            tables.reset()
            firsts += [int(part.batch.table(0).seed) for part in tables.parts]
    assert len(set(firsts)) == 12
    assert max(firsts) < EVALUATION_SEEDS


@pytest.mark.parametrize(("tables", "shares", "size"), [(7, (0.5, 0.5), 1), (16, (0.25, 0.0), 8), (20, (0.25, 0.1), 3)])
def test_processes_share_the_tables_of_each_company_out(tables, shares, size):
    company = CompanyConfig(rule_tables=shares[0], past_tables=shares[1])
    config = dataclasses.replace(CONFIG, ppo=PPOConfig(tables=tables), company=company)
    found = [make_tables(GAME, config, RULES, past=Past(), rank=rank, size=size) for rank in range(size)]
    assert {each.n for each in found} <= {tables // size, -(-tables // size)}
    counts = {"self": 0, "rule": 0, "past": 0}
    for each in found:
        for part in each.parts:
            counts[part.company] += part.batch.n
    ruled = round(shares[0] * tables)
    assert counts == {
        "rule": ruled,
        "past": min(round(shares[1] * tables), tables - ruled),
        "self": tables - ruled - min(round(shares[1] * tables), tables - ruled),
    }


def test_states_are_taken_back_by_part_and_others_are_refused():
    one = make_tables(GAME, CONFIG, RULES, past=Past())
    two = make_tables(GAME, dataclasses.replace(CONFIG, seed=1), RULES, past=Past())
    one.reset()
    two.reset()
    states = one.get_state()
    two.set_state(states)
    assert two.get_state() == states
    with pytest.raises(ValueError, match="2 states for 3 groups of tables"):
        two.set_state(states[:2])
    with pytest.raises(ValueError):
        two.set_state(states[::-1])
