"""Module 6, the Obstacles (11.6): tiles on the score track that pay, or stop whoever is not ready."""

from __future__ import annotations

from nevsky.rules.actions import BONUS_0, BONUS_CARD, BONUS_GOOD
from nevsky.rules.constants import BLUE, BONUS, GREEN, KINDS, NONE, QUEUE_ROOM, RED, V_BONUS, V_BONUS_CARD, V_BONUS_GOOD
from nevsky.rules.modules.assignments import Assignments
from nevsky.rules.rng import Rng
from nevsky.rules.state import State
from nevsky.rules.tables import Tables

OBSTACLES_BIT = 64
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


class Obstacles(Assignments):
    """A game that may have obstacles.

    ``obstacle`` is the tile on each of the five spaces, bonus tiles 0 to 4 and real ones 5 to 9; ``passed`` has a bit
    for each space a seat is done with; ``bonus`` is a queue per seat of spaces whose bonus is still to be paid.
    """

    obstacle: list[int]
    passed: list[int]
    bonus: list[int]
    bonus_n: list[int]
    lost: list[int]

    def __init__(self, t: Tables, players: int, display: int) -> None:
        Assignments.__init__(self, t, players, display)
        self.obstacle = [-1] * 5
        self.passed = [0] * 5
        self.bonus = [0] * 40
        self.bonus_n = [0] * 5
        self.lost = [0] * 5

    def copy_into(self, c: State) -> None:
        Assignments.copy_into(self, c)
        assert isinstance(c, Obstacles)
        o = c
        o.obstacle = self.obstacle[:]
        o.passed = self.passed[:]
        o.bonus = self.bonus[:]
        o.bonus_n = self.bonus_n[:]
        o.lost = self.lost[:]

    def deal_tokens(self, rng: Rng, youngest: int) -> None:
        Assignments.deal_tokens(self, rng, youngest)
        if self.t.modules & OBSTACLES_BIT:
            self.deal_obstacles(rng, self.t.real_obstacles)

    def deal_obstacles(self, rng: Rng, real: int) -> None:
        """Standard: bonus tiles at 10, 50, 70 and real ones at 20, 35; variant: so many real ones anywhere (11.6 a)."""
        places = 6  # the bits of spaces 20 and 35
        if real >= 0:
            places = 0
            for _ in range(real):
                space = rng.draw(5)
                while places >> space & 1:
                    space = rng.draw(5)
                places |= 1 << space
        used = 0
        for space in range(5):
            first = R1 if places >> space & 1 else B1
            tile = first + rng.draw(5)
            while used >> tile & 1:
                tile = first + rng.draw(5)
            used |= 1 << tile
            self.obstacle[space] = tile

    def space_points(self, space: int) -> int:
        """Where on the track a space is: 10, 20, 35, 50, 70."""
        if space < 2:
            return 10 + 10 * space
        return 35 if space == 2 else (50 if space == 3 else 70)

    def gain_points(self, seat: int, points: int) -> None:
        """Move along the track: tiles that are met pay afterwards, a real one not mastered stops it (11.6 c, d)."""
        if points <= 0 or not self.t.modules & OBSTACLES_BIT:
            Assignments.gain_points(self, seat, points)
            return
        start = self.standing[seat] if self.final else self.points[seat]
        end = start + points
        for space in range(5):
            if self.passed[seat] >> space & 1:
                continue
            at = self.space_points(space)
            if self.obstacle[space] < R1:
                if end < at:
                    break
            else:
                if end < at - 1:
                    break
                if not self.mastered(seat, space):
                    self.lost[seat] += end - (at - 1)
                    end = at - 1
                    break
            self.passed[seat] |= 1 << space
            self.bonus[seat * QUEUE_ROOM + self.bonus_n[seat]] = space
            self.bonus_n[seat] += 1
        Assignments.gain_points(self, seat, end - start)

    def mastered(self, seat: int, space: int) -> int:
        """Whether the seat meets the condition of the real obstacle on a space (11.6 c)."""
        tile = self.obstacle[space]
        if tile == R1:
            return 1 if self.different(seat, GREEN) >= (3 + space if space < 3 else 2 + space) else 0
        if tile == R2:
            wanted = 2 + space if space < 4 else 5
            position = self.marker_position(seat, self.best_marker(seat, NONE))
            return 1 if self.markers(seat) >= wanted and position >= 3 + space else 0
        if tile == R3:
            return 1 if self.count[seat * 5 + BLUE] > space else 0
        if tile == R4:
            return 1 if self.count[seat * 5 + RED] > space else 0
        if space == 3:
            green = self.exchange_of(seat, GREEN)
            return 1 if green and self.exchange_of(seat, RED) and self.exchange_of(seat, BLUE) else 0
        return 1 if self.exchange_cards(seat) >= (space + 1 if space < 3 else 4) else 0

    def stopped(self, seat: int) -> int:
        """The space of the real obstacle right before which the seat stands unready, or NONE."""
        score = self.standing[seat] - self.part_hand[seat] if self.final else self.points[seat]
        for space in range(5):
            if not self.passed[seat] >> space & 1:
                if self.obstacle[space] < R1 or self.mastered(seat, space):
                    return NONE
                return space if score == self.space_points(space) - 1 else NONE
        return NONE

    def exchange_of(self, seat: int, colour: int) -> int:
        found = 0
        for kind in range(KINDS):
            if self.t.exchange[kind] and self.t.colour[kind] == colour:
                found += self.area[seat * KINDS + kind]
        return found

    def ask_pending(self) -> int:
        """Pay the bonuses of tiles that were met, in order; ask where there is a choice."""
        if Assignments.ask_pending(self):
            return 1
        if not self.t.modules & OBSTACLES_BIT:
            return 0
        for seat in range(self.n):
            while self.bonus_n[seat]:
                if self.bonus_choices(seat):
                    return self.ask(seat, BONUS)
                tile = self.obstacle[self.bonus[seat * QUEUE_ROOM]]
                self.next_bonus(seat)
                self.pay_bonus(seat, tile)
        return 0

    def next_bonus(self, seat: int) -> None:
        self.bonus_n[seat] -= 1
        for i in range(self.bonus_n[seat]):
            self.bonus[seat * QUEUE_ROOM + i] = self.bonus[seat * QUEUE_ROOM + i + 1]

    def pay_bonus(self, seat: int, tile: int) -> None:
        """The part of a bonus that asks for no choice (11.6 b, c)."""
        if tile == B1 or tile == R4:
            self.gain_points(seat, self.count[seat * 5 + RED])
        elif tile == B2 or tile == R3:
            self.gain_rubles(seat, self.count[seat * 5 + BLUE])
        elif tile == B4:
            self.gain_rubles(seat, self.exchange_cards(seat))
            self.gain_points(seat, self.exchange_cards(seat))
        elif tile == R2:
            self.gain_points(seat, self.markers(seat))
        elif tile == R5:
            self.gain_points(seat, 2 * self.exchange_cards(seat))

    def bonus_choices(self, seat: int) -> int:
        """List the choices of the seat's next bonus; none if it asks for no choice or has nothing to choose from."""
        tile = self.obstacle[self.bonus[seat * QUEUE_ROOM]]
        n = 0
        if tile == B3:
            if self.markers(seat):
                self.legal_ids[0] = BONUS_0
                self.legal_ids[1] = BONUS_0 + 1
                return 2
        elif tile == R2:
            for good in range(5):
                if self.goods[seat * 5 + good]:
                    self.legal_ids[n] = BONUS_GOOD + good
                    n += 1
        elif tile == B5 or tile == R3 or tile == R4:
            for kind in range(KINDS):
                if self.area[seat * KINDS + kind] == 0:
                    continue
                if (tile == R3 and self.t.colour[kind] != BLUE) or (tile == R4 and self.t.colour[kind] != RED):
                    continue
                if tile != R3 and self.value_rubles(seat, kind) > 0:
                    self.legal_ids[n] = BONUS_CARD + 2 * kind
                    n += 1
                if tile != R4 and self.value_points(seat, kind) > 0:
                    self.legal_ids[n] = BONUS_CARD + 2 * kind + 1
                    n += 1
        return n

    def list_other(self) -> int:
        if self.due == BONUS:
            return self.bonus_choices(self.seat)
        return Assignments.list_other(self)

    def do_other(self, number: int) -> None:
        verb = self.t.verb[number]
        if verb != V_BONUS and verb != V_BONUS_CARD and verb != V_BONUS_GOOD:
            Assignments.do_other(self, number)
            return
        seat = self.seat
        tile = self.obstacle[self.bonus[seat * QUEUE_ROOM]]
        self.next_bonus(seat)
        gain = self.markers(seat)
        if verb == V_BONUS_GOOD:
            gain = self.goods[seat * 5 + self.t.arg[number]]
        elif verb == V_BONUS_CARD:
            kind = self.t.card[number]
            gain = self.value_points(seat, kind) if self.t.points_wanted[number] else self.value_rubles(seat, kind)
        if self.t.points_wanted[number]:
            self.pay_bonus(seat, tile)
            self.gain_points(seat, gain)
        else:
            self.gain_rubles(seat, gain)
            self.pay_bonus(seat, tile)
        self.proceed()
