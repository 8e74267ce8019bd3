"""The losses on numbers worked out by hand."""

import math

import pytest
import torch

from karty.agents.network import mask_out
from karty.training import losses


def test_illegal_actions_have_probability_exactly_zero_and_no_gradient():
    logits = torch.tensor([[50.0, 1.0, 1.0], [0.0, 0.0, 0.0]], requires_grad=True)
    mask = torch.tensor([[0, 1, 1], [1, 0, 0]], dtype=torch.int8)
    masked = mask_out(logits, mask)
    probability = masked.softmax(-1)
    assert probability.tolist() == [[0.0, 0.5, 0.5], [1.0, 0.0, 0.0]]
    log_probability = masked.log_softmax(-1)
    assert log_probability.exp().tolist() == probability.tolist()
    (
        losses.entropy(masked, log_probability).sum() + losses.chosen(log_probability, torch.tensor([1, 0])).sum()
    ).backward()
    assert logits.grad[0, 0] == 0
    assert logits.grad[1].tolist() == [0, 0, 0]
    assert torch.isfinite(logits.grad).all()


def test_entropy_is_that_of_the_legal_actions_alone():
    logits = torch.tensor([[2.0, 2.0, 2.0, 9.0], [math.log(3), 0.0, 5.0, 5.0], [7.0, 1.0, 1.0, 1.0]])
    mask = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0], [1, 0, 0, 0]], dtype=torch.int8)
    masked = mask_out(logits, mask)
    found = losses.entropy(masked, masked.log_softmax(-1))
    # three alike: ln 3; 3/4 and 1/4: ln 4 - 3/4 ln 3; a single one: 0
    expected = [math.log(3), math.log(4) - 0.75 * math.log(3), 0.0]
    torch.testing.assert_close(found, torch.tensor(expected))


def test_policy_loss_is_clipped_only_where_that_is_the_worse_side():
    old = torch.zeros(4)
    new = torch.log(torch.tensor([1.5, 0.5, 1.5, 0.5])).requires_grad_()
    advantage = torch.tensor([1.0, 1.0, -1.0, -1.0])
    loss, clipped, divergence = losses.policy_loss(new, old, advantage, 0.2)
    # min(ratio·A, clip(ratio)·A): 1.2, 0.5, -1.5, -0.8; minus their mean
    assert loss.item() == pytest.approx(-(1.2 + 0.5 - 1.5 - 0.8) / 4)
    assert clipped.item() == 1.0
    # k3 = ratio - 1 - ln ratio: 0.5 - ln 1.5 twice and -0.5 + ln 2 twice
    assert divergence.item() == pytest.approx((0.5 - math.log(1.5) - 0.5 + math.log(2)) / 2, abs=1e-6)
    loss.backward()
    assert new.grad.tolist() == pytest.approx([0.0, -0.5 / 4, 1.5 / 4, 0.0])


def test_policy_loss_at_the_old_policy_is_the_plain_policy_gradient():
    new = torch.tensor([-1.0, -2.0], requires_grad=True)
    loss, clipped, divergence = losses.policy_loss(new, new.detach().clone(), torch.tensor([2.0, -1.0]), 0.2)
    loss.backward()
    assert (loss.item(), clipped.item(), divergence.item()) == (-0.5, 0.0, 0.0)
    assert new.grad.tolist() == [-1.0, 0.5]


def test_loss_over_all_actions_by_hand():
    # Old policy 1/2, 1/2; now 3/4, 1/4 (ratios 1.5 and 0.5), clip 0.2; the third action is illegal.
    logits = torch.tensor([[math.log(3.0), 0.0, -1e9]], requires_grad=True)
    old = torch.tensor([[0.5, 0.5, 0.0]])
    loss, clipped, divergence = losses.all_actions_loss(logits, old, torch.tensor([[1.0, -1.0, 5.0]]), 0.2)
    # min(1.5, 1.2) · 1 for the first, min(0.5 · −1, 0.8 · −1) for the second, each with weight 1/2
    assert loss.item() == pytest.approx(-(0.5 * 1.2 - 0.5 * 0.8))
    assert clipped.item() == 1.0
    assert divergence.item() == pytest.approx(0.5 * math.log(0.5 / 0.75) + 0.5 * math.log(0.5 / 0.25), abs=1e-6)
    loss.backward()
    assert logits.grad[0].tolist() == [0, 0, 0]  # both have gone as far as is rewarded


def test_loss_over_all_actions_at_the_old_policy_is_the_exact_policy_gradient():
    logits = torch.tensor([[0.3, -0.2, 0.5]], requires_grad=True)
    policy = logits.detach().softmax(-1)
    advantage = torch.tensor([[2.0, -1.0, 0.5]])
    loss, clipped, divergence = losses.all_actions_loss(logits, policy, advantage, 0.2)
    loss.backward()
    mean = (policy * advantage).sum()
    torch.testing.assert_close(logits.grad, -policy * (advantage - mean), atol=1e-6, rtol=0)
    assert (clipped.item(), divergence.item()) == pytest.approx((0, 0), abs=1e-6)


def test_divergence_is_that_of_the_policy_from_the_other_and_illegal_actions_count_for_nothing():
    logits = torch.tensor([[math.log(3.0), 0.0, -1e9], [0.0, 0.0, 0.0]], requires_grad=True)  # 3/4, 1/4; thirds
    other = torch.tensor([[math.log(0.5), math.log(0.5), -1e9], [math.log(1 / 3)] * 3])
    result = losses.divergence(logits, logits.log_softmax(-1), other)
    # row 0: 3/4 ln(3/2) + 1/4 ln(1/2); row 1: 0
    expected = (0.75 * math.log(1.5) + 0.25 * math.log(0.5)) / 2
    assert result.item() == pytest.approx(expected, abs=1e-6)
    result.backward()
    assert logits.grad.isfinite().all()
    assert logits.grad[0, 0] > 0 > logits.grad[0, 1]  # towards the other: less of what it has too much of
    assert logits.grad[1].abs().max() < 1e-7


def test_value_loss_is_half_the_mean_square():
    assert losses.value_loss(torch.tensor([1.0, 3.0]), torch.tensor([0.0, 5.0])).item() == pytest.approx((1 + 4) / 4)


def test_imitation_loss_spreads_the_smoothing_over_legal_actions():
    logits = torch.tensor([[math.log(2.0), math.log(1.0), math.log(1.0), 30.0]], requires_grad=True)
    mask = torch.tensor([[1, 1, 1, 0]], dtype=torch.int8)
    log_probability = mask_out(logits, mask).log_softmax(-1)  # 1/2, 1/4, 1/4
    loss = losses.imitation_loss(log_probability, mask, torch.tensor([0]), 0.3)
    # 0.7 to the teacher's action, 0.1 more to each of the three
    assert loss.item() == pytest.approx(0.8 * math.log(2) + 0.2 * math.log(4), abs=1e-6)
    loss.backward()
    # softmax less target: 0.5 - 0.8, 0.25 - 0.1 twice, nothing for the illegal one
    assert logits.grad[0].tolist() == pytest.approx([-0.3, 0.15, 0.15, 0.0], abs=1e-6)


def test_explained_variance():
    target = torch.tensor([0.0, 2.0, 4.0])
    assert losses.explained_variance(target, target) == 1.0
    assert losses.explained_variance(torch.full((3,), 2.0), target) == 0.0
    assert losses.explained_variance(target, torch.ones(3)) == 0.0
