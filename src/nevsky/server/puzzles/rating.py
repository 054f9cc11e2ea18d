"""Ratings of solvers and puzzles: as in Elo, both move by how surprising the answer was, and less with each try."""

from __future__ import annotations

from typing import Final

__all__ = ["START", "changes", "expected"]

START: Final = 1500
"""Of somebody who has tried nothing yet."""
_SCALE: Final = 400.0


def expected(solver: float, puzzle: float) -> float:
    """The chance that somebody finds the answer.

    >>> expected(1500, 1500), round(expected(1700, 1500), 2)
    (0.5, 0.76)
    """
    return float(1 / (1 + 10 ** ((puzzle - solver) / _SCALE)))


def changes(solver: float, tries: int, puzzle: float, asked: int, *, solved: bool) -> tuple[float, float]:
    """By how much the ratings of a solver and of a puzzle change, after so many tries of each before.

    >>> changes(1500, 0, 1500, 0, solved=True), changes(1500, 100, 1500, 100, solved=True)
    ((40.0, -10.0), (11.4, -2.7))
    """
    surprise = (1 if solved else 0) - expected(solver, puzzle)
    own = 20 + 60 / (1 + tries / 5)
    other = 4 + 16 / (1 + asked / 10)
    return round(own * surprise, 1), round(-other * surprise, 1)
