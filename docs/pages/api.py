"""The pages of the API: which names a user calls, by page and module; Sphinx takes their docstrings in."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping

from .markdown import cell

NAMES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "karty": {
        "karty": ("make_batch", "make_aec", "load_agent", "evaluate", "focal_score", "arena"),
        "karty.envs.games": ("GAMES", "MINIS", "find_game"),
    },
    "games": {
        "karty.envs.game": ("Game", "Options", "Shape", "RulesError", "make_rules"),
        "karty.envs.layout": ("Layout", "Field"),
        "karty.envs.cards": ("Deck",),
    },
    "envs": {
        "karty.envs.engine": ("Batch", "Player", "play_episodes", "choose_rows", "players", "register_player"),
        "karty.envs.table": ("Table", "IllegalAction"),
        "karty.envs.aec": ("TableEnv", "env", "raw_env"),
        "karty.envs.single": ("KartyEnv", "KartyVectorEnv"),
        "karty.envs.registry": ("gymnasium_id", "register"),
        "karty.envs.record": ("write_records", "read_records", "replay", "Summary", "RecordError"),
        "karty.envs.snapshot": ("StateError",),
        "karty.envs.picture": ("svg", "text", "pixels", "view", "View"),
    },
    "agents": {
        "karty.agents.agent": ("Agent", "agent_names", "as_agent", "AgentError"),
        "karty.agents.opponents": ("POOL", "pool_names", "load_pool"),
        "karty.agents.network": ("NetworkAgent", "Network", "load_network"),
    },
    "training": {
        "karty.training.config": ("TrainConfig(game, **options)", "PPOConfig(**options)", "usual_config", "read_rules"),
        "karty.training.ppo": ("train", "Result"),
        "karty.training.evaluate": ("Evaluation",),
        "karty.training.estimates": ("Estimate", "estimate"),
        "karty.training.splits": ("evaluation_seeds",),
        "karty.training.focal": ("FocalScore",),
        "karty.training.normalised": ("normalised", "average"),
        "karty.training.arena": ("Arena",),
        "karty.training.move_time": ("MoveTime",),
        "karty.training.ratings": ("Rating",),
        "karty.training.cycles": ("CyclicShare", "Cycle"),
        "karty.training.radar": ("radar",),
        "karty.training.probe": ("probe", "Probe", "Finding"),
        "karty.training.exploit": ("exploit", "Exploit", "Responder"),
        "karty.training.exact": (
            "exploitability",
            "Exploitability",
            "best_response",
            "nash_conv",
            "uniform",
            "policy_of",
        ),
        "karty.training.cfr": ("DiscountedCFR",),
        "karty.training.gametree": ("whole_tree", "GameTree"),
        "karty.training.bench": ("bench", "Speed"),
    },
}
"""Page, module, names; what `karty` itself names is on the first page. A name with arguments stands with these and
without its members: those of a configuration are options of `karty train`, which the command line's page has."""

TITLES = {
    "karty": "karty",
    "games": "karty.envs: games and layouts",
    "envs": "karty.envs: engine, environments, records, pictures",
    "agents": "karty.agents",
    "training": "karty.training",
}


def pages() -> Iterator[tuple[str, str]]:
    """The list of the pages, and each of them."""
    names = "\n".join(NAMES)
    intro = "What a user calls, as the docstrings tell it. Axes are n tables, P seats, A actions, F features."
    yield "generated/api/index", f"# API\n\n{intro}\n\n```{{toctree}}\n:maxdepth: 2\n\n{names}\n```\n"
    for page, modules in NAMES.items():
        yield (
            f"generated/api/{page}",
            f"# {TITLES[page]}\n\n" + "\n".join(_module(module, members) for module, members in modules.items()),
        )


def _module(module: str, members: tuple[str, ...]) -> str:
    found = importlib.import_module(module)
    first = cell((found.__doc__ or "").strip().partition("\n\n")[0])
    lines = [f"## {module}", "", first, "", "```{eval-rst}", f".. module:: {module}", "   :no-index-entry:", ""]
    for name in members:
        directive = _directive(getattr(found, bare(name)))
        lines += [f".. {directive}:: {module}.{name}"]
        lines += ["   :no-value:"] * (directive == "autodata") + ["   :no-members:"] * (name != bare(name)) + [""]
    return "\n".join([*lines, "```", ""])


def bare(name: str) -> str:
    """A name without its arguments."""
    return name.partition("(")[0]


def _directive(value: object) -> str:
    if isinstance(value, type):
        return "autoexception" if issubclass(value, BaseException) else "autoclass"
    return "autofunction" if callable(value) else "autodata"
