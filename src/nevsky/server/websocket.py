"""The WebSocket of a table."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import TYPE_CHECKING, Final

from pydantic import TypeAdapter
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket

from nevsky.server.absence import propose_end, resign, set_away
from nevsky.server.actor import Table
from nevsky.server.addresses import address_of
from nevsky.server.components import Components
from nevsky.server.conversation import GONE, Conversation, admission, end_soon
from nevsky.server.daily.at_table import check_secret
from nevsky.server.errors import Refusal
from nevsky.server.hub import identify
from nevsky.server.languages import language_of
from nevsky.server.metrics import VIEWERS
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
from nevsky.server.talk import say
from nevsky.server.turns import Turn
from nevsky.server.versions import check_page
from nevsky.server.viewer import Viewer

if TYPE_CHECKING:
    from nevsky.server.relays import Relay

__all__ = ["WebSockets"]

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
    async with admission(socket, components) as connection:
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
                await _AtTable(socket, components, table, viewer).run(table=table.row.id)


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


def _wants_whole(states: str) -> bool:
    if states not in ("full", "patches"):
        raise Refusal("bad_message", "message", detail="states: full | patches")
    return states == "full"


class _AtTable(Conversation[ClientMessage]):
    kind = TypeAdapter(ClientMessage)
    most_bytes = 4096
    most_flooding = 100

    def __init__(self, socket: WebSocket, components: Components, table: Table, viewer: Viewer) -> None:
        super().__init__(socket, components, viewer)
        self.table = table
        self.viewer = viewer

    async def leave(self) -> None:
        """The others see that they are gone."""
        with contextlib.suppress(Refusal):
            await self.table.call(lambda: self.table.depart(self.viewer))

    def refused(self, refusal: Refusal) -> None:
        """What could not be saved has not happened: they see how it is."""
        if refusal.code == "storage":
            self.table.poke()

    async def answer(self, message: ClientMessage) -> None:
        """Do what somebody at the table asks for."""
        table, viewer = self.table, self.viewer
        match message:
            case Act():
                await table.call(lambda: table.act(viewer, message))
            case Undo():
                await table.call(lambda: table.undo(viewer, message.version))
            case AutoPass():
                await table.call(lambda: table.pass_automatically(viewer, message.until))
            case Chat():
                self.check("chat")
                await table.call(lambda: say(table, viewer, message.text))
            case HintRequest():
                self.check("hint")
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
