"""The part of the HTTP API that is about ratings."""

from __future__ import annotations

from typing import Annotated, Literal, cast

from fastapi import APIRouter, Depends, Query

from nevsky.server.errors import Refusal
from nevsky.server.http import REFUSALS, ComponentsHere, Here, Visitor
from nevsky.server.profiles.pages import page_of
from nevsky.server.protocol import PlayerRatings, RatingBoard, RatingFamily, TableRating
from nevsky.server.ratings.boards import board, ratings_at, ratings_of
from nevsky.server.ratings.scale import Pool, pool_of, pools

__all__ = ["router"]


def switched_on(components: ComponentsHere) -> None:
    """Whoever runs the server may not want ratings."""
    if not (components.settings.ratings and components.settings.profiles):
        raise Refusal("not_found", "address")


router = APIRouter(prefix="/api", responses=REFUSALS, dependencies=[Depends(switched_on)])


@router.get("/ratings")
async def get_board(
    found: Visitor,
    components: ComponentsHere,
    family: RatingFamily = "second",
    players: Annotated[int, Query(ge=2, le=5)] = 2,
    page: Annotated[int, Query(ge=0, le=1000)] = 0,
) -> RatingBoard:
    """Who is strongest."""
    pool = Pool(family, players)
    if pool not in pools():
        raise Refusal("not_found", "address")
    return await board(components.storage, components.ties, pool, page, None if found is None else found.id)


@router.get("/players/{player}/ratings")
async def get_player_ratings(player: str, found: Visitor, components: ComponentsHere) -> PlayerRatings:
    """The ratings of a profile, for whoever may see its page."""
    page = await page_of(components, player, found)
    return PlayerRatings(ratings=await ratings_of(components.storage, page.guest))


@router.get("/tables/{table_id}/rating")
async def get_table_rating(table: Here, components: ComponentsHere) -> TableRating:
    """The ratings of those who sit at a rated table."""
    if not table.row.rated:
        raise Refusal("not_found", "address")
    return TableRating(
        status=cast(Literal["due", "done", "void"], table.row.rating),
        family=pool_of(table.ruleset).family,
        seats=await ratings_at(components.storage, table.row.id, table.ruleset, table.seats),
    )
