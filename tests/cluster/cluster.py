"""Three servers and two workers on a PostgreSQL and a Redis of their own, with a link on every way between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.cluster.checker import Stored
from tests.cluster.link import Link
from tests.cluster.processes import Process
from tests.cluster.reading import WATCH, from_postgres
from tests.server.engines import PASSWORD, Postgres, Redis, free_port

__all__ = ["LEASE", "Cluster", "Server", "clustered"]

LEASE = 3.0
MANY = "1000000 per second"
LIMITS = (
    "message_rate chat_rate hint_rate review_rate request_rate table_rate message_rate_per_address "
    "chat_rate_per_address hint_rate_per_address review_rate_per_address request_rate_per_address "
    "table_rate_per_address guest_rate_per_address"
)
COUNTS = (
    "sockets_per_address connections_per_address spectators_per_address open_tables_per_guest "
    "open_tables_per_address public_tables_per_address bot_tables_per_address"
)
SETTINGS: dict[str, object] = {
    **dict.fromkeys(LIMITS.split(), MANY),
    **dict.fromkeys(COUNTS.split(), 1_000_000),
    "secret": "of-all-servers-the-same-one-and-long",
    "lease_seconds": LEASE,
    "bot_pause": 0,
    "bot_milliseconds": 20,
    "bot_workers": 1,
    "log_level": "error",
}
"""For people who do nothing but play, all from one address."""


class Server(Process):
    """One of several, with its own ways to the engines and from the other servers."""

    def __init__(self, name: str, port: int, links: dict[str, Link], settings: dict[str, Any], folder: Path) -> None:
        super().__init__(name, ["serve", "--port", str(port)], settings, folder)
        self.port = port
        self.links = links


class Cluster:
    """Everything that runs."""

    def __init__(
        self, folder: Path, postgres: Postgres, redis: Redis, settings: Mapping[str, object], *, linked: bool
    ) -> None:
        self.folder = folder
        self._settings = dict(settings)
        self._linked = linked
        self.postgres = postgres
        self.redis = redis
        self.database = ""
        self.servers: list[Server] = []
        self.workers: list[Process] = []

    async def start(self, servers: int, workers: int) -> None:
        """The first server makes the tables of the database; then it is watched who writes to them."""
        self.database = await asyncio.to_thread(self.postgres.new_database)
        for number in range(1, servers + 1):
            self.servers.append(await self._server(number))
        await self.servers[0].start()
        await asyncio.to_thread(self.postgres.sql, WATCH, self.database)
        settings = {"redis": self.redis.url, "log_level": "error"}
        words = ["worker", "--processes", "1"]
        self.workers = [Process(f"worker{n}", words, settings, self.folder) for n in range(1, workers + 1)]
        await asyncio.gather(*(each.start() for each in (*self.servers[1:], *self.workers)))

    async def _server(self, number: int) -> Server:
        name, port = f"server{number}", free_port()
        role = f"CREATE ROLE {name} SUPERUSER LOGIN PASSWORD '{PASSWORD}'"
        await asyncio.to_thread(self.postgres.sql, role)
        targets = {"postgres": self.postgres.port, "redis": self.redis.port, "peers": port}
        links = {name: Link(name, target) for name, target in targets.items()} if self._linked else {}
        for link in links.values():
            await link.start()
        ports = targets | {name: link.port for name, link in links.items()}
        settings = {
            **self._settings,
            "database": f"postgresql://{name}:{PASSWORD}@127.0.0.1:{ports['postgres']}/{self.database}",
            "redis": f"redis://127.0.0.1:{ports['redis']}/0",
            "advertise": f"http://127.0.0.1:{ports['peers']}",
        }
        return Server(name, port, links, settings, self.folder)

    @property
    def addresses(self) -> list[str]:
        """Where the servers are."""
        return [f"127.0.0.1:{server.port}" for server in self.servers]

    @property
    def processes(self) -> list[Process]:
        """All that may be killed."""
        return [*self.servers, *self.workers]

    def died(self) -> list[str]:
        """Those that should run and do not."""
        return [each.name for each in self.processes if each.wanted and not each.running]

    async def stop(self) -> None:
        """End everything."""
        await asyncio.gather(*(each.end() for each in self.processes))
        for server in self.servers:
            for link in server.links.values():
                await link.stop()

    def stored(self) -> Stored:
        """What the database holds."""
        return from_postgres(self.postgres, self.database)


@asynccontextmanager
async def clustered(
    folder: Path,
    servers: int = 3,
    workers: int = 2,
    settings: Mapping[str, object] = SETTINGS,
    *,
    linked: bool = True,
) -> AsyncIterator[Cluster]:
    """A cluster that runs while the block does; without links its processes talk to each other directly."""
    async with AsyncExitStack() as stack:
        postgres = await asyncio.to_thread(Postgres)
        stack.callback(postgres.remove)
        redis = await asyncio.to_thread(Redis)
        stack.callback(redis.remove)
        await asyncio.to_thread(postgres.start)
        await asyncio.to_thread(redis.start)
        cluster = Cluster(folder, postgres, redis, settings, linked=linked)
        stack.push_async_callback(cluster.stop)
        await cluster.start(servers, workers)
        yield cluster
