"""The same work again and again: whether a move costs more after an hour, although the machine has other work as well.

While everybody else pauses, two people pass at a table of their own, which is the same work each time. A fixed loop of
Python before and after it tells what a second of the processor is worth in that minute. What a move costs in steps of
that loop does not depend on what else the machine does, and should stay as it is.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from concurrent.futures import ProcessPoolExecutor
from contextlib import AsyncExitStack
from typing import Any, Final

import orjson
from websockets.asyncio.client import ClientConnection, connect

from nevsky.server.load_server import CONNECTING, HOST, LoadServer

__all__ = ["Probe"]

_CALIBRATING: Final = 0.15
"""Seconds of the processor."""
_FIRST: Final = 8
"""Moves until the table has everything it needs."""
_MOVES: Final = 48
"""A game in which everybody passes has some more."""
_TABLES: Final = 5
"""Of which the one counts that was disturbed least."""
_SETTLING: Final = 0.5
"""Seconds in which what is under way comes to its end."""


def _steps() -> float:
    """How many thousand steps of a fixed loop a second of the processor is worth now."""
    steps, x, begun = 0, 1, time.process_time()
    while (used := time.process_time() - begun) < _CALIBRATING:
        for _ in range(10_000):
            x = (x * 1103515245 + 12345) & 0x7FFFFFFF
        steps += 10
    return steps / used


class Probe:
    """Measures one server again and again; calibrates in a process of its own."""

    def __init__(self, server: LoadServer, stack: AsyncExitStack) -> None:
        self._server = server
        self._pool = stack.enter_context(ProcessPoolExecutor(1, multiprocessing.get_context("spawn")))

    async def sample(self, go: asyncio.Event, cost: float) -> dict[str, float]:
        """What the same moves cost as always, while everybody waits; also in steps, and so what a move cost."""
        go.clear()
        try:
            before = await self._calibrate()
            alone = await self._move()
            calibration = max(before, await self._calibrate())
        finally:
            go.set()
        return {
            "calibration": round(calibration),
            "steps_per_move": round(cost * calibration),
            "probe_ms_per_move": round(alone, 3),
            "probe_steps_per_move": round(alone * calibration),
        }

    async def _calibrate(self) -> float:
        """Thousands of steps in a second of the processor."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, _steps)

    async def _move(self) -> float:
        """Milliseconds of the server's processor time for a move at a table of two, while nobody else does anything."""
        await asyncio.sleep(_SETTLING)
        return min([await self._passed() for _ in range(_TABLES)])

    async def _passed(self) -> float:
        server = self._server
        wanted = {"ruleset": {"players": 2}, "seats": [{"kind": "me"}, {"kind": "open"}]}
        made = [await asyncio.to_thread(server.post, "/api/tables", wanted)]
        made.append(await asyncio.to_thread(server.post, f"/api/tables/{made[0]['table']}/join", {}))
        before = 0.0
        async with AsyncExitStack() as stack:
            players = [await stack.enter_async_context(_connected(server, each)) for each in made]
            for number in range(_FIRST + _MOVES):
                states = [await _state(player, number) for player in players]
                if number == _FIRST:
                    before = server.exact_seconds()
                asked = next(seat for seat, state in enumerate(states) if state["to_move"] == state["you"])
                choices = [choice["action"] for choice in states[asked]["choices"]]
                action = "pass" if "pass" in choices else choices[0]
                await players[asked].send(orjson.dumps({"type": "act", "version": number, "action": action}).decode())
            for player in players:
                await _state(player, _FIRST + _MOVES)
            return (server.exact_seconds() - before) / _MOVES * 1000


def _connected(server: LoadServer, seat: dict[str, Any]) -> connect:
    way = f"/api/tables/{seat['table']}/ws?seat={seat['seat_token']}&states=full"
    return connect(f"ws://{HOST}:{server.port}{way}", **CONNECTING)


async def _state(player: ClientConnection, version: int) -> dict[str, Any]:
    """The state after so many moves."""
    while True:
        state: dict[str, Any] = orjson.loads(await player.recv())
        if state["type"] == "state" and state["version"] >= version:
            return state
