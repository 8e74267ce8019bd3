"""What one seat knows at a table of Tysiąc `3p`, and whether a placement of all cards could be the true one (12).

An account kept apart from the package's observations and `determinize`, by going through the deal from its start.
Only what the cards show counts: what would follow from bids, contracts, silence or a redeal that was not asked for
does not.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .tysiac import CARDS, Deal, Play, legal_plays, suit


@dataclass(frozen=True)
class Knowledge:
    """All that a seat has seen and what that proves; seats are absolute, a set holds cards as texts."""

    me: int
    phase: str
    declarer: int | None
    hand: frozenset[str]
    counts: tuple[int, ...]  # cards held by each seat
    lying: int  # cards of the talon on the table
    talon: frozenset[str] | None  # the talon as dealt, if this seat has seen it
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
            hand=frozenset(deal.hands[me]),
            counts=tuple(len(hand) for hand in deal.hands),
            lying=len(deal.lying),
            talon=frozenset(deal.talon) if deal.talon_shown or declared else None,  # 4.1
            given=tuple(deal.gifts),
            gave=dict(deal.gifts) if declared else {},  # 4.2: only giver and receiver know it
            got=deal.gifts.get(me),
            played=played,
            halves=tuple(_halves(deal.plays, seat) - gone for seat in seats),
            lacks=tuple(_lacks(deal.plays, seat) - gone for seat in seats),
            plays=tuple(deal.plays),
            claimed=None if deal.claimed is None else frozenset(deal.claimed),  # 4.5: the hand is shown
        )


def _halves(plays: Iterable[Play], seat: int) -> frozenset[str]:
    """The cards that a seat's melds have shown beside the cards laid."""
    melds = [play.card for play in plays if play.seat == seat and play.melded]
    return frozenset(("K" if card[0] == "Q" else "Q") + suit(card) for card in melds)


def _lacks(plays: Iterable[Play], seat: int) -> frozenset[str]:
    """The cards that a seat cannot hold, since beside them the card it laid would have been illegal (5.2)."""
    proven: set[str] = set()
    for play in plays:
        if play.seat != seat or not play.on:
            continue  # a lead is free
        for card in CARDS:
            if card != play.card and play.card not in legal_plays([card, play.card], play.on, play.trump):
                proven.add(card)
    return frozenset(proven)


def objections(
    knowledge: Knowledge,
    hands: Sequence[Iterable[str]],
    talon_lying: Iterable[str],
    gifts: Mapping[int, str],
) -> list[str]:
    """Everything in a complete placement that the seat knows to be otherwise; an empty list if it could be true.

    `hands` are the cards that each seat holds now, `talon_lying` the talon's cards while they lie on the table,
    `gifts` the cards that declarer has given so far: receiver -> card.
    """
    seats = range(len(knowledge.counts))
    placed = [list(hand) for hand in hands]
    lying = list(talon_lying)
    wrong = []

    everything = [card for hand in placed for card in hand] + lying + [c for pile in knowledge.played for c in pile]
    if sorted(everything) != sorted(CARDS):
        wrong.append("the hands, the talon and the cards played are not the pack")
    if [len(hand) for hand in placed] != list(knowledge.counts):
        wrong.append(f"the seats hold {knowledge.counts} cards")
    if len(lying) != knowledge.lying:
        wrong.append(f"{knowledge.lying} cards lie on the table")
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

    # 4.1: declarer took the talon; a card of it is his, was played by him, or was given away.
    if knowledge.talon is not None:
        assert knowledge.declarer is not None
        his = set(placed[knowledge.declarer]) | knowledge.played[knowledge.declarer] | set(gifts.values())
        if not knowledge.talon <= his:
            wrong.append(f"declarer took {sorted(knowledge.talon - his)} out of the talon")

    # 5.4
    for seat in seats:
        if not knowledge.halves[seat] <= set(placed[seat]):
            wrong.append(f"seat {seat} has shown {sorted(knowledge.halves[seat])}")

    # 5.2: with the hand that it had at the time, each seat's play was legal.
    for number, play in enumerate(knowledge.plays):
        later = [other.card for other in knowledge.plays[number:] if other.seat == play.seat]
        if play.card not in legal_plays(placed[play.seat] + later, play.on, play.trump):
            wrong.append(f"seat {play.seat} could not have laid {play.card} in trick {play.trick}")

    if knowledge.claimed is not None:
        assert knowledge.declarer is not None
        if set(placed[knowledge.declarer]) != knowledge.claimed:
            wrong.append("declarer has shown another hand")
    return wrong


def consistent(
    knowledge: Knowledge,
    hands: Sequence[Iterable[str]],
    talon_lying: Iterable[str],
    gifts: Mapping[int, str],
) -> bool:
    """Whether a complete placement of the cards agrees with all that a seat knows (see `objections`)."""
    return not objections(knowledge, hands, talon_lying, gifts)
