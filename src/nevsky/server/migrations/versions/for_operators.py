"""Indexes for the lists of tables, and what those who run the server need: bans, audit, who wrote in the chat."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Lists are read in their order; guests can be muted and banned; chat knows who wrote."""
    op.drop_index("ix_tables_updated", "tables")  # every move would write it, and nothing reads it any more
    for status in ("open", "over"):  # partial, so that games in play cost nothing
        op.create_index(
            f"tables_{status}",
            "tables",
            ["public", sa.text("updated DESC"), "id"],
            sqlite_where=sa.text(f"status = '{status}'"),
            postgresql_where=sa.text(f"status = '{status}'"),
        )
    with op.batch_alter_table("guests") as guests:
        guests.add_column(sa.Column("last_seen", sa.String(32), nullable=False, server_default=""))
        guests.add_column(sa.Column("muted", sa.String(32)))
        guests.add_column(sa.Column("banned", sa.String(32)))
    op.execute("UPDATE guests SET last_seen = created")
    op.create_index("guests_last_seen", "guests", ["last_seen", "id"])
    with op.batch_alter_table("chat") as chat:
        chat.add_column(sa.Column("guest", sa.String(32)))
    op.execute(
        "UPDATE chat SET guest = (SELECT seats.guest FROM seats WHERE seats.table_id = chat.table_id "
        "AND seats.seat = chat.seat) WHERE seat IS NOT NULL"
    )
    known = sa.text("guest IS NOT NULL")
    op.create_index("chat_guest", "chat", ["guest"], sqlite_where=known, postgresql_where=known)
    op.create_table(
        "address_bans",
        sa.Column("network", sa.String(64), primary_key=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("reason", sa.String(200), nullable=False),
    )
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("at", sa.String(32), nullable=False),
        sa.Column("who", sa.String(40), nullable=False),
        sa.Column("command", sa.String(40), nullable=False),
        sa.Column("target", sa.String(200), nullable=False),
        sa.Column("details", sa.JSON, nullable=False),
    )
