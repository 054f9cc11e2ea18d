"""Requests of one address take turns: only so many are worked on at the same time, the others wait.

So hundreds of requests at once delay those of other addresses by a few of them. Behind one address visitors take
turns, too. And whoever asks too often waits for the refusal, so that what is refused costs the others little.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Final

from nevsky.server.errors import Refusal

__all__ = ["Turn", "Turns"]

_AT_ONCE: Final = 6
REST_SECONDS: float = 1.0
_MOST_RESTING: Final = 1000


class _Line:
    """Of one address: how many are worked on, and who waits, by visitor."""

    def __init__(self) -> None:
        self.at_work = 0
        self.waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def next(self) -> asyncio.Future[None] | None:
        """The next of those who wait; visitors go round."""
        while self.waiting:
            who, futures = next(iter(self.waiting.items()))
            future = futures.popleft()
            if futures:
                self.waiting.move_to_end(who)
            else:
                del self.waiting[who]
            if not future.done():
                return future
        return None


class Turn:
    """The right to be worked on, until it is given back."""

    def __init__(self, turns: Turns, address: str) -> None:
        self._turns: Turns | None = turns
        self._address = address

    def give_back(self) -> None:
        """Let the next one begin; only the first time counts."""
        if self._turns is not None:
            self._turns.pass_on(self._address)
            self._turns = None


class Turns:
    """Addresses from which nobody asks at the moment are not kept."""

    def __init__(self, at_once: int = _AT_ONCE) -> None:
        self._at_once = at_once
        self._lines: dict[str, _Line] = {}
        self._resting = 0
        self._closed: Callable[[], Refusal] | None = None

    def __len__(self) -> int:
        return len(self._lines)

    async def take(self, address: str, who: str) -> Turn:
        """Wait for a turn."""
        line = self._lines.setdefault(address, _Line())
        if line.at_work < self._at_once:
            line.at_work += 1
            return Turn(self, address)
        if self._closed is not None:
            raise self._closed()
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        line.waiting.setdefault(who, deque()).append(future)
        try:
            await future
        except BaseException:
            if future.done() and not future.cancelled() and future.exception() is None:  # it was our turn already
                self.pass_on(address)
            raise
        return Turn(self, address)

    def close(self, why: Callable[[], Refusal]) -> None:
        """The server stops: from now on nobody waits, and those who do are told so."""
        self._closed = why
        for line in self._lines.values():
            while (future := line.next()) is not None:
                future.set_exception(why())

    def pass_on(self, address: str) -> None:
        """Somebody is done."""
        line = self._lines[address]
        following = line.next()
        if following is not None:
            following.set_result(None)
            return
        line.at_work -= 1
        if not line.at_work:
            del self._lines[address]

    async def rest(self, refusal: Refusal) -> None:
        """Wait before a refusal is sent, if it is for asking too often."""
        if refusal.code == "too_fast" and self._resting < _MOST_RESTING:
            self._resting += 1
            try:
                await asyncio.sleep(REST_SECONDS)
            finally:
                self._resting -= 1
