"""Normalised scores of several games as a radar picture: a corner a game, a line an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from karty.training.estimates import Estimate
from karty.training.figure import INK, PALE, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
"""Okabe and Ito's, which the colour-blind tell apart."""


def radar(scores: Mapping[str, Mapping[str, Estimate]]) -> Figure:
    """The normalised scores of agents, by agent and game; the circles are random play (0) and rule (1).

    Every agent needs a score in the same games, three or more (ValueError). What is below −0.5 is drawn in the
    centre. ImportError without matplotlib.
    """
    if not scores:
        raise ValueError("a radar needs the scores of one agent or more, not of none")
    games = list(next(iter(scores.values())))
    if any(list(row) != games for row in scores.values()):
        raise ValueError("a radar needs the same games, in the same order, for every agent")
    if len(games) < 3:
        raise ValueError(f"a radar needs three games or more, not {len(games)}")
    figure = new_figure(6.2, 5.0)
    axes: Any = figure.add_subplot(projection="polar")
    angle = np.linspace(0, 2 * np.pi, len(games), endpoint=False)
    around = np.append(angle, angle[0])
    least = -0.5
    most = max(1.25, 1.1 * max(score.high for row in scores.values() for score in row.values()))
    for colour, (agent, row) in zip(_cycled(len(scores)), scores.items(), strict=True):
        mean = np.array([max(row[game].mean, least) for game in games])
        axes.plot(around, np.append(mean, mean[0]), color=colour, linewidth=1.8, label=agent)
        for place, game in zip(angle, games, strict=True):
            ends = [max(row[game].low, least), max(row[game].high, least)]
            axes.plot([place, place], ends, color=colour, linewidth=3, solid_capstyle="butt", alpha=0.6)
    axes.set_theta_zero_location("N")
    axes.set_theta_direction(-1)
    axes.set_ylim(least, most)
    axes.set_yticks([0, 1], ["random 0", "rule 1"], fontsize=8, color=PALE)
    axes.set_xticks(angle, games, color=INK)
    axes.grid(color="#dddddd")
    axes.spines["polar"].set_visible(False)
    axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1.0), frameon=False, fontsize=9)
    return figure


def _cycled(count: int) -> list[str]:
    """So many colours."""
    return [_COLOURS[k % len(_COLOURS)] for k in range(count)]
