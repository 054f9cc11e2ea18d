"""Nobody waits for two hints at once: not here, and with Redis at no other process either."""

from __future__ import annotations

from collections.abc import Callable

from nevsky.server.bot_queue import BotQueue
from nevsky.server.errors import Refusal
from nevsky.server.redis_link import LinkDownError

__all__ = ["OneHint", "OneHintOfAll"]


def _waits() -> Refusal:
    return Refusal("too_fast", "hint_waiting")


class OneHint:
    """Who waits for a hint of this process."""

    def __init__(self) -> None:
        self._waiting: set[str] = set()

    async def begin(self, guest: str) -> Callable[[], None]:
        """Somebody asks for a hint; what to call when nobody thinks about it any more."""
        if guest in self._waiting:
            raise _waits()
        self._waiting.add(guest)
        return lambda: self._waiting.discard(guest)


class OneHintOfAll(OneHint):
    """The same over all processes, while Redis is there."""

    def __init__(self, queue: BotQueue, server: str) -> None:
        super().__init__()
        self._queue = queue
        self._server = server

    async def begin(self, guest: str) -> Callable[[], None]:
        """The same; whoever waits elsewhere is refused, too."""
        here = await super().begin(guest)

        def end() -> None:
            here()
            self._queue.advised(self._server, guest)

        try:
            free = await self._queue.advise(self._server, guest)
        except LinkDownError:
            return end
        except BaseException:
            end()
            raise
        if not free:
            here()
            raise _waits()
        return end
