"""What a seat of Piotruś sees (section 7), field by field, against the referee's own account of the same games.

And 7.2 (a) to (e) and 7.3 in positions by hand: A gives to B, from whom C draws.
"""

import random
from collections import Counter

import numpy as np
import pytest
from fans import fans, held, shuffled, sure
from positions import act, legal, sees
from referee.piotrus import OPTIONS, Deal, Dealt, all_cards, deck, paired
from referee.piotrus_knowledge import Knowledge
from referee.piotrus_play import chosen, dealt, drawn

from karty.envs.engine import Table
from karty.envs.game import ASKED, DEAL, END, RUNNING, SHUFFLE, TRUNCATED

pytestmark = [pytest.mark.rules, pytest.mark.plain]

PLACES = {"full": 27, "short": 13, "picture": 14}
# Every number of seats with one pack, few and many with the others: each table compiles a layout of its own.
TABLES = [("full", 3), ("full", 5), *(("short", players) for players in (2, 3, 4, 5)), ("picture", 2), ("picture", 8)]
SHOWN = 100  # turns left are shown up to here
SHORT, NEVER = {"deck": "short"}, {"shuffle": "never"}


class Account:
    """A game as the referee keeps it: the running deal, what each seat knows, how many decisions were made."""

    def __init__(self, at):
        self.rules, self.decisions, self.deal = at.rules.to_dict(), 0, None
        self.cards, self.played_with = all_cards(self.rules), deck(self.rules)

    def dealt(self, at):
        self.deal = Deal(self.rules, at.dealer, [list(hand) for hand in at.dealt()["hands"]])
        self.knowledge, self.told = [Knowledge(me) for me in range(at.seats)], 0
        self.tell()

    def acted(self, action, fan=()):
        self.deal.act(action, fan)
        self.decisions += 1
        self.tell()

    def tell(self):
        for event in self.deal.story[self.told :]:
            for known in self.knowledge:
                known.see(event)
        self.told = len(self.deal.story)

    def around(self, me, values):
        """Values by seat, clockwise from me."""
        return [values[(me + step) % len(values)] for step in range(len(values))]

    def relative(self, me, seat):
        return -1 if seat is None else (seat - me) % self.deal.seats

    def piotrus(self, card):
        return not any(paired(self.rules, card, other) for other in self.played_with if other != card)

    def offered(self, me, phase):
        """What known places of the fan would mean to the seat, if it is the one to draw."""
        deal, row = self.deal, [0] * PLACES[self.rules["deck"]]
        if deal.drawer == me and phase in ("offer", "draw"):
            for place, card in enumerate(self.knowledge[me].known[deal.giver]):
                if card is not None:
                    row[place] = any(paired(self.rules, card, mine) for mine in deal.fans[me]) - self.piotrus(card)
        return row

    def seen_by(self, me, phase, asked):
        """What the seat sees now, as `decode` gives it."""
        deal, rules, known = self.deal, self.rules, self.knowledge[me]
        length = PLACES[rules["deck"]]
        options = {
            name: rules[name] if len(values) > 2 else int(rules[name] == values[1]) for name, values in OPTIONS.items()
        }
        theirs = [["unknown" if card is None else card for card in fan] for fan in known.known]
        whole = self.around(me, [deal.fans[me] if seat == me else fan for seat, fan in enumerate(theirs)])
        others = self.around(me, range(deal.seats))[1:]
        knowers = [[int(other in its) for its in known.knowers] for other in others]
        return options | {
            "players": str(rules["players"]),
            "phase": phase,
            "turn": self.relative(me, asked),
            "dealer": self.relative(me, deal.dealer),
            "giver": self.relative(me, deal.giver),
            "drawer": self.relative(me, deal.drawer),
            "giver_shuffled": int(deal.giver_shuffled),
            "drawer_shuffled": int(deal.drawer_shuffled),
            "fans": [sure(" ".join(fan), length) for fan in whole],
            "held": self.around(me, [len(fan) for fan in deal.fans]),
            "loose": [[card for card in self.cards if card in known.loose[other]] for other in others],
            "knowers": [row + [0] * (length - len(row)) for row in knowers],
            "offered": self.offered(me, phase),
            "laid": [card for card in self.cards if card in known.out],
            "place": self.around(me, deal.places),
            "turns_tens": min(self.decisions, 1279) // 10,
            "turns_ones": min(self.decisions, 1279) % 10,
            "turns_left": min(rules["max_turns"] - self.decisions, SHOWN),
        }


def compare(account, at, phase, asked, covered):
    """Every field that every seat sees, and what it cannot see."""
    deal = account.deal
    for me in range(at.seats):
        seen, wanted = sees(at, me), account.seen_by(me, phase, asked)
        assert seen.keys() == wanted.keys()
        different = {name: (seen[name], wanted[name]) for name in seen if seen[name] != wanted[name]}
        assert different == {}, f"seat {me}: seen, wanted: {different}"
        hidden = at.shape.hidden.decode(at.hidden(me))
        length = PLACES[account.rules["deck"]]
        assert hidden == {"fans": [sure(" ".join(fan), length) for fan in account.around(me, deal.fans)[1:]]}

        known = account.knowledge[me]
        covered[phase] += 1
        covered["loose"] += any(known.loose)
        covered["known and loose"] += any(
            loose and any(fan) for loose, fan in zip(known.loose, known.known, strict=True)
        )
        covered["before the lay, loose"] += known.undecided is not None and bool(known.loose[deal.giver])
        covered["known to two"] += any(len(its) > 1 for its in known.knowers)
        covered["twin offered"] += 1 in seen["offered"]
        covered["Piotruś offered"] += -1 in seen["offered"]
        covered["a place"] += any(seen["place"])


def follow(at, lot, covered, most=400):
    """Play as the referee's players do, some by what they know; half of the decisions are compared for every seat."""
    account, skills, deals = Account(at), [lot.choice((0.0, 0.5, 1.0)) for _ in range(at.seats)], 0
    while at.over == RUNNING and account.decisions < most:
        event = at.advance()
        if event == DEAL:
            account.dealt(at)
            deals += 1
        elif event == SHUFFLE:
            seat, fan = at.shuffled()
            assert seat == account.deal.seat
            account.acted("shuffle", fan)
        elif event == END:
            compare(account, at, "over", None, covered)
            covered["truncated"] += at.over == TRUNCATED
        elif event == ASKED:
            deal = account.deal
            assert at.seat == deal.seat
            assert legal(at) == deal.legal()
            if lot.random() < 0.5:
                compare(account, at, deal.phase, deal.seat, covered)
            action = chosen(lot, deal, deal.legal(), skills[deal.seat])
            at.play(at.game.action_id(at.rules, action))
            if action != "shuffle":  # the fan comes with the event
                account.acted(action)
    covered["redealt"] += deals > 1
    covered[account.rules["deck"], at.seats] += 1


@pytest.mark.parametrize("part", range(3))
def test_every_field_of_random_games(part):
    lot, covered = random.Random(part), Counter()
    for number in range(40):
        rules, episode = drawn(lot)
        rules["deck"], rules["players"] = lot.choice(TABLES)
        if number == 0:
            rules["max_turns"] = 5
        at = Table("piotrus", rules, episode=episode)
        dealer = lot.randrange(at.seats)
        at.reset(lot.randrange(2**62), deal={"dealer": dealer, "hands": dealt(lot, rules, dealer)})
        follow(at, lot, covered)
    wanted = {"offer", "draw", "lay", "over", "loose", "known to two", "twin offered", "Piotruś offered", "a place"}
    assert wanted <= {what for what in covered if covered[what]}
    assert covered["truncated"] > 0


def test_every_field_of_random_games_at_every_table():
    lot, covered = random.Random(8), Counter()
    for deck_name, players in TABLES:
        for discard in ("auto", "manual"):
            at = Table(
                "piotrus", deck=deck_name, players=players, discard=discard, pairing=lot.choice(("colour", "rank"))
            )
            at.reset(lot.randrange(2**62))
            follow(at, lot, covered, most=120)
    assert all(covered[its] == 2 for its in TABLES)
    assert covered["known and loose"] > 0
    assert covered["before the lay, loose"] > 0


def test_turns_stop_at_the_end_of_their_columns():
    """1279 and more decisions are shown as 1279; an endless game: two seats pass Piotruś to and fro."""
    at = held("9S TS", "9C TC JS", deck="short", max_turns=1500)
    while at.over == RUNNING:
        seen, decisions = sees(at), int(at.state.decisions)
        assert 10 * seen["turns_tens"] + seen["turns_ones"] == min(decisions, 1279)
        assert seen["turns_left"] == min(1500 - decisions, 100)
        piotrus = fans(at)[at.state.giver].split().index("JS") if "JS" in fans(at)[at.state.giver] else None
        act(at, "offer" if sees(at)["phase"] == "offer" else f"draw {piotrus}")
    assert at.over == TRUNCATED


# ------------------------------------------------------------------------------ 7.2 in positions: A is seat 2, B 0, C 1


def known(at, seat=2):
    """Another seat's fans as this one sees them, unknown places as ?, clockwise from its left."""
    return [
        " ".join("?" if card == "unknown" else card for card in fan if card != "empty")
        for fan in sees(at, seat)["fans"][1:]
    ]


def test_a_a_card_given_away_stands_at_the_end():
    at = held("9S TS", "KS AH", "KC 9C TC AD JS", **SHORT, **NEVER)
    assert [known(at, seat) for seat in (2, 0, 1)] == [["? ?", "? ?"], ["? ?", "? ? ? ? ?"], ["? ? ? ? ?", "? ?"]]
    act(at, "draw 0")
    assert known(at) == ["? ? KC", "? ?"]
    assert known(at, 1) == ["? ? ? ?", "? ? ?"]  # a third seat knows nothing of it


def test_b_a_known_place_keeps_its_card_when_places_close_up():
    at = act(held("9S TS", "KS AH", "KC 9C TC AD JS", **SHORT, **NEVER), "draw 0, draw 0")
    assert known(at) == ["? KC", "? ? ?"]  # the oldest was drawn
    act(at, "draw 1, draw 1")  # A takes AH, B takes TC and lays it off with its oldest card
    assert fans(at)[0] == "KC"
    assert known(at) == ["KC", "? ?"]
    assert known(at, 1) == ["? ?", "?"]


def test_b_a_third_seat_draws_a_known_card():
    at = held("2S 3S 4S", "KS 2H 5S", "KC 2C 3C 4C 2D 5C JS", **NEVER)
    act(at, "draw 0, draw 0, draw 0, draw 5, draw 2")  # see worked case 11
    assert known(at) == ["? ? JS", "? ? ? KC"]
    assert known(at, 0) == ["? ? 2S KC", "? ? ? ? ? ?"]  # by (a): B gave both


def two_loose():
    """B holds 3S 4S and two cards from A, KC and QC; their twins are with C. B has just shuffled: KC 3S QC 4S."""
    at = held("2S 3S 4S", "KS QS 9D", "KC QC 2C 3C 4C JS 9H")
    act(at, "offer, draw 0, offer, draw 0, offer, draw 2, offer, draw 0")
    assert known(at) == ["? ? KC QC", "? ? ?"]
    return shuffled(at, "KC 3S QC 4S")


def test_c_a_shuffle_makes_known_cards_loose():
    at = two_loose()
    assert known(at) == ["? ? ? ?", "? ? ?"]
    assert sees(at, 2)["loose"] == [["QC", "KC"], []]
    assert sees(at, 1)["loose"] == [[], []]
    assert sees(at, 0)["fans"][0][:4] == ["KC", "3S", "QC", "4S"]  # B itself sees its fan


def test_c_a_card_that_comes_later_is_known_beside_loose_ones():
    at = held("9S TS", "KS AH", "KC 9C TC AD JS", **SHORT)
    shuffled(act(at, "offer, draw 0"), "KC TS 9S")
    act(at, "draw 0")  # C takes KC and lays it off
    assert sees(at, 2)["loose"] == [[], []]
    at = shuffled(act(held("9S TS", "9C KS", "KC TC JS", **SHORT), "offer, draw 0"), "KC 9S TS")
    act(at, "draw 1, draw 0, offer, draw 1")  # C lays off 9S, A takes KS, B takes JS
    assert (known(at)[0], sees(at, 2)["loose"]) == ("? ? JS", [["KC"], []])


def test_d_all_loose_cards_are_forgotten_when_a_third_seat_keeps_a_card_unseen():
    at = act(two_loose(), "draw 1")
    assert fans(at)[:2] == ["KC QC 4S", "KS QS 2S 3S"]
    assert (known(at), sees(at, 2)["loose"]) == (["? ? ?", "? ? ? ?"], [[], []])


@pytest.mark.parametrize(("place", "left"), [(0, "QC"), (2, "KC")])
def test_d_a_loose_card_that_is_laid_off_is_forgotten_and_the_other_stays(place, left):
    at = act(two_loose(), f"draw {place}")
    assert (known(at), sees(at, 2)["loose"]) == (["? ? ?", "? ?"], [[left], []])


def test_d_loose_cards_stay_when_a_card_not_known_is_laid_off():
    at = shuffled(act(held("9S TS", "9C KS", "KC TC JS", **SHORT), "offer, draw 0"), "KC 9S TS")
    act(at, "draw 1")  # C takes 9S
    assert (known(at), sees(at, 2)["loose"]) == (["? ?", "?"], [["KC"], []])


def test_d_a_loose_card_that_this_seat_draws_is_forgotten_and_the_other_stays():
    at = held("2S 3S 4S", "KS 2H 5S", "KC 2C 3C 4C 2D 5C JS")
    # As in worked case 11; then A takes 2H, B 3C, and C takes JS too.
    act(at, "offer, draw 0, offer, draw 0, offer, draw 0, offer, draw 5, offer, draw 2")
    act(at, "offer, draw 0, offer, draw 1, offer, draw 1")
    assert known(at)[1] == "? ? KC JS"
    shuffled(at, "JS 5S KC 2S")
    assert sees(at, 2)["loose"] == [[], ["JS", "KC"]]
    act(at, "draw 0")
    assert fans(at)[2].split()[-1] == "JS"
    assert (known(at)[1], sees(at, 2)["loose"]) == ("? ? ?", [[], ["KC"]])


def test_e_the_last_unknown_place_is_the_loose_card_s():
    at = shuffled(act(held("9S TS", "9C KS", "KC TC JS", **SHORT), "offer, draw 0"), "KC 9S TS")
    act(at, "draw 1, draw 0, offer, draw 0")  # C lays off 9S, A takes KS, B lays off TC
    assert (known(at)[0], sees(at, 2)["loose"]) == ("KC", [[], []])
    assert (at.seat, sees(at)["offered"][0]) == (2, 1)  # A has KS
    assert not np.array(sees(at, 0)["knowers"]).any()  # 7.3 counts (a) and (b), not (e)


def test_e_a_fan_of_two_may_be_known_whole():
    at = held("9S", "9C KS 5S", "KC 5C JS")
    shuffled(act(at, "offer, draw 0"), "KC 9S")
    assert (known(at)[0], sees(at, 2)["loose"]) == ("? ?", [["KC"], []])
    act(at, "draw 1")  # C lays off 9S
    assert (known(at)[0], sees(at, 2)["loose"]) == ("KC", [[], []])


def test_d_e_manual_nothing_is_decided_before_the_lay():
    """What A sees between draw and lay does not tell which card was drawn."""
    seen = {}
    for place in (0, 1):
        at = held("9S", "9C KS 5S", "KC 5C JS", discard="manual")
        act(shuffled(act(at, "offer, draw 0"), "KC 9S"), f"draw {place}")
        assert (known(at), sees(at, 2)["loose"]) == (["?", "? ? ? ?"], [["KC"], []])
        seen[place] = at.observe(2)
        act(at, legal(at)[0])
        assert (known(at)[0], sees(at, 2)["loose"]) == (("?", "KC")[place], [[], []])
    assert (seen[0] == seen[1]).all()


def test_d_manual_a_card_that_is_kept_is_decided_at_once():
    at = held("2S 3S 4S", "KS QS 9D", "KC QC 2C 3C 4C JS 9H", discard="manual")
    act(at, "offer, draw 0, offer, draw 0, offer, draw 2, lay 9D 9H, offer, draw 0")
    act(shuffled(at, "KC 3S QC 4S"), "draw 1")
    assert (known(at), sees(at, 2)["loose"]) == (["? ? ?", "? ? ? ?"], [[], []])


def test_a_manual_the_giver_knows_the_card_before_the_lay():
    at = act(held("9S TS", "KS AH", "KC 9C TC AD JS", discard="manual", **SHORT, **NEVER), "draw 1")
    assert known(at) == ["? ? 9C", "? ?"]
    assert known(at, 1) == ["? ? ? ?", "? ? ?"]
    act(at, "lay 9S 9C")
    assert known(at) == ["?", "? ?"]


def test_a_redeal_forgets_everything():
    """No card is given away before a redeal, so it is the fans of the first deal that have to go."""
    at = Table("piotrus", deck="short")
    hands = ["9S 9C TS TC 9D 9H TD TH", "QS QC QD QH JD JH KD KH", "JS KS KC AS AC AD AH"]
    at.reset(1, deal={"hands": [its.split() for its in hands], "dealer": 2})
    at.settle()
    account = Account(at)
    account.dealt(at)
    assert isinstance(account.deal.story[0], Dealt)
    compare(account, at, account.deal.phase, account.deal.seat, Counter())


# ----------------------------------------------------------------------------------------------------- 7.3 in positions


def who_knows(at, me):
    """For each card of my fan the seats that know where it stands."""
    rows = sees(at, me)["knowers"]
    mine = fans(at)[me].split()
    assert not any(row[place] for row in rows for place in range(len(mine), len(row)))
    return {
        card: {(me + 1 + i) % at.seats for i, row in enumerate(rows) if row[place]}
        for place, card in enumerate(mine)
        if any(row[place] for row in rows)
    }


def test_7_3_all_that_have_held_the_card_know_it():
    at = held("2S 3S 4S", "KS 2H 5S", "KC 2C 3C 4C 2D 5C JS", **NEVER)
    act(at, "draw 0")
    assert [who_knows(at, seat) for seat in range(3)] == [{"KC": {2}}, {}, {}]
    act(at, "draw 0, draw 0, draw 5")
    assert [who_knows(at, seat) for seat in range(3)] == [{"KC": {2}, "JS": {2}}, {"2S": {0}}, {"KS": {1}}]
    act(at, "draw 2")
    assert who_knows(at, 1) == {"2S": {0}, "KC": {0, 2}}
    act(at, "draw 2, draw 4")  # A lays off 2S, B takes KS, which C gave to A
    assert who_knows(at, 0) == {"JS": {2}, "KS": {1, 2}}
    assert who_knows(at, 1) == {"KC": {0, 2}}


def test_7_3_a_shuffle_of_the_fan_it_stands_in_ends_it():
    at = act(held("9S TS", "KS AH", "KC 9C TC AD JS", **SHORT), "offer, draw 0")
    assert who_knows(at, 0) == {"KC": {2}}
    act(at, "shuffle")
    assert who_knows(at, 0) == {}
    place = fans(at)[0].split().index("9S")
    act(at, f"draw {place}")
    assert who_knows(at, 1) == {"9S": {0}}  # shuffled before, and then seen to go
    act(at, "offer")
    assert (at.seat, who_knows(at, 1)) == (2, {"9S": {0}})


def test_7_3_a_shuffle_of_the_knower_s_own_fan_changes_nothing():
    at = act(held("9S TS", "KS AH", "KC 9C TC AD JS", **SHORT), "offer, draw 0, offer, shuffle")
    assert who_knows(at, 0) == {"KC": {2}}  # it was C that shuffled
