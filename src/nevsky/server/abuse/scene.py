"""What attackers and honest people share: a server, addresses of their own, requests and WebSockets."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from itertools import count
from typing import Any, Final, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from nevsky.errors import NevskyError
from nevsky.server.load_server import BROKEN, HOST, LoadServer

__all__ = ["ATTACKER", "Answer", "Attack", "Request", "Scene", "address"]

ATTACKER: Final = "127.0.0.2"
"""All of 127.0.0.0/8 is this machine, but only 127.0.0.1 is a trusted proxy."""
_PATIENCE: Final = 60.0
_LEAVING: Final = 10.0
_WAITING: Final = (*BROKEN, TimeoutError, asyncio.IncompleteReadError)


class Answer(NamedTuple):
    """What a request got; status 0 if the connection broke."""

    status: int
    text: str
    cookie: str

    @property
    def code(self) -> str:
        """The reason for a refusal, or the status."""
        with contextlib.suppress(ValueError, KeyError, TypeError):
            return str(json.loads(self.text)["code"])
        return str(self.status) if self.status else "broken"


class Request(NamedTuple):
    """What is asked for."""

    method: str
    path: str
    body: object = None
    cookie: str = ""
    more: str = ""
    """Further lines of the header."""


def address(number: int) -> str:
    """One of the addresses from which others come than the attacker."""
    return f"127.{1 + number // 62_500}.{number // 250 % 250}.{2 + number % 250}"


class Scene:
    """One attack on one server."""

    def __init__(self, server: LoadServer, seconds: float, scale: float) -> None:
        self.server = server
        self.seconds = seconds
        self.scale = scale
        self.answers: Counter[str] = Counter()
        """How the attacker was answered."""
        self.found: dict[str, Any] = {}
        """What only this attack shows."""

    def number(self, full: int) -> int:
        """So many in a full run."""
        return max(2, round(full * self.scale))

    async def ask(
        self, source: str, method: str, path: str, body: object = None, cookie: str = "", more: str = ""
    ) -> Answer:
        """A request from an address, on a connection of its own."""
        text = "" if body is None else body if isinstance(body, str) else json.dumps(body)
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(text)}\r\n" + (f"Cookie: {cookie}\r\n" if cookie else "") + more
        )
        try:
            async with asyncio.timeout(_PATIENCE), self.raw(source) as (reader, writer):
                writer.write(f"{head}\r\n{text}".encode())
                return _parsed(await reader.read(), cookie)
        except _WAITING:
            return Answer(0, "", cookie)

    async def guest(self, source: str) -> str:
        """The cookie of somebody new."""
        return (await self.ask(source, "GET", "/api/me")).cookie

    async def create(self, source: str, cookie: str, seats: str, **more: object) -> dict[str, Any]:
        """A new table; seats are words: me, open, or a level. Empty if it was refused."""
        kinds = [{"kind": word} if word in ("me", "open") else {"kind": "bot", "level": word} for word in seats.split()]
        ruleset = {"players": len(kinds), **({"market": True} if len(kinds) == 5 else {})}
        wanted = {"ruleset": ruleset, "seats": kinds, **more}
        answer = await self.ask(source, "POST", "/api/tables", wanted, cookie)
        if source == ATTACKER:
            self.answers[answer.code] += 1
        if answer.status != 201 and source != ATTACKER:
            raise NevskyError("load.answer", status=answer.status, path="tables", answer=answer.text[:200])
        return dict(json.loads(answer.text)) if answer.status == 201 else {}

    @contextlib.asynccontextmanager
    async def raw(self, source: str) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
        """A plain connection; what comes is read when it is asked for."""
        reader, writer = await asyncio.open_connection(HOST, self.server.port, local_addr=(source, 0))
        try:
            yield reader, writer
        finally:
            writer.transport.abort()

    def socket(self, source: str, table: str, cookie: str = "", query: str = "") -> connect:
        """A WebSocket at a table."""
        return connect(
            f"ws://{HOST}:{self.server.port}/api/tables/{table}/ws{query}",
            local_addr=(source, 0),
            additional_headers={"Cookie": cookie} if cookie else {},
            proxy=None,
            ping_interval=None,
            open_timeout=_PATIENCE,
            close_timeout=0.2,
            max_queue=None,
        )

    async def upgrade(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, table: str) -> None:
        """Make a WebSocket of a plain connection."""
        writer.write(self.handshake(table))
        async with asyncio.timeout(_PATIENCE):
            await reader.readuntil(b"\r\n\r\n")

    def handshake(self, table: str, query: str = "") -> bytes:
        """The request for a WebSocket."""
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        return (
            f"GET /api/tables/{table}/ws{query} HTTP/1.1\r\nHost: {HOST}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
        ).encode()

    async def listen(self, socket: ClientConnection) -> None:
        """Count the errors that an attacker's WebSocket gets, until it ends."""
        try:
            async for text in socket:
                message = json.loads(text)
                self.answers[message["code"] if message["type"] == "error" else message["type"]] += 1
        except ConnectionClosed:
            pass
        finally:
            self.answers[f"closed {socket.close_code}"] += 1

    async def flooding(self, table: str, cookie: str, messages: Callable[[int], object], pause: float = 0.0) -> None:
        """One WebSocket of the attacker that sends without end, and comes back whenever it is sent away."""
        number = 0
        while True:
            try:
                async with self.socket(ATTACKER, table, cookie) as socket:
                    listening = asyncio.create_task(self.listen(socket))
                    try:
                        while True:
                            message = messages(number)
                            await socket.send(message if isinstance(message, str) else json.dumps(message))
                            number += 1
                            await asyncio.sleep(pause)
                    finally:
                        listening.cancel()
            except InvalidStatus as error:
                self.answers[str(error.response.status_code)] += 1
            except _WAITING:
                pass
            await asyncio.sleep(0.05)

    async def for_a_while(self, work: Iterable[Awaitable[object]]) -> None:
        """Do all of it at once until the time is up."""
        tasks = [asyncio.ensure_future(each) for each in work]
        try:
            await asyncio.wait(tasks, timeout=self.seconds)
        finally:
            for task in tasks:
                task.cancel()
            done, _ = await asyncio.wait(tasks, timeout=_LEAVING)
        for task in done:
            error = None if task.cancelled() else task.exception()
            if error is not None and not isinstance(error, _WAITING):
                raise error

    async def again(self, work: Callable[[], Awaitable[object]]) -> None:
        """The same over and over, for as long as the attack lasts."""
        until = time.perf_counter() + self.seconds
        while time.perf_counter() < until:
            await work()

    async def asking(self, people: int, request: Callable[[int], Request]) -> None:
        """So many of the attacker's requests at once, one after the other, and how they are answered."""
        numbers = count()

        async def one() -> None:
            self.answers[(await self.ask(ATTACKER, *request(next(numbers)))).code] += 1

        await asyncio.gather(*(self.again(one) for _ in range(self.number(people))))

    async def hold(self, number: int, source: str, begin: bytes, more: bytes = b"", *, close_half: bool = False) -> int:
        """Plain connections that say little and wait until the time is up; how many the server still holds then."""
        until = time.perf_counter() + self.seconds
        some = asyncio.Semaphore(100)

        async def one() -> bool:
            said, held = b"", True
            try:
                async with some:
                    reader, writer = await asyncio.open_connection(HOST, self.server.port, local_addr=(source, 0))
            except _WAITING:
                self.answers["broken"] += 1
                return False
            try:
                writer.write(begin)
                if close_half:
                    writer.write_eof()
                while held and time.perf_counter() < until:
                    try:
                        async with asyncio.timeout(min(1.0, max(0.01, until - time.perf_counter()))):
                            part = await reader.read(65_536)
                        said, held = said + part, part != b""
                    except TimeoutError:
                        writer.write(more)
            except _WAITING:
                held = False
            finally:
                writer.transport.abort()
            self.answers[str(_parsed(said, "").status or "silence")] += 1
            return held

        return sum(await asyncio.gather(*(one() for _ in range(number))))


class Attack(NamedTuple):
    """What is done to a server."""

    what: str
    run: Callable[[Scene], Coroutine[Any, Any, None]]
    files: int = 0
    """The limit of open files, if it matters."""
    quick: bool = False
    """Whether bots move without a pause."""


def _parsed(answer: bytes, cookie: str) -> Answer:
    head, _, text = answer.partition(b"\r\n\r\n")
    words = head.split(b" ", 2)
    if len(words) < 3 or not words[1].isdigit():
        return Answer(0, "", cookie)
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"set-cookie":
            cookie = value.strip().partition(b";")[0].decode()
        if name.lower() == b"transfer-encoding":
            text = _unchunked(text)
    return Answer(int(words[1]), text.decode(errors="replace"), cookie)


def _unchunked(text: bytes) -> bytes:
    parts = []
    while text:
        size, _, text = text.partition(b"\r\n")
        length = int(size or b"0", 16)
        parts.append(text[:length])
        text = text[length + 2 :]
    return b"".join(parts)
