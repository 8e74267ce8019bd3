"""The engine: n tables in one call, with seeds, episodes, illegal moves, built-in players, agents and threads."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from . import compiled, snapshot
from .chance import agent_generator
from .compiled import players, register_player, register_tempers
from .game import MAX_SEED, Game, Options, make_rules
from .games import find_game
from .layout import records
from .loops import ANSWER, BEGIN, CALLER, CLOSED, NEXT, NO_LEARNER, OFF, PLAYING, PYTHON, RESUME, ROTATE, SAME, STEP
from .table import (
    IllegalAction,
    Table,
    blank_states,
    check_episode,
    check_seed,
    draw_frames,
    illegal_action,
    partners_agree,
)

__all__ = [
    "Batch",
    "IllegalAction",
    "Player",
    "Table",
    "choose_rows",
    "make_batch",
    "play_episodes",
    "players",
    "register_player",
    "register_tempers",
    "set_resolver",
]

Arrays = dict[str, npt.NDArray[Any]]
_AUTORESET = {"same": SAME, "next": NEXT, "off": OFF}
_ILLEGAL = ("raise", "lose")
_SMALL = 512  # tables a thread: below this handing a slice over costs more than it saves


class Player(Protocol):
    """Whoever can hold a seat: batched, from what the seat sees."""

    name: str

    def act(
        self, observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], rng: np.random.Generator
    ) -> npt.NDArray[Any]:
        """Choose int64 [m] actions for observations int8 [m, F] and masks int8 [m, A]."""


class _Resolver:
    """Turns names that are no built-in players into agents; ``karty`` sets it, since ``envs`` knows no agents."""

    def __init__(self) -> None:
        self.load: Any = None


_resolver = _Resolver()


def set_resolver(load: Any) -> None:
    """Tell the engine how to turn other names into agents: ``load(game_name, name) -> Player``."""
    _resolver.load = load


class _Seats:
    """Codes for players: built-in ones by their place in the game's list, agents from PYTHON on."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.agents: list[Player] = []
        self.built_in = False  # does one sit here besides ``random``?

    def code(self, player: str | Player) -> int:
        """The code of a built-in player's name, another agent's name, or an agent."""
        names = players(self.game.name)
        if isinstance(player, str) and player not in names:
            if _resolver.load is None:
                raise ValueError(f"{self.game.name}: there is no player {player!r}; players: {', '.join(names)}")
            player = _resolver.load(self.game.name, player)
        game = getattr(player, "game", self.game)
        if getattr(game, "name", game) != self.game.name:
            raise ValueError(f"{self.game.name}: player {player!r} plays {getattr(game, 'name', game)}")
        built_in = player if isinstance(player, str) else getattr(player, "kernel_name", None)
        if built_in in names:
            self.built_in = self.built_in or built_in != "random"
            return names.index(built_in)
        if not callable(getattr(player, "act", None)):
            raise TypeError(f"{self.game.name}: {player!r} is no player: neither a name nor an object with act()")
        for k, known in enumerate(self.agents):
            if known is player:
                return PYTHON + k
        self.agents.append(player)  # type: ignore[arg-type]
        return PYTHON + len(self.agents) - 1


class Batch:
    """n tables of one game.

    Arrays (attributes, and the dict that ``reset`` and ``step`` return): ``observation`` int8 [n, F], ``mask`` int8
    [n, A] and ``seat`` int8 [n] of the seat asked; ``reward`` float32 [n, P] and ``points`` float64 [n, P] (change of
    score), valid where ``terminated`` or ``truncated`` bool [n]; ``final_observation`` int8 [n, P, F], valid where an
    episode has ended. P is the number of seats of the largest table; what a smaller one lacks is 0 there. A finished
    table that waits for its reset shows the final observation of its learner (else of the seat asked last) and a mask
    of ones. The next call writes into the same arrays: copy what you keep, or hand in arrays of your own as ``out``. An
    episode in which the caller is not asked at all is played out and passed over (``passed_over``, ``passed_return``).
    """

    def __init__(
        self,
        game: Game | str,
        n: int,
        *,
        rules: Any = None,
        episode: str = "match",
        seed: int = 0,
        autoreset: str = "same",
        learner: int | str | None = None,
        opponents: Any = "rule",
        illegal: str = "raise",
        threads: int = 1,
        skip_forced: bool = False,
        draw_rules: bool = False,
        **options: Any,
    ) -> None:
        """Set up n tables of a game (a ``Game`` or its name).

        ``rules`` is a ``Rules``, its dict, or a list of n; or options by name (``table="3p"``, ``preset=…``). With
        ``draw_rules`` the list may have any length, and each episode draws one of it. ``episode`` is "match" or
        "deal". Table i starts with ``seed`` + i; its later episodes have seeds mixed from that and their number, so
        that neither the place in the batch nor ``threads`` matter. ``autoreset``: the next episode begins in the
        "same" step that ends the last one, in the "next" one, or only by ``reset`` ("off"). ``learner`` is a seat or
        "rotate" (one seat on each episode): the other seats are then played inside the call by ``opponents``: a name,
        a player, or one for each of them clockwise from the learner. ``skip_forced`` plays the caller's single legal
        actions too. ``illegal``: such an action is an error ("raise"), or costs the episode ("lose"). ValueError or
        TypeError name what is wrong and what is allowed.
        """
        self.game = game = find_game(game)
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or n < 1:
            raise ValueError(f"n={n!r} is not allowed; allowed: a whole number of tables from 1 on")
        if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
            raise ValueError(f"threads={threads!r} is not allowed; allowed: a whole number from 1 on")
        if autoreset not in _AUTORESET:
            raise ValueError(f"autoreset={autoreset!r} is not allowed; allowed: {', '.join(_AUTORESET)}")
        if illegal not in _ILLEGAL:
            raise ValueError(f"illegal={illegal!r} is not allowed; allowed: {', '.join(_ILLEGAL)}")
        self.n, self.episode, self.autoreset, self.illegal = int(n), episode, autoreset, illegal
        single_deal = check_episode(episode)
        self.rules = self._rules(rules, options, draw_rules)
        kinds = self.rules if draw_rules else list(dict.fromkeys(self.rules))
        self._kinds = kinds
        shapes = [game.shape(kind) for kind in kinds]
        self.shape = max(shapes, key=lambda shape: shape.seats)
        if len({(shape.observation.digest, shape.actions) for shape in shapes}) > 1:
            raise ValueError(
                f"{game.name}: the tables of one batch need equal observations and actions; these rules differ"
            )
        self.seats = self.shape.seats
        self._sides = np.full((len(kinds), self.seats), -1, np.int8)
        for sides, its in zip(self._sides, kinds, strict=True):
            sides[: its.seats] = its.teams
        self._blanks = blank_states(game, kinds, single_deal)
        place = {kind: i for i, kind in enumerate(kinds)}
        self._kind = (
            np.zeros(self.n, np.int64) if draw_rules else np.array([place[its] for its in self.rules], np.int64)
        )
        self._players = _Seats(game)
        self._roles(learner, opponents)
        self._bind()
        self._frames = draw_frames(self._code, self._blanks, self.shape)
        self._config["skip_forced"] = bool(skip_forced)
        self._seed = check_seed(seed)
        self._generator = agent_generator(self._seed)
        self._starts, self._given_starts = np.zeros((self.n, self.seats), np.int64), False
        self._started = False
        self._allocate(int(threads))
        self._slots["kind"] = self._kind
        self._config["draw_rules"] = bool(draw_rules)

    def _rules(self, rules: Any, options: Mapping[str, Any], drawn: bool) -> list[Options]:
        if isinstance(rules, Sequence) and not isinstance(rules, str):
            if options:
                raise TypeError(
                    f"{self.game.name}: give either rules= or options by name, not both: {', '.join(options)}"
                )
            if len(rules) != self.n and not (drawn and rules):
                raise ValueError(f"{self.game.name}: rules= lists {len(rules)} rules for {self.n} tables")
            return [make_rules(self.game, its) for its in rules]
        return [make_rules(self.game, rules, **options)] * self.n

    def _bind(self) -> None:
        """Take the machine code that these players need."""
        self._code = compiled.code_of(self.game, self.shape, "go", seated=self._players.built_in)

    def _roles(self, learner: int | str | None, opponents: Any) -> None:
        fewest = int(self._blanks["seats"].min())
        self._config = records(np.zeros(1, _config_dtype(self.game)))
        self._config["autoreset"] = _AUTORESET[self.autoreset]
        self._config["learner"] = NO_LEARNER
        if learner is None:
            return
        if learner == "rotate":
            self._config["learner"] = ROTATE
        elif isinstance(learner, int | np.integer) and not isinstance(learner, bool) and 0 <= learner < fewest:
            self._config["learner"] = learner
        else:
            raise ValueError(
                f"learner={learner!r} is not allowed; allowed: None, 'rotate', or a seat from 0 to {fewest - 1}"
            )
        if isinstance(opponents, Sequence) and not isinstance(opponents, str):
            if fewest != self.seats:
                raise ValueError(
                    f"opponents= lists players, but these tables have {fewest} to {self.seats} seats: give one for all"
                )
            if len(opponents) != self.seats - 1:
                raise ValueError(
                    f"opponents= lists {len(opponents)} players for {self.seats - 1} seats besides the learner's"
                )
            codes = [self._players.code(player) for player in opponents]
        else:
            codes = [self._players.code(opponents)] * (self.seats - 1)
        self._config["opponents"][0, : self.seats - 1] = codes

    def _allocate(self, threads: int) -> None:
        n, seats, shape = self.n, self.seats, self.shape
        self._states = records(np.zeros(n, self.game.state.dtype))
        self._slots = records(np.zeros(n, _slot_dtype(self.game, shape.size)))
        self._slots["status"] = CLOSED
        self._slots["waits"] = CALLER
        self._slots["players"] = CALLER
        self._scratch = records(np.zeros(threads, shape.observation.dtype))
        self._mask_dtype = np.dtype([("legal", np.int8, (shape.size,))])
        self._own: Arrays = {
            "observation": np.zeros((n, shape.features), np.int8),
            "mask": np.zeros((n, shape.size), np.int8),
            "seat": np.zeros(n, np.int8),
            "reward": np.zeros((n, seats), np.float32),
            "points": np.zeros((n, seats), np.float64),
            "terminated": np.zeros(n, np.bool_),
            "truncated": np.zeros(n, np.bool_),
            "final_observation": np.zeros((n, seats, shape.features), np.int8),
        }
        self.arrays: Arrays = dict(self._own)
        self._all = np.arange(n, dtype=np.int64)
        self._none = np.zeros(n, np.int64)
        self.threads = threads
        self._pool: ThreadPoolExecutor | None = None

    def __getattr__(self, name: str) -> Any:
        """The arrays of the last call by name."""
        arrays = self.__dict__.get("arrays", {})
        if name in arrays:
            return arrays[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def reset(
        self,
        seed: int | npt.NDArray[np.int64] | Sequence[int] | None = None,
        *,
        tables: npt.NDArray[np.bool_] | None = None,
        out: Arrays | None = None,
        rng: np.random.Generator | None = None,
    ) -> Arrays:
        """Begin an episode at every table, or at those of ``tables`` bool [n], and return the arrays.

        They are written into ``out`` if it is given. With an int, table i takes seed + i; with an array [n], its own;
        with None it goes to its next episode (at first: to the one of the batch's seed). ``rng`` is what agents
        called by Python draw on; a seed makes it anew. An illegal seed or a wrong array is a ValueError.
        """
        which = self._all if tables is None else np.flatnonzero(_checked("tables", tables, (self.n,), np.bool_))
        if not self._started and len(which) < self.n:
            raise ValueError("the first reset of a batch is of all its tables")
        seeds, episodes = self._seeds(seed)
        self._target(out, which)
        if rng is not None:
            self._generator = rng
        elif seed is not None and tables is None:
            self._generator = agent_generator(*seeds.tolist())
        self._go(which, BEGIN, seeds=seeds, episodes=episodes)
        self._started = True
        self._ask_agents()
        return self.arrays

    def _seeds(self, seed: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        fresh = np.zeros(self.n, np.int64)
        if seed is None:
            if self._started:
                return self._states["first"].copy(), self._states["episode"] + 1
            seed = self._seed
        if isinstance(seed, int | np.integer):
            first = check_seed(seed)
            check_seed(first + self.n - 1)  # the last table's
            return first + self._all, fresh
        seeds = np.asarray(seed)
        whole = seeds.shape == (self.n,) and np.issubdtype(seeds.dtype, np.integer)
        if not whole or (seeds < 0).any() or (seeds > MAX_SEED).any():
            raise ValueError(f"seed= must be one whole number or {self.n}, from 0 to 2**63 - 1")
        return seeds.astype(np.int64), fresh

    def step(self, actions: npt.NDArray[Any], out: Arrays | None = None) -> Arrays:
        """Play one decision int64 [n] at every table and all that follows from it, and return the arrays.

        They are written into ``out`` if it is given. Tables that wait for their reset ignore their action. An illegal
        action raises IllegalAction and no table has moved, or with illegal="lose" ends that table's episode.
        """
        if not self._started:
            raise ValueError("reset the batch before its first step")
        actions = np.asarray(actions)
        if actions.shape != (self.n,) or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(f"actions must be {self.n} whole numbers, not {actions.dtype} {list(actions.shape)}")
        actions = np.ascontiguousarray(actions, np.int64)
        closed = self._slots["status"] == CLOSED if self.autoreset == "off" else None
        which = self._all if closed is None or not closed.any() else np.flatnonzero(~closed)
        if len(which) == 0:
            raise ValueError("every table is finished; reset the batch")
        if self.illegal == "raise":
            self._check(which, actions, None)
        self._target(out, which)
        self._go(which, STEP, actions)
        self._ask_agents()
        return self.arrays

    def _check(self, which: npt.NDArray[np.int64], actions: npt.NDArray[np.int64], agent: str | None) -> None:
        i = self._code.first_illegal(which, actions, self._slots)
        if i >= 0:
            legal = np.flatnonzero(self._slots["legal"][i]).tolist()
            error = illegal_action(self.shape.actions, int(self._states["turn"][i]), int(actions[i]), legal, int(i))
            raise error if agent is None else IllegalAction(f"player {agent}: {error}")

    def _target(self, out: Arrays | None, which: npt.NDArray[np.int64]) -> None:
        """Choose the arrays to write into and clear what tells of an ended episode.

        Rows not written now are carried over.
        """
        arrays = dict(self._own)
        for name, array in (out or {}).items():
            if name not in self._own:
                raise ValueError(f"out= has no array {name!r}; arrays: {', '.join(self._own)}")
            own = self._own[name]
            arrays[name] = _checked(f"out[{name!r}]", array, own.shape, own.dtype.type)
        all_tables = len(which) == self.n
        for name, array in arrays.items():
            if not all_tables and array is not self.arrays[name]:
                array[...] = self.arrays[name]
        for name in ("reward", "points", "terminated", "truncated"):
            arrays[name][... if all_tables else which] = 0
        self.arrays = arrays

    def _go(
        self,
        which: npt.NDArray[np.int64],
        task: int,
        actions: npt.NDArray[np.int64] | None = None,
        seeds: npt.NDArray[np.int64] | None = None,
        episodes: npt.NDArray[np.int64] | None = None,
    ) -> None:
        """Do a task of ``loops.go`` at the tables, in slices of one thread each."""
        a, observation, none = self.arrays, self.shape.observation.dtype, self._none
        seen = records(a["observation"].view(observation).reshape(self.n))
        masks = records(a["mask"].view(self._mask_dtype).reshape(self.n))
        finals = records(a["final_observation"].view(observation).reshape(self.n, self.seats))

        given = [none if array is None else array for array in (actions, seeds, episodes)]
        fixed = (self._blanks, self._frames, self._config)
        tables = (self._starts, self._given_starts, self._states, self._slots, *fixed, seen, masks)
        results = (a["seat"], a["reward"], a["points"], a["terminated"], a["truncated"], finals, self._scratch)

        def call(row: int, part: npt.NDArray[np.int64]) -> None:
            self._code.go(part, task, *given, *tables, *results, row)

        self._share(call, which)

    def _share(self, call: Any, which: npt.NDArray[np.int64]) -> None:
        parts = min(self.threads, max(1, len(which) // _SMALL))
        if parts == 1:
            call(0, which)
            return
        if self._pool is None:
            self._pool = ThreadPoolExecutor(self.threads, thread_name_prefix="karty")
        list(self._pool.map(call, range(parts), np.array_split(which, parts)))

    def _ask_agents(self) -> None:
        """Let agents called by Python decide until every table waits for the caller.

        If one of them fails, the tables stand in the middle of a step: the batch must be reset before it goes on.
        """
        started, self._started = self._started, False
        while self._players.agents and (self._slots["waits"] >= PYTHON).any():
            actions = np.zeros(self.n, np.int64)
            for k, agent in enumerate(self._players.agents):
                tables = np.flatnonzero(self._slots["waits"] == PYTHON + k)
                if len(tables):
                    actions[tables] = self._answer(agent, tables)
                    self._check(tables, actions, getattr(agent, "name", type(agent).__name__))
            self._go(np.flatnonzero(self._slots["waits"] >= PYTHON), ANSWER, actions)
        self._started = started

    def _answer(self, agent: Player, tables: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """What an agent does at the tables; ValueError if that is not one whole number for each."""
        seen, mask = self.arrays["observation"][tables], self.arrays["mask"][tables]
        chosen = np.asarray(agent.act(seen, mask, self._generator))
        if chosen.shape != (len(tables),) or not np.issubdtype(chosen.dtype, np.integer):
            name, what = getattr(agent, "name", type(agent).__name__), f"{chosen.dtype} {list(chosen.shape)}"
            raise ValueError(f"player {name}: act() must give {len(tables)} whole numbers, not {what}")
        return chosen

    @property
    def sides(self) -> npt.NDArray[np.int8]:
        """The side of each seat, int8 [n, P], by the rules of the episode that each table plays now.

        In teams it is the team's number, else the seat itself; -1 for a seat that the table does not have.
        """
        sides: npt.NDArray[np.int8] = self._sides[self._slots["kind"]]
        return sides

    def choose(self, player: str) -> npt.NDArray[np.int64]:
        """The actions int64 [n] of a built-in player for the seat asked at every table, by its last observation."""
        number, code = self._built_in(player), self._code
        if player != "random":
            code = compiled.code_of(self.game, self.shape, "choose_tables")
        actions = np.zeros(self.n, np.int64)
        seen = records(self.arrays["observation"].view(self.shape.observation.dtype).reshape(self.n))
        asked = self._all if self.autoreset == "same" else np.flatnonzero(self._slots["status"] == PLAYING)

        def call(row: int, part: npt.NDArray[np.int64]) -> None:
            code.choose_tables(part, number, self._states, self._slots, seen, actions)

        self._share(call, asked)
        return actions

    def hidden(self, out: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
        """Write what each seat asked cannot see into ``out`` int8 [n, H], for full-information critics only."""
        rows = _checked("out", out, (self.n, self.shape.hidden.size), np.int8)
        cards = records(rows.view(self.shape.hidden.dtype).reshape(self.n))
        self._code.hide_tables(self._all, self._states, self.arrays["seat"], cards)
        return rows

    def play_ahead(
        self, player: str, wanted: npt.NDArray[np.bool_], out: npt.NDArray[np.float32], *, whole: bool = False
    ) -> npt.NDArray[np.float32]:
        """Write what each action would bring every seat, if ``player`` then plays on.

        A built-in player, in all seats. ``wanted``: bool [n, A], the actions to try; of these the legal ones are
        written into ``out`` float32 [n, A, P], the others stay as they are: points of the deal, or the reward of the
        ``whole`` episode. All cards lie where they are and the tables do not move: like ``hidden``, for critics that
        see all cards only. ValueError if there is no such player.
        """
        rows = _checked("out", out, (self.n, self.shape.size, self.seats), np.float32)
        _checked("wanted", wanted, (self.n, self.shape.size), np.bool_)
        number, code = self._built_in(player), compiled.code_of(self.game, self.shape, "play_ahead")
        spare = records(np.zeros(self.threads, self.game.state.dtype))
        masks = records(np.zeros(self.threads, self._mask_dtype))
        fixed = (self._states, self._slots, wanted, spare, self._frames, self._scratch, masks)

        def call(row: int, part: npt.NDArray[np.int64]) -> None:
            code.play_ahead(part, number, whole, self.game.gain, *fixed, rows, row)

        self._share(call, self._all)
        return rows

    def _built_in(self, player: str) -> int:
        """The code of a built-in player; ValueError if there is none of that name, or nobody has been dealt cards."""
        if not self._started:
            raise ValueError("reset the batch before its first choice")
        names = players(self.game.name)
        if player not in names:
            raise ValueError(f"{self.game.name}: there is no built-in player {player!r}; players: {', '.join(names)}")
        return names.index(player)

    def play_out(self, episodes: int) -> int:
        """Play whole episodes of uniformly random legal play at every table, unobserved: how many decisions that took.

        Nobody has observed where the tables stand then, so ``reset`` comes before the next ``step``.
        """
        if not self._started:
            self.reset()
        counts = np.zeros(self.threads, np.int64)

        def call(row: int, part: npt.NDArray[np.int64]) -> None:
            counts[row] = self._code.play_out(part, self._states, self._slots, self._blanks, int(episodes))

        self._share(call, self._all)
        self._started = False
        return int(counts.sum())

    @property
    def finished(self) -> npt.NDArray[np.bool_]:
        """Which tables wait for a reset, bool [n]."""
        return np.asarray(self._slots["status"] != PLAYING)

    @property
    def decisions(self) -> npt.NDArray[np.int64]:
        """How many decisions all seats have made in each table's episode, int64 [n]."""
        return np.asarray(self._slots["decisions"])

    @property
    def passed_over(self) -> npt.NDArray[np.int64]:
        """How many episodes in which the learner was not asked each table has played and passed over, int64 [n]."""
        return np.asarray(self._slots["passed_over"])

    @property
    def passed_return(self) -> npt.NDArray[np.float64]:
        """The sum of their rewards, float64 [n, P]."""
        return np.asarray(self._slots["passed_return"][:, : self.seats])

    def table(self, i: int) -> Table:
        """A copy of table i, to look at or to play on by itself."""
        kind = int(self._slots["kind"][i])
        table = Table(self.game, self._kinds[kind], episode=self.episode)
        table._states[0] = self._states[i]
        table._started = True
        return table

    def infos(self, *, ended: bool = False) -> dict[str, npt.NDArray[np.float64]]:
        """What the game tells besides (``Game.infos``), float64 [n] by key.

        Of all tables as they are now, or as they were at the end of the last episode that has ``ended`` there.
        """
        told = self._slots if ended else self._states
        return {key: told[name].astype(np.float64) for key, name in self.game.infos.items()}

    def get_state(self) -> bytes:
        """The states of all tables as bytes."""
        return snapshot.pack(self.game, self._states)

    def set_state(self, data: bytes) -> Arrays:
        """Take the states of n tables with the same rules from ``get_state``, table by table unless they are drawn.

        StateError (a ValueError) if the bytes are none. Every table must be at a decision or finished; the arrays are
        written anew, and a finished table tells its rewards and flags again.
        """
        decks = [self.game.shape(rules).deck for rules in self._kinds]
        kinds = None if self._config["draw_rules"][0] else self._kind
        states, kind = snapshot.unpack(self.game, data, self.n, self._blanks, decks, self._code, self.shape.size, kinds)
        self._states[:] = states
        self._slots["kind"] = kind
        self._started = True
        self._target(None, self._all)
        self._go(self._all, RESUME)
        self._ask_agents()
        return self.arrays

    def __copy__(self) -> Batch:
        """The same as ``clone``."""
        return self.clone()

    def __deepcopy__(self, memo: Any) -> Batch:
        """The same as ``clone``."""
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but threads and machine code, which are made anew."""
        return {name: value for name, value in self.__dict__.items() if name not in ("_pool", "_code")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take back what ``__getstate__`` gave."""
        self.__dict__.update(state, _pool=None)
        self._bind()
        for name in ("_states", "_slots", "_scratch", "_config", "_blanks", "_frames"):
            self.__dict__[name] = records(self.__dict__[name])

    def clone(self) -> Batch:
        """A batch of its own in the same state, with the same agents."""
        twin = object.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        for name in ("_states", "_slots", "_scratch"):
            setattr(twin, name, getattr(self, name).copy())
        twin._own = {name: array.copy() for name, array in self.arrays.items()}
        twin.arrays = dict(twin._own)
        twin._generator = copy.deepcopy(self._generator)
        twin._pool = None
        return twin


make_batch = Batch
"""The public name of the batch engine: ``karty.make_batch(game, n, …)``."""


def play_episodes(
    game: Game | str,
    players: Sequence[str | Player],
    seeds: npt.NDArray[np.int64] | Sequence[int],
    /,
    *,
    rules: Options | Mapping[str, Any] | Sequence[Options] | None = None,
    episode: str = "deal",
    start: npt.NDArray[np.int64] | None = None,
    threads: int = 1,
    rng: np.random.Generator | None = None,
    **options: Any,
) -> Arrays:
    """Play the episode of each seed to its end, seat s held by players[s].

    Gives ``reward`` and ``points`` float64 [m, P], ``truncated`` bool [m], ``decisions`` int64 [m]. ``start`` int64
    [m, P] are scores to start from. ValueError if players and seats do not agree.
    """
    seeds = np.asarray(seeds)
    batch = Batch(game, len(seeds), rules=rules, episode=episode, autoreset="off", threads=threads, **options)
    if len(players) != batch.seats or batch.seats != int(batch._blanks["seats"].min()):
        raise ValueError(f"{batch.game.name}: {len(players)} players for {batch.seats} seats")
    batch._config["report_all"] = True
    batch._slots["players"][:, : batch.seats] = [batch._players.code(player) for player in players]
    batch._bind()
    if start is not None:
        batch._starts[:], batch._given_starts = start, True
        if not all(partners_agree(kind, batch._starts[batch._kind == k]) for k, kind in enumerate(batch._kinds)):
            raise ValueError(f"{batch.game.name}: partners start from the same score")
    batch.reset(seeds, rng=rng)
    return {
        "reward": batch.arrays["reward"].astype(np.float64),
        "points": batch.arrays["points"].copy(),
        "truncated": batch.arrays["truncated"].copy(),
        "decisions": batch.decisions.copy(),
    }


def choose_rows(
    game: Game,
    player: str,
    observation: npt.NDArray[np.int8],
    mask: npt.NDArray[np.int8],
    rng: np.random.Generator,
    rules: Options | None = None,
) -> npt.NDArray[np.int64]:
    """What a built-in player would do, int64 [m], for observations int8 [m, F] and masks int8 [m, A] from anywhere."""
    shape, rows = game.shape(rules), len(mask)
    states = records(np.zeros(rows, game.state.dtype))  # a choice looks at nothing of it but the stream
    states["choices"] = rng.integers(0, 1 << 63, (rows, 1), dtype=np.uint64)
    slots = records(np.zeros(rows, _slot_dtype(game, shape.size)))
    slots["legal"] = mask
    seen = records(np.ascontiguousarray(observation).view(shape.observation.dtype).reshape(rows))
    actions = np.zeros(rows, np.int64)
    code = compiled.code_of(game, shape, "choose_tables")
    code.choose_tables(np.arange(rows), players(game.name).index(player), states, slots, seen, actions)
    return actions


def _slot_dtype(game: Game, actions: int) -> np.dtype[np.void]:
    """What the engine keeps about a table besides its state; see ``loops``.

    With room for as many seats as the game ever has: so the machine code is the same for any number of them.
    """
    seats = game.state["scores"].size
    numbers = ("kind", "status", "waits", "asked", "decisions", "passed_over", "learner", "revoked", "margin")
    floats = ("reward", "points", "passed_return")
    return np.dtype(
        [(name, np.int64) for name in numbers]
        + [("players", np.int64, (seats,))]
        + [(name, np.float64, (seats,)) for name in floats]
        + [("legal", np.int8, (actions,))],
        align=True,
    )


def _config_dtype(game: Game) -> np.dtype[np.void]:
    """What is the same for all tables of a batch; with room for seats as above."""
    seats = game.state["scores"].size
    return np.dtype(
        [(name, np.int64) for name in ("autoreset", "learner", "skip_forced", "report_all", "draw_rules")]
        + [("opponents", np.int64, (seats,))]
    )


def _checked(name: str, array: Any, shape: tuple[int, ...], dtype: Any) -> npt.NDArray[Any]:
    """The array itself; ValueError unless it is a C-contiguous array of this shape and dtype."""
    good = isinstance(array, np.ndarray) and array.shape == shape and array.dtype == dtype and array.flags.c_contiguous
    if good and not array.flags.writeable:
        raise ValueError(f"{name} is read-only")
    if not good:
        found = f"{array.dtype} {list(array.shape)}" if isinstance(array, np.ndarray) else type(array).__name__
        raise ValueError(f"{name} must be a C-contiguous {np.dtype(dtype)} {list(shape)}, not {found}")
    checked: npt.NDArray[Any] = array
    return checked
