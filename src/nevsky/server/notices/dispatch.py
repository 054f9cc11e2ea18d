"""Tells people what was written down for them, when it is time and if it is still so."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

import structlog

from nevsky.server.errors import Refusal
from nevsky.server.metrics import NOTICES
from nevsky.server.notices.channels import Channels
from nevsky.server.notices.kinds import Due
from nevsky.server.notices.store import NoticeStore
from nevsky.server.notices.wording import words
from nevsky.server.vacations.registry import Vacations
from nevsky.texts.former import shown_names

__all__ = ["Dispatcher"]

_AT_ONCE: Final = 100
_SHORTEST: Final = 0.05
_LONGEST: Final = 10.0
log = structlog.get_logger()


class Dispatcher:
    """Looks now and then for what is due. Of several processes the one that has a table tells of it."""

    def __init__(
        self,
        store: NoticeStore,
        channels: Channels,
        is_there: Callable[[str, int], bool],
        vacations: Vacations,
        seconds: float,
    ) -> None:
        self._store = store
        self._channels = channels
        self._is_there = is_there
        self._vacations = vacations
        self._period = min(_LONGEST, max(_SHORTEST, seconds / 4))
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._period)
            try:
                while not self._channels.full and await self.tell() == _AT_ONCE:
                    pass
            except Refusal:
                pass  # the database is away; it is tried again
            except Exception:
                log.exception("notices_not_sent")

    async def tell(self) -> int:
        """Tell what is due; how much it was."""
        found = await self._store.due(_AT_ONCE)
        for due, still in found:
            away = self._vacations.of(due.guest)
            if away is not None:
                await self._store.postpone(due, away.shown)
                continue
            wanted = still and not self._is_there(due.table, due.seat)
            if await self._store.claim(due):
                if wanted:
                    await self._send(due)
                NOTICES.labels(result="sent" if wanted else "needless").inc()
        return len(found)

    async def _send(self, due: Due) -> None:
        wishes = await self._store.wishes(due.guest)
        if wishes is None or due.kind not in wishes.kinds:
            return
        names = await self._store.players(due.table, due.guest)
        await self._channels.send(due, words(due, shown_names(names, wishes.language), wishes.language), wishes)

    async def close(self) -> None:
        """Stop."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
