"""What a guest had on a device comes along when the device signs in to a profile."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.profiles.carrying import (
    bring_notices,
    bring_people,
    bring_tournaments,
    bring_tries,
    end_wishes,
)
from nevsky.server.profiles.holdings import take_tables
from nevsky.server.puzzles import tries as puzzles
from nevsky.server.schema import chat, companions, guests, mail_links, seats, tables, vacations
from nevsky.server.storage import Storage
from nevsky.server.vacations.stays import end_within

__all__ = ["merge"]


async def merge(storage: Storage, connection: AsyncConnection, guest: str, profile: str) -> list[str]:
    """Within a transaction; which tables have changed.

    Where both sit at one table, each seat stays whose it is: nobody plays two seats under one name. The guest stays
    then, and the link of their seat lets its player in. Ratings need nothing here, since only profiles have some.
    """
    changed = await take_tables(storage, connection, guest)
    theirs = sa.select(seats.c.table_id).where(seats.c.guest == profile).scalar_subquery()
    both = set(
        (
            await connection.execute(
                sa.select(seats.c.table_id).where((seats.c.guest == guest) & seats.c.table_id.in_(theirs))
            )
        ).scalars()
    )
    await connection.execute(
        seats.update().where((seats.c.guest == guest) & seats.c.table_id.not_in(both)).values(guest=profile)
    )
    await connection.execute(seats.update().where(seats.c.reserved_for == guest).values(reserved_for=profile))
    await connection.execute(tables.update().where(tables.c.owner == guest).values(owner=profile))
    await connection.execute(
        chat.update().where((chat.c.guest == guest) & chat.c.table_id.not_in(both)).values(guest=profile)
    )
    sits = sa.select(seats.c.table_id).where(seats.c.guest == profile)
    linked = sa.select(companions.c.table_id).where(companions.c.guest == profile)
    await connection.execute(
        companions.delete().where((companions.c.guest == profile) & companions.c.table_id.in_(sits.scalar_subquery()))
    )
    already = set((await connection.execute(sits.union(linked))).scalars())
    await connection.execute(
        companions.delete().where((companions.c.guest == guest) & companions.c.table_id.in_(already))
    )
    await connection.execute(companions.update().where(companions.c.guest == guest).values(guest=profile))
    await bring_people(connection, guest, profile, stays=bool(both))
    if await end_within(connection, guest):  # a profile has its own days
        await storage.backend.tell(connection, vacation=[guest, "", ""])
    await connection.execute(vacations.update().where(vacations.c.guest == guest).values(guest=profile))
    await bring_notices(connection, guest, profile, both)
    changed += await bring_tries(storage, connection, guest, profile)
    await end_wishes(connection, guest)
    await bring_tournaments(connection, guest, profile)
    await puzzles.bring(connection, guest, profile)
    await connection.execute(mail_links.delete().where(mail_links.c.guest == guest))
    old = (await connection.execute(sa.select(guests).where(guests.c.id == guest))).one()
    new = (await connection.execute(sa.select(guests).where(guests.c.id == profile))).one()
    takes = {"muted": old.muted} if old.muted is not None and new.muted is None else {}
    if old.named and not new.named:
        takes |= {"name": old.name, "named": True}
    if takes:
        await connection.execute(guests.update().where(guests.c.id == profile).values(takes))
    if not both:
        await connection.execute(guests.delete().where(guests.c.id == guest))
    return changed
