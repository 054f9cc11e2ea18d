"""Going away and coming back: what is written down, and who is told."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import sqlalchemy as sa
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.errors import Refusal
from nevsky.server.hub import Hub
from nevsky.server.ids import new_table_id
from nevsky.server.schema import notices, seats, tables, vacations
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from nevsky.server.vacations.days import Allowance, Stretch, days_left, days_of
from nevsky.server.vacations.registry import Away, Vacations

__all__ = ["Stays", "end_within"]

log = structlog.get_logger()


class Stays:
    """The vacations of everybody, in the database."""

    def __init__(self, settings: Settings, storage: Storage, hub: Hub, away: Vacations) -> None:
        self._storage = storage
        self._hub = hub
        self._away = away
        self.allowed = Allowance(settings.vacation_days, settings.vacation_days_per_year)
        self._tasks: set[asyncio.Task[None]] = set()
        away.on_change = hub.poke_guest
        away.on_move = self._back_by_move

    async def days_left(self, guest: str) -> int:
        """For how many days a guest may go away now."""
        async with self._storage.reading() as connection:
            return self._left(await _stretches(connection, guest))

    def _left(self, stretches: list[Stretch]) -> int:
        return days_left(stretches, datetime.now(UTC), self.allowed)

    async def begin(self, guest: str, until: datetime) -> Away:
        """A guest goes away at once; it is refused if they are away already, or for too long."""
        begins, ends = now(), until.astimezone(UTC).isoformat(timespec="seconds")
        if ends <= begins:
            raise Refusal("refused", "vacation_past")
        async with self._storage.writing() as connection:
            await self._storage.backend.alone(connection, f"nevsky vacation {guest}")
            before = await _stretches(connection, guest)
            if any(each.until > datetime.now(UTC) for each in before):
                raise Refusal("refused", "vacation_already")
            left = self._left(before)
            if days_of(datetime.fromisoformat(begins), datetime.fromisoformat(ends)) > left:
                raise Refusal("refused", "vacation_days", number=left)
            row = {"id": new_table_id(), "guest": guest, "begins": begins, "until": ends}
            await connection.execute(vacations.insert().values(**row))
            await self._storage.backend.tell(connection, vacation=[guest, begins, ends])
        away = Away.read(begins, ends)
        self._away.put(guest, away)
        await self._wake(guest)
        return away

    async def end(self, guest: str) -> None:
        """A guest is back before their time."""
        async with self._storage.writing() as connection:
            ended = await end_within(connection, guest)
            if ended:
                await self._storage.backend.tell(connection, vacation=[guest, "", ""])
        if ended:
            self._away.put(guest, None)
            await self._wake(guest)

    async def _wake(self, guest: str) -> None:
        """Tables that no process has in memory are looked at soon: there the clock of a guest stops, or goes on."""
        asked = (seats.c.seat == tables.c.to_move_shown) & (seats.c.guest == guest)
        query = (
            sa.select(tables.c.id)
            .join(seats, seats.c.table_id == tables.c.id)
            .where(asked & (tables.c.status == "playing") & (tables.c.pace == "relaxed"))
            .where(self._storage.backend.unowned(tables.c.id))
        )
        async with self._storage.reading() as connection:
            found = (await connection.execute(query)).scalars().all()
        for table in found:
            if self._hub.viewers(table) is None:
                await self._storage.save_table(table, deadline=now())

    def _back_by_move(self, guest: str) -> None:
        async def back() -> None:
            try:
                await self.end(guest)
            except Refusal as refusal:  # the next move, or a button, will do it
                log.warning("vacation_not_ended", code=refusal.code)

        task = asyncio.create_task(back())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Write down what is under way."""
        await asyncio.gather(*self._tasks, return_exceptions=True)


async def _stretches(connection: AsyncConnection, guest: str) -> list[Stretch]:
    query = sa.select(vacations.c.begins, vacations.c.until).where(vacations.c.guest == guest)
    rows = (await connection.execute(query)).all()
    return [Stretch(datetime.fromisoformat(row.begins), datetime.fromisoformat(row.until)) for row in rows]


async def end_within(connection: AsyncConnection, guest: str) -> bool:
    """End the vacation of a guest within a transaction, and let them be told again; whether there was one."""
    current = (vacations.c.guest == guest) & (vacations.c.until > now())
    until = (await connection.execute(sa.select(vacations.c.until).where(current))).scalars().all()
    if not until:
        return False
    await connection.execute(vacations.update().where(current).values(until=now()))
    waiting = (notices.c.guest == guest) & notices.c.sent.is_(None) & notices.c.due.in_(until)
    await connection.execute(notices.update().where(waiting).values(due=now()))
    return True
