"""The command line: what it prints, its exit codes, and that no slip ends in a traceback."""

import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import karty
from karty.agents import opponents
from karty.envs.games import PLAYED
from karty.training import bench, cli
from karty.training import config as module
from karty.training.config import CompanyConfig, PPOConfig, TrainConfig

KEYS = {
    "evaluate": [
        *("game", "rules", "agent", "opponents", "metric", "mean", "low", "high", "deals", "truncated", "episode"),
        *("split", "seed", "until", "reached", "normalised"),
    ],
    "probe": [
        *("game", "rules", "agent", "opponents", "probe", "case", "metric", "mean", "low", "high", "count", "counted"),
        *("split", "seed"),
    ],
    "bench": ["game", "rules", "mode", "n", "threads", "decisions_per_s", "decisions_per_cpu_s"],
}


@pytest.fixture(scope="module", autouse=True)
def announced():
    """The line that announces a first compilation is said before the tests listen to stderr."""
    karty.make_batch("tysiac", 1)


@pytest.fixture
def karty_says(capsys, monkeypatch, tmp_path):
    """Run a command in an empty folder: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("KARTY_TRACEBACK", raising=False)

    def run(*words):
        code = cli.main([str(word) for word in words])
        return code, *capsys.readouterr()

    return run


def lines_of(text):
    """JSON lines, each an object."""
    return [json.loads(line) for line in text.splitlines()]


# Slips: whatever is wrong with the words, exit code 2 and something on stderr only.

OURS = {
    "games nope": "no game 'nope'; games: tysiac",
    "games --rules table=3p": "--rules goes with a game",
    "games tysiac --rules table=9p": "table='9p' is not allowed; allowed: ",
    "games tysiac --rules tabel=3p": "no option 'tabel'",
    "games tysiac --rules table": "key=value",
    "games tysiac --rules =3p": "key=value",
    "games tysiac --rules max_deals=0": "max_deals=0 is not allowed",
    "games tysiac --rules max_deals=many": "max_deals",
    "games tysiac --rules threshold=850": "threshold",
    "games tysiac --rules claim=yes": "claim",
    "games tysiac --rules preset=nope": "preset 'nope'",
    "games tysiac --rules bid_step=any bid_step=ten": "bid_step",
    "games tysiac --rules bid_step=any,ten": "",
    "evaluate nope --agents rule random": "no game 'nope'",
    "evaluate tysiac --agents nobody random": "no agent 'nobody' for tysiac: there are ",
    "evaluate tysiac --agents rule": "3 seats",
    "evaluate tysiac --agents rule rule rule rule": "3 seats",
    "evaluate tysiac --agents": "3 seats",
    "evaluate tysiac --agents gone.safetensors rule": "no such file",
    "evaluate tysiac --agents nowhere:Bot rule": "no module 'nowhere'",
    "evaluate tysiac --agents . rule": "",
    "evaluate tysiac --agents rule random --deals 1": "deals must be",
    "evaluate tysiac --agents rule random --deals -5": "deals must be",
    "evaluate tysiac --agents rule random --seed -1": "seed of an evaluation must be",
    "evaluate tysiac --agents rule random --threads 0": "threads must be",
    "evaluate tysiac --agents rule random --threads 99999999999": "threads must be a whole number from 1 to 1024",
    "arena tysiac --agents rule random --threads 0": "threads must be",
    "evaluate tysiac --agents rule random --rules table=9p": "table='9p'",
    "evaluate tysiac --agents rule random --until 0": "until must be a half-width above 0, not 0",
    "evaluate tysiac --agents pool rule": "--agents: pool stands for the opponents of one agent: --agents A pool",
    "evaluate tysiac --agents rule pool rule": "--agents A pool",
    "evaluate petukh --agents rule pool --rules players=3": "pool: ppo-short does not play petukh by these rules",
    "arena tysiac --agents rule": "two agents or more",
    "arena tysiac --agents rule rule": "named twice: rule",
    "arena tysiac --agents rule nobody": "no agent 'nobody'",
    "arena nope --agents rule random": "no game 'nope'",
    "probe nope --agent rule": "no game 'nope'",
    "probe tysiac --agent nobody": "no agent 'nobody'",
    "probe tysiac --agent gone.safetensors": "no such file",
    "probe tysiac --agent rule --deals 1": "deals must be",
    "probe tysiac --agent rule --matches 1": "matches must be 0 or",
    "probe tysiac --agent rule --seed -1": "seed of an evaluation must be",
    "probe tysiac --agent rule --threads 0": "threads must be",
    "probe tysiac --agent rule --rules table=9p": "table='9p'",
    "probe tysiac --agent rule --rules bid_step=any,ten": "several values for an option",
    "record nope --out x.jsonl": "no game 'nope'",
    "record tysiac --out x.jsonl --players rule rule": "give 3 players, one a seat, or one for all, not 2",
    "record tysiac --out x.jsonl --players rule rule nobody": "no agent 'nobody'",
    "record tysiac --out x.jsonl --episodes 0": "episodes",
    "record tysiac --out x.jsonl --seed -1": "seed",
    "record tysiac --out no/such/folder/x.jsonl": "no/such/folder",
    "record tysiac --out .": "--out . is a folder; name a file",
    "replay missing.jsonl": "missing.jsonl",
    "replay .": "",
    "play nope": "no game 'nope'",
    "play tysiac --seat 3": "--seat must be 0 … 2",
    "play tysiac --seat -1": "--seat must be 0 … 2",
    "play tysiac --agents nobody": "no agent 'nobody'",
    "play tysiac --agents rule rule rule": "give 2 agents, one for each other seat, or one for all, not 3",
    "play piquet --agents rule rule": "--agents: give one agent, not 2",
    "play tysiac --seed -1": "--seed must be",
    "bench nope": "no game 'nope'",
    "bench tysiac --seconds 0": "seconds must be",
    "bench tysiac --n 0": "n must be",
    "bench tysiac --threads 0": "threads must be",
    "bench tysiac --n 10000000000000": "",
    "train nope": "no game 'nope'",
    "train tysiac --minutes inf": "--minutes must be above 0 and at most 10000000, not inf",
    "train tysiac --width 100000000": "--width must be a whole number from 1 to 8192, not 100000000",
    "train tysiac --value-coefficient nan": "--value-coefficient must be from 0 to 1000, not nan",
    "train tysiac --learning-rate inf": "--learning-rate must be above 0 and at most 1, not inf",
    "train tysiac --entropy inf": "--entropy must be from 1e-09 to 10, not inf",
    "train tysiac --init imitate:": "--init must be none, imitate:NAME or agent:A",
    "train tysiac --seed 4611686018427387904": "--seed must be a whole number from 0 to 2**62 - 1",
    "train tysiac --resume x --seed 5": "--seed cannot be changed",
    "train tysiac --resume x --tables 9 --out y --rules claim=true": "--out, --rules, --tables cannot be changed",
    "train tysiac --resume x": "x: no run folder with a checkpoint",
}

TYROS = [
    "",
    "nope",
    "evaluate",
    "evaluate tysiac",
    "evaluate tysiac --agents rule random --deals many",
    "evaluate tysiac --agents rule random --episode hand",
    "evaluate tysiac --agents rule random --split train",
    "evaluate tysiac --agents rule random --until narrow",
    "evaluate tysiac --agnets rule random",
    "arena",
    "probe",
    "probe tysiac",
    "probe tysiac --agent rule random",
    "record tysiac",
    "record tysiac --out x --episode hand",
    "replay",
    "play",
    "play tysiac --seat first",
    "play tysiac --seed x",
    "bench --seconds long",
    "train",
    "train tysiac --nonsense 3",
]


@pytest.mark.parametrize("words", OURS)
def test_a_slip_ends_with_2_and_one_clear_line(karty_says, words):
    code, out, err = karty_says(*words.split())
    assert code == 2
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert err.startswith("karty: ")
    assert OURS[words] in err


@pytest.mark.parametrize("words", TYROS)
def test_words_that_cannot_be_parsed_end_with_2(karty_says, words):
    code, out, err = karty_says(*words.split())
    assert code == 2
    assert out == ""
    assert err
    assert "Traceback" not in err


def test_help_ends_with_0(karty_says):
    code, out, _ = karty_says("--help")
    assert code == 0
    for command in ("games", "train", "evaluate", "arena", "probe", "record", "replay", "play", "bench"):
        assert command in out
    for command in ("evaluate", "train"):
        assert karty_says(command, "--help")[0] == 0


def test_games_lists_every_game(karty_says):
    code, out, err = karty_says("games", "--json")
    assert (code, err) == (0, "")
    assert [line["game"] for line in lines_of(out)] == [*karty.GAMES, *karty.MINIS]
    assert [line["game"] for line in lines_of(out) if line["mini"]] == list(karty.MINIS)
    assert lines_of(out)[0]["actions"] == 125
    games, minis = karty_says("games")[1].split("mini games, small enough to be solved")
    assert "tysiac" in games and "tysiac_8" in minis
    assert "options: none" in karty_says("games", "tysiac_8")[1]


def test_games_of_one_game_shows_options_actions_and_layout(karty_says):
    code, out, err = karty_says("games", "tysiac", "--json")
    assert (code, err) == (0, "")
    (line,) = lines_of(out)
    options = {row["option"]: row for row in line["options"]}
    assert options["bid_step"]["values"] == ["any", "ten"]
    assert options["max_deals"]["default"] == 100
    assert line["action_names"][24] == "meld QS"
    assert line["observation"][0]["start"] == 0
    assert line["observation"][-1]["stop"] == line["features"]
    text = karty_says("games", "tysiac")[1]
    for word in ("bid_step", "any, ten", "meld", "hand"):
        assert word in text


def test_games_of_one_game_tells_its_phases_and_the_values_of_its_choices(karty_says, any_game):
    game = any_game
    (line,) = lines_of(karty_says("games", game.name, "--json")[1])
    assert line["phases"] == dict(game.phases)
    text = karty_says("games", game.name)[1]
    flat = " ".join(text.split())
    for phase, words in game.phases.items():
        assert phase in text.split("phases: what is decided in each")[1].split("observation")[0]
        assert words in flat
    for part in game.shape().observation:
        if part.kind == "choice":
            assert f": {', '.join(part.values)}" in flat or len(part.values) > 8  # else folded beside other columns


def test_games_says_carte_blanche_for_the_phase_carte(karty_says):
    text = karty_says("games", "piquet")[1]
    assert "  carte     carte blanche: Whether" in text
    assert "carte blanche S C D H" in text


def test_rules_are_read_as_the_option_table_writes_them(karty_says):
    words = ("claim=true", "threshold=none", "bid_step=ten", "max_deals=7", "show_talon=always")
    (line,) = lines_of(karty_says("games", "tysiac", "--rules", *words, "--json")[1])
    assert line["rules"]["claim"] is True
    assert line["rules"]["threshold"] is None
    assert line["rules"]["bid_step"] == "ten"
    assert line["rules"]["max_deals"] == 7


def test_evaluate_prints_json_lines_and_nothing_else(karty_says):
    code, out, err = karty_says("evaluate", "tysiac", "--agents", "rule", "random", "--deals", 20, "--json")
    assert (code, err) == (0, "")
    lines = lines_of(out)
    assert [list(line) for line in lines] == [KEYS["evaluate"]] * 2
    assert lines[0]["deals"] == 20
    assert lines[0]["episode"] == "deal"
    found = karty.evaluate("tysiac", ["rule", "random"], deals=20)
    assert lines == json.loads(json.dumps(found.to_dicts()))


def test_evaluate_for_a_person(karty_says):
    words = ("evaluate", "tysiac", "--agents", "rule", "rule", "--deals", 4, "--episode", "match")
    code, out, _ = karty_says(*words)
    assert code == 0
    assert "rule against rule, rule: 4 matches of tysiac" in out
    assert "points  +0.00 ± 0.00" in out
    assert "won     33.33 % ± 0.00 % (par 33.33 %)" in out
    assert "gained most" not in out  # a match is won by the rules
    assert "(won: the share of deals in which it gained most" in karty_says(*words[:-1], "deal")[1]


@pytest.fixture
def losing(monkeypatch):
    """Tysiąc, but its players are compared by losses."""
    game = dataclasses.replace(karty.GAMES["tysiac"], outcome="losses", measure="losses")
    monkeypatch.setitem(PLAYED, "tysiac", game)


def test_what_a_game_of_losses_is_about_comes_first(karty_says, losing):
    code, out, _ = karty_says("evaluate", "tysiac", "--agents", "rule", "rule", "--deals", 4, "--episode", "match")
    assert code == 0
    first, second = out.splitlines()[1:]
    assert first.startswith("  lost    ")
    assert first.endswith(" (par 33.33 %)")
    assert second == "  points  +0.00 ± 0.00"


def test_the_payoffs_of_a_game_of_losses_are_shares(karty_says, losing):
    words = ("--agents", "random", "rule", "--deals", 60)
    code, out, _ = karty_says("arena", "tysiac", *words)
    assert code == 0
    assert out.startswith("% of deals lost (par 33.3): one seat against the rest, 60 deals a pair\n")
    found = karty.evaluate("tysiac", ["rule", "random"], deals=60).score
    assert found.mean < 0.1
    assert f"{100 * found.mean:.1f} ± {100 * found.half:.1f}" in out
    assert out.index("rule  ") < out.index("random  ", out.index("Plackett"))  # the one that loses less rates better


def test_seed_chooses_the_deals(karty_says):
    words = ("evaluate", "tysiac", "--agents", "rule", "random", "--deals", 10, "--json", "--seed")
    first, again, other = (karty_says(*words, seed)[1] for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_an_agent_of_ones_own_in_the_current_folder(karty_says, tmp_path):
    source = "class Bot:\n    name = 'first'\n    def act(self, o, mask, rng): return mask.argmax(axis=1)\n"
    (tmp_path / "mine_for_the_cli.py").write_text(source)
    code, out, _ = karty_says("evaluate", "tysiac", "--agents", "mine_for_the_cli:Bot", "rule", "--deals", 4, "--json")
    assert code == 0
    assert lines_of(out)[0]["agent"] == "first"


def test_arena_prints_pairs_and_ratings(karty_says):
    words = ("arena", "tysiac", "--agents", "random", "rule", "--deals", 10)
    code, out, err = karty_says(*words, "--json")
    assert (code, err) == (0, "")
    lines = lines_of(out)
    assert all(list(line) == KEYS["evaluate"] for line in lines)
    others = ["rating", "rating", "ms", "ms", "cyclic_share"]
    assert [line["metric"] for line in lines] == ["points", "wins", "points", "wins", *others]
    text = karty_says(*words)[1]
    assert "±" in text
    assert "rating" in text


def test_evaluate_until_a_half_width(karty_says):
    words = ("evaluate", "tysiac", "--agents", "rule-bold", "rule", "--until")
    code, out, _ = karty_says(*words, 3)
    assert code == 0
    assert "until ± 3.00 points a deal: reached, ± " in out
    assert "after 1024 deals" in out
    code, out, _ = karty_says(*words, 0.01, "--deals", 20)
    assert code == 0  # it is no slip
    assert "NOT reached" in out
    assert "after 20 deals, the most allowed" in out


def test_until_is_in_percentage_points_where_shares_count(karty_says, losing):
    words = ("evaluate", "tysiac", "--agents", "rule", "random", "--deals", 20, "--until", 2.5)
    assert "until ± 2.50 % of deals: NOT reached" in karty_says(*words)[1]
    line = next(line for line in lines_of(karty_says(*words, "--json")[1]) if line["metric"] == "losses")
    assert line["until"] == 0.025


def test_evaluate_on_the_scale_from_random_play_to_rule(karty_says):
    words = ("evaluate", "tysiac", "--agents", "rule", "rule", "--deals", 20, "--normalise")
    assert "from random play (0) to rule (1): +1.000 ± 0.000" in karty_says(*words)[1]
    first, second = lines_of(karty_says(*words, "--json")[1])
    assert first["normalised"] == {"mean": 1.0, "low": 1.0, "high": 1.0}
    assert second["normalised"] is None


@pytest.fixture
def small_pool(monkeypatch):
    """A pool without networks."""
    monkeypatch.setitem(opponents.POOL, "tysiac", ("random", "rule-timid"))


def test_evaluate_against_the_pool(karty_says, small_pool):
    words = ("evaluate", "tysiac", "--agents", "rule", "pool", "--deals", 20)
    code, out, _ = karty_says(*words)
    assert code == 0
    assert out.startswith("rule against the pool of tysiac: 20 deals a member, each in all rotations\n")
    assert [line.split()[0] for line in out.splitlines()[3:6]] == ["random", "rule-timid", "mean:"]
    lines = lines_of(karty_says(*words, "--json")[1])
    assert all(list(line) == KEYS["evaluate"] for line in lines)
    assert lines[-1]["opponents"] == ["pool:random", "pool:rule-timid"]
    by_python = karty.focal_score("tysiac", "rule", deals=20)
    assert lines == json.loads(json.dumps(by_python.to_dicts()))


def test_an_arena_of_the_pool_and_a_stranger_is_written_into_a_folder(karty_says, small_pool, tmp_path):
    (tmp_path / "stranger.py").write_text("class Bot:\n    def act(self, o, mask, rng): return mask.argmax(axis=1)\n")
    words = ("arena", "tysiac", "--agents", "pool", "stranger:Bot", "--deals", 10, "--out", "new", "--split", "dev")
    code, out, err = karty_says(*words)
    assert (code, err) == (0, "written: new/\n")
    assert "≤ " in out
    assert "cyclic share: " in out
    told = json.loads((tmp_path / "new" / "arena.json").read_text())
    assert told["agents"] == ["random", "rule-timid", "Bot"]
    assert told["split"] == "dev"
    code, out, err = karty_says(*words)
    assert (code, out) == (2, "")
    assert err == "karty: --out: new exists and is not empty; choose another folder\n"
    Path("file").touch()
    for inside in ("file", "file/new"):
        code, out, err = karty_says(*words[:-3], inside, *words[-2:])
        assert (code, out) == (2, "")
        assert err.startswith("karty: --out: ") and err.endswith(
            "file is a file, not a folder; choose another folder\n"
        )


def test_an_arena_without_matplotlib_is_not_played_for_nothing(karty_says, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    code, out, err = karty_says("arena", "tysiac", "--agents", "rule", "random", "--deals", 4, "--out", "new")
    assert (code, out) == (2, "")
    assert err == 'karty: pictures of results need matplotlib: pip install "karty[render]"\n'
    assert karty_says("arena", "tysiac", "--agents", "rule", "random", "--deals", 4)[0] == 0


def test_the_split_is_told_and_chooses_the_deals(karty_says):
    for words in (("evaluate", "--agents", "rule", "random"), ("probe", "--matches", 0, "--agent", "rule-bold")):
        command = (words[0], "tysiac", *words[1:], "--deals", 10, "--json", "--split")
        first, again, other = (karty_says(*command, split)[1] for split in ("dev", "dev", "test"))
        assert first == again != other
        assert {line["split"] for line in lines_of(first)} == {"dev"}


def test_probe_prints_json_lines_and_nothing_else(karty_says):
    words = ("probe", "tysiac", "--agent", "rule-bold", "--deals", 20, "--matches", 2, "--seed", 3)
    code, out, err = karty_says(*words, "--json")
    assert (code, err) == (0, "")
    lines = lines_of(out)
    assert all(list(line) == KEYS["probe"] for line in lines)
    assert {line["probe"] for line in lines} == {"swap", "choices", "contracts", "marriages"}
    assert [line["count"] for line in lines if line["probe"] == "swap"] == [20] * 4 + [2] * 4
    assert all(line["agent"] == "rule-bold" and line["low"] <= line["mean"] <= line["high"] for line in lines)
    assert karty_says(*words, "--json")[1] == out


def test_probe_for_a_person(karty_says):
    code, out, _ = karty_says("probe", "tysiac", "--agent", "rule", "--deals", 4, "--matches", 0)
    assert code == 0
    assert "rule among rule, rule: 4 deals of tysiac, each in all rotations" in out
    (auction,) = [line.split() for line in out.splitlines() if "auction" in line]
    assert auction == ["swap", "auction", "points", "+0.00", "+0.00", "…", "+0.00", "4", "deals"]
    assert "choices: taken, how often it chose" in out
    assert "wins" not in out


def test_record_and_replay(karty_says, tmp_path):
    words = ("record", "tysiac", "--out", "two.jsonl", "--episodes", 2, "--episode", "deal", "--seed", 5)
    code, out, _ = karty_says(*words, "--players", "rule", "random", "rule")
    assert (code, out) == (0, "")
    lines = lines_of((tmp_path / "two.jsonl").read_text())
    heads = [line for line in lines if line["type"] == "match"]
    assert [line["seed"] for line in heads] == [5, 6]
    assert heads[0]["players"] == ["rule", "random", "rule"]
    code, out, err = karty_says("replay", "two.jsonl")
    assert (code, err) == (0, "")
    assert out.startswith("two.jsonl: ")
    assert karty_says("replay", "two.jsonl", "--show")[0] == 0


def test_players_are_random_if_left_out(karty_says, tmp_path):
    assert karty_says("record", "tysiac", "--out", "one.jsonl", "--episode", "deal")[0] == 0
    head = lines_of((tmp_path / "one.jsonl").read_text())[0]
    assert head["players"] == ["random"] * 3


def test_replay_ends_with_1_and_the_first_faulty_line(karty_says, tmp_path):
    karty_says("record", "tysiac", "--out", "one.jsonl", "--episode", "deal")
    lines = (tmp_path / "one.jsonl").read_text().splitlines()
    third = json.loads(lines[2])
    assert third["type"] == "move"
    third["seat"] = (third["seat"] + 1) % 3
    for number, text in ((3, json.dumps(third)), (5, "{")):
        bad = [*lines[: number - 1], text, *lines[number:]]
        (tmp_path / "bad.jsonl").write_text("\n".join(bad) + "\n")
        code, out, err = karty_says("replay", "bad.jsonl")
        assert (code, out) == (1, "")
        assert err.startswith(f"bad.jsonl: line {number}: ")
        assert len(err.splitlines()) == 1


def test_a_command_that_fails_leaves_no_file(karty_says, tmp_path):
    karty_says("record", "tysiac", "--out", "x.jsonl", "--players", "rule", "rule", "nobody")
    assert list(tmp_path.iterdir()) == []


def test_bench_prints_json_lines(karty_says, game):
    code, out, _ = karty_says("bench", game.name, "--seconds", 0.05, "--n", 64, "--json")
    assert code == 0
    lines = lines_of(out)
    assert [list(line) for line in lines] == [KEYS["bench"]] * 4
    assert [line["mode"] for line in lines] == ["step", "rule", "episodes", "aec"]
    assert all(line["decisions_per_s"] > 0 and line["decisions_per_cpu_s"] > 0 for line in lines)
    assert lines[0]["n"] == 64


def test_long_episodes_are_measured_in_parts_so_that_no_round_takes_long(monkeypatch):
    made = []
    original = bench.engine.make_batch

    def make_batch(game, n, **options):
        made.append((n, options["seed"]))
        return original(game, n, **options)

    monkeypatch.setattr(bench.engine, "make_batch", make_batch)
    game = karty.GAMES["tysiac"]
    rounds = bench._episodes(game, game.rules(), 600, 1, 5)
    first = [next(rounds) for _ in range(3)]
    assert made == [(256, 5), (256, 261), (88, 517)]  # all 600 tables, each with the seed that it has among them
    assert min(first) > 0
    assert next(bench._aec(game, game.rules(), 1, 1, 5)) == 256


def usual(monkeypatch):
    """Tysiąc with defaults of its own."""
    own = TrainConfig(game="tysiac", ppo=PPOConfig(entropy=0.07), company=CompanyConfig(rule_tables=0.5))
    monkeypatch.setitem(module.USUAL, "tysiac", own)
    return own


def test_what_train_is_not_told_is_the_games_usual_and_what_it_is_told_wins(monkeypatch):
    own = usual(monkeypatch)
    assert cli._train_config(["tysiac"]) == own
    assert cli._train_config(["--seed", "3", "tysiac"]) == dataclasses.replace(own, seed=3)
    # 0.02 is the default of the field: told is told
    told = cli._train_config(["tysiac", "--entropy", "0.02", "--steps", "64"])
    assert told == dataclasses.replace(own, ppo=PPOConfig(entropy=0.02, steps=64))
    assert cli._train_config(["whist", "--out", "tysiac"]).ppo == PPOConfig()


def test_against_given_players_the_action_taken_is_judged_unless_told_otherwise(monkeypatch):
    own = usual(monkeypatch)
    against = cli._train_config(["tysiac", "--opponents", "random"])
    assert against.opponents == ("random",)
    assert against.ppo == dataclasses.replace(own.ppo, advantage="gae")
    for words in (["--opponents", "random", "rule", "--advantage", "ahead"], ["--opponents", "self"], []):
        assert cli._train_config(["tysiac", *words]).ppo.advantage == "ahead"


def test_the_help_of_train_shows_the_games_defaults(karty_says, monkeypatch):
    usual(monkeypatch)
    code, out, _ = karty_says("train", "tysiac", "--help")
    assert code == 0
    assert "(default: 0.07)" in " ".join(out.split())
    code, out, _ = karty_says("train", "--help")
    assert code == 0
    assert "(default: 0.07)" not in " ".join(out.split())
    assert "GAME" in out


def test_the_help_of_train_tells_which_game_changes_which_default(karty_says):
    """What `usual_config` and `USUAL_RULES` say, and the words of the progress line."""
    text = " ".join(karty_says("train", "--help")[1].split())
    assert "- pan: --choice drawn --gae-lambda 0.95 --advantage gae" in text
    assert "- piotrus: --width 96 --init none --gae-lambda 0.95 --advantage gae" in text
    assert "- tysiac: --rules start_scores=zero,random" in text
    assert "piquet:" not in text
    assert "`pass in 45%`: in 45 % of the latest deals" in text


def test_own_defaults_are_told_from_the_table_of_them(monkeypatch):
    own = TrainConfig(game="pan", company=CompanyConfig(rule_tables=0.5), ppo=PPOConfig(entropy=0.07))
    monkeypatch.setattr(module, "USUAL", {"pan": own})
    monkeypatch.setattr(module, "USUAL_RULES", {"pan": ("players=4",), "tysiac": ("claim=true", "bid_step=ten")})
    assert module.defaults_of_games() == [
        "pan: --entropy 0.07 --rule-tables 0.5 --rules players=4",
        "tysiac: --rules claim=true bid_step=ten",
    ]


def test_train_runs_with_what_was_read(karty_says, monkeypatch):
    pytest.importorskip("torch")
    own = usual(monkeypatch)
    told = []

    class Result:
        interrupted = False

    monkeypatch.setattr("karty.training.ppo.train", lambda config: told.append(config) or Result())
    assert karty_says("train", "tysiac", "--decisions", 5)[0] == 0
    assert told == [dataclasses.replace(own, decisions=5)]
    Result.interrupted = True
    assert karty_says("train", "tysiac")[0] == 130


def test_ctrl_c_ends_quietly_with_130(karty_says, monkeypatch):
    def stop(*args, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("karty.training.evaluate.evaluate", stop)
    code, out, err = karty_says("evaluate", "tysiac", "--agents", "rule", "rule")
    assert (code, out, err) == (130, "", "")


def test_a_ctrl_c_that_python_swallows_comes_again(karty_says, monkeypatch):
    class Forgotten:
        def __del__(self):  # what is raised here, Python only prints
            raise KeyboardInterrupt

    def compiling(*args, **options):
        Forgotten()
        end = time.monotonic() + 20
        while time.monotonic() < end:
            time.sleep(0.01)

    before = sys.unraisablehook
    monkeypatch.setattr("karty.training.evaluate.evaluate", compiling)
    assert karty_says("evaluate", "tysiac", "--agents", "rule", "rule") == (130, "", "")
    assert sys.unraisablehook is before


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_what_else_goes_wrong_in_a_finalizer_is_told_as_ever(karty_says, monkeypatch):
    class Forgotten:
        def __del__(self):
            raise LookupError

    def measure(*args, **options):
        Forgotten()
        raise ValueError("the end")

    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda raised: told.append(raised.exc_type))
    monkeypatch.setattr("karty.training.evaluate.evaluate", measure)
    assert karty_says("evaluate", "tysiac", "--agents", "rule", "rule") == (2, "", "karty: the end\n")
    assert told == [LookupError]


def test_without_torch_training_says_what_to_install(karty_says, monkeypatch):
    class NotInstalled:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if name == "torch":
                raise ModuleNotFoundError("No module named 'torch'", name="torch")

    # tyro looks into sys.modules for torch, so that it cannot simply be set to None there
    for name in ("torch", "karty.training.ppo", "karty.agents.network", "karty.agents.checkpoint"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(sys, "meta_path", [NotInstalled, *sys.meta_path])
    code, out, err = karty_says("train", "tysiac")
    assert (code, out) == (2, "")
    assert err == "karty: training needs torch: pip install 'karty[train]'\n"


def test_a_bug_is_shown_whole_when_asked_for(karty_says, monkeypatch):
    monkeypatch.setenv("KARTY_TRACEBACK", "1")
    with pytest.raises(ValueError, match="no game 'nope'"):
        karty_says("games", "nope")


def run(*words, **options):
    """The command in a process of its own."""
    command = [sys.executable, "-m", "karty", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=400, check=False, **options)


def test_python_m_karty_gives_the_exit_code():
    found = run("replay", "no_such_file.jsonl")
    assert found.returncode == 2
    assert found.stderr == "karty: no_such_file.jsonl: No such file or directory\n"
    assert found.stdout == ""


def test_ctrl_c_while_the_command_line_loads_ends_quietly_with_130():
    code = """
import runpy, sys
class Interrupted:
    def find_spec(name, path=None, target=None):
        if name == "karty.training.cli":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Interrupted)
runpy.run_module("karty", run_name="__main__")
"""
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, timeout=400, check=False)
    assert (found.returncode, found.stdout, found.stderr) == (130, "", "")


def test_a_second_ctrl_c_cannot_disturb_the_end(monkeypatch):
    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr(cli, "_run", lambda words: cli.STOPPED)
    monkeypatch.setattr(sys, "argv", ["karty"])
    try:
        assert cli.main([]) == cli.STOPPED  # called as a function, it leaves the caller's signals alone
        assert signal.getsignal(signal.SIGINT) is before
        assert cli.main() == cli.STOPPED
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
def test_actions_of_several_words_have_a_line_a_kind():
    names = ["play 9S", "play TS", "play four 9", "play four T", "play three 9", "lay 6S 6C", "lay 12a 12b", "pass"]
    assert list(cli._action_lines(names)) == [
        ("0–1", "play 9S TS"),
        ("2–3", "play four 9 T"),
        ("4", "play three 9"),
        ("5–6", "lay 6S 6C 12a 12b"),
        ("7", "pass"),
    ]


@pytest.mark.parametrize("words", ["games tysiac >&-", "play tysiac <&-", "games nope 2>&-"])
def test_a_closed_descriptor_is_no_traceback(words):
    command = f'"{sys.executable}" -m karty {words}'
    found = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=400, check=False)
    assert found.returncode == (2 if "nope" in words else 0)
    assert "Traceback" not in found.stderr
    assert "karty: no game" not in found.stdout


@pytest.mark.skipif(not os.path.exists("/dev/stdout"), reason="needs /dev/stdout")
def test_a_record_may_be_written_into_a_pipe():
    found = run("record", "tysiac", "--out", "/dev/stdout", "--episode", "deal")
    assert found.returncode == 0, found.stderr
    kinds = [line["type"] for line in lines_of(found.stdout)]
    assert (kinds[0], kinds[-1]) == ("match", "end")


def test_torch_uses_one_thread_where_a_command_plays_a_network(karty_says, tmp_path):
    torch = pytest.importorskip("torch")
    (tmp_path / "a.safetensors").write_bytes(b"")
    before = torch.get_num_threads()
    try:
        for words in ("evaluate tysiac --agents rule a.safetensors", "play tysiac --agents a.safetensors"):
            torch.set_num_threads(2)
            assert karty_says(*words.split())[0] == 2  # the file is none; the threads are set before it is read
            assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


@pytest.mark.skipif(os.name != "posix", reason="needs a shell with pipes")
def test_a_closed_pipe_is_no_error_and_torch_is_not_loaded():
    # The reader goes away at once; torch must not be needed, nor loaded, for a list of games.
    code = "import sys, karty.training.cli as cli; c = cli.main(['games', 'tysiac', '--json']); "
    code += "print('torch' in sys.modules, file=sys.stderr); sys.exit(c)"
    command = f'"{sys.executable}" -c "{code}" | true'
    found = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=400, check=False)
    assert "Traceback" not in found.stderr
    assert "Broken pipe" not in found.stderr
    assert found.stderr.splitlines()[-1] == "False"


# What a newcomer reads


def test_games_lists_from_the_fewest_to_the_most_seats(karty_says):
    """Section 2 or 1 of each rule book; more than five at Piotruś have the picture deck only."""
    lines = karty_says("games")[1].splitlines()
    seats = {line.split()[0]: line.split()[3] for line in lines if line.split() and line.split()[0] in karty.GAMES}
    expected = {"tysiac": "2–4", "piquet": "2", "petukh": "2–5", "pan": "2–4", "piotrus": "2–8"}
    assert {name: seats[name] for name in expected} == expected


def test_games_tells_what_each_table_is_and_which_options_matter_there(karty_says):
    text = karty_says("games", "tysiac", "--rules", "table=2p_stock")[1]
    rows = {line.split()[0]: line for line in text.splitlines() if line.split()}
    assert rows["2p_pairs"].split("  ")[-1] == "2 seats, 10 cards each, 2 talons of 2, auction"
    assert "partners sit opposite" in rows["4p_teams"]
    told = json.loads(karty_says("games", "tysiac", "--rules", "table=2p_stock", "--json")[1])
    idle = {row["option"] for row in told["options"] if row["idle"]}
    kept = {"table", "meld_with", "rounding", "start_scores", "max_deals"}  # 3, 4, 6.3, 6.4, 8 and 9 need an auction
    assert idle == {row["option"] for row in told["options"]} - kept
    assert {row["option"]: row["chosen"] for row in told["options"]}["table"] == "2p_stock"
    assert "–: has no effect here" in text


@pytest.mark.parametrize(
    "command", ["games", "evaluate", "train", "play", "record", "arena", "probe", "exploit", "bench"]
)
def test_help_names_the_game_and_tells_no_empty_default(karty_says, command):
    code, text, _ = karty_says(command, "tysiac", "--help")
    assert code == 0
    usage = text.split("\n\n")[0]
    assert "GAME" in usage
    for empty in ("None", "(default: )"):
        assert empty not in text


def test_help_says_what_an_episode_is(karty_says):
    assert "single deals, or whole matches" in " ".join(karty_says("play", "--help")[1].replace("│", " ").split())


def test_one_player_fills_all_seats_of_a_record(karty_says):
    assert karty_says("record", "tysiac", "--out", "x.jsonl", "--players", "random", "--episode", "deal")[0] == 0
    assert lines_of(Path("x.jsonl").read_text().splitlines()[0])[0]["players"] == ["random"] * 3


@pytest.mark.parametrize(
    ("table", "words"), [("4p_teams", "with rule against random, team against team"), ("3p", "against random, random")]
)
def test_an_evaluation_in_teams_is_told_so(karty_says, table, words):
    rules = ("--rules", f"table={table}", "--deals", "2")
    text = karty_says("evaluate", "tysiac", "--agents", "rule", "random", *rules)[1]
    assert text.startswith(f"rule {words}: 2 deals")
    text = karty_says("arena", "tysiac", "--agents", "rule", "random", *rules)[1]
    assert ("one team against the other" if table == "4p_teams" else "one seat against the rest") in text


def test_an_agent_of_another_table_names_one_that_fits(karty_says):
    pytest.importorskip("torch")
    err = karty_says(
        "record", "tysiac", "--out", "x", "--players", "ppo", "--rules", "table=2p_stock", "--episode", "deal"
    )[2]
    assert "trained under other rules (table=3p, here 2p_stock" in err
    assert "for these there is ppo-tables" in err
