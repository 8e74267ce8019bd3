"""Tysiąc, refereed from its rule book: `check` re-derives a whole record file from its rules, deals and actions.

Cards are texts, rank then suit (`TH`); hands and tricks are lists of them; a trump is a suit or None. Numbers in
comments are clauses of the rule book. Only the table `3p` is played so far: another table is another `Table` and the
questions that its clauses add.
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
    "options",
    "outsider_change",
    "returns",
    "rounded",
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


@dataclass(frozen=True)
class Table:
    """How a table deals: seats, cards in each hand, cards in the talon (2)."""

    seats: int
    hand: int
    talon: int
    highest: int  # the highest bid and contract ever (3.3, 4.3)


TABLES = {"3p": Table(seats=3, hand=7, talon=3, highest=360)}

# -------------------------------------------------------------------------------------------------- 10 options

# `max_deals` takes any whole number from 1 on and is not in this list.
OPTIONS: dict[str, tuple[Any, ...]] = {
    "table": (
        "3p",
        "2p_pairs",
        "2p_triples",
        "2p_twelve",
        "2p_stock",
        "2p_stock_auction",
        "4p_resting",
        "4p_six",
        "4p_teams",
    ),
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


def trick_winner(leader: int, trick: Sequence[str], trump: str | None, seats: int = 3) -> int:
    """The seat that takes a full trick (5.3)."""
    return (leader + list(trick).index(best_card(trick, trump))) % seats


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


def deal_result(
    rules: dict[str, Any],
    scores: Sequence[int],
    declarer: int,
    contract: int,
    cards: Sequence[int],
    melded: Sequence[Sequence[str]],
    tricks: Sequence[int],
) -> list[int]:
    """The changes of the scores after a deal that was played out or claimed (6.1–6.4).

    By seat: the scores before it, the card points taken, the suits of the marriages melded, the tricks taken.
    """
    changes = []
    for seat, score in enumerate(scores):
        made = cards[seat] + marriage_points(melded[seat])
        if seat != declarer:
            change = outsider_change(rules, score, rounded(made, rules["rounding"]))
            if on_threshold(rules, score) and tricks[seat] == 0:
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
    """The changes of the scores after declarer threw a `bomb` or chose to `concede` (9)."""
    if how == "concede":
        lost, gain = bid, 40  # 9.3, three seats
    elif rules["bomb"] == "any":
        lost, gain = 0, -(-bid // 20) * 10  # 9.1: half the bid, rounded up to ten
    else:
        lost, gain = 0, 60  # 9.1
    return [
        -lost if seat == declarer else outsider_change(rules, score, gain)  # 9.2
        for seat, score in enumerate(scores)
    ]


def winner(totals: Sequence[int], declarer: int, dealer: int) -> int | None:
    """Who has won the match with these scores, or None (6.4)."""
    best = max(totals)
    if best < 1000:
        return None
    seats = len(totals)
    order = [declarer] + [(dealer + step) % seats for step in range(1, seats + 1)]
    return next(seat for seat in order if totals[seat] == best)


def returns(rules: dict[str, Any], episode: str, changes: Sequence[int], won: int | None) -> list[float]:
    """What each seat gets at the end of an episode (6.6); in a match that was cut short nothing (6.7)."""
    seats = len(changes)
    if episode == "deal":
        return [(change - (sum(changes) - change) / (seats - 1)) / 100 for change in changes]
    if won is None:
        return [0.0] * seats
    return [1.0 if seat == won else -1.0 / (seats - 1) for seat in range(seats)]


# --------------------------------------------------------------------------------------------------- one deal


@dataclass(frozen=True)
class Play:
    """One card laid: by whom, on which cards of its trick, with which trump from that moment on."""

    seat: int
    card: str
    on: tuple[str, ...]
    trump: str | None
    melded: bool
    trick: int  # the first trick is 1


@dataclass
class Deal:
    """One deal at the table, open: whose move it is, what is legal, and what each action does."""

    rules: dict[str, Any]
    dealer: int
    hands: list[list[str]]
    talon: list[str]
    scores: list[int]
    bombs: list[int]  # thrown so far in the match, by seat

    bids: list[tuple[int, int | None]] = field(default_factory=list)  # seat and number, None for a pass
    bid: int = 0
    declarer: int | None = None
    lying: list[str] = field(default_factory=list)  # the talon while it lies on the table
    talon_shown: bool = False
    gifts: dict[int, str] = field(default_factory=dict)  # receiver -> card
    contract: int | None = None
    trump: str | None = None
    leader: int = -1
    trick: list[str] = field(default_factory=list)
    plays: list[Play] = field(default_factory=list)
    taken: list[list[str]] = field(default_factory=list)
    melded: list[list[str]] = field(default_factory=list)
    tricks: list[int] = field(default_factory=list)
    claimed: list[str] | None = None
    end: str | None = None  # "played", "claim", "bomb", "concede", "redeal"
    seat: int = -1

    def __post_init__(self) -> None:
        self.seats = TABLES[self.rules["table"]].seats
        self.lying = list(self.talon)
        self.taken = [[] for _ in range(self.seats)]
        self.melded = [[] for _ in range(self.seats)]
        self.tricks = [0] * self.seats
        self.seat = self.left(self.dealer)  # 3.1

    def left(self, seat: int) -> int:
        """The left neighbour of a seat: the next one clockwise."""
        return (seat + 1) % self.seats

    @property
    def phase(self) -> str:
        """What is going on: auction, give, contract, play or over."""
        if self.end is not None:
            return "over"
        if self.declarer is None:
            return "auction"
        if len(self.gifts) < self.seats - 1:
            return "give"
        return "contract" if self.contract is None else "play"

    def legal(self) -> list[str]:
        """The names of all actions that the seat to move may take, in the order of their ids."""
        hand = self.hands[self.seat]
        actions: list[str] = []
        if self.phase == "auction":
            if not self.bids:
                actions.append("bid 100")  # 3.1
            else:
                actions.append("pass")
                highest = self.bid + 10 if self.rules["bid_step"] == "ten" else 10_000  # 3.2
                highest = min(highest, bidding_limit(self.rules, hand))  # 3.3
                actions += [f"bid {number}" for number in range(self.bid + 10, highest + 1, 10)]
            if all(seat != self.seat for seat, _ in self.bids) and may_ask_redeal(self.rules, hand):
                actions.append("redeal")  # 8
        elif self.phase == "give":
            actions += [f"give {card}" for card in hand]  # 4.2
            if not self.gifts:  # 4.4
                if self.may_bomb():
                    actions.append("bomb")
                if self.rules["concede"] and self.bid <= 120:  # 9.3
                    actions.append("concede")
        elif self.phase == "contract":  # 4.3
            highest = TABLES[self.rules["table"]].highest
            if self.rules["bid_cap"] == "hand":
                highest = min(highest, max(120 + marriage_points(marriages(hand)), self.bid))
            actions += [f"contract {number}" for number in range(self.bid, highest + 1, 10)]
        elif self.phase == "play":
            actions += [f"play {card}" for card in legal_plays(hand, self.trick, self.trump)]
            if not self.trick:  # 5.4: who leads may meld
                ranks = "Q" if self.rules["meld_with"] == "queen" else "QK"
                actions += [f"meld {rank}{s}" for s in marriages(hand) for rank in ranks]
            if not self.plays and self.rules["claim"] and claimable(hand):  # 4.5
                actions.append("claim")
        return sorted(actions, key=ACTIONS.index)

    def may_bomb(self) -> bool:
        """Whether declarer may drop out by a bomb (9.1)."""
        highest = {"none": 0, "at_100": 100, "to_120": 120, "any": 360}[self.rules["bomb"]]
        left = self.rules["bombs"] == 0 or self.bombs[self.seat] < self.rules["bombs"]
        return self.bid <= highest and left

    def act(self, action: str) -> None:
        """Carry out a legal action of the seat to move."""
        verb, _, argument = action.partition(" ")
        if verb in ("bid", "pass"):
            self._bid(int(argument) if argument else None)
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
        elif verb == "claim":  # 4.5: all tricks, all marriages of the hand
            self.claimed = list(self.hands[self.seat])
            self.taken[self.seat] = [card for hand in self.hands for card in hand]
            self.melded[self.seat] = marriages(self.hands[self.seat])
            self.tricks[self.seat] = len(self.hands[self.seat])
            self.end = "claim"
        else:  # concede, redeal
            self.end = verb

    def _bid(self, number: int | None) -> None:
        self.bids.append((self.seat, number))
        self.bid = number or self.bid
        out = [seat for seat, bid in self.bids if bid is None]
        if len(out) < self.seats - 1:  # 3.1: round the table to the next seat that has not passed
            self.seat = self.left(self.seat)
            while self.seat in out:
                self.seat = self.left(self.seat)
            return
        self.declarer = self.seat = next(seat for seat in range(self.seats) if seat not in out)
        bare = self.bid == 100  # only the forced bid can be 100
        self.talon_shown = {"always": True, "never": False, "above_100": not bare}[self.rules["show_talon"]]  # 4.1
        self.hands[self.declarer] += self.lying
        self.lying = []

    def _give(self, card: str) -> None:
        assert self.declarer is not None
        receiver = (self.declarer + 1 + len(self.gifts)) % self.seats  # 4.2: clockwise, the left neighbour first
        self.hands[self.declarer].remove(card)
        self.hands[receiver].append(card)
        self.gifts[receiver] = card

    def _play(self, card: str, melded: bool) -> None:
        if melded:
            self.melded[self.seat].append(suit(card))
            self.trump = suit(card)  # 5.4: from this very trick
        number = sum(self.tricks) + 1
        self.plays.append(Play(self.seat, card, tuple(self.trick), self.trump, melded, number))
        self.hands[self.seat].remove(card)
        self.trick.append(card)
        if len(self.trick) < self.seats:
            self.seat = self.left(self.seat)
            return
        self.seat = self.leader = trick_winner(self.leader, self.trick, self.trump, self.seats)  # 5.1
        self.taken[self.seat] += self.trick
        self.tricks[self.seat] += 1
        self.trick = []
        if not self.hands[self.seat]:
            self.end = "played"

    def changes(self) -> list[int]:
        """The changes of the scores, once the deal is over by anything but a redeal."""
        assert self.declarer is not None
        if self.end in ("bomb", "concede"):
            return thrown_result(self.rules, self.scores, self.declarer, self.bid, self.end)
        assert self.contract is not None
        cards = [card_points(taken) for taken in self.taken]
        return deal_result(self.rules, self.scores, self.declarer, self.contract, cards, self.melded, self.tricks)


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
        assert deal.declarer is not None
        won = winner(totals, deal.declarer, dealer)
        if episode == "deal" or won is not None or number == rules["max_deals"]:
            terminated = episode == "deal" or won is not None  # 6.7
            end_line(lines, terminated, returns(rules, episode, changes, won))
            if episode == "match":
                report.ends["cut short" if won is None else "won"] += 1
            return
        dealer = deal.left(dealer)  # 1.3


def _match(lines: Lines) -> tuple[dict[str, Any], str, list[int]]:
    rules, episode, start = match_line(lines, "tysiac", _problem, lambda rules: TABLES[rules["table"]].seats)
    if episode == "deal" and rules["start_scores"] == "random":  # 6.6
        if any(score % 10 or not -300 <= score <= 990 for score in start):
            raise lines.fault(f"random start scores are multiples of 10 from -300 to 990, not {start}")
    elif any(start):
        raise lines.fault(f"the scores start at 0, not at {start}")
    return rules, episode, start


def _problem(rules: dict[str, Any]) -> str | None:
    """What is wrong with a set of options here, or None."""
    problem = option_problem(rules)
    if problem is None and rules["table"] not in TABLES:
        return f"this referee does not know the table {rules['table']} yet"
    return problem


def _deal(
    lines: Lines, rules: dict[str, Any], number: int, dealer: int | None, totals: list[int], bombs: list[int]
) -> Deal:
    table = TABLES[rules["table"]]
    line = lines.take("deal", ["number", "dealer", "hands", "talon"])
    if lines.whole(line, "number") != number:
        raise lines.fault(f"this deal has the number {number}, not {line['number']}")
    if lines.whole(line, "dealer") >= table.seats:
        raise lines.fault(f"there is no seat {line['dealer']}")
    if dealer is not None and line["dealer"] != dealer:
        raise lines.fault(f"the dealer is seat {dealer}, not {line['dealer']}")
    talon = lines.texts("talon", line["talon"], table.talon)
    hands = hands_of(lines, line, [table.hand] * table.seats, CARDS, talon)
    return Deal(rules, line["dealer"], hands, list(talon), list(totals), bombs)
