"""The processes that share a PostgreSQL, and which of them has which table in memory.

Each process has a row that it renews all the time. A lease is good while its owner's row is, by the clock of the
database. A process that was paused for too long finds its row expired. Then it lets go of all its tables, which others
may have by now, and comes back under another name.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from collections.abc import Collection
from typing import Any, Final, Protocol

import sqlalchemy as sa
import structlog

from nevsky import __version__
from nevsky.server.errors import Refusal, moved, no_such_table
from nevsky.server.ids import new_process_id
from nevsky.server.ownership import Elsewhere, Lease
from nevsky.server.postgres import FAILURES, Connection, connect
from nevsky.server.postgres_backend import CHANNEL, PostgresBackend

__all__ = ["Listener", "Processes"]

_BURIED: Final = 60.0
"""Seconds after which nothing reminds of a process that has ended."""
_TRIES: Final = 20
_REGISTER: Final = """
INSERT INTO processes (id, address, version, started, until)
VALUES ($1, $2, $3, clock_timestamp(), clock_timestamp() + make_interval(secs => $4))
"""
_BEAT: Final = """
WITH renewed AS (
  UPDATE processes SET until = clock_timestamp() + make_interval(secs => $2)
  WHERE id = $1 AND until > clock_timestamp() RETURNING id
)
SELECT EXISTS (SELECT 1 FROM renewed),
  (SELECT count(*) FROM processes WHERE until <= clock_timestamp() AND id <> $1),
  (SELECT count(*) FROM processes WHERE until <= clock_timestamp() - make_interval(secs => $3))
"""
_LEAVE: Final = "UPDATE processes SET until = clock_timestamp() WHERE id = $1 AND until > clock_timestamp()"
_BURY: Final = """
WITH gone AS (
  DELETE FROM processes WHERE until <= clock_timestamp() - make_interval(secs => $1) RETURNING id
)
UPDATE leases SET owner = NULL, epoch = epoch + 1 WHERE owner IN (SELECT id FROM gone)
"""
_WHOSE: Final = sa.text(
    "SELECT l.owner, l.epoch, p.address, coalesce(p.until > clock_timestamp(), false)"
    " FROM leases l LEFT JOIN processes p ON p.id = l.owner WHERE l.table_id = :table"
)
_FIRST: Final = sa.text(
    "INSERT INTO leases (table_id, owner, epoch) SELECT t.id, p.id, 1 FROM tables t, processes p"
    " WHERE t.id = :table AND p.id = :me AND p.until > clock_timestamp() ON CONFLICT DO NOTHING RETURNING epoch"
)
_TAKE: Final = sa.text(
    "UPDATE leases SET owner = :me, epoch = epoch + 1 WHERE table_id = :table AND epoch = :epoch"
    " AND EXISTS (SELECT 1 FROM processes p WHERE p.id = :me AND p.until > clock_timestamp()) RETURNING epoch"
)
_GIVE: Final = sa.text("UPDATE leases SET owner = NULL, epoch = epoch + 1 WHERE table_id = :table AND epoch = :epoch")
_EXISTS: Final = sa.text("SELECT 1 FROM tables WHERE id = :table")
_RUN: Final = sa.text(
    "SELECT id FROM processes WHERE id = ANY(CAST(:processes AS text[])) AND until > clock_timestamp()"
)
_MINE: Final = "SELECT table_id, epoch FROM leases WHERE owner = $1"
log = structlog.get_logger()


class Listener(Protocol):
    """Who has to know what happens among the processes."""

    def lost_all(self) -> None:
        """This process was taken for dead: no table is its own any more."""

    def others_ended(self) -> None:
        """Another process has ended, and its tables wait for somebody."""

    def heard(self, news: dict[str, Any]) -> None:
        """Something was done beside the servers."""

    def held(self, mine: Collection[Lease]) -> None:
        """What the database knows of our leases, after a time in which news may have been missed."""


class Processes:
    """This process among the others."""

    def __init__(self, backend: PostgresBackend, address: str, lease_seconds: float) -> None:
        self.id = ""
        self.address = address
        self._backend = backend
        self._seconds = lease_seconds
        self._statements = backend.engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self._good_until = 0.0
        self._listener: Listener | None = None
        self._task: asyncio.Task[None] | None = None

    async def open(self) -> None:
        """Come among the others."""
        await self._register(await self._connected())
        self._task = asyncio.create_task(self._run())

    def tell(self, listener: Listener) -> None:
        """From now on somebody listens."""
        self._listener = listener

    async def close(self) -> None:
        """Leave, so that others need not wait until our row expires."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
        self._good_until = 0.0
        with contextlib.suppress(*FAILURES):
            await (await self._connected()).execute(_LEAVE, self.id)
        self._disconnect()

    def holds(self) -> bool:
        """Whether our row cannot have expired yet."""
        return time.monotonic() < self._good_until

    async def running(self, processes: Collection[str]) -> set[str]:
        """Which of these processes run."""
        async with self._statements.connect() as connection:
            found = await connection.execute(_RUN, {"processes": list(processes)})
            return set(found.scalars())

    async def _connected(self) -> Connection:
        if self._connection is None or self._connection.is_closed():
            self._connection = await connect(self._backend.url)
            await self._connection.add_listener(CHANNEL, self._hear)
            if self._listener is not None:
                mine = await self._connection.fetch(_MINE, self.id)
                self._listener.held([Lease(table, epoch) for table, epoch in mine])
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    def _hear(self, *notice: Any) -> None:
        try:
            news = json.loads(notice[-1])
        except ValueError:
            return
        if self._listener is not None and isinstance(news, dict):
            self._listener.heard(news)

    async def _register(self, connection: Connection) -> None:
        name, began = new_process_id(), time.monotonic()
        await connection.execute(_REGISTER, name, self.address, __version__, self._seconds)
        self.id = self._backend.process = name
        self._good_until = began + self._seconds
        log.info("process_registered", process=name, address=self.address)

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._seconds / 3)
            try:
                async with asyncio.timeout(self._seconds):
                    await self._beat()
            except FAILURES as error:
                log.warning("no_heartbeat", reason=str(error) or type(error).__name__)
                self._disconnect()
            except Exception:
                log.exception("heartbeat_failed")
                self._disconnect()

    async def _beat(self) -> None:
        connection, began = await self._connected(), time.monotonic()
        renewed, ended, long_ended = await connection.fetchrow(_BEAT, self.id, self._seconds, _BURIED)
        if renewed:
            self._good_until = began + self._seconds
        else:
            log.warning("process_lost", process=self.id)
            self._good_until = 0.0
            if self._listener is not None:
                self._listener.lost_all()
            await self._register(connection)
        if ended and self._listener is not None:
            self._listener.others_ended()
        if long_ended:
            await connection.execute(_BURY, _BURIED)

    async def claim(self, table: str) -> Lease | Elsewhere:
        """Take a table that nobody has, or whose owner is gone; else tell whose it is."""
        try:
            async with self._statements.connect() as connection:
                for _ in range(_TRIES):
                    found = await self._claim(connection, table)
                    if found is not None:
                        return found
                    await asyncio.sleep(0.01)
        except FAILURES as error:
            log.warning("table_not_claimed", table=table, reason=str(error))
            raise Refusal("storage", "unreadable") from error
        raise moved()  # much is going on; whoever comes again will see

    async def _claim(self, connection: Any, table: str) -> Lease | Elsewhere | None:
        """None if somebody else was faster, or if this process is no longer counted among those that run."""
        row = (await connection.execute(_WHOSE, {"table": table})).one_or_none()
        if row is None:
            epoch = await connection.scalar(_FIRST, {"table": table, "me": self.id})
            if epoch is None and await connection.scalar(_EXISTS, {"table": table}) is None:
                raise no_such_table()
        else:
            owner, seen, address, lives = row
            if lives and owner != self.id:
                return Elsewhere(owner, address)
            epoch = await connection.scalar(_TAKE, {"table": table, "me": self.id, "epoch": seen})
        return None if epoch is None else Lease(table, epoch)

    async def release(self, lease: Lease) -> None:
        """Give a table back, so that any process may have it; if that fails, it is ours until somebody asks."""
        now = self._backend.renewals.of(lease)
        self._backend.renewals.forget(lease)
        try:
            async with self._statements.connect() as connection:
                await connection.execute(_GIVE, {"table": now.table, "epoch": now.epoch})
        except FAILURES as error:
            log.warning("table_not_released", table=lease.table, reason=str(error))
