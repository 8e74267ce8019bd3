"""Judges: what each is told, by whose values it judges, and what its critic learns."""

import dataclasses

import numpy as np
import pytest
import torch

from karty.agents.network import Network
from karty.envs.games import find_game
from karty.training.advantage import own_turn_advantages, own_turn_returns, q_boost_advantages
from karty.training.config import CompanyConfig, PPOConfig, TrainConfig
from karty.training.judge import Outcome, make_judge
from karty.training.learner import Decisions
from karty.training.phases import Phases
from karty.training.rollout import Rollout, collect
from karty.training.selfplay import make_tables

GAME = find_game("tysiac")
SHAPE = GAME.shape()
RULES = GAME.rules()
TABLES, STEPS = 12, 40
LAMBDA = 0.7


def played(rules=(RULES,), **switches):
    """A judge of this kind, a network, and what was played at a few tables with rule-based players at half of them."""
    config = TrainConfig(
        game="tysiac", ppo=PPOConfig(tables=TABLES, steps=STEPS, **switches), company=CompanyConfig(rule_tables=0.5)
    )
    config = dataclasses.replace(config, network=dataclasses.replace(config.network, width=16))
    generator = torch.Generator().manual_seed(1)
    network = Network(SHAPE.observation, SHAPE.size, width=16, depth=2, generator=generator)
    shape = max((GAME.shape(its) for its in rules), key=lambda shape: shape.seats)
    judge = make_judge(GAME, shape, config, np.ones(SHAPE.features, bool), generator)
    with torch.no_grad():  # so that some actions are unlikely, and the critics do not all answer 0 at first
        network.actor.weight *= 3000
        for weight in judge.parameters():
            weight += 0.1 * torch.randn(weight.shape, generator=generator)
    tables = make_tables(GAME, config, rules)
    tables.reset()
    rollout = Rollout(tables, STEPS, **judge.keeps)
    collect(tables, network, rollout, generator)
    return judge, network, rollout, tables


def relative(observation, seat, sides, change):
    """In hundreds, less the others' mean."""
    return (change - (change.sum(-1, keepdims=True) - change) / 2) / np.float32(100)


def judged_and_seen(judge, network, rollout):
    judged = judge.judge(rollout, network, Outcome(rollout.reward, rollout.ended, LAMBDA, relative))
    seen = torch.from_numpy(rollout.arrays["observation"][:-1].reshape(-1, SHAPE.features))
    return judged, seen


def check_along_turns(judged, rollout, value):
    value = value.detach().numpy().reshape(STEPS, TABLES)
    seat = rollout.arrays["seat"][:-1]
    advantage, counted = own_turn_advantages(seat, value, rollout.reward, rollout.ended, gae_lambda=LAMBDA)
    np.testing.assert_allclose(judged.expected, value, atol=1e-5)
    np.testing.assert_allclose(judged.advantage, advantage, atol=1e-5)
    np.testing.assert_allclose(judged.target, value + advantage, atol=1e-5)
    assert (judged.counted == counted).all()


def test_a_private_judge_judges_by_the_networks_own_critic_and_learns_nothing():
    judge, network, rollout, _ = played(advantage="gae")
    judged, seen = judged_and_seen(judge, network, rollout)
    check_along_turns(judged, rollout, network.value(seen))
    assert not list(judge.parameters())
    assert judged.told.shape[2] == 0


def test_a_full_judge_judges_by_a_critic_of_the_hidden_cards():
    judge, network, rollout, _ = played(advantage="gae", critic="full")
    hidden = torch.from_numpy(rollout.hidden.reshape(-1, SHAPE.hidden.size))
    judged, seen = judged_and_seen(judge, network, rollout)
    check_along_turns(judged, rollout, judge.critic(seen, hidden))
    # What is kept is what the seat asked could not see: with its own hand it makes every card that is not played.
    hand, taken = SHAPE.observation["hand"], SHAPE.observation["played"]
    row = rollout.arrays["observation"][:-1]
    cards = SHAPE.hidden["hands"]
    others = rollout.hidden[..., cards.slice].reshape(*row.shape[:2], 3, 24).sum(2) + rollout.hidden[..., 72:96]
    all_played = row[..., taken.slice].reshape(*row.shape[:2], 4, 24).sum(2)
    assert ((others + row[..., hand.slice] + all_played) == 1).all()


def test_a_judge_that_looks_ahead_judges_every_action_by_how_rule_based_players_would_go_on():
    judge, network, rollout, _ = played(advantage="ahead", residual=0.7)
    judged, seen = judged_and_seen(judge, network, rollout)
    seat, mask = rollout.arrays["seat"][:-1], rollout.arrays["mask"][:-1]
    with torch.no_grad():
        features = network.features(seen)
        policy = network(seen, torch.from_numpy(mask.reshape(-1, SHAPE.size)))[0].softmax(-1).numpy()
    np.testing.assert_allclose(judged.policy, policy, atol=1e-6)
    taken, state = np.zeros((2, STEPS, TABLES), np.float32)
    likely = np.zeros((STEPS, TABLES), bool)
    k = 0
    for t in range(STEPS):
        for i in range(TABLES):
            worth, row, s = {}, t * TABLES + i, int(seat[t, i])
            tried = np.flatnonzero(
                mask[t, i] & ((policy[row] > 0.01) | (np.arange(SHAPE.size) == rollout.action[t, i]))
            )
            assert (np.flatnonzero(rollout.tried[t, i]) == tried).all()
            for action in tried:
                points = rollout.ahead[k][[s, (s + 1) % 3, (s + 2) % 3]]
                told = ((points - (points.sum() - points) / 2) / 100).astype(np.float32)
                k += 1
                with torch.no_grad():
                    hidden = judge.features(features[row]) + judge.told(torch.from_numpy(told))
                    hidden = (hidden + judge.action.weight[action]).relu()
                    worth[action] = float(judge.last(hidden) + judge.trust * told[0])
                if action == rollout.action[t, i]:
                    np.testing.assert_allclose(judged.told[t, i], told, atol=1e-6)
            taken[t, i] = worth[rollout.action[t, i]]
            likely[t, i] = policy[row, rollout.action[t, i]] > 0.01
            some = [action for action in worth if policy[row, action] > 0.01]
            total = sum(policy[row, action] for action in some)
            state[t, i] = sum(policy[row, action] * worth[action] for action in some) / total if some else taken[t, i]
            expected = np.zeros(SHAPE.size, np.float32)
            for action in some:
                expected[action] = worth[action] - state[t, i]
            np.testing.assert_allclose(judged.each[row], expected, atol=1e-5)
    assert k == len(rollout.ahead)
    target, counted = own_turn_returns(seat, taken, state, rollout.reward, rollout.ended, gae_lambda=LAMBDA)
    assert (judged.counted == counted).all()
    np.testing.assert_allclose(judged.goal, target, atol=1e-4)
    beyond = np.where(likely, 0.7 * (target - taken), target - state)
    np.testing.assert_allclose(judged.advantage, np.where(counted, beyond, 0), atol=1e-4)
    assert 0 < likely.mean() < 1
    np.testing.assert_allclose(judged.expected, state, atol=1e-5)


def test_what_comes_of_an_action_is_told_clockwise_from_the_seat_asked_at_tables_of_any_size():
    judge, network, rollout, _ = played(
        [GAME.rules(table="2p_stock"), RULES, GAME.rules(table="4p_six")], advantage="ahead"
    )
    worth = Outcome(rollout.reward, rollout.ended, LAMBDA, lambda seen, seat, sides, change: change)
    told = judge.judge(rollout, network, worth).told
    taken = np.zeros(rollout.tried.shape, bool)
    np.put_along_axis(taken, rollout.action[..., None], True, 2)
    ahead = rollout.ahead[taken[rollout.tried]].reshape(STEPS, TABLES, 4)
    sizes = set()
    for t in range(STEPS):
        for i in range(TABLES):
            table = SHAPE.observation.decode(rollout.arrays["observation"][t, i])["table"]
            seats, me = int(table[0]), rollout.arrays["seat"][t, i]  # 2p_stock, 3p, 4p_six
            mine_first = [ahead[t, i, (me + k) % seats] for k in range(seats)]
            assert told[t, i].tolist() == mine_first + [0] * (4 - seats)
            sizes.add(seats)
    assert sizes == {2, 3, 4}


def test_the_two_parts_of_a_judgement_together_are_the_policy_gradient_whatever_the_critic_says():
    # One decision with four actions of these true values, a critic that is wrong, and a likely action from 1 % on.
    policy = np.array([0.6, 0.39, 0.008, 0.002])
    true, critic = np.array([1.0, -1.0, 4.0, -7.0]), np.array([0.3, 0.5, 0.0, 0.0])
    likely = policy > 0.01
    state = (policy * critic)[likely].sum() / policy[likely].sum()
    each = np.where(likely, critic - state, 0)
    gradient = policy * (each - (policy * each).sum())  # of the sum over all actions, in the logits
    for action in range(4):  # and of the action taken, over all draws
        beyond = true[action] - (critic[action] if likely[action] else state)
        gradient += policy[action] * beyond * (np.eye(4)[action] - policy)
    np.testing.assert_allclose(gradient, policy * (true - (policy * true).sum()), atol=1e-12)


def test_a_judge_of_actions_judges_through_all_seats_decisions():
    judge, network, rollout, _ = played(advantage="qboost")
    judged, seen = judged_and_seen(judge, network, rollout)
    mask = torch.from_numpy(rollout.arrays["mask"][:-1].reshape(-1, SHAPE.size))
    hidden = torch.from_numpy(rollout.hidden.reshape(-1, SHAPE.hidden.size))
    with torch.no_grad():
        worth = judge.critic(seen, hidden, mask).numpy()
        chance = network(seen, mask)[0].softmax(-1).numpy()
    seat, action = rollout.arrays["seat"][:-1], rollout.action.reshape(-1)
    taken, state = np.zeros((2, STEPS * TABLES, 3), np.float32)
    for row in range(STEPS * TABLES):  # by seat, not clockwise from the seat asked
        for k in range(3):
            s = (int(seat.reshape(-1)[row]) + k) % 3
            taken[row, s] = worth[row, k, action[row]]
            state[row, s] = sum(worth[row, k, a] * chance[row, a] for a in np.flatnonzero(mask[row]))
    shape = (STEPS, TABLES, 3)
    advantage, goal, counted = q_boost_advantages(
        seat, taken.reshape(shape), state.reshape(shape), rollout.reward, rollout.ended, gae_lambda=LAMBDA
    )
    np.testing.assert_allclose(judged.advantage, advantage, atol=1e-4)
    assert (judged.counted == counted).all()
    for t, i in ((0, 0), (9, 5), (20, 8)):
        s = int(seat[t, i])
        np.testing.assert_allclose(judged.goal[t, i], goal[t, i][[s, (s + 1) % 3, (s + 2) % 3]], atol=1e-5)
        np.testing.assert_allclose(judged.target[t, i], goal[t, i, s], atol=1e-5)


@pytest.mark.parametrize(
    "switches", [{"advantage": "gae", "critic": "full"}, {"advantage": "ahead"}, {"advantage": "qboost"}]
)
def test_its_loss_falls_as_its_critic_learns_and_leaves_the_network_alone(switches):
    judge, network, rollout, _ = played(**switches)
    judged, _ = judged_and_seen(judge, network, rollout)
    data = Decisions.of(rollout, judged, Phases(SHAPE.observation), by_phase=True)
    rows = torch.arange(len(data.action))
    optimiser = torch.optim.Adam(judge.parameters(), lr=3e-3)
    loss = []
    for _ in range(60):
        loss.append(judge.loss(data, rows, network.features(data.observation)))
        optimiser.zero_grad()
        loss[-1].backward()
        optimiser.step()
    assert loss[-1] < 0.5 * loss[0]
    assert all(weight.grad is None for weight in network.parameters())


@pytest.mark.parametrize("advantage", ["gae", "ahead", "qboost"])
def test_by_the_outcomes_alone_what_is_to_be_learned_is_what_was_paid_in_the_end(advantage):
    judge, network, rollout, _ = played(advantage=advantage)
    judged = judge.judge(rollout, network, Outcome(rollout.reward, rollout.ended, None, relative))
    end = int(rollout.ended[:, 0].argmax())
    for t in range(end + 1):
        assert judged.counted[t, 0]
        seat = rollout.arrays["seat"][t, 0]
        np.testing.assert_allclose(judged.target[t, 0], rollout.reward[end, 0, seat], atol=1e-6)
        np.testing.assert_allclose(np.ravel(judged.goal[t, 0])[0], rollout.reward[end, 0, seat], atol=1e-6)
