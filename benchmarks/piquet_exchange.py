"""The numbers of the rule-based player of Piquet, found anew in self-play.

    python benchmarks/piquet_exchange.py --promise               what a suit promises in the play
    python benchmarks/piquet_exchange.py --kept --preset classic what cards kept in the exchange are worth

Promise: after every trick of many deals the tricks still to come are regressed on what the player sees in the suits; its
player plays the next deals with the numbers found, and what it finds is averaged with what was found before.

Kept: one seat lays away by the present numbers, each disturbed by chance, twice in the same deal; the difference of the
two results is regressed on the difference of what was kept, so that the luck of the deal drops out. Again the next
deals are played with the numbers found.
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
from karty.envs.table import blank_states

FIRST = 2**45  # the first deal's seed
SUITS, TRICKS = game.SUITS, game.TRICKS
begin, advance, legal, play = game.begin, game.advance, game.legal, game.play
observe, frame = game.observe, game.frame
decide, look, pair, part = player.decide, player.look, player.pair, player.part
NOBODY = -1


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
def play_deals(seeds, salt, role, noise, blank, books, points, kept, pairs, leads):  # type: ignore[no-untyped-def]
    """Play deals, seat s by books[s]; write points [n, 2] and what each kept and laid away [n, 2 roles, 2].

    Who has the role (elder 0, younger 1, nobody -1) exchanges disturbed. ``pairs`` [n, tricks, 2, suits] gets the pairs
    that leader and other see before each trick, ``leads`` [n, tricks + 1] who leads it, last who took the last one.
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
            if s.phase == game.PLAYING and s.laid == 0 and pairs.shape[0] > 0:
                leads[d, s.trick_number - 1] = seat
                for who in range(2):
                    if who == 1:
                        o.row[:] = frames[0].row
                        observe(s, 1 - seat, o)
                    v = look(o)
                    for suit in range(SUITS):
                        pairs[d, s.trick_number - 1, who, suit] = pair(v, suit)
            elder = s.elder
            for who in range(2):
                if s.phase == game.SUIT and s.declared[0, 0] + s.declared[0, 1] == 0:
                    at = 0 if who == elder else 1
                    kept[d, at, 0] = minus(s.hands[who], s.drawn[who])
                    kept[d, at, 1] = s.discards[who]
            play(s, action)
            if s.phase == game.SCORING and pairs.shape[0] > 0:
                leads[d, TRICKS] = s.leader
        points[d, 0] = s.scores[elder]
        points[d, 1] = s.scores[1 - elder]


OBSERVED = game.SHAPE.observation.dtype


class Lab:
    """Deals of one set of rules."""

    def __init__(self, **options: Any) -> None:
        """Take the options."""
        self.blank = blank_states(game.GAME, [make_rules(game.GAME, **options)], True)

    def play(self, books: Any, seeds: Any, salt: int = 0, role: int = -1, noise: int = 1, tricks: bool = False) -> Any:
        """Points [n, 2] of elder and younger, what they kept and laid away [n, 2, 2]; pairs and leads of the tricks."""
        n, m = len(seeds), len(seeds) if tricks else 0
        points, kept = np.zeros((n, 2)), np.zeros((n, 2, 2), np.int64)
        pairs, leads = np.zeros((m, TRICKS, 2, SUITS), np.int64), np.zeros((m, TRICKS + 1), np.int64)
        play_deals(seeds, salt, role, noise, self.blank, books, points, kept, pairs, leads)
        return points, kept, pairs, leads


def solve(known: npt.NDArray[Any], wanted: npt.NDArray[Any], ridge: float) -> npt.NDArray[Any]:
    """Least squares with a little shrinking."""
    return np.linalg.solve(known + ridge * np.eye(len(known)), wanted)


BETWEEN = np.stack([np.asarray(holds, float) for holds in player.BETWEEN.values()], 1)
KEPT = np.stack([np.asarray(held, float) for held in player.KEPT.values()], 1)
SETS = ("two", "three", "three, by rank", "four")


def of_sets(n: npt.NDArray[Any], counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The features of so many cards of each rank, [m, ranks] -> [m, 4]."""
    n = n * counts
    threes = n >= 3
    return np.stack([(n >= 2).sum(1), threes.sum(1), (threes * np.arange(8)).sum(1), (n >= 4).sum(1)], 1)


def design(kept: npt.NDArray[Any], counts: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """What hands hold of everything that counts, [m, features]."""
    suits = np.stack([kept >> 8 * suit & 255 for suit in range(SUITS)], 1)
    n = (suits[:, :, None] >> np.arange(8) & 1).sum(1)
    return np.concatenate([KEPT[suits].sum(1), of_sets(n, counts)], 1)


def find_promise(labs: list[Lab], rounds: int, deals: int) -> None:
    """Regress tricks to come on the suits."""
    promise = dict(player.PROMISE)
    for k in range(rounds):
        books = player.books([player.RULE] * 2, promise=promise)
        seeds = np.arange(FIRST + k * deals, FIRST + (k + 1) * deals)
        *_, pairs, leads = labs[k % len(labs)].play(books, seeds, tricks=True)
        won = np.stack([(leads[:, i + 1 :] == leads[:, i : i + 1]).sum(1) for i in range(TRICKS)], 1)
        left = np.arange(TRICKS, 0, -1)
        found = []
        for who, tricks in ((0, won), (1, left - won)):
            seen = BETWEEN[pairs[:, :, who]].sum(2).reshape(-1, BETWEEN.shape[1])
            wanted = tricks.reshape(-1)
            unknown = player.LENGTHS[player.ITS[pairs[:, :, who]]].sum(2) > left
            use = (unknown | (left > player.RULE.deep)).reshape(-1)
            seen, wanted = seen[use], wanted[use]
            weights = solve(seen.T @ seen, seen.T @ wanted, 1.0)
            found.append(weights)
            print(f"round {k}: share explained {1 - (wanted - seen @ weights).var() / wanted.var():.4f}", flush=True)
        share = 1.0 if not any(any(pair) for pair in promise.values()) else 0.5
        promise = {
            name: tuple(float((1 - share) * old + share * found[who][i]) for who, old in enumerate(promise[name]))
            for i, name in enumerate(player.BETWEEN)
        }
    for name, (leading, waiting) in promise.items():
        print(f'    "{name}": ({leading:.2f}, {waiting:.2f}),')


def find_kept(lab: Lab, rounds: int, deals: int, noise: int) -> None:
    """Regress results on what was kept."""
    blank = lab.blank[0]
    scores, trio = int(blank["lead_scores"]), game.TRIOS[int(blank["trio_value"])]
    counts = int(game.COUNTING[int(blank["set_ranks"])]) >> np.arange(8) & 1
    names = [*player.KEPT, *SETS]
    kept, sets = dict(player.KEPT_WORTH), dict(player.SET_WORTH)
    sums: list[Any] = [None, None]
    for k in range(rounds):
        books = player.books([player.RULE] * 2, kept=kept, sets=sets)
        found = []
        for role in range(2):
            known = wanted = 0.0
            for start in range(0, deals, 20_000):
                seeds = np.arange(min(20_000, deals - start)) + FIRST + k * deals + start
                once, again = (lab.play(books, seeds, salt, role, noise) for salt in (1, 2))
                rows = design(once[1][:, role, 0], counts) - design(again[1][:, role, 0], counts)
                gain = (once[0] - again[0]) @ (np.array([1, -1]) if role == 0 else np.array([-1, 1]))
                known, wanted = known + rows.T @ rows, wanted + rows.T @ gain
            old = sums[role]
            sums[role] = (known, wanted) if old is None else (old[0] / 2 + known, old[1] / 2 + wanted)
            found.append(solve(*sums[role], 100.0))
        worth = {name: tuple(10 * float(found[role][i]) for role in range(2)) for i, name in enumerate(names)}
        kept = {**kept, scores: {name: worth[name] for name in player.KEPT}}
        sets = {**sets, trio: {name: worth[name] for name in SETS}}
        print(f"round {k}", flush=True)
    for name, (elder, younger) in worth.items():
        print(f'    "{name}": ({elder:.0f}, {younger:.0f}),')


def main() -> None:
    """Find them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--promise", action="store_true")
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--preset")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--noise", type=int, default=100, help="tenths of a point")
    options = parser.parse_args()
    if options.promise:
        find_promise([Lab(preset="classic"), Lab()], options.rounds, min(options.deals, 30_000))
    if options.kept:
        find_kept(Lab(preset=options.preset), options.rounds, options.deals, options.noise)


if __name__ == "__main__":
    main()
