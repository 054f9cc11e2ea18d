"""Who wrote in the chat, for those who do not want to hear them."""

from __future__ import annotations

import hmac
from typing import Final

from nevsky.server.schema import ChatRow

__all__ = ["Speakers"]

_CHARACTERS: Final = 16


class Speakers:
    """Gives every guest a mark at each table; nobody can tell from it who they are, or where else they sit."""

    def __init__(self, secret: str) -> None:
        self._key = hmac.digest(secret.encode(), b"nevsky-speakers", "sha256")

    def of(self, table: str, line: ChatRow) -> str:
        """The mark of whoever wrote a line; of old lines only the name may be known."""
        who = f"name {line.name}" if line.guest is None else f"guest {line.guest}"
        return hmac.digest(self._key, f"{table} {who}".encode(), "sha256").hex()[:_CHARACTERS]
