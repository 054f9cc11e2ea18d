"""What people write, made harmless: one line of plain text without control characters."""

from __future__ import annotations

import unicodedata

from nevsky.server.errors import Refusal

__all__ = ["clean", "clean_name"]


def clean(words: str, most: int) -> str:
    """The text without control, format and unassigned characters, with single spaces.

    >>> clean(" An\\tna\\u202e\\n\\x07 ", 24)
    'An na'
    """
    kept = [" " if char.isspace() else char for char in words]
    kept = [char for char in kept if char == " " or not unicodedata.category(char).startswith("C")]
    return " ".join("".join(kept).split())[:most].rstrip()


def clean_name(words: str) -> str:
    """A name with something in it."""
    name = clean(words, 24)
    if not name:
        raise Refusal("refused", "name")
    return name
