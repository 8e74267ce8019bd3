"""How much memory does a table take, and does it grow over a million episodes?

    python benchmarks/memory.py --episodes 1000000
    python benchmarks/memory.py --game pan

Prints the bytes that the engine holds for each table (state, observation and mask; and all arrays together), then plays
whole deals at random and prints the process's memory at its largest after each tenth of the episodes. The exit code
is 1 if it grew by more than a mebibyte after the first tenth.
"""

import argparse
import resource
import sys
import time

import karty

TABLES = 4096


def resident() -> float:
    """The process's memory at its largest so far, in MiB."""
    largest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return largest / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> int:
    """Print the bytes a table and the growth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=list(karty.GAMES), action="append", help="this one only; may be repeated")
    parser.add_argument("--episodes", type=int, default=1_000_000, help="episodes of each game")
    options = parser.parse_args()
    grown = False
    for game in (karty.GAMES[name] for name in options.game or karty.GAMES):
        batch = karty.make_batch(game, TABLES, episode="deal")
        batch.reset()
        state = game.state.dtype.itemsize
        seen = batch.observation[0].nbytes + batch.mask[0].nbytes
        arrays = sum(array.nbytes for array in batch.arrays.values()) // TABLES
        print(
            f"{game.name}: {state + seen} bytes a table (state {state}, observation and mask {seen}); arrays {arrays}"
        )
        begin, done, first = time.process_time(), 0, 0.0
        for tenth in range(1, 11):
            while done < options.episodes * tenth / 10:
                batch.step(batch.choose("random"))
                done += int(batch.terminated.sum() + batch.truncated.sum())
            spent = time.process_time() - begin
            print(f"{game.name}: {done} episodes, {resident():.1f} MiB, {spent:.0f} CPU s", flush=True)
            first = first or resident()
        grown = grown or resident() > first + 1
    return 1 if grown else 0


if __name__ == "__main__":
    sys.exit(main())
