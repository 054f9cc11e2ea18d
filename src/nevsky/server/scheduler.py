"""Gives what waits in a fair queue to the workers that are free."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from nevsky.server.errors import Refusal
from nevsky.server.fair_queue import KINDS, FairQueue, Kind, QueueFullError, Rules, Ticket
from nevsky.server.metrics import BOT_QUEUE, BOT_WAIT
from nevsky.server.workers import Worker, WorkerDownError

__all__ = ["Place", "Scheduler", "bots_busy", "most_waiting"]

_T = TypeVar("_T")
_ALTOGETHER: Final = 10
"""How many addresses may have as much waiting as one may have."""


class Place(NamedTuple):
    """Where something waits for its turn."""

    owner: str
    """Whose share of the workers it takes."""
    table: str
    """The owner's shares are shared among these: tables, and for hints guests."""


def bots_busy() -> Refusal:
    """Too much waits already."""
    return Refusal("too_fast", "bots_busy")


class _Job(Ticket):
    def __init__(
        self,
        kind: Kind,
        place: Place,
        work: Callable[[Worker], Awaitable[Any]],
        home: Worker | None,
        ended: Callable[[], None] | None,
    ) -> None:
        super().__init__(kind, *place)
        self.work = work
        self.home = home
        self.done: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.since = time.monotonic()
        self._ended = ended

    def end(self) -> None:
        """It neither waits nor is in work any more."""
        if self._ended is not None:
            self._ended()

    def fail(self, error: Exception) -> None:
        if not self.done.done():
            self.done.set_exception(error)
            self.done.exception()  # whoever asked may be gone


def most_waiting(waiting: int) -> tuple[int, int]:
    """How many hints, or reviews, may wait: of one address, and altogether."""
    return waiting, waiting * _ALTOGETHER


def rules_for(workers: int, waiting: int) -> dict[Kind, Rules]:
    """How the work of bots is shared.

    Live bots are never refused: a table waits for one decision at a time. Hints of one address take half of the workers
    at most, reviews one of them. While games keep all workers busy there is still a hint every ten seconds
    and a part of a review every thirty.
    """
    return {
        "live": Rules(),
        "hint": Rules(10.0, max(1, workers // 2), *most_waiting(waiting)),
        "review": Rules(30.0, 1, *most_waiting(waiting)),
    }


class Scheduler:
    """Every worker does one thing at a time; everything else waits here and not in front of a worker."""

    def __init__(self, workers: Sequence[Worker], waiting: int) -> None:
        self._workers = workers
        self._queue: FairQueue[_Job] = FairQueue(rules_for(len(workers), waiting))
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    def demand(self, owner: str) -> int:
        """How many live bots of an owner wait or think."""
        return self._queue.demand("live", owner)

    async def run(
        self,
        kind: Kind,
        place: Place,
        work: Callable[[Worker], Awaitable[_T]],
        *,
        home: Worker | None = None,
        ended: Callable[[], None] | None = None,
    ) -> _T:
        """Do something in a worker, its home if that is free, as soon as its turn comes.

        When nobody waits for it any more it is not begun; what a worker has begun it finishes, and only
        then `ended` is called.
        """
        job = _Job(kind, place, work, home, ended)
        if self._closed:
            job.end()
            raise WorkerDownError("The bots are not wanted any more.")
        try:
            displaced = self._queue.put(job, job.since)
        except QueueFullError as error:
            job.end()
            raise bots_busy() from error
        if displaced is not None:
            displaced.fail(bots_busy())
            displaced.end()
        self._dispatch()
        try:
            found: _T = await job.done
        finally:
            if self._queue.drop(job):
                job.end()
                self._count()
        return found

    def close(self) -> None:
        """Nothing is begun any more, and nobody waits for what was begun."""
        self._closed = True
        for task in self._tasks:
            task.cancel()
        self._give_up()

    def _give_up(self) -> None:
        """There is nobody to do what waits."""
        for job in self._queue.clear():
            job.fail(WorkerDownError("There is no process that thinks for bots."))
            job.end()

    def _dispatch(self) -> None:
        """Give work to everybody who is free."""
        if all(worker.rest for worker in self._workers):
            self._give_up()
        while free := [worker for worker in self._workers if not worker.busy and not worker.rest]:
            job = self._queue.take(time.monotonic())
            if job is None:
                break
            worker = job.home if job.home in free else min(free, key=lambda each: each.bots)
            worker.busy = True
            BOT_WAIT.labels(kind=job.kind).observe(time.monotonic() - job.since)
            task = asyncio.create_task(self._do(job, worker))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        self._count()

    async def _do(self, job: _Job, worker: Worker) -> None:
        try:
            found = await job.work(worker)
            if not job.done.done():
                job.done.set_result(found)
        except asyncio.CancelledError:
            job.fail(WorkerDownError("The bots are not wanted any more."))
            raise
        except Exception as error:
            job.fail(error)
        finally:
            worker.busy = False
            self._queue.done(job)
            job.end()
            if not self._closed:
                self._dispatch()

    def _count(self) -> None:
        for kind in KINDS:
            BOT_QUEUE.labels(kind=kind).set(self._queue.length(kind))
