"""The network: its sparse first layer against torch's dense one, its masks, and the agent."""

import numpy as np
import pytest
import torch

from karty.agents import sparse
from karty.agents.network import LegalLinear, Network, NetworkAgent, SparseLinear, columns_of, mask_out, scale_of
from karty.agents.sparse import NEVER
from karty.envs.cards import Deck
from karty.envs.layout import cards, choice, code, number, observation

pytestmark = pytest.mark.plain

DECK = Deck("9TJQKA", "SH")


def some_layout(**more):
    return observation(
        DECK,
        3,
        variant=choice("which", ("a", "b", "c")),
        hand=cards("hand"),
        known=cards("known", ("left", "right"), low=-1),
        score=number("score", -20, 40),
        **more,
    )


def rows_of(layout, m, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.integers(layout.low, layout.high + 1, size=(m, layout.size)).astype(np.int8)
    rows[rng.random(rows.shape) < 0.6] = 0
    return rows


@pytest.mark.parametrize("width", [1, 3, 16, 33])
def test_sparse_layer_and_its_gradients_are_those_of_a_dense_one(width):
    layout = some_layout()
    active = np.ones(layout.size, bool)
    active[layout["variant"].slice] = False
    layer = SparseLinear((1 / layout.bound).astype(np.float32), active, width)
    torch.manual_seed(0)
    torch.nn.init.normal_(layer.weight)
    torch.nn.init.normal_(layer.bias)
    rows = rows_of(layout, 50)
    rows[7] = 0  # a row without any column set
    weight, bias = layer.weight.detach().clone().requires_grad_(), layer.bias.detach().clone().requires_grad_()
    dense = torch.from_numpy(layout.normalise(rows) * active) @ weight + bias
    slope = torch.randn(50, width)
    out = layer(torch.from_numpy(rows))
    (out * slope).sum().backward()
    (dense * slope).sum().backward()
    torch.testing.assert_close(out, dense, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(layer.weight.grad, weight.grad, atol=1e-4, rtol=1e-5)
    torch.testing.assert_close(layer.bias.grad, bias.grad, atol=1e-4, rtol=1e-5)
    assert not layer.weight.grad[layout["variant"].slice].any()


@pytest.mark.parametrize("width", [1, 4, 7, 32])
def test_legal_layer_and_its_gradients_are_those_of_a_dense_one_with_the_rest_masked_out(width):
    torch.manual_seed(0)
    layer = LegalLinear(width, 9)
    torch.nn.init.normal_(layer.weight)
    torch.nn.init.normal_(layer.bias)
    x = torch.randn(40, width, requires_grad=True)
    mask = (torch.rand(40, 9) < 0.3).to(torch.int8)
    mask[:, 4] = 1
    mask[0] = 1
    weight, bias, y = (t.detach().clone().requires_grad_() for t in (layer.weight, layer.bias, x))
    slope = torch.randn(40, 9)
    out, dense = layer(x, mask), mask_out(torch.nn.functional.linear(y, weight, bias), mask)
    torch.testing.assert_close(out, dense, atol=1e-5, rtol=1e-5)
    assert (out[mask == 0] == NEVER).all()
    (out.log_softmax(-1)[:, 4] * slope[:, 0]).sum().backward()
    (dense.log_softmax(-1)[:, 4] * slope[:, 0]).sum().backward()
    for one, two in ((x, y), (layer.weight, weight), (layer.bias, bias)):
        torch.testing.assert_close(one.grad, two.grad, atol=1e-4, rtol=1e-5)


def test_find_lists_the_active_columns_that_are_set():
    rows = np.array([[0, 5, -1, 2], [0, 0, 0, 0], [1, 1, 1, 1]], np.int8)
    found, count = sparse.find(rows, np.array([1, 1, 1, 0], np.int8))
    assert count.tolist() == [2, 0, 3]
    assert [found[i, : count[i]].tolist() for i in range(3)] == [[1, 2], [], [0, 1, 2]]


def test_columns_that_never_vary_change_nothing_and_stay_at_zero():
    layout = some_layout()
    active = np.ones(layout.size, bool)
    active[layout["variant"].slice] = False
    network = Network(layout, 4, width=8, depth=2, active=active, generator=torch.Generator().manual_seed(1))
    rows = rows_of(layout, 20)
    other = rows.copy()
    other[:, layout["variant"].slice] = 1 - other[:, layout["variant"].slice]
    with torch.no_grad():
        one, two = (network(torch.from_numpy(r), torch.ones(20, 4, dtype=torch.int8)) for r in (rows, other))
    assert (one[0] == two[0]).all()
    assert (one[1] == two[1]).all()
    assert not network.first.weight[layout["variant"].slice].any()


def test_codes_reach_the_network_as_one_hots():
    layout = some_layout(fan=code("fan", 2, DECK))
    network = Network(layout, 4, width=8, depth=1, generator=torch.Generator().manual_seed(1))
    rows = rows_of(layout, 6)
    rows[:, layout["fan"].slice] = [[0, 1], [2, 3], [13, 0], [1, 1], [5, 7], [4, 4]]
    weight = network.first.weight.detach().numpy()
    plain = layout.size - 2
    expected = layout.normalise(rows)[:, :plain] @ weight[:plain] + network.first.bias.detach().numpy()
    for i, row in enumerate(rows):
        for place, value in enumerate(row[layout["fan"].slice]):
            expected[i] += weight[plain + place * 14 + value]  # 14 = empty, unknown, twelve cards
    with torch.no_grad():
        found = network.first(torch.from_numpy(layout.expand(rows))).numpy()
        network.value(torch.from_numpy(rows))  # and it takes the unexpanded rows
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_new_network_is_almost_uniform_and_the_same_seed_makes_the_same_one():
    layout = some_layout()
    made = [Network(layout, 5, width=16, depth=2, generator=torch.Generator().manual_seed(s)) for s in (3, 3, 4)]
    states = [torch.cat([weight.flatten() for weight in network.parameters()]) for network in made]
    assert (states[0] == states[1]).all()
    assert (states[0] != states[2]).any()
    with torch.no_grad():
        logits, value = made[0](torch.from_numpy(rows_of(layout, 30)), torch.ones(30, 5, dtype=torch.int8))
    assert logits.shape == (30, 5)
    assert value.shape == (30,)
    assert logits.softmax(-1).sub(0.2).abs().max() < 0.02


def agent_of(logits, greedy):
    """An agent whose network answers these logits whatever it sees."""
    layout = some_layout()
    network = Network(layout, len(logits), width=4, depth=1)
    with torch.no_grad():
        network.actor.weight.zero_()
        network.actor.bias[:] = torch.tensor(logits)
    return NetworkAgent(network, name="x", game="g", version=0, greedy=greedy), layout


def test_the_greedy_agent_takes_the_best_legal_action_and_draws_no_lots():
    agent, layout = agent_of([0.0, 3.0, 2.0, 1.0], greedy=True)
    mask = np.array([[1, 1, 1, 1], [1, 0, 1, 1], [1, 0, 0, 0]], np.int8)
    rng = np.random.default_rng(0)
    before = rng.bit_generator.state
    actions = agent.act(rows_of(layout, 3), mask, rng)
    assert actions.tolist() == [1, 2, 0]
    assert actions.dtype == np.int64
    assert rng.bit_generator.state == before


def test_the_sampling_agent_draws_from_its_probabilities():
    agent, layout = agent_of([0.0, np.log(3.0), 9.0], greedy=False)
    m = 20_000
    mask = np.repeat(np.array([[1, 1, 0]], np.int8), m, 0)
    actions = agent.act(np.zeros((m, layout.size), np.int8), mask, np.random.default_rng(1))
    share = np.bincount(actions, minlength=3) / m
    # 1/4, 3/4, never; four standard errors of a share at 20,000 draws are 0.0122
    assert share[2] == 0
    assert share[1] == pytest.approx(0.75, abs=0.0122)


def test_rows_that_cannot_be_written_or_are_not_contiguous_are_taken_too():
    agent, layout = agent_of([0.0, 1.0], greedy=True)
    wide = np.zeros((10, 2 * layout.size), np.int8)
    wide.flags.writeable = False
    mask = np.ones((10, 2), np.int8)
    mask.flags.writeable = False
    assert agent.act(wide[::2, ::2], mask[::2], np.random.default_rng(0)).tolist() == [1] * 5


def test_codes_expand_to_one_hots_and_every_other_column_is_divided_by_its_bound():
    layout = observation(
        DECK, 3, variant=choice("which", ("a", "b")), score=number("score", -20, 40), fan=code("f", 2, DECK)
    )
    one_hots = 2 * (12 + 2)  # a place is empty, holds an unknown card or one of twelve
    assert scale_of(layout).tolist() == [1, 1, np.float32(1 / 40), *[1] * one_hots]
    assert scale_of(layout).dtype == np.float32
    active = np.array([True, True, False, True, False])
    assert columns_of(layout, active).tolist() == [True, True, False, *[True] * 14, *[False] * 14]
