"""How near to an equilibrium does counterfactual regret minimisation come in the mini games, and how soon?

    python benchmarks/solve_minis.py
    python benchmarks/solve_minis.py --game pan_12 --iterations 100 --plus

Builds each tree, then prints what uniform play, the rule-based player and discounted CFR (with --plus CFR+) after 10,
20, 40 … iterations are worth to seat 0, their NashConv, and its share of uniform play's; and CPU seconds.
"""

import argparse
import math
import time

import karty
from karty.training import exact
from karty.training.cfr import DiscountedCFR
from karty.training.gametree import whole_tree


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--game", choices=list(karty.MINIS), action="append", help="this one only; may be repeated")
    parser.add_argument("--iterations", type=int, default=80)
    parser.add_argument("--plus", action="store_true", help="CFR+ instead of discounted CFR")
    options = parser.parse_args()
    for name in options.game or karty.MINIS:
        began = time.process_time()
        tree = whole_tree(karty.MINIS[name])
        print(
            f"{name}: {len(tree.seat):,} decisions, {tree.shared:,} of them reached by several ways,"
            f" {len(tree.set_seat):,} information sets, {len(tree.child):,} branches, {len(tree.payoff):,} ends;"
            f" {time.process_time() - began:.1f} CPU seconds"
        )
        whole = 0.0
        for agent in ("random", "rule"):
            found = exact.exploitability(name, agent)
            whole = found.uniform
            print(f"  {agent:<16}value {found.value:+.5f}  NashConv {found.nash_conv:.6f}  {found.share:.4%}")
        solver = DiscountedCFR(tree, math.inf, -math.inf, 1.0) if options.plus else DiscountedCFR(tree)
        told = {options.iterations, *(10 * 2**k for k in range(20))}
        spent, began = 0.0, time.process_time()
        for iteration in solver.run(options.iterations):
            if iteration not in told:
                continue
            spent += time.process_time() - began
            average = solver.average
            value, left = exact.expected(tree, average), exact.nash_conv(tree, average)
            print(f"  iteration {iteration:<6}value {value:+.5f}  NashConv {left:.6f}  {left / whole:.4%}", end="  ")
            print(f"{spent:.1f} CPU seconds", flush=True)
            began = time.process_time()


if __name__ == "__main__":
    main()
