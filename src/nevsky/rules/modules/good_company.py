"""Module 2, Good Company (11.2): twelve cards with plain, variable and chosen income."""

from __future__ import annotations

from nevsky.rules.actions import GUILD_0, SYCOPHANT_0, TRADE_0, USE_PRISON
from nevsky.rules.constants import (
    BLUE,
    BUILDING,
    COFFEE_HOUSE,
    DEBTORS_PRISON,
    GUILD_HALL,
    GUILD_HALL_CARD,
    KINDS,
    MAYOR,
    NOBLE,
    RED,
    SEARCH,
    SYCOPHANT,
    SYCOPHANT_CARD,
    TEXTILE_FACTORY,
    TRADING_HOUSE,
    TRADING_HOUSE_CARD,
    V_GUILD_HALL,
    V_SYCOPHANT,
    V_TRADING_HOUSE,
    V_USE,
)
from nevsky.rules.modules.banquet import Banquet
from nevsky.rules.state import State
from nevsky.rules.tables import Tables

GUILD_TOTAL = 4


class GoodCompany(Banquet):
    """A game that may have the cards of Good Company."""

    prison_down: list[int]
    to_ask: int

    def __init__(self, t: Tables, players: int, display: int) -> None:
        Banquet.__init__(self, t, players, display)
        self.prison_down = [0] * 5
        self.to_ask = 0

    def copy_into(self, c: State) -> None:
        Banquet.copy_into(self, c)
        assert isinstance(c, GoodCompany)
        o = c
        o.prison_down = self.prison_down[:]
        o.to_ask = self.to_ask

    def face_down(self, seat: int, kind: int) -> int:
        if kind == DEBTORS_PRISON:
            return self.prison_down[seat]
        return Banquet.face_down(self, seat, kind)

    def carpets(self, seat: int) -> int:
        """Green cards with the carpet symbol in the area (11.2 f)."""
        found = 0
        for kind in range(KINDS):
            if self.t.carpet[kind]:
                found += self.area[seat * KINDS + kind]
        return found

    def value_rubles(self, seat: int, kind: int) -> int:
        if kind == COFFEE_HOUSE:
            return self.count[seat * 5 + RED]
        if kind == MAYOR:
            return self.count[seat * 5 + BLUE]
        if kind == GUILD_HALL_CARD:
            return GUILD_TOTAL
        return Banquet.value_rubles(self, seat, kind)

    def value_points(self, seat: int, kind: int) -> int:
        if kind == TEXTILE_FACTORY and not self.covered(seat, kind):
            return 2 * self.carpets(seat)
        if kind == GUILD_HALL_CARD and not self.covered(seat, kind):
            return GUILD_TOTAL
        if kind == DEBTORS_PRISON and self.prison_down[seat]:
            return 0
        return Banquet.value_points(self, seat, kind)

    def variable_rubles(self, seat: int, colour: int) -> int:
        rubles = Banquet.variable_rubles(self, seat, colour)
        if colour == BLUE and self.area[seat * KINDS + COFFEE_HOUSE]:
            rubles += self.count[seat * 5 + RED]
        if colour == RED and self.area[seat * KINDS + MAYOR]:
            rubles += self.count[seat * 5 + BLUE]
        return rubles

    def variable_points(self, seat: int, colour: int) -> int:
        points = Banquet.variable_points(self, seat, colour)
        if colour == BLUE:
            points -= self.prison_down[seat]
            if self.area[seat * KINDS + TEXTILE_FACTORY]:
                points += self.value_points(seat, TEXTILE_FACTORY)
        return points

    def list_special(self, n: int, seat: int) -> int:
        n = Banquet.list_special(self, n, seat)
        if (
            self.phase == BUILDING
            and self.area[seat * KINDS + DEBTORS_PRISON] > self.prison_down[seat]
            and self.discard_n > 0
        ):
            self.legal_ids[n] = USE_PRISON
            n += 1
        return n

    def end_round(self) -> None:
        Banquet.end_round(self)
        for seat in range(self.n):
            if self.prison_down[seat]:
                self.turn_prison(seat, 0)

    def turn_prison(self, seat: int, down: int) -> None:
        self.prison_down[seat] = down
        self.mark_replaceable(seat, DEBTORS_PRISON)

    def ask_during_scoring(self, seat: int) -> int:
        """The owner of the Guild Hall splits its income (11.2 g)."""
        if self.phase == BUILDING and self.sub == 1 and self.area[seat * KINDS + GUILD_HALL_CARD]:
            self.sub = 2
            return self.ask(seat, GUILD_HALL)
        return Banquet.ask_during_scoring(self, seat)

    def ask_after_scoring(self, seat: int) -> int:
        """The Trading House before the pub (11.2 j); each Sycophant at the noble scoring (11.2 d)."""
        if self.phase == BUILDING and self.sub == 0:
            self.sub = 1
            if self.area[seat * KINDS + TRADING_HOUSE_CARD]:
                return self.ask(seat, TRADING_HOUSE)
        if self.phase == NOBLE:
            if self.sub == 0:
                self.sub = 1
                self.to_ask = self.area[seat * KINDS + SYCOPHANT_CARD]
            if self.to_ask:
                self.to_ask -= 1
                return self.ask(seat, SYCOPHANT)
        return Banquet.ask_after_scoring(self, seat)

    def list_other(self) -> int:
        n = 0
        if self.due == GUILD_HALL:
            least = GUILD_TOTAL if self.covered(self.seat, GUILD_HALL_CARD) else 0
            for rubles in range(least, GUILD_TOTAL + 1):
                self.legal_ids[n] = GUILD_0 + rubles
                n += 1
            return n
        if self.due == TRADING_HOUSE:
            return self.list_pay(TRADE_0, 3)
        if self.due == SYCOPHANT:
            return self.list_pay(SYCOPHANT_0, 1)
        return Banquet.list_other(self)

    def list_pay(self, block: int, price: int) -> int:
        """Pay, if there is enough, or do not."""
        n = 0
        if self.rubles[self.seat] >= price:
            self.legal_ids[n] = block
            n += 1
        self.legal_ids[n] = block + 1
        return n + 1

    def do_other(self, number: int) -> None:
        verb = self.t.verb[number]
        seat = self.seat
        declined = self.t.points_wanted[number]
        if verb == V_GUILD_HALL:
            self.gain_rubles(seat, self.t.arg[number])
            self.gain_points(seat, GUILD_TOTAL - self.t.arg[number])
            self.proceed()
        elif verb == V_TRADING_HOUSE:
            if not declined:
                self.pay(seat, 3)
                self.gain_points(seat, 2)
            self.proceed()
        elif verb == V_SYCOPHANT:
            if declined:
                self.lift(seat, SYCOPHANT_CARD)
                self.throw_away(SYCOPHANT_CARD)
            else:
                self.pay(seat, 1)
            self.proceed()
        elif verb == V_USE:
            self.turn_prison(seat, 1)
            self.passes = 0
            self.ask(seat, SEARCH)
        else:
            Banquet.do_other(self, number)
