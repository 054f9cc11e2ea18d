"""The assignments as plain data: they are the only secret that a module deals."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any

from nevsky.errors import NevskyError
from nevsky.rules.constants import F_CHOICE, SEATS
from nevsky.rules.course import FullPosition, whole_box
from nevsky.rules.modules.assignments.room import NUMBERS, PER_SEAT, ROOM, in_box
from nevsky.rules.modules.assignments.rules import Assignments
from nevsky.rules.part import Part, Restorer, per_seat, unreadable, whole
from nevsky.rules.position import Position
from nevsky.rules.rng import Rng
from nevsky.rules.ruleset import Ruleset

__all__ = ["PART", "chosen_number", "worth"]


def _state(p: FullPosition) -> Assignments:
    assert p.assignments is not None
    return p.assignments


def chosen_number(position: Position, seat: int) -> int:
    """The assignment that a seat has chosen, or 0."""
    full = whole_box(position)
    return 0 if full is None or full.assignments is None else full.assignments.chosen[seat]


def worth(position: Position, seat: int, number: int) -> int:
    """What an assignment would bring the seat now (11.5)."""
    full = whole_box(position)
    assert full is not None
    return _state(full).points(full, seat, number)


def _of_seat(numbers: Sequence[int], seat: int) -> list[int]:
    return list(numbers[PER_SEAT * seat : PER_SEAT * seat + PER_SEAT])


class AssignmentsPart(Part):
    """What each seat was dealt and has chosen."""

    number = ROOM.number
    dealt = ROOM.dealt

    def describe(self, p: FullPosition) -> dict[str, Any]:
        numbers = _state(p).dealt
        return {
            "assignments": [_of_seat(numbers, seat) for seat in range(p.n)],
            "chosen": [number or None for number in _state(p).chosen[: p.n]],
        }

    @property
    def restorers(self) -> dict[str, Restorer]:
        return {"assignments": _dealt, "chosen": _chosen}

    def check_deal(self, p: FullPosition, ruleset: Ruleset) -> None:
        if not set(_state(p).dealt[: PER_SEAT * p.n]) <= in_box(ruleset.players):
            raise NevskyError("deal.two_players")

    def hide(self, table: MutableMapping[str, Any], p: FullPosition, viewer: int | None) -> None:
        if not _state(p).are_open(p):
            for name in ("assignments", "chosen"):
                table[name] = [own if seat == viewer else None for seat, own in enumerate(table[name])]

    def final(self, p: FullPosition, seat: int) -> dict[str, Any]:
        return {"assignment": p.part_chosen[seat]}

    def redeal(self, data: MutableMapping[str, Any], table: Mapping[str, Any], ruleset: Ruleset, rng: Rng) -> None:
        """Known assignments stay, the others are dealt from what is left in the box."""
        known: list[list[int] | None] = table["assignments"]
        left = sorted(in_box(ruleset.players) - {number for own in known if own for number in own})
        rng.shuffle(left)
        dealt = [own if own is not None else [left.pop() for _ in range(PER_SEAT)] for own in known]
        data["assignments"] = dealt
        data["chosen"] = self._choose(data, table, ruleset, rng)

    def _choose(
        self, data: Mapping[str, Any], table: Mapping[str, Any], ruleset: Ruleset, rng: Rng
    ) -> list[int | None]:
        """Whoever has had their turn, clockwise from the exchange phase's start player, has chosen one of them."""
        chosen: list[int | None] = list(table["chosen"])
        flow = table["flow"]
        if flow["final"] and flow["part"] == F_CHOICE:
            done = flow["asked"] - (1 if data["due"] == ROOM.dues[0] else 0)
            for i in range(done):
                seat = (data["tokens"]["exchange"] + i) % ruleset.players
                if chosen[seat] is None:
                    chosen[seat] = data["assignments"][seat][rng.below(PER_SEAT)]
        return chosen


def _dealt(p: FullPosition, ruleset: Ruleset, value: Sequence[Sequence[int]]) -> None:
    numbers = [whole(number, 1, NUMBERS) for own in per_seat(ruleset, value) for number in own]
    if len(numbers) != PER_SEAT * ruleset.players or len(set(numbers)) != len(numbers):
        raise unreadable("assignments")
    _state(p).dealt = numbers + [0] * (PER_SEAT * SEATS - len(numbers))


def _chosen(p: FullPosition, ruleset: Ruleset, value: Sequence[int | None]) -> None:
    numbers = [whole(number or 0, 0, NUMBERS) for number in per_seat(ruleset, value)]
    dealt = _state(p).dealt
    for seat, number in enumerate(numbers):
        if number and number not in _of_seat(dealt, seat):
            raise unreadable("chosen assignments")
    _state(p).chosen = numbers + [0] * (SEATS - len(numbers))


PART = AssignmentsPart()
