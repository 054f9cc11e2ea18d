"""Rewards on the way in the games of a batch: `Shaper` for compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nevsky.envs.options import SCORE_UNIT
from nevsky.rules.course import FullPosition
from nevsky.rules.position import Position

if TYPE_CHECKING:
    from nevsky.envs.batch_arrays import Arrays, Options

__all__ = ["Wages"]

BY_LEAD = 0
LOWEST = -2000000000


class Wages:
    """Pays seats that are asked, from one of their decisions to the next, discounted potential there less here."""

    players: int
    how: int
    discount: float
    before: memoryview[float]
    begun: memoryview[int]
    rewarded: memoryview[float]

    def __init__(self, options: Options, arrays: Arrays) -> None:
        self.players = options.ruleset.players
        self.how = options.shaping
        self.discount = options.discount
        views = arrays.views()
        self.before = views["potentials"]
        self.begun = views["begun"]
        self.rewarded = views["rewards"]

    def begin(self, i: int) -> None:
        """A new game."""
        for seat in range(self.players):
            self.begun[i, seat] = 0
            self.before[i, seat] = 0.0

    def decides(self, i: int, p: Position, full: FullPosition | None, seat: int) -> None:
        """The seat has to decide: it is paid for the way from its last decision to here."""
        now = self.potential(p, full, seat)
        if self.begun[i, seat]:
            self.rewarded[i, seat] = self.discount * now - self.before[i, seat]
        self.begun[i, seat] = 1
        self.before[i, seat] = now

    def ends(self, i: int) -> None:
        """The game is over: whoever has decided is paid for the way from there to the end, which has no potential."""
        for seat in range(self.players):
            if self.begun[i, seat]:
                self.rewarded[i, seat] -= self.before[i, seat]

    def potential(self, p: Position, full: FullPosition | None, seat: int) -> float:
        """How well the seat stands."""
        own = 0
        best = LOWEST
        whole = 0
        for other in range(self.players):
            points = self.standing(p, full, other)
            if other == seat:
                own = points
            elif points > best:
                best = points
            if points > 0:
                whole += points
        if self.how == BY_LEAD:
            return (own - best) / (1.0 * SCORE_UNIT)
        if whole == 0:
            return 0.0
        return (own if own > 0 else 0) / (1.0 * whole) - 1.0 / self.players

    def standing(self, p: Position, full: FullPosition | None, seat: int) -> int:
        """Points on the track and for nobles, which everybody sees."""
        if full is not None and full.final:
            return p.points[seat] + full.part_nobles[seat]
        return p.points[seat] + p.noble_points(seat)
