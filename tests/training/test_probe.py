"""The probe: swaps that change nothing gain nothing, bad habits are found, marriages are counted by hand."""

import dataclasses

import numpy as np
import pytest

import karty
from karty.agents.agent import load_agent
from karty.envs.layout import Layout
from karty.training.evaluate import Played, evaluation_seeds, play_rotations
from karty.training.habits import Habits
from karty.training.phases import Phases
from karty.training.probe import Stream, Swapped, _success, count_choices, count_melds, probe, share, watch

GAME = karty.GAMES["tysiac"]
RULES = GAME.rules()
SHAPE = GAME.shape(RULES)
LAYOUT, ACTIONS = SHAPE.observation, SHAPE.actions
RULE = load_agent("tysiac", "rule")
PHASES = ["auction", "give", "contract", "play"]


class Always:
    """The same action whatever happens."""

    def __init__(self, action):
        self.name, self.action, self.rows = "always", action, 0

    def act(self, observation, mask, rng):
        self.rows += len(mask)
        return np.full(len(mask), self.action)


class FirstLegal:
    """The first legal action, whatever it is."""

    name = "first"

    def act(self, observation, mask, rng):
        return mask.argmax(axis=1)


class Silent:
    """Plays like the built-in player, but passes wherever it may."""

    name = "silent"

    def act(self, observation, mask, rng):
        may_pass = mask[:, ACTIONS.index("pass")] == 1
        return np.where(may_pass, ACTIONS.index("pass"), RULE.act(observation, mask, rng))


class Mute:
    """Plays like the built-in player, but lays the card of a marriage without a word."""

    name = "mute"
    without = np.array([ACTIONS.index(name.replace("meld", "play")) for name in ACTIONS])

    def act(self, observation, mask, rng):
        return self.without[RULE.act(observation, mask, rng)]


@pytest.fixture(scope="module")
def of_rule():
    return probe("tysiac", "rule", deals=40, matches=4)


@pytest.fixture(scope="module")
def of_silent():
    return probe("tysiac", Silent(), deals=300, matches=60)


def test_to_swap_a_player_for_itself_gains_exactly_0(of_rule):
    swaps = [line for line in of_rule.findings if line.probe == "swap"]
    assert [(line.case, line.estimate.metric) for line in swaps] == [
        *((phase, "points") for phase in PHASES),
        *((phase, "wins") for phase in PHASES),
    ]
    assert {(line.estimate.mean, line.estimate.low, line.estimate.high) for line in swaps} == {(0, 0, 0)}
    assert [line.count for line in swaps] == [40] * 4 + [4] * 4
    assert of_rule.truncated == 0


def test_an_agent_that_never_bids_is_found_by_the_swap_of_the_auction_alone(of_silent):
    assert of_silent.find("swap", "auction", "wins").estimate.low > 0.1
    for phase in PHASES[1:]:
        assert of_silent.find("swap", phase, "wins").estimate.mean == 0
        assert of_silent.find("swap", phase, "points").estimate.mean == 0


def test_an_agent_that_never_bids_has_no_voluntary_contract(of_silent, of_rule):
    voluntary = of_silent.find("contracts", "", "voluntary")
    assert (voluntary.estimate.mean, voluntary.count, voluntary.counted) == (0, 900, "hands")
    with pytest.raises(KeyError):
        of_silent.find("contracts", "voluntary", "made")
    # What it declares it declares as the seat that had to open.
    declares, forced = of_silent.find("contracts", "", "declares"), of_silent.find("contracts", "forced", "made")
    assert forced.count == round(900 * declares.estimate.mean) > 0
    assert of_rule.find("contracts", "", "voluntary").estimate.mean > 0.05


def test_the_levels_make_up_all_contracts(of_rule):
    made = [line for line in of_rule.findings if line.estimate.metric == "made"]
    total = {line.case: (line.count, round(line.count * line.estimate.mean)) for line in made}
    kinds = np.sum([total.pop("voluntary"), total.pop("forced")], axis=0)
    assert all(int(level) >= 100 and int(level) % 10 == 0 for level in total)
    assert np.sum(list(total.values()), axis=0).tolist() == kinds.tolist()
    # Three of the same agent at one table declare every deal between them.
    assert kinds[0] == 40
    assert of_rule.find("contracts", "", "declares").estimate.mean == pytest.approx(1 / 3)


def test_an_agent_that_never_melds():
    found = probe("tysiac", Mute(), deals=60, matches=0)
    assert found.find("marriages", "", "melded").estimate.mean == 0
    assert found.find("marriages", "", "first_chance").estimate.mean == 0
    assert found.find("marriages", "", "melded").count > 5
    assert {line.estimate.metric for line in found.findings if line.probe == "marriages"} == {"first_chance", "melded"}
    assert {line.counted for line in found.findings if line.probe == "swap"} == {"deals"}


def test_marriages_by_hand():
    # Seven deals (columns), four decisions (rows), of which deal 5 has but two.
    steps = [
        ["play 9S", "meld QH", "play AS", "play AS", "meld KS", "meld KD", "play 9S"],
        ["meld KH", "play 9S", "play KH", "play QH", "meld QC", "play 9S", "meld QH"],
        ["play 9S", "play 9S", "play 9S", "meld QH", "play AS", "play 9S", "play 9S"],
        ["play 9S", "play 9S", "play 9S", "play KH", "play AS", "meld QH", "play 9S"],
    ]
    may = [
        ["H", "H", "H", "H", "SC", "D", ""],
        ["H", "", "", "H", "C", "", "H"],
        ["", "", "", "H", "", "H", ""],
        ["", "", "", "", "", "", ""],
    ]
    action = np.array([[ACTIONS.index(name) for name in row] for row in steps])
    mask = np.zeros((4, 7, len(ACTIONS)), np.int8)
    for t, i in np.ndindex(4, 7):
        for suit in may[t][i]:
            mask[t, i, [ACTIONS.index(f"meld Q{suit}"), ACTIONS.index(f"meld K{suit}")]] = 1
    asked = np.ones((4, 7), bool)
    asked[2:, 5] = False
    observation = np.zeros((5, 7, LAYOUT.size), np.int8)
    for t in range(5):  # t tricks of the observer and two of the next seat are over
        observation[t, :, LAYOUT["tricks"].start : LAYOUT["tricks"].start + 2] = t, 2
    nothing = np.zeros((5, 7))
    stream = Stream(observation, nothing, nothing, mask, action, asked, asked & False)
    found = count_melds(stream, LAYOUT, ACTIONS)
    # By suit: spades of deal 4, clubs of deal 4, diamonds of deal 5, hearts of deals 0 … 3 and 6.
    assert ACTIONS[24:32:2] == ("meld QS", "meld QC", "meld QD", "meld QH")
    assert found.first.tolist() == [True, False, True, False, True, False, False, True]
    assert found.melded.tolist() == [True, True, True, True, True, False, True, True]
    assert found.queen[found.melded].tolist() == [False, True, False, False, True, True, True]
    assert found.trick[found.melded].tolist() == [3, 4, 3, 4, 3, 5, 4]


def test_choices_by_hand():
    # Three deals (columns), three decisions (rows); the last deal has but one.
    actions = ("bid 100", "bid 110", "pass", "play 9S")
    action = np.array([[0, 2, 2], [1, 2, 0], [3, 3, 0]])
    legal = [[(0, 2), (0, 1, 2), (0, 2)], [(0, 1), (1, 2), ()], [(2, 3), (0, 3), ()]]
    mask = np.zeros((3, 3, 4), np.int8)
    for t, i in np.ndindex(3, 3):
        mask[t, i, list(legal[t][i])] = 1
    asked = np.array([[True] * 3, [True, True, False], [True, True, False]])
    nothing = np.zeros((4, 3))
    stream = Stream(nothing[..., None], nothing, nothing, mask, action, asked, asked & False)
    found = count_choices(stream, Habits(actions))
    # Between two bids alone (deal 0, second decision) nothing was chosen but a level.
    assert found.kind.tolist() == [0, 1, 1, 1, 2, 2]
    assert found.open.tolist() == [[True, True, False]] * 4 + [[False, True, True], [True, False, True]]
    assert found.hands.tolist() == [[True, False, True], [False, True, True], [False, True, False]]


def test_how_often_the_rule_based_player_chooses_what(of_rule):
    hands = 3 * of_rule.deals
    taken = {case: of_rule.find("choices", case, "taken") for case in ("bid", "pass")}
    # In an auction of Tysiac one bids or passes, and nothing else (the opener's hundred is forced).
    assert taken["bid"].count == taken["pass"].count
    assert taken["bid"].estimate.mean + taken["pass"].estimate.mean == pytest.approx(1)
    assert of_rule.find("choices", "play", "hands").estimate.mean == 1
    assert of_rule.find("choices", "play", "hands").count == hands


def test_a_game_without_marriages_or_tricks_has_none():
    stream = watch(GAME, [RULE] * 3, evaluation_seeds(2), seat=0, rules=RULES)
    assert count_melds(stream, LAYOUT, [name.replace("meld", "lay") for name in ACTIONS]) is None
    assert count_melds(stream, Layout([f for f in LAYOUT if f.name != "tricks"], np.int8), ACTIONS) is None
    assert count_melds(stream, LAYOUT, ACTIONS) is not None


def test_the_other_player_decides_in_its_phase_alone():
    observation = np.zeros((4, LAYOUT.size), np.int8)
    for row, phase in enumerate(("auction", "play", "give", "play")):
        observation[row, LAYOUT["phase"].start + LAYOUT["phase"].values.index(phase)] = 1
    mask = np.ones((4, len(ACTIONS)), np.int8)
    mine, other = Always(5), Always(7)
    swapped = Swapped(mine, other, Phases(LAYOUT), "play")
    assert swapped.act(observation, mask, np.random.default_rng(0)).tolist() == [5, 7, 5, 7]
    assert swapped.act(observation[:1], mask[:1], np.random.default_rng(0)).tolist() == [5]
    assert (mine.rows, other.rows) == (3, 2)
    assert swapped.name == "always (play: always)"


def test_what_is_watched_is_what_is_evaluated():
    seeds = evaluation_seeds(30)
    bold = load_agent("tysiac", "rule-bold")
    played = play_rotations(GAME, [bold, RULE, RULE], seeds, rules=RULES, episode="deal")
    for seat in range(3):
        stream = watch(GAME, [bold, RULE, RULE], seeds, seat=seat, rules=RULES)
        assert stream.ended.sum(0).tolist() == [1] * 30
        step = stream.ended.argmax(0)
        assert stream.points[step + 1, np.arange(30), seat].tolist() == played.points[seat, :, 0].tolist()
        assert (stream.seat[:-1][stream.asked] == seat).all()
        chosen = np.take_along_axis(stream.mask, stream.action[..., None], 2)[..., 0]
        assert chosen[stream.asked].all()
        assert (stream.mask[stream.asked].sum(-1) > 1).all()


def test_intervals_of_shares_against_figures_by_hand():
    # z² = 3.8415; 0 of 10: 0 and z² / (10 + z²); 5 of 10: 1/2 ± z / (2 √(10 + z²))
    none, half = share("made", np.zeros(10, bool)), share("made", np.arange(10) < 5)
    assert (none.metric, none.mean, none.low) == ("made", 0, 0)
    assert none.high == pytest.approx(0.27753, abs=1e-5)
    assert (half.mean, half.low, half.high) == pytest.approx((0.5, 0.23659, 0.76341), abs=1e-5)
    every = share("made", np.ones(10, bool))
    assert (every.mean, every.low, every.high) == pytest.approx((1, 1 - 0.27753, 1), abs=1e-5)


@pytest.mark.parametrize("name", karty.GAMES)
def test_every_game_is_probed(name):
    game = karty.GAMES[name]
    found = probe(name, "rule", deals=2, matches=2)
    swaps = [line for line in found.findings if line.probe == "swap"]
    assert [line.estimate.metric for line in swaps[:: len(swaps) - 1]] == [game.measure, game.outcome]
    cases = {line.case for line in swaps}
    assert cases
    assert cases <= set(Phases(game.shape(game.rules()).observation).names)


def test_in_a_game_without_phases_the_whole_player_is_swapped():
    # Whoever always names the first legal action is swapped for `rule`: then two of `rule` sit there as one.
    first = FirstLegal()
    found = probe("pan", first, deals=20, matches=0)
    swaps = [line for line in found.findings if line.probe != "choices"]
    assert [(line.probe, line.case, line.count) for line in swaps] == [("swap", "play", 20)]
    pan = karty.GAMES["pan"]
    rules = pan.rules()
    seeds = evaluation_seeds(20)
    other = load_agent("pan", "rule")
    before, after = (
        (play_rotations(pan, [agent, other, other], seeds, rules=rules, episode="deal").reward[..., 0] < 0).mean()
        for agent in (first, other)
    )
    assert found.find("swap", "play", "losses").estimate.mean == pytest.approx(after - before)
    assert before > 0.4 > after


def test_in_deals_of_a_game_of_losses_the_swap_counts_losses():
    # Two deals in one rotation: the first agent loses the first, in the second nobody does; its points are 10 each.
    reward, side = np.array([[[-1, 0.5, 0.5], [0, 0, 0]]]), np.arange(3)
    played = Played(reward, np.full((1, 2, 3), (10.0, 0, 0)), np.zeros((1, 2), bool))
    losing = dataclasses.replace(GAME, outcome="losses", measure="losses")
    assert _success(losing, played, side, "deal").tolist() == [[1, 0]]
    assert _success(losing, played, side, "match").tolist() == [[1, 0]]
    assert _success(GAME, played, side, "deal").tolist() == [[10, 10]]
    assert _success(GAME, played, side, "match").tolist() == [[0, 0]]


@pytest.mark.parametrize(("what", "said"), [({"matches": 1}, "matches must be 0 or"), ({"deals": 1}, "deals must be")])
def test_too_few_to_tell(what, said):
    with pytest.raises(ValueError, match=f"^{said} a whole number from 2"):
        probe("tysiac", "rule", **what)


def test_progress_goes_up_to_the_whole():
    told = []
    probe("tysiac", "rule", deals=4, matches=2, progress=lambda done, total: told.append((done, total)))
    shares = [done / total for done, total in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1
