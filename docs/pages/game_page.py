"""The page of a game: everything on it comes from `GAME`, its rule book, its agents' cards and what was measured."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import karty
from karty.envs import picture
from karty.envs.game import RUNNING, Game, Options, RulesError
from karty.envs.games import PLAYED
from karty.envs.registry import gymnasium_id
from karty.envs.table import Table
from karty.training.config import word_of

from . import agent_cards, facts, rule_book
from .layout_table import layout_table
from .markdown import Row, code, table
from .places import game_document

MOVES = 20
"""So many decisions the picture of a game is into its first deal."""
_SHOWN = 12
"""A kind with more actions than this is told by its first and last ones."""


def pages() -> Iterator[tuple[str, str]]:
    """The page of every game."""
    for game in PLAYED.values():
        yield game_document(game.name), page(game)


def page(game: Game) -> str:
    """The page of one game."""
    sections = (
        _head(game),
        _options(game),
        _shapes(game),
        _actions(game),
        _phases(game),
        _observation(game),
        _hidden(game),
        _rewards(game),
        facts.section(game),
        agent_cards.section(game),
        rule_book.included(game),
    )
    return "\n".join(section for section in sections if section)


def pictures() -> Iterator[tuple[str, str]]:
    """A table of every game, open, some moves into a deal between rule-based players."""
    for game in PLAYED.values():
        player = "rule" if "rule" in karty.envs.engine.players(game.name) else "random"
        shown = Table(game)
        shown.reset(seed=7)
        shown.settle()
        for _ in range(MOVES):
            ahead = shown.clone()
            ahead.play(ahead.choose(player))
            ahead.settle()
            if ahead.over != RUNNING or ahead.number:
                break
            shown = ahead
        yield game_document(game.name), picture.svg(game, shown)


def cited(game: Game, caption: str) -> str:
    """A caption in which every clause is a link to the rule book below."""
    known = rule_book.clauses(game)
    return rule_book.CITED.sub(
        lambda found: rule_book.linked(game, found[1]) if found[1] in known else found[0], caption
    )


def seats(game: Game) -> str:
    """How many seats there may be: `2–4`, or `3`."""
    sizes = game.rules.sizes()
    return str(sizes[0]) + (f"–{sizes[-1]}" if len(sizes) > 1 else "")


def _head(game: Game) -> str:
    shape, name = game.shape(), game.name
    of_the_door = name in karty.GAMES
    lines = [
        ("seats", f"{seats(game)}; {shape.seats} by default" if len(game.rules.sizes()) > 1 else seats(game)),
        ("actions, features", f"{shape.size} and {shape.features} by default"),
        ("version", str(game.version)),
        ("name", f'{code(name)}: `karty.make_batch("{name}", 1000)`, `karty.make_aec("{name}")`, `karty play {name}`'),
    ]
    if of_the_door:
        lines += [
            ("PettingZoo", f"`karty.envs.{name}_v{game.version}.env()`"),
            ("Gymnasium", f"`gymnasium.make({gymnasium_id(game)!r})`".replace("'", '"')),
        ]
    listed = "\n".join(f"- **{what}**: {told}" for what, told in lines)
    return (
        f"# {game.title}\n\n![A table of {game.title}, all cards open]({name}.svg)\n\n{listed}\n\n"
        f"The [rule book](#{rule_book.place(game, 'book')}) stands whole at the end; §2 is its section 2.\n"
    )


def _options(game: Game) -> str:
    fields = dataclasses.fields(game.rules)
    if not fields:
        return "## Options\n\nThere are none.\n"
    rows = [
        {
            "option": code(field.name),
            "values": _values(field.metadata),
            "default": code(word_of(field.default)),
            "what it is": cited(game, field.metadata["caption"]),
        }
        for field in fields
    ]
    text = f"## Options\n\n{table(list(rows[0]), rows)}"
    for field in fields:
        told = [{code(field.name): code(word_of(value)), " ": words} for value, words in _told(field.metadata).items()]
        text += f"\n{table(list(told[0]), told)}" if told else ""
    if game.presets:
        presets = [
            {"preset": code(name), "sets": ", ".join(code(f"{key}={word_of(value)}") for key, value in options.items())}
            for name, options in game.presets.items()
        ]
        text += f"\nPresets are named sets of defaults.\n\n{table(['preset', 'sets'], presets)}"
    return text


def _values(metadata: Any) -> str:
    if metadata["values"] is not None:
        return ", ".join(code(word_of(value)) for value in metadata["values"])
    return f"from {metadata['minimum']} on" + (", or `none`" if metadata["none"] else "")


def _told(metadata: Any) -> Mapping[Any, str]:
    """What the values of an option are, in a line each, if the game says so."""
    found: Mapping[Any, str] = metadata.get("told", {})
    return found


def _one_changed(game: Game) -> Iterator[tuple[str, Any]]:
    """The rules that differ from the defaults in one option with listed values; what does not go alone is left out."""
    for field in dataclasses.fields(game.rules):
        for value in field.metadata["values"] or ():
            try:
                yield f"{field.name}={word_of(value)}", game.rules.make(**{field.name: value})
            except RulesError:
                continue


def _shapes(game: Game) -> str:
    """The tables that differ from the default one in their size, or in which options have an effect."""
    rows = [_shape_row("default", game, game.rules())]
    for told, rules in _one_changed(game):
        row = _shape_row(code(told), game, rules)
        if list(row.values())[1:] != list(rows[0].values())[1:]:
            rows.append(row)
    if len(rows) == 1:
        return ""
    intro = "What one option, changed alone, makes of the table. One batch takes tables of equal actions and features."
    return f"### Sizes\n\n{intro}\n\n{table(list(rows[0]), rows, right=['seats', 'actions', 'features'])}"


def _shape_row(told: str, game: Game, rules: Options) -> Row:
    shape = game.shape(rules)
    idle = ", ".join(map(code, rules.idle))
    return {
        "table": told,
        "seats": shape.seats,
        "actions": shape.size,
        "features": shape.features,
        "options without effect": idle,
    }


def _actions(game: Game) -> str:
    rows = []
    start = 0
    for verb, group in itertools.groupby(game.action_names(), key=_verb):
        names = list(group)
        arguments = [name.removeprefix(verb).strip() for name in names]
        shown = arguments if len(arguments) <= _SHOWN else [*arguments[:3], "…", arguments[-1]]
        rows.append(
            {
                "kind": code(verb),
                "count": len(names),
                "ids": f"{start}" + (f"–{start + len(names) - 1}" if len(names) > 1 else ""),
                "of what": ", ".join(argument if argument == "…" else code(argument) for argument in shown if argument),
            }
        )
        start += len(names)
    return (
        f"## Actions\n\nAt the default table, {start} in all; `karty games {game.name}` names every one.\n\n"
        f"{table(['kind', 'count', 'ids', 'of what'], rows, right=['count', 'ids'])}"
    )


def _verb(action: str) -> str:
    """The words of an action before its cards and numbers: `play four` of `play four 9`."""
    return " ".join(itertools.takewhile(lambda part: part.isalpha() and part.islower(), action.split()))


def _phases(game: Game) -> str:
    titles = game.picture.get("titles", {})
    rows = [
        {"phase": code(phase) + (f" ({titles[phase]})" if phase in titles else ""), "what is decided": words}
        for phase, words in game.phases.items()
    ]
    return f"## Phases\n\n{table(['phase', 'what is decided'], rows)}" if rows else ""


def _observation(game: Game) -> str:
    shape = game.shape()
    return (
        f"## Observation\n\n{shape.features} int8 columns at the default table, as a batch gives them; PettingZoo and "
        "Gymnasium divide each by the larger of its bounds. Seats are counted clockwise from the one that looks.\n\n"
        + layout_table(shape.observation, lambda caption: cited(game, caption))
    )


def _hidden(game: Game) -> str:
    shape = game.shape()
    return (
        "## Hidden\n\nWhat the seat asked cannot see, for critics in training (`Batch.hidden`); "
        "no observation or info holds it.\n\n" + layout_table(shape.hidden, lambda caption: cited(game, caption))
    )


def _rewards(game: Game) -> str:
    told = ", ".join(rule_book.linked(game, clause) for clause in rule_book.about(game, "reward|paid"))
    lines = [
        "Rewards come when the episode ends, and sum to zero over the seats" + (f": {told}." if told else "."),
        f"In a single deal {game.unit:g} point{'s' * (game.unit != 1)} more than the others' mean are a reward of 1."
        if game.unit != 1
        else "",
        "A higher score is better; *points* are its change."
        if game.gain > 0
        else "A lower score is better; *points* are its change with a minus, so that more of them is better.",
        f"Agents are compared by {'points' if game.measure == 'points' else 'the share of deals lost'}; "
        f"besides, the share of {game.outcome} is counted.",
        f"A match is won by a score of {game.won_at}." if game.won_at is not None else "",
    ]
    for field in dataclasses.fields(game.rules):
        if field.metadata["values"] is None and field.name.startswith("max_"):
            what = cited(game, field.metadata["caption"])
            lines.append(f"Cap `{field.name}`, {word_of(field.default)} by default: {what}.")
    return "## Rewards and caps\n\n" + "\n".join(f"- {line}" for line in lines if line) + "\n"
