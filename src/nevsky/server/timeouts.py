"""What happens at a table when somebody's time runs out, and when its clock stands still."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any, Final

from nevsky.rules.game import Game
from nevsky.server.clock import AWAY_AFTER, Times, runs_out
from nevsky.server.storage import now
from nevsky.server.vacations.registry import Away

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["Timeouts"]

_RETRY: Final = 1.0
"""Seconds after which something that failed is tried again."""
_TOO_LATE: Final = 3600.0
"""Whoever has fewer seconds left when they go away has to make this decision first."""


class Timeouts:
    """Wakes the table when somebody's time is over: a bot makes that decision, and after two in a row all others.

    A secret question has the free part only. So nobody's reserve tells of it, nor does anybody count as late.
    """

    def __init__(self, table: Table) -> None:
        self._table = table
        self._timer: asyncio.TimerHandle | None = None
        self._spent: dict[int, float] = {}
        """How long the last decision of each seat took, for when it is taken back."""
        self._wait_until = 0.0

    def waits(self) -> bool:
        """Whether something failed a moment ago, so that the table does nothing by itself for now."""
        return time.monotonic() < self._wait_until

    def wait(self) -> None:
        """Something could not be stored: it is tried again after a moment."""
        self._wait_until = time.monotonic() + _RETRY

    def _person(self, seat: int | None) -> bool:
        """Whether somebody decides for the seat whom a clock can hurry."""
        return seat is not None and self._table.seats[seat].level is None and not self._table.seats[seat].away

    @property
    def promised(self) -> bool:
        """Whether somebody has just run out of time: a bot makes this decision even if nobody is there to see it."""
        table = self._table
        times, match = table.clock.times, table.match
        return times is not None and match is not None and times.called == match.version(None)

    def over(self, seat: int) -> bool:
        """Whether the time of a seat whose decision it is, or seems to be, has run out."""
        clock = self._table.clock
        if clock.times is None or self._table.seats[seat].level is not None:
            return False
        if seat == self._table.row.to_move_shown:
            return self.promised or clock.left(seat) <= 0.0
        return clock.free() <= 0.0

    def late(self, seat: int) -> bool:
        """Whether a bot decides because the time has run out, and not because the player was away before."""
        shown = seat == self._table.row.to_move_shown
        return self.promised if shown else self._person(seat) and self.over(seat)

    async def call_time(self) -> None:
        """If the time of the player for whom everybody waits has run out, note it; the second time they are away."""
        table, times = self._table, self._table.clock.times
        seat = table.row.to_move_shown
        if times is None or seat is None or not self._person(seat) or self.promised or table.clock.left(seat) > 0.0:
            return
        assert table.match is not None
        times = times.miss(seat, table.match.version(None))
        place = table.seats[seat]._replace(away=times.missed[seat] >= AWAY_AFTER)
        await table.save_seat(place, clock=times.to_dict())

    def present(self, seat: int) -> bool:
        """Whether the person of a seat is there, and not only a page that they left open."""
        table, times = self._table, self._table.clock.times
        waiting = times is not None and times.missed[seat] >= AWAY_AFTER
        return table.seats[seat].level is None and not waiting and table.connected(seat)

    def vacation(self) -> Away | None:
        """For which vacation the clock stands still: that of the player for whom everybody waits in a game over days.

        It saves nobody whose time had nearly run out when they went away.
        """
        table, clock = self._table, self._table.clock
        seat = table.row.to_move_shown
        if clock.times is None or clock.live or seat is None or table.status != "playing" or not self._person(seat):
            return None
        away = table.services.vacations.of(table.seats[seat].guest)
        if away is None or not clock.running:
            return away
        gone = clock.elapsed() - away.age
        left = clock.times.decision + clock.times.left[seat] - gone
        return away if gone <= 0.0 or left >= _TOO_LATE else None

    def _runs(self) -> bool:
        """Whether the clock should run: a live one while a player is there, any other while somebody plays at all."""
        table = self._table
        if table.clock.live:
            return any(self.present(place.seat) for place in table.seats)
        return not table.bots.paused and self.vacation() is None

    async def look(self) -> None:
        """Let the clock run or stand still, and keep what is stored about it true."""
        table, clock = self._table, self._table.clock
        if clock.times is None or table.status != "playing" or table.closing:
            return
        changes: dict[str, Any] = {}
        away = self.vacation()
        if self._runs() != clock.running:
            if clock.running:
                gone = clock.stop(0.0 if away is None else away.age)
                changes["clock"] = clock.times._replace(stopped=gone).to_dict()
            else:
                clock.run()
                if not clock.live:
                    changes["clock"] = clock.times._replace(stopped=None).to_dict()
                    changes["updated"] = now(clock.elapsed())
        assert table.match is not None
        deadline = self.deadline(table.match.game, clock.times, changes.get("updated", table.row.updated))
        if away is not None and not clock.running:
            deadline = away.shown  # then it has to be looked after again
        if deadline != table.row.deadline:
            changes["deadline"] = deadline
        if changes:
            await table.save(changes)

    async def rest(self) -> None:
        """The server stops: a live clock stands still until somebody is back."""
        clock = self._table.clock
        if clock.times is not None and clock.live and clock.running and self._table.status == "playing":
            await self._table.save({"clock": clock.times._replace(stopped=clock.stop()).to_dict()})

    def deadline(self, game: Game, times: Times, updated: str) -> str | None:
        """When the table has to be in memory even if nobody is there; live ones stand still then."""
        table, seat = self._table, game.to_move
        if table.clock.live or not table.clock.running or seat is None or not self._person(seat):
            return None
        seconds = times.decision + (times.left[seat] if seat == game.view(None).to_move else 0.0)
        return runs_out(updated, seconds)

    def charge(self, seat: int, by: str, undo: bool) -> tuple[Times | None, float]:
        """The times after a change that everybody sees, and how much of the next decision's time is gone already.

        Taking back gives no more time than there was: it goes on where it was.
        """
        clock = self._table.clock
        times, elapsed = clock.times, clock.elapsed()
        if times is None:
            return None, 0.0
        gone = self._spent.pop(seat, 0.0) if undo else 0.0
        shown = self._table.row.to_move_shown
        if not undo and shown is not None and self._person(shown):
            times = times.spend(shown, elapsed)
            self._spent[shown] = min(elapsed, times.decision)
        if not undo and by in ("player", "auto"):
            times = times.forgive(seat)
        return times if times.stopped is None else times._replace(stopped=None), gone

    def _next(self) -> float | None:
        """Seconds until somebody's time runs out, or until it runs again; None while it does not."""
        table, clock = self._table, self._table.clock
        if clock.times is None or table.match is None:
            return None
        if not clock.running:
            away = self.vacation()
            return None if away is None else away.left
        asked, shown = table.match.game.to_move, table.row.to_move_shown
        limits = [clock.left(shown)] if shown is not None and self._person(shown) else []
        if asked != shown and self._person(asked):
            limits.append(clock.free())
        return min(limits, default=None)

    def soon(self, seconds: float) -> bool:
        """Whether somebody's time runs out within so many seconds."""
        left = self._next()
        return left is not None and left <= seconds

    def wind(self) -> None:
        """Wake the table when the present time is over, or soon if something has to be tried again."""
        self.cancel()
        left = self._next()
        if self.waits():
            left = min(left or _RETRY, _RETRY)
        if left and self._table.status == "playing" and not self._table.closing:
            self._timer = asyncio.get_running_loop().call_later(left + 0.01, self._table.poke)

    def cancel(self) -> None:
        """Let it be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
