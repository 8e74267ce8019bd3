import copy
import pickle
import warnings

import numpy as np
import pettingzoo.test as pzt
import pytest
from pettingzoo.utils.average_total_reward import average_total_reward
from randomly import lively, short

import karty
from karty.envs import aec, tysiac_v0
from karty.envs.engine import IllegalAction, make_batch
from karty.envs.game import FORFEITED

KNOWN_WARNINGS = [
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be gymnasium.spaces.box or gymnasium.spaces.discrete",
]


def legal(mask, rng):
    return int(rng.choice(np.flatnonzero(mask)))


def play_on(env, rng, steps):
    """Random legal play; what every seat could see on the way."""
    trace = []
    for agent in env.agent_iter(steps):
        seen, reward, terminated, truncated, info = env.last()
        trace.append((agent, seen["observation"].tobytes(), seen["action_mask"].tobytes(), reward, terminated, info))
        env.step(None if terminated or truncated else legal(seen["action_mask"], rng))
    return trace


# PettingZoo's own checkers


def test_api_with_the_mask_in_the_info_gives_no_warning(game):
    env = karty.make_aec(game, mask_in="info", episode="deal")
    pzt.api_test(env, num_cycles=200)


def test_api_with_the_mask_in_the_observation_gives_the_two_known_warnings(game):
    env = karty.make_aec(game, episode="deal")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        pzt.api_test(env, num_cycles=200)
    assert {str(warning.message) for warning in caught} == set(KNOWN_WARNINGS)


def test_api_of_the_raw_environment(game):
    pzt.api_test(aec.raw_env(game)(mask_in="info", episode="match"), num_cycles=100)


@pytest.mark.parametrize("mask_in", ["observation", "info"])
def test_seeds(game, mask_in):
    pzt.seed_test(lambda: karty.make_aec(game, mask_in=mask_in), num_cycles=100)


def test_render(game, capsys):
    pytest.importorskip("matplotlib")
    pzt.render_test(lambda **options: karty.make_aec(game, **options))
    assert capsys.readouterr().out.strip()


def test_unmasked_play_is_survived():
    env = tysiac_v0.env()
    env.action_space("player_0").seed(1)
    average_total_reward(env, max_episodes=5)


# the door


def test_the_door_holds_env_and_raw_env():
    assert issubclass(tysiac_v0.raw_env, aec.TableEnv)
    assert tysiac_v0.raw_env.metadata["name"] == "tysiac_v0"
    assert tysiac_v0.raw_env.metadata["render_modes"] == ["ansi", "human", "rgb_array"]
    assert tysiac_v0.raw_env.metadata["is_parallelizable"] is False
    assert str(tysiac_v0.env()) == "tysiac_v0"
    assert isinstance(tysiac_v0.env().unwrapped, tysiac_v0.raw_env)
    assert pickle.loads(pickle.dumps(tysiac_v0.env)) is tysiac_v0.env
    assert pickle.loads(pickle.dumps(tysiac_v0.raw_env)) is tysiac_v0.raw_env


def test_agents_and_spaces():
    env = tysiac_v0.raw_env()
    assert env.possible_agents == ["player_0", "player_1", "player_2"]
    space = env.observation_space("player_0")
    assert list(space.spaces) == ["observation", "action_mask"]
    features = karty.GAMES["tysiac"].shape().features
    assert space["observation"].shape == (features,) and space["observation"].dtype == np.float32
    assert space["action_mask"].shape == (125,) and space["action_mask"].dtype == np.int8
    assert env.action_space("player_2").n == 125
    assert env.observation_space("player_1") is env.observation_space("player_1")
    assert env.observation_space("player_1") is not tysiac_v0.raw_env().observation_space("player_1")


# what a seat is shown


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_observations_lie_in_the_box_and_masks_belong_to_the_seat_asked(game, episode):
    env, rng = aec.raw_env(game)(episode=episode), np.random.default_rng(3)
    env.reset(seed=3)
    for step in range(600):
        if not env.agents or env.terminations[env.agent_selection] or env.truncations[env.agent_selection]:
            env.reset()
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert list(seen) == ["observation", "action_mask"]
            assert env.observation_space(agent).contains(seen)
            assert seen["action_mask"].any() == (agent == env.agent_selection), step
            assert (env.action_mask(agent) == seen["action_mask"]).all()
        assert env.state_space.contains(env.state())
        assert env.state()[: env.observe("player_0")["observation"].size].tobytes() == (
            env.observe("player_0")["observation"].tobytes()
        )
        env.step(legal(env.action_mask(env.agent_selection), rng))


def test_arrays_are_fresh():
    env = tysiac_v0.raw_env(mask_in="info")
    env.reset(seed=1)
    agent = env.agent_selection
    seen, mask = env.observe(agent), env.action_mask(agent)
    kept = seen.copy(), mask.copy()
    env.infos[agent]["action_mask"][:] = 1
    seen[:], mask[:] = 7, 1
    assert (env.observe(agent) == kept[0]).all() and (env.action_mask(agent) == kept[1]).all()


def test_mask_in_info_is_the_mask():
    env, rng = tysiac_v0.raw_env(mask_in="info"), np.random.default_rng(0)
    env.reset(seed=5)
    for _ in range(60):
        assert isinstance(env.observe(env.agent_selection), np.ndarray)
        assert set(env.infos) == set(env.possible_agents)
        for agent, info in env.infos.items():
            assert list(info) == ["action_mask", "points"] and info["action_mask"].dtype == np.int8
            assert (info["action_mask"] == env.action_mask(agent)).all()
        env.step(legal(env.action_mask(env.agent_selection), rng))


# the end of an episode


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_all_agents_end_on_the_same_step_and_rewards_sum_to_zero(game, episode):
    env, decided = aec.raw_env(game)(episode=episode, **short(game)), 0
    for number in range(3):
        env.reset(seed=7) if number == 0 else env.reset()
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            assert set(env.rewards.values()) == {0.0}
            env.step(env.table.choose("rule"))
        decided += all(env.terminations.values()) and any(env.rewards.values())
        assert len(set(env.terminations.values())) == len(set(env.truncations.values())) == 1
        for value in (*env.terminations.values(), *env.truncations.values()):
            assert type(value) is bool
        assert all(type(reward) is float for reward in env.rewards.values())
        assert sum(env.rewards.values()) == pytest.approx(0, abs=1e-9)
        assert all(type(info["points"]) is float for info in env.infos.values())
        rewards, ended = dict(env.rewards), []
        while env.agents:
            ended.append(env.agent_selection)
            assert env.last()[1] == rewards[env.agent_selection]
            for agent in env.possible_agents:
                assert env.observe(agent)["action_mask"].all() == (agent == env.agent_selection)
            env.step(None)
            env.state()
        assert ended == env.possible_agents
        with pytest.raises(ValueError, match="reset"):
            env.step(0)
    assert decided > 0


def test_tysiac_6_6_rewards_of_a_deal_are_hundredths_of_the_difference_in_points():
    env, rng = tysiac_v0.raw_env(episode="deal"), np.random.default_rng(1)
    for seed in range(5):
        env.reset(seed=seed)
        while not env.terminations["player_0"]:
            env.step(legal(env.action_mask(env.agent_selection), rng))
        points = [env.infos[agent]["points"] for agent in env.possible_agents]
        for seat, agent in enumerate(env.possible_agents):
            others = sum(points) - points[seat]
            assert env.rewards[agent] == pytest.approx((points[seat] - others / 2) / 100)


def test_tysiac_6_7_a_match_without_a_winner_is_truncated():
    env, rng = tysiac_v0.raw_env(max_deals=1), np.random.default_rng(1)
    env.reset(seed=1)
    while not env.truncations["player_0"]:
        assert not any(env.terminations.values())
        env.step(legal(env.action_mask(env.agent_selection), rng))
    assert env.truncations == dict.fromkeys(env.possible_agents, True)
    assert env.terminations == dict.fromkeys(env.possible_agents, False)
    assert env.rewards == dict.fromkeys(env.possible_agents, 0.0)
    assert any(info["points"] for info in env.infos.values())


# illegal actions


def unlawful(env):
    return int(np.flatnonzero(env.unwrapped.action_mask(env.agent_selection) == 0)[0])


def test_raw_env_raises_and_nothing_has_moved(game):
    env = aec.raw_env(game)()
    env.reset(seed=2)
    agent, before = env.agent_selection, env.table.get_state()
    for wrong in (unlawful(env), env.action_space(agent).n, -1):
        with pytest.raises(IllegalAction):
            env.step(wrong)
    for wrong in (None, 1.0, "0"):
        with pytest.raises(TypeError):
            env.step(wrong)
    assert env.table.get_state() == before and env.agent_selection == agent
    assert not any(env.terminations.values())
    env.step(legal(env.action_mask(agent), np.random.default_rng(0)))


def test_env_ends_the_episode_at_an_illegal_action(game):
    env = karty.make_aec(game)
    env.reset(seed=2)
    mover = env.agent_selection
    env.step(unlawful(env))
    share = 1 / (env.max_num_agents - 1)
    assert env.rewards == pytest.approx({a: -1.0 if a == mover else share for a in env.possible_agents})
    assert set(env.terminations.values()) == {True} and set(env.truncations.values()) == {False}
    assert env.unwrapped.table.over == FORFEITED
    while env.agents:
        agent = env.agent_selection
        assert env.last()[1] == pytest.approx(-1.0 if agent == mover else share)
        env.step(None)
    env.reset()
    assert not any(env.terminations.values())


def test_env_asserts_that_an_action_is_one():
    env = tysiac_v0.env()
    env.reset(seed=0)
    with pytest.raises(AssertionError):
        env.step(125)


def test_env_asks_for_a_reset_first():
    env = tysiac_v0.env()
    with pytest.raises(AttributeError, match="before reset"):
        _ = env.agents
    raw = tysiac_v0.raw_env()
    with pytest.raises(ValueError, match="reset"):
        raw.step(0)
    with pytest.raises(ValueError, match="reset"):
        raw.observe("player_0")


# seeds


def test_two_episodes_of_one_seed_are_the_same_two_and_differ(game):
    first, second = [], []
    for traces in (first, second):
        env = karty.make_aec(game, episode="deal")
        rng = np.random.default_rng(11)
        env.reset(seed=11)
        traces.append(play_on(env, rng, 1000))
        env.reset()
        traces.append(play_on(env, rng, 1000))
    assert first == second
    assert first[0] != first[1]


def test_reset_without_a_seed_begins_somewhere():
    env, other = tysiac_v0.raw_env(), tysiac_v0.raw_env()
    env.reset()
    other.reset()
    assert env.table.seed != other.table.seed
    seed = env.table.seed
    env.reset()
    assert env.table.seed != seed


@pytest.mark.parametrize("seed", [-1, 2**63, 1.5, "7"])
def test_a_wrong_seed_is_named(seed):
    env = tysiac_v0.raw_env()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="a seed is a whole number"):
        env.reset(seed=seed)


# copies


def pickled(env):
    return pickle.loads(pickle.dumps(env))


@pytest.mark.parametrize(
    ("way", "wrapped"),  # a shallow copy of PettingZoo's wrapper shares the environment
    [(copy.copy, False), (copy.deepcopy, False), (pickled, False), (copy.deepcopy, True), (pickled, True)],
)
def test_copies_keep_the_running_game(game, way, wrapped):
    env = karty.make_aec(game) if wrapped else aec.raw_env(game)()
    env.reset(seed=4)
    play_on(env, np.random.default_rng(4), 25)
    twin = way(env)
    before = twin.unwrapped.table.get_state()
    went = play_on(env, np.random.default_rng(5), 3000)
    env.reset()
    went += play_on(env, np.random.default_rng(6), 50)
    assert twin.unwrapped.table.get_state() == before  # the original moved alone
    twin_went = play_on(twin, np.random.default_rng(5), 3000)
    twin.reset()
    twin_went += play_on(twin, np.random.default_rng(6), 50)
    assert twin_went == went


def test_a_copy_is_possible_before_the_first_reset():
    env = copy.deepcopy(tysiac_v0.env(table="3p", bid_step="ten"))
    env.reset(seed=1)
    assert env.unwrapped.rules.bid_step == "ten"


# options


def test_options_by_name_or_as_rules():
    rules = tysiac_v0.raw_env(bid_step="ten").rules
    assert rules.bid_step == "ten"
    assert tysiac_v0.raw_env(rules=rules).rules == rules
    assert tysiac_v0.raw_env(rules=rules.to_dict()).rules == rules
    with pytest.raises(TypeError, match="rules="):
        tysiac_v0.raw_env(rules=rules, bid_step="ten")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"bid_stop": "ten"}, "bid_stop"),
        ({"bid_step": "five"}, "five"),
        ({"preset": "nowhere"}, "nowhere"),
        ({"mask_in": "both"}, "mask_in='both' is not allowed; allowed: observation, info"),
        ({"illegal": "warn"}, "illegal='warn' is not allowed; allowed: raise, lose"),
        ({"render_mode": "svg"}, "render_mode='svg' is not allowed; allowed: None, ansi, human, rgb_array"),
        ({"episode": "hour"}, "hour"),
    ],
)
def test_a_wrong_option_is_named(options, words):
    with pytest.raises(ValueError, match=words):
        tysiac_v0.env(**options)


def test_a_wrong_game_is_named():
    with pytest.raises(ValueError, match=r"there is no game 'whist'; games: .*tysiac"):
        karty.make_aec("whist")


def test_a_wrong_agent_is_named():
    env = tysiac_v0.raw_env()
    env.reset(seed=0)
    with pytest.raises(ValueError, match="there is no agent 'player_3'; agents: player_0, player_1, player_2"):
        env.observe("player_3")


# given deals

DEAL = {
    "dealer": 2,
    "hands": [
        ["9S", "JS", "QS", "KS", "TS", "AS", "9C"],
        ["JC", "QC", "KC", "TC", "AC", "9D", "JD"],
        ["QD", "KD", "TD", "AD", "9H", "JH", "QH"],
    ],
    "talon": ["KH", "TH", "AH"],
}


def test_a_given_deal_is_dealt():
    env = tysiac_v0.env()
    env.reset(seed=1, options={"deal": DEAL, "start": [10, -20, 300], "colour": "green"})
    table = env.unwrapped.table
    assert env.agent_selection == "player_0"  # §3.1 left of the dealer
    assert [sorted(hand) for hand in table.dealt()["hands"]] == [sorted(hand) for hand in DEAL["hands"]]
    assert table.dealt()["talon"] == DEAL["talon"]
    assert table.state.scores.tolist()[:3] == [10, -20, 300]
    observed = env.unwrapped.game.shape(env.unwrapped.rules).observation.decode(table.observe(0))
    assert sorted(observed["hand"]) == sorted(DEAL["hands"][0])
    env.reset()
    assert table.dealt()["talon"] != DEAL["talon"] or table.dealt()["hands"] != DEAL["hands"]


def changed(place, old, new):
    deal = copy.deepcopy(DEAL)
    pile = deal["talon"] if place == "talon" else deal["hands"][place]
    pile[pile.index(old)] = new
    return deal


@pytest.mark.parametrize(
    ("deal", "words"),
    [
        (changed(0, "9S", "JC"), "JC"),  # twice
        (changed(1, "JC", "8C"), "8C"),  # no card of the pack
        ({**DEAL, "talon": ["KH", "TH"]}, "talon|AH"),
        ({**DEAL, "hands": DEAL["hands"][:2]}, "hands"),
        ({**DEAL, "hands": [[*DEAL["hands"][0], "KH"], *DEAL["hands"][1:]], "talon": ["TH", "AH"]}, "hand|KH"),
        ({**DEAL, "dealer": 3}, "dealer"),
    ],
)
def test_a_wrong_deal_is_refused_by_name(deal, words):
    env = tysiac_v0.raw_env()
    env.reset(seed=1)
    with pytest.raises(ValueError, match=words):
        env.reset(options={"deal": deal})
    with pytest.raises(ValueError, match=r"start|score"):
        env.reset(options={"start": [0, 0]})
    env.reset(seed=1)


# the same game as the batch engine's


@pytest.mark.parametrize("episode", ["deal", "match"])
def test_the_environment_plays_the_batch_engines_games(game, episode):
    tables, rng = 3, np.random.default_rng(9)
    batch = make_batch(game, tables, seed=40, episode=episode, **short(game))
    arrays = batch.reset(seed=40)
    layout = batch.shape.observation
    envs = [aec.raw_env(game)(episode=episode, **short(game)) for _ in range(tables)]
    for i, env in enumerate(envs):
        env.reset(seed=40 + i)
    ended = decided = 0
    for _ in range(400):
        actions = lively(batch, rng)
        for i, env in enumerate(envs):
            assert env.agent_selection == f"player_{arrays['seat'][i]}"
            seen = env.last()[0]
            assert (seen["observation"] == layout.normalise(arrays["observation"][i])).all()
            assert (seen["action_mask"] == arrays["mask"][i]).all()
            env.step(int(actions[i]))
        arrays = batch.step(actions)
        for i, env in enumerate(envs):
            over = bool(arrays["terminated"][i] or arrays["truncated"][i])
            assert over == (env.terminations["player_0"] or env.truncations["player_0"])
            if over:
                ended += 1
                decided += bool(arrays["terminated"][i]) and bool(arrays["reward"][i].any())
                for seat, agent in enumerate(env.possible_agents):
                    assert env.rewards[agent] == pytest.approx(float(arrays["reward"][i, seat]), abs=1e-6)
                    assert env.infos[agent]["points"] == arrays["points"][i, seat]
                    final = layout.normalise(arrays["final_observation"][i, seat])
                    assert (env.observe(agent)["observation"] == final).all()
                env.reset()
    assert ended > 3 or episode == "match"
    assert decided > 0 or not short(game)  # a match of a game that is not shortened takes longer
