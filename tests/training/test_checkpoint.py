"""Files of agents and runs: what was written comes back, what is damaged or foreign is refused with one line."""

import json
import pickle

import pytest
import torch

from karty.agents import checkpoint
from karty.agents.checkpoint import About, CheckpointError
from karty.agents.network import Network, load_network
from karty.envs.games import GAMES

GAME = GAMES["tysiac"]
RULES = GAME.rules()


def about(**changes):
    shape = GAME.shape(RULES)
    told = {
        "name": "someone",
        "game": GAME.name,
        "version": GAME.version,
        "shape": shape.digest,
        "rules": [RULES.to_dict()],
        "decisions": 12,
        "width": 4,
        "depth": 2,
        "greedy": True,
    }
    return About(**{**told, **changes})


def network(width=4):
    shape = GAME.shape(RULES)
    return Network(
        shape.observation, len(shape.actions), width=width, depth=2, generator=torch.Generator().manual_seed(0)
    )


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "agent.safetensors"
    checkpoint.write_agent(path, network().state_dict(), about())
    return path


def refusal(call, *args):
    with pytest.raises(CheckpointError) as caught:
        call(*args)
    message = str(caught.value)
    assert "\n" not in message
    assert isinstance(caught.value, ValueError)
    return message


def test_an_agent_comes_back_as_it_was(file):
    tensors, told = checkpoint.read_agent(file)
    assert told == about()
    state = network().state_dict()
    assert tensors.keys() == state.keys()
    assert all((tensors[name] == state[name]).all() for name in state)
    agent = load_network(GAME, file)
    assert (agent.name, agent.game, agent.version) == ("someone", "tysiac", GAME.version)


def test_the_file_is_plain_safetensors_and_tells_what_it_is(file):
    from safetensors import safe_open

    with safe_open(file, framework="np") as opened:
        header = opened.metadata()
    assert header["kind"] == "karty agent"
    assert json.loads(header["game"]) == "tysiac"
    assert json.loads(header["rules"]) == [RULES.to_dict()]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"game": "pan"}, ["an agent for pan", "not for tysiac"]),
        ({"version": 77}, ["version 77", f"version {GAME.version}"]),
        ({"shape": "0123456789abcdef"}, ["other observations or actions", "0123456789abcdef"]),
        ({"shape": GAME.shape(RULES).observation.digest}, ["other observations or actions"]),
        ({"width": 5}, ["do not fit"]),
        ({"width": 10**12}, ["do not fit"]),
        ({"width": -1}, ["do not fit"]),
        ({"depth": 3}, ["do not fit"]),
        ({"depth": 0}, ["do not fit"]),
        ({"depth": "two"}, ["depth must be a whole number"]),
        ({"rules": [1]}, ["rules must be an object"]),
        ({"name": None}, ["name must be text"]),
    ],
)
def test_a_foreign_agent_is_refused(tmp_path, changes, words):
    path = tmp_path / "foreign.safetensors"
    checkpoint.write_agent(path, network().state_dict(), about(**changes))
    message = refusal(load_network, GAME, path)
    assert all(word in message for word in [str(path), *words])


def test_a_byte_turned_over_in_the_weights_is_seen(file):
    content = bytearray(file.read_bytes())
    content[-3] ^= 1
    file.write_bytes(content)
    assert "damaged" in refusal(load_network, GAME, file)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(tmp_path, number):
    path = tmp_path / "agent.safetensors"
    state = network().state_dict()
    state["critic.bias"][0] = number
    checkpoint.write_agent(path, state, about())
    assert "not all finite" in refusal(load_network, GAME, path)


@pytest.mark.parametrize("change", [torch.Tensor.double, lambda bias: bias.repeat(2)])
def test_weights_of_another_type_or_shape_are_refused(tmp_path, change):
    path = tmp_path / "agent.safetensors"
    state = network().state_dict()
    checkpoint.write_agent(path, {**state, "actor.bias": change(state["actor.bias"])}, about())
    assert "do not fit" in refusal(load_network, GAME, path)


def test_a_library_leaves_the_users_threads_alone(file):
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    try:
        load_network(GAME, file)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("keep", [0, 3, 8, 100, 0.5, -1])
def test_a_truncated_agent_is_refused(file, keep):
    content = file.read_bytes()
    length = int(len(content) * keep) if isinstance(keep, float) else keep
    file.write_bytes(content[:length])
    assert str(file) in refusal(load_network, GAME, file)


def test_what_is_no_safetensors_file_is_refused_and_a_pickle_is_not_run(tmp_path):
    class Trap:
        def __reduce__(self):
            return (open, (str(tmp_path / "sprung"), "w"))

    path = tmp_path / "trap.safetensors"
    path.write_bytes(pickle.dumps(Trap()))
    assert "not a safetensors file" in refusal(load_network, GAME, path)
    assert not (tmp_path / "sprung").exists()


def test_tensors_that_are_no_agent_are_refused(tmp_path):
    path = tmp_path / "other.safetensors"
    checkpoint.write_tensors(path, {"x": torch.zeros(3)})
    assert "not an agent" in refusal(load_network, GAME, path)


def test_a_missing_file_and_a_folder_that_is_no_run_are_refused(tmp_path):
    assert "there is no such file" in refusal(load_network, GAME, tmp_path / "none.safetensors")
    assert "no run folder" in refusal(load_network, GAME, tmp_path)


def test_other_rules_of_the_same_layout_are_played_and_one_line_says_so(file, capsys):
    load_network(GAME, file)
    assert capsys.readouterr().err == ""
    load_network(GAME, file, GAME.rules.make(bid_step="ten", concede=True))
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "someone" in err
    assert "bid_step=any, here ten" in err
    assert "concede=False, here True" in err


TENSORS = {"weights": {"w": torch.arange(6.0).reshape(2, 3)}, "average": {}, "moments": {"w.step": torch.tensor(3.0)}}


def write(run, decisions, **state):
    return checkpoint.write_checkpoint(
        run, decisions, TENSORS, about(decisions=decisions), {"decisions": decisions, **state}
    )


def test_a_checkpoint_comes_back_as_it_was(tmp_path):
    folder = write(tmp_path, 500, score=None)
    assert checkpoint.latest(tmp_path) == folder
    tensors, state = checkpoint.read_checkpoint(folder)
    assert state == {"decisions": 500, "score": None}
    assert tensors["weights"]["w"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert tensors["moments"]["w.step"].item() == 3
    assert checkpoint.read_agent(checkpoint.agent_file(tmp_path))[1].decisions == 500


@pytest.mark.parametrize("file", ["weights", "average", "moments"])
def test_a_byte_turned_over_in_a_checkpoint_is_seen(tmp_path, file):
    path = write(tmp_path, 500) / f"{file}.safetensors"
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    path.write_bytes(content)
    message = refusal(checkpoint.read_checkpoint, path.parent)
    assert str(path) in message


@pytest.mark.parametrize("change", ["missing", "another"])
def test_a_checkpoint_has_the_files_that_it_names(tmp_path, change):
    folder = write(tmp_path, 500)
    if change == "missing":
        (folder / "moments.safetensors").unlink()
    else:
        checkpoint.write_tensors(folder / "more.safetensors", {})
    assert "not those that it names" in refusal(checkpoint.read_checkpoint, folder)


def test_a_complete_checkpoint_is_never_taken_away_for_one_of_the_same_decisions(tmp_path, monkeypatch):
    folder = write(tmp_path, 500)

    def dies(*args):
        raise OSError("the disk is full")

    monkeypatch.setattr(checkpoint.os, "replace", dies)
    assert write(tmp_path, 500) == folder  # what was learned from the same decisions lies there already
    assert checkpoint.read_checkpoint(checkpoint.latest(tmp_path))[1]["decisions"] == 500


def test_a_folder_without_its_json_is_no_checkpoint(tmp_path):
    folder = write(tmp_path, 500)
    (tmp_path / checkpoint.FOLDER / "999999999999999").mkdir()
    assert checkpoint.latest(tmp_path) == folder
    (folder / checkpoint.STATE).unlink()
    assert checkpoint.read_checkpoint(write(tmp_path, 500))[1]["decisions"] == 500


def test_only_safetensors_and_json_lie_in_a_checkpoint(tmp_path):
    folder = write(tmp_path, 1)
    assert {path.suffix for path in folder.iterdir()} == {".safetensors", ".json"}
    assert [path.name for path in (tmp_path / checkpoint.FOLDER).iterdir()] == [folder.name]


def test_the_latest_is_the_one_with_most_decisions_and_two_are_kept(tmp_path):
    for decisions in (900, 1_000, 20_000):
        write(tmp_path, decisions)
    assert checkpoint.latest(tmp_path).name.lstrip("0") == "20000"
    assert len(list((tmp_path / checkpoint.FOLDER).iterdir())) == 2


def test_whenever_writing_is_cut_off_the_checkpoint_before_is_still_the_latest(tmp_path, monkeypatch):
    write(tmp_path, 100)

    class Killed(BaseException):
        pass

    steps = {"left": 0}

    def dies_after(function):
        def step(*args, **kwargs):
            if steps["left"] == 0:
                raise Killed
            steps["left"] -= 1
            return function(*args, **kwargs)

        return step

    for name in ("write_bytes", "write_tensors"):
        monkeypatch.setattr(checkpoint, name, dies_after(getattr(checkpoint, name)))
    monkeypatch.setattr(checkpoint.os, "replace", dies_after(checkpoint.os.replace))
    cuts = 0
    while True:
        steps["left"] = cuts
        try:
            write(tmp_path, 200)
            break
        except Killed:
            cuts += 1
        tensors, state = checkpoint.read_checkpoint(checkpoint.latest(tmp_path))
        assert state["decisions"] == 100
        assert tensors.keys() == {*TENSORS}
    assert cuts >= 6  # three tensor files, the state, and the renames
    assert checkpoint.read_checkpoint(checkpoint.latest(tmp_path))[1]["decisions"] == 200


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        ("cut", "cut short"),
        ("format", "format"),
        ("gone", "no such file"),
        ("deep", "not JSON"),
        ("list", "not a checkpoint"),
    ],
)
def test_a_damaged_checkpoint_is_refused(tmp_path, damage, words):
    folder = write(tmp_path, 100)
    state = folder / checkpoint.STATE
    if damage == "cut":
        state.write_text(state.read_text()[:-5])
    elif damage == "deep":
        state.write_text("[" * 100_000)
    elif damage == "list":
        state.write_text("[]")
    elif damage == "format":
        state.write_text('{"format": 99}')
    else:
        state.unlink()
    assert words in refusal(checkpoint.read_checkpoint, folder)


def test_a_checkpoint_with_a_truncated_file_is_refused(tmp_path):
    folder = write(tmp_path, 100)
    path = folder / "weights.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    assert "weights.safetensors" in refusal(checkpoint.read_checkpoint, folder)
