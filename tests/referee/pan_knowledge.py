"""What one seat knows at a table of Pan, and whether a placement of all cards could be the true one (7).

An account kept apart from the package's observations and `determinize`: it goes through the deal from its start and
looks at nothing but the seat's own cards as dealt and what was said and laid openly. No choice proves anything here,
since whoever can lay may draw as well (2.5), and who lays one card may hold three others of its rank.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .pan import CARDS, Deal

FOURS = ("H", "D", "C", "S")  # 2.7


@dataclass(frozen=True)
class Knowledge:
    """All that a seat has seen and what that proves; seats are absolute, a set holds cards as texts."""

    me: int
    turn: int | None  # the seat to move, None once the deal is over
    hand: frozenset[str]
    counts: tuple[int, ...]  # cards held by each seat
    known: tuple[frozenset[str], ...]  # by seat, its own included: cards that everybody knows it to hold
    pile: tuple[str, ...]  # from the bottom up
    unseen: frozenset[str]  # cards in the other hands, nobody but their holder knows where
    clockwise: int | None  # who would follow the seat to move by 2.6
    counter: int | None  # who would follow it by 4.1
    turns: int  # decisions made in this deal

    @classmethod
    def of(cls, deal: Deal, me: int) -> "Knowledge":
        """What seat `me` knows at this moment of a deal."""
        seats = range(len(deal.dealt))
        hand = set(deal.dealt[me])
        counts = [24 // len(seats) for _ in seats]
        known: list[set[str]] = [set() for _ in seats]
        pile: list[str] = []
        for turn in deal.turns:
            if turn.action == "draw":
                taken = pile[1:][-3:]  # 2.5: all but 9H, three at the most
                pile = pile[: -len(taken)]
                known[turn.seat] |= set(taken)
                counts[turn.seat] += len(taken)
                if turn.seat == me:
                    hand |= set(taken)
                continue
            _, *number, which = turn.action.split()
            put = [which] if not number else [which + suit for suit in FOURS]
            put = [card for card in put if card not in pile]  # 2.4: under three nines 9H lies already
            pile += put
            known[turn.seat] -= set(put)
            counts[turn.seat] -= len(put)
            if turn.seat == me:
                hand -= set(put)
        on_turn = deal.seat if deal.end is None else None
        if not deal.turns and on_turn is not None:
            known[on_turn] = {"9H"}  # 1.2: nobody else would be the first to move
        others = frozenset().union(*(known[seat] for seat in seats if seat != me))
        return cls(
            me=me,
            turn=on_turn,
            hand=frozenset(hand),
            counts=tuple(counts),
            known=tuple(frozenset(cards) for cards in known),
            pile=tuple(pile),
            unseen=frozenset(CARDS) - hand - frozenset(pile) - others,
            clockwise=None if on_turn is None else _follows(counts, on_turn, 1),
            counter=None if on_turn is None else _follows(counts, on_turn, -1),
            turns=len(deal.turns),
        )


def _follows(counts: Sequence[int], seat: int, step: int) -> int:
    """The nearest seat with cards in one direction, as the hands are now."""
    seats = len(counts)
    return next(s for s in ((seat + step * far) % seats for far in range(1, seats)) if counts[s])


def objections(knowledge: Knowledge, hands: Sequence[Iterable[str]], pile: Sequence[str] | None = None) -> list[str]:
    """Everything in a complete placement that the seat knows to be otherwise; an empty list if it could be true.

    `hands` are the cards that each seat holds now, `pile` the cards laid, from the bottom up; None: as they lie.
    """
    placed = [list(hand) for hand in hands]
    pile = knowledge.pile if pile is None else pile
    wrong = []
    if sorted([card for hand in placed for card in hand] + list(pile)) != sorted(CARDS):
        wrong.append("the hands and the pile are not the pack")
    if list(pile) != list(knowledge.pile):
        wrong.append("the pile is another")
    if [len(hand) for hand in placed] != list(knowledge.counts):
        wrong.append(f"the seats hold {knowledge.counts} cards")
    if set(placed[knowledge.me]) != knowledge.hand:
        wrong.append("the seat's own hand is another")
    for seat, known in enumerate(knowledge.known):
        if not known <= set(placed[seat]):
            wrong.append(f"seat {seat} is known to hold {sorted(known - set(placed[seat]))}")
    return wrong


def consistent(knowledge: Knowledge, hands: Sequence[Iterable[str]], pile: Sequence[str] | None = None) -> bool:
    """Whether a complete placement of the cards agrees with all that a seat knows (see `objections`)."""
    return not objections(knowledge, hands, pile)
