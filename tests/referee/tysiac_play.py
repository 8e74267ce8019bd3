"""Records of Tysiąc that the referee makes by itself, without the package: other players and deals than its own.

Half of the deals are stacked, so that what is rare at a table (a claim, three marriages, four nines) is common.
"""

import json
import random
from typing import Any

from .tysiac import ACTIONS, CARDS, OPTIONS, TABLES, Deal, Table, marriages, returns, sides, strength, suit, winner

WORST_FIRST = sorted(CARDS, key=strength)


def drawn(chance: random.Random) -> tuple[dict[str, Any], str]:
    """Options, each value as likely as another, the table too, and a kind of episode.

    Most episodes are single deals, where random scores at the start reach the clauses around 800 and 1000. Matches are
    short, or long enough to be won.
    """
    rules = {name: chance.choice(values) for name, values in OPTIONS.items()}
    kind = chance.choices(["deal", "short", "long"], [20, 9, 1])[0]
    rules["max_deals"] = {"deal": chance.choice([1, 100]), "short": chance.randint(1, 6), "long": 100}[kind]
    return rules, "deal" if kind == "deal" else "match"


def shuffled(chance: random.Random, table: Table) -> list[str]:
    """The pack in a random order: the first hand, a talon, the rest."""
    pack = list(CARDS)
    chance.shuffle(pack)
    if chance.random() < 0.5:
        return pack
    if chance.random() < 0.15:  # four nines and no court card: a hand for a redeal
        poor = [card for card in pack if card[0] == "9"] + [card for card in pack if card[0] in "JTA"]
        return poor[: table.hand] + [card for card in pack if card not in poor[: table.hand]]
    # A hand and talon of high cards in few suits, or of whole suits: marriages and claims.
    if chance.random() < 0.2:
        order = chance.sample("SCDH", 4)
        worth = {card: strength(card) - 6.0 * order.index(suit(card)) for card in pack}
    else:
        liked = chance.sample("SCDH", chance.randint(1, 3))
        weight = chance.uniform(0.2, 1.5)
        worth = {card: chance.random() + weight * (strength(card) / 5 + (suit(card) in liked)) for card in pack}
    pack.sort(key=lambda card: -worth[card])
    first = table.hand + table.talon
    best, rest = pack[:first], pack[first:]
    chance.shuffle(best)
    chance.shuffle(rest)
    return best + rest


def dealt(chance: random.Random, rules: dict[str, Any], dealer: int, scores: list[int], bombs: list[int]) -> Deal:
    """A new deal with its cards in place; any seat that plays may get the first hand."""
    table = TABLES[rules["table"]]
    pack = shuffled(chance, table)

    def off(number: int) -> list[str]:
        """So many cards off the top."""
        return [pack.pop(0) for _ in range(number)]

    first, talons = off(table.hand), [off(table.talon)]
    hands = [first] + [off(table.hand) for _ in range(table.seats - table.rests - 1)]
    turn = chance.randrange(len(hands))
    hands = hands[turn:] + hands[:turn]
    if table.rests:
        hands.insert(dealer, [])  # 2.3
    if table.talons == 2:
        talons.insert(chance.randrange(2), off(table.talon))
    return Deal(rules, dealer, hands, talons if table.talons == 2 else talons[0], list(scores), bombs, stock=pack)


def deal_line(deal: Deal, number: int) -> dict[str, Any]:
    """The line of a deal that has just begun."""
    piles: dict[str, Any] = {}
    if deal.talon:
        piles["talon"] = [list(talon) for talon in deal.talons] if deal.table.talons == 2 else list(deal.talon)
    if deal.stock:
        piles["stock"] = list(deal.stock)
    hands = [list(hand) for hand in deal.hands]
    return {"type": "deal", "number": number, "dealer": deal.dealer, "hands": hands, **piles}


def chosen(chance: random.Random, deal: Deal, legal: list[str]) -> str:
    """An action that leads somewhere: bids that can be made, marriages kept, rare actions taken often."""
    if chance.random() < 0.2:
        return chance.choice(legal)
    rare = [action for action in legal if action in ("redeal", "bomb", "concede", "claim")]
    if rare and chance.random() < (0.9 if "claim" in rare else 0.4):
        return chance.choice(rare)
    if deal.phase == "auction":
        hand = deal.hands[deal.seat]
        strong = sum(card[0] in "AT" for card in hand) + 2 * len(marriages(hand)) > len(hand) / 2
        return legal[min(1, len(legal) - 1)] if strong else legal[0]
    if deal.phase == "give":
        gifts = [action.removeprefix("give ") for action in legal if action.startswith("give")]
        safe = [card for card in gifts if suit(card) not in marriages(deal.hands[deal.seat]) or card[0] not in "QK"]
        return "give " + min(safe or gifts, key=WORST_FIRST.index)
    if deal.phase == "contract":
        contracts = [action for action in legal if action.startswith("contract")]
        return chance.choice(contracts[:4])
    melds = [action for action in legal if action.startswith("meld")]
    return chance.choice(melds or legal)


def record(chance: random.Random, rules: dict[str, Any], episode: str) -> list[str]:
    """The lines of one episode, played and scored by the referee."""
    seats = TABLES[rules["table"]].seats
    random_start = episode == "deal" and rules["start_scores"] == "random"
    totals = [0] * seats
    if random_start:
        for side in sides(rules):
            start = chance.randrange(-300, 991, 10)
            for seat in side:
                totals[seat] = start
    lines: list[dict[str, Any]] = [
        {
            "type": "match",
            "format": 1,
            "game": "tysiac",
            "version": 0,
            "seed": chance.randrange(2**63),
            "episode": episode,
            "start": list(totals),
            "rules": rules,
            "players": [f"referee {seat}" for seat in range(seats)],
        }
    ]
    bombs = [0] * seats
    dealer = chance.randrange(seats)
    number = 0
    while lines[-1]["type"] != "end":
        deal = dealt(chance, rules, dealer, totals, bombs)
        lines.append(deal_line(deal, number))
        while deal.end is None:
            legal = deal.legal()
            action = chosen(chance, deal, legal)
            lines.append({"type": "move", "seat": deal.seat, "legal": legal, "action": action})
            deal.act(action)
        if deal.end == "redeal":
            continue
        changes = deal.changes()
        totals = [total + change for total, change in zip(totals, changes, strict=True)]
        lines.append({"type": "score", "deal": number, "points": changes, "totals": list(totals)})
        number += 1
        won = winner(totals, deal.declarer, dealer)
        if episode == "deal" or won is not None or number == rules["max_deals"]:
            terminated = episode == "deal" or won is not None
            values = returns(rules, episode, changes, won)
            lines.append({"type": "end", "terminated": terminated, "returns": [value + 0.0 for value in values]})
        dealer = deal.left(dealer)
    return [json.dumps(line) for line in lines]


def slipped(chance: random.Random, lines: list[str]) -> list[str]:
    """The same record with one line of it altered: another action, another legal list, number, card or order."""
    altered = [json.loads(line) for line in lines]
    line = chance.choice(altered[1:])
    if line["type"] == "deal":
        piles = [pile for pile in _piles(line) if pile]
        one, other = chance.sample(piles, 2)
        a, b = chance.randrange(len(one)), chance.randrange(len(other))
        one[a], other[b] = other[b], one[a]
    elif line["type"] == "move":
        kind = chance.randrange(4)
        if kind == 0:
            line["action"] = chance.choice(ACTIONS)
        elif kind == 1:
            line["action"] = chance.choice(line["legal"])
        elif kind == 2:
            line["legal"].remove(chance.choice(line["legal"]))
        else:
            extra = chance.choice(ACTIONS)
            line["legal"] = sorted({*line["legal"], extra}, key=ACTIONS.index)
    elif line["type"] == "score":
        line[chance.choice(["points", "totals"])][chance.randrange(len(line["points"]))] += chance.choice(
            [-10, -1, 1, 10]
        )
    else:
        line["returns"][chance.randrange(len(line["returns"]))] += chance.choice([-0.1, 0.01])
    return [json.dumps(line) for line in altered]


def _piles(line: dict[str, Any]) -> list[list[str]]:
    """The piles of a deal line, to change."""
    talon = line.get("talon", [])
    talons = talon if talon and isinstance(talon[0], list) else [talon]
    return [*line["hands"], *talons, line.get("stock", [])]
