"""Records of Piquet that the referee makes by itself, without the package: other players and deals than its own.

Half of the deals are stacked, so that what is rare at a table (two white tens, a hand without court cards, equal
holdings, a bonus, all tricks) is common; low targets end matches in the middle of anything.
"""

import json
import random
from dataclasses import dataclass
from typing import Any

from .piquet import ACTIONS, CARDS, COURT, OPTIONS, RANKS, SUITS, Deal, passed, returns, strength


def drawn(chance: random.Random) -> tuple[dict[str, Any], str]:
    """Options, each value as likely as another, and a kind of episode; low targets and few deals are common."""
    rules: dict[str, Any] = {
        "deals": chance.choice([1, 1, 2, 3, 6, 8]),
        "target": chance.choice([None, 1, 4, 9, 12, 15, 20, 28, 30, 35, 45, 60, 64, 80, 100, 150]),
    }
    rules |= {name: chance.choice(values) for name, values in OPTIONS.items()}
    return rules, chance.choice(["deal", "match", "match"])


# ------------------------------------------------------------------------------------------------------- dealing

Cards = tuple[list[str], list[str], list[str], list[str]]
"""Elder's hand, younger's, elder's talon, younger's."""
SIZES = (12, 12, 5, 3)


def filled(chance: random.Random, placed: Cards) -> Cards:
    """These cards in their places and the rest of the pack at random."""
    rest = [card for card in CARDS if not any(card in pile for pile in placed)]
    chance.shuffle(rest)
    for pile, size in zip(placed, SIZES, strict=True):
        while len(pile) < size:
            pile.append(rest.pop())
    return placed


def with_white_tens(chance: random.Random) -> Cards:
    """A hand with some tens whose king, queen and jack lie elsewhere; at times the other hand has another such ten."""
    suits = chance.sample(SUITS, chance.choice([1, 2, 2, 3, 3, 4]))
    cut = chance.choice([len(suits), 3, 1])
    placed: Cards = ([], [], [], [])
    one = chance.randrange(2)
    for number, suit in enumerate(suits):
        seat = one if number < cut else 1 - one
        placed[seat].append("T" + suit)
        for rank in COURT:
            away = [place for place in range(4) if place != seat and len(placed[place]) < SIZES[place]]
            placed[chance.choice(away)].append(rank + suit)
    # The rest must not undo it: a court card of such a suit has its place already.
    return filled(chance, placed)


def without_court(chance: random.Random) -> Cards:
    """A hand of twelve cards without any king, queen or jack."""
    placed: Cards = ([], [], [], [])
    placed[chance.randrange(2)].extend(chance.sample([card for card in CARDS if card[0] not in COURT], 12))
    return filled(chance, placed)


def with_a_liking(chance: random.Random) -> Cards:
    """One hand of high cards in few suits: long suits and sequences, bonuses, many tricks."""
    liked = chance.sample(SUITS, chance.randint(1, 2))
    weight = chance.uniform(0.5, 3.0)
    worth = {card: chance.random() + weight * (strength(card) / 7 + (card[1] in liked)) for card in CARDS}
    pack = sorted(CARDS, key=lambda card: -worth[card])
    placed: Cards = ([], [], [], [])
    placed[chance.randrange(2)].extend(pack[:12])
    return filled(chance, placed)


def with_sets(chance: random.Random) -> Cards:
    """Three or four cards of some ranks in each hand."""
    placed: Cards = ([], [], [], [])
    for rank in chance.sample(RANKS, chance.randint(2, 6)):
        cards = [rank + suit for suit in SUITS]
        chance.shuffle(cards)
        seat = chance.randrange(2)
        size = chance.choice([3, 4])
        if len(placed[seat]) + size <= 12:
            placed[seat].extend(cards[:size])
    return filled(chance, placed)


def alike(chance: random.Random) -> Cards:
    """Two hands of the same ranks, each in two suits of its own, and talons alike too: equal holdings."""
    suits = chance.sample(SUITS, 4)
    pairs = [(rank + a, rank + b) for a, b in (suits[:2], suits[2:]) for rank in RANKS]
    chance.shuffle(pairs)
    placed: Cards = ([], [], [], [])
    for one, other in pairs[:12]:
        placed[0].append(one)
        placed[1].append(other)
    for one, other in pairs[12:15]:
        placed[2].append(one)
        placed[3].append(other)
    return filled(chance, placed)


STACKED = (with_white_tens, with_white_tens, without_court, with_a_liking, with_a_liking, with_sets, alike)


def dealt(chance: random.Random, rules: dict[str, Any], dealer: int, totals: list[int], single: bool) -> Deal:
    """A new deal with its cards in place, each hand in a random order."""
    stacked = chance.random() < 0.5
    elder, younger, talon_elder, talon_younger = (
        chance.choice(STACKED)(chance) if stacked else filled(chance, ([], [], [], []))
    )
    chance.shuffle(elder)
    chance.shuffle(younger)
    hands = [elder, younger] if dealer == 1 else [younger, elder]
    return Deal(rules, dealer, hands, talon_elder, talon_younger, list(totals), single)


# ------------------------------------------------------------------------------------------------------- playing


@dataclass(frozen=True)
class Manner:
    """How a seat plays a deal: how often anything at all is chosen, how many cards it lays away, how silent it is."""

    anything: float
    away: int
    silent: float
    high: float  # how often it leads its highest card

    @classmethod
    def of_some(cls, chance: random.Random) -> "Manner":
        """The manner of one seat in one deal."""
        return cls(
            anything=chance.choice([0.0, 0.0, 0.1, 0.5]),
            away=chance.choice([0, 0, 1, 2, 3, 4, 5, 5, 6, 8]),
            silent=chance.choice([0.0, 0.0, 0.1, 0.5, 1.0]),
            high=chance.choice([0.2, 1.0, 1.0]),
        )


def chosen(chance: random.Random, deal: Deal, legal: list[str], manner: Manner) -> str:
    """An action that leads somewhere: say what there is, keep the long suit, lead high, win cheaply."""
    if chance.random() < manner.anything:
        return chance.choice(legal)
    if deal.phase == "exchange":
        return discarded(chance, deal, legal, manner)
    if deal.phase != "play":
        wanted = [action for action in legal if action != "pass"]
        return "pass" if chance.random() < manner.silent else wanted[0]
    cards = [action.removeprefix("play ") for action in legal]
    if deal.lying is None:
        lengths = {suit: sum(card[1] == suit for card in cards) for suit in SUITS}
        order = sorted(cards, key=lambda card: (strength(card) == 7, lengths[card[1]], strength(card)))
        return "play " + (order[-1] if chance.random() < manner.high else order[0])
    led = deal.lying
    winning = [card for card in cards if card[1] == led[1] and strength(card) > strength(led)]
    return "play " + min(winning or cards, key=strength)


def discarded(chance: random.Random, deal: Deal, legal: list[str], manner: Manner) -> str:
    """The next card of a choice that keeps the longest suit and high cards, or `done`."""
    cards = [action.removeprefix("discard ") for action in legal if action != "done"]
    number = manner.away - len(deal.laid_away[deal.seat])
    if not cards or ("done" in legal and number <= 0):
        return "done"
    hand = deal.hands[deal.seat]
    lengths = {suit: sum(card[1] == suit for card in hand) for suit in SUITS}
    worst = sorted(cards, key=lambda card: (lengths[card[1]], strength(card)))[: max(number, 1)]
    return "discard " + min(worst, key=CARDS.index)


def record(chance: random.Random, rules: dict[str, Any], episode: str) -> list[str]:
    """The lines of one episode, played and scored by the referee."""
    totals = [0, 0]
    lines: list[dict[str, Any]] = [
        {
            "type": "match",
            "format": 1,
            "game": "piquet",
            "version": 0,
            "seed": chance.randrange(2**63),
            "episode": episode,
            "start": [0, 0],
            "rules": rules,
            "players": ["referee 0", "referee 1"],
        }
    ]
    dealer = chance.randrange(2)
    number = 0
    while lines[-1]["type"] != "end":
        deal = dealt(chance, rules, dealer, totals, episode == "deal")
        manners = [Manner.of_some(chance) for _ in range(2)]
        piles = {"talon_elder": list(deal.talon_elder), "talon_younger": list(deal.talon_younger)}
        lines.append({"type": "deal", "number": number, "dealer": dealer, "hands": deal.dealt, **piles})
        while deal.end is None:
            legal = deal.legal()
            action = chosen(chance, deal, legal, manners[deal.seat])
            lines.append({"type": "move", "seat": deal.seat, "legal": legal, "action": action})
            deal.act(action)
        totals = [total + points for total, points in zip(totals, deal.points, strict=True)]
        lines.append({"type": "score", "deal": number, "points": list(deal.points), "totals": totals})
        number += 1
        if episode == "deal" or any(passed(rules, total) for total in totals) or number == rules["deals"]:
            values = returns(rules, episode, deal.points, totals)
            lines.append({"type": "end", "terminated": True, "returns": values})
        dealer = 1 - dealer
    return [json.dumps(line) for line in lines]


# ------------------------------------------------------------------------------------------------------- slips


def slipped(chance: random.Random, lines: list[str]) -> list[str]:
    """The same record with one thing altered: a card, an action, a number, an option, or a whole line lost."""
    altered = [json.loads(line) for line in lines]
    kind = chance.choice(["match", "deal", "move", "move", "move", "score", "end", "lost"])
    if kind == "lost":
        del altered[chance.randrange(1, len(altered))]
        return [json.dumps(line) for line in altered]
    line = chance.choice([line for line in altered if line["type"] == kind])
    if kind == "match":
        slip_in_options(chance, line)
    elif kind == "deal":
        slip_in_deal(chance, line)
    elif kind == "move":
        slip_in_move(chance, line)
    elif kind == "score":
        line[chance.choice(["points", "totals"])][chance.randrange(2)] += chance.choice([-10, -1, 1, 10])
    elif chance.random() < 0.2:
        line["terminated"] = False
    else:
        line["returns"][chance.randrange(2)] += chance.choice([-0.1, 0.01])
    return [json.dumps(line) for line in altered]


def slip_in_options(chance: random.Random, line: dict[str, Any]) -> None:
    """Another option or kind of episode: the play that follows may no longer agree with it."""
    rules = line["rules"]
    name = chance.choice([*rules, "episode", "start"])
    if name == "episode":
        line["episode"] = "deal" if line["episode"] == "match" else "match"
    elif name == "start":
        line["start"] = chance.choice([[0, 1], [10, 10], [0]])
    elif name in OPTIONS:
        rules[name] = chance.choice([value for value in OPTIONS[name] if value != rules[name]])
    elif name == "target" and chance.random() < 0.3:
        rules[name] = 100 if rules[name] is None else None
    else:
        rules[name] = (rules[name] or 0) + chance.choice([-1, 1])


def slip_in_deal(chance: random.Random, line: dict[str, Any]) -> None:
    """Two cards exchanged, one doubled, talons taken for each other, another dealer, another number."""
    piles = [*line["hands"], line["talon_elder"], line["talon_younger"]]
    one, other = chance.sample(piles, 2)
    a, b = chance.randrange(len(one)), chance.randrange(len(other))
    kind = chance.randrange(8)
    if kind == 0:
        one[a] = other[b]
    elif kind == 1:
        line["dealer"] = 1 - line["dealer"]
    elif kind == 2:
        line["number"] += chance.choice([-1, 1])
    elif kind == 3:
        line["talon_elder"], line["talon_younger"] = line["talon_younger"], line["talon_elder"]
    elif kind == 4:
        chance.choice(piles[2:]).reverse()
    else:
        one[a], other[b] = other[b], one[a]


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
        extra = chance.choice([*ACTIONS, *ACTIONS[64:] * 4])
        line["legal"] = sorted({*line["legal"], extra}, key=ACTIONS.index)
    elif kind == 4:
        line["legal"].reverse()
    else:
        line["seat"] = 1 - line["seat"]
