"""One WebSocket at a table: what comes in is put together, written down and judged as far as one viewer can."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson
from websockets.asyncio.client import ClientConnection

from tests.cluster.history import Asked, History, Outcome, Seat
from tests.cluster.pictures import seen

__all__ = ["Conversation", "SilentError"]

Json = dict[str, Any]
PATIENCE = 6.0
"""Seconds without an answer after which a connection counts as lost; a browser waits for two more."""
UNSURE = ("stale", "refused", "busy", "too_fast")
"""Whoever hears one of these looks at the state that follows; of all the others it is said that nothing has changed."""


class SilentError(Exception):
    """Nobody answers."""


class Conversation:
    """Everything that is sent is followed by a ping: what was refused is told before the pong."""

    def __init__(self, history: History, seat: Seat, socket: ClientConnection) -> None:
        self.history = history
        self.seat = seat
        self.state: Json = {}
        self._socket = socket
        self._pinged: list[Asked | None] = []
        """What each ping that has no pong yet came after."""
        self.done = -1
        """The version of the last decision that was acknowledged; the state that tells so may still be on its way."""

    async def receive(self, seconds: float = PATIENCE) -> Json:
        """The next message; a patch is put into the state first."""
        try:
            async with asyncio.timeout(seconds):
                message: Json = orjson.loads(await self._socket.recv())
        except TimeoutError:
            raise SilentError from None
        kind = message["type"]
        if kind == "patch":
            self._patch(message)
        elif kind == "state":
            self.state = message
        elif kind == "error":
            self._refuse(message)
        elif kind == "pong":
            self._pong()
        elif kind == "hint":
            actions = {line["action"] for line in message["suggestions"]}
            self.history.hints[self.seat][message["version"]] |= actions
            self.history.counted["hints"] += 1
        if kind in ("patch", "state"):
            self._learn()
        return message

    def _learn(self) -> None:
        state = self.state
        if state["table"] != self.seat[0]:
            self.history.counted["states of another table"] += 1
            raise AssertionError(f"{self.seat} was told of {state['table']}")
        if state["status"] == "open":
            return
        self.history.tell(self.seat, state["version"], seen(state))
        if self.history.unheard[self.seat[0]]:
            self.history.heard(self.seat[0], {line["text"] for line in state["chat"]})
        if state["status"] == "over":
            self.history.final[self.seat[0]] = state["winners"]

    def _refuse(self, message: Json) -> None:
        self.history.counted[f"told {message['code']}"] += 1
        for asked in self._pinged:
            if asked is not None and asked.kind == message.get("about") and not asked.code:
                outcome = Outcome.UNKNOWN if message["code"] in UNSURE else Outcome.REFUSED
                self.history.answer(asked, outcome, message["code"])
                return

    def _pong(self) -> None:
        asked = self._pinged.pop(0)
        if asked is not None and not asked.code and asked.outcome is Outcome.UNKNOWN:
            self.history.answer(asked, Outcome.DONE)
            self.done = max(self.done, asked.version if asked.kind in ("act", "undo") else -1)

    @property
    def waiting(self) -> bool:
        """Whether something has no answer yet."""
        return bool(self._pinged)

    async def ask(self, asked: Asked, **message: Any) -> None:
        """Send something, and a ping after it."""
        self.history.ask(asked)
        self._pinged.append(asked)
        await self._send({"type": asked.kind, **message})
        await self._send({"type": "ping"})

    async def ping(self) -> None:
        """See whether anybody is there."""
        self._pinged.append(None)
        await self._send({"type": "ping"})

    async def refresh(self) -> None:
        """Ask for the whole state."""
        await self._send({"type": "refresh"})

    async def _send(self, message: Json) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await self._socket.send(orjson.dumps(message).decode())
        except TimeoutError:
            raise SilentError from None

    def _patch(self, message: Json) -> None:
        assert self.state["serial"] == message["base"], f"{self.seat}: a patch that does not fit"
        self.state["serial"] = message["serial"]
        for operation in message["patch"]:
            *way, last = [key.replace("~1", "/").replace("~0", "~") for key in operation["path"].split("/")[1:]]
            at: Any = self.state
            for key in way:
                at = at[int(key)] if isinstance(at, list) else at[key]
            place: Any = last if isinstance(at, dict) else len(at) if last == "-" else int(last)
            if operation["op"] == "remove":
                del at[place]
            elif operation["op"] == "add" and isinstance(at, list):
                at.insert(place, operation["value"])
            else:
                at[place] = operation["value"]
