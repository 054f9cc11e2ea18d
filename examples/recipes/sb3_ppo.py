"""Stable-Baselines3: MaskablePPO of sb3-contrib, without a line of glue.

``python examples/recipes/sb3_ppo.py --steps 100000``
"""

from __future__ import annotations

import numpy as np
from measure import ID, options, win_rate
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env


def main() -> None:
    chosen = options("MaskablePPO against random players.", steps=100_000)
    envs = make_vec_env(ID, n_envs=8, seed=chosen.seed, env_kwargs={"players": 2, "flat": True, "reward": "score"})
    model = MaskablePPO("MlpPolicy", envs, n_steps=128, batch_size=256, seed=chosen.seed, device="cpu")

    def choose(numbers: np.ndarray, mask: np.ndarray) -> int:
        return int(model.predict(numbers, action_masks=mask, deterministic=False)[0])

    print("before:", win_rate(choose, chosen.games), flush=True)
    model.learn(chosen.steps)
    print(f"after {model.num_timesteps:,} decisions:", win_rate(choose, chosen.games))


if __name__ == "__main__":
    main()
