"""Good Company in play (11.2): its cards with variable and chosen income."""

from __future__ import annotations

from typing import Annotated

from nevsky.cards import KIND
from nevsky.rules.actions import STARTS, VERBS
from nevsky.rules.constants import BLUE, BUILDING, DUES, KINDS, NOBLE, RED, SEARCH, SEATS
from nevsky.rules.fields import Fields
from nevsky.rules.market import Market
from nevsky.rules.modules.good_company.room import (
    DEBTORS_PRISON,
    GUILD_TOTAL,
    SYCOPHANT_PRICE,
    TRADE_POINTS,
    TRADE_PRICE,
)

TRADING_HOUSE_CARD = KIND["trading_house"]
COFFEE_HOUSE = KIND["coffee_house"]
SYCOPHANT_CARD = KIND["sycophant"]
GUILD_HALL_CARD = KIND["guild_hall"]
TEXTILE_FACTORY = KIND["textile_factory"]
MAYOR = KIND["mayor"]

GUILD_HALL = DUES.index("guild_hall")
TRADING_HOUSE = DUES.index("trading_house")
SYCOPHANT = DUES.index("sycophant")

USE_PRISON = STARTS["USE_PRISON"]
GUILD_0 = STARTS["GUILD"]
TRADE_0 = STARTS["TRADE"]
SYCOPHANT_0 = STARTS["SYCOPHANT"]
V_GUILD_HALL = VERBS["guild_hall"]
V_TRADING_HOUSE = VERBS["trading_house"]
V_SYCOPHANT = VERBS["sycophant"]
V_USE = VERBS["use"]


class GoodCompany(Fields):
    """``prison_down``: whose Debtors' Prison lies face down; ``to_ask``: Sycophants that still want to be paid."""

    prison_down: Annotated[list[int], SEATS]
    to_ask: int

    def __init__(self) -> None:
        self.clear_fields()

    def copied(self, c: GoodCompany | None) -> GoodCompany:  # c: gil
        """This state, in ``c`` if there is one."""
        if c is None:
            c = GoodCompany.__new__(GoodCompany)
        self.copy_fields(c, GoodCompany)
        return c

    def face_down(self, seat: int, kind: int) -> int:
        return self.prison_down[seat] if kind == DEBTORS_PRISON else 0

    def carpets(self, p: Market, seat: int) -> int:
        """Green cards with the carpet symbol in the area (11.2 f)."""
        found = 0
        for kind in range(KINDS):
            if p.t.carpet[kind]:
                found += p.area[seat * KINDS + kind]
        return found

    def value_rubles(self, p: Market, seat: int, kind: int) -> int:
        """What a card of this kind pays beyond what is printed."""
        if kind == COFFEE_HOUSE:
            return p.count[seat * 5 + RED]
        if kind == MAYOR:
            return p.count[seat * 5 + BLUE]
        return GUILD_TOTAL if kind == GUILD_HALL_CARD else 0

    def open_points(self, p: Market, seat: int, kind: int) -> int:
        """What an open card of this kind brings beyond what is printed."""
        if kind == TEXTILE_FACTORY:
            return 2 * self.carpets(p, seat)
        return GUILD_TOTAL if kind == GUILD_HALL_CARD else 0

    def chosen_income(self, kind: int) -> int:
        """Whether its owner chooses what the card pays, so that no scoring counts it."""
        return 1 if kind == GUILD_HALL_CARD else 0

    def variable_rubles(self, p: Market, seat: int, colour: int) -> int:
        rubles = 0
        if colour == BLUE and p.area[seat * KINDS + COFFEE_HOUSE]:
            rubles += p.count[seat * 5 + RED]
        if colour == RED and p.area[seat * KINDS + MAYOR]:
            rubles += p.count[seat * 5 + BLUE]
        return rubles

    def variable_points(self, p: Market, seat: int, colour: int) -> int:
        if colour != BLUE:
            return 0
        points = -self.prison_down[seat]
        if p.area[seat * KINDS + TEXTILE_FACTORY]:
            points += self.open_points(p, seat, TEXTILE_FACTORY)
        return points

    def list_special(self, p: Market, n: int, seat: int) -> int:
        """Using the Debtors' Prison (11.2 c)."""
        if p.phase == BUILDING and p.area[seat * KINDS + DEBTORS_PRISON] > self.prison_down[seat] and p.discard_n > 0:
            p.legal_ids[n] = USE_PRISON
            n += 1
        return n

    def end_round(self, p: Market) -> None:
        for seat in range(p.n):
            if self.prison_down[seat]:
                self.turn_prison(p, seat, 0)

    def turn_prison(self, p: Market, seat: int, down: int) -> None:  # c: both
        self.prison_down[seat] = down
        p.turned(seat, DEBTORS_PRISON)

    def ask_during_scoring(self, p: Market, seat: int) -> int:
        """The owner of the Guild Hall splits its income (11.2 g)."""
        if p.phase == BUILDING and p.sub == 1 and p.area[seat * KINDS + GUILD_HALL_CARD]:
            p.sub = 2
            return p.ask(seat, GUILD_HALL)
        return 0

    def ask_after_scoring(self, p: Market, seat: int) -> int:
        """The Trading House before the pub (11.2 j); each Sycophant at the noble scoring (11.2 d)."""
        if p.phase == BUILDING and p.sub == 0:
            p.sub = 1
            if p.area[seat * KINDS + TRADING_HOUSE_CARD]:
                return p.ask(seat, TRADING_HOUSE)
        if p.phase == NOBLE:
            if p.sub == 0:
                p.sub = 1
                self.to_ask = p.area[seat * KINDS + SYCOPHANT_CARD]
            if self.to_ask:
                self.to_ask -= 1
                return p.ask(seat, SYCOPHANT)
        return 0

    def list_choices(self, p: Market) -> int:
        """The legal actions of this module's decisions; a covered Guild Hall pays rubles only (D33)."""
        if p.due == TRADING_HOUSE:
            return self.list_pay(p, TRADE_0, TRADE_PRICE)
        if p.due == SYCOPHANT:
            return self.list_pay(p, SYCOPHANT_0, SYCOPHANT_PRICE)
        n = 0
        least = 0 if p.counting(p.seat, GUILD_HALL_CARD) else GUILD_TOTAL
        for rubles in range(least, GUILD_TOTAL + 1):
            p.legal_ids[n] = GUILD_0 + rubles
            n += 1
        return n

    def list_pay(self, p: Market, block: int, price: int) -> int:
        """Pay, if there is enough, or do not."""
        n = 0
        if p.rubles[p.seat] >= price:
            p.legal_ids[n] = block
            n += 1
        p.legal_ids[n] = block + 1
        return n + 1

    def do(self, p: Market, number: int) -> None:
        """Carry out an action of this module."""
        verb = p.t.verb[number]
        seat = p.seat
        if verb == V_USE:
            self.turn_prison(p, seat, 1)
            p.passes = 0
            p.ask(seat, SEARCH)
            return
        if verb == V_GUILD_HALL:
            p.gain_rubles(seat, p.t.arg[number])
            p.gain_points(seat, GUILD_TOTAL - p.t.arg[number])
        else:
            declined = p.t.arg[number]
            if verb == V_SYCOPHANT and declined:
                p.lift(seat, SYCOPHANT_CARD)
                p.throw_away(SYCOPHANT_CARD)
            elif verb == V_SYCOPHANT:
                p.pay(seat, SYCOPHANT_PRICE)
            elif not declined:
                p.pay(seat, TRADE_PRICE)
                p.gain_points(seat, TRADE_POINTS)
        p.proceed()
