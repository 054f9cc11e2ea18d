"""Somebody who looks at the lobby."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from contextlib import AsyncExitStack
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.server.support import Json

__all__ = ["Looker", "looking"]


class Looker:
    """One WebSocket of the lobby: the newest edition, put together from what came."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: Json = {}
        self.own: Json = {}
        self.wholes = 0
        self.changes = 0

    @property
    def tables(self) -> list[str]:
        return [each["table"] for each in self.state["tables"]]

    async def receive(self, seconds: float = 15) -> Json:
        message: Json = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        if message["type"] == "lobby":
            self.state = message
            self.wholes += 1
        elif message["type"] == "lobby_update":
            assert message["base"] == self.state["stamp"]
            new = {each["table"]: each for each in message["put"]}
            kept = [each for each in self.state["tables"] if each["table"] not in {*new, *message["gone"]}]
            tables = sorted([*kept, *new.values()], key=lambda each: str(each["table"]))
            tables.sort(key=lambda each: str(each["updated"]), reverse=True)
            self.state = {**self.state, **message, "tables": tables}
            self.changes += 1
        elif message["type"] == "own":
            self.own = message
        return message

    async def until(self, fits: Callable[[], bool], seconds: float = 15) -> None:
        """Until it looks as it should."""
        while not (self.state and fits()):
            message = await self.receive(seconds)
            assert message["type"] != "error", message

    async def error(self) -> Json:
        while True:
            message = await self.receive()
            if message["type"] == "error":
                return message

    async def sent_away(self) -> int:
        """The code that the connection ends with, whatever comes before."""
        try:
            while True:
                await self.receive()
        except ConnectionClosed as closed:
            assert closed.rcvd is not None
            return closed.rcvd.code

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))


async def looking(http: httpx.AsyncClient, port: int, stack: AsyncExitStack, since: str = "", **more: Any) -> Looker:
    """A look at the lobby of a process, by somebody with these cookies."""
    cookies = "; ".join(f"{key}={value}" for key, value in http.cookies.items())
    address = f"ws://127.0.0.1:{port}/api/lobby/ws?since={since}"
    headers = {"Cookie": cookies} if cookies else {}
    return Looker(await stack.enter_async_context(connect(address, additional_headers=headers, **more)))
