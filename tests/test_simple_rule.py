"""The frozen simple player of Tysiąc: its estimate, positions by hand, always legal, far above random."""

import importlib.util
import random
from pathlib import Path

import numpy as np
import pytest
from positions import act, table
from randomly import some_rules

import karty
from karty.envs import compiled
from karty.envs.engine import make_batch
from karty.envs.kernel import rule
from karty.envs.layout import records
from karty.training.evaluate import evaluate

GAME = karty.GAMES["tysiac"]
DECK = GAME.shape().deck
FILE = Path(__file__).resolve().parent.parent / "benchmarks" / "simple_rule.py"


def load():
    """The file as a module. Its player is forgotten again: other tests' loops would be compiled anew with it."""
    spec = importlib.util.spec_from_file_location("simple_rule", FILE)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(compiled._players, "tysiac", dict(compiled._players["tysiac"]))
        spec.loader.exec_module(module)
        assert "simple" in compiled.players("tysiac")
    return module


SIMPLE = load()
CHOOSE = SIMPLE.choose


@pytest.fixture
def seated(monkeypatch):
    """The player is known to the engine."""
    monkeypatch.setitem(compiled._players, "tysiac", compiled._players["tysiac"] | {"simple": compiled._Player(CHOOSE)})


@rule
def ask(seen, masks, actions):
    """The kernel itself, for many rows."""
    for i in range(len(actions)):
        actions[i] = CHOOSE(seen[i], masks[i], None)


def dealt(*hands, talon="", **options):
    """Seat 0 opens with the first hand; who has none, and the talon if none is given, get what is left in order."""
    left = [card for card in DECK.names if card not in f"{' '.join(hands)} {talon}".split()]
    hands = list(hands)
    while len(hands) < 3:
        hands.append(" ".join(left[:7]))
        left = left[7:]
    return table("tysiac", hands, dealer=2, piles={"talon": talon or " ".join(left)}, **options)


def answers(shape, observations, masks):
    """What the player does, int64 [m]: observations int8 [m, F], masks int8 [m, A]."""
    seen = records(np.ascontiguousarray(observations).view(shape.observation.dtype).reshape(len(masks)))
    actions = np.zeros(len(masks), np.int64)
    ask(seen, np.ascontiguousarray(masks), actions)
    return actions


def chosen(at):
    """What the player does, by its name."""
    mask = np.zeros((1, at.shape.size), np.int8)
    mask[0, at.legal()] = 1
    return at.shape.actions[answers(at.shape, at.observe(at.seat)[None], mask)[0]]


def led(*hands, contract=100, **options):
    """A deal with these hands of 8 when seat 0, declarer, is to lead; the last cards of the others' are its gifts."""
    eights = [hand.split() for hand in hands]
    while len(eights) < 3:
        held = [card for hand in eights for card in hand]
        eights.append([card for card in DECK.names if card not in held][:8])
    gifts = [eights[1][7], eights[2][7]]
    at = dealt(*(" ".join(hand[:7]) for hand in eights), talon=" ".join([eights[0][7], *gifts]), **options)
    return act(at, f"bid 100, pass, pass, give {gifts[0]}, give {gifts[1]}, contract {contract}")


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("9S JS QC KD 9H 9C JD", 0),
        ("AS TS KS 9C JC 9D JD", 18 + 16 + 12),
        ("AS KS JS 9C JC 9D JD", 18),  # the king counts only with ace and ten
        ("TS 9S TC 9D JD QH 9H", 6 + 2),  # one guarded, one single
        ("9S JS QS TS 9C 9D 9H", 6 + 8),  # the fourth spade
        ("KS QS KH QH AC AD 9D", 40 + 100 + 2 * 18 + 2 * 4),
    ],
)
def test_the_estimate_counted_by_hand(hand, points):
    assert SIMPLE.estimate(DECK.set(hand)) == points


@pytest.mark.parametrize(
    ("hand", "action"),
    [
        ("QH KH 9H 9S JS 9C JC", "pass"),  # 100
        ("QH KH 9H JH 9S JS 9C", "pass"),  # 108
        ("QH KH 9H JH TC 9S JS", "bid 110"),  # 110
        ("QH KH AH AS 9S 9C JC", "bid 110"),  # 144
    ],
)
def test_bids_ten_more_while_the_estimate_covers_it(hand, action):
    left = [card for card in DECK.names if card not in hand.split()]
    assert chosen(act(dealt(" ".join(left[:7]), hand), "bid 100")) == action


def test_looks_at_no_score():
    at = dealt("TS QS KS AS JC QC TC", "QH KH 9H JH 9S JS 9C", start=[990, 900, 0])
    assert chosen(act(at, "bid 100")) == "pass"


@pytest.mark.parametrize(
    ("hand", "action"),
    [
        ("QH KH AS AC 9S 9C 9D JD", "contract 100"),  # 144 - 60
        ("QH KH AH TH AS 9S 9C JC", "contract 120"),  # 18 + 16 + 12 + 8 + 18 + 100 + 8 = 180, less 60
    ],
)
def test_raises_the_contract_only_with_sixty_to_spare(hand, action):
    held = hand.split()
    left = [card for card in DECK.names if card not in held]
    at = dealt(" ".join(held[:7]), talon=" ".join([held[7], *left[:2]]))
    assert chosen(act(at, f"bid 100, pass, pass, give {left[0]}, give {left[1]}")) == action


def gifts(hand):
    """The two cards that seat 0 gives of these ten."""
    held = hand.split()
    at = act(dealt(" ".join(held[:7]), talon=" ".join(held[7:])), "bid 100, pass, pass")
    first = chosen(at)
    return [first, chosen(act(at, first))]


def test_gives_the_low_cards_of_its_shortest_suit():
    assert gifts("AS TS KS 9S AH TH 9H JH 9C JC") == ["give 9C", "give JC"]


def test_keeps_halves_of_marriages_aces_and_guarded_tens():
    assert gifts("QS 9S KC JC AD TD QH KH TH AH") == ["give 9S", "give JC"]


def test_cashes_the_ace_before_the_marriage():
    assert chosen(led("QH KH AS 9S 9C JC 9D JD")) == "play AS"


def test_without_a_top_card_it_melds_the_best_marriage_with_the_queen():
    assert chosen(led("QH KH QS KS 9C JC 9D JD")) == "meld QH"


def test_without_both_it_leads_low_from_its_longest_suit():
    assert chosen(led("9S JC QC TC 9D JD 9H JH")) == "play JC"


def test_melds_a_marriage_whose_cards_have_become_the_highest():
    at = led("QH KH AH TH 9S 9C 9D JD")
    assert chosen(at) == "play AH"
    assert chosen(act(at, "play AH, play JS, play 9H")) == "play TH"
    assert chosen(act(at, "play TH, play QS, play JH")) == "meld QH"


def test_leads_trumps_while_its_ace_may_be_trumped():
    at = led("QH KH AH TH AS TS KS 9D", "9H JH 9S JS QS 9C JC QC")
    act(at, "meld QH, play 9H, play JD")  # one trump is out, and only three spades
    assert chosen(at) == "play AH"
    assert chosen(act(at, "play AH, play JH, play QD")) == "play AS"


def test_third_hand_takes_with_the_most_points():
    at = led("9S JC QC KC JD QD KD AS", "JS 9C TC AC 9D TD AD KS", "QS TS 9H JH QH KH TH AH")
    assert chosen(act(at, "play 9S, play JS")) == "play TS"


def test_second_hand_takes_only_with_a_sure_winner():
    low = "JC 9C 9S JS 9D JD 9H JH"
    assert chosen(act(led(low, "AC QC KS TS AS KD TD AD"), "play JC")) == "play AC"
    assert chosen(act(led(low, "TC QC KS TS AS KD TD AD"), "play JC")) == "play QC"


def test_feeds_a_ten_to_the_other_defender_but_not_to_declarer_and_keeps_its_sure_winners():
    defender = "QS KS 9D TD AD KD QC KC"
    fed = "TH 9H JH AC 9C JC QD JD"  # the ace of hearts is with declarer, that of clubs is good for a trick
    assert chosen(act(led("9S JS TS TC AH KH QH AS", defender, fed), "play 9S, play KS")) == "play TH"
    assert chosen(act(led("9S JS TS TC AH KH QH AS", defender, fed), "play AS, play QS")) == "play 9C"


def test_legal_under_every_option():
    lot = random.Random(1)
    rules = [some_rules(GAME, lot) for _ in range(96)]
    batch = make_batch("tysiac", 96, rules=rules, episode="match", seed=3)
    batch.reset()
    for _ in range(200):
        actions = answers(batch.shape, batch.observation, batch.mask)
        assert batch.mask[np.arange(96), actions].all()
        batch.step(actions)


def test_far_above_random_play(seated):
    assert evaluate("tysiac", ["simple", "random"], deals=400).points.low > 80


def test_the_table_has_a_line_for_each_agent_and_names_an_unknown_one(seated, capsys):
    SIMPLE.main(["--agents", "simple", "random", "--deals", "20", "--matches", "2"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["agent", "simple", "random"]
    assert lines[1].split()[1:7] == ["+0.00", "±", "0.00", "33.3", "±", "0.0"]
    with pytest.raises(SystemExit) as stopped:
        SIMPLE.main(["--agents", "nobody"])
    assert stopped.value.code == 2
    assert "no agent 'nobody'" in capsys.readouterr().err
