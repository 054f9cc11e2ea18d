"""The assignments in play (11.5)."""

from __future__ import annotations

from typing import Annotated

from nevsky.cards import KIND
from nevsky.rules.actions import STARTS
from nevsky.rules.constants import BLUE, DUES, F_CHOICE, GREEN, KINDS, NONE, RED, SEATS, YELLOW
from nevsky.rules.fields import Fields
from nevsky.rules.market import Market
from nevsky.rules.modules.assignments.room import NOT_FOR_TWO, NUMBERS, PER_SEAT, RICHEST
from nevsky.rules.rng import Rng

MARKET_CARD = KIND["market"]
CUSTOMS_HOUSE = KIND["customs_house"]
FIREHOUSE = KIND["firehouse"]
ASSIGNMENT = DUES.index("assignment")
ASSIGNMENT_1 = STARTS["ASSIGNMENT"]
KEPT_BACK = sum(1 << number for number in NOT_FOR_TWO)


class Assignments(Fields):
    """``dealt`` holds the numbers of each seat, ``chosen`` the one that a seat chose at the end."""

    dealt: Annotated[list[int], SEATS * PER_SEAT]
    chosen: Annotated[list[int], SEATS]

    def __init__(self) -> None:
        self.clear_fields()

    def copied(self, c: Assignments | None) -> Assignments:  # c: gil
        """This state, in ``c`` if there is one."""
        if c is None:
            c = Assignments.__new__(Assignments)
        self.copy_fields(c, Assignments)
        return c

    def deal(self, p: Market, rng: Rng) -> None:
        """Three for each; with two players some stay in the box."""
        used = KEPT_BACK if p.n == 2 else 0
        for i in range(PER_SEAT * p.n):
            number = self.draw(used, rng)
            used |= 1 << number
            self.dealt[i] = number

    def draw(self, used: int, rng: Rng) -> int:
        """A number that is not used yet."""
        number = 1 + rng.draw(NUMBERS)
        while used >> number & 1:
            number = 1 + rng.draw(NUMBERS)
        return number

    def are_open(self, p: Market) -> int:  # c: both
        """Whether all have chosen, so that assignments are no secret any more."""
        return 1 if p.due < 0 or (p.final and p.part > F_CHOICE) else 0

    def deal_secrets(self, p: Market, viewer: int, rng: Rng) -> None:
        """Deal the others' assignments anew, and for each who has chosen one of them (12.2)."""
        if self.are_open(p):
            return
        used = KEPT_BACK if p.n == 2 else 0
        if viewer >= 0:
            for i in range(viewer * PER_SEAT, viewer * PER_SEAT + PER_SEAT):
                used |= 1 << self.dealt[i]
        for seat in range(p.n):
            if seat == viewer:
                continue
            for i in range(seat * PER_SEAT, seat * PER_SEAT + PER_SEAT):
                number = self.draw(used, rng)
                used |= 1 << number
                self.dealt[i] = number
            if self.chosen[seat]:
                self.chosen[seat] = self.dealt[seat * PER_SEAT + rng.draw(PER_SEAT)]

    def ask_final(self, p: Market, seat: int) -> int:
        """Each chooses one of the three (11.5)."""
        return p.ask(seat, ASSIGNMENT)

    def list_choices(self, p: Market) -> int:
        """The legal actions of this module's decision."""
        for i in range(PER_SEAT):
            p.legal_ids[i] = ASSIGNMENT_1 + self.dealt[p.seat * PER_SEAT + i] - 1
        return PER_SEAT

    def do(self, p: Market, number: int) -> None:
        """Carry out an action of this module."""
        self.chosen[p.seat] = p.t.arg[number]
        p.proceed()

    def chosen_points(self, p: Market, seat: int, early: int) -> int:
        """The points for the chosen assignment, in the step in which it is settled."""
        number = self.chosen[seat]
        if number == 0 or (number == RICHEST) != (early == 1):
            return 0
        return self.points(p, seat, number)

    def best_points(self, p: Market, seat: int, colour: int) -> int:
        """The points of the best card of a colour."""
        best = 0
        for kind in range(KINDS):
            if p.area[seat * KINDS + kind] and p.t.colour[kind] == colour and p.value_points(seat, kind) > best:
                best = p.value_points(seat, kind)
        return best

    def points(self, p: Market, seat: int, number: int) -> int:  # c: both
        """What an assignment is worth now (11.5)."""
        if number <= 4:
            return self.points_for_markers(p, seat, number)
        if number <= 9:
            return self.points_for_names(p, seat, number)
        if number == 10:
            return 4 * self.best_points(p, seat, RED)
        if number == 11:
            return 3 * self.best_points(p, seat, BLUE)
        if number == 12:
            cards = p.count[seat * 5 + GREEN] + p.count[seat * 5 + YELLOW]
            cards += p.count[seat * 5 + BLUE] + p.count[seat * 5 + RED]
            return 5 + cards // (6 - p.n if p.n < 4 else 2)
        if number == 13:
            return 2 * p.count[seat * 5 + YELLOW]
        if number == 14:
            return 2 * p.different(seat, BLUE)
        points = 0
        for kind in range(KINDS):
            if p.area[seat * KINDS + kind] and p.t.exchange[kind] and p.t.colour[kind] == BLUE:
                points += p.counting(seat, kind) * p.open_points(seat, kind)
        return 2 * points

    def points_for_markers(self, p: Market, seat: int, number: int) -> int:
        if number == 1:
            return 2 * p.count[seat * 5 + RED]
        if number == 2:
            return 10 + p.count[seat * 5 + GREEN]
        best = p.best_marker(seat, NONE)
        if number == 3:
            return 2 * p.markers(seat) + p.marker_position(seat, best)
        return p.marker_position(seat, best) + p.marker_position(seat, p.best_marker(seat, best))

    def points_for_names(self, p: Market, seat: int, number: int) -> int:
        if number == 5:
            small = p.named[seat * KINDS + MARKET_CARD] + p.named[seat * KINDS + CUSTOMS_HOUSE]
            return 3 * (small + p.named[seat * KINDS + FIREHOUSE])
        if number == RICHEST:
            for other in range(p.n):
                if p.rubles[other] > p.rubles[seat]:
                    return 10
            return 20
        if number == 7:
            return 3 * p.different(seat, GREEN)
        if number == 9:
            return 2 * p.exchange_cards(seat, NONE)
        more = 0
        for kind in range(KINDS):
            if p.named[seat * KINDS + kind] > 1:
                more += p.named[seat * KINDS + kind] - 1
        return 2 * more
