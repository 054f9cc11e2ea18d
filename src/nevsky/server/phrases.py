"""What only the server says, in four languages; everything about the game itself is in `nevsky.texts`."""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

__all__ = ["has_phrase", "phrase"]


@cache
def _phrases() -> dict[str, dict[str, str]]:
    with (Path(__file__).parent / "phrases.csv").open(encoding="utf-8", newline="") as file:
        return {row["key"]: row for row in csv.DictReader(file)}


def phrase(key: str, language: str, **values: object) -> str:
    """The phrase of a key with its placeholders filled in.

    >>> phrase("waits", "en", name="Anna")
    'Waiting for Anna.'
    """
    return _phrases()[key][language].format_map(values)


def has_phrase(key: str) -> bool:
    """Whether there is such a phrase."""
    return key in _phrases()
