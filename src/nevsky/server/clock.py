"""The time of the players at tables that play with a clock: a free part for each decision, then the own reserve."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from nevsky.server.errors import Refusal

__all__ = ["AWAY_AFTER", "Clock", "Pace", "Times", "chosen_pace", "runs_out"]

AWAY_AFTER: Final = 2
"""Whoever runs out of time so often in a row counts as away."""
_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR


class Pace(NamedTuple):
    """How much time there is."""

    decision: float
    """Seconds of each decision that cost nothing."""
    reserve: float
    """Seconds that a player has beyond that for the whole game."""


_LIVE: Final = "live"
_LEAST: Final = {_LIVE: Pace(15, 0), "relaxed": Pace(_HOUR, 0)}
_MOST: Final = {_LIVE: Pace(_HOUR, 2 * _HOUR), "relaxed": Pace(14 * _DAY, 30 * _DAY)}


def chosen_pace(kind: str, usual: Pace | None, decision: float | None, reserve: float | None) -> Pace | None:
    """What was asked for, and the usual where nothing was; None without a clock. What is out of bounds is refused."""
    if usual is None:
        if decision is not None or reserve is not None:
            raise Refusal("refused", "no_clock")
        return None
    for wanted, least, most in zip((decision, reserve), _LEAST[kind], _MOST[kind], strict=True):
        if wanted is not None and not least <= wanted <= most:
            raise Refusal("refused", "pace_live" if kind == _LIVE else "pace_relaxed")
    return Pace(usual.decision if decision is None else decision, usual.reserve if reserve is None else reserve)


def runs_out(since: str, seconds: float) -> str:
    """So many seconds after a moment.

    >>> runs_out("2026-03-01T23:59:50+00:00", 15)
    '2026-03-02T00:00:05+00:00'
    """
    return (datetime.fromisoformat(since) + timedelta(seconds=seconds)).isoformat(timespec="seconds")


class Times(NamedTuple):
    """What is stored of the clock of a table; it changes seldom, since time runs by itself."""

    decision: float
    reserve: float
    left: tuple[float, ...]
    """Of each seat's reserve, when the present decision began."""
    missed: tuple[int, ...]
    """How many decisions in a row each seat has run out of time."""
    called: int = -1
    """The version at which somebody last ran out of time."""
    stopped: float | None = None
    """Seconds of the present decision that were gone when the clock last stopped."""

    @classmethod
    def new(cls, pace: Pace, seats: int) -> Times:
        """At the start of a game."""
        return cls(pace.decision, pace.reserve, (pace.reserve,) * seats, (0,) * seats)

    @property
    def pace(self) -> Pace:
        """As it was at the start."""
        return Pace(self.decision, self.reserve)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Times:
        """Read what `to_dict` wrote."""
        return cls(**{**data, "left": tuple(data["left"]), "missed": tuple(data["missed"])})

    def to_dict(self) -> dict[str, Any]:
        """As it is stored."""
        return {**self._asdict(), "left": list(self.left), "missed": list(self.missed)}

    def spend(self, seat: int, seconds: float) -> Times:
        """A decision of a seat has taken so long."""
        left = self.left_after(seat, seconds)
        return self if left == self.left[seat] else self._replace(left=_with(self.left, seat, left))

    def left_after(self, seat: int, seconds: float) -> float:
        """What is left of a seat's reserve if its decision takes so long."""
        return round(max(0.0, self.left[seat] - max(0.0, seconds - self.decision)), 1)

    def miss(self, seat: int, version: int) -> Times:
        """A seat has run out of time."""
        return self._replace(missed=_with(self.missed, seat, self.missed[seat] + 1), called=version)

    def forgive(self, seat: int) -> Times:
        """The player of a seat is there again."""
        return self._replace(missed=_with(self.missed, seat, 0)) if self.missed[seat] else self


def _with(values: tuple[Any, ...], place: int, value: float) -> tuple[Any, ...]:
    return (*values[:place], value, *values[place + 1 :])


class Clock:
    """Counts the seconds of the present decision.

    At live tables it stands still until somebody is there. Otherwise it runs from the last change that everybody saw,
    also while the server does not: that moment is in the database.
    """

    def __init__(self, times: Times | None, live: bool, since: str) -> None:
        self.times = times
        self.live = live
        stopped = None if times is None else times.stopped
        self._gone = stopped or 0.0
        """Seconds before it last began to run."""
        self._since: float | None = None
        if not live and stopped is None:
            age = (datetime.now(UTC) - datetime.fromisoformat(since)).total_seconds()
            self._since = time.monotonic() - max(0.0, age)

    @property
    def running(self) -> bool:
        """Whether it does."""
        return self._since is not None

    def elapsed(self) -> float:
        """Seconds since the present decision began."""
        return self._gone + (0.0 if self._since is None else time.monotonic() - self._since)

    def run(self) -> None:
        """Go on."""
        if self._since is None:
            self._since = time.monotonic()

    def stop(self, ago: float = 0.0) -> float:
        """Stand still, as if it had so many seconds ago; returns how much time is gone."""
        self._gone, self._since = max(0.0, self.elapsed() - ago), None
        return round(self._gone, 1)

    def restart(self, gone: float = 0.0) -> None:
        """Somebody else is asked, or the same player something new."""
        self._gone = gone
        if self._since is not None:
            self._since = time.monotonic()

    def free(self) -> float:
        """Seconds left of the free part of the present decision."""
        assert self.times is not None
        return round(max(0.0, self.times.decision - self.elapsed()), 1)

    def reserve(self, seat: int) -> float:
        """Seconds left of a seat's reserve if the present decision is theirs."""
        assert self.times is not None
        return self.times.left_after(seat, self.elapsed())

    def left(self, seat: int) -> float:
        """Seconds until the seat runs out of time if the present decision is theirs."""
        return self.free() + self.reserve(seat)
