"""Guests may be away for a while, and the clocks of their games over days wait for them."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """When guests are away."""
    collation = "C" if op.get_bind().dialect.name == "postgresql" else None

    def text(length: int) -> sa.String:
        return sa.String(length, collation)

    op.create_table(
        "vacations",
        sa.Column("id", text(32), primary_key=True),
        sa.Column("guest", text(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), nullable=False),
        sa.Column("begins", text(32), nullable=False),
        sa.Column("until", text(32), nullable=False),
    )
    op.create_index("vacations_guest", "vacations", ["guest"])
