"""Threads that wait for work, for code that runs without Python's lock."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeAlias

__all__ = ["Crew", "Work"]

Work: TypeAlias = Callable[[int], None]
"""Does the part with this number."""


def _serve(part: int, tasks: SimpleQueue[Work | None], done: SimpleQueue[BaseException | None]) -> None:
    while (work := tasks.get()) is not None:
        try:
            work(part)
        except BaseException as error:
            done.put(error)
        else:
            done.put(None)
        del work  # the thread keeps nothing alive while it waits


def _dismiss(queues: list[SimpleQueue[Work | None]]) -> None:
    for tasks in queues:
        tasks.put(None)


class Crew:
    """So many parts of a work at once: the caller does the first, and a thread each of the others.

    >>> found = [0, 0, 0]
    >>> Crew(3).run(lambda part: found.__setitem__(part, part * part))
    >>> found
    [0, 1, 4]
    """

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self._process = 0

    def _start(self) -> None:
        """Threads do not survive a fork, so each process has its own."""
        self._process = os.getpid()
        self._tasks: list[SimpleQueue[Work | None]] = [SimpleQueue() for _ in range(1, self.parts)]
        self._done: SimpleQueue[BaseException | None] = SimpleQueue()
        for part, tasks in enumerate(self._tasks, 1):
            Thread(target=_serve, args=(part, tasks, self._done), name=f"nevsky-batch-{part}", daemon=True).start()
        weakref.finalize(self, _dismiss, self._tasks)

    def run(self, work: Work) -> None:
        """Do all parts, and wait for all of them whatever happens."""
        if self._process != os.getpid():
            self._start()
        for tasks in self._tasks:
            tasks.put(work)
        failures: list[BaseException] = []
        try:
            work(0)
        except BaseException as error:
            failures.append(error)
        waiting = len(self._tasks)
        while waiting:
            try:
                failure = self._done.get()
            except KeyboardInterrupt as error:
                failures.append(error)
                continue
            waiting -= 1
            if failure is not None:
                failures.append(failure)
        if failures:
            raise failures[0]
