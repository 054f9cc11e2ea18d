"""Processes that work for the server."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import connection, get_context, parent_process
from time import monotonic
from typing import Any, Final, TypeVar

import structlog

from nevsky.server.metrics import BOT_TIMEOUTS, BOT_WORKERS_REPLACED

__all__ = ["Worker", "WorkerDownError", "WorkerTimeoutError"]

_T = TypeVar("_T")
_TRIES: Final = 2
_LONGEST_REST: Final = 30.0
"""Seconds between two tries to start a process that keeps dying."""
log = structlog.get_logger()


def prepare() -> None:
    """In a worker: leave signals to the server, and end with it even if it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        connection.wait([parent.sentinel])
        os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
    import nevsky.bots  # noqa: F401


class WorkerTimeoutError(Exception):
    """The process did not answer in time; it was killed."""


class WorkerDownError(Exception):
    """The process keeps dying, or is not wanted any more."""


class Worker:
    """One process that does one thing after the other. It starts when it is needed and is replaced when it dies.

    When it has died several times without doing anything, it rests before the next try, each time for longer.
    """

    def __init__(self) -> None:
        self.busy = False
        """Whether it is doing something that somebody may wait for."""
        self.bots = 0
        """How many bots live in it."""
        self._pool: ProcessPoolExecutor | None = None
        self._closed = False
        self._deaths = 0
        """Since it last did something."""
        self._rested = 0.0
        """When its rest is over."""

    @property
    def pids(self) -> list[int]:
        """The process, if it runs."""
        return [] if self._pool is None else list(self._pool._processes or {})

    @property
    def rest(self) -> float:
        """Seconds for which it must not be started again."""
        return max(0.0, self._rested - monotonic())

    def start(self) -> None:
        """Start before there is something to do."""
        self._started().submit(_nothing)

    def _started(self) -> ProcessPoolExecutor:
        if self._closed:
            raise WorkerDownError("This worker was closed.")
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=prepare)
        return self._pool

    async def run(self, seconds: float, work: Callable[..., _T], *given: Any) -> _T:
        """Do something there; if the process dies meanwhile, once more in a new one.

        If it takes longer than it may, the process is killed, whatever it is doing.
        """
        for attempt in range(_TRIES):
            pool = self._started()
            try:
                result = await _answer(asyncio.wrap_future(pool.submit(work, *given)), seconds)
            except WorkerTimeoutError:
                log.error("bot_process_hung", seconds=seconds, work=work.__name__)
                self._replace(pool)
                BOT_TIMEOUTS.inc()
                raise
            except BrokenProcessPool:
                log.warning("bot_process_died", attempt=attempt)
                self._replace(pool)
                self._died()
                if self.rest:
                    break
            else:
                self._deaths = 0
                return result
        raise WorkerDownError("The process that thinks for bots keeps dying.")

    def _replace(self, pool: ProcessPoolExecutor) -> None:
        """Do without a process; the next one starts when it is needed."""
        if self._pool is pool:
            self._pool = None
            BOT_WORKERS_REPLACED.inc()
        _kill(pool)

    def _died(self) -> None:
        self._deaths += 1
        if self._deaths > _TRIES:
            self._rested = monotonic() + min(_LONGEST_REST, 2.0 ** (self._deaths - _TRIES - 1))

    def post(self, work: Callable[..., object], *given: Any) -> None:
        """Do something there if the process is running; nobody waits for it."""
        if self._pool is not None:
            try:
                self._pool.submit(work, *given)
            except (BrokenProcessPool, RuntimeError):
                log.debug("bot_process_gone")

    def stop(self) -> None:
        """End the process, as there is nothing to do for it; the next one starts when it is needed."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            _kill(pool)

    def close(self) -> None:
        """End the process without waiting for what it is doing; it does not start again."""
        self._closed = True
        self.stop()


async def _answer(future: asyncio.Future[_T], seconds: float) -> _T:
    """What comes within the time; work of its own may raise a `TimeoutError`, which is not ours."""
    try:
        await asyncio.wait([future], timeout=seconds)
        if not future.done():
            raise WorkerTimeoutError
        return future.result()
    finally:
        future.cancel()


def _kill(pool: ProcessPoolExecutor) -> None:
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()


def _nothing() -> None:
    pass
