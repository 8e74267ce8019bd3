"""Match equity: who stands where, what a deal is paid, and what is learned from played matches."""

import dataclasses

import numpy as np
import pytest
import torch

from karty.agents.agent import load_agent
from karty.envs.engine import Batch, Table, make_batch, play_episodes
from karty.envs.game import DEAL, Shape
from karty.envs.games import find_game
from karty.envs.games.tysiac import DECK, GAME, OBSERVATION, Rules
from karty.envs.layout import cards, observation
from karty.training import equity as module
from karty.training.equity import Equity, change_rewards, check_matches, deal_rewards, fit, simulate

RULE = load_agent("tysiac", "rule")


def opinionated(seed=0):
    """An equity that has learned nothing but holds firm views."""
    generator = torch.Generator().manual_seed(seed)
    equity = Equity(3, 1000, generator=generator)
    with torch.no_grad():
        equity.layers[-1].weight.normal_(generator=generator)
    return equity


class ByPlace(Equity):
    """Worth to each seat: its score, times 1 for the dealer, 10 for the next and 100 for the one after."""

    def value(self, scores):
        return (scores * [1, 10, 100]).astype(np.float32)


def seen(seat, dealer, scores, deal):
    """What a seat sees of the match: everything by absolute seat."""
    row = np.zeros(OBSERVATION.size, np.int8)
    view = row.view(OBSERVATION.dtype)[0]
    view["dealer"][(dealer - seat) % 3] = 1
    view["deals_played"] = deal
    for place in range(3):
        score = scores[(seat + place) % 3]
        view["score_tens"][place] = score // 10
        view["score_ones"][place] = score - 10 * (score // 10)
    return row


def rollout(steps, tables=6, seed=3, game="tysiac", **options):
    """Matches among the rule-based players as a rollout keeps them, and their observations' table."""
    batch = make_batch(game, tables, seed=seed, skip_forced=True, **{"episode": "match", **options})
    rows = [{name: array.copy() for name, array in batch.reset().items()}]
    for _ in range(steps):
        after = batch.step(batch.choose("rule"))
        rows.append({name: array.copy() for name, array in after.items()})
    arrays = {name: np.stack([row[name] for row in rows]) for name in rows[0] if name != "final_observation"}
    truncated = arrays["truncated"][1:]
    return arrays, arrays["terminated"][1:] | truncated, arrays["reward"][1:], truncated


def whole_matches(layout, arrays, ended):
    """Of each match that is there from its beginning to its end: table, first and last decision, the first dealer."""
    for i in range(ended.shape[1]):
        ends = np.flatnonzero(ended[:, i])
        for first, last in zip(np.append(0, ends[:-1] + 1), ends, strict=False):
            row = layout.decode(arrays["observation"][first, i])
            yield i, first, last, (row["dealer"] + arrays["seat"][first, i]) % arrays["reward"].shape[-1]


def paid_in(arrays, ended, reward, truncated, equity):
    return deal_rewards(equity, OBSERVATION, arrays, ended, reward, truncated)


def test_a_deal_is_paid_to_the_seats_that_it_concerns_by_hand():
    # Seat 0 deals before the deal, seat 1 after it; seat 1 decides last in it, seat 2 first in the next.
    before, after = [-123, 45, 990], [-3, 105, 870]
    rows = [seen(2, 0, before, 4), seen(1, 0, before, 4), seen(2, 1, after, 5), seen(0, 1, after, 5)]
    arrays = {"observation": np.array(rows)[:, None], "seat": np.array([2, 1, 2, 0], np.int8)[:, None]}
    ended, reward = np.zeros((3, 1), bool), np.full((3, 1, 3), 7, np.float32)
    paid, over = paid_in(arrays, ended, reward, ended, ByPlace(3, 1000))
    assert over[:, 0].tolist() == [False, True, False]
    # Worth before: -123, 450, 99000; after, seat 1 being dealer: -300 (two places after it), 105, 8700.
    assert paid[:, 0].tolist() == [[0, 0, 0], [-177, -345, -90300], [0, 0, 0]]
    assert paid.dtype == np.float32


def test_the_last_deal_is_paid_with_the_reward_of_the_match_and_a_cut_one_with_nothing():
    # The row after the end belongs to the next match at this table, here with the same dealer in its first deal too.
    rows = [seen(1, 2, [10, 20, 30], 0), seen(0, 2, [0, 0, 0], 0)]
    arrays = {"observation": np.array(rows)[:, None], "seat": np.array([1, 0], np.int8)[:, None]}
    ended, reward = np.ones((1, 1), bool), np.array([[[-0.5, 1, -0.5]]], np.float32)
    paid, over = paid_in(arrays, ended, reward, ~ended, ByPlace(3, 1000))
    assert over.all() and paid[0, 0].tolist() == [-0.5 - 100, 1 - 2000, -0.5 - 30]
    paid, over = paid_in(arrays, ended, reward, ended, ByPlace(3, 1000))
    assert over.all() and paid[0, 0].tolist() == [0, 0, 0]


def test_deals_beyond_those_that_are_shown_are_told_apart_by_their_dealers():
    rows = [seen(0, dealer, [10 * dealer, 0, 0], 100) for dealer in (0, 0, 1, 2)]
    arrays = {"observation": np.array(rows)[:, None], "seat": np.zeros((4, 1), np.int8)}
    never = np.zeros((3, 1), bool)
    _, over = paid_in(arrays, never, np.zeros((3, 1, 3), np.float32), never, opinionated())
    assert over[:, 0].tolist() == [False, True, True]


@pytest.mark.parametrize("options", [{}, {"learner": "rotate", "opponents": "rule"}])
def test_what_the_deals_of_a_match_are_paid_adds_up_to_its_reward_less_what_was_expected(options):
    arrays, ended, reward, truncated = rollout(400 if options else 1200, **options)
    equity = opinionated()
    paid, over = paid_in(arrays, ended, reward, truncated, equity)
    np.testing.assert_allclose(paid.sum(-1), 0, atol=1e-5)
    matches = 0
    for i, first, last, dealer in whole_matches(OBSERVATION, arrays, ended):
        at_start = np.roll(equity.value(np.zeros((1, 3)))[0], dealer)  # a match begins at 0
        np.testing.assert_allclose(at_start + paid[first : last + 1, i].sum(0), reward[last, i], atol=1e-5)
        deals = OBSERVATION.decode(arrays["observation"][last, i])["deals_played"] + 1
        told = over[first : last + 1, i].sum()
        assert told <= deals if options else told == deals
        matches += 1
    assert matches >= 6


def test_in_petukh_scores_fall_and_what_its_kons_are_paid_adds_up_to_the_reward_too():
    game = find_game("petukh")
    equity = Equity(4, game.won_at, start=15, in_turn=False, generator=torch.Generator().manual_seed(0))
    with torch.no_grad():
        equity.layers[-1].weight.normal_(generator=torch.Generator().manual_seed(1))
    arrays, ended, reward, truncated = rollout(900, game="petukh")
    layout = game.shape(game.rules()).observation
    paid, over = deal_rewards(equity, layout, arrays, ended, reward, truncated)
    np.testing.assert_allclose(paid.sum(-1), 0, atol=1e-5)
    matches = 0
    for i, first, last, dealer in whole_matches(layout, arrays, ended):
        at_start = np.roll(equity.value(np.full((1, 4), 15))[0], dealer)  # a match begins at 15 (§1.2)
        np.testing.assert_allclose(at_start + paid[first : last + 1, i].sum(0), reward[last, i], atol=1e-5)
        matches += 1
    assert matches >= 6 and over.sum() > 5 * matches


@pytest.mark.parametrize(
    ("dealer", "scores", "winner"),
    [
        (0, (3, 9, 2, 4), 2),  # 5 points written off by each: two are there, the third went farthest
        (1, (5, 9, 9, 4), 3),
        (2, (5, 5, 9, 9), 0),  # the dealer's left is 3, then 0
    ],
)
def test_in_petukh_the_score_farthest_below_nothing_wins(dealer, scores, winner):
    class Left(Equity):
        def value(self, scores):
            return scores.astype(np.float32)

    equity, layout = Left(4, 0, start=15, in_turn=False), find_game("petukh").shape().observation
    for seat in range(4):
        row = np.zeros(layout.size, np.int8)
        row[layout["dealer"].start + (dealer - seat) % 4] = 1
        row[layout["score_ones"].slice][:] = np.roll(scores, -seat)
        paid = change_rewards(equity, layout, row[None], np.array([seat]), np.full((1, 4), 5, np.float32))
        won = np.array([1 if place == winner else -1 / 3 for place in range(4)])
        np.testing.assert_allclose(paid[0] + scores, won, atol=1e-5)


def test_where_the_deal_is_not_passed_on_every_seat_may_deal_next_by_hand():
    class ByDealer(Equity):
        """Worth 1 to the dealer, 10 to the next and so on, whatever the scores, and a hundredth of its score."""

        def value(self, scores):
            return (np.array([1, 10, 100, 1000]) + scores / 100).astype(np.float32)

    layout = find_game("petukh").shape().observation
    row = np.zeros(layout.size, np.int8)
    row[layout["dealer"].start + 1] = 1  # seat 2 deals, seat 1 looks
    row[layout["score_tens"].slice] = 1
    change = np.array([[0, 1, -2, 5]], np.float32)
    paid = change_rewards(ByDealer(4, 0, start=15, in_turn=False), layout, row[None], np.array([1]), change)
    # On average any seat's place is worth 1111 / 4; before, it was 1000 for seat 1, who sits last, and 1 for seat 2.
    before = [100, 1000, 1, 10]
    after = [1111 / 4 - change / 100 for change in (0, 1, -2, 5)]
    np.testing.assert_allclose(paid[0], np.subtract(after, before), rtol=1e-5)


def test_petukhs_points_halfway_are_worth_1_as_well():
    class Race(Equity):
        def value(self, scores):
            return ((scores.sum(-1, keepdims=True) / 4 - scores) / 15).astype(np.float32)

    # 5 points fewer are a third, less a quarter of it
    assert Race(4, 0, start=15).worth_of(5) == pytest.approx(4, rel=1e-5)


def test_so_many_points_halfway_through_a_match_are_worth_1():
    class Race(Equity):
        def value(self, scores):
            return (scores / 1000 - scores.sum(-1, keepdims=True) / 3000).astype(np.float32)

    # 100 points more are 0.1 - 0.1 / 3 = 1 / 15 of equity
    assert Race(3, 1000).worth_of(100) == pytest.approx(15, rel=1e-5)


@pytest.mark.parametrize(("factor", "told"), [(0, "0.0000"), (0.009, "0.0006"), (-1, "-0.0667"), (np.nan, "nan")])
def test_an_equity_to_which_points_are_worth_nothing_has_not_learned(factor, told):
    class Bad(Equity):
        def value(self, scores):
            return (factor * (scores / 1000 - scores.sum(-1, keepdims=True) / 3000)).astype(np.float32)

    with pytest.raises(ValueError, match=rf"^match equity was not learned: 100 points .* are worth {told} of .*$"):
        Bad(3, 1000).worth_of(100)
    with pytest.raises(ValueError, match="not learned"):
        Equity(3, 1000).worth_of(100)


@pytest.mark.parametrize(
    ("dealer", "scores", "winner"),
    [
        (0, (990, 900, 990), 2),  # of all at 1000 or more the highest, of equal ones not the dealer
        (1, (990, 990, 0), 0),  # the dealer's left is 2, then 0
        (2, (990, 990, 990), 0),
        (2, (0, 990, 1000), 2),
    ],
)
def test_of_equal_scores_at_the_goal_the_first_from_the_dealers_left_wins(dealer, scores, winner):
    equity = ByPlace(3, 1000)
    for seat in range(3):
        row = seen(seat, dealer, scores, 7)[None]
        paid = change_rewards(equity, OBSERVATION, row, np.array([seat]), np.full((1, 3), 30, np.float32))
        before = np.roll(equity.value(np.roll(scores, -dealer)[None])[0], dealer)
        assert (paid[0] + before).tolist() == [1 if place == winner else -0.5 for place in range(3)]


def test_what_a_change_of_scores_would_pay_is_what_the_deal_that_made_it_was_paid():
    arrays, ended, reward, truncated = rollout(1200)
    equity = opinionated()
    paid, over = paid_in(arrays, ended, reward, truncated, equity)
    scores = OBSERVATION["score_tens"], OBSERVATION["score_ones"]

    def by_seat(t, i):
        row, seat = arrays["observation"][t, i].astype(int), arrays["seat"][t, i]
        return np.roll(10 * row[scores[0].slice][:3] + row[scores[1].slice][:3], seat)

    t, i = np.nonzero(over)
    last = ended[t, i]
    after = [arrays["points"][a + 1, b] if end else by_seat(a + 1, b) for a, b, end in zip(t, i, last, strict=True)]
    change = np.array(after) - np.array([by_seat(a, b) for a, b in zip(t, i, strict=True)])
    found = change_rewards(equity, OBSERVATION, arrays["observation"][t, i], arrays["seat"][t, i], change)
    assert last.sum() >= 6
    np.testing.assert_allclose(found, paid[t, i], atol=1e-5)


def test_a_rollout_that_begins_in_the_middle_of_a_deal_pays_the_same():
    arrays, ended, reward, truncated = rollout(150)
    whole = paid_in(arrays, ended, reward, truncated, opinionated())
    for k in (1, 77, 78, 79):
        early = ({name: array[: k + 1] for name, array in arrays.items()}, ended[:k], reward[:k], truncated[:k])
        late = ({name: array[k:] for name, array in arrays.items()}, ended[k:], reward[k:], truncated[k:])
        parts = [paid_in(*part, opinionated()) for part in (early, late)]
        np.testing.assert_allclose(np.concatenate([parts[0][0], parts[1][0]]), whole[0], atol=1e-6)
        assert (np.concatenate([parts[0][1], parts[1][1]]) == whole[1]).all()


def test_before_it_has_learned_all_chances_are_equal():
    value = Equity(3, 1000).value(np.array([[900, 0, -300], [0, 0, 0]]))
    assert value.dtype == np.float32
    np.testing.assert_allclose(value, 0, atol=1e-7)


def test_a_seats_chance_depends_on_the_others_scores_and_not_on_which_of_them_has_which():
    equity = opinionated()
    with torch.no_grad():
        one, other = equity(torch.tensor([[100.0, 800.0, -50.0], [100.0, -50.0, 800.0]]))
    torch.testing.assert_close(one[0], other[0])
    assert abs(one[1] - one[2]) > 0.01


def test_values_are_the_expected_reward_of_a_match():
    # Chances 1/2, 1/3, 1/6 of three seats: w - (1 - w) / 2 is 1/4, 0, -1/4.
    class Known(Equity):
        def forward(self, scores):
            return torch.tensor([[3.0, 2.0, 1.0]]).log().expand(len(scores), -1)

    np.testing.assert_allclose(Known(3, 1000).value(np.zeros((2, 3))), [[0.25, 0, -0.25]] * 2, atol=1e-7)


def test_fit_finds_the_chances_of_a_race_in_which_they_are_known():
    rng = np.random.default_rng(0)
    scores = rng.integers(-300, 1000, (20_000, 3))
    # A seat's odds double with every 200 points, and dealing is worth 100.
    odds = 2.0 ** ((scores + np.array([100, 0, 0])) / 200)
    chance = odds / odds.sum(-1, keepdims=True)
    winner = (rng.random((len(scores), 1)) > chance.cumsum(-1)).sum(-1)
    equity = Equity(3, 1000, generator=torch.Generator().manual_seed(0))
    loss = fit(equity, scores, winner, generator=torch.Generator().manual_seed(0))
    best = -np.log(np.take_along_axis(chance, winner[:, None], -1))[-2000:].mean()
    assert best - 0.001 < loss < best + 0.005 < np.log(3) - 0.2
    learned = (1 + 2 * equity.value(scores[:1000])) / 3  # the chances back from w - (1 - w) / 2
    assert abs(learned - chance[:1000]).mean() < 0.015
    # The dealer's odds at equal scores: 2^0.5 to 1 to 1.
    np.testing.assert_allclose((1 + 2 * equity.value(np.zeros((1, 3)))) / 3, [[0.414, 0.293, 0.293]], atol=0.02)


def test_fit_goes_by_its_generator_alone():
    rng = np.random.default_rng(0)
    scores, winner = rng.integers(0, 1000, (2000, 3)), rng.integers(0, 3, 2000)
    losses = []
    for _ in range(2):
        equity = Equity(3, 1000, generator=torch.Generator().manual_seed(1))
        losses.append(fit(equity, scores, winner, generator=torch.Generator().manual_seed(2)))
    assert losses[0] == losses[1]
    twin = Equity(3, 1000)
    twin.load_state_dict(equity.state_dict())
    assert (twin.value(scores) == equity.value(scores)).all()


def test_fit_needs_deals():
    with pytest.raises(ValueError, match=r"^only 9 deals came from matches that were finished, .* 10 or more: train"):
        fit(Equity(3, 1000), np.zeros((9, 3)), np.zeros(9, np.int64))


def test_what_the_rule_based_players_matches_teach():
    scores, winner = simulate("tysiac", RULE.act, 300, seed=1)
    equity = Equity(3, 1000, generator=torch.Generator().manual_seed(0))
    assert fit(equity, scores, winner, generator=torch.Generator().manual_seed(0)) < np.log(3) - 0.05
    level, ahead, behind = equity.value(np.array([[0, 0, 0], [0, 900, 0], [600, 600, -200]]))
    assert abs(level).max() < 0.1
    assert ahead[1] > 0.4 and ahead[1] > ahead[0] + 0.5 and ahead[1] > ahead[2] + 0.5
    assert behind[2] < behind[:2].min() - 0.3


def played_alone(seed):
    """A match of the rule-based players at a table of its own: scores before each deal from its dealer on, winner."""
    table = Table("tysiac", episode="match")
    table.reset(seed)
    deals = []
    while not table.over:
        if (event := table.advance()) == DEAL:
            dealer = int(table.state.dealer)
            deals.append(([int(table.state.scores[(dealer + k) % 3]) for k in range(3)], dealer))
        elif event == 0:
            table.play(table.choose("rule"))
    winner = int(table.state.winner)
    return [scores for scores, _ in deals], [(winner - dealer) % 3 for _, dealer in deals]


def test_simulated_deals_are_those_of_the_same_matches_played_one_by_one():
    scores, winner = simulate("tysiac", RULE.act, 4, seed=20)
    alone = [played_alone(seed) for seed in range(20, 24)]
    assert scores.tolist() == [row for rows, _ in alone for row in rows]
    assert winner.tolist() == [place for _, places in alone for place in places]


def test_matches_that_a_cap_cut_off_are_left_out():
    rules = {"max_deals": 18}
    scores, winner = simulate("tysiac", RULE.act, 40, seed=50, rules=rules)
    cut = play_episodes("tysiac", ["rule"] * 3, range(50, 90), rules=rules, episode="match")["truncated"]
    assert 0 < cut.sum() < 40
    assert (scores == 0).all(-1).sum() == 40 - cut.sum()  # each match begins at 0 and only it
    assert len(scores) == len(winner) <= 18 * (40 - cut.sum())
    nothing, nobody = simulate("tysiac", RULE.act, 3, seed=50, rules={"max_deals": 1})
    assert nothing.shape == (0, 3) and nobody.shape == (0,)


def test_many_matches_are_played_in_parts(monkeypatch):
    whole = [array.tolist() for array in simulate("tysiac", RULE.act, 7, seed=20, rules=[Rules(), Rules(bomb="any")])]
    sizes = []

    def batch(game, n, **options):
        sizes.append(n)
        return Batch(game, n, **options)

    monkeypatch.setattr(module, "_CHUNK", 3)
    monkeypatch.setattr(module, "Batch", batch)
    parts = [array.tolist() for array in simulate("tysiac", RULE.act, 7, seed=20, rules=[Rules(), Rules(bomb="any")])]
    assert sizes == [3, 3, 1]
    assert parts == whole


def test_matches_draw_their_rules_from_a_list():
    kinds = [Rules(max_deals=1), Rules(max_deals=60)]
    scores, _ = simulate("tysiac", RULE.act, 20, seed=70, rules=kinds)
    assert 0 < (scores == 0).all(-1).sum() < 20


def test_deal_episodes_are_refused():
    arrays, ended, reward, truncated = rollout(5, episode="deal")
    with pytest.raises(ValueError, match="only in match episodes"):
        paid_in(arrays, ended, reward, truncated, opinionated())


def test_a_game_that_tells_of_no_match_is_refused():
    layout = observation(DECK, 4, hand=cards("my hand"))
    bare = dataclasses.replace(GAME, shapes=lambda rules: Shape(layout, layout, ("play 9S",), 3, DECK))
    with pytest.raises(
        ValueError, match=r"^tysiac has no matches won by a score: .* no dealer, score_tens, score_ones, deals_played$"
    ) as said:
        check_matches(bare)
    with pytest.raises(ValueError) as same:
        simulate(bare, RULE.act, 2, seed=0)
    assert str(same.value) == str(said.value)
    with pytest.raises(ValueError, match=r"^this game has no matches won by a score"):
        deal_rewards(opinionated(), layout, {}, np.zeros(0), np.zeros(0), np.zeros(0))


def test_teams_are_refused():
    class Paired(Rules):
        teams = property(lambda self: (0, 1, 0))

    for rules in (Paired(), [Rules(), Paired()]):
        with pytest.raises(ValueError, match="not for teams"):
            check_matches("tysiac", rules)
    check_matches("tysiac", [Rules()])
    check_matches("tysiac")
    with pytest.raises(ValueError, match="not for teams"):
        check_matches("tysiac", Rules(table="4p_teams"))
    with pytest.raises(ValueError, match="one number of seats"):
        check_matches("tysiac", [Rules(), Rules(table="2p_pairs")])
    check_matches("tysiac", [Rules(table="2p_stock"), Rules(table="2p_pairs")])
    with pytest.raises(ValueError, match="not for teams"):
        simulate("tysiac", RULE.act, 2, seed=0, rules=Paired())
