"""When a message may be sent: not in the quiet hours of whoever gets it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

from nevsky.server.notices.kinds import Wishes

__all__ = ["is_quiet", "is_zone", "when"]

_DAY = 24 * 60


def is_zone(name: str) -> bool:
    """Whether there is such a time zone; only known names are ever looked up."""
    return name in available_timezones()


def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name if is_zone(name) else "UTC")


def is_quiet(moment: datetime, wishes: Wishes) -> bool:
    """Whether somebody wants to hear nothing at a moment."""
    start, end = wishes.quiet_from, wishes.quiet_until
    if start is None or end is None or start == end:
        return False
    local = moment.astimezone(_zone(wishes.zone))
    minute = local.hour * 60 + local.minute
    return start <= minute < end if start < end else minute >= start or minute < end


def when(moment: datetime, wishes: Wishes) -> datetime:
    """The first moment from a given one on that is not quiet, to the minute.

    >>> when(datetime(2026, 1, 1, 22, 30, tzinfo=UTC), Wishes(quiet_from=22 * 60, quiet_until=7 * 60)).isoformat()
    '2026-01-02T07:00:00+00:00'
    """
    if not is_quiet(moment, wishes):
        return moment
    assert wishes.quiet_until is not None
    local = moment.astimezone(_zone(wishes.zone))
    midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
    hour, minute = divmod(wishes.quiet_until % _DAY, 60)
    for days in (0, 1):
        end = (midnight + timedelta(days=days)).replace(hour=hour, minute=minute).astimezone(UTC)
        if end > moment and not is_quiet(end, wishes):
            return end
    # an hour that the clocks skip or repeat lies there: look for the end minute by minute
    found = moment.astimezone(UTC).replace(second=0, microsecond=0)
    for _ in range(2 * _DAY):
        found += timedelta(minutes=1)
        if not is_quiet(found, wishes):
            return found
    return moment
