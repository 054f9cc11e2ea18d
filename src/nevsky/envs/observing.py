"""What a learner is given at a decision: numbers for what its seat knows, and a mask of what it may do."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from nevsky.extras import needing

with needing("envs", __name__):
    import numpy as np
    import numpy.typing as npt
    from gymnasium import spaces

from nevsky.encoding import SIZE, Encoder
from nevsky.envs.action_sets import ActionSet
from nevsky.envs.history import HISTORY, NOTHING, History, Seen, history_array
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


def observation_space(
    *, flat: bool = False, memory: bool = False, actions: ActionSet | None = None
) -> spaces.Space[Any]:
    """The same for every ruleset: the numbers under ``observation``, what is legal under ``action_mask``.

    Flat it is the numbers alone. With ``memory`` there is a ``history`` beside them. A set of actions of its own makes
    the mask shorter.
    """
    numbers = spaces.Box(0.0, HIGHEST, (SIZE,), np.float32)
    if flat:
        return numbers
    size = len(ACTIONS) if actions is None else len(actions)
    parts: dict[str, spaces.Space[Any]] = {
        "observation": numbers,
        "action_mask": spaces.Box(0, 1, (size,), np.int8),
    }
    if memory:
        parts["history"] = spaces.Box(NOTHING, size - 1, (HISTORY, 2), np.int32)
    return spaces.Dict(parts)


def action_space(actions: ActionSet | None = None) -> spaces.Space[Any]:
    """The ids of all actions, or the numbers of a set of them."""
    return spaces.Discrete(len(ACTIONS) if actions is None else len(actions))


class Observer:
    """Writes observations; each one is new and belongs to whoever asked for it.

    With ``memory`` the rubles of the others are known, and what happened since the seat's last decision is told.
    """

    def __init__(self, *, memory: bool = False, actions: ActionSet | None = None) -> None:
        self._memory = memory
        self._actions = actions
        self._game: Game | None = None
        self._history: History | None = None
        self._encoder = Encoder()
        self._places: Any = np.zeros(SIZE + 64, np.int16)  # to the encoder as good as the array of an array.array
        self._values: Any = np.zeros(SIZE + 64, np.float32)

    def observe(self, game: Game, seat: int) -> Observation:
        """What the seat sees now; unless it has to decide, as far as it knows, nothing is legal for it."""
        ruleset = game.ruleset
        position = as_seen(game.position, ruleset, seat)
        self._encoder.encode(position, seat, int(ruleset.open_rubles or self._memory), int(ruleset.open_hands))
        n = self._encoder.write(self._places, self._values, 0)
        row = np.zeros(SIZE, np.float32)
        row[self._places[:n]] = self._values[:n]
        deciding = position.seat == seat and position.due != OVER
        found: Observation = {"observation": row, "action_mask": self._mask(position.legal() if deciding else [])}
        if self._memory:
            found["history"] = history_array(self.since(game, seat), seat, ruleset.players, self._actions)
        return found

    def since(self, game: Game, seat: int) -> list[Seen]:
        """What the seat saw since its last decision."""
        if self._history is None or self._game is not game:
            self._game, self._history = game, History(game)
        return self._history.since(game, seat)

    def _mask(self, legal: list[int]) -> npt.NDArray[Any]:
        if self._actions is not None:
            return self._actions.mask(legal)
        mask = np.zeros(len(ACTIONS), np.int8)
        mask[legal] = 1
        return mask
