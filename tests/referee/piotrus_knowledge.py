"""What one seat knows at a table of Piotruś, and whether a placement of all cards could be the true one (7.2, 7.3).

An account kept apart from the package's observations and `determinize`: it goes through the story of a deal, event by
event, and does what the sentences of the book say, one after the other. Nothing is inferred beyond them.
"""

from collections.abc import Sequence

from .piotrus import Deal, Dealt, Drawn, Event, Laid, Shuffled, deck, paired


class Knowledge:
    """What seat `me` knows, by the events it has seen so far; seats are absolute, cards are texts.

    `fan` is its own, in order. `known[seat]` has a card or None for each position of that seat's fan, `loose[seat]`
    the cards known to be in it at an unknown place; both stay empty for `me`. `knowers[place]` are the other seats that
    know the card at this position of its own fan. `out` are the cards that were laid off.
    """

    def __init__(self, me: int) -> None:
        self.me = me
        self.fan: list[str] = []
        self.known: list[list[str | None]] = []
        self.loose: list[set[str]] = []
        self.out: list[str] = []
        self.undecided: Drawn | None = None  # a card drawn unseen whose pair is not laid yet
        self._holders: dict[str, set[int]] = {}  # 7.3: who held a card since its fan was last shuffled

    @classmethod
    def of(cls, deal: Deal, me: int) -> "Knowledge":
        """What seat `me` knows at this moment of a deal."""
        knowledge = cls(me)
        for event in deal.story:
            knowledge.see(event)
        return knowledge

    @property
    def knowers(self) -> list[set[int]]:
        """For every position of the own fan the other seats that know its card by 7.2 (a) and (b) (7.3)."""
        return [self._holders[card] - {self.me} for card in self.fan]

    @property
    def counts(self) -> list[int]:
        """How many cards each seat holds."""
        return [len(self.fan) if seat == self.me else len(fan) for seat, fan in enumerate(self.known)]

    def see(self, event: Event) -> None:
        """Go on by one event of the story; what this seat does not see of it is not used."""
        if isinstance(event, Dealt):
            self._dealt(event)
        elif isinstance(event, Laid):
            self._laid(event)
        elif isinstance(event, Drawn):
            self._drawn(event)
        else:
            self._shuffled(event)
        self._one_place_left()

    def _dealt(self, event: Dealt) -> None:
        # A redeal forgets everything.
        self.fan = list(event.hands[self.me])
        self.known = [[] if seat == self.me else [None] * len(hand) for seat, hand in enumerate(event.hands)]
        self.loose = [set() for _ in event.hands]
        self.out = []
        self.undecided = None
        self._holders = {card: {seat} for seat, hand in enumerate(event.hands) for card in hand}

    def _shuffled(self, event: Shuffled) -> None:
        for card in event.fan:
            self._holders[card] = {event.seat}
        if event.seat == self.me:
            self.fan = list(event.fan)
            return
        # (c) a shuffle makes the known positions of that fan loose cards
        known = self.known[event.seat]
        self.loose[event.seat] |= {card for card in known if card is not None}
        self.known[event.seat] = [None] * len(known)

    def _laid(self, event: Laid) -> None:
        # 2.3: everybody sees which cards a pair is and from which positions they left the fan; the others close up.
        fan = self.fan if event.seat == self.me else self.known[event.seat]
        for place in sorted(event.places, reverse=True):
            del fan[place]
        self.out += event.cards
        # (d) a loose card is forgotten when it is laid off, wherever this seat took it to be; the others stay loose
        for loose in self.loose:
            loose.difference_update(event.cards)
        self.undecided = None

    def _drawn(self, event: Drawn) -> None:
        self._holders[event.card].add(event.drawer)
        if event.drawer == self.me:
            # What was known of the other positions stays (b); (d) forgotten when this seat draws it.
            del self.known[event.giver][event.place]
            self.loose[event.giver].discard(event.card)
            self.fan.append(event.card)
        elif event.giver == self.me:
            # (a) a card that this seat gave away is known at the end of the drawer's fan
            del self.fan[event.place]
            self.known[event.drawer].append(event.card)
        else:
            # (b) known positions keep their cards when positions close up, and when a third seat draws them
            card = self.known[event.giver].pop(event.place)
            self.known[event.drawer].append(card)
            if card is None and event.pairs:
                self.undecided = event  # (d): the lay will show which card it was
            elif card is None:
                # (d) all are forgotten when a third seat draws an unknown position and keeps the card
                self.loose[event.giver].clear()

    def _one_place_left(self) -> None:
        # (e) exactly one unknown position and one loose card: the card is known to stand there
        for seat, known in enumerate(self.known):
            if self.undecided is not None and seat == self.undecided.giver:
                continue  # until the lay
            if known.count(None) == 1 and len(self.loose[seat]) == 1:
                known[known.index(None)] = self.loose[seat].pop()


def objections(knowledge: Knowledge, deal: Deal, fans: Sequence[Sequence[str]]) -> list[str]:
    """Everything in a complete placement that the seat knows to be otherwise; an empty list if it could be true.

    `fans` are the cards of every seat, in order. Of the deal only what everybody sees is used: the options, the phase,
    whose move it is, the dealer, who draws.
    """
    rules, me = deal.rules, knowledge.me
    wrong = []
    if sorted([card for fan in fans for card in fan] + knowledge.out) != sorted(deck(rules)):
        wrong.append("the fans and the cards laid off are not the deck")
    if [len(fan) for fan in fans] != knowledge.counts:
        wrong.append(f"the seats hold {knowledge.counts} cards")
        return wrong
    if list(fans[me]) != knowledge.fan:
        wrong.append("the seat's own fan is another")

    for seat, fan in enumerate(fans):
        if seat == me:
            continue
        for place, card in enumerate(knowledge.known[seat]):
            if card is not None and fan[place] != card:
                wrong.append(f"seat {seat} has {card} at position {place}")
        among = list(fan)
        if knowledge.undecided is not None and seat == knowledge.undecided.giver:
            among.append(fans[knowledge.undecided.drawer][-1])  # it may have been the card that was drawn
        if not knowledge.loose[seat] <= set(among):
            wrong.append(f"seat {seat} has {sorted(knowledge.loose[seat] - set(among))} somewhere")

    # 2.3: whose fan may hold a pair, and whose must
    if deal.phase == "over":
        return wrong  # 4.1: nobody is asked any more, the last pairs may be left
    waiting: list[int] = []
    if deal.phase == "lay" and deal.drawer is None:
        order = deal.from_dealers_left()
        waiting = order[order.index(deal.seat) :]
    for seat, fan in enumerate(fans):
        laying = deal.phase == "lay" and seat == deal.seat
        if laying and not _holds_pair(rules, fan):
            wrong.append(f"seat {seat} is asked to lay and holds no pair")
        elif laying and deal.drawer is not None and _holds_pair(rules, fan[:-1]):
            wrong.append(f"seat {seat} held a pair before it drew")
        elif not laying and seat not in waiting and _holds_pair(rules, fan):
            wrong.append(f"seat {seat} would have laid off a pair")
    return wrong


def _holds_pair(rules: dict[str, object], fan: Sequence[str]) -> bool:
    return any(paired(rules, card, other) for place, card in enumerate(fan) for other in fan[:place])


def consistent(knowledge: Knowledge, deal: Deal, fans: Sequence[Sequence[str]]) -> bool:
    """Whether a complete placement of the cards agrees with all that a seat knows (see `objections`)."""
    return not objections(knowledge, deal, fans)
