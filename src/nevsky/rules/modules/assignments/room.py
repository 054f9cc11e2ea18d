"""The assignments by number, and which of them are in the box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nevsky.rules.action import Action, plain_block
from nevsky.rules.room import Room

if TYPE_CHECKING:
    from nevsky.rules.possible import Box

NUMBERS = 15
PER_SEAT = 3
NOT_FOR_TWO = (2, 8, 15)
"""With two players these stay in the box (11.5)."""
RICHEST = 6
"""The assignment that is settled first."""


def in_box(players: int) -> frozenset[int]:
    """The numbers that can be dealt."""
    return frozenset(range(1, NUMBERS + 1)) - (set(NOT_FOR_TWO) if players == 2 else set())


def possible(box: Box, action: Action) -> bool:
    """Only what can be dealt can be chosen."""
    return action.number in in_box(box.ruleset.players)


ROOM = Room(
    number=5,
    id="assignments",
    name="Assignments",
    needs_market=True,
    dues=("assignment",),
    secret_dues=("assignment",),
    blocks=(
        plain_block(
            "ASSIGNMENT",
            "assignment",
            "choose an assignment",
            [(Action("assignment", number=number), number) for number in range(1, NUMBERS + 1)],
        ),
    ),
    dealt="assignments",
    possible=possible,
)
