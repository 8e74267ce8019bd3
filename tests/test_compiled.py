"""Machine code by name: what is kept between processes is found again by the name alone."""

import numpy as np
import pytest
from randomly import few_layouts, some_actions

from karty.envs import compiled, kernel
from karty.envs.engine import Table, make_batch
from karty.envs.game import ASKED
from karty.envs.kernel import PLAIN


@pytest.mark.skipif(PLAIN, reason="plain Python compiles nothing")
def test_no_entry_point_has_two_signatures(game):
    """Two processes that compile two signatures of one name at once would keep one of them in the other's place."""
    chance = np.random.default_rng(1)
    for rules in few_layouts(game, 3):
        batch = make_batch(game, 4, rules=rules, learner=0)
        batch.reset(1)
        for _ in range(5):
            batch.step(some_actions(batch.mask, chance))
        batch.hidden(np.empty((batch.n, batch.shape.hidden.size), np.int8))
        batch.play_out(1)
        table = Table(game, rules)
        table.reset(1)
        while table.advance() != ASKED:
            pass
        table.follow(table.legal()[:1])
        table.trace(["random"] * table.seats, 3)
        table.returns()
        for name, entry in vars(compiled.code_of(game, game.shape(rules), "go")).items():
            assert len(getattr(entry, "signatures", ())) <= 1, name


def test_compiling_is_announced_once_a_game_whatever_is_compiled_later(game, capsys, monkeypatch):
    monkeypatch.setattr(compiled, "_announced", set())
    monkeypatch.setattr(compiled, "_looked_for", set())
    monkeypatch.setattr(kernel, "is_kept", lambda entry: False)
    for first in ("table_advance", "go", "choose_tables", "go"):
        compiled.code_of(game, game.shape(), first)
    compiled.code_of(game, game.shape(), "go", seated=False)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"karty: compiling {game.title} for this machine, ten seconds to a minute in all")


def test_what_is_kept_is_not_announced(game, capsys, monkeypatch):
    monkeypatch.setattr(compiled, "_announced", set())
    monkeypatch.setattr(compiled, "_looked_for", set())
    monkeypatch.setattr(kernel, "is_kept", lambda entry: True)
    compiled.code_of(game, game.shape(), "go")
    assert capsys.readouterr().err == ""
