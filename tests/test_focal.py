"""Focal scores: the mean over a pool by deal, and the pool itself."""

import json

import numpy as np
import pytest

import karty
from karty.agents.agent import AgentError, agent_names
from karty.agents.opponents import POOL, load_pool, pool_names
from karty.training import evaluate as module
from karty.training.arena import with_pool


class Steady:
    """Has a skill, of which an agent gains its own less the mean of the others'."""

    def __init__(self, name, skill):
        self.name, self.skill = name, skill

    def act(self, observation, mask, rng):
        raise AssertionError("the engine is not the real one")


@pytest.fixture
def skills(monkeypatch):
    """In place of the engine: a seat's points are its player's skill, and luck that only opponents of `b` have."""

    def play_episodes(game, players, seeds, **options):
        skill = [{"random": -100.0, "rule": 0.0}.get(p, 0.0) if isinstance(p, str) else p.agent.skill for p in players]
        points = np.tile(skill, (len(seeds), 1))
        names = [p if isinstance(p, str) else p.name for p in players]
        if names.count("b") == 2:
            alone = next(k for k, name in enumerate(names) if name != "b")
            points[:, alone] += np.where(seeds % 2 == 0, 30, -30)
        return {
            "reward": points - points.mean(axis=1, keepdims=True),
            "points": points,
            "truncated": np.zeros(len(seeds), bool),
        }

    monkeypatch.setattr(module.engine, "play_episodes", play_episodes)


def test_the_focal_score_is_the_mean_over_the_pool_by_deal(skills):
    found = karty.focal_score("tysiac", Steady("me", 6), pool=[Steady("a", 1), Steady("b", 3)], deals=100)
    assert [member.points.mean for member in found.members] == [5, 3]
    assert [member.opponents for member in found.members] == [("a", "a"), ("b", "b")]
    assert found.mean.points.mean == 4
    # only against b there is luck, ± 30 a deal: of the mean ± 15, 100 deals, and n − 1 in the deviation
    assert found.mean.points.half == pytest.approx(1.959964 * 15 * (100 / 99) ** 0.5 / 10)
    assert found.mean.opponents == ("a", "b")


def test_the_normalised_score_is_against_the_same_pool(skills):
    pool = [Steady("a", 0), Steady("b", 0)]
    found = karty.focal_score("tysiac", Steady("me", 20), pool=pool, deals=10, normalise=True)
    assert found.mean.normalised.mean == pytest.approx(1.2)
    # the luck of b's opponents is the same for me, random and rule
    assert found.mean.normalised.half == pytest.approx(0, abs=1e-9)
    assert [member.normalised.mean for member in found.members] == pytest.approx([1.2, 1.2])
    assert karty.focal_score("tysiac", Steady("me", 20), pool=pool, deals=10).mean.normalised is None


def test_until_is_about_the_mean(skills):
    # of the mean: 1.96 · 15 / sqrt(1024) = 0.92, against b alone it would be 1.84
    found = karty.focal_score("tysiac", Steady("me", 6), pool=[Steady("a", 1), Steady("b", 3)], until=1)
    assert (found.mean.deals, found.mean.reached, found.mean.until) == (1024, True, 1)
    assert {member.until for member in found.members} == {None}


def test_json_lines_of_members_and_mean(skills):
    found = karty.focal_score("tysiac", Steady("me", 6), pool=[Steady("a", 1), Steady("b", 3)], deals=4)
    lines = json.loads(json.dumps(found.to_dicts()))
    assert [line["opponents"] for line in lines[::2]] == [["a", "a"], ["b", "b"], ["pool:a", "pool:b"]]
    assert [line["metric"] for line in lines] == ["points", "wins"] * 3


def test_against_a_real_pool_every_member_has_the_evaluation_of_its_own():
    pool = ("random", "rule-bold")
    found = karty.focal_score("tysiac", "rule", pool=pool, deals=30)
    alone = [karty.evaluate("tysiac", ["rule", name], deals=30) for name in pool]
    assert [member.estimates for member in found.members] == [each.estimates for each in alone]
    assert found.mean.points.mean == pytest.approx(np.mean([each.points.mean for each in alone]))
    assert found.mean.outcome.mean == pytest.approx(np.mean([each.outcome.mean for each in alone]))


def test_every_game_has_a_pool_of_agents_that_exist(game):
    assert len(set(pool_names(game))) == len(pool_names(game)) >= 4
    assert set(pool_names(game)) <= set(agent_names(game))
    assert {"random", "rule"} <= set(pool_names(game))


def test_the_pools_play_the_default_table(game):
    pytest.importorskip("torch")
    assert [agent.name for agent in load_pool(game, game.rules())] == list(POOL[game.name])


def test_a_member_that_does_not_play_by_the_rules_is_named():
    pytest.importorskip("torch")
    with pytest.raises(AgentError, match="pool: ppo-short does not play petukh by these rules, so name the opponents"):
        karty.focal_score("petukh", "rule", rules={"players": 3}, deals=4)


def test_a_pool_needs_somebody():
    with pytest.raises(ValueError, match="one opponent or more"):
        karty.focal_score("tysiac", "rule", pool=[], deals=4)


def test_the_word_pool_is_no_agent():
    with pytest.raises(ValueError, match="focal_score"):
        karty.evaluate("tysiac", ["rule", "pool"], deals=4)


def test_in_an_arena_the_word_stands_for_all_members_not_named_besides():
    pan = karty.GAMES["pan"]
    assert with_pool(pan, ["pool"]) == list(POOL["pan"])
    assert with_pool(pan, ["rule", "pool", "mine"]) == ["rule", *(n for n in POOL["pan"] if n != "rule"), "mine"]
    assert with_pool(pan, ["rule", "random"]) == ["rule", "random"]
