"""The part of the HTTP API that is about what has happened at a table."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response

from nevsky import record
from nevsky.server.actor import Table
from nevsky.server.addresses import address_of
from nevsky.server.daily.at_table import check_published, check_secret
from nevsky.server.http import REFUSALS, ComponentsHere, Here, Spoken, Token, Visitor
from nevsky.server.hub import identify
from nevsky.server.middleware import TURN
from nevsky.server.protocol import Evaluation, Language, LogLine, Race, ReplayStep
from nevsky.server.replays import evaluation, finished, replay_step
from nevsky.server.score_sources import race
from nevsky.texts.sentences import Wording

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=REFUSALS)


async def the_seen_table(table: Here, found: Visitor) -> Table:
    """The table of the address, if the visitor may see what happened there."""
    check_secret(table, table.seat_of(None if found is None else found.id))
    return table


Seen = Annotated[Table, Depends(the_seen_table)]


@router.get("/tables/{table_id}/record")
async def get_record(table: Seen, spoken: Spoken) -> Response:
    """The record of a finished game."""
    check_published(table)
    game = finished(table).game.copy()
    game.seats = tuple(table.names_in(spoken))
    text = record.to_json(game)
    disposition = f'attachment; filename="nevsky-{table.row.id}.json"'
    return Response(text, media_type="application/json", headers={"Content-Disposition": disposition})


@router.get("/tables/{table_id}/log")
async def get_log(table: Seen, found: Visitor, language: Language = "en", seat: Token = None) -> list[LogLine]:
    """The whole log as the visitor may know it."""
    you = identify(table, None if found is None else found.id, seat)
    if table.match is None:
        return []
    wording = Wording(language, table.ruleset.edition, table.names_in(language))
    return table.match.log.lines(you, wording)


@router.get("/tables/{table_id}/race")
def get_race(table: Seen) -> Race:
    """Where the points of a finished game came from."""
    return race(finished(table).game)


@router.get("/tables/{table_id}/evaluation")
async def get_evaluation(request: Request, table: Seen, components: ComponentsHere) -> Evaluation:
    """What a search expects of a finished game, step by step."""
    finished(table)
    request.scope[TURN].give_back()  # the bots have a queue of their own
    return await evaluation(table, address_of(request, components.settings))


@router.get("/tables/{table_id}/replay")
async def get_replay(
    table: Seen,
    step: Annotated[int | None, Query(ge=0)] = None,
    seat: int | None = None,
    language: Language = "en",
) -> ReplayStep:
    """A finished game after so many moves, seen from a seat."""
    return replay_step(table, step, seat, language)
