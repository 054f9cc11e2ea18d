"""Several servers that are measured as one, with what they stand on."""

from __future__ import annotations

import random
import secrets
import zlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

from nevsky.errors import NevskyError
from nevsky.server.load_engines import Engine, postgres, redis
from nevsky.server.load_server import LoadServer, serving

__all__ = ["Kind", "LoadServers", "Setup", "servers"]

Kind = Literal["sqlite", "postgresql"]
_MOST: Final = 16


class Setup(NamedTuple):
    """What is measured."""

    processes: int = 1
    database: Kind = "sqlite"
    redis: bool = False
    by_table: bool = False
    """Whether everything about a table goes to the same server, as with a proxy that hashes on its id."""

    def check(self) -> None:
        """Refuse what does not exist."""
        if not 1 <= self.processes <= _MOST:
            raise NevskyError("load.processes", most=_MOST, processes=self.processes)
        if self.database == "sqlite" and (self.processes > 1 or self.redis):
            raise NevskyError("load.needs_postgresql")


class LoadServers:
    """All servers together."""

    def __init__(self, each: list[LoadServer], engines: list[Engine], *, by_table: bool) -> None:
        self.each = each
        self.engines = engines
        self._by_table = by_table
        self._rng = random.Random(1)  # noqa: S311

    def of(self, table: str = "") -> LoadServer:
        """The server that a proxy would choose."""
        if table and self._by_table:
            return self.each[zlib.crc32(table.encode()) % len(self.each)]
        return self._rng.choice(self.each)

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Ask one of them as somebody new; blocks."""
        return self.of(path.removeprefix("/api/tables").strip("/").partition("/")[0]).post(path, body)

    def memory(self) -> int:
        """Resident kilobytes."""
        return sum(server.memory() for server in self.each)

    def processor_seconds(self) -> float:
        """Time of the processor used so far by the servers themselves."""
        return sum(server.processor_seconds() for server in self.each)

    def engine_seconds(self) -> dict[str, float]:
        """The same of what they stand on."""
        return {engine.name: engine.processor_seconds() for engine in self.engines}

    def said(self) -> int:
        """Lines in their logs: errors."""
        return sum(len(server.log.read_text(encoding="utf-8").splitlines()) for server in self.each)

    def forwarded(self) -> float:
        """Connections and requests that one has passed on to another; blocks."""
        return sum(server.metric("nevsky_forwarded_total") for server in self.each)


@asynccontextmanager
async def servers(folder: Path, setup: Setup) -> AsyncIterator[LoadServers]:
    """So many servers while the block runs, on engines of their own."""
    async with AsyncExitStack() as stack:
        settings: dict[str, object] = {}
        engines: list[Engine] = []
        if setup.database == "postgresql":
            engines.append(await stack.enter_async_context(postgres()))
            settings = {"database": engines[0].url, "secret": secrets.token_urlsafe(32)}
        if setup.redis:
            engines.append(await stack.enter_async_context(redis()))
            settings["redis"] = engines[1].url
        started = []
        for number in range(setup.processes):
            own = folder / str(number)
            own.mkdir(exist_ok=True)
            started.append(await stack.enter_async_context(serving(own, settings)))
        yield LoadServers(started, engines, by_table=setup.by_table)
