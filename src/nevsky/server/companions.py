"""Guests who play a seat with its link: the same person on another device, or somebody whom they let play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nevsky.server.errors import Refusal
from nevsky.server.ids import new_token
from nevsky.server.schema import SeatRow, Stored, companions, seats
from nevsky.server.storage import moment

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["Companions"]

_MOST: Final = 8
"""Of one seat, as many as it can be open at once; the ninth takes the place of the oldest."""


class Companions:
    """Of one table."""

    def __init__(self, table: Table, stored: Stored) -> None:
        self._table = table
        self._seats = dict(stored.companions)
        """In the order in which they came."""

    def seat_of(self, guest: str | None) -> int | None:
        """The seat of a guest: their own, else the one whose link they have used."""
        if guest is None:
            return None
        own = next((place.seat for place in self._table.seats if place.guest == guest), None)
        return self._seats.get(guest) if own is None else own

    async def add(self, guest: str, seat: int) -> None:
        """A guest has come with the link of a seat, and finds the table among their own from now on."""
        if self.seat_of(guest) == seat:
            return
        table = self._table.row.id
        late = [other for other, where in self._seats.items() if where == seat][: 1 - _MOST]
        async with self._table.services.storage.writing(self._table.lease) as connection:
            gone = (companions.c.table_id == table) & companions.c.guest.in_([guest, *late])
            await connection.execute(companions.delete().where(gone))
            await connection.execute(companions.insert().values(table_id=table, guest=guest, seat=seat, at=moment()))
        for other in (guest, *late):
            self._seats.pop(other, None)
        self._seats[guest] = seat

    async def renew(self, seat: int, by: str | None) -> SeatRow:
        """Give a seat a new link: whoever came with the old one is sent away, but for its owner and whoever asks."""
        table, place = self._table, self._table.seats[seat]._replace(token=new_token())
        here = companions.c.table_id == table.row.id
        async with table.services.storage.writing(table.lease) as connection:
            which = (seats.c.table_id == table.row.id) & (seats.c.seat == seat)
            await connection.execute(seats.update().where(which).values(token=place.token))
            await connection.execute(companions.delete().where(here & (companions.c.seat == seat)))
        table.seats[seat] = place
        self._seats = {guest: where for guest, where in self._seats.items() if where != seat}
        if by is not None:
            await self.add(by, seat)
        why = Refusal("not_allowed", "link_renewed")
        for viewer in table.viewers:
            if viewer.seat == seat and (viewer.guest is None or viewer.guest not in (place.guest, by)):
                viewer.dismiss(why)
        return place
