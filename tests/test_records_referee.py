"""Records written by the program stand before the independent referee, and both find the same slips."""

import importlib.util
import json
from pathlib import Path

import pytest
from test_referee import GOLDEN, MATCH_SLIPS, SLIPS, golden

from karty.envs.record import RecordError, replay

CHECK = Path(__file__).parent.parent / "benchmarks" / "check_records.py"


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("check_records", CHECK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.rules
def test_the_referee_finds_no_fault_in_recorded_episodes(benchmark, tmp_path):
    """150 episodes each way; the command in `benchmarks` does the same with 10,000 and longer matches."""
    tally = benchmark.check_episodes(150, seed=2, folder=tmp_path, longest=10)
    assert tally.faults == []
    assert tally.episodes == 150
    assert tally.moves > 150 * 15
    assert {"bid", "pass", "give", "contract", "play", "meld"} <= set(tally.happened)
    assert {"redeal", "bomb", "concede", "claim"} <= set(tally.replayed_happened)
    assert tally.slips > 50


@pytest.mark.plain
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_golden_games_replay(path):
    assert replay(path).episodes == 1


def first_wrong_line(lines: list[dict]) -> int:
    with pytest.raises(RecordError) as raised:
        replay([json.dumps(line) for line in lines])
    return raised.value.line


@pytest.mark.parametrize("slip", [slip for slip in SLIPS if slip != "a table not refereed"])
def test_replay_finds_the_slip_in_the_same_line(slip):
    line, change = SLIPS[slip]
    lines = golden("marriage_made")
    change(lines)
    assert first_wrong_line(lines) == line


@pytest.mark.parametrize("slip", MATCH_SLIPS)
def test_replay_finds_the_slip_in_a_match_in_the_same_line(slip):
    line, change = MATCH_SLIPS[slip]
    lines = golden("redeal_bomb_concede_claim")
    change(lines)
    assert first_wrong_line(lines) == line
