"""The course of a game that can stop for a decision anywhere, and the hooks that the Market and modules hang on.

The base game never stops in the middle of a scoring, so it goes straight through `Turns`. With the Market or a
module the same course is walked step by step: `proceed` goes on until somebody has to decide something.
"""

from __future__ import annotations

from typing import Annotated

from nevsky.rules.actions import BUY_DRAWN, RETURN_DRAWN, SEARCH_0, TAKE_DRAWN
from nevsky.rules.constants import (
    BUILDING,
    EXCHANGE,
    F_CHOICE,
    F_CHOSEN,
    F_EARLY,
    F_HAND,
    F_NOBLES,
    F_RUBLES,
    FINAL,
    FOUND,
    IDLE,
    NONE,
    OVER,
    PUB,
    SCORING,
    SCORING_PARTS,
    SEARCH,
    SEATS,
    TURN,
    TURN_OVER,
    V_RETURN_DRAWN,
    V_SEARCH,
)
from nevsky.rules.position import Position


class Flow(Position):
    """A position whose scoring can be interrupted.

    ``stage`` says what goes on once the pending decisions are made; ``part``, ``asked`` and ``sub`` say how far
    the scoring has come: its part, how many seats are done clockwise from the phase's start player, and how many
    questions the seat in turn has been asked. ``again`` tells that the regular action of the turn is still to come,
    ``extra`` how many actions are left of a turn with several. In a final scoring in steps ``points`` stay where the
    track was; ``standing`` moves on, and the parts are kept for the result.
    """

    stage: int
    part: int
    sub: int
    turn_seat: int
    again: int
    extra: int
    final: int
    standing: Annotated[list[int], SEATS]
    part_nobles: Annotated[list[int], SEATS]
    part_chosen: Annotated[list[int], SEATS]
    part_rubles: Annotated[list[int], SEATS]
    part_hand: Annotated[list[int], SEATS]

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
        if self.extra and not self.again:
            self.extra -= 1
            if self.extra:
                self.ask(self.turn_seat, TURN)
                return
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
        self.extra = 0

    def pass_turn(self) -> None:
        """Passing with every action of one turn is one player passing (3.4)."""
        if self.extra == 1 and self.passes:
            self.passes -= 1
        Position.pass_turn(self)

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
        if self.phase == EXCHANGE or self.part == SCORING_PARTS:
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

    def gain_points(self, seat: int, points: int) -> None:
        if self.final:
            self.standing[seat] += points
        else:
            self.points[seat] += points

    def final_in_steps(self) -> int:
        """Hook: 1 if something can be decided or met in the final scoring."""
        return 0

    def ask_final(self, seat: int) -> int:
        """Hook: a decision of the seat in the final scoring; 1 if one is due."""
        return 0

    def chosen_points(self, seat: int, early: int) -> int:
        """Hook: the points for what the seat chose in the final scoring; some are settled early."""
        return 0

    def finish(self) -> None:
        if not self.final_in_steps():
            Position.finish(self)
            return
        self.final = 1
        self.stage = FINAL
        self.part = F_NOBLES
        self.asked = 0
        for seat in range(self.n):
            self.standing[seat] = self.points[seat]

    def final_step(self) -> int:
        """The final scoring part by part, clockwise from the exchange phase's start player (8.2); 1 if it waits."""
        if self.asked == self.n:
            self.asked = 0
            self.part += 1
        if self.part > F_HAND:
            self.stage = IDLE
            self.due = OVER
            return 1
        seat = (self.token[EXCHANGE] + self.asked) % self.n
        self.asked += 1
        if self.part == F_NOBLES:
            self.part_nobles[seat] = self.noble_points(seat)
            self.gain_points(seat, self.part_nobles[seat])
        elif self.part == F_CHOICE:
            return self.ask_final(seat)
        elif self.part == F_EARLY or self.part == F_CHOSEN:
            points = self.chosen_points(seat, 1 if self.part == F_EARLY else 0)
            self.part_chosen[seat] += points
            self.gain_points(seat, points)
        elif self.part == F_RUBLES:
            self.part_rubles[seat] = self.rubles[seat] // 10
            self.gain_points(seat, self.part_rubles[seat])
        else:
            self.part_hand[seat] = -5 * self.penalised_cards(seat)
            self.standing[seat] += self.part_hand[seat]
        return 0

    def final_points(self, seat: int) -> int:
        return self.standing[seat] if self.final else Position.final_points(self, seat)

    def tie_rubles(self, seat: int) -> int:
        if self.final:
            return self.rubles[seat] - 10 * self.part_rubles[seat]
        return Position.tie_rubles(self, seat)

    def list_other(self) -> int:
        """Looking through the discard pile, which several cards allow (11.1 c, 11.2 c)."""
        if self.due == SEARCH:
            return self.list_search()
        if self.due == FOUND:
            return self.list_found()
        return 0

    def list_search(self) -> int:
        """Each card of the discard pile, from the top, each kind once."""
        n = 0
        for i in range(self.discard_n - 1, -1, -1):
            kind = self.discard[i]
            before = 0
            for j in range(i + 1, self.discard_n):
                if self.discard[j] == kind or self.discard[j] == self.t.twin[kind]:
                    before = 1
                    break
            if not before:
                self.legal_ids[n] = SEARCH_0 + self.t.index[kind]
                n += 1
        return n

    def list_found(self) -> int:
        """Buy or take the card that was found, or put it back on top."""
        n = self.list_lays(0, BUY_DRAWN, self.seat, self.drawn, 0)
        if self.hand_n[self.seat] < self.hand_limit[self.seat]:
            self.legal_ids[n] = TAKE_DRAWN + self.t.index[self.drawn]
            n += 1
        self.legal_ids[n] = RETURN_DRAWN + self.t.index[self.drawn]
        return n + 1

    def do_other(self, number: int) -> None:
        verb = self.t.verb[number]
        if verb == V_SEARCH:
            self.drawn = self.take_from_discard(self.t.card[number])
            self.drawn_pile = NONE
            self.ask(self.seat, FOUND)
        elif verb == V_RETURN_DRAWN:
            self.put_on_discard(self.drawn)
            self.drawn = NONE
            self.turn_over()

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
