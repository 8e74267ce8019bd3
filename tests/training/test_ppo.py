"""A training run as a whole: what it leaves, how it goes on after any kind of end, and that it learns."""

import dataclasses
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
import torch
from rich.console import Console

import karty
from karty.agents import checkpoint
from karty.agents.agent import load_agent
from karty.agents.checkpoint import CheckpointError
from karty.envs.games import find_game
from karty.training import losses, ppo
from karty.training.config import ImitationConfig, NetworkConfig, PPOConfig, TrainConfig
from karty.training.evaluate import Estimate, Evaluation
from karty.training.ppo import train
from karty.training.run import Progress

SMALL = TrainConfig(
    game="tysiac",
    decisions=4000,
    evaluate=2000,
    deals=20,
    checkpoint=1000,
    network=NetworkConfig(width=16),
    imitation=ImitationConfig(init="imitate:random", imitated=1000, imitation_epochs=1),
    ppo=PPOConfig(tables=24, steps=32, minibatch=256, epochs=2),
)


def run(folder, **changes):
    console = Console(file=io.StringIO(), width=200)
    result = train(dataclasses.replace(SMALL, **{"out": folder, **changes}), console=console)
    return result, console.file.getvalue()


def resume(folder, **changes):
    console = Console(file=io.StringIO(), width=200)
    result = train(TrainConfig(game="tysiac", resume=folder, **changes), console=console)
    return result, console.file.getvalue()


def weights(folder):
    tensors, state = checkpoint.read_checkpoint(checkpoint.latest(folder))
    return tensors, state


def same(one, two):
    assert one.keys() == two.keys()
    for file in one:
        assert one[file].keys() == two[file].keys()
        for name in one[file]:
            assert torch.equal(one[file][name], two[file][name]), f"{file}: {name}"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "whole"
    return run(folder)


def test_a_run_leaves_its_configuration_log_events_checkpoint_and_agent(whole):
    result, said = whole
    folder = result.run
    assert TrainConfig.from_dict(json.loads((folder / "config.json").read_text())) == dataclasses.replace(
        SMALL, out=folder
    )
    lines = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]
    decisions = [line["decisions"] for line in lines]
    assert decisions == sorted(set(decisions))
    assert result.decisions == decisions[-1] >= 4000
    assert [line["stage"] for line in lines][:1] == ["imitating"]
    assert lines[-1]["stage"] == "deals"
    assert {
        "policy_loss",
        "value_loss",
        "entropy",
        "kl",
        "clipped",
        "explained_variance",
        "learning_rate",
        "kinds",
    } <= lines[-1].keys()
    assert {"play", "bid", "pass"} <= lines[-1]["kinds"].keys()
    assert any("score" in line for line in lines)
    assert list(folder.glob("events.out.tfevents.*"))
    assert not [path for path in folder.rglob("*") if path.suffix in (".pt", ".pkl", ".pth")]
    assert said.count("\n") <= 8
    assert f"agent: {folder / 'agent.safetensors'}" in said
    assert "points a deal" in said


def test_the_agent_of_a_run_is_loaded_by_file_and_by_folder(whole):
    result, _ = whole
    by_file, by_folder = load_agent("tysiac", str(result.agent)), load_agent("tysiac", str(result.run))
    assert by_file.name == by_folder.name == result.run.name
    for one, two in zip(by_file.network.parameters(), by_folder.network.parameters(), strict=True):
        assert torch.equal(one, two)


def test_the_same_seed_gives_the_same_weights_and_another_seed_others(whole, tmp_path):
    again, _ = run(tmp_path / "again")
    same(weights(whole[0].run)[0], weights(again.run)[0])
    other, _ = run(tmp_path / "other", seed=1)
    assert not torch.equal(
        weights(other.run)[0]["weights"]["critic.bias"], weights(again.run)[0]["weights"]["critic.bias"]
    )


class Killed(BaseException):
    pass


@pytest.mark.parametrize("updates", [1, 3, 4])
def test_a_run_that_is_killed_and_resumed_ends_with_the_same_weights_bit_by_bit(whole, tmp_path, monkeypatch, updates):
    done = {"updates": 0}
    original = ppo.collect

    def dies(*args):
        if done["updates"] == updates:
            raise Killed
        done["updates"] += 1
        original(*args)

    folder = tmp_path / "cut"
    monkeypatch.setattr(ppo, "collect", dies)
    with pytest.raises(Killed):
        run(folder)
    monkeypatch.undo()
    if updates == 1:  # killed before the first checkpoint: nothing to go on from, and said so
        with pytest.raises(CheckpointError, match="no run folder with a checkpoint"):
            resume(folder)
        return
    at = weights(folder)[1]["decisions"]
    assert 0 < at < 4000
    resumed, _ = resume(folder)
    assert resumed.decisions == whole[0].decisions
    one, two = weights(whole[0].run), weights(folder)
    same(one[0], two[0])
    timing = ("seconds", "busy", "log_size")
    assert {k: v for k, v in one[1].items() if k not in timing} == {k: v for k, v in two[1].items() if k not in timing}
    # The log holds every update once, also those that were made again.
    logs = [
        [json.loads(line)["decisions"] for line in (place / "log.jsonl").read_text().splitlines()]
        for place in (whole[0].run, folder)
    ]
    assert logs[0] == logs[1]


def test_more_decisions_may_be_given_when_a_run_is_resumed(tmp_path):
    result, _ = run(tmp_path / "x", decisions=1500)
    more, _ = resume(result.run, decisions=3000)
    assert more.decisions >= 3000
    assert json.loads((result.run / "config.json").read_text())["decisions"] == 3000


def test_against_opponents_and_with_several_rules_and_by_matches(tmp_path):
    result, said = run(
        tmp_path / "x",
        decisions=1500,
        opponents=("random",),
        episode="match",
        rules=("bid_step=any,ten", "max_deals=2"),
    )
    assert "against random: " in said
    assert "points a match (95 %, 80 matches in all rotations)" in said
    _, about = checkpoint.read_agent(result.agent)
    assert {rules["bid_step"] for rules in about.rules} == {"any", "ten"}
    assert {rules["max_deals"] for rules in about.rules} == {2}


@pytest.mark.parametrize(
    ("opponents", "measured"),
    [
        (("self",), ["rule"]),
        (("rule-bold",), ["rule-bold", "rule-bold"]),
        (("random", "rule-bold"), ["random", "rule-bold"]),
    ],
)
def test_an_agent_is_measured_against_those_that_it_is_trained_against_in_their_seats(monkeypatch, opponents, measured):
    told = []
    monkeypatch.setattr(ppo, "evaluate", lambda game, agents, **options: told.append((agents, options)))
    trainer = ppo.Trainer(dataclasses.replace(SMALL, opponents=opponents))
    trainer.measure("mine", 20, "dev")
    ((agents, options),) = told
    assert agents[0].network is trainer.learner.average
    assert agents[1:] == measured
    assert options["episode"] == "deal"


def test_what_was_measured_is_told_in_the_measure_of_the_game():
    losing = Evaluation(
        game="pan",
        rules={},
        agent="x",
        opponents=("rule", "rule", "rule"),
        episode="deal",
        deals=8000,
        seed=0,
        estimates=(Estimate("points", -0.5, -0.6, -0.4), Estimate("losses", 0.213, 0.204, 0.222)),
        truncated=0.0,
        measure="losses",
        par=0.25,
    )
    assert losing.score == losing.outcome == Estimate("losses", 0.213, 0.204, 0.222)
    told = "against rule: 21.3 ± 0.9 % of deals lost (par 25.0; 95 %, 8,000 deals in all rotations)"
    assert ppo._found(losing, "losses") == told
    cut = dataclasses.replace(losing, opponents=("rule", "biased", "rule"), truncated=0.0042)
    told = "against rule, biased: 21.3 ± 0.9 % of deals lost (par 25.0; 95 %, 8,000 deals in all rotations)"
    assert ppo._found(cut, "losses") == f"{told}, 0.42 % of them cut off"
    told = "against rule: -0.50 ± 0.10 points a deal (95 %, 8,000 deals in all rotations)"
    assert ppo._found(losing, "points") == told


def test_progress_is_told_in_the_measure_of_the_game():
    told = {"decisions_per_s": 1000.0, "entropy": 0.5, "kinds": {}}
    assert ppo._in_words(told, Progress(score=0.213), "losses") == "1,000/s · entropy 0.50 · lost 21.3 %"
    assert ppo._in_words(told, Progress(score=-2.0), "points") == "1,000/s · entropy 0.50 · score -2.0"


def test_a_run_of_a_game_of_losses_tells_and_keeps_the_share_lost(tmp_path, monkeypatch):
    losing = dataclasses.replace(find_game("tysiac"), outcome="losses", measure="losses")
    monkeypatch.setattr(ppo, "find_game", lambda name: losing)
    result, said = run(tmp_path / "x", decisions=2500, opponents=("random",))
    assert result.score.metric == "losses"
    assert 0 < result.score.mean < 1
    share = f"{100 * result.score.mean:.1f} ± {100 * result.score.half:.1f} % of deals lost"
    assert f"against random: {share} (par 33.3; 95 %, 80 deals in all rotations)\n" in said
    assert "points" not in said
    lines = [json.loads(line) for line in (result.run / "log.jsonl").read_text().splitlines()]
    (score,) = [line["score"] for line in lines if "score" in line]
    assert score["metric"] == "losses"
    assert 0 < score["mean"] < 1
    assert score["truncated"] == 0
    assert weights(result.run)[1]["score"] == score["mean"]


def test_minutes_end_a_run(tmp_path):
    result, _ = run(tmp_path / "x", decisions=None, minutes=0.02, evaluate=0)
    assert result.seconds >= 1.2
    assert result.score is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"game": "whist"}, "no game 'whist'"),
        ({"opponents": ("nobody",)}, "nobody"),
        ({"opponents": ("random",) * 3}, "opponents"),
        ({"rules": ("speed=9",)}, "speed"),
        ({"imitation": ImitationConfig(init="imitate:nobody")}, "nobody"),
        ({"decisions": -1}, "--decisions"),
    ],
)
def test_a_slip_is_one_line_and_leaves_no_folder(tmp_path, changes, said):
    with pytest.raises(ValueError) as caught:
        run(tmp_path / "x", **changes)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x").exists()


def test_a_folder_that_holds_something_is_not_written_into(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "thesis.txt").write_text("mine")
    with pytest.raises(ValueError, match="not empty"):
        run(tmp_path / "x")
    assert [path.name for path in (tmp_path / "x").iterdir()] == ["thesis.txt"]


def test_the_default_folder_has_game_day_and_a_number_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = [run(None, decisions=500, evaluate=0)[0].run.as_posix() for _ in range(2)]
    assert names[0].startswith("runs/tysiac-20")
    assert names[0][-2:] == "-1"
    assert names[1] == names[0][:-1] + "2"


class Dicer:
    """An agent that draws on the generator it is given."""

    name = "dicer"

    def act(self, observation, mask, rng):
        return (rng.random(mask.shape) * mask).argmax(1)


def test_a_run_against_an_agent_in_python_is_resumed_bit_by_bit_too(tmp_path, monkeypatch):
    small = {"decisions": 2000, "opponents": (f"{__name__}:Dicer",), "evaluate": 0, "checkpoint": 1}
    whole, _ = run(tmp_path / "whole", **small)
    original, done = ppo.collect, []

    def dies(*args):
        if len(done) == 2:
            raise Killed
        done.append(args)
        original(*args)

    monkeypatch.setattr(ppo, "collect", dies)
    with pytest.raises(Killed):
        run(tmp_path / "cut", **small)
    monkeypatch.undo()
    assert 0 < weights(tmp_path / "cut")[1]["decisions"] < 2000
    resumed, _ = resume(tmp_path / "cut")
    same(weights(whole.run)[0], weights(resumed.run)[0])


def test_a_resumed_run_keeps_its_own_options(whole):
    folder = whole[0].run
    before = (folder / "config.json").read_bytes()
    for changes, said in (
        ({"seed": 5}, "--seed cannot"),
        ({"out": folder, "rules": ("bid_step=ten",)}, "--out, --rules cannot"),
        ({"ppo": PPOConfig(tables=9, learning_rate=1e-4)}, "--tables, --learning-rate cannot"),
    ):
        with pytest.raises(ValueError, match=said) as caught:
            resume(folder, decisions=10**6, **changes)
        assert "\n" not in str(caught.value)
    assert (folder / "config.json").read_bytes() == before


def test_a_finished_run_says_that_it_is_finished(tmp_path):
    result, _ = run(tmp_path / "x", decisions=500, evaluate=0)
    again, said = resume(result.run)
    assert again.decisions == result.decisions
    assert "this run is finished" in said
    assert "--decisions or --minutes" in said


def test_steps_too_few_to_learn_from_are_only_played(tmp_path):
    # With one table and two steps most updates see no decision's consequences.
    tiny = PPOConfig(tables=1, steps=2, minibatch=2)
    result, _ = run(tmp_path / "x", decisions=5, evaluate=0, ppo=tiny, imitation=ImitationConfig(init="none"))
    assert result.decisions >= 5


def test_training_that_diverges_says_so(tmp_path, monkeypatch):
    original = losses.value_loss
    monkeypatch.setattr(losses, "value_loss", lambda value, target: original(value, target) * float("nan"))
    with pytest.raises(ValueError, match="training diverged") as caught:
        run(tmp_path / "x")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x" / checkpoint.FOLDER).exists()


def test_speed_is_without_measurements(tmp_path, monkeypatch):
    original = ppo.Trainer.measure

    def slow(*args):
        time.sleep(1.0)
        return original(*args)

    monkeypatch.setattr(ppo.Trainer, "measure", slow)
    result, _ = run(tmp_path / "x", decisions=1000, evaluate=500)
    lines = [json.loads(line) for line in (result.run / "log.jsonl").read_text().splitlines()]
    measured = sum("score" in line for line in lines)
    assert measured >= 1
    assert result.seconds - result.busy >= measured
    before = dict.fromkeys(("decisions", "seconds"), 0)
    for line in lines:
        if "score" in line:  # the whole time of this update holds the second of the measurement, its speed does not
            took = (line["decisions"] - before["decisions"]) / line["decisions_per_s"]
            assert took <= line["seconds"] - before["seconds"] - 1
        before = line


def test_of_several_rules_the_end_names_those_measured(tmp_path):
    options = {"decisions": 500, "evaluate": 10**9, "deals": 2}
    assert "measured under bid_step=ten\n" in run(tmp_path / "x", rules=("bid_step=ten,any",), **options)[1]
    assert "measured under the default rules\n" in run(tmp_path / "y", rules=("all",), **options)[1]
    assert "measured under" not in run(tmp_path / "z", rules=("bid_step=ten",), **options)[1]


STATE = {
    "decisions": [-1, "x", None, [], 1.5, True, 10**400],
    "updates": [-1, None],
    "steps": [-1, float("nan"), 1e300],
    "seconds": [-1, 1e300, float("nan"), float("inf"), "x"],
    "busy": [-1.0, float("nan")],
    "score": [[], "x", float("nan")],
    "log_size": [-1, 1e300, None],
    "past": [None, {}, 3, [{"decisions": 1, "met": 1, "won": 1}]],
    "stage": ["playing", None, 1, "matches"],  # of matches a checkpoint would hold an equity
}


@pytest.fixture(scope="module")
def short(tmp_path_factory):
    return run(tmp_path_factory.mktemp("runs") / "short", decisions=500, evaluate=0)[0].run


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in STATE.items() for value in values])
def test_damaged_counters_are_refused(short, name, value):
    path = checkpoint.latest(short) / checkpoint.STATE
    before = path.read_text()
    path.write_text(json.dumps({**json.loads(before), name: value}))
    try:
        with pytest.raises(CheckpointError) as caught:
            resume(short, decisions=1000)
    finally:
        path.write_text(before)
    assert str(short) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [*STATE])
def test_missing_counters_are_refused(short, name):
    path = checkpoint.latest(short) / checkpoint.STATE
    before = path.read_text()
    told = json.loads(before)
    del told[name]
    path.write_text(json.dumps(told))
    try:
        with pytest.raises(CheckpointError, match=f"{name} is missing"):
            resume(short, decisions=1000)
    finally:
        path.write_text(before)


@pytest.mark.parametrize(
    ("file", "name", "change"),
    [
        ("weights", "critic.weight", lambda x: x * float("nan")),
        ("average", "critic.weight", lambda x: x * float("nan")),
        ("weights", "critic.weight", lambda x: x[:, 1:]),
        ("average", "critic.weight", lambda x: x.double()),
        ("moments", "critic.weight.exp_avg", lambda x: x[:, 1:]),
        ("moments", "critic.weight.exp_avg", lambda x: x * float("inf")),
        ("moments", "critic.weight.exp_avg_sq", lambda x: x - 1),
        ("moments", "critic.weight.step", lambda x: x - 10**6),
        ("chance.0", "generator", lambda x: x[1:]),
        ("chance.0", "tables.0", lambda x: x[1:]),
        ("chance.0", "agents", lambda x: x[1:]),
        ("chance.0", "agents", lambda x: torch.frombuffer(bytearray(b'{"bit_generator": "PCG64"}'), dtype=torch.uint8)),
    ],
)
def test_tensors_that_cannot_be_are_refused_although_their_digest_is_right(short, file, name, change):
    tensors, state = checkpoint.read_checkpoint(checkpoint.latest(short))
    about = checkpoint.read_agent(short / "agent.safetensors")[1]
    tensors[file][name] = change(tensors[file][name])
    other = short.parent / "other"
    shutil.rmtree(other, ignore_errors=True)
    other.mkdir()
    shutil.copy(short / "config.json", other)
    checkpoint.write_checkpoint(other, state["decisions"], tensors, about, state)
    with pytest.raises(CheckpointError) as caught:
        resume(other, decisions=1000)
    assert str(other) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("damage", ["config", "weights", "chance.0", "game"])
def test_a_damaged_or_foreign_run_is_not_resumed(tmp_path, damage):
    result, _ = run(tmp_path / "x", decisions=500, evaluate=0)
    folder = checkpoint.latest(result.run)
    if damage == "config":
        (result.run / "config.json").write_text("{")
    elif damage == "game":
        told = json.loads((result.run / "config.json").read_text())
        (result.run / "config.json").write_text(json.dumps({**told, "game": "pan"}))
    else:
        path = folder / f"{damage}.safetensors"
        path.write_bytes(path.read_bytes()[:-4])
    with pytest.raises(ValueError) as caught:
        resume(result.run)
    assert str(result.run) in str(caught.value)
    assert "\n" not in str(caught.value)


def interrupt_in_update(monkeypatch, number, times=1):
    """Have SIGINT arrive while the tables are played for the update of this number."""
    original, done = ppo.collect, []

    def interrupted(*args):
        done.append(args)
        for _ in range(times if len(done) == number else 0):
            signal.raise_signal(signal.SIGINT)
        original(*args)

    monkeypatch.setattr(ppo, "collect", interrupted)


def test_a_second_ctrl_c_stops_at_once(tmp_path, monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    interrupt_in_update(monkeypatch, 2, times=2)
    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "x", decisions=10**9, evaluate=0)
    assert signal.getsignal(signal.SIGINT) is before


def test_ctrl_c_finishes_the_update_saves_and_says_how_to_go_on(tmp_path, monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    interrupt_in_update(monkeypatch, 2)
    result, said = run(tmp_path / "x", decisions=10**9, evaluate=0)
    monkeypatch.undo()
    assert result.interrupted
    assert signal.getsignal(signal.SIGINT) is before
    assert f"--resume {result.run}" in said
    assert weights(result.run)[1]["decisions"] == result.decisions
    assert len((result.run / "log.jsonl").read_text().splitlines()) == 2
    more, _ = resume(result.run, decisions=result.decisions + 500)
    assert more.decisions > result.decisions


def test_ctrl_c_in_the_closing_measurement_says_how_to_go_on(tmp_path, monkeypatch):
    def interrupted(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(ppo, "evaluate", interrupted)
    result, said = run(tmp_path / "x", evaluate=10**9)
    monkeypatch.undo()
    assert result.interrupted
    assert result.measured is None
    assert f"--resume {result.run}" in said
    assert f"agent: {result.agent}" in said
    more, _ = resume(result.run)
    assert not more.interrupted
    assert more.measured is not None
    assert more.decisions == result.decisions  # nothing was left to learn


def test_a_run_killed_with_signal_9_is_resumed_from_its_last_checkpoint(tmp_path):
    program = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from pathlib import Path\nimport dataclasses\nfrom test_ppo import SMALL, train\n"
        "train(dataclasses.replace(SMALL, out=Path(sys.argv[2]), decisions=10**9, evaluate=0))"
    )
    folder = tmp_path / "x"
    words = [sys.executable, "-c", program, os.path.dirname(__file__), str(folder)]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:
        until = time.monotonic() + 300
        while not list((folder / checkpoint.FOLDER).glob("[0-9]*")) and time.monotonic() < until:
            time.sleep(0.05)
        time.sleep(0.3)
        process.kill()
    at = weights(folder)[1]["decisions"]
    resumed, _ = resume(folder, decisions=at + 1000)
    assert resumed.decisions >= at + 1000


def test_it_learns_to_beat_random_players(tmp_path):
    # From nothing, by self-play alone; an untrained network is about as good as the random players: 0 points a deal.
    result, _ = run(
        tmp_path / "x",
        decisions=100_000,
        evaluate=100_000,
        deals=100,
        checkpoint=10**9,
        network=NetworkConfig(width=64),
        imitation=ImitationConfig(init="none"),
        ppo=PPOConfig(tables=128, steps=64, minibatch=512, epochs=4, learning_rate=1e-3, ema_decay=0.99),
    )
    evaluation = karty.evaluate("tysiac", [str(result.agent), "random"], deals=300)
    assert evaluation.points.low > 40


def test_it_learns_what_a_teacher_does(tmp_path):
    result, _ = run(
        tmp_path / "x",
        decisions=40_000,
        evaluate=0,
        imitation=ImitationConfig(init="imitate:rule", imitated=20_000, imitation_epochs=1),
        ppo=PPOConfig(tables=128, steps=32, minibatch=256),
        network=NetworkConfig(width=64),
    )
    lines = [json.loads(line) for line in (result.run / "log.jsonl").read_text().splitlines()]
    agreement = [line["agreement"] for line in lines if line["stage"] == "imitating"]
    assert agreement[-1] > 0.6 > agreement[0]


@pytest.mark.parametrize(("gain", "taken"), [(1.19, "fp32"), (1.21, "bf16")])
def test_the_precision_left_open_is_the_one_that_is_clearly_faster(tmp_path, monkeypatch, gain, taken):
    monkeypatch.setattr(ppo, "gain_of_bf16", lambda width, rows: gain)
    result, said = run(tmp_path / "x", decisions=500, evaluate=0, network=NetworkConfig(width=16, precision="auto"))
    assert f"precision: {taken} (" in said
    assert json.loads((result.run / "config.json").read_text())["network"]["precision"] == taken
    monkeypatch.setattr(ppo, "gain_of_bf16", lambda width, rows: 2.4 - gain)  # elsewhere the other one may be faster
    resumed, said = resume(result.run, decisions=1000)
    assert resumed.decisions >= 1000
    assert "precision:" not in said
    assert json.loads((result.run / "config.json").read_text())["network"]["precision"] == taken


def test_dense_layers_in_bf16_give_nearly_the_same_and_their_weights_stay_float32():
    trainer = ppo.Trainer(dataclasses.replace(SMALL, network=NetworkConfig(width=16, precision="bf16")))
    network, exact = trainer.learner.network, trainer.learner.average
    assert network.bf16 and not exact.bf16
    seen = torch.from_numpy(trainer.tables.parts[0].batch.arrays["observation"])
    one, two = network.features(seen), exact.features(seen)
    assert one.dtype == torch.float32
    assert not torch.equal(one, two)
    torch.testing.assert_close(one, two, rtol=0.02, atol=0.02)
    one.sum().backward()
    assert all(weight.grad.dtype == torch.float32 for weight in network.hidden.parameters())
