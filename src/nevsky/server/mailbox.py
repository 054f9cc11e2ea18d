"""The mailbox of an actor: jobs are done one after the other, in the order in which they came."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple, TypeVar

import structlog

from nevsky.server.errors import Refusal

__all__ = ["Mailbox"]

_T = TypeVar("_T")
log = structlog.get_logger()


class _Job(NamedTuple):
    work: Callable[[], Awaitable[Any]]
    done: asyncio.Future[Any]


class Mailbox:
    """Runs jobs in a task of its own, and something else after each of them."""

    def __init__(
        self, owner: str, afterwards: Callable[[], Awaitable[None]], moved: Callable[[], None] = lambda: None
    ) -> None:
        self._owner = owner
        self._afterwards = afterwards
        self._moved = moved
        """Called when a write was refused since the table is another process's."""
        self._loop = asyncio.get_running_loop()
        self._jobs: deque[_Job | None] = deque()
        self._more: asyncio.Future[None] | None = None
        """Somebody waits for more to do."""
        self._task = self._loop.create_task(self._run())
        self.closing = False

    @property
    def waiting(self) -> int:
        """How many jobs wait for those before them."""
        return len(self._jobs)

    async def call(self, work: Callable[[], Awaitable[_T]]) -> _T:
        """Do something when everything before it is done; what it answers or raises comes back."""
        if self.closing:
            raise Refusal("shutting_down", "closing")
        return await self.post(work)

    def post(self, work: Callable[[], Awaitable[_T]]) -> asyncio.Future[_T]:
        """The same without waiting for it."""
        done: asyncio.Future[_T] = self._loop.create_future()
        self._put(_Job(work, done))
        return done

    def _put(self, job: _Job | None) -> None:
        self._jobs.append(job)
        if self._more is not None:
            self._more.set_result(None)
            self._more = None

    def poke(self) -> None:
        """Do only what comes after each job."""

        async def nothing() -> None:
            pass

        self.post(nothing)

    async def close(self) -> None:
        """Finish what is waiting and stop."""
        self.closing = True
        self._put(None)
        await self._task

    async def _run(self) -> None:
        while True:
            if not self._jobs:
                self._more = self._loop.create_future()
                await self._more
            job = self._jobs.popleft()
            if job is None:
                return
            await self._do(job)
            try:
                await self._afterwards()
            except Refusal as refusal:
                log.warning("table_waits", table=self._owner, code=refusal.code)
                self._look(refusal)
            except Exception:
                log.exception("table_advance_failed", table=self._owner)

    async def _do(self, job: _Job) -> None:
        try:
            result = await job.work()
            if not job.done.cancelled():
                job.done.set_result(result)
        except Exception as error:
            if isinstance(error, Refusal):
                self._look(error)
            else:
                log.exception("table_job_failed", table=self._owner)
            if not job.done.cancelled():
                job.done.set_exception(error)
                job.done.exception()

    def _look(self, refusal: Refusal) -> None:
        if refusal.code == "moved":
            self._moved()
