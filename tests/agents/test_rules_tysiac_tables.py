"""The rule-based player of Tysiąc at every table: what it does in positions, and that it gains, by other rules too."""

import importlib.util
import random
from pathlib import Path

import pytest
from positions import act
from randomly import some_rules

import karty
from karty.envs.engine import Table
from karty.envs.games.tysiac_tables import TABLES

GAME = karty.GAMES["tysiac"]
RULES = GAME.rules()
FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "tysiac_gains.py"


def seated(at_table, *hands, **options):
    """Seat 0 is the dealer's left neighbour; who has no hand here, talons and stock get what is left in order."""
    at = TABLES[at_table]
    left = [card for card in GAME.shape(RULES).deck.names if card not in " ".join(hands).split()]

    def some(number):
        taken = left[:number]
        del left[:number]
        return taken

    dealt = [hand.split() for hand in hands]
    deal = {"dealer": at.seats - 1, "hands": dealt + [some(at.hand) for _ in range(at.seats - len(hands))]}
    if talons := [some(at.talon) for _ in range(at.talons)]:
        deal["talon"] = talons if len(talons) > 1 else talons[0]
    if at.stock:
        deal["stock"] = some(at.stock)
    made = Table("tysiac", table=at_table, **options)
    made.reset(1, deal=deal)
    made.settle()
    return made


def chosen(at, name="rule"):
    """What the player does, by its name."""
    return at.shape.actions[at.choose(name)]


def test_5_6_melds_the_king_on_the_queen():
    at = seated("4p_six", "QC JS 9S JC 9D 9H", "KC 9C JD QD JH QH")
    assert chosen(act(at, "play QC")) == "meld KC"


def test_5_6_lays_no_queen_before_a_king_that_is_still_out():
    at = seated("4p_six", "AC TC AS TS AD TD", "JD JH QD QH 9D 9H")
    # It has no club, and without a trump no card takes the trick.
    assert chosen(act(at, "play AC")) not in ("play QD", "play QH")


def test_feeds_the_trick_that_its_partner_surely_wins():
    at = seated("4p_teams", "AS KS 9S JD QD", "TS QS JC QC 9D", "9H JH KC TC KD", "JS AH KH 9C TD")
    act(at, "bid 100, pass, pass, pass, give JD, give QD, give 9S, contract 100")
    # Partner holds no spade: the ten counts for both of them.
    assert chosen(act(at, "play AS, play QS")) == "play TC"


def test_does_not_raise_its_partner_without_a_reason():
    at = seated("4p_teams", "AS KS 9S JD QD", "TS QS JC QC 9D", "9H JH KC TC 9C")
    assert chosen(act(at, "bid 100, pass")) == "pass"


def test_keeps_the_cards_that_win_when_it_lays_away():
    at = seated("2p_triples", "AS TS KS QS JS AC TC AD 9H", "9S QC KC 9C JC JD QD KD TD")
    act(at, "bid 100, pass, take 1")
    for _ in range(3):
        assert chosen(at) not in ("give AS", "give TS", "give KS", "give QS", "give AC", "give AD")
        at.play(at.choose("rule"))
        at.settle()


def test_7_1_melds_what_it_leads_while_there_is_a_stock():
    assert chosen(seated("2p_stock", "QH KH 9S JC 9D JD")) == "meld QH"


# Points a deal that the lower end of the interval must leave behind.
LEAST = {
    "3p": (100, 70, 40),
    "2p_pairs": (180, 110, 80),
    "2p_triples": (140, 90, 60),
    "2p_twelve": (230, 120, 90),
    "2p_stock": (90, 90, 70),
    "2p_stock_auction": (170, 120, 80),
    "4p_resting": (70, 50, 30),
    "4p_six": (20, 30, 20),
    "4p_teams": (140, 90, 60),
}


@pytest.fixture(scope="module")
def gains():
    """The benchmark that measures what the player gains, at this size."""
    spec = importlib.util.spec_from_file_location("tysiac_gains", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def lower_ends(gains, rules, deals=400):
    """Of the intervals of what it gains over the players without judgement, in their order."""
    found = [gains.gain(rules, other, deals) for other in gains.OTHERS.values()]
    return [mean - half for mean, half in found]


@pytest.mark.parametrize("table", TABLES)
def test_far_above_random_play_and_the_highest_and_the_lowest_card(gains, table):
    for low, least in zip(lower_ends(gains, [GAME.rules(table=table)]), LEAST[table], strict=True):
        assert low > least


@pytest.mark.parametrize("table", TABLES)
def test_by_other_rules_too(gains, table):
    lot = random.Random(6)
    rules = [GAME.rules.make(**{**some_rules(GAME, lot).to_dict(), "table": table}) for _ in range(400)]
    for low, least in zip(lower_ends(gains, rules), LEAST[table], strict=True):
        assert low > least / 2
