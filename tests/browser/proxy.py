"""A small TCP proxy between the browser and the server: it can delay what goes through it, cut it and stop."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Proxy", "proxied"]


class Proxy:
    """Everything that goes both ways waits for `delay` seconds; what the server says is lost while it `swallows`."""

    def __init__(self, target: str) -> None:
        self._host, port = target.removeprefix("http://").split(":")
        self._port = int(port)
        self.port = 0
        self.delay = 0.0
        self.swallows = False
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @property
    def address(self) -> str:
        """Where browsers find it."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()
        self.mend()

    def cut(self) -> None:
        """End all connections and take no new ones, like a server that is gone."""
        self._do(self._cut())

    def mend(self) -> None:
        """Let everybody in again, at the same address."""
        self._do(self._listen())

    def stop(self) -> None:
        """End it for good."""
        self._do(self._cut())
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout=10)
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=10)

    async def _listen(self) -> None:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _cut(self) -> None:
        if self._server is not None:
            self._server.close()
        for writer in list(self._writers):
            writer.transport.abort()
        self._writers.clear()

    async def _end(self) -> None:
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        inside_reader, inside_writer = await asyncio.open_connection(self._host, self._port)
        self._writers |= {writer, inside_writer}
        both = self._pass_on(reader, inside_writer), self._pass_on(inside_reader, writer, answers=True)
        with contextlib.suppress(asyncio.CancelledError):  # the end
            await asyncio.gather(*both)

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, answers: bool = False
    ) -> None:
        waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

        async def deliver() -> None:
            while True:
                due, data = await waiting.get()
                await asyncio.sleep(max(0.0, due - self._loop.time()))
                if not data:
                    break
                writer.write(data)
                await writer.drain()
            writer.close()

        delivering = asyncio.create_task(deliver())
        with contextlib.suppress(OSError):
            while data := await reader.read(65536):
                if not (answers and self.swallows):
                    waiting.put_nowait((self._loop.time() + self.delay, data))
        waiting.put_nowait((self._loop.time() + self.delay, b""))
        with contextlib.suppress(OSError):
            await delivering


@contextmanager
def proxied(target: str) -> Iterator[Proxy]:
    """A proxy in front of a server."""
    proxy = Proxy(target)
    proxy.start()
    try:
        yield proxy
    finally:
        proxy.stop()
