"""The assistants in play (11.3)."""

from __future__ import annotations

from typing import Annotated

from nevsky.rules.constants import KINDS, MARKET, NONE, WORKER
from nevsky.rules.fields import Fields
from nevsky.rules.market import Market
from nevsky.rules.modules.assistants.room import (
    ARCHITECT,
    CZARS_DAUGHTER,
    LAWYER,
    MASTER_CRAFTSMAN,
    MISTRESS_OF_THE_MANOR,
)
from nevsky.rules.rng import Rng

NUMBER = 5


class Assistants(Fields):
    """``seat`` tells with whom each assistant is, in the order of 11.3 a; the first four stand for their colour."""

    seat: Annotated[list[int], NUMBER]

    def __init__(self) -> None:
        self.clear_fields()
        for which in range(NUMBER):
            self.seat[which] = NONE

    def copied(self, c: Assistants | None) -> Assistants:  # c: gil
        """This state, in ``c`` if there is one."""
        if c is None:
            c = Assistants.__new__(Assistants)
        self.copy_fields(c, Assistants)
        return c

    def deal(self, p: Market, rng: Rng) -> None:
        """Assistants are dealt after the tokens (11.3 b)."""
        free = (1 << p.n) - 1
        if p.n >= 4:
            seat = (p.token[MARKET] + p.n - 1) % p.n
            self.place(p, MISTRESS_OF_THE_MANOR, seat)
            free &= ~(1 << seat)
        if p.n == 5:
            seat = (p.token[WORKER] + p.n - 1) % p.n
            self.place(p, MASTER_CRAFTSMAN, seat)
            free &= ~(1 << seat)
        last = LAWYER if p.n == 2 else CZARS_DAUGHTER
        for which in range(ARCHITECT, last + 1):
            seat = rng.draw(p.n)
            while not free >> seat & 1:
                seat = rng.draw(p.n)
            self.place(p, which, seat)
            free &= ~(1 << seat)

    def place(self, p: Market, which: int, seat: int) -> None:  # c: both
        """Give an assistant to a seat."""
        if self.seat[which] != NONE:
            self.assist(p, which, self.seat[which], -1)
        self.seat[which] = seat
        self.assist(p, which, seat, 1)

    def assist(self, p: Market, which: int, seat: int, by: int) -> None:
        """Cards of a colour cost 1 less, or exchange cards 2 less (11.3 a)."""
        if which != CZARS_DAUGHTER:
            p.reduce_prices(seat, 1 << which, by)
            return
        for kind in range(KINDS):
            if p.t.exchange[kind]:
                p.price[seat * KINDS + kind] -= 2 * by

    def end_round(self, p: Market) -> None:
        """Every assistant goes to the next player counter-clockwise (11.3 c)."""
        for which in range(NUMBER):
            if self.seat[which] != NONE:
                self.place(p, which, (self.seat[which] + p.n - 1) % p.n)
