"""The WebSocket of the lobby."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Final

import structlog
from pydantic import TypeAdapter
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketState

from nevsky.server.addresses import address_of
from nevsky.server.components import Components
from nevsky.server.errors import Refusal, close_code
from nevsky.server.languages import language_of
from nevsky.server.lobby.visitor import Visitor
from nevsky.server.metrics import LOBBY_VISITORS, SENT_WEBSOCKET, count_refusal
from nevsky.server.origins import same_origin
from nevsky.server.places import CONNECTION, OUTLET, WATCHES
from nevsky.server.protocol import LobbyClientMessage, Ping, Pong, Unwish, Wish
from nevsky.server.versions import check_page
from nevsky.server.websocket import GONE, end_soon, read_message, send_away

__all__ = ["route"]

_MOST_BYTES: Final = 2048
_MOST_FLOODING: Final = 50
_PAUSE: Final = 0.05
_messages: Final[TypeAdapter[LobbyClientMessage]] = TypeAdapter(LobbyClientMessage)
log = structlog.get_logger()


async def _look(socket: WebSocket) -> None:
    """Watch the lobby, and be found there."""
    components = socket.app.state.components
    assert isinstance(components, Components)
    await socket.accept()
    connection = socket.scope.get(CONNECTION)
    try:
        if not components.settings.lobby:
            raise Refusal("not_found", "address")
        address = address_of(socket, components.settings)
        signed = components.sessions.signed(socket)
        components.bans.check(signed, address)
        who = signed or address
        components.limits.check("request", who, address)
        if not same_origin(socket, components.settings):
            raise Refusal("not_allowed", "page")
        check_page(socket.query_params.get("protocol"))
        with components.connections.socket(address, who, connection) as place:
            turn = await components.turns.take(address, who)
            try:
                guest = await components.sessions.read(socket)
                visitor = Visitor(
                    language_of(socket),
                    None if guest is None else guest.id,
                    address,
                    socket.scope.get(OUTLET),
                    socket.query_params.get("since", "")[:32],
                )

                def make_room() -> None:
                    visitor.dismiss(Refusal("busy", "made_room"))
                    end_soon(connection)

                components.connections.may_yield(place, WATCHES, make_room)
            finally:
                turn.give_back()
            with LOBBY_VISITORS.track_inprogress(), components.lobby.presence.of(visitor.guest):
                await _Conversation(socket, components, visitor).run()
    except Refusal as refusal:
        await components.turns.rest(refusal)
        if refusal.code in ("busy", "too_fast"):
            end_soon(connection)
        await send_away(socket, refusal)
    except asyncio.CancelledError:  # the server stops, and has waited for long enough
        await send_away(socket, components.hub.goodbye())


route: Final = WebSocketRoute("/api/lobby/ws", _look)


class _Conversation:
    def __init__(self, socket: WebSocket, components: Components, visitor: Visitor) -> None:
        self._socket = socket
        self._components = components
        self._visitor = visitor
        self._messages = components.limits.connection()
        self._flooding = 0

    async def run(self) -> None:
        """Speak and listen until one of both ends."""
        visitor, lobby = self._visitor, self._components.lobby
        tasks = []
        try:
            await lobby.arrive(visitor)
            await self._components.wishing.greet(visitor)
            tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if task.exception() is not None and not isinstance(task.exception(), GONE):
                    log.error("lobby_socket_failed", exc_info=task.exception())
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            lobby.depart(visitor)
            await asyncio.shield(self._components.wishing.depart(visitor))
            if self._socket.client_state == self._socket.application_state == WebSocketState.CONNECTED:
                with contextlib.suppress(*GONE):
                    await self._socket.close(visitor.close_code)

    async def _speak(self) -> None:
        while texts := await self._visitor.outgoing():
            for text in texts:
                await self._socket.send_text(text.decode())
                SENT_WEBSOCKET.inc(len(text))

    async def _listen(self) -> None:
        visitor = self._visitor
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            about = None
            try:
                who = visitor.guest or visitor.address
                self._components.limits.check("message", who, visitor.address, self._messages)
                read = read_message(_messages, message.get("text"), _MOST_BYTES)
                about = read.type
                await self._answer(read)
            except Refusal as refusal:
                count_refusal(refusal.code, refusal.reason)
                visitor.refuse(refusal, about)
                if refusal.code == "too_fast":
                    self._flooding += 1
                    await asyncio.sleep(_PAUSE)
                if self._flooding > _MOST_FLOODING:
                    visitor.close(close_code("too_fast"))
                    return

    async def _answer(self, message: LobbyClientMessage) -> None:
        match message:
            case Wish():
                if not self._components.settings.matching:
                    raise Refusal("not_found", "address")
                visitor = self._visitor
                self._components.limits.check("table", visitor.guest or visitor.address, visitor.address)
                await self._components.wishing.wish(visitor, message)
            case Unwish():
                await self._components.wishing.unwish(self._visitor)
            case Ping():
                self._visitor.send(Pong())
