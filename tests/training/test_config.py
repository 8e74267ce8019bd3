"""What a run is told: the words of the command line, and what is wrong with them."""

import ast
import dataclasses
import inspect
import json
from pathlib import Path

import numpy as np
import pytest
import tyro

from karty.envs.game import EVALUATION_SEEDS
from karty.envs.games import GAMES, MINIS
from karty.training import config as module
from karty.training import run
from karty.training.config import (
    _RANGES,
    USUAL_RULES,
    CompanyConfig,
    ImitationConfig,
    MatchConfig,
    NetworkConfig,
    PPOConfig,
    TrainConfig,
    kind_of,
    option_columns,
    read_rules,
    training_rules,
    usual_config,
    usual_rules,
)

GAME = GAMES["tysiac"]


def test_values_are_read_as_the_rule_book_writes_them():
    (rules,) = read_rules(
        GAME, ["bid_step=ten", "threshold=none", "claim=true", "bomb=none", "max_deals=7", "redeal_points=18"]
    )
    assert rules == GAME.rules.make(
        bid_step="ten", threshold=None, claim=True, bomb="none", max_deals=7, redeal_points=18
    )


def test_comma_lists_give_every_combination():
    rules = read_rules(GAME, ["bid_step=any,ten", "concede=false", "threshold=800,900,none"])
    assert len(rules) == 6
    assert {(one.bid_step, one.threshold) for one in rules} == {
        (s, t) for s in ("any", "ten") for t in (800, 900, None)
    }


def test_all_values_of_one_option_are_those_that_it_lists():
    rules = read_rules(GAME, ["table=all", "concede=all", "bid_step=ten"])
    tables = ("3p", "2p_pairs", "2p_triples", "2p_twelve", "2p_stock", "2p_stock_auction", "4p_resting", "4p_six")
    assert [(one.table, one.concede) for one in rules] == [
        (table, concede) for table in (*tables, "4p_teams") for concede in (False, True)
    ]
    assert {one.bid_step for one in rules} == {"ten"}
    assert usual_rules(GAME, ["table=all"]) == GAME.rules()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bid_step"], "key=value"),
        (["max_deals=all"], "allowed: a whole number from 1"),
        (["=3p"], "key=value"),
        (["speed=9"], "there is no option 'speed'"),
        (["bid_step=five"], "allowed: any, ten"),
        (["bid_step=any,five"], "allowed: any, ten"),
        (["claim=yes"], "allowed: false, true"),
        (["threshold=750"], "allowed: 800, 900, none"),
        (["max_deals=many"], "allowed: a whole number from 1"),
        (["max_deals=0"], "max_deals"),
        (["claim=true", "claim=false"], "names claim twice"),
        (["preset=nothing"], "preset"),
    ],
)
def test_slips_are_named_in_one_line(words, said):
    with pytest.raises(ValueError) as caught:
        read_rules(GAME, words)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_agents_are_measured_by_the_first_of_several_values_and_the_defaults_of_all():
    assert usual_rules(GAME, ["bid_step=ten,any", "threshold=900"]) == GAME.rules.make(bid_step="ten", threshold=900)
    assert usual_rules(GAME, ["all", "claim=true"]) == GAME.rules.make(claim=True)


def test_a_run_that_is_told_no_rules_plays_deals_from_zero_and_from_random_scores_and_is_measured_by_the_defaults():
    assert set(USUAL_RULES) <= set(GAMES)
    drawn = training_rules(GAME, [], np.random.default_rng(0))
    assert drawn == [GAME.rules.make(start_scores="zero"), GAME.rules.make(start_scores="random")]
    assert usual_rules(GAME, []) == GAME.rules()
    assert training_rules(GAME, ["claim=true"], np.random.default_rng(0)) == [GAME.rules.make(claim=True)]


def test_all_varies_every_option_that_is_not_named_and_keeps_one_layout():
    drawn = training_rules(GAME, ["all", "concede=true"], np.random.default_rng(0))
    assert len(drawn) > 900
    for spec in dataclasses.fields(GAME.rules):
        values = {getattr(one, spec.name) for one in drawn}
        if spec.name == "concede":
            assert values == {True}
        elif spec.metadata["values"] is None:
            assert getattr(GAME.rules(), spec.name) in values
        else:
            assert values == set(spec.metadata["values"])
    assert len({GAME.shape(one).observation.digest for one in drawn}) == 1


def test_option_columns_are_left_out_unless_the_option_varies():
    layout = GAME.shape(GAME.rules()).observation
    fixed = option_columns(GAME, [GAME.rules()] * 2)
    assert not fixed[layout["bid_step"].slice].any()
    assert fixed[layout["hand"].slice].all()
    varied = option_columns(GAME, [GAME.rules(), GAME.rules.make(bid_step="ten")])
    assert varied[layout["bid_step"].slice].all()
    assert not varied[layout["threshold"].slice].any()


def test_a_configuration_survives_json():
    config = TrainConfig(
        game="tysiac",
        out=Path("somewhere"),
        decisions=5,
        opponents=("rule", "random"),
        rules=("bid_step=ten",),
        network=NetworkConfig(width=7),
        imitation=ImitationConfig(init="none"),
        ppo=PPOConfig(epochs=4),
    )
    assert TrainConfig.from_dict(json.loads(json.dumps(config.to_dict()))) == config


def test_a_configuration_of_something_else_is_refused():
    with pytest.raises(ValueError, match="not the configuration"):
        TrainConfig.from_dict({"game": "tysiac"})


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"decisions": 0}, "--decisions must be a whole number from 1 to 1000000000000000, not 0"),
        ({"minutes": 0.0}, "--minutes must be above 0"),
        ({"minutes": float("nan")}, "--minutes"),
        ({"minutes": float("inf")}, "--minutes must be above 0 and at most 10000000, not inf"),
        ({"seed": -1}, "--seed"),
        ({"seed": EVALUATION_SEEDS}, "--seed must be a whole number from 0 to 2**62 - 1"),
        ({"decisions": 1.5}, "--decisions"),
        ({"opponents": ()}, "--opponents"),
        ({"opponents": ("self", "rule")}, "--opponents"),
        ({"ppo": PPOConfig(minibatch=1)}, "--minibatch"),
        ({"ppo": PPOConfig(gae_lambda=1.5)}, "--gae-lambda"),
        ({"ppo": PPOConfig(clip_range=0.0)}, "--clip-range"),
        ({"ppo": PPOConfig(value_coefficient=float("nan"))}, "--value-coefficient must be from 0 to 1000, not nan"),
        ({"ppo": PPOConfig(value_coefficient=-1.0)}, "--value-coefficient"),
        ({"ppo": PPOConfig(learning_rate=float("inf"))}, "--learning-rate must be above 0 and at most 1, not inf"),
        ({"ppo": PPOConfig(learning_rate=1e30)}, "--learning-rate"),
        ({"ppo": PPOConfig(entropy=float("inf"))}, "--entropy"),
        ({"ppo": PPOConfig(tables=10**12)}, "--tables"),
        ({"network": NetworkConfig(width=100_000_000)}, "--width must be a whole number from 1 to 8192"),
        ({"network": NetworkConfig(depth=0)}, "--depth"),
        (
            {"imitation": ImitationConfig(init="imitate:")},
            "--init must be none, imitate:NAME or agent:A, not 'imitate:'",
        ),
        ({"imitation": ImitationConfig(imitation_rate=float("inf"))}, "--imitation-rate"),
        ({"imitation": ImitationConfig(init="rule")}, "--init"),
        ({"imitation": ImitationConfig(smoothing=-0.1)}, "--smoothing"),
        ({"company": CompanyConfig(rule_tables=1.5)}, "--rule-tables must be from 0 to 1, not 1.5"),
        ({"company": CompanyConfig(rule_tables=0.6, past_tables=0.5)}, "--rule-tables and --past-tables are shares"),
        ({"company": CompanyConfig(past_selves=0)}, "--past-selves"),
        ({"matches": MatchConfig(match=-0.5)}, "--match must be from 0 to 0.95"),
        ({"matches": MatchConfig(match=0.5), "episode": "match"}, "--match goes with --episode deal"),
        ({"matches": MatchConfig(equity_matches=1)}, "--equity-matches"),
        ({"ppo": PPOConfig(magnet=-1.0)}, "--magnet"),
        ({"ppo": PPOConfig(critic="full")}, "--critic full goes with --advantage gae"),
        ({"ppo": PPOConfig(critic="full", advantage="qboost")}, "--critic full goes with --advantage gae"),
        ({"ppo": PPOConfig(residual=0.5, advantage="gae")}, "--residual goes with --advantage ahead"),
        ({"ppo": PPOConfig(reward="own"), "episode": "match"}, "--reward own goes with --episode deal"),
        (
            {"company": CompanyConfig(past_tables=0.1), "opponents": ("rule",)},
            "--past-tables goes with --opponents self",
        ),
        ({"matches": MatchConfig(match=0.5), "opponents": ("rule",)}, "--match goes with --opponents self"),
        ({"matches": MatchConfig(match=1.0)}, "--match must be from 0 to 0.95"),
        ({"ppo": PPOConfig(entropy_phases=("auction=3", "auction=2"))}, "--entropy-phases names a phase twice"),
        ({"ppo": PPOConfig(entropy_phases=("auction",))}, "--entropy-phases takes words like auction=3, not 'auction'"),
        ({"ppo": PPOConfig(entropy_phases=("auction=x",))}, "--entropy-phases"),
        ({"ppo": PPOConfig(entropy_phases=("auction=nan",))}, "--entropy-phases"),
    ],
)
def test_numbers_that_make_no_sense_are_named(change, said):
    with pytest.raises(ValueError) as caught:
        TrainConfig(game="tysiac", **change).check()
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_every_number_has_a_range_and_every_range_is_of_a_number():
    numbers = {
        spec.name
        for kind in (TrainConfig, *(type(part) for part in TrainConfig(game="tysiac").parts()))
        for spec in dataclasses.fields(kind)
        if kind_of(spec) in ("int", "float")
    }
    assert numbers - {"seed"} == set(_RANGES)


def test_options_that_are_not_at_their_defaults_are_named_as_the_command_line_writes_them():
    assert TrainConfig(game="tysiac").changed() == []
    config = TrainConfig(game="tysiac", resume=Path("x"), seed=3, ppo=PPOConfig(max_grad_norm=1.0))
    assert config.changed() == ["--resume", "--seed", "--max-grad-norm"]


LOSING = TrainConfig(
    game="tysiac",
    ppo=PPOConfig(entropy=0.05, residual=0.5),
    company=CompanyConfig(past_tables=0.2),
    matches=MatchConfig(match=0.5),
)


def test_a_game_may_have_defaults_of_its_own_and_others_against_given_players(monkeypatch):
    assert usual_config("tysiac") == TrainConfig(game="tysiac")
    assert usual_config("no such game") == TrainConfig(game="no such game")
    monkeypatch.setitem(module.USUAL, "tysiac", LOSING)
    assert usual_config("tysiac") == LOSING
    assert usual_config("whist") == TrainConfig(game="whist")
    against = usual_config("tysiac", ("random", "rule"))
    # what goes with self-play only is left out, and nobody plays on as `rule` among players who are not
    expected = dataclasses.replace(
        LOSING,
        ppo=PPOConfig(entropy=0.05, residual=0.5, advantage="gae"),
        company=CompanyConfig(),
        matches=MatchConfig(),
    )
    assert against == expected
    dataclasses.replace(against, opponents=("random",)).check()
    assert usual_config("tysiac", ("rule", "rule")).ppo == LOSING.ppo


def test_the_defaults_of_games_make_sense_and_leave_alone_what_a_run_is_told_by_itself():
    for name, usual in module.USUAL.items():
        assert name in GAMES or name in MINIS
        assert usual.game == name
        usual.check()
        for field in ("out", "decisions", "minutes", "opponents", "resume"):
            assert getattr(usual, field) == getattr(TrainConfig(game=name), field)
        dataclasses.replace(usual_config(name, ("random",)), opponents=("random",)).check()


def test_what_is_changed_is_told_beside_the_games_own_defaults(monkeypatch):
    monkeypatch.setitem(module.USUAL, "tysiac", LOSING)
    assert LOSING.changed() == []
    assert TrainConfig(game="tysiac").changed() == ["--entropy", "--residual", "--past-tables", "--match"]
    against = dataclasses.replace(usual_config("tysiac", ("random",)), opponents=("random",))
    assert against.changed() == ["--opponents"]


def test_a_residual_that_nobody_asked_for_stands_in_nobodys_way(monkeypatch):
    monkeypatch.setitem(module.USUAL, "tysiac", LOSING)
    dataclasses.replace(LOSING, ppo=dataclasses.replace(LOSING.ppo, advantage="gae")).check()
    with pytest.raises(ValueError, match="--residual goes with --advantage ahead"):
        dataclasses.replace(LOSING, ppo=dataclasses.replace(LOSING.ppo, advantage="gae", residual=0.4)).check()


def test_a_run_is_resumed_whether_the_defaults_of_its_game_or_of_the_fields_stand_beside_it(monkeypatch, tmp_path):
    monkeypatch.setitem(module.USUAL, "tysiac", LOSING)
    for told in (LOSING, TrainConfig(game="tysiac"), TrainConfig(game="tysiac", decisions=5)):
        with pytest.raises(ValueError, match="no run folder with a checkpoint"):
            run.complete(dataclasses.replace(told, resume=tmp_path))
    for change, said in (({"ppo": PPOConfig(entropy=0.1)}, "--entropy"), ({"opponents": ("random",)}, "--opponents")):
        with pytest.raises(ValueError, match=f"own options: {said} cannot be changed"):
            run.complete(TrainConfig(game="tysiac", resume=tmp_path, **change))


def test_a_run_that_is_given_no_budget_has_five_million_decisions():
    assert run.complete(TrainConfig(game="tysiac"))[0].decisions == 5_000_000
    assert run.complete(TrainConfig(game="tysiac", minutes=1.0))[0].decisions is None
    assert run.complete(TrainConfig(game="tysiac", decisions=3))[0].decisions == 3


def changed(told, name, value):
    """The same but for one field; `network.width` is one of a part."""
    part, _, rest = name.partition(".")
    if rest:
        return {**told, part: changed(told[part], rest, value)}
    return {**told, part: value}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("decisions", "x"),
        ("decisions", 1.5),
        ("decisions", True),
        ("minutes", "x"),
        ("evaluate", None),
        ("seed", None),
        ("rules", [1]),
        ("rules", "bid_step=ten"),
        ("opponents", None),
        ("out", 3),
        ("episode", "hand"),
        ("network", 7),
        ("network.width", "x"),
        ("network.width", 192.5),
        ("ppo.tables", "x"),
        ("ppo.learning_rate", float("nan")),
        ("ppo.learning_rate", 10**400),
        ("ppo.speed", 1),
        ("imitation.init", 5),
        ("colour", "blue"),
    ],
)
def test_a_damaged_configuration_is_refused_by_the_field(name, value):
    told = TrainConfig(game="tysiac").to_dict()
    with pytest.raises(ValueError, match="not the configuration of a training run") as caught:
        TrainConfig.from_dict(changed(told, name, value))
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", ["game", "seed", "ppo"])
def test_a_configuration_that_lacks_a_field_is_refused(name):
    told = TrainConfig(game="tysiac").to_dict()
    del told[name]
    with pytest.raises(ValueError, match=f"{name} is missing"):
        TrainConfig.from_dict(told)


_PARTS = ("network", "imitation", "ppo", "dmc", "company", "matches", "game")


def test_every_field_has_its_sentence():
    tree = ast.parse(Path(inspect.getfile(TrainConfig)).read_text(encoding="utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    assert len(classes) == 7
    for node in classes:
        for field, after in zip(node.body, [*node.body[1:], None], strict=True):
            if isinstance(field, ast.AnnAssign) and field.target.id not in _PARTS:
                sentence = after.value.value if isinstance(after, ast.Expr) else ""
                assert sentence.endswith("."), field.target.id


def test_the_command_line_gives_the_documented_words():
    words = [
        "tysiac",
        "--out",
        "x",
        "--decisions",
        "9",
        "--minutes",
        "2.5",
        "--opponents",
        "rule",
        "random",
        "--episode",
        "match",
    ]
    words += ["--seed", "4", "--rules", "table=3p", "bid_step=any,ten", "--width", "64", "--init", "none"]
    config = tyro.cli(TrainConfig, args=words, config=(tyro.conf.OmitArgPrefixes,))
    assert config == TrainConfig(
        game="tysiac",
        out=Path("x"),
        decisions=9,
        minutes=2.5,
        opponents=("rule", "random"),
        episode="match",
        seed=4,
        rules=("table=3p", "bid_step=any,ten"),
        network=NetworkConfig(width=64),
        imitation=ImitationConfig(init="none"),
    )
    assert tyro.cli(TrainConfig, args=["tysiac", "--resume", "x"]).resume == Path("x")


def test_values_are_written_as_in_the_book():
    game = GAMES["piotrus"]
    assert read_rules(game, ["deck=short"])[0].deck == "short"
    assert read_rules(GAMES["pan"], ["spades_back=true"])[0].spades_back is True
    for word in ("deck=Short", "deck=SHORT"):
        with pytest.raises(
            ValueError, match=r"^piotrus: option deck=.* is not allowed; allowed: full, short, picture$"
        ):
            read_rules(game, [word])
