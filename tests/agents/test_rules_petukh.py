"""The rule-based player of Petukh: always legal, blind to what it cannot see, sensible in positions, clearly better."""

import random

import numpy as np
import pytest
from positions import act, legal, table
from randomly import some_rules

import karty
from karty.envs.engine import Table, make_batch, play_episodes

GAME = karty.GAMES["petukh"]
NAMES = ("rule", "rule-timid", "rule-bold")
DECK = GAME.shape().deck.names
RISING = [rank + suit for rank in "6789TJQKA" for suit in "SCD"]  # what is left open is filled up with low plain cards


class Greedy:
    """Never folds nor takes, exchanges nothing, and lays the lowest card that takes the trick, else the lowest."""

    name = "greedy"

    def __init__(self, players=4, stock="prikup"):
        self.layout = GAME.shape(GAME.rules(players=players, stock=stock)).observation

    def act(self, observation, mask, rng):
        return np.array([self.choose(self.layout.decode(row), its) for row, its in zip(observation, mask, strict=True)])

    def choose(self, o, mask):
        may = [action for action, name in enumerate(GAME.action_names()) if mask[action] and name != "fold"]
        names = [GAME.action_names()[action] for action in may]
        for name in ("pass", "stay", "done", "stop", "show", "silent"):
            if name in names:
                return may[names.index(name)]
        if names[0].startswith("keep"):
            return may[-1]
        led = [card for card in o["trick"] if card in o["played"][o["leader"]]]

        def strength(card):
            kind = 2 if card[1] == o["trump"] else 1 if not led or card[1] == led[0][1] else 0
            return kind, "6789TJQKA".index(card[0])

        best = max(map(strength, o["trick"]), default=(0, 0))
        cards = sorted((strength(name.split()[1]), action) for name, action in zip(names, may, strict=True))
        return next((action for its, action in cards if its > best), cards[0][1])


def kon(*hands, turned="6H", dealer=3, players=4, stock="prikup", episode="deal", **options):
    """Hearts are trump; the seats get these hands, the dealer the turned-up card besides, the rest as it comes."""
    given = " ".join(hands).split()
    left = [card for card in [*RISING, *DECK] if card not in (*given, turned)]
    left = list(dict.fromkeys(left))
    dealt = [hand.split() for hand in hands] + [[]] * (players - len(hands))
    for seat in range(players):
        need = 5 - len(dealt[seat])
        dealt[seat] = dealt[seat] + [left.pop(0 if seat % 2 else len(left) // 2) for _ in range(need)]
    piles = {"trump_card": turned} if stock == "draw" else {"prikup": " ".join(left[:4])}
    piles["stock"] = " ".join(left if stock == "draw" else left[4:])
    if stock == "prikup":
        dealt[dealer] = [*dealt[dealer], turned]
    texts = [" ".join(hand) for hand in dealt]
    return table("petukh", texts, dealer=dealer, piles=piles, episode=episode, players=players, stock=stock, **options)


def chosen(at, name="rule"):
    """What the player does, by its name."""
    return at.shape.actions[at.choose(name)]


@pytest.mark.parametrize("episode", ["deal", "match"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_always_legal_under_every_option_and_never_a_revoke(players, episode):
    lot = random.Random(1)
    rules = [GAME.rules(**{**some_rules(GAME, lot).to_dict(), "players": players}) for _ in range(96)]
    batch = make_batch("petukh", 96, rules=rules, episode=episode, seed=3)
    batch.reset()
    for step in range(200):
        actions = batch.choose(NAMES[step % 3])
        assert batch.mask[np.arange(96), actions].all()
        batch.step(actions)
        assert not batch.infos()["revoked"].any()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("stock", ["prikup", "draw"])
def test_the_choice_does_not_depend_on_what_the_seat_cannot_see(name, stock):
    at = Table("petukh", stock=stock, khlust="game", max_deals=4)
    for seed in range(6):
        at.reset(seed)
        at.settle()
        while at.over == 0:
            imagined = at.clone()
            imagined.determinize(at.seat, seed=1000 + seed)
            assert imagined.choose(name) == at.choose(name)
            at.play(at.choose(name))
            at.settle()


# Before play


def test_takes_the_prikup_with_the_ace_of_trumps_and_nothing_else():
    assert chosen(kon("AH 6S 7C 8D 9S")) == "take"


def test_plays_the_hand_that_was_dealt_with_three_sure_tricks():
    assert chosen(kon("AH KH QH AS 9S")) == "pass"


def test_does_not_take_it_for_a_low_plain_card():
    assert chosen(kon("6S 7S 7C 8C 8D")) == "pass"


@pytest.mark.parametrize(
    ("hand", "card"), [("AH 7H AS KS 7C", "AH"), ("7H KH QS 8S 9C", "KH"), ("AS 6C 7D 8S QC", "AS")]
)
def test_keeps_the_highest_trump_else_an_ace(hand, card):
    assert chosen(act(kon(hand), "take")) == f"keep {card}"


def test_folds_without_a_trump_or_an_ace_and_stays_with_high_trumps():
    at = act(kon("6S 7C 8D 9S TC", "AH KH 7S 8C 9D"), "pass, pass, pass")
    assert chosen(at) == "fold"
    assert chosen(act(at, "fold")) == "stay"


def test_lays_away_its_lowest_plain_card_as_dealer():
    hands = ["6S 7S 8S 9C TC", "6C 7C 8C 9D TD", "6D 7D 8D 9S TS", "AS KS 7H KH QC"]
    at = act(kon(*hands), "pass, pass, pass, stay, stay, stay")
    assert chosen(at) == "discard QC"


def test_says_boys_with_the_ace_of_trumps_and_is_silent_without_a_trick_in_sight():
    hands = ["6S 7S 8S 9C TC", "JS JC AH KH 7D", "8D 9D TD 9S TS"]
    assert chosen(act(kon(*hands), "pass, pass, pass, stay, stay, stay, discard 6H")) == "boys 2"
    hands = ["AH 7S AS AC AD", "JS JC 6D 7D 8D"]
    at = act(kon(*hands), "pass, pass, pass, stay, stay, stay, discard 6H")
    assert legal(at) == ["boys 2", "silent"]
    assert chosen(at) == "silent"


def test_shows_a_khlust_that_wins_the_match():
    assert chosen(kon("7H 8H 9H TH JH", khlust="game")) == "show"


def test_exchanges_low_plain_cards_and_keeps_trumps_and_aces():
    at = kon("6S 8C AD 9H KH", stock="draw")
    for action in ("discard 6S", "discard 8C", "done"):
        assert chosen(at) == action
        act(at, action)


def test_takes_the_trump_from_the_middle_as_dealer():
    at = kon("9S TS JS QC KC", "7H 8H 9H TD JD", "8C TC JC QD KD", "6S 7C 8D AH KH", turned="QH", stock="draw")
    at = act(at, "done, done, done, discard 6S, discard 7C, discard 8D")
    assert chosen(at) == "take trump"


def test_folds_a_bad_hand_before_the_exchange_when_three_others_are_in():
    hands = ["AH 7S AS 9C TC", "KH QH 8S 9D TD", "JH TH 9S TS JS", "6S 7C 8D 8C 6D"]
    at = act(kon(*hands, turned="6H", stock="draw"), "done, done, done")
    assert "fold" in legal(at)
    assert chosen(at) in ("fold", "discard 6S")


# Play


def playing(*hands, plays="", turned="6H", **options):
    """Seat 3 deals and leads; nobody takes or folds, and the dealer lays the turned-up card away."""
    start = "pass, pass, pass, stay, stay, stay, " if len(hands) > 2 else "pass, "
    at = kon(*hands, turned=turned, dealer=len(hands) - 1, players=len(hands), **options)
    return act(at, f"{start}discard {turned}, {plays}")


LOW = ("6S 7S 8C 9C TD", "7C 8D 9D 8S TS")


def test_leads_the_ace_of_trumps_for_its_first_trick():
    assert chosen(playing(*LOW, "6C 6D 7D 9S TC", "AH QS JC JD KC")) == "play AH"


def test_follows_with_the_lowest_card_that_wins_when_it_plays_last():
    at = playing(
        "7S 6D 8C 9C TD", "9S 8D 9D 6C TC", "QS AS KS 7C 7D", "8S JD QD KC QC", plays="play 8S, play 7S, play 9S"
    )
    assert chosen(at) == "play QS"


def test_follows_with_the_lowest_card_when_it_cannot_win():
    at = playing(
        "7S 6D 8C 9C TD", "AS 8D 9D 6C TC", "QS 9S KS 7C 7D", "8S JD QD KC QC", plays="play 8S, play 7S, play AS"
    )
    assert chosen(at) == "play 9S"


def test_trumps_with_the_lowest_trump_that_wins():
    at = playing(
        "9H 6D 8C 9C TD", "8H 8D 9D 6C TC", "TH KH 7H 7C 7D", "8S JD QD KC QC", plays="play 8S, play 9H, play 8H"
    )
    assert chosen(at) == "play TH"


def test_trumps_with_its_lowest_when_it_cannot_win():
    at = playing(
        "AH 6D 8C 9C TD", "8H 8D 9D 6C TC", "TH KH 7H 7C 7D", "8S JD QD KC QC", plays="play 8S, play AH, play 8H"
    )
    assert chosen(at) == "play 7H"


def test_never_revokes_though_the_mask_would_let_it():
    at = playing(
        "7S 6D 8C 9C AH", "9S 8D 9D 6C TC", "QS AS KS 7C 7D", "8S JD QD KC QC", plays="play 8S", revoke="penalty"
    )
    assert "play AH" in legal(at)
    assert chosen(at) == "play 7S"


# The end


def finishing(**options):
    """Seat 1 deals, leads and takes two tricks, all that it has to write off; seat 0 has none."""
    at = kon("7S 8S 6C 7D 8D", "AS AC KC QC JD", turned="6H", dealer=1, players=2, start=[15, 2], **options)
    return act(at, "pass, discard 6H, play AS, play 7S, play AC, play 6C")


def test_stops_when_it_has_won_the_match():
    assert chosen(finishing(episode="match")) == "stop"


def test_goes_on_in_a_single_kon_while_the_other_has_no_trick():
    assert chosen(finishing()) == "go on"


# Strength


def gain(name, opponents, seeds, players=4, **options):
    """What the player gains on these opponents in a kon, in points, and the lower end of its interval."""
    total = np.zeros(len(seeds))
    for seat in range(players):
        seats = [opponents] * players
        seats[seat] = name
        rules = {"players": players, **options}
        total += 5 * play_episodes("petukh", seats, seeds, rules=rules)["reward"][:, seat] / players
    return total.mean(), total.mean() - 1.96 * total.std() / len(seeds) ** 0.5


def test_gains_a_point_and_a_half_on_three_random_ones():
    mean, low = gain("rule", "random", np.arange(2**40, 2**40 + 2000))
    assert mean >= 1.5, (mean, low)


@pytest.mark.parametrize(("players", "stock"), [(2, "prikup"), (3, "prikup"), (5, "prikup"), (3, "draw"), (4, "draw")])
def test_gains_on_random_ones_at_every_table(players, stock):
    assert gain("rule", "random", np.arange(2**40, 2**40 + 400), players, stock=stock)[1] > 0.7


@pytest.mark.parametrize(("players", "stock"), [(2, "prikup"), (4, "prikup"), (4, "draw")])
def test_gains_on_whoever_never_folds_nor_takes_and_lays_the_lowest_card_that_wins(players, stock):
    assert gain("rule", Greedy(players, stock), np.arange(2**40, 2**40 + 300), players, stock=stock)[1] > 0.1


def test_wins_more_matches_than_its_part_against_random_ones():
    seeds = np.arange(2**40, 2**40 + 200)
    won = play_episodes("petukh", ["rule", "random", "random", "random"], seeds, episode="match")["reward"][:, 0] > 0
    assert won.mean() > 0.6
