"""What belongs to the state of a table besides the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from nevsky.server.absence import is_conceded
from nevsky.server.owners import owner_seat
from nevsky.server.present import OwnContext, SeatInfo, TableContext, pace_info
from nevsky.server.protocol import Status
from nevsky.server.schema import SeatRow
from nevsky.server.shared import Shared
from nevsky.texts.former import is_former, shown_name

if TYPE_CHECKING:
    from nevsky.server.actor import Table
    from nevsky.server.match import Match

__all__ = ["Sitting", "spoken"]


def spoken(context: TableContext, language: str) -> TableContext:
    """With the names as people read them in a language."""
    if not any(is_former(each.name) for each in context.seats):
        return context
    return context._replace(seats=[each._replace(name=shown_name(each.name, language)) for each in context.seats])


class Sitting:
    """A table at one moment, looked up once for all viewers."""

    def __init__(self, table: Table, shared: Shared | None = None) -> None:
        self._table = table
        self._shared = shared or Shared()
        self._there = {viewer.seat for viewer in table.viewers}
        self.alone = table.alone
        self.resigned = table.resigned
        self.status: Status = table.status
        self.paused = table.paused
        self.conceded = is_conceded(table)

    def context(self, to_move: int | None) -> TableContext:
        """What belongs to the states of viewers to whom it looks as if it were this seat's turn."""
        table, row = self._table, self._table.row
        return TableContext(
            table=row.id,
            status=self.status,
            seats=[self._seat(place, to_move) for place in table.seats],
            chat=table.chat,
            rematch=row.rematch,
            show_seen=row.show_seen_cards,
            public=row.public,
            owner=owner_seat(row, table.seats),
            clock=pace_info(row.pace, table.clock.times),
            paused=self.paused,
            conceded=self.conceded,
            daily=None if row.daily is None else {"deal": row.daily, "counts": row.counts},
            rated=row.rated,
            tournament=row.tournament,
        )

    def absent(self, seat: int) -> bool:
        """Whether a bot plays for somebody."""
        place = self._table.seats[seat]
        return place.away or place.resigned

    def own(self, seat: int | None, match: Match) -> OwnContext:
        """What belongs to the state of a viewer."""
        passing = self._table.passing.get(seat)
        return OwnContext(
            match.version(seat),
            not (self.conceded or self._table.row.counts or seat in self.resigned) and match.can_undo(seat, self.alone),
            "off" if passing is None else cast(Literal["change", "phase"], passing.until),
        )

    def _seat(self, place: SeatRow, to_move: int | None) -> SeatInfo:
        there = place.level is not None or place.seat in self._there
        of = (place, there, _time(self._table, place, to_move), _vacation(self._table, place))
        return self._shared.made(("seat", place.seat), of, _seat_info)


def _seat_info(of: tuple[SeatRow, bool, tuple[float | None, float | None, int], str | None]) -> SeatInfo:
    place, there, (clock, reserve, missed), vacation = of
    return SeatInfo(
        place.name or "",
        place.level,
        there,
        place.away,
        clock,
        reserve,
        missed,
        place.resigned,
        place.wants_end,
        place.kept_for,
        vacation,
    )


def _vacation(table: Table, place: SeatRow) -> str | None:
    """Until when somebody is away; no matter where people meet at one time, or where the clock runs all the same."""
    if table.clock.live or table.status != "playing" or place.away:
        return None
    waited = table.clock.times is not None and place.seat == table.row.to_move_shown
    away = table.timeouts.vacation() if waited else table.services.vacations.of(place.guest)
    return None if away is None else away.shown


def _time(table: Table, place: SeatRow, to_move: int | None) -> tuple[float | None, float | None, int]:
    """How much time somebody has: of the decision, of the reserve, and how often it ran out.

    A secret question has no reserve: what others see of it does not change.
    """
    times, seat = table.clock.times, place.seat
    if times is None or place.level is not None:
        return None, None, 0
    reserve, missed = times.left[seat], times.missed[seat]
    if seat != to_move or place.away or table.status != "playing":
        return None, reserve, missed
    shown = seat == table.row.to_move_shown
    return table.clock.free(), table.clock.reserve(seat) if shown else 0.0, missed
