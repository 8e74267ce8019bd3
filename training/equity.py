"""Match equity: what the scores before a deal are worth, so that each deal of a match can be paid by itself.

A match has dozens of deals and one reward, too far away to learn a single card from. So a deal is paid what it
changed in every seat's expected reward of the match. Along a match these changes add up to its reward, less what was
expected at its start: nothing is lost, and winning matches remains what is aimed at.

The equity is learned from whole matches that were played out. It knows the scores and who deals, not the rules: tables
with different options share one, and a cap on deals that is near is not seen. It is for seats that each play for
themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from karty.envs.chance import agent_generator
from karty.envs.engine import Batch
from karty.envs.game import Game, make_rules
from karty.envs.games import find_game
from karty.envs.layout import Layout
from karty.training.seats import by_seat, from_seat

Act = Callable[[NDArray[np.int8], NDArray[np.int8], np.random.Generator], NDArray[Any]]
"""Chooses actions int64 [m] for observations int8 [m, F] and masks int8 [m, A], as an agent's ``act`` does."""

_WIDTH = 64
_ROWS = 512
"""Deals a gradient step."""
_RATE = 3e-3
_HELD_OUT = 10
"""One deal in so many is held out, the last ones."""
_CHUNK = 4096
"""Matches at once: of more the tables would fill the memory and nothing would be faster."""
_NOTHING = 0.01
"""Points are worth nothing if they gain less than this share of what they are of the way to the goal."""
_FIELDS = ("dealer", "score_tens", "score_ones", "deals_played")


class Equity(nn.Module):
    """A small network from the scores before a deal to every seat's chance to win the match.

    One network looks at the table from each seat in turn: at its own score, at the others' in order of size, and at
    how many places after the dealer it sits. Who of the others sits where is left out: it matters little, and to learn
    it takes many more matches than there are. Before it has learned anything all chances are equal.
    """

    def __init__(
        self,
        seats: int,
        goal: float,
        *,
        start: float = 0,
        in_turn: bool = True,
        generator: torch.Generator | None = None,
    ) -> None:
        """A race from ``start`` to ``goal``, scores in points, above or below it.

        ``seats``: P; ``goal``: the score that wins a match (``game.won_at``); ``start``: the one to begin with;
        ``in_turn``: the deal passes on clockwise; if not, who deals next is not foreseen.
        """
        super().__init__()
        self.seats, self.goal, self.start, self.in_turn = seats, goal, start, in_turn
        self.layers = nn.Sequential(
            nn.Linear(4 * seats, _WIDTH), nn.Tanh(), nn.Linear(_WIDTH, _WIDTH), nn.Tanh(), nn.Linear(_WIDTH, 1)
        )
        with torch.no_grad():
            for weight in self.layers.parameters():
                if weight.ndim == 2 and len(weight) > 1:
                    nn.init.orthogonal_(weight, generator=generator)
                else:
                    nn.init.zeros_(weight)

    @property
    def upwards(self) -> int:
        """1 where higher scores are better, -1 where lower ones are."""
        return 1 if self.goal > self.start else -1

    def forward(self, scores: Tensor) -> Tensor:
        """``scores``: `[m, P]` float32, points, clockwise from the seat that deals. Returns logits `[m, P]` float32."""
        order = torch.arange(self.seats)
        # Row k: the score of the seat k places after the dealer, then those of the seats that follow it.
        way = (scores - self.start) / (self.goal - self.start)
        own_first = way[:, (order[:, None] + order) % self.seats]
        x = torch.cat([own_first[..., :1], own_first[..., 1:].sort(-1).values], -1)
        seen = torch.cat([x, x.square(), x - x.amax(-1, keepdim=True)], -1)
        place = torch.eye(self.seats).expand(len(scores), -1, -1)
        logits: Tensor = self.layers(torch.cat([seen, place], -1)).squeeze(-1)
        return logits

    def value(self, scores: NDArray[Any]) -> NDArray[np.float32]:
        """The match reward that each seat can expect, 1 for a sure winner; a row adds up to 0.

        ``scores``: `[m, P]` numbers, points, clockwise from the seat that deals. Returns `[m, P]` float32, in units of
        reward.
        """
        with torch.no_grad():
            chance = self(torch.from_numpy(scores.astype(np.float32))).softmax(-1)
        value: NDArray[np.float32] = (chance - (1 - chance) / (self.seats - 1)).numpy()
        return value

    def worth_of(self, points: float) -> np.float32:
        """What to multiply changes of equity by so that ``points`` won halfway through a match are worth about 1.

        ValueError, one line, if they are worth nothing: then nothing was learned.
        """
        level = np.full((1, self.seats), (self.start + self.goal) / 2)
        better = level + self.upwards * points * np.eye(self.seats)
        gain = float((self.value(better).diagonal() - self.value(level)[0]).mean())
        if not gain >= _NOTHING * points / abs(self.goal - self.start):  # NaN is not either
            raise ValueError(
                f"match equity was not learned: {points:g} points won halfway through a match are worth {gain:.4f} of "
                "its reward; train longer before, or play more matches to learn it from"
            )
        return np.float32(1 / gain)


class _Standing:
    """Reads from observations how a match stands; absolute seats need to know who observes."""

    def __init__(self, layout: Layout, seats: int, game: str) -> None:
        lacking = [name for name in _FIELDS if name not in {field.name for field in layout}]
        if lacking:
            raise ValueError(f"{game} has no matches won by a score: its observation has no {', '.join(lacking)}")
        self.layout, self.seats = layout, seats

    def deal(self, observation: NDArray[np.int8], seat: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """A number that another deal of the same match does not have, next to this one. Shapes as in ``dealer``.

        Deals are shown up to a limit only; beyond it that the dealer changes tells one from the next.
        """
        played = observation[..., self.layout["deals_played"].start].astype(np.int64)
        number: NDArray[np.int64] = played * self.seats + (self.dealer(observation) + seat) % self.seats
        return number

    def dealer(self, observation: NDArray[np.int8]) -> NDArray[np.int64]:
        """Places of the dealer clockwise from the observer, [...] int64. ``observation``: [..., F] int8."""
        place: NDArray[np.int64] = self._columns("dealer", observation).argmax(-1)
        return place

    def scores(self, observation: NDArray[np.int8]) -> NDArray[np.int64]:
        """Scores before the deal, clockwise from the dealer, `[m, P]` int64. ``observation``: `[m, F]` int8."""
        tens, ones = (self._columns(name, observation).astype(np.int64) for name in ("score_tens", "score_ones"))
        return from_seat(10 * tens + ones, self.dealer(observation))

    def _columns(self, name: str, observation: NDArray[np.int8]) -> NDArray[np.int8]:
        start = self.layout[name].start
        return observation[..., start : start + self.seats]


def check_matches(game: str | Game, rules: Any = None) -> None:
    """ValueError, one line, if ``simulate`` could not play matches of this game; nothing is played.

    ``rules``: as ``simulate`` takes them. A game needs an observation that tells the scores, and no teams.
    """
    game = find_game(game)
    kinds = _kinds(game, rules)
    if any(len(set(its.teams)) != its.seats for its in kinds):
        raise ValueError(f"{game.name}: match equity is for seats that each play for themselves, not for teams")
    if len({its.seats for its in kinds}) > 1:
        raise ValueError(f"{game.name}: match equity is for one number of seats, not for several")
    shape = game.shape(kinds[0])
    _Standing(shape.observation, shape.seats, game.name)


def _kinds(game: Game, rules: Any) -> list[Any]:
    """The rules of a list, or the one that is none."""
    return [make_rules(game, its) for its in (rules if isinstance(rules, Sequence) else [rules])]


def simulate(
    game: str | Game, act: Act, matches: int, *, seed: int, rules: Any = None
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Play whole matches, all seats by ``act``, and tell of every deal the scores before it and who won in the end.

    ``matches``: how many; ``seed``: of the first, the next one has the next; ``rules``: as ``make_batch``
    takes them; of a list each match draws one. Returns ``scores`` `[k, P]` int64, points, and ``winner`` `[k]` int64,
    both clockwise from the deal's dealer, match after match. Matches that a cap cut off are left out, and so are deals
    in which nobody had a choice. ValueError as of ``check_matches``.
    """
    game = find_game(game)
    check_matches(game, rules)
    rng = agent_generator(seed)
    parts = [
        _simulate(game, act, min(_CHUNK, matches - begun), seed + begun, rules, rng)
        for begun in range(0, max(matches, 1), _CHUNK)  # of none the engine says what is wrong
    ]
    scores, winner = (np.concatenate(column) for column in zip(*parts, strict=True))
    return scores, winner


def _simulate(
    game: Game, act: Act, matches: int, seed: int, rules: Any, rng: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """So many matches at once; see ``simulate``."""
    drawn, kinds = isinstance(rules, Sequence), _kinds(game, rules)
    shape = game.shape(kinds[0])
    seats, standing = shape.seats, _Standing(shape.observation, shape.seats, game.name)
    batch = Batch(
        game,
        matches,
        rules=kinds if drawn else kinds[0],
        draw_rules=drawn,
        episode="match",
        seed=seed,
        autoreset="off",
        skip_forced=True,
    )
    arrays = batch.reset()
    number = np.full(matches, -1)
    found: list[tuple[NDArray[np.int64], ...]] = []  # table, dealer's seat, scores
    while len(live := np.flatnonzero(~batch.finished)):
        observation, seat = arrays["observation"][live], arrays["seat"][live]
        now = standing.deal(observation, seat)
        fresh = now != number[live]
        number[live] = now
        if fresh.any():
            seen = observation[fresh]
            found.append((live[fresh], (standing.dealer(seen) + seat[fresh]) % seats, standing.scores(seen)))
        actions = np.zeros(matches, np.int64)
        actions[live] = act(observation, arrays["mask"][live], rng)
        arrays = batch.step(actions)
    table, dealer, scores = (np.concatenate(parts) for parts in zip(*found, strict=True))
    order = np.argsort(table, kind="stable")
    order = order[~arrays["truncated"][table[order]]]
    table, dealer, scores = table[order], dealer[order], scores[order]
    return scores, (arrays["reward"][table].argmax(-1) - dealer) % seats


def fit(
    equity: Equity,
    scores: NDArray[Any],
    winner: NDArray[np.int64],
    *,
    epochs: int = 4,
    generator: torch.Generator | None = None,
) -> float:
    """Learn from deals of played matches, by cross-entropy; goes on from what the equity knows already.

    ``scores``: `[k, P]` numbers and ``winner``: `[k]` int64, as ``simulate`` gives them. Returns the loss in nats on
    the last tenth of the deals, which it does not learn from: ln P if it knows nothing. ValueError, one line, for fewer
    deals than that takes.
    """
    held = len(scores) // _HELD_OUT
    if held == 0:
        raise ValueError(
            f"only {len(scores)} deals came from matches that were finished, and match equity is learned from "
            f"{_HELD_OUT} or more: train longer before, play more matches, or allow more deals in one"
        )
    x, y = torch.from_numpy(scores.astype(np.float32)), torch.from_numpy(winner)
    kept = len(x) - held
    optimiser = torch.optim.Adam(equity.parameters(), lr=_RATE)
    parts = max(1, round(kept / _ROWS))
    order = [rows for _ in range(epochs) for rows in torch.randperm(kept, generator=generator).tensor_split(parts)]
    for step, rows in enumerate(order):
        optimiser.param_groups[0]["lr"] = _RATE * (1 - step / len(order))
        loss = nn.functional.cross_entropy(equity(x[rows]), y[rows])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    with torch.no_grad():
        return float(nn.functional.cross_entropy(equity(x[kept:]), y[kept:]))


def deal_rewards(
    equity: Equity,
    layout: Layout,
    arrays: Mapping[str, NDArray[Any]],
    ended: NDArray[np.bool_],
    reward: NDArray[np.float32],
    truncated: NDArray[np.bool_],
) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Pay every deal of a rollout of match episodes by what it changed in the equity of each seat.

    ``layout``: of the observations; ``arrays``: `observation` [T + 1, n, F] int8 and `seat` [T + 1, n] int8, as a
    rollout keeps them; ``ended``, ``truncated``: `[T, n]` bool, the decision ended the match, or a cap did then;
    ``reward``: `[T, n, P]` float32, the match's, read only where one ended with a winner.

    Returns ``paid`` `[T, n, P]` float32 by seat, in units of reward, and ``over`` `[T, n]` bool: this decision was the
    last one of its deal (with a learner: its last one; a deal in which it had no choice is paid with the one before
    it). ``paid`` is 0 where not ``over``, and for a deal after which a cap ended the match. ValueError for deal
    episodes, and for a game without matches.
    """
    standing = _Standing(layout, equity.seats, "this game")
    observation, seat = arrays["observation"], arrays["seat"]
    if "single_deal" in {field.name for field in layout} and observation[..., layout["single_deal"].start].any():
        raise ValueError("deals are paid by match equity only in match episodes; these are deal episodes")
    number = standing.deal(observation, seat)
    over = ended | (number[1:] != number[:-1])
    paid = np.zeros((*over.shape, equity.seats), np.float32)

    def worth(t: NDArray[np.int64], i: NDArray[np.int64]) -> NDArray[np.float32]:
        """What the scores in row t of table i are worth to each seat, [m, P] float32."""
        seen = observation[t, i]
        dealer = standing.dealer(seen) + seat[t, i]
        return by_seat(equity.value(standing.scores(seen)), dealer)

    t, i = np.nonzero(over & ~truncated)
    last = ended[t, i]
    after = np.empty((len(t), equity.seats), np.float32)
    after[last] = reward[t[last], i[last]]
    after[~last] = worth(t[~last] + 1, i[~last])
    paid[t, i] = after - worth(t, i)
    return paid, over


def change_rewards(
    equity: Equity,
    layout: Layout,
    observation: NDArray[np.int8],
    seat: NDArray[np.integer[Any]],
    change: NDArray[np.floating[Any]],
) -> NDArray[np.float32]:
    """What deals would change in the equity of each seat if they changed the scores so.

    Where the deal does not pass on clockwise, all seats are taken as equally likely to deal next. That a cap ends the
    match after the deal is not seen.

    ``observation``: `[m, F]` int8, seen by ``seat`` `[m]` in the deal; ``change``: `[m, P]` points by seat, more of
    them better. Returns `[m, P]` float32 by seat, in units of reward. Where a score reaches the goal the one farthest
    beyond wins, of equal ones the first clockwise from the dealer's left.
    """
    standing = _Standing(layout, equity.seats, "this game")
    before = standing.scores(observation)
    dealer = standing.dealer(observation) + seat
    after = before + equity.upwards * np.rint(from_seat(change, dealer)).astype(np.int64)
    worth = np.zeros(after.shape, np.float32)
    places = [1] if equity.in_turn else range(equity.seats)  # clockwise from the dealer, of who deals next
    for place in places:
        following = np.full_like(dealer, place)
        worth += by_seat(equity.value(from_seat(after, following)), following) / np.float32(len(places))
    beyond = equity.upwards * (from_seat(after, np.ones_like(dealer)) - equity.goal)  # from the dealer's left on
    won = beyond.max(-1) >= 0
    winner = (beyond[won].argmax(-1) + 1) % equity.seats
    lost = np.float32(-1 / (equity.seats - 1))
    worth[won] = np.where(np.arange(equity.seats) == winner[:, None], np.float32(1), lost)
    return by_seat(worth - equity.value(before), dealer)
