"""Lists of tables page by page, and how many tables one guest and one address may keep open."""

from __future__ import annotations

import base64
import binascii
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from nevsky.server.errors import Refusal
from nevsky.server.ids import is_id
from nevsky.server.schema import TableRow, companions, seats, tables
from nevsky.server.settings import Settings

__all__ = ["FIRST_PAGE", "LISTED", "Made", "OpenTables", "Page", "cursor", "listed", "listed_of", "newest", "turns_of"]

LISTED: Final = 60
_MOST_ADDRESSES: Final = 5000
_MOST_OF_ONE: Final = 2000
_BEING_MADE: Final = 10.0
"""Seconds in which a table may not be in the database yet."""


class Page(NamedTuple):
    """A part of a list that goes from the newest to the oldest; what comes after the table that a cursor names."""

    limit: int = LISTED
    updated: str = ""
    table: str = ""

    @classmethod
    def read(cls, limit: int, after: str | None) -> Page:
        """From what was asked; a cursor that is not ours is refused."""
        if not after:
            return cls(limit)
        try:
            updated, _, table = base64.b64decode(after, "-_", validate=True).decode("ascii").partition(" ")
        except (binascii.Error, ValueError) as error:
            raise Refusal("bad_message", "cursor") from error
        if not updated.isprintable() or not updated or not is_id(table):
            raise Refusal("bad_message", "cursor")
        return cls(limit, updated, table)

    def of(self, query: sa.Select[Any]) -> sa.Select[Any]:
        """The page of a list that is ordered by ``updated`` downwards and then by id."""
        if self.updated:
            newer = (tables.c.updated < self.updated) | (tables.c.id > self.table)
            query = query.where((tables.c.updated <= self.updated) & newer)
        return query.limit(self.limit)


FIRST_PAGE: Final = Page()


def cursor(last: TableRow) -> str:
    """Where the next page begins."""
    return base64.b64encode(f"{last.updated} {last.id}".encode(), b"-_").decode("ascii")


def newest() -> sa.Select[Any]:
    """Tables for a list: without their deals, which are large and never shown there."""
    columns = [sa.null().label(name) if name == "deal" else tables.c[name] for name in TableRow._fields]
    return sa.select(*columns).order_by(tables.c.updated.desc(), tables.c.id)


def listed(status: str) -> sa.Select[Any]:
    """The newest public tables of a status, in the order of its index: nothing is sorted."""
    return newest().where((tables.c.status == _word(status)) & tables.c.public)


def listed_of(guest: str, *status: str) -> sa.Select[Any]:
    """The newest tables of a guest; only what the guest has played is looked at and sorted."""
    its = _not_by_index(tables.c.status).in_([_word(each) for each in status])
    return newest().where(tables.c.id.in_(_own_tables(guest)) & its)


def turns_of(guest: str) -> sa.Select[Any]:
    """Where a guest is waited for: those whose time runs out first, then those that wait longest."""
    own = seats.alias()
    linked = sa.select(companions.c.seat).where(
        (companions.c.guest == guest) & (companions.c.table_id == own.c.table_id)
    )
    asked = (own.c.seat == tables.c.to_move) | (own.c.seat == tables.c.to_move_shown)
    theirs = (own.c.guest == guest) | (own.c.seat == linked.scalar_subquery())
    where = (_not_by_index(tables.c.status) == _word("playing")) & asked & theirs & ~own.c.away
    mine = tables.c.id.in_(_own_tables(guest))
    query = sa.select(tables.c.id).join(own, own.c.table_id == tables.c.id).where(mine & where)
    return query.order_by(tables.c.deadline.is_(None), tables.c.deadline, tables.c.updated, tables.c.id)


def _not_by_index(column: sa.Column[str]) -> sa.ColumnElement[str]:
    """The same, but no way to find rows: SQLite would look at all finished tables to find those of a guest."""
    return column.concat(sa.literal_column("''"))


def _own_tables(guest: str) -> sa.CompoundSelect[Any]:
    sits = sa.select(seats.c.table_id).where(seats.c.guest == guest)
    return sits.union(sa.select(companions.c.table_id).where(companions.c.guest == guest))


def _word(status: str) -> sa.ColumnElement[str]:
    """Part of the query itself: SQLite uses a partial index only for values that it sees."""
    return sa.literal_column(f"'{status}'")


class Made(NamedTuple):
    """A table that was made from some address, and by whom."""

    table: str
    guest: str
    public: bool
    at: float
    bots: bool = False
    """Whether only bots play there, so that it waits for nobody."""


class OpenTables:
    """Who made which tables that wait for players or are for bots alone, so that nobody fills list or disk alone."""

    def __init__(
        self,
        settings: Settings,
        still_open: Callable[[Collection[str]], Awaitable[set[str]]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._still_open = still_open
        self._clock = clock
        self._made: dict[str, list[Made]] = {}
        self.news: list[tuple[str, Made]] | None = None
        """What other processes have to be told, if there are any: what was made from which address."""

    async def add(self, row: TableRow, guest: str, address: str) -> None:
        """Remember a table that is about to be made, or refuse it if there are too many already."""
        new = Made(row.id, guest, row.public, self._clock(), bots=row.status != "open")
        if self._too_many(new, address) is not None:
            await self._look_again(address)
            refusal = self._too_many(new, address)
            if refusal is not None:
                raise refusal
        self._keep(address, new)
        if self.news is not None:
            self.news.append((address, new))

    def hear(self, address: str, made: Made) -> None:
        """A table was made, or became public, at another process."""
        known = [each for each in self._made.get(address, []) if each.table != made.table]
        self._made[address] = known
        self._keep(address, made._replace(at=self._clock()))

    def _keep(self, address: str, new: Made) -> None:
        made = self._made.pop(address, [])
        self._made[address] = [*made[-_MOST_OF_ONE:], new]
        if len(self._made) > _MOST_ADDRESSES:
            del self._made[next(iter(self._made))]

    async def publish(self, row: TableRow, guest: str, address: str) -> None:
        """A private table is about to become public; refused if there are too many public ones already."""
        made = self._made.get(address, [])
        own = [each for each in made if each.table == row.id]
        self._made[address] = [each for each in made if each.table != row.id]
        try:
            await self.add(row._replace(public=True), guest, address)
        except Refusal:
            self._made[address] = [*self._made.get(address, []), *own]
            raise

    async def _look_again(self, address: str) -> None:
        there = await self._still_open([each.table for each in self._made[address]])
        young = self._clock() - _BEING_MADE
        made = self._made.get(address, [])
        self._made[address] = [each for each in made if each.table in there or each.at > young]

    def _too_many(self, new: Made, address: str) -> Refusal | None:
        settings = self._settings
        made = [each for each in self._made.get(address, []) if each.bots == new.bots]
        if new.bots:
            full = len(made) >= settings.bot_tables_per_address
            return Refusal("refused", "bot_tables_of_address") if full else None
        if sum(each.guest == new.guest for each in made) >= settings.open_tables_per_guest:
            return Refusal("refused", "open_tables", number=settings.open_tables_per_guest)
        if new.public and sum(each.public for each in made) >= settings.public_tables_per_address:
            return Refusal("refused", "open_tables_of_address")
        if len(made) >= settings.open_tables_per_address:
            return Refusal("refused", "open_tables_of_address")
        return None
