"""What several tests of the environments need."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import numpy as np

from nevsky import Game, Ruleset
from nevsky.envs.observing import Observation


def choose(observation: Observation, rng: random.Random) -> int:
    """A legal action at random."""
    return int(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))


def play(env: Any, rng: random.Random) -> dict[str, float]:
    """Play the game of a PettingZoo environment to its end; what each agent got all in all."""
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        assert observation in env.observation_space(agent)
        assert not truncated
        got[agent] += reward
        env.step(None if terminated else choose(observation, rng))
    return got


def some_games(ruleset: Ruleset, number: int, steps: int = 220) -> list[Game]:
    """Games at random points."""
    rng = random.Random(number)
    games = []
    for seed in range(number):
        game = Game(ruleset, seed, auto=True)
        for _ in range(rng.randrange(steps)):
            if not game.over:
                game.push(rng.choice(game.legal_ids))
        games.append(game)
    return games


def elsewhere(code: str) -> str:
    """What a program prints in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
