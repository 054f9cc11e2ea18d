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
from typing import Any, Final, TypeVar

import structlog

__all__ = ["Worker"]

_T = TypeVar("_T")
_TRIES: Final = 2
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


class Worker:
    """One process that does one thing after the other. It starts when it is needed and is replaced when it dies."""

    def __init__(self) -> None:
        self.waiting = 0
        """How much it has to do."""
        self.bots = 0
        """How many bots live in it."""
        self._pool: ProcessPoolExecutor | None = None

    @property
    def pids(self) -> list[int]:
        """The process, if it runs."""
        return [] if self._pool is None else list(self._pool._processes or {})

    def start(self) -> None:
        """Start before there is something to do."""
        self._started().submit(_nothing)

    def _started(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"), initializer=prepare)
        return self._pool

    async def run(self, work: Callable[..., _T], *given: Any) -> _T:
        """Do something there; if the process dies meanwhile, once more in a new one."""
        self.waiting += 1
        try:
            for attempt in range(_TRIES):
                pool = self._started()
                try:
                    return await asyncio.get_running_loop().run_in_executor(pool, work, *given)
                except BrokenProcessPool:
                    log.warning("bot_process_died", attempt=attempt)
                    if self._pool is pool:
                        self._pool = None
                        pool.shutdown(wait=False)
            raise RuntimeError("The process that thinks for bots keeps dying.")
        finally:
            self.waiting -= 1

    def post(self, work: Callable[..., object], *given: Any) -> None:
        """Do something there if the process is running; nobody waits for it."""
        if self._pool is not None:
            try:
                self._pool.submit(work, *given)
            except (BrokenProcessPool, RuntimeError):
                log.debug("bot_process_gone")

    def close(self) -> None:
        """End the process without waiting for what it is doing."""
        if self._pool is not None:
            pool, self._pool = self._pool, None
            processes = list((pool._processes or {}).values())
            pool.shutdown(wait=False, cancel_futures=True)
            for process in processes:
                process.kill()


def _nothing() -> None:
    pass
