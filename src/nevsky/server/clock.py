"""The time for a decision at tables that play with a clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime

__all__ = ["Clock"]


class Clock:
    """Runs from the last change that everybody saw, also while the server does not: its start is in the database."""

    def __init__(self, seconds: float | None, since: str) -> None:
        self._seconds = seconds
        age = (datetime.now(UTC) - datetime.fromisoformat(since)).total_seconds()
        self._since = time.monotonic() - max(0.0, age)

    def restart(self) -> None:
        """Somebody else is asked, or the same player something new."""
        self._since = time.monotonic()

    def left(self) -> float | None:
        """Seconds left, None without a clock."""
        if self._seconds is None:
            return None
        return round(max(0.0, self._seconds - (time.monotonic() - self._since)), 1)

    def run_out(self) -> bool:
        """Whether the time is over."""
        return self.left() == 0.0
