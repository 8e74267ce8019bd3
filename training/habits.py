"""What the players do, by kind of action: a score alone hides an agent that no longer bids.

The kind of an action is the first word of its name (`bid`, `pass`, `play` …), so this knows no game.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_STRIDE = 8
"""Which legal actions there were is looked up at every eighth step only: it is the dear part."""


class Habits:
    """Counts of what was chosen. ``kinds``: the names of the kinds; ``kind_of``: `[A]` int64, each action's kind."""

    def __init__(self, actions: Sequence[str]) -> None:
        """``actions``: the names of all actions, in the order of their ids."""
        words = [name.split()[0] for name in actions]
        self.kinds = tuple(dict.fromkeys(words))
        self.kind_of = np.array([self.kinds.index(word) for word in words])

    def count(
        self, action: NDArray[np.int64], mask: NDArray[np.int8], ended: NDArray[np.bool_]
    ) -> dict[str, dict[str, float]]:
        """The habits in a stream of decisions, by kind; kinds that never occurred are left out.

        ``action``: `[T, n]` int64; ``mask``: `[T, n, A]` int8; ``ended``: `[T, n]` bool, the decision ended its
        episode. Each kind has ``share``, of all decisions; ``taken``, how often it was chosen where it and another
        kind were legal; ``episodes``, the share of whole episodes in which it was chosen. All are from 0 to 1; what
        never arose is left out.
        """
        kind = self.kind_of[action]
        some, legal = kind[::_STRIDE], mask[::_STRIDE]
        offered = np.stack([legal[..., self.kind_of == k].any(-1) for k in range(len(self.kinds))], -1)
        open_choice = offered.sum(-1) > 1
        whole = _whole_episodes(kind, ended, len(self.kinds))
        found: dict[str, dict[str, float]] = {}
        for k, name in enumerate(self.kinds):
            told = {"share": float((kind == k).mean())}
            if (chances := offered[..., k] & open_choice).any():
                told["taken"] = float((some == k)[chances].mean())
            if len(whole):
                told["episodes"] = float(whole[:, k].mean())
            if told["share"] or "taken" in told:
                found[name] = told
        return found


def _whole_episodes(kind: NDArray[np.int64], ended: NDArray[np.bool_], kinds: int) -> NDArray[np.bool_]:
    """For every episode that begins and ends in the stream, which kinds were chosen in it: [episodes, kinds] bool."""
    number = np.cumsum(ended, axis=0)
    most = int(number[-1].max())
    if most < 2:
        return np.zeros((0, kinds), bool)
    # Episode 0 of each table began before the stream, the last one ends after it.
    of = np.concatenate([np.zeros_like(number[:1]), number[:-1]])
    table = np.broadcast_to(np.arange(kind.shape[1]), kind.shape)
    seen = np.zeros((kind.shape[1], most + 1, kinds), bool)
    seen[table, of, kind] = True
    whole = (np.arange(most + 1) > 0) & (np.arange(most + 1) < number[-1][:, None])
    found: NDArray[np.bool_] = seen[whole]
    return found
