"""The payoffs of an arena as a heat map: one seat against the rest, with intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from karty.envs.games import find_game
from karty.training.evaluate import DONE
from karty.training.figure import INK, PALE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from karty.training.arena import Arena

_MAP = "RdBu"
"""Blue is good and red bad for the row's agent, white between equal ones; told apart by the colour-blind too."""


def heatmap(arena: Arena) -> Figure:
    """A cell a pair, coloured by what the row's agent gains; agents in the order of their ratings, the best on top.

    White is 0 points, or par where shares are compared; of losses fewer are blue. Colours grow with the square root
    of the distance, so that beside random play the differences between good agents can still be seen.
    """
    from matplotlib.colors import FuncNorm

    its = arena.setting
    names = [row.agent for row in arena.ratings]
    count = len(names)
    metric = its.score.metric
    in_points = metric == "points"
    unit, neutral = (1.0, 0.0) if in_points else (100.0, 100 * its.par)
    scores = {pair: found.score for pair, found in arena.pairs.items()}
    values = np.full((count, count), np.nan)
    for (a, b), score in scores.items():
        values[names.index(a), names.index(b)] = unit * score.mean
    reach = float(np.nanmax(np.abs(values - neutral))) or 1.0

    def forward(x: Any) -> NDArray[np.float64]:
        away = np.asarray(x, dtype=np.float64) - neutral
        return np.asarray(np.sign(away) * np.sqrt(np.abs(away)))

    def inverse(y: Any) -> NDArray[np.float64]:
        root = np.asarray(y, dtype=np.float64)
        return np.asarray(np.sign(root) * root**2 + neutral)

    longest = max(map(len, names))
    figure = new_figure(2.4 + 0.09 * longest + 1.05 * count, 1.7 + 0.06 * longest + 0.62 * count)
    axes = figure.add_subplot()
    norm = FuncNorm((forward, inverse), vmin=neutral - reach, vmax=neutral + reach)
    image = axes.imshow(values, cmap=f"{_MAP}_r" if metric == "losses" else _MAP, norm=norm, aspect="auto")
    for (a, b), score in scores.items():
        row, column = names.index(a), names.index(b)
        dark = abs(forward(values[row, column])) > 0.7 * np.sqrt(reach)
        digits = "2f" if in_points and abs(score.mean) < 100 else "1f"
        number, half = _signed(unit * score.mean, in_points, digits), f"{unit * score.half:.{digits}}"
        ink = "white" if dark else INK
        axes.text(column, row - 0.13, number, ha="center", va="center", color=ink, fontsize=10, weight="bold")
        axes.text(column, row + 0.22, f"± {half}", ha="center", va="center", color=ink, fontsize=8)
    for place in range(count):
        axes.text(place, place, "·", ha="center", va="center", color=PALE, fontsize=12)
    axes.set_facecolor("#f4f4f4")  # nobody plays against itself
    axes.set_xticks(range(count), names, rotation=30 if longest > 9 else 0, ha="right" if longest > 9 else "center")
    axes.set_yticks(range(count), names)
    one_team, others = len(set(its.opponents)) > 1, "seat" if len(its.opponents) == 1 else "seats"
    axes.set_ylabel("in one team" if one_team else "in one seat")
    axes.set_xlabel("in the other team" if one_team else f"in the other {others}")
    axes.set_xticks(np.arange(1, count) - 0.5, minor=True)
    axes.set_yticks(np.arange(1, count) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="both", length=0, colors=INK)
    axes.spines[:].set_visible(False)
    one, many = ("deal", "deals") if its.episode == "deal" else ("match", "matches")
    what = f"points a {one}"
    if not in_points:
        fewer = "; fewer are better" if metric == "losses" else ""
        what = f"% of {many} {DONE[metric]} (par {neutral:.1f}{fewer})"
    axes.set_title(f"{find_game(its.game).title}: {what}", fontsize=11, color=INK, loc="left", pad=18)
    note = f"{its.deals:,} {many} a pair in all rotations, 95 % intervals, {its.split} list of seed {its.seed}"
    axes.text(0, 1.015, note, transform=axes.transAxes, fontsize=8, color=PALE, va="bottom")
    steps = [neutral + side * reach * part for side, part in ((-1, 1), (-1, 0.25), (1, 0), (1, 0.25), (1, 1))]
    bar = figure.colorbar(image, ax=axes, ticks=steps, format=lambda value, _: _signed(value, in_points, "3g"))
    if not in_points:
        bar.ax.set_ylim(max(neutral - reach, 0), min(neutral + reach, 100))  # the colours reach as far on both sides
    bar.outline.set_visible(False)
    bar.ax.tick_params(length=0, labelsize=8, colors=INK)
    return figure


def _signed(value: float, sign: bool, digits: str) -> str:
    """A number, in points with its sign, as printed: with a minus and not with a hyphen."""
    text = f"{value:+.{digits}}" if sign and value else f"{value:.{digits}}"
    return text.replace("-", "−")
