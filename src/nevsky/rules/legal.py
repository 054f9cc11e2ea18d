"""The legal actions of a decision (section 4), as ids in ``legal_ids``.

Their order is fixed, since seeded games depend on it: row 1, row 2, hand, special actions, pass;
cards left to right, each kind once; buying before taking; replaced cards in the order of the tables.
"""

from __future__ import annotations

from nevsky.rules.actions import BUY_DRAWN, DISCARD_DRAWN, OBSERVE, PASS, PUB_0, TAKE_DRAWN
from nevsky.rules.constants import BUILDING, DRAWN, KINDS, OBSERVATORY, PUB, TURN
from nevsky.rules.prices import Prices


class Legal(Prices):
    """Prices that know every decision."""

    def list_legal(self) -> int:
        """Fill ``legal_ids`` for the decision that is due; how many there are."""
        if self.due == TURN:
            return self.list_turn()
        if self.due == DRAWN:
            return self.list_drawn()
        if self.due == PUB:
            return self.list_pub()
        return self.list_other()

    def list_other(self) -> int:
        """Decisions that only the Market or a module asks for."""
        return 0

    def list_turn(self) -> int:
        if self.must_buy:
            return self.list_row(0, self.seat, 1, 0)
        room = 1 if self.hand_n[self.seat] < self.hand_limit[self.seat] else 0
        n = self.list_row(0, self.seat, 1, room)
        n = self.list_row(n, self.seat, 2, room)
        n = self.list_hand(n, self.seat)
        n = self.list_special(n, self.seat)
        self.legal_ids[n] = PASS
        return n + 1

    def list_special(self, n: int, seat: int) -> int:
        """Special actions that cards in the area allow (4.5)."""
        if self.phase == BUILDING and self.area[seat * KINDS + OBSERVATORY] > self.down[seat]:
            for p in range(5):
                if self.pile_n[p] >= 2:
                    self.legal_ids[n] = OBSERVE + p
                    n += 1
        return n

    def list_drawn(self) -> int:
        """Buy, take or discard the card being looked at (9.3)."""
        n = self.list_lays(0, BUY_DRAWN, self.seat, self.drawn, 0)
        if self.hand_n[self.seat] < self.hand_limit[self.seat]:
            self.legal_ids[n] = TAKE_DRAWN + self.t.index[self.drawn]
            n += 1
        self.legal_ids[n] = DISCARD_DRAWN + self.t.index[self.drawn]
        return n + 1

    def list_pub(self) -> int:
        """Up to 5 points per pub at 2 rubles each (7.3)."""
        most = self.pub[self.seat]
        if most > self.rubles[self.seat] // 2:
            most = self.rubles[self.seat] // 2
        for points in range(most + 1):
            self.legal_ids[points] = PUB_0 + points
        return most + 1
