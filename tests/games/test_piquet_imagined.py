"""Dealing anew what a seat of Piquet cannot know: every placement that agrees with what it knows is as likely.

A placement says of each card that the seat has not seen, and of each card of the other whose origin it has not seen:
dealt to the other and kept, dealt and laid away, drawn, or in the talon. What agrees is found by going through all
placements and asking the referee's account of what the seat knows.
"""

import itertools
import random
from collections import Counter
from math import comb

import pytest
from chisquare import looks_uniform
from positions import act, cards, hand, legal, sees, table
from referee.piquet import CARDS, Deal
from referee.piquet_knowledge import Knowledge, objections

import karty
from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, RUNNING

pytestmark = pytest.mark.rules

DECK = karty.GAMES["piquet"].shape().deck


def imagined(at, me, count):
    """So many tables that the seat imagines."""
    for seed in range(count):
        its = at.clone()
        its.determinize(me, seed)
        assert (its.observe(me) == at.observe(me)).all()
        yield its


def names(cards_of):
    """The cards of a state's set."""
    return frozenset(DECK.cards(cards_of))


# -------------------------------------------------------------------------- every placement, by going through them all


class Places:
    """What a seat does not know at a table: which cards, and how many of them lie where."""

    def __init__(self, at, me):
        state, self.me, self.other = at.state, me, 1 - me
        self.piles, self.elder = at.dealt(), int(state.elder)
        self.seen = frozenset(sees(at, me)["talon"])
        its = names(state.drawn[self.other])
        self.witnessed = its & self.seen if me == self.elder else frozenset()
        self.played = names(state.played[self.other])
        whole = names(state.hands[self.other]) | names(state.discards[self.other]) | self.played
        lying = names(state.talon) - self.seen
        self.sure = self.played | frozenset(sees(at, me)["known"][1]) - self.witnessed
        self.unknown = sorted((whole | lying) - self.witnessed, key=CARDS.index)
        self.laid, self.drew = len(names(state.discards[self.other])), len(its - self.witnessed)
        self.lies = len(lying)

    def ways(self):
        """In how many ways the cards that are not surely held can lie, and held ones have been drawn."""
        free = len(self.unknown) - len(self.sure)
        held = len(self.unknown) - self.laid - self.lies
        return comb(free, self.laid) * comb(free - self.laid, self.lies) * comb(held, self.drew)

    def all(self):
        """Every way, as the sets (laid away, drawn, in the talon)."""
        free = [card for card in self.unknown if card not in self.sure]
        for laid in itertools.combinations(free, self.laid):
            rest = [card for card in free if card not in laid]
            for lies in itertools.combinations(rest, self.lies):
                held = [card for card in self.unknown if card not in laid and card not in lies]
                for drew in itertools.combinations(held, self.drew):
                    yield frozenset(laid), frozenset(drew), frozenset(lies)

    def placement(self, laid, drew, lies):
        """Hands, cards laid away, cards dealt and talons as the referee takes them."""
        kept = set(self.unknown) - laid - drew - lies
        dealt = [kept | laid if seat == self.other else set(self.piles["hands"][seat]) for seat in (0, 1)]
        # What was drawn lay above what still lies.
        new = itertools.chain(sorted(drew), sorted(lies))
        talon = [
            next(new) if card in self.unknown else card
            for card in (*self.piles["talon_elder"], *self.piles["talon_younger"])
        ]
        return (kept | drew | self.witnessed) - self.played, dealt, talon[:5], talon[5:]

    def read(self, at):
        """The way in which the cards lie at a table."""
        state = at.state
        drew = names(state.drawn[self.other]) - self.witnessed
        return names(state.discards[self.other]), drew, names(state.talon) - self.seen


def possible(places, known):
    """Every way that agrees with what the seat knows."""
    found = set()
    for way in places.all():
        held, dealt, elders, youngers = places.placement(*way)
        me = places.me
        hands = [held if seat != me else known.hand for seat in (0, 1)]
        laid = [way[0] if seat != me else known.discards for seat in (0, 1)]
        if objections(known, hands, laid, dealt, elders, youngers) == []:
            found.add(way)
    return found


def compare(at, deal, me, covered, draws=12, most=800):
    """Draw so often a placement that every possible one must come up alike; False if there are too many of them."""
    places = Places(at, me)
    if not 2 <= places.ways() <= 6000:
        return False
    known = Knowledge.of(deal, me)
    ways = possible(places, known)
    assert places.read(at) in ways
    if not 2 <= len(ways) <= most:
        return False
    found = Counter(places.read(its) for its in imagined(at, me, draws * len(ways)))
    assert set(found) <= ways
    assert looks_uniform(found, len(ways)), (deal.phase, me, len(ways))
    asked = "asked" if me == deal.seat else "waiting"
    covered[deal.phase, asked] += 1
    covered["elder" if me == deal.elder else "younger"] += 1
    covered["drawn"] += places.drew > 0
    covered["laid away"] += places.laid > 0
    covered["witnessed"] += bool(places.witnessed)
    covered["announced"] += bool(known.said[1 - me])
    covered["open number"] += deal.phase in ("suit", "sequence", "set") and asked == "asked" and any(
        numbers[1 - me] for kind, numbers in zip(("suit", "sequence", "set"), known.declared, strict=True)
        if kind == deal.phase
    )  # fmt: skip
    covered["void"] += bool(known.void[1 - me])
    return True


def some_action(at, lot):
    """Mostly few cards are laid away, and what can be announced or declared is."""
    may = legal(at)
    if "done" in may and lot.random() < 0.6:
        return "done"
    return lot.choice([name for name in may if name != "pass"]) if lot.random() < 0.7 else lot.choice(may)


def white_deal(lot):
    """A pack in which younger, and often elder, has a white ten or no court at all."""
    while True:
        pack = lot.sample(CARDS, 32)
        for hand_of in (pack[:12], pack[12:24]):
            suits = {card[1] for card in hand_of if card[0] in "JQK"}
            if any(card[0] == "T" and card[1] not in suits for card in hand_of):
                return pack


@pytest.mark.parametrize("part", range(4))
def test_every_placement_of_small_positions_is_as_likely(part):
    lot, covered, tried = random.Random(part), Counter(), 0
    for number in itertools.count():
        rules = {
            "carte_blanche": lot.choice(("white_ten", "white_ten", "no_court")),
            "first_declarer": lot.choice(("elder", "younger")),
        }
        at, dealer = Table("piquet", episode="deal", **rules), lot.randrange(2)
        pack = white_deal(lot) if number % 2 else lot.sample(CARDS, 32)
        piles = {"hands": [pack[:12], pack[12:24]], "talon_elder": pack[24:29], "talon_younger": pack[29:]}
        at.reset(number, deal={"dealer": dealer, **piles})
        here = 0
        while at.over == RUNNING and here < 3:
            event = at.advance()
            if event == DEAL:
                talons = (piles["talon_elder"], piles["talon_younger"])
                deal = Deal(at.rules.to_dict(), dealer, piles["hands"], *talons, [0, 0], True)
            elif event == ASKED:
                share = 0.1 if deal.phase == "play" else 0.5
                if lot.random() < share:
                    here += compare(at, deal, lot.randrange(2), covered)
                action = some_action(at, lot)
                at.play(at.game.action_id(at.rules, action))
                deal.act(action)
        tried += here
        if tried >= 12:
            break
    assert covered["play", "asked"] and covered["elder"] and covered["younger"]
    assert covered["laid away"] and covered["drawn"] and covered["announced"]


# ------------------------------------------------------------------------------------------------- positions by hand

ELDER = "AS KS TS 8S QC JC 9C 7C AD JD 8D KH"
FIVE, THREE = "JS TC QD TD JH", "TH 9H 7H"
YOUNGER = "QS 9S 7S AC KC 8C KD 9D 7D AH QH 8H"


def dealt(elder=ELDER, younger=YOUNGER, five=FIVE, three=THREE, actions="", **options):
    """Seat 0 is elder; these actions have been chosen."""
    at = table("piquet", [elder, younger], dealer=1, piles={"talon_elder": five, "talon_younger": three}, **options)
    return act(at, actions)


def test_before_any_exchange_every_unseen_card_may_lie_anywhere():
    """For younger 20 cards are unseen: the hand of twelve and the talon, whose order is drawn too."""
    at, first, held = dealt(), Counter(), Counter()
    for its in imagined(at, 1, 4000):
        first[its.dealt()["talon_elder"][0]] += 1
        held.update(hand(its, 0))
    unseen = set(cards(f"{ELDER} {FIVE} {THREE}"))
    assert set(first) == set(held) == unseen
    assert looks_uniform(first, 20)
    assert max(abs(count - 4000 * 12 / 20) for count in held.values()) < 160  # five standard deviations


def test_elder_keeps_the_cards_that_he_left_in_their_order_and_those_that_he_saw_drawn():
    at = dealt(actions="discard 8S, done, discard 7S, discard 8C, discard 8H, done")
    for its in imagined(at, 0, 60):
        assert its.dealt()["talon_elder"] == cards(FIVE)
        assert {"TC", "QD", "TD"} <= set(hand(its, 1))
        assert names(its.state.discards[1]).isdisjoint(cards(f"{ELDER} {FIVE}"))


def test_who_is_asked_for_a_sequence_has_one_and_a_number_told_is_true():
    at = dealt(ELDER.replace("TS", "QS"), YOUNGER.replace("QS", "TS").replace("9S 7S", "9H 7H"), three="TH 9S 7S",
               carte_blanche="none", actions="done, done, pass, pass")  # fmt: skip
    assert (at.seat, sees(at)["phase"]) == (1, "sequence")
    runs = {longest_run(hand(its, 1)) for its in imagined(at, 0, 300)}
    assert min(runs) == 3 < max(runs)
    act(at, "declare")
    assert at.seat == 0
    assert {longest_run(hand(its, 1)) for its in imagined(at, 0, 200)} == {3}


def longest_run(held):
    """How many cards of a suit stand in a row at the most."""
    best = 0
    for suit in "SCDH":
        run = 0
        for rank in "789TJQKA":
            run = run + 1 if rank + suit in held else 0
            best = max(best, run)
    return best


def test_a_white_ten_was_dealt_so_and_kept_or_laid_away():
    """Younger says spades: TS was dealt to him, JS QS KS were not; he may have drawn KS, and laid TS away."""
    younger = "TS 9S 7S AC KC 8C KD 9D 7D AH QH 8H"
    said = "discard 8S, discard JH, done, carte blanche S, discard 7S, discard 8C, discard 8H, discard QH, done"
    at = dealt("AS 9H JH 8S QC JC 9C 7C AD JD 8D KH", younger, "TC QD JS TD QS", "KS TH 7H", said)
    found = Counter()
    for its in imagined(at, 0, 1500):
        dealt_to = set(its.dealt()["hands"][1])
        assert "TS" in dealt_to and dealt_to.isdisjoint(cards("JS QS KS"))
        found["laid away"] += "TS" in names(its.state.discards[1])
        found["KS drawn"] += "KS" in hand(its, 1)
        assert {"JS", "TD", "QS"} <= set(hand(its, 1))  # elder saw them lie, and four cards were drawn
    # Unseen are 12 cards dealt and three of the talon; one of those was drawn. Not dealt is KS: it is one of the three.
    assert abs(found["KS drawn"] / 1500 - 1 / 3) < 0.06
    assert abs(found["laid away"] / 1500 - 4 / 12) < 0.06


def test_a_hand_shown_as_carte_blanche_is_known_card_by_card():
    """Younger's twelve without a court card are shown; what he laid away of them is not."""
    plain = "AS TS 9S 8S AC TC 9C AD TD 9D AH 7H"
    at = dealt("KS QS JS 7S KC QC JC 8C KD QD JD 8D", plain, "KH QH JH 7D 7C", "TH 9H 8H", carte_blanche="no_court",
               actions="done, carte blanche, discard 8S, discard 9S, done")  # fmt: skip
    assert set(sees(at, 0)["shown"]) == set(cards(plain))
    laid = Counter()
    for its in imagined(at, 0, 1320):
        assert set(its.dealt()["hands"][1]) == set(cards(plain))
        laid[names(its.state.discards[1])] += 1
    assert looks_uniform(laid, 66)  # any two of twelve
