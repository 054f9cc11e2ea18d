"""Those who wait to be matched, at all processes. They are in the database, and whoever comes is matched at once.

A wish belongs to a connection and to the process that has it. All matching is done one after the other, in the
transaction that adds a wish, so nobody can be at two tables.
"""

from __future__ import annotations

import hmac
import random
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.rules.ruleset import Ruleset
from nevsky.server.clock import Times
from nevsky.server.errors import Refusal
from nevsky.server.ids import new_token
from nevsky.server.lobby.matching import GAMES, Group, Waiting, find
from nevsky.server.metrics import MATCHED
from nevsky.server.protocol import Wish
from nevsky.server.sanitize import distinct_name
from nevsky.server.schema import SeatRow, guests, ties, wishes
from nevsky.server.seating import bot_on, table_row
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage, insert_table, moment

__all__ = ["Matched", "Place", "Queue", "playable"]

_MOST: Final = 1000
"""Of those who wait are looked at, the oldest ones."""
_UNTOLD: Final = 120.0
"""Seconds in which somebody who was matched and has gone at the same moment may come back to hear of their table."""
_LIVE: Final = "live"


class Matched(NamedTuple):
    """A table that was made, and for whom."""

    table: str
    guests: tuple[str, ...]


class Place(NamedTuple):
    """How it stands with somebody who waits."""

    ticket: str
    table: str | None
    """Where they play now."""


class Queue:
    """Who waits."""

    def __init__(self, storage: Storage, settings: Settings, secret: str) -> None:
        self._storage = storage
        self._settings = settings
        self._key = hmac.digest(secret.encode(), b"nevsky-waiting", "sha256")

    async def clear(self) -> None:
        """At the start: nobody waits through connections of a process that is no more."""
        alone = not self._storage.backend.process
        async with self._storage.writing() as connection:
            await connection.execute(wishes.delete() if alone else wishes.delete().where(~self._alive()))

    async def enter(self, guest: str, ticket: str, wish: Wish, address: str) -> Matched | None:
        """Wait from now on, or go on waiting with another wish; the table, if it is made at once."""
        origin = hmac.digest(self._key, address.encode(), "sha256").hex()[:24]
        values = {
            "process": self._storage.backend.process,
            "ticket": ticket,
            "origin": origin,
            "wanted": wish.model_dump(exclude={"type", "number"}),
        }
        mine = wishes.c.guest == guest
        try:
            async with self._storage.writing() as connection:
                await self._begin(connection)
                if await connection.scalar(sa.select(wishes.c.guest).where(mine)) is None:
                    same = wishes.c.origin == origin
                    number = await connection.scalar(sa.select(sa.func.count()).select_from(wishes).where(same))
                    if (number or 0) >= self._settings.waiting_per_address:
                        raise Refusal("refused", "waiting_of_address")
                    await connection.execute(wishes.insert().values(guest=guest, since=moment(), **values))
                else:
                    open_yet = mine & wishes.c.table_id.is_(None)
                    await connection.execute(wishes.update().where(open_yet).values(**values))
                return await self._match(connection)
        except sa.exc.IntegrityError as error:  # whoever has just been erased
            raise Refusal("not_allowed", "erased") from error

    async def try_again(self) -> Matched | None:
        """Somebody has waited long enough for bots."""
        async with self._storage.writing() as connection:
            await self._begin(connection)
            return await self._match(connection)

    async def leave(self, guest: str, ticket: str) -> None:
        """Wait no longer. A wish that was renewed through another connection stays, and so does a table: it is told."""
        mine = (wishes.c.guest == guest) & (wishes.c.ticket == ticket)
        async with self._storage.writing() as connection:
            await connection.execute(wishes.delete().where(mine & wishes.c.table_id.is_(None)))

    async def told(self, guest: str) -> None:
        """Somebody knows of their table, and may wish again."""
        async with self._storage.writing() as connection:
            await connection.execute(wishes.delete().where((wishes.c.guest == guest) & wishes.c.table_id.is_not(None)))

    async def place_of(self, guest: str) -> Place | None:
        """Whether somebody waits, or where they play."""
        query = sa.select(wishes.c.ticket, wishes.c.table_id).where(wishes.c.guest == guest)
        async with self._storage.reading() as connection:
            row = (await connection.execute(query.where(self._alive()))).one_or_none()
        return None if row is None else Place(row.ticket, row.table_id)

    async def count(self) -> int:
        """How many wait."""
        query = sa.select(sa.func.count()).select_from(wishes).where(wishes.c.table_id.is_(None) & self._alive())
        async with self._storage.reading() as connection:
            return await connection.scalar(query) or 0

    def _alive(self) -> sa.ColumnElement[bool]:
        return self._storage.backend.runs(wishes.c.process)

    async def _begin(self, connection: AsyncConnection) -> None:
        """From here on to the end of the transaction nobody else matches anybody."""
        await self._storage.backend.alone(connection, "nevsky matching")
        late = wishes.c.table_id.is_not(None) & (wishes.c.since < moment(_UNTOLD))
        await connection.execute(wishes.delete().where(late))
        await connection.execute(wishes.delete().where(~self._alive()))

    async def _match(self, connection: AsyncConnection) -> Matched | None:
        query = sa.select(wishes.c.guest, wishes.c.wanted, wishes.c.since).where(wishes.c.table_id.is_(None))
        rows = (await connection.execute(query.order_by(wishes.c.since, wishes.c.guest).limit(_MOST))).all()
        waiting = [_waiting(guest, wanted, since) for guest, wanted, since in rows]
        group = find(waiting, await self._apart(connection, [each.guest for each in waiting]))
        if group is None:
            return None
        table = await self._table(connection, group)
        chosen = wishes.c.guest.in_(group.guests) & wishes.c.table_id.is_(None)
        done = await connection.execute(wishes.update().where(chosen).values(table_id=table, since=moment()))
        if done.rowcount != len(group.guests):
            raise Refusal("storage", "storage")
        MATCHED.inc(len(group.guests))
        return Matched(table, group.guests)

    async def _apart(self, connection: AsyncConnection, waiting: list[str]) -> set[frozenset[str]]:
        """Who is to be kept from whom, since one of them blocks the other."""
        among = self._storage.backend.among
        query = sa.select(ties.c.guest, ties.c.other).where(
            (ties.c.kind == "block") & among(ties.c.guest, waiting) & among(ties.c.other, waiting)
        )
        return {frozenset(pair) for pair in await connection.execute(query)}

    async def _table(self, connection: AsyncConnection, group: Group) -> str:
        """A table for a group, in any order; bots take the seats that are left."""
        found = await connection.execute(sa.select(guests.c.id, guests.c.name).where(guests.c.id.in_(group.guests)))
        named = {row.id: row.name for row in found}
        game = group.game
        taken: list[str] = []
        for guest in group.guests:
            named[guest] = distinct_name(named[guest], taken)
            taken.append(named[guest])
        sitting: list[str | None] = [*group.guests, *[None] * (game.players - len(group.guests))]
        random.SystemRandom().shuffle(sitting)
        places = []
        for seat, sits in enumerate(sitting):
            place = SeatRow(seat, new_token(), guest=sits, name=named.get(sits or ""))
            if sits is None:
                place = bot_on(place, None, taken)
                taken.append(place.name or "")
            places.append(place)
        ruleset = Ruleset(game.edition, players=game.players, market=game.market)
        times = Times.new(self._settings.live, game.players).to_dict()
        row = table_row(ruleset, places, False, _LIVE, times, True)._replace(owner=group.guests[0])
        await insert_table(connection, row, places)
        return row.id


def playable(wish: Wish) -> bool:
    """Whether there is a game that fits."""
    return any(map(_waiting("", wish.model_dump(), moment()).accepts, GAMES))


def _waiting(guest: str, wanted: dict[str, Any], since: str) -> Waiting:
    return Waiting(
        guest,
        frozenset(wanted["editions"]),
        wanted["market"],
        frozenset(wanted["seats"]),
        _seconds(since),
        wanted["bots_after"],
    )


def _seconds(since: str) -> float:
    return (datetime.now(UTC) - datetime.fromisoformat(since)).total_seconds()
