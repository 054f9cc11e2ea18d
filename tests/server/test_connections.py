"""Connections: a player always reaches their game, an address has its share, files never run out."""

from __future__ import annotations

import asyncio
import contextlib
import resource
from collections.abc import AsyncIterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest
from prometheus_client import CollectorRegistry, generate_latest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from nevsky.server import admission, components, connections, protocols
from nevsky.server.connections import Connections, raise_file_limit
from nevsky.server.errors import Refusal
from nevsky.server.places import Connection
from nevsky.server.settings import Settings
from tests.server.support import PLAIN, Server, Table, run, running
from tests.server.test_errors import alone, started, turned_away


@contextlib.asynccontextmanager
async def from_address(server: Server, address: str, table: str, query: str = "") -> AsyncIterator[Table]:
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table}/ws{query}"
    async with connect(url, local_addr=(address, 0)) as socket:
        yield Table(socket)


def test_spectators_never_lock_a_player_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "_MOST_SPECTATORS", 12)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            stranger = await server.visitor()
            for _ in range(12):
                await (await stranger.open(made["table"])).receive()
            await turned_away(await stranger.open(made["table"]), "refused", 1008)
            own = await anna.open(made["table"])
            assert (await own.receive())["you"] == 0
            by_link = await stranger.open(made["table"], made["seat_token"])
            assert (await by_link.receive())["you"] == 0

    run(scenario())


def test_one_address_cannot_take_all_places_of_spectators(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", spectators_per_address=3) as server:
            _, made = await alone(server)
            stranger = await server.visitor()
            for _ in range(3):
                await (await stranger.open(made["table"])).receive()
            await turned_away(await stranger.open(made["table"]), "refused", 1008)
            async with from_address(server, "127.0.0.2", made["table"]) as elsewhere:
                assert (await elsewhere.receive())["type"] == "state"

    run(scenario())


def test_the_oldest_of_too_many_tabs_makes_room(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            tabs = []
            for _ in range(9):
                tabs.append(await anna.open(made["table"]))
                await tabs[-1].receive()
            await turned_away(tabs[0], "replaced", 4409)
            for tab in tabs[1:]:
                await tab.send(type="ping")
                while (await tab.receive())["type"] != "pong":
                    pass

    run(scenario())


def test_an_address_has_so_many_sockets_and_others_still_come(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", sockets_per_address=4) as server:
            anna, made = await alone(server)
            for _ in range(4):
                await (await anna.open(made["table"])).receive()
            await turned_away(await anna.open(made["table"]), "busy", 4503)
            forwarded = {"X-Forwarded-For": "203.0.113.7"}
            assert (await (await anna.open(made["table"], **forwarded)).receive())["type"] == "state"
            async with from_address(server, "127.0.0.2", made["table"]) as elsewhere:
                await elsewhere.receive()
            metrics = (await anna.http.get("/metrics")).text
            assert "nevsky_sockets_of_busiest_address 4.0" in metrics
            assert "nevsky_open_files" in metrics
            assert "127.0.0.1" not in metrics

    run(scenario())


def test_what_is_gone_is_not_counted(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", sockets_per_address=4, connections_per_address=6) as server:
            _, made = await alone(server)
            for _ in range(20):
                async with from_address(server, "127.0.0.2", made["table"]) as table:
                    await table.receive()
            for _ in range(20):
                async with httpx.AsyncClient(
                    transport=httpx.AsyncHTTPTransport(local_address="127.0.0.2", verify=PLAIN)
                ) as client:
                    answer = await client.get(f"http://127.0.0.1:{server.port}/health")
                    assert answer.status_code == 200
            while server.components.connections._open["127.0.0.2"]:
                await asyncio.sleep(0.01)
            assert not server.components.connections._sockets

    run(scenario())


def test_health_and_the_database_answer_when_sockets_run_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(components, "raise_file_limit", lambda: 64)
    lines: list[str] = []
    monkeypatch.setattr(connections, "log", SimpleNamespace(warning=lambda event, **_: lines.append(event)))

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            most = server.components.connections.most_sockets
            assert 32 < most < 48
            anna, made = await alone(server)
            stranger = await server.visitor()
            for number in range(most):
                await (await stranger.open(made["table"], **{"X-Forwarded-For": f"203.0.113.{number}"})).receive()
            await turned_away(await anna.open(made["table"]), "busy", 4503)
            assert lines == ["sockets_nearly_exhausted", "sockets_exhausted"]
            for path in ("/health", "/ready"):
                assert (await anna.http.get(path)).status_code == 200
            assert (await anna.http.put("/api/me", json={"name": "Anna"})).status_code == 200

    run(scenario())


def test_the_limit_of_files_is_raised() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lower = min(soft, 512)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lower, hard))
    try:
        assert raise_file_limit() == resource.getrlimit(resource.RLIMIT_NOFILE)[0] == min(hard, 65_536)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_strangers_leave_room_for_the_operator() -> None:
    here = Connections(Settings(), files=400)
    came: list[Connection] = []
    while (arrived := here.arrive(f"192.0.2.{len(came) % 250}")) is not None:
        here.work(arrived)
        came.append(arrived)
    assert len(came) == 300
    trusted = here.arrive("127.0.0.1")
    assert trusted is not None
    assert trusted.key == ""
    here.leave(came[7])
    here.leave(came[8])
    stranger = here.arrive("192.0.2.251")
    assert stranger is not None
    assert stranger.key == "192.0.2.251"
    registry = CollectorRegistry()
    registry.register(here)
    assert "nevsky_connections 300.0" in generate_latest(registry).decode()


def test_an_address_has_so_many_connections() -> None:
    here = Connections(Settings(connections_per_address=3), files=400)
    for host in ("2001:db8::1", "2001:db8::1", "2001:db8::2"):
        arrived = here.arrive(host)
        assert arrived is not None
        assert arrived.key == "2001:db8::/64"
        here.work(arrived)
    assert here.arrive("2001:db8::3") is None
    assert here.arrive("2001:db8:0:1::3") is not None
    with contextlib.ExitStack() as stack:
        for _ in range(200):
            stack.enter_context(here.socket("192.0.2.1", "anna"))
        with pytest.raises(Refusal, match="from your address"):
            stack.enter_context(here.socket("192.0.2.1", "boris"))


async def sent(server: Server, data: bytes, address: str = "127.0.0.2") -> bytes:
    """Everything that is answered to these bytes until the connection ends."""
    reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(address, 0))
    try:
        writer.write(data)
        with contextlib.suppress(ConnectionError):
            await writer.drain()
        return await asyncio.wait_for(reader.read(), 20)
    except ConnectionError:
        return b"reset"
    finally:
        writer.close()


def test_headers_have_a_size(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            start = b"GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n"
            assert (await sent(server, start + b"a: " + b"x" * 10_000 + b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
            assert b" 431 " in await sent(server, start + b"a: " + b"x" * 20_000 + b"\r\n\r\n")
            assert b" 431 " in await sent(server, start + b"a: b\r\n" * 200 + b"\r\n")
            assert b" 431 " in await sent(server, b"GET /" + b"x" * 20_000 + b" HTTP/1.1\r\n\r\n")
            upgrade = b"GET /api/tables/x/ws HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            assert b" 431 " in await sent(server, upgrade + b"a: " + b"x" * 20_000 + b"\r\n\r\n")
            endless = await sent(server, start + (b"a: " + b"x" * 4000 + b"\r\n") * 2000)
            assert endless == b"reset" or b" 431 " in endless
            body = b'{"name": "' + b"A" * 24 + b'"' + b" " * 20_000 + b"}"
            put = f"PUT /api/me HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {len(body)}"
            answer = await sent(server, put.encode() + b"\r\nconnection: close\r\n\r\n" + body)
            assert answer.startswith(b"HTTP/1.1 200")  # what is large in it is not the header

    run(scenario())


@pytest.mark.parametrize(
    ("beginning", "more"),
    [
        (b"", b""),
        (b"", b"\r\n"),
        (b"GET /", b"a"),
        (b"GET /health HTTP/1.1\r\nhost: ", b"x"),
        (b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n", b"\r\n"),
    ],
)
def test_a_header_that_does_not_come_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beginning: bytes, more: bytes
) -> None:
    monkeypatch.setattr(protocols, "HEADER_SECONDS", 0.3)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(beginning)
            dripping = asyncio.create_task(drip(writer))
            try:
                answer = await asyncio.wait_for(reader.read(), 10)
            except ConnectionResetError:  # what dripped on met a connection that was closed
                answer = b""
            dripping.cancel()
            writer.close()
            assert answer == b"" or answer.startswith((b"HTTP/1.1 408", b"HTTP/1.1 200"))
            assert not server.components.connections._open

    async def drip(writer: asyncio.StreamWriter) -> None:
        while True:
            await asyncio.sleep(0.05)
            writer.write(more)

    run(scenario())


def test_a_body_that_does_not_come_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "BODY_SECONDS", 0.2)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            request = (
                b"PUT /api/me HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 30\r\n\r\n{"
            )
            assert await sent(server, request) in (b"", b"reset")

    run(scenario())


def test_many_slow_headers_leave_room_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "HEADER_SECONDS", 2.0)

    async def scenario() -> None:
        async with running(tmp_path / "n.db", connections_per_address=40) as server:
            slow: list[Any] = []
            for _ in range(120):
                _, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.2", 0))
                writer.write(b"GET / HTTP/1.1\r\n")
                slow.append(writer)
            assert server.components.connections._open["127.0.0.2"] <= 40
            anna = await server.visitor()
            assert (await anna.http.get("/api/meta")).status_code == 200
            while server.components.connections._open["127.0.0.2"]:
                await asyncio.sleep(0.05)
            for writer in slow:
                writer.close()

    run(scenario())


def test_a_connection_is_kept_alive_for_the_next_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "HEADER_SECONDS", 0.3)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna = await server.visitor()
            for _ in range(3):
                await asyncio.sleep(0.4)
                assert (await anna.http.get("/health")).status_code == 200
            active, _, _ = await started(server)
            await asyncio.sleep(0.5)
            await active.play(active.state["choices"][0]["action"])

    run(scenario())


def test_idle_connections_outlast_those_who_would_use_them_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who sends a request into a connection that is just being closed gets no answer; for a proxy that is an error."""
    assert protocols.KEPT_SECONDS > 60
    assert protocols.KEPT_FOR_PROXIES_SECONDS > 120
    monkeypatch.setattr(protocols, "KEPT_SECONDS", 0.2)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            for host, kept in (("127.0.0.2", False), ("127.0.0.1", True)):
                reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=(host, 0))
                writer.write(b"GET /health HTTP/1.1\r\nHost: here\r\n\r\n")
                await reader.readuntil(b"}")
                await asyncio.sleep(0.6)
                assert reader.at_eof() != kept
                writer.close()

    run(scenario())


def test_a_broken_table_says_so_and_stops_browsers(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db", idle_seconds=0.1) as server:
            anna, made = await alone(server)
            boris = await server.visitor()
            await boris.http.post(f"/api/tables/{made['table']}/join")
            await server.components.hub.forget(made["table"])
            async with server.components.storage.writing() as connection:
                await connection.exec_driver_sql("UPDATE tables SET deal = '{\"piles\": 5}'")
            await turned_away(await anna.open(made["table"]), "broken", 4500)
            answer = await anna.http.get(f"/api/tables/{made['table']}")
            assert (answer.status_code, answer.json()["code"]) == (500, "broken")
            async with server.components.storage.writing() as connection:
                await connection.exec_driver_sql("UPDATE tables SET ruleset = '{'")
            await turned_away(await anna.open(made["table"]), "broken", 4500)

    run(scenario())


async def told_to_the_end(table: Table) -> None:
    for _ in range(9):
        await table.receive()


def test_a_table_that_goes_says_so_with_its_code(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            anna, made = await alone(server)
            table = await anna.open(made["table"])
            await table.receive()
            await anna.http.post(f"/api/tables/{made['table']}/leave")
            with pytest.raises(ConnectionClosed) as closed:
                await told_to_the_end(table)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4404

    run(scenario())
