"""The random streams, and the dealing of cards that may not lie everywhere."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from chisquare import looks_uniform

from karty.envs import chance
from karty.envs.cards import Deck

pytestmark = pytest.mark.rules

WORD = 2**64 - 1


def stream(seed, purpose=0, attempt=0):
    return np.full(1, chance.stream(seed, purpose, attempt), np.uint64)


def split_mix(start, count):
    """SplitMix64 in whole numbers, as its authors wrote it."""
    for _ in range(count):
        start = (start + 0x9E3779B97F4A7C15) & WORD
        z = start
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 & WORD
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & WORD
        yield z ^ (z >> 31)


@pytest.mark.plain
def test_the_stream_is_split_mix_64():
    assert list(split_mix(0, 3)) == [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]  # its published output
    for seed in (0, 1, 2**63, WORD):
        source = np.full(1, seed, np.uint64)
        numbers = list(split_mix(seed, 20))
        assert [int(chance.draw(source, 1000)) for _ in numbers] == [(z >> 32) * 1000 >> 32 for z in numbers]
        source = np.full(1, seed, np.uint64)
        assert [float(chance.uniform(source)) for _ in numbers] == [(z >> 11) / 2**53 for z in numbers]


@pytest.mark.plain
def test_episode_0_is_the_seed_itself_and_later_ones_stay_in_its_half():
    for first in (0, 7, 2**62 - 1, 2**62, 2**63 - 1):
        assert chance.episode_seed(first, 0) == first
        later = [int(chance.episode_seed(first, episode)) for episode in range(1, 50)]
        assert len(set(later)) == 49
        assert all(0 <= seed < 2**63 and (seed >= 2**62) == (first >= 2**62) for seed in later)


def test_streams_of_seeds_purposes_and_attempts_do_not_meet():
    begins = {
        int(chance.stream(seed, purpose, attempt))
        for seed in [*range(50), *range(2**63 - 50, 2**63)]
        for purpose in range(-4, 30)
        for attempt in range(5)
    }
    assert len(begins) == 100 * 34 * 5


def test_neighbouring_seeds_and_deals_give_unrelated_draws():
    first = Counter(int(chance.draw(stream(seed), 24)) for seed in range(6000))
    assert looks_uniform(first, 24)
    pairs = Counter((int(chance.draw(stream(s), 8)), int(chance.draw(stream(s + 1), 8))) for s in range(6000))
    assert looks_uniform(pairs, 64)
    deals = Counter((int(chance.draw(stream(1, d), 8)), int(chance.draw(stream(1, d + 1), 8))) for d in range(6000))
    assert looks_uniform(deals, 64)


@pytest.mark.parametrize("n", [1, 2, 3, 7, 24, 125])
def test_draw_is_uniform(n):
    source = stream(3)
    drawn = Counter(int(chance.draw(source, n)) for _ in range(100 * n))
    assert set(drawn) <= set(range(n))
    assert n == 1 or looks_uniform(drawn, n)


def test_lot_is_uniform_over_seeds():
    assert looks_uniform(Counter(int(chance.lot(seed, chance.LOT, 3)) for seed in range(3000)), 3)


def test_shuffle_makes_every_order_alike():
    counts = Counter()
    for seed in range(4800):
        pile = np.arange(4)
        chance.shuffle(pile, stream(seed))
        counts[tuple(pile.tolist())] += 1
    assert looks_uniform(counts, 24)


def test_pick_is_uniform_over_the_set():
    source = stream(5)
    picked = Counter(int(chance.pick(0b1011000010, source)) for _ in range(2000))
    assert set(picked) == {1, 6, 7, 9}
    assert looks_uniform(picked, 4)


def placements(cards, room, barred):
    """Every way to lay the cards into places with so much room where they are not barred, by going through them all."""
    found = []
    for where in itertools.product(range(len(room)), repeat=len(cards)):
        fits = all(where.count(place) == its for place, its in enumerate(room))
        if fits and not any(card in barred[place] for card, place in zip(cards, where, strict=True)):
            found.append(
                tuple(
                    frozenset(c for c, p in zip(cards, where, strict=True) if p == place) for place in range(len(room))
                )
            )
    return found


def dealt(cards, room, barred, source):
    places = np.full(len(room), -1, np.int64)
    done = chance.deal_out(
        sum(1 << card for card in cards),
        np.array(room, np.int64),
        np.array([sum(1 << card for card in its) for its in barred], np.int64),
        places,
        source,
    )
    return done, tuple(frozenset(card for card in range(64) if int(place) >> card & 1) for place in places)


@pytest.mark.parametrize(
    ("cards", "room", "barred"),
    [
        ([0, 1, 2, 3], [2, 2], [[], []]),
        ([3, 5, 8, 11, 20], [2, 2, 1], [[3], [], [5, 8]]),
        ([0, 1, 2, 3, 4, 5], [2, 2, 2], [[0, 1], [2], []]),
        ([0, 1, 2, 3, 4, 5], [0, 3, 3, 0], [[], [0, 1, 2], [3], []]),
        ([0, 7, 9, 10, 23], [1, 0, 4], [[0, 7, 9], [], []]),
        ([0, 1, 2, 3, 4, 5], [1, 1, 1, 1, 2], [[0], [1], [2], [3], [4, 5]]),
    ],
)
def test_deal_out_makes_every_allowed_placement_alike(cards, room, barred):
    possible = placements(cards, room, barred)
    source = stream(1)
    counts = Counter()
    for _ in range(60 * len(possible)):
        done, places = dealt(cards, room, barred, source)
        assert done
        counts[places] += 1
    assert set(counts) <= set(possible)
    if len(possible) > 1:
        assert looks_uniform(counts, len(possible))


@pytest.mark.plain
def test_deal_out_finds_a_placement_exactly_where_there_is_one():
    lot = random.Random(4)
    source = stream(2)
    seen = Counter()
    for _ in range(400):
        k, cards = lot.randint(2, 4), sorted(lot.sample(range(24), lot.randint(1, 5)))
        room = [0] * k
        for _ in cards:
            room[lot.randrange(k)] += 1
        barred = [[card for card in cards if lot.random() < 0.4] for _ in range(k)]
        possible = placements(cards, room, barred)
        done, places = dealt(cards, room, barred, source)
        assert bool(done) == bool(possible)
        assert not done or places in possible
        seen[bool(done)] += 1
    assert min(seen.values()) > 50


@pytest.mark.plain
def test_deal_out_of_no_card():
    assert dealt([], [0, 0], [[], []], stream(1)) == (True, (frozenset(), frozenset()))


def test_deal_out_of_a_whole_game():
    """As many cards as a seat of Tysiąc may not know: every card goes everywhere as often as its room says."""
    names = Deck(ranks="9JQKTA", suits="SCDH").names
    counts = np.zeros((3, 17))
    source = stream(8)
    for _ in range(4000):
        _, places = dealt(range(17), [7, 7, 3], [[], [], []], source)
        for place, cards in enumerate(places):
            counts[place, list(cards)] += 1
    # The share of each card in each place has a standard error below sqrt(0.25 / 4000) = 0.008.
    assert (abs(counts / 4000 - np.array([[7], [7], [3]]) / 17) < 5 * 0.008).all()
    assert len(names) == 24


# --------------------------------------------------------------------------- families that may not lie together


def apart(cards, kin, room, barred, mixed):
    """Every placement in which no place but a mixed one has two cards of a family, by going through them all."""

    def fits(where):
        return all(free or len({kin[card] for card in its}) == len(its) for its, free in zip(where, mixed, strict=True))

    return [its for its in placements(cards, room, barred) if fits(its)]


def dealt_apart(cards, kin, room, barred, mixed, source):
    places = np.full(len(room), -1, np.int64)
    numbers = np.full(64, 63, np.int64)
    numbers[list(kin)] = list(kin.values())
    done = chance.deal_apart(
        sum(1 << card for card in cards),
        numbers,
        np.array(room, np.int64),
        np.array([sum(1 << card for card in its) for its in barred], np.int64),
        np.array(mixed, np.int64),
        places,
        source,
    )
    return done, tuple(frozenset(card for card in range(64) if int(place) >> card & 1) for place in places)


@pytest.mark.parametrize(
    ("families", "room", "barred", "mixed"),
    [
        ([[0, 1], [2, 3]], [2, 2], [[], []], [0, 0]),
        ([[0, 1], [2, 3]], [2, 2], [[], []], [0, 1]),
        ([[0, 1], [2, 3], [4]], [2, 2, 1], [[], [], []], [0, 0, 0]),
        ([[7, 51], [3, 9], [5], [12]], [3, 3], [[5], []], [0, 0]),  # a family need not lie side by side
        ([[0, 1, 2, 3], [4]], [2, 1, 2], [[], [], []], [1, 0, 0]),
        ([[0, 1, 2], [3, 4, 5]], [3, 2, 1], [[], [4], []], [1, 0, 0]),
        ([[0, 1], [2, 3], [4, 5], [6]], [4, 3, 0], [[0], [], []], [0, 0, 0]),
        ([[0, 1], [2, 3], [4, 5]], [1, 2, 3], [[], [], []], [0, 0, 1]),
    ],
)
def test_deal_apart_makes_every_allowed_placement_alike(families, room, barred, mixed):
    cards = sorted(card for family in families for card in family)
    kin = {card: number for number, family in enumerate(families) for card in family}
    possible = apart(cards, kin, room, barred, mixed)
    assert 1 < len(possible) < len(placements(cards, room, [[] for _ in room]))
    source = stream(1)
    counts = Counter()
    for _ in range(60 * len(possible)):
        done, places = dealt_apart(cards, kin, room, barred, mixed, source)
        assert done
        counts[places] += 1
    assert set(counts) <= set(possible)
    assert looks_uniform(counts, len(possible))


@pytest.mark.plain
def test_deal_apart_finds_a_placement_exactly_where_there_is_one():
    lot, source, seen = random.Random(4), stream(2), Counter()
    for _ in range(400):
        k, cards = lot.randint(2, 4), sorted(lot.sample(range(52), lot.randint(1, 6)))
        where = [lot.randrange(k) for _ in cards]
        room = [where.count(place) for place in range(k)]
        kin = dict(zip(cards, (lot.randrange(4) for _ in cards), strict=True))
        if max(Counter(kin.values()).values()) > 4:
            continue
        barred = [[card for card in cards if lot.random() < 0.15] for _ in range(k)]
        mixed = [int(lot.random() < 0.3) for _ in range(k)]
        possible = apart(cards, kin, room, barred, mixed)
        done, places = dealt_apart(cards, kin, room, barred, mixed, source)
        assert bool(done) == bool(possible)
        assert not done or places in possible
        seen[bool(done)] += 1
    assert min(seen.values()) > 50


@pytest.mark.plain
def test_deal_apart_leaves_the_places_alone_if_there_is_no_way():
    done, places = dealt_apart([0, 1, 2], {0: 0, 1: 0, 2: 0}, [2, 1], [[], []], [0, 0], stream(1))
    assert not done
    assert places == (frozenset(range(64)),) * 2  # as the caller filled them
    assert dealt_apart([], {}, [0, 0], [[], []], [0, 0], stream(1)) == (True, (frozenset(), frozenset()))


def test_deal_apart_of_a_whole_pack_of_piotrus():
    """Two fans of 12 and 13 without a pair: one picture of each pair, and Piotruś, in either fan."""
    kin = {card: card // 2 for card in range(25)}
    source, first = stream(9), np.zeros(24)
    for _ in range(2000):
        done, (twelve, thirteen) = dealt_apart(list(range(25)), kin, [12, 13], [[], []], [0, 0], source)
        assert done
        assert {card // 2 for card in thirteen} == set(range(13))  # Piotruś makes thirteen of twelve
        assert {card // 2 for card in twelve} == set(range(12))
        first[list(twelve)] += 1
    assert (abs(first / 2000 - 1 / 2) < 5 * np.sqrt(1 / 4 / 2000)).all()
