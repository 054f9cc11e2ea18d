"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Guests, tables, seats, the log of each table, and chat."""
    op.create_table(
        "guests",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("created", sa.String(32), nullable=False),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("created", sa.String(32), nullable=False),
        sa.Column("updated", sa.String(32), nullable=False, index=True),
        sa.Column("status", sa.String(8), nullable=False, index=True),
        sa.Column("ruleset", sa.JSON, nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("pace", sa.String(8), nullable=False),
        sa.Column("show_seen_cards", sa.Boolean, nullable=False),
        sa.Column("deal", sa.JSON),
        sa.Column("round", sa.Integer),
        sa.Column("to_move", sa.Integer),
        sa.Column("to_move_shown", sa.Integer),
        sa.Column("winners", sa.JSON),
        sa.Column("rematch", sa.String(32)),
    )
    op.create_table(
        "seats",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True),
        sa.Column("guest", sa.String(32), sa.ForeignKey("guests.id"), index=True),
        sa.Column("token", sa.String(64), nullable=False),
        sa.Column("name", sa.String(40)),
        sa.Column("level", sa.String(20)),
        sa.Column("away", sa.Boolean, nullable=False),
        sa.Column("reserved_for", sa.String(32)),
    )
    op.create_table(
        "log",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("action", sa.String(200)),
        sa.Column("by", sa.String(8), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
    op.create_table(
        "chat",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), index=True),
        sa.Column("seat", sa.Integer),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.String(300), nullable=False),
        sa.Column("at", sa.String(32), nullable=False),
    )
