"""Names for guests, tables and links that nobody can guess."""

from __future__ import annotations

import secrets

__all__ = ["new_guest_id", "new_table_id", "new_token"]


def _random(size: int) -> str:
    """Safe in addresses and, since it begins with no hyphen, as a word of a command."""
    while (found := secrets.token_urlsafe(size)).startswith("-"):
        pass
    return found


def new_guest_id() -> str:
    """For somebody who is here for the first time."""
    return _random(16)


def new_table_id() -> str:
    """Whoever knows it may watch."""
    return _random(9)


def new_token() -> str:
    """The secret of a seat's link."""
    return _random(24)
