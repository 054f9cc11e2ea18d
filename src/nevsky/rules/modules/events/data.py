"""The events as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from nevsky.rules.constants import NONE
from nevsky.rules.course import FullPosition
from nevsky.rules.modules.events.room import EVENTS, ROOM
from nevsky.rules.modules.events.rules import Events
from nevsky.rules.part import Part, Restorer, per_seat, seat_number, unreadable
from nevsky.rules.ruleset import Ruleset

__all__ = ["PART"]


def _state(p: FullPosition) -> Events:
    assert p.events is not None
    return p.events


class EventsPart(Part):
    """Which events are left, who has used one, and who keeps the Storeroom."""

    number = ROOM.number
    flow_names = ("stack", "first_space")

    def describe(self, p: FullPosition) -> dict[str, Any]:
        own = _state(p)
        return {
            "events_left": [event for i, event in enumerate(EVENTS) if own.left >> i & 1],
            "events_used": [bool(own.used >> seat & 1) for seat in range(p.n)],
            "storeroom": own.storeroom_seat if own.storeroom_seat != NONE else None,
        }

    def state(self, p: FullPosition) -> Events:
        return _state(p)

    @property
    def restorers(self) -> dict[str, Restorer]:
        return {"events_left": _left, "events_used": _used, "storeroom": _storeroom}

    def restore_flow(self, p: FullPosition, flow: Mapping[str, int]) -> None:
        _state(p).first_space = int(p.row_n[1] > 0)
        super().restore_flow(p, flow)
        if not 0 <= _state(p).stack <= p.row_n[1]:
            raise unreadable("flow")


def _left(p: FullPosition, _: Ruleset, value: Sequence[str]) -> None:
    _state(p).left = sum(1 << EVENTS.index(event) for event in set(value))


def _used(p: FullPosition, ruleset: Ruleset, value: Sequence[bool]) -> None:
    _state(p).used = sum(1 << seat for seat, used in enumerate(per_seat(ruleset, value)) if used)


def _storeroom(p: FullPosition, ruleset: Ruleset, value: int) -> None:
    seat = seat_number(ruleset, value)
    _state(p).storeroom_seat = seat
    limits = p.hand_limit
    limits[seat] += 1
    p.hand_limit = limits


PART = EventsPart()
