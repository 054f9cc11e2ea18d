"""How much one visitor, and one address, may ask for.

Nothing here grows with visitors who are gone: a bucket that has filled up again says nothing and is forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, Generic, TypeVar

from nevsky.server.buckets import Bucket, Budget, forget
from nevsky.server.errors import Refusal
from nevsky.server.rates import Rate
from nevsky.server.settings import Settings
from nevsky.server.taken import Share, Taken

__all__ = ["FILE", "Bucket", "Budget", "Limits"]

KINDS: Final = (
    *("message", "chat", "hint", "review", "request", "table", "guest", "invitation"),
    *("sign_in", "mail", "daily", "puzzle"),
)
_OF_ADDRESSES: Final = ("guest", "sign_in", "mail", "daily")
"""What only addresses are counted for; how many mails go to one mailbox the database knows."""
FILE: Final = "file"
_FILES: Final = Rate(6000, 60.0)
"""Files of the page, and what operators ask for: fifty people open the page within ten seconds, with room to spare."""
_MOST_KEPT: Final = 20_000
_KNOWN_AFTER: Final = 120.0
_KNOWN_FOR: Final = 3600.0
"""Seconds after which a guest is no newcomer any more, and after which one who is silent is one again."""


_C = TypeVar("_C", bound=Bucket | Budget)


class _Known:
    """Who has been here for a while; whoever is silent for an hour is forgotten."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[float, float]] = {}
        """When they came, and when they asked last; in the order of the latter."""

    def __len__(self) -> int:
        return len(self._seen)

    def see(self, who: str, now: float) -> bool:
        """Somebody asks: whether they are known."""
        self.forget(now)
        came, _ = self._seen.pop(who, (now, now))
        if len(self._seen) >= _MOST_KEPT:
            del self._seen[next(iter(self._seen))]
        self._seen[who] = (came, now)
        return now - came >= _KNOWN_AFTER

    def forget(self, now: float) -> None:
        """Drop those who were silent for long."""
        while self._seen:
            first = next(iter(self._seen))
            if now - self._seen[first][1] < _KNOWN_FOR:
                return
            del self._seen[first]


class _Kept(Generic[_C]):
    """Buckets or budgets by key: full ones are forgotten, and the oldest when there are too many."""

    def __init__(self, rate: Rate, make: Callable[[Rate, float], _C]) -> None:
        self._rate = rate
        self._make = make
        self._kept: dict[str, _C] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: str, now: float) -> _C:
        """The one for this key."""
        self.forget(now)
        found = self._kept.pop(key, None)
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                del self._kept[next(iter(self._kept))]
            found = self._make(self._rate, now)
        self._kept[key] = found
        return found

    def forget(self, now: float) -> None:
        """Drop those that are full again."""
        forget(self._kept, now - 2 * self._rate.seconds)


class Limits:
    """The limits by what they are for: of one visitor, and of all at one address."""

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known = _Known()
        self._own: dict[str, _Kept[Bucket]] = {}
        self._shared: dict[str, _Kept[Budget]] = {}
        for kind in KINDS:
            name = f"{kind}_rate_per_address"
            self._shared[kind] = _Kept(Rate.read(name, getattr(settings, name)), Budget)
            if kind not in _OF_ADDRESSES:
                name = f"{kind}_rate"
                self._own[kind] = _Kept(Rate.read(name, getattr(settings, name)), Bucket)
        self._shared[FILE] = _Kept(_FILES, Budget)
        self._message = Rate.read("message_rate", settings.message_rate)
        self.taken: Taken | None = None
        """What other processes have to be told, if there are any."""

    def __len__(self) -> int:
        """How many visitors and addresses are remembered."""
        now = self._clock()
        kept: list[_Kept[Any] | _Known] = [*self._own.values(), *self._shared.values(), self._known]
        for each in kept:
            each.forget(now)
        return sum(map(len, kept))

    def connection(self) -> Bucket:
        """For the messages of one connection, which keeps it."""
        return Bucket(self._message, self._clock())

    def check(self, kind: str, who: str, address: str, own: Bucket | None = None) -> None:
        """Count one more; too many are refused. What is refused is not counted."""
        now = self._clock()
        if own is None and kind in self._own:
            own = self._own[kind].get(who, now)
        budget = self._shared[kind].get(address, now)
        known = self._known.see(who, now)
        if (own is not None and not own.allows(now)) or not budget.allows(who, now, known=known):
            raise Refusal("too_fast", "too_fast")
        budget.take(who)
        if own is not None:
            own.take()
        if self.taken is not None and kind in KINDS:
            self.taken.add(kind, who, address)

    def taken_elsewhere(self, share: Share) -> None:
        """Another process has allowed so much."""
        if share.kind not in KINDS:
            return
        now = self._clock()
        if share.kind in self._own and share.kind != "message":  # connections have their own for messages
            for who, number in share.members:
                self._own[share.kind].get(who, now).take_elsewhere(number, now)
        members = [(who, float(number), self._known.see(who, now)) for who, number in share.members]
        self._shared[share.kind].get(share.address, now).take_elsewhere(share.number, members, now)
