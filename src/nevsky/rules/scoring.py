"""Scoring a phase and the end of the game (sections 7 and 8)."""

from __future__ import annotations

from nevsky.rules.constants import BLUE, FIRST, GREEN, KINDS, MARIINSKY, OBSERVATORY, RED, TAX_MAN
from nevsky.rules.state import State


class Scoring(State):
    """A state that pays."""

    def gain_rubles(self, seat: int, rubles: int) -> None:
        self.rubles[seat] += rubles

    def gain_points(self, seat: int, points: int) -> None:
        self.points[seat] += points

    def variable_rubles(self, seat: int, colour: int) -> int:
        """Income that is counted at the moment of scoring (7.2)."""
        if colour == RED and self.area[seat * KINDS + TAX_MAN]:
            return self.count[seat * 5 + GREEN]
        if colour == BLUE and self.t.edition == FIRST and self.area[seat * KINDS + MARIINSKY]:
            return self.count[seat * 5 + RED]
        return 0

    def variable_points(self, seat: int, colour: int) -> int:
        """Points that are counted at the moment of scoring (7.2, 9.3)."""
        if colour != BLUE:
            return 0
        points = -self.down[seat]
        if self.t.edition != FIRST and self.area[seat * KINDS + MARIINSKY]:
            points += self.count[seat * 5 + RED]
        return points

    def value_rubles(self, seat: int, kind: int) -> int:
        """What one card of this kind would pay its owner now, in rubles."""
        if kind == TAX_MAN:
            return self.count[seat * 5 + GREEN]
        if kind == MARIINSKY and self.t.edition == FIRST:
            return self.count[seat * 5 + RED]
        return self.t.rubles[kind]

    def open_points(self, seat: int, kind: int) -> int:
        """What one card of this kind that lies open would bring its owner now, in points."""
        if kind == MARIINSKY and self.t.edition != FIRST:
            return self.count[seat * 5 + RED]
        return self.t.points[kind]

    def face_down(self, seat: int, kind: int) -> int:
        """How many of these cards lie face down (9.3)."""
        return self.down[seat] if kind == OBSERVATORY else 0

    def value_points(self, seat: int, kind: int) -> int:
        """What one card of this kind would bring its owner now, in points; nothing if none of the own ones counts."""
        points = self.open_points(seat, kind)
        if points and self.area[seat * KINDS + kind] and self.counting(seat, kind) == 0:
            return 0
        return points

    def counting(self, seat: int, kind: int) -> int:
        """How many of a seat's cards of this kind bring points: not those that lie face down (9.3)."""
        return self.area[seat * KINDS + kind] - self.face_down(seat, kind)

    def phase_rubles(self, seat: int, colour: int) -> int:
        return self.income_rubles[seat * 5 + colour] + self.variable_rubles(seat, colour)

    def phase_points(self, seat: int, colour: int) -> int:
        return self.income_points[seat * 5 + colour] + self.variable_points(seat, colour)

    def score_colour(self, seat: int, colour: int) -> None:
        """Every card of the colour pays its rubles and points (7.1)."""
        self.gain_rubles(seat, self.phase_rubles(seat, colour))
        self.gain_points(seat, self.phase_points(seat, colour))

    def different_nobles(self, seat: int) -> int:
        """Red cards of different names (8.2)."""
        return self.different(seat, RED)

    def different(self, seat: int, colour: int) -> int:
        """Cards of a colour, each name once."""
        found = 0
        for kind in range(self.t.names_from[colour], self.t.names_to[colour]):
            if self.named[seat * KINDS + kind] and self.t.colour[kind] == colour:
                found += 1
        return found

    def noble_points(self, seat: int) -> int:
        nobles = self.different_nobles(seat)
        if nobles > 10:
            nobles = 10
        return nobles * (nobles + 1) // 2

    def penalised_cards(self, seat: int) -> int:
        """Cards on the hand that cost 5 points each at the end (8.2)."""
        return self.hand_n[seat]

    def tie_rubles(self, seat: int) -> int:
        """The rubles that break a tie (8.4, D8)."""
        if self.t.edition == FIRST:
            return self.rubles[seat]
        return self.rubles[seat] % 10

    def final_points(self, seat: int) -> int:
        """The score after the final scoring (8.2)."""
        return self.points[seat] + self.noble_points(seat) + self.rubles[seat] // 10 - 5 * self.penalised_cards(seat)
