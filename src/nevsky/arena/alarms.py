"""Somebody who lets a broken bot play for hours should hear of it in the first minute."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from nevsky.arena.playing import Played
from nevsky.arena.setup import Setup

__all__ = ["Alarms"]

_LEAST: Final = 30
"""Decisions before anything is said."""
_OFTEN: Final = 0.1
"""The share of forfeited decisions that is too many."""


class Alarms:
    """Counts what each bot forfeits in this run, and tells once of each that fails often."""

    def __init__(self, setup: Setup, tell: Callable[[str], None]) -> None:
        self._labels = setup.labels
        self._tell = tell
        self._decisions: Counter[int] = Counter()
        self._forfeits: Counter[int] = Counter()
        self._told: set[int] = set()

    def add(self, played: Played) -> None:
        """One game more."""
        line = played.result
        for seat, entrant in enumerate(line["seats"]):
            self._decisions[entrant] += line["decisions"][seat]
            self._forfeits[entrant] += sum(line["forfeits"][seat].values())
            decisions, forfeits = self._decisions[entrant], self._forfeits[entrant]
            if entrant in self._told or decisions < _LEAST or forfeits < _OFTEN * decisions:
                continue
            self._told.add(entrant)
            last = played.timing["failures"][seat]
            because = f" Its last failure: {last}" if last else ""
            self._tell(f"{self._labels[entrant]} has forfeited {forfeits:,} of {decisions:,} decisions.{because}")
