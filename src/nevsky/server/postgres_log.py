"""Writing entries to the logs of many tables in PostgreSQL: all that wait share one statement, and so one transaction.

The statement looks at the leases of the tables first, and holds them. Entries of tables that are no longer ours are
left out, without harm to the others. If the connection breaks before the answer comes, nobody knows whether it was
carried out, or still will be: then the leases get new epochs, which shuts it out, and the log is read.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import asyncpg
import sqlalchemy as sa
import structlog

from nevsky.server.errors import moved
from nevsky.server.metrics import DATABASE_MOVES
from nevsky.server.ownership import Lease
from nevsky.server.postgres import FAILURES, Connection, connect
from nevsky.server.renewals import Renewals
from nevsky.server.schema import Entry, tables

__all__ = ["ConflictError", "PostgresLog"]

_CHANGING: Final = (
    *("updated", "status", "round", "to_move", "to_move_shown", "winners", "scores", "clock", "deadline"),
)
"""What a move can change in the row of its table."""
_AGAIN: Final = 0.2
"""Seconds until an unknown outcome is asked for once more."""
_CUT: Final = ("08", "57P")
"""The database says goodbye, or the connection is no more."""
_MOST: Final = 500
"""Entries in one statement."""
log = structlog.get_logger()


def _assigned(name: str) -> str:
    kind = tables.c[name].type
    if isinstance(kind, sa.JSON):
        new = f"w.changes -> '{name}'"
        new = f"NULLIF({new}, 'null'::jsonb)::json" if kind.none_as_null else f"({new})::json"
    else:
        new = f"(w.changes ->> '{name}'){'::integer' if isinstance(kind, sa.Integer) else ''}"
    return f"{name} = CASE WHEN w.changes ? '{name}' THEN {new} ELSE t.{name} END"


_WRITE: Final = f"""
WITH wanted AS (
  SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::int[], $5::text[], $6::text[], $7::text[], $8::jsonb[])
  AS w (table_id, epoch, number, seat, action, by, at, changes)
), held AS (
  SELECT l.table_id FROM leases l JOIN wanted w ON l.table_id = w.table_id AND l.epoch = w.epoch
  ORDER BY l.table_id FOR SHARE OF l
), ours AS (
  SELECT table_id FROM held UNION ALL SELECT table_id FROM wanted WHERE epoch IS NULL
), written AS (
  INSERT INTO log (table_id, number, seat, action, by, at)
  SELECT w.table_id, w.number, w.seat, w.action, w.by, w.at FROM wanted w JOIN ours USING (table_id)
  ON CONFLICT DO NOTHING RETURNING table_id
), changed AS (
  UPDATE tables t SET {", ".join(map(_assigned, _CHANGING))}
  FROM wanted w JOIN written USING (table_id) WHERE t.id = w.table_id AND w.changes <> '{{}}'::jsonb
)
SELECT ours.table_id, written.table_id IS NOT NULL FROM ours LEFT JOIN written USING (table_id)
"""  # noqa: S608
_RENEW: Final = """
UPDATE leases l SET epoch = l.epoch + 1
FROM unnest($1::text[], $2::int[]) AS w (table_id, epoch) WHERE l.table_id = w.table_id AND l.epoch = w.epoch
RETURNING l.table_id, l.epoch
"""
_LOOK: Final = """
SELECT l.table_id, l.number, l.seat, l.action, l.by, l.at
FROM log l JOIN unnest($1::text[], $2::int[]) AS w (table_id, number) USING (table_id, number)
"""


class ConflictError(Exception):
    """The log has another entry with this number, or there is no such table, though it is ours."""


class _Waiting(NamedTuple):
    table: str
    lease: Lease | None
    entry: Entry
    changes: Mapping[str, Any]
    done: asyncio.Future[None]

    def tell(self, error: Exception | None) -> None:
        if self.done.done():
            return
        if error is None:
            self.done.set_result(None)
        else:
            self.done.set_exception(error)


class PostgresLog:
    """Collects entries while others are being written."""

    def __init__(self, url: str, renewals: Renewals) -> None:
        self._url = url
        self._renewals = renewals
        self._connection: Connection | None = None
        self._waiting: list[_Waiting] = []
        self._task: asyncio.Task[None] | None = None
        self._unknown: set[asyncio.Task[None]] = set()
        self._closing = False

    async def append(self, table: str, lease: Lease | None, entry: Entry, changes: Mapping[str, Any]) -> None:
        """Return when the entry and the changes of its table are in the database."""
        assert set(changes) <= set(_CHANGING), changes
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(_Waiting(table, lease, entry, changes, done))
        if self._task is None:
            self._task = asyncio.create_task(self._write_waiting())
        await done

    async def close(self) -> None:
        """Write what waits, and close the connection."""
        self._closing = True
        if self._task is not None:
            await self._task
        await asyncio.gather(*self._unknown)
        if self._connection is not None:
            self._connection.terminate()
            self._connection = None

    def _next(self) -> list[_Waiting]:
        """What goes into one statement: no table twice."""
        batch: dict[str, _Waiting] = {}
        left = []
        for each in self._waiting:
            if each.table in batch or len(batch) == _MOST:
                left.append(each)
            else:
                batch[each.table] = each
        self._waiting = left
        return list(batch.values())

    async def _write_waiting(self) -> None:
        while self._waiting:
            await self._write(self._next())
        self._task = None

    async def _write(self, batch: Sequence[_Waiting]) -> None:
        try:
            if self._connection is None or self._connection.is_closed():
                self._connection = await connect(self._url)
            connection = self._connection
        except FAILURES as error:  # nothing was sent
            _tell(batch, error)
            return
        try:
            with DATABASE_MOVES.time():
                found = await connection.fetch(_WRITE, *self._columns(batch))
        except Exception as error:
            state = getattr(error, "sqlstate", None) or _CUT[0]
            if not connection.is_closed() and not state.startswith(_CUT):
                await self._one_by_one(batch, error)
                return
            connection.terminate()
            task = asyncio.create_task(self._find_out(batch, error))
            self._unknown.add(task)
            task.add_done_callback(self._unknown.discard)
            return
        outcome = dict(map(tuple, found))
        for each in batch:
            if each.table not in outcome:
                each.tell(moved())
            else:
                each.tell(None if outcome[each.table] else ConflictError(each.table, each.entry.number))

    async def _one_by_one(self, batch: Sequence[_Waiting], error: Exception) -> None:
        """The database has refused the statement: perhaps for one of the entries, which must not harm the others."""
        if len(batch) == 1:
            conflict = isinstance(error, asyncpg.IntegrityConstraintViolationError)
            batch[0].tell(ConflictError(str(error)) if conflict else error)
            return
        for each in batch:
            await self._write([each])

    def _columns(self, batch: Sequence[_Waiting]) -> list[list[Any]]:
        rows = [
            (
                *(each.table, None if each.lease is None else self._renewals.of(each.lease).epoch),
                *each.entry,
                json.dumps(each.changes),
            )
            for each in batch
        ]
        return [list(column) for column in zip(*rows, strict=True)]

    async def _find_out(self, batch: Sequence[_Waiting], error: Exception) -> None:
        log.warning("unknown_outcome", entries=len(batch), reason=str(error))
        while not self._closing:
            try:
                connection = await connect(self._url)
                try:
                    kept = await self._look(connection, batch)
                finally:
                    connection.terminate()
            except FAILURES as failure:
                log.warning("outcome_still_unknown", reason=str(failure))
                await asyncio.sleep(_AGAIN)
            else:
                for each in batch:
                    each.tell(None if (each.table, *each.entry) in kept else error)
                return
        _tell(batch, error)  # the process ends, and with it all connections: nobody is told anything

    async def _look(self, connection: Connection, batch: Sequence[_Waiting]) -> set[tuple[Any, ...]]:
        """What is in the log, once nothing can be added to it any more by what was sent before."""
        held = {each.table: each.lease for each in batch if each.lease is not None}
        epochs = [self._renewals.of(lease).epoch for lease in held.values()]
        for table, epoch in await connection.fetch(_RENEW, list(held), epochs):
            lease = held[table]
            assert lease is not None
            self._renewals.add(lease, epoch)
        numbers = [each.entry.number for each in batch]
        return set(map(tuple, await connection.fetch(_LOOK, [each.table for each in batch], numbers)))


def _tell(batch: Sequence[_Waiting], error: Exception) -> None:
    for each in batch:
        each.tell(error)
