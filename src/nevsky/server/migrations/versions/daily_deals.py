"""Everybody plays the same deal each day and each week."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """The deals, the tries that count, and which tables belong to a deal."""
    key = sa.String(10, collation="C") if op.get_bind().dialect.name == "postgresql" else sa.String(10)
    table = sa.String(32, collation="C") if op.get_bind().dialect.name == "postgresql" else sa.String(32)
    op.create_table(
        "daily_deals",
        sa.Column("id", key, primary_key=True),
        sa.Column("begins", sa.String(32), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("ruleset", sa.JSON, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("bots", sa.JSON, nullable=False),
        sa.Column("master", sa.JSON),
        sa.Column("thinking", sa.String(32)),
    )
    op.create_table(
        "daily_tries",
        sa.Column("table_id", table, primary_key=True),
        sa.Column("deal", key, sa.ForeignKey("daily_deals.id", ondelete="CASCADE"), nullable=False),
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id", ondelete="SET NULL")),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("started", sa.String(32), nullable=False),
        sa.Column("status", sa.String(8), nullable=False),
        sa.Column("score", sa.Integer),
        sa.Column("place", sa.Integer),
    )
    op.create_index("daily_tries_deal", "daily_tries", ["deal", "guest"], unique=True)
    op.create_index("daily_tries_guest", "daily_tries", ["guest"])
    op.add_column("tables", sa.Column("daily", sa.String(10)))
    op.add_column("tables", sa.Column("practice", sa.Boolean, nullable=False, server_default=sa.false()))
