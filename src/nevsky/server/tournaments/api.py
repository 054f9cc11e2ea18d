"""The part of the HTTP API that is about tournaments."""

from __future__ import annotations

from typing import Annotated, Any, cast

from fastapi import APIRouter, Body, Depends, Response

from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Someone, Spoken, Visitor
from nevsky.server.present import ruleset_info
from nevsky.server.protocol import (
    NewTournament,
    PaceInfo,
    TournamentGame,
    TournamentInfo,
    TournamentJoin,
    TournamentLine,
    TournamentList,
    TournamentMade,
    TournamentPlayer,
    TournamentSeat,
    TournamentState,
)
from nevsky.server.tournaments.standings import points_of, rank
from nevsky.server.tournaments.store import TournamentRow, TournamentTable, Whole
from nevsky.texts.former import shown_name

__all__ = ["router"]


async def switched_on(components: ComponentsHere) -> None:
    """Whether there are tournaments at this server."""
    if not components.settings.tournaments:
        raise Refusal("not_found", "tournament_off")


router = APIRouter(prefix="/api", responses=REFUSALS, dependencies=[Depends(switched_on)])


def _info(row: TournamentRow, players: int, guest: str | None) -> TournamentInfo:
    clock: PaceInfo = {
        "pace": "live" if row.pace == "live" else "relaxed",
        "decision_seconds": row.decision,
        "reserve_seconds": row.reserve,
    }
    return TournamentInfo(
        tournament=row.id,
        name=row.name,
        status=cast(Any, row.status),
        public=row.public,
        ruleset=ruleset_info(row.game),
        clock=clock,
        rounds=row.rounds,
        round=row.round,
        automatic=row.automatic,
        players=players,
        maker=guest is not None and row.owner == guest,
        updated=row.updated,
    )


def _game(table: TournamentTable, names: dict[int, str]) -> TournamentGame:
    outcome = table.outcome
    gained = None if outcome is None else points_of(outcome.places)
    return TournamentGame(
        round=table.round,
        table=table.table_id,
        status=cast(Any, table.status),
        seats=[
            TournamentSeat(
                player=player,
                name=None if player is None else names[player],
                place=None if outcome is None else outcome.places[seat],
                score=None if outcome is None else outcome.scores[seat],
                points=None if gained is None else gained[seat],
            )
            for seat, player in enumerate(table.players)
        ],
    )


def _state(whole: Whole, guest: str | None, most: int, language: str) -> TournamentState:
    names = {each.number: shown_name(each.name, language) for each in whole.players}
    own = whole.of(guest)
    outcomes = [outcome for each in whole.tables if (outcome := each.outcome) is not None]
    return TournamentState(
        info=_info(whole.row, len(whole.players), guest),
        you=None if own is None else own.number,
        most_players=most,
        players=[
            TournamentPlayer(player=each.number, name=names[each.number], dropped=each.dropped)
            for each in whole.players
        ],
        games=[_game(each, names) for each in whole.tables],
        standings=[
            TournamentLine(
                place=each.place,
                player=each.player,
                points=each.points,
                wins=each.wins,
                share=round(each.share, 3),
                games=each.games,
            )
            for each in rank(names, outcomes)
        ],
    )


async def _shown(components: Components, tournament: str, guest: str | None, language: str) -> TournamentState:
    whole = await components.tournaments.store.whole(tournament)
    return _state(whole, guest, components.settings.tournament_players, language)


@router.get("/tournaments")
async def get_tournaments(found: Visitor, components: ComponentsHere) -> TournamentList:
    """Mine, and public ones that go on."""
    guest = None if found is None else found.id
    mine, public = await components.tournaments.store.listed(guest)
    sizes = await components.tournaments.store.sizes([row.id for row in (*mine, *public)])
    return TournamentList(
        mine=[_info(row, sizes.get(row.id, 0), guest) for row in mine],
        public=[_info(row, sizes.get(row.id, 0), guest) for row in public],
    )


@router.post("/tournaments", status_code=201)
async def post_tournament(
    wanted: NewTournament, someone: Someone, components: ComponentsHere, where: Address
) -> TournamentMade:
    """Make a tournament."""
    components.limits.check("table", someone.id, where)
    return TournamentMade(tournament=await components.tournaments.make(wanted, someone, where))


@router.get("/tournaments/{tournament}")
async def get_tournament(
    tournament: str, found: Visitor, components: ComponentsHere, spoken: Spoken
) -> TournamentState:
    """How it stands; whoever looks lets it go on."""
    await components.tournaments.look(tournament)
    return await _shown(components, tournament, None if found is None else found.id, spoken)


@router.post("/tournaments/{tournament}/join")
async def post_join(
    tournament: str,
    someone: Someone,
    components: ComponentsHere,
    where: Address,
    spoken: Spoken,
    wanted: Annotated[TournamentJoin | None, Body()] = None,
) -> TournamentState:
    """Take part, or come back."""
    components.limits.check("table", someone.id, where)
    name = None if wanted is None else wanted.name
    await components.tournaments.join(tournament, someone, name, where)
    return await _shown(components, tournament, someone.id, spoken)


@router.post("/tournaments/{tournament}/leave")
async def post_leave(tournament: str, someone: Someone, components: ComponentsHere, spoken: Spoken) -> TournamentState:
    """Take part no more."""
    await components.tournaments.leave(tournament, someone.id)
    return await _shown(components, tournament, someone.id, spoken)


@router.delete("/tournaments/{tournament}/players/{number}")
async def delete_player(
    tournament: str, number: int, someone: Someone, components: ComponentsHere, spoken: Spoken
) -> TournamentState:
    """Send somebody away."""
    await components.tournaments.leave(tournament, someone.id, number)
    return await _shown(components, tournament, someone.id, spoken)


@router.post("/tournaments/{tournament}/round")
async def post_round(
    tournament: str, someone: Someone, components: ComponentsHere, where: Address, spoken: Spoken
) -> TournamentState:
    """Start, or begin the next round."""
    components.limits.check("table", someone.id, where)
    await components.tournaments.next_round(tournament, someone.id)
    return await _shown(components, tournament, someone.id, spoken)


@router.delete("/tournaments/{tournament}/tables/{table}")
async def delete_game(
    tournament: str, table: str, someone: Someone, components: ComponentsHere, spoken: Spoken
) -> TournamentState:
    """Stop a game that does not come to an end."""
    await components.tournaments.end_table(tournament, someone.id, table)
    return await _shown(components, tournament, someone.id, spoken)


@router.delete("/tournaments/{tournament}", status_code=204)
async def delete_tournament(tournament: str, someone: Someone, components: ComponentsHere) -> Response:
    """End it; before the start it is gone."""
    await components.tournaments.end(tournament, someone.id)
    return Response(status_code=204)
