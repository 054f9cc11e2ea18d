"""Requests about a table that another process has are passed on to it, as they are.

Nothing is executed twice: what went wrong is asked again only if it cannot have arrived, or if it only reads. While the
owner of a table cannot be reached the visitor waits until its lease is over, and the table comes here.
"""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable, Collection
from typing import Final

import httpx
import structlog
from starlette.requests import HTTPConnection, Request
from starlette.types import Message, Send
from starlette.websockets import WebSocket

from nevsky.server.actor import Table
from nevsky.server.addresses import VOUCHED
from nevsky.server.errors import Refusal, moved
from nevsky.server.hub import Hub
from nevsky.server.metrics import count_forwarded
from nevsky.server.ownership import Elsewhere, ElsewhereError
from nevsky.server.peers import Peer, Peers
from nevsky.server.places import UNTOUCHED
from nevsky.server.relays import Relay
from nevsky.server.turns import Turn
from nevsky.server.vouching import HEADER, Vouching, target_of

__all__ = ["Forwarding", "table_of"]

_TABLE: Final = re.compile(r"/api/tables/([^/]+)(?:/.*)?")
_LISTS: Final = ("mine", "played", "finished")
_READS: Final = ("GET", "HEAD")
_PAUSE: Final = 0.2
_REMEMBERED: Final = 30.0
"""Seconds for which the owner of a table is not looked up again."""
_MOST_REMEMBERED: Final = 10_000
_OF_CONNECTION: Final = (
    "connection keep-alive proxy-authenticate proxy-authorization te trailer transfer-encoding upgrade"
)
_OWN: Final = frozenset(f"{_OF_CONNECTION} expect content-length {HEADER}".encode().split())
"""Headers that belong to one connection only, or are made anew."""
_SAID_AGAIN: Final = frozenset(f"{_OF_CONNECTION} date {UNTOUCHED}".encode().split())
log = structlog.get_logger()


def table_of(path: str) -> str | None:
    """The table that an address is about."""
    found = _TABLE.fullmatch(path)
    return found[1] if found and found[1] not in _LISTS else None


class _NotSentError(Exception):
    """Nothing can have happened, so it may be asked again."""


class _Patience:
    """Between two tries to reach the owner of a table, from the first that failed; it has an end."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._end: float | None = None

    async def wait(self) -> None:
        """A moment, not the same for everybody; when it has been long enough, the table moved."""
        now = asyncio.get_running_loop().time()
        self._end = self._end or now + self._seconds
        if now > self._end:
            raise moved()
        await asyncio.sleep(_PAUSE * random.uniform(0.5, 1.5))  # noqa: S311


class Forwarding:
    """Between this process and those that have the tables which are not here."""

    def __init__(
        self,
        hub: Hub,
        vouching: Vouching,
        running: Callable[[Collection[str]], Awaitable[Collection[str]]],
        patience: float,
    ) -> None:
        self._hub = hub
        self.vouching = vouching
        self._peers = Peers(running)
        self._patience = patience
        """Seconds in which the lease of a process that cannot be reached is over, with some more."""
        self._relays: set[Relay] = set()
        self._owners: dict[str, tuple[Elsewhere, float]] = {}

    async def owner_of(self, table: str) -> Elsewhere | None:
        """Who else has a table; None if it is here or there is none.

        That is remembered for a while without asking the database: whoever has the table no longer says so.
        """
        now = asyncio.get_running_loop().time()
        found, until = self._owners.get(table, (None, 0.0))
        if found is not None and now < until and self._peers.runs(found):
            return found
        try:
            await self._hub.get(table)
        except ElsewhereError as elsewhere:
            if len(self._owners) >= _MOST_REMEMBERED:
                del self._owners[next(iter(self._owners))]
            self._owners[table] = (elsewhere.owner, now + _REMEMBERED)
            return elsewhere.owner
        except Refusal:
            pass  # whoever answers says so, too
        self._owners.pop(table, None)
        return None

    async def answer(self, request: Request, body: bytes | None, send: Send, address: str, turn: Turn) -> bool:
        """Let the owner of the table answer, if that is another process; whether it did."""
        table = table_of(request.url.path)
        if table is None or body is None:
            return False
        patience = _Patience(self._patience)
        while (owner := await self.owner_of(table)) is not None:
            self._only_once(request)
            turn.give_back()  # the owner lets them take turns, too
            try:
                await self._pass_on(self._peers.get(owner), request, body, send, address)
            except _NotSentError:
                self._owners.pop(table, None)
                await patience.wait()
            else:
                return True
        return False

    @staticmethod
    def _only_once(connection: HTTPConnection) -> None:
        if VOUCHED in connection.scope:
            raise moved()

    async def _pass_on(self, peer: Peer, request: Request, body: bytes, send: Send, address: str) -> None:
        target = target_of(request)
        headers = [(name, value) for name, value in request.headers.raw if name.lower() not in _OWN]
        signed = self.vouching.sign(peer.process, request.method, target, address)
        headers.append((HEADER.encode(), signed.encode()))
        as_it_came = {"target": target.encode("latin-1")}
        asked = httpx.Request(
            request.method, peer.url(""), headers=headers, content=body or None, extensions=as_it_came
        )
        response = await self._ask(peer, asked)
        try:
            if UNTOUCHED in response.headers:
                raise _NotSentError
            count_forwarded("http")
            await _hand_on(response, send)
        finally:
            await response.aclose()

    async def _ask(self, peer: Peer, request: httpx.Request) -> httpx.Response:
        asking = asyncio.create_task(peer.http.send(request, stream=True))
        gone = asyncio.create_task(peer.gone.wait())
        try:
            await asyncio.wait((asking, gone), return_when=asyncio.FIRST_COMPLETED)
            if asking.done():
                return asking.result()
        except (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout) as error:
            raise _NotSentError from error
        except (httpx.TransportError, RuntimeError) as error:  # the latter if the pool was closed meanwhile
            log.warning("peer_failed", process=peer.process, reason=repr(error))
        finally:
            gone.cancel()
            asking.cancel()
        if request.method in _READS:
            raise _NotSentError
        raise Refusal("shutting_down", "unanswered")

    async def ask(self, owner: Elsewhere, method: str, target: str) -> httpx.Response:
        """Something that this process wants of the owner of a table, and no visitor."""
        peer = self._peers.get(owner)
        signed = self.vouching.sign(peer.process, method, target, None)
        request = httpx.Request(
            method, peer.url(""), headers={HEADER: signed}, extensions={"target": target.encode("ascii")}
        )
        try:
            response = await self._ask(peer, request)
        except _NotSentError as error:
            raise moved() from error
        try:
            await response.aread()
        finally:
            await response.aclose()
        if UNTOUCHED in response.headers:
            raise moved()
        return response

    async def relay(
        self,
        socket: WebSocket,
        address: str,
        get: Callable[[], Awaitable[Table]],
        ranked: Callable[[Relay, int], None],
    ) -> Table | None:
        """The table, if it is here or comes here; else let its owner talk to the visitor, until one of them ends."""
        patience = _Patience(self._patience)
        while True:
            try:
                return await get()
            except ElsewhereError as elsewhere:
                self._only_once(socket)
                peer = self._peers.get(elsewhere.owner)
            if await self._relayed(peer, socket, address, ranked):
                return None
            await patience.wait()

    async def _relayed(self, peer: Peer, socket: WebSocket, address: str, ranked: Callable[[Relay, int], None]) -> bool:
        target = target_of(socket)
        headers = [(HEADER, self.vouching.sign(peer.process, "GET", target, address))]
        headers += [(name, socket.headers[name]) for name in ("cookie", "accept-language") if name in socket.headers]
        owner = await peer.connect(target, headers)
        if owner is None:
            return False
        count_forwarded("websocket")
        relay = Relay(socket, owner, lambda rank: ranked(relay, rank))
        self._relays.add(relay)
        try:
            await relay.run(peer.gone)
        finally:
            self._relays.discard(relay)
        return True

    def __len__(self) -> int:
        """How many WebSockets go through here."""
        return len(self._relays)

    def dismiss(self) -> None:
        """This process stops: whoever came through it comes back through another one."""
        for relay in self._relays:
            relay.dismiss(moved())

    async def close(self) -> None:
        """Pass nothing on any more."""
        self.dismiss()
        await self._peers.close()


async def _hand_on(response: httpx.Response, send: Send) -> None:
    """As it comes, piece by piece; the next one is read when this one was sent."""
    headers = [(name.lower(), value) for name, value in response.headers.raw if name.lower() not in _SAID_AGAIN]
    start: Message = {"type": "http.response.start", "status": response.status_code, "headers": headers}
    await send(start)
    try:
        async for piece in response.aiter_raw():
            await send({"type": "http.response.body", "body": piece, "more_body": True})
    except httpx.TransportError as error:
        log.warning("answer_broken", reason=repr(error))
        return  # the connection ends before the answer does, so that nobody takes it for a whole one
    await send({"type": "http.response.body", "body": b""})
