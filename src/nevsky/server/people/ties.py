"""Whom a guest follows and blocks, what others call them by, and what they allow.

Others never see a guest's id. They know a handle, which is made when it is needed first and stays.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.errors import Refusal
from nevsky.server.ids import is_id, new_table_id
from nevsky.server.protocol import Tie, Welcome
from nevsky.server.schema import SeatRow, guests, people, profiles, seats, tables, ties
from nevsky.server.storage import Storage, now

__all__ = ["Allowed", "Ties", "blocks", "no_such_person", "played_together"]

MOST: Final = {"follow": 300, "block": 1000}
"""Of one guest."""
_TOO_MANY: Final = {"follow": "ties_follow", "block": "ties_block"}
_RECENT_TABLES: Final = 30


class Allowed(NamedTuple):
    """What a guest lets others do."""

    handle: str = ""
    invitations: Welcome = "all"
    shown: bool = True


def no_such_person() -> Refusal:
    """For handles that lead to nobody."""
    return Refusal("not_found", "person")


def blocks(one: str, other: str) -> sa.ColumnElement[bool]:
    """Whether one of two guests blocks the other."""
    there = (ties.c.guest == one) & (ties.c.other == other)
    back = (ties.c.guest == other) & (ties.c.other == one)
    return (ties.c.kind == "block") & (there | back)


def _recent_tables(guest: str) -> sa.Select[Any]:
    """The last tables with a deal where a guest sat."""
    sat = sa.select(seats.c.table_id).where(seats.c.guest == guest)
    dealt = tables.c.id.in_(sat) & (tables.c.status != "open")
    return sa.select(tables.c.id, tables.c.updated).where(dealt).order_by(tables.c.updated.desc()).limit(_RECENT_TABLES)


async def played_together(connection: AsyncConnection, one: str, other: str) -> bool:
    """Whether two guests have sat at a table that started, lately."""
    recent = _recent_tables(one).subquery()
    query = sa.select(seats.c.seat).where((seats.c.guest == other) & seats.c.table_id.in_(sa.select(recent.c.id)))
    return (await connection.execute(query.limit(1))).first() is not None


class Ties:
    """In the database."""

    def __init__(self, storage: Storage, *, profiles: bool = True) -> None:
        self._storage = storage
        self._profiles = profiles
        """Whether there are any here."""

    async def known(self, wanted: Collection[str]) -> dict[str, tuple[str, Allowed]]:
        """Names of guests and what they allow; whoever has no handle yet gets one."""
        found = await self._read(wanted)
        missing = [guest for guest, (_, allowed) in found.items() if not allowed.handle]
        for guest in missing:
            try:
                async with self._storage.writing() as connection:
                    row = {"guest": guest, "handle": new_table_id(), "invitations": "all", "shown": True}
                    await connection.execute(people.insert().values(**row))
            except sa.exc.IntegrityError:
                pass  # another request was faster, or the guest has gone
        return await self._read(wanted) if missing else found

    async def _read(self, wanted: Collection[str]) -> dict[str, tuple[str, Allowed]]:
        query = (
            sa.select(guests.c.id, guests.c.name, people.c.handle, people.c.invitations, people.c.shown)
            .outerjoin(people, people.c.guest == guests.c.id)
            .where(self._storage.backend.among(guests.c.id, wanted) & guests.c.banned.is_(None))
        )
        async with self._storage.reading() as connection:
            rows = (await connection.execute(query)).all()
        return {
            row.id: (row.name, Allowed() if row.handle is None else Allowed(row.handle, row.invitations, row.shown))
            for row in rows
        }

    async def allowed(self, guest: str) -> Allowed:
        """What a guest allows."""
        found = (await self.known([guest])).get(guest)
        return Allowed() if found is None else found[1]

    async def allow(self, guest: str, **changes: object) -> Allowed:
        """Allow something else."""
        await self.known([guest])
        if changes:
            async with self._storage.writing() as connection:
                await connection.execute(people.update().where(people.c.guest == guest).values(**changes))
        return await self.allowed(guest)

    async def guest_of(self, handle: str) -> str:
        """Who is called so."""
        if not is_id(handle):
            raise no_such_person()
        async with self._storage.reading() as connection:
            found = await connection.scalar(sa.select(people.c.guest).where(people.c.handle == handle))
        if not isinstance(found, str):
            raise no_such_person()
        return found

    async def pages(self, some: Collection[str]) -> dict[str, str]:
        """The handles of those among some guests who have a page that everybody may see: their profile."""
        if not (some and self._profiles):
            return {}
        query = (
            sa.select(profiles.c.guest)
            .join(guests, guests.c.id == profiles.c.guest)
            .where(self._storage.backend.among(profiles.c.guest, some) & profiles.c.public & guests.c.banned.is_(None))
        )
        async with self._storage.reading() as connection:
            shown = list((await connection.execute(query)).scalars())
        known = await self.known(shown) if shown else {}
        return {guest: allowed.handle for guest, (_, allowed) in known.items() if allowed.handle}

    async def pages_at(self, tables: Sequence[Sequence[SeatRow]]) -> list[list[str | None]]:
        """The same for everybody who sits at some tables, seat by seat."""
        found = await self.pages({place.guest for places in tables for place in places if place.guest is not None})
        return [[found.get(place.guest or "") for place in places] for places in tables]

    async def of(self, guest: str) -> dict[str, Tie]:
        """All ties of a guest."""
        query = sa.select(ties.c.other, ties.c.kind).where(ties.c.guest == guest).order_by(ties.c.at, ties.c.other)
        async with self._storage.reading() as connection:
            return {row.other: row.kind for row in await connection.execute(query)}

    async def tie(self, guest: str, other: str, kind: Tie | None) -> None:
        """Follow somebody, block them, or neither. Whom one blocks follows one no longer."""
        if guest == other:
            raise Refusal("refused", "yourself")
        one = (ties.c.guest == guest) & (ties.c.other == other)
        back = (ties.c.guest == other) & (ties.c.other == guest)
        try:
            async with self._storage.writing() as connection:
                await connection.execute(ties.delete().where(one))
                if kind is not None:
                    same = sa.select(sa.func.count()).where((ties.c.guest == guest) & (ties.c.kind == kind))
                    if (await connection.scalar(same) or 0) >= MOST[kind]:
                        raise Refusal("refused", _TOO_MANY[kind], number=MOST[kind])
                    barred = sa.select(ties.c.guest).where(blocks(guest, other))
                    if kind == "follow" and await connection.scalar(barred) is not None:
                        raise Refusal("refused", "not_welcome")
                    await connection.execute(ties.insert().values(guest=guest, other=other, kind=kind, at=now()))
                if kind == "block":
                    await connection.execute(ties.delete().where(back & (ties.c.kind == "follow")))
        except sa.exc.IntegrityError as error:  # one of both has just been erased, or this was asked twice at once
            raise no_such_person() from error

    async def recent(self, guest: str) -> list[str]:
        """With whom a guest has played, the last ones first."""
        recent = _recent_tables(guest).subquery()
        query = (
            sa.select(seats.c.guest, sa.func.max(recent.c.updated).label("last"))
            .join(recent, recent.c.id == seats.c.table_id)
            .where(seats.c.guest.is_not(None) & (seats.c.guest != guest))
            .group_by(seats.c.guest)
            .order_by(sa.desc("last"), seats.c.guest)
        )
        async with self._storage.reading() as connection:
            return [row.guest for row in await connection.execute(query)]

    async def blocking(self, guest: str, others: Iterable[str]) -> set[str]:
        """Who of some others blocks a guest."""
        some = self._storage.backend.among(ties.c.guest, list(others))
        query = sa.select(ties.c.guest).where((ties.c.other == guest) & (ties.c.kind == "block") & some)
        async with self._storage.reading() as connection:
            return set((await connection.execute(query)).scalars())

    async def follows(self, guests_of: Iterable[str], other: str) -> set[str]:
        """Who of some guests follows somebody."""
        some = self._storage.backend.among(ties.c.guest, list(guests_of))
        query = sa.select(ties.c.guest).where((ties.c.other == other) & (ties.c.kind == "follow") & some)
        async with self._storage.reading() as connection:
            return set((await connection.execute(query)).scalars())
