"""Whose table it is: who may change it before the game starts."""

from __future__ import annotations

from collections.abc import Sequence

from nevsky.server.schema import SeatRow, TableRow

__all__ = ["heir", "owner_seat"]


def owner_seat(row: TableRow, places: Sequence[SeatRow]) -> int | None:
    """The seat of the owner; of a table whose owner is gone it is that of the first person."""
    people = [place for place in places if place.guest is not None]
    return next((place.seat for place in people if place.guest == row.owner), people[0].seat if people else None)


def heir(row: TableRow, leaving: SeatRow, places: Sequence[SeatRow]) -> str | None:
    """The owner after somebody has left their seat."""
    if row.owner != leaving.guest:
        return row.owner
    return next((place.guest for place in places if place.guest is not None and place.seat != leaving.seat), None)
