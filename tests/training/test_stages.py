"""The stages of a run: what each pays, how one follows on the other, and that a resumed run goes on where it was."""

import dataclasses
import io
import itertools
import json

import numpy as np
import pytest
import torch
from rich.console import Console

from karty.agents import checkpoint
from karty.agents.agent import load_agent
from karty.envs.games import find_game
from karty.envs.layout import Layout
from karty.training import ppo
from karty.training.config import CompanyConfig, ImitationConfig, MatchConfig, NetworkConfig, PPOConfig, TrainConfig
from karty.training.equity import Equity, simulate
from karty.training.ppo import Trainer, train
from karty.training.rollout import collect

GAME = find_game("tysiac")
RULE = load_agent("tysiac", "rule")
SMALL = TrainConfig(
    game="tysiac",
    decisions=5000,
    evaluate=0,
    deals=20,
    checkpoint=500,
    network=NetworkConfig(width=16),
    imitation=ImitationConfig(init="imitate:rule", imitated=1000, imitation_epochs=1),
    ppo=PPOConfig(tables=24, steps=32, minibatch=256, epochs=2),
    matches=MatchConfig(match=0.5, equity_matches=20),
)
DEALS = MatchConfig()
PAST = CompanyConfig(rule_tables=0.2, past_tables=0.4, past_selves=4, past_every=1000)


def run(folder, **changes):
    console = Console(file=io.StringIO(), width=200)
    result = train(dataclasses.replace(SMALL, **{"out": folder, **changes}), console=console)
    return result, console.file.getvalue()


def resume(folder, **changes):
    return train(TrainConfig(game="tysiac", resume=folder, **changes), console=Console(file=io.StringIO()))


def log(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def stages(folder):
    return [line["stage"] for line in log(folder)]


@pytest.fixture(autouse=True)
def sane_matches(monkeypatch):
    """Equity is learned from matches of rule-based players: after so little training the network ends none."""
    calls = []

    def of_rule(game, act, matches, **options):
        calls.append((act.__self__, matches))
        return simulate(game, RULE.act, matches, **options)

    monkeypatch.setattr(ppo, "simulate", of_rule)
    return calls


def standing_in_matches(trainer):
    """Let the trainer play matches, paid by an equity that has learned nothing but holds firm views."""
    generator = torch.Generator().manual_seed(2)
    trainer.equity = Equity(3, 1000, generator=generator)
    with torch.no_grad():
        trainer.equity.layers[-1].weight.normal_(generator=generator)
    trainer.equity.worth_of = lambda points: np.float32(points / 20)
    trainer._take(trainer._make_tables("match"))


@pytest.mark.parametrize(
    ("reward", "matches", "steps"), [("relative", False, 60), ("own", False, 60), ("relative", True, 900)]
)
def test_what_a_deal_pays_is_what_was_foretold_if_rule_based_players_play_it_to_its_end(reward, matches, steps):
    trainer = Trainer(
        dataclasses.replace(
            SMALL,
            company=CompanyConfig(rule_tables=0),
            ppo=PPOConfig(tables=6, steps=steps, reward=reward),
            matches=DEALS,
        )
    )
    if matches:
        standing_in_matches(trainer)
    rollout = trainer.rollout
    collect(trainer.tables, trainer.learner.network, rollout, trainer.generator, "rule")
    pay, over = trainer._pay()
    assert pay.dtype == np.float32
    arrays = {name: array[:-1].reshape(-1, *array.shape[2:]) for name, array in rollout.arrays.items()}
    sides = rollout.sides.reshape(-1, trainer.tables.seats)
    assert len(rollout.ahead) == rollout.action.size  # of each decision only the action taken was tried
    assert rollout.whole == (reward == "relative" and not matches)  # then it is the reward that was foretold
    worth = trainer._worth(arrays["observation"], arrays["seat"], sides, rollout.ahead).reshape(pay.shape)
    seen = 0
    for i in range(rollout.tables):
        begun = 0
        for t in np.flatnonzero(over[:, i]):
            np.testing.assert_allclose(worth[begun : t + 1, i], np.tile(pay[t, i], (t + 1 - begun, 1)), atol=2e-5)
            if not matches:
                points = rollout.arrays["points"][t + 1, i]
                others = 0 if reward == "own" else (points.sum() - points) / 2
                np.testing.assert_allclose(pay[t, i], (points - others) / 100, atol=1e-6)
            seen, begun = seen + 1, t + 1
    assert seen >= 6
    assert np.abs(pay[over]).max(0).min() > 0.1
    assert rollout.ended.any()


def test_of_a_deal_within_a_match_what_others_won_is_set_against_ones_own_by_sides_and_seats_that_there_are():
    """6.6: own change less the mean of the others', in teams less the other team's, in hundreds."""
    tables = ("table=2p_stock,3p,4p_six,4p_teams",)
    trainer = Trainer(dataclasses.replace(SMALL, episode="match", rules=tables, matches=DEALS))
    assert not trainer.rollout.whole
    sides = np.array([[0, 1, -1, -1], [0, 1, 2, -1], [0, 1, 2, 3], [0, 1, 0, 1]], np.int8)
    change = np.array([[100, 20, 0, 0], [100, -50, 60, 0], [90, 30, 0, 0], [120, -40, 120, -40]], np.float32)
    seen, seat = np.zeros((4, trainer.tables.shape.features), np.int8), np.array([1, 2, 3, 0], np.int8)
    np.testing.assert_allclose(
        trainer._worth(seen, seat, sides, change),
        [[0.8, -0.8, 0, 0], [0.95, -1.3, 0.35, 0], [0.8, 0, -0.4, -0.4], [1.6, -1.6, 1.6, -1.6]],
        atol=1e-6,
    )


def test_where_matches_are_the_episodes_the_deal_is_played_ahead_and_not_the_match():
    assert not Trainer(dataclasses.replace(SMALL, episode="match", matches=DEALS)).rollout.whole
    assert Trainer(dataclasses.replace(SMALL, matches=DEALS)).rollout.whole


def test_a_seats_own_points_are_paid_and_what_the_critic_expected_where_a_cap_cut_in():
    trainer = Trainer(dataclasses.replace(SMALL, ppo=PPOConfig(tables=4, steps=8, reward="own"), matches=DEALS))
    arrays = trainer.rollout.arrays
    arrays["points"][3, 1], arrays["reward"][3, 1], arrays["terminated"][3, 1] = [120, -60, 20], [7, 7, 7], True
    arrays["points"][5, 2], arrays["reward"][5, 2], arrays["truncated"][5, 2] = [100, 0, -50], [0.25, 0.5, 1], True
    pay, over = trainer._pay()
    assert [tuple(row) for row in np.argwhere(over)] == [(2, 1), (4, 2)]
    np.testing.assert_allclose(pay[2, 1], [1.2, -0.6, 0.2], rtol=1e-6)
    np.testing.assert_allclose(pay[4, 2], [1.25, 0.5, 0.5], rtol=1e-6)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ppo, "simulate", lambda game, act, matches, **more: simulate(game, RULE.act, matches, **more))
        return run(tmp_path_factory.mktemp("stages") / "whole", company=PAST, evaluate=4000)


def test_a_run_goes_through_its_stages_and_tells_of_matches(whole):
    result, said = whole
    lines = log(result.run)
    told = [line["stage"] for line in lines]
    assert told == sorted(told, key=("imitating", "deals", "matches").index)
    assert set(told) == {"imitating", "deals", "matches"}
    for line, after in itertools.pairwise(lines):  # a stage ends with the update that reaches its share
        if line["stage"] != after["stage"]:
            assert line["decisions"] >= (1000 if line["stage"] == "imitating" else 2500)
        elif line["stage"] != "matches":
            assert line["decisions"] < (1000 if line["stage"] == "imitating" else 2500)
    at = [k for k, line in enumerate(lines) if "equity" in line]
    assert at == [told.index("matches")]
    assert lines[at[0]]["equity"]["deals"] > 100
    assert 0 < lines[at[0]]["equity"]["loss"] < 2
    measured = [line for line in lines if "score" in line]
    assert [0 <= line["matches"] <= 1 for line in measured] == [True]
    assert result.score is not None
    assert 0 <= result.matches.mean <= 1
    assert "points a deal (95 %, 80 deals in all rotations)" in said
    share = f"{100 * result.matches.mean:.1f} ± {100 * result.matches.half:.1f} % of matches won"
    assert f"against rule: {share} (par 33.3; 95 %, 8 matches in all rotations)\n" in said
    tensors, state = checkpoint.read_checkpoint(checkpoint.latest(result.run))
    assert (checkpoint.latest(result.run) / "equity.safetensors").is_file()
    assert "equity" in tensors
    assert state["stage"] == "matches"
    assert [each["decisions"] for each in state["past"]] == sorted(each["decisions"] for each in state["past"])
    assert len(state["past"]) >= 3
    assert any(each["met"] > each["won"] > 0 for each in state["past"])
    saved = Trainer(dataclasses.replace(SMALL, company=PAST))
    saved.restore(checkpoint.latest(result.run))
    assert {part.batch.episode for part in saved.tables.parts} == {"match"}


def test_equity_is_learned_from_the_average_of_the_network_playing_as_it_trains(sane_matches):
    trainer = Trainer(dataclasses.replace(SMALL, imitation=ImitationConfig(init="none")))
    trainer.progress.decisions = 3000
    assert trainer.update()["stage"] == "matches"
    ((player, matches),) = sane_matches
    assert player.network is trainer.learner.average
    assert not player.greedy
    assert matches == 20


class Killed(BaseException):
    pass


def cut(folder, monkeypatch, updates, **changes):
    """Begin a run, kill it after so many updates, and resume it; the stage it had reached when it was saved."""
    original, done = ppo.collect, []

    def dies(*args):
        if len(done) == updates:
            raise Killed
        done.append(None)
        original(*args)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(ppo, "collect", dies)
        run(folder, **changes)
    state = checkpoint.read_checkpoint(checkpoint.latest(folder))[1]
    assert 0 < state["decisions"] < 5000
    assert state["updates"] == updates
    resume(folder)
    return state["stage"]


def check_the_same(one, two):
    (tensors, state), (others, other) = (checkpoint.read_checkpoint(checkpoint.latest(each)) for each in (one, two))
    assert tensors.keys() == others.keys()
    for file in tensors:
        assert tensors[file].keys() == others[file].keys()
        assert all(torch.equal(x, others[file][name]) for name, x in tensors[file].items()), file
    timing = ("seconds", "busy", "log_size", "score")
    assert {k: v for k, v in state.items() if k not in timing} == {k: v for k, v in other.items() if k not in timing}
    assert [line["decisions"] for line in log(one)] == [line["decisions"] for line in log(two)]
    assert [line.get("equity") for line in log(one)] == [line.get("equity") for line in log(two)]
    return tensors


def test_a_run_cut_amid_its_matches_or_its_deals_ends_with_the_same_weights_and_past_selves(
    whole, tmp_path, monkeypatch
):
    told = stages(whole[0].run)
    amid = told.index("matches") + 2
    assert amid < len(told)
    assert cut(tmp_path / "matches", monkeypatch, amid, company=PAST, evaluate=4000) == "matches"
    tensors = check_the_same(whole[0].run, tmp_path / "matches")
    assert {"equity", "past", "moments"} < tensors.keys()
    amid = told.index("matches") - 1  # the earlier selves have been met by then
    assert cut(tmp_path / "deals", monkeypatch, amid, company=PAST, evaluate=4000) == "deals"
    check_the_same(whole[0].run, tmp_path / "deals")


def test_more_decisions_for_a_finished_run_of_deals_never_lead_back_to_imitating(tmp_path):
    imitation = ImitationConfig(init="imitate:rule", imitated=10**6, imitation_epochs=1)
    result, _ = run(tmp_path / "x", decisions=1500, matches=DEALS, imitation=imitation)
    before = stages(result.run)
    assert before[-1] == "deals"  # half of the run is the most that may be imitated
    resume(result.run, decisions=6000)  # of this the run had done less than half
    after = stages(result.run)
    assert after[: len(before)] == before
    assert len(after) >= len(before) + 4
    assert set(after[len(before) :]) == {"deals"}


def test_more_decisions_for_a_finished_run_of_matches_are_played_in_matches(whole, tmp_path):
    result, _ = run(tmp_path / "x", decisions=1500, imitation=ImitationConfig(init="none"))
    before = stages(result.run)
    assert before[-1] == "matches"
    resume(result.run, decisions=6000)
    after = stages(result.run)
    assert len(after) >= len(before) + 4
    assert set(after[len(before) :]) == {"matches"}
    assert sum("equity" in line for line in log(result.run)) == 1


def test_matches_none_of_which_comes_to_an_end_are_one_line_that_names_the_option(tmp_path):
    with pytest.raises(ValueError, match=r"^--match: only 0 deals came from matches that were finished") as caught:
        run(tmp_path / "x", decisions=1500, imitation=ImitationConfig(init="none"), rules=("max_deals=1",))
    assert "\n" not in str(caught.value)
    assert not {"equity"} & set().union(*log(tmp_path / "x"))


@pytest.mark.parametrize("lacking", ["there is no score to reach", "its observation has no score_tens"])
def test_a_game_without_matches_is_refused_before_anything_is_played(tmp_path, monkeypatch, lacking):
    def blind(rules):
        shape = GAME.shapes(rules)
        kept = [field for field in shape.observation.fields if field.name != "score_tens"]
        return dataclasses.replace(shape, observation=Layout(kept, np.int8))

    changes = {"won_at": None} if "reach" in lacking else {"shapes": blind}
    monkeypatch.setattr(ppo, "find_game", lambda name: dataclasses.replace(GAME, **changes))
    with pytest.raises(ValueError, match=f"^--match: tysiac has no matches won by a score: {lacking}"):
        run(tmp_path / "x")
    assert not (tmp_path / "x").exists()
