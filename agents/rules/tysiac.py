"""A player of Tysiąc by rules of thumb: it counts its hand, remembers what the duties gave away, and weighs each card.

What it knows   the observation and nothing else; it keeps nothing between two decisions and draws no lots
Auction         ten more than the last bid, as long as the estimate of its hand, less some caution, covers it
Giving          the cards without which the hand is worth most; half a marriage only if it keeps the lead anyway
Leading         a queen that nobody can beat, then sure tricks, then the best marriage; a king to drive out the ace
Cards           the one with the best balance: who will win the trick with what in it, less its worth in later tricks
The end         bids harder where only declarer's points count, and for the win; bombs a hundred that it will not make
Two-handed      the last tricks are thought out to the end once the other hand is known, or nearly
With a stock    keeps trumps and halves of marriages that may still be completed
Partners        sure tricks of the partner are fed, and he gets a card that helps him

At all nine tables by the same rules, with other numbers: those are in tysiac_temper.py, what a hand promises in
tysiac_hand.py, bids and gifts in tysiac_bids.py, what is known of the other hands in tysiac_view.py, the choice of a
card in tysiac_cards.py, the last tricks of two in tysiac_known.py.
"""

from karty.agents.rules.tysiac_bids import bid, contract, give
from karty.agents.rules.tysiac_cards import play
from karty.agents.rules.tysiac_temper import TEMPERS
from karty.envs.cards import column
from karty.envs.engine import register_tempers
from karty.envs.games.tysiac_tables import AUCTION, CLAIM, CONTRACTING, GIVING, PLAYING
from karty.envs.kernel import rule


@rule
def decide(o, mask, t):
    """One decision of a player of this temper."""
    if o.phase[PLAYING]:
        return CLAIM if mask[CLAIM] else play(o, mask, t)
    if o.phase[AUCTION]:
        return bid(o, mask, t)
    if o.phase[GIVING]:
        return give(o, mask, t)
    if o.phase[CONTRACTING]:
        return contract(o, mask, t)
    return column(mask)


@rule
def choose(o, mask, chance, temper):
    """The rule-based player; the timid one bids less, the bold one more."""
    return decide(o, mask, TEMPERS[temper, column(o.table)])


register_tempers("tysiac", ("rule", "rule-timid", "rule-bold"), choose)
