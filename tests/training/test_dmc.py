"""Deep Monte-Carlo: how it explores, what counts, that its values are those of what was played, that it learns."""

import dataclasses
import io
import itertools
import shutil

import numpy as np
import pytest
import torch
from kuhn import LAYOUT, NEXT, PAY, STATES, KuhnTables, row
from rich.console import Console

import karty
from karty.agents import checkpoint
from karty.agents.network import Network, load_network
from karty.training.cli import main
from karty.training.config import MonteCarloConfig, NetworkConfig, PPOConfig, TrainConfig, usual_config
from karty.training.dmc import MonteCarloLearner, exploring
from karty.training.judge import Outcome, OutcomeJudge
from karty.training.learner import Decisions
from karty.training.phases import Phases
from karty.training.ppo import train
from karty.training.rollout import Rollout, collect


def test_the_best_action_but_now_and_then_any():
    value = torch.tensor([[0.5, -1e9, 0.7, 0.1], [0.2, -1e9, -1e9, -1e9]])
    mask = torch.tensor([[1, 0, 1, 1], [1, 0, 0, 0]], dtype=torch.int8)
    expected = [[0.1, 0, 0.8, 0.1], [1, 0, 0, 0]]
    assert torch.allclose(exploring(value, mask, 0.3), torch.tensor(expected))


def kuhn(updates, explore, epochs=1):
    """A network that learns Kuhn poker by itself, and the rollout of its last update."""
    tables = KuhnTables(1024, seed=1)
    generator = torch.Generator().manual_seed(1)
    network = Network(LAYOUT, 2, width=32, depth=1, generator=generator)
    config = PPOConfig(minibatch=1024, epochs=epochs, learning_rate=3e-3, learning_rate_end=1e-4)
    phases, judge = Phases(LAYOUT), OutcomeJudge()
    learner = MonteCarloLearner(network, judge, config, phases)
    rollout = Rollout(tables, 12)
    for update in range(updates):
        collect(tables, network, rollout, generator, policy_of=lambda *told: exploring(*told, explore))
        outcome = Outcome(rollout.reward, rollout.ended, None, None)
        judged = judge.judge(rollout, network, outcome)
        data = Decisions.of(rollout, judged, phases, by_phase=False)
        learner.improve(data, update / updates, generator)
    return network, rollout, judged


def test_only_episodes_whose_end_was_seen_count_and_for_what_they_paid():
    _, rollout, judged = kuhn(1, 1.0)
    seat, ended = rollout.arrays["seat"][:-1], rollout.ended
    for table in range(20):
        for t in range(rollout.steps):
            ends = [k for k in range(t, rollout.steps) if ended[k, table]]
            assert judged.counted[t, table] == bool(ends)
            if ends:
                assert judged.target[t, table] == rollout.reward[ends[0], table, seat[t, table]]
            else:
                assert judged.target[t, table] == 0
    assert not judged.counted.all()


def test_its_values_are_what_the_actions_bring_among_players_like_itself():
    network, _, _ = kuhn(250, 1.0)  # all play anything: what is learned does not change who plays
    places = [(card, history) for card in range(3) for history in STATES]
    with torch.no_grad():
        rows = torch.from_numpy(np.stack([row(*place) for place in places]))
        learned = network(rows, torch.ones(len(places), 2, dtype=torch.int8))[0]

    def after(held, at, action, seat):
        """What the seat can expect, going through all that may be done."""
        if NEXT[at, action] >= 0:
            return sum(after(held, NEXT[at, action], answer, seat) for answer in (0, 1)) / 2
        won = PAY[at, action, int(held[0] > held[1])]
        return won if seat == 0 else -won

    for (card, history), values in zip(places, learned.tolist(), strict=True):
        me = len(history) % 2
        deals = [held for held in itertools.permutations(range(3), 2) if held[me] == card]
        for action in (0, 1):
            exact = np.mean([after(held, STATES.index(history), action, me) for held in deals])
            assert abs(values[action] - exact) < 0.15, (card, history, action)


SMALL = dataclasses.replace(
    usual_config("tysiac", learner="dmc"),
    decisions=20_000,
    evaluate=0,
    network=NetworkConfig(width=32),
    ppo=dataclasses.replace(usual_config("tysiac", learner="dmc").ppo, tables=64, steps=64, minibatch=512),
)


def run(config):
    return train(config, console=Console(file=io.StringIO()))


def test_it_learns_to_beat_random_players(tmp_path):
    result = run(dataclasses.replace(SMALL, out=tmp_path / "run", opponents=("random",), decisions=60_000))
    found = karty.evaluate("tysiac", [result.agent, "random"], deals=300)
    assert found.points.low > 10
    assert load_network(karty.GAMES["tysiac"], result.agent).greedy


def test_a_run_goes_on_as_if_it_had_not_been_interrupted(tmp_path):
    whole = run(dataclasses.replace(SMALL, out=tmp_path / "run", checkpoint=8000))
    before = load_network(karty.GAMES["tysiac"], whole.agent).network.state_dict()
    shutil.rmtree(checkpoint.latest(tmp_path / "run"))
    assert 8000 <= int(checkpoint.latest(tmp_path / "run").name) < 20_000
    again = run(TrainConfig(game="tysiac", resume=tmp_path / "run"))
    after = load_network(karty.GAMES["tysiac"], again.agent).network.state_dict()
    for name, tensor in before.items():
        assert torch.equal(tensor, after[name])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--learner", "dmc", "--entropy", "0.1"], "--entropy goes with --learner ppo"),
        (["--learner", "dmc", "--init", "imitate:rule"], "--init goes with --learner ppo"),
        (["--learner", "dmc", "--match", "0.5"], "--match goes with --learner ppo"),
        (["--learner", "dmc", "--choice", "drawn"], "--choice goes with --learner ppo"),
        (["--explore", "0.2"], "--explore goes with --learner dmc"),
        (["--learner", "dmc", "--explore", "2"], "--explore must be from 1e-09 to 1"),
    ],
)
def test_options_of_the_other_learner_are_refused(words, said, capsys, tmp_path):
    assert main(["train", "tysiac", *words, "--out", str(tmp_path / "run")]) == 2
    assert said in capsys.readouterr().err


def test_every_game_has_defaults_for_it_that_go_together():
    for game in karty.GAMES:
        for opponents in (("self",), ("rule",), ("random",)):
            dataclasses.replace(usual_config(game, opponents, "dmc"), opponents=opponents).check()
    assert usual_config("pan", learner="dmc").dmc == MonteCarloConfig()
