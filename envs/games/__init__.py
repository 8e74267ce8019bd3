"""The games, in the order of the README: each a rules file beside its rule book, some with neighbours `GAME_….py`."""

from ..game import Game
from . import pan, petukh, piotrus, piquet, tysiac
from .mini import pan_12, tysiac_8

GAMES = {game.name: game for game in (tysiac.GAME, piquet.GAME, petukh.GAME, pan.GAME, piotrus.GAME)}
"""Every game by its name."""
MINIS = {game.name: game for game in (tysiac_8.GAME, pan_12.GAME)}
"""Every mini game by its name: small enough to be solved, and played by everything that plays games."""
PLAYED = {**GAMES, **MINIS}
"""Games and mini games by name."""


def find_game(game: Game | str) -> Game:
    """The game or mini game of this name, or the game itself; ValueError names those that there are."""
    if isinstance(game, Game):
        return game
    if game not in PLAYED:
        raise ValueError(f"there is no game {game!r}; games: {', '.join(GAMES)}; mini games: {', '.join(MINIS)}")
    return PLAYED[game]
