"""When the garbage collector looks through everything: seldom, and when there is little else to do.

Most of what a move leaves behind is gone by itself. What is left are cycles: those of tables and connections that are
no more. Whoever looks for them looks at everything that lives, and everybody waits: with a thousand tables for
seconds. So it happens when about as much has gone as is there, at a quiet moment if one comes soon enough.
"""

from __future__ import annotations

import gc
import time
from typing import Final

from nevsky.server.metrics import COLLECTED

__all__ = ["Collector"]

_YOUNG: Final = (5_000, 4)
"""New objects after which the youngest are looked through, and how often before those that survived are, too."""
_NEVER: Final = 1_000_000_000
_FEW: Final = 500
"""Tables and connections that may always wait to be found."""
_PATIENCE: Final = 4
"""How many times as much may wait if no quiet moment comes."""
_QUIET: Final = 0.25
"""Below this share of a core the server has little to do."""
_BETWEEN: Final = 1.0
"""Seconds between two looks at how busy it is."""


class Collector:
    """Is told from time to time how much is there and how much has gone so far."""

    def __init__(self) -> None:
        self._gone = 0
        """How much had gone when everything was last looked through."""
        self._looked = time.monotonic()
        self._used = time.process_time()

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
        quiet = used - self._used < _QUIET * passed
        self._looked, self._used = now, used
        waiting = gone - self._gone
        if waiting < (alive + _FEW) * (1 if quiet else _PATIENCE):
            return False
        self._gone = gone
        with COLLECTED.time():
            gc.collect()
        return True
