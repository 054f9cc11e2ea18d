"""Processes that tell each other over Redis what visitors take and where people wait."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from nevsky.server.errors import Refusal
from nevsky.server.gossip import Gossip
from nevsky.server.redis_link import RedisLink
from tests.server.engines import Redis
from tests.server.support import Server, run, running
from tests.server.test_errors import turned_away

SECRET = "one secret for all of them"


async def soon(fits: Callable[[], object], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not fits():
        assert time.monotonic() < end
        await asyncio.sleep(0.02)


@asynccontextmanager
async def talking(folder: Path, redis: str, *names: str, **options: Any) -> AsyncIterator[list[Server]]:
    """Servers with databases of their own, which know of each other by Redis only."""
    from contextlib import AsyncExitStack

    async with AsyncExitStack() as stack:
        servers = []
        for name in names:
            server = await stack.enter_async_context(running(folder / f"{name}.db", secret=SECRET, **options))
            link = RedisLink(redis)
            link.open()
            stack.push_async_callback(link.close)
            parts = server.components
            parts.gossip = Gossip(
                link, partial(str, name), SECRET, parts.hub, parts.limits, parts.connections, parts.open_tables
            )
            parts.hub.on_forget = parts.gossip.gone
            stack.push_async_callback(parts.gossip.close)
            servers.append(server)
        await soon(lambda: all(_heard(server) >= len(names) - 1 for server in servers))
        yield servers


def _heard(server: Server) -> int:
    assert server.components.gossip is not None
    return len(server.components.gossip)


def test_an_address_has_its_sockets_at_all_processes_together(tmp_path: Path, redis: str) -> None:
    async def scenario() -> None:
        async with talking(tmp_path, redis, "one", "two", sockets_per_address=3) as (one, two):
            anna, boris = await one.visitor(), await two.visitor()
            there = (await boris.create("me open"))["table"]
            here = (await anna.create("me open"))["table"]
            tables = [await anna.open(here) for _ in range(3)]
            for table in tables:
                await table.receive()
            await soon(lambda: two.components.connections.elsewhere("127.0.0.1") == 3)
            await turned_away(await boris.open(there), "busy", 4503)
            await tables[0].socket.close()
            await soon(lambda: two.components.connections.elsewhere("127.0.0.1") == 2)
            assert (await (await boris.open(there)).receive())["type"] == "state"

    run(scenario())


def test_limits_count_at_all_processes(tmp_path: Path, redis: str) -> None:
    async def scenario() -> None:
        rates = {"table_rate": "5 per hour", "table_rate_per_address": "8 per hour"}
        async with talking(tmp_path, redis, "one", "two", **rates) as (one, two):
            for _ in range(5):
                one.components.limits.check("table", "anna", "192.0.2.1")

            def refused(who: str) -> bool:
                try:
                    two.components.limits.check("table", who, "192.0.2.1")
                except Refusal:
                    return True
                return False

            await soon(lambda: refused("anna"))
            assert not refused("boris")

    run(scenario())


def test_open_tables_and_those_who_wait_are_known_everywhere(tmp_path: Path, redis: str) -> None:
    async def scenario() -> None:
        async with talking(tmp_path, redis, "one", "two", open_tables_per_address=2) as (one, two):
            anna, boris = await one.visitor(), await two.visitor()
            made = await anna.create("me open", public=True)
            table = await anna.open(made["table"])
            await table.receive()
            await soon(lambda: two.components.waiting() == {made["table"]})
            assert two.components.hub.waiting() == set()
            await boris.create("me open")
            await soon(lambda: len(one.components.open_tables._made.get("127.0.0.1", [])) == 2)
            two.components.open_tables._still_open = one.components.storage.still_open
            answer = await boris.http.post(
                "/api/tables", json={"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}]}
            )
            assert answer.status_code == 422
            await anna.create("easy easy")
            await soon(lambda: [each.bots for each in two.components.open_tables._made["127.0.0.1"]].count(True) == 1)
            await table.socket.close()
            await soon(lambda: not two.components.waiting())

    run(scenario())


def test_a_game_does_not_lead_to_a_rematch_that_is_gone_elsewhere(tmp_path: Path, redis: str) -> None:
    async def scenario() -> None:
        async with talking(tmp_path, redis, "one", "two") as (one, two):
            anna = await one.visitor()
            made = await anna.create("me open")
            table = await one.components.hub.get(made["table"])
            table.row = table.row._replace(rematch="elsewhere")
            await two.components.hub.forget("elsewhere")
            await soon(lambda: table.row.rematch is None)

    run(scenario())


def test_a_process_that_ends_counts_no_more(tmp_path: Path, redis: str) -> None:
    async def scenario() -> None:
        async with talking(tmp_path, redis, "one") as (one,):
            async with talking(tmp_path, redis, "two", "three") as (two, _):
                anna = await two.visitor()
                await (await anna.open((await anna.create("me open"))["table"])).receive()
                await soon(lambda: _heard(one) == 2 and one.components.waiting())
            await soon(lambda: not one.components.waiting())
            assert one.components.connections.elsewhere("127.0.0.1") == 0
            await soon(lambda: _heard(one) == 0)

    run(scenario())


def test_without_redis_each_counts_alone_and_afterwards_all_together(tmp_path: Path, redis_server: Redis) -> None:
    async def scenario() -> None:
        async with talking(tmp_path, redis_server.url, "one", "two") as (one, two):
            anna = await one.visitor()
            await (await anna.open((await anna.create("me open"))["table"])).receive()
            await soon(two.components.waiting)
            redis_server.kill()
            try:
                await soon(lambda: not two.components.waiting(), 8)
                assert (await anna.http.get("/api/tables")).status_code == 200
                two.components.limits.check("chat", "anna", "192.0.2.1")
            finally:
                redis_server.start()
            await soon(two.components.waiting, 8)
            await soon(lambda: _heard(one) == _heard(two) == 1)

    run(scenario())


@pytest.mark.parametrize(
    "news",
    [
        b"",
        b"\xff\xfe",
        b"nonsense",
        b"[]",
        b"{}",
        b'{"from": "three", "sockets": 5}',
        b'{"from": "three", "sockets": {"a": "many"}}',
        b'{"from": "three", "taken": [["chat"]]}',
        b'{"from": "three", "made": [1]}',
        b'{"from": "three", "waiting": 1}',
        json.dumps({"from": "three", "waiting": ["x" * 40] * 40_000}).encode(),
    ],
)
def test_what_cannot_be_understood_harms_nobody(tmp_path: Path, redis: str, news: bytes) -> None:
    async def scenario() -> None:
        async with talking(tmp_path, redis, "one", "two") as (one, two):
            assert two.components.gossip is not None
            two.components.gossip._link.post("PUBLISH", two.components.gossip._channel, news)
            one.components.limits.check("table", "anna", "192.0.2.1")
            await soon(lambda: "192.0.2.1" in two.components.limits._shared["table"]._kept)
            assert not two.components.waiting()

    run(scenario())
