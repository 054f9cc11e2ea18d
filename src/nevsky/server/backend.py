"""What the storage needs of a database: SQLite and PostgreSQL do the same in their own ways."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from nevsky.server.database_file import Trouble
from nevsky.server.ownership import Lease
from nevsky.server.schema import Entry, Stored

__all__ = ["Backend"]


class Backend(Protocol):
    """A database that is open and up to date."""

    engine: AsyncEngine
    process: str
    """The name of this process among others; empty where there are none."""
    failures: tuple[type[Exception], ...]
    """What it raises when it cannot be used; conflicts within the data are none of these."""

    def writing(self, lease: Lease | None) -> AbstractAsyncContextManager[AsyncConnection]:
        """One transaction: all of it is kept, or nothing. With a lease that is no longer good it is refused."""
        ...

    async def load(self, table: str) -> Stored | None:
        """Everything about a table, as it is at one moment."""
        ...

    async def append(self, table: str, lease: Lease | None, entry: Entry, changes: Mapping[str, Any]) -> None:
        """Add an entry to a log together with many others."""
        ...

    async def take(self, connection: AsyncConnection, tables: Collection[str]) -> None:
        """Within a transaction, take tables from whoever has them in memory: they are changed beside the servers.

        When it is committed, their owners let go of them.
        """
        ...

    async def tell(self, connection: AsyncConnection, **news: object) -> None:
        """Within a transaction: when it is committed, all servers hear of it."""
        ...

    async def alone(self, connection: AsyncConnection, what: str) -> None:
        """Within a transaction, wait until no other one does the same thing, at any process; it ends with it."""
        ...

    def runs(self, process: sa.Column[Any]) -> sa.ColumnElement[bool]:
        """Whether a process is among those that run."""
        ...

    async def probe(self) -> Trouble | None:
        """Write something and take it back; what is wrong, None if all is well."""
        ...

    def trouble_of(self, error: BaseException) -> Trouble:
        """What is wrong, in a word."""
        ...

    def among(self, column: sa.Column[Any], values: Collection[str]) -> sa.ColumnElement[bool]:
        """Whether a column has one of any number of values."""
        ...

    def unowned(self, table: sa.Column[Any]) -> sa.ColumnElement[bool]:
        """Whether no process that runs has a table in memory, as far as the database knows."""
        ...

    async def close(self) -> None:
        """Finish what waits, and close all connections."""
        ...
