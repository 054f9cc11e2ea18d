"""The results on disk: one line for each game, only ever appended to, so that nothing played is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from nevsky.arena.lines import FORMAT, Line, cut_off, read_results, read_timings, write_line
from nevsky.arena.playing import Played
from nevsky.arena.setup import Setup
from nevsky.errors import NevskyError
from nevsky.locking import hold

__all__ = ["Store", "record_path"]

RESULTS: Final = "results.jsonl"
TIMINGS: Final = "timings.jsonl"
RECORDS: Final = "records"


def record_path(directory: Path, number: int) -> Path:
    """Where the record of a game lies."""
    return directory / RECORDS / f"game-{number:06}.json"


class Store:
    """The lines of an arena, in a directory or only in memory."""

    def __init__(self, setup: Setup, directory: Path | None = None) -> None:
        """Open a directory, new or with results of the same setup; any other is refused and left as it is."""
        self.setup = setup
        self.results: dict[int, Line] = {}
        self.timings: dict[int, Line] = {}
        self._directory = directory
        self._files: list[IO[str]] = []
        if directory is not None:
            self._open(directory)

    def _open(self, directory: Path) -> None:
        path = directory / RESULTS
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size and not cut_off(path):
                self._resume(directory)
            if self.setup.records:  # not before: a directory that is refused stays as it is
                (directory / RECORDS).mkdir(exist_ok=True)
            for name in (RESULTS, TIMINGS):
                self._files.append(_appending(directory / name))
            if not path.stat().st_size:
                write_line(self._files[0], {"format": FORMAT, "setup": self.setup.to_dict()})
        except (OSError, NevskyError) as error:
            self.close()
            if isinstance(error, NevskyError):
                raise
            raise NevskyError(
                "arena.results_unwritable", path=directory, reason=error.strerror or str(error)
            ) from error

    def _resume(self, directory: Path) -> None:
        found, results, _ = read_results(directory / RESULTS)
        wanted = json.loads(json.dumps(self.setup.to_dict()))
        if found != wanted:
            names = sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))
            raise NevskyError("arena.other_results", path=directory, names=", ".join(names))
        if (directory / TIMINGS).exists():
            self.timings = read_timings(directory / TIMINGS, self.setup.ruleset.players)
        self.results = results

    def missing(self) -> Sequence[int]:
        """The numbers of the games that are still to be played."""
        numbers = range(self.setup.schedule.games)
        return [number for number in numbers if number not in self.results] if self.results else numbers

    def add(self, played: Played) -> None:
        """Keep a game. Its result comes last: only then it counts as played."""
        number = played.result["game"]
        if self._directory is not None:
            try:
                if played.record is not None:
                    record_path(self._directory, number).write_text(played.record, encoding="utf-8")
                write_line(self._files[1], played.timing)
                write_line(self._files[0], played.result)
            except OSError as error:
                raise NevskyError(
                    "arena.results_unwritable", path=self._directory, reason=error.strerror or str(error)
                ) from error
        self.timings[number] = played.timing
        self.results[number] = played.result

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()
        self._files = []


def _appending(path: Path) -> IO[str]:
    """A file to append to, locked for us alone, without the half line that a crash may have left."""
    file = path.open("a+", encoding="utf-8")
    try:
        hold(file.fileno())
    except OSError as error:
        file.close()
        raise NevskyError("arena.busy", path=path.parent) from error
    with path.open("rb+") as raw:
        content = raw.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            raw.truncate(whole)
    file.seek(0, os.SEEK_END)
    return file
