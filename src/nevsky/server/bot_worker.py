"""A worker: processes that think for the bots of all servers. It gets its jobs from Redis, and comes and goes."""

from __future__ import annotations

import asyncio
import secrets
import signal
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Final

import orjson
import structlog

from nevsky.server import live_bots
from nevsky.server.bot_queue import BotQueue, Job, Outcome, inbox, read_message
from nevsky.server.logs import set_up_logs
from nevsky.server.redis_link import LinkDownError, RedisLink, check_redis, end
from nevsky.server.worker_jobs import do
from nevsky.server.workers import Worker, WorkerDownError, WorkerTimeoutError

__all__ = ["BotWorker", "work"]

_BEAT: Final = 1.0
"""Seconds between two signs of life; after three without one the queue gives a worker up."""
_FAREWELL: Final = 30.0
"""Seconds in which a worker that was told to go finishes what it thinks about."""
log = structlog.get_logger()


class BotWorker:
    """Some processes, each of which does one job at a time."""

    def __init__(self, link: RedisLink, processes: int) -> None:
        self._link = link
        self._queue = BotQueue(link)
        self._processes = {number: Worker() for number in range(1, processes + 1)}
        self._jobs: dict[int, Job] = {}
        """What each process is doing."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._id = ""
        """As the queue knows it; another one each time it joins, so that nothing meant for before is done."""
        self._leaving = False
        self._wake = asyncio.Event()
        link.on_up.append(self._wake.set)

    async def run(self, stop: asyncio.Event, now: asyncio.Event) -> None:
        """Work until told to stop, then finish what was begun, unless it has to be now."""
        for worker in self._processes.values():
            worker.start()
        self._link.open()
        self._link.take(lambda: inbox(self._id), self._receive)
        beating = asyncio.create_task(self._beat())
        try:
            await stop.wait()
            await self._leave(now)
        finally:
            await end(beating, *self._tasks)
            await self._link.close()
            for worker in self._processes.values():
                worker.close()

    @property
    def _idle(self) -> list[int]:
        return [number for number, worker in self._processes.items() if number not in self._jobs and not worker.rest]

    async def _beat(self) -> None:
        while True:
            self._wake.clear()
            with suppress(LinkDownError):
                if not (self._id and await self._queue.beat(self._id, self._idle)) and not self._leaving:
                    await self._join()
            with suppress(TimeoutError):
                async with asyncio.timeout(_BEAT):
                    await self._wake.wait()

    async def _join(self) -> None:
        self._id = secrets.token_hex(8)
        try:
            await self._queue.join(self._id, len(self._processes), self._idle)
        except LinkDownError:
            self._id = ""
            raise
        log.info("worker_joined", worker=self._id, processes=len(self._processes))

    async def _leave(self, now: asyncio.Event) -> None:
        """Take nothing more, finish what was begun, and say goodbye."""
        self._leaving = True
        log.info("worker_leaving", worker=self._id, jobs=len(self._jobs))
        with suppress(LinkDownError):
            await self._queue.rest(self._id)
        until = monotonic() + _FAREWELL
        while self._tasks and self._link.available and monotonic() < until and not now.is_set():
            await asyncio.wait(self._tasks, timeout=0.1)
        with suppress(LinkDownError):
            await self._queue.leave(self._id)

    def _receive(self, name: str, message: bytes) -> None:
        if name != inbox(self._id):
            return  # meant for before, and with others by now
        found = read_message(message)
        if not isinstance(found, Job):
            process, bot = orjson.loads(found)
            if process in self._processes:
                self._processes[process].post(live_bots.release, bot)
            return
        if found.process in self._jobs or found.process not in self._processes:
            log.warning("worker_busy", process=found.process)  # the queue will miss it and give it to somebody else
            return
        self._jobs[found.process] = found
        task = asyncio.create_task(self._do(found, self._processes[found.process]))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _do(self, job: Job, worker: Worker) -> None:
        outcome: Outcome = "ok"
        text = b""
        try:
            text = await worker.run(job.seconds, do, job.kind, job.text)
        except WorkerTimeoutError:
            outcome = "timeout"
        except WorkerDownError:
            outcome = "down"
        except Exception as error:
            log.exception("job_failed", kind=job.kind)
            outcome, text = "error", f"{type(error).__name__}: {error}".encode()
        finally:
            del self._jobs[job.process]
        try:
            await self._queue.done(self._id, job.process, job.id, outcome, text, free=not worker.rest)
        except LinkDownError:
            log.info("answer_lost", kind=job.kind)  # whoever asked has helped themselves


def work(redis: str, processes: int, log_level: str, began: Callable[[], None]) -> None:
    """Work until a signal comes."""
    set_up_logs(log_level)
    asyncio.run(_work(redis, processes, began))


async def _work(redis: str, processes: int, began: Callable[[], None]) -> None:
    await check_redis(redis)
    stop, now = asyncio.Event(), asyncio.Event()

    def told() -> None:
        (now if stop.is_set() else stop).set()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        try:
            loop.add_signal_handler(number, told)
        except NotImplementedError:  # on Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(told))
    began()
    await BotWorker(RedisLink(redis), processes).run(stop, now)
