"""Dealing anew what a seat of Piotruś cannot know: every placement that agrees with what it knows is as likely.

What agrees is found by going through all placements and asking the referee's account of who knows what.
"""

import itertools
import random
from collections import Counter
from math import factorial, prod

import pytest
from chisquare import looks_uniform
from fans import fans, held, shuffled
from positions import act, legal, sees, table
from referee.piotrus import Deal, deck
from referee.piotrus_knowledge import Knowledge, consistent
from referee.piotrus_play import chosen, dealt, drawn

from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, RUNNING, SHUFFLE, TRUNCATED

pytestmark = pytest.mark.rules

SHORT, NEVER = {"deck": "short"}, {"shuffle": "never"}


def imagined(at, me, count):
    """The fans of each seat in so many imagined tables."""
    found = []
    for seed in range(count):
        its = at.clone()
        its.determinize(me, seed)
        assert (its.observe(me) == at.observe(me)).all()
        found.append(fans(its))
    return found


# -------------------------------------------------------------------------- every placement, by going through them all


def bins(deal, known):
    """Places that the seat does not know, in lots within which order does not matter: [(seat, place), …] each.

    A fan is a lot; the last place of a drawer who has not laid its pair yet is one of its own.
    """
    lots = []
    for seat, fan in enumerate(known.known):
        blank = [(seat, place) for place, card in enumerate(fan) if card is None]
        if deal.phase == "lay" and deal.drawer == seat and blank and blank[-1][1] == len(fan) - 1:
            lots.append([blank.pop()])
        lots.append(blank)
    return [lot for lot in lots if lot]


def ways(lots):
    """In how many ways the unknown cards can be shared out at all."""
    return factorial(sum(map(len, lots))) // prod(factorial(len(lot)) for lot in lots)


def share_out(cards, sizes):
    """Every way to share the cards out into sets of these sizes."""
    if not sizes:
        yield ()
        return
    for first in itertools.combinations(cards, sizes[0]):
        for rest in share_out([card for card in cards if card not in first], sizes[1:]):
            yield (frozenset(first), *rest)


def placements(deal, known, lots):
    """Every sharing out that agrees with what the seat knows."""
    told = {card for fan in known.known for card in fan if card is not None} | set(known.fan) | set(known.out)
    unseen = [card for card in deck(deal.rules) if card not in told]
    found = set()
    for shared in share_out(unseen, [len(lot) for lot in lots]):
        guess = [list(known.fan) if seat == known.me else list(fan) for seat, fan in enumerate(known.known)]
        for lot, cards in zip(lots, shared, strict=True):
            for (seat, place), card in zip(lot, sorted(cards), strict=True):
                guess[seat][place] = card
        if consistent(known, deal, guess):
            found.add(shared)
    return found


def read(lots, its_fans):
    """The sharing out in these fans."""
    its_fans = [fan.split() for fan in its_fans]
    return tuple(frozenset(its_fans[seat][place] for seat, place in lot) for lot in lots)


def compare(at, deal, me, covered, draws=12, most=250):
    """Draw so often a placement that every possible one must come up alike; False if there are too many of them."""
    known = Knowledge.of(deal, me)
    lots = bins(deal, known)
    if not 2 <= ways(lots) <= 4000:
        return False
    possible = placements(deal, known, lots)
    assert read(lots, fans(at)) in possible
    if not 2 <= len(possible) <= most:
        return False
    found = Counter(read(lots, its) for its in imagined(at, me, draws * len(possible)))
    assert set(found) <= possible
    assert looks_uniform(found, len(possible)), (deal.rules, deal.phase, me, len(possible))
    third = deal.drawer is not None and me not in (deal.giver, deal.drawer)
    covered[deal.phase] += 1
    covered["loose"] += any(known.loose)
    covered["known"] += any(any(fan) for fan in known.known)
    covered["third, before the lay"] += third and deal.phase == "lay"
    covered["third, before the lay, loose"] += known.undecided is not None and bool(known.loose[deal.giver])
    covered["giver, before the lay"] += me == deal.giver and deal.phase == "lay"
    covered["before the first turn"] += deal.drawer is None
    covered["by rank"] += deal.rules["pairing"] == "rank" and deal.rules["deck"] != "picture"
    covered["placements"] += len(possible)
    return True


@pytest.mark.parametrize("part", range(6))
def test_every_placement_of_small_positions_is_as_likely(part):
    lot, covered, tried = random.Random(part), Counter(), 0
    while tried < 14:
        rules = drawn(lot)[0] | {"max_turns": 2000, "players": lot.choice((2, 3, 3, 4))}
        rules |= {"discard": "manual"} if tried % 3 else {}
        at, dealer = Table("piotrus", rules), lot.randrange(rules["players"])
        at.reset(lot.randrange(2**62), deal={"dealer": dealer, "hands": dealt(lot, rules, dealer)})
        skills, here = [lot.choice((0.0, 0.5, 1.0)) for _ in range(at.seats)], 0
        while at.over == RUNNING and here < 3:
            event = at.advance()
            if event == DEAL:
                deal = Deal(rules, at.dealer, [list(hand) for hand in at.dealt()["hands"]])
            elif event == SHUFFLE:
                deal.act("shuffle", at.shuffled()[1])
            elif event == ASKED:
                if lot.random() < (0.5 if deal.phase == "lay" else 0.15):
                    here += compare(at, deal, lot.randrange(at.seats), covered)
                action = chosen(lot, deal, deal.legal(), skills[deal.seat])
                at.play(at.game.action_id(at.rules, action))
                if action != "shuffle":
                    deal.act(action)
        tried += here
    assert covered["lay"] and covered["draw"] and covered["known"] and covered["by rank"]


# ---------------------------------------------------------------- positions enumerated by hand: A is seat 2, B 0, C 1


def sets(its_fans):
    """B's and C's cards in an imagined table."""
    return tuple(frozenset(fan.split()) for fan in its_fans[:2])


def test_no_fan_holds_a_pair_and_every_order_is_as_likely():
    at = held("9S TS", "9C KS", "KC TC JS", **SHORT, **NEVER)
    found = Counter(tuple(its) for its in imagined(at, 2, 640))
    # A nine and one of TS and KS each: 2 x 2 ways, and 2 orders in either fan.
    assert {frozenset(fan.split()) for fan, _, _ in found} == {
        frozenset(two) for two in itertools.product(("9S", "9C"), ("TS", "KS"))
    }
    assert looks_uniform(found, 16)
    assert {its[2] for its in found} == {"KC TC JS"}


def test_loose_cards_stay_in_their_fan_at_any_place():
    at = held("2S 3S 4S", "KS QS 9D", "KC QC 2C 3C 4C JS 9H")
    act(at, "offer, draw 0, offer, draw 0, offer, draw 2, offer, draw 0")
    shuffled(at, "KC 3S QC 4S")
    assert sees(at, 2)["loose"] == [["QC", "KC"], []]
    found = imagined(at, 2, 720)
    # KC and QC are with B, so their twins are not; of 2S, 3S and 4S one is with C.
    assert set(Counter(map(sets, found))) == {
        (frozenset({"KC", "QC", *two}), frozenset({"KS", "QS", *({"2S", "3S", "4S"} - set(two))}))
        for two in itertools.combinations(("2S", "3S", "4S"), 2)
    }
    assert looks_uniform(Counter(map(sets, found)), 3)
    where = Counter((its[0].split().index("KC"), its[0].split().index("QC")) for its in found)
    assert looks_uniform(where, 12)


@pytest.mark.plain
def test_known_places_are_kept():
    at = held("2S 3S 4S", "KS 2H 5S", "KC 2C 3C 4C 2D 5C JS", **NEVER)
    act(at, "draw 0, draw 0, draw 0, draw 5, draw 2")  # worked case 11
    found = imagined(at, 2, 400)
    assert {(its[0].split()[2], its[1].split()[3], its[2]) for its in found} == {("JS", "KC", "2C 3C 4C 2D 5C KS")}
    assert looks_uniform(Counter(map(sets, found)), 10)  # two of 3S 4S 2H 5S 2S with B


@pytest.mark.plain
def test_manual_the_giver_knows_the_card_whose_twin_the_drawer_must_hold():
    at = act(held("9S TS", "KS AH", "KC 9C TC AD JS", discard="manual", **SHORT, **NEVER), "draw 1")
    found = imagined(at, 2, 300)
    assert {its[0].split()[2] for its in found} == {"9C"}
    assert {sets(its)[0] - {"9S", "9C"} for its in found} == {frozenset({card}) for card in ("TS", "KS", "AH")}
    assert looks_uniform(Counter(map(sets, found)), 3)


def test_manual_a_third_seat_knows_only_that_there_is_a_pair():
    at = act(held("9S TS", "KS AH", "KC 9C TC AD JS", discard="manual", **SHORT, **NEVER), "draw 1")
    found = Counter((its[0].split()[2], frozenset(its[0].split()[:2])) for its in imagined(at, 1, 480))
    # A nine or a ten was drawn to its twin, and the drawer's other card is of the other two, or A would hold a pair.
    assert set(found) == {
        (drawn, frozenset({twin, other}))
        for mine, theirs in ((("9S", "9C"), ("TS", "TC")), (("TS", "TC"), ("9S", "9C")))
        for drawn, twin in (mine, mine[::-1])
        for other in theirs
    }
    assert looks_uniform(found, 8)


@pytest.mark.plain
@pytest.mark.parametrize("place", [0, 1])
def test_manual_a_loose_card_may_be_the_one_that_was_drawn(place):
    at = held("9S", "9C KS 5S", "KC 5C JS", discard="manual")
    act(shuffled(act(at, "offer, draw 0"), "KC 9S"), f"draw {place}")
    found = Counter((its[0], its[1].split()[3], frozenset(its[1].split()[:3])) for its in imagined(at, 2, 400))
    # Whichever of the two it was that C drew, A imagines the same: KC, to KS, or a nine, to the other.
    assert set(found) == {
        ("9S", "KC", frozenset({"9C", "KS", "5S"})),
        ("9C", "KC", frozenset({"9S", "KS", "5S"})),
        ("KC", "9S", frozenset({"9C", "KS", "5S"})),
        ("KC", "9C", frozenset({"9S", "KS", "5S"})),
    }
    assert looks_uniform(found, 4)


def has_pair(fan):
    """Do two cards of the fan have one rank and colour?"""
    kinds = [(card[0], card[1] in "DH") for card in fan.split()]
    return len(set(kinds)) < len(kinds)


def test_manual_fans_that_have_not_been_laid_off_may_hold_pairs():
    hands = ["QC KC 9D 9H AC TD JD QD", "TH JH QH KD KH AD AH", "9S 9C TS TC QS KS AS JS"]
    at = table("piotrus", hands, dealer=1, discard="manual", deck="short")
    assert (at.seat, has_pair(fans(at)[1])) == (2, True)
    found = imagined(at, 0, 200)
    assert all(has_pair(its[2]) for its in found)  # it is asked
    assert 20 < sum(has_pair(its[1]) for its in found) < 200
    act(at, "lay 9S 9C, lay TS TC")
    assert at.seat == 0
    assert not any(has_pair(its[2]) for its in imagined(at, 0, 100))
    act(at, "lay 9D 9H")
    found = imagined(at, 0, 100)
    assert all(has_pair(its[1]) and not has_pair(its[2]) for its in found)


def test_manual_cut_short_before_the_first_turn_any_fan_may_hold_pairs():
    hands = ["QC KC 9D 9H AC TD JD QD", "TH JH QH KD KH AD AH", "9S 9C TS TC QS KS AS JS"]
    at = act(table("piotrus", hands, dealer=1, discard="manual", deck="short", max_turns=1), "lay TS TC")
    assert (at.over, legal(at)) == (TRUNCATED, [])
    found = imagined(at, 0, 200)
    assert 20 < sum(has_pair(its[1]) for its in found) < 200
    assert 20 < sum(has_pair(its[2]) for its in found) < 200


@pytest.mark.plain
def test_manual_cut_short_between_draw_and_lay_the_card_still_pairs():
    before = 7  # pairs are laid by hand
    at = held("9S TS", "KS AH", "KC 9C TC AD JS", discard="manual", max_turns=before + 1, **SHORT, **NEVER)
    assert act(at, "draw 1").over == TRUNCATED
    assert all(has_pair(its[0]) and not has_pair(its[0][:5]) for its in imagined(at, 1, 100))
