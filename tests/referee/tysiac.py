"""Tysiąc, refereed from its rule book: `check` re-derives a whole record file from its rules, deals and actions.

Cards are texts, rank then suit (`TH`); hands and tricks are lists of them; a trump is a suit or None. Numbers in
comments are clauses of the rule book. A table is a `Table`: what is dealt there and which clauses hold.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import episodes
from .episodes import Position, Report, count, end_line, hands_of, match_line, move_line, score_line
from .lines import Lines, RecordFault

__all__ = [
    "ACTIONS",
    "CARDS",
    "DEFAULTS",
    "MARRIAGE",
    "OPTIONS",
    "TABLES",
    "Deal",
    "Position",
    "RecordFault",
    "Report",
    "bidding_limit",
    "card_points",
    "check",
    "check_lines",
    "claimable",
    "deal_result",
    "legal_plays",
    "marriages",
    "may_ask_redeal",
    "may_meld_on",
    "options",
    "outsider_change",
    "returns",
    "rounded",
    "talon_points",
    "thrown_result",
    "trick_winner",
    "walk",
    "winner",
]

# ---------------------------------------------------------------------------------------------------- 1 cards

SUITS = "SCDH"
RANKS = "9JQKTA"  # 1.1, weakest first
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
POINTS = {"9": 0, "J": 2, "Q": 3, "K": 4, "T": 10, "A": 11}  # 1.1
MARRIAGE = {"S": 40, "C": 60, "D": 80, "H": 100}  # 1.2


def suit(card: str) -> str:
    """The suit of a card."""
    return card[1]


def strength(card: str) -> int:
    """How high a card stands in its suit (1.1)."""
    return RANKS.index(card[0])


def card_points(cards: Iterable[str]) -> int:
    """What these cards count together (1.1)."""
    return sum(POINTS[card[0]] for card in cards)


def in_order(cards: Iterable[str]) -> list[str]:
    """The cards by suit, weakest first: the order of their ids."""
    return sorted(cards, key=CARDS.index)


def marriages(hand: Sequence[str]) -> list[str]:
    """The suits of which a hand holds king and queen (1.2)."""
    return [s for s in SUITS if "K" + s in hand and "Q" + s in hand]


def marriage_points(suits: Iterable[str]) -> int:
    """What the marriages of these suits count together (1.2)."""
    return sum(MARRIAGE[s] for s in suits)


# --------------------------------------------------------------------------------------------------- 2 tables


@dataclass(frozen=True, kw_only=True)
class Table:
    """How a table deals and what is special there (2): seats, cards in each hand, in each talon, in the stock."""

    seats: int
    hand: int
    talons: int = 0
    talon: int = 0
    stock: int = 0
    auction: bool = True
    open_talon: bool = False  # 4.1: face up from the start
    rests: bool = False  # 2.3: the dealer takes no part
    king_on_queen: bool = False  # 5.6
    teams: bool = False  # 6.5
    highest: int = 360  # the highest bid and contract ever (3.3, 4.3)

    @property
    def away(self) -> int:
        """How many cards declarer lays away (2): two-handed as many as he has taken."""
        return self.talon if self.seats == 2 else 0

    @property
    def gifts(self) -> int:
        """How many cards declarer gives: one to each other seat that plays, where he took a talon (4.2)."""
        return self.seats - self.rests - 1 if self.talon and self.seats > 2 else 0

    @property
    def claims(self) -> bool:
        """Whether `claim` may be offered at all (4.5)."""
        return self.auction and not self.stock and not self.teams


TABLES = {
    "3p": Table(seats=3, hand=7, talons=1, talon=3),
    "2p_pairs": Table(seats=2, hand=10, talons=2, talon=2),
    "2p_triples": Table(seats=2, hand=9, talons=2, talon=3),
    "2p_twelve": Table(seats=2, hand=12),
    "2p_stock": Table(seats=2, hand=6, stock=12, auction=False),
    "2p_stock_auction": Table(seats=2, hand=7, talons=1, talon=2, stock=8, open_talon=True),
    "4p_resting": Table(seats=4, hand=7, talons=1, talon=3, rests=True),
    "4p_six": Table(seats=4, hand=6, auction=False, king_on_queen=True),
    "4p_teams": Table(seats=4, hand=5, talons=1, talon=4, king_on_queen=True, teams=True, highest=400),
}

# -------------------------------------------------------------------------------------------------- 10 options

# `max_deals` takes any whole number from 1 on and is not in this list.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "table": tuple(TABLES),
    "bid_step": ("any", "ten"),
    "bid_cap": ("hand", "marriage", "free"),
    "show_talon": ("above_100", "always", "never"),
    "meld_with": ("king_or_queen", "queen"),
    "rounding": ("half_down", "half_up", "exact"),
    "threshold": (800, 900, None),
    "no_trick_penalty": (0, 100),
    "finish_with_marriage": (False, True),
    "outsider_at_1000": ("cap", "nothing", "wins"),
    "redeal_points": (0, 10, 18),
    "bomb": ("none", "at_100", "to_120", "any"),
    "bombs": (1, 2, 0),
    "concede": (False, True),
    "claim": (False, True),
    "last_trick_takes_aside": (True, False),
    "start_scores": ("zero", "random"),
}
DEFAULTS: dict[str, Any] = {name: values[0] for name, values in OPTIONS.items()} | {"max_deals": 100}


def options(**chosen: Any) -> dict[str, Any]:
    """Every option of section 10: the default, or what was chosen."""
    rules = DEFAULTS | chosen
    problem = option_problem(rules)
    if problem:
        raise ValueError(problem)
    return rules


def option_problem(rules: dict[str, Any]) -> str | None:
    """What is wrong with a set of options, or None."""
    for name in rules:
        if name not in DEFAULTS:
            return f"there is no option {name!r}"
    for name in DEFAULTS:
        if name not in rules:
            return f"the option {name!r} is missing"
    for name, values in OPTIONS.items():
        # 1 is not True here: a record spells each value as section 10 does.
        if not any(type(rules[name]) is type(value) and rules[name] == value for value in values):
            return f"the option {name!r} has no value {rules[name]!r}"
    if type(rules["max_deals"]) is not int or rules["max_deals"] < 1:
        return f"the option 'max_deals' has no value {rules['max_deals']!r}"
    return None


# ------------------------------------------------------------------------------------------------- 11 actions

ACTIONS = (
    [f"play {card}" for card in CARDS]
    + [f"meld {rank}{s}" for s in SUITS for rank in "QK"]
    + [f"give {card}" for card in CARDS]
    + ["pass"]
    + [f"bid {number}" for number in range(100, 401, 10)]
    + [f"contract {number}" for number in range(100, 401, 10)]
    + ["take 1", "take 2", "bomb", "concede", "redeal", "claim"]
)

# ------------------------------------------------------------------------------------- 3 auction and 8 redeal


def bidding_limit(rules: dict[str, Any], hand: Sequence[str]) -> int:
    """The highest number that a hand may bid (3.3)."""
    highest = TABLES[rules["table"]].highest
    if rules["bid_cap"] == "hand":
        return min(120 + marriage_points(marriages(hand)), highest)
    if rules["bid_cap"] == "marriage" and not marriages(hand):
        return 120
    return highest


def may_ask_redeal(rules: dict[str, Any], hand: Sequence[str]) -> bool:
    """Whether a hand as dealt is poor enough for a redeal (8)."""
    least = rules["redeal_points"]
    if least == 0 or marriages(hand):
        return False
    return card_points(hand) < least or all("9" + s in hand for s in SUITS)


# ----------------------------------------------------------------------------------------------------- 5 play


def best_card(trick: Sequence[str], trump: str | None) -> str:
    """The card that wins as the trick lies: the highest trump, else the highest of the led suit (5.3)."""
    trumps = [card for card in trick if suit(card) == trump]
    return max(trumps or [card for card in trick if suit(card) == suit(trick[0])], key=strength)


def trick_winner(order: Sequence[int], trick: Sequence[str], trump: str | None) -> int:
    """The seat that takes a full trick, of the seats in the order in which they laid (5.3)."""
    return order[list(trick).index(best_card(trick, trump))]


def legal_plays(hand: Sequence[str], trick: Sequence[str], trump: str | None) -> list[str]:
    """The cards that may be laid on a trick, in the order of their ids (5.2); any card where none lies yet."""
    hand = in_order(hand)
    if not trick:
        return hand
    led = suit(trick[0])
    trumps_lying = [card for card in trick if suit(card) == trump]
    trumped = led != trump and trumps_lying != []
    of_suit = [card for card in hand if suit(card) == led]
    if of_suit:  # 5.2a
        if trumped:
            return of_suit  # nothing of the suit can win any more
        highest = max(strength(card) for card in trick if suit(card) == led)
        return [card for card in of_suit if strength(card) > highest] or of_suit  # 5.2b
    trumps = [card for card in hand if suit(card) == trump]
    if trumped:
        highest = max(strength(card) for card in trumps_lying)
        return [card for card in trumps if strength(card) > highest] or hand  # 5.2b: over it, or any card
    return trumps or hand


def may_meld_on(trick: Sequence[str], card: str) -> bool:
    """Whether a legal card on this trick is a king on the queen just laid (5.6)."""
    return bool(trick) and card[0] == "K" and trick[-1] == "Q" + suit(card)


def claimable(hand: Sequence[str]) -> bool:
    """Whether a hand on lead takes every trick by the test of 4.5."""
    for s in SUITS:
        held = [rank for rank in RANKS if rank + s in hand]
        missing = [rank for rank in RANKS if rank + s not in hand]
        run = 0  # how many cards are held from the ace down without a gap
        for rank in reversed(RANKS):
            if rank not in held:
                break
            run += 1
        # Cards that all stand above the missing ones are exactly those of the run.
        if run < len(held) and run < len(missing):
            return False
    return True


# -------------------------------------------------------------------------------------- 6 scoring, 9 dropping out


def rounded(points: int, how: str) -> int:
    """Points to tens as the table agreed (6.2)."""
    tens, ones = divmod(points, 10)
    up = {"half_down": ones > 5, "half_up": ones >= 5, "exact": False}[how]
    return points if how == "exact" else 10 * (tens + up)


def on_threshold(rules: dict[str, Any], score: int) -> bool:
    """Whether a score before the deal is held by 6.3."""
    return rules["threshold"] is not None and score >= rules["threshold"]


def outsider_change(rules: dict[str, Any], score: int, gain: int) -> int:
    """By how much a seat's score changes that is not declarer and has earned `gain` (6.3, 6.4)."""
    if on_threshold(rules, score):
        return 0
    if score + gain >= 1000:
        if rules["outsider_at_1000"] == "cap":
            return max(990, score) - score
        if rules["outsider_at_1000"] == "nothing":
            return 0
    return gain


def talon_points(talon: Iterable[str]) -> int:
    """What a resting dealer scores for the talon as dealt (2.3)."""
    talon = list(talon)
    return 50 * sum(card[0] == "A" for card in talon) + marriage_points(marriages(talon))


def deal_result(
    rules: dict[str, Any],
    scores: Sequence[int],
    declarer: int | None,
    contract: int,
    cards: Sequence[int],
    melded: Sequence[Sequence[str]],
    tricks: Sequence[int],
    resting: int | None = None,
) -> list[int]:
    """The changes of the scores after a deal that was played out or claimed (6.1–6.4).

    By seat, in teams by team (6.5): the scores before it, the card points taken (by a resting dealer: what the talon
    earns him), the suits of the marriages melded, the tricks taken. Declarer is None in a table without an auction.
    """
    changes = []
    for seat, score in enumerate(scores):
        made = cards[seat] + marriage_points(melded[seat])
        if declarer is None:
            change = rounded(made, rules["rounding"])  # 6.2, 6.4: everybody may finish, 6.3 does not apply
        elif seat != declarer:
            change = outsider_change(rules, score, rounded(made, rules["rounding"]))
            if on_threshold(rules, score) and tricks[seat] == 0 and seat != resting:
                change -= rules["no_trick_penalty"]  # 6.3
        elif made < contract:
            change = -contract  # 6.1, unrounded
        elif rules["finish_with_marriage"] and on_threshold(rules, score) and not melded[seat]:
            change = 0  # 6.3
        else:
            change = contract
        changes.append(change)
    return changes


def thrown_result(rules: dict[str, Any], scores: Sequence[int], declarer: int, bid: int, how: str) -> list[int]:
    """The changes of the scores, by seat or by team, after declarer threw a `bomb` or chose to `concede` (9)."""
    if how == "concede":
        lost, gain = bid, 60 if TABLES[rules["table"]].seats == 2 else 40  # 9.3
    elif rules["bomb"] == "any":
        lost, gain = 0, -(-bid // 20) * 10  # 9.1: half the bid, rounded up to ten
    else:
        lost, gain = 0, 60  # 9.1
    return [
        -lost if seat == declarer else outsider_change(rules, score, gain)  # 9.2
        for seat, score in enumerate(scores)
    ]


def winner(totals: Sequence[int], declarer: int | None, dealer: int) -> int | None:
    """Who has won the match with these scores, or None (6.4); in teams a seat of the team that has."""
    best = max(totals)
    if best < 1000:
        return None
    seats = len(totals)
    order = [] if declarer is None else [declarer]
    order += [(dealer + step) % seats for step in range(1, seats + 1)]
    return next(seat for seat in order if totals[seat] == best)


def sides(rules: dict[str, Any]) -> list[list[int]]:
    """The seats that score together: each by itself, or the two teams (6.5)."""
    table = TABLES[rules["table"]]
    return [[0, 2], [1, 3]] if table.teams else [[seat] for seat in range(table.seats)]


def returns(rules: dict[str, Any], episode: str, changes: Sequence[int], won: int | None) -> list[float]:
    """What each seat gets at the end of an episode (6.6); in a match that was cut short nothing (6.7)."""
    gains = [0.0] * len(changes)
    if episode == "match" and won is None:
        return gains
    for side in sides(rules):
        others = [change for seat, change in enumerate(changes) if seat not in side]
        for seat in side:
            if episode == "deal":  # of two partners of the other team each has its change
                gains[seat] = (changes[seat] - sum(others) / len(others)) / 100
            else:
                gains[seat] = 1.0 if won in side else -len(side) / len(others)
    return gains


# --------------------------------------------------------------------------------------------------- one deal


@dataclass(frozen=True)
class Play:
    """One card laid: by whom, on which cards of its trick, by which trump the trick is judged from that moment on."""

    seat: int
    card: str
    on: tuple[str, ...]
    trump: str | None
    melded: bool
    trick: int  # the first trick is 1
    bound: bool = True  # whether 5.2 held (7.1)


@dataclass(frozen=True)
class Draw:
    """One card drawn from the stock: by whom, after which trick; None is a card that is not known."""

    seat: int
    trick: int
    card: str | None


@dataclass
class Deal:
    """One deal at the table, open: whose move it is, what is legal, and what each action does.

    Hands, talon and stock as a record writes them: two talons are a list of two lists, no talon an empty list.
    """

    rules: dict[str, Any]
    dealer: int
    hands: list[list[str]]
    talon: list[Any]
    scores: list[int]
    bombs: list[int]  # thrown so far in the match, by seat
    stock: list[str] = field(default_factory=list)

    bids: list[tuple[int, int | None]] = field(default_factory=list)  # seat and number, None for a pass
    bid: int = 0
    declarer: int | None = None
    lying: list[str] = field(default_factory=list)  # the talon, or both, while on the table
    chosen: int | None = None  # which talon declarer took, once he has: 0 is the first
    talon_shown: bool = False
    gifts: dict[int, str] = field(default_factory=dict)  # receiver -> card
    away: list[str] = field(default_factory=list)  # what declarer has laid away
    contract: int | None = None
    trump: str | None = None
    coming: str | None = None  # the trump of the next trick, after a king on a queen (5.6)
    leader: int = -1
    trick: list[str] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)
    draws: list[Draw] = field(default_factory=list)
    taken: list[list[str]] = field(default_factory=list)
    melded: list[list[str]] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    claimed: list[str] | None = None
    end: str | None = None  # "played", "claim", "bomb", "concede", "redeal"
    seat: int = -1

    def __post_init__(self) -> None:
        self.table = TABLES[self.rules["table"]]
        self.seats = self.table.seats
        self.dealt = [list(hand) for hand in self.hands]
        self.stock = list(self.stock)
        self.talons: list[list[str]] = [list(t) for t in self.talon] if self.table.talons == 2 else [list(self.talon)]
        self.lying = [card for talon in self.talons for card in talon]
        self.talon_shown = self.table.open_talon  # 4.1
        self.taken = [[] for _ in range(self.seats)]
        self.melded = [[] for _ in range(self.seats)]
        self.tricks = [0] * self.seats
        self.seat = self.left(self.dealer)  # 3.1
        if not self.table.auction:
            self.leader = self.seat  # 5.1

    def left(self, seat: int) -> int:
        """The left neighbour of a seat: the next one clockwise."""
        return (seat + 1) % self.seats

    def round(self, seat: int) -> list[int]:
        """The seats that play, clockwise from this one (2.3)."""
        order = [(seat + step) % self.seats for step in range(self.seats)]
        return [seat for seat in order if not (self.table.rests and seat == self.dealer)]

    @property
    def closed(self) -> list[str]:
        """The talon that declarer did not choose (2.2)."""
        return self.talons[1 - self.chosen] if self.table.talons == 2 and self.chosen is not None else []

    @property
    def aside(self) -> list[str]:
        """The cards face down aside (2.1)."""
        return self.away + self.closed

    @property
    def phase(self) -> str:
        """What is going on: auction, take, give, contract, play or over."""
        if self.end is not None:
            return "over"
        if self.table.auction:
            if self.declarer is None:
                return "auction"
            if self.table.talons == 2 and self.chosen is None:
                return "take"
            if len(self.gifts) < self.table.gifts or len(self.away) < self.table.away:
                return "give"
            if self.contract is None:
                return "contract"
        return "play"

    def legal(self) -> list[str]:
        """The names of all actions that the seat to move may take, in the order of their ids."""
        hand = self.hands[self.seat]
        actions: list[str] = []
        if self.phase == "auction":
            actions = self._bids(hand)
        elif self.phase == "take":
            actions = ["take 1", "take 2"]  # 2.2
        elif self.phase == "give":
            actions = [f"give {card}" for card in hand]  # 4.2
            if not self.gifts and not self.away:  # 4.4
                actions += self._ways_out()
        elif self.phase == "contract":  # 4.3
            highest = self.table.highest
            if self.rules["bid_cap"] == "hand":
                highest = min(highest, max(120 + marriage_points(marriages(hand)), self.bid))
            actions = [f"contract {number}" for number in range(self.bid, highest + 1, 10)]
            if not self.table.talon:  # 4.4
                actions += self._ways_out()
        elif self.phase == "play":
            actions = self._lays(hand)
            if not self.plays and self.table.claims and self.rules["claim"] and claimable(hand):  # 4.5
                actions.append("claim")
        return sorted(actions, key=ACTIONS.index)

    def _bids(self, hand: Sequence[str]) -> list[str]:
        if not self.bids:
            actions = ["bid 100"]  # 3.1
        else:
            highest = self.bid + 10 if self.rules["bid_step"] == "ten" else 10_000  # 3.2
            highest = min(highest, bidding_limit(self.rules, hand))  # 3.3
            actions = ["pass", *(f"bid {number}" for number in range(self.bid + 10, highest + 1, 10))]
        if all(seat != self.seat for seat, _ in self.bids) and may_ask_redeal(self.rules, hand):
            actions.append("redeal")  # 8
        return actions

    def _ways_out(self) -> list[str]:
        may_concede = self.rules["concede"] and self.bid <= 120  # 9.3
        return ["bomb"] * self.may_bomb() + ["concede"] * may_concede

    def may_bomb(self) -> bool:
        """Whether declarer may drop out by a bomb (9.1)."""
        highest = {"none": 0, "at_100": 100, "to_120": 120, "any": 400}[self.rules["bomb"]]
        left = self.rules["bombs"] == 0 or self.bombs[self.seat] < self.rules["bombs"]
        return self.bid <= highest and left

    def _lays(self, hand: Sequence[str]) -> list[str]:
        cards = legal_plays(hand, [] if self.stock else self.trick, self.trump)  # 7.1: no duty while a stock lies
        if not self.trick:  # 5.4: who leads may meld
            ranks = "Q" if self.rules["meld_with"] == "queen" else "QK"
            melds = [rank + s for s in marriages(hand) for rank in ranks]
        else:
            melds = [card for card in cards if self.table.king_on_queen and may_meld_on(self.trick, card)]
        return [f"play {card}" for card in cards] + [f"meld {card}" for card in melds]

    def act(self, action: str) -> None:
        """Carry out a legal action of the seat to move."""
        verb, _, argument = action.partition(" ")
        if verb in ("bid", "pass"):
            self._bid(int(argument) if argument else None)
        elif verb == "take":
            self._take(int(argument) - 1)
            self.talon_shown = self._shows()
        elif verb == "give":
            self._give(argument)
        elif verb == "contract":
            self.contract = int(argument)
            self.leader = self.seat  # 5.1
        elif verb in ("play", "meld"):
            self._play(argument, melded=verb == "meld")
        elif verb == "bomb":
            self.bombs[self.seat] += 1
            self.end = "bomb"
        elif verb == "claim":
            self._claim()
        else:  # concede, redeal
            self.end = verb

    def _bid(self, number: int | None) -> None:
        self.bids.append((self.seat, number))
        self.bid = number or self.bid
        out = [seat for seat, bid in self.bids if bid is None]
        # 3.1: round the table to the next seat that has not passed
        self.seat = next(seat for seat in self.round(self.left(self.seat)) if seat not in out)
        if len(out) < len(self.round(0)) - 1:
            return
        self.declarer = self.seat
        if self.table.talons == 1:
            self.talon_shown = self.table.open_talon or self._shows()
            self._take(0)

    def _shows(self) -> bool:
        bare = self.bid == 100  # only the forced bid can be 100
        return {"always": True, "never": False, "above_100": not bare}[self.rules["show_talon"]]  # 4.1

    def _take(self, number: int) -> None:
        self.chosen = number
        self.hands[self.seat] += self.talons[number]
        self.lying = []

    def _give(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        if self.table.away:
            self.away.append(card)
            return
        receiver = self.round(self.left(self.seat))[len(self.gifts)]  # 4.2: clockwise, from the left of declarer
        self.hands[receiver].append(card)
        self.gifts[receiver] = card

    def _play(self, card: str, melded: bool) -> None:
        if melded:
            self.melded[self.seat].append(suit(card))
            if self.trick:
                self.coming = suit(card)  # 5.6: from the next trick on
            else:
                self.trump = suit(card)  # 5.4: from this very trick
        number = sum(self.tricks) + 1
        self.plays.append(Play(self.seat, card, tuple(self.trick), self.trump, melded, number, not self.stock))
        self.hands[self.seat].remove(card)
        self.trick.append(card)
        order = self.round(self.leader)
        if len(self.trick) < len(order):
            self.seat = order[len(self.trick)]
            return
        self.seat = self.leader = trick_winner(order, self.trick, self.trump)  # 5.1
        self.taken[self.seat] += self.trick
        self.tricks[self.seat] += 1
        self.trick = []
        self.trump, self.coming = self.coming or self.trump, None
        if self.stock:  # 7.1
            for seat in self.round(self.seat):
                card = self.stock.pop(0)
                self.hands[seat].append(card)
                self.draws.append(Draw(seat, number, card))
        if not self.hands[self.seat]:
            self.end = "played"
            self._take_aside()

    def _take_aside(self) -> None:
        if self.rules["last_trick_takes_aside"]:
            self.taken[self.seat] += self.aside  # 2.1

    def _claim(self) -> None:
        """All tricks, all marriages of the hand (4.5)."""
        self.claimed = list(self.hands[self.seat])
        self.taken[self.seat] = [card for hand in self.hands for card in hand]
        self._take_aside()
        self.melded[self.seat] = marriages(self.hands[self.seat])
        self.tricks[self.seat] = len(self.hands[self.seat])
        self.end = "claim"

    def changes(self) -> list[int]:
        """The changes of the scores, by seat, once the deal is over by anything but a redeal."""
        groups = sides(self.rules)
        scores = [self.scores[side[0]] for side in groups]
        declarer = next((number for number, side in enumerate(groups) if self.declarer in side), None)
        if self.end in ("bomb", "concede"):
            assert declarer is not None
            changes = thrown_result(self.rules, scores, declarer, self.bid, self.end)
        else:
            cards = [card_points(taken) for taken in self.taken]
            resting = self.dealer if self.table.rests else None
            if resting is not None:
                cards[resting] = talon_points(self.talon)  # 2.3
            changes = deal_result(
                self.rules,
                scores,
                declarer,
                self.contract or 0,
                [sum(cards[seat] for seat in side) for side in groups],
                [[s for seat in side for s in self.melded[seat]] for side in groups],
                [sum(self.tricks[seat] for seat in side) for side in groups],
                resting,
            )
        by_seat = {seat: change for side, change in zip(groups, changes, strict=True) for seat in side}
        return [by_seat[seat] for seat in range(self.seats)]


# ------------------------------------------------------------------------------------------------ whole records


def check(path: str | Path) -> Report:
    """Check a record file; raises RecordFault at the first thing that is wrong."""
    return count(Lines.of(path), _episode, _verb)


def check_lines(lines: Iterable[str]) -> Report:
    """Check the lines of a record file; raises RecordFault at the first thing that is wrong."""
    return count(Lines(lines), _episode, _verb)


def walk(lines: Iterable[str]) -> Iterator[Position]:
    """Check the lines of a record file and stop before every move on the way."""
    return episodes.walk(Lines(lines), _episode, Report())


def _verb(action: str) -> str:
    return action.partition(" ")[0]


def _episode(lines: Lines, report: Report) -> Iterator[Position]:
    rules, episode, totals = _match(lines)
    seats = len(totals)
    bombs = [0] * seats
    number = 0
    dealer: int | None = None  # the first one is drawn by lot (1.3)
    while True:
        deal = _deal(lines, rules, number, dealer, totals, bombs)
        dealer = deal.dealer
        report.deals += 1
        while deal.end is None:
            position = move_line(lines, deal)
            yield position
            deal.act(position.action)
        report.ends[deal.end] += 1
        if deal.end == "redeal":
            continue  # 1.3: same dealer, same number
        changes = deal.changes()
        totals = [total + change for total, change in zip(totals, changes, strict=True)]
        score_line(lines, number, changes, totals)
        number += 1
        won = winner(totals, deal.declarer, dealer)
        if episode == "deal" or won is not None or number == rules["max_deals"]:
            terminated = episode == "deal" or won is not None  # 6.7
            end_line(lines, terminated, returns(rules, episode, changes, won))
            if episode == "match":
                report.ends["cut short" if won is None else "won"] += 1
            return
        dealer = deal.left(dealer)  # 1.3


def _match(lines: Lines) -> tuple[dict[str, Any], str, list[int]]:
    rules, episode, start = match_line(lines, "tysiac", option_problem, lambda rules: TABLES[rules["table"]].seats)
    if episode == "deal" and rules["start_scores"] == "random":  # 6.6
        if any(score % 10 or not -300 <= score <= 990 for score in start):
            raise lines.fault(f"random start scores are multiples of 10 from -300 to 990, not {start}")
        if any(len({start[seat] for seat in side}) > 1 for side in sides(rules)):
            raise lines.fault(f"partners start with one score, not with {start}")  # 6.5
    elif any(start):
        raise lines.fault(f"the scores start at 0, not at {start}")
    return rules, episode, start


def _deal(
    lines: Lines, rules: dict[str, Any], number: int, dealer: int | None, totals: list[int], bombs: list[int]
) -> Deal:
    table = TABLES[rules["table"]]
    piles = ["talon"] * (table.talon > 0) + ["stock"] * (table.stock > 0)
    line = lines.take("deal", ["number", "dealer", "hands", *piles])
    if lines.whole(line, "number") != number:
        raise lines.fault(f"this deal has the number {number}, not {line['number']}")
    if lines.whole(line, "dealer") >= table.seats:
        raise lines.fault(f"there is no seat {line['dealer']}")
    if dealer is not None and line["dealer"] != dealer:
        raise lines.fault(f"the dealer is seat {dealer}, not {line['dealer']}")
    talon = _talon(lines, table, line.get("talon", []))
    stock = lines.texts("stock", line.get("stock", []), table.stock)
    sizes = [0 if table.rests and seat == line["dealer"] else table.hand for seat in range(table.seats)]
    lying = [card for pile in talon for card in pile] if table.talons == 2 else talon
    hands = hands_of(lines, line, sizes, CARDS, [*lying, *stock])
    return Deal(rules, line["dealer"], hands, talon, list(totals), bombs, stock)


def _talon(lines: Lines, table: Table, talon: Any) -> list[Any]:
    """The talon of a deal line, two of them as a list of two lists."""
    if table.talons < 2:
        return lines.texts("talon", talon, table.talon)
    if type(talon) is not list or len(talon) != 2:
        raise lines.fault(f"talon must be a list of two talons, not {talon!r}")
    return [lines.texts(f"talon {number}", pile, table.talon) for number, pile in enumerate(talon, 1)]
