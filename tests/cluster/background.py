"""A cluster behind nginx in a thread of its own, for tests that have no event loop to spare."""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from tests.cluster.cluster import Cluster, Server, clustered
from tests.deploy.several import proxied

__all__ = ["Site", "site"]

_T = TypeVar("_T")
_PATIENCE = 180.0


class Site:
    """Where visitors go, and what can be done behind it."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._stack = AsyncExitStack()
        self.cluster: Cluster
        self.address = ""

    def do(self, work: Coroutine[Any, Any, _T]) -> _T:
        """Carry something out over there."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    def start(self, folder: Path, servers: int, workers: int) -> None:
        """Start everything; what is not installed is told as everywhere."""
        self._thread.start()
        self.do(self._enter(folder, servers, workers))

    async def _enter(self, folder: Path, servers: int, workers: int) -> None:
        cluster = clustered(folder, servers, workers, linked=False)
        self.cluster = await self._stack.enter_async_context(cluster)
        port = await self._stack.enter_async_context(proxied(folder, self.cluster.addresses, hashed=True))
        self.address = f"https://localhost:{port}"

    def owner_of(self, table: str) -> Server:
        """The server that has a table in memory."""
        query = f"SELECT p.address FROM leases l JOIN processes p ON p.id = l.owner WHERE l.table_id = '{table}'"
        address = self.cluster.postgres.sql(query, self.cluster.database).strip()
        return next(server for server in self.cluster.servers if address.endswith(f":{server.port}"))

    def kill(self, server: Server) -> None:
        """As if the power went out."""
        self.do(server.end(signal.SIGKILL))

    def revive(self, server: Server) -> None:
        """Start it again."""
        self.do(server.start())

    def stop(self) -> None:
        """End everything."""
        try:
            self.do(self._stack.aclose())
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout=10)
            self._loop.close()


@contextmanager
def site(folder: Path, servers: int = 2, workers: int = 2) -> Iterator[Site]:
    """A cluster behind nginx while the block runs."""
    found = Site()
    try:
        found.start(folder, servers, workers)
        yield found
    finally:
        found.stop()
