"""A TCP proxy: what goes through it can be cut, delayed, or swallowed without a word."""

from __future__ import annotations

import asyncio
import contextlib

__all__ = ["Link"]

_CHUNK = 65536


class Link:
    """One way from one process to another."""

    def __init__(self, name: str, target: int) -> None:
        self.name = name
        self.target = target
        self.port = 0
        self.delay = 0.0
        """Seconds that everything waits, in both directions."""
        self.passed = 0
        """Bytes."""
        self._open = asyncio.Event()
        self._open.set()
        self._refuses = False
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> None:
        """Listen at a port of its own."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        """End all connections; new ones are ended at once."""
        self._refuses = True
        self.drop()

    def drop(self) -> None:
        """End all connections; new ones are welcome."""
        for writer in list(self._writers):
            writer.transport.abort()

    def swallow(self) -> None:
        """Nothing comes through any more, and nobody hears of it, as with a cable that is pulled out."""
        self._open.clear()

    def mend(self) -> None:
        """Everything is as it should be; what a black hole has held back comes through."""
        self._refuses = False
        self.delay = 0.0
        self._open.set()

    async def stop(self) -> None:
        """End it for good."""
        if self._server is not None:
            self._server.close()
        self.drop()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._connect(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        inside: asyncio.StreamWriter | None = None
        try:
            await self._open.wait()
            if self._refuses:
                return
            answers, inside = await asyncio.open_connection("127.0.0.1", self.target)
            self._writers.add(inside)
            ways = [asyncio.create_task(self._pass_on(*way)) for way in ((reader, inside), (answers, writer))]
            try:
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for way in ways:
                    way.cancel()
                await asyncio.gather(*ways, return_exceptions=True)
        except OSError:
            pass
        finally:
            for each in (writer, inside):
                if each is not None:
                    self._writers.discard(each)
                    with contextlib.suppress(OSError, RuntimeError):
                        each.close()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                if self.delay:
                    await asyncio.sleep(self.delay)
                if not self._open.is_set():
                    await self._open.wait()
                self.passed += len(data)
                writer.write(data)
                await writer.drain()
