"""The course of a game that can stop for a decision anywhere, and the hooks that the Market and modules hang on.

The base game never stops in the middle of a scoring, so it goes straight through `Turns`. With the Market or a
module the same course is walked step by step: `proceed` goes on until somebody has to decide something.
"""

from __future__ import annotations

from nevsky.rules.constants import (
    BUILDING,
    EXCHANGE,
    FINAL,
    IDLE,
    NONE,
    OVER,
    PUB,
    SCORING,
    TURN,
    TURN_OVER,
)
from nevsky.rules.position import Position
from nevsky.rules.state import State
from nevsky.rules.tables import Tables


class Flow(Position):
    """A position whose scoring can be interrupted.

    ``stage`` says what goes on once the pending decisions are made; ``part``, ``asked`` and ``sub`` say how far
    the scoring has come: its part, how many seats are done clockwise from the phase's start player, and how many
    questions the seat in turn has been asked.
    """

    stage: int
    part: int
    sub: int
    turn_seat: int
    again: int

    def __init__(self, t: Tables, players: int, display: int) -> None:
        Position.__init__(self, t, players, display)
        self.stage = IDLE
        self.part = 0
        self.sub = 0
        self.turn_seat = 0
        self.again = 0

    def copy_into(self, c: State) -> None:
        Position.copy_into(self, c)
        assert isinstance(c, Flow)
        o = c
        o.stage = self.stage
        o.part = self.part
        o.sub = self.sub
        o.turn_seat = self.turn_seat
        o.again = self.again

    def proceed(self) -> None:
        """Go on with the game until a decision is due."""
        while not self.ask_pending():
            if self.stage == TURN_OVER:
                self.stage = IDLE
                self.turn_done()
            elif self.stage == SCORING:
                if self.scoring_step():
                    return
            elif self.stage == FINAL:
                if self.final_step():
                    return
            else:
                return

    def ask(self, seat: int, due: int) -> int:
        """A decision of this seat is due."""
        self.seat = seat
        self.due = due
        return 1

    def ask_pending(self) -> int:
        """Hook: decisions that come before anything else goes on; 1 if one is due."""
        return 0

    def turn_over(self) -> None:
        self.stage = TURN_OVER
        self.proceed()

    def turn_done(self) -> None:
        """The turn's action is complete. Hook: something else of the same seat may come before the next turn."""
        if self.again:
            self.again = 0
            self.ask(self.turn_seat, TURN)
            return
        self.seat = self.turn_seat
        self.end_turn()
        if self.due == TURN and self.stage == IDLE:
            self.turn_seat = self.seat

    def start_turns(self) -> None:
        Position.start_turns(self)
        self.turn_seat = self.seat
        self.again = 0

    def score_phase(self) -> None:
        self.stage = SCORING
        self.part = 0
        self.asked = 0
        self.sub = 0

    def pub_done(self) -> None:
        self.proceed()

    def scoring_seat(self) -> int:
        return (self.token[self.phase] + self.asked) % self.n

    def scoring_step(self) -> int:
        """One step of the scoring: income seat by seat, then decisions seat by seat, then what the phase adds."""
        if self.phase == EXCHANGE or self.part == 3:
            self.stage = IDLE
            self.end_phase()
            return 0
        if self.asked == self.n:
            self.part += 1
            self.asked = 0
            self.sub = 0
            return 0
        seat = self.scoring_seat()
        if self.part == 0 and self.sub == 0:
            self.sub = 1
            self.score_colour(seat, self.phase)
            return 0
        if self.part == 0 and self.ask_during_scoring(seat):
            return 1
        if self.part == 1 and self.ask_after_scoring(seat):
            return 1
        if self.part == 2 and self.score_more(seat):
            return 0
        self.asked += 1
        self.sub = 0
        return 0

    def ask_during_scoring(self, seat: int) -> int:
        """Hook: a decision of the seat about its income; 1 if one is due."""
        return 0

    def ask_after_scoring(self, seat: int) -> int:
        """Hook: the seat's next decision after the income of all (7.3, D17); 1 if one is due."""
        if self.phase == BUILDING and self.sub < 2:
            self.sub = 2
            if self.pub[seat]:
                return self.ask(seat, PUB)
        return 0

    def score_more(self, seat: int) -> int:
        """Hook: what the phase scores beyond the income; 1 if this seat has more to come."""
        return 0

    def final_step(self) -> int:
        """Hook: one step of a final scoring with decisions; 1 if one is due."""
        self.stage = IDLE
        self.due = OVER
        return 1

    def take_from_discard(self, kind: int) -> int:
        """Remove the topmost card of this kind from the discard pile; the card, or NONE if there is none."""
        for i in range(self.discard_n - 1, -1, -1):
            found = self.discard[i]
            if found == kind or found == self.t.twin[kind]:
                self.discard_n -= 1
                for j in range(i, self.discard_n):
                    self.discard[j] = self.discard[j + 1]
                return found
        return NONE
