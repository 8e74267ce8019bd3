"""Playing into the training buffers: what stands where, what is drawn, and what a cut episode is worth."""

import numpy as np
import pytest
import torch

import karty
from karty.agents.network import Network
from karty.envs.engine import make_batch
from karty.training.advantage import own_turn_advantages
from karty.training.rollout import Rollout, collect, draw
from karty.training.selfplay import Part, Tables

TABLES, STEPS = 6, 40


def tables_of(*batches):
    places = [slice(k * TABLES, (k + 1) * TABLES) for k in range(len(batches))]
    return Tables([Part(batch, rows, "self") for batch, rows in zip(batches, places, strict=True)], 0)


def new_network(batch, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return Network(batch.shape.observation, len(batch.shape.actions), width=16, depth=2, generator=generator)


def play(seed=0, rollouts=1, **options):
    batch = make_batch("tysiac", TABLES, seed=5, skip_forced=True, **options)
    tables = tables_of(batch)
    tables.reset()
    network = new_network(batch)
    rollout = Rollout(tables, STEPS)
    generator = torch.Generator().manual_seed(seed)
    for _ in range(rollouts):
        collect(tables, network, rollout, generator)
    return batch, network, rollout


@pytest.mark.parametrize(
    "options", [{"episode": "deal"}, {"episode": "match", "learner": "rotate", "opponents": "random"}]
)
def test_buffers_hold_what_a_plain_loop_over_the_engine_gives(options):
    _, network, rollout = play(rollouts=2, **options)
    other = make_batch("tysiac", TABLES, seed=5, skip_forced=True, **options)
    arrays = other.reset()
    generator = torch.Generator().manual_seed(0)
    for turn in range(2 * STEPS):
        seen = {name: array.copy() for name, array in arrays.items()}
        with torch.no_grad():
            logits, value = network(torch.from_numpy(seen["observation"]), torch.from_numpy(seen["mask"]))
            action = draw(logits.softmax(-1), generator)
        arrays = other.step(action.numpy())
        if turn < STEPS:
            continue
        t = turn - STEPS
        for name in ("observation", "mask", "seat"):
            assert (rollout.arrays[name][t] == seen[name]).all()
        for name in ("reward", "points", "terminated", "truncated"):
            assert (rollout.arrays[name][t + 1] == arrays[name]).all()
        assert (rollout.action[t] == action.numpy()).all()
        np.testing.assert_allclose(rollout.value[t], value)
        expected = logits.log_softmax(-1).numpy()[np.arange(TABLES), rollout.action[t]]
        np.testing.assert_allclose(rollout.log_probability[t], expected, rtol=1e-5)


def test_tables_may_have_different_numbers_of_seats():
    seats = {"2p_stock": 2, "3p": 3, "4p_six": 4}  # rule book 2
    rules = [{"table": table} for table in seats]
    batch, _, rollout = play(rollouts=3, episode="deal", rules=rules, draw_rules=True)
    for t in range(STEPS):
        for i in range(TABLES):
            table = batch.shape.observation.decode(rollout.arrays["observation"][t, i])["table"]
            assert rollout.seated[t, i] == seats[table]
            assert rollout.arrays["seat"][t, i] < seats[table]
    assert set(rollout.seated.ravel()) == {2, 3, 4}


def test_every_decision_is_one_between_two_legal_actions_or_more_and_takes_one_of_them():
    _, _, rollout = play(episode="deal")
    mask = rollout.arrays["mask"][:-1]
    assert (mask.sum(-1) >= 2).all()
    assert np.take_along_axis(mask, rollout.action[..., None], -1).all()
    assert rollout.ended.any()


def test_against_opponents_only_the_learners_seat_is_recorded_and_it_moves_on():
    _, _, rollout = play(episode="deal", learner="rotate", opponents="random")
    for i in range(TABLES):
        number = np.concatenate([[0], np.cumsum(rollout.ended[:, i])[:-1]])
        assert (rollout.arrays["seat"][:-1, i] == (5 + i + number) % 3).all()


def test_a_teacher_decides_instead_of_the_network():
    batch = make_batch("tysiac", TABLES, seed=5, skip_forced=True, episode="deal")
    twin = make_batch("tysiac", TABLES, seed=5, skip_forced=True, episode="deal")
    tables = tables_of(batch)
    tables.reset()
    twin.reset()
    rollout = Rollout(tables, STEPS)
    collect(tables, new_network(batch), rollout, torch.Generator(), "random")
    for t in range(STEPS):
        action = twin.choose("random")
        assert (rollout.action[t] == action).all()
        twin.step(action)


def test_tables_of_several_kinds_of_company_stand_side_by_side():
    def batches():
        company = {"learner": "rotate", "opponents": "random"}
        return [make_batch("tysiac", TABLES, seed=5, skip_forced=True, **its) for its in ({}, company)]

    tables, twins = tables_of(*batches()), batches()
    tables.reset()
    for twin in twins:
        twin.reset()
    rollout = Rollout(tables, STEPS, hidden=True)
    collect(tables, new_network(twins[0]), rollout, torch.Generator().manual_seed(0))
    for part, twin in zip(tables.parts, twins, strict=True):
        for t in range(STEPS):
            for name in ("observation", "mask", "seat"):
                assert (rollout.arrays[name][t, part.rows] == twin.arrays[name]).all()
            assert (rollout.hidden[t, part.rows] == twin.hidden(np.zeros_like(rollout.hidden[t, part.rows]))).all()
            twin.step(rollout.action[t, part.rows])
            assert (rollout.reward[t, part.rows] == twin.arrays["reward"]).all()


def test_a_match_cut_short_by_its_cap_is_worth_what_the_critic_expected_and_a_finished_one_what_it_paid():
    _, network, rollout = play(episode="match", max_deals=1)
    cut = rollout.arrays["truncated"][1:]
    assert cut.any()
    assert not rollout.arrays["terminated"].any()
    # Only the last step's final observations are still there.
    last = np.flatnonzero(cut[-1])
    with torch.no_grad():
        for i in last:
            value = network.value(torch.from_numpy(rollout.final_observation[i]))
            np.testing.assert_allclose(rollout.reward[-1, i], value.numpy(), atol=1e-6)
    assert (rollout.reward[cut] != 0).all()  # the engine pays nothing at a cap, so this is the critic's
    _, _, whole = play(episode="deal")
    assert whole.arrays["terminated"].any()
    np.testing.assert_allclose(whole.reward[whole.ended].sum(-1), 0, atol=1e-5)
    np.testing.assert_allclose(whole.reward[whole.ended], relative(whole.arrays["points"][1:][whole.ended]), atol=1e-5)


def test_at_tables_of_different_sizes_seats_that_are_not_there_are_paid_nothing_at_a_cap():
    rules = [karty.GAMES["tysiac"].rules.make(table=name, max_deals=1) for name in ("2p_stock", "4p_teams")]
    batch = make_batch("tysiac", TABLES, seed=5, skip_forced=True, rules=rules, draw_rules=True)
    tables = tables_of(batch)
    tables.reset()
    rollout = Rollout(tables, STEPS)
    sides = batch.sides
    collect(tables, new_network(batch), rollout, torch.Generator().manual_seed(0))
    assert (rollout.sides[0] == sides).all()
    assert set(np.unique(rollout.seated)) == {2, 4}
    assert (rollout.arrays["seat"][:-1] < rollout.seated).all()
    cut = rollout.arrays["truncated"][1:]
    paid, there = rollout.reward[cut] != 0, rollout.sides[cut] >= 0
    assert (paid == there).all()
    assert not there.all() and there.all(-1).any()


def relative(points):
    """6.6: own change of score less the mean of the others', in hundreds."""
    return (points - (points.sum(-1, keepdims=True) - points) / 2) / 100


def test_rewards_reach_every_seat_of_a_played_deal():
    _, _, rollout = play(episode="deal")
    advantage, counted = own_turn_advantages(
        rollout.arrays["seat"][:-1], np.zeros_like(rollout.value), rollout.reward, rollout.ended, gae_lambda=1.0
    )
    first_end = int(rollout.ended[:, 0].argmax())
    assert counted[: first_end + 1, 0].all()
    for t in range(first_end + 1):
        assert advantage[t, 0] == rollout.reward[first_end, 0, rollout.arrays["seat"][t, 0]]


def test_draws_follow_the_probabilities_and_are_never_illegal():
    m = 40_000
    logits = torch.log(torch.tensor([[0.0, 1.0, 2.0, 0.0, 5.0, 0.0]])).clamp(-1e9).repeat(m, 1)
    action = draw(logits.softmax(-1), torch.Generator().manual_seed(0))
    share = torch.bincount(action, minlength=6) / m
    assert share[[0, 3, 5]].tolist() == [0, 0, 0]
    # four standard errors of a share of 1/8, 2/8, 5/8 at 40,000 draws are below 0.01
    np.testing.assert_allclose(share[[1, 2, 4]], [1 / 8, 2 / 8, 5 / 8], atol=0.01)


def test_a_single_legal_action_is_always_drawn_even_the_first_or_last():
    logits = torch.full((3, 4), -1e9)
    logits[0, 0] = logits[1, 3] = logits[2, 1] = 0
    for seed in range(200):
        assert draw(logits.softmax(-1), torch.Generator().manual_seed(seed)).tolist() == [0, 3, 1]


@pytest.mark.parametrize("whole", [False, True])
def test_a_teachers_decisions_are_tried_alone(whole):
    tables = tables_of(make_batch("tysiac", TABLES, seed=5, skip_forced=True, episode="deal"))
    tables.reset()
    rollout = Rollout(tables, STEPS, guide="rule", whole=whole)
    collect(tables, new_network(tables), rollout, torch.Generator(), "rule")
    assert (rollout.tried.sum(-1) == 1).all()
    assert np.take_along_axis(rollout.tried, rollout.action[..., None], -1).all()
    # The guide goes on as the teacher does: what it foretells is what happens.
    end = int(rollout.ended[:, 0].argmax())
    happened = rollout.arrays["reward" if whole else "points"][end + 1, 0]
    assert happened.any()
    for t in range(end + 1):
        assert (rollout.ahead.reshape(STEPS, TABLES, 3)[t, 0] == happened).all()


def test_an_episode_that_a_cap_cuts_off_on_the_way_pays_nothing():
    tables = tables_of(make_batch("tysiac", TABLES, seed=5, skip_forced=True, episode="match", max_deals=1))
    tables.reset()
    rollout = Rollout(tables, 4, guide="rule", likely=0.01, whole=True)
    collect(tables, new_network(tables), rollout, torch.Generator().manual_seed(0))
    assert len(rollout.ahead) > 4 * TABLES
    assert not rollout.ahead.any()
