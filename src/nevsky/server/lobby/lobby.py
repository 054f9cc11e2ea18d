"""The lobby of one process: who looks at it, and what they are shown.

However much happens, it is put together at most a few times a second, once for everybody, and not at all while nobody
looks.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from typing import TYPE_CHECKING, Final

import structlog

from nevsky.server.bans import Bans, banned
from nevsky.server.errors import Refusal
from nevsky.server.lists import FIRST_PAGE
from nevsky.server.lobby.news import Figures, News
from nevsky.server.lobby.presence import Presence
from nevsky.server.lobby.visitor import Visitor
from nevsky.server.metrics import ONLINE
from nevsky.server.protocol import TableSummary
from nevsky.server.storage import Storage, now
from nevsky.server.summaries import summary

if TYPE_CHECKING:
    from nevsky.server.lobby.bulletin import Bulletin

__all__ = ["Lobby"]

_PERIOD: Final = 0.4
"""Seconds between two editions, at least."""
_FOR_EACH: Final = 0.0005
"""Seconds more for each visitor: with ten thousand there is one every five seconds."""
_LOOK_AGAIN: Final = 30.0
"""Seconds after which tables where nobody waits any more are looked for."""
log = structlog.get_logger()


class Lobby:
    """Shows everybody the same."""

    def __init__(
        self, storage: Storage, bans: Bans, presence: Presence, waiting: Callable[[], Collection[str]], minutes: float
    ) -> None:
        self._storage = storage
        self._bans = bans
        self.presence = presence
        self._tables_with_people = waiting
        self._minutes = minutes
        self.bulletin: Bulletin | None = None
        """Only where there are other processes."""
        self.count_waiting: Callable[[], Awaitable[int]] = _nobody
        """How many wait to be matched."""
        self.on_guest: Callable[[str], object] = str
        """Something has changed for a guest."""
        self.matching = True
        """Whether people may wait here to be matched."""
        self._visitors: dict[Visitor, None] = {}
        self._by_guest: dict[str, set[Visitor]] = {}
        self._news = News([], Figures(matching=False))
        self._dirty = {"tables", "queue"}
        self._waiting = 0
        self._last = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._again: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        presence.on_change = self._came_or_went
        bans.on_change = self._send_banned_away

    def __len__(self) -> int:
        return len(self._visitors)

    def __contains__(self, guest: str) -> bool:
        return guest in self._by_guest

    def of(self, guest: str) -> Collection[Visitor]:
        """The connections of a guest."""
        return list(self._by_guest.get(guest, ()))

    def changed(self, what: str) -> None:
        """Something is different now, here and for the other processes."""
        if self.bulletin is not None:
            self.bulletin.changed(what)
        self.look({what})

    def look(self, changed: Collection[str]) -> None:
        """Look at some of it again: "tables", "queue", or "guest ..."."""
        for each in changed:
            kind, _, guest = each.partition(" ")
            if kind == "guest":
                self.on_guest(guest)
            else:
                self._dirty.add(kind)
        self._soon()

    def _came_or_went(self) -> None:
        ONLINE.set(len(self.presence.here()))
        if self.bulletin is not None:
            self.bulletin.came_or_went()
        self._soon()

    async def arrive(self, visitor: Visitor) -> None:
        """Somebody looks from now on."""
        if self._closed:
            raise Refusal("shutting_down", "shutting_down")
        if not self._visitors:  # tables may have left the list meanwhile
            self._dirty |= {"tables", "queue"}
        self._visitors[visitor] = None
        if visitor.guest is not None:
            self._by_guest.setdefault(visitor.guest, set()).add(visitor)
        if self._dirty:
            await self._refresh()
        visitor.show(self._news)
        self._watch()

    def depart(self, visitor: Visitor) -> None:
        """They look no more."""
        visitor.closed = True
        self._visitors.pop(visitor, None)
        if visitor.guest is not None:
            own = self._by_guest.get(visitor.guest, set())
            own.discard(visitor)
            if not own:
                self._by_guest.pop(visitor.guest, None)

    def _watch(self) -> None:
        """While somebody looks, tables leave the list in time."""
        if self._again is None and self._visitors and not self._closed:
            self._again = asyncio.get_running_loop().call_later(_LOOK_AGAIN, self._look_again)

    def _look_again(self) -> None:
        self._again = None
        if self._visitors:
            self.look({"tables", "queue"})
            self._watch()

    def _soon(self) -> None:
        if self._timer is None and self._task is None and self._visitors and not self._closed:
            period = max(_PERIOD, _FOR_EACH * len(self._visitors))
            wait = max(0.02, self._last + period - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(wait, self._start)

    def _start(self) -> None:
        self._timer = None
        self._task = asyncio.create_task(self._show())

    async def _show(self) -> None:
        try:
            await self._refresh()
        except Refusal as refusal:
            log.debug("lobby_waits", code=refusal.code)
        except Exception:
            log.exception("lobby_failed")
        finally:
            self._task = None
            self._last = time.monotonic()
        for visitor in self._visitors:
            visitor.show(self._news)
        if self._dirty:
            self._soon()

    async def _refresh(self) -> None:
        dirty, self._dirty = self._dirty, set()
        tables: list[TableSummary] | None = None
        try:
            if "tables" in dirty:
                tables = await self._tables()
                dirty.discard("tables")
            if "queue" in dirty:
                self._waiting = await self.count_waiting()
                dirty.discard("queue")
        finally:
            self._dirty |= dirty
        figures = Figures(len(self.presence), self._waiting, self.matching)
        if not self._news.fits(tables, figures):
            self._news = News(self._news.tables if tables is None else tables, figures, self._news)

    async def _tables(self) -> list[TableSummary]:
        since = now(60 * self._minutes)
        found = await self._storage.list_open(FIRST_PAGE, since, self._tables_with_people())
        return [summary(row, places, None) for row, places in found]

    def _send_banned_away(self) -> None:
        for visitor in list(self._visitors):
            if self._bans.bans_guest(visitor.guest) or self._bans.bans_address(visitor.address):
                visitor.dismiss(banned())

    def dismiss_all(self, why: Refusal) -> None:
        """Send everybody away."""
        self._closed = True
        for handle in (self._timer, self._again):
            if handle is not None:
                handle.cancel()
        for visitor in list(self._visitors):
            visitor.dismiss(why)


async def _nobody() -> int:
    return 0
