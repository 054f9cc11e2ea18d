"""What is told of ratings: leaderboards, the ratings of a person, and those at a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, cast

import sqlalchemy as sa

from nevsky.arena.ratings import Rating
from nevsky.rules.ruleset import Ruleset
from nevsky.server.people.ties import Ties
from nevsky.server.protocol import PlayerRating, RatingBoard, RatingFamily, RatingLine, RatingPoint, SeatRating
from nevsky.server.ratings.bots import BotRating, bots_in
from nevsky.server.ratings.scale import LEAST_GAMES, Pool, pool_of, shown
from nevsky.server.schema import SeatRow, guests, profiles, rating_changes, ratings
from nevsky.server.storage import Storage

__all__ = ["board", "ratings_at", "ratings_of"]

_PAGE: Final = 50
_POINTS: Final = 200
"""Games in a graph."""


def _people(pool: Pool) -> sa.Select[Any]:
    """Who stands on a leaderboard: those with enough games whom everybody may see and who are not banned."""
    rank = sa.func.row_number().over(order_by=(ratings.c.mu.desc(), ratings.c.guest)).label("rank")
    nothing = sa.cast(sa.null(), sa.String).label("level")
    return (
        sa.select(rank, guests.c.id, guests.c.name, nothing, ratings.c.mu, ratings.c.sigma, ratings.c.games)
        .join(guests, guests.c.id == ratings.c.guest)
        .join(profiles, profiles.c.guest == ratings.c.guest)
        .where((ratings.c.family == pool.family) & (ratings.c.players == pool.players))
        .where((ratings.c.games >= LEAST_GAMES) & profiles.c.public & guests.c.banned.is_(None))
    )


def _bot(bot: BotRating) -> sa.Select[Any]:
    empty = sa.cast(sa.null(), sa.String)
    return sa.select(
        sa.cast(sa.null(), sa.Integer).label("rank"),
        empty.label("id"),
        empty.label("name"),
        sa.literal(bot.level, sa.String).label("level"),
        sa.literal(bot.rating.mu, sa.Float).label("mu"),
        sa.literal(bot.rating.sigma, sa.Float).label("sigma"),
        sa.literal(bot.games, sa.Integer).label("games"),
    )


async def board(storage: Storage, ties: Ties, pool: Pool, page: int, you: str | None) -> RatingBoard:
    """A page of the people of a pool, with the bots among them where they stand."""
    everybody = sa.union_all(_people(pool), *(_bot(bot) for bot in bots_in(pool))).subquery()
    order = (everybody.c.mu.desc(), everybody.c.level.is_not(None), everybody.c.rank, everybody.c.level)
    query = sa.select(everybody).order_by(*order).offset(page * _PAGE).limit(_PAGE)
    number = sa.select(sa.func.count(), sa.func.count(everybody.c.rank)).select_from(everybody)
    async with storage.reading() as connection:
        lines, people = (await connection.execute(number)).one()
        rows = (await connection.execute(query)).all()
    known = await ties.pages([row.id for row in rows if row.id is not None])
    return RatingBoard(
        family=pool.family,
        players=pool.players,
        page=page,
        pages=max(1, -(-lines // _PAGE)),
        least=LEAST_GAMES,
        people=people,
        lines=[
            RatingLine(
                rank=row.rank,
                name=row.name,
                player=known.get(row.id or ""),
                level=row.level,
                you=row.id is not None and row.id == you,
                games=row.games,
                **shown(Rating(row.mu, row.sigma))._asdict(),
            )
            for row in rows
        ],
    )


async def ratings_of(storage: Storage, guest: str) -> list[PlayerRating]:
    """All ratings of somebody with how they came about, those with most games first."""
    mine = sa.select(ratings).where(ratings.c.guest == guest).order_by(ratings.c.games.desc(), ratings.c.updated)
    newest = ratings.c.games - _POINTS < rating_changes.c.number
    same = (ratings.c.family == rating_changes.c.family) & (ratings.c.players == rating_changes.c.players)
    history = (
        sa.select(rating_changes)
        .join(ratings, (ratings.c.guest == rating_changes.c.guest) & same & newest)
        .where(rating_changes.c.guest == guest)
        .order_by(rating_changes.c.number)
    )
    async with storage.reading() as connection:
        pools = (await connection.execute(mine)).all()
        changes = (await connection.execute(history)).all()
    points: defaultdict[tuple[str, int], list[RatingPoint]] = defaultdict(list)
    for row in changes:
        told = shown(Rating(row.mu, row.sigma))._asdict()
        points[row.family, row.players].append(RatingPoint(table=row.table_id, at=row.at, place=row.place, **told))
    return [
        PlayerRating(
            family=cast(RatingFamily, row.family),
            players=row.players,
            games=row.games,
            points=points[row.family, row.players],
            **shown(Rating(row.mu, row.sigma))._asdict(),
        )
        for row in pools
    ]


async def ratings_at(storage: Storage, table: str, ruleset: Ruleset, places: Sequence[SeatRow]) -> list[SeatRating]:
    """Of those who sit at a rated table: after the game as it left them, before that as they are now."""
    pool = pool_of(ruleset)
    sits = {place.guest: place.seat for place in places if place.guest is not None}
    mine = ratings.c.guest.in_(list(sits)) & (ratings.c.family == pool.family) & (ratings.c.players == pool.players)
    async with storage.reading() as connection:
        now_rated = (await connection.execute(sa.select(ratings).where(mine))).all()
        changes = (await connection.execute(sa.select(rating_changes).where(rating_changes.c.table_id == table))).all()
    found = {
        sits[row.guest]: SeatRating(
            seat=sits[row.guest], games=row.games, change=None, **shown(Rating(row.mu, row.sigma))._asdict()
        )
        for row in now_rated
    }
    for row in changes:
        before, after = shown(Rating(row.mu_before, row.sigma_before)), shown(Rating(row.mu, row.sigma))
        found[row.seat] = SeatRating(
            seat=row.seat, games=row.number, change=after.rating - before.rating, **after._asdict()
        )
    return [found[seat] for seat in sorted(found)]
