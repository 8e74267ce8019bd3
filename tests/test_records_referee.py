"""Records written by the program stand before the independent referees, and both find the same slips."""

import importlib.util
import json
from pathlib import Path

import pytest
import test_referee_pan as pan
import test_referee_petukh as petukh
import test_referee_piotrus as piotrus
import test_referee_piquet as piquet
import test_referee_tysiac as tysiac
import test_referee_tysiac_tables as tables

from karty.envs.record import RecordError, replay

CHECK = Path(__file__).parent.parent / "benchmarks" / "check_records.py"
GOLDEN = [*tysiac.GOLDEN, *pan.GOLDEN, *piotrus.GOLDEN, *piquet.GOLDEN, *petukh.GOLDEN]

# What must have happened in a short check, by game: in records of the game, and in records of the referee.
HAPPENED = {
    "tysiac": (
        {"bid", "pass", "take", "give", "contract", "play", "meld"},
        {"take", "redeal", "bomb", "concede", "claim", "(redeal)"},
    ),
    "pan": ({"play", "draw", "(lost)"}, {"play four", "play three", "(undecided)", "(abandoned)"}),
    "piotrus": ({"draw", "offer", "shuffle", "lay", "(lost)"}, {"draw", "lay", "shuffle", "(redeal)", "(cut short)"}),
    "piquet": (
        {"discard", "done", "declare", "play", "(played)", "(most tricks)"},
        {"white ten", "carte blanche", "(all tricks)", "(equal in suit)", "(stopped in lead)", "(stopped in set)"},
    ),
    "petukh": (
        {"take", "keep", "discard", "done", "fold", "stay", "play", "(played)", "(revoke)"},
        {
            "take trump",
            "boys 2",
            "boys 4",
            "hide",
            "go on",
            "(stopped)",
            "(alone)",
            "(khlust)",
            "(void)",
            "(khlust wins)",
        },
    ),
}

# The slips that the referees' own tests make in golden games: the game's tests, the golden game, the slips.
SLIPS = [
    (tysiac, "marriage_made", tysiac.SLIPS),
    (tysiac, "redeal_bomb_concede_claim", tysiac.MATCH_SLIPS),
    *((tysiac, name, slips) for name, slips in tables.SLIPS.items()),
    (pan, "four_and_draws_lost", pan.SLIPS),
    (pan, "spades_back_match", pan.MATCH_SLIPS),
    (piotrus, "short_auto_shuffled", piotrus.SLIPS),
    (piotrus, "rank_manual_left", piotrus.MANUAL_SLIPS),
    (piotrus, "picture_redeal_never_shuffled", piotrus.REDEAL_SLIPS),
    (piquet, "white_ten_and_thirty", piquet.SLIPS),
    (piquet, "classic_match", piquet.CLASSIC_SLIPS),
    (piquet, "all_tricks_and_stopped_in_the_last", piquet.STOP_SLIPS),
    (petukh, "prikup_match_won_by_boys", petukh.SLIPS),
    (petukh, "draw_kon_hidden_khlust_stopped", petukh.DRAW_SLIPS),
]


@pytest.fixture(scope="module")
def benchmark():
    spec = importlib.util.spec_from_file_location("check_records", CHECK)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.rules
def test_the_referee_finds_no_fault_in_recorded_episodes(game, benchmark, tmp_path):
    """150 episodes each way; the command in `benchmarks` does the same with 10,000, all layouts and longer matches."""
    tally = benchmark.check_episodes(game.name, 150, seed=2, folder=tmp_path, longest=10, layouts=3)
    assert tally.faults == []
    assert tally.episodes == 150
    assert tally.moves > 150 * 15
    own, referees = HAPPENED[game.name]
    assert own <= set(tally.happened)
    assert referees <= set(tally.replayed_happened)
    assert tally.slips > 50


@pytest.mark.plain
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_golden_games_replay(path):
    assert replay(path).episodes == 1


@pytest.mark.parametrize(
    ("tests", "name", "slip", "line", "change"),
    [
        pytest.param(tests, name, slip, line, change, id=f"{name}-{slip}")
        for tests, name, slips in SLIPS
        for slip, (line, change) in slips.items()
    ],
)
def test_replay_finds_the_slip_in_the_same_line(tests, name, slip, line, change):
    lines = tests.golden(name)
    change(lines)
    with pytest.raises(RecordError) as raised:
        replay([json.dumps(line) for line in lines])
    assert raised.value.line == line
