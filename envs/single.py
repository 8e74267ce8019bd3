"""One learner against other players: a table as a Gymnasium environment, and the batch engine as a vector of them.

The learner's environment goes from one of its decisions to the next; the opponents play inside ``step``. Both classes
are the same engine, so for the same seeds they make the same deals, observations and rewards. An action that is not
allowed ends the episode: it is terminated and lost (reward -1).
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .engine import Batch, Table, make_batch
from .game import EVALUATION_SEEDS, MAX_SEED, Game, Options, make_rules
from .games import find_game
from .layout import Layout

RENDER_MODES = ("ansi", "human", "rgb_array")
"""What ``render`` makes: text, printed text or pixels, all cards open: it is for the onlooker, not for a player."""

Floats = npt.NDArray[np.float32]
Bools = npt.NDArray[np.bool_]
Masks = npt.NDArray[np.int8]
Seat = int | Literal["rotate"]

_AUTORESET = {AutoresetMode.NEXT_STEP: "next", AutoresetMode.SAME_STEP: "same", AutoresetMode.DISABLED: "off"}


def box(*layouts: Layout) -> Box[np.float32]:
    """The space of these layouts' float rows one after the other: float32 [F], each column within its bounds."""
    low, high = zip(*(layout.box for layout in layouts), strict=True)
    return Box(np.concatenate(low), np.concatenate(high), dtype=np.float32)


def one_of(name: str, value: Any, allowed: Sequence[Any]) -> None:
    """ValueError if a keyword's value is none of those allowed."""
    if value not in allowed:
        raise ValueError(f"{name}={value!r} is not allowed; allowed: {', '.join(str(v) for v in allowed)}")


def seed_of(seed: Any) -> int:
    """The seed as a Python int; ValueError if it is not a whole number in the range of seeds."""
    try:
        number = operator.index(seed)
    except TypeError:
        raise ValueError(f"a seed is a whole number from 0 to 2**63 - 1, not {seed!r}") from None
    if not 0 <= number <= MAX_SEED:
        raise ValueError(f"a seed is a whole number from 0 to 2**63 - 1, not {number}")
    return number


def frame(game: Game, table: Table, mode: str | None) -> str | npt.NDArray[np.uint8] | None:
    """What ``render`` gives in this mode: text, None (the text was printed) or pixels uint8 [height, width, 3]."""
    if mode is None:
        gymnasium.logger.warn(f"render() does nothing without a render_mode; modes: {', '.join(RENDER_MODES)}")
        return None
    from . import picture

    if mode == "rgb_array":
        return picture.pixels(game, table)
    if mode == "ansi":
        return picture.text(game, table)
    print(picture.text(game, table, encoding=sys.stdout.encoding or "utf-8"))
    return None


def _no_deal(options: dict[str, Any] | None) -> dict[str, Any]:
    """The reset options; ValueError for those that only the AEC environment has, since to ignore them would mislead."""
    for name in ("deal", "start"):
        if options and name in options:
            raise ValueError(f"reset option {name!r}: only the AEC environment (karty.make_aec) takes it")
    return options or {}


def _tables(game: Game, rules: Options, n: int, seat: Seat, **settings: Any) -> Batch:
    """The engine's batch of n tables with a learner at each; ValueError names a seat that the table does not have."""
    seats = game.shape(rules).seats
    whole = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
    if seat != "rotate" and not (whole and 0 <= seat < seats):
        raise ValueError(f"seat={seat!r} is not allowed; allowed: 0 to {seats - 1}, or rotate")
    return make_batch(game, n, rules=rules, learner=seat, illegal="lose", **settings)


class KartyEnv(gymnasium.Env[Floats, np.int64]):
    """One learner at a table; the other seats are played inside ``step``.

    ``game`` is a name or a ``Game``; the game's options follow by name (``preset="classic"``), or as ``rules=``.
    ``seat`` is the learner's seat, or "rotate": another one each episode, clockwise. ``opponents`` is a name, one
    name for each other seat clockwise from the learner, or objects with ``act(observation, mask, rng)``. ``episode``
    is "match" or "deal". ``skip_forced`` also plays the learner's single legal actions.

    Observations are float32 [F], every field divided by its declared bound. ``info`` holds ``action_mask`` int8 [A]
    (all ones when the episode is over), the learner's ``seat`` and ``points``, its change of score when the episode
    is over, else 0.0, and the game's own ``infos``. The reward comes with the last step. ``reset(seed=s)`` starts the
    episode with that seed, ``reset()`` the next one.
    """

    metadata: dict[str, Any] = {"render_modes": list(RENDER_MODES), "render_fps": 1}  # noqa: RUF012 - Gymnasium's own form

    def __init__(
        self,
        game: Game | str,
        *,
        seat: Seat = 0,
        opponents: Any = "rule",
        rules: Options | dict[str, Any] | None = None,
        episode: str = "match",
        skip_forced: bool = False,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        one_of("render_mode", render_mode, (None, *RENDER_MODES))
        self.game = find_game(game)
        self.rules = make_rules(self.game, rules, **options)
        self.render_mode = render_mode
        shape = self.game.shape(self.rules)
        self.observation_space, self.action_space = box(shape.observation), Discrete(shape.size)
        self._layout = shape.observation
        self._settings = {"seat": seat, "episode": episode, "opponents": opponents, "skip_forced": skip_forced}
        self._batch = _tables(self.game, self.rules, 1, autoreset="off", **self._settings)
        self._seat = -1  # the learner's, in the running episode
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Floats, dict[str, Any]]:
        """Start the episode of this seed, or the next one; play up to the learner's first decision."""
        super().reset(seed=seed)
        _no_deal(options)
        if seed is not None:
            self._batch.reset(seed_of(seed))
        elif self._seat < 0:
            self._batch.reset(int(self.np_random.integers(EVALUATION_SEEDS)))
        else:
            self._batch.reset()
        arrays = self._batch.arrays
        self._seat, self._over = int(arrays["seat"][0]), False
        if self.render_mode == "human":
            self.render()
        return self._layout.normalise(arrays["observation"][0]), self._info(0.0)

    def step(self, action: Any) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """Play the learner's action and the opponents' until the learner is asked again or the episode is over."""
        if self._over:
            raise ResetNeeded("no episode is running: call reset() first")
        self._batch.step(np.array([operator.index(action)], np.int64))
        arrays = self._batch.arrays
        terminated, truncated = bool(arrays["terminated"][0]), bool(arrays["truncated"][0])
        reward = points = 0.0
        self._over = terminated or truncated
        if self._over:
            reward, points = float(arrays["reward"][0, self._seat]), float(arrays["points"][0, self._seat])
        if self.render_mode == "human":
            self.render()
        return self._layout.normalise(arrays["observation"][0]), reward, terminated, truncated, self._info(points)

    def action_masks(self) -> Masks:
        """1 for every action that may be played now, int8 [A] (the hook of sb3-contrib's MaskablePPO)."""
        mask: Masks = self._batch.arrays["mask"][0].copy()
        return mask

    def _info(self, points: float) -> dict[str, Any]:
        told = {key: float(values[0]) for key, values in self._batch.infos().items()}
        return {"action_mask": self.action_masks(), "seat": self._seat, "points": points, **told}

    def render(self) -> Any:
        """Show the table with all cards open: text, printed text or pixels, by ``render_mode``."""
        return frame(self.game, self._batch.table(0), self.render_mode)

    def __getstate__(self) -> dict[str, Any]:
        # Copies and pickles keep the running game; machine code stays where it is.
        parts = {name: part for name, part in self.__dict__.items() if name not in ("_batch", "_layout", "game")}
        return {**parts, "game": self.game.name, "table": self._batch.get_state()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        table = state.pop("table")
        self.__dict__.update(state, game=find_game(state["game"]))
        self._layout = self.game.shape(self.rules).observation
        self._batch = _tables(self.game, self.rules, 1, autoreset="off", **self._settings)
        if self._seat >= 0:
            self._batch.set_state(table)


class KartyVectorEnv(VectorEnv[Floats, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """The batch engine as ``num_envs`` environments like ``KartyEnv``; its keywords mean the same here.

    ``autoreset_mode`` is NEXT_STEP (the step after an episode's last one ignores the action and gives the next
    episode's first observation), SAME_STEP (that observation comes at once, the last one in ``infos["final_obs"]``)
    or DISABLED (``reset(options={"reset_mask": bool [n]})``). ``threads`` step the tables. Observations are float32
    [n, F], rewards float64 [n]; ``infos`` hold ``action_mask`` int8 [n, A] (all ones in rows whose episode is over),
    ``seat`` int64 [n] and ``points`` float64 [n] as ``SyncVectorEnv`` would give them. All arrays are fresh ones at
    every call.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 - Gymnasium's own form
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        game: Game | str,
        num_envs: int = 1,
        *,
        seat: Seat = 0,
        opponents: Any = "rule",
        rules: Options | dict[str, Any] | None = None,
        episode: str = "match",
        skip_forced: bool = False,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        one_of("render_mode", render_mode, (None, *RENDER_MODES))
        one_of("autoreset_mode", autoreset_mode, [form for mode in AutoresetMode for form in (mode, mode.value)])
        if max_episode_steps is not None:
            raise ValueError(f"max_episode_steps={max_episode_steps!r}: card games end by their own rules and caps")
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self._mode}
        self.game = find_game(game)
        self.rules = make_rules(self.game, rules, **options)
        self.num_envs, self.render_mode = num_envs, render_mode
        shape = self.game.shape(self.rules)
        self.single_observation_space, self.single_action_space = box(shape.observation), Discrete(shape.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._layout = shape.observation
        settings = {"episode": episode, "opponents": opponents, "skip_forced": skip_forced, "threads": threads}
        self._batch = _tables(self.game, self.rules, num_envs, seat, autoreset=_AUTORESET[self._mode], **settings)
        self._rows = np.arange(num_envs)
        self._started = False
        self._seats = np.zeros(num_envs, np.int64)  # the learner's in the episode that the row shows

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Start episodes: at table i that of seed + i, of the i-th seed in a list, or without a seed the next one.

        ``options["reset_mask"]`` bool [n] leaves the other tables as they are.
        """
        tables = self._reset_mask(_no_deal(options).get("reset_mask"))
        seeds = self._seeds(seed)
        known = [s for s in seeds if s is not None]
        super().reset(seed=known[0] if known else None)
        if not self._started and not tables.all():
            raise ResetNeeded("reset_mask leaves tables out that have never been reset")
        if not self._started and not known:
            first = int(self.np_random.integers(EVALUATION_SEEDS - self.num_envs))
            seeds = [first + i for i in range(self.num_envs)]
        elif not self._started:
            seeds = [int(self.np_random.integers(EVALUATION_SEEDS)) if s is None else s for s in seeds]
        seeded = np.array([s is not None for s in seeds])
        numbers = np.array([s or 0 for s in seeds], np.int64)
        for chosen, given in ((tables & seeded, numbers), (tables & ~seeded, None)):
            if chosen.any():
                self._batch.reset(given, tables=chosen)
        arrays = self._batch.arrays
        self._started = True
        self._seats = arrays["seat"].astype(np.int64)
        if self.render_mode == "human":
            self.render()
        return self._layout.normalise(arrays["observation"]), self._infos(
            tables, self.action_masks(), self._seats, np.zeros(self.num_envs), self._batch.infos()
        )

    def step(self, actions: Any) -> tuple[Floats, npt.NDArray[np.float64], Bools, Bools, dict[str, Any]]:
        """Play one decision of the learner at every table, actions int64 [n], and all that follows from it."""
        if not self._started:
            raise ResetNeeded("no episode is running: call reset() first")
        if self._mode is AutoresetMode.DISABLED and self._batch.finished.any():
            rows = ", ".join(str(i) for i in np.flatnonzero(self._batch.finished)[:10])
            raise ResetNeeded(f"the episodes of tables {rows} are over: reset them with options={{'reset_mask': …}}")
        self._batch.step(self._actions(actions))
        arrays, seats = self._batch.arrays, self._seats
        terminated, truncated = arrays["terminated"].copy(), arrays["truncated"].copy()
        over = terminated | truncated
        rewards = np.where(over, arrays["reward"][self._rows, seats], 0.0).astype(np.float64)
        points = np.where(over, arrays["points"][self._rows, seats], 0.0)
        infos: dict[str, Any] = {}
        self._seats = arrays["seat"].astype(np.int64)
        if self._mode is AutoresetMode.SAME_STEP:
            if over.any():
                infos = self._final(over, seats, points)
            points = np.zeros(self.num_envs)
        everywhere, told = np.ones(self.num_envs, np.bool_), self._batch.infos()
        infos.update(self._infos(everywhere, self.action_masks(), self._seats, points, told))
        if self.render_mode == "human":
            self.render()
        return self._layout.normalise(arrays["observation"]), rewards, terminated, truncated, infos

    def action_masks(self) -> Masks:
        """1 for every action that may be played now, int8 [n, A]; all ones in rows whose episode is over."""
        masks: Masks = self._batch.arrays["mask"].copy()
        return masks

    def render(self) -> Any:
        """Show every table with all cards open: a tuple of what ``KartyEnv.render`` gives."""
        return tuple(frame(self.game, self._batch.table(i), self.render_mode) for i in range(self.num_envs))

    def _final(self, over: Bools, seats: npt.NDArray[np.int64], points: npt.NDArray[np.float64]) -> dict[str, Any]:
        """What SAME_STEP tells of the episodes that ended: their last observations and infos."""
        observations = np.full(self.num_envs, None, object)
        for i in np.flatnonzero(over):
            observations[i] = self._layout.normalise(self._batch.arrays["final_observation"][i, seats[i]])
        info = self._infos(over, np.ones_like(self._batch.arrays["mask"]), seats, points, self._batch.infos(ended=True))
        return {"final_obs": observations, "_final_obs": over.copy(), "final_info": info, "_final_info": over.copy()}

    @staticmethod
    def _infos(
        rows: Bools,
        masks: Masks,
        seats: npt.NDArray[np.int64],
        points: npt.NDArray[np.float64],
        told: Mapping[str, npt.NDArray[np.float64]],
    ) -> dict[str, Any]:
        """The infos of the rows in Gymnasium's form: arrays that are 0 in the other rows, and which rows they are."""
        infos = {
            "action_mask": np.where(rows[:, None], masks, np.int8(0)),
            "_action_mask": rows.copy(),
            "seat": np.where(rows, seats, 0),
            "_seat": rows.copy(),
        }
        for key, values in {"points": points, **told}.items():
            infos[key], infos[f"_{key}"] = np.where(rows, values, 0.0), rows.copy()
        return infos

    def _actions(self, actions: Any) -> npt.NDArray[np.int64]:
        array = np.asarray(actions)
        if array.dtype.kind not in "iu" or array.shape != (self.num_envs,):
            raise ValueError(f"actions must be {self.num_envs} whole numbers, not {array.dtype} {list(array.shape)}")
        return array.astype(np.int64)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (list, tuple, np.ndarray)):
            if len(seed) != self.num_envs:
                raise ValueError(f"a list of seeds must hold {self.num_envs} of them, not {len(seed)}")
            return [None if s is None else seed_of(s) for s in seed]
        return [seed_of(seed_of(seed) + i) for i in range(self.num_envs)]

    def _reset_mask(self, mask: Any) -> Bools:
        if mask is None:
            return np.ones(self.num_envs, np.bool_)
        good = isinstance(mask, np.ndarray) and mask.dtype == np.bool_ and mask.shape == (self.num_envs,)
        if not good or not mask.any():
            raise ValueError(f"options['reset_mask'] must be a bool array of {self.num_envs} with at least one True")
        return np.array(mask)
