"""Module 4, the Events (11.4): six cards, each used once in the game, one for each player."""

from __future__ import annotations

from nevsky.rules.actions import BUY_1, BUY_DRAWN, DISCARD_1, DISCARD_2, EVENT_0, TAKE_1
from nevsky.rules.constants import (
    NONE,
    ROW_ROOM,
    SCAVENGE,
    SECOND_CARD,
    SWAP,
    TURN,
    V_DISCARD,
    V_EVENT,
)
from nevsky.rules.modules.assistants import Assistants
from nevsky.rules.state import State
from nevsky.rules.tables import Tables

SECOND = 0
GIFT = 1
SWAP_EVENT = 2
FRESH_CARDS = 3
STOREROOM = 4
SCAVENGER = 5
ALL_EVENTS = 63
EVENTS_BIT = 16


class Events(Assistants):
    """A game that may have events.

    ``events_left`` has a bit for each unused event, ``had_event`` one for each seat that has used one;
    ``first_space`` tells whether a card lies on the first space of row 1, ``stack`` how many cards of the event
    Second Card are still to be bought or taken: they are the leftmost of row 1.
    """

    events_left: int
    had_event: int
    storeroom_seat: int
    first_space: int
    stack: int

    def __init__(self, t: Tables, players: int, display: int) -> None:
        Assistants.__init__(self, t, players, display)
        self.events_left = ALL_EVENTS if t.modules & EVENTS_BIT else 0
        self.had_event = 0
        self.storeroom_seat = NONE
        self.first_space = 0
        self.stack = 0

    def copy_into(self, c: State) -> None:
        Assistants.copy_into(self, c)
        assert isinstance(c, Events)
        o = c
        o.events_left = self.events_left
        o.had_event = self.had_event
        o.storeroom_seat = self.storeroom_seat
        o.first_space = self.first_space
        o.stack = self.stack

    def start_turns(self) -> None:
        self.first_space = 1 if self.row_n[1] else 0
        Assistants.start_turns(self)

    def remove_from_row(self, row: int, kind: int) -> int:
        """The first space stays empty once its card is gone (3.2)."""
        if row == 1 and self.row_n[1]:
            leftmost = self.row[ROW_ROOM]
            if self.stack:
                self.stack -= 1
                if self.stack == 0:
                    self.first_space = 0
            elif leftmost == kind or leftmost == self.t.twin[kind]:
                self.first_space = 0
        return Assistants.remove_from_row(self, row, kind)

    def list_special(self, n: int, seat: int) -> int:
        """From round 2 on, before the regular action, one event for whoever has used none."""
        n = Assistants.list_special(self, n, seat)
        if self.events_left == 0 or self.round == 1 or self.had_event >> seat & 1 or self.extra or self.due != TURN:
            return n
        start = n
        for event in range(6):
            if self.events_left >> event & 1 and self.event_usable(start + 6, seat, event):
                self.legal_ids[n] = EVENT_0 + event
                n += 1
        return n

    def event_usable(self, scratch: int, seat: int, event: int) -> int:
        cards = self.pile_n[self.phase]
        shown = self.row_n[1] + self.row_n[2]
        if event == SECOND:
            return 1 if cards and self.first_space else 0
        if event == SWAP_EVENT:
            return 1 if cards and shown else 0
        if event == FRESH_CARDS:
            return 1 if cards and shown + self.n <= self.display else 0
        if event == SCAVENGER:
            if self.discard_n == 0:
                return 0
            top = self.discard[self.discard_n - 1]
            return 1 if self.list_lays(scratch, BUY_DRAWN, seat, top, 0) > scratch else 0
        return 1

    def use_event(self, seat: int, event: int) -> None:
        self.events_left &= ~(1 << event)
        self.had_event |= 1 << seat
        self.passes = 0
        self.again = 1
        if event == SECOND:
            self.refill(self.row_n[1] + self.row_n[2] + 1)
            self.stack = 2
            self.ask(seat, SECOND_CARD)
            return
        if event == SWAP_EVENT:
            self.ask(seat, SWAP)
            return
        if event == SCAVENGER:
            self.discard_n -= 1
            self.drawn = self.discard[self.discard_n]
            self.drawn_pile = NONE
            self.ask(seat, SCAVENGE)
            return
        if event == GIFT:
            for other in range(self.n):
                self.gain_rubles(other, 6 if other == seat else 2)
        elif event == FRESH_CARDS:
            self.refill(self.row_n[1] + self.row_n[2] + self.n)
            self.first_space = 1
        else:
            self.storeroom_seat = seat
            self.hand_limit[seat] += 1
        self.turn_over()

    def turn_done(self) -> None:
        """Both cards of the event Second Card come before anything else."""
        if self.stack:
            self.ask(self.turn_seat, SECOND_CARD)
            return
        Assistants.turn_done(self)

    def list_stack(self) -> int:
        """Buy or take; a card for which there is neither goes to the discard pile when nothing else is left to do."""
        n = 0
        for i in range(self.stack):
            kind = self.row_card(1, i)
            if i and self.first_in_row(1, i) == 0:
                continue
            n = self.list_lays(n, BUY_1, self.seat, kind, 1)
            if self.hand_n[self.seat] < self.hand_limit[self.seat]:
                self.legal_ids[n] = TAKE_1 + self.t.index[kind]
                n += 1
        if n:
            return n
        for i in range(self.stack):
            if self.first_in_row(1, i):
                self.legal_ids[n] = DISCARD_1 + self.t.index[self.row_card(1, i)]
                n += 1
        return n

    def list_other(self) -> int:
        if self.due == SECOND_CARD:
            return self.list_stack()
        if self.due == SCAVENGE:
            return self.list_lays(0, BUY_DRAWN, self.seat, self.drawn, 0)
        if self.due == SWAP:
            n = 0
            for row in range(1, 3):
                for i in range(self.row_n[row]):
                    if self.first_in_row(row, i):
                        self.legal_ids[n] = (DISCARD_1 if row == 1 else DISCARD_2) + self.t.index[self.row_card(row, i)]
                        n += 1
            return n
        return Assistants.list_other(self)

    def do_other(self, number: int) -> None:
        verb = self.t.verb[number]
        if verb == V_EVENT:
            self.use_event(self.seat, self.t.arg[number])
        elif verb == V_DISCARD:
            self.throw_away(self.remove_from_row(self.t.arg[number], self.t.card[number]))
            if self.due == SWAP:
                self.refill(self.row_n[1] + self.row_n[2] + 1)
                self.first_space = 1
            self.turn_over()
        else:
            Assistants.do_other(self, number)
