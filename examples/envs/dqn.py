"""Learning to play with a double DQN, in a batch of games against opponents that are part of it.

``python examples/envs/dqn.py --decisions 500000 --opponents heuristic --out weights.pt``; needs the extras envs and
train. The network says by how much each legal action is better than the others, and what the position is worth: both
together are what may be expected after the action (a dueling network). It learns from decisions that are kept for a
while, by what was earned some decisions later and what is expected from there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import NamedTuple

import numpy as np
import torch
from playing import Progress, Spent, main
from policy import NOT_LEGAL, Decisions, Policy, join, of_batch

from nevsky.envs.batch import Batch

KEPT = 256
"""Steps that are kept to learn from, each one decision in every game."""
FIRST = 64
"""So many are kept before the first of them is learned from."""
TOGETHER = 4
"""So many of these steps are learned from at once: games are independent, so a step is a mixture already."""
AHEAD = 32
"""Decisions until the judgement of the network is asked again (n-step returns; there is no discount)."""
EVERY = 2
"""Steps from one update to the next."""
FROZEN = 100
"""Updates for which the network that judges stays the same."""
RATE = 1e-3
"""Of Adam, falling evenly to zero."""
UNIT = 0.02
"""What a logit is worth: two points. So drawing by the chances (a Boltzmann policy) knows what a point is."""


class Step(NamedTuple):
    """One decision in each game, and what it earned at once."""

    asked: Decisions
    chosen: torch.Tensor
    reward: torch.Tensor
    going: torch.Tensor
    """0 where the game ended, else 1."""


def expected(policy: Policy, asked: Decisions) -> torch.Tensor:
    """What may be expected after each legal action, in hundreds of points ahead."""
    logits, worth = policy.logits(asked)
    there = logits > NOT_LEGAL
    mean = logits.where(there, 0).sum(1) / asked.counts
    return (worth[:, None] + UNIT * (logits - mean[:, None])).where(there, NOT_LEGAL)


@torch.no_grad()
def play(policy: Policy, batch: Batch, chooser: torch.Generator) -> Step:
    """A decision in each game, drawn by its chances: what seems two points better is e times as likely."""
    asked = of_batch(batch)
    chosen = torch.multinomial(policy(asked)[0].exp(), 1, generator=chooser)
    batch.step(batch.legal[np.arange(batch.games), chosen[:, 0].numpy()])
    reward, going = torch.from_numpy(batch.earned.copy()), torch.from_numpy(1 - batch.dones.astype(np.float32))
    return Step(asked, chosen, reward, going)


def earned(steps: Sequence[Step]) -> tuple[torch.Tensor, torch.Tensor]:
    """What the games of the first step earned up to the last one, and 1 where they still go on then."""
    going = torch.stack([step.going for step in steps]).cumprod(0)
    before = torch.cat([torch.ones_like(going[:1]), going[:-1]])
    return (before * torch.stack([step.reward for step in steps])).sum(0), going[-1]


@torch.no_grad()
def goals(policy: Policy, judge: Policy, kept: Sequence[Step], chosen: Sequence[int]) -> torch.Tensor:
    """What should have been expected of some steps: one network chooses the next action, the other judges it."""
    asked = join([kept[i + AHEAD].asked for i in chosen])
    best = policy.logits(asked)[0].argmax(1, keepdim=True)
    later = expected(judge, asked).gather(1, best)[:, 0]
    totals, going = zip(*(earned([kept[j] for j in range(i, i + AHEAD)]) for i in chosen), strict=True)
    return torch.cat(totals) + torch.cat(going) * later


def learn(policy: Policy, judge: Policy, optimizer: torch.optim.Optimizer, kept: Sequence[Step]) -> None:
    """Expect a little more what happened, in some of the steps that are kept."""
    chosen = torch.randint(len(kept) - AHEAD, (TOGETHER,)).tolist()
    goal = goals(policy, judge, kept, chosen)
    found = expected(policy, join([kept[i].asked for i in chosen]))
    found = found.gather(1, torch.cat([kept[i].chosen for i in chosen]))[:, 0]
    loss = (found - goal).square().mean()
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
    optimizer.step()


def train(policy: Policy, batch: Batch, spent: Spent, seed: int) -> Iterator[Progress]:
    """Play and learn until all is spent; how far it is after every update."""
    chooser = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.Adam(policy.parameters(), RATE)
    judge = deepcopy(policy)
    kept: deque[Step] = deque(maxlen=KEPT)
    played, games, updates, ahead = 0, 0, 0, 0.0
    while (share := spent(played * batch.games)) < 1:
        optimizer.param_groups[0]["lr"] = RATE * (1 - share)
        kept.append(play(policy, batch, chooser))
        played += 1
        if ended := int((1 - kept[-1].going).sum()):
            ahead += 0.05 * (100 * float(kept[-1].reward.sum()) / ended - ahead)
        games += ended
        if played % EVERY or len(kept) < FIRST:
            continue
        learn(policy, judge, optimizer, kept)
        updates += 1
        if updates % FROZEN == 0:
            judge.load_state_dict(policy.state_dict())
        yield Progress(share, played * batch.games, games, ahead)


if __name__ == "__main__":
    main("a double DQN", train)
