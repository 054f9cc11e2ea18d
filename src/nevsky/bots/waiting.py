"""How long somebody who wanted to think was not let by a busy machine: that is nobody's thinking time.

Linux tells for every thread how long it stood in line for a processor. Elsewhere nobody waits, as far as we know.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from typing import Final

__all__ = ["Waiting", "own_waiting"]

_PROCESSES: Final = "/proc"


class _Told:
    """The figures of the thread that opened them, kept open since that takes longest."""

    def __init__(self) -> None:
        self.process = os.getpid()
        try:
            self._file = os.open("/proc/thread-self/schedstat", os.O_RDONLY)
        except OSError:
            self._file = -1

    def seconds(self) -> float:
        if self._file < 0:
            return 0.0
        try:
            return _parsed(os.pread(self._file, 100, 0))
        except OSError:
            return 0.0

    def __del__(self) -> None:
        if self._file >= 0:
            os.close(self._file)


_here = threading.local()


def own_waiting() -> float:
    """Seconds that this thread has stood in line since it began."""
    told = getattr(_here, "told", None)
    if told is None or told.process != os.getpid():
        told = _here.told = _Told()
    return float(told.seconds())


class Waiting:
    """How long a process has stood in line since it was first looked at.

    From one look to the next that is as long as whichever of its threads has waited longest: whoever divides the work
    waits for the last of them, and is not forgiven the same second several times.

    >>> waiting = Waiting(os.getpid())
    >>> 0 <= waiting.seconds() <= waiting.seconds()
    True
    >>> Waiting(0).seconds()
    0.0
    """

    def __init__(self, process: int) -> None:
        self._process = process
        self._threads = _threads_of(process)
        self._seconds = 0.0

    def seconds(self) -> float:
        """What it is by now; no more is added once the process has ended."""
        before, self._threads = self._threads, _threads_of(self._process)
        gains = (waited - before.get(thread, 0.0) for thread, waited in self._threads.items())
        self._seconds += max(0.0, max(gains, default=0.0))
        return self._seconds


def _threads_of(process: int) -> dict[str, float]:
    """Seconds that each thread of a process has stood in line."""
    found: dict[str, float] = {}
    folder = f"{_PROCESSES}/{process}/task"
    with suppress(OSError):
        for thread in os.listdir(folder):  # noqa: PTH208  # quicker, and this is done for every question
            with suppress(OSError), open(f"{folder}/{thread}/schedstat", "rb") as file:  # noqa: PTH123
                found[thread] = _parsed(file.read())
    return found


def _parsed(text: bytes) -> float:
    words = text.split()
    return int(words[1]) / 1e9 if len(words) > 1 and words[1].isdigit() else 0.0
