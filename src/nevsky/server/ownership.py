"""Which process a table belongs to. A table is in the memory of one process at a time, and only that one changes it."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from nevsky.server.errors import Refusal

__all__ = ["Alone", "Elsewhere", "ElsewhereError", "Lease", "Ownership"]


class Lease(NamedTuple):
    """A table is ours. Every change of owner raises the epoch, so that writes of an earlier owner are known as such."""

    table: str
    epoch: int


class Elsewhere(NamedTuple):
    """A table belongs to another process, which runs."""

    process: str
    address: str
    """Its base URL, for forwarding."""


class ElsewhereError(Refusal):
    """What was asked for has to be asked of another process; whoever cannot do that says that the table has moved."""

    def __init__(self, owner: Elsewhere) -> None:
        super().__init__("moved", "moved")
        self.owner = owner


class Ownership(Protocol):
    """Claims tables for this process."""

    async def claim(self, table: str) -> Lease | Elsewhere:
        """Take a table that nobody has, or whose owner is gone; else tell whose it is."""
        ...

    async def release(self, lease: Lease) -> None:
        """Give a table back, so that any process may have it."""
        ...

    def holds(self) -> bool:
        """Whether this process is still counted among those that run; false once it has lost its row."""
        ...


class Alone:
    """One process under the start lock of its file owns every table."""

    async def claim(self, table: str) -> Lease | Elsewhere:
        """It is ours."""
        return Lease(table, 0)

    async def release(self, lease: Lease) -> None:
        """Nobody else is waiting for it."""

    def holds(self) -> bool:
        """As long as it runs."""
        return True
