"""The games, in the order of the README: each a rules file beside its rule book, some with neighbours `GAME_….py`."""

from ..game import Game
from . import pan, petukh, piotrus, piquet, tysiac

GAMES = {game.name: game for game in (tysiac.GAME, piquet.GAME, petukh.GAME, pan.GAME, piotrus.GAME)}
"""Every game by its name."""


def find_game(game: Game | str) -> Game:
    """The game of this name, or the game itself; ValueError names the games there are."""
    if isinstance(game, Game):
        return game
    if game not in GAMES:
        raise ValueError(f"there is no game {game!r}; games: {', '.join(GAMES)}")
    return GAMES[game]
