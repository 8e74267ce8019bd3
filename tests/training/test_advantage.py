"""Own-turn advantages, against a slow reference that follows each seat's decisions one by one, and by hand."""

import numpy as np
import pytest

from karty.training.advantage import normalise, own_turn_advantages


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


def test_normalised_over_the_whole_batch():
    out = normalise(np.array([1.0, 2.0, 3.0, 6.0], np.float32))  # mean 3, variance (4 + 1 + 0 + 9) / 4 = 3.5
    np.testing.assert_allclose(out, np.array([-2, -1, 0, 3]) / 3.5**0.5, rtol=1e-6)
