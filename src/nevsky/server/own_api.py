"""What processes ask of each other; visitors do not see it."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Query, Request
from pydantic import ValidationError

from nevsky.server.components import Components
from nevsky.server.errors import Refusal
from nevsky.server.http import ComponentsHere, Here, created
from nevsky.server.ownership import Elsewhere
from nevsky.server.protocol import ApiError, TableCreated
from nevsky.server.ratings.marks import Mark, Visit
from nevsky.server.seating import Guest, claim
from nevsky.server.vouching import OWN

__all__ = ["claim_elsewhere", "router"]

router = APIRouter(prefix="/api", include_in_schema=False)


@router.post("/tables/{table_id}/claim")
async def post_claim(
    request: Request,
    table: Here,
    components: ComponentsHere,
    seat: int,
    guest: Annotated[str, Query(max_length=64)],
    browser: Annotated[str | None, Query(max_length=64)] = None,
    network: Annotated[str | None, Query(max_length=64)] = None,
) -> TableCreated:
    """A player of the game before takes their seat at the rematch."""
    if not request.scope.get(OWN, False):
        raise Refusal("not_found", "address")
    found = await components.storage.greet(guest, vouched=True)
    if found is None or not 0 <= seat < len(table.seats):
        raise Refusal("not_found", "address")
    someone = Guest(guest, *found)
    mark = Mark(browser, network)
    return created(table.row, await table.call(lambda: claim(table, components.storage, seat, someone, mark)))


async def claim_elsewhere(
    components: Components, owner: Elsewhere, table: str, seat: int, someone: Guest, visit: Visit | None
) -> TableCreated:
    """The same at the process that has the table. At a rated one the hashes go along that are kept there."""
    assert components.forwarding is not None
    target = f"/api/tables/{quote(table)}/claim?seat={seat}&guest={quote(someone.id)}"
    if visit is not None:
        target += f"&{urlencode(visit.at(table)._asdict())}"
    answer = await components.forwarding.ask(owner, "POST", target)
    try:
        if answer.status_code == 200:
            return TableCreated.model_validate_json(answer.content)
        refused = ApiError.model_validate_json(answer.content)
    except ValidationError as error:
        raise Refusal("shutting_down", "unanswered") from error
    why = "seat_taken" if refused.code == "refused" else "table"
    raise Refusal(refused.code, why)
