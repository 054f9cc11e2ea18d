"""The database: one SQLite file in WAL mode. What was committed survives a crash at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from nevsky.errors import NevskyError
from nevsky.server.log_writer import LogWriter
from nevsky.server.schema import ChatRow, Entry, SeatRow, Stored, TableRow, chat, guests, log, seats, tables

__all__ = ["Storage", "now"]

CHAT_KEPT: Final = 100
LISTED: Final = 60
NEWEST: Final = "0002"
"""The newest migration."""
_PRAGMAS: Final = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=10000")


def now(seconds_ago: float = 0.0) -> str:
    """The time as it stands in the database and in messages."""
    return (datetime.now(UTC) - timedelta(seconds=seconds_ago)).isoformat(timespec="seconds")


def _prepare(connection: DBAPIConnection, _: object) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _migrate(connection: sa.Connection) -> None:
    if sa.inspect(connection).has_table("alembic_version"):
        done = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
        if done == NEWEST:
            return  # without alembic the server starts faster
        if done is not None and done > NEWEST:
            raise NevskyError("server.newer")
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


class Storage:
    """Reads at any time, writes one after the other."""

    def __init__(self, engine: AsyncEngine, path: Path) -> None:
        self._engine = engine
        self._writer = asyncio.Lock()
        self._log_writer = LogWriter(path, _PRAGMAS, self._writer)

    @classmethod
    async def open(cls, path: Path) -> Storage:
        """Open the file, create or migrate it."""
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.touch(mode=0o600)
        engine = create_async_engine(f"sqlite+aiosqlite:///{path}", hide_parameters=True)
        sa.event.listen(engine.sync_engine, "connect", _prepare)
        try:
            async with engine.begin() as connection:
                await connection.run_sync(_migrate)
        except BaseException:
            await engine.dispose()
            raise
        return cls(engine, path)

    async def close(self) -> None:
        """Close all connections."""
        await self._log_writer.close()
        await self._engine.dispose()

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """One transaction: all of it is kept, or nothing."""
        async with self._writer, self._engine.begin() as connection:
            yield connection

    async def _rows(self, query: sa.Select[Any]) -> list[tuple[Any, ...]]:
        async with self._engine.connect() as connection:
            return [tuple(row) for row in await connection.execute(query)]

    async def ping(self) -> None:
        """Raise if the database does not answer."""
        await self._rows(sa.select(sa.literal(1)))

    async def add_guest(self, guest: str, name: str) -> None:
        """Remember a new guest."""
        async with self.writing() as connection:
            await connection.execute(guests.insert().values(id=guest, name=name, created=now()))

    async def rename_guest(self, guest: str, name: str) -> None:
        """Give a guest another name; at tables where they sit already nothing changes."""
        async with self.writing() as connection:
            await connection.execute(guests.update().where(guests.c.id == guest).values(name=name))

    async def guest_name(self, guest: str) -> str | None:
        """The name of a guest, None if there is no such guest."""
        rows = await self._rows(sa.select(guests.c.name).where(guests.c.id == guest))
        return rows[0][0] if rows else None

    async def add_table(self, table: TableRow, places: Sequence[SeatRow]) -> None:
        """Store a new table."""
        async with self.writing() as connection:
            await insert_table(connection, table, places)

    async def delete_table(self, table: str) -> None:
        """Remove a table that never started."""
        async with self.writing() as connection:
            await connection.execute(chat.delete().where(chat.c.table_id == table))
            await connection.execute(seats.delete().where(seats.c.table_id == table))
            await connection.execute(tables.delete().where(tables.c.id == table))

    async def save_seat(self, table: str, place: SeatRow, **changes: Any) -> None:
        """Store a changed seat and, with it, changes of its table."""
        async with self.writing() as connection:
            where = (seats.c.table_id == table) & (seats.c.seat == place.seat)
            await connection.execute(seats.update().where(where).values(**place._asdict()))
            if changes:
                await connection.execute(tables.update().where(tables.c.id == table).values(**changes))

    async def append(self, table: str, entry: Entry, **changes: Any) -> None:
        """Add an entry to the log and, in the same transaction, store what changes at the table."""
        await self._log_writer.append(table, entry, changes)

    async def say(self, table: str, line: ChatRow) -> None:
        """Add a line of chat."""
        async with self.writing() as connection:
            await connection.execute(chat.insert().values(table_id=table, **line._asdict()))

    async def load(self, table: str) -> Stored | None:
        """Everything about a table."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(sa.select(tables).where(tables.c.id == table))).one_or_none()
            if row is None:
                return None
            place_rows = await connection.execute(
                _seat_columns().where(seats.c.table_id == table).order_by(seats.c.seat)
            )
            log_rows = await connection.execute(
                sa.select(*[log.c[name] for name in Entry._fields])
                .where(log.c.table_id == table)
                .order_by(log.c.number)
            )
            chat_rows = await connection.execute(
                sa.select(*[chat.c[name] for name in ChatRow._fields])
                .where(chat.c.table_id == table)
                .order_by(chat.c.id.desc())
                .limit(CHAT_KEPT)
            )
            return Stored(
                TableRow(*row),
                tuple(SeatRow(*each) for each in place_rows),
                tuple(Entry(*each) for each in log_rows),
                tuple(reversed([ChatRow(*each) for each in chat_rows])),
            )

    async def list_open(self) -> list[tuple[TableRow, list[SeatRow]]]:
        """Public tables with free seats, newest first."""
        return await self._list((tables.c.status == "open") & tables.c.public)

    async def list_of(self, guest: str) -> list[tuple[TableRow, list[SeatRow]]]:
        """Tables where the guest sits and whose games are not over, newest first."""
        return await self._list(tables.c.id.in_(_sits(guest)) & (tables.c.status != "over"))

    async def list_finished(self, guest: str | None) -> list[tuple[TableRow, list[SeatRow]]]:
        """Finished games: public ones and those of the guest, newest first."""
        mine = tables.c.public if guest is None else tables.c.public | tables.c.id.in_(_sits(guest))
        return await self._list((tables.c.status == "over") & mine)

    async def _list(self, where: sa.ColumnElement[bool]) -> list[tuple[TableRow, list[SeatRow]]]:
        found = await self._rows(
            sa.select(tables).where(where).order_by(tables.c.updated.desc(), tables.c.id).limit(LISTED)
        )
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
        """Tables where the game waits for a bot: they go on by themselves after a restart."""
        query = (
            sa.select(tables.c.id)
            .join(seats, (seats.c.table_id == tables.c.id) & (seats.c.seat == tables.c.to_move))
            .where((tables.c.status == "playing") & ((seats.c.level.is_not(None)) | seats.c.away))
        )
        return [row[0] for row in await self._rows(query)]

    async def unchanged_since(self, pace: str, then: str) -> list[str]:
        """Games of this pace in which nobody has seen a change since then."""
        where = (tables.c.status == "playing") & (tables.c.pace == pace) & (tables.c.updated <= then)
        return [row[0] for row in await self._rows(sa.select(tables.c.id).where(where))]


async def insert_table(connection: AsyncConnection, table: TableRow, places: Sequence[SeatRow]) -> None:
    """Store a new table within a transaction."""
    await connection.execute(tables.insert().values(**table._asdict()))
    await connection.execute(seats.insert(), [{"table_id": table.id, **place._asdict()} for place in places])


def _seat_columns() -> sa.Select[Any]:
    return sa.select(*[seats.c[name] for name in SeatRow._fields])


def _sits(guest: str) -> sa.Select[Any]:
    return sa.select(seats.c.table_id).where(seats.c.guest == guest)
