"""What sets one rule-based player of Tysiąc apart from another, and what suits each table.

One temper has a few numbers that matter at some tables only; there they are set below, elsewhere they are 0.
"""

from typing import NamedTuple

from karty.agents.rules.tempers import table
from karty.envs.games.tysiac_tables import TABLES


class Temper(NamedTuple):
    """What sets one player of this kind apart from another: points, and shares in per cent.

    The values of a hand began as those that worked in a prototype (ace 18, ten 16, king 12, guarded ten 6, each card
    beyond the third of a suit 8, marriages in full); all were then tuned in self-play: ``benchmarks/tune_rules.py``.
    """

    ace: int = 17  # a hand promises so much for an ace,
    ten: int = 16  # a ten with its ace,
    king: int = 6  # a king with both,
    guarded: int = 4  # a ten without its ace but with another card,
    length: int = 4  # the fourth card of a suit, twice as much more for the fifth, three times for the sixth,
    beside: int = 5  # each card beside a marriage,
    helped: int = 6  # and its ace and ten once more;
    second: int = 75  # per cent of a marriage that is not the hand's best,
    chance: int = 0  # of one whose other half may be drawn
    caution: int = -18  # bids stay so far below the promise,
    hunger: int = 60  # nearer by so much where only declarer's points count for me,
    alarm: int = 30  # or where another bidder may be about to win;
    partner: int = 0  # further below it by so much if the highest bid is my partner's;
    safety: int = 28  # the contract stays so far below it,
    spurt: int = 45  # nearer by so much if it wins the match
    bomb: int = 20  # so far above what the cards promise a bid is not played but bombed,
    concede: int = 65  # or conceded
    half: int = 15  # per cent of a marriage that giving half of it costs a hand without sure tricks,
    mate: int = 0  # or that it brings if my partner gets it,
    gift: int = -30  # per cent of the points of a card given or laid away: low cards are worth keeping,
    feed: int = 0  # or that they bring if my partner gets it,
    void: int = 1  # a suit with no card left
    later: int = 115  # per cent that a card which nothing beats is still worth in the hand,
    next: int = 6  # less so much if a higher one is there too;
    guard: int = 75  # per cent of the points of a card below a single other, while it has a guard;
    keep: int = 100  # the last guard, per cent of the points it guards;
    pair: int = 25  # king and queen, per cent of the marriage
    hope: int = 0  # one of them while the other may be drawn or laid before it, per cent of the marriage
    trumps: int = 0  # a trump while there is a stock
    last: int = 0  # a card that nothing beats, per cent of the points aside that go to the last trick
    bring: int = 2  # each card still to come brings so much to a trick,
    lead: int = 6  # the lead so much to its winner,
    meld: int = 0  # and per cent of the marriage that I could meld then
    deny: int = 0  # two-handed: and of the best that the other may hold
    willing: int = 100  # per cent that a seat which can take a trick does so without a duty
    queen: int = 0  # a queen laid before a seat that may hold the king, per cent of the marriage
    force: int = 180  # leads: per cent of what a card is worth that becomes the best of its suit,
    crowd: int = 1  # less for each card of the suit still out,
    under: int = 40  # less if it is led from under the best card,
    risk: int = 12  # less if the best card may be trumped
    strong: int = 60  # of two marriages, one with so many points less goes first if a card less can beat its queen
    near: int = 0  # two-handed: with so few cards left the rest is thought out, if the other hand is known
    guess: int = 0  # or if no more cards than this are out beside it;
    fellow: int = 50  # per cent that the points of a seat count which plays against declarer as I do


RULE = Temper()
AT = {
    "3p": RULE,
    "2p_pairs": RULE._replace(
        length=3,
        caution=54,
        safety=52,
        half=0,
        gift=-15,
        void=5,
        next=18,
        pair=61,
        last=30,
        deny=50,
        strong=10,
        near=3,
        guess=6,
    ),
    "2p_triples": RULE._replace(
        ace=20,
        guarded=1,
        caution=-34,
        safety=44,
        half=0,
        gift=0,
        void=5,
        later=130,
        next=12,
        pair=49,
        last=30,
        bring=1,
        deny=25,
        risk=4,
        strong=10,
        near=3,
        guess=2,
    ),
    "2p_twelve": RULE._replace(
        ace=10,
        ten=10,
        king=4,
        guarded=7,
        length=1,
        helped=4,
        second=35,
        caution=108,
        safety=36,
        half=0,
        void=-3,
        later=70,
        next=3,
        guard=100,
        keep=180,
        force=120,
        crowd=3,
        risk=-4,
        strong=10,
        near=4,
    ),
    "2p_stock": RULE._replace(
        half=0, pair=37, hope=13, trumps=9, lead=2, meld=20, willing=70, force=18, crowd=4, near=6
    ),
    "2p_stock_auction": RULE._replace(
        beside=2,
        helped=3,
        chance=20,
        caution=62,
        safety=36,
        half=0,
        void=5,
        later=85,
        pair=25,
        hope=10,
        trumps=6,
        last=30,
        lead=14,
        meld=20,
        willing=85,
        force=60,
        near=4,
        guess=6,
    ),
    "4p_resting": RULE,
    "4p_six": RULE._replace(pair=13, hope=30, meld=20),
    "4p_teams": RULE._replace(
        ten=13,
        length=6,
        caution=-70,
        partner=5,
        safety=-12,
        half=7,
        mate=10,
        gift=-45,
        feed=150,
        void=3,
        pair=13,
        hope=30,
        bring=3,
        meld=10,
        queen=50,
        force=240,
        risk=4,
    ),
}


def timid(temper: Temper) -> Temper:
    """The same, but it bids less."""
    return temper._replace(caution=temper.caution + 20, safety=temper.safety + 20)


def bold(temper: Temper) -> Temper:
    """The same, but it bids more."""
    return temper._replace(caution=temper.caution - 20, safety=temper.safety - 15)


_RULE = [AT[name] for name in TABLES]
TEMPERS = table(*_RULE, *map(timid, _RULE), *map(bold, _RULE)).reshape(-1, len(TABLES))
"""Records [tempers, tables]: as it is, timid, bold."""
