"""Browsers that are signed in to a profile."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.errors import Refusal
from nevsky.server.hub import Hub
from nevsky.server.ids import new_guest_id
from nevsky.server.schema import devices
from nevsky.server.storage import Storage, now

__all__ = ["add_device", "browser", "send_out", "sign_out"]

_MOST: Final = 30
"""Of one profile; one more takes the place of the one that was here longest ago."""
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR", "Opera"),
    ("Firefox|FxiOS", "Firefox"),
    ("Chrome|CriOS", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS: Final = (
    ("iPhone|iPad", "iOS"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def browser(agent: str) -> str:
    """A browser in two words, by which its owner knows it again; no more than that is kept.

    >>> browser("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox, Linux'
    >>> browser("curl/8")
    ''
    """
    found = [
        next((name for sign, name in kinds if re.search(sign, agent[:500])), None) for kinds in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(name for name in found if name)


async def add_device(connection: AsyncConnection, guest: str, agent: str) -> str:
    """A browser is signed in."""
    device = new_guest_id()
    mine = sa.select(devices.c.id).where(devices.c.guest == guest).order_by(devices.c.last_used.desc(), devices.c.id)
    late = (await connection.execute(mine.offset(_MOST - 1))).scalars().all()
    await connection.execute(devices.delete().where(devices.c.id.in_(late)))
    values = {"id": device, "guest": guest, "name": browser(agent), "created": now(), "last_used": now()}
    await connection.execute(devices.insert().values(values))
    return device


async def sign_out(storage: Storage, hub: Hub, guest: str, which: sa.ColumnElement[bool] | None = None) -> int:
    """Devices of a profile, or all of them, are worth nothing any more, at every process; how many there were."""
    mine = devices.c.guest == guest if which is None else (devices.c.guest == guest) & which
    async with storage.writing() as connection:
        gone = [str(each) for each in (await connection.execute(sa.select(devices.c.id).where(mine))).scalars()]
        await connection.execute(devices.delete().where(devices.c.id.in_(gone)))
        if gone:
            await storage.backend.tell(connection, signed_out=gone)
    send_out(hub, gone)
    return len(gone)


def send_out(hub: Hub, gone: Collection[str]) -> None:
    """Whoever looks at a table with one of these devices does so no more."""
    hub.send_away(
        lambda _, viewer: viewer.device is not None and viewer.device in gone, Refusal("not_allowed", "signed_out")
    )


async def devices_of(storage: Storage, guest: str) -> list[dict[str, Any]]:
    """The devices of a profile, those that were here last first."""
    query = sa.select(devices).where(devices.c.guest == guest).order_by(devices.c.last_used.desc(), devices.c.id)
    async with storage.reading() as connection:
        return [dict(row._mapping) for row in await connection.execute(query)]
