"""What is said about one decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from nevsky.bots.reasons import Reason

__all__ = ["MARKS", "NOTICED", "Mark", "Verdict", "mark_of"]

Mark = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
MARKS: Final[tuple[Mark, ...]] = ("best", "good", "inaccuracy", "mistake", "blunder")
_FROM: Final[tuple[tuple[float, Mark], ...]] = ((6.0, "blunder"), (3.0, "mistake"), (1.5, "inaccuracy"))
"""Points lost from which on a mark is given."""
NOTICED: Final = min(points for points, _ in _FROM)
_SURELY: Final = 0.5
"""The share of these points that must be lost even if the playouts were as unlucky as is likely (95 %)."""


class Verdict(NamedTuple):
    """One decision beside the best one that was found, both played out equally often in the same deals."""

    step: int
    """Moves that had been made before."""
    seat: int
    round: int
    phase: str
    due: str
    """The kind of decision."""
    played: str
    better: str
    """The action it was compared with: the best one, or the second best if the best one was played."""
    mark: Mark
    behind: float
    """Points at the end that are worth as much as what was lost; below 0 what the other action would have lost."""
    doubt: float
    """By how much this may be wrong (95 %)."""
    lost: float
    """The same as a part of the win, from 0 to 1."""
    lost_doubt: float
    chance: float
    """The chance to win after what was played."""
    stake: float
    """What was lost by the reward of the search, which counts the win, the lead and the points."""
    playouts: int
    """Of each of the two."""
    why: Reason
    """What speaks for the action it was compared with."""
    why_not: Reason
    """What speaks against, or for, what was played."""

    @property
    def sure(self) -> bool:
        """Whether the difference, either way, is more than noise."""
        return abs(self.behind) > self.doubt

    @property
    def points_lost(self) -> float:
        """What counts as lost: nothing within the noise."""
        return self.behind if self.behind > self.doubt else 0.0

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {**self._asdict(), "why": list(self.why), "why_not": list(self.why_not)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Verdict:
        """What `to_dict` made."""
        return cls(**{**data, "why": Reason(*data["why"]), "why_not": Reason(*data["why_not"])})


def mark_of(behind: float, doubt: float, *, first: bool) -> Mark:
    """The mark for so many points lost; ``first`` if nothing better was found.

    >>> mark_of(6.5, 2.0, first=False), mark_of(6.5, 4.0, first=False), mark_of(6.5, 7.0, first=False)
    ('blunder', 'mistake', 'good')
    """
    if first or behind <= 0:
        return "best"
    for least, mark in _FROM:
        if behind >= least and behind - doubt >= _SURELY * least:
            return mark
    return "good"
