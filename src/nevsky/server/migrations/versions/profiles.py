"""Guests can have something to sign in with: passkeys and mail addresses, on several devices."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Text is ordered by its signs alone, as everywhere in a PostgreSQL since 0008."""
    postgresql = op.get_bind().dialect.name == "postgresql"

    def text(length: int) -> sa.String:
        return sa.String(length, collation="C" if postgresql else None)

    def guest(**options: Any) -> sa.Column[str]:
        return sa.Column("guest", text(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), **options)

    op.create_table(
        "profiles",
        guest(primary_key=True),
        sa.Column("created", text(32), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False, server_default=sa.true()),
    )
    op.create_table(
        "passkeys",
        sa.Column("id", text(1400), primary_key=True),
        guest(nullable=False, index=True),
        sa.Column("public_key", sa.Text, nullable=False),
        sa.Column("sign_count", sa.BigInteger, nullable=False),
        sa.Column("name", text(40), nullable=False),
        sa.Column("created", text(32), nullable=False),
        sa.Column("last_used", text(32), nullable=False),
    )
    op.create_table(
        "mail_addresses",
        sa.Column("address", text(254), primary_key=True),
        guest(nullable=False, index=True),
        sa.Column("confirmed", text(32), nullable=False),
        sa.Column("language", text(8), nullable=False),
    )
    op.create_table(
        "devices",
        sa.Column("id", text(32), primary_key=True),
        guest(nullable=False, index=True),
        sa.Column("name", text(40), nullable=False),
        sa.Column("created", text(32), nullable=False),
        sa.Column("last_used", text(32), nullable=False),
    )
    op.create_table(
        "mail_links",
        sa.Column("id", text(64), primary_key=True),
        sa.Column("address", text(254), nullable=False, index=True),
        guest(index=True),
        sa.Column("created", text(32), nullable=False, index=True),
        sa.Column("used", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "used_challenges",
        sa.Column("id", text(64), primary_key=True),
        sa.Column("expires", text(32), nullable=False, index=True),
    )
