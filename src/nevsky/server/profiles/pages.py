"""Whose page an address leads to, and who may see it."""

from __future__ import annotations

from typing import NamedTuple

import sqlalchemy as sa

from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.schema import guests, profiles
from nevsky.server.seating import Guest

__all__ = ["PlayerPage", "page_of"]


class PlayerPage(NamedTuple):
    """Of a profile."""

    guest: str
    handle: str
    name: str
    since: str
    own: bool


async def page_of(components: Components, player: str, found: Guest | None) -> PlayerPage:
    """For everybody unless its owner does not want that.

    Others know it by its handle. Its owner may have an older address, with the id that only they have.
    """
    older = found is not None and found.id == player
    guest = player if older else await _called(components, player)
    own = found is not None and found.id == guest
    query = (
        sa.select(guests.c.name, profiles.c.created, profiles.c.public)
        .join(profiles, profiles.c.guest == guests.c.id)
        .where(guests.c.id == guest)
    )
    async with components.storage.reading() as connection:
        row = (await connection.execute(query)).first()
    if row is None or not (own or row.public):
        raise Refusal("not_found", "player")
    handle = (await components.ties.allowed(guest)).handle if older else player
    return PlayerPage(guest, handle, row.name, row.created, own)


async def _called(components: Components, handle: str) -> str:
    try:
        return await components.ties.guest_of(handle)
    except Refusal as refusal:
        raise Refusal("not_found", "player") from refusal
