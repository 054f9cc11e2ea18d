"""Rated games that nobody goes on with: they count no more, so that nothing about where people came from stays."""

from __future__ import annotations

import sqlalchemy as sa

from nevsky.server.schema import DUE, VOID, rated_seats, tables
from nevsky.server.storage import Storage

__all__ = ["abandoned", "let_go"]


def abandoned(then: str) -> sa.ColumnElement[bool]:
    """Games that are due and where nothing has happened since then."""
    return (tables.c.rating == DUE) & (tables.c.status != "open") & (tables.c.updated < then)


async def let_go(storage: Storage, then: str) -> int:
    """How many games do not count any more; whoever still plays one to its end finds it settled."""
    async with storage.writing() as connection:
        await storage.backend.alone(connection, "nevsky ratings")
        old = (await connection.execute(sa.select(tables.c.id).where(abandoned(then)))).scalars().all()
        await connection.execute(tables.update().where(tables.c.id.in_(old)).values(rating=VOID))
        await connection.execute(rated_seats.delete().where(rated_seats.c.table_id.in_(old)))
    return len(old)
