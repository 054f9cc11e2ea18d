"""Becoming a profile, and signing in to one."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.requests import Request
from starlette.responses import Response

from nevsky.server.bans import banned
from nevsky.server.components import Components
from nevsky.server.errors import Refusal, moved
from nevsky.server.profiles.devices import add_device
from nevsky.server.profiles.erasing import let_reload
from nevsky.server.profiles.merging import merge
from nevsky.server.protocol import SignedIn, TableCreated
from nevsky.server.schema import guests, profiles, seats
from nevsky.server.seating import Guest
from nevsky.server.storage import now

__all__ = ["become", "check_switched_on", "enter"]

_NONE: Final = SignedIn(twice=[])


def check_switched_on(components: Components) -> None:
    """Whoever runs the server may not want profiles."""
    if not components.settings.profiles:
        raise Refusal("not_found", "address")


async def become(
    components: Components, connection: AsyncConnection, request: Request, response: Response, guest: str
) -> None:
    """Within a transaction that gives a guest a way to sign in: now they have a profile, if they had none."""
    found = await connection.execute(sa.select(profiles.c.guest).where(profiles.c.guest == guest))
    if found.first() is None:
        await connection.execute(profiles.insert().values(guest=guest, created=now()))
    if components.sessions.signed(request) != guest or components.sessions.device(request) is None:
        device = await add_device(connection, guest, request.headers.get("user-agent", ""))
        components.sessions.sign_in(response, guest, device)


async def enter(
    components: Components, request: Request, response: Response, before: Guest | None, profile: str
) -> SignedIn:
    """This device is signed in to a profile from now on, and what its guest had comes along."""
    if components.bans.bans_guest(profile):
        raise banned()
    storage = components.storage
    if before is not None and before.id == profile and components.sessions.device(request) is not None:
        return _NONE
    changed: list[str] = []
    twice: list[TableCreated] = []
    async with storage.writing() as connection:
        if (await connection.execute(sa.select(guests.c.id).where(guests.c.id == profile))).first() is None:
            raise Refusal("not_allowed", "sign_in")
        plain = before is not None and before.id != profile and not await _is_profile(connection, before.id)
        if plain:
            assert before is not None
            changed = await merge(storage, connection, before.id, profile)
            left = sa.select(seats.c.table_id, seats.c.seat, seats.c.token).where(seats.c.guest == before.id)
            twice = [
                TableCreated(table=table, seat=seat, seat_token=token)
                for table, seat, token in await connection.execute(left)
            ]
        device = await add_device(connection, profile, request.headers.get("user-agent", ""))
    if plain:
        assert before is not None
        old = before.id
        components.vacations.put(old, None)
        await let_reload(components.hub, changed)
        components.hub.send_away(lambda _, viewer: viewer.guest == old, moved())
        for visitor in components.lobby.of(old):  # they come back as who they are now
            visitor.dismiss(moved())
        for what in ("queue", f"guest {old}", f"guest {profile}"):
            components.lobby.changed(what)
    components.sessions.sign_in(response, profile, device)
    return SignedIn(twice=twice)


async def _is_profile(connection: AsyncConnection, guest: str) -> bool:
    found = await connection.execute(sa.select(profiles.c.guest).where(profiles.c.guest == guest))
    return found.first() is not None
