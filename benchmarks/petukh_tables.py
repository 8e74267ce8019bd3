"""Where the tables of the rule-based player of Petukh come from: many kons that it plays against itself.

    python benchmarks/petukh_tables.py                            all tables, printed as the source holds them
    python benchmarks/petukh_tables.py --only cards --kons 20000 --seed 7
    python benchmarks/petukh_tables.py --write                    into the source, for the next round

cards      how often a card that is kept takes a later trick, how often a seat without a trick stays without
hands      what the suits of a hand add to its tricks (least squares) and to the odds of none (logistic regression);
           beside that, what the prikup brings by the card kept, and folding, taking, by who else plays: means over
           the hands for which it is close
exchange   the draw variant: what each card is worth more than one drawn, and in a hand before the exchange

For the hands every choice before play is tried with all cards where they lie (``play_ahead``), at two to five seats;
for the exchange each kon is played again with one card more laid away, or one less. What is found depends on how the
player plays, so a few rounds follow one another. The kons have seeds that nothing else uses; equal seeds and numbers
of kons give equal tables.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

import argparse
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import karty  # noqa: F401  registers the player
from karty.agents.rules import petukh, petukh_tables
from karty.envs.engine import Batch, make_batch
from karty.envs.kernel import rule
from karty.envs.layout import records

FIRST = 2**43  # the first kon's seed
SPREAD = 10**8  # how far the seeds of one purpose lie from those of another
SEATS = (4, 3, 2, 5)
TRICKS, CARDS, RANKS = petukh.TRICKS, petukh.CARDS, petukh.RANKS
CLOSE = 120
"""Hundredths of a point: choices that differ by no more tell where one becomes better than the other."""

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Tables = dict[str, Any]


class Seen:
    """Observation rows [m, F], taken by the names of their fields."""

    def __init__(self, batch: Batch) -> None:
        self._layout, self.rows = batch.shape.observation, batch.observation

    def __getattr__(self, name: str) -> Rows:
        field = self._layout[name]
        found: Rows = self.rows[:, field.slice].reshape(len(self.rows), *field.shape)
        return found

    def asked(self, phase: int) -> npt.NDArray[np.bool_]:
        """Who is asked in this phase."""
        found: npt.NDArray[np.bool_] = self.rows[:, self._layout["phase"].start + phase] == 1
        return found


def as_records(batch: Batch, rows: Rows) -> Any:
    """Rows [m, F] as the player's kernels take them."""
    return records(np.ascontiguousarray(rows).view(batch.shape.observation.dtype).reshape(-1))


# Cards

chances, look, table_of, plan, gather = petukh.chances, petukh.look, petukh.table_of, petukh.plan, petukh.gather


@rule
def all_chances(rows, rests, found):
    """The player's own estimate of each card of the hands, packed, int64 [m]."""
    for i in range(rows.shape[0]):
        found[i] = chances(rows[i], look(rows[i]), rests[i])


class Tricks:
    """Who takes which trick with which card at each table of a batch: follows what is laid."""

    def __init__(self, tables: int, seats: int) -> None:
        self.best, self.laid, self.number = np.full(tables, -1), np.zeros(tables, int), np.zeros(tables, int)
        self.holder = np.zeros(tables, int)
        self.playing = np.zeros((tables, seats), bool)
        self.winners = np.zeros((tables, CARDS), bool)
        self.taken = np.zeros((tables, seats, TRICKS), bool)

    def lay(self, at: Whole, card: Whole, seat: Whole, trump: Whole, folded: Rows) -> None:
        """A card each at these tables; ``folded`` is seen clockwise from the seat."""
        seats = self.playing.shape[1]
        clockwise = (seat[:, None] + np.arange(seats)) % seats
        self.playing[at[:, None], clockwise] = folded == 0
        best, suit = self.best[at], card // RANKS
        better = (self.laid[at] == 0) | ((suit == best // RANKS) & (card > best))
        better |= (suit == trump) & (best // RANKS != trump)
        self.best[at] = np.where(better, card, best)
        self.holder[at] = np.where(better, seat, self.holder[at])
        self.laid[at] += 1
        full = at[self.laid[at] == self.playing[at].sum(1)]
        self.winners[full, self.best[full]] = True
        self.taken[full, self.holder[full], self.number[full]] = True
        self.number[full] += 1
        self.laid[full] = 0


def cards(kons: int, seed: int) -> Tables:
    """LATER and NO_LATER."""
    shape = (2, 2, TRICKS, petukh.BUCKETS + 1)
    counts = np.zeros(shape), np.zeros(shape), np.zeros(TRICKS), np.zeros(TRICKS)
    for i, (seats, stock) in enumerate([*((seats, "prikup") for seats in (4, *SEATS)), (4, "draw")]):
        count_cards(seats, stock, kons // 6, seed + i * SPREAD, *counts)
    kept, took, without, never = counts
    rate = (took + 2 * took.sum(-1, keepdims=True) / np.maximum(kept.sum(-1, keepdims=True), 1)) / (kept + 2)
    for kind in np.ndindex(shape[:-1]):
        rate[kind] = rising(rate[kind], kept[kind] + 1)
    return {"LATER": np.rint(100 * rate), "NO_LATER": np.rint(100 * never / np.maximum(without, 1))}


def rising(means: Floats, weights: Floats) -> Floats:
    """The nearest means that never fall, by pooling neighbours."""
    pools: list[tuple[float, float, int]] = []
    for mean, weight in zip(means, weights, strict=True):
        pools.append((mean, weight, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (a, m, i), (b, n, j) = pools[-2:]
            pools[-2:] = [((a * m + b * n) / (m + n), m + n, i + j)]
    return np.concatenate([np.full(size, mean) for mean, _, size in pools])


def count_cards(
    seats: int, stock: str, kons: int, seed: int, kept: Floats, took: Floats, without: Floats, never: Floats
) -> None:
    """Play; count the cards kept, those that took a trick, the seats without one and those that stayed without."""
    batch = make_batch("petukh", kons, episode="deal", autoreset="off", players=seats, stock=stock)
    batch.reset(seed + np.arange(kons))
    play, log = Tricks(kons, seats), []
    while not batch.finished.all():
        actions, seen = batch.choose("rule"), Seen(batch)
        at = np.flatnonzero(seen.asked(petukh.PLAYING) & ~batch.finished)
        if len(at):
            trump, rests = seen.trump[at].argmax(1), seen.hand[at].sum(1).astype(np.int64) - 1
            found = np.zeros(len(at), np.int64)
            all_chances(as_records(batch, batch.observation[at]), np.maximum(rests, 0), found)
            log.append((at, actions[at], rests, trump, seen.hand[at] == 1, found))
            play.lay(at, actions[at], batch.seat[at].astype(np.int64), trump, seen.folded[at])
        batch.step(actions)
    for at, card, rests, trump, hand, found in log:
        i, c = np.nonzero(hand & (np.arange(CARDS) != card[:, None]))
        place = np.cumsum(hand, 1)[i, c] - 1
        lead = play.winners[at[i], card[i]].astype(int)
        kind = ((c // RANKS == trump[i]).astype(int), lead, rests[i], found[i] >> 4 * place & 15)
        np.add.at(kept, kind, 1)
        np.add.at(took, kind, play.winners[at[i], c])
    played = play.number == TRICKS
    for rest in range(TRICKS):
        still = play.playing[played] & ~play.taken[played][:, :, : TRICKS - rest].any(2)
        without[rest] += still.sum()
        never[rest] += (still & ~play.taken[played].any(2)).sum()


# Hands


@rule
def all_settings(rows, found):
    """What the player reads of who plays, and its hand, int64 [m, 6]."""
    for i in range(rows.shape[0]):
        k = table_of(rows[i])
        found[i, 0], found[i, 1], found[i, 2], found[i, 3], found[i, 4] = k.stock, k.inside, k.asked, k.place, k.trump
        found[i, 5] = gather(rows[i].hand, 1)


def settings(batch: Batch, at: Whole) -> Whole:
    """The same for the seats asked at these tables."""
    found = np.zeros((len(at), 6), np.int64)
    all_settings(as_records(batch, batch.observation[at]), found)
    return found


class Tried:
    """Decisions before play at which every choice was tried, and hands as they were played.

    Of a decision, by phase: settings [m, 6], which choices were legal, own points, and points more than the others'
    mean, [m, choices]; of a hand: settings and the points that it wrote off.
    """

    CHOICES: ClassVar[dict[int, list[int]]] = {
        petukh.TAKING: [petukh.TAKE, petukh.PASS],
        petukh.FOLDING: [petukh.STAY, petukh.FOLD],
        petukh.KEEPING: [petukh.KEEP + card for card in range(CARDS)],
        petukh.LAYING_AWAY: [petukh.DISCARD + card for card in range(CARDS)],
        petukh.SAYING: [petukh.SILENT],
    }  # fmt: skip

    def __init__(self, seats: int, stock: str, kons: int, seed: int) -> None:
        self.seats = seats
        self._found: dict[int, list[tuple[Any, ...]]] = {}
        self.played: list[tuple[Whole, Floats]] = []
        batch = make_batch("petukh", kons, episode="deal", autoreset="off", players=seats, stock=stock)
        batch.reset(seed + np.arange(kons))
        wanted = np.zeros((kons, batch.shape.size), bool)
        outcome = np.zeros((kons, batch.shape.size, seats), np.float32)
        log = []
        while not batch.finished.all():
            seen = Seen(batch)
            wanted[:] = False
            for phase, choices in self.CHOICES.items():
                at = np.flatnonzero(seen.asked(phase) & ~batch.finished)
                wanted[at[:, None], choices] = batch.mask[at][:, choices] == 1
            actions = batch.choose("rule")
            at = np.flatnonzero(seen.asked(petukh.EXCHANGING) & ~batch.finished & (batch.mask[:, petukh.FOLD] == 1))
            if len(at):
                planned = planned_actions(batch, at)
                wanted[at, petukh.FOLD] = wanted[at, planned] = True
            if wanted.any():
                batch.play_ahead("rule", wanted, outcome)
            for phase, choices in self.CHOICES.items():
                its = np.flatnonzero(seen.asked(phase) & wanted.any(1))
                if len(its):
                    self._add(phase, batch, its, wanted[its][:, choices], outcome[its][:, choices])
            if len(at):
                both = np.stack([outcome[at, planned], outcome[at, petukh.FOLD]], 1)
                self._add(petukh.EXCHANGING, batch, at, np.ones((len(at), 2), bool), both)
            first = np.flatnonzero(seen.asked(petukh.PLAYING) & ~batch.finished & (seen.hand.sum(1) == TRICKS))
            if len(first):
                log.append((first, batch.seat[first].astype(np.int64), settings(batch, first)))
            batch.step(actions)
        for at, seat, found in log:
            self.played.append((found, batch.points[at, seat]))

    def _add(self, phase: int, batch: Batch, at: Whole, legal: Any, outcome: Any) -> None:
        own = outcome[np.arange(len(at)), :, batch.seat[at]]
        more = own - (outcome.sum(2) - own) / (self.seats - 1)
        self._found.setdefault(phase, []).append((settings(batch, at), legal, own, 100 * more))

    def __contains__(self, phase: int) -> bool:
        return phase in self._found

    def __getitem__(self, phase: int) -> tuple[Any, ...]:
        return tuple(np.concatenate(its) for its in zip(*self._found[phase], strict=True))

    def hands(self) -> Iterator[tuple[Whole, Floats]]:
        """All hands that were, or might have been played, and the points that they wrote off."""
        yield from self.played
        if petukh.FOLDING in self or petukh.TAKING in self:
            found, _, own, _ = self[petukh.FOLDING if petukh.FOLDING in self else petukh.TAKING]
            yield found, own[:, 0 if petukh.FOLDING in self else 1]
        if petukh.LAYING_AWAY in self:
            found, legal, own, _ = self[petukh.LAYING_AWAY]
            for card in range(CARDS):
                left = found[legal[:, card]]
                left[:, 5] &= ~(1 << card)
                yield left, own[legal[:, card], card]


def columns(found: Whole) -> tuple[Whole, list[int]]:
    """The classes of a hand's suits, and who plays, as columns' numbers [m, 6]; where each kind of column begins."""
    trump_class, side_class = petukh_tables.classes()
    bits = found[:, 5, None] >> RANKS * np.arange(4) & petukh.SUIT_CARDS
    mine = bits[np.arange(len(found)), found[:, 4]]
    trumps = np.minimum([cards.bit_count() for cards in range(1 << RANKS)], 3)[mine]
    sides = bits[np.arange(4) != found[:, 4, None]].reshape(-1, 3)
    starts = np.cumsum([0, trump_class.max() + 1, 4 * (side_class.max() + 1), 72, 5])
    its = [trump_class[mine]]
    its += [starts[1] + trumps * (side_class.max() + 1) + side_class[sides[:, i]] for i in range(3)]
    its += [starts[2] + (found[:, 0] * 6 + found[:, 1]) * 6 + found[:, 2], starts[3] + found[:, 3]]
    return np.stack(its, 1), starts.tolist()


def solve(which: Whole, size: int, target: Floats, *, odds: bool = False) -> Floats:
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


def hands(tried: dict[tuple[int, str], Tried]) -> Tables:
    """TRUMPS, SIDE, SETTING, PLACE: what suits and company add to the tricks and to the odds of none."""
    parts = [part for its in tried.values() for part in its.hands()]
    found, points = np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])
    none = points < 0
    tricks = np.where(none, 0, np.where(points > 10, points - 10, np.where(points > 5, points - 5, points)))  # boys
    which, starts = columns(found)
    tables: Tables = {"TRUMPS": [], "SIDE": [], "SETTING": [], "PLACE": []}
    for name, target, odds in (("tricks", tricks, False), ("no trick", none.astype(float), True)):
        beta = solve(which, starts[-1], target, odds=odds)
        level = beta[which].sum(1)
        left = ((target - (1 / (1 + np.exp(-level)) if odds else level)) ** 2).mean() / target.var()
        print(f"# {name}: {len(target)} hands, mean {target.mean():.3f}, explained {1 - left:.3f}", flush=True)
        its = np.split(np.rint(100 * beta), starts[1:-1])
        for key, part, shape in zip(tables, its, ((-1,), (4, -1), (2, 6, 6), (-1,)), strict=True):
            tables[key].append(part.reshape(shape))
    return tables


def worths(found: Whole, tables: Tables, seats: int) -> Floats:
    """What the hands are worth by these tables, without STAYING, in hundredths of a point, [m]."""
    which, _ = columns(found)
    tricks, level = (
        np.concatenate([np.ravel(tables[key][name]) for key in ("TRUMPS", "SIDE", "SETTING", "PLACE")])[which].sum(1)
        for name in range(2)
    )
    return np.asarray(tricks * seats / (seats - 1) - 500 / (1 + np.exp(-level / 100)))


def shift_at_zero(guess: Floats, truth: Floats) -> float:
    """What to add to the guesses so that they are right on the average where they are close to zero."""
    shift = 0.0
    for _ in range(10):
        close = abs(guess + shift) < CLOSE
        if close.sum() > 50:
            shift = float((truth - guess)[close].mean())
    return round(shift)


def by_company(found: Whole, guess: Floats, truth: Floats) -> Floats:
    """That for each number of seats in and seats still to be asked, [6, 6]."""
    shifts = np.zeros((6, 6))
    for inside, asked in np.ndindex(6, 6):
        its = (found[:, 1] == inside) & (found[:, 2] == asked)
        shifts[inside, asked] = shift_at_zero(guess[its], truth[its])
    return shifts


def choices(tried: dict[tuple[int, str], Tried], tables: Tables) -> Tables:
    """STAYING, KEEP and TAKE."""
    staying, keep, taking = np.zeros((6, 6, 6)), np.zeros((2, RANKS)), np.zeros(6)
    for (seats, stock), its in tried.items():
        if stock == "draw":
            continue
        if petukh.FOLDING in its:
            found, _, _, more = its[petukh.FOLDING]
            staying[seats] = by_company(found, worths(found, tables, seats), more[:, 0] - more[:, 1])
        if seats == SEATS[0]:
            found, legal, _, more = its[petukh.KEEPING]
            total, number = np.zeros((2, 2, RANKS))
            for card in range(CARDS):
                kind = ((found[:, 4] == card // RANKS).astype(int)[legal[:, card]], card % RANKS)
                np.add.at(total, kind, more[legal[:, card], card])
                np.add.at(number, kind, 1)
            keep = np.rint(total / number)
        found, _, _, more = its[petukh.TAKING]
        worth = worths(found, tables, seats) + staying[seats, found[:, 1], found[:, 2]]
        worth = np.maximum(worth, 0) if seats > 2 else worth
        held = found[:, 5, None] >> np.arange(CARDS) & 1
        trump = (found[:, 4, None] == np.arange(CARDS) // RANKS).astype(int)
        kept = np.where(held == 1, keep[trump, np.arange(CARDS) % RANKS], -np.inf).max(1)
        taking[seats] = shift_at_zero(kept - worth, more[:, 0] - more[:, 1])
        takes = kept - worth + taking[seats] > 0
        gain = np.where(takes, more[:, 0] - more[:, 1], 0).mean()
        print(f"# prikup, {seats} seats: taken {takes.mean():.2f} of the time, brings {gain:.0f}", flush=True)
    return {"STAYING": staying, "KEEP": keep, "TAKE": taking}


# The exchange


@rule
def all_plans(rows, found):
    """Which cards the player lays away, as sets, int64 [m]."""
    for i in range(rows.shape[0]):
        found[i] = plan(rows[i])


def plans(batch: Batch, at: Whole) -> Whole:
    """The same for the seats asked at these tables, before they have laid anything away."""
    found = np.zeros(len(at), np.int64)
    all_plans(as_records(batch, batch.observation[at]), found)
    return found


def next_of(wanted: Whole, aside: Whole, may_take: Any) -> Whole:
    """The action that goes on with these plans."""
    left = wanted & ~aside
    lowest = np.log2(np.maximum(left & -left, 1)).astype(np.int64)
    return np.where(left > 0, petukh.DISCARD + lowest, np.where(may_take, petukh.TAKE_TRUMP, petukh.DONE))


def planned_actions(batch: Batch, at: Whole) -> Whole:
    """What the player does at these tables if it does not fold."""
    return next_of(plans(batch, at), np.zeros(len(at), np.int64), False)


def toggled(seats: int, kons: int, seed: int, place: int | None) -> tuple[Floats, Any]:
    """The kons, where seat 0 lays its card of this place away if it would keep it, and the other way round.

    Points more than the others' mean [m], and of each: trump suit, hand, plan, whether it exchanged as planned.
    """
    batch = make_batch("petukh", kons, episode="deal", autoreset="off", players=seats, stock="draw")
    batch.reset(seed + np.arange(kons))
    away, facts = np.zeros(kons, np.int64), np.zeros((kons, 4), np.int64)
    weights = 1 << np.arange(CARDS)
    while not batch.finished.all():
        seen, actions = Seen(batch), batch.choose("rule")
        mine = seen.asked(petukh.EXCHANGING) & (batch.seat == 0) & ~batch.finished
        first = np.flatnonzero(mine & (seen.aside.sum(1) == 0) & (actions != petukh.FOLD))
        if len(first):
            away[first] = plans(batch, first)
            card = np.zeros(len(first), np.int64)
            if place is not None:
                c = (np.cumsum(seen.hand[first], 1) == place + 1).argmax(1)
                card = 1 << c
                room = seen.stock_left[first] + seen.dealer[first, 0]
                more = np.array([int(its).bit_count() for its in away[first]]) + ((away[first] & card) == 0) <= room
                facts[first] = np.stack([seen.trump[first].argmax(1), c, (away[first] & card) > 0, more], 1)
                away[first] = np.where(more, away[first] ^ card, away[first])
        on = np.flatnonzero(mine & ((seen.aside.sum(1) > 0) | (actions != petukh.FOLD)))
        if len(on):
            actions[on] = next_of(away[on], seen.aside[on] @ weights, batch.mask[on, petukh.TAKE_TRUMP] == 1)
        batch.step(actions)
    return 500 * batch.reward[:, 0].astype(float), facts


def exchange(kons: int, seed: int) -> Tables:
    """DRAW: what each card, trump or not, is worth more than one drawn for it, in hundredths of a point."""
    total, number = np.zeros((2, 2, RANKS))
    plain, _ = toggled(4, kons, seed, None)
    for place in range(petukh.HAND):
        more, facts = toggled(4, kons, seed, place)
        its = facts[:, 3] == 1
        trump, card, away, _ = facts[its].T
        worth = np.where(away == 1, 1, -1) * (more - plain)[its]
        kind = ((trump == card // RANKS).astype(int), card % RANKS)
        np.add.at(total, kind, worth)
        np.add.at(number, kind, 1)
    return {"DRAW": np.rint(total / np.maximum(number, 1))}


def hopes(tried: dict[tuple[int, str], Tried]) -> Tables:
    """HOPE and OFFER: what cards promise before the exchange, and company, more than folding does."""
    hope, offer = np.zeros((2, RANKS)), np.zeros((6, 6, 6))
    for (seats, stock), its in tried.items():
        if stock != "draw" or petukh.EXCHANGING not in its:
            continue
        found, _, _, more = its[petukh.EXCHANGING]
        held = found[:, 5, None] >> np.arange(CARDS) & 1
        trump = (found[:, 4, None] == np.arange(CARDS) // RANKS).astype(int)
        kinds = (trump * RANKS + np.arange(CARDS) % RANKS)[held == 1].reshape(-1, petukh.HAND)
        truth = more[:, 0] - more[:, 1]
        if seats == SEATS[0]:
            company = 2 * RANKS + found[:, 1] * 6 + found[:, 2]
            beta = solve(np.column_stack([kinds, company]), 2 * RANKS + 36, truth)
            hope = np.rint(beta[: 2 * RANKS].reshape(2, RANKS))
        guess = np.ravel(hope)[kinds].sum(1)
        offer[seats] = by_company(found, guess, truth)
        stays = guess + offer[seats][found[:, 1], found[:, 2]] > 0
        print(
            f"# draw, {seats} seats: stays {stays.mean():.2f}, brings {np.where(stays, truth, 0).mean():.0f}",
            flush=True,
        )
    return {"HOPE": hope, "OFFER": offer}


# The source

SOURCE = Path(petukh_tables.__file__)
WHAT = {
    "LATER": "Per cent: a card kept takes a later trick; [side, trump] [the lead is another's, mine] [cards kept] [led"
    " later it would take a trick, in fifteenths].",
    "NO_LATER": "Per cent: a seat without a trick stays without; [tricks to come].",
    "TRUMPS": "Hundredths, added to the tricks, and to the logarithm of the odds of none; [which] [class of trumps].",
    "SIDE": "The same of each other suit; [which] [number of trumps, at most 3] [class of the suit].",
    "SETTING": "The same of the company; [which] [prikup, draw] [seats in, with me] [seats that may still fold].",
    "PLACE": "The same; [which] [seats that play before me].",
    "STAYING": "Hundredths of a point, added to what staying is worth more than folding; [seats] [in] [may fold].",
    "KEEP": "Hundredths of a point that the prikup is worth with this card; [side, trump] [rank].",
    "TAKE": "The same, added; [seats].",
    "DRAW": "Hundredths of a point that a card is worth more than one drawn; [side, trump] [rank].",
    "HOPE": "The same that a card adds to a hand before the exchange; [side, trump] [rank].",
    "OFFER": "The same, added; [seats] [in] [may fold].",
}


def source(tables: Tables) -> str:
    """The tables as Python."""
    text = ""
    for name, what in WHAT.items():
        numbers = np.asarray(tables[name]).astype(int).tolist()
        body = textwrap.fill(f"{name} = {numbers}", 118, subsequent_indent="    ", break_long_words=False)
        text += "\n" + textwrap.fill(what, 118, initial_indent="# ", subsequent_indent="# ") + "\n" + body + "\n"
    return text


def main() -> None:
    """Make the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kons", type=int, default=30_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--only", nargs="+", choices=("cards", "hands", "exchange"), default=["cards", "hands", "exchange"]
    )
    parser.add_argument("--write", action="store_true", help="into the source; else they are printed")
    options = parser.parse_args()
    tables: Tables = {name: getattr(petukh_tables, name) for name in WHAT}
    first = FIRST + options.seed * 20 * SPREAD
    if "cards" in options.only:
        tables |= cards(options.kons, first)
    if "exchange" in options.only:
        tables |= exchange(options.kons // 3, first + 10 * SPREAD)
    if "hands" in options.only:
        tried = {}
        for i, (seats, stock) in enumerate((seats, stock) for stock in ("prikup", "draw") for seats in SEATS):
            share = (1 if seats == 4 else 3) * (1 if stock == "prikup" else 2)
            tried[seats, stock] = Tried(seats, stock, options.kons // share, first + (11 + i) * SPREAD)
        tables |= hands(tried)
        tables |= choices(tried, tables)
        tables |= hopes(tried)
    head, mark, _ = SOURCE.read_text(encoding="utf-8").partition("# fmt: off\n")
    text = head + mark + source(tables)
    if options.write:
        SOURCE.write_text(text, encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
