"""The obstacles in play (11.6)."""

from __future__ import annotations

from typing import Annotated

from nevsky.rules.actions import STARTS, VERBS
from nevsky.rules.constants import BLUE, DUES, GREEN, KINDS, NONE, RED, SEATS
from nevsky.rules.fields import Fields
from nevsky.rules.market import Market
from nevsky.rules.modules.obstacles.room import (
    FIRST_REAL,
    NEEDED,
    NEEDED_POSITION,
    QUEUE_ROOM,
    SPACES,
    STANDARD_REAL,
    TILES,
)
from nevsky.rules.rng import Rng

B1 = 0
B2 = 1
B3 = 2
B4 = 3
B5 = 4
R1 = 5
R2 = 6
R3 = 7
R4 = 8
R5 = 9
NUMBER = 5
"""Spaces with a tile, tiles of each sort."""
STANDARD_PLACES = sum(1 << space for space in STANDARD_REAL)
assert TILES[R1] == "R1" and FIRST_REAL == R1

BONUS = DUES.index("bonus")
BONUS_0 = STARTS["BONUS"]
BONUS_CARD = STARTS["BONUS_CARD"]
BONUS_GOOD = STARTS["BONUS_GOOD"]
V_BONUS_CARD = VERBS["bonus_card"]
V_BONUS_GOOD = VERBS["bonus_good"]


class Obstacles(Fields):
    """``tile`` is what lies on each of the five spaces, bonus tiles 0 to 4 and real ones 5 to 9.

    ``passed`` has a bit for each space a seat is done with; ``bonus`` is a queue per seat of spaces whose bonus is
    still to be paid, ``waiting`` their number at the whole table; ``lost`` are points that could not be moved. ``real``
    is the number of real tiles that was asked for, or NONE. ``space``, ``needed`` and ``needed_position`` are tables of
    the room, for compiled code to read.
    """

    tile: Annotated[list[int], NUMBER]
    passed: Annotated[list[int], SEATS]
    bonus: Annotated[list[int], SEATS * QUEUE_ROOM]
    bonus_n: Annotated[list[int], SEATS]
    waiting: int
    lost: Annotated[list[int], SEATS]
    real: int
    space: Annotated[list[int], NUMBER]
    needed: Annotated[list[int], NUMBER * NUMBER]
    needed_position: Annotated[list[int], NUMBER]

    def __init__(self, real: int | None) -> None:
        self.clear_fields()
        self.real = NONE if real is None else real
        for i in range(NUMBER):
            self.tile[i] = NONE
            self.space[i] = SPACES[i]
            self.needed_position[i] = NEEDED_POSITION[i]
            for j in range(NUMBER):
                self.needed[i * NUMBER + j] = NEEDED[TILES[R1 + i]][j]

    def copied(self, c: Obstacles | None) -> Obstacles:  # c: gil
        """This state, in ``c`` if there is one."""
        if c is None:
            c = Obstacles.__new__(Obstacles)
        self.copy_fields(c, Obstacles)
        return c

    def deal(self, rng: Rng) -> None:
        """Standard: bonus tiles at 10, 50, 70 and real ones at 20, 35; variant: so many real ones anywhere (11.6 a)."""
        places = STANDARD_PLACES
        if self.real >= 0:
            places = 0
            for _ in range(self.real):
                space = rng.draw(NUMBER)
                while places >> space & 1:
                    space = rng.draw(NUMBER)
                places |= 1 << space
        used = 0
        for space in range(NUMBER):
            first = R1 if places >> space & 1 else B1
            tile = first + rng.draw(NUMBER)
            while used >> tile & 1:
                tile = first + rng.draw(NUMBER)
            used |= 1 << tile
            self.tile[space] = tile

    def move(self, p: Market, seat: int, points: int) -> int:
        """How far a gain goes along the track: tiles that are met pay afterwards, a real one not mastered stops it.

        11.6 c, d.
        """
        start = p.standing[seat] if p.final else p.points[seat]
        end = start + points
        for space in range(NUMBER):
            if self.passed[seat] >> space & 1:
                continue
            at = self.space[space]
            if self.tile[space] < R1:
                if end < at:
                    break
            else:
                if end < at - 1:
                    break
                if not self.mastered(p, seat, space):
                    self.lost[seat] += end - (at - 1)
                    end = at - 1
                    break
            self.passed[seat] |= 1 << space
            self.bonus[seat * QUEUE_ROOM + self.bonus_n[seat]] = space
            self.bonus_n[seat] += 1
            self.waiting += 1
        return end - start

    def mastered(self, p: Market, seat: int, space: int) -> int:
        """Whether the seat meets the condition of the real obstacle on a space (11.6 c)."""
        tile = self.tile[space]
        needed = self.needed[(tile - R1) * NUMBER + space]
        has = 0
        if tile == R1:
            has = p.different(seat, GREEN)
        elif tile == R2:
            if p.marker_position(seat, p.best_marker(seat, NONE)) >= self.needed_position[space]:
                has = p.markers(seat)
        elif tile == R3:
            has = p.count[seat * 5 + BLUE]
        elif tile == R4:
            has = p.count[seat * 5 + RED]
        elif needed:
            has = p.exchange_cards(seat, NONE)
        else:
            green = p.exchange_cards(seat, GREEN)
            return 1 if green and p.exchange_cards(seat, RED) and p.exchange_cards(seat, BLUE) else 0
        return 1 if has >= needed else 0

    def stopped(self, p: Market, seat: int) -> int:  # c: both
        """The space of the real obstacle right before which the seat stands unready, or NONE."""
        score = p.standing[seat] - p.part_hand[seat] if p.final else p.points[seat]
        for space in range(NUMBER):
            if not self.passed[seat] >> space & 1:
                if self.tile[space] < R1 or self.mastered(p, seat, space):
                    return NONE
                return space if score == self.space[space] - 1 else NONE
        return NONE

    def ask_pending(self, p: Market) -> int:
        """Pay the bonuses of tiles that were met, in order; ask where there is a choice."""
        if self.waiting == 0:
            return 0
        for seat in range(p.n):
            while self.bonus_n[seat]:
                if self.list_bonus(p, seat):
                    return p.ask(seat, BONUS)
                tile = self.tile[self.bonus[seat * QUEUE_ROOM]]
                self.next_bonus(seat)
                self.pay_bonus(p, seat, tile)
        return 0

    def next_bonus(self, seat: int) -> None:
        self.bonus_n[seat] -= 1
        self.waiting -= 1
        for i in range(self.bonus_n[seat]):
            self.bonus[seat * QUEUE_ROOM + i] = self.bonus[seat * QUEUE_ROOM + i + 1]

    def pay_bonus(self, p: Market, seat: int, tile: int) -> None:
        """The part of a bonus that asks for no choice (11.6 b, c)."""
        if tile == B1 or tile == R4:
            p.gain_points(seat, p.count[seat * 5 + RED])
        elif tile == B2 or tile == R3:
            p.gain_rubles(seat, p.count[seat * 5 + BLUE])
        elif tile == B4:
            p.gain_rubles(seat, p.exchange_cards(seat, NONE))
            p.gain_points(seat, p.exchange_cards(seat, NONE))
        elif tile == R2:
            p.gain_points(seat, p.markers(seat))
        elif tile == R5:
            p.gain_points(seat, 2 * p.exchange_cards(seat, NONE))

    def list_bonus(self, p: Market, seat: int) -> int:
        """List the choices of the seat's next bonus; none if it asks for no choice or has nothing to choose from."""
        tile = self.tile[self.bonus[seat * QUEUE_ROOM]]
        n = 0
        if tile == B3:
            if p.markers(seat):
                p.legal_ids[0] = BONUS_0
                p.legal_ids[1] = BONUS_0 + 1
                return 2
        elif tile == R2:
            for good in range(5):
                if p.goods[seat * 5 + good]:
                    p.legal_ids[n] = BONUS_GOOD + good
                    n += 1
        elif tile == B5 or tile == R3 or tile == R4:
            for kind in range(KINDS):
                if p.area[seat * KINDS + kind] == 0:
                    continue
                if (tile == R3 and p.t.colour[kind] != BLUE) or (tile == R4 and p.t.colour[kind] != RED):
                    continue
                if tile != R3 and p.value_rubles(seat, kind) > 0:
                    p.legal_ids[n] = BONUS_CARD + 2 * kind
                    n += 1
                if tile != R4 and p.value_points(seat, kind) > 0:
                    p.legal_ids[n] = BONUS_CARD + 2 * kind + 1
                    n += 1
        return n

    def list_choices(self, p: Market) -> int:
        """The legal actions of this module's decision."""
        return self.list_bonus(p, p.seat)

    def do(self, p: Market, number: int) -> None:
        """Carry out an action of this module."""
        verb = p.t.verb[number]
        seat = p.seat
        tile = self.tile[self.bonus[seat * QUEUE_ROOM]]
        self.next_bonus(seat)
        gain = p.markers(seat)
        if verb == V_BONUS_GOOD:
            gain = p.goods[seat * 5 + p.t.arg[number]]
        elif verb == V_BONUS_CARD:
            kind = p.t.card[number]
            gain = p.value_points(seat, kind) if p.t.points_wanted[number] else p.value_rubles(seat, kind)
        if p.t.points_wanted[number]:
            self.pay_bonus(p, seat, tile)
            p.gain_points(seat, gain)
        else:
            p.gain_rubles(seat, gain)
            self.pay_bonus(p, seat, tile)
        p.proceed()
