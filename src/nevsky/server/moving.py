"""Moving everything from a SQLite file into PostgreSQL.

Rows are copied table by table in the order of their keys, a batch at a time, so what is there is always a beginning of
what is in the file: whoever was interrupted starts again, and it goes on. In the end both are read and compared, and
every game is replayed from both.
"""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import asyncpg
import sqlalchemy as sa

from nevsky.errors import NevskyError, Words
from nevsky.rules.ruleset import Ruleset
from nevsky.server.database_file import StartLock, address_of
from nevsky.server.match import Match, deal_game
from nevsky.server.postgres import FAILURES, connect
from nevsky.server.schema import (
    Stored,
    address_bans,
    audit,
    chat,
    companions,
    daily_deals,
    daily_tries,
    devices,
    evaluations,
    guests,
    invitations,
    log,
    mail_addresses,
    mail_links,
    notice_wishes,
    notices,
    passkeys,
    people,
    profiles,
    push_devices,
    puzzle_ratings,
    puzzle_tries,
    rated_seats,
    rating_changes,
    ratings,
    reviews,
    seats,
    tables,
    ties,
    tournament_players,
    tournament_tables,
    tournaments,
    used_challenges,
    vacations,
)
from nevsky.server.setting_kinds import POSTGRES, without_password
from nevsky.server.storage import Storage

__all__ = ["Moved", "move"]

_ORDER: Final = (
    guests,
    tables,
    seats,
    log,
    chat,
    companions,
    evaluations,
    reviews,
    profiles,
    passkeys,
    mail_addresses,
    devices,
    mail_links,
    used_challenges,
    people,
    ties,
    invitations,
    notice_wishes,
    push_devices,
    notices,
    vacations,
    daily_deals,
    daily_tries,
    puzzle_tries,
    puzzle_ratings,
    ratings,
    rating_changes,
    rated_seats,
    tournaments,
    tournament_players,
    tournament_tables,
    address_bans,
    audit,
)
"""What others refer to comes first."""
_NUMBERED: Final = (chat, audit)
"""Tables whose rows the database numbers."""
_AT_ONCE: Final = 2000
_LOCK: Final = 0x6D6F7665
_RUNNING: Final = "SELECT count(*) FROM processes WHERE until > clock_timestamp()"
_Row = tuple[Any, ...]
Say = Callable[[str], None]


class Moved(NamedTuple):
    """What there is now."""

    rows: dict[str, int]
    games: int
    """That were replayed, with the same end on both sides."""
    broken: int
    """Games that could not be replayed before, and cannot be now."""


async def move(source: Path, target: str, say: Say) -> Moved:
    """Copy, compare and replay; nothing is changed in the file but what a newer version would change anyway."""
    _check(source, target)
    try:
        with StartLock(source):
            storage = await Storage.open(source)
            try:
                return await _move(source, storage, target, say)
            finally:
                await storage.close()
    except OSError as error:
        raise NevskyError("server.database", path=source, reason=error.strerror or error) from error
    except (sa.exc.DBAPIError, sqlite3.Error) as error:
        raise NevskyError("server.database", path=source, reason=getattr(error, "orig", None) or error) from error


def _check(source: Path, target: str) -> None:
    if not target.startswith(POSTGRES) or str(source).startswith(("postgresql:", "postgres:")):
        raise NevskyError("move.direction")
    if not source.exists():
        raise NevskyError("admin.no_database", path=source)
    if not source.is_file():
        raise NevskyError("server.database", path=source, reason=Words("file.no_file"))


async def _move(source: Path, old: Storage, target: str, say: Say) -> Moved:
    new = await Storage.open(target)
    connection: Any = None
    try:
        connection = await connect(target)
        if not await connection.fetchval("SELECT pg_try_advisory_lock($1)", _LOCK):
            raise NevskyError("move.busy")
        if await connection.fetchval(_RUNNING):
            raise NevskyError("move.running", address=without_password(target))
        with closing(sqlite3.connect(f"{address_of(source)}?mode=ro", uri=True)) as file:
            moving = _Moving(file, connection, say)
            for table in _ORDER:
                await moving.copy(table)
            await moving.set_numbers()
            rows = {table.name: await moving.compare(table, whole=True) for table in _ORDER}
        games, broken = await _replay(old, new, say)
        return Moved(rows, games, broken)
    except FAILURES as error:
        raise NevskyError("move.interrupted", address=without_password(target), reason=str(error)) from error
    finally:
        if connection is not None:
            connection.terminate()
        await new.close()


class _Moving:
    def __init__(self, file: sqlite3.Connection, connection: Any, say: Say) -> None:
        self._file = file
        self._connection = connection
        self._say = say

    def _there(self, table: sa.Table, after: _Row | None = None) -> Iterator[_Row]:
        """The rows of the file in order, as PostgreSQL takes them."""
        kinds = [bool if isinstance(column.type, sa.Boolean) else None for column in table.c]
        found = self._file.execute(*_query(table, after, "?"))
        while rows := found.fetchmany(_AT_ONCE):
            for row in rows:
                yield tuple(
                    value if kind is None or value is None else kind(value)
                    for kind, value in zip(kinds, row, strict=True)
                )

    async def _here(self, table: sa.Table) -> AsyncIterator[_Row]:
        """The rows of PostgreSQL in the same order."""
        after = None
        while True:
            words, values = _query(table, after, "$", _AT_ONCE)
            rows = await self._connection.fetch(words, *values)
            for row in rows:
                yield tuple(row)
            if len(rows) < _AT_ONCE:
                return
            after = _key(table, tuple(rows[-1]))

    async def compare(self, table: sa.Table, *, whole: bool = False) -> int:
        """How many rows are here; they are the first ones of the file, or all of them."""
        there, number = self._there(table), 0
        async for row in self._here(table):
            if next(there, None) != row:
                raise NevskyError("move.other", table=table.name)
            number += 1
        if whole and next(there, None) is not None:
            raise NevskyError("move.missing", table=table.name)
        return number

    async def copy(self, table: sa.Table) -> None:
        """What is not here yet."""
        number = await self.compare(table)
        last = await self._connection.fetchrow(*_last(table))
        rows = self._there(table, None if last is None else tuple(last))
        names = [column.name for column in table.c]
        while batch := list(islice(rows, _AT_ONCE)):
            try:
                await self._connection.copy_records_to_table(table.name, records=batch, columns=names)
            except (asyncpg.DataError, asyncpg.IntegrityConstraintViolationError, ValueError) as error:
                reason = str(error).splitlines()[0]
                raise NevskyError("move.row", table=table.name, first=_key(table, batch[0]), reason=reason) from error
            number += len(batch)
        self._say(f"{table.name}: {number} rows")

    async def set_numbers(self) -> None:
        """New rows get numbers that no other has."""
        for table in _NUMBERED:
            await self._connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), max(id)) FROM {table.name}"  # noqa: S608
            )


def _key(table: sa.Table, row: _Row) -> _Row:
    names = [column.name for column in table.c]
    return tuple(row[names.index(column.name)] for column in table.primary_key)


def _quoted(names: list[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _query(table: sa.Table, after: _Row | None, sign: str, limit: int | None = None) -> tuple[str, _Row]:
    """All columns in the order of the key, from behind a row on."""
    keys = _quoted([column.name for column in table.primary_key])
    words = f'SELECT {_quoted([column.name for column in table.c])} FROM "{table.name}"'  # noqa: S608
    if after is not None:
        places = ", ".join(f"${n + 1}" if sign == "$" else sign for n in range(len(after)))
        words += f" WHERE ({keys}) > ({places})"
    return words + f" ORDER BY {keys}" + (f" LIMIT {limit}" if limit else ""), after or ()


def _last(table: sa.Table) -> tuple[str]:
    """The key of the last row."""
    names = [column.name for column in table.primary_key]
    order = ", ".join(f'"{name}" DESC' for name in names)
    return (f'SELECT {_quoted(names)} FROM "{table.name}" ORDER BY {order} LIMIT 1',)  # noqa: S608


async def _replay(old: Storage, new: Storage, say: Say) -> tuple[int, int]:
    """Play every game from both sides and compare what everybody sees in the end."""
    query = sa.select(tables.c.id).where(sa.cast(tables.c.deal, sa.Text) != "null").order_by(tables.c.id)
    async with new.reading() as connection:
        ids = list((await connection.execute(query)).scalars())
    games = broken = 0
    for number, table in enumerate(ids, 1):
        before, after = await old.load(table), await new.load(table)
        if before is None or after is None or before != after:
            raise NevskyError("move.game", table=table)
        try:
            expected = _played(before)
        except Exception:  # it was damaged long before
            broken += 1
            continue
        try:
            fits = _played(after) == expected
        except Exception as error:
            raise NevskyError("move.game", table=table) from error
        if not fits:
            raise NevskyError("move.game", table=table)
        games += 1
        if number % 1000 == 0:
            say(f"replayed: {number} of {len(ids)} games")
    return games, broken


def _played(stored: Stored) -> list[Any]:
    assert stored.table.deal is not None
    names = [place.name or "" for place in stored.seats]
    game = Match(deal_game(Ruleset.from_dict(stored.table.ruleset), stored.table.deal, names), stored.log).game
    return [game.result, game.round, game.to_move, *(game.view(seat) for seat in (None, *range(len(names))))]
