"""Puzzles are answered, and rated with whoever solves them."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """First answers, and how the ratings of puzzles change."""
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None

    def text(length: int) -> sa.String:
        return sa.String(length, collation)

    op.create_table(
        "puzzle_tries",
        sa.Column("guest", text(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("puzzle", text(8), primary_key=True),
        sa.Column("action", text(200), nullable=False),
        sa.Column("solved", sa.Boolean, nullable=False),
        sa.Column("change", sa.Float, nullable=False),
        sa.Column("at", text(32), nullable=False),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", text(8), primary_key=True),
        sa.Column("change", sa.Float, nullable=False),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("solved", sa.Integer, nullable=False),
    )
