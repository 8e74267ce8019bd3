"""The whole tree of a small game for two as flat arrays: every decision, what is known in it, what follows.

A decision is a seat's choice between two legal actions or more; a single legal action is played at once. Positions
that are the same in all that play goes by are one, whichever way led there, so that what is built may be less than a
tree. An information set is all decisions that look the same to the seat asked: their observations are equal byte for
byte.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from karty.envs.game import Game, Options
from karty.envs.positions import Positions, States

Numbers = NDArray[np.int64]

_NOTHING, _SEVERAL = -1, -2
"""What a seat chose last before a position: nothing yet; not the same on every way to it."""
_ROWS = 1 << 16
"""Positions that are looked at at once: whole levels of records would take too much memory."""


@dataclass(frozen=True, eq=False)
class GameTree:
    """The decisions of a game for two whose payoffs sum to zero; nothing but the deal is chance.

    N decisions, T ends, E branches (an action at a decision), I information sets, S choices (an action at an
    information set), K deals. All are numbered level by level, by how many actions were played before, single ones
    included: ``decisions_at``, ``branches_at``, ``sets_at``, ``choices_at`` int64 [levels + 1] tell where each level
    begins. A branch leads to a later level, not always to the next.
    """

    name: str
    seat: NDArray[np.int8]
    """[N] the seat that decides."""
    information_set: Numbers
    """[N] its information set, all of whose decisions lie in one level."""
    first: Numbers
    """[N] its first branch; the others follow, in the order of its information set's choices."""
    parent: Numbers
    """[E] the decision that a branch leaves."""
    child: Numbers
    """[E] where it leads: a decision below N, an end from N on."""
    choice: Numbers
    """[E] the choice that it carries out."""
    payoff: NDArray[np.float64]
    """[T] what seat 0 is paid at the end, in units of reward; seat 1 is paid the opposite."""
    deals: Numbers
    """[K] where each deal leads, as ``child``; every deal is as likely."""
    into: Numbers
    """[M] the branches that lead to decisions, in the order of these; a deal k is E + k."""
    first_into: Numbers
    """[N] where in ``into`` those that lead to a decision begin."""
    set_seat: NDArray[np.int8]
    """[I] the seat whose information set it is."""
    observation: NDArray[np.int8]
    """[I, F] what it sees."""
    mask: NDArray[np.int8]
    """[I, A] what it may do."""
    first_choice: Numbers
    """[I] its first choice; the others follow, one for each legal action, in the order of the actions' ids."""
    set_of: Numbers
    """[S] the information set of a choice."""
    action: Numbers
    """[S] the action of a choice."""
    decisions_at: Numbers
    branches_at: Numbers
    sets_at: Numbers
    choices_at: Numbers

    @property
    def levels(self) -> int:
        """How many actions the longest deal has before its last decision, and one more."""
        return len(self.decisions_at) - 1

    @property
    def shared(self) -> int:
        """How many decisions can be reached by several ways; 0 in a tree."""
        return int((np.diff(self.first_into, append=len(self.into)) > 1).sum())

    def flat(self, probabilities: NDArray[np.floating]) -> NDArray[np.float64]:
        """A policy float64 [S] from probabilities [I, A] or [S]; ValueError, one line, if they are none.

        They must be at least 0, be 0 for what is not legal, and sum to 1 in every information set, up to 1e-4; what is
        given back sums to 1 to the last digits.
        """
        given = np.asarray(probabilities, np.float64)
        if given.shape == self.mask.shape:
            if np.any(given[self.mask == 0] != 0):
                raise ValueError(f"{self.name}: a policy gives an action that is not legal a probability other than 0")
            given = given[self.set_of, self.action]
        if given.shape != self.action.shape:
            allowed = f"{list(self.mask.shape)} or {list(self.action.shape)}"
            raise ValueError(f"{self.name}: a policy is probabilities {allowed}, not {list(given.shape)}")
        total = np.add.reduceat(given, self.first_choice)
        if not (np.isfinite(given).all() and given.min() >= 0 and abs(total - 1).max() < 1e-4):
            raise ValueError(f"{self.name}: a policy's probabilities must be at least 0 and sum to 1 for each row")
        policy: NDArray[np.float64] = given / total[self.set_of]
        return policy


def whole_tree(game: Game, rules: Options | None = None) -> GameTree:
    """The tree of one deal of a game, by the rules given or else its own defaults; it is kept.

    ValueError, one line, for a game that is not for two with opposite payoffs, in which lots are drawn after the deal,
    or in which a seat forgets: in every information set of several decisions the seat's last choice must have been the
    same one, whichever way led there. (A set of one decision hides nothing, so there it does not matter what was
    forgotten.) There is no check of size: a million decisions take some ten seconds.
    """
    return _whole_tree(game, rules or game.rules())


@cache
def _whole_tree(game: Game, rules: Options) -> GameTree:
    positions = Positions(game, rules)
    if positions.shape.seats != 2:
        raise ValueError(f"{game.name}: only games for two have a tree here, not for {positions.shape.seats}")
    return _Builder(positions).build()


@dataclass
class _Level:
    """The positions before which so many actions were played: what they are, and what led to them.

    ``last`` [m, 2]: what each seat chose last; ``ways`` [w]: branches and deals (below 0, from -1 down) that lead here,
    perhaps over single actions, and ``to`` [w]: to which of the positions each.
    """

    states: States
    last: Numbers
    ways: Numbers
    to: Numbers


class _Builder:
    """Goes through a game level by level, and writes it down."""

    def __init__(self, positions: Positions) -> None:
        self.positions, self.name = positions, positions.game.name
        self.counts = {"decisions": 0, "branches": 0, "sets": 0, "choices": 0}
        self.starts: dict[str, list[int]] = {what: [0] for what in self.counts}
        self.parts: dict[str, list[NDArray[np.generic]]] = {}
        self.ends = 0

    def build(self) -> GameTree:
        """The tree."""
        dealt = self.positions.deals()
        deals = len(dealt)
        if self.positions.over(dealt).any():
            raise ValueError(f"{self.name}: in some deals nobody is asked")
        number, head = numbered(self.positions.content(dealt))
        level = _Level(dealt[head], np.full((len(head), 2), _NOTHING), -1 - np.arange(deals), number)
        while len(level.states):
            level = self._follow(level)
        whole = {name: np.concatenate(parts) for name, parts in self.parts.items()}
        if len(numbered(np.c_[whole["set_seat"], whole["observation"]])[1]) < self.counts["sets"]:
            raise ValueError(f"{self.name}: positions at different depths look the same to a seat")
        ways, led_to = whole.pop("ways").astype(np.int64), whole.pop("led_to").astype(np.int64)
        branches, decisions = self.counts["branches"], self.counts["decisions"]
        ways = np.where(ways < 0, branches - 1 - ways, ways)
        target = np.empty(branches + deals, np.int64)
        target[ways] = np.where(led_to < 0, decisions - 1 - led_to, led_to)
        order = np.argsort(target, kind="stable")
        into = order[: int((target < decisions).sum())]
        return GameTree(
            name=self.name,
            child=target[:branches],
            deals=target[branches:],
            into=into,
            first_into=np.searchsorted(target[into], np.arange(decisions)),
            **{f"{what}_at": np.array(starts) for what, starts in self.starts.items()},
            **whole,
        )

    def _keep(self, **arrays: NDArray[np.generic]) -> None:
        for name, array in arrays.items():
            self.parts.setdefault(name, []).append(array)

    def _follow(self, level: _Level) -> _Level:
        """Write down the decisions of a level; gives the next one."""
        asked = [self.positions.ask(level.states[at]) for at in _slices(len(level.states))]
        seat, seen, mask = (np.concatenate(parts) for parts in zip(*asked, strict=True))
        parent, action = np.nonzero(mask)
        decides = mask.sum(1) > 1
        way = np.full(len(parent), _NOTHING)  # the branch that each of these actions is, if it is one
        way[decides[parent]] = self.counts["branches"] + np.arange(int(decides[parent].sum()))
        last = level.last[parent]
        node = np.cumsum(decides) - 1 + self.counts["decisions"]
        if decides.any():
            choice = self._decisions(seat[decides], seen[decides], mask[decides], level.last[decides], node[decides])
            chose = np.flatnonzero(way >= 0)
            last[chose, seat[parent[chose]]] = choice
        there = decides[level.to]
        self._keep(ways=level.ways[there], led_to=node[level.to[there]])
        # Ways that lead to a single action lead on to what it brings.
        alone = np.full(len(level.states), -1)
        single = np.flatnonzero(way < 0)
        alone[parent[single]] = single
        ways = np.concatenate([way[way >= 0], level.ways[~there]])
        by = np.concatenate([np.flatnonzero(way >= 0), alone[level.to[~there]]])
        for what in self.counts:
            self.starts[what].append(self.counts[what])
        return self._next(level.states, parent, action, last, ways, by)

    def _decisions(
        self,
        seat: NDArray[np.int8],
        seen: NDArray[np.int8],
        mask: NDArray[np.int8],
        last: Numbers,
        node: Numbers,
    ) -> Numbers:
        """Write down decisions [n], and the information sets that they make up; gives their branches' choices."""
        its_set, head = numbered(np.c_[seat, seen])
        if np.any(mask != mask[head][its_set]):
            raise ValueError(f"{self.name}: what a seat may do depends on what it does not see")
        chosen = last[np.arange(len(seat)), seat]
        if np.any((chosen != chosen[head][its_set]) | ((chosen == _SEVERAL) & (np.bincount(its_set) > 1)[its_set])):
            raise ValueError(f"{self.name}: a seat forgets what it has done, so a best response cannot be found so")
        set_of, action = np.nonzero(mask[head])
        legal = mask[head].sum(1, dtype=np.int64)
        first_choice = self.counts["choices"] + np.cumsum(legal) - legal
        size = mask.sum(1, dtype=np.int64)
        first = np.cumsum(size) - size
        parent = np.repeat(np.arange(len(seat)), size)
        choice: Numbers = first_choice[its_set][parent] + np.arange(len(parent)) - first[parent]
        self._keep(
            seat=seat,
            information_set=self.counts["sets"] + its_set,
            first=self.counts["branches"] + first,
            parent=node[parent],
            choice=choice,
            set_seat=seat[head],
            observation=seen[head],
            mask=mask[head],
            first_choice=first_choice,
            set_of=self.counts["sets"] + set_of,
            action=action,
        )
        for what, more in zip(self.counts, (len(seat), len(parent), len(head), len(action)), strict=True):
            self.counts[what] += more
        return choice

    def _next(
        self, states: States, parent: Numbers, action: Numbers, last: Numbers, ways: Numbers, by: Numbers
    ) -> _Level:
        """Play actions [a]: the level that follows, in which positions that are the same are one.

        ``last`` [a, 2]: what each seat chose last after each; ``ways`` [w] go ``by`` [w] one of the actions.
        """
        end, content = np.zeros(len(parent), np.int64), []
        for at in _slices(len(parent)):
            children = self.positions.after(states, parent[at], action[at])
            over = self.positions.over(children)
            reward = self.positions.returns(children[over])
            if abs(reward.sum(1)).max(initial=0) > 1e-9:
                raise ValueError(f"{self.name}: only games whose rewards sum to zero have a tree here")
            end[at][over] = -1 - self.ends - np.arange(len(reward))
            self.ends += len(reward)
            self._keep(payoff=reward[:, 0])
            content.append(_small(self.positions.content(children[~over])))
        over = end < 0
        self._keep(ways=ways[over[by]], led_to=end[by[over[by]]])
        goes_on = np.flatnonzero(~over)
        number, head = numbered(np.concatenate(content))
        heads = goes_on[head]
        before = last[heads]
        differs = last[goes_on] != before[number]
        for seat in (0, 1):
            before[number[differs[:, seat]], seat] = _SEVERAL
        place = np.full(len(parent), -1)
        place[goes_on] = number
        parts = [self.positions.after(states, parent[heads[part]], action[heads[part]]) for part in _slices(len(heads))]
        on = ~over[by]
        return _Level(np.concatenate(parts) if parts else states[:0], before, ways[on], place[by[on]])


def numbered(rows: NDArray[np.integer]) -> tuple[Numbers, Numbers]:
    """Number the different rows [m, W]: each row's number [m], and the first row of each number [k].

    Rows are compared by sums of their bytes, eight at a time, each with an odd weight of its own drawn from 64 bits,
    and then in full.
    """
    m = len(rows)
    if not m:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    width = rows.shape[1] * rows.itemsize
    padded = np.zeros((m, -(-width // 8) * 8), np.uint8)
    padded[:, :width] = np.ascontiguousarray(rows).view(np.uint8).reshape(m, width)
    words = padded.view(np.uint64)
    weights = np.random.default_rng(0).integers(0, 2**63, words.shape[1], np.uint64) * np.uint64(2) + np.uint64(1)
    _, first, number = np.unique(words @ weights, return_index=True, return_inverse=True)
    for at in _slices(m):
        if np.any(words[at] != words[first[number[at]]]):
            raise ArithmeticError("two different rows have one sum")
    return number.astype(np.int64), first.astype(np.int64)


def _slices(size: int) -> list[slice]:
    return [slice(start, min(start + _ROWS, size)) for start in range(0, size, _ROWS)]


def _small(numbers: Numbers) -> NDArray[np.integer]:
    """The same numbers in a quarter of the memory, if they allow it."""
    small = numbers.astype(np.int16)
    return small if np.array_equal(small, numbers) else numbers
