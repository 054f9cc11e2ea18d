"""The connections themselves: counted as they come, and limits of size and time before anything is asked.

Without them a header without end, or one that never comes, would hold a connection for ever; thousands of requests or
frames that come in one piece would keep everybody waiting; and what is sent to somebody who never reads would pile up.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.protocol import State

from nevsky.server.compression import COMPRESSED_FROM, LargeMessages
from nevsky.server.frames import between_frames, whole_text
from nevsky.server.metrics import SENT_WEBSOCKET, count_refusal
from nevsky.server.places import CONNECTION, OUTLET, UNTOUCHED, Connection
from nevsky.server.vouching import HEADER

if TYPE_CHECKING:
    from uvicorn._types import ASGI3Application

    from nevsky.server.connections import Connections

__all__ = ["HttpConnection", "SocketConnection"]

_MOST_HEADER_BYTES: Final = 16_384
_MOST_HEADERS: Final = 100
_MOST_BODY_BYTES: Final = 65_536
"""After which a body that was refused is not read any further."""
HEADER_SECONDS: float = 10.0
"""For the whole header, from the first byte or from the connection on."""
BODY_SECONDS: float = 30.0
ANSWER_SECONDS: float = 300.0
"""For the work and for the visitor to fetch what was answered."""
UNREAD_SECONDS: float = 30.0
"""For a WebSocket to fetch what is waiting for it, once that is more than 64 kB."""
KEPT_SECONDS: int = 75
"""For the next request. Programs give up an idle connection sooner, and so do not send into one that we just close."""
KEPT_FOR_PROXIES_SECONDS: int = 180
"""They keep theirs for a minute or two, and do not send a POST again that went wrong in this way."""
GOODBYE_SECONDS: float = 2.0
"""For whoever sends too much to read the answer."""
CLOSING_SECONDS: float = 15.0
"""For the other end to take its leave."""
_VOUCHER: Final = HEADER.encode()
_PIECE: Final = 4096
"""Bytes that are read before we look whether there is too much in them."""
_MOST_PIPELINED: Final = 8
"""Requests that may wait behind one that is not answered yet; browsers and proxies send none."""
_MOST_FRAMES: Final = 300
_FRAMES_PER_SECOND: Final = 50.0
"""Frames of a WebSocket, pings and pongs among them; messages have limits of their own, which come first."""
_MOST_PARTS: Final = 64
"""Frames that one message may come in."""


class HttpConnection(HttpToolsProtocol):
    """One connection of HTTP, until it becomes a WebSocket."""

    _counted: Connection | None = None
    _deadline: asyncio.TimerHandle | None = None
    _in_header = True
    _refused = False
    _header_bytes = 0
    _body_bytes = 0
    _at_work: RequestResponseCycle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it, or send it away."""
        super().connection_made(transport)
        host = self.client[0] if self.client else ""
        self._counted = _connections(self.config).arrive(host, transport.abort)
        if self._counted is None:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            self.timeout_keep_alive = KEPT_SECONDS if self._counted.key else KEPT_FOR_PROXIES_SECONDS
            self._within(HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        self._within(None)
        if self._counted is not None:
            _connections(self.config).leave(self._counted)
            self._counted = None
        if self._at_work is not None:  # only the newest request is told so otherwise, and that may be another one
            self._at_work.disconnected = True
            self._at_work.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._at_work = cycle
        super()._start_asgi_task(cycle, app)

    def data_received(self, data: bytes) -> None:
        """Read on, a piece at a time, until there is too much of anything."""
        for start in range(0, len(data), _PIECE):
            if self._refused or self.transport.is_closing() or self.transport.get_protocol() is not self:
                return
            self._read(data[start : start + _PIECE])

    def _read(self, data: bytes) -> None:
        if self._deadline is None and self._idle:
            self._within(HEADER_SECONDS)
        if self._in_header:
            self._header_bytes += len(data)
        super().data_received(data)
        if self._in_header and self._header_bytes > _MOST_HEADER_BYTES:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)

    def on_message_begin(self) -> None:
        """A header begins."""
        if len(self.pipeline) >= _MOST_PIPELINED and not self._refused:
            self._refused = True
            count_refusal("too_fast", "pipelined")
            self.transport.abort()
        if self._refused:
            return
        super().on_message_begin()
        self.scope[CONNECTION] = self._counted  # type: ignore[typeddict-unknown-key]
        self._in_header = True
        self._body_bytes = 0
        self._header_bytes = 1  # where in the data it begins is not told: only what follows is counted
        if self._idle:
            self._within(HEADER_SECONDS)

    def on_headers_complete(self) -> None:
        """The header is there; the body has its own time."""
        if self._refused:
            return
        self._in_header = False
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        if size > _MOST_HEADER_BYTES or len(self.headers) > _MOST_HEADERS:
            self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            return
        if not self._vouched and not _connections(self.config).prove(self._counted):
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE)
            return
        self._within(BODY_SECONDS)
        super().on_headers_complete()

    def on_url(self, url: bytes) -> None:
        """A part of what is asked for."""
        if not self._refused:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A field of the header."""
        if not self._refused:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        """A part of the body; once that was answered without waiting for the rest, the rest is not read."""
        if self._refused:
            return
        self._body_bytes += len(body)
        if self._body_bytes > _MOST_BODY_BYTES and self._answered:
            self._refused = True
            count_refusal("bad_message", "too_large")
            self.transport.pause_reading()
            self._within(GOODBYE_SECONDS)
        else:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The whole request is there."""
        if not self._refused:
            self._within(ANSWER_SECONDS)
            _connections(self.config).work(self._counted)
            super().on_message_complete()

    def on_response_complete(self) -> None:
        """The answer is sent."""
        super().on_response_complete()
        self._within(None if self._idle else ANSWER_SECONDS)
        if self._counted is not None and self._counted.unproven:  # what it said of itself was not true
            self.transport.close()
        elif self._idle:
            _connections(self.config).rest(self._counted)

    @property
    def _vouched(self) -> bool:
        """Whether one of our processes seems to ask; somebody else looks whether that is true."""
        return any(name == _VOUCHER for name, _ in self.headers)

    def handle_websocket_upgrade(self) -> None:
        """The connection becomes a WebSocket, which is counted in its stead."""
        if self._refused:
            return
        self._within(None)
        counted, self._counted = self._counted, None
        super().handle_websocket_upgrade()
        socket = self.transport.get_protocol()
        assert isinstance(socket, SocketConnection)
        socket.counted = counted

    @property
    def _answered(self) -> bool:
        return self.cycle is not None and self.cycle.response_complete

    @property
    def _idle(self) -> bool:
        return (self.cycle is None or self.cycle.response_complete) and not self.pipeline

    def _within(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self._too_late)

    def _too_late(self) -> None:
        self._deadline = None
        if self._idle and self._header_bytes and not self._refused:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.transport.abort()

    def _refuse(self, status: HTTPStatus) -> None:
        """Answer in one line, without asking the application, and end."""
        self._refused = True
        self._within(CLOSING_SECONDS)
        count_refusal(f"http_{status.value}", "connection")
        line = f"HTTP/1.1 {status.value} {status.phrase}\r\nconnection: close\r\ncontent-length: 0\r\n"
        self.transport.write(f"{line}{UNTOUCHED}: yes\r\n\r\n".encode("ascii"))
        self.transport.close()


class SocketConnection(WebSocketsSansIOProtocol):
    """One WebSocket; it goes on being counted where it came from."""

    counted: Connection | None = None

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.conn.available_extensions = [LargeMessages()]
        self._frames = 0.0
        self._frames_at = self.loop.time()
        self._deadline: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it no longer."""
        self._within(None)
        if self.counted is not None:
            _connections(self.config).leave(self.counted)
            self.counted = None
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read on, a piece at a time, until there are too many frames."""
        words = self._whole_text(data)
        if words is not None:
            self._take(words)
            return
        for start in range(0, len(data), _PIECE):
            if self.transport.is_closing():
                return
            super().data_received(data[start : start + _PIECE])

    def _whole_text(self, data: bytes) -> str | None:
        reading = self.conn
        if len(data) > _PIECE or reading.state is not State.OPEN or self.close_sent or self.transport.is_closing():
            return None
        if not self.handshake_complete or not between_frames(reading):
            return None
        return whole_text(data, _PIECE, deflated=bool(reading.extensions))

    def _take(self, words: str) -> None:
        """Hand on a message that needs no more than that."""
        if not self._bears(1):
            return
        self.queue.put_nowait({"type": "websocket.receive", "text": words})
        if self.queue.qsize() > 1 and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def handle_events(self) -> None:
        """Count the frames."""
        if self._bears(len(self.conn.events)):
            super().handle_events()

    def _bears(self, frames: int) -> bool:
        """Whether some more are not too many; who sends too many is sent away."""
        now = self.loop.time()
        drained = (now - self._frames_at) * _FRAMES_PER_SECOND
        self._frames = max(0.0, self._frames - drained) + frames
        self._frames_at = now
        if self._frames > _MOST_FRAMES:
            self._refuse()
            return False
        return True

    def handle_cont(self, event: Frame) -> None:
        """A part of a message, which has not too many of them."""
        if len(self.frames) >= _MOST_PARTS:
            self._refuse()
        else:
            super().handle_cont(event)

    def handle_ping(self) -> None:
        """Answer, unless the answers before were not fetched: they would pile up."""
        if self.writable.is_set():
            super().handle_ping()
        else:
            self.conn.data_to_send()

    def pause_writing(self) -> None:
        """Much is waiting to be fetched: not for ever."""
        super().pause_writing()
        self._within(UNREAD_SECONDS)

    def resume_writing(self) -> None:
        """It was fetched."""
        super().resume_writing()
        self._within(None)

    def keepalive_timeout(self) -> None:
        """The other end does not answer any more."""
        super().keepalive_timeout()
        self._within(CLOSING_SECONDS)

    async def run_asgi(self) -> None:
        """Talk to the application; when that has ended the other end may say goodbye."""
        self.scope[CONNECTION] = self.counted  # type: ignore[typeddict-unknown-key]
        self.scope[OUTLET] = self  # type: ignore[typeddict-unknown-key]
        await super().run_asgi()
        if not self.disconnected:
            self._within(CLOSING_SECONDS)

    def write_now(self, data: bytes) -> bool:
        """Write a text without any detour: one that is not compressed, as by far the most are not."""
        size = len(data)
        if not (self.handshake_complete and self.writable.is_set() and 0 < size < COMPRESSED_FROM):
            return False
        if self.conn.state is not State.OPEN or self.disconnected or self.transport.is_closing():
            return False
        SENT_WEBSOCKET.inc(size)
        self.transport.write(_header(size) + data)
        return True

    def _refuse(self) -> None:
        if not self.transport.is_closing():
            count_refusal("too_fast", "frames")
            self.transport.abort()

    def _within(self, seconds: float | None) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
        self._deadline = None if seconds is None else self.loop.call_later(seconds, self.transport.abort)


def _header(size: int) -> bytes:
    """Of a text in one frame (RFC 6455, 5.2)."""
    return bytes((0x81, size)) if size < 126 else b"\x81\x7e" + size.to_bytes(2, "big")


def _connections(config: Any) -> Connections:
    connections: Connections = config.app.state.components.connections
    return connections
