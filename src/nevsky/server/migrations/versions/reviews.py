"""What was found about the decisions of finished games is kept, part by part."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """The verdicts on the decisions of one seat. Text is ordered by its signs alone, as everywhere."""
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None
    table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    op.create_table(
        "reviews",
        sa.Column("table_id", sa.String(32, collation), table, primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("game", sa.String(64, collation), nullable=False),
        sa.Column("verdicts", sa.JSON, nullable=False),
    )
