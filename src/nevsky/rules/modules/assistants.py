"""Module 3, the Assistants (11.3): they make cards cheaper and wander counter-clockwise."""

from __future__ import annotations

from nevsky.rules.constants import BLUE, GREEN, KINDS, MARKET, NONE, RED, WORKER, YELLOW
from nevsky.rules.modules.good_company import GoodCompany
from nevsky.rules.rng import Rng
from nevsky.rules.state import State
from nevsky.rules.tables import Tables

MASTER_CRAFTSMAN = 0
MISTRESS_OF_THE_MANOR = 1
ARCHITECT = 2
LAWYER = 3
CZARS_DAUGHTER = 4
ASSISTANTS_BIT = 8


class Assistants(GoodCompany):
    """A game that may have assistants; ``assistant`` is the seat of each, in the order of 11.3 a."""

    assistant: list[int]

    def __init__(self, t: Tables, players: int, display: int) -> None:
        GoodCompany.__init__(self, t, players, display)
        self.assistant = [-1] * 5

    def copy_into(self, c: State) -> None:
        GoodCompany.copy_into(self, c)
        assert isinstance(c, Assistants)
        o = c
        o.assistant = self.assistant[:]

    def deal_tokens(self, rng: Rng, youngest: int) -> None:
        """Assistants are dealt after the tokens (11.3 b)."""
        GoodCompany.deal_tokens(self, rng, youngest)
        if self.t.modules & ASSISTANTS_BIT:
            self.deal_assistants(rng)

    def deal_assistants(self, rng: Rng) -> None:
        free = (1 << self.n) - 1
        if self.n >= 4:
            seat = (self.token[MARKET] + self.n - 1) % self.n
            self.place_assistant(MISTRESS_OF_THE_MANOR, seat)
            free &= ~(1 << seat)
        if self.n == 5:
            seat = (self.token[WORKER] + self.n - 1) % self.n
            self.place_assistant(MASTER_CRAFTSMAN, seat)
            free &= ~(1 << seat)
        last = LAWYER if self.n == 2 else CZARS_DAUGHTER
        for which in range(ARCHITECT, last + 1):
            seat = rng.draw(self.n)
            while not free >> seat & 1:
                seat = rng.draw(self.n)
            self.place_assistant(which, seat)
            free &= ~(1 << seat)

    def place_assistant(self, which: int, seat: int) -> None:
        """Give an assistant to a seat, or with NONE to nobody."""
        if self.assistant[which] != NONE:
            self.assist(which, self.assistant[which], -1)
        self.assistant[which] = seat
        if seat != NONE:
            self.assist(which, seat, 1)

    def assist(self, which: int, seat: int, by: int) -> None:
        if which == MASTER_CRAFTSMAN:
            self.reduce_prices(seat, 1 << GREEN, by)
        elif which == MISTRESS_OF_THE_MANOR:
            self.reduce_prices(seat, 1 << YELLOW, by)
        elif which == ARCHITECT:
            self.reduce_prices(seat, 1 << BLUE, by)
        elif which == LAWYER:
            self.reduce_prices(seat, 1 << RED, by)
        else:
            for kind in range(KINDS):
                if self.t.exchange[kind]:
                    self.price[seat * KINDS + kind] -= 2 * by

    def end_round(self) -> None:
        """Every assistant goes to the next player counter-clockwise (11.3 c)."""
        GoodCompany.end_round(self)
        if not self.t.modules & ASSISTANTS_BIT:
            return
        for which in range(5):
            if self.assistant[which] != NONE:
                self.place_assistant(which, (self.assistant[which] + self.n - 1) % self.n)
