"""The part of the HTTP API that is for the owner of a table which has not started."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

from fastapi import APIRouter, Body, Request, Response

from nevsky.server.actor import Table
from nevsky.server.hosting import change_seat, change_table, check_host, start_now
from nevsky.server.http import REFUSALS, Address, ComponentsHere, Here, Someone, Token, own_summary
from nevsky.server.hub import identify
from nevsky.server.protocol import SeatChange, StartRequest, TableChange, TableSummary
from nevsky.server.seating import Guest

__all__ = ["router"]

router = APIRouter(prefix="/api", responses=REFUSALS)


async def _changed(
    table: Table, someone: Guest, token: str | None, change: Callable[[int | None], Awaitable[None]]
) -> TableSummary:
    """Whose seat it is that asks is looked up when it is their turn: the table may have another owner by then."""
    await table.call(lambda: change(identify(table, someone.id, token)))
    return own_summary(table, identify(table, someone.id, token))


@router.put("/tables/{table_id}/seats/{number}")
async def put_seat(table: Here, someone: Someone, number: int, wanted: SeatChange, seat: Token = None) -> TableSummary:
    """Put a bot on a seat, keep it for somebody, or leave it to everybody."""
    return await _changed(table, someone, seat, lambda host: change_seat(table, host, number, wanted))


@router.patch("/tables/{table_id}")
async def patch_table(
    request: Request,
    response: Response,
    table: Here,
    someone: Someone,
    wanted: TableChange,
    components: ComponentsHere,
    where: Address,
    seat: Token = None,
) -> TableSummary:
    """Change rules, times and who may see the table."""

    async def change(host: int | None) -> None:
        check_host(table, host)
        if wanted.public and not table.row.public:
            await components.open_tables.publish(table.row, someone.id, where)
        visit = components.marks.visit(request, response, where) if wanted.rated else None
        await change_table(table, host, wanted, visit)

    return await _changed(table, someone, seat, change)


@router.post("/tables/{table_id}/start")
async def post_start(
    table: Here, someone: Someone, wanted: Annotated[StartRequest | None, Body()] = None, seat: Token = None
) -> TableSummary:
    """Start with bots on the seats that are free."""
    level = None if wanted is None else wanted.level
    return await _changed(table, someone, seat, lambda host: start_now(table, host, level))
