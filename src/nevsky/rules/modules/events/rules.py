"""The events in play (11.4)."""

from __future__ import annotations

from nevsky.rules.actions import BUY_1, BUY_DRAWN, STARTS, TAKE_1, VERBS
from nevsky.rules.constants import DUES, NONE, ROW_ROOM, TURN
from nevsky.rules.fields import Fields
from nevsky.rules.market import Market

SECOND_CARD = 0
GIFT = 1
SWAP = 2
FRESH_CARDS = 3
STOREROOM = 4
SCAVENGER = 5
NUMBER = 6
ALL_EVENTS = 63
OWN_GIFT = 6
OTHERS_GIFT = 2

ASK_STACK = DUES.index("second")
ASK_SWAP = DUES.index("swap")
ASK_SCAVENGE = DUES.index("scavenge")

EVENT_0 = STARTS["EVENT"]
DISCARD_1 = STARTS["DISCARD_1"]
DISCARD_2 = STARTS["DISCARD_2"]
V_EVENT = VERBS["event"]


class Events(Fields):  # c: final
    """``left`` has a bit for each unused event, ``used`` one for each seat that has used one.

    ``first_space`` tells whether a card lies on the first space of row 1, ``stack`` how many cards of the event
    Second Card are still to be bought or taken: they are the leftmost of row 1.
    """

    left: int
    used: int
    storeroom_seat: int
    first_space: int
    stack: int

    def __init__(self) -> None:
        self.clear_fields()
        self.left = ALL_EVENTS
        self.storeroom_seat = NONE

    def copied(self, c: Events | None) -> Events:  # c: gil
        """This state, in ``c`` if there is one."""
        if c is None:
            c = Events.__new__(Events)
        self.copy_fields(c, Events)
        return c

    def start_turns(self, p: Market) -> None:
        self.first_space = 1 if p.row_n[1] else 0

    def card_leaves(self, p: Market, row: int, kind: int) -> None:
        """The first space stays empty once its card is gone (3.2)."""
        if row != 1 or p.row_n[1] == 0:
            return
        leftmost = p.row[ROW_ROOM]
        if self.stack:
            self.stack -= 1
            if self.stack == 0:
                self.first_space = 0
        elif leftmost == kind or leftmost == p.t.twin[kind]:
            self.first_space = 0

    def list_special(self, p: Market, n: int, seat: int) -> int:
        """From round 2 on, before the regular action, one event for whoever has used none."""
        if self.left == 0 or p.round == 1 or self.used >> seat & 1 or p.extra or p.due != TURN:
            return n
        start = n
        for event in range(NUMBER):
            if self.left >> event & 1 and self.usable(p, start + NUMBER, seat, event):
                p.legal_ids[n] = EVENT_0 + event
                n += 1
        return n

    def usable(self, p: Market, scratch: int, seat: int, event: int) -> int:
        cards = p.pile_n[p.phase]
        shown = p.row_n[1] + p.row_n[2]
        if event == SECOND_CARD:
            return 1 if cards and self.first_space else 0
        if event == SWAP:
            return 1 if cards and shown else 0
        if event == FRESH_CARDS:
            return 1 if cards >= p.n and shown + p.n <= p.display else 0  # D31
        if event == SCAVENGER:
            if p.discard_n == 0:
                return 0
            top = p.discard[p.discard_n - 1]
            return 1 if p.list_lays(scratch, BUY_DRAWN, seat, top, 0) > scratch else 0
        return 1

    def use(self, p: Market, seat: int, event: int) -> None:
        self.left &= ~(1 << event)
        self.used |= 1 << seat
        p.passes = 0
        p.again = 1
        if event == SECOND_CARD:
            p.refill(p.row_n[1] + p.row_n[2] + 1)
            self.stack = 2
            p.ask(seat, ASK_STACK)
            return
        if event == SWAP:
            p.ask(seat, ASK_SWAP)
            return
        if event == SCAVENGER:
            p.discard_n -= 1
            p.drawn = p.discard[p.discard_n]
            p.drawn_pile = NONE
            p.ask(seat, ASK_SCAVENGE)
            return
        if event == GIFT:
            for other in range(p.n):
                p.gain_rubles(other, OWN_GIFT if other == seat else OTHERS_GIFT)
        elif event == FRESH_CARDS:
            p.refill(p.row_n[1] + p.row_n[2] + p.n)
            self.first_space = 1
        else:
            self.storeroom_seat = seat
            p.hand_limit[seat] += 1
        p.turn_over()

    def more_stack(self, p: Market) -> int:
        """Both cards of the event Second Card come before anything else; 1 if one is still to be decided about."""
        return p.ask(p.turn_seat, ASK_STACK) if self.stack else 0

    def list_stack(self, p: Market) -> int:
        """Buy or take; a card for which there is neither goes to the discard pile when nothing else is left to do."""
        n = 0
        for i in range(self.stack):
            kind = p.row_card(1, i)
            if i and p.first_in_row(1, i) == 0:
                continue
            n = p.list_lays(n, BUY_1, p.seat, kind, 1)
            if p.hand_n[p.seat] < p.hand_limit[p.seat]:
                p.legal_ids[n] = TAKE_1 + p.t.index[kind]
                n += 1
        if n:
            return n
        for i in range(self.stack):
            if p.first_in_row(1, i):
                p.legal_ids[n] = DISCARD_1 + p.t.index[p.row_card(1, i)]
                n += 1
        return n

    def list_choices(self, p: Market) -> int:
        """The legal actions of this module's decisions."""
        if p.due == ASK_STACK:
            return self.list_stack(p)
        if p.due == ASK_SCAVENGE:
            return p.list_lays(0, BUY_DRAWN, p.seat, p.drawn, 0)
        n = 0
        for row in range(1, 3):
            for i in range(p.row_n[row]):
                if p.first_in_row(row, i):
                    p.legal_ids[n] = (DISCARD_1 if row == 1 else DISCARD_2) + p.t.index[p.row_card(row, i)]
                    n += 1
        return n

    def do(self, p: Market, number: int) -> None:
        """Carry out an action of this module."""
        if p.t.verb[number] == V_EVENT:
            self.use(p, p.seat, p.t.arg[number])
            return
        p.throw_away(p.remove_from_row(p.t.arg[number], p.t.card[number]))
        if p.due == ASK_SWAP:
            p.refill(p.row_n[1] + p.row_n[2] + 1)
            self.first_space = 1
        p.turn_over()
