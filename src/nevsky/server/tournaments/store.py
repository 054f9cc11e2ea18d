"""Tournaments in the database."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, NamedTuple

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.rules.ruleset import Ruleset
from nevsky.server.clock import Pace
from nevsky.server.errors import Refusal
from nevsky.server.ids import is_id
from nevsky.server.schema import tables, tournament_players, tournament_tables, tournaments
from nevsky.server.standing import stopped
from nevsky.server.storage import Storage, now
from nevsky.server.tournaments.pairing import Seats
from nevsky.server.tournaments.standings import Outcome

__all__ = [
    "Entrant",
    "TournamentRow",
    "TournamentStore",
    "TournamentTable",
    "Whole",
    "no_such_tournament",
    "stop_table",
]

LISTED: Final = 60


class TournamentRow(NamedTuple):
    """One row of ``tournaments``."""

    id: str
    name: str
    owner: str | None
    origin: str | None
    created: str
    updated: str
    status: str
    """``open``, ``playing``, ``over`` or, if its maker has stopped it, ``ended``."""
    public: bool
    ruleset: dict[str, Any]
    pace: str
    decision: float
    reserve: float
    rounds: int
    round: int
    """The present one, from 1; 0 before the start."""
    automatic: bool
    """Whether the next round begins as soon as all tables are over."""

    @property
    def game(self) -> Ruleset:
        """What is played at full tables."""
        return Ruleset.from_dict(self.ruleset)

    @property
    def times(self) -> Pace:
        """How much time there is."""
        return Pace(self.decision, self.reserve)


class Entrant(NamedTuple):
    """Somebody who takes part: one row of ``tournament_players``."""

    tournament: str
    number: int
    guest: str | None
    name: str
    origin: str | None
    joined: str
    dropped: bool
    """They play in no further round."""


class TournamentTable(NamedTuple):
    """One row of ``tournament_tables``. It outlives the table itself."""

    tournament: str
    round: int
    number: int
    table_id: str
    players: list[int | None]
    status: str
    """``playing``, then what came of it."""
    places: list[int | None] | None
    scores: list[int] | None

    @property
    def seats(self) -> Seats:
        """Who sat where."""
        return tuple(self.players)

    @property
    def outcome(self) -> Outcome | None:
        """What came of it; None while it is played."""
        if self.places is None or self.scores is None:
            return None
        return Outcome(self.seats, tuple(self.places), tuple(self.scores))


class Whole(NamedTuple):
    """A tournament with everything."""

    row: TournamentRow
    players: list[Entrant]
    tables: list[TournamentTable]

    @property
    def waiting(self) -> list[TournamentTable]:
        """Tables that are not over."""
        return [each for each in self.tables if each.status == "playing"]

    @property
    def active(self) -> list[Entrant]:
        """Those who play on."""
        return [each for each in self.players if not each.dropped and each.guest is not None]

    @property
    def history(self) -> list[list[Seats]]:
        """All rounds so far."""
        return [[each.seats for each in self.tables if each.round == n] for n in range(1, self.row.round + 1)]

    def of(self, guest: str | None) -> Entrant | None:
        """The player that a guest is."""
        return next((each for each in self.players if guest is not None and each.guest == guest), None)


def no_such_tournament() -> Refusal:
    """For addresses that lead nowhere."""
    return Refusal("not_found", "tournament")


def _columns(table: sa.Table, names: tuple[str, ...]) -> list[sa.Column[Any]]:
    return [table.c[name] for name in names]


class TournamentStore:
    """What is asked, and the few changes that are made in more than one place."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    async def whole(self, tournament: str, within: AsyncConnection | None = None) -> Whole:
        """Everything about a tournament, also within a transaction that changes it."""
        if not is_id(tournament):
            raise no_such_tournament()
        if within is not None:
            return await self._whole(within, tournament)
        async with self.storage.reading() as connection:
            return await self._whole(connection, tournament)

    async def alone(self, connection: AsyncConnection, tournament: str) -> Whole:
        """A tournament, to which nobody else does anything until the transaction ends."""
        await self.storage.backend.alone(connection, f"nevsky tournament {tournament}")
        return await self.whole(tournament, connection)

    async def touch(self, connection: AsyncConnection, tournament: str, **changes: Any) -> None:
        """Something has happened in it, and this is new about it."""
        values = {"updated": now(), **changes}
        if changes.get("status") in ("over", "ended"):
            values["origin"] = None
        await connection.execute(tournaments.update().where(tournaments.c.id == tournament).values(**values))

    async def delete(self, connection: AsyncConnection, tournament: str) -> None:
        """It is gone with everything that belongs to it, but for its games."""
        await connection.execute(tournaments.delete().where(tournaments.c.id == tournament))

    async def _whole(self, connection: AsyncConnection, tournament: str) -> Whole:
        query = sa.select(*_columns(tournaments, TournamentRow._fields)).where(tournaments.c.id == tournament)
        row = (await connection.execute(query)).one_or_none()
        if row is None:
            raise no_such_tournament()
        players = sa.select(*_columns(tournament_players, Entrant._fields))
        players = players.where(tournament_players.c.tournament == tournament).order_by(tournament_players.c.number)
        played = sa.select(*_columns(tournament_tables, TournamentTable._fields))
        played = played.where(tournament_tables.c.tournament == tournament)
        played = played.order_by(tournament_tables.c.round, tournament_tables.c.number)
        return Whole(
            TournamentRow(*row),
            [Entrant(*each) for each in await connection.execute(players)],
            [TournamentTable(*each) for each in await connection.execute(played)],
        )

    async def listed(self, guest: str | None) -> tuple[list[TournamentRow], list[TournamentRow]]:
        """Those of a guest, and the public ones that go on; the newest first."""
        query = sa.select(*_columns(tournaments, TournamentRow._fields))
        query = query.order_by(tournaments.c.updated.desc(), tournaments.c.id).limit(LISTED)
        plays = sa.select(tournament_players.c.tournament).where(tournament_players.c.guest == guest)
        mine = (tournaments.c.owner == guest) | tournaments.c.id.in_(plays)
        running = tournaments.c.public & tournaments.c.status.in_(("open", "playing"))
        async with self.storage.reading() as connection:
            own = [] if guest is None else (await connection.execute(query.where(mine))).all()
            public = (await connection.execute(query.where(running))).all()
        known = {row.id for row in own}
        return [TournamentRow(*row) for row in own], [TournamentRow(*row) for row in public if row.id not in known]

    async def sizes(self, ids: Collection[str]) -> dict[str, int]:
        """How many take part."""
        query = sa.select(tournament_players.c.tournament, sa.func.count()).group_by(tournament_players.c.tournament)
        query = query.where(tournament_players.c.tournament.in_(list(ids)))
        async with self.storage.reading() as connection:
            return {row[0]: row[1] for row in await connection.execute(query)}

    async def over(self, tournament: str) -> list[TournamentTable]:
        """Tables whose games go on no more, and of which that is not written down yet."""
        if not is_id(tournament):
            raise no_such_tournament()
        query = (
            sa.select(*_columns(tournament_tables, TournamentTable._fields))
            .select_from(tournament_tables.outerjoin(tables, tables.c.id == tournament_tables.c.table_id))
            .where((tournament_tables.c.tournament == tournament) & _unsettled())
        )
        async with self.storage.reading() as connection:
            return [TournamentTable(*row) for row in await connection.execute(query)]

    async def due(self) -> list[str]:
        """Tournaments where something has to be done: a table is over, or the next round begins by itself."""
        settled = (
            sa.select(tournament_tables.c.tournament)
            .select_from(tournament_tables.outerjoin(tables, tables.c.id == tournament_tables.c.table_id))
            .where(_unsettled())
        )
        playing = (tournament_tables.c.tournament == tournaments.c.id) & (tournament_tables.c.status == "playing")
        goes_on = sa.select(tournaments.c.id).where(
            (tournaments.c.status == "playing") & tournaments.c.automatic & ~sa.exists().where(playing)
        )
        async with self.storage.reading() as connection:
            return [str(each) for each in (await connection.execute(settled.union(goes_on))).scalars()]


def _unsettled() -> sa.ColumnElement[bool]:
    ended = tables.c.status.is_(None) | (tables.c.status != "playing")
    return (tournament_tables.c.status == "playing") & ended


async def stop_table(storage: Storage, table: str, status: str) -> None:
    """Stop a game, whoever has it in memory."""
    running = (tables.c.id == table) & (tables.c.status == "playing")
    async with storage.writing() as connection:
        await storage.backend.take(connection, [table])
        await connection.execute(tables.update().where(running).values(**stopped(status)))
