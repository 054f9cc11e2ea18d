"""People can be told of their games while they are not there."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """What they wish, their devices, and what they were told. Text is ordered by its signs alone, as everywhere."""
    postgresql = op.get_bind().dialect.name == "postgresql"

    def text(length: int) -> sa.String:
        return sa.String(length, collation="C" if postgresql else None)

    def guest(*, primary_key: bool) -> sa.Column[str]:
        whose = sa.ForeignKey("guests.id", ondelete="CASCADE")
        return sa.Column("guest", text(32), whose, primary_key=primary_key, nullable=False)

    op.create_table(
        "notice_wishes",
        guest(primary_key=True),
        sa.Column("kinds", text(60), nullable=False),
        sa.Column("language", text(8), nullable=False),
        sa.Column("zone", text(64), nullable=False),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
        sa.Column("mail", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_table(
        "push_devices",
        sa.Column("id", text(64), primary_key=True),
        guest(primary_key=False),
        sa.Column("endpoint", text(1000), nullable=False),
        sa.Column("p256dh", text(100), nullable=False),
        sa.Column("auth", text(40), nullable=False),
        sa.Column("created", text(32), nullable=False),
        sa.Column("failures", sa.Integer, nullable=False),
    )
    op.create_index("push_devices_guest", "push_devices", ["guest"])
    table = sa.ForeignKey("tables.id", ondelete="CASCADE")
    op.create_table(
        "notices",
        sa.Column("table_id", text(32), table, primary_key=True),
        guest(primary_key=True),
        sa.Column("kind", text(8), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("due", text(32), nullable=False),
        sa.Column("sent", text(32)),
    )
    op.create_index(
        "notices_due",
        "notices",
        ["due"],
        sqlite_where=sa.text("sent IS NULL"),
        postgresql_where=sa.text("sent IS NULL"),
    )
    op.create_index("notices_guest", "notices", ["guest"])
