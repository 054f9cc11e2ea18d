"""What belongs to the state of a table besides the game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast

from nevsky.server.absence import is_conceded
from nevsky.server.owners import owner_seat
from nevsky.server.present import SeatInfo, TableContext, pace_info
from nevsky.server.protocol import LogLine, Status
from nevsky.server.schema import SeatRow

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["Sitting", "table_context"]


class Sitting:
    """A table at one moment, looked up once for all viewers."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._there = {viewer.seat for viewer in table.viewers}
        self._seats: dict[int | None, list[SeatInfo]] = {}
        self.alone = table.alone
        self.resigned = table.resigned
        self.status: Status = table.status
        self.paused = table.paused
        self.conceded = is_conceded(table)
        self.clock = pace_info(table.row.pace, table.clock.times)
        self.owner = owner_seat(table.row, table.seats)

    def seats(self, to_move: int | None) -> list[SeatInfo]:
        """All seats, for viewers to whom it looks as if it were this one's turn."""
        found = self._seats.get(to_move)
        if found is None:
            found = self._seats[to_move] = [
                SeatInfo(
                    name=place.name or "",
                    bot=place.level,
                    connected=place.level is not None or place.seat in self._there,
                    away=place.away,
                    resigned=place.resigned,
                    wants_end=place.wants_end,
                    reserved=place.kept_for,
                    **_time(self._table, place, to_move),
                )
                for place in self._table.seats
            ]
        return found


def table_context(table: Table, seat: int | None, sitting: Sitting, log: list[LogLine]) -> TableContext:
    """What belongs to the state besides the game."""
    match, row, passing = table.match, table.row, table.passing.get(seat)
    return TableContext(
        table=row.id,
        version=0 if match is None else match.version(seat),
        status=sitting.status,
        seats=sitting.seats(None if match is None else match.view(seat).to_move),
        chat=table.chat,
        log=log,
        can_undo=match is not None
        and not sitting.conceded
        and seat not in sitting.resigned
        and match.can_undo(seat, sitting.alone),
        auto_pass="off" if passing is None else cast(Literal["change", "phase"], passing.until),
        rematch=row.rematch,
        show_seen=row.show_seen_cards,
        public=row.public,
        owner=sitting.owner,
        clock=sitting.clock,
        paused=sitting.paused,
        conceded=sitting.conceded,
    )


def _time(table: Table, place: SeatRow, to_move: int | None) -> dict[str, Any]:
    """How much time somebody has. A secret question has no reserve: what others see of it does not change."""
    times, seat = table.clock.times, place.seat
    if times is None or place.level is not None:
        return {}
    reserve = times.left[seat]
    if seat != to_move or place.away or table.status != "playing":
        return {"reserve": reserve, "missed": times.missed[seat]}
    shown = seat == table.row.to_move_shown
    return {
        "clock": table.clock.free(),
        "reserve": table.clock.reserve(seat) if shown else 0.0,
        "missed": times.missed[seat],
    }
