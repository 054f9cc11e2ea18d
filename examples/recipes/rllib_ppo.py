"""RLlib: its PPO with a module that masks actions. The games and the learning are in one process, beside a small Ray.

``python examples/recipes/rllib_ppo.py --steps 40000``
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import ray
import torch
from measure import ID, options, win_rate
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.tune.registry import register_env

ENVS, BATCH = 8, 1024


class Masked(DefaultPPOTorchRLModule):
    """RLlib's networks on the numbers of an observation, and no chance for what is illegal."""

    def __init__(self, *, observation_space: gymnasium.spaces.Dict, **given: Any) -> None:
        super().__init__(observation_space=observation_space["observation"], **given)

    def _forward(self, batch: dict[str, Any], **given: Any) -> dict[str, Any]:
        return masked(super()._forward(numbers_of(batch), **given), batch)

    def _forward_train(self, batch: dict[str, Any], **given: Any) -> dict[str, Any]:
        return masked(super()._forward_train(numbers_of(batch), **given), batch)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        return super().compute_values(numbers_of(batch), embeddings)


def numbers_of(batch: dict[str, Any]) -> dict[str, Any]:
    return {**batch, Columns.OBS: batch[Columns.OBS]["observation"]}


def masked(found: dict[str, Any], batch: dict[str, Any]) -> dict[str, Any]:
    illegal = batch[Columns.OBS]["action_mask"] == 0
    return {**found, Columns.ACTION_DIST_INPUTS: found[Columns.ACTION_DIST_INPUTS].masked_fill(illegal, -1e9)}


def make(_: dict[str, Any]) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(ID, players=2, reward="score")


def main() -> None:
    wanted = options("PPO of RLlib against random players.", steps=40_000)
    ray.init(num_cpus=1, include_dashboard=False, logging_level="ERROR")
    register_env("saint_petersburg", make)
    network = DefaultModelConfig(fcnet_hiddens=[128, 128], fcnet_activation="relu", vf_share_layers=False)
    config = (
        PPOConfig()
        .environment("saint_petersburg")
        .env_runners(num_env_runners=0, num_envs_per_env_runner=ENVS)
        .learners(num_learners=0)
        .rl_module(rl_module_spec=RLModuleSpec(module_class=Masked, model_config=network))
        .training(
            lr=1e-3,
            gamma=1.0,
            lambda_=0.95,
            clip_param=0.2,
            entropy_coeff=0.01,
            train_batch_size_per_learner=BATCH,
            minibatch_size=BATCH // 4,
            num_epochs=3,
            grad_clip=0.5,
        )
        .debugging(seed=wanted.seed, log_level="ERROR")
    )
    algorithm = config.build_algo()

    @torch.no_grad()
    def choose(numbers: np.ndarray, mask: np.ndarray) -> int:
        seen = {"observation": torch.from_numpy(numbers)[None], "action_mask": torch.from_numpy(mask)[None]}
        found = algorithm.get_module().forward_exploration({Columns.OBS: seen})
        return int(torch.distributions.Categorical(logits=found[Columns.ACTION_DIST_INPUTS]).sample())

    print("before:", win_rate(choose, wanted.games), flush=True)
    done = 0
    while done < wanted.steps:
        done = int(algorithm.train()["num_env_steps_sampled_lifetime"])
    print(f"after {done:,} decisions:", win_rate(choose, wanted.games))
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    main()
