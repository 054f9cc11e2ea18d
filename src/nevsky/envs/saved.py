"""Games of a batch as they were at a decision: to go back to, to go on elsewhere, to keep in a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from nevsky.envs.options import NOTHING
from nevsky.errors import NevskyError
from nevsky.rules.position import Position
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.snapshot import describe, restore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from nevsky.envs.batch_arrays import Arrays

__all__ = ["End", "Log", "SavedBatch", "SavedGame", "Standings"]


class End(NamedTuple):
    """What the arrays tell of the game that ended last in a place."""

    done: bool
    rewards: tuple[float, ...]
    earned: float
    scores: tuple[int, ...]
    places: npt.NDArray[np.intp]
    values: npt.NDArray[np.float32]


class Log(NamedTuple):
    """What a batch with memory knows of the actions of a game."""

    made: int
    since: npt.NDArray[np.int32]
    entries: tuple[npt.NDArray[np.integer], ...]
    """The seats, the ids and the secrets of the latest actions, as the ring has them."""
    final: npt.NDArray[np.int32]
    """The history at the end of the game before."""

    @classmethod
    def of(cls, arrays: Arrays, i: int) -> Log:
        """The log of a game as it is now."""
        made = int(arrays.log_counts[i])
        rings = (arrays.log_seats, arrays.log_ids, arrays.log_secrets)
        final = arrays.final_history[i, : arrays.final_history_counts[i]].copy()
        return cls(made, arrays.log_since[i].copy(), tuple(ring[i, :made].copy() for ring in rings), final)

    def write(self, arrays: Arrays, i: int) -> None:
        """Go on from it."""
        rings: tuple[npt.NDArray[Any], ...] = (arrays.log_seats, arrays.log_ids, arrays.log_secrets)
        for ring, entries in zip(rings, self.entries, strict=True):
            ring[i, : len(entries)] = entries
        arrays.log_counts[i], arrays.log_since[i] = self.made, self.since
        arrays.final_history[i] = NOTHING
        arrays.final_history[i, : len(self.final)] = self.final
        arrays.final_history_counts[i] = len(self.final)


class Standings(NamedTuple):
    """The potentials of a game in a batch that pays rewards on the way."""

    shaping: str
    potentials: tuple[float, ...]
    begun: tuple[bool, ...]


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
        log: Log | None = None,
        standings: Standings | None = None,
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
        self.log = log
        self.standings = standings

    def restore_extras(self, arrays: Arrays, i: int, shaping: str | None) -> None:
        """Write what the options of a batch need beyond the position.

        Where another potential was counted with, or none, the game begins here as far as rewards are concerned.
        """
        if self.log is not None and len(arrays.log_counts):
            self.log.write(arrays, i)
        if shaping is None:
            return
        arrays.potentials[i], arrays.begun[i] = 0.0, False
        if self.standings is not None and self.standings.shaping == shaping:
            arrays.potentials[i], arrays.begun[i] = self.standings.potentials, self.standings.begun

    def check(self, ruleset: Ruleset, opponents: int, *, memory: bool) -> None:
        """Whether it can go on in a batch like this."""
        if self.ruleset != ruleset:
            raise NevskyError("env.saved_ruleset")
        if max(self.rivals) >= opponents:
            raise NevskyError("env.saved_opponents", number=max(self.rivals) + 1, have=opponents)
        if memory and self.log is None:
            raise NevskyError("env.saved_memory")

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
