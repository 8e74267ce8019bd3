"""Tysiąc for two with eight cards: a short auction for a talon of two, three tricks, two marriages; one deal.

Source   tysiac_8.md beside this file; its clauses are cited as §
Scope    all of it: there are no options, and an episode is always one deal
Rulings  those marked *(decided)* in the book
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...cards import (
    EMPTY,
    Deck,
    after,
    both,
    cards_at,
    contrast,
    count,
    each,
    has,
    minus,
    only,
    plus,
    spread,
)
from ...chance import NEVER_WAS, TRIES, deal_out, pick, shuffle_pack, stack
from ...game import (
    ASKED,
    DEAL,
    END,
    NOBODY,
    RUNNING,
    SCORE,
    TERMINATED,
    Game,
    Options,
    Shape,
    clockwise,
    next_seat,
)
from ...kernel import rule
from ...layout import ONES, TENS, cards, choice, flag, number, observation, seat, state
from ...tricks import (
    NO_TRUMP,
    beat,
    clear_play,
    flaw_of_tricks,
    follow,
    lay_card,
    observe_tricks,
    stronger,
    take_trick,
    trick_fields,
)

# §1 The cards
DECK = Deck(ranks="QKTA", suits="SH")  # §1.1 weakest first
ALL_CARDS = DECK.full
CARDS, SUITS, SEATS = DECK.size, len(DECK.suits), 2
ABOVE, OF_SUIT, SUIT_OF = DECK.above, DECK.of_suit, DECK.suit_of
POINTS = np.array([{"A": 11, "T": 10, "K": 4, "Q": 3}[name[0]] for name in DECK.names])  # §1.1
ALL_POINTS = int(POINTS.sum())
MARRIAGE = np.array([20, 40])  # §1.2 in the order of the suits
PAIR = np.array([DECK.set(f"Q{suit} K{suit}") for suit in DECK.suits])
HAND, TALON = 3, 2  # §1.3
TRICKS = HAND

# §2 The auction
LEVELS = (40, 60, 80)  # §2.2
LEVEL = np.array(LEVELS)
NOT_YET = -1

UNIT = 100  # §5.3 points for a reward of 1


@dataclass(frozen=True)
class Rules(Options):
    """There is nothing to choose."""

    GAME: ClassVar[str] = "tysiac_8"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    @property
    def seats(self) -> int:
        """§1.3 Seats at the table."""
        return SEATS


# §6 The actions
ACTIONS = (
    *(f"play {card}" for card in DECK.names),
    *(f"meld {rank}{suit}" for suit in DECK.suits for rank in "QK"),
    *(f"give {card}" for card in DECK.names),
    "pass",
    *(f"bid {level}" for level in LEVELS),
)
PLAY, MELD, GIVE = ACTIONS.index("play QS"), ACTIONS.index("meld QS"), ACTIONS.index("give QS")
PASS, BID = ACTIONS.index("pass"), ACTIONS.index(f"bid {LEVELS[0]}")
MELD_CARD = np.array([DECK.id(name.split()[1]) for name in ACTIONS[MELD:GIVE]])

# What is being decided; the last two happen by themselves
PHASES = ("auction", "give", "play", "over", "deal", "score")
AUCTION, GIVING, PLAYING, OVER, DEALING, SCORING = range(6)
DECIDED = {
    "auction": "Bid how many points you promise to take, or pass; who bids most gets the talon and must reach his bid.",
    "give": "Which two cards you lay away.",
    "play": "Which card you lay; to meld is to lay king or queen of a marriage and score it.",
}

STATE = state(
    DECK,
    SEATS,
    phase=choice("what is being decided", PHASES),
    hands=cards("hands", sets=SEATS, place=True),
    talon=cards("the talon as dealt"),
    lying=cards("talon cards on the table", place=True),
    away=cards("cards that declarer laid away", place=True),
    bid=number("number of each seat's latest bid", NOT_YET, len(LEVELS) - 1, (SEATS,)),
    passed=flag("seats that passed", (SEATS,)),
    highest=number("number of the highest bid", NOT_YET, len(LEVELS) - 1),
    declarer=seat("declarer"),
    shown=flag("the talon was shown to both"),
    **trick_fields(DECK, SEATS, TRICKS),
    trick_points=number("points of the cards in the current trick", 0, ALL_POINTS),
    trump=number("suit that is trump", NO_TRUMP, SUITS - 1),
    taken=number("card points taken", 0, ALL_POINTS, (SEATS,)),
    melded=flag("marriages melded", (SEATS, SUITS)),
    marriages=number("points of melded marriages", 0, int(MARRIAGE.sum()), (SEATS,)),
    known=cards("cards that both know a seat to hold", sets=SEATS),
)  # fmt: skip


def piles(rules, dealer):
    """§1.3 How the pack is dealt: the hands, then the talon."""
    return (("hands", 0, HAND), ("hands", 1, HAND), ("talon", None, TALON))


# §1 Beginning and dealing


@rule
def begin(s):
    """§1.4 Nobody deals; a deal is due."""
    s.dealer = NOBODY
    s.scores[:] = s.start
    clear_deal(s)
    s.phase = DEALING
    s.turn = NOBODY


@rule
def clear_deal(s):
    """Nothing is held, bid, taken or known."""
    s.hands[:] = EMPTY
    s.talon = EMPTY
    s.lying = EMPTY
    s.away = EMPTY
    clear_play(s)
    s.trick_points = 0
    s.bid[:] = NOT_YET
    s.passed[:] = 0
    s.highest = NOT_YET
    s.declarer = NOBODY
    s.shown = 0
    s.taken[:] = 0
    s.melded[:, :] = 0
    s.marriages[:] = 0
    s.known[:] = EMPTY
    s.trump = NO_TRUMP


@rule
def deal(s):
    """§1.3 Three cards each and two for the talon; §1.4 seat 0 is to open the auction."""
    shuffle_pack(s, ALL_CARDS)
    clear_deal(s)
    for seat in range(SEATS):
        s.hands[seat] = cards_at(s.pack, HAND * seat, HAND)
    s.talon = cards_at(s.pack, HAND * SEATS, TALON)
    s.lying = s.talon
    s.turn = 0
    s.phase = AUCTION


# §2 The auction


@rule
def legal_bid(s, mask):
    """§2.1 The opener's lowest bid; §2.2 a higher level, or pass."""
    if s.highest == NOT_YET:
        mask[BID] = 1
        return
    mask[PASS] = 1
    mask[BID + s.highest + 1 :] = 1


@rule
def play_bid(s, action):
    """§2 One call; §2.3 after a pass the other seat is declarer."""
    other = next_seat(s, s.turn)
    if action == PASS:
        s.passed[s.turn] = 1
        take(s, other)
        return
    s.highest = action - BID
    s.bid[s.turn] = s.highest
    s.turn = other


# §3 Talon and laying away


@rule
def take(s, seat):
    """§3.1 The talon goes into declarer's hand, shown if more than the opening was bid."""
    s.declarer = seat
    s.turn = seat
    s.shown = s.highest > 0
    s.hands[seat] = plus(s.hands[seat], s.lying)
    s.lying = EMPTY
    s.phase = GIVING


@rule
def legal_give(s, mask):
    """§3.2 Any card but the last one of the hand; then any that comes after the one laid away."""
    hand = after(s.hands[s.turn], s.away)
    for card in each(hand):
        if s.away != EMPTY or after(hand, only(card)) != EMPTY:
            mask[GIVE + card] = 1


@rule
def play_give(s, action):
    """§3.2 A card is laid away unseen."""
    card = only(action - GIVE)
    s.hands[s.turn] = minus(s.hands[s.turn], card)
    s.away = plus(s.away, card)
    if count(s.away) == TALON:
        s.leader = s.declarer  # §4.1
        s.phase = PLAYING


# §4 Play


@rule
def legal_play(s, mask):
    """§4.2 Follow, then beat; §4.3 a marriage is led with king or queen."""
    hand = s.hands[s.turn]
    if s.laid > 0:
        better = stronger(ABOVE, OF_SUIT, SUIT_OF, s.best, s.trump)
        spread(beat(follow(hand, OF_SUIT[s.led]), better), mask[PLAY : PLAY + CARDS])
        return
    spread(hand, mask[PLAY : PLAY + CARDS])
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            mask[MELD + 2 * suit : MELD + 2 * suit + 2] = 1


@rule
def play_trick(s, action):
    """§4 One card of a trick, with or without its marriage."""
    card = action - PLAY
    if action >= MELD:
        card = MELD_CARD[action - MELD]
        meld(s, SUIT_OF[card])
    lay(s, card)
    if s.laid < SEATS:
        s.turn = next_seat(s, s.turn)
    else:
        close_trick(s)


@rule
def meld(s, suit):
    """§4.3 The marriage counts, its suit is trump from this very trick; both know who holds the other card."""
    s.melded[s.turn, suit] = 1
    s.marriages[s.turn] += MARRIAGE[suit]
    s.trump = suit
    s.known[s.turn] = plus(s.known[s.turn], PAIR[suit])


@rule
def lay(s, card):
    """§4.2 A card goes from the hand into the trick; is it the best, and what does it show?"""
    better = EMPTY
    if s.laid > 0:
        better = stronger(ABOVE, OF_SUIT, SUIT_OF, s.best, s.trump)
        s.cannot[s.turn] = plus(s.cannot[s.turn], lacks(s, card, better))
    lay_card(s, card, SUIT_OF, better)
    s.known[s.turn] = minus(s.known[s.turn], only(card))
    s.trick_points += POINTS[card]


@rule
def lacks(s, card, better):
    """§7 What the duties of §4.2 show a seat not to hold that laid this card, which need not be one of the better."""
    suit = OF_SUIT[s.led]
    if has(suit, card):
        return EMPTY if has(better, card) else both(suit, better)
    return suit if has(better, card) else plus(suit, better)


@rule
def close_trick(s):
    """§4.4 The best card takes the trick, the last one with the cards laid away; its seat leads the next."""
    winner = take_trick(s)
    s.taken[winner] += s.trick_points
    s.trick_points = 0
    if s.hands[winner] == EMPTY:
        for card in each(s.away):
            s.taken[winner] += POINTS[card]
        s.phase = SCORING
        s.turn = NOBODY


# §5 The score


@rule
def earned(s, seat):
    """§5.1 Card points and marriages of a seat."""
    return s.taken[seat] + s.marriages[seat]


@rule
def score(s):
    """§5.1 Declarer wins or loses his contract, §5.2 the other seat scores what it has; the episode is over."""
    for seat in range(SEATS):
        gain = earned(s, seat)
        if seat == s.declarer:
            contract = LEVEL[s.highest]
            gain = contract if gain >= contract else -contract
        s.change[seat] = gain
        s.scores[seat] += gain
    s.deal += 1
    s.phase = OVER


@rule
def returns(s, reward, points):
    """§5.3 My points less the other seat's, in hundreds."""
    for seat in range(SEATS):
        other = next_seat(s, seat)
        points[seat] = s.scores[seat] - s.start[seat]
        reward[seat] = (points[seat] - s.scores[other] + s.start[other]) / UNIT


# What is asked, and what happens by itself


@rule
def advance(s):
    """One event: the deal, its score, or the end of the episode; none while a seat is asked."""
    if s.phase == DEALING:
        deal(s)
        return DEAL
    if s.phase == SCORING:
        score(s)
        return SCORE
    if s.phase == OVER and s.over == RUNNING:
        s.over = TERMINATED
        return END
    return ASKED


@rule
def legal(s, mask):
    """Every action that the seat asked may choose."""
    if s.phase == PLAYING:
        legal_play(s, mask)
    elif s.phase == AUCTION:
        legal_bid(s, mask)
    elif s.phase == GIVING:
        legal_give(s, mask)


@rule
def play(s, action):
    """One decision of the seat asked."""
    if s.phase == PLAYING:
        play_trick(s, action)
    elif s.phase == AUCTION:
        play_bid(s, action)
    elif s.phase == GIVING:
        play_give(s, action)


# §7 What a seat sees

FROM_ME = ("me", "other")
OBSERVATION = observation(
    DECK,
    SEATS,
    phase=choice("what is being decided", PHASES[: OVER + 1]),
    turn=seat("seat that is asked"),
    declarer=seat("declarer"),
    leader=seat("seat that leads, or led, the current trick"),
    hand=cards("my hand"),
    held=number("cards in each hand", 0, HAND + TALON, rows=FROM_ME),
    lying=number("talon cards on the table", 0, TALON),
    laid_aside=number("cards laid away", 0, TALON),
    bid=number("latest bid", 0, LEVELS[-1] // 10, unit="tens", rows=FROM_ME),
    passed=flag("has passed", rows=FROM_ME),
    talon=cards("talon cards shown to me or taken by me"),
    gave=cards("cards that I laid away"),
    played=cards("cards played", FROM_ME),
    order=number("trick in which each card was played", 0, TRICKS, rows=DECK.names),
    trick=cards("cards in the current trick"),
    trump=choice("trump", tuple(DECK.suits)),
    melded=flag("marriages melded, by seat and suit", (SEATS, SUITS)),
    holding=cards("known to hold (1) or not to hold (-1)", FROM_ME[1:], low=-1),
    tricks=number("tricks taken", 0, TRICKS, rows=FROM_ME),
    points_tens=number("points in this deal", 0, 12, unit="tens", rows=FROM_ME),
    points_ones=number("points in this deal beyond the tens", 0, 9, rows=FROM_ME),
)  # fmt: skip
HIDDEN = observation(
    DECK,
    SEATS,
    hands=cards("cards in the other hand", FROM_ME[1:]),
    lying=cards("talon cards on the table"),
    aside=cards("cards laid away"),
)
SHAPE = Shape(OBSERVATION, HIDDEN, ACTIONS, SEATS, DECK)


@rule
def frame(s, o):
    """There are no options to be seen."""


@rule
def observe(s, me, o):
    """§7 What seat ``me`` sees."""
    observe_auction(s, me, o)
    spread(s.hands[me], o.hand)
    if s.shown or me == s.declarer:
        spread(s.talon, o.talon)
    if me == s.declarer:
        spread(s.away, o.gave)
    o.lying = count(s.lying)
    o.laid_aside = count(s.away)
    observe_tricks(s, me, o)
    if s.trump != NO_TRUMP:
        o.trump[s.trump] = 1
    for seat in range(SEATS):
        i = clockwise(s, me, seat)
        points = earned(s, seat)
        o.points_tens[i] = TENS[points]
        o.points_ones[i] = ONES[points]
        for suit in range(SUITS):
            o.melded[i, suit] = s.melded[seat, suit]
        if seat != me:
            contrast(s.known[seat], s.cannot[seat], o.holding[i - 1])


@rule
def observe_auction(s, me, o):
    """§7 What is decided and who is asked, bids and passes, declarer."""
    if s.phase <= OVER:
        o.phase[s.phase] = 1
    if s.turn != NOBODY:
        o.turn[clockwise(s, me, s.turn)] = 1
    if s.declarer != NOBODY:
        o.declarer[clockwise(s, me, s.declarer)] = 1
    for seat in range(SEATS):
        i = clockwise(s, me, seat)
        o.passed[i] = s.passed[seat]
        if s.bid[seat] != NOT_YET:
            o.bid[i] = TENS[LEVEL[s.bid[seat]]]


@rule
def hide(s, me, h):
    """The cards that seat ``me`` cannot see, where they are."""
    spread(s.hands[next_seat(s, me)], h.hands[0])
    spread(s.lying, h.lying)
    if me != s.declarer:
        spread(s.away, h.aside)


# What a seat cannot see, dealt anew

HAND_PLACE, LYING_PLACE, AWAY_PLACE = range(3)


@rule
def determinize(s, me, chance):
    """§7 Deal the cards that ``me`` cannot know anew, every placement that agrees with what it knows as likely."""
    if s.hands[me] == EMPTY and s.played[me] == EMPTY:
        return  # nothing has been dealt yet
    other = next_seat(s, me)
    room, barred, places = np.zeros(3, np.int64), np.zeros(3, np.int64), np.zeros(3, np.int64)
    sure = s.known[other]
    unseen = plus(minus(s.hands[other], sure), s.lying)
    room[HAND_PLACE] = count(s.hands[other]) - count(sure)
    room[LYING_PLACE] = count(s.lying)
    barred[HAND_PLACE] = s.cannot[other]
    if me != s.declarer:
        unseen = plus(unseen, s.away)
        room[AWAY_PLACE] = count(s.away)
    for _ in range(TRIES):
        if deal_out(unseen, room, barred, places, chance) == 0.0:
            break
        s.hands[other] = plus(places[HAND_PLACE], sure)
        s.lying = places[LYING_PLACE]
        if me != s.declarer:
            s.away = places[AWAY_PLACE]
        if s.phase != GIVING or after(s.hands[s.declarer], s.away) != EMPTY:  # §3.2
            imagine_talon(s, me, chance)
            restack(s)
            return
    raise ValueError(NEVER_WAS)


@rule
def imagine_talon(s, me, chance):
    """§3.1 Which cards were the talon, if ``me`` did not see it."""
    if s.declarer == NOBODY:
        s.talon = s.lying
    elif me != s.declarer and not s.shown:
        his = plus(plus(s.hands[s.declarer], s.played[s.declarer]), s.away)
        first = only(pick(his, chance))
        s.talon = plus(first, only(pick(minus(his, first), chance)))


@rule
def restack(s):
    """The pack as it must have lain, for these hands and this talon."""
    top = 0
    for seat in range(SEATS):
        hand = plus(s.hands[seat], s.played[seat])
        if seat == s.declarer:
            hand = minus(plus(hand, s.away), s.talon)
        top = stack(s, top, hand)
    stack(s, top, s.talon)


def shapes(rules):
    """There is one table."""
    return SHAPE


def starts(rules, single_deal):
    """§5.3 Both begin at 0."""
    return


def given_starts(rules):
    """§5.3 Scores say nothing: any may be given, and is passed over."""
    return range(-(2**20), 2**20)


def flaw(s):
    """§1, §2, §3 Who is asked, how many cards lie where, and the trick, as far as they must agree."""
    if wrong := flaw_of_tricks(s, SUIT_OF):
        return wrong
    if s.phase >= OVER or s.over != RUNNING:
        return ""
    if (s.declarer == NOBODY) != (s.phase == AUCTION) or (s.phase == GIVING and s.turn != s.declarer):
        return "there is a declarer as soon as the auction is over, and he is asked before the first trick"
    if s.turn == NOBODY or int(count(s.lying)) != (TALON if s.phase == AUCTION else 0):
        return "the talon lies on the table as long as seats bid"
    for seat in range(SEATS):
        held, laid = int(count(s.hands[seat])), int(count(s.played[seat]))
        due = HAND + (TALON - int(count(s.away)) if seat == s.declarer else 0)
        if held + laid != due or (s.phase == PLAYING and due != HAND):
            return "each seat has the cards that it was dealt, took and laid away"
        if s.phase == PLAYING and laid != s.trick_number - 1 + int(count(both(s.trick, s.played[seat]))):
            return "each seat has laid one card to every trick"
    if s.phase != AUCTION and s.highest == NOT_YET:
        return "declarer has bid"
    return ""


GAME = Game(
    name="tysiac_8",
    title="Tysiąc with eight cards",
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
    unit=UNIT,
    flaw=flaw,
    phases=DECIDED,
    picture={
        "piles": {"talon": "lying", "aside": ("gave", "laid_aside")},
        "seats": {
            "declarer": "declarer",
            "passed": ("passed", "auction"),
            "bid": "bid {}",
            "tricks": "tricks {}",
            "points": "points {}",
            "melded": "melded {}",
        },
        "facts": {"trump": "trump {}"},
        "mine": {"talon": "talon {}", "gave": "you laid away {}"},
        "series": {"give": ("give", "Lay two cards away, the one that comes first in a fan of S and H first.")},
    },
)
