"""How long does a process take to its first step?

    python benchmarks/start.py
    python benchmarks/start.py --game pan

For every game: a first process with an empty cache compiles it, a second one finds the machine code. Prints the CPU
seconds of the imports, beyond them of a batch's reset and first step, and beyond that of a first step in which the
rule-based player chooses. The exit code is 1 if the first process takes more than 20 for the two steps, or a later one
more than one.
"""

import argparse
import os
import subprocess
import sys
import tempfile

import karty

PROGRAM = """
import time
begin = time.process_time()
import karty
imported = time.process_time()
batch = karty.make_batch("{game}", 8)
batch.reset()
batch.step(batch.choose("random"))
stepped = time.process_time()
batch.step(batch.choose("rule"))
print(imported - begin, stepped - imported, time.process_time() - stepped)
"""


def seconds(game: str, cache: str) -> tuple[float, float, float]:
    """CPU seconds of a new process: of the imports, from there to the end of the first step, and of one by ``rule``."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(game=game)],
        env=os.environ | {"KARTY_CACHE_DIR": cache, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    imports, first, rule = done.stdout.split()
    return float(imports), float(first), float(rule)


def main() -> int:
    """Print the seconds of a first, a second and a third process."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(karty.GAMES), action="append", help="this one only; may be repeated")
    options = parser.parse_args()
    slow = False
    for game in options.game or karty.GAMES:
        with tempfile.TemporaryDirectory() as cache:
            for what, most in (("first process", 20.0), ("second process", 1.0), ("third process", 1.0)):
                imports, first, rule = seconds(game, cache)
                print(
                    f"{game}, {what}: imports {imports:.2f}, first step {first:.2f}, first by rule {rule:.2f} CPU s",
                    flush=True,
                )
                slow = slow or first + rule > most
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
