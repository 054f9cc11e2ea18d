"""Commands about tournaments."""

from __future__ import annotations

from functools import partial

import sqlalchemy as sa

from nevsky.server.admin.desk import Answer, Desk, command
from nevsky.server.errors import Refusal, tournament_table_ended
from nevsky.server.schema import ENDED, tournament_players, tournaments
from nevsky.server.tournaments.store import TournamentStore, TournamentTable, stop_table


@command("tournaments.list")
async def list_tournaments(desk: Desk, status: str | None = None, limit: int = 50) -> Answer:
    """Tournaments, those where something happened last first."""
    mine = tournament_players.c.tournament == tournaments.c.id
    players = sa.select(sa.func.count()).select_from(tournament_players).where(mine).scalar_subquery()
    row = tournaments.c
    shown = (row.id, row.name, row.status, row.updated, row.public, row.round, row.rounds)
    query = sa.select(*shown, players.label("players"), row.owner).order_by(row.updated.desc(), row.id).limit(limit)
    return await desk.rows(query if status is None else query.where(row.status == status))


@command("tournaments.end")
async def end_tournament(desk: Desk, tournament: str) -> Answer:
    """Let no further round begin, and stop the games that are played; the standings stay."""
    store = TournamentStore(desk.storage)
    async with desk.storage.writing() as connection:
        whole = await store.alone(connection, tournament)
        if whole.row.status not in ("open", "playing"):
            raise Refusal("refused", "tournament_over")
        await store.touch(connection, tournament, status="ended")
        await desk.note(connection, "tournaments.end", tournament)
    await _stop(desk, whole.waiting)
    return {"tournament": tournament, "was": whole.row.status, "status": "ended", "stopped": len(whole.waiting)}


@command("tournaments.delete")
async def delete_tournament(desk: Desk, tournament: str) -> Answer:
    """Delete one with its standings; games that are over stay, others are stopped."""
    store = TournamentStore(desk.storage)
    async with desk.storage.writing() as connection:
        whole = await store.alone(connection, tournament)
        await store.delete(connection, tournament)
        await desk.note(connection, "tournaments.delete", tournament, name=whole.row.name)
    await _stop(desk, whole.waiting)
    return {"tournament": tournament, "was": whole.row.status, "status": "deleted", "stopped": len(whole.waiting)}


async def _stop(desk: Desk, games: list[TournamentTable]) -> None:
    for game in games:
        change = partial(stop_table, desk.storage, game.table_id, ENDED)
        if desk.hub is None:
            await change()
        else:
            await desk.hub.remove(game.table_id, change, tournament_table_ended)
