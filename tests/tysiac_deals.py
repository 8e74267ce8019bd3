"""Deals of Tysiąc's eight other tables: spelled in cards, filled up in order, or taken from the golden records."""

import json
from pathlib import Path

from positions import act, legal, sees, table

RECORDS = Path(__file__).parent / "records" / "tysiac"

# Section 2: seats, cards in a hand, cards in each talon, cards in the stock.
TABLES = {
    "2p_pairs": (2, 10, (2, 2), 0),
    "2p_triples": (2, 9, (3, 3), 0),
    "2p_twelve": (2, 12, (), 0),
    "2p_stock": (2, 6, (), 12),
    "2p_stock_auction": (2, 7, (2,), 8),
    "4p_resting": (4, 7, (3,), 0),
    "4p_six": (4, 6, (), 0),
    "4p_teams": (4, 5, (4,), 0),
}
AUCTION = tuple(name for name in TABLES if name not in ("2p_stock", "4p_six"))
PACK = [rank + suit for suit in "SCDH" for rank in "9JQKTA"]


def piles_of(name, talon, stock):
    """The piles beside the hands under their names in a record."""
    _, _, talons, in_stock = TABLES[name]
    return ({"talon": talon} if talons else {}) | ({"stock": stock} if in_stock else {})


def dealt(name, *hands, dealer=None, talon=None, stock=None, **options):
    """A first deal at this table with these hands from seat 0 on; what is not given gets the cards left, in order.

    By default the last seat deals, so that seat 0 opens or leads. A resting dealer has no hand: his is "". Where
    there are two talons ``talon`` is a list of two texts.
    """
    seats, size, talons, in_stock = TABLES[name]
    dealer = seats - 1 if dealer is None else dealer
    rests = dealer if name == "4p_resting" else None
    given = [*hands, *(talon if isinstance(talon, list) else [talon or ""]), stock or ""]
    left = [card for card in PACK if card not in " ".join(given).split()]

    def next_cards(count):
        taken, left[:] = " ".join(left[:count]), left[count:]
        return taken

    hands = list(hands)
    while len(hands) < seats:
        hands.append("" if len(hands) == rests else next_cards(size))
    if talon is None and talons:
        parts = [next_cards(count) for count in talons]
        talon = parts if len(parts) == 2 else parts[0]
    stock = next_cards(in_stock) if stock is None else stock
    return table("tysiac", hands, dealer=dealer, piles=piles_of(name, talon, stock), table=name, **options)


def golden(name):
    """The lines of a golden record."""
    return [json.loads(line) for line in (RECORDS / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


def played(name, *, moves=None, turned=0, start=None, episode="match", **options):
    """The first deal of a golden record, played to its end or for some moves, perhaps with other options.

    With ``turned`` everybody sits so many places further on. ``start`` is given for the seats as they sit then.
    """
    lines = golden(name)
    rules, deal = lines[0]["rules"] | options, lines[1]
    seats = len(deal["hands"])
    hands = [" ".join(deal["hands"][(seat - turned) % seats]) for seat in range(seats)]
    piles = {}
    for pile in ("talon", "stock"):
        if pile in deal:
            parts = deal[pile]
            piles[pile] = " ".join(parts) if isinstance(parts[0], str) else [" ".join(part) for part in parts]
    dealer = (deal["dealer"] + turned) % seats
    at = table("tysiac", hands, dealer=dealer, start=start, episode=episode, piles=piles, **rules)
    actions = [line["action"] for line in lines[2 : next(i for i, line in enumerate(lines) if line["type"] == "score")]]
    return act(at, ", ".join(actions if moves is None else actions[:moves]))


def play_out(at):
    """Choose the first of the legal actions until the deal is scored."""
    number = at.number
    while at.number == number and not at.over:
        act(at, legal(at)[0])
    return at


def points(at):
    """What each seat has in the running deal, cards and marriages together."""
    seen = sees(at, 0)
    made = [10 * tens + ones for tens, ones in zip(seen["points_tens"], seen["points_ones"], strict=True)]
    return made[: TABLES[seen["table"]][0]]


def plays(text):
    """The actions `play …` for these cards."""
    return [f"play {card}" for card in text.split()]


def bids(low, high):
    """The bids from one to another, in tens."""
    return [f"bid {bid}" for bid in range(low, high + 1, 10)]


def contracts(low, high):
    """The contracts from one to another, in tens."""
    return [f"contract {contract}" for contract in range(low, high + 1, 10)]
