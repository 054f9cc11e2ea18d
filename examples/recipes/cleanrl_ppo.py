"""CleanRL: its PPO of one file, with masks. The lines that differ from ``cleanrl/ppo.py`` are marked ``# mask``.

CleanRL is copied, not installed: only torch and the extra envs are needed.
``python examples/recipes/cleanrl_ppo.py --steps 200000``
"""

from __future__ import annotations

import gymnasium
import numpy as np
import torch
from measure import ID, options, win_rate
from torch import nn
from torch.distributions.categorical import Categorical

NUM_ENVS, NUM_STEPS, MINIBATCHES, EPOCHS = 16, 64, 4, 3
LEARNING_RATE, GAMMA, GAE_LAMBDA, CLIP_COEF, ENT_COEF, VF_COEF = 1e-3, 1.0, 0.95, 0.2, 0.01, 0.5


def layer_init(layer: nn.Linear, std: float = np.sqrt(2)) -> nn.Linear:
    nn.init.orthogonal_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    def __init__(self, numbers: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            layer_init(nn.Linear(numbers, 128)), nn.ReLU(), layer_init(nn.Linear(128, 128)), nn.ReLU()
        )
        self.actor = layer_init(nn.Linear(128, actions), std=0.01)
        self.critic = layer_init(nn.Linear(128, 1), std=1.0)

    def get_action_and_value(
        self, obs: torch.Tensor, mask: torch.Tensor, action: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, ...]:
        hidden = self.body(obs)
        logits = self.actor(hidden).masked_fill(~mask, -1e9)  # mask
        probs = Categorical(logits=logits)
        if action is None:
            action = probs.sample()
        return action, probs.log_prob(action), probs.entropy(), self.critic(hidden)[:, 0]


def learn(agent: Agent, steps: int, seed: int) -> int:
    envs = gymnasium.make_vec(ID, num_envs=NUM_ENVS, players=2, reward="score")
    numbers, actions = envs.single_observation_space["observation"].shape[0], envs.single_action_space.n
    optimizer = torch.optim.Adam(agent.parameters(), lr=LEARNING_RATE, eps=1e-5)
    obs = torch.zeros(NUM_STEPS, NUM_ENVS, numbers)
    masks = torch.zeros(NUM_STEPS, NUM_ENVS, actions, dtype=torch.bool)  # mask
    chosen = torch.zeros(NUM_STEPS, NUM_ENVS, dtype=torch.long)
    logprobs, rewards, dones, values = (torch.zeros(NUM_STEPS, NUM_ENVS) for _ in range(4))
    seen, _ = envs.reset(seed=seed)
    updates = max(1, steps // (NUM_STEPS * NUM_ENVS))
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = LEARNING_RATE * (1 - update / updates)
        for step in range(NUM_STEPS):
            obs[step] = torch.from_numpy(seen["observation"])
            masks[step] = torch.from_numpy(seen["action_mask"]).bool()  # mask
            with torch.no_grad():
                action, logprobs[step], _, values[step] = agent.get_action_and_value(obs[step], masks[step])
            chosen[step] = action
            # the next game is dealt in the step in which one ends, so dones[step] says that nothing follows this action
            seen, reward, ended, _, _ = envs.step(action.numpy())
            rewards[step], dones[step] = torch.from_numpy(reward), torch.from_numpy(ended).float()
        with torch.no_grad():
            following = torch.from_numpy(seen["observation"]), torch.from_numpy(seen["action_mask"]).bool()
            next_value = agent.get_action_and_value(*following)[3]
            advantages, last = torch.zeros_like(rewards), torch.zeros(NUM_ENVS)
            for step in reversed(range(NUM_STEPS)):
                going = 1 - dones[step]
                delta = rewards[step] + GAMMA * going * next_value - values[step]
                advantages[step] = last = delta + GAMMA * GAE_LAMBDA * going * last
                next_value = values[step]
        returns = (advantages + values).flatten()
        flat = obs.flatten(0, 1), masks.flatten(0, 1), chosen.flatten()
        for _ in range(EPOCHS):
            for part in torch.randperm(NUM_STEPS * NUM_ENVS).chunk(MINIBATCHES):
                _, newlogprob, entropy, newvalue = agent.get_action_and_value(*(each[part] for each in flat))
                ratio = (newlogprob - logprobs.flatten()[part]).exp()
                gain = advantages.flatten()[part]
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                policy_loss = torch.max(-gain * ratio, -gain * ratio.clamp(1 - CLIP_COEF, 1 + CLIP_COEF)).mean()
                value_loss = 0.5 * (newvalue - returns[part]).square().mean()
                loss = policy_loss - ENT_COEF * entropy.mean() + VF_COEF * value_loss
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
                optimizer.step()
    envs.close()
    return updates * NUM_STEPS * NUM_ENVS


def main() -> None:
    wanted = options("PPO in the manner of CleanRL against random players.", steps=200_000)
    torch.manual_seed(wanted.seed)
    env = gymnasium.make(ID)
    agent = Agent(env.observation_space["observation"].shape[0], env.action_space.n)

    @torch.no_grad()
    def choose(numbers: np.ndarray, mask: np.ndarray) -> int:
        return int(agent.get_action_and_value(torch.from_numpy(numbers)[None], torch.from_numpy(mask)[None])[0])

    print("before:", win_rate(choose, wanted.games), flush=True)
    done = learn(agent, wanted.steps, wanted.seed)
    print(f"after {done:,} decisions:", win_rate(choose, wanted.games))


if __name__ == "__main__":
    main()
