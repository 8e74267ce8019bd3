"""A run shared out to several processes: one gradient, one set of weights, one end."""

import dataclasses
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from rich.console import Console

from karty.agents import checkpoint
from karty.training import cli, ppo, processes
from karty.training.config import CompanyConfig, ImitationConfig, MatchConfig, NetworkConfig, PPOConfig, TrainConfig
from karty.training.ppo import Trainer, train
from karty.training.processes import Alone, Follower, Lead, Line, LostError

SMALL = TrainConfig(
    game="tysiac",
    decisions=1500,
    processes=2,
    evaluate=0,
    checkpoint=1,
    network=NetworkConfig(width=16),
    imitation=ImitationConfig(init="imitate:random", imitated=500, imitation_epochs=1),
    ppo=PPOConfig(tables=15, steps=32, minibatch=128, epochs=2),
)


def run(folder, **changes):
    return train(
        dataclasses.replace(SMALL, **{"out": folder, **changes}), console=Console(file=io.StringIO(), width=200)
    )


def resume(folder, **changes):
    config = TrainConfig(game="tysiac", resume=folder, **changes)
    return train(config, console=Console(file=io.StringIO(), width=200))


PAST = CompanyConfig(past_tables=0.3, past_every=300)


def together(*doings):
    """Let the members of a crew work side by side, the others in threads; what each of them gave."""
    size, found, lines = len(doings), {}, []

    def follow(rank, line):
        found[rank] = doings[rank](Follower(rank, size, lead._folder.name, line))

    ends = [[os.pipe(), os.pipe()] for _ in doings[1:]]
    lead = Lead([Line(os.fdopen(up[0], "rb"), os.fdopen(down[1], "wb")) for up, down in ends])
    lines = [Line(os.fdopen(down[0], "rb"), os.fdopen(up[1], "wb")) for up, down in ends]
    threads = [threading.Thread(target=follow, args=each) for each in enumerate(lines, 1)]
    for thread in threads:
        thread.start()
    try:
        with lead:
            found[0] = doings[0](lead)
            for thread in threads:
                thread.join()
    finally:
        for line in lines:
            line.close()
    return [found[rank] for rank in range(size)]


def test_the_mean_of_the_gradients_of_two_halves_is_the_gradient_of_the_whole():
    x, y = torch.randn(2, 64, 5, generator=torch.Generator().manual_seed(1))

    def gradients(rows, crew):
        layer = torch.nn.Linear(5, 5)
        with torch.no_grad():
            for k, weight in enumerate(layer.parameters()):
                weight.copy_(torch.arange(weight.numel()).view_as(weight) / (k + 1))
        crew.agree([], 30)
        for _ in range(2):  # the shared memory is used again
            layer.zero_grad()
            (layer(x[rows]) - y[rows]).square().mean().backward()
            crew.average(layer.parameters())
        return [weight.grad for weight in layer.parameters()]

    halves = together(lambda crew: gradients(slice(0, 32), crew), lambda crew: gradients(slice(32, 64), crew))
    whole = gradients(slice(0, 64), Alone())
    for one, two, expected in zip(*halves, whole, strict=True):
        assert torch.equal(one, two)
        torch.testing.assert_close(one, expected)


def test_a_crew_agrees_on_numbers_tensors_and_orders():
    def do(crew):
        shared = torch.tensor([crew.rank, 7 * crew.rank], dtype=torch.int8)
        crew.share([shared])
        told = crew.each(10 + crew.rank), shared.tolist(), crew.gather(b"x" * crew.rank)
        crew.order("go", far=0.1)
        return *told, crew.ordered() if crew.rank else None

    numbers = [10, 11, 12]
    assert together(do, do, do) == [
        (numbers, [0, 0], [b"", b"x", b"xx"], None),
        *[(numbers, [0, 0], [], {"what": "go", "far": 0.1})] * 2,
    ]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {
            "company": PAST,
            "ppo": dataclasses.replace(SMALL.ppo, critic="full"),
        },
        {"matches": MatchConfig(match=0.9, equity_matches=10), "rules": ("all", "table=3p")},
    ],
)
def test_all_processes_learn_the_same_from_cards_of_their_own(monkeypatch, changes):
    # A network that has learned nothing ends no match; that these are some is enough here.
    scores = np.random.default_rng(0).integers(0, 900, (200, 3))
    monkeypatch.setattr(ppo, "simulate", lambda *_, **options: (scores, scores.argmax(1)))
    config = dataclasses.replace(SMALL, **{"imitation": ImitationConfig(init="none"), **changes})

    def do(crew):
        trainer = Trainer(config, crew)
        trainer.agree()
        for _ in range(3):
            trainer.progress.seconds += 1
            if crew.rank:
                trainer.follow(crew.ordered())
            else:
                trainer.update()
        return trainer

    one, two = together(do, do)
    assert one.tables.n + two.tables.n == config.ppo.tables
    assert one.progress.decisions == two.progress.decisions > one.rollout.action.size
    for module, other in zip(one.learner.modules.values(), two.learner.modules.values(), strict=True):
        assert all(
            torch.equal(x, y) for x, y in zip(module.state_dict().values(), other.state_dict().values(), strict=True)
        )
    n = two.tables.n
    assert (one.rollout.arrays["observation"][:, :n] != two.rollout.arrays["observation"]).any(-1).mean() > 0.5
    assert (one.pool is None) == (two.pool is None) == (not config.company.past_tables)
    if one.pool is not None:
        assert one.pool.told() == two.pool.told()
        assert len(one.pool.selves) == 3
        assert sum(each.met for each in one.pool.selves) > 1
        weights, others = one.pool.tensors(), two.pool.tensors()
        assert all(torch.equal(weights[name], others[name]) for name in weights.keys() | others.keys())
    assert (one.equity is None) == (two.equity is None) == (not config.matches.match)
    if one.equity is not None:
        assert (one.equity.value(scores) == two.equity.value(scores)).all()


class Killed(BaseException):
    pass


@pytest.fixture
def started(monkeypatch):
    """The processes that are started."""
    found, original = [], processes._start

    def start():
        found.append(original())
        return found[-1]

    monkeypatch.setattr(processes, "_start", start)
    return found


def test_a_run_that_is_cut_and_resumed_ends_with_the_same_weights_and_leaves_no_process(tmp_path, monkeypatch, started):
    whole = run(tmp_path / "whole", company=PAST)
    original, done = ppo.collect, []

    def dies(*args):
        if len(done) == 3:  # when an earlier self has joined
            raise Killed
        done.append(args)
        original(*args)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(ppo, "collect", dies)
        run(tmp_path / "cut", company=PAST)
    (earlier,) = checkpoint.read_checkpoint(checkpoint.latest(tmp_path / "cut"))[1]["past"]
    assert earlier["met"] > 0
    resumed = resume(tmp_path / "cut")
    assert resumed.decisions == whole.decisions
    (one, state), (two, other) = (checkpoint.read_checkpoint(checkpoint.latest(each.run)) for each in (whole, resumed))
    assert state["past"] == other["past"]
    assert len(state["past"]) == 2
    assert {"chance.0", "chance.1", "past"} < one.keys() == two.keys()
    for file in one:
        assert all(torch.equal(x, two[file][name]) for name, x in one[file].items()), file
    assert not torch.equal(one["chance.0"]["generator"], one["chance.1"]["generator"])
    assert len(started) == 3
    assert all(process.poll() is not None for process in started)


class Breaks:
    """An agent that fails in every process but the first."""

    name = "breaks"

    def act(self, observation, mask, rng):
        if os.getpid() != int(os.environ["MAIN"]):
            if os.environ["HOW"] == "SIGKILL":
                os.kill(os.getpid(), signal.SIGKILL)
            raise KeyError("too much")
        return mask.argmax(1)


@pytest.mark.parametrize(
    ("how", "error", "said"),
    [
        ("KeyError", ValueError, "agent breaks: act failed: KeyError: 'too much'"),
        ("SIGKILL", ChildProcessError, "process 1 of this run ended (SIGKILL)"),
    ],
)
def test_a_process_that_fails_ends_the_run_in_one_line(tmp_path, monkeypatch, started, how, error, said):
    monkeypatch.setenv("MAIN", str(os.getpid()))
    monkeypatch.setenv("HOW", how)
    with pytest.raises(error) as caught:
        run(tmp_path / "x", opponents=(f"{__name__}:Breaks",), imitation=ImitationConfig(init="none"))
    assert type(caught.value) is error
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert [process.poll() is not None for process in started] == [True]


def test_a_line_tells_errors_and_its_end():
    source, target = os.pipe()
    line = Line(os.fdopen(source, "rb"), os.fdopen(target, "wb"))
    for kind, error in ((processes._SLIP, ValueError), (processes._FAILURE, ChildProcessError)):
        line.send(b"too much", kind)
        with pytest.raises(error, match="too much") as caught:
            line.receive()
        assert type(caught.value) is error
    line._target.write(b"c\x05")
    line._target.close()
    with pytest.raises(LostError):
        line.receive()
    line.close()


def children(pid):
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def begin(folder):
    """A run of its own with two processes, after its first checkpoint: itself and its other process."""
    words = "train tysiac --processes 2 --decisions 1000000000 --evaluate 0 --checkpoint 1 --width 16 --init none"
    ends = f"--tables 16 --steps 32 --out {folder}"
    main = subprocess.Popen(
        [sys.executable, "-m", "karty", *words.split(), *ends.split()],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until = time.monotonic() + 400  # from an empty cache it must compile first
    while not list((folder / checkpoint.FOLDER).glob(f"[0-9]*/{checkpoint.STATE}")) and time.monotonic() < until:
        time.sleep(0.05)
    return main, children(main.pid)[0]


def gone(pid):
    until = time.monotonic() + 120
    while os.path.exists(f"/proc/{pid}") and time.monotonic() < until:
        if "State:\tZ" in Path(f"/proc/{pid}/status").read_text():
            return True  # nobody here waits for it, but it has ended
        time.sleep(0.05)
    return not os.path.exists(f"/proc/{pid}")


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="needs /proc to see processes")
def test_ctrl_c_finishes_saves_and_ends_all_and_kill_leaves_nobody_behind(tmp_path):
    main, other = begin(tmp_path / "x")
    with main:
        os.killpg(main.pid, signal.SIGINT)  # as a terminal does: to all in the foreground
        said, _ = main.communicate(timeout=400)
    assert main.returncode == cli.STOPPED
    assert f"--resume {tmp_path / 'x'}" in said
    assert gone(other)
    saved = int(checkpoint.latest(tmp_path / "x").name)
    assert resume(tmp_path / "x", decisions=saved + 1).decisions > saved

    main, other = begin(tmp_path / "y")
    with main:
        main.kill()
    assert gone(other)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--processes 0", "--processes must be a whole number from 1 to 256, not 0"),
        ("--processes 9 --tables 8", "--processes: 8 tables are too few for 9 processes"),
    ],
)
def test_a_number_of_processes_that_cannot_be_is_refused(capsys, words, said):
    assert cli.main(["train", "tysiac", *words.split()]) == 2
    assert capsys.readouterr().err == f"karty: {said}\n"
