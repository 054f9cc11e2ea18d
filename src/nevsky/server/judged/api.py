"""HTTP: reviews of finished games."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request

from nevsky.server.daily.at_table import check_published
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Someone, created
from nevsky.server.judged.play_on import table_from
from nevsky.server.judged.telling import ask_review, tell_review
from nevsky.server.middleware import TURN
from nevsky.server.protocol import Language, PlayOn, SeatReviewed, TableCreated
from nevsky.server.replays import finished
from nevsky.server.replays_api import Seen

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=REFUSALS)
Seat = Annotated[int, Query(ge=0, le=4)]
Known = Annotated[int, Query(ge=-1, le=100_000)]


@router.post("/tables/{table_id}/review")
async def post_review(
    table: Seen, someone: Someone, components: ComponentsHere, where: Address, seat: Seat, language: Language = "en"
) -> SeatReviewed:
    """Let the decisions of a seat be judged, in the background."""
    finished(table)
    components.limits.check("review", someone.id, where)
    await ask_review(table, seat)
    return await tell_review(table, seat, where, -1, language)


@router.post("/tables/{table_id}/play-on", status_code=201)
async def post_play_on(
    table: Seen, wanted: PlayOn, someone: Someone, components: ComponentsHere, where: Address
) -> TableCreated:
    """Play on from a position of a finished game, against bots."""
    check_published(table)
    finished(table)
    components.limits.check("table", someone.id, where)
    row, places = table_from(table, wanted, someone)
    await components.storage.add_table(row, places)
    return created(row, places[wanted.seat])


@router.get("/tables/{table_id}/review")
async def get_review(
    request: Request, table: Seen, where: Address, seat: Seat, known: Known = -1, language: Language = "en"
) -> SeatReviewed:
    """What is known about a seat, once it is more than so many verdicts, or after three seconds."""
    finished(table)
    request.scope[TURN].give_back()  # the bots have a queue of their own
    return await tell_review(table, seat, where, known, language)
