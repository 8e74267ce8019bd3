"""Positions from card names: a table with the hands dealt as written, brought to a decision by named actions."""

from karty.envs.engine import Table
from karty.envs.game import ASKED


def cards(text):
    """The names in a text."""
    return text.split()


def table(game, hands, *, dealer=None, start=None, episode="match", seed=1, piles=None, **options):
    """A table whose first deal is this one, at its first decision.

    Each hand or pile is a text like "AS TH 9C", a pile of several parts a list of texts.
    """
    made = Table(game, episode=episode, **options)
    deal = {"hands": [cards(hand) for hand in hands]}
    for name, pile in (piles or {}).items():
        deal[name] = cards(pile) if isinstance(pile, str) else [cards(part) for part in pile]
    if dealer is not None:
        deal["dealer"] = dealer
    made.reset(seed, deal=deal, start=start)
    made.settle()
    return made


def act(at, actions, given=None):
    """Play these actions, separated by commas, each by the seat that is asked; each must be legal. The table again.

    ``given`` is the next deal, as in a record, if one comes after them.
    """
    for name in filter(None, (name.strip() for name in actions.split(","))):
        assert name in legal(at), f"{name} is not legal for seat {at.seat}: {', '.join(legal(at))}"
        at.play(at.game.action_id(at.rules, name))
        while at.advance(given) != ASKED:
            pass
    return at


def legal(at):
    """The names of the legal actions of the seat that is asked, in the order of their ids."""
    return [at.shape.actions[action] for action in at.legal()]


def sees(at, seat=None):
    """What a seat (by default the one that is asked) sees, as {field: value}."""
    return at.shape.observation.decode(at.observe(at.seat if seat is None else seat))


def hand(at, seat):
    """The names of the cards that a seat holds."""
    return at.shape.deck.cards(at.state.hands[seat])


def moved(at):
    """What the last scored deal changed in each score."""
    return at.scored()[0]


def scores(at):
    """The scores since the last scored deal."""
    return at.scored()[1]
