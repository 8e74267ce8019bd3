"""Tysiąc (Thousand): bid for the talon, then take your contract in tricks and marriages; the first at 1000 wins.

Source   tysiac.md beside this file; its clauses are cited as §
Scope    all nine tables, in one four-seat layout; matches and single deals
Here     dealing, auction, talon, play, and the game as a whole; neighbours: cards, tables, options, actions and state
         in tysiac_tables.py, points and rewards in tysiac_score.py, what a seat sees and does not in tysiac_sees.py,
         what it cannot see dealt anew in tysiac_imagined.py, what is said to a person in tysiac_told.py
Rulings  those marked *(decided)* in the book
"""

from ..cards import EMPTY, NO_CARD, both, cards_at, count, has, highest, lowest, minus, only, plus, spread
from ..chance import draw, draw_dealer, shuffle_pack
from ..game import (
    ASKED,
    DEAL,
    END,
    MOST_START,
    NOBODY,
    RUNNING,
    SCORE,
    TERMINATED,
    TRUNCATED,
    Game,
    Shape,
    next_seat,
    seat_before,
)
from ..kernel import rule
from ..tricks import NO_TRUMP, beat, clear_play, flaw_of_tricks, follow, lay_card, stronger, take_trick
from .tysiac_imagined import determinize
from .tysiac_score import returns, score
from .tysiac_sees import HIDDEN, OBSERVATION, frame, hide, observe
from .tysiac_tables import (
    ABOVE,
    ACTIONS,
    ALL_CARDS,
    ALL_POINTS,
    AUCTION,
    BID,
    BOMB,
    BOMB_ANY,
    BOMB_AT_100,
    BOMB_TO_120,
    BOMBED,
    BOMBS_EACH,
    CAP_FREE,
    CAP_HAND,
    CAP_MARRIAGE,
    CARDS,
    CLAIM,
    CLAIMED,
    CLAIMS,
    CONCEDE,
    CONCEDED,
    CONTRACT,
    CONTRACTING,
    DEALING,
    DECIDED,
    DECK,
    GAME_POINTS,
    GIVE,
    GIVING,
    HAND,
    HAS_AUCTION,
    KING,
    KING_ON_QUEEN,
    LIMIT,
    MARRIAGE,
    MELD,
    MELD_CARD,
    MELD_EITHER,
    NINES,
    NO_TALON,
    OF_SUIT,
    OPEN_TALON,
    OPENING,
    OVER,
    PAIR,
    PASS,
    PLAY,
    PLAYED_OUT,
    PLAYERS,
    PLAYING,
    POINTS,
    QUEEN,
    REDEAL,
    REDEAL_BELOW,
    RESTS,
    SCORING,
    SHOW_ABOVE_100,
    SHOW_ALWAYS,
    SMALL_BID,
    STARTS,
    STARTS_COUNT,
    STARTS_LOW,
    STATE,
    STEP,
    STEP_TEN,
    STOCK,
    SUIT_OF,
    SUITS,
    TABLES,
    TAKE,
    TAKING,
    TALON,
    TALONS,
    TEAMS,
    TRICKS,
    TWO_TALONS,
    UNIT,
    UNLIMITED,
    Rules,
    card_points,
    marriages,
)
from .tysiac_told import asks, called, led, news, shown


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
    s.players = PLAYERS[s.table]
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
    s.players = s.seats
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
    """§4.1, §7.2 Declarer takes the talon; §2.2 of two he chooses; §4.3 without any he says his contract at once."""
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
    for _ in range(s.players - 1):
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
    if s.laid < s.players:
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


def shapes(rules):
    """One four-seat layout and one list of actions for all tables; absent seats' columns are 0."""
    return Shape(OBSERVATION, HIDDEN, ACTIONS, rules.seats, DECK)


def starts(rules, single_deal):
    """§6.6 The scores from which each seat's start is drawn, or None if all start at 0."""
    return STARTS if single_deal and rules.start_scores == "random" else None


def given_starts(rules):
    """§6.4 Any score at which the match is not over, so far from what a state can hold that no match gets there."""
    return range(-MOST_START, GAME_POINTS)


def dealt_by(s):
    """§1.3 Who dealt the deal that is over: its opener sat on his left."""
    return int(s.opener - 1) % int(s.seats)


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
    if (RESTS[s.table] and s.resting in (NOBODY, s.turn)) or s.players != PLAYERS[s.table]:
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
        if seat == s.resting:
            continue
        spare = due + drawn + s.stocked // 2 - TRICKS[s.table]
        if s.phase == GIVING and seat == s.declarer and spare <= 0:
            return "declarer who gives has a card to part with"
        if s.phase in (CONTRACTING, PLAYING) and spare != 0:
            return "contract and play come after giving and laying away"
        if s.phase != PLAYING:
            continue
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
    won_at=GAME_POINTS,
    unit=UNIT,
    flaw=flaw,
    phases=DECIDED,
    news=news,
    called=called,
    asks=asks,
    led=led,
    shown=shown,
    dealt_by=dealt_by,
    picture={
        "piles": {"talon": "lying", "aside": ("gave", "laid_aside"), "the stock": "stock"},
        "parts": {"aside": ("gave", "declarer", "laid away", "other talon")},
        "seats": {
            "partner": "partner",
            "dealer": ["dealer", ("rests", "table=4p_resting")],
            "declarer": "declarer",
            "passed": ("passed", "auction"),
            "bid": ("bid {}", "auction"),
            "tricks": "tricks {}",
            "points": "points {}",
            "melded": "melded {}",
        },
        "facts": {
            "contract": "contract {}",
            "trump": "trump {}",
            "sides": "{}",
            "aside goes": "{}",
            "talon earns": "{}",
        },
        "mine": {
            "talon": ("talon {}", "give", "contract", "play", "over"),  # an open one lies on the table before
            "got": "you were given {}",
            "gifts": "{}",
            "I rest": "you rest this deal",
        },
    },
)
