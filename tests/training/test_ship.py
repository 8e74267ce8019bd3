"""The command that takes an agent into the package: it writes a card for every game, at any number of seats."""

import importlib.util
import json
from pathlib import Path

import pytest
import torch

from karty.agents import checkpoint
from karty.agents.checkpoint import About
from karty.agents.network import Network
from karty.envs.games import GAMES
from karty.training.config import TrainConfig, usual_config, usual_rules

FILE = Path(__file__).resolve().parents[2] / "benchmarks" / "ship.py"


@pytest.fixture(scope="module")
def ship():
    spec = importlib.util.spec_from_file_location("ship", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def finished(run, game, words):
    """A folder as a run leaves it, of a network that has learned nothing."""
    config = TrainConfig(**{**vars(usual_config(game.name)), "rules": words})
    rules = usual_rules(game, words)
    shape = game.shape(rules)
    network = Network(
        shape.observation, len(shape.actions), width=4, depth=2, generator=torch.Generator().manual_seed(0)
    )
    about = About(
        name="run",
        game=game.name,
        version=game.version,
        shape=shape.digest,
        rules=[rules.to_dict()],
        decisions=12,
        width=4,
        depth=2,
        greedy=True,
    )
    checkpoint.write_agent(run / "agent.safetensors", network.state_dict(), about)
    (run / "config.json").write_text(json.dumps(config.to_dict()))
    (run / "log.jsonl").write_text(json.dumps({"decisions": 12, "seconds": 3.0}) + "\n")


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_a_card(ship, tmp_path, name):
    finished(tmp_path, GAMES[name], ())
    card = ship.card(tmp_path, "ppo", deals=10, matches=6)
    others = GAMES[name].rules().seats - 1
    assert card.startswith(f"# ppo, an agent for {name}\n")
    assert f"`karty train {name}`" in card
    assert "seed 0, 12 decisions" in card
    for other in ("rule", "random"):
        for episode in ("deal", "match"):
            assert f"| {others} × {other} | {episode} | " in card
    assert f"`karty probe {name} --agent ppo --deals 2 --matches 2 --seed 1`" in card
    assert "| swap | " in card


def test_the_card_of_an_agent_for_other_seats_says_so(ship, tmp_path):
    finished(tmp_path, GAMES["piotrus"], ("players=2",))
    card = ship.card(tmp_path, "ppo-2p", deals=10, matches=0)
    assert card.startswith("# ppo-2p, an agent for piotrus\n")
    assert "| 1 × rule | deal | " in card
    assert "(par 50.0 %)" in card
    assert "`karty probe piotrus --agent ppo --deals 2 --matches 0 --rules players=2 --seed 1`" in card
    assert "match |" not in card


def test_an_agent_of_several_tables_is_measured_at_each(ship, tmp_path):
    finished(tmp_path, GAMES["tysiac"], ("table=all",))
    card = ship.card(tmp_path, "ppo-tables", deals=4, matches=0, under=["table=3p,2p_stock,4p_teams"])
    assert "(par 33.3 or 50.0 %)" in card
    for row in ("| the defaults | 2 × rule | deal |", "| table=2p_stock | 1 × rule | deal |"):
        assert row in card
    assert "| table=4p_teams | 2 × rule | deal |" in card  # its partner is the agent itself


def test_a_file_for_a_number_of_seats_holds_the_agent_without_it(ship):
    assert [ship.packed(name) for name in ("ppo", "ppo-4p", "ppo-match", "ppo-4px")] == [
        "ppo",
        "ppo",
        "ppo-match",
        "ppo-4px",
    ]
