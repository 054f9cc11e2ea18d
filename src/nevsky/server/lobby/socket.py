"""The WebSocket of the lobby."""

from __future__ import annotations

from typing import Final

from pydantic import TypeAdapter
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from nevsky.server.addresses import address_of
from nevsky.server.components import Components
from nevsky.server.conversation import Conversation, admission, end_soon
from nevsky.server.errors import Refusal
from nevsky.server.languages import language_of
from nevsky.server.lobby.visitor import Visitor
from nevsky.server.metrics import LOBBY_VISITORS
from nevsky.server.origins import same_origin
from nevsky.server.places import OUTLET, WATCHES
from nevsky.server.protocol import LobbyClientMessage, Ping, Pong, Unwish, Wish
from nevsky.server.versions import check_page

__all__ = ["route"]


async def _look(socket: WebSocket) -> None:
    """Watch the lobby, and be found there."""
    components = socket.app.state.components
    assert isinstance(components, Components)
    async with admission(socket, components) as connection:
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
                await _InLobby(socket, components, visitor).run()


route: Final = WebSocketRoute("/api/lobby/ws", _look)


class _InLobby(Conversation[LobbyClientMessage]):
    kind = TypeAdapter(LobbyClientMessage)
    most_bytes = 2048
    most_flooding = 50

    def __init__(self, socket: WebSocket, components: Components, visitor: Visitor) -> None:
        super().__init__(socket, components, visitor)
        self.visitor = visitor

    async def run(self, **about: object) -> None:
        """Greet them first."""
        try:
            await self.components.lobby.arrive(self.visitor)
            await self.components.wishing.greet(self.visitor)
        except BaseException:
            await self.leave()
            raise
        await super().run(**about)

    async def leave(self) -> None:
        """What they wished for ends with them."""
        self.components.lobby.depart(self.visitor)
        await self.components.wishing.depart(self.visitor)

    async def answer(self, message: LobbyClientMessage) -> None:
        """Look for people to play with, or no longer."""
        match message:
            case Wish():
                if not self.components.settings.matching:
                    raise Refusal("not_found", "address")
                self.check("table")
                await self.components.wishing.wish(self.visitor, message)
            case Unwish():
                await self.components.wishing.unwish(self.visitor, message.number)
            case Ping():
                self.visitor.send(Pong())
