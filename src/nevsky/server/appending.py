"""Writing entries to the logs of many tables: all that wait at one time share one transaction.

A transaction costs the same for one entry as for a hundred, so a busy server writes as fast as a quiet one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.schema import Entry, log, tables

__all__ = ["Appender"]


class _Waiting(NamedTuple):
    table: str
    entry: Entry
    changes: Mapping[str, Any]
    done: asyncio.Future[None]


@cache
def _update(names: tuple[str, ...]) -> sa.Update:
    values: dict[str, Any] = {name: sa.bindparam(f"new_{name}") for name in names}
    return tables.update().where(tables.c.id == sa.bindparam("of_table")).values(values)


class Appender:
    """Collects entries and writes them in the order in which they came."""

    def __init__(self, writing: Callable[[], AbstractAsyncContextManager[AsyncConnection]]) -> None:
        self._writing = writing
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None

    async def append(self, table: str, entry: Entry, changes: Mapping[str, Any]) -> None:
        """Return when the entry and the changes of its table are in the database."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(table, entry, changes, done))
        if self._task is None:
            self._task = asyncio.create_task(self._write_waiting())
        await done

    async def _write_waiting(self) -> None:
        while self._waiting:
            batch, self._waiting = self._waiting, []
            try:
                await self._write(batch)
            except Exception:  # one bad entry must not take the others with it
                for each in batch:
                    await self._write_alone(each)
            else:
                for each in batch:
                    if not each.done.done():
                        each.done.set_result(None)
        self._task = None

    async def _write_alone(self, each: _Waiting) -> None:
        try:
            await self._write([each])
        except Exception as error:
            if not each.done.done():
                each.done.set_exception(error)
        else:
            if not each.done.done():
                each.done.set_result(None)

    async def _write(self, batch: Sequence[_Waiting]) -> None:
        by_names: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for each in batch:
            if each.changes:
                row = {"of_table": each.table, **{f"new_{name}": value for name, value in each.changes.items()}}
                by_names.setdefault(tuple(each.changes), []).append(row)
        async with self._writing() as connection:
            await connection.execute(log.insert(), [{"table_id": e.table, **e.entry._asdict()} for e in batch])
            for names, rows in by_names.items():
                await connection.execute(_update(names), rows)
