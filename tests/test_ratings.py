"""Plackett–Luce ratings against closed forms, against rankings drawn from known strengths, and with ties."""

import numpy as np
import pytest

from karty.training.ratings import ELO, Rating, Results, ranking, rate


def draw(rng, log_strengths, seated):
    """A ranking drawn from the model itself, seat by seat."""
    left, order = list(seated), []
    while left:
        strength = np.exp([log_strengths[agent] for agent in left])
        order.append(left.pop(rng.choice(len(left), p=strength / strength.sum())))
    return tuple((agent,) for agent in order)


def counted(rankings):
    """The different rankings and how often each came in each 'deal' (one ranking a deal)."""
    kinds = list(dict.fromkeys(rankings))
    counts = np.zeros((len(rankings), len(kinds)))
    counts[np.arange(len(rankings)), [kinds.index(kind) for kind in rankings]] = 1
    return kinds, counts


def test_two_players_are_rated_by_the_odds_of_their_wins():
    # 300 wins to 100: odds of three to one, log-strengths ± ln(3)/2 about their mean 0.
    results = Results([((0,), (1,)), ((1,), (0,))], 2)
    theta = results.fit(np.array([300.0, 100.0]), prior=0)
    assert theta == pytest.approx([np.log(3) / 2, -np.log(3) / 2], abs=1e-7)


def test_three_players_of_whom_only_the_winner_is_known_are_rated_by_their_shares():
    # Luce's choice: 5, 3 and 2 wins of ten give strengths 5 : 3 : 2, whatever becomes of the tied losers.
    wins = [((0,), (1, 2)), ((1,), (0, 2)), ((2,), (0, 1))]
    theta = Results(wins, 3).fit(np.array([5.0, 3.0, 2.0]), prior=0)
    assert np.exp(theta - theta[2]) == pytest.approx([2.5, 1.5, 1], abs=1e-6)


def test_one_seat_against_two_of_the_same_agent():
    # s / (s + 1 + 1) = 0.6 has the solution s = 3.
    results = Results([((0,), (1, 1)), ((1,), (0, 1))], 2)
    theta = results.fit(np.array([60.0, 40.0]), prior=0)
    assert np.exp(theta[0] - theta[1]) == pytest.approx(3, abs=1e-6)


def test_three_players_of_whom_only_the_loser_is_known():
    # With strengths a, b, c the last is c with probability a/(a+b+c)·b/(b+c) + b/(a+b+c)·a/(a+c).
    strength = np.array([4.0, 2.0, 1.0])

    def last(x, y, z):
        return x / (x + y + z) * y / (y + z) + y / (x + y + z) * x / (x + z)

    chance = np.array([last(*strength[[1, 2, 0]]), last(*strength[[0, 2, 1]]), last(*strength)])
    assert chance.sum() == pytest.approx(1)
    losses = [((1, 2), (0,)), ((0, 2), (1,)), ((0, 1), (2,))]
    theta = Results(losses, 3).fit(1000 * chance, prior=0)
    assert np.exp(theta - theta[2]) == pytest.approx(strength, rel=1e-5)


def test_known_strengths_are_recovered_from_full_rankings():
    rng = np.random.default_rng(1)
    true = np.array([0.8, 0.2, -0.1, -0.9])
    kinds, counts = counted([draw(rng, true, rng.permutation(4)[:3]) for _ in range(6000)])
    theta = Results(kinds, 4).fit(counts.sum(axis=0))
    # One of 6000 rankings of three tells a strength to about 0.02.
    assert theta == pytest.approx(true, abs=0.08)


def test_a_result_in_which_all_tied_says_nothing():
    kinds = [((0,), (1,)), ((1,), (0,)), ((0, 1),)]
    some = Results(kinds, 2).fit(np.array([30.0, 10.0, 0.0]), prior=0)
    many = Results(kinds, 2).fit(np.array([30.0, 10.0, 500.0]), prior=0)
    assert many == pytest.approx(some)
    assert Results([((0, 1),)], 2).fit(np.array([7.0])).tolist() == [0, 0]


def test_the_winner_of_everything_has_a_finite_rating():
    theta = Results([((0,), (1,))], 2).fit(np.array([1000.0]))
    assert 3 < theta[0] < 20
    assert theta[1] == pytest.approx(-theta[0])


def test_ties_count_for_all_their_orders_together():
    # 0 and 1 tie ahead of 2, or 2 wins ahead of a tie: that is the choice of 2 first or last only.
    orders = Results([((0, 1), (2,))], 3).orders.tolist()
    assert sorted(orders) == [[0, 1, 2], [1, 0, 2]]
    assert sorted(Results([((0, 0, 1), (2,))], 3).orders.tolist()) == [[0, 0, 1, 2], [0, 1, 0, 2], [1, 0, 0, 2]]


def test_bootstrap_interval_has_the_width_that_binomial_odds_have():
    # The log-odds of n games at p = 3/4 have the standard error 1/sqrt(n p (1-p)); the ratings are half the difference.
    games = [((0,), (1,))] * 300 + [((1,), (0,))] * 100
    best, drawn = Results(*_kinds(games)).bootstrap(counted(games)[1], resamples=400, seed=3)
    expected = 0.5 / np.sqrt(400 * 0.75 * 0.25)
    assert drawn[:, 0].std() == pytest.approx(expected, rel=0.15)
    assert drawn[:, 0].mean() == pytest.approx(best[0], abs=3 * expected / 20)


def _kinds(games):
    return counted(games)[0], 2


def test_rate_names_and_sorts_and_is_reproducible():
    kinds, counts = counted([((1,), (0,))] * 30 + [((0,), (1,))] * 10)
    rows = rate(["weak", "strong"], kinds, counts, seed=5)
    assert [row.agent for row in rows] == ["strong", "weak"]
    assert rows[0].mean == pytest.approx(ELO * np.log(3) / 2, rel=1e-3)
    assert rows[0].low < rows[0].mean < rows[0].high
    assert rows == rate(["weak", "strong"], kinds, counts, seed=5)
    assert isinstance(rows[0], Rating)


def test_ranking_groups_what_tied():
    assert ranking([0, 1, 1], [2.0, 5.0, 2.0]) == ((1,), (0, 1))
    assert ranking([1, 0], [0.0, 0.0]) == ((0, 1),)


def test_results_of_different_tables_are_refused():
    with pytest.raises(ValueError, match="same number of seats"):
        Results([((0,), (1,)), ((0,), (1,), (2,))], 3)
