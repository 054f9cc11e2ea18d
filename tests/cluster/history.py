"""Everything that was sent, and everything that anybody was told."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from enum import Enum
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import orjson

__all__ = ["Asked", "History", "Outcome", "Seat", "Told"]

Json = dict[str, Any]
Seat = tuple[str, int | None]
"""A table and a seat of it; None for spectators."""


class Outcome(Enum):
    """What whoever sent something knows about it."""

    UNKNOWN = "unknown"
    """The connection broke before an answer came, or the server could not say."""
    DONE = "done"
    REFUSED = "refused"
    """It was said that nothing has changed."""


class Asked:
    """Something that was sent about a table."""

    __slots__ = ("action", "code", "kind", "outcome", "seat", "table", "version")

    def __init__(self, kind: str, table: str, seat: int | None, version: int = -1, action: str | None = None) -> None:
        self.kind = kind
        self.table = table
        self.seat = seat
        self.version = version
        self.action = action
        """Of a move; what was said in chat; None takes a move back."""
        self.outcome = Outcome.UNKNOWN
        self.code = ""
        """Why it was refused."""

    def __repr__(self) -> str:
        return f"{self.kind} by seat {self.seat} at version {self.version}: {self.action!r}, {self.outcome.value}"


class Told(NamedTuple):
    """A picture that somebody was shown; the whole of it stands in the file."""

    digest: bytes
    place: int
    length: int


class History:
    """Kept in memory as far as the checker needs it to find its way, and as a whole in a file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file = path.open("wb")
        self._size = 0
        self.asked: dict[str, list[Asked]] = defaultdict(list)
        """By table."""
        self.told: dict[Seat, dict[int, list[Told]]] = defaultdict(lambda: defaultdict(list))
        """By seat and version, each picture once."""
        self.hints: dict[Seat, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        """By seat and version: the actions that were advised."""
        self.final: dict[str, list[int]] = {}
        """Who was said to have won."""
        self.seats: dict[Seat, str] = {}
        """Acknowledged seats, with their tokens."""
        self.unheard: dict[str, dict[str, Asked]] = defaultdict(dict)
        """Lines of chat that have not come back yet, by table."""
        self.rematches: dict[str, set[str]] = defaultdict(set)
        self.left: set[str] = set()
        """Tables that somebody has left, perhaps."""
        self.gone: set[str] = set()
        """Tables that everybody has left for certain."""
        self.moved: dict[str, list[float]] = defaultdict(list)
        """When moves were acknowledged, by table."""
        self.counted: Counter[str] = Counter()

    def ask(self, asked: Asked) -> Asked:
        """Note what is being sent."""
        self.asked[asked.table].append(asked)
        self.counted[asked.kind] += 1
        if asked.kind == "chat" and asked.action is not None:
            self.unheard[asked.table][asked.action] = asked
        return asked

    def answer(self, asked: Asked, outcome: Outcome, code: str = "") -> None:
        """Note what came back."""
        asked.outcome, asked.code = outcome, code
        if asked.kind == "chat" and asked.action is not None:
            self.unheard[asked.table].pop(asked.action, None)
        self.counted[f"{asked.kind} {code or outcome.value}"] += 1
        if outcome is Outcome.DONE and asked.kind == "act":
            self.moved[asked.table].append(time.monotonic())

    def tell(self, seat: Seat, version: int, picture: bytes) -> None:
        """Note a state that somebody was shown."""
        self.counted["states"] += 1
        digest = blake2b(picture, digest_size=16).digest()
        pictures = self.told[seat][version]
        if not any(told.digest == digest for told in pictures):
            pictures.append(Told(digest, self._size, len(picture)))
            self._write(picture)

    def heard(self, table: str, lines: set[str]) -> None:
        """Note what was seen in a chat."""
        for text in self.unheard[table].keys() & lines:
            self.answer(self.unheard[table][text], Outcome.DONE)

    def note(self, **event: Any) -> None:
        """Write down something that only people read."""
        self._write(orjson.dumps({"time": round(time.monotonic(), 3), **event}))

    def _write(self, line: bytes) -> None:
        self._size += self._file.write(line + b"\n")

    def picture(self, told: Told) -> Json:
        """What was shown."""
        self._file.flush()
        with self.path.open("rb") as file:
            file.seek(told.place)
            found: Json = orjson.loads(file.read(told.length))
            return found

    def close(self) -> None:
        """Nothing more happens."""
        self._file.close()
