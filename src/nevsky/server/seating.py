"""Sitting down at a table and leaving it before the game starts; making tables and rematches."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from nevsky.bots.names import PEOPLE
from nevsky.errors import NevskyError
from nevsky.rules.game import Game
from nevsky.rules.ruleset import Ruleset
from nevsky.server.actor import Table
from nevsky.server.bot_pool import levels
from nevsky.server.clock import Times, chosen_pace
from nevsky.server.errors import Refusal, no_such_table, not_your_seat
from nevsky.server.ids import new_table_id, new_token
from nevsky.server.match import deal_data
from nevsky.server.owners import heir
from nevsky.server.protocol import JoinRequest, NewTable, RulesetRequest
from nevsky.server.ratings.at_table import admit, check_profile, check_rated
from nevsky.server.ratings.marks import Mark, Visit
from nevsky.server.sanitize import clean_name, distinct_name, same_name
from nevsky.server.schema import DUE, SeatRow, TableRow, tables
from nevsky.server.settings import Settings
from nevsky.server.standing import told_of
from nevsky.server.storage import Storage, insert_table, now
from nevsky.texts.former import is_former

__all__ = [
    "Guest",
    "bot_on",
    "chosen_ruleset",
    "dealt",
    "new_table",
    "rematch",
    "show_seats",
    "sit_down",
    "stand_up",
    "started",
    "table_row",
    "unstarted",
]


class Guest(NamedTuple):
    """Somebody with a cookie."""

    id: str
    name: str
    named: bool = False
    """Whether they have chosen their name."""


def bot_on(place: SeatRow, wanted: str | None, taken: Collection[str]) -> SeatRow:
    """A bot of a level, or of a middle one, on a seat; it is called like nobody else."""
    known = levels()
    level = wanted or known[len(known) // 2]
    if level not in known:
        raise Refusal("refused", "level", level=repr(level), levels=", ".join(known))
    name = secrets.choice([name for name in PEOPLE if not any(same_name(name, other) for other in taken)])
    return place.emptied()._replace(level=level, name=name)


def chosen_ruleset(wanted: RulesetRequest) -> Ruleset:
    """The ruleset that was asked for; one that cannot be played is refused with a sentence."""
    options = wanted.model_dump()
    good_company = options.pop("good_company")
    try:
        return Ruleset(**options, good_company=None if good_company is None else tuple(good_company))
    except NevskyError as error:
        raise Refusal("refused", error) from error


def started(game: Game) -> dict[str, Any]:
    """What is stored about a table when its game starts."""
    return {"deal": deal_data(game), **told_of(game)}


def dealt(ruleset: Ruleset, places: Sequence[SeatRow]) -> dict[str, Any]:
    """A new deal that nobody can guess, if nobody is missing any more."""
    if any(place.free for place in places):
        return {}
    return started(Game(ruleset, seats=[place.name or "" for place in places], auto=True))


def new_table(wanted: NewTable, guest: Guest, settings: Settings) -> tuple[TableRow, list[SeatRow]]:
    """The table that was asked for; one that cannot be is refused with a sentence."""
    ruleset = chosen_ruleset(wanted.ruleset)
    if len(wanted.seats) != ruleset.players:
        raise Refusal("refused", "seats", players=ruleset.players)
    if sum(seat.kind == "me" for seat in wanted.seats) > 1:
        raise Refusal("refused", "one_seat")
    places: list[SeatRow] = []
    taken = [guest.name]
    for number, seat in enumerate(wanted.seats):
        place = SeatRow(number, new_token())
        if seat.kind == "me":
            place = place._replace(guest=guest.id, name=guest.name)
        elif seat.kind == "bot":
            place = bot_on(place, seat.level, taken)
            taken.append(place.name or "")
        places.append(place)
    pace = chosen_pace(wanted.pace, settings.pace(wanted.pace), wanted.decision_seconds, wanted.reserve_seconds)
    times = None if pace is None else Times.new(pace, len(places)).to_dict()
    if wanted.rated:
        check_rated(settings, wanted.pace, places)
    row = table_row(ruleset, places, wanted.public, wanted.pace, times, wanted.show_seen_cards)
    row = row._replace(rating=DUE if wanted.rated else None)
    return row._replace(owner=guest.id if any(place.guest for place in places) else None), places


def table_row(
    ruleset: Ruleset,
    places: Sequence[SeatRow],
    public: bool,
    pace: str,
    clock: dict[str, Any] | None,
    show_seen: bool,
) -> TableRow:
    """A new table, which starts at once if nobody is missing."""
    row = unstarted(ruleset, show_seen)._replace(public=public, pace=pace, clock=clock)
    return row._replace(**dealt(ruleset, places))


def unstarted(ruleset: Ruleset, show_seen: bool) -> TableRow:
    """A private table without a clock, before its deal."""
    return TableRow(
        id=new_table_id(),
        created=now(),
        updated=now(),
        status="open",
        ruleset=ruleset.to_dict(),
        public=False,
        pace="none",
        show_seen_cards=show_seen,
    )


async def sit_down(
    table: Table, storage: Storage, guest: Guest, wanted: JoinRequest | None, visit: Visit | None = None
) -> SeatRow:
    """A guest takes a free seat, and if it was the last one the game starts; whoever sits already keeps their seat.

    A name that comes with it is theirs from now on. Until the start also those may choose another who sit already.
    """
    wanted = wanted or JoinRequest()
    own = table.seat_of(guest.id)
    if table.match is None and wanted.name is not None:
        free = None if own is not None else _free_seat(table, guest, wanted)
        if free is not None and table.row.rated:
            await check_profile(storage, guest.id)
        guest = guest._replace(name=_new_name(table, wanted.name, own), named=True)
        await storage.rename_guest(guest.id, guest.name)
        if own is not None:
            await table.save_seat(table.seats[own]._replace(name=guest.name))
            return table.seats[own]
        assert free is not None
        return await _take(table, storage, free, guest, visit)
    if own is not None:
        return table.seats[own]
    return await _take(table, storage, _free_seat(table, guest, wanted), guest, visit)


def _free_seat(table: Table, guest: Guest, wanted: JoinRequest) -> SeatRow:
    """The seat where a guest may sit down: one that is kept for them, else any that is kept for nobody."""
    if table.match is not None:
        raise Refusal("refused", "started")
    free = [place for place in table.seats if place.free and wanted.seat in (None, place.seat)]
    theirs = [place for place in free if not place.reserved or _is_kept_for(place, guest, wanted.invitation)]
    if free and not theirs:
        raise Refusal("refused", "seats_kept")
    if not free:
        raise Refusal("refused", "seats_taken" if wanted.seat is None else "seat_taken")
    return min(theirs, key=lambda place: not place.reserved)


def _is_kept_for(place: SeatRow, guest: Guest, invitation: str | None) -> bool:
    if place.reserved_for is not None and place.reserved_for == guest.id:
        return True
    return invitation is not None and secrets.compare_digest(place.token.encode(), invitation.encode())


def _new_name(table: Table, words: str, own: int | None) -> str:
    """The name somebody wants to have at the table; one that somebody else has is refused."""
    name = clean_name(words)
    if any(same_name(name, place.name or "") for place in table.seats if place.seat != own):
        raise Refusal("refused", "name_taken", name=name)
    return name


async def _take(table: Table, storage: Storage, free: SeatRow, guest: Guest, visit: Visit | Mark | None) -> SeatRow:
    if table.row.rated:
        await admit(storage, table.lease, table.seats, free.seat, guest.id, visit)
    name = distinct_name(guest.name, [place.name or "" for place in table.seats])
    token = new_token() if free.reserved else free.token  # whoever sent the invitation knows the old one
    place = SeatRow(free.seat, token, guest=guest.id, name=name)
    seats = [place if other.seat == place.seat else other for other in table.seats]
    changes = {"updated": now(), "owner": table.row.owner or guest.id, **dealt(table.ruleset, seats)}
    await storage.save_seat(table.lease, place, **changes)
    table.start(seats, changes)
    show_seats(table)
    return place


def show_seats(table: Table) -> None:
    """Let everybody look from where they sit now."""
    for viewer in table.viewers:
        own = table.seat_of(viewer.guest)
        if viewer.seat is None or table.seats[viewer.seat].guest is None:
            viewer.seat = own


async def stand_up(table: Table, storage: Storage, seat: int | None) -> None:
    """A guest leaves their seat before the game starts; the table goes with the last one."""
    if seat is None:
        raise not_your_seat()
    if table.match is not None:
        raise Refusal("refused", "leaving")
    await table.companions.renew(seat, None)
    leaving = table.seats[seat]
    changes = {"updated": now(), "owner": heir(table.row, leaving, table.seats)}
    place = leaving.emptied()
    await storage.save_seat(table.lease, place, **changes)
    table.start([place if other.seat == seat else other for other in table.seats], changes)
    show_seats(table)
    if all(other.guest is None for other in table.seats):
        await storage.delete_table(table.lease)
        table.vanish(no_such_table)


async def rematch(table: Table, storage: Storage, seat: int, guest: Guest, visit: Visit | None = None) -> str:
    """The table of the rematch: the first player to ask makes it, seats of the others are kept for them."""
    if table.status != "over":
        raise Refusal("refused", "rematch_yet")
    made = table.row.rematch  # everybody may leave it meanwhile
    if made is not None and await storage.exists(made):
        return made
    rated = table.row.rated and table.services.settings.ratings
    if rated:
        await check_profile(storage, guest.id)
    places = []
    for old in table.seats:
        place = SeatRow(old.seat, new_token(), level=old.level)
        if old.seat == seat:
            place = place._replace(guest=guest.id, name=guest.name)
        elif old.level is not None:
            place = place._replace(name=old.name)
        elif not is_former(old.name or ""):
            place = place._replace(reserved_for=old.guest, reserved_name=old.name)
        places.append(place)
    row = table.row
    old_times = table.clock.times
    times = None if old_times is None else Times.new(old_times.pace, len(places)).to_dict()
    new = table_row(table.ruleset, places, row.public, row.pace, times, row.show_seen_cards)
    new = new._replace(owner=guest.id, rating=DUE if rated else None)
    async with storage.writing(table.lease) as connection:
        await insert_table(connection, new, places)
        await connection.execute(tables.update().where(tables.c.id == row.id).values(rematch=new.id))
    table.row = row._replace(rematch=new.id)
    if rated:
        await admit(storage, new.id, places, seat, guest.id, visit)
    return new.id


async def claim(table: Table, storage: Storage, seat: int, guest: Guest, visit: Visit | Mark | None = None) -> SeatRow:
    """A player of the game before takes their seat at the rematch, even with another cookie."""
    own = table.seat_of(guest.id)
    if own is not None:
        return table.seats[own]
    place = table.seats[seat]
    if not place.free or table.match is not None:
        raise Refusal("refused", "seat_taken")
    return await _take(table, storage, place, guest, visit)
