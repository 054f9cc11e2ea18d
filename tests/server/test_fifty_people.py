"""Fifty people behind one address, with the usual limits, and one more beside them who floods."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from nevsky.bots import Suggestion
from nevsky.server.retention import Kept, clear_out
from nevsky.server.settings import Settings, unlimited
from tests.server.support import PLAIN, Json, QuickBots, Server, Table, run, running

USUAL: Final[Json] = {name: getattr(Settings(), name) for name in unlimited()}
FREE: Final[Json] = {"request_rate": "100000 per second", "request_rate_per_address": "100000 per second"}
MOVES: Final = 8
"""At each table."""
CLUB: Final = "127.0.0.9"


@contextlib.asynccontextmanager
async def browser(server: Server) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.AsyncHTTPTransport(local_address=CLUB, verify=PLAIN)
    async with httpx.AsyncClient(transport=transport, base_url=f"http://127.0.0.1:{server.port}", timeout=30) as client:
        yield client


@contextlib.asynccontextmanager
async def seat(server: Server, client: httpx.AsyncClient, table: str) -> AsyncIterator[Table]:
    cookie = "; ".join(f"{key}={value}" for key, value in client.cookies.items())
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/ws"
    async with connect(url, local_addr=(CLUB, 0), additional_headers={"Cookie": cookie}) as socket:
        yield Table(socket)


class _Club:
    """What everybody was told no for."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.refused: Counter[str] = Counter()
        self.done: Counter[str] = Counter()
        self.over = False

    def stopped(self) -> bool:
        return self.over

    async def ask(self, client: httpx.AsyncClient, method: str, path: str, body: Any = None) -> Any:
        answer = await client.request(method, path, json=body)
        if answer.status_code >= 400:
            self.refused[f"{path} {answer.status_code}"] += 1
        self.done["requests"] += 1
        return answer.json() if "json" in answer.headers.get("content-type", "") else None

    async def come(self, number: int) -> httpx.AsyncClient:
        """Open the page, and say who one is."""
        client = await self.server.stack.enter_async_context(browser(self.server))
        for path in ("/", "/api/me", "/api/meta", "/api/tables", "/api/tables/mine"):
            await self.ask(client, "GET", path)
        await self.ask(client, "PUT", "/api/me", {"name": f"Guest {number}"})
        return client

    async def evening(self, pair: list[httpx.AsyncClient]) -> None:
        """Two of them: a table, some moves, a line of chat each, a hint each, and a look around."""
        wanted = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}], "public": False}
        made = await self.ask(pair[0], "POST", "/api/tables", wanted)
        await self.ask(pair[1], "POST", f"/api/tables/{made['table']}/join", {"seat": 1})
        async with contextlib.AsyncExitStack() as stack:
            seats = [await stack.enter_async_context(seat(self.server, each, made["table"])) for each in pair]
            await asyncio.gather(*(self.play(table, each) for table, each in zip(seats, pair, strict=True)))

    async def play(self, table: Table, client: httpx.AsyncClient) -> None:
        chatted = hinted = False
        while True:
            state = await table.until(lambda state: state["to_move"] == state["you"] or state["version"] >= MOVES, 40)
            if state["version"] >= MOVES:
                break
            if not chatted:
                chatted = True
                await table.send(type="chat", text="Hello")
            if not hinted:
                hinted = True
                await table.send(type="hint", version=state["version"])
                while (message := await table.receive(30))["type"] != "hint":
                    self.look(message)
                self.done["hints"] += 1
            await asyncio.sleep(0.3)
            version = table.state["version"]
            await table.act(table.state["choices"][0]["action"])
            while table.state["version"] == version:
                self.look(await table.receive(30))
            self.done["moves"] += 1
        await self.ask(client, "GET", "/api/tables")

    def look(self, message: Json) -> None:
        if message["type"] == "error":
            self.refused[message["code"]] += 1

    async def flood(self, client: httpx.AsyncClient) -> None:
        """Somebody at the same address who takes whatever can be had."""
        made = (
            await client.post(
                "/api/tables", json={"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}]}
            )
        ).json()
        words = [{"type": "chat", "text": "x"}, {"type": "ping"}, {"type": "hint", "version": 0}, {"type": "refresh"}]

        async def requests() -> None:
            while not self.stopped():
                answer = await client.get("/api/tables")
                self.done[f"flood {answer.status_code}"] += 1

        async def messages() -> None:
            while not self.stopped():
                with contextlib.suppress(ConnectionClosed):
                    async with seat(self.server, client, made["table"]) as table:
                        for number in range(10_000):
                            if self.stopped():
                                return
                            await table.socket.send(json.dumps(words[number % len(words)]))
                            await asyncio.sleep(0)
                await asyncio.sleep(0.1)

        await asyncio.gather(*(requests() for _ in range(10)), *(messages() for _ in range(5)))


@pytest.mark.usefixtures("quick_bots")
def test_fifty_people_behind_one_address_play_in_comfort_beside_a_flood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nothing(*_: object) -> list[Suggestion]:
        return []

    monkeypatch.setattr(QuickBots, "explain", nothing)

    async def scenario() -> None:
        async with running(tmp_path / "n.db", **USUAL) as server:
            club = _Club(server)
            flooding = asyncio.create_task(club.flood(await club.come(99)))
            people = [await club.come(number) for number in range(50)]
            await asyncio.gather(*(club.evening(people[number : number + 2]) for number in range(0, 50, 2)))
            club.over = True
            await flooding
            assert club.refused == {}
            assert club.done["moves"] == 25 * MOVES
            assert club.done["hints"] == 50
            assert club.done["flood 429"] > 10

    run(scenario(), 170)


async def _come_and_go(server: Server, table: str, number: int) -> None:
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/ws"
    source = f"127.0.{1 + number % 100}.7"
    async with connect(url, local_addr=(source, 0), close_timeout=0.1, proxy=None, compression=None) as socket:
        await socket.send('{"type":"ping"}')
        while '"pong"' not in str(await socket.recv()):
            pass


async def _visits(server: Server, table: str, first: int, number: int) -> None:
    numbers = iter(range(first, first + number))

    async def some() -> None:
        for each in numbers:
            await _come_and_go(server, table, each)

    await asyncio.gather(*(some() for _ in range(8)))


async def _kept(server: Server) -> int:
    """Objects that are left when everybody is gone."""
    async with asyncio.timeout(20):
        while server.components.connections._open.total() > 1 or server.components.connections._sockets:
            await asyncio.sleep(0.02)
    await asyncio.sleep(0.2)
    gc.collect()
    return len(gc.get_objects())


async def _nothing_stays(path: Path, number: int) -> None:
    async with running(path, **{**USUAL, **FREE}) as server:
        visitor = await server.visitor()
        made = await visitor.create("me open")
        await _visits(server, made["table"], 0, 300)
        # after a minute the server does so for the first time, and keeps the statements
        storage, settings = server.components.storage, server.components.settings
        await clear_out(storage, Kept.of(settings), lambda _: False)
        limits = server.components.limits
        before, remembered = await _kept(server), len(limits)
        await _visits(server, made["table"], 300, number)
        assert await _kept(server) < before + 1500  # not even one for each connection
        assert len(limits) <= remembered + 300  # the same hundred addresses
        assert not (await server.components.hub.get(made["table"])).viewers
        assert len(server.components.turns) == 0


def test_connections_that_are_gone_leave_nothing_behind(tmp_path: Path) -> None:
    run(_nothing_stays(tmp_path / "n.db", 1700), 120)


@pytest.mark.long
def test_twenty_thousand_connections_leave_nothing_behind(tmp_path: Path) -> None:
    run(_nothing_stays(tmp_path / "n.db", 20_000), 900)
