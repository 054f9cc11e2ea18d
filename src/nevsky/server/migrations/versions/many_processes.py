"""Several processes share a database: each has a row while it runs, and each table in memory has one owner."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Processes and leases; text is ordered by its signs alone, whatever language the database was made for."""
    op.create_table(
        "processes",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("address", sa.String(300), nullable=False),
        sa.Column("version", sa.String(32), nullable=False),
        sa.Column("started", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("owner", sa.String(32)),
        sa.Column("epoch", sa.Integer, nullable=False),
    )
    owned = sa.text("owner IS NOT NULL")
    op.create_index("leases_owner", "leases", ["owner"], sqlite_where=owned, postgresql_where=owned)
    again = sa.text("rematch IS NOT NULL")
    op.create_index("tables_rematch", "tables", ["rematch"], sqlite_where=again, postgresql_where=again)
    connection = op.get_bind()
    if connection.dialect.name == "postgresql":
        found = sa.text(
            "SELECT table_name, column_name, character_maximum_length FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND data_type = 'character varying'"
            " AND table_name <> 'alembic_version'"
        )
        for table, column, length in connection.execute(found).all():
            kind = sa.String(length, collation="C")
            op.alter_column(table, column, type_=kind)
