"""The published deal lists can never change silently: their seeds, and the cards that come of them."""

import hashlib
import json

import numpy as np
import pytest

from karty.envs.record import write_records
from karty.training.splits import evaluation_seeds

FIRST = {
    ("dev", 0): 4611686018427387904,  # 2**62
    ("dev", 1): 4611686018695823360,  # 2**62 + 2**28
    ("test", 0): 6917529027641081856,  # 2**62 + 2**61
    ("test", 1): 6917529027909517312,
}
# SHA-256 of the first thousand seeds as decimal numbers, each on a line of its own.
DIGEST = {
    "dev": "d2e399d4b1f61b6e91d93e1f888e36273e41276e44c08a87a4ee40f462087955",
    "test": "c58509b1c10b349081967b34614e88acc7ad65cf09a7c5f37c69c75fb1b83c08",
}
WORD = 2**64 - 1


@pytest.mark.parametrize(("split", "seed"), FIRST)
def test_the_lists_begin_where_they_always_did(split, seed):
    first = FIRST[split, seed]
    assert evaluation_seeds(3, seed, split).tolist() == [first, first + 1, first + 2]


@pytest.mark.parametrize("split", DIGEST)
def test_the_first_thousand_seeds_are_the_published_ones(split):
    text = "".join(f"{seed}\n" for seed in evaluation_seeds(1000, 0, split).tolist())
    assert hashlib.sha256(text.encode()).hexdigest() == DIGEST[split]


def scrambled(z):
    """The finaliser of SplitMix64 in whole numbers."""
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
    return z ^ (z >> 31)


def mixed(a, b):
    step = 0x9E3779B97F4A7C15
    return scrambled((scrambled((a + step) & WORD) + b * step) & WORD)


def shuffled(seed, deal, cards):
    """The pack of a deal as docs/evaluation.md tells it."""
    state = mixed(mixed(seed, deal & WORD) >> 1, 0)
    for i in range(len(cards) - 1, 0, -1):
        state = (state + 0x9E3779B97F4A7C15) & WORD
        j = (scrambled(state) >> 32) * (i + 1) >> 32
        cards[i], cards[j] = cards[j], cards[i]
    return cards


@pytest.mark.parametrize("split", ["dev", "test"])
def test_a_seed_becomes_cards_as_the_documentation_tells(split, tmp_path):
    """Tysiąc for three: seven cards a seat, then three of the talon, off a pack shuffled from the order of the deck."""
    write_records(tmp_path / "x.jsonl", "tysiac", players=["rule"] * 3, seed=int(evaluation_seeds(2, 0, split)[0]))
    lines = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    deals = [line for line in lines if line["type"] == "deal"]
    numbers = [deal["number"] for deal in deals]
    found = [deal for deal in deals if numbers.count(deal["number"]) == 1][:5]  # a redeal is another attempt
    assert len(found) == 5
    for deal in found:
        pack = shuffled(lines[0]["seed"], deal["number"], [rank + suit for suit in "SCDH" for rank in "9JQKTA"])
        parts = [pack[:7], pack[7:14], pack[14:21], pack[21:]]
        assert [sorted(part) for part in (*deal["hands"], deal["talon"])] == [sorted(part) for part in parts]


def test_seeds_are_int64_and_ascending():
    seeds = evaluation_seeds(1000)
    assert seeds.dtype == np.int64
    assert (np.diff(seeds) == 1).all()
