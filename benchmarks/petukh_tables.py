"""Where the tables of the rule-based player of Petukh come from: many kons that it plays against itself.

    python benchmarks/petukh_tables.py                        every table once more, printed as the source holds them
    python benchmarks/petukh_tables.py --only cards --kons 20000 --seed 7
    python benchmarks/petukh_tables.py --rounds 3 --write     three times, each with the tables found before

Tables of cards: how often a card that is kept takes a later trick, how often a seat without a trick stays without.
Tables of hands: at each decision before play every choice is tried with all cards where they lie (``play_ahead``), in
kons of two to five seats of both kinds; what a hand's suits add to its tricks is fitted by least squares, to the odds
of no trick by logistic regression; what a choice brings beside that is a mean over the hands for which it is close.
The kons have seeds that nothing else uses; the same seed and number of kons give the same tables.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import karty
from karty.agents.rules import petukh, petukh_tables
from karty.envs.engine import Batch, make_batch
from karty.envs.kernel import rule
from karty.envs.layout import records

GAME = karty.GAMES["petukh"]
FIRST = 2**43  # the first kon's seed
HIGHEST = petukh.HAND
Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]


class Seen:
    """Observation rows [m, F] by the names of their fields."""

    def __init__(self, batch: Batch, rows: Rows) -> None:
        self._layout, self.rows = batch.shape.observation, rows

    def __getattr__(self, name: str) -> Rows:
        field = self._layout[name]
        return self.rows[:, field.slice].reshape(len(self.rows), *field.shape)

    def phase_is(self, phase: int) -> npt.NDArray[np.bool_]:
        return self.rows[:, self._layout["phase"].start + phase] == 1


# Cards


@rule
def all_chances(rows, rests, found):  # type: ignore[no-untyped-def]
    """The player's own estimate of each card of the hands, packed, int64 [m]."""
    for i in range(rows.shape[0]):
        found[i] = petukh_chances(rows[i], petukh_look(rows[i]), rests[i])


petukh_chances, petukh_look = petukh.chances, petukh.look


def cards(kons: int, seed: int) -> dict[str, Any]:
    """LATER and NO_LATER."""
    shape = np.array(petukh_tables.LATER).shape
    kept, took = np.zeros(shape), np.zeros(shape)
    without, never = np.zeros(HIGHEST), np.zeros(HIGHEST)
    for seats, stock, share in ((2, "prikup", 0.5), (3, "prikup", 1), (4, "prikup", 2), (5, "prikup", 1), (4, "draw", 1)):
        count_cards(seats, stock, int(kons * share / 5), seed, kept, took, without, never)
    rate = (took + 2 * took.sum(-1, keepdims=True) / np.maximum(kept.sum(-1, keepdims=True), 1)) / (kept + 2)
    for index in np.ndindex(shape[:-1]):
        rate[index] = rising(rate[index], kept[index] + 1)
    later = np.rint(100 * rate).astype(int)
    later[:, :, 0] = 0
    return {"LATER": later.tolist(), "NO_LATER": np.rint(100 * never / np.maximum(without, 1)).astype(int).tolist()}


def rising(means: Floats, weights: Floats) -> Floats:
    """The nearest means that never fall, by pooling neighbours."""
    pools: list[list[float]] = []
    for mean, weight in zip(means, weights, strict=True):
        pools.append([mean, weight, 1])
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, m, i), (b, n, j) = pools[-2:]
            pools[-2:] = [[(a * m + b * n) / (m + n), m + n, i + j]]
    return np.concatenate([np.full(int(size), mean) for mean, _, size in pools])


def count_cards(
    seats: int, stock: str, kons: int, seed: int, kept: Floats, took: Floats, without: Floats, never: Floats
) -> None:
    """Play the kons and count the cards kept and those that took a trick, the seats without one and those that stayed so."""
    batch = make_batch("petukh", kons, episode="deal", autoreset="off", players=seats, stock=stock)
    batch.reset(seed + np.arange(kons))
    best, led, laid = np.full(kons, -1), np.full(kons, -1), np.zeros(kons, int)
    won = np.zeros((kons, petukh.CARDS), bool)
    tricks = np.zeros((kons, seats, HIGHEST), bool)  # who took which
    playing, number = np.zeros((kons, seats), bool), np.zeros(kons, int)
    log = []
    holder = np.zeros(kons, int)
    while not batch.finished.all():
        actions = batch.choose("rule")
        seen = Seen(batch, batch.observation)
        at = np.flatnonzero(seen.phase_is(petukh.PLAYING) & ~batch.finished)
        if len(at):
            card, seat = actions[at], batch.seat[at].astype(int)
            rests = seen.hand[at].sum(1) - 1
            log.append((batch.observation[at].copy(), at, card, rests))
            trump = seen.trump[at].argmax(1)
            suit = card // petukh.RANKS
            first = laid[at] == 0
            fell = np.zeros((len(at), seats), bool)
            fell[np.arange(len(at))[:, None], (seat[:, None] + np.arange(seats)) % seats] = seen.folded[at] == 0
            playing[at] = fell
            led[at] = np.where(first, suit, led[at])
            b = best[at]
            same, best_suit = suit == b // petukh.RANKS, b // petukh.RANKS
            better = first | (same & (card > b)) | ((suit == trump) & (best_suit != trump))
            best[at] = np.where(better, card, b)
            holder[at] = np.where(better, seat, holder[at])
            laid[at] += 1
            full = at[laid[at] == playing[at].sum(1)]
            won[full, best[full]] = True
            tricks[full, holder[full], number[full]] = True
            number[full] += 1
            laid[full] = 0
        batch.step(actions)
    for rows, at, card, rests in log:
        wanted = rests > 0
        rows, at, card, rests = rows[wanted], at[wanted], card[wanted], rests[wanted].astype(np.int64)
        found = np.zeros(len(rows), np.int64)
        all_chances(records(rows.view(batch.shape.observation.dtype).reshape(-1)), rests, found)
        seen = Seen(batch, rows)
        hand, trump = seen.hand == 1, seen.trump.argmax(1)
        place = np.cumsum(hand, 1) - 1
        i, c = np.nonzero(hand & (np.arange(petukh.CARDS) != card[:, None]))
        bucket = found[i] >> 4 * place[i, c] & 15
        lead = won[at[i], card[i]].astype(int)
        index = ((c // petukh.RANKS == trump[i]).astype(int), lead, rests[i], bucket)
        np.add.at(kept, index, 1)
        np.add.at(took, index, won[at[i], c])
    played = number == HIGHEST
    for rest in range(HIGHEST):
        before = tricks[played][:, :, : HIGHEST - rest].any(2)
        its = ~before & playing[played]
        without[rest] += its.sum()
        never[rest] += (its & ~tricks[played].any(2)).sum()


# Hands


@rule
def all_settings(rows, found):  # type: ignore[no-untyped-def]
    """What the player reads of who plays, and its hand, int64 [m, 6]."""
    for i in range(rows.shape[0]):
        k = petukh_table_of(rows[i])
        found[i, 0], found[i, 1], found[i, 2], found[i, 3], found[i, 4] = k.stock, k.inside, k.asked, k.place, k.trump
        found[i, 5] = petukh_gather(rows[i].hand, 1)


petukh_table_of, petukh_gather = petukh.table_of, petukh.gather


def settings(batch: Batch, rows: Rows) -> npt.NDArray[np.int64]:
    """The same, for rows [m, F]."""
    found = np.zeros((len(rows), 6), np.int64)
    all_settings(records(rows.view(batch.shape.observation.dtype).reshape(-1)), found)
    return found


def gains(outcome: Floats, seat: npt.NDArray[np.int64]) -> Floats:
    """Own points less the mean of the others', in hundredths, [m]."""
    own = outcome[np.arange(len(seat)), seat]
    return np.asarray(100 * (own - (outcome.sum(1) - own) / (outcome.shape[1] - 1)))


class Tried:
    """Decisions at which every choice was tried: rows of what the player reads, and each choice's points by seat."""

    def __init__(self, seats: int) -> None:
        self.seats = seats
        self.phases: dict[int, list[tuple[Any, ...]]] = {}

    def add(self, phase: int, *arrays: Any) -> None:
        self.phases.setdefault(phase, []).append(arrays)

    def get(self, phase: int) -> tuple[Any, ...]:
        return tuple(np.concatenate(its) for its in zip(*self.phases[phase], strict=True))


def try_all(seats: int, stock: str, kons: int, seed: int) -> Tried:
    """Play the kons; before play try every choice of the seat asked."""
    batch = make_batch("petukh", kons, episode="deal", autoreset="off", players=seats, stock=stock)
    batch.reset(seed + np.arange(kons))
    tried = Tried(seats)
    legal = np.zeros((kons, batch.shape.size), bool)
    outcome = np.zeros((kons, batch.shape.size, seats), np.float32)
    phases = (petukh.TAKING, petukh.KEEPING, petukh.FOLDING, petukh.LAYING_AWAY, petukh.SAYING, petukh.EXCHANGING)
    while not batch.finished.all():
        seen = Seen(batch, batch.observation)
        legal[:] = False
        for phase in phases:
            at = seen.phase_is(phase) & ~batch.finished
            if phase == petukh.EXCHANGING:
                at &= (seen.aside.sum(1) == 0) & (batch.mask[:, petukh.FOLD] == 1)
            legal[at] = batch.mask[at]
        if legal.any():
            batch.play_ahead("rule", legal, outcome)
        for phase in phases:
            at = np.flatnonzero(seen.phase_is(phase) & legal.any(1))
            if len(at):
                found = settings(batch, batch.observation[at])
                tried.add(phase, found, batch.seat[at].astype(np.int64), legal[at], outcome[at])
        batch.step(batch.choose("rule"))
        if phase and not legal.any() and (seen.phase_is(petukh.PLAYING) | batch.finished).all():
            break
    return tried


def samples(tried: Tried, stock: int) -> Iterator[tuple[npt.NDArray[np.int64], Floats]]:
    """Hands as they were played (with who plays), and the points that they wrote off."""

    def own(seat: npt.NDArray[np.int64], outcome: Floats, action: int) -> Floats:
        return np.asarray(outcome[np.arange(len(seat)), action, seat], float)

    if petukh.FOLDING in tried.phases:
        found, seat, _, outcome = tried.get(petukh.FOLDING)
        yield found, own(seat, outcome, petukh.STAY)
    elif stock == 0:
        found, seat, _, outcome = tried.get(petukh.TAKING)
        yield found, own(seat, outcome, petukh.PASS)
    if petukh.LAYING_AWAY in tried.phases:
        found, seat, legal, outcome = tried.get(petukh.LAYING_AWAY)
        for card in range(petukh.CARDS):
            its = legal[:, petukh.DISCARD + card]
            left = found[its].copy()
            left[:, 5] &= ~(1 << card)
            yield left, own(seat[its], outcome[its], petukh.DISCARD + card)
    if petukh.SAYING in tried.phases:
        found, seat, _, outcome = tried.get(petukh.SAYING)
        yield found, own(seat, outcome, petukh.SILENT)


def columns(found: npt.NDArray[np.int64]) -> tuple[npt.NDArray[np.int64], int]:
    """The classes of the suits of hands, and who plays, as columns of 0/1 [m, 6] that are set, and how many there are."""
    trump_class, side_class = petukh_tables.classes()
    bits = found[:, 5, None] >> petukh.RANKS * np.arange(4) & petukh.SUIT_CARDS
    mine = bits[np.arange(len(found)), found[:, 4]]
    trumps = np.minimum([int(card).bit_count() for card in range(512)], 3)[mine]
    sides = bits[np.arange(4) != found[:, 4, None]].reshape(-1, 3)
    n_trump, n_side = trump_class.max() + 1, side_class.max() + 1
    start = n_trump + 4 * n_side
    set_ = [trump_class[mine], *(n_trump + trumps * n_side + side_class[sides[:, i]] for i in range(3))]
    set_ += [start + (found[:, 0] * 6 + found[:, 1]) * 6 + found[:, 2], start + 72 + found[:, 3]]
    return np.stack(set_, 1), start + 72 + 5


def solve(which: npt.NDArray[np.int64], size: int, target: Floats, *, odds: bool) -> Floats:
    """Coefficients [size] by least squares, or of a logistic regression by Newton's steps, with a small ridge."""
    beta = np.zeros(size)
    for _ in range(8 if odds else 1):
        level = beta[which].sum(1)
        mean = 1 / (1 + np.exp(-level)) if odds else level
        weight = np.maximum(mean * (1 - mean), 1e-4) if odds else np.ones(len(target))
        square, slope = np.eye(size) * 3.0, -3.0 * beta
        for i in range(which.shape[1]):
            slope += np.bincount(which[:, i], target - mean, size)
            for j in range(which.shape[1]):
                pair = which[:, i] * size + which[:, j]
                square += np.bincount(pair, weight, size * size).reshape(size, size)
        beta += np.linalg.solve(square, slope)
    return beta


def hands(all_tried: dict[tuple[int, int], Tried]) -> dict[str, Any]:
    """TRUMPS, SIDE, SETTING, PLACE: what suits and company add to the tricks and to the odds of none."""
    parts = [part for (_, stock), tried in all_tried.items() for part in samples(tried, stock)]
    found, points = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
    none = points < 0
    tricks = np.where(none, 0, np.where(points > 10, points - 10, np.where(points > 5, points - 5, points)))
    which, size = columns(found)
    trump_class, side_class = petukh_tables.classes()
    n_trump, n_side = trump_class.max() + 1, side_class.max() + 1
    tables: dict[str, Any] = {"TRUMPS": [], "SIDE": [], "SETTING": [], "PLACE": []}
    for name, target, odds in (("tricks", tricks, False), ("none", none.astype(float), True)):
        beta = solve(which, size, target, odds=odds)
        level = beta[which].sum(1)
        mean = 1 / (1 + np.exp(-level)) if odds else level
        left = 1 - ((target - mean) ** 2).mean() / target.var()
        print(f"# {name}: {len(target)} hands, mean {target.mean():.3f}, explained {left:.3f}", flush=True)
        beta = np.rint(100 * beta).astype(int)
        tables["TRUMPS"].append(beta[:n_trump].tolist())
        tables["SIDE"].append(beta[n_trump : n_trump + 4 * n_side].reshape(4, n_side).tolist())
        tables["SETTING"].append(beta[-77:-5].reshape(2, 6, 6).tolist())
        tables["PLACE"].append(beta[-5:].tolist())
    return tables


def worths(found: npt.NDArray[np.int64], tables: dict[str, Any], seats: int) -> Floats:
    """What the hands are worth by these tables, without STAYING, in hundredths of a point, [m]."""
    which, size = columns(found)
    level = []
    for name in range(2):
        parts = [np.ravel(tables[key][name]) for key in ("TRUMPS", "SIDE", "SETTING", "PLACE")]
        level.append(np.concatenate(parts)[which].sum(1))
    return np.asarray(level[0] * seats / (seats - 1) - 500 / (1 + np.exp(-level[1] / 100)))


CLOSE = 120
"""Hundredths of a point: choices that differ by no more tell where one becomes better than the other."""


def choices(all_tried: dict[tuple[int, int], Tried], tables: dict[str, Any]) -> dict[str, Any]:
    """STAYING, KEEP and TAKE."""
    staying = np.zeros((6, 6, 6), int)
    keep, taking = np.zeros((2, petukh.RANKS)), np.zeros((6, 6), int)
    for (seats, stock), tried in all_tried.items():
        if stock == 0 and petukh.FOLDING in tried.phases:
            found, seat, _, outcome = tried.get(petukh.FOLDING)
            more = gains(outcome[:, petukh.STAY], seat) - gains(outcome[:, petukh.FOLD], seat)
            worth = worths(found, tables, seats)
            for inside in range(6):
                for asked in range(6):
                    its = (found[:, 1] == inside) & (found[:, 2] == asked)
                    shift = 0.0
                    for _ in range(10):
                        close = its & (abs(worth + shift) < CLOSE)
                        if close.sum() > 50:
                            shift = (more - worth)[close].mean()
                    staying[seats, inside, asked] = round(shift)
    for seats in (4, 2, 3, 5):
        if (seats, 0) not in all_tried:
            continue
        tried = all_tried[seats, 0]
        if seats == 4:
            found, seat, legal, outcome = tried.get(petukh.KEEPING)
            total, number = np.zeros((2, petukh.RANKS)), np.zeros((2, petukh.RANKS))
            for card in range(petukh.CARDS):
                its = legal[:, petukh.KEEP + card]
                kind = (found[its, 4] == card // petukh.RANKS).astype(int)
                np.add.at(total, (kind, card % petukh.RANKS), gains(outcome[its, petukh.KEEP + card], seat[its]))
                np.add.at(number, (kind, card % petukh.RANKS), 1)
            keep = total / number
        found, seat, _, outcome = tried.get(petukh.TAKING)
        more = gains(outcome[:, petukh.TAKE], seat) - gains(outcome[:, petukh.PASS], seat)
        company = found.copy()
        worth = worths(company, tables, seats) + staying[seats, found[:, 1], found[:, 2]]
        if seats > 2:
            worth = np.maximum(worth, 0)
        cards = found[:, 5, None] >> np.arange(petukh.CARDS) & 1
        its_trump = found[:, 4, None] == np.arange(petukh.CARDS) // petukh.RANKS
        values = keep[its_trump.astype(int), np.arange(petukh.CARDS) % petukh.RANKS]
        kept = np.where(cards == 1, values, -1e9).max(1)
        for asked in range(6):
            its = found[:, 2] == asked
            shift = 0.0
            for _ in range(10):
                close = its & (abs(kept - worth + shift) < CLOSE)
                if close.sum() > 50:
                    shift = (more - kept + worth)[close].mean()
            taking[seats, asked] = round(shift)
            if its.any():
                right = ((kept - worth + shift > 0) == (more > 0))[its].mean()
                lost = np.where(kept - worth + shift > 0, more, 0)[its].mean()
                print(f"# take, {seats} seats, {asked} asked: offset {shift:.0f}, takes {(kept - worth + shift > 0)[its].mean():.2f},"
                      f" gains {lost:.1f} over never, always would {more[its].mean():.1f} ({right:.2f})", flush=True)
    return {"STAYING": staying.tolist(), "KEEP": np.rint(keep).astype(int).tolist(), "TAKE": taking.tolist()}


if __name__ == "__main__":
    import pickle
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kons", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seats", type=int, nargs="+", default=[4, 3, 2, 5])
    options = parser.parse_args()
    tried = {}
    for seats in options.seats:
        tried[seats, 0] = try_all(seats, "prikup", options.kons // (1 if seats == 4 else 3), FIRST + options.seed + seats * 10**8)
        print(f"# tried {seats}", flush=True)
    pickle.dump(tried, open("/tmp/team/s_petukhplayer/tried.pkl", "wb"))
    found = hands(tried)
    found |= choices(tried, found)
    print(found)
    pickle.dump(found, open("/tmp/team/s_petukhplayer/found.pkl", "wb"))
