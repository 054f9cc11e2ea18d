"""The whole box: a position with the Market and any modules."""

from __future__ import annotations

from nevsky.rules.constants import F_CHOICE
from nevsky.rules.modules.obstacles import Obstacles


class FullPosition(Obstacles):
    """The topmost layer: a position of any ruleset."""

    def copy(self) -> FullPosition:
        """An independent copy."""
        c = FullPosition.__new__(FullPosition)
        self.copy_into(c)
        return c

    def final_parts(self, seat: int) -> tuple[int, int, int]:
        """Points of the final scoring: for nobles, for rubles, and minus points for the hand."""
        if self.final:
            return self.part_nobles[seat], self.part_rubles[seat], self.part_hand[seat]
        return Obstacles.final_parts(self, seat)

    def stuck_at(self, seat: int) -> int:
        """The space of the real obstacle right before which the seat stands unready, or -1."""
        return self.stopped(seat)

    def assignments_open(self) -> bool:
        """Whether all have chosen, so that assignments are no secret any more."""
        return self.final != 0 and self.part > F_CHOICE

    def value(self, seat: int, kind: int) -> tuple[int, int]:
        """Rubles and points that one card of this kind would pay its owner now."""
        return self.value_rubles(seat, kind), self.value_points(seat, kind)

    def assignment_worth(self, seat: int, number: int) -> int:
        """What an assignment would bring the seat now (11.5)."""
        return self.assignment_points(seat, number)

    def arrange_tile(self, card: int, seat: int, good: int) -> None:
        """Arrange a good tile on a "?" card: 0 the ship builder, 1 Czar & Carpenter."""
        self.give_tile(card, seat, good)

    def arrange_cover(self, seat: int, kind: int) -> None:
        """Arrange the chip of the Money Collector on a card."""
        self.cover(seat, kind)

    def arrange_assistant(self, which: int, seat: int) -> None:
        """Arrange an assistant at a seat."""
        self.place_assistant(which, seat)

    def arrange_prison(self, seat: int, down: int) -> None:
        """Arrange the Debtors' Prison face down."""
        self.turn_prison(seat, down)
