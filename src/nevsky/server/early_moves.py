"""Moves that come before somebody has answered a secret question.

The player cannot know of the question and sees themselves to move, so the move waits until it is really their turn.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from nevsky.rules.actions import Action
from nevsky.server.errors import Refusal
from nevsky.server.viewer import Viewer

if TYPE_CHECKING:
    from nevsky.server.actor import Table

__all__ = ["EarlyMove", "EarlyMoves"]


class EarlyMove(NamedTuple):
    """A move that waits."""

    viewer: Viewer
    version: int
    action: Action


class EarlyMoves:
    """At most one for each seat."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._moves: dict[int, EarlyMove] = {}

    def __contains__(self, seat: int) -> bool:
        return seat in self._moves

    def keep(self, seat: int, move: EarlyMove) -> None:
        """Let a move wait."""
        self._moves[seat] = move

    def take(self, seat: int) -> EarlyMove:
        """The move of a seat whose turn has come."""
        return self._moves.pop(seat)

    def drop(self, seat: int) -> None:
        """A player has left."""
        self._moves.pop(seat, None)

    def clear(self) -> None:
        """Something was taken back."""
        self._moves.clear()

    def chosen(self, seat: int) -> Action | None:
        """What the player chose in time, if only somebody's secret answer kept it from happening."""
        match = self._table.match
        move = self._moves.pop(seat, None)
        if match is None or move is None or move.version != match.version(seat):
            return None
        try:
            match.check(seat, move.action)
        except Refusal:
            return None
        return move.action
