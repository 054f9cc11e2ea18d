"""Tables have an owner, free seats can be kept for somebody, and it is known who has chosen a name."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Guests whose name is no longer the one they were given have chosen it; who sat down first owns a table."""
    op.add_column("guests", sa.Column("named", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("tables", sa.Column("owner", sa.String(32)))
    op.add_column("seats", sa.Column("reserved_name", sa.String(40)))
    op.add_column("seats", sa.Column("resigned_after", sa.Integer))
    if op.get_bind().dialect.name == "sqlite":  # elsewhere no database is that old
        op.execute("UPDATE guests SET named = 1 WHERE name NOT GLOB '* [0-9][0-9][0-9]'")
    op.execute(
        "UPDATE tables SET owner = (SELECT guest FROM seats WHERE table_id = tables.id AND guest IS NOT NULL"
        " ORDER BY seat LIMIT 1) WHERE status = 'open'"
    )
