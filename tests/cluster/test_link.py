"""The proxy does to connections what it says."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from tests.cluster.link import Link
from tests.cluster.support import run


@asynccontextmanager
async def _echoing() -> AsyncIterator[Link]:
    """A link to somebody who repeats everything."""

    async def repeat(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(100):
            writer.write(data)
        writer.close()

    server = await asyncio.start_server(repeat, "127.0.0.1", 0)
    link = Link("echo", server.sockets[0].getsockname()[1])
    await link.start()
    try:
        yield link
    finally:
        await link.stop()
        server.close()


async def _said(link: Link, word: bytes, seconds: float = 2.0) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
    writer.write(word)
    try:
        async with asyncio.timeout(seconds):
            return await reader.read(100)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def test_everything_goes_through() -> None:
    async def scenario() -> None:
        async with _echoing() as link:
            assert await _said(link, b"hello") == b"hello"
            assert link.passed == 10

    run(scenario())


def test_cut_and_mended() -> None:
    async def scenario() -> None:
        async with _echoing() as link:
            reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
            writer.write(b"hello")
            assert await reader.read(100) == b"hello"
            link.cut()
            with suppress(ConnectionError):
                assert await reader.read(100) == b""
            assert await _said(link, b"again") == b""
            link.mend()
            assert await _said(link, b"again") == b"again"
            writer.close()

    run(scenario())


def test_a_black_hole_holds_everything_back() -> None:
    async def scenario() -> None:
        async with _echoing() as link:
            reader, writer = await asyncio.open_connection("127.0.0.1", link.port)
            link.swallow()
            writer.write(b"hello")
            try:
                async with asyncio.timeout(0.3):
                    raise AssertionError(await reader.read(100))
            except TimeoutError:
                pass
            link.mend()
            assert await reader.read(100) == b"hello"
            writer.close()

    run(scenario())


def test_delay() -> None:
    async def scenario() -> None:
        async with _echoing() as link:
            link.delay = 0.1
            begun = time.monotonic()
            assert await _said(link, b"hello") == b"hello"
            assert time.monotonic() - begun >= 0.2

    run(scenario())
