"""What the network learns from judged decisions: every gradient against one worked out by hand, and the average."""

import dataclasses

import numpy as np
import pytest
import torch

from karty.agents.network import Network
from karty.envs.engine import make_batch
from karty.envs.games import find_game
from karty.training.config import ImitationConfig, PPOConfig
from karty.training.judge import AheadJudge, Judge
from karty.training.learner import Decisions, Learner, entropy_factors
from karty.training.phases import Phases
from karty.training.processes import Alone

GAME = find_game("tysiac")
SHAPE = GAME.shape()
PHASES = Phases(SHAPE.observation)
CLIP, WEIGHT = 0.2, 0.7
"""Of the ratio, and of the value loss beside the policy's."""


class Watching(Alone):
    """Sees every gradient before it is cut, and the weights before the step."""

    def __init__(self):
        self.gradients, self.weights = [], []

    def average(self, weights):
        weights = list(weights)
        self.weights.append([weight.detach().clone() for weight in weights])
        self.gradients.append([torch.zeros_like(x) if x.grad is None else x.grad.clone() for x in weights])


def seen():
    """Observations and masks of an auction and of play later on."""
    batch = make_batch("tysiac", 12, seed=5, skip_forced=True)
    found, arrays = [], batch.reset()
    for _ in range(12):
        found.append((arrays["observation"].copy(), arrays["mask"].copy()))
        arrays = batch.step(batch.choose("rule"))
    return (torch.from_numpy(np.concatenate([found[0][k], found[-1][k]])) for k in range(2))


def learner(judge=None, **options):
    """A network with firm views, its average with others, and who watches them learn."""
    generator = torch.Generator().manual_seed(3)
    network = Network(SHAPE.observation, SHAPE.size, width=8, depth=2, generator=generator)
    with torch.no_grad():
        network.actor.weight.normal_(generator=generator)
    config = PPOConfig(**{"minibatch": 24, "epochs": 1, "clip_range": CLIP, "value_coefficient": WEIGHT, **options})
    made = Learner(network, judge or Judge(), config, PHASES, Watching())
    with torch.no_grad():
        made.average.actor.weight.normal_(generator=generator)
    return made


def decisions(network, *, all_actions=False):
    """Made-up decisions: the policy has moved on since half of them; of these some are beyond the clip range."""
    observation, mask = seen()
    rng = np.random.default_rng(2)
    m = len(observation)
    phase = torch.from_numpy(PHASES.of(observation.numpy()))
    assert {PHASES.names[k] for k in phase} == {"auction", "play"}
    action = torch.from_numpy((rng.random(mask.shape) * mask.numpy()).argmax(1))
    with torch.no_grad():
        policy = network(observation, mask)[0].softmax(-1)
    old = policy.gather(1, action[:, None])[:, 0].log()
    old[::2] += torch.from_numpy(rng.normal(0, 0.5, m)[::2]).float()
    before = policy * torch.from_numpy(rng.uniform(0.6, 1.6, mask.shape)).float()
    some = [torch.from_numpy(rng.normal(size=m)).float() for _ in range(4)]
    return Decisions(
        observation=observation,
        told=torch.from_numpy(rng.normal(size=(m, SHAPE.seats))).float(),
        mask=mask,
        action=action,
        old=old,
        expected=some[0],
        target=some[1],
        goal=some[2],
        advantage=some[3],
        phase=phase,
        phases=PHASES,
        spread=[0.0] * len(PHASES.names),
        undecided=torch.zeros(len(PHASES.names), 2, dtype=torch.float64),
        each=torch.from_numpy(rng.normal(size=mask.shape)).float() * mask if all_actions else None,
        policy=before / before.sum(-1, keepdim=True) if all_actions else None,
    )


def by_hand(made, data, bonus, factors):
    """Of the whole loss: its gradient in the logits `[m, A]` and values `[m]`, and its policy part, row by row."""
    with torch.no_grad():
        logits, value = made.network(data.observation, data.mask)
        other = made.average(data.observation, data.mask)[0]
    gradient, loss, m = np.zeros(logits.shape), 0.0, len(logits)
    for row in range(m):
        legal = np.flatnonzero(data.mask[row])
        p, q = (x[row, legal].double().softmax(-1).numpy() for x in (logits, other))
        taken = np.array(legal == int(data.action[row]), float)
        ratio = p[taken == 1][0] / np.exp(float(data.old[row]))
        gain = float(data.advantage[row])
        loss -= min(ratio * gain, min(max(ratio, 1 - CLIP), 1 + CLIP) * gain) / m
        total = np.zeros(len(legal))
        if not (gain > 0 and ratio > 1 + CLIP) and not (gain < 0 and ratio < 1 - CLIP):
            total -= gain * ratio * (taken - p)
        if data.each is not None:
            for k, action in enumerate(legal):
                gain, before = float(data.each[row, action]), float(data.policy[row, action])
                ratio = p[k] / before
                loss -= before * min(ratio * gain, min(max(ratio, 1 - CLIP), 1 + CLIP) * gain) / m
                if not (gain > 0 and ratio > 1 + CLIP) and not (gain < 0 and ratio < 1 - CLIP):
                    total -= gain * p[k] * (np.arange(len(legal)) == k) - gain * p[k] * p
        entropy = -(p * np.log(p)).sum()
        total += bonus * factors.get(PHASES.names[data.phase[row]], 1) * p * (np.log(p) + entropy)
        apart = (p * np.log(p / q)).sum()
        total += made.config.magnet * p * (np.log(p / q) - apart)
        gradient[row, legal] = total / m
    return gradient, WEIGHT * (value - data.target).numpy() / m, loss


def named(made, values):
    return dict(zip(made.named, values, strict=True))


@pytest.mark.parametrize("all_actions", [False, True])
@pytest.mark.parametrize(
    ("options", "factors"), [({}, {}), ({"magnet": 0.8}, {}), ({"entropy_phases": ("auction=3", "play=0")}, None)]
)
def test_the_gradient_of_an_update_is_the_one_by_hand(all_actions, options, factors):
    made = learner(entropy=0.5, entropy_end=0.125, **options)
    data = decisions(made.network, all_actions=all_actions)
    factors = {"auction": 3, "play": 0} if factors is None else factors
    # Halfway the weight of the entropy has fallen geometrically: √(0.5 · 0.125).
    logits, values, loss = by_hand(made, data, 0.25, factors)
    with torch.no_grad():
        features = made.network.features(data.observation).numpy()
    told = made.improve(data, 0.5, torch.Generator())
    assert told["entropy_weight"] == pytest.approx(0.25)
    assert told["policy_loss"] == pytest.approx(loss, abs=1e-5)
    (found,) = made.crew.gradients
    found = named(made, found)
    np.testing.assert_allclose(found["actor.bias"], logits.sum(0), atol=1e-5)
    np.testing.assert_allclose(found["actor.weight"], logits.T @ features, atol=1e-5)
    np.testing.assert_allclose(found["critic.weight"], values[None] @ features, atol=1e-5)
    assert np.abs(logits).max() > 0.01


def test_a_magnet_pulls_towards_the_average():
    def apart(made, data):
        with torch.no_grad():
            own, other = (net(data.observation, data.mask)[0].log_softmax(-1) for net in (made.network, made.average))
        return float((own.exp() * (own - other)).sum(-1).mean())

    far = {}
    for magnet in (0.0, 1000.0):
        made = learner(magnet=magnet, epochs=60, ema_decay=1.0, learning_rate=0.01, learning_rate_end=0.01)
        made.steps = 10**9  # so that the average stays where it is
        data = decisions(made.network)
        before = apart(made, data)
        made.improve(data, 0.0, torch.Generator())
        far[magnet] = apart(made, data) / before
    assert far[1000.0] < 0.2 < 0.6 < far[0.0]


def test_without_entropy_in_a_phase_nothing_is_learned_from_decisions_that_were_worth_nothing():
    gradients = {}
    for word in ("auction=0", "auction=1", "auction=2.5"):
        made = learner(entropy=0.5, entropy_phases=(word,))
        data = decisions(made.network)
        only = {name: getattr(data, name)[:12] for name in ("observation", "told", "mask", "action", "old", "phase")}
        nothing = {name: torch.zeros(12) for name in ("expected", "target", "goal", "advantage")}
        made.improve(dataclasses.replace(data, **only, **nothing), 0.0, torch.Generator())
        gradients[word] = named(made, made.crew.gradients[0])["actor.weight"]
    assert not gradients["auction=0"].any()
    assert gradients["auction=1"].abs().max() > 1e-3
    torch.testing.assert_close(gradients["auction=2.5"], 2.5 * gradients["auction=1"])


def test_factors_of_the_entropy_are_by_phase_and_1_where_none_is_named():
    factors = entropy_factors(("play=0", "auction=2.5"), PHASES)
    named_so = dict(zip(PHASES.names, factors.tolist(), strict=True))
    assert {name: factor for name, factor in named_so.items() if factor != 1} == {"play": 0, "auction": 2.5}
    with pytest.raises(ValueError, match=r"--entropy-phases: there is no phase 'bidding'; phases: .*auction") as caught:
        entropy_factors(("bidding=2",), PHASES)
    assert "\n" not in str(caught.value)


def test_the_critic_of_the_judge_learns_too_and_is_cut_by_itself():
    judge = AheadJudge("rule", SHAPE, 8, 1.0, torch.Generator().manual_seed(4))
    with torch.no_grad():
        judge.last.weight.normal_(generator=torch.Generator().manual_seed(5))
    made = learner(judge, max_grad_norm=0.01)
    data = decisions(made.network)
    with torch.no_grad():
        x = judge.features(made.network.features(data.observation)) + judge.told(data.told)
        x = (x + judge.action.weight[data.action]).relu()
        value = judge.last(x)[:, 0] + judge.trust * data.told[:, 0]
        own = made.network.value(data.observation)
    off = value - data.goal
    told = made.improve(data, 0.0, torch.Generator())
    expected = 0.5 * off.square().mean() + 0.5 * (own - data.target).square().mean()
    assert told["value_loss"] == pytest.approx(float(expected), rel=1e-5)
    raw = named(made, made.crew.gradients[0])
    torch.testing.assert_close(raw["judge.last.weight"], WEIGHT * (off[:, None] * x).mean(0)[None])
    torch.testing.assert_close(raw["judge.trust"], WEIGHT * (off * data.told[:, 0]).mean())
    # Of both the gradient was too long; each was cut to 0.01 in its own norm, of which Adam's moment is a tenth.
    for part in (True, False):
        names = [name for name in made.named if name.startswith("judge.") == part]
        length = torch.cat([raw[name].flatten() for name in names]).norm()
        assert length > 0.02
        for name in names:
            moment = made.optimiser.state[made.named[name]]["exp_avg"]
            torch.testing.assert_close(moment, 0.1 * 0.01 / length * raw[name], rtol=1e-3, atol=1e-8)
    assert all(
        not torch.equal(before, after) for before, after in zip(made.crew.weights[0], made.named.values(), strict=True)
    )


def test_the_average_is_of_few_steps_at_first_and_then_decays_as_told():
    made = learner(minibatch=8, epochs=2, ema_decay=0.3)
    expected = [weight.clone() for weight in made.average.parameters()]
    made.improve(decisions(made.network), 0.0, torch.Generator())
    after = [*made.crew.weights[1:], [weight.detach() for weight in made.network.parameters()]]
    assert made.steps == len(after) == 6
    for weights, stays in zip(after, (2 / 11, 3 / 12, 0.3, 0.3, 0.3, 0.3), strict=True):
        expected = [stays * one + (1 - stays) * two for one, two in zip(expected, weights, strict=True)]
    for one, two in zip(made.average.parameters(), expected, strict=True):
        torch.testing.assert_close(one, two)


def test_rates_fall_evenly_and_imitation_has_its_own():
    made = learner(learning_rate=0.01, learning_rate_end=0.002)
    assert made.improve(decisions(made.network), 0.25, torch.Generator())["learning_rate"] == pytest.approx(0.008)
    assert made.optimiser.param_groups[0]["lr"] == pytest.approx(0.008)
    made.imitate(decisions(made.network), ImitationConfig(imitation_rate=0.04), torch.Generator())
    assert made.optimiser.param_groups[0]["lr"] == pytest.approx(0.04)
