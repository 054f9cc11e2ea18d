"""Learning to play with PPO, in a batch of games against opponents that are part of it.

``python examples/envs/ppo.py --seconds 60 --out weights.pt``; needs the extras envs and train. How much is learned in
the given time depends on the machine, so a seed repeats the games of the win rates and not the learning.
"""

from __future__ import annotations

import argparse
import time
from typing import NamedTuple

import numpy as np
import torch
from policy import Decisions, Policy, join, new_file, of_batch, save, told, whole_number

from nevsky import NevskyError, Ruleset
from nevsky.envs.batch import Batch

STEPS = 64
"""Decisions in each game between two updates."""
TOGETHER = 8
"""So many of these steps are learned from at once."""
EPOCHS = 3
RATE = 1e-3
FADING = 0.95
"""How much later surprises count for earlier decisions (lambda; there is no discount, since every game ends)."""
CLIP = 0.2
CURIOSITY = 0.01


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


def train(policy: Policy, batch: Batch, seconds: float, seed: int) -> int:
    """Play and learn for so long; how many games were finished."""
    chooser = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(policy.parameters(), RATE)
    start, next_line, ahead, games = time.monotonic(), 0.0, 0.0, 0
    while (spent := time.monotonic() - start) < seconds:
        optimizer.param_groups[0]["lr"] = RATE * (1 - spent / seconds)
        steps, worth = play(policy, batch, chooser)
        learn(policy, optimizer, steps, advantages(steps, worth))
        ended = sum(int((1 - step.going).sum()) for step in steps)
        if ended:
            ahead = 100 * sum(float(step.reward.sum()) for step in steps) / ended
        games += ended
        if spent >= next_line:
            print(f"{spent:5.0f} s  {games:7,} games  {ahead:+6.1f} points ahead on average", flush=True)
            next_line += seconds / 12
    return games


def main() -> None:
    options = argparse.ArgumentParser(description="Learn to play with PPO.")
    options.add_argument("--seconds", type=float, default=60, help="how long to learn")
    options.add_argument("--games", type=whole_number, default=1000, help="games that the win rate is measured in")
    options.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    options.add_argument("--opponents", choices=("random", "heuristic"), default="random", help="who it learns against")
    options.add_argument("--batch", type=whole_number, default=128, help="games at once while it learns")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--out", type=new_file, help="where to put the weights")
    chosen = options.parse_args()
    torch.manual_seed(chosen.seed)
    ruleset = Ruleset("second", chosen.players)
    policy = Policy()
    rated = ["random"] if chosen.opponents == "random" else ["random", chosen.opponents]
    try:
        batch = Batch(ruleset, chosen.batch, seed=chosen.seed, reward="score", opponents=chosen.opponents)
        for rivals in rated:
            print(told("before", policy, ruleset, chosen.games, chosen.seed, rivals), flush=True)
    except NevskyError as error:
        options.error(str(error))
    games = train(policy, batch, chosen.seconds, chosen.seed)
    for rivals in rated:
        print(told(f"after {games:,} games", policy, ruleset, chosen.games, chosen.seed, rivals), flush=True)
    if chosen.out:
        save(policy, chosen.out)


if __name__ == "__main__":
    main()
