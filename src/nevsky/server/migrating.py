"""Bringing a database up to date when a server starts; of several that start at once, one does it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import sqlalchemy as sa

from nevsky.errors import NevskyError

__all__ = ["NEWEST", "migrate"]

NEWEST: Final = "0018"
"""The newest migration."""
_LOCK: Final = 0x6E6576736B79
"""The number of the lock in PostgreSQL; it spells the name of the river."""


def _is_done(connection: sa.Connection) -> bool:
    if not sa.inspect(connection).has_table("alembic_version"):
        return False
    done = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    if done is not None and done > NEWEST:
        raise NevskyError("server.newer")
    return bool(done == NEWEST)


def migrate(connection: sa.Connection) -> None:
    """Create or change the tables, all of it or nothing."""
    if _is_done(connection):
        return  # without alembic the server starts faster
    if connection.dialect.name == "postgresql":
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
        if _is_done(connection):
            return
    else:
        # sqlite3 would commit after each change of the schema; a server killed in between could never start again
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
