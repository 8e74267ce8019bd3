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
from positions import legal, sees
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


@pytest.mark.parametrize("part", range(6))
def test_every_placement_of_small_positions_is_as_likely(part):
    lot, covered, tried = random.Random(part), Counter(), 0
    for number in itertools.count():
        rules = {"carte_blanche": lot.choice(("white_ten", "white_ten", "no_court")),
                 "first_declarer": lot.choice(("elder", "younger"))}  # fmt: skip
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
        if tried >= 18:
            break
    assert covered["play", "asked"] and covered["elder"] and covered["younger"] and covered["laid away"]
    TOGETHER.update(covered)
    if part == 5 and len(PARTS | {part}) == 6:
        missing = {what for what in WANTED if not TOGETHER[what]}
        assert missing == set(), missing
    PARTS.add(part)


TOGETHER, PARTS = Counter(), set()
WANTED = {"drawn", "witnessed", "announced", "open number", "void", ("suit", "asked"), ("sequence", "asked"),
          ("set", "asked"), ("sequence", "waiting"), ("set", "waiting")}  # fmt: skip
