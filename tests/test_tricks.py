"""Following, beating and winning, against a definition of the duties that tries every card."""

import random
from collections import Counter

import pytest
from positions import hand, legal

import karty
from karty.envs import tricks
from karty.envs.cards import Deck
from karty.envs.engine import Table
from karty.envs.game import RUNNING

pytestmark = [pytest.mark.rules, pytest.mark.plain]

DECK = Deck(ranks="9JQKTA", suits="SCDH")


def best(trick, trump):
    """The card of a trick that wins: the highest trump, else the highest of the suit led."""
    ranked = [card for card in trick if card[1] == trump] or [card for card in trick if card[1] == trick[0][1]]
    return max(ranked, key=lambda card: "9JQKTA".index(card[0]))


def duties(held, trick, trump):
    """The cards that may be laid: of the suit led if there is one; of these those that win so far, if one does."""
    if not trick:
        return held
    may = [card for card in held if card[1] == trick[0][1]] or held
    return [card for card in may if best([*trick, card], trump) == card] or may


def stronger(card, trump):
    return tricks.stronger(DECK.above, DECK.of_suit, DECK.suit_of, DECK.id(card), trump)


def test_stronger_by_hand():
    assert DECK.cards(stronger("KS", tricks.NO_TRUMP)) == ["TS", "AS"]
    assert DECK.cards(stronger("AS", tricks.NO_TRUMP)) == []
    assert DECK.cards(stronger("TS", 3)) == ["AS", "9H", "JH", "QH", "KH", "TH", "AH"]
    assert DECK.cards(stronger("TH", 3)) == ["AH"]


@pytest.mark.parametrize("trump", [-1, 0, 1, 2, 3])
def test_stronger_is_what_wins_when_laid_on_it(trump):
    suit = None if trump < 0 else "SCDH"[trump]
    for card in DECK.names:
        winning = [other for other in DECK.names if other != card and best([card, other], suit) == other]
        assert DECK.cards(stronger(card, trump)) == winning


def test_follow_and_beat_fall_back_on_all():
    held, spades = DECK.set("9S KS AD"), int(DECK.of_suit[0])
    assert DECK.cards(tricks.follow(held, spades)) == ["9S", "KS"]
    assert DECK.cards(tricks.follow(held, int(DECK.of_suit[1]))) == ["9S", "KS", "AD"]
    assert DECK.cards(tricks.beat(held, stronger("QS", tricks.NO_TRUMP))) == ["KS"]
    assert DECK.cards(tricks.beat(held, stronger("TS", tricks.NO_TRUMP))) == ["9S", "KS", "AD"]


def kind(held, trick, trump):
    """Which sentence of the duties a position is about."""
    led = trick[0][1]
    trumped = trump not in (None, led) and any(card[1] == trump for card in trick)
    follows = any(card[1] == led for card in held)
    wins = any(best([*trick, card], trump) == card for card in held if not follows or card[1] == led)
    return ("follows" if follows else "void", "trumped" if trumped else "plain", "wins" if wins else "loses")


def test_every_legal_card_of_random_deals_and_no_other():
    lot = random.Random(5)
    at = Table(karty.GAMES["tysiac"], bid_cap="free", episode="deal")
    seen = Counter()
    for seed in range(250):
        at.reset(seed)
        at.settle()
        trump, trick = None, []
        while at.over == RUNNING:
            may = legal(at)
            if any(name.startswith(("play", "meld")) for name in may):
                held = hand(at, at.seat)
                cards = [name for name in may if name.startswith("play")]
                assert cards == [f"play {card}" for card in duties(held, trick, trump)], (seed, held, trick, trump)
                if trick:
                    seen[kind(held, trick, trump)] += 1
            melds = [name for name in may if name.startswith("meld")]
            action = lot.choice(melds or may)
            verb, _, card = action.partition(" ")
            if verb in ("play", "meld"):
                trump = card[1] if verb == "meld" else trump
                trick.append(card)
            at.play(at.game.action_id(at.rules, action))
            if len(trick) == 3:
                trick = []
            at.settle()
    # Following a trumped suit never wins; everything else must have come up.
    assert set(seen) == {
        ("follows", "plain", "wins"),
        ("follows", "plain", "loses"),
        ("follows", "trumped", "loses"),
        ("void", "plain", "wins"),
        ("void", "plain", "loses"),
        ("void", "trumped", "wins"),
        ("void", "trumped", "loses"),
    }
    assert min(seen.values()) >= 5
