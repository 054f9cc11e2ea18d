"""Reading whole tables from SQLite, in one go.

After a restart everybody comes back at once, and each table lies in five places. A thread of its own with a plain
connection reads them all together: to go from thread to thread for each of them costs more than the reading.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa

from nevsky.server.database_file import connect
from nevsky.server.schema import (
    CHAT_SHOWN,
    ChatRow,
    Entry,
    SeatRow,
    Stored,
    TableRow,
    chat,
    companions,
    log,
    seats,
    tables,
)

__all__ = ["TableReader"]


def _json(value: str | None) -> Any:
    return None if value is None else json.loads(value)


def _select(source: sa.Table, names: Sequence[str], rest: str) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f"SELECT {columns} FROM {source.name} {rest}"  # noqa: S608


def _read(source: sa.Table, names: Sequence[str]) -> list[tuple[int, Callable[[Any], Any]]]:
    """Which columns of a row are not what they stand for, and how to read them."""
    kinds: dict[type[Any], Callable[[Any], Any]] = {sa.JSON: _json, sa.Boolean: bool}
    found = [(place, kinds.get(type(source.c[name].type))) for place, name in enumerate(names)]
    return [(place, read) for place, read in found if read is not None]


_OF: Final = "WHERE table_id = ? ORDER BY"
_TABLE: Final = _select(tables, TableRow._fields, "WHERE id = ?")
_SEATS: Final = _select(seats, SeatRow._fields, f"{_OF} seat")
_LOG: Final = _select(log, Entry._fields, f"{_OF} number")
_CHAT: Final = _select(chat, ChatRow._fields, f"{_OF} id DESC LIMIT {CHAT_SHOWN}")
_COMPANIONS: Final = _select(companions, ("guest", "seat"), f"{_OF} at, guest")
_READ_TABLE: Final = _read(tables, TableRow._fields)
_READ_SEAT: Final = _read(seats, SeatRow._fields)


def _values(row: Sequence[Any], read: list[tuple[int, Callable[[Any], Any]]]) -> list[Any]:
    values = list(row)
    for place, how in read:
        values[place] = how(values[place])
    return values


class TableReader:
    """Its connection is opened when the first table is read."""

    def __init__(self, path: Path, pragmas: Sequence[str]) -> None:
        self._path = path
        self._pragmas = pragmas
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="table-reader")
        self._connection: sqlite3.Connection | None = None

    async def load(self, table: str) -> Stored | None:
        """Everything about a table, as it was at one moment."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._load, table)

    async def close(self) -> None:
        """Close the connection."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    def _load(self, table: str) -> Stored | None:
        if self._connection is None:
            self._connection = connect(self._path)
            for pragma in self._pragmas:
                self._connection.execute(f"PRAGMA {pragma}")
        connection = self._connection
        connection.execute("BEGIN")
        try:
            row = connection.execute(_TABLE, (table,)).fetchone()
            if row is None:
                return None
            places, entries, lines, came = (
                connection.execute(query, (table,)).fetchall() for query in (_SEATS, _LOG, _CHAT, _COMPANIONS)
            )
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        return Stored(
            TableRow(*_values(row, _READ_TABLE)),
            tuple(SeatRow(*_values(place, _READ_SEAT)) for place in places),
            tuple(map(Entry._make, entries)),
            tuple(map(ChatRow._make, reversed(lines))),
            tuple(came),
        )

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
