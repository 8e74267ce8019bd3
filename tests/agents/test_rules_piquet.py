"""The rule-based player of Piquet: always legal, blind to what it cannot see, sensible in positions, clearly better."""

import random

import numpy as np
import pytest
from positions import act, cards, legal, sees, table
from randomly import some_rules

import karty
from karty.envs.engine import Table, make_batch, play_episodes

GAME = karty.GAMES["piquet"]
NAMES = ("rule", "rule-timid", "rule-bold")
DECK = GAME.shape().deck.names
RANKS = "789TJQKA"


class Greedy:
    """Keeps the highest cards, declares all, leads and follows with the highest, throws the lowest."""

    name = "greedy"

    def __init__(self):
        self.layout = GAME.shape().observation

    def act(self, observation, mask, rng):
        return np.array([self.choose(self.layout.decode(row), its) for row, its in zip(observation, mask, strict=True)])

    def choose(self, o, mask):
        may = [name for name, its in zip(GAME.action_names(), mask, strict=True) if its]
        if may[0].startswith("discard"):
            lowest = sorted(o["hand"] + o["discards"], key=lambda card: RANKS.index(card[0]))
            most = 8 - o["laid_away"][1] if o["dealer"] == 0 else 5
            plan = [f"discard {card}" for card in lowest[:most]]
            return GAME.action_id(None, next((name for name in may if name in plan), "done"))
        if may[0].startswith("play"):
            follows = not o["trick"] or may[0][-1] == o["trick"][0][-1]
            return GAME.action_id(None, (max if follows else min)(may, key=lambda name: RANKS.index(name[5])))
        return GAME.action_id(None, may[0])


def chosen(at, name="rule"):
    """What the player does, by its name."""
    return at.shape.actions[at.choose(name)]


def deal(elder, younger="", *, dealer=1, carte_blanche="none", **options):
    """A deal with these hands of seat 0 and 1, or of 1 and 0; the cards left fill them up in the order of their ids."""
    left = [card for card in DECK if card not in cards(f"{elder} {younger}")]
    hands = []
    for held in (elder, younger):
        missing = 12 - len(cards(held))
        hands.append(" ".join(cards(held) + left[:missing]))
        left = left[missing:]
    piles = {"talon_elder": " ".join(left[:5]), "talon_younger": " ".join(left[5:])}
    return table(
        "piquet",
        hands if dealer else hands[::-1],
        dealer=dealer,
        piles=piles,
        episode="deal",
        carte_blanche=carte_blanche,
        **options,
    )


def laid_away(at, name="rule"):
    """The cards that the player lays away in its turn."""
    seat, found = at.seat, []
    while at.seat == seat and sees(at)["phase"] == "exchange":
        action = chosen(at, name)
        found += [action.split()[1]] if action.startswith("discard") else []
        act(at, action)
    return found


def holding(*hands, leads=0, **options):
    """Both seats hold these few cards, seat 0 is elder, seat ``leads`` leads; tricks count as taken by nobody.

    The other cards were all played, so that the player knows the other hand.
    """
    at = deal("", "", **options)
    while sees(at)["phase"] != "play":
        act(at, "done" if "done" in legal(at) else legal(at)[-1])
    state, deck = at._states, at.shape.deck
    held = [deck.set(its) for its in hands]
    others = [card for card in DECK if card not in cards(" ".join(hands))]
    n = len(cards(hands[leads]))
    state["hands"][0], state["turn"], state["leader"] = held, leads, leads
    state["shown_turn"] = leads
    state["trick_number"] = 13 - n
    state["talon"], state["discards"][0], state["drawn"][0], state["left"] = 0, 0, 0, 0
    state["known"][0] = 0
    state["played"][0] = [deck.set(" ".join(others[::2])), deck.set(" ".join(others[1::2]))]
    state["order"][0] = 0
    for i, card in enumerate(others):
        state["order"][0, DECK.index(card)] = i // 2 % (12 - n) + 1
    return at


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_always_legal_under_every_option(episode):
    lot = random.Random(1)
    rules = [some_rules(GAME, lot) for _ in range(64)]
    batch = make_batch("piquet", 64, rules=rules, episode=episode, seed=3)
    batch.reset()
    for step in range(200):
        actions = batch.choose(NAMES[step % 3])
        assert batch.mask[np.arange(64), actions].all()
        batch.step(actions)


@pytest.mark.parametrize("name", NAMES)
def test_the_choice_does_not_depend_on_what_the_seat_cannot_see(name):
    for seed in range(10):
        at = Table("piquet", preset="classic" if seed % 2 else None, episode="deal")
        at.reset(seed)
        at.settle()
        while not at.over:
            imagined = at.clone()
            imagined.determinize(at.seat, seed=1000 + seed)
            assert imagined.choose(name) == at.choose(name)
            at.play(at.choose(name))
            at.settle()


def test_draws_no_lots():
    """Two tables with the same cards and different streams go the same way."""
    ways = []
    for seed in (1, 2):
        at = deal("AS KS 9S AC QC 8C KD JD 7D TH 9H 8H", "QS TS 7S KC JC 7C AD TD 8D AH KH QH")
        state = at._states
        state["choices"] = seed
        way = []
        while not at.over:
            way.append(chosen(at))
            act(at, way[-1])
        ways.append(way)
    assert ways[0] == ways[1]


# The exchange


def test_lays_away_all_it_may():
    at = deal("AS KS 9S AC QC 8C KD JD 7D TH 9H 8H", "QS TS 7S KC JC 7C AD TD 8D AH KH QH")
    assert len(laid_away(at)) == 5
    assert len(laid_away(at)) == 3


def test_younger_lays_away_what_elder_left_too():
    at = deal("AS KS 9S AC QC 8C KD JD 7D TH 9H 8H", "QS TS 7S KC JC 7C AD TD 8D AH KH QH")
    act(at, "discard 9S, discard 8C, done")
    assert len(laid_away(at)) == 6


def test_elder_keeps_his_long_strong_suit():
    at = deal("AS KS QS JS 9S 8C 7C TD 8D 7D 9H 7H")
    away = laid_away(at)
    assert not {"AS", "KS", "QS", "JS", "9S"} & set(away)


def test_keeps_four_of_a_rank():
    at = deal("QS QC QD QH AS KS 8S 9C 7C 8D 7D 9H")
    assert not {"QS", "QC", "QD", "QH", "AS", "KS"} & set(laid_away(at))


def test_low_trios_are_kept_where_they_count_thirteen_and_broken_where_they_count_nothing():
    """Three nines: 13 by the source's rules; in the classic ones sets begin with tens, and three of them count 3."""
    hand = "QS 9S 7S 9C 7C QD 9D 8D AH KH JH TH"
    nines = {"9S", "9C", "9D"}
    assert not nines & set(laid_away(deal(hand)))
    assert nines & set(laid_away(deal(hand, trio_value=3)))
    assert nines & set(laid_away(deal(hand, preset="classic")))
    assert nines & set(laid_away(deal(hand, set_ranks="ten_up")))


def test_younger_keeps_a_guard_that_elder_throws():
    """King and a small one: the small one guards the king against elder's ace; elder, who leads, has no use for it."""
    hand = "KS 7S AC KC QC 9C 8C TD 9D JH 9H 8H"
    elder = laid_away(deal(hand))
    at = deal("AS QS JS AD KD QD AH KH QH TH 7H 7D", hand)
    laid_away(at)
    younger = laid_away(at)
    assert "7S" in elder
    assert not {"KS", "7S"} <= set(younger)


def test_the_plan_is_kept_while_its_cards_are_named():
    at = deal("AS KS 9S AC QC 8C KD JD 7D TH 9H 8H", "QS TS 7S KC JC 7C AD TD 8D AH KH QH")
    away = laid_away(at)
    assert away == sorted(away, key=DECK.index)


def test_goes_on_sensibly_with_an_exchange_that_somebody_else_began():
    """The ace is gone; the rest comes from the cards above it, and still keeps the hearts."""
    at = deal("AS 8S 7S 9C 8C TC 7D AH KH QH JH TH")
    act(at, "discard AS")
    assert laid_away(at) == ["8C", "9C", "TC", "7D"]


# Cartes blanches and declarations


def test_says_a_carte_blanche():
    assert chosen(deal("TS 9S AS KC QC TC KD 9D 7D KH QH JH", carte_blanche="white_ten")) == "carte blanche S"
    low = "AS TS 9S AC TC 9C AD TD 9D TH 9H 8H"
    assert chosen(deal(low, carte_blanche="no_court")) == "carte blanche"


def declaring(younger, elder, phase, **options):
    """Elder speaks first; the younger is asked in this round after elder declared."""
    at = deal(elder, younger, first_declarer="elder", **options)
    act(at, "done, done")
    while not (sees(at)["phase"] == phase and at.seat == 1):
        act(at, "declare")
    return at


def test_declares_what_may_be_good():
    at = declaring("AS KS QS 9S AC QC 9C AD JD 8D TH 7H", "TS 8S 7S KC JC TC 8C KD QD 9D AH JH", "suit")
    assert chosen(at) == "declare"  # four against four


def test_says_no_number_that_cannot_be_good():
    at = declaring("AS KS QS 9S AC QC 9C AD JD 8D TH 7H", "KC JC TC 8C 7C KD QD 9D AH JH TS 8S", "suit")
    assert chosen(at) == "pass"  # four against five


def test_four_against_three_of_a_rank():
    hands = "QS QC QD QH KS 9S AC 9C AD 8D TH 7H", "JS JC JD 8S TC 8C 7C KD 9D AH KH 8H"
    assert chosen(declaring(*hands, "set")) == "declare"
    assert chosen(declaring(*hands[::-1], "set")) == "pass"


# The play


def test_runs_a_solid_suit_from_the_top():
    at = deal("AS KS QS JS TS 9S 8S AC KC 7D 8D 7H", "7S AD KD QD JD TD 9D AH KH QH JH TH")
    while sees(at)["phase"] != "play":
        act(at, "done" if "done" in legal(at) else legal(at)[-1])
    assert chosen(at)[-1] in "SC"
    assert chosen(at)[5] == "A"


def test_wins_as_cheaply_as_it_can():
    """Led is the jack; the queen wins as surely as the ace."""
    at = holding("JS 9C 8D 7D 8H 7H 9H", "QS AS KC 7C AD AH 8C")
    act(at, "play JS")
    assert chosen(at) == "play QS"


def test_follows_with_its_lowest_card_if_it_cannot_win():
    at = holding("AS KS 9C 8D 7D 8H 7H", "QS TS 8S KC AD AH 8C")
    act(at, "play AS")
    assert chosen(at) == "play 8S"


def test_throws_the_card_that_guards_nothing():
    """Void in spades: of the small heart, the small club that guards the king, and the ace the heart goes."""
    at = holding("AS KS AC QC 9C AD AH", "KC 8C QD 7H 9H KH 8D")
    act(at, "play AS")
    assert chosen(at) in ("play 7H", "play 9H", "play 8D")


def test_keeps_the_guard_at_the_end():
    """The other has the ace and the queen of clubs and a winning spade: the king must keep its small club."""
    at = holding("AS AC QC", "KC 8C 7H")
    act(at, "play AS")
    assert chosen(at) == "play 7H"


# Strength


def gain(name, other, deals, **options):
    """Points a deal that a player gains on another, each deal in both seats: mean and lower end of its interval."""
    seeds = np.arange(2**40, 2**40 + deals)
    there = play_episodes("piquet", [name, other], seeds, **options)["points"]
    back = play_episodes("piquet", [other, name], seeds, **options)["points"]
    ahead = (there[:, 0] - there[:, 1] + back[:, 1] - back[:, 0]) / 2
    return ahead.mean(), ahead.mean() - 1.96 * ahead.std() / deals**0.5


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("options", [{}, {"preset": "classic"}])
def test_beats_random_play_by_far(name, options):
    """A greedy player known from elsewhere makes 17 points a deal more than random play."""
    assert gain(name, "random", 400, **options)[1] > 30


@pytest.mark.parametrize("options", [{}, {"preset": "classic"}])
def test_beats_who_keeps_and_plays_high_cards(options):
    assert gain("rule", Greedy(), 150, **options)[1] > 2
