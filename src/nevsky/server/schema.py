"""The tables of the database as the newest migration leaves them, and their rows in Python."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import sqlalchemy as sa

__all__ = ["ChatRow", "Entry", "SeatRow", "Stored", "TableRow", "chat", "guests", "log", "seats", "tables"]

metadata: Final = sa.MetaData()

guests: Final = sa.Table(
    "guests",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
)
tables: Final = sa.Table(
    "tables",
    metadata,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("updated", sa.String(32), nullable=False),
    sa.Column("status", sa.String(8), nullable=False),
    sa.Column("ruleset", sa.JSON, nullable=False),
    sa.Column("public", sa.Boolean, nullable=False),
    sa.Column("pace", sa.String(8), nullable=False),
    sa.Column("show_seen_cards", sa.Boolean, nullable=False),
    sa.Column("deal", sa.JSON),
    sa.Column("round", sa.Integer),
    sa.Column("to_move", sa.Integer),
    sa.Column("to_move_shown", sa.Integer),
    sa.Column("winners", sa.JSON),
    sa.Column("rematch", sa.String(32)),
)
seats: Final = sa.Table(
    "seats",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True),
    sa.Column("guest", sa.String(32)),
    sa.Column("token", sa.String(64), nullable=False),
    sa.Column("name", sa.String(40)),
    sa.Column("level", sa.String(20)),
    sa.Column("away", sa.Boolean, nullable=False),
    sa.Column("reserved_for", sa.String(32)),
    sa.Column("passing", sa.JSON),
)
log: Final = sa.Table(
    "log",
    metadata,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("action", sa.String(200)),
    sa.Column("by", sa.String(8), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)
chat: Final = sa.Table(
    "chat",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=True),
    sa.Column("table_id", sa.String(32)),
    sa.Column("seat", sa.Integer),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("text", sa.String(300), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
)


class TableRow(NamedTuple):
    """One row of ``tables``."""

    id: str
    created: str
    updated: str
    """When the last change happened that everybody could see; the clock runs from then."""
    status: str
    ruleset: dict[str, Any]
    public: bool
    pace: str
    show_seen_cards: bool
    deal: dict[str, Any] | None = None
    """Piles, tokens, seed and what the modules dealt; None until the game starts."""
    round: int | None = None
    to_move: int | None = None
    to_move_shown: int | None = None
    """Who seems to be to move for everybody else: a secret question is not told of."""
    winners: list[int] | None = None
    rematch: str | None = None


class SeatRow(NamedTuple):
    """One row of ``seats``. It is free if it has neither a guest nor a level."""

    seat: int
    token: str
    guest: str | None = None
    name: str | None = None
    level: str | None = None
    """Of a bot; None for people."""
    away: bool = False
    """A bot stands in for the player."""
    reserved_for: str | None = None
    """After a rematch was asked for: the guest who may sit down here."""
    passing: dict[str, Any] | None = None
    """The player's wish to pass without being asked."""

    @property
    def free(self) -> bool:
        """Whether nobody sits here yet."""
        return self.guest is None and self.level is None


class Entry(NamedTuple):
    """One line of a table's log; entries are only ever added."""

    number: int
    """From 1, without gaps."""
    seat: int
    action: str | None
    """None: the seat took back its last decision."""
    by: str
    """``player``, ``bot`` or ``auto``, which is passing without being asked."""
    at: str


class ChatRow(NamedTuple):
    """One line of chat."""

    seat: int | None
    name: str
    text: str
    at: str


class Stored(NamedTuple):
    """A whole table as it lies in the database."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    log: tuple[Entry, ...]
    chat: tuple[ChatRow, ...]
