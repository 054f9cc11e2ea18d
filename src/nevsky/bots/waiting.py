"""How long somebody who wanted to think was not let by a busy machine: that is nobody's thinking time.

Linux tells for every thread how long it stood in line for a processor. Elsewhere nobody waits, as far as we know.
"""

from __future__ import annotations

import os
import threading

__all__ = ["own_waiting", "waiting_of"]


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


def waiting_of(process: int) -> float:
    """Seconds that a process, or its first thread, has stood in line since it began; 0 once it has ended.

    >>> 0 <= waiting_of(os.getpid()) <= waiting_of(os.getpid())
    True
    >>> waiting_of(0)
    0.0
    """
    try:
        with open(f"/proc/{process}/schedstat", "rb") as file:  # noqa: PTH123  # quicker
            return _parsed(file.read())
    except OSError:
        return 0.0


def _parsed(text: bytes) -> float:
    words = text.split()
    return int(words[1]) / 1e9 if len(words) > 1 and words[1].isdigit() else 0.0
