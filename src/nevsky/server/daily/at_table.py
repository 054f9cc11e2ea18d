"""What is different at a table where the deal of a day or a week is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nevsky.server.daily.calendar import is_published
from nevsky.server.daily.dealing import fixed_level
from nevsky.server.errors import Refusal

if TYPE_CHECKING:
    from nevsky.server.actor import Table
    from nevsky.server.live_bots import Fixed
    from nevsky.server.match import Match

__all__ = ["check_help", "check_published", "check_secret", "fixed_for", "with_help"]


def check_secret(table: Table, seat: int | None) -> None:
    """As long as others play the deal, nobody but its player sees a try at it."""
    daily = table.row.daily
    if daily is not None and seat is None and not is_published(daily):
        raise Refusal("not_allowed", "daily_secret")


def check_published(table: Table) -> None:
    """Files with the whole deal are for afterwards."""
    if table.row.daily is not None and not is_published(table.row.daily):
        raise Refusal("not_allowed", "daily_record")


def check_help(table: Table) -> None:
    """In the try that counts there is no advice, nothing is taken back, and no bot stands in."""
    if table.row.counts and table.status == "playing":
        raise Refusal("not_allowed", "daily_counts")


def with_help(table: Table, seat: int | None) -> tuple[Match, int]:
    """The game and the own seat, for those who may be helped."""
    found = table.playing(seat)
    check_help(table)
    return found


def fixed_for(table: Table, seat: int, moves: int) -> Fixed | None:
    """How the bot of a seat has to decide; None where it is free to."""
    level, deal = table.seats[seat].level, table.row.deal
    if table.row.daily is None or level is None or deal is None:
        return None
    return fixed_level(deal["seed"], seat, moves, level)
