"""How long somebody may be away: so many days in a year, and so many in one stretch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple

__all__ = ["Allowance", "Stretch", "days_left", "days_of"]

_YEAR: Final = timedelta(days=365)
_APART: Final = timedelta(days=3)
"""Stretches that are closer together count as one."""
_DAY: Final = timedelta(days=1)


class Stretch(NamedTuple):
    """From when until when somebody is away, or was."""

    begins: datetime
    until: datetime


class Allowance(NamedTuple):
    """Days."""

    stretch: int
    year: int


def days_of(begins: datetime, until: datetime) -> int:
    """What a stretch counts for: every day that was begun, and at least one.

    >>> monday = datetime(2026, 11, 16, 9)
    >>> days_of(monday, monday), days_of(monday, monday + timedelta(hours=25))
    (1, 2)
    """
    return max(1, math.ceil((until - begins) / _DAY))


def days_left(stretches: Sequence[Stretch], now: datetime, allowed: Allowance) -> int:
    """For how many days somebody may go away now, after these stretches, all of which have ended."""
    of_year = sum(days_of(*each) for each in stretches if each.until > now - _YEAR)
    joined, following = 0, now
    for each in sorted(stretches, reverse=True):
        if following - each.until >= _APART:
            break
        joined, following = joined + days_of(*each), each.begins
    return max(0, min(allowed.year - of_year, allowed.stretch - joined))
