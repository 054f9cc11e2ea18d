"""Carries out the migrations on the connection that the server hands over."""

from alembic import context
from sqlalchemy import Connection


def migrate() -> None:
    """What alembic runs this file for."""
    connection = context.config.attributes["connection"]
    assert isinstance(connection, Connection)
    context.configure(connection=connection, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # not when the file is only imported
    migrate()
