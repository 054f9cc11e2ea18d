"""Files that one process holds at a time, until it closes them or ends, however it ends."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Final

__all__ = ["hold"]

_FAR: Final = 1 << 30
"""The byte that Windows locks: nobody else could read one that is written."""


def hold(file: int) -> None:
    """Hold an open file, or raise BlockingIOError where another process does; no system without locks refuses it."""
    try:
        import fcntl
    except ImportError:
        _hold_a_byte(file)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _hold_a_byte(file: int) -> None:
    """The same on Windows."""
    try:
        windows = import_module("msvcrt")
    except ImportError:
        return
    place = os.lseek(file, 0, os.SEEK_CUR)
    try:
        os.lseek(file, _FAR, os.SEEK_SET)
        windows.locking(file, windows.LK_NBLCK, 1)
    except OSError as error:
        raise BlockingIOError(error.errno, error.strerror) from error
    finally:
        os.lseek(file, place, os.SEEK_SET)
