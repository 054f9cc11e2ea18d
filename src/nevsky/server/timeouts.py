"""What happens at a table when its clock runs out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["Timeouts"]

_RETRY: Final = 1.0
"""Seconds after which something that failed is tried again."""


class Timeouts:
    """Wakes the table when the time is over, and marks the player for whom everybody waits as away."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._timer: asyncio.TimerHandle | None = None
        self._called = -1
        """The version for which time was called last."""

    async def call_time(self) -> None:
        """When the clock has run out a bot decides, and the player for whom everybody waits counts as away.

        Somebody with a secret question is not marked: that would tell of it.
        """
        table = self._table
        assert table.match is not None
        version = table.match.version(None)
        if not table.clock.run_out() or self._called == version:
            return
        seat = table.match.view(None).to_move
        assert seat is not None
        if table.seats[seat].level is None and not table.seats[seat].away:
            await table.save_seat(table.seats[seat]._replace(away=True))
        self._called = version

    def wind(self, *, again: bool = False) -> None:
        """Wake the table when the present time is over, or soon if something has to be tried again."""
        self.cancel()
        left = self._table.clock.left()
        if again:
            left = min(left or _RETRY, _RETRY)
        if left and self._table.status == "playing" and not self._table.closing:
            self._timer = asyncio.get_running_loop().call_later(left, self._table.poke)

    def cancel(self) -> None:
        """Let it be."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
