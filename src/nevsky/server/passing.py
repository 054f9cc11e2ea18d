"""Passing without being asked: until another card could be had, or until the phase ends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from nevsky.rules.view import View

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["AutoPassing", "PassWishes"]


class AutoPassing(NamedTuple):
    """A player's wish to pass, and what they knew when they said so."""

    until: str
    """``change`` or ``phase``."""
    round: int
    phase: str
    known: frozenset[str] | None
    """What they could have done instead; None until they are asked for the first time."""

    @classmethod
    def start(cls, until: str, view: View) -> AutoPassing:
        """Begin with the present view."""
        known = frozenset(view.legal) if view.to_move == view.seat and view.due == "turn" else None
        return cls(until, view.round, view.phase, known)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> AutoPassing:
        """Read what `to_dict` wrote."""
        known = data["known"]
        return cls(data["until"], data["round"], data["phase"], None if known is None else frozenset(known))

    def to_dict(self) -> dict[str, Any]:
        """The wish as it is stored."""
        return {**self._asdict(), "known": None if self.known is None else sorted(self.known)}

    def lasts(self, view: View) -> bool:
        """Whether it still holds."""
        if view.due is None or (view.round, view.phase) != (self.round, self.phase):
            return False
        if self.until == "phase" or view.to_move != view.seat or view.due != "turn" or self.known is None:
            return True
        return self.known >= set(view.legal)

    def passes(self, view: View) -> bool:
        """Whether this decision is answered with a pass."""
        return view.to_move == view.seat and view.due == "turn" and "pass" in view.legal


class PassWishes:
    """Who at a table passes without being asked. Wishes are stored with the seats, so they survive a restart."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._wishes: dict[int, AutoPassing] = {}

    def load(self) -> None:
        """Take over what is stored with the seats."""
        self._wishes = {each.seat: AutoPassing.from_dict(each.passing) for each in self._table.seats if each.passing}

    def get(self, seat: int | None) -> AutoPassing | None:
        """The wish of a seat."""
        return None if seat is None else self._wishes.get(seat)

    async def begin(self, seat: int, until: str, view: View) -> None:
        """A player passes from now on."""
        wish = AutoPassing.start(until, view)
        await self._save(seat, wish)
        self._wishes[seat] = wish

    async def end(self, seat: int) -> None:
        """A player wants to be asked again."""
        await self._save(seat, None)
        self._wishes.pop(seat, None)

    async def _save(self, seat: int, wish: AutoPassing | None) -> None:
        place = self._table.seats[seat]
        await self._table.save_seat(place._replace(passing=None if wish is None else wish.to_dict()))

    async def end_expired(self) -> None:
        """End the wishes that do not hold any more."""
        match = self._table.match
        for seat, wish in list(self._wishes.items()):
            if match is None or not wish.lasts(match.view(seat)):
                await self.end(seat)

    def passes(self, seat: int, view: View) -> bool:
        """Whether the seat passes now."""
        wish = self._wishes.get(seat)
        return wish is not None and wish.passes(view)
