"""When the garbage collector looks through everything: seldom, and when there is little else to do.

Most of what a move leaves behind is gone by itself. What is left are cycles: those of tables, connections and queries
that are no more. Whoever looks for them looks at what lives, and everybody waits: with a thousand tables for seconds.
Python would look at whatever is new after every few moves, and find nothing: most of it is what tables show just now.
So it happens when much has become more than there was, at a quiet moment if one comes soon enough.
"""

from __future__ import annotations

import gc
import time
from typing import Final

from nevsky.server.metrics import COLLECTED

__all__ = ["Collector"]

_FEW: Final = 100_000
"""New objects that may always wait to be looked through: some 20 MB at most."""
_SHARE: Final = 0.5
"""How many more may wait, as a share of those that were there when everything was looked through."""
_PATIENCE: Final = 2
"""How many times as much may wait if no quiet moment comes."""
_QUIET: Final = 0.5
"""Below this share of a core the server has little to do."""
_BETWEEN: Final = 1.0
"""Seconds between two looks at how busy it is."""


class Collector:
    """Asks from time to time how many objects there are more than before, whether they live or not."""

    def __init__(self) -> None:
        self._alive = 0
        """How many there were when everything was last looked through, without those of the start."""
        self._looked = time.monotonic()
        self._used = time.process_time()

    def start(self) -> None:
        """What is there before anybody comes stays for ever, so nobody looks through it again."""
        gc.collect()
        gc.freeze()
        gc.disable()

    def tick(self) -> bool:
        """Look through everything if it is worth it now; whether that was done."""
        now, used = time.monotonic(), time.process_time()
        passed = now - self._looked
        if passed < _BETWEEN:
            return False
        quiet = used - self._used < _QUIET * passed
        self._looked, self._used = now, used
        more = gc.get_count()[0]
        if more < (_FEW + _SHARE * self._alive) * (1 if quiet else _PATIENCE):
            return False
        with COLLECTED.time():
            self._alive += more - gc.collect()
        return True
