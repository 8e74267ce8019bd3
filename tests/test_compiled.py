"""Machine code by name: what is kept between processes is found again by the name alone."""

import numpy as np
import pytest
from randomly import few_layouts, some_actions

from karty.envs import compiled, kernel
from karty.envs.cards import marked, marked_at
from karty.envs.engine import Table, make_batch, register_player, register_tempers
from karty.envs.game import ASKED
from karty.envs.kernel import PLAIN, rule


@rule
def first(o, mask, chance):
    return marked_at(mask, 0)


@rule
def one_of_the_first(o, mask, chance, temper):
    return marked_at(mask, min(temper, marked(mask) - 1))


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


def test_each_name_of_a_kernel_is_asked_in_its_own_temper(monkeypatch):
    monkeypatch.setattr(compiled, "_players", {})
    register_player("pan", "test-first", first)
    register_tempers("pan", ("test-0", "test-1", "test-2"), one_of_the_first)
    register_tempers("pan", ("test-0-too", "test-1-too"), one_of_the_first)
    with pytest.raises(ValueError, match="there is a built-in player 'test-1' already"):
        register_tempers("pan", ("test-3", "test-1"), one_of_the_first)
    places = {"test-first": 0, "test-0": 0, "test-1": 1, "test-2": 2, "test-0-too": 0, "test-1-too": 1}
    assert compiled.players("pan") == ("random", *places)
    batch = make_batch("pan", 20, seed=1)
    batch.reset()
    for _ in range(5):
        for name, place in places.items():
            legal = [np.flatnonzero(mask) for mask in batch.mask]
            assert batch.choose(name).tolist() == [those[min(place, len(those) - 1)] for those in legal]
        batch.step(batch.choose("random"))


def test_the_name_of_machine_code_tells_whether_a_kernel_knows_tempers(game, monkeypatch):
    names = []
    for register in (
        lambda: [register_player(game.name, name, first) for name in ("test-a", "test-b")],
        lambda: [register_tempers(game.name, (name,), one_of_the_first) for name in ("test-a", "test-b")],
        lambda: register_tempers(game.name, ("test-a", "test-b"), one_of_the_first),
    ):
        monkeypatch.setattr(compiled, "_players", {})
        register()
        code = compiled._build.__wrapped__(game, game.shape(), ("random", "test-a", "test-b"))
        names.append(getattr(code.go, "py_func", code.go).__qualname__)
    assert len(set(names)) == 3
