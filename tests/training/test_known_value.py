"""Kuhn poker, whose value is known: self-play of two seats must come to it.

With best play the first seat loses 1/18 a game, and its opponent cannot make it lose more; uniform play can be
exploited for 11/12 in both seats together.
"""

import itertools

import numpy as np
import torch
from kuhn import BET, LAYOUT, STATES, KuhnTables, pay, row

from karty.agents.network import Network
from karty.training.config import PPOConfig
from karty.training.judge import Judge, Outcome
from karty.training.learner import Decisions, Learner
from karty.training.phases import Phases
from karty.training.rollout import Rollout, collect


def exploitability(policy):
    """What best responses gain in both seats together (NashConv); ``policy``: {(card, history): P(bet)}."""
    gain = 0.0
    for me in (0, 1):
        own = [history for history in STATES if len(history) % 2 == me]
        best = -9.0
        for plan in itertools.product((0.0, 1.0), repeat=3 * len(own)):
            answer = dict(policy)
            answer.update(zip(itertools.product(range(3), own), plan, strict=True))
            best = max(best, value(answer) * (1 if me == 0 else -1))
        gain += best
    return gain


def value(policy):
    """What the first seat wins on average if both seats play the policy."""

    def going_on(held, history):
        if history not in STATES:
            return pay(held, history)
        bet = policy[held[len(history) % 2], history]
        parts = [(1 - bet, "c"), (bet, "b")]
        return sum(share * going_on(held, history + move) for share, move in parts if share)

    return sum(going_on(held, "") for held in itertools.permutations(range(3), 2)) / 6


def policy_of(network):
    places = [(card, history) for card in range(3) for history in STATES]
    with torch.no_grad():
        rows = torch.from_numpy(np.stack([row(*place) for place in places]))
        logits, _ = network(rows, torch.ones(len(places), 2, dtype=torch.int8))
    return dict(zip(places, logits.softmax(-1)[:, BET].tolist(), strict=True))


def test_the_measure_itself_uniform_play_is_exploited_for_eleven_twelfths():
    uniform = {(card, history): 0.5 for card in range(3) for history in STATES}
    assert abs(exploitability(uniform) - 11 / 12) < 1e-12


def test_the_measure_itself_the_known_equilibrium_is_worth_a_loss_of_one_eighteenth():
    # Kuhn's family at a = 0: never bet first; call a bet with the queen 1/3 of the time as first seat, 1/3 as second, …
    best = {(card, history): 0.0 for card in range(3) for history in STATES}
    best |= {(2, "c"): 1.0, (2, "b"): 1.0, (2, "cb"): 1.0, (1, "b"): 1 / 3, (0, "c"): 1 / 3, (1, "cb"): 1 / 3}
    assert abs(value(best) + 1 / 18) < 1e-12
    assert abs(exploitability(best)) < 1e-12


def test_self_play_comes_to_the_value_of_kuhn_poker():
    tables = KuhnTables(1024, seed=1)
    generator = torch.Generator().manual_seed(1)
    network = Network(LAYOUT, 2, width=32, depth=1, generator=generator)
    config = PPOConfig(
        minibatch=2048,
        epochs=1,
        learning_rate=1e-3,
        learning_rate_end=1e-4,
        clip_range=0.05,
        entropy=0.2,
        entropy_end=0.05,
        ema_decay=0.998,
    )
    phases = Phases(LAYOUT)
    learner = Learner(network, Judge(), config, phases)
    rollout = Rollout(tables, 12)
    updates = 300
    for update in range(updates):
        collect(tables, network, rollout, generator)
        judged = learner.judge.judge(rollout, network, Outcome(rollout.reward, rollout.ended, 0.95, lambda *_: None))
        learner.improve(Decisions.of(rollout, judged, phases, by_phase=True), update / updates, generator)
    policy = policy_of(learner.average)
    assert abs(value(policy) + 1 / 18) < 0.02
    assert exploitability(policy) < 0.1  # uniform play: 0.917
