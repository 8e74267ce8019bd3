"""Pan: shed your cards onto a pile that only rises; the last seat with cards gets a letter, three letters lose.

Source   pan.md beside this file; its clauses are cited as §
Scope    two to four seats, with and without the variant §4, matches and single deals
Rulings  those marked *(decided)* in the book
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..cards import EMPTY, NO_CARD, Deck, both, cards_at, count, has, lowest, minus, only, plus, spread
from ..chance import deal_out, shuffle_pack, stack
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

# §1 The cards, the seats
DECK = Deck(ranks="9TJQKA", suits="SCDH")  # §1.1 weakest first
ALL_CARDS = DECK.full
CARDS, RANKS, SEATS = DECK.size, len(DECK.ranks), 4
RANK_OF, SUIT_OF = DECK.rank_of, DECK.suit_of
OF_RANK, OF_SUIT = DECK.of_rank, DECK.of_suit
SPADES = 0

# §2 What may be laid together, and in which order it goes on the pile
NINE_OF_HEARTS = DECK.id("9H")
NINES, OTHER_NINES = DECK.set("9S 9C 9D 9H"), DECK.set("9S 9C 9D")
NOT_BELOW = np.array([sum(1 << c for c in range(CARDS) if RANK_OF[c] >= RANK_OF[top]) for top in range(CARDS)])  # §2.3
UPWARDS = np.array([[DECK.id(rank + suit) for suit in "HDCS"] for rank in DECK.ranks])  # §2.7
TAKEN = 3  # §2.5

# §5 The options
PLAYERS, LETTERS = (2, 3, 4), tuple(range(1, 10))


@dataclass(frozen=True)
class Rules(Options):
    """§5 The options of Pan."""

    GAME: ClassVar[str] = "pan"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    players: int = option(3, PLAYERS, "§1.1 seats")
    spades_back: bool = option(False, (False, True), "§4 a spade sends the turn back")
    letters: int = option(3, LETTERS, "§3.4 letters that lose a match")
    max_turns: int = limit(2000, 1, "§3.6 decisions after which a deal is abandoned")
    max_deals: int = limit(100, 1, "§3.6 deals after which a match is truncated")

    @property
    def seats(self) -> int:
        """§1.1 Seats at this table."""
        return self.players

    @property
    def idle(self) -> tuple[str, ...]:
        """§4.2 Between two the turn goes to the other in both directions."""
        return ("spades_back",) if self.players == 2 else ()


LOSING = np.array(LETTERS)  # the option's values by their index in the state

# §6 The actions
ACTIONS = (
    *(f"play {card}" for card in DECK.names),
    *(f"play four {rank}" for rank in DECK.ranks),
    "play three 9",
    "draw",
)
PLAY, FOUR = ACTIONS.index("play 9S"), ACTIONS.index("play four 9")
THREE_NINES, DRAW = ACTIONS.index("play three 9"), ACTIONS.index("draw")
LAID = np.array([*(1 << card for card in range(CARDS)), *OF_RANK, OTHER_NINES])  # by action

# What is due; all but the first happens by itself
PHASES = ("play", "over", "deal", "score")
PLAYING, OVER, DEALING, SCORING = range(4)
DECIDED = {
    "play": "Lay one card, or four of a rank, no lower than the top of the pile; or draw the three cards on top."
}

STATE = state(
    DECK,
    SEATS,
    **state_options(Rules),
    phase=choice("what is due", PHASES),
    hands=cards("hands", sets=SEATS, place=True),
    pile=pile("the pile, bottom first", CARDS, place=True, counted="height"),
    height=number("cards on the pile", 0, CARDS),
    known=cards("cards that all know a seat to hold", sets=SEATS),
    turns=number("decisions made in this deal", 0, 2**31),
    loser=seat("seat that gets the deal's letter"),
    abandoned=flag("the deal was abandoned"),
)  # fmt: skip


def piles(rules, dealer):
    """§1.2 How the pack is dealt: all of it into the hands."""
    return tuple(("hands", seat, CARDS // rules.players) for seat in range(rules.players))


# §1 Beginning and dealing


@rule
def begin(s):
    """§1.2 Nobody deals; a first deal is due."""
    s.dealer = NOBODY
    s.scores[:] = s.start
    clear_deal(s)
    s.phase = DEALING
    s.turn = NOBODY


@rule
def clear_deal(s):
    """Nothing is held, laid or known."""
    s.hands[:] = EMPTY
    s.pile[:] = NO_CARD
    s.height = 0
    s.known[:] = EMPTY
    s.turns = 0
    s.loser = NOBODY
    s.abandoned = 0


@rule
def deal(s):
    """§1.2 All cards in equal parts; whoever holds 9H begins, and §7 all know that he does."""
    shuffle_pack(s, ALL_CARDS)
    clear_deal(s)
    each_gets = CARDS // s.seats
    for seat in range(s.seats):
        s.hands[seat] = cards_at(s.pack, seat * each_gets, each_gets)
        if has(s.hands[seat], NINE_OF_HEARTS):
            s.turn = seat
    s.known[s.turn] = only(NINE_OF_HEARTS)
    s.phase = PLAYING


# §2 Turns


@rule
def top_card(s):
    """§2.1 The last card of a pile that is not empty."""
    return s.pile[s.height - 1]


@rule
def legal(s, mask):
    """§2.2 The first turn; §2.3 one or four cards not lower than the top; §2.4 three nines; §2.5 a draw."""
    hand = s.hands[s.turn]
    if s.height == 0:
        mask[PLAY + NINE_OF_HEARTS] = 1
        if both(hand, NINES) == NINES:
            mask[FOUR] = 1
        return
    may = both(hand, NOT_BELOW[top_card(s)])
    spread(may, mask[PLAY : PLAY + CARDS])
    for rank in range(RANKS):
        if both(may, OF_RANK[rank]) == OF_RANK[rank]:
            mask[FOUR + rank] = 1
    if s.height > 1:
        mask[DRAW] = 1
    elif both(hand, OTHER_NINES) == OTHER_NINES:
        mask[THREE_NINES] = 1


@rule
def play(s, action):
    """One turn: cards go on the pile or come off it; then §3 the deal is over, or the turn passes."""
    if action == DRAW:
        draw(s)
    else:
        lay(s, action)
    s.turns += 1
    if s.hands[s.turn] == EMPTY and holders(s) == 1:
        end_deal(s)
    elif s.turns >= s.max_turns:
        abandon(s)
    else:
        pass_turn(s)


@rule
def lay(s, action):
    """§2.1, §2.3 From the hand onto the pile; §2.7 several from hearts upwards to spades."""
    laid = LAID[action]
    s.hands[s.turn] = minus(s.hands[s.turn], laid)
    s.known[s.turn] = minus(s.known[s.turn], laid)
    if action < FOUR:
        s.pile[s.height] = action - PLAY
        s.height += 1
        return
    rank = 0 if action == THREE_NINES else action - FOUR
    for card in UPWARDS[rank]:
        if both(laid, only(card)) != EMPTY:
            s.pile[s.height] = card
            s.height += 1


@rule
def draw(s):
    """§2.5 The top three of the pile, or all but 9H; §7 all see them."""
    taken = EMPTY
    for _ in range(min(TAKEN, s.height - 1)):
        s.height -= 1
        taken = plus(taken, only(s.pile[s.height]))
        s.pile[s.height] = NO_CARD
    s.hands[s.turn] = plus(s.hands[s.turn], taken)
    s.known[s.turn] = plus(s.known[s.turn], taken)


@rule
def pass_turn(s):
    """§2.6 Clockwise; §4.1 with spades_back the other way if the top is a spade now; §4.3 for this once.

    Four or three of a rank have their spade on top (§2.7), and a draw uncovers its new top.
    """
    back = s.spades_back and SUIT_OF[top_card(s)] == SPADES
    s.turn = follower(s, s.turn, back)


@rule
def follower(s, seat, back):
    """§2.6, §4.2 The next seat in a direction that still has cards."""
    for _ in range(s.seats):
        seat = seat_before(s, seat) if back else next_seat(s, seat)
        if s.hands[seat] != EMPTY:
            break
    return seat


# §3 Going out, letters, the match


@rule
def holders(s):
    """§3.1 How many seats still have cards."""
    found = 0
    for seat in range(s.seats):
        if s.hands[seat] != EMPTY:
            found += 1
    return found


@rule
def lays_all(s, hand):
    """§3.3 Can the hand be laid in one turn?"""
    if minus(hand, NOT_BELOW[top_card(s)]) != EMPTY:
        return False
    return count(hand) == 1 or hand == OF_RANK[RANK_OF[lowest(hand)]]


@rule
def end_deal(s):
    """§3.2 The last seat with cards gets a letter, unless §3.3 it could lay them all."""
    last = follower(s, s.turn, False)
    s.loser = NOBODY if lays_all(s, s.hands[last]) else last
    s.turn = NOBODY
    s.phase = SCORING


@rule
def score(s):
    """§3.2 One letter or none; §3.4, §3.6 the match goes on until somebody has them all, or for max_deals."""
    s.change[:] = 0
    if s.loser != NOBODY:
        s.change[s.loser] = 1
        s.scores[s.loser] += 1
    close_deal(s)


@rule
def abandon(s):
    """§3.6 Nobody gets a letter, and nothing is scored; but the deal has had its number."""
    s.abandoned = 1
    s.change[:] = 0
    s.turn = NOBODY
    close_deal(s)


@rule
def close_deal(s):
    """§3.5 An episode of one deal is over; §3.6 a match goes on, unless it is lost or was the last deal allowed."""
    s.deal += 1
    ended = s.single_deal or is_lost(s) or s.deal >= s.max_deals
    s.phase = OVER if ended else DEALING


@rule
def is_lost(s):
    """§3.4 Has the loser of the last deal all letters now?"""
    return s.loser != NOBODY and s.scores[s.loser] >= LOSING[s.letters]


@rule
def ending(s):
    """§3.5 A single deal that was played out, and §3.4 a lost match, are terminated; §3.6 others truncated."""
    if s.single_deal:
        return TRUNCATED if s.abandoned else TERMINATED
    return TERMINATED if is_lost(s) else TRUNCATED


@rule
def returns(s, reward, points):
    """§3.5 The loser of the deal or match -1, the others share 1; an undecided deal and a cap 0 for all."""
    for seat in range(s.seats):
        points[seat] = s.start[seat] - s.scores[seat]
        if s.over == TERMINATED and s.loser != NOBODY:
            reward[seat] = -1.0 if seat == s.loser else 1.0 / (s.seats - 1)


# What happens by itself


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
        s.over = ending(s)
        return END
    return ASKED


# §7 What a seat sees

FROM_ME = ("me", "next", "second", "third")  # clockwise


def observed(seats):
    """§7 The layout for so many seats. The option `letters` is seen in what each seat has and has left."""
    rows = FROM_ME[:seats]
    options = observed_options(Rules)
    del options["letters"]
    return observation(
        DECK,
        seats,
        **options,
        single_deal=flag("the episode is one deal"),
        turn=seat("seat that is asked"),
        hand=cards("my hand"),
        held=number("cards in each hand", 0, CARDS, rows=rows),
        pile=code("the pile, bottom first", CARDS, DECK),
        top=cards("top of the pile"),
        drawn=cards("cards that a draw would take"),
        uncovered=cards("top of the pile after a draw"),
        known=cards("cards that all know a seat to hold", rows),
        unseen=cards("cards in the other hands, nobody knows in which"),
        letters=number("letters", 0, LETTERS[-1], rows=rows),
        letters_left=number("letters left before the match is lost", 0, LETTERS[-1], rows=rows),
        clockwise=seat("seat that follows the one asked clockwise"),
        counter=seat("seat that follows the one asked counter-clockwise"),
        turns_tens=number("decisions made in this deal, at most 1279 shown", 0, 127, unit="tens"),
        turns_ones=number("decisions made in this deal beyond the tens", 0, 9),
        turns_left_tens=number("decisions left in this deal, at most 1279 shown", 0, 127, unit="tens"),
        turns_left_ones=number("decisions left in this deal beyond the tens", 0, 9),
        deals_played=number("deals over, at most 100 shown", 0, SHOWN),
        deals_left=number("deals left before the cap, at most 100 shown", 0, SHOWN),
    )  # fmt: skip


def hidden(seats):
    """The layout of the cards that a seat cannot see, for so many seats."""
    return observation(DECK, seats, hands=cards("cards in the other hands", FROM_ME[1:seats]))


SHAPES = {seats: Shape(observed(seats), hidden(seats), ACTIONS, seats, DECK) for seats in PLAYERS}


@rule
def frame(s, o):
    """§7 The options."""
    o.players[s.players] = 1
    o.spades_back = s.spades_back
    o.single_deal = s.single_deal


@rule
def observe(s, me, o):
    """§7 What seat ``me`` sees, besides the options."""
    observe_cards(s, me, o)
    if s.turn != NOBODY:
        o.turn[clockwise(s, me, s.turn)] = 1
        o.clockwise[clockwise(s, me, follower(s, s.turn, False))] = 1
        o.counter[clockwise(s, me, follower(s, s.turn, True))] = 1
    made, left = min(s.turns, LARGEST_SHOWN), max(0, min(s.max_turns - s.turns, LARGEST_SHOWN))
    o.turns_tens = TENS[made]
    o.turns_ones = ONES[made]
    o.turns_left_tens = TENS[left]
    o.turns_left_ones = ONES[left]
    observe_deals(s, o, s.max_deals)


@rule
def observe_cards(s, me, o):
    """§7 My hand, the pile, and of each seat its letters, how many cards it has and which are known."""
    spread(s.hands[me], o.hand)
    for place in range(s.height):
        o.pile[place] = s.pile[place] + KNOWN
    if s.height > 0:
        taken = min(TAKEN, s.height - 1)
        o.top[top_card(s)] = 1
        o.uncovered[s.pile[s.height - 1 - taken]] = 1
        for place in range(s.height - taken, s.height):
            o.drawn[s.pile[place]] = 1
    unseen = EMPTY
    for seat in range(s.seats):
        i = clockwise(s, me, seat)
        o.held[i] = count(s.hands[seat])
        spread(s.known[seat], o.known[i])
        letters = max(0, min(s.scores[seat], LOSING[s.letters]))
        o.letters[i] = letters
        o.letters_left[i] = LOSING[s.letters] - letters
        if seat != me:
            unseen = plus(unseen, minus(s.hands[seat], s.known[seat]))
    spread(unseen, o.unseen)


@rule
def hide(s, me, h):
    """The cards that seat ``me`` cannot see, where they are."""
    for seat in range(s.seats):
        if seat != me:
            spread(s.hands[seat], h.hands[clockwise(s, me, seat) - 1])


# What a seat cannot see, dealt anew


@rule
def determinize(s, me, chance):
    """Deal the unseen cards anew into the other hands, every placement that agrees with their numbers as likely."""
    if s.phase == DEALING and s.height == 0:
        return  # nothing has been dealt yet
    room = np.zeros(SEATS, np.int64)
    barred = np.zeros(SEATS, np.int64)
    places = np.zeros(SEATS, np.int64)
    unseen = EMPTY
    for seat in range(s.seats):
        if seat != me:
            hand = minus(s.hands[seat], s.known[seat])
            room[seat] = count(hand)
            unseen = plus(unseen, hand)
    deal_out(unseen, room, barred, places, chance)
    restack(s, me, unseen, places)
    for seat in range(s.seats):
        if seat != me:
            s.hands[seat] = plus(both(s.hands[seat], s.known[seat]), places[seat])


@rule
def restack(s, me, unseen, places):
    """The pack as it must have lain: each seat's cards that have been seen, and those now imagined, in order."""
    size = CARDS // s.seats
    for seat in range(s.seats):
        dealt = cards_at(s.pack, size * seat, size)
        if seat != me:
            dealt = plus(minus(dealt, unseen), places[seat])
        stack(s, size * seat, dealt)


def shapes(rules):
    """One layout a number of seats."""
    return SHAPES[rules.players]


def starts(rules, single_deal):
    """§3.4 All begin without a letter."""
    return


def given_starts(rules):
    """§3.4 Any number of letters with which the match is not lost."""
    return range(rules.letters)


def flaw(s):
    """§2.6, §7 Who is asked holds cards, and who is known to hold a card does."""
    if s.turn != NOBODY and s.hands[s.turn] == EMPTY:
        return "the seat that is asked holds cards"
    if any(minus(known, hand) != EMPTY for known, hand in zip(s.known, s.hands, strict=True)):
        return "cards known to be in a hand lie there"
    return ""


GAME = Game(
    name="pan",
    title="Pan",
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
    outcome="losses",
    measure="losses",
    flaw=flaw,
    phases=DECIDED,
    picture={
        "pile": "pile",
        "known": "known",
        "ranked": True,
        "score": "letters",
        "marks": ("", "P", "P A", "P A N"),
        "seats": {"clockwise": "follows", "counter": ("follows after a spade", "spades_back")},
        "facts": {"turns": "decisions {}"},
        "mine": {"known": "all know you hold {}"},
        "ranks": ("play four", "play three"),
    },
)
