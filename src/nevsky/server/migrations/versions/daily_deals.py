"""Everybody plays the same deal each day and each week."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """The deals, the tries that count, and which tables belong to a deal."""
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None

    def text(length: int) -> sa.String:
        return sa.String(length, collation)

    op.create_table(
        "daily_deals",
        sa.Column("id", text(10), primary_key=True),
        sa.Column("begins", text(32), nullable=False),
        sa.Column("seed", text(64), nullable=False),
        sa.Column("ruleset", sa.JSON, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("bots", sa.JSON, nullable=False),
        sa.Column("master", sa.JSON),
        sa.Column("thinking", text(32)),
    )
    op.create_table(
        "daily_tries",
        sa.Column("table_id", text(32), primary_key=True),
        sa.Column("deal", text(10), sa.ForeignKey("daily_deals.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", text(32), sa.ForeignKey("guests.id", ondelete="SET NULL")),
        sa.Column("name", text(40), nullable=False),
        sa.Column("started", text(32), nullable=False),
        sa.Column("status", text(8), nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("place", sa.Integer),
    )
    op.create_index("daily_tries_deal", "daily_tries", ["deal", "guest"], unique=True)
    op.create_index("daily_tries_guest", "daily_tries", ["guest"])
    op.add_column("tables", sa.Column("daily", text(10)))
    op.add_column("tables", sa.Column("practice", sa.Boolean, nullable=False, server_default=sa.false()))
