"""What a seat knows at the eight other tables of Tysiac, by the referee's account, and what it objects to."""

import json
from typing import Any

import pytest
from referee import tysiac
from referee.tysiac import CARDS, TABLES, Deal
from referee.tysiac_knowledge import Knowledge, objections, origin_objections
from test_referee_tysiac import act
from test_referee_tysiac_tables import (
    PAIRS,
    PAIRS_TALONS,
    TEAMS,
    TEAMS_TALON,
    at_table,
    leading,
    resting,
    some_records,
)


def placement(deal: Deal) -> tuple[Any, ...]:
    """The true place of every card, as `objections` takes it."""
    return deal.hands, deal.lying, deal.gifts, deal.away, deal.closed, deal.stock


def as_dealt(deal: Deal) -> dict[str, Any]:
    """Where every card lay when the deal began."""
    stock = [draw.card for draw in deal.draws] + deal.stock
    return {"hands": deal.dealt, "talon": deal.talons if len(deal.talons) == 2 else deal.talons[0], "stock": stock}


def exchanged(value: Any, one: str, other: str) -> Any:
    """Anything made of cards with two of them in each other's place."""
    if isinstance(value, dict):
        return {key: exchanged(its, one, other) for key, its in value.items()}
    if isinstance(value, (list, tuple)):
        return [exchanged(its, one, other) for its in value]
    return {one: other, other: one}.get(value, value)


def minds(deal: Deal, me: int, one: str, other: str) -> list[str]:
    """What a seat objects to if two cards had always been in each other's place."""
    known = Knowledge.of(deal, me)
    hands, lying, gifts, away, closed, stock = exchanged(placement(deal), one, other)
    found = objections(known, hands, lying, gifts, away, closed, stock)
    return found + origin_objections(known, hands, gifts, away, closed, stock, exchanged(as_dealt(deal), one, other))


@pytest.mark.parametrize("table", TABLES)
def test_the_truth_is_consistent_with_what_every_seat_knows(table):
    seen = 0
    for lines in some_records(table, 8):
        for position in tysiac.walk(json.dumps(line) for line in lines):
            deal = position.deal
            for seat in range(deal.seats):
                assert minds(deal, seat, "AS", "AS") == []
            seen += 1
    assert seen > 100


def test_tysiac_12_the_talon_not_chosen_and_the_cards_laid_away():
    deal = act(at_table("2p_pairs", PAIRS, PAIRS_TALONS), "bid 100", "bid 110", "bid 120", "pass")
    assert minds(deal, 0, "TH", "JH") == []  # both talons lie closed, to declarer too
    act(deal, "take 1", "give 9S", "give 9C", "contract 120")  # TH KC shown; AH JH stay closed
    assert minds(deal, 0, "AH", "QS") == []  # closed and the other hand: declarer cannot tell
    assert minds(deal, 0, "9S", "AH") != []  # it knows what it has laid away
    assert minds(deal, 1, "9S", "AH") == []  # the other seat does not
    assert minds(deal, 1, "9S", "AC") == []
    assert minds(deal, 1, "TH", "AC") != []  # but has seen the talon taken
    assert minds(deal, 1, "TH", "AH") != []
    hidden = act(at_table("2p_pairs", PAIRS, PAIRS_TALONS), "bid 100", "pass", "take 1", "give 9S", "give 9C")
    assert minds(hidden, 1, "TH", "AH") == []
    # A shown card may be among those laid away, not in the closed talon.
    known = Knowledge.of(deal, 1)
    hands, lying, gifts, away, closed, stock = placement(deal)
    for pile, mine in ((away, True), (closed, False)):
        found = objections(
            known,
            exchanged(hands, "TH", pile[0]),
            lying,
            gifts,
            exchanged(away, "TH", pile[0]),
            exchanged(closed, "TH", pile[0]),
            stock,
        )
        assert (found == []) is mine


def test_tysiac_12_what_was_drawn_is_known_to_who_drew_it():
    deal = leading("2p_stock", ["9C 9S AD TD AC JC", "TC TH KD QD AH KH"], stock="QC KC JS TS AS KS QS JD 9D QH JH 9H")
    act(deal, "play 9C", "play TC")  # seat 1 draws QC, seat 0 KC
    assert minds(deal, 0, "KC", "JS") != []
    assert minds(deal, 0, "QC", "JS") == []
    assert minds(deal, 0, "QC", "TH") == []  # dealt or drawn
    assert minds(deal, 1, "QC", "JS") != []
    assert minds(deal, 1, "KC", "9H") == []
    assert minds(deal, 0, "JS", "TS") == []  # the order of the stock
    # Seat 1 leads what it has drawn: TH was there before, and QC cannot have been drawn in the next trick.
    act(deal, "play QC", "play 9S")
    known, (hands, _, gifts, away, closed, stock) = Knowledge.of(deal, 0), placement(deal)
    drawn = as_dealt(deal)
    assert origin_objections(known, hands, gifts, away, closed, stock, drawn) == []
    later = drawn | {"stock": exchanged(drawn["stock"], "QC", "JS"), "hands": drawn["hands"]}
    assert "QC was drawn only after trick 2" in origin_objections(known, hands, gifts, away, closed, stock, later)


def test_tysiac_12_no_trick_shows_anything_while_the_stock_lies():
    deal = act(leading("2p_stock", ["AH 9S", "9H AC"], stock="QC KC"), "play AH", "play AC")
    assert Knowledge.of(deal, 0).lacks[1] == set()
    act(deal, "play QC", "play KC")
    assert Knowledge.of(deal, 0).lacks[1] == set()
    deal = act(leading("2p_stock", ["AH 9S", "9D AC"]), "play AH", "play AC")
    assert Knowledge.of(deal, 0).lacks[1] == {"9H", "JH", "QH", "KH", "TH"}


def test_tysiac_12_an_open_talon_is_known_from_the_start():
    hands = ["9C 9D 9S 9H TS TC AS", "QD JS AH JD TD AD AC"]
    deal = at_table("2p_stock_auction", hands, "KH KC", "KS JC QC TH QS QH KD JH")
    assert minds(deal, 0, "KH", "AC") != [] and minds(deal, 0, "KS", "AC") == []
    act(deal, "bid 100", "pass", "give KH", "give 9C")
    assert minds(deal, 1, "9C", "9D") == []  # which of his cards declarer laid away
    assert minds(deal, 1, "KH", "9D") != []  # KH was open; where it is now he alone knows
    known, (hands_now, *rest) = Knowledge.of(deal, 1), placement(deal)
    assert objections(known, exchanged(hands_now, "KH", "9D"), *exchanged(rest, "KH", "9D")) == []


def test_tysiac_12_a_partner_knows_its_own_gift_alone():
    deal = act(
        at_table("4p_teams", TEAMS, TEAMS_TALON), "bid 100", "pass", "pass", "pass", "give 9C", "give JD", "give 9H"
    )
    assert [Knowledge.of(deal, seat).got for seat in range(4)] == [None, "9C", "JD", "9H"]
    assert [bool(Knowledge.of(deal, seat).gave) for seat in range(4)] == [True, False, False, False]
    assert minds(deal, 2, "9C", "9H") == []
    assert minds(deal, 2, "JD", "9H") != []
    assert minds(deal, 0, "9C", "9H") != []


def test_tysiac_12_a_resting_dealer_sees_what_is_shown_to_all():
    deal = resting(0)
    assert minds(deal, 0, "AS", "QC") == []  # even the talon that earns him points
    act(deal, "bid 100", "bid 110", "pass", "pass")
    assert Knowledge.of(deal, 0).talon == {"AS", "KH", "QH"}
    assert minds(deal, 0, "AS", "QC") != [] and minds(deal, 0, "9H", "QC") == []
    assert Knowledge.of(act(resting(0), "bid 100", "pass", "pass"), 0).talon is None


def test_tysiac_12_a_king_on_a_queen_shows_no_other_card():
    deal = act(leading("4p_six", ["QC 9S", "KC 9C", "JC 9D", "TC 9H"]), "play QC", "meld KC")
    assert Knowledge.of(deal, 2).halves == (set(), set(), set(), set())
    # 5.6: and the trick proves by the trump it is judged by: clubs led, QH from seat 2 shows no clubs and no hearts.
    deal = act(leading("4p_six", ["QC 9S", "KC 9C", "QS 9D", "TC 9H"], trump="H"), "play QC", "meld KC", "play QS")
    lacks = Knowledge.of(deal, 0).lacks[2]
    assert lacks == {card for card in CARDS if card[1] in "CH"} - {"QC", "KC"}
