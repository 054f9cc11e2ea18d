"""Read what ``nevsky export`` has written, and play a game in OpenSpiel: python tools/try_extras.py GAMES.parquet.

Stands alone, so that it runs in an environment that has nothing but the wheel and these two extras.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path


def exported(path: Path) -> tuple[int, int]:
    """How many games and decisions there are."""
    import polars as pl

    games, decisions = pl.read_parquet(path), pl.read_parquet(path.with_name(f"{path.stem}-decisions.parquet"))
    if games["decisions"].sum() != decisions.height:
        sys.exit(f"{path} tells of {games['decisions'].sum()} decisions, beside which there are {decisions.height}")
    return games.height, decisions.height


def openspiel(seed: int) -> list[float]:
    """What a game of OpenSpiel brings its players, played at random."""
    import pyspiel

    import nevsky.envs.openspiel  # noqa: F401  (registers the game)

    rng = random.Random(seed)
    state = pyspiel.load_game("python_nevsky(players=2,market=True,modules=1/4/)").new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(rng.choices(outcomes, chances)[0])
        else:
            state.apply_action(rng.choice(state.legal_actions()))
    return [float(each) for each in state.returns()]


def main() -> None:
    """Say what was found."""
    games, decisions = exported(Path(sys.argv[1]))
    returns = openspiel(1)
    if not games or sum(returns) != 1:
        sys.exit(f"{games} games were exported, and one of OpenSpiel brings its players {returns}")
    print(f"{games} games with {decisions} decisions were exported and read, and one was played in OpenSpiel")


if __name__ == "__main__":
    main()
