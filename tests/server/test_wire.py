"""Below the game: frames without end, answers that nobody reads, requests one behind the other."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame

from nevsky.server import protocols
from nevsky.server.compression import _LargeOnly
from tests.server.support import Server, Table, run, running
from tests.server.test_connections import from_address
from tests.server.test_errors import alone

MASK = b"\0" * 4
PING, PONG = b"\x89\x80" + MASK, b"\x8a\x80" + MASK
WORDS = b"\x81\x82" + MASK + b"{}"
REFRESH = b"\x81\x92" + MASK + b'{"type":"refresh"}'
PIECES = b"\x01\x80" + MASK + (b"\x00\x80" + MASK) * 1000


@asynccontextmanager
async def upgraded(server: Server, table: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A WebSocket of which we write every byte ourselves, and which takes in little at a time."""
    plain = socket.socket()
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    plain.setblocking(False)
    plain.bind(("127.0.0.2", 0))
    await asyncio.get_running_loop().sock_connect(plain, ("127.0.0.1", server.port))
    reader, writer = await asyncio.open_connection(sock=plain, limit=1024)
    try:
        writer.write(
            f"GET /api/tables/{table}/ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        yield reader, writer
    finally:
        writer.transport.abort()


async def gone(server: Server, address: str = "127.0.0.2") -> None:
    """Until the server holds nothing of this address any more."""
    async with asyncio.timeout(10):
        while server.components.connections._open[address] or server.components.connections._sockets[address]:
            await asyncio.sleep(0.02)


@pytest.mark.parametrize("frame", [PING, PONG, WORDS, PIECES])
def test_frames_without_end_are_cut_off(tmp_path: Path, frame: bytes) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            async with upgraded(server, made["table"]) as (_, writer):
                writer.write(frame * 5000)
                await gone(server)

    run(scenario())


def test_nobody_is_cut_off_for_what_browsers_send(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            async with from_address(server, "127.0.0.2", made["table"]) as table:
                for _ in range(150):
                    await table.send(type="ping")
                await table.socket.send(['{"type":', '"ping"', "}"])
                for _ in range(151):
                    while (await table.receive())["type"] != "pong":
                        pass
                for _ in range(20):
                    await (await table.socket.ping())

    run(scenario())


def test_whoever_never_reads_is_let_go_and_nothing_piles_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "UNREAD_SECONDS", 0.5)
    monkeypatch.setattr(protocols, "_MOST_FRAMES", 10**9)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            async with upgraded(server, made["table"]) as (reader, writer):
                reader._transport.pause_reading()  # type: ignore[attr-defined]
                pings = (b"\x89\xfd" + MASK + b"x" * 125) * 500
                sizes = []
                async with asyncio.timeout(30):
                    while server.components.connections._open["127.0.0.2"]:
                        writer.write(REFRESH + pings)
                        await asyncio.sleep(0.01)
                        sizes += [each.transport.get_write_buffer_size() for each in _connected(server)]
                assert 65_536 < max(sizes) < 1_000_000

    run(scenario())


def _connected(server: Server) -> list[protocols.SocketConnection]:
    return [each for each in server.open_connections if isinstance(each, protocols.SocketConnection)]


def test_a_connection_that_has_ended_is_not_kept_for_those_who_do_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(protocols, "CLOSING_SECONDS", 0.3)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            async with upgraded(server, made["table"]) as (reader, writer):
                reader._transport.pause_reading()  # type: ignore[attr-defined]
                for _ in range(40):
                    writer.write(REFRESH)
                    await asyncio.sleep(0.01)
                table = await server.components.hub.get(made["table"])
                for viewer in table.viewers:
                    viewer.close()
                await gone(server)

    run(scenario())


def test_the_rest_of_a_body_that_was_refused_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocols, "GOODBYE_SECONDS", 0.5)

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.2", 0))
            writer.write(b"PUT /api/me HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n")
            written = 0
            with contextlib.suppress(ConnectionError):
                async with asyncio.timeout(20):
                    while True:
                        writer.write(b"10000\r\n" + b" " * 65_536 + b"\r\n")
                        await writer.drain()
                        written += 65_536
            assert written < 50_000_000
            await gone(server)

    run(scenario())


@pytest.mark.parametrize("pieces", [1, 4])
def test_a_message_that_becomes_huge_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pieces: int
) -> None:
    """A compressed message of 40 kB that would be 40 MB."""
    unpacked: list[int] = []
    decode = PerMessageDeflate.decode

    def watched(self: PerMessageDeflate, frame: Frame, *, max_size: int | None = None) -> Frame:
        found = decode(self, frame, max_size=max_size)
        unpacked.append(len(found.data))
        return found

    async def burst(table: Table, parts: list[str]) -> None:
        await table.socket.send(parts)
        while True:
            await table.receive()

    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            _, made = await alone(server)
            async with from_address(server, "127.0.0.2", made["table"]) as table:
                assert table.socket.protocol.extensions  # compression was agreed on
                await table.receive()
                monkeypatch.setattr(_LargeOnly, "decode", watched)
                with pytest.raises(ConnectionClosed) as closed:
                    await burst(table, ["0" * (40_000_000 // pieces)] * pieces)
                assert closed.value.rcvd is None or closed.value.rcvd.code == 1009
                assert sum(unpacked) <= 65_536
            await gone(server)

    run(scenario())


def test_requests_one_behind_the_other(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        async with running(tmp_path / "n.db") as server:
            ask = b"GET /api/tables HTTP/1.1\r\nhost: x\r\n"
            few = ask + b"\r\n" + ask + b"\r\n" + ask + b"connection: close\r\n\r\n"
            reader, writer = await asyncio.open_connection("127.0.0.1", server.port, local_addr=("127.0.0.2", 0))
            writer.write(few)
            assert (await reader.read()).count(b"HTTP/1.1 200") == 3
            writer.close()
            with caplog.at_level(logging.ERROR):
                for _ in range(5):
                    reader, writer = await asyncio.open_connection(
                        "127.0.0.1", server.port, local_addr=("127.0.0.2", 0)
                    )
                    writer.write((ask + b"\r\n") * 5000)
                    try:
                        answered = await reader.read()
                    except ConnectionError:
                        answered = b""
                    assert answered.count(b"HTTP/1.1 200") <= 1
                    writer.close()
                await gone(server)
                await asyncio.sleep(0.1)
            assert not caplog.records

    run(scenario())
