"""How much a program has computed, with all that it has started: seconds of processor time, user and system together.

Linux tells that of any process. Elsewhere nobody does, as far as we know.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import suppress
from typing import Final

__all__ = ["computed"]

_PROCESSES: Final = "/proc"
_CLOCK_OF_A_PROCESS: Final = 2
"""The last three bits of the clock that counts what a process has computed, in front of which its number stands."""
_OF_ENDED: Final = slice(13, 15)
"""Where the line about a process tells, counted from behind its name, what children that have ended computed."""


def computed(process: int) -> float | None:
    """Seconds since a process began, also of its children, those that have ended too; None where nobody can tell.

    >>> computed(0) is None
    True
    """
    if process <= 0 or not sys.platform.startswith("linux"):
        return None
    try:
        own = time.clock_gettime(~process << 3 | _CLOCK_OF_A_PROCESS)
        return own + _of_ended(process) + sum(computed(child) or 0.0 for child in _children_of(process))
    except (OSError, ValueError, IndexError):
        return None


def _of_ended(process: int) -> float:
    with open(f"{_PROCESSES}/{process}/stat", "rb") as file:  # noqa: PTH123
        fields = file.read().rpartition(b")")[2].split()
    return sum(map(int, fields[_OF_ENDED])) / os.sysconf("SC_CLK_TCK")


def _children_of(process: int) -> set[int]:
    """Those that run. Each of its threads may have started some."""
    found: set[int] = set()
    folder = f"{_PROCESSES}/{process}/task"
    with suppress(OSError):
        for thread in os.listdir(folder):  # noqa: PTH208
            with suppress(OSError), open(f"{folder}/{thread}/children", "rb") as file:  # noqa: PTH123
                found.update(map(int, file.read().split()))
    return found
