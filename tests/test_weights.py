"""The networks that come with the package: each loads, has a card that tells where it comes from, and plays well."""

import re

import pytest

import karty
from karty.agents import checkpoint
from karty.agents.agent import WEIGHTS, agent_names, load_agent
from karty.envs.games import GAMES

FILES = sorted(WEIGHTS.glob("*/*.safetensors"))
LARGEST = 2**20
"""Bytes of a file: the wheel holds many."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_packed_network_has_its_name_its_card_and_a_size_that_a_wheel_can_bear(file):
    game = file.parent.name
    assert file.stem in agent_names(game)
    assert load_agent(game, file.stem).name == file.stem
    assert file.stat().st_size < LARGEST
    card = file.with_suffix(".md").read_text(encoding="utf-8")
    about = checkpoint.read_agent(file)[1]
    assert card.startswith(f"# {file.stem}, an agent for {game}")
    assert f"`karty train {game}" in card
    assert re.search(rf"seed \d+, {about.decisions:,} decisions", card)
    for told in ("karty ", "torch ", "numpy ", "2 × rule | deal", "2 × rule | match", "| swap | "):
        assert told in card


def test_no_card_is_without_its_network():
    cards = {card.with_suffix("") for card in WEIGHTS.glob("*/*.md")}
    assert cards == {file.with_suffix("") for file in FILES}
    assert {file.parent.name for file in FILES} <= set(GAMES)


@pytest.mark.parametrize("name", ["ppo", "ppo-match"])
def test_the_networks_for_tysiac_beat_the_rule_based_player_in_deals(name):
    # 1,500 deals have an interval of about ± 1.6 points.
    assert karty.evaluate("tysiac", [name, "rule"], deals=1500).points.low > 2


def test_the_network_for_matches_wins_more_of_them_than_its_share():
    result = karty.evaluate("tysiac", ["ppo-match", "rule"], deals=200, episode="match")
    assert result["wins"].low > 1 / 3


def test_names_of_networks_are_listed_after_the_compiled_players():
    names = agent_names("tysiac")
    assert names.index("rule-bold") < names.index("ppo") < names.index("ppo-match")
