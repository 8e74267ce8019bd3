"""Advantages along own turns and along all of a table, against slow references that go forwards, and by hand."""

import numpy as np
import pytest

from karty.training.advantage import (
    normalise,
    normalise_each,
    own_turn_advantages,
    own_turn_returns,
    q_boost_advantages,
)
from karty.training.seats import by_seat, from_seat


def slow(seat, value, reward, ended, trace):
    """Each advantage as the sum of λ^j · (pay + next own value − own value), followed forwards decision by decision."""
    steps, tables = seat.shape
    advantage, counted = np.zeros((steps, tables)), np.zeros((steps, tables), bool)
    for i in range(tables):
        for t in range(steps):
            me, factor, at = seat[t, i], 1.0, t
            while True:
                later = at
                while later < steps and not ended[later, i] and not (later > at and seat[later, i] == me):
                    later += 1
                own_again = later < steps and later > at and seat[later, i] == me
                if own_again:
                    advantage[t, i] += factor * (value[later, i] - value[at, i])
                elif later < steps:  # the episode ended, by whoever's decision
                    advantage[t, i] += factor * (reward[later, i, me] - value[at, i])
                counted[t, i] |= at == t and later < steps
                if not own_again:
                    break
                at, factor = later, factor * trace
    return advantage, counted


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("trace", [0.0, 0.7, 1.0])
def test_random_streams_agree_with_the_slow_reference(seats, trace):
    rng = np.random.default_rng(seats)
    seat = rng.integers(seats, size=(60, 9)).astype(np.int8)
    value = rng.normal(size=seat.shape).astype(np.float32)
    ended = rng.random(seat.shape) < np.linspace(0, 0.5, 9)  # tables that never end an episode up to very short ones
    reward = rng.normal(size=(*seat.shape, seats)).astype(
        np.float32
    )  # what stands where nothing ended is to be ignored
    expected, known = slow(seat, value, reward, ended, trace)
    advantage, counted = own_turn_advantages(seat, value, reward, ended, gae_lambda=trace)
    assert (counted == known).all()
    assert 0 < counted.mean() < 1
    np.testing.assert_allclose(advantage[counted], expected[counted], atol=2e-5)


def one_table(seats, values, end, pay):
    reward = np.zeros((len(seats), 1, len(pay)), np.float32)
    reward[end] = pay
    ended = np.zeros((len(seats), 1), bool)
    ended[end] = True
    return np.array(seats)[:, None], np.array(values, np.float32)[:, None], reward, ended


def test_by_hand_pay_that_comes_in_on_anothers_turn():
    # Seat 0 decides at steps 0 and 2, seat 1 at 1 and 3; seat 1's second decision ends the episode: +2 for seat 0, -2.
    stream = one_table([0, 1, 0, 1], [0.5, -0.5, 1.0, -1.0], 3, [2.0, -2.0])
    advantage, counted = own_turn_advantages(*stream, gae_lambda=0.5)
    # Seat 0, last: 2 - 1 = 1; first: (1 - 0.5) + 0.5 * 1 = 1. Seat 1, last: -2 + 1 = -1; first: (-1 + 0.5) - 0.5 = -1.
    assert advantage[:, 0].tolist() == [1.0, -1.0, 1.0, -1.0]
    assert counted.all()


def test_a_seats_last_decision_before_the_buffer_ends_is_not_counted():
    # The episode goes on after step 3: steps 2 and 3 have no successor, their values stand in for the ones before.
    seat, value, reward, ended = one_table([0, 1, 0, 1], [0.5, -0.5, 1.0, -1.0], 3, [2.0, -2.0])
    advantage, counted = own_turn_advantages(seat, value, reward, ended & False, gae_lambda=0.5)
    assert counted[:, 0].tolist() == [True, True, False, False]
    assert advantage[:2, 0].tolist() == [0.5, -0.5]


def test_nothing_leaks_from_one_episode_into_the_one_before():
    seats, values = [0, 1, 0, 1], [0.0, 0.0, 0.0, 0.0]
    reward = np.zeros((4, 1, 2), np.float32)
    reward[1], reward[3] = [1, -1], [100, -100]
    ended = np.array([[False], [True], [False], [True]])
    advantage, _ = own_turn_advantages(
        np.array(seats)[:, None], np.array(values, np.float32)[:, None], reward, ended, gae_lambda=1.0
    )
    assert advantage[:, 0].tolist() == [1.0, -1.0, 100.0, -100.0]


def test_without_critic_and_with_full_trace_advantages_are_the_episodes_rewards():
    rng = np.random.default_rng(0)
    seat = rng.integers(3, size=(50, 4))
    ended = rng.random(seat.shape) < 0.2
    ended[-1] = True
    reward = rng.normal(size=(50, 4, 3)).astype(np.float32)
    advantage, counted = own_turn_advantages(seat, np.zeros(seat.shape, np.float32), reward, ended, gae_lambda=1.0)
    assert counted.all()
    for i in range(4):
        for t in range(50):
            end = t + int(ended[t:, i].argmax())
            assert advantage[t, i] == reward[end, i, seat[t, i]]


def slow_returns(seat, action_value, state_value, reward, ended, trace):
    """Each return written out forwards over the same seat's turns at its table: pay + V₊₁ + λ (pay₊₁ + V₊₂ − Q₊₁) + …

    It stops at the end of the episode, or before the seat's last turn that the buffer holds of one that goes on.
    """
    target, counted = state_value.astype(np.float64), np.zeros(seat.shape, bool)
    for i in range(seat.shape[1]):
        for t in range(seat.shape[0]):
            end = next((k for k in range(t, seat.shape[0]) if ended[k, i]), None)
            last = seat.shape[0] - 1 if end is None else end
            turns = [k for k in range(t, last + 1) if seat[k, i] == seat[t, i]]
            steps = []  # of each turn what follows it, less what was expected of it
            for here, following in zip(turns, [*turns[1:], None], strict=True):
                if following is not None:
                    steps.append(state_value[following, i] - action_value[here, i])
                elif end is not None:
                    steps.append(reward[end, i, seat[t, i]] - action_value[here, i])
            if steps:
                counted[t, i] = True
                target[t, i] = action_value[t, i] + sum(trace**k * step for k, step in enumerate(steps))
    return target, counted


@pytest.mark.parametrize("trace", [0.0, 0.6, 1.0])
def test_returns_along_own_turns_agree_with_the_slow_reference(trace):
    rng = np.random.default_rng(5)
    seat = rng.integers(3, size=(40, 7)).astype(np.int8)
    action_value, state_value = rng.normal(size=(2, *seat.shape)).astype(np.float32)
    reward = rng.normal(size=(*seat.shape, 3)).astype(np.float32)
    ended = rng.random(seat.shape) < np.linspace(0, 0.4, 7)
    expected, known = slow_returns(seat, action_value, state_value, reward, ended, trace)
    target, counted = own_turn_returns(seat, action_value, state_value, reward, ended, gae_lambda=trace)
    assert (counted == known).all()
    assert 0 < counted.mean() < 1
    np.testing.assert_allclose(target, expected, atol=1e-5)


def test_returns_by_hand():
    # Seat 0 acts at steps 0 and 2 and is paid 2 at the end, step 3; Q is 1 for both actions, V is 0.5 for both states.
    seat, value, reward, ended = one_table([0, 1, 0, 1], [0.5, 0.5, 0.5, 0.5], 3, [2.0, -2.0])
    target, counted = own_turn_returns(seat, value + np.float32(0.5), value, reward, ended, gae_lambda=0.5)
    # last: 2; first: V₂ + 0.5 (2 − Q₂) = 0.5 + 0.5 = 1; seat 1: −2, and 0.5 + 0.5 (−2 − 1) = −1
    assert target[:, 0].tolist() == [1.0, -1.0, 2.0, -2.0]
    assert counted.all()


def slow_q_boost(seat, action_value, state_value, reward, ended, trace):
    """Each G_t written out forwards: V₊₁ + λ (V₊₂ − Q₊₁) + λ² (V₊₃ − Q₊₂) + … , the reward in place of the V after an
    end; the sum stops where the buffer does."""
    steps, tables, seats = reward.shape
    advantage, target, counted = np.zeros((steps, tables)), np.zeros((steps, tables, seats)), np.ones(seat.shape, bool)
    for i in range(tables):
        for t in range(steps):
            if t == steps - 1 and not ended[t, i]:
                counted[t, i] = False
                continue
            for p in range(seats):
                total, factor, at = 0.0, 1.0, t
                while True:
                    known = ended[at, i] or at + 1 < steps
                    if known:  # what follows the decision "at", less what was expected of it
                        follows = reward[at, i, p] if ended[at, i] else state_value[at + 1, i, p]
                        total += factor * (follows - (action_value[at, i, p] if at > t else 0))
                    if ended[at, i] or not known:
                        break
                    at, factor = at + 1, factor * trace
                target[t, i, p] = total
            me = seat[t, i]
            advantage[t, i] = target[t, i, me] - state_value[t, i, me]
    return advantage, target, counted


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("trace", [0.0, 0.5, 1.0])
def test_q_boost_on_random_streams_agrees_with_the_slow_reference(seats, trace):
    rng = np.random.default_rng(seats)
    seat = rng.integers(seats, size=(40, 7)).astype(np.int8)
    action_value, state_value, reward = rng.normal(size=(3, *seat.shape, seats)).astype(np.float32)
    ended = rng.random(seat.shape) < np.linspace(0, 0.5, 7)
    ended[-1, -1] = True
    expected, goal, known = slow_q_boost(seat, action_value, state_value, reward, ended, trace)
    advantage, target, counted = q_boost_advantages(seat, action_value, state_value, reward, ended, gae_lambda=trace)
    assert (advantage.dtype, target.dtype, counted.dtype) == (np.float32, np.float32, bool)
    assert (counted == known).all()
    assert counted[:-1].all()
    assert counted[-1].any()
    assert not counted[-1].all()
    np.testing.assert_allclose(advantage, expected, atol=3e-5)
    np.testing.assert_allclose(target, goal, atol=3e-5)


def three_decisions():
    """Seats 0, 1, 0 decide in turn, the third ends the episode with +4 for seat 0 and -4 for seat 1."""
    state_value = np.array([[[0, 0]], [[1, -1]], [[2, -2]]], np.float32)
    action_value = np.array([[[0.5, -0.5]], [[3, -3]], [[2.5, -2.5]]], np.float32)
    seat, _, reward, ended = one_table([0, 1, 0], [0, 0, 0], 2, [4.0, -4.0])
    return seat, action_value, state_value, reward, ended


@pytest.mark.parametrize(
    ("trace", "seat_0_expects", "advantages"),
    [
        # G is the value of the next decision, and the reward at the end; each advantage is G − V of who decides.
        (0.0, [1, 2, 4], [1 - 0, -2 + 1, 4 - 2]),
        # G_1 = 2 + ½ (4 − 2.5) = 2.75, G_0 = 1 + ½ (2.75 − 3) = 0.875.
        (0.5, [0.875, 2.75, 4], [0.875, -2.75 + 1, 2]),
        # Telescoped: R − V_t + (V_1 − Q_1) + (V_2 − Q_2). G_1 = 4 + (2 − 2.5) = 3.5, G_0 = 3.5 + (1 − 3) = 1.5.
        (1.0, [1.5, 3.5, 4], [1.5, -3.5 + 1, 2]),
    ],
)
def test_q_boost_by_hand(trace, seat_0_expects, advantages):
    advantage, target, counted = q_boost_advantages(*three_decisions(), gae_lambda=trace)
    assert target[:, 0, 0].tolist() == seat_0_expects
    assert target[:, 0, 1].tolist() == [-value for value in seat_0_expects]
    assert advantage[:, 0].tolist() == advantages
    assert counted.all()


def test_q_boost_where_the_buffer_ends_in_mid_episode():
    seat, action_value, state_value, reward, ended = three_decisions()
    advantage, target, counted = q_boost_advantages(
        seat, action_value, state_value, reward, ended & False, gae_lambda=1.0
    )
    assert counted[:, 0].tolist() == [True, True, False]
    # The third decision's value, 2, is what follows the second; what stands in reward there is nobody's.
    assert target[:, 0, 0].tolist() == [1 + (2 - 3), 2, 0]
    assert advantage[:, 0].tolist() == [0, -2 + 1, 0]


def test_q_boost_with_a_perfect_critic_is_blind_to_what_is_drawn_later():
    # A game of five moves, two choices each, three seats: all 32 ends have random rewards, and the values are exact.
    rng, moves, seats, tables = np.random.default_rng(2), 5, 3, 200
    who = np.array([0, 1, 2, 1, 0])
    value = {moves: rng.normal(size=(2**moves, seats))}
    chance, actions = {}, {}
    for level in reversed(range(moves)):
        actions[level] = value[level + 1].reshape(2**level, 2, seats)
        chance[level] = rng.dirichlet([1, 1], size=2**level)
        value[level] = (chance[level][..., None] * actions[level]).sum(1)
    taken = rng.integers(2, size=(moves, tables))
    node, q, v, best = np.zeros(tables, int), [], [], []
    for level in range(moves):
        v.append(value[level][node])
        q.append(actions[level][node, taken[level]])
        best.append(q[-1][:, who[level]] - v[-1][:, who[level]])
        node = 2 * node + taken[level]
    reward = np.zeros((moves, tables, seats), np.float32)
    reward[-1] = value[moves][node]
    ended = np.zeros((moves, tables), bool)
    ended[-1] = True
    seat = np.broadcast_to(who[:, None], taken.shape)
    for trace in (0.0, 0.9, 1.0):
        advantage, target, _ = q_boost_advantages(seat, np.float32(q), np.float32(v), reward, ended, gae_lambda=trace)
        np.testing.assert_allclose(advantage, best, atol=1e-5)
        np.testing.assert_allclose(target, q, atol=1e-5)


def test_seats_counted_from_the_one_asked_and_back():
    relative = np.array([[10, 11, 12, 13], [10, 11, 12, 13], [10, 11, 12, 13]], np.float32)
    # Seat 1 asked: 10 is its own, 11 seat 2's, 12 seat 3's, 13 seat 0's; and so on.
    assert by_seat(relative, np.array([0, 1, 3], np.int8)).tolist() == [
        [10, 11, 12, 13],
        [13, 10, 11, 12],
        [11, 12, 13, 10],
    ]
    # Three at the table, the fourth column is of nobody and stays; then two.
    assert by_seat(relative, np.array([0, 1, 2], np.int8), 3).tolist() == [
        [10, 11, 12, 13],
        [12, 10, 11, 13],
        [11, 12, 10, 13],
    ]
    assert by_seat(relative, np.array([0, 1, 1]), np.array([2, 2, 4])).tolist() == [
        [10, 11, 12, 13],
        [11, 10, 12, 13],
        [13, 10, 11, 12],
    ]
    assert from_seat(np.array([[0, 1, 2, 3]], np.float32), np.array([2], np.int8)).tolist() == [[2, 3, 0, 1]]


def test_seats_there_and_back_again_change_nothing():
    rng = np.random.default_rng(0)
    for seats in (None, 2, 3, rng.integers(2, 5, size=(6, 5))):
        seat = rng.integers(4 if seats is None else seats, size=(6, 5)).astype(np.int8)
        values = rng.normal(size=(6, 5, 4)).astype(np.float32)
        assert (from_seat(by_seat(values, seat, seats), seat, seats) == values).all()
        assert (by_seat(from_seat(values, seat, seats), seat, seats) == values).all()
        assert (by_seat(values, seat, seats) != values).any()


def test_normalised_over_the_whole_batch():
    out = normalise(np.array([1.0, 2.0, 3.0, 6.0], np.float32))  # mean 3, variance (4 + 1 + 0 + 9) / 4 = 3.5
    np.testing.assert_allclose(out, np.array([-2, -1, 0, 3]) / 3.5**0.5, rtol=1e-6)


def test_normalised_within_each_phase():
    advantage = np.array([1, 50, 2, 0.1, 3, 70, 0.1, 6, 7, 0.1], np.float32)
    phase = np.array([4, 0, 4, 2, 4, 0, 2, 4, 9, 2])
    # Phase 4 as above; phase 0: mean 60, deviation 10; phase 2 has no spread; phase 9 one row.
    root = 3.5**0.5
    expected = [-2 / root, -1, -1 / root, 0, 0, 1, 0, 3 / root, 0, 0]
    out = normalise(advantage, phase)
    assert out.dtype == np.float32
    np.testing.assert_allclose(out, expected, rtol=1e-6)


def test_a_single_phase_is_the_whole_batch():
    advantage = np.random.default_rng(1).normal(size=100).astype(np.float32)
    assert (normalise(advantage, np.full(100, 3)) == normalise(advantage)).all()


@pytest.mark.parametrize("rows", [1, 5, 6, 7, 10, 11, 13])
def test_a_phase_whose_rows_are_all_the_same_is_exactly_0(rows):
    # Where the mean of equal numbers is rounded, dividing by the deviation would make something of the error.
    advantage = np.full(rows + 2, 0.7, np.float32)
    advantage[-1] = 1
    phase = np.array([0] * rows + [1, 1])
    assert normalise(advantage, phase)[:rows].tolist() == [0] * rows


def test_advantages_of_many_actions_and_of_the_one_taken_have_deviation_1_together_within_each_phase():
    advantage = np.array([[2, -2, 0], [4, -4, 9], [0.5, -0.5, 0], [0, 0, 0], [0, 0, 0]], np.float32)
    policy = np.array([[0.5, 0.5, 0]] * 3 + [[0.2, 0.3, 0.5]] * 2, np.float32)
    beyond = np.array([2, -4, 0, 0, 3], np.float32)
    # phase 0: mean of 4 + 4 and 16 + 16 is 20; phase 3: 1/4; phase 5: nothing differs; phase 6: all in what is beyond.
    found, more = normalise_each(advantage, policy, beyond, np.array([0, 0, 3, 5, 6]))
    np.testing.assert_allclose(found[:2], advantage[:2] / np.sqrt(20), rtol=1e-6)
    np.testing.assert_allclose(found[2], [1, -1, 0], rtol=1e-6)
    assert (found[3:] == 0).all()
    np.testing.assert_allclose(more, [2 / np.sqrt(20), -4 / np.sqrt(20), 0, 0, 1], rtol=1e-6)
    whole, rest = normalise_each(advantage, policy, beyond)
    np.testing.assert_allclose(((policy * whole**2).sum(-1) + rest**2).mean(), 1, rtol=1e-6)
