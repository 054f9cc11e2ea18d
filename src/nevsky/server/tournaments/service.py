"""Making tournaments, joining them, and letting round follow on round.

Everything that changes one happens in a transaction that no other process is in for the same tournament. What has come
of a table is written down by whoever looks first, so it does not matter which process had it.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
from typing import Any, Final

import sqlalchemy as sa
import structlog
from sqlalchemy.ext.asyncio import AsyncConnection

from nevsky.errors import NevskyError
from nevsky.server.clock import chosen_pace
from nevsky.server.errors import Refusal, tournament_table_ended
from nevsky.server.hub import Hub
from nevsky.server.ids import new_table_id
from nevsky.server.ownership import ElsewhereError
from nevsky.server.protocol import NewTournament
from nevsky.server.sanitize import clean, clean_name, distinct_name
from nevsky.server.schema import ENDED, SeatRow, TableRow, tournament_players, tournament_tables, tournaments
from nevsky.server.seating import Guest, chosen_ruleset
from nevsky.server.settings import Settings
from nevsky.server.storage import CONFLICTS, Storage, insert_table, now
from nevsky.server.tournaments.making import games_of, new_tables
from nevsky.server.tournaments.pairing import pair
from nevsky.server.tournaments.results import result_of
from nevsky.server.tournaments.store import Entrant, TournamentRow, TournamentStore, Whole, stop_table

__all__ = ["Tournaments"]

_PERIOD: Final = 20.0
"""Seconds between two looks at what has to be done by itself."""
_LEAST: Final = 2
"""Players without whom there is no round."""
_LONGEST_NAME: Final = 60
log = structlog.get_logger()


class Tournaments:
    """All tournaments, in the database."""

    def __init__(self, settings: Settings, storage: Storage, hub: Hub, secret: str, period: float = _PERIOD) -> None:
        self.settings = settings
        self.store = TournamentStore(storage)
        self._storage = storage
        self._hub = hub
        self._key = hmac.digest(secret.encode(), b"nevsky-tournaments", "sha256")
        self._period = period
        self._task = asyncio.create_task(self._run()) if settings.tournaments else None

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(self._period)
            try:
                for tournament in await self.store.due():
                    await self.look(tournament)
            except Refusal as refusal:  # the database is away, or somebody was faster
                log.debug("tournaments_wait", code=refusal.code)
            except Exception:
                log.exception("tournaments_failed")

    async def close(self) -> None:
        """Stop."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task

    def _origin(self, address: str) -> str:
        """An address is not stored, but counted: nobody can tell it from this."""
        return hmac.digest(self._key, address.encode(), "sha256").hex()[:24]

    async def make(self, wanted: NewTournament, guest: Guest, address: str) -> str:
        """A new tournament; whoever makes it need not play."""
        game = chosen_ruleset(wanted.ruleset)
        try:
            games_of(game)
        except NevskyError as error:
            raise Refusal("refused", error) from error
        pace = chosen_pace(
            wanted.pace, self.settings.pace(wanted.pace), wanted.decision_seconds, wanted.reserve_seconds
        )
        assert pace is not None
        name, origin = clean(wanted.name, _LONGEST_NAME), self._origin(address)
        if not name:
            raise Refusal("refused", "name")
        row = TournamentRow(
            id=new_table_id(),
            name=name,
            owner=guest.id,
            origin=origin,
            created=now(),
            updated=now(),
            status="open",
            public=wanted.public,
            ruleset=game.to_dict(),
            pace=wanted.pace,
            decision=pace.decision,
            reserve=pace.reserve,
            rounds=wanted.rounds,
            round=0,
            automatic=wanted.automatic,
        )
        going = sa.select(sa.func.count()).where(tournaments.c.status.in_(("open", "playing")))
        async with self._storage.writing() as connection:
            await self._storage.backend.alone(connection, f"nevsky tournaments {origin}")
            if (await connection.scalar(going.where(tournaments.c.owner == guest.id)) or 0) >= (
                self.settings.tournaments_per_guest
            ):
                raise Refusal("refused", "tournaments_of_guest", number=self.settings.tournaments_per_guest)
            if (await connection.scalar(going.where(tournaments.c.origin == origin)) or 0) >= (
                self.settings.tournaments_per_address
            ):
                raise Refusal("refused", "tournaments_of_address")
            await connection.execute(tournaments.insert().values(**row._asdict()))
        return row.id

    async def join(self, tournament: str, guest: Guest, words: str | None, address: str) -> None:
        """Take part, or come back after having left; whoever does already may take another name before the start."""
        name = guest.name if words is None else clean_name(words)
        if words is not None and name != guest.name:
            await self._storage.rename_guest(guest.id, name)
        origin = self._origin(address)
        try:
            async with self._storage.writing() as connection:
                whole = await self.store.alone(connection, tournament)
                own = whole.of(guest.id)
                others = [each.name for each in whole.players if own is None or each.number != own.number]
                if whole.row.status not in ("open", "playing"):
                    raise Refusal("refused", "tournament_over")
                if own is not None:
                    named = {"name": distinct_name(name, others)} if whole.row.status == "open" else {}
                    await self._change_player(connection, own, dropped=False, **named)
                    return
                self._check_room(whole, origin)
                await connection.execute(
                    tournament_players.insert().values(
                        tournament=tournament,
                        number=1 + max((each.number for each in whole.players), default=0),
                        guest=guest.id,
                        name=distinct_name(name, others),
                        origin=origin,
                        joined=now(),
                        dropped=False,
                    )
                )
                await self.store.touch(connection, tournament)
        except CONFLICTS as error:  # whoever has just been erased
            raise Refusal("not_allowed", "erased") from error

    def _check_room(self, whole: Whole, origin: str) -> None:
        if whole.row.status != "open":
            raise Refusal("refused", "tournament_started")
        if len(whole.players) >= self.settings.tournament_players:
            raise Refusal("refused", "tournament_full", number=self.settings.tournament_players)
        near = sum(each.origin == origin for each in whole.players)
        if near >= self.settings.tournament_players_per_address:
            raise Refusal("refused", "tournament_players_of_address")

    async def leave(self, tournament: str, guest: str, number: int | None = None) -> None:
        """Take part no more; the maker may send others away. A game that has begun goes on."""
        async with self._storage.writing() as connection:
            whole = await self.store.alone(connection, tournament)
            if number is not None:
                _check_maker(whole, guest)
            own = whole.of(guest) if number is None else next((p for p in whole.players if p.number == number), None)
            if own is None:
                raise Refusal("not_found", "tournament_player")
            if whole.row.status == "open":
                mine = (tournament_players.c.tournament == tournament) & (tournament_players.c.number == own.number)
                await connection.execute(tournament_players.delete().where(mine))
            else:
                await self._change_player(connection, own, dropped=True)
            await self.store.touch(connection, tournament)

    async def _change_player(self, connection: AsyncConnection, player: Entrant, **changes: Any) -> None:
        mine = (tournament_players.c.tournament == player.tournament) & (tournament_players.c.number == player.number)
        await connection.execute(tournament_players.update().where(mine).values(**changes))

    async def next_round(self, tournament: str, guest: str) -> None:
        """The maker starts the first round, or the next one."""
        await self.settle(tournament)
        whole = await self.store.whole(tournament)
        _check_maker(whole, guest)
        if whole.row.status not in ("open", "playing"):
            raise Refusal("refused", "tournament_over")
        if whole.waiting:
            raise Refusal("refused", "tournament_round")
        if len(whole.active) < _LEAST:
            raise Refusal("refused", "tournament_few")
        await self._advance(whole)

    async def look(self, tournament: str) -> None:
        """Write down what is over, and go on where that is to happen by itself."""
        await self.settle(tournament)
        whole = await self.store.whole(tournament)
        if whole.row.status == "playing" and whole.row.automatic and not whole.waiting:
            if len(whole.active) < _LEAST:
                async with self._storage.writing() as connection:
                    await self.store.touch(connection, tournament, status="over")
            else:
                await self._advance(whole)

    async def settle(self, tournament: str) -> None:
        """Write down what came of tables whose games are over; after the last round the tournament is, too."""
        found = await self.store.over(tournament)
        if not found:
            return
        results = [result_of(await self._storage.load(each.table_id), len(each.players)) for each in found]
        async with self._storage.writing() as connection:
            whole = await self.store.alone(connection, tournament)
            waiting = {(each.round, each.number) for each in whole.waiting}
            new = [(each, came) for each, came in zip(found, results, strict=True) if each[1:3] in waiting]
            for each, came in new:
                same = (tournament_tables.c.tournament == tournament) & (tournament_tables.c.round == each.round)
                values = {"status": came.status, "places": came.places, "scores": came.scores}
                here = tournament_tables.update().where(same & (tournament_tables.c.number == each.number))
                await connection.execute(here.values(**values))
                gone = {each.players[seat] for seat in came.absent}
                for player in (one for one in whole.players if one.number in gone):
                    await self._change_player(connection, player, dropped=True)
            if new:
                last = whole.row.round >= whole.row.rounds and len(whole.waiting) == len(new)
                over = {"status": "over"} if last and whole.row.status == "playing" else {}
                await self.store.touch(connection, tournament, **over)

    async def _advance(self, before: Whole) -> None:
        """Make the tables of the next round; whoever does so at the same time does it once."""
        row = before.row
        numbers = [each.number for each in before.active]
        seated = await asyncio.to_thread(pair, numbers, row.game.players, before.history, row.id)
        made = new_tables(row, seated, {each.number: each for each in before.players})
        async with self._storage.writing() as connection:
            whole = await self.store.alone(connection, row.id)
            same = (whole.row.status, whole.row.round, whole.active) == (row.status, row.round, before.active)
            if not same or whole.waiting:
                return
            for number, ((table, places), seats) in enumerate(zip(made, seated, strict=True), 1):
                await insert_table(connection, table, places)
                await connection.execute(
                    tournament_tables.insert().values(
                        tournament=row.id,
                        round=row.round + 1,
                        number=number,
                        table_id=table.id,
                        players=list(seats),
                        status="playing",
                    )
                )
            if not row.round:  # nobody else can join, so it need not be known who came from where
                mine = tournament_players.c.tournament == row.id
                await connection.execute(tournament_players.update().where(mine).values(origin=None))
            await self.store.touch(connection, row.id, status="playing", round=row.round + 1)
        log.info("tournament_round", tournament=row.id, round=row.round + 1, tables=len(made))
        await self._tell(made)

    async def _tell(self, made: list[tuple[TableRow, list[SeatRow]]]) -> None:
        """Those who are not there hear that their games have begun."""
        for row, _ in made:
            try:
                table = await self._hub.get(row.id)
            except (Refusal, ElsewhereError):
                continue  # somebody looks at it already
            table.noticed = ("open", -1)
            table.poke()

    async def end_table(self, tournament: str, guest: str, table: str) -> None:
        """The maker stops a game that does not come to an end: a draw among those who were there."""
        whole = await self.store.whole(tournament)
        _check_maker(whole, guest)
        if all(each.table_id != table for each in whole.waiting):
            raise Refusal("not_found", "table")
        await self._stop(table)
        await self.look(tournament)

    async def _stop(self, table: str) -> None:
        await self._hub.remove(table, lambda: stop_table(self._storage, table, ENDED), tournament_table_ended)

    async def end(self, tournament: str, guest: str) -> None:
        """The maker ends all of it, and games that are played with it; before the start nothing is left."""
        whole = await self.store.whole(tournament)
        _check_maker(whole, guest)
        if whole.row.status not in ("open", "playing"):
            raise Refusal("refused", "tournament_over")
        async with self._storage.writing() as connection:
            whole = await self.store.alone(connection, tournament)
            if whole.row.status == "open":
                await self.store.delete(connection, tournament)
                return
            await self.store.touch(connection, tournament, status="ended")
        for each in whole.waiting:
            await self._stop(each.table_id)
        await self.settle(tournament)


def _check_maker(whole: Whole, guest: str) -> None:
    if whole.row.owner != guest:
        raise Refusal("not_allowed", "tournament_maker")
