"""Everybody whom a guest may want to play with, as they are shown."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from typing import Final

import sqlalchemy as sa

from nevsky.server.actor import Table
from nevsky.server.errors import Refusal
from nevsky.server.lobby.presence import Presence
from nevsky.server.people.ties import Ties
from nevsky.server.protocol import People, PeopleSettings, PersonInfo
from nevsky.server.schema import ChatRow, chat
from nevsky.server.storage import Storage
from nevsky.texts.former import is_former

__all__ = ["people_of", "speaker_at", "speakers_of"]

_MOST_HERE: Final = 60
_MOST_RECENT: Final = 40


async def people_of(guest: str, ties: Ties, presence: Presence) -> People:
    """All lists of a guest."""
    bonds, recent, online = await ties.of(guest), await ties.recent(guest), presence.online()
    met = [each for each in recent if each not in bonds][:_MOST_RECENT]
    others = [each for each in online if each not in bonds and each not in met and each != guest]
    strangers = secrets.SystemRandom().sample(others, min(len(others), 2 * _MOST_HERE))
    every = {*bonds, *met, *strangers}
    known = await ties.known([*every, guest])
    own = known[guest][1] if guest in known else await ties.allowed(guest)
    barred = await ties.blocking(guest, every)
    followed = await ties.follows(every, guest)
    pages = await ties.pages(every)

    def shown(some: Collection[str]) -> list[PersonInfo]:
        found = []
        for each in some:
            if each in known and not is_former(known[each][0]):
                name, allowed = known[each]
                there = allowed.shown and each in online and each not in barred
                welcome = allowed.invitations == "all" and (there or each in recent)
                welcome = welcome or (allowed.invitations != "nobody" and each in followed)
                invitable = welcome and each not in barred and bonds.get(each) != "block"
                found.append(
                    PersonInfo(
                        person=allowed.handle,
                        name=name,
                        online=there,
                        tie=bonds.get(each),
                        invitable=invitable,
                        page=each in pages,
                    )
                )
        return found

    friends = shown([each for each, kind in bonds.items() if kind == "follow"])
    here = sorted(filter(lambda each: each.online, shown(strangers)), key=lambda each: each.name.casefold())
    return People(
        own=PeopleSettings(invitations=own.invitations, shown=own.shown),
        friends=sorted(friends, key=lambda each: (not each.online, each.name.casefold())),
        recent=shown(met),
        here=here[:_MOST_HERE],
        blocked=sorted(
            shown([each for each, kind in bonds.items() if kind == "block"]), key=lambda each: each.name.casefold()
        ),
    )


async def speaker_at(table: Table, storage: Storage, speaker: str) -> str:
    """The guest who has this mark in the chat of a table."""
    query = sa.select(chat.c.guest).where((chat.c.table_id == table.row.id) & chat.c.guest.is_not(None)).distinct()
    async with storage.reading() as connection:
        wrote = (await connection.execute(query)).scalars().all()
    for guest in {*map(str, wrote), *(place.guest or "" for place in table.seats)}:
        if guest and secrets.compare_digest(_mark(table, guest), speaker):
            return guest
    raise Refusal("not_found", "person")


def speakers_of(table: Table, guests: Collection[str]) -> list[str]:
    """The marks of guests in the chat of a table."""
    return [_mark(table, guest) for guest in guests]


def _mark(table: Table, guest: str) -> str:
    return table.services.speakers.of(table.row.id, ChatRow(None, "", "", "", guest))
