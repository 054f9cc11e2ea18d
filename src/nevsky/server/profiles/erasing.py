"""Forgetting a person; the games that others have played with them stay."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.actor import Table
from nevsky.server.bans import erased
from nevsky.server.errors import no_such_table
from nevsky.server.hub import Hub
from nevsky.server.ids import new_guest_id, new_token
from nevsky.server.profiles.holdings import about, take_tables
from nevsky.server.sanitize import distinct_name
from nevsky.server.schema import (
    audit,
    chat,
    companions,
    daily_tries,
    guests,
    seats,
    tables,
    tournament_players,
    tournaments,
)
from nevsky.server.storage import Storage, erase_table, now
from nevsky.server.viewer import Viewer
from nevsky.texts.former import FORMER

__all__ = ["Erased", "belongs", "erase", "let_reload"]


class Erased(NamedTuple):
    """What is left."""

    now: str
    """The guest without a history who sits where they sat."""
    chat_lines: int


def belongs(table: Table, viewer: Viewer, guest: str) -> bool:
    """Whether somebody looks as this guest, or from their seat."""
    return viewer.guest == guest or (viewer.seat is not None and table.seats[viewer.seat].guest == guest)


async def let_reload(hub: Hub | None, changed: Collection[str]) -> None:
    """Tables in memory take over what was changed beside them; among several processes they have lost their owners."""
    if hub is None:
        return
    if hub.others_go_on:
        hub.lose(set(changed))
    else:
        await hub.reload(changed)


async def erase(
    storage: Storage,
    hub: Hub | None,
    guest: str,
    note: Callable[[AsyncConnection], Awaitable[None]] | None = None,
) -> Erased:
    """Name, words, links and everything to sign in with are gone; where games go on, a bot plays."""
    nobody, name = new_guest_id(), FORMER
    async with storage.writing() as connection:
        changed = await take_tables(storage, connection, guest)
        empty = await _free_open_seats(connection, guest)
        await connection.execute(guests.insert().values(id=nobody, name=name, created=now(), last_seen=now()))
        await _renew_links(connection, seats.c.guest == guest)
        await _rename(connection, guest, name)
        mine = seats.update().where(seats.c.guest == guest)
        await connection.execute(mine.values(guest=nobody, away=True, passing=None))
        kept = seats.update().where(seats.c.reserved_for == guest)
        await connection.execute(kept.values(reserved_for=None, reserved_name=None))
        await connection.execute(tables.update().where(tables.c.owner == guest).values(owner=None))
        await _end_links(connection, nobody)
        lines = await connection.execute(chat.delete().where(chat.c.guest == guest))
        tries = daily_tries.update().where(daily_tries.c.guest == guest)
        await connection.execute(tries.values(guest=nobody, name=name))
        await _leave_tournaments(connection, guest, nobody, name)
        for table in about():
            if table is not seats:
                await connection.execute(table.delete().where(table.c.guest == guest))
        await connection.execute(audit.update().where(audit.c.target == guest).values(details={}))
        await connection.execute(guests.delete().where(guests.c.id == guest))
        if note is not None:
            await note(connection)
        await storage.backend.tell(connection, bans=True)
    if hub is not None:
        hub.send_away(lambda table, viewer: belongs(table, viewer, guest), erased())
        await let_reload(hub, changed)
        hub.send_away(lambda table, viewer: belongs(table, viewer, nobody), erased())  # who came meanwhile
    for each in empty:
        await _take_away(storage, hub, each)
    return Erased(nobody, lines.rowcount)


async def _rename(connection: AsyncConnection, guest: str, name: str) -> None:
    """Nobody is called like somebody else at the table, not even those who are gone."""
    where = seats.c.guest == guest
    for table, seat in (await connection.execute(sa.select(seats.c.table_id, seats.c.seat).where(where))).all():
        here = seats.c.table_id == table
        others = sa.select(seats.c.name).where(here & (seats.c.seat != seat) & seats.c.name.is_not(None))
        taken = (await connection.execute(others)).scalars().all()
        new = distinct_name(name, [str(each) for each in taken])
        await connection.execute(seats.update().where(here & (seats.c.seat == seat)).values(name=new))


async def _leave_tournaments(connection: AsyncConnection, guest: str, nobody: str, name: str) -> None:
    """They play in no further round; those that have not started lose them altogether."""
    mine = tournament_players.c.guest == guest
    opened = sa.select(tournaments.c.id).where(tournaments.c.status == "open")
    await connection.execute(tournament_players.delete().where(mine & tournament_players.c.tournament.in_(opened)))
    left = tournament_players.update().where(mine)
    await connection.execute(left.values(guest=nobody, name=name, origin=None, dropped=True))
    await connection.execute(tournaments.update().where(tournaments.c.owner == guest).values(owner=None, origin=None))


async def _renew_links(connection: AsyncConnection, where: sa.ColumnElement[bool]) -> None:
    """A new token for each of these seats: one for all would open seats at other tables."""
    for table, seat in (await connection.execute(sa.select(seats.c.table_id, seats.c.seat).where(where))).all():
        which = (seats.c.table_id == table) & (seats.c.seat == seat)
        await connection.execute(seats.update().where(which).values(token=new_token()))


async def _end_links(connection: AsyncConnection, guest: str) -> None:
    """Nobody plays the seats of a guest with their links any more; the links themselves have been replaced."""
    same = (seats.c.table_id == companions.c.table_id) & (seats.c.seat == companions.c.seat)
    await connection.execute(companions.delete().where(sa.exists().where(same & (seats.c.guest == guest))))


async def _free_open_seats(connection: AsyncConnection, guest: str) -> list[str]:
    """Free the seats of a guest at tables that have not started; which of these have nobody any more."""
    opened = sa.select(tables.c.id).where(tables.c.status == "open")
    where = (seats.c.guest == guest) & seats.c.table_id.in_(opened)
    left = (await connection.execute(sa.select(seats.c.table_id).where(where))).scalars().all()
    await _renew_links(connection, where)
    await connection.execute(seats.update().where(where).values(guest=None, name=None))
    people = sa.select(seats.c.table_id).where(seats.c.table_id.in_(left) & seats.c.guest.is_not(None))
    kept = set((await connection.execute(people)).scalars())
    return [table for table in left if table not in kept]


async def _take_away(storage: Storage, hub: Hub | None, table: str) -> None:
    async def delete() -> None:
        async with storage.writing() as connection:
            await storage.backend.take(connection, [table])
            await erase_table(connection, table)

    if hub is None:
        await delete()
    else:
        await hub.remove(table, delete, no_such_table)
