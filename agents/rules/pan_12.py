"""A player of Pan with twelve cards by rules of thumb; it knows the observation and nothing else, and draws no lots.

Laying    several cards at once as soon as it can, else its lowest card that may be laid
Drawing   only when nothing else is legal
"""

from karty.envs.engine import register_player
from karty.envs.games.mini.pan_12 import DRAW, FOUR, PLAY, RANKS, THREE_NINES
from karty.envs.kernel import rule


@rule
def choose(o, mask, chance):
    """The rule-based player."""
    if mask[THREE_NINES]:
        return THREE_NINES
    for rank in range(RANKS):
        if mask[FOUR + rank]:
            return FOUR + rank
    for rank in range(RANKS):
        if mask[PLAY + rank]:
            return PLAY + rank
    return DRAW


register_player("pan_12", "rule", choose)
