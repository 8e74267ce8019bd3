"""Card games of Central and Eastern Europe for multi-agent reinforcement learning.

    batch = karty.make_batch("tysiac", 1000)        many tables in one call, as arrays
    env = karty.make_aec("tysiac")                  a PettingZoo environment
    agent = karty.load_agent("tysiac", "rule")      a player by its name or file
    karty.evaluate("tysiac", ["rule", "random"])    the first against the others, with intervals
    karty.focal_score("tysiac", "rule")             one against a fixed pool of opponents
    karty.arena("tysiac", ["rule", "random"])       every pair: payoffs, ratings, cycles

`GAMES` has every game by its name, `MINIS` every mini game, small enough to be solved. Importing karty registers the
Gymnasium ids (`karty/Tysiac-v0`); it needs no torch.
"""

from pathlib import Path as _Path

# In a source checkout the sub-packages are the repository's top-level folders
# envs/, agents/, training/; in a wheel they lie inside this folder.
_top = _Path(__file__).resolve().parent.parent
if _top.name == "src":
    __path__.insert(0, str(_top.parent))

from .agents import rules as _rules  # noqa: F401  registers the compiled players
from .agents.agent import load_agent
from .envs import engine as _engine
from .envs.engine import make_batch
from .envs.games import GAMES, MINIS
from .envs.registry import make_aec  # registers the Gymnasium ids
from .training.arena import arena
from .training.evaluate import evaluate
from .training.focal import focal_score

_engine.set_resolver(load_agent)  # so that wherever a player's name goes, an agent's goes

__version__ = "0.1.0"
__all__ = ["GAMES", "MINIS", "__version__", "arena", "evaluate", "focal_score", "load_agent", "make_aec", "make_batch"]
