"""tianshou: DQN that knows what is legal. It looks for the mask under ``mask``, beside the numbers under ``obs``.

``python examples/recipes/tianshou_dqn.py --steps 20000``
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import torch
from measure import ID, options, win_rate
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

ENVS = 8
EXPLORING = 0.1


class Renamed(gymnasium.ObservationWrapper):
    """Our observations under tianshou's names."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        space = env.observation_space
        self.observation_space = gymnasium.spaces.Dict({"obs": space["observation"], "mask": space["action_mask"]})

    def observation(self, observation: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {"obs": observation["observation"], "mask": observation["action_mask"]}


def make() -> gymnasium.Env[Any, Any]:
    # without infos: their keys differ from step to step, and tianshou's memory would fill them with NaN
    return Renamed(gymnasium.make(ID, players=2, reward="score", infos=False))


def main() -> None:
    chosen = options("DQN of tianshou against random players.", steps=20_000)
    torch.manual_seed(chosen.seed)
    np.random.seed(chosen.seed)  # what tianshou explores with
    envs = DummyVectorEnv([make] * ENVS)
    envs.seed(chosen.seed)
    numbers, space = make().observation_space["obs"], make().action_space
    net = Net(state_shape=numbers.shape, action_shape=(int(space.n),), hidden_sizes=(128, 128))
    policy = DiscreteQLearningPolicy(model=net, action_space=space, eps_training=EXPLORING)
    algorithm = DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=1.0, target_update_freq=500)
    # an observation takes 13 kB, so a long memory would need gigabytes
    collector = Collector(algorithm, envs, VectorReplayBuffer(8_000, ENVS), exploration_noise=True)

    @torch.no_grad()
    def choose(numbers: np.ndarray, mask: np.ndarray) -> int:
        seen = Batch(obs=Batch(obs=numbers[None], mask=mask[None].astype(np.int8)), info={})
        return int(policy(seen).act[0])

    print("before:", win_rate(choose, chosen.games), flush=True)
    algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=chosen.steps,
            collection_step_num_env_steps=64,
            batch_size=64,
            update_step_num_gradient_steps_per_sample=1 / 8,
            verbose=False,
            show_progress=False,
        )
    )
    print(f"after {collector.collect_step:,} decisions:", win_rate(choose, chosen.games))


if __name__ == "__main__":
    main()
