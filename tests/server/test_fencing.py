"""Many processes, tables and accidents at once: never do two owners write, and epochs only rise."""

from __future__ import annotations

import asyncio
import random
import signal
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from nevsky.server.errors import Refusal
from nevsky.server.ownership import Elsewhere, Lease
from nevsky.server.postgres_backend import PostgresBackend
from nevsky.server.processes import Processes
from nevsky.server.storage import Storage
from tests.cluster.processes import Process
from tests.server.engines import Postgres, free_port
from tests.server.support import SECRET, run
from tests.server.test_ownership import an_entry, new_table

TABLES = [f"t{number}" for number in range(4)]


class World:
    """What everybody was told, in the order in which they were."""

    def __init__(self) -> None:
        self.claims: dict[str, list[int]] = defaultdict(list)
        self.written: dict[str, dict[int, int]] = defaultdict(dict)
        """By the number of an entry: the epoch under which it was acknowledged."""
        self.refused = 0


class Actor:
    """A process that does what servers do, in any order: it believes in leases that it may have lost long ago."""

    def __init__(self, world: World, storage: Storage, processes: Processes, rng: random.Random) -> None:
        self.world = world
        self.storage = storage
        self.processes = processes
        self.rng = rng
        self.believes: dict[str, tuple[Lease, int]] = {}

    async def act(self) -> None:
        table = self.rng.choice(TABLES)
        await self.rng.choice((self.claim, self.write, self.write, self.write, self.give_back, self.beat))(table)

    async def claim(self, table: str) -> None:
        try:
            found = await self.processes.claim(table)
        except Refusal as refusal:
            assert refusal.code == "moved"
            return
        if isinstance(found, Elsewhere):
            assert found.process != self.processes.id
            return
        self.world.claims[table].append(found.epoch)
        stored = await self.storage.load(table)
        assert stored is not None
        self.believes[table] = found, len(stored.log)

    async def write(self, table: str) -> None:
        if table not in self.believes:
            return
        lease, entries = self.believes[table]
        try:
            await self.storage.append(lease, an_entry(entries + 1), round=entries)
        except Refusal as refusal:
            assert refusal.code == "moved"
            self.world.refused += 1
            del self.believes[table]
        else:
            assert entries + 1 not in self.world.written[table]
            self.world.written[table][entries + 1] = lease.epoch
            self.believes[table] = lease, entries + 1

    async def give_back(self, table: str) -> None:
        if table in self.believes and self.rng.random() < 0.3:
            await self.processes.release(self.believes.pop(table)[0])

    async def beat(self, _: str) -> None:
        before = self.processes.id
        await self.processes._beat()
        if self.processes.id != before and self.rng.random() < 0.5:
            self.believes.clear()  # what a server does; others may be too slow for it


@pytest.mark.parametrize("seed", range(12))
def test_no_two_owners_write_however_things_happen(database: str, seed: int) -> None:
    rng, world = random.Random(seed), World()

    async def scenario() -> None:
        actors = []
        for number in range(3):
            storage = await Storage.open(database)
            assert isinstance(storage.backend, PostgresBackend)
            processes = Processes(storage.backend, f"http://{number}", rng.choice((0.3, 5.0)))
            await processes._register(await processes._connected())
            actors.append(Actor(world, storage, processes, random.Random(rng.random())))
        for table in TABLES:
            await new_table(actors[0].storage, table)

        async def live(actor: Actor) -> None:
            for _ in range(60):
                await actor.act()
                if rng.random() < 0.1:
                    await asyncio.sleep(rng.random() * 0.1)

        async def accidents() -> None:
            for _ in range(15):
                await asyncio.sleep(0.03)
                victim = rng.choice(actors)
                async with victim.storage.writing() as connection:
                    await connection.exec_driver_sql(
                        "UPDATE processes SET until = clock_timestamp() WHERE id = $1", (victim.processes.id,)
                    )

        await asyncio.gather(*map(live, actors), accidents())
        for table in TABLES:
            stored = await actors[0].storage.load(table)
            assert stored is not None
            written = world.written[table]
            assert [entry.number for entry in stored.log] == sorted(written) == list(range(1, len(written) + 1))
            epochs = [written[number] for number in sorted(written)]
            assert epochs == sorted(epochs)
            assert len(set(world.claims[table])) == len(world.claims[table])
            assert set(epochs) <= set(world.claims[table])
        for actor in actors:
            await actor.processes.close()
            await actor.storage.close()

    run(scenario())
    assert sum(map(len, world.claims.values())) > 5


def a_server(database: str, folder: Path, name: str) -> tuple[Process, int]:
    port = free_port()
    settings = {"database": database, "secret": SECRET, "bot_workers": 1, "bot_pause": 0.5, "bot_milliseconds": 20}
    return Process(name, ["serve", "--port", str(port)], {**settings, "log_level": "error"}, folder), port


async def log_of(postgres: Postgres, database: str) -> int:
    return int(await asyncio.to_thread(postgres.sql, "SELECT count(*) FROM log", database.rpartition("/")[2]))


async def bots_alone(port: int) -> None:
    """Some games among bots with somebody at the table, who looks away."""
    import httpx

    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=20) as client:
        for _ in range(4):
            seats: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "bot"}, {"kind": "bot"}]
            made = await client.post("/api/tables", json={"ruleset": {"players": 3}, "seats": seats})
            await client.get(f"/api/tables/{made.json()['table']}")
        await asyncio.sleep(0.5)


@pytest.mark.parametrize("how", ["kill", "pause", "end"])
def test_bots_go_on_elsewhere_within_seconds(database: str, postgres: Postgres, tmp_path: Path, how: str) -> None:
    """People sit at these tables, but it is the bots' turn somewhere; nobody asks the server that is left."""
    name = database.rpartition("/")[2]
    waiting = (
        "SELECT count(*) FROM tables t JOIN seats s ON s.table_id = t.id AND s.seat = t.to_move"
        " WHERE t.status = 'playing' AND s.level IS NOT NULL"
    )

    async def scenario() -> None:
        one, port = a_server(database, tmp_path, "one")
        two, _ = a_server(database, tmp_path, "two")
        await one.start()
        try:
            await bots_alone(port)
            await two.start()
            while int(await asyncio.to_thread(postgres.sql, waiting, name)) == 0:
                await bots_alone(port)
            began = time.monotonic()
            if how == "pause":
                one.send(signal.SIGSTOP)
            else:
                await one.end(signal.SIGKILL if how == "kill" else signal.SIGTERM)
            while int(await asyncio.to_thread(postgres.sql, waiting, name)):
                assert time.monotonic() - began < 8
                await asyncio.sleep(0.1)
            if how == "pause":
                moves = await log_of(postgres, database)
                one.send(signal.SIGCONT)
                await asyncio.sleep(2)
                assert await log_of(postgres, database) == moves
        finally:
            await asyncio.gather(one.end(), two.end())

    run(scenario(), 120)
