"""Records of Petukh that the referee makes by itself, without the package: other players and deals than its own.

Half of the deals are stacked, so that what is rare at a table (a khlust, boys, a win, everybody folding) is common.
"""

import json
import random
from dataclasses import dataclass
from typing import Any

from .petukh import (
    ACTIONS,
    CARDS,
    OPTIONS,
    PAIRS,
    RANKS,
    SUITS,
    Deal,
    deal_returns,
    match_returns,
    strength,
    suit,
)

Places = dict[int | str, list[str]]
"""Cards by place: a seat, `prikup`, `turned`, `stock`."""


def drawn(chance: random.Random) -> tuple[dict[str, Any], str]:
    """Options and a kind of episode; single kons mostly begin at random scores, matches are short or long."""
    rules = {name: chance.choice(values) for name, values in OPTIONS.items()}
    if chance.random() < 0.5:
        rules |= {"start": 15, "finish": "choose"}
    if chance.random() < 0.2:
        rules["khlust"] = "game"
    episode = chance.choice(["deal", "match"])
    if episode == "deal" and chance.random() < 0.7:
        rules["start_scores"] = "random"
    rules["max_deals"] = chance.choice([1, 2, 4, 8, 12, 16, 200])
    return rules, episode


def at_the_start(chance: random.Random, rules: dict[str, Any], episode: str) -> list[int]:
    """The scores at the start; random ones are often so low that few points are left, or just enough for boys."""
    if episode == "match" or rules["start_scores"] == "equal":
        return [rules["start"]] * rules["players"]
    some = [[1, 2, 3], [4, 5, 6], [5, 6, 10, 11], range(4, rules["start"] + 1), range(1, rules["start"] + 1)]
    if chance.random() < 0.3:
        return [chance.choice(some[4]) for _ in range(rules["players"])]
    kind = chance.choice(some)
    return [chance.choice(kind) for _ in range(rules["players"])]


# ------------------------------------------------------------------------------------------------------- dealing


def room(rules: dict[str, Any]) -> dict[int | str, int]:
    """How many cards each place gets."""
    places: dict[int | str, int] = dict.fromkeys(range(rules["players"]), 5)
    places["turned"] = 1
    places["prikup"] = 0 if rules["stock"] == "draw" else 4
    places["stock"] = len(CARDS) - sum(places.values())
    return places


def flush(chance: random.Random, s: str, count: int, but: list[str]) -> list[str]:
    """Some cards of a suit beside these."""
    return chance.sample([card for card in CARDS if suit(card) == s and card not in but], count)


def with_khlusts(chance: random.Random, rules: dict[str, Any], dealer: int) -> Places:
    """One to three hands of one suit, mostly a trump one among them; the dealer's may be five of his six."""
    placed: Places = {}
    suits = chance.sample(SUITS, min(chance.choice([1, 1, 2, 2, 3]), rules["players"]))
    trump = suits[0] if chance.random() < 0.7 else chance.choice(SUITS)
    turned = flush(chance, trump, 1, [])
    placed["turned"] = turned
    seats = chance.sample(range(rules["players"]), len(suits))
    if chance.random() < 0.3 and dealer not in seats:
        seats[0] = dealer
    for seat, s in zip(seats, suits, strict=True):
        # The turned-up card is the dealer's fifth, or his sixth.
        four = seat == dealer and s == trump and rules["stock"] == "prikup" and chance.random() < 0.5
        placed[seat] = flush(chance, s, 4 if four else 5, turned)
    return placed


def with_a_suit_to_get(chance: random.Random, rules: dict[str, Any], dealer: int) -> Places:
    """A khlust lies in the prikup, or on the stock: hands hold some cards of its suit."""
    s = chance.choice(SUITS)
    turned = flush(chance, s if chance.random() < 0.5 else chance.choice(SUITS), 1, [])
    left = flush(chance, s, len(RANKS) - (suit(turned[0]) == s), turned)
    placed: Places = {"turned": turned}
    if rules["stock"] == "prikup":
        placed["prikup"] = left[:4]
        placed |= {
            seat: [card] for seat, card in zip(chance.sample(range(rules["players"]), 2), left[4:], strict=False)
        }
        return placed
    seat = (dealer + chance.choice([1, 1, rules["players"]])) % rules["players"]
    few = chance.randint(1, 4)
    placed[seat] = left[:few]
    placed["stock"] = left[few:]
    return placed


def with_boys(chance: random.Random, rules: dict[str, Any], dealer: int) -> Places:
    """Jacks by pairs, in one hand or in two."""
    seats = [chance.randrange(rules["players"]) for _ in PAIRS]
    if chance.random() < 0.6:
        seats[1] = seats[0]
    placed: Places = {seat: [] for seat in seats}
    for seat, pair in zip(seats, PAIRS, strict=True):
        if chance.random() < 0.8 or seat == seats[0]:
            placed[seat] += pair
    return placed


def with_a_strong_hand(chance: random.Random, rules: dict[str, Any], dealer: int) -> Places:
    """High cards, most of them trumps, in one hand, mostly that of seat 0; at times the jacks of a colour beside them.

    One seat that is often strong wins matches.
    """
    seat, s = chance.choice([0, 0, 0, chance.randrange(rules["players"])]), chance.choice(SUITS)
    turned = [chance.choice("6789") + s]
    strong = chance.sample([rank + s for rank in "AKQT"], chance.randint(2, 3))
    if chance.random() < 0.7:
        strong += chance.choice(PAIRS)
    else:
        strong += ["A" + other for other in chance.sample(SUITS.replace(s, ""), 2)]
    return {"turned": turned, seat: strong}


def dealt(chance: random.Random, rules: dict[str, Any], dealer: int, scores: list[int], folds: list[int]) -> Deal:
    """A new kon with its cards in place."""
    stacked = chance.choice([with_khlusts, with_a_suit_to_get, with_boys, with_a_strong_hand, with_a_strong_hand])
    placed: Places = stacked(chance, rules, dealer) if chance.random() < 0.5 else {}
    rest = [card for card in CARDS if not any(card in cards for cards in placed.values())]
    chance.shuffle(rest)
    cards: Places = {}
    for place, size in room(rules).items():
        few = placed.get(place, [])[:size]
        cards[place] = few + [rest.pop() for _ in range(size - len(few))]
        if place not in ("stock", "turned"):
            chance.shuffle(cards[place])
    hands = [cards[seat] for seat in range(rules["players"])]
    trump_card = None
    if rules["stock"] == "draw":
        trump_card = cards["turned"][0]
    else:
        hands[dealer] += cards["turned"]
    return Deal(rules, dealer, hands, cards["prikup"], trump_card, cards["stock"], list(scores), list(folds))


# ------------------------------------------------------------------------------------------------------- playing


@dataclass(frozen=True)
class Manner:
    """How a kon is played: how often the prikup is taken, a hand folded, a card put wrongly, and so on."""

    anything: float
    take: float
    fold: float
    keep_suit: float  # to keep cards of one suit when exchanging
    show: float
    say: float
    wrong: float
    stop: float

    @classmethod
    def of_some(cls, chance: random.Random) -> "Manner":
        """The manner of one kon."""
        return cls(
            anything=chance.choice([0.0, 0.0, 0.1, 0.3]),
            take=chance.choice([0.0, 0.3, 0.9]),
            fold=chance.choice([0.0, 0.2, 0.5, 1.0]),
            keep_suit=chance.choice([0.0, 0.8, 1.0]),
            show=chance.choice([0.2, 0.5]),
            say=0.8,
            wrong=chance.choice([0.05, 0.3, 0.7]),
            stop=chance.choice([0.2, 0.7]),
        )


LIKED = {
    "take": "take",
    "pass": "take",
    "stay": "fold",
    "fold": "fold",
    "show": "show",
    "hide": "show",
    "stop": "stop",
    "go on": "stop",
}
"""Which share of a manner decides between two answers."""


def chosen(chance: random.Random, deal: Deal, legal: list[str], manner: Manner) -> str:
    """An action that leads somewhere."""
    if len(legal) == 1 or chance.random() < manner.anything:
        return chance.choice(legal)
    hand = deal.hands[deal.seat]
    if deal.phase == "play":
        wrong = [action for action in legal if deal.wrong(action)]
        if wrong and chance.random() < manner.wrong:
            return chance.choice(wrong)
        right = [action for action in legal if action not in wrong]
        high = deal.seat == 0 or chance.random() < 0.3
        return max(right, key=lambda action: strength(action[5:])) if high else chance.choice(right)
    if deal.phase == "boys":
        return chance.choice(legal[:-1]) if chance.random() < manner.say else "silent"
    if deal.phase == "keep":
        fits = [action for action in legal if suit(action[5:]) == suit(deal.prikup[0])]
        return chance.choice(fits or legal)
    if deal.phase == "discard":
        return chance.choice(legal)
    if deal.phase == "exchange":
        return exchanged(chance, deal, hand, legal, manner)
    yes = {"take": "take", "fold": "fold", "khlust": "show", "finish": "stop"}[deal.phase]
    no = next(action for action in legal if action != yes)
    return yes if chance.random() < getattr(manner, LIKED[yes]) else no


def exchanged(chance: random.Random, deal: Deal, hand: list[str], legal: list[str], manner: Manner) -> str:
    """A card to lay away, mostly such as are not of the suit most held; or the end of the exchange."""
    if "fold" in legal and chance.random() < manner.fold:
        return "fold"
    away = [action for action in legal if action.startswith("discard")]
    ends = [action for action in legal if action in ("done", "take trump")]
    if chance.random() < manner.keep_suit:
        counts = [sum(suit(card) == s for card in hand) for s in SUITS]
        most = SUITS[counts.index(max(counts))]
        away = [action for action in away if suit(action[8:]) != most]
        if away:
            return away[0]
        return chance.choice(ends) if ends else chance.choice(legal)
    return chance.choice(away[:2] + ends or legal)


def start_line(chance: random.Random, rules: dict[str, Any], episode: str, start: list[int]) -> dict[str, Any]:
    """The first line of an episode."""
    return {
        "type": "match",
        "format": 1,
        "game": "petukh",
        "version": 0,
        "seed": chance.randrange(2**63),
        "episode": episode,
        "start": start,
        "rules": rules,
        "players": [f"referee {seat}" for seat in range(rules["players"])],
    }


def deal_line(number: int, deal: Deal) -> dict[str, Any]:
    """The cards of a kon in their places."""
    line: dict[str, Any] = {"type": "deal", "number": number, "dealer": deal.dealer, "hands": deal.dealt}
    if deal.trump_card is None:
        line["prikup"] = list(deal.prikup)
    else:
        line["trump_card"] = [deal.trump_card]
    return line | {"stock": list(deal.stock)}


def record(chance: random.Random, rules: dict[str, Any], episode: str) -> list[str]:
    """The lines of one episode, played and scored by the referee."""
    seats = rules["players"]
    totals = at_the_start(chance, rules, episode)
    lines = [start_line(chance, rules, episode, list(totals))]
    folds, dealer, number = [0] * seats, chance.randrange(seats), 0
    while lines[-1]["type"] != "end":
        deal = dealt(chance, rules, dealer, totals, folds)
        manner = Manner.of_some(chance)
        lines.append(deal_line(number, deal))
        while deal.end is None:
            legal = deal.legal()
            action = chosen(chance, deal, legal, manner)
            lines.append({"type": "move", "seat": deal.seat, "legal": legal, "action": action})
            if deal.wrong(action):
                lines[-1]["revoke"] = True
            deal.act(action)
        dealer = deal.next_dealer
        if deal.end == "void":
            continue
        changes = deal.changes()
        totals = [total + change for total, change in zip(totals, changes, strict=True)]
        lines.append({"type": "score", "deal": number, "points": changes, "totals": totals})
        folds = deal.folds_after()
        number += 1
        if episode == "deal":
            lines.append({"type": "end", "terminated": True, "returns": deal_returns(changes)})
        elif deal.winner is not None or number == rules["max_deals"]:
            won = deal.winner
            lines.append({"type": "end", "terminated": won is not None, "returns": match_returns(seats, won)})
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
        slip_in_match(chance, line)
    elif line["type"] == "deal":
        slip_in_deal(chance, line)
    elif line["type"] == "move":
        slip_in_move(chance, line)
    elif line["type"] == "score":
        numbers = line[chance.choice(["points", "totals"])]
        numbers[chance.randrange(len(numbers))] += chance.choice([-5, -1, 1, 5])
    elif chance.random() < 0.3:
        line["terminated"] = not line["terminated"]
    else:
        line["returns"][chance.randrange(len(line["returns"]))] += chance.choice([-0.1, 0.01])
    return [json.dumps(line) for line in altered]


def slip_in_match(chance: random.Random, line: dict[str, Any]) -> None:
    """Another option, with which the play that follows may no longer agree, or another score at the start."""
    if chance.random() < 0.2:
        line["start"][chance.randrange(len(line["start"]))] += chance.choice([-15, -1, 1, 15])
        return
    rules = line["rules"]
    name = chance.choice(list(rules))
    if name in OPTIONS:
        rules[name] = chance.choice([value for value in OPTIONS[name] if value != rules[name]])
    else:
        rules[name] += chance.choice([-1, 1])


def slip_in_deal(chance: random.Random, line: dict[str, Any]) -> None:
    """Two cards exchanged, one doubled, another dealer or number, or a card in another pile."""
    hands, seats = line["hands"], len(line["hands"])
    one, other = chance.sample(range(seats), 2)
    a, b = chance.randrange(len(hands[one])), chance.randrange(len(hands[other]))
    pile = "prikup" if "prikup" in line else "trump_card"
    kind = chance.randrange(8)
    if kind == 0:
        hands[one][a] = hands[other][b]
    elif kind == 1:
        line["dealer"] = chance.choice([None, -1, seats, one, other])
    elif kind == 2:
        line["number"] += chance.choice([-1, 1])
    elif kind == 3:
        line[pile].append(line["stock"].pop())
    elif kind == 4:
        line[pile][0], hands[one][a] = hands[one][a], line[pile][0]
    elif kind == 5:
        line["stock"][0], hands[one][a] = hands[one][a], line["stock"][0]
    else:
        hands[one][a], hands[other][b] = hands[other][b], hands[one][a]


def slip_in_move(chance: random.Random, line: dict[str, Any]) -> None:
    """Another seat, another action, another list of legal ones, or a revoke too many or too few."""
    kind = chance.randrange(7)
    if kind == 0:
        line["action"] = chance.choice(ACTIONS)
    elif kind == 1:
        line["action"] = chance.choice(line["legal"])
    elif kind == 2:
        line["legal"].remove(chance.choice(line["legal"]))
    elif kind == 3:
        extra = chance.choice([*ACTIONS, *ACTIONS[108:]])
        line["legal"] = sorted({*line["legal"], extra}, key=ACTIONS.index)
    elif kind == 4:
        line["legal"].reverse()
    elif kind == 5:
        line["seat"] = chance.randrange(5)
    elif not line.pop("revoke", False):
        line["revoke"] = chance.choice([True, False])
