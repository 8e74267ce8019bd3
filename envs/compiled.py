"""A game's machine code: the loops of ``loops.py`` bound to its kernels and its built-in players."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, NamedTuple

from . import kernel, loops
from .game import Game, Shape

# By what they depend on, so that nothing is compiled once more for another number of seats or another player. Each has
# one signature under its name: of two, compiled by two processes at once, one would be taken for the other later.
_RULES = (
    "table_open", "table_advance", "table_play", "table_legal", "table_follow", "table_returns", "table_forfeit",
    "table_determinize", "branch",
)  # fmt: skip
_SIGHT = (  # and the table's shape
    "draw_frames", "hide_tables", "table_observe", "table_hide", "first_illegal", "play_out", "survey",
)  # fmt: skip
_SEATED = ("go", "choose_tables", "play_ahead", "table_choose", "table_trace")  # and the built-in players
# What they call, inner loops before outer ones.
_RULES_INNER = ("any_of", "settle", "open_episode", "forfeit", "score_episode")
_SEATED_INNER = ("sole", "decide", "play_on", "seat_players", "begin_episode")

_LONGEST = 64

_Kernels = dict[str, Callable[..., Any]]


class _Player(NamedTuple):
    """A built-in player: its kernel, and which of the kernel's tempers it is, None if the kernel takes none."""

    choose: Callable[..., Any]
    temper: int | None = None


_players: dict[str, dict[str, _Player]] = {}
_looked_for: set[tuple[str, str, bool]] = set()
_announced: set[str] = set()


def register_player(game: str, name: str, choose: Callable[..., Any]) -> None:
    """Make a compiled kernel ``choose(o, mask, chance) -> action`` known as a built-in player of the game.

    ``o`` is the observation record of the seat asked, ``mask`` int8 [A], ``chance`` a stream for ``chance.draw``.
    ValueError if the game has a player of this name already.
    """
    _register(game, {name: _Player(choose)})


def register_tempers(game: str, names: Sequence[str], choose: Callable[..., Any]) -> None:
    """Make one compiled kernel ``choose(o, mask, chance, temper) -> action`` known as several players of the game.

    ``temper`` is the place in ``names`` of the one that is asked; the rest as for ``register_player``. The machine code
    holds the kernel once, however many names it has. ValueError if the game has a player of one of these names already.
    """
    _register(game, {name: _Player(choose, temper) for temper, name in enumerate(names)})


def _register(game: str, new: dict[str, _Player]) -> None:
    """Add players after those that the game has."""
    known = _players.setdefault(game, {})
    for name in new:
        if name in known or name == "random":
            raise ValueError(f"{game}: there is a built-in player {name!r} already")
    known.update(new)


def players(game: str) -> tuple[str, ...]:
    """The names of a game's built-in players in the order of their codes; the first is ``random``."""
    return ("random", *_players.get(game, {}))


@cache
def _build(game: Game, shape: Shape, names: tuple[str, ...]) -> SimpleNamespace:
    """Bind all loops; compiled is each at its first call."""
    known = [_players[game.name][name] for name in names[1:]]
    tempers = ["" if player.temper is None else str(player.temper) for player in known]
    who = "_".join(map("".join, zip(names, ("", *tempers), strict=True))).replace("-", "_")
    if len(who) > _LONGEST:  # it becomes part of file names
        who = hashlib.sha256(who.encode()).hexdigest()[:16]
    # Players from outside the package are told apart by their source too: its digest is not the cache folder's.
    who += kernel.outside(player.choose for player in known)
    label = f"{_label(game, shape)}_{who}"
    kernels, entries = _sight(game, shape)
    kernels = {**kernels, "choose": _chooser(_askers(known, kernels, label), label)}
    _bind(kernels, _SEATED_INNER, label)
    return SimpleNamespace(**entries, **_entries(kernels, _SEATED, label))


@cache
def _sight(game: Game, shape: Shape) -> tuple[_Kernels, _Kernels]:
    """The kernels that the loops of one shape call, and the entry points that no player is needed for."""
    kernels, entries = _rules(game)
    kernels, label = dict(kernels), _label(game, shape)
    _bind(kernels, ("see",), label)
    return kernels, {**entries, **_entries(kernels, _SIGHT, label)}


@cache
def _rules(game: Game) -> tuple[_Kernels, _Kernels]:
    """The kernels that all loops of a game call, and the entry points that see no layout."""
    kernels = dict(game.kernels)
    _bind(kernels, _RULES_INNER, game.name)
    return kernels, _entries(kernels, _RULES, game.name)


def _label(game: Game, shape: Shape) -> str:
    """What tells apart the machine code of tables whose records differ: by layout and actions."""
    return f"{game.name}_{shape.observation.digest[:6]}_{shape.size}"


def _bind(kernels: _Kernels, names: tuple[str, ...], label: str) -> None:
    """Add inner loops to the kernels, each with those before it."""
    for name in names:
        kernels[name] = _bound(name, kernels, label)


def _entries(kernels: _Kernels, names: tuple[str, ...], label: str) -> _Kernels:
    """Entry points by name."""
    return {name: kernel.entry(getattr(loops, name), kernels, f"{name}_{label}") for name in names}


def _askers(known: list[_Player], kernels: _Kernels, label: str) -> list[tuple[int, Any]]:
    """What asks each kernel, once for all its tempers, and the first number that it is asked for."""
    askers = []
    for number, player in enumerate(known, 1):
        if not player.temper:
            ask = "choose_alone" if player.temper is None else "choose_tempered"
            askers.append((number, _bound(ask, {"INDEX": number, "first": player.choose}, f"{label}_{number}")))
    return askers or [(loops.ANY, _bound("choose_any", kernels, label))]


def _chooser(askers: list[tuple[int, Any]], label: str) -> Any:
    """What asks the player with a number: the list is halved until one is left."""
    if len(askers) == 1:
        return askers[0][1]
    half = len(askers) // 2
    first, rest = _chooser(askers[:half], label), _chooser(askers[half:], label)
    asked = {"INDEX": askers[half][0], "first": first, "rest": rest}
    return _bound("choose_among", asked, f"{label}_{askers[0][0]}_{len(askers)}")


def _bound(name: str, kernels: dict[str, Any], label: str) -> Any:
    """An inner loop with its kernels, compiled into whatever calls it."""
    return kernel.rule(kernel.bind(getattr(loops, name), kernels, f"{name}_{label}"))


def code_of(game: Game, shape: Shape, first: str, *, seated: bool = True) -> SimpleNamespace:
    """The game's entry points by the names of the loops; says on stderr if the first to be used must be compiled.

    It says so once a game and process, whatever is compiled later: the line tells of all of it.
    Where no built-in player but ``random`` is ``seated``, the loops are made without them: which compiles quicker.
    """
    code = _build(game, shape, players(game.name) if seated else ("random",))
    if game.name not in _announced and (game.name, first, seated) not in _looked_for:
        _looked_for.add((game.name, first, seated))
        if not kernel.is_kept(getattr(code, first)):
            _announced.add(game.name)
            kernel.announce(game.title)
    return code
