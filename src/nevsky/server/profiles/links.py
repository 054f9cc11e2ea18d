"""Links by mail: good once and for a short time. Only the hash of a token is stored, and a page asks before it is used.

A link signs in to the profile that has the address. If none has, it gives the address to whoever asked for it; so
what is answered and what is sent is the same for addresses that we know and those that we do not.
"""

from __future__ import annotations

import hashlib
from typing import Final, NamedTuple

import sqlalchemy as sa

from nevsky.server.errors import Refusal
from nevsky.server.ids import new_token
from nevsky.server.mail.sender import Mail, Mailer
from nevsky.server.protocol import Language
from nevsky.server.rates import Rate
from nevsky.server.schema import guests, mail_addresses, mail_links
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now
from nevsky.texts import text

__all__ = ["MINUTES", "MOST", "Link", "find_link", "send_link", "use_link"]

MINUTES: Final = 20
MOST: Final = 3
"""Addresses of one profile."""
_DAY: Final = 24 * 3600.0


class Link(NamedTuple):
    """What a link leads to."""

    address: str
    asked: str | None
    """The guest who asked for it."""
    profile: str | None
    """Whose address it is; None if nobody's yet."""
    name: str | None
    """Of the profile, or of whoever asked."""


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


async def send_link(
    storage: Storage, mailer: Mailer, settings: Settings, address: str, guest: str | None, language: Language
) -> None:
    """Send one to an address, unless it got enough of late."""
    rate = Rate.read("mail_rate", settings.mail_rate)
    token = new_token()
    async with storage.writing() as connection:
        await connection.execute(mail_links.delete().where(mail_links.c.created < now(max(_DAY, rate.seconds))))
        late = (mail_links.c.address == address) & (mail_links.c.created >= now(rate.seconds))
        number = await connection.scalar(sa.select(sa.func.count()).select_from(mail_links).where(late)) or 0
        if number >= rate.amount:
            raise Refusal("too_fast", "mail_often")
        values = {"id": _hash(token), "address": address, "guest": guest, "created": now()}
        await connection.execute(mail_links.insert().values(values))
    words = text("mail.link.text", language, link=mailer.link(f"/sign-in#{token}"), minutes=MINUTES)
    mailer.post(Mail(address, text("mail.link.subject", language), words.replace("\\n", "\n")))


async def find_link(storage: Storage, token: str) -> Link:
    """What a link would do; nothing is used up."""
    good = (mail_links.c.id == _hash(token)) & ~mail_links.c.used & (mail_links.c.created >= now(MINUTES * 60))
    whose = mail_addresses.alias()
    query = (
        sa.select(mail_links.c.address, mail_links.c.guest, whose.c.guest, guests.c.name)
        .outerjoin(whose, whose.c.address == mail_links.c.address)
        .outerjoin(guests, guests.c.id == sa.func.coalesce(whose.c.guest, mail_links.c.guest))
        .where(good)
    )
    async with storage.reading() as connection:
        row = (await connection.execute(query)).one_or_none()
    if row is None:
        raise Refusal("not_found", "sign_in_link")
    return Link(*row)


async def use_link(storage: Storage, token: str) -> Link:
    """Use it up, and say what it is good for."""
    found = await find_link(storage, token)
    async with storage.writing() as connection:
        unused = mail_links.update().where((mail_links.c.id == _hash(token)) & ~mail_links.c.used)
        if (await connection.execute(unused.values(used=True))).rowcount != 1:
            raise Refusal("not_found", "sign_in_link")
    return found
