"""How much one visitor, and one address, may ask for.

Nothing here grows with visitors who are gone: a bucket that has filled up again says nothing and is forgotten.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final, Generic, Protocol, TypeVar

from nevsky.server.errors import Refusal
from nevsky.server.rates import Rate
from nevsky.server.settings import Settings

__all__ = ["FILE", "Bucket", "Budget", "Limits"]

KINDS: Final = ("message", "chat", "hint", "request", "table", "guest")
FILE: Final = "file"
_FILES: Final = Rate(6000, 60.0)
"""Files of the page, and what operators ask for: fifty people open the page within ten seconds, with room to spare."""
_MOST_KEPT: Final = 20_000
_MOST_MEMBERS: Final = 1000
_NEWCOMERS: Final = 10
"""For so many of those who are known all newcomers of an address count at least."""
_KNOWN_AFTER: Final = 120.0
_KNOWN_FOR: Final = 3600.0
"""Seconds after which a guest is no newcomer any more, and after which one who is silent is one again."""


class _Counter(Protocol):
    @property
    def touched(self) -> float: ...


class Bucket:
    """Holds as many as the rate allows at once and fills at its pace."""

    __slots__ = ("_level", "_rate", "touched")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._level = float(rate.amount)
        self.touched = now

    def fill(self, now: float) -> float:
        """What is in it now."""
        self._level = min(self._rate.amount, self._level + (now - self.touched) * self._rate.per_second)
        self.touched = now
        return self._level

    def take(self) -> None:
        """One out of it."""
        self._level -= 1


class _Member:
    __slots__ = ("touched", "used")

    def __init__(self, now: float) -> None:
        self.used = 0.0
        self.touched = now


class Budget:
    """What one address may ask for, shared fairly by those behind it.

    There is twice the rate's amount in it. As long as half of that is left anybody takes what they need; below that
    nobody takes more than their share: the amount, and what flows in, divided by those who asked lately. So whoever
    stays within their share is never refused, whatever the others do. Newcomers together have at most as much as those
    who are known together, or as ten of them: new guests without end make nobody else's share smaller than half.
    """

    __slots__ = ("_bucket", "_known", "_new", "_rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._bucket = Bucket(Rate(2 * rate.amount, 2 * rate.seconds), now)
        self._known: dict[str, _Member] = {}
        self._new: dict[str, _Member] = {}

    @property
    def touched(self) -> float:
        """When it was asked last."""
        return self._bucket.touched

    def allows(self, member: str, now: float, *, known: bool = False) -> bool:
        """Whether one more is within the budget, and within the member's share if it is short."""
        level = self._bucket.fill(now)
        for members in (self._known, self._new):
            _forget(members, now - self._rate.seconds)
        members = self._known if known else self._new
        found = self._known.pop(member, None) or self._new.pop(member, None)
        if found is None:
            if len(members) >= _MOST_MEMBERS:
                member = ""
            found = members.pop(member, None) or _Member(now)
        members[member] = found  # at the end: the dictionary stays ordered by who asked last
        share = self._share(known)
        found.used = max(0.0, found.used - (now - found.touched) * self._rate.per_second * share)
        found.touched = now
        amount = self._rate.amount
        return level >= 1 and (level > amount or found.used + 1 <= max(1.0, amount * share))

    def _share(self, known: bool) -> float:
        newcomers = min(len(self._new), max(len(self._known), _NEWCOMERS))
        places = len(self._known) + newcomers
        return 1 / places if known else newcomers / places / len(self._new)

    def take(self, member: str) -> None:
        """One for a member who was just allowed it."""
        self._bucket.take()
        members = self._known if member in self._known else self._new
        (members.get(member) or self._known.get("") or self._new[""]).used += 1


_C = TypeVar("_C", bound=_Counter)


def _forget(kept: dict[str, _C], before: float) -> None:
    """Drop what was not asked since then, oldest first."""
    while kept:
        first = next(iter(kept))
        if kept[first].touched > before:
            return
        del kept[first]


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
        _forget(self._kept, now - 2 * self._rate.seconds)


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
            if kind != "guest":
                name = f"{kind}_rate"
                self._own[kind] = _Kept(Rate.read(name, getattr(settings, name)), Bucket)
        self._shared[FILE] = _Kept(_FILES, Budget)
        self._message = Rate.read("message_rate", settings.message_rate)

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
        if (own is not None and own.fill(now) < 1) or not budget.allows(who, now, known=known):
            raise Refusal("too_fast", "too_fast")
        budget.take(who)
        if own is not None:
            own.take()
