"""All decisions of a seat together: how accurate they were, and which of them decided most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp
from typing import Final, NamedTuple

from nevsky.review.verdict import MARKS, Mark, Verdict

__all__ = ["Summary", "moments", "summarize"]

_SCALE: Final = 4.0
"""Points whose loss makes a decision worth a third of a good one."""
_MOMENTS: Final = 3
_FOUND: Final = 0.5
"""How much a good decision that was not easy to replace counts beside one that lost as much."""


class Summary(NamedTuple):
    """A seat's decisions in figures."""

    accuracy: float | None
    """From 0 to 100; None if there was nothing to decide."""
    phases: Mapping[str, float]
    """The same for the phases in which there was something to decide, in their order."""
    marks: Mapping[Mark, int]
    points_lost: float
    decisions: int


def summarize(verdicts: Sequence[Verdict]) -> Summary:
    """What the verdicts come to."""
    order = ("worker", "market", "building", "noble", "exchange")
    phases = {phase: _accuracy(each for each in verdicts if each.phase == phase) for phase in order}
    counts = Counter(each.mark for each in verdicts)
    return Summary(
        accuracy=_accuracy(verdicts),
        phases={phase: value for phase, value in phases.items() if value is not None},
        marks={mark: counts[mark] for mark in MARKS},
        points_lost=round(sum(each.points_lost for each in verdicts), 1),
        decisions=len(verdicts),
    )


def _accuracy(verdicts: Iterable[Verdict]) -> float | None:
    worth = [exp(-each.points_lost / _SCALE) for each in verdicts]
    return round(100 * sum(worth) / len(worth), 1) if worth else None


def moments(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The decisions on which most depended, at most three, in the order of the game.

    Those that lost something for sure, and those where only one action was good and it was found.
    """

    def weight(each: Verdict) -> float:
        return each.stake if each.stake > 0 else -_FOUND * each.stake

    clear = [each for each in verdicts if each.sure and each.mark != "good"]
    return sorted(sorted(clear, key=lambda each: (-weight(each), each.step))[:_MOMENTS], key=lambda each: each.step)
