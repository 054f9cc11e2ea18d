"""Commands about guests and addresses."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.errors import NevskyError
from nevsky.server.admin.desk import Answer, Desk, command
from nevsky.server.bans import banned, network_of
from nevsky.server.profiles.erasing import belongs, erase
from nevsky.server.profiles.holdings import everything_about, take_tables
from nevsky.server.sanitize import clean
from nevsky.server.schema import (
    address_bans,
    chat,
    devices,
    guests,
    mail_addresses,
    passkeys,
    profiles,
    ratings,
    seats,
    tables,
)
from nevsky.server.storage import now


@command("guests.list")
async def list_guests(desk: Desk, name: str | None = None, limit: int = 50) -> Answer:
    """Guests, those who were here last first."""
    games = sa.select(sa.func.count()).where(seats.c.guest == guests.c.id).scalar_subquery()
    profile = sa.exists().where(profiles.c.guest == guests.c.id)
    query = (
        sa.select(guests, games.label("games"), profile.label("profile"))
        .order_by(guests.c.last_seen.desc(), guests.c.id)
        .limit(limit)
    )
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
    profile = await desk.rows(sa.select(profiles.c.created, profiles.c.public).where(profiles.c.guest == guest))
    query = sa.select(tables.c.id, tables.c.status, tables.c.updated, seats.c.seat, seats.c.name)
    sits = query.join(seats, seats.c.table_id == tables.c.id).where(seats.c.guest == guest)
    ways = {
        "passkeys": await desk.rows(
            sa.select(passkeys.c.name, passkeys.c.created, passkeys.c.last_used).where(passkeys.c.guest == guest)
        ),
        "mail": await desk.rows(
            sa.select(mail_addresses.c.address, mail_addresses.c.confirmed).where(mail_addresses.c.guest == guest)
        ),
        "devices": await desk.rows(
            sa.select(devices.c.name, devices.c.created, devices.c.last_used).where(devices.c.guest == guest)
        ),
        "ratings": await desk.rows(
            sa.select(*[ratings.c[name] for name in ("family", "players", "mu", "sigma", "games", "updated")]).where(
                ratings.c.guest == guest
            )
        ),
    }
    return {
        **row,
        "profile": {**profile[0], **ways} if profile else None,
        "tables": await desk.rows(sits.order_by(tables.c.updated.desc())),
    }


@command("guests.export")
async def export_guest(desk: Desk, guest: str) -> Answer:
    """Everything that is kept about a guest."""
    await _guest(desk, guest)
    everything = await everything_about(desk.storage, guest)
    async with desk.storage.writing() as connection:
        await desk.note(connection, "guests.export", guest)
    return everything


@command("guests.rename")
async def rename_guest(desk: Desk, guest: str, name: str) -> Answer:
    """Give a guest another name everywhere, also at tables and in the chat."""
    old = (await _guest(desk, guest))["name"]
    new = clean(name, 24)
    if not new:
        raise NevskyError("admin.name")
    async with desk.storage.writing() as connection:
        changed = await take_tables(desk.storage, connection, guest)
        await connection.execute(guests.update().where(guests.c.id == guest).values(name=new, named=True))
        await connection.execute(seats.update().where(seats.c.guest == guest).values(name=new))
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
        closed = desk.hub.send_away(lambda table, viewer: belongs(table, viewer, guest), banned())
    return {**answer, "connections_closed": closed}


@command("guests.unban")
async def unban_guest(desk: Desk, guest: str) -> Answer:
    """Let a guest in again."""
    return await _mark(desk, guest, "banned", None, "guests.unban")


@command("guests.erase")
async def erase_guest(desk: Desk, guest: str) -> Answer:
    """Forget a guest: name, words, links and profile are gone, and the games they played stay, with nobody's name."""
    await _guest(desk, guest)

    async def note(connection: AsyncConnection) -> None:
        await desk.note(connection, "guests.erase", guest)

    gone = await erase(desk.storage, desk.hub, guest, note)
    await desk.bans.load(desk.storage)
    return {"guest": guest, "status": "erased", "now": gone.now, "chat_lines_deleted": gone.chat_lines}


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
