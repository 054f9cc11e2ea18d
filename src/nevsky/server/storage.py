"""The database, SQLite or PostgreSQL: what is asked of it and what is written to it.

Writes about a table name its lease. Where several processes share a database, a write of one that has lost the table is
refused. Without a lease nothing is checked: for new tables, and for those who have made sure otherwise.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.backend import Backend
from nevsky.server.database_file import Trouble
from nevsky.server.errors import Refusal, no_such_table
from nevsky.server.ids import is_id
from nevsky.server.lists import FIRST_PAGE, Page, listed, listed_of, newest, turns_of
from nevsky.server.metrics import DATABASE_READS, STORAGE_FAILURES
from nevsky.server.ownership import Lease
from nevsky.server.schema import (
    DUE,
    STOPPED,
    ChatRow,
    Entry,
    SeatRow,
    Stored,
    TableRow,
    chat,
    companions,
    devices,
    guests,
    mail_addresses,
    profiles,
    seats,
    tables,
)
from nevsky.server.sqlite_backend import SqliteBackend

__all__ = ["Storage", "moment", "now", "somebody_plays", "somebody_sits"]

_DAY: Final = 24 * 3600.0
_MOST_TURNS: Final = 1000
_MOST_UNRATED: Final = 100
_HOUR: Final = 3600.0
_CHANGING: Final = 60.0
"""Seconds in which the cookie of a guest is still good who has just got a profile: requests may be on their way."""
_PROBED: Final = 1.0
"""Seconds for which the answer of a probe holds, so that asking often costs nothing."""
CONFLICTS: Final = (sa.exc.IntegrityError, sqlite3.IntegrityError)
"""Something else was faster."""
logger = structlog.get_logger()


def now(seconds_ago: float = 0.0) -> str:
    """The time as it stands in the database and in messages."""
    return _written(int(time.time() - seconds_ago))


@lru_cache(maxsize=16)
def _written(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).isoformat(timespec="seconds")


def moment(seconds_ago: float = 0.0) -> str:
    """The time as it stands where the order of two things within a second matters."""
    return (datetime.now(UTC) - timedelta(seconds=seconds_ago)).isoformat(timespec="microseconds")


def _id_of(table: Lease | str) -> str:
    return table if isinstance(table, str) else table.table


def _lease_of(table: Lease | str) -> Lease | None:
    return None if isinstance(table, str) else table


class Storage:
    """Everything that lasts."""

    def __init__(self, backend: Backend) -> None:
        self.backend = backend
        self._probing = asyncio.Lock()
        self._probed = -_PROBED
        self._trouble: Trouble | None = None
        self.on_seats: Callable[[], object] = bool
        """Called when tables came or went, or somebody sat down or stood up before the start."""

    @classmethod
    async def open(cls, where: Path | str) -> Storage:
        """Open a file or, by its address, a PostgreSQL; its tables are made or brought up to date."""
        if isinstance(where, Path):
            return cls(await SqliteBackend.open(where))
        from nevsky.server.postgres_backend import PostgresBackend  # most servers need none

        return cls(await PostgresBackend.open(where))

    async def close(self) -> None:
        """Close all connections."""
        await self.backend.close()

    @asynccontextmanager
    async def writing(self, lease: Lease | None = None) -> AsyncIterator[AsyncConnection]:
        """One transaction: all of it is kept, or nothing."""
        try:
            async with self.backend.writing(lease) as connection:
                yield connection
        except sa.exc.IntegrityError:
            raise
        except self.backend.failures as error:
            raise self._failed("storage", error) from error

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """One look at the database."""
        try:
            with DATABASE_READS.time():
                async with self.backend.engine.connect() as connection:
                    yield connection
        except self.backend.failures as error:
            raise self._failed("unreadable", error) from error

    def _failed(self, key: str, error: Exception) -> Refusal:
        cause = getattr(error, "orig", None) or error
        trouble = self.backend.trouble_of(cause)
        STORAGE_FAILURES.labels(reason=trouble).inc()
        logger.error("storage_failed", trouble=trouble, reason=str(cause))
        return Refusal("storage", key)

    async def _rows(self, query: sa.Select[Any]) -> list[tuple[Any, ...]]:
        async with self.reading() as connection:
            return [tuple(row) for row in await connection.execute(query)]

    async def trouble(self) -> Trouble | None:
        """Why nothing could be written now, None if all is well; found out at most once a second."""
        async with self._probing:
            if time.monotonic() - self._probed >= _PROBED:
                self._trouble = await self.backend.probe()
                self._probed = time.monotonic()
            return self._trouble

    async def add_guest(self, guest: str, name: str) -> None:
        """Remember a new guest."""
        async with self.writing() as connection:
            await connection.execute(guests.insert().values(id=guest, name=name, created=now(), last_seen=now()))

    async def rename_guest(self, guest: str, name: str) -> None:
        """Give a guest the name they chose; at tables where they sit already nothing changes."""
        async with self.writing() as connection:
            await connection.execute(guests.update().where(guests.c.id == guest).values(name=name, named=True))

    async def greet(self, guest: str, device: str | None = None, *, vouched: bool = False) -> tuple[str, bool] | None:
        """The name of a guest who is here now and whether they chose it; None if there is no such guest.

        Whoever has a profile has to come with a device that is signed in, unless somebody vouches for them. Which day
        it was is remembered, and of a device the hour.
        """
        here = (devices.c.guest == guests.c.id) & (devices.c.id == (device or ""))
        columns = guests.c.name, guests.c.named, guests.c.last_seen, profiles.c.created, devices.c.last_used
        joined = guests.outerjoin(profiles, profiles.c.guest == guests.c.id).outerjoin(devices, here)
        rows = await self._rows(sa.select(*columns).select_from(joined).where(guests.c.id == guest))
        if not rows:
            return None
        name, named, last_seen, since, used = rows[0]
        if used is None and not vouched and (device is not None or (since is not None and since < now(_CHANGING))):
            return None
        if last_seen < now(_DAY) or (used is not None and used < now(_HOUR)):
            with contextlib.suppress(Refusal):  # it is only for retention, and for people to look at
                async with self.writing() as connection:
                    await connection.execute(guests.update().where(guests.c.id == guest).values(last_seen=now()))
                    if used is not None:
                        await connection.execute(devices.update().where(devices.c.id == device).values(last_used=now()))
        assert isinstance(name, str)
        return name, bool(named)

    async def guest_name(self, guest: str) -> str | None:
        """The name of a guest, None if there is no such guest."""
        rows = await self._rows(sa.select(guests.c.name).where(guests.c.id == guest))
        return rows[0][0] if rows else None

    async def profiles_among(self, ids: Collection[str]) -> set[str]:
        """Which of these guests have a profile."""
        where = profiles.c.guest.in_(list(ids))
        return {row[0] for row in await self._rows(sa.select(profiles.c.guest).where(where))} if ids else set()

    async def mail_of(self, guest: str) -> tuple[str, str] | None:
        """The confirmed mail address of a profile and the language that mail is written in; None without one."""
        columns = mail_addresses.c.address, mail_addresses.c.language
        query = sa.select(*columns).where(mail_addresses.c.guest == guest).order_by(mail_addresses.c.confirmed)
        rows = await self._rows(query.limit(1))
        return (rows[0][0], rows[0][1]) if rows else None

    async def add_table(self, table: TableRow, places: Sequence[SeatRow]) -> None:
        """Store a new table."""
        async with self.writing() as connection:
            await insert_table(connection, table, places)
        self.on_seats()

    async def delete_table(self, table: Lease | str) -> None:
        """Remove a table with everything that belongs to it."""
        async with self.writing(_lease_of(table)) as connection:
            await erase_table(connection, _id_of(table))
        self.on_seats()

    async def save_seat(self, table: Lease | str, place: SeatRow, **changes: Any) -> None:
        """Store a changed seat and, with it, changes of its table."""
        table_id = _id_of(table)
        async with self.writing(_lease_of(table)) as connection:
            where = (seats.c.table_id == table_id) & (seats.c.seat == place.seat)
            written = await connection.execute(seats.update().where(where).values(**place._asdict()))
            if written.rowcount != 1:
                raise no_such_table()
            if changes:
                await connection.execute(tables.update().where(tables.c.id == table_id).values(**changes))
        if "owner" in changes:  # only before the start
            self.on_seats()

    async def save_seats(self, table: Lease | str, places: Sequence[SeatRow], **changes: Any) -> None:
        """Store all seats anew, however many there are now, and with them changes of the table."""
        table_id = _id_of(table)
        async with self.writing(_lease_of(table)) as connection:
            written = await connection.execute(tables.update().where(tables.c.id == table_id).values(**changes))
            if written.rowcount != 1:
                raise no_such_table()
            await connection.execute(seats.delete().where(seats.c.table_id == table_id))
            await connection.execute(seats.insert(), [{"table_id": table_id, **place._asdict()} for place in places])
        self.on_seats()

    async def save_table(self, table: Lease | str, **changes: Any) -> None:
        """Store changes of a table."""
        async with self.writing(_lease_of(table)) as connection:
            await connection.execute(tables.update().where(tables.c.id == _id_of(table)).values(**changes))

    async def append(self, table: Lease | str, entry: Entry, **changes: Any) -> None:
        """Add an entry to the log and, in the same transaction, store what changes at the table."""
        try:
            await self.backend.append(_id_of(table), _lease_of(table), entry, changes)
        except CONFLICTS:
            raise
        except self.backend.failures as error:
            raise self._failed("storage", error) from error

    async def say(self, table: Lease | str, line: ChatRow) -> None:
        """Add a line of chat."""
        try:
            async with self.writing(_lease_of(table)) as connection:
                await connection.execute(chat.insert().values(table_id=_id_of(table), **line._asdict()))
        except sa.exc.IntegrityError as error:
            raise no_such_table() from error

    async def load(self, table: str) -> Stored | None:
        """Everything about a table."""
        if not is_id(table):
            return None
        try:
            with DATABASE_READS.time():
                return await self.backend.load(table)
        except self.backend.failures as error:
            raise self._failed("unreadable", error) from error

    async def short(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        """A table as it stands in lists; None if there is none."""
        if not is_id(table):
            return None
        found = await self._with_seats(await self._rows(newest().where(tables.c.id == table)))
        return found[0] if found else None

    async def exists(self, table: str) -> bool:
        """Whether there is such a table whose game was not stopped."""
        stopped = tables.c.status.in_(STOPPED)
        return bool(await self._rows(sa.select(tables.c.id).where((tables.c.id == table) & ~stopped)))

    async def list_open(
        self, page: Page = FIRST_PAGE, since: str = "", waiting: Collection[str] = ()
    ) -> list[tuple[TableRow, list[SeatRow]]]:
        """Public tables with free seats, newest first; if asked, those changed since then or with people waiting."""
        query = page.of(listed("open"))
        if since:
            query = query.where((tables.c.updated >= since) | self.backend.among(tables.c.id, waiting))
        return await self._with_seats(await self._rows(query))

    async def list_of(self, guest: str, page: Page = FIRST_PAGE) -> list[tuple[TableRow, list[SeatRow]]]:
        """Tables where the guest sits and whose games are not over, newest first."""
        return await self._with_seats(await self._rows(page.of(listed_of(guest, "open", "playing"))))

    async def list_played(self, guest: str, page: Page = FIRST_PAGE) -> list[tuple[TableRow, list[SeatRow]]]:
        """Finished games of a guest, newest first."""
        return await self._with_seats(await self._rows(page.of(listed_of(guest, "over"))))

    async def turns_of(self, guest: str) -> list[str]:
        """Tables where a guest is waited for, the most urgent first."""
        return [row[0] for row in await self._rows(turns_of(guest).limit(_MOST_TURNS))]

    async def without_scores(self) -> list[str]:
        """Finished games of older versions, whose scores are not written down."""
        where = (tables.c.status == "over") & tables.c.scores.is_(None)
        return [row[0] for row in await self._rows(sa.select(tables.c.id).where(where).limit(100))]

    async def list_finished(self, guest: str | None, page: Page = FIRST_PAGE) -> list[tuple[TableRow, list[SeatRow]]]:
        """Finished games: public ones and those of the guest, newest first."""
        found = await self._rows(page.of(listed("over")))
        if guest is not None:
            mine = await self._rows(page.of(listed_of(guest, "over")))
            found = sorted({row[0]: row for row in (*found, *mine)}.values(), key=lambda row: row[0])
            found.sort(key=lambda row: row[2], reverse=True)
        return await self._with_seats(found[: page.limit])

    async def seats_by_link(self, guest: str, ids: Collection[str]) -> dict[str, int]:
        """At which of these tables, and on which seat, a guest plays with the link of a seat."""
        where = (companions.c.guest == guest) & companions.c.table_id.in_(list(ids))
        rows = await self._rows(sa.select(companions.c.table_id, companions.c.seat).where(where))
        return {row[0]: row[1] for row in rows}

    async def still_open(self, ids: Collection[str]) -> set[str]:
        """Which of these tables still wait for players, or are not over and played by bots alone."""
        goes_on = (tables.c.status == "open") | ((tables.c.status == "playing") & ~somebody_sits())
        where = self.backend.among(tables.c.id, ids) & goes_on
        return {row[0] for row in await self._rows(sa.select(tables.c.id).where(where))}

    async def _with_seats(self, found: list[tuple[Any, ...]]) -> list[tuple[TableRow, list[SeatRow]]]:
        rows = [TableRow(*row) for row in found]
        places: dict[str, list[SeatRow]] = {row.id: [] for row in rows}
        query = _seat_columns().add_columns(seats.c.table_id).where(seats.c.table_id.in_(list(places)))
        for place in await self._rows(query.order_by(seats.c.seat)):
            places[place[-1]].append(SeatRow(*place[:-1]))
        return [(row, places[row.id]) for row in rows]

    async def count_tables(self) -> dict[str, int]:
        """How many tables there are of each status."""
        rows = await self._rows(sa.select(tables.c.status, sa.func.count()).group_by(tables.c.status))
        return {row[0]: row[1] for row in rows}

    async def unfinished_bots(self) -> list[str]:
        """Tables where a person waits for a bot: they go on by themselves after a restart."""
        query = (
            sa.select(tables.c.id)
            .join(seats, (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.to_move))
            .where((tables.c.status == "playing") & ((seats.c.level.is_not(None)) | seats.c.away) & somebody_plays())
            .where(self.backend.unowned(tables.c.id))
        )
        return [row[0] for row in await self._rows(query)]

    async def unrated(self) -> list[str]:
        """Rated games that are over and not settled yet."""
        due = (tables.c.rating == sa.literal_column(f"'{DUE}'")) & (tables.c.status == "over")
        query = sa.select(tables.c.id).where(due & self.backend.unowned(tables.c.id)).order_by(tables.c.updated)
        return [row[0] for row in await self._rows(query.limit(_MOST_UNRATED))]

    async def due_before(self, then: str) -> list[str]:
        """Relaxed games in which somebody's time runs out before then, or may do so."""
        due = tables.c.deadline.is_(None) | (tables.c.deadline <= then)
        where = (tables.c.status == "playing") & (tables.c.pace == "relaxed") & due
        nobody = self.backend.unowned(tables.c.id)
        return [row[0] for row in await self._rows(sa.select(tables.c.id).where(where & somebody_plays() & nobody))]


async def erase_table(connection: AsyncConnection, table: str) -> None:
    """Remove a table within a transaction; its seats, log and chat go with it."""
    await connection.execute(tables.update().where(tables.c.rematch == table).values(rematch=None))
    await connection.execute(tables.delete().where(tables.c.id == table))


async def insert_table(connection: AsyncConnection, table: TableRow, places: Sequence[SeatRow]) -> None:
    """Store a new table within a transaction."""
    await connection.execute(tables.insert().values(**table._asdict()))
    await connection.execute(seats.insert(), [{"table_id": table.id, **place._asdict()} for place in places])


def _seat_columns() -> sa.Select[Any]:
    return sa.select(*[seats.c[name] for name in SeatRow._fields])


def somebody_sits() -> sa.ColumnElement[bool]:
    """Whether a person has a seat of a table, away or not."""
    return sa.exists().where((seats.c.table_id == tables.c.id) & seats.c.guest.is_not(None))


def somebody_plays() -> sa.ColumnElement[bool]:
    """Whether a person sits at the table who is not away."""
    place = seats.alias()
    return sa.exists().where((place.c.table_id == tables.c.id) & place.c.guest.is_not(None) & ~place.c.away)
