"""The modules of the site are imported as its conf.py does; nothing here needs Sphinx."""

import sys
from pathlib import Path

import pytest

import karty

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))

GAMES = {**karty.GAMES, **karty.MINIS}


@pytest.fixture(scope="session")
def made():
    """Every generated page by its document name."""
    import pages

    return pages.all_pages()


@pytest.fixture(params=list(GAMES))
def game(request):
    return GAMES[request.param]
