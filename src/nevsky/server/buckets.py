"""What the limits are counted in: buckets of one visitor, and the budget of an address.

Several processes count together. What was taken at another one is heard of a moment later, so every process may allow a
little more than there is: what fits into that moment. It is a debt that is paid back, and nobody else pays it: whoever
stays within their share is not refused for what others did elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol, TypeVar

from nevsky.server.rates import Rate

__all__ = ["LATE", "Bucket", "Budget", "forget"]

LATE: Final = 1.5
"""Seconds within which we hear of what was taken elsewhere; it may count as taken only then."""
_MOST_DEBT: Final = 8
"""Times the amount, which is as much as eight more processes can allow before they hear of each other."""
_MOST_MEMBERS: Final = 1000
_NEWCOMERS: Final = 10
"""For so many of those who are known all newcomers of an address count at least."""


class _Touched(Protocol):
    @property
    def touched(self) -> float: ...


_T = TypeVar("_T", bound=_Touched)


def forget(kept: dict[str, _T], before: float) -> None:
    """Drop what was not asked since then, oldest first."""
    while kept:
        first = next(iter(kept))
        if kept[first].touched > before:
            return
        del kept[first]


class Bucket:
    """Holds as many as the rate allows at once and fills at its pace."""

    __slots__ = ("_level", "_rate", "_slack", "touched")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._level = float(rate.amount)
        self._slack = 0.0
        self.touched = now

    def fill(self, now: float) -> float:
        """What is in it now; less than nothing if too much was taken at several processes at once."""
        self._level = min(self._rate.amount, self._level + (now - self.touched) * self._rate.per_second)
        if self._level == self._rate.amount:
            self._slack = 0.0
        self.touched = now
        return self._level

    def allows(self, now: float) -> bool:
        """Whether there is one left."""
        return self.fill(now) >= 1 - self._slack

    def take(self) -> None:
        """One out of it."""
        self._level -= 1

    def take_elsewhere(self, number: float, now: float) -> None:
        """So many were taken at another process, a moment ago."""
        self._level = max(-_MOST_DEBT * self._rate.amount, self.fill(now) - number)
        self._slack = LATE * self._rate.per_second


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

    __slots__ = ("_bucket", "_known", "_new", "_rate", "_whole")

    def __init__(self, rate: Rate, now: float) -> None:
        self._rate = rate
        self._bucket = Bucket(self._twice, now)
        """What is left of it if only we are asked."""
        self._whole: Bucket | None = None
        """What is left of it in all, where others are asked, too."""
        self._known: dict[str, _Member] = {}
        self._new: dict[str, _Member] = {}

    @property
    def _twice(self) -> Rate:
        return Rate(2 * self._rate.amount, 2 * self._rate.seconds)

    @property
    def touched(self) -> float:
        """When it was asked last."""
        return self._bucket.touched

    def allows(self, member: str, now: float, *, known: bool = False) -> bool:
        """Whether one more is within the budget, and within the member's share if it is short."""
        level = left = self._bucket.fill(now)
        slack = 0.0
        if self._whole is not None:
            left, slack = self._whole.fill(now), LATE * self._rate.per_second
        found, share = self._member(member, now, known)
        amount = self._rate.amount
        if level < 1 - slack:
            return False
        return left > amount or found.used + 1 <= max(1.0, (amount + slack) * share)

    def _member(self, member: str, now: float, known: bool) -> tuple[_Member, float]:
        """What somebody has used by now, and their share."""
        for members in (self._known, self._new):
            forget(members, now - self._rate.seconds)
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
        return found, share

    def _share(self, known: bool) -> float:
        newcomers = min(len(self._new), max(len(self._known), _NEWCOMERS))
        places = len(self._known) + newcomers
        return 1 / places if known else newcomers / places / len(self._new)

    def take(self, member: str) -> None:
        """One for a member who was just allowed it."""
        self._bucket.take()
        if self._whole is not None:
            self._whole.take()
        members = self._known if member in self._known else self._new
        (members.get(member) or self._known.get("") or self._new[""]).used += 1

    def take_elsewhere(self, number: float, members: Iterable[tuple[str, float, bool]], now: float) -> None:
        """So many were taken at another process, a moment ago; by whom, and whether we know them."""
        level = self._bucket.fill(now)
        if self._whole is None:
            self._whole = Bucket(self._twice, now)
            self._whole.take_elsewhere(self._twice.amount - level, now)
        self._whole.take_elsewhere(number, now)
        for member, taken, known in members:
            found, _ = self._member(member, now, known)
            found.used = min(found.used + taken, float(_MOST_DEBT * self._rate.amount))
