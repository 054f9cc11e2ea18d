"""Games can be rated."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Ratings, what changed them, who sat down from where, and which tables are rated."""
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None

    def text(length: int) -> sa.String:
        return sa.String(length, collation)

    def guest(*, key: bool = False) -> sa.Column[str]:
        gone = sa.ForeignKey("guests.id", ondelete="CASCADE")
        return sa.Column("guest", text(32), gone, primary_key=key, nullable=False)

    op.create_table(
        "ratings",
        guest(key=True),
        sa.Column("family", text(8), primary_key=True),
        sa.Column("players", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("updated", text(32), nullable=False),
    )
    op.create_index("ratings_order", "ratings", ["family", "players", "mu"])
    op.create_table(
        "rating_changes",
        sa.Column("table_id", text(32), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        guest(),
        sa.Column("family", text(8), nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("weight", sa.Float, nullable=False),
        sa.Column("mu_before", sa.Float, nullable=False),
        sa.Column("sigma_before", sa.Float, nullable=False),
        sa.Column("mu", sa.Float, nullable=False),
        sa.Column("sigma", sa.Float, nullable=False),
        sa.Column("at", text(32), nullable=False),
    )
    op.create_index("rating_changes_guest", "rating_changes", ["guest", "family", "players", "number"], unique=True)
    op.create_table(
        "rated_seats",
        sa.Column("table_id", text(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        guest(),
        sa.Column("browser", text(64)),
        sa.Column("network", text(64)),
    )
    op.create_index("rated_seats_guest", "rated_seats", ["guest"])
    op.add_column("tables", sa.Column("rating", text(8)))
    due = sa.text("rating = 'due'")
    op.create_index("tables_rating_due", "tables", ["status"], sqlite_where=due, postgresql_where=due)
