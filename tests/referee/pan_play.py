"""Records of Pan that the referee makes by itself, without the package: other players and deals than the package's own.

Half of the deals are stacked, so that what is rare at a table (fours, three nines, undecided deals) is common.
"""

import json
import random
from dataclasses import dataclass
from typing import Any

from .pan import ACTIONS, CARDS, OPTIONS, RANKS, SUITS, Deal, returns

LONG = 60  # turns: from then on the fullest hand draws, lest the deal go round in circles


def drawn(chance: random.Random) -> tuple[dict[str, Any], str]:
    """Options and a kind of episode; low limits are common, so that deals are abandoned and matches cut short."""
    rules = {name: chance.choice(values) for name, values in OPTIONS.items()}
    if chance.random() < 0.5:
        rules["letters"] = chance.choice([1, 2])
    rules["max_turns"] = chance.choice([1, 5, 11, 20, 40, 80, 150, 300, 2000])
    rules["max_deals"] = chance.choice([1, 2, 5, 10])
    return rules, chance.choice(["deal", "match"])


# ------------------------------------------------------------------------------------------------------- dealing


def filled(chance: random.Random, seats: int, placed: list[list[str]]) -> list[list[str]]:
    """These cards at these seats and the rest of the pack at random, each hand in a random order."""
    hands = [list(hand) for hand in placed]
    rest = [card for card in CARDS if not any(card in hand for hand in hands)]
    chance.shuffle(rest)
    for hand in hands:
        while len(hand) < len(CARDS) // seats:
            hand.append(rest.pop())
        chance.shuffle(hand)
    return hands


def fours(rank: str) -> list[str]:
    """The four cards of a rank."""
    return [rank + suit for suit in SUITS]


def with_fours(chance: random.Random, seats: int) -> list[list[str]]:
    """Some ranks whole in a hand."""
    placed: list[list[str]] = [[] for _ in range(seats)]
    for rank in chance.sample(RANKS, chance.randint(1, 6)):
        seat = chance.randrange(seats)
        if len(placed[seat]) + 4 <= len(CARDS) // seats:
            placed[seat] += fours(rank)
    return placed


def with_three_nines(chance: random.Random, seats: int) -> list[list[str]]:
    """Three nines in one hand, mostly the one after the first player's."""
    placed: list[list[str]] = [[] for _ in range(seats)]
    first = chance.randrange(seats)
    placed[first] = ["9H"]
    placed[(first + chance.choice([1, 1, 1, seats - 1])) % seats] = ["9S", "9C", "9D"]
    return placed


def as_stairs(chance: random.Random, seats: int, back: bool) -> list[list[str]]:
    """A pack that goes up in the order of the turns: low ranks by fours, the high ones by fours or card by card.

    Seats that go up it whole end undecided, the last with one ace or four. At times a step is broken by exchanging two
    cards, and then the last has lost, or all draw.
    """
    placed: list[list[str]] = [[] for _ in range(seats)]
    room = len(CARDS) // seats
    seat = chance.randrange(seats)
    whole = chance.choice([4, 5, 6]) if seats < 4 else 4  # of the ranks
    steps = [fours(rank) for rank in RANKS[:whole]]
    steps += [[card] for rank in RANKS[whole:] for card in chance.sample(fours(rank), 4)]
    for step in steps:
        while len(placed[seat]) + len(step) > room:
            seat = (seat + 1) % seats
        placed[seat] += step
        seat = (seat + (-1 if back and len(step) == 4 else 1)) % seats
    if chance.random() < 0.25:
        one, other = chance.sample(range(seats), 2)
        placed[one].append(placed[other].pop())
        placed[other].append(placed[one].pop(0))
    return placed


def dealt(chance: random.Random, rules: dict[str, Any]) -> Deal:
    """A new deal with its cards in the hands."""
    seats = rules["players"]
    kind = chance.choice(["plain"] * 5 + ["fours", "three nines", "stairs", "stairs", "stairs"])
    if kind == "fours":
        placed = with_fours(chance, seats)
    elif kind == "three nines":
        placed = with_three_nines(chance, seats)
    elif kind == "stairs":
        placed = as_stairs(chance, seats, rules["spades_back"])
    else:
        placed = [[] for _ in range(seats)]
    return Deal(rules, filled(chance, seats, placed))


# ------------------------------------------------------------------------------------------------------- playing


@dataclass(frozen=True)
class Manner:
    """How a deal is played: how often anything at all is chosen, and several cards at once; and who likes to draw.

    A seat that draws lowers the pile for the others, so they get rid of their cards soon.
    """

    anything: float
    several: float
    draws: list[float]  # by seat

    @classmethod
    def of_some(cls, chance: random.Random, seats: int) -> "Manner":
        """The manner of one deal; in half of the deals everybody goes straight up."""
        draws = [0.0] * seats
        if chance.random() < 0.5:
            draws = [chance.choice([0.0, 0.05]) for _ in range(seats)]
            draws[chance.randrange(seats)] = chance.choice([0.1, 0.5, 0.9])
        return cls(chance.choice([0.0, 0.0, 0.0, 0.05, 0.2]), chance.choice([0.6, 1.0]), draws)


def chosen(chance: random.Random, deal: Deal, legal: list[str], manner: Manner) -> str:
    """An action that leads somewhere: several cards at once, the lowest card, now and then a draw or anything."""
    if chance.random() < manner.anything:
        return chance.choice(legal)
    draws = manner.draws[deal.seat]
    if len(deal.turns) > LONG and len(deal.hands[deal.seat]) == max(map(len, deal.hands)):
        draws = 0.8
    if "draw" in legal and chance.random() < draws:
        return "draw"
    several = [action for action in legal if action.startswith(("play four", "play three"))]
    if several and chance.random() < manner.several:
        return several[0]
    lays = [action for action in legal if action != "draw" and action not in several]
    if not lays:
        return "draw"
    lowest = min(RANKS.index(action[5]) for action in lays)
    return chance.choice([action for action in lays if RANKS.index(action[5]) == lowest])


def record(chance: random.Random, rules: dict[str, Any], episode: str) -> list[str]:
    """The lines of one episode, played and scored by the referee."""
    seats = rules["players"]
    letters = [0] * seats
    lines: list[dict[str, Any]] = [
        {
            "type": "match",
            "format": 1,
            "game": "pan",
            "version": 0,
            "seed": chance.randrange(2**63),
            "episode": episode,
            "start": list(letters),
            "rules": rules,
            "players": [f"referee {seat}" for seat in range(seats)],
        }
    ]
    number = 0
    while lines[-1]["type"] != "end":
        deal = dealt(chance, rules)
        manner = Manner.of_some(chance, seats)
        lines.append({"type": "deal", "number": number, "dealer": None, "hands": deal.dealt})
        while deal.end is None:
            legal = deal.legal()
            action = chosen(chance, deal, legal, manner)
            lines.append({"type": "move", "seat": deal.seat, "legal": legal, "action": action})
            deal.act(action)
        if deal.end != "abandoned":
            letters = [had + gained for had, gained in zip(letters, deal.changes(), strict=True)]
            lines.append({"type": "score", "deal": number, "points": deal.changes(), "totals": letters})
        number += 1
        if episode == "deal":
            terminated, loser = deal.end != "abandoned", deal.loser
        else:
            terminated = max(letters) == rules["letters"]
            loser = deal.loser if terminated else None
            if not terminated and number < rules["max_deals"]:
                continue
        lines.append({"type": "end", "terminated": terminated, "returns": returns(seats, loser)})
    return [json.dumps(line) for line in lines]


# ------------------------------------------------------------------------------------------------------- slips


def slipped(chance: random.Random, lines: list[str]) -> list[str]:
    """The same record with one thing altered: a card, an action, a number, an option, or a whole line lost."""
    altered = [json.loads(line) for line in lines]
    kind = chance.choice(["match", "deal", "move", "move", "move", "score", "end", "lost"])
    if kind == "lost":
        del altered[chance.randrange(1, len(altered))]
        return [json.dumps(line) for line in altered]
    line = chance.choice([line for line in altered if line["type"] == kind] or altered[-1:])
    if line["type"] == "match":
        slip_in_options(chance, line["rules"])
    elif line["type"] == "deal":
        slip_in_deal(chance, line)
    elif line["type"] == "move":
        slip_in_move(chance, line)
    elif line["type"] == "score":
        numbers = line[chance.choice(["points", "totals"])]
        numbers[chance.randrange(len(numbers))] += chance.choice([-1, 1])
    elif chance.random() < 0.3:
        line["terminated"] = not line["terminated"]
    else:
        line["returns"][chance.randrange(len(line["returns"]))] += chance.choice([-0.1, 0.01])
    return [json.dumps(line) for line in altered]


def slip_in_options(chance: random.Random, rules: dict[str, Any]) -> None:
    """Another option: the play that follows may no longer agree with it."""
    name = chance.choice(list(rules))
    if name in OPTIONS:
        rules[name] = chance.choice([value for value in OPTIONS[name] if value != rules[name]])
    else:
        rules[name] += chance.choice([-1, 1])


def slip_in_deal(chance: random.Random, line: dict[str, Any]) -> None:
    """Two cards exchanged, one doubled, a dealer, or another number."""
    hands = line["hands"]
    one, other = chance.sample(range(len(hands)), 2)
    a, b = chance.randrange(len(hands[one])), chance.randrange(len(hands[other]))
    kind = chance.randrange(6)
    if kind == 0:
        hands[one][a] = hands[other][b]
    elif kind == 1:
        line["dealer"] = one
    elif kind == 2:
        line["number"] += chance.choice([-1, 1])
    else:
        hands[one][a], hands[other][b] = hands[other][b], hands[one][a]


def slip_in_move(chance: random.Random, line: dict[str, Any]) -> None:
    """Another seat, another action, or another list of legal ones."""
    kind = chance.randrange(6)
    if kind == 0:
        line["action"] = chance.choice(ACTIONS)
    elif kind == 1:
        line["action"] = chance.choice(line["legal"])
    elif kind == 2:
        line["legal"].remove(chance.choice(line["legal"]))
    elif kind == 3:
        extra = chance.choice([*ACTIONS, "draw", "play three 9", "play four 9"])
        line["legal"] = sorted({*line["legal"], extra}, key=ACTIONS.index)
    elif kind == 4:
        line["legal"].reverse()
    else:
        line["seat"] = chance.randrange(4)
