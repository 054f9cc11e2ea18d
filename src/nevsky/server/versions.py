"""Pages of an earlier version that are still open when a newer server answers."""

from __future__ import annotations

from typing import Final

from nevsky.server.errors import Refusal
from nevsky.server.protocol import OLDEST_PROTOCOL

__all__ = ["PAGE_HEADER", "check_page"]

PAGE_HEADER: Final = "x-nevsky-protocol"
"""Where a page says, with every request, which protocol it speaks; at a WebSocket the address says so."""


def check_page(spoken: str | None) -> None:
    """Send a page away that is too old, so that it loads itself anew; programs need not say anything."""
    if spoken is not None and spoken.isdecimal() and int(spoken[:9]) < OLDEST_PROTOCOL:
        raise Refusal("outdated", "outdated")
