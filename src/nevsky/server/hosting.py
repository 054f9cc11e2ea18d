"""What the owner of a table may change before the game starts: its seats, its rules and times, and when it starts."""

from __future__ import annotations

from typing import Any

from nevsky.rules.ruleset import Ruleset
from nevsky.server.actor import Table
from nevsky.server.clock import Times, chosen_pace
from nevsky.server.errors import Refusal
from nevsky.server.ids import new_token
from nevsky.server.owners import owner_seat
from nevsky.server.protocol import SeatChange, TableChange
from nevsky.server.ratings.at_table import admit, check_rated
from nevsky.server.ratings.marks import Visit
from nevsky.server.sanitize import clean_name
from nevsky.server.schema import DUE, SeatRow
from nevsky.server.seating import bot_on, chosen_ruleset, dealt, show_seats
from nevsky.server.storage import now

__all__ = ["change_seat", "change_table", "check_host", "start_now"]


def check_host(table: Table, seat: int | None) -> None:
    """Only the owner may, and only before the start."""
    if seat is None or seat != owner_seat(table.row, table.seats):
        raise Refusal("not_allowed", "owner")
    if table.match is not None:
        raise Refusal("refused", "started")


async def _store(table: Table, seats: list[SeatRow], changes: dict[str, Any]) -> None:
    """Keep the seats and what else has changed; if nobody is missing any more the game starts."""
    ruleset = Ruleset.from_dict(changes["ruleset"]) if "ruleset" in changes else table.ruleset
    changes = {"updated": now(), **changes, **dealt(ruleset, seats)}
    await table.services.storage.save_seats(table.lease, seats, **changes)
    table.start(seats, changes)
    show_seats(table)


async def change_seat(table: Table, host: int | None, number: int, wanted: SeatChange) -> None:
    """Put a bot on a seat, keep it for somebody, or leave it to everybody."""
    check_host(table, host)
    if not 0 <= number < len(table.seats):
        raise Refusal("refused", "replay_seat", last=len(table.seats) - 1)
    if number == host:
        raise Refusal("refused", "own_seat")
    place = table.seats[number].emptied()._replace(token=new_token())
    taken = [other.name or "" for other in table.seats if other.seat != number]
    if wanted.kind == "bot":
        _check_bots(table)
        place = bot_on(place, wanted.level, taken)
    elif wanted.kind == "reserved":
        place = place._replace(reserved_name=clean_name(wanted.name or ""))
    if table.seats[number].guest is not None:
        await _send_away(table, number)
    await _store(table, [place if other.seat == number else other for other in table.seats], {})


def _check_bots(table: Table) -> None:
    if table.row.rated:
        raise Refusal("refused", "rated_bots")


async def _send_away(table: Table, seat: int) -> None:
    """The owner gives somebody's seat to others: they are told, and may go on watching."""
    await table.companions.renew(seat, None)
    for viewer in table.viewers:
        if viewer.seat == seat:
            viewer.refuse(Refusal("refused", "seat_withdrawn"))


async def change_table(table: Table, host: int | None, wanted: TableChange, visit: Visit | None) -> None:
    """Play something else, with other times, or before other people."""
    check_host(table, host)
    ruleset = table.ruleset if wanted.ruleset is None else chosen_ruleset(wanted.ruleset)
    seats = _resized(table.seats, ruleset.players)
    changes: dict[str, Any] = {"ruleset": ruleset.to_dict(), **_times(table, wanted, len(seats))}
    if wanted.public is not None:
        changes["public"] = wanted.public
    if wanted.show_seen_cards is not None:
        changes["show_seen_cards"] = wanted.show_seen_cards
    if wanted.rated is not None and wanted.rated != table.row.rated:
        if any(place.guest is not None and place.seat != host for place in seats):
            raise Refusal("refused", "rated_others")
        changes["rating"] = DUE if wanted.rated else None
    if changes.get("rating", table.row.rating) is not None:
        check_rated(table.services.settings, changes["pace"], seats)
    if wanted.rated and not table.row.rated:
        assert host is not None
        guest = seats[host].guest or ""
        await admit(table.services.storage, table.lease, seats, host, guest, visit)
    await _store(table, seats, changes)


def _resized(seats: list[SeatRow], players: int) -> list[SeatRow]:
    """So many seats: new ones are free, and the last ones go, but never with a person."""
    if any(place.guest is not None for place in seats[players:]):
        raise Refusal("refused", "seats_needed", players=players)
    return [*seats[:players], *(SeatRow(number, new_token()) for number in range(len(seats), players))]


def _times(table: Table, wanted: TableChange, seats: int) -> dict[str, Any]:
    """The clock as it is stored; what is not said stays, or is as usual at a new pace."""
    pace = wanted.pace or table.row.pace
    now_set = table.clock.times
    usual = table.services.settings.pace(pace)
    if pace == table.row.pace and now_set is not None:
        usual = now_set.pace
    chosen = chosen_pace(pace, usual, wanted.decision_seconds, wanted.reserve_seconds)
    return {"pace": pace, "clock": None if chosen is None else Times.new(chosen, seats).to_dict()}


async def start_now(table: Table, host: int | None, level: str | None) -> None:
    """Wait for nobody: bots take the seats that are free."""
    check_host(table, host)
    _check_bots(table)
    seats = list(table.seats)
    for place in table.seats:
        if place.free:
            seats[place.seat] = bot_on(place, level, [other.name or "" for other in seats])
    await _store(table, seats, {})
