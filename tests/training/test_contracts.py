"""Contracts found in streams of decisions: hand-made streams, and whole matches against what the states say."""

import numpy as np
import pytest

import karty
from karty.envs.layout import Layout
from karty.training.contracts import Contracts, Deals

LAYOUT = karty.GAMES["tysiac"].shape(karty.GAMES["tysiac"].rules()).observation
P = 3


def seen(me, *, dealer=0, scores=(0, 0, 0), scored=0, declarer=None, contract=0, bids=1):
    """What a seat sees; seats are given as they sit at the table. ``bids``: how many levels were bid, from 100 on."""
    row = np.zeros(LAYOUT.size, np.int8)
    row[LAYOUT["dealer"].start + (dealer - me) % P] = 1
    if declarer is not None:
        row[LAYOUT["declarer"].start + (declarer - me) % P] = 1
    row[LAYOUT["contract"].start] = contract // 10
    row[LAYOUT["bids"].start : LAYOUT["bids"].start + bids] = 1
    row[LAYOUT["deals_played"].start] = scored
    for seat, score in enumerate(scores):
        row[LAYOUT["score_tens"].start + (seat - me) % P] = score // 10
        row[LAYOUT["score_ones"].start + (seat - me) % P] = score % 10
    return row


def stream(*rows):
    """One table: rows of (seat, what else it sees); gives observation, seat, and nothing for points and ended yet."""
    observation = np.stack([seen(me, **what) for me, what in rows])[:, None]
    seat = np.array([me for me, _ in rows], np.int8)[:, None]
    return observation, seat, np.zeros((len(rows), 1, P)), np.zeros((len(rows) - 1, 1), bool)


def count(observation, seat, points, ended):
    return Contracts.of(LAYOUT, P).count(observation, seat, points, ended)


MATCH = stream(
    # deal 0, dealt by 0: seat 1 plays 120 and makes it; seats 2 and 1 are asked at the end, in the next deal seat 0
    (2, {"declarer": 1, "contract": 120, "bids": 3}),
    (1, {"declarer": 1, "contract": 120, "bids": 3}),
    (0, {"dealer": 1, "scored": 1, "scores": (25, 120, -15)}),
    # deal 1, dealt by 1: seat 2 must play the hundred, fails
    (0, {"dealer": 1, "scored": 1, "scores": (25, 120, -15), "declarer": 2, "contract": 100}),
    # deal 2, dealt by 2: seat 0 bids 110 and concedes before it names a contract
    (0, {"dealer": 2, "scored": 2, "scores": (75, 180, -115), "declarer": 0, "bids": 2}),
    # deal 3, dealt by 0: seat 1 takes it for 100, bids no more, but plays 150 and makes it
    (1, {"dealer": 0, "scored": 3, "scores": (-25, 220, -75), "declarer": 1, "contract": 150}),
    # deal 4, dealt by 1: seat 2 plays 110, and deal 5 ends before anybody in the stream is asked again
    (1, {"dealer": 1, "scored": 4, "scores": (-25, 370, -75), "declarer": 2, "contract": 110, "bids": 2}),
    # deal 6, dealt by 0: seat 1 plays 200, makes it, and the match is over
    (0, {"dealer": 0, "scored": 6, "scores": (0, 800, 0), "declarer": 1, "contract": 200, "bids": 11}),
    # the next match
    (2, {"dealer": 2}),
)


def ended_match(points=(40, 1000, 10)):
    observation, seat, given, ended = (array.copy() for array in MATCH)
    ended[7], given[8, 0] = True, points
    return observation, seat, given, ended


def test_a_match_by_hand():
    found = count(*ended_match())
    assert found.seat.tolist() == [1, 0, 0, 1, 0]
    assert found.declarer.tolist() == [1, 2, 0, 1, 1]
    assert found.contract.tolist() == [120, 100, 0, 150, 200]
    assert found.voluntary.tolist() == [True, False, False, False, True]
    assert found.played.tolist() == [True, True, False, True, True]
    assert found.made.tolist() == [True, False, False, True, True]
    assert found.change.tolist() == [
        [25, 120, -15],
        [50, 60, -100],
        [-100, 40, 40],
        [0, 150, 0],
        [40, 200, 10],
    ]
    # clockwise from the dealer: its left neighbour is 1, the dealer 3
    assert found.place.tolist() == [[3, 1, 2], [2, 3, 1], [1, 2, 3], [3, 1, 2], [3, 1, 2]]


def test_without_its_end_the_last_deal_is_not_counted():
    assert count(*MATCH).contract.tolist() == [120, 100, 0, 150]


def test_deal_episodes_at_two_tables():
    # Start scores differ: an episode's first deal changes what the episode changes.
    at = {"scores": (300, -40, 55), "dealer": 2, "declarer": 0, "contract": 110, "bids": 2}
    a = stream((0, at), (2, {"declarer": 2, "contract": 130, "bids": 4}), (1, {}))
    b = stream((1, {"declarer": 1}), (1, {"declarer": 1, "contract": 100}), (0, {}))
    observation, seat, points, ended = (np.concatenate(pair, axis=1) for pair in zip(a, b, strict=True))
    ended[:] = [[True, False], [True, True]]
    points[1, 0], points[2, 0], points[2, 1] = (110, 20, 30), (0, 60, -130), (40, -100, 45)
    found = count(observation, seat, points, ended)
    assert found.declarer.tolist() == [0, 2, 1]
    assert found.contract.tolist() == [110, 130, 100]
    assert found.voluntary.tolist() == [True, True, False]
    assert found.made.tolist() == [True, False, False]
    assert found.change.tolist() == [[110, 20, 30], [0, 60, -130], [40, -100, 45]]
    assert found.place.tolist() == [[1, 2, 3], [3, 1, 2], [3, 1, 2]]
    assert found.numbers() == {
        "voluntary": 2 / 3,
        "contract": 120,
        "score_by_position": {"1": (110 + 60 - 100) / 3, "2": (20 - 130 + 45) / 3, "3": (30 + 0 + 40) / 3},
    }


def test_a_score_too_large_to_be_shown_leaves_the_deal_out():
    played = {"declarer": 1, "contract": 100}
    low = stream((0, {"scored": 4, "scores": (0, -1280, 0), **played}), (0, {"scored": 5, "scores": (0, -1280, 0)}))
    assert len(count(*low).seat) == 0
    after = stream((0, {"scored": 4, "scores": (0, -1200, 0), **played}), (0, {"scored": 5, "scores": (0, -1280, 0)}))
    assert len(count(*after).seat) == 0
    near = stream((0, {"scored": 4, "scores": (0, -1170, 0), **played}), (0, {"scored": 5, "scores": (0, -1270, 0)}))
    assert count(*near).change.tolist() == [[0, -100, 0]]


def test_a_contract_that_gains_nothing_is_not_made():
    at = {"declarer": 1, "contract": 100, "scores": (0, 900, 0)}
    same = stream((0, {"scored": 4, **at}), (0, {"scored": 5, "scores": (20, 900, 0)}))
    assert count(*same).made.tolist() == [False]


def test_shares_made_by_level_need_enough_contracts():
    contract = np.array([100] * 20 + [110] * 19 + [0] * 5 + [120] * 40)
    gain = np.where(np.arange(len(contract)) % 4 == 0, -contract, contract)
    k = len(contract)
    deals = Deals(
        seat=np.zeros(k, np.int64),
        declarer=np.where(contract > 0, 2, -1),
        contract=contract,
        voluntary=contract > 100,
        change=np.stack([gain * 0, gain * 0, gain], 1),
        place=np.tile([1, 2, 3], (k, 1)),
    )
    told = deals.numbers()
    assert told["made"] == {"100": 0.75, "120": 0.75}
    assert told["voluntary"] == 59 / 79
    assert told["contract"] == pytest.approx((19 * 110 + 40 * 120) / 59)


def test_nothing_found_tells_nothing():
    assert count(*stream((0, {}), (1, {}))).numbers() == {}


def test_a_game_without_contracts_has_no_counters():
    for name in ("declarer", "contract", "bids", "score_tens", "score_ones", "deals_played"):
        assert Contracts.of(Layout([f for f in LAYOUT if f.name != name], np.int8), P) is None
    assert Contracts.of(Layout([f for f in LAYOUT if f.name not in ("dealer", "opener")], np.int8), P) is None


def test_places_may_be_told_by_the_seat_that_opens():
    layout = Layout([f for f in LAYOUT if f.name != "dealer"], np.int8)
    observation = np.zeros((2, 1, layout.size), np.int8)
    observation[:, 0, layout["opener"].start + 1] = 1  # seat 2, seen from seat 1
    observation[1, 0, layout["deals_played"].start] = 1
    seat = np.ones((2, 1), np.int8)
    found = Contracts.of(layout, P).count(observation, seat, np.zeros((2, 1, P)), np.zeros((1, 1), bool))
    assert found.place.tolist() == [[2, 3, 1]]


@pytest.mark.parametrize("learner", [None, 2])
def test_whole_matches_against_what_the_states_say(learner):
    n = 3
    batch = karty.make_batch(
        "tysiac", n, episode="match", seed=11, autoreset="off", learner=learner, skip_forced=True, rules={"bomb": "any"}
    )
    batch.reset()
    rows, states, done = [], [], [batch.finished.copy()]
    while True:
        rows.append({name: batch.arrays[name].copy() for name in ("observation", "seat", "points")})
        states.append(batch._states.copy())
        if done[-1].all():
            break
        batch.step(batch.choose("rule"))
        done.append(batch.finished.copy())
    arrays = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
    ended = ~np.stack(done)[:-1] & np.stack(done)[1:]
    found = count(arrays["observation"], arrays["seat"], arrays["points"], ended)

    wanted = []
    for t in range(len(states) - 1):
        for i in range(n):
            before, after = states[t][i], states[t + 1][i]
            if after["deal"] == before["deal"] + 1:
                places = [(seat - before["dealer"] - 1) % P + 1 for seat in range(P)]
                contract = int(before["contract"])
                bid = contract > 0 and before["highest"] > 100
                wanted.append((before["declarer"], contract, bid, after["change"][:P].tolist(), places))
    columns = (found.declarer, found.contract, found.voluntary, found.change.tolist(), found.place.tolist())
    assert list(zip(*columns, strict=True)) == wanted
    if learner is None:
        assert len(wanted) == sum(states[-1]["deal"])
        assert found.change.sum(0).tolist() == arrays["points"][1:][ended].sum(0).tolist()
    else:
        assert set(found.seat.tolist()) == {learner}
    assert 0 < found.made.sum() < found.played.sum()
