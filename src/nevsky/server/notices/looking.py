"""What tables need of messages: somebody who is called when something has happened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["Looking", "Nobody"]


class Looking(Protocol):
    """Looks at tables."""

    def look(self, table: Table) -> None:
        """Something may have happened at a table."""
        ...


class Nobody:
    """Where nobody is told anything."""

    def look(self, table: Table) -> None:
        """Let it be."""
