"""The other processes that requests are passed on to: a pool of connections for each, as long as it runs."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Collection
from typing import Final

import httpx
import structlog
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from nevsky.server.ownership import Elsewhere

__all__ = ["Peer", "Peers"]

CONNECT_SECONDS: Final = 2.0
"""For a connection to be made: whoever runs on the same network answers at once."""
ANSWER_SECONDS: Final = 60.0
LOOK_SECONDS: Final = 1.0
"""Between two looks at which of the others still run."""
_LIMITS: Final = httpx.Limits(max_connections=100, max_keepalive_connections=20, keepalive_expiry=20.0)
"""The others keep idle connections for longer, so that nothing is sent into one that is just being closed."""
_MOST_MESSAGE: Final = 16 * 1024 * 1024
_MOST_WAITING: Final = 8
"""Messages that were read and not yet handed on; then reading stops, and the other process has to wait."""
log = structlog.get_logger()


class Peer:
    """One other process."""

    def __init__(self, owner: Elsewhere) -> None:
        self.process = owner.process
        self._address = owner.address.rstrip("/")
        timeout = httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS, pool=CONNECT_SECONDS)
        self.http = httpx.AsyncClient(limits=_LIMITS, timeout=timeout, trust_env=False)
        self.gone = asyncio.Event()
        """It does not run any more, or has lost all its tables."""

    def url(self, target: str) -> str:
        """Where it is asked for something."""
        return self._address + target

    async def connect(self, target: str, headers: list[tuple[str, str]]) -> ClientConnection | None:
        """A WebSocket to it, None if it cannot be reached."""
        try:
            return await connect(
                "ws" + self.url(target).removeprefix("http"),
                additional_headers=headers,
                user_agent_header=None,
                compression=None,
                proxy=None,
                open_timeout=2 * CONNECT_SECONDS,
                close_timeout=CONNECT_SECONDS,
                max_size=_MOST_MESSAGE,
                max_queue=_MOST_WAITING,
            )
        except (OSError, WebSocketException) as error:
            log.warning("peer_not_reached", process=self.process, reason=repr(error))
            return None

    async def leave(self) -> None:
        """It is not needed any more."""
        self.gone.set()
        with contextlib.suppress(Exception):
            await self.http.aclose()


class Peers:
    """Those that were asked lately; whoever stopped running is noticed within a second or two and forgotten."""

    def __init__(self, running: Callable[[Collection[str]], Awaitable[Collection[str]]]) -> None:
        self._running = running
        self._peers: dict[str, Peer] = {}
        self._watcher = asyncio.create_task(self._watch())

    def get(self, owner: Elsewhere) -> Peer:
        """The process that has a table."""
        found = self._peers.get(owner.process)
        if found is None:
            found = self._peers[owner.process] = Peer(owner)
        return found

    def runs(self, owner: Elsewhere) -> bool:
        """Whether a process was asked lately and still runs."""
        return owner.process in self._peers

    async def _watch(self) -> None:
        """A process that hangs keeps its connections, so that only its lease tells."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                if self._peers:
                    await self._look()
            except Exception as error:  # the database is away; then nobody can have lost a lease
                log.warning("peers_not_looked_at", reason=repr(error))

    async def _look(self) -> None:
        running = await self._running(list(self._peers))
        for process in [each for each in self._peers if each not in running]:
            await self._peers.pop(process).leave()

    async def close(self) -> None:
        """Ask nobody any more."""
        self._watcher.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self._watcher
        for peer in self._peers.values():
            await peer.leave()
        self._peers.clear()
