"""The command where nothing is there that only Linux and macOS have: python -m tests.server.elsewhere serve."""

from __future__ import annotations

import asyncio
import fcntl
import multiprocessing.connection
import os
import select
import signal
import socket
import subprocess
import sys
from types import SimpleNamespace
from typing import Any, Final

COMMAND: Final = (sys.executable, "-m", "tests.server.elsewhere")
HIDDEN_MODULES: Final = ("fcntl", "pwd", "resource", "uvloop")
HIDDEN: Final[tuple[tuple[Any, tuple[str, ...]], ...]] = (
    (asyncio, ("start_unix_server", "open_unix_connection")),
    (os, ("getuid", "geteuid", "killpg", "waitid", "pread", "sysconf", "sched_getaffinity")),
    (select, ("poll", "epoll")),
    (signal, ("SIGALRM", "setitimer")),
    (socket, ("SO_PEERCRED",)),
)
USED_BY_PYTHON: Final = (multiprocessing.connection, subprocess)
"""They look for these once, when they are imported."""


class Locking(SimpleNamespace):
    """What Windows has instead, made of what is hidden."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        self._lock = fcntl.lockf

    def locking(self, file: int, mode: int, size: int) -> None:
        assert mode == self.LK_NBLCK
        try:
            self._lock(file, fcntl.LOCK_EX | fcntl.LOCK_NB, size, 0, os.SEEK_CUR)
        except OSError as error:
            raise PermissionError(error.errno, "Permission denied") from error


def hide() -> None:
    """From now on all of it is missing."""
    modules: dict[str, Any] = sys.modules
    modules |= dict.fromkeys(HIDDEN_MODULES)
    modules["msvcrt"] = Locking()
    for place, names in HIDDEN:
        for name in names:
            delattr(place, name)


if __name__ == "__main__":
    hide()
    from nevsky.cli import main

    main()
