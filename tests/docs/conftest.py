"""The modules of the site are imported as its conf.py does; nothing here needs Sphinx."""

import sys
from pathlib import Path

import pytest

from karty.envs.games import PLAYED

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "docs"))


@pytest.fixture(scope="session")
def made():
    """Every generated page by its document name."""
    import pages

    return pages.all_pages()


@pytest.fixture(params=list(PLAYED))
def game(request):
    return PLAYED[request.param]
