"""Tysiąc: what a seat sees, and what it cannot see.

The clauses cited are those of tysiac.md.
"""

from ..cards import EMPTY, NO_CARD, both, contrast, count, minus, only, plus, spread
from ..game import NOBODY, clockwise, observe_deals, observed_options
from ..kernel import rule
from ..layout import ONES, SHOWN, TENS, cards, choice, flag, number, observation, seat
from ..tricks import NO_TRUMP, observe_tricks
from .tysiac_score import earned
from .tysiac_tables import (
    BOMB_NONE,
    BOMBS_EACH,
    DECK,
    LEVELS,
    NO_TALON,
    OPEN_TALON,
    OPENING,
    OVER,
    PHASES,
    SEATS,
    STEP,
    SUITS,
    UNLIMITED,
    Rules,
)

FROM_ME = ("me", "next", "second", "third")  # clockwise
OBSERVATION = observation(
    DECK,
    SEATS,
    **observed_options(Rules),
    single_deal=flag("the episode is one deal"),
    phase=choice("what is being decided", PHASES[: OVER + 1]),
    turn=seat("seat that is asked"),
    dealer=seat("dealer"),
    opener=seat("seat that opens the auction"),
    declarer=seat("declarer"),
    leader=seat("seat that leads, or led, the current trick"),
    hand=cards("my hand"),
    held=number("cards in each hand", 0, 12, rows=FROM_ME),
    lying=number("talon cards on the table", 0, 6),
    stock=number("cards in the stock", 0, 12),
    laid_aside=number("cards laid away", 0, 6),
    bids=flag("levels that were bid", rows=tuple(str(OPENING + STEP * level) for level in range(LEVELS))),
    bid=number("latest bid", 0, 40, unit="tens", rows=FROM_ME),
    passed=flag("has passed", rows=FROM_ME),
    contract=number("contract", 0, 40, unit="tens"),
    talon=cards("talon cards shown to me or taken by me"),
    gave=cards("cards that I gave or laid away"),
    got=cards("card that declarer gave me"),
    played=cards("cards played", FROM_ME),
    order=number("trick in which each card was played", 0, 12, rows=DECK.names),
    trick=cards("cards in the current trick"),
    trump=choice("trump", tuple(DECK.suits)),
    melded=flag("marriages melded, by seat and suit", (SEATS, SUITS)),
    holding=cards("known to hold (1) or not to hold (-1)", FROM_ME[1:], low=-1),
    tricks=number("tricks taken", 0, 12, rows=FROM_ME),
    redeals=number("redeals in the match, at most 100 shown", 0, 100),
    thrown=number("bombs thrown in the match, at most 100 shown", 0, 100, rows=FROM_ME),
    conceded=number("concessions in the match, at most 100 shown", 0, 100, rows=FROM_ME),
    bombs_left=number("bombs left, 3 for unlimited", 0, 3, rows=FROM_ME),
    points_tens=number("points in this deal", 0, 40, unit="tens", rows=FROM_ME),
    points_ones=number("points in this deal beyond the tens", 0, 9, rows=FROM_ME),
    score_tens=number("score, from -1280 to 1270", -128, 127, unit="tens", rows=FROM_ME),
    score_ones=number("score beyond the tens", 0, 9, rows=FROM_ME),
    deals_played=number("deals scored, at most 100 shown", 0, 100),
    deals_left=number("deals left before the cap, at most 100 shown", 0, 100),
)  # fmt: skip
UNLIMITED_SHOWN = 3


@rule
def observe(s, me, o):
    """§12 What seat ``me`` sees, besides the options."""
    observe_match(s, me, o)
    observe_auction(s, me, o)
    observe_cards(s, me, o)


@rule
def frame(s, o):
    """§12 The options."""
    o.table[s.table] = 1
    o.bid_step = s.bid_step
    o.bid_cap[s.bid_cap] = 1
    o.show_talon[s.show_talon] = 1
    o.meld_with = s.meld_with
    o.rounding[s.rounding] = 1
    o.threshold[s.threshold] = 1
    o.no_trick_penalty = s.no_trick_penalty
    o.finish_with_marriage = s.finish_with_marriage
    o.outsider_at_1000[s.outsider_at_1000] = 1
    o.redeal_points[s.redeal_points] = 1
    o.bomb[s.bomb] = 1
    o.bombs[s.bombs] = 1
    o.concede = s.concede
    o.claim = s.claim
    o.last_trick_takes_aside = s.last_trick_takes_aside
    o.start_scores = s.start_scores
    o.single_deal = s.single_deal


@rule
def observe_match(s, me, o):
    """§12 Scores, dealer, bombs, redeals, deals played and left."""
    o.dealer[clockwise(s, me, s.dealer)] = 1
    o.redeals = min(s.redeals, SHOWN)
    observe_deals(s, o, s.max_deals)
    each_has = BOMBS_EACH[s.bombs]
    for seat in range(s.seats):
        i = clockwise(s, me, seat)
        tens = s.scores[seat] // 10
        o.score_tens[i] = min(max(tens, -128), 127)
        o.score_ones[i] = s.scores[seat] - 10 * tens
        if s.concede:
            o.conceded[i] = min(s.conceded[seat], SHOWN)
        if s.bomb != BOMB_NONE:
            o.thrown[i] = min(s.thrown[seat], SHOWN)
            o.bombs_left[i] = UNLIMITED_SHOWN if each_has == UNLIMITED else max(each_has - s.thrown[seat], 0)


@rule
def observe_auction(s, me, o):
    """§12 Phase and turn, bids and passes, declarer and contract."""
    if s.phase <= OVER:
        o.phase[s.phase] = 1
    if s.turn != NOBODY:
        o.turn[clockwise(s, me, s.turn)] = 1
    o.opener[clockwise(s, me, s.opener)] = 1
    if s.declarer != NOBODY:
        o.declarer[clockwise(s, me, s.declarer)] = 1
    spread(s.called, o.bids)
    for seat in range(s.seats):
        i = clockwise(s, me, seat)
        o.bid[i] = TENS[s.bid[seat]]
        o.passed[i] = s.passed[seat]
    o.contract = TENS[s.contract]


@rule
def observe_cards(s, me, o):
    """§12 Hands as far as known, the talon if shown, gifts, tricks, trump, marriages and points."""
    spread(s.hands[me], o.hand)
    o.lying = count(s.lying)
    o.laid_aside = count(s.aside)
    o.stock = s.stocked
    if s.chosen != NO_TALON and (s.shown or me == s.declarer):
        spread(s.talon[s.chosen], o.talon)
    if me == s.declarer and s.away != EMPTY:
        spread(s.away, o.gave)
    if s.given[me] != NO_CARD:
        o.got[s.given[me]] = 1
    observe_tricks(s, me, o)
    if s.trump != NO_TRUMP:
        o.trump[s.trump] = 1
    for seat in range(s.seats):
        i = clockwise(s, me, seat)
        points = earned(s, seat)
        o.points_tens[i] = TENS[points]
        o.points_ones[i] = ONES[points]
        if s.marriages[seat] > 0:
            for suit in range(SUITS):
                o.melded[i, suit] = s.melded[seat, suit]
        if seat != me:
            contrast(known_to(s, me, seat), s.cannot[seat], o.holding[i - 1])
            if me == s.declarer and s.given[seat] != NO_CARD:
                o.gave[s.given[seat]] = 1


@rule
def known_to(s, me, seat):
    """§12 The cards that ``me`` knows another seat to hold: melded pairs, and what me gave it."""
    sure = s.known[seat]
    if me == s.declarer and s.given[seat] != NO_CARD:
        sure = plus(sure, both(only(s.given[seat]), s.hands[seat]))
    return sure


HIDDEN = observation(
    DECK,
    SEATS,
    hands=cards("cards in the other hands", FROM_ME[1:]),
    lying=cards("talon cards on the table"),
    aside=cards("cards laid away"),
)


@rule
def hide(s, me, h):
    """The cards that seat ``me`` cannot see, where they are."""
    for seat in range(s.seats):
        if seat != me:
            spread(s.hands[seat], h.hands[clockwise(s, me, seat) - 1])
    if not OPEN_TALON[s.table]:
        spread(s.lying, h.lying)
    spread(minus(s.aside, s.away) if me == s.declarer else s.aside, h.aside)
