"""Tournaments of several rounds."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Tournaments, who takes part, who sat where, and which tables belong to one."""
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None

    def text(length: int) -> sa.String:
        return sa.String(length, collation)

    def tournament() -> sa.Column[str]:
        return sa.Column(
            "tournament",
            text(32),
            sa.ForeignKey("tournaments.id", ondelete="CASCADE"),
            primary_key=True,
            nullable=False,
        )

    op.create_table(
        "tournaments",
        sa.Column("id", text(32), primary_key=True),
        sa.Column("name", text(60), nullable=False),
        sa.Column("owner", text(32), sa.ForeignKey("guests.id", ondelete="SET NULL")),
        sa.Column("origin", text(32)),
        sa.Column("created", text(32), nullable=False),
        sa.Column("updated", text(32), nullable=False),
        sa.Column("status", text(8), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("ruleset", sa.JSON, nullable=False),
        sa.Column("pace", text(8), nullable=False),
        sa.Column("decision", sa.Float, nullable=False),
        sa.Column("reserve", sa.Float, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("automatic", sa.Boolean, nullable=False),
    )
    op.create_index("tournaments_owner", "tournaments", ["owner"])
    op.create_index("tournaments_status", "tournaments", ["status", "updated"])
    op.create_table(
        "tournament_players",
        tournament(),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("guest", text(32), sa.ForeignKey("guests.id", ondelete="SET NULL")),
        sa.Column("name", text(40), nullable=False),
        sa.Column("origin", text(32)),
        sa.Column("joined", text(32), nullable=False),
        sa.Column("dropped", sa.Boolean, nullable=False),
    )
    op.create_index("tournament_players_guest", "tournament_players", ["guest", "tournament"], unique=True)
    op.create_table(
        "tournament_tables",
        tournament(),
        sa.Column("round", sa.Integer, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("table_id", text(32), nullable=False),
        sa.Column("players", sa.JSON, nullable=False),
        sa.Column("status", text(8), nullable=False),
        sa.Column("places", sa.JSON),
        sa.Column("scores", sa.JSON),
    )
    op.create_index("tournament_tables_status", "tournament_tables", ["status"])
    op.add_column("tables", sa.Column("tournament", text(32)))
