"""The file of the database seen from outside: whether it is still the one that was opened, and whole.

SQLite goes on writing into a file that was deleted or replaced, and what it acknowledges then is lost. So the file is
looked at before every write, which costs microseconds.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Final, Literal, get_args
from urllib.parse import quote

from nevsky.errors import NevskyError, Words
from nevsky.locking import hold

__all__ = [
    "DatabaseFile",
    "StartLock",
    "StorageError",
    "Trouble",
    "address_of",
    "connect",
    "real_path",
    "trouble_of",
]

Trouble = Literal["gone", "replaced", "truncated", "damaged", "full", "locked", "readonly", "io_error", "unreachable"]
TROUBLES: Final[tuple[str, ...]] = get_args(Trouble)
_BY_CODE: Final[dict[int, Trouble]] = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "readonly",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    sqlite3.SQLITE_CANTOPEN: "gone",
}
_HEADER: Final = 100
_PROBE: Final = 64 * 1024
"""Bytes that a probe writes and takes back; far more than any move needs."""


class StorageError(Exception):
    """The file is not what it should be."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble)
        self.trouble = trouble


def trouble_of(error: BaseException) -> Trouble:
    """What is wrong, in a word."""
    if isinstance(error, StorageError):
        return error.trouble
    code = getattr(error, "sqlite_errorcode", None)
    return "io_error" if code is None else _BY_CODE.get(code & 0xFF, "io_error")


def real_path(database: Path) -> Path:
    """Where a database lies that may be named by a link: what is beside it stands there, as SQLite's own files do."""
    return Path(os.path.realpath(database))


def address_of(path: Path) -> str:
    """For SQLite: the file, whatever signs are in its name."""
    return f"file:{quote(os.fsencode(path.absolute()))}"


def connect(path: Path, timeout: float = 10.0) -> sqlite3.Connection:
    """A connection to a file that is there; none is made anew."""
    return sqlite3.connect(f"{address_of(path)}?mode=rw", uri=True, timeout=timeout, isolation_level=None)


def _whole(path: Path, size: int) -> bool:
    """Whether a file is as large as its header says; an empty one is a new database."""
    with path.open("rb") as file:
        header = file.read(_HEADER)
    if len(header) < _HEADER:
        return size == 0
    if not header.startswith(b"SQLite format 3\0"):
        return True  # no database at all, which SQLite says better
    page_size = int.from_bytes(header[16:18], "big")
    return size >= int.from_bytes(header[28:32], "big") * (65536 if page_size == 1 else page_size)


class DatabaseFile:
    """Remembers which file was opened."""

    def __init__(self, path: Path) -> None:
        self._named = path
        self.path = real_path(path)
        found = path.stat()
        if not _whole(path, found.st_size):
            raise NevskyError("server.database", path=path, reason=Words("server.truncated"))
        self._identity = (found.st_dev, found.st_ino)
        self._size = found.st_size
        self._wal = Path(f"{self.path}-wal")
        self._wal_identity: tuple[int, int] | None = None

    def remember_wal(self) -> None:
        """From now on the newest moves lie in this file beside the database; where it is not, none is looked for.

        It never raises: whoever asks has just committed.
        """
        with suppress(OSError):
            found = self._wal.stat()
            self._wal_identity = (found.st_dev, found.st_ino)

    def check(self) -> None:
        """Raise if the file was deleted, replaced or cut off since it was opened."""
        try:
            found = self._named.stat()  # a link that leads elsewhere by now counts as well
            if (found.st_dev, found.st_ino) != self._identity:
                raise StorageError("replaced")
            # a file that SQLite itself made smaller says so in its header
            if found.st_size < self._size and (found.st_size == 0 or not _whole(self.path, found.st_size)):
                raise StorageError("truncated")
            self._size = found.st_size
            if self._wal_identity is not None:
                found = self._wal.stat()
                if (found.st_dev, found.st_ino) != self._wal_identity:
                    raise StorageError("replaced")
        except FileNotFoundError as error:
            raise StorageError("gone") from error
        except OSError as error:
            raise StorageError("io_error") from error

    def probe(self) -> None:
        """Write something and take it back; raise if that is not possible.

        The cache is too small for what is written, so it really goes to the disk before it is rolled back.
        """
        self.check()
        with closing(connect(self.path, 1.0)) as connection:
            connection.execute("PRAGMA cache_size=4")
            connection.execute("BEGIN IMMEDIATE")
            try:
                connection.execute(
                    "INSERT INTO audit (at, who, command, target, details) VALUES ('', '', '', '', zeroblob(?))",
                    (_PROBE,),
                )
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")


class StartLock:
    """Held by the process that works on a database, so that two never do so unnoticed. It ends with the process.

    It lies beside the file itself, so that a link to it is no way around.
    """

    def __init__(self, database: Path) -> None:
        self.path = Path(f"{real_path(database)}.lock")
        database.parent.mkdir(parents=True, exist_ok=True)  # but not where a link leads nowhere
        self._descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            hold(self._descriptor)
        except BlockingIOError as error:
            holder = os.read(self._descriptor, 20).decode("ascii", "replace").strip()
            os.close(self._descriptor)
            raise NevskyError("server.locked", path=database, process=holder or "?") from error
        os.ftruncate(self._descriptor, 0)
        os.write(self._descriptor, f"{os.getpid()}\n".encode())

    def __enter__(self) -> StartLock:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Let another process have the database."""
        os.close(self._descriptor)
