"""Attacks below and beside the game: headers, bodies, frames, connections that are held, requests without end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket as sockets
import struct
from typing import Final

from nevsky.server.abuse.scene import ATTACKER, Attack, Request, Scene
from nevsky.server.load_server import BROKEN, HOST

__all__ = ["ATTACKS"]

_MEGABYTE: Final = 1_000_000
_HEAD: Final = f"Host: {HOST}\r\nContent-Type: application/json\r\n"


async def _pour(scene: Scene, begin: bytes, part: bytes, megabytes: int, table: str = "") -> None:
    """Send a beginning, then the same part again and again; count how it was answered."""
    chunk = part * max(1, 65_536 // len(part))
    try:
        async with scene.raw(ATTACKER) as (reader, writer):
            if table:
                await scene.upgrade(reader, writer, table)
            writer.write(begin)
            for _ in range(max(1, megabytes * _MEGABYTE // len(chunk))):
                writer.write(chunk)
                await writer.drain()
                if reader.at_eof():
                    break
            async with asyncio.timeout(1):
                line = b"" if table else await reader.readline()
                scene.answers[line.split(b" ")[1].decode() if line.count(b" ") else "taken"] += 1
    except (*BROKEN, asyncio.IncompleteReadError):
        scene.answers["broken"] += 1
    except TimeoutError:
        scene.answers["silence"] += 1


async def _headers(scene: Scene) -> None:
    await scene.for_a_while(
        scene.again(lambda: _pour(scene, b"GET /health HTTP/1.1\r\n", b"a: " + b"x" * 4000 + b"\r\n", scene.number(46)))
        for _ in range(4)
    )


async def _slow_headers(scene: Scene) -> None:
    held = await scene.hold(scene.number(3000), ATTACKER, b"GET /health HTTP/1.1\r\nHost: x", b"x")
    scene.found["still_held"] = held


async def _slow_bodies(scene: Scene) -> None:
    head = f"PUT /api/me HTTP/1.1\r\n{_HEAD}Content-Length: 20000\r\n\r\n"
    scene.found["still_held"] = await scene.hold(scene.number(500), ATTACKER, head.encode(), b" ")


async def _half_open(scene: Scene) -> None:
    made = await scene.create(ATTACKER, "", "me open")
    begin = scene.handshake(made["table"])
    scene.found["still_held"] = await scene.hold(scene.number(200), ATTACKER, begin, close_half=True)


async def _endless_bodies(scene: Scene) -> None:
    head = f"PUT /api/me HTTP/1.1\r\n{_HEAD}Transfer-Encoding: chunked\r\n\r\n".encode()
    await scene.for_a_while(
        scene.again(lambda: _pour(scene, head, b"1000\r\n" + b" " * 4096 + b"\r\n", scene.number(46))) for _ in range(8)
    )


async def _unread(scene: Scene) -> None:
    """WebSockets that ask for the whole state again and again and never read, and keep pinging below the game."""
    made = await scene.create(ATTACKER, "", "me easy easy easy easy")
    refresh = b"\x81\x92\0\0\0\0" + b'{"type":"refresh"}'
    ping = b"\x89\xfd\0\0\0\0" + b"x" * 125

    async def one() -> None:
        loop = asyncio.get_running_loop()
        with sockets.socket() as held:
            held.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
            held.setblocking(False)
            held.bind((ATTACKER, 0))
            with contextlib.suppress(OSError):
                await loop.sock_connect(held, (HOST, scene.server.port))
                await loop.sock_sendall(held, scene.handshake(made["table"]))
                await loop.sock_recv(held, 100)
                while True:
                    await loop.sock_sendall(held, refresh + 500 * ping)
                    await asyncio.sleep(0.13)

    await scene.for_a_while(one() for _ in range(scene.number(60)))


async def _frames(scene: Scene) -> None:
    """As many frames as fit: pings without content, messages of two letters, messages in a thousand pieces."""
    made = await scene.create(ATTACKER, "", "me open")
    kinds = (
        b"\x89\x80" + b"\0" * 4,
        b"\x81\x82" + b"\0" * 4 + b"{}",
        b"\x01\x80" + b"\0" * 4 + (b"\x00\x80" + b"\0" * 4) * 1000 + b"\x80\x80" + b"\0" * 4,
        b"\x8a\x80" + b"\0" * 4,
    )
    await scene.for_a_while(
        scene.again(lambda kind=kind: _pour(scene, b"", kind, scene.number(5), made["table"]))  # type: ignore[misc]
        for kind in kinds
        for _ in range(scene.number(6))
    )


async def _huge_frames(scene: Scene) -> None:
    made = await scene.create(ATTACKER, "", "me open")
    head = b"\x81\xff" + struct.pack(">Q", 2**40) + b"\0" * 4
    await scene.for_a_while(
        scene.again(lambda: _pour(scene, head, b"x" * 65_536, scene.number(5), made["table"]))
        for _ in range(scene.number(12))
    )


async def _requests(scene: Scene) -> None:
    """Requests one behind the other on connections that stay open, far beyond the limit; lists among them."""
    paths = ("/api/tables", "/api/tables/finished", "/api/cards", "/api/me", "/", "/api/tables/unknown", "/api/rules")
    train = "".join(f"GET {path} HTTP/1.1\r\n{_HEAD}\r\n" for path in paths).encode() * 20

    async def one() -> None:
        while True:
            try:
                async with scene.raw(ATTACKER) as (reader, writer):
                    reading = asyncio.create_task(_count(scene, reader))
                    try:
                        while not reader.at_eof():
                            writer.write(train)
                            await writer.drain()
                            await asyncio.sleep(0.01)
                    finally:
                        reading.cancel()
            except BROKEN:
                scene.answers["broken"] += 1
            await asyncio.sleep(0.02)

    await scene.for_a_while(one() for _ in range(scene.number(50)))


async def _count(scene: Scene, reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(*BROKEN):
        while data := await reader.read(65_536):
            for part in data.split(b"HTTP/1.1 ")[1:]:
                scene.answers[part[:3].decode(errors="replace")] += 1


async def _guests(scene: Scene) -> None:
    """New guests without end; whoever asks has no cookie, and says to be forwarded for somebody else each time."""

    def request(number: int) -> Request:
        more = f"X-Forwarded-For: 203.0.{number // 250 % 250}.{number % 250}\r\n"
        return Request("GET", "/api/me", more=more)

    await scene.asking(20, request)


async def _bodies(scene: Scene) -> None:
    """Bodies that are too large, nested too deeply, or full of numbers, under a cookie that is too long."""
    nested = "[" * 15_000 + "]" * 15_000
    bodies = (json.dumps({"name": "x" * 300_000}), nested, '{"ruleset":' * 2500, json.dumps({"seats": [1] * 9000}))
    cookie = "nevsky_guest=" + "x" * 12_000
    await scene.asking(20, lambda number: Request("POST", "/api/tables", bodies[number % len(bodies)], cookie))


ATTACKS: Final = {
    "headers": Attack("headers of 46 MB", _headers),
    "slow_headers": Attack("3,000 connections whose header never ends", _slow_headers),
    "slow_bodies": Attack("500 connections whose body never ends", _slow_bodies),
    "endless_bodies": Attack("chunked bodies of 46 MB", _endless_bodies),
    "half_open": Attack("200 sockets that close their side and stay", _half_open),
    "unread": Attack("60 sockets that ask and never read", _unread),
    "frames": Attack("as many frames as fit: pings, pongs, pieces, two letters", _frames),
    "huge_frames": Attack("frames that promise a terabyte", _huge_frames),
    "requests": Attack("requests without end on 50 connections", _requests),
    "guests": Attack("new guests without end, each forwarded for another address", _guests),
    "bodies": Attack("bodies too large, too deep or full of numbers", _bodies),
}
