"""Tysiąc: its cards, tables, options and actions, and what a table's state holds; the rest builds on this.

The clauses cited are those of tysiac.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ..cards import Deck, both, each
from ..game import Options, limit, option, state_options
from ..kernel import rule
from ..layout import cards, choice, flag, number, pile, seat, state
from ..tricks import NO_TRUMP, trick_fields

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

    @property
    def aside(self) -> bool:
        """§2.1 Are cards laid away?"""
        return self.seats == 2 and self.talons > 0

    @property
    def told(self) -> str:
        """The table in a line."""
        talon = f"talon of {self.talon}" if self.talons == 1 else f"{self.talons} talons of {self.talon}"
        parts = {
            f"{self.seats} seats": True,
            "the dealer rests": self.rests,
            "partners sit opposite": self.teams,
            f"{self.hand} cards each": True,
            talon + (" face up" if self.open_talon else ""): self.talons > 0,
            f"stock of {self.stock}": self.stock > 0,
            "auction" if self.auction else "no auction": True,
            "king on queen": self.king_on_queen,
        }
        return ", ".join(words for words, true in parts.items() if true)


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

    table: str = option(
        "3p", TABLES, "§2 seats, hands, talon, auction", told={name: at.told for name, at in TABLES.items()}
    )
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
    def idle(self) -> tuple[str, ...]:
        """§10 Options that mean nothing at this table, or beside the others."""
        at = TABLES[self.table]
        means = {
            **dict.fromkeys(("bid_step", "bid_cap", "redeal_points", "bomb", "concede"), at.auction),
            "show_talon": at.talons > 0 and not at.open_talon,
            **dict.fromkeys(("threshold", "outsider_at_1000"), at.auction),  # §6.4
            **dict.fromkeys(("no_trick_penalty", "finish_with_marriage"), at.auction and self.threshold is not None),
            "bombs": at.auction and self.bomb != "none",
            "claim": at.claims,
            "last_trick_takes_aside": at.aside,
        }
        return tuple(name for name, does in means.items() if not does)

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
DECIDED = {
    "auction": "Bid how many points you promise to take, or pass; who bids most gets the talon and must reach his bid.",
    "take": "Which of the two talons you take.",
    "give": "Which card you part with: one goes to each of the others who play, clockwise; two-handed it is laid away.",
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
    aside=cards("cards laid away, and the talon that was not chosen", place=True),
    stock=pile("the stock, the next card last", MOST_STOCK, place=True, counted="stocked"),
    stocked=number("cards in the stock", 0, MOST_STOCK),
    resting=seat("dealer that rests"),
    players=number("seats that play", 0, SEATS),
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


# What cards are worth


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
