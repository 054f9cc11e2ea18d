"""Writing entries to the logs of many tables: all that wait at one time share one transaction.

A transaction costs the same for one entry as for a hundred, so a busy server writes as fast as a quiet one. Since this
is by far the most frequent thing to be written, it has a connection and a thread of its own. After each statement the
thread waits for the interpreter, milliseconds where that is busy, so there are two for all entries instead of two for
each.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from nevsky.server.database_file import DatabaseFile, connect
from nevsky.server.metrics import DATABASE_MOVES
from nevsky.server.schema import Entry, log, tables

__all__ = ["LogWriter"]

_MOST: Final = 200
"""Entries in one statement, which may have some thousands of values."""


class _Waiting(NamedTuple):
    table: str
    entry: Entry
    changes: Mapping[str, Any]
    done: asyncio.Future[None]


def _rows(columns: int, rows: int) -> str:
    row = f"({', '.join('?' * columns)})"
    return ", ".join([row] * rows)


@lru_cache(maxsize=256)
def _insert(rows: int) -> str:
    names = ", ".join(f'"{name}"' for name in ("table_id", *Entry._fields))
    return f"INSERT INTO {log.name} ({names}) VALUES {_rows(1 + len(Entry._fields), rows)}"  # noqa: S608


@lru_cache(maxsize=256)
def _update(names: tuple[str, ...], rows: int) -> str:
    values = ", ".join(f'"{tables.c[name].name}" = new.column{number}' for number, name in enumerate(names, 2))
    new = f"(VALUES {_rows(1 + len(names), rows)}) AS new"
    return f"UPDATE {tables.name} SET {values} FROM {new} WHERE {tables.name}.id = new.column1"  # noqa: S608


def _stored(name: str, value: Any) -> Any:
    return json.dumps(value) if isinstance(tables.c[name].type, sa.JSON) else value


def _by_names(batch: Sequence[_Waiting]) -> dict[tuple[str, ...], list[_Waiting]]:
    """Who changes the same of their tables."""
    found: dict[tuple[str, ...], list[_Waiting]] = {}
    for each in batch:
        if each.changes:
            found.setdefault(tuple(each.changes), []).append(each)
    return found


def _tell(batch: Sequence[_Waiting], error: Exception | None) -> None:
    for each in batch:
        if each.done.done():
            continue
        if error is None:
            each.done.set_result(None)
        else:
            each.done.set_exception(error)


def _write(connection: sqlite3.Connection, batch: Sequence[_Waiting]) -> None:
    entries = [value for each in batch for value in (each.table, *each.entry)]
    connection.execute(_insert(len(batch)), entries)
    for names, some in _by_names(batch).items():
        new = [
            value
            for each in some
            for value in (each.table, *(_stored(name, value) for name, value in each.changes.items()))
        ]
        connection.execute(_update(names, len(some)), new)


class LogWriter:
    """Collects entries and writes them in the order in which they came."""

    def __init__(self, file: DatabaseFile, pragmas: Sequence[str], writer: asyncio.Lock) -> None:
        self._file = file
        self._pragmas = pragmas
        self._writer = writer
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="log-writer")
        self._connection: sqlite3.Connection | None = None
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def append(self, table: str, entry: Entry, changes: Mapping[str, Any]) -> None:
        """Return when the entry and the changes of its table are in the database."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(table, entry, changes, done))
        if self._task is None:
            self._task = asyncio.create_task(self._write_waiting())
        await done

    async def close(self) -> None:
        """Write what waits, and close the connection."""
        if self._task is not None:
            await self._task
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    async def _write_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await self._write(batch)
            except sqlite3.IntegrityError:  # one bad entry must not take the others with it
                for each in batch:
                    await self._write_alone(each)
            except Exception as error:  # the disk: it would fail for each of them
                _tell(batch, error)
            else:
                _tell(batch, None)
        self._task = None

    async def _write_alone(self, each: _Waiting) -> None:
        try:
            await self._write([each])
        except Exception as error:
            _tell([each], error)
        else:
            _tell([each], None)

    async def _write(self, batch: Sequence[_Waiting]) -> None:
        async with self._writer:
            with DATABASE_MOVES.time():
                await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, batch)

    def _transact(self, batch: Sequence[_Waiting]) -> None:
        """In the thread: one transaction, all of it or nothing."""
        self._file.check()
        new_connection = self._connection is None
        if self._connection is None:
            self._connection = connect(self._file.path)
            for pragma in self._pragmas:
                self._connection.execute(f"PRAGMA {pragma}")
        connection = self._connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            for start in range(0, len(batch), _MOST):
                _write(connection, batch[start : start + _MOST])
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
        if new_connection:
            self._file.remember_wal()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
