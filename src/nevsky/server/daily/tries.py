"""The deals in the database, the tries that count, and what came of them."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import sqlalchemy as sa

from nevsky.rules.ruleset import Ruleset
from nevsky.server.daily.calendar import Kind, begins, closes, current, is_published, kind_of, stamp
from nevsky.server.daily.dealing import Deal, game_of, make_deal
from nevsky.server.errors import Refusal
from nevsky.server.ids import new_table_id, new_token
from nevsky.server.sanitize import distinct_name
from nevsky.server.schema import SeatRow, TableRow, daily_deals, daily_tries, guests, tables
from nevsky.server.seating import Guest, started
from nevsky.server.storage import CONFLICTS, Storage, insert_table, now

__all__ = [
    "Score",
    "Try",
    "begin",
    "earlier",
    "get_deal",
    "keep_result",
    "master_of",
    "own_tries",
    "own_try",
    "scores",
    "settle",
]

_PAGE: Final = 30
_SHOWN: Final = 400
"""Days that are looked at for a row of days without a gap."""


class Try(NamedTuple):
    """A try that counts, as its player sees it."""

    table_id: str
    deal: str
    status: str
    """``playing``, ``over``, ``late`` (not finished in time) or ``gone`` (ended without a result, or deleted)."""
    score: int | None
    place: int | None
    """At the table, among the bots."""


class Score(NamedTuple):
    """A try that is over, in the table of all."""

    guest: str | None
    name: str
    score: int
    place: int


def _deal(row: Any) -> Deal:
    bots = [None if each is None else (str(each[0]), str(each[1])) for each in row.bots]
    return Deal(row.id, row.seed, Ruleset.from_dict(row.ruleset), row.seat, bots)


async def get_deal(storage: Storage, secret: str, key: str) -> Deal:
    """The deal of a day or a week that has begun: of now, or an earlier one that was played here."""
    begins(key)  # refuses what is no day
    async with storage.reading() as connection:
        row = (await connection.execute(sa.select(daily_deals).where(daily_deals.c.id == key))).one_or_none()
    if row is not None:
        return _deal(row)
    if key != current(kind_of(key)):
        raise Refusal("not_found", "daily")
    deal = make_deal(secret, key)
    values = {
        "id": key,
        "begins": stamp(begins(key)),
        "seed": deal.seed,
        "ruleset": deal.ruleset.to_dict(),
        "seat": deal.seat,
        "bots": deal.bots,
    }
    try:
        async with storage.writing() as connection:
            await connection.execute(daily_deals.insert().values(**values))
    except CONFLICTS:
        return await get_deal(storage, secret, key)  # another process was faster
    return deal


async def earlier(storage: Storage, kind: Kind, before: str | None) -> tuple[list[Deal], str | None]:
    """Deals that are over, newest first, and where the next page begins."""
    weekly = daily_deals.c.id.contains("W", autoescape=True)
    query = sa.select(daily_deals).where(weekly if kind == "week" else ~weekly).order_by(daily_deals.c.id.desc())
    if before is not None:
        query = query.where(daily_deals.c.id < before)
    async with storage.reading() as connection:
        rows = (await connection.execute(query.limit(_PAGE + 1))).all()
    found = [_deal(row) for row in rows[:_PAGE]]
    return [deal for deal in found if is_published(deal.key)], rows[_PAGE - 1].id if len(rows) > _PAGE else None


async def begin(storage: Storage, deal: Deal, guest: Guest, *, practice: bool) -> tuple[TableRow, SeatRow]:
    """A table with the deal and its bots, for the guest alone. Whoever has a try that counts keeps it."""
    bot_names = [bot[1] for bot in deal.bots if bot is not None]
    name = distinct_name(guest.name, bot_names)
    places = [
        SeatRow(seat, new_token(), guest=guest.id, name=name)
        if bot is None
        else SeatRow(seat, new_token(), level=bot[0], name=bot[1])
        for seat, bot in enumerate(deal.bots)
    ]
    row = TableRow(
        id=new_table_id(),
        created=now(),
        updated=now(),
        status="open",
        ruleset=deal.ruleset.to_dict(),
        public=False,
        pace="none",
        show_seen_cards=True,
        owner=guest.id,
        daily=deal.key,
        practice=practice,
    )._replace(**started(game_of(deal, name)))
    async with storage.writing() as connection:
        if not practice:
            values = {"table_id": row.id, "deal": deal.key, "guest": guest.id, "name": name, "started": now()}
            await connection.execute(daily_tries.insert().values(**values, status="playing"))
        await insert_table(connection, row, places)
    return row, places[deal.seat]


async def own_try(storage: Storage, key: str, guest: str | None) -> Try | None:
    """The try of a guest that counts."""
    found = await own_tries(storage, [key], guest)
    return found.get(key)


async def own_tries(storage: Storage, keys: list[str], guest: str | None) -> dict[str, Try]:
    """The same for several deals."""
    if guest is None:
        return {}
    columns = [daily_tries.c[name] for name in Try._fields]
    query = sa.select(*columns).where((daily_tries.c.guest == guest) & daily_tries.c.deal.in_(keys))
    async with storage.reading() as connection:
        return {row.deal: Try(*row) for row in await connection.execute(query)}


async def days_of(storage: Storage, guest: str | None) -> list[str]:
    """The last days whose deal a guest has played to the end, newest first."""
    if guest is None:
        return []
    finished = (daily_tries.c.guest == guest) & (daily_tries.c.status == "over")
    daily = ~daily_tries.c.deal.contains("W", autoescape=True)
    query = sa.select(daily_tries.c.deal).where(finished & daily).order_by(daily_tries.c.deal.desc()).limit(_SHOWN)
    async with storage.reading() as connection:
        return [row.deal for row in await connection.execute(query)]


async def settle(storage: Storage, deal: Deal) -> None:
    """Write down what came of tries that are over. Whoever looks does it, so it does not matter who was there."""
    mine = (daily_tries.c.deal == deal.key) & (daily_tries.c.status == "playing")
    query = (
        sa.select(daily_tries.c.table_id, tables.c.status, tables.c.updated, tables.c.scores, tables.c.winners)
        .select_from(daily_tries.outerjoin(tables, tables.c.id == daily_tries.c.table_id))
        .where(mine & (sa.true() if is_published(deal.key) else _ended()))
    )
    async with storage.reading() as connection:
        found = (await connection.execute(query)).all()
    if not found:
        return
    async with storage.writing() as connection:
        for row in found:
            where = mine & (daily_tries.c.table_id == row.table_id)
            await connection.execute(daily_tries.update().where(where).values(**_came_of(row, deal)))


async def keep_result(storage: Storage, table: TableRow) -> None:
    """Settle a try that counts before its table goes."""
    if table.counts:
        async with storage.reading() as connection:
            query = sa.select(daily_deals).where(daily_deals.c.id == table.daily)
            row = (await connection.execute(query)).one_or_none()
        if row is not None:
            await settle(storage, _deal(row))


def _ended() -> sa.ColumnElement[bool]:
    return tables.c.status.is_(None) | (tables.c.status != "playing")


def _came_of(row: Any, deal: Deal) -> dict[str, Any]:
    if row.status == "over" and row.scores is not None:
        if row.updated > stamp(closes(deal.key)):
            return {"status": "late"}
        own = row.scores[deal.seat]
        better = sum(score > own for score in row.scores)
        place = 1 if deal.seat in (row.winners or ()) else max(2, 1 + better)
        return {"status": "over", "score": own, "place": place}
    return {"status": "late" if row.status == "playing" else "gone"}


async def scores(storage: Storage, key: str) -> list[Score]:
    """Of all tries that are over, the best first; guests who were banned are left out."""
    query = (
        sa.select(*[daily_tries.c[name] for name in Score._fields])
        .select_from(daily_tries.outerjoin(guests, guests.c.id == daily_tries.c.guest))
        .where((daily_tries.c.deal == key) & (daily_tries.c.status == "over") & guests.c.banned.is_(None))
        .order_by(daily_tries.c.score.desc(), daily_tries.c.started, daily_tries.c.table_id)
    )
    async with storage.reading() as connection:
        return [Score(*row) for row in await connection.execute(query)]


async def players(storage: Storage, keys: list[str]) -> dict[str, int]:
    """How many guests have begun."""
    query = (
        sa.select(daily_tries.c.deal, sa.func.count()).where(daily_tries.c.deal.in_(keys)).group_by(daily_tries.c.deal)
    )
    async with storage.reading() as connection:
        return {row[0]: row[1] for row in await connection.execute(query)}


async def master_of(storage: Storage, key: str) -> list[int] | None:
    """The scores of the game in which master played the seat, once it is known."""
    async with storage.reading() as connection:
        found: list[int] | None = await connection.scalar(
            sa.select(daily_deals.c.master).where(daily_deals.c.id == key)
        )
        return found
