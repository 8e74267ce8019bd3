"""The cyclic share: hand figures, known mixtures of a rating and a circle, and intervals that hold."""

import numpy as np
import pytest

from karty.training.cycles import antisymmetric, cyclic_part, cyclic_share

ROCK = np.array([[0.0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # paper beats rock, scissors paper, rock scissors
NAMES = ["rock", "paper", "scissors"]


def sure(matrix, deals=10):
    """The same payoffs in every deal."""
    return np.repeat(np.array(matrix, float)[None], deals, axis=0)


def test_payoffs_are_made_antisymmetric():
    # a gains 5 of b; b loses 3 of a, the seats being unlike: (5 + 3) / 2
    assert antisymmetric(np.array([[9.0, 5], [-3, 9]])).tolist() == [[0, 4], [-4, 0]]


def test_rock_paper_scissors_is_all_cycle():
    found = cyclic_share(NAMES, sure(ROCK))
    assert (found.mean, found.low, found.high) == pytest.approx((1, 1, 1))
    cycle = found.largest
    assert cycle.agents == ("rock", "scissors", "paper")
    assert cycle.gains == pytest.approx((1, 1, 1))
    assert (cycle.mean, cycle.low, cycle.high) == pytest.approx((3, 3, 3))
    assert cycle.is_circle


def test_payoffs_that_are_differences_of_ratings_have_no_cycle():
    rating = np.array([10.0, 4, -2, -12])
    found = cyclic_share(list("abcd"), sure(rating[:, None] - rating))
    assert (found.mean, found.low, found.high) == (0, 0, 0)
    assert found.largest.mean == pytest.approx(0)


def test_a_mixture_by_hand():
    # Ratings 2, 0, −2: the squared norm is 2 (4 + 4 + 16) = 48. A circle of height 1 adds 2 · 3 = 6, orthogonally.
    rating = np.array([2.0, 0, -2])
    mixed = rating[:, None] - rating + ROCK
    assert np.allclose(cyclic_part(mixed), ROCK)
    found = cyclic_share(NAMES, sure(mixed))
    assert found.mean == pytest.approx(6 / 54)
    # around the circle the ratings cancel; rock gains 4 + 1 of scissors, and they lose 2 − 1 and 2 − 1 on the way back
    assert found.largest.gains == pytest.approx((5, -1, -1))
    assert found.largest.mean == pytest.approx(3)
    assert not found.largest.is_circle


def test_the_parts_are_those_of_least_squares():
    rng = np.random.default_rng(3)
    matrix = antisymmetric(rng.normal(size=(5, 5)))
    pairs = [(a, b) for a in range(5) for b in range(5)]
    design = np.zeros((25, 5))
    for row, (a, b) in enumerate(pairs):
        design[row, a] += 1
        design[row, b] -= 1
    rating = np.linalg.lstsq(design, matrix.reshape(-1), rcond=None)[0]
    assert np.allclose(cyclic_part(matrix).reshape(-1), matrix.reshape(-1) - design @ rating)


def test_two_agents_have_no_cycle():
    found = cyclic_share(["a", "b"], sure([[0, 3], [-3, 0]]))
    assert (found.mean, found.largest) == (0, None)
    assert found.to_dict() == {"mean": 0, "low": 0, "high": 0, "largest_cycle": None}


def test_agents_that_gain_the_same_have_nothing_to_share():
    found = cyclic_share(NAMES, sure(np.zeros((3, 3))))
    assert (found.mean, found.low, found.high) == (None, None, None)
    only_luck = np.random.default_rng(0).normal(0, 30, (400, 3, 3))
    found = cyclic_share(NAMES, only_luck)
    assert found.mean is None or (found.low, found.high) == (0, 1)


@pytest.mark.parametrize("height", [0.0, 1.0, 3.0])
def test_the_interval_holds_the_true_share_and_luck_is_taken_off(height):
    """One circle among three agents with ratings; a deal's luck is five times what is to be seen."""
    rating = np.array([2.0, 0, -2])
    true = rating[:, None] - rating + height * ROCK
    share = 6 * height**2 / (48 + 6 * height**2)
    rng = np.random.default_rng(5)
    held, means = 0, []
    for _ in range(60):
        found = cyclic_share(NAMES, true + rng.normal(0, 15, (500, 3, 3)))
        held += found.low <= share <= found.high
        means.append(found.mean)
    assert held >= 53  # of 60, by chance 57; fewer than 53 come once in a hundred times
    if height:
        assert np.mean(means) == pytest.approx(share, abs=4 * np.std(means) / 60**0.5)


def test_what_luck_adds_among_many_agents_is_taken_off_the_share_and_off_its_interval():
    """Twelve agents, half of a squared norm of 2 cyclic.

    Luck adds v for each of 66 pairs, that is 1 to the whole and, but for 11 differences of ratings, 55 / 66 to the
    cyclic part. Left on, the share would be (1 + 0.83) / (2 + 1) = 0.61.
    """
    agents, deals = 12, 100
    rng = np.random.default_rng(8)
    rating = rng.normal(size=agents)
    straight = rating[:, None] - rating
    cyclic = cyclic_part(antisymmetric(rng.normal(size=(agents, agents))))
    straight, cyclic = (part / np.linalg.norm(part) for part in (straight, cyclic))
    # An entry of M is half the difference of two payoffs, and it stands on both sides of the diagonal: v is the
    # variance of one payoff over the deals.
    deviation = (deals / 66) ** 0.5
    names, found = [str(k) for k in range(agents)], []
    for _ in range(60):
        luck = rng.normal(0, deviation, (deals, agents, agents))
        found.append(cyclic_share(names, straight + cyclic + luck))
    means = [each.mean for each in found]
    assert np.mean(means) == pytest.approx(0.5, abs=0.05)  # its standard error is 0.013
    # The middle of the intervals, somewhat lopsided ones, is near it; with the luck of drawing anew left on it is not.
    assert np.mean([(each.low + each.high) / 2 for each in found]) == pytest.approx(0.5, abs=0.07)
    assert sum(each.low <= 0.5 <= each.high for each in found) >= 53  # of 60, by chance 57


def test_the_interval_of_the_largest_cycle_holds_for_all_triples_at_once():
    rng = np.random.default_rng(6)
    held = sum(
        (cycle := cyclic_share(list("abcde"), rng.normal(0, 1, (200, 5, 5))).largest).low <= 0 <= cycle.high
        for _ in range(60)
    )
    assert held >= 53  # of 60, by chance 57


def test_the_same_seed_gives_the_same_interval():
    payoffs = np.random.default_rng(1).normal(0, 5, (100, 3, 3)) + 3 * ROCK
    assert cyclic_share(NAMES, payoffs, seed=4) == cyclic_share(NAMES, payoffs, seed=4)
    assert cyclic_share(NAMES, payoffs, seed=4) != cyclic_share(NAMES, payoffs, seed=5)
