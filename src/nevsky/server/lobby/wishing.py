"""What concerns one guest in the lobby of this process: their wish until they have a table, and who invites them."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final, NamedTuple

import structlog

from nevsky.server.errors import Refusal, moved
from nevsky.server.lobby.lobby import Lobby
from nevsky.server.lobby.queue import Matched, Queue, playable
from nevsky.server.lobby.visitor import Visitor
from nevsky.server.protocol import InvitationInfo, LobbyOwn, Wish

__all__ = ["Wishing"]

_LOOK_AGAIN: Final = 20.0
"""Seconds after which we look whether a notice was missed, or whether we were taken for dead."""
log = structlog.get_logger()


class _Wished(NamedTuple):
    visitor: Visitor
    wish: Wish
    timer: asyncio.TimerHandle | None
    """Until bots may play."""
    since: float


class Wishing:
    """Brings wishes into the queue, and tables to those who wait."""

    def __init__(
        self, lobby: Lobby, queue: Queue, invitations: Callable[[str], Awaitable[list[InvitationInfo]]] | None
    ) -> None:
        self._lobby = lobby
        self._queue = queue
        self._invitations = invitations
        self._wished: dict[str, _Wished] = {}
        """By guest; each has one wish, however many tabs they have."""
        self._looking: set[str] = set()
        """Those who will be told in a moment, however often something happens."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._again: asyncio.TimerHandle | None = None
        lobby.count_waiting = queue.count

    async def wish(self, visitor: Visitor, wish: Wish) -> None:
        """Somebody waits from now on."""
        if visitor.guest is None:
            raise Refusal("not_allowed", "wish_guest")
        if not playable(wish):
            raise Refusal("refused", "wish_nothing")
        matched = await self._queue.enter(visitor.guest, visitor.ticket, wish, visitor.address)
        if visitor.closed:
            await self._queue.leave(visitor.guest, visitor.ticket)
            return
        self._keep(visitor.guest, visitor, wish)
        visitor.number = wish.number
        if matched is None or visitor.guest not in matched.guests:
            await self._tell(visitor.guest)
        self._made(matched)
        self._lobby.changed("queue")

    async def unwish(self, visitor: Visitor, number: int = 0) -> None:
        """They wait no longer."""
        wished = self._wished.get(visitor.guest or "")
        if visitor.guest is None or wished is None:
            visitor.number = number
            return
        await self._queue.leave(visitor.guest, wished.visitor.ticket)
        place = await self._queue.place_of(visitor.guest)
        if place is None or place.table is None:  # else it was too late: the others wait for them
            self._forget(visitor.guest)
        visitor.number = number
        self._lobby.changed("queue")
        await self._tell(visitor.guest)

    async def depart(self, visitor: Visitor) -> None:
        """A connection has ended, and with it what was wished for through it."""
        wished = self._wished.get(visitor.guest or "")
        if visitor.guest is not None and wished is not None and wished.visitor is visitor:
            self._forget(visitor.guest)
            with contextlib.suppress(Refusal):
                await self._queue.leave(visitor.guest, visitor.ticket)
            self._lobby.changed("queue")

    async def greet(self, visitor: Visitor) -> None:
        """Somebody has come: they hear what concerns them."""
        visitor.send(await self._own(visitor.guest))

    def look(self, guest: str) -> None:
        """Something has happened to a guest, perhaps at another process."""
        if guest in self._lobby and guest not in self._looking:
            self._looking.add(guest)
            self._do(self._tell(guest))

    def _keep(self, guest: str, visitor: Visitor, wish: Wish) -> None:
        since = self._wished[guest].since if guest in self._wished else time.monotonic()
        self._forget(guest)
        timer = None
        if wish.bots_after is not None:
            timer = asyncio.get_running_loop().call_later(wish.bots_after + 0.05, self._fill)
        self._wished[guest] = _Wished(visitor, wish, timer, since)
        if self._again is None:
            self._again = asyncio.get_running_loop().call_later(_LOOK_AGAIN, self._look_again)

    def _forget(self, guest: str) -> None:
        wished = self._wished.pop(guest, None)
        if wished is not None and wished.timer is not None:
            wished.timer.cancel()

    def _look_again(self) -> None:
        self._again = None
        for guest in self._wished:
            self._do(self._tell(guest))
        if self._wished:
            self._again = asyncio.get_running_loop().call_later(_LOOK_AGAIN, self._look_again)

    def _fill(self) -> None:
        async def fill() -> None:
            self._made(await self._queue.try_again())
            self._lobby.changed("queue")

        self._do(fill())

    def _made(self, matched: Matched | None) -> None:
        if matched is not None:
            for guest in matched.guests:
                self._lobby.changed(f"guest {guest}")

    async def _tell(self, guest: str) -> None:
        """Say how it stands; whoever has a table waits no longer."""
        self._looking.discard(guest)
        table = await self._table_of(guest)
        own = await self._own(guest, table)
        for visitor in self._lobby.of(guest):
            visitor.send(own.model_copy(update={"number": visitor.number}))

    async def _table_of(self, guest: str) -> str | None:
        """Where somebody plays now who has waited."""
        wished = self._wished.get(guest)
        if wished is None:
            return None
        place = await self._queue.place_of(guest)
        if self._wished.get(guest) is not wished:
            return None
        if place is None:  # we were taken for dead for a moment
            await self._enter_again(guest, wished)
        elif place.table is not None:
            self._forget(guest)
            await self._queue.told(guest)
            return place.table
        elif place.ticket != wished.visitor.ticket:  # they wait at another process now, in another tab
            self._forget(guest)
        return None

    async def _enter_again(self, guest: str, wished: _Wished) -> None:
        try:
            self._made(await self._queue.enter(guest, wished.visitor.ticket, wished.wish, wished.visitor.address))
        except Refusal as refusal:
            if refusal.code != "not_allowed":
                raise
            self._forget(guest)  # they are no more, or somebody else by now
            for visitor in self._lobby.of(guest):
                visitor.dismiss(moved())

    async def _own(self, guest: str | None, table: str | None = None) -> LobbyOwn:
        invited = [] if guest is None or self._invitations is None else await self._invitations(guest)
        wished = self._wished.get(guest or "")
        seconds = 0 if wished is None else round(time.monotonic() - wished.since)
        return LobbyOwn(wish=wished and wished.wish, seconds=seconds, table=table, invitations=invited)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        async def done() -> None:
            try:
                await work
            except Refusal as refusal:
                log.warning("wish_waits", code=refusal.code)
            except Exception:
                log.exception("wish_failed")

        task = asyncio.create_task(done())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """Let nobody wait any longer."""
        if self._again is not None:
            self._again.cancel()
        for guest in list(self._wished):
            self._forget(guest)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
