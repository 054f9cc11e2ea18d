"""What is stored about a person, and where."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.schema import audit, chat, companions, guests, invitations, metadata, seats, tables, tournaments
from nevsky.server.storage import Storage

__all__ = ["about", "everything_about", "take_tables"]


def about() -> list[sa.Table]:
    """All tables that have rows of guests, those to come as well: they name them in a column ``guest``."""
    return [table for table in metadata.sorted_tables if "guest" in table.c]


async def everything_about(storage: Storage, guest: str) -> dict[str, Any]:
    """All that is stored about somebody, ready for JSON."""

    async def rows(query: sa.Select[Any]) -> list[dict[str, Any]]:
        async with storage.reading() as connection:
            return [dict(row._mapping) for row in await connection.execute(query)]

    found = await rows(sa.select(guests).where(guests.c.id == guest))
    parts = {table.name: await rows(sa.select(table).where(table.c.guest == guest)) for table in about()}
    played = sa.select(
        *[tables.c[name] for name in ("id", "created", "updated", "status", "ruleset", "scores", "winners")]
    )
    sits = sa.select(seats.c.table_id).where(seats.c.guest == guest)
    return {
        "guest": found[0] if found else None,
        **parts,
        "seats_kept": await rows(sa.select(seats).where(seats.c.reserved_for == guest)),
        "tables": await rows(played.where(tables.c.id.in_(sits)).order_by(tables.c.id)),
        "tables_owned": await rows(sa.select(tables.c.id).where(tables.c.owner == guest)),
        "tournaments_made": await rows(sa.select(tournaments).where(tournaments.c.owner == guest)),
        "invitations": await rows(
            sa.select(invitations).where((invitations.c.sender == guest) | (invitations.c.receiver == guest))
        ),
        "audit": await rows(sa.select(audit).where(audit.c.target == guest).order_by(audit.c.id)),
    }


async def _tables_of(connection: AsyncConnection, guest: str) -> list[str]:
    """Tables where a guest sits, has written or plays with a link."""
    sits = sa.select(seats.c.table_id).where((seats.c.guest == guest) | (seats.c.reserved_for == guest))
    wrote = sa.select(chat.c.table_id).where(chat.c.guest == guest)
    linked = sa.select(companions.c.table_id).where(companions.c.guest == guest)
    owns = sa.select(tables.c.id).where(tables.c.owner == guest)
    return [str(each) for each in (await connection.execute(sits.union(wrote, linked, owns))).scalars() if each]


async def take_tables(storage: Storage, connection: AsyncConnection, guest: str) -> list[str]:
    """The same, taken from the servers that have them in memory, so that none of them writes the guest down again."""
    taken: set[str] = set()
    while more := set(await _tables_of(connection, guest)) - taken:
        await storage.backend.take(connection, more)
        taken |= more
    return sorted(taken)
