"""What people write, made harmless: one line of plain text without control characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from itertools import count
from typing import Final

from nevsky.server.errors import Refusal

__all__ = ["clean", "clean_name", "distinct_name", "same_name"]

_LONGEST_NAME: Final = 24


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
    name = clean(words, _LONGEST_NAME)
    if not name:
        raise Refusal("refused", "name")
    return name


def same_name(one: str, other: str) -> bool:
    """Whether people would take two names for the same.

    >>> same_name("Anna", "ＡＮＮＡ"), same_name("Anna", "Hanna")
    (True, False)
    """
    return _heard(one) == _heard(other)


def _heard(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def distinct_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number behind it if somebody is called so already.

    >>> distinct_name("Anna", ["Boris", "anna", "Anna 2"])
    'Anna 3'
    """
    heard = {_heard(each) for each in taken}
    for number in count(1):
        ending = "" if number == 1 else f" {number}"
        found = name[: _LONGEST_NAME - len(ending)].rstrip() + ending
        if _heard(found) not in heard:
            break
    return found
