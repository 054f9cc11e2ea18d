"""What it costs to come back: one player whose connection broke, and everybody after a restart of the server."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, Protocol

from websockets.asyncio.client import ClientConnection, connect

from nevsky.server.load_server import CONNECTING, HOST, LoadServer, percentiles, serving

__all__ = ["AT_ONCE", "Seat", "enter", "reconnects", "restart"]

AT_ONCE: Final = 20
"""How many people come in at the same time."""
_RECONNECTS: Final = 200
Seat = dict[str, Any]
"""What the server answered to whoever took it."""


class Several(Protocol):
    """Servers that work together."""

    def of(self, table: str) -> LoadServer:
        """The one to ask about a table."""

    def processor_seconds(self) -> float:
        """Time of the processor used so far."""


async def enter(server: LoadServer, seat: Seat) -> ClientConnection:
    """A connection for a seat."""
    address = f"ws://{HOST}:{server.port}/api/tables/{seat['table']}/ws?seat={seat['seat_token']}"
    return await connect(address, **CONNECTING)


async def reconnects(servers: Several, tables: Sequence[Sequence[Seat]]) -> dict[str, Any]:
    """One after the other leaves a table where the others stay, and comes back."""
    times: list[float] = []
    async with AsyncExitStack() as stack:
        connections = [[await _arrive(servers.of(seat["table"]), seat, stack) for seat in seats] for seats in tables]
        await asyncio.sleep(0.2)  # until everybody has heard of everybody
        before = servers.processor_seconds()
        for turn in range(_RECONNECTS):
            table = turn % len(tables)
            place = turn // len(tables) % len(tables[table])
            started = time.perf_counter()
            await connections[table][place].close()
            seat = tables[table][place]
            connections[table][place] = await _arrive(servers.of(seat["table"]), seat, stack)
            times.append(time.perf_counter() - started)
        busy = servers.processor_seconds() - before
    return {
        "number": len(times),
        "server_cpu_ms": round(busy / len(times) * 1000, 2),
        "answer_ms": percentiles(times),
    }


async def _arrive(server: LoadServer, seat: Seat, stack: AsyncExitStack) -> ClientConnection:
    connection = await enter(server, seat)
    stack.push_async_callback(connection.close)
    await connection.recv()
    return connection


async def restart(folder: Path, tables: Sequence[Sequence[Seat]]) -> dict[str, Any]:
    """The server starts again with the tables of the database, and everybody comes back to them."""
    started = time.perf_counter()
    async with serving(folder) as server, AsyncExitStack() as stack:
        ready, ready_busy = time.perf_counter() - started, server.processor_seconds()
        some = asyncio.Semaphore(AT_ONCE)

        async def come(seats: Sequence[Seat]) -> None:
            async with some:
                for seat in seats:
                    await _arrive(server, seat, stack)

        await asyncio.gather(*map(come, tables))
        passed, busy = time.perf_counter() - started, server.processor_seconds()
    return {
        "tables": len(tables),
        "connections": sum(map(len, tables)),
        "start_seconds": round(ready, 2),
        "start_cpu_seconds": round(ready_busy, 2),
        "back_seconds": round(passed, 2),
        "back_cpu_seconds": round(busy, 2),
    }
