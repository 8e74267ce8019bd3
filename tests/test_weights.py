"""The networks that come with the package: each loads, has a card that tells where it comes from, and plays well."""

import re

import pytest

import karty
from karty.agents import checkpoint
from karty.agents.agent import WEIGHTS, agent_names, load_agent
from karty.agents.network import load_network
from karty.envs.games import GAMES

FILES = sorted(WEIGHTS.glob("*/*.safetensors"))
LARGEST = 2**21
"""Bytes of a file: the wheel holds many."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_a_packed_network_has_its_name_its_card_and_a_size_that_a_wheel_can_bear(file):
    game, about = file.parent.name, checkpoint.read_agent(file)[1]
    name = re.sub(r"-\dp$", "", file.stem)
    assert name in agent_names(game)
    agent = load_agent(game, name, rules_of(about))
    assert (agent.name, about.name) == (name, name)
    assert all(
        same.equal(other) for same, other in zip(agent.network.state_dict().values(), weights(file), strict=True)
    )
    assert file.stat().st_size < LARGEST
    card = file.with_suffix(".md").read_text(encoding="utf-8")
    assert card.startswith(f"# {file.stem}, an agent for {game}")
    assert f"`karty train {game}" in card
    assert re.search(rf"seed \d+, {about.decisions:,} decisions", card)
    others = karty.GAMES[game].rules(**rules_of(about)).seats - 1
    for told in ("karty ", "torch ", "numpy ", f"{others} × rule | deal", f"{others} × random | deal", "| swap | "):
        assert told in card


def rules_of(about):
    """Rules that a network was trained under; the defaults if it was so many that its file does not name them."""
    return about.rules[0] if about.rules else {}


def weights(file):
    """The tensors of a file in the order in which a network of its kind has them."""
    about, game = checkpoint.read_agent(file)[1], karty.GAMES[file.parent.name]
    agent = load_network(game, file, rules_of(about))
    return agent.network.state_dict().values()


def test_no_card_is_without_its_network():
    cards = {card.with_suffix("") for card in WEIGHTS.glob("*/*.md")}
    assert cards == {file.with_suffix("") for file in FILES}
    assert {file.parent.name for file in FILES} <= set(GAMES)


@pytest.mark.parametrize("name", ["ppo", "ppo-match", "selfplay"])
def test_the_networks_for_tysiac_beat_the_rule_based_player_in_deals(name):
    # 1,500 deals have an interval of about ± 1.6 points.
    assert karty.evaluate("tysiac", [name, "rule"], deals=1500).points.low > 2


def test_the_network_for_matches_wins_more_of_them_than_its_share():
    result = karty.evaluate("tysiac", ["ppo-match", "rule"], deals=200, episode="match")
    assert result["wins"].low > 1 / 3


def test_selfplay_of_petukh_has_learned_that_a_match_is_a_race():
    # `ppo`, which knows single kons alone, wins 20 % of matches, and equal players 25 %.
    result = karty.evaluate("petukh", ["selfplay", "rule"], deals=500, episode="match")
    assert result["wins"].low > 0.25


def test_selfplay_of_piquet_beats_the_rule_based_player():
    # 4,000 deals have an interval of about ± 0.4 points.
    assert karty.evaluate("piquet", ["selfplay", "rule"], deals=4000).points.low > 1


def test_names_of_networks_are_listed_after_the_compiled_players():
    names = agent_names("tysiac")
    assert names.index("rule-bold") < names.index("ppo") < names.index("ppo-match")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_network_for_pan_loses_fewer_deals_than_its_part_against_the_rule_based_player(players):
    # The bar is 25 % of deals at tables of four, and fewer than 1 % of them cut off.
    result = karty.evaluate("pan", ["ppo", "rule"], deals=300, rules={"players": players})
    assert result["losses"].high < 0.1
    assert result.truncated < 0.01


def test_the_network_for_piotrus_wins_from_those_who_draw_by_habit():
    # The rule-based player loses 18.5 % against them, the best answer by hand 6.0 %.
    assert karty.evaluate("piotrus", ["ppo", "biased"], deals=1500)["losses"].high < 0.1
