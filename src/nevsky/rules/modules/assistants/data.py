"""The assistants as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nevsky.cards import COLOURS
from nevsky.errors import NevskyError
from nevsky.rules.constants import NONE
from nevsky.rules.course import FullPosition
from nevsky.rules.modules.assistants.room import (
    ASSISTANTS,
    IN_PLAY,
    MASTER_CRAFTSMAN,
    MISTRESS_OF_THE_MANOR,
    REDUCED,
    REDUCTION,
    ROOM,
)
from nevsky.rules.modules.assistants.rules import Assistants
from nevsky.rules.part import Part, Restorer, seat_number
from nevsky.rules.price import Reduction
from nevsky.rules.ruleset import Ruleset

__all__ = ["PART"]


def _state(p: FullPosition) -> Assistants:
    assert p.assistants is not None
    return p.assistants


class AssistantsPart(Part):
    """Who has which assistant."""

    number = ROOM.number
    dealt = ROOM.dealt

    def describe(self, p: FullPosition) -> dict[str, Any]:
        seats = _state(p).seat
        return {"assistants": {name: seat for name, seat in zip(ASSISTANTS, seats, strict=True) if seat != NONE}}

    @property
    def restorers(self) -> dict[str, Restorer]:
        return {"assistants": _restore}

    def check_deal(self, p: FullPosition, ruleset: Ruleset) -> None:
        n, seats = ruleset.players, _state(p).seat
        right = {MISTRESS_OF_THE_MANOR: (p.token[1] - 1) % n} if n >= 4 else {}
        if n == 5:
            right[MASTER_CRAFTSMAN] = (p.token[0] - 1) % n
        present = tuple(i for i, seat in enumerate(seats) if seat != NONE)
        dealt = {seats[i] for i in present}
        if present != IN_PLAY[n] or len(dealt) != n or any(seats[i] != seat for i, seat in right.items()):
            raise NevskyError("deal.assistants")

    def reductions(self, p: FullPosition, seat: int, kind: int) -> list[Reduction]:
        kinds = {COLOURS[p.t.colour[kind]], "exchange" if p.t.exchange[kind] else ""}
        return [
            Reduction(name, rubles)
            for name, holder, reduced, rubles in zip(ASSISTANTS, _state(p).seat, REDUCED, REDUCTION, strict=True)
            if holder == seat and reduced in kinds
        ]


def _restore(p: FullPosition, ruleset: Ruleset, value: Mapping[str, int]) -> None:
    for name, seat in value.items():
        _state(p).place(p, ASSISTANTS.index(name), seat_number(ruleset, seat))


PART = AssistantsPart()
