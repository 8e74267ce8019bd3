"""How compiled code is named, so that what is kept is never another source's."""

import importlib.util

from karty.envs import compiled, kernel, loops
from karty.envs.games import find_game

PLAYER = "def choose(o, mask, chance):\n    return {}\n"


def player(path, answer):
    path.write_text(PLAYER.format(answer))
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return kernel.rule(module.choose)


def test_functions_of_the_package_add_nothing_and_those_from_outside_the_digest_of_their_source(tmp_path):
    assert kernel.outside([loops.settle, find_game("tysiac").play]) == ""
    one, two = player(tmp_path / "one.py", 0), player(tmp_path / "two.py", 1)
    assert kernel.outside([one]) != kernel.outside([two])
    assert len(kernel.outside([one])) == 13
    assert kernel.outside([two, loops.settle, one]) in (
        kernel.outside([one]) + kernel.outside([two]),
        kernel.outside([two]) + kernel.outside([one]),
    )


def test_the_loops_of_a_player_from_outside_are_named_by_its_source(tmp_path, monkeypatch):
    game, names = find_game("tysiac"), []
    monkeypatch.setattr(compiled, "_players", {"tysiac": {}})
    for file, answer in (("a.py", 0), ("b.py", 1)):  # the same player before and after an edit
        compiled._players["tysiac"]["mine"] = player(tmp_path / file, answer)
        code = compiled._build.__wrapped__(game, game.shape(), ("random", "mine"))
        names.append(getattr(code.go, "py_func", code.go).__qualname__)
    assert names[0] != names[1]
    assert names[0].startswith("go_tysiac_")
