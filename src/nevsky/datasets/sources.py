"""Where the records lie that are asked for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from nevsky.arena.store import RECORDS, RESULTS
from nevsky.errors import NevskyError

__all__ = ["find_records"]


def find_records(given: Iterable[Path]) -> list[Path]:
    """The records among files, directories of records and directories of an arena, each once, in a fixed order."""
    found: dict[Path, Path] = {}
    for path in given:
        if path.is_dir():
            files = _in_directory(path)
        elif path.exists():
            files = [path]
        else:
            raise NevskyError("file.nothing", path=path)
        for file in files:
            found.setdefault(file.resolve(), file)
    return list(found.values())


def _in_directory(directory: Path) -> list[Path]:
    where = directory / RECORDS if (directory / RECORDS).is_dir() else directory
    try:
        files = sorted(file for file in where.iterdir() if file.suffix == ".json")
    except OSError as error:
        raise NevskyError("file.unreadable", path=where, reason=error.strerror) from error
    if not files:
        raise NevskyError("arena.no_records" if (directory / RESULTS).exists() else "export.no_records", path=directory)
    return files
