"""How servers bear many tables at once: real ones in processes of their own, and players who choose at random.

People think for a while before each move. With no pause at all somebody is always waiting for an answer at every
table: then the moves per second are the most that the server can do, and the answer times those of one that is kept
fully busy.
"""

from __future__ import annotations

import asyncio
import math
import random
import tempfile
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson
from websockets.asyncio.client import ClientConnection

from nevsky._version import __version__
from nevsky.errors import NevskyError
from nevsky.server.load_cluster import LoadServers, Setup, servers
from nevsky.server.load_return import AT_ONCE, Seat, enter, reconnects, restart
from nevsky.server.load_server import BROKEN, PATIENCE, percentiles, raise_file_limit
from nevsky.server.patches import patched

__all__ = ["Setup", "run"]

_MOST_TABLES: Final = 2000
_MOST_SECONDS: Final = 600
_RECONNECTING: Final = 20
"""Tables at which players leave and come back."""
_NEEDED: Final = ("type", "serial", "version", "status", "you", "to_move", "choices")
"""The fields of a state that these players look at; to keep all of it up to date would cost more than the server."""


def run(
    tables: int = 250,
    seats: int = 4,
    seconds: float = 20.0,
    *,
    seed: int = 1,
    pause: float = 0.0,
    setup: Setup | None = None,
) -> dict[str, Any]:
    """Figures of a server with so many tables, all of them playing; players may pause before each move."""
    chosen = setup or Setup()
    chosen.check()
    if not 1 <= tables <= _MOST_TABLES:
        raise NevskyError("load.tables", most=_MOST_TABLES, tables=tables)
    if not 2 <= seats <= 5:
        raise NevskyError("load.seats", seats=seats)
    if not (math.isfinite(seconds) and 0 < seconds <= _MOST_SECONDS):
        raise NevskyError("load.seconds", most=_MOST_SECONDS, seconds=seconds)
    if not (math.isfinite(pause) and 0 <= pause <= _MOST_SECONDS):
        raise NevskyError("load.pause", most=_MOST_SECONDS, pause=pause)
    if not Path("/proc/self/status").exists():
        raise NevskyError("load.linux")
    raise_file_limit(tables * seats + 200)
    with tempfile.TemporaryDirectory(prefix="nevsky-load-") as folder:
        try:
            return asyncio.run(_measure(Path(folder), chosen, tables, seats, seconds, seed, pause))
        except BROKEN as error:
            raise NevskyError("load.too_much", error=type(error).__name__, reason=str(error)) from error


class _Load:
    """Everybody who plays, and what they find."""

    def __init__(self, server: LoadServers, seats: int, seed: int, pause: float) -> None:
        self.server = server
        self.seats = seats
        self.rng = random.Random(seed)  # noqa: S311
        self.pause = pause
        self.answers: list[float] = []
        self.errors: Counter[str] = Counter()
        self.games = 0
        self.bytes = 0
        self.waiting = 0
        self.ready: set[ClientConnection] = set()
        self.go = asyncio.Event()
        self.stopped = False
        self.last_answer = 0.0
        self.tables: dict[AsyncExitStack, list[Seat]] = {}
        """Where everybody plays now."""
        self._some = asyncio.Semaphore(AT_ONCE)

    async def create(self) -> list[Seat]:
        """A table whose game has begun: every seat is taken by a guest of its own."""
        kinds = [{"kind": "me"}] + [{"kind": "open"}] * (self.seats - 1)
        wanted = {"ruleset": {"players": self.seats, "market": self.seats == 5}, "seats": kinds}
        async with self._some:
            made = [await asyncio.to_thread(self.server.post, "/api/tables", wanted)]
            path = f"/api/tables/{made[0]['table']}/join"
            made += [await asyncio.to_thread(self.server.post, path, {"seat": at}) for at in range(1, self.seats)]
        return made

    async def enter(self, seats: list[Seat], stack: AsyncExitStack) -> list[ClientConnection]:
        """A connection for every seat of a table."""
        connections = []
        async with self._some:
            for seat in seats:
                connections.append(await enter(self.server.of(seat["table"]), seat))
                stack.push_async_callback(connections[-1].close)
        self.tables[stack] = seats
        return connections

    async def keep_playing(self, connections: list[ClientConnection], stack: AsyncExitStack) -> None:
        """One game after the other, each at a new table, until told to stop."""
        try:
            while True:
                await asyncio.gather(*(self._play(each) for each in connections))
                self.games += 1
                await stack.aclose()
                connections = await self.enter(await self.create(), stack)
        except (*BROKEN, NevskyError) as error:
            self.errors[type(error).__name__] += 1

    async def _play(self, connection: ClientConnection) -> None:
        """One seat until the game is over: a random choice whenever it is asked for one."""
        rng = random.Random(self.rng.random())  # noqa: S311
        sent, decided = 0.0, -1
        state: dict[str, Any] = {}
        while True:
            text = await connection.recv()
            arrived = time.perf_counter()
            self.bytes += len(text)
            self.ready.add(connection)
            message = orjson.loads(text)
            if message["type"] == "patch":
                message = _followed(state, message)
            error = message["type"] == "error"
            if sent and (error or message["version"] > decided):
                self.answers.append(arrived - sent)
                self.last_answer = arrived
                self.waiting -= 1
                sent = 0.0
            if error:
                self.errors[message["code"]] += 1
                decided = -1  # a state follows where it makes sense to try again
                continue
            state = {name: message[name] for name in _NEEDED if name in message}
            if message["status"] == "over":
                return
            if message["to_move"] == message["you"] and message["version"] > decided:
                decided = message["version"]
                await self.go.wait()
                if self.pause:
                    await asyncio.sleep(self.pause * 2 * rng.random())
                if self.stopped:
                    continue
                action = rng.choice(message["choices"])["action"]
                sent = time.perf_counter()
                self.waiting += 1
                await connection.send(orjson.dumps({"type": "act", "version": decided, "action": action}).decode())


def _followed(state: dict[str, Any], message: dict[str, Any]) -> dict[str, Any]:
    """The state after a patch, as far as these players look at it."""
    seen = [each for each in message["patch"] if each["path"].split("/", 2)[1] in _NEEDED]
    return patched(state, {"type": "patch", "base": message["base"], "serial": message["serial"], "patch": seen})


class _Measured(NamedTuple):
    """What one run has shown of the server."""

    connections: int
    memory: dict[str, int]
    """In kB: at the start, with all tables open, and while they play."""
    started: float
    passed: float
    """Seconds in which moves were counted."""
    moves: int
    bytes: int
    """That came to all players."""
    server_busy: float
    """Seconds of processor time."""
    own_busy: float
    engines_busy: dict[str, float]


async def _measure(
    folder: Path, setup: Setup, tables: int, seats: int, seconds: float, seed: int, pause: float
) -> dict[str, Any]:
    async with servers(folder, setup) as server, AsyncExitStack() as everything:
        load = _Load(server, seats, seed, pause)
        async with AsyncExitStack() as stack:  # what the first table loads does not count
            for connection in await load.enter(await load.create(), stack):
                await connection.recv()
        load.tables.clear()
        memory = {"start": server.memory()}
        places = await asyncio.gather(*(load.create() for _ in range(tables)))
        memory["idle"] = server.memory()
        stacks = [await everything.enter_async_context(AsyncExitStack()) for _ in places]
        connections = await asyncio.gather(*(load.enter(*each) for each in zip(places, stacks, strict=True)))
        tasks = [asyncio.create_task(load.keep_playing(*each)) for each in zip(connections, stacks, strict=True)]
        try:
            measured = await _watch(load, sum(len(each) for each in connections), seconds, memory)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        load.errors["unanswered"] += load.waiting
        load.errors["log"] += server.said()
        load.errors["client"] += sum(isinstance(each, Exception) for each in ended)
        await asyncio.gather(*(stack.aclose() for stack in stacks))
        again = list(load.tables.values())
        forwarded = await asyncio.to_thread(server.forwarded)
        reconnect = await reconnects(server, again[:_RECONNECTING])
    return {
        "version": __version__,
        **setup._asdict(),
        "forwarded": round(forwarded),
        "tables": tables,
        "seats": seats,
        "pause": pause,
        **_figures(load, measured, tables),
        "reconnect": reconnect,
        "restart": await restart(folder / "0", again) if setup.database == "sqlite" else None,
    }


async def _watch(load: _Load, connections: int, seconds: float, memory: dict[str, int]) -> _Measured:
    """Let everybody play for a while."""
    server = load.server
    async with asyncio.timeout(PATIENCE):
        while len(load.ready) < connections:  # states that tell who has come do not count
            await asyncio.sleep(0.02)
    started, server_before, own_before = time.perf_counter(), server.processor_seconds(), time.process_time()
    bytes_before, engines_before = load.bytes, server.engine_seconds()
    load.go.set()
    await asyncio.sleep(seconds)
    load.stopped = True
    measured = _Measured(
        connections=connections,
        memory={**memory, "playing": server.memory()},
        started=started,
        passed=time.perf_counter() - started,
        moves=len(load.answers),
        bytes=load.bytes - bytes_before,
        server_busy=server.processor_seconds() - server_before,
        own_busy=time.process_time() - own_before,
        engines_busy={name: busy - engines_before[name] for name, busy in server.engine_seconds().items()},
    )
    while load.waiting and time.perf_counter() - started < seconds + PATIENCE:
        await asyncio.sleep(0.02)
    return measured


def _figures(load: _Load, measured: _Measured, tables: int) -> dict[str, Any]:
    playing, memory = max(load.last_answer - measured.started, measured.passed), measured.memory
    return {
        "seconds": round(playing, 2),
        "connections": measured.connections,
        "moves": len(load.answers),
        "games": load.games,
        "moves_per_second": round(len(load.answers) / playing, 1),
        "answer_ms": percentiles(load.answers),
        "server_memory_kb": memory["playing"],
        "kb_per_idle_table": round((memory["idle"] - memory["start"]) / tables, 1),
        "kb_per_playing_table": round((memory["playing"] - memory["start"]) / tables, 1),
        "bytes_per_move_and_viewer": round(measured.bytes / max(1, measured.moves * load.seats)),
        "server_cpu_ms_per_move": round(measured.server_busy / max(1, measured.moves) * 1000, 2),
        "engine_cpu_ms_per_move": {
            name: round(busy / max(1, measured.moves) * 1000, 2) for name, busy in measured.engines_busy.items()
        },
        "server_cpu_percent": round(measured.server_busy / measured.passed * 100),
        "client_cpu_percent": round(measured.own_busy / measured.passed * 100),
        "errors": sum(load.errors.values()),
        "errors_by_code": {code: number for code, number in sorted(load.errors.items()) if number},
    }
