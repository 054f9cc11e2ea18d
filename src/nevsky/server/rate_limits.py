"""How much one visitor may ask for."""

from __future__ import annotations

from limits import RateLimitItem, parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from nevsky.errors import NevskyError
from nevsky.server.errors import Refusal
from nevsky.server.settings import Settings

__all__ = ["Limits"]


class Limits:
    """The limits by what they are for."""

    def __init__(self, settings: Settings) -> None:
        self._limiter = MovingWindowRateLimiter(MemoryStorage())
        self._items: dict[str, RateLimitItem] = {}
        for name in ("message", "chat", "hint", "request", "table"):
            rate = getattr(settings, f"{name}_rate")
            try:
                self._items[name] = parse(rate)
            except ValueError as error:
                raise NevskyError("setting.rate", name=name.upper(), rate=repr(rate)) from error

    def check(self, what: str, who: str) -> None:
        """Count one more; too many are refused."""
        if not self._limiter.hit(self._items[what], what, who):
            raise Refusal("too_fast", "too_fast")
