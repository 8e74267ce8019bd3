"""Earlier selves: who is kept, who sits down how often, and what is refused."""

import numpy as np
import pytest
import torch

from karty.agents.network import Network
from karty.envs.engine import make_batch
from karty.envs.games import find_game
from karty.training.pool import PastSelf, Pool
from karty.training.selfplay import Part, Tables

GAME = find_game("tysiac")
SHAPE = GAME.shape()


def network(seed):
    generator = torch.Generator().manual_seed(seed)
    return Network(SHAPE.observation, len(SHAPE.actions), width=8, depth=2, generator=generator)


def pool(most=3, keep=()):
    made = Pool(network(0), "tysiac", 0, most)
    for seed in keep:
        made.keep(network(seed), 100 * seed)
    return made


def same(one, two):
    return all(torch.equal(one.state_dict()[name], two.state_dict()[name]) for name in one.state_dict())


def test_the_oldest_leaves_when_there_are_too_many():
    assert [each.decisions for each in pool(keep=(1, 2, 3, 4, 5)).selves] == [300, 400, 500]


def test_a_kept_self_stays_as_it_was_while_the_network_learns_on():
    learning = network(7)
    made = Pool(learning, "tysiac", 0, 3)
    made.keep(learning, 0)
    with torch.no_grad():
        learning.critic.bias += 1
    made.seat(0, learning)
    assert same(made.agent.network, network(7))
    made.seat(None, learning)
    assert same(made.agent.network, learning)


def test_those_that_are_beaten_least_often_sit_down_most_often():
    # (1 - (won + 1) / (met + 2))²: never met 1/4; 9 of 18 won 1/4; 18 of 18 won (1/20)²; 0 of 18 won (19/20)²
    assert [PastSelf(0).weight, PastSelf(0, 18, 9).weight] == [0.25, 0.25]
    assert PastSelf(0, 18, 18).weight == pytest.approx(1 / 400)
    assert PastSelf(0, 18, 0).weight == pytest.approx(361 / 400)
    made = pool(keep=(1, 2, 3))
    made.selves[0].met, made.selves[0].won = 18, 18
    made.selves[1].met, made.selves[1].won = 18, 0
    made.selves[2].met, made.selves[2].won = 18, 9
    rng = np.random.default_rng(3)
    share = np.bincount([made.draw(rng, one_more=False) for _ in range(2000)], minlength=3) / 2000
    # weights 1, 361, 100 of 462; four standard errors of the largest are 0.037
    np.testing.assert_allclose(share, [1 / 462, 361 / 462, 100 / 462], atol=0.037)
    # One more, who was never met, takes the place of the oldest of three: 361, 100, 100 of 561.
    share = np.bincount([made.draw(rng, one_more=True) for _ in range(2000)], minlength=3) / 2000
    np.testing.assert_allclose(share, [361 / 561, 100 / 561, 100 / 561], atol=0.043)


def test_the_network_joins_them_at_first_and_then_from_time_to_time():
    assert pool().is_due(0, 1000)
    made = pool(keep=(1, 2))  # the last one after 200 decisions
    assert [made.is_due(decisions, 1000) for decisions in (200, 1199, 1200, 5000)] == [False, False, True, True]


def test_only_episodes_at_its_tables_count_and_a_win_is_a_reward_above_0_of_the_seat_that_learns():
    parts = [
        Part(make_batch("tysiac", 2, episode="deal"), slice(0, 2), "self"),
        Part(make_batch("tysiac", 3, episode="deal"), slice(2, 5), "past"),
    ]
    made = pool(keep=(1,))
    seat = np.array([[0, 0, 1, 2, 0], [0, 0, 1, 2, 1]], np.int8)
    ended = np.array([[1, 0, 0, 1, 0], [0, 1, 1, 0, 1]], bool)
    reward = np.zeros((2, 5, 3), np.float32)
    reward[0, 3] = [-1, -1, 2]  # seat 2 learns there and won
    reward[1, 2] = [2, -1, -1]  # seat 1 lost
    reward[1, 4] = [0, 0, 0]  # undecided: not won
    reward[0, 0] = [2, -1, -1]  # not its table
    assert made.results(Tables(parts, 0), seat, reward, ended) == (3, 1)
    made.note(3, 1)  # nobody sits there yet
    assert (made.selves[0].met, made.selves[0].won) == (0, 0)
    made.seat(0, network(9))
    made.note(3, 1)
    made.note(2, 2)
    assert (made.selves[0].met, made.selves[0].won) == (5, 3)


def test_a_pool_is_taken_back_as_it_was_and_what_does_not_fit_is_refused():
    before, after = pool(keep=(1, 2)), pool()
    before.selves[1].met, before.selves[1].won = 5, 2
    after.restore(before.tensors(), before.told())
    assert after.selves == before.selves
    assert after.tensors().keys() == before.tensors().keys()
    assert all(torch.equal(after.tensors()[name], x) for name, x in before.tensors().items())
    fewer = {name: x for name, x in before.tensors().items() if name != "1.critic.bias"}
    wrong = {**before.tensors(), "0.critic.bias": torch.full((1,), float("nan"))}
    for tensors, told, said in (
        (fewer, before.told(), "do not fit"),
        (wrong, before.told(), "not finite"),
        (before.tensors(), before.told()[:1], "do not fit"),
        (before.tensors(), [{**each, "won": 9} for each in before.told()], "impossible"),
        (before.tensors(), [{"decisions": 1}] * 2, "past.met is missing"),
    ):
        with pytest.raises(ValueError, match=said):
            pool().restore(tensors, told)
