"""What a seat of a mini game cannot see does not show, and is dealt anew in every way that it may lie."""

import itertools
import random
from collections import Counter

import pytest
from chisquare import looks_uniform
from positions import act, table

import karty
from karty.envs.engine import Table
from karty.envs.game import RUNNING

pytestmark = pytest.mark.rules


@pytest.mark.plain
@pytest.mark.parametrize("name", karty.MINIS)
def test_nothing_that_is_hidden_shows_at_any_decision(name):
    lot, moved = random.Random(4), 0
    for seed in range(15):
        at = Table(name)
        at.reset(seed)
        at.settle()
        while at.over == RUNNING:
            for me in (0, 1):
                other = at.clone()
                other.determinize(me, lot.randrange(2**62))
                assert (other.observe(me) == at.observe(me)).all()
                if at.seat == me:
                    assert other.legal() == at.legal()
                Table(name).set_state(other.get_state())  # no StateError
                assert other.hidden(me).sum() == at.hidden(me).sum()
                moved += (other.hidden(me) != at.hidden(me)).any()
            at.play(lot.choice(at.legal()))
            at.settle()
    assert moved > 60 if name == "tysiac_8" else moved == 0  # in Pan for two nothing is hidden


TALON_OF_EIGHT = {"talon": "TH AH"}


def worlds(at, me, draws):
    """How often each world was imagined: both hands, and the talon as dealt."""
    found = Counter()
    for seed in range(draws):
        other = at.clone()
        other.determinize(me, seed)
        found[(*(int(cards) for cards in other.state.hands), int(other.state.talon), int(other.state.away))] += 1
    return found


def test_in_the_auction_every_other_hand_is_as_likely():
    at = act(table(karty.MINIS["tysiac_8"], ["QS KS TS", "AS QH KH"], piles=TALON_OF_EIGHT), "bid 40")
    assert looks_uniform(worlds(at, 1, 200), len(list(itertools.combinations(range(5), 3))))


def test_of_a_talon_that_was_not_shown_every_part_is_as_likely():
    """Seat 1 has three cards; the others are declarer's hand and the two laid away, and two of the five the talon."""
    at = act(
        table(karty.MINIS["tysiac_8"], ["QS KS TS", "AS QH KH"], piles=TALON_OF_EIGHT),
        "bid 40, pass, give QS, give KS",
    )
    assert looks_uniform(worlds(at, 1, 1000), 10 * 10)


def test_what_a_card_shows_holds_in_every_world():
    """Seat 1 follows a led ten with the queen: it has no ace, so that lies aside or was dealt to nobody else."""
    at = act(
        table(karty.MINIS["tysiac_8"], ["TS QH KH", "QS KS AH"], piles={"talon": "AS TH"}),
        "bid 40, pass, give AS, give TH, play TS, play QS",
    )
    assert worlds(at, 0, 20) == {worlds(at, 0, 1).most_common()[0][0]: 20}  # declarer knows where every card lies
