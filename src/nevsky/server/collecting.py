"""When the garbage collector looks for what nobody holds any more: seldom, and when there is little else to do.

Most of what a move leaves behind is gone by itself. What is left are cycles: those of tables, connections and queries
that are no more. Python looks for them among what is new after every few moves. On a busy server that costs a seventh
of its time and finds little, since most of what is new is what tables show just now: so it stops while a server is
busy, and whenever some more has come, that is looked through once. Everything is looked through when about as much has
gone as is there, at a quiet moment if one comes soon enough: everybody waits meanwhile, with a thousand tables for a
second or two.
"""

from __future__ import annotations

import ctypes
import gc
import time
from collections.abc import Callable
from typing import Final

from nevsky.server.metrics import COLLECTED

__all__ = ["Collector"]

_YOUNG: Final = (1_000, 8)
"""New objects after which the youngest are looked through, and how often before those that survived are, too."""
_NEVER: Final = 1_000_000_000
_FEW: Final = 500
"""Tables and connections that may always wait to be found."""
_PATIENCE: Final = 2
"""How many times as much may wait if no quiet moment comes."""
_QUIET: Final = 0.25
"""Below this share of a core the server has little to do."""
_BUSY: Final = 0.6
"""Above it Python does not look at what is new, until the server is calm again."""
_CALM: Final = 0.4
_MOST: Final = 50_000
"""More objects than before while it does not look: to look through these takes some 30 to 100 ms."""
_YOUNG_ONES: Final = 1
"""The generations up to this one: what is found alive is looked at again only when everything is."""
_BETWEEN: Final = 1.0
"""Seconds between two looks at how busy it is."""


class Collector:
    """Is told from time to time how much is there and how much has gone so far."""

    def __init__(self) -> None:
        self._gone = 0
        """How much had gone when everything was last looked through."""
        self._looked = time.monotonic()
        self._used = time.process_time()
        self._trim = _trimming()

    def start(self) -> None:
        """What is there before anybody comes stays for ever, so nobody looks through it again."""
        gc.collect()
        gc.freeze()
        gc.set_threshold(*_YOUNG, _NEVER)

    def tick(self, alive: int, gone: int) -> bool:
        """Look through everything if it is worth it now; whether that was done."""
        now, used = time.monotonic(), time.process_time()
        passed = now - self._looked
        if passed < _BETWEEN:
            return False
        share = (used - self._used) / passed
        self._looked, self._used = now, used
        if share > _BUSY:
            gc.disable()
        elif share < _CALM:
            gc.enable()
        if not gc.isenabled() and gc.get_count()[0] > _MOST:
            gc.collect(_YOUNG_ONES)
        waiting = gone - self._gone
        if waiting < (alive + _FEW) * (1 if share < _QUIET else _PATIENCE):
            return False
        self._gone = gone
        with COLLECTED.time():
            gc.collect()
            self._trim(0)
        return True


def _trimming() -> Callable[[int], int]:
    """The C library's own way to give memory back that nobody needs: else it keeps what lies between what is needed."""
    try:
        found: Callable[[int], int] = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):  # only glibc has it
        return int
    return found
