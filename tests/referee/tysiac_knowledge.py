"""What one seat knows at a table of Tysiąc, and whether a placement of all cards could be the true one (12).

An account kept apart from the package's observations and `determinize`, by going through the deal from its start.
Only what the cards show counts: what would follow from bids, contracts, silence or a redeal that was not asked for
does not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .tysiac import CARDS, Deal, Draw, Play, legal_plays, suit


@dataclass(frozen=True)
class Knowledge:
    """All that a seat has seen and what that proves; seats are absolute, a set holds cards as texts."""

    me: int
    phase: str
    declarer: int | None
    dealt: frozenset[str]  # its own cards as dealt
    hand: frozenset[str]
    counts: tuple[int, ...]  # cards held by each seat
    lying: int  # cards of the talons on the table
    chosen: int | None  # which of two talons declarer took, seen by all: 0 is the first
    closed: int  # cards of the talon not chosen
    talon: frozenset[str] | None  # the talon that declarer takes, as dealt, if this seat has seen it
    laid_away: int  # cards that declarer has laid away
    away: frozenset[str] | None  # those cards, if this seat is declarer
    stock: int  # cards left in the stock
    draws: tuple[Draw, ...]  # from the stock so far, in order; the card is None where another seat drew it
    given: tuple[int, ...]  # the seats that have been given a card, seen by all
    gave: dict[int, str]  # receiver -> card, if this seat is declarer
    got: str | None  # the card declarer gave to this seat
    played: tuple[frozenset[str], ...]  # by seat, the current trick included
    halves: tuple[frozenset[str], ...]  # by seat: the other card of a melded marriage, still in hand
    lacks: tuple[frozenset[str], ...]  # by seat: cards not played yet that the seat has shown not to hold
    plays: tuple[Play, ...]
    claimed: frozenset[str] | None

    @classmethod
    def of(cls, deal: Deal, me: int) -> "Knowledge":
        """What seat `me` knows at this moment of a deal."""
        seats = range(deal.seats)
        played = tuple(frozenset(play.card for play in deal.plays if play.seat == seat) for seat in seats)
        gone = frozenset().union(*played)
        declared = deal.declarer == me
        return cls(
            me=me,
            phase=deal.phase,
            declarer=deal.declarer,
            dealt=frozenset(deal.dealt[me]),
            hand=frozenset(deal.hands[me]),
            counts=tuple(len(hand) for hand in deal.hands),
            lying=len(deal.lying),
            chosen=deal.chosen,
            closed=len(deal.closed),
            talon=_talon(deal, me),
            laid_away=len(deal.away),
            away=frozenset(deal.away) if declared else None,  # 4.2: known to him alone
            stock=len(deal.stock),
            draws=tuple(draw if draw.seat == me else replace(draw, card=None) for draw in deal.draws),  # 7.1
            given=tuple(deal.gifts),
            gave=dict(deal.gifts) if declared else {},  # 4.2: only giver and receiver know it
            got=deal.gifts.get(me),
            played=played,
            halves=tuple(_halves(deal.plays, seat) - gone for seat in seats),
            lacks=tuple(_lacks(deal.plays, seat) - gone for seat in seats),
            plays=tuple(deal.plays),
            claimed=None if deal.claimed is None else frozenset(deal.claimed),  # 4.5: the hand is shown
        )


def _talon(deal: Deal, me: int) -> frozenset[str] | None:
    """The talon that declarer takes, if this seat has seen it (4.1)."""
    if not deal.talon_shown and (deal.declarer != me or deal.chosen is None):
        return None
    return frozenset(deal.talons[deal.chosen or 0])


def _other(card: str) -> str:
    """The other card of a marriage."""
    return ("K" if card[0] == "Q" else "Q") + suit(card)


def _halves(plays: Iterable[Play], seat: int) -> frozenset[str]:
    """The cards that a seat's melds have shown beside the cards laid; a king on a queen shows none (5.6)."""
    return frozenset(_other(play.card) for play in plays if play.seat == seat and play.melded and not play.on)


def _lacks(plays: Iterable[Play], seat: int) -> frozenset[str]:
    """The cards that a seat cannot hold, since beside them the card it laid would have been illegal (5.2)."""
    proven: set[str] = set()
    for play in plays:
        if play.seat != seat or not play.on or not play.bound:
            continue  # a lead is free, and so is every card while a stock lies (7.1)
        for card in CARDS:
            if card != play.card and play.card not in legal_plays([card, play.card], play.on, play.trump):
                proven.add(card)
    return frozenset(proven)


def objections(
    knowledge: Knowledge,
    hands: Sequence[Iterable[str]],
    talon_lying: Iterable[str],
    gifts: Mapping[int, str],
    away: Iterable[str] = (),
    closed: Iterable[str] = (),
    stock: Iterable[str] = (),
) -> list[str]:
    """Everything in a complete placement that the seat knows to be otherwise; an empty list if it could be true.

    `hands` are the cards that each seat holds now, `talon_lying` the talon's cards while they lie on the table,
    `gifts` the cards that declarer has given so far: receiver -> card; `away` what he has laid away, `closed` the talon
    that he did not choose, `stock` what is left to draw.
    """
    seats = range(len(knowledge.counts))
    placed = [list(hand) for hand in hands]
    lying, away, closed, stock = list(talon_lying), list(away), list(closed), list(stock)
    wrong = []

    everything = [card for pile in (*placed, lying, away, closed, stock, *knowledge.played) for card in pile]
    if sorted(everything) != sorted(CARDS):
        wrong.append("the hands, the piles and the cards played are not the pack")
    if [len(hand) for hand in placed] != list(knowledge.counts):
        wrong.append(f"the seats hold {knowledge.counts} cards")
    if len(lying) != knowledge.lying:
        wrong.append(f"{knowledge.lying} cards lie on the table")
    if (len(away), len(closed)) != (knowledge.laid_away, knowledge.closed):
        wrong.append(f"{knowledge.laid_away} cards are laid away, {knowledge.closed} in the talon not chosen")
    if len(stock) != knowledge.stock:
        wrong.append(f"{knowledge.stock} cards are in the stock")
    if set(placed[knowledge.me]) != knowledge.hand:
        wrong.append("the seat's own hand is another")

    # 4.2
    if sorted(gifts) != sorted(knowledge.given):
        wrong.append(f"cards were given to the seats {knowledge.given}")
    if knowledge.declarer == knowledge.me and dict(gifts) != knowledge.gave:
        wrong.append("the seat has given other cards")
    if knowledge.got is not None and gifts.get(knowledge.me) != knowledge.got:
        wrong.append("the seat was given another card")
    for receiver, card in gifts.items():
        if card not in placed[receiver] and card not in knowledge.played[receiver]:
            wrong.append(f"seat {receiver} can no longer have lost the {card} it was given")
    if knowledge.away is not None and set(away) != knowledge.away:
        wrong.append("the seat has laid away other cards")

    # 4.1: once declarer took the talon a card of it is his, was played by him, was given or was laid away.
    if knowledge.talon is not None and knowledge.lying:
        if not knowledge.talon <= set(lying):
            wrong.append(f"the talon is {sorted(knowledge.talon)}")
    elif knowledge.talon is not None:
        assert knowledge.declarer is not None
        his = set(placed[knowledge.declarer]) | knowledge.played[knowledge.declarer] | set(gifts.values()) | set(away)
        if not knowledge.talon <= his:
            wrong.append(f"declarer took {sorted(knowledge.talon - his)} out of the talon")

    # 5.4
    for seat in seats:
        if not knowledge.halves[seat] <= set(placed[seat]):
            wrong.append(f"seat {seat} has shown {sorted(knowledge.halves[seat])}")

    # 5.2: with the hand that it had at the time, each seat's play was legal. Where it held nobody draws any more.
    for number, play in enumerate(knowledge.plays):
        later = [other.card for other in knowledge.plays[number:] if other.seat == play.seat]
        if play.bound and play.card not in legal_plays(placed[play.seat] + later, play.on, play.trump):
            wrong.append(f"seat {play.seat} could not have laid {play.card} in trick {play.trick}")

    if knowledge.claimed is not None:
        assert knowledge.declarer is not None
        if set(placed[knowledge.declarer]) != knowledge.claimed:
            wrong.append("declarer has shown another hand")
    return wrong


def origin_objections(
    knowledge: Knowledge,
    hands: Sequence[Iterable[str]],
    gifts: Mapping[int, str],
    away: Iterable[str],
    closed: Iterable[str],
    stock: Iterable[str],
    dealt: Mapping[str, Any],
) -> list[str]:
    """What else is wrong with a placement that tells where each card lay when it was dealt, as a record does."""
    seats = range(len(knowledge.counts))
    first = [set(hand) for hand in dealt["hands"]]
    talons = dealt.get("talon", [])
    talons = [list(talon) for talon in talons] if talons and not isinstance(talons[0], str) else [list(talons)]
    lots = list(dealt.get("stock", []))
    wrong = []
    if sorted([card for pile in (*first, *talons, lots) for card in pile]) != sorted(CARDS):
        wrong.append("the cards dealt are not the pack")
    if first[knowledge.me] != knowledge.dealt:
        wrong.append("the seat was dealt other cards")
    took = talons[knowledge.chosen or 0]
    if knowledge.talon is not None and set(took) != knowledge.talon:
        wrong.append(f"the talon was {sorted(knowledge.talon)}")
    if knowledge.closed and set(closed) != set(talons[1 - (knowledge.chosen or 0)]):
        wrong.append("the talon not chosen was another")
    drawn, left = lots[: len(knowledge.draws)], lots[len(knowledge.draws) :]
    if left != list(stock):
        wrong.append("the stock as dealt was another")
    for card, draw in zip(drawn, knowledge.draws, strict=True):
        if draw.card not in (None, card):
            wrong.append(f"the seat drew {draw.card}, not {card}")

    gone = {*gifts.values(), *away}
    for seat in seats:
        got = {card for card, draw in zip(drawn, knowledge.draws, strict=True) if draw.seat == seat}
        got |= {gifts[seat]} if seat in gifts else set()
        lost = set()
        if seat == knowledge.declarer and not knowledge.lying:
            got |= set(took)
            lost = gone
        if not lost <= first[seat] | got or (first[seat] | got) - lost != set(hands[seat]) | knowledge.played[seat]:
            wrong.append(f"seat {seat} cannot have been dealt {sorted(first[seat])}")

    # 7.1: nothing was laid, or shown in a marriage, before it was drawn.
    drawn_after = {card: draw.trick for card, draw in zip(drawn, knowledge.draws, strict=True)}
    for play in knowledge.plays:
        shown = [play.card, _other(play.card)] if play.melded and not play.on else [play.card]
        for card in shown:
            if drawn_after.get(card, 0) >= play.trick:
                wrong.append(f"{card} was drawn only after trick {drawn_after[card]}")
    return wrong


def consistent(
    knowledge: Knowledge,
    hands: Sequence[Iterable[str]],
    talon_lying: Iterable[str],
    gifts: Mapping[int, str],
    away: Iterable[str] = (),
    closed: Iterable[str] = (),
    stock: Iterable[str] = (),
) -> bool:
    """Whether a complete placement of the cards agrees with all that a seat knows (see `objections`)."""
    return not objections(knowledge, hands, talon_lying, gifts, away, closed, stock)
