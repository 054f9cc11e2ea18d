"""The arrays of a batch, made once, and what all who work on them have to know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from nevsky.encoding import SIZE
from nevsky.envs.options import HISTORY, NOTHING
from nevsky.rules.actions import ACTIONS
from nevsky.rules.constants import DUE_ROOM, DUES, SECRET_DUES
from nevsky.rules.ruleset import Ruleset

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from nevsky.envs.action_sets import ActionSet

__all__ = ["LOG_ROOM", "Arrays", "Options", "view_of"]

_LEGAL_ROOM: Final = 1024
_ENCODER_ROOM: Final = 2112
LOG_ROOM: Final = 256
"""Actions that are kept of a game, more than a history has, as some of them are secret."""


class Options(NamedTuple):
    """How the games of a batch are played."""

    ruleset: Ruleset
    how: int
    """The place of the reward among the kinds of rewards."""
    auto: bool
    fixed: int
    """The seat that learns, or how it is found."""
    memory: bool
    shaping: int
    """The place of the potential among the potentials, -1 for none."""
    discount: float


def view_of(numbers: npt.NDArray[Any]) -> Any:
    """The same numbers for compiled code; uncompiled they come out as ordinary integers and floats."""
    return memoryview(numbers)  # type: ignore[arg-type]


class Arrays:
    """All the room that games will ever need; `Batch` shows most of it to whoever learns."""

    def __init__(self, games: int, players: int, actions: ActionSet | None, *, memory: bool, shaping: bool) -> None:
        import numpy as np

        self.observations = np.zeros((games, SIZE), np.float32)
        every = np.arange(len(ACTIONS), dtype=np.int16)
        self.to_full = every if actions is None else actions.to_full.astype(np.int16)
        """The id of each number that stands for an action."""
        self.to_reduced = every if actions is None else actions.to_reduced.astype(np.int16)
        self.masks = np.zeros((games, len(self.to_full)), np.int8)
        self.rewards = np.zeros((games, players), np.float32)
        self.earned = np.zeros(games, np.float32)
        self.dones = np.zeros(games, np.bool_)
        self.seats = np.zeros(games, np.int32)
        self.learners = np.zeros(games, np.int32)
        self.asked = np.zeros((games, players), np.bool_)
        self.scores = np.zeros((games, players), np.int32)
        self.numbers = np.zeros(games, np.int64)
        self.legal = np.zeros((games, _LEGAL_ROOM), np.int16)
        self.legal_counts = np.zeros(games, np.int32)
        self.final_observations = np.zeros((games, SIZE), np.float32)
        self.rivals = np.zeros((games, players), np.int8)
        """Which opponent sits on each seat; -1 where the seat is asked."""
        self.seating = np.full((games, players), -1, np.int8)
        """The same for all games to come, where it does not change."""
        self.places = np.zeros((games, _ENCODER_ROOM), np.int16)
        self.places_counts = np.zeros(games, np.int32)
        self._make_memory(games if memory else 0, players)
        shaped = games if shaping else 0
        self.potentials = np.zeros((shaped, players), np.float64)
        """How well each seat stood at its last decision."""
        self.begun = np.zeros((shaped, players), np.bool_)
        """Whether it has decided in this game."""

    def _make_memory(self, games: int, players: int) -> None:
        import numpy as np

        self.history = np.full((games, HISTORY, 2), NOTHING, np.int32)
        self.history_counts = np.zeros(games, np.int32)
        self.final_history = np.full((games, HISTORY, 2), NOTHING, np.int32)
        self.final_history_counts = np.zeros(games, np.int32)
        self.log_seats = np.zeros((games, LOG_ROOM), np.int8)
        self.log_ids = np.zeros((games, LOG_ROOM), np.int16)
        self.log_secrets = np.zeros((games, LOG_ROOM), np.int8)
        self.log_counts = np.zeros(games, np.int32)
        """How many actions a game had so far; the log is a ring of the latest ones."""
        self.log_since = np.zeros((games, players), np.int32)
        """How many there were when a seat was asked last, its answer included."""
        self.secret_dues = np.array([due in SECRET_DUES for due in DUES] + [False] * (DUE_ROOM - len(DUES)))

    def views(self) -> dict[str, Any]:
        """Every array by its name, for compiled code."""
        return {name: view_of(array.view("u1") if array.dtype == "?" else array) for name, array in vars(self).items()}

    def locked(self, name: str) -> npt.NDArray[Any]:
        """An array that only compiled code may write, as actions are checked against it."""
        found: npt.NDArray[np.generic] = getattr(self, name).view()
        found.flags.writeable = False
        return found
