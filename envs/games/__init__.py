"""The games, in the order of the README; each is a rules file beside its rule book."""

from . import tysiac

GAMES = {game.name: game for game in (tysiac.GAME,)}
"""Every game by its name."""
