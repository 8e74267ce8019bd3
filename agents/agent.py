"""What an agent is, and how a name becomes one."""

from __future__ import annotations

import importlib
import inspect
import os
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from karty.agents.random import uniform, uniform_probabilities
from karty.envs import engine
from karty.envs.game import Game, make_rules
from karty.envs.games import find_game

WEIGHTS = Path(__file__).parent / "weights"


class AgentError(ValueError):
    """An agent cannot be found or loaded, does not fit the game, or answered what is no answer."""


@runtime_checkable
class Agent(Protocol):
    """Whoever can hold a seat: a name and one method."""

    name: str

    def act(self, observation: NDArray[np.int8], mask: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """One action for each row.

        observation: [m, F] int8 as the engine writes it, mask: [m, A] int8 (1 where legal), rng: the only source of
        chance an agent should use. Returns [m] int64 action ids.
        """
        ...


class CompiledPlayer:
    """A player whose kernel the engine knows by name (`kernel_name`), so that it is played inside the call."""

    def __init__(self, game: str | Game, name: str, rules: Any = None) -> None:
        self.game = find_game(game)
        self.name = self.kernel_name = name
        self._rules = make_rules(self.game, rules)

    def act(self, observation: NDArray[np.int8], mask: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """One action a row. observation: [m, F] int8, mask: [m, A] int8; returns [m] int64."""
        if self.kernel_name == "random":
            return uniform(mask, rng)
        return engine.choose_rows(self.game, self.kernel_name, observation, mask, rng, self._rules)

    def __getattr__(self, name: str) -> Any:
        """`probabilities`, which only the player of random actions has."""
        if name == "probabilities" and self.__dict__.get("kernel_name") == "random":
            return uniform_probabilities
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")


def probabilities(agent: Agent, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.float64]:
    """How likely the agent takes each action, [m, A] float64: 0 where not legal, each row sums to 1.

    observation: [m, F] int8, mask: [m, A] int8. An agent with a method `probabilities(observation, mask)` tells it
    itself; any other is taken to do always what it does now. Raises AgentError for one that draws lots and does not
    tell: asked twice with other lots, it answers differently somewhere.
    """
    tell = getattr(agent, "probabilities", None)
    if callable(tell):
        told: NDArray[np.float64] = np.asarray(tell(observation, mask), np.float64)
        if told.shape != mask.shape:
            raise AgentError(
                f"agent {agent.name}: probabilities returned an array of shape {told.shape}; it must be {mask.shape}"
            )
        return told
    first, second = (agent.act(observation, mask, np.random.default_rng(seed)) for seed in (1, 2))
    if np.any(first != second):
        raise AgentError(
            f"agent {agent.name} draws lots; how likely each action is must be told by a method"
            " probabilities(observation, mask)"
        )
    return surely(first, mask.shape[1])


def surely(actions: NDArray[np.int64], size: int) -> NDArray[np.float64]:
    """The probabilities [m, A] float64 of players who always take these actions [m] of so many (A)."""
    return np.asarray(np.arange(size) == actions[:, None], np.float64)


class UserAgent:
    """An agent of the user's own behind a check: what it returns, and how it fails, is reported under its name."""

    def __init__(self, agent: Any, name: str, actions: tuple[str, ...]) -> None:
        self.agent = agent
        # It stands in tables and messages: in one line, and a terminal is not to take orders from it.
        self.name = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
        self._actions = actions
        if callable(getattr(agent, "probabilities", None)):
            self.probabilities = self._probabilities

    def _probabilities(self, observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Any:
        """The agent's own answer. observation: [m, F] int8, mask: [m, A] int8."""
        with _their_own(f"agent {self.name}: probabilities failed"):
            return self.agent.probabilities(observation.copy(), mask.copy())

    def act(self, observation: NDArray[np.int8], mask: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """The agent's own answer, checked. observation: [m, F] int8, mask: [m, A] int8; returns [m] int64."""
        with _their_own(f"agent {self.name}: act failed"):
            answer = self.agent.act(observation.copy(), mask.copy(), rng)
        return check_actions(self.name, answer, mask, self._actions)


def check_actions(
    name: str, answer: Any, mask: NDArray[np.int8], actions: tuple[str, ...] | None = None
) -> NDArray[np.int64]:
    """What an agent returned, as [m] int64, or an AgentError that names the agent and what is wrong.

    mask: [m, A] int8; actions: the names of the A actions, for the message.
    """
    try:
        given = np.asarray(answer)
    except ValueError:
        given = np.empty((), dtype=object)
    rows = len(mask)
    if given.shape != (rows,):
        raise AgentError(
            f"agent {name}: act returned an array of shape {given.shape}; it must return one action a row, ({rows},)"
        )
    if given.dtype.kind not in "iu":
        raise AgentError(f"agent {name}: act returned {given.dtype}; it must return whole numbers (int64)")
    chosen = given.astype(np.int64)
    inside = (chosen >= 0) & (chosen < mask.shape[1])
    legal = inside & (mask[np.arange(rows), np.where(inside, chosen, 0)] != 0)
    if not legal.all():
        row = int(np.flatnonzero(~legal)[0])
        names = actions or tuple(str(action) for action in range(mask.shape[1]))
        said = f"{chosen[row]} ({names[chosen[row]]})" if inside[row] and actions else str(chosen[row])
        may = ", ".join(names[action] for action in np.flatnonzero(mask[row]))
        raise AgentError(f"agent {name}: action {said} is not legal in row {row}; legal are: {may}")
    return chosen


def agent_names(game: str | Game) -> tuple[str, ...]:
    """The names `load_agent` knows for this game: compiled players, then the networks that come with the package."""
    game = find_game(game)
    compiled = engine.players(game.name)
    networks = {OF_SEATS.sub("", path.stem) for path in (WEIGHTS / game.name).glob("*.safetensors")}
    return (*compiled, *sorted(networks.difference(compiled)))


OF_SEATS = re.compile(r"-\dp$")
"""An agent has a file for each number of seats if these see different things: `ppo-2p.safetensors`."""


def _weights(game: Game, name: str, rules: Any) -> Path:
    """The file of a network that comes with the package, the one for so many seats if there is one."""
    folder, seats = WEIGHTS / game.name, make_rules(game, rules).seats
    own = folder / f"{name}-{seats}p.safetensors"
    return own if own.is_file() else folder / f"{name}.safetensors"


def load_agent(game: str | Game, name: str | os.PathLike[str], rules: Any = None) -> Agent:
    """The agent of this name: built in, a network's file or run folder, or a class of one's own.

    game: a Game or its name. name: one of `agent_names(game)`, a path that ends in `.safetensors`, a run folder, or
    `module:Class` (the current folder is looked into as well). rules: the rules it is to play, a Rules or its dict.
    Raises AgentError, one line, when there is no such agent or when it does not fit.
    """
    game = find_game(game)
    text = os.fspath(name)
    if text in engine.players(game.name):
        return CompiledPlayer(game, text, rules)
    if text in agent_names(game):
        return _network(game, _weights(game, text, rules), rules)
    path = Path(text)
    if text.endswith(".safetensors") and not path.is_file():
        raise AgentError(f"agent {text!r}: there is no such file")
    if text.endswith(".safetensors") or (text and path.is_dir()):
        return _network(game, path, rules)
    module, colon, attribute = text.partition(":")
    if module and colon and attribute:
        return _own(game, module, attribute, rules)
    raise AgentError(
        f"no agent {text!r} for {game.name}: there are {', '.join(agent_names(game))};"
        " or give a .safetensors file, a run folder, or module:Class"
    )


def as_agent(game: str | Game, agent: str | os.PathLike[str] | Agent, rules: Any = None) -> Agent:
    """An agent object, from its name or from an object with `act` (which is then checked as it plays)."""
    if isinstance(agent, str | os.PathLike):
        return load_agent(game, agent, rules)
    if isinstance(agent, CompiledPlayer | UserAgent):
        return agent
    return _checked(find_game(game), agent, type(agent).__name__, rules)


def _network(game: Game, path: Path, rules: Any) -> Agent:
    """A network agent; without torch the one line that says what to install."""
    try:
        from karty.agents.network import load_network
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("torch", "safetensors"):
            raise
        raise AgentError(
            f"agent {str(path)!r} is a network and needs {error.name}: pip install 'karty[train]'"
        ) from error
    agent: Agent = load_network(game, path, rules)
    return agent


def _own(game: Game, module: str, attribute: str, rules: Any) -> Agent:
    """An agent of the user's own: `module:Class`, or `module:object` with `act`."""
    label = f"agent {module}:{attribute}"
    if os.getcwd() not in sys.path and "" not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        with _their_own(f"{label}: {module} cannot be imported", ModuleNotFoundError):
            found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise AgentError(f"{label}: there is no module {error.name!r} here or among the installed ones") from error
    try:
        agent = getattr(found, attribute)
    except AttributeError as error:
        raise AgentError(f"{label}: {module} has no {attribute}") from error
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"{label}: {attribute} has no method act(observation, mask, rng)")
    if inspect.isclass(agent):
        # A class may ask for the game and the rules by these parameter names; others must have defaults.
        offered = {"game": game, "rules": rules}
        with _their_own(f"{label}: {attribute} cannot be made"):
            wanted = inspect.signature(agent).parameters
            agent = agent(**{key: value for key, value in offered.items() if key in wanted})
    return _checked(game, agent, attribute, rules)


def _checked(game: Game, agent: Any, name: str, rules: Any) -> Agent:
    """The agent behind a check, under its own name or else the given one."""
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"agent {name}: there is no method act(observation, mask, rng)")
    with _their_own(f"agent {name}: its name cannot be read"):
        own = getattr(agent, "name", None)
    actions = game.action_names(make_rules(game, rules))
    return UserAgent(agent, own if isinstance(own, str) and own else name, actions)


@contextmanager
def _their_own(what: str, *passed: type[Exception]) -> Iterator[None]:
    """Run the user's own code: what it raises, an exit too, becomes an AgentError; what it prints goes to stderr."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except BaseException as error:
        if isinstance(error, (KeyboardInterrupt, *passed)):
            raise
        raise AgentError(f"{what}: {_where(error)}") from error


def _where(error: BaseException) -> str:
    """An exception in one line, with the place in the user's file."""
    if isinstance(error, SyntaxError):
        return f"SyntaxError: {error.msg} ({Path(error.filename or '').name}, line {error.lineno})"
    last = traceback.extract_tb(error.__traceback__)[-1]
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0] if said else ''} ({Path(last.filename).name}, line {last.lineno})"
