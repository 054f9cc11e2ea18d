"""Inviting people to a table, by who they are and not by a link.

An invitation waits for half an hour. Whoever declines is not asked again by the same person until then, and whoever
blocks, or is blocked, is never asked.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from nevsky.rules.ruleset import Ruleset
from nevsky.server.errors import Refusal
from nevsky.server.ids import is_id, new_table_id
from nevsky.server.metrics import INVITATIONS
from nevsky.server.people.ties import blocks, played_together
from nevsky.server.present import ruleset_info
from nevsky.server.protocol import InvitationInfo
from nevsky.server.schema import guests, invitations, people, tables, ties
from nevsky.server.storage import Storage, now

__all__ = ["Invited", "Inviting"]

_SECONDS: Final = 1800.0
_MOST_SENT: Final = 10
"""Invitations of one guest that wait."""
_MOST_RECEIVED: Final = 10
"""That wait for one guest; those of people whom they follow come beyond that."""


class Invited(NamedTuple):
    """Somebody was invited: for those who tell them elsewhere, too."""

    invitation: str
    table: str
    sender: str
    sender_name: str
    receiver: str


class Inviting:
    """In the database."""

    def __init__(self, storage: Storage, online: Callable[[str], bool], changed: Callable[[str], object]) -> None:
        self._storage = storage
        self._online = online
        self._changed = changed
        """Called with a guest for whom something is different now."""
        self.on_invited: list[Callable[[Invited], object]] = []
        """Called after somebody was invited."""

    async def invite(self, sender: str, name: str, table: str, receiver: str) -> None:
        """Ask somebody to come to a table."""
        if sender == receiver:
            raise Refusal("refused", "yourself")
        new, since = new_table_id(), now()
        pair = (invitations.c.sender == sender) & (invitations.c.receiver == receiver)
        async with self._storage.writing() as connection:
            await self._storage.backend.alone(connection, f"nevsky invitations {receiver}")
            old = invitations.c.until < since
            mine = (invitations.c.sender == sender) | (invitations.c.receiver == receiver)
            await connection.execute(invitations.delete().where(old & mine))
            columns = people.c.invitations, people.c.shown
            allows = (await connection.execute(sa.select(*columns).where(people.c.guest == receiver))).one_or_none()
            followed = (ties.c.guest == receiver) & (ties.c.other == sender) & (ties.c.kind == "follow")
            friend = await connection.scalar(sa.select(ties.c.guest).where(followed)) is not None
            barred = await connection.scalar(sa.select(ties.c.guest).where(blocks(sender, receiver))) is not None
            if allows is None or barred or allows.invitations == "nobody":
                raise Refusal("refused", "not_welcome")
            if not friend:
                met = await played_together(connection, sender, receiver)
                if allows.invitations == "friends" or not (met or (allows.shown and self._online(receiver))):
                    raise Refusal("refused", "not_welcome")
            before = sa.select(invitations.c.table_id, invitations.c.declined).where(pair)
            rows = (await connection.execute(before)).all()
            if any(row.declined for row in rows):
                raise Refusal("refused", "not_welcome")
            if any(row.table_id == table for row in rows):
                return
            waits = sa.select(sa.func.count()).select_from(invitations).where(~invitations.c.declined)
            if (await connection.scalar(waits.where(invitations.c.sender == sender)) or 0) >= _MOST_SENT:
                raise Refusal("refused", "invitations_sent", number=_MOST_SENT)
            if not friend:
                received = waits.where(invitations.c.receiver == receiver)
                if (await connection.scalar(received) or 0) >= _MOST_RECEIVED:
                    raise Refusal("refused", "not_welcome")
            await connection.execute(invitations.delete().where(pair))  # the newest is enough
            await connection.execute(
                invitations.insert().values(
                    id=new,
                    table_id=table,
                    sender=sender,
                    receiver=receiver,
                    at=since,
                    until=now(-_SECONDS),
                    declined=False,
                )
            )
        INVITATIONS.inc()
        self._changed(receiver)
        for hear in self.on_invited:
            hear(Invited(new, table, sender, name, receiver))

    async def waiting_for(self, guest: str) -> list[InvitationInfo]:
        """Where a guest is invited; tables that have started or filled up are left out."""
        columns = invitations.c.id, invitations.c.table_id, invitations.c.until, guests.c.name, people.c.handle
        query = _waiting(sa.select(*columns, tables.c.ruleset), guest)
        async with self._storage.reading() as connection:
            rows = (await connection.execute(query.order_by(invitations.c.at.desc(), invitations.c.id))).all()
        return [
            InvitationInfo(
                invitation=row.id,
                person=row.handle,
                name=row.name,
                table=row.table_id,
                ruleset=ruleset_info(Ruleset.from_dict(row.ruleset)),
                seconds=max(0, round((datetime.fromisoformat(row.until) - datetime.now(UTC)).total_seconds())),
            )
            for row in rows
        ]

    async def number(self, guest: str) -> int:
        """How many invitations wait for a guest."""
        async with self._storage.reading() as connection:
            return await connection.scalar(_waiting(sa.select(sa.func.count(invitations.c.id)), guest)) or 0

    async def accept(self, guest: str, invitation: str) -> str:
        """The table, and the invitation is gone."""
        async with self._storage.writing() as connection:
            where = self._own(guest, invitation)
            table = await connection.scalar(sa.select(invitations.c.table_id).where(where))
            if not isinstance(table, str):
                raise Refusal("not_found", "invitation")
            await connection.execute(invitations.delete().where(where))
        self._changed(guest)
        return table

    async def decline(self, guest: str, invitation: str) -> None:
        """The same person does not ask again before it expires."""
        async with self._storage.writing() as connection:
            done = await connection.execute(
                invitations.update().where(self._own(guest, invitation)).values(declined=True)
            )
            if not done.rowcount:
                raise Refusal("not_found", "invitation")
        self._changed(guest)

    def _own(self, guest: str, invitation: str) -> sa.ColumnElement[bool]:
        if not is_id(invitation):
            raise Refusal("not_found", "invitation")
        mine = (invitations.c.id == invitation) & (invitations.c.receiver == guest)
        return mine & ~invitations.c.declined & (invitations.c.until >= now())


def _waiting(query: sa.Select[Any], guest: str) -> sa.Select[Any]:
    """Those of a guest to tables that wait for players, from people whom they let in."""
    barred = (ties.c.guest == guest) & (ties.c.other == guests.c.id) & (ties.c.kind == "block")
    return (
        query.select_from(invitations)
        .join(tables, tables.c.id == invitations.c.table_id)
        .join(guests, guests.c.id == invitations.c.sender)
        .join(people, people.c.guest == invitations.c.sender)
        .where((invitations.c.receiver == guest) & ~invitations.c.declined & (invitations.c.until >= now()))
        .where((tables.c.status == "open") & guests.c.banned.is_(None))
        .where(~sa.exists().where(barred))
    )
