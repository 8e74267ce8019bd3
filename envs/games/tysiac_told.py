"""Tysiąc: what is said of it to a person at the table.

All that is said is read from observations, decoded; seats are counted clockwise from the one that looks, and {1} in
words stands for the name of the next. The clauses cited are those of tysiac.md.
"""

from itertools import pairwise

from ..game import NOBODY
from ..tricks import last_lead
from .tysiac_tables import ACE_POINTS, ALL_POINTS, DECK, MARRIAGE, POINTS, SEATS, TABLES

POINTS_OF = dict(zip(DECK.names, POINTS.tolist(), strict=True))
MARRIAGE_OF = dict(zip(DECK.suits, MARRIAGE.tolist(), strict=True))


def news(before, now):
    """§7.1 The card that I drew, which nobody else sees."""
    if now["stock"] < before["stock"]:
        drawn = [card for card in now["hand"] if card not in before["hand"]]
        yield 0, f"{' '.join(drawn)} drawn"


def seats_of(now):
    """Seats at this table."""
    return TABLES[now["table"]].seats


def rests(now, i):
    """§2.3 Is the i-th seat the dealer, and does he rest?"""
    return TABLES[now["table"]].rests and i == now["dealer"]


def receiver(now):
    """§4.2 Who gets the card that declarer gives now, or NOBODY."""
    hand, seats = TABLES[now["table"]].hand, seats_of(now)
    for step in range(1, seats):
        i = (now["declarer"] + step) % seats
        if seats > 2 and not rests(now, i) and now["held"][i] == hand:
            return i
    return NOBODY


def called(now, action):
    """§4.2 A card goes to somebody, or two-handed it is laid away."""
    kind, _, card = action.partition(" ")
    if kind != "give":
        return action
    if seats_of(now) == 2:
        return f"lay away {card}"
    i = receiver(now)
    return action if i == NOBODY else f"{action} to {{{i}}}"


def asks(now):
    """§4.2 Giving a card has a receiver, laying it away has none."""
    if now["phase"] != "give":
        return ""
    if seats_of(now) == 2:
        return "lay away"
    return f"give to {{{receiver(now)}}}"


def led(now):
    """§5.1 Who led the last complete trick; §5.4, §5.6 each marriage has changed the trump when it was melded."""
    melded = set()

    def trumps(laid, trump):
        (leader, card), after = laid[0], None
        if new(leader, card):
            trump = card[-1]
        for (_, earlier), (seat, later) in pairwise(laid):
            if later[0] == "K" and earlier == "Q" + later[-1] and new(seat, later):
                after = later[-1]
        return trump, after or trump

    def new(seat, card):
        """Is this one of the cards with which the seat has melded, and the first of the two?"""
        marriage = (seat, card[-1])
        if card[0] not in "QK" or marriage in melded or not now["melded"][seat][DECK.suits.index(card[-1])]:
            return False
        melded.add(marriage)
        return True

    return last_lead(DECK, now, now["opener"] if now["declarer"] == NOBODY else now["declarer"], trumps=trumps)


def shown(seen):
    """What a picture shows beside the observation: partners, sides, gifts, who rests, what becomes of cards aside."""
    now, opened = seen[0], len(seen) > 1
    at = TABLES[now["table"]]
    return {
        "passed": [int(has and not rests(now, i)) for i, has in enumerate(now["passed"])],  # §12 he counts as passed
        "partner": [int(at.teams and not opened and i == 2) for i in range(SEATS)],
        "sides": sides(now) if at.teams else "",
        "gifts": gifts(now),
        "I rest": int(rests(now, 0) and not opened),
        "talon earns": talon_earns(seen) if at.rests else "",
        "aside goes": aside_goes(now),
    }


def sides(now):
    """§6.5 Who plays with whom, and what both sides have made of the contract."""
    if not now["contract"]:
        return "{0} and {2} against {1} and {3}"
    told = []
    for i in (0, 1):
        goal = f" of {now['contract']}" if now["declarer"] in (i, i + 2) else ""
        told.append(f"{{{i}}} and {{{i + 2}}} {now['points'][i] + now['points'][i + 2]}{goal}")
    return ", ".join(told)


def gifts(now):
    """§4.2 What I gave to whom, in the order given: a gift is in its receiver's hand until it plays it."""
    if now["declarer"] != 0 or seats_of(now) == 2:
        return ""
    given = [
        f"{card} to {{{i}}}"
        for i in range(1, seats_of(now))
        for card in now["gave"]
        if card in now["played"][i] or now["holding"][i - 1].get(card, 0) > 0
    ]
    return f"you gave {', '.join(given)}" if given else ""


def played_out(now):
    """Have all cards been played that are?"""
    return now["contract"] > 0 and sum(now["held"]) == 0 and sum(now["tricks"]) > 0


def talon_earns(seen):
    """§2.3 What the talon earns the resting dealer, as far as it is seen, when the deal is played out."""
    talon = next((its["talon"] for its in seen if its["talon"]), None)
    if talon is None or not played_out(seen[0]):
        return ""
    marriages = [suit for suit in DECK.suits if {"Q" + suit, "K" + suit} <= {*talon}]
    points = ACE_POINTS * sum(card[0] == "A" for card in talon) + sum(MARRIAGE_OF[suit] for suit in marriages)
    return f"the talon {' '.join(talon)} is worth {points} to {{{seen[0]['dealer']}}}"


def aside_goes(now):
    """§2.1 What became of the cards aside: what nobody has played lies there."""
    if not now["laid_aside"] or not played_out(now):
        return ""
    aside = [card for card in DECK.names if not any(card in row for row in now["played"])]
    points = sum(POINTS_OF[card] for card in aside)
    goes = f"to {{{now['leader']}}} with the last trick" if now["last_trick_takes_aside"] else "to nobody"
    return f"{points} of {ALL_POINTS} card points lay aside: {goes}"
