"""Tysiąc (Thousand): bid for the talon, then take your contract in tricks and marriages; the first at 1000 wins.

Source   tysiac.md beside this file; its clauses are cited as §
Scope    all nine tables, in one four-seat layout; matches and single deals
Rulings  those marked *(decided)* in the book
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..cards import (
    EMPTY,
    NO_CARD,
    Deck,
    both,
    cards_at,
    contrast,
    count,
    each,
    has,
    highest,
    lowest,
    minus,
    only,
    plus,
    spread,
)
from ..chance import NEVER_WAS, TRIES, deal_out, draw, draw_dealer, pick, shuffle, shuffle_pack, stack
from ..game import (
    ASKED,
    DEAL,
    END,
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
    seat_before,
    state_options,
)
from ..kernel import rule
from ..layout import ONES, SHOWN, TENS, cards, choice, flag, number, observation, pile, seat, state
from ..tricks import (
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
DECK = Deck(ranks="9JQKTA", suits="SCDH")  # §1.1 weakest first
ALL_CARDS = DECK.full
CARDS, SUITS, SEATS = DECK.size, len(DECK.suits), 4
ABOVE, OF_SUIT, SUIT_OF = DECK.above, DECK.of_suit, DECK.suit_of
POINTS = np.array([{"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}[name[0]] for name in DECK.names])  # §1.1
ALL_POINTS = int(POINTS.sum())
MARRIAGE = np.array([40, 60, 80, 100])  # §1.2 in the order of the suits
NINES = DECK.set("9S 9C 9D 9H")
QUEEN = np.array([DECK.id("Q" + suit) for suit in DECK.suits])
KING = np.array([DECK.id("K" + suit) for suit in DECK.suits])
PAIR = np.array([DECK.set(f"Q{suit} K{suit}") for suit in DECK.suits])


# §2 The tables
class Seating(NamedTuple):
    """§2 What sets one table apart from another; what is dealt neither to seats nor to talons is a stock."""

    seats: int
    hand: int
    talons: int = 0
    talon: int = 0  # cards in each
    auction: bool = True
    open_talon: bool = False  # §4.1 face up from the deal on
    claims: bool = False  # §4.5
    rests: bool = False  # §2.3 the dealer does
    teams: bool = False  # §6.5
    king_on_queen: bool = False  # §5.6

    @property
    def players(self) -> int:
        """Seats that play."""
        return self.seats - self.rests

    @property
    def stock(self) -> int:
        """§7 Cards to be drawn."""
        return CARDS - self.players * self.hand - self.talons * self.talon

    @property
    def tricks(self) -> int:
        """Tricks of a deal that is played out: all cards are played but those that §2.1 lie aside."""
        return (CARDS - (self.talons * self.talon if self.seats == 2 else 0)) // self.players


TABLES = {
    "3p": Seating(3, 7, 1, 3, claims=True),
    "2p_pairs": Seating(2, 10, 2, 2, claims=True),
    "2p_triples": Seating(2, 9, 2, 3, claims=True),
    "2p_twelve": Seating(2, 12, claims=True),
    "2p_stock": Seating(2, 6, auction=False),
    "2p_stock_auction": Seating(2, 7, 1, 2, open_talon=True),
    "4p_resting": Seating(4, 7, 1, 3, claims=True, rests=True),
    "4p_six": Seating(4, 6, auction=False, king_on_queen=True),
    "4p_teams": Seating(4, 5, 1, 4, teams=True, king_on_queen=True),
}


def column(name):
    """One property of all tables by the number of the table."""
    return np.array([getattr(seating, name) for seating in TABLES.values()])


TRICKS = column("tricks")
MOST_TRICKS = int(TRICKS.max())
HAND, TALONS, TALON, STOCK, PLAYERS = (column(name) for name in ("hand", "talons", "talon", "stock", "players"))
HAS_AUCTION, OPEN_TALON, CLAIMS = column("auction"), column("open_talon"), column("claims")
RESTS, TEAMS, KING_ON_QUEEN = column("rests"), column("teams"), column("king_on_queen")
MOST_STOCK = int(STOCK.max())
TWO_TALONS = 2
NO_TALON = -1

# §3 The auction
STEP = 10
OPENING = 100  # §3.1
LIMIT = np.where(TEAMS, 400, 360)  # §3.3
LEVELS = 31  # §11: 100 … 400

# §6 Scoring
ACE_POINTS = 50  # §2.3
ACES = DECK.set("AS AC AD AH")
GAME_POINTS = 1000  # §6.4
OUTSIDER_TOP = 990  # §6.4
NEVER = 10**9
PENALTY = 100  # §6.3
STARTS = range(-300, 991, 10)  # §6.6
UNIT = 100  # §6.6 points for a reward of 1 in a deal
STARTS_LOW, STARTS_COUNT = STARTS.start, len(STARTS)

# §9 Bomb and conceding
BOMB_POINTS, CONCEDE_POINTS, CONCEDE_TWO = 60, 40, 60
SMALL_BID = 120  # §9.1, §9.3
UNLIMITED = 0

# §10 The options: (option, its values), the default first in the dataclass below
STEP_ANY, STEP_TEN = range(2)
CAP_HAND, CAP_MARRIAGE, CAP_FREE = range(3)
SHOW_ABOVE_100, SHOW_ALWAYS, SHOW_NEVER = range(3)
MELD_EITHER, MELD_QUEEN = range(2)
HALF_DOWN, HALF_UP, EXACT = range(3)
OUT_CAP, OUT_NOTHING, OUT_WINS = range(3)
BOMB_NONE, BOMB_AT_100, BOMB_TO_120, BOMB_ANY = range(4)
THRESHOLDS, REDEALS, BOMBS = (800, 900, None), (0, 10, 18), (0, 1, 2)
THRESHOLD = np.array([800, 900, NEVER])
REDEAL_BELOW = np.array(REDEALS)
BOMBS_EACH = np.array(BOMBS)


@dataclass(frozen=True)
class Rules(Options):
    """§10 The options of Tysiąc."""

    GAME: ClassVar[str] = "tysiac"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    table: str = option("3p", TABLES, "§2 seats, hands, talon, auction")
    bid_step: str = option("any", ("any", "ten"), "§3.2 raise by any multiple of ten, or by exactly ten")
    bid_cap: str = option("hand", ("hand", "marriage", "free"), "§3.3 how high one may bid")
    show_talon: str = option("above_100", ("above_100", "always", "never"), "§4.1 when all see the talon")
    meld_with: str = option("king_or_queen", ("king_or_queen", "queen"), "§5.4 the card that melds a marriage")
    rounding: str = option("half_down", ("half_down", "half_up", "exact"), "§6.2 how the others' points are rounded")
    threshold: int | None = option(800, THRESHOLDS, "§6.3 score from which only the declarer scores")
    no_trick_penalty: int = option(0, (0, PENALTY), "§6.3 what a seat above the threshold loses without a trick")
    finish_with_marriage: bool = option(False, (False, True), "§6.3 above the threshold only a meld lets one gain")
    outsider_at_1000: str = option("cap", ("cap", "nothing", "wins"), "§6.4 a seat that reaches 1000 without declaring")
    redeal_points: int = option(0, REDEALS, "§8 ask for a redeal below so many points; 0: never")
    bomb: str = option("none", ("none", "at_100", "to_120", "any"), "§9.1 up to which bid declarer may drop out")
    bombs: int = option(1, BOMBS, "§9.1 bombs per seat and match; 0: unlimited")
    concede: bool = option(False, (False, True), "§9.3 declarer may concede up to a bid of 120")
    claim: bool = option(False, (False, True), "§4.5 declarer may claim all tricks")
    last_trick_takes_aside: bool = option(True, (False, True), "§2.1 the last trick takes the cards laid aside")
    start_scores: str = option("zero", ("zero", "random"), "§6.6 scores at the start of a deal episode")
    max_deals: int = limit(100, 1, "§6.7 scored deals after which a match is truncated")

    @property
    def seats(self) -> int:
        """§2 Seats at this table."""
        return TABLES[self.table].seats

    @property
    def teams(self) -> tuple[int, ...]:
        """§6.5 The side of each seat, [P]: partners sit opposite."""
        return tuple(seat % 2 if TABLES[self.table].teams else seat for seat in range(self.seats))


# §11 The actions
ACTIONS = (
    *(f"play {card}" for card in DECK.names),
    *(f"meld {rank}{suit}" for suit in DECK.suits for rank in "QK"),
    *(f"give {card}" for card in DECK.names),
    "pass",
    *(f"bid {OPENING + STEP * level}" for level in range(LEVELS)),
    *(f"contract {OPENING + STEP * level}" for level in range(LEVELS)),
    "take 1",
    "take 2",
    "bomb",
    "concede",
    "redeal",
    "claim",
)
PLAY, MELD, GIVE = ACTIONS.index("play 9S"), ACTIONS.index("meld QS"), ACTIONS.index("give 9S")
PASS, BID, CONTRACT = ACTIONS.index("pass"), ACTIONS.index("bid 100"), ACTIONS.index("contract 100")
TAKE, BOMB, CONCEDE = ACTIONS.index("take 1"), ACTIONS.index("bomb"), ACTIONS.index("concede")
REDEAL, CLAIM = ACTIONS.index("redeal"), ACTIONS.index("claim")
MELD_CARD = np.array([DECK.id(name.split()[1]) for name in ACTIONS[MELD:GIVE]])

# What is being decided; the last two happen by themselves
PHASES = ("auction", "take", "give", "contract", "play", "over", "deal", "score")
AUCTION, TAKING, GIVING, CONTRACTING, PLAYING, OVER, DEALING, SCORING = range(8)
ENDINGS = ("played", "claimed", "bomb", "conceded")
PLAYED_OUT, CLAIMED, BOMBED, CONCEDED = range(4)

STATE = state(
    DECK,
    SEATS,
    **state_options(Rules),
    phase=choice("what is being decided", PHASES),
    hands=cards("hands", sets=SEATS, place=True),
    talon=cards("talons as dealt", sets=2),
    lying=cards("talon cards on the table", place=True),
    aside=cards("cards laid away, and the talon that was not chosen", place=True),
    stock=pile("the stock, the next card last", MOST_STOCK, place=True, counted="stocked"),
    stocked=number("cards in the stock", 0, MOST_STOCK),
    resting=seat("dealer that rests"),
    opener=seat("seat that opened"),
    bid=number("latest bid of each seat", 0, 400, (SEATS,)),
    called=number("levels that were bid, as a set", 0, 2**LEVELS - 1),
    passed=flag("seats that passed", (SEATS,)),
    highest=number("highest bid", 0, 400),
    declarer=seat("declarer"),
    contract=number("contract", 0, 400),
    chosen=number("number of the talon that is declarer's, or lies open for him", NO_TALON, TWO_TALONS - 1),
    shown=flag("that talon was shown to all"),
    away=cards("cards that declarer laid away"),
    given=number("card that declarer gave to each seat", -1, CARDS - 1, (SEATS,)),
    **trick_fields(DECK, SEATS, MOST_TRICKS),
    trick_points=number("points of the cards in the current trick", 0, 44),
    trump=number("suit that is trump", NO_TRUMP, SUITS - 1),
    coming=number("suit that is trump from the next trick on, if it changes then", NO_TRUMP, SUITS - 1),
    taken=number("card points taken", 0, ALL_POINTS, (SEATS,)),
    melded=flag("marriages melded", (SEATS, SUITS)),
    marriages=number("points of melded marriages", 0, 280, (SEATS,)),
    known=cards("cards that all know a seat to hold", sets=SEATS),
    ending=choice("how the deal ended", ENDINGS),
    thrown=number("bombs of each seat in the match", 0, 2**31, (SEATS,)),
    conceded=number("concessions of each seat in the match", 0, 2**31, (SEATS,)),
    redeals=number("redeals in the match", 0, 2**31),
    winner=seat("seat that won the match"),
)  # fmt: skip


def piles(rules, dealer):
    """§2 How the pack is dealt: the hands by seat, a resting dealer's empty, then the talons, then the stock."""
    at = TABLES[rules.table]
    hands = [("hands", s, 0 if at.rests and s == dealer else at.hand) for s in range(at.seats)]
    talons = [("talon", t if at.talons > 1 else None, at.talon) for t in range(at.talons)]
    return (*hands, *talons, *([("stock", None, at.stock)] if at.stock else []))


# §1, §2 Beginning and dealing


@rule
def begin(s):
    """§1.3 The first dealer by lot; §6.6 scores at the start."""
    draw_dealer(s)
    for seat in range(s.seats):
        if TEAMS[s.table] and seat > 1:
            s.start[seat] = s.start[seat - 2]
        elif s.single_deal and s.start_scores:
            s.start[seat] = STARTS_LOW + STEP * draw(s.chance, STARTS_COUNT)
        s.scores[seat] = s.start[seat]
    s.winner = NOBODY
    clear_deal(s)
    s.opener = next_seat(s, s.dealer)
    s.phase = DEALING
    s.turn = NOBODY


@rule
def deal(s):
    """§2 Each seat that plays gets its hand, then come talons and stock.

    §3.1 The seat on the dealer's left is to open the auction, or §5.1 to lead if there is none.
    """
    shuffle_pack(s, ALL_CARDS)
    clear_deal(s)
    if RESTS[s.table]:
        s.resting = s.dealer
        s.passed[s.dealer] = 1
    top = 0
    for seat in range(s.seats):
        if seat != s.resting:
            s.hands[seat] = cards_at(s.pack, top, HAND[s.table])
            top += HAND[s.table]
    for talon in range(TALONS[s.table]):
        s.talon[talon] = cards_at(s.pack, top, TALON[s.table])
        top += TALON[s.table]
        s.lying = plus(s.lying, s.talon[talon])
    s.stocked = STOCK[s.table]
    for place in range(s.stocked):
        s.stock[s.stocked - 1 - place] = s.pack[top + place]
    if OPEN_TALON[s.table]:  # §4.1
        s.chosen = 0
        s.shown = 1
    s.opener = next_seat(s, s.dealer)
    s.turn = s.opener
    if HAS_AUCTION[s.table]:
        s.phase = AUCTION
    else:
        s.leader = s.opener
        s.phase = PLAYING


@rule
def clear_deal(s):
    """Nothing is held, bid, taken or known."""
    s.hands[:] = EMPTY
    s.talon[:] = EMPTY
    s.lying = EMPTY
    s.aside = EMPTY
    s.away = EMPTY
    s.stock[:] = NO_CARD
    s.stocked = 0
    s.resting = NOBODY
    clear_play(s)
    s.trick_points = 0
    s.bid[:] = 0
    s.called = EMPTY
    s.passed[:] = 0
    s.highest = 0
    s.declarer = NOBODY
    s.contract = 0
    s.chosen = NO_TALON
    s.shown = 0
    s.given[:] = NO_CARD
    s.taken[:] = 0
    s.melded[:, :] = 0
    s.marriages[:] = 0
    s.known[:] = EMPTY
    s.trump = NO_TRUMP
    s.coming = NO_TRUMP
    s.ending = PLAYED_OUT


@rule
def next_player(s, seat):
    """The next seat clockwise that plays: §2.3 a resting dealer is passed over."""
    seat = next_seat(s, seat)
    return next_seat(s, seat) if seat == s.resting else seat


# §3, §8 The auction


@rule
def marriages(hand):
    """§1.2 What the marriages in a hand are worth."""
    worth = 0
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            worth += MARRIAGE[suit]
    return worth


@rule
def card_points(hand):
    """§1.1 The points of the cards."""
    points = 0
    for card in each(hand):
        points += POINTS[card]
    return points


@rule
def highest_bid(s, hand):
    """§3.3 How high a seat with this hand may bid, §4.3 or play."""
    held = marriages(hand)
    if s.bid_cap == CAP_FREE or (s.bid_cap == CAP_MARRIAGE and held > 0):
        return LIMIT[s.table]
    if s.bid_cap == CAP_MARRIAGE:
        return ALL_POINTS
    return min(ALL_POINTS + held, LIMIT[s.table])


@rule
def may_redeal(s, seat):
    """§8 Too few points or four nines, no marriage, and neither bid nor passed yet."""
    if s.redeal_points == 0 or s.bid[seat] > 0 or s.passed[seat]:
        return False
    hand = s.hands[seat]
    poor = card_points(hand) < REDEAL_BELOW[s.redeal_points] or both(hand, NINES) == NINES
    return poor and marriages(hand) == 0


@rule
def legal_bid(s, mask):
    """§3.1 The opener's hundred; §3.2 raises up to §3.3 the cap, §3.4 over a partner too; or pass."""
    if may_redeal(s, s.turn):
        mask[REDEAL] = 1
    if s.highest == 0:
        mask[BID] = 1
        return
    mask[PASS] = 1
    top = highest_bid(s, s.hands[s.turn])
    if s.bid_step == STEP_TEN:
        top = min(top, s.highest + STEP)
    for bid in range(s.highest + STEP, top + 1, STEP):
        mask[BID + (bid - OPENING) // STEP] = 1


@rule
def play_bid(s, action):
    """§3 One call; when all but one have passed, that one is declarer."""
    if action == REDEAL:
        redeal(s)
        return
    if action == PASS:
        s.passed[s.turn] = 1
    else:
        s.called = plus(s.called, only(action - BID))
        s.highest = OPENING + STEP * (action - BID)
        s.bid[s.turn] = s.highest
    for _ in range(s.seats):
        s.turn = next_seat(s, s.turn)
        if not s.passed[s.turn]:
            break
    if s.highest > 0 and s.bid[s.turn] == s.highest:  # everybody else has passed
        declare(s)


@rule
def redeal(s):
    """§8, §1.3 The same dealer deals the same deal again."""
    s.redeals += 1
    s.attempt += 1
    s.phase = DEALING
    s.turn = NOBODY


@rule
def declare(s):
    """§4.1 Declarer takes the talon; §2.2 of two he chooses; §4.3 without any he says his contract at once."""
    s.declarer = s.turn
    if TALONS[s.table] == TWO_TALONS:
        s.phase = TAKING
    elif TALONS[s.table] == 0:
        s.phase = CONTRACTING
    else:
        take(s, 0)


# §4, §9 Taking, giving, bomb, contract


@rule
def legal_take(s, mask):
    """§2.2 One of the two talons."""
    mask[TAKE : TAKE + TWO_TALONS] = 1


@rule
def take(s, talon):
    """§4.1 The talon goes into declarer's hand, shown to all or not; §2.1 another lies aside."""
    s.chosen = talon
    if not OPEN_TALON[s.table]:
        s.shown = s.show_talon == SHOW_ALWAYS or (s.show_talon == SHOW_ABOVE_100 and s.highest > OPENING)
    s.hands[s.declarer] = plus(s.hands[s.declarer], s.talon[talon])
    s.aside = minus(s.lying, s.talon[talon])
    s.lying = EMPTY
    s.phase = GIVING


@rule
def receiver(s):
    """§4.2 The next seat on declarer's left that has not got its card, or NOBODY; two-handed nobody gets any."""
    if s.seats == 2:
        return NOBODY
    seat = s.declarer
    for _ in range(PLAYERS[s.table] - 1):
        seat = next_player(s, seat)
        if s.given[seat] == NO_CARD:
            return seat
    return NOBODY


@rule
def may_bomb(s):
    """§9.1 Is the bid low enough, and a bomb left?"""
    if BOMBS_EACH[s.bombs] != UNLIMITED and s.thrown[s.declarer] >= BOMBS_EACH[s.bombs]:
        return False
    if s.bomb == BOMB_AT_100:
        return s.highest == OPENING
    if s.bomb == BOMB_TO_120:
        return s.highest <= SMALL_BID
    return s.bomb == BOMB_ANY


@rule
def legal_retreat(s, mask):
    """§4.4 Bomb and concession, in one decision of declarer only."""
    if may_bomb(s):
        mask[BOMB] = 1
    if s.concede and s.highest <= SMALL_BID:  # §9.3
        mask[CONCEDE] = 1


@rule
def retreat(s, action):
    """§9 The deal is not played."""
    if action == BOMB:
        s.thrown[s.declarer] += 1
        finish_deal(s, BOMBED)
    else:
        s.conceded[s.declarer] += 1
        finish_deal(s, CONCEDED)


@rule
def legal_give(s, mask):
    """§4.2 Any card; §4.4 bomb and concession beside the first."""
    spread(s.hands[s.turn], mask[GIVE : GIVE + CARDS])
    if s.away == EMPTY and s.given[next_player(s, s.declarer)] == NO_CARD:
        legal_retreat(s, mask)


@rule
def play_give(s, action):
    """§4.2 A card changes hands unseen, or is laid away; or §9 the deal is not played."""
    if action in (BOMB, CONCEDE):
        retreat(s, action)
        return
    card = action - GIVE
    seat = receiver(s)
    s.hands[s.declarer] = minus(s.hands[s.declarer], only(card))
    if seat == NOBODY:
        s.away = plus(s.away, only(card))
        s.aside = plus(s.aside, only(card))
    else:
        s.given[seat] = card
        s.hands[seat] = plus(s.hands[seat], only(card))
    if receiver(s) == NOBODY and (seat != NOBODY or count(s.away) == TALON[s.table]):
        s.phase = CONTRACTING


@rule
def legal_contract(s, mask):
    """§4.3 At least the bid, at most the cap of the hand as it is now, or the bid if that is higher.

    §4.4 Without a talon bomb and concession stand beside it.
    """
    top = LIMIT[s.table]
    if s.bid_cap == CAP_HAND:
        top = max(highest_bid(s, s.hands[s.turn]), s.highest)
    for contract in range(s.highest, top + 1, STEP):
        mask[CONTRACT + (contract - OPENING) // STEP] = 1
    if TALONS[s.table] == 0:
        legal_retreat(s, mask)


@rule
def play_contract(s, action):
    """§4.3 The contract is said, §5.1 declarer leads; or §9 the deal is not played."""
    if action in (BOMB, CONCEDE):
        retreat(s, action)
        return
    s.contract = OPENING + STEP * (action - CONTRACT)
    s.leader = s.declarer
    s.phase = PLAYING


# §5, §4.5 Play


@rule
def trumped(s):
    """§5.2 Does a trump lie in a trick that was led in another suit?"""
    return s.trump != NO_TRUMP and s.led != s.trump and SUIT_OF[s.best] == s.trump


@rule
def dutiful(s, hand):
    """§5.2 The cards of this hand that may be laid: (a) follow suit, (b) beat the best card.

    In a trumped trick no card of the led suit beats, so there any of them may be laid. §7.1 No duty while there is a
    stock.
    """
    if s.laid == 0 or s.stocked > 0:
        return hand
    return beat(follow(hand, OF_SUIT[s.led]), stronger(ABOVE, OF_SUIT, SUIT_OF, s.best, s.trump))


@rule
def takes_all(hand):
    """§4.5 Does the hand take every trick against any distribution?"""
    for suit in range(SUITS):
        mine, outside = both(hand, OF_SUIT[suit]), minus(OF_SUIT[suit], hand)
        if mine == EMPTY or outside == EMPTY:
            continue
        run = count(both(mine, ABOVE[highest(outside)]))
        if lowest(mine) < highest(outside) and run < count(outside):
            return False
    return True


@rule
def legal_play(s, mask):
    """§5.2 A card that the duties allow; §5.4 a marriage; §4.5 a claim."""
    hand = s.hands[s.turn]
    may = dutiful(s, hand)
    spread(may, mask[PLAY : PLAY + CARDS])
    if s.laid > 0:
        if KING_ON_QUEEN[s.table]:
            legal_king_on_queen(s, may, mask)
        return
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            mask[MELD + 2 * suit] = 1
            if s.meld_with == MELD_EITHER:
                mask[MELD + 2 * suit + 1] = 1
    if s.claim and s.played[s.turn] == EMPTY and s.turn == s.declarer and CLAIMS[s.table] and takes_all(hand):
        mask[CLAIM] = 1


@rule
def legal_king_on_queen(s, may, mask):
    """§5.6 The king on the queen that the seat on the right has just laid, if that king may be laid."""
    before = both(s.trick, s.played[seat_before(s, s.turn)])
    for suit in range(SUITS):
        if has(before, QUEEN[suit]) and has(may, KING[suit]):
            mask[MELD + 2 * suit + 1] = 1


@rule
def play_trick(s, action):
    """§5 One card of a trick, with or without its marriage, or §4.5 the claim."""
    if action == CLAIM:
        claim(s)
        return
    if action >= MELD:
        card = MELD_CARD[action - MELD]
        if s.laid == 0:
            meld(s, SUIT_OF[card])
        else:
            meld_on_queen(s, SUIT_OF[card])
    else:
        card = action - PLAY
    lay(s, card)
    if s.laid < PLAYERS[s.table]:
        s.turn = next_player(s, s.turn)
    else:
        close_trick(s)


@rule
def meld(s, suit):
    """§5.4 The marriage counts, its suit is trump from this very trick; all know who holds the other card."""
    count_marriage(s, suit)
    s.trump = suit
    s.known[s.turn] = plus(s.known[s.turn], PAIR[suit])


@rule
def meld_on_queen(s, suit):
    """§5.6 The marriage counts, its suit is trump from the next trick on."""
    count_marriage(s, suit)
    s.coming = suit


@rule
def count_marriage(s, suit):
    """§1.2 The value of a marriage goes to the seat that melds it."""
    s.melded[s.turn, suit] = 1
    s.marriages[s.turn] += MARRIAGE[suit]


@rule
def learn(s, card, better):
    """§12 What the duties of §5.2 show the seat not to hold, since it laid this card and not a better one."""
    if s.stocked > 0:
        return
    suit = OF_SUIT[s.led]
    if not has(suit, card):
        never = suit if has(better, card) else plus(suit, better)
    elif has(better, card) or trumped(s):
        return
    else:
        never = both(suit, better)
    s.cannot[s.turn] = plus(s.cannot[s.turn], never)


@rule
def lay(s, card):
    """§5.3 A card goes from the hand into the trick; is it the best?"""
    better = EMPTY
    if s.laid > 0:
        better = stronger(ABOVE, OF_SUIT, SUIT_OF, s.best, s.trump)
        learn(s, card, better)
    lay_card(s, card, SUIT_OF, better)
    s.known[s.turn] = minus(s.known[s.turn], only(card))
    s.trick_points += POINTS[card]


@rule
def close_trick(s):
    """§5.3 The best card takes the trick and the points in it; §5.1 its seat leads the next, §7.1 after drawing."""
    winner = take_trick(s)
    s.taken[winner] += s.trick_points
    s.trick_points = 0
    if s.coming != NO_TRUMP:  # §5.6
        s.trump = s.coming
        s.coming = NO_TRUMP
    if s.stocked > 0:
        draw_card(s, winner)
        draw_card(s, next_seat(s, winner))
    if s.hands[winner] == EMPTY:
        if s.last_trick_takes_aside:  # §2.1
            s.taken[winner] += card_points(s.aside)
        finish_deal(s, PLAYED_OUT)


@rule
def draw_card(s, seat):
    """§7.1 The next card of the stock goes into a hand."""
    s.stocked -= 1
    s.hands[seat] = plus(s.hands[seat], only(s.stock[s.stocked]))
    s.stock[s.stocked] = NO_CARD


@rule
def claim(s):
    """§4.5 Declarer has all tricks and all marriages of his hand, §2.1 perhaps what lies aside; the hand is shown."""
    hand = s.hands[s.turn]
    s.tricks[s.turn] = count(hand)
    s.taken[s.turn] = ALL_POINTS if s.last_trick_takes_aside else ALL_POINTS - card_points(s.aside)
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            count_marriage(s, suit)
    s.known[s.turn] = hand
    finish_deal(s, CLAIMED)


@rule
def finish_deal(s, ending):
    """The deal is to be scored."""
    s.ending = ending
    s.phase = SCORING
    s.turn = NOBODY


# §6 Scoring


@rule
def earned(s, seat):
    """Card points and marriages of a seat in this deal. §5.5 A marriage counts without a trick."""
    return s.taken[seat] + s.marriages[seat]


@rule
def rounded(s, points):
    """§6.2 The others' points in tens, or as they are."""
    if s.rounding == EXACT:
        return points
    if s.rounding == HALF_DOWN:
        points -= 1
    return (points + 5) // 10 * 10


@rule
def partner(s, seat):
    """§6.5 The seat opposite, if there are teams, else NOBODY."""
    return (seat + 2) % 4 if TEAMS[s.table] else NOBODY


@rule
def of_side(s, values, seat):
    """§6.5 What a seat has of something, its partner's included."""
    if TEAMS[s.table]:
        return values[seat] + values[partner(s, seat)]
    return values[seat]


@rule
def made(s, seat):
    """§6.5 Card points and marriages of a seat and its partner."""
    return of_side(s, s.taken, seat) + of_side(s, s.marriages, seat)


@rule
def declares(s, seat):
    """§6.5 Is the seat declarer, or his partner?"""
    return s.declarer != NOBODY and (seat == s.declarer or seat == partner(s, s.declarer))


@rule
def talon_points(talon):
    """§2.3 What the talon earns a resting dealer: fifty for an ace, and its marriages."""
    return ACE_POINTS * count(both(talon, ACES)) + marriages(talon)


@rule
def is_held(s, score):
    """§6.3 Was the threshold reached with this score, that before the deal?"""
    return score >= THRESHOLD[s.threshold]


@rule
def outsider(s, score, gain):
    """§6.3, §6.4 What these points change in such a score of a seat that is not declarer."""
    if is_held(s, score):
        return 0
    if score + gain < GAME_POINTS or s.outsider_at_1000 == OUT_WINS:
        return gain
    if s.outsider_at_1000 == OUT_CAP:
        return max(OUTSIDER_TOP - score, 0)
    return 0


@rule
def declarer_change(s):
    """§6.1 The contract won or lost, §6.3 perhaps without gain; §9 nothing after a bomb, the bid after a concession."""
    if s.ending == BOMBED:
        return 0
    if s.ending == CONCEDED:
        return -s.highest
    if made(s, s.declarer) < s.contract:
        return -s.contract
    melded = of_side(s, s.marriages, s.declarer) > 0
    if s.finish_with_marriage and is_held(s, s.scores[s.declarer]) and not melded:
        return 0
    return s.contract


@rule
def outsider_change(s, seat):
    """§6.2 Rounded points, §6.3 the penalty; §2.3 what lay in the talon.

    §9.2 A bomb or a concession gives points like any outsider's.
    """
    score = s.scores[seat]
    if s.ending == BOMBED:
        if s.bomb == BOMB_ANY:
            return outsider(s, score, (s.highest // 2 + STEP - 1) // STEP * STEP)
        return outsider(s, score, BOMB_POINTS)
    if s.ending == CONCEDED:
        return outsider(s, score, CONCEDE_TWO if s.seats == 2 else CONCEDE_POINTS)
    if seat == s.resting:
        return outsider(s, score, talon_points(s.talon[0]))
    if is_held(s, score) and s.no_trick_penalty and of_side(s, s.tricks, seat) == 0:
        return -PENALTY
    return outsider(s, score, rounded(s, made(s, seat)))


@rule
def score(s):
    """§6.4 All scores are written first, then the end is tested; §1.3 the deal passes on."""
    for seat in range(s.seats):
        if s.declarer == NOBODY:  # §7.3
            s.change[seat] = rounded(s, made(s, seat))
        else:
            s.change[seat] = declarer_change(s) if declares(s, seat) else outsider_change(s, seat)
    for seat in range(s.seats):
        s.scores[seat] += s.change[seat]
    s.winner = leader_at_1000(s)
    s.deal += 1
    s.attempt = 0
    s.dealer = next_seat(s, s.dealer)
    ended = s.single_deal or s.winner != NOBODY or s.deal >= s.max_deals
    s.phase = OVER if ended else DEALING


@rule
def leader_at_1000(s):
    """§6.4 The highest score of 1000 or more; of equal ones declarer's, then clockwise from the dealer's left."""
    winner, most = NOBODY, GAME_POINTS - 1
    if s.declarer != NOBODY and s.scores[s.declarer] > most:
        winner, most = s.declarer, s.scores[s.declarer]
    seat = s.dealer
    for _ in range(s.seats):
        seat = next_seat(s, seat)
        if s.scores[seat] > most:
            winner, most = seat, s.scores[seat]
    return winner


@rule
def returns(s, reward, points):
    """§6.6 Of a match: winner 1, the others share -1; a team wins or loses 1.

    Of a deal: what I gained more than the others' mean, or the other team, in hundreds.
    """
    pay(s, reward, points, 1, UNIT)
    if not TEAMS[s.table]:
        return
    for seat in range(s.seats):
        if s.single_deal:
            reward[seat] = (points[seat] - points[next_seat(s, seat)]) / UNIT
        elif s.over == TERMINATED:
            reward[seat] = 1.0 if seat in (s.winner, partner(s, s.winner)) else -1.0


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
        s.over = TERMINATED if s.single_deal or s.winner != NOBODY else TRUNCATED  # §6.7
        return END
    return ASKED


@rule
def legal(s, mask):
    """Every action that the seat asked may choose."""
    if s.phase == PLAYING:
        legal_play(s, mask)
    elif s.phase == AUCTION:
        legal_bid(s, mask)
    elif s.phase == TAKING:
        legal_take(s, mask)
    elif s.phase == GIVING:
        legal_give(s, mask)
    elif s.phase == CONTRACTING:
        legal_contract(s, mask)


@rule
def play(s, action):
    """One decision of the seat asked."""
    if s.phase == PLAYING:
        play_trick(s, action)
    elif s.phase == AUCTION:
        play_bid(s, action)
    elif s.phase == TAKING:
        take(s, action - TAKE)
    elif s.phase == GIVING:
        play_give(s, action)
    elif s.phase == CONTRACTING:
        play_contract(s, action)


# §12 What a seat sees

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


# What a seat cannot see, dealt anew


@rule
def determinize(s, me, chance):
    """Deal the cards that ``me`` cannot know anew, every placement that agrees with all it knows as likely.

    Known are its hand, cards played, melded pairs, gifts it made, what it laid away, §5.2's duties, an open talon, and
    that a talon card that was shown and has not been seen again is declarer's, or laid away by him, or his one gift to
    the seat that holds it.
    """
    k = TWO_PLACES if s.seats == 2 else PLACES
    room = np.zeros(k, np.int64)
    barred = np.zeros(k, np.int64)
    places = np.zeros(k, np.int64)
    sure = np.zeros(SEATS, np.int64)
    seen_talon = s.talon[s.chosen] if s.shown else EMPTY
    unseen = EMPTY
    for seat in range(s.seats):
        if seat != me:
            sure[seat] = known_to(s, me, seat)
            room[seat] = count(s.hands[seat]) - count(sure[seat])
            barred[seat] = s.cannot[seat]
            unseen = plus(unseen, minus(s.hands[seat], sure[seat]))
            if seat != s.declarer and s.given[seat] == NO_CARD:
                barred[seat] = plus(barred[seat], seen_talon)
    if not OPEN_TALON[s.table]:
        room[LIES] = count(s.lying)
        unseen = plus(unseen, s.lying)
    if s.seats == 2:
        unseen = plus(unseen, reserve(s, me, seen_talon, room, barred))
    for _ in range(TRIES):
        if deal_out(unseen, room, barred, places, chance) == 0.0:
            raise ValueError(NEVER_WAS)
        fits = True
        for seat in range(s.seats):
            if seat != me and seat != s.declarer and me != s.declarer:
                held = plus(plus(places[seat], sure[seat]), s.played[seat])
                fits = fits and count(both(held, seen_talon)) <= 1
        if s.seats == 2 and s.ending == CLAIMED and me == s.declarer and not s.last_trick_takes_aside:
            fits = s.taken[me] == ALL_POINTS - card_points(s.away) - card_points(places[LEFT_OVER])  # §4.5 he sees that
        if fits:
            break
    for seat in range(s.seats):
        if seat != me:
            s.hands[seat] = plus(places[seat], sure[seat])
    if not OPEN_TALON[s.table]:
        s.lying = places[LIES]
    if s.seats == 2:
        lay_reserve(s, me, places, chance)
    imagine_gifts(s, me, chance)
    restack(s, me, chance)


# Where cards may lie that a seat cannot see: the hands, the talons on the table; two-handed the stock, what declarer
# laid away, the talon that he did not choose
LIES, IN_STOCK, LAID_AWAY, LEFT_OVER = range(SEATS, SEATS + 4)
PLACES, TWO_PLACES = SEATS + 1, SEATS + 4


@rule
def reserve(s, me, seen_talon, room, barred):
    """Two-handed: the room in the stock and among the cards aside that ``me`` has not seen; answers the cards there."""
    unseen = minus(s.aside, s.away)
    for place in range(s.stocked):
        unseen = plus(unseen, only(s.stock[place]))
    room[IN_STOCK] = s.stocked
    room[LEFT_OVER] = count(s.aside) - count(s.away)
    barred[IN_STOCK] = seen_talon
    barred[LEFT_OVER] = seen_talon
    if me != s.declarer:
        room[LAID_AWAY] = count(s.away)
        unseen = plus(unseen, s.away)
    return unseen


@rule
def lay_reserve(s, me, places, chance):
    """Two-handed: stock and cards aside, as they were imagined; the stock in any order."""
    if me != s.declarer:
        s.away = places[LAID_AWAY]
    s.aside = plus(s.away, places[LEFT_OVER])
    if s.chosen != NO_TALON and TALONS[s.table] == TWO_TALONS:
        s.talon[1 - s.chosen] = places[LEFT_OVER]
    place = 0
    for card in each(places[IN_STOCK]):
        s.stock[place] = card
        place += 1
    shuffle(s.stock[:place], chance)


@rule
def imagine_gifts(s, me, chance):
    """Which cards declarer gave to the others, and which he found in the talon, if ``me`` did not see it."""
    if s.chosen == NO_TALON:
        rest = s.lying
        for talon in range(TALONS[s.table] - 1, 0, -1):
            s.talon[talon] = some_of(rest, TALON[s.table], chance)
            rest = minus(rest, s.talon[talon])
        s.talon[0] = rest
        return
    if me == s.declarer or s.declarer == NOBODY:
        return
    for _ in range(TRIES):
        his = plus(plus(s.hands[s.declarer], s.played[s.declarer]), s.away)
        for seat in range(s.seats):
            if seat != me and seat != s.declarer and s.given[seat] != NO_CARD:
                held = plus(s.hands[seat], s.played[seat])
                from_talon = both(held, s.talon[s.chosen]) if s.shown else EMPTY
                s.given[seat] = pick(from_talon if from_talon != EMPTY else held, chance)
            if seat != s.declarer and s.given[seat] != NO_CARD:
                his = plus(his, only(s.given[seat]))
        if s.shown:
            return
        s.talon[s.chosen] = some_of(his, TALON[s.table], chance)
        if talon_agrees(s):
            return
    raise ValueError(NEVER_WAS)


@rule
def some_of(cards, number, chance):
    """So many cards of the set, each as likely."""
    chosen = EMPTY
    for _ in range(number):
        chosen = plus(chosen, only(pick(minus(cards, chosen), chance)))
    return chosen


@rule
def talon_agrees(s):
    """§2.3 Once the deal is scored, does the talon make what the resting dealer got for it?"""
    if s.resting == NOBODY or s.phase not in (OVER, DEALING) or s.ending in (BOMBED, CONCEDED):
        return True
    before = s.scores[s.resting] - s.change[s.resting]
    return outsider(s, before, talon_points(s.talon[0])) == s.change[s.resting]


@rule
def restack(s, me, chance):
    """The pack as it must have lain, for these hands, these talons and this stock."""
    drawn = draws(s, me, chance)
    from_stock = EMPTY
    for place in range(STOCK[s.table]):
        if drawn[place] != NO_CARD:
            from_stock = plus(from_stock, only(drawn[place]))
    top = 0
    for seat in range(s.seats):
        hand = minus(plus(s.hands[seat], s.played[seat]), from_stock)
        if s.given[seat] != NO_CARD:
            hand = minus(hand, only(s.given[seat]))
        if seat == s.declarer:
            for other in range(s.seats):
                if s.given[other] != NO_CARD:
                    hand = plus(hand, only(s.given[other]))
            hand = plus(hand, s.away)
            if s.chosen != NO_TALON:
                hand = minus(hand, s.talon[s.chosen])
        top = stack(s, top, hand)
    for talon in range(TALONS[s.table]):
        top = stack(s, top, s.talon[talon])
    for place in range(STOCK[s.table]):
        if place >= STOCK[s.table] - s.stocked:
            s.pack[top + place] = s.stock[STOCK[s.table] - 1 - place]
        elif drawn[place] != NO_CARD:
            s.pack[top + place] = drawn[place]


@rule
def draws(s, me, chance):
    """§7.1 The cards drawn from the stock so far in their order, NO_CARD beyond: int64 [12].

    ``me`` knows what it drew. Of the other seat's cards any may have been drawn last that it did not need before then:
    it had not laid it yet, nor melded a marriage with it. So they are imagined from the last one back.
    """
    drawn = np.full(MOST_STOCK, NO_CARD)
    if STOCK[s.table] == 0:
        return drawn
    other = next_seat(s, me)
    mine = plus(s.hands[me], s.played[me])
    could = plus(s.hands[other], s.played[other])
    if other == s.declarer:
        could = minus(could, s.talon[0])
    for place in range(min(2 * (s.trick_number - 1), STOCK[s.table]) - 1, -1, -1):
        card = s.pack[CARDS - STOCK[s.table] + place]
        if not has(mine, card):
            later = could
            for its in each(could):
                if 0 < needed(s, other, its) <= place // 2 + 1:
                    later = minus(later, only(its))
            if later == EMPTY:
                raise ValueError(NEVER_WAS)
            card = pick(later, chance)
            could = minus(could, only(card))
        drawn[place] = card
    return drawn


@rule
def needed(s, seat, card):
    """The trick for which the seat had to hold the card, or 0: that in which it was laid, or its marriage melded."""
    trick = s.order[card]
    suit = SUIT_OF[card]
    if has(PAIR[suit], card) and s.melded[seat, suit]:
        first, second = s.order[QUEEN[suit]], s.order[KING[suit]]
        trick = first if second == 0 or 0 < first < second else second
    return trick


def shapes(rules):
    """One four-seat layout and one list of actions for all tables; absent seats' columns are 0."""
    return Shape(OBSERVATION, HIDDEN, ACTIONS, rules.seats, DECK)


def starts(rules, single_deal):
    """§6.6 The scores from which each seat's start is drawn, or None if all start at 0."""
    return STARTS if single_deal and rules.start_scores == "random" else None


def given_starts(rules):
    """§6.4 Any score at which the match is not over."""
    return range(-(2**31) + 1, GAME_POINTS)


def flaw(s):
    """§2, §4, §5.3, §7 Who is asked, how many cards lie where, and the trick, as far as they must agree."""
    if wrong := flaw_of_tricks(s, SUIT_OF):
        return wrong
    if s.resting != NOBODY and not RESTS[s.table]:
        return "nobody rests at this table"
    if s.stocked > 0 and STOCK[s.table] == 0:
        return "this table has no stock"
    if s.phase >= OVER or s.over != RUNNING:
        return ""
    if RESTS[s.table] and (s.resting == NOBODY or s.resting == s.turn):
        return "the dealer rests, and is not asked"
    if wrong := flaw_of_phase(s):
        return wrong
    drawn = 2 * (s.trick_number - 1)
    if s.stocked != max(STOCK[s.table] - drawn, 0):
        return "two cards of the stock are drawn after each trick"
    return flaw_of_hands(s)


def flaw_of_phase(s):
    """§2, §3, §4 This can be asked at this table, and of this seat."""
    if not HAS_AUCTION[s.table]:
        return "" if s.phase == PLAYING and s.declarer == NOBODY else "this table has no auction"
    if (s.declarer == NOBODY) != (s.phase == AUCTION):
        return "somebody is declarer as soon as the auction is over"
    if s.phase in (TAKING, GIVING, CONTRACTING) and s.turn != s.declarer:
        return "declarer is asked before the first trick"
    taken = TALONS[s.table] > 0 and s.phase in (GIVING, CONTRACTING, PLAYING)
    if (s.chosen == NO_TALON) == (taken or bool(OPEN_TALON[s.table])) or s.chosen >= TALONS[s.table]:
        return "declarer takes a talon of this table after the auction"
    if TALONS[s.table] < {TAKING: TWO_TALONS, GIVING: 1}.get(int(s.phase), 0):
        return "this table has no talon to take or to give from"
    return ""


def flaw_of_hands(s):
    """§2, §4.2, §7.1 Each seat has the cards that it must have, and has laid one to every trick."""
    gifts = sum(int(card) != NO_CARD for card in s.given[: s.seats])
    drawn = (STOCK[s.table] - s.stocked) // 2
    for seat in range(s.seats):
        held, laid = (int(count(cards[seat])) for cards in (s.hands, s.played))
        due = 0 if seat == s.resting else int(HAND[s.table])
        if seat == s.declarer and s.phase in (GIVING, CONTRACTING, PLAYING):
            due += int(TALON[s.table]) - gifts - int(count(s.away))
        due += s.given[seat] != NO_CARD
        if held + laid != due + (drawn if due else 0):
            return "each seat has the cards that it was dealt, took, gave, was given and drew"
        if s.phase != PLAYING or seat == s.resting:
            continue
        if due + drawn + s.stocked // 2 != TRICKS[s.table]:
            return "play comes after giving and laying away"
        if laid != s.trick_number - 1 + int(count(both(s.trick, s.played[seat]))):
            return "each seat that plays has laid one card to every trick"
    return ""


GAME = Game(
    name="tysiac",
    title="Tysiąc",
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
    start_below=GAME_POINTS,
    unit=UNIT,
    flaw=flaw,
    picture={
        "piles": {"talon": "lying"},
        "seats": {
            "dealer": "dealer",
            "declarer": "declarer",
            "passed": ("passed", "auction"),
            "bid": ("bid {}", "auction"),
            "tricks": "tricks {}",
            "points": "points {}",
            "melded": "melded {}",
        },
        "facts": {"contract": "contract {}", "trump": "trump {}"},
        "mine": {"talon": "talon {}", "got": "you were given {}", "gave": "you gave {}"},
    },
)
