"""People find each other: who waits to be matched, whom one follows or blocks, and who is invited where."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def _text(length: int) -> sa.String:
    """Ordered by its signs alone, whatever language the database was made for."""
    return sa.String(length, collation="C" if op.get_bind().dialect.name == "postgresql" else None)


def _guest(name: str, *, key: bool = False) -> sa.Column[str]:
    return sa.Column(name, _text(32), sa.ForeignKey("guests.id", ondelete="CASCADE"), primary_key=key, nullable=False)


def upgrade() -> None:
    """Everything goes with the guests and tables that it is about."""
    op.create_table(
        "wishes",
        _guest("guest", key=True),
        sa.Column("process", _text(32), nullable=False),
        sa.Column("ticket", _text(64), nullable=False),
        sa.Column("origin", _text(32), nullable=False),
        sa.Column("wanted", sa.JSON, nullable=False),
        sa.Column("since", _text(32), nullable=False),
        sa.Column("table_id", _text(32)),
    )
    op.create_table(
        "people",
        _guest("guest", key=True),
        sa.Column("handle", _text(32), nullable=False, unique=True),
        sa.Column("invitations", _text(8), nullable=False),
        sa.Column("shown", sa.Boolean, nullable=False),
    )
    op.create_table(
        "ties",
        _guest("guest", key=True),
        _guest("other", key=True),
        sa.Column("kind", _text(8), nullable=False),
        sa.Column("at", _text(32), nullable=False),
    )
    op.create_index("ties_other", "ties", ["other"])
    op.create_table(
        "invitations",
        sa.Column("id", _text(32), primary_key=True),
        sa.Column("table_id", _text(32), sa.ForeignKey("tables.id", ondelete="CASCADE"), nullable=False),
        _guest("sender"),
        _guest("receiver"),
        sa.Column("at", _text(32), nullable=False),
        sa.Column("until", _text(32), nullable=False),
        sa.Column("declined", sa.Boolean, nullable=False),
    )
    op.create_index("invitations_receiver", "invitations", ["receiver"])
    op.create_index("invitations_sender", "invitations", ["sender"])
    op.create_index("invitations_table", "invitations", ["table_id"])
