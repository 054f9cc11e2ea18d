"""Carrying out actions and the course of phases and rounds (sections 3, 4, 7, 8)."""

from __future__ import annotations

from nevsky.rules.actions import OBSERVE, PUB_0
from nevsky.rules.constants import (
    BUILDING,
    DRAWN,
    EXCHANGE,
    NONE,
    OBSERVATORY,
    OVER,
    PUB,
    PURPLE,
    ROW_ROOM,
    SECOND,
    TURN,
    V_BUY,
    V_BUY_DRAWN,
    V_DISCARD_DRAWN,
    V_OBSERVE,
    V_PASS,
    V_PLAY,
    V_PUB,
    V_TAKE,
    V_TAKE_DRAWN,
    WORKER,
)
from nevsky.rules.legal import Legal
from nevsky.rules.rng import Rng


class Turns(Legal):
    """Legal actions that can be carried out; none of the methods here checks legality."""

    def deal(self, rng: Rng, youngest: int) -> None:
        """A new game: shuffled piles, tokens, and the first workers (section 2)."""
        self.shuffle_piles(rng)
        if youngest < 0:
            youngest = rng.draw(self.n)
        self.deal_tokens(rng, youngest)
        self.start()

    def start(self) -> None:
        """Lay out the first workers: two for each player (2.5)."""
        self.phase = WORKER
        self.refill(2 * self.n)
        self.must_buy = 1 if self.t.edition == SECOND else 0
        self.start_turns()

    def do(self, number: int) -> None:
        """Carry out a legal action and everything that follows from it without a further decision."""
        verb = self.t.verb[number]
        seat = self.seat
        if verb == V_PASS:
            self.pass_turn()
            return
        kind = self.t.card[number]
        onto = self.t.onto[number]
        if verb == V_BUY:
            self.pay(seat, self.owner_price(seat, kind, self.t.arg[number], onto))
            self.remove_from_row(self.t.arg[number], kind)
            self.lay_card(seat, kind, onto)
        elif verb == V_TAKE:
            self.put_in_hand(seat, self.remove_from_row(self.t.arg[number], kind), 1)
        elif verb == V_PLAY:
            if self.t.colour[kind] == PURPLE:
                self.play_purple(seat, kind)
                return
            self.pay(seat, self.owner_price(seat, kind, 0, onto))
            self.remove_from_hand(seat, kind)
            self.lay_card(seat, kind, onto)
        elif verb == V_OBSERVE:
            self.observe(seat, number - OBSERVE)
            return
        elif verb == V_BUY_DRAWN:
            self.pay(seat, self.owner_price(seat, kind, 0, onto))
            self.drawn = self.drawn_pile = NONE
            self.lay_card(seat, kind, onto)
        elif verb == V_TAKE_DRAWN:
            self.put_in_hand(seat, self.drawn, 1 if self.drawn_pile == NONE else 0)
            self.drawn = self.drawn_pile = NONE
        elif verb == V_DISCARD_DRAWN:
            kind = self.drawn
            self.drawn = self.drawn_pile = NONE
            self.throw_away(kind)
        elif verb == V_PUB:
            self.rubles[seat] -= 2 * (number - PUB_0)
            self.gain_points(seat, number - PUB_0)
            self.pub_done()
            return
        else:
            self.do_other(number)
            return
        self.passes = 0
        self.turn_over()

    def pass_turn(self) -> None:
        self.passes += 1
        self.turn_over()

    def turn_over(self) -> None:
        """The turn's action is done."""
        self.end_turn()

    def play_purple(self, seat: int, kind: int) -> None:
        """Purple cards have effects of their own (11.1)."""

    def do_other(self, number: int) -> None:
        """Actions of the Market and the modules."""

    def pay(self, seat: int, price: int) -> None:
        self.rubles[seat] -= price

    def lay_card(self, seat: int, kind: int, onto: int) -> None:
        """Lay a card into the area; the card it replaces goes to the discard pile (6.3)."""
        if onto != NONE:
            self.lift(seat, onto)
            self.throw_away(onto)
        self.lay_down(seat, kind)

    def throw_away(self, kind: int) -> None:
        self.put_on_discard(kind)

    def observe(self, seat: int, p: int) -> None:
        """Look at the top card of a pile with the observatory, which turns face down (9.3)."""
        self.passes = 0
        self.down[seat] += 1
        self.turned(seat, OBSERVATORY)
        self.drawn = self.draw_card(p)
        self.drawn_pile = p
        self.due = DRAWN

    def turned(self, seat: int, kind: int) -> None:
        """Cards of this kind were turned face down, or all of them face up."""
        self.mark_replaceable(seat, kind)

    def start_phase(self) -> None:
        self.refill(self.display)
        self.must_buy = 0
        self.start_turns()

    def start_turns(self) -> None:
        self.passes = 0
        self.asked = 0
        self.seat = self.token[self.phase]
        self.due = TURN

    def end_turn(self) -> None:
        """The next seat's turn, or the scoring when all have passed in a row (3.4)."""
        if self.passes == self.n or (self.must_buy and self.row_n[1] == 0):
            self.score_phase()
            return
        self.due = TURN
        self.seat += 1
        if self.seat == self.n:
            self.seat = 0

    def score_phase(self) -> None:
        """Pay out the phase's colour (3.5); then the decisions that follow a scoring."""
        if self.phase != EXCHANGE:
            for i in range(self.n):
                self.score_colour((self.token[self.phase] + i) % self.n, self.phase)
        self.asked = 0
        self.after_scoring()

    def after_scoring(self) -> None:
        """Ask the next owner of a pub, clockwise from the phase's start player (7.3, D17), or go on."""
        if self.phase == BUILDING:
            while self.asked < self.n:
                seat = (self.token[BUILDING] + self.asked) % self.n
                if self.pub[seat]:
                    self.seat = seat
                    self.due = PUB
                    return
                self.asked += 1
        self.end_phase()

    def pub_done(self) -> None:
        self.asked += 1
        self.after_scoring()

    def end_phase(self) -> None:
        if self.phase == EXCHANGE:
            if self.last_round:
                self.finish()
                return
            self.end_round()
            self.phase = WORKER
        else:
            self.phase += 1
            if self.t.deck_size[self.phase] == 0:
                self.phase += 1
        self.start_phase()

    def finish(self) -> None:
        """The final scoring asks nothing of anybody; `final_points` knows it."""
        self.due = OVER

    def end_round(self) -> None:
        """Clear row 2, move row 1 down, hand the tokens on, turn cards face up (3.7)."""
        for i in range(self.row_n[2]):
            self.throw_away(self.row[2 * ROW_ROOM + i])
        for i in range(self.row_n[1]):
            self.row[2 * ROW_ROOM + i] = self.row[ROW_ROOM + i]
        self.row_n[2] = self.row_n[1]
        self.row_n[1] = 0
        for p in range(5):
            if self.t.deck_size[p]:
                self.token[p] = (self.token[p] + 1) % self.n
        for seat in range(self.n):
            if self.down[seat]:
                self.down[seat] = 0
                self.turned(seat, OBSERVATORY)
        self.round += 1
