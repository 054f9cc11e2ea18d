"""Whoever breaks things: one fault after the other, now and then two at once."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import NamedTuple

from tests.cluster.cluster import LEASE, Cluster, Server
from tests.cluster.link import Link
from tests.cluster.processes import Process

__all__ = ["Fault", "Nemesis"]


class Fault(NamedTuple):
    """Something that went wrong for a while."""

    kind: str
    begun: float
    ended: float


class Nemesis:
    """Knows all the ways to break a cluster, and mends what it broke."""

    def __init__(self, cluster: Cluster, seed: int, say: Callable[[str], None]) -> None:
        self.cluster = cluster
        self.rng = random.Random(seed)
        self.say = say
        self.faults: list[Fault] = []
        self._busy: set[str] = set()
        """What is broken just now."""
        self.kinds: dict[str, Callable[[], Awaitable[None]]] = {
            "kill a server": self._kill_server,
            "end a server politely": self._end_server,
            "pause a server past its lease": self._pause_server,
            "pause a server for a moment": self._pause_server_shortly,
            "kill a worker": self._kill_worker,
            "pause a worker": self._pause_worker,
            "kill Redis": self._kill_redis,
            "kill PostgreSQL": self._kill_postgres,
            "cut a way": self._cut,
            "break all connections of a way": self._drop,
            "delay a way": self._delay,
            "swallow what goes a way": self._swallow,
        }
        self.weights = dict(zip(self.kinds, (4, 2, 3, 1, 2, 1, 2, 2, 3, 1, 2, 3), strict=True))

    async def run(self, faults: int) -> None:
        """So many faults at random; each kind once to begin with."""
        first = list(self.kinds)
        self.rng.shuffle(first)
        while len(self.faults) < faults:
            left = faults - len(self.faults)
            number = 1 if first or left == 1 or self.rng.random() < 0.75 else 2
            chosen = [first.pop() if first else self._choice() for _ in range(number)]
            await asyncio.gather(*(self.break_(kind) for kind in chosen))
            assert not self.cluster.died(), f"{self.cluster.died()} ended without being asked, after {chosen}"
            await asyncio.sleep(self.rng.uniform(0.2, 1.5))

    def _choice(self) -> str:
        return self.rng.choices(list(self.weights), list(self.weights.values()))[0]

    async def break_(self, kind: str) -> None:
        """One fault, until it is mended."""
        begun = time.monotonic()
        await self.kinds[kind]()
        self.faults.append(Fault(kind, begun, time.monotonic()))

    def counted(self) -> Counter[str]:
        """How often what happened."""
        return Counter(fault.kind for fault in self.faults)

    async def _some(self, least: float, most: float) -> None:
        await asyncio.sleep(self.rng.uniform(least, most))

    def _one(self, processes: list[Process] | list[Server]) -> Process:
        free = [each for each in processes if each.name not in self._busy]
        return self.rng.choice(free or processes)

    async def _ended(self, process: Process, number: signal.Signals) -> None:
        if process.name in self._busy:
            return
        self._busy.add(process.name)
        try:
            code = await process.end(number)
            assert code in (0, -number), f"{process.name} ended with {code}"
            await self._some(0, 2)
            await process.start()
        finally:
            self._busy.discard(process.name)

    async def _kill_server(self) -> None:
        await self._ended(self._one(self.cluster.servers), signal.SIGKILL)

    async def _end_server(self) -> None:
        await self._ended(self._one(self.cluster.servers), signal.SIGTERM)

    async def _kill_worker(self) -> None:
        await self._ended(self._one(self.cluster.workers), signal.SIGKILL)

    async def _paused(self, process: Process, least: float, most: float) -> None:
        if process.name in self._busy:
            return
        self._busy.add(process.name)
        try:
            process.send(signal.SIGSTOP)
            await self._some(least, most)
            process.send(signal.SIGCONT)
        finally:
            self._busy.discard(process.name)

    async def _pause_server(self) -> None:
        await self._paused(self._one(self.cluster.servers), LEASE + 0.5, LEASE + 3)

    async def _pause_server_shortly(self) -> None:
        await self._paused(self._one(self.cluster.servers), 0.1, LEASE - 1)

    async def _pause_worker(self) -> None:
        await self._paused(self._one(self.cluster.workers), 0.5, 4)

    async def _kill_redis(self) -> None:
        redis = self.cluster.redis
        if "redis" in self._busy:
            return
        self._busy.add("redis")
        await asyncio.to_thread(redis.kill)
        await self._some(0, 3)
        await asyncio.to_thread(redis.start)
        self._busy.discard("redis")

    async def _kill_postgres(self) -> None:
        if "postgres" in self._busy:
            return
        self._busy.add("postgres")
        await asyncio.to_thread(self.cluster.postgres.kill)
        await self._some(0, 1.5)
        await asyncio.to_thread(self.cluster.postgres.start)
        self._busy.discard("postgres")

    def _way(self) -> Link:
        server = self.rng.choice(self.cluster.servers)
        return self.rng.choice(list(server.links.values()))

    async def _cut(self) -> None:
        way = self._way()
        way.cut()
        await self._some(0.2, LEASE + 2)
        way.mend()

    async def _drop(self) -> None:
        self._way().drop()

    async def _delay(self) -> None:
        way = self._way()
        way.delay = self.rng.uniform(0.05, 0.6)
        await self._some(1, 4)
        way.mend()

    async def _swallow(self) -> None:
        way = self._way()
        way.swallow()
        await self._some(0.5, LEASE + 3)
        way.mend()
