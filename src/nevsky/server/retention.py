"""How long things are kept. What is older goes once a day, in small steps, so that no move has to wait for it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
import structlog

from nevsky.server.errors import Refusal
from nevsky.server.ratings.abandoning import abandoned, let_go
from nevsky.server.schema import (
    DUE,
    STOPPED,
    audit,
    chat,
    companions,
    daily_deals,
    daily_tries,
    devices,
    guests,
    invitations,
    profiles,
    seats,
    tables,
    ties,
    tournaments,
    vacations,
)
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, now

__all__ = ["Kept", "Retention", "clear_out"]

_DAY: Final = 24 * 3600.0
_AT_ONCE: Final = 100
"""Rows that one transaction deletes; moves come in between."""
_INVITATIONS: Final = 1.0
"""Days; nobody looks at them again."""
_VACATIONS: Final = 400.0
"""Days: those of a year are counted."""
_DEAD: Final = 60.0
"""Days: one decision and all of its reserve may take 44."""
_RATED: Final = 90.0
"""Days; long after the last reserve and the longest vacation are over."""
_FIRST: Final = 60.0
"""Seconds after the start until the first time."""
log = structlog.get_logger()


class Kept(NamedTuple):
    """How many days things are kept; 0 is for ever."""

    guests: float = 0.0
    """Guests without a profile who sit at no table, since they were last seen."""
    chat: float = 0.0
    """The chat of finished games."""
    games: float = 0.0
    """Finished games."""
    open: float = 0.0
    """Tables that never started."""
    ended: float = 0.0
    """Games that were stopped, by their players or by whoever runs the server."""
    audit: float = 0.0
    """The audit log."""
    devices: float = 0.0
    """Browsers that are signed in to a profile, since they were last here."""
    invitations: float = 0.0
    """Invitations, after they have expired."""
    daily: float = 0.0
    """Deals of days and weeks."""
    tournaments: float = 0.0
    """Tournaments that are over."""
    dead: float = 0.0
    """Tournaments that are not over, and where nothing happens any more."""
    vacations: float = 0.0
    """Vacations, after they have ended."""
    rated: float = 0.0
    """Rated games that nobody goes on with: they stay, but do not count any more."""

    @classmethod
    def of(cls, settings: Settings) -> Kept:
        """As the settings say."""
        return cls(
            guests=settings.keep_guests_days,
            chat=settings.keep_chat_days,
            games=settings.keep_games_days,
            open=settings.keep_open_days,
            ended=settings.keep_ended_days,
            audit=settings.keep_audit_days,
            devices=settings.keep_devices_days,
            invitations=_INVITATIONS,
            daily=settings.keep_daily_days,
            tournaments=settings.keep_tournaments_days,
            dead=_DEAD,
            vacations=_VACATIONS,
            rated=_RATED,
        )


def _old(storage: Storage, kind: str, then: str) -> tuple[sa.Table, sa.Select[Any]]:
    """From which table rows are deleted, and the keys of some of them."""
    if kind == "guests":
        sits = sa.exists().where(seats.c.guest == guests.c.id) | sa.exists().where(companions.c.guest == guests.c.id)
        kept = sa.exists().where(profiles.c.guest == guests.c.id) | sa.exists().where(ties.c.guest == guests.c.id)
        marked = guests.c.banned.is_not(None) | guests.c.muted.is_not(None)
        return guests, sa.select(guests.c.id).where((guests.c.last_seen < then) & ~sits & ~kept & ~marked)
    if kind == "devices":
        return devices, sa.select(devices.c.id).where(devices.c.last_used < then)
    if kind == "chat":
        over = sa.select(tables.c.id).where((tables.c.status == "over") & (tables.c.updated < then))
        return chat, sa.select(chat.c.id).where(chat.c.table_id.in_(over))
    if kind == "audit":
        return audit, sa.select(audit.c.id).where(audit.c.at < then)
    if kind == "invitations":
        return invitations, sa.select(invitations.c.id).where(invitations.c.until < then)
    if kind == "daily":
        return daily_deals, sa.select(daily_deals.c.id).where(daily_deals.c.begins < then)
    if kind in ("tournaments", "dead"):
        goes_on = tournaments.c.status.in_(("open", "playing"))
        which = goes_on if kind == "dead" else ~goes_on
        return tournaments, sa.select(tournaments.c.id).where(which & (tournaments.c.updated < then))
    if kind == "vacations":
        return vacations, sa.select(vacations.c.id).where(vacations.c.until < then)
    if kind == "rated":
        return tables, sa.select(tables.c.id).where(abandoned(then))
    status = {"games": ["over"], "open": ["open"], "ended": list(STOPPED)}[kind]
    old = tables.c.status.in_(status) & (tables.c.updated < then)
    counts = sa.exists().where((daily_tries.c.table_id == tables.c.id) & (daily_tries.c.status == "playing"))
    rated = (tables.c.rating == DUE) & (tables.c.status == "over")
    kept = counts | sa.func.coalesce(rated, sa.false())
    return tables, sa.select(tables.c.id).where(old & ~kept & storage.backend.unowned(tables.c.id))


async def count_old(storage: Storage, kept: Kept) -> dict[str, int]:
    """How much is older than it should be."""
    found = {}
    for kind, days in kept._asdict().items():
        if days:
            _, keys = _old(storage, kind, now(days * _DAY))
            async with storage.reading() as connection:
                found[kind] = await connection.scalar(sa.select(sa.func.count()).select_from(keys.subquery())) or 0
    return found


async def clear_out(
    storage: Storage, kept: Kept, in_memory: Callable[[str], bool], pause: float = 0.05
) -> dict[str, int]:
    """Delete what is older than it should be; tables that are in memory wait for the next time."""
    gone = {}
    for kind, days in kept._asdict().items():
        if days:
            then = now(days * _DAY)
            if kind == "rated":
                gone[kind] = await let_go(storage, then)
            else:
                gone[kind] = await _clear(storage, kind, then, in_memory, pause)
    return gone


async def _clear(storage: Storage, kind: str, then: str, in_memory: Callable[[str], bool], pause: float) -> int:
    table, keys = _old(storage, kind, then)
    after: Any = None
    number = 0
    while True:
        query = keys.order_by(table.c.id).limit(_AT_ONCE)
        async with storage.writing() as connection:
            found = (
                (await connection.execute(query if after is None else query.where(table.c.id > after))).scalars().all()
            )
            old = [key for key in found if not (table is tables and in_memory(key))]
            if table is tables:
                await storage.backend.take(connection, old)
                await connection.execute(tables.update().where(tables.c.rematch.in_(old)).values(rematch=None))
            done = await connection.execute(table.delete().where(table.c.id.in_(old)))
        number += done.rowcount
        if len(found) < _AT_ONCE:
            return number
        after = found[-1]
        await asyncio.sleep(pause)


class Retention:
    """Does it once a day while the server runs."""

    def __init__(self, settings: Settings, storage: Storage, in_memory: Callable[[str], bool]) -> None:
        self._kept = Kept.of(settings)
        self._storage = storage
        self._in_memory = in_memory
        self._task = asyncio.create_task(self._run())

    async def _run(self) -> None:
        await asyncio.sleep(_FIRST)
        while True:
            try:
                log.info("cleared_out", **await clear_out(self._storage, self._kept, self._in_memory))
            except (Refusal, sa.exc.IntegrityError):  # the latter if somebody sat down at the same moment
                log.warning("not_cleared_out")
            await asyncio.sleep(_DAY)

    async def close(self) -> None:
        """Stop."""
        self._task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._task
