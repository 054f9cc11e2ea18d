"""How good a deal was for a seat is kept with the review of its decisions."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Nothing for reviews from before: found out when somebody looks."""
    op.add_column("reviews", sa.Column("luck", sa.JSON))
