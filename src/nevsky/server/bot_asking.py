"""A server's side of the bots' queue: what it has asked for and not heard of yet."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from time import monotonic
from typing import Any, Final

import structlog

from nevsky.server.bot_queue import Answer, BotQueue, answers, read_answer
from nevsky.server.fair_queue import Kind
from nevsky.server.metrics import BOT_RETURNED, BOT_WAIT, SHARED_PROCESSES, SHARED_QUEUE, SHARED_WAIT, SHARED_WORKERS
from nevsky.server.redis_link import LinkDownError, RedisLink
from nevsky.server.scheduler import Place

__all__ = ["Asking", "NoWorkerError"]

_BEAT: Final = 1.0
_PATIENCE: Final = 10.0
"""Seconds beyond all limits after which an answer is not waited for any more."""
log = structlog.get_logger()


class NoWorkerError(Exception):
    """No worker does it: there is none, or they are too late, or Redis is away."""


class _Asked:
    """A job, as whoever asked for it sees it."""

    def __init__(
        self,
        owner: str | None,
        seconds: float,
        arrived: Callable[[Answer], None] | None,
        ended: Callable[[], None] | None,
    ) -> None:
        self.owner = owner
        """Of a live job."""
        self.since = monotonic()
        self.until = self.since + seconds
        self.done: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self.arrived = arrived
        self.ended = ended
        self.missed = False
        """Whether nobody knew of it when they were asked; the answer may be on its way."""


class Asking:
    """Everything that this server waits for."""

    def __init__(self, link: RedisLink) -> None:
        self.server = secrets.token_hex(8)
        self.queue = BotQueue(link)
        self.processes = 0
        """How many there are at all workers together, as far as is known."""
        self._link = link
        self._asked: dict[str, _Asked] = {}
        self._demand: Counter[str] = Counter()
        self._tasks: set[asyncio.Task[None]] = set()
        self._wake = asyncio.Event()
        self.on_beat: list[Callable[[], None]] = []
        """Called every second."""
        link.on_up.append(self._wake.set)
        link.on_down.append(self._cut_off)

    def open(self) -> None:
        """Begin to look for workers and answers."""
        self._start(self._watch())
        self._link.take(lambda: answers(self.server), self._receive)

    def close(self) -> None:
        """Nobody waits any more."""
        self.queue.quit(self.server)
        for task in self._tasks:
            task.cancel()
        self._cut_off()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def available(self) -> bool:
        """Whether there is somebody to ask."""
        return self._link.available and self.processes > 0

    def demand(self, owner: str) -> int:
        """How many live jobs of an owner wait or are in work, of this server."""
        return self._demand[owner]

    async def ask(
        self,
        kind: Kind,
        place: Place,
        text: bytes,
        *,
        seconds: float,
        wait: float,
        waiting: tuple[int, int],
        home: str = "",
        arrived: Callable[[Answer], None] | None = None,
        ended: Callable[[], None] | None = None,
    ) -> Answer:
        """What a worker answers. When nobody waits for it any more it is not begun.

        What was begun arrives even then; `ended` is called when it is over, however it went.
        """
        job = secrets.token_hex(8)
        asked = _Asked(place.owner if kind == "live" else None, wait + seconds + _PATIENCE, arrived, ended)
        self._asked[job] = asked
        if asked.owner is not None:
            self._demand[asked.owner] += 1
        try:
            try:
                limits = {"seconds": seconds, "wait": wait}
                how = await self.queue.put(job, kind, place, self.server, home, waiting=waiting, text=text, **limits)
            except LinkDownError as error:
                how = "away"
                raise self._returned(job, how) from error
            if how != "ok":
                self.processes = 0 if how == "nobody" else self.processes
                if how == "full":
                    self._forget(job)
                    return Answer(job, "full", 0.0, "", b"")
                raise self._returned(job, how)
            answer = await asked.done
        except asyncio.CancelledError:
            self._start(self._cancel(job))
            raise
        if answer.outcome in ("nobody", "died", "down") or (answer.outcome == "late" and kind == "live"):
            raise self._returned(job, answer.outcome)
        BOT_WAIT.labels(kind=kind).observe(answer.waited)
        return answer

    def _returned(self, job: str, why: str) -> NoWorkerError:
        """It has to be done by somebody else."""
        self._forget(job)
        BOT_RETURNED.labels(reason=why).inc()
        return NoWorkerError(why)

    def _forget(self, job: str) -> _Asked | None:
        asked = self._asked.pop(job, None)
        if asked is not None:
            if asked.owner is not None:
                self._demand[asked.owner] -= 1
                if not self._demand[asked.owner]:
                    del self._demand[asked.owner]
            if asked.ended is not None:
                asked.ended()
        return asked

    def _fail(self, job: str, why: str) -> None:
        asked = self._forget(job)
        if asked is not None and not asked.done.done():
            BOT_RETURNED.labels(reason=why).inc()
            asked.done.set_exception(NoWorkerError(why))
            asked.done.exception()  # whoever asked may be gone

    async def _cancel(self, job: str) -> None:
        try:
            begun = not await self.queue.cancel(job)
        except LinkDownError:
            begun = False
        if not begun:
            self._forget(job)

    def _receive(self, _: str, message: bytes) -> None:
        answer = read_answer(message)
        asked = self._forget(answer.id)
        if asked is None:
            return  # it came too late, and somebody else has done it
        if not asked.done.done():
            asked.done.set_result(answer)
        if asked.arrived is not None:
            asked.arrived(answer)

    def _cut_off(self) -> None:
        self.processes = 0
        self._wake.set()
        SHARED_WORKERS.set(0)
        SHARED_PROCESSES.set(0)
        for job in list(self._asked):
            self._fail(job, "away")

    async def _watch(self) -> None:
        while True:
            self._wake.clear()
            try:
                await self._look()
                for call in self.on_beat:
                    call()
            except LinkDownError:
                pass  # the link says when it is back
            except Exception:
                log.exception("workers_unseen")
            with suppress(TimeoutError):
                async with asyncio.timeout(_BEAT):
                    await self._wake.wait()

    async def _look(self) -> None:
        now = monotonic()
        old = [job for job, asked in self._asked.items() if now - asked.since > _BEAT]
        sight = await self.queue.watch(self.server, old)
        if self.processes != sight.processes:
            log.info("workers", workers=sight.workers, processes=sight.processes)
        self.processes = sight.processes
        SHARED_WORKERS.set(sight.workers)
        SHARED_PROCESSES.set(sight.processes)
        for kind, length in sight.lengths.items():
            SHARED_QUEUE.labels(kind=kind).set(length)
            SHARED_WAIT.labels(kind=kind).set(sight.waits[kind])
        for job in old:
            asked = self._asked.get(job)
            if asked is None:
                continue
            if monotonic() > asked.until or (asked.missed and job in sight.lost):
                self._fail(job, "lost")
            asked.missed = job in sight.lost
