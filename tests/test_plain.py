"""The same rules as plain Python: the same bytes in every state, observation, mask and reward."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from randomly import some_actions

import karty
from karty.envs.engine import play_episodes, players
from karty.envs.games import find_game

HERE = Path(__file__).resolve().parent


def story(name):
    """A digest a line of whole short episodes of a game: by random play and by built-in players."""
    game = find_game(name)
    lines = []

    def note(what, *arrays):
        digest = hashlib.sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()[:16]
        lines.append(f"{name} {what} {digest}")

    for episode in ("deal", "match"):
        batch = karty.make_batch(game, 2, episode=episode, seed=1)
        chance = np.random.default_rng(1)
        batch.reset()
        for step in range(45):
            note(
                f"{episode} {step}",
                batch.observation,
                batch.mask,
                batch.seat,
                batch.reward,
                batch.points,
                batch.hidden(np.empty((batch.n, batch.shape.hidden.size), np.int8)),
            )
            note(f"{episode} {step} state", np.frombuffer(batch.get_state(), np.uint8))
            batch.step(some_actions(batch.mask, chance))
    table = batch.table(0)
    for me in range(table.seats):
        imagined = table.clone()
        imagined.determinize(me, 2**62 + me)
        note(f"determinize {me}", np.frombuffer(imagined.get_state(), np.uint8))
    for player in players(name):
        result = play_episodes(game, [player] * table.seats, [1, 2**62], episode="deal")
        note(player, result["reward"], result["points"], result["decisions"])
    return lines


@pytest.mark.parametrize("name", [*karty.GAMES, *karty.MINIS])
def test_plain_python_plays_byte_for_byte_the_same(name):
    other = subprocess.run(
        [sys.executable, str(Path(__file__).resolve()), name],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert other.returncode == 0, other.stderr
    assert other.stdout.splitlines() == ["plain", *story(name)]


if __name__ == "__main__":
    from karty.envs.kernel import PLAIN

    print("plain" if PLAIN else "compiled")
    print("\n".join(story(sys.argv[1])))
