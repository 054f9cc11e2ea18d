"""PostgreSQL: any number of processes write at the same time, each only to the tables that it owns."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

import asyncpg
import sqlalchemy as sa
import structlog
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from nevsky.server.database_file import Trouble
from nevsky.server.errors import moved
from nevsky.server.metrics import DATABASE_WRITES
from nevsky.server.migrating import migrate
from nevsky.server.ownership import Lease
from nevsky.server.postgres import FAILURES, check_version, connect, refused, trouble
from nevsky.server.postgres_log import PostgresLog
from nevsky.server.postgres_reader import load_table
from nevsky.server.renewals import Renewals
from nevsky.server.schema import Entry, Stored, audit, leases, processes

__all__ = ["CHANNEL", "PostgresBackend"]

_CONNECTIONS: Final = 5
"""That stay open; as many more come when much is asked at once."""
CHANNEL: Final = "nevsky"
"""On which PostgreSQL passes on what was done beside the servers."""
_IN_ONE_NOTICE: Final = 100
"""Ids of tables; a notice has less than 8000 bytes."""
_PROBE: Final = 64 * 1024
"""Bytes that a probe writes and takes back; far more than any move needs."""
_AGAIN: Final = 0.2
"""Seconds until an unknown outcome is asked for once more."""
_BEGUN: Final = sa.cast(sa.func.pg_current_xact_id(), sa.Text)
_STOP: Final = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_xid = $1::text::xid8::xid"
log = structlog.get_logger()


def _parts(tables: Collection[str]) -> list[list[str]]:
    every = sorted(tables)
    return [every[first : first + _IN_ONE_NOTICE] for first in range(0, len(every), _IN_ONE_NOTICE)]


async def _migrate(url: str) -> None:
    """Change the tables, or wait for another process that does, however long that takes."""
    engine = create_async_engine(
        "postgresql+asyncpg://", async_creator=lambda **_: connect(url, None), poolclass=sa.NullPool
    )
    try:
        async with engine.begin() as connection:
            await connection.execute(sa.text("SET LOCAL lock_timeout = 0"))
            await connection.run_sync(migrate)
    except FAILURES as error:
        raise refused(url, error) from error
    finally:
        await engine.dispose()


class PostgresBackend:
    """Writes are fenced: a transaction about a table holds its lease, and ends if that is no longer ours."""

    failures: tuple[type[Exception], ...] = FAILURES

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = create_async_engine(
            "postgresql+asyncpg://",
            async_creator=lambda **_: connect(url),
            hide_parameters=True,
            pool_size=_CONNECTIONS,
            max_overflow=_CONNECTIONS,
            pool_timeout=5.0,
            pool_pre_ping=True,  # after a restart of the database nobody is to be told of the old connections
        )
        self.process = ""
        """The name of this process among others."""
        self.renewals = Renewals()
        self._moves = PostgresLog(url, self.renewals)
        self._closing = False

    @classmethod
    async def open(cls, url: str) -> PostgresBackend:
        """Look whether the database can be used, and create or change its tables."""
        try:
            connection = await connect(url)
        except (sa.exc.SQLAlchemyError, asyncpg.PostgresError, asyncpg.InterfaceError, OSError, ValueError) as error:
            raise refused(url, error) from error
        try:
            check_version(url, connection)
        finally:
            await connection.close()
        await _migrate(url)
        return cls(url)

    async def close(self) -> None:
        """Write what waits, and close all connections."""
        self._closing = True
        await self._moves.close()
        await self.engine.dispose()

    @asynccontextmanager
    async def writing(self, lease: Lease | None) -> AsyncIterator[AsyncConnection]:
        """One transaction; where its end is unknown it is found out before anybody hears of it."""
        with DATABASE_WRITES.time():
            async with self.engine.connect() as connection:
                transaction = await connection.begin()
                try:
                    number = await self._begin(connection, lease)
                    yield connection
                except BaseException:
                    with contextlib.suppress(*FAILURES):
                        await transaction.rollback()
                    raise
                try:
                    await transaction.commit()
                except FAILURES as error:
                    log.warning("unknown_outcome", reason=str(error))
                    if not await self._was_kept(number):
                        raise

    async def _begin(self, connection: AsyncConnection, lease: Lease | None) -> str:
        """The number of the transaction; nobody can take the table away before it ends."""
        if lease is None:
            return str(await connection.scalar(sa.select(_BEGUN)))
        epoch = self.renewals.of(lease).epoch
        ours = (leases.c.table_id == lease.table) & (leases.c.epoch == epoch)
        found = await connection.scalar(sa.select(_BEGUN).select_from(leases).where(ours).with_for_update(read=True))
        if found is None:
            raise moved()
        return str(found)

    async def _was_kept(self, number: str) -> bool:
        """Whether a transaction has come to its end; whatever still works on it is stopped."""
        while not self._closing:
            try:
                connection = await connect(self.url)
                try:
                    state = await connection.fetchval("SELECT pg_xact_status($1::text::xid8)", number)
                    if state != "in progress":
                        return bool(state == "committed")
                    await connection.execute(_STOP, number)
                finally:
                    await connection.close()
            except FAILURES as error:
                log.warning("outcome_still_unknown", reason=str(error))
            await asyncio.sleep(_AGAIN)
        return False

    async def load(self, table: str) -> Stored | None:
        """Everything about a table, in one answer."""
        async with self.engine.connect() as connection:
            return await load_table(connection, table)

    async def append(self, table: str, lease: Lease | None, entry: Entry, changes: Mapping[str, Any]) -> None:
        """Add an entry to a log together with all that wait."""
        await self._moves.append(table, lease, entry, changes)

    async def take(self, connection: AsyncConnection, tables: Collection[str]) -> None:
        """Their epochs rise, so that what their owners write from now on is refused."""
        taken = leases.update().where(self.among(leases.c.table_id, tables))
        await connection.execute(taken.values(owner=None, epoch=leases.c.epoch + 1))
        for part in _parts(tables):
            await self.tell(connection, tables=part)

    async def tell(self, connection: AsyncConnection, **news: object) -> None:
        """PostgreSQL itself passes it on."""
        await connection.execute(sa.select(sa.func.pg_notify(CHANNEL, json.dumps(news))))

    async def alone(self, connection: AsyncConnection, what: str) -> None:
        """By a lock that nothing else is behind."""
        await connection.execute(sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(what, 0))))

    def runs(self, process: sa.Column[Any]) -> sa.ColumnElement[bool]:
        """By the clock of the database."""
        lives = processes.c.until > sa.func.clock_timestamp()
        return sa.exists().where((processes.c.id == process) & lives)

    async def probe(self) -> Trouble | None:
        """Write something and take it back."""
        row = {"at": "", "who": "", "command": "", "target": "", "details": "x" * _PROBE}
        try:
            async with self.engine.connect() as connection:
                await connection.execute(audit.insert().values(**row))
                await connection.rollback()
        except FAILURES as error:
            log.warning("not_ready", trouble=trouble(error), reason=str(error))
            return trouble(error)
        return None

    def trouble_of(self, error: BaseException) -> Trouble:
        """What is wrong, in a word."""
        return trouble(error)

    def among(self, column: sa.Column[Any], values: Collection[str]) -> sa.ColumnElement[bool]:
        """In one parameter, so that it is always the same query."""
        return column == sa.any_(sa.literal(list(values), ARRAY(sa.Text)))

    def unowned(self, table: sa.Column[Any]) -> sa.ColumnElement[bool]:
        """No lease, or one of a process that is gone; or our own, which may be of a table that has left memory."""
        lives = (processes.c.until > sa.func.clock_timestamp()) & (processes.c.id != self.process)
        return ~sa.exists().where((leases.c.table_id == table) & (processes.c.id == leases.c.owner) & lives)
