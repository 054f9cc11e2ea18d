"""A long run: many tables for an hour while people come and go, to see whether the server ages.

Everybody thinks before they move, loses the connection now and then and comes back, watches other tables, chats, asks
for hints, changes the language and plays a rematch. Every minute one sample is taken, and everybody pauses for a moment
while the same moves as always are measured; at the end the slopes of the second half say whether memory and the time
for a move have grown.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import random
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import fmean, linear_regression
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect

from nevsky._version import __version__
from nevsky.errors import NevskyError
from nevsky.server.load_server import (
    BROKEN,
    CONNECTING,
    HOST,
    PATIENCE,
    LoadServer,
    percentiles,
    raise_file_limit,
    serving,
)
from nevsky.server.patches import patched
from nevsky.server.soak_probe import Probe

__all__ = ["run"]

_MOST_TABLES: Final = 1000
_MOST_MINUTES: Final = 24 * 60
_STAY: Final = 45.0
"""Seconds after which a connection breaks, on average; sooner in a short run."""
_LANGUAGES: Final = ("en", "de", "fr", "it")
_KINDS: Final = ((1, 1), (2, 0), (2, 1), (3, 0), (4, 0))
"""People and bots at a table."""
_JUDGED: Final = (
    *("memory_kb", "workers_memory_kb", "cpu_ms_per_move", "steps_per_move", "probe_ms_per_move"),
    *("probe_steps_per_move", "p99_ms", "open_files", "tables_in_memory"),
)
"""What should not grow."""
_SETTINGS: Final = {"bot_milliseconds": 20, "idle_seconds": 60}
"""Bots think quickly, since they are not what is measured, and tables leave memory soon, so that it happens often."""


def run(
    tables: int = 100,
    minutes: float = 60.0,
    *,
    pause: float = 2.0,
    sample: float = 60.0,
    seed: int = 1,
    say: Callable[[str], object] = str,
) -> dict[str, Any]:
    """Figures of a server with so many tables and so much coming and going; `say` gets a line for each sample."""
    if not 1 <= tables <= _MOST_TABLES:
        raise NevskyError("load.tables", most=_MOST_TABLES, tables=tables)
    if not (math.isfinite(minutes) and 0 < minutes <= _MOST_MINUTES):
        raise NevskyError("load.seconds", most=60 * _MOST_MINUTES, seconds=60 * minutes)
    if not (math.isfinite(pause) and 0 <= pause <= 60):
        raise NevskyError("load.pause", most=60, pause=pause)
    if not Path("/proc/self/status").exists():
        raise NevskyError("load.linux")
    raise_file_limit(tables * 8 + 200)
    with tempfile.TemporaryDirectory(prefix="nevsky-soak-") as folder:
        try:
            return asyncio.run(_soak(Path(folder), tables, 60 * minutes, pause, sample, seed, say))
        except BROKEN as error:
            raise NevskyError("load.too_much", error=type(error).__name__, reason=str(error)) from error


class _Crowd:
    """Everybody at the tables, and what they find."""

    def __init__(self, server: LoadServer, pause: float, stay: float, seed: int) -> None:
        self.server = server
        self.pause = pause
        self.stay = stay
        self.rng = random.Random(seed)  # noqa: S311
        self.answers: list[float] = []
        self.counts: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()
        self.connected = 0
        self.go = asyncio.Event()
        """Not set while everybody pauses: answers are still awaited, but nothing new is begun."""
        self.go.set()
        self._some = asyncio.Semaphore(10)

    async def ask(self, *request: Any) -> tuple[dict[str, Any], str]:
        """A request to the server, of which not too many are made at once."""
        async with self._some:
            await self.go.wait()
            return await asyncio.to_thread(self.server.ask, *request)

    async def keep_playing(self) -> None:
        """One game after the other with somebody watching, some of them as a rematch."""
        seats: list[_Seat] = []
        while True:
            try:
                rematch = seats and self.rng.random() < 0.3
                seats = await (self._rematch(seats) if rematch else self._new_table())
                watching = asyncio.create_task(self._watch(seats[0].table))
                try:
                    await asyncio.gather(*(seat.play() for seat in seats))
                finally:
                    watching.cancel()
                    await asyncio.gather(watching, return_exceptions=True)
                self.counts["games"] += 1
            except (*BROKEN, NevskyError) as error:
                self.errors[type(error).__name__] += 1
                seats = []
                await asyncio.sleep(1)

    async def _new_table(self) -> list[_Seat]:
        people, bots = self.rng.choice(_KINDS)
        kinds = [{"kind": "me"}, *[{"kind": "open"}] * (people - 1), *[{"kind": "bot", "level": "easy"}] * bots]
        wanted = {"ruleset": {"players": people + bots}, "seats": kinds, "public": self.rng.random() < 0.5}
        made = [await self.ask("POST", "/api/tables", wanted)]
        table = made[0][0]["table"]
        made += [await self.ask("POST", f"/api/tables/{table}/join", {}) for _ in range(1, people)]
        self.counts["tables made"] += 1
        return [_Seat(self, *each) for each in made]

    async def _rematch(self, seats: list[_Seat]) -> list[_Seat]:
        path = f"/api/tables/{seats[0].table}/rematch"
        self.counts["rematches"] += 1
        return [_Seat(self, *await self.ask("POST", path, None, seat.cookie)) for seat in seats]

    async def _watch(self, table: str) -> None:
        """A spectator who looks in again and again, and looks at the lists meanwhile."""
        cookie = (await self.ask("GET", "/api/me"))[1]
        while True:
            await asyncio.sleep(self.rng.expovariate(2 / self.stay))
            for which in ("", "/mine", "/finished"):
                await self.ask("GET", f"/api/tables{which}", None, cookie)
            await _Watcher(self, table, cookie).look(self.rng.expovariate(4 / self.stay))


class _Watcher:
    """Somebody with a connection to a table."""

    def __init__(self, crowd: _Crowd, table: str, cookie: str, token: str = "") -> None:
        self.crowd = crowd
        self.table = table
        self.cookie = cookie
        self.token = token
        self.rng = random.Random(crowd.rng.random())  # noqa: S311
        self.state: dict[str, Any] = {}
        self.one_language = True
        """Since they came: states of two languages may have the same serial."""
        self.over = False

    async def look(self, seconds: float) -> None:
        """Connect, stay for a while, and leave politely or not."""
        counts = self.crowd.counts
        query = f"language={self.rng.choice(_LANGUAGES)}" + (f"&seat={self.token}" if self.token else "")
        if self.rng.random() < 0.2:
            query += "&states=full"
        address = f"ws://{HOST}:{self.crowd.server.port}/api/tables/{self.table}/ws?{query}"
        self.state, self.one_language = {}, True
        await self.crowd.go.wait()
        async with connect(address, additional_headers={"Cookie": self.cookie}, **CONNECTING) as socket:
            counts["connections"] += 1
            self.crowd.connected += 1
            try:
                await self._converse(socket, time.monotonic() + seconds)
                await self.crowd.go.wait()
                if self.rng.random() < 0.5:
                    counts["broken off"] += 1
                    socket.transport.abort()
            finally:
                self.crowd.connected -= 1

    async def _converse(self, socket: ClientConnection, until: float) -> None:
        while (left := until - time.monotonic()) > 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    self._learn(json.loads(await socket.recv()))
            await self._something(socket)

    def _learn(self, message: dict[str, Any]) -> None:
        """Take note of what came."""
        if message["type"] == "patch" and not self.state:
            return  # it was on its way when the state was given up for another language
        if message["type"] == "patch":
            message = patched(self.state, message)  # type: ignore[arg-type]
            self.crowd.counts["patches"] += 1
        elif message["type"] == "state":
            self.crowd.counts["whole states"] += 1
            same = self.one_language and message["serial"] == self.state.get("serial")
            if same and not _alike(message, self.state):
                self.crowd.errors["patched state differs"] += 1
        if message["type"] == "error":
            self.crowd.errors[message["code"]] += 1
        elif message["type"] == "hint":
            self.crowd.counts["hints"] += 1
        elif message["type"] == "state":
            self.state = message
            self.over = message["status"] == "over"

    async def _something(self, socket: ClientConnection) -> None:
        """Now and then: chat, another language, the whole state."""
        chance = self.rng.random() if self.crowd.go.is_set() else 1.0
        if chance < 0.01:
            self.crowd.counts["lines of chat"] += 1
            await _send(socket, type="chat", text=f"{self.rng.random()} of a line")
        elif chance < 0.02:
            self.crowd.counts["languages"] += 1
            self.state, self.one_language = {}, False
            await _send(socket, type="language", language=self.rng.choice(_LANGUAGES))
        elif chance < 0.04:
            await _send(socket, type="refresh")


class _Seat(_Watcher):
    """Somebody who plays, at random."""

    def __init__(self, crowd: _Crowd, made: dict[str, Any], cookie: str) -> None:
        super().__init__(crowd, made["table"], cookie, made["seat_token"])
        self.decided = -1
        self.sent = 0.0

    async def play(self) -> None:
        """Until the game is over, with as many connections as it takes."""
        while not self.over:
            try:
                await self.look(self.rng.expovariate(1 / self.crowd.stay))
            except BROKEN as error:
                self.crowd.errors[type(error).__name__] += 1
            self.sent, self.decided = 0.0, -1
            if not self.over:
                await asyncio.sleep(self.crowd.stay / 15 * self.rng.random())

    async def _converse(self, socket: ClientConnection, until: float) -> None:
        move_at = math.inf
        while not self.over:
            now = time.monotonic()
            if not self.sent and now > until:
                return
            if self.sent and now > until + PATIENCE:
                self.crowd.errors["unanswered"] += 1
                return
            if now >= move_at:
                move_at = math.inf
                await self._move(socket)
            try:
                async with asyncio.timeout(min(move_at, max(until, now + 1)) - now):
                    text = await socket.recv()
            except TimeoutError:
                continue
            self._learn(json.loads(text))
            if self._asked() and self.state["version"] > self.decided and move_at == math.inf:
                move_at = time.monotonic() + self.rng.expovariate(1 / self.crowd.pause if self.crowd.pause else 1e6)
                if self.rng.random() < 0.02:
                    await _send(socket, type="hint", version=self.state["version"])
            await self._something(socket)

    def _asked(self) -> bool:
        return bool(self.state) and self.state["to_move"] == self.state["you"] and bool(self.state["choices"])

    async def _move(self, socket: ClientConnection) -> None:
        await self.crowd.go.wait()
        if not self._asked() or self.state["version"] <= self.decided:
            return
        self.decided = self.state["version"]
        action = self.rng.choice(self.state["choices"])["action"]
        self.sent = time.perf_counter()
        await _send(socket, type="act", version=self.decided, action=action)

    def _learn(self, message: dict[str, Any]) -> None:
        super()._learn(message)
        error = message["type"] == "error"
        if self.sent and (error or (self.state and self.state["version"] > self.decided)):
            self.crowd.answers.append(time.perf_counter() - self.sent)
            self.sent = 0.0
        if error:
            self.decided = -1


async def _send(socket: ClientConnection, **message: Any) -> None:
    await socket.send(json.dumps(message))


def _alike(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether two states are the same but for their clocks."""
    return _without_clocks(one) == _without_clocks(other)


def _without_clocks(state: dict[str, Any]) -> dict[str, Any]:
    return {**state, "players": [{**player, "clock_seconds": None} for player in state["players"]]}


async def _soak(
    folder: Path, tables: int, seconds: float, pause: float, sample: float, seed: int, say: Callable[[str], object]
) -> dict[str, Any]:
    async with serving(folder, _SETTINGS) as server, AsyncExitStack() as stack:
        probe = Probe(server, stack)
        crowd = _Crowd(server, pause, min(_STAY, seconds / 5), seed)
        tasks = [asyncio.create_task(crowd.keep_playing()) for _ in range(tables)]
        try:
            samples = await _samples(crowd, probe, seconds, sample, tasks, say)
        finally:
            for task in tasks:
                task.cancel()
            ended = await asyncio.gather(*tasks, return_exceptions=True)
        crowd.errors["client"] += sum(isinstance(each, Exception) for each in ended)
        crowd.errors["log"] += len(server.log.read_text(encoding="utf-8").splitlines())
    return {
        "version": __version__,
        "tables": tables,
        "pause": pause,
        "seconds": samples[-1]["seconds"],
        "moves": len(crowd.answers),
        **{name.replace(" ", "_"): number for name, number in sorted(crowd.counts.items())},
        "answer_ms": percentiles(crowd.answers),
        "errors": sum(crowd.errors.values()),
        "errors_by_code": {code: number for code, number in sorted(crowd.errors.items()) if number},
        "second_half": _verdict(samples),
        "samples": samples,
    }


async def _samples(
    crowd: _Crowd,
    probe: Probe,
    seconds: float,
    every: float,
    tasks: list[asyncio.Task[None]],
    say: Callable[[str], object],
) -> list[dict[str, Any]]:
    """Let them play, and look at the server from time to time."""
    server, samples, begun = crowd.server, list[dict[str, Any]](), time.monotonic()
    moves, busy, answered = 0.0, server.processor_seconds(), 0
    for _ in range(max(2, math.ceil(seconds / every))):
        done, _ = await asyncio.wait(tasks, timeout=every)
        for task in done:
            task.result()
        all_moves = await asyncio.to_thread(server.metric, "nevsky_moves_total")
        now_busy = server.processor_seconds()
        new = crowd.answers[answered:]
        cost = (now_busy - busy) / max(1, all_moves - moves) * 1000
        found = {
            "seconds": round(time.monotonic() - begun, 1),
            "moves": round(all_moves - moves),
            "cpu_ms_per_move": round(cost, 3),
            "p50_ms": percentiles(new)["p50"],
            "p99_ms": percentiles(new)["p99"],
            "memory_kb": server.memory(),
            "workers_memory_kb": server.workers_memory(),
            "open_files": server.open_files(),
            "tables_in_memory": round(await asyncio.to_thread(server.metric, "nevsky_tables_in_memory")),
            "connections": crowd.connected,
            "errors": sum(crowd.errors.values()),
            **await probe.sample(crowd.go, cost),
        }
        moves = await asyncio.to_thread(server.metric, "nevsky_moves_total")
        busy, answered = server.processor_seconds(), len(crowd.answers)
        samples.append(found)
        say("  ".join(f"{name} {value:,}" for name, value in found.items()))
    return samples


def _verdict(samples: list[dict[str, Any]]) -> dict[str, float]:
    """How much memory and time for a move have grown in the second half, in an hour."""
    half = samples[len(samples) // 2 :] if len(samples) > 3 else samples
    hours = [each["seconds"] / 3600 for each in half]
    verdict: dict[str, float] = {}
    for name in _JUDGED:
        values = [float(each[name]) for each in half]
        slope = linear_regression(hours, values).slope
        verdict[name] = round(fmean(values), 3)
        verdict[f"{name}_per_hour"] = round(slope, 3)
        verdict[f"{name}_percent_per_hour"] = round(100 * slope / fmean(values), 1) if any(values) else 0.0
    return verdict
