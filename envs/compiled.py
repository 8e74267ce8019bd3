"""A game's machine code: the loops of ``loops.py`` bound to its kernels and its built-in players."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

from . import kernel, loops
from .game import Game
from .layout import Layout

_INNER = (
    "settle", "open_episode", "see", "sole", "decide", "play_on", "forfeit", "score_episode", "seat_players",
    "begin_episode",
)  # fmt: skip
_BATCH = ("draw_frames", "go", "first_illegal", "choose_tables", "hide_tables", "play_ahead", "play_out")
_TABLE = (
    "table_open", "table_advance", "table_play", "table_legal", "table_observe", "table_hide", "table_choose",
    "table_trace", "table_follow", "table_returns", "table_forfeit", "table_determinize",
)  # fmt: skip

_LONGEST = 64

_players: dict[str, dict[str, Callable[..., Any]]] = {}
_announced: set[tuple[str, str, bool]] = set()


def register_player(game: str, name: str, choose: Callable[..., Any]) -> None:
    """Make a compiled kernel ``choose(o, mask, chance) -> action`` known as a built-in player of the game.

    ``o`` is the observation record of the seat asked, ``mask`` int8 [A], ``chance`` a stream for ``chance.draw``.
    ValueError if the game has a player of this name already.
    """
    known = _players.setdefault(game, {})
    if name in known or name == "random":
        raise ValueError(f"{game}: there is a built-in player {name!r} already")
    known[name] = choose


def players(game: str) -> tuple[str, ...]:
    """The names of a game's built-in players in the order of their codes; the first is ``random``."""
    return ("random", *_players.get(game, {}))


@cache
def _build(game: Game, observation: Layout, names: tuple[str, ...]) -> SimpleNamespace:
    """Bind all loops; compiled is each at its first call."""
    who = "_".join(names).replace("-", "_")
    if len(who) > _LONGEST:  # it becomes part of file names
        who = hashlib.sha256(who.encode()).hexdigest()[:16]
    # Players from outside the package are told apart by their source too: its digest is not the cache folder's.
    who += kernel.outside(_players[game.name][name] for name in names[1:])
    label = f"{game.name}_{observation.digest[:6]}_{who}"
    kernels: dict[str, Any] = dict(game.kernels)
    kernels["any_of"] = _bound("any_of", {}, label)
    choices = [_bound("choose_any", kernels, label), *(_players[game.name][name] for name in names[1:])]
    kernels["choose"] = _chooser(choices, 0, label)
    for name in _INNER:
        kernels[name] = _bound(name, kernels, label)
    return SimpleNamespace(
        **{name: kernel.entry(getattr(loops, name), kernels, f"{name}_{label}") for name in (*_BATCH, *_TABLE)}
    )


def _chooser(choices: list[Any], start: int, label: str) -> Any:
    """What asks the player with a number, from ``start`` on: the list is halved until one is left."""
    label = f"{label}_{start}_{len(choices)}"
    if len(choices) == 1:
        return _bound("choose_alone", {"first": choices[0]}, label)
    half = len(choices) // 2
    first, rest = _chooser(choices[:half], start, label), _chooser(choices[half:], start + half, label)
    return _bound("choose_among", {"INDEX": start + half, "first": first, "rest": rest}, label)


def _bound(name: str, kernels: dict[str, Any], label: str) -> Any:
    """An inner loop with its kernels, compiled into whatever calls it."""
    return kernel.rule(kernel.bind(getattr(loops, name), kernels, f"{name}_{label}"))


def code_of(game: Game, observation: Layout, first: str, *, seated: bool = True) -> SimpleNamespace:
    """The game's entry points by the names of the loops; says on stderr if the first to be used must be compiled.

    Where no built-in player but ``random`` is ``seated``, the loops are made without them: which compiles quicker.
    """
    code = _build(game, observation, players(game.name) if seated else ("random",))
    if (game.name, first, seated) not in _announced:
        _announced.add((game.name, first, seated))
        if not kernel.is_kept(getattr(code, first)):
            kernel.announce(game.title)
    return code
