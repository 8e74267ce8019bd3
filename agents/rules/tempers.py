"""What sets players of one kind apart from another, as compiled code takes it."""

from typing import NamedTuple

import numpy as np

from karty.envs.layout import records


def table(*tempers: NamedTuple) -> "np.ndarray[tuple[int], np.dtype[np.void]]":
    """Tempers of one kind, whose fields are whole numbers, as records [tempers] of int64 fields.

    TypeError for a field with a name that NumPy's records use themselves: plain Python would get theirs.
    """
    if hidden := [name for name in tempers[0]._fields if hasattr(np.recarray, name)]:
        raise TypeError(f"a temper's field cannot be called {hidden[0]!r}: NumPy's records use this name")
    fields = [(name, np.int64) for name in tempers[0]._fields]
    found: np.ndarray[tuple[int], np.dtype[np.void]] = records(np.array([tuple(temper) for temper in tempers], fields))
    return found
