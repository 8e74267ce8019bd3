"""The numbers of the rule-based player of Piquet, found anew in self-play.

    python benchmarks/piquet_exchange.py --kept                     what cards kept in the exchange are worth
    python benchmarks/piquet_exchange.py --kept --preset classic    the same where leads score as in the classic rules
    python benchmarks/piquet_exchange.py --promise                  what a suit promises in the play
    python benchmarks/piquet_exchange.py --try                      does any step of one number gain?

Kept: one seat lays away by the present numbers, each disturbed by chance, twice in the same deal; the difference of the
two results is regressed on the difference of what was kept, so that the luck of the deal drops out. The next deals are
played with the numbers found.

Promise: players are drawn around the present one in pairs on either side of it, which play each other; it moves towards
those that win (an evolution strategy), under the default rules and the classic ones alike.
"""

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt

from karty.agents.rules import piquet as player
from karty.envs.cards import EMPTY, NO_CARD, lowest, minus, only, plus
from karty.envs.chance import choices_stream, draw
from karty.envs.game import make_rules
from karty.envs.games import piquet as game
from karty.envs.kernel import rule
from karty.envs.layout import records
from karty.envs.table import blank_states

FIRST = 2**45  # the first deal's seed
SUITS, NOBODY = game.SUITS, -1
OBSERVED = game.SHAPE.observation.dtype
begin, advance, legal, play = game.begin, game.advance, game.legal, game.play
observe, frame = game.observe, game.frame
decide, part = player.decide, player.part


@rule
def disturbed(hand, most, suits, sets, noise, chance):  # type: ignore[no-untyped-def]
    """Cards to lay away, one after another the one that adds least, each disturbed by up to so much."""
    away = EMPTY
    for _ in range(most):
        chosen, least = NO_CARD, 1 << 30
        rest = minus(hand, away)
        while rest != EMPTY:
            card = lowest(rest)
            rest = minus(rest, only(card))
            worth = part(minus(hand, away), card, suits, sets) + draw(chance, noise)
            if worth < least:
                chosen, least = card, worth
        away = plus(away, only(chosen))
    return away


@rule
def play_deals(seeds, salt, role, noise, blank, books, points, elders, kept):  # type: ignore[no-untyped-def]
    """Play deals, seat s by books[s]; write points [n, 2 seats], elder [n], what each role kept [n, 2].

    Who has the role (elder 0, younger 1, nobody -1) exchanges disturbed.
    """
    states, seen = blank.copy(), np.zeros(1, OBSERVED)
    frames, mask = np.zeros(1, OBSERVED), np.zeros(len(game.ACTIONS), np.int8)
    s, o = states[0], seen[0]
    frame(s, frames[0])
    for d in range(seeds.shape[0]):
        states[0] = blank[0]
        s.seed = seeds[d]
        s.turn = NOBODY
        s.forfeit = NOBODY
        s.choices[0] = choices_stream(s.seed * 16 + salt)
        begin(s)
        plan = np.zeros(2, np.int64)
        while True:
            while s.turn == NOBODY and s.over == 0:
                advance(s)
            if s.over != 0:
                break
            seat = s.turn
            its = 0 if seat == s.elder else 1
            mask[:] = 0
            legal(s, mask)
            o.row[:] = frames[0].row
            observe(s, seat, o)
            if s.phase == game.EXCHANGING and its == role:
                if plan[seat] == EMPTY:
                    b = books[seat]
                    suits, sets = b.suits[s.lead_scores, its], b.sets[s.trio_value, s.set_ranks, its]
                    plan[seat] = disturbed(s.hands[seat], 3 if its else 5, suits, sets, noise, s.choices)
                action = game.DISCARD + lowest(minus(plan[seat], s.discards[seat]))
            else:
                action = decide(o, mask, books[seat])
            if s.phase == game.SUIT:
                elders[d] = s.elder
                for who in range(2):
                    kept[d, 0 if who == s.elder else 1] = minus(s.hands[who], s.drawn[who])
            play(s, action)
        points[d] = s.scores


class Lab:
    """Deals of one set of rules."""

    def __init__(self, **options: Any) -> None:
        """Take the options."""
        self.blank = blank_states(game.GAME, [make_rules(game.GAME, **options)], True)

    def play(self, books: Any, seeds: Any, salt: int = 0, role: int = -1, noise: int = 1) -> Any:
        """Points [n, 2] by seat, elder [n], what each role kept [n, 2]."""
        n = len(seeds)
        points, elders, kept = np.zeros((n, 2)), np.zeros(n, np.int64), np.zeros((n, 2), np.int64)
        play_deals(seeds, salt, role, noise, self.blank, books, points, elders, kept)
        return points, elders, kept

    def duel(self, one: Any, other: Any, first: int, deals: int) -> tuple[float, float]:
        """Points a deal that one player gains on the other, each deal in both seats, and half its 95 % interval."""
        seeds = np.arange(first, first + deals)
        there, back = (self.play(records(np.array(pair)), seeds)[0] for pair in ((one, other), (other, one)))
        gain = (there[:, 0] - there[:, 1] + back[:, 1] - back[:, 0]) / 2
        return float(gain.mean()), float(1.96 * gain.std() / deals**0.5)


# What cards kept are worth

KEPT = np.stack([np.asarray(held, float) for held in player.KEPT.values()], 1)


def design(kept: npt.NDArray[Any], counting: int) -> npt.NDArray[Any]:
    """What hands hold of everything that has a worth, [m, features]."""
    suits = np.stack([kept >> 8 * suit & 255 for suit in range(SUITS)], 1)
    n = (suits[:, :, None] >> np.arange(8) & 1).sum(1) * (counting >> np.arange(8) & 1)
    threes = n >= 3
    sets = np.stack([(n >= 2).sum(1), threes.sum(1), (threes * np.arange(8)).sum(1), (n >= 4).sum(1)], 1)
    return np.concatenate([KEPT[suits].sum(1), sets], 1)


def find_kept(lab: Lab, rounds: int, deals: int, noise: int) -> None:
    """Regress results on what was kept."""
    blank = lab.blank[0]
    scores, trio = int(blank["lead_scores"]), game.TRIOS[int(blank["trio_value"])]
    counting = int(game.COUNTING[int(blank["set_ranks"])])
    names = [*player.KEPT, *player.SETS]
    kept, sets = dict(player.KEPT_WORTH), dict(player.SET_WORTH)
    sums = [(0.0, 0.0), (0.0, 0.0)]
    for k in range(rounds):
        books = player.books([player.RULE] * 2, kept=kept, sets=sets)
        found = []
        for role in range(2):
            known, wanted = (old / 2 for old in sums[role])
            for start in range(0, deals, 20_000):
                seeds = np.arange(min(20_000, deals - start)) + FIRST + k * deals + start
                (once, elders, kept_once), (again, _, kept_again) = (
                    lab.play(books, seeds, salt, role, noise) for salt in (1, 2)
                )
                rows = design(kept_once[:, role], counting) - design(kept_again[:, role], counting)
                gain = (once - again)[:, 0] - (once - again)[:, 1]  # of seat 0
                gain = np.where((elders == 0) == (role == 0), gain, -gain)
                known, wanted = known + rows.T @ rows, wanted + rows.T @ gain
            sums[role] = (known, wanted)
            found.append(np.linalg.solve(known + 100.0 * np.eye(len(names)), wanted))
        worth = {name: tuple(10 * float(found[role][i]) for role in range(2)) for i, name in enumerate(names)}
        kept = {**kept, scores: {name: worth[name] for name in player.KEPT}}
        sets = {**sets, trio: {name: worth[name] for name in player.SETS}}
        print(f"round {k}", flush=True)
    for name, (elder, younger) in worth.items():
        print(f'    "{name}": ({elder:.0f}, {younger:.0f}),')


# What a suit promises

PAIRS, STEP, SHARE, SPREAD = 24, 0.02, 0.6, 0.05  # players a step, its length, what is kept of the last, tricks


def book(numbers: npt.NDArray[Any]) -> Any:
    """A player with these promises."""
    names = enumerate(player.BETWEEN)
    return player.books([player.RULE], promise={name: (numbers[0, i], numbers[1, i]) for i, name in names})[0]


def find_promise(labs: list[Lab], steps: int, deals: int) -> None:
    """Move towards those that win."""
    numbers = np.array(list(player.PROMISE.values())).T
    lots, way, start = np.random.default_rng(1), np.zeros_like(numbers), book(numbers)
    for k in range(steps):
        way *= SHARE
        for i in range(PAIRS):
            aside = SPREAD * lots.normal(size=numbers.shape)
            first = FIRST + (k * PAIRS + i) * deals
            gain = sum(lab.duel(book(numbers + aside), book(numbers - aside), first, deals)[0] for lab in labs)
            way += gain * aside
        numbers = numbers + STEP / (1 + k / 3) * way / np.linalg.norm(way) * way.size**0.5
        if k % 4 == 3:
            gains = [lab.duel(book(numbers), start, FIRST - 10_000, 10_000) for lab in labs]
            print(f"step {k}: " + "   ".join(f"{gain:+.3f} ± {half:.3f}" for gain, half in gains), flush=True)
    for i, name in enumerate(player.BETWEEN):
        print(f'    "{name}": ({numbers[0, i]:.2f}, {numbers[1, i]:.2f}),')


# One number at a time


def neighbours() -> dict[str, Any]:
    """Players that differ in one number."""
    found: dict[str, Any] = {}
    for field, step in (("capture", 64), ("full", 900)):
        for value in (getattr(player.RULE, field) + sign * step for sign in (-1, 1)):
            found[f"{field} {value}"] = player.books([player.RULE._replace(**{field: value})])[0]
    for name, held in player.PROMISE.items():
        for who in range(2):
            for step in (-0.1, 0.1):
                changed = tuple(value + step * (who == i) for i, value in enumerate(held))
                found[f"{name} {changed[0]:.2f} {changed[1]:.2f}"] = player.books(
                    [player.RULE], promise={**player.PROMISE, name: changed}
                )[0]
    return found


def try_neighbours(labs: list[Lab], deals: int) -> None:
    """Print what each gains a deal on the player as it is."""
    for name, its in neighbours().items():
        gains = [lab.duel(its, player.BOOKS[0], FIRST // 2, deals) for lab in labs]
        print(f"{name:36}" + "   ".join(f"{gain:+.3f} ± {half:.3f}" for gain, half in gains), flush=True)


def main() -> None:
    """Find them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--kept", action="store_true")
    what.add_argument("--promise", action="store_true")
    what.add_argument("--try", action="store_true", dest="neighbours")
    parser.add_argument("--preset")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--deals", type=int)
    parser.add_argument("--noise", type=int, default=100, help="tenths of a point")
    given = parser.parse_args()
    if given.kept:
        find_kept(Lab(preset=given.preset), given.rounds, given.deals or 100_000, given.noise)
    elif given.promise:
        find_promise([Lab(preset="classic"), Lab()], given.steps, given.deals or 4_000)
    else:
        try_neighbours([Lab(preset="classic"), Lab()], given.deals or 10_000)


if __name__ == "__main__":
    main()
