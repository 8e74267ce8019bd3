import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import RecordEpisodeStatistics
from randomly import short

from karty.envs.engine import make_batch
from karty.envs.games import GAMES
from karty.envs.registry import gymnasium_id
from karty.envs.single import KartyEnv, KartyVectorEnv

MODES = list(AutoresetMode)


def legal(masks, rng):
    return np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])


def play_out(env, rng, mask):
    """The last step of an episode of random legal play."""
    while True:
        result = env.step(int(rng.choice(np.flatnonzero(mask))))
        mask = result[4]["action_mask"]
        if result[2] or result[3]:
            return result


# one learner


@pytest.mark.parametrize("episode", ["match", "deal"])
def test_gymnasiums_checker(game, episode):
    pytest.importorskip("matplotlib")
    check_env(gymnasium.make(gymnasium_id(game), episode=episode, opponents="random").unwrapped)


@pytest.mark.parametrize("episode", ["match", "deal"])
def test_an_episode_of_the_learner(game, episode):
    env, rng = KartyEnv(game, episode=episode, opponents="random", seat=1), np.random.default_rng(5)
    seen, info = env.reset(seed=5)
    steps = over = 0
    while over < 2 and steps < 600:
        assert env.observation_space.contains(seen) and seen.dtype == np.float32
        assert list(info) == ["action_mask", "seat", "points", *game.infos]
        assert info["action_mask"].dtype == np.int8 and info["action_mask"].any()
        assert (env.action_masks() == info["action_mask"]).all()
        assert info["seat"] == 1
        seen, reward, terminated, truncated, info = env.step(int(legal([info["action_mask"]], rng)[0]))
        steps += 1
        if terminated or truncated:
            over += 1
            assert info["action_mask"].all()
            assert env.observation_space.contains(seen)
            with pytest.raises(ResetNeeded):
                env.step(0)
            seen, info = env.reset()
        else:
            assert reward == 0.0 and info["points"] == 0.0


def test_tysiac_6_6_the_learner_gets_its_own_reward():
    env, rng = KartyEnv("tysiac", episode="deal", opponents="random", seat=2), np.random.default_rng(0)
    batch = make_batch("tysiac", 1, episode="deal", learner=2, opponents="random", autoreset="off")
    for seed in range(6):
        info = env.reset(seed=seed)[1]
        arrays = batch.reset(seed=seed)
        while not arrays["terminated"][0]:
            action = legal([info["action_mask"]], rng)
            _, reward, terminated, _, info = env.step(int(action[0]))
            arrays = batch.step(action)
        assert terminated
        points = arrays["points"][0]
        assert info["points"] == points[2]
        assert reward == pytest.approx((points[2] - (points[0] + points[1]) / 2) / 100)


def test_an_illegal_action_loses(game):
    env = KartyEnv(game, opponents="random")
    for wrong in (lambda mask: int(np.flatnonzero(mask == 0)[0]), lambda mask: mask.size, lambda mask: -1):
        mask = env.reset(seed=1)[1]["action_mask"]
        _, reward, terminated, truncated, info = env.step(wrong(mask))
        assert (reward, terminated, truncated) == (-1.0, True, False)
        assert info["action_mask"].all()
    env.reset(seed=1)
    with pytest.raises(TypeError):
        env.step(1.5)


def test_the_learner_rotates():
    env = KartyEnv("tysiac", opponents="random", seat="rotate", episode="deal")
    seats = [env.reset(seed=4)[1]["seat"], *(env.reset()[1]["seat"] for _ in range(4))]
    assert seats == [1, 2, 0, 1, 2]  # (seed + episode) mod 3


def test_arrays_are_fresh():
    env = KartyEnv("tysiac", opponents="random")
    seen, info = env.reset(seed=1)
    kept = seen.copy(), info["action_mask"].copy()
    env.step(int(np.flatnonzero(info["action_mask"])[0]))
    assert (seen == kept[0]).all() and (info["action_mask"] == kept[1]).all()
    env.action_masks()[:] = 0
    assert env.action_masks().any()


def test_sb3_finds_the_masks_through_gymnasiums_wrappers():
    env, rng = gymnasium.make("karty/Tysiac-v0", opponents="random"), np.random.default_rng(2)
    _, info = env.reset(seed=2)
    for _ in range(30):  # what Gymnasium's passive checker has to say would be an error here
        masks = env.get_wrapper_attr("action_masks")()
        assert (masks == info["action_mask"]).all()
        info = env.step(int(legal([masks], rng)[0]))[4]


def test_seeds_give_episodes():
    env, other = (KartyEnv("tysiac", opponents="random") for _ in range(2))
    first, second = env.reset(seed=8)[0], env.reset()[0]
    assert (other.reset(seed=8)[0] == first).all() and (other.reset()[0] == second).all()
    assert (first != second).any()
    starts = {KartyEnv("tysiac", opponents="random").reset()[0].tobytes() for _ in range(5)}
    assert len(starts) > 1


def test_opponents_by_name_and_by_object():
    class First:
        def act(self, observation, mask, rng):
            return mask.argmax(axis=1)

    rng = np.random.default_rng(1)
    for opponents in ("random", ["random", "random"], [First(), "random"], First()):
        env = KartyEnv("tysiac", opponents=opponents, episode="deal")
        play_out(env, rng, env.reset(seed=3)[1]["action_mask"])


def test_a_match_goes_on_to_the_next_episode_in_copies(game):
    env, rng = KartyEnv(game, opponents="random"), np.random.default_rng(3)
    info = env.reset(seed=3)[1]
    for _ in range(10):
        info = env.step(int(legal([info["action_mask"]], rng)[0]))[4]
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        expected = play_out(copy.deepcopy(env), np.random.default_rng(4), info["action_mask"])
        assert data_equivalence(play_out(twin, np.random.default_rng(4), info["action_mask"]), expected, exact=True)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"seat": 3}, ValueError, "seat=3 is not allowed; allowed: 0 to 2, or rotate"),
        ({"seat": "north"}, ValueError, "seat='north'"),
        ({"seat": -1}, ValueError, "seat=-1"),
        ({"seat": 1.0}, ValueError, "seat=1.0 is not allowed; allowed: 0 to 2, or rotate"),
        ({"seat": None}, ValueError, "seat=None"),
        ({"seat": 2, "table": "2p_stock"}, ValueError, "seat=2 is not allowed; allowed: 0 to 1, or rotate"),
        ({"opponents": "nobody"}, ValueError, "nobody"),
        ({"episode": "hour"}, ValueError, "hour"),
        ({"bid_step": "five"}, ValueError, "five"),
        ({"bid_stop": "five"}, ValueError, "bid_stop"),
        ({"render_mode": "svg"}, ValueError, "render_mode='svg' is not allowed"),
        ({"rules": {}, "bid_step": "ten"}, TypeError, "rules="),
    ],
)
def test_a_wrong_option_is_named(options, error, words):
    for made in (KartyEnv, KartyVectorEnv):
        with pytest.raises(error, match=words):
            made("tysiac", **options)


def test_a_copy_is_possible_before_the_first_reset():
    env = copy.deepcopy(KartyEnv("tysiac", opponents="random", bid_step="ten"))
    assert env.reset(seed=1)[1]["action_mask"].any()
    assert env.rules.bid_step == "ten"


def test_given_deals_are_refused_not_ignored():
    env = KartyEnv("tysiac", opponents="random")
    env.reset(seed=1, options={"colour": "green"})
    with pytest.raises(ValueError, match="deal"):
        env.reset(seed=1, options={"deal": {}})


# many learners


def vector_and_sync(game, mode, n=4, **options):
    options = {"opponents": "rule", "episode": "deal", **short(game), **options}
    name = gymnasium_id(game)
    sync = gymnasium.make_vec(
        name, n, vectorization_mode="sync", vector_kwargs={"autoreset_mode": mode}, disable_env_checker=True, **options
    )
    vector = gymnasium.make_vec(name, n, autoreset_mode=mode, **options)
    assert isinstance(vector, KartyVectorEnv)
    return vector, sync


def same(left, right):
    assert data_equivalence(left, right, exact=True)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("seat", [0, "rotate"])
@pytest.mark.parametrize("skip_forced", [False, True])
def test_the_vector_is_the_same_as_single_environments(game, mode, seat, skip_forced):
    vector, sync = vector_and_sync(game, mode, seat=seat, skip_forced=skip_forced)
    rng = np.random.default_rng(2)
    seen, infos = vector.reset(seed=20)
    same((seen, infos), sync.reset(seed=20))
    over, ended, decided = np.zeros(4, bool), 0, 0
    masks = infos["action_mask"]
    for _ in range(150):
        if mode is AutoresetMode.DISABLED and over.any():
            seen, infos = vector.reset(options={"reset_mask": over})
            same((seen, infos), sync.reset(options={"reset_mask": over.copy()}))
            masks = vector.action_masks()
        assert vector.observation_space.contains(seen)
        assert (masks == vector.action_masks()).all()
        actions = legal(masks, rng)
        if rng.random() < 0.05:
            actions[0] = np.flatnonzero(masks[0] == 0)[0] if not masks[0].all() else 0
        result = vector.step(actions)
        same(result, sync.step(actions))
        seen, reward, terminated, truncated, infos = result
        masks, over = infos["action_mask"], terminated | truncated
        ended += over.sum()
        decided += (terminated & (reward != 0))[1:].sum()  # table 0 may have ended at an illegal action
        assert masks.any(axis=1).all()
        if mode is not AutoresetMode.SAME_STEP:
            assert masks[over].all()
    assert ended > 8
    assert decided > 0
    same(vector.reset(), sync.reset())
    same(vector.reset(seed=7), sync.reset(seed=7))


@pytest.mark.parametrize("mode", MODES)
def test_lists_of_seeds_are_the_same_as_for_single_environments(game, mode):
    vector, sync = vector_and_sync(game, mode, n=3)
    same(vector.reset(seed=[5, 500, 50]), sync.reset(seed=[5, 500, 50]))
    same(vector.reset(seed=[5, None, 51]), sync.reset(seed=[5, None, 51]))
    mask = np.array([False, True, True])
    same(
        vector.reset(seed=[1, 2, None], options={"reset_mask": mask}),
        sync.reset(seed=[1, 2, None], options={"reset_mask": mask}),
    )


def test_matches_are_the_same_in_the_vector():
    vector, sync = vector_and_sync(GAMES["tysiac"], AutoresetMode.NEXT_STEP, n=2, episode="match", max_deals=3)
    rng = np.random.default_rng(6)
    result = vector.reset(seed=1)
    same(result, sync.reset(seed=1))
    truncated = 0
    for _ in range(200):
        actions = legal(result[-1]["action_mask"], rng)
        result = vector.step(actions)
        same(result, sync.step(actions))
        truncated += result[3].sum()
    assert truncated > 2


def test_threads_change_nothing():
    one, two = (KartyVectorEnv("tysiac", 64, episode="deal", opponents="random", threads=t) for t in (1, 2))
    rng = np.random.default_rng(0)
    result = one.reset(seed=1)
    same(result, two.reset(seed=1))
    for _ in range(40):
        actions = legal(result[-1]["action_mask"], rng)
        result = one.step(actions)
        same(result, two.step(actions))


def test_the_action_of_a_row_that_begins_anew_does_not_matter():
    envs = [KartyVectorEnv("tysiac", 4, episode="deal", opponents="random") for _ in range(2)]
    rng = np.random.default_rng(1)
    results = [env.reset(seed=9) for env in envs]
    over = np.zeros(4, bool)
    for _ in range(80):
        actions = legal(results[0][-1]["action_mask"], rng)
        results = [env.step(np.where(over, wild, actions)) for env, wild in zip(envs, (-1, 999), strict=True)]
        same(*results)
        over = results[0][2] | results[0][3]


def test_the_vectors_arrays_are_fresh():
    env, rng = KartyVectorEnv("tysiac", 3, episode="deal", opponents="random"), np.random.default_rng(1)
    seen, infos = env.reset(seed=1)
    kept = copy.deepcopy((seen, infos))
    env.step(legal(infos["action_mask"], rng))
    same((seen, infos), kept)
    seen[:], infos["action_mask"][:] = 7, 0
    assert env.action_masks().any(axis=1).all()


def test_the_vector_keeps_gymnasiums_manners():
    env = gymnasium.make_vec("karty/Tysiac-v0", 3, opponents="random")
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert KartyVectorEnv("tysiac", autoreset_mode="SameStep").metadata["autoreset_mode"] is AutoresetMode.SAME_STEP
    assert (
        env.observation_space.shape == (3, GAMES["tysiac"].shape().features)
        and env.action_space.nvec.tolist() == [125] * 3
    )
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(3, np.int64))
    env.reset(seed=3)
    assert env.np_random_seed == 3
    with pytest.raises(ValueError, match="3 whole numbers"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="3 whole numbers"):
        env.step(np.zeros(3))
    env.close()
    with pytest.raises(ValueError, match="autoreset_mode"):
        KartyVectorEnv("tysiac", autoreset_mode="never")
    with pytest.raises(ValueError, match="max_episode_steps"):
        KartyVectorEnv("tysiac", max_episode_steps=5)


def test_a_finished_table_must_be_reset_when_autoreset_is_disabled():
    env = KartyVectorEnv("tysiac", 2, episode="deal", opponents="random", autoreset_mode=AutoresetMode.DISABLED)
    masks = env.reset(seed=1)[1]["action_mask"]
    actions = np.array([np.flatnonzero(masks[0] == 0)[0], np.flatnonzero(masks[1])[0]])
    terminated = env.step(actions)[2]
    assert terminated.tolist() == [True, False]
    with pytest.raises(ResetNeeded, match="tables 0 are over"):
        env.step(actions)
    for wrong in ([True, False], np.array([1, 0]), np.array([False, False]), np.array([True])):
        with pytest.raises(ValueError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    options = {"reset_mask": np.array([True, False])}
    env.reset(options=options)
    assert "reset_mask" in options  # gymnasium's statistics wrapper wants to read it, too
    env.step(legal(env.action_masks(), np.random.default_rng(0)))


@pytest.mark.parametrize("mode", MODES)
def test_gymnasiums_statistics_wrapper(mode):
    env = RecordEpisodeStatistics(
        gymnasium.make_vec("karty/Tysiac-v0", 3, episode="deal", opponents="random", autoreset_mode=mode)
    )
    rng = np.random.default_rng(1)
    infos = env.reset(seed=1)[1]
    lengths = 0
    for _ in range(40):
        _, rewards, terminated, _, infos = env.step(legal(env.unwrapped.action_masks(), rng))
        if terminated.any():
            assert infos["episode"]["r"][terminated].tolist() == pytest.approx(rewards[terminated].tolist())
            lengths += infos["episode"]["l"][terminated].sum()
            if mode is AutoresetMode.DISABLED:
                env.reset(options={"reset_mask": terminated})
    assert lengths


def test_the_vector_renders_every_table():
    env = KartyVectorEnv("tysiac", 2, opponents="random", render_mode="ansi")
    env.reset(seed=1)
    frames = env.render()
    assert len(frames) == 2 and all(isinstance(text, str) for text in frames) and frames[0] != frames[1]
