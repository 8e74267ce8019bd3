"""What one seat knows at a table of Piquet, and whether a placement of all cards could be the true one (9).

An account kept apart from the package's observations and `determinize`, by going through the deal from its start. Only
what was seen counts: what would follow from silence, or from the length of a losing holding once its round is over,
does not. A round that is still open is different: what was declared in it is about to be compared.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .piquet import CARDS, COURT, ROUNDS, Deal, Play, best, can_announce

ASIDE = ("sequence", "set")  # rounds in which a seat is asked so that the other does not notice


@dataclass(frozen=True)
class Knowledge:
    """All that a seat has seen and what that proves; seats are absolute, a set holds cards as texts."""

    me: int
    elder: int
    phase: str  # as the seat sees it: what the other is asked aside looks like what comes after it
    turn: int | None  # the same; None once the deal is over
    dealt: frozenset[str]  # its own twelve
    hand: frozenset[str]
    discards: frozenset[str]
    away: tuple[int, int]  # cards laid away; the other's only once his exchange is over
    held: tuple[int, int]  # cards in hand; the other's as before while he exchanges
    talon: frozenset[str]  # what it saw lying after its own exchange
    exchanged: tuple[bool, bool]  # whose exchange is over
    lots: tuple[Any, ...]  # what it saw of the talons, see `_lots`
    said: tuple[tuple[str, ...], tuple[str, ...]]  # announcements (3)
    shown: frozenset[str]  # the other's twelve cards (3.2)
    known: tuple[frozenset[str], frozenset[str]]  # by holder: cards in hand of which the other seat knows
    void: tuple[frozenset[str], frozenset[str]]  # suits that a seat has shown not to hold (5.1)
    declared: tuple[tuple[int, int], ...]  # by round and seat: the number told, or 0
    ties: tuple[tuple[int, int], ...]  # by round and seat: the tie-break value where it was told, or 0
    won: tuple[int | None, ...]  # by round
    points: tuple[int, int]  # in this deal
    bonus: tuple[int, int]  # of these the bonus
    plays: tuple[Play, ...]
    rules: dict[str, Any]
    asked: tuple[str, int] | None  # what is asked in truth: not known, but an imagined table must be able to go on

    @property
    def other(self) -> int:
        """The other seat."""
        return 1 - self.me

    @classmethod
    def of(cls, deal: Deal, me: int) -> "Knowledge":
        """What seat `me` knows at this moment of a deal."""
        other = 1 - me
        exchanged = (deal.drew[0] is not None, deal.drew[1] is not None)
        shown = _shown(deal, me)
        phase, turn = _seen(deal, me)
        declared, ties, won = _told(shown)
        laid = [len(cards) for cards in deal.laid_away]
        played = [sum(play.seat == seat for play in deal.plays) for seat in (0, 1)]
        return cls(
            me=me,
            elder=deal.elder,
            phase=phase,
            turn=turn,
            dealt=frozenset(deal.dealt[me]),
            hand=frozenset(deal.hands[me]),
            discards=frozenset(deal.laid_away[me]),
            away=_pair(me, laid[me], laid[other] if exchanged[other] else 0),
            held=_pair(me, len(deal.hands[me]), 12 - played[other]),
            talon=frozenset(deal.left[me]),
            exchanged=exchanged,
            lots=_lots(me, deal.elder, laid, exchanged, deal.talon_elder, deal.talon_younger),
            said=(tuple(deal.said[0]), tuple(deal.said[1])),
            shown=frozenset(deal.dealt[other] if "carte blanche" in deal.said[other] else ()),
            known=(_known(shown, 0), _known(shown, 1)),
            void=(_void(deal.plays, 0), _void(deal.plays, 1)),
            declared=declared,
            ties=ties,
            won=won,
            points=(shown.points[0], shown.points[1]),
            bonus=(shown.bonus(0), shown.bonus(1)),
            plays=tuple(deal.plays),
            rules=deal.rules,
            asked=None if deal.end is not None else (deal.phase, deal.seat),
        )


def _pair(me: int, mine: Any, others: Any) -> tuple[Any, Any]:
    """Two values by seat."""
    return (mine, others) if me == 0 else (others, mine)


def _seen(deal: Deal, me: int) -> tuple[str, int | None]:
    """Phase and seat to move as a seat sees them (4.6: who is not asked looks like who keeps silent)."""
    if deal.end is not None:
        return "over", None
    if deal.seat != me and deal.phase == "carte":
        return "exchange", deal.seat
    if deal.seat != me and deal.phase in ASIDE:
        return "play", deal.elder
    return deal.phase, deal.seat


def _drawn(
    elder: int, away: Sequence[int], exchanged: Sequence[bool], talon_elder: Sequence[str], talon_younger: Sequence[str]
) -> tuple[list[list[str]], list[str]]:
    """What each seat drew for so many cards laid away, and what elder left, in order (2.2, 2.3)."""
    drew: list[list[str]] = [[], []]
    left: list[str] = []
    if exchanged[elder]:
        drew[elder], left = list(talon_elder[: away[elder]]), list(talon_elder[away[elder] :])
    if exchanged[1 - elder]:
        drew[1 - elder] = (left + list(talon_younger))[: away[1 - elder]]
    return drew, left


def _shown(deal: Deal, me: int) -> Deal:
    """The deal as a seat sees it: if the other is asked aside, then what he could say has not been heard.

    So a holding that this seat has declared stands unanswered: its round looks won.
    """
    if deal.end is None and deal.seat != me and deal.phase in ASIDE:
        deal = deal.retold()
        deal.act("pass")
    return deal


def _lots(
    me: int,
    elder: int,
    away: Sequence[int],
    exchanged: Sequence[bool],
    talon_elder: Sequence[str],
    talon_younger: Sequence[str],
) -> tuple[Any, ...]:
    """What a seat sees of the talons: elder what he drew, and what he left in its order; younger what he drew.

    And which cards lie, each from elder's talon and from his own (2.2, 2.3).
    """
    if not exchanged[me]:
        return ()
    drew, left = _drawn(elder, away, exchanged, talon_elder, talon_younger)
    if me == elder:
        return (frozenset(drew[me]), tuple(left))
    return tuple(
        frozenset(lot)
        for cards in (left, talon_younger)
        for lot in ([card for card in cards if card in drew[me]], [card for card in cards if card not in drew[me]])
    )


def _known(deal: Deal, holder: int) -> frozenset[str]:
    """The cards in a hand of which the other seat knows (4.6; 2.3: elder has seen what he left)."""
    cards = {card for its in deal.rounds if its.winner == holder for holding in its.scored for card in holding.cards}
    if holder == deal.younger and deal.drew[holder] is not None:
        cards |= set(deal.left[deal.elder][: len(deal.laid_away[holder])])
    return frozenset(cards) - {play.card for play in deal.plays}


def _void(plays: Sequence[Play], seat: int) -> frozenset[str]:
    """The suits in which a seat has not followed (5.1)."""
    return frozenset(
        play.on[1] for play in plays if play.seat == seat and play.on is not None and play.on[1] != play.card[1]
    )


def _told(deal: Deal) -> tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...], tuple[int | None, ...]]:
    """Numbers, tie-break values and winners, by round (4.6)."""
    numbers, ties, won = [(0, 0)] * 3, [(0, 0)] * 3, [None] * 3
    for its in deal.rounds:
        i = ROUNDS.index(its.kind)
        told = [len(its.declared[seat].cards) if seat in its.declared else 0 for seat in (0, 1)]
        numbers[i] = (told[0], told[1])
        if len(its.declared) == 2 and told[0] == told[1]:
            ties[i] = (its.declared[0].tie, its.declared[1].tie)
        won[i] = its.winner
    return tuple(numbers), tuple(ties), tuple(won)


def objections(
    knowledge: Knowledge,
    hands: Sequence[Sequence[str]],
    laid_away: Sequence[Sequence[str]],
    dealt: Sequence[Sequence[str]],
    talon_elder: Sequence[str],
    talon_younger: Sequence[str],
) -> list[str]:
    """Everything in a complete placement that the seat knows to be otherwise; an empty list if it could be true.

    `hands` are the cards that each seat holds now, `laid_away` what it has laid away, `dealt` what it was dealt; the
    talons are as they were dealt, top first.
    """
    me, other, elder = knowledge.me, knowledge.other, knowledge.elder
    wrong = []
    pack = [*dealt[0], *dealt[1], *talon_elder, *talon_younger]
    if sorted(pack) != sorted(CARDS):
        wrong.append("what was dealt is not the pack")
    if [len(pile) for pile in (*dealt, talon_elder, talon_younger)] != [12, 12, 5, 3]:
        wrong.append("hands of twelve, talons of five and three are dealt")
    if set(hands[me]) != knowledge.hand:
        wrong.append("the seat's own hand is another")
    if set(dealt[me]) != knowledge.dealt:
        wrong.append("the seat was dealt other cards")
    if set(laid_away[me]) != knowledge.discards:
        wrong.append("the seat has laid away other cards")

    # 2: what a seat has had is what it was dealt and what it drew for the cards that it laid away.
    away = [len(cards) for cards in laid_away]
    drew, _ = _drawn(elder, away, knowledge.exchanged, talon_elder, talon_younger)
    for seat in (0, 1):
        played = [play.card for play in knowledge.plays if play.seat == seat]
        if sorted([*hands[seat], *laid_away[seat], *played]) != sorted([*dealt[seat], *drew[seat]]):
            wrong.append(f"seat {seat} was dealt and drew other cards than it holds, has laid away and has played")
        if not set(laid_away[seat]) <= set(dealt[seat]):
            wrong.append(f"seat {seat} has laid away cards that it drew for them")  # 2.5
    if knowledge.exchanged[other] and away[other] != knowledge.away[other]:
        wrong.append(f"seat {other} has laid away {knowledge.away[other]} cards")
    if _lots(me, elder, away, knowledge.exchanged, talon_elder, talon_younger) != knowledge.lots:
        wrong.append("the seat has seen other cards in the talons")

    # 3: as dealt.
    for action in knowledge.said[other]:
        suit = action.removeprefix("carte blanche").strip()
        court = {rank + suit for rank in COURT}
        if suit and ("T" + suit not in dealt[other] or court & set(dealt[other])):
            wrong.append(f"seat {other} has announced the ten of {suit}")
        if not suit and set(dealt[other]) != knowledge.shown:
            wrong.append(f"seat {other} has shown another hand")

    if not knowledge.known[other] <= set(hands[other]):
        wrong.append(f"seat {other} is known to hold {sorted(knowledge.known[other] - set(hands[other]))}")
    for suit in knowledge.void[other]:  # 5.1
        if any(card[1] == suit for card in hands[other]):
            wrong.append(f"seat {other} has no {suit}")

    # 4: a declaration that is still open will be compared.
    for kind, numbers in zip(ROUNDS, knowledge.declared, strict=True):
        if knowledge.asked == (kind, me) and numbers[other]:
            holding = best(knowledge.rules, kind, hands[other])
            if holding is None or len(holding.cards) != numbers[other]:
                wrong.append(f"seat {other} has declared a {kind} of {numbers[other]}")
    # Whoever is asked has something to say.
    if knowledge.asked == ("carte", other) and not can_announce(knowledge.rules, dealt[other], knowledge.said[other]):
        wrong.append(f"seat {other} has no carte blanche to announce")
    for kind in ASIDE:
        if knowledge.asked == (kind, other) and best(knowledge.rules, kind, hands[other]) is None:
            wrong.append(f"seat {other} has no {kind}")
    return wrong
