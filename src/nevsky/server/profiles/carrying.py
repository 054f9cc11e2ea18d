"""What a guest is to other people and to the server, apart from tables, comes along to their profile."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.notices.store import MOST_DEVICES
from nevsky.server.schema import (
    daily_tries,
    invitations,
    notice_wishes,
    notices,
    people,
    push_devices,
    tables,
    ties,
    tournament_players,
    tournaments,
    wishes,
)
from nevsky.server.storage import Storage

__all__ = ["bring_notices", "bring_people", "bring_tournaments", "bring_tries", "end_wishes"]

_BLOCK = "block"
_FOLLOW = "follow"


async def bring_people(connection: AsyncConnection, guest: str, profile: str, *, stays: bool) -> None:
    """Ties in both directions, invitations, and what others know the guest by.

    Whoever blocks one of the two, or is blocked by one, is so for the profile, whatever else there was between them.
    What the profile allows stays as it is. A guest who stays at a table keeps the blocks there, too.
    """
    await _bring_ties(connection, guest, profile, stays=stays)
    for who, other in (
        (invitations.c.sender, invitations.c.receiver),
        (invitations.c.receiver, invitations.c.sender),
    ):
        await connection.execute(invitations.delete().where((who == guest) & (other == profile)))
        await connection.execute(invitations.update().where(who == guest).values({who.name: profile}))
    await _unless_there(connection, people, guest, profile)


async def _bring_ties(connection: AsyncConnection, guest: str, profile: str, *, stays: bool) -> None:
    both = (guest, profile)
    where = ties.c.guest.in_(both) | ties.c.other.in_(both)
    found = [dict(row._mapping) for row in await connection.execute(sa.select(ties).where(where))]
    merged: dict[tuple[str, str], dict[str, Any]] = {}
    for row in sorted(found, key=lambda row: (row["kind"] != _BLOCK, row["at"])):
        new = {**row, **{name: profile for name in ("guest", "other") if row[name] == guest}}
        if new["guest"] != new["other"]:
            merged.setdefault((new["guest"], new["other"]), new)
    kept = [
        row
        for (one, other), row in merged.items()
        if row["kind"] != _FOLLOW or merged.get((other, one), row)["kind"] != _BLOCK
    ]
    if stays:
        kept += [row for row in found if guest in (row["guest"], row["other"]) and row["kind"] == _BLOCK]
    await connection.execute(ties.delete().where(where))
    if kept:
        await connection.execute(ties.insert(), kept)


async def bring_notices(connection: AsyncConnection, guest: str, profile: str, both: Collection[str]) -> None:
    """Devices go on to be told, now of everything about the profile. Its own wishes win, where it has some.

    At tables where both sit the guest stays, and so does what they are to be told about them.
    """
    await _unless_there(connection, notice_wishes, guest, profile)
    await connection.execute(push_devices.update().where(push_devices.c.guest == guest).values(guest=profile))
    theirs = sa.select(push_devices.c.id).where(push_devices.c.guest == profile)
    newest = theirs.order_by(push_devices.c.created.desc(), push_devices.c.id)
    oldest = (await connection.execute(newest.offset(MOST_DEVICES))).scalars().all()
    await connection.execute(push_devices.delete().where(push_devices.c.id.in_(oldest)))
    told = sa.select(notices.c.table_id, notices.c.kind)
    there = {tuple(row) for row in await connection.execute(told.where(notices.c.guest == profile))}
    for table, kind in (await connection.execute(told.where(notices.c.guest == guest))).all():
        this = (notices.c.guest == guest) & (notices.c.table_id == table) & (notices.c.kind == kind)
        if table not in both and (table, kind) not in there:
            await connection.execute(notices.update().where(this).values(guest=profile))


async def bring_tries(storage: Storage, connection: AsyncConnection, guest: str, profile: str) -> list[str]:
    """Of two tries at one deal the first one counts; the other is practice. The tables of the profile that changed."""
    columns = daily_tries.c.deal, daily_tries.c.guest, daily_tries.c.table_id, daily_tries.c.started
    query = sa.select(*columns).where(daily_tries.c.guest.in_((guest, profile))).order_by(daily_tries.c.started)
    first: set[str] = set()
    second: dict[str, str] = {}
    for deal, whose, table, _ in await connection.execute(query):
        if deal in first:
            second[table] = whose
        first.add(deal)
    changed = sorted(table for table, whose in second.items() if whose == profile)
    await storage.backend.take(connection, changed)
    await connection.execute(daily_tries.delete().where(daily_tries.c.table_id.in_(second)))
    await connection.execute(tables.update().where(tables.c.id.in_(second)).values(practice=True))
    await connection.execute(daily_tries.update().where(daily_tries.c.guest == guest).values(guest=profile))
    return changed


async def end_wishes(connection: AsyncConnection, guest: str) -> None:
    """Who waits to be matched does so through a connection of the guest, which ends: they may wish again."""
    await connection.execute(wishes.delete().where(wishes.c.guest == guest))


async def _unless_there(connection: AsyncConnection, table: sa.Table, guest: str, profile: str) -> None:
    """The row of the guest becomes that of the profile, if that has none."""
    if await connection.scalar(sa.select(table.c.guest).where(table.c.guest == profile)) is None:
        await connection.execute(table.update().where(table.c.guest == guest).values(guest=profile))
    else:
        await connection.execute(table.delete().where(table.c.guest == guest))


async def bring_tournaments(connection: AsyncConnection, guest: str, profile: str) -> None:
    """Where both take part, the profile goes on and the guest does not: nobody plays twice."""
    plays = sa.select(tournament_players.c.tournament).where(tournament_players.c.guest == profile)
    both = set((await connection.execute(plays)).scalars())
    mine = tournament_players.c.guest == guest
    once = mine & tournament_players.c.tournament.not_in(both)
    await connection.execute(tournament_players.update().where(once).values(guest=profile))
    opened = sa.select(tournaments.c.id).where(tournaments.c.status == "open")
    await connection.execute(tournament_players.delete().where(mine & tournament_players.c.tournament.in_(opened)))
    await connection.execute(tournament_players.update().where(mine).values(origin=None, dropped=True))
    await connection.execute(tournaments.update().where(tournaments.c.owner == guest).values(owner=profile))
