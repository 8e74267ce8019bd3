"""What all tests share."""

import os

os.environ.setdefault("KARTY_COMPILE", "quickly")  # read as karty is imported, here and in processes that tests start

import pytest
from hypothesis import settings

import karty
from karty.envs.games import find_game

os.environ.setdefault("MPLBACKEND", "Agg")  # no test opens a window

# The first example compiles the game, so there is no deadline; the same examples each time, so a red run stays red.
settings.register_profile("karty", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("karty")


@pytest.fixture(params=list(karty.GAMES))
def game(request):
    """Every game in turn."""
    return karty.GAMES[request.param]


@pytest.fixture(params=[*karty.GAMES, *karty.MINIS])
def any_game(request):
    """Every game in turn, the minis too."""
    return find_game(request.param)
