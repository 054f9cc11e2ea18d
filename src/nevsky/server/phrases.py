"""What only the server says, in four languages; everything about the game itself is in `nevsky.texts`."""

from __future__ import annotations

import csv
import re
from functools import cache
from pathlib import Path
from typing import Final

__all__ = ["has_phrase", "phrase", "recognise"]

_REFUSALS: Final = ("no.", "ruleset.")
_PLACEHOLDER: Final = re.compile(r"\\\{(\w+)\\\}")


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


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    return {key: _pattern(row["en"]) for key, row in _phrases().items() if key.startswith(_REFUSALS)}


def _pattern(english: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def group(found: re.Match[str]) -> str:
        name = found[1]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>.+)"

    return re.compile(_PLACEHOLDER.sub(group, re.escape(english)))


def recognise(sentence: str) -> tuple[str, dict[str, str]] | None:
    """The refusal that an English sentence is, with its values: the rules, which know no phrases, speak English.

    >>> recognise("Module 3 (Assistants) needs the Market (rule 1.3).")
    ('ruleset.module_market', {'module': '3', 'name': 'Assistants'})
    """
    for key, pattern in _patterns().items():
        found = pattern.fullmatch(sentence)
        if found is not None:
            return key, found.groupdict()
    return None
