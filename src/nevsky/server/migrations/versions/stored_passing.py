"""Passing without being asked goes on after a restart."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """A seat knows its player's wish to pass."""
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("passing", sa.JSON))
