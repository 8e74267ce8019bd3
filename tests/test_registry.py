import importlib
import warnings

import gymnasium
import pettingzoo
import pytest

import karty
from karty.envs import registry
from karty.envs.games import GAMES
from karty.envs.single import KartyEnv, KartyVectorEnv


@pytest.mark.parametrize("name", GAMES)
def test_every_game_has_its_names(name):
    game = GAMES[name]
    id = registry.gymnasium_id(game)
    assert isinstance(gymnasium.make(id).unwrapped, KartyEnv)
    assert isinstance(gymnasium.make_vec(id, 2), KartyVectorEnv)
    assert gymnasium.make(f"karty:{id}").unwrapped.game is game
    if hasattr(pettingzoo, "make"):
        for spelled in (f"karty/{name}_v{game.version}", f"karty/{name}-v{game.version}", f"karty/{name}"):
            assert pettingzoo.make("aec", spelled, episode="deal").unwrapped.game is game
    assert karty.make_aec(name, episode="deal").unwrapped.game is game


def test_tysiac_is_called_tysiac():
    assert registry.gymnasium_id(GAMES["tysiac"]) == "karty/Tysiac-v0"


def test_a_second_registration_is_silent():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        registry.register()
        importlib.reload(registry)


def test_a_spec_can_be_written_down():
    env = gymnasium.make("karty/Tysiac-v0", opponents="random", bid_step="ten", seat="rotate")
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.unwrapped.rules.bid_step == "ten"
