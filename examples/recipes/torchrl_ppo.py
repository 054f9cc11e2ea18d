"""torchrl: its PPO with a distribution that knows the mask. It reads the mask under our name; only bools will do.

``python examples/recipes/torchrl_ppo.py --steps 40000``
"""

from __future__ import annotations

import gymnasium
import numpy as np
import torch
from measure import ID, options, win_rate
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import DTypeCastTransform, EnvBase, ExplorationType, GymWrapper, SerialEnv, TransformedEnv
from torchrl.envs.utils import set_exploration_type
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

ENVS, BATCH, MINIBATCHES, EPOCHS, LEARNING_RATE = 8, 1024, 4, 3, 1e-3


def make() -> EnvBase:
    env = gymnasium.make(ID, players=2, reward="score")
    wrapped = GymWrapper(env, categorical_action_encoding=True)
    return TransformedEnv(wrapped, DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"]))


def make_actor(numbers: int, actions: int) -> ProbabilisticActor:
    net = MLP(in_features=numbers, out_features=actions, num_cells=[128, 128], activation_class=nn.ReLU)
    nn.init.orthogonal_(net[-1].weight, 0.01)  # at first all legal actions are about as likely
    return ProbabilisticActor(
        TensorDictModule(net, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )


def learn(actor: ProbabilisticActor, numbers: int, steps: int, seed: int) -> int:
    critic = ValueOperator(
        MLP(in_features=numbers, out_features=1, num_cells=[128, 128], activation_class=nn.ReLU),
        in_keys=["observation"],
    )
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    ppo = ClipPPOLoss(actor, critic, entropy_coeff=0.01, critic_coeff=0.5, normalize_advantage=True)
    optimizer = torch.optim.Adam(ppo.parameters(), lr=LEARNING_RATE)
    batches = -(-steps // BATCH)
    envs = SerialEnv(ENVS, make)
    envs.set_seed(seed)
    collector = Collector(
        envs, actor, frames_per_batch=BATCH, total_frames=batches * BATCH, auto_register_policy_transforms=False
    )
    done = 0
    for batch in collector:
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - done / (batches * BATCH))
        with torch.no_grad():
            advantage(batch)
        flat = batch.reshape(-1)
        for _ in range(EPOCHS):
            for part in torch.randperm(BATCH).chunk(MINIBATCHES):
                losses = ppo(flat[part])
                loss = losses["loss_objective"] + losses["loss_entropy"] + losses["loss_critic"]
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(ppo.parameters(), 0.5)
                optimizer.step()
        done += BATCH
    collector.shutdown()
    return done


def main() -> None:
    wanted = options("PPO of torchrl against random players.", steps=40_000)
    torch.manual_seed(wanted.seed)
    env = make()
    numbers, actions = env.observation_spec["observation"].shape[-1], env.action_spec.n
    actor = make_actor(numbers, actions)

    @torch.no_grad()
    @set_exploration_type(ExplorationType.RANDOM)
    def choose(numbers: np.ndarray, mask: np.ndarray) -> int:
        seen = {"observation": torch.from_numpy(numbers), "action_mask": torch.from_numpy(mask)}
        return int(actor(TensorDict(seen))["action"])

    print("before:", win_rate(choose, wanted.games), flush=True)
    done = learn(actor, numbers, wanted.steps, wanted.seed)
    print(f"after {done:,} decisions:", win_rate(choose, wanted.games))


if __name__ == "__main__":
    main()
