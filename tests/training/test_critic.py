"""The critics that see all cards: against dense layers of torch, what they leave at 0, and that they can learn."""

import numpy as np
import pytest
import torch

from karty.envs.cards import Deck
from karty.envs.engine import make_batch
from karty.envs.layout import cards, choice, code, number, observation
from karty.training.critic import ActionCritic, CentralCritic

DECK = Deck("9TJQKA", "SH")
ACTIONS, SEATS = 5, 3

SEEN = observation(
    DECK,
    3,
    variant=choice("which", ("a", "b", "c")),
    hand=cards("hand"),
    score=number("score", -20, 40),
    fan=code("fan", 2, DECK),
    turn=choice("turn", ("x", "y")),
)
HIDDEN = observation(DECK, 3, hands=cards("others", ("left", "right"), low=-1), pile=code("pile", 1, DECK))


def rows_of(layout, m, seed=0):
    rng = np.random.default_rng(seed)
    rows = rng.integers(layout.low, layout.high + 1, size=(m, layout.size)).astype(np.int8)
    rows[rng.random(rows.shape) < 0.6] = 0
    return rows


def dense_rows(layout, rows):
    """What a layer is to see: every number by its bound, every code as a one-hot; written out place by place."""
    lines = []
    for row in rows:
        line = []
        for field in layout:
            for value in row[field.slice]:
                if field.kind == "code":
                    line += [float(value == other) for other in range(len(DECK.names) + 2)]
                else:
                    line.append(value / max(-field.low, field.high))
        lines.append(line)
    return torch.tensor(lines, dtype=torch.float32)


def shaken(critic):
    """The critic with random weights everywhere, also where it begins with 0."""
    torch.manual_seed(0)
    with torch.no_grad():
        for weight in critic.parameters():
            weight.add_(0.3 * torch.randn_like(weight))
    return critic


def copies(critic):
    return {name: weight.detach().clone().requires_grad_() for name, weight in critic.named_parameters()}


def dense_trunk(weights, x, depth):
    x = (x @ weights["trunk.first.weight"] + weights["trunk.first.bias"]).relu()
    for i in range(depth - 1):
        x = (x @ weights[f"trunk.hidden.{i}.weight"].T + weights[f"trunk.hidden.{i}.bias"]).relu()
    return x


def some_rows(m):
    seen, hidden = rows_of(SEEN, m), rows_of(HIDDEN, m, 1)
    mask = (np.random.default_rng(2).random((m, ACTIONS)) < 0.5).astype(np.int8)
    mask[:, 2] = 1
    return torch.from_numpy(seen), torch.from_numpy(hidden), torch.from_numpy(mask)


def critics(depth=2, seed=0, **more):
    generator = torch.Generator().manual_seed(seed)
    options = {"width": 16, "depth": depth, "generator": generator, **more}
    return CentralCritic(SEEN, HIDDEN, **options), ActionCritic(SEEN, HIDDEN, ACTIONS, SEATS, **options)


@pytest.mark.plain
@pytest.mark.parametrize("depth", [1, 3])
def test_central_critic_and_its_gradients_are_those_of_dense_layers(depth):
    critic = shaken(critics(depth)[0])
    seen, hidden, _ = some_rows(40)
    weights = copies(critic)
    x = torch.cat([dense_rows(SEEN, seen.numpy()), dense_rows(HIDDEN, hidden.numpy())], 1)
    expected = (dense_trunk(weights, x, depth) @ weights["last.weight"].T + weights["last.bias"])[:, 0]
    value = critic(seen, hidden)
    assert value.shape == (40,)
    torch.testing.assert_close(value, expected, atol=1e-4, rtol=1e-5)
    slope = torch.randn(40)
    (value * slope).sum().backward()
    (expected * slope).sum().backward()
    for name, weight in critic.named_parameters():
        assert weight.grad.any(), name
        torch.testing.assert_close(weight.grad, weights[name].grad, atol=1e-3, rtol=1e-4)


@pytest.mark.plain
@pytest.mark.parametrize("depth", [1, 3])
def test_action_critic_and_its_gradients_are_those_of_dense_layers(depth):
    critic = shaken(critics(depth)[1])
    seen, hidden, mask = some_rows(40)
    weights = copies(critic)
    x = dense_trunk(weights, torch.cat([dense_rows(SEEN, seen.numpy()), dense_rows(HIDDEN, hidden.numpy())], 1), depth)
    expected = torch.zeros(40, SEATS, ACTIONS)
    for seat in range(SEATS):
        for action in range(ACTIONS):
            row = seat * ACTIONS + action
            own = x @ weights["last.weight"][row] + weights["last.bias"][row]
            common = x @ weights["common.weight"][seat] + weights["common.bias"][seat]
            expected[:, seat, action] = (own + common) * mask[:, action]
    value = critic(seen, hidden, mask)
    torch.testing.assert_close(value, expected, atol=1e-4, rtol=1e-5)
    slope = torch.randn(40, SEATS, ACTIONS)
    (value * slope).sum().backward()
    (expected * slope).sum().backward()
    for name, weight in critic.named_parameters():
        assert weight.grad.any(), name
        torch.testing.assert_close(weight.grad, weights[name].grad, atol=1e-3, rtol=1e-4)


@pytest.mark.plain
def test_illegal_actions_are_exactly_0_and_no_mean_over_actions_overflows():
    critic = shaken(critics()[1])
    seen, hidden, mask = some_rows(50)
    mask[0] = 0  # nobody asked: an episode that is over
    value = critic(seen, hidden, mask)
    illegal = (mask == 0)[:, None].expand_as(value)
    assert (value[illegal] == 0).all()
    assert (value[~illegal] != 0).all()
    probability = torch.randn(50, ACTIONS).masked_fill(mask == 0, -1e9).softmax(-1)
    mean = (value * probability[:, None]).sum(-1)
    assert mean.isfinite().all()
    assert mean.abs().max() < 100  # one action of -1e9 would drag it anywhere
    mean[1:].sum().backward()
    assert all(weight.grad.isfinite().all() for weight in critic.parameters())


def test_an_action_is_worth_the_same_whatever_else_is_legal():
    critic = shaken(critics()[1])
    seen, hidden, mask = some_rows(30)
    alone = torch.zeros_like(mask)
    alone[:, 2] = 1
    with torch.no_grad():
        torch.testing.assert_close(critic(seen, hidden, alone)[:, :, 2], critic(seen, hidden, mask)[:, :, 2])


def test_new_critics_expect_next_to_nothing_and_the_same_seed_makes_the_same_ones():
    seen, hidden, mask = some_rows(60)
    with torch.no_grad():
        for kind, inputs in ((0, (seen, hidden)), (1, (seen, hidden, mask))):
            one, same, other = (critics(seed=seed)[kind](*inputs) for seed in (4, 4, 5))
            assert (one == same).all()
            assert (one != other).any()
            assert 0 < one.abs().max() < 0.1


def test_columns_that_never_vary_change_nothing_but_hidden_ones_do():
    active = np.ones(SEEN.size, bool)
    active[SEEN["variant"].slice] = False
    active[SEEN["fan"].slice] = False  # a code that never varies: all of its one-hots
    seen, hidden, mask = some_rows(30)
    other = seen.clone()
    other[:, SEEN["variant"].slice] = 1 - other[:, SEEN["variant"].slice]
    other[:, SEEN["fan"].slice] = 3
    moved = hidden.clone()
    moved[:, HIDDEN["hands"].slice] = 1 - moved[:, HIDDEN["hands"].slice].abs()
    for critic, rest in zip(critics(active=active), ((), (mask,)), strict=True):
        with torch.no_grad():
            value = critic(seen, hidden, *rest)
            assert (critic(other, hidden, *rest) == value).all()
            assert (critic(seen, moved, *rest) != value).any()
        assert not critic.trunk.first.weight[SEEN["variant"].slice].any()


def test_rows_of_a_wrong_length_are_refused_by_name():
    central, action = critics()
    seen, hidden, mask = some_rows(3)
    for critic, rest in ((central, ()), (action, (mask,))):
        with pytest.raises(ValueError, match=r"observation: rows of 25 columns; its layout has 20"):
            critic(hidden, seen, *rest)
        with pytest.raises(ValueError, match=r"hidden: rows of 24 columns; its layout has 25"):
            critic(seen, hidden[:, 1:], *rest)
    with pytest.raises(ValueError, match=r"mask: rows of 4 columns; there are 5 actions"):
        action(seen, hidden, mask[:, 1:])


def learn(critic, loss, steps):
    """The mean loss of the first and of the last twenty steps."""
    optimiser, told = torch.optim.Adam(critic.parameters(), lr=3e-3), []
    for _ in range(steps):
        now = loss()
        optimiser.zero_grad()
        now.backward()
        optimiser.step()
        told.append(now.item())
    return np.mean(told[:20]), np.mean(told[-20:])


def a_game_about_one_hidden_card(generator):
    """256 rows: +1 if left holds the ace of spades, −1 if right does, and it is always one of the two."""
    seen = torch.from_numpy(rows_of(SEEN, 256, int(torch.randint(10**6, (), generator=generator))))
    hidden = torch.zeros(256, HIDDEN.size, dtype=torch.int8)
    ace = HIDDEN["hands"].start + DECK.names.index("AS")
    left = torch.rand(256, generator=generator) < 0.5
    hidden[:, ace], hidden[:, ace + DECK.size] = left.to(torch.int8), (~left).to(torch.int8)
    return seen, hidden, left.float() * 2 - 1


@pytest.mark.parametrize("sees", [True, False])
def test_the_central_critic_learns_from_a_hidden_card_what_nobody_could_know_without(sees):
    critic, _ = critics()
    generator = torch.Generator().manual_seed(1)

    def loss():
        seen, hidden, target = a_game_about_one_hidden_card(generator)
        return (critic(seen, hidden if sees else hidden * 0) - target).square().mean()

    first, last = learn(critic, loss, 200)
    assert 0.8 < first < 1.1  # the target's mean square is 1
    assert last < 0.02 if sees else last > 0.8


def test_the_action_critic_learns_from_the_actions_taken_what_each_is_worth_to_every_seat():
    # What the card is worth to the seat asked and to the two after it, by action 0 … 2.
    _, critic = critics()
    generator = torch.Generator().manual_seed(1)
    worth = torch.tensor([[1.0, -1, 0], [-1, 0, 0], [0, 1, 0]])  # [P, 3]
    mask = torch.zeros(256, ACTIONS, dtype=torch.int8)
    mask[:, :3] = 1

    def loss():
        seen, hidden, card = a_game_about_one_hidden_card(generator)
        action = torch.randint(3, (256,), generator=generator)
        taken = torch.nn.functional.one_hot(action, ACTIONS).to(torch.int8)  # to judge one action is enough
        target = card[:, None] * worth[:, action].T
        return (critic(seen, hidden, taken).sum(-1) - target).square().mean()

    first, last = learn(critic, loss, 300)
    assert last < first / 20
    seen, hidden, card = a_game_about_one_hidden_card(generator)
    with torch.no_grad():
        value = critic(seen, hidden, mask)
    assert (value[:, :, :3] - card[:, None, None] * worth).square().mean() < 0.02


def test_with_a_real_game():
    batch = make_batch("tysiac", 32, seed=3, skip_forced=True)
    batch.reset()
    for _ in range(8):
        batch.step(batch.choose("random"))
    shape = batch.shape
    hidden = torch.from_numpy(batch.hidden(np.zeros((32, shape.hidden.size), np.int8)))
    seen, mask = (torch.from_numpy(batch.arrays[name]) for name in ("observation", "mask"))
    critic = ActionCritic(shape.observation, shape.hidden, shape.size, shape.seats, width=8, depth=2)
    value = critic(seen, hidden, mask)
    assert value.shape == (32, 3, shape.size)
    assert ((value != 0).any(1) == mask.bool()).all()
    assert CentralCritic(shape.observation, shape.hidden, width=8, depth=2)(seen, hidden).shape == (32,)
