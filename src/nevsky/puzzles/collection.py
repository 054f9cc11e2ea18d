"""Files of puzzles, and the one that comes with the package."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from nevsky.errors import NevskyError
from nevsky.puzzles.proof import Margin
from nevsky.puzzles.puzzle import Puzzle, first_rating

__all__ = ["SHIPPED", "Collection", "Kept", "read_puzzles", "shipped"]

SHIPPED: Final = Path(__file__).parent / "data" / "puzzles.jsonl"
_MOST_BYTES: Final = 50_000_000
_READ: Final = 64


class Kept(NamedTuple):
    """What is known of a puzzle before it is read."""

    line: str
    rating: int
    plain: bool
    """Neither the Market nor modules: what everybody knows."""


class Collection:
    """Puzzles by their id. Only the lines are kept; a puzzle is read when somebody wants it."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.kept = dict(map(_kept, lines))
        self._read = lru_cache(_READ)(Puzzle.from_line)

    def __len__(self) -> int:
        return len(self.kept)

    def get(self, name: str) -> Puzzle | None:
        """The puzzle with this id."""
        found = self.kept.get(name)
        return None if found is None else self._read(found.line)


def _kept(line: str) -> tuple[str, Kept]:
    data = json.loads(line)
    points = Margin(*data["again"]).points
    rating = first_rating(points, len(data["fooled"]), len(data["actions"]))
    return data["id"], Kept(line, rating, not (data["ruleset"]["market"] or data["ruleset"]["modules"]))


def _lines(path: Path) -> list[str]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise NevskyError("record.file_large", file=path.name)
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise NevskyError("file.unreadable", path=path, reason=error.strerror) from error
    except UnicodeDecodeError as error:
        raise NevskyError("file.not_text", file=path.name) from error


def read_puzzles(path: Path) -> Iterator[Puzzle]:
    """The puzzles of a file, one after the other; a line that is none raises and says which."""
    for number, line in enumerate(_lines(path), 1):
        try:
            yield Puzzle.from_line(line)
        except NevskyError as error:
            raise NevskyError("puzzles.line", line=number, why=error) from error


@lru_cache(1)
def shipped() -> Collection:
    """Those that come with the package."""
    return Collection(_lines(SHIPPED))
