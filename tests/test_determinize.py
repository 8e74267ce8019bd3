"""Dealing anew what a seat cannot know: nothing that it sees changes, and every possible placement is as likely."""

import importlib.util
import itertools
import random
from collections import Counter
from pathlib import Path

import pytest
from chisquare import looks_uniform
from positions import act, hand, table
from randomly import endless_rules, some_rules
from referee.tysiac import CARDS
from referee.tysiac_knowledge import Knowledge, consistent

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, END, RUNNING, SCORE, SHUFFLE

pytestmark = pytest.mark.rules

PHASES = {
    "tysiac": {"auction", "take", "give", "contract", "play"},
    "pan": {"play"},
    "piotrus": {"offer", "draw", "lay"},
    "petukh": {"khlust", "take", "keep", "fold", "exchange", "discard", "boys", "play", "finish"},
    "piquet": {"carte", "exchange", "suit", "sequence", "set", "play"},
}
# Cards, scores or tables that come seldom are needed.
RARE = {"tysiac": {"take"}, "pan": set(), "piotrus": set(), "petukh": {"khlust", "boys", "finish"}, "piquet": {"carte"}}
CHANGED = {
    "tysiac": 500,
    "pan": 300,
    "piotrus": 600,
    "piquet": 600,
    "petukh": 600,
}  # of 900; in Pan a card once drawn is known until it is laid, Tysiac's `2p_twelve` hides nothing
LEAKS = Path(__file__).resolve().parent.parent / "benchmarks" / "leaks.py"


@pytest.fixture(scope="module")
def leaks():
    spec = importlib.util.spec_from_file_location("leaks", LEAKS)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_no_position_leaks_and_every_imagined_one_agrees_with_what_the_seat_knows(game, leaks):
    """900 positions of a few layouts; the command in `benchmarks` does the same with 100,000 of all."""
    kinds, changed, found = leaks.look(game, 900, seed=5, layouts=3)
    assert found == []
    assert changed > CHANGED[game.name], "dealing anew must change something in many positions"
    common = PHASES[game.name] - RARE[game.name]
    assert common <= {what for what, _ in kinds} <= PHASES[game.name]
    assert min(kinds[what, how] for what in common for how in ("asked", "waiting")) > 2


def test_states_that_wait_for_an_event_or_are_finished_leak_nothing_and_go_on(any_game, leaks):
    """Before a deal, a shuffle, a score and the end, and after the end, as at decisions."""
    lot, waited = random.Random(8), Counter()
    for seed, rules in zip(range(16), endless_rules(any_game, lot, 2), strict=False):
        made = Table(any_game, rules, episode=("deal", "match")[seed % 2])
        made.reset(seed)
        for _ in range(300):
            due = made.clone().advance() if made.over == RUNNING else "finished"
            if due == ASKED:
                made.play(lot.choice(made.legal()) if lot.random() < 0.2 else made.choose("rule"))
                continue
            if waited[due] < 30:
                waited[due] += 1
                for me in range(made.seats):
                    goes_on_unseen(made, me, lot.randrange(2**62), due, leaks)
            if due == "finished":
                break
            made.advance()
    assert {DEAL, SCORE, END, "finished"} | ({SHUFFLE} if any_game.fans else set()) <= set(waited)


def goes_on_unseen(made, me, seed, due, leaks):
    """Dealing anew changes nothing for this seat, and what was due still happens."""
    imagined = made.clone()
    imagined.determinize(me, seed)
    assert (imagined.observe(me) == made.observe(me)).all()
    assert (imagined.seat, imagined.over) == (made.seat, made.over)
    assert leaks.hidden_counts(imagined, me) == leaks.hidden_counts(made, me)
    Table(made.game, made.rules, episode=made.episode).set_state(imagined.get_state())  # no StateError
    if due != "finished":
        assert imagined.advance() == due
        imagined.settle()
        assert imagined.over != RUNNING or imagined.legal()
    else:
        assert imagined.returns()[0].tolist() == made.returns()[0].tolist()


def test_a_given_deal_that_is_still_to_come_is_drawn_anew(game):
    """It lies ready on the table, but nobody has seen it."""
    other = Table(game)
    other.reset(5)
    other.settle()
    given = other.dealt()
    deals = []
    for seed in (None, 11, 12):
        made = Table(game)
        made.reset(7, deal=given | {"dealer": other.dealer})
        if seed is not None:
            made.determinize(0, seed)
        made.settle()
        assert made.dealer == other.dealer
        deals.append(made.dealt())
    assert deals[0] == given
    assert deals[1] != given != deals[2] != deals[1]


@pytest.mark.plain
def test_an_imagined_table_can_be_played_to_its_end(any_game):
    lot = random.Random(6)
    for seed in range(12):
        made = Table(any_game, some_rules(any_game, lot), episode="deal")
        made.reset(seed)
        for _ in range(lot.randrange(20)):
            made.settle()
            if made.over == RUNNING:
                made.play(lot.choice(made.legal()))
        made.settle()
        made.determinize(lot.randrange(made.seats), seed)
        while made.over == RUNNING:
            made.play(lot.choice(made.legal()))
            made.settle()
        assert made.returns()[0].sum() == pytest.approx(0)


@pytest.mark.plain
def test_the_same_seed_imagines_the_same_and_the_table_itself_is_left_alone(game):
    made = Table(game)
    made.reset(3)
    made.settle()
    before = made.get_state()
    first, again, other = (made.clone() for _ in range(3))
    first.determinize(1, 9)
    again.determinize(1, 9)
    other.determinize(1, 10)
    assert made.get_state() == before
    assert first.get_state() == again.get_state() != other.get_state()
    for seed in (-1, 2**63, None):
        with pytest.raises(ValueError, match=r"^seed=.* is not allowed"):
            made.determinize(1, seed)


@pytest.mark.parametrize("name", ["tysiac", "pan"])
def test_the_next_deal_is_drawn_anew(name):
    """The deal after an imagined one is not the one that the seed had in store."""
    made = Table(name, max_deals=2)
    made.reset(3)
    made.settle()
    imagined = made.clone()
    imagined.determinize(0, 9)
    chance = random.Random(1)
    for its in (made, imagined):
        while its.number == 0:
            its.play(chance.choice(its.legal()))
            its.settle()
        assert its.over == RUNNING
    assert made.dealt() != imagined.dealt()


def test_piotrus_a_shuffle_to_come_is_drawn_anew():
    """The giver, asked to offer its fan, sees it whole; the order that it gets by a shuffle nobody knows yet."""
    made = Table("piotrus", players=2)
    made.reset(3)
    made.settle()
    shuffle, giver = made.game.action_id(made.rules, "shuffle"), made.seat
    fans, other = [], made.clone()
    other.determinize(giver, 9)
    for imagined in (made, other):
        assert imagined.legal() == [shuffle - 1, shuffle]
        imagined.play(shuffle)
        imagined.settle()
        fans.append(imagined.shuffled())
    (seat, first), (same, second) = fans
    assert seat == same == giver
    assert first != second and sorted(first) == sorted(second) and len(first) > 5


# ------------------------------------------------------------------------------------------------ Tysiąc by hand


def imagined_hands(at, me, count):
    """The hands of each seat in so many imagined tables, as sets."""
    found = []
    for seed in range(count):
        its = at.clone()
        its.determinize(me, seed)
        found.append([frozenset(hand(its, seat)) for seat in range(3)])
    return found


def in_play(*hands, actions="", bids="bid 100, pass, pass"):
    """Seat 0 declares with these hands of 8 and is to lead; the last cards of seats 1 and 2 were given to them."""
    eights = [text.split() for text in hands]
    sevens = [" ".join(eight[:7]) for eight in eights]
    talon = " ".join([eights[0][7], eights[1][7], eights[2][7]])
    at = table("tysiac", sevens, dealer=2, piles={"talon": talon}, bid_cap="free")
    contract = 120 if "120" in bids else 100
    return act(at, f"{bids}, give {eights[1][7]}, give {eights[2][7]}, contract {contract}, {actions}")


def test_tysiac_declarer_knows_where_his_gifts_are():
    at = in_play("AS TS KS QS AH TH AD AC", "JS KC QC JC KD QD KH QH", "9S 9C TC JD 9D TD JH 9H")
    for hands in imagined_hands(at, 0, 50):
        assert "QH" in hands[1] and "9H" in hands[2]
    assert len({hands[1] for hands in imagined_hands(at, 1, 50)}) == 1  # its own hand


def test_tysiac_a_seat_that_could_not_follow_holds_none_of_the_suit():
    hands = ("KS QS AS TS 9C 9D 9H JH", "9S JS QD JD QH KH TH AH", "AC TC KC QC JC AD TD KD")
    at = in_play(*hands, actions="meld KS, play 9S, play AD")
    for imagined in imagined_hands(at, 1, 60):
        assert not any(card.endswith("S") for card in imagined[2])
        assert "QS" in imagined[0]  # the other half of the marriage
    for imagined in imagined_hands(at, 2, 60):
        assert not {"TS", "AS"} & imagined[1]  # it could not beat the king


def test_tysiac_a_talon_that_was_shown_is_declarer_s_but_for_one_gift_a_seat():
    hands = ("KS QS AS TS 9C 9D 9H JH", "9S JS QD JD QH KH TH AH", "AC TC KC QC JC AD TD KD")
    talon = {"JH", "AH", "KD"}  # AH was given to seat 1, KD to seat 2
    hidden = Counter(len(talon & its[2]) for its in imagined_hands(in_play(*hands), 1, 200))
    assert set(hidden) == {0, 1, 2}
    at = in_play(*hands, bids="bid 100, bid 110, pass, bid 120, pass")
    shown = Counter(len(talon & its[2]) for its in imagined_hands(at, 1, 200))
    assert set(shown) == {0, 1}
    for hands in imagined_hands(at, 1, 20):
        assert talon <= hands[0] | hands[1] | hands[2]


# --------------------------------------------------------------------------------- every placement, by brute force


def gifts_of(knowledge, hands):
    """Every way in which declarer may have given the cards, as {receiver: card}."""
    choices = []
    for seat in knowledge.given:
        if knowledge.declarer == knowledge.me:
            its = [knowledge.gave[seat]]
        elif seat == knowledge.me:
            its = [knowledge.got]
        else:
            its = [*hands[seat], *knowledge.played[seat]]
        choices.append([(seat, card) for card in its])
    return [dict(chosen) for chosen in itertools.product(*choices)]


def placements(knowledge):
    """Every placement of the cards that the seat cannot see which agrees with all that it knows, as tuples of sets."""
    gone = frozenset().union(*knowledge.played)
    unseen = [card for card in CARDS if card not in gone and card not in knowledge.hand]
    first, second = (seat for seat in range(3) if seat != knowledge.me)
    found = set()
    for lying in itertools.combinations(unseen, knowledge.lying):
        rest = [card for card in unseen if card not in lying]
        for chosen in itertools.combinations(rest, knowledge.counts[first]):
            hands = [None] * 3
            hands[knowledge.me] = knowledge.hand
            hands[first] = frozenset(chosen)
            hands[second] = frozenset(rest) - hands[first]
            if any(consistent(knowledge, hands, lying, gifts) for gifts in gifts_of(knowledge, hands)):
                found.add((*hands, frozenset(lying)))
    return found


@pytest.mark.parametrize("seed", range(8))
def test_tysiac_every_placement_of_a_small_endgame_is_as_likely(seed, leaks):
    """Random play down to a few unknown cards; then what is possible is enumerated and compared with 40 draws each."""
    lot = random.Random(seed)
    game = karty.GAMES["tysiac"]
    rules = game.rules(bid_cap="free", show_talon=lot.choice(("always", "never")))
    seen = 0
    for number in itertools.count(100 * seed):
        at = Table(game, rules, episode="deal")
        at.reset(number)
        at.settle()
        account = leaks.ACCOUNTS["tysiac"](at)
        account.dealt()
        few = lot.choice((6, 8, 9, 11, 12))
        while at.over == RUNNING and sum(len(hand(at, seat)) for seat in range(3)) > few:
            action = lot.choice(at.legal())
            account.acted(action)
            at.play(action)
            at.settle()
        me = lot.randrange(3)
        knowledge = Knowledge.of(account.deal, me)
        possible = placements(knowledge)
        truth = tuple(frozenset(hand(at, seat)) for seat in range(3))
        assert (*truth, frozenset()) in possible
        if len(possible) < 3:
            continue
        drawn = Counter((*hands, frozenset()) for hands in imagined_hands(at, me, 40 * len(possible)))
        assert set(drawn) <= possible
        assert looks_uniform(drawn, len(possible))
        seen += 1
        if seen == 5:
            return
