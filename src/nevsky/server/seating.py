"""Sitting down at a table and leaving it before the game starts; making tables and rematches."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

from nevsky.bots.names import PEOPLE
from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.server.actor import Table
from nevsky.server.bot_pool import levels
from nevsky.server.errors import Refusal, no_such_table, not_your_seat
from nevsky.server.match import deal_data
from nevsky.server.protocol import NewTable
from nevsky.server.schema import SeatRow, TableRow, tables
from nevsky.server.storage import Storage, insert_table, now

__all__ = ["Guest", "new_table", "rematch", "sit_down", "stand_up"]


class Guest(NamedTuple):
    """Somebody with a cookie."""

    id: str
    name: str


def _token() -> str:
    return secrets.token_urlsafe(24)


def _bot_name(taken: Sequence[str | None]) -> str:
    return secrets.choice([name for name in PEOPLE if name not in taken])


def started(game: Game) -> dict[str, Any]:
    """What is stored about a table when its game starts."""
    return {
        "deal": deal_data(game),
        "status": "over" if game.over else "playing",
        "round": game.round,
        "to_move": game.to_move,
        "to_move_shown": game.view(None).to_move,
    }


def _deal(ruleset: Ruleset, places: Sequence[SeatRow]) -> dict[str, Any]:
    """A new deal that nobody can guess, if nobody is missing any more."""
    if any(place.free for place in places):
        return {}
    return started(Game(ruleset, seats=[place.name or "" for place in places], auto=True))


def new_table(wanted: NewTable, guest: Guest) -> tuple[TableRow, list[SeatRow]]:
    """The table that was asked for; one that cannot be is refused with a sentence."""
    options = wanted.ruleset.model_dump()
    good_company = options.pop("good_company")
    try:
        ruleset = Ruleset(**options, good_company=None if good_company is None else tuple(good_company))
    except NevskyError as error:
        raise Refusal("refused", error) from error
    if len(wanted.seats) != ruleset.players:
        raise Refusal("refused", "seats", players=ruleset.players)
    if sum(seat.kind == "me" for seat in wanted.seats) > 1:
        raise Refusal("refused", "one_seat")
    known = levels()
    places: list[SeatRow] = []
    taken: list[str | None] = [guest.name]
    for number, seat in enumerate(wanted.seats):
        place = SeatRow(number, _token())
        if seat.kind == "me":
            place = place._replace(guest=guest.id, name=guest.name)
        elif seat.kind == "bot":
            level = seat.level or known[len(known) // 2]
            if level not in known:
                raise Refusal("refused", "level", level=repr(level), levels=", ".join(known))
            place = place._replace(level=level, name=_bot_name(taken))
            taken.append(place.name)
        places.append(place)
    return _table(ruleset, places, wanted.public, wanted.pace, wanted.show_seen_cards), places


def _table(ruleset: Ruleset, places: Sequence[SeatRow], public: bool, pace: str, show_seen: bool) -> TableRow:
    row = TableRow(
        id=secrets.token_urlsafe(9),
        created=now(),
        updated=now(),
        status="open",
        ruleset=ruleset.to_dict(),
        public=public,
        pace=pace,
        show_seen_cards=show_seen,
    )
    return row._replace(**_deal(ruleset, places))


async def sit_down(table: Table, storage: Storage, guest: Guest, wanted: int | None) -> SeatRow:
    """A guest takes a free seat, and if it was the last one the game starts; whoever sits already keeps their seat."""
    own = table.seat_of(guest.id)
    if own is not None:
        return table.seats[own]
    if table.match is not None:
        raise Refusal("refused", "started")
    free = [place for place in table.seats if place.free and place.reserved_for in (None, guest.id)]
    free.sort(key=lambda place: place.reserved_for != guest.id)
    if wanted is not None:
        free = [place for place in free if place.seat == wanted]
    if not free:
        raise Refusal("refused", "seat_taken" if wanted is not None else "seats_taken")
    return await _take(table, storage, free[0], guest)


async def _take(table: Table, storage: Storage, free: SeatRow, guest: Guest) -> SeatRow:
    place = free._replace(guest=guest.id, name=guest.name, reserved_for=None)
    seats = [place if other.seat == place.seat else other for other in table.seats]
    changes = {"updated": now(), **_deal(table.ruleset, seats)}
    await storage.save_seat(table.row.id, place, **changes)
    table.start(seats, changes)
    for viewer in table.viewers:
        if viewer.seat is None and viewer.guest == guest.id:
            viewer.seat = place.seat
    return place


async def stand_up(table: Table, storage: Storage, seat: int | None) -> None:
    """A guest leaves their seat before the game starts; the table goes with the last one."""
    if seat is None:
        raise not_your_seat()
    if table.match is not None:
        raise Refusal("refused", "leaving")
    place = table.seats[seat]._replace(guest=None, name=None, token=_token())
    await storage.save_seat(table.row.id, place, updated=now())
    table.start([place if other.seat == seat else other for other in table.seats], {})
    for viewer in table.viewers:
        if viewer.seat == seat:
            viewer.seat = None
    if all(other.guest is None for other in table.seats):
        await storage.delete_table(table.row.id)
        for viewer in table.viewers:
            viewer.send(no_such_table().reply(viewer.language))
            viewer.close()


async def rematch(table: Table, storage: Storage, seat: int | None, guest: Guest) -> str:
    """The table of the rematch: the first player to ask makes it, seats of the others are kept for them."""
    if seat is None:
        raise Refusal("not_allowed", "rematch_players")
    if table.status != "over":
        raise Refusal("refused", "rematch_yet")
    if table.row.rematch is not None:
        return table.row.rematch
    places = []
    for old in table.seats:
        place = SeatRow(old.seat, _token(), level=old.level)
        if old.seat == seat:
            place = place._replace(guest=guest.id, name=guest.name)
        elif old.level is not None:
            place = place._replace(name=old.name)
        else:
            place = place._replace(reserved_for=old.guest)
        places.append(place)
    row = table.row
    new = _table(table.ruleset, places, row.public, row.pace, row.show_seen_cards)
    async with storage.writing() as connection:
        await insert_table(connection, new, places)
        await connection.execute(tables.update().where(tables.c.id == row.id).values(rematch=new.id))
    table.row = row._replace(rematch=new.id)
    return new.id


async def claim(table: Table, storage: Storage, seat: int, guest: Guest) -> SeatRow:
    """A player of the game before takes their seat at the rematch, even with another cookie."""
    own = table.seat_of(guest.id)
    if own is not None:
        return table.seats[own]
    place = table.seats[seat]
    if not place.free or table.match is not None:
        raise Refusal("refused", "seat_taken")
    return await _take(table, storage, place, guest)
