"""PostgreSQL goes away, hangs, or the connection to it breaks at the worst moment: nobody is told anything wrong."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from nevsky.server.errors import Refusal
from nevsky.server.schema import ChatRow
from nevsky.server.storage import Storage, now
from tests.server.engines import Postgres
from tests.server.pairs import seated, two_players
from tests.server.support import Table, run, running
from tests.server.test_ownership import an_entry, claimed, new_table, process


class Wire:
    """A way to PostgreSQL that can be cut in either direction. New connections are always whole."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._pipes: list[_Pipe] = []
        self.port = 0

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        pipe = _Pipe((reader, writer), await asyncio.open_connection("127.0.0.1", self._port))
        self._pipes.append(pipe)
        await pipe.run()

    def lose_answers(self) -> None:
        """What is asked arrives, and the answer does not: the connection breaks instead."""
        for pipe in self._pipes:
            pipe.lose_answers = True

    def lose_questions(self) -> None:
        """The connection breaks with the next thing that is asked."""
        for pipe in self._pipes:
            pipe.lose_questions = True

    def hold_questions(self) -> None:
        """The same, but what was asked arrives later, when nobody waits for it any more."""
        for pipe in self._pipes:
            pipe.lose_questions = pipe.late = True

    async def deliver(self) -> None:
        """What was held arrives."""
        for pipe in self._pipes:
            await pipe.deliver()


class _Pipe:
    def __init__(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        server: tuple[asyncio.StreamReader, asyncio.StreamWriter],
    ) -> None:
        self._client = client
        self._server = server
        self.lose_answers = self.lose_questions = self.late = False
        self._held = b""

    async def run(self) -> None:
        up = asyncio.create_task(self._up())
        with contextlib.suppress(OSError):
            await self._down()
        self._client[1].close()
        with contextlib.suppress(OSError):
            await up

    async def _up(self) -> None:
        while data := await self._client[0].read(65536):
            if self.lose_questions:
                self._held += data
                self._client[1].transport.abort()
                continue
            self._server[1].write(data)
        if not self._held:
            self._server[1].close()

    async def _down(self) -> None:
        while data := await self._server[0].read(65536):
            if self.lose_answers:
                self._client[1].transport.abort()
            elif not self._held:
                self._client[1].write(data)

    def end(self) -> None:
        for _, writer in (self._client, self._server):
            writer.transport.abort()

    async def deliver(self) -> None:
        if self.late and self._held:
            self._server[1].write(self._held)
            await asyncio.sleep(0.5)
            self._server[1].close()


@asynccontextmanager
async def wire(postgres: Postgres) -> AsyncIterator[Wire]:
    found = Wire(postgres.port)
    server = await asyncio.start_server(found._connected, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()
        for pipe in found._pipes:
            pipe.end()
        await asyncio.sleep(0.05)


async def numbers(database: str) -> list[int]:
    """Of the entries in the log, seen without the wire."""
    storage = await Storage.open(database)
    stored = await storage.load("t")
    await storage.close()
    assert stored is not None
    return [entry.number for entry in stored.log]


@pytest.mark.parametrize(
    ("how", "owned"),
    [
        ("lose_answers", True),
        ("lose_answers", False),
        ("lose_questions", True),
        ("lose_questions", False),
        ("hold_questions", True),  # only a lease shuts it out
    ],
)
def test_a_move_whose_answer_never_comes(postgres: Postgres, database: str, how: str, owned: bool) -> None:
    async def scenario() -> None:
        async with wire(postgres) as cable, process(through(database, cable), "a", 30) as (storage, one):
            await new_table(storage)
            table: Any = await claimed(one) if owned else "t"
            await storage.append(table, an_entry(1), round=1)
            getattr(cable, how)()
            if how == "lose_answers":
                await storage.append(table, an_entry(2), round=2)
                assert await numbers(database) == [1, 2]
            else:
                with pytest.raises(Refusal) as refused:
                    await storage.append(table, an_entry(2), round=2)
                assert refused.value.code == "storage"
                assert await numbers(database) == [1]
                await cable.deliver()
                assert await numbers(database) == [1]
                await storage.append(table, an_entry(2), round=2)
            await storage.append(table, an_entry(3), round=3)
            await storage.say(table, ChatRow(0, "Anna", "hello", now()))
            assert await numbers(database) == [1, 2, 3]
            if owned:
                await one.release(table)
                assert await claimed(one) > table

    run(scenario())


def through(database: str, cable: Wire) -> str:
    head, _, name = database.rpartition("/")
    return f"{head.rpartition(':')[0]}:{cable.port}/{name}"


@pytest.mark.parametrize("how", ["lose_answers", "lose_questions"])
def test_a_commit_whose_answer_never_comes(postgres: Postgres, database: str, how: str) -> None:
    async def scenario() -> None:
        async with wire(postgres) as cable, process(through(database, cable), "a", 30) as (storage, one):
            await new_table(storage)
            lease = await claimed(one)

            async def write() -> None:
                async with storage.writing(lease) as connection:
                    await connection.exec_driver_sql("UPDATE tables SET round = 7")
                    getattr(cable, how)()

            if how == "lose_answers":
                await write()
            else:
                with pytest.raises(Refusal) as refused:
                    await write()
                assert refused.value.code == "storage"
            stored = await storage.load("t")
            assert stored is not None
            assert stored.table.round == (7 if how == "lose_answers" else None)

    run(scenario())


async def moves_on(active: Table) -> int:
    version: int = active.state["version"]
    await active.play(active.state["choices"][0]["action"])
    return version


@pytest.mark.parametrize("how", ["stop", "kill", "hang"])
def test_a_database_that_goes_away_and_comes_back(postgres: Postgres, database: str, how: str) -> None:
    """So long as the leases last nobody loses their table; moves are refused meanwhile, and nothing has changed."""

    async def scenario() -> None:
        async with running(database, lease_seconds=60.0) as server:
            anna, boris, name = await two_players(server)
            active, other = await seated((anna, boris, name))
            assert (await anna.http.get("/ready")).status_code == 200
            if how == "hang":
                for pid in await asyncio.to_thread(backends, postgres):
                    os.kill(pid, signal.SIGSTOP)
            else:
                await asyncio.to_thread(getattr(postgres, how))
            try:
                version = active.state["version"]
                await active.act(active.state["choices"][0]["action"])
                if how != "hang":
                    assert (await active.error())["code"] == "storage"
                    await asyncio.sleep(1.1)  # an answer holds for a second
                    answer = await anna.http.get("/ready")
                    assert (answer.status_code, answer.json()["reason"]) == (503, "unreachable")
                    assert (await (await server.visitor()).http.get("/api/me")).status_code == 503
                else:
                    await asyncio.sleep(1)
                    assert active.state["version"] == version
            finally:
                if how == "hang":
                    for pid in await asyncio.to_thread(backends, postgres):
                        os.kill(pid, signal.SIGCONT)
                else:
                    await asyncio.to_thread(postgres.start)
            if how == "hang":
                await active.until(lambda state: state["version"] > version)
            else:
                await asyncio.sleep(1.1)
                assert (await anna.http.get("/ready")).status_code == 200
                await active.until(lambda state: state["version"] == version)
                assert await moves_on(active) == version
            await other.until(lambda state: state["version"] > version)
            stored = await server.components.storage.load(name)
            assert stored is not None
            assert [entry.number for entry in stored.log] == list(range(1, len(stored.log) + 1))

    run(scenario())


def backends(postgres: Postgres) -> list[int]:
    """The processes of PostgreSQL that work for a server."""
    assert postgres.process is not None
    found = []
    for folder in Path("/proc").iterdir():
        with contextlib.suppress(OSError, ValueError, IndexError):
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if parent == postgres.process.pid and b"127.0.0.1" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
    return found
