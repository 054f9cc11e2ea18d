"""What a learner is given at a decision: numbers for what its seat knows, and a mask of what it may do."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from nevsky.encoding import SIZE, Encoder
from nevsky.rules.actions import ACTIONS
from nevsky.rules.constants import OVER
from nevsky.rules.game import Game
from nevsky.rules.view import as_seen

__all__ = ["HIGHEST", "Observation", "Observed", "Observer", "action_space", "observation_space"]

Observation: TypeAlias = dict[str, npt.NDArray[Any]]
Observed: TypeAlias = Any
"""An `Observation`, or, if it is flat, its numbers alone: whoever made the environment knows which."""

HIGHEST: Final = 100.0
"""No number of an observation is below 0 or above this; in play hardly any is above 10."""


def observation_space(*, flat: bool = False) -> spaces.Space[Any]:
    """The same for every ruleset: the numbers under ``observation``, what is legal under ``action_mask``.

    Flat it is the numbers alone.
    """
    numbers = spaces.Box(0.0, HIGHEST, (SIZE,), np.float32)
    if flat:
        return numbers
    return spaces.Dict(
        {
            "observation": numbers,
            "action_mask": spaces.Box(0, 1, (len(ACTIONS),), np.int8),
        }
    )


def action_space() -> spaces.Space[Any]:
    """The ids of all actions."""
    return spaces.Discrete(len(ACTIONS))


class Observer:
    """Writes observations; each one is new and belongs to whoever asked for it."""

    def __init__(self) -> None:
        self._encoder = Encoder()
        self._places: Any = np.zeros(SIZE + 64, np.int16)  # to the encoder as good as the array of an array.array
        self._values: Any = np.zeros(SIZE + 64, np.float32)

    def observe(self, game: Game, seat: int) -> Observation:
        """What the seat sees now; unless it has to decide, as far as it knows, nothing is legal for it."""
        ruleset = game.ruleset
        position = as_seen(game.position, ruleset, seat)
        self._encoder.encode(position, seat, int(ruleset.open_rubles), int(ruleset.open_hands))
        n = self._encoder.write(self._places, self._values, 0)
        row = np.zeros(SIZE, np.float32)
        row[self._places[:n]] = self._values[:n]
        mask = np.zeros(len(ACTIONS), np.int8)
        if position.seat == seat and position.due != OVER:
            mask[position.legal()] = 1
        return {"observation": row, "action_mask": mask}
