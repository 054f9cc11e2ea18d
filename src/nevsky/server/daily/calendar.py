"""Which deal is played when. Days and ISO weeks are those of UTC, and a deal is named by one: 2026-11-18, 2026-W47."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Final, Literal

from nevsky.server.errors import Refusal

__all__ = ["GRACE", "Kind", "begins", "closes", "current", "ends", "is_published", "kind_of", "stamp", "utc_now"]

Kind = Literal["day", "week"]
GRACE: Final = timedelta(hours=2)
"""For whoever began shortly before the end. Only then is the deal published, so nobody can look into it and go on."""
_clock: Callable[[tzinfo], datetime] = datetime.now
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_WEEK: Final = re.compile(r"(\d{4})-W(\d{2})", re.ASCII)


def utc_now() -> datetime:
    """The time, everywhere in this room."""
    return _clock(UTC)


def stamp(time: datetime) -> str:
    """A time as it stands in the database."""
    return time.isoformat(timespec="seconds")


def current(kind: Kind) -> str:
    """The deal of today or of this week."""
    now = utc_now()
    if kind == "day":
        return now.date().isoformat()
    year, week, _ = now.isocalendar()
    return f"{year}-W{week:02}"


def kind_of(key: str) -> Kind:
    """Whether it is the deal of a day or of a week."""
    return "week" if _WEEK.fullmatch(key) else "day"


def begins(key: str) -> datetime:
    """From when on it is played; a name that is none is refused.

    >>> begins("2026-W47").isoformat(), begins("2026-11-18").isoformat()
    ('2026-11-16T00:00:00+00:00', '2026-11-18T00:00:00+00:00')
    """
    week = _WEEK.fullmatch(key)
    try:
        if week:
            first = date.fromisocalendar(int(week[1]), int(week[2]), 1)
        elif _DAY.fullmatch(key):
            first = date.fromisoformat(key)
        else:
            raise ValueError(key)
        return datetime(first.year, first.month, first.day, tzinfo=UTC)
    except ValueError as error:
        raise Refusal("not_found", "daily") from error


def ends(key: str) -> datetime:
    """From when on nobody can begin a try that counts."""
    return begins(key) + timedelta(days=7 if kind_of(key) == "week" else 1)


def closes(key: str) -> datetime:
    """Until when a try has to be finished; from then on everybody may know everything."""
    return ends(key) + GRACE


def is_published(key: str) -> bool:
    """Whether everybody may know the deal and look at all tries."""
    return utc_now() >= closes(key)
