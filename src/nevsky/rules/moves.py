"""Moves: decisions of a game as they were made."""

from __future__ import annotations

from typing import NamedTuple

from nevsky.cards import PILES
from nevsky.rules.actions import ACTIONS, Action
from nevsky.rules.explain import explain
from nevsky.rules.position import Position

__all__ = ["Move", "Played", "play_move"]


class Move(NamedTuple):
    """One decision of a game as it was made."""

    number: int
    """From 1."""
    round: int
    phase: str
    seat: int
    action: Action
    price: int | None
    """Rubles paid, only where a card was laid."""
    auto: bool
    """It was the only legal action and was made automatically (D1)."""


class Played(NamedTuple):
    """A move with the positions around it, which belong to nobody else but are not to be changed."""

    move: Move
    before: Position
    after: Position


def play_move(before: Position, number: int, action: int, auto: bool) -> Played:
    """Make a move on a copy. What is not legal raises."""
    after = before.copy()
    after.play(action)
    said = ACTIONS[action]
    price = explain(before, before.seat, said)
    move = Move(
        number=number,
        round=before.round,
        phase=PILES[before.phase],
        seat=before.seat,
        action=said,
        price=None if price is None else price.price,
        auto=auto,
    )
    return Played(move, before, after)
