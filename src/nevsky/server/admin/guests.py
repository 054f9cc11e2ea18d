"""Commands about guests and addresses."""

from __future__ import annotations

import secrets
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.errors import NevskyError
from nevsky.server.actor import Table
from nevsky.server.admin.desk import Answer, Desk, command
from nevsky.server.admin.tables import take_away
from nevsky.server.bans import banned, erased, network_of
from nevsky.server.ids import new_guest_id, new_token
from nevsky.server.sanitize import clean
from nevsky.server.schema import (
    address_bans,
    audit,
    chat,
    companions,
    guests,
    invitations,
    notice_wishes,
    notices,
    people,
    push_devices,
    seats,
    tables,
    ties,
    wishes,
)
from nevsky.server.storage import now
from nevsky.server.viewer import Viewer
from nevsky.texts import text


@command("guests.list")
async def list_guests(desk: Desk, name: str | None = None, limit: int = 50) -> Answer:
    """Guests, those who were here last first."""
    games = sa.select(sa.func.count()).where(seats.c.guest == guests.c.id).scalar_subquery()
    query = sa.select(guests, games.label("games")).order_by(guests.c.last_seen.desc(), guests.c.id).limit(limit)
    return await desk.rows(query if name is None else query.where(guests.c.name.icontains(name, autoescape=True)))


async def _guest(desk: Desk, guest: str) -> dict[str, Any]:
    found = await desk.rows(sa.select(guests).where(guests.c.id == guest))
    if not found:
        raise NevskyError("admin.no_guest", guest=repr(guest))
    return found[0]


@command("guests.show")
async def show_guest(desk: Desk, guest: str) -> Answer:
    """A guest and where they sit."""
    row = await _guest(desk, guest)
    query = sa.select(tables.c.id, tables.c.status, tables.c.updated, seats.c.seat, seats.c.name)
    sits = query.join(seats, seats.c.table_id == tables.c.id).where(seats.c.guest == guest)
    return {**row, "tables": await desk.rows(sits.order_by(tables.c.updated.desc()))}


@command("guests.export")
async def export_guest(desk: Desk, guest: str) -> Answer:
    """Everything that is kept about a guest."""
    row = await _guest(desk, guest)
    kept = sa.or_(seats.c.guest == guest, seats.c.reserved_for == guest)
    return {
        "guest": row,
        "seats": await desk.rows(sa.select(seats).where(kept).order_by(seats.c.table_id)),
        "devices": await desk.rows(sa.select(companions).where(companions.c.guest == guest)),
        "notice_wishes": await desk.rows(sa.select(notice_wishes).where(notice_wishes.c.guest == guest)),
        "push_devices": await desk.rows(sa.select(push_devices).where(push_devices.c.guest == guest)),
        "notices": await desk.rows(sa.select(notices).where(notices.c.guest == guest)),
        "chat": await desk.rows(sa.select(chat).where(chat.c.guest == guest).order_by(chat.c.id)),
        "person": await desk.rows(sa.select(people).where(people.c.guest == guest)),
        "ties": await desk.rows(sa.select(ties).where(ties.c.guest == guest).order_by(ties.c.other)),
        "invitations": await desk.rows(
            sa.select(invitations)
            .where((invitations.c.sender == guest) | (invitations.c.receiver == guest))
            .order_by(invitations.c.id)
        ),
        "wishes": await desk.rows(sa.select(wishes).where(wishes.c.guest == guest)),
        "audit": await desk.rows(sa.select(audit).where(audit.c.target == guest).order_by(audit.c.id)),
    }


def _sits(guest: str) -> sa.ColumnElement[bool]:
    return seats.c.guest == guest


async def _tables_of(connection: AsyncConnection, guest: str) -> list[str]:
    """Tables where a guest sits or has written."""
    sits = sa.select(seats.c.table_id).where(_sits(guest))
    wrote = sa.select(chat.c.table_id).where(chat.c.guest == guest)
    linked = sa.select(companions.c.table_id).where(companions.c.guest == guest)
    return [str(each) for each in (await connection.execute(sits.union(wrote, linked))).scalars()]


async def _take_tables(desk: Desk, connection: AsyncConnection, guest: str) -> list[str]:
    """The same, taken from the servers that have them in memory, so that none of them writes the guest down again."""
    taken: set[str] = set()
    while more := set(await _tables_of(connection, guest)) - taken:
        await desk.storage.backend.take(connection, more)
        taken |= more
    return sorted(taken)


async def _renew_links(connection: AsyncConnection, where: sa.ColumnElement[bool]) -> None:
    """A new token for each of these seats: one for all would open seats at other tables."""
    for table, seat in (await connection.execute(sa.select(seats.c.table_id, seats.c.seat).where(where))).all():
        which = (seats.c.table_id == table) & (seats.c.seat == seat)
        await connection.execute(seats.update().where(which).values(token=new_token()))


async def _end_links(connection: AsyncConnection, guest: str) -> None:
    """Nobody plays the seats of a guest with their links any more; the links themselves have been replaced."""
    same = (seats.c.table_id == companions.c.table_id) & (seats.c.seat == companions.c.seat)
    await connection.execute(companions.delete().where(sa.exists().where(same & _sits(guest))))


def _belongs(table: Table, viewer: Viewer, guest: str) -> bool:
    return viewer.guest == guest or (viewer.seat is not None and table.seats[viewer.seat].guest == guest)


@command("guests.rename")
async def rename_guest(desk: Desk, guest: str, name: str) -> Answer:
    """Give a guest another name everywhere, also at tables and in the chat."""
    old = (await _guest(desk, guest))["name"]
    new = clean(name, 24)
    if not new:
        raise NevskyError("admin.name")
    async with desk.storage.writing() as connection:
        changed = await _take_tables(desk, connection, guest)
        await connection.execute(guests.update().where(guests.c.id == guest).values(name=new, named=True))
        await connection.execute(seats.update().where(_sits(guest)).values(name=new))
        await connection.execute(chat.update().where(chat.c.guest == guest).values(name=new))
        await desk.note(connection, "guests.rename", guest, old=old, new=new)
    if desk.hub is not None:
        await desk.hub.reload(changed)
    return {"guest": guest, "was": old, "name": new}


async def _mark(desk: Desk, guest: str, what: str, value: str | None, name: str) -> Answer:
    await _guest(desk, guest)
    async with desk.storage.writing() as connection:
        await connection.execute(guests.update().where(guests.c.id == guest).values({what: value}))
        await desk.note(connection, name, guest)
        await desk.storage.backend.tell(connection, bans=True)
    await desk.bans.load(desk.storage)
    return {"guest": guest, what: value}


@command("guests.mute")
async def mute_guest(desk: Desk, guest: str) -> Answer:
    """Let a guest write no more."""
    return await _mark(desk, guest, "muted", now(), "guests.mute")


@command("guests.unmute")
async def unmute_guest(desk: Desk, guest: str) -> Answer:
    """Let a guest write again."""
    return await _mark(desk, guest, "muted", None, "guests.unmute")


@command("guests.ban")
async def ban_guest(desk: Desk, guest: str) -> Answer:
    """Send a guest away, for as long as they have their cookie."""
    answer = await _mark(desk, guest, "banned", now(), "guests.ban")
    assert isinstance(answer, dict)
    closed = 0
    if desk.hub is not None:
        closed = desk.hub.send_away(lambda table, viewer: _belongs(table, viewer, guest), banned())
    return {**answer, "connections_closed": closed}


@command("guests.unban")
async def unban_guest(desk: Desk, guest: str) -> Answer:
    """Let a guest in again."""
    return await _mark(desk, guest, "banned", None, "guests.unban")


@command("guests.erase")
async def erase_guest(desk: Desk, guest: str) -> Answer:
    """Forget a guest: name, words and links are gone, and the games they played stay, with nobody's name."""
    await _guest(desk, guest)
    nobody = new_guest_id()
    name = text("guest", "en", number=100 + secrets.randbelow(900))
    async with desk.storage.writing() as connection:
        changed = await _take_tables(desk, connection, guest)
        empty = await _free_open_seats(connection, guest)
        await connection.execute(guests.insert().values(id=nobody, name=name, created=now(), last_seen=now()))
        await _renew_links(connection, _sits(guest))
        await connection.execute(
            seats.update().where(_sits(guest)).values(guest=nobody, name=name, away=True, passing=None)
        )
        kept = seats.update().where(seats.c.reserved_for == guest)
        await connection.execute(kept.values(reserved_for=None, reserved_name=None))
        await connection.execute(tables.update().where(tables.c.owner == guest).values(owner=None))
        await _end_links(connection, nobody)
        lines = await connection.execute(chat.delete().where(chat.c.guest == guest))
        await connection.execute(audit.update().where(audit.c.target == guest).values(details={}))
        await connection.execute(guests.delete().where(guests.c.id == guest))
        await desk.note(connection, "guests.erase", guest)
        await desk.storage.backend.tell(connection, bans=True)
    if desk.hub is not None:
        desk.hub.send_away(lambda table, viewer: _belongs(table, viewer, guest), erased())
        await desk.hub.reload(changed)
        desk.hub.send_away(lambda table, viewer: _belongs(table, viewer, nobody), erased())  # who came meanwhile
    for table in empty:
        await take_away(desk, table)
    await desk.bans.load(desk.storage)
    return {"guest": guest, "status": "erased", "now": nobody, "chat_lines_deleted": lines.rowcount}


async def _free_open_seats(connection: AsyncConnection, guest: str) -> list[str]:
    """Free the seats of a guest at tables that have not started; which of these have nobody any more."""
    opened = sa.select(tables.c.id).where(tables.c.status == "open")
    where = _sits(guest) & seats.c.table_id.in_(opened)
    left = (await connection.execute(sa.select(seats.c.table_id).where(where))).scalars().all()
    await _renew_links(connection, where)
    await connection.execute(seats.update().where(where).values(guest=None, name=None))
    people = sa.select(seats.c.table_id).where(seats.c.table_id.in_(left) & seats.c.guest.is_not(None))
    kept = set((await connection.execute(people)).scalars())
    return [table for table in left if table not in kept]


@command("addresses.list")
async def list_addresses(desk: Desk) -> Answer:
    """The addresses that are not let in."""
    return await desk.rows(sa.select(address_bans).order_by(address_bans.c.at))


@command("addresses.ban")
async def ban_address(desk: Desk, network: str, reason: str = "") -> Answer:
    """Let nobody in from an address or a network; an IPv6 address stands for its /64."""
    found = str(network_of(network))
    async with desk.storage.writing() as connection:
        await connection.execute(address_bans.delete().where(address_bans.c.network == found))
        await connection.execute(address_bans.insert().values(network=found, at=now(), reason=clean(reason, 200)))
        await desk.note(connection, "addresses.ban", found, reason=clean(reason, 200))
        await desk.storage.backend.tell(connection, bans=True)
    await desk.bans.load(desk.storage)
    closed = 0
    if desk.hub is not None:
        closed = desk.hub.send_away(lambda _, viewer: desk.bans.bans_address(viewer.address), banned())
    return {"network": found, "connections_closed": closed}


@command("addresses.unban")
async def unban_address(desk: Desk, network: str) -> Answer:
    """Let people in from there again."""
    found = str(network_of(network))
    async with desk.storage.writing() as connection:
        done = await connection.execute(address_bans.delete().where(address_bans.c.network == found))
        if not done.rowcount:
            raise NevskyError("admin.not_banned", network=found)
        await desk.note(connection, "addresses.unban", found)
        await desk.storage.backend.tell(connection, bans=True)
    await desk.bans.load(desk.storage)
    return {"network": found}
