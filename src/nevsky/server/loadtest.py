"""How the server bears many tables at once: a real one in a process of its own, and players who choose at random.

People think for a while before each move. With no pause at all somebody is always waiting for an answer at every
table: then the moves per second are the most that the server can do, and the answer times those of one that is kept
fully busy.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import math
import os
import random
import re
import sys
import tempfile
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from nevsky._version import __version__
from nevsky.errors import NevskyError

__all__ = ["run"]

_HOST: Final = "127.0.0.1"
_MOST_TABLES: Final = 2000
_MOST_SECONDS: Final = 600
_PATIENCE: Final = 30.0
"""Seconds to wait for the start of the server, for a connection, and at the end for the last answers."""
_AT_ONCE: Final = 20
_CONNECTING: Final[dict[str, Any]] = {
    "proxy": None,
    "open_timeout": _PATIENCE,
    "close_timeout": 2,
    "ping_interval": None,
}
_BROKEN: Final = (OSError, WebSocketException, http.client.HTTPException)
_RATES: Final = ("message", "chat", "hint", "request", "table")
_SETTINGS: Final = {
    **{f"NEVSKY_{name.upper()}_RATE": "1000000 per second" for name in _RATES},
    "NEVSKY_HOST": _HOST,
    "NEVSKY_BOT_PAUSE": "0",
    "NEVSKY_BOT_WORKERS": "1",
    "NEVSKY_LOG_LEVEL": "error",
}


def run(
    tables: int = 250, seats: int = 4, seconds: float = 20.0, *, seed: int = 1, pause: float = 0.0
) -> dict[str, Any]:
    """Figures of a server with so many tables, all of them playing; players may pause before each move."""
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
    _raise_file_limit(tables * seats + 200)
    with tempfile.TemporaryDirectory(prefix="nevsky-load-") as folder:
        try:
            return asyncio.run(_measure(Path(folder), tables, seats, seconds, seed, pause))
        except _BROKEN as error:
            raise NevskyError("load.too_much", error=type(error).__name__, reason=str(error)) from error


def _raise_file_limit(needed: int) -> None:
    """As many open files as we may have; the server inherits that."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft != hard:
        soft = max(soft, needed) if hard == resource.RLIM_INFINITY else hard
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft != resource.RLIM_INFINITY and soft < needed:
        raise NevskyError("load.files", needed=needed, allowed=soft)


class _Server:
    """The process, seen from outside."""

    def __init__(self, process: Process, port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.log = log

    def memory(self) -> int:
        """Resident kilobytes of the server, without the process that thinks for bots."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        if found is None:
            raise NevskyError("load.ended")
        return int(found[1])

    def processor_seconds(self) -> float:
        """Time of the processor used so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def post(self, path: str, body: object) -> dict[str, Any]:
        """Ask as somebody new; blocks."""
        connection = http.client.HTTPConnection(_HOST, self.port, timeout=_PATIENCE)
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode()
        finally:
            connection.close()
        if answer.status not in (200, 201):
            raise NevskyError("load.answer", status=answer.status, path=path.rpartition("/")[2], answer=text[:200])
        return dict(json.loads(text))


@asynccontextmanager
async def _serving(folder: Path) -> AsyncIterator[_Server]:
    """A server that runs while the block does."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("NEVSKY_")}
    log = folder / "log"
    command = ["-c", "from nevsky.cli import main; main()", *"serve --port 0 --database".split(), str(folder / "n.db")]
    with log.open("wb") as errors:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, env={**clean, **_SETTINGS}, stdin=DEVNULL, stdout=PIPE, stderr=errors
        )
    try:
        assert process.stdout is not None
        line = b""
        with contextlib.suppress(TimeoutError):
            line = await asyncio.wait_for(process.stdout.readline(), _PATIENCE)
        found = re.search(rb":(\d+)/", line)
        if found is None:
            raise NevskyError("load.no_start", log=log.read_text(encoding="utf-8")[-300:].strip())
        yield _Server(process, int(found[1]), log)
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), _PATIENCE)
            except TimeoutError:
                process.kill()
                await process.wait()


class _Load:
    """Everybody who plays, and what they find."""

    def __init__(self, server: _Server, seats: int, seed: int, pause: float) -> None:
        self.server = server
        self.seats = seats
        self.rng = random.Random(seed)  # noqa: S311
        self.pause = pause
        self.answers: list[float] = []
        self.errors: Counter[str] = Counter()
        self.games = 0
        self.waiting = 0
        self.ready: set[ClientConnection] = set()
        self.go = asyncio.Event()
        self.stopped = False
        self.last_answer = 0.0
        self._some = asyncio.Semaphore(_AT_ONCE)

    async def create(self) -> list[dict[str, Any]]:
        """A table whose game has begun: every seat is taken by a guest of its own."""
        kinds = [{"kind": "me"}] + [{"kind": "open"}] * (self.seats - 1)
        wanted = {"ruleset": {"players": self.seats, "market": self.seats == 5}, "seats": kinds}
        async with self._some:
            made = [await asyncio.to_thread(self.server.post, "/api/tables", wanted)]
            path = f"/api/tables/{made[0]['table']}/join"
            made += [await asyncio.to_thread(self.server.post, path, {"seat": at}) for at in range(1, self.seats)]
        return made

    async def enter(self, seats: list[dict[str, Any]], stack: AsyncExitStack) -> list[ClientConnection]:
        """A connection for every seat of a table."""
        address = f"ws://{_HOST}:{self.server.port}/api/tables"
        async with self._some:
            return [
                await stack.enter_async_context(
                    connect(f"{address}/{seat['table']}/ws?seat={seat['seat_token']}", **_CONNECTING)
                )
                for seat in seats
            ]

    async def keep_playing(self, connections: list[ClientConnection], stack: AsyncExitStack) -> None:
        """One game after the other, each at a new table, until told to stop."""
        try:
            while True:
                await asyncio.gather(*(self._play(each) for each in connections))
                self.games += 1
                await stack.aclose()
                connections = await self.enter(await self.create(), stack)
        except (*_BROKEN, NevskyError) as error:
            self.errors[type(error).__name__] += 1

    async def _play(self, connection: ClientConnection) -> None:
        """One seat until the game is over: a random choice whenever it is asked for one."""
        rng = random.Random(self.rng.random())  # noqa: S311
        sent, decided = 0.0, -1
        while True:
            message = json.loads(await connection.recv())
            arrived = time.perf_counter()
            self.ready.add(connection)
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
                await connection.send(json.dumps({"type": "act", "version": decided, "action": action}))


class _Measured(NamedTuple):
    """What one run has shown of the server."""

    connections: int
    memory: dict[str, int]
    """In kB: at the start, with all tables open, and while they play."""
    started: float
    passed: float
    """Seconds in which moves were counted."""
    moves: int
    server_busy: float
    """Seconds of processor time."""
    own_busy: float


async def _measure(folder: Path, tables: int, seats: int, seconds: float, seed: int, pause: float) -> dict[str, Any]:
    async with _serving(folder) as server, AsyncExitStack() as everything:
        load = _Load(server, seats, seed, pause)
        async with AsyncExitStack() as stack:  # what the first table loads does not count
            for connection in await load.enter(await load.create(), stack):
                await connection.recv()
        memory = {"start": server.memory()}
        places = await asyncio.gather(*(load.create() for _ in range(tables)))
        memory["idle"] = server.memory()
        stacks = [await everything.enter_async_context(AsyncExitStack()) for _ in places]
        connections = await asyncio.gather(*(load.enter(*each) for each in zip(places, stacks, strict=True)))
        tasks = [asyncio.create_task(load.keep_playing(*each)) for each in zip(connections, stacks, strict=True)]
        try:
            measured = await _watch(load, server, sum(len(each) for each in connections), seconds, memory)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        load.errors["unanswered"] += load.waiting
        load.errors["log"] += len(server.log.read_text(encoding="utf-8").splitlines())
        load.errors["client"] += sum(isinstance(each, Exception) for each in ended)
        await asyncio.gather(*(stack.aclose() for stack in stacks))
    return {
        "version": __version__,
        "tables": tables,
        "seats": seats,
        "pause": pause,
        **_figures(load, measured, tables),
    }


async def _watch(load: _Load, server: _Server, connections: int, seconds: float, memory: dict[str, int]) -> _Measured:
    """Let everybody play for a while."""
    async with asyncio.timeout(_PATIENCE):
        while len(load.ready) < connections:  # states that tell who has come do not count
            await asyncio.sleep(0.02)
    started, server_before, own_before = time.perf_counter(), server.processor_seconds(), time.process_time()
    load.go.set()
    await asyncio.sleep(seconds)
    load.stopped = True
    measured = _Measured(
        connections=connections,
        memory={**memory, "playing": server.memory()},
        started=started,
        passed=time.perf_counter() - started,
        moves=len(load.answers),
        server_busy=server.processor_seconds() - server_before,
        own_busy=time.process_time() - own_before,
    )
    while load.waiting and time.perf_counter() - started < seconds + _PATIENCE:
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
        "answer_ms": _percentiles(load.answers),
        "server_memory_kb": memory["playing"],
        "kb_per_idle_table": round((memory["idle"] - memory["start"]) / tables, 1),
        "kb_per_playing_table": round((memory["playing"] - memory["start"]) / tables, 1),
        "server_cpu_ms_per_move": round(measured.server_busy / max(1, measured.moves) * 1000, 1),
        "server_cpu_percent": round(measured.server_busy / measured.passed * 100),
        "client_cpu_percent": round(measured.own_busy / measured.passed * 100),
        "errors": sum(load.errors.values()),
        "errors_by_code": {code: number for code, number in sorted(load.errors.items()) if number},
    }


def _percentiles(seconds: list[float]) -> dict[str, float]:
    ordered = sorted(seconds) or [0.0]
    ranks = {"p50": 50, "p95": 95, "p99": 99, "max": 100}
    return {name: round(ordered[-(-part * len(ordered) // 100) - 1] * 1000, 1) for name, part in ranks.items()}
