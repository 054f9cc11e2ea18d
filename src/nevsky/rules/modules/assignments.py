"""Module 5, the Assignments (11.5), and the final scoring in steps that it and the Obstacles need."""

from __future__ import annotations

from nevsky.cards import KIND
from nevsky.rules.actions import ASSIGNMENT_0
from nevsky.rules.constants import (
    ASSIGNMENT,
    BLUE,
    EXCHANGE,
    F_CHOICE,
    FINAL,
    GREEN,
    KINDS,
    NONE,
    RED,
    V_ASSIGNMENT,
    YELLOW,
)
from nevsky.rules.modules.events import Events
from nevsky.rules.rng import Rng
from nevsky.rules.state import State
from nevsky.rules.tables import Tables

MARKET_CARD = KIND["market"]
CUSTOMS_HOUSE = KIND["customs_house"]
FIREHOUSE = KIND["firehouse"]
ASSIGNMENTS_BIT = 32
STEPWISE_BITS = 96
RICHEST = 6
"""The assignment that is settled first."""
F_NOBLES = 0
F_RICHEST = 2
F_ASSIGNMENT = 3
F_RUBLES = 4
F_HAND = 5


class Assignments(Events):
    """A game that may have assignments.

    ``assignments`` holds three numbers for each seat, ``chosen`` the one that a seat chose at the end. In the final
    scoring ``points`` stay where the track was; ``standing`` moves on, and the parts are kept for the result.
    """

    assignments: list[int]
    chosen: list[int]
    final: int
    standing: list[int]
    part_nobles: list[int]
    part_assignment: list[int]
    part_rubles: list[int]
    part_hand: list[int]

    def __init__(self, t: Tables, players: int, display: int) -> None:
        Events.__init__(self, t, players, display)
        self.assignments = [0] * 15
        self.chosen = [0] * 5
        self.final = 0
        self.standing = [0] * 5
        self.part_nobles = [0] * 5
        self.part_assignment = [0] * 5
        self.part_rubles = [0] * 5
        self.part_hand = [0] * 5

    def copy_into(self, c: State) -> None:
        Events.copy_into(self, c)
        assert isinstance(c, Assignments)
        o = c
        o.assignments = self.assignments[:]
        o.chosen = self.chosen[:]
        o.final = self.final
        o.standing = self.standing[:]
        o.part_nobles = self.part_nobles[:]
        o.part_assignment = self.part_assignment[:]
        o.part_rubles = self.part_rubles[:]
        o.part_hand = self.part_hand[:]

    def deal_tokens(self, rng: Rng, youngest: int) -> None:
        Events.deal_tokens(self, rng, youngest)
        if self.t.modules & ASSIGNMENTS_BIT:
            self.deal_assignments(rng)

    def deal_assignments(self, rng: Rng) -> None:
        """Three for each; with two players numbers 2, 8 and 15 stay in the box."""
        used = 0
        if self.n == 2:
            used = 1 << 2 | 1 << 8 | 1 << 15
        for i in range(3 * self.n):
            number = 1 + rng.draw(15)
            while used >> number & 1:
                number = 1 + rng.draw(15)
            used |= 1 << number
            self.assignments[i] = number

    def gain_points(self, seat: int, points: int) -> None:
        if self.final:
            self.standing[seat] += points
        else:
            self.points[seat] += points

    def finish(self) -> None:
        if not self.t.modules & STEPWISE_BITS:
            Events.finish(self)
            return
        self.final = 1
        self.stage = FINAL
        self.part = F_NOBLES
        self.asked = 0
        for seat in range(self.n):
            self.standing[seat] = self.points[seat]

    def final_step(self) -> int:
        """The final scoring part by part, each clockwise from the exchange phase's start player (8.2, 11.5)."""
        if self.asked == self.n:
            self.asked = 0
            self.part += 1
        if self.part > F_HAND:
            return Events.final_step(self)
        seat = (self.token[EXCHANGE] + self.asked) % self.n
        self.asked += 1
        if self.part == F_NOBLES:
            self.part_nobles[seat] = self.noble_points(seat)
            self.gain_points(seat, self.part_nobles[seat])
        elif self.part == F_CHOICE:
            if self.t.modules & ASSIGNMENTS_BIT:
                return self.ask(seat, ASSIGNMENT)
        elif self.part == F_RICHEST or self.part == F_ASSIGNMENT:
            if self.chosen[seat] and (self.chosen[seat] == RICHEST) == (self.part == F_RICHEST):
                self.part_assignment[seat] = self.assignment_points(seat, self.chosen[seat])
                self.gain_points(seat, self.part_assignment[seat])
        elif self.part == F_RUBLES:
            self.part_rubles[seat] = self.rubles[seat] // 10
            self.gain_points(seat, self.part_rubles[seat])
        else:
            self.part_hand[seat] = -5 * self.penalised_cards(seat)
            self.standing[seat] += self.part_hand[seat]
        return 0

    def final_points(self, seat: int) -> int:
        return self.standing[seat] if self.final else Events.final_points(self, seat)

    def tie_rubles(self, seat: int) -> int:
        if self.final:
            return self.rubles[seat] - 10 * self.part_rubles[seat]
        return Events.tie_rubles(self, seat)

    def list_other(self) -> int:
        if self.due == ASSIGNMENT:
            for i in range(3):
                self.legal_ids[i] = ASSIGNMENT_0 + self.assignments[self.seat * 3 + i] - 1
            return 3
        return Events.list_other(self)

    def do_other(self, number: int) -> None:
        if self.t.verb[number] == V_ASSIGNMENT:
            self.chosen[self.seat] = self.t.arg[number]
            self.proceed()
        else:
            Events.do_other(self, number)

    def markers(self, seat: int) -> int:
        """Goods in which the seat has a marker, that is a position of 1 or more."""
        found = 0
        for good in range(5):
            if self.goods[seat * 5 + good]:
                found += 1
        return found

    def best_marker(self, seat: int, without: int) -> int:
        """The good of the best position, other than one; NONE if there is no marker."""
        best = NONE
        for good in range(5):
            if good == without or self.goods[seat * 5 + good] == 0:
                continue
            if best == NONE or self.goods[seat * 5 + good] > self.goods[seat * 5 + best]:
                best = good
        return best

    def marker_position(self, seat: int, good: int) -> int:
        return 0 if good == NONE else self.goods[seat * 5 + good]

    def best_points(self, seat: int, colour: int) -> int:
        """The points of the best card of a colour."""
        best = 0
        for kind in range(KINDS):
            if (
                self.area[seat * KINDS + kind]
                and self.t.colour[kind] == colour
                and self.value_points(seat, kind) > best
            ):
                best = self.value_points(seat, kind)
        return best

    def exchange_cards(self, seat: int) -> int:
        found = 0
        for kind in range(KINDS):
            if self.t.exchange[kind]:
                found += self.area[seat * KINDS + kind]
        return found

    def cards_in_area(self, seat: int) -> int:
        return (
            self.count[seat * 5 + GREEN]
            + self.count[seat * 5 + YELLOW]
            + self.count[seat * 5 + BLUE]
            + self.count[seat * 5 + RED]
        )

    def assignment_points(self, seat: int, number: int) -> int:
        """What an assignment is worth now (11.5)."""
        if number == 1:
            return 2 * self.count[seat * 5 + RED]
        if number == 2:
            return 10 + self.count[seat * 5 + GREEN]
        if number == 3:
            return 2 * self.markers(seat) + self.marker_position(seat, self.best_marker(seat, NONE))
        if number == 4:
            best = self.best_marker(seat, NONE)
            return self.marker_position(seat, best) + self.marker_position(seat, self.best_marker(seat, best))
        if number == 5:
            small = self.named[seat * KINDS + MARKET_CARD] + self.named[seat * KINDS + CUSTOMS_HOUSE]
            return 3 * (small + self.named[seat * KINDS + FIREHOUSE])
        if number == 6:
            for other in range(self.n):
                if self.rubles[other] > self.rubles[seat]:
                    return 10
            return 20
        if number == 7:
            return 3 * self.different(seat, GREEN)
        if number == 8:
            more = 0
            for kind in range(KINDS):
                if self.named[seat * KINDS + kind] > 1:
                    more += self.named[seat * KINDS + kind] - 1
            return 2 * more
        if number == 9:
            return 2 * self.exchange_cards(seat)
        if number == 10:
            return 4 * self.best_points(seat, RED)
        if number == 11:
            return 3 * self.best_points(seat, BLUE)
        if number == 12:
            return 5 + self.cards_in_area(seat) // (6 - self.n if self.n < 4 else 2)
        if number == 13:
            return 2 * self.count[seat * 5 + YELLOW]
        if number == 14:
            return 2 * self.different(seat, BLUE)
        points = 0
        for kind in range(KINDS):
            if self.area[seat * KINDS + kind] and self.t.exchange[kind] and self.t.colour[kind] == BLUE:
                points += self.area[seat * KINDS + kind] * self.value_points(seat, kind)
        return 2 * points
