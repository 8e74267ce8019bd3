"""The phases of a game, as the observation names them: what is being decided there differs in kind and in weight."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from karty.envs.layout import Layout

_FIELD = "phase"


class Phases:
    """The phases of a game.

    ``names``: of each; one, `play`, for a game whose observation has no such field, which is a choice.
    """

    def __init__(self, layout: Layout) -> None:
        """``layout``: of the observation."""
        field = next((field for field in layout.fields if field.name == _FIELD and field.kind == "choice"), None)
        self.names: tuple[str, ...] = ("play",) if field is None else field.values
        self._columns = None if field is None else field.slice

    def of(self, observation: NDArray[np.int8]) -> NDArray[np.int64]:
        """The number of the phase that each row is of. ``observation``: `[..., F]` int8. Returns `[...]` int64."""
        if self._columns is None:
            return np.zeros(observation.shape[:-1], np.int64)
        phase: NDArray[Any] = observation[..., self._columns].argmax(-1)
        return phase
