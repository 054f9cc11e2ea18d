"""How often an agent wins against random players: what all recipes have in common."""

from __future__ import annotations

import argparse
from collections.abc import Callable

import gymnasium
import numpy as np

import nevsky.envs
from nevsky.arena.intervals import share_interval
from nevsky.arena.tables import interval_text

ID = "nevsky.envs:nevsky/SaintPetersburg-v0"
"""With its module in front: worker processes that have not imported it find it, too."""
OTHER_DEALS = 1_000_000
"""The games that are measured start from this seed, far from those that are learned from."""

Choose = Callable[[np.ndarray, np.ndarray], int]
"""An action for the numbers of an observation and the mask of what is legal."""

gymnasium.register_envs(nevsky.envs)


def win_rate(choose: Choose, games: int) -> str:
    """The share of games of two players that are won against random players, with its 95 % interval."""
    env = gymnasium.make(ID, players=2)
    won = []
    for game in range(games):
        observation, _ = env.reset(seed=OTHER_DEALS + game)
        over, reward = False, 0.0
        while not over:
            action = choose(observation["observation"], observation["action_mask"].astype(bool))
            observation, reward, over, _, _ = env.step(action)
        won.append(float(reward))
    env.close()
    return f"wins {interval_text(share_interval(won))} of {games} games against random players"


def options(what: str, *, steps: int) -> argparse.Namespace:
    """The options of a recipe."""
    parser = argparse.ArgumentParser(description=what)
    parser.add_argument("--steps", type=int, default=steps, help="decisions to learn from")
    parser.add_argument("--games", type=int, default=200, help="games that the win rates are measured in")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()
