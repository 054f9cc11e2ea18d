"""What is kept about messages: what people wish, their devices, and what they were told."""

from __future__ import annotations

import hashlib
from typing import Any, Final

import sqlalchemy as sa

from nevsky.server.notices.kinds import INVITE, KINDS, START, TURN, Device, Due, Offer, Wishes
from nevsky.server.schema import notice_wishes, notices, push_devices, seats, tables
from nevsky.server.storage import CONFLICTS, Storage, now

__all__ = ["MOST_DEVICES", "NoticeStore"]

MOST_DEVICES: Final = 8
"""Of one guest; a new one takes the place of the oldest."""
_MOST_FAILURES: Final = 5


def _name(endpoint: str) -> str:
    return hashlib.sha256(endpoint.encode()).hexdigest()


class NoticeStore:
    """Asks and writes about messages; everything is small."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def wishes(self, guest: str) -> Wishes | None:
        """What a guest wishes; None if they never said so."""
        names = [name for name in Wishes._fields if name != "kinds"]
        query = sa.select(notice_wishes.c.kinds, *(notice_wishes.c[name] for name in names))
        async with self._storage.reading() as connection:
            row = (await connection.execute(query.where(notice_wishes.c.guest == guest))).one_or_none()
        if row is None:
            return None
        return Wishes(tuple(kind for kind in KINDS if kind in row[0].split()), *row[1:])

    async def wish(self, guest: str, wishes: Wishes) -> None:
        """Remember what a guest wishes."""
        values = {**wishes._asdict(), "kinds": " ".join(wishes.kinds)}
        async with self._storage.writing() as connection:
            changed = await connection.execute(
                notice_wishes.update().where(notice_wishes.c.guest == guest).values(**values)
            )
            if not changed.rowcount:
                await connection.execute(notice_wishes.insert().values(guest=guest, **values))

    async def devices(self, guest: str) -> list[Device]:
        """Where messages to a guest go."""
        columns = [push_devices.c[name] for name in Device._fields]
        query = sa.select(*columns).where(push_devices.c.guest == guest).order_by(push_devices.c.created)
        async with self._storage.reading() as connection:
            return [Device(*row) for row in await connection.execute(query)]

    async def add_device(self, guest: str, device: Device) -> None:
        """A browser wants messages; it belongs to whoever uses it now."""
        name = _name(device.endpoint)
        async with self._storage.writing() as connection:
            await connection.execute(push_devices.delete().where(push_devices.c.id == name))
            own = push_devices.c.guest == guest
            known = sa.select(push_devices.c.id).where(own).order_by(push_devices.c.created.desc(), push_devices.c.id)
            older = (await connection.execute(known.offset(MOST_DEVICES - 1))).scalars().all()
            await connection.execute(push_devices.delete().where(push_devices.c.id.in_(older)))
            row = {"id": name, "guest": guest, "created": now(), "failures": 0, **device._asdict()}
            await connection.execute(push_devices.insert().values(**row))

    async def drop_device(self, endpoint: str) -> bool:
        """A browser wants no messages any more, or is no more; whether it was known."""
        async with self._storage.writing() as connection:
            done = await connection.execute(push_devices.delete().where(push_devices.c.id == _name(endpoint)))
        return bool(done.rowcount)

    async def note_result(self, endpoint: str, worked: bool) -> None:
        """One that fails again and again is given up."""
        own = push_devices.c.id == _name(endpoint)
        failures = 0 if worked else push_devices.c.failures + 1
        async with self._storage.writing() as connection:
            different = own & (push_devices.c.failures > 0) if worked else own
            await connection.execute(push_devices.update().where(different).values(failures=failures))
            if not worked:
                await connection.execute(push_devices.delete().where(own & (push_devices.c.failures >= _MOST_FAILURES)))

    async def stop(self, guest: str) -> None:
        """No more messages at all."""
        async with self._storage.writing() as connection:
            await connection.execute(push_devices.delete().where(push_devices.c.guest == guest))
            none = notice_wishes.update().where(notice_wishes.c.guest == guest)
            await connection.execute(none.values(mail=False))
            await connection.execute(notices.delete().where((notices.c.guest == guest) & notices.c.sent.is_(None)))

    async def mail_address(self, guest: str) -> str | None:
        """Where mail to a guest goes, if they have confirmed an address."""
        found = await self._storage.mail_of(guest)
        return None if found is None else found[0]

    async def reachable(self, guest: str) -> bool:
        """Whether there is any way to tell a guest something."""
        query = sa.select(notice_wishes.c.mail).where(notice_wishes.c.guest == guest)
        device = sa.select(push_devices.c.id).where(push_devices.c.guest == guest).limit(1)
        async with self._storage.reading() as connection:
            return bool(await connection.scalar(query)) or await connection.scalar(device) is not None

    async def record(self, offer: Offer, due: str) -> bool:
        """Write down that somebody is to be told; whether it is news. Only the owner of the table can."""
        values = {"number": offer.number, "seat": offer.seat, "due": due, "sent": None}
        same = _same(offer.lease.table, offer.guest, offer.kind)
        try:
            async with self._storage.writing(offer.lease) as connection:
                newer = await connection.execute(
                    notices.update().where(same & (notices.c.number < offer.number)).values(**values)
                )
                if newer.rowcount:
                    return True
                if await connection.scalar(sa.select(notices.c.number).where(same)) is not None:
                    return False
                key = {"table_id": offer.lease.table, "guest": offer.guest, "kind": offer.kind}
                await connection.execute(notices.insert().values(**key, **values))
        except CONFLICTS:  # the table or the guest is gone, or somebody else was faster
            return False
        return True

    async def due(self, most: int) -> list[tuple[Due, bool]]:
        """What is to be told now about tables that no other process has, and whether it is still true."""
        columns = [notices.c.table_id, notices.c.guest, notices.c.kind, notices.c.number, notices.c.seat]
        same = (seats.c.table_id == notices.c.table_id) & (seats.c.seat == notices.c.seat)
        query = (
            sa.select(*columns, tables.c.status, tables.c.to_move, tables.c.to_move_shown)
            .add_columns(seats.c.guest, seats.c.away, seats.c.reserved_for)
            .join(tables, tables.c.id == notices.c.table_id)
            .outerjoin(seats, same)
            .where(notices.c.sent.is_(None) & (notices.c.due <= now()))
            .where(self._storage.backend.unowned(notices.c.table_id))
            .order_by(notices.c.due, notices.c.table_id, notices.c.guest)
            .limit(most)
        )
        async with self._storage.reading() as connection:
            return [(Due(*row[:5]), _still(row)) for row in await connection.execute(query)]

    async def claim(self, due: Due) -> bool:
        """Take a message, to send it or to let it be; whether nobody else has."""
        same = _same(due.table, due.guest, due.kind) & (notices.c.number == due.number) & notices.c.sent.is_(None)
        async with self._storage.writing() as connection:
            done = await connection.execute(notices.update().where(same).values(sent=now()))
        return done.rowcount == 1

    async def postpone(self, due: Due, until: str) -> None:
        """Not now: whoever it is for is away."""
        same = _same(due.table, due.guest, due.kind) & (notices.c.number == due.number) & notices.c.sent.is_(None)
        async with self._storage.writing() as connection:
            await connection.execute(notices.update().where(same).values(due=until))

    async def players(self, table: str, but: str) -> list[str]:
        """The names of the others at a table."""
        query = sa.select(seats.c.name, seats.c.guest).where(seats.c.table_id == table).order_by(seats.c.seat)
        async with self._storage.reading() as connection:
            return [name for name, guest in await connection.execute(query) if name and guest != but]


def _same(table: str, guest: str, kind: str) -> sa.ColumnElement[bool]:
    return (notices.c.table_id == table) & (notices.c.guest == guest) & (notices.c.kind == kind)


def _still(row: Any) -> bool:
    """Whether what was to be told is still so."""
    _, guest, kind, _, seat, status, to_move, shown, sits, away, kept = row
    if kind == TURN:
        return bool(status == "playing" and seat in (to_move, shown) and sits == guest and not away)
    if kind == START:
        return bool(status == "playing" and sits == guest)
    if kind == INVITE:
        return bool(status == "open" and sits is None and kept == guest)
    return bool(sits == guest)
