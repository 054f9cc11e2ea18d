"""Learning to play with PPO, in a batch of games against opponents that are part of it.

``python examples/envs/ppo.py --seconds 60 --out weights.pt``; needs the extras envs and train. How much is learned in
the given time depends on the machine, so a seed repeats the games of the win rates and not the learning; with
``--decisions 500000`` in place of the time it repeats both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import torch
from playing import Progress, Spent, main
from policy import Decisions, Policy, join, of_batch

from nevsky.envs.batch import Batch

STEPS = 64
"""Decisions in each game between two updates."""
TOGETHER = 8
"""So many of these steps are learned from at once."""
EPOCHS = 3
"""So often all of them are learned from."""
RATE = 1e-3
"""Of Adam, falling evenly to zero."""
FADING = 0.95
"""How much later surprises count for earlier decisions (lambda; there is no discount, since every game ends)."""
CLIP = 0.2
"""How much likelier or less likely an action may become at once, as a share."""
CURIOSITY = 0.01
"""What entropy is worth."""


class Step(NamedTuple):
    """One decision in each game, and what became of it."""

    asked: Decisions
    chosen: torch.Tensor
    chance: torch.Tensor
    worth: torch.Tensor
    reward: torch.Tensor
    going: torch.Tensor
    """0 where the game ended, else 1."""


@torch.no_grad()
def play(policy: Policy, batch: Batch, chooser: torch.Generator) -> tuple[list[Step], torch.Tensor]:
    """Some decisions in all games, and what the positions after them are worth."""
    steps = []
    everywhere = np.arange(batch.games)
    for _ in range(STEPS):
        asked = of_batch(batch)
        chances, worth = policy(asked)
        chosen = torch.multinomial(chances.exp(), 1, generator=chooser)
        batch.step(batch.legal[everywhere, chosen[:, 0].numpy()])
        reward, going = torch.from_numpy(batch.earned.copy()), torch.from_numpy(1 - batch.dones.astype(np.float32))
        steps.append(Step(asked, chosen, chances.gather(1, chosen)[:, 0], worth, reward, going))
    return steps, policy(of_batch(batch))[1]


def advantages(steps: list[Step], worth: torch.Tensor) -> list[torch.Tensor]:
    """By how much each decision turned out better than was expected."""
    found: list[torch.Tensor] = []
    later = torch.zeros_like(worth)
    for step in reversed(steps):
        later = step.reward + step.going * worth - step.worth + step.going * FADING * later
        worth = step.worth
        found.append(later)
    return found[::-1]


def learn(policy: Policy, optimizer: torch.optim.Optimizer, steps: list[Step], better: list[torch.Tensor]) -> None:
    """Make what turned out well more likely, but not by much at once."""
    for _ in range(EPOCHS):
        for some in torch.randperm(len(steps)).split(TOGETHER):
            several = [steps[i] for i in some]
            gain = torch.cat([better[i] for i in some])
            goal = gain + torch.cat([step.worth for step in several])
            gain = (gain - gain.mean()) / (gain.std() + 1e-6)
            chances, worth = policy(join([step.asked for step in several]))
            now = chances.gather(1, torch.cat([step.chosen for step in several]))[:, 0]
            ratio = (now - torch.cat([step.chance for step in several])).exp()
            policy_loss = -torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            entropy = -(chances.exp() * chances).sum(1).mean()
            loss = policy_loss + 0.5 * (worth - goal).square().mean() - CURIOSITY * entropy
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def train(policy: Policy, batch: Batch, spent: Spent, seed: int) -> Iterator[Progress]:
    """Play and learn until all is spent; how far it is after every update."""
    chooser = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(policy.parameters(), RATE)
    decisions, games, ahead = 0, 0, 0.0
    while (share := spent(decisions)) < 1:
        optimizer.param_groups[0]["lr"] = RATE * (1 - share)
        steps, worth = play(policy, batch, chooser)
        learn(policy, optimizer, steps, advantages(steps, worth))
        if ended := sum(int((1 - step.going).sum()) for step in steps):
            ahead = 100 * sum(float(step.reward.sum()) for step in steps) / ended
        decisions += STEPS * batch.games
        games += ended
        yield Progress(share, decisions, games, ahead)


if __name__ == "__main__":
    main("PPO", train)
