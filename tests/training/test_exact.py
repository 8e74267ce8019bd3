"""Values and best responses in whole trees: known figures of two kinds of poker, and a slow second way to find them.

Kuhn (1950): the first seat loses 1/18 a game with best play; uniform play is exploited for 11/12 in both seats
together. OpenSpiel's tests have 4.747222 for Leduc poker, and 936 information sets.
"""

import dataclasses
import json
from types import SimpleNamespace

import numpy as np
import poker
import pytest

import karty
from karty.agents.agent import AgentError, probabilities
from karty.envs.engine import play_episodes
from karty.envs.game import RUNNING
from karty.envs.table import Table
from karty.training import exact, gametree
from karty.training.cli import main
from karty.training.exact import exploitability
from karty.training.gametree import numbered, whole_tree


def tree_of(name):
    return whole_tree(poker.GAME, poker.Rules(table=name))


def kuhn_policy(bets):
    """A policy of Kuhn poker from the chance to bet (or call a bet), by card and history: c for a check, b for a bet.

    What a bet answers is `call`, which has the lower number; before a bet `raise` has the higher one.
    """
    tree = tree_of("kuhn")
    table = np.zeros(tree.mask.shape)
    for i, seen in enumerate(tree.observation):
        it = poker.LAYOUT.decode(seen)
        history = "".join("?cb"[mark] for mark in it["history"][0] if mark)
        bet = bets[it["hand"][0][0], history]
        fold_or_check, call_or_bet = np.flatnonzero(tree.mask[i])
        table[i, [fold_or_check, call_or_bet]] = 1 - bet, bet
    return tree.flat(table)


# ------------------------------------------------------------------------------------------------- known figures


def test_kuhn_poker_uniform_play_is_exploited_for_eleven_twelfths():
    tree = tree_of("kuhn")
    policy = exact.uniform(tree)
    assert (len(tree.set_seat), len(tree.seat), len(tree.payoff), len(tree.deals)) == (12, 24, 30, 6)
    assert exact.nash_conv(tree, policy) == pytest.approx(11 / 12, abs=1e-12)
    assert exact.expected(tree, policy) == pytest.approx(1 / 8, abs=1e-12)
    assert tree.shared == 0


@pytest.mark.parametrize("a", [0, 1 / 6, 1 / 3])
def test_kuhn_poker_its_equilibria_cannot_be_exploited_and_lose_one_eighteenth(a):
    """Kuhn's family: the first seat bets the jack with chance a, the king with 3 a, calls with the queen a + 1/3."""
    bets = {("J", ""): a, ("Q", ""): 0, ("K", ""): 3 * a, ("J", "cb"): 0, ("Q", "cb"): a + 1 / 3, ("K", "cb"): 1}
    bets |= {("J", "c"): 1 / 3, ("Q", "c"): 0, ("K", "c"): 1, ("J", "b"): 0, ("Q", "b"): 1 / 3, ("K", "b"): 1}
    tree, policy = tree_of("kuhn"), kuhn_policy(bets)
    assert exact.expected(tree, policy) == pytest.approx(-1 / 18, abs=1e-12)
    assert exact.gains(tree, policy) == pytest.approx((0, 0), abs=1e-12)


def test_leduc_poker_uniform_play():
    tree = tree_of("leduc")
    assert len(tree.set_seat) == 936
    assert exact.nash_conv(tree, exact.uniform(tree)) == pytest.approx(4.747222222222222, abs=1e-9)
    assert exact.expected(tree, exact.uniform(tree)) == pytest.approx(-0.078125, abs=1e-9)


# ----------------------------------------------------------------------------------- a second way, slow and plain


def first_tables(rules):
    """Every deal of poker as a table of its own: the cards of the pack in every order."""
    rest = poker.GAME.shape(rules).deck.names
    board = 1 if rules.table == "leduc" else 0
    for mine in rest:
        for its in rest:
            for last in rest if board else [None]:
                if len({mine, its, last}) < 3:
                    continue
                left = [card for card in rest if card not in (mine, its, last)]
                made = Table(poker.GAME, rules, episode="deal")
                made.reset(1, deal={"hands": [[mine], [its]], "board": [last][:board], "rest": left})
                made.settle()
                yield made


def best(group, me, policy):
    """What ``me`` gets at most from these tables, alike to it so far, [(table, weight)]: sum of weight × reward."""
    total, asked, going = 0.0, {}, list(group)
    while going:
        at, weight = going.pop()
        if at.over != RUNNING:
            total += weight * at.returns()[0][me]
        elif at.seat == me:
            asked.setdefault(at.observe(me).tobytes(), []).append((at, weight))
        else:
            for action, chance in policy[at.seat, at.observe(at.seat).tobytes()].items():
                going.append((played(at, action), weight * chance))
    for alike in asked.values():
        total += max(best([(played(at, action), w) for at, w in alike], me, policy) for action in alike[0][0].legal())
    return total


def played(at, action):
    after = at.clone()
    after.play(action)
    after.settle()
    return after


@pytest.mark.parametrize("seed", [1, 2])
def test_a_best_response_is_that_of_plain_recursion_over_tables(seed):
    tree, rng = tree_of("kuhn"), np.random.default_rng(seed)
    policy = tree.flat(shares(tree, rng.random(len(tree.action)) ** 3))
    named = {
        (int(tree.set_seat[i]), tree.observation[i].tobytes()): {
            int(tree.action[s]): policy[s] for s in np.flatnonzero(tree.set_of == i)
        }
        for i in range(len(tree.set_seat))
    }
    tables = list(first_tables(poker.Rules(table="kuhn")))
    for me in (0, 1):
        slow = best([(at, 1 / len(tables)) for at in tables], me, named)
        value, answer = exact.best_response(tree, policy, me)
        assert value == pytest.approx(slow, abs=1e-12)
        assert (1, -1)[me] * exact.expected(tree, answer) == pytest.approx(slow, abs=1e-12)
        assert (answer == policy)[tree.set_seat[tree.set_of] != me].all()


def shares(tree, weight):
    return weight / np.add.reduceat(weight, tree.first_choice)[tree.set_of]


# ------------------------------------------------------------------------------------- what is no tree of this kind


class Made:
    """Positions of a made-up game: nodes by name, each (seat, what it sees, {action: node}) or what seat 0 is paid."""

    def __init__(self, nodes, deals=("a",), seats=2):
        self.nodes, self.names, self.first = nodes, list(nodes), deals
        self.game, self.shape = SimpleNamespace(name="made-up"), SimpleNamespace(seats=seats)

    def deals(self):
        return np.array([self.names.index(name) for name in self.first])

    def over(self, states):
        return np.array([not isinstance(self.nodes[self.names[s]], tuple) for s in states], bool)

    def returns(self, states):
        paid = np.array([float(self.nodes[self.names[s]]) for s in states]).reshape(-1, 1)
        return np.hstack([paid, -paid])

    def ask(self, states):
        found = [self.nodes[self.names[s]] for s in states]
        seat = np.array([seat for seat, _, _ in found], np.int8)
        seen = np.array([[seen] for _, seen, _ in found], np.int8)
        mask = np.array([[action in after for action in range(3)] for _, _, after in found], np.int8)
        return seat, seen, mask

    def after(self, states, parents, actions):
        found = zip(states[parents], actions, strict=True)
        return np.array([self.names.index(self.nodes[self.names[s]][2][int(a)]) for s, a in found], np.int64)

    def content(self, states):
        return states.reshape(-1, 1)


def build(nodes, **more):
    return gametree._Builder(Made(nodes, **more)).build()


def test_a_seat_that_forgets_is_refused():
    """Seat 0 chooses twice and does not see at its second choice what the first one was."""
    nodes = {"a": (0, 1, {0: "b", 1: "c"}), "b": (0, 2, {0: "1", 1: "2"}), "c": (0, 2, {0: "3", 1: "0"})}
    nodes |= {str(paid): paid for paid in range(4)}
    with pytest.raises(ValueError, match=r"^made-up: a seat forgets what it has done"):
        build(nodes)


def test_positions_are_one_where_they_are_the_same_and_a_single_one_may_forget_the_way():
    """Two ways to one position: its information set hides nothing, so that its best choice is known."""
    nodes = {"a": (0, 1, {0: "b", 1: "c"}), "b": (1, 2, {0: "d", 1: "0"}), "c": (1, 3, {0: "d", 1: "4"})}
    nodes |= {"d": (0, 5, {0: "1", 1: "3"})} | {str(paid): paid for paid in range(5)}
    tree = build(nodes)
    assert (len(tree.seat), tree.shared) == (4, 1)
    uniform = exact.uniform(tree)
    assert exact.expected(tree, uniform) == pytest.approx((2 / 2 + 0 / 2 + 2 / 2 + 4 / 2) / 2)
    assert exact.best_response(tree, uniform, 0)[0] == pytest.approx(3.5)  # c, then 3 of 4
    assert exact.best_response(tree, uniform, 1)[0] == pytest.approx(-1)  # 0 from b, 2 from c


def test_single_actions_are_no_decisions_and_branches_may_pass_over_levels():
    nodes = {"a": (0, 1, {0: "b", 1: "c"}), "b": (1, 2, {2: "d"}), "c": (1, 3, {0: "0", 1: "4"})}
    nodes |= {"d": (0, 4, {0: "1", 1: "3"})} | {str(paid): paid for paid in range(5)}
    tree = build(nodes)
    assert (tree.decisions_at.tolist(), len(tree.child), tree.shared) == ([0, 1, 2, 3], 6, 0)
    assert exact.expected(tree, exact.uniform(tree)) == pytest.approx((2 + 2) / 2)
    assert exact.gains(tree, exact.uniform(tree)) == pytest.approx((1, 1))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"c": (1, 2, {0: "0", 2: "4"})}, "what a seat may do depends on what it does not see"),
        ({"d": (1, 2, {0: "1", 1: "3"}), "b": (0, 9, {0: "d", 1: "0"})}, "positions at different depths look the same"),
    ],
)
def test_what_is_seen_must_tell_what_may_be_done_and_how_deep_one_is(change, words):
    nodes = {"a": (0, 1, {0: "b", 1: "c"}), "b": (1, 2, {0: "d", 1: "0"}), "c": (1, 2, {0: "0", 1: "4"})}
    nodes |= {"d": (0, 4, {0: "1", 1: "3"})} | {str(paid): paid for paid in range(5)} | change
    with pytest.raises(ValueError, match=words):
        build(nodes)


def test_games_of_other_kinds_are_refused():
    with pytest.raises(ValueError, match=r"^pan: only games for two have a tree here, not for 3"):
        whole_tree(karty.GAMES["pan"])
    with pytest.raises(ValueError, match=r"^pan is too large to be solved; mini games: tysiac_8, pan_12"):
        exploitability("pan", "rule")


def test_equal_rows_have_one_number():
    rows = np.random.default_rng(1).integers(0, 3, (5000, 9)).astype(np.int8)
    number, first = numbered(rows)
    assert len(first) == len({row.tobytes() for row in rows})
    assert (rows[first][number] == rows).all()


# ------------------------------------------------------------------------------------------------ policies, agents


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda table: table[:3], r"a policy is probabilities \[12, 3\] or \[24\], not \[3, 3\]"),
        (lambda table: table * 0.9, "at least 0 and sum to 1"),
        (lambda table: np.where(table > 0, np.nan, 0), "at least 0 and sum to 1"),
        (lambda table: np.full_like(table, 1 / 3), "an action that is not legal a probability"),
    ],
)
def test_a_table_that_is_no_policy_is_refused(wrong, words):
    tree = tree_of("kuhn")
    with pytest.raises(ValueError, match=words):
        tree.flat(wrong(tree.mask / tree.mask.sum(1, keepdims=True)))


class Draws:
    """Draws lots and tells nobody."""

    name = "draws"

    def act(self, observation, mask, rng):
        return np.array([rng.choice(np.flatnonzero(row)) for row in mask])


class Tells(Draws):
    name = "tells"

    def probabilities(self, observation, mask):
        return mask / mask.sum(1, keepdims=True)


def test_agents_tell_their_probabilities_or_always_do_the_same():
    mask = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 1]], np.int8)
    seen = np.zeros((3, 5), np.int8)
    assert probabilities(Tells(), seen, mask).tolist() == [[0.5, 0.5, 0], [0, 1, 0], [1 / 3, 1 / 3, 1 / 3]]
    with pytest.raises(AgentError, match=r"^agent draws draws lots; .* probabilities"):
        probabilities(Draws(), np.zeros((60, 5), np.int8), np.ones((60, 3), np.int8))
    random = karty.load_agent("tysiac", "random")
    assert probabilities(random, seen, mask).tolist() == probabilities(Tells(), seen, mask).tolist()


class Best:
    """Plays a best response of seat 0, choice by choice, and what else comes first."""

    name = "best"

    def __init__(self, tree, policy):
        self.known = {tree.observation[i].tobytes(): i for i in np.flatnonzero(tree.set_seat == 0)}
        self.chosen = np.zeros(len(tree.set_seat), np.int64)
        self.chosen[tree.set_of[policy == 1]] = tree.action[policy == 1]

    def act(self, observation, mask, rng):
        places = [self.known.get(row.tobytes(), -1) for row in observation]  # none where there is no choice
        return np.array([legal.argmax() if i < 0 else self.chosen[i] for i, legal in zip(places, mask, strict=True)])


def test_of_a_mini_the_command_tells_what_the_function_tells_and_what_is_played(capsys):
    """Uniform play loses nothing to itself, and all that can be won from it is the whole of uniform play's NashConv."""
    assert main(["exploit", "pan_12", "--agent", "random", "--json"]) == 0
    (line,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert list(line) == ["game", "rules", "agent", "value", "gains", "nash_conv", "uniform", "share"]
    assert (line["game"], line["agent"], line["share"]) == ("pan_12", "random", 1)
    assert line["value"] == pytest.approx(0, abs=1e-12)  # either seat may hold 9H
    assert sum(line["gains"]) == line["nash_conv"] == line["uniform"]
    result = exploitability("pan_12", Tells())
    assert dataclasses.replace(result, agent="random").to_dicts() == [line]
    assert main(["exploit", "pan_12", "--agent", "rule"]) == 0
    said = capsys.readouterr().out
    assert "rule in both seats of pan_12" in said and "of uniform play's 1.55669" in said
    tree = whole_tree(karty.MINIS["pan_12"])
    value, answer = exact.best_response(tree, exact.uniform(tree), 0)
    assert value == pytest.approx(line["gains"][0])
    played = play_episodes("pan_12", [Best(tree, answer), "random"], range(2000))["reward"][:, 0]
    assert abs(played.mean() - value) < 4 * played.std() / 2000**0.5


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["pan_12", "--agent", "rule", "--inits", "none"], "--inits goes with --decisions in a mini game"),
        (["whist", "--agent", "rule"], "there is no game 'whist'"),
        (["pan_12", "--agent", "nobody"], "no agent 'nobody' for pan_12"),
    ],
)
def test_a_slip_is_one_line(words, said, capsys):
    assert main(["exploit", *words]) == 2
    told = capsys.readouterr().err
    assert said in told and told.count("\n") == 1
