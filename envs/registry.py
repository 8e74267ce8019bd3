"""The games under their names in Gymnasium and PettingZoo: ``karty/Tysiac-v0``, ``karty/tysiac_v0``."""

from __future__ import annotations

from typing import Any

import gymnasium
import pettingzoo

from .game import Game
from .games import GAMES


def gymnasium_id(game: Game) -> str:
    """The game's id for ``gymnasium.make`` and ``make_vec``."""
    return f"karty/{game.name.capitalize()}-v{game.version}"


def register() -> None:
    """Register every game that is not registered yet; importing this module does it."""
    for game in GAMES.values():
        name = gymnasium_id(game)
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="karty.envs.single:KartyEnv",
                vector_entry_point="karty.envs.single:KartyVectorEnv",
                kwargs={"game": game.name},
            )
        door = f"{game.name}_v{game.version}"
        # PettingZoo has a registry from 1.27 on; its ids end in -v0, whichever way they are given.
        if hasattr(pettingzoo, "register") and f"karty/{game.name}-v{game.version}" not in pettingzoo.aec_registry:
            pettingzoo.register("aec", f"karty/{door}", entry_point=f"karty.envs.{door}:env")


def make_aec(game: Game | str, **options: Any) -> pettingzoo.AECEnv[str, Any, Any]:
    """A game as a PettingZoo environment: ``karty.make_aec("tysiac", table="3p", episode="deal")``.

    The same as the ``env`` of the game's own module (``karty.envs.tysiac_v0``); its keywords are those of ``TableEnv``.
    """
    from . import aec

    return aec.env(game, **options)


register()
