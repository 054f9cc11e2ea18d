"""What a process does when it hears of the others, or of commands that were carried out beside the servers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from typing import Any

import structlog

from nevsky.server.bans import Bans, banned
from nevsky.server.errors import Refusal
from nevsky.server.hub import Hub
from nevsky.server.ownership import Lease
from nevsky.server.profiles.devices import send_out
from nevsky.server.renewals import Renewals
from nevsky.server.storage import Storage
from nevsky.server.vacations.registry import Vacations

__all__ = ["Membership"]

log = structlog.get_logger()


class Membership:
    """Listens to the processes, and acts."""

    def __init__(
        self,
        hub: Hub,
        storage: Storage,
        bans: Bans,
        renewals: Renewals,
        ahead: float,
        lobby: Callable[[Any], object],
        vacations: Vacations,
    ) -> None:
        self._hub = hub
        self._storage = storage
        self._bans = bans
        self._renewals = renewals
        self._ahead = ahead
        """Seconds within which a clock has to be looked after."""
        self._lobby = lobby
        """Hears what other lobbies say."""
        self._vacations = vacations
        self._busy: dict[str, asyncio.Task[None]] = {}

    async def close(self) -> None:
        """Stop what is under way."""
        for task in self._busy.values():
            task.cancel()
        await asyncio.gather(*self._busy.values(), return_exceptions=True)

    def lost_all(self) -> None:
        """This process was taken for dead."""
        self._hub.lose()

    def others_ended(self) -> None:
        """Another process has ended: tables with bots and clocks go on here, unless somebody else is faster."""
        self._start("take_over", lambda: self._hub.take_over(self._ahead))

    def heard(self, news: dict[str, Any]) -> None:
        """Tables were changed and have lost their owners for that, or other people are banned."""
        tables = news.get("tables")
        if isinstance(tables, list):
            self._hub.lose({str(each) for each in tables})
            self.others_ended()  # bots may be at their turn there
        if "lobby" in news:
            self._lobby(news["lobby"])
        devices = news.get("signed_out")
        if isinstance(devices, list):
            send_out(self._hub, {str(each) for each in devices})
        if "vacation" in news:
            self._vacations.hear(news["vacation"])
        if news.get("bans"):
            self._start("bans", self._look_at_bans)

    def held(self, mine: Collection[Lease]) -> None:
        """Let go of tables that the database knows as somebody else's."""
        known = set(mine)
        gone = {lease.table for lease in self._hub.leases() if self._renewals.of(lease) not in known}
        if gone:
            self._hub.lose(gone)
        self._start("bans", self._look_at_bans)
        self._start("vacations", lambda: self._vacations.load(self._storage))

    async def _look_at_bans(self) -> None:
        bans = self._bans
        await bans.load(self._storage)
        self._hub.send_away(
            lambda table, viewer: (
                bans.bans_guest(viewer.guest)
                or bans.bans_address(viewer.address)
                or (viewer.seat is not None and bans.bans_guest(table.seats[viewer.seat].guest))
            ),
            banned(),
        )

    def _start(self, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Once at a time."""
        if what in self._busy:
            return
        task = self._busy[what] = asyncio.create_task(self._do(what, work))
        task.add_done_callback(lambda _: self._busy.pop(what, None))

    async def _do(self, what: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        try:
            await work()
        except Refusal as refusal:
            log.warning("membership_waits", what=what, code=refusal.code)
        except Exception:
            log.exception("membership_failed", what=what)
