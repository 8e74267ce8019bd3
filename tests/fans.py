"""Positions of Piotruś by what stands in the fans: hands are filled up with pairs that are laid off at once."""

from positions import act, table
from referee.piotrus import DEFAULTS, deck, options, paired, sizes


def held(*fans, dealer=None, **chosen):
    """A table at its first draw or offer, where the seats hold these fans, each a text like "4H JS 9D".

    The last seat deals unless another is named, so that seat 0 draws first. The twin of every card in a fan must stand
    in another one. With ``discard="manual"`` the pairs have been laid by their owners.
    """
    rules = options(players=len(fans), **{name: its for name, its in chosen.items() if name in DEFAULTS})
    dealer = len(fans) - 1 if dealer is None else dealer
    cards = [fan.split() for fan in fans]
    pairs = _by_pairs(rules, [card for card in deck(rules) if not any(card in fan for fan in cards)])
    hands, lays = [], []
    for fan, size in zip(cards, sizes(rules, dealer), strict=True):
        more, odd = divmod(size - len(fan), 2)
        assert not odd, f"a hand of {size} cards cannot become the fan {' '.join(fan)}"
        lays.append(pairs[:more])
        hands.append(" ".join([card for pair in pairs[:more] for card in pair] + fan))
        pairs = pairs[more:]
    at = table("piotrus", hands, dealer=dealer, players=len(fans), **chosen)
    if rules["discard"] == "manual":
        for step in range(1, len(fans) + 1):
            act(at, ", ".join(f"lay {one} {other}" for one, other in lays[(dealer + step) % len(fans)]))
    return at


def _by_pairs(rules, cards):
    """The cards as pairs, the lower card of each first."""
    left, pairs = list(cards), []
    while left:
        card = left.pop(0)
        twins = [other for other in left if paired(rules, card, other)]
        assert twins, f"the twin of {card} must stand in a fan too"
        left.remove(twins[0])
        pairs.append((card, twins[0]))
    return pairs


def fans(at):
    """The fans by seat, each as a text, the oldest card first."""
    return [" ".join(at.shape.deck.names[card] for card in row if card >= 0) for row in at.state.fans[: at.seats]]


def shuffled(at, fan):
    """The seat asked shuffles, and its fan comes to stand like this; the table again."""
    return act(at, "shuffle", given={"seat": at.seat, "fan": fan.split()})


def sure(text, length):
    """A fan as a seat sees it, by a text in which ? is an unknown card, filled up with empty places."""
    places = ["unknown" if card == "?" else card for card in text.split()]
    return places + ["empty"] * (length - len(places))
