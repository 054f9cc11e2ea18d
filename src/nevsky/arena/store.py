"""The results on disk: one line for each game, only ever appended to, so that nothing played is lost."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Final

from nevsky.arena.playing import Played
from nevsky.arena.setup import Setup
from nevsky.errors import NevskyError

__all__ = ["FORMAT", "Store", "read_lines", "record_path"]

FORMAT: Final = "nevsky-arena-1"
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
        self.results: dict[int, dict[str, Any]] = {}
        self.timings: dict[int, dict[str, Any]] = {}
        self._directory = directory
        self._files: list[IO[str]] = []
        if directory is not None:
            self._open(directory)

    def _open(self, directory: Path) -> None:
        path = directory / RESULTS
        try:
            (directory / RECORDS if self.setup.records else directory).mkdir(parents=True, exist_ok=True)
            if path.exists() and path.stat().st_size:
                self._resume(directory)
            for name in (RESULTS, TIMINGS):
                self._files.append(_appending(directory / name))
        except (OSError, NevskyError) as error:
            self.close()
            if isinstance(error, NevskyError):
                raise
            raise NevskyError(f"The results cannot be kept in {directory}: {error.strerror or error}.") from error
        if not path.stat().st_size:
            _write(self._files[0], {"format": FORMAT, "setup": self.setup.to_dict()})

    def _resume(self, directory: Path) -> None:
        head, lines = read_lines(directory / RESULTS)
        found, wanted = head["setup"], json.loads(json.dumps(self.setup.to_dict()))
        if found != wanted:
            names = sorted(name for name in {*found, *wanted} if found.get(name) != wanted.get(name))
            raise NevskyError(
                f"{directory} holds the results of another arena, which differs in {', '.join(names)}:"
                " choose another directory."
            )
        self.results = {line["game"]: line for line in lines}
        if (directory / TIMINGS).exists():
            _, timings = read_lines(directory / TIMINGS, headed=False)
            self.timings = {line["game"]: line for line in timings}

    def missing(self) -> list[int]:
        """The numbers of the games that are still to be played."""
        return [number for number in range(self.setup.schedule.games) if number not in self.results]

    def add(self, played: Played) -> None:
        """Keep a game. Its result comes last: only then it counts as played."""
        number = played.result["game"]
        if self._directory is not None:
            try:
                if played.record is not None:
                    record_path(self._directory, number).write_text(played.record, encoding="utf-8")
                _write(self._files[1], played.timing)
                _write(self._files[0], played.result)
            except OSError as error:
                raise NevskyError(
                    f"The results cannot be kept in {self._directory}: {error.strerror or error}."
                ) from error
        self.timings[number] = played.timing
        self.results[number] = played.result

    def close(self) -> None:
        """Close the files."""
        for file in self._files:
            file.close()
        self._files = []


def read_lines(path: Path, *, headed: bool = True) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The head and the games of a results file. A last line that was cut off while it was written is left out."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise NevskyError(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is not text'}.") from error
    found: list[dict[str, Any]] = []
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        if not line.endswith("\n"):
            break
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            data = None
        head = headed and number == 1
        if not isinstance(data, dict) or (data.get("format") != FORMAT if head else not _is_game(data)):
            what = f"its format is not {FORMAT!r}" if head else f"line {number} is broken"
            raise NevskyError(f"{path} does not hold the results of an arena: {what}.")
        found.append(data)
    if not headed:
        return {}, found
    if not found or not isinstance(found[0].get("setup"), Mapping):
        raise NevskyError(f"{path} does not hold the results of an arena.")
    return found[0], found[1:]


def _is_game(line: Mapping[str, Any]) -> bool:
    number = line.get("game")
    return isinstance(number, int) and not isinstance(number, bool) and number >= 0


def _appending(path: Path) -> IO[str]:
    """A file to append to, locked for us alone, without the half line that a crash may have left."""
    file = path.open("a+", encoding="utf-8")
    try:
        import fcntl
    except ImportError:
        pass
    else:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.close()
            raise NevskyError(f"Another arena is writing to {path.parent}.") from error
    with path.open("rb+") as raw:
        content = raw.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            raw.truncate(whole)
    file.seek(0, os.SEEK_END)
    return file


def _write(file: IO[str], line: Mapping[str, Any]) -> None:
    file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
    file.flush()
