"""The rule-based player of Pan: always legal, blind to what it cannot see, sensible in positions, clearly better."""

import random

import numpy as np
import pytest
from heap import DECK, left_over, position
from randomly import some_rules

import karty
from karty.envs.engine import Table, make_batch, play_episodes

GAME = karty.GAMES["pan"]
NAMES = ("rule", "rule-timid", "rule-bold")


class Lowest:
    """Lays four of a rank at once, else the lowest card that it may lay; it never draws if it can lay."""

    name = "lowest"

    def act(self, observation, mask, rng):
        worth = np.zeros(mask.shape[1])
        for action, text in enumerate(GAME.action_names()):
            word, _, what = text.partition(" ")
            if word == "play":
                worth[action] = 50 - "9TJQKA".index(what[0]) if len(what) == 2 else 100
        return np.where(mask > 0, worth, -1).argmax(1)


def chosen(at, name="rule"):
    """What the player does, by its name."""
    return at.shape.actions[at.choose(name)]


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_always_legal_under_every_option(episode, players):
    lot = random.Random(1)
    rules = [GAME.rules(**{**some_rules(GAME, lot).to_dict(), "players": players, "max_turns": 300}) for _ in range(48)]
    batch = make_batch("pan", 48, rules=rules, episode=episode, seed=3)
    batch.reset()
    for step in range(240):
        actions = batch.choose(NAMES[step % 3])
        assert batch.mask[np.arange(48), actions].all()
        batch.step(actions)


@pytest.mark.parametrize("name", NAMES)
def test_the_choice_does_not_depend_on_what_the_seat_cannot_see(name):
    for seed in range(8):
        at = Table("pan", players=3 + seed % 2, spades_back=seed % 3 == 0)
        at.reset(seed)
        at.settle()
        for _ in range(150):
            if at.number:
                break
            imagined = at.clone()
            imagined.determinize(at.seat, seed=1000 + seed)
            assert imagined.choose(name) == at.choose(name)
            at.play(at.choose(name))
            at.settle()


def test_goes_out_when_it_can():
    at = position("AS", "KS KC QS", "QC QD")
    assert chosen(at) == "play AS"
    four = "AS AC AD AH"
    assert chosen(position(four, "KS KC QS", "QC QD")) == "play four A"


def test_lays_the_three_nines_at_once():
    held = "9D 9C 9S AS KS"
    rest = left_over(f"9H {held}").split()
    assert chosen(position(held, " ".join(rest[:9]), " ".join(rest[9:]), pile="9H")) == "play three 9"


def test_opens_with_all_four_nines():
    at = Table("pan", players=3)
    nines = ["9S", "9C", "9D", "9H", "TS", "TC", "JS", "JD"]
    rest = [card for card in DECK if card not in nines]
    at.reset(1, deal={"dealer": None, "hands": [nines, rest[:8], rest[8:]]})
    at.settle()
    assert chosen(at) == "play four 9"


def test_lays_low_cards_while_they_can_be_laid():
    held = "TS JS QS KS AS"
    rest = left_over(f"9H 9D {held}").split()
    at = position(held, " ".join(rest[:9]), " ".join(rest[9:]), pile="9H 9D")
    assert chosen(at) == "play TS"


def test_keeps_a_single_ace_for_last():
    """Both may be laid; with the ace left nothing can keep it from going out, with the king another's ace does."""
    assert chosen(position("AS KS", "9S TS TC JS QS AC AD AH", "9C TD JC QC QD")) == "play KS"


def test_draws_rather_than_burying_its_tens_when_it_may_reach_them():
    held = "TS TC TD QS QC"
    at = position(held, left_over(f"9H 9D KS AS {held}"), pile="9H 9D KS AS")
    assert chosen(at) == "draw"


def lost(seats, seeds, **options):
    """The share of deals lost by each seat, and of deals cut short."""
    played = play_episodes("pan", seats, seeds, rules={"players": len(seats), **options})
    return (played["reward"] < 0).mean(0), float(played["truncated"].mean())


@pytest.mark.parametrize("spades_back", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hardly_a_deal_among_rule_based_players_reaches_the_cap(players, spades_back):
    """The bar is 1 % of deals; of 300 two are fewer, three are not."""
    seats = [NAMES[seat % 3] for seat in range(players)]
    for its in (seats, ["rule"] * players):
        _, cut = lost(its, np.arange(2**40, 2**40 + 300), spades_back=spades_back)
        assert cut < 0.01


def test_loses_far_fewer_deals_than_its_part_against_three_random_ones():
    """The bar is 15 % at the upper end of the interval, par 25 %."""
    share = np.zeros(4)
    for seat in range(4):
        seats = ["random"] * 4
        seats[seat] = "rule"
        share[seat] = lost(seats, np.arange(2**40, 2**40 + 60))[0][seat]
    mean = share.mean()
    assert mean + 1.96 * (mean * (1 - mean) / 240) ** 0.5 < 0.05


@pytest.mark.parametrize("players", [2, 3])
def test_loses_clearly_fewer_deals_than_whoever_lays_his_lowest_card(players):
    mine = other = 0.0
    for seat in range(players):
        seats = [Lowest()] * players
        seats[seat] = "rule"
        share, _ = lost(seats, np.arange(2**40, 2**40 + 60))
        mine += share[seat] / players
        other += np.delete(share, seat).mean() / players
    assert mine < 0.6 * other
