"""Clocks with a reserve for each player, scores in lists, and games that are given up."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Tables know their clock, its next deadline and the scores; seats know who resigned or wants to end the game."""
    # added one by one: nothing is copied, and nothing that refers to these tables is touched
    for name, kind in (("clock", sa.JSON()), ("deadline", sa.String(32)), ("scores", sa.JSON())):
        op.add_column("tables", sa.Column(name, kind))
    for name in ("resigned", "wants_end"):
        op.add_column("seats", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false()))
