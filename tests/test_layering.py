"""Who may import whom: the arrows of the architecture, read from the source of every file."""

import ast
import re
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parent.parent
FOLDERS = (TOP / "envs", TOP / "agents", TOP / "training", TOP / "src" / "karty")
FILES = sorted(
    path.relative_to(TOP).as_posix()
    for folder in FOLDERS
    for path in folder.rglob("*.py")
    if not any(parent.is_symlink() for parent in path.parents)
)

RULES_MAY_USE = ("kernel", "cards", "chance", "tricks", "asides", "layout", "game")


def imports(path, source):
    """All modules that a file imports, in full, literal calls of import_module too."""
    module = ["karty", *Path(path.removeprefix("src/karty/")).with_suffix("").parts]
    package = module[:-1]  # of a package's __init__ too: its module name then ends in "__init__"
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            origin = ".".join([*above, *(node.module or "").split(".")]).strip(".")
            found |= {origin} | {f"{origin}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("import_module", "__import__")):
            found |= {arg.value for arg in node.args[:1] if isinstance(arg, ast.Constant)}
    return found


def within(name, *packages):
    """Whether a module is one of these or lies in one of them."""
    return any(name == package or name.startswith(package + ".") for package in packages)


def violations(path, source):
    """What a file imports but should not, as text; empty if all is well."""
    found = imports(path, source)
    wrong = []

    def forbid(reason, names):
        wrong.extend(f"{path} imports {name}: {reason}" for name in sorted(names))

    if path.startswith("envs/"):
        upward = {name for name in found if name == "karty" or within(name, "karty.agents", "karty.training")}
        forbid("games know neither players nor training", upward)
    if path.startswith("envs/games/") and path != "envs/games/__init__.py":
        allowed = [f"karty.envs.{name}" for name in RULES_MAY_USE]
        neighbour = rf"karty\.envs\.games\.{Path(path).stem.split('_')[0]}_\w+(\.\w+)?"  # of the same game
        own = {name for name in found if within(name, "karty") and not within(name, *allowed)}
        own = {name for name in own if not re.fullmatch(neighbour, name)}
        forbid(f"of our files, rules use only {', '.join(RULES_MAY_USE)}", own - {"karty.envs"})
    if not re.fullmatch(r"envs/(aec|single|registry|\w+_v\d+)\.py", path):
        faces = {name for name in found if within(name, "pettingzoo", "gymnasium")}
        forbid("only aec, single, registry and the doors know these libraries", faces)
    if path not in ("agents/network.py", "agents/checkpoint.py") and not path.startswith("training/"):
        forbid("only networks, checkpoints and training need torch", {name for name in found if within(name, "torch")})
    if path != "envs/kernel.py":
        compilers = {name for name in found if within(name, "numba", "llvmlite")}
        forbid("only envs/kernel.py knows the compiler", compilers)
    return wrong


@pytest.mark.parametrize("path", FILES)
def test_imports_follow_the_arrows(path):
    assert violations(path, (TOP / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("path", "source", "culprits"),
    [
        ("envs/engine.py", "from ..agents import agent", {"karty.agents", "karty.agents.agent"}),
        (
            "envs/engine.py",
            "from karty.training.evaluate import x",
            {"karty.training.evaluate", "karty.training.evaluate.x"},
        ),
        ("envs/engine.py", "def f():\n    from .. import agents", {"karty", "karty.agents"}),
        ("envs/engine.py", "import importlib\nimportlib.import_module('karty.agents.agent')", {"karty.agents.agent"}),
        ("envs/games/pan.py", "from ..engine import make_batch", {"karty.envs.engine", "karty.envs.engine.make_batch"}),
        ("envs/games/pan.py", "from . import tysiac", {"karty.envs.games", "karty.envs.games.tysiac"}),
        (
            "envs/games/tysiac_sees.py",
            "from .tysiac import play",
            {"karty.envs.games.tysiac", "karty.envs.games.tysiac.play"},
        ),
        (
            "envs/games/pan.py",
            "from .tysiac_sees import hide",
            {"karty.envs.games.tysiac_sees", "karty.envs.games.tysiac_sees.hide"},
        ),
        ("envs/engine.py", "import gymnasium.spaces", {"gymnasium.spaces"}),
        ("agents/agent.py", "from pettingzoo.utils import wrappers", {"pettingzoo.utils", "pettingzoo.utils.wrappers"}),
        ("agents/agent.py", "if x:\n    import torch", {"torch"}),
        ("src/karty/__init__.py", "import torch.nn", {"torch.nn"}),
        ("envs/cards.py", "from numba import njit", {"numba", "numba.njit"}),
    ],
)
def test_a_wrong_import_is_seen(path, source, culprits):
    assert {line.split(" imports ")[1].split(":")[0] for line in violations(path, source)} == culprits


@pytest.mark.parametrize(
    ("path", "source"),
    [
        (
            "envs/games/pan.py",
            "import numpy as np\nfrom ..cards import Deck\nfrom .. import kernel\nfrom karty.envs.game import Game",
        ),
        ("envs/games/tysiac.py", "from .tysiac_sees import hide\nfrom .tysiac_tables import Rules"),
        ("envs/games/tysiac_sees.py", "from .tysiac_tables import Rules"),
        ("envs/games/__init__.py", "from . import tysiac\nfrom .tysiac import GAME"),
        ("envs/tysiac_v0.py", "from .aec import make_aec\nimport pettingzoo"),
        ("envs/engine.py", "from .games import GAMES\nimport gymnasiums, torchless"),
        ("agents/network.py", "import torch\nfrom ..envs.layout import Layout"),
        ("training/ppo.py", "from torch import nn\nfrom ..agents import network\nfrom ..envs import engine"),
        ("envs/kernel.py", "import llvmlite\nimport numba"),
    ],
)
def test_a_right_import_passes(path, source):
    assert violations(path, source) == []
