"""Memory, fewer actions and rewards on the way in Gymnasium's vector, in Stable-Baselines3 and for networks."""

from __future__ import annotations

import importlib.util
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest

from nevsky import ACTIONS, NevskyError, Ruleset
from nevsky.encoding import SIZE
from nevsky.envs.action_sets import action_set
from nevsky.envs.batch import Batch
from nevsky.envs.frozen import FrozenNetwork
from nevsky.envs.layout import SEAT_SIZE
from nevsky.envs.vector import VectorSaintPetersburg
from tests.rulesets import CONFIGURATIONS

with_sb3 = pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="sb3-contrib is not installed")
OPTIONS: dict[str, Any] = {"memory": True, "actions": "ruleset", "shaping": "lead", "discount": 0.9}


def test_steps_are_those_of_the_batch() -> None:
    env: Any = gymnasium.make_vec("nevsky/SaintPetersburg-v0", num_envs=3, players=2, seat="rotating", **OPTIONS)
    batch = Batch(players=2, games=3, seed=7, opponents="random", **OPTIONS)
    observations, _ = env.reset(seed=7)
    assert env.single_action_space.n == 1068 and env.unwrapped.action_set is action_set(batch.ruleset)
    ended, paid = 0, 0
    while ended < 3:
        assert observations in env.observation_space
        np.testing.assert_array_equal(observations["observation"], batch.observations)
        np.testing.assert_array_equal(observations["action_mask"], batch.masks)
        np.testing.assert_array_equal(observations["history"], batch.history)
        actions = batch.sample()
        batch.step(actions)
        observations, rewards, terminations, _, infos = env.step(actions)
        np.testing.assert_allclose(rewards, batch.earned)
        paid += int((rewards[~terminations] != 0).sum())
        for i in np.flatnonzero(terminations):
            ended += 1
            assert infos["final_obs"][i] in env.single_observation_space
            np.testing.assert_array_equal(infos["final_obs"][i]["history"], batch.final_history[i])  # type: ignore[index]
    assert paid > 20


def test_flat_observations_remember_rubles() -> None:
    env = VectorSaintPetersburg(2, players=3, memory=True, flat=True)
    rows, _ = env.reset(seed=1)
    assert rows in env.observation_space and (rows[:, SEAT_SIZE + 2] == 1).all()
    assert env.batch.history is not None


def test_observations_stay_as_they_were() -> None:
    env = VectorSaintPetersburg(2, players=3, opponents=None, memory=True)
    env.reset(seed=1)
    first = env.step(env.batch.sample())[0]["history"]
    kept = first.copy()
    env.step(env.batch.sample())
    assert env.batch.history is not None
    assert (first == kept).all() and (env.batch.history != kept).any()


def test_a_refused_action_leads_from_a_state_to_itself() -> None:
    env = VectorSaintPetersburg(2, players=2, illegal="refuse", shaping="lead", discount=0.5)
    env.reset(seed=3)
    assert env.batch.potentials is not None
    while (here := env.batch.potentials[0, env.batch.seats[0]]) == 0:
        env.step(env.batch.sample())
    for _ in range(2):
        actions = env.batch.sample()
        actions[0] = len(ACTIONS) - 1
        _, rewards, _, _, infos = env.step(actions)
        assert infos["refused"].tolist() == [True, False] and rewards[0] == pytest.approx(-here / 2)


def layers(actions: int, seed: int = 1) -> list[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
    chance = np.random.default_rng(seed)
    sizes = [(16, SIZE), (actions, 16)]
    return [(chance.normal(size=size).astype(np.float32), chance.normal(size=size[0])) for size in sizes]


@pytest.mark.parametrize("name", ["second-2", "all-modules-3"])
def test_a_network_for_fewer_actions_plays_like_one_for_all(name: str) -> None:
    ruleset = CONFIGURATIONS[name]
    ids = action_set(ruleset).to_full
    whole = layers(len(ACTIONS))
    small = [whole[0], (whole[1][0][ids], whole[1][1][ids])]
    one = Batch(ruleset, 2, seed=3, opponents=FrozenNetwork(whole))
    other = Batch(ruleset, 2, seed=3, opponents=FrozenNetwork(small, ruleset=ruleset))
    for _ in range(60):
        one.step(actions := one.sample())
        other.step(actions)
        np.testing.assert_array_equal(one.observations, other.observations)


def test_a_network_for_fewer_actions_plays_no_other_ruleset() -> None:
    network = FrozenNetwork(layers(1068), ruleset=Ruleset("second", 2))
    Batch(players=3, games=1, opponents=network)
    batch = Batch(players=2, modules="1", games=1, seed=1, opponents="random")
    with pytest.raises(NevskyError, match="other actions"):
        batch.set_opponents(network)
    assert batch.opponents == "random"
    with pytest.raises(NevskyError, match=r"\(1068, 16\)"):
        FrozenNetwork(layers(len(ACTIONS)), ruleset=Ruleset("second", 2))


def test_a_network_with_memory_sees_rubles() -> None:
    """Passes where it sees rubles of the other seat, which a network without memory never does."""
    hidden = np.zeros((1, SIZE), np.float32)
    hidden[0, SEAT_SIZE + 2] = 1
    taste = np.zeros(len(ACTIONS), np.float32)
    taste[0] = -1
    out = np.zeros((len(ACTIONS), 1), np.float32)
    out[0] = 2
    given = [(hidden, np.zeros(1)), (out, taste)]
    scores = []
    for memory in (False, True):
        batch = Batch(players=2, games=1, seed=1, opponents=FrozenNetwork(given, memory=memory), learner=0)
        while not batch.dones[0]:
            batch.step(batch.sample())
        scores.append(int(batch.scores[0, 1]))
    assert scores[0] > scores[1]


@with_sb3
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_a_model_learns_with_fewer_actions_and_plays_against_itself() -> None:
    from sb3_contrib import MaskablePPO

    from nevsky.envs.sb3 import BatchVecEnv, freeze

    ruleset = Ruleset("second", 2)
    env = BatchVecEnv(4, ruleset, **OPTIONS)
    assert env.action_space.n == 1068
    model = MaskablePPO("MlpPolicy", env, n_steps=8, batch_size=16, n_epochs=1, policy_kwargs={"net_arch": [8]})
    model.learn(64)
    env.set_opponents(freeze(model, ruleset=ruleset, memory=True))
    model.learn(64)
