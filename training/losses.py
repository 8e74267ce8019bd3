"""What PPO and imitation minimise, as plain functions of rows; each gives means over the rows."""

from __future__ import annotations

import torch
from torch import Tensor


def chosen(log_probability: Tensor, action: Tensor) -> Tensor:
    """The entry of each row's action. ``log_probability``: `[m, A]`; ``action``: `[m]` int64. Returns `[m]`."""
    return log_probability.gather(1, action[:, None]).squeeze(1)


def entropy(logits: Tensor, log_probability: Tensor) -> Tensor:
    """How undecided each row is, in nats: 0 if one action is certain.

    ``logits``: `[m, A]` float32, masked; ``log_probability``: `[m, A]` float32, their log-softmax. Returns `[m]`.
    """
    # softmax(logits) and not exp(log_probability): exp takes a slow path for every illegal action, softmax does not.
    return -(logits.softmax(-1) * log_probability).sum(-1)


def policy_loss(new: Tensor, old: Tensor, advantage: Tensor, clip_range: float) -> tuple[Tensor, Tensor, Tensor]:
    """PPO's clipped objective (Schulman et al. 2017, equation 7), to be minimised.

    ``new``, ``old``: `[m]` float32, log probability of the action taken, now and when it was taken; ``advantage``:
    `[m]` float32, normalised; ``clip_range``: how far the ratio may leave 1 and still be rewarded. Returns the loss,
    the share of clipped rows, and an estimate of KL(old, new) in nats (Schulman's k3), scalars.
    """
    log_ratio = new - old
    ratio = log_ratio.exp()
    loss = -torch.min(ratio * advantage, ratio.clamp(1 - clip_range, 1 + clip_range) * advantage).mean()
    with torch.no_grad():
        clipped = ((ratio - 1).abs() > clip_range).float().mean()
        divergence = (ratio - 1 - log_ratio).mean()
    return loss, clipped, divergence


def all_actions_loss(
    logits: Tensor, old: Tensor, advantage: Tensor, clip_range: float
) -> tuple[Tensor, Tensor, Tensor]:
    """PPO's clipped objective, in the mean over all actions instead of for the one taken, to be minimised.

    ``logits``: `[m, A]` float32, masked; ``old``: `[m, A]` float32, the probabilities when it was played, 0 where
    illegal; ``advantage``: `[m, A]` float32, normalised, of each action. Returns the loss, the share of actions that
    are clipped, and KL(old, new) in nats, scalars; actions count by their old probability.
    """
    ratio = logits.softmax(-1) / old.clamp(min=1e-8)
    gain = torch.min(ratio * advantage, ratio.clamp(1 - clip_range, 1 + clip_range) * advantage)
    loss = -(old * gain).sum(-1).mean()
    with torch.no_grad():
        clipped = (old * ((ratio - 1).abs() > clip_range)).sum(-1).mean()
        kl = -torch.xlogy(old, ratio.clamp(min=1e-8)).sum(-1).mean()
    return loss, clipped, kl


def divergence(logits: Tensor, log_probability: Tensor, other: Tensor) -> Tensor:
    """The mean KL(policy, other) in nats: how far the policy has gone from another one.

    ``logits``: `[m, A]` float32, masked; ``log_probability`` and ``other``: `[m, A]` float32, the log probabilities of
    the policy and of the other, NEVER or less where illegal. Returns a scalar.
    """
    return (logits.softmax(-1) * (log_probability - other)).sum(-1).mean()


def value_loss(value: Tensor, target: Tensor) -> Tensor:
    """Half the critic's mean square error. ``value``, ``target``: `[m]` float32, units of reward. Returns a scalar."""
    return 0.5 * (value - target).square().mean()


def imitation_loss(log_probability: Tensor, mask: Tensor, action: Tensor, smoothing: float) -> Tensor:
    """Cross-entropy to a teacher's action, of which ``smoothing`` is spread over all legal actions of the row.

    ``log_probability``: `[m, A]` float32; ``mask``: `[m, A]` int8; ``action``: `[m]` int64, the teacher's. Returns a
    scalar.
    """
    legal = mask.to(log_probability.dtype)
    even = (log_probability * legal).sum(-1) / legal.sum(-1)
    return -((1 - smoothing) * chosen(log_probability, action) + smoothing * even).mean()


def explained_variance(value: Tensor, target: Tensor) -> float:
    """The share of the target's variance that the critic explains, 1 at best. ``value``, ``target``: `[m]` float32."""
    spread = target.var(correction=0)
    return float(1 - (target - value).var(correction=0) / spread) if spread > 0 else 0.0
