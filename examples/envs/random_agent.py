"""An agent that chooses at random, in PettingZoo and in Gymnasium: ``python examples/envs/random_agent.py``."""

import gymnasium
import numpy as np

import nevsky.envs
from nevsky.envs.pettingzoo import env

gymnasium.register_envs(nevsky.envs)  # importing it was enough; this tells readers and tools why it is there


def all_seats(games: int, seed: int = 1) -> dict[str, float]:
    """PettingZoo: all seats choose at random. What each won on average."""
    chance = np.random.default_rng(seed)
    table = env(players=3)
    table.reset(seed=seed)
    won = dict.fromkeys(table.possible_agents, 0.0)
    for _ in range(games):
        for agent in table.agent_iter():
            observation, reward, terminated, truncated, _ = table.last()
            won[agent] += reward
            if terminated or truncated:
                table.step(None)
            else:
                table.step(chance.choice(np.flatnonzero(observation["action_mask"])))
        table.reset()
    return {agent: share / games for agent, share in won.items()}


def one_seat(games: int, seed: int = 1, opponents: str = "novice") -> float:
    """Gymnasium: one seat chooses at random against bots. By how many points it was ahead on average."""
    chance = np.random.default_rng(seed)
    learner = gymnasium.make("nevsky/SaintPetersburg-v0", players=2, opponents=opponents, reward="score")
    observation, _ = learner.reset(seed=seed)
    ahead = 0.0
    for _ in range(games):
        over = False
        while not over:
            action = chance.choice(np.flatnonzero(observation["action_mask"]))
            observation, reward, over, _, _ = learner.step(action)
            ahead += 100 * float(reward)
        observation, _ = learner.reset()
    return ahead / games


if __name__ == "__main__":
    for name, share in all_seats(30).items():
        print(f"{name} won {share:.0%} of the games")
    print(f"against novice: {one_seat(30):+.1f} points")
