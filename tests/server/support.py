"""A real server on a free port, and players who talk to it."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import ssl
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from nevsky.bots import Suggestion, make_bot
from nevsky.rules.view import View
from nevsky.server import components as components_module
from nevsky.server.app import create_app
from nevsky.server.bot_pool import BotPool, SeatBot
from nevsky.server.components import Components
from nevsky.server.patches import patched
from nevsky.server.protocol import StatePatch
from nevsky.server.run import uvicorn_config
from nevsky.server.scheduler import Place
from nevsky.server.settings import Settings, unlimited

Json = dict[str, Any]
FAST: Json = {
    "bot_pause": 0.0,
    "bot_milliseconds": 5,
    "bot_workers": 1,
    **unlimited(),
}


PLAIN = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For httpx, which would read all certificates of the machine for every visitor, and none of them is needed here."""
TABLE_OPTIONS = ("public", "pace", "decision_seconds", "reserve_seconds", "show_seen_cards", "rated")


class QuickBots(BotPool):
    """Thinks at once, in this process."""

    def warm_up(self) -> None:
        pass

    async def decide(self, bot: SeatBot, view: View, history: Callable[[], Sequence[View]]) -> str:
        return random.choice(view.legal)

    async def explain(self, view: View, place: Place) -> list[Suggestion]:
        return make_bot("medium").explain(view, 5)


class Table:
    """One WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.state: Json = {}
        self.seen: list[Json] = []
        self.patches = 0
        """How many of the states came as patches."""

    async def receive(self, seconds: float = 20) -> Json:
        message: Json = json.loads(await asyncio.wait_for(self.socket.recv(), seconds))
        if message["type"] == "patch":
            message = patched(self.state, cast(StatePatch, message))
            self.patches += 1
        self.seen.append(message)
        if message["type"] == "state":
            self.state = message
        return message

    async def until(self, fits: Callable[[Json], bool], seconds: float = 20) -> Json:
        """The state that fits, the present one or one to come."""
        while not (self.state and fits(self.state)):
            message = await self.receive(seconds)
            if message.get("code") in ("shutting_down", "moved"):
                raise ConnectionResetError
            assert message["type"] in ("state", "nudge"), message
        return self.state

    async def my_turn(self) -> Json:
        return await self.until(lambda state: state["to_move"] == state["you"] or state["status"] == "over")

    async def send(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def act(self, action: str, version: int | None = None) -> None:
        await self.send(type="act", version=self.state["version"] if version is None else version, action=action)

    async def play(self, action: str) -> Json:
        """Act and wait for the state that tells so."""
        version = self.state["version"]
        await self.act(action)
        return await self.until(lambda state: state["version"] > version)

    async def error(self) -> Json:
        """The next error, whatever else comes."""
        while True:
            message = await self.receive()
            if message["type"] == "error":
                return message

    async def quiet(self, seconds: float = 0.15) -> bool:
        try:
            await self.receive(seconds)
        except TimeoutError:
            return True
        return False


async def play_randomly(table: Table, rng: random.Random) -> None:
    """Choose at random whenever asked, until the game is over."""
    while (await table.my_turn())["status"] != "over":
        version = table.state["version"]
        await table.act(rng.choice(table.state["choices"])["action"])
        while table.state["version"] == version:
            message = await table.receive()
            if message["type"] == "error":  # somebody had a secret question to answer first
                assert message["code"] == "stale", message


class Visitor:
    """A browser: cookies, requests and WebSockets."""

    def __init__(self, server: Server, client: httpx.AsyncClient) -> None:
        self.server = server
        self.http = client

    async def create(self, seats: str = "me bot", **options: Any) -> Json:
        """A new table; seats are words: me, open, or a level."""
        table = {key: options.pop(key) for key in TABLE_OPTIONS if key in options}
        kinds = [
            {"kind": word} if word in ("me", "open", "bot") else {"kind": "bot", "level": word}
            for word in seats.split()
        ]
        ruleset = {"players": len(kinds), **options}
        answer = await self.http.post("/api/tables", json={"ruleset": ruleset, "seats": kinds, **table})
        assert answer.status_code == 201, answer.text
        found: Json = answer.json()
        return found

    async def open(
        self, table: str, token: str | None = None, language: str = "en", *, states: str = "patches", **headers: str
    ) -> Table:
        query = f"?language={language}&states={states}" + (f"&seat={token}" if token else "")
        cookies = "; ".join(f"{key}={value}" for key, value in self.http.cookies.items())
        address = f"ws://127.0.0.1:{self.server.port}/api/tables/{table}/ws{query}"
        more = {**({"Cookie": cookies} if cookies else {}), **headers}
        return Table(await self.server.stack.enter_async_context(connect(address, additional_headers=more)))


class Server:
    """What a test holds of the server."""

    def __init__(self, components: Components, port: int, stack: AsyncExitStack, open_connections: set[Any]) -> None:
        self.components = components
        self.port = port
        self.stack = stack
        self.open_connections = open_connections

    async def visitor(self) -> Visitor:
        client = httpx.AsyncClient(base_url=f"http://127.0.0.1:{self.port}", timeout=20, verify=PLAIN)
        return Visitor(self, await self.stack.enter_async_context(client))


SECRET = "the same secret for all servers"
GRACE = 5
"""Seconds for what is under way when a server stops."""


@asynccontextmanager
async def running(database: Path | str, **options: Any) -> AsyncIterator[Server]:
    """A server that runs while the block does, on a file or on a PostgreSQL."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        if isinstance(database, str):
            address = f"http://127.0.0.1:{listening.getsockname()[1]}"
            options = {"secret": SECRET, "advertise": address, **options}
        settings = Settings(database=str(database), **{**FAST, **options})
        app = create_app(settings)
        config = uvicorn_config(app)
        config.timeout_graceful_shutdown = GRACE
        server = uvicorn.Server(config)
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        task = asyncio.create_task(server._serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.005)
            assert not task.done(), task.exception()
        try:
            async with AsyncExitStack() as stack:
                port = listening.getsockname()[1]
                yield Server(app.state.components, port, stack, server.server_state.connections)
        finally:
            server.should_exit = True
            await task


def run(scenario: Coroutine[Any, Any, None], seconds: float = 60) -> None:
    """Run an asynchronous test."""

    async def limited() -> None:
        await asyncio.wait_for(scenario, seconds)

    asyncio.run(limited())


@pytest.fixture
def quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots without processes."""
    monkeypatch.setattr(components_module, "BotPool", QuickBots)
