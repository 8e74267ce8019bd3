"""The generated pages of the documentation."""

import dataclasses
import importlib
import re

import docstrings
from pages import api, command_line, game_page, markdown, places, rule_book

import karty
from karty.envs.games import PLAYED


def section(text, heading):
    """What stands below a heading of the second order."""
    return re.split(r"^## ", text.partition(f"\n## {heading}")[2], flags=re.MULTILINE)[0]


def test_a_game_page_names_all_that_the_game_has(made, game):
    text = made[places.game_document(game.name)]
    shape = game.shape()
    options = section(text, "Options")
    assert [field.name for field in dataclasses.fields(game.rules) if f"| `{field.name}` |" not in options] == []
    assert [name for name in game.presets if f"| `{name}` |" not in options] == []
    assert [phase for phase in game.phases if f"`{phase}`" not in section(text, "Phases")] == []
    for heading, layout in (("Observation", shape.observation), ("Hidden", shape.hidden)):
        assert [field.name for field in layout if f"| `{field.name}` |" not in section(text, heading)] == []
    counts = re.findall(r"^\| `[a-z ]+` \| (\d+) \|", section(text, "Actions"), flags=re.MULTILINE)
    assert sum(map(int, counts)) == shape.size


def test_a_game_page_holds_the_whole_book(made, game):
    text = made[places.game_document(game.name)]
    lines = [line for line in rule_book.text(game).splitlines() if line and not line.startswith(("#", "- "))]
    assert [line for line in lines if line not in text] == []
    linked = set(re.findall(rf"\]\(#({game.name.replace('_', '-')}-[\w-]+)\)", text))
    places_there = set(re.findall(r"^\(([\w-]+)\)=$|\]\{#([\w-]+)\}", text, flags=re.MULTILINE))
    assert linked
    assert linked - {one or other for one, other in places_there} == set()


def test_tysiac_by_hand(made):
    text = made["generated/games/tysiac"]
    assert "| `threshold` | `800`, `900`, `none` | `800` | [§6.3](#tysiac-6-3) score from which" in text
    assert "| `give` | 24 | 32–55 | `9S`, `JS`, `QS`, …, `AH` |" in text
    assert "| `hand` | 69–92 | cards | 24 | 0 … 1 | my hand |" in text
    assert "- [3.1]{#tysiac-3-1} The seat on the dealer's left must open with 100" in text
    assert "- Cap `max_deals`, 100 by default: [§6.7](#tysiac-6-7)" in text
    assert '`gymnasium.make("karty/Tysiac-v0")`' in text
    assert "](tysiac-ppo-match.md)" in made["generated/agents/index"]


def test_a_table_by_hand():
    rows = [{"a": "x | y", "b": 1}, {"a": "two\nlines"}]
    assert (
        markdown.table(["a", "b"], rows, right=["b"]) == "| a | b |\n| --- | --: |\n| x \\| y | 1 |\n| two lines |  |\n"
    )


def test_every_command_is_there_with_its_help(made):
    text = made["generated/command_line"]
    assert set(command_line.commands()) >= {"games", "train", "evaluate", "play", "bench"}
    for name in command_line.commands():
        assert f"\nusage: karty {name} " in section(text, f"karty {name}\n")
    assert not set("│╭╰") & set(text)


def test_the_api_has_every_public_name():
    """Each under its own name, wherever the module stands that defines it."""
    listed = {api.bare(name) for modules in api.NAMES.values() for names in modules.values() for name in names}
    assert set(karty.__all__) - {"__version__"} - listed - {"Batch"} == set()


def test_every_name_of_the_api_exists_and_is_described():
    for modules in api.NAMES.values():
        for module, names in modules.items():
            for name in names:
                found = getattr(importlib.import_module(module), api.bare(name))
                assert not callable(found) or found.__doc__, f"{module}.{name}"


def test_docstrings_by_hand():
    lines = ["`a` and ``b`` of *c*:", "", "    x = `y`", "", "- one", "    two"]
    assert docstrings.as_restructured(lines) == [
        "``a`` and ``b`` of \\*c\\*:",
        "",
        "::",
        "",
        "    x = `y`",
        "",
        "- one",
        "    two",
    ]


def test_arrays_in_signatures_by_hand():
    array = "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.int64]]"
    changed = docstrings.process_signature(None, "", "", None, None, f"(a: {array}, b: int)", None)
    assert changed == ("(a: NDArray[numpy.int64], b: int)", None)


def test_every_game_has_a_picture():
    drawn = dict(game_page.pictures())
    assert set(drawn) == {places.game_document(name) for name in PLAYED}
    assert all(text.startswith("<svg ") for text in drawn.values())
