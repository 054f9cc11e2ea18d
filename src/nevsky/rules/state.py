"""The state of a game as small integers in fixed arrays, and the moves of cards between its places.

The rules are built in layers, each a class on top of the one before and each with one subject:
`State` (places) < `Scoring` < `Prices` < `Legal` < `Turns` < `Position`. A ``.pxd`` beside each, written by
`tools/pxd.py`, gives it C types.
Arrays per seat are flat: seat ``s`` owns the slice from ``s * width``.
"""

from __future__ import annotations

from typing import Annotated

from nevsky.rules.constants import (
    DISCARD_ROOM,
    HAND_LIMIT,
    HAND_ROOM,
    KIN_ROOM,
    KINDS,
    NONE,
    OUT_ROOM,
    PILE_ROOM,
    ROW_ROOM,
    SEATS,
    START_RUBLES,
    TURN,
    WORKER,
)
from nevsky.rules.fields import SCRATCH, Fields
from nevsky.rules.rng import Rng
from nevsky.rules.tables import Tables


class State(Fields):
    """Where every card and every ruble is."""

    t: Tables
    legal_ids: Annotated[list[int], 1024, SCRATCH]
    n: int
    display: int
    round: int
    phase: int
    due: int
    seat: int
    passes: int
    asked: int
    must_buy: int
    last_round: int
    drawn: int
    drawn_pile: int
    discard_n: int
    out_n: int
    token: Annotated[list[int], 5]
    pile: Annotated[list[int], 5 * PILE_ROOM]
    pile_n: Annotated[list[int], 5]
    row: Annotated[list[int], 3 * ROW_ROOM]
    row_n: Annotated[list[int], 3]
    discard: Annotated[list[int], DISCARD_ROOM]
    out: Annotated[list[int], OUT_ROOM]
    rubles: Annotated[list[int], SEATS]
    points: Annotated[list[int], SEATS]
    hand: Annotated[list[int], SEATS * HAND_ROOM]
    hand_open: Annotated[list[int], SEATS * HAND_ROOM]
    hand_n: Annotated[list[int], SEATS]
    hand_limit: Annotated[list[int], SEATS]
    area: Annotated[list[int], SEATS * KINDS]
    named: Annotated[list[int], SEATS * KINDS]
    down: Annotated[list[int], SEATS]
    pub: Annotated[list[int], SEATS]
    count: Annotated[list[int], SEATS * 5]
    income_rubles: Annotated[list[int], SEATS * 5]
    income_points: Annotated[list[int], SEATS * 5]
    price: Annotated[list[int], SEATS * KINDS]
    owned: Annotated[list[int], SEATS * 5, "int"]

    def __init__(self, t: Tables, players: int, display: int) -> None:
        self.clear_fields()
        self.t = t
        self.n = players
        self.display = display
        self.round = 1
        self.phase = WORKER
        self.due = TURN
        self.drawn = NONE
        self.drawn_pile = NONE
        for s in range(players):
            self.rubles[s] = START_RUBLES
            self.hand_limit[s] = HAND_LIMIT
            for kind in range(KINDS):
                self.price[s * KINDS + kind] = t.cost[kind]

    def copy_into(self, c: State) -> None:  # c: gil
        """Make ``c`` equal to this state."""
        c.t = self.t
        self.copy_fields(c, State)

    def seat_differs(self, other: State, seat: int) -> int:
        """Whether anything that lies with a seat is different in another state of the same game."""
        if (
            self.rubles[seat] != other.rubles[seat]
            or self.points[seat] != other.points[seat]
            or self.hand_n[seat] != other.hand_n[seat]
            or self.hand_limit[seat] != other.hand_limit[seat]
            or self.down[seat] != other.down[seat]
        ):
            return 1
        for i in range(seat * HAND_ROOM, seat * HAND_ROOM + self.hand_n[seat]):
            if self.hand[i] != other.hand[i] or self.hand_open[i] != other.hand_open[i]:
                return 1
        for i in range(seat * KINDS, seat * KINDS + KINDS):
            if self.area[i] != other.area[i]:
                return 1
        return 0

    def shuffle_piles(self, rng: Rng) -> None:
        """Each pile on its own (2.1); the last card of the array is the top."""
        for p in range(5):
            size = self.t.deck_size[p]
            base = p * PILE_ROOM
            for i in range(size):
                self.pile[base + i] = self.t.deck[base + i]
            for i in range(size - 1, 0, -1):
                j = rng.draw(i + 1)
                kind = self.pile[base + i]
                self.pile[base + i] = self.pile[base + j]
                self.pile[base + j] = kind
            self.pile_n[p] = size

    def deal_tokens(self, rng: Rng, youngest: int) -> None:
        """Start-player tokens at random (2.3): with three players the youngest has two."""
        holders = 0
        for p in range(5):
            if self.t.deck_size[p] == 0:
                continue
            if holders < self.n:
                self.token[p] = holders
            elif self.n == 2:
                self.token[p] = holders - 2
            else:
                self.token[p] = youngest
            holders += 1
        for i in range(4, 0, -1):
            if self.t.deck_size[i] == 0:
                continue
            # a random earlier-or-equal phase that is played
            j = rng.draw(i + 1)
            while self.t.deck_size[j] == 0:
                j = rng.draw(i + 1)
            seat = self.token[i]
            self.token[i] = self.token[j]
            self.token[j] = seat

    def draw_card(self, p: int) -> int:
        """The top card of a pile; its last card makes this round the last (8.1)."""
        self.pile_n[p] -= 1
        if self.pile_n[p] == 0:
            self.last_round = 1
        return self.pile[p * PILE_ROOM + self.pile_n[p]]

    def refill(self, most: int) -> None:
        """Add cards of the phase's pile at the left of row 1 until ``most`` lie there (3.2)."""
        need = most - self.row_n[1] - self.row_n[2]
        if need > self.pile_n[self.phase]:
            need = self.pile_n[self.phase]
        if need <= 0:
            return
        for i in range(self.row_n[1] - 1, -1, -1):
            self.row[ROW_ROOM + i + need] = self.row[ROW_ROOM + i]
        for i in range(need):
            self.row[ROW_ROOM + i] = self.draw_card(self.phase)
        self.row_n[1] += need

    def remove_from_row(self, row: int, kind: int) -> int:
        """Take the leftmost of equal cards from a row; the card, or NONE if it is not there."""
        base = row * ROW_ROOM
        for i in range(self.row_n[row]):
            found = self.row[base + i]
            if found == kind or found == self.t.twin[kind]:
                self.row_n[row] -= 1
                for j in range(i, self.row_n[row]):
                    self.row[base + j] = self.row[base + j + 1]
                return found
        return NONE

    def put_in_hand(self, seat: int, kind: int, seen: int) -> None:
        i = seat * HAND_ROOM + self.hand_n[seat]
        self.hand[i] = kind
        self.hand_open[i] = seen
        self.hand_n[seat] += 1

    def remove_from_hand(self, seat: int, kind: int) -> int:
        """Of equal cards one that all have seen goes first, so that a secret one stays secret (12.2)."""
        base = seat * HAND_ROOM
        found = NONE
        for i in range(self.hand_n[seat]):
            if self.t.index[self.hand[base + i]] == self.t.index[kind] and (
                found < 0 or (self.hand_open[base + i] and not self.hand_open[base + found])
            ):
                found = i
        if found < 0:
            return NONE
        card = self.hand[base + found]
        self.hand_n[seat] -= 1
        for i in range(found, self.hand_n[seat]):
            self.hand[base + i] = self.hand[base + i + 1]
            self.hand_open[base + i] = self.hand_open[base + i + 1]
        return card

    def put_on_discard(self, kind: int) -> None:
        self.discard[self.discard_n] = kind
        self.discard_n += 1

    def put_out(self, kind: int) -> None:
        """Out of the game for good."""
        self.out[self.out_n] = kind
        self.out_n += 1

    def lay_down(self, seat: int, kind: int) -> None:
        """Lay a card into the area and book what it brings."""
        self.change_area(seat, kind, 1)

    def lift(self, seat: int, kind: int) -> None:
        """Take a card out of the area."""
        self.change_area(seat, kind, -1)

    def change_area(self, seat: int, kind: int, by: int) -> None:
        colour = self.t.colour[kind]
        c = seat * 5 + colour
        self.area[seat * KINDS + kind] += by
        self.named[seat * KINDS + self.t.name[kind]] += by
        self.count[c] += by
        self.income_rubles[c] += by * self.t.rubles[kind]
        self.income_points[c] += by * self.t.points[kind]
        self.hand_limit[seat] += by * self.t.hand_bonus[kind]
        self.pub[seat] += by * self.t.pub[kind]
        for i in range(self.t.kin_n[kind]):
            self.price[seat * KINDS + self.t.kin[kind * KIN_ROOM + i]] -= by
        if self.t.reduces[kind]:
            self.reduce_prices(seat, self.t.reduces[kind], by)

    def reduce_prices(self, seat: int, colours: int, by: int) -> None:
        """Make all cards of some colours (a bit for each) cheaper for a seat (5.1)."""
        for kind in range(KINDS):
            if colours >> self.t.colour[kind] & 1:
                self.price[seat * KINDS + kind] -= by
