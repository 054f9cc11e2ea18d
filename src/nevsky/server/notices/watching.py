"""Looks at tables when something has happened there, and writes down who is to be told."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final

import structlog

from nevsky.server.errors import Refusal
from nevsky.server.metrics import NOTICES
from nevsky.server.notices.kinds import INVITE, OVER, START, TURN, Offer
from nevsky.server.notices.quiet import when
from nevsky.server.notices.store import NoticeStore
from nevsky.server.settings import Settings

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["Watch"]

_MOST_WAITING: Final = 5000
log = structlog.get_logger()


class Watch:
    """Called by tables after everything that happens; nearly free where there is nothing to tell."""

    def __init__(self, settings: Settings, store: NoticeStore) -> None:
        self._delay = settings.notice_seconds
        self._store = store
        self._waiting: dict[tuple[str, str, str], Offer] = {}
        self._some = asyncio.Event()
        self._task = asyncio.create_task(self._run())

    def look(self, table: Table) -> None:
        """Something may have happened at a table."""
        match = table.match
        entries = -1 if match is None else match.entries
        before, status = table.noticed, table.status
        if before == (status, entries):
            return
        table.noticed = (status, entries)
        if status == "playing" and table.row.pace != "relaxed" and before[0] != "open":
            return
        for offer in _offers(table, before[0], status):
            if len(self._waiting) >= _MOST_WAITING:
                NOTICES.labels(result="dropped").inc()
                return
            self._waiting[offer.lease.table, offer.guest, offer.kind] = offer
            self._some.set()

    async def _run(self) -> None:
        while True:
            await self._some.wait()
            while self._waiting:
                key = next(iter(self._waiting))
                try:
                    await self._write_down(self._waiting.pop(key))
                except Refusal:  # the database is away, or the table is another process's, which looks at it as well
                    NOTICES.labels(result="dropped").inc()
                except Exception:
                    log.exception("notice_not_written")
            self._some.clear()

    async def _write_down(self, offer: Offer) -> None:
        wishes = await self._store.wishes(offer.guest)
        if wishes is None or offer.kind not in wishes.kinds or not await self._store.reachable(offer.guest):
            return
        due = when(datetime.now(UTC) + timedelta(seconds=self._delay), wishes)
        await self._store.record(offer, due.isoformat(timespec="seconds"))

    async def close(self) -> None:
        """Write down what waits, if that goes quickly, and stop."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(2.0):
                while self._waiting:
                    await asyncio.sleep(0.01)
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task


def _offers(table: Table, before: str, status: str) -> Iterator[Offer]:
    """What people who are not there may want to know; whoever plays alone with bots knows it all."""
    lease, match = table.lease, table.match
    if status == "open":
        for place in table.seats:
            if place.free and place.reserved_for is not None:
                yield Offer(lease, place.reserved_for, place.seat, INVITE, 1)
        return
    people = [place for place in table.seats if place.level is None and place.guest is not None]
    if match is None or len(people) < 2:
        return
    asked = (match.game.to_move, table.row.to_move_shown) if table.row.pace == "relaxed" else ()
    for place in people:
        assert place.guest is not None
        if place.away or table.connected(place.seat):
            continue
        if status == "over":
            if before == "playing":
                yield Offer(lease, place.guest, place.seat, OVER, 1)
        elif place.seat in asked:
            yield Offer(lease, place.guest, place.seat, TURN, 1 + match.decisions(place.seat))
        elif before == "open":
            yield Offer(lease, place.guest, place.seat, START, 1)
