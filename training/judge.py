"""Judges of decisions: what each was worth beside what could be expected, by one of four kinds of critic.

The network's own critic sees what the seat sees. The others are told more, learn beside the network, and are left
behind when training is over: the network never sees what they see.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from karty.agents.network import Network
from karty.envs.engine import players
from karty.envs.game import Game, Shape
from karty.training import losses
from karty.training.advantage import own_turn_advantages, own_turn_returns, q_boost_advantages
from karty.training.config import TrainConfig
from karty.training.critic import ActionCritic, CentralCritic
from karty.training.rollout import Rollout
from karty.training.seats import by_seat, from_seat

if TYPE_CHECKING:
    from karty.training.learner import Decisions

_ROWS = 4096
"""Rows computed at once."""


Worth = Callable[[NDArray[np.int8], NDArray[np.int8], NDArray[np.int8], NDArray[np.float32]], NDArray[np.float32]]
"""What would be paid to every seat, `[K, P]` float32 in units of reward, for what playing ahead brought, `[K, P]`
float32 by seat, as a rollout keeps it: changes of score in points, or rewards already.

Called with the observations `[K, F]` int8 of the deals, the seats `[K]` that see them, and the sides `[K, P]` int8 of
all seats, as a rollout keeps them.
"""


@dataclass(frozen=True)
class Outcome:
    """What came of T × n decisions, and how to judge by it.

    ``pay``: `[T, n, P]` float32, what each seat was paid where ``over`` `[T, n]` bool, in units of reward;
    ``gae_lambda``: λ, 0 … 1, or None to go by the outcomes alone, whoever made the decisions; ``worth``: what would be
    paid for what playing ahead brought.
    """

    pay: NDArray[np.float32]
    over: NDArray[np.bool_]
    gae_lambda: float | None
    worth: Worth


@dataclass(frozen=True)
class Judged:
    """A judgement of T × n decisions, all in units of reward.

    ``advantage`` `[T, n]` float32; ``target`` `[T, n]` float32: what the network's own critic is to learn; ``goal``
    `[T, n, …]` float32: what the judge's critic is to learn; ``expected`` `[T, n]` float32: what the critic that judged
    expected; ``counted`` `[T, n]` bool: its consequences were seen; ``told`` `[T, n, K]`: what the judge's critic was
    told besides the observation. A judge of many actions also gives ``each`` `[T * n, A]` float32, the advantages of
    the likely ones, 0 elsewhere, and ``policy`` `[T * n, A]` float32, the probabilities of all; its ``advantage`` is
    what the action taken turned out to be worth beyond that.
    """

    advantage: NDArray[np.float32]
    target: NDArray[np.float32]
    goal: NDArray[np.float32]
    expected: NDArray[np.float32]
    counted: NDArray[np.bool_]
    told: NDArray[Any]
    each: NDArray[np.float32] | None = None
    policy: NDArray[np.float32] | None = None


class Judge(nn.Module):
    """Judges by the network's own critic, along each seat's own turns (GAE); it learns nothing itself."""

    keeps: Mapping[str, Any] = MappingProxyType({})
    """What a rollout is to keep for it: arguments of ``Rollout``."""

    def judge(self, rollout: Rollout, network: Network, outcome: Outcome) -> Judged:
        """Judge what was played by ``network`` and what came of it."""
        return _along_turns(rollout, rollout.value, outcome, rollout.hidden[..., :0])

    def loss(self, data: Decisions, rows: Tensor, features: Tensor) -> Tensor:
        """The loss of the judge's own critic on some rows, a scalar.

        ``rows``: `[k]` int64; ``features``: `[k, H]` float32, the network's of these rows.
        """
        return features.new_zeros(())


class FullJudge(Judge):
    """Judges along each seat's own turns too, but by a critic that sees all cards."""

    keeps = MappingProxyType({"hidden": True})

    def __init__(self, critic: CentralCritic) -> None:
        """``critic``: learns beside the network."""
        super().__init__()
        self.critic = critic

    def judge(self, rollout: Rollout, network: Network, outcome: Outcome) -> Judged:
        """Judge what was played; arguments as above."""
        value = np.empty_like(rollout.value)
        for rows, seen in _parts(rollout):
            with torch.no_grad():
                value.reshape(-1)[rows] = self.critic(seen, _flat(rollout.hidden)[rows])
        return _along_turns(rollout, value, outcome, rollout.hidden)

    def loss(self, data: Decisions, rows: Tensor, features: Tensor) -> Tensor:
        """The loss of the critic that sees all cards; arguments as above."""
        value: Tensor = self.critic(data.observation.index_select(0, rows), data.told.index_select(0, rows))
        return losses.value_loss(value, data.goal[rows])


class AheadJudge(Judge):
    """Judges every likely action, not only the one taken, by what would come of it among rule-based players.

    After each of them the deal is played to its end by them, with the cards as they lie. What comes of that says
    more than the cards, which a critic would have to learn to read, and it compares all actions in the same deal. The
    critic learns, from that and from the network's features, what each action is worth among the players that there
    are. All that a seat cannot know is evened out over the deals in which it sees the same.
    """

    def __init__(self, guide: str, shape: Shape, width: int, residual: float, generator: torch.Generator) -> None:
        """``guide``: the player that plays on; ``width``: H of the network; ``residual``: see the configuration."""
        super().__init__()
        self.keeps = {"guide": guide, "likely": _LIKELY}
        self.residual = residual
        seats, actions = shape.seats, len(shape.actions)
        self.features = nn.Linear(width, _AHEAD_WIDTH)
        self.told = nn.Linear(seats, _AHEAD_WIDTH, bias=False)
        self.action = nn.Embedding(actions, _AHEAD_WIDTH)
        self.last = nn.Linear(_AHEAD_WIDTH, 1)
        self.trust = nn.Parameter(torch.tensor(0.5))
        with torch.no_grad():
            for layer in (self.features, self.told):
                nn.init.orthogonal_(layer.weight, generator=generator)
            # At first it judges by the outcomes alone, not by what its own weights happen to be.
            nn.init.orthogonal_(self.last.weight, 0.01, generator=generator)
            for weight in (self.features.bias, self.action.weight, self.last.bias):
                nn.init.zeros_(weight)

    def judge(self, rollout: Rollout, network: Network, outcome: Outcome) -> Judged:
        """Judge what was played; arguments as above.

        The policy is to be moved by the judgement of all likely actions, weighted by their probabilities, and by what
        the action taken was worth beyond its judgement, or, if it was unlikely, beyond the state's value. The two
        together are the policy gradient, whatever the critic says; the better it is the smaller is the noisy second.
        """
        seat, shape = rollout.arrays["seat"][:-1], rollout.action.shape
        action = torch.from_numpy(rollout.action.reshape(-1, 1))
        tried, policy = _flat(rollout.tried), _flat(rollout.policy)
        row, which = tried.nonzero(as_tuple=True)
        told = torch.from_numpy(self._rewards(rollout, row, outcome.worth))
        judged = torch.zeros_like(policy)
        begin = torch.searchsorted(row, torch.arange(0, len(policy) + _ROWS, _ROWS).clamp(max=len(policy)))
        for k, (rows, seen) in enumerate(_parts(rollout)):
            pairs = slice(int(begin[k]), int(begin[k + 1]))
            local = row[pairs] - rows.start
            with torch.no_grad():
                judged[row[pairs], which[pairs]] = self._value(network.features(seen), local, told[pairs], which[pairs])
        taken = judged.gather(1, action)[:, 0]
        likely = tried & (policy > rollout.likely)
        chance = policy * likely
        total = chance.sum(-1)
        state = torch.where(total > 0, (judged * chance).sum(-1) / total.clamp(min=1e-8), taken)
        value, chosen = state.numpy().reshape(shape), taken.numpy().reshape(shape)
        if outcome.gae_lambda is None:
            target, counted = outcomes(rollout, outcome)
        else:
            target, counted = own_turn_returns(
                seat, chosen, value, outcome.pay, outcome.over, gae_lambda=outcome.gae_lambda
            )
        was_likely = likely.gather(1, action)[:, 0].numpy().reshape(shape)
        beyond = np.where(was_likely, self.residual * (target - chosen), target - value)
        number = torch.full(tried.shape, -1)
        number[row, which] = torch.arange(len(row))
        told_of_taken = told[number.gather(1, action)[:, 0]].numpy().reshape(*shape, -1)
        return Judged(
            advantage=np.where(counted, beyond, 0).astype(np.float32),
            target=target,
            goal=target,
            expected=value,
            counted=counted,
            told=told_of_taken,
            each=((judged - state[:, None]) * likely).numpy(),
            policy=policy.numpy(),
        )

    def _rewards(self, rollout: Rollout, row: Tensor, worth: Worth) -> NDArray[np.float32]:
        """What comes of each action tried, `[K, P]` float32, in units of reward, clockwise from the seat asked.

        ``row``: `[K]` int64, of which decision the action is one.
        """
        seen = rollout.arrays["observation"][:-1].reshape(-1, rollout.arrays["observation"].shape[2])
        decision = row.numpy()
        seat, seated = (of.reshape(-1)[decision] for of in (rollout.arrays["seat"][:-1], rollout.seated))
        sides = rollout.sides.reshape(-1, rollout.sides.shape[2])[decision]
        found = np.empty_like(rollout.ahead)
        for start in range(0, len(found), _PAIRS):
            part = slice(start, start + _PAIRS)
            found[part] = worth(seen[decision[part]], seat[part], sides[part], rollout.ahead[part])
        return from_seat(found, seat, seated)

    def loss(self, data: Decisions, rows: Tensor, features: Tensor) -> Tensor:
        """The loss of the critic of actions on those taken; arguments as above."""
        # It reads the network's features but does not shape them: they must serve a player who cannot look ahead.
        told, action = data.told.index_select(0, rows), data.action[rows]
        value = self._value(features.detach(), torch.arange(len(rows)), told, action)
        return losses.value_loss(value, data.goal[rows])

    def _value(self, features: Tensor, row: Tensor, told: Tensor, action: Tensor) -> Tensor:
        """What the seat may expect after k actions, `[k]` float32, each of a row of ``features`` `[m, H]`."""
        hidden = self.features(features).index_select(0, row) + self.told(told) + self.action(action)
        value: Tensor = self.last(hidden.relu()).squeeze(-1) + self.trust * told[:, 0]
        return value


_AHEAD_WIDTH = 64
_LIKELY = 0.01
"""Actions below this probability are not tried: what they are worth is learned when they are taken."""
_PAIRS = 65536
"""Actions whose consequences are turned into rewards at once."""


class ActionJudge(Judge):
    """Judges through all seats' decisions by a critic that sees all cards and values each action (Q-boost)."""

    keeps = MappingProxyType({"hidden": True})

    def __init__(self, critic: ActionCritic) -> None:
        """``critic``: learns beside the network."""
        super().__init__()
        self.critic = critic

    def judge(self, rollout: Rollout, network: Network, outcome: Outcome) -> Judged:
        """Judge what was played; arguments as above."""
        seat, seats, gae_lambda = rollout.arrays["seat"][:-1], outcome.pay.shape[2], outcome.gae_lambda
        mask, action = _flat(rollout.arrays["mask"][:-1]), torch.from_numpy(rollout.action.reshape(-1))
        taken, state = np.empty((2, len(action), seats), np.float32)
        for rows, seen in _parts(rollout):
            with torch.no_grad():
                value = self.critic(seen, _flat(rollout.hidden)[rows], mask[rows])
                chance = network(seen, mask[rows])[0].softmax(-1)
            state[rows] = (value * chance[:, None]).sum(-1)
            taken[rows] = value.gather(2, action[rows][:, None, None].expand(-1, seats, 1)).squeeze(2)
        shape = (*rollout.action.shape, seats)
        seated = rollout.seated
        taken, state = (by_seat(value.reshape(shape), seat, seated) for value in (taken, state))
        if gae_lambda is None:
            taken, state, gae_lambda = np.zeros_like(taken), np.zeros_like(state), 1.0
        advantage, goal, counted = q_boost_advantages(
            seat, taken, state, outcome.pay, outcome.over, gae_lambda=gae_lambda
        )
        goal, expected = from_seat(goal, seat, seated), from_seat(state, seat, seated)[..., 0]
        return Judged(advantage, goal[..., 0], goal, expected, counted, rollout.hidden)

    def loss(self, data: Decisions, rows: Tensor, features: Tensor) -> Tensor:
        """The loss of the critic of actions, for every seat's return; arguments as above."""
        only = nn.functional.one_hot(data.action[rows], data.mask.shape[1]).to(torch.int8)
        value = self.critic(data.observation.index_select(0, rows), data.told.index_select(0, rows), only)
        return losses.value_loss(value.sum(-1), data.goal[rows])


class OutcomeJudge(Judge):
    """Judges by outcomes alone, and only decisions in episodes whose end the buffer holds."""

    def judge(self, rollout: Rollout, network: Network, outcome: Outcome) -> Judged:
        """Judge what was played by ``network`` and what came of it."""
        target, counted = outcomes(rollout, outcome)
        counted = counted & np.logical_or.accumulate(outcome.over[::-1])[::-1]
        target = np.where(counted, target, np.float32(0))
        return Judged(target - rollout.value, target, target, rollout.value, counted, rollout.hidden[..., :0])


def _along_turns(rollout: Rollout, value: NDArray[np.float32], outcome: Outcome, told: NDArray[Any]) -> Judged:
    """The judgement of a critic whose values these are."""
    if outcome.gae_lambda is None:
        target, counted = outcomes(rollout, outcome)
        return Judged(target - value, target, target, value, counted, told)
    advantage, counted = own_turn_advantages(
        rollout.arrays["seat"][:-1], value, outcome.pay, outcome.over, gae_lambda=outcome.gae_lambda
    )
    target = value + advantage
    return Judged(advantage, target, target, value, counted, told)


def outcomes(rollout: Rollout, outcome: Outcome) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """What each decision's seat was paid in the end, `[T, n]` float32, and whether it counts, `[T, n]` bool.

    Where the buffer does not see the end that is 0, the mean of all seats; a seat's last decision does not count there.
    """
    nothing = np.zeros(rollout.action.shape, np.float32)
    return own_turn_advantages(rollout.arrays["seat"][:-1], nothing, outcome.pay, outcome.over, gae_lambda=1.0)


def _flat(array: NDArray[Any]) -> Tensor:
    """`[T, n, K]` as `[T * n, K]`."""
    return torch.from_numpy(array.reshape(array.shape[0] * array.shape[1], array.shape[2]))


def _parts(rollout: Rollout) -> Iterator[tuple[slice, Tensor]]:
    """The decisions of a rollout in parts: their numbers, and the observations `[m, F]`."""
    seen = _flat(rollout.arrays["observation"][:-1])
    for start in range(0, len(seen), _ROWS):
        rows = slice(start, start + _ROWS)
        yield rows, seen[rows]


def make_judge(
    game: Game, shape: Shape, config: TrainConfig, active: NDArray[np.bool_], generator: torch.Generator
) -> Judge:
    """The judge that a configuration asks for; ValueError if the game has no player to look ahead with.

    ``active``: `[F]` bool, observation columns that can vary.
    """
    if config.learner == "dmc":
        return OutcomeJudge()
    size: dict[str, Any] = {"width": config.network.width, "depth": config.network.depth}
    size |= {"active": active, "generator": generator}
    layouts = (shape.observation, shape.hidden)
    if config.ppo.advantage == "qboost":
        return ActionJudge(ActionCritic(*layouts, len(shape.actions), shape.seats, **size))
    if config.ppo.critic == "full":
        return FullJudge(CentralCritic(*layouts, **size))
    if config.ppo.advantage == "ahead":
        if "rule" not in players(game.name):
            raise ValueError(f"--advantage ahead: {game.name} has no rule-based player; choose gae or qboost")
        return AheadJudge("rule", shape, config.network.width, config.ppo.residual, generator)
    return Judge()
