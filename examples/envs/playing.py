"""Learning by playing in a batch of games: the command that `ppo.py` and `dqn.py` share, and how long they go on."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import torch
from policy import Policy, new_file, save, told, whole_number

from nevsky import NevskyError, Ruleset
from nevsky.envs.batch import Batch

LINES = 12
"""So often a line is printed on the way."""
Spent = Callable[[int], float]
"""Which share of all learning is done after so many decisions."""


class Progress(NamedTuple):
    """How far the learning is."""

    share: float
    decisions: int
    games: int
    ahead: float
    """Points ahead of the best opponent, on average over the games that ended last."""


Train = Callable[[Policy, Batch, Spent, int], Iterator[Progress]]
"""Plays and learns with a seed until all is spent, and tells after every update how far it is."""


def by_clock(seconds: float) -> Spent:
    """So many seconds, from when this is first asked: before that, nothing has been learned."""
    start: float | None = None

    def spent(decisions: int) -> float:
        nonlocal start
        now = time.monotonic()
        start = now if start is None else start
        return (now - start) / seconds if seconds > 0 else 1.0

    return spent


def by_decisions(number: int) -> Spent:
    """So many decisions: the same learning on every day, if the machine and the version of torch are the same."""
    return lambda decisions: decisions / number


def follow(course: Iterator[Progress]) -> int:
    """Tell how it goes; how many games were finished."""
    games, next_line = 0, 0.0
    for now in course:
        games = now.games
        if now.share >= next_line:
            print(
                f"{now.decisions:11,} decisions  {games:7,} games  {now.ahead:+6.1f} points ahead on average",
                flush=True,
            )
            next_line += 1 / LINES
    return games


def main(name: str, train: Train) -> None:
    """The command: learn, tell how often that wins, and keep the weights."""
    options = argparse.ArgumentParser(description=f"Learn to play with {name}.")
    options.add_argument("--seconds", type=float, default=60, help="how long to learn")
    options.add_argument("--decisions", type=whole_number, help="learn from so many decisions, whatever the time")
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
    spent = by_decisions(chosen.decisions) if chosen.decisions else by_clock(chosen.seconds)
    games = follow(train(policy, batch, spent, chosen.seed))
    for rivals in rated:
        print(told(f"after {games:,} games", policy, ruleset, chosen.games, chosen.seed, rivals), flush=True)
    if chosen.out:
        save(policy, chosen.out)
