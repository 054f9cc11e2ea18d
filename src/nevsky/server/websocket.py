"""The WebSocket of a table."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Final, TypeVar

import structlog
from pydantic import TypeAdapter, ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from nevsky.server.absence import propose_end, resign, set_away
from nevsky.server.actor import Table
from nevsky.server.addresses import address_of
from nevsky.server.components import Components
from nevsky.server.daily.at_table import check_secret
from nevsky.server.errors import Refusal, close_code
from nevsky.server.hub import identify
from nevsky.server.languages import language_of
from nevsky.server.metrics import MESSAGE_SECONDS, SENT_WEBSOCKET, VIEWERS, count_refusal
from nevsky.server.origins import same_origin
from nevsky.server.places import CANNOT_YIELD, CONNECTION, OUTLET, PLAYS_ALONE, WATCHES, Connection, Socket
from nevsky.server.protocol import (
    Act,
    AutoPass,
    Away,
    BotSpeedChange,
    Chat,
    ClientMessage,
    EndGame,
    HintRequest,
    LanguageChange,
    Ping,
    Pong,
    Refresh,
    Resign,
    Undo,
)
from nevsky.server.rate_limits import Bucket
from nevsky.server.talk import say
from nevsky.server.turns import Turn
from nevsky.server.versions import check_page
from nevsky.server.viewer import Viewer

if TYPE_CHECKING:
    from nevsky.server.relays import Relay

__all__ = ["GONE", "WebSockets", "end_soon", "read_message", "send_away"]

log = structlog.get_logger()

_MOST_BYTES: Final = 4096
_MOST_FLOODING: Final = 100
"""Messages over the limit after which the connection ends."""
GOODBYE_SECONDS: float = 2.0
"""For somebody who is sent away to say goodbye."""
_PAUSE: Final = 0.05
"""Seconds in which nothing is read from a connection that was too fast: a flood waits at its sender's."""
GONE: Final = (RuntimeError, WebSocketDisconnect)
_M = TypeVar("_M")
_messages: Final[TypeAdapter[ClientMessage]] = TypeAdapter(ClientMessage)
_PATH: Final = re.compile(r"/api/tables/([^/]+)/ws")


class WebSockets:
    """The outermost layer of all: a WebSocket needs nothing of what is there for requests, nor any of their routes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Watch a table and play at it, if that is what is asked for."""
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "websocket" else None
        if found is None:
            await self._app(scope, receive, send)
        else:
            await _play(WebSocket(scope, receive, send), found[1])


async def _play(socket: WebSocket, table_id: str) -> None:
    asked = socket.query_params
    seat, states = asked.get("seat"), asked.get("states", "patches")
    components = socket.app.state.components
    assert isinstance(components, Components)
    await socket.accept()
    connection: Connection | None = socket.scope.get(CONNECTION)
    try:
        passed_on = _passed_on(socket, components)
        address = address_of(socket, components.settings)
        signed = components.sessions.signed(socket)
        components.bans.check(signed, address)
        who = signed or address
        if not passed_on:
            components.limits.check("request", who, address)
            if not same_origin(socket, components.settings):
                raise Refusal("not_allowed", "table_page")
        check_page(asked.get("protocol"))
        with components.connections.socket(address, who, connection, passed_on=passed_on) as place:
            found = await _table(socket, components, table_id, address, place)
            if found is None:
                return
            table, turn = found
            try:
                guest = await components.sessions.read(socket)
                guest_id = None if guest is None else guest.id
                viewer = Viewer(
                    None,
                    language_of(socket),
                    guest_id,
                    address,
                    whole_states=_wants_whole(states),
                    outlet=socket.scope.get(OUTLET),
                    device=components.sessions.device(socket),
                )

                async def come_in() -> int:
                    viewer.seat = identify(table, guest_id, seat)  # whoever is just leaving their seat has none
                    check_secret(table, viewer.seat)
                    rank = _rank(table, viewer.seat)
                    await table.arrive(viewer)
                    return rank

                rank = await table.call(come_in)
                components.connections.may_yield(place, rank, lambda: _make_room(viewer, connection))
            finally:
                turn.give_back()
            if passed_on:
                with contextlib.suppress(*GONE):  # the conversation notices, and the viewer departs
                    await socket.send_text(str(rank))
            with VIEWERS.track_inprogress(), components.lobby.presence.of(guest_id):
                await _Conversation(socket, components, table, viewer).run()
    except Refusal as refusal:
        await components.turns.rest(refusal)
        if refusal.code in ("busy", "too_fast"):
            end_soon(connection)
        await send_away(socket, refusal)
    except asyncio.CancelledError:  # the server stops, and has waited for long enough
        await send_away(socket, components.hub.goodbye())


async def send_away(socket: WebSocket, refusal: Refusal) -> None:
    """Say why, and close."""
    count_refusal(refusal.code, refusal.reason)
    with contextlib.suppress(*GONE):
        await socket.send_text(refusal.reply(language_of(socket)).model_dump_json())
        await socket.close(close_code(refusal.code), refusal.code)


def _passed_on(socket: WebSocket, components: Components) -> bool:
    if components.forwarding is None or components.forwarding.vouching.accept(socket) is None:
        return False
    components.connections.vouch(socket.scope.get(CONNECTION))
    return True


async def _table(
    socket: WebSocket, components: Components, table_id: str, address: str, place: Socket
) -> tuple[Table, Turn] | None:
    """The table, if it is here, and the turn to come in, which has to be given back.

    Where another process has it, the visitor talks to that one, and None comes back.
    """
    turn: Turn

    async def get() -> Table:
        nonlocal turn
        turn = await components.turns.take(address, place.who)
        try:
            return await components.hub.get(table_id)
        except BaseException:
            turn.give_back()
            raise

    if components.forwarding is None:
        return await get(), turn
    connection: Connection | None = socket.scope.get(CONNECTION)

    def ranked(relay: Relay, rank: int) -> None:
        def make_room() -> None:
            relay.dismiss(Refusal("busy", "made_room"))
            end_soon(connection)

        components.connections.may_yield(place, rank, make_room)

    table = await components.forwarding.relay(socket, address, get, ranked)
    return None if table is None else (table, turn)


def _rank(table: Table, seat: int | None) -> int:
    """How soon somebody has to make room for others."""
    if seat is None or any(viewer.seat == seat and not viewer.closed for viewer in table.viewers):
        return WATCHES
    return PLAYS_ALONE if table.alone else CANNOT_YIELD


def _make_room(viewer: Viewer, connection: Connection | None) -> None:
    viewer.dismiss(Refusal("busy", "made_room"))
    end_soon(connection)


def end_soon(connection: Connection | None) -> None:
    """Others wait for the room that it takes."""
    if connection is not None:
        asyncio.get_running_loop().call_later(GOODBYE_SECONDS, connection.end)


def _wants_whole(states: str) -> bool:
    if states not in ("full", "patches"):
        raise Refusal("bad_message", "message", detail="states: full | patches")
    return states == "full"


def read_message(kind: TypeAdapter[_M], text: str | None, most: int) -> _M:
    """What somebody says, if it is a message that there is and not too long."""
    if text is None or len(text) > most:
        raise Refusal("bad_message", "message_size", characters=most)
    try:
        return kind.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        raise Refusal("bad_message", "message", detail=f"{where or 'it'}: {first['msg']}") from error


class _Conversation:
    def __init__(self, socket: WebSocket, components: Components, table: Table, viewer: Viewer) -> None:
        self.socket = socket
        self.components = components
        self.table = table
        self.viewer = viewer
        self.who = viewer.guest or viewer.address
        self.messages = components.limits.connection()
        self.flooding = 0

    async def run(self) -> None:
        """Speak and listen until one of both ends."""
        tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if task.exception() is not None and not isinstance(task.exception(), GONE):
                    log.error("websocket_failed", table=self.table.row.id, exc_info=task.exception())
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.viewer.closed = True
            with contextlib.suppress(Refusal):
                await asyncio.shield(self.table.call(lambda: self.table.depart(self.viewer)))
            if self.socket.client_state == self.socket.application_state == WebSocketState.CONNECTED:
                with contextlib.suppress(*GONE):
                    code = self.viewer.close_code
                    await self.socket.close(1012 if code == 1000 and self.components.hub.closing else code)

    async def _speak(self) -> None:
        while texts := await self.viewer.outgoing():
            for text in texts:
                await self.socket.send_text(text.decode())
                SENT_WEBSOCKET.inc(len(text))

    async def _listen(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            about = None
            try:
                self._check("message", self.messages)
                with MESSAGE_SECONDS.time():
                    read = read_message(_messages, message.get("text"), _MOST_BYTES)
                    about = read.type
                    await self._answer(read)
            except Refusal as refusal:
                count_refusal(refusal.code, refusal.reason)
                self.viewer.refuse(refusal, about)
                if refusal.code == "too_fast":
                    self.flooding += 1
                    await asyncio.sleep(_PAUSE)
                if refusal.code == "storage":
                    self.table.poke()
                if self.flooding > _MOST_FLOODING:
                    self.viewer.close(close_code("too_fast"))
                    return

    def _check(self, kind: str, own: Bucket | None = None) -> None:
        self.components.limits.check(kind, self.who, self.viewer.address, own)

    async def _answer(self, message: ClientMessage) -> None:
        table, viewer = self.table, self.viewer
        match message:
            case Act():
                await table.call(lambda: table.act(viewer, message))
            case Undo():
                await table.call(lambda: table.undo(viewer, message.version))
            case AutoPass():
                await table.call(lambda: table.pass_automatically(viewer, message.until))
            case Chat():
                self._check("chat")
                await table.call(lambda: say(table, viewer, message.text))
            case HintRequest():
                self._check("hint")
                await table.call(lambda: table.hint(viewer, message.version))
            case Away():
                await table.call(lambda: set_away(table, viewer, message.seat, message.away))
            case Resign():
                await table.call(lambda: resign(table, viewer))
            case EndGame():
                await table.call(lambda: propose_end(table, viewer, message.agree))
                if table.gone is not None:
                    await asyncio.shield(self.components.hub.forget(table.row.id))  # this connection ends with it
            case LanguageChange():
                viewer.language = message.language
                viewer.forget()
                table.poke()
            case BotSpeedChange():
                viewer.bot_speed = message.speed
                table.bots.hurry()
            case Refresh():
                viewer.forget()
                table.poke()
            case Ping():
                viewer.send(Pong())
