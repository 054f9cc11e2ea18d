"""The visitor's own games, as far as they go beyond the lists: where they are waited for, and with whom they play."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter

from nevsky.server.http import REFUSALS, ComponentsHere, Here, Visitor
from nevsky.server.protocol import TablePlayers, Turns

__all__ = ["router"]

_TOLD: Final = 50
router = APIRouter(prefix="/api", responses=REFUSALS)


@router.get("/turns")
async def get_turns(found: Visitor, components: ComponentsHere) -> Turns:
    """Games in which it is my turn."""
    if found is None:
        return Turns(number=0, tables=[], invited=0)
    tables = await components.storage.turns_of(found.id)
    invited = await components.inviting.number(found.id) if components.settings.people else 0
    return Turns(number=len(tables), tables=tables[:_TOLD], invited=invited)


@router.get("/tables/{table_id}/players")
async def get_players(table: Here, components: ComponentsHere) -> TablePlayers:
    """Who of those at the table has a page."""
    (players,) = await components.ties.pages_at([table.seats])
    return TablePlayers(players=players)
