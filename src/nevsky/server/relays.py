"""WebSockets that are passed on: messages go through as they are, both ways, and no faster than they are read."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from starlette.websockets import WebSocket, WebSocketDisconnect
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from nevsky.server.errors import Refusal, close_code, moved
from nevsky.server.languages import language_of
from nevsky.server.metrics import SENT_WEBSOCKET
from nevsky.server.outgoing import Outlet
from nevsky.server.places import CANNOT_YIELD, OUTLET

__all__ = ["Relay"]

_RANKS: Final = {str(rank).encode(): rank for rank in range(CANNOT_YIELD + 1)}
"""What the owner of the table says first, and only to us: how soon this visitor makes room for others."""
_GONE: Final = (RuntimeError, WebSocketDisconnect, ConnectionClosed)


class Relay:
    """The WebSocket of one visitor here, and its other half at the process that has the table."""

    def __init__(self, socket: WebSocket, owner: ClientConnection, ranked: Callable[[int], None]) -> None:
        self._socket = socket
        self._owner = owner
        self._ranked = ranked
        self._outlet: Outlet | None = socket.scope.get(OUTLET)
        self._why: Refusal | None = None
        self._end = asyncio.Event()
        self._left: tuple[int, str] | None = None

    def dismiss(self, why: Refusal) -> None:
        """Say why they have to go, and end."""
        self._why = self._why or why
        self._end.set()

    async def run(self, gone: asyncio.Event) -> None:
        """Pass on what comes from either side until one of both ends, or the process of the owner is gone."""
        tasks = [asyncio.create_task(each) for each in (self._down(), self._up(), self._end.wait(), gone.wait())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            results = await asyncio.gather(*tasks, return_exceptions=True)
            await self._say_goodbye()
        for result in results:
            if isinstance(result, Exception) and not isinstance(result, _GONE):
                raise result

    async def _down(self) -> None:
        data = await self._owner.recv(decode=False)
        if data in _RANKS:
            self._ranked(_RANKS[data])
            data = await self._owner.recv(decode=False)
        while True:
            if self._outlet is None or not self._outlet.write_now(data):
                await self._socket.send_text(data.decode())
                SENT_WEBSOCKET.inc(len(data))
            data = await self._owner.recv(decode=False)

    async def _up(self) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                self._left = (message.get("code") or 1005, message.get("reason") or "")
                return
            text = message.get("text")
            await self._owner.send(message["bytes"] if text is None else text)

    async def _say_goodbye(self) -> None:
        with contextlib.suppress(*_GONE):
            if self._left is not None:
                await self._owner.close(*_sayable(*self._left))
                return
            said = self._owner.protocol.close_rcvd
            if self._why is None and said is not None:
                await self._socket.close(said.code, said.reason)
            else:
                why = self._why or moved()
                await self._socket.send_text(why.reply(language_of(self._socket)).model_dump_json())
                await self._socket.close(close_code(why.code), why.code)
        self._owner.transport.abort() if self._owner.protocol.close_rcvd is None else await self._owner.close()


def _sayable(code: int, reason: str) -> tuple[int, str]:
    """A close code as it may be sent; some only stand for something that was not said."""
    return (1001, "") if code in (1004, 1005, 1006, 1015) else (code, reason)
