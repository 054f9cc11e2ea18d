"""Backups: copies that SQLite makes of a database in use, checked before anybody relies on them."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from nevsky.errors import NevskyError, Words
from nevsky.printable import is_text
from nevsky.server.database_file import StartLock, address_of, real_path
from nevsky.server.migrating import NEWEST
from nevsky.server.secret_file import secret_path

__all__ = ["back_up", "check_backup", "restore"]

_TABLES: Final = ("guests", "tables", "seats", "log", "chat")


def _read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{address_of(path)}?mode=ro", uri=True, timeout=30.0, isolation_level=None)


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    return {name: connection.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0] for name in _TABLES}  # noqa: S608


def _stamp() -> str:
    return datetime.now(UTC).strftime("%Y%m%d-%H%M%S")


def back_up(database: Path, target: Path, keep: int = 0) -> tuple[Path, dict[str, int]]:
    """Copy a database, with its secret; into a directory with the date in the name, of which the newest are kept."""
    try:
        if keep > 0 and not target.exists():
            target.mkdir(mode=0o700, parents=True)
        directory = target.is_dir()
        file = target / f"nevsky-{_stamp()}.db" if directory else target
        if not is_text(str(file)):  # SQLite could not write it
            raise NevskyError("admin.backup", path=file, reason=Words("file.no_text"))
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except OSError as error:
        raise NevskyError("admin.backup", path=target, reason=error.strerror) from error
    try:
        counts = _copy(database, file)
        secret = secret_path(database)
        if secret.exists():
            shutil.copy2(secret, secret_path(file))
    except BaseException:
        file.unlink()
        raise
    if directory and keep > 0:
        for old in sorted(target.glob("nevsky-*.db"))[:-keep]:
            old.unlink()
            secret_path(old).unlink(missing_ok=True)
    return file, counts


def _copy(database: Path, file: Path) -> dict[str, int]:
    try:
        with closing(_read_only(database)) as connection:
            before = _counts(connection)
            connection.execute("VACUUM INTO ?", (str(file),))
            after = _counts(connection)
    except sqlite3.Error as error:
        raise NevskyError("admin.backup", path=file, reason=error) from error
    counts = check_backup(file)
    for name, number in counts.items():  # people play while the copy is made
        if not min(before[name], after[name]) <= number <= max(before[name], after[name]):
            raise NevskyError("admin.incomplete", path=file)
    with file.open("rb") as copied:
        os.fsync(copied.fileno())
    return counts


def check_backup(file: Path) -> dict[str, int]:
    """Read a backup from end to end; how much is in it."""
    if not file.is_file():
        raise NevskyError("admin.no_database", path=file)
    try:
        with closing(_read_only(file)) as connection:
            found = [row[0] for row in connection.execute("PRAGMA integrity_check")]
            if found != ["ok"]:
                raise NevskyError("admin.damaged", path=file, reason=found[0])
            version = connection.execute("SELECT version_num FROM alembic_version").fetchone()[0]
            if version > NEWEST:
                raise NevskyError("server.newer")
            return _counts(connection)
    except sqlite3.Error as error:
        raise NevskyError("admin.damaged", path=file, reason=error) from error


def restore(database: Path, file: Path) -> tuple[Path | None, dict[str, int]]:
    """Put a backup in the place of the database, which is kept beside it; no server may run.

    A link to the database goes on leading to where it lies.
    """
    counts = check_backup(file)
    with StartLock(database):
        kept = None
        place = real_path(database)
        fresh = Path(f"{place}.restoring")
        try:
            _write(file, fresh)
            if place.exists():
                kept = Path(f"{place}.before-{_stamp()}")
                _put_aside(place, kept)
            fresh.rename(place)
        except (OSError, sqlite3.Error) as error:
            fresh.unlink(missing_ok=True)
            raise NevskyError("server.database", path=database, reason=error) from error
        secret = secret_path(file)
        if secret.exists():
            shutil.copy2(secret, secret_path(database))
        _sync(place.parent)
    return kept, counts


def _write(file: Path, fresh: Path) -> None:
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    with closing(_read_only(file)) as connection:
        connection.execute("VACUUM INTO ?", (str(fresh),))
    with fresh.open("rb") as written:
        os.fsync(written.fileno())


def _put_aside(database: Path, kept: Path) -> None:
    """With the newest moves, which may lie beside it."""
    try:
        with closing(sqlite3.connect(database, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error:
        pass  # perhaps it is damaged: that may be why a backup is put in its place
    for end in ("-wal", "-shm"):
        beside = Path(f"{database}{end}")
        if beside.exists():
            beside.rename(f"{kept}{end}")
    database.rename(kept)


def _sync(directory: Path) -> None:
    if os.name != "posix":
        return  # Windows opens no directories
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
