"""Who is online: here by their connections, and at other processes by what these say."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final

__all__ = ["SILENT", "Presence"]

SILENT: Final = 15.0
"""Seconds after which a process that says nothing is forgotten, with all who were there."""
_MOST_PROCESSES: Final = 200
_MOST_PEOPLE: Final = 100_000


class _Elsewhere:
    """What another process has said."""

    def __init__(self, now: float) -> None:
        self.heard = now
        self.guests: set[str] = set()
        self.told: set[str] = set()
        """What it has told so far of a whole list that comes in parts."""


class Presence:
    """Guests with a connection, at a table or in the lobby. Visitors without a cookie are nobody yet."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._here: Counter[str] = Counter()
        self._elsewhere: dict[str, _Elsewhere] = {}
        self.on_change: Callable[[], object] = bool
        self.news: dict[str, bool] | None = None
        """Who came or went since others were told last; None where there are no others."""

    @contextmanager
    def of(self, guest: str | None) -> Iterator[None]:
        """Somebody is online while the block runs."""
        if guest is None:
            yield
            return
        self._here[guest] += 1
        if self._here[guest] == 1:
            self._changed(guest, here=True)
        try:
            yield
        finally:
            self._here[guest] -= 1
            if self._here[guest] <= 0:
                del self._here[guest]
                self._changed(guest, here=False)

    def _changed(self, guest: str, *, here: bool) -> None:
        if self.news is not None:
            self.news[guest] = here
        self.on_change()

    def here(self) -> list[str]:
        """Those with a connection to this process."""
        return list(self._here)

    def online(self) -> set[str]:
        """All of them, at all processes that are heard."""
        return set(self._here).union(*(other.guests for other in self._alive()))

    def __len__(self) -> int:
        others = self._alive()
        return len(self.online()) if others else len(self._here)

    def __contains__(self, guest: str) -> bool:
        return guest in self._here or any(guest in other.guests for other in self._alive())

    def _alive(self) -> Collection[_Elsewhere]:
        since = self._clock() - SILENT
        for process in [each for each, other in self._elsewhere.items() if other.heard < since]:
            del self._elsewhere[process]
        return self._elsewhere.values()

    def _other(self, process: str) -> _Elsewhere | None:
        if process not in self._elsewhere and len(self._alive()) >= _MOST_PROCESSES:
            return None
        other = self._elsewhere.setdefault(process, _Elsewhere(self._clock()))
        other.heard = self._clock()
        return other

    def hear(self, process: str, came: Collection[str], gone: Collection[str]) -> None:
        """Some have come or gone at another process."""
        other = self._other(process)
        if other is not None and len(other.guests) < _MOST_PEOPLE:
            other.guests = (other.guests | set(came)) - set(gone)
            self.on_change()

    def hear_all(self, process: str, some: Collection[str], *, last: bool) -> None:
        """A part of all who are at another process; with the last part, nobody else is there."""
        other = self._other(process)
        if other is None or len(other.told) > _MOST_PEOPLE:
            return
        other.told |= set(some)
        if last:
            changed, other.guests, other.told = other.guests != other.told, other.told, set()
            if changed:
                self.on_change()

    def forget(self, process: str) -> None:
        """A process has said goodbye."""
        if self._elsewhere.pop(process, None) is not None:
            self.on_change()
