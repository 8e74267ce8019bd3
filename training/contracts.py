"""What becomes of the auction: who declares, how high, whether it is made, and what a seat's place is worth.

A score alone hides a dead auction: players that never bid take the deal as it comes and still gain in the play. So
the deals are found in the stream of decisions, and their contracts counted. The training log and the probe share
this.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from karty.envs.layout import Field, Layout
from karty.training.seats import by_seat

_FIELDS = ("declarer", "contract", "bids", "score_tens", "score_ones", "deals_played")
_BEGINS = ("dealer", "opener")
"""Either tells from where places are counted."""
_UNITS = {"tens": 10}
_FEWEST = 20
"""Of fewer contracts at a level no share is told: it would only jump about."""

Numbers = dict[str, float | dict[str, float]]


@dataclass(frozen=True)
class Deals:
    """The k deals that ended in a stream.

    ``seat`` [k] int64: who made the last decision that is in the stream; ``declarer`` [k] int64: the seat, -1 if
    nobody was yet; ``contract`` [k] int64: points, 0 if none had been named by then; ``voluntary`` [k] bool: it was
    played and bid for, above the level at which somebody must; ``change`` [k, P] int64: of each seat's score, points;
    ``place`` [k, P] int64: of each seat, clockwise, 1 on the dealer's left, P the dealer.
    """

    seat: NDArray[np.int64]
    declarer: NDArray[np.int64]
    contract: NDArray[np.int64]
    voluntary: NDArray[np.bool_]
    change: NDArray[np.int64]
    place: NDArray[np.int64]

    @property
    def played(self) -> NDArray[np.bool_]:
        """Whether a contract was named: else the deal was thrown in, or its end was not in the stream, [k] bool."""
        return self.contract > 0

    @property
    def made(self) -> NDArray[np.bool_]:
        """Whether a contract was played and declarer gained by it, [k] bool."""
        gain = np.take_along_axis(self.change, np.maximum(self.declarer, 0)[:, None], 1)[:, 0]
        return self.played & (gain > 0)

    def numbers(self) -> Numbers:
        """The counters of a log; what cannot be told is left out.

        ``voluntary``: share of the played deals; ``contract``: mean of voluntary ones, points; ``made``: share of
        them all by level, where there are enough; ``score_by_position``: mean change of score by place, points.
        """
        told: Numbers = {}
        if self.played.any():
            told["voluntary"] = float(self.voluntary.sum() / self.played.sum())
        if self.voluntary.any():
            told["contract"] = float(self.contract[self.voluntary].mean())
        levels, count = np.unique(self.contract[self.played], return_counts=True)
        by_level = {str(level): float(self.made[self.contract == level].mean()) for level in levels[count >= _FEWEST]}
        if by_level:
            told["made"] = by_level
        if len(self.seat):
            places = range(1, self.place.shape[1] + 1)
            told["score_by_position"] = {str(p): float(self.change[self.place == p].mean()) for p in places}
        return told


class Contracts:
    """Finds the deals in streams of decisions of a game with a declarer and a contract."""

    def __init__(self, layout: Layout, seats: int) -> None:
        """``layout``: of the observation, with the fields this needs (else KeyError); ``seats``: P."""
        self.seats = seats
        names = [field.name for field in layout]
        start = next((name for name in _BEGINS if name in names), _BEGINS[0])
        self._field: dict[str, Field] = {name: layout[name] for name in _FIELDS}
        self._start = layout[start]
        # The dealer is last, the seat that opens comes first.
        self._start_place = 0 if start == "dealer" else 1

    @classmethod
    def of(cls, layout: Layout, seats: int) -> Contracts | None:
        """One for this observation of P seats, or None if it lacks a field that is needed."""
        names = {field.name for field in layout}
        if names.issuperset(_FIELDS) and names.intersection(_BEGINS):
            return cls(layout, seats)
        return None

    def count(
        self,
        observation: NDArray[np.int8],
        seat: NDArray[np.integer[Any]],
        points: NDArray[np.floating[Any]],
        ended: NDArray[np.bool_],
    ) -> Deals:
        """The deals that end in a stream of decisions.

        Row t is what decision t was made from, row t + 1 what came of it. ``observation``: `[T + 1, n, F]` int8 of
        the seat asked; ``seat``: `[T + 1, n]` int; ``points``: `[T + 1, n, P]` float, change of score over the whole
        episode, read where one ended; ``ended``: `[T, n]` bool, the decision ended its episode. A match begins at 0, an
        episode of one deal at any score.

        A deal ends with its last decision in the stream: there the episode ends, or one more deal has been scored in
        the next row. Where more than one has been scored until the next row (nobody was asked in between) or a score
        is too large to be shown, the change is not known, and the deal is left out. Where this happens at the end of an
        episode it cannot be seen: there the last deals count as one.
        """
        scored = observation[..., self._field["deals_played"].start].astype(np.int16)
        after = np.diff(scored, axis=0)
        step, table = np.nonzero(ended | (after == 1))
        over = ended[step, table]
        row = observation[step, table]
        me = seat[step, table].astype(np.int64)

        before, shown = self._scores(row, me)
        following = observation[step + 1, table]
        change, shown_after = self._scores(following, seat[step + 1, table].astype(np.int64))
        change -= before
        whole = np.rint(points[step[over] + 1, table[over]]).astype(np.int64)
        # An episode's first deal changed what the episode did, wherever it began; a later one is of a match.
        first = scored[step[over], table[over]] == 0
        change[over] = np.where(first[:, None], whole, whole - before[over])
        known = np.where(over, shown | (scored[step, table] == 0), shown & shown_after)

        contract = row[:, self._field["contract"].start].astype(np.int64)
        contract *= _UNITS.get(self._field["contract"].unit, 1)
        declarer = self._who(row, me, self._field["declarer"])
        bid_for = row[:, self._field["bids"].slice][:, 1:].any(1)
        place = (np.arange(self.seats) - self._who(row, me, self._start)[:, None] + self._start_place - 1) % self.seats
        return Deals(
            seat=me[known],
            declarer=declarer[known],
            contract=contract[known],
            voluntary=(bid_for & (contract > 0))[known],
            change=change[known],
            place=(place + 1)[known],
        )

    def _scores(self, row: NDArray[np.int8], me: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """The scores by seat before the deal, [k, P] int64, and whether all are within what can be shown, [k] bool."""
        field = self._field["score_tens"]
        tens = row[:, field.slice][:, : self.seats].astype(np.int64)
        ones = row[:, self._field["score_ones"].slice][:, : self.seats]
        shown: NDArray[np.bool_] = np.all((tens > field.low) & (tens < field.high), axis=1)
        return by_seat(10 * tens + ones, me), shown

    def _who(self, row: NDArray[np.int8], me: NDArray[np.int64], field: Field) -> NDArray[np.int64]:
        """The seat that a field shows, -1 for none. ``row``: `[k, F]`; ``me``: `[k]`. Returns `[k]` int64."""
        column = row[:, field.slice]
        return np.where(column.any(1), (me + column.argmax(1)) % self.seats, -1)
