"""So many in so much time."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from nevsky.errors import NevskyError

__all__ = ["Rate"]

_UNITS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400}
_RATE: Final = re.compile(r"(\d{1,9})\s*(?:per|/)\s*(?:(\d{1,4})\s+)?(second|minute|hour|day)s?", re.IGNORECASE)


class Rate(NamedTuple):
    """So many at once, and as many again in so many seconds."""

    amount: int
    seconds: float

    @classmethod
    def read(cls, name: str, text: str) -> Rate:
        """From a setting like '40 per 5 second'."""
        found = _RATE.fullmatch(text.strip())
        rate = cls(int(found[1]), int(found[2] or 1) * _UNITS[found[3].lower()]) if found else cls(0, 0)
        if rate.amount < 1 or rate.seconds <= 0:
            raise NevskyError("setting.rate", name=name.upper(), rate=repr(text))
        return rate

    @property
    def per_second(self) -> float:
        """How fast it fills."""
        return self.amount / self.seconds
