"""Columns of seats, turned: what a seat sees is told from itself on, what the engine tells by number."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

_Number = TypeVar("_Number", bound=np.generic)


def by_seat(
    relative: NDArray[_Number], seat: NDArray[np.integer[Any]], seats: NDArray[np.integer[Any]] | int | None = None
) -> NDArray[_Number]:
    """Numbers a seat, told clockwise from a seat, in the order of the seats: those of seat s in column s.

    ``relative``: `[..., P]` numbers, column k is of seat (``seat`` + k) mod ``seats``; ``seat``: `[...]` whole numbers;
    ``seats``: `[...]` or one for all, how many sit at the table (None: P); columns from there on stay where they are.
    Returns `[..., P]`.
    """
    return _turned(relative, -seat.astype(np.int64), seats)


def from_seat(
    absolute: NDArray[_Number], seat: NDArray[np.integer[Any]], seats: NDArray[np.integer[Any]] | int | None = None
) -> NDArray[_Number]:
    """The way back from ``by_seat``, with the same arguments: column k of what returns is of the k-th seat on."""
    return _turned(absolute, seat.astype(np.int64), seats)


def _turned(
    columns: NDArray[_Number], by: NDArray[np.int64], seats: NDArray[np.integer[Any]] | int | None
) -> NDArray[_Number]:
    """Column (c + ``by``) mod ``seats`` in column c, for each row."""
    place = np.arange(columns.shape[-1])
    around = np.asarray(len(place) if seats is None else seats)[..., None]
    found: NDArray[_Number] = np.take_along_axis(
        columns, np.where(place < around, (place + by[..., None]) % around, place), -1
    )
    return found
