"""Normalised scores against hand figures and resampled deals; averages over games; the radar picture."""

import numpy as np
import pytest

from karty.training.estimates import Estimate
from karty.training.evaluate import evaluate
from karty.training.normalised import average, normalised
from karty.training.radar import radar


def test_random_play_is_0_and_rule_is_1_without_any_doubt():
    rng = np.random.default_rng(0)
    random, rule = rng.normal(-100, 30, 50), rng.normal(5, 20, 50)
    for agent, scale in ((random, 0), (rule, 1)):
        found = normalised(agent, random, rule)
        assert (found.mean, found.low, found.high) == pytest.approx((scale, scale, scale), abs=1e-12)


def test_hand_figures():
    # Means 6, 0 and 4: 6/4 = 1.5. What is left of each deal, (gain − 1.5 · scale) / 4 with scales 3, 5, 4, 4 and gains
    # 5, 7, 6, 6: 0.5/4, −0.5/4, 0, 0, with the deviation sqrt(2 · 0.125² / 3) = 0.10206, over sqrt(4): 0.05103.
    agent, random, rule = np.array([5.0, 7, 6, 6]), np.zeros(4), np.array([3.0, 5, 4, 4])
    found = normalised(agent, random, rule)
    assert found.metric == "normalised"
    assert found.mean == pytest.approx(1.5)
    assert found.half == pytest.approx(1.959964 * 0.0510310, rel=1e-5)


def test_where_less_is_better_the_scale_turns():
    # random loses 90 %, rule 30 %, the agent 15 %: (0.9 − 0.15) / (0.9 − 0.3)
    lost = [np.array([share, share + 0.01, share - 0.01]) for share in (0.15, 0.9, 0.3)]
    assert normalised(*lost).mean == pytest.approx(1.25)


def test_the_luck_that_all_share_does_not_count():
    rng = np.random.default_rng(1)
    luck = rng.normal(0, 500, 400)
    noise = [rng.normal(0, 3, 400) for _ in range(3)]
    values = [mean + luck + own for mean, own in zip((8.0, -100.0, 0.0), noise, strict=True)]
    found = normalised(*values)
    assert found.mean == pytest.approx(1.08, abs=0.01)
    assert found.half < 0.01


def test_the_interval_is_that_of_resampled_deals():
    rng = np.random.default_rng(2)
    shared = rng.normal(0, 20, 600)
    agent, random, rule = (mean + shared + rng.normal(0, 25, 600) for mean in (30.0, -60.0, 10.0))
    found = normalised(agent, random, rule)
    draws = []
    for _ in range(3000):
        row = rng.integers(600, size=600)
        draws.append((agent[row].mean() - random[row].mean()) / (rule[row].mean() - random[row].mean()))
    low, high = np.percentile(draws, (2.5, 97.5))
    assert found.low == pytest.approx(low, abs=0.06 * (high - low))
    assert found.high == pytest.approx(high, abs=0.06 * (high - low))


def test_there_is_no_scale_where_rule_is_not_clearly_better_than_random_play():
    rng = np.random.default_rng(3)
    luck = rng.normal(0, 10, (3, 100))
    assert normalised(*luck) is None
    assert normalised(np.ones(5), np.zeros(5), np.zeros(5)) is None


def test_an_average_over_games():
    # halves 0.03 and 0.04 of independent games: sqrt(0.0009 + 0.0016) / 2
    found = average([Estimate("normalised", 1.1, 1.07, 1.13), Estimate("normalised", 0.9, 0.86, 0.94)])
    assert found.mean == pytest.approx(1.0)
    assert found.half == pytest.approx(0.025)
    with pytest.raises(ValueError, match="one score or more"):
        average([])


def test_an_evaluation_is_put_on_the_scale_by_the_same_deals():
    plain = evaluate("tysiac", ["rule-bold", "rule"], deals=40)
    found = evaluate("tysiac", ["rule-bold", "rule"], deals=40, normalise=True)
    assert plain.normalised is None
    assert found.points == plain.points
    random = evaluate("tysiac", ["random", "rule"], deals=40).points.mean
    assert found.normalised.mean == pytest.approx((plain.points.mean - random) / (0 - random))
    line = found.to_dict("points")
    assert line["normalised"] == {
        "mean": found.normalised.mean,
        "low": found.normalised.low,
        "high": found.normalised.high,
    }
    assert found.to_dict("wins")["normalised"] is None
    assert evaluate("tysiac", ["random", "rule"], deals=40, normalise=True).normalised.mean == 0


def test_a_radar_has_a_corner_a_game_and_a_line_an_agent(tmp_path):
    scores = {
        name: {game: Estimate("normalised", mean, mean - 0.1, mean + 0.1) for game in ("a", "b", "c")}
        for name, mean in (("good", 1.2), ("bad", -2.0))
    }
    figure = radar(scores)
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["a", "b", "c"]
    good, bad = [line for line in axes.lines if len(line.get_xdata()) == 4]
    assert good.get_ydata().tolist() == [1.2] * 4
    assert bad.get_ydata().tolist() == [-0.5] * 4
    figure.savefig(tmp_path / "x.png")
    assert (tmp_path / "x.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("games", "said"),
    [
        ([], "one agent or more"),
        ([["a", "b"]], "three games or more, not 2"),
        ([list("abc"), list("abd")], "same games"),
    ],
)
def test_a_radar_of_what_cannot_be_drawn_is_refused(games, said):
    scores = {str(k): {game: Estimate("normalised", 1, 1, 1) for game in row} for k, row in enumerate(games)}
    with pytest.raises(ValueError, match=said):
        radar(scores)
