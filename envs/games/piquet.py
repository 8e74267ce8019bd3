"""Piquet (Pikieta): exchange cards, declare suits, sequences and sets, then play twelve tricks; eight deals or 100.

Source   piquet.md beside this file; its clauses are cited as §
Scope    every option, the preset ``classic``, matches and single deals
Rulings  those marked *(decided)* in the book
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..asides import asides, ask, ask_aside, flaw_of_asides, observe_question, resume
from ..cards import (
    EMPTY,
    Deck,
    after,
    both,
    cards_at,
    count,
    each,
    has,
    highest,
    in_suit,
    minus,
    only,
    plus,
    ranks_of,
    spread,
)
from ..chance import NEVER_WAS, TRIES, deal_out, draw_dealer, pick, shuffle_pack, stack
from ..game import (
    ASKED,
    DEAL,
    END,
    MOST_START,
    NO_LIMIT,
    NOBODY,
    RUNNING,
    SCORE,
    TERMINATED,
    Game,
    Options,
    Shape,
    clockwise,
    limit,
    observe_deals,
    observed_options,
    option,
    state_options,
)
from ..kernel import rule
from ..layout import LARGEST_SHOWN, ONES, SHOWN, TENS, cards, choice, flag, number, observation, seat, state
from ..tricks import (
    clear_play,
    flaw_of_tricks,
    follow,
    last_lead,
    lay_card,
    observe_tricks,
    show_void,
    take_trick,
    trick_fields,
)

# §1 The cards, the seats, the deal
DECK = Deck(ranks="789TJQKA", suits="SCDH")  # §1.1 weakest first
CARDS, SUITS, RANKS, SEATS = DECK.size, len(DECK.suits), len(DECK.ranks), 2
ALL_CARDS = DECK.full
ABOVE, OF_SUIT, SUIT_OF, OF_RANK = DECK.above, DECK.of_suit, DECK.suit_of, DECK.of_rank
HAND, ELDERS, YOUNGERS = 12, 5, 3  # §1.2 cards in a hand, in elder's talon, in younger's
TALON, TALON_END = 2 * HAND, CARDS  # where the talon lies in the pack: elder's five, then younger's three

# §2 A set of ranks tells which ranks of one suit a hand holds; tables by such a set answer what a suit is worth
RANK_SETS = [[rank for rank in range(RANKS) if held >> rank & 1] for held in range(1 << RANKS)]

# §3 Carte blanche
CARTE_POINTS = 10
TEN_RANK, COURTS = DECK.ranks.index("T"), [DECK.ranks.index(rank) for rank in "JQK"]
WHITE = np.array([TEN_RANK in held and not set(COURTS) & set(held) for held in RANK_SETS])  # §3.1
TENS_OF = np.array([DECK.set("T" + suit) for suit in DECK.suits])
COURTS_OF = np.array([DECK.set(f"J{suit} Q{suit} K{suit}") for suit in DECK.suits])
ALL_COURTS = int(COURTS_OF.sum())

# §4 Declarations: what a holding is worth beside others of its kind is its number of cards × 100 + what breaks a tie
KINDS = ("suit", "sequence", "set")
SUIT_KIND, SEQUENCE_KIND, SET_KIND = range(3)
FACE = {"7": 7, "8": 8, "9": 9, "A": 11} | dict.fromkeys("TJQK", 10)  # §4.2
MOST_TOTAL = sum(FACE.values())
SUIT_WORTH = np.array([100 * len(held) + sum(FACE[DECK.ranks[rank]] for rank in held) for held in RANK_SETS])
SHORTEST = 3  # §4.3
SEQUENCE_POINTS = {3: 3, 4: 4, 5: 15, 6: 16, 7: 17, 8: 18}  # §4.3
FOUR, THREE = 4, 3  # §4.4
FOUR_POINTS, TRIOS = 14, (13, 3)  # §4.4
NUMBER, TIE = np.divmod(np.arange(100 * RANKS + 100), 100)  # a worth taken apart


def runs(held):
    """§4.5 The maximal runs of three or more among these ranks, each the list of its ranks."""
    found, run = [], []
    for rank in range(RANKS + 1):
        if rank in held:
            run = [*run, rank]
        else:
            found += [run] if len(run) >= SHORTEST else []
            run = []
    return found


def rank_set(ranks):
    """The ranks as a set."""
    return sum(1 << rank for rank in ranks)


RUNS = [sorted(runs(held), key=lambda run: (len(run), run[-1])) for held in RANK_SETS]  # the best last
RUN_WORTH = np.array([100 * len(its[-1]) + its[-1][-1] + 1 if its else 0 for its in RUNS])  # ties: 7 is 1 … ace is 8
BEST_RUN = np.array([rank_set(its[-1]) if its else 0 for its in RUNS])
ALL_RUNS = np.array([sum(rank_set(run) for run in its) for its in RUNS])
BEST_RUN_POINTS = np.array([SEQUENCE_POINTS[len(its[-1])] if its else 0 for its in RUNS])
ALL_RUNS_POINTS = np.array([sum(SEQUENCE_POINTS[len(run)] for run in its) for its in RUNS])

# §5 Play
TRICKS = HAND
MOST_TRICKS = 7  # §5.3
FOR_THE_PLAY, FOR_ALL, FOR_ALL_LITERALLY = 10, 40, 50  # §5.3, §5.4

# §6 The bonus
THRESHOLD = 30  # §6.1
THIRTY, SIXTY = 30, 60  # §6.1, §6.2

# §7 Rewards
MOST_POINTS = 1000  # more than any deal brings by far: every state says so, and what is seen stays within its tables
UNIT = 50  # §7.4 points for a reward of 1 in a deal
HUNDRED = 100  # §7.3, §7.5 fixed

# §7b The options: (option, its values), the default first in the dataclass below
AT_ONCE, AFTER_DEAL = range(2)
SETTLE_NONE, SETTLE_HUNDRED, SETTLE_RUBICON = range(3)
REWARD_WIN, REWARD_MARGIN = range(2)
WHITE_TEN, NO_COURT, NO_CARTE = range(3)
YOUNGER_FIRST, ELDER_FIRST = range(2)
LEADS_ALWAYS, LEADS_CLASSIC = range(2)
BONUS_THIRTY, BONUS_CLASSIC, BONUS_NONE = range(3)


@dataclass(frozen=True)
class Rules(Options):
    """§7b The options of Piquet."""

    GAME: ClassVar[str] = "piquet"
    PRESETS: ClassVar[Mapping[str, Mapping[str, Any]]] = {
        "classic": {  # §7.5
            "deals": 6,
            "target": None,
            "first_declarer": "elder",
            "carte_blanche": "no_court",
            "min_exchange": 1,
            "trio_value": 3,
            "set_ranks": "ten_up",
            "lead_scores": "classic",
            "bonus": "classic",
            "settlement": "rubicon",
        }
    }

    deals: int = limit(8, 1, "§7.1 deals in a match")
    target: int | None = limit(100, 1, "§7.1 who has more than this has won; None: all deals are played", none=True)
    stop: str = option("at_once", ("at_once", "after_deal"), "§7.1 when a total beyond the target ends the match")
    settlement: str = option("none", ("none", "hundred", "rubicon"), "§7.3, §7.5 what is added to the margin")
    reward: str = option("win", ("win", "margin"), "§7.3 what a match pays")
    min_exchange: int = option(0, (0, 1), "§2.4 the fewest cards that a seat lays away")
    carte_blanche: str = option("white_ten", ("white_ten", "no_court", "none"), "§3 what a carte blanche is")
    first_declarer: str = option("younger", ("younger", "elder"), "§4.1 who speaks first in a round")
    trio_value: int = option(13, TRIOS, "§4.4 points of three of a rank")
    set_ranks: str = option("all", ("all", "ten_up"), "§4.4 the ranks of which sets count")
    all_combinations: bool = option(True, (False, True), "§4.5 the winner scores its other sequences or sets too")
    lead_scores: str = option("always", ("always", "classic"), "§5.2 what leads and tricks score")
    capot_with_cards: bool = option(False, (False, True), "§5.4 all twelve tricks score 50 in place of 40")
    bonus: str = option("thirty", ("thirty", "classic", "none"), "§6 the bonus for 30 points against none")

    @property
    def seats(self) -> int:
        """§1.1 Two seats."""
        return SEATS


# by the index of an option's value in the state
TRIO_POINTS = np.array(TRIOS)
COUNTING = np.array([rank_set(range(RANKS)), rank_set(range(TEN_RANK, RANKS))])  # §4.4

# §8 The actions
ACTIONS = (
    *(f"play {card}" for card in DECK.names),
    *(f"discard {card}" for card in DECK.names),
    "done",
    "declare",
    "pass",
    *(f"carte blanche {suit}" for suit in DECK.suits),
    "carte blanche",
)
PLAY, DISCARD, DONE = ACTIONS.index("play 7S"), ACTIONS.index("discard 7S"), ACTIONS.index("done")
DECLARE, PASS = ACTIONS.index("declare"), ACTIONS.index("pass")
CARTE_OF, CARTE_BLANCHE = ACTIONS.index("carte blanche S"), ACTIONS.index("carte blanche")

# What is being decided; the last two happen by themselves
PHASES = ("carte", "exchange", "suit", "sequence", "set", "play", "over", "deal", "score")
CARTE, EXCHANGING, SUIT, SEQUENCE, SET, PLAYING, OVER, DEALING, SCORING = range(9)
DECIDED = {
    "carte": "Whether you announce a carte blanche, which scores 10 and shows part of your hand, or pass.",
    "exchange": "Which cards you lay away: as many come from the talon. They are named one by one, suit by suit and "
    "the lowest first, so a card passed over stays; done ends it.",
    "suit": "Whether you declare your longest suit: the longer one scores its number of cards, the winner shows it.",
    "sequence": "Whether you declare your best sequence, three or more of a suit in a row: the longer one scores.",
    "set": "Whether you declare your best set, three or four of a rank: four beat three, then the higher rank.",
    "play": "Which card you lay: follow suit if you can, the higher card of the suit led takes the trick, no trumps.",
}

STATE = state(
    DECK,
    SEATS,
    **state_options(Rules),
    **asides(PHASES),
    elder=seat("elder: the seat that does not deal"),
    hands=cards("hands", sets=SEATS, place=True),
    discards=cards("cards laid away", sets=SEATS, place=True),
    talon=cards("cards in the talon", place=True),
    drawn=cards("cards that each seat drew from the talon", sets=SEATS),
    left=cards("cards of his talon that elder left"),
    exchanged=flag("seats that have exchanged", (SEATS,)),
    white=flag("white tens said", (SEATS, SUITS)),
    blank=flag("classic carte blanche said", (SEATS,)),
    declared=number("number of cards declared", 0, RANKS, (len(KINDS), SEATS)),
    tie=number("what was told to break a tie", 0, MOST_TOTAL, (len(KINDS), SEATS)),
    won=seat("seat that won the round", len(KINDS)),
    known=cards("cards that all know a seat to hold, or to have held", sets=SEATS),
    **trick_fields(DECK, SEATS, TRICKS),
    points=number("points in this deal", 0, MOST_POINTS, (SEATS,)),
    got_bonus=flag("seats that got the bonus in this deal", (SEATS,)),
    stopped=flag("a total passed the target in this deal, which was closed at once"),
)  # fmt: skip


def piles(rules, dealer):
    """§1.2 How the pack is dealt: the hands by seat, then the two talons, top first."""
    hands = tuple(("hands", s, HAND) for s in range(SEATS))
    return (*hands, ("talon_elder", None, ELDERS), ("talon_younger", None, YOUNGERS))


# §1 Beginning and dealing


@rule
def opponent(seat):
    """§1.1 The other one of two seats."""
    return 1 - seat


@rule
def begin(s):
    """§1.3 The first dealer by lot."""
    draw_dealer(s)
    s.scores[:] = s.start
    s.margin = 0
    clear_deal(s)
    ask(s, DEALING, NOBODY)


@rule
def clear_deal(s):
    """Nothing is held, laid away, said or known."""
    s.elder = opponent(s.dealer)
    s.hands[:] = EMPTY
    s.discards[:] = EMPTY
    s.talon = EMPTY
    s.drawn[:] = EMPTY
    s.left = EMPTY
    s.exchanged[:] = 0
    s.white[:, :] = 0
    s.blank[:] = 0
    s.declared[:, :] = 0
    s.tie[:, :] = 0
    s.won[:] = NOBODY
    s.known[:] = EMPTY
    s.points[:] = 0
    s.got_bonus[:] = 0
    s.stopped = 0
    clear_play(s)


@rule
def deal(s):
    """§1.2 Twelve cards each, the other eight are the talons; §2.1 elder begins."""
    shuffle_pack(s, ALL_CARDS)
    clear_deal(s)
    for seat in range(SEATS):
        s.hands[seat] = cards_at(s.pack, HAND * seat, HAND)
    s.talon = cards_at(s.pack, TALON, ELDERS + YOUNGERS)
    open_exchange(s, s.elder)


# §2 Exchange


@rule
def open_exchange(s, seat):
    """§2.1 A seat is to exchange; first it may announce a carte blanche, which nobody else notices until it does."""
    ask(s, EXCHANGING, seat)
    if may_announce(s, seat, s.hands[seat]):
        ask_aside(s, CARTE, seat)


@rule
def most_laid(s, seat):
    """§2.2 Elder lays away up to five cards; §2.3 younger up to what is left."""
    if seat == s.elder:
        return ELDERS
    return ELDERS + YOUNGERS - count(s.discards[s.elder])


@rule
def legal_exchange(s, mask):
    """§2.5 Cards in ascending order; `done`, §2.4 once enough are laid away."""
    laid = s.discards[s.turn]
    spread(after(s.hands[s.turn], laid), mask[DISCARD : DISCARD + CARDS])
    if count(laid) >= s.min_exchange:
        mask[DONE] = 1


@rule
def play_exchange(s, action):
    """§2.5 One card is laid away, or the turn ends: with `done`, or when no more may be laid away."""
    seat = s.turn
    if action != DONE:
        card = only(action - DISCARD)
        s.hands[seat] = minus(s.hands[seat], card)
        s.discards[seat] = plus(s.discards[seat], card)
    if action == DONE or count(s.discards[seat]) == most_laid(s, seat):
        end_exchange(s, seat)
        if seat == s.elder:
            open_exchange(s, opponent(seat))
        else:
            open_declarations(s)


@rule
def end_exchange(s, seat):
    """§2.2 As many cards as were laid away come from the top of the talon; §2.3 of what elder left, for younger."""
    place = TALON
    if seat != s.elder:
        place += count(s.discards[s.elder])
    s.drawn[seat] = cards_at(s.pack, place, count(s.discards[seat]))
    s.hands[seat] = plus(s.hands[seat], s.drawn[seat])
    s.talon = minus(s.talon, s.drawn[seat])
    s.exchanged[seat] = 1
    if seat == s.elder:
        s.left = elders_left(s)


@rule
def elders_left(s):
    """§2.2 The cards of his talon that elder did not draw."""
    drawn = count(s.discards[s.elder])
    return cards_at(s.pack, TALON + drawn, ELDERS - drawn)


@rule
def talon_seen(s, me):
    """§2.2 Elder sees the cards that he left, §2.3 younger what remains, each once it has exchanged."""
    if me == s.elder:
        return s.left
    return s.talon if s.exchanged[me] else EMPTY


@rule
def drawn_seen(s, me):
    """§2.3, §9 The cards that the other drew before the eyes of ``me``: younger those that elder had left."""
    return both(s.left, s.drawn[opponent(me)]) if me == s.elder else EMPTY


@rule
def dealt(s, seat):
    """The twelve cards that a seat was dealt."""
    return minus(plus(plus(s.hands[seat], s.discards[seat]), s.played[seat]), s.drawn[seat])


# §3 Carte blanche


@rule
def next_suit(s, seat):
    """§3.1 Suits are said in ascending order: the lowest that the seat may still say."""
    lowest_left = 0
    for suit in range(SUITS):
        if s.white[seat, suit]:
            lowest_left = suit + 1
    return lowest_left


@rule
def may_announce(s, seat, hand):
    """§3.1, §3.2 Could the seat announce something with this hand? §3.3 Else it is not asked."""
    if s.carte_blanche == NO_COURT:
        return not s.blank[seat] and both(hand, ALL_COURTS) == EMPTY
    if s.carte_blanche == WHITE_TEN:
        for suit in range(next_suit(s, seat), SUITS):
            if WHITE[ranks_of(hand, suit, RANKS)]:
                return True
    return False


@rule
def legal_carte(s, mask):
    """§3.1 The white tens not said yet, or §3.2 the hand without courts; or `pass`."""
    if s.carte_blanche == NO_COURT:
        mask[CARTE_BLANCHE] = 1
    else:
        for suit in range(next_suit(s, s.turn), SUITS):
            if WHITE[ranks_of(s.hands[s.turn], suit, RANKS)]:
                mask[CARTE_OF + suit] = 1
    mask[PASS] = 1


@rule
def play_carte(s, action):
    """§3.1 Each one said scores 10; the seat is asked again while a higher suit can be said."""
    seat = s.turn
    if action != PASS:
        if action == CARTE_BLANCHE:
            s.blank[seat] = 1
        else:
            s.white[seat, action - CARTE_OF] = 1
        award(s, seat, CARTE_POINTS)
        if s.stopped or may_announce(s, seat, s.hands[seat]):
            return
    resume(s)


# §4 Declarations


@rule
def best_by(hand, worths):
    """The suit whose cards are worth most by this table; of equal ones that of the highest id."""
    best, most = 0, 0
    for suit in range(SUITS):
        its = worths[ranks_of(hand, suit, RANKS)]
        if its >= most:
            best, most = suit, its
    return best


@rule
def best_suit(hand):
    """§4.2 The longest suit, then the one of the highest total, then the one of the highest id."""
    return best_by(hand, SUIT_WORTH)


@rule
def best_run(hand):
    """§4.3 The suit of the longest sequence, then the one with the highest top, then the one of the highest id."""
    return best_by(hand, RUN_WORTH)


@rule
def fours(s, hand):
    """§4.4 The ranks that count of which the hand holds all four, as a set of ranks."""
    black = both(ranks_of(hand, 0, RANKS), ranks_of(hand, 1, RANKS))
    red = both(ranks_of(hand, 2, RANKS), ranks_of(hand, 3, RANKS))
    return both(both(black, red), COUNTING[s.set_ranks])


@rule
def threes(s, hand):
    """§4.4 The ranks that count of which the hand holds exactly three, as a set of ranks."""
    spades, clubs = ranks_of(hand, 0, RANKS), ranks_of(hand, 1, RANKS)
    diamonds, hearts = ranks_of(hand, 2, RANKS), ranks_of(hand, 3, RANKS)
    black = both(both(spades, clubs), plus(diamonds, hearts))
    red = both(plus(spades, clubs), both(diamonds, hearts))
    return minus(both(plus(black, red), COUNTING[s.set_ranks]), fours(s, hand))


@rule
def worth(s, kind, hand):
    """§4.2, §4.3, §4.4 What the hand's best holding of a kind is worth beside others, 0 if it has none."""
    if kind == SUIT_KIND:
        return SUIT_WORTH[ranks_of(hand, best_suit(hand), RANKS)]
    if kind == SEQUENCE_KIND:
        return RUN_WORTH[ranks_of(hand, best_run(hand), RANKS)]
    four, three = fours(s, hand), threes(s, hand)
    if four != EMPTY:
        return 100 * FOUR + highest(four) + 1
    return 100 * THREE + highest(three) + 1 if three != EMPTY else 0


@rule
def held_of(s, kind, hand):
    """§4.6 The cards that a winner with this hand shows: of his best holding, and §4.5 of those that score with it."""
    if kind == SUIT_KIND:
        return both(hand, OF_SUIT[best_suit(hand)])
    shown = EMPTY
    if kind == SEQUENCE_KIND:
        if not s.all_combinations:
            suit = best_run(hand)
            return in_suit(BEST_RUN[ranks_of(hand, suit, RANKS)], suit, RANKS)
        for suit in range(SUITS):
            shown = plus(shown, in_suit(ALL_RUNS[ranks_of(hand, suit, RANKS)], suit, RANKS))
        return shown
    if not s.all_combinations:
        return both(hand, OF_RANK[TIE[worth(s, kind, hand)] - 1])
    for rank in each(plus(fours(s, hand), threes(s, hand))):
        shown = plus(shown, both(hand, OF_RANK[rank]))
    return shown


@rule
def points_of(s, kind, hand):
    """§4.2, §4.3, §4.4 What a winner with this hand scores in the round, §4.5 other sequences or sets included."""
    if kind == SUIT_KIND:
        return NUMBER[worth(s, kind, hand)]
    if kind == SEQUENCE_KIND:
        if not s.all_combinations:
            return BEST_RUN_POINTS[ranks_of(hand, best_run(hand), RANKS)]
        points = 0
        for suit in range(SUITS):
            points += ALL_RUNS_POINTS[ranks_of(hand, suit, RANKS)]
        return points
    if not s.all_combinations:
        return FOUR_POINTS if fours(s, hand) != EMPTY else TRIO_POINTS[s.trio_value]
    return FOUR_POINTS * count(fours(s, hand)) + TRIO_POINTS[s.trio_value] * count(threes(s, hand))


@rule
def open_declarations(s):
    """§4.1 The first speaker of the suit round. Everybody has a longest suit, so both are asked in the open."""
    s.leader = s.elder
    ask(s, SUIT, first_speaker(s))


@rule
def first_speaker(s):
    """§4.1 By the source younger, by the classic rules elder."""
    return s.elder if s.first_declarer == ELDER_FIRST else opponent(s.elder)


@rule
def legal_declare(s, mask):
    """§4.1 Declare, or keep silent."""
    mask[DECLARE] = 1
    mask[PASS] = 1


@rule
def play_declare(s, action):
    """§4.6 `declare` tells the number at once; §4.1 then the other speaks, or the next round begins."""
    seat, kind = s.turn, s.phase - SUIT
    if action == DECLARE:
        s.declared[kind, seat] = NUMBER[worth(s, kind, s.hands[seat])]
    other = opponent(seat)
    if seat == first_speaker(s):
        if kind == SUIT_KIND:
            ask(s, SUIT, other)
            return
        if worth(s, kind, s.hands[other]) > 0:
            ask_aside(s, SUIT + kind, other)
            return
    close_round(s, kind)
    if s.stopped:
        return
    if kind == SUIT_KIND:
        ask(s, PLAYING, s.elder)  # what comes if nobody has a sequence or a set to declare
    for later in range(kind + 1, SET_KIND + 1):
        if open_round(s, later):
            return
    resume(s)


@rule
def open_round(s, kind):
    """§4.1 Ask the first speaker that has a sequence or set; False if nobody has. Nobody else notices."""
    first = first_speaker(s)
    for seat in (first, opponent(first)):
        if worth(s, kind, s.hands[seat]) > 0:
            ask_aside(s, SUIT + kind, seat)
            return True
    return False


@rule
def close_round(s, kind):
    """§4.2, §4.3, §4.4 The better holding wins, equal ones for nobody; §4.5 the only one wins; §4.6 what is told."""
    me, other = s.elder, opponent(s.elder)
    mine = worth(s, kind, s.hands[me]) if s.declared[kind, me] > 0 else 0
    its = worth(s, kind, s.hands[other]) if s.declared[kind, other] > 0 else 0
    if s.declared[kind, me] == s.declared[kind, other]:
        s.tie[kind, me] = TIE[mine]
        s.tie[kind, other] = TIE[its]
    if mine == its:
        return
    winner = me if mine > its else other
    hand = s.hands[winner]
    s.won[kind] = winner
    s.known[winner] = plus(s.known[winner], held_of(s, kind, hand))
    award(s, winner, points_of(s, kind, hand))


# §5 Play


@rule
def legal_play(s, mask):
    """§5.1 Any card to lead, the suit led to follow."""
    hand = s.hands[s.turn]
    if s.laid > 0:
        hand = follow(hand, OF_SUIT[s.led])
    spread(hand, mask[PLAY : PLAY + CARDS])


@rule
def play_card(s, action):
    """§5.1 A card is led or follows; §5.2 leads and tricks score as they happen."""
    seat, card = s.turn, action - PLAY
    last = s.trick_number == TRICKS
    if s.laid == 0:
        lay_card(s, card, SUIT_OF, EMPTY)
        award(s, seat, lead_points(s, last))
        if not s.stopped:
            ask(s, PLAYING, opponent(seat))
        return
    show_void(s, card, SUIT_OF, OF_SUIT)
    leader = s.leader
    lay_card(s, card, SUIT_OF, ABOVE[s.best])
    winner = take_trick(s)
    award(s, winner, trick_points(s, winner == leader, last))
    if s.stopped:
        return
    if last:
        finish_deal(s)
    else:
        ask(s, PLAYING, winner)


@rule
def lead_points(s, last):
    """§5.2 A lead scores 1, by the source 2 in the last trick."""
    return 2 if last and s.lead_scores == LEADS_ALWAYS else 1


@rule
def trick_points(s, led_it, last):
    """§5.2 A trick scores 1, by the source 2 if it is the last; classic 1 if the other led it, and 1 for the last."""
    points = 0 if led_it and s.lead_scores == LEADS_CLASSIC else 1
    return points + 1 if last else points


@rule
def play_bonus(s, seat):
    """§5.3 Ten for most tricks; §5.4 for all of them 40, or literally read 50."""
    if s.tricks[seat] == TRICKS:
        return FOR_ALL_LITERALLY if s.capot_with_cards else FOR_ALL
    return FOR_THE_PLAY if s.tricks[seat] >= MOST_TRICKS else 0


# §6 Points in time order, and the bonus


@rule
def bonus_due(s, seat, gain):
    """§6.1 The bonus that a gain brings: 30 or more while the other has none; §6.2 classic 60 before the first lead."""
    if s.bonus == BONUS_NONE or s.got_bonus[seat]:
        return 0
    if s.points[seat] + gain < THRESHOLD or s.points[opponent(seat)] > 0:
        return 0
    led = s.laid > 0 or s.trick_number > 1
    return SIXTY if s.bonus == BONUS_CLASSIC and not led else THIRTY


@rule
def award(s, seat, gain):
    """§6.1 The points of one event, with the bonus that they bring; §7.1 the match may be over in that moment."""
    bonus = bonus_due(s, seat, gain)
    if bonus > 0:
        s.got_bonus[seat] = 1
    s.points[seat] += gain + bonus
    if s.stop == AT_ONCE and not s.single_deal and s.scores[seat] + s.points[seat] > s.target:
        s.stopped = 1
        finish_deal(s)


@rule
def finish_deal(s):
    """The deal is to be scored."""
    ask(s, SCORING, NOBODY)


# §7 The match


@rule
def score(s):
    """§7.1 The deal's points, with §5.3 and §5.4 if it was played out, go to the totals; §1.3 the deal passes on."""
    over = s.single_deal or s.deal + 1 >= s.deals
    for seat in range(SEATS):
        s.change[seat] = s.points[seat]
        if not s.stopped:
            s.change[seat] += play_bonus(s, seat)
        s.scores[seat] += s.change[seat]
        s.points[seat] = 0
        over = over or s.scores[seat] > s.target
    s.deal += 1
    s.attempt = 0
    s.dealer = opponent(s.dealer)
    ask(s, OVER if over else DEALING, NOBODY)


@rule
def close_match(s):
    """§7.2 The rules end the match, it is never truncated; §7.3 the winner's margin. §7.4 A deal has none."""
    s.over = TERMINATED
    if not s.single_deal and s.scores[0] != s.scores[1]:
        s.margin = margin_of(s, max(s.scores[0], s.scores[1]), min(s.scores[0], s.scores[1]))


@rule
def margin_of(s, most, least):
    """§7.3 What the match was won by: the difference, and 100 if nobody passed the target; §7.5 rubicon."""
    if s.settlement == SETTLE_RUBICON and least < HUNDRED:
        return HUNDRED + most + least
    if s.settlement == SETTLE_RUBICON or (s.settlement == SETTLE_HUNDRED and most <= s.target):
        return HUNDRED + most - least
    return most - least


@rule
def returns(s, reward, points):
    """§7.2, §7.4 Of a match: 1 to who has more, or §7.3 his margin in hundreds; of a deal: points gained over 50."""
    for seat in range(SEATS):
        points[seat] = s.scores[seat] - s.start[seat]
    for seat in range(SEATS):
        ahead = s.scores[seat] - s.scores[opponent(seat)]
        if s.single_deal:
            reward[seat] = (points[seat] - points[opponent(seat)]) / UNIT
        elif ahead != 0:
            gain = s.margin / HUNDRED if s.reward == REWARD_MARGIN else 1.0
            reward[seat] = gain if ahead > 0 else -gain


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
        close_match(s)
        return END
    return ASKED


@rule
def legal(s, mask):
    """Every action that the seat asked may choose."""
    if s.phase == PLAYING:
        legal_play(s, mask)
    elif s.phase == EXCHANGING:
        legal_exchange(s, mask)
    elif s.phase == CARTE:
        legal_carte(s, mask)
    elif s.phase <= SET:
        legal_declare(s, mask)


@rule
def play(s, action):
    """One decision of the seat asked."""
    if s.phase == PLAYING:
        play_card(s, action)
    elif s.phase == EXCHANGING:
        play_exchange(s, action)
    elif s.phase == CARTE:
        play_carte(s, action)
    elif s.phase <= SET:
        play_declare(s, action)


# §9 What a seat sees

NO_ROUND = -1

BOTH = ("me", "other")
OBSERVATION = observation(
    DECK,
    SEATS,
    **observed_options(Rules),
    single_deal=flag("the episode is one deal"),
    phase=choice("what is being decided", PHASES[: OVER + 1]),
    turn=seat("seat that is asked"),
    dealer=seat("dealer"),
    hand=cards("my hand"),
    discards=cards("cards that I laid away"),
    laid_away=number("cards laid away, the other's once it has exchanged", 0, ELDERS + YOUNGERS, rows=BOTH),
    talon=cards("cards of the talon that I was allowed to see"),
    lying=number("cards in the talon", 0, ELDERS + YOUNGERS),
    announced=flag("white tens said", (SEATS, SUITS)),
    shown=cards("the hand dealt to the other, shown as a carte blanche"),
    blank=flag("carte blanche of a hand without courts said", rows=BOTH),
    known=cards("cards known to be in a hand: mine to the other, the other's to me", BOTH),
    void=flag("suits in which a seat has shown void", (SEATS, SUITS)),
    declared=number("number of cards declared, by suit, sequence, set", 0, RANKS, (len(KINDS), SEATS)),
    tie=number("total or top rank (7 is 1, ace is 8) told", 0, MOST_TOTAL, (len(KINDS), SEATS)),
    won=flag("won the round, by suit, sequence, set", (len(KINDS), SEATS)),
    leader=seat("seat that leads, or led, the current trick"),
    trick=cards("cards in the current trick"),
    order=number("trick in which each card was played", 0, TRICKS, rows=DECK.names),
    held=number("cards in each hand", 0, HAND, rows=BOTH),
    played=cards("cards played", BOTH),
    tricks=number("tricks taken", 0, TRICKS, rows=BOTH),
    points_tens=number("points in this deal", 0, 127, unit="tens", rows=BOTH),
    points_ones=number("points in this deal beyond the tens", 0, 9, rows=BOTH),
    got_bonus=flag("got the bonus in this deal", rows=BOTH),
    score_tens=number("total before this deal, at most 1279 shown", 0, 127, unit="tens", rows=BOTH),
    score_ones=number("total before this deal beyond the tens", 0, 9, rows=BOTH),
    left_tens=number("points left until the total passes the target, at most 1279", 0, 127, unit="tens", rows=BOTH),
    left_ones=number("points left until the total passes the target beyond the tens", 0, 9, rows=BOTH),
    has_target=flag("there is a target"),
    deals_played=number("deals scored, at most 100 shown", 0, SHOWN),
    deals_left=number("deals left, at most 100 shown", 0, SHOWN),
)  # fmt: skip


@rule
def frame(s, o):
    """§9 The options."""
    o.stop = s.stop
    o.settlement[s.settlement] = 1
    o.reward = s.reward
    o.min_exchange = s.min_exchange
    o.carte_blanche[s.carte_blanche] = 1
    o.first_declarer = s.first_declarer
    o.trio_value = s.trio_value
    o.set_ranks = s.set_ranks
    o.all_combinations = s.all_combinations
    o.lead_scores = s.lead_scores
    o.capot_with_cards = s.capot_with_cards
    o.bonus[s.bonus] = 1
    o.single_deal = s.single_deal
    o.has_target = has_target(s)


@rule
def has_target(s):
    """§7.1 Is there a total that ends the match?"""
    return s.target < NO_LIMIT


@rule
def observe(s, me, o):
    """§9 What seat ``me`` sees, besides the options."""
    observe_question(s, me, o, OVER)
    o.dealer[clockwise(s, me, s.dealer)] = 1
    observe_deals(s, o, s.deals)
    observe_tricks(s, me, o)
    observe_exchange(s, me, o)
    observe_rounds(s, me, o)


@rule
def observe_exchange(s, me, o):
    """§9 Hands and talon as far as known, cards laid away, cartes blanches."""
    other = opponent(me)
    spread(s.hands[me], o.hand)
    spread(s.discards[me], o.discards)
    spread(talon_seen(s, me), o.talon)
    o.lying = count(s.talon)
    o.laid_away[0] = count(s.discards[me])
    if s.exchanged[other]:
        o.laid_away[1] = count(s.discards[other])
    else:
        o.held[1] = count(dealt(s, other))  # §2.5 how many it has named so far, nobody sees
    if s.blank[other]:
        spread(dealt(s, other), o.shown)
    for seat in range(SEATS):
        i = clockwise(s, me, seat)
        o.blank[i] = s.blank[seat]
        for suit in range(SUITS):
            o.announced[i, suit] = s.white[seat, suit]
            o.void[i, suit] = has(s.cannot[seat], RANKS * suit)


@rule
def observe_rounds(s, me, o):
    """§9 Declarations, who won them, cards known from them; points and totals."""
    kind = unanswered(s, me)
    for seat in range(SEATS):
        i = clockwise(s, me, seat)
        known, points, bonus = known_cards(s, seat), s.points[seat], 0
        for its in range(len(KINDS)):
            o.declared[its, i] = s.declared[its, seat]
            o.tie[its, i] = s.tie[its, seat]
            o.won[its, i] = s.won[its] == seat
        if seat == me and kind != NO_ROUND:
            gain = points_of(s, kind, s.hands[me])
            bonus = bonus_due(s, me, gain)
            points += gain + bonus
            known = plus(known, held_of(s, kind, s.hands[me]))
            o.won[kind, i] = 1
        spread(known, o.known[i])
        o.got_bonus[i] = s.got_bonus[seat] or bonus > 0
        o.points_tens[i] = TENS[points]
        o.points_ones[i] = ONES[points]
        total = min(s.scores[seat], LARGEST_SHOWN)
        o.score_tens[i] = TENS[total]
        o.score_ones[i] = ONES[total]
        if has_target(s):
            left = max(0, min(s.target + 1 - s.scores[seat] - points, LARGEST_SHOWN))
            o.left_tens[i] = TENS[left]
            o.left_ones[i] = ONES[left]


@rule
def unanswered(s, me):
    """§4.6 The round that ``me`` has won unless the other, asked aside, declares something better; or NO_ROUND.

    Until the other speaks, the table looks to ``me`` as it would if the other had nothing to declare.
    """
    if (s.phase == SEQUENCE or s.phase == SET) and s.turn != me and s.declared[s.phase - SUIT, me] > 0:
        return s.phase - SUIT
    return NO_ROUND


@rule
def known_cards(s, seat):
    """§4.6, §2.3 The cards that the other knows a seat to hold: of rounds it won, and those it saw it draw."""
    return both(s.hands[seat], plus(s.known[seat], drawn_seen(s, opponent(seat))))


HIDDEN = observation(
    DECK,
    SEATS,
    hands=cards("cards in the other hand", BOTH[1:]),
    discards=cards("cards that the other laid away"),
    lying=cards("cards in the talon that I have not seen"),
)


@rule
def hide(s, me, h):
    """The cards that seat ``me`` cannot see, where they are."""
    other = opponent(me)
    spread(s.hands[other], h.hands[0])
    spread(s.discards[other], h.discards)
    spread(minus(s.talon, talon_seen(s, me)), h.lying)


# What is said at the table


def holdings(kind, hand, seen):
    """§4.2–§4.5 What in these cards would score if its best won the round, the best first: lists of cards."""
    suits = [[rank for rank in range(RANKS) if DECK.ranks[rank] + suit in hand] for suit in DECK.suits]
    if kind == SUIT_KIND:
        best = max(range(SUITS), key=lambda suit: (SUIT_WORTH[rank_set(suits[suit])], suit))
        return [[DECK.ranks[rank] + DECK.suits[best] for rank in reversed(suits[best])]] if suits[best] else []
    found = []
    if kind == SEQUENCE_KIND:
        for suit, held in enumerate(suits):
            for run in runs(held):
                named = [DECK.ranks[rank] + DECK.suits[suit] for rank in reversed(run)]
                found.append((len(run), run[-1], suit, named))
    else:
        for rank in range(RANKS):
            named = [DECK.ranks[rank] + suit for suit, held in zip(DECK.suits, suits, strict=True) if rank in held]
            if len(named) >= THREE and COUNTING[seen["set_ranks"]] >> rank & 1:
                found.append((len(named), rank, 0, named))
    named = [its[-1] for its in sorted(found, reverse=True)]
    return named if seen["all_combinations"] else named[:1]


def points_said(kind, found, seen):
    """§4.2, §4.3, §4.4 What these holdings score together."""
    if kind == SUIT_KIND:
        return len(found[0])
    if kind == SEQUENCE_KIND:
        return sum(SEQUENCE_POINTS[len(run)] for run in found)
    return sum(FOUR_POINTS if len(its) == FOUR else TRIOS[seen["trio_value"]] for its in found)


def means(seen, action):
    """§4.1 What `declare` puts forward: the best holding, and §4.5 what would score with it."""
    if action != "declare" or seen["phase"] not in KINDS:
        return ""
    found = holdings(KINDS.index(seen["phase"]), seen["hand"], seen)
    return f"{len(found[0])}: {' and '.join(' '.join(its) for its in found)}" if found else ""


def news(before, now):
    """§4.6 Numbers declared, tie-breaks, who won a round with what; §3 cartes blanches; §5.3, §5.4, §6 extra points."""
    for i in range(SEATS):
        if i and now["laid_away"][i] > before["laid_away"][i]:
            yield i, f"{now['laid_away'][i]} laid away"
        for suit in range(SUITS):
            if now["announced"][i][suit] > before["announced"][i][suit]:
                yield i, f"a ten of {DECK.suits[suit]} without king, queen or jack, {CARTE_POINTS} points"
        if now["blank"][i] > before["blank"][i]:
            yield i, f"twelve cards without king, queen or jack, {CARTE_POINTS} points"
    for kind, word in enumerate(KINDS):
        for i in range(SEATS):
            if now["declared"][kind][i] > before["declared"][kind][i]:
                yield i, f"a {word} of {now['declared'][kind][i]}"
        tie = now["tie"][kind]
        if tie != before["tie"][kind]:
            for i in range(SEATS):
                yield i, f"total {tie[i]}" if kind == SUIT_KIND else top_said(kind, tie[i])
            if tie[0] == tie[1]:
                yield NOBODY, f"nobody wins the {word} round: both are equal"
        for i in range(SEATS):
            if now["won"][kind][i] > before["won"][kind][i]:
                held = now["known"][i] if i else now["hand"]  # of the winner's hand enough to know all that scored
                found = holdings(kind, {*held, *now["played"][i]}, now)
                shown = " and ".join(" ".join(its) for its in found)
                yield i, f"{word} round won with {shown}, {points_said(kind, found, now)} points"
    for i in range(SEATS):
        if now["got_bonus"][i] > before["got_bonus"][i]:
            yield i, bonus_said(now)
    yield from tricks_said(before, now)


def top_said(kind, rank):
    """§4.3, §4.4 The tie-break of a sequence or set in words."""
    return f"{'top card' if kind == SEQUENCE_KIND else 'rank'} {DECK.ranks[rank - 1]}"


def bonus_said(seen):
    """§6.1, §6.2 The bonus by its name."""
    if seen["bonus"] == "thirty":
        return f"the thirty bonus, {THIRTY} points more"
    return f"pique, {THIRTY} points more" if any(seen["played"]) else f"repique, {SIXTY} points more"


def tricks_said(before, now):
    """§5.3, §5.4 What most tricks score at the end, unless §7.1 the match is over already."""
    if sum(now["tricks"]) < TRICKS or sum(before["tricks"]) == TRICKS:
        return
    if now["has_target"] and not now["stop"] and not now["single_deal"] and 0 in now["left"]:
        return
    for i in range(SEATS):
        if now["tricks"][i] == TRICKS:
            more = FOR_ALL_LITERALLY if now["capot_with_cards"] else FOR_ALL
            yield i, f"all {TRICKS} tricks, capot, {more} points more"
        elif now["tricks"][i] >= MOST_TRICKS:
            yield i, f"{now['tricks'][i]} tricks, {FOR_THE_PLAY} points more for the play"


def led(now):
    """§5.1 Who led the last complete trick: elder the first, then who took the one before."""
    return last_lead(DECK, now, (now["dealer"] + 1) % SEATS)


def dealt_by(s):
    """§1.3 Who dealt the deal that is over: the other deals next."""
    return int(opponent(s.dealer))


# What a seat cannot see, dealt anew

KEPT, LAID, DREW, LIES = range(4)  # dealt to the other and kept, or laid away; drawn by the other; in the talon


@rule
def determinize(s, me, chance):
    """Deal the cards that ``me`` cannot know anew, every placement that agrees with all it knows as likely.

    A card of the other was dealt to it and kept, dealt and laid away, or drawn; which of these, ``me`` knows only of
    cards that it saw it draw. Known are cards played and shown in rounds, voids, and what a carte blanche told of the
    twelve cards dealt. Who is asked has something to say, and a number declared in a round still open is true.
    """
    if s.phase == DEALING and s.deal == 0:
        return  # nothing has been dealt yet
    other = opponent(me)
    seen, drew = talon_seen(s, me), drawn_seen(s, me)
    whole = plus(plus(s.hands[other], s.discards[other]), s.played[other])
    hidden = minus(s.talon, seen)
    room = np.zeros(4, np.int64)
    barred = np.zeros(4, np.int64)
    places = np.zeros(4, np.int64)
    room[LAID] = count(s.discards[other])
    room[DREW] = count(minus(s.drawn[other], drew))
    room[LIES] = count(hidden)
    room[KEPT] = count(whole) - count(s.drawn[other]) - room[LAID]
    bar(s, me, barred)
    for _ in range(TRIES):
        if deal_out(plus(minus(whole, drew), hidden), room, barred, places, chance) == 0.0:
            break
        hand = minus(plus(plus(places[KEPT], places[DREW]), drew), s.played[other])
        if fits(s, other, hand):
            s.hands[other] = hand
            s.discards[other] = places[LAID]
            s.drawn[other] = plus(places[DREW], drew)
            s.talon = plus(places[LIES], both(s.talon, seen))
            restack(s, me, places, chance)
            return
    raise ValueError(NEVER_WAS)


@rule
def bar(s, me, barred):
    """Which cards cannot lie where: §5.1 voids, §4.6 cards played and known, §3 cartes blanches as dealt."""
    other = opponent(me)
    held = plus(s.played[other], s.known[other])
    barred[KEPT] = minus(s.cannot[other], s.played[other])
    barred[DREW] = barred[KEPT]
    barred[LAID] = held
    barred[LIES] = held
    not_dealt, surely_dealt = EMPTY, EMPTY
    if s.blank[other]:  # §3.2
        surely_dealt = dealt(s, other)
        not_dealt = minus(ALL_CARDS, surely_dealt)
    elif s.phase == CARTE and s.turn == other and s.carte_blanche == NO_COURT:
        not_dealt = ALL_COURTS
    for suit in range(SUITS):  # §3.1
        if s.white[other, suit]:
            surely_dealt = plus(surely_dealt, TENS_OF[suit])
            not_dealt = plus(not_dealt, COURTS_OF[suit])
    barred[KEPT] = plus(barred[KEPT], not_dealt)
    barred[LAID] = plus(barred[LAID], not_dealt)
    barred[DREW] = plus(barred[DREW], surely_dealt)
    barred[LIES] = plus(barred[LIES], surely_dealt)


@rule
def fits(s, other, hand):
    """Has the other something to say with this hand if it is asked, and what it declared in a round still open?"""
    if s.phase == CARTE and s.turn == other:
        return may_announce(s, other, hand)
    if SUIT <= s.phase <= SET:
        its = worth(s, s.phase - SUIT, hand)
        told = s.declared[s.phase - SUIT, other]
        if told > 0:
            return NUMBER[its] == told
        return s.turn != other or its > 0
    return True


@rule
def restack(s, me, places, chance):
    """The pack as it must have lain, for these cards of the other and this talon."""
    other = opponent(me)
    stack(s, HAND * other, dealt(s, other))
    known = plus(plus(talon_seen(s, me), drawn_seen(s, me)), s.drawn[me])
    for place in range(TALON, TALON_END):
        if not has(known, s.pack[place]):
            pile = DREW if places[DREW] != EMPTY else LIES  # what the other drew lay above
            s.pack[place] = pick(places[pile], chance)
            places[pile] = minus(places[pile], only(s.pack[place]))
    if s.exchanged[s.elder]:
        s.left = elders_left(s)


SHAPE = Shape(OBSERVATION, HIDDEN, ACTIONS, SEATS, DECK)


def shapes(rules):
    """One layout for all rules."""
    return SHAPE


def starts(rules, single_deal):
    """§7.1 All begin with nothing."""
    return


def given_starts(rules):
    """§7.4 Any total that has not passed the target."""
    return range(MOST_START if rules.target is None else min(rules.target + 1, MOST_START))


def flaw(s):
    """§2, §3, §4 Where cards lie must agree with the pack and the exchange, questions and numbers with the hands."""
    if s.phase == DEALING and s.deal == 0:
        return ""
    if s.elder == NOBODY:
        return "a deal has an elder"
    if s.stopped and s.phase < OVER:
        return "a deal that was closed by a total is scored"
    if wrong := flaw_of_tricks(s, SUIT_OF):
        return wrong
    if s.over == RUNNING and (wrong := flaw_of_asides(s, (CARTE, SEQUENCE, SET), OVER)):
        return wrong
    elder, younger = int(s.elder), opponent(int(s.elder))
    pack, place = [1 << int(card) for card in s.pack], TALON
    for seat in (elder, younger):
        if s.exchanged[seat]:
            drawn = pack[place : place + count(int(s.discards[seat]))]
            place += len(drawn)
        else:
            drawn = []
        if s.drawn[seat] != sum(drawn):
            return "each seat has drawn the cards that lay on top when it exchanged"
        if dealt(s, seat) != sum(pack[HAND * seat : HAND * seat + HAND]):
            return "hands, cards laid away and played come from the pack"
        if count(int(s.discards[seat])) >= most_laid(s, seat) + s.exchanged[seat]:
            return "no seat has laid away more than it may"
        if minus(int(s.drawn[seat]), plus(int(s.hands[seat]), int(s.played[seat]))) != EMPTY:
            return "cards drawn are held or played"
        if minus(int(s.known[seat]), plus(int(s.hands[seat]), int(s.played[seat]))) != EMPTY:
            return "cards known to be in a hand lie there"
    if s.exchanged[younger] and not s.exchanged[elder]:
        return "elder exchanges before younger"
    if s.talon != sum(pack[place:]) or s.left != (elders_left(s) if s.exchanged[elder] else EMPTY):
        return "the talon holds what nobody has drawn"
    if s.phase in (CARTE, EXCHANGING) and (s.exchanged[s.turn] or (s.turn == younger and not s.exchanged[elder])):
        return "elder exchanges, then younger"
    if SUIT <= s.phase <= PLAYING and not (s.exchanged[elder] and s.exchanged[younger]):
        return "declarations and play come after the exchange"
    if s.phase == CARTE and (s.shown_phase, s.shown_turn) != (EXCHANGING, s.turn):
        return "after a carte blanche the same seat exchanges"
    if s.phase in (SEQUENCE, SET) and (s.shown_phase, s.shown_turn) != (PLAYING, elder):
        return "after the declarations elder leads"
    for seat in (elder, younger):
        laid = s.trick_number - 1 + count(both(int(s.trick), int(s.played[seat])))
        if s.phase <= PLAYING and count(int(s.played[seat])) != laid:
            return "each seat has laid one card to every trick"
        if s.phase == PLAYING and count(int(s.hands[seat])) + laid != HAND:
            return "each seat plays twelve cards"
    if s.phase == CARTE and not may_announce(s, s.turn, s.hands[s.turn]):
        return "who is asked for a carte blanche has one"
    if SUIT <= s.phase <= SET and not all(fits(s, seat, s.hands[seat]) for seat in (elder, younger)):
        return "who is asked has something to declare, and who has declared held as many cards"
    return ""


GAME = Game(
    name="piquet",
    title="Piquet",
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
    infos={"margin": "margin"},
    flaw=flaw,
    phases=DECIDED,
    news=news,
    led=led,
    dealt_by=dealt_by,
    means=means,
    picture={
        "known": "known",
        "titles": {"carte": "carte blanche"},
        "series": {"exchange": ("discard", "Lay away, lowest first: a card passed over stays; done ends it.")},
        "piles": {"talon": "lying"},
        "seats": {
            "dealer": "dealer",
            "laid_away": "laid away {}",
            "announced": "carte blanche {}",
            "blank": "carte blanche",
            "void": "void in {}",
            "tricks": "tricks {}",
            "points": "points {}",
            "got_bonus": "bonus",
        },
        "mine": {
            "discards": "you laid away {}",
            "shown": "the other was dealt {}",
            "known": "the other knows you hold {}",
        },
    },
)
