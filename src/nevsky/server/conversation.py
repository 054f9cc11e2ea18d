"""Speaking and listening through one WebSocket, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from typing import Any, ClassVar, Final, Generic, Protocol, TypeVar

import structlog
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from nevsky.server.components import Components
from nevsky.server.errors import Refusal, close_code
from nevsky.server.languages import language_of
from nevsky.server.metrics import MESSAGE_SECONDS, SENT_WEBSOCKET, count_refusal
from nevsky.server.outgoing import Outgoing
from nevsky.server.places import CONNECTION, Connection
from nevsky.server.rate_limits import Bucket

__all__ = ["GONE", "Conversation", "Message", "admission", "end_soon"]

GOODBYE_SECONDS: float = 2.0
"""For somebody who is sent away to say goodbye."""
_PAUSE: Final = 0.05
"""Seconds in which nothing is read from a connection that was too fast: a flood waits at its sender's."""
GONE: Final = (RuntimeError, WebSocketDisconnect)

log = structlog.get_logger()


class Message(Protocol):
    """Something that a visitor says."""

    type: Any


_M = TypeVar("_M", bound=Message)


@contextlib.asynccontextmanager
async def admission(socket: WebSocket, components: Components) -> AsyncIterator[Connection | None]:
    """Take on a WebSocket; whoever is refused meanwhile, or outlives the server, is told why and sent away."""
    await socket.accept()
    connection: Connection | None = socket.scope.get(CONNECTION)
    try:
        yield connection
    except Refusal as refusal:
        await components.turns.rest(refusal)
        if refusal.code in ("busy", "too_fast"):
            end_soon(connection)
        await _send_away(socket, refusal)
    except asyncio.CancelledError:  # the server stops, and has waited for long enough
        await _send_away(socket, components.hub.goodbye())


async def _send_away(socket: WebSocket, refusal: Refusal) -> None:
    count_refusal(refusal.code, refusal.reason)
    with contextlib.suppress(*GONE):
        await socket.send_text(refusal.reply(language_of(socket)).model_dump_json())
        await socket.close(close_code(refusal.code), refusal.code)


def end_soon(connection: Connection | None) -> None:
    """Others wait for the room that it takes."""
    if connection is not None:
        asyncio.get_running_loop().call_later(GOODBYE_SECONDS, connection.end)


class Conversation(Generic[_M]):
    """Says what waits to be said, and answers what is said, until one of both ends."""

    kind: ClassVar[TypeAdapter[Any]]
    """The messages that there are."""
    most_bytes: ClassVar[int]
    most_flooding: ClassVar[int]
    """Messages over the limit after which the connection ends."""

    def __init__(self, socket: WebSocket, components: Components, visitor: Outgoing[Any]) -> None:
        self.components = components
        self._socket = socket
        self._visitor = visitor
        self._messages = components.limits.connection()
        self._flooding = 0

    async def answer(self, message: _M) -> None:
        """Do what a message asks for, or refuse it."""
        raise NotImplementedError

    async def leave(self) -> None:
        """It has ended."""
        raise NotImplementedError

    def refused(self, refusal: Refusal) -> None:
        """What else follows when something is refused."""

    async def run(self, **about: object) -> None:
        """Speak and listen until one of both ends."""
        tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if task.exception() is not None and not isinstance(task.exception(), GONE):
                    log.error("websocket_failed", **about, exc_info=task.exception())
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self._visitor.closed = True
            await asyncio.shield(self.leave())
            await self._close()

    async def _close(self) -> None:
        if self._socket.client_state == self._socket.application_state == WebSocketState.CONNECTED:
            code = self._visitor.close_code
            with contextlib.suppress(*GONE):
                await self._socket.close(1012 if code == 1000 and self.components.hub.closing else code)

    async def _speak(self) -> None:
        while texts := await self._visitor.outgoing():
            for text in texts:
                await self._socket.send_text(text.decode())
                SENT_WEBSOCKET.inc(len(text))

    async def _listen(self) -> None:
        while self._flooding <= self.most_flooding:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            about = None
            try:
                self.check("message", self._messages)
                started = time.perf_counter()
                try:
                    read: _M = _read(self.kind, message.get("text"), self.most_bytes)
                    about = read.type
                    await self.answer(read)
                finally:
                    MESSAGE_SECONDS.observe(time.perf_counter() - started)
            except Refusal as refusal:
                count_refusal(refusal.code, refusal.reason)
                self._visitor.refuse(refusal, about)
                self.refused(refusal)
                if refusal.code == "too_fast":
                    self._flooding += 1
                    await asyncio.sleep(_PAUSE)
        self._visitor.close(close_code("too_fast"))

    def check(self, kind: str, own: Bucket | None = None) -> None:
        """Refuse what they do too often."""
        visitor = self._visitor
        self.components.limits.check(kind, visitor.guest or visitor.address, visitor.address, own)


def _read(kind: TypeAdapter[_M], text: str | None, most: int) -> _M:
    """What somebody says, if it is a message that there is and not too long."""
    if text is None or len(text) > most:
        raise Refusal("bad_message", "message_size", characters=most)
    try:
        return kind.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise Refusal("bad_message", "message", detail=f"{where or 'it'}: {first['msg']}") from error
