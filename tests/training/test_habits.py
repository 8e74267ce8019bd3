"""Counting what is done, by kind of action."""

import numpy as np

from karty.training.habits import Habits


def test_kinds_are_the_first_words_in_their_order():
    habits = Habits(("play 9S", "play TS", "pass", "bid 100", "bid 110"))
    assert habits.kinds == ("play", "pass", "bid")
    assert habits.kind_of.tolist() == [0, 0, 1, 2, 2]


def test_counts_by_hand():
    # One table: an episode that began earlier ends at step 1; one of steps 2 … 4; one of steps 5 … 8; an unfinished
    # one.
    habits = Habits(("play a", "play b", "pass", "bid"))
    action = np.array([0, 2, 3, 2, 0, 1, 2, 0, 1, 3])[:, None]
    ended = np.isin(np.arange(10), [1, 4, 8])[:, None]
    mask = np.zeros((10, 1, 4), np.int8)
    mask[0, 0] = [1, 1, 1, 0]  # play taken, pass not
    mask[8, 0] = [1, 1, 0, 0]  # two plays: no choice between kinds
    found = habits.count(action, mask, ended)
    assert found["play"] == {"share": 0.5, "taken": 1.0, "episodes": 1.0}
    assert found["pass"] == {"share": 0.3, "taken": 0.0, "episodes": 1.0}
    assert found["bid"] == {"share": 0.2, "episodes": 0.5}


def test_without_a_whole_episode_there_is_no_share_of_episodes():
    habits = Habits(("play", "pass"))
    found = habits.count(np.zeros((8, 3), np.int64), np.ones((8, 3, 2), np.int8), np.zeros((8, 3), bool))
    assert found == {"play": {"share": 1.0, "taken": 1.0}, "pass": {"share": 0.0, "taken": 0.0}}
