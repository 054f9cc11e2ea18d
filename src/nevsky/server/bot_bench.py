"""What a bot's decision costs: in a process of the server, and in a worker behind Redis."""

from __future__ import annotations

import asyncio
import os
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from nevsky._version import __version__
from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.rules.view import View
from nevsky.server.bot_pool import BotPool, Bots, levels
from nevsky.server.bot_wire import write_call
from nevsky.server.live_bots import BotCall
from nevsky.server.logs import set_up_logs
from nevsky.server.redis_link import RedisLink
from nevsky.server.scheduler import Place
from nevsky.server.settings import Settings
from nevsky.server.shared_bots import SharedBots

__all__ = ["run"]

_AT_ONCE: Final = 16
_WARM_UP: Final = 100


def run(seconds: float) -> dict[str, Any]:
    """Figures of the easiest level, one decision after the other, and several at once."""
    set_up_logs("error")
    return asyncio.run(_run(seconds))


async def _run(seconds: float) -> dict[str, Any]:
    view = _view()
    level = levels()[0]
    size = len(write_call(BotCall("0" * 16, level, 1000, view)))
    found: dict[str, Any] = {"version": __version__, "level": level, "bytes": size}
    async with _redis() as (url, redis_pid):
        settings = Settings(bot_workers=1)
        own = BotPool(settings)
        try:
            found["own"] = await _measure(own, level, view, seconds, dict)
        finally:
            own.close()
        words = [sys.executable, "-m", "nevsky", "worker", "--redis", url, "--processes", "1"]
        quiet = {**os.environ, "NEVSKY_LOG_LEVEL": "error"}
        with subprocess.Popen(words, env=quiet, stdout=subprocess.DEVNULL) as worker:  # noqa: S603
            settings = settings._replace(redis=url)
            link = RedisLink(url)
            shared = SharedBots(settings, link, BotPool(settings))
            link.open()
            shared.open()
            try:
                await _first_worker(shared)
                pids = {"redis": redis_pid, "worker": worker.pid}

                def others() -> dict[str, float]:
                    return {name: _processor(pid) for name, pid in pids.items()}

                found["shared"] = await _measure(shared, level, view, seconds, others)
            finally:
                shared.close()
                await link.close()
                worker.terminate()
    return found


def _view() -> View:
    """Somewhere in the middle of a game of four."""
    game = Game(Ruleset("second", 4), "bench")
    for _ in range(40):
        game.push(game.legal_ids[0])
    return game.view(game.to_move, memory=True)


async def _measure(
    bots: Bots, level: str, view: View, seconds: float, others: Callable[[], dict[str, float]]
) -> dict[str, Any]:
    bot = bots.new_bot(level)
    bot.place = Place("address", "table")
    for _ in range(_WARM_UP):
        await bots.decide(bot, view, lambda: [view])
    times: list[float] = []
    before = {"server": time.process_time(), **others()}
    ends = time.perf_counter() + seconds
    while (start := time.perf_counter()) < ends:
        await bots.decide(bot, view, lambda: [view])
        times.append(time.perf_counter() - start)
    after = {"server": time.process_time(), **others()}
    made = 0

    async def play(number: int) -> None:
        nonlocal made
        mine = bots.new_bot(level)
        mine.place = Place(f"address {number}", f"table {number}")
        while time.perf_counter() < ends:
            await bots.decide(mine, view, lambda: [view])
            made += 1

    many = {"server": time.process_time(), **others()}
    start = time.perf_counter()
    ends = start + seconds
    await asyncio.gather(*map(play, range(_AT_ONCE)))
    taken = time.perf_counter() - start
    end = {"server": time.process_time(), **others()}
    return {
        "median_ms": statistics.median(times) * 1000,
        "slow_ms": statistics.quantiles(times, n=20)[-1] * 1000,
        "processor_us": {name: (after[name] - before[name]) / len(times) * 1e6 for name in before},
        "at_once": _AT_ONCE,
        "decisions_per_second": made / taken,
        "processor_us_at_once": {name: (end[name] - many[name]) / made * 1e6 for name in many},
    }


async def _first_worker(shared: SharedBots) -> None:
    async with asyncio.timeout(60):
        while not shared.has_workers:
            await asyncio.sleep(0.05)


def _processor(pid: int) -> float:
    """Seconds of the processor that a process has used, 0 where the system does not tell."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@asynccontextmanager
async def _redis() -> AsyncIterator[tuple[str, int]]:
    """A Redis of our own, which keeps nothing."""
    binary = shutil.which("redis-server") or shutil.which("valkey-server")
    if binary is None:
        raise NevskyError("server.redis_missing")
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        words = [binary, "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as process:  # noqa: S603
            try:
                yield f"redis://127.0.0.1:{port}/0", process.pid
            finally:
                process.terminate()
