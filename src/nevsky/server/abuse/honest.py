"""Honest people, each at an address of their own: two who play, one against an easy bot, one who looks around."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import time
from collections import Counter, deque
from typing import Any, Final

from websockets.asyncio.client import ClientConnection

from nevsky.server.abuse.scene import Scene, address
from nevsky.server.load_server import BROKEN, percentiles
from nevsky.server.patches import patched

__all__ = ["Honest"]

_THINK: Final = 0.4
_PING: Final = 0.5
_PATIENCE: Final = 60.0
_PAGES: Final = ("/health", "/api/tables", "/api/me", "/")


class Honest:
    """What they do all the time, and how they are answered."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._answers: list[float] = []
        self._bots: list[float] = []
        self._refused: Counter[str] = Counter()
        self._waiting: dict[object, float] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._rng = random.Random(1)  # noqa: S311
        self.table = ""
        """Where two of them play."""
        self.seat_token = ""

    async def begin(self) -> None:
        """Take their seats."""
        scene, cookies = self._scene, [await self._scene.guest(address(number)) for number in range(4)]
        made = await scene.create(address(0), cookies[0], "me open")
        self.table, self.seat_token = made["table"], made["seat_token"]
        await scene.ask(address(1), "POST", f"/api/tables/{self.table}/join", {"seat": 1}, cookies[1])
        against = await scene.create(address(2), cookies[2], "me easy")
        seats = [(0, self.table), (1, self.table), (2, against["table"])]
        work = [self._sit(address(number), table, cookies[number]) for number, table in seats]
        self._tasks = [asyncio.create_task(each) for each in (*work, self._look(address(3), cookies[3]))]

    def figures(self) -> dict[str, Any]:
        """What has happened since the last look; whoever still waits counts with the time so far."""
        now = time.perf_counter()
        late = [now - since for since in self._waiting.values()]
        found = {
            "answers": len(self._answers),
            "answer_ms": percentiles(self._answers + [each for each in late if each > 1]),
            "bot_answers": len(self._bots),
            "bot_ms": percentiles(self._bots),
            "refused": dict(self._refused),
        }
        self._answers, self._bots, self._refused = [], [], Counter()
        return found

    async def end(self) -> None:
        """Go home."""
        for task in self._tasks:
            task.cancel()
        for ended in await asyncio.gather(*self._tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended

    async def _look(self, source: str, cookie: str) -> None:
        """Somebody who opens pages."""
        while True:
            for path in _PAGES:
                key = object()
                self._waiting[key] = time.perf_counter()
                answer = await self._scene.ask(source, "GET", path, None, cookie)
                self._answers.append(time.perf_counter() - self._waiting.pop(key))
                if answer.status != 200:
                    self._refused[f"{path} {answer.code}"] += 1
                await asyncio.sleep(_THINK / 2)

    async def _sit(self, source: str, table: str, cookie: str) -> None:
        """Somebody who plays, and comes back whenever the connection breaks."""
        while True:
            pinging = None
            seat = _Seat(self)
            try:
                async with self._scene.socket(source, table, cookie) as socket:
                    pinging = asyncio.create_task(seat.ping(socket))
                    await seat.play(socket, random.Random(self._rng.random()))  # noqa: S311
            except BROKEN as error:
                self._refused[f"socket {type(error).__name__}"] += 1
            finally:
                seat.forget()
                if pinging is not None:
                    pinging.cancel()
            await asyncio.sleep(0.3)

    def sent(self, key: object) -> None:
        """Somebody waits from now on."""
        self._waiting[key] = time.perf_counter()

    def answered(self, key: object, *, bot: bool = False) -> None:
        """Somebody waits no longer."""
        since = self._waiting.pop(key, None)
        if since is not None:
            (self._bots if bot else self._answers).append(time.perf_counter() - since)

    def forget(self, key: object) -> None:
        """Nobody will answer any more."""
        self._waiting.pop(key, None)

    def refused(self, code: str) -> None:
        """Somebody was sent away, or told no."""
        self._refused[code] += 1


class _Seat:
    """One connection of somebody who plays."""

    def __init__(self, people: Honest) -> None:
        self._people = people
        self._pings: deque[object] = deque()
        self._moved, self._bot = object(), object()

    def forget(self) -> None:
        for key in (*self._pings, self._moved, self._bot):
            self._people.forget(key)

    async def ping(self, socket: ClientConnection) -> None:
        with contextlib.suppress(*BROKEN):
            while True:
                self._pings.append(object())
                self._people.sent(self._pings[-1])
                await socket.send('{"type":"ping"}')
                await asyncio.sleep(_PING)

    async def play(self, socket: ClientConnection, rng: random.Random) -> None:
        """Choose at random whenever asked; once the game is over only pings go on."""
        state: dict[str, Any] = {}
        thinking: asyncio.Task[None] | None = None
        decided = seen = -1
        try:
            while True:
                async with asyncio.timeout(_PATIENCE):  # wait_for may overlook that it was cancelled
                    message = json.loads(await socket.recv())
                if message["type"] == "pong":
                    self._people.answered(self._pings.popleft())
                    continue
                if message["type"] == "nudge":
                    continue
                if message["type"] == "error":
                    self._people.answered(self._moved)
                    if message["code"] != "stale":  # somebody had a secret question to answer first
                        self._people.refused(message["code"])
                    decided = -1
                    continue
                state = patched(state, message) if message["type"] == "patch" else message
                if state["type"] != "state":
                    continue
                if state["version"] > decided:
                    self._people.answered(self._moved)
                if state["version"] > seen:
                    self._people.answered(self._bot, bot=True)
                    seen = state["version"]
                    if state["to_move"] is not None and state["players"][state["to_move"]]["bot"]:
                        self._people.sent(self._bot)
                if state["status"] == "playing" and state["to_move"] == state["you"] and state["version"] > decided:
                    decided = state["version"]
                    action = rng.choice(state["choices"])["action"]
                    thinking = asyncio.create_task(self._act(socket, decided, action))
        finally:
            if thinking is not None:
                thinking.cancel()

    async def _act(self, socket: ClientConnection, version: int, action: str) -> None:
        await asyncio.sleep(_THINK)
        with contextlib.suppress(*BROKEN):
            self._people.sent(self._moved)
            await socket.send(json.dumps({"type": "act", "version": version, "action": action}))
