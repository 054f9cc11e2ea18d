"""What is different at a rated table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sqlalchemy as sa

from nevsky.server.errors import Refusal
from nevsky.server.ratings.marks import Mark, Visit
from nevsky.server.schema import SeatRow, rated_seats
from nevsky.server.settings import Settings
from nevsky.server.storage import Storage

if TYPE_CHECKING:
    from nevsky.server.actor import Table
    from nevsky.server.ownership import Lease

__all__ = ["admit", "check_away", "check_end", "check_hint", "check_profile", "check_rated"]


def check_rated(settings: Settings, pace: str, places: Sequence[SeatRow]) -> None:
    """What a rated table needs: a clock, so that nobody can escape by waiting, and no bots."""
    if not (settings.ratings and settings.profiles):
        raise Refusal("refused", "rated_off")
    if pace == "none":
        raise Refusal("refused", "rated_clock")
    if any(place.level is not None for place in places):
        raise Refusal("refused", "rated_bots")


async def check_profile(storage: Storage, guest: str) -> None:
    """Who has no profile may play, but not here."""
    if not await storage.profiles_among([guest]):
        raise Refusal("not_allowed", "rated_profile")


async def admit(
    storage: Storage, where: Lease | str, places: Sequence[SeatRow], seat: int, guest: str, visit: Visit | Mark | None
) -> None:
    """Remember from where somebody sits down; the browser of another player is refused."""
    await check_profile(storage, guest)
    table, lease = (where, None) if isinstance(where, str) else (where.table, where)
    mark = visit.at(table) if isinstance(visit, Visit) else visit or Mark()
    sits = {place.seat: place.guest for place in places if place.seat != seat}
    async with storage.writing(lease) as connection:
        known = await connection.execute(sa.select(rated_seats).where(rated_seats.c.table_id == table))
        others = [row.browser for row in known if row.guest != guest and sits.get(row.seat) == row.guest]
        if mark.browser is not None and mark.browser in others:
            raise Refusal("refused", "rated_browser")
        same = (rated_seats.c.table_id == table) & (rated_seats.c.seat == seat)
        await connection.execute(rated_seats.delete().where(same))
        await connection.execute(rated_seats.insert().values(table_id=table, seat=seat, guest=guest, **mark._asdict()))


def check_hint(table: Table) -> None:
    """Nobody is advised while others play for their rating."""
    if table.row.rated and table.status == "playing":
        raise Refusal("not_allowed", "rated_hint")


def check_away(table: Table, away: bool) -> None:
    """A bot plays for somebody only when the clock says so, and who has left at the end has left."""
    if table.row.rated and (away or table.status == "over"):
        raise Refusal("not_allowed", "rated_away")


def check_end(table: Table) -> None:
    """A rated game has a result."""
    if table.row.rated:
        raise Refusal("not_allowed", "rated_end")
