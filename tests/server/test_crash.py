"""The server is killed at random moments under load, a thousand times: what was acknowledged is there, once.

NEVSKY_KILLS sets another number for the long run.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from tests.cli.command import COMMAND
from tests.server.remembering import Club
from tests.server.restarting import Nursery, Serving, free_port, lives, nursery, start
from tests.server.support import Json, run

COLD = 25
"""Every so many starts are those of the command itself, with all its imports."""


class Killing:
    """Starts and kills, one after the other."""

    def __init__(self, database: Path, seed: int, say: Callable[[str], None]) -> None:
        self.database = database
        self.rng = random.Random(seed)
        self.say = say
        self.club = Club(free_port(), seed)
        self.helpers: set[tuple[int, str]] = set()
        self.times: dict[str, list[float]] = {"warm": [], "cold": []}
        self.begun = time.monotonic()

    async def run(self, kills: int, tables: int) -> Json:
        async with AsyncExitStack() as stack:
            quick = await stack.enter_async_context(nursery())
            playing = asyncio.create_task(self.club.run(tables))
            try:
                for number in range(kills):
                    await self._once(quick, number, playing)
                    if number % 50 == 49:
                        self.say(
                            f"{number + 1} kills, {time.monotonic() - self.begun:.0f} s: {dict(self.club.counted)}"
                        )
                await self._to_the_end(quick, playing)
            finally:
                playing.cancel()
                await asyncio.gather(playing, return_exceptions=True)
        self.club.check_all_finished(self.database)
        return self._figures()

    async def _once(self, quick: Nursery, number: int, playing: asyncio.Task[None]) -> None:
        """One start and one end, sometimes before it listens."""
        cold = number % COLD == COLD - 1
        server = await (start if cold else quick.start)(self.database, self.club.port)
        try:
            if number % 10 == 5:
                await asyncio.sleep(self.rng.uniform(0, 1.0 if cold else 0.2))
                server.send(signal.SIGKILL)
                if not await server.ready():
                    self.club.counted["killed while starting"] += 1
                return
            await self._let_play(server, "cold" if cold else "warm", playing)
            polite = number % 10 == 3
            self.helpers |= server.helpers()
            server.send(signal.SIGTERM if polite else signal.SIGKILL)
            self.club.up.clear()
            assert await server.ended() in ((0, -signal.SIGTERM) if polite else (-signal.SIGKILL,))
            self.club.counted["terminated" if polite else "killed"] += 1
        finally:
            server.send(signal.SIGKILL)
            await server.ended()
        if server.errors():
            await asyncio.sleep(2)  # a worker that has just lost its server may be in the middle of its last words
        assert not server.errors(), server.errors()

    async def _let_play(self, server: Serving, kind: str, playing: asyncio.Task[None]) -> None:
        assert await server.ready(), server.errors()
        self.times[kind].append(time.monotonic() - server.begun)
        self.club.check(self.database)
        self.club.up.set()
        done, _ = await asyncio.wait([playing], timeout=self.rng.uniform(0.0, 1.2))
        if done:
            playing.result()

    async def _to_the_end(self, quick: Nursery, playing: asyncio.Task[None]) -> None:
        """The last start: all games are finished, and nobody is left behind."""
        server = await quick.start(self.database, self.club.port)
        try:
            assert await server.ready(), server.errors()
            self.club.check(self.database)
            self.club.closing = True
            self.club.up.set()
            await asyncio.wait_for(playing, 120)
            self.club.check(self.database)
            assert not self.club.playing
        finally:
            assert await server.end(signal.SIGTERM) in (0, -signal.SIGTERM)
        assert not server.errors(), server.errors()
        for _ in range(100):
            if not any(lives(helper) for helper in self.helpers):
                break
            await asyncio.sleep(0.1)
        else:
            raise AssertionError("processes of killed servers live on")

    def _figures(self) -> Json:
        return {
            "seconds": round(time.monotonic() - self.begun),
            **self.club.counted,
            **{f"{kind} starts, ms": _spread(times) for kind, times in self.times.items() if times},
        }


def _spread(seconds: list[float]) -> dict[str, int]:
    ordered = sorted(seconds)
    ranks = {"median": 50, "p99": 99}
    return {name: round(ordered[-(-part * len(ordered) // 100) - 1] * 1000) for name, part in ranks.items()}


def test_killed_a_few_times(tmp_path: Path) -> None:
    run(_check(tmp_path, 6, 3, lambda line: None), 180)


@pytest.mark.long
def test_killed_a_thousand_times(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def say(line: str) -> None:
        with capfd.disabled():
            print(line, file=sys.stderr, flush=True)

    kills = int(os.environ.get("NEVSKY_KILLS", "1000"))
    run(_check(tmp_path, kills, 8, say), 120 + 6 * kills)


async def _check(folder: Path, kills: int, tables: int, say: Callable[[str], None]) -> None:
    figures = await Killing(folder / "n.db", 1, say).run(kills, tables)
    say(json.dumps(figures))
    assert figures["moves"] > kills
    assert figures["killed"] > 0
    assert figures["terminated"] > 0


def test_a_port_in_use_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        command = [*COMMAND, "serve", "--port", port, "--database", str(tmp_path / "n.db")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "Choose another with --port." in done.stderr
        assert "Traceback" not in done.stderr
