"""What a finished game does to the ratings of its players: once, whatever happens.

The table says that it is due until the transaction that changes the ratings says that it is done. So a server that is
killed in between loses nothing, and whoever comes second finds nothing to do.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection
from starlette.concurrency import run_in_threadpool

from nevsky.arena.ratings import Rating, newcomer
from nevsky.rules.final import Result
from nevsky.server.ratings.model import changed
from nevsky.server.ratings.scale import Pool, pool_of
from nevsky.server.schema import DUE, VOID, profiles, rated_seats, rating_changes, ratings, tables
from nevsky.server.standing import standing
from nevsky.server.storage import now

if TYPE_CHECKING:
    from nevsky.server.actor import Table
    from nevsky.server.match import Match

__all__ = ["has_left", "places_of", "settle", "weight_of"]

_DAY: Final = 24 * 3600.0
_FULL: Final = 4
_HALF: Final = 8
"""So many games of the same people within a day count in full, and so many count at all."""
_ONE_ADDRESS: Final = 2
"""The same where two of them play from one address."""
_FEW: Final = 3
_SHARE: Final = 0.1
"""Decisions that a bot may make for somebody who runs out of time now and then: a few, or this part of all."""


def places_of(result: Result | None, left: Collection[int], seats: int) -> list[int]:
    """The places as they are rated: whoever has left the game shares the last one.

    Without a result everybody but one has left.
    """
    stayed = seats - len(left)
    if result is None:
        return [stayed + 1 if seat in left else 1 for seat in range(seats)]
    return [stayed + 1 if entry.seat in left else entry.place for entry in standing(result, left).final]


def weight_of(earlier: int, *, one_address: bool) -> float:
    """How much a game counts after so many others of the same people within a day."""
    if one_address:
        return 1.0 if earlier < _ONE_ADDRESS else 0.0
    return 1.0 if earlier < _FULL else 0.5 if earlier < _HALF else 0.0


def has_left(table: Table, match: Match) -> list[int]:
    """Who has resigned, or is away at the end, or has let a bot play for them, which may be stronger than they are."""

    def leans(seat: int) -> bool:
        helped, every = match.by_bots(seat)
        return helped > max(_FEW, _SHARE * every)

    return [place.seat for place in table.seats if place.resigned or place.away or leans(place.seat)]


async def settle(table: Table) -> None:
    """Rate the game of a table if it is over and that was not done yet. Only its owner gets here."""
    row = table.row
    if row.rating != DUE or table.status != "over" or not table.services.settings.ratings:
        return
    assert table.match is not None
    people = [place.guest or "" for place in table.seats]
    left = has_left(table, table.match)
    places = places_of(table.match.game.result, left, len(people))
    await run_in_threadpool(newcomer)  # loads the model, for which no transaction should wait
    storage = table.services.storage
    async with storage.writing(table.lease) as connection:
        await storage.backend.alone(connection, "nevsky ratings")
        everybody = len(left) == len(people)
        rating = await _settle(connection, row.id, pool_of(table.ruleset), people, None if everybody else places)
    table.row = table.row._replace(rating=rating)


async def _settle(
    connection: AsyncConnection, table: str, pool: Pool, people: Sequence[str], places: Sequence[int] | None
) -> str:
    """Within a transaction; how the table stands then. Where everybody has left nobody has won."""
    here = tables.c.id == table
    stands = await connection.scalar(sa.select(tables.c.rating).where(here))
    if stands != DUE:  # it was done before, and the answer was lost
        return str(stands)
    weight = weight_of(await _played(connection, people), one_address=await _share_address(connection, table))
    known = await _known(connection, pool, people)
    rating = VOID
    if weight and places is not None:
        rating = "done"
        before = [Rating(known[each]["mu"], known[each]["sigma"]) if each in known else newcomer() for each in people]
        after = changed(before, places, weight)
        for seat, guest in enumerate(people):
            if guest in known:
                number = known[guest]["games"] + 1
                await _write(connection, pool, guest, after[seat], number)
                values = {
                    "table_id": table,
                    "seat": seat,
                    "guest": guest,
                    **pool._asdict(),
                    "number": number,
                    "place": places[seat],
                    "weight": weight,
                    "mu_before": before[seat].mu,
                    "sigma_before": before[seat].sigma,
                    **after[seat]._asdict(),
                    "at": now(),
                }
                await connection.execute(rating_changes.insert().values(values))
    await connection.execute(tables.update().where(here).values(rating=rating))
    await connection.execute(rated_seats.delete().where(rated_seats.c.table_id == table))
    return rating


async def _known(connection: AsyncConnection, pool: Pool, people: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The ratings of those who still have a profile; of whoever has deleted theirs nothing is kept."""
    mine = (ratings.c.guest == profiles.c.guest) & (ratings.c.family == pool.family)
    query = (
        sa.select(profiles.c.guest.label("who"), ratings.c.mu, ratings.c.sigma, ratings.c.games)
        .select_from(profiles.outerjoin(ratings, mine & (ratings.c.players == pool.players)))
        .where(profiles.c.guest.in_(list(people)))
    )
    start = {**newcomer()._asdict(), "games": 0}
    return {row.who: start if row.mu is None else dict(row._mapping) for row in await connection.execute(query)}


async def _write(connection: AsyncConnection, pool: Pool, guest: str, new: Rating, games: int) -> None:
    key = {"guest": guest, **pool._asdict()}
    values = {**new._asdict(), "games": games, "updated": now()}
    if games == 1:
        await connection.execute(ratings.insert().values({**key, **values}))
    else:
        same = sa.and_(*(ratings.c[name] == value for name, value in key.items()))
        await connection.execute(ratings.update().where(same).values(values))


async def _played(connection: AsyncConnection, people: Sequence[str]) -> int:
    """How many rated games the same people have played within a day, whatever they played."""
    lately = sa.select(rating_changes.c.table_id).where(
        (rating_changes.c.guest == min(people)) & (rating_changes.c.at > now(_DAY))
    )
    query = sa.select(rating_changes.c.table_id, rating_changes.c.guest)
    games: defaultdict[str, set[str]] = defaultdict(set)
    for game, guest in await connection.execute(query.where(rating_changes.c.table_id.in_(lately))):
        games[game].add(guest)
    return sum(found == set(people) for found in games.values())


async def _share_address(connection: AsyncConnection, table: str) -> bool:
    query = sa.select(rated_seats.c.network).where(
        (rated_seats.c.table_id == table) & rated_seats.c.network.is_not(None)
    )
    found = (await connection.execute(query)).scalars().all()
    return len(set(found)) < len(found)
