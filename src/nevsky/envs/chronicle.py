"""What happened lately in the games of a batch, and what of it each seat may know: `History` for compiled code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nevsky.cards import KIND
from nevsky.envs.batch_arrays import LOG_ROOM
from nevsky.envs.options import HISTORY, NOTHING
from nevsky.rules.actions import PASS, TAKE_DRAWN
from nevsky.rules.constants import DRAWN, DUES, F_CHOICE, HAND_ROOM, KINDS, OVER
from nevsky.rules.course import FullPosition
from nevsky.rules.position import Position

if TYPE_CHECKING:
    from nevsky.envs.batch_arrays import Arrays, Options

__all__ = ["Chronicle"]

OPEN = 0
UNNAMED = 1
HIDDEN = 2
LATER = 3
PICK_POCKET = DUES.index("pick_pocket")
PICK_POCKET_CARD = KIND["pick_pocket"]


class Chronicle:
    """The latest actions of each game, in a ring."""

    players: int
    open_hands: int
    who: memoryview[int]
    what: memoryview[int]
    secret: memoryview[int]
    made: memoryview[int]
    since: memoryview[int]
    secret_due: memoryview[int]
    reduced: memoryview[int]
    rows: memoryview[int]
    rows_n: memoryview[int]
    last_rows: memoryview[int]
    last_rows_n: memoryview[int]

    def __init__(self, options: Options, arrays: Arrays) -> None:
        self.players = options.ruleset.players
        self.open_hands = int(options.ruleset.open_hands)
        views = arrays.views()
        self.who = views["log_seats"]
        self.what = views["log_ids"]
        self.secret = views["log_secrets"]
        self.made = views["log_counts"]
        self.since = views["log_since"]
        self.secret_due = views["secret_dues"]
        self.reduced = views["to_reduced"]
        self.rows = views["history"]
        self.rows_n = views["history_counts"]
        self.last_rows = views["final_history"]
        self.last_rows_n = views["final_history_counts"]

    def begin(self, i: int) -> None:
        """A new game."""
        self.made[i] = 0
        for seat in range(self.players):
            self.since[i, seat] = 0

    def note(self, i: int, p: Position, number: int, chosen: int) -> None:
        """The action that is about to be carried out; whether its seat was asked for it."""
        k = self.made[i] % LOG_ROOM
        self.who[i, k] = p.seat
        self.what[i, k] = number
        self.secret[i, k] = self.secrecy(p, number)
        self.made[i] += 1
        if chosen:
            self.since[i, p.seat] = self.made[i]

    def secrecy(self, p: Position, number: int) -> int:
        """What others may not know about an action (12.2)."""
        if self.secret_due[p.due]:
            return LATER
        if self.open_hands:
            return OPEN
        if p.due == DRAWN and TAKE_DRAWN <= number < TAKE_DRAWN + KINDS:
            return UNNAMED
        if p.due == PICK_POCKET and number == PASS:
            for k in range(p.hand_n[p.seat]):
                if p.hand[p.seat * HAND_ROOM + k] == PICK_POCKET_CARD and p.hand_open[p.seat * HAND_ROOM + k]:
                    return OPEN
            return HIDDEN
        return OPEN

    def knows(self, i: int, k: int, seat: int, revealed: int) -> int:
        """What remains secret of an action to this seat."""
        secret = self.secret[i, k]
        if secret == OPEN or self.who[i, k] == seat or revealed == HIDDEN:
            return OPEN
        if secret == LATER:
            return OPEN if revealed == LATER else UNNAMED
        return secret

    def tell(self, i: int, p: Position, full: FullPosition | None, seat: int, last: int) -> None:
        """Write down what the seat knows of all that happened since its last choice, as the end of the game or not."""
        revealed = OPEN
        if p.due == OVER:
            revealed = HIDDEN
        elif full is not None and full.final and full.part > F_CHOICE:
            revealed = LATER
        made = self.made[i]
        oldest = max(self.since[i, seat], made - LOG_ROOM)
        first = made
        known = 0
        while first > oldest and known < HISTORY:
            first -= 1
            if self.knows(i, first % LOG_ROOM, seat, revealed) != HIDDEN:
                known += 1
        at = 0
        for k in range(first, made):
            secret = self.knows(i, k % LOG_ROOM, seat, revealed)
            if secret != HIDDEN:
                clockwise = (self.who[i, k % LOG_ROOM] - seat + self.players) % self.players
                number = NOTHING if secret == UNNAMED else self.reduced[self.what[i, k % LOG_ROOM]]
                self.write(i, at, clockwise, number, last)
                at += 1
        for k in range(at, self.last_rows_n[i] if last else self.rows_n[i]):
            self.write(i, k, NOTHING, NOTHING, last)
        if last:
            self.last_rows_n[i] = at
        else:
            self.rows_n[i] = at

    def write(self, i: int, row: int, seat: int, number: int, last: int) -> None:
        """One row of a history."""
        if last:
            self.last_rows[i, row, 0] = seat
            self.last_rows[i, row, 1] = number
        else:
            self.rows[i, row, 0] = seat
            self.rows[i, row, 1] = number
