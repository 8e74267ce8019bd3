"""Piotruś (Black Peter, Old Maid): draw blind from your neighbour's fan, lay off pairs; Piotruś has none and loses.

Source   piotrus.md beside this file; its clauses are cited as §
Scope    the whole book: three packs, 2 to 8 seats, both pairings, automatic and manual discarding
Rulings  those marked *(decided)* in the book
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from ..cards import EMPTY, NO_CARD, Deck, both, count, each, has, lowest, minus, only, plus, spread
from ..chance import NEVER_WAS, TRIES, deal_apart, draw_dealer, shuffle, shuffle_pack, sort_pack
from ..game import (
    ASKED,
    DEAL,
    END,
    NOBODY,
    RUNNING,
    SCORE,
    SHUFFLE,
    TERMINATED,
    TRUNCATED,
    Game,
    Options,
    RulesError,
    Shape,
    clockwise,
    limit,
    next_seat,
    observed_options,
    option,
    seat_before,
    state_options,
)
from ..kernel import rule
from ..layout import (
    KNOWN,
    LARGEST_SHOWN,
    ONES,
    SHOWN,
    TENS,
    UNKNOWN,
    cards,
    choice,
    code,
    flag,
    number,
    observation,
    pile,
    seat,
    state,
)

# §1 The packs
FULL, SHORT, PICTURE = range(3)
DECKS = ("full", "short", "picture")
ODD_CARDS = ("jack", "queen")
COLOUR, RANK = range(2)
PAIRINGS = ("colour", "rank")
SUITS = "SCDH"
RANKS = {"full": "23456789TJQKA", "short": "9TJQKA"}
PICTURES = (*(f"{number}{twin}" for number in range(1, 13) for twin in "ab"), "P")
TAKEN_OUT = {"jack": "JC", "queen": "QC"}  # §1.2
BLACK = "SC"
SEATS = 8  # §2.1 the most, with the picture deck
MOST_CARDS = 52
DECK_OF = {(deck, odd): Deck(RANKS[deck], SUITS, without=TAKEN_OUT[odd]) for deck in RANKS for odd in ODD_CARDS}
DECK_OF |= {("picture", odd): Deck(PICTURES, ("",)) for odd in ODD_CARDS}


def family(deck, pairing, name):
    """§1.3 What the cards that pair with this one have in common."""
    if deck == "picture":
        return name[:-1] or name
    return name[0] if pairing == "rank" else (name[0], name[1] in BLACK)


def pairs(deck, odd_card, pairing):
    """§6 Every pair of the pack, by its lower, then its higher card."""
    pack = DECK_OF[deck, odd_card]
    names = pack.cards(pack.full)
    return [two for two in combinations(names, 2) if len({family(deck, pairing, name) for name in two}) == 1]


def _by_rules(size, fill, value):
    """A table by pack, odd card and pairing: what ``value`` gives for each, the rest filled up."""
    table = np.full((len(DECKS), len(ODD_CARDS), len(PAIRINGS), size), fill, np.int64)
    for d, deck in enumerate(DECKS):
        for o, odd_card in enumerate(ODD_CARDS):
            for p, pairing in enumerate(PAIRINGS):
                row = value(deck, odd_card, pairing)
                table[d, o, p, : len(row)] = row
    return table


def _kin(deck, odd_card, pairing):
    """By card: the cards that pair with it."""
    pack = DECK_OF[deck, odd_card]
    kin = [EMPTY] * pack.size
    for one, other in pairs(deck, odd_card, pairing):
        kin[pack.id(one)] |= 1 << pack.id(other)
        kin[pack.id(other)] |= 1 << pack.id(one)
    return kin


def _families(deck, odd_card, pairing):
    """By card: the number of its family."""
    kinds = [family(deck, pairing, name) for name in DECK_OF[deck, odd_card].names]
    return [kinds.index(kind) for kind in kinds]


def _single(deck, odd_card, pairing):
    """§1.2 Piotruś: the card without a twin, if there is one from the start."""
    alone = [card for card, kin in enumerate(_kin(deck, odd_card, pairing)) if not kin]
    pack = DECK_OF[deck, odd_card]
    return [card for card in alone if pack.full >> card & 1] or [NO_CARD]


MOST_PAIRS = 75  # §6 full pack, by rank
PACK = np.array([[DECK_OF[deck, odd].full for odd in ODD_CARDS] for deck in DECKS])
PACK_SIZE = np.array([DECK_OF[deck, "jack"].full.bit_count() for deck in DECKS])
KIN = _by_rules(MOST_CARDS, EMPTY, _kin)
FAMILY = _by_rules(MOST_CARDS, 0, _families)
PIOTRUS = _by_rules(1, NO_CARD, _single)[..., 0]
PAIRS = _by_rules(1, 0, lambda *rules: [len(pairs(*rules))])[..., 0]
PAIR = np.stack(
    [_by_rules(MOST_PAIRS, NO_CARD, lambda *r, i=i: [DECK_OF[r[0], r[1]].id(two[i]) for two in pairs(*r)])
     for i in range(2)], axis=-1,
)  # fmt: skip

# §5 The options
DISCARD_AUTO, DISCARD_MANUAL = range(2)
FROM_RIGHT, FROM_LEFT = range(2)
SHUFFLE_ANYTIME, SHUFFLE_BEFORE_OFFER, SHUFFLE_NEVER = range(3)
LOSER, PLACE = range(2)
MOST_PLAYERS = {"full": 5, "short": 5, "picture": 8}


@dataclass(frozen=True)
class Rules(Options):
    """§5 The options of Piotruś."""

    GAME: ClassVar[str] = "piotrus"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "old_maid": {"odd_card": "queen", "pairing": "rank"},
        "kids": {"deck": "short"},
    }

    players: int = option(3, range(2, SEATS + 1), "§2.1 seats; more than 5 with the picture deck only")
    deck: str = option("full", DECKS, "§1.1 the pack: 51, 23 or 25 cards")
    odd_card: str = option("jack", ODD_CARDS, "§1.2 of which rank one card is taken out")
    pairing: str = option("colour", PAIRINGS, "§1.3 a pair is alike in rank and colour, or in rank")
    discard: str = option("auto", ("auto", "manual"), "§2.3 pairs are laid off at once, or by their owner")
    draw_from: str = option("right", ("right", "left"), "§3.2 from which neighbour one draws")
    shuffle: str = option("anytime", ("anytime", "before_offer", "never"), "§3.3 when a fan may be shuffled")
    reward: str = option("loser", ("loser", "place"), "§4.2 only the last place counts, or every place")
    max_turns: int = limit(2000, 1, "§4.4 decisions after which the episode is truncated")

    def __post_init__(self) -> None:
        """Check every value; RulesError names what is wrong and what is allowed."""
        super().__post_init__()
        if self.players > MOST_PLAYERS[self.deck]:
            raise RulesError(
                f"piotrus: option players={self.players} is not allowed with deck={self.deck!r};"
                f" allowed: 2 to {MOST_PLAYERS[self.deck]}"
            )

    @property
    def seats(self) -> int:
        """§2.1 Seats at this table."""
        return self.players

    @property
    def idle(self) -> tuple[str, ...]:
        """§1.3 The picture deck has one odd card and one way to pair."""
        return ("odd_card", "pairing") if self.deck == "picture" else ()


# §6 The actions
DRAWS = 26
ACTIONS = (*(f"draw {place}" for place in range(DRAWS)), "offer", "shuffle")
DRAW, OFFER, SHUFFLE_FAN, LAY = 0, DRAWS, DRAWS + 1, DRAWS + 2

# What is being decided; from "over" on nobody is asked
PHASES = ("offer", "draw", "lay", "over", "deal", "shuffle", "score", "cut")
OFFERING, DRAWING, LAYING, OVER, DEALING, SHUFFLING, SCORING, CUT = range(8)
DECIDED = {
    "offer": "Whether you hold your fan out to be drawn from as it is, or shuffle it first.",
    "draw": "Which card to draw, by its place in the other's fan; or to shuffle your own fan before.",
    "lay": "Which pair to lay off, or that you lay off none.",
}
PLACES = {"full": 27, "short": 13, "picture": 14}  # §6 in a fan: one card a family, and the twin drawn to it
LONGEST = PLACES["full"]
FIRST = np.array([(1 << size) - 1 for size in range(LONGEST + 1)])  # the first so many places, as a set

STATE = state(
    DECK_OF["full", "jack"],
    SEATS,
    **state_options(Rules),
    phase=choice("what is being decided", PHASES),
    hands=cards("cards in each fan", sets=SEATS, place=True),
    fans=pile("the fans, the oldest card first", LONGEST, rows=SEATS, counted="held", also="hands"),
    held=number("cards in each fan", 0, LONGEST, (SEATS,)),
    laid=cards("cards laid off", place=True),
    place=number("place of each seat that has finished, from 1; 0 for the others", 0, SEATS, (SEATS,)),
    finished=number("seats that have finished", 0, SEATS),
    giver=seat("seat that is drawn from"),
    drawer=seat("seat that draws"),
    giver_shuffled=flag("the giver has shuffled in this turn"),
    drawer_shuffled=flag("the drawer has shuffled in this turn"),
    shuffler=seat("seat that shuffled last, or is about to"),
    drawn=number("card drawn whose pair is still to be laid off", -1, MOST_CARDS - 1),
    sure=cards("cards in other fans whose place each seat knows", sets=SEATS),
    loose=cards("cards that each seat knows to be in another fan, but not where", sets=SEATS),
    held_since=cards("cards that each seat has held since a fan they stood in was last shuffled", sets=SEATS),
    decisions=number("decisions made in the episode", 0, 2**31),
)


def piles(rules, dealer):
    """§2.1 How the pack is dealt: the fans by seat; the first seats on the dealer's left may hold one card more."""
    size, seats = DECK_OF[rules.deck, rules.odd_card].full.bit_count(), rules.players
    return tuple(("hands", seat, size // seats + ((seat - dealer - 1) % seats < size % seats)) for seat in range(seats))


# §2 Beginning and dealing


@rule
def begin(s):
    """§2.1 The dealer is drawn by lot."""
    draw_dealer(s)
    clear_deal(s)
    s.phase = DEALING
    s.turn = NOBODY


@rule
def clear_deal(s):
    """Nothing is held, laid off or known; nobody has finished."""
    s.hands[:] = EMPTY
    s.fans[:, :] = NO_CARD
    s.held[:] = 0
    s.laid = EMPTY
    s.giver = NOBODY
    s.drawer = NOBODY
    s.giver_shuffled = 0
    s.drawer_shuffled = 0
    s.shuffler = NOBODY
    s.drawn = NO_CARD
    s.sure[:] = EMPTY  # §7.2 a redeal forgets everything
    s.loose[:] = EMPTY
    s.held_since[:] = EMPTY
    clear_places(s)


@rule
def clear_places(s):
    """Nobody has finished."""
    s.place[:] = 0
    s.finished = 0


@rule
def deal(s):
    """§2.1 All cards are dealt; §2.2 a hand is a fan; §2.3 pairs are laid off at once, or seat by seat."""
    size = PACK_SIZE[s.deck]
    shuffle_pack(s, PACK[s.deck, s.odd_card])
    clear_deal(s)
    top = 0
    for seat in range(s.seats):
        before = seat - s.dealer - 1  # seats that were served before it
        if before < 0:
            before += s.seats
        for _ in range(size // s.seats + (1 if before < size % s.seats else 0)):
            put(s, seat, s.pack[top])
            top += 1
    if s.discard == DISCARD_AUTO:
        for seat in range(s.seats):
            discard_pairs(s, seat)
    first_discarding(s)


@rule
def first_discarding(s):
    """§2.3 From the dealer's left, each seat lays off what pairs it has; §2.5 then those without cards have finished.

    If that ends the deal, the same dealer deals again.
    """
    seat = s.dealer
    for _ in range(s.seats):
        seat = next_seat(s, seat)
        if holds_pair(s, s.hands[seat]):
            ask_to_lay(s, seat)
            return
    seat = s.dealer
    for _ in range(s.seats):
        seat = next_seat(s, seat)
        finish_if_empty(s, seat)
    if is_decided(s):
        clear_places(s)
        s.attempt += 1
        s.phase = DEALING
        s.turn = NOBODY
        return
    begin_turn(s, s.dealer)


# §2.2 The fan


@rule
def put(s, seat, card):
    """§2.2 A new card goes to the end of the fan."""
    s.fans[seat, s.held[seat]] = card
    s.held[seat] += 1
    s.hands[seat] = plus(s.hands[seat], only(card))


@rule
def take_out(s, seat, place):
    """§3.4 The card at this place leaves the fan; the others close up, keeping their order."""
    card = s.fans[seat, place]
    s.held[seat] -= 1
    for i in range(place, s.held[seat]):
        s.fans[seat, i] = s.fans[seat, i + 1]
    s.fans[seat, s.held[seat]] = NO_CARD
    s.hands[seat] = minus(s.hands[seat], only(card))
    return card


@rule
def place_of(s, seat, card):
    """Where the card stands in the seat's fan."""
    place = 0
    while s.fans[seat, place] != card:
        place += 1
    return place


# §1.3, §2.3 Pairs


@rule
def kin(s, card):
    """§1.3 The cards that pair with this one."""
    return KIN[s.deck, s.odd_card, s.pairing, card]


@rule
def holds_pair(s, hand):
    """Are two of these cards a pair?"""
    mates = EMPTY
    for card in each(hand):
        mates = plus(mates, both(hand, kin(s, card)))
    return mates != EMPTY


@rule
def lay_off(s, seat, one, other):
    """§2.3 A pair leaves the fan, face up; §7.2d what was known of it is settled."""
    take_out(s, seat, place_of(s, seat, one))
    take_out(s, seat, place_of(s, seat, other))
    pair = plus(only(one), only(other))
    s.laid = plus(s.laid, pair)
    for knower in range(s.seats):
        s.sure[knower] = minus(s.sure[knower], pair)
        s.loose[knower] = minus(s.loose[knower], pair)
        s.held_since[knower] = minus(s.held_since[knower], pair)


@rule
def discard_pairs(s, seat):
    """§2.3 All pairs at once; §2.4 of three of a rank the two standing leftmost."""
    place = 0
    seen = EMPTY
    while place < s.held[seat]:
        card = s.fans[seat, place]
        mates = both(seen, kin(s, card))
        if mates != EMPTY:
            mate = lowest(mates)
            lay_off(s, seat, mate, card)
            seen = minus(seen, only(mate))
            place -= 1  # one card before this place and the card itself are gone
        else:
            seen = plus(seen, only(card))
            place += 1


@rule
def ask_to_lay(s, seat):
    """§2.3 As long as a fan holds a pair its owner is asked next."""
    s.phase = LAYING
    s.turn = seat


@rule
def legal_lay(s, mask):
    """§2.3 Any pair of the fan, §2.4 also one of several in three of a rank; nothing else."""
    hand = s.hands[s.turn]
    for i in range(PAIRS[s.deck, s.odd_card, s.pairing]):
        two = PAIR[s.deck, s.odd_card, s.pairing, i]
        if has(hand, two[0]) and has(hand, two[1]):
            mask[LAY + i] = 1


@rule
def play_lay(s, pair):
    """§2.3 One pair is laid off; the seat goes on while it has another."""
    two = PAIR[s.deck, s.odd_card, s.pairing, pair]
    lay_off(s, s.turn, two[0], two[1])
    if s.drawn == NO_CARD:
        first_discarding(s)
        return
    s.drawn = NO_CARD
    end_turn(s)


# §3 Turns


@rule
def next_holding(s, seat):
    """§3.1, §3.6 The next seat clockwise that holds cards."""
    seat = next_seat(s, seat)
    while s.held[seat] == 0:
        seat = next_seat(s, seat)
    return seat


@rule
def giver_of(s, drawer):
    """§3.2 The nearest seat on the drawer's right, or left, that holds cards."""
    if s.draw_from == FROM_LEFT:
        return next_holding(s, drawer)
    seat = seat_before(s, drawer)
    while s.held[seat] == 0:
        seat = seat_before(s, seat)
    return seat


@rule
def begin_turn(s, last):
    """§3.1, §3.6 The next seat after the last one draws; §3.3 the giver is asked first, unless it holds one card."""
    s.drawer = next_holding(s, last)
    s.giver = giver_of(s, s.drawer)
    s.giver_shuffled = 0
    s.drawer_shuffled = 0
    if s.shuffle != SHUFFLE_NEVER and s.held[s.giver] > 1:
        s.phase = OFFERING
        s.turn = s.giver
    else:
        ask_to_draw(s)


@rule
def ask_to_draw(s):
    """§3.3 The drawer is asked."""
    s.phase = DRAWING
    s.turn = s.drawer


@rule
def legal_draw(s, mask):
    """§3.4 Any place of the giver's fan; §3.3 or first shuffle the own fan, once."""
    for place in range(s.held[s.giver]):
        mask[DRAW + place] = 1
    if s.shuffle == SHUFFLE_ANYTIME and not s.drawer_shuffled and s.held[s.drawer] > 1:
        mask[SHUFFLE_FAN] = 1


@rule
def play_offer(s, action):
    """§3.3 The giver keeps the order of its fan, or shuffles it."""
    if action == SHUFFLE_FAN:
        s.giver_shuffled = 1
        ask_to_shuffle(s)
    else:
        ask_to_draw(s)


@rule
def ask_to_shuffle(s):
    """§3.3 A fan is to be put in random order, and everyone sees that it is."""
    s.shuffler = s.turn
    s.phase = SHUFFLING
    s.turn = NOBODY


@rule
def shuffle_fan(s):
    """§3.3 The fan in its new order; §7.2c known places become loose cards."""
    seat = s.shuffler
    if s.stacked:
        s.stacked = 0
    else:
        shuffle(s.fans[seat, : s.held[seat]], s.chance)
    for knower in range(s.seats):
        s.loose[knower] = plus(s.loose[knower], both(s.sure[knower], s.hands[seat]))
        s.sure[knower] = minus(s.sure[knower], s.hands[seat])
        s.held_since[knower] = minus(s.held_since[knower], s.hands[seat])
    ask_to_draw(s)
    cut_if_due(s)


@rule
def play_draw(s, action):
    """§3.4 The card goes to the end of the drawer's fan; a pair is laid off. §3.3 Or the drawer shuffles first."""
    if action == SHUFFLE_FAN:
        s.drawer_shuffled = 1
        ask_to_shuffle(s)
        return
    card = take_out(s, s.giver, action - DRAW)
    mates = both(s.hands[s.drawer], kin(s, card))
    put(s, s.drawer, card)
    see_card_go(s, card)
    finish_if_empty(s, s.giver)  # §3.5 it was empty first
    if mates == EMPTY:
        see_card_kept(s, card)
    elif s.discard == DISCARD_MANUAL:
        s.drawn = card
        infer(s)
        ask_to_lay(s, s.drawer)
        return
    else:
        lay_off(s, s.drawer, lowest(mates), card)
    end_turn(s)


@rule
def end_turn(s):
    """§3.5 The drawer may have finished; §4.1 the game may be over; else §3.6 the next seat draws."""
    infer(s)
    finish_if_empty(s, s.drawer)
    if is_decided(s):
        s.phase = SCORING
        s.turn = NOBODY
    else:
        begin_turn(s, s.drawer)


@rule
def finish_if_empty(s, seat):
    """§3.5 A seat without cards has finished and takes the next free place."""
    if s.held[seat] == 0 and s.place[seat] == 0:
        s.finished += 1
        s.place[seat] = s.finished


@rule
def is_decided(s):
    """§4.1 One seat alone holds cards."""
    return s.finished == s.seats - 1


# §7.2 Who knows what


@rule
def see_card_go(s, card):
    """§7.2a The giver knows the card at the end of the drawer's fan; the drawer has it before its eyes."""
    gone = only(card)
    s.sure[s.giver] = plus(s.sure[s.giver], gone)
    s.held_since[s.giver] = plus(s.held_since[s.giver], gone)
    s.sure[s.drawer] = minus(s.sure[s.drawer], gone)
    s.loose[s.drawer] = minus(s.loose[s.drawer], gone)


@rule
def see_card_kept(s, card):
    """§7.2d A third seat that did not know the place drawn forgets that fan's loose cards; §7.2b else it knows on."""
    fan = plus(s.hands[s.giver], only(card))
    for knower in range(s.seats):
        if is_puzzled(s, knower, card):
            s.loose[knower] = minus(s.loose[knower], fan)


@rule
def is_puzzled(s, knower, card):
    """Is it a third seat that does not know which card was drawn?"""
    return knower != s.giver and knower != s.drawer and not has(s.sure[knower], card)


@rule
def infer(s):
    """§7.2e A fan with exactly one unknown place and one loose card: there it stands.

    Between a draw and its lay a puzzled seat cannot say yet which loose cards are still there.
    """
    for knower in range(s.seats):
        if s.loose[knower] == EMPTY or (s.drawn != NO_CARD and is_puzzled(s, knower, s.drawn)):
            continue
        for seat in range(s.seats):
            loose = both(s.loose[knower], s.hands[seat])
            if count(loose) == 1 and s.held[seat] - count(both(s.sure[knower], s.hands[seat])) == 1:
                s.sure[knower] = plus(s.sure[knower], loose)
                s.loose[knower] = minus(s.loose[knower], loose)


@rule
def loose_in(s, knower, seat):
    """§7.2c The cards that ``knower`` knows to be in the seat's fan, but not where.

    Between a draw and its lay a card drawn that it did not see still counts where it was.
    """
    loose = both(s.loose[knower], s.hands[seat])
    if s.drawn != NO_CARD and has(s.loose[knower], s.drawn) and is_puzzled(s, knower, s.drawn):
        if seat == s.drawer:
            loose = minus(loose, only(s.drawn))
        elif seat == s.giver:
            loose = plus(loose, only(s.drawn))
    return loose


# §4 The end


@rule
def score(s):
    """§4.1 Who still holds a card is last; its place and the others' are the score."""
    for seat in range(s.seats):
        if s.place[seat] == 0:
            s.place[seat] = s.seats
    for seat in range(s.seats):
        s.change[seat] = s.place[seat]
        s.scores[seat] += s.place[seat]
    s.deal += 1
    s.phase = OVER


@rule
def returns(s, reward, points):
    """§4.2 The loser -1, the others share 1; or linear by place. Points are the place, with a minus."""
    for seat in range(s.seats):
        points[seat] = s.start[seat] - s.scores[seat]
        if s.over != TERMINATED:
            reward[seat] = 0.0
        elif s.reward == PLACE:
            reward[seat] = 1.0 - 2.0 * (s.place[seat] - 1) / (s.seats - 1)
        else:
            reward[seat] = -1.0 if s.place[seat] == s.seats else 1.0 / (s.seats - 1)


@rule
def cut_if_due(s):
    """§4.4 So many decisions truncate the episode."""
    if s.decisions >= s.max_turns:
        s.phase = CUT
        s.turn = NOBODY


# What is asked, and what happens by itself


@rule
def advance(s):
    """One event: a deal, a shuffle, the score, or the end; none while a seat is asked."""
    if s.phase == DEALING:
        deal(s)
        return DEAL
    if s.phase == SHUFFLING:
        shuffle_fan(s)
        return SHUFFLE
    if s.phase == SCORING:
        score(s)
        return SCORE
    if s.phase == CUT or (s.phase == OVER and s.over == RUNNING):
        s.over = TRUNCATED if s.phase == CUT else TERMINATED  # §4.3 one deal is the whole game
        s.phase = OVER
        return END
    return ASKED


@rule
def legal(s, mask):
    """Every action that the seat asked may choose."""
    if s.phase == DRAWING:
        legal_draw(s, mask)
    elif s.phase == OFFERING:
        mask[OFFER] = 1
        mask[SHUFFLE_FAN] = 1
    elif s.phase == LAYING:
        legal_lay(s, mask)


@rule
def play(s, action):
    """One decision of the seat asked."""
    s.decisions += 1
    if s.phase == DRAWING:
        play_draw(s, action)
    elif s.phase == OFFERING:
        play_offer(s, action)
    elif s.phase == LAYING:
        play_lay(s, action - LAY)
    if s.phase != SCORING and s.phase != SHUFFLING:
        cut_if_due(s)


# §7 What a seat sees


@cache
def sight(players, deck):
    """§7.1 The layout of what a seat sees, and of what it does not, for so many seats and a pack."""
    pack = DECK_OF[deck, "jack"]
    from_me = ("me", "next", *(str(i) for i in range(2, players)))  # clockwise
    places = tuple(str(place) for place in range(PLACES[deck]))
    seen = observation(
        pack,
        players,
        **observed_options(Rules),
        phase=choice("what is being decided", PHASES[: OVER + 1]),
        turn=seat("seat that is asked"),
        dealer=seat("dealer"),
        giver=seat("seat that is drawn from"),
        drawer=seat("seat that draws"),
        giver_shuffled=flag("the giver has shuffled in this turn"),
        drawer_shuffled=flag("the drawer has shuffled in this turn"),
        fans=code("the fans: mine, and of the others' what is known to stand where", len(places), pack, rows=from_me),
        held=number("cards in each fan", 0, len(places), rows=from_me),
        loose=cards("cards known to be in another fan, but not where", from_me[1:]),
        knowers=flag("who knows what stands at each place of my fan", (players - 1, len(places))),
        offered=number(
            "places I may draw from: 1 if known to pair with a card of mine, -1 if known to be Piotruś", -1, 1,
            rows=places,
        ),
        laid=cards("cards laid off"),
        place=number("place of each seat that has finished, from 1", 0, players, rows=from_me),
        turns_tens=number("decisions made, at most 1279 shown", 0, 127, unit="tens"),
        turns_ones=number("decisions made beyond the tens", 0, 9),
        turns_left=number("decisions left before the cap, at most 100 shown", 0, SHOWN),
    )  # fmt: skip
    hidden = observation(pack, players, fans=code("the other fans", len(places), pack, rows=from_me[1:]))
    return seen, hidden


@rule
def frame(s, o):
    """§7.1 The options."""
    o.players[s.players] = 1
    o.deck[s.deck] = 1
    o.odd_card = s.odd_card
    o.pairing = s.pairing
    o.discard = s.discard
    o.draw_from = s.draw_from
    o.shuffle[s.shuffle] = 1
    o.reward = s.reward


@rule
def observe(s, me, o):
    """§7 What seat ``me`` sees, besides the options."""
    observe_turn(s, me, o)
    observe_own(s, me, o)
    for seat in range(s.seats):
        i = clockwise(s, me, seat)
        o.held[i] = s.held[seat]
        o.place[i] = s.place[seat]
        if seat != me:
            observe_other(s, me, seat, i, o)
    if s.drawer == me and s.phase <= DRAWING:
        observe_offered(s, me, o)
    spread(s.laid, o.laid)


@rule
def observe_turn(s, me, o):
    """§7.1 The phase, who gives and draws, what has been shuffled, decisions made and left."""
    if s.phase <= OVER:
        o.phase[s.phase] = 1
    if s.turn != NOBODY:
        o.turn[clockwise(s, me, s.turn)] = 1
    o.dealer[clockwise(s, me, s.dealer)] = 1
    if s.giver != NOBODY:
        o.giver[clockwise(s, me, s.giver)] = 1
        o.drawer[clockwise(s, me, s.drawer)] = 1
    o.giver_shuffled = s.giver_shuffled
    o.drawer_shuffled = s.drawer_shuffled
    made = min(s.decisions, LARGEST_SHOWN)
    o.turns_tens = TENS[made]
    o.turns_ones = ONES[made]
    o.turns_left = max(0, min(s.max_turns - s.decisions, SHOWN))


@rule
def observe_own(s, me, o):
    """§7.1 My fan in order; §7.3 and who knows what stands where in it."""
    size = min(s.held[me], o.fans.shape[1])
    for place in range(size):
        o.fans[0, place] = s.fans[me, place] + KNOWN
    for seat in range(s.seats):
        if seat != me:
            seen = both(s.held_since[seat], s.hands[me])
            if seen != EMPTY:
                i = clockwise(s, me, seat) - 1
                for place in range(size):
                    o.knowers[i, place] = has(seen, s.fans[me, place])


@rule
def observe_other(s, me, seat, i, o):
    """§7.2 Another fan, as far as it is known. §7.4 What is not seen anywhere is with the others."""
    known = both(s.sure[me], s.hands[seat])
    size = min(s.held[seat], o.fans.shape[1])
    if known == EMPTY:
        spread(FIRST[size], o.fans[i])  # so many unknown cards
    else:
        for place in range(size):
            card = s.fans[seat, place]
            o.fans[i, place] = card + KNOWN if has(known, card) else UNKNOWN
    if s.loose[me] != EMPTY:
        spread(loose_in(s, me, seat), o.loose[i - 1])


@rule
def observe_offered(s, me, o):
    """§7.2 What known places of the giver's fan would mean to me, if I draw."""
    known = both(s.sure[me], s.hands[s.giver])
    if known == EMPTY:
        return
    piotrus = PIOTRUS[s.deck, s.odd_card, s.pairing]
    for place in range(min(s.held[s.giver], o.fans.shape[1])):
        card = s.fans[s.giver, place]
        if has(known, card):
            if card == piotrus:
                o.offered[place] = -1
            elif both(kin(s, card), s.hands[me]) != EMPTY:
                o.offered[place] = 1


@rule
def hide(s, me, h):
    """The other fans."""
    for seat in range(s.seats):
        if seat != me:
            for place in range(min(s.held[seat], h.fans.shape[1])):
                h.fans[clockwise(s, me, seat) - 1, place] = s.fans[seat, place] + KNOWN


# What a seat cannot see, dealt anew


@rule
def determinize(s, me, chance):
    """Deal the cards that ``me`` cannot know anew, every placement that agrees with §7.2 as likely.

    §7.4 These are the cards not laid off, not its own and not known at their place. Loose cards stay in their fan. §2.3
    No fan holds a pair, but for those that have not been asked yet after the deal, and that of the seat that is to lay
    one.
    """
    puzzled = s.drawn != NO_CARD and is_puzzled(s, me, s.drawn)
    apart = s.seats  # a place of its own for a card drawn whose pair is still to be laid off
    room = np.zeros(s.seats + 1, np.int64)
    barred = np.zeros(s.seats + 1, np.int64)
    mixed = np.zeros(s.seats + 1, np.int64)
    places = np.zeros(s.seats + 1, np.int64)
    allow_pairs(s, mixed)
    unseen = EMPTY
    for seat in range(s.seats):
        if seat != me:
            unknown = minus(s.hands[seat], s.sure[me])
            unseen = plus(unseen, unknown)
            room[seat] = count(unknown)
            bar(s, me, seat, barred)
    if puzzled:
        room[s.drawer] -= 1
        room[apart] = 1
    laying = seat_with_pair(s)
    fits = False
    for _ in range(TRIES):
        if not deal_apart(unseen, FAMILY[s.deck, s.odd_card, s.pairing], room, barred, mixed, places, chance):
            break
        fits = laying in (NOBODY, me) or holds_pair(
            s, plus(plus(places[laying], places[apart]), both(s.hands[laying], s.sure[me]))
        )
        if fits:
            break
    if not fits:
        raise ValueError(NEVER_WAS)
    before = s.fans.copy()
    for seat in range(s.seats):
        if seat != me:
            lay_out(s, me, seat, places[seat], places[apart] if seat == s.drawer else EMPTY, chance)
    if puzzled:
        s.drawn = lowest(places[apart])
    imagine_knowledge(s, me, before)
    sort_pack(s, PACK[s.deck, s.odd_card])  # as it was dealt it would tell where the cards are; it matters no more


@rule
def allow_pairs(s, mixed):
    """§2.3 Before the first turn, fans from the seat asked on may hold pairs: they have not laid them off yet.

    Any fan may if nobody is asked, since the episode was cut short.
    """
    if s.giver != NOBODY:
        return
    seat = s.turn if s.phase == LAYING else next_seat(s, s.dealer)
    mixed[seat] = 1
    while seat != s.dealer:
        seat = next_seat(s, seat)
        mixed[seat] = 1


@rule
def seat_with_pair(s):
    """§2.3 The seat that is to lay off a pair next, or would be if the episode had not been cut short between."""
    if s.drawn != NO_CARD:
        return s.drawer
    return s.turn if s.phase == LAYING else NOBODY


@rule
def bar(s, me, seat, barred):
    """§2.3 No twin of a card known to be in this fan may lie there, §7.2c and its loose cards may lie nowhere else.

    But the giver's may be the card drawn, whose twin its new fan does hold.
    """
    for card in each(both(s.hands[seat], s.sure[me])):
        if card != s.drawn:
            barred[seat] = plus(barred[seat], kin(s, card))
    loose = loose_in(s, me, seat)
    for other in range(s.seats + 1):
        if other != seat and not (other == s.seats and seat == s.giver):  # the last is the card drawn
            barred[other] = plus(barred[other], loose)


@rule
def lay_out(s, me, seat, dealt, last, chance):
    """The cards dealt to a fan in random order at the places that ``me`` does not know; one may have to be last."""
    order = np.empty(count(dealt), np.int64)
    for i, card in enumerate(each(dealt)):
        order[i] = card
    shuffle(order, chance)
    known = both(s.hands[seat], s.sure[me])
    top = 0
    for place in range(s.held[seat]):
        if not has(known, s.fans[seat, place]):
            if top < order.shape[0]:
                s.fans[seat, place] = order[top]
                top += 1
            else:
                s.fans[seat, place] = lowest(last)
    s.hands[seat] = plus(known, plus(dealt, last))


@rule
def imagine_knowledge(s, me, before):
    """What the others know of a place they know of the card that stands there now; nothing changes in my fan."""
    for knower in range(s.seats):
        if knower != me:
            s.sure[knower] = moved(s, me, s.sure[knower], before)
            s.loose[knower] = moved(s, me, s.loose[knower], before)
            s.held_since[knower] = moved(s, me, s.held_since[knower], before)


@rule
def moved(s, me, known, before):
    """The cards that stand now where these stood ``before``, int64[seats, places]."""
    now = both(known, s.hands[me])
    for seat in range(s.seats):
        if seat != me:
            for place in range(s.held[seat]):
                if has(known, before[seat, place]):
                    now = plus(now, only(s.fans[seat, place]))
    return now


@cache
def shapes(rules):
    """§6 One layout a pack and number of seats; the pairs to lay off are actions where they are laid by hand."""
    seen, hidden = sight(rules.players, rules.deck)
    lays = pairs(rules.deck, rules.odd_card, rules.pairing) if rules.discard == "manual" else []
    actions = (*ACTIONS, *(f"lay {one} {other}" for one, other in lays))
    return Shape(seen, hidden, actions, rules.players, DECK_OF[rules.deck, rules.odd_card])


def starts(rules, single_deal):
    """Nothing is scored before the game."""
    return None


def given_starts(rules):
    """§4.3 One deal is the whole game, so there are no scores to start from."""
    return range(1)


def flaw(s):
    """§2.5, §3.3, §3.4 Who has finished, who gives and draws, and which card was drawn, must fit the fans."""
    seats = range(s.seats)
    if max(s.place[: s.seats]) > s.seats:
        return "there are as many places as seats"
    odd = [seat for seat in seats if (s.held[seat] == 0) != (s.place[seat] > 0)]
    if s.giver != NOBODY and any(s.place[seat] != s.seats for seat in odd):
        return "seats without cards have a place, and of the others only who has lost"
    two = {int(s.giver), int(s.drawer)}
    if s.phase in (OFFERING, DRAWING) and (len(two) < 2 or any(seat < 0 or s.held[seat] == 0 for seat in two)):
        return "giver and drawer are two seats that hold cards"
    if s.drawn != NO_CARD and (s.phase not in (LAYING, OVER, CUT) or s.fans[s.drawer, s.held[s.drawer] - 1] != s.drawn):
        return "a card whose pair is to be laid off stands last in the drawer's fan"
    return ""


GAME = Game(
    name="piotrus",
    title="Piotruś",
    version=0,
    rules=Rules,
    state=STATE,
    shapes=shapes,
    piles=piles,
    starts=starts,
    begin=begin,
    advance=advance,
    legal=legal,
    play=play,
    frame=frame,
    observe=observe,
    hide=hide,
    determinize=determinize,
    returns=returns,
    given_starts=given_starts,
    gain=-1,
    fans="fans",
    outcome="losses",
    measure="losses",
    flaw=flaw,
    phases=DECIDED,
    picture={
        "fans": "fans",
        "pairs": "laid",
        "score": "place",
        "marks": ("", "1st", "2nd", "3rd", *(f"{place}th" for place in range(4, SEATS + 1))),
        "seats": {"dealer": "dealer", "giver": ("gives", "offer", "draw"), "drawer": ("draws", "offer", "draw")},
        "memory": {"loose": "has {} somewhere", "knowers": "knows your place {}"},
        "facts": {
            "giver_shuffled": "the giver has shuffled",
            "drawer_shuffled": "the drawer has shuffled",
            "turns": "decisions {}",
        },
        "positions": {"draw": "giver"},
    },
)
