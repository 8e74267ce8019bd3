"""How fast is karty beside OpenSpiel?

    python benchmarks/peers.py

Makes a virtual environment in a temporary folder, installs OpenSpiel into it with pip, and measures both in turns on
this machine: uniformly random legal play with an observation and a mask of legal actions written for every decision.
OpenSpiel plays one state at a time, as its Python interface does, and writes into arrays of its observers, which is its
fastest way; the games are its nearest in kind (tricks, hidden hands, in two of them an auction). karty plays a batch of
4096 tables, and one table at a time as well. Prints decisions per CPU second, the best of several rounds, and the ratio
to the fastest of OpenSpiel's games.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path

THEIRS = """
import json, sys, time
import numpy as np
import pyspiel
from open_spiel.python.observation import make_observation
name, seconds = sys.argv[1], float(sys.argv[2])
game = pyspiel.load_game(name)
recall = not game.get_type().provides_observation_tensor
observer = make_observation(game, pyspiel.IIGObservationType(perfect_recall=recall))
mask = np.zeros(game.num_distinct_actions(), np.int8)
chance = np.random.default_rng(1)
draws, used = chance.random(1 << 16), 0
decisions, begin = 0, time.process_time()
while time.process_time() - begin < seconds:
    state = game.new_initial_state()
    while not state.is_terminal():
        used = (used + 1) % len(draws)
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(draws[used] * len(outcomes))][0])
            continue
        observer.set_from(state, state.current_player())
        legal = state.legal_actions()
        mask[:] = 0
        mask[legal] = 1
        state.apply_action(legal[int(draws[used] * len(legal))])
        decisions += 1
print(json.dumps(decisions / (time.process_time() - begin)))
"""

OURS = """
import json, sys, time
import karty
from karty.envs.engine import Table
name, tables, seconds = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
decisions = 0
if tables > 1:
    batch = karty.make_batch(name, tables)
    batch.reset()
    batch.step(batch.choose("random"))
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        batch.step(batch.choose("random"))
        decisions += tables
else:
    table = Table(name)
    table.reset(1)
    table.settle()
    table.observe(0), table.mask(), table.play(table.choose("random"))
    begin = time.process_time()
    while time.process_time() - begin < seconds:
        table.settle()
        if table.over:
            table.reset()
            continue
        seen, mask = table.observe(table.seat), table.mask()
        table.play(table.choose("random"))
        decisions += 1
print(json.dumps(decisions / (time.process_time() - begin)))
"""

PEERS = ("hearts", "skat", "euchre")


def measure(python: str, program: str, *arguments: str) -> float:
    """Decisions per CPU second of a program of its own."""
    done = subprocess.run([python, "-c", program, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return float(json.loads(done.stdout))


def main() -> int:
    """Install, measure in turns, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="tysiac")
    parser.add_argument("--seconds", type=float, default=2.0, help="CPU seconds of each measurement")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    seconds = str(options.seconds)
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        theirs = str(Path(folder) / ("Scripts" if sys.platform == "win32" else "bin") / "python")
        subprocess.run([theirs, "-m", "pip", "install", "--quiet", "open_spiel"], check=True)
        version = subprocess.run(
            [theirs, "-c", "import importlib.metadata as m; print(m.version('open_spiel'))"],
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        programs: dict[str, Callable[[], float]] = {
            f"karty {options.game}, 4096 tables": lambda: measure(sys.executable, OURS, options.game, "4096", seconds),
            f"karty {options.game}, one table": lambda: measure(sys.executable, OURS, options.game, "1", seconds),
        }
        for name in PEERS:
            programs[f"OpenSpiel {version} {name}"] = lambda name=name: measure(theirs, THEIRS, name, seconds)
        best = dict.fromkeys(programs, 0.0)
        for _ in range(options.rounds):
            for what, program in programs.items():
                best[what] = max(best[what], program())
    fastest = max(rate for what, rate in best.items() if what.startswith("OpenSpiel"))
    for what, rate in best.items():
        print(f"{what:32} {rate:12,.0f} decisions per CPU second, {rate / fastest:7.2f} x")
    return 0


if __name__ == "__main__":
    sys.exit(main())
