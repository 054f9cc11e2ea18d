"""Commands about tables."""

from __future__ import annotations

import sqlalchemy as sa

from nevsky.errors import NevskyError
from nevsky.server.admin.desk import Answer, Desk, command
from nevsky.server.errors import Refusal, ended_table
from nevsky.server.schema import ENDED, chat, log, seats, tables
from nevsky.server.standing import stopped
from nevsky.server.storage import erase_table

__all__ = ["take_away"]


@command("tables.list")
async def list_tables(desk: Desk, status: str | None = None, limit: int = 50) -> Answer:
    """Tables, those that changed last first."""
    shown = (tables.c.id, tables.c.status, tables.c.updated, tables.c.public, tables.c.round)
    query = sa.select(*shown).order_by(tables.c.updated.desc(), tables.c.id).limit(limit)
    found = await desk.rows(query if status is None else query.where(tables.c.status == status))
    people = sa.select(seats.c.table_id, sa.func.coalesce(seats.c.name, "-").label("name")).order_by(seats.c.seat)
    sitting = await desk.rows(people.where(desk.storage.backend.among(seats.c.table_id, [row["id"] for row in found])))
    for row in found:
        row["seats"] = ", ".join(seat["name"] for seat in sitting if seat["table_id"] == row["id"])
        row["viewers"] = None if desk.hub is None else desk.hub.viewers(row["id"])
    return found


@command("tables.show")
async def show_table(desk: Desk, table: str) -> Answer:
    """One table with its seats and its chat; without tokens, deal and hands."""
    wanted = [column for column in tables.c if column.name != "deal"]
    rows = await desk.rows(sa.select(*wanted).where(tables.c.id == table))
    if not rows:
        raise NevskyError("admin.no_table", table=repr(table))
    shown = (seats.c.seat, seats.c.name, seats.c.guest, seats.c.level, seats.c.away)
    told = (chat.c.at, chat.c.name, chat.c.guest, chat.c.text)
    entries = await desk.rows(sa.select(sa.func.count().label("n")).where(log.c.table_id == table))
    return {
        **rows[0],
        "moves": entries[0]["n"],
        "viewers": None if desk.hub is None else desk.hub.viewers(table),
        "seats": await desk.rows(sa.select(*shown).where(seats.c.table_id == table).order_by(seats.c.seat)),
        "chat": await desk.rows(sa.select(*told).where(chat.c.table_id == table).order_by(chat.c.id)),
    }


async def _status(desk: Desk, table: str) -> str:
    found = await desk.rows(sa.select(tables.c.status).where(tables.c.id == table))
    if not found:
        raise NevskyError("admin.no_table", table=repr(table))
    return str(found[0]["status"])


async def take_away(desk: Desk, table: str) -> None:
    """Delete a table with everything that belongs to it."""

    async def change() -> None:
        async with desk.storage.writing() as connection:
            await desk.storage.backend.take(connection, [table])
            await erase_table(connection, table)
            await desk.note(connection, "tables.delete", table)

    if desk.hub is None:
        await change()
    else:
        await desk.hub.remove(table, change)


@command("tables.delete")
async def delete_table(desk: Desk, table: str) -> Answer:
    """Delete a table; whoever looks at it is told that it is gone."""
    status = await _status(desk, table)
    await take_away(desk, table)
    return {"table": table, "was": status, "status": "deleted"}


@command("tables.end")
async def end_table(desk: Desk, table: str) -> Answer:
    """Stop a game without a result: it leaves all lists, and its players are told; its log is kept for a while."""
    status = await _status(desk, table)
    running = (tables.c.id == table) & tables.c.status.in_(("open", "playing"))

    async def change() -> None:
        async with desk.storage.writing() as connection:
            await desk.storage.backend.take(connection, [table])
            written = await connection.execute(tables.update().where(running).values(**stopped(ENDED)))
            if not written.rowcount:
                raise Refusal("refused", NevskyError("admin.not_running", table=repr(table)))
            await desk.note(connection, "tables.end", table)

    if desk.hub is None:
        await change()
    else:
        await desk.hub.remove(table, change, ended_table)
    return {"table": table, "was": status, "status": ENDED}
