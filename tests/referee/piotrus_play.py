"""Records of Piotruś that the referee makes by itself, without the package: other players and other deals than its own.

More than half of the deals are stacked, so that what is rare at a table (seats emptied by the first discarding, a
redeal, fans without any pair) is common. Some players draw and shuffle by what they know, so that cards that others
know wander through many fans.
"""

import json
import random
from typing import Any

from .piotrus import OPTIONS, SEATS, Deal, actions, all_cards, deck, paired, returns, sizes
from .piotrus_knowledge import Knowledge


def drawn(chance: random.Random) -> tuple[dict[str, Any], str]:
    """Options, each value as likely as another, and a kind of episode; few episodes have a turn cap that they reach."""
    rules: dict[str, Any] = {name: chance.choice(values) for name, values in OPTIONS.items()}
    rules["players"] = chance.choice(SEATS[rules["deck"]])
    rules["max_turns"] = chance.choice([2000, 2000, 2000, chance.randint(1, 60)])
    return rules, chance.choice(["deal", "match"])


def dealt(chance: random.Random, rules: dict[str, Any], dealer: int) -> list[list[str]]:
    """The cards of every seat, in the order dealt."""
    pack = deck(rules)
    chance.shuffle(pack)
    held = sizes(rules, dealer)
    order = list(range(rules["players"]))
    chance.shuffle(order)
    stacked = chance.random() < 0.5
    if not stacked and chance.random() < 0.2:  # twins apart: the longest fans
        pack = _by_pairs(rules, pack)
        pack = pack[::2] + pack[1::2]
    elif stacked:
        pack = _by_pairs(rules, pack)
        order.sort(key=lambda seat: held[seat] % 2)  # even hands hold whole pairs only
    hands: list[list[str]] = [[] for _ in order]
    for seat in order:
        hands[seat], pack = pack[: held[seat]], pack[held[seat] :]
    if stacked:
        for _ in range(chance.choice([0, 0, 0, 1, 1, 2, 4])):
            one, other = chance.sample(order, 2)
            a, b = chance.randrange(held[one]), chance.randrange(held[other])
            hands[one][a], hands[other][b] = hands[other][b], hands[one][a]
        for hand in hands:
            chance.shuffle(hand)
    return hands


def _by_pairs(rules: dict[str, Any], pack: list[str]) -> list[str]:
    """The pack with twins side by side and the card that has none at its end."""
    left, twins = list(pack), []
    while left:
        card = left.pop(0)
        twin = next((other for other in left if paired(rules, card, other)), None)
        if twin is None:
            twins.append(card)
            continue
        left.remove(twin)
        twins = [card, twin, *twins]
    return twins


def chosen(chance: random.Random, deal: Deal, legal: list[str], skill: float) -> str:
    """An action: by chance, or by what the seat knows: a known twin is drawn, a known fan shuffled."""
    if deal.phase == "lay" or chance.random() > skill:
        return chance.choice(legal)
    knowledge = Knowledge.of(deal, deal.seat)
    if deal.phase == "offer":
        return "shuffle" if any(knowledge.knowers) and chance.random() < 0.6 else "offer"
    assert deal.giver is not None
    known = knowledge.known[deal.giver]
    seen = [place for place, card in enumerate(known) if card is not None]
    twins = [
        place for place in seen if any(paired(deal.rules, str(known[place]), card) for card in deal.fans[deal.seat])
    ]
    if twins:
        return f"draw {twins[0]}"
    if seen and chance.random() < 0.5:
        return f"draw {chance.choice(seen)}"  # a card that all who saw it go follow on its way
    return chance.choice(legal)


def record(chance: random.Random, rules: dict[str, Any], episode: str) -> list[str]:
    """The lines of one episode, played and scored by the referee."""
    seats = rules["players"]
    skills = [chance.choice([0.0, 0.5, 1.0]) for _ in range(seats)]
    lines: list[dict[str, Any]] = [
        {
            "type": "match",
            "format": 1,
            "game": "piotrus",
            "version": 0,
            "seed": chance.randrange(2**63),
            "episode": episode,
            "start": [0] * seats,
            "rules": rules,
            "players": [f"referee {seat}" for seat in range(seats)],
        }
    ]
    dealer = chance.randrange(seats)
    turns = 0
    while lines[-1]["type"] != "end":
        hands = dealt(chance, rules, dealer)
        lines.append({"type": "deal", "number": 0, "dealer": dealer, "hands": hands})
        deal = Deal(rules, dealer, [list(hand) for hand in hands])
        while deal.end is None and turns < rules["max_turns"]:
            legal, seat = deal.legal(), deal.seat
            action = chosen(chance, deal, legal, skills[seat])
            lines.append({"type": "move", "seat": seat, "legal": legal, "action": action})
            fan = list(deal.fans[seat])
            if action == "shuffle":
                chance.shuffle(fan)
                lines.append({"type": "shuffle", "seat": seat, "fan": fan})
            deal.act(action, list(fan))
            turns += 1
        if deal.end == "lost":
            lines.append({"type": "score", "deal": 0, "points": deal.places, "totals": deal.places})
            values = [value + 0.0 for value in returns(rules, deal.places)]
            lines.append({"type": "end", "terminated": True, "returns": values})
        elif turns == rules["max_turns"]:
            lines.append({"type": "end", "terminated": False, "returns": [0.0] * seats})
    return [json.dumps(line) for line in lines]


def slipped(chance: random.Random, lines: list[str]) -> list[str]:
    """The same record with one line of it altered, left out or doubled."""
    altered = [json.loads(line) for line in lines]
    rules = altered[0]["rules"]
    number = chance.randrange(1, len(altered))
    line = altered[number]
    if chance.random() < 0.1:
        altered[number : number + 1] = chance.choice([[], [line, line]])
    elif line["type"] == "deal":
        _slip_in_deal(chance, line, rules)
    elif line["type"] == "move":
        _slip_in_move(chance, line, rules)
    elif line["type"] == "shuffle":
        kind = chance.randrange(4)
        if kind == 0:
            line["seat"] = (line["seat"] + 1) % rules["players"]
        elif kind == 1:
            chance.shuffle(line["fan"])  # a right one; a later move may be wrong
        elif kind == 2:
            line["fan"].remove(chance.choice(line["fan"]))
        else:
            line["fan"][chance.randrange(len(line["fan"]))] = chance.choice(all_cards(rules))
    elif line["type"] == "score":
        line[chance.choice(["points", "totals"])][chance.randrange(rules["players"])] += chance.choice([-1, 1])
    elif chance.random() < 0.2:
        line["terminated"] = not line["terminated"]
    else:
        line["returns"][chance.randrange(rules["players"])] += chance.choice([-0.1, 0.01])
    return [json.dumps(line) for line in altered]


def _slip_in_deal(chance: random.Random, line: dict[str, Any], rules: dict[str, Any]) -> None:
    hands = line["hands"]
    one, other = chance.sample(range(len(hands)), 2)
    kind = chance.randrange(5)
    if kind == 0:  # a right deal; a later move may be wrong
        a, b = chance.randrange(len(hands[one])), chance.randrange(len(hands[other]))
        hands[one][a], hands[other][b] = hands[other][b], hands[one][a]
    elif kind == 1:
        hands[one].reverse()
    elif kind == 2:
        hands[one].append(hands[other].pop())
    elif kind == 3:
        hands[one][0] = chance.choice(all_cards(rules))
    else:
        line["dealer"] = (line["dealer"] + 1) % rules["players"]


def _slip_in_move(chance: random.Random, line: dict[str, Any], rules: dict[str, Any]) -> None:
    names = actions(rules)
    kind = chance.randrange(5)
    if kind == 0:
        line["action"] = chance.choice(names)
    elif kind == 1:
        line["action"] = chance.choice(line["legal"])
    elif kind == 2:
        line["legal"].remove(chance.choice(line["legal"]))
    elif kind == 3:
        line["legal"] = sorted({*line["legal"], chance.choice(names)}, key=names.index)
    else:
        line["seat"] = (line["seat"] + 1) % rules["players"]
