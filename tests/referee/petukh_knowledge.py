"""What one seat knows at a table of Petukh, and whether a placement of all cards could be the true one (12).

An account kept apart from the package's observations and `determinize`: it goes through what was said and laid openly
and looks at nothing else but the seat's own cards. No choice proves anything: who passed, stayed or kept silent may
have held anything. What the cards and the rules prove counts: a suit that was not followed, a card put back, boys said,
and that a kon went on although a khlust would have ended it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .petukh import CARDS, PAIRS, Deal, folds_allowed, khlust, legal_plays, suit, trick_winner


@dataclass(frozen=True)
class Laid:
    """A card laid, or put back (`revoke`): by whom, on which cards, in which trick (the first is 1)."""

    seat: int
    card: str
    on: tuple[str, ...]
    trick: int
    revoke: bool


@dataclass(frozen=True)
class Knowledge:
    """All that a seat has seen and what that proves; seats are absolute, a set holds cards as texts."""

    me: int
    phase: str  # as this seat sees it: whoever is asked about a khlust or boys is seen by nobody else
    turn: int | None  # the seat to move as this seat sees it, None once the kon is over
    dealer: int
    taker: int | None
    leader: int | None  # to the first trick, as soon as it is settled
    turned: str
    trump: str
    dealt: frozenset[str]  # its own cards as dealt
    hand: frozenset[str]
    aside: frozenset[str]  # its own cards laid away
    counts: tuple[int, ...]  # cards held by each seat
    laid_away: tuple[int, ...]  # cards that each seat has laid away so far
    folded: frozenset[int]
    exchanged: tuple[int | None, ...]  # in the draw variant: cards changed; None: not, or not yet
    stock: int  # cards left in the stock
    took_trump: bool
    boys: tuple[int, ...]  # said: 0, 2 or 4
    laid: tuple[Laid, ...]
    played: tuple[frozenset[str], ...]  # by seat, the current trick included
    trick: tuple[str, ...]  # the cards on the table
    lead: int | None  # who led to them, or is to lead
    tricks: tuple[int, ...]
    revokes: tuple[int, ...]
    first: int | None  # the first seat whose tricks have reached what it had left (7.4)
    known: tuple[frozenset[str], ...]  # by seat, its own included: cards that everybody knows it to hold
    lacks: tuple[frozenset[str], ...]  # by seat: cards not played yet that it has shown not to hold
    hides: frozenset[str]  # suits of which a hand may be a khlust although the kon went on (2.3)
    looked: bool  # whether the hands as dealt have been looked through for every khlust (2.1)
    draw: bool

    @classmethod
    def of(cls, deal: Deal, me: int) -> "Knowledge":
        """What seat `me` knows at this moment of a kon."""
        seats = range(len(deal.dealt))
        draw = deal.rules["stock"] == "draw"
        turned = deal.dealt[deal.dealer][-1] if deal.trump_card is None else deal.trump_card
        taker = next((said.seat for said in deal.story if said.action == "take"), None)
        folded = frozenset(said.seat for said in deal.story if said.action == "fold")
        away = [sum(said.seat == seat and said.action.startswith("discard") for said in deal.story) for seat in seats]
        if taker is not None and any(said.phase == "keep" for said in deal.story):
            away[taker] = 4  # 3.1
        done = {said.seat: away[said.seat] for said in deal.story if said.action in ("done", "take trump")}
        took = any(said.action == "take trump" for said in deal.story)
        boys = [0] * len(seats)
        for said in deal.story:
            if said.action.startswith("boys"):
                boys[said.seat] = int(said.action[-1])
        leader = _leader(deal, draw, taker, folded)
        laid, lead, tricks, revokes, first = _tricks(deal, suit(turned), leader, len(seats) - len(folded))
        played = [frozenset(its.card for its in laid if its.seat == seat and not its.revoke) for seat in seats]
        number = sum(tricks) + 1
        known = [{its.card for its in laid if its.seat == seat and its.revoke} for seat in seats]
        if took or (not draw and not away[deal.dealer]):  # 5.1, 8.3
            known[deal.dealer].add(turned)
        gone = frozenset().union(*played)
        phase, turn = _seen(deal, me, draw, leader, folded)
        return cls(
            me=me,
            phase=phase,
            turn=turn,
            dealer=deal.dealer,
            taker=taker,
            leader=leader,
            turned=turned,
            trump=suit(turned),
            dealt=frozenset(deal.dealt[me]),
            hand=frozenset(deal.hands[me]),
            aside=frozenset(deal.aside[me]),
            counts=tuple(len(hand) for hand in deal.hands),
            laid_away=tuple(away),
            folded=folded,
            exchanged=tuple(done.get(seat) for seat in seats),
            stock=_stock(len(seats), draw) - sum(done.values()) + took,
            took_trump=took,
            boys=tuple(boys),
            laid=tuple(laid),
            played=tuple(played),
            trick=tuple(its.card for its in laid if its.trick == number and not its.revoke),
            lead=lead,
            tricks=tuple(tricks),
            revokes=tuple(revokes),
            first=first,
            known=tuple(frozenset(its) - gone for its in known),
            lacks=tuple(_lacks(laid, seat, suit(turned)) - gone for seat in seats),
            hides=frozenset(suit(turned)) if deal.rules["khlust"] == "game" else frozenset(),
            looked=deal.phase != "khlust" or any(said.phase in ("keep", "exchange") for said in deal.story),
            draw=draw,
        )


def _stock(seats: int, draw: bool) -> int:
    """How many cards the stock holds after the deal (1.3, 8.1)."""
    return len(CARDS) - 5 * seats - (1 if draw else 5)


def _leader(deal: Deal, draw: bool, taker: int | None, folded: frozenset[int]) -> int | None:
    """Who leads to the first trick, once that is settled for good (3.3, 8.4)."""
    if not draw:
        passed = [said.seat for said in deal.story if said.action == "pass"]
        may_take = [seat for seat, score in enumerate(deal.scores) if seat != deal.dealer and score > 3]
        nobody = deal.dealer if all(seat in passed for seat in may_take) else None
        return nobody if taker is None else taker
    for seat in deal.clockwise(deal.dealer + 1):
        if seat not in folded:
            # Who has begun to exchange may no longer fold; the dealer may be the only one left.
            asked = any(said.seat == seat and said.phase == "exchange" for said in deal.story)
            return seat if asked or len(folded) == len(deal.dealt) - 1 else None
    return None


def _tricks(
    deal: Deal, trump: str, leader: int | None, playing: int
) -> tuple[list[Laid], int | None, list[int], list[int], int | None]:
    """The cards laid, who leads now, tricks and revokes by seat, and whose tricks were the first to get there."""
    laid: list[Laid] = []
    tricks, revokes = ([0] * len(deal.dealt) for _ in range(2))
    on: list[Laid] = []
    lead, first = leader, None
    for said in deal.story:
        if said.phase != "play":
            continue
        card = said.action.removeprefix("play ")
        laid.append(Laid(said.seat, card, tuple(its.card for its in on), sum(tricks) + 1, said.revoke))
        if said.revoke:
            revokes[said.seat] += 1
            continue
        on.append(laid[-1])
        if len(on) == playing:
            lead = on[trick_winner([its.card for its in on], trump)].seat
            tricks[lead] += 1
            on = []
            if first is None and tricks[lead] >= deal.scores[lead] + 5 * revokes[lead]:
                first = lead
    return laid, lead, tricks, revokes, first


def _lacks(laid: Iterable[Laid], seat: int, trump: str) -> frozenset[str]:
    """The cards that a seat has shown not to hold (6.1)."""
    suits: set[str] = set()
    for its in laid:
        if its.seat == seat and its.on and not its.revoke and suit(its.card) != suit(its.on[0]):
            suits.add(suit(its.on[0]))
            if suit(its.card) != trump:
                suits.add(trump)
    return frozenset(card for card in CARDS if suit(card) in suits)


def _seen(deal: Deal, me: int, draw: bool, leader: int | None, folded: frozenset[int]) -> tuple[str, int | None]:
    """Phase and seat to move as a seat sees them: who is asked about a khlust or boys is seen by nobody else (12)."""
    if deal.end is not None:
        return "over", None
    if deal.seat == me or deal.phase not in ("khlust", "boys"):
        return deal.phase, deal.seat
    if deal.phase == "boys":
        return "play", leader
    order = deal.clockwise(deal.dealer + 1)
    if draw:
        done = [said.seat for said in deal.story if said.action in ("done", "take trump", "fold")]
        left = [seat for seat in order if seat not in done]
        return ("exchange", left[0]) if left else ("play", leader)
    may_fold = [
        seat
        for seat in order[:-1]
        if min(deal.scores) > 3 and deal.folds[seat] < folds_allowed(len(order)) and seat != leader
    ]
    taken = any(said.phase == "keep" for said in deal.story)
    may_take = [] if taken else [seat for seat in order[:-1] if deal.scores[seat] > 3]
    if may_take:
        return "take", may_take[0]
    return ("fold", may_fold[0]) if may_fold else ("discard", deal.dealer)


# ------------------------------------------------------------------------------------------------- could it be true?


def objections(
    knowledge: Knowledge,
    hands: Sequence[Iterable[str]],
    aside: Sequence[Iterable[str]],
    prikup: Iterable[str],
    stock: Iterable[str],
) -> list[str]:
    """Everything in a complete placement that the seat knows to be otherwise; an empty list if it could be true.

    `hands` are the cards that each seat holds now, `aside` those that it has laid away, `prikup` the cards that lie
    there still, `stock` the rest of the pack; the turned-up card of the draw variant is nowhere while it lies.
    """
    placed, away = [list(hand) for hand in hands], [list(cards) for cards in aside]
    prikup, stock = list(prikup), list(stock)
    wrong = []
    everything = [card for pile in (*placed, *away, *knowledge.played, prikup, stock) for card in pile]
    if knowledge.draw and not knowledge.took_trump:
        everything.append(knowledge.turned)
    if sorted(everything) != sorted(CARDS):
        wrong.append("the hands, the piles and the cards played are not the pack")
    if [len(hand) for hand in placed] != list(knowledge.counts):
        wrong.append(f"the seats hold {knowledge.counts} cards")
    if [len(cards) for cards in away] != list(knowledge.laid_away):
        wrong.append(f"the seats have laid away {knowledge.laid_away} cards")
    lying = 0 if knowledge.draw or any(count == 4 for count in knowledge.laid_away) else 4
    if (len(prikup), len(stock)) != (lying, knowledge.stock):
        wrong.append(f"{lying} cards are in the prikup, {knowledge.stock} in the stock")
    if set(placed[knowledge.me]) != knowledge.hand or set(away[knowledge.me]) != knowledge.aside:
        wrong.append("the seat's own cards are others")
    for seat, cards in enumerate(knowledge.known):
        if not cards <= set(placed[seat]):
            wrong.append(f"seat {seat} is known to hold {sorted(cards - set(placed[seat]))}")
    if not knowledge.draw and knowledge.turned not in [
        *placed[knowledge.dealer],
        *away[knowledge.dealer],
        *knowledge.played[knowledge.dealer],
    ]:
        wrong.append("the turned-up card was the dealer's")
    if wrong:
        return wrong

    for seat, hand in enumerate(placed):
        five = hand + list(knowledge.played[seat])
        if seat != knowledge.me and khlust_unshown(knowledge, seat, five, away[seat]):
            wrong.append(f"seat {seat} would have shown a khlust")
        pairs = sum(all(jack in five for jack in pair) for pair in PAIRS)
        if pairs < knowledge.boys[seat] // 2:
            wrong.append(f"seat {seat} has said {knowledge.boys[seat]} boys")
    for number, its in enumerate(knowledge.laid):
        later = [other.card for other in knowledge.laid[number:] if other.seat == its.seat and not other.revoke]
        right = legal_plays(placed[its.seat] + later, its.on, knowledge.trump)
        if (its.card in right) == its.revoke:
            what = "put back" if its.revoke else "laid"
            wrong.append(f"seat {its.seat} could not have {what} {its.card} in trick {its.trick}")
    return wrong


def khlust_unshown(knowledge: Knowledge, seat: int, five: Sequence[str], away: Sequence[str]) -> bool:
    """Whether a seat with these cards, those it has played included, must have held a khlust that was not shown (2.1).

    Which of its cards it was dealt and which it got later is open unless it is told.
    """

    changed = changed_by(knowledge, seat)
    if changed and shown(knowledge, five):
        return True
    if not knowledge.looked:  # after the trump khlust, which is being asked about, the others are looked for
        return False
    old = [card for card in five if not (knowledge.took_trump and card == knowledge.turned)]
    return all(shown(knowledge, [*kept, *away]) for kept in combinations(old, len(five) - changed))


def shown(knowledge: Knowledge, hand: Iterable[str]) -> bool:
    """Whether a hand is a khlust with which no kon goes on."""
    held = khlust(list(hand))
    return held is not None and held not in knowledge.hides


def changed_by(knowledge: Knowledge, seat: int) -> int:
    """How many cards a seat has drawn."""
    if seat == knowledge.taker and knowledge.laid_away[seat] == 4:
        return 4
    return knowledge.exchanged[seat] or 0


def origin_objections(
    knowledge: Knowledge,
    hands: Sequence[Iterable[str]],
    aside: Sequence[Iterable[str]],
    stock: Iterable[str],
    dealt: Mapping[str, Any],
) -> list[str]:
    """What else is wrong with a placement that tells where each card lay when the kon was dealt, as a record does."""
    wrong = []
    seats = len(knowledge.counts)
    lots = list(dealt["stock"])
    pile = dealt["trump_card"] if knowledge.draw else dealt["prikup"]
    if sorted([card for hand in dealt["hands"] for card in hand] + list(pile) + lots) != sorted(CARDS):
        wrong.append("the cards dealt are not the pack")
    if knowledge.draw and list(dealt["trump_card"]) != [knowledge.turned]:
        wrong.append("another card was turned up")
    if not knowledge.draw and dealt["hands"][knowledge.dealer][-1] != knowledge.turned:
        wrong.append("another card was turned up")
    if set(dealt["hands"][knowledge.me]) != knowledge.dealt:
        wrong.append("the seat was dealt other cards")
    for seat in ((knowledge.dealer + 1 + step) % seats for step in range(seats)):
        first, away = set(dealt["hands"][seat]), set(aside[seat])
        drawn = (set(hands[seat]) | knowledge.played[seat]) - first
        if not away <= first or len(drawn) != changed_by(knowledge, seat):
            wrong.append(f"seat {seat} cannot have been dealt {sorted(first)}")
        if seat != knowledge.me and knowledge.looked and shown(knowledge, first):
            wrong.append(f"seat {seat} would have shown a khlust as dealt")
        if seat == knowledge.taker and drawn and drawn != set(dealt["prikup"]):
            wrong.append("the prikup was another")
        if knowledge.draw:
            drawn -= {knowledge.turned}
            if drawn != set(lots[: len(drawn)]):
                wrong.append(f"seat {seat} has not drawn from the top of the stock")
            lots = lots[len(drawn) :]
    if set(lots) != set(stock):
        wrong.append("the stock as dealt was another")
    return wrong


def consistent(
    knowledge: Knowledge,
    hands: Sequence[Iterable[str]],
    aside: Sequence[Iterable[str]],
    prikup: Iterable[str],
    stock: Iterable[str],
) -> bool:
    """Whether a complete placement of the cards agrees with all that a seat knows (see `objections`)."""
    return not objections(knowledge, hands, aside, prikup, stock)
