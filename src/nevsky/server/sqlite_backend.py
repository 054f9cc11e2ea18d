"""One SQLite file in WAL mode. What was committed survives a crash at any moment."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Collection, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
import structlog
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from nevsky.server.database_file import DatabaseFile, StorageError, Trouble, address_of, trouble_of
from nevsky.server.log_writer import LogWriter
from nevsky.server.metrics import DATABASE_WRITES
from nevsky.server.migrating import migrate
from nevsky.server.ownership import Lease
from nevsky.server.schema import Entry, Stored
from nevsky.server.table_reader import TableReader

__all__ = ["SqliteBackend"]

_PATIENCE: Final = 3.0
"""Seconds that a probe waits for writers before it."""
_PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000")
log = structlog.get_logger()


def _prepare(connection: DBAPIConnection, _: object) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class SqliteBackend:
    """Reads at any time, writes one after the other. One process has all tables, so leases are not looked at."""

    process = ""
    failures: tuple[type[Exception], ...] = (sa.exc.DBAPIError, sqlite3.Error, StorageError)

    def __init__(self, engine: AsyncEngine, file: DatabaseFile) -> None:
        self.engine = engine
        self._file = file
        self._writer = asyncio.Lock()
        self._log_writer = LogWriter(file, _PRAGMAS, self._writer)
        self._reader = TableReader(file.path, _PRAGMAS)

    @classmethod
    async def open(cls, path: Path) -> SqliteBackend:
        """Open the file, create or migrate it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
        file = DatabaseFile(path)
        url = sa.URL.create("sqlite+aiosqlite", database=address_of(file.path), query={"mode": "rw", "uri": "true"})
        engine = create_async_engine(url, hide_parameters=True)
        sa.event.listen(engine.sync_engine, "connect", _prepare)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
        except BaseException:
            await engine.dispose()
            raise
        return cls(engine, file)

    async def close(self) -> None:
        """Close all connections."""
        await self._log_writer.close()
        await self._reader.close()
        await self.engine.dispose()

    @asynccontextmanager
    async def writing(self, _: Lease | None) -> AsyncIterator[AsyncConnection]:
        """One transaction at a time."""
        async with self._writer:
            with DATABASE_WRITES.time():
                self._file.check()
                async with self.engine.begin() as connection:
                    yield connection

    async def load(self, table: str) -> Stored | None:
        """Everything about a table, read beside what is written."""
        return await self._reader.load(table)

    async def append(self, table: str, _: Lease | None, entry: Entry, changes: Mapping[str, Any]) -> None:
        """Add an entry to a log together with all that wait."""
        await self._log_writer.append(table, entry, changes)

    async def take(self, connection: AsyncConnection, tables: Collection[str]) -> None:
        """Whoever changes tables beside the server holds its lock, so there is none."""

    async def tell(self, connection: AsyncConnection, **news: object) -> None:
        """There is nobody else."""

    async def alone(self, connection: AsyncConnection, what: str) -> None:
        """There is one transaction at a time."""

    def runs(self, process: sa.Column[Any]) -> sa.ColumnElement[bool]:
        """Only this one does, which has no name."""
        return process == ""

    async def probe(self) -> Trouble | None:
        """Write something and take it back."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await self._writer.acquire()
        except TimeoutError:
            return "locked"
        try:
            await asyncio.to_thread(self._file.probe)
        except (sqlite3.Error, StorageError) as error:
            log.warning("not_ready", trouble=trouble_of(error), reason=str(error))
            return trouble_of(error)
        finally:
            self._writer.release()
        return None

    def trouble_of(self, error: BaseException) -> Trouble:
        """What is wrong, in a word."""
        return trouble_of(error)

    def among(self, column: sa.Column[Any], values: Collection[str]) -> sa.ColumnElement[bool]:
        """In one parameter: SQLite takes no more than some thousands of them."""
        listed: sa.Select[Any] = sa.select(sa.column("value")).select_from(sa.func.json_each(json.dumps(list(values))))
        return column.in_(listed)

    def unowned(self, table: sa.Column[Any]) -> sa.ColumnElement[bool]:  # noqa: ARG002
        """There is no other process."""
        return sa.true()
