"""Counterfactual regret minimisation: towards the known values of Kuhn's and Leduc poker."""

import numpy as np
import poker
import pytest

from karty.training import exact
from karty.training.cfr import DiscountedCFR
from karty.training.gametree import whole_tree

CFR_PLUS = {"alpha": np.inf, "beta": -np.inf, "gamma": 1.0}


@pytest.mark.parametrize("discounts", [{}, CFR_PLUS])
def test_kuhn_poker_comes_to_its_value(discounts):
    tree = whole_tree(poker.GAME, poker.Rules(table="kuhn"))
    solver = DiscountedCFR(tree, **discounts)
    assert list(solver.run(400)) == list(range(1, 401))
    assert exact.expected(tree, solver.average) == pytest.approx(-1 / 18, abs=1e-4)
    assert 0 <= exact.nash_conv(tree, solver.average) < 1e-3  # uniform play: 0.917


def test_leduc_poker_comes_to_its_value():
    """-0.0856 for the first seat (OpenSpiel, and Southey and others)."""
    tree = whole_tree(poker.GAME, poker.Rules(table="leduc"))
    solver = DiscountedCFR(tree)
    for _ in solver.run(120):
        pass
    assert exact.expected(tree, solver.average) == pytest.approx(-0.0856, abs=1e-3)
    assert exact.nash_conv(tree, solver.average) < 0.02  # uniform play: 4.747


def test_the_first_iteration_by_hand():
    """Kuhn, seat 0 before its first choice: what a check and a bet are worth against uniform play, by its card.

    With the jack a check is worth -1/2 - 1/4 (seat 1 checks, or bets and is folded to, -1, or called, -2: -5/4), a bet
    1/2 (a fold) - 2/2: so by regret matching it bets always. With the king: a check 1/2 + (2 - 1) / 4 = 3/4, a bet 3/2.
    """
    tree = whole_tree(poker.GAME, poker.Rules(table="kuhn"))
    solver = DiscountedCFR(tree)
    solver.iterate()
    first = {
        poker.LAYOUT.decode(tree.observation[i])["hand"][0]: solver.policy[tree.first_choice[i] + 1]
        for i in range(*tree.sets_at[:2])
    }
    assert first == {"JS": 1, "QS": 1, "KS": 1}


def test_a_policy_is_uniform_where_nothing_was_gathered():
    tree = whole_tree(poker.GAME, poker.Rules(table="kuhn"))
    assert DiscountedCFR(tree).average.tolist() == exact.uniform(tree).tolist()
