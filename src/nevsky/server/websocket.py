"""The WebSocket of a table."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from typing import Final

import structlog
from fastapi import APIRouter, WebSocket
from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocketDisconnect, WebSocketState

from nevsky.rules.actions import parse_action
from nevsky.rules.view import View
from nevsky.server.actor import Table
from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.hub import identify
from nevsky.server.languages import language_of
from nevsky.server.metrics import REFUSALS, VIEWERS
from nevsky.server.origins import same_origin
from nevsky.server.protocol import (
    Act,
    AutoPass,
    Away,
    Chat,
    ClientMessage,
    HintReply,
    HintRequest,
    LanguageChange,
    Ping,
    Pong,
    SuggestionLine,
    Undo,
)
from nevsky.server.viewer import Viewer
from nevsky.texts.sentences import Wording

__all__ = ["router"]

router = APIRouter()
log = structlog.get_logger()

_MOST_BYTES: Final = 4096
_MOST_FLOODING: Final = 200
"""Messages over the limit after which the connection ends."""
_CLOSE: Final = {"not_found": 4404, "not_allowed": 4403, "too_fast": 4429, "shutting_down": 1012}
_GONE: Final = (RuntimeError, WebSocketDisconnect)
_messages: Final[TypeAdapter[ClientMessage]] = TypeAdapter(ClientMessage)


@router.websocket("/api/tables/{table_id}/ws")
async def play(socket: WebSocket, table_id: str, seat: str | None = None) -> None:
    """Watch a table and play at it."""
    components = socket.app.state.components
    assert isinstance(components, Components)
    await socket.accept()
    try:
        components.limits.check("request", socket.client.host if socket.client else "")
        if not same_origin(socket, components.settings):
            raise Refusal("not_allowed", "table_page")
        table = await components.hub.get(table_id)
        guest = await components.sessions.read(socket)
        guest_id = None if guest is None else guest.id
        viewer = Viewer(identify(table, guest_id, seat), language_of(socket), guest_id)
        await table.call(lambda: table.arrive(viewer))
    except Refusal as refusal:
        REFUSALS.labels(code=refusal.code).inc()
        with contextlib.suppress(*_GONE):
            await socket.send_text(refusal.reply(language_of(socket)).model_dump_json())
            await socket.close(_CLOSE.get(refusal.code, 1008), refusal.code)
        return
    with VIEWERS.track_inprogress():
        await _Conversation(socket, components, table, viewer).run()


class _Conversation:
    def __init__(self, socket: WebSocket, components: Components, table: Table, viewer: Viewer) -> None:
        self.socket = socket
        self.components = components
        self.table = table
        self.viewer = viewer
        self.key = secrets.token_hex(8)
        self.flooding = 0
        self.hints: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Speak and listen until one of both ends."""
        tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                if task.exception() is not None and not isinstance(task.exception(), _GONE):
                    log.error("websocket_failed", table=self.table.row.id, exc_info=task.exception())
        finally:
            for each in (*tasks, *self.hints):
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            self.viewer.closed = True
            with contextlib.suppress(Refusal):
                await asyncio.shield(self.table.call(lambda: self.table.depart(self.viewer)))
            if self.socket.client_state == self.socket.application_state == WebSocketState.CONNECTED:
                with contextlib.suppress(*_GONE):
                    await self.socket.close(1012 if self.components.hub.closing else 1000)

    async def _speak(self) -> None:
        while texts := await self.viewer.outgoing():
            for text in texts:
                await self.socket.send_text(text)

    async def _listen(self) -> None:
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            try:
                self._check_flood()
                await self._answer(self._read(message.get("text")))
            except Refusal as refusal:
                REFUSALS.labels(code=refusal.code).inc()
                self.viewer.send(refusal.reply(self.viewer.language))
                if self.flooding > _MOST_FLOODING:
                    return

    def _check_flood(self) -> None:
        try:
            self.components.limits.check("message", self.key)
        except Refusal:
            self.flooding += 1
            raise

    def _read(self, text: str | None) -> ClientMessage:
        if text is None or len(text) > _MOST_BYTES:
            raise Refusal("bad_message", "message_size", characters=_MOST_BYTES)
        try:
            return _messages.validate_json(text)
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where = ".".join(str(part) for part in first["loc"][1:])
            raise Refusal("bad_message", "message", detail=f"{where or 'it'}: {first['msg']}") from error

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
                self.components.limits.check("chat", viewer.guest or self.key)
                await table.call(lambda: table.say(viewer, message.text))
            case HintRequest():
                self.components.limits.check("hint", self.key)
                game = await table.call(lambda: table.hint(viewer, message.version))
                assert viewer.seat is not None
                task = asyncio.create_task(self._hint(message.version, game.view(viewer.seat, memory=True)))
                self.hints.add(task)
                task.add_done_callback(self.hints.discard)
            case Away():
                await table.call(lambda: table.set_away(viewer, message.seat, message.away))
            case LanguageChange():
                viewer.language = message.language
                viewer.forget()
                table.poke()
            case Ping():
                viewer.send(Pong())

    async def _hint(self, version: int, view: View) -> None:
        try:
            found = await self.components.bot_pool.explain(view)
        except Exception:
            log.exception("hint_failed", table=self.table.row.id)
            self.viewer.send(Refusal("refused", "advice").reply(self.viewer.language))
            return
        wording = Wording(self.viewer.language, view.ruleset.edition, self.table.names)
        lines = [
            SuggestionLine(
                action=each.action,
                label=wording.choice(parse_action(each.action), view.due),
                expected=each.expected,
                win=each.win,
                reason=each.why.say(wording.language, wording.edition) if each.why else each.reason,
            )
            for each in found[:5]
        ]
        self.viewer.send(HintReply(version=version, suggestions=lines))
