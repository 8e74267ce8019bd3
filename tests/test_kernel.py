"""How compiled code is named, so that what is kept is never another source's."""

import importlib.util
import os
import subprocess
import sys

import pytest

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
        compiled._players["tysiac"]["mine"] = compiled._Player(player(tmp_path / file, answer))
        code = compiled._build.__wrapped__(game, game.shape(), ("random", "mine"))
        names.append(getattr(code.go, "py_func", code.go).__qualname__)
    assert names[0] != names[1]
    assert names[0].startswith("go_tysiac_")


LATER = """
import sys
import numpy as np
from karty.envs import kernel

@kernel.rule
def last(record, number):
    {body}
    return record.last

def ask(record, number):
    return last(record, number) + 100 * last(record, number + 1)

for size in map(int, sys.argv[1:]):
    asked = np.zeros(1, [("first", np.int64, (size,)), ("last", np.int64)]).view(np.recarray)[0]
    asked.last = size
    print(kernel.entry(ask, {{}}, f"ask_{{size}}")(asked, 5))
"""
# So long that it is called and not merged into its callers.
LONG = "\n    ".join(
    f"for i in range(number):\n        number = (number * {2 * k + 3} + i) % {1000 + k}" for k in range(40)
)


@pytest.mark.skipif(kernel.PLAIN, reason="plain Python compiles nothing")
def test_records_that_two_processes_compiled_are_told_apart_by_a_third(tmp_path):
    script = tmp_path / "later.py"
    script.write_text(LATER.format(body=LONG))
    variables = {**os.environ, "KARTY_CACHE_DIR": str(tmp_path / "cache")}

    def says(*sizes):
        words = [sys.executable, str(script), *map(str, sizes)]
        found = subprocess.run(words, capture_output=True, text=True, timeout=300, check=True, env=variables)
        return found.stdout.split()

    assert says(2) == ["202"]
    assert says(3) == ["303"]
    assert says(2, 3) == ["202", "303"]
