"""Petukh (Rooster): five tricks with or without the prikup; the first to write all his points off wins.

Source   petukh.md beside this file; its clauses are cited as §
Scope    two to five seats, with the prikup and with everybody drawing, matches and single kons
Rulings  those marked *(decided)* in the book
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..asides import asides, ask, ask_aside, flaw_of_asides, observe_question, resume
from ..cards import (
    EMPTY,
    NO_CARD,
    Deck,
    after,
    both,
    cards_at,
    contrast,
    count,
    has,
    minus,
    only,
    plus,
    spread,
)
from ..chance import NEVER_WAS, TRIES, deal_out, draw, draw_dealer, pick, shuffle, shuffle_pack, stack, uniform
from ..game import (
    ASKED,
    DEAL,
    END,
    FORFEITED,
    NOBODY,
    RUNNING,
    SCORE,
    TERMINATED,
    TRUNCATED,
    Game,
    Options,
    Shape,
    clockwise,
    limit,
    next_seat,
    observe_deals,
    observed_options,
    option,
    pay,
    state_options,
)
from ..kernel import rule
from ..layout import (
    KNOWN,
    LARGEST_SHOWN,
    ONES,
    SHOWN,
    TENS,
    cards,
    choice,
    code,
    flag,
    number,
    observation,
    seat,
    state,
)
from ..tricks import (
    NO_SUIT,
    NO_TRUMP,
    clear_play,
    flaw_of_tricks,
    follow,
    last_lead,
    lay_card,
    observe_tricks,
    show_void,
    stronger,
    take_trick,
    trick_fields,
)

# §1 The cards, the seats, the deal
DECK = Deck(ranks="6789TJQKA", suits="SCDH")  # §1.1 weakest first
ALL_CARDS = DECK.full
CARDS, SUITS, SEATS = DECK.size, len(DECK.suits), 5
ABOVE, OF_SUIT, SUIT_OF = DECK.above, DECK.of_suit, DECK.suit_of
STARTS = (15, 20, 25, 30)  # §1.2
START = np.array(STARTS)
HAND, PRIKUP = 5, 4  # §1.3 the dealer gets one card more

# §2 Khlust
KHLUST = 5  # §2.1 cards of one suit
KHLUST_POINTS = 5  # §2.2

# §3, §4 Prikup and folding
NEAR = 3  # §3.2, §4.3 with so many points or fewer nobody takes, nobody folds
FOLDS_RUNNING = np.array([0, 0, 0, 1, 1, 2])  # §4.2 by the number of seats

# §5 Boys
RED_BOYS, BLACK_BOYS, JACKS = DECK.set("JD JH"), DECK.set("JS JC"), DECK.set("JS JC JD JH")
SCORE_FOR_TWO, SCORE_FOR_FOUR = 6, 11  # §5.2

# §7 Scoring
TRICKS = 5  # §6.1
NO_TRICK = 5  # §7.1
BOYS_POINTS = np.array([0, 0, 5, 0, 10])  # §7.2 by the number said
GAIN = -1  # §1.2 a lower score is better
UNIT = 5  # §7.6 points for a reward of 1 in a kon

# §9 Revoking
REVOKE_POINTS = 5

# §10 The options, the default first in the dataclass below
PRIKUP_GAME, DRAW_GAME = range(2)
KHLUST_KON, KHLUST_GAME, KHLUST_ANY_KON, KHLUST_ANY_GAME = range(4)
FINISH_CHOOSE, FINISH_STOP, FINISH_PLAY = range(3)
MASKED, PENALTY = range(2)
PLAYERS = (2, 3, 4, 5)


@dataclass(frozen=True)
class Rules(Options):
    """§10 The options of Petukh."""

    GAME: ClassVar[str] = "petukh"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    players: int = option(4, PLAYERS, "§1.1 seats")
    start: int = option(15, STARTS, "§1.2 points to be written off", kept="points_at_start")
    stock: str = option("prikup", ("prikup", "draw"), "§3, §8 one seat takes the prikup, or everybody draws")
    khlust: str = option("kon", ("kon", "game", "any_kon", "any_game"), "§2 what five cards of one suit win")
    finish: str = option("choose", ("choose", "stop", "play"), "§7.4 whether the winner stops the kon")
    revoke: str = option("masked", ("masked", "penalty"), "§9 wrong cards are not offered, or cost five points")
    start_scores: str = option("equal", ("equal", "random"), "§7.6 scores at the start of a kon by itself")
    max_deals: int = limit(200, 1, "§7.7 scored kons after which a match is truncated")

    @property
    def seats(self) -> int:
        """§1.1 Seats at this table."""
        return self.players


# §11 The actions
ACTIONS = (
    *(f"play {card}" for card in DECK.names),
    *(f"keep {card}" for card in DECK.names),
    *(f"discard {card}" for card in DECK.names),
    "take",
    "pass",
    "stay",
    "fold",
    "boys 2",
    "boys 4",
    "silent",
    "stop",
    "go on",
    "show",
    "hide",
    "done",
    "take trump",
)
PLAY, KEEP, DISCARD = ACTIONS.index("play 6S"), ACTIONS.index("keep 6S"), ACTIONS.index("discard 6S")
TAKE, PASS, STAY, FOLD = (ACTIONS.index(name) for name in ("take", "pass", "stay", "fold"))
BOYS_2, BOYS_4, SILENT = (ACTIONS.index(name) for name in ("boys 2", "boys 4", "silent"))
STOP, GO_ON, SHOW, HIDE = (ACTIONS.index(name) for name in ("stop", "go on", "show", "hide"))
DONE, TAKE_TRUMP = ACTIONS.index("done"), ACTIONS.index("take trump")

# What is being decided; the last two happen by themselves
PHASES = ("khlust", "take", "keep", "fold", "exchange", "discard", "boys", "play", "finish", "over", "deal", "score")
(
    SHOWING, TAKING, KEEPING, FOLDING, EXCHANGING, LAYING_AWAY, SAYING, PLAYING, FINISHING, OVER, DEALING, SCORING,
) = range(12)  # fmt: skip
DECIDED = {
    "khlust": "Whether you show your five trumps, which wins the match, or hide them and play on.",
    "take": "Whether you take the prikup for four cards of your hand. Who takes it leads and deals next.",
    "keep": "Which card of your hand you keep: the other four are laid away, the prikup comes for them.",
    "fold": "Whether you stay and play, or fold: who folds scores nothing in this kon, good or bad.",
    "exchange": "Which cards you lay away: as many come from the stock. They are named one by one, suit by suit and "
    "the lowest first, so a card passed over stays; done ends it. Or fold, before the first of them.",
    "discard": "Which one of your six cards you lay away.",
    "boys": "Whether you say that you hold both red or both black jacks: with a trick that writes 5 more off, without "
    "one 10 are added.",
    "play": "Which card you lay: follow suit; without the suit play a trump; without both, anything.",
    "finish": "Whether you stop the kon: your tricks have written off your last points, and you have won either way.",
}

STATE = state(
    DECK,
    SEATS,
    **state_options(Rules),
    **asides(PHASES),
    **trick_fields(DECK, SEATS, TRICKS),
    hands=cards("hands", sets=SEATS, place=True),
    prikup=cards("the prikup", place=True),
    middle=cards("turned-up card in the middle", place=True),
    rest=cards("cards of the stock, or out of play", place=True),
    aside=cards("cards that each seat laid away", sets=SEATS, place=True),
    drawn=cards("cards that each seat got from prikup or stock", sets=SEATS),
    known=cards("cards that all know a seat to hold", sets=SEATS),
    dealt_by=seat("seat that dealt these cards"),
    turned=number("turned-up card", NO_CARD, CARDS - 1),
    trump=number("suit that is trump", NO_TRUMP, SUITS - 1),
    taker=seat("seat that took the prikup"),
    forehand=seat("seat that leads first and deals next"),
    folded=flag("seats that folded", (SEATS,)),
    playing=number("seats that have not folded", 0, SEATS),
    boys=number("boys said: none, two or four", 0, 4, (SEATS,)),
    khlust_seat=seat("seat whose khlust ended the kon"),
    tried=number("card laid last against the rules", NO_CARD, CARDS - 1),
    winner=seat("seat whose tricks reached its points first, or that won otherwise"),
    stopped=flag("the winner stopped the kon"),
    entered=number("scores at the beginning of the kon", 0, 2**31, (SEATS,)),
    folds=number("scored kons that each seat folded running", 0, int(FOLDS_RUNNING.max()), (SEATS,)),
)  # fmt: skip


def piles(rules, dealer):
    """§1.3 How the pack is dealt: hands, prikup, and what is out of play; §8.1 or hands, the trump and the stock."""
    if rules.stock == "draw":
        hands = tuple(("hands", s, HAND) for s in range(rules.players))
        return (*hands, ("trump_card", None, 1), ("stock", None, CARDS - HAND * rules.players - 1))
    hands = tuple(("hands", s, HAND + (s == dealer)) for s in range(rules.players))
    return (*hands, ("prikup", None, PRIKUP), ("stock", None, CARDS - HAND * rules.players - 1 - PRIKUP))


# §1 Beginning and dealing


@rule
def begin(s):
    """§1.4 The first dealer by lot; §1.2, §7.6 scores at the start."""
    draw_dealer(s)
    points = START[s.points_at_start]
    for seat in range(s.seats):
        s.start[seat] = 1 + draw(s.chance, points) if s.single_deal and s.start_scores else points
        s.scores[seat] = s.start[seat]
    s.winner = NOBODY
    clear_kon(s)
    ask(s, DEALING, NOBODY)


@rule
def clear_kon(s):
    """Nothing is held, turned up, taken, said or known."""
    clear_play(s)
    s.hands[:] = EMPTY
    s.prikup = EMPTY
    s.middle = EMPTY
    s.rest = EMPTY
    s.aside[:] = EMPTY
    s.drawn[:] = EMPTY
    s.known[:] = EMPTY
    s.dealt_by = s.dealer
    s.turned = NO_CARD
    s.trump = NO_TRUMP
    s.taker = NOBODY
    s.forehand = s.dealer
    s.folded[:] = 0
    s.playing = s.seats
    s.boys[:] = 0
    s.khlust_seat = NOBODY
    s.tried = NO_CARD
    s.stopped = 0
    s.revoked = 0
    s.entered[:] = s.scores


@rule
def deal(s):
    """§1.3 Five cards each, the dealer's sixth turned up, and the prikup; §8.1 or a card turned up in the middle.

    Then, unless §2.1 somebody shows a khlust, §3.1 the prikup is offered, or §8.2 the first seat exchanges.
    """
    shuffle_pack(s, ALL_CARDS)
    clear_kon(s)
    top = 0
    for seat in range(s.seats):
        s.hands[seat] = cards_at(s.pack, top, dealt_to(s, seat))
        top += dealt_to(s, seat)
        s.turned = s.pack[top - 1] if seat == s.dealer else s.turned
    if s.stock == DRAW_GAME:
        s.turned = s.pack[top]
        s.middle = only(s.turned)
        top += 1
    else:
        s.known[s.dealer] = only(s.turned)
        s.prikup = cards_at(s.pack, top, PRIKUP)
        top += PRIKUP
    s.rest = cards_at(s.pack, top, CARDS - top)
    s.trump = SUIT_OF[s.turned]
    if s.stock == DRAW_GAME:
        ask(s, EXCHANGING, next_seat(s, s.dealer))
    else:
        offer_prikup(s, next_seat(s, s.dealer))
    look_at_all(s)


@rule
def dealt_to(s, seat):
    """§1.3 How many cards a seat is dealt; §8.5 in the draw variant the dealer has no sixth."""
    return HAND + 1 if seat == s.dealt_by and s.stock == PRIKUP_GAME else HAND


# §2 Khlust


@rule
def khlust_suit(hand):
    """§2.1 The suit of which a hand holds five cards, or NO_SUIT."""
    for suit in range(SUITS):
        if count(both(hand, OF_SUIT[suit])) >= KHLUST:
            return suit
    return NO_SUIT


@rule
def first_khlust(s, of_trumps):
    """§2.1 The first seat from the dealer's left with a khlust of trumps, or with one of another suit, or NOBODY."""
    seat = s.dealer
    for _ in range(s.seats):
        seat = next_seat(s, seat)
        suit = khlust_suit(s.hands[seat])
        if suit != NO_SUIT and (suit == s.trump) == of_trumps:
            return seat
    return NOBODY


@rule
def look_at_all(s):
    """§2.1 After the deal all hands are looked at, first for a khlust of trumps, then for any other."""
    seat = first_khlust(s, True)
    if seat == NOBODY:
        seat = first_khlust(s, False)
    if seat != NOBODY:
        has_khlust(s, seat)


@rule
def look_at(s, seat):
    """§2.1, §8.5 The new hand of a seat that has drawn cards is looked at; without a khlust the kon goes on."""
    if khlust_suit(s.hands[seat]) != NO_SUIT:
        has_khlust(s, seat)
    else:
        go_on(s)


@rule
def has_khlust(s, seat):
    """§2.2–§2.4 A khlust is shown and ends the kon; but §2.3 a holder of trumps who may hide them is asked aside."""
    suit = khlust_suit(s.hands[seat])
    if s.khlust == KHLUST_GAME and suit == s.trump:
        ask_aside(s, SHOWING, seat)
    else:
        show(s, seat)


@rule
def show(s, seat):
    """§2.2 The kon is scored without play, or void: then §1.4 the same dealer deals the same kon anew."""
    suit = khlust_suit(s.hands[seat])
    s.khlust_seat = seat
    s.known[seat] = plus(s.known[seat], both(s.hands[seat], OF_SUIT[suit]))
    if suit == s.trump or s.khlust in (KHLUST_ANY_KON, KHLUST_ANY_GAME):
        ask(s, SCORING, NOBODY)
    else:
        s.attempt += 1
        ask(s, DEALING, NOBODY)


@rule
def legal_show(s, mask):
    """§2.3 Show the trumps, or keep quiet."""
    mask[SHOW] = 1
    mask[HIDE] = 1


@rule
def play_show(s, action):
    """§2.3 Shown trumps win the match; if they are hidden, the other khlusts after the deal still count."""
    if action == SHOW:
        show(s, s.turn)
        return
    other = first_khlust(s, False) if s.drawn[s.turn] == EMPTY else NOBODY
    if other != NOBODY:
        show(s, other)
    else:
        go_on(s)


@rule
def go_on(s):
    """The kon goes on with what was asked in the open; §5.2 before the first lead boys may be said."""
    resume(s)
    if s.phase == PLAYING:
        ask_boys(s, s.forehand)


# §3 Prikup


@rule
def offer_prikup(s, seat):
    """§3.1 From this seat on up to the dealer's right, the next that §3.2 may take the prikup is asked."""
    for _ in range(s.seats):
        if seat == s.dealer:
            break
        if s.scores[seat] > NEAR:
            ask(s, TAKING, seat)
            return
        seat = next_seat(s, seat)
    offer_fold(s, next_seat(s, s.dealer))


@rule
def legal_take(s, mask):
    """§3.1 Take or pass."""
    mask[TAKE] = 1
    mask[PASS] = 1


@rule
def play_take(s, action):
    """§3.1 The offer goes on until one takes; §3.3 who takes leads and deals next."""
    if action == PASS:
        offer_prikup(s, next_seat(s, s.turn))
        return
    s.taker = s.turn
    s.forehand = s.turn
    ask(s, KEEPING, s.turn)


@rule
def legal_keep(s, mask):
    """§3.1 Any card of the five."""
    spread(s.hands[s.turn], mask[KEEP : KEEP + CARDS])


@rule
def play_keep(s, card):
    """§3.1 One card is kept, four are laid away, the prikup comes for them; §2.1 the new hand is looked at."""
    seat = s.turn
    s.aside[seat] = minus(s.hands[seat], only(card))
    s.drawn[seat] = s.prikup
    s.hands[seat] = plus(only(card), s.prikup)
    s.prikup = EMPTY
    offer_fold(s, next_seat(s, s.dealer))
    look_at(s, seat)


# §4 Folding


@rule
def may_fold(s, seat):
    """§4.2 Not too often running, and not with two players; §4.3 nor while anybody has few points left."""
    may = s.folds[seat] < FOLDS_RUNNING[s.seats]
    for other in range(s.seats):
        may = may and s.scores[other] > NEAR
    return may


@rule
def offer_fold(s, seat):
    """§4.1 From this seat on up to the dealer's right, the next that §4.4 may fold is asked, but §3.3 not the taker.

    After the last the dealer lays a card away, or §4.4 has five tricks if nobody else plays.
    """
    for _ in range(s.seats):
        if seat == s.dealer:
            break
        if seat != s.taker and may_fold(s, seat):
            ask(s, FOLDING, seat)
            return
        seat = next_seat(s, seat)
    if s.playing == 1:
        play_alone(s)
    else:
        ask(s, LAYING_AWAY, s.dealer)


@rule
def legal_fold(s, mask):
    """§4.1 Stay or fold."""
    mask[STAY] = 1
    mask[FOLD] = 1


@rule
def fold(s):
    """§4.1 The seat asked sits out this kon."""
    s.folded[s.turn] = 1
    s.playing -= 1


@rule
def play_fold(s, action):
    """§4.1 Who stays plays, then the next is asked."""
    if action == FOLD:
        fold(s)
    offer_fold(s, next_seat(s, s.turn))


@rule
def play_alone(s):
    """§4.4 The only seat that has not folded has all five tricks, and nothing more is asked."""
    for seat in range(s.seats):
        if not s.folded[seat]:
            s.tricks[seat] = TRICKS
    ask(s, SCORING, NOBODY)


# §8 Everybody exchanges


@rule
def may_lay_away(s):
    """§8.2 How many cards the seat asked can get back: as many as lie in the stock, §8.3 the dealer the trump too."""
    return count(s.rest) + 1 if s.turn == s.dealer else count(s.rest)


@rule
def legal_exchange(s, mask):
    """§8.2 Fold at first; lay away a card above those laid away; or be done. §8.3 The dealer may take the trump."""
    away = s.aside[s.turn]
    if away == EMPTY:
        if may_fold(s, s.turn):
            mask[FOLD] = 1
        mask[DONE] = 1
        may = s.hands[s.turn]
    else:
        if count(away) <= count(s.rest):
            mask[DONE] = 1
        if s.turn == s.dealer:
            mask[TAKE_TRUMP] = 1
        may = after(s.hands[s.turn], away)
    if count(away) < may_lay_away(s):
        spread(may, mask[DISCARD : DISCARD + CARDS])


@rule
def play_exchange(s, action):
    """§8.2 One card is laid away, or the exchange is over: the seat draws, and its new hand is looked at."""
    seat = s.turn
    if action == FOLD:
        fold(s)
        next_exchange(s)
        go_on(s)
    elif action in (DONE, TAKE_TRUMP):
        draw_cards(s, seat, action == TAKE_TRUMP)
        next_exchange(s)
        if s.drawn[seat] != EMPTY:
            look_at(s, seat)
        else:
            go_on(s)
    else:
        card = action - DISCARD
        s.aside[seat] = plus(s.aside[seat], only(card))
        s.hands[seat] = minus(s.hands[seat], only(card))


@rule
def draw_cards(s, seat, trump_too):
    """§8.2 As many cards from the stock as were laid away, §8.3 or the turned-up trump, which all see, and the rest."""
    new = EMPTY
    if trump_too:
        new = s.middle
        s.known[seat] = s.middle
        s.middle = EMPTY
    new = plus(new, cards_at(s.pack, CARDS - count(s.rest), count(s.aside[seat]) - count(new)))
    s.rest = minus(s.rest, new)
    s.drawn[seat] = new
    s.hands[seat] = plus(s.hands[seat], new)


@rule
def next_exchange(s):
    """§8.2 The next seat exchanges, the dealer last, §8.4 but not if he alone is left; then the first one in leads."""
    seat = next_seat(s, s.turn)
    if s.turn != s.dealer and not (seat == s.dealer and s.playing == 1):
        ask(s, EXCHANGING, seat)
        return
    s.forehand = next_playing(s, s.dealer)
    if s.playing == 1:
        play_alone(s)
    else:
        s.leader = s.forehand
        ask(s, PLAYING, s.forehand)


# §5 Before the first lead


@rule
def legal_discard(s, mask):
    """§5.1 Any of the dealer's six cards."""
    spread(s.hands[s.turn], mask[DISCARD : DISCARD + CARDS])


@rule
def play_discard(s, card):
    """§5.1 The dealer lays a card away; from now on nobody else knows where the turned-up one is."""
    s.hands[s.turn] = minus(s.hands[s.turn], only(card))
    s.aside[s.turn] = only(card)
    s.known[s.turn] = EMPTY
    s.leader = s.forehand
    ask(s, PLAYING, s.forehand)
    go_on(s)


@rule
def has_boys(hand):
    """§5.2 Does the hand hold both red or both black jacks?"""
    return both(hand, RED_BOYS) == RED_BOYS or both(hand, BLACK_BOYS) == BLACK_BOYS


@rule
def ask_boys(s, seat):
    """§5.2 From this seat on up to the leader's right, the next that can say something is asked, unnoticed."""
    for _ in range(s.seats):
        if not s.folded[seat] and s.scores[seat] >= SCORE_FOR_TWO and has_boys(s.hands[seat]):
            ask_aside(s, SAYING, seat)
            return
        seat = next_seat(s, seat)
        if seat == s.forehand:
            break
    resume(s)


@rule
def legal_boys(s, mask):
    """§5.2 Two, or four with all jacks and points enough, or nothing."""
    mask[BOYS_2] = 1
    if both(s.hands[s.turn], JACKS) == JACKS and s.scores[s.turn] >= SCORE_FOR_FOUR:
        mask[BOYS_4] = 1
    mask[SILENT] = 1


@rule
def play_boys(s, action):
    """§5.2 The number is said, not the colour; then the next is asked, or the first trick is led."""
    if action != SILENT:
        s.boys[s.turn] = 4 if action == BOYS_4 else 2
    seat = next_seat(s, s.turn)
    if seat == s.forehand:
        resume(s)
    else:
        ask_boys(s, seat)


# §6, §9 Play


@rule
def right_cards(s, hand):
    """§6.1 The cards of this hand that may be laid: follow suit, without it trump, without either anything."""
    if s.laid == 0:
        return hand
    if both(hand, OF_SUIT[s.led]) != EMPTY:
        return both(hand, OF_SUIT[s.led])
    return follow(hand, OF_SUIT[s.trump])


@rule
def legal_play(s, mask):
    """§9.1 The right cards; §9.2 with the penalty every card, but after a revoke the right ones."""
    hand = s.hands[s.turn]
    if s.revoke == MASKED or s.revoked:
        hand = right_cards(s, hand)
    spread(hand, mask[PLAY : PLAY + CARDS])


@rule
def play_card(s, card):
    """§6.1 A card goes into the trick, which the last one closes; §9.2 a wrong one goes back."""
    if s.revoke == PENALTY and not has(right_cards(s, s.hands[s.turn]), card):
        go_back(s, card)
        return
    better = EMPTY
    if s.laid > 0:
        better = stronger(ABOVE, OF_SUIT, SUIT_OF, s.best, s.trump)
        learn(s, card)
    s.known[s.turn] = minus(s.known[s.turn], only(card))
    lay_card(s, card, SUIT_OF, better)
    if s.laid < s.playing:
        ask(s, PLAYING, next_playing(s, s.turn))
    else:
        close_trick(s)


@rule
def go_back(s, card):
    """§9.2 Five points at once; the card, which all have seen, goes back, and the same seat is asked again."""
    s.revoked = 1
    s.tried = card
    s.known[s.turn] = plus(s.known[s.turn], only(card))
    s.scores[s.turn] += REVOKE_POINTS


@rule
def learn(s, card):
    """§12 Who does not follow shows that it holds none of the suit led; who lays no trump then, no trumps."""
    show_void(s, card, SUIT_OF, OF_SUIT)
    if SUIT_OF[card] != s.led and SUIT_OF[card] != s.trump:
        s.cannot[s.turn] = plus(s.cannot[s.turn], OF_SUIT[s.trump])


@rule
def next_playing(s, seat):
    """§6.1 Clockwise the next seat that has not folded."""
    for _ in range(s.seats):
        seat = next_seat(s, seat)
        if not s.folded[seat]:
            break
    return seat


@rule
def close_trick(s):
    """§6.2 The best card takes the trick; §7.4 is that all its seat had left to write off?"""
    seat = take_trick(s)
    if s.winner == NOBODY and s.tricks[seat] >= s.scores[seat]:
        s.winner = seat
        if s.finish == FINISH_CHOOSE:
            ask(s, FINISHING, seat)
            return
        s.stopped = s.finish == FINISH_STOP
    next_trick(s)


@rule
def next_trick(s):
    """§6.2 Who took the trick leads to the next one; §7.1 after five, or when the winner stops, the kon is scored."""
    if s.stopped or s.trick_number > TRICKS:
        ask(s, SCORING, NOBODY)
    else:
        ask(s, PLAYING, s.leader)


@rule
def legal_finish(s, mask):
    """§7.4 Stop or go on."""
    mask[STOP] = 1
    mask[GO_ON] = 1


@rule
def play_finish(s, action):
    """§7.4 The winner stops the kon, or has it played to its end."""
    s.stopped = action == STOP
    next_trick(s)


# §7 Scoring


@rule
def score(s):
    """§7.1–§7.3 Points are written, then the end is tested; §1.4, §8.4 who led first deals next, after a khlust not."""
    if s.khlust_seat != NOBODY:
        score_khlust(s)
    else:
        score_tricks(s)
        s.dealer = s.forehand
    for seat in range(s.seats):
        s.change[seat] = s.scores[seat] - s.entered[seat]
        s.folds[seat] = s.folds[seat] + 1 if s.folded[seat] else 0  # §4.2
    if s.winner == NOBODY:
        s.winner = first_without_points(s)
    s.deal += 1
    s.attempt = 0
    ended = s.single_deal or s.winner != NOBODY or s.deal >= s.max_deals
    ask(s, OVER if ended else DEALING, NOBODY)


@rule
def write_off(s, seat, points):
    """§1.2 So many points fewer, but not below 0."""
    s.scores[seat] = max(s.scores[seat] - points, 0)


@rule
def score_khlust(s):
    """§2.2 The holder writes off five, the others get five, §8.5 who folded none; §2.5 or he wins the match."""
    wins = s.khlust in (KHLUST_GAME, KHLUST_ANY_GAME)
    for seat in range(s.seats):
        if seat == s.khlust_seat:
            write_off(s, seat, s.scores[seat] if wins else KHLUST_POINTS)
        elif not (wins or s.folded[seat]):
            s.scores[seat] += KHLUST_POINTS


@rule
def score_tricks(s):
    """§7.1 A point a trick, five more without any; §7.2 the boys. §7.4 After a stop nothing but the tricks counts."""
    for seat in range(s.seats):
        said = BOYS_POINTS[s.boys[seat]]
        if s.stopped:
            write_off(s, seat, s.tricks[seat])
        elif s.tricks[seat] > 0:
            write_off(s, seat, s.tricks[seat] + said)
        elif not s.folded[seat]:
            s.scores[seat] += NO_TRICK + said


@rule
def first_without_points(s):
    """§7.5 Of the seats at 0 the one with most tricks; of equal ones the first clockwise from the kon's leader."""
    winner, most = NOBODY, -1
    seat = s.forehand
    for _ in range(s.seats):
        if s.scores[seat] == 0 and s.tricks[seat] > most:
            winner, most = seat, s.tricks[seat]
        seat = next_seat(s, seat)
    return winner


@rule
def returns(s, reward, points):
    """§7.6 Of a match: winner 1, the others share -1.

    Of a kon: what I wrote off more than the others' mean, in fives.
    """
    pay(s, reward, points, GAIN, UNIT)


# What is asked, and what happens by itself


@rule
def advance(s):
    """One event: a deal, its score, or the end of the episode; none while a seat is asked."""
    if s.phase == DEALING:
        deal(s)
        return DEAL
    if s.phase == SCORING:
        score(s)
        return SCORE
    if s.phase == OVER and s.over == RUNNING:
        s.over = TERMINATED if s.single_deal or s.winner != NOBODY else TRUNCATED  # §7.7
        return END
    return ASKED


@rule
def legal(s, mask):
    """Every action that the seat asked may choose."""
    if s.phase == PLAYING:
        legal_play(s, mask)
    elif s.phase == TAKING:
        legal_take(s, mask)
    elif s.phase == FOLDING:
        legal_fold(s, mask)
    elif s.phase == LAYING_AWAY:
        legal_discard(s, mask)
    elif s.phase == EXCHANGING:
        legal_exchange(s, mask)
    elif s.phase == KEEPING:
        legal_keep(s, mask)
    elif s.phase == SAYING:
        legal_boys(s, mask)
    elif s.phase == FINISHING:
        legal_finish(s, mask)
    elif s.phase == SHOWING:
        legal_show(s, mask)


@rule
def play(s, action):
    """One decision of the seat asked."""
    s.revoked = 0
    if s.phase == PLAYING:
        play_card(s, action - PLAY)
    elif s.phase == TAKING:
        play_take(s, action)
    elif s.phase == FOLDING:
        play_fold(s, action)
    elif s.phase == LAYING_AWAY:
        play_discard(s, action - DISCARD)
    elif s.phase == EXCHANGING:
        play_exchange(s, action)
    elif s.phase == KEEPING:
        play_keep(s, action - KEEP)
    elif s.phase == SAYING:
        play_boys(s, action)
    elif s.phase == FINISHING:
        play_finish(s, action)
    elif s.phase == SHOWING:
        play_show(s, action)


# §12 What a seat sees

FROM_ME = ("me", "next", "second", "third", "fourth")  # clockwise


def observed(seats):
    """§12 The layout for so many seats; the option `start` is seen as its number, `max_deals` as what is left."""
    rows = FROM_ME[:seats]
    options = observed_options(Rules)
    del options["players"], options["start"]
    return observation(
        DECK,
        seats,
        start=number("points to be written off", 0, STARTS[-1]),
        **options,
        single_deal=flag("the episode is one kon"),
        phase=choice("what is being decided, as far as I may know", PHASES[: OVER + 1]),
        turn=seat("seat that is asked, as far as I may know"),
        dealer=seat("dealer"),
        taker=seat("seat that took the prikup"),
        leader=seat("seat that leads, or led, the current trick"),
        trump=choice("trump", tuple(DECK.suits)),
        turned=code("turned-up card", 1, DECK),
        hand=cards("my hand"),
        aside=cards("cards that I laid away"),
        holding=cards("known by all to hold (1) or not to hold (-1)", rows, low=-1),
        played=cards("cards played", rows),
        order=number("trick in which each card was played", 0, TRICKS, rows=DECK.names),
        trick=cards("cards in the current trick"),
        held=number("cards in each hand", 0, HAND + 1, rows=rows),
        tricks=number("tricks taken", 0, TRICKS, rows=rows),
        folded=flag("has folded", rows=rows),
        exchanged=number("cards drawn for others", 0, HAND, rows=rows),
        stock_left=number("cards left in the prikup or stock", 0, CARDS - 2 * HAND - 1),
        took_trump=flag("the dealer took the turned-up trump from the middle"),
        boys=number("boys said", 0, 4, rows=rows),
        folds=number("scored kons folded running", 0, int(FOLDS_RUNNING.max()), rows=rows),
        score_tens=number("points left, at most 1279 shown", 0, 127, unit="tens", rows=rows),
        score_ones=number("points left beyond the tens", 0, 9, rows=rows),
        deals_played=number("kons scored, at most 100 shown", 0, SHOWN),
        deals_left=number("kons left before the cap, at most 100 shown", 0, SHOWN),
        # One column, not one a seat: four more would be 515 at four seats.
        winner=number("who has won: 0 nobody yet, 1 me, 2 the next seat …", 0, seats),
    )  # fmt: skip


def hidden(seats):
    """The layout of the cards that a seat cannot see, for so many seats."""
    others = FROM_ME[1:seats]
    return observation(
        DECK,
        seats,
        hands=cards("cards in the other hands", others),
        prikup=cards("the prikup"),
        stock=cards("cards of the stock, or out of play"),
        aside=cards("cards that the others laid away", others),
    )


SHAPES = {seats: Shape(observed(seats), hidden(seats), ACTIONS, seats, DECK) for seats in PLAYERS}


@rule
def frame(s, o):
    """§12 The options."""
    o.start = START[s.points_at_start]
    o.stock = s.stock
    o.khlust[s.khlust] = 1
    o.finish[s.finish] = 1
    o.revoke = s.revoke
    o.start_scores = s.start_scores
    o.single_deal = s.single_deal


@rule
def observe(s, me, o):
    """§12 What seat ``me`` sees, besides the options. §5.2, §2.3 Who is asked aside, nobody else sees."""
    observe_question(s, me, o, OVER)
    o.dealer[clockwise(s, me, s.dealer)] = 1
    if s.taker != NOBODY:
        o.taker[clockwise(s, me, s.taker)] = 1
    if s.winner != NOBODY:
        o.winner = 1 + clockwise(s, me, s.winner)
    if s.turned != NO_CARD:
        o.trump[s.trump] = 1
        o.turned[0] = s.turned + KNOWN
    observe_deals(s, o, s.max_deals)
    spread(s.hands[me], o.hand)
    spread(s.aside[me], o.aside)
    observe_tricks(s, me, o)
    observe_seats(s, me, o)
    observe_stock(s, me, o)


@rule
def observe_seats(s, me, o):
    """§12 What all know of each seat: cards, folds, boys, points."""
    for seat in range(s.seats):
        i = clockwise(s, me, seat)
        if s.known[seat] != EMPTY or s.cannot[seat] != EMPTY:
            contrast(both(s.known[seat], s.hands[seat]), s.cannot[seat], o.holding[i])
        o.folded[i] = s.folded[seat]
        o.exchanged[i] = count(s.drawn[seat])
        o.boys[i] = s.boys[seat]
        o.folds[i] = s.folds[seat]
        points = min(s.scores[seat], LARGEST_SHOWN)
        o.score_tens[i] = TENS[points]
        o.score_ones[i] = ONES[points]


@rule
def observe_stock(s, me, o):
    """§12 What is left to draw. §8.2 How many cards a seat lays away, the others see when it draws."""
    o.stock_left = count(s.rest) if s.stock == DRAW_GAME else count(s.prikup)
    o.took_trump = s.stock == DRAW_GAME and s.middle == EMPTY and s.turned != NO_CARD
    if s.phase == EXCHANGING and s.turn != me:
        o.held[clockwise(s, me, s.turn)] = HAND


@rule
def hide(s, me, h):
    """The cards that seat ``me`` cannot see, where they are."""
    for seat in range(s.seats):
        if seat != me:
            i = clockwise(s, me, seat) - 1
            spread(s.hands[seat], h.hands[i])
            spread(s.aside[seat], h.aside[i])
    spread(s.prikup, h.prikup)
    spread(s.rest, h.stock)


# What is said at the table


def news(before, now):
    """§2 A khlust that is shown, and what it does; §8.2 how many drew a seat; §7.4 whose tricks reached his points."""
    for i, its in enumerate(now["holding"]):
        for suit in DECK.suits:
            shown = [card for card, held in its.items() if held > 0 and card[-1] == suit]
            if len(shown) >= KHLUST and any(before["holding"][i].get(card, 0) < 1 for card in shown):
                yield i, f"khlust {' '.join(reversed(shown))}, {khlust_said(now, suit)}"
        if now["stock"] and now["exchanged"][i] > before["exchanged"][i]:
            yield i, f"{now['exchanged'][i]} drawn"
    if now["winner"] and not before["winner"]:
        yield now["winner"] - 1, "all points are written off"


def khlust_said(seen, suit):
    """§2.2–§2.5 What a khlust of this suit does."""
    if seen["khlust"] == "any_game" or (seen["khlust"] == "game" and suit == seen["trump"]):
        return "which writes everything off"
    if seen["khlust"] == "any_kon" or suit == seen["trump"]:
        return f"{KHLUST_POINTS} points written off, {KHLUST_POINTS} more for everybody else"
    return "the kon is void"


def led(now):
    """§3.3, §8.2, §6.2 Who led the last complete trick: the first the taker, or the dealer, or the first in play."""
    seats = len(now["folded"])
    order = [(now["dealer"] + step) % seats for step in range(1, seats + 1)]
    in_play = [i for i in order if not now["folded"][i]] if now["stock"] else [now["dealer"]]
    first = now["taker"] if now["taker"] != NOBODY else in_play[0]
    return last_lead(DECK, now, first, now["trump"])


# What a seat cannot see, dealt anew

NO_WAY = -1
AWAY, OUT = SEATS, SEATS + 1  # places beside the hands: the dealer's card laid away; all else that nobody plays


@rule
def determinize(s, me, chance):
    """Deal the cards that ``me`` cannot know anew, every placement that agrees with all it knows as likely.

    Known are its own cards, cards played and §6.1's duties, the turned-up card, which the dealer holds until he lays a
    card away and then holds or laid away, cards wrongly tried, §2.1 that nobody had a khlust which would have been
    shown, and that a seat that said something, or is asked aside, had something to say. What each seat drew is
    imagined too, and so is the order of the stock.
    """
    if s.turned == NO_CARD:
        return  # nothing has been dealt yet
    room = np.zeros(SEATS + 2, np.int64)
    barred = np.zeros(SEATS + 2, np.int64)
    sure = np.zeros(SEATS + 2, np.int64)
    places = np.zeros(SEATS + 2, np.int64)
    laid = np.zeros(SEATS, np.int64)
    drew = np.zeros(SEATS, np.int64)
    lying = count(s.prikup)
    unseen = plus(s.rest, s.prikup)
    lost = lost_trump(s, me)
    for seat in range(s.seats):
        if seat != me:
            sure[seat] = both(s.known[seat], s.hands[seat])
            unknown = minus(s.hands[seat], sure[seat])
            room[seat] = count(unknown)
            barred[seat] = s.cannot[seat]
            laid[seat] = count(s.aside[seat])
            drew[seat] = count(s.drawn[seat])
            unseen = plus(unseen, plus(unknown, s.aside[seat]))
            if lost != EMPTY and seat != s.dealt_by:
                barred[seat] = plus(barred[seat], lost)
    room[OUT] = count(unseen) - np.sum(room)
    if lost != EMPTY:
        room[AWAY] = 1
        room[OUT] -= 1
        barred[OUT] = lost
    for _ in range(TRIES):
        if not place_cards(s, me, unseen, room, barred, sure, places, chance):
            break
        lay_out(s, me, lost, laid, drew, lying, sure, places, chance)
        if agrees(s, me):
            restack(s, chance)
            return
    raise ValueError(NEVER_WAS)


@rule
def lost_trump(s, me):
    """§12 The turned-up card as a set, if ``me`` knows only that the dealer holds it or has laid it away."""
    if s.stock == DRAW_GAME or me == s.dealt_by or s.aside[s.dealt_by] == EMPTY:
        return EMPTY
    return minus(only(s.turned), s.played[s.dealt_by])


@rule
def place_cards(s, me, unseen, room, barred, sure, places, chance):
    """Deal the unseen cards out so that who is asked about a khlust has one; False if they cannot lie anywhere."""
    if s.phase != SHOWING or s.turn == me:
        return place_boys(s, me, unseen, room, barred, sure, places, chance)
    left = room.copy()
    left[s.turn] = 0
    hand = imagine_khlust(s, both(unseen, OF_SUIT[s.trump]), unseen, room[s.turn], sure[s.turn], chance)
    ways = deal_out(minus(unseen, hand), left, barred, places, chance)
    places[s.turn] = hand
    return ways > 0.0


@rule
def place_boys(s, me, unseen, room, barred, sure, places, chance):
    """Deal the unseen cards out so that who said boys, or is asked about them, had them; False if they cannot.

    The first such seat may have had the red or the black ones, a second one has the others. Of these two ways one is
    chosen, by how many placements it has; a placement that is both ways comes up twice, so one such in two is dealt
    anew.
    """
    needs = np.zeros(SEATS, np.int64)
    anybody = False
    for seat in range(s.seats):
        if seat != me:
            needs[seat] = s.boys[seat]
            if s.phase == SAYING and s.turn == seat:
                needs[seat] = 2
            anybody = anybody or needs[seat] > 0
    if not anybody:
        return deal_out(unseen, room, barred, places, chance) > 0.0
    tried = np.zeros(SEATS + 2, np.int64)
    jacks = np.zeros(SEATS, np.int64)
    for _ in range(TRIES):
        total = 0.0
        for red_first in range(2):
            left = room.copy()
            cards = fix_boys(s, red_first, needs, jacks, unseen, left, barred, sure)
            if cards == NO_WAY:
                continue
            ways = deal_out(cards, left, barred, tried, chance)
            total += ways
            if ways > 0.0 and uniform(chance) * total < ways:
                places[:] = tried
                for seat in range(s.seats):
                    places[seat] = plus(places[seat], jacks[seat])
        if total == 0.0:
            return False
        if not has_both_ways(s, needs, places, sure) or draw(chance, 2) == 0:
            return True
    return False


@rule
def boys_of(needs, red):
    """The jacks of a seat that needs two or four of them."""
    if needs == 4:
        return JACKS
    return RED_BOYS if red else BLACK_BOYS


@rule
def fix_boys(s, red, needs, jacks, unseen, left, barred, sure):
    """Give each seat that needs boys those of one colour: the cards still to be dealt, or NO_WAY."""
    cards = unseen
    for seat in range(s.seats):
        jacks[seat] = EMPTY
        if needs[seat] > 0:
            jacks[seat] = minus(boys_of(needs[seat], red), plus(s.played[seat], sure[seat]))
            left[seat] -= count(jacks[seat])
            if left[seat] < 0 or minus(jacks[seat], minus(cards, barred[seat])) != EMPTY:
                return NO_WAY
            cards = minus(cards, jacks[seat])
            red = not red
    return cards


@rule
def has_both_ways(s, needs, places, sure):
    """Does every seat that needs boys have them whichever colour comes first?"""
    for seat in range(s.seats):
        if needs[seat] > 0:
            its = plus(plus(places[seat], sure[seat]), s.played[seat])
            if both(its, JACKS) != JACKS:
                return False
    return True


@rule
def imagine_khlust(s, trumps, unseen, size, sure, chance):
    """§2.3 So many cards that make a khlust of trumps with those surely held.

    The dealer has one card more. If that is a trump as well, any of them might be it, so such hands come up too often.
    """
    needed = KHLUST - count(both(sure, OF_SUIT[s.trump]))
    hand = some_of(trumps, needed, chance)
    while size > needed:
        hand = plus(hand, only(pick(minus(unseen, hand), chance)))
        if minus(hand, trumps) != EMPTY or draw(chance, size) == 0:
            break
        hand = some_of(trumps, needed, chance)
    return hand


@rule
def some_of(cards, number, chance):
    """So many cards of the set, each choice as likely."""
    chosen = EMPTY
    for _ in range(number):
        chosen = plus(chosen, only(pick(minus(cards, chosen), chance)))
    return chosen


@rule
def lay_out(s, me, lost, laid, drew, lying, sure, places, chance):
    """The hands as dealt now; what lies aside is shared out, and which cards each seat drew is imagined."""
    out = places[OUT]
    for seat in range(s.seats):
        if seat == me:
            continue
        s.hands[seat] = plus(places[seat], sure[seat])
        if lost != EMPTY and seat == s.dealt_by:
            s.aside[seat] = places[AWAY]
        else:
            s.aside[seat] = some_of(out, laid[seat], chance)
            out = minus(out, s.aside[seat])
        its = plus(s.hands[seat], s.played[seat])
        trump = EMPTY
        if s.stock == DRAW_GAME:
            trump = both(its, only(s.turned))  # §8.3 which the dealer drew
        s.drawn[seat] = plus(trump, some_of(minus(its, trump), drew[seat] - count(trump), chance))
    s.prikup = some_of(out, lying, chance)
    s.rest = minus(out, s.prikup)


@rule
def agrees(s, me):
    """§2.1 Has no other seat a khlust that would have been shown; §9.2 is the card tried last really wrong?"""
    if s.revoked and s.turn not in (NOBODY, me) and has(right_cards(s, s.hands[s.turn]), s.tried):
        return False
    holder = s.turn if s.phase == SHOWING else s.khlust_seat
    if holder != NOBODY and s.drawn[holder] == EMPTY:  # after the deal all hands were looked at, in an order
        return goes_first(s, holder)
    for seat in range(s.seats):
        if seat != me:
            hand = plus(s.hands[seat], s.played[seat])
            if must_show(s, plus(minus(hand, s.drawn[seat]), s.aside[seat])):
                return False
            if seat != holder and s.drawn[seat] != EMPTY and must_show(s, hand):
                return False
    return True


@rule
def goes_first(s, holder):
    """§2.1 Does no khlust of trumps, and none nearer to the dealer's left, go before? §2.3 One may have been hidden."""
    if khlust_suit(s.hands[holder]) == s.trump:
        return True
    no_trumps = s.khlust == KHLUST_GAME or first_khlust(s, True) == NOBODY
    return no_trumps and first_khlust(s, False) == holder


@rule
def must_show(s, hand):
    """§2.1 Is there a khlust in these cards which §2.3 may not be hidden?"""
    suit = khlust_suit(hand)
    return suit != NO_SUIT and not (suit == s.trump and s.khlust == KHLUST_GAME)


@rule
def restack(s, chance):
    """The pack as it must have lain: the cards dealt to each seat, then those drawn, then the rest in any order."""
    top = 0
    for seat in range(s.seats):
        dealt = plus(minus(plus(s.hands[seat], s.played[seat]), s.drawn[seat]), s.aside[seat])
        if s.stock == PRIKUP_GAME and seat == s.dealt_by:
            dealt = minus(dealt, only(s.turned))
        top = stack(s, top, dealt)
        if s.stock == PRIKUP_GAME and seat == s.dealt_by:
            top = stack(s, top, only(s.turned))
    if s.stock == DRAW_GAME:
        top = stack(s, top, only(s.turned))
    seat = s.dealt_by
    for _ in range(s.seats):
        seat = next_seat(s, seat)
        drawn = s.drawn[seat]
        if s.stock == DRAW_GAME:
            drawn = minus(drawn, only(s.turned))
        top = stack(s, top, drawn)
    top = stack(s, top, s.prikup)
    stack(s, top, s.rest)
    shuffle(s.pack[top:], chance)


def shapes(rules):
    """One layout a number of seats."""
    return SHAPES[rules.players]


def starts(rules, single_deal):
    """§7.6 The scores from which each seat's start is drawn: all the same, or in a kon by itself at random."""
    random = single_deal and rules.start_scores == "random"
    return range(1 if random else rules.start, rules.start + 1)


def given_starts(rules):
    """§1.2 Any score that is not written off, so far from what a state can hold that no kon lifts it there."""
    return range(1, 2**30)


def flaw(s):
    """§1.3, §6.1, §8.1 Who is asked, how many cards lie where, and whether the pack agrees."""
    seats = range(s.seats)
    asked = s.phase < OVER
    if NOBODY in (s.dealer, s.dealt_by, s.forehand):
        return "somebody deals and leads"
    if min(s.scores) < 0 or min(s.entered) < 0:
        return "no score is below 0"
    if wrong := flaw_of_tricks(s, SUIT_OF):
        return wrong
    if s.over != FORFEITED and (wrong := flaw_of_asides(s, (SHOWING, SAYING), OVER)):
        return wrong
    if (s.turned == NO_CARD) != (s.trump == NO_TRUMP) or (s.turned != NO_CARD and SUIT_OF[s.turned] != s.trump):
        return "the suit of the turned-up card is trump"
    if s.turned == NO_CARD:
        return "a card is turned up as soon as cards are dealt" if asked or any(s.hands) else ""
    if wrong := flaw_of_question(s) or (asked and flaw_of_seats(s)):
        return wrong
    dealer = s.dealt_by
    his = plus(plus(s.hands[dealer], s.aside[dealer]), s.played[dealer])
    if s.middle != (EMPTY if s.stock == PRIKUP_GAME or has(his, s.turned) else only(s.turned)):
        return "the turned-up card lies in the middle, unless the dealer got it"
    if s.stock == PRIKUP_GAME and not has(his, s.turned):
        return "the dealer was dealt the turned-up card"
    if has(s.hands[dealer], s.turned) and not s.aside[dealer] and not has(s.known[dealer], s.turned):
        return "all know that the dealer holds the turned-up card"
    if s.playing != s.seats - sum(int(folded) for folded in s.folded[: s.seats]) or s.playing < 1:
        return "who has not folded plays"
    if asked and s.turn != NOBODY and s.folded[s.turn]:
        return "who is asked has not folded"
    for seat in seats:
        held, played, laid, drew = (int(count(its[seat])) for its in (s.hands, s.played, s.aside, s.drawn))
        if held + played + laid - drew != dealt_to(s, seat) or drew not in (0, laid):
            return "each seat has the cards that it was dealt, and what it drew for those laid away"
        if minus(s.drawn[seat], plus(s.hands[seat], s.played[seat])) != EMPTY:
            return "cards drawn are held or played"
        if minus(s.known[seat], s.hands[seat]) != EMPTY:
            return "cards known to be in a hand lie there"
        if s.phase in (PLAYING, FINISHING) and not s.folded[seat]:
            due = s.trick_number - 1 + count(both(s.trick, s.played[seat]))
            if played != due or held + played != HAND:
                return "each seat that plays has laid one card to every trick"
    if cards_at(s.pack, CARDS - count(s.rest), count(s.rest)) != s.rest:
        return "the stock lies at the end of the pack"
    if int(count(s.middle)) > (s.stock == DRAW_GAME) or int(count(s.prikup)) not in (0, PRIKUP):
        return "the prikup is four cards, and one card lies in the middle"
    return ""


def flaw_of_seats(s):
    """§1.4, §3.3, §7.4, §8.4 As long as something is asked: who deals, takes and leads, and that nothing is over."""
    if s.dealer != s.dealt_by:
        return "who dealt is the dealer"
    if s.stock == PRIKUP_GAME and s.forehand != (s.dealer if s.taker == NOBODY else s.taker):
        return "who took the prikup leads, else the dealer"
    if s.taker == s.dealer:
        return "the dealer does not take the prikup"
    if s.stopped or s.khlust_seat != NOBODY:
        return "a kon that was stopped or ended by a khlust is scored"
    if s.winner != NOBODY and s.phase not in (PLAYING, FINISHING):
        return "somebody has won only once tricks are played"
    if s.revoked and s.revoke == MASKED:
        return "wrong cards are taken back only where they can be played"
    return ""


def flaw_of_question(s):
    """§2.3, §3, §5.1, §5.2, §8 Who is asked can be asked that in this variant, and has something to say."""
    hand = s.hands[s.turn]
    if s.phase in ((TAKING, KEEPING, FOLDING, LAYING_AWAY) if s.stock == DRAW_GAME else (EXCHANGING,)):
        return "this is asked in the other variant"
    if s.phase == SHOWING and not (s.khlust == KHLUST_GAME and khlust_suit(hand) == s.trump):
        return "who is asked to show a khlust holds one of trumps"
    if s.phase == SAYING and not (s.scores[s.turn] >= SCORE_FOR_TWO and has_boys(hand)):
        return "who is asked about boys holds them"
    for seat in range(s.seats):
        had = plus(s.hands[seat], s.played[seat])
        if s.boys[seat] not in (0, 2, 4):
            return "boys are said by two or four"
        if (s.boys[seat] == 2 and not has_boys(had)) or (s.boys[seat] == 4 and both(had, JACKS) != JACKS):
            return "who has said boys had them"
    return ""


GAME = Game(
    name="petukh",
    title="Petukh",
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
    gain=GAIN,
    won_at=0,
    in_turn=False,
    unit=UNIT,
    infos={"revoked": "revoked"},
    flaw=flaw,
    phases=DECIDED,
    news=news,
    led=led,
    dealt_by=lambda s: int(s.dealt_by),
    picture={
        "called": "left",
        "series": {"exchange": ("discard", "Lay away, lowest first: a card passed over stays; done ends it.")},
        "piles": {"turned": "", "the prikup": "prikup", "stock and cards out of play": "stock"},
        "seats": {
            "dealer": "dealer",
            "taker": "took the prikup",
            "folded": "folded",
            "exchanged": ("drew {}", "stock"),
            "boys": "boys {}",
            "tricks": "tricks {}",
            "folds": ("folded {} running", "take", "fold", "exchange"),
        },
        "facts": {
            "trump": "trump {}",
            "took_trump": "the dealer took the trump",
        },
        "mine": {"aside": "you laid away {}"},
    },
)
