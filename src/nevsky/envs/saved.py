"""Games of a batch as they were at a decision: to go back to, to go on elsewhere, to keep in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import describe, restore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["End", "SavedBatch", "SavedGame"]


class End(NamedTuple):
    """What the arrays tell of the game that ended last in a place."""

    done: bool
    rewards: tuple[float, ...]
    earned: float
    scores: tuple[int, ...]
    places: npt.NDArray[np.intp]
    values: npt.NDArray[np.float32]


class SavedGame:
    """One game. It shares nothing with the batch, and can be pickled."""

    def __init__(
        self,
        ruleset: Ruleset,
        place: int,
        root: tuple[int, int],
        number: int,
        position: Position,
        chance: tuple[int, int, int, int],
        rivals: tuple[int, ...],
        learner: int,
        end: End,
    ) -> None:
        self.ruleset = ruleset
        self.place = place
        """Where it was saved."""
        self.root = root
        """Where the deals of this place come from."""
        self.number = number
        """How many games had ended there."""
        self.position = position
        self.chance = chance
        """The state of the opponents' stream."""
        self.rivals = rivals
        """Which opponent sits on each seat; -1 where the seat is asked."""
        self.learner = learner
        self.end = end

    def __reduce__(self) -> tuple[Any, ...]:
        fields = {**vars(self), "position": describe(self.position)}
        return _read, (fields,)


def _read(fields: dict[str, Any]) -> SavedGame:
    return SavedGame(**{**fields, "position": restore(fields["ruleset"], fields["position"])})


class SavedBatch(NamedTuple):
    """All games of a batch and the stream of its samples."""

    games: tuple[SavedGame, ...]
    seed: int | tuple[int, ...]
    sampler: tuple[int, int, int, int]
