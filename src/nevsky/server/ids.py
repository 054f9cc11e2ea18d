"""Names for guests, tables and links that nobody can guess."""

from __future__ import annotations

import secrets
from typing import Final

__all__ = ["is_id", "new_guest_id", "new_process_id", "new_table_id", "new_token"]

_LONGEST: Final = 32


def _random(size: int) -> str:
    """Safe in addresses and, since it begins with no hyphen, as a word of a command."""
    while (found := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return found


def is_id(text: str) -> bool:
    """Whether it could be one: nobody else's words go into a search for it.

    >>> is_id("t-1_A"), is_id("t" * 33), is_id("t\\0")
    (True, False, False)
    """
    return 0 < len(text) <= _LONGEST and text.isascii() and text.isprintable()


def new_guest_id() -> str:
    """For somebody who is here for the first time."""
    return _random(16)


def new_process_id() -> str:
    """For a server among others."""
    return _random(9)


def new_table_id() -> str:
    """Whoever knows it may watch."""
    return _random(9)


def new_token() -> str:
    """The secret of a seat's link."""
    return _random(24)
