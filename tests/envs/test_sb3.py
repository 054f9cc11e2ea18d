"""The batch as an environment of Stable-Baselines3."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nevsky import NevskyError, Ruleset
from nevsky.envs.batch import Batch

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
with_sb3 = pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="sb3-contrib is not installed")


def make(games: int = 4, **options: Any) -> Any:
    from nevsky.envs.sb3 import BatchVecEnv

    return BatchVecEnv(games, **{"players": 2, **options})


@with_sb3
def test_steps_are_those_of_the_batch() -> None:
    env = make(3, reward="score", seat="rotating", opponents="heuristic", threads=2)
    batch = Batch(Ruleset(players=2), 3, seed=[7, 8, 9], reward="score", opponents="heuristic")
    env.seed(7)
    observations = env.reset()
    ended = 0
    while ended < 4:
        np.testing.assert_array_equal(observations, batch.observations)
        np.testing.assert_array_equal(np.stack(env.env_method("action_masks")), batch.masks != 0)
        np.testing.assert_array_equal(np.stack(env.env_method("state")), batch.state())
        np.testing.assert_array_equal(env.state(), batch.state())
        actions, asked = batch.sample(), batch.seats.copy()
        batch.step(actions)
        observations, rewards, dones, infos = env.step(actions)
        assert rewards.dtype == np.float32 and rewards.tolist() == batch.earned.tolist()
        assert dones.tolist() == batch.dones.tolist()
        for i in range(3):
            assert bool(infos[i]) == bool(dones[i])
            if dones[i]:
                ended += 1
                np.testing.assert_array_equal(infos[i]["terminal_observation"], batch.final_observations[i])
                assert infos[i]["TimeLimit.truncated"] is False
                assert infos[i]["seat"] == asked[i] and infos[i]["scores"] == batch.scores[i].tolist()
                assert infos[i]["points"] == batch.scores[i, asked[i]]
    env.close()


@with_sb3
def test_what_stable_baselines_asks_of_an_environment() -> None:
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
    from stable_baselines3.common.vec_env import VecEnv

    env = make(4)
    assert isinstance(env, VecEnv) and env.num_envs == 4
    env.seed(1)
    rows = env.reset()
    assert env.observation_space.contains(rows[0]) and rows.shape[0] == 4
    assert is_masking_supported(env) and get_action_masks(env).shape == (4, env.action_space.n)
    assert len(env.env_method("action_masks", indices=[1, 2])) == 2
    assert env.get_attr("num_envs", indices=0) == [4]
    assert env.env_is_wrapped(object) == [False] * 4
    assert [info["seat"] in (0, 1) for info in env.reset_infos] == [True] * 4
    assert not env.has_attr("castle")
    with pytest.raises(NevskyError, match="no method 'render'"):
        env.env_method("render")
    with pytest.raises(NevskyError, match="'castle' cannot be set"):
        env.set_attr("castle", 1)
    with pytest.raises(NevskyError, match="one seat learns"):
        make(4, learners=(0, 1))


@with_sb3
def test_masked_ppo_learns_in_it_against_what_it_was(tmp_path: Path) -> None:
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.vec_env import VecMonitor

    from nevsky.bots.loading import load_bot
    from nevsky.envs.sb3 import freeze

    inner = make(4, reward="score")
    model = MaskablePPO("MlpPolicy", VecMonitor(inner), n_steps=16, batch_size=32, n_epochs=1, seed=1)
    model.learn(64)
    inner.set_opponents(freeze(model))
    model.learn(128)
    model.save(tmp_path / "model")
    assert callable(load_bot(f"sb3:{tmp_path / 'model.zip'}"))


@with_sb3
@pytest.mark.parametrize("activation", ["ReLU", "Tanh"])
def test_a_frozen_policy_says_what_the_model_says(activation: str) -> None:
    import torch
    from sb3_contrib import MaskablePPO

    from nevsky.envs.sb3 import freeze

    env = make(2, opponents="random")
    env.seed(3)
    policy = {"activation_fn": getattr(torch.nn, activation), "net_arch": [24, 12]}
    model = MaskablePPO("MlpPolicy", env, policy_kwargs=policy, seed=1)
    with torch.no_grad():
        model.policy.action_net.weight.mul_(300)  # as they are at first all actions look nearly alike
    rows = env.reset()
    frozen = freeze(model, sample=False)
    net = frozen.net(Ruleset(players=2))
    with torch.no_grad():
        model.policy.action_net.weight.mul_(-1)
        model.policy.action_net.weight.mul_(-1)
    for _ in range(20):
        masks = env.action_masks()
        actions, _ = model.predict(rows, action_masks=masks, deterministic=True)
        for i in range(2):
            position = env.vector.batch.position(i)
            legal = position.legal()
            assert legal[int(np.argmax(net.values(position)))] == actions[i]
        rows, *_ = env.step(actions)


@with_sb3
def test_only_plain_policies_can_be_frozen() -> None:
    import torch
    from stable_baselines3 import DQN, PPO

    from nevsky.envs.sb3 import freeze

    env = make(2)
    strange = PPO("MlpPolicy", env, policy_kwargs={"activation_fn": torch.nn.ELU}, n_steps=2, batch_size=4)
    for model in (strange, DQN("MlpPolicy", env, buffer_size=10)):
        with pytest.raises(NevskyError, match="can be frozen"):
            freeze(model)


def test_without_stable_baselines_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    from nevsky.envs import sb3

    monkeypatch.setattr(sb3, "VecEnv", None)
    with pytest.raises(
        NevskyError, match=r'needs stable_baselines3, which is not installed: pip install "nevsky\[sb3\]"'
    ):
        make()
