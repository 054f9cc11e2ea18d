"""Real server processes on one PostgreSQL, and somebody who asks whichever comes first."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from tests.server.copies import Copy, start_copy
from tests.server.support import FAST, PLAIN, Json, Table

__all__ = ["SECRET", "Cluster", "Wanderer", "clustered"]

SECRET = "one secret for all of them"


class Process:
    """One `nevsky serve`."""

    def __init__(self, number: int, process: Copy, output: Path) -> None:
        self.number = number
        self.process = process
        self._output = output
        self.port = 0

    @property
    def runs(self) -> bool:
        return self.process.poll() is None

    @property
    def output(self) -> str:
        return self._output.read_text()

    async def started(self) -> None:
        end = time.monotonic() + 180  # a machine may have much else to do; one that ended is noticed at once
        while not (found := re.search(r"Nevsky is at http://\S+:(\d+)/", self.output)):
            assert self.runs, self.output
            assert time.monotonic() < end, self.output
            await asyncio.sleep(0.05)
        self.port = int(found[1])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    async def stop(self) -> None:
        """SIGTERM, and wait for the end."""
        self.process.terminate()
        await asyncio.to_thread(self.process.wait, 30)

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)


class Cluster:
    """Some of them."""

    def __init__(self, folder: Path, database: str, settings: Json) -> None:
        self._folder = folder
        wanted = {**FAST, "secret": SECRET, "database": database, "port": 0, **settings}
        self._environment = {**os.environ, **{f"NEVSKY_{key.upper()}": str(value) for key, value in wanted.items()}}
        self.all: list[Process] = []

    async def start(self, number: int = 1) -> list[Process]:
        """More of them."""
        new = []
        for _ in range(number):
            output = self._folder / f"server{len(self.all)}.txt"
            output.touch()
            new.append(Process(len(self.all), start_copy(["serve"], self._environment, output), output))
            self.all.append(new[-1])
        for each in new:
            await each.started()
        return new

    @property
    def running(self) -> list[Process]:
        return [each for each in self.all if each.runs]

    async def owner_of(self, table: str, sql: Any) -> Process:
        """The process that has a table, by what the database says."""
        query = f"SELECT address FROM leases JOIN processes ON id = owner WHERE table_id = '{table}'"
        address = str(sql(query)).strip()
        return next(each for each in self.all if address.endswith(f":{each.port}"))

    def close(self) -> None:
        for each in self.running:
            each.signal(signal.SIGCONT)
            each.process.terminate()
        for each in self.all:
            try:
                each.process.wait(20)
            except subprocess.TimeoutExpired:
                each.process.kill()


@asynccontextmanager
async def clustered(database: str, number: int, **settings: Any) -> AsyncIterator[Cluster]:
    """So many processes, which end with the block."""
    with tempfile.TemporaryDirectory(prefix="nevsky-cluster-") as folder:
        cluster = Cluster(Path(folder), database, settings)
        try:
            await cluster.start(number)
            yield cluster
        finally:
            await asyncio.to_thread(cluster.close)


class Wanderer:
    """A browser behind a proxy that knows nothing: every request goes to another process."""

    def __init__(self, cluster: Cluster, rng: random.Random, stack: AsyncExitStack) -> None:
        self.cluster = cluster
        self.rng = rng
        self.http = httpx.AsyncClient(timeout=20, verify=PLAIN)
        self._stack = stack
        stack.push_async_callback(self.http.aclose)

    def _port(self, among: Sequence[Process] | None) -> int:
        return self.rng.choice(among or self.cluster.running).port

    async def ask(self, method: str, path: str, among: Sequence[Process] | None = None, **more: Any) -> httpx.Response:
        """At any process, or one of some; like a proxy, at another one if nothing can have happened."""
        for _ in range(20):
            with contextlib.suppress(httpx.ConnectError):
                answer = await self.http.request(method, f"http://127.0.0.1:{self._port(among)}{path}", **more)
                if "x-nevsky-untouched" not in answer.headers:
                    return answer
            await asyncio.sleep(0.1)
        raise AssertionError(f"nobody answers {method} {path}")

    async def create(self, seats: str = "me easy", **ruleset: Any) -> Json:
        kinds = [{"kind": word} if word in ("me", "open") else {"kind": "bot", "level": word} for word in seats.split()]
        body = {"ruleset": {"players": len(kinds), **ruleset}, "seats": kinds}
        answer = await self.ask("POST", "/api/tables", json=body)
        assert answer.status_code == 201, answer.text
        found: Json = answer.json()
        await self.ask("GET", f"/api/tables/{found['table']}")  # from now on it belongs to some process
        return found

    async def open(self, table: str, query: str = "", among: Sequence[Process] | None = None) -> Table:
        cookies = "; ".join(f"{each.name}={each.value}" for each in self.http.cookies.jar)
        url = f"ws://127.0.0.1:{self._port(among)}/api/tables/{table}/ws{query}"
        opening = connect(url, additional_headers={"Cookie": cookies}, max_size=None)
        return Table(await self._stack.enter_async_context(opening))

    async def come_back(self, table: str, query: str = "", seconds: float = 20) -> Table:
        """Like a browser: again and again, until there is a state."""
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(ConnectionClosed, OSError, InvalidHandshake, TimeoutError):
                found = await self.open(table, query)
                if (await found.receive(5))["type"] == "state":
                    return found
            assert time.monotonic() < end
            await asyncio.sleep(self.rng.random() * 0.5)
