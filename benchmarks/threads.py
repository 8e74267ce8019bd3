"""Are results the same for 1, 2 and 8 threads?

    python benchmarks/threads.py --steps 300
    python benchmarks/threads.py --game pan

Plays every game in a batch so large that eight threads share it, once with each number of threads, and prints a digest
of everything that happened: all arrays after every step, and the states at the end. Random play of all seats, and a
learner among rule-based opponents. The exit code is 1 if the digests differ.
"""

import argparse
import hashlib
import sys
import time

import numpy as np

import karty

THREADS = (1, 2, 8)
ROLES = {
    "all seats random": {},
    "learner among rule": {"learner": "rotate", "opponents": "rule", "skip_forced": True},
}


def digest(game: str, threads: int, steps: int, tables: int, roles: dict[str, object]) -> str:
    """A name for all that happens in so many steps."""
    batch = karty.make_batch(game, tables, threads=threads, seed=1, **roles)  # type: ignore[arg-type]
    batch.reset()
    story = hashlib.sha256()
    for _ in range(steps):
        batch.step(batch.choose("random"))
        ended = batch.terminated | batch.truncated
        for name, array in batch.arrays.items():
            story.update(np.ascontiguousarray(array[ended] if name == "final_observation" else array))
    story.update(batch.get_state())
    return story.hexdigest()[:20]


def main() -> int:
    """Compare the digests."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(karty.GAMES), action="append", help="this one only; may be repeated")
    parser.add_argument("--steps", type=int, default=300)
    parser.add_argument("--tables", type=int, default=4096)
    options = parser.parse_args()
    alike = True
    for game in options.game or karty.GAMES:
        for what, roles in ROLES.items():
            found = {}
            for threads in THREADS:
                begin = time.process_time()
                found[threads] = digest(game, threads, options.steps, options.tables, roles)
                spent = time.process_time() - begin
                print(f"{game}, {what}, {threads} threads: {found[threads]} ({spent:.1f} CPU s)", flush=True)
            alike = alike and len(set(found.values())) == 1
    print("the same for every number of threads" if alike else "NOT the same")
    return 0 if alike else 1


if __name__ == "__main__":
    sys.exit(main())
