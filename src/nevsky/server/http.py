"""The HTTP API."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Body, Depends, Query, Request, Response

from nevsky._version import __version__
from nevsky.server.actor import Table
from nevsky.server.addresses import address_of
from nevsky.server.components import Components
from nevsky.server.daily.tries import keep_result
from nevsky.server.errors import Refusal, not_your_seat
from nevsky.server.guide import guide_json
from nevsky.server.hub import by_link, identify
from nevsky.server.languages import language_of
from nevsky.server.library import card_list, explanations, meta
from nevsky.server.lists import LISTED, Page, cursor
from nevsky.server.middleware import TURN
from nevsky.server.ownership import ElsewhereError
from nevsky.server.protocol import (
    ApiError,
    CardList,
    Explanations,
    Guide,
    GuideName,
    JoinRequest,
    Language,
    Me,
    Meta,
    NameRequest,
    NewTable,
    RuleBook,
    TableCreated,
    TableList,
    TableSummary,
)
from nevsky.server.ratings.at_table import admit, check_profile
from nevsky.server.ratings.marks import Visit
from nevsky.server.rulebook import rule_book
from nevsky.server.sanitize import clean_name
from nevsky.server.schema import SeatRow, TableRow
from nevsky.server.seating import Guest, claim, new_table, rematch, sit_down, stand_up
from nevsky.server.storage import now
from nevsky.server.summaries import alone_with_bots, summary

__all__ = ["REFUSALS", "created", "router"]

REFUSALS: Final[dict[int | str, dict[str, Any]]] = {
    status: {"model": ApiError} for status in (400, 403, 404, 409, 422, 429, 503)
}
"""What may be answered besides what was asked for."""
router = APIRouter(prefix="/api", responses=REFUSALS)


def the_components(request: Request) -> Components:
    """Everything the server consists of."""
    components = request.app.state.components
    assert isinstance(components, Components)
    return components


ComponentsHere = Annotated[Components, Depends(the_components)]


async def visitor(request: Request, components: ComponentsHere) -> Guest | None:
    """The guest, if they have a cookie."""
    return await components.sessions.read(request)


Visitor = Annotated[Guest | None, Depends(visitor)]


def address(request: Request, components: ComponentsHere) -> str:
    """Where the request comes from, for the limits."""
    return address_of(request, components.settings)


Address = Annotated[str, Depends(address)]


async def guest(
    request: Request, found: Visitor, components: ComponentsHere, response: Response, where: Address
) -> Guest:
    """The guest, who gets a cookie if they have none yet."""
    if found is not None:
        return found
    components.limits.check("guest", where, where)
    return await components.sessions.create(response, language_of(request))


Someone = Annotated[Guest, Depends(guest)]
Token = Annotated[str | None, Query(max_length=64)]


async def the_table(table_id: str, components: ComponentsHere) -> Table:
    """The table of the address."""
    return await components.hub.get(table_id)


Here = Annotated[Table, Depends(the_table)]


def _id(found: Guest | None) -> str | None:
    return None if found is None else found.id


@router.get("/me")
async def get_me(someone: Someone) -> Me:
    """Who I am; the first call makes a guest."""
    return Me(name=someone.name, named=someone.named, version=__version__)


@router.put("/me")
async def put_me(wanted: NameRequest, someone: Someone, components: ComponentsHere) -> Me:
    """Take another name, for the tables to come."""
    name = clean_name(wanted.name)
    await components.storage.rename_guest(someone.id, name)
    return Me(name=name, named=True, version=__version__)


@router.get("/meta")
async def get_meta(components: ComponentsHere, language: Language = "en") -> Meta:
    """What a new table can be made of."""
    return meta(language, components.settings)


@router.get("/cards")
async def get_cards(response: Response, language: Language = "en") -> CardList:
    """Every card of the box."""
    response.headers["Cache-Control"] = "public, max-age=3600"
    return card_list(language)


@router.get("/explanations")
async def get_explanations(response: Response, language: Language = "en") -> Explanations:
    """What the Market and the modules lay on a table."""
    response.headers["Cache-Control"] = "public, max-age=3600"
    return explanations(language)


@router.get("/rules")
async def get_rules(language: Language = "en") -> RuleBook:
    """The rules as we play them."""
    return rule_book(language)


@router.get("/guide", response_model=Guide)
def get_guide(language: Language = "en", which: GuideName = "first") -> Response:
    """A guided round, all steps at once."""
    headers = {"Cache-Control": "public, max-age=3600"}
    return Response(guide_json(language, which), media_type="application/json", headers=headers)


@router.post("/tables", status_code=201)
async def post_table(
    wanted: NewTable,
    request: Request,
    response: Response,
    someone: Someone,
    components: ComponentsHere,
    where: Address,
) -> TableCreated:
    """Make a table."""
    components.limits.check("table", someone.id, where)
    row, places = new_table(wanted, someone, components.settings)
    own = next((place for place in places if place.guest == someone.id), None)
    if row.rated:
        await check_profile(components.storage, someone.id)
    if row.status == "open" or own is None:
        await components.open_tables.add(row, someone.id, where)
    await components.storage.add_table(row, places)
    if row.rated and own is not None:
        visit = components.marks.visit(request, response, where)
        await admit(components.storage, row.id, places, own.seat, someone.id, visit)
    if components.forwarding is None:  # of several servers it belongs to the first one that is asked about it
        await components.hub.get(row.id)
    return created(row, own)


def created(row: TableRow, own: SeatRow | None) -> TableCreated:
    """Where a visitor sits now, and how they get there from another device."""
    return TableCreated(
        table=row.id, seat=None if own is None else own.seat, seat_token=None if own is None else own.token
    )


Limit = Annotated[int, Query(ge=1, le=LISTED)]
After = Annotated[str | None, Query(max_length=200)]


def the_page(limit: Limit = LISTED, after: After = None) -> Page:
    """Which part of a list is asked for."""
    return Page.read(limit, after)


PageHere = Annotated[Page, Depends(the_page)]
Spoken = Annotated[Language, Depends(language_of)]
"""What the visitor reads."""


@router.get("/tables")
async def get_tables(
    found: Visitor,
    components: ComponentsHere,
    page: PageHere,
    spoken: Spoken,
    which: Literal["open", "mine", "played", "finished"] = "open",
) -> TableList:
    """Public tables with free seats, or one of the other lists."""
    if which == "mine":
        return await get_my_tables(found, components, page, spoken)
    if which == "played":
        return await get_played_tables(found, components, page, spoken)
    if which == "finished":
        return await get_finished_tables(found, components, page, spoken)
    since = now(60 * components.settings.open_table_minutes)
    waiting = components.waiting()
    tables = await components.storage.list_open(_one_more(page), since, waiting)
    return await _listed(components, tables, found, page, spoken)


@router.get("/tables/mine")
async def get_my_tables(found: Visitor, components: ComponentsHere, page: PageHere, spoken: Spoken) -> TableList:
    """Tables where I sit and whose games are not over."""
    tables = await components.storage.list_of(found.id, _one_more(page)) if found else []
    return await _listed(components, tables, found, page, spoken)


@router.get("/tables/played")
async def get_played_tables(found: Visitor, components: ComponentsHere, page: PageHere, spoken: Spoken) -> TableList:
    """Finished games where I sat."""
    games = await components.storage.list_played(found.id, _one_more(page)) if found else []
    return await _listed(components, games, found, page, spoken)


@router.get("/tables/finished")
async def get_finished_tables(found: Visitor, components: ComponentsHere, page: PageHere, spoken: Spoken) -> TableList:
    """Finished games: mine and public ones."""
    tables = await components.storage.list_finished(_id(found), _one_more(page))
    return await _listed(components, tables, found, page, spoken)


def _one_more(page: Page) -> Page:
    return page._replace(limit=page.limit + 1)


async def _listed(
    components: Components,
    tables: list[tuple[TableRow, list[SeatRow]]],
    found: Guest | None,
    page: Page,
    language: Language,
) -> TableList:
    shown = tables[: page.limit]
    ids = [row.id for row, _ in shown]
    linked = await components.storage.seats_by_link(found.id, ids) if found else {}
    listed = [summary(row, places, _own(places, found, linked.get(row.id)), language) for row, places in shown]
    for short, players in zip(listed, await components.ties.pages_at([places for _, places in shown]), strict=True):
        short.players = players
    return TableList(
        tables=listed,
        next=cursor(shown[-1][0]) if len(tables) > page.limit else None,
    )


def _own(places: list[SeatRow], found: Guest | None, linked: int | None) -> int | None:
    return next((place.seat for place in places if found is not None and place.guest == found.id), linked)


def own_summary(table: Table, you: int | None, language: Language = "en") -> TableSummary:
    """A table in short, with what only somebody on this seat may know."""
    short = summary(table.row, table.seats, you, language)
    short.seat_token = None if you is None else table.seats[you].token
    if you is not None and you == short.owner:
        short.invitations = [place.token if place.reserved else None for place in table.seats]
    return short


@router.get("/tables/{table_id}")
async def get_table(table: Here, found: Visitor, spoken: Spoken, seat: Token = None) -> TableSummary:
    """One table in short."""
    return own_summary(table, identify(table, _id(found), seat), spoken)


@router.post("/tables/{table_id}/join")
async def join(
    request: Request,
    response: Response,
    table: Here,
    someone: Someone,
    components: ComponentsHere,
    where: Address,
    wanted: Annotated[JoinRequest | None, Body()] = None,
) -> TableCreated:
    """Take a free seat."""
    visit = components.marks.visit(request, response, where) if table.row.rated else None
    place = await table.call(lambda: sit_down(table, components.storage, someone, wanted, visit))
    return created(table.row, place)


@router.post("/tables/{table_id}/devices")
async def post_device(table: Here, someone: Someone, seat: Annotated[str, Query(max_length=64)]) -> TableCreated:
    """Play a seat from this device too: whoever has its link finds the table among their own."""

    async def add() -> SeatRow:
        linked = by_link(table, seat)
        identify(table, someone.id, seat)
        await table.companions.add(someone.id, linked)
        return table.seats[linked]

    return created(table.row, await table.call(add))


@router.post("/tables/{table_id}/link")
async def post_link(table: Here, someone: Someone, seat: Token = None) -> TableCreated:
    """A new link for the own seat; the old one lets nobody in any more."""

    async def renew() -> SeatRow:
        own = identify(table, someone.id, seat)
        if own is None:
            raise not_your_seat()
        return await table.companions.renew(own, someone.id)

    return created(table.row, await table.call(renew))


@router.post("/tables/{table_id}/leave", status_code=204)
async def leave(table: Here, found: Visitor, components: ComponentsHere, seat: Token = None) -> None:
    """Leave the own seat before the game starts."""
    await table.call(lambda: stand_up(table, components.storage, identify(table, _id(found), seat)))
    if table.gone is not None:
        await components.hub.forget(table.row.id)


@router.delete("/tables/{table_id}", status_code=204)
async def delete_table(table: Here, found: Visitor, components: ComponentsHere, seat: Token = None) -> None:
    """Delete a game against bots; only its player can."""

    async def delete() -> None:
        if identify(table, _id(found), seat) is None:
            raise not_your_seat()
        if table.row.tournament is not None:
            raise Refusal("refused", "tournament_delete")
        if not alone_with_bots(table.seats):
            raise Refusal("refused", "delete_people")
        await keep_result(components.storage, table.row)
        await components.storage.delete_table(table.lease)

    await components.hub.remove(table.row.id, delete)


@router.post("/tables/{table_id}/rematch")
async def post_rematch(
    request: Request,
    response: Response,
    table: Here,
    someone: Someone,
    components: ComponentsHere,
    where: Address,
    seat: Token = None,
) -> TableCreated:
    """Play the same game again; the players of this one find their seats kept."""
    components.limits.check("table", someone.id, where)
    visit = components.marks.visit(request, response, where) if table.row.rated else None
    try:
        return await _rematch(request, table, someone, seat, visit)
    except Refusal as refusal:
        if refusal.code != "not_found" or table.gone is not None:
            raise
        return await _rematch(request, table, someone, seat, visit)  # everybody has just left the other one


async def _rematch(
    request: Request, table: Table, someone: Guest, token: str | None, visit: Visit | None
) -> TableCreated:
    components = the_components(request)
    storage = components.storage

    async def ask() -> tuple[str, int]:
        own = identify(table, someone.id, token)
        if own is None:
            raise Refusal("not_allowed", "rematch_players")
        return await rematch(table, storage, own, someone, visit), own

    name, own = await table.call(ask)
    try:
        again = await components.hub.get(name)
    except ElsewhereError as elsewhere:
        from nevsky.server.own_api import claim_elsewhere

        request.scope[TURN].give_back()  # that one lets them take turns, too
        return await claim_elsewhere(components, elsewhere.owner, name, own, someone, visit)
    return created(again.row, await again.call(lambda: claim(again, storage, own, someone, visit)))
