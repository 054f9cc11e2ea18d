"""All tables: loaded from the database when somebody comes, put away when nobody is there."""

from __future__ import annotations

import asyncio
import secrets
import time

import structlog

from nevsky.server.actor import Services, Table
from nevsky.server.errors import Refusal, no_such_table
from nevsky.server.metrics import TABLES
from nevsky.server.protocol import RulesetInfo, TableSummary
from nevsky.server.schema import SeatRow, TableRow
from nevsky.server.storage import now

__all__ = ["Hub", "identify", "summary"]

log = structlog.get_logger()


class Hub:
    """The tables in memory."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.closing = False
        self._tables: dict[str, Table] = {}
        self._loading = asyncio.Lock()
        self._sweeper = asyncio.create_task(self._sweep())
        self._waking = asyncio.create_task(self._wake())

    async def get(self, table_id: str) -> Table:
        """The table, from memory or from the database."""
        self._check_open()
        async with self._loading:
            self._check_open()
            found = self._tables.get(table_id)
            if found is None:
                stored = await self.services.storage.load(table_id) if len(table_id) <= 32 else None
                if stored is None:
                    raise no_such_table()
                found = self._tables[table_id] = Table(stored, self.services)
                TABLES.set(len(self._tables))
            found.last_used = time.monotonic()
            return found

    def _check_open(self) -> None:
        if self.closing:
            raise Refusal("shutting_down", "shutting_down")

    async def forget(self, table_id: str) -> None:
        """A table that is no more."""
        table = self._tables.pop(table_id, None)
        if table is not None:
            await table.close()

    async def close(self) -> None:
        """Finish the moves in flight, tell everybody, and stop."""
        if self.closing:
            return
        self.closing = True
        for task in (self._sweeper, self._waking):
            task.cancel()
        async with self._loading:
            tables = list(self._tables.values())
        await asyncio.gather(*(table.close() for table in tables))
        for table in tables:
            for viewer in table.viewers:
                viewer.send(Refusal("shutting_down", "shutting_down").reply(viewer.language))
                viewer.close()
        log.info("tables_closed", number=len(tables))

    async def _wake(self) -> None:
        """After a restart bots go on where they were."""
        for table_id in await self.services.storage.unfinished_bots():
            try:
                await self.get(table_id)
            except Exception:
                log.exception("table_not_loaded", table=table_id)
            await asyncio.sleep(0.01)

    async def _wake_before_time(self, ahead: float) -> None:
        """Tables whose clocks run out soon come back, so that it happens even if nobody is there."""
        for pace in ("live", "relaxed"):
            seconds = self.services.settings.seconds_for(pace)
            assert seconds is not None
            for table_id in await self.services.storage.unchanged_since(pace, now(seconds - ahead)):
                try:
                    await self.get(table_id)
                except Exception:
                    log.exception("table_not_loaded", table=table_id)

    async def _sweep(self) -> None:
        idle = self.services.settings.idle_seconds
        period = max(0.05, idle / 4)
        while True:
            try:
                await self._wake_before_time(2 * period)
            except Exception:
                log.exception("clocks_not_looked_at")
            await asyncio.sleep(period)
            async with self._loading:
                for table_id, table in list(self._tables.items()):
                    if table.idle and time.monotonic() - table.last_used > idle:
                        del self._tables[table_id]
                        await table.close()
                TABLES.set(len(self._tables))


def identify(table: Table, guest: str | None, token: str | None) -> int | None:
    """The seat of a visitor: by the token of a seat link, else by the cookie; None for spectators."""
    if token:
        for place in table.seats:
            if place.guest is not None and secrets.compare_digest(place.token.encode(), token.encode()):
                return place.seat
        raise Refusal("not_allowed", "link")
    return table.seat_of(guest)


def summary(row: TableRow, places: list[SeatRow], you: int | None) -> TableSummary:
    """A table in a list."""
    return TableSummary(
        table=row.id,
        status=row.status,  # type: ignore[arg-type]
        ruleset=RulesetInfo.model_validate(row.ruleset),
        names=[place.name for place in places],
        bots=[place.level for place in places],
        round=row.round,
        to_move=row.to_move if you is not None and row.to_move == you else row.to_move_shown,
        you=you,
        your_turn=you is not None and you in (row.to_move, row.to_move_shown),
        public=row.public,
        updated=row.updated,
        winners=row.winners,
        rematch=row.rematch,
    )
