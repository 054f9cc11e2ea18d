"""What a search thinks of finished games is kept: it takes many seconds to find out."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """The curves of finished games."""
    op.create_table(
        "evaluations",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("game", sa.String(64), nullable=False),
        sa.Column("scores", sa.JSON, nullable=False),
        sa.Column("chances", sa.JSON, nullable=False),
    )
