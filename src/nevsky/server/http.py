"""The HTTP API."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Body, Depends, Query, Request, Response

from nevsky import record
from nevsky._version import __version__
from nevsky.server.actor import Table
from nevsky.server.components import Components
from nevsky.server.guide import guide_json
from nevsky.server.hub import identify, summary
from nevsky.server.languages import language_of
from nevsky.server.library import card_list, meta
from nevsky.server.protocol import (
    CardList,
    Guide,
    JoinRequest,
    Language,
    LogLine,
    Me,
    Meta,
    NameRequest,
    NewTable,
    Race,
    ReplayStep,
    RuleBook,
    TableCreated,
    TableList,
    TableSummary,
)
from nevsky.server.replays import evaluation, finished, replay_step
from nevsky.server.rulebook import rule_book
from nevsky.server.sanitize import clean_name
from nevsky.server.schema import SeatRow, TableRow
from nevsky.server.score_sources import race
from nevsky.server.seating import Guest, claim, new_table, rematch, sit_down, stand_up
from nevsky.texts.sentences import Wording

__all__ = ["router"]

router = APIRouter(prefix="/api")


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


async def guest(request: Request, found: Visitor, components: ComponentsHere, response: Response) -> Guest:
    """The guest, who gets a cookie if they have none yet."""
    return found if found is not None else await components.sessions.create(response, language_of(request))


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
    return Me(name=someone.name, version=__version__)


@router.put("/me")
async def put_me(wanted: NameRequest, someone: Someone, components: ComponentsHere) -> Me:
    """Take another name, for the tables to come."""
    name = clean_name(wanted.name)
    await components.storage.rename_guest(someone.id, name)
    return Me(name=name, version=__version__)


@router.get("/meta")
async def get_meta(language: Language = "en") -> Meta:
    """What a new table can be made of."""
    return meta(language)


@router.get("/cards")
async def get_cards(response: Response, language: Language = "en") -> CardList:
    """Every card of the box."""
    response.headers["Cache-Control"] = "public, max-age=3600"
    return card_list(language)


@router.get("/rules")
async def get_rules(language: Language = "en") -> RuleBook:
    """The rules as we play them."""
    return rule_book(language)


@router.get("/guide", response_model=Guide)
def get_guide(language: Language = "en") -> Response:
    """The guided first round, all steps at once."""
    headers = {"Cache-Control": "public, max-age=3600"}
    return Response(guide_json(language), media_type="application/json", headers=headers)


@router.post("/tables", status_code=201)
async def post_table(wanted: NewTable, someone: Someone, components: ComponentsHere) -> TableCreated:
    """Make a table."""
    components.limits.check("table", someone.id)
    row, places = new_table(wanted, someone)
    await components.storage.add_table(row, places)
    await components.hub.get(row.id)
    return _created(row, next((place for place in places if place.guest == someone.id), None))


def _created(row: TableRow, own: SeatRow | None) -> TableCreated:
    return TableCreated(
        table=row.id, seat=None if own is None else own.seat, seat_token=None if own is None else own.token
    )


@router.get("/tables")
async def get_tables(
    found: Visitor, components: ComponentsHere, which: Literal["open", "mine", "finished"] = "open"
) -> TableList:
    """Public tables with free seats, or one of the other lists."""
    if which == "mine":
        return await get_my_tables(found, components)
    if which == "finished":
        return await get_finished_tables(found, components)
    return _listed(await components.storage.list_open(), found)


@router.get("/tables/mine")
async def get_my_tables(found: Visitor, components: ComponentsHere) -> TableList:
    """Tables where I sit and whose games are not over."""
    return _listed(await components.storage.list_of(found.id) if found else [], found)


@router.get("/tables/finished")
async def get_finished_tables(found: Visitor, components: ComponentsHere) -> TableList:
    """Finished games: mine and public ones."""
    return _listed(await components.storage.list_finished(_id(found)), found)


def _listed(tables: list[tuple[TableRow, list[SeatRow]]], found: Guest | None) -> TableList:
    return TableList(tables=[summary(row, places, _own(places, found)) for row, places in tables])


def _own(places: list[SeatRow], found: Guest | None) -> int | None:
    return next((place.seat for place in places if found is not None and place.guest == found.id), None)


@router.get("/tables/{table_id}")
async def get_table(table: Here, found: Visitor, seat: Token = None) -> TableSummary:
    """One table in short."""
    you = identify(table, _id(found), seat)
    short = summary(table.row, table.seats, you)
    short.seat_token = None if you is None else table.seats[you].token
    return short


@router.post("/tables/{table_id}/join")
async def join(
    table: Here, someone: Someone, components: ComponentsHere, wanted: Annotated[JoinRequest | None, Body()] = None
) -> TableCreated:
    """Take a free seat."""
    place = await table.call(lambda: sit_down(table, components.storage, someone, wanted.seat if wanted else None))
    return _created(table.row, place)


@router.post("/tables/{table_id}/leave", status_code=204)
async def leave(table: Here, found: Visitor, components: ComponentsHere, seat: Token = None) -> None:
    """Leave the own seat before the game starts."""
    own = identify(table, _id(found), seat)
    await table.call(lambda: stand_up(table, components.storage, own))
    if all(place.guest is None for place in table.seats):
        await components.hub.forget(table.row.id)


@router.post("/tables/{table_id}/rematch")
async def post_rematch(table: Here, someone: Someone, components: ComponentsHere, seat: Token = None) -> TableCreated:
    """Play the same game again; the players of this one find their seats kept."""
    components.limits.check("table", someone.id)
    own = identify(table, someone.id, seat)
    again = await components.hub.get(await table.call(lambda: rematch(table, components.storage, own, someone)))
    assert own is not None
    place = await again.call(lambda: claim(again, components.storage, own, someone))
    return _created(again.row, place)


@router.get("/tables/{table_id}/record")
async def get_record(table: Here) -> Response:
    """The record of a finished game."""
    text = record.to_json(finished(table).game)
    disposition = f'attachment; filename="nevsky-{table.row.id}.json"'
    return Response(text, media_type="application/json", headers={"Content-Disposition": disposition})


@router.get("/tables/{table_id}/log")
async def get_log(table: Here, found: Visitor, language: Language = "en", seat: Token = None) -> list[LogLine]:
    """The whole log as the visitor may know it."""
    you = identify(table, _id(found), seat)
    if table.match is None:
        return []
    wording = Wording(language, table.ruleset.edition, table.names)
    return table.match.log.lines(you, wording)


@router.get("/tables/{table_id}/race")
def get_race(table: Here) -> Race:
    """Where the points of a finished game came from."""
    return race(finished(table).game)


@router.get("/tables/{table_id}/replay")
async def get_replay(
    table: Here,
    components: ComponentsHere,
    step: Annotated[int | None, Query(ge=0)] = None,
    seat: int | None = None,
    language: Language = "en",
) -> ReplayStep:
    """A finished game after so many moves, seen from a seat."""
    answer = replay_step(table, step, seat, language)
    answer.evaluation = await evaluation(table, components.bot_pool)
    return answer
