"""Games that nobody goes on with: which of them are old enough to go."""

from __future__ import annotations

import sqlalchemy as sa

from nevsky.server.schema import (
    DUE,
    chat,
    companions,
    daily_tries,
    log,
    seats,
    tables,
    tournaments,
    vacations,
)
from nevsky.server.storage import now, somebody_plays, somebody_sits

__all__ = ["left_unfinished", "plays_for_nobody"]


def _stands_still(then: str) -> sa.ColumnElement[bool]:
    """Nothing was played or said since then. The answer to a secret question leaves `updated` as it was."""
    quiet = [~sa.exists().where((each.c.table_id == tables.c.id) & (each.c.at >= then)) for each in (log, chat)]
    counts = sa.exists().where((daily_tries.c.table_id == tables.c.id) & (daily_tries.c.status == "playing"))
    still = (tables.c.status == "playing") & (tables.c.updated < then) & sa.and_(*quiet)
    return still & ~counts & tables.c.rating.is_distinct_from(DUE)


def plays_for_nobody(then: str) -> sa.ColumnElement[bool]:
    """Games of bots among themselves, whose turn comes only while somebody watches."""
    linked = sa.exists().where(companions.c.table_id == tables.c.id)
    alone = ~somebody_sits() & ~linked & tables.c.tournament.is_(None) & tables.c.daily.is_(None)
    return _stands_still(then) & alone


def left_unfinished(then: str) -> sa.ColumnElement[bool]:
    """All games that stand still, but not where a clock runs, somebody is on vacation or a tournament is not gone.

    A clock over days runs as long as somebody plays who is not away. A live one runs only while somebody is there, and
    then the table is in memory.
    """
    runs = (tables.c.pace == "relaxed") & somebody_plays()
    place = seats.alias()
    away = (place.c.table_id == tables.c.id) & (place.c.guest == vacations.c.guest) & (vacations.c.until > now())
    tournament = sa.exists().where(tournaments.c.id == tables.c.tournament)
    return _stands_still(then) & ~runs & ~sa.exists().where(away) & ~tournament
