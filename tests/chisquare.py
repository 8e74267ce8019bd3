"""Is a count of outcomes what chance would give? For tests of uniform draws, with fixed seeds."""

import math


def chi_square(counts, expected):
    """Pearson's statistic of counts against expected counts, sequences of equal length."""
    return sum((count - its) ** 2 / its for count, its in zip(counts, expected, strict=True))


def bound(degrees, deviations=5.0):
    """A value that the statistic exceeds as rarely as a normal number does its mean by so many deviations (5: 3e-7).

    Wilson and Hilferty's approximation.
    """
    spread = 2 / (9 * degrees)
    return degrees * (1 - spread + deviations * math.sqrt(spread)) ** 3


def looks_uniform(counts, outcomes):
    """Whether counts {outcome: number} over so many possible outcomes look uniform; too even is suspect as well."""
    assert len(counts) <= outcomes
    total = sum(counts.values())
    assert total >= 5 * outcomes, "too few draws to say"
    every = [*counts.values(), *[0] * (outcomes - len(counts))]
    return bound(outcomes - 1, -5.0) < chi_square(every, [total / outcomes] * outcomes) < bound(outcomes - 1)
