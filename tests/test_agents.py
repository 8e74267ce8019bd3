"""Agents by name, by path and of a user's own, and what is said when one is not right."""

import sys
import textwrap

import numpy as np
import pytest

import karty
from karty.agents.agent import AgentError, CompiledPlayer, UserAgent, agent_names, as_agent, check_actions, load_agent
from karty.agents.random import uniform
from karty.envs.games import GAMES
from karty.envs.record import replay, write_records
from karty.training.evaluate import evaluate

MASK = np.array([[0, 1, 0, 1], [1, 0, 0, 0]], dtype=np.int8)


@pytest.fixture
def own(tmp_path, monkeypatch):
    """A function that writes a module of the user's own into the current folder and gives its name."""
    monkeypatch.chdir(tmp_path)
    # As for the command `karty`, the current folder is not where Python looks by itself.
    monkeypatch.setattr(sys, "path", [place for place in sys.path if place])
    names = []

    def write(source, name="mine"):
        name = f"{name}_{len(names)}_{tmp_path.name.replace('-', '_')}"
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(source), encoding="utf-8")
        names.append(name)
        return name

    yield write
    for name in names:
        sys.modules.pop(name, None)


def test_built_in_names_are_there_and_load(game):
    names = agent_names(game.name)
    assert {"random", "rule", "rule-timid", "rule-bold"} <= set(names)
    for name in ("random", "rule", "rule-timid", "rule-bold"):
        agent = karty.load_agent(game.name, name)
        assert isinstance(agent, CompiledPlayer)
        assert agent.name == agent.kernel_name == name


def test_compiled_players_answer_outside_the_engine_as_inside_it():
    batch = karty.make_batch("tysiac", 16, seed=3)
    batch.reset()
    rng = np.random.default_rng(0)
    rule, random = load_agent("tysiac", "rule"), load_agent("tysiac", "random")
    for _ in range(40):
        assert rule.act(batch.observation, batch.mask, rng).tolist() == batch.choose("rule").tolist()
        actions = random.act(batch.observation, batch.mask, rng)
        assert (batch.mask[np.arange(16), actions] == 1).all()
        batch.step(actions)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nobody", r"no agent 'nobody' for tysiac: there are .*random.*rule"),
        ("", "no agent ''"),
        ("Rule", "no agent 'Rule'"),
        ("missing.safetensors", "there is no such file"),
        ("no_such_module_here:Bot", "no module 'no_such_module_here'"),
        ("textwrap:Bot", "textwrap has no Bot"),
        ("textwrap:dedent", "dedent has no method act"),
    ],
)
def test_a_wrong_name_is_refused_in_one_line(name, said):
    with pytest.raises(AgentError, match=said) as caught:
        load_agent("tysiac", name)
    assert "\n" not in str(caught.value)


def test_an_unknown_game_is_refused_with_the_list():
    with pytest.raises(ValueError, match=r"no game 'bridge'; games: .*tysiac"):
        load_agent("bridge", "random")


def test_an_empty_folder_is_no_run(tmp_path):
    with pytest.raises(ValueError, match=str(tmp_path)) as caught:
        load_agent("tysiac", str(tmp_path))
    assert "\n" not in str(caught.value)


def test_without_torch_a_network_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    for name in ("karty.agents.network", "karty.agents.checkpoint"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    path = tmp_path / "some.safetensors"
    path.write_bytes(b"")
    with pytest.raises(AgentError, match=r"needs torch: pip install 'karty\[train\]'"):
        load_agent("tysiac", path)


def test_a_class_of_ones_own_plays(own):
    module = own(
        """
        class Lowest:
            name = "lowest"
            def __init__(self, game, rules=None, depth=3):
                self.game = game
            def act(self, observation, mask, rng):
                return mask.argmax(axis=1)
        """
    )
    agent = load_agent("tysiac", f"{module}:Lowest")
    assert agent.name == "lowest"
    assert agent.act(np.zeros((2, 3), np.int8), MASK, np.random.default_rng(0)).tolist() == [1, 0]
    assert agent.agent.game is karty.GAMES["tysiac"]


def test_a_class_without_a_name_is_called_by_its_class(own):
    module = own("class Bot:\n    def act(self, observation, mask, rng): return mask.argmax(axis=1)\n")
    assert load_agent("tysiac", f"{module}:Bot").name == "Bot"


@pytest.mark.parametrize(
    ("source", "attribute", "said"),
    [
        ("import absent_package_x", "Bot", "no module 'absent_package_x'"),
        ("def broken(:", "Bot", r"cannot be imported: SyntaxError: .* \(mine_.*line 1\)"),
        ("1 / 0", "Bot", r"cannot be imported: ZeroDivisionError: .*line 1\)"),
        ("class Other: pass", "Bot", "has no Bot"),
        ("class Bot: pass", "Bot", "has no method act"),
        ("class Bot:\n    act = 3", "Bot", "has no method act"),
        ("class Bot:\n    def __init__(self, size): pass\n    def act(self, o, m, r): pass", "Bot", "cannot be made"),
    ],
)
def test_a_module_of_ones_own_that_is_not_right(own, source, attribute, said):
    with pytest.raises(AgentError, match=said) as caught:
        load_agent("tysiac", f"{own(source)}:{attribute}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ([1], r"shape \(1,\); it must return one action a row, \(2,\)"),
        (1, r"shape \(\)"),
        ([[1], [0]], r"shape \(2, 1\)"),
        ([1.0, 0.0], "returned float64; it must return whole numbers"),
        ([True, False], "returned bool"),
        (None, r"shape \(\)"),
        (["a", "b"], "whole numbers"),
        ([0, 0], r"action 0 \(pass\) is not legal in row 0; legal are: bid, play"),
        ([1, 4], "action 4 is not legal in row 1; legal are: pass"),
        ([1, -1], "action -1 is not legal in row 1"),
    ],
)
def test_what_an_agent_returns_is_checked_under_its_name(answer, said):
    with pytest.raises(AgentError, match=f"agent bot: .*{said}"):
        check_actions("bot", answer, MASK, ("pass", "bid", "fold", "play"))


def test_good_answers_pass_as_int64():
    for answer in ([3, 0], np.array([3, 0], np.uint8), np.array([1, 0], np.int32)):
        actions = check_actions("bot", answer, MASK)
        assert actions.dtype == np.int64
        assert actions.tolist() == list(answer)


def test_an_agent_that_fails_is_named_with_its_line():
    class Failing:
        def act(self, observation, mask, rng):
            raise KeyError("heart")

    agent = as_agent("tysiac", Failing())
    assert isinstance(agent, UserAgent)
    with pytest.raises(AgentError, match=r"agent Failing: act failed: KeyError: 'heart' \(test_agents.py, line \d+\)"):
        agent.act(np.zeros((2, 3), np.int8), MASK, np.random.default_rng(0))


def test_an_object_without_act_is_refused():
    with pytest.raises(AgentError, match="no method act"):
        as_agent("tysiac", object())


def test_uniform_takes_every_legal_action_equally_often_and_no_other():
    mask = np.tile(np.array([0, 1, 1, 0, 1], np.int8), (30_000, 1))
    counts = np.bincount(uniform(mask, np.random.default_rng(0)), minlength=5)
    assert counts[[0, 3]].tolist() == [0, 0]
    # 10,000 each with a standard deviation of 82
    assert np.abs(counts[[1, 2, 4]] - 10_000).max() < 400


class Leaver:
    name = "leaver"

    def act(self, observation, mask, rng):
        raise SystemExit(0)


class Talker:
    name = "talker"

    def act(self, observation, mask, rng):
        print("let me think")
        choice = mask.argmax(axis=1)
        mask[:] = 1  # scribbles on its own copy
        return choice


class Nameless:
    @property
    def name(self):
        raise KeyError("no name")

    def act(self, observation, mask, rng):
        return mask.argmax(axis=1)


def test_an_agent_that_leaves_is_reported_and_nothing_ends_in_silence():
    with pytest.raises(AgentError, match="agent leaver: act failed: SystemExit"):
        evaluate("tysiac", [Leaver(), "random"], deals=2)


def test_an_agent_s_prints_go_to_stderr_and_its_scribbles_nowhere(capsys, tmp_path):
    game = GAMES["tysiac"]
    write_records(tmp_path / "r.jsonl", game, players=[Talker()] * 3, episodes=2, episode="deal")
    assert replay(tmp_path / "r.jsonl").episodes == 2
    capsys.readouterr()
    evaluate("tysiac", [Talker(), "random"], deals=2)
    said = capsys.readouterr()
    assert "let me think" in said.err
    assert said.out == ""


def test_a_name_is_one_line_that_gives_a_terminal_no_orders():
    class Loud:
        name = "a\nb\x1b[31m  c"

        def act(self, observation, mask, rng):
            return mask.argmax(axis=1)

    assert as_agent(karty.GAMES["tysiac"], Loud()).name == "a b [31m c"


def test_an_agent_whose_name_cannot_be_read_is_reported():
    with pytest.raises(AgentError, match="its name cannot be read: KeyError"):
        evaluate("tysiac", [Nameless(), "random"], deals=2)
