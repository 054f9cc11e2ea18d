"""How long things are kept. What is older goes once a day, in small steps, so that no move has to wait for it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.server.errors import Refusal
from nevsky.server.forsaken import left_unfinished, plays_for_nobody
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
_FORSAKEN: Final = {"unattended": plays_for_nobody, "unfinished": left_unfinished}
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
    unattended: float = 0.0
    """Games of bots among themselves that nobody watches to their end."""
    unfinished: float = 0.0
    """Games that nobody has gone on with, also those of people."""
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
            unattended=settings.keep_unattended_days,
            unfinished=settings.keep_unfinished_days,
            audit=settings.keep_audit_days,
            devices=settings.keep_devices_days,
            invitations=_INVITATIONS,
            daily=settings.keep_daily_days,
            tournaments=settings.keep_tournaments_days,
            dead=_DEAD,
            vacations=_VACATIONS,
            rated=_RATED,
        )


def _old(storage: Storage, kind: str, then: str) -> tuple[sa.Table, sa.ColumnElement[bool]]:
    """From which table rows are deleted, and which."""
    if kind == "guests":
        sits = sa.exists().where(seats.c.guest == guests.c.id) | sa.exists().where(companions.c.guest == guests.c.id)
        kept = sa.exists().where(profiles.c.guest == guests.c.id) | sa.exists().where(ties.c.guest == guests.c.id)
        marked = guests.c.banned.is_not(None) | guests.c.muted.is_not(None)
        return guests, (guests.c.last_seen < then) & ~sits & ~kept & ~marked
    if kind == "devices":
        return devices, devices.c.last_used < then
    if kind == "chat":
        over = sa.select(tables.c.id).where((tables.c.status == "over") & (tables.c.updated < then))
        return chat, chat.c.table_id.in_(over)
    if kind == "audit":
        return audit, audit.c.at < then
    if kind == "invitations":
        return invitations, invitations.c.until < then
    if kind == "daily":
        return daily_deals, daily_deals.c.begins < then
    if kind in ("tournaments", "dead"):
        goes_on = tournaments.c.status.in_(("open", "playing"))
        which = goes_on if kind == "dead" else ~goes_on
        return tournaments, which & (tournaments.c.updated < then)
    if kind == "vacations":
        return vacations, vacations.c.until < then
    if kind == "rated":
        return tables, abandoned(then)
    unowned = storage.backend.unowned(tables.c.id)
    if kind in _FORSAKEN:
        return tables, _FORSAKEN[kind](then) & unowned
    status = {"games": ["over"], "open": ["open"], "ended": list(STOPPED)}[kind]
    old = tables.c.status.in_(status) & (tables.c.updated < then)
    counts = sa.exists().where((daily_tries.c.table_id == tables.c.id) & (daily_tries.c.status == "playing"))
    rated = (tables.c.rating == DUE) & (tables.c.status == "over")
    kept = counts | sa.func.coalesce(rated, sa.false())
    return tables, old & ~kept & unowned


async def count_old(storage: Storage, kept: Kept) -> dict[str, int]:
    """How much is older than it should be."""
    found = {}
    for kind, days in kept._asdict().items():
        if days:
            table, old = _old(storage, kind, now(days * _DAY))
            async with storage.reading() as connection:
                found[kind] = await connection.scalar(sa.select(sa.func.count()).select_from(table).where(old)) or 0
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
    table, old = _old(storage, kind, then)
    after: Any = None
    number = 0
    while True:
        query = sa.select(table.c.id).where(old).order_by(table.c.id).limit(_AT_ONCE)
        async with storage.writing() as connection:
            found = (
                (await connection.execute(query if after is None else query.where(table.c.id > after))).scalars().all()
            )
            keys = list(found)
            if table is tables:
                keys = await _taken(storage, connection, old, [key for key in keys if not in_memory(key)])
                await connection.execute(tables.update().where(tables.c.rematch.in_(keys)).values(rematch=None))
            done = await connection.execute(table.delete().where(table.c.id.in_(keys)))
        number += done.rowcount
        if len(found) < _AT_ONCE:
            return number
        after = found[-1]
        await asyncio.sleep(pause)


async def _taken(
    storage: Storage, connection: AsyncConnection, old: sa.ColumnElement[bool], keys: list[str]
) -> list[str]:
    """Which of these tables are still old, now that nobody can write to them: another server may have been faster."""
    await storage.backend.take(connection, keys)
    listed = tables.c.id.in_(keys)
    await connection.execute(sa.select(tables.c.id).where(listed).with_for_update())
    return list((await connection.execute(sa.select(tables.c.id).where(listed & old))).scalars())


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
