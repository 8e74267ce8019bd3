"""The rule-based player of Tysiąc: always legal, blind to what it cannot see, sensible in positions, clearly better."""

import random

import numpy as np
import pytest
from positions import act, table
from randomly import some_rules

import karty
from karty.envs.engine import Table, make_batch
from karty.envs.games.tysiac import GIVE, PASS, TABLES

GAME = karty.GAMES["tysiac"]
NAMES = ("rule", "rule-timid", "rule-bold")
DECK = GAME.shape().deck.names


def dealt(*hands, **options):
    """Seat 0 opens with the first hand; who has none, and the talon, get what is left in order."""
    left = [card for card in DECK if card not in " ".join(hands).split()]
    hands = list(hands)
    while len(hands) < 3:
        hands.append(" ".join(left[:7]))
        left = left[7:]
    return table("tysiac", hands, dealer=2, piles={"talon": " ".join(left)}, **options)


def chosen(at, name="rule"):
    """What the player does, by its name."""
    return at.shape.actions[at.choose(name)]


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_always_legal_under_every_option(episode):
    lot = random.Random(1)
    rules = [some_rules(GAME, lot) for _ in range(96)]
    batch = make_batch("tysiac", 96, rules=rules, episode=episode, seed=3)
    batch.reset()
    for step in range(240):
        actions = batch.choose(NAMES[step % 3])
        assert batch.mask[np.arange(96), actions].all()
        batch.step(actions)


@pytest.mark.parametrize("at_table", TABLES)
def test_the_choice_does_not_depend_on_what_the_seat_cannot_see(at_table):
    at = Table("tysiac", episode="deal", table=at_table)
    for seed in range(12):
        name = NAMES[seed % 3]
        at.reset(seed)
        at.settle()
        while at.over == 0:
            imagined = at.clone()
            imagined.determinize(at.seat, seed=1000 + seed)
            assert imagined.choose(name) == at.choose(name)
            at.play(at.choose(name))
            at.settle()


def test_passes_without_a_marriage_and_bids_with_a_hundred_and_two_aces():
    assert chosen(act(dealt("9S JS QS 9C JC TC 9D", "JD QD TD 9H JH TH KC"), "bid 100")) == "pass"
    assert chosen(act(dealt("9S JS QS 9C JC TC 9D", "QH KH AH AS 9H JD KC"), "bid 100")) == "bid 110"


def test_the_timid_player_stops_before_the_bold_one():
    at = dealt("9S JS QS 9C JC TC 9D", "QH KH AH AS 9H JD KC", bid_cap="free")
    act(at, "bid 100")
    reached = {}
    for name in ("rule-timid", "rule-bold"):
        twin = at.clone()
        while twin.seat == 1 and twin.choose(name) != PASS:
            twin.play(twin.choose(name))
            twin.settle()
            if twin.seat == 2:
                act(twin, "pass")
            if twin.seat == 0:
                raises = [action for action in twin.legal() if action != PASS]
                twin.play(min(raises))
                twin.settle()
        reached[name] = max(twin.state.bid)
    assert reached["rule-timid"] < reached["rule-bold"]


def test_keeps_half_a_marriage_and_the_aces_when_it_gives():
    at = act(dealt("QH KH AS 9S JS 9C JC", "KD TD AD QS KS TS AC"), "bid 100, pass, pass")
    for _ in range(2):
        action = at.choose("rule")
        assert DECK[action - GIVE] not in {"QH", "KH", "AS"}
        at.play(action)
        at.settle()


def led(hand, contract=100, **options):
    """Seat 0, declarer, is about to lead from these eight cards; the talon held the last three of its ten."""
    held = hand.split()
    others = [card for card in DECK if card not in held]
    gifts, rest = others[:2], others[2:]
    at = table(
        "tysiac",
        [" ".join(held[:7]), " ".join(rest[:7]), " ".join(rest[7:])],
        dealer=2,
        piles={"talon": " ".join([held[7], *gifts])},
        **options,
    )
    return act(at, f"bid 100, pass, pass, give {gifts[0]}, give {gifts[1]}, contract {contract}")


def test_melds_the_hundred_at_once_with_the_queen():
    assert chosen(led("QH KH 9H JS 9S 9C JD 9D")) == "meld QH"


def test_takes_a_sure_trick_before_its_only_marriage():
    assert chosen(led("QH KH 9H AS 9S 9C JD 9D")) == "play AS"


def test_last_hand_takes_with_the_ten():
    at = table("tysiac", ["9S JC QC KC JD QD KD", "JS 9C TC AC 9D TD AD", "QS TS 9H JH QH KH TH"], dealer=2, seed=1,
               piles={"talon": "AS KS AH"})  # fmt: skip
    act(at, "bid 100, pass, pass, give KC, give KD, contract 100, play 9S, play JS")
    assert chosen(at) == "play TS"


def test_needs_no_more_than_the_match():
    at = dealt("QH KH AH TH AS AC AD", start=[900, 0, 0])
    act(at, "bid 100, pass, pass")
    for _ in range(2):
        at.play(at.choose("rule"))
        at.settle()
    assert chosen(at) == "contract 100"


def test_9_1_bombs_a_hopeless_hundred_and_8_asks_for_a_new_deal():
    hopeless = "9S JS 9C JC 9D JD 9H"
    at = dealt(hopeless, "AS AC AD AH TS TC TD", "KS KC QD KD QH KH TH", bomb="at_100", redeal_points=18)
    assert chosen(at) == "redeal"
    act(at, "bid 100, pass, pass")
    assert chosen(at) == "bomb"


def test_4_5_claims_when_it_may():
    at = led("AS TS KS QS AH TH AD AC", claim=True)
    assert chosen(at) == "claim"
