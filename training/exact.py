"""How exploitable a policy is, exactly: values and best responses in the whole tree of a small game for two.

All numbers are in units of the game's reward. A *policy* here is float64 [S], the probability of every choice of a
``GameTree``, for both seats at once: what it says at the information sets of a seat is that seat's part. What is summed
is every deal by its probability and every way of playing by its own, so nothing is estimated, and nothing drawn.

``value`` is what seat 0 is paid on average if both seats play a policy. A seat's ``gain`` is what its best response
brings beyond that, while the other seat stays with the policy; the two gains together are NashConv, 0 exactly in an
equilibrium (half of it is what OpenSpiel calls exploitability). A best response knows the whole policy of the other
seat, but no card that its own seat does not see.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karty.agents.agent import Agent, as_agent, probabilities
from karty.envs.game import Game, make_rules
from karty.envs.games import MINIS, find_game
from karty.training.gametree import GameTree, whole_tree

Policy = NDArray[np.float64]
"""The probability of every choice, [S]: see ``GameTree``."""


def uniform(tree: GameTree) -> Policy:
    """The policy that takes every legal action alike."""
    legal = tree.mask.sum(1, dtype=np.int64)
    return np.asarray(1 / legal[tree.set_of], np.float64)


def policy_of(tree: GameTree, agent: Agent) -> Policy:
    """What an agent plays: see ``karty.agents.agent.probabilities``, whose errors it passes on."""
    return tree.flat(probabilities(agent, tree.observation, tree.mask))


def reach(tree: GameTree, policy: Policy, seats: tuple[int, ...], *, chance: bool) -> NDArray[np.float64]:
    """How likely each decision is, [N], if all but these seats (and, unless ``chance``, the deal) led there on purpose.

    That is the product of the probabilities of these seats' choices, and of the deal's; where several ways lead to a
    decision, their sum.
    """
    weight = np.zeros(len(tree.seat))
    counts = np.isin(tree.seat, seats)
    ends = np.append(tree.first_into, len(tree.into))
    branches = len(tree.child)
    deal = 1 / len(tree.deals) if chance else 1.0
    for level in range(tree.levels):
        here = slice(*tree.decisions_at[level : level + 2])
        if here.start == here.stop:
            continue
        begin, end = ends[here.start], ends[here.stop]
        way = tree.into[begin:end]
        dealt = way >= branches
        branch = np.where(dealt, 0, way)
        parent = tree.parent[branch]
        flow = weight[parent] * np.where(counts[parent], policy[tree.choice[branch]], 1.0)
        weight[here] = np.add.reduceat(np.where(dealt, deal, flow), tree.first_into[here] - begin)
    return weight


def values(tree: GameTree, policy: Policy) -> NDArray[np.float64]:
    """What seat 0 is paid on average from each decision and end on, [N + T], if both seats play the policy."""
    value = np.concatenate([np.zeros(len(tree.seat)), tree.payoff])
    for level in reversed(range(tree.levels)):
        at, here = slice(*tree.branches_at[level : level + 2]), slice(*tree.decisions_at[level : level + 2])
        if here.start == here.stop:
            continue
        each = policy[tree.choice[at]] * value[tree.child[at]]
        value[here] = np.add.reduceat(each, tree.first[here] - at.start)
    return value


def expected(tree: GameTree, policy: Policy) -> float:
    """What seat 0 is paid on average if both seats play the policy; seat 1 is paid the opposite."""
    return float(values(tree, policy)[tree.deals].mean())


def best_response(tree: GameTree, policy: Policy, seat: int) -> tuple[float, Policy]:
    """What a seat is paid at most if the other one plays the policy, and a policy with which it gets that.

    From the last level back the seat takes at every information set the choice that brings most on average over the
    set's positions, each as likely as chance and the other seat make it. The policy that is given back says one choice
    for each of the seat's information sets (where it cannot be brought at all, the first), and for the other seat what
    it was given.
    """
    weight = reach(tree, policy, (1 - seat,), chance=True)
    sign = 1 if seat == 0 else -1
    answer = policy.copy()
    value = np.concatenate([np.zeros(len(tree.seat)), tree.payoff])
    for level in reversed(range(tree.levels)):
        at, here = slice(*tree.branches_at[level : level + 2]), slice(*tree.decisions_at[level : level + 2])
        if here.start == here.stop:
            continue
        choices, sets = slice(*tree.choices_at[level : level + 2]), slice(*tree.sets_at[level : level + 2])
        parent, choice = tree.parent[at], tree.choice[at]
        brings = sign * weight[parent] * value[tree.child[at]]
        total = np.bincount(choice - choices.start, brings, choices.stop - choices.start)
        first = tree.first_choice[sets] - choices.start
        most = np.maximum.reduceat(total, first)
        is_best = total == most[tree.set_of[choices] - sets.start]
        before = np.cumsum(is_best) - is_best
        is_first = is_best & (before == before[first][tree.set_of[choices] - sets.start])
        mine = tree.set_seat[tree.set_of[choices]] == seat
        answer[choices] = np.where(mine, is_first, answer[choices])
        value[here] = np.add.reduceat(answer[choice] * value[tree.child[at]], tree.first[here] - at.start)
    return sign * float(value[tree.deals].mean()), answer


def gains(tree: GameTree, policy: Policy) -> tuple[float, float]:
    """What a best response of each seat brings beyond the policy; their sum is NashConv."""
    value = expected(tree, policy)
    return best_response(tree, policy, 0)[0] - value, best_response(tree, policy, 1)[0] + value


def nash_conv(tree: GameTree, policy: Policy) -> float:
    """What best responses of both seats gain together; 0 in an equilibrium, and in no other policy."""
    return sum(gains(tree, policy))


@cache
def _of_uniform(tree: GameTree) -> float:
    """NashConv of uniform play."""
    return nash_conv(tree, uniform(tree))


@dataclass(frozen=True)
class Exploitability:
    """How exploitable an agent is in a mini game, all in units of reward.

    `value`: what seat 0 is paid on average if the agent holds both seats. `gains`: what a best response of each seat
    brings beyond that against the agent in the other seat. `uniform`: NashConv of uniform play.
    """

    game: str
    rules: dict[str, Any]
    agent: str
    value: float
    gains: tuple[float, float]
    uniform: float

    @property
    def nash_conv(self) -> float:
        """The gains of both seats together."""
        return sum(self.gains)

    @property
    def share(self) -> float:
        """NashConv as a share of that of uniform play."""
        return self.nash_conv / self.uniform

    def to_dict(self) -> dict[str, Any]:
        """As JSON knows it: game, rules, agent, value, gains, nash_conv, uniform, share."""
        return {
            "game": self.game,
            "rules": self.rules,
            "agent": self.agent,
            "value": self.value,
            "gains": list(self.gains),
            "nash_conv": self.nash_conv,
            "uniform": self.uniform,
            "share": self.share,
        }

    def to_dicts(self) -> list[dict[str, Any]]:
        """A list of the one dictionary, as other measurements give theirs."""
        return [self.to_dict()]


def exploitability(
    game: str | Game,
    agent: str | os.PathLike[str] | Agent | NDArray[np.floating],
    *,
    rules: Any = None,
    name: str = "policy",
) -> Exploitability:
    """How exploitable an agent is that holds both seats of a mini game.

    game: one of `karty.MINIS`, or its name. agent: a name, a path, an object with `act` and perhaps `probabilities`
    (a network draws or takes its likeliest action, as its file says), or a table of probabilities [I, A] for the
    information sets of `whole_tree(game)`, which `name` is then the name of. ValueError, one line, for a game that is
    no mini, for an agent that draws lots without telling its probabilities, for a table that is none.
    """
    game = find_game(game)
    if game.name not in MINIS:
        raise ValueError(f"{game.name} is too large to be solved; mini games: {', '.join(MINIS)}")
    rules = make_rules(game, rules)
    if isinstance(agent, np.ndarray):
        tree = whole_tree(game, rules)
        policy = tree.flat(agent)
    else:
        found = as_agent(game, agent, rules)
        tree = whole_tree(game, rules)
        policy, name = policy_of(tree, found), found.name
    return Exploitability(
        game=game.name,
        rules=rules.to_dict(),
        agent=name,
        value=expected(tree, policy),
        gains=gains(tree, policy),
        uniform=_of_uniform(tree),
    )
