"""Tysiąc (Thousand): bid for the talon, then take your contract in tricks and marriages; the first at 1000 wins.

Source   tysiac.md beside this file; its clauses are cited as §
Scope    options, actions and the four-seat layout of all nine tables; played is ``3p``, the others are refused
Rulings  those marked *(decided)* in the book
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

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
from ..chance import NEVER_WAS, TRIES, deal_out, draw, draw_dealer, pick, shuffle_pack, stack
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
    RulesError,
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
from ..layout import ONES, SHOWN, TENS, cards, choice, flag, number, observation, seat, state
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

# §2 The tables: seats, cards in a hand, talons, cards in a talon
TABLES = {
    "3p": (3, 7, 1, 3),
    "2p_pairs": (2, 10, 2, 2),
    "2p_triples": (2, 9, 2, 3),
    "2p_twelve": (2, 12, 0, 0),
    "2p_stock": (2, 6, 0, 0),
    "2p_stock_auction": (2, 7, 1, 2),
    "4p_resting": (4, 7, 1, 3),
    "4p_six": (4, 6, 0, 0),
    "4p_teams": (4, 5, 1, 4),
}
PLAYED = ("3p",)
MOST_TRICKS = max(hand for _, hand, _, _ in TABLES.values())
HAND, TALONS, TALON = (np.array([table[column] for table in TABLES.values()]) for column in (1, 2, 3))

# §3 The auction
STEP = 10
OPENING = 100  # §3.1
LIMIT = 360  # §3.3
LEVELS = 31  # §11: 100 … 400

# §6 Scoring
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

    table: str = option("3p", TABLES, f"§2 seats, hands, talon, auction; played now: {', '.join(PLAYED)}")
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

    def __post_init__(self) -> None:
        """Check every value; RulesError names what is wrong and what is allowed."""
        super().__post_init__()
        if self.table not in PLAYED:
            raise RulesError(f"tysiac: table={self.table!r} cannot be played yet; played: {', '.join(PLAYED)}")

    @property
    def seats(self) -> int:
        """§2 Seats at this table."""
        return TABLES[self.table][0]


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
DECIDED = {
    "auction": "Bid how many points you promise to take, or pass; who bids most gets the talon and must reach his bid.",
    "take": "Which of the two talons you take.",
    "give": "Which card you part with: one to each of the others, or laid away.",
    "contract": "How many points you play for, no fewer than you bid.",
    "play": "Which card you lay; to meld is to lay king or queen of a marriage and score it.",
}
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
    aside=cards("cards laid away", place=True),
    opener=seat("seat that opened"),
    bid=number("latest bid of each seat", 0, 400, (SEATS,)),
    called=number("levels that were bid, as a set", 0, 2**LEVELS - 1),
    passed=flag("seats that passed", (SEATS,)),
    highest=number("highest bid", 0, 400),
    declarer=seat("declarer"),
    contract=number("contract", 0, 400),
    shown=flag("the talon was shown to all"),
    given=number("card that declarer gave to each seat", -1, CARDS - 1, (SEATS,)),
    **trick_fields(DECK, SEATS, MOST_TRICKS),
    trick_points=number("points of the cards in the current trick", 0, 44),
    trump=number("suit that is trump", -1, SUITS - 1),
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
    """§2 How the pack is dealt: the hands by seat, then the talons."""
    seats, hand, talons, talon = TABLES[rules.table]
    hands = tuple(("hands", s, hand) for s in range(seats))
    if talons == 1:
        return (*hands, ("talon", None, talon))
    return (*hands, *(("talon", t, talon) for t in range(talons)))


# §1, §2 Beginning and dealing


@rule
def begin(s):
    """§1.3 The first dealer by lot; §6.6 scores at the start."""
    draw_dealer(s)
    for seat in range(s.seats):
        if s.single_deal and s.start_scores:
            s.start[seat] = STARTS_LOW + STEP * draw(s.chance, STARTS_COUNT)
        s.scores[seat] = s.start[seat]
    s.winner = NOBODY
    clear_deal(s)
    s.opener = next_seat(s, s.dealer)
    s.phase = DEALING
    s.turn = NOBODY


@rule
def deal(s):
    """§2 Each seat gets its hand, the rest is the talon. §3.1 The seat on the dealer's left is to open."""
    shuffle_pack(s, ALL_CARDS)
    clear_deal(s)
    top = 0
    for seat in range(s.seats):
        s.hands[seat] = cards_at(s.pack, top, HAND[s.table])
        top += HAND[s.table]
    for talon in range(TALONS[s.table]):
        s.talon[talon] = cards_at(s.pack, top, TALON[s.table])
        top += TALON[s.table]
        s.lying = plus(s.lying, s.talon[talon])
    s.opener = next_seat(s, s.dealer)
    s.phase = AUCTION
    s.turn = s.opener


@rule
def clear_deal(s):
    """Nothing is held, bid, taken or known."""
    s.hands[:] = EMPTY
    s.talon[:] = EMPTY
    s.lying = EMPTY
    s.aside = EMPTY
    clear_play(s)
    s.trick_points = 0
    s.bid[:] = 0
    s.called = EMPTY
    s.passed[:] = 0
    s.highest = 0
    s.declarer = NOBODY
    s.contract = 0
    s.shown = 0
    s.given[:] = NO_CARD
    s.taken[:] = 0
    s.melded[:, :] = 0
    s.marriages[:] = 0
    s.known[:] = EMPTY
    s.trump = NO_TRUMP
    s.ending = PLAYED_OUT


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
        return LIMIT
    if s.bid_cap == CAP_MARRIAGE:
        return ALL_POINTS
    return min(ALL_POINTS + held, LIMIT)


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
    """§3.1 The opener's hundred; §3.2 raises up to §3.3 the cap; or pass."""
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
    """§4.1 Declarer takes the talon, shown to all or not."""
    s.declarer = s.turn
    s.shown = s.show_talon == SHOW_ALWAYS or (s.show_talon == SHOW_ABOVE_100 and s.highest > OPENING)
    s.hands[s.declarer] = plus(s.hands[s.declarer], s.lying)
    s.lying = EMPTY
    s.phase = GIVING


# §4, §9 Giving, bomb, contract


@rule
def receiver(s):
    """§4.2 The next seat on declarer's left that has not got its card, or NOBODY."""
    seat = s.declarer
    for _ in range(s.seats - 1):
        seat = next_seat(s, seat)
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
def legal_give(s, mask):
    """§4.2 Any card; §4.4 bomb and concession beside the first."""
    spread(s.hands[s.turn], mask[GIVE : GIVE + CARDS])
    if receiver(s) == next_seat(s, s.declarer):
        if may_bomb(s):
            mask[BOMB] = 1
        if s.concede and s.highest <= SMALL_BID:  # §9.3
            mask[CONCEDE] = 1


@rule
def play_give(s, action):
    """§4.2 A card changes hands unseen, or §9 the deal is not played."""
    if action == BOMB:
        s.thrown[s.declarer] += 1
        finish_deal(s, BOMBED)
        return
    if action == CONCEDE:
        s.conceded[s.declarer] += 1
        finish_deal(s, CONCEDED)
        return
    card = action - GIVE
    seat = receiver(s)
    s.given[seat] = card
    s.hands[s.declarer] = minus(s.hands[s.declarer], only(card))
    s.hands[seat] = plus(s.hands[seat], only(card))
    if receiver(s) == NOBODY:
        s.phase = CONTRACTING


@rule
def legal_contract(s, mask):
    """§4.3 At least the bid, at most the cap of the hand as it is now, or the bid if that is higher."""
    top = LIMIT
    if s.bid_cap == CAP_HAND:
        top = max(highest_bid(s, s.hands[s.turn]), s.highest)
    for contract in range(s.highest, top + 1, STEP):
        mask[CONTRACT + (contract - OPENING) // STEP] = 1


@rule
def play_contract(s, action):
    """§4.3 The contract is said; §5.1 declarer leads."""
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

    In a trumped trick no card of the led suit beats, so there any of them may be laid.
    """
    if s.laid == 0:
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
    spread(dutiful(s, hand), mask[PLAY : PLAY + CARDS])
    if s.laid > 0:
        return
    for suit in range(SUITS):
        if both(hand, PAIR[suit]) == PAIR[suit]:
            mask[MELD + 2 * suit] = 1
            if s.meld_with == MELD_EITHER:
                mask[MELD + 2 * suit + 1] = 1
    if s.claim and s.played[s.turn] == EMPTY and s.turn == s.declarer and takes_all(hand):
        mask[CLAIM] = 1


@rule
def play_trick(s, action):
    """§5 One card of a trick, with or without its marriage, or §4.5 the claim."""
    if action == CLAIM:
        claim(s)
        return
    if action >= MELD:
        card = MELD_CARD[action - MELD]
        meld(s, SUIT_OF[card])
    else:
        card = action - PLAY
    lay(s, card)
    if s.laid < s.seats:
        s.turn = next_seat(s, s.turn)
    else:
        close_trick(s)


@rule
def meld(s, suit):
    """§5.4 The marriage counts, its suit is trump from this very trick; all know who holds the other card."""
    count_marriage(s, suit)
    s.trump = suit
    s.known[s.turn] = plus(s.known[s.turn], PAIR[suit])


@rule
def count_marriage(s, suit):
    """§1.2 The value of a marriage goes to the seat that melds it."""
    s.melded[s.turn, suit] = 1
    s.marriages[s.turn] += MARRIAGE[suit]


@rule
def learn(s, card, better):
    """§12 What the duties of §5.2 show the seat not to hold, since it laid this card and not a better one."""
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
    """§5.3 The best card takes the trick and the points in it; §5.1 its seat leads the next."""
    winner = take_trick(s)
    s.taken[winner] += s.trick_points
    s.trick_points = 0
    if s.hands[winner] == EMPTY:
        finish_deal(s, PLAYED_OUT)


@rule
def claim(s):
    """§4.5 Declarer has all tricks and all marriages of his hand; the hand is shown."""
    hand = s.hands[s.turn]
    s.tricks[s.turn] = count(hand)
    s.taken[s.turn] = ALL_POINTS
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
def is_held(s, seat):
    """§6.3 Has the seat reached the threshold before this deal?"""
    return s.scores[seat] >= THRESHOLD[s.threshold]


@rule
def outsider(s, seat, gain):
    """§6.3, §6.4 What these points change in the score of a seat that is not declarer."""
    if is_held(s, seat):
        return 0
    score = s.scores[seat]
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
    if earned(s, s.declarer) < s.contract:
        return -s.contract
    if s.finish_with_marriage and is_held(s, s.declarer) and s.marriages[s.declarer] == 0:
        return 0
    return s.contract


@rule
def outsider_change(s, seat):
    """§6.2 Rounded points, §6.3 the penalty; §9.2 a bomb or a concession gives points like any outsider's."""
    if s.ending == BOMBED:
        if s.bomb == BOMB_ANY:
            return outsider(s, seat, (s.highest // 2 + STEP - 1) // STEP * STEP)
        return outsider(s, seat, BOMB_POINTS)
    if s.ending == CONCEDED:
        return outsider(s, seat, CONCEDE_TWO if s.seats == 2 else CONCEDE_POINTS)
    if is_held(s, seat) and s.no_trick_penalty and s.tricks[seat] == 0:
        return -PENALTY
    return outsider(s, seat, rounded(s, earned(s, seat)))


@rule
def score(s):
    """§6.4 All scores are written first, then the end is tested; §1.3 the deal passes on."""
    for seat in range(s.seats):
        s.change[seat] = declarer_change(s) if seat == s.declarer else outsider_change(s, seat)
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
    if s.scores[s.declarer] > most:
        winner, most = s.declarer, s.scores[s.declarer]
    seat = s.dealer
    for _ in range(s.seats):
        seat = next_seat(s, seat)
        if s.scores[seat] > most:
            winner, most = seat, s.scores[seat]
    return winner


@rule
def returns(s, reward, points):
    """§6.6 Of a match: winner 1, the others share -1.

    Of a deal: what I gained more than the others' mean, in hundreds.
    """
    pay(s, reward, points, 1, UNIT)


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
    if s.shown or me == s.declarer:
        spread(s.talon[0], o.talon)
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
    spread(s.lying, h.lying)
    spread(s.aside, h.aside)


# What a seat cannot see, dealt anew


@rule
def determinize(s, me, chance):
    """Deal the cards that ``me`` cannot know anew, every placement that agrees with all it knows as likely.

    Known are its hand, cards played, melded pairs, gifts it made, §5.2's duties, and that a talon card that was shown
    and has not been seen again is declarer's or his one gift to the seat that holds it.
    """
    room = np.zeros(SEATS + 1, np.int64)  # the hands, and last the talon on the table
    barred = np.zeros(SEATS + 1, np.int64)
    sure = np.zeros(SEATS + 1, np.int64)
    places = np.zeros(SEATS + 1, np.int64)
    seen_talon = s.talon[0] if s.shown else EMPTY
    unseen = s.lying
    for seat in range(s.seats):
        if seat != me:
            sure[seat] = known_to(s, me, seat)
            room[seat] = count(s.hands[seat]) - count(sure[seat])
            barred[seat] = s.cannot[seat]
            unseen = plus(unseen, minus(s.hands[seat], sure[seat]))
            if seat != s.declarer and s.given[seat] == NO_CARD:
                barred[seat] = plus(barred[seat], seen_talon)
    room[SEATS] = count(s.lying)
    for _ in range(TRIES):
        if deal_out(unseen, room, barred, places, chance) == 0.0:
            raise ValueError(NEVER_WAS)
        fits = True
        for seat in range(s.seats):
            if seat != me and seat != s.declarer and me != s.declarer:
                held = plus(plus(places[seat], sure[seat]), s.played[seat])
                fits = fits and count(both(held, seen_talon)) <= 1
        if fits:
            break
    for seat in range(s.seats):
        if seat != me:
            s.hands[seat] = plus(places[seat], sure[seat])
    s.lying = places[SEATS]
    imagine_gifts(s, me, chance)
    restack(s)


@rule
def imagine_gifts(s, me, chance):
    """Which cards declarer gave to the others, and which he found in the talon, if ``me`` did not see it."""
    if s.declarer == NOBODY:
        s.talon[0] = s.lying
        return
    if me == s.declarer:
        return
    his = plus(s.hands[s.declarer], s.played[s.declarer])
    for seat in range(s.seats):
        if seat != me and seat != s.declarer and s.given[seat] != NO_CARD:
            held = plus(s.hands[seat], s.played[seat])
            from_talon = both(held, s.talon[0]) if s.shown else EMPTY
            s.given[seat] = pick(from_talon if from_talon != EMPTY else held, chance)
        if seat != s.declarer and s.given[seat] != NO_CARD:
            his = plus(his, only(s.given[seat]))
    if not s.shown:
        s.talon[0] = EMPTY
        for _ in range(TALON[s.table]):
            s.talon[0] = plus(s.talon[0], only(pick(minus(his, s.talon[0]), chance)))


@rule
def restack(s):
    """The pack as it must have lain, for these hands and this talon."""
    top = 0
    for seat in range(s.seats):
        hand = plus(s.hands[seat], s.played[seat])
        if s.given[seat] != NO_CARD:
            hand = minus(hand, only(s.given[seat]))
        if seat == s.declarer:
            for other in range(s.seats):
                if s.given[other] != NO_CARD:
                    hand = plus(hand, only(s.given[other]))
            hand = minus(hand, s.talon[0])
        top = stack(s, top, hand)
    stack(s, top, s.talon[0])


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
    """§5.3 The trick, as far as it must agree with itself."""
    return flaw_of_tricks(s, SUIT_OF)


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
    phases=DECIDED,
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
