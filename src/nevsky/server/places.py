"""Who makes room when there is no room left: whoever holds the most."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final, Generic, TypeVar

__all__ = [
    "CANNOT_YIELD",
    "CONNECTION",
    "OUTLET",
    "PLAYS_ALONE",
    "UNTOUCHED",
    "WATCHES",
    "Connection",
    "Held",
    "Socket",
]

CONNECTION: Final = "nevsky.connection"
"""Where a request finds its connection, and a WebSocket the one that it has become of."""
OUTLET: Final = "nevsky.outlet"
"""Where it finds the end at which something can be written without waiting."""
UNTOUCHED: Final = "x-nevsky-untouched"
"""Marks an answer where nothing was done, for want of room or since the table moved: it may be asked again."""
WATCHES: Final = 0
"""Spectators, and the second tab of a player: they are asked for their place first."""
PLAYS_ALONE: Final = 1
"""Nobody waits for somebody who plays with bots only."""
CANNOT_YIELD: Final = 2


class Connection:
    """One connection; `key` is the address that it counts under, nothing for trusted proxies."""

    __slots__ = ("end", "gone", "key", "unproven")

    def __init__(self, key: str, end: Callable[[], object]) -> None:
        self.key = key
        self.gone = False
        self.unproven = False
        """Its address has as many as it may have; its first request tells whether it is one of our processes."""
        self.end = end
        """Ends it at once."""


class Socket:
    """One WebSocket of somebody at an address."""

    __slots__ = ("address", "end", "rank", "who")

    def __init__(self, address: str, who: str) -> None:
        self.address = address
        self.who = who
        self.rank = CANNOT_YIELD
        self.end: Callable[[], object] = str
        """Says goodbye and ends it."""


_T = TypeVar("_T")


class Held(Generic[_T]):
    """What could be given up, by holder, in the order in which it came."""

    def __init__(self, some: Iterable[tuple[str, _T]] = ()) -> None:
        self._held: dict[str, dict[_T, None]] = {}
        for holder, each in some:
            self.add(holder, each)

    def add(self, holder: str, each: _T) -> None:
        """One more, as the newest."""
        self._held.setdefault(holder, {})[each] = None

    def discard(self, holder: str, each: _T) -> None:
        """One less, if it is there."""
        held = self._held.get(holder, {})
        held.pop(each, None)
        if not held:
            self._held.pop(holder, None)

    def of(self, holder: str) -> Collection[_T]:
        """All that somebody holds, oldest first."""
        return self._held.get(holder, {})

    def too_much(self, newcomer: str) -> list[_T]:
        """All that the greediest holds, if that is still more than the newcomer has with one more; oldest first."""
        most = max(self._held.values(), key=len, default={})
        return list(most) if len(most) > len(self.of(newcomer)) + 1 else []
