"""Two layers that leave out what does not count: inputs that are zero, and outputs that are not legal.

Of an observation's several hundred columns sixty or so are not zero, and of a hundred actions five or so are legal. A
dense layer would form all products and throw most of them away. The loops here are a network's first and last layer and
their gradients, compiled; ``agents/network.py`` hands them to torch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from karty.envs import kernel

Rows = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float32]

NEVER = np.float32(-1e9)
"""The logit of an action that is not legal: its probability is then exactly 0."""


def _find(observation: Any, active: Any, found: Any, count: Any) -> None:
    """List in every row the active columns that are not zero."""
    seen = np.empty(observation.shape[1], np.int8)
    for i in range(observation.shape[0]):
        row, line, k = observation[i], found[i], 0
        for c in range(seen.shape[0]):
            seen[c] = row[c] * active[c]
        for c in range(seen.shape[0]):
            line[k] = c  # written always and kept only if the column is set: cheaper than a branch nobody can foretell
            k += seen[c] != 0
        count[i] = k


def _add_up(observation: Any, found: Any, count: Any, scale: Any, weight: Any, bias: Any, out: Any) -> None:
    """Add to the bias the weight rows of the columns found, four at a time."""
    width = weight.shape[1]
    for i in range(observation.shape[0]):
        row, line, total, k = observation[i], found[i], out[i], count[i]
        total[:] = bias
        j = 0
        while j + 4 <= k:
            a, b, c, d = line[j], line[j + 1], line[j + 2], line[j + 3]
            xa, xb = scale[a] * np.float32(row[a]), scale[b] * np.float32(row[b])
            xc, xd = scale[c] * np.float32(row[c]), scale[d] * np.float32(row[d])
            wa, wb, wc, wd = weight[a], weight[b], weight[c], weight[d]
            for h in range(width):
                total[h] += xa * wa[h] + xb * wb[h] + xc * wc[h] + xd * wd[h]
            j += 4
        while j < k:
            a = line[j]
            xa, wa = scale[a] * np.float32(row[a]), weight[a]
            for h in range(width):
                total[h] += xa * wa[h]
            j += 1


def _spread(observation: Any, found: Any, count: Any, scale: Any, gradient: Any, out: Any) -> None:
    """Add every row's gradient to the weight rows of the columns found."""
    width = gradient.shape[1]
    out[:] = 0
    for i in range(observation.shape[0]):
        row, line, slope = observation[i], found[i], gradient[i]
        for j in range(count[i]):
            c = line[j]
            x, target = scale[c] * np.float32(row[c]), out[c]
            for h in range(width):
                target[h] += x * slope[h]


def _score(x: Any, mask: Any, weight: Any, bias: Any, out: Any) -> None:
    """The logits of the legal actions, NEVER for the others."""
    width = x.shape[1]
    for i in range(x.shape[0]):
        row, legal, logits = x[i], mask[i], out[i]
        for a in range(legal.shape[0]):
            if legal[a] == 0:
                logits[a] = NEVER
                continue
            w = weight[a]
            s, t, u, v = (
                bias[a],
                np.float32(0),
                np.float32(0),
                np.float32(0),
            )  # four sums, so that none waits for another
            h = 0
            while h + 4 <= width:
                s += row[h] * w[h]
                t += row[h + 1] * w[h + 1]
                u += row[h + 2] * w[h + 2]
                v += row[h + 3] * w[h + 3]
                h += 4
            while h < width:
                s += row[h] * w[h]
                h += 1
            logits[a] = (s + t) + (u + v)


def _unscore(x: Any, mask: Any, gradient: Any, weight: Any, to_x: Any, to_weight: Any, to_bias: Any) -> None:
    """The gradients of the logits of the legal actions."""
    width = x.shape[1]
    to_weight[:] = 0
    to_bias[:] = 0
    for i in range(x.shape[0]):
        row, legal, slope, back = x[i], mask[i], gradient[i], to_x[i]
        back[:] = 0
        for a in range(legal.shape[0]):
            if legal[a]:
                g, w, target = slope[a], weight[a], to_weight[a]
                to_bias[a] += g
                for h in range(width):
                    back[h] += g * w[h]
                for h in range(width):
                    target[h] += g * row[h]


_find_compiled = kernel.entry(_find)
_add_up_compiled = kernel.entry(_add_up)
_spread_compiled = kernel.entry(_spread)
_score_compiled = kernel.entry(_score)
_unscore_compiled = kernel.entry(_unscore)


def find(observation: Rows, active: Rows) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """Which columns are set in each row.

    ``observation``: `[m, E]` int8; ``active``: `[E]` int8, 1 for the columns to look at, else 0.
    Answers ``found``: `[m, E + 1]` int16, whose first ``count`` entries are the columns set, and ``count``: `[m]`
    int64.
    """
    found = np.empty((len(observation), len(active) + 1), np.int16)
    count = np.empty(len(observation), np.int64)
    _find_compiled(observation, active, found, count)
    return found, count


def add_up(
    observation: Rows,
    found: npt.NDArray[np.int16],
    count: npt.NDArray[np.int64],
    scale: Floats,
    weight: Floats,
    bias: Floats,
    out: Floats,
) -> None:
    """The layer: bias plus the sum over the columns found of value · scale · weight row.

    ``observation``: `[m, E]` int8; ``scale``: `[E]` float32, 1 / declared bound; ``weight``: `[E, H]` float32;
    ``bias``: `[H]` float32; ``out``: `[m, H]` float32, written.
    """
    _add_up_compiled(observation, found, count, scale, weight, bias, out)


def spread(
    observation: Rows,
    found: npt.NDArray[np.int16],
    count: npt.NDArray[np.int64],
    scale: Floats,
    gradient: Floats,
    out: Floats,
) -> None:
    """The gradient of the weights.

    ``gradient``: `[m, H]` float32, of the loss in the layer's output; ``out``: `[E, H]` float32, written: 0 for unused
    columns.
    """
    _spread_compiled(observation, found, count, scale, gradient, out)


def score(x: Floats, mask: Rows, weight: Floats, bias: Floats, out: Floats) -> None:
    """The last layer: the logit of each legal action, NEVER for the others.

    ``x``: `[m, H]` float32; ``mask``: `[m, A]` int8, 1 where legal; ``weight``: `[A, H]` float32; ``bias``: `[A]`
    float32; ``out``: `[m, A]` float32, written.
    """
    _score_compiled(x, mask, weight, bias, out)


def unscore(
    x: Floats, mask: Rows, gradient: Floats, weight: Floats, to_x: Floats, to_weight: Floats, to_bias: Floats
) -> None:
    """The gradients of the last layer.

    ``gradient``: `[m, A]` float32, of the loss in the logits; ``to_x``: `[m, H]`, ``to_weight``: `[A, H]`, ``to_bias``:
    `[A]`, all float32 and written.
    """
    _unscore_compiled(x, mask, gradient, weight, to_x, to_weight, to_bias)
