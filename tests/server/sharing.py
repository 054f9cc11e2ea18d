"""Workers in processes of their own, and bots that ask them."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from nevsky import Game, Ruleset
from nevsky.rules.view import View
from nevsky.server.bot_pool import BotPool, SeatBot
from nevsky.server.bot_queue import PREFIX
from nevsky.server.metrics import BOT_RETURNED
from nevsky.server.redis_link import RedisLink
from nevsky.server.scheduler import Place
from nevsky.server.settings import Settings
from nevsky.server.shared_bots import SharedBots

USUAL = "nevsky.server.workers.prepare"
GATED = "tests.server.gated.prepare_gated"
HANGING = "tests.server.hanging.prepare_hanging"
WATCHFUL = "tests.server.watchful.prepare_watchful"
GAME = Game(Ruleset("second", 2), 1)
VIEW: View = GAME.view(GAME.to_move, memory=True)


class Worker:
    """One worker."""

    def __init__(self, url: str, processes: int, prepare: str) -> None:
        words = [sys.executable, "-m", "tests.server.worker_main", prepare, url, str(processes)]
        self._process = subprocess.Popen(words, cwd=Path(__file__).parents[2], stdin=subprocess.PIPE)

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def wait(self) -> int:
        """Its exit code."""
        return self._process.wait(60)

    def kill(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()


@contextmanager
def workers(url: str, number: int = 1, processes: int = 1, prepare: str = USUAL) -> Iterator[list[Worker]]:
    """So many workers, which are gone afterwards."""
    made = [Worker(url, processes, prepare) for _ in range(number)]
    try:
        yield made
    finally:
        for worker in made:
            worker.kill()


class Shared(SharedBots):
    """Bots of a server without anything else of it."""

    link: RedisLink
    own: BotPool

    async def seen(self, processes: int) -> None:
        """Wait until it knows of so many processes."""
        async with asyncio.timeout(60):
            while self._asking.processes != processes:
                await asyncio.sleep(0.02)

    def bot(self, level: str = "easy", owner: str = "owner", table: str = "table") -> SeatBot:
        bot = self.new_bot(level)
        bot.place = Place(owner, table)
        return bot

    async def choose(self, bot: SeatBot) -> str:
        return await self.decide(bot, VIEW, lambda: [VIEW])

    @property
    def helped_itself(self) -> bool:
        """Whether processes of its own were started."""
        return any(worker.pids for worker in self.own.workers)

    async def queue_length(self, kind: str) -> int:
        return int(await self.link.run("ZCARD", f"{PREFIX}queued:{kind}"))


@asynccontextmanager
async def shared(url: str, own: Callable[[Settings], BotPool] = BotPool, **options: Any) -> AsyncIterator[Shared]:
    """Bots as a server with Redis has them."""
    settings = Settings(redis=url, **{"bot_milliseconds": 5, "bot_workers": 1, **options})
    link, pool = RedisLink(url), own(settings)
    bots = Shared(settings, link, pool)
    bots.link, bots.own = link, pool
    link.open()
    bots.open()
    try:
        yield bots
    finally:
        bots.close()
        await link.close()


def returned(reason: str) -> float:
    """How many jobs came back for a reason so far."""
    return float(BOT_RETURNED.labels(reason=reason)._value.get())


async def all_legal(chosen: Sequence[asyncio.Task[str]]) -> None:
    assert all(action in VIEW.legal for action in await asyncio.gather(*chosen))
